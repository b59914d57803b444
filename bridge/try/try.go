// Package try judges a log with rules and Turtle that are being written: what is wrong with
// them, what they find, and what is found otherwise without them. It needs no files and no
// network, so that it runs in a browser as well, and it writes nothing.
package try

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/bridge/logs/jsonl"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/rules"
)

// Limits of one judgement.
const (
	MaxDraft   = 2 << 20 // bytes of a draft
	ruleTime   = 2 * time.Second
	checkTime  = 10 * time.Second
	inferences = 1_000_000 // of one rule at one step
	ruleBytes  = 64 << 20
	mostKept   = 4   // pieces of knowledge made ready
	mostTold   = 200 // problems
)

// Bench judges drafts. Its fields are not to be changed once it is used; goroutines may
// share it.
type Bench struct {
	// Ontology and Rules are the files that a draft stands beside, or replaces one of.
	Ontology, Rules []document.Document
	// Predicates are those that rules may ask beside the engine's, and Options what answers
	// them; nil for none.
	Predicates func(*rules.Program) []rules.Predicate
	Options    func(*rules.Program) []engine.Option
	// Domains are those by which the ontology judges; nil for all.
	Domains []string

	mu    sync.Mutex
	kept  []*knowledge
	plain *knowledge // with no draft
}

// Draft is what is being written. Texts that are "" are left out.
type Draft struct {
	Rules        string `json:"rules"`
	RulesName    string `json:"rules_name"` // of the file that it replaces, or of a new one
	Ontology     string `json:"ontology"`
	OntologyName string `json:"ontology_name"`
	Log          string `json:"log"` // JSON Lines
}

// The parts of a draft that a problem may lie in.
const (
	InRules    = "rules"
	InOntology = "ontology"
	InLog      = "log"
)

// Problem is a mistake in a draft, or in a file beside it that the draft brought about.
type Problem struct {
	Part     string `json:"part,omitempty"` // rules, ontology or log; "" for a file beside
	File     string `json:"file"`
	Line     int    `json:"line,omitempty"`   // from 1; 0 where it concerns the whole
	Column   int    `json:"column,omitempty"` // from 1, in bytes; 0 for the whole line
	Severity string `json:"severity"`         // error or warning
	Check    string `json:"check,omitempty"`  // as rules explain-check explains it
	Message  string `json:"message"`
}

// Answer is what comes of a draft.
type Answer struct {
	Problems []Problem `json:"problems"`
	// Episodes are as "mishap check --format json" has them; none where the draft has errors
	// that keep it from running.
	Episodes []Episode `json:"episodes"`
	// Ran is false where the draft has such errors.
	Ran bool `json:"ran"`
	// Cut says what was not brought to an end, such as a rule that never ends.
	Cut []string `json:"cut"`
}

// Episode is a report of an episode, with how it differs from that without the draft.
type Episode struct {
	report.Episode
	Proofs []report.Proof `json:"proofs"` // by finding
	// New says of each finding that there is none like it without the draft.
	New []bool `json:"new"`
	// Gone are findings that are there without the draft alone.
	Gone []report.Finding `json:"gone"`
}

// knowledge is a draft's made ready.
type knowledge struct {
	draft    Draft // without its log
	problems []Problem
	ontology *ontology.Ontology // nil where it cannot be used
	reasoner *engine.Reasoner   // nil where it cannot run
}

// Judge judges a draft. The error is that of the context, or of a draft that is too large.
func (b *Bench) Judge(ctx context.Context, d Draft) (*Answer, error) {
	if size := len(d.Rules) + len(d.Ontology) + len(d.Log); size > MaxDraft {
		return nil, fmt.Errorf("the texts have %d bytes together; expected at most %d", size, MaxDraft)
	}
	d.RulesName, d.OntologyName = named(d.RulesName, "draft.pl"), named(d.OntologyName, "draft.ttl")
	k := b.ready(d)
	out := &Answer{Problems: slices.Clone(k.problems), Episodes: []Episode{}, Ran: k.reasoner != nil, Cut: []string{}}
	o := k.ontology
	if o == nil {
		o = b.ready(Draft{}).ontology
	}
	if strings.TrimSpace(d.Log) != "" && o != nil {
		eps, err := jsonl.Read(o, "draft.jsonl", strings.NewReader(d.Log))
		out.unreadable(err)
		for _, ep := range eps {
			if err := b.check(ctx, k, ep, out); err != nil {
				return nil, err
			}
		}
	}
	if out.Problems = out.Problems[:min(len(out.Problems), mostTold)]; out.Problems == nil {
		out.Problems = []Problem{}
	}
	return out, nil
}

func named(name, otherwise string) string {
	if name = strings.TrimSpace(name); name == "" {
		return otherwise
	}
	return name
}

// check judges one episode with the draft and without it.
func (b *Bench) check(ctx context.Context, k *knowledge, ep *episode.Episode, out *Answer) error {
	for _, w := range ep.Warnings {
		out.Problems = append(out.Problems, Problem{Part: InLog, File: "draft.jsonl", Line: w.Line, Severity: "warning", Message: w.Msg})
	}
	if k.reasoner == nil {
		return ctx.Err()
	}
	res, err := k.reasoner.Check(ctx, ep)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	out.cut(err)
	if res == nil {
		return nil
	}
	e := Episode{Episode: report.NewEpisode(res), Proofs: []report.Proof{}, New: []bool{}, Gone: []report.Finding{}}
	for i := range res.Findings {
		proof, err := k.reasoner.Prove(ctx, res, &res.Findings[i])
		if err != nil {
			e.Proofs = append(e.Proofs, report.Proof{})
			continue
		}
		e.Proofs = append(e.Proofs, report.NewProof(proof, res.Index))
	}
	e.compare(ctx, b.without(k), ep)
	out.Episodes = append(out.Episodes, e)
	return ctx.Err()
}

// without is the reasoner that a draft is compared with, nil for none.
func (b *Bench) without(k *knowledge) *engine.Reasoner {
	if k.draft.Rules == "" && k.draft.Ontology == "" {
		return nil
	}
	return b.ready(Draft{}).reasoner
}

// compare says which findings are new with the draft, and which are gone.
func (e *Episode) compare(ctx context.Context, plain *engine.Reasoner, ep *episode.Episode) {
	e.New = make([]bool, len(e.Findings))
	if plain == nil {
		return
	}
	res, err := plain.Check(ctx, ep)
	if res == nil || err != nil {
		return
	}
	was := report.NewEpisode(res).Findings
	for i := range e.Findings {
		at := slices.IndexFunc(was, func(f report.Finding) bool { return f.Alike(&e.Findings[i]) })
		if e.New[i] = at < 0; at >= 0 {
			was = slices.Delete(was, at, at+1)
		}
	}
	e.Gone = append(e.Gone, was...)
}

// unreadable tells of a log, or of lines of one, that cannot be read.
func (a *Answer) unreadable(err error) {
	for _, err := range each(err) {
		p := Problem{Part: InLog, File: "draft.jsonl", Severity: "error", Message: err.Error()}
		var known *input.Error
		if errors.As(err, &known) {
			p.Line, p.Message = known.Line, strings.TrimSpace(strings.TrimPrefix(err.Error(), fmt.Sprintf("%s:%d:", known.File, known.Line)))
		}
		a.Problems = append(a.Problems, p)
	}
}

// cut tells of what was not brought to an end.
func (a *Answer) cut(err error) {
	for _, err := range each(err) {
		if text := err.Error(); !slices.Contains(a.Cut, text) {
			a.Cut = append(a.Cut, text)
		}
	}
}

// each takes joined errors apart.
func each(err error) []error {
	switch joined, ok := err.(interface{ Unwrap() []error }); {
	case err == nil:
		return nil
	case ok:
		var out []error
		for _, e := range joined.Unwrap() {
			out = append(out, each(e)...)
		}
		return out
	}
	return []error{err}
}

// ready makes what a draft knows ready, or remembers it.
func (b *Bench) ready(d Draft) *knowledge {
	d.Log = ""
	if d.Rules == "" {
		d.RulesName = ""
	}
	if d.Ontology == "" {
		d.OntologyName = ""
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.plain == nil {
		b.plain = b.read(Draft{})
	}
	if d == (Draft{}) {
		return b.plain
	}
	if i := slices.IndexFunc(b.kept, func(k *knowledge) bool { return k.draft == d }); i >= 0 {
		return b.kept[i]
	}
	k := b.read(d)
	b.kept = append(b.kept, k)
	b.kept = b.kept[max(0, len(b.kept)-mostKept):]
	return k
}

// read reads a draft with what stands beside it.
func (b *Bench) read(d Draft) *knowledge {
	k := &knowledge{draft: d}
	if d.Ontology != "" || b.plain == nil {
		k.readOntology(b, document.Merge(b.Ontology, one(d.OntologyName, d.Ontology)))
	} else {
		k.ontology = b.plain.ontology
	}
	documents := document.Merge(b.Rules, one(d.RulesName, d.Rules))
	p, problems := rules.Read(documents)
	predicates := engine.Vocabulary()
	if b.Predicates != nil {
		predicates = append(predicates, b.Predicates(p)...)
	}
	if o := k.ontology; o != nil {
		problems = append(problems, p.Check(o, predicates, nil)...)
	} else if b.plain != nil && b.plain.ontology != nil { // of Turtle that cannot be read
		problems = append(problems, p.Check(b.plain.ontology, predicates, nil)...)
	}
	problems.Sort()
	for _, m := range report.NewRulesCheck(p, problems, nil, len(documents)).Problems {
		k.rule(m)
	}
	if k.ontology == nil || slices.ContainsFunc(k.problems, func(p Problem) bool { return p.Severity == "error" }) {
		return k
	}
	var options []engine.Option
	if b.Options != nil {
		options = b.Options(p)
	}
	r, err := engine.New(k.ontology, p, options...)
	if err != nil {
		k.problems = append(k.problems, Problem{Part: InRules, File: d.RulesName, Severity: "error", Message: err.Error()})
		return k
	}
	r.RuleTimeout = ruleTime
	r.Limits.Time, r.Limits.Inferences, r.Limits.Bytes = checkTime, inferences, ruleBytes
	k.reasoner = r
	return k
}

func one(name, text string) []document.Document {
	if text == "" {
		return nil
	}
	return []document.Document{{Name: name, Data: bytes.TrimPrefix([]byte(text), []byte("\ufeff"))}}
}

// readOntology tells what is wrong with the draft's Turtle; of the files beside it only what
// keeps them from being used.
func (k *knowledge) readOntology(b *Bench, documents []document.Document) {
	o, problems, err := ontology.Parse(documents)
	for _, p := range problems {
		own := p.Pos.File == k.draft.OntologyName && k.draft.Ontology != ""
		if !own && p.Warning {
			continue
		}
		m := Problem{File: p.Pos.File, Line: p.Pos.Line, Severity: "error", Message: p.Msg}
		if own {
			m.Part = InOntology
		}
		if p.Warning {
			m.Severity = "warning"
		}
		k.problems = append(k.problems, m)
	}
	if err != nil && len(problems) == 0 {
		m := Problem{Part: InOntology, File: k.draft.OntologyName, Severity: "error", Message: err.Error()}
		m.Line, m.Message = located(k.draft.OntologyName, m.Message)
		k.problems = append(k.problems, m)
	}
	if o != nil && err == nil {
		if b.Domains != nil {
			o.Judging(b.Domains)
		}
		k.ontology = o
	}
}

// located takes the line of a file from the beginning of a message, 0 where it names none.
func located(file, message string) (line int, text string) {
	rest, ok := strings.CutPrefix(message, file+":")
	number, after, found := strings.Cut(rest, ":")
	if n, err := fmt.Sscanf(number, "%d", &line); !ok || !found || n != 1 || err != nil {
		return 0, message
	}
	return line, strings.TrimSpace(after)
}

// rule tells of a mistake in rules: of the draft's any, of the files beside it those that
// keep rules from running.
func (k *knowledge) rule(m report.RuleProblem) {
	p := Problem{File: m.File, Line: m.Line, Column: m.Column, Severity: m.Severity, Check: m.Check, Message: m.Message}
	switch {
	case k.draft.Rules != "" && m.File == k.draft.RulesName:
		p.Part = InRules
	case m.Severity != "error":
		return
	case k.draft.Ontology != "" && m.File == k.draft.OntologyName:
		p.Part = InOntology
	}
	k.problems = append(k.problems, p)
}
