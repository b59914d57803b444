package inference

import "github.com/mishap-robotics/mishap/rules"

// Coverage counts what proofs reached, by clause.
type Coverage struct {
	clauses map[*rules.Clause]*ClauseCoverage
}

// ClauseCoverage counts what became of one clause: how often its head was
// concluded, and how often each condition was tried, held and failed.
type ClauseCoverage struct {
	Concluded           int
	Tried, Held, Failed []int
}

// NewCoverage has counted nothing.
func NewCoverage() *Coverage { return &Coverage{clauses: map[*rules.Clause]*ClauseCoverage{}} }

// Of is what was counted for a clause.
func (c *Coverage) Of(clause *rules.Clause) *ClauseCoverage {
	cc, ok := c.clauses[clause]
	if !ok {
		if c.clauses == nil {
			c.clauses = map[*rules.Clause]*ClauseCoverage{}
		}
		n := len(clause.Body)
		cc = &ClauseCoverage{Tried: make([]int, n), Held: make([]int, n), Failed: make([]int, n)}
		c.clauses[clause] = cc
	}
	return cc
}

// Concluded counts a conclusion of a clause.
func (c *Coverage) Concluded(clause *rules.Clause) {
	if c != nil {
		c.Of(clause).Concluded++
	}
}

// Tried counts that a condition was asked about.
func (c *Coverage) Tried(clause *rules.Clause, n int) {
	if c != nil {
		c.Of(clause).Tried[n]++
	}
}

// Held counts that a condition held.
func (c *Coverage) Held(clause *rules.Clause, n int) {
	if c != nil {
		c.Of(clause).Held[n]++
	}
}

// Failed counts that a condition did not hold in any way.
func (c *Coverage) Failed(clause *rules.Clause, n int) {
	if c != nil {
		c.Of(clause).Failed[n]++
	}
}
