package state

import (
	"github.com/mishap-robotics/mishap/ontology/decimal"
)

// Moment is a time in seconds, with when steps were.
type Moment struct {
	Now decimal.Decimal
	Of  func(step int32) (decimal.Decimal, bool)
}

// Elapse lets the processes that take their time come to their ends by a moment, and lists
// what changed: those whose conditions have held for so long as each takes.
func (s *State) Elapse(at Moment, status Status, step int32) []Change {
	var changes []Change
	for range len(s.Objects.Onto.Processes) { // one may set off another
		more := s.elapsed(at, status, step)
		if len(more) == 0 {
			break
		}
		changes = append(changes, more...)
	}
	return changes
}

func (s *State) elapsed(at Moment, status Status, step int32) []Change {
	r := s.executing(Call{Agent: Nothing, Gripper: Nothing}, status, step)
	var todo []pendingEffect
	for _, p := range s.Objects.Onto.Processes {
		if p.After == 0 || !r.mayRun(p) {
			continue
		}
		for _, e := range r.matches(p.When, p.Unless, p.Ends, p.Then, NewBinding(len(p.Vars))) {
			if r.heldFor(at, e.cause) >= p.After && !r.holds(e) {
				todo = append(todo, e)
			}
		}
	}
	var changes []Change
	for _, e := range todo {
		changes = append(changes, r.make(e)...)
	}
	return changes
}

// heldFor is how long what a process rests on has been so; what nobody knows the time of
// has not been so at all.
func (r *execution) heldFor(at Moment, cause []Fluent) decimal.Decimal {
	var since decimal.Decimal
	for _, f := range cause {
		t, known := at.Of(r.Get(f).Since)
		if !known {
			return -1
		}
		since = max(since, t)
	}
	return at.Now - since
}
