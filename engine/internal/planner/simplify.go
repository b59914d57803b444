package planner

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
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
