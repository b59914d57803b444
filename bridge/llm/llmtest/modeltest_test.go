package llmtest_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mishap-robotics/mishap/bridge/llm/llmtest"
)

const ask = `{"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":"how are you"}]}`

func TestClose(t *testing.T) {
	for name, r := range map[string]llmtest.Response{"hang": llmtest.Hang(), "slow": llmtest.Slow(time.Hour, llmtest.Empty())} {
		t.Run(name, func(t *testing.T) {
			arrived, done := make(chan bool), make(chan bool)
			s := llmtest.New(t, func(llmtest.Request) llmtest.Response { close(arrived); return r })
			go func() {
				defer close(done)
				if res, err := http.Post(s.URL+"/chat/completions", "application/json", strings.NewReader(ask)); err == nil {
					res.Body.Close()
				}
			}()
			<-arrived
			s.Close() // would hang here
			s.Close()
			<-done
		})
	}
}

func TestSequence(t *testing.T) {
	s := llmtest.New(t, llmtest.Sequence(llmtest.Failure(503, "busy").With("Retry-After", "2"), llmtest.Text("well, thanks")))
	for i, want := range []string{"busy", `"completion_tokens":2,"total_tokens":6`, "well, thanks"} {
		res, err := http.Post(s.URL+"/chat/completions", "application/json", strings.NewReader(ask))
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(res.Body)
		res.Body.Close()
		if !strings.Contains(string(body), want) || (res.Header.Get("Retry-After") == "2") != (i == 0) {
			t.Errorf("answer %d: %s", i+1, body)
		}
	}
	if r := s.Requests(); len(r) != 3 || r[2].Number != 3 || r[0].System != "s" || r[0].Prompt != "how are you" {
		t.Errorf("requests %+v", r)
	}
}

func TestBadRequest(t *testing.T) {
	s := llmtest.New(t, llmtest.Always(llmtest.Empty()))
	res, err := http.Post(s.URL, "application/json", strings.NewReader("{"))
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusBadRequest || len(s.Requests()) != 0 {
		t.Errorf("status %d, %d requests", res.StatusCode, len(s.Requests()))
	}
}
