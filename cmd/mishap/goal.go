package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/report"
)

func newGoal(k *knowledge) *cobra.Command {
	format := ""
	by := &mapped{}
	c := &cobra.Command{
		Use:   "goal TEXT [LOG]",
		Short: "Show how a goal in words is read",
		Long: `Show how a goal in words is read: the conditions that it asks for, one a line, and
in quotes what could not be read. "Mug" is some mug, the same wherever the name
stands, "Mug#2" another, "Mug-2" the one so named; "all Mug" and "no Mug" speak of
each that there is. What is told to be done, as "put the mug in the sink", is to be
so in the end.

With LOG, as "mishap check" takes it: whether that holds at the end of each episode.

Exit code: 0 all of it was read, 1 a part was not, 2 the call or an input is bad.`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case format != "text" && format != "json":
				return fmt.Errorf("--format %q; expected text or json", format)
			case strings.TrimSpace(args[0]) == "":
				return errors.New("the goal is empty; expected conditions such as \"the mug is in the sink\"")
			}
			return k.goal(c.Context(), by, args, format == "json")
		},
	}
	c.Flags().StringVar(&format, "format", "text", "text or json")
	by.flags(c.Flags())
	return c
}

func (k *knowledge) goal(ctx context.Context, by *mapped, args []string, json bool) error {
	r, err := k.reasoner()
	if err != nil {
		return err
	}
	g := report.NewGoal(r.Ontology, args[0])
	if len(args) > 1 {
		episodes, err := by.all(r.Ontology, args[1])
		if err != nil {
			return err
		}
		for _, ep := range episodes {
			if err := g.Judge(ctx, r, ep); err != nil {
				return err
			}
		}
	}
	write := func(w io.Writer) error { return g.WriteText(w, style()) }
	if json {
		write = func(w io.Writer) error { return report.JSON(w, g) }
	}
	if err := write(os.Stdout); err != nil {
		return err
	}
	if len(g.NotUnderstood) > 0 || len(g.Conditions) == 0 {
		return exit{exitFound}
	}
	return nil
}
