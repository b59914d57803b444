package web

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// benchmarkTable is what was counted in one set of episodes.
type benchmarkTable struct {
	Name   string
	Bars   []bar
	Misses []string
}

// bar is a number of how many.
type bar struct {
	Name  string
	N, Of int
	Worse bool // the fewer the better
}

// Percent is the share in percent.
func (b bar) Percent() string {
	if b.Of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(b.N)/float64(b.Of))
}

type benchmarkFile struct {
	Name, Version string
	Tables        []benchmarkTable
}

func (s *Server) benchmarks(w http.ResponseWriter, r *http.Request) error {
	var files []benchmarkFile
	for _, name := range slices.Sorted(maps.Keys(s.Results)) {
		var doc map[string]any
		if err := json.Unmarshal(s.Results[name], &doc); err != nil {
			return fmt.Errorf("results %s: %w", name, err)
		}
		f := benchmarkFile{Name: name, Version: fmt.Sprint(doc["version"])}
		f.gather("", doc)
		files = append(files, f)
	}
	return s.render(w, http.StatusOK, "benchmarks.html", s.layout("/benchmarks", word("page.benchmarks"), files))
}

// counted are the counts that results hold, each with the one that it is a part of.
var counted = []struct {
	part, of string
	worse    bool
}{
	{"detected", "failures", false}, {"class", "failures", false}, {"cause", "failures", false}, {"on_time", "failures", false},
	{"alarmed", "episodes", true}, {"errors", "episodes", true},
	{"foreseen", "foreseeable", false}, {"right_step", "foreseeable", false}, {"in_time", "irreversible", false},
	{"clean_alarms", "clean", true}, {"benign_alarms", "benign", true},
	{"recovered", "episodes", false}, {"verified", "episodes", false}, {"conditions_met", "conditions", false}, {"broken", "episodes", true},
}

// gather collects the counts below a value, by where they stand.
func (f *benchmarkFile) gather(at string, v any) {
	switch v := v.(type) {
	case map[string]any:
		if name, ok := v["name"].(string); ok {
			at = joined(at, name)
		}
		if without, ok := v["without"].(string); ok {
			at += " without " + without
		}
		if rate, ok := v["rate"].(float64); ok {
			at = fmt.Sprintf("%s, %g", at, rate)
		}
		t := tableOf(at, v)
		if len(t.Bars) > 0 {
			f.Tables = append(f.Tables, t)
		} else if len(t.Misses) > 0 { // of what is counted below
			defer f.behind(len(f.Tables), t)
		}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if k == "cells" || k == "cases" { // what makes up the total, one by one
				continue
			}
			below := joined(at, strings.ReplaceAll(k, "_", " "))
			if slices.Contains([]string{"sets", "suites", "methods"}, k) { // each has a name
				below = at
			}
			f.gather(below, v[k])
		}
	case []any:
		for _, x := range v {
			if m, ok := x.(map[string]any); ok {
				f.gather(at, m)
			}
		}
	}
}

// behind puts the misses of a table without bars behind the first one that was gathered below it,
// as the total or the failures, or shows them by themselves where there is none.
func (f *benchmarkFile) behind(from int, t benchmarkTable) {
	if from == len(f.Tables) {
		f.Tables = append(f.Tables, t)
		return
	}
	for i := from; i < len(f.Tables); i++ {
		if first := &f.Tables[i]; strings.HasSuffix(first.Name, "total") || strings.HasSuffix(first.Name, "failed") {
			first.Misses = append(first.Misses, t.Misses...)
			return
		}
	}
	f.Tables[from].Misses = append(f.Tables[from].Misses, t.Misses...)
}

func joined(at, name string) string { return strings.TrimPrefix(at+" · "+name, " · ") }

func tableOf(at string, v map[string]any) benchmarkTable {
	t := benchmarkTable{Name: at}
	for _, c := range counted {
		n, has := v[c.part].(float64)
		of, hasOf := v[c.of].(float64)
		if has && hasOf && of > 0 {
			t.Bars = append(t.Bars, bar{strings.ReplaceAll(c.part, "_", " "), int(n), int(of), c.worse})
		}
	}
	for _, k := range []string{"misses", "missed", "impossible"} {
		list, _ := v[k].([]any)
		for _, m := range list {
			if text := missed(m); text != "" {
				t.Misses = append(t.Misses, text)
			}
		}
	}
	return t
}

// missed tells of an episode that was not judged rightly: what was expected, and what was found.
func missed(v any) string {
	m, ok := v.(map[string]any)
	if !ok {
		text, _ := v.(string)
		return text
	}
	id, _ := m["id"].(string)
	if _, judged := m["truth"]; !judged && m["found"] == nil {
		return id
	}
	out := fmt.Sprintf("%s: %s %s; %s %s", id, word("benchmarks.expected"), classesOf(m["truth"]), word("benchmarks.found"), classesOf(m["found"]))
	if err, _ := m["error"].(string); err != "" {
		out += "; " + err
	}
	return out
}

// classesOf lists the classes of failures with the steps at which they show.
func classesOf(v any) string {
	var out []string
	list, _ := v.([]any)
	for _, x := range list {
		f, _ := x.(map[string]any)
		text, _ := f["class"].(string)
		others, _ := f["classes"].([]any)
		for _, o := range others {
			text += fmt.Sprintf(" / %v", o)
		}
		if step, ok := f["step"].(float64); ok {
			text += fmt.Sprintf(" (%s %v)", word("proof.step"), step)
		}
		out = append(out, text)
	}
	if len(out) == 0 {
		return word("benchmarks.nothing")
	}
	return strings.Join(out, ", ")
}
