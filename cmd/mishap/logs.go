package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"

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
}

func (f *logFlags) flags(fs *pflag.FlagSet) {
	fs.StringVar(&f.format, "format", "text", f.formats())
	fs.BoolVar(&f.quiet, "quiet", false, "no progress")
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
	running  chan struct{} // holds what is being done at once
}

// outcome is what became of one file.
type outcome[E any] struct {
	episodes []E
	errs     []error
}

// all takes every log below the paths.
func (c *logRun[E]) all(ctx context.Context, paths []string) error {
	c.running = make(chan struct{}, runtime.GOMAXPROCS(0))
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
	c.progress.More(len(files))
	for _, result := range c.start(ctx, files) {
		c.take(<-result)
	}
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

// foundCode is the exit code where something was found or was not.
func foundCode(found bool) int {
	if found {
		return exitFound
	}
	return 0
}

// start takes files, in order, as many at a time as run at once, and gives a place
// for the result of each.
func (c *logRun[E]) start(ctx context.Context, files []string) []chan outcome[E] {
	results := make([]chan outcome[E], len(files))
	for i := range results {
		results[i] = make(chan outcome[E], 1)
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

// take prints the results of a file and keeps them.
func (c *logRun[E]) take(r outcome[E]) {
	for _, err := range r.errs {
		c.fail(err)
	}
	for i := range r.episodes {
		c.highest = max(c.highest, c.code(&r.episodes[i]))
		c.document.Episodes = append(c.document.Episodes, r.episodes[i])
		if c.json {
			continue
		}
		c.progress.clear()
		if err := c.text(&r.episodes[i]); err != nil {
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

func (c *logRun[E]) file(ctx context.Context, path string) outcome[E] {
	var out outcome[E]
	defer c.progress.Step() // the reading
	episodes, err := c.read(path)
	if err != nil {
		out.errs = append(out.errs, err)
		return out
	}
	c.progress.More(len(episodes))
	results := make([]*E, len(episodes))
	errs := make([]error, len(episodes))
	var all sync.WaitGroup
	for i, ep := range episodes {
		c.running <- struct{}{}
		all.Go(func() {
			defer func() { <-c.running; c.progress.Step() }()
			if ep.Noise == 0 {
				ep.Noise = c.noise
			}
			if ctx.Err() != nil {
				return
			}
			result, err := c.do(ctx, ep)
			if ctx.Err() != nil {
				return // what was interrupted says nothing
			}
			if err != nil {
				errs[i] = fmt.Errorf("%s: %w", path, err)
			}
			results[i] = result
		})
	}
	all.Wait()
	for i := range episodes {
		if errs[i] != nil {
			out.errs = append(out.errs, errs[i])
		}
		if results[i] != nil {
			out.episodes = append(out.episodes, *results[i])
		}
	}
	return out
}
