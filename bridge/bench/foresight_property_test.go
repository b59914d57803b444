package bench_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/bridge/bench"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/simulation"
	"github.com/mishap-robotics/mishap/ontology/kitchen"
)

// shuffled draws an edit of a plan: actions left out, done twice or out of order.
func shuffled(t *rapid.T, plan []episode.Action) []episode.Action {
	out := slices.Clone(plan)
	for range rapid.IntRange(0, 3).Draw(t, "edits") {
		if len(out) < 2 {
			break
		}
		i, j := rapid.IntRange(0, len(out)-1).Draw(t, "at"), rapid.IntRange(0, len(out)-1).Draw(t, "to")
		switch rapid.IntRange(0, 2).Draw(t, "edit") {
		case 0:
			out = slices.Delete(out, i, i+1)
		case 1:
			out[i], out[j] = out[j], out[i]
		case 2:
			out = slices.Insert(out, i, out[j])
		}
	}
	return out
}

// Where the robot sees all there is and reaches everything, and nothing happens to it,
// what is foreseen before the first action is what happens: the same actions are
// refused, and of what does not come about, or a goal that is missed, there is warning
// before the end, if what is known tells of it at all.
func TestForesightIsWhatHappens(t *testing.T) {
	if raceDetector {
		t.Skip("takes too long with the race detector; TestForeseeSuites runs the same code")
	}
	b := newBench(t, 1)
	o := kitchen.Default()
	var scenarios []*simulation.Scenario
	for _, s := range o.Scenarios {
		sc, err := simulation.FromOntology(o, s)
		if err != nil {
			t.Fatal(err)
		}
		sc.Anywhere = true
		scenarios = append(scenarios, sc)
	}
	set(t, "rapid.checks", strconv.Itoa(bench.Size(100, 25)))
	checks := 0
	rapid.Check(t, func(t *rapid.T) {
		sc := *scenarios[rapid.IntRange(0, len(scenarios)-1).Draw(t, "scenario")]
		sc.Plan = shuffled(t, sc.Plan)
		run, err := simulation.Simulate(o, &sc, simulation.Options{})
		if err != nil {
			t.Skip(err.Error())
		}
		start := run.Before[0]
		for x := range engine.Object(len(start.Objects.Items)) {
			at := start.Place(x).At
			if at != engine.NoObject && start.HasState(at, o.Roles.Enclosing) {
				t.Skip("something is out of sight")
			}
		}
		var refused []int
		for _, k := range run.Refused() {
			c := run.Calls[k-1]
			for _, v := range run.Results[k-1].Refused {
				if v.Absent() && start.Objects.Items[v.Culprit].Origin == engine.NoObject {
					t.Skip("the plan names a piece of what is not there, which may be out of sight for all the robot knows")
				}
			}
			if c.Schema.Conditional() || !run.Before[k-1].ChangesNothing(c) {
				refused = append(refused, k)
			}
		}
		stop := errors.New("seen enough")
		ahead, threats, err := firstLook(b.Reasoner, run.Episode, stop)
		if err != nil {
			t.Fatal(err)
		}
		checks++
		var foreseen []int
		for i := ahead.Happened; i < len(ahead.Events); i++ {
			if e := &ahead.Events[i]; e.Outcome == engine.OutcomeRefused {
				foreseen = append(foreseen, e.Planned)
			}
		}
		if !slices.Equal(refused, foreseen) {
			t.Fatalf("%s: refused %v, foreseen %v\n%s", sc.ID, refused, foreseen, planText(sc.Plan))
		}
		if run.Reached && len(refused) == 0 || len(threats) > 0 {
			return
		}
		if goal, _ := ahead.GoalTruth(ahead.Final); len(refused) == 0 && goal == engine.Undecided {
			return // what is known does not tell
		}
		if n, err := foreseenAtAll(b.Reasoner, run.Episode); err != nil || n == 0 {
			t.Fatalf("%s: nothing foreseen (%v), but refused %v and goal reached %v\n%s", sc.ID, err, refused, run.Reached, planText(sc.Plan))
		}
	})
	if checks == 0 {
		t.Error("every draw was skipped")
	}
}

func planText(plan []episode.Action) string {
	out := ""
	for i, a := range plan {
		out += fmt.Sprintf("%d %s\n", i+1, a)
	}
	return out
}

// firstLook is what is foreseen before the first action.
func firstLook(r *engine.Reasoner, ep *episode.Episode, stop error) (ahead *engine.Projection, threats []struct{}, err error) {
	_, err = r.Walk(context.Background(), ep, func(m *engine.Monitor, _ int32, _ episode.Action) error {
		found, err := m.Foresee(context.Background())
		if err != nil {
			return err
		}
		ahead, threats = m.Projection(), make([]struct{}, len(found))
		return stop
	})
	if errors.Is(err, stop) {
		err = nil
	}
	return ahead, threats, err
}

// foreseenAtAll counts the threats told before any action.
func foreseenAtAll(r *engine.Reasoner, ep *episode.Episode) (n int, err error) {
	_, err = r.Walk(context.Background(), ep, func(m *engine.Monitor, _ int32, _ episode.Action) error {
		found, err := m.Foresee(context.Background())
		n += len(found)
		return err
	})
	return n, err
}

// In a simulated run in which nothing goes wrong nothing is foreseen: neither with the
// plan that was carried out, nor where the log states none.
func TestNothingIsForeseenWhereNothingHappens(t *testing.T) {
	o := kitchen.Default()
	b := newBench(t, 1)
	seeds := uint64(bench.Size(3, 1))
	runs := 0
	every := bench.Size(1, 2)
	for i, s := range o.Scenarios {
		if i%every > 0 {
			continue
		}
		for seed := range seeds {
			sc, err := simulation.FromOntology(o, s)
			if err != nil {
				t.Fatal(err)
			}
			run, err := simulation.Simulate(o, sc, simulation.Options{Seed: seed + 1})
			if err != nil {
				t.Fatal(err)
			}
			if !run.Reached || len(run.Refused()) > 0 {
				continue // a scenario of replanning, whose plan is not to come about
			}
			unplanned := *run.Episode
			unplanned.Plan = nil
			for _, ep := range []*episode.Episode{run.Episode, &unplanned} {
				f, err := b.Reasoner.Foresee(context.Background(), ep, engine.Scoring{})
				if err != nil {
					t.Fatal(err)
				}
				runs++
				for _, w := range f.Threats {
					if w.Showed == 0 {
						t.Errorf("%s, seed %d, %d planned: %s %s after %d, which does not happen", sc.ID, seed, len(ep.Plan), w.Type, w.Explanation, w.Foreseen)
					}
				}
			}
		}
	}
	if runs < len(o.Scenarios)/every {
		t.Errorf("%d runs of %d scenarios; expected two of most", runs, len(o.Scenarios)/every)
	}
}
