package main

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/pack"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/ruletest"
	"github.com/mishap-robotics/mishap/ontology"
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
	base, err := k.base(rules.ShippedTests, (*pack.Stack).Tests)
	if err != nil {
		return nil, err
	}
	documents, err := collect("rules", base, nil, k.ruleDirs, k.onlyRules, rules.ReadTests)
	if err != nil {
		return nil, err
	}
	return ruletest.ParseAll(o, documents)
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
	var cover *engine.Coverage // to count costs more than the tests
	if t.coverage {
		cover = engine.NewCoverage()
	}
	results, err := ruletest.RunAll(ctx, r, tests, only, cover)
	if err != nil {
		return err
	}
	if len(results) == 0 {
		return fmt.Errorf("no rule test matches %q", t.pattern)
	}
	return t.report(r, results, cover)
}

// own lists the clauses of the files that --rules names and of the packs, all where there
// are none of either.
func (t *ruleTesting) own(p *rules.Program) ([]*rules.Clause, error) {
	if len(t.ruleDirs) == 0 && !t.hasPacks() {
		return p.Clauses, nil
	}
	names := map[string]bool{}
	if t.hasPacks() {
		for _, given := range t.stack.Given() {
			for _, d := range given.Rules {
				names[d.Name] = true
			}
		}
	}
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

func (t *ruleTesting) report(r *engine.Reasoner, results []*ruletest.TestResult, cover *engine.Coverage) error {
	own, err := t.own(r.Rules())
	if err != nil {
		return err
	}
	out := report.NewRuleTests(results)
	if t.coverage {
		out.Cover(own, cover)
	}
	switch t.format {
	case "text":
		err = out.Text(stdout)
	case "json":
		err = report.JSON(stdout, out)
	case "junit":
		err = out.JUnit(stdout)
	}
	switch {
	case err != nil:
		return err
	case out.Errors > 0:
		return exit{exitBad}
	case out.Failed > 0:
		return exit{exitFound}
	}
	return nil
}
