package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/draw"
	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/episode"
)

func newDiff(k *knowledge) *cobra.Command {
	d := &diffing{}
	c := &cobra.Command{
		Use:   "diff LOG --at T [--at T | --with LOG --at T]",
		Short: "Show how two scenes differ",
		Long: `Show how two scenes differ: what is missing, extra, in another state, elsewhere,
or related otherwise, with the discrepancy score and its parts. A scene is what was
believed after a step, from what was seen until then.

T is a step ("12") or a time as the log writes it ("01:05"); a time between two
steps means the earlier. With two of them the second scene is compared with the
first, in one log, or with --with in two. With one the scene after it is compared
with the expected one, as "mishap foresee" does before the next action.

--format svg draws the scene graph with what differs marked.

Exit code: 0, or 2 where the call or an input is bad.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if d.format != "text" && d.format != "json" && d.format != "svg" {
				return fmt.Errorf("--format %q; expected text, json or svg", d.format)
			}
			r, err := k.reasoner()
			if err != nil {
				return err
			}
			if !c.Flags().Changed("objects") && (d.with != "" || len(d.at) > 1) {
				d.scoring.objects = "all"
			}
			if err := d.scoring.prepare(r); err != nil {
				return err
			}
			return d.run(c.Context(), r, args[0])
		},
	}
	f := c.Flags()
	f.StringArrayVar(&d.at, "at", nil, "step or time of a scene; once or twice")
	f.StringVar(&d.with, "with", "", "log of the second scene")
	f.StringVar(&d.episode, "episode", "", "id of the episode, in logs with several")
	f.StringVar(&d.format, "format", "text", "text, json or svg")
	d.scoring.flags(f)
	return c
}

type diffing struct {
	scoring               scoring
	at                    []string
	with, episode, format string
}

// moment is a scene of a log.
type moment struct {
	report.SceneMoment
	ep *episode.Episode
}

func (d *diffing) run(ctx context.Context, r *engine.Reasoner, log string) error {
	if n := len(d.at); n == 0 || n > 2 || n == 1 && d.with != "" {
		return fmt.Errorf("--at was given %d times; expected once, or twice for two scenes", n)
	}
	first, err := d.moment(r, log, d.at[0])
	if err != nil {
		return err
	}
	out := report.SceneDifference{Observed: &first.SceneMoment, Warnings: []string{}}
	how, err := d.scoring.of(first.ep)
	if err != nil {
		return err
	}
	if len(d.at) == 1 {
		err = againstExpected(ctx, r, first, how, &out)
	} else {
		err = d.againstFirst(ctx, r, log, first, how, &out)
	}
	if err != nil {
		return err
	}
	if out.Comparison, err = discrepancy.Compare(ctx, out.ObservedGraph, out.ExpectedGraph, how.Embedder, how.Options); err != nil {
		return err
	}
	if out.Alarm(how.Threshold) {
		out.Below = &d.scoring.threshold
	}
	if note := d.scoring.note(); note != "" {
		out.Warnings = append(out.Warnings, note)
	}
	return d.print(&out)
}

// againstExpected compares a scene with the one expected there.
func againstExpected(ctx context.Context, r *engine.Reasoner, at *moment, how engine.Scoring, out *report.SceneDifference) error {
	m, err := r.WatchTo(ctx, at.ep, at.Step)
	if err != nil {
		return err
	}
	expected := at.SceneMoment
	expected.Expected = string(how.Expect)
	out.Expected = &expected
	out.ObservedGraph, out.ExpectedGraph, err = m.Scenes(how)
	return err
}

// againstFirst compares the scene of the second --at with that of the first.
func (d *diffing) againstFirst(ctx context.Context, r *engine.Reasoner, log string, first *moment, how engine.Scoring, out *report.SceneDifference) error {
	second, err := d.moment(r, cmp.Or(d.with, log), d.at[1])
	if err != nil {
		return err
	}
	out.Observed, out.Expected = &second.SceneMoment, &first.SceneMoment
	observed, err := r.WatchTo(ctx, second.ep, second.Step)
	if err != nil {
		return err
	}
	expected, err := r.WatchTo(ctx, first.ep, first.Step)
	if err != nil {
		return err
	}
	out.ObservedGraph, out.ExpectedGraph = engine.Between(observed, expected, how)
	return nil
}

// moment finds a scene by its step or time.
func (d *diffing) moment(r *engine.Reasoner, log, at string) (*moment, error) {
	ep, err := d.read(r, log)
	if err != nil {
		return nil, err
	}
	i, err := logs.StepAt(ep, at)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", log, err)
	}
	st := &ep.Steps[i]
	return &moment{report.SceneMoment{Log: log, Episode: ep.ID, Step: int32(st.Index), Time: st.Time}, ep}, nil
}

func (d *diffing) read(r *engine.Reasoner, log string) (*episode.Episode, error) {
	all, err := logs.ReadAll(r.Ontology, log)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, ep := range all {
		if ep.ID == d.episode || d.episode == "" && len(all) == 1 {
			return ep, nil
		}
		ids = append(ids, ep.ID)
	}
	if d.episode == "" {
		return nil, fmt.Errorf("%s holds %d episodes; expected --episode with one of %s", log, len(all), list(ids))
	}
	return nil, fmt.Errorf("%s has no episode %q; expected one of %s", log, d.episode, list(ids))
}

// list names some of many.
func list(names []string) string {
	const most = 8
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}

func (d *diffing) print(out *report.SceneDifference) error {
	switch d.format {
	case "json":
		return report.JSON(os.Stdout, out)
	case "svg":
		return draw.Difference(os.Stdout, out.Title(), out.ObservedGraph, out.ExpectedGraph, out.Comparison)
	}
	return out.Text(os.Stdout, style())
}
