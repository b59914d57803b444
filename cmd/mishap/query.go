package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/rules"
)

func newQuery(k *knowledge) *cobra.Command {
	var format, id string
	c := &cobra.Command{
		Use:   "query LOG GOAL",
		Short: "Answer a Prolog goal over the facts of an episode",
		Long: `Answer a Prolog goal over the facts of an episode, with the predicates that
"mishap rules vocabulary" prints and those the rules define. Example:

  mishap query run.jsonl "failed(S), target(S, O)"

Exit code: 0 at least one answer, 1 none, 2 the call or an input is bad.`,
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return fmt.Errorf("--format %q; expected text or json", format)
			}
			r, err := k.reasoner()
			if err != nil {
				return err
			}
			ep, err := logs.ReadOne(r.Ontology, args[0], id)
			if err != nil {
				return err
			}
			if engine.AsksScores(args[1]) {
				r = r.WithScores()
			}
			var out report.Answers
			err = r.Query(c.Context(), r.Facts(ep), args[1], func(names []string, values []*rules.Term) bool {
				out.Add(names, values)
				return true
			})
			if err != nil {
				var syntax *rules.Problem
				if errors.As(err, &syntax) && syntax.Source != "" {
					return errors.New(syntax.Detail())
				}
				return err
			}
			if reason := r.Interprets(args[1]); reason != nil {
				fmt.Fprintf(stderr, "%s: this goal is interpreted, which is slower: %s\n", reason.Pos, reason.Text)
			}
			if format == "json" {
				err = out.JSON(stdout)
			} else {
				err = out.Text(stdout)
			}
			if err == nil && len(out.Answers) == 0 {
				return exit{exitFound}
			}
			return err
		},
	}
	c.Flags().StringVar(&format, "format", "text", "text or json")
	c.Flags().StringVar(&id, "episode", "", "id of the episode, where the log holds several")
	return c
}
