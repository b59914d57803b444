package advice

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/mishap-robotics/mishap/bridge/llm"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/discrepancy"
)

// Adviser asks a language model for plans, as a rule with two questions: for the cause
// of what went wrong, and for the actions from now on. It is an engine.Adviser;
// goroutines may share it.
type Adviser struct {
	Model   llm.NamedModel
	Prompts *Prompts
	// Budget bounds each recovery, Prices says what tokens cost; nil where nobody knows.
	Budget llm.Budget
	Prices *llm.Prices
	// Plain asks for plain lists in place of JSON, of servers that know no schemas.
	Plain bool
	// MinScore and Embedder say what words are taken for; see Mapper.
	MinScore float64
	Embedder discrepancy.Embedder

	mu       sync.Mutex
	failures int   // of the server in a row
	last     error // of them
}

// mostFailures is how many failures of the server in a row end the asking: a server
// that is not there should not be waited for again and again.
const mostFailures = 3

var errGivenUp = errors.New("not asked any more")

// givenUp reports why the model is not asked any more.
func (a *Adviser) givenUp() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.failures < mostFailures {
		return nil
	}
	return fmt.Errorf("%w, since %w", errGivenUp, a.last)
}

// note counts what came of a question. A key that is refused stays so.
func (a *Adviser) note(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch llm.KindOf(err) {
	case llm.KeyRefused:
		a.failures, a.last = mostFailures, err
	case llm.Refused, llm.Unreachable, llm.TimedOut, llm.ServerFault, llm.RateLimited, llm.Unreadable:
		a.failures, a.last = a.failures+1, err
	default:
		a.failures = 0
	}
}

// Name is that of the model.
func (a *Adviser) Name() string { return a.Model.Name() }

var (
	reasonSchema = answerSchema("cause")
	planSchema   = answerSchema("plan")
)

// session asks within one budget, and counts what that costs. It is for one goroutine.
type session struct {
	*Adviser
	Cost  engine.Cost // so far
	model llm.Model
}

func (a *Adviser) begin() *session {
	return &session{Adviser: a, model: llm.Meter(a.Model, a.Budget, a.Prices)}
}

// ask fills in a prompt and puts it; the schema is nil for free text.
func (s *session) ask(ctx context.Context, prompt string, data any, schema *llm.Schema) (string, error) {
	q, err := s.Prompts.question(prompt, data)
	if err != nil {
		return "", err
	}
	if !s.Plain {
		q.Schema = schema
	}
	return s.put(ctx, q)
}

// put puts a question, unless the server has failed too often.
func (s *session) put(ctx context.Context, q llm.Question) (string, error) {
	if err := s.givenUp(); err != nil {
		return "", err
	}
	answer, err := s.model.Ask(ctx, q)
	s.Cost.Add(costOf(answer.Usage))
	if ctx.Err() == nil {
		s.note(err)
	}
	return answer.Text, err
}

// consultation is about one situation.
type consultation struct {
	*session
	situation *engine.Situation
	mapper    *Mapper
	opinion   *engine.Opinion // with the cause, once that was asked for
}

// Consult begins to ask about a situation.
func (a *Adviser) Consult(s *engine.Situation) func(context.Context, []engine.Attempt) (*engine.Opinion, error) {
	return a.consult(s).Advise
}

// Correcting begins to ask about a situation for units of the adaptive subtree, a choice of
// its branches, and plans (SDA-Planner, section 4.4).
func (a *Adviser) Correcting(s *engine.Situation) engine.SubtreeConsultation { return a.consult(s) }

func (a *Adviser) consult(s *engine.Situation) *consultation {
	return &consultation{session: a.begin(), situation: s, mapper: a.mapper(s)}
}

func (a *Adviser) mapper(s *engine.Situation) *Mapper {
	return &Mapper{Ontology: s.Projection.Objects.Onto, Objects: there(s), MinScore: a.MinScore, Embedder: a.Embedder}
}

// there are the objects of a situation with their classes.
func there(s *engine.Situation) []NamedObject {
	objects := s.Projection.Objects
	var out []NamedObject
	for i := range objects.Items {
		x := engine.Object(i)
		if !s.Projection.Present.Gone(x) && objects.IsA(x, objects.Onto.Core.PhysicalObject) {
			out = append(out, NamedObject{objects.Name(x), objects.Onto.Name(objects.Class(x))})
		}
	}
	return out
}

// Advise asks for the cause, once, and for a plan; of what has no plan yet for that alone.
func (c *consultation) Advise(ctx context.Context, refused []engine.Attempt) (*engine.Opinion, error) {
	c.Cost = engine.Cost{} // of this call
	if isFirst(c.situation) {
		return c.decompose(ctx, refused)
	}
	if c.opinion == nil {
		if err := c.reason(ctx); err != nil {
			return &engine.Opinion{Cost: c.Cost}, fmt.Errorf("%s: %w", reasonPrompt, err)
		}
	}
	out := &engine.Opinion{Cause: c.opinion.Cause, Change: c.opinion.Change}
	view := replanView(c.situation, c.opinion, refused)
	view.Structured = !c.Plain
	return c.planned(ctx, replanPrompt, view, out)
}

// planned asks for a plan by a prompt, and maps its lines.
func (c *consultation) planned(ctx context.Context, prompt string, view any, out *engine.Opinion) (*engine.Opinion, error) {
	text, err := c.ask(ctx, prompt, view, planSchema)
	out.Cost = c.Cost
	if err != nil {
		return out, fmt.Errorf("%s: %w", prompt, err)
	}
	if out.Person = clean(personOf(text), longestSentence); out.Person != "" {
		return out, nil
	}
	lines, err := Lines(text)
	if err != nil {
		out.Lines, out.Unreadable = []engine.AdviceLine{{Text: clean(text, longestName), Refused: "it is no plan"}}, err.Error()
		return out, nil
	}
	for _, l := range lines {
		out.Lines = append(out.Lines, c.mapper.Map(ctx, clean(l, longestSentence)))
	}
	return out, nil
}

// reason asks for the cause. An answer that cannot be read leaves what the rules say.
func (c *consultation) reason(ctx context.Context) error {
	view := reasonView(c.situation)
	view.Structured = !c.Plain
	text, err := c.ask(ctx, reasonPrompt, view, reasonSchema)
	if err != nil {
		return err
	}
	c.opinion = &engine.Opinion{Cause: "not known"}
	if view.Finding != nil {
		c.opinion.Cause = view.Finding.Explanation
	}
	if cause, change, err := causeOf(text); err == nil {
		c.opinion.Cause, c.opinion.Change = clean(cause, longestSentence), clean(change, longestSentence)
	}
	return nil
}

// question is a rendered prompt.
func (p *Prompts) question(name string, data any) (llm.Question, error) {
	system, prompt, err := p.render(name, data)
	return llm.Question{Purpose: name, System: system, Prompt: prompt}, err
}

func costOf(u llm.Usage) engine.Cost {
	return engine.Cost{Calls: u.Calls, PromptTokens: u.PromptTokens, AnswerTokens: u.AnswerTokens, Dollars: u.Cost, Priced: u.Priced, Time: u.Time}
}
