package main

import (
	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/bench/labelled"
	"github.com/mishap-robotics/mishap/bridge/experience"
	"github.com/mishap-robotics/mishap/bridge/logs/jsonl"
	"github.com/mishap-robotics/mishap/bridge/logs/planfile"
	"github.com/mishap-robotics/mishap/bridge/perception/mapping"
	"github.com/mishap-robotics/mishap/bridge/scenario"
)

func newSchema() *cobra.Command {
	return &cobra.Command{
		Use:       "schema [episode|scenario|plan|truth|experience|mapping]",
		Short:     "Print the JSON Schema of mishap's own episode, scenario, plan, label, experience or mapping files",
		Args:      cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs),
		ValidArgs: []string{"episode", "scenario", "plan", "truth", "experience", "mapping"},
		RunE: func(_ *cobra.Command, args []string) error {
			text := jsonl.Schema()
			if len(args) > 0 {
				text = map[string][]byte{"episode": jsonl.Schema(), "scenario": scenario.Schema(), "plan": planfile.Schema(), "truth": labelled.Schema(), "experience": experience.Schema(), "mapping": mapping.Schema()}[args[0]]
			}
			_, err := stdout.Write(text)
			return err
		},
	}
}
