// Package enginetest compares what evaluators conclude.
package enginetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine/internal/inference"
	"github.com/mishap-robotics/mishap/rules"
)

// Conclusions are those of all rules with their bindings and proofs, as text, in
// the order in which they come: of the whole episode, or at each of the steps where
// there are any. The error is what the prover says.
func Conclusions(p *inference.Prover, steps []int32) ([]string, error) {
	var out []string
	keep := func(c inference.Conclusion) bool { out = append(out, text(c)); return true }
	if steps == nil {
		err := p.Failures(context.Background(), keep)
		return out, err
	}
	var errs []error
	for _, c := range p.Program.FailureRules() {
		for _, s := range steps {
			errs = append(errs, p.Prove(context.Background(), c, s, keep))
		}
	}
	return out, errors.Join(errs...)
}

// text is a conclusion with its bindings, where there are values, and its proof.
func text(c inference.Conclusion) string {
	var b strings.Builder
	fmt.Fprintln(&b, c.Clause.Pos, c.Class, c.Step, c.Cause, c.Objects)
	var bindings []string
	for v, t := range c.Bindings {
		if t.Kind != rules.Variable {
			bindings = append(bindings, v+"="+t.String())
		}
	}
	slices.Sort(bindings)
	fmt.Fprintln(&b, strings.Join(bindings, " "))
	if c.Proof != nil {
		Write(&b, c.Proof, "")
	}
	return b.String()
}

// Write writes a proof, a goal to a line.
func Write(b *strings.Builder, n *inference.Node, indent string) {
	fmt.Fprint(b, indent, n.Goal)
	if n.Clause != nil {
		fmt.Fprint(b, " by ", n.Clause.Pos)
	}
	if n.Negated {
		fmt.Fprint(b, " has no proof")
	}
	if n.InGo {
		fmt.Fprint(b, " in Go")
	}
	if n.Fact >= 0 {
		fmt.Fprint(b, " fact ", n.Row)
	}
	fmt.Fprintln(b)
	for _, c := range n.Children {
		Write(b, c, indent+"  ")
	}
}

// WhyNot is what a prover says of why a class was not concluded at a step, as
// text.
func WhyNot(p *inference.Prover, class string, step int32) (string, error) {
	why, err := p.WhyNot(context.Background(), class, step)
	var b strings.Builder
	for _, u := range why {
		writeUnproved(&b, u, "")
	}
	return b.String(), err
}

func writeUnproved(b *strings.Builder, u *inference.Unproved, indent string) {
	fmt.Fprintln(b, indent, u.Clause.Pos, u.Head, "held", u.Held, "failed", u.Failed, "nearest", u.Nearest)
	if u.Proof != nil {
		Write(b, u.Proof, indent+"  has ")
	}
	for _, i := range u.Inner {
		writeUnproved(b, i, indent+"  ")
	}
}

// Covered is what proofs reached of a program, as text.
func Covered(p *rules.Program, c *inference.Coverage) string {
	var b strings.Builder
	for _, clause := range p.Clauses {
		fmt.Fprintln(&b, clause.Pos, *c.Of(clause))
	}
	return b.String()
}
