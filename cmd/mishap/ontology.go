package main

import (
	"fmt"

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
	out := report.NewOntologyCheck(o, problems, len(documents))
	if err := out.Text(stdout); err != nil {
		return err
	}
	return verdict(out.Errors, out.Warnings)
}

// verdict is the exit code of a check that found errors and warnings.
func verdict(errors, warnings int) error {
	switch {
	case errors > 0:
		return exit{exitBad}
	case warnings > 0:
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
		var known []string
		for i := range o.Terms {
			known = append(known, o.Terms[i].Name)
		}
		return fmt.Errorf("the ontology has no term %q%s", name, ontology.Hint(name, known))
	}
	fmt.Fprint(stdout, o.Describe(id))
	return nil
}

func names(o *ontology.Ontology, terms []ontology.TermID) []string {
	var out []string
	for _, t := range terms {
		out = append(out, o.Name(t))
	}
	return out
}
