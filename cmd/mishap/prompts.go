package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/advice"
)

func newPrompts() *cobra.Command {
	return &cobra.Command{
		Use:   "prompts DIR",
		Short: "Write the prompts for a language model to a folder, or check those that are there",
		Long: `Write the built-in templates of what a language model is told to a folder that does
not have them, for editing; give the folder with --prompts. In a folder that has
templates each is checked: a field that does not exist, or that the prompt needs
and does not have, is an error with file and line.

Exit code: 0 written, or all is well, 2 a template is bad.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if advice.HasPrompts(args[0]) {
				if _, err := advice.LoadPrompts(args[0]); err != nil {
					return err
				}
				fmt.Fprintf(stdout, "%s: the templates are well formed\n", args[0])
				return nil
			}
			if err := advice.WriteBuiltin(args[0]); err != nil {
				return err
			}
			fmt.Fprintf(stdout, "%s: %d templates written\n", args[0], len(advice.Names()))
			return nil
		},
	}
}
