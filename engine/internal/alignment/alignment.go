// Package alignment matches the actions that a robot carried out with those of its
// plan.
package alignment

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/grounding"
	"github.com/mishap-robotics/mishap/engine/internal/interrupt"
	"github.com/mishap-robotics/mishap/ontology"
)

// Align matches two sequences of actions by a longest common subsequence; the
// result holds, for each of a, the 1-based index of its match in b, 0 for none.
func Align(o *ontology.Ontology, a, b []episode.Action) []int {
	return align(o, a, b, nil)
}

func align(o *ontology.Ontology, a, b []episode.Action, stop *interrupt.Flag) []int {
	return commonSubsequence(a, b, func(a, b episode.Action) bool { return !stop.Raised() && Alike(o, a, b) }, stop)
}

// Steps aligns the lines of a log with a plan. match gives each step the index of the
// plan's action that it carries out, as Align does, by the step's index; lines that
// repeat an action share it. Of the actions, unplanned are not in the plan. Where the flag
// is raised it is left unfinished.
func Steps(o *ontology.Ontology, steps []episode.Step, plan []episode.Action, stop *interrupt.Flag) (match map[int]int, actions, unplanned int) {
	var done []episode.Action
	var group []int // of each step
	var ongoing episode.Ongoing
	for i := range steps {
		st := &steps[i]
		before := ongoing.Before(st)
		ongoing.Take(st)
		if before != nil && before != &steps[i-1] { // of an action in progress
			at, _ := slices.BinarySearchFunc(steps[:i], before.Index, func(s episode.Step, index int) int { return s.Index - index })
			group = append(group, group[at])
			continue
		}
		if st.Action.Name != "" && (len(done) == 0 || i > 0 && (steps[i-1].Action != st.Action || steps[i-1].ID != st.ID)) {
			done = append(done, st.Action)
		}
		group = append(group, len(done)-1)
	}
	of := align(o, done, plan, stop)
	match = map[int]int{}
	for i := range steps {
		if g := group[i]; g >= 0 && steps[i].Action.Name != "" {
			match[steps[i].Index] = of[g]
		}
	}
	return match, len(done), countUnplanned(o, done, of)
}

// countUnplanned counts the actions that are not in the plan; looking changes nothing
// and needs no plan.
func countUnplanned(o *ontology.Ontology, actions []episode.Action, match []int) int {
	n := 0
	for i, a := range actions {
		if schema, ok := o.Action(a.Name); match[i] == 0 && ok && len(schema.Effects) > 0 {
			n++
		}
	}
	return n
}

// lookAhead is how many planned actions the log may leave out in one place.
const lookAhead = 3

// Next finds the plan's action that a line carries out, where done of the plan are
// carried out: the next, or one soon after it. It is 1-based, 0 for none. What was done
// before is rather done again, as after a mishap, than that actions are left out of the
// log.
func Next(o *ontology.Ontology, a episode.Action, plan []episode.Action, done int) int {
	for i := done; i < min(len(plan), done+1+lookAhead); i++ {
		if !Alike(o, a, plan[i]) {
			continue
		}
		again := func(b episode.Action) bool { return Alike(o, a, b) }
		if i > done && slices.ContainsFunc(plan[:done], again) {
			return 0
		}
		return i + 1
	}
	return 0
}

// Alike compares a logged action with a planned one: of one family, as putting
// in and putting on are, and of the same objects. A class matches its instances,
// an object the pieces of it.
func Alike(o *ontology.Ontology, a, b episode.Action) bool {
	return family(o, a.Name) == family(o, b.Name) && sameObject(o, a.Target, b.Target) &&
		(a.Destination == "" || b.Destination == "" || sameObject(o, a.Destination, b.Destination))
}

func family(o *ontology.Ontology, name string) string {
	a, ok := o.Action(name)
	if !ok {
		return name
	}
	return a.Family
}

func sameObject(o *ontology.Ontology, a, b string) bool {
	c, n := episode.SplitName(a)
	d, m := episode.SplitName(b)
	if n != m && n != 0 && m != 0 {
		return false
	}
	x, y := o.Canonical(grounding.ClassOf(o, c)), o.Canonical(grounding.ClassOf(o, d))
	return episode.Spelling(c) == episode.Spelling(d) || x != ontology.None && (x == y || slices.Contains(o.Forms(y), x))
}
