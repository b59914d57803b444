package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/bridge/logs/reflectlog"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology/document"
)

// A summary by events reads back as a log with the same findings, and writing
// that again gives the same summary.
func TestSummariesReadBack(t *testing.T) {
	r := newReasoner(t)
	told := func(ep *episode.Episode) []string {
		res, err := r.Check(context.Background(), ep)
		if err != nil {
			t.Fatal(err)
		}
		return findingsOf(res)
	}
	for _, path := range sampleFiles(t) {
		eps, err := logs.Read(r.Ontology, path)
		if err != nil {
			t.Fatal(err)
		}
		for _, ep := range eps {
			t.Run(ep.ID, func(t *testing.T) {
				for _, level := range []reflectlog.Level{reflectlog.EventBased, reflectlog.SubgoalBased} {
					dir := filepath.Join(t.TempDir(), ep.ID)
					if err := reflectlog.WriteFolder(dir, r.Ontology, ep, level); err != nil {
						t.Fatal(err)
					}
					again, err := reflectlog.ReadFolder(r.Ontology, document.Disk{}, dir)
					if err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(reflectlog.Summarize(r.Ontology, ep, level), reflectlog.Summarize(r.Ontology, again, level)); diff != "" {
						t.Errorf("level %d, written again (-first +second):\n%s", level, diff)
					}
					if level == reflectlog.EventBased {
						if diff := cmp.Diff(told(ep), told(again)); diff != "" {
							t.Errorf("findings (-log +summary):\n%s", diff)
							for _, w := range again.Warnings {
								t.Log(w.Msg)
							}
						}
					}
				}
			})
		}
	}
}

// findingsOf writes class, time and objects of each finding.
func findingsOf(res *engine.Result) []string {
	out := []string{}
	for _, f := range res.Findings {
		at := ""
		for _, st := range res.Episode.Steps {
			if st.Index == int(f.Step) {
				at = st.Time
			}
		}
		out = append(out, fmt.Sprint(f.Type, " ", at, " ", slices.Clone(f.Objects)))
	}
	return out
}
