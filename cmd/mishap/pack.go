package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/pack"
	"github.com/mishap-robotics/mishap/engine/simulation"
	"github.com/mishap-robotics/mishap/ontology"
)

func newPack(k *knowledge) *cobra.Command {
	c := &cobra.Command{Use: "pack", Short: "Begin, check or test the pack of a domain", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() }}
	c.AddCommand(&cobra.Command{
		Use:   "init NAME",
		Short: "Write a small pack to build upon",
		Long: `Write a folder NAME with a pack of a few lines: a manifest, which is an ontology
document too, a rule with tests, and a sample log with what is found in it. It is
whole: "mishap pack check NAME" and "mishap pack test NAME" find nothing wrong.

Exit code: 0 it is written, 2 the call is bad, or NAME is there already.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			files, err := pack.Create(args[0])
			if errors.Is(err, fs.ErrExist) {
				return fmt.Errorf("%w; expected a name that is free", err)
			}
			if err != nil {
				return err
			}
			for _, f := range files {
				fmt.Fprintln(stdout, f)
			}
			return nil
		},
	}, &cobra.Command{
		Use:   "check DIR…",
		Short: "Report mistakes in the manifest, the ontology and the rules of packs",
		Long: `Report mistakes in packs, as "mishap ontology check" and "mishap rules check" do
of what they and the packs below them hold, and list the roles that the reasoner
asks of an ontology, with the term that plays each, or the line that would let one.

Exit code: 0 nothing to report, 1 warnings only, 2 errors.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return k.of(args).checkPack() },
	}, &cobra.Command{
		Use:   "test DIR…",
		Short: "Run the rule tests and the sample logs of packs",
		Long: `Run the tests of the rules of packs, and of those that they build on, and compare
what is found in their sample logs with what is expected there: of NAME.jsonl
in NAME.expect, with lines such as "wrong-desk: WrongDeskFailure at 2" or
"clean: nothing". Logs are checked, plans carried out in the action model.

Exit code: 0 all is as expected, 1 something is not, 2 the call or a pack is bad.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return k.of(args).testPack(c.Context()) },
	})
	return c
}

// of is the same knowledge with packs in place of what is built in.
func (k *knowledge) of(packs []string) *knowledge {
	c := *k
	c.packs, c.stack = packs, nil
	return &c
}

// checkPack checks the parts of packs; the worst exit code is that of the whole.
func (k *knowledge) checkPack() error {
	worst := 0
	for _, check := range []func() error{
		func() error { return checkOntology(k) },
		func() error { return checkRules(k, "text", false) },
	} {
		err := check()
		var e exit
		switch {
		case errors.As(err, &e):
			worst = max(worst, e.code)
		case err != nil:
			return err
		}
		if worst == exitBad {
			return exit{worst} // rules are checked against an ontology that is right
		}
	}
	if err := k.checkSimulation(); err != nil {
		return err
	}
	if worst > 0 {
		return exit{worst}
	}
	return nil
}

// checkSimulation checks what packs are simulated by, where there is any, and lists the roles:
// a simulation asks for more than the reasoner.
func (k *knowledge) checkSimulation() error {
	simulated := slices.ContainsFunc(k.stack.Packs, func(p *pack.Pack) bool { return p.Manifest.Name != pack.Language && len(p.Simulation) > 0 })
	load := k.loadOntology
	if simulated {
		load = k.loadSimulation
	}
	o, err := load()
	if err != nil {
		return err
	}
	bad := 0
	if simulated {
		bad = checkScenarios(o)
	}
	if err := writeRoles(o); err != nil || bad == 0 {
		return err
	}
	return exit{exitBad}
}

// checkScenarios says what is wrong with scenarios, each with its place, and how many are.
func checkScenarios(o *ontology.Ontology) (bad int) {
	for _, s := range o.Scenarios {
		sc, err := simulation.FromOntology(o, s)
		if err == nil {
			if err = sc.Validate(o); err != nil {
				err = fmt.Errorf("%s: scenario %s: %w", s.Pos, s.Name, err)
			}
		}
		if err != nil {
			fmt.Fprintln(stdout, err)
			bad++
		}
	}
	fmt.Fprintf(stdout, "scenarios: %d, injections: %d\n", len(o.Scenarios), len(o.Injections))
	return bad
}

// writeRoles lists the roles, with who plays them.
func writeRoles(o *ontology.Ontology) error {
	t := tabwriter.NewWriter(stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "\nROLE\tREQUIRED\tPLAYED BY\tOR FOR EXAMPLE")
	for _, r := range o.RoleList() {
		required, by, example := "no", r.PlayedBy, ""
		if r.Required {
			required = "yes"
		}
		if by == "" {
			by, example = "-", r.Example
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", r.Name, required, by, example)
	}
	return t.Flush()
}

// testPack runs the rule tests and the samples of packs.
func (k *knowledge) testPack(ctx context.Context) error {
	failed := false
	err := (&ruleTesting{knowledge: k, format: "text"}).run(ctx)
	var e exit
	switch {
	case errors.As(err, &e) && e.code == exitFound:
		failed = true
	case err != nil:
		return err
	}
	r, err := k.reasoner()
	if err != nil {
		return err
	}
	bad := false
	for _, p := range k.stack.Given() {
		for _, s := range p.TestSamples(ctx, r) {
			switch {
			case s.Err != nil:
				bad = true
				complain(s.Err)
			case s.Unchecked:
				fmt.Fprintf(stdout, "%s: read; nothing says what is to be found\n", s.Log)
			case s.Passed():
				fmt.Fprintf(stdout, "%s: as expected\n", s.Log)
			default:
				failed = true
				for _, f := range s.Unexpected {
					fmt.Fprintf(stdout, "%s: found %s; expected it not\n", s.Log, f)
				}
				for _, f := range s.Missing {
					fmt.Fprintf(stdout, "%s: expected %s; found it not\n", s.Log, f)
				}
			}
		}
	}
	switch {
	case bad:
		return exit{exitBad}
	case failed:
		return exit{exitFound}
	}
	return nil
}
