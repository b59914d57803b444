package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
)

func newCheck(k *knowledge) *cobra.Command {
	in := &logFlags{}
	window := 0
	kept := &memoryFlags{}
	score := &evidence{}
	c := &cobra.Command{
		Use:   "check PATH…",
		Short: "Find the failures in episode logs",
		Long: `Find the failures in episode logs: each with its class, the step where it shows,
what caused it, and the recovery strategies that apply.

PATH is mishap's own JSON Lines (*.jsonl, see "mishap schema") or the same as a JSON
array (*.json), a REFLECT folder (state_summary_L1.txt with task.json), an ALFRED
file (*.alfred.jsonl or traj_data.json), one of these compressed (.gz, .zst), a
folder of any of these, or a pattern: 'runs/*.jsonl', 'runs/**/*.gz'. Of a file that
breaks off what could be read is judged.

With --score each finding is shown with the score of the scene before its action, or
before the next one where that speaks of its objects, as "mishap foresee" scores it.

For - it is a stream of JSON Lines on standard input: findings are printed as they
arise, and what the end of an episode changes with it; --format jsonl prints one
JSON object a line. With --window N what was seen and heard is forgotten N lines
later, so that a stream may go on for long; then the end of an episode adds what
only the end shows, and the rest of what was found stands. With --state FILE a
stream that is killed goes on where it was: lines that were taken in are passed
over, and what was told is not told again.

Exit code: 0 no failure found, 1 at least one, 2 the call or an input is bad.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := in.check(args); err != nil {
				return err
			}
			if window != 0 && (!in.live || window < engine.MinWindow) {
				return fmt.Errorf("--window %d; expected at least %d, with the stream -", window, engine.MinWindow)
			}
			if kept.place != "" && (window != 0 || in.state != "") {
				return errors.New("--memory keeps episodes whole; expected neither --window nor --state with it")
			}
			keep, err := kept.keeper(c.Context(), k, false)
			if err != nil {
				return err
			}
			defer keep.close()
			r := keep.reasoner
			if err := score.ready(r, in.live); err != nil {
				return err
			}
			if in.live {
				err := watch(c.Context(), in, &report.Watcher{Reasoner: r, Window: window, Over: keep.over()})
				return cmp.Or(keep.flush(), err)
			}
			began := time.Now()
			run, err := logReport[report.Episode](r, in, "checking")
			if err != nil {
				return err
			}
			run.OneByOne = keep.looksBack()
			run.Do = func(ctx context.Context, ep *episode.Episode) (*report.Episode, error) {
				res, err := r.Check(keep.during(ctx, ep), ep)
				if res == nil {
					return nil, err
				}
				err = errors.Join(err, keep.add(ctx, ep, res))
				ep.Warnings = res.Episode.Warnings
				out := report.NewEpisode(res)
				return &out, errors.Join(err, score.add(ctx, r, res, &out))
			}
			run.Text = func(e *report.Episode) error {
				defer e.Forget()
				return e.Text(stdout, style())
			}
			run.Totals = func(d *report.LogResults[report.Episode]) {
				if len(d.Episodes) > 1 && !in.quiet {
					fmt.Fprint(stdout, report.Totals(d, time.Since(began)))
				}
			}
			return runLogs(c.Context(), run, args, func(e *report.Episode) int { return foundCode(len(e.Findings) > 0) })
		},
	}
	in.flags(c.Flags())
	in.streamFlags(c.Flags())
	kept.optional(c.Flags(), "to add to")
	score.flags(c.Flags())
	c.Flags().IntVar(&window, "window", 0, "lines of a stream after which what was seen and heard is forgotten; 0 is never")
	return c
}

// watch takes in the stream on standard input.
func watch(ctx context.Context, flags *logFlags, w *report.Watcher) error {
	w.Out, w.Errors, w.Noise = report.StreamWriter{W: stdout, Style: style(), AsJSON: flags.format == "jsonl"}, stderr, flags.noise
	if flags.state != "" {
		w.State = report.NewStreamState(flags.state, os.Stdout)
		out := report.NewOutput(w.State.Told, colours())
		w.Out.W, w.Out.Style, w.Out.Number = out, out.Style(), w.State.Next
	}
	err := w.Run(ctx, "standard input", os.Stdin)
	switch {
	case err != nil:
		return err
	case w.Stopped || flags.strict && w.Odd && !w.Foresee:
		return exit{exitBad}
	case w.Found:
		return exit{exitFound}
	}
	return nil
}
