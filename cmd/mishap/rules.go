package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/rules"
)

func newRules(k *knowledge) *cobra.Command {
	c := &cobra.Command{Use: "rules", Short: "Check, test and profile rules, and help with writing them", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() }}
	c.AddCommand(&cobra.Command{
		Use:   "vocabulary",
		Short: "Print the fact predicates that rules are written in",
		Args:  cobra.NoArgs,
		Run:   func(*cobra.Command, []string) { printVocabulary() },
	})
	c.AddCommand(newRulesCheck(k), newExplainCheck(), newRulesTest(k), newRulesProfile(k))
	return c
}

func printVocabulary() {
	fmt.Printf("A rule concludes failure(Class, Step, Cause, Objects).\n\nFacts of the episode:\n")
	for _, p := range engine.Vocabulary() {
		var args []string
		for _, a := range p.Args {
			args = append(args, a.String())
		}
		fmt.Printf("  %-50s %s\n", p.Name+"("+strings.Join(args, ", ")+")", p.Doc)
	}
	var names []string
	for _, b := range rules.Builtins() {
		names = append(names, b.String())
	}
	fmt.Printf("\nBuilt in: %s\n", strings.Join(names, " "))
}
