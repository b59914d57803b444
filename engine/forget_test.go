package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
)

// clumsy is a step of a robot that lets go of what it picks up, over and over, in a log
// with a word that nobody knows.
func clumsy(n int) episode.Step {
	apple := fmt.Sprint("Apple-", n/2%7+1)
	st := episode.Step{Index: n + 1, Line: n + 2, Action: episode.Action{Name: "navigate_to_obj", Target: "Sink-1"}, Sounds: []string{fmt.Sprint("hum ", n)}}
	st.Observation.Nodes = []scene.Node{{ID: "Sink-1"}, {ID: "CounterTop-1"}}
	if n%2 == 0 {
		st.Action = episode.Action{Name: "pick_up", Target: apple}
		st.Observation.Edges = []scene.Edge{{Subject: apple, Relation: "inside", Object: "RobotGripper-1"}}
	}
	return st
}

// With a window, findings and warnings are forgotten with it; one that is remembered is
// proved, one that is not says so.
func TestForget(t *testing.T) {
	r := reasoner(t)
	m := r.Watch(&episode.Episode{ID: "clumsy", Warnings: []episode.Warning{{Line: 1, Msg: "of the header"}}}, engine.Limits{Window: engine.MinWindow}, nil)
	var first *engine.Finding
	told, most := 0, engine.MonitorSize{}
	for n := range 660 {
		updates, err := m.Step(context.Background(), clumsy(n))
		if err != nil {
			t.Fatal(err)
		}
		for i := range updates {
			if updates[i].Kind != engine.Found {
				t.Fatalf("step %d: %s %s", n+1, updates[i].Kind, updates[i].Finding.Explanation)
			}
			told++
			if first == nil {
				first = &updates[i].Finding
			}
		}
		if n%40 > 0 && n != 600 {
			continue
		}
		if size := m.Size(); n == 600 {
			most = size
		} else if n > 600 && (size.Findings > most.Findings+1 || size.Warnings > most.Warnings+1 || size.Objects > most.Objects) {
			t.Fatalf("after %d steps it holds %+v, after 601 %+v", n+1, size, most)
		}
	}
	if w := m.Trace().Episode.Warnings; len(w) == 0 || w[0].Msg != "of the header" || len(w) > 600 {
		t.Errorf("%d warnings, the first %v", len(w), w[:1])
	}
	found := m.Findings()
	if p, err := m.Prove(context.Background(), &found[len(found)-1]); p == nil || err != nil {
		t.Errorf("a finding that is remembered has the proof %v, error %v", p, err)
	}
	if p, err := m.Prove(context.Background(), first); p != nil || !errors.Is(err, engine.ErrForgotten) {
		t.Errorf("one that is forgotten has the proof %v, error %v", p, err)
	}
	res, _, err := m.Finish(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if got := res.Forgotten + len(res.Findings); got != told || res.Forgotten == 0 {
		t.Errorf("%d findings forgotten, %d remembered; %d were told", res.Forgotten, len(res.Findings), told)
	}
	if _, err := (*engine.Monitor)(nil).Prove(context.Background(), first); err == nil {
		t.Error("no monitor proves a finding")
	}
}

// renamedSteps are those of a robot among things that bear other names at each step; now
// and then it loses what it carries, and a bowl that it took long ago is asked for again.
func renamedSteps(n int) []episode.Step {
	var out []episode.Step
	for st := range renamed(10).steps() {
		if st.Index > n {
			break
		}
		if st.Index%97 == 2 {
			st.Observation.Edges = st.Observation.Edges[:len(st.Observation.Edges)-1] // the apple is not picked up
		}
		switch st.Index {
		case 1:
			st.Action = episode.Action{Name: "pick_up", Target: "Bowl-1"}
			st.Observation.Edges = append(st.Observation.Edges, scene.Edge{Subject: "Bowl-1", Relation: "inside", Object: "RobotGripper-1"})
		case 2:
			st.Action = episode.Action{Name: "put_on", Target: "Bowl-1", Destination: "Desk-1"}
			st.Observation.Edges = append(st.Observation.Edges, scene.Edge{Subject: "Bowl-1", Relation: "on_top_of", Object: "Desk-1"})
		case n - 5:
			st.Action = episode.Action{Name: "pick_up", Target: "Bowl-1"}
		}
		st.Time, st.Line = fmt.Sprintf("%02d:%02d", st.Index/60, st.Index%60), st.Index+2
		out = append(out, st)
	}
	return out
}

// renamedFor is for how many steps.
const renamedFor = 1000

var remembering struct {
	once sync.Once
	m    *engine.Monitor
	told []string
}

// rememberRenamed is a monitor that forgot nothing of them, with what it told: one for all
// tests, which do not change it.
func rememberRenamed(t *testing.T) (*engine.Monitor, []string) {
	t.Helper()
	remembering.once.Do(func() {
		m := reasoner(t).Watch(&episode.Episode{ID: "renamed"}, engine.Limits{}, nil)
		remembering.told = feed(t, m, renamedSteps(renamedFor))
		remembering.m = m
	})
	return remembering.m, remembering.told
}

// Objects that are not seen any more are forgotten, and nothing that is found is another
// for it; what an action spoke of is remembered.
func TestForgetObjects(t *testing.T) {
	r := reasoner(t)
	_, want := rememberRenamed(t)
	var told []string
	m := r.Watch(&episode.Episode{ID: "renamed"}, engine.Limits{Window: engine.MinWindow}, nil)
	most := 0
	for i, st := range renamedSteps(renamedFor) {
		told = append(told, feed(t, m, []episode.Step{st})...)
		if most = max(most, m.Size().Objects); i%100 == 99 {
			data := save(t, m)
			var err error
			if m, err = r.Restore(bytes.NewReader(data), nil); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(save(t, m), data) {
				t.Fatalf("after %d steps: the snapshot of what was restored is another", i+1)
			}
		}
	}
	if most > 4*engine.MinWindow*10 || most < 1024 {
		t.Errorf("%d objects are remembered at once", most)
	}
	if diff := cmp.Diff(want, told); diff != "" || len(want) < 8 {
		t.Errorf("%d are told (-all remembered +forgotten):\n%s", len(want), diff)
	}
}

// Of what lies before the window a monitor keeps, of each step, what the robot did and how
// that came out: the lines and events themselves do not become more.
func TestPastSteps(t *testing.T) {
	const n = renamedFor
	remembers, _ := rememberRenamed(t)
	m := reasoner(t).Watch(&episode.Episode{ID: "renamed"}, engine.Limits{Window: engine.MinWindow}, nil)
	for _, st := range renamedSteps(n) {
		feed(t, m, []episode.Step{st})
		tr := m.Trace()
		if most := engine.MinWindow + 32; len(tr.Events) > most || len(tr.Episode.Steps) > most {
			t.Fatalf("step %d: %d events and %d lines are held of a window of %d", st.Index, len(tr.Events), len(tr.Episode.Steps), engine.MinWindow)
		}
	}
	whole, windowed := remembers.Trace(), m.Trace()
	if size := m.Size(); whole.Len() != n || windowed.Len() != n || size.Lines != n+1 {
		t.Fatalf("%d events, and %d with a window, which has %d lines; want %d", whole.Len(), windowed.Len(), size.Lines, n)
	}
	tell := func(tr *engine.Trace, step int32) string {
		e := tr.Event(step)
		s := fmt.Sprint(e.Step, e.First, e.Before, e.Planned, e.Outcome, tr.Objects.CallText(e.Call), e.Time, e.Until, e.Away, e.Final, e.Displaced, tr.Episode.TimeOf(int(step)), tr.Episode.LineOf(int(step)))
		for i := range e.Unmet {
			s += fmt.Sprint(" ", e.Unmet[i].Name, tr.Objects.Name(e.Unmet[i].Culprit), e.Unmet[i].Origin)
		}
		return s
	}
	for step := range int32(n) {
		if want, got := tell(whole, step+1), tell(windowed, step+1); want != got {
			t.Fatalf("a window leaves of step %d:\n%s\nwant\n%s", step+1, got, want)
		}
	}
	if windowed.Event(n+1) != nil || windowed.Event(0) != nil || windowed.Has(n+1) {
		t.Error("there are events of steps that were not taken")
	}
}

// What was done long ago is forgotten too: a monitor with a window holds no more after 20,000
// steps than after 9,500, and what it finds from then on is what one finds that was restored.
func TestForgetDeeds(t *testing.T) {
	t.Parallel()
	r := reasoner(t)
	m := r.Watch(&episode.Episode{ID: "long"}, engine.Limits{Window: engine.MinWindow}, nil)
	restored := m
	var most engine.MonitorSize
	last, told, symbols := 11_000, 0, 0
	if os.Getenv("MISHAP_LONG") != "" {
		last = 20_000
	}
	for st := range loose(3).steps() {
		if st.Index > last {
			break
		}
		if st.Index%1000 > 0 && st.Index%1000 < 12 {
			st = clumsy(st.Index - 1)
		}
		st.Time = fmt.Sprint(st.Index)
		// What a sensor names and nobody sees, a code that never comes again, and words that
		// nobody knows.
		st.Events = []episode.SensorEvent{{Kind: "crash", Object: fmt.Sprint("part ", st.Index)}}
		st.Status, st.Result = "succeeded", fmt.Sprint("took ", st.Index, " ms")
		updates := feed(t, m, []episode.Step{st})
		for _, u := range updates {
			if strings.Contains(u, " found ") {
				told++
			} else {
				told--
			}
		}
		if restored != m {
			if diff := cmp.Diff(updates, feed(t, restored, []episode.Step{st})); diff != "" {
				t.Fatalf("step %d (-as it was +restored):\n%s", st.Index, diff)
			}
		}
		size := m.Size()
		if st.Index <= 9_500 {
			most.Lines, most.Facts, most.Changes = max(most.Lines, size.Lines), max(most.Facts, size.Facts), max(most.Changes, size.Changes)
			most.Objects, symbols = max(most.Objects, size.Objects), max(symbols, m.Index().Symbols())
		}
		switch {
		case st.Index == 9_500:
			var err error
			if restored, err = r.Restore(bytes.NewReader(save(t, m)), nil); err != nil {
				t.Fatal(err)
			}
		case st.Index > 9_500 && (size.Lines > most.Lines+100 || size.Facts > most.Facts+most.Facts/50 || size.Changes > most.Changes+most.Changes/50),
			st.Index > 9_500 && (size.Objects > most.Objects+100 || m.Index().Symbols() > symbols+100):
			t.Fatalf("after %d steps it holds %+v and %d symbols, until step 9,500 at most %+v and %d", st.Index, size, m.Index().Symbols(), most, symbols)
		}
	}
	if !bytes.Equal(save(t, m), save(t, restored)) {
		t.Error("the snapshot of what was restored is another")
	}
	res, late, err := m.Finish(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if n := res.Episode.Acted(); n != last || res.Forgotten+len(res.Findings) != told+len(late) || res.Forgotten < last/1000 {
		t.Errorf("%d steps with an action; %d findings forgotten and %d not of %d", n, res.Forgotten, len(res.Findings), told)
	}
	if res.Trace.Event(1000) != nil || res.Trace.Event(int32(last-1000)) == nil || res.Episode.TimeOf(1000) != "" || res.Episode.TimeOf(last-1000) == "" {
		t.Error("step 1,000 is remembered, or one of 1,000 before the last is not")
	}
}
