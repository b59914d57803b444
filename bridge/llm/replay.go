package llm

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/bridge/internal/schema"
)

// Replay answers from a recording, without a server: a question that was asked
// several times gets its answers, and errors, in the order of the file. Goroutines
// may share it.
type Replay struct {
	file   string
	models []string // in the order of the file
	all    []exchange

	mu   sync.Mutex
	left map[string][]int // by the hash of the question: lines not given yet
}

// OpenReplay reads a recording. The error gives file and line.
func OpenReplay(path string) (*Replay, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, &input.Error{File: path, Found: input.Cause(err), Expected: "a recording of a model's answers"}
	}
	defer f.Close()
	return readReplay(path, f)
}

const exchangeText = "an exchange as mishap records it; delete the line or record anew"

func readReplay(file string, in io.Reader) (*Replay, error) {
	r := &Replay{file: file, left: map[string][]int{}}
	err := input.EachLine(file, in, func(n int, text []byte) error {
		x, found := parseExchange(text)
		if found != "" {
			return &input.Error{File: file, Line: n, Found: found, Expected: exchangeText}
		}
		r.left[x.Key] = append(r.left[x.Key], len(r.all))
		r.all = append(r.all, x)
		if !slices.Contains(r.models, x.Model) {
			r.models = append(r.models, x.Model)
		}
		return nil
	})
	if e := (*input.Error)(nil); errors.As(err, &e) && e.Expected != exchangeText {
		e.Expected = exchangeText // the reader expects an episode
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// parseExchange reads a line; found says what is wrong with it.
func parseExchange(text []byte) (x exchange, found string) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&x); err != nil {
		if s := (*json.SyntaxError)(nil); !errors.As(err, &s) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return x, strings.TrimPrefix(schema.Cause(err), "json: ")
		}
		return x, "no JSON (" + schema.Cause(err) + ")"
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return x, "more after the end of the object"
	}
	hash, err := hex.DecodeString(x.Key)
	switch {
	case err != nil || len(hash) != 16:
		return x, "the key " + quote(x.Key)
	case x.Answer == nil && x.Error == nil:
		return x, "neither an answer nor an error"
	case x.Error != nil && x.Error.Kind == "":
		return x, "an error without a kind"
	case !x.Usage.credible():
		return x, "a usage that cannot be"
	}
	return x, ""
}

// Name is the name of the model that was recorded, the first of several.
func (r *Replay) Name() string { return r.models[0] }

// Ask gives the next recorded answer to the question, or the recorded error, else an
// *Error of the kind NotRecorded. A context that has ended counts here too.
func (r *Replay) Ask(ctx context.Context, q Question) (Answer, error) {
	if e := ended(ctx); e != nil {
		return Answer{}, e
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	known := false
	for _, model := range r.models {
		key := hash(q, model)
		left, ok := r.left[key]
		known = known || ok
		if len(left) > 0 {
			r.left[key] = left[1:]
			return r.all[left[0]].repeat()
		}
	}
	return Answer{}, r.missing(q, known)
}

// repeat gives what happened.
func (x exchange) repeat() (Answer, error) {
	a := Answer{Usage: x.Usage.usage(), Structured: x.Structured}
	if x.Answer != nil {
		a.Text = *x.Answer
	}
	if x.Error == nil {
		return a, nil
	}
	e := &Error{Kind: x.Error.Kind, Status: x.Error.Status, Message: x.Error.Message}
	switch {
	case e.Kind == CutOff:
		e.Text = a.Text
	case x.Error.Caller && e.Kind == TimedOut:
		e.cause = context.DeadlineExceeded
	case x.Error.Caller:
		e.cause = context.Canceled
	}
	return a, e
}

// missing says that there is no answer, and what was recorded in its stead.
func (r *Replay) missing(q Question, known bool) *Error {
	message := fmt.Sprintf("the recording %s has no answer to this question (purpose %s)", r.file, clip(q.Purpose))
	switch {
	case known:
		message = fmt.Sprintf("the recording %s has no further answer to this question (purpose %s): it is asked more often than it was", r.file, clip(q.Purpose))
	default:
		message += r.closest(q)
	}
	return &Error{Kind: NotRecorded, Message: redactor{}.clean(message + "; record anew with a model's server")}
}

// closest tells where the most similar recorded question of the purpose differs
// first.
func (r *Replay) closest(q Question) string {
	asked := strings.Split(redactor{}.clean(q.System+"\n"+q.Prompt), "\n")
	best, same := []string(nil), -1
	for _, x := range r.all {
		recorded := strings.Split(x.System+"\n"+x.Prompt, "\n")
		n := 0
		for n < min(len(asked), len(recorded)) && asked[n] == recorded[n] {
			n++
		}
		if x.Purpose == q.Purpose && n > same {
			best, same = recorded, n
		}
	}
	line := func(text []string) string {
		if same < len(text) {
			return quote(text[same])
		}
		return "nothing more"
	}
	switch {
	case best == nil:
		return ": it has none of that purpose"
	case same == len(asked) && same == len(best):
		return ": it has one of the same words, but with other images, another schema, model or sample"
	}
	system := strings.Count(q.System, "\n") + 1
	place := fmt.Sprintf("line %d of the prompt", same-system+1)
	if same < system {
		place = fmt.Sprintf("line %d of the system text", same+1)
	}
	return fmt.Sprintf(": the closest one recorded differs at %s, which was %s and is %s", place, line(best), line(asked))
}
