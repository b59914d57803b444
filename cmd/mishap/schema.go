package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/jsonl"
)

func newSchema() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of mishap's own episode files",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := os.Stdout.Write(jsonl.Schema)
			return err
		},
	}
}
