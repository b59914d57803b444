//go:build !js

package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/engine/episode"
)

// LogReport does something with every episode of some logs, several at a time, and writes
// what comes of it in order; one bad file does not hide the others.
type LogReport[E any] struct {
	Logs     logs.Reader
	W        io.Writer
	Errors   io.Writer // what is told of bad files
	Noise    float64   // of logs that state none
	Strict   bool      // warnings are errors
	AsJSON   bool      // the whole is written at the end
	Progress *ProgressBar
	// Find lists the logs at a path; logs.Find where nil.
	Find func(path string) ([]string, error)
	// OneByOne takes an episode when the one before it is done.
	OneByOne bool
	// Do gives what comes of an episode, nil for nothing, also where there is an error.
	Do func(context.Context, *episode.Episode) (*E, error)
	// Text writes it for a person; what it lets go of is not kept for Totals.
	Text func(*E) error
	// Totals, where it is not nil, is called at the end of a report for a person.
	Totals func(*LogResults[E])

	document LogResults[E]
}

// Run takes every log below the paths. The error is that of the context, or of writing.
func (b *LogReport[E]) Run(ctx context.Context, paths []string) (*LogResults[E], error) {
	if b.Find == nil {
		b.Find = logs.Find
	}
	var files []string
	for _, p := range paths {
		found, err := b.Find(p)
		if err != nil {
			b.fail(err)
		}
		files = append(files, found...)
	}
	batch := &logs.Batch[E]{Open: b.open, Do: b.judge, OneByOne: b.OneByOne, Progress: b.Progress}
	batch.Each(ctx, files, b.take)
	b.Progress.Clear()
	if err := ctx.Err(); err != nil {
		b.document.Errors = append(b.document.Errors, "interrupted: what is missing was not looked at")
		if b.AsJSON {
			err = errors.Join(err, b.document.JSON(b.W))
		}
		return &b.document, err
	}
	if b.AsJSON {
		return &b.document, b.document.JSON(b.W)
	}
	if b.Totals != nil {
		b.Totals(&b.document)
	}
	return &b.document, nil
}

// open reads a log; where it states no noise there is that of the report.
func (b *LogReport[E]) open(path string) logs.Source {
	out := b.Logs.Open(path)
	all := out.Episodes
	out.Episodes = func(yield func(*episode.Episode, error) bool) {
		for ep, err := range all {
			if err == nil && ep.Noise == 0 {
				ep.Noise = b.Noise
			}
			if !yield(ep, err) {
				return
			}
		}
	}
	return out
}

// judge does what is to be done with an episode; where warnings are errors, those are told
// too.
func (b *LogReport[E]) judge(ctx context.Context, ep *episode.Episode) (*E, error) {
	out, err := b.Do(ctx, ep)
	if !b.Strict {
		return out, err
	}
	errs := []error{err}
	for _, w := range ep.Warnings {
		errs = append(errs, &logs.Error{File: cmp.Or(ep.File, ep.Source), Line: w.Line, Found: strings.TrimPrefix(w.Msg, "found ")})
	}
	return out, errors.Join(errs...)
}

// take writes results and keeps them.
func (b *LogReport[E]) take(r logs.Results[E]) {
	for _, err := range r.Errs {
		b.fail(err)
	}
	for i := range r.Episodes {
		e := &r.Episodes[i]
		if !b.AsJSON {
			b.Progress.Clear()
			if err := b.Text(e); err != nil {
				b.fail(err)
			}
		}
		b.document.Episodes = append(b.document.Episodes, *e)
	}
}

func (b *LogReport[E]) fail(err error) {
	b.Progress.Clear()
	b.document.Errors = append(b.document.Errors, WriteErrors(b.Errors, err)...)
}

// WriteErrors writes the parts of a joined error, one to a line, and lists them.
func WriteErrors(w io.Writer, err error) []string {
	var out []string
	for _, e := range parts(err) {
		fmt.Fprintln(w, e.Error())
		out = append(out, e.Error())
	}
	return out
}

// parts lists the parts of a joined error, none for nil. One whose text is its own, not that
// of its parts line by line, is whole: it says in its own words what it is an error of.
func parts(err error) []error {
	if err == nil {
		return nil
	}
	var joined interface {
		error
		Unwrap() []error
	}
	if !errors.As(err, &joined) {
		return []error{err}
	}
	var out []error
	var lines []string
	for _, e := range joined.Unwrap() {
		out = append(out, parts(e)...)
		lines = append(lines, e.Error())
	}
	if joined.Error() != strings.Join(lines, "\n") {
		return []error{err}
	}
	return out
}
