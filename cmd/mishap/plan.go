package main

import "github.com/spf13/cobra"

func newPlan(k *knowledge) *cobra.Command {
	c := &cobra.Command{Use: "plan", Short: "Make plans, and show what they are made of", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() }}
	c.AddCommand(newPlanGraph(k), newPlanMake(k))
	return c
}
