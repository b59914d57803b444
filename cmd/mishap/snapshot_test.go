package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
)

// teller writes down all that a monitor tells.
type teller struct{ lines []string }

func (w *teller) Stepped(e *engine.Event, t *engine.Trace) {
	w.lines = append(w.lines, fmt.Sprintf("step %d %s %d %v %v %d", e.Step, t.Objects.CallText(e.Call), e.Outcome, e.Unmet, e.Seen, len(e.Differences)))
}

func (w *teller) Updated(u engine.Update, p *engine.Proof, x *engine.Facts) {
	var b strings.Builder
	writeProof(&b, p, x, 0)
	w.lines = append(w.lines, string(u.Kind)+" by\n"+b.String())
}

func writeProof(b *strings.Builder, p *engine.Proof, x *engine.Facts, depth int) {
	if p == nil {
		return
	}
	fmt.Fprintf(b, "%*s%v", depth, "", p.Goal)
	if p.Fact >= 0 {
		fmt.Fprint(b, " ", x.Origin(p.Fact, p.Row))
	}
	b.WriteByte('\n')
	for _, c := range p.Children {
		writeProof(b, c, x, depth+1)
	}
}

// watched is an episode that is fed to a monitor, with what is asked of it between steps.
type watched struct {
	r       *engine.Reasoner
	ep      *episode.Episode
	limits  engine.Limits
	foresee bool
	replan  bool // at every third step the next action is left out of the plan
	recover bool // a recovery is asked for in the end
}

func (w *watched) begin(to *teller) *engine.Monitor {
	header := *w.ep
	header.Steps = nil
	m := w.r.Watch(&header, w.limits, to)
	if w.foresee {
		m.EnableForesight()
	}
	return m
}

// goOn feeds the steps from one on, and visits the monitor after each.
func (w *watched) goOn(t *testing.T, m *engine.Monitor, from int, to *teller, after func(i int)) {
	t.Helper()
	for i := from; i < len(w.ep.Steps); i++ {
		updates, err := m.Step(context.Background(), w.ep.Steps[i])
		if err != nil {
			t.Fatal(err)
		}
		to.tell(t, w.ep, updates)
		if w.replan && i%3 == 2 {
			rest := m.Rest()
			m.Replan(rest[min(1, len(rest)):])
		}
		to.lines = append(to.lines, fmt.Sprint(m.Rest(), m.Done(), m.Reached(), m.Failing(), len(m.Findings()), m.Trace().Episode.Warnings))
		after(i)
	}
	if w.recover {
		p := m.Recover(context.Background(), engine.Planner{}, nil, nil)
		to.lines = append(to.lines, fmt.Sprint("recovery ", p.Plan, p.Verified, p.Method, p.Unmet, p.Assumptions))
	}
	res, updates, err := m.Finish(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	to.tell(t, w.ep, updates)
	to.json(t, report.NewEpisode(res))
}

func (w *teller) tell(t *testing.T, ep *episode.Episode, updates []engine.Update) {
	for _, u := range updates {
		w.json(t, u.Kind)
		w.json(t, report.NewFinding(ep, &u.Finding))
		if u.Threat != nil {
			w.json(t, report.NewThreat(ep, u.Threat))
		}
	}
}

func (w *teller) json(t *testing.T, v any) {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	w.lines = append(w.lines, string(text))
}

// snapshotOf is a snapshot of a monitor.
func snapshotOf(t testing.TB, m *engine.Monitor) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := m.Snapshot(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// check restores a monitor before the first step and after every one: what each tells
// from then on is what the one tells that was never interrupted, and its snapshot is the
// same. Where not all are followed to the end, each is followed to the next snapshot.
func (w *watched) check(t *testing.T, all bool) {
	whole := &teller{}
	m := w.begin(whole)
	told, taken := []int{0}, [][]byte{snapshotOf(t, m)}
	w.goOn(t, m, 0, whole, func(int) {
		told, taken = append(told, len(whole.lines)), append(taken, snapshotOf(t, m))
	})
	restore := func(k int, to *teller) *engine.Monitor {
		m, err := w.r.Restore(bytes.NewReader(taken[k]), to)
		if err != nil {
			t.Fatalf("after %d steps: %v", k, err)
		}
		if !bytes.Equal(snapshotOf(t, m), taken[k]) {
			t.Errorf("after %d steps: the snapshot of what was restored is another", k)
		}
		return m
	}
	for k := range taken {
		if !all && k > 0 {
			break
		}
		again := &teller{}
		m := restore(k, again)
		w.goOn(t, m, k, again, func(i int) {
			if !bytes.Equal(snapshotOf(t, m), taken[i+1]) {
				t.Errorf("restored after %d steps: the snapshot after %d is another", k, i+1)
			}
			if !all {
				*m = *restore(i+1, again)
			}
		})
		if diff := cmp.Diff(whole.lines[told[k]:], again.lines); diff != "" {
			t.Fatalf("restored after %d steps (-uninterrupted +restored):\n%s", k, diff)
		}
	}
}

// A monitor that is saved and restored after any step of any sample goes on as if it had
// not been. Each sample is watched in one of the ways by turns, in all where the environment
// asks for the long sets.
func TestSnapshotOfSamples(t *testing.T) {
	r := newReasoner(t)
	long := os.Getenv("MISHAP_LONG") != ""
	samples := 0
	for _, path := range sampleFiles(t) {
		eps, err := logs.Read(r.Ontology, path)
		if err != nil {
			t.Fatal(err)
		}
		for _, ep := range eps {
			noisy := *ep
			noisy.Noise = 0.05
			ways := []struct {
				name string
				watched
			}{
				{"plain", watched{ep: ep}},
				{"foreseen", watched{ep: ep, foresee: true, recover: true}},
				{"replaced", watched{ep: ep, foresee: true, replan: true, limits: engine.Limits{Window: engine.MinWindow}}},
				{"noisy", watched{ep: &noisy, foresee: true}},
				{"noisy with a window", watched{ep: &noisy, limits: engine.Limits{Window: engine.MinWindow}}},
			}
			for i, w := range ways {
				if !long && (i+samples)%len(ways) > 0 {
					continue
				}
				t.Run(ep.ID+"/"+w.name, func(t *testing.T) {
					t.Parallel()
					w.r = r
					w.check(t, long)
				})
			}
			samples++
		}
	}
}
