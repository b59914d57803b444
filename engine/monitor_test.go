package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/episodetest"
	"github.com/mishap-robotics/mishap/engine/internal/inference"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/rules"
)

// watch feeds a script to a monitor and lists the changes, "STEP CHANGE CLASS
// OBJECTS".
func watch(t *testing.T, r *engine.Reasoner, script string, observer engine.Observer) []string {
	t.Helper()
	ep := episodetest.Parse(t, r.Ontology, script)
	steps := ep.Steps
	m := r.Watch(ep, engine.Limits{}, observer)
	var out []string
	note := func(at string, updates []engine.Update) {
		for _, u := range updates {
			out = append(out, fmt.Sprintf("%s %s %s %s", at, u.Kind, strings.TrimSuffix(u.Finding.Type, "Failure"), strings.Join(u.Finding.Objects, " ")))
		}
	}
	for _, st := range steps {
		updates, err := m.Step(context.Background(), st)
		if err != nil {
			t.Fatal(err)
		}
		note(fmt.Sprint(st.Index), updates)
	}
	_, updates, err := m.Finish(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	note("end", updates)
	return out
}

func TestMonitor(t *testing.T) {
	r := reasoner(t)
	tests := []struct {
		name, script string
		want         []string
	}{
		{"at once", `
			0 | Mug-1 on_top_of CounterTop-1
			1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1
			2 (navigate_to_obj, Sink-1) | Sink-1
			3 (observe) | Sink-1`,
			[]string{"2 found DroppingObj Mug-1"}},
		{"more specific later", `
			0 | Mug-1 on_top_of CounterTop-1
			1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1
			2 (navigate_to_obj, Sink-1) | Sink-1
			3 (observe) | Mug-1 on_top_of Floor-1, Mug-1 broken`,
			[]string{"2 found DroppingObj Mug-1", "3 withdrawn DroppingObj Mug-1", "3 found DroppingAndBreakingObj Mug-1"}},
		{"another line of the action shows the effect", `
			0 | Fridge-1 closed
			1 (open_obj, Fridge-1) | Fridge-1 closed
			2 (open_obj, Fridge-1) | Fridge-1 open
			3 (observe) | Fridge-1 open`,
			[]string{"1 found ActionExecution Fridge-1", "2 withdrawn ActionExecution Fridge-1"}},
		{"left on is judged at the end", `
			0 | Faucet-1 off
			1 (toggle_on, Faucet-1) | Faucet-1 on
			2 (observe) | Faucet-1 on`,
			[]string{"end found FaucetLeftOn Faucet-1"}},
		{"objects that nobody spoke of before", `
			1 (observe) | CounterTop-1
			2 (pick_up, Apple-1) | Apple-1 inside RobotGripper-1
			3 (slice_obj, Bread-1) | Bread-1 on_top_of CounterTop-1, Apple-1 inside RobotGripper-1`,
			[]string{"3 found WrongObject Apple-1 Knife-1"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := watch(t, r, tt.script, nil); !slices.Equal(got, tt.want) {
				t.Errorf("updates %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestMonitorRefuses(t *testing.T) {
	r := reasoner(t)
	step := func(i int, action string) episode.Step {
		st := episode.Step{Index: i}
		if action != "" {
			st.Action = episode.Action{Name: action, Target: "Mug-1"}
		}
		return st
	}
	m := r.Watch(&episode.Episode{ID: "x"}, engine.Limits{}, nil)
	if _, _, err := m.Finish(context.Background()); err == nil {
		t.Error("an episode without steps was finished")
	}
	if _, err := m.Step(context.Background(), step(1, "pick_up")); err != nil {
		t.Fatal(err)
	}
	for _, st := range []episode.Step{step(1, "pick_up"), step(0, "")} {
		if _, err := m.Step(context.Background(), st); err == nil {
			t.Errorf("step %d %v was taken", st.Index, st.Action)
		}
	}
	if _, _, err := m.Finish(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Step(context.Background(), step(3, "pick_up")); err == nil {
		t.Error("a step was taken after the end")
	}
}

// A rule that does not end costs its step an error; the monitor goes on.
func TestMonitorLimits(t *testing.T) {
	p, err := rules.Load(append(rules.Shipped(), document.Document{Name: "loop.pl",
		Data: []byte("failure('DirtyObjFailure', S, S, [O]) :- action(S, pour), target(S, O), loop(S).\nloop(S) :- loop(S).")}))
	if err != nil {
		t.Fatal(err)
	}
	r, err := engine.New(ontology.Default(), p)
	if err != nil {
		t.Fatal(err)
	}
	steps := episodetest.Parse(t, r.Ontology, `
		1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1
		2 (pour, Mug-1) | Mug-1 inside RobotGripper-1
		3 (navigate_to_obj, Sink-1) | Sink-1`).Steps
	for name, limits := range map[string]engine.Limits{
		"inferences": {Inferences: 5_000}, "bytes": {Bytes: 1 << 20}, "time": {Time: time.Second, Inferences: 1 << 40},
	} {
		m := r.Watch(&episode.Episode{ID: "x"}, limits, nil)
		if _, err := m.Step(context.Background(), steps[0]); err != nil {
			t.Fatal(err)
		}
		_, err := m.Step(context.Background(), steps[1])
		if !errors.Is(err, inference.ErrLimit) && !errors.Is(err, context.DeadlineExceeded) || !strings.HasPrefix(err.Error(), "loop.pl:1: ") {
			t.Errorf("%s: error %v, want a limit at loop.pl:1", name, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m := r.Watch(&episode.Episode{ID: "x"}, engine.Limits{}, nil)
	if _, err := m.Step(context.Background(), steps[0]); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Step(ctx, steps[1]); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the context's", err)
	}
}

type recorder struct{ lines []string }

func (r *recorder) Stepped(e *engine.Event, _ *engine.Trace) {
	r.lines = append(r.lines, fmt.Sprintf("step %d", e.Step))
}

func (r *recorder) Updated(u engine.Update, proof *engine.Proof, _ *engine.Facts) {
	goal := "no proof"
	if proof != nil {
		goal = proof.Goal.String()
	}
	r.lines = append(r.lines, fmt.Sprintf("%s %s", u.Kind, goal))
}

func TestObserver(t *testing.T) {
	rec := &recorder{}
	watch(t, reasoner(t), `
		0 | Mug-1 on_top_of CounterTop-1
		1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1
		2 (navigate_to_obj, Sink-1) | Sink-1
		3 (observe) | Mug-1 on_top_of Floor-1, Mug-1 broken`, rec)
	want := []string{"step 1", "step 2", "found failure('DroppingObjFailure', 2, 2, ['Mug-1'])", "step 3", "withdrawn no proof",
		"found failure('DroppingAndBreakingObjFailure', 2, 2, ['Mug-1'])"}
	if !slices.Equal(rec.lines, want) {
		t.Errorf("observed %q\nwant %q", rec.lines, want)
	}
}

// Monitors of one reasoner run at once.
func TestMonitorsShareAReasoner(t *testing.T) {
	r := reasoner(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			got := watch(t, r, `
				0 | Mug-1 on_top_of CounterTop-1
				1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1
				2 (navigate_to_obj, Sink-1) | Sink-1`, nil)
			if !slices.Equal(got, []string{"2 found DroppingObj Mug-1"}) {
				t.Errorf("updates %q", got)
			}
		})
	}
	all.Wait()
}

// A fleet of monitors of one reasoner looks ahead, plans, proves, is saved and restored at
// once, and each tells what one alone does.
func TestFleetSharesAReasoner(t *testing.T) {
	r, ep := reasoner(t), troubled(t)
	ctx := context.Background()
	life := func(window int) []string {
		own := *ep
		m := r.Watch(&own, engine.Limits{Window: window}, nil)
		m.EnableForesight()
		var out []string
		for i, st := range ep.Steps[:min(8, len(ep.Steps))] {
			updates, err := m.Step(ctx, st)
			if err != nil {
				t.Error(err)
			}
			for _, u := range updates {
				out = append(out, string(u.Kind)+u.Finding.Explanation)
			}
			if i == 5 {
				var saved bytes.Buffer
				if err = m.Snapshot(&saved); err == nil {
					m, err = r.Restore(&saved, nil)
				}
				if err != nil {
					t.Error(err)
					return nil
				}
			}
		}
		for _, f := range m.Findings() {
			if proof, err := m.Prove(ctx, &f); err != nil || proof == nil {
				t.Error(proof, err)
			}
		}
		out = append(out, fmt.Sprint(m.Recover(ctx, engine.Planner{}, nil, nil).Plan))
		res, _, err := m.Finish(ctx)
		if err != nil {
			t.Error(err)
			return nil
		}
		return append(out, findingTexts(res.Findings)...)
	}
	want := [2][]string{life(0), life(engine.MinWindow)}
	robots := 12
	if os.Getenv("MISHAP_LONG") != "" {
		robots = 100
	}
	var all sync.WaitGroup
	for i := range robots {
		all.Go(func() {
			if got := life(i % 2 * engine.MinWindow); !slices.Equal(got, want[i%2]) {
				t.Errorf("monitor %d told %q, one alone %q", i, got, want[i%2])
			}
		})
	}
	all.Wait()
}

// longEpisode is the first n steps of longSteps, and step 0.
func longEpisode(n int) []episode.Step {
	var out []episode.Step
	for st := range longSteps() {
		if out = append(out, st); len(out) > n {
			break
		}
	}
	return out
}

// longSteps moves apples and potatoes about in a kitchen with 20 objects in
// view; now and then one falls.
func longSteps() iter.Seq[episode.Step] {
	var objects []string
	for i := range 8 {
		objects = append(objects, fmt.Sprintf("Apple-%d", i+1), fmt.Sprintf("Potato-%d", i+1))
	}
	tops := []string{"CounterTop-1", "DiningTable-1", "CounterTop-2", "Desk-1"}
	place := map[string]string{}
	for i, o := range objects {
		place[o] = tops[i%len(tops)]
	}
	held := ""
	observe := func() episode.Observation {
		var o episode.Observation
		for _, x := range append(slices.Clone(objects), tops...) {
			class, _ := episode.SplitName(x)
			o.Nodes = append(o.Nodes, scene.Node{ID: x, Class: class})
		}
		for _, x := range objects {
			at, rel := place[x], "on_top_of"
			if x == held {
				at, rel = "RobotGripper-1", "inside"
			}
			o.Edges = append(o.Edges, scene.Edge{Subject: x, Relation: rel, Object: at})
		}
		return o
	}
	return func(yield func(episode.Step) bool) {
		n := 0
		add := func(name, target, destination string) bool {
			n++
			return yield(episode.Step{Index: n, Action: episode.Action{Name: name, Target: target, Destination: destination}, Observation: observe()})
		}
		if !yield(episode.Step{Observation: observe()}) {
			return
		}
		for i := 0; ; i++ {
			x, to := objects[(i*7)%len(objects)], tops[(i*3+1)%len(tops)]
			if !add("navigate_to_obj", x, "") {
				return
			}
			held = x
			if !add("pick_up", x, "") {
				return
			}
			if i%50 == 49 {
				held, place[x] = "", "CounterTop-1" // it falls on the way
				if !add("navigate_to_obj", to, "") {
					return
				}
				continue
			}
			if !add("navigate_to_obj", to, "") {
				return
			}
			held, place[x] = "", to
			if !add("put_on", x, to) {
				return
			}
		}
	}
}

// A monitor with a window tells line by line what one without does, and at the end
// what was left as it should not be long ago.
func TestWindow(t *testing.T) {
	r := reasoner(t)
	steps := longEpisode(900)
	for i := range steps {
		o := &steps[i].Observation
		o.Nodes = append(o.Nodes, scene.Node{ID: "Faucet-1", Class: "Faucet", States: []string{map[bool]string{true: "on", false: "off"}[i >= 20]}})
	}
	steps[20].Action = episode.Action{Name: "toggle_on", Target: "Faucet-1"}
	var told [2][]string
	var found [2][]string
	forgotten := 0
	for k, window := range []int{0, engine.MinWindow} {
		m := r.Watch(&episode.Episode{ID: "long"}, engine.Limits{Window: window}, nil)
		for _, st := range steps {
			updates, err := m.Step(context.Background(), st)
			if err != nil {
				t.Fatal(err)
			}
			for _, u := range updates {
				told[k] = append(told[k], fmt.Sprint(st.Index, u.Kind, u.Finding.Type, u.Finding.Step, u.Finding.Cause, u.Finding.Objects, u.Finding.Explanation))
			}
		}
		res, _, err := m.Finish(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range res.Findings {
			found[k] = append(found[k], fmt.Sprint(f.Type, f.Step, f.Cause, f.Objects))
		}
		forgotten = res.Forgotten
	}
	if diff := cmp.Diff(told[0], told[1]); diff != "" || len(told[0]) == 0 {
		t.Errorf("line by line (-whole +window):\n%s", diff)
	}
	early := func(f string) bool {
		return !strings.HasPrefix(f, "FaucetLeftOnFailure") && !slices.Contains(found[1], f)
	}
	if diff := cmp.Diff(slices.DeleteFunc(slices.Clone(found[0]), early), found[1]); diff != "" || forgotten == 0 || len(found[0])-len(found[1]) != forgotten {
		t.Errorf("in the end %d are forgotten (-whole +window):\n%s", forgotten, diff)
	}
	if !slices.ContainsFunc(found[1], func(f string) bool { return strings.HasPrefix(f, "FaucetLeftOnFailure") }) {
		t.Errorf("the faucet is not found: %v", found[1])
	}
}

// BenchmarkWindow reports what a monitor with a window holds of a long episode, and what a
// step costs, both after 10,000 lines and after 200,000.
func BenchmarkWindow(b *testing.B) {
	r := reasoner(b)
	const n, part = 200_000, 10_000
	heap := func() float64 {
		runtime.GC()
		var mem runtime.MemStats
		runtime.ReadMemStats(&mem)
		return float64(mem.HeapAlloc) / (1 << 20)
	}
	for b.Loop() {
		before := heap()
		m := r.Watch(&episode.Episode{ID: "long"}, engine.Limits{Window: 500}, nil)
		var held, medians []float64
		var times []time.Duration
		i := 0
		for st := range longSteps() {
			if i++; i > n {
				break
			}
			began := clock()
			if _, err := m.Step(context.Background(), st); err != nil {
				b.Fatal(err)
			}
			times = append(times, clock()-began)
			if i%part == 0 {
				slices.Sort(times)
				held, medians = append(held, heap()-before), append(medians, float64(times[part/2].Nanoseconds())/1000)
				times = times[:0]
			}
		}
		last := len(held) - 1
		b.ReportMetric(held[0], "early-MB")
		b.ReportMetric(held[last], "late-MB")
		b.ReportMetric(medians[1], "early-µs/step")
		b.ReportMetric(medians[last], "late-µs/step")
		runtime.KeepAlive(m)
	}
}

// BenchmarkMonitor reports the time of a step at the median and the 99th
// percentile, and the heap in use at the end.
func BenchmarkMonitor(b *testing.B) {
	r := reasoner(b)
	for _, n := range []int{10, 100, 1000, 10000} {
		steps := longEpisode(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var times []time.Duration
			var heap uint64
			for b.Loop() {
				m := r.Watch(&episode.Episode{ID: "long"}, engine.Limits{}, nil)
				for _, st := range steps {
					began := time.Now()
					if _, err := m.Step(context.Background(), st); err != nil {
						b.Fatal(err)
					}
					times = append(times, time.Since(began))
				}
				runtime.GC()
				var mem runtime.MemStats
				runtime.ReadMemStats(&mem)
				heap = max(heap, mem.HeapInuse)
				runtime.KeepAlive(m)
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Microseconds()), "p50-µs/step")
			b.ReportMetric(float64(times[len(times)*99/100].Microseconds()), "p99-µs/step")
			b.ReportMetric(float64(len(steps)*b.N)/b.Elapsed().Seconds(), "steps/s")
			b.ReportMetric(float64(heap)/(1<<20), "heap-MB")
		})
	}
}

// BenchmarkForesight measures a step of a monitor that warns, in an episode whose plan
// has n actions.
func BenchmarkForesight(b *testing.B) {
	r := reasoner(b)
	for _, n := range []int{10, 30, 100} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			steps := longEpisode(n)
			var plan []episode.Action
			for _, st := range steps {
				if st.Action.Name != "" {
					plan = append(plan, st.Action)
				}
			}
			var times []time.Duration
			for b.Loop() {
				m := r.Watch(&episode.Episode{ID: "long", Plan: plan}, engine.Limits{}, nil)
				m.EnableForesight()
				for _, st := range steps {
					began := time.Now()
					if _, err := m.Step(context.Background(), st); err != nil {
						b.Fatal(err)
					}
					times = append(times, time.Since(began))
				}
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Microseconds()), "p50-µs/step")
			b.ReportMetric(float64(times[len(times)*99/100].Microseconds()), "p99-µs/step")
		})
	}
}

// BenchmarkThroughput checks episodes of 100 steps on all cores with one reasoner;
// run it with -cpu 1,2,… to see what cores add.
func BenchmarkThroughput(b *testing.B) {
	r := reasoner(b)
	steps := longEpisode(100)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := r.Check(context.Background(), &episode.Episode{ID: "long", Steps: steps}); err != nil {
				b.Error(err)
			}
		}
	})
	b.ReportMetric(float64(b.N)*100/b.Elapsed().Seconds(), "steps/s")
}

// BenchmarkStartUp loads the ontology, compiles the rules and makes a reasoner of
// them.
func BenchmarkStartUp(b *testing.B) {
	for b.Loop() {
		o, _, err := ontology.Parse(ontology.Shipped())
		if err != nil {
			b.Fatal(err)
		}
		p, err := rules.Load(rules.Shipped())
		if err != nil {
			b.Fatal(err)
		}
		if _, err := engine.New(o, p); err != nil {
			b.Fatal(err)
		}
	}
}
