package engine_test

import (
	"context"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/script"
	"github.com/mishap-robotics/mishap/engine/ruletest"
	"github.com/mishap-robotics/mishap/rules"
)

// ruleCosts is told what rules cost, and nothing else.
type ruleCosts struct{ profile *engine.Profile }

func (*ruleCosts) Stepped(*engine.Event, *engine.Trace)                 {}
func (*ruleCosts) Updated(engine.Update, *engine.Proof, *engine.Facts)  {}
func (*ruleCosts) Spent(step int, phase engine.Phase, in time.Duration) {}
func (c *ruleCosts) Profile() *engine.Profile                           { return c.profile }

// growing are the predicates whose cost grows with the past, of which each is asked only where
// something went wrong: with the faults that the plan had before, with how often a thing was
// acted on or seen that is asked about, with how often a like sound was heard. What one look shows
// full is compared with those of sixteen steps before.
var growing = []string{
	"failure/4 fault", "failure/4 unmet", "closed_since/3", "put_there/3", "renamed/3", "shown_by/2", "hindered/3", "shown/2",
	"fell_within/3", "heard_out/3", "stood_open/1", "taken_for/3", "glimpsed/2", "by_other/2", "locked_by/3", "gone_from_hand/3", "moved_over/3", "taken_for_it/3", "let_go_instead/2",
}

// fallen is a test of rules in which each round asks whether what is broken fell. It is always
// among those that are drawn.
const fallen = "a laptop is broken by somebody else"

// What rules look at in a step is bounded by what happened lately, however long the episode
// is: a step of an episode that repeats itself costs the same whenever it comes.
func TestRulesCostNoMoreLater(t *testing.T) {
	t.Parallel()
	eachRuleCost(t,
		func(r *engine.Reasoner, ep *episode.Episode) (early, late *engine.Profile) {
			return costsOfRounds(t, r, ep, 40, 160)
		},
		func(test *ruletest.Test, c *rules.Clause, name string, a, b int) {
			if b > a+a/2+10 && !slices.Contains(growing, name) {
				t.Errorf("%s:%d: after 40 steps %s (%s) looks at %d facts, after 160 at %d", test.File, test.Line, c.Head, c.Pos, a, b)
			}
		})
}

// eachRuleCost compares how many facts each clause looks at in two profiles of the episode of
// some tests of the shipped rules, or of each; it fails where no rule looked at any.
// A clause goes by the name of its predicate, and a rule of a failure by its first goal, too.
func eachRuleCost(t *testing.T, costs func(*engine.Reasoner, *episode.Episode) (a, b *engine.Profile), compare func(test *ruletest.Test, c *rules.Clause, name string, a, b int)) {
	t.Helper()
	r := reasoner(t)
	tests, err := ruletest.ParseAll(r.Ontology, rules.ShippedTests())
	if err != nil {
		t.Fatal(err)
	}
	every := 193
	if os.Getenv("MISHAP_LONG") != "" {
		every = 1
	}
	looked := 0
	for i, test := range tests {
		if test.Script == "" || i%every != 0 && test.Name != fallen {
			continue
		}
		ep, err := script.Parse(r.Ontology, test.File, test.Line, test.Script)
		if err != nil {
			t.Fatal(err)
		}
		ep.Plan, ep.Noise = nil, 0
		before, after := costs(r, ep)
		for _, c := range r.Rules().Clauses {
			a, b := before.Of(c).Tuples, after.Of(c).Tuples
			looked += b
			name := c.Head.Indicator().String()
			if c.ConcludesFailure() {
				name += " " + c.Body[0].Name
			}
			compare(test, c, name, a, b)
		}
	}
	if looked == 0 {
		t.Error("no rule looked at anything")
	}
}

// costsOfRounds repeats the steps of an episode, and tells what the rules cost in the round
// after so many steps.
func costsOfRounds(t *testing.T, r *engine.Reasoner, ep *episode.Episode, until ...int) (early, late *engine.Profile) {
	t.Helper()
	costs := &ruleCosts{engine.NewProfile()}
	round := ep.Steps
	m := r.Watch(ep, engine.Limits{}, costs)
	n := 0
	for _, end := range until {
		early = costs.profile
		for n < end {
			costs.profile = engine.NewProfile()
			for _, st := range round {
				st.Index, st.Time = n, ""
				n++
				if _, err := m.Step(context.Background(), st); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	return early, costs.profile
}

// growingThroughout are the further predicates whose cost in a whole episode grows faster than
// its length, each where something odd comes again and again: with all that is seen since in
// what a thing was put into, with how often a like sound was heard, with all later looks; or where
// it is asked at the end what was opened and never shut, of each time that it was.
var growingThroughout = []string{
	"new_there/2", "look_after/3", "in_hand_later/2", "shut_beneath/3", "seen_before/3", "seen_between/3",
	"lies_next/3", "fell/3", "held_before/2", "lets_go/2", "dropped/2", "failure/4 heard", "failure/4 seen_relation", "handled_since/3",
	"in_gripper/2", "picked_up_between/2", "brought_away/3", "opened/2", "taken_out/2", "used/3", "went_on_from/2", "within_it/3", "lost_on_way/3", "idle/1", "turned_on_after/2", "switched/2",
}

// What rules look at in a whole episode that repeats itself is in proportion to its length.
func TestRulesCostInProportion(t *testing.T) {
	t.Parallel()
	eachRuleCost(t,
		func(r *engine.Reasoner, ep *episode.Episode) (short, long *engine.Profile) {
			return costsOfWhole(t, r, *ep, 60), costsOfWhole(t, r, *ep, 240)
		},
		func(test *ruletest.Test, c *rules.Clause, name string, a, b int) {
			if b > 6*a+100 && !slices.Contains(growing, name) && !slices.Contains(growingThroughout, name) {
				t.Errorf("%s:%d: in 60 steps %s (%s) looks at %d facts, in 240 at %d", test.File, test.Line, c.Head, c.Pos, a, b)
			}
		})
}

// costsOfWhole repeats the steps of an episode to so many, and tells what the rules cost where
// they are asked about all of them.
func costsOfWhole(t *testing.T, r *engine.Reasoner, ep episode.Episode, steps int) *engine.Profile {
	t.Helper()
	round := ep.Steps
	ep.Steps = nil
	for n := range steps {
		st := round[n%len(round)]
		st.Index, st.Time = n, ""
		ep.Steps = append(ep.Steps, st)
	}
	costs := engine.NewProfile()
	if err := r.Profile(context.Background(), &ep, false, costs); err != nil {
		t.Fatal(err)
	}
	return costs
}
