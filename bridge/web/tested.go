package web

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/ruletest"
	"github.com/mishap-robotics/mishap/rules"
)

// tested is what the tests of rules tell.
type tested struct {
	results []*ruletest.TestResult
	clauses map[*rules.Clause]covered // that conclude failures
}

// test runs the tests of rules, nil where there are none or they do not run.
func (s *Server) test() *tested {
	if len(s.Tests) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), JudgingTime)
	defer cancel()
	cover := engine.NewCoverage()
	results, err := ruletest.RunAll(ctx, s.Library.Reasoner, s.Tests, regexp.MustCompile(""), cover)
	if err != nil {
		s.logf("tests of rules: %v", err)
		return nil
	}
	t := &tested{results, map[*rules.Clause]covered{}}
	for _, c := range s.Library.Reasoner.Rules().FailureRules() {
		t.clauses[c] = coveredOf(c, cover)
	}
	return t
}

// of are the tests that expect a class.
func (t *tested) of(class string) (out []testText) {
	for _, r := range t.results {
		if !slices.ContainsFunc(r.Test.Expects, func(e ruletest.Expectation) bool { return e.Class == class && !e.Not }) {
			continue
		}
		one := testText{Name: r.Test.Name, Place: fmt.Sprintf("%s:%d", r.Test.File, r.Test.Line), Text: strings.TrimSpace(r.Test.Script)}
		if r.Err != nil {
			one.Failed = r.Err.Error()
		} else if !r.Passed() {
			one.Failed = word("knowledge.failed") + " " + strings.Join(r.Found, "; ")
		}
		if one.Text == "" {
			for _, f := range r.Test.Facts {
				one.Text += f.String() + "\n"
			}
		}
		for _, e := range r.Test.Expects {
			one.Text += "\nexpect: " + e.String()
		}
		out = append(out, one)
	}
	return out
}

// testText is a test as it is shown.
type testText struct{ Name, Place, Text, Failed string }

// covered is how many conditions of a clause the tests saw both hold and fail.
type covered struct {
	Concluded           int // how often
	Covered, Conditions int
	Lacks               []string
}

func coveredOf(c *rules.Clause, cover *engine.Coverage) (out covered) {
	of := cover.Of(c)
	out.Concluded, out.Conditions = of.Concluded, len(c.Body)
	for i, g := range c.Body {
		switch {
		case of.Held[i] == 0:
			out.Lacks = append(out.Lacks, word("knowledge.neverheld")+" "+g.String())
		case of.Failed[i] == 0:
			out.Lacks = append(out.Lacks, word("knowledge.neverfailed")+" "+g.String())
		default:
			out.Covered++
		}
	}
	return out
}
