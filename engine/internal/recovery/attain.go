package recovery

import (
	"fmt"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// attainable reports whether anything could bring a literal about if nothing that
// is done ever undid anything. Where not, no plan does.
func (m *model) attainable(s *state.State, l literal) bool {
	r := &relaxed{model: m, s: s, known: map[literal]bool{}}
	return !m.barred(l) && r.literal(l, nil)
}

// relaxed is reachability without what actions undo.
type relaxed struct {
	*model
	s     *state.State
	known map[literal]bool // of those proved to be
}

const relaxedDepth = 7

func (r *relaxed) literal(l literal, path []literal) bool {
	if l.not {
		return r.endable(l, path)
	}
	if r.known[l] || r.holds(r.s, l) || r.knowable(r.s, l) || l.pred == r.onto.Core.Near || l.pred == r.onto.Core.HasRoom {
		return true
	}
	if len(path) >= relaxedDepth || slices.Contains(path, l) {
		return len(path) >= relaxedDepth // what lies deeper is given the benefit of the doubt
	}
	path = append(slices.Clip(path), l)
	for _, x := range []state.Object{l.x, l.y.Object()} {
		if x == state.Nothing || !r.s.Gone(x) {
			continue
		}
		if !r.piece(x, path) {
			return false
		}
	}
	for _, w := range r.ways(r.s, l) {
		ok := true
		for _, n := range append(slices.Clip(w.first), w.needs...) {
			ok = ok && r.literal(n, path)
		}
		if ok && (w.process != nil || r.call(w.call, path)) {
			r.known[l] = true
			return true
		}
	}
	return false
}

// piece reports whether what a piece comes from can be cut or cracked.
func (r *relaxed) piece(x state.Object, path []literal) bool {
	whole := r.objects.Items[x].Origin
	if whole == state.Nothing || r.s.Gone(whole) {
		return false
	}
	for _, a := range r.onto.Actions {
		if r.makes(a, whole, x) && r.call(r.model.call(a, whole, state.Nothing), path) {
			return true
		}
	}
	return false
}

// call reports whether everything that stands against an action can be removed.
func (r *relaxed) call(c state.Call, path []literal) bool {
	for _, v := range r.violations(r.s, c) {
		if v.Name == state.Exists && r.s.Gone(v.Culprit) && r.piece(v.Culprit, path) {
			continue
		}
		if v.Condition == nil || !r.removable(&v, path) {
			return false
		}
	}
	return true
}

func (r *relaxed) removable(v *state.Violation, path []literal) bool {
	q := r.query(r.s)
	if t, _ := q.Best(v.Condition.Requires, v.Binding); len(v.Condition.Requires) > 0 && t <= state.AssumedFalse {
		return slices.ContainsFunc(r.bindings(r.s, v.Condition.Requires, v.Binding), func(b state.Binding) bool {
			return !slices.ContainsFunc(r.literals(v.Condition.Requires, b), func(l literal) bool { return !r.literal(l, path) })
		})
	}
	return slices.ContainsFunc(r.literals(v.Condition.Forbids, v.Binding), func(l literal) bool {
		l.not = true
		return r.literal(l, path)
	})
}

// endable reports whether anything could end what is so.
func (r *relaxed) endable(l literal, path []literal) bool {
	if r.holds(r.s, l) {
		return true
	}
	if len(path) >= relaxedDepth || slices.Contains(path, l) {
		return len(path) >= relaxedDepth
	}
	path = append(slices.Clip(path), l)
	if l.pred == r.onto.Core.State {
		for _, t := range r.produced() {
			if r.onto.StateIs(t, l.y.Term()) < 0 && r.literal(literal{x: l.x, pred: l.pred, y: state.TermRef(t)}, path) {
				return true
			}
		}
		return false
	}
	pickupable, _ := r.onto.Lookup("pickupable")
	if l.isOf(r.trace.Gripper) {
		return true
	}
	return r.objects.HasProperty(l.x, pickupable) && r.literal(literal{x: l.x, pred: r.onto.Core.Inside, y: state.ObjectRef(r.trace.Gripper)}, path)
}

// why tells for what reason a part of the goal cannot be brought about.
func (m *model) why(s *state.State, l literal) string {
	if m.barred(l) {
		return "it must not be so: " + m.because
	}
	r := &relaxed{model: m, s: s, known: map[literal]bool{}}
	if why := r.reason(l, nil); why.text != "" {
		return why.text
	}
	return fmt.Sprintf("nothing brings about %s", m.text(l))
}

// obstacle is what keeps something from being brought about: the deeper it lies,
// the more it explains.
type obstacle struct {
	text  string
	depth int
}

func (o obstacle) or(other obstacle) obstacle {
	if other.text != "" && (o.text == "" || other.depth > o.depth) {
		return other
	}
	return o
}

// reason finds what keeps a literal from being brought about.
func (r *relaxed) reason(l literal, path []literal) obstacle {
	var out obstacle
	if len(path) > relaxedDepth || slices.Contains(path, l) {
		return out
	}
	path = append(slices.Clip(path), l)
	for _, x := range []state.Object{l.x, l.y.Object()} {
		if x == state.Nothing || !r.s.Gone(x) {
			continue
		}
		whole := r.objects.Items[x].Origin
		if whole == state.Nothing || r.s.Gone(whole) {
			return obstacle{fmt.Sprintf("%s is no more, and nothing brings it back", r.objects.Name(x)), len(path)}
		}
		for _, a := range r.onto.Actions {
			if r.makes(a, whole, x) {
				out = out.or(r.callReason(r.model.call(a, whole, state.Nothing), path))
			}
		}
	}
	ways := r.ways(r.s, l)
	if len(ways) == 0 && out.text == "" {
		return obstacle{"nothing brings about " + r.text(l), len(path)}
	}
	for _, w := range ways {
		for _, n := range append(slices.Clip(w.first), w.needs...) {
			if !r.literal(n, path) {
				out = out.or(r.reason(n, path))
			}
		}
		if w.process == nil {
			out = out.or(r.callReason(w.call, path))
		}
	}
	return out
}

func (r *relaxed) callReason(c state.Call, path []literal) obstacle {
	var out obstacle
	for _, v := range r.violations(r.s, c) {
		if v.Name == forbiddenName {
			return obstacle{fmt.Sprintf("%s must not be done: %s", r.objects.CallText(c), v.Comment), len(path)}
		}
		if v.Condition == nil || r.removable(&v, path) {
			continue
		}
		out = out.or(obstacle{fmt.Sprintf("%s cannot be done: %s, and nothing changes that", r.objects.CallText(c), v.Comment), len(path)})
		for _, b := range r.bindings(r.s, v.Condition.Requires, v.Binding) {
			for _, l := range r.literals(v.Condition.Requires, b) {
				if !r.literal(l, path) {
					out = out.or(r.reason(l, path))
				}
			}
		}
	}
	return out
}
