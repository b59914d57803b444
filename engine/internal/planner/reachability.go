package planner

import (
	"fmt"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/engine/internal/wording"
	"github.com/mishap-robotics/mishap/ontology"
)

// Reachability proves that something cannot be reached: it is not even if nothing that
// is done ever undid anything (a relaxed plan, without delete effects).
type Reachability struct {
	domain      *Domain
	sim         *Simulator
	achievers   *achievers
	constraints *Constraints
}

// relaxed is a state to reason from.
func (r *Reachability) relaxed(s *state.State) *relaxation {
	return &relaxation{domain: r.domain, sim: r.sim, achievers: r.achievers, s: s, known: map[Literal]bool{}, proved: map[Literal]bool{}}
}

// Reachable reports whether anything could bring a literal about if nothing that
// is done ever undid anything. Where not, no plan does.
func (r *Reachability) Reachable(s *state.State, l Literal) bool {
	return !r.constraints.Excludes(l) && r.relaxed(s).literal(l, nil)
}

// Why tells for what reason a part of the goal cannot be brought about.
func (r *Reachability) Why(s *state.State, l Literal) string {
	if r.constraints.Excludes(l) {
		return "it must not be so: " + r.constraints.reason
	}
	if why := r.relaxed(s).reason(l, nil); why.text != "" {
		return why.text
	}
	return fmt.Sprintf("nothing brings about %s", r.domain.Text(l))
}

// Needs names what would change that a part of the goal cannot be brought about, "" where
// only a person could.
func (r *Reachability) Needs(s *state.State, l Literal) string {
	if r.constraints.Excludes(l) {
		return ""
	}
	return r.relaxed(s).reason(l, nil).needs
}

// Doubt tells for what reason a part of the goal cannot be brought about if all that is
// assumed is so, "" where it can.
func (r *Reachability) Doubt(s *state.State, l Literal) string {
	x := r.relaxed(s)
	if x.trusting = true; x.literal(l, nil) {
		return ""
	}
	return x.reason(l, nil).text
}

// Another names a thing that could take the place of an object.
func (r *Reachability) Another(s *state.State, x state.Object) string { return r.relaxed(s).another(x) }

// relaxedDepth bounds how deep conditions rest on others.
const relaxedDepth = 7

// obstacle is what keeps something from being brought about: the deeper it lies,
// the more it explains.
type obstacle struct {
	text  string
	depth int
	needs string // what would change it
}

// or is the deeper of two obstacles.
func (o obstacle) or(other obstacle) obstacle {
	if other.text != "" && (o.text == "" || other.depth > o.depth) {
		return other
	}
	return o
}

// relaxation is a state from which actions only add.
type relaxation struct {
	domain    *Domain
	sim       *Simulator
	achievers *achievers
	s         *state.State
	known     map[Literal]bool // what was found to be reachable for one literal
	proved    map[Literal]bool // the same, where nothing was given the benefit of the doubt
	doubts    int              // how often something was
	trusting  bool             // what is assumed counts as known
}

// reaches reports whether something could achieve a literal, by what was proved of others.
func (r *relaxation) reaches(l Literal) bool {
	clear(r.known)
	return r.literal(l, nil)
}

// doubt gives something the benefit of the doubt.
func (r *relaxation) doubt() bool {
	r.doubts++
	return true
}

// reached notes that a literal is reachable, and whether that was proved since there were
// so many doubts.
func (r *relaxation) reached(l Literal, doubts int) bool {
	if r.known[l] = true; r.doubts == doubts {
		r.proved[l] = true
	}
	return true
}

// literal reports whether something could achieve a literal. Where the time is up it is
// given the benefit of the doubt.
func (r *relaxation) literal(l Literal, path []Literal) bool {
	if r.sim.budget.Interrupted() {
		return r.doubt()
	}
	if l.Negated {
		return r.endable(l, path)
	}
	if r.known[l] && !r.proved[l] {
		return r.doubt()
	}
	if r.proved[l] || r.sim.Holds(r.s, l) || r.domain.knowable(r.s, l) || l.Predicate == r.domain.Onto.Core.Near || l.Predicate == r.domain.Onto.Core.HasRoom {
		return true
	}
	if len(path) >= relaxedDepth || slices.Contains(path, l) {
		return len(path) >= relaxedDepth && r.doubt() // what lies deeper
	}
	doubts := r.doubts
	path = append(slices.Clip(path), l)
	for _, x := range []state.Object{l.Subject, l.Value.Object()} {
		if x == state.Nothing || !r.s.Gone(x) {
			continue
		}
		if !r.piece(x, path) {
			return false
		}
	}
	if r.s.Gone(l.Subject) && r.comesWith(l, path) {
		return r.reached(l, doubts)
	}
	for _, a := range r.achievers.of(r.s, l) {
		ok := true
		for _, n := range a.all() {
			ok = ok && r.literal(n, path)
		}
		if ok && (a.process != nil || r.call(a.call, path)) {
			return r.reached(l, doubts)
		}
	}
	return false
}

// piece reports whether what a piece comes from can be cut or cracked.
func (r *relaxation) piece(x state.Object, path []Literal) bool {
	whole := r.domain.Objects.Items[x].Origin
	if whole == state.Nothing || r.s.Gone(whole) {
		return false
	}
	for _, a := range r.domain.actions {
		if r.domain.Makes(a, whole, x) && r.call(r.domain.Call(a, whole, state.Nothing), path) {
			return true
		}
	}
	return false
}

// comesWith reports whether a piece that is yet to be made is so from the first: in a state of
// its class, or as what it is cut from is or could be.
func (r *relaxation) comesWith(l Literal, path []Literal) bool {
	if r.domain.IsState(l) {
		for _, st := range r.domain.Onto.DefaultStates(r.domain.Objects.Class(l.Subject)) {
			if r.domain.Onto.StateIs(st, l.Value.Term()) > 0 {
				return true
			}
		}
	}
	if r.sim.constraints.forbidsPlace(l) {
		return false
	}
	whole := l
	whole.Subject = r.domain.Objects.Items[l.Subject].Origin
	return whole.Subject != state.Nothing && (r.domain.IsState(l) || r.domain.IsPlace(l)) && r.literal(whole, path)
}

// call reports whether everything that stands against an action can be removed.
func (r *relaxation) call(c state.Call, path []Literal) bool {
	for _, v := range r.sim.Violations(r.s, c) {
		if v.Name == state.Exists && r.s.Gone(v.Culprit) && r.piece(v.Culprit, path) {
			continue
		}
		if v.Condition == nil || !r.doubtful(&v) && !r.removable(&v, path) {
			return false
		}
	}
	return true
}

// doubtful reports whether a condition is only assumed not to hold: that proves nothing.
func (r *relaxation) doubtful(v *state.Violation) bool {
	return !r.trusting && slices.ContainsFunc(v.Touched, func(f state.Fluent) bool { return r.s.Get(f).Status == state.Assumed })
}

// removable reports whether a condition that is unmet can be met.
func (r *relaxation) removable(v *state.Violation, path []Literal) bool {
	if r.avoidable(v, path) || r.changeable(v) {
		return true
	}
	q := r.domain.Query(r.s)
	if t := q.Truth(v.Condition.Requires, v.Binding); len(v.Condition.Requires) > 0 && t <= state.AssumedFalse {
		return slices.ContainsFunc(r.achievers.bindings(r.s, v.Condition.Requires, v.Binding), func(b state.Binding) bool {
			return !slices.ContainsFunc(r.domain.Literals(v.Condition.Requires, b), func(l Literal) bool { return !r.literal(l, path) })
		})
	}
	return slices.ContainsFunc(r.domain.Literals(v.Condition.Forbids, v.Binding), func(l Literal) bool {
		l.Negated = true
		return r.literal(l, path)
	})
}

// avoidable reports whether a condition could come not to apply: what exempts from it is
// brought about, or what it applies to ends.
func (r *relaxation) avoidable(v *state.Violation, path []Literal) bool {
	for _, unless := range v.Condition.Unless {
		for _, b := range r.achievers.bindings(r.s, unless, v.Binding) {
			ls := r.domain.Literals(unless, b)
			if len(ls) > 0 && !slices.ContainsFunc(ls, func(l Literal) bool { return !r.literal(l, path) }) {
				return true
			}
		}
	}
	return slices.ContainsFunc(r.domain.Literals(v.Condition.When, v.Binding), func(l Literal) bool {
		l.Negated = true
		return r.literal(l, path)
	})
}

// endable reports whether anything could end what is so.
func (r *relaxation) endable(l Literal, path []Literal) bool {
	if r.sim.Holds(r.s, l) {
		return true
	}
	if len(path) >= relaxedDepth || slices.Contains(path, l) {
		return len(path) >= relaxedDepth && r.doubt()
	}
	path = append(slices.Clip(path), l)
	if r.domain.IsState(l) {
		for _, t := range r.domain.leadsTo {
			if r.domain.Onto.StateIs(t, l.Value.Term()) < 0 && r.literal(r.domain.InState(l.Subject, t), path) {
				return true
			}
		}
		return false
	}
	if l.isOf(r.domain.Gripper) || r.domain.Onto.Persistent(l.Predicate) && !r.domain.isStatic(l.Predicate) {
		return true // what ends a relation may be anything: that it cannot be is not claimed
	}
	return r.domain.Movable(l.Subject) && r.literal(r.domain.inGripper(l.Subject), path)
}

// reason finds what keeps a literal from being brought about.
func (r *relaxation) reason(l Literal, path []Literal) obstacle {
	var out obstacle
	if len(path) > relaxedDepth || slices.Contains(path, l) || r.sim.budget.Interrupted() {
		return out
	}
	path = append(slices.Clip(path), l)
	for _, x := range []state.Object{l.Subject, l.Value.Object()} {
		if x == state.Nothing || !r.s.Gone(x) {
			continue
		}
		whole := r.domain.Objects.Items[x].Origin
		if whole == state.Nothing || r.s.Gone(whole) {
			return obstacle{fmt.Sprintf("%s is no more, and nothing brings it back", r.domain.Objects.Name(x)), len(path), r.another(x)}
		}
		if r.piece(x, path) {
			continue // that it cannot be made in other ways too is in no one's way
		}
		for _, a := range r.domain.actions {
			if r.domain.Makes(a, whole, x) {
				out = out.or(r.callReason(r.domain.Call(a, whole, state.Nothing), path))
			}
		}
	}
	list := r.achievers.of(r.s, l)
	if len(list) == 0 && out.text == "" {
		return obstacle{"nothing brings about " + r.domain.Text(l), len(path), r.another(l.Subject)}
	}
	for _, a := range list {
		for _, n := range a.all() {
			if !r.literal(n, path) {
				out = out.or(r.reason(n, path))
			}
		}
		if a.process == nil {
			out = out.or(r.callReason(a.call, path))
		}
	}
	return out
}

// another is a thing of the class of an object, or of what that comes from.
func (r *relaxation) another(x state.Object) string {
	for r.domain.Objects.Items[x].Origin != state.Nothing {
		x = r.domain.Objects.Items[x].Origin
	}
	if class := r.domain.Objects.Class(x); class != ontology.None {
		return "another " + r.domain.Onto.Name(class)
	}
	return ""
}

// lacking is a thing with which a condition would hold that does not: one of the class or
// with the property that it asks for and nothing there has, else another in the place of the
// one that it is about.
func (r *relaxation) lacking(v *state.Violation, c state.Call) string {
	core := &r.domain.Onto.Core
	for _, p := range v.Condition.Requires {
		if !p.Subject.IsVar() || p.Subject.Var <= ontology.VarDestination || v.Binding[p.Subject.Var] != state.Unbound || p.Object.IsVar() {
			continue
		}
		switch p.Predicate {
		case core.Type:
			return wording.One(r.domain.Onto.Name(p.Object.Term))
		case core.HasProperty:
			return "a thing that is " + r.domain.Onto.Terms[p.Object.Term].Label()
		}
	}
	return r.another(c.Target)
}

// callReason finds what keeps an action from being done.
func (r *relaxation) callReason(c state.Call, path []Literal) obstacle {
	var out obstacle
	for _, v := range r.sim.Violations(r.s, c) {
		if v.Name == forbiddenName {
			return obstacle{fmt.Sprintf("%s must not be done: %s", r.domain.Objects.CallText(c), v.Comment), len(path), ""}
		}
		if v.Condition == nil || r.removable(&v, path) {
			continue
		}
		out = out.or(obstacle{fmt.Sprintf("%s cannot be done: %s, and nothing changes that", r.domain.Objects.CallText(c), v.Comment), len(path), r.lacking(&v, c)})
		for _, b := range r.achievers.bindings(r.s, v.Condition.Requires, v.Binding) {
			for _, l := range r.domain.Literals(v.Condition.Requires, b) {
				if !r.literal(l, path) {
					out = out.or(r.reason(l, path))
				}
			}
		}
	}
	return out
}
