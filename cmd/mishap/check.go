package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/bridge/source"
	"github.com/mishap-robotics/mishap/engine"
)

func newCheck(k *knowledge) *cobra.Command {
	var format string
	var quiet bool
	var noise float64
	c := &cobra.Command{
		Use:   "check PATH…",
		Short: "Find the failures in episode logs",
		Long: `Find the failures in episode logs: each with its class, the step where it shows,
what caused it, and the recovery strategies that apply.

PATH is mishap's own JSON Lines (*.jsonl, see "mishap schema"), a REFLECT folder
(state_summary_L1.txt with task.json), an ALFRED file (*.alfred.jsonl or
traj_data.json), or a folder of any of these. For - it is a stream of JSON Lines
on standard input: findings are printed as they arise, and what the end of an
episode changes with it; --format jsonl prints one JSON object a line.

Exit code: 0 no failure found, 1 at least one, 2 the call or an input is bad.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			live := len(args) == 1 && args[0] == "-"
			if format != "text" && !(format == "json" && !live) && !(format == "jsonl" && live) {
				return fmt.Errorf("--format %q; expected text or json, for the stream - text or jsonl", format)
			}
			r, err := k.reasoner()
			if err != nil {
				return err
			}
			if !(noise >= 0 && noise <= maxNoise) {
				return fmt.Errorf("--noise %v; expected a rate from 0 to %v", noise, maxNoise)
			}
			if live {
				return watch(c.Context(), r, os.Stdin, format, noise)
			}
			run := &checking{reasoner: r, noise: noise, format: format, quiet: quiet, running: make(chan struct{}, runtime.GOMAXPROCS(0)), progress: newProgress("checking", quiet)}
			return run.all(c.Context(), args)
		},
	}
	c.Flags().StringVar(&format, "format", "text", "text, json or, for a stream, jsonl")
	c.Flags().BoolVar(&quiet, "quiet", false, "no progress")
	c.Flags().Float64Var(&noise, "noise", 0, "rate at which the robot's perception errs, for logs that do not state it")
	return c
}

// maxNoise is the highest rate of noise that can be told from anything.
const maxNoise = 0.5

type checking struct {
	reasoner *engine.Reasoner
	noise    float64 // of logs that state none
	format   string
	quiet    bool
	progress *progress
	document report.Document
	found    bool
	running  chan struct{} // holds what is being checked at once
}

// outcome is what became of one file.
type outcome struct {
	episodes []report.Episode
	errs     []error
}

// all checks every log, several at a time, and prints them in order; one bad
// file does not hide the others.
func (c *checking) all(ctx context.Context, paths []string) error {
	began := time.Now()
	var files []string
	for _, p := range paths {
		found, err := source.Find(p)
		if err != nil {
			c.fail(err)
		}
		files = append(files, found...)
	}
	c.progress.More(len(files))
	for _, result := range c.start(ctx, files) {
		c.take(<-result)
	}
	c.progress.end()
	if err := ctx.Err(); err != nil {
		return err
	}
	if c.format == "json" {
		if err := c.document.JSON(os.Stdout); err != nil {
			return err
		}
	} else if len(c.document.Episodes) > 1 && !c.quiet {
		fmt.Print(c.document.Totals(time.Since(began)))
	}
	switch {
	case len(c.document.Errors) > 0:
		return exit{exitBad}
	case c.found:
		return exit{exitFound}
	}
	return nil
}

// start reads and checks files, in order, as many at a time as run at once, and
// gives a place for the result of each.
func (c *checking) start(ctx context.Context, files []string) []chan outcome {
	results := make([]chan outcome, len(files))
	for i := range results {
		results[i] = make(chan outcome, 1)
	}
	next := make(chan int)
	go func() {
		defer close(next)
		for i := range files {
			next <- i
		}
	}()
	for range min(runtime.GOMAXPROCS(0), len(files)) {
		go func() {
			for i := range next {
				results[i] <- c.file(ctx, files[i])
			}
		}()
	}
	return results
}

// take prints the results of a file and keeps them for the totals.
func (c *checking) take(r outcome) {
	for _, err := range r.errs {
		c.fail(err)
	}
	for i := range r.episodes {
		c.found = c.found || len(r.episodes[i].Findings) > 0
		c.document.Episodes = append(c.document.Episodes, r.episodes[i])
		if c.format == "json" {
			continue
		}
		c.progress.clear()
		if err := r.episodes[i].Text(os.Stdout, style()); err != nil {
			c.fail(err)
		}
	}
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

func (c *checking) file(ctx context.Context, path string) outcome {
	var out outcome
	defer c.progress.Step() // the reading
	episodes, err := source.Read(c.reasoner.Ontology, path)
	if err != nil {
		out.errs = append(out.errs, err)
		return out
	}
	c.progress.More(len(episodes))
	reports := make([]report.Episode, len(episodes))
	errs := make([]error, len(episodes))
	var all sync.WaitGroup
	for i, ep := range episodes {
		c.running <- struct{}{}
		all.Go(func() {
			defer func() { <-c.running; c.progress.Step() }()
			if ep.Noise == 0 {
				ep.Noise = c.noise
			}
			res, err := c.reasoner.Check(ctx, ep)
			if err != nil {
				errs[i] = fmt.Errorf("%s: %w", path, err)
			}
			reports[i] = report.NewEpisode(res)
		})
	}
	all.Wait()
	for i := range episodes {
		if errs[i] != nil {
			out.errs = append(out.errs, errs[i])
		}
		out.episodes = append(out.episodes, reports[i])
	}
	return out
}
