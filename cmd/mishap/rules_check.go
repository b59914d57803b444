package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/memory"
	"github.com/mishap-robotics/mishap/engine/ruletest"
	"github.com/mishap-robotics/mishap/rules"
)

func newRulesCheck(k *knowledge) *cobra.Command {
	var format string
	var explain bool
	c := &cobra.Command{
		Use:   "check",
		Short: "Report mistakes in rules",
		Long: `Report mistakes in the rules, each with file, line, column, the line with a caret,
and what was probably meant: text that is no rule, undefined predicates, names the
ontology does not know, variables that stand once or have no value where they
need one, recursion through negation, clauses that can never match, and failure
classes without rule, strategy or test. "mishap rules explain-check ID" says more
about each kind.

With --explain-plan it tells for each clause how it is evaluated: compiled, with
the order in which its goals are joined at a given step, what each is looked up by
and how many facts are expected; or interpreted, with the reason.

Exit code: 0 nothing to report, 1 warnings only, 2 errors.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if format != "text" && format != "json" {
				return fmt.Errorf("--format %q; expected text or json", format)
			}
			return checkRules(k, format, explain)
		},
	}
	c.Flags().StringVar(&format, "format", "text", "text or json")
	c.Flags().BoolVar(&explain, "explain-plan", false, "tell how each clause is evaluated")
	return c
}

func checkRules(k *knowledge, format string, explain bool) error {
	o, err := k.loadOntology()
	if err != nil {
		return err
	}
	documents, err := k.ruleDocuments()
	if err != nil {
		return err
	}
	tests, err := k.ruleTests(o)
	if err != nil {
		return err
	}
	p, problems := rules.Read(documents)
	problems = append(problems, p.Check(o, append(engine.Vocabulary(), memory.PredicatesFor(p)...), ruletest.Tested(tests))...)
	problems.Sort()
	if own, err := k.documents(); err == nil {
		problems.ShowLines(own)
	}
	var plans []engine.ClausePlan
	if explain && len(problems.Errors()) == 0 { // rules with errors do not run
		plans = engine.Compile(p, o).Plans()
	}
	out := report.NewRulesCheck(p, problems, plans, len(documents))
	if format == "json" {
		err = report.JSON(stdout, out)
	} else {
		err = out.Text(stdout)
	}
	return cmp.Or(err, verdict(out.Errors, out.Warnings))
}

func newExplainCheck() *cobra.Command {
	return &cobra.Command{
		Use:   "explain-check [ID]",
		Short: "Explain a kind of mistake that rules check reports",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return report.Mistakes(stdout)
			}
			m, ok := rules.MistakeByID(args[0])
			if !ok {
				var ids []string
				for _, m := range rules.Mistakes() {
					ids = append(ids, m.ID)
				}
				return fmt.Errorf("no kind of mistake %q; known are %s", args[0], strings.Join(ids, ", "))
			}
			fmt.Fprint(stdout, m.Explain())
			return nil
		},
	}
}
