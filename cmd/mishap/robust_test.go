package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/bridge/logs/jsonl"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
)

// A few odd episodes will do, but where the environment asks for the long sets.
func init() {
	if os.Getenv("MISHAP_LONG") == "" {
		flag.Set("rapid.checks", "25")
	}
}

// Lines of the samples taken out, doubled, swapped and mixed make odd but
// readable episodes: checking and watching them never panics, tells the same
// twice, and keeps to the contract.
func TestOddEpisodes(t *testing.T) {
	t.Parallel()
	r := newReasoner(t)
	var headers, steps []string
	for _, path := range sampleFiles(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(string(data)), "\n")
		headers = append(headers, lines[0])
		steps = append(steps, lines[1:]...)
	}
	check := func(text string) (report.LogResults[report.Episode], error) {
		eps, err := jsonl.Read(r.Ontology, "odd.jsonl", strings.NewReader(text))
		if err != nil {
			return report.LogResults[report.Episode]{}, err
		}
		res, err := r.Check(context.Background(), eps[0])
		if err != nil {
			return report.LogResults[report.Episode]{}, err
		}
		return report.LogResults[report.Episode]{Episodes: []report.Episode{report.NewEpisode(res)}}, nil
	}
	rapid.Check(t, func(t *rapid.T) {
		lines := []string{rapid.SampledFrom(headers).Draw(t, "header")}
		start := rapid.IntRange(0, len(steps)-1).Draw(t, "start")
		for i := range rapid.IntRange(1, 15).Draw(t, "steps") {
			line := steps[(start+i)%len(steps)]
			if rapid.IntRange(0, 4).Draw(t, "odd") == 0 {
				line = rapid.SampledFrom(steps).Draw(t, "step")
			}
			_, rest, _ := strings.Cut(line, ",")
			if strings.Contains(rest, `"action"`) {
				lines = append(lines, `{"step": `+strconv.Itoa(i+1)+`,`+rest)
			}
		}
		if len(lines) < 2 {
			return
		}
		text := strings.Join(lines, "\n")
		first, err := check(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		second, _ := check(text)
		var a, b bytes.Buffer
		first.JSON(&a)
		second.JSON(&b)
		if diff := cmp.Diff(a.String(), b.String()); diff != "" {
			t.Fatalf("two runs differ:\n%s\n%s", diff, text)
		}
		eps, err := jsonl.Read(r.Ontology, "odd.jsonl", strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		header := *eps[0]
		m := r.Watch(&header, engine.Limits{}, nil)
		for _, st := range eps[0].Steps {
			if _, err := m.Step(context.Background(), st); err != nil {
				t.Fatalf("watched: %v\n%s", err, text)
			}
		}
		res, _, err := m.Finish(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if got := report.NewEpisode(res); len(got.Findings) != len(first.Episodes[0].Findings) {
			t.Fatalf("watched %d findings, checked %d\n%s", len(got.Findings), len(first.Episodes[0].Findings), text)
		}
		last := -1
		for _, f := range first.Episodes[0].Findings {
			if int(f.Step) < last {
				t.Fatalf("findings are not in order of time:\n%s", text)
			}
			last = int(f.Step)
			if f.CauseStep > f.Step && f.CauseStep != f.Step+1 { // a plan that stops too soon
				t.Fatalf("cause %d after step %d\n%s", f.CauseStep, f.Step, text)
			}
			if f.Explanation == "" || f.Rule == "" || len(f.Evidence) == 0 || f.CauseWindow[0] > f.CauseStep || f.CauseWindow[1] < f.CauseStep {
				t.Fatalf("finding %+v\n%s", f, text)
			}
		}
	})
}
