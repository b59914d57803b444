package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/advice"
	"github.com/mishap-robotics/mishap/bridge/bench"
)

// papers stands for the parts with the papers' own tasks.
const papers = "papers"

type recoverBench struct {
	benchRun
	what    bench.Recovering
	sample  int
	models  modelFlags
	journal string
	imitate []float64
}

func newBenchRecover(k *knowledge) *cobra.Command {
	r := &recoverBench{benchRun: benchRun{name: "recover", all: bench.RecoveringParts()}}
	c := &cobra.Command{
		Use:   "recover",
		Short: "Measure recovery against baselines, and what each part of it contributes",
		Long: `Measure recovery: a simulated robot carries out plans that go wrong, and what it does
about that is chosen by each method in turn: nothing, going on with the next action,
planning anew from the failure or after a reset, another branch of plans sampled
beforehand, one correction after the task has ended, and mishap, whole and without
its parts. All plan by the same search.

  pairs       RECOVER's tasks by its twelve failures and two more, every way each can happen
  stocked     the same with a spare of everything that is handled, and a broom
  robofail    re-enactments of annotated real plans (--robofail FILE)
  replanning  the ten cases of the proactive replanning paper
  replan      RePlan's cases
  unknown     RePlan's seven tasks and that of its appendix, with what the robot does not know drawn anew
  alfred      trajectories, each with one failure (--alfred FILE)
  noise       mishap on drawn pairs, with sensors that err
  papers      all but stocked and noise: the papers' own tasks

Mishap is measured on every episode, the other methods on a sample of each set, the
same for all. An episode counts where nothing proves that its goal cannot be reached once all has
befallen the robot; the proofs are listed.

With a language model the same episodes are measured with it: mishap advised by it,
and what the papers do with one (RECOVER's verifier and replanner, REFLECT's one
correction after the task with and without its parts, RePlan's loop with and without
its parts), with the calls, tokens and cost of each.
` + modelHelp + `

With --imitate RATES an imitation of a model takes its place, where none can be called:
it knows what its prompt tells and nothing else, plans in that by mishap's planner, and
errs in so great a share of its answers (0 to 1), by a wrong object, a missing step, an
unknown word or a refusal. Each part is measured at each rate. What such tables say of
is the verifier, the rules, the strategies and what prompts tell, not a model; their
first line says so. The same call with --model in its place measures a
real one.

With --scenarios DIR the scenarios of that folder are measured and nothing else,
unless --parts says so.

The result is printed and, with -o DIR, written as recover.txt, recover.json and
recover.svg; the whole benchmark writes to testdata/bench by itself, where there
is such a folder.

Exit code: 0, or 2 where the call or an input is bad. The counts are the result.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return r.measure(c, k) },
	}
	f := c.Flags()
	f.IntVar(&r.what.Draws, "draws", 20, "draws of each task with unknowns")
	f.IntVar(&r.sample, "sample", 60, "how many episodes of a set the baselines and the whole without its parts are measured on; 0 for all")
	f.IntVar(&r.what.Noisy, "noisy", 40, "episodes at each rate of noise")
	f.IntVar(&r.what.Trajectories, "trajectories", 0, "how many trajectories of the ALFRED file; 0 for all")
	f.Float64SliceVar(&r.imitate, "imitate", nil, "rates at which an imitation of a model errs, from 0 to 1")
	r.flags(c, k)
	r.models.flags(f)
	r.models.mapping(f)
	f.StringVar(&r.journal, "resume", "", "file that keeps each episode as soon as it is measured; a run that was broken off goes on from it")
	return c
}

func (r *recoverBench) measure(c *cobra.Command, k *knowledge) error {
	if i := slices.Index(r.parts, papers); i >= 0 {
		r.parts = slices.Replace(r.parts, i, i+1, bench.PaperParts()...)
		slices.Sort(r.parts)
		r.parts = slices.Compact(r.parts)
	}
	if err := r.check(c); err != nil {
		return err
	}
	if r.what.Draws < 1 || r.what.Trajectories < 0 || r.what.Noisy < 1 || r.sample < 0 {
		return errors.New("--draws and --noisy; expected at least 1, --trajectories and --sample at least 0")
	}
	b, p, err := r.bench(k)
	if err != nil {
		return err
	}
	defer p.Clear()
	b.Sample = r.sample
	if err := r.advise(b); err != nil {
		return err
	}
	err = errors.Join(r.run(c.Context(), b), b.Journal.Close())
	return closing(&r.models, err)
}

// advise lets a model be measured where one is configured, and opens the journal.
func (r *recoverBench) advise(b *bench.Bench) error {
	a, err := r.models.adviser()
	if err != nil {
		return err
	}
	if len(r.imitate) > 0 && a != nil {
		return errors.New("--imitate with --model; expected one of them")
	}
	if err := r.imitations(); err != nil {
		return err
	}
	run := fmt.Sprintf("seed %d, %s", r.seed, bench.Version())
	if a != nil {
		b.Adviser, b.Model = a, a
		run += ", model " + a.Name()
	}
	if r.journal == "" {
		return nil
	}
	if b.Journal, err = bench.OpenJournal(r.journal, run); err != nil {
		return err
	}
	if n := b.Journal.Known(); n > 0 && !r.quiet {
		fmt.Fprintf(stderr, "%s holds %d episodes of this run already\n", r.journal, n)
	}
	return nil
}

// imitations are those of the rates that were given.
func (r *recoverBench) imitations() error {
	if len(r.imitate) == 0 {
		return nil
	}
	prompts, err := advice.LoadPrompts("")
	if err != nil {
		return err
	}
	for _, rate := range r.imitate {
		i := &bench.Imitation{Rate: rate, Prompts: prompts}
		if err := i.CheckRate(); err != nil {
			return fmt.Errorf("--imitate: %w", err)
		}
		r.what.Imitate = append(r.what.Imitate, i)
	}
	return nil
}

func (r *recoverBench) run(ctx context.Context, b *bench.Bench) error {
	c, unread, err := r.choice(b)
	if err != nil {
		return err
	}
	r.what.Files = r.files
	res, failed, err := r.what.Run(ctx, b, c)
	if err != nil {
		return err
	}
	return r.finish(res, len(res.Sets) > 0, unread || failed)
}
