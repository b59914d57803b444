package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mishap-robotics/mishap/bridge/llm"
	"github.com/mishap-robotics/mishap/bridge/llm/llmtest"
)

const key = "sk-test-0123456789abcdef"

// long is a time that no test waits for: it only ends a test that hangs.
const long = time.Minute

func config(s *llmtest.Server) llm.Config {
	return llm.Config{BaseURL: s.URL, Model: "small", Key: key, Timeout: long, Backoff: time.Microsecond}
}

func client(t *testing.T, c llm.Config) *llm.Client {
	t.Helper()
	out, err := llm.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

var question = llm.Question{Purpose: "reason", System: "You are careful.", Prompt: "Why did the mug fall?", MaxTokens: 100}

var structured = llm.Question{Purpose: "replan", Prompt: "Give a plan.",
	Schema: &llm.Schema{Name: "plan", JSON: json.RawMessage(`{"type":"object","properties":{}}`)}}

func TestAsk(t *testing.T) {
	s := llmtest.New(t, llmtest.Always(llmtest.Text("It slipped off the table.")))
	q := structured
	q.System, q.MaxTokens, q.Images = "Be brief.", 50, []llm.Image{{MIME: "image/png", Data: []byte("png")}}
	a, err := client(t, config(s)).Ask(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	if a.Text != "It slipped off the table." || !a.Structured {
		t.Errorf("answer %+v", a)
	}
	if u := a.Usage; u.Calls != 1 || u.PromptTokens != 5 || u.AnswerTokens != 5 || u.Estimated || u.Time <= 0 {
		t.Errorf("usage %+v", u)
	}
	r := s.Requests()[0]
	if r.System != "Be brief." || r.Prompt != "Give a plan." || r.Model != "small" || r.Key != key || r.MaxTokens != 50 || r.Path != "/v1/chat/completions" {
		t.Errorf("request %+v", r)
	}
	if len(r.Images) != 1 || r.Images[0] != "data:image/png;base64,cG5n" {
		t.Errorf("images %q", r.Images)
	}
	if !r.Schema || r.SchemaName != "plan" || string(r.SchemaJSON) != string(q.Schema.JSON) {
		t.Errorf("schema %q %s", r.SchemaName, r.SchemaJSON)
	}
}

// TestBoundOfNewerModels: they take the bound of the answer by another name.
func TestBoundOfNewerModels(t *testing.T) {
	s := llmtest.New(t, llmtest.Always(llmtest.Text("Yes.")))
	c := config(s)
	c.Model = "o3-mini"
	if _, err := client(t, c).Ask(context.Background(), question); err != nil {
		t.Fatal(err)
	}
	if r := s.Requests()[0]; r.MaxTokens != 100 || !strings.Contains(string(r.Body), "max_completion_tokens") {
		t.Errorf("sent %s", r.Body)
	}
}

func TestFailures(t *testing.T) {
	status := func(code int) llmtest.Response { return llmtest.Failure(code, "said the server") }
	for name, test := range map[string]struct {
		response llmtest.Response
		kind     llm.ErrorKind
		status   int
		calls    int
		text     string // in the error
	}{
		"wrong key":         {status(401), llm.KeyRefused, 401, 1, "refuses the key (401); check MISHAP_MODEL_KEY"},
		"forbidden":         {status(403), llm.KeyRefused, 403, 1, "said the server"},
		"bad request":       {status(400), llm.Refused, 400, 1, "refuses the question (400): said the server"},
		"no model":          {status(404), llm.Refused, 404, 1, "knows no model small"},
		"unprocessable":     {status(422), llm.Refused, 422, 1, "(422)"},
		"rate limit":        {status(429), llm.RateLimited, 429, 3, "(asked 3 times)"},
		"no credit":         {llmtest.Status(429, `{"error":{"message":"pay","type":"x","code":"insufficient_quota"}}`), llm.RateLimited, 429, 1, "used up"},
		"request timeout":   {status(408), llm.ServerFault, 408, 3, "(408)"},
		"conflict":          {status(409), llm.ServerFault, 409, 3, "(409)"},
		"internal":          {status(500), llm.ServerFault, 500, 3, "fails (500)"},
		"unavailable":       {llmtest.Status(503, "not JSON"), llm.ServerFault, 503, 3, "not JSON"},
		"gateway":           {llmtest.Status(504, ""), llm.ServerFault, 504, 3, "(504)"},
		"empty":             {llmtest.Empty(), llm.Empty, 0, 1, "empty answer"},
		"blank":             {llmtest.Text(" \n"), llm.Empty, 0, 1, "empty answer"},
		"no choices":        {llmtest.NoChoices(), llm.Empty, 0, 1, "without a choice"},
		"no body":           {llmtest.Status(200, ""), llm.Empty, 0, 1, "empty answer"},
		"cut off":           {llmtest.CutOff("It slip"), llm.CutOff, 0, 1, "cut off"},
		"garbage":           {llmtest.Garbage(), llm.Unreadable, 0, 1, "MISHAP_MODEL_URL"},
		"other JSON":        {llmtest.Status(200, `{"choices":7}`), llm.Unreadable, 0, 1, "chat completion"},
		"broken off":        {llmtest.Cut("It slipped off the table."), llm.Unreachable, 0, 3, "broke off"},
		"half a document":   {llmtest.Status(200, `{"choices":[{"mess`), llm.Unreachable, 0, 3, "broke off"},
		"dropped":           {llmtest.Drop(), llm.Unreachable, 0, 3, "cannot be reached"},
		"content filter":    {llmtest.Status(200, `{"choices":[{"finish_reason":"content_filter","message":{"content":"x"}}]}`), llm.Refused, 0, 1, "filter"},
		"declined":          {llmtest.Status(200, `{"choices":[{"message":{"refusal":"no thanks"}}]}`), llm.Refused, 0, 1, "no thanks"},
		"retry too late":    {status(429).With("Retry-After", "3600"), llm.RateLimited, 429, 1, "wait for more than 1m0s"},
		"retry much later":  {status(429).With("Retry-After", "99999999999999999999"), llm.RateLimited, 429, 1, "wait for more"},
		"retry at odd time": {status(429).With("Retry-After", "soon"), llm.RateLimited, 429, 3, "(429)"},
	} {
		t.Run(name, func(t *testing.T) {
			s := llmtest.New(t, llmtest.Always(test.response))
			c := config(s)
			c.Retries = 2
			a, err := client(t, c).Ask(context.Background(), question)
			var e *llm.Error
			if !errors.As(err, &e) || e.Kind != test.kind || e.Status != test.status || llm.KindOf(err) != test.kind {
				t.Fatalf("%#v, want the kind %q and status %d", err, test.kind, test.status)
			}
			if !strings.Contains(err.Error(), test.text) || strings.Contains(err.Error(), key) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q, want %q in it", err, test.text)
			}
			if n := len(s.Requests()); n != test.calls || a.Usage.Calls != n {
				t.Errorf("%d requests, %d counted, want %d", n, a.Usage.Calls, test.calls)
			}
			if test.kind == llm.CutOff && (e.Text != "It slip" || a.Text != "It slip") {
				t.Errorf("cut off with %q and %q", e.Text, a.Text)
			}
		})
	}
}

// TestPassing: what passes is asked again, and the answer then counts.
func TestPassing(t *testing.T) {
	for name, first := range map[string]llmtest.Response{
		"429": llmtest.Failure(429, "slow down"), "500": llmtest.Failure(500, "oops"), "503": llmtest.Status(503, ""),
		"drop": llmtest.Drop(), "cut": llmtest.Cut("text that breaks off"),
	} {
		t.Run(name, func(t *testing.T) {
			s := llmtest.New(t, llmtest.Sequence(first, first, llmtest.Text("Yes.")))
			a, err := client(t, config(s)).Ask(context.Background(), question)
			if err != nil || a.Text != "Yes." || a.Usage.Calls != 3 || len(s.Requests()) != 3 {
				t.Errorf("%+v, %v", a, err)
			}
		})
	}
}

func TestNoRetries(t *testing.T) {
	s := llmtest.New(t, llmtest.Always(llmtest.Failure(500, "oops")))
	c := config(s)
	c.Retries = llm.NoRetries
	if a, err := client(t, c).Ask(context.Background(), question); err == nil || a.Usage.Calls != 1 {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestRetryAfter: the pause is the server's. With that of the configuration the
// test would last for an hour.
func TestRetryAfter(t *testing.T) {
	for name, value := range map[string]string{"seconds": "0", "date": "Mon, 01 Jan 2024 00:00:00 GMT"} {
		t.Run(name, func(t *testing.T) {
			s := llmtest.New(t, llmtest.Sequence(llmtest.Failure(429, "later").With("Retry-After", value), llmtest.Text("Yes.")))
			c := config(s)
			c.Backoff = time.Hour
			ctx, cancel := context.WithTimeout(context.Background(), long)
			defer cancel()
			if a, err := client(t, c).Ask(ctx, question); err != nil || a.Text != "Yes." {
				t.Errorf("%+v, %v", a, err)
			}
		})
	}
}

// TestRetryAfterDeadline: a pause that ends after the caller's time is not begun.
func TestRetryAfterDeadline(t *testing.T) {
	s := llmtest.New(t, llmtest.Always(llmtest.Failure(429, "later").With("Retry-After", "59")))
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Second)
	defer cancel()
	if _, err := client(t, config(s)).Ask(ctx, question); llm.KindOf(err) != llm.RateLimited {
		t.Errorf("%v", err)
	}
}

func TestTimeout(t *testing.T) {
	s := llmtest.New(t, llmtest.Always(llmtest.Hang()))
	c := config(s)
	c.Timeout, c.Retries = time.Millisecond, 1
	a, err := client(t, c).Ask(context.Background(), question)
	if llm.KindOf(err) != llm.TimedOut || errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "within 1ms") {
		t.Errorf("%v", err)
	}
	if u := a.Usage; u.Calls != 2 || u.PromptTokens != 2*question.Estimate() || !u.Estimated {
		t.Errorf("usage %+v: the server may charge for what it read", u)
	}
}

// TestCancel: a caller that gives up is let go while the server still hangs, or
// while a pause of an hour lasts.
func TestCancel(t *testing.T) {
	for name, test := range map[string]llmtest.Response{
		"call": llmtest.Hang(), "pause": llmtest.Failure(500, "oops"), "slow": llmtest.Slow(time.Hour, llmtest.Text("Yes.")),
	} {
		t.Run(name, func(t *testing.T) {
			arrived := make(chan bool, 8)
			s := llmtest.New(t, func(llmtest.Request) llmtest.Response { arrived <- true; return test })
			c := config(s)
			c.Backoff, c.Timeout = time.Hour, time.Hour
			ctx, cancel := context.WithCancel(context.Background())
			done := make(chan error, 1)
			m := client(t, c)
			go func() { _, err := m.Ask(ctx, question); done <- err }()
			<-arrived
			cancel()
			select {
			case err := <-done:
				if llm.KindOf(err) != llm.Cancelled || !errors.Is(err, context.Canceled) {
					t.Errorf("%v", err)
				}
			case <-time.After(long):
				t.Fatal("Ask does not return")
			}
			if n := len(s.Requests()); n != 1 {
				t.Errorf("%d requests", n)
			}
		})
	}
}

func TestCallersDeadline(t *testing.T) {
	s := llmtest.New(t, llmtest.Always(llmtest.Hang()))
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	_, err := client(t, config(s)).Ask(ctx, question)
	if llm.KindOf(err) != llm.TimedOut || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	<-ctx.Done()
	other := llmtest.New(t, llmtest.Always(llmtest.Text("Yes.")))
	if a, err := client(t, config(other)).Ask(ctx, question); err == nil || a.Usage.Calls != 0 {
		t.Errorf("asked after the end: %+v, %v", a, err)
	}
}

func TestUnreachable(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	c := llm.Config{BaseURL: "http://user:hidden-password@" + address + "/v1?token=hidden-token", Model: "small", Key: key, Backoff: time.Microsecond}
	a, err := client(t, c).Ask(context.Background(), question)
	if llm.KindOf(err) != llm.Unreachable || !strings.Contains(err.Error(), "http://"+address+"/v1 cannot be reached") ||
		!strings.Contains(err.Error(), "refused") || strings.Contains(err.Error(), "hidden") {
		t.Errorf("%v", err)
	}
	if a.Usage.Calls != llm.DefaultRetries+1 || a.Usage.PromptTokens != 0 {
		t.Errorf("usage %+v", a.Usage)
	}
}

func TestNoKey(t *testing.T) {
	s := llmtest.New(t, llmtest.Always(llmtest.Failure(401, "key?")))
	c := config(s)
	c.Key = ""
	_, err := client(t, c).Ask(context.Background(), question)
	if err == nil || !strings.Contains(err.Error(), "give MISHAP_MODEL_KEY") || s.Requests()[0].Key != "" {
		t.Errorf("%v", err)
	}
}

func TestSchemaRefused(t *testing.T) {
	for _, code := range []int{400, 404, 422} {
		t.Run(fmt.Sprint(code), func(t *testing.T) {
			s := llmtest.New(t, llmtest.Always(llmtest.RefuseSchemaBy(code, llmtest.Text("a plan"))))
			m := client(t, config(s))
			for i, want := range []int{2, 3} { // the second time it is remembered
				a, err := m.Ask(context.Background(), structured)
				if err != nil || a.Text != "a plan" || a.Structured || len(s.Requests()) != want {
					t.Errorf("asking %d: %+v, %v, %d requests", i, a, err, len(s.Requests()))
				}
			}
		})
	}
	t.Run("other 400", func(t *testing.T) {
		s := llmtest.New(t, llmtest.Always(llmtest.Failure(400, "the prompt is too long")))
		if a, err := client(t, config(s)).Ask(context.Background(), structured); err == nil || a.Usage.Calls != 1 {
			t.Errorf("%+v, %v", a, err)
		}
	})
	t.Run("no JSON", func(t *testing.T) {
		s := llmtest.New(t, llmtest.Always(llmtest.Text("a plan")))
		q := structured
		q.Schema = &llm.Schema{Name: "plan", JSON: json.RawMessage(`{`)}
		if a, err := client(t, config(s)).Ask(context.Background(), q); llm.KindOf(err) != llm.Refused || a.Usage.Calls != 0 {
			t.Errorf("%+v, %v", a, err)
		}
	})
}

func TestNoUsage(t *testing.T) {
	s := llmtest.New(t, llmtest.Sequence(llmtest.NoUsage("It slipped."), llmtest.TextUsing("It slipped.", -5, 1<<40)))
	m := client(t, config(s))
	for range 2 {
		a, err := m.Ask(context.Background(), question)
		if u := a.Usage; err != nil || !u.Estimated || u.PromptTokens != question.Estimate() || u.AnswerTokens != 3 {
			t.Errorf("%+v, %v", a, err)
		}
	}
}

func TestEstimate(t *testing.T) {
	for _, test := range []struct {
		q    llm.Question
		want int
	}{
		{llm.Question{}, 0}, {llm.Question{Prompt: "abcd"}, 1}, {llm.Question{System: "ab", Prompt: "cde"}, 2},
		{llm.Question{Prompt: "a", Images: make([]llm.Image, 2)}, 2001},
		{llm.Question{Schema: &llm.Schema{JSON: json.RawMessage(`{"a":1}`)}}, 2},
	} {
		if got := test.q.Estimate(); got != test.want {
			t.Errorf("%+v: %d, want %d", test.q, got, test.want)
		}
	}
}

// TestKeyNeverShows: in no error, under no verb, in no answer, whatever the server
// echoes.
func TestKeyNeverShows(t *testing.T) {
	const odd = `odd"key<0123>&+/%=`
	for _, secret := range []llm.Secret{key, odd, "abc-plain-key", "short"} {
		for name, response := range map[string]llmtest.Response{
			"401": llmtest.EchoKey(401), "400": llmtest.EchoKey(400), "500": llmtest.EchoKey(500), "404": llmtest.EchoKey(404),
			"raw": llmtest.Status(400, "your key is "+string(secret)+" indeed"), "long": llmtest.Status(400, strings.Repeat("x", 290)+" "+string(secret)),
			"half masked": llmtest.Failure(401, "wrong key sk-abcd****wxyz"),
		} {
			s := llmtest.New(t, llmtest.Always(response))
			c := config(s)
			c.BaseURL = strings.Replace(s.URL, "http://", "http://robot:"+"pass-word-1"+"@", 1) + "?api-key=query-secret"
			c.Key = secret
			m := client(t, c)
			_, err := m.Ask(context.Background(), question)
			if err == nil {
				t.Fatal("no error")
			}
			data, _ := json.Marshal(c)
			all := fmt.Sprintf("%v %+v %#v %s %q %x | %v %+v %#v | %v %+v %#v %s | %s", err, err, err, err, err, c.Key, c, c, c, m, m, m, m, data)
			if left := errors.Unwrap(err); left != nil {
				t.Errorf("%v is kept", left)
			}
			for _, hidden := range []string{string(secret), "pass-word-1", "query-secret", "wxyz"} {
				if strings.Contains(all, hidden) {
					t.Errorf("%s shows %q: %s", name, hidden, all)
				}
			}
			if r := s.Requests()[0]; r.Key != string(secret) || r.Query != "api-key=query-secret" || r.Path != "/v1/chat/completions" {
				t.Errorf("sent %q %q %q", r.Key, r.Query, r.Path)
			}
		}
	}
	s := llmtest.New(t, llmtest.Always(llmtest.Text("the key is "+key+" or sk-other-987654")))
	if a, err := client(t, config(s)).Ask(context.Background(), question); err != nil || a.Text != "the key is [key] or [key]" {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestPlaceholderKey(t *testing.T) {
	s := llmtest.New(t, llmtest.Always(llmtest.Text("none of them")))
	c := config(s)
	c.Key = "none"
	if a, err := client(t, c).Ask(context.Background(), question); err != nil || a.Text != "none of them" {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestManyAtOnce(t *testing.T) {
	s := llmtest.New(t, func(q llmtest.Request) llmtest.Response {
		if q.Number%3 == 0 {
			return llmtest.Failure(http.StatusServiceUnavailable, "busy")
		}
		return llmtest.RefuseSchema(llmtest.Text(q.Prompt))
	})
	c := config(s)
	c.Retries = 20
	m := client(t, c)
	done := make(chan error)
	for i := range 20 {
		go func() {
			q := structured
			q.Prompt = fmt.Sprintf("question %d", i)
			a, err := m.Ask(context.Background(), q)
			if err == nil && a.Text != q.Prompt {
				err = fmt.Errorf("%q for %q", a.Text, q.Prompt)
			}
			done <- err
		}()
	}
	for range 20 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
