package datalog

import (
	"slices"
	"testing"
)

func TestRuleSet(t *testing.T) {
	members := func(s RuleSet) (out []int) {
		for n := s.Next(0); n >= 0; n = s.Next(n + 1) {
			out = append(out, n)
		}
		return out
	}
	for _, rules := range []int{0, 1, 63, 64, 65, 200} {
		all := NewRuleSet(rules)
		all.Fill(rules)
		var want []int
		for n := range rules {
			want = append(want, n)
		}
		if got := members(all); !slices.Equal(got, want) {
			t.Errorf("all of %d rules are %v", rules, got)
		}
	}
	some, others := NewRuleSet(200), NewRuleSet(200)
	for _, n := range []int{0, 63, 64, 130, 199} {
		some.Add(n)
	}
	others.Add(64)
	others.Add(65)
	both := NewRuleSet(200)
	both.Join(some)
	both.Join(others)
	if got, want := members(both), []int{0, 63, 64, 65, 130, 199}; !slices.Equal(got, want) || !both.Has(65) || some.Has(65) {
		t.Errorf("joined they are %v, want %v", got, want)
	}
	both.Drop(others)
	if got, want := members(both), []int{0, 63, 130, 199}; !slices.Equal(got, want) {
		t.Errorf("without the others they are %v, want %v", got, want)
	}
	again := RuleSets([]RuleSet{some, others}, 200, 1)
	if got := members(again[0]); len(again) != 1 || len(got) > 0 || &again[0][0] != &some[0] {
		t.Errorf("of the room of two sets comes %d with %v, want an empty one in it", len(again), got)
	}
	if more := RuleSets(again, 300, 2); len(more) != 2 || len(more[0]) != 5 {
		t.Errorf("sets of more rules have %d words, want 5", len(more[0]))
	}
}
