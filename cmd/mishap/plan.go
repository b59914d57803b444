package main

import "github.com/spf13/cobra"

func newPlan(k *knowledge) *cobra.Command {
	c := &cobra.Command{Use: "plan", Short: "Show what plans are made of", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() }}
	c.AddCommand(newPlanGraph(k))
	return c
}
