package simulation

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

// Stage injects failures into a scenario, one after the other, each named as
// [Injections] takes it; the seed chooses among the ways in which they can happen, and
// stands in the name of what is returned. Step is the action of the plan at which the
// first happens, from 1, or 0 for any. The error says which failure cannot happen there,
// and which can.
func Stage(o *ontology.Ontology, sc *Scenario, failures []string, step int, seed uint64) (*Scenario, error) {
	s := stage{o, len(sc.Disturbances), rand.New(rand.NewPCG(seed, 1))}
	staged, err := s.inject(sc, failures, step)
	if err != nil {
		return nil, err
	}
	named := *staged
	named.ID = fmt.Sprintf("%s#%d", staged.ID, seed)
	return &named, nil
}

// stage injects failures into a scenario.
type stage struct {
	onto *ontology.Ontology
	own  int // how many of the accidents, the first, are the scenario's own
	rng  *rand.Rand
}

// inject injects failures. Where a variant of the first leaves no room for the next
// another is tried.
func (s *stage) inject(sc *Scenario, failures []string, step int) (*Scenario, error) {
	if len(failures) == 0 {
		return sc, nil
	}
	variants, err := s.variants(sc, failures[0], step)
	if err != nil {
		return nil, err
	}
	first := s.rng.IntN(len(variants))
	var cause error
	for i := range variants {
		out, err := s.inject(variants[(first+i)%len(variants)], failures[1:], 0)
		if err == nil {
			return out, nil
		}
		if cause == nil {
			cause = err
		}
	}
	return nil, cause
}

// variants lists the ways in which a failure can happen in a scenario, at an action of
// its plan, or at any where step is 0. What was injected before is held back meanwhile:
// it would spoil what comes after it, and a robot that recovers goes on.
func (s *stage) variants(sc *Scenario, failure string, step int) ([]*Scenario, error) {
	injections, err := Injections(s.onto, failure)
	if err != nil {
		return nil, err
	}
	calm := *sc
	calm.Disturbances = slices.Clip(sc.Disturbances[:s.own])
	var out []*Scenario
	for _, in := range injections {
		found, err := Inject(s.onto, &calm, in, s.rng.IntN)
		if err != nil {
			return nil, err
		}
		for _, v := range found {
			if (step == 0 || strings.HasSuffix(v.ID, fmt.Sprintf("@%d", step))) && s.restore(v, sc) {
				out = append(out, v)
			}
		}
	}
	if len(out) == 0 {
		at := ""
		if step > 0 {
			at = fmt.Sprintf(" at action %d of %d", step, len(sc.Plan))
		}
		also := "nothing that is declared to go wrong can; see whether its plan goes through without (mishap run)"
		if list := possible(s.onto, &calm); len(list) > 0 {
			also = "possible there: " + strings.Join(list, ", ")
		}
		return nil, fmt.Errorf("%s cannot happen in %s%s; %s", failure, sc.ID, at, also)
	}
	return out, nil
}

// restore puts the accidents that were held back into a variant of a scenario; it is
// false where an action that one happens at is no longer in the plan, or something else
// happens at it.
func (s *stage) restore(v, sc *Scenario) bool {
	out := slices.Clone(sc.Disturbances[s.own:])
	for i := range out {
		at := sameAction(sc.Plan, v.Plan, out[i].Step)
		if at == 0 || slices.ContainsFunc(v.Disturbances, func(e Disturbance) bool { return e.Step == at }) {
			return false
		}
		out[i].Step = at
	}
	v.Disturbances = append(v.Disturbances, out...)
	return true
}

// sameAction is where an action of one plan stands in another, from 1: as often as it
// came up to there; 0 where it does not.
func sameAction(from, to []episode.Action, step int) int {
	if step < 1 || step > len(from) {
		return 0
	}
	a, nth := from[step-1], 0
	for _, b := range from[:step] {
		if b == a {
			nth++
		}
	}
	for i, b := range to {
		if b != a {
			continue
		}
		if nth--; nth == 0 {
			return i + 1
		}
	}
	return 0
}

// possible names the failure classes that can be injected into a scenario.
func possible(o *ontology.Ontology, sc *Scenario) []string {
	var out []string
	for _, in := range o.Injections {
		name := o.Name(in.Injects)
		if slices.Contains(out, name) {
			continue
		}
		if found, err := Inject(o, sc, in, func(int) int { return 0 }); err == nil && len(found) > 0 {
			out = append(out, name)
		}
	}
	return out
}
