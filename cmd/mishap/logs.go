package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/simulation"
)

// logFlags are the flags of commands that take logs, or a stream of them.
type logFlags struct {
	mapped
	format string
	noise  float64 // of logs that state none
	quiet  bool
	live   bool   // the logs come as a stream on standard input
	whole  bool   // streams are not taken
	strict bool   // warnings are errors
	state  string // file in which a stream keeps how far it was taken
}

func (f *logFlags) flags(fs *pflag.FlagSet) {
	f.mapped.flags(fs)
	fs.StringVar(&f.format, "format", "text", f.formats())
	fs.BoolVar(&f.quiet, "quiet", false, "no progress")
	fs.BoolVar(&f.strict, "strict", false, "take every warning for an error: exit 2 where a log has anything odd, or not understood")
	fs.Float64Var(&f.noise, "noise", 0, "rate at which the robot's perception errs, for logs that do not state it")
}

// streamFlags are those of commands that take streams.
func (f *logFlags) streamFlags(fs *pflag.FlagSet) {
	fs.StringVar(&f.state, "state", "", "file that keeps how far the stream - was taken in; where it is there, the stream goes on from it")
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
	if f.state != "" && !f.live {
		return fmt.Errorf("--state %s; expected it with the stream -", f.state)
	}
	if !(f.noise >= 0 && f.noise <= simulation.MaxNoise) {
		return fmt.Errorf("--noise %v; expected a rate from 0 to %v", f.noise, simulation.MaxNoise)
	}
	return nil
}

// logReport is what is done with the logs that a command names.
func logReport[E any](r *engine.Reasoner, f *logFlags, doing string) (*report.LogReport[E], error) {
	reader, err := f.reader(r.Ontology)
	return &report.LogReport[E]{Logs: reader, W: stdout, Errors: stderr, Noise: f.noise, Strict: f.strict, AsJSON: f.format == "json", Progress: newProgress(doing, f.quiet)}, err
}

// runLogs takes the logs; the highest exit code of an episode is that of the whole.
func runLogs[E any](ctx context.Context, b *report.LogReport[E], paths []string, code func(*E) int) error {
	d, err := b.Run(ctx, paths)
	if err != nil {
		return err
	}
	highest := 0
	for i := range d.Episodes {
		highest = max(highest, code(&d.Episodes[i]))
	}
	switch {
	case len(d.Errors) > 0:
		return exit{exitBad}
	case highest > 0:
		return exit{highest}
	}
	return nil
}

// newProgress shows on standard error how far work is.
func newProgress(what string, quiet bool) *report.ProgressBar {
	return report.NewProgressBar(os.Stderr, term.IsTerminal(int(os.Stderr.Fd())), what, quiet)
}

// complain prints the parts of an error, one to a line, and reports whether there are any.
func complain(err error) bool { return len(report.WriteErrors(stderr, err)) > 0 }

// foundCode is the exit code where something was found or was not.
func foundCode(found bool) int {
	if found {
		return exitFound
	}
	return 0
}
