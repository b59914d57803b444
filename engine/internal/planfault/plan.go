// Package planfault runs sequences of actions through the action model and finds
// the single edit that would mend one that fails.
package planfault

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// TimedCall is an action of a sequence, with the step of the log it stands for.
type TimedCall struct {
	Call state.Call
	At   int32
}

// Problem is what a sequence is judged by.
type Problem struct {
	Start *state.State
	Goal  func(*state.State) (met, all int) // conditions that hold, of how many
	// Hazards lists devices that must not be left on.
	Hazards func(*state.State) int
	Robot   state.Object
	Gripper state.Object
	// Objects are those an edit may bring in.
	Objects []state.Object
	// Aside are those that an inserted action may put something aside on.
	Aside []state.Object
	// Effort is about how many actions the search for one edit may simulate; it
	// then ends with the best found.
	Effort    int
	simulated int
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

// Sound reports whether nothing fails and the goal is reached.
func (v Result) Sound() bool { return len(v.Failing) == 0 && v.Met == v.All && v.Hazards == 0 }

// Run simulates a sequence from its start.
func (p *Problem) Run(seq []TimedCall) Result {
	v, _ := p.runFrom(p.Start.Clone(), seq, 0, func(int) bool { return true })
	return v
}

// runFrom simulates a suffix on a state, which it uses up. bearable is asked
// about each action that fails; ok is false where it says no.
func (p *Problem) runFrom(s *state.State, seq []TimedCall, offset int, bearable func(int) bool) (v Result, ok bool) {
	for i := range seq {
		p.simulated++
		done, idle := p.advance(s, seq[i])
		if !done {
			if !bearable(offset + i) {
				return v, false
			}
			v.Failing = append(v.Failing, offset+i)
		}
		if idle {
			v.Idle = append(v.Idle, offset+i)
		}
	}
	v.Met, v.All = p.Goal(s)
	v.Hazards = p.Hazards(s)
	return v, true
}

// advance executes one action and tells whether it could be executed, and
// whether it was idle. An action whose effects hold already is no failure.
func (p *Problem) advance(s *state.State, st TimedCall) (ok, idle bool) {
	s.Run(state.Predicted, st.At)
	ok = len(s.UnmetPreconditions(st.Call)) == 0
	idle = state.Idle(s.Apply(st.Call, state.Predicted, st.At))
	s.Run(state.Predicted, st.At)
	return ok || idle && !st.Call.Schema.Conditional(), idle
}

// EditKind is what an edit does to a sequence.
type EditKind string

// The kinds of edits.
const (
	Delete  EditKind = "delete"
	Move    EditKind = "move"
	Replace EditKind = "replace"
	Insert  EditKind = "insert"
	Append  EditKind = "append"
)

// Edit is a change of a sequence at one place.
type Edit struct {
	Kind       EditKind
	At         int          // index of the action deleted, moved or replaced; index an inserted one stands before
	To         int          // where a moved action goes
	Call       state.Call   // the action deleted, moved or inserted, or the one that replaces
	Old        state.Object // the object replaced
	New        state.Object
	Throughout bool // it is replaced in all actions from there on
	// First and Last bound the places at which the edit would do as well.
	First, Last int
}

// candidate is an edit with how the edited sequence fares.
type candidate struct {
	edit    Edit
	verdict Result
	kind    int  // rank of the kind of edit
	near    bool // the robot is known to stand by what it acts on
}

// An action that cannot be executed points at one left out before it; a goal
// missed by actions that all went well points at a wrong object or order.
var (
	forAction = map[EditKind]int{Move: 0, Insert: 1, Replace: 2, Delete: 3}
	forGoal   = map[EditKind]int{Move: 0, Replace: 1, Delete: 2, Insert: 3, Append: 3}
)

// farMove is the number of actions beyond which a misplaced action is less
// likely than one left out.
const farMove = 10

// better orders candidates: what mends more comes first, then the kind of edit,
// then what leaves less switched on, then the place where the robot stands by its target, then the later place.
func (a candidate) better(b candidate) bool {
	switch {
	case a.verdict.Met != b.verdict.Met:
		return a.verdict.Met > b.verdict.Met
	case len(a.verdict.Failing) != len(b.verdict.Failing):
		return len(a.verdict.Failing) < len(b.verdict.Failing)
	case a.kind != b.kind:
		return a.kind < b.kind
	case a.verdict.Hazards != b.verdict.Hazards:
		return a.verdict.Hazards < b.verdict.Hazards
	case a.near != b.near:
		return a.near
	}
	return a.edit.At > b.edit.At
}

// Repair finds the single edit that best mends the fault at index k of a
// sequence, len(seq) for a goal that is missed at the end. The edited sequence
// must be free of that fault and fare better as a whole, and a missed goal must
// be reached; ok is false where no edit that the effort allows for does that.
// Edits near the fault are tried first.
func (p *Problem) Repair(seq []TimedCall, k int) (best Edit, ok bool) {
	base := p.Run(seq)
	s := &search{problem: p, seq: seq, k: k, base: base}
	s.prefixes()
	for _, kind := range []func(){s.deletions, s.moves, s.replacements, s.insertions} {
		s.until = p.simulated + p.Effort/4 // each kind has its share
		kind()
	}
	if s.best == nil {
		return Edit{}, false
	}
	return s.widen(), true
}

type search struct {
	problem *Problem
	seq     []TimedCall
	k       int
	base    Result
	prefix  []*state.State // before each action
	best    *candidate
	all     []candidate
	until   int // how many simulated actions end the search for edits of a kind
}

func (s *search) prefixes() {
	st := s.problem.Start.Clone()
	for i := range s.seq {
		s.prefix = append(s.prefix, st.Clone())
		s.problem.advance(st, s.seq[i])
	}
	s.prefix = append(s.prefix, st)
}

// try judges an edited sequence that is unchanged before index from.
func (s *search) try(e Edit, edited []TimedCall, from, fault int, near bool) {
	if s.problem.simulated >= s.until {
		return
	}
	head := 0
	for _, f := range s.base.Failing {
		if f < from {
			head++
		}
	}
	failing := head
	v, ok := s.problem.runFrom(s.prefix[from].Clone(), edited[from:], from, func(at int) bool {
		failing++
		return failing <= len(s.base.Failing) && (at != fault || s.k == len(s.seq))
	})
	if !ok {
		return
	}
	if (e.Kind == Move || e.Kind == Replace) && s.idles(e, v.Idle) {
		return // an action that then does nothing is deleted, not moved or replaced
	}
	if v.Met < v.All && (s.k == len(s.seq) || e.Kind == Delete && e.At == s.k) {
		return // what the goal needs besides is not known
	}
	for range head {
		v.Failing = append(v.Failing, -1)
	}
	gain := v.Met - s.base.Met
	repaired := len(s.base.Failing) - len(v.Failing)
	if gain < 0 || repaired < 0 || s.k == len(s.seq) && gain == 0 || s.k < len(s.seq) && repaired == 0 {
		return
	}
	ranks := forAction
	if s.k == len(s.seq) {
		ranks = forGoal
	}
	c := candidate{e, v, ranks[e.Kind], near}
	if e.Kind == Move && e.Last-e.First > farMove {
		c.kind = ranks[Delete]
	}
	s.all = append(s.all, c)
	if s.best == nil || c.better(*s.best) {
		s.best = &c
	}
}

// near lists the indexes below a bound, those close to the fault first.
func (s *search) near(until int) []int {
	var out []int
	for i := range until {
		out = append(out, i)
	}
	slices.SortStableFunc(out, func(a, b int) int { return max(s.k-a, a-s.k) - max(s.k-b, b-s.k) })
	return out
}

func (s *search) deletions() {
	for _, i := range s.near(min(s.k+1, len(s.seq))) {
		edited := append(append([]TimedCall(nil), s.seq[:i]...), s.seq[i+1:]...)
		fault := s.k - 1
		if i == s.k {
			fault = -2
		}
		s.try(Edit{Kind: Delete, At: i, Call: s.seq[i].Call, First: i, Last: i}, edited, i, fault, true)
	}
}

// moves puts an action elsewhere; the place blamed is where it stands now.
func (s *search) moves() {
	for _, i := range s.near(len(s.seq)) {
		for _, j := range s.near(len(s.seq) + 1) {
			if i == j || i+1 == j || i > s.k && j > s.k {
				continue
			}
			edited := make([]TimedCall, 0, len(s.seq))
			for x := range s.seq {
				if x == j {
					edited = append(edited, s.seq[i])
				}
				if x != i {
					edited = append(edited, s.seq[x])
				}
			}
			if j == len(s.seq) {
				edited = append(edited, s.seq[i])
			}
			s.try(Edit{Kind: Move, At: i, To: j, Call: s.seq[i].Call, First: min(i, j), Last: max(i, j)},
				edited, min(i, j), s.moved(i, j), true)
		}
	}
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

// moved is where the faulty action stands once action i stands before j.
func (s *search) moved(i, j int) int {
	k := s.k
	switch {
	case k == i && j > i:
		return j - 1
	case k == i:
		return j
	case i < k && j > k:
		return k - 1
	case i > k && j <= k:
		return k + 1
	}
	return k
}

// replacements put another object in the place of one, in one action or in all
// from there on.
func (s *search) replacements() {
	for _, i := range s.near(min(s.k+1, len(s.seq))) {
		c := s.seq[i].Call
		for _, old := range []state.Object{c.Target, c.Destination} {
			for _, to := range s.problem.Objects {
				if old == state.Nothing || to == old {
					continue
				}
				if to == c.Target || to == c.Destination {
					continue // nothing goes into itself
				}
				for _, until := range []int{i + 1, len(s.seq)} {
					edited := rename(s.seq, i, until, old, to)
					s.try(Edit{Kind: Replace, At: i, Call: edited[i].Call, Old: old, New: to, First: i, Last: i,
						Throughout: until > i+1}, edited, i, s.k, true)
				}
			}
		}
	}
}

func rename(seq []TimedCall, from, until int, old, to state.Object) []TimedCall {
	out := append([]TimedCall(nil), seq...)
	for i := from; i < until; i++ {
		if out[i].Call.Target == old {
			out[i].Call.Target = to
		}
		if out[i].Call.Destination == old {
			out[i].Call.Destination = to
		}
	}
	return out
}

// insertions try every action that can be executed at a place and changes
// something.
func (s *search) insertions() {
	for i := s.k; i >= 0; i-- {
		for _, c := range s.problem.applicable(s.prefix[i]) {
			at := int32(0)
			if i < len(s.seq) {
				at = s.seq[i].At
			}
			edited := append(append(append([]TimedCall(nil), s.seq[:i]...), TimedCall{c, at}), s.seq[i:]...)
			kind := Insert
			if i == len(s.seq) {
				kind = Append
			}
			s.try(Edit{Kind: kind, At: i, Call: c, First: i, Last: i}, edited, i, s.k+1, s.problem.stands(s.prefix[i], c))
		}
	}
}

// stands reports whether the robot is known to be near what a call acts on.
func (p *Problem) stands(s *state.State, c state.Call) bool {
	x := c.Target
	if c.Destination != state.Nothing {
		x = c.Destination
	}
	return state.Query{State: s, Agent: c.Agent, Gripper: c.Gripper}.Near(c.Agent, x) >= state.AssumedTrue
}

// applicable lists the calls that can be executed in a state and change it.
func (p *Problem) applicable(s *state.State) []state.Call {
	var out []state.Call
	held := s.Held(p.Gripper)
	for _, a := range s.Objects.Onto.Actions {
		if len(a.Effects) == 0 || len(a.Preconditions) == 0 {
			continue
		}
		targets, destinations := p.Objects, []state.Object{state.Nothing}
		if a.Params > 1 {
			targets, destinations = held, slices.Concat(p.Objects, p.Aside)
		}
		for _, x := range targets {
			for _, y := range destinations {
				if y != state.Nothing && s.Objects.Onto.Preferred(a, s.Objects.Class(y)) != a {
					continue
				}
				c := state.Call{Schema: a, Agent: p.Robot, Gripper: p.Gripper, Target: x, Destination: y}
				if x != y && p.means(s, c) && len(s.UnmetPreconditions(c)) == 0 && p.changes(s, c) {
					out = append(out, c)
				}
			}
		}
	}
	return out
}

// means reports whether a destination that an action could do without has a part in
// it: it changes, or takes what is poured away.
func (p *Problem) means(s *state.State, c state.Call) bool {
	drain, _ := s.Objects.Onto.Lookup("drain")
	if c.Schema.Required == c.Schema.Params || c.Destination == state.Nothing || s.Objects.HasProperty(c.Destination, drain) {
		return true
	}
	return slices.ContainsFunc(s.Clone().Apply(c, state.Predicted, 0), func(ch state.Change) bool { return ch.Fluent.Obj == c.Destination })
}

func (p *Problem) changes(s *state.State, c state.Call) bool {
	return applies(s, c) && !state.Idle(s.Clone().Apply(c, state.Predicted, 0))
}

// applies reports whether a call is of a kind that means something for its
// target: an action needs each of its conditions decided, not merely unknown.
func applies(s *state.State, c state.Call) bool {
	q := state.Query{State: s, Agent: c.Agent, Gripper: c.Gripper}
	for i := range c.Schema.Preconditions {
		for _, pattern := range c.Schema.Preconditions[i].Requires {
			if pattern.Predicate != s.Objects.Onto.Core.HasProperty {
				continue
			}
			if t, _ := q.Best([]ontology.Pattern{pattern}, c.Binding()); t < state.AssumedTrue {
				return false
			}
		}
	}
	return true
}

// widen gives the best edit the range of places at which the same edit mends as
// much.
func (s *search) widen() Edit {
	e := s.best.edit
	for _, c := range s.all {
		same := c.edit.Kind == e.Kind || c.edit.Kind == Append && e.Kind == Insert || c.edit.Kind == Insert && e.Kind == Append
		if same && c.edit.Call == e.Call && c.verdict.Met == s.best.verdict.Met && len(c.verdict.Failing) == len(s.best.verdict.Failing) {
			e.First, e.Last = min(e.First, c.edit.First), max(e.Last, c.edit.Last)
		}
	}
	return e
}
