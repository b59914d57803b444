package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/pflag"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/simulation"
)

// logFlags are the flags of commands that take logs, or a stream of them.
type logFlags struct {
	format string
	noise  float64 // of logs that state none
	quiet  bool
	live   bool // the logs come as a stream on standard input
	whole  bool // streams are not taken
	strict bool // warnings are errors
}

func (f *logFlags) flags(fs *pflag.FlagSet) {
	fs.StringVar(&f.format, "format", "text", f.formats())
	fs.BoolVar(&f.quiet, "quiet", false, "no progress")
	fs.BoolVar(&f.strict, "strict", false, "take every warning for an error: exit 2 where a log has anything odd, or not understood")
	fs.Float64Var(&f.noise, "noise", 0, "rate at which the robot's perception errs, for logs that do not state it")
}

func (f *logFlags) formats() string {
	if f.whole {
		return "text or json"
	}
	return "text, json or, for a stream, jsonl"
}

// check refuses flags that are wrong, or wrong for what the arguments name.
func (f *logFlags) check(args []string) error {
	f.live = len(args) == 1 && args[0] == "-"
	if f.whole && f.format != "text" && f.format != "json" {
		return fmt.Errorf("--format %q; expected text or json", f.format)
	}
	if f.format != "text" && !(f.format == "json" && !f.live) && !(f.format == "jsonl" && f.live) {
		return fmt.Errorf("--format %q; expected text or json, for the stream - text or jsonl", f.format)
	}
	if !(f.noise >= 0 && f.noise <= simulation.MaxNoise) {
		return fmt.Errorf("--noise %v; expected a rate from 0 to %v", f.noise, simulation.MaxNoise)
	}
	return nil
}

// logRun does something with every episode of some logs, several at a time, and
// prints what comes of it in order; one bad file does not hide the others.
type logRun[E any] struct {
	noise    float64 // of logs that state none
	strict   bool    // warnings are errors
	json     bool
	progress *progress
	// find lists the logs at a path; source.Find where nil.
	find func(path string) ([]string, error)
	read func(path string) ([]*episode.Episode, error)
	// do gives what comes of an episode, nil for nothing, also where there is an error.
	do     func(context.Context, *episode.Episode) (*E, error)
	code   func(*E) int // exit code for an episode; that of the whole is the highest
	text   func(*E) error
	totals func(*report.Document[E])

	document report.Document[E]
	highest  int
}

// all takes every log below the paths.
func (c *logRun[E]) all(ctx context.Context, paths []string) error {
	if c.find == nil {
		c.find = logs.Find
	}
	var files []string
	for _, p := range paths {
		found, err := c.find(p)
		if err != nil {
			c.fail(err)
		}
		files = append(files, found...)
	}
	batch := &logs.Batch[E]{Read: c.episodes, Do: c.judge, Progress: c.progress}
	batch.Each(ctx, files, c.take)
	c.progress.end()
	if err := ctx.Err(); err != nil {
		c.document.Errors = append(c.document.Errors, "interrupted: what is missing was not looked at")
		if c.json {
			err = errors.Join(err, c.document.JSON(os.Stdout))
		}
		return err
	}
	if c.json {
		if err := c.document.JSON(os.Stdout); err != nil {
			return err
		}
	} else if c.totals != nil {
		c.totals(&c.document)
	}
	switch {
	case len(c.document.Errors) > 0:
		return exit{exitBad}
	case c.highest > 0:
		return exit{c.highest}
	}
	return nil
}

// judge does what is to be done with an episode; where warnings are errors, those are told
// too.
func (c *logRun[E]) judge(ctx context.Context, ep *episode.Episode) (*E, error) {
	out, err := c.do(ctx, ep)
	if !c.strict {
		return out, err
	}
	return out, errors.Join(err, warningsAsErrors(ep))
}

func warningsAsErrors(ep *episode.Episode) error {
	var errs []error
	for _, w := range ep.Warnings {
		errs = append(errs, &logs.Error{File: cmp.Or(ep.File, ep.Source), Line: w.Line, Found: w.Msg})
	}
	return errors.Join(errs...)
}

// foundCode is the exit code where something was found or was not.
func foundCode(found bool) int {
	if found {
		return exitFound
	}
	return 0
}

// episodes reads a log; where it states no noise there is that of the flag.
func (c *logRun[E]) episodes(path string) ([]*episode.Episode, error) {
	out, err := c.read(path)
	for _, ep := range out {
		if ep.Noise == 0 {
			ep.Noise = c.noise
		}
	}
	return out, err
}

// take prints the results of a file and keeps them.
func (c *logRun[E]) take(r logs.Results[E]) {
	for _, err := range r.Errs {
		c.fail(err)
	}
	for i := range r.Episodes {
		c.highest = max(c.highest, c.code(&r.Episodes[i]))
		c.document.Episodes = append(c.document.Episodes, r.Episodes[i])
		if c.json {
			continue
		}
		c.progress.clear()
		if err := c.text(&r.Episodes[i]); err != nil {
			c.fail(err)
		}
	}
}

func (c *logRun[E]) fail(err error) {
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
