package engine_test

import (
	"context"
	"testing"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
)

// Of a step at which nothing goes wrong few rules are asked, however many there are: the others
// need an action, a sound or a kind of thing that is not there. What is heard and what comes into
// view brings in those that it is of.
func TestFewRulesAreCandidates(t *testing.T) {
	t.Parallel()
	r := reasoner(t)
	m := r.Watch(&episode.Episode{ID: "view"}, engine.Limits{}, nil)
	all := len(r.Rules().FailureRules())
	candidates := func(step int32) int {
		p := r.Prover(m.Index())
		p.Open()
		defer p.Close()
		set := p.RuleSets(1)[0]
		p.Candidates(step, set)
		n := 0
		for rule := set.Next(0); rule >= 0; rule = set.Next(rule + 1) {
			if _, lacks := p.Lacks(rule); !lacks {
				n++
			}
		}
		return n
	}
	const last = 24
	for st := range loose(20).steps() {
		if st.Index > last+2 {
			break
		}
		if st.Index == last+1 {
			st.Sounds = []string{"something drops"}
		}
		if _, err := m.Step(context.Background(), st); err != nil {
			t.Fatal(err)
		}
	}
	quiet, most := 0, 0
	for step := int32(last - 7); step <= last; step++ {
		n := candidates(step)
		quiet, most = quiet+n, max(most, n)
	}
	if quiet == 0 || most > all/8 {
		t.Errorf("of %d rules up to %d are asked about a step, want some, and at most an eighth", all, most)
	}
	if n, before := candidates(last+1), candidates(last-3); n <= before {
		t.Errorf("%d rules are asked about a step in which something was heard, %d about the same without: want more", n, before)
	}
}
