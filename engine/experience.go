package engine

import (
	"cmp"
	"maps"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/recovery"
	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// Experience counts what came of recovery strategies in episodes that happened. The zero
// value has none; goroutines may share one that nobody adds to.
type Experience struct {
	counts map[strategyKey]recovery.UseCount
}

type strategyKey struct{ class, strategy string }

// StrategyCount is how often a strategy was carried out after a failure of a class, and how
// often the goal of the episode was reached then.
type StrategyCount struct {
	Class    string `json:"class"`
	Strategy string `json:"strategy"`
	Tried    int    `json:"tried"`
	Reached  int    `json:"reached"`
}

// Add adds counts to those of the same class and strategy.
func (x *Experience) Add(counts ...StrategyCount) {
	if x == nil {
		return
	}
	if x.counts == nil {
		x.counts = map[strategyKey]recovery.UseCount{}
	}
	for _, c := range counts {
		k := strategyKey{c.Class, c.Strategy}
		was := x.counts[k]
		x.counts[k] = recovery.UseCount{Tried: was.Tried + c.Tried, Reached: was.Reached + c.Reached}
	}
}

// Counts lists what is counted, by class and strategy.
func (x *Experience) Counts() []StrategyCount {
	var out []StrategyCount
	if x == nil {
		return nil
	}
	keys := slices.SortedFunc(maps.Keys(x.counts), func(a, b strategyKey) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.strategy, b.strategy))
	})
	for _, k := range keys {
		out = append(out, StrategyCount{k.class, k.strategy, x.counts[k].Tried, x.counts[k].Reached})
	}
	return out
}

func (x *Experience) of(class, strategy string) recovery.UseCount {
	if x == nil {
		return recovery.UseCount{}
	}
	return x.counts[strategyKey{class, strategy}]
}

// ordered are the strategies of a class with those first that reached the goal more often,
// by Laplace's rule of succession: one that was never carried out counts as one that
// reached it every other time. Those that are alike keep the order of the ontology.
func (x *Experience) ordered(class string, list []recovery.GroundedStrategy) []recovery.GroundedStrategy {
	if x == nil || len(x.counts) == 0 {
		return list
	}
	for i := range list {
		list[i].Uses = x.of(class, list[i].Name)
	}
	slices.SortStableFunc(list, func(a, b recovery.GroundedStrategy) int { return x.compare(class, a.Name, b.Name) })
	return list
}

// compare orders two strategies of a class.
func (x *Experience) compare(class, a, b string) int {
	p, q := x.of(class, a), x.of(class, b)
	return cmp.Compare((q.Reached+1)*(p.Tried+2), (p.Reached+1)*(q.Tried+2))
}

// Of is how often a strategy was carried out after a failure of a class, and how often the
// goal was reached then.
func (x *Experience) Of(class, strategy string) StrategyCount {
	u := x.of(class, strategy)
	return StrategyCount{class, strategy, u.Tried, u.Reached}
}

// StrategyUses counts which of the recovery strategies that apply to the findings of an
// episode the robot then carried out: every action of it, in order, after the failure
// showed. Moves do not count where a strategy has other actions, nor does a strategy that
// asks a person or says no actions. Where the log does not show whether the goal was
// reached nothing is counted.
func (r *Reasoner) StrategyUses(res *Result) []StrategyCount {
	if r.usable() != nil || res == nil || res.Trace == nil || res.Trace.Final == nil {
		return nil
	}
	t := res.Trace
	goal, _ := t.GoalTruth(t.Final)
	if t.Goal.IsEmpty() || goal < state.AssumedTrue && goal > state.AssumedFalse {
		return nil
	}
	var out []StrategyCount
	for i := range res.Findings {
		f := &res.Findings[i]
		for k := range f.Strategies {
			if s := &f.Strategies[k]; !s.AsksHuman && carriedOut(t, s.Actions, f.Step) {
				c := StrategyCount{Class: f.Type, Strategy: s.Name, Tried: 1}
				if goal >= state.AssumedTrue {
					c.Reached = 1
				}
				out = append(out, c)
			}
		}
	}
	return out
}

// carriedOut reports whether actions came about in this order after a step.
func carriedOut(t *Trace, actions []string, after int32) bool {
	onto := t.Objects.Onto
	var wanted, moves []episode.Action
	for _, text := range actions {
		a, err := episode.ParseAction(onto, text)
		if err != nil {
			return false
		}
		if schema, _ := onto.Action(a.Name); onto.IsNavigation(schema) {
			moves = append(moves, a)
		} else {
			wanted = append(wanted, a)
		}
	}
	if len(wanted) == 0 {
		wanted = moves
	}
	n := 0
	for i := range t.Events {
		e := &t.Events[i]
		if n < len(wanted) && e.Step > after && !e.ToCome && e.Final && e.Outcome < belief.Refused && does(t, e.Call, wanted[n]) {
			n++
		}
	}
	return n > 0 && n == len(wanted)
}

// does reports whether a call is an action of a strategy; the name of a class there means
// any object of it.
func does(t *Trace, c Call, a episode.Action) bool {
	onto := t.Objects.Onto
	if schema, ok := onto.Action(a.Name); !ok || c.Schema == nil || schema.Family != c.Schema.Family {
		return false
	}
	is := func(x Object, name string) bool {
		if name == "" || x == state.Nothing {
			return name == ""
		}
		if y, ok := t.Objects.Lookup(name); ok {
			return x == y
		}
		class, known := onto.Lookup(name)
		return known && t.Objects.IsA(x, class)
	}
	return is(c.Target, a.Target) && is(c.Destination, a.Destination)
}
