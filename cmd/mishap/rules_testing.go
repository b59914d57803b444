package main

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/ruletest"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/rules"
)

func newRulesTest(k *knowledge) *cobra.Command {
	t := &ruleTesting{knowledge: k}
	c := &cobra.Command{
		Use:   "test",
		Short: "Run the tests of rules",
		Long: `Run the tests that stand beside the rules in files *.test: each an episode in a
few lines, or a few facts, and the findings expected.

  test: a held mug is gone
  0 | Mug-1 on_top_of CounterTop-1
  1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1
  2 (navigate_to_obj, Sink-1) | Sink-1
  expect: DroppingObjFailure at 2 Mug-1

--coverage lists which clauses concluded and which conditions held and failed, of
your own rules where --rules names some.

Exit code: 0 all pass, 1 at least one does not, 2 the call or a test is bad.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return t.run(c.Context()) },
	}
	c.Flags().StringVar(&t.pattern, "run", "", "run the tests whose file and name match this regular expression")
	c.Flags().BoolVar(&t.coverage, "coverage", false, "list what the tests reached")
	c.Flags().StringVar(&t.format, "format", "text", "text, json or junit")
	return c
}

type ruleTesting struct {
	*knowledge
	pattern, format string
	coverage        bool
}

// ruleTests reads the tests beside the rules.
func (k *knowledge) ruleTests(o *ontology.Ontology) ([]*ruletest.Test, error) {
	documents, err := collect("rules", rules.ShippedTests(), k.ruleDirs, k.onlyRules, rules.ReadTests)
	if err != nil {
		return nil, err
	}
	return parseTests(o, documents)
}

func parseTests(o *ontology.Ontology, documents []document.Document) ([]*ruletest.Test, error) {
	var out []*ruletest.Test
	for _, d := range documents {
		tests, err := ruletest.Parse(o, d)
		if err != nil {
			return nil, err
		}
		out = append(out, tests...)
	}
	return out, nil
}

func (t *ruleTesting) run(ctx context.Context) error {
	if !slices.Contains([]string{"text", "json", "junit"}, t.format) {
		return fmt.Errorf("--format %q; expected text, json or junit", t.format)
	}
	if t.coverage && t.format == "junit" {
		return fmt.Errorf("--coverage with --format junit; expected text or json")
	}
	only, err := regexp.Compile(t.pattern)
	if err != nil {
		return fmt.Errorf("--run %q is no regular expression: %w", t.pattern, err)
	}
	r, err := t.reasoner()
	if err != nil {
		return err
	}
	tests, err := t.ruleTests(r.Ontology)
	if err != nil {
		return err
	}
	cover := engine.NewCoverage()
	var results []*ruletest.Result
	for _, test := range tests {
		if !only.MatchString(test.File + ": " + test.Name) {
			continue
		}
		result := ruletest.Run(ctx, r, test, cover)
		if result.Err != nil && ctx.Err() != nil {
			return ctx.Err()
		}
		results = append(results, result)
	}
	if len(results) == 0 {
		return fmt.Errorf("no rule test matches %q", t.pattern)
	}
	return t.report(r, results, cover)
}

// own lists the clauses of the files that --rules names, all where it names none.
func (t *ruleTesting) own(p *rules.Program) ([]*rules.Clause, error) {
	if len(t.ruleDirs) == 0 {
		return p.Clauses, nil
	}
	names := map[string]bool{}
	for _, dir := range t.ruleDirs {
		documents, err := rules.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, d := range documents {
			names[d.Name] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(p.Clauses), func(c *rules.Clause) bool { return !names[c.Pos.File] }), nil
}

func (t *ruleTesting) report(r *engine.Reasoner, results []*ruletest.Result, cover *engine.Coverage) error {
	own, err := t.own(r.Rules())
	if err != nil {
		return err
	}
	failed, bad := 0, 0
	for _, result := range results {
		if !result.Passed() {
			failed++
		}
		if result.Err != nil {
			bad++
		}
	}
	switch t.format {
	case "text":
		for _, result := range results {
			fmt.Print(failure(result))
		}
		fmt.Printf("%s, %d failed\n", report.Count(len(results), "test"), failed)
		if t.coverage {
			fmt.Print(coverageText(covered(own, cover)))
		}
	case "json":
		err = printJSON(testReport(own, results, cover, t.coverage))
	case "junit":
		err = printJUnit(results, failed)
	}
	switch {
	case err != nil:
		return err
	case bad > 0:
		return exit{exitBad}
	case failed > 0:
		return exit{exitFound}
	}
	return nil
}

func printJSON(v any) error {
	enc := json.NewEncoder(os.Stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// failure shows what a failed test expected and what was found, side by side.
func failure(r *ruletest.Result) string {
	if r.Passed() {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "FAIL %s:%d: %s\n", r.Test.File, r.Test.Line, r.Test.Name)
	if r.Err != nil {
		fmt.Fprintf(&b, "    %v\n", r.Err)
		return b.String()
	}
	sides := func(conclusions bool, found []string, kind string) {
		var left []string
		for i := range r.Test.Expects {
			e := &r.Test.Expects[i]
			if e.Conclusions != conclusions {
				continue
			}
			line := e.String()
			if e.Not {
				line = "not " + line
			}
			if slices.Contains(r.Wrong, e) {
				line = "! " + line
			} else {
				line = "  " + line
			}
			left = append(left, line)
		}
		if len(left) == 0 {
			return
		}
		var right []string
		for _, f := range found {
			mark := "  "
			if !conclusions && slices.Contains(r.Extra, f) {
				mark = "! "
			}
			right = append(right, mark+f)
		}
		width := len("expected " + kind)
		for _, l := range left {
			width = max(width, len(l))
		}
		fmt.Fprintf(&b, "    %-*s  | %s\n", width, "expected "+kind, "found")
		for i := range max(len(left), len(right)) {
			l, f := "", ""
			if i < len(left) {
				l = left[i]
			}
			if i < len(right) {
				f = right[i]
			}
			b.WriteString(strings.TrimRight(fmt.Sprintf("    %-*s  | %s", width, l, f), " ") + "\n")
		}
	}
	sides(false, r.Found, "findings")
	sides(true, r.Proved, "conclusions")
	return b.String()
}

// clauseCoverage is the coverage of one clause as reports show it.
type clauseCoverage struct {
	Clause     string              `json:"clause"`
	Rule       string              `json:"rule"`
	Concluded  int                 `json:"concluded"`
	Conditions []conditionCoverage `json:"conditions"`
}

type conditionCoverage struct {
	Condition string `json:"condition"`
	Line      int    `json:"line"`
	Held      int    `json:"held"`
	Failed    int    `json:"failed"`
}

func covered(clauses []*rules.Clause, cover *engine.Coverage) []clauseCoverage {
	out := []clauseCoverage{}
	for _, c := range clauses {
		cc := cover.Of(c)
		entry := clauseCoverage{Clause: fmt.Sprintf("%s:%d", c.Pos.File, c.Pos.Line), Rule: c.Head.String(), Concluded: cc.Concluded, Conditions: []conditionCoverage{}}
		for i, g := range c.Body {
			entry.Conditions = append(entry.Conditions, conditionCoverage{g.String(), g.Pos.Line, cc.Held[i], cc.Failed[i]})
		}
		out = append(out, entry)
	}
	return out
}

// coverageText lists every clause, and under it the conditions that no test saw
// hold or fail.
func coverageText(all []clauseCoverage) string {
	var b strings.Builder
	clauses, conditions, both := 0, 0, 0
	b.WriteString("\nconcluded  clause\n")
	for _, c := range all {
		if c.Concluded > 0 {
			clauses++
		}
		fmt.Fprintf(&b, "%9d  %s  %s\n", c.Concluded, c.Clause, c.Rule)
		for _, cond := range c.Conditions {
			conditions++
			switch {
			case cond.Held > 0 && cond.Failed > 0:
				both++
				continue
			case cond.Held == 0 && cond.Failed == 0:
				fmt.Fprintf(&b, "%9s  line %d: no test reached %s\n", "", cond.Line, cond.Condition)
			case cond.Held == 0:
				fmt.Fprintf(&b, "%9s  line %d: never held: %s\n", "", cond.Line, cond.Condition)
			default:
				fmt.Fprintf(&b, "%9s  line %d: never failed: %s\n", "", cond.Line, cond.Condition)
			}
		}
	}
	fmt.Fprintf(&b, "%d of %d clauses concluded (%s), %d of %d conditions held and failed (%s)\n",
		clauses, len(all), percent(clauses, len(all)), both, conditions, percent(both, conditions))
	return b.String()
}

func testReport(own []*rules.Clause, results []*ruletest.Result, cover *engine.Coverage, withCoverage bool) any {
	type test struct {
		Name     string   `json:"name"`
		File     string   `json:"file"`
		Line     int      `json:"line"`
		Passed   bool     `json:"passed"`
		Error    string   `json:"error,omitempty"`
		Expected []string `json:"expected"`
		Findings []string `json:"findings"`
	}
	tests := []test{}
	for _, r := range results {
		entry := test{Name: r.Test.Name, File: r.Test.File, Line: r.Test.Line, Passed: r.Passed(), Expected: []string{}, Findings: append([]string{}, r.Found...)}
		if r.Err != nil {
			entry.Error = r.Err.Error()
		}
		for i := range r.Test.Expects {
			e := &r.Test.Expects[i]
			text := e.String()
			if e.Not {
				text = "not " + text
			}
			entry.Expected = append(entry.Expected, text)
		}
		tests = append(tests, entry)
	}
	out := map[string]any{"tests": tests}
	if withCoverage {
		out["coverage"] = covered(own, cover)
	}
	return out
}

func printJUnit(results []*ruletest.Result, failed int) error {
	type message struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
	type testcase struct {
		Name    string   `xml:"name,attr"`
		Class   string   `xml:"classname,attr"`
		Failure *message `xml:"failure,omitempty"`
		Error   *message `xml:"error,omitempty"`
	}
	type suite struct {
		XMLName  xml.Name   `xml:"testsuite"`
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Errors   int        `xml:"errors,attr"`
		Cases    []testcase `xml:"testcase"`
	}
	s := suite{Name: "mishap rules", Tests: len(results)}
	for _, r := range results {
		c := testcase{Name: r.Test.Name, Class: r.Test.File}
		switch {
		case r.Err != nil:
			c.Error = &message{r.Err.Error(), failure(r)}
			s.Errors++
		case !r.Passed():
			c.Failure = &message{"not as expected", failure(r)}
		}
		s.Cases = append(s.Cases, c)
	}
	s.Failures = failed - s.Errors
	data, err := xml.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Printf("%s%s\n", xml.Header, data)
	return err
}
