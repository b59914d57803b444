package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/draw"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
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
	d.by.flags(f)
	f.StringArrayVar(&d.at, "at", nil, "step or time of a scene; once or twice")
	f.StringVar(&d.with, "with", "", "log of the second scene")
	f.StringVar(&d.episode, "episode", "", "id of the episode, in logs with several")
	f.StringVar(&d.format, "format", "text", "text, json or svg")
	d.scoring.flags(f)
	d.scoring.embedding(f)
	return c
}

type diffing struct {
	scoring               scoring
	by                    mapped
	at                    []string
	with, episode, format string
}

func (d *diffing) run(ctx context.Context, r *engine.Reasoner, log string) error {
	if n := len(d.at); n == 0 || n > 2 || n == 1 && d.with != "" {
		return fmt.Errorf("--at was given %d times; expected once, or twice for two scenes", n)
	}
	ep, observed, err := d.scene(r, log, d.at[0])
	if err != nil {
		return err
	}
	how, err := d.scoring.of(ep)
	if err != nil {
		return err
	}
	var expected *report.LoggedScene
	if len(d.at) == 2 { // the second is compared with the first
		expected = observed
		if _, observed, err = d.scene(r, cmp.Or(d.with, log), d.at[1]); err != nil {
			return err
		}
	}
	out, err := report.CompareScenes(ctx, r, observed, expected, how)
	if err != nil {
		return err
	}
	if out.Below != nil {
		out.Below = &d.scoring.threshold
	}
	if note := d.scoring.note(); note != "" {
		out.Warnings = append(out.Warnings, note)
	}
	return d.print(out)
}

// scene finds a scene of a log by its step or time.
func (d *diffing) scene(r *engine.Reasoner, log, at string) (*episode.Episode, *report.LoggedScene, error) {
	ep, err := d.by.one(r.Ontology, log, d.episode)
	if err != nil {
		return nil, nil, err
	}
	scene, err := report.SceneAt(log, ep, at)
	return ep, scene, err
}

func (d *diffing) print(out *report.SceneDifference) error {
	switch d.format {
	case "json":
		return report.JSON(stdout, out)
	case "svg":
		return draw.Difference(stdout, out.Title(), out.ObservedGraph, out.ExpectedGraph, out.Comparison)
	}
	return out.Text(stdout, style())
}
