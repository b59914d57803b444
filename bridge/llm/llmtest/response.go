package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// Response is how a server behaves on one request.
type Response struct {
	do     func(*call)
	header [][2]string
}

// call is a request with its answer on the way.
type call struct {
	w       http.ResponseWriter
	r       *http.Request
	closed  <-chan struct{}
	request Request
}

func (r Response) serve(c *call) {
	for _, h := range r.header {
		c.w.Header().Set(h[0], h[1])
	}
	r.do(c)
}

// With is the response with one more header, such as Retry-After.
func (r Response) With(name, value string) Response {
	r.header = append(r.header[:len(r.header):len(r.header)], [2]string{name, value})
	return r
}

// Always answers every request in the same way.
func Always(r Response) func(Request) Response { return func(Request) Response { return r } }

// Sequence answers the requests one after the other, the last response again and
// again.
func Sequence(first Response, more ...Response) func(Request) Response {
	all := append([]Response{first}, more...)
	return func(q Request) Response { return all[min(q.Number, len(all))-1] }
}

// choice and usage are parts of a completion.
type choice struct {
	Index        int    `json:"index"`
	FinishReason string `json:"finish_reason"`
	Message      any    `json:"message"`
}

type usage struct {
	Prompt int `json:"prompt_tokens"`
	Answer int `json:"completion_tokens"`
	Total  int `json:"total_tokens"`
}

// completion is the body of an answer; u may be nil.
func completion(q Request, finish, text string, u *usage) []byte {
	out := map[string]any{
		"id": "chatcmpl-test", "object": "chat.completion", "created": 1, "model": q.Model,
		"choices": []choice{{FinishReason: finish, Message: map[string]string{"role": "assistant", "content": text}}},
	}
	if u != nil {
		out["usage"] = u
	}
	data, _ := json.Marshal(out) // texts and numbers only
	return data
}

// counted is a usage that tests can foretell: the words count as in Words.
func counted(q Request, text string) *usage {
	p, a := words(q.System+" "+q.Prompt), words(text)
	return &usage{p, a, p + a}
}

// words counts the words of a text: the tokens that Text says were used.
func words(text string) int {
	n, in := 0, false
	for _, r := range text {
		space := r == ' ' || r == '\n' || r == '\t'
		if !space && !in {
			n++
		}
		in = !space
	}
	return n
}

func send(c *call, status int, body []byte) {
	c.w.Header().Set("Content-Type", "application/json")
	c.w.WriteHeader(status)
	_, _ = c.w.Write(body)
}

// Text answers; each word counts as a token.
func Text(text string) Response {
	return Response{do: func(c *call) {
		send(c, http.StatusOK, completion(c.request, "stop", text, counted(c.request, text)))
	}}
}

// TextUsing answers and says how many tokens that used.
func TextUsing(text string, prompt, answer int) Response {
	return Response{do: func(c *call) {
		send(c, http.StatusOK, completion(c.request, "stop", text, &usage{prompt, answer, prompt + answer}))
	}}
}

// NoUsage answers without counting tokens.
func NoUsage(text string) Response {
	return Response{do: func(c *call) { send(c, http.StatusOK, completion(c.request, "stop", text, nil)) }}
}

// CutOff answers with a text that reached its longest length.
func CutOff(text string) Response {
	return Response{do: func(c *call) {
		send(c, http.StatusOK, completion(c.request, "length", text, counted(c.request, text)))
	}}
}

// Empty answers with an empty text.
func Empty() Response { return Text("") }

// NoChoices answers without any choice.
func NoChoices() Response { return Status(http.StatusOK, `{"object":"chat.completion","choices":[]}`) }

// Status answers with a status and a body.
func Status(code int, body string) Response {
	return Response{do: func(c *call) { send(c, code, []byte(body)) }}
}

// Failure answers with a status and a message, as servers word errors.
func Failure(code int, message string) Response {
	body, _ := json.Marshal(map[string]any{"error": map[string]any{"message": message, "type": "error", "code": strconv.Itoa(code)}})
	return Status(code, string(body))
}

// EchoKey refuses with a status and shows the key that was sent.
func EchoKey(code int) Response {
	return Response{do: func(c *call) {
		Failure(code, fmt.Sprintf("key %s of %s?%s is wrong", c.request.Key, c.r.URL.Path, c.r.URL.RawQuery)).do(c)
	}}
}

// EchoKeyInError refuses the key (401) and shows it.
func EchoKeyInError() Response { return EchoKey(http.StatusUnauthorized) }

// RefuseSchema refuses structured answers (400) and answers all else as told.
func RefuseSchema(otherwise Response) Response {
	return RefuseSchemaBy(http.StatusBadRequest, otherwise)
}

// RefuseSchemaBy is RefuseSchema with another status.
func RefuseSchemaBy(code int, otherwise Response) Response {
	return Response{do: func(c *call) {
		if c.request.Schema {
			Failure(code, "this model does not know response_format of type json_schema").do(c)
			return
		}
		otherwise.serve(c)
	}}
}

// Garbage answers with something else than JSON.
func Garbage() Response {
	return Status(http.StatusOK, "<html><body>It works!</body></html>").With("Content-Type", "text/html")
}

// Hang gives no answer until the client goes or the server is closed.
func Hang() Response {
	return Response{do: func(c *call) {
		select {
		case <-c.r.Context().Done():
		case <-c.closed:
		}
	}}
}

// Slow waits before it answers; it ends with the client or the server.
func Slow(wait time.Duration, then Response) Response {
	return Response{do: func(c *call) {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
			then.serve(c)
		case <-c.r.Context().Done():
		case <-c.closed:
		}
	}}
}

// Cut sends half of an answer and closes the connection.
func Cut(text string) Response {
	return Response{do: func(c *call) {
		body := completion(c.request, "stop", text, counted(c.request, text))
		c.w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		c.w.WriteHeader(http.StatusOK)
		_, _ = c.w.Write(body[:len(body)/2])
		// What is left is missing: the server closes the connection.
	}}
}

// Drop closes the connection without an answer.
func Drop() Response {
	return Response{do: func(c *call) {
		if conn, _, err := c.w.(http.Hijacker).Hijack(); err == nil {
			_ = conn.Close()
		}
	}}
}
