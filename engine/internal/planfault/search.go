package planfault

import (
	"iter"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Repair finds the single edit that best repairs the fault at index k of a
// sequence, len(seq) for a goal that is missed at the end. The edited sequence
// must be free of that fault and fare better as a whole, and a missed goal must
// be reached; ok is false where no edit that the effort allows for does that.
// Edits near the fault are tried first.
func (p *Problem) Repair(seq []TimedCall, k int) (best Edit, ok bool) {
	s := &search{problem: p, seq: seq, k: k, end: p.endOf(seq)}
	s.base, s.prefix = p.carriedOut(seq)
	for _, kind := range []func(){s.deletions, s.moves, s.replacements, s.swaps, s.exchanges, s.insertions} {
		s.until = p.simulated + p.Effort/5 // each kind has its share
		kind()
	}
	if s.best == nil {
		return Edit{}, false
	}
	return s.widen(), true
}

// search is the search for the edit that repairs one fault.
type search struct {
	problem *Problem
	seq     []TimedCall
	k       int
	base    Result         // of the sequence as it is
	prefix  []*state.State // before each action, and after the last
	best    *candidate
	all     []candidate
	end     int // the index from which it only switches on what the goal asks to be on
	until   int // how many simulated actions end the search for edits of a kind
}

// goalMissed reports whether the fault is a goal that is missed at the end.
func (s *search) goalMissed() bool { return s.k == len(s.seq) }

// exhausted reports whether the edits of a kind have had their share.
func (s *search) exhausted() bool {
	return s.problem.simulated >= s.until || s.problem.Interrupt.Raised()
}

// try judges an edit by the edited sequence from index from on, before which it is
// unchanged; the faulty action stands at index fault.
func (s *search) try(e Edit, edited iter.Seq[TimedCall], from, fault int, near bool) {
	if s.exhausted() {
		return
	}
	r, ok := s.run(edited, from, fault)
	if !ok || !s.repairs(e, r) {
		return
	}
	c := candidate{edit: e, result: r, rank: s.rank(e), near: near, late: adds(e) && e.At > s.end, undoes: s.undoes(e), before: s.isBeforeTaken(e), next: s.isNext(e)}
	c.early = c.undoes && e.At < len(s.seq) && len(s.seq[e.At].Call.Schema.Effects) == 0
	s.all = append(s.all, c)
	if s.best == nil || c.better(*s.best) {
		s.best = &c
	}
}

// isNext reports whether an edit adds an action that changes a thing for good right after that
// was put where it is changed.
func (s *search) isNext(e Edit) bool {
	if !adds(e) || e.At == 0 || !e.Call.Schema.Irreversible || e.Call.Target == state.Nothing || e.Call.Destination != state.Nothing {
		return false
	}
	last := s.seq[e.At-1].Call
	return last.Target == e.Call.Target && last.Destination != state.Nothing
}

// isBeforeTaken reports whether an edit adds an action with a thing, other than to move it or to
// switch it on, before another takes it, if that can be undone, or what it is in: what is to lie
// closed on a stand is closed first, and an egg is cracked before the pan is moved.
func (s *search) isBeforeTaken(e Edit) bool {
	c := e.Call
	if !adds(e) || c.Target == state.Nothing || c.Destination != state.Nothing || s.problem.switchesOn(c) {
		return false
	}
	take, in := s.problem.Start.Objects.Onto.Roles.Take, s.prefix[e.At].Place(c.Target).At
	return slices.ContainsFunc(s.seq[e.At:], func(later TimedCall) bool {
		taken := later.Call.Target
		return later.Call.Schema == take && taken != state.Nothing && (taken == c.Target && !c.Schema.Irreversible || taken == in)
	})
}

// undoes reports whether an edit adds an action that brings a thing back into a state in which
// it was before the sequence: the faucet is off, the fridge is closed.
func (s *search) undoes(e Edit) bool {
	x := e.Call.Target
	if !adds(e) || x == state.Nothing || e.Call.Destination != state.Nothing {
		return false
	}
	start, before := s.prefix[0], s.prefix[e.At]
	after := before.Clone()
	after.Apply(e.Call, state.Predicted, 0)
	for slot, was := range start.Known(x) {
		f := state.Fluent{Obj: x, Slot: slot}
		if slot != state.PlaceSlot && slot < start.StateSlots() && before.Get(f).Term != was.Term && after.Get(f).Term == was.Term {
			return true
		}
	}
	return false
}

// run simulates an edited sequence from index from on, where it is changed; ok is false where the
// faulty action still fails, or more actions fail than did.
func (s *search) run(edited iter.Seq[TimedCall], from, fault int) (r Result, ok bool) {
	head, _ := slices.BinarySearch(s.base.Failing, from)
	failing := head
	r, ok = s.problem.runFrom(s.prefix[from].Clone(), edited, from, func(at int) bool {
		failing++
		return failing <= len(s.base.Failing) && (at != fault || s.goalMissed())
	})
	r.Failing = slices.Concat(s.base.Failing[:head], r.Failing)
	return r, ok
}

// repairs reports whether an edited sequence that fares so is free of the fault and
// better as a whole.
func (s *search) repairs(e Edit, r Result) bool {
	if (e.Kind == Move || e.Kind == Replace || e.Kind == Exchange) && s.idles(e, r.Idle) {
		return false // an action that then does nothing is deleted, not moved or replaced
	}
	if e.Kind == Exchange && slices.Contains(r.Failing, e.At) {
		return false // nothing is done in its place
	}
	if e.Kind == Replace && s.goalMissed() && e.New == e.Call.Destination && s.prefix[0].Place(e.Call.Target).At == e.New {
		return false // it was taken from there for some reason
	}
	if e.Kind == Replace && slices.ContainsFunc(r.Failing, func(i int) bool { return !slices.Contains(s.base.Failing, i) }) {
		return false // what could be done with the one cannot with the other
	}
	if r.Met < r.All && (s.goalMissed() || e.Kind == Delete && e.At == s.k) {
		return false // what the goal needs besides is not known
	}
	gain := r.Met - s.base.Met
	repaired := len(s.base.Failing) - len(r.Failing)
	if s.goalMissed() {
		return gain > 0 && repaired >= 0
	}
	return gain >= 0 && repaired > 0
}

// idles reports whether an edit makes the action it moves or replaces, or
// another one, idle.
func (s *search) idles(e Edit, idle []int) bool {
	to := e.At
	if e.Kind == Move {
		if to = e.To; e.At < e.To {
			to--
		}
	}
	before := 0
	for _, i := range s.base.Idle {
		if i >= e.First {
			before++
		}
	}
	return len(idle) > before || slices.Contains(idle, to)
}

func (s *search) rank(e Edit) int {
	ranks := forAction
	if s.goalMissed() {
		ranks = forGoal
	}
	if e.Kind == Move && e.Last-e.First > farMove {
		return ranks[Delete]
	}
	if s.goalMissed() && e.Kind == Delete && s.problem.switchesOn(e.Call) {
		return ranks[Append] + 1 // what is switched on serves something: switching off was left out
	}
	return ranks[e.Kind]
}

// switchesOn reports whether an action makes a device run.
func (p *Problem) switchesOn(c state.Call) bool {
	onto := p.Start.Objects.Onto
	return slices.ContainsFunc(c.Schema.Effects, func(e ontology.Effect) bool {
		return slices.ContainsFunc(e.Then, func(q ontology.Pattern) bool {
			return q.Predicate == onto.Core.State && onto.Roles.Running != ontology.None && onto.StateIs(q.Object.Term, onto.Roles.Running) > 0
		})
	})
}

// widen gives the best edit the range of places at which the same edit repairs as
// much.
func (s *search) widen() Edit {
	e := s.best.edit
	for _, c := range s.all {
		if c.edit.Call.Same(e.Call) && adds(c.edit) == adds(e) && (adds(e) || c.edit.Kind == e.Kind) && c.repairsAsMuch(*s.best) {
			e.First, e.Last = min(e.First, c.edit.First), max(e.Last, c.edit.Last)
		}
	}
	return e
}

// adds reports whether an edit puts in an action that was not there.
func adds(e Edit) bool { return e.Kind == Insert || e.Kind == Append }
