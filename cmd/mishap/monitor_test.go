package main

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/engine"
)

// Watching a sample step by step finds what checking it whole does: every
// failure that shows before the end at once, and in clean episodes nothing.
func TestMonitorOnSamples(t *testing.T) {
	r := newReasoner(t)
	for _, path := range sampleFiles(t) {
		eps, err := logs.Read(r.Ontology, path)
		if err != nil {
			t.Fatal(err)
		}
		for _, ep := range eps {
			t.Run(ep.ID, func(t *testing.T) {
				whole, err := r.Check(context.Background(), ep)
				if err != nil {
					t.Fatal(err)
				}
				header := *ep
				m := r.Watch(&header, engine.Limits{}, nil)
				at := map[string]int{}
				for _, st := range ep.Steps {
					updates, err := m.Step(context.Background(), st)
					if err != nil {
						t.Fatal(err)
					}
					for _, u := range updates {
						t.Logf("step %d: %s %s at %d %v", st.Index, u.Kind, u.Finding.Type, u.Finding.Step, u.Finding.Objects)
						if u.Kind == engine.Found && len(whole.Findings) == 0 {
							t.Errorf("step %d: %s in a clean episode: %s", st.Index, u.Finding.Type, u.Finding.Explanation)
						}
						if u.Kind == engine.Found {
							at[u.Finding.Type] = st.Index
						}
					}
				}
				res, updates, err := m.Finish(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				for _, u := range updates {
					t.Logf("end: %s %s at %d %v", u.Kind, u.Finding.Type, u.Finding.Step, u.Finding.Objects)
				}
				if diff := cmp.Diff(findingsOf(whole), findingsOf(res)); diff != "" {
					t.Errorf("findings (-checked whole +watched):\n%s", diff)
				}
				for _, f := range whole.Findings {
					if _, ok := at[f.Type]; !ok && f.Step < whole.Trace.Last() {
						t.Errorf("%s at %d was found only at the end", f.Type, f.Step)
					}
				}
			})
		}
	}
}
