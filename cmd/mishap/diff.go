package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/draw"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
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
	Log     string `json:"log"`
	Episode string `json:"episode"`
	Step    int32  `json:"step"`
	Time    string `json:"time,omitempty"`
	// Expected is where the scene comes from where it is no log's.
	Expected string `json:"expected_from,omitempty"`
	ep       *episode.Episode
}

func (m *moment) String() string {
	at := fmt.Sprintf("%s after %s", m.Episode, report.Moment(m.Step, m.Time))
	if m.Expected != "" {
		return "expected (" + m.Expected + ") of " + at
	}
	return at
}

// difference is the JSON form. Other fields are those of the score.
type difference struct {
	Observed *moment `json:"observed"`
	Expected *moment `json:"expected"`
	*discrepancy.Result
	ObservedGraph *scene.Graph `json:"observed_graph"`
	ExpectedGraph *scene.Graph `json:"expected_graph"`
	Warnings      []string     `json:"warnings"`
}

func (d *diffing) run(ctx context.Context, r *engine.Reasoner, log string) error {
	if n := len(d.at); n == 0 || n > 2 || n == 1 && d.with != "" {
		return fmt.Errorf("--at was given %d times; expected once, or twice for two scenes", n)
	}
	first, err := d.moment(r, log, d.at[0])
	if err != nil {
		return err
	}
	out := difference{Observed: first, Warnings: []string{}}
	how, err := d.scoring.of(first.ep)
	if err != nil {
		return err
	}
	if len(d.at) == 1 {
		m, err := follow(ctx, r, first)
		if err != nil {
			return err
		}
		expected := *first
		expected.Expected = string(how.Expect)
		out.Expected = &expected
		if out.ObservedGraph, out.ExpectedGraph, err = m.Scenes(how); err != nil {
			return err
		}
	} else {
		second, err := d.moment(r, cmp.Or(d.with, log), d.at[1])
		if err != nil {
			return err
		}
		out.Observed, out.Expected = second, first
		if out.ObservedGraph, out.ExpectedGraph, err = scenes(ctx, r, second, first, how); err != nil {
			return err
		}
	}
	if out.Result, err = discrepancy.Compare(ctx, out.ObservedGraph, out.ExpectedGraph, how.Embedder, how.Options); err != nil {
		return err
	}
	if note := d.scoring.note(); note != "" {
		out.Warnings = append(out.Warnings, note)
	}
	return d.print(&out)
}

// scenes are those after two moments.
func scenes(ctx context.Context, r *engine.Reasoner, observed, expected *moment, how engine.Scoring) (a, b *scene.Graph, err error) {
	m, err := follow(ctx, r, observed)
	if err != nil {
		return nil, nil, err
	}
	n, err := follow(ctx, r, expected)
	if err != nil {
		return nil, nil, err
	}
	a, b = engine.Between(m, n, how)
	return a, b, nil
}

// follow watches an episode up to a moment.
func follow(ctx context.Context, r *engine.Reasoner, at *moment) (*engine.Monitor, error) {
	live := *at.ep
	live.Warnings = nil
	m := r.Watch(&live, engine.Limits{}, nil)
	for _, st := range at.ep.Steps {
		if int32(st.Index) > at.Step {
			break
		}
		if _, err := m.Step(ctx, st); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// moment finds a scene by its step or time.
func (d *diffing) moment(r *engine.Reasoner, log, at string) (*moment, error) {
	ep, err := d.read(r, log)
	if err != nil {
		return nil, err
	}
	i, err := stepAt(ep, at)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", log, err)
	}
	st := &ep.Steps[i]
	return &moment{Log: log, Episode: ep.ID, Step: int32(st.Index), Time: st.Time, ep: ep}, nil
}

func (d *diffing) read(r *engine.Reasoner, log string) (*episode.Episode, error) {
	all, err := readLog(r.Ontology, log)
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

// stepAt finds the index of the step that a text names: its number, its time as the
// log writes it, or a time within it.
func stepAt(ep *episode.Episode, at string) (int, error) {
	n, isStep := strconv.Atoi(at)
	seconds, isTime := clock(at)
	found := -1
	for i := range ep.Steps {
		st := &ep.Steps[i]
		own, ok := clock(st.Time)
		switch {
		case isStep == nil && st.Index == n, st.Time != "" && st.Time == at:
			return i, nil
		case isStep != nil && isTime && ok && own <= seconds:
			found = i
		}
	}
	if found >= 0 {
		return found, nil
	}
	first, last := &ep.Steps[0], &ep.Steps[len(ep.Steps)-1]
	return 0, fmt.Errorf("no step or time %q; expected a step from %d to %d, or a time as the log has it, such as %q", at, first.Index, last.Index, cmp.Or(last.Time, "none"))
}

// clock reads a time such as 01:05 or 1:02:03.5, in seconds.
func clock(text string) (float64, bool) {
	parts := strings.Split(text, ":")
	if len(parts) < 2 || len(parts) > 3 {
		return 0, false
	}
	total := 0.0
	for _, p := range parts {
		v, err := strconv.ParseFloat(p, 64)
		if err != nil || v < 0 {
			return 0, false
		}
		total = total*60 + v
	}
	return total, true
}

func (d *diffing) print(out *difference) error {
	switch d.format {
	case "json":
		return printJSON(out)
	case "svg":
		return draw.Difference(os.Stdout, fmt.Sprintf("%s against %s", out.Observed, out.Expected), out.ObservedGraph, out.ExpectedGraph, out.Result)
	}
	s := style()
	fmt.Printf("%s%s%s against %s\n", s.Bold, out.Observed, s.Reset, out.Expected)
	alarm := ""
	if out.Alarm(d.scoring.base.Threshold) {
		alarm = fmt.Sprintf(", below %v", d.scoring.threshold)
	}
	fmt.Printf("  score %.3f%s: nodes %.3f, edges %.3f, structure %.3f; %s matched\n", out.Score, alarm, out.Node, out.Edge, out.Structure, report.Count(len(out.Pairs), "node"))
	for _, diff := range out.Differences {
		fmt.Printf("  %s\n", report.Clean(diff.String()))
	}
	if len(out.Differences) == 0 {
		fmt.Println("  nothing differs")
	}
	for _, w := range out.Warnings {
		fmt.Printf("  %swarning:%s %s\n", s.Yellow, s.Reset, w)
	}
	return nil
}
