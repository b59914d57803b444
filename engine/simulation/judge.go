package simulation

import (
	"fmt"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Resolved reports whether every action that did not come about, lost something, or
// went against a norm was carried out later as it should be.
func (r *Robot) Resolved() bool {
	for i, out := range r.Results {
		if out.Done && len(out.Dropped) == 0 && !r.violating[i] && out.Taken == "" || len(out.Refused) > 0 && r.idle[i] {
			continue
		}
		again := false
		for j := i + 1; j < len(r.Did); j++ {
			o := r.Results[j]
			again = again || occasion(r.Did[j]) == occasion(r.Did[i]) && o.Done && len(o.Dropped) == 0 && !r.violating[j] && o.Taken == ""
		}
		if !again {
			return false
		}
	}
	return true
}

// Conditions counts the conditions of the goal that hold in the true state, for the
// best match of the others, and all of them.
func (r *Robot) Conditions() (met, all int) {
	q := state.Query{State: r.World.s, Agent: r.World.robot, Gripper: r.World.gripper}
	var held []ontology.Pattern
	for _, classes := range []bool{true, false} {
		for _, p := range r.goal.Patterns {
			if p.Predicate == r.onto.Core.Differs || (p.Predicate == r.onto.Core.Type) != classes {
				continue
			}
			t, _ := q.Best(append(slices.Clone(held), p), r.World.bound)
			if t >= state.AssumedTrue {
				held = append(held, p)
			}
			if !classes {
				if all++; t >= state.AssumedTrue {
					met++
				}
			}
		}
	}
	return met, all
}

// Violated lists the constraints that the true state does not keep: something that
// the robot left on and the goal does not ask for, shards that were not there before,
// food and drink in a dish that the person who is served must not have.
func (r *Robot) Violated() []string {
	w := r.World
	var out []string
	roles := &w.onto.Roles
	for x := range state.Object(len(w.objects.Items)) {
		name := w.objects.Name(x)
		if w.s.Gone(x) {
			continue
		}
		if r.became(x, roles.Running) && w.s.IsLeftOn(x, r.wanted) {
			out = append(out, name+" is left on")
		}
		if r.became(x, roles.Broken) && r.shatters(x) && !slices.ContainsFunc(w.objects.OfClass(roles.Bin), func(b state.Object) bool { return w.lieIn(x, b) }) {
			out = append(out, "shards of "+name+" lie about")
		}
		if food := r.served(x); food != "" {
			out = append(out, fmt.Sprintf("%s is served %s", name, food))
		}
	}
	return out
}

// became reports whether an object is in a state that it was not in at the start.
func (r *Robot) became(x state.Object, st ontology.TermID) bool {
	return r.World.s.Is(x, st) && !r.start.Is(x, st)
}

func (r *Robot) shatters(x state.Object) bool {
	return slices.ContainsFunc(r.onto.Simulation.Shattering, func(material ontology.TermID) bool { return r.World.objects.HasProperty(x, material) })
}

// wanted reports whether the goal asks for a state of an object of the kind.
func (r *Robot) wanted(x state.Object, st ontology.TermID) bool {
	return slices.ContainsFunc(r.goal.Patterns, func(p ontology.Pattern) bool {
		return p.Predicate == r.onto.Core.State && p.Object.Term == st && slices.ContainsFunc(r.goal.Patterns, func(t ontology.Pattern) bool {
			return t.Predicate == r.onto.Core.Type && t.Subject == p.Subject && r.World.objects.IsA(x, t.Object.Term)
		})
	})
}

// served names what an object is that somebody must not be served, and is: a food
// that was put into a dish, or a dish with a drink that was poured into it.
func (r *Robot) served(x state.Object) string {
	w := r.World
	dish := func(y state.Object) bool {
		return slices.ContainsFunc(r.onto.Simulation.Dishes, func(class ontology.TermID) bool { return w.objects.IsA(y, class) })
	}
	for _, p := range r.sc.People {
		for _, bad := range r.avoids(p) {
			if at := w.s.Place(x).At; dish(at) && r.start.Place(x).At != at && r.contains(w.objects.Class(x), bad) {
				return "to " + p.Name + ", who avoids " + w.onto.Name(bad)
			}
			for slot := int32(1); dish(x) && slot < w.s.StateSlots(); slot++ {
				now := w.s.Get(state.Fluent{Obj: x, Slot: slot})
				if now.Same(r.start.Get(state.Fluent{Obj: x, Slot: slot})) {
					continue
				}
				for _, liquid := range w.onto.Liquids(now.Term) {
					if r.contains(liquid, bad) {
						return "to " + p.Name + ", who avoids " + w.onto.Name(bad)
					}
				}
			}
		}
	}
	return ""
}

func (r *Robot) avoids(p episode.Person) []ontology.TermID {
	var out []ontology.TermID
	for _, d := range p.Diets {
		for _, id := range r.onto.ByLabel(d, r.onto.Core.Human) {
			out = append(out, r.onto.Avoids(id)...)
		}
	}
	for _, d := range p.Dislikes {
		out = append(out, classOf(r.onto, d))
	}
	return out
}

// contains reports whether food of a class is, is a piece of, or has in it what
// somebody avoids.
func (r *Robot) contains(class, bad ontology.TermID) bool {
	all := []ontology.TermID{class}
	for i := 0; i < len(all) && len(all) < 64; i++ {
		if r.onto.IsA(all[i], bad) {
			return true
		}
		for _, c := range append(r.onto.Ingredients(all[i]), r.onto.Wholes(all[i])...) {
			if !slices.Contains(all, c) {
				all = append(all, c)
			}
		}
	}
	return false
}
