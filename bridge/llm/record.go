package llm

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// Recorder asks a Model and writes down every exchange. Goroutines may share it.
type Recorder struct {
	model Model

	mu  sync.Mutex
	out io.Writer
	err error
}

// Record makes a Recorder. Each exchange is one line of JSON and one write, made as
// soon as it happened; a file is best opened for appending. Keys are taken out of
// what is written.
func Record(m Model, w io.Writer) *Recorder { return &Recorder{model: m, out: w} }

// Name is the name of the model.
func (r *Recorder) Name() string { return nameOf(r.model) }

func (r *Recorder) clean(text string) string { return cleanOf(r.model)(text) }

// Err is why the recording is not complete: the first error of a write, after which
// nothing more is written; nil where all is well.
func (r *Recorder) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Ask asks the model. What it gives is what the recording holds, errors and their
// kinds included; an error of writing is told by Err, as it is none of the answer.
func (r *Recorder) Ask(ctx context.Context, q Question) (Answer, error) {
	a, err := r.model.Ask(ctx, q)
	line, e := json.Marshal(r.exchange(q, a, err))
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil && e == nil {
		_, e = r.out.Write(append(line, '\n'))
	}
	if r.err == nil && e != nil {
		r.err = fmt.Errorf("the recording of the model is not complete: %w", e)
	}
	return a, err
}

// exchange is a line of a recording.
type exchange struct {
	Purpose    string    `json:"purpose"`
	Key        string    `json:"key"` // hash of the question, see hash
	Model      string    `json:"model"`
	System     string    `json:"system,omitempty"`
	Prompt     string    `json:"prompt"`
	Sample     int       `json:"sample,omitempty"`
	Images     int       `json:"images,omitempty"` // how many
	Schema     string    `json:"schema,omitempty"` // its name
	Answer     *string   `json:"answer,omitempty"`
	Structured bool      `json:"structured,omitempty"`
	Error      *failed   `json:"error,omitempty"`
	Usage      usageLine `json:"usage"`
}

// failed is an error of a line.
type failed struct {
	Kind    ErrorKind `json:"kind"`
	Status  int       `json:"status,omitempty"`
	Caller  bool      `json:"caller,omitempty"` // its own context ended
	Message string    `json:"message"`
}

func (r *Recorder) exchange(q Question, a Answer, err error) exchange {
	x := exchange{Purpose: r.clean(q.Purpose), Key: hash(q, r.Name()), Model: r.Name(), System: r.clean(q.System), Prompt: r.clean(q.Prompt),
		Sample: q.Sample, Images: len(q.Images), Structured: a.Structured, Usage: a.Usage.line()}
	if q.Schema != nil {
		x.Schema = r.clean(q.Schema.Name)
	}
	if err == nil || a.Text != "" {
		text := r.clean(a.Text)
		x.Answer = &text
	}
	if err != nil {
		x.Error = &failed{Kind: KindOf(err), Message: r.clean(err.Error()),
			Caller: errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)}
		if e := (*Error)(nil); errors.As(err, &e) {
			x.Error.Status = e.Status
		}
	}
	return x
}

// hash tells questions to a model apart. Their purposes and bounds do not count, nor
// does the space in a schema.
func hash(q Question, model string) string {
	parts := []any{model, q.System, q.Prompt, q.Sample}
	for _, i := range q.Images {
		sum := sha256.Sum256(i.Data)
		parts = append(parts, []string{i.MIME, hex.EncodeToString(sum[:])})
	}
	if q.Schema != nil {
		var compact bytes.Buffer
		if json.Compact(&compact, q.Schema.JSON) != nil {
			compact.Write(q.Schema.JSON)
		}
		parts = append(parts, q.Schema.Name, compact.String())
	}
	text, _ := json.Marshal(parts) // texts and numbers only: it cannot fail
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}
