package report

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/mishap-robotics/mishap/engine"
)

// Explanation is the findings of an episode with their proofs. Scripts rely on its field
// names.
type Explanation struct {
	Findings []Explained `json:"findings"`
	ID       string      `json:"id"` // of the episode
}

// Explained is a finding with its proof.
type Explained struct {
	Finding
	Proof Proof `json:"proof"`
}

// NewExplanation proves the findings of a result for which shown is true. It is an error
// where one has no proof.
func NewExplanation(ctx context.Context, r *engine.Reasoner, res *engine.Result, shown func(*engine.Finding) bool) (*Explanation, error) {
	out := &Explanation{Findings: []Explained{}, ID: res.Episode.ID}
	for i := range res.Findings {
		f := &res.Findings[i]
		if !shown(f) {
			continue
		}
		proof, err := r.Prove(ctx, res, f)
		if err != nil {
			return nil, err
		}
		if proof == nil {
			return nil, fmt.Errorf("%s at step %d has no proof", f.Type, f.Step)
		}
		out.Findings = append(out.Findings, Explained{NewFinding(res.Episode, f), NewProof(proof, res.Index)})
	}
	return out, nil
}

// Text writes each finding with its proof as a tree.
func (e *Explanation) Text(w io.Writer) error {
	var b strings.Builder
	if len(e.Findings) == 0 {
		fmt.Fprintf(&b, "%s: no finding\n", e.ID)
	}
	for i := range e.Findings {
		f := &e.Findings[i]
		fmt.Fprintf(&b, "%s at %s\n  %s\n", f.Type, moment(f.Step, f.Time), clean(f.Explanation))
		f.Proof.tree(&b, "  ")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// DOT writes the proofs as one graph in the DOT language.
func (e *Explanation) DOT(w io.Writer) error {
	var proofs []Proof
	for i := range e.Findings {
		proofs = append(proofs, e.Findings[i].Proof)
	}
	return writeDOT(w, e.ID, proofs)
}

// Absence tells why the rules of a failure class concluded nothing at a step. Scripts
// rely on its field names.
type Absence struct {
	Class     string     `json:"class"`
	Concluded []Proof    `json:"concluded"` // what was concluded all the same
	ID        string     `json:"id"`        // of the episode
	Step      int32      `json:"step"`
	WhyNot    []Unproved `json:"why_not"`
	shown     bool       // what was concluded is among the findings
}

// NewAbsence asks why a failure class was not found at a step.
func NewAbsence(ctx context.Context, r *engine.Reasoner, res *engine.Result, class string, step int32) (*Absence, error) {
	why, concluded, err := r.WhyNot(ctx, res, class, step)
	if err != nil {
		return nil, err
	}
	out := &Absence{Class: class, Concluded: []Proof{}, ID: res.Episode.ID, Step: step, WhyNot: []Unproved{}}
	for _, u := range why {
		out.WhyNot = append(out.WhyNot, newUnproved(u, res.Index))
	}
	for _, c := range concluded {
		out.Concluded = append(out.Concluded, NewProof(c.Proof, res.Index))
	}
	o := r.Ontology
	id, _ := o.Lookup(class)
	for i := range res.Findings {
		found, _ := o.Lookup(res.Findings[i].Type)
		out.shown = out.shown || o.IsA(found, id) && res.Findings[i].Step == step
	}
	return out, nil
}

// Empty reports whether no rule concludes the class at all.
func (a *Absence) Empty() bool { return len(a.Concluded)+len(a.WhyNot) == 0 }

// Text writes what was concluded all the same, and why the other rules concluded nothing.
func (a *Absence) Text(w io.Writer) error {
	var b strings.Builder
	if len(a.Concluded) > 0 {
		fmt.Fprintf(&b, "%s was concluded at step %d", a.Class, a.Step)
		if !a.shown {
			b.WriteString(notShown)
		}
		b.WriteString(":\n")
	}
	for i := range a.Concluded {
		a.Concluded[i].tree(&b, "  ")
	}
	if a.Empty() {
		fmt.Fprintf(&b, "no rule concludes %s\n", a.Class)
	}
	if len(a.WhyNot) > 0 {
		fmt.Fprintf(&b, "rules that did not conclude %s at step %d:\n", a.Class, a.Step)
	}
	for i := range a.WhyNot {
		a.WhyNot[i].tree(&b, "  ")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
