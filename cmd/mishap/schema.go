package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/jsonl"
	"github.com/mishap-robotics/mishap/bridge/scenario"
)

func newSchema() *cobra.Command {
	return &cobra.Command{
		Use:       "schema [episode|scenario]",
		Short:     "Print the JSON Schema of mishap's own episode or scenario files",
		Args:      cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs),
		ValidArgs: []string{"episode", "scenario"},
		RunE: func(_ *cobra.Command, args []string) error {
			text := jsonl.Schema
			if len(args) > 0 && args[0] == "scenario" {
				text = scenario.Schema
			}
			_, err := os.Stdout.Write(text)
			return err
		},
	}
}
