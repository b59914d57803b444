package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/bench/labelled"
)

func newBenchLogs(k *knowledge) *cobra.Command {
	var by mapped
	var truth []string
	var format string
	var quiet bool
	c := &cobra.Command{
		Use:   "logs --truth FILE PATH…",
		Short: "Score what is found in logs of your own against your labels",
		Long: `Check logs and score what is found against labels of yours: how many were read,
in how many of the failing ones the class, the time and the objects are right, in how
many by the first finding, what else was found, and how many right ones raise an
alarm. Each miss is listed with what was expected and found.

Labels are JSON: one object a line (truth.jsonl), or one in the folder of a log
(truth.json); "mishap schema truth" prints the JSON Schema. --truth takes a file,
or a folder in which there are such files. They are read for the score only.

Exit code: 0, or 2 where the call or an input is bad. The counts are the result.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return fmt.Errorf("--format %q; expected text or json", format)
			}
			if len(truth) == 0 {
				return errors.New("no labels; name them with --truth FILE")
			}
			r, err := k.reasoner()
			if err != nil {
				return err
			}
			reader, err := by.reader(r.Ontology)
			if err != nil {
				return err
			}
			p, bad := newProgress("checking", quiet), false
			res, err := labelled.Score(c.Context(), r, reader, truth, args, p, func(err error) {
				p.Clear()
				fmt.Fprintln(stderr, err)
				bad = true
			})
			p.Clear()
			if err != nil {
				return err
			}
			show := res.Text
			if format == "json" {
				show = res.JSON
			}
			if err := show(stdout); err != nil || !bad {
				return err
			}
			return exit{exitBad}
		},
	}
	by.flags(c.Flags())
	c.Flags().StringArrayVar(&truth, "truth", nil, "file of labels, or folder in which there are some")
	c.Flags().StringVar(&format, "format", "text", "text or json")
	c.Flags().BoolVar(&quiet, "quiet", false, "no progress")
	return c
}
