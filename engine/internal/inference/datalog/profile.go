package datalog

import (
	"time"

	"github.com/mishap-robotics/mishap/rules"
)

// Profile is what rules cost, by clause.
type Profile struct {
	clauses map[*rules.Clause]*Cost
}

// Cost is what a clause cost. The time of a failure rule includes that of the
// helper predicates it calls; tuples are the facts and answers that the goals of
// the clause itself looked at.
type Cost struct {
	Time   time.Duration
	Calls  int
	Tuples int
}

// NewProfile has counted nothing.
func NewProfile() *Profile { return &Profile{clauses: map[*rules.Clause]*Cost{}} }

// Of is what a clause cost so far.
func (p *Profile) Of(c *rules.Clause) *Cost {
	out, ok := p.clauses[c]
	if !ok {
		if p.clauses == nil {
			p.clauses = map[*rules.Clause]*Cost{}
		}
		out = &Cost{}
		p.clauses[c] = out
	}
	return out
}

// Clock measures the time until the returned function is called.
func (p *Profile) Clock(c *rules.Clause) func() {
	began := time.Now()
	return func() {
		cost := p.Of(c)
		cost.Time += time.Since(began)
		cost.Calls++
	}
}

// Profile counts what follows in a profile; nil ends that.
func (e *Evaluator) Profile(p *Profile) { e.profile = p }

// Add adds what another profile counted.
func (p *Profile) Add(other *Profile) {
	if p == nil || other == nil {
		return
	}
	for c, cost := range other.clauses {
		into := p.Of(c)
		into.Time += cost.Time
		into.Calls += cost.Calls
		into.Tuples += cost.Tuples
	}
}
