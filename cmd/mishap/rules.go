package main

import (
	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/report"
)

func newRules(k *knowledge) *cobra.Command {
	c := &cobra.Command{Use: "rules", Short: "Check, test and profile rules, and help with writing them", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() }}
	c.AddCommand(&cobra.Command{
		Use:   "vocabulary",
		Short: "Print the fact predicates that rules are written in",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return report.Vocabulary(stdout) },
	})
	c.AddCommand(newRulesCheck(k), newExplainCheck(), newRulesTest(k), newRulesProfile(k))
	return c
}
