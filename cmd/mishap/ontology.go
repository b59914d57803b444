package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/ontology"
)

func newOntology(k *knowledge) *cobra.Command {
	c := &cobra.Command{Use: "ontology", Short: "Check or show the ontology", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() }}
	c.AddCommand(&cobra.Command{
		Use:   "check",
		Short: "Report mistakes in the ontology with file and line",
		Long: `Report undeclared terms, subclass cycles, members of disjoint classes, broken
patterns, and classes without label or comment, each with file and line.

Exit code: 0 nothing to report, 1 warnings only, 2 errors.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return checkOntology(k) },
	}, &cobra.Command{
		Use:   "show NAME",
		Short: "Show a class, action, task or other term",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			o, err := k.loadOntology()
			if err != nil {
				return err
			}
			return showTerm(o, args[0])
		},
	})
	c.AddCommand(newExtend(k))
	return c
}

func checkOntology(k *knowledge) error {
	documents, err := k.documents()
	if err != nil {
		return err
	}
	o, problems, err := ontology.Parse(documents)
	if o == nil {
		return err
	}
	bad := 0
	for _, p := range problems {
		kind := "warning"
		if !p.Warning {
			kind, bad = "error", bad+1
		}
		fmt.Printf("%s: %s: %s\n", p.Pos, kind, p.Msg)
	}
	fmt.Printf("%s in %s: %s\n", report.Count(len(o.Terms), "term"), report.Count(len(documents), "file"), tally(bad, len(problems)))
	return verdict(bad, len(problems))
}

// tally counts the errors and warnings among the problems of a check.
func tally(bad, all int) string {
	return report.Count(bad, "error") + ", " + report.Count(all-bad, "warning")
}

// verdict is the exit code of a check.
func verdict(bad, all int) error {
	switch {
	case bad > 0:
		return exit{exitBad}
	case all > 0:
		return exit{exitFound}
	}
	return nil
}

func showTerm(o *ontology.Ontology, name string) error {
	id, ok := o.Lookup(name)
	if !ok {
		if ids := o.ByLabel(name, o.Core.PhysicalObject); len(ids) > 0 {
			id, ok = ids[0], true
		}
	}
	if !ok {
		var names []string
		for i := range o.Terms {
			names = append(names, o.Terms[i].Name)
		}
		hint := ""
		if near := ontology.Nearest(name, names); near != "" {
			hint = "; did you mean " + near + "?"
		}
		return fmt.Errorf("the ontology has no term %q%s", name, hint)
	}
	fmt.Fprint(os.Stdout, o.Describe(id))
	return nil
}
