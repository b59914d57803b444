package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/episodetest"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// Arguments that are nil, and values that were not made as their types say, are errors
// or do nothing: none of them panics.
func TestNilAndZero(t *testing.T) {
	var none context.Context // a nil context is one that does not end
	r, zero := reasoner(t), &engine.Reasoner{}
	var noReasoner *engine.Reasoner
	res, err := r.Check(none, carried())
	if err != nil || len(res.Findings) == 0 {
		t.Fatalf("without a context: %v", err)
	}
	for name, call := range map[string]func() error{
		"New without ontology":       func() error { _, err := engine.New(nil, rules.Default()); return err },
		"New without rules":          func() error { _, err := engine.New(ontology.Default(), nil); return err },
		"Check, nil reasoner":        func() error { _, err := noReasoner.Check(none, carried()); return err },
		"Check, zero reasoner":       func() error { _, err := zero.Check(none, carried()); return err },
		"Check, no episode":          func() error { _, err := r.Check(none, nil); return err },
		"CheckPlan, no episode":      func() error { _, _, err := r.CheckPlan(none, nil); return err },
		"CheckPlan, zero":            func() error { _, _, err := zero.CheckPlan(none, carried()); return err },
		"Foresee, no episode":        func() error { _, err := r.Foresee(none, nil, engine.Scoring{}); return err },
		"Foresee, zero":              func() error { _, err := zero.Foresee(none, carried(), engine.Scoring{}); return err },
		"RecoverEpisode, no episode": func() error { _, err := r.RecoverEpisode(none, nil, engine.Planner{}); return err },
		"RecoverEpisode, zero":       func() error { _, err := zero.RecoverEpisode(none, carried(), engine.Planner{}); return err },
		"Progress, no episode":       func() error { _, err := r.Progress(none, nil); return err },
		"Profile, nothing to fill":   func() error { return r.Profile(none, carried(), false, nil) },
		"Profile, no episode":        func() error { return r.Profile(none, nil, false, engine.NewProfile()) },
		"Walk, no episode":           func() error { _, err := r.Walk(none, nil, nil); return err },
		"Walk, no visitor":           func() error { _, err := r.Walk(none, carried(), nil); return err },
		"WatchTo, no episode":        func() error { _, err := r.WatchTo(none, nil, 1); return err },
		"Prove, no result":           func() error { _, err := r.Prove(none, nil, &res.Findings[0]); return err },
		"Prove, no finding":          func() error { _, err := r.Prove(none, res, nil); return err },
		"Prove, zero finding":        func() error { _, err := r.Prove(none, res, &engine.Finding{}); return err },
		"Prove, zero result":         func() error { _, err := r.Prove(none, &engine.Result{}, &res.Findings[0]); return err },
		"WhyNot, no result":          func() error { _, _, err := r.WhyNot(none, nil, "DroppedObjFailure", 1); return err },
		"Query, no facts":            func() error { return r.Query(none, nil, "step(S)", nil) },
		"Query, zero":                func() error { return zero.Query(none, res.Index, "step(S)", nil) },
		"Query, no visitor":          func() error { return r.Query(none, res.Index, "step(S)", nil) },
		"Rows, no facts":             func() error { _, err := r.Rows(none, nil, "step(S)"); return err },
		"Rows, zero":                 func() error { _, err := zero.Rows(none, res.Index, "step(S)"); return err },
		"Scan, zero rows":            func() error { return (&engine.Rows{}).Scan() },
		"NewReference, no episode":   func() error { _, err := engine.NewReference(r.Ontology, nil); return err },
		"SameTask, no episode":       func() error { return engine.SameTask(r.Ontology, nil, carried()) },
		"Step, zero monitor":         func() error { _, err := (&engine.Monitor{}).Step(none, episode.Step{}); return err },
		"Finish, zero monitor":       func() error { _, _, err := (&engine.Monitor{}).Finish(none); return err },
		"Foresee, zero monitor":      func() error { _, err := (&engine.Monitor{}).Foresee(none); return err },
		"Scenes, zero monitor":       func() error { _, _, err := (&engine.Monitor{}).Scenes(engine.Scoring{}); return err },
		"Situation, zero monitor":    func() error { _, err := (&engine.Monitor{}).Situation(none, nil, nil); return err },
		"Assess, zero monitor":       func() error { return (&engine.Monitor{}).Assess(none, engine.Planner{}, nil).Err },
		"Recover, zero monitor":      func() error { return (&engine.Monitor{}).Recover(none, engine.Planner{}, nil, nil).Err },
		"Discrepancy, zero monitor":  func() error { _, err := (&engine.Monitor{}).Discrepancy(none, engine.Scoring{}); return err },
		"Step, zero reasoner": func() error {
			_, err := zero.Watch(carried(), engine.Limits{}, nil).Step(none, episode.Step{})
			return err
		},
		"Run, zero loop":   func() error { _, err := (&engine.Loop{}).Run(none, carried()); return err },
		"Run, no executor": func() error { _, err := (&engine.Loop{Reasoner: r}).Run(none, carried()); return err },
		"Run, no reasoner": func() error { _, err := (&engine.Loop{Executor: &faucet{}}).Run(none, carried()); return err },
		"Run, no episode":  func() error { _, err := (&engine.Loop{Reasoner: r, Executor: &faucet{}}).Run(none, nil); return err },
	} {
		t.Run(name, func(t *testing.T) {
			if err := call(); err == nil {
				t.Error("no error")
			}
		})
	}
	for name, of := range map[string]*engine.Reasoner{"nil": noReasoner, "zero": zero} {
		for way, made := range map[string]*engine.Reasoner{"Interpreting": of.Interpreting(), "ObservationsOnly": of.ObservationsOnly(), "WithoutNegation": of.WithoutNegation(), "WithScores": of.WithScores()} {
			if _, err := made.Check(none, carried()); err == nil {
				t.Errorf("%s of the %s reasoner checks", way, name)
			}
		}
		if of.Facts(carried()) != nil || r.Facts(nil) != nil || of.Rules() != nil || of.Compiled() != nil || of.InFacts(nil) != nil || of.Interprets("step(S)") != nil {
			t.Errorf("the %s reasoner knows something", name)
		}
		for res, err := range of.CheckAll(none, func(yield func(*episode.Episode, error) bool) { yield(carried(), nil) }) {
			if res != nil || err == nil {
				t.Errorf("the %s reasoner checks all: %v", name, err)
			}
		}
		for range of.CheckAll(none, nil) {
			t.Errorf("the %s reasoner checks none", name)
		}
	}
	var (
		noRows       *engine.Rows
		noGoal       *engine.PreparedGoal
		noExperience *engine.Experience
		noMonitor    *engine.Monitor
		noProposal   *engine.Proposal
	)
	noExperience.Add(engine.StrategyCount{})
	noMonitor.EnableForesight()
	if noRows.Next() || noRows.Close() != nil || noRows.Err() != nil || len(noRows.Columns()) > 0 || noRows.Scan() == nil || len(noGoal.Parameters()) > 0 {
		t.Error("rows and goals that are nil have something")
	}
	if noProposal.Bar()+noProposal.Shortcoming()+(&engine.Finding{}).Rule()+(&engine.Threat{}).Rule()+(&engine.ScoreEvidence{}).Text() != "" || (*engine.EpisodeRecovery)(nil).Verified() {
		t.Error("what holds nothing says something")
	}
	if a, b := engine.Between(noMonitor, &engine.Monitor{}, engine.Scoring{}); len(a.Nodes)+len(b.Nodes)+len(engine.SceneOf(nil, nil, nil).Nodes) > 0 {
		t.Error("there is a scene of nothing")
	}
	clause := &rules.Clause{}
	(&engine.Profile{}).Of(clause).Calls++
	(&engine.Profile{}).Add(nil)
	(&engine.Coverage{}).Of(clause).Concluded++
	rows := &engine.Rows{}
	if rows.Next() || rows.Close() != nil || rows.Err() != nil || len(rows.Columns()) > 0 {
		t.Error("rows of no query have something")
	}
	m := &engine.Monitor{}
	m.Replan(nil)
	m.EnableForesight()
	if p := m.Recover(none, engine.Planner{}, nil, nil); p == nil || p.Verified {
		t.Errorf("a monitor of nothing proposes %v", p)
	}
	if m.Trace() != nil || m.Index() != nil || m.Projection() != nil || len(m.Findings())+len(m.Rest())+len(m.Done())+len(m.Undo(none, 0)) > 0 || m.Failing() || m.Reached() {
		t.Error("a monitor of nothing knows something")
	}
}

// An episode of nothing, watched, is an episode that goes on.
func TestWatchNothing(t *testing.T) {
	m := reasoner(t).Watch(nil, engine.Limits{}, nil)
	for _, st := range carried().Steps {
		if _, err := m.Step(context.Background(), st); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := m.Finish(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// Indexes of steps are in range and ascend, for whole episodes as for those that are
// watched: one that did not fit wrapped.
func TestStepIndexes(t *testing.T) {
	ctx, r := context.Background(), reasoner(t)
	for _, tt := range []struct {
		indexes []int
		want    string
	}{
		{[]int{0, 1, 2, 3}, ""},
		{[]int{0, 1, 5, engine.MaxStep}, ""},
		{[]int{0, 3, 2, 4}, "step 2 after step 3; expected steps in ascending order"},
		{[]int{0, 1, 1, 2}, "step 1 after step 1; expected steps in ascending order"},
		{[]int{-1, 1, 2, 3}, "step -1; expected an index from 0 to 2000000000"},
		{[]int{0, 1, 2, math.MaxInt32}, "step 2147483647; expected an index from 0 to 2000000000"},
		{[]int{0, 1, 2, math.MaxInt32 + 1}, "step 2147483648; expected an index from 0 to 2000000000"},
		{[]int{0, 1, 2, math.MaxInt}, "step 9223372036854775807; expected an index from 0 to 2000000000"},
	} {
		numbered := func() *episode.Episode {
			ep := carried()
			for i := range ep.Steps {
				ep.Steps[i].Index = tt.indexes[i]
			}
			return ep
		}
		m := r.Watch(&episode.Episode{ID: "live"}, engine.Limits{}, nil)
		var stepped error
		for _, st := range numbered().Steps {
			if _, err := m.Step(ctx, st); err != nil {
				stepped = err
			}
		}
		_, checked := r.Check(ctx, numbered())
		_, foreseen := r.Foresee(ctx, numbered(), engine.Scoring{})
		_, recovered := r.RecoverEpisode(ctx, numbered(), engine.Planner{})
		for name, err := range map[string]error{"Step": stepped, "Check": checked, "Foresee": foreseen, "RecoverEpisode": recovered} {
			if got := fmt.Sprint(err); tt.want == "" && err != nil || !strings.HasSuffix(got, tt.want) {
				t.Errorf("steps %v, %s: error %v, want %q", tt.indexes, name, err, tt.want)
			}
			var order *engine.OrderError
			var outside *engine.StepRangeError
			if err != nil && !errors.As(err, &order) && !errors.As(err, &outside) {
				t.Errorf("steps %v, %s: error of type %T", tt.indexes, name, err)
			}
		}
	}
}

func TestNoiseIsARate(t *testing.T) {
	r := reasoner(t)
	for _, noise := range []float64{-0.1, 1.1, math.NaN(), math.Inf(1)} {
		ep := carried()
		ep.Noise = noise
		if _, err := r.Check(context.Background(), ep); err == nil || !strings.Contains(err.Error(), "expected a rate from 0 to 1") {
			t.Errorf("noise %v: error %v", noise, err)
		}
	}
}

// Goroutines may share an episode: nobody writes to it.
func TestEpisodesAreShared(t *testing.T) {
	ctx, r := context.Background(), reasoner(t)
	ep := carried()
	ep.Steps[1].Observation.Nodes[0].States = []string{"nonsense"}
	ep.Steps[2].Sounds = append(ep.Steps[2].Sounds, "nonsense")
	ep.Plan = []episode.Action{ep.Steps[1].Action, {Name: "pick_upp", Target: "Mug-1"}}
	ep.Warnings = make([]episode.Warning, 0, 10)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if res, err := r.Check(ctx, ep); err != nil || len(res.Episode.Warnings) < 3 {
				t.Errorf("%v, warnings %v", err, res)
			}
		})
		all.Go(func() { r.CheckPlan(ctx, ep) })
		all.Go(func() { r.Foresee(ctx, ep, engine.Scoring{}) })
		all.Go(func() { r.RecoverEpisode(ctx, ep, engine.Planner{}) })
	}
	all.Wait()
	if len(ep.Warnings) > 0 || len(ep.Warnings[:1][0].Msg) > 0 || len(ep.Steps) != 4 || len(ep.Plan) != 2 {
		t.Errorf("the episode was changed: %d steps, warnings %v", len(ep.Steps), ep.Warnings[:1])
	}
}

// What a monitor is given may be used again, and what it gives away may be changed:
// neither changes what it knows.
func TestMonitorsKeepTheirOwn(t *testing.T) {
	ctx, r := context.Background(), reasoner(t)
	whole := carried()
	want, err := r.Check(ctx, whole)
	if err != nil {
		t.Fatal(err)
	}
	plan := whole.Actions()
	m := r.Watch(&episode.Episode{ID: "run-7", Task: whole.Task, Plan: plan}, engine.Limits{}, nil)
	nodes, edges, words := make([]scene.Node, 0, 10), make([]scene.Edge, 0, 10), make([]string, 0, 10)
	for _, st := range whole.Steps {
		words = append(words[:0], st.Sounds...)
		nodes, edges = append(nodes[:0], st.Observation.Nodes...), append(edges[:0], st.Observation.Edges...)
		st.Sounds, st.Observation.Nodes, st.Observation.Edges = words, nodes, edges
		if _, err := m.Step(ctx, st); err != nil {
			t.Fatal(err)
		}
		for i := range m.Findings() {
			m.Findings()[i].Type = "changed"
		}
		for i := range m.Rest() {
			m.Rest()[i].Target = "changed"
		}
	}
	for i := range plan {
		plan[i].Target = "changed"
	}
	for i := range nodes[:cap(nodes)] {
		nodes[:cap(nodes)][i] = scene.Node{ID: "changed", Class: "changed"}
	}
	for i := range edges[:cap(edges)] {
		edges[:cap(edges)][i] = scene.Edge{}
	}
	for i := range words[:cap(words)] {
		words[:cap(words)][i] = "changed"
	}
	got, _, err := m.Finish(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := summary(got), summary(want); !slices.Equal(a, b) {
		t.Errorf("found %q, want %q", a, b)
	}
}

// A deadline is told as what it is.
func TestDeadlines(t *testing.T) {
	r := reasoner(t)
	x := r.Facts(carried())
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	all := func([]string, []*rules.Term) bool { return true }
	const endless = "between(1, 100000000000, X), between(1, 100000000000, Y), X < 0"
	r.RuleTimeout = time.Hour
	if err := r.Query(ctx, x, endless, all); !errors.Is(err, context.DeadlineExceeded) || strings.Contains(err.Error(), "1h") {
		t.Errorf("error %v, want the context's deadline", err)
	}
	r.RuleTimeout = 10 * time.Millisecond
	if err := r.Query(context.Background(), x, endless, all); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "did not end within 10ms") {
		t.Errorf("error %v, want the bound of the rules", err)
	}
	r.RuleTimeout = time.Hour
	ctx, cancel = context.WithCancel(context.Background())
	cancel()
	if err := r.Query(ctx, x, endless, all); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that it was cancelled", err)
	}
}

// Rows that nobody closes end with their context.
func TestRowsEndWithTheirContext(t *testing.T) {
	r := reasoner(t)
	x := r.Facts(carried())
	// Of all goroutines, for those of other tests come and go.
	suspended := func() int {
		stacks := make([]byte, 8<<20)
		return bytes.Count(stacks[:runtime.Stack(stacks, true)], []byte("engine.(*Reasoner).rows.func"))
	}
	before := suspended()
	ctx, cancel := context.WithCancel(context.Background())
	var left []*engine.Rows
	for range 20 {
		rows, err := r.Rows(ctx, x, "between(1, 1000000, X)")
		if err != nil {
			t.Fatal(err)
		}
		if !rows.Next() {
			t.Fatal(rows.Err())
		}
		left = append(left, rows)
	}
	if suspended() < before+20 {
		t.Fatal("rows have no goroutines of their own: this test shows nothing")
	}
	cancel()
	for suspended() > before { // where one never ends, neither does this test
		time.Sleep(time.Millisecond)
	}
	for _, rows := range left {
		if rows.Next() || !errors.Is(rows.Err(), context.Canceled) || rows.Close() != nil {
			t.Errorf("error %v, want that it was cancelled", rows.Err())
		}
	}
}

type (
	stepNumber int16
	objectName string
	names      []objectName
)

func TestScanIntoOwnTypes(t *testing.T) {
	r := reasoner(t)
	rows, err := r.Rows(context.Background(), r.Facts(carried()), "X = 200, Y = mug, Z = [a, b]")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	rows.Next()
	var step stepNumber
	var name objectName
	var list names
	if err := rows.Scan(&step, &name, &list); err != nil || step != 200 || name != "mug" || !slices.Equal(list, names{"a", "b"}) {
		t.Errorf("%v: %d %s %v", err, step, name, list)
	}
	var small uint8
	if err := rows.Scan(&small, nil, nil); err != nil || small != 200 {
		t.Errorf("%v: %d", err, small)
	}
	var tiny int8
	var none *int
	for _, dest := range []any{&tiny, none, 7, "x", new(float64), new([]int), (*string)(nil)} {
		if err := rows.Scan(dest, nil, nil); err == nil {
			t.Errorf("200 was scanned into a %T", dest)
		}
	}
}

// A run that reached its goal after all was completed, whatever was feared on the way.
func TestRunCompletedAfterAll(t *testing.T) {
	turnOn := []episode.Action{{Name: "navigate_to_obj", Target: "Faucet-1"}, {Name: "toggle_on", Target: "Faucet-1"}}
	for name, tt := range map[string]struct {
		last  *engine.Proposal // at the end
		want  engine.Ending
		cause string
	}{
		"nothing is left":   {&engine.Proposal{Verified: true}, engine.Completed, ""},
		"something is left": {&engine.Proposal{Violated: []string{"it is forbidden"}}, engine.Stopped, "no plan keeps the constraints: it is forbidden"},
	} {
		asked := 0
		l := &engine.Loop{Reasoner: reasoner(t), Executor: &faucet{}, Propose: func(context.Context, *engine.Monitor, *engine.Finding) *engine.Proposal {
			if asked++; asked == 1 {
				return &engine.Proposal{Plan: turnOn, Violated: []string{"it is forbidden"}}
			}
			return tt.last
		}}
		got, err := l.Run(context.Background(), &episode.Episode{ID: "e", GoalFacts: []episode.Fact{{Subject: "Faucet", Relation: "on"}}})
		if err != nil || got.Ending != tt.want || got.Reason != tt.cause {
			t.Errorf("%s: %s (%q), %v; want %s (%q)", name, got.Ending, got.Reason, err, tt.want, tt.cause)
		}
	}
}

// What lies before the window is forgotten, which is an error, not a proof of nothing.
func TestProveBeforeTheWindow(t *testing.T) {
	ctx, r := context.Background(), reasoner(t)
	ep := episodetest.Parse(t, r.Ontology, "0 | Mug-1 on_top_of CounterTop-1")
	m := r.Watch(ep, engine.Limits{Window: engine.MinWindow}, nil)
	first := carried().Steps
	for _, st := range first {
		if _, err := m.Step(ctx, st); err != nil {
			t.Fatal(err)
		}
	}
	found := m.Findings()
	if len(found) == 0 {
		t.Fatal("nothing was found")
	}
	look := episode.Action{Name: "navigate_to_obj", Target: "Sink-1"}
	for i := range 2 * engine.MinWindow {
		if _, err := m.Step(ctx, episode.Step{Index: len(first) + i, Action: look}); err != nil {
			t.Fatal(err)
		}
	}
	proof, err := r.Prove(ctx, &engine.Result{Index: m.Index()}, &found[0])
	if proof == nil && !errors.Is(err, engine.ErrForgotten) {
		t.Errorf("no proof and error %v, want that it is forgotten", err)
	}
}

// Actions that nobody knows come in by every way, and end none of them.
func TestUnknownActionsInPlans(t *testing.T) {
	ctx, r := context.Background(), reasoner(t)
	bad := []episode.Action{{Name: "no_such_action", Target: "Mug-1"}, {}, {Name: "put_in"}, {Target: "Mug-1"}, {Name: "pick_up", Target: "No such thing", Destination: "Mug-1"}}
	m := r.Watch(&episode.Episode{ID: "e", Task: "clean the mug"}, engine.Limits{}, nil)
	for _, st := range carried().Steps[:2] {
		if _, err := m.Step(ctx, st); err != nil {
			t.Fatal(err)
		}
	}
	m.Replan(bad)
	if _, err := m.Foresee(ctx); err != nil {
		t.Error(err)
	}
	if p := m.Recover(ctx, engine.Planner{}, nil, nil); p == nil {
		t.Error("no proposal")
	}
	m.EnableForesight()
	for _, st := range carried().Steps[2:] {
		if _, err := m.Step(ctx, st); err != nil {
			t.Error(err)
		}
	}
	l := &engine.Loop{Reasoner: r, Executor: &faucet{}, MaxActions: 20, Propose: func(context.Context, *engine.Monitor, *engine.Finding) *engine.Proposal {
		return &engine.Proposal{Plan: bad, Verified: true}
	}}
	if _, err := l.Run(ctx, &episode.Episode{ID: "e", GoalFacts: []episode.Fact{{Subject: "Faucet", Relation: "on"}}, Plan: []episode.Action{{Name: "toggle_on", Target: "Faucet-1"}, bad[0]}}); err != nil {
		t.Error(err)
	}
	l.Propose = func(context.Context, *engine.Monitor, *engine.Finding) *engine.Proposal { return nil }
	if got, err := l.Run(ctx, &episode.Episode{ID: "e", GoalFacts: []episode.Fact{{Subject: "Faucet", Relation: "on"}}}); err != nil || got.Ending != engine.Stopped {
		t.Errorf("a run without a proposal: %v, %v; want it stopped", got, err)
	}
}

// An action that another robot is to carry out is not handed to an executor of one.
func TestRunForAnotherRobot(t *testing.T) {
	l := &engine.Loop{Reasoner: reasoner(t), Executor: &faucet{}, Propose: func(context.Context, *engine.Monitor, *engine.Finding) *engine.Proposal {
		return &engine.Proposal{Plan: []episode.Action{{Name: "toggle_on", Target: "Faucet-1"}}, Agents: []string{"Rover"}, Verified: true}
	}}
	got, err := l.Run(context.Background(), &episode.Episode{ID: "e", GoalFacts: []episode.Fact{{Subject: "Faucet", Relation: "on"}}})
	if want := "action (toggle_on, Faucet-1): Rover is to do it, and the executor is of one robot"; err == nil || !strings.Contains(err.Error(), want) || got.Ending != engine.Unfinished {
		t.Errorf("%v, %v; want the error %q", got, err, want)
	}
}
