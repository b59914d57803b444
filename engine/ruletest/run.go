package ruletest

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/engine/internal/inference"
	"github.com/mishap-robotics/mishap/engine/internal/script"
	"github.com/mishap-robotics/mishap/engine/memory"
)

// TestResult is what became of a test.
type TestResult struct {
	Test   *Test
	Err    error // the test could not be run
	Wrong  []*Expectation
	Extra  []string // findings that the test does not expect
	Found  []string // findings
	Proved []string // conclusions of rules
}

// Passed reports whether all is as expected.
func (r *TestResult) Passed() bool { return r.Err == nil && len(r.Wrong)+len(r.Extra) == 0 }

// outcome is a finding or a conclusion.
type outcome struct {
	class       string
	step, cause int32
	objects     []string
}

func (o *outcome) String() string {
	s := fmt.Sprintf("%s at %d", o.class, o.step)
	if o.cause != o.step {
		s += fmt.Sprintf(" cause %d", o.cause)
	}
	return strings.TrimSpace(s + " " + strings.Join(o.objects, " "))
}

// Run runs a test; what rules reach is counted in cover where that is not nil.
func Run(ctx context.Context, r *engine.Reasoner, t *Test, cover *inference.Coverage) *TestResult {
	out := &TestResult{Test: t}
	var findings []outcome
	index, err := index(ctx, r, t, &findings)
	if err != nil {
		out.Err = err
		return out
	}
	var conclusions []outcome
	ep := &episode.Episode{ID: t.Name}
	if index.Trace != nil {
		ep = index.Trace.Episode
	}
	within := memory.WithPast(memory.DuringEpisode(ctx, r.Ontology, ep), t.Earlier)
	p := r.Prover(index)
	p.Cover = cover
	out.Err = p.Failures(within, func(c inference.Conclusion) bool {
		conclusions = append(conclusions, outcome{c.Class, c.Step, c.Cause, c.Objects})
		return true
	})
	if len(t.Facts) > 0 {
		findings = conclusions
	}
	for i := range findings {
		out.Found = append(out.Found, findings[i].String())
	}
	for i := range conclusions {
		out.Proved = append(out.Proved, conclusions[i].String())
	}
	out.judge(findings, conclusions)
	return out
}

// RunAll runs the tests whose file and name, as "FILE: NAME", match. The error is that of
// the context.
func RunAll(ctx context.Context, r *engine.Reasoner, tests []*Test, only *regexp.Regexp, cover *inference.Coverage) ([]*TestResult, error) {
	var out []*TestResult
	for _, t := range tests {
		if !only.MatchString(t.File + ": " + t.Name) {
			continue
		}
		result := Run(ctx, r, t, cover)
		if result.Err != nil && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		out = append(out, result)
	}
	return out, nil
}

// unknown is the first name of a script that the ontology does not know: what
// is misspelt would make a test pass in vain.
func unknown(t *Test, ep *episode.Episode) error {
	for _, w := range ep.Warnings {
		if strings.HasPrefix(w.Msg, "unknown ") {
			return &script.Error{File: t.File, Line: max(w.Line, t.Line), Msg: w.Msg + `; where that is meant, write "unknown: allowed"`}
		}
	}
	return nil
}

func index(ctx context.Context, r *engine.Reasoner, t *Test, findings *[]outcome) (x *fact.Index, err error) {
	if len(t.Facts) > 0 {
		for _, f := range t.Facts {
			if err := r.Rules().CheckFact(r.Ontology, f, fact.Vocabulary()); err != nil && !t.Unknown {
				return nil, &script.Error{File: t.File, Line: t.Line, Msg: err.Error()}
			}
		}
		return fact.Given(r.Ontology, t.Facts)
	}
	ep, err := script.Parse(r.Ontology, t.File, t.first, t.Script)
	if err != nil {
		return nil, err
	}
	res, err := r.Check(memory.WithPast(memory.DuringEpisode(ctx, r.Ontology, ep), t.Earlier), ep)
	if err != nil {
		return nil, err
	}
	if !t.Unknown {
		err = unknown(t, res.Episode)
	}
	for _, f := range res.Findings {
		*findings = append(*findings, outcome{f.Type, f.Step, f.Cause, f.Objects})
	}
	return res.Index, err
}

func (r *TestResult) judge(findings, conclusions []outcome) {
	listed := false // the test lists all findings
	matched := map[int]bool{}
	for i := range r.Test.Expects {
		e := &r.Test.Expects[i]
		among := findings
		if e.Conclusions {
			among = conclusions
		}
		listed = listed || !e.Not && !e.Conclusions
		if e.Class == "" {
			if len(among) > 0 && e.Conclusions {
				r.Wrong = append(r.Wrong, e)
			}
			continue
		}
		at := slices.IndexFunc(among, func(o outcome) bool { return e.fits(&o) })
		if at >= 0 == e.Not {
			r.Wrong = append(r.Wrong, e)
		}
		if at >= 0 && !e.Conclusions {
			for n := range among {
				matched[n] = matched[n] || e.fits(&among[n])
			}
		}
	}
	for n := range findings {
		if listed && !matched[n] {
			r.Extra = append(r.Extra, findings[n].String())
		}
	}
}

func (e *Expectation) fits(o *outcome) bool {
	return e.Class == o.class && (e.Step < 0 || e.Step == o.step) && (e.Cause < 0 || e.Cause == o.cause) &&
		(e.Objects == nil || slices.Equal(e.Objects, o.objects))
}

// Tested lists the failure classes that tests expect.
func Tested(tests []*Test) []string {
	out := []string{}
	for _, t := range tests {
		for _, e := range t.Expects {
			if e.Class != "" && !e.Not && !slices.Contains(out, e.Class) {
				out = append(out, e.Class)
			}
		}
	}
	return out
}
