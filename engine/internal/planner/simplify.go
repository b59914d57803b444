package planner

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Simplifier leaves out of plans what they do not need.
type Simplifier struct {
	domain *Domain
	sim    *Simulator
}

// Simplify leaves out of a plan what comes to nothing: moves before other moves, and
// stretches after which everything is as it was before them.
func (s *Simplifier) Simplify(start *Node, steps []Step) []Step {
	steps = s.withoutDetours(start, steps)
	out := steps[:0:0]
	for i, st := range steps {
		if s.domain.Prepares(st.Call.Schema) {
			if i+1 < len(steps) && s.domain.Prepares(steps[i+1].Call.Schema) || i+1 == len(steps) && st.From == FromSubgoal {
				continue
			}
		}
		out = append(out, st)
	}
	return out
}

// withoutDetours leaves out stretches that come to nothing, for each action the longest that
// begins with it.
func (s *Simplifier) withoutDetours(start *Node, steps []Step) []Step {
	d := s.detours(start, steps)
	for from := 0; from < len(steps) && !s.sim.budget.Interrupted(); from++ {
		to := d.from(from)
		if to < 0 {
			continue
		}
		if shorter, ok := s.reconnect(start, slices.Delete(slices.Clone(steps), from, to), from); ok && len(shorter) < len(steps) {
			steps, d = shorter, s.detours(start, shorter)
			from--
		}
	}
	return steps
}

// detours finds stretches of a plan after which all is as before them.
type detours struct {
	prints []uint64
	at     map[uint64][]int // where a fingerprint is, in order
	acting []int            // how many actions do more than prepare, before each place
	look   []int            // the first action from each place on that looks, or how many there are
}

func (s *Simplifier) detours(start *Node, steps []Step) detours {
	n := len(steps)
	d := detours{s.fingerprints(start, steps), map[uint64][]int{}, make([]int, n+1), make([]int, n+1)}
	for i, p := range d.prints {
		d.at[p] = append(d.at[p], i)
	}
	d.look[n] = n
	for i := range steps {
		if d.acting[i+1] = d.acting[i]; !s.domain.Prepares(steps[i].Call.Schema) {
			d.acting[i+1]++
		}
		if j := n - 1 - i; s.looks(&steps[j]) {
			d.look[j] = j
		} else {
			d.look[j] = d.look[j+1]
		}
	}
	return d
}

// from is the end of the longest detour that begins at a place, of two actions or more that
// do not look; -1 where there is none.
func (d *detours) from(i int) int {
	same := d.at[d.prints[i]]
	n, found := slices.BinarySearch(same, d.look[i])
	if found {
		n++
	}
	if n == 0 || d.acting[same[n-1]]-d.acting[i] < 2 {
		return -1
	}
	return same[n-1]
}

// WithoutIdle leaves out actions that bring about only what is so already.
func (s *Simplifier) WithoutIdle(now *state.State, steps []Step) []Step {
	node := &Node{State: now.Clone()}
	node.State.Run(state.Predicted, Imagined)
	var out []Step
	for _, st := range steps {
		if s.sim.budget.Interrupted() {
			break
		}
		if !s.sim.Idle(node.State, st.Call) {
			out = append(out, st)
		}
		s.sim.Perform(node, st.Call)
	}
	return out
}

// WithoutVain leaves out what is picked up in the end and put to no use: the last that is done
// with it is that it is taken. A goal that wants it in hand is still reached, or the plan stays.
func (s *Simplifier) WithoutVain(start *Node, steps []Step, enough func(*state.State) bool) []Step {
	take := s.domain.Onto.Roles.Take
	n := len(steps) - 1
	for n >= 0 && (take == nil || steps[n].Call.Schema != take) {
		n--
	}
	if n < 0 || slices.ContainsFunc(steps[n+1:], func(st Step) bool { return slices.Contains(st.Call.Objects(), steps[n].Call.Target) }) {
		return steps
	}
	from := n
	for from > 0 && s.domain.Prepares(steps[from-1].Call.Schema) && !s.looks(&steps[from-1]) {
		from--
	}
	shorter, ok := s.reconnect(start, slices.Delete(slices.Clone(steps), from, n+1), from)
	if !ok {
		return steps
	}
	end := start.Clone()
	for i := range shorter {
		s.sim.Perform(end, shorter[i].Call)
	}
	if !enough(end.State) {
		return steps
	}
	return shorter
}

// WithoutRepeats leaves out of a plan what runs a device whose work a later run of it does again: the
// longest stretch around each run but the last, without which all is in the end as with it.
func (s *Simplifier) WithoutRepeats(start *Node, steps []Step) []Step {
	const around = 10
	for p := 0; p < len(steps) && !s.sim.budget.Interrupted(); p++ {
		q := p + 1 + slices.IndexFunc(steps[p+1:], func(st Step) bool {
			return st.Call.Schema == steps[p].Call.Schema && st.Call.Target == steps[p].Call.Target
		})
		if q == p || !s.runs(steps[p].Call) {
			continue
		}
		end := s.fingerprints(start, steps)[len(steps)]
	search:
		for size := min(q-p+around, len(steps)); size > 1; size-- {
			for from := max(0, p-around); from <= p; from++ {
				to := from + size
				if to <= p || to > q || slices.ContainsFunc(steps[from:to], func(st Step) bool {
					return s.looks(&st) || st.Call.Target != steps[p].Call.Target && s.switches(st.Call)
				}) {
					continue
				}
				if shorter, ok := s.reconnect(start, slices.Delete(slices.Clone(steps), from, to), from); ok && len(shorter) < len(steps) && s.fingerprints(start, shorter)[len(shorter)] == end {
					steps = shorter
					p--
					break search
				}
			}
		}
	}
	return steps
}

// StoppedSoon turns off what liquid runs from as soon as all comes to the same.
func (s *Simplifier) StoppedSoon(start *Node, steps []Step) []Step {
	for p := 0; p < len(steps) && !s.sim.budget.Interrupted(); p++ {
		of := steps[p].Call.Target
		if of == state.Nothing || len(s.domain.Onto.GivesOut(s.domain.Objects.Class(of))) == 0 || !s.runs(steps[p].Call) {
			continue
		}
		q := p + 1 + slices.IndexFunc(steps[p+1:], func(st Step) bool { return st.Call.Target == of && !s.domain.Prepares(st.Call.Schema) })
		if q <= p+2 {
			continue
		}
		from := q
		for from > p+1 && s.domain.Prepares(steps[from-1].Call.Schema) {
			from--
		}
		end := s.fingerprints(start, steps)[len(steps)]
		rest := slices.Delete(slices.Clone(steps), from, q+1)
		for at := p + 1; at < from; at++ {
			if s.domain.Prepares(rest[at-1].Call.Schema) {
				continue // on the way to something
			}
			sooner, ok := s.reconnect(start, slices.Insert(slices.Clone(rest), at, steps[q]), at)
			if ok && s.fingerprints(start, sooner)[len(sooner)] == end {
				steps = sooner
				break
			}
		}
	}
	return steps
}

// switches reports whether an action turns on or off what it is done to.
func (s *Simplifier) switches(c state.Call) bool {
	on := s.domain.Onto.Roles.Running
	return s.runs(c) || c.Schema != nil && on != ontology.None && s.domain.Onto.Sets(c.Schema, s.domain.Onto.Opposite(on))
}

// WithoutEmptyRuns leaves out of the end of a plan what turns on a device that something was to be in or
// on, and cannot be: a toaster is not run without the bread.
func (s *Simplifier) WithoutEmptyRuns(steps []Step, missed []Literal) []Step {
	for n := len(steps) - 1; n >= 0 && (s.domain.Prepares(steps[n].Call.Schema) || s.runs(steps[n].Call)); n-- {
		of := steps[n].Call.Target
		if !s.runs(steps[n].Call) {
			continue
		}
		if !slices.ContainsFunc(missed, func(l Literal) bool { return !l.Negated && l.Value.Object() == of }) {
			continue
		}
		from := n
		for from > 0 && s.domain.Prepares(steps[from-1].Call.Schema) && !s.looks(&steps[from-1]) {
			from--
		}
		return s.WithoutEmptyRuns(slices.Delete(slices.Clone(steps), from, n+1), missed)
	}
	return steps
}

// runs reports whether an action turns on what it is done to.
func (s *Simplifier) runs(c state.Call) bool {
	on := s.domain.Onto.Roles.Running
	return c.Schema != nil && c.Target != state.Nothing && on != ontology.None && s.domain.Onto.Sets(c.Schema, on)
}

// ComesToNothing reports whether all is in the end of a plan as it was before it, and nothing
// was looked for.
func (s *Simplifier) ComesToNothing(start *Node, steps []Step) bool {
	prints := s.fingerprints(start, steps)
	return prints[0] == prints[len(prints)-1] && !slices.ContainsFunc(steps, func(st Step) bool { return s.looks(&st) })
}

// looks reports whether an action finds anything out, or looks at something.
func (s *Simplifier) looks(st *Step) bool {
	return st.From == FromLook || st.Call.Schema == s.domain.Look && st.Call.Target != state.Nothing
}

// fingerprints sums up the state before each action and at the end, but for where the
// robot is.
func (s *Simplifier) fingerprints(start *Node, steps []Step) []uint64 {
	node := start.Clone()
	out := []uint64{s.sim.Fingerprint(node.State)}
	for _, st := range steps {
		if !s.sim.budget.Interrupted() {
			s.sim.Perform(node, st.Call)
		}
		out = append(out, s.sim.Fingerprint(node.State))
	}
	return out
}

// reconnect puts moves into a plan where they are missing: from an action on the robot
// no longer goes where the plan had it. ok is false where more is missing.
func (s *Simplifier) reconnect(start *Node, steps []Step, from int) (out []Step, ok bool) {
	node := start.Clone()
	for i, st := range steps {
		if s.sim.budget.Interrupted() {
			return nil, false
		}
		node.Strict = node.Strict || i >= from || st.Far
		if len(s.sim.Violations(node.State, st.Call)) > 0 && !s.sim.Idle(node.State, st.Call) {
			return nil, false
		}
		if out, ok = s.sim.Continue(node, out, st); !ok {
			return nil, false
		}
		node.Strict = node.Strict || i >= from
		st.Finds.Assume(node.State)
	}
	return out, true
}
