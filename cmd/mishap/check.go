package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/bridge/source"
	"github.com/mishap-robotics/mishap/engine"
)

func newCheck(k *knowledge) *cobra.Command {
	var format string
	var quiet bool
	c := &cobra.Command{
		Use:   "check PATH…",
		Short: "Find the failures in episode logs",
		Long: `Find the failures in episode logs: each with its class, the step where it shows,
what caused it, and the recovery strategies that apply.

PATH is mishap's own JSON Lines (*.jsonl, see "mishap schema"), a REFLECT folder
(state_summary_L1.txt with task.json), an ALFRED file (*.alfred.jsonl or
traj_data.json), or a folder of any of these.

Exit code: 0 no failure found, 1 at least one, 2 the call or an input is bad.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return fmt.Errorf("--format %q; expected text or json", format)
			}
			r, err := k.reasoner()
			if err != nil {
				return err
			}
			run := &checking{reasoner: r, format: format, progress: newProgress("checking", quiet)}
			return run.all(c.Context(), args)
		},
	}
	c.Flags().StringVar(&format, "format", "text", "text or json")
	c.Flags().BoolVar(&quiet, "quiet", false, "no progress")
	return c
}

type checking struct {
	reasoner *engine.Reasoner
	format   string
	progress *progress
	document report.Document
	found    bool
	checked  int
}

// all checks every log; one bad file does not hide the others.
func (c *checking) all(ctx context.Context, paths []string) error {
	var files []string
	for _, p := range paths {
		found, err := source.Find(p)
		if err != nil {
			c.fail(err)
		}
		files = append(files, found...)
	}
	c.progress.total(len(files))
	for _, f := range files {
		c.file(ctx, f)
		c.progress.step()
	}
	c.progress.end()
	if c.format == "json" {
		if err := c.document.JSON(os.Stdout); err != nil {
			return err
		}
	}
	switch {
	case len(c.document.Errors) > 0:
		return exit{exitBad}
	case c.found:
		return exit{exitFound}
	}
	return nil
}

func (c *checking) fail(err error) {
	c.progress.clear()
	for _, e := range flatten(err) {
		fmt.Fprintln(os.Stderr, e.Error())
		c.document.Errors = append(c.document.Errors, e.Error())
	}
}

// flatten lists the parts of a joined error.
func flatten(err error) []error {
	var j interface{ Unwrap() []error }
	if errors.As(err, &j) {
		var out []error
		for _, e := range j.Unwrap() {
			out = append(out, flatten(e)...)
		}
		return out
	}
	return []error{err}
}

func (c *checking) file(ctx context.Context, path string) {
	episodes, err := source.Read(c.reasoner.Ontology, path)
	if err != nil {
		c.fail(err)
		return
	}
	for _, ep := range episodes {
		res, err := c.reasoner.Check(ctx, ep)
		if err != nil {
			c.fail(fmt.Errorf("%s: %w", path, err))
			continue
		}
		c.found = c.found || len(res.Findings) > 0
		c.checked++
		out := report.NewEpisode(res)
		if c.format == "json" {
			c.document.Episodes = append(c.document.Episodes, out)
			continue
		}
		c.progress.clear()
		if err := out.Text(os.Stdout, style()); err != nil {
			c.fail(err)
		}
	}
}
