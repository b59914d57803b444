package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/bridge/logs/alfred"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
)

// remedied reads one log and plans its recovery.
func remedied(t testing.TB, r *engine.Reasoner, path string) report.LogResults[report.EpisodeRecovery] {
	t.Helper()
	eps, err := logs.Read(r.Ontology, path)
	if err != nil {
		t.Fatal(err)
	}
	var doc report.LogResults[report.EpisodeRecovery]
	for _, ep := range eps {
		ep.Source = "testdata/episodes/" + filepath.Base(path)
		doc.Episodes = append(doc.Episodes, remedy(t, r, ep))
	}
	return doc
}

func remedy(t testing.TB, r *engine.Reasoner, ep *episode.Episode) report.EpisodeRecovery {
	t.Helper()
	m, err := r.RecoverEpisode(context.Background(), ep, engine.Planner{})
	if err != nil {
		t.Fatalf("%s: %v", ep.ID, err)
	}
	return report.NewEpisodeRecovery(m)
}

// The recoveries of some samples, as text and as JSON.
func TestRecoverGolden(t *testing.T) {
	r := newReasoner(t)
	for _, name := range []string{"dropping-obj", "dirty-obj", "dropping-and-breaking-obj", "two-failures", "wrong-order", "clean-make-coffee", "dietary-constraints-violation"} {
		t.Run(name, func(t *testing.T) {
			doc := remedied(t, r, filepath.Join(samples, name+".jsonl"))
			var text, js bytes.Buffer
			for i := range doc.Episodes {
				if err := doc.Episodes[i].Text(&text, report.Style{}, true); err != nil {
					t.Fatal(err)
				}
			}
			if err := doc.JSON(&js); err != nil {
				t.Fatal(err)
			}
			compare(t, filepath.Join(golden, name+".recover.txt"), text.Bytes())
			compare(t, filepath.Join(golden, name+".recover.json"), js.Bytes())
		})
	}
}

// recoveryFields are those of a finding and of an episode that scripts rely on.
var recoveryFields = []string{"recovery_plan", "verified", "recovery_assumptions", "recovery_strategies", "recovery_reasons", "recovery_needs_person"}

// Every sample is recovered from in words that agree: what is verified has a plan or
// nothing to do, what is not says why, and both forms have all their fields.
func TestRecoverSamples(t *testing.T) {
	r := newReasoner(t)
	for _, path := range sampleFiles(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			var js bytes.Buffer
			doc := remedied(t, r, path)
			if err := doc.JSON(&js); err != nil {
				t.Fatal(err)
			}
			var read struct {
				Episodes []map[string]json.RawMessage `json:"episodes"`
			}
			if err := json.Unmarshal(js.Bytes(), &read); err != nil {
				t.Fatal(err)
			}
			for i, e := range read.Episodes {
				hasFields(t, e)
				var findings []map[string]json.RawMessage
				if err := json.Unmarshal(e["findings"], &findings); err != nil {
					t.Fatal(err)
				}
				for _, f := range findings {
					hasFields(t, f)
				}
				agrees(t, &doc.Episodes[i])
			}
		})
	}
}

func hasFields(t *testing.T, object map[string]json.RawMessage) {
	t.Helper()
	for _, name := range recoveryFields {
		if got, ok := object[name]; !ok || string(got) == "null" {
			t.Errorf("%s is %s", name, got)
		}
	}
}

// agrees checks that a report does not contradict itself.
func agrees(t *testing.T, e *report.EpisodeRecovery) {
	t.Helper()
	all := []report.Recovery{e.Recovery}
	for _, f := range e.Findings {
		all = append(all, f.Recovery)
	}
	for _, r := range all {
		if r.Verified != (len(r.Reasons) == 0) {
			t.Errorf("verified %v, with reasons %q against it", r.Verified, r.Reasons)
		}
		for _, s := range r.Reasons {
			if !strings.HasSuffix(s, ".") {
				t.Errorf("reason %q is no sentence", s)
			}
		}
		for _, l := range r.Looks {
			if !slices.Contains(r.Plan, l.Action) {
				t.Errorf("look %s is not in the plan", l.Action)
			}
		}
	}
	if code, want := recoveryCode(e), map[bool]int{true: exitFound}[e.Wrong()]; e.AllVerified() && code != want {
		t.Errorf("exit code %d, want %d", code, want)
	}
}

// recoverEvery thins the trajectories out to about fifty.
const recoverEvery = 40

// Logs of other projects are recovered from without error.
func TestRecoverShared(t *testing.T) {
	r := newReasoner(t)
	t.Run("REFLECT", func(t *testing.T) {
		dir := sharedPath(t, "reflect")
		logs, err := logs.Find(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range logs {
			for _, e := range remedied(t, r, path).Episodes {
				if !e.Wrong() {
					t.Errorf("%s: nothing is wrong", e.ID)
				}
				agrees(t, &e)
			}
		}
	})
	t.Run("ALFRED", func(t *testing.T) {
		dir := sharedPath(t, "alfred")
		files, _ := filepath.Glob(dir + "/*.alfred.jsonl")
		if len(files) == 0 {
			t.Skipf("no trajectories in %s", dir)
		}
		ts, err := alfred.ReadTrajectories(files[0])
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for i := 0; i < len(ts); i += recoverEvery {
			// As it was, and without one of its interactions.
			cut, at := alfred.DeleteOne(&ts[i], 1)
			whole := replayed(t, r, files[0], &ts[i])
			if code := recoveryCode(&whole); code != 0 {
				t.Errorf("%s: exit code %d for a success", whole.ID, code)
			}
			agrees(t, &whole)
			if at < 0 {
				continue
			}
			n++
			part := replayed(t, r, files[0], cut)
			agrees(t, &part)
		}
		if n < 30 {
			t.Errorf("%d trajectories with an interaction less, want at least 30", n)
		}
	})
}

// replayed is a trajectory as an episode, with its recovery.
func replayed(t *testing.T, r *engine.Reasoner, file string, tr *alfred.Trajectory) report.EpisodeRecovery {
	t.Helper()
	ep, err := alfred.Episode(r.Ontology, file, tr)
	if err != nil {
		t.Fatal(err)
	}
	return remedy(t, r, ep)
}

// A text that goes to a terminal has no control characters of the log in it.
func TestRecoverTextIsClean(t *testing.T) {
	r := newReasoner(t)
	path := filepath.Join(t.TempDir(), "odd.jsonl")
	log := `{"mishap":1,"id":"odd\u001b[31m","task":"\u001b[2J","goal_conditions":[["Apple-1","inside","Bowl-1"]]}
{"step":1,"action":"(pick_up, Apple-1)","observation":{"nodes":[{"id":"Apple-1","class":"Apple"},{"id":"Bowl-1","class":"Bowl"}],"edges":[["Apple-1","inside","RobotGripper-1"]]}}
{"step":2,"action":"(navigate_to_obj, Bowl-1)","observation":{"nodes":[{"id":"Bowl-1","class":"Bowl"}]}}
`
	if err := os.WriteFile(path, []byte(log), 0o644); err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	for _, e := range remedied(t, r, path).Episodes {
		if err := e.Text(&text, report.Style{}, true); err != nil {
			t.Fatal(err)
		}
	}
	if strings.Contains(text.String(), "\x1b") {
		t.Errorf("escape characters in %q", text.String())
	}
}
