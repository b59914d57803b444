package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/mishap-robotics/mishap/bridge/logs/jsonl"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
)

// watching checks episodes that come as a stream.
type watching struct {
	reasoner *engine.Reasoner
	out      report.Stream
	noise    float64 // of episodes that state none
	window   int
	monitor  *engine.Monitor
	ep       *episode.Episode
	found    bool
	odd      bool     // the reader warned of something
	stopped  []string // what was said of rules that did not come to an end
}

// watch checks the episodes of a stream and prints each finding as it arises.
func watch(ctx context.Context, r *engine.Reasoner, in io.Reader, flags *logFlags, window int) error {
	w := &watching{reasoner: r, out: stream(flags.format), noise: flags.noise, window: window}
	err := jsonl.Stream(r.Ontology, "standard input", in,
		func(ep *episode.Episode) error { return w.begin(ctx, ep) },
		func(st episode.Step) error { return w.step(ctx, st) },
		func(warnings []episode.Warning) { addWarnings(w.ep, warnings); w.odd = true })
	if err == nil {
		err = w.end(ctx)
	}
	switch {
	case err != nil:
		return err
	case len(w.stopped) > 0 || flags.strict && w.odd:
		return exit{exitBad}
	case w.found:
		return exit{exitFound}
	}
	return nil
}

func (w *watching) begin(ctx context.Context, ep *episode.Episode) error {
	if err := w.end(ctx); err != nil {
		return err
	}
	if ep.Noise == 0 {
		ep.Noise = w.noise
	}
	w.ep = ep
	w.monitor = w.reasoner.Watch(ep, engine.Limits{Window: w.window}, nil)
	return nil
}

func (w *watching) step(ctx context.Context, st episode.Step) error {
	updates, err := w.monitor.Step(ctx, st)
	if failed := w.print(updates); failed != nil {
		return failed
	}
	return w.tolerate(err)
}

// tolerate says once of each rule that it did not come to an end, and lets the
// others go on; any other error ends the stream.
func (w *watching) tolerate(err error) error {
	var limit *engine.LimitError
	if !errors.As(err, &limit) {
		return err
	}
	for _, e := range flatten(err) {
		if text := e.Error(); !slices.Contains(w.stopped, text) {
			w.stopped = append(w.stopped, text)
			fmt.Fprintln(os.Stderr, text)
		}
	}
	return nil
}

// end finishes the episode before another begins or the stream ends.
func (w *watching) end(ctx context.Context) error {
	if w.monitor == nil {
		return nil
	}
	res, updates, err := w.monitor.Finish(ctx)
	if err := w.tolerate(err); err != nil {
		return fmt.Errorf("episode %s: %w", w.ep.ID, err)
	}
	w.monitor = nil
	w.found = w.found || len(res.Findings) > 0
	if err := w.print(updates); err != nil {
		return err
	}
	return w.out.End(res)
}

func (w *watching) print(updates []engine.Update) error {
	for _, u := range updates {
		if err := w.out.Finding(w.ep, u); err != nil {
			return err
		}
	}
	return nil
}

// stream writes to standard output what is found in a stream.
func stream(format string) report.Stream {
	return report.Stream{W: os.Stdout, Style: style(), AsJSON: format == "jsonl"}
}

// addWarnings adds what the reader of a stream warns of to an episode.
func addWarnings(ep *episode.Episode, warnings []episode.Warning) {
	for _, w := range warnings {
		ep.Warn(w.Line, w.Msg)
	}
}
