package try

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/rules"
)

var bench = sync.OnceValue(func() *Bench { return &Bench{Ontology: ontology.Shipped(), Rules: rules.Shipped()} })

func sample(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "episodes", name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func judge(t *testing.T, d Draft) *Answer {
	t.Helper()
	a, err := bench().Judge(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// summary tells of an answer in a line: problems, findings that are new (+), as they were
// (=) and gone (-).
func summary(a *Answer) string {
	var out []string
	for _, p := range a.Problems {
		out = append(out, p.Part+":"+p.Severity+":"+p.Check)
	}
	for _, e := range a.Episodes {
		for i, f := range e.Findings {
			sign := "="
			if e.New[i] {
				sign = "+"
			}
			out = append(out, sign+f.Type)
		}
		for _, f := range e.Gone {
			out = append(out, "-"+f.Type)
		}
	}
	if len(a.Cut) > 0 {
		out = append(out, "cut")
	}
	return strings.Join(out, " ")
}

func TestJudge(t *testing.T) {
	log := sample(t, "consequence")
	documents := rules.Shipped()
	dropping := string(documents[slices.IndexFunc(documents, func(d document.Document) bool { return d.Name == "rules/dropping.pl" })].Data)
	slip := "failure('DroppingObjFailure', S, S, [O]) :- action(S, pick_up), target(S, O)."
	for _, tt := range []struct {
		name  string
		draft Draft
		want  string
	}{
		{"a log alone", Draft{Log: log}, "=DroppingObjFailure"},
		{"nothing", Draft{}, ""},
		{"a rule that finds more", Draft{Log: log, Rules: "failure('BlockedObjectFailure', S, S, [O]) :- action(S, open_obj), target(S, O)."}, "=DroppingObjFailure +BlockedObjectFailure"},
		{"a file with other rules", Draft{Log: log, Rules: strings.Replace(dropping, "failure('DroppingObjFailure', S, S, [O]) :- dropped(S, O), \\+ falls_later(S, _), \\+ carried_in(S, O, _), \\+ taken_from_under(S, _, _, _), \\+ landed_in(S, O, _, _).", "", 1), RulesName: "rules/dropping.pl"}, "+ActionExecutionFailure -DroppingObjFailure"},
		{"no rule", Draft{Log: log, Rules: "failure('BlockedObjectFailure', S"}, "rules:error:syntax"},
		{"an unknown class", Draft{Log: log, Rules: strings.Replace(slip, "Dropping", "Droping", 1)}, "rules:error:unknown-name"},
		{"a variable that stands once", Draft{Log: log, Rules: "p(S) :- action(S, X)."}, "rules:warning:singleton-variable =DroppingObjFailure"},
		{"an unknown term", Draft{Log: log, Ontology: prefixes + `m:Jug2 a owl:Class ; rdfs:subClassOf m:Pott ; rdfs:label "jug two" ; rdfs:comment "A jug." .`}, "ontology:error:"},
		{"no Turtle", Draft{Log: log, Ontology: prefixes + "m:Jug2 a"}, "ontology:error:"},
		{"no log", Draft{Log: "what is this"}, "log:error:"},
		{"a line that is none", Draft{Log: log + "{\"step\": 3\n"}, "log:warning: =DroppingObjFailure"},
		{"a rule that never ends", Draft{Log: log, Rules: forever}, "=DroppingObjFailure cut"},
	} {
		a := judge(t, tt.draft)
		if got := summary(a); got != tt.want {
			t.Errorf("%s: %q, want %q\n%v %v", tt.name, got, tt.want, a.Problems, a.Cut)
		}
	}
}

// Problems stand where they are in what is being written, not in the log with its prefixes.
func TestPlaces(t *testing.T) {
	a := judge(t, Draft{Rules: "\n\np(S) :- action(S, X).", Ontology: prefixes + "\nm:Jug2 a"})
	var got []string
	for _, p := range a.Problems {
		got = append(got, fmt.Sprintf("%s:%d:%d", p.Part, p.Line, p.Column))
	}
	if want := []string{"ontology:5:0", "rules:3:19"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if _, err := bench().Judge(context.Background(), Draft{Log: strings.Repeat(" ", MaxDraft+1)}); err == nil {
		t.Error("a draft that is too large is judged")
	}
	over, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := bench().Judge(over, Draft{Log: sample(t, "consequence")}); !errors.Is(err, context.Canceled) {
		t.Errorf("of a context that is over: %v", err)
	}
}

const prefixes = "@prefix m: <https://mishap-robotics.github.io/ontology#> .\n@prefix owl: <http://www.w3.org/2002/07/owl#> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"

const forever = `failure('DroppingObjFailure', S, S, [O]) :- action(S, pick_up), target(S, O), goes_on(o(S)).
goes_on(X) :- goes_on(o(X)).
`
