// Package planfault finds the faults of a plan, which are the actions that could not
// have come about even if every one before had, and what would repair each: a single
// edit, sought by running edited sequences of actions through the action model, else the
// fewest edits towards a right plan, by aligning the two. It also tells what no plan can
// bring about.
package planfault

import (
	"iter"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/interrupt"
	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// TimedCall is an action of a sequence, with the step of the log it stands for.
type TimedCall struct {
	Call state.Call
	At   int32 // its last step, or what stands before it where it is to be inserted
	From int32 // its first
}

// Problem is what a sequence is judged by.
type Problem struct {
	Start *state.State
	Goal  func(*state.State) (met, all int) // conditions that hold, of how many
	// Lasting reports whether a call switches on what the goal asks to be on; nil for none.
	Lasting func(state.Call) bool
	// Hazards counts the devices that are on and must not be left so.
	Hazards func(*state.State) int
	Robot   state.Object
	Gripper state.Object
	// Objects are those an edit may bring in.
	Objects []state.Object
	// Aside are those that an inserted action may put something aside on.
	Aside []state.Object
	// Effort is about how many actions the search for one edit may simulate; it
	// then ends with the best found.
	Effort int
	// Plans gives sequences that reach the goal, near to a faulty one; nil for none.
	Plans func([]TimedCall) []RightPlan
	// Interrupt ends the search when it is raised; what was found by then is thrown away.
	Interrupt *interrupt.Flag
	simulated int
	as        *asItIs
}

// asItIs is how a sequence fares unchanged, with the states before each of its actions
// and after the last.
type asItIs struct {
	seq    []TimedCall
	result Result
	states []*state.State
}

// carriedOut is how a sequence fares, with the states before each action and after the
// last. What was asked last is kept.
func (p *Problem) carriedOut(seq []TimedCall) (Result, []*state.State) {
	if p.as != nil && len(p.as.seq) == len(seq) && (len(seq) == 0 || &p.as.seq[0] == &seq[0]) {
		p.simulated += len(seq) // it counts as if it were simulated anew: each fault has the same share
		return p.as.result, p.as.states
	}
	as := &asItIs{seq: seq}
	s := p.Start.Clone()
	as.result, _ = p.simulate(s, slices.Values(seq), 0, func(int) bool { return true }, func() { as.states = append(as.states, s.Clone()) })
	as.states = append(as.states, s)
	p.as = as
	return as.result, as.states
}

// Spent is how many actions have been simulated so far.
func (p *Problem) Spent() int { return p.simulated }

// Result is how a sequence fares: every action succeeds whether or not its
// preconditions hold, so that one fault does not hide the next.
type Result struct {
	Failing []int // indexes of actions with preconditions that do not hold
	Met     int   // goal conditions that hold at the end
	All     int   // of how many
	Hazards int
	Idle    []int // indexes of actions whose effects held before
}

// Run simulates a sequence from its start.
func (p *Problem) Run(seq []TimedCall) Result {
	r, _ := p.runFrom(p.Start.Clone(), slices.Values(seq), 0, func(int) bool { return true })
	return r
}

// runFrom simulates a suffix on a state, which it uses up. bearable is asked
// about each action that fails; ok is false where it says no.
func (p *Problem) runFrom(s *state.State, seq iter.Seq[TimedCall], offset int, bearable func(int) bool) (r Result, ok bool) {
	return p.simulate(s, seq, offset, bearable, func() {})
}

// simulate is runFrom that calls before ahead of each action.
func (p *Problem) simulate(s *state.State, seq iter.Seq[TimedCall], offset int, bearable func(int) bool, before func()) (r Result, ok bool) {
	at := offset
	for c := range seq {
		p.simulated++
		before()
		if p.Interrupt.Raised() {
			at++
			continue
		}
		done, idle := p.advance(s, c)
		if !done {
			if !bearable(at) {
				return r, false
			}
			r.Failing = append(r.Failing, at)
		}
		if idle {
			r.Idle = append(r.Idle, at)
		}
		at++
	}
	r.Met, r.All = p.Goal(s)
	r.Hazards = p.Hazards(s)
	return r, true
}

// advance executes one action and tells whether it could be executed, and
// whether it was idle. An action whose effects hold already is no failure.
func (p *Problem) advance(s *state.State, st TimedCall) (ok, idle bool) {
	s.GoOn(state.Predicted, st.At)
	st.Call.Target, st.Call.Destination = remaining(s, st.Call.Target), remaining(s, st.Call.Destination)
	ok = len(s.Judge(st.Call).UnmetPreconditions()) == 0
	idle = state.Idle(s.Apply(st.Call, state.Predicted, st.At))
	s.GoOn(state.Predicted, st.At)
	return ok || idle && !st.Call.Schema.Conditional(), idle
}

// endOf is the index from which a sequence only switches on what the goal asks to be on.
func (p *Problem) endOf(seq []TimedCall) int {
	n := len(seq)
	for i := len(seq) - 1; i >= 0 && p.Lasting != nil; i-- {
		switch {
		case p.Lasting(seq[i].Call):
			n = i
		case !p.isBetween(seq[i].Call):
			return n
		}
	}
	return n
}

// remaining is an object, or a piece of it where it was sliced or cracked: its name then
// means that.
func remaining(s *state.State, x state.Object) state.Object {
	if !s.Gone(x) {
		return x
	}
	for _, piece := range s.Objects.Pieces(x, s.Objects.Onto.Core.PhysicalObject) {
		if !s.Gone(piece) {
			return piece
		}
	}
	return x
}
