package llm

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/sashabaranov/go-openai"
	"github.com/sony/gobreaker"
)

// Client asks a server. It keeps no answers. Goroutines may share it.
type Client struct {
	config  Config
	api     *openai.Client
	redact  redactor
	plain   atomic.Bool // the server has refused structured answers
	breaker *gobreaker.TwoStepCircuitBreaker
}

// New makes a client. The error says what of the configuration is missing or wrong;
// nothing is asked yet.
func New(c Config) (*Client, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	if !c.Enabled() {
		return nil, errors.New("no model is configured; name one (MISHAP_MODEL) and its server (MISHAP_MODEL_URL)")
	}
	u, err := c.address()
	if err != nil {
		return nil, err
	}
	out := &Client{config: c.withDefaults(), redact: newRedactor(c.Key, u)}
	out.breaker = newBreaker(out.config.Rest)
	api := openai.DefaultConfig(string(c.Key))
	api.HTTPClient = &wire{query: u.RawQuery, most: maxAnswer, client: http.Client{CheckRedirect: stays}}
	u.RawQuery, u.Fragment = "", "" // the library appends to the text of the URL
	api.BaseURL = u.String()
	out.api = openai.NewClientWithConfig(api)
	return out, nil
}

// Name is the name of the model.
func (c *Client) Name() string { return c.config.Model }

// Format hides the key under every verb.
func (c *Client) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, c.config.String()) }

func (c *Client) clean(text string) string { return c.redact.clean(text) }

// Ask sends the question, again after a pause where what failed may pass, and once
// more without the schema where the server refuses that, all within the Deadline. A server
// that did not answer several questions in a row is not asked for a while. Errors are of
// type *Error.
func (c *Client) Ask(ctx context.Context, q Question) (Answer, error) {
	if q.Schema != nil && !json.Valid(q.Schema.JSON) {
		return Answer{}, &Error{Kind: Refused, Message: "the schema of the question (" + clip(c.clean(q.Schema.Name)) + ") is no JSON; nothing was asked"}
	}
	done, resting := c.pass()
	if resting != nil {
		return Answer{}, resting
	}
	start := time.Now()
	parent := ctx
	ctx, cancel := context.WithTimeoutCause(ctx, c.config.Deadline, errDeadline)
	defer cancel()
	a := &asking{client: c, question: q, structured: q.Schema != nil && !c.plain.Load()}
	text, err := a.untilAnswered(ctx)
	if err != nil && a.structured && refusesSchema(err) {
		c.plain.Store(true)
		a.structured = false
		text, err = a.untilAnswered(ctx)
	}
	a.usage.Time = time.Since(start)
	if parent.Err() != nil {
		done(nil) // nothing is known of the server
	} else {
		done(err)
	}
	out := Answer{Text: text, Usage: a.usage, Structured: a.structured && err == nil}
	if err != nil {
		return out, err
	}
	return out, nil
}

// refusesSchema tells whether the server cannot answer by a schema at all.
func refusesSchema(e *Error) bool {
	switch e.Status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusUnprocessableEntity:
		return e.schema
	}
	return false
}

// speaksOfSchema tells whether what a server said is about structured answers.
func speaksOfSchema(said string) bool {
	said = strings.ToLower(said)
	for _, word := range []string{"response_format", "json_schema", "response format", "structured output"} {
		if strings.Contains(said, word) {
			return true
		}
	}
	return false
}

// request words the question for the API.
func (c *Client) request(q Question, structured bool) openai.ChatCompletionRequest {
	r := openai.ChatCompletionRequest{Model: c.config.Model, MaxTokens: q.MaxTokens}
	if openai.NewReasoningValidator().Validate(r) != nil { // newer models take the bound by another name
		r.MaxTokens, r.MaxCompletionTokens = 0, q.MaxTokens
	}
	if q.System != "" {
		r.Messages = append(r.Messages, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleSystem, Content: q.System})
	}
	user := openai.ChatCompletionMessage{Role: openai.ChatMessageRoleUser, Content: q.Prompt}
	if len(q.Images) > 0 {
		user.Content = ""
		user.MultiContent = []openai.ChatMessagePart{{Type: openai.ChatMessagePartTypeText, Text: q.Prompt}}
		for _, i := range q.Images {
			data := "data:" + i.MIME + ";base64," + base64.StdEncoding.EncodeToString(i.Data)
			user.MultiContent = append(user.MultiContent, openai.ChatMessagePart{
				Type: openai.ChatMessagePartTypeImageURL, ImageURL: &openai.ChatMessageImageURL{URL: data}})
		}
	}
	r.Messages = append(r.Messages, user)
	if structured {
		name := q.Schema.Name
		if name == "" {
			name = "answer"
		}
		r.ResponseFormat = &openai.ChatCompletionResponseFormat{
			Type: openai.ChatCompletionResponseFormatTypeJSONSchema,
			JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{
				Name: name, Schema: q.Schema.JSON, Strict: true},
		}
	}
	return r
}

// The longest bodies that are read, in bytes: of an answer, and of vectors for many texts.
const (
	maxAnswer  = 1 << 20
	maxVectors = 64 << 20
)

// wire carries requests. It puts the query of the configured URL back, bounds what
// is read, and notes what the API's library does not hand on.
type wire struct {
	query  string
	most   int64 // bytes of a body
	client http.Client
}

// stays follows a redirect to the same host only: what is asked is meant for nobody
// else.
func stays(req *http.Request, via []*http.Request) error {
	if len(via) >= 5 || req.URL.Host != via[0].URL.Host || req.URL.Scheme != via[0].URL.Scheme {
		return http.ErrUseLastResponse
	}
	return nil
}

// note is what one call was answered with.
type note struct {
	status int // 0 where no answer came
	header http.Header
}

type noteKey struct{}

// Do sends a request.
func (w *wire) Do(req *http.Request) (*http.Response, error) {
	if w.query != "" {
		req.URL.RawQuery = w.query
	}
	res, err := w.client.Do(req)
	if err != nil {
		return nil, err
	}
	if n, ok := req.Context().Value(noteKey{}).(*note); ok {
		n.status, n.header = res.StatusCode, res.Header
	}
	res.Body = http.MaxBytesReader(nil, res.Body, w.most)
	return res, nil
}
