package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/episodetest"
	"github.com/mishap-robotics/mishap/engine/scene"
)

// counting is a context that is over once it has been asked so often.
type counting struct {
	context.Context
	mu          sync.Mutex // a deadline on top of it asks in a goroutine of its own
	left, after int        // times until it is over, and times that it was asked then
	done        chan struct{}
}

func endsAfter(checks int) *counting {
	return &counting{Context: context.Background(), left: checks, done: make(chan struct{})}
}

func (c *counting) Done() <-chan struct{} { return c.done }

func (c *counting) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.left > 0:
		c.left--
		return nil
	case c.after == 0:
		close(c.done)
	}
	c.after++
	return context.Canceled
}

// asked is how often it was asked since it is over.
func (c *counting) asked() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.after
}

func mugs(n int) (nodes []scene.Node) {
	for i := range n {
		nodes = append(nodes, scene.Node{ID: fmt.Sprintf("Mug-%d", i+1)})
	}
	return nodes
}

// What exceeds a limit is refused with the field, the index and the limit, and the episode
// goes on with the next step.
func TestRefusedSteps(t *testing.T) {
	r := reasoner(t)
	observed := func(o scene.Graph) episode.Step {
		return episode.Step{Index: 1, Action: episode.Action{Name: "navigate_to_obj", Target: "Mug-1"}, Observation: episode.Observation{Graph: o}}
	}
	huge := strings.Repeat("x", 33)
	edge := scene.Edge{Subject: "Mug-1", Relation: "on_top_of", Object: "CounterTop-1"}
	for _, tt := range []struct {
		name   string
		limits engine.Limits
		step   episode.Step
		field  string
		index  int
		value  int
	}{
		{"Nodes", engine.Limits{Nodes: 3}, observed(scene.Graph{Nodes: mugs(5)}), "observation.nodes", 3, 5},
		{"Details", engine.Limits{Details: 2}, observed(scene.Graph{Edges: []scene.Edge{edge, edge, edge}}), "observation.edges", 2, 3},
		{"Details", engine.Limits{Details: 2}, observed(scene.Graph{Nodes: []scene.Node{{ID: "Mug-1", States: []string{"clean", "empty"}}, {ID: "Mug-2", States: []string{"clean"}}}}),
			"observation.nodes.states", 2, 3},
		{"Details", engine.Limits{Details: 1}, observed(scene.Graph{Nodes: []scene.Node{{ID: "Mug-1", Properties: []string{"a", "b"}}}}), "observation.nodes.properties", 1, 2},
		{"Details", engine.Limits{Details: 1}, episode.Step{Index: 1, Sounds: []string{"a", "b"}}, "sounds", 1, 2},
		{"Name", engine.Limits{Name: 32}, observed(scene.Graph{Nodes: []scene.Node{{ID: "Mug-1"}, {ID: huge}}}), "observation.nodes.id", 1, 33},
		{"Name", engine.Limits{Name: 32}, observed(scene.Graph{Nodes: []scene.Node{{ID: "Mug-1", Class: huge}}}), "observation.nodes.class", 0, 33},
		{"Name", engine.Limits{Name: 32}, observed(scene.Graph{Nodes: []scene.Node{{ID: "Mug-1", States: []string{huge}}}}), "observation.nodes.states", 0, 33},
		{"Name", engine.Limits{Name: 32}, observed(scene.Graph{Nodes: []scene.Node{{ID: "Mug-1", Properties: []string{huge}}}}), "observation.nodes.properties", 0, 33},
		{"Name", engine.Limits{Name: 32}, observed(scene.Graph{Edges: []scene.Edge{edge, {Subject: "Mug-1", Relation: huge, Object: "Mug-2"}}}), "observation.edges", 1, 33},
		{"Name", engine.Limits{Name: 32}, episode.Step{Index: 1, Sounds: []string{"a", huge}}, "sounds", 1, 33},
		{"Name", engine.Limits{Name: 32}, episode.Step{Index: 1, Action: episode.Action{Name: "pick_up", Target: huge}}, "action.target", 0, 33},
		{"Objects", engine.Limits{Objects: 10}, observed(scene.Graph{Nodes: mugs(20)}), "observation.nodes.id", 10, 22},
		{"Memory", engine.Limits{Memory: 20_000}, observed(scene.Graph{Nodes: mugs(200)}), "observation", 0, -1},
	} {
		t.Run(tt.name+" "+tt.field, func(t *testing.T) {
			m := r.Watch(&episode.Episode{ID: "x"}, tt.limits, nil)
			_, err := m.Step(context.Background(), tt.step)
			var e *engine.LimitError
			if !errors.As(err, &e) || !errors.Is(err, engine.ErrLimit) {
				t.Fatalf("error %v, want a limit", err)
			}
			if tt.value < 0 {
				tt.value = e.Value
			}
			want := engine.LimitError{Err: e.Err, Phase: engine.PhaseInput, Step: 1, Field: tt.field, Index: tt.index, Limit: "Limits." + tt.name, Max: e.Max, Value: tt.value, Undone: e.Undone}
			if *e != want || e.Value <= e.Max {
				t.Errorf("error %+v\nwant %+v", *e, want)
			}
			if !strings.Contains(err.Error(), tt.field) || !strings.Contains(err.Error(), fmt.Sprint(e.Max)) || !strings.Contains(err.Error(), "not taken in") {
				t.Errorf("error %q does not name the field, the limit and what was not done", err)
			}
			if n := len(m.Trace().Events); n > 0 {
				t.Errorf("%d events of a step that was refused", n)
			}
			if _, err := m.Step(context.Background(), observed(scene.Graph{Nodes: mugs(1)})); err != nil || len(m.Trace().Events) != 1 {
				t.Errorf("the next step: %v, %d events", err, len(m.Trace().Events))
			}
		})
	}
}

// As much as the limits allow by default is taken in.
func TestAdmittedAtTheLimit(t *testing.T) {
	m := reasoner(t).Watch(&episode.Episode{ID: "x"}, engine.Limits{Nodes: 5, Objects: 7, Name: 15}, nil)
	st := episode.Step{Index: 1, Action: episode.Action{Name: "navigate_to_obj", Target: "Mug-1"}, Observation: episode.Observation{Graph: scene.Graph{Nodes: mugs(5)}}}
	for i := 1; i < 4; i++ { // robot, gripper and five mugs
		st.Index = i
		if _, err := m.Step(context.Background(), st); err != nil {
			t.Fatal(err)
		}
	}
	st.Index, st.Action.Target = 4, "Mug-6"
	if _, err := m.Step(context.Background(), st); !errors.Is(err, engine.ErrLimit) {
		t.Errorf("error %v, want that it is one object too many", err)
	}
}

// Of warnings so many are kept as the limit says; a plan that is too long is not taken in.
func TestRefusedPlansAndWarnings(t *testing.T) {
	r := reasoner(t)
	plan := slices.Repeat([]episode.Action{{Name: "navigate_to_obj", Target: "Mug-1"}}, 5)
	m := r.Watch(&episode.Episode{ID: "x", Plan: plan}, engine.Limits{Planned: 4, Warnings: 3}, nil)
	st := episode.Step{Index: 1, Action: plan[0]}
	for i := range 10 {
		st.Observation.Nodes = append(st.Observation.Nodes, scene.Node{ID: "Mug-1", States: []string{fmt.Sprint("zqx", i)}})
	}
	_, err := m.Step(context.Background(), st)
	var e *engine.LimitError
	if !errors.As(err, &e) || e.Field != "plan" || e.Value != 5 || e.Max != 4 || e.Index != 4 {
		t.Errorf("error %+v, want the plan's", e)
	}
	ep := m.Trace().Episode
	if len(ep.Plan) != 0 || len(ep.Warnings) != 4 || ep.Unkept != 8 || !strings.Contains(ep.Warnings[3].Msg, "3") {
		t.Errorf("plan %v, %d warnings with %q, %d not kept", ep.Plan, len(ep.Warnings), ep.Warnings[len(ep.Warnings)-1].Msg, ep.Unkept)
	}
	if err := m.Replan(plan[:4]); err != nil || len(m.Rest()) != 4 {
		t.Errorf("plan of 4: %v, %d left", err, len(m.Rest()))
	}
	if err := m.Replan(plan); !errors.As(err, &e) || len(m.Rest()) != 4 {
		t.Errorf("plan of 5: %v, %d left", err, len(m.Rest()))
	}
}

// An episode that is checked as a whole is checked without the steps that are refused.
func TestCheckRefusesSteps(t *testing.T) {
	r := *reasoner(t)
	ep := carried()
	want, err := r.Check(context.Background(), ep)
	if err != nil {
		t.Fatal(err)
	}
	more := *ep
	big := ep.Steps[len(ep.Steps)-1]
	big.Index++
	big.Observation.Nodes = mugs(50)
	more.Steps = append(slices.Clone(ep.Steps), big)
	r.Limits.Nodes = 49
	got, err := r.Check(context.Background(), &more)
	var e *engine.LimitError
	if !errors.As(err, &e) || e.Step != big.Index || got == nil {
		t.Fatalf("error %v, want the limit of step %d and a result", err, big.Index)
	}
	if len(got.Trace.Events) != len(want.Trace.Events) || !reflect.DeepEqual(findingTexts(got.Findings), findingTexts(want.Findings)) {
		t.Errorf("%d events, found %v; want %d, %v", len(got.Trace.Events), findingTexts(got.Findings), len(want.Trace.Events), findingTexts(want.Findings))
	}
	r.Limits = engine.Limits{Time: time.Nanosecond}
	if res, err := r.Check(context.Background(), ep); res != nil || !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, engine.ErrLimit) || !strings.Contains(err.Error(), "Limits.Time") {
		t.Errorf("within a nanosecond: %v, error %v", res, err)
	}
}

func findingTexts(findings []engine.Finding) (out []string) {
	for i := range findings {
		f := &findings[i]
		out = append(out, fmt.Sprint(f.Step, " ", f.Type, " ", f.Cause, " ", f.Objects, " ", f.Explanation))
	}
	return out
}

// troubled is an episode with failures of the robot and of the plan, and what it foresees.
func troubled(t *testing.T) *episode.Episode {
	ep := episodetest.Parse(t, reasoner(t).Ontology, `
		0 | Mug-1 on_top_of CounterTop-1, Fridge-1 closed, Apple-1 on_top_of DiningTable-1
		1 (navigate_to_obj, Mug-1) | Mug-1 on_top_of CounterTop-1, Fridge-1 closed
		2 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1, Fridge-1 closed
		3 (navigate_to_obj, Fridge-1) | Fridge-1 closed
		4 (put_in, Mug-1, Fridge-1) | Fridge-1 closed
		5 (observe) | Mug-1 on_top_of Floor-1, Mug-1 broken
		6 (navigate_to_obj, Apple-1) | Apple-1 on_top_of DiningTable-1
		7 (pick_up, Apple-1) | Apple-1 inside RobotGripper-1
		8 (navigate_to_obj, Sink-1) | Sink-1
		9 (put_in, Apple-1, Fridge-1) | Fridge-1 closed`)
	ep.Plan = ep.Actions()
	ep.GoalFacts = []episode.Fact{{Subject: "Mug-1", Relation: "inside", Object: "Fridge-1"}, {Subject: "Apple-1", Relation: "inside", Object: "Fridge-1"}}
	return ep
}

// told are the updates of a monitor whose step at an index is given contexts that end after
// so many checks, and what it has found in the end.
func told(t *testing.T, ep *episode.Episode, limits engine.Limits, at int, ctx *counting) (updates, findings []string, interrupted error) {
	t.Helper()
	own := *ep
	rec := &recorder{}
	m := reasoner(t).Watch(&own, limits, rec)
	m.EnableForesight()
	note := func(all []engine.Update) {
		for _, u := range all {
			updates = append(updates, fmt.Sprint(u.Kind, findingTexts([]engine.Finding{u.Finding})))
		}
	}
	for i, st := range ep.Steps {
		in := context.Context(context.Background())
		if i == at {
			in = ctx
		}
		all, err := m.Step(in, st)
		note(all)
		var e *engine.LimitError
		switch {
		case err == nil:
			continue
		case i != at || !errors.Is(err, context.Canceled) || !errors.As(err, &e) || e.Undone == "" || e.Step < 0 && st.Index > 0:
			t.Fatalf("step %d: %v", st.Index, err)
		}
		interrupted = err
		if at%2 == 0 { // what is pending is in a snapshot too
			var saved bytes.Buffer
			if err := m.Snapshot(&saved); err != nil {
				t.Fatal(err)
			}
			if m, err = reasoner(t).Restore(&saved, rec); err != nil {
				t.Fatal(err)
			}
		}
		if e.Phase == engine.PhaseBelief { // it was not taken in
			all, err = m.Step(context.Background(), st)
			if note(all); err != nil {
				t.Fatal(err)
			}
		}
	}
	res, all, err := m.Finish(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	note(all)
	return append(updates, rec.lines...), findingTexts(res.Findings), interrupted
}

// A step that a context ends at any of its checks is made up for: in the end a monitor has
// told and found the same as one that nothing has interrupted.
func TestInterruptedStepsAreMadeUpFor(t *testing.T) {
	ep := troubled(t)
	next, stride := func(checks int) int { return 1 + 8*checks }, 7
	if os.Getenv("MISHAP_LONG") != "" {
		next, stride = func(checks int) int { return 1 + checks + checks/4 }, 1
	}
	phases := map[string]bool{}
	for name, limits := range map[string]engine.Limits{"whole": {}, "window": {Window: engine.MinWindow}} {
		updates, findings, _ := told(t, ep, limits, -1, nil)
		if len(updates) < 15 || len(findings) == 0 {
			t.Fatalf("%s: told %q, found %q: not enough to compare", name, updates, findings)
		}
		for at := 0; at < len(ep.Steps); at += stride {
			for checks := at; ; checks = next(checks) {
				ctx := endsAfter(checks)
				gotUpdates, gotFindings, err := told(t, ep, limits, at, ctx)
				if diff := cmp.Diff(updates, gotUpdates) + cmp.Diff(findings, gotFindings); diff != "" {
					t.Fatalf("%s, step %d, ended after %d checks with %v (-want +got):\n%s", name, at, checks, err, diff)
				}
				if ctx.asked() > mostAfter {
					t.Errorf("%s, step %d, ended after %d checks: asked %d times more", name, at, checks, ctx.asked())
				}
				if ctx.asked() == 0 {
					break
				}
				var e *engine.LimitError
				if errors.As(err, &e) {
					phases[string(e.Phase)] = true
				}
			}
		}
	}
	for _, p := range []engine.Phase{engine.PhaseBelief, engine.PhasePlanFaults, engine.PhaseRules, engine.PhaseForesight} {
		if !phases[string(p)] {
			t.Errorf("no step was interrupted in %s, only in %v", p, phases)
		}
	}
}

// mostAfter is how often work that is over may still ask whether it is.
const mostAfter = 300

// Every call ends soon after its context, says in which phase, and leaves the monitor as it
// was.
func TestCallsEndWithTheirContext(t *testing.T) {
	r, ep := reasoner(t), troubled(t)
	m := r.Watch(&episode.Episode{ID: "x", Plan: ep.Plan, GoalFacts: ep.GoalFacts}, engine.Limits{}, nil)
	for _, st := range ep.Steps[:6] {
		if _, err := m.Step(context.Background(), st); err != nil {
			t.Fatal(err)
		}
	}
	for name, call := range map[string]func(ctx context.Context) (string, error){
		"check": func(ctx context.Context) (string, error) {
			res, err := r.Check(ctx, ep)
			if res == nil {
				return "", err
			}
			return fmt.Sprint(findingTexts(res.Findings)), err
		},
		"check plan": func(ctx context.Context) (string, error) {
			_, threats, err := r.CheckPlan(ctx, ep)
			return fmt.Sprint(len(threats)), err
		},
		"foresee": func(ctx context.Context) (string, error) {
			m.Replan(m.Rest()) // it is worked out anew
			threats, err := m.Foresee(ctx)
			return fmt.Sprint(len(threats)), err
		},
		"foresee episode": func(ctx context.Context) (string, error) {
			f, err := r.Foresee(ctx, ep, engine.Scoring{})
			if f == nil {
				return "", err
			}
			return fmt.Sprint(len(f.Threats), len(f.Subtasks)), err
		},
		"recover": func(ctx context.Context) (string, error) {
			p := m.Recover(ctx, engine.Planner{}, nil, nil)
			return fmt.Sprint(p.Plan, p.Verified, p.Unmet), p.Err
		},
		"assess": func(ctx context.Context) (string, error) {
			p := m.Assess(ctx, engine.Planner{}, m.Rest())
			return fmt.Sprint(p.Plan, p.Verified, p.Unmet), p.Err
		},
		"situation": func(ctx context.Context) (string, error) {
			m.Replan(m.Rest()) // what is ahead is worked out anew
			s, err := m.Situation(ctx, nil, nil)
			if err != nil {
				return "", err
			}
			return fmt.Sprint(s.Differences, s.Failed, s.Rest), nil
		},
		"discrepancy": func(ctx context.Context) (string, error) {
			m.Replan(m.Rest())
			d, err := m.Discrepancy(ctx, engine.Scoring{})
			if err != nil {
				return "", err
			}
			return fmt.Sprint(d.Score), nil
		},
		"recover episode": func(ctx context.Context) (string, error) {
			e, err := r.RecoverEpisode(ctx, ep, engine.Planner{})
			if err != nil {
				return "", err
			}
			return fmt.Sprint(len(e.Plans), e.Verified()), err
		},
	} {
		t.Run(name, func(t *testing.T) {
			want, err := call(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			for checks := 0; ; checks += 1 + 2*checks {
				ctx := endsAfter(checks)
				got, err := call(ctx)
				if ctx.asked() == 0 {
					if err != nil || got != want {
						t.Fatalf("uninterrupted: %s, %v; want %s", got, err, want)
					}
					break
				}
				var e *engine.LimitError
				if err != nil && (!errors.Is(err, context.Canceled) || !errors.As(err, &e) || e.Phase == "") {
					t.Fatalf("ended after %d checks: %v", checks, err)
				}
				if err == nil && got != want {
					t.Fatalf("ended after %d checks: %s without an error, want %s", checks, got, want)
				}
				if ctx.asked() > mostAfter {
					t.Errorf("ended after %d checks: asked %d times more", checks, ctx.asked())
				}
				if again, err := call(context.Background()); err != nil || again != want {
					t.Fatalf("once more, after it was ended after %d checks: %s, %v; want %s", checks, again, err, want)
				}
			}
		})
	}
}

// The end of an episode may be interrupted and comes later.
func TestInterruptedFinish(t *testing.T) {
	ep := troubled(t)
	for _, limits := range []engine.Limits{{}, {Window: engine.MinWindow}} {
		_, want, _ := told(t, ep, limits, -1, nil)
		for checks := 0; ; checks += 1 + 2*checks {
			own := *ep
			m := reasoner(t).Watch(&own, limits, nil)
			for _, st := range ep.Steps {
				if _, err := m.Step(context.Background(), st); err != nil {
					t.Fatal(err)
				}
			}
			ctx := endsAfter(checks)
			res, _, err := m.Finish(ctx)
			if err != nil {
				if !errors.Is(err, context.Canceled) || res != nil {
					t.Fatalf("ended after %d checks: %v, %v", checks, res, err)
				}
				if res, _, err = m.Finish(context.Background()); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(want, findingTexts(res.Findings)); diff != "" {
				t.Fatalf("ended after %d checks (-want +got):\n%s", checks, diff)
			}
			if ctx.asked() == 0 {
				break
			}
		}
	}
}

// What a context ends twice is given up, and said; the steps after it are taken in.
func TestGivenUp(t *testing.T) {
	ep := troubled(t)
	own := *ep
	m := reasoner(t).Watch(&own, engine.Limits{}, nil)
	given := 0
	for i, st := range ep.Steps {
		_, err := m.Step(endsAfter(1), st)
		if i == 0 {
			continue // there is nothing to end
		}
		if err == nil || !errors.Is(err, context.Canceled) {
			t.Fatalf("step %d: %v", i, err)
		}
		given += strings.Count(err.Error(), "for good")
	}
	if n := len(m.Trace().Events); n != len(ep.Steps)-1 || given == 0 {
		t.Errorf("%d events of %d steps, %d given up", n, len(ep.Steps), given)
	}
	if res, _, err := m.Finish(context.Background()); err != nil || len(res.Findings) == 0 {
		t.Errorf("the end: %v, %v", res, err)
	}
}

// hostile draws a step that is meant to cost or to break something.
func hostile(index int) *rapid.Generator[episode.Step] {
	return rapid.Custom(func(t *rapid.T) episode.Step {
		st := episode.Step{Index: index, Line: index}
		names := []string{"Mug-1", "Mug", "mug_1", "Apple-1", "Box-7", "RobotGripper-1", "Robot-1", "Floor-1", "", "-", "-1", "Mug--1", "Mug-99999999999999999999", "\x00\xff", "Ünï-3",
			strings.Repeat("a", 5000), strings.Repeat("Mug-", 200), fmt.Sprint("trk_", index), fmt.Sprint("New-", index)}
		name := rapid.SampledFrom(names)
		word := rapid.SampledFrom([]string{"clean", "dirty", "open", "closed", "broken", "sliced", "on_top_of", "inside", "beside", "zqx", "", strings.Repeat("w", 5000), fmt.Sprint("odd", index)})
		st.Action = episode.Action{Name: rapid.SampledFrom([]string{"pick_up", "put_in", "put_on", "navigate_to_obj", "slice", "pour", "observe", "", "fly", "open_obj"}).Draw(t, "action"),
			Target: name.Draw(t, "target"), Destination: name.Draw(t, "destination")}
		o := &st.Observation
		o.Complete, o.Missing = rapid.Bool().Draw(t, "complete"), rapid.IntRange(0, 9).Draw(t, "missing") == 0
		n := rapid.SampledFrom([]int{0, 1, 5, 30, 120, 400}).Draw(t, "size")
		switch rapid.SampledFrom([]string{"few", "many", "nested", "looped", "fresh", "anonymous", "edges"}).Draw(t, "kind") {
		case "many":
			o.Nodes = mugs(n)
		case "nested", "looped":
			for i := range n {
				o.Nodes = append(o.Nodes, scene.Node{ID: fmt.Sprint("Box-", i)})
				o.Edges = append(o.Edges, scene.Edge{Subject: fmt.Sprint("Box-", i), Relation: "inside", Object: fmt.Sprint("Box-", (i+1)%max(1, n))})
			}
		case "fresh":
			for i := range n {
				o.Nodes = append(o.Nodes, scene.Node{ID: fmt.Sprintf("Plate-%d", index*1000+i), States: []string{word.Draw(t, "state")}})
			}
		case "anonymous":
			for i := range n {
				o.Nodes = append(o.Nodes, scene.Node{ID: fmt.Sprintf("trk_%d", index*1000+i), Class: "Plate"})
			}
		case "edges":
			for i := range n {
				o.Edges = append(o.Edges, scene.Edge{Subject: name.Draw(t, "subject"), Relation: word.Draw(t, "relation"), Object: fmt.Sprint("Mug-", i%40)})
			}
		default:
			for range rapid.IntRange(0, 4).Draw(t, "few") {
				o.Nodes = append(o.Nodes, scene.Node{ID: name.Draw(t, "id"), Class: name.Draw(t, "class"), States: []string{word.Draw(t, "state")}, Properties: []string{word.Draw(t, "property")}})
			}
		}
		st.Sounds = rapid.SliceOfN(word, 0, 3).Draw(t, "sounds")
		return st
	})
}

// besiege gives a monitor hostile steps, some with contexts that end early, and checks what
// every one of them must keep.
func besiege(t *rapid.T, m *engine.Monitor, limits engine.Limits, from, steps int) {
	for i := from; i < from+steps; i++ {
		st := hostile(i).Draw(t, "step")
		ctx := context.Context(context.Background())
		if rapid.IntRange(0, 9).Draw(t, "cancelled") == 0 {
			ctx = endsAfter(rapid.IntRange(0, 300).Draw(t, "checks"))
		}
		_, err := m.Step(ctx, st)
		var e *engine.LimitError
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("step %d: %v, which is no limit", i, err)
		}
		tr := m.Trace()
		ep := tr.Episode
		if len(tr.Objects.Items) > limits.Objects+engine.DefaultNodes/100 || len(ep.Warnings) > limits.Warnings+1 {
			t.Fatalf("step %d: %d objects, %d warnings", i, len(tr.Objects.Items), len(ep.Warnings))
		}
		switch rapid.IntRange(0, 60).Draw(t, "also") {
		case 0:
			if p := m.Recover(endsAfter(200), engine.Planner{}, nil, nil); p == nil {
				t.Fatal("no proposal")
			}
		case 1:
			long := slices.Repeat([]episode.Action{{Name: "pick_up", Target: "Mug-1"}, {Name: "put_in", Target: "Mug-1", Destination: "Box-7"}}, rapid.SampledFrom([]int{0, 1, 20, 300}).Draw(t, "plan"))
			if err := m.Replan(long); (err != nil) != (len(long) > 0 && !errorFree(m, long)) {
				t.Fatalf("plan of %d actions: %v", len(long), err)
			}
		}
	}
}

// errorFree reports whether the rest of a plan is what was given.
func errorFree(m *engine.Monitor, rest []episode.Action) bool { return len(m.Rest()) >= len(rest) }

var besieged = engine.Limits{Nodes: 200, Objects: 3000, Planned: 100, Warnings: 50, Window: engine.MinWindow, Memory: 24 << 20, Planning: 100 * time.Millisecond}

// Hostile steps are taken in or refused, and nothing else.
func TestHostileSteps(t *testing.T) {
	r := reasoner(t)
	rapid.Check(t, func(t *rapid.T) {
		ep := &episode.Episode{ID: "hostile", GoalFacts: []episode.Fact{{Subject: "Mug-1", Relation: "inside", Object: "Box-7"}}}
		m := r.Watch(ep, besieged, nil)
		if rapid.Bool().Draw(t, "foresight") {
			m.EnableForesight()
		}
		besiege(t, m, besieged, 1, 2)
		if _, _, err := m.Finish(context.Background()); err != nil && !errors.Is(err, engine.ErrLimit) && len(m.Trace().Events) > 0 {
			t.Fatal(err)
		}
	})
}

// 10,000 of them to one monitor: what it holds stays within the bound.
func TestHostileStepsForLong(t *testing.T) {
	if os.Getenv("MISHAP_LONG") == "" {
		t.Skip("10,000 hostile steps; set MISHAP_LONG")
	}
	r := reasoner(t)
	limits := besieged
	limits.Time = 20 * time.Millisecond
	heap := func() int {
		runtime.GC()
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return int(s.HeapAlloc)
	}
	before := heap()
	m := r.Watch(&episode.Episode{ID: "hostile", GoalFacts: []episode.Fact{{Subject: "Mug-1", Relation: "inside", Object: "Box-7"}}}, limits, nil)
	m.EnableForesight()
	var times []time.Duration
	errs, most := map[string]int{}, 0
	for i := 1; i <= 10_000; i++ {
		st := hostile(i).Example(i)
		began := time.Now()
		_, err := m.Step(context.Background(), st)
		times = append(times, time.Since(began))
		var e *engine.LimitError
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("step %d: %v, which is no limit", i, err)
		}
		if err != nil {
			errs[string(e.Phase)+" "+e.Limit]++
		}
		if i%500 == 0 {
			most = max(most, heap()-before)
		}
	}
	if most > limits.Memory {
		t.Errorf("%d MB are held, the limit is %d", most>>20, limits.Memory>>20)
	}
	slices.Sort(times)
	n := len(times)
	late := 0
	for _, d := range times {
		if d > limits.Time+10*time.Millisecond {
			late++
		}
	}
	t.Logf("a step takes %v at the median, %v at the 99th percentile, %v at most; held %d MB; %d are more than 10 ms past the limit of %v; limits: %v", times[n/2], times[n*99/100], times[n-1], most>>20, late, limits.Time, errs)
	runtime.KeepAlive(m)
}
