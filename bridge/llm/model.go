// Package llm asks a language model, over any OpenAI-compatible server, and keeps
// account of what that costs. It is off unless a model is configured.
//
// A Client asks the server, a Recorder writes down what was asked and answered, a
// Replay answers from such a file without a server, and Metered holds a budget. All
// of them are Models; the usual order is Meter(Record(client)). Nothing here logs,
// and a key stands in no error, account or recording.
package llm

import (
	"context"
	"encoding/json"
	"math"
	"time"
)

// Model answers questions. Goroutines may share it.
type Model interface {
	// Ask gives the answer. With an error the Answer still holds what the asking
	// used; KindOf tells the errors apart.
	Ask(ctx context.Context, q Question) (Answer, error)
}

// NamedModel is a Model that says which model it asks.
type NamedModel interface {
	Model
	Name() string
}

// Question is what a model is asked.
type Question struct {
	Purpose        string // what it is for, as "reason" or "replan"; not sent
	System, Prompt string
	Images         []Image
	Schema         *Schema // of a structured answer; nil for free text
	MaxTokens      int     // of the answer; 0 for the server's default
	Sample         int     // tells repeated askings of one question apart; not sent
}

// Image is sent with the prompt as a data URL.
type Image struct {
	MIME string // such as image/png
	Data []byte
}

// Schema is the JSON Schema that a structured answer has to follow. Servers ask for
// every property to be required and for additionalProperties to be false.
type Schema struct {
	Name string // of letters, digits, _ and -
	JSON json.RawMessage
}

// Answer is what a model said.
type Answer struct {
	Text  string
	Usage Usage
	// Structured is true where the server accepted the schema of the question. The
	// text is to be checked all the same.
	Structured bool
}

// Usage is what one question used.
type Usage struct {
	Calls        int // requests sent, repeated ones included
	PromptTokens int
	AnswerTokens int
	Estimated    bool          // the server did not count all of the tokens; Estimate did
	Cost         float64       // US dollars; 0 unless Priced
	Priced       bool          // the price of the model is known
	Time         time.Duration // from the question to its answer, pauses included
}

// What an estimate rests on.
const (
	BytesPerToken = 4    // of text
	ImageTokens   = 1000 // of one image, whatever its size
	// AnswerTokens is set aside for the answer of a question that does not bound it;
	// under a budget it becomes the bound.
	AnswerTokens = 1024
)

// Estimate guesses the tokens of the question: one for every 4 bytes of system text,
// prompt and schema, rounded up, and ImageTokens for each image.
func (q Question) Estimate() int {
	n := len(q.System) + len(q.Prompt)
	if q.Schema != nil {
		n += len(q.Schema.Name) + len(q.Schema.JSON)
	}
	return tokens(n) + ImageTokens*len(q.Images)
}

// tokens estimates those of a text of n bytes.
func tokens(n int) int { return (n + BytesPerToken - 1) / BytesPerToken }

// nameOf is the name of the model that m asks, "" where m does not say.
func nameOf(m Model) string {
	if n, ok := m.(NamedModel); ok {
		return n.Name()
	}
	return ""
}

// cleaner is a Model that knows what has to be kept out of texts.
type cleaner interface{ clean(text string) string }

// cleanOf strips keys from texts: those that m knows, else what looks like one.
func cleanOf(m Model) func(string) string {
	if c, ok := m.(cleaner); ok {
		return c.clean
	}
	return redactor{}.clean
}

// usageLine is Usage as it stands in recordings. Costs do not: prices change.
type usageLine struct {
	Calls        int     `json:"calls"`
	PromptTokens int     `json:"prompt_tokens"`
	AnswerTokens int     `json:"answer_tokens"`
	Estimated    bool    `json:"estimated,omitempty"`
	Seconds      float64 `json:"seconds"`
}

func (u Usage) line() usageLine {
	return usageLine{u.Calls, u.PromptTokens, u.AnswerTokens, u.Estimated, u.Time.Seconds()}
}

func (l usageLine) usage() Usage {
	return Usage{Calls: l.Calls, PromptTokens: l.PromptTokens, AnswerTokens: l.AnswerTokens,
		Estimated: l.Estimated, Time: time.Duration(math.Round(l.Seconds * float64(time.Second)))}
}

// credible tells whether the numbers can be counts of one question.
func (l usageLine) credible() bool {
	const most = 1e9
	for _, x := range []float64{float64(l.Calls), float64(l.PromptTokens), float64(l.AnswerTokens), l.Seconds} {
		if x < 0 || x > most {
			return false
		}
	}
	return true
}
