package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/simulation"
	"github.com/mishap-robotics/mishap/ontology"
)

// PlanFaults is how plans are judged that were corrupted as people and language models
// get plans wrong. What is wrong with a plan is known from what was done to it, whether
// it is wrong at all from the simulated world.
type PlanFaults struct {
	Kinds []PlanFaultKind
}

// PlanFaultKind counts the plans of one kind of corruption, without those that reach the
// goal although an action is refused.
type PlanFaultKind struct {
	Kind    string
	Faulty  int // plans that do not reach the goal
	Found   int // of those, plans with a finding
	Located int // of those, plans with a first finding in the window of the fault
	Right   int // plans that the corruption leaves right
	Blamed  int // of those, plans with a planning failure
	Misses  []string
}

// corrupted is a plan with where it was corrupted: 1-based indexes in it between which the
// fault lies, the window of what was left out as found by putting it back.
type corrupted struct {
	plan    []episode.Action
	first   int
	last    int
	missing []episode.Action
}

// corruption makes plans of one kind out of a right one.
type corruption struct {
	kind string
	make func(c *corrupter, plan []episode.Action) []corrupted
}

// PlanFaults corrupts the plans of the scenarios of some suites, each in at most so many
// ways of each kind.
func (b *Bench) PlanFaults(ctx context.Context, each int, suites ...string) (*PlanFaults, error) {
	scenarios, err := b.sampler().scenarios(suites...)
	if err != nil {
		return nil, err
	}
	scenarios = slices.DeleteFunc(scenarios, func(sc *simulation.Scenario) bool { return len(sc.Expect)+len(sc.Disturbances) > 0 })
	out := &PlanFaults{}
	for k, kind := range corruptions {
		count := PlanFaultKind{Kind: kind.kind}
		for i, sc := range scenarios {
			c := &corrupter{onto: b.Simulation, rng: b.sampler().random(uint64(8000 + 100*k + i)), others: scenarios, own: sc}
			all := kind.make(c, sc.Plan)
			c.rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			for _, v := range all[:min(each, len(all))] {
				if err := b.judgePlan(ctx, &count, sc, v); err != nil {
					return nil, err
				}
			}
		}
		out.Kinds = append(out.Kinds, count)
	}
	return out, nil
}

func (b *Bench) judgePlan(ctx context.Context, n *PlanFaultKind, sc *simulation.Scenario, c corrupted) error {
	first, reached, err := b.carriesOut(sc, c.plan)
	if err != nil || reached && first > 0 {
		return err // what is superfluous and refused may be called a fault or not
	}
	ep := &episode.Episode{ID: sc.ID, Task: sc.Task, Goal: sc.Goal, GoalFacts: sc.Goals, Params: sc.Params, People: sc.People, Scene: sc.Scene, Plan: c.plan}
	_, threats, err := b.Reasoner.CheckPlan(ctx, ep)
	if err != nil {
		return fmt.Errorf("%s: %w", sc.ID, err)
	}
	if reached {
		n.Right++
		if i := slices.IndexFunc(threats, b.blames); i >= 0 {
			n.Blamed++
			n.Misses = append(n.Misses, fmt.Sprintf("%s: blamed %s at %d: %s\n%s", sc.ID, threats[i].Type, threats[i].PlannedCause, threats[i].Explanation, numbered(c.plan)))
		}
		return nil
	}
	n.Faulty++
	from, to := b.window(sc, c, first)
	switch {
	case len(threats) == 0:
		n.Misses = append(n.Misses, fmt.Sprintf("%s: nothing found, the fault is in %d–%d\n%s", sc.ID, from, to, numbered(c.plan)))
	case slices.ContainsFunc(threats[:1], func(t engine.Threat) bool {
		return t.PlannedCause >= from && t.PlannedCause <= to || len(c.missing) > 0 && b.fits(sc, c, t.PlannedCause)
	}):
		n.Found++
		n.Located++
	default:
		n.Found++
		n.Misses = append(n.Misses, fmt.Sprintf("%s: %s at %d, the fault is in %d–%d: %s (%s)\n%s", sc.ID, threats[0].Type, threats[0].PlannedCause, from, to, threats[0].Explanation, threats[0].Repair, numbered(c.plan)))
	}
	return nil
}

func numbered(plan []episode.Action) string {
	out := ""
	for i, a := range plan {
		out += fmt.Sprintf("    %d %s\n", i+1, a)
	}
	return out
}

// blames reports whether a threat says that the plan itself is wrong.
func (b *Bench) blames(t engine.Threat) bool {
	o := b.Reasoner.Ontology
	id, ok := o.Lookup(t.Type)
	return ok && o.IsPlanFault(id)
}

// carriesOut simulates a plan: the 1-based index of the first action that is refused, 0
// for none, and whether the goal is reached.
func (b *Bench) carriesOut(sc *simulation.Scenario, plan []episode.Action) (refused int, reached bool, err error) {
	own := *sc
	own.Plan, own.Anywhere = plan, true // plans may leave out where the robot goes
	run, err := simulation.Simulate(b.Simulation, &own, simulation.Options{})
	if err != nil {
		return 0, false, err
	}
	if all := run.Refused(); len(all) > 0 {
		refused = all[0]
	}
	return refused, run.Reached, nil
}

// fits reports whether putting back what was left out before an action, from 1, makes a plan
// right: a fault may be told there, too, however far it is from where that stood.
func (b *Bench) fits(sc *simulation.Scenario, c corrupted, at int) bool {
	if at < 1 || at > len(c.plan)+1 {
		return false
	}
	refused, reached, err := b.carriesOut(sc, slices.Insert(slices.Clone(c.plan), at-1, c.missing...))
	return err == nil && reached && refused == 0
}

// window is where a fault may be told: where the plan was corrupted, up to the first
// action that is refused for it; of what was left out everywhere around there where
// putting it back makes the plan right. What is missing at the end of a plan is told at
// its last action.
func (b *Bench) window(sc *simulation.Scenario, c corrupted, refused int) (from, to int) {
	from, to = c.first, max(c.last, refused)
	if len(c.missing) == 0 {
		return from, to
	}
	for from > 1 && b.fits(sc, c, from-1) {
		from--
	}
	for to <= len(c.plan) && b.fits(sc, c, to+1) {
		to++
	}
	return min(from, max(1, len(c.plan))), to
}

// corrupter knows what plans are corrupted with.
type corrupter struct {
	onto   *ontology.Ontology
	rng    *rand.Rand
	others []*simulation.Scenario
	own    *simulation.Scenario
}

func (c *corrupter) moves(a episode.Action) bool {
	schema, ok := c.onto.Action(a.Name)
	return ok && (len(schema.Effects) == 0 || c.onto.IsNavigation(schema))
}

// corruptions are the kinds, in the order in which they are told.
var corruptions = []corruption{
	{"as it is", func(_ *corrupter, plan []episode.Action) []corrupted { return []corrupted{{plan: plan}} }},
	{"a look or a move more", (*corrupter).withMoves},
	{"a move left out", func(c *corrupter, plan []episode.Action) []corrupted {
		return c.without(plan, 1, func(part []episode.Action) bool { return c.moves(part[0]) })
	}},
	{"an action left out", func(c *corrupter, plan []episode.Action) []corrupted {
		return c.without(plan, 1, func(part []episode.Action) bool { return !c.moves(part[0]) })
	}},
	{"two left out", func(c *corrupter, plan []episode.Action) []corrupted { return c.without(plan, 2, c.acts) }},
	{"four left out", func(c *corrupter, plan []episode.Action) []corrupted { return c.without(plan, 4, c.acts) }},
	{"what becomes of a thing left out", (*corrupter).withoutCarrying},
	{"the end left out", (*corrupter).shortened},
	{"another order", (*corrupter).reordered},
	{"another object once", func(c *corrupter, plan []episode.Action) []corrupted { return c.exchanged(plan, false) }},
	{"another object throughout", func(c *corrupter, plan []episode.Action) []corrupted { return c.exchanged(plan, true) }},
	{"another place", (*corrupter).misplaced},
	{"another action", (*corrupter).otherwise},
	{"actions of another task", (*corrupter).mixed},
}

func (c *corrupter) acts(part []episode.Action) bool {
	return slices.ContainsFunc(part, func(a episode.Action) bool { return !c.moves(a) })
}

// without leaves out stretches of n actions that fit.
func (c *corrupter) without(plan []episode.Action, n int, fits func([]episode.Action) bool) []corrupted {
	var out []corrupted
	for i := 0; i+n <= len(plan); i++ {
		if fits(plan[i : i+n]) {
			out = append(out, cut(plan, i, i+n))
		}
	}
	return out
}

func cut(plan []episode.Action, from, to int) corrupted {
	return corrupted{plan: slices.Delete(slices.Clone(plan), from, to), first: from + 1, last: from + 1, missing: plan[from:to]}
}

// withoutCarrying leaves out what is done to a thing from taking it up to putting it down.
func (c *corrupter) withoutCarrying(plan []episode.Action) []corrupted {
	var out []corrupted
	for i, a := range plan {
		if schema, ok := c.onto.Action(a.Name); !ok || schema != c.onto.Roles.Take {
			continue
		}
		for j := i + 1; j < len(plan); j++ {
			if plan[j].Target == a.Target && plan[j].Destination != "" {
				out = append(out, cut(plan, i, j+1))
				break
			}
		}
	}
	return out
}

func (c *corrupter) shortened(plan []episode.Action) []corrupted {
	var out []corrupted
	for n := 1; n <= 4 && n < len(plan); n++ {
		out = append(out, cut(plan, len(plan)-n, len(plan)))
	}
	return out
}

// reordered moves an action a few places further.
func (c *corrupter) reordered(plan []episode.Action) []corrupted {
	var out []corrupted
	for i, a := range plan {
		for by := -3; by <= 3; by++ {
			j := i + by
			if by == 0 || j < 0 || j >= len(plan) || c.moves(a) {
				continue
			}
			moved := slices.Insert(slices.Delete(slices.Clone(plan), i, i+1), j, a)
			out = append(out, corrupted{plan: moved, first: min(i, j) + 1, last: max(i, j) + 2})
		}
	}
	return out
}

// withMoves puts in what changes nothing.
func (c *corrupter) withMoves(plan []episode.Action) []corrupted {
	var out []corrupted
	for i, a := range plan {
		if !c.moves(a) {
			continue
		}
		out = append(out, corrupted{plan: slices.Insert(slices.Clone(plan), i, a), first: i + 1, last: i + 1})
		if look := c.onto.Roles.Look; look != nil {
			out = append(out, corrupted{plan: slices.Insert(slices.Clone(plan), i, episode.Action{Name: look.Name}), first: i + 1, last: i + 1})
		}
	}
	return out
}

// things are the classes of which the other plans name objects.
func (c *corrupter) things() []string {
	var out []string
	for _, sc := range c.others {
		for _, a := range sc.Plan {
			for _, x := range []string{a.Target, a.Destination} {
				if class, _ := episode.SplitName(x); x != "" && !slices.Contains(out, class) {
					out = append(out, class)
				}
			}
		}
	}
	return out
}

// alike reports whether a thing could be taken for another: both are carried, or neither.
func (c *corrupter) alike(a, b string) bool {
	a, _ = episode.SplitName(a)
	x, known := c.onto.Lookup(a)
	y, too := c.onto.Lookup(b)
	movable := c.onto.Roles.Movable
	return known && too && a != b && !c.onto.IsA(x, y) && !c.onto.IsA(y, x) && c.onto.HasProperty(x, movable) == c.onto.HasProperty(y, movable) &&
		len(c.onto.Wholes(x)) == 0 && len(c.onto.Wholes(y)) == 0 && !slices.ContainsFunc(c.own.Plan, func(p episode.Action) bool { return p.Target == b || p.Destination == b })
}

// exchanged names another object for the target of an action, or from there on.
func (c *corrupter) exchanged(plan []episode.Action, throughout bool) []corrupted {
	var out []corrupted
	for i, a := range plan {
		if throughout && slices.ContainsFunc(plan[:i], func(p episode.Action) bool { return p.Target == a.Target || p.Destination == a.Target }) || !throughout && c.moves(a) {
			continue
		}
		for _, other := range c.things() {
			if !c.alike(a.Target, other) {
				continue
			}
			wrong, last := slices.Clone(plan), i
			for j := i; j < len(plan) && (throughout || j == i); j++ {
				if wrong[j].Target == a.Target {
					wrong[j].Target, last = other, j
				}
				if throughout && wrong[j].Destination == a.Target {
					wrong[j].Destination, last = other, j
				}
			}
			out = append(out, corrupted{plan: wrong, first: i + 1, last: last + 1})
		}
	}
	return out
}

// misplaced names another destination.
func (c *corrupter) misplaced(plan []episode.Action) []corrupted {
	var out []corrupted
	for i, a := range plan {
		for _, other := range c.things() {
			if a.Destination == "" || !c.alike(a.Destination, other) {
				continue
			}
			wrong := slices.Clone(plan)
			wrong[i].Destination = other
			out = append(out, corrupted{plan: wrong, first: i + 1, last: i + 1})
		}
	}
	return out
}

// otherwise does something else with the same object.
func (c *corrupter) otherwise(plan []episode.Action) []corrupted {
	var out []corrupted
	for i, a := range plan {
		schema, ok := c.onto.Action(a.Name)
		if !ok || c.moves(a) {
			continue
		}
		for _, other := range c.onto.Actions {
			if other.Params != schema.Params || other.Family == schema.Family || c.moves(episode.Action{Name: other.Name}) {
				continue
			}
			wrong := slices.Clone(plan)
			wrong[i].Name = other.Name
			out = append(out, corrupted{plan: wrong, first: i + 1, last: i + 1})
		}
	}
	return out
}

// mixed puts in three actions of another plan.
func (c *corrupter) mixed(plan []episode.Action) []corrupted {
	var out []corrupted
	for range 8 {
		other := c.others[c.rng.IntN(len(c.others))].Plan
		if len(other) < 3 {
			continue
		}
		k, i := c.rng.IntN(len(other)-2), c.rng.IntN(len(plan)+1)
		out = append(out, corrupted{plan: slices.Insert(slices.Clone(plan), i, other[k:k+3]...), first: i + 1, last: i + 4})
	}
	return out
}
