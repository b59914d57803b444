package planfault

import (
	"cmp"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/interrupt"
	"github.com/mishap-robotics/mishap/engine/internal/planner"
	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// RightPlan is a sequence that reaches the goal, to compare a faulty one with.
type RightPlan struct {
	Sequence []TimedCall
	// Rank orders plans that take as many edits, the likelier the lower; Lateness those
	// for which the robot then moves as little.
	Rank, Lateness int
}

// Nearest finds the smallest set of edits it can with which every action of a sequence
// can be carried out and the goal is reached: it aligns the sequence with right plans,
// and of what differs it leaves out all that need not be. The edits are in the order of
// their places; there are none where no plan is near.
func (p *Problem) Nearest(seq []TimedCall) []Edit {
	if p.Plans == nil {
		return nil
	}
	until := p.simulated + p.Effort
	base := p.Run(seq)
	usual := p.far(seq)
	var all []nearby
	cells := maxAlignment
	for _, plan := range p.Plans(seq) {
		if cells -= len(seq) * len(plan.Sequence); cells < 0 || p.simulated >= until || p.Interrupt.Raised() {
			break
		}
		n := nearby{p.align(seq, plan.Sequence), plan}
		n.usual = usual
		if ok := p.fares(n.script, base); ok {
			all = append(all, n)
		}
	}
	slices.SortStableFunc(all, nearby.compare)
	all = all[:min(len(all), maxReduced)]
	for _, n := range all {
		p.reduce(n.script, base, until)
	}
	slices.SortStableFunc(all, nearby.compare)
	if len(all) == 0 {
		return nil
	}
	out := all[0].edits()
	if len(out) == 0 {
		return nil // it is right as it is, by what the problem knows
	}
	for _, n := range all[1:] {
		if others := n.edits(); n.weight() == all[0].weight() && sameKinds(out, others) {
			out[0].First, out[0].Last = min(out[0].First, others[0].First), max(out[0].Last, others[0].Last)
		}
	}
	return out
}

// nearby is what differs from one right plan.
type nearby struct {
	*script
	plan RightPlan
}

func (n nearby) compare(m nearby) int {
	return cmp.Or(cmp.Compare(n.weight(), m.weight()), cmp.Compare(n.plan.Rank, m.plan.Rank), cmp.Compare(n.moves(), m.moves()), cmp.Compare(n.plan.Lateness, m.plan.Lateness))
}

// sameKinds reports whether edits do the same at other places.
func sameKinds(a, b []Edit) bool {
	return slices.EqualFunc(a, b, func(a, b Edit) bool {
		return planner.SameCall(a.Call, b.Call) && (a.Kind == b.Kind || adds(a) && adds(b))
	})
}

// maxReduced bounds how many scripts are reduced: those that are the shortest already.
const maxReduced = 6

// maxAlignment bounds the tables of alignments: the actions of a sequence times those of
// all that it is aligned with.
const maxAlignment = 1 << 20

// fares reports whether every action of a sequence with its changes can be carried out,
// the goal is reached, and no more is left switched on than by another. It counts the
// actions for which the robot then does not stand right.
func (p *Problem) fares(sc *script, base Result) bool {
	s := p.Start.Clone()
	seq, from := sc.apply()
	sc.far = 0
	for i := range seq {
		p.simulated++
		if p.Interrupt.Raised() {
			return false
		}
		if was := from[i]; (was < 0 || !sc.usual[was]) && p.isFar(s, seq[i].Call) {
			sc.far++
		}
		if done, _ := p.advance(s, seq[i]); !done {
			return false
		}
	}
	met, all := p.Goal(s)
	return met == all && p.Hazards(s) <= base.Hazards
}

// isFar reports whether the robot is not known to stand where an action is done.
func (p *Problem) isFar(s *state.State, c state.Call) bool { return !p.isBetween(c) && !p.stands(s, c) }

// far tells of the actions of a sequence for which the robot is not known to stand where
// they are done.
func (p *Problem) far(seq []TimedCall) []bool {
	s, out := p.Start.Clone(), make([]bool, len(seq))
	for i := range seq {
		p.simulated++
		if p.Interrupt.Raised() {
			break
		}
		out[i] = p.isFar(s, seq[i].Call)
		p.advance(s, seq[i])
	}
	return out
}

// script is what differs between a sequence and a right plan. Each change can be made
// or not.
type script struct {
	seq     []TimedCall
	changes []change // in the order of their places
	groups  [][]int  // changes that are made together, or none of them
	made    []bool   // by group
	of      []int    // group of each change
	far     int      // actions, once they are made, for which the robot does not stand right
	usual   []bool   // by action of the sequence, that it does not
}

// change is one difference: an action put in before an index, left out, or done
// with other objects or as another action.
type change struct {
	kind    EditKind
	at      int
	call    state.Call
	between bool // it only moves the robot or looks
}

// apply is the sequence with the changes that are made, and the index of each action in
// it before, -1 for what is changed.
func (sc *script) apply() (out []TimedCall, from []int) {
	c := 0
	for i := 0; i <= len(sc.seq); i++ {
		kept := i < len(sc.seq)
		for ; c < len(sc.changes) && sc.changes[c].at == i; c++ {
			if !sc.made[sc.of[c]] {
				continue
			}
			ch := &sc.changes[c]
			if ch.kind != Delete {
				out, from = append(out, TimedCall{Call: ch.call, At: sc.step(i), From: sc.step(i)}), append(from, -1)
			}
			kept = kept && ch.kind == Insert
		}
		if kept {
			out, from = append(out, sc.seq[i]), append(from, i)
		}
	}
	return out, from
}

// step is the step of the log of the action at an index, of the last at the end.
func (sc *script) step(i int) int32 {
	if len(sc.seq) == 0 {
		return 0
	}
	return sc.seq[min(i, len(sc.seq)-1)].At
}

// Weights of what a script changes. Another object or action counts as much as leaving
// one out and putting one in, unless it is the same object throughout.
const (
	weightEdit       = 100
	weightMove       = 90 // an action done elsewhere
	weightExchange   = 210
	weightThroughout = 150
	weightPlace      = 150 // the same thing brought to another place
	weightFurther    = 1   // one more action that an edit is made in
	weightFar        = 30  // an action for which the robot does not stand right
	weightBetween    = 2   // a move of the robot
)

// weight is how much is changed, but for where the robot goes.
func (sc *script) weight() int {
	n := 0
	for g, made := range sc.made {
		c, members := &sc.changes[sc.groups[g][0]], len(sc.groups[g])
		switch {
		case !made || c.between:
		case c.kind == Replace && members > 1:
			n += weightThroughout + members*weightFurther
		case c.kind == Replace && sameButPlace(sc.seq[c.at].Call, c.call):
			n += weightPlace
		case c.kind == Replace:
			n += weightExchange
		case members > 1:
			n += weightMove
		default:
			n += weightEdit
		}
	}
	return n
}

// sameButPlace reports whether two calls do the same to one thing at different places.
func sameButPlace(a, b state.Call) bool {
	return a.Schema == b.Schema && a.Target == b.Target && a.Destination != b.Destination
}

// moves is what it weighs that the robot goes elsewhere, or does not go where it should.
func (sc *script) moves() int {
	n := sc.far * weightFar
	for g, made := range sc.made {
		if made && sc.changes[sc.groups[g][0]].between {
			n += weightBetween
		}
	}
	return n
}

// group brings together what is one edit: an action left out here and put in there is
// moved, and one object may stand for another in several actions.
func (sc *script) group(whole func(state.Object) state.Object, stop *interrupt.Flag) {
	sc.of = make([]int, len(sc.changes))
	for i := range sc.of {
		sc.of[i] = -1
	}
	add := func(members ...int) {
		for _, i := range members {
			sc.of[i] = len(sc.groups)
		}
		sc.groups = append(sc.groups, members)
	}
	byKind := map[EditKind][]int{}
	for i := range sc.changes {
		byKind[sc.changes[i].kind] = append(byKind[sc.changes[i].kind], i)
	}
	for i := range sc.changes {
		if sc.of[i] >= 0 {
			continue
		}
		members := []int{i}
		others := byKind[partner[sc.changes[i].kind]]
		from, _ := slices.BinarySearch(others, i+1)
		for _, j := range others[from:] {
			if stop.Tick() {
				break
			}
			if sc.of[j] < 0 && sc.together(i, j, len(members), whole) {
				members = append(members, j)
			}
		}
		add(members...)
	}
	sc.made = make([]bool, len(sc.groups))
	for g := range sc.made {
		sc.made[g] = true
	}
}

// partner is the kind of the changes with which one may be one edit.
var partner = map[EditKind]EditKind{Replace: Replace, Delete: Insert, Insert: Delete}

// together reports whether two changes are one edit; n is how many are so already.
func (sc *script) together(i, j, n int, whole func(state.Object) state.Object) bool {
	a, b := &sc.changes[i], &sc.changes[j]
	if a.kind == Replace && b.kind == Replace {
		from, to := exchanged(sc.seq[a.at].Call, a.call)
		fromToo, toToo := exchanged(sc.seq[b.at].Call, b.call)
		return a.call.Schema == sc.seq[a.at].Call.Schema && b.call.Schema == sc.seq[b.at].Call.Schema && whole(from) == whole(fromToo) && whole(to) == whole(toToo)
	}
	moved := a.kind == Delete && b.kind == Insert || a.kind == Insert && b.kind == Delete
	return moved && n == 1 && planner.SameCall(a.call, b.call)
}

// exchanged is the object that a call has in place of another's.
func exchanged(was, is state.Call) (old, now state.Object) {
	if was.Target != is.Target {
		return was.Target, is.Target
	}
	return was.Destination, is.Destination
}

// edits are the changes that are made, as edits of the sequence in the order of their
// places. Moves of the robot are told only where nothing else is.
func (sc *script) edits() []Edit {
	var told, between []Edit
	for g, members := range sc.groups {
		if !sc.made[g] {
			continue
		}
		e := sc.edit(members)
		if sc.changes[members[0]].between {
			between = append(between, e)
		} else {
			told = append(told, e)
		}
	}
	if len(told) == 0 {
		told = between
	}
	slices.SortStableFunc(told, func(a, b Edit) int { return a.First - b.First })
	return servedFirst(told)
}

// servedFirst puts, before the action that only prepares it, the one that is done elsewhere:
// the fridge is opened because the pear goes there.
func servedFirst(edits []Edit) []Edit {
	if len(edits) == 0 || !adds(edits[0]) {
		return edits
	}
	i := slices.IndexFunc(edits, func(e Edit) bool {
		return e.Kind == Replace && e.New != state.Nothing && e.New == edits[0].Call.Target
	})
	if i < 0 {
		return edits
	}
	return slices.Insert(slices.Delete(slices.Clone(edits), i, i+1), 0, edits[i])
}

func (sc *script) edit(members []int) Edit {
	c := &sc.changes[members[0]]
	e := Edit{Kind: c.kind, At: c.at, Call: c.call, First: c.at, Last: c.at}
	switch {
	case len(members) == 2 && c.kind != Replace:
		other := &sc.changes[members[1]]
		if c.kind == Insert {
			c, other = other, c
		}
		e.Kind, e.At, e.To, e.Call = Move, c.at, other.at, c.call
		e.First, e.Last = min(c.at, other.at), max(c.at, other.at)
	case c.kind == Replace && c.call.Schema != sc.seq[c.at].Call.Schema:
		e.Kind = Exchange
	case c.kind == Replace:
		e.Old, e.New = exchanged(sc.seq[c.at].Call, c.call)
		e.Throughout = len(members) > 1
	case c.kind == Insert && c.at == len(sc.seq):
		e.Kind = Append
	}
	return e
}
