package inference

import (
	"cmp"
	"context"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/engine/internal/inference/datalog"
	"github.com/mishap-robotics/mishap/rules"
)

// Open keeps what compiled rules need between calls, for many questions about an
// index that does not change meanwhile; Close gives it back.
func (p *Prover) Open() {
	if p.Compiled != nil {
		p.evaluator = p.Compiled.Evaluator(p.Index)
	}
}

// Close ends what Open began.
func (p *Prover) Close() {
	if p.evaluator != nil {
		p.evaluator.Release()
		p.evaluator = nil
	}
}

// compiled is the compiled form of a failure rule, nil where it is interpreted.
func (p *Prover) compiled(c *rules.Clause) *datalog.Rule {
	if p.Compiled == nil {
		return nil
	}
	if p.rule == nil || p.rule.Clause != c {
		p.rule = p.Compiled.After(p.rule, c)
	}
	if p.rule == nil || p.rule.Reason != nil {
		return nil
	}
	return p.rule
}

// Later tells with which facts of steps after the one that a rule was asked about what it
// concludes may change.
type Later = datalog.Later

// RuleSet is a set of failure rules by their number in the program.
type RuleSet = datalog.RuleSet

// OnAll is that of a rule that was not asked.
func OnAll() Later { return datalog.OnAll() }

// ChangesWith tells with which later facts the last answer of Prove may change. It is for use
// between Open and Close.
func (p *Prover) ChangesWith(c *rules.Clause) Later {
	if p.compiled(c) == nil || p.evaluator == nil {
		return OnAll()
	}
	return p.evaluator.ChangesWith()
}

// RuleSets are so many empty sets of failure rules. Between Open and Close they hold until it is
// called again.
func (p *Prover) RuleSets(n int) []RuleSet {
	rules := len(p.Program.FailureRules())
	if p.evaluator == nil {
		return datalog.RuleSets(nil, rules, n)
	}
	return p.evaluator.RuleSets(rules, n)
}

// Candidates makes a set of those failure rules that do not lack facts of a step without which they
// conclude nothing of it. Those are all where that is not known without asking, and where it is to
// be told what rules cost. It is for use between Open and Close.
func (p *Prover) Candidates(step int32, set RuleSet) {
	if p.evaluator == nil || p.Profile != nil || p.Cover != nil {
		set.Fill(len(p.Program.FailureRules()))
		return
	}
	p.evaluator.Candidates(step, set)
}

// Lacks reports whether the n-th failure rule has no conclusion for want of facts of any step, and
// with which that may change. It is false where Candidates tells nothing.
func (p *Prover) Lacks(n int) (Later, bool) {
	if p.evaluator == nil || p.Profile != nil || p.Cover != nil {
		return Later{}, false
	}
	lacking := p.evaluator.Lacks(n)
	return datalog.LacksFacts(lacking), !lacking.None()
}

// AtEnd reports whether a rule is known to conclude only when the episode is over,
// and not from what was seen or heard.
func (p *Prover) AtEnd(c *rules.Clause) bool {
	r := p.compiled(c)
	return r != nil && r.AtEnd()
}

// evaluate runs something with an evaluator.
func (p *Prover) evaluate(run func(e *datalog.Evaluator) error) error {
	if p.evaluator == nil {
		p.Open()
		defer p.Close()
	}
	p.evaluator.Profile(p.Profile)
	return run(p.evaluator)
}

func (p *Prover) limits() datalog.Limits {
	return datalog.Limits{Steps: cmp.Or(p.Limit, DefaultLimit), Bytes: cmp.Or(p.Bytes, DefaultBytes)}
}

// conclude visits the conclusions of a compiled rule.
func (p *Prover) conclude(ctx context.Context, r *datalog.Rule, step *int32, visit func(Conclusion) bool) (bool, error) {
	if p.evaluator == nil {
		p.Open()
		defer p.Close()
	}
	e := p.evaluator
	e.Profile(p.Profile)
	if p.Cover != nil {
		if err := e.Cover(ctx, r, p.limits(), p.Cover); err != nil {
			return false, at(r.Clause, err)
		}
	}
	conclusions, err := e.Conclude(ctx, r, step, p.limits(), p.Proofs)
	if err != nil {
		return false, at(r.Clause, err)
	}
	if len(conclusions) == 0 {
		return false, nil
	}
	seen := said{}
	for _, c := range conclusions {
		con := Conclusion{Class: c.Class, Step: c.Step, Cause: c.Cause, Clause: r.Clause, Bindings: c.Bindings, Proof: c.Proof}
		for _, o := range c.Objects {
			if o != fact.None && !slices.Contains(con.Objects, o) {
				con.Objects = append(con.Objects, o)
			}
		}
		if seen.again(&con) {
			continue
		}
		if !visit(con) {
			return true, nil
		}
	}
	return false, nil
}
