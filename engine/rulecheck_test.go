package engine_test

import (
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/episodetest"
	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/engine/internal/inference"
	"github.com/mishap-robotics/mishap/engine/internal/inference/datalog"
	"github.com/mishap-robotics/mishap/engine/internal/planfault"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/rules"
)

// found is what the lines of a sample say of themselves, by place.
var found = regexp.MustCompile(`(?:%|#) found: (.*)$`)

// checkSample checks a sample beside the shipped rules and ontology and returns
// what it found in the sample's own files.
func checkSample(t *testing.T, docs []document.Document) rules.Problems {
	t.Helper()
	onto, program := ontology.Shipped(), rules.Shipped()
	names := map[string]bool{}
	tested := []string{}
	for _, d := range docs {
		names[d.Name] = true
		switch filepath.Ext(d.Name) {
		case ".ttl":
			onto = append(onto, d)
		case ".pl":
			program = append(program, d)
		case ".test":
			for _, line := range strings.Split(string(d.Data), "\n") {
				if rest, ok := strings.CutPrefix(line, "expect: "); ok {
					tested = append(tested, strings.Fields(rest)[0])
				}
			}
		}
	}
	o, _, err := ontology.Parse(onto)
	if err != nil {
		t.Fatal(err)
	}
	p, problems := rules.Read(program)
	problems = append(problems, p.Check(o, fact.Vocabulary(), tested)...)
	var own rules.Problems
	for _, problem := range problems {
		if names[problem.Pos.File] {
			own = append(own, problem)
		}
	}
	return own
}

// Every kind of mistake has a sample with each expected message on its line, and
// a twin without a mistake.
func TestMistakes(t *testing.T) {
	for _, m := range rules.Mistakes() {
		t.Run(m.ID, func(t *testing.T) {
			bad, good := m.Sample("bad"), m.Sample("good")
			if len(bad) == 0 || len(good) == 0 {
				t.Fatalf("%d files of the bad sample, %d of the good; want both", len(bad), len(good))
			}
			problems := checkSample(t, bad)
			unseen := map[*rules.Problem]bool{}
			of := 0
			for _, p := range problems {
				unseen[p] = true
				if p.Mistake == m {
					of++
				}
			}
			if of == 0 {
				t.Error("the sample does not show the mistake")
			}
			for _, d := range bad {
				for i, line := range strings.Split(string(d.Data), "\n") {
					want := found.FindStringSubmatch(line)
					if want == nil {
						continue
					}
					ok := false
					for p := range unseen {
						if p.Pos.File == d.Name && p.Pos.Line == i+1 && strings.HasPrefix(p.Msg, want[1]) {
							ok = true
							delete(unseen, p)
						}
					}
					if !ok {
						t.Errorf("%s:%d: no problem %q among\n%v", d.Name, i+1, want[1], problems)
					}
				}
			}
			for p := range unseen {
				t.Errorf("the sample does not say: %v", p)
			}
			for _, p := range checkSample(t, good) {
				t.Errorf("in the good twin: %v", p)
			}
			if page := m.Explain(); !strings.Contains(page, m.Title) || !strings.Contains(page, "Wrong, ") || !strings.Contains(page, "Right, ") {
				t.Errorf("page %q", page)
			}
		})
	}
}

// The shipped rules have no mistake but what rule tests would tell; so they are not checked
// at each start.
func TestShippedRulesAreSound(t *testing.T) {
	if !rules.Default().Checked(ontology.Default()) || rules.Default().Without(func(*rules.Clause) bool { return false }).Checked(ontology.Default()) {
		t.Error("what is checked is the built-in program alone")
	}
	for _, p := range rules.Default().Check(ontology.Default(), fact.Vocabulary(), nil) {
		t.Error(p.Detail())
	}
}

// Whatever parses is checked without a panic, and what passes the check runs:
// the prover ends within its limits on an episode.
func FuzzRuleCheck(f *testing.F) {
	for _, d := range rules.Shipped() {
		f.Add(string(d.Data))
	}
	for _, m := range rules.Mistakes() {
		for _, twin := range []string{"bad", "good"} {
			for _, d := range m.Sample(twin) {
				if filepath.Ext(d.Name) == ".pl" {
					f.Add(string(d.Data))
				}
			}
		}
	}
	o := ontology.Default()
	trace := belief.Follow(o, episodetest.Parse(f, o, washing))
	x := fact.Build(trace, nil)
	x.AddFaults(planfault.Find(trace)...)
	f.Fuzz(func(t *testing.T, src string) {
		p, problems := rules.Read([]document.Document{{Name: "f.pl", Data: []byte(src)}})
		problems = append(problems, p.Check(o, fact.Vocabulary(), nil)...)
		for _, problem := range problems {
			if problem.Detail() == "" || problem.Pos.Line < 1 {
				t.Fatalf("problem without a place: %v", problem)
			}
		}
		if len(problems.Errors()) > 0 {
			return
		}
		pr := &inference.Prover{Program: p, Index: x, Limit: 20_000, Bytes: 4 << 20}
		err := pr.Failures(context.Background(), func(inference.Conclusion) bool { return true })
		if err != nil && strings.Contains(err.Error(), "not known") {
			t.Fatalf("checked rules call something unknown: %v", err)
		}
		compiled := datalog.Compile(p, o)
		if plans := compiled.Plans(); len(plans) != len(p.Clauses) {
			t.Fatalf("%d plans of %d clauses", len(plans), len(p.Clauses))
		}
		interpreted := map[*rules.Clause]int{}
		fast := map[*rules.Clause]int{}
		for _, c := range p.FailureRules() {
			if r := compiled.Rule(c); r.Reason != nil {
				continue
			}
			for into, with := range map[*map[*rules.Clause]int]*datalog.Program{&interpreted: nil, &fast: compiled} {
				one := &inference.Prover{Program: p, Index: x, Limit: 20_000, Bytes: 4 << 20, Compiled: with}
				err := one.Prove(context.Background(), c, 2, func(inference.Conclusion) bool { (*into)[c]++; return true })
				if err != nil {
					(*into)[c] = -1
				}
			}
			if n := interpreted[c]; n >= 0 && n != fast[c] {
				t.Fatalf("%v concludes %d times interpreted, %d times compiled", c, n, fast[c])
			}
		}
	})
}
