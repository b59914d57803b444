//go:build !js

package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/ruletest"
	"github.com/mishap-robotics/mishap/rules"
)

// RuleTests is what became of tests of rules. Scripts rely on its field names.
type RuleTests struct {
	Coverage []ClauseCoverage `json:"coverage,omitzero"` // nil where it was not asked for
	Tests    []RuleTest       `json:"tests"`
	Failed   int              `json:"-"` // how many did not pass, with those that could not be run
	Errors   int              `json:"-"` // how many could not be run
	results  []*ruletest.TestResult
}

// RuleTest is what became of one test.
type RuleTest struct {
	Name     string   `json:"name"`
	File     string   `json:"file"`
	Line     int      `json:"line"`
	Passed   bool     `json:"passed"`
	Error    string   `json:"error,omitempty"` // why it could not be run
	Expected []string `json:"expected"`
	Findings []string `json:"findings"`
}

// NewRuleTests is the report of the results of tests.
func NewRuleTests(results []*ruletest.TestResult) *RuleTests {
	out := &RuleTests{Tests: []RuleTest{}, results: results}
	for _, r := range results {
		test := RuleTest{Name: r.Test.Name, File: r.Test.File, Line: r.Test.Line, Passed: r.Passed(), Expected: []string{}, Findings: append([]string{}, r.Found...)}
		if !test.Passed {
			out.Failed++
		}
		if r.Err != nil {
			test.Error = r.Err.Error()
			out.Errors++
		}
		for i := range r.Test.Expects {
			test.Expected = append(test.Expected, expectationText(&r.Test.Expects[i]))
		}
		out.Tests = append(out.Tests, test)
	}
	return out
}

func expectationText(e *ruletest.Expectation) string {
	if e.Not {
		return "not " + e.String()
	}
	return e.String()
}

// Cover adds what the tests reached of some clauses.
func (t *RuleTests) Cover(clauses []*rules.Clause, cover *engine.Coverage) {
	t.Coverage = newCoverage(clauses, cover)
}

// Text writes what each failed test expected and what was found, counts the tests, and
// lists what they reached where that was asked for.
func (t *RuleTests) Text(w io.Writer) error {
	var b strings.Builder
	for _, r := range t.results {
		b.WriteString(failureText(r))
	}
	fmt.Fprintf(&b, "%s, %d failed\n", count(len(t.results), "test"), t.Failed)
	if t.Coverage != nil {
		writeCoverage(&b, t.Coverage)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// failureText shows what a failed test expected and what was found, side by side.
func failureText(r *ruletest.TestResult) string {
	if r.Passed() {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "FAIL %s:%d: %s\n", r.Test.File, r.Test.Line, r.Test.Name)
	if r.Err != nil {
		fmt.Fprintf(&b, "    %v\n", r.Err)
		return b.String()
	}
	var findings, conclusions []string
	for i := range r.Test.Expects {
		e := &r.Test.Expects[i]
		line := marked(slices.Contains(r.Wrong, e), expectationText(e))
		if e.Conclusions {
			conclusions = append(conclusions, line)
		} else {
			findings = append(findings, line)
		}
	}
	var found, concluded []string
	for _, f := range r.Found {
		found = append(found, marked(slices.Contains(r.Extra, f), f))
	}
	for _, c := range r.Proved {
		concluded = append(concluded, marked(false, c))
	}
	sideBySide(&b, "expected findings", findings, found)
	sideBySide(&b, "expected conclusions", conclusions, concluded)
	return b.String()
}

// marked sets a line off where it is not as it should be.
func marked(wrong bool, line string) string {
	if wrong {
		return "! " + line
	}
	return "  " + line
}

// sideBySide writes what was expected and what was found in two columns, nothing where
// nothing was expected.
func sideBySide(b *strings.Builder, head string, expected, found []string) {
	if len(expected) == 0 {
		return
	}
	width := len(head)
	for _, l := range expected {
		width = max(width, len(l))
	}
	fmt.Fprintf(b, "    %-*s  | %s\n", width, head, "found")
	for i := range max(len(expected), len(found)) {
		left, right := "", ""
		if i < len(expected) {
			left = expected[i]
		}
		if i < len(found) {
			right = found[i]
		}
		b.WriteString(strings.TrimRight(fmt.Sprintf("    %-*s  | %s", width, left, right), " ") + "\n")
	}
}

// The form of JUnit, which CI servers read.
type (
	junitSuite struct {
		XMLName  xml.Name    `xml:"testsuite"`
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		Failure *junitMessage `xml:"failure,omitempty"`
		Error   *junitMessage `xml:"error,omitempty"`
	}
	junitMessage struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// JUnit writes the results as JUnit does.
func (t *RuleTests) JUnit(w io.Writer) error {
	s := junitSuite{Name: "mishap rules", Tests: len(t.results), Failures: t.Failed - t.Errors, Errors: t.Errors}
	for _, r := range t.results {
		c := junitCase{Name: r.Test.Name, Class: r.Test.File}
		switch {
		case r.Err != nil:
			c.Error = &junitMessage{r.Err.Error(), failureText(r)}
		case !r.Passed():
			c.Failure = &junitMessage{"not as expected", failureText(r)}
		}
		s.Cases = append(s.Cases, c)
	}
	data, err := xml.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, data)
	return err
}
