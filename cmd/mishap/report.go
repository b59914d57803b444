package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/draw"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/bridge/web"
	"github.com/mishap-robotics/mishap/engine/episode"
)

func newReport(k *knowledge) *cobra.Command {
	in := &logFlags{whole: true}
	var out string
	var force bool
	c := &cobra.Command{
		Use:   "report PATH… -o FILE",
		Short: "Write a report of episode logs as one HTML file",
		Long: `Write a report of episode logs as one HTML file to mail, to print or to attach to a run
of CI: what went wrong, why, with the proof down to the log, what followed, how to
recover, and each episode to replay step by step. The file needs nothing else and asks
nothing of any server; without scripts everything but the replay is there.

PATH is a log as "mishap check" takes it. With -o - the file goes to standard output.

Exit code: 0 no failure found, 1 at least one, 2 the call or an input is bad.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			in.format = "text"
			switch err := in.check(args); {
			case err != nil:
				return err
			case in.live:
				return errors.New("- is a stream; expected logs that are whole")
			case out == "":
				return errors.New("no file to write; expected -o FILE, for example -o report.html")
			}
			return writeReport(c.Context(), k, in, args, out, force)
		},
	}
	in.mapped.flags(c.Flags())
	c.Flags().BoolVar(&in.quiet, "quiet", false, "no progress")
	c.Flags().BoolVar(&in.strict, "strict", false, "take every warning for an error: exit 2 where a log has anything odd, or not understood")
	c.Flags().Float64Var(&in.noise, "noise", 0, "rate at which the robot's perception errs, for logs that do not state it")
	c.Flags().StringVarP(&out, "output", "o", "", "file to write, - for standard output")
	c.Flags().BoolVar(&force, "force", false, "overwrite the file")
	return c
}

func writeReport(ctx context.Context, k *knowledge, in *logFlags, paths []string, out string, force bool) error {
	r, err := k.reasoner()
	if err != nil {
		return err
	}
	run, err := logReport[web.Episode](r, in, "judging")
	if err != nil {
		return err
	}
	var kept []*web.Episode
	run.Do = func(ctx context.Context, ep *episode.Episode) (*web.Episode, error) { return web.Judge(ctx, r, ep) }
	run.Text = func(e *web.Episode) error { return nil }
	found := 0
	var page bytes.Buffer
	run.Totals = func(d *report.LogResults[web.Episode]) {
		for i := range d.Episodes {
			kept = append(kept, &d.Episodes[i])
			found += len(d.Episodes[i].Report.Findings)
		}
		err = web.WriteReport(&page, kept, d.Errors)
	}
	code := runLogs(ctx, run, paths, func(e *web.Episode) int { return foundCode(len(e.Report.Findings) > 0) })
	switch {
	case err != nil:
		return err
	case len(kept) == 0: // nothing to report, and said so
		return code
	case out == "-":
		if _, err := stdout.Write(page.Bytes()); err != nil {
			return err
		}
		return code
	}
	if err := draw.WriteFile(out, force, page.Bytes()); err != nil {
		return orForce(err)
	}
	if !in.quiet {
		fmt.Fprintf(stdout, "%s: episodes %d, failures %d\n", out, len(kept), found)
	}
	return code
}
