package datalog

import "math/bits"

// RuleSet is a set of failure rules by their number in the program.
type RuleSet []uint64

// NewRuleSet is an empty set of some of so many.
func NewRuleSet(rules int) RuleSet { return make(RuleSet, (rules+63)/64) }

// RuleSets are so many empty sets, in the room of others where that is enough.
func RuleSets(room []RuleSet, rules, n int) []RuleSet {
	words := (rules + 63) / 64
	if len(room) < n || n > 0 && len(room[0]) != words {
		room = make([]RuleSet, n)
		for i := range room {
			room[i] = NewRuleSet(rules)
		}
		return room
	}
	for i := range room[:n] {
		clear(room[i])
	}
	return room[:n]
}

// RuleSets are so many empty sets. They hold until it is called again.
func (e *Evaluator) RuleSets(rules, n int) []RuleSet {
	out := RuleSets(e.sets, rules, n)
	if n > len(e.sets) {
		e.sets = out
	}
	return out
}

// Fill makes it that of all of so many.
func (s RuleSet) Fill(rules int) {
	for i := range s {
		s[i] = ^uint64(0)
	}
	if rest := rules & 63; rest > 0 {
		s[len(s)-1] = 1<<rest - 1
	}
}

// Add adds a rule.
func (s RuleSet) Add(rule int) { s[rule>>6] |= 1 << (rule & 63) }

// Has reports whether a rule is in it.
func (s RuleSet) Has(rule int) bool { return s[rule>>6]&(1<<(rule&63)) != 0 }

// Join adds the rules of another.
func (s RuleSet) Join(o RuleSet) {
	for i := range s {
		s[i] |= o[i]
	}
}

// Drop takes out the rules of another.
func (s RuleSet) Drop(o RuleSet) {
	for i := range s {
		s[i] &^= o[i]
	}
}

// Next is the first rule from one on, -1 where there is none.
func (s RuleSet) Next(from int) int {
	for i := from >> 6; i < len(s); i++ {
		word := s[i]
		if i == from>>6 {
			word &= ^uint64(0) << (from & 63)
		}
		if word != 0 {
			return i<<6 + bits.TrailingZeros64(word)
		}
	}
	return -1
}
