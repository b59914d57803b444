package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mishap-robotics/mishap/bridge/logs/jsonl"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/memory"
	"github.com/mishap-robotics/mishap/engine/record"
	"github.com/mishap-robotics/mishap/ontology"
)

// memoryVariable names the memory where no flag does.
const memoryVariable = "MISHAP_MEMORY"

// memoryFlags say which memory is meant, and which episodes of it.
type memoryFlags struct {
	place                    string
	robot, site, task, label string
	since, until             string
}

func (f *memoryFlags) where(fs *pflag.FlagSet, does string) {
	f.optional(fs, does)
	fs.Lookup("memory").Usage += "; $" + memoryVariable + " where it is left out"
}

// optional is the flag of a command that does without a memory where none is named.
func (f *memoryFlags) optional(fs *pflag.FlagSet, does string) {
	fs.StringVar(&f.place, "memory", "", "folder of a memory "+does+", or the URL of one (postgres://…)")
}

func (f *memoryFlags) filters(fs *pflag.FlagSet) {
	fs.StringVar(&f.robot, "robot", "", "only episodes of this robot")
	fs.StringVar(&f.site, "site", "", "only episodes of this site")
	fs.StringVar(&f.task, "task", "", "only episodes of this task")
	fs.StringVar(&f.label, "label", "", "only episodes with this label")
	fs.StringVar(&f.since, "since", "", "only episodes that began then or later: a date, a moment, or how long ago (7d, 12h)")
	fs.StringVar(&f.until, "until", "", "only episodes that began before then")
}

// filter is that of the flags.
func (f *memoryFlags) filter(now time.Time) (memory.Filter, error) {
	out := memory.Filter{Robot: f.robot, Site: f.site, Task: f.task, Label: f.label}
	var err error
	if f.since != "" {
		out.Since, err = memory.ParseTime(f.since, now)
	}
	if f.until != "" && err == nil {
		out.Until, err = memory.ParseTime(f.until, now)
	}
	return out, err
}

// open opens the memory.
func (f *memoryFlags) open(ctx context.Context, o *ontology.Ontology, readOnly bool) (*memory.Memory, error) {
	place := cmp.Or(f.place, os.Getenv(memoryVariable))
	if place == "" {
		return nil, errors.New("no memory is named; expected --memory DIR or URL, or $" + memoryVariable)
	}
	return memory.Open(ctx, o, place, memory.Options{ReadOnly: readOnly})
}

func newMemory(k *knowledge) *cobra.Command {
	f := &memoryFlags{}
	c := &cobra.Command{
		Use:   "memory",
		Short: "Keep episodes, and what was found in them, to ask them together",
		Long: `Keep episodes as quads in a folder, or a database of PostgreSQL: what each robot did and saw, every observation
in a named graph of its own, findings with evidence and cause, what came of recovery
strategies. An episode is in the memory wholly or not at all. "mishap query --memory"
asks it, "mishap check --memory" and the stream - add to it.

Exit code: 0, or 2 where the call, an input or the memory is bad.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	f.where(c.PersistentFlags(), "to use")
	c.AddCommand(newMemoryAdd(k, f), newMemoryList(k, f), newMemoryShow(k, f), newMemoryRemove(k, f), newMemoryCompact(k, f), newMemoryStats(k, f), newMemoryValidate(k, f))
	return c
}

// together is how many episodes are added in one transaction, where rules do not look back;
// with steps of them enough it is over sooner.
const (
	together      = 100
	stepsTogether = 10_000
)

// adding collects what is checked and adds it.
type adding struct {
	ctx     context.Context
	memory  *memory.Memory
	replace bool
	// together is how many are added in one transaction.
	together int
	waiting  []memory.Run
	steps    int // of those
	added    int
}

// add takes an episode that was checked.
func (a *adding) add(r memory.Run) error {
	r.Replace = a.replace
	if !a.replace {
		_, err := a.memory.Entry(a.ctx, r.Episode.ID)
		twice := slices.ContainsFunc(a.waiting, func(w memory.Run) bool { return w.Episode.ID == r.Episode.ID })
		if err == nil || twice {
			return fmt.Errorf("%s: episode %s is %w; --replace puts this one in its place", r.Episode.Source, r.Episode.ID, memory.ErrExists)
		}
		if !errors.Is(err, memory.ErrNotFound) {
			return err
		}
	}
	a.waiting = append(a.waiting, r)
	a.steps += len(r.Episode.Steps)
	if len(a.waiting) < a.together && a.steps < stepsTogether {
		return nil
	}
	return a.flush()
}

func (a *adding) flush() error {
	runs := a.waiting
	a.waiting, a.steps = nil, 0
	if len(runs) == 0 {
		return nil
	}
	if err := a.memory.Add(a.ctx, runs...); err != nil {
		return err
	}
	a.added += len(runs)
	return nil
}

// concluded is an episode with what a memory keeps of it.
func concluded(r *engine.Reasoner, ep *episode.Episode, res *engine.Result) memory.Run {
	return memory.Run{Episode: ep, Conclusions: record.Conclusions{Result: res, Uses: r.StrategyUses(res)}}
}

// checkedOnly is an episode with what was found in it.
func checkedOnly(ctx context.Context, r *engine.Reasoner, ep *episode.Episode) (memory.Run, error) {
	res, err := r.Check(ctx, ep)
	if res == nil {
		return memory.Run{Episode: ep}, err
	}
	return concluded(r, ep, res), err
}

// concludedWhole is an episode with all that is concluded from it: what was found, what could
// have been foreseen, and how to go on. With an error it has what was concluded without; the
// result is nil where nothing was.
func concludedWhole(ctx context.Context, r *engine.Reasoner, ep *episode.Episode) (memory.Run, error) {
	recovery, err := r.RecoverEpisode(ctx, ep, engine.Planner{})
	if recovery == nil {
		return memory.Run{Episode: ep}, err
	}
	out := concluded(r, ep, recovery.Result)
	out.Recovery = recovery
	foresight, blind := r.Foresee(ctx, ep, engine.Scoring{})
	if out.Foresight = foresight; foresight != nil {
		foresight.Result = nil // is as that of the recovery, and of many that wait to be added
	}
	return out, cmp.Or(err, blind) // the same rule fails in both
}

// keeper adds what another command checks to a memory, where there is one, or looks back on it.
type keeper struct {
	reasoner *engine.Reasoner
	memory   *memory.Memory // nil for none
	ctx      context.Context
	queue    *memory.Queue // of a stream
}

// keeper opens the memory that a flag names, and makes a reasoner whose rules may look back
// on it.
func (f *memoryFlags) keeper(ctx context.Context, k *knowledge, readOnly bool) (*keeper, error) {
	if f.place != "" {
		return f.opened(ctx, k, readOnly)
	}
	r, err := k.reasoner()
	if err == nil && memory.LooksBack(r.Rules()) {
		fmt.Fprintln(stderr, "rules ask earlier/1, which has no answers without --memory")
	}
	return &keeper{reasoner: r, ctx: ctx}, err
}

// opened is a keeper of a memory that has to be named.
func (f *memoryFlags) opened(ctx context.Context, k *knowledge, readOnly bool) (*keeper, error) {
	out := &keeper{ctx: ctx}
	o, err := k.loadOntology()
	if err != nil {
		return nil, err
	}
	if out.memory, err = f.open(ctx, o, readOnly); err != nil {
		return nil, err
	}
	if out.reasoner, err = k.reasoner(out.memory.Builtins()...); err != nil {
		out.memory.Close()
	}
	return out, err
}

// during is a context in which rules look back from an episode.
func (k *keeper) during(ctx context.Context, ep *episode.Episode) context.Context {
	return memory.DuringEpisode(ctx, k.reasoner.Ontology, ep)
}

// looksBack reports that rules ask the memory for earlier episodes: what is to be added has to
// be so before the next is checked.
func (k *keeper) looksBack() bool {
	return k.memory != nil && memory.LooksBack(k.reasoner.Rules())
}

func (k *keeper) add(ctx context.Context, ep *episode.Episode, res *engine.Result) error {
	if k.memory == nil {
		return nil
	}
	run := concluded(k.reasoner, ep, res)
	run.Replace = true
	return k.memory.Add(ctx, run)
}

// over is what a stream does with each episode.
func (k *keeper) over() func(*episode.Episode, *engine.Result) error {
	if k.memory == nil {
		return nil
	}
	if k.looksBack() { // the next episode asks what was found in this one
		return func(ep *episode.Episode, res *engine.Result) error { return k.add(k.ctx, ep, res) }
	}
	k.queue = k.memory.Queue(k.ctx, queued)
	return func(ep *episode.Episode, res *engine.Result) error {
		run := concluded(k.reasoner, ep, res)
		run.Replace = true
		return k.queue.Add(k.ctx, run)
	}
}

// queued is how many episodes of a stream may wait to be added.
const queued = 64

// flush adds what waits, and tells if the stream had to wait for that.
func (k *keeper) flush() error {
	if k.queue == nil {
		return nil
	}
	err := k.queue.Close()
	if times, waited := k.queue.Pressure(); times > 0 {
		fmt.Fprintf(stderr, "the stream waited %d times for the memory, %s in all\n", times, waited.Round(time.Millisecond))
	}
	return err
}

func (k *keeper) close() {
	if k.memory != nil {
		k.memory.Close()
	}
}

func newMemoryAdd(k *knowledge, f *memoryFlags) *cobra.Command {
	in := &logFlags{whole: true, format: "text"}
	replace, findings := false, false
	c := &cobra.Command{
		Use:   "add PATH…",
		Short: "Check logs and add their episodes",
		Long: `Check logs, as "mishap check" takes them, and add their episodes with what was found,
what "mishap foresee" could have told before, and the plans of "mishap recover"; with
--findings without these two, which takes less than half the time, and of a log of
thousands of steps a small part of it. An episode of an id that is there already is refused; with --replace it takes the
place of the other.

Exit code: 0 all were added, 2 some were not.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := in.check(args); err != nil {
				return err
			}
			keep, err := f.opened(c.Context(), k, false)
			if err != nil {
				return err
			}
			defer keep.close()
			r := keep.reasoner
			a := &adding{ctx: c.Context(), memory: keep.memory, together: together, replace: replace}
			if keep.looksBack() {
				a.together = 1
			}
			type checked struct{ run *memory.Run }
			run, err := logReport[checked](r, in, "adding")
			if err != nil {
				return err
			}
			conclude := concludedWhole
			if findings {
				conclude = checkedOnly
			}
			run.Do = func(ctx context.Context, ep *episode.Episode) (*checked, error) {
				read := *ep
				out, err := conclude(keep.during(ctx, ep), r, &read)
				if out.Result == nil {
					return nil, err
				}
				ep.Warnings = out.Result.Episode.Warnings
				if keep.looksBack() {
					return &checked{}, errors.Join(err, a.add(out))
				}
				return &checked{&out}, err
			}
			run.OneByOne = keep.looksBack()
			run.Text = func(c *checked) error {
				if c.run == nil { // is added
					return nil
				}
				one := *c.run
				c.run = nil
				return a.add(one)
			}
			failed := runLogs(c.Context(), run, args, func(*checked) int { return 0 })
			if err := a.flush(); err != nil {
				return err
			}
			fmt.Fprintf(stdout, "%d added\n", a.added)
			return failed
		},
	}
	fs := c.Flags()
	fs.BoolVar(&replace, "replace", false, "put an episode in the place of the one of its id")
	fs.BoolVar(&findings, "findings", false, "without what could have been foreseen, and without plans of recovery")
	fs.BoolVar(&in.quiet, "quiet", false, "no progress")
	fs.BoolVar(&in.strict, "strict", false, "take every warning for an error")
	fs.Float64Var(&in.noise, "noise", 0, "rate at which the robot's perception errs, for logs that do not state it")
	return c
}

// reading is a command that only reads the memory.
func reading(k *knowledge, f *memoryFlags, do func(ctx context.Context, m *memory.Memory, args []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		o, err := k.loadOntology()
		if err != nil {
			return err
		}
		m, err := f.open(c.Context(), o, true)
		if err != nil {
			return err
		}
		defer m.Close()
		return do(c.Context(), m, args)
	}
}

func checkFormat(format string) error {
	if format != "text" && format != "json" {
		return fmt.Errorf("--format %q; expected text or json", format)
	}
	return nil
}

func newMemoryList(k *knowledge, f *memoryFlags) *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "list",
		Short: "List the episodes, those that began first before others",
		Args:  cobra.NoArgs,
		RunE: reading(k, f, func(ctx context.Context, m *memory.Memory, _ []string) error {
			if err := checkFormat(format); err != nil {
				return err
			}
			filter, err := f.filter(time.Now())
			if err != nil {
				return err
			}
			entries := []memory.Entry{}
			for e, err := range m.List(ctx, filter) {
				if err != nil {
					return err
				}
				entries = append(entries, e)
			}
			if format == "json" {
				return report.JSON(stdout, map[string]any{"episodes": entries})
			}
			return report.MemoryEntries(stdout, entries)
		}),
	}
	c.Flags().StringVar(&format, "format", "text", "text or json")
	f.filters(c.Flags())
	return c
}

func newMemoryShow(k *knowledge, f *memoryFlags) *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "show EPISODE",
		Short: "Rebuild an episode and check it anew, or print its log or its quads",
		Long: `Rebuild an episode from its quads. --format text and json report what is found in
it, as "mishap check" does, with the rules of today; jsonl prints it as a log, nquads
what the memory holds.

Exit code: 0, or 2 where it is not there.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if !slices.Contains([]string{"text", "json", "jsonl", "nquads"}, format) {
				return fmt.Errorf("--format %q; expected text, json, jsonl or nquads", format)
			}
			past, err := f.opened(c.Context(), k, true)
			if err != nil {
				return err
			}
			defer past.close()
			return past.show(c.Context(), args[0], format)
		},
	}
	c.Flags().StringVar(&format, "format", "text", "text, json, jsonl or nquads")
	return c
}

func (k *keeper) show(ctx context.Context, id, format string) error {
	if format == "nquads" {
		quads, err := k.memory.Quads(ctx, id)
		if err != nil {
			return err
		}
		return record.WriteNQuads(stdout, quads)
	}
	ep, err := k.memory.Episode(ctx, id)
	if err != nil {
		return err
	}
	if format == "jsonl" {
		return jsonl.Write(stdout, ep)
	}
	res, err := k.reasoner.Check(k.during(ctx, ep), ep)
	if err != nil {
		return err
	}
	rep := report.NewEpisode(res)
	if format == "json" {
		return (&report.LogResults[report.Episode]{Episodes: []report.Episode{rep}}).JSON(stdout)
	}
	return rep.Text(stdout, style())
}

func newMemoryRemove(k *knowledge, f *memoryFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "remove EPISODE…",
		Short: "Take episodes out, all that are named or none",
		Args:  cobra.MinimumNArgs(1),
		RunE: changing(k, f, func(ctx context.Context, m *memory.Memory, args []string) error {
			return m.Remove(ctx, args...)
		}),
	}
}

func newMemoryCompact(k *knowledge, f *memoryFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "compact",
		Short: "Give back the room of what was removed",
		Args:  cobra.NoArgs,
		RunE:  changing(k, f, func(ctx context.Context, m *memory.Memory, _ []string) error { return m.Compact(ctx) }),
	}
}

// changing is a command that changes a memory that is there.
func changing(k *knowledge, f *memoryFlags, do func(context.Context, *memory.Memory, []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		o, err := k.loadOntology()
		if err != nil {
			return err
		}
		m, err := f.open(c.Context(), o, true)
		if err != nil {
			return err
		}
		m.Close()
		if m, err = f.open(c.Context(), o, false); err != nil {
			return err
		}
		defer m.Close()
		return do(c.Context(), m, args)
	}
}

func newMemoryStats(k *knowledge, f *memoryFlags) *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "stats",
		Short: "Count what the memory holds",
		Args:  cobra.NoArgs,
		RunE: reading(k, f, func(ctx context.Context, m *memory.Memory, _ []string) error {
			if err := checkFormat(format); err != nil {
				return err
			}
			s, err := m.Stats(ctx)
			if err != nil {
				return err
			}
			if format == "json" {
				return report.JSON(stdout, s)
			}
			return report.MemoryStats(stdout, s)
		}),
	}
	c.Flags().StringVar(&format, "format", "text", "text or json")
	return c
}
