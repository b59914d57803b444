package perception_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/episodetest"
	"github.com/mishap-robotics/mishap/engine/internal/perception"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

const rate = 0.05

// smooth gives the lines of an episode as they are passed on, in words.
func smooth(t *testing.T, text string) []string {
	t.Helper()
	o := ontology.Default()
	ep := episodetest.Parse(t, o, text)
	ep.Noise = rate
	var out []string
	for _, st := range perception.Smooth(o, ep, nil) {
		out = append(out, words(st))
	}
	return out
}

func words(st episode.Step) string {
	var facts []string
	for _, n := range st.Observation.Nodes {
		for _, s := range n.States {
			facts = append(facts, n.ID+" "+s)
		}
	}
	for _, e := range st.Observation.Edges {
		facts = append(facts, e.Subject+" "+e.Relation+" "+e.Object)
	}
	slices.Sort(facts)
	return fmt.Sprintf("%d: %s", st.Index, strings.Join(facts, ", "))
}

func TestSmooth(t *testing.T) {
	for name, tt := range map[string]struct {
		log  string
		has  []string // "line: fact"
		not  []string
		note string
	}{
		"one odd look changes nothing": {`
0 | Bowl-1 clean, Bowl-1 on_top_of CounterTop-1
1 (observe) | Bowl-1 clean, Bowl-1 on_top_of CounterTop-1
2 (observe) | Bowl-1 dirty, Bowl-1 on_top_of Shelf-1
3 (observe) | Bowl-1 clean, Bowl-1 on_top_of CounterTop-1`,
			[]string{"2: Bowl-1 clean", "2: Bowl-1 on_top_of CounterTop-1"}, []string{"2: Bowl-1 dirty"}, ""},
		"what goes on being seen has changed": {`
0 | Bowl-1 clean
1 (observe) | Bowl-1 clean
2 (observe) | Bowl-1 clean
3 (observe) | Bowl-1 clean
4 (observe) | Bowl-1 dirty
5 (observe) | Bowl-1 dirty
6 (observe) | Bowl-1 dirty
7 (observe) | Bowl-1 dirty
8 (observe) | Bowl-1 dirty`,
			[]string{"1: Bowl-1 clean", "5: Bowl-1 dirty", "8: Bowl-1 dirty"}, nil, ""},
		"an effect is believed at the first look": {`
0 | Fridge-1 closed
1 (observe) | Fridge-1 closed
2 (open_obj, Fridge-1) | Fridge-1 open | fridge opens
3 (observe) | Fridge-1 open`,
			[]string{"1: Fridge-1 closed", "2: Fridge-1 open"}, nil, ""},
		"an effect that was heard outweighs a look": {`
0 | Fridge-1 closed
1 (open_obj, Fridge-1) | Fridge-1 closed | fridge opens
2 (observe) | Fridge-1 open`,
			[]string{"1: Fridge-1 open"}, nil, ""},
		"an effect neither seen nor heard is absent": {`
0 | Fridge-1 closed
1 (navigate_to_obj, Fridge-1) | Fridge-1 closed | robot moves
2 (open_obj, Fridge-1) | Fridge-1 closed
3 (observe) | Fridge-1 closed`,
			[]string{"2: Fridge-1 closed"}, nil, ""},
		"turning off is heard of what was on": {`
0 | Faucet-1 off
1 (navigate_to_obj, Faucet-1) | Faucet-1 off | robot moves
2 (toggle_on, Faucet-1) | Faucet-1 off
3 (toggle_off, Faucet-1) | Faucet-1 off | faucet turns off`,
			nil, []string{"2: Faucet-1 off"}, "the look at 2 is not passed on"},
		"the gripper is exact": {`
0 | Mug-1 on_top_of CounterTop-1
1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1
2 (navigate_to_obj, Sink-1) | Sink-1
3 (observe) | Mug-1 on_top_of Floor-1`,
			[]string{"1: Mug-1 inside RobotGripper-1"}, []string{"2: Mug-1 inside RobotGripper-1", "0: Mug-1 inside RobotGripper-1"}, ""},
		"what fell may be broken at the first look": {`
0 | Mug-1 on_top_of CounterTop-1, Mug-1 intact
1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1, Mug-1 intact
2 (navigate_to_obj, Sink-1) | Mug-1 on_top_of Floor-1, Mug-1 broken | mug drops
3 (observe) | Mug-1 on_top_of Floor-1, Mug-1 broken`,
			[]string{"2: Mug-1 broken", "2: Mug-1 on_top_of Floor-1"}, nil, ""},
		"a stranger seen once is left out": {`
plan: (pick_up, Mug-1)
0 | Mug-1 on_top_of CounterTop-1
1 (observe) | Cup-3 on_top_of CounterTop-1, Mug-1 clean
2 (observe) | Mug-1 on_top_of CounterTop-1
3 (observe) | Mug-1 on_top_of CounterTop-1`,
			nil, []string{"1: Cup-3 on_top_of CounterTop-1"}, ""},
		"and one seen twice is there": {`
plan: (pick_up, Mug-1)
0 | Mug-1 on_top_of CounterTop-1
1 (observe) | Cup-3 on_top_of CounterTop-1
2 (observe) | Cup-3 on_top_of CounterTop-1`,
			[]string{"1: Cup-3 on_top_of CounterTop-1", "2: Cup-3 on_top_of CounterTop-1"}, nil, ""},
		"a poured liquid is that of the vessel": {`
0 | Mug-1 inside RobotGripper-1, Mug-1 filled_with_coffee, Cup-1 empty
1 (observe) | Mug-1 inside RobotGripper-1, Mug-1 filled_with_coffee, Cup-1 empty
2 (pour, Mug-1, Cup-1) | Mug-1 inside RobotGripper-1, Mug-1 empty, Cup-1 filled_with_coffee | something is poured
3 (observe) | Mug-1 inside RobotGripper-1, Mug-1 empty, Cup-1 filled_with_tea`,
			[]string{"2: Cup-1 filled_with_coffee", "3: Cup-1 filled_with_coffee"}, []string{"3: Cup-1 filled_with_tea"}, ""},
		"an appliance may have acted": {`
0 | Mug-1 inside Sink-1, Mug-1 dirty, Mug-1 empty, Faucet-1 off
1 (observe) | Mug-1 inside Sink-1, Mug-1 dirty, Mug-1 empty, Faucet-1 off
2 (toggle_on, Faucet-1) | Mug-1 inside Sink-1, Mug-1 clean, Mug-1 filled_with_water, Faucet-1 on | water runs
3 (observe) | Mug-1 inside Sink-1, Mug-1 clean, Mug-1 filled_with_water, Faucet-1 on`,
			[]string{"0: Mug-1 dirty", "2: Mug-1 clean", "2: Mug-1 filled_with_water"}, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			lines := smooth(t, strings.TrimPrefix(tt.log, "\n"))
			holds := func(fact string) bool {
				line, what, _ := strings.Cut(fact, ": ")
				return slices.ContainsFunc(lines, func(l string) bool {
					n, facts, _ := strings.Cut(l, ": ")
					return n == line && slices.Contains(strings.Split(facts, ", "), what)
				})
			}
			for _, f := range tt.has {
				if !holds(f) {
					t.Errorf("lacks %q in\n%s", f, strings.Join(lines, "\n"))
				}
			}
			for _, f := range tt.not {
				if holds(f) {
					t.Errorf("has %q in\n%s", f, strings.Join(lines, "\n"))
				}
			}
		})
	}
}

// Without noise every line is passed on as it is, at once.
func TestWithoutNoise(t *testing.T) {
	o := ontology.Default()
	ep := episodetest.Parse(t, o, "0 | Bowl-1 clean\n1 (observe) | Bowl-1 dirty\n2 (observe) | Bowl-1 clean\n")
	if diff := cmp.Diff(ep.Steps, perception.Smooth(o, ep, nil)); diff != "" {
		t.Error(diff)
	}
	s := perception.NewStream(o, ep)
	for _, st := range ep.Steps {
		if got := s.Next(st); len(got) != 1 || got[0].Index != st.Index {
			t.Errorf("line %d gave %d lines", st.Index, len(got))
		}
	}
}

// A stream passes every line on once, in order, at most Lag lines late, whatever
// it holds.
func TestStreamLosesNothing(t *testing.T) {
	o := ontology.Default()
	states := []string{"clean", "dirty", "open", "closed", "on", "off", "empty", "filled_with_water", "nonsense"}
	names := []string{"Mug-1", "Fridge-1", "Sink-1", "Faucet-1", "Gadget-9", "RobotGripper-1"}
	actions := []string{"pick_up", "put_in", "open_obj", "toggle_on", "pour", "navigate_to_obj", "observe"}
	rapid.Check(t, func(t *rapid.T) {
		ep := &episode.Episode{Noise: rapid.Float64Range(0.001, 0.5).Draw(t, "noise")}
		s := perception.NewStream(o, ep)
		name := rapid.SampledFrom(names)
		n := rapid.IntRange(1, 40).Draw(t, "lines")
		var got []episode.Step
		for i := range n {
			st := episode.Step{Index: i, Observation: episode.Observation{Missing: rapid.Bool().Draw(t, "missing")}}
			if i > 0 {
				st.Action = episode.Action{Name: rapid.SampledFrom(actions).Draw(t, "action"), Target: name.Draw(t, "target"), Destination: name.Draw(t, "destination")}
			}
			for k := range rapid.IntRange(0, 4).Draw(t, "nodes") {
				st.Observation.Nodes = append(st.Observation.Nodes, scene.Node{ID: names[k], States: []string{rapid.SampledFrom(states).Draw(t, "state")}})
				st.Observation.Edges = append(st.Observation.Edges, scene.Edge{Subject: names[k], Relation: "inside", Object: name.Draw(t, "place")})
			}
			got = append(got, s.Next(st)...)
			if i+1-len(got) > perception.Lag {
				t.Fatalf("after line %d only %d were passed on", i, len(got))
			}
		}
		got = append(got, s.Flush()...)
		for i := range got {
			if got[i].Index != i {
				t.Fatalf("line %d comes at place %d", got[i].Index, i)
			}
		}
		if len(got) != n {
			t.Fatalf("%d of %d lines", len(got), n)
		}
	})
}

// Nobody waits for a second look while something is about to be cut.
func TestStreamDoesNotWaitBeforeWhatCannotBeUndone(t *testing.T) {
	o := ontology.Default()
	ep := episodetest.Parse(t, o, "plan: (pick_up, Knife), (slice_obj, Bread), (put_on, Knife, CounterTop), (observe)\n"+
		"0 | Knife-1 on_top_of CounterTop-1\n1 (pick_up, Knife-1) | Knife-1 inside RobotGripper-1\n"+
		"2 (slice_obj, Bread-1) | Knife-1 inside RobotGripper-1\n3 (put_on, Knife-1, CounterTop-1) | Knife-1 on_top_of CounterTop-1\n")
	ep.Noise = rate
	s := perception.NewStream(o, ep)
	var passed []int
	for _, st := range ep.Steps {
		n := len(s.Next(st))
		passed = append(passed, n)
	}
	if want := []int{0, 2, 0, 0}; !slices.Equal(passed, want) {
		t.Errorf("passed on %v, want %v", passed, want)
	}
}
