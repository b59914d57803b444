// Package bench measures detection on simulated episodes of known truth, on
// replayed trajectories and on re-enacted plans. Truth comes from the simulated
// world, never from the rules that are measured.
package bench

import (
	"context"
	"runtime"
	"slices"
	"sync"

	"github.com/mishap-robotics/mishap/bridge/advice"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/simulation"
	"github.com/mishap-robotics/mishap/ontology"
)

// Bench is what measurements are made with.
type Bench struct {
	Reasoner   *engine.Reasoner
	Simulation *ontology.Ontology // with the simulation documents
	Seed       uint64
	// Methods are those by which recovery is measured, by name; all where empty.
	Methods []string
	// Sample bounds the episodes of a set that all but the whole of recovery are measured
	// on, drawn by the seed; 0 for all.
	Sample int
	// Limit bounds the episodes of a set that are measured at all, drawn by the seed; 0
	// for all.
	Limit int
	// Adviser advises mishap, Model is asked by the baselines that have a model; nil for
	// none.
	Adviser engine.Adviser
	Model   *advice.Adviser
	// Imitation stands in for the model, where there is none; nil where nothing does.
	Imitation *Imitation
	// Journal keeps what was measured of recovery, so that a run that was broken off goes
	// on; nil for none.
	Journal *Journal
	// Progress is told how many episodes more there are, and of each that is done;
	// it may be nil.
	Progress Progress

	once  sync.Once
	embed discrepancy.Embedder
}

// Progress is told how far long work is.
type Progress interface {
	More(n int) // there is more to do
	Step()      // one thing is done
}

// Found is a finding, as far as it is scored.
type Found struct {
	Class string `json:"class"`
	Step  int    `json:"step"`
	Cause int    `json:"cause_step"`
	// Objects are those of the finding.
	Objects []string `json:"objects,omitempty"`
}

// Case is one episode with what was found in it.
type Case struct {
	ID       string             `json:"id"`
	Seed     uint64             `json:"seed,omitempty"` // of the noise
	Truth    []simulation.Truth `json:"truth,omitempty"`
	Found    []Found            `json:"found,omitempty"`
	Detected int                `json:"detected"`        // failures for which there is a finding
	Class    int                `json:"class"`           // of those, with the right class
	Cause    int                `json:"cause"`           // of those detected, with the right causing step
	Late     int                `json:"late,omitempty"`  // most steps that a finding is later than the truth
	Extra    int                `json:"extra,omitempty"` // findings that no failure accounts for
	Error    string             `json:"error,omitempty"`
}

// right reports whether everything was found, as it was, and nothing else.
func (c *Case) right() bool {
	n := len(c.Truth)
	return c.Error == "" && c.Detected == n && c.Class == n && c.Cause == n && c.Extra == 0
}

// Count sums cases up.
type Count struct {
	Episodes int `json:"episodes"`
	Failures int `json:"failures"`
	Detected int `json:"detected"`
	Class    int `json:"class"`
	Cause    int `json:"cause"`
	OnTime   int `json:"on_time"` // detected, at most two steps late
	Extra    int `json:"extra"`   // findings that no failure accounts for
	Alarmed  int `json:"alarmed"` // episodes with such a finding
	Errors   int `json:"errors"`
}

// lateAllowed is how many steps late a finding may be to count as on time.
const lateAllowed = 2

func (n *Count) add(c *Case) {
	n.Episodes++
	n.Failures += len(c.Truth)
	n.Detected += c.Detected
	n.Class += c.Class
	n.Cause += c.Cause
	n.Extra += c.Extra
	if c.Late <= lateAllowed {
		n.OnTime += c.Detected
	}
	if c.Extra > 0 {
		n.Alarmed++
	}
	if c.Error != "" {
		n.Errors++
	}
}

func sum(cases []Case) Count {
	var n Count
	for i := range cases {
		n.add(&cases[i])
	}
	return n
}

// job is an episode to be checked.
type job struct {
	scenario *simulation.Scenario
	options  simulation.Options
	alter    func(*episode.Episode) // before it is checked; may be nil
	reasoner *engine.Reasoner       // in place of the bench's; may be nil
}

// run checks episodes on all cores; the cases are in the order of the jobs.
func (b *Bench) run(ctx context.Context, jobs []job) []Case {
	return each(ctx, b, len(jobs), func(i int) Case { return b.check(ctx, jobs[i]) })
}

// each makes n cases on all cores, in order.
func each[T any](ctx context.Context, b *Bench, n int, do func(int) T) []T {
	if b.Progress != nil {
		b.Progress.More(n)
	}
	out := make([]T, n)
	next := make(chan int)
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for i := range next {
				out[i] = do(i)
				if b.Progress != nil {
					b.Progress.Step()
				}
			}
		})
	}
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	all.Wait()
	return out
}

// limited draws those episodes of a set that are measured, in their order.
func limited[T any](b *Bench, all []T) []T {
	if b.Limit == 0 || len(all) <= b.Limit {
		return all
	}
	chosen := b.sampler().random(6000).Perm(len(all))[:b.Limit]
	slices.Sort(chosen)
	out := make([]T, len(chosen))
	for k, i := range chosen {
		out[k] = all[i]
	}
	return out
}

func (b *Bench) check(ctx context.Context, j job) Case {
	run, err := simulation.Simulate(b.Simulation, j.scenario, j.options)
	if err != nil {
		return Case{ID: j.scenario.ID, Truth: j.scenario.Expect, Error: err.Error()}
	}
	if j.alter != nil {
		j.alter(run.Episode)
	}
	r := b.Reasoner
	if j.reasoner != nil {
		r = j.reasoner
	}
	c := b.judge(ctx, r, run.Episode, run.Truth)
	if j.options.Noise != (simulation.Noise{}) {
		c.Seed = j.options.Seed
		c.Late = b.lateness(ctx, r, run.Episode, &c)
	}
	return c
}

// judge checks an episode and compares what is found with the truth.
func (b *Bench) judge(ctx context.Context, r *engine.Reasoner, ep *episode.Episode, truth []simulation.Truth) Case {
	res, err := r.Check(ctx, ep)
	if err != nil {
		return Case{ID: ep.ID, Truth: truth, Error: err.Error()}
	}
	return Score(b.Simulation, ep.ID, truth, res.Findings)
}

// lateness is how many lines after the first failure that was detected could
// show a monitor reports a finding of it.
func (b *Bench) lateness(ctx context.Context, r *engine.Reasoner, ep *episode.Episode, c *Case) int {
	if c.Detected == 0 || c.Truth[0].Step == 0 {
		return c.Late
	}
	live := *ep
	m := r.Watch(&live, engine.Limits{}, nil)
	t := c.Truth[0]
	for _, st := range ep.Steps {
		updates, err := m.Step(ctx, st)
		if err != nil {
			break
		}
		for _, u := range updates {
			f := foundOf(&u.Finding)
			if u.Kind == engine.Found && (causes(t, f) || f.Step == t.Step) {
				return max(0, st.Index-t.Step)
			}
		}
	}
	return max(c.Late, ep.Steps[len(ep.Steps)-1].Index-t.Step)
}

// Score compares findings with the truth. A failure is detected by a finding of
// its class, or of a subclass, nearest to its causing step; else by another
// that shows or lies where it does; else, where there is only one failure, by
// any. Findings that are left over are extra.
func Score(o *ontology.Ontology, id string, truth []simulation.Truth, findings []engine.Finding) Case {
	c := Case{ID: id, Truth: truth}
	for i := range findings {
		f := &findings[i]
		c.Found = append(c.Found, foundOf(f))
	}
	s := scorer{o, &c, make([]bool, len(c.Found)), make([]int, len(truth))}
	for i := range s.of {
		s.of[i] = -1
	}
	s.assign(func(t simulation.Truth, f Found) bool { return s.sameClass(t, f) && causes(t, f) })
	s.assign(s.sameClass)
	s.assign(func(t simulation.Truth, f Found) bool { return causes(t, f) || t.Step != 0 && f.Step == t.Step })
	if len(truth) == 1 {
		s.assign(func(simulation.Truth, Found) bool { return true })
	}
	for i, t := range truth {
		if s.of[i] < 0 {
			continue
		}
		f := c.Found[s.of[i]]
		c.Detected++
		if s.sameClass(t, f) {
			c.Class++
		}
		if causes(t, f) {
			c.Cause++
		}
		if t.Step > 0 {
			c.Late = max(c.Late, f.Step-t.Step)
		}
	}
	for _, used := range s.used {
		if !used {
			c.Extra++
		}
	}
	return c
}

func foundOf(f *engine.Finding) Found {
	return Found{Class: f.Type, Step: int(f.Step), Cause: int(f.Cause), Objects: f.Objects}
}

type scorer struct {
	onto *ontology.Ontology
	c    *Case
	used []bool
	of   []int // finding of each failure, -1 for none
}

func (s *scorer) assign(fits func(simulation.Truth, Found) bool) {
	for i, t := range s.c.Truth {
		for k, f := range s.c.Found {
			if s.of[i] < 0 && !s.used[k] && fits(t, f) {
				s.of[i], s.used[k] = k, true
			}
		}
	}
}

// sameClass reports whether a finding has the class of a failure, or one that is
// right too, and the objects that are to be among its own.
func (s *scorer) sameClass(t simulation.Truth, f Found) bool {
	for _, x := range t.Objects {
		if !slices.Contains(f.Objects, x) {
			return false
		}
	}
	x, _ := s.onto.Lookup(f.Class)
	for _, name := range append([]string{t.Class}, t.Classes...) {
		if y, ok := s.onto.Lookup(name); name == f.Class || ok && s.onto.IsA(x, y) {
			return true
		}
	}
	return false
}

// causes reports whether a finding has the causing step of a failure.
func causes(t simulation.Truth, f Found) bool {
	switch {
	case len(t.Window) == 2:
		return f.Cause >= t.Window[0] && f.Cause <= t.Window[1]
	case t.Cause > 0:
		return f.Cause == t.Cause
	}
	return f.Cause == t.Step || f.Step == t.Step && t.Step > 0
}
