package recovery

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// literal is one thing to bring about: a state or a place of an object, or, where
// not is set, the end of it.
type literal struct {
	x    state.Object
	pred ontology.TermID
	y    state.Ref
	not  bool
}

// holds judges a literal in a state.
func (m *model) holds(s *state.State, l literal) bool {
	p := ontology.Pattern{Subject: ontology.Arg{Var: 0, Term: ontology.None}, Predicate: l.pred, Object: ontology.Arg{Var: 1, Term: ontology.None}}
	t, _ := m.query(s).Best([]ontology.Pattern{p}, state.Binding{state.ObjectRef(l.x), l.y})
	if l.pred == m.onto.Core.Near {
		return m.reaches(s, l.y.Object()) != l.not
	}
	if s.Gone(l.x) || s.Gone(l.y.Object()) {
		return l.not
	}
	if l.not {
		if l.pred != m.onto.Core.State && !m.placed(l) {
			return t < state.AssumedTrue // what is not said to be so is not
		}
		return t <= state.AssumedFalse
	}
	return t >= state.AssumedTrue
}

// lasting reports whether a pattern is about what no action changes.
func (m *model) lasting(p *ontology.Pattern) bool {
	core := &m.onto.Core
	switch p.Predicate {
	case core.Type, core.HasProperty, core.Accepts, core.Differs, core.Implies:
		return true
	}
	return false
}

// search bounds of one recursion: how deep supplies rest on others, how many
// alternatives are tried for one thing, and how often one action is made ready.
const (
	deepest  = 18
	mostWays = 4
	readying = 9
)

// pursuit is what is being brought about, so that nothing is brought about for its
// own sake.
type pursuit struct {
	path  []literal
	depth int
}

func (p pursuit) of(l literal) (pursuit, bool) {
	if p.depth >= deepest || slices.Contains(p.path, l) {
		return p, false
	}
	return pursuit{append(slices.Clip(p.path), l), p.depth + 1}, true
}

// way is one way to bring a literal about: an action, or what makes a process run,
// with what has to be so for it besides the preconditions.
type way struct {
	call    state.Call // without schema where it is a process
	first   []literal  // what has to be so at the beginning only
	needs   []literal
	process *ontology.Process
	assumes []string // that nothing known speaks against
	rank    int
}

// achieve brings a literal about, by the cheapest of the ways that are tried first.
// The moment is changed only where that succeeds.
func (m *model) achieve(mo *moment, l literal, p pursuit) ([]PlanStep, bool) {
	if m.holds(mo.s, l) {
		return nil, true
	}
	q, ok := p.of(l)
	if !ok || m.exhausted() {
		return nil, false
	}
	if l.pred == m.onto.Core.Near && !l.not {
		st, ok := m.goTo(mo, l.y.Object())
		return []PlanStep{st}, ok
	}
	if l.not {
		return m.end(mo, l, q)
	}
	if steps, ok := m.findOut(mo, l); ok {
		return steps, true
	}
	if steps, ok, is := m.makeRoom(mo, l, q); is {
		return steps, ok
	}
	return m.cheapest(mo, m.ways(mo.s, l), q, l)
}

// cheapest tries ways and takes the one with the fewest actions; deep in a
// recursion the first that succeeds.
func (m *model) cheapest(mo *moment, ways []way, p pursuit, l literal) ([]PlanStep, bool) {
	var best []PlanStep
	var after *moment
	for _, w := range ways {
		if m.exhausted() {
			break
		}
		try := m.clone(mo)
		steps, ok := m.follow(try, w, p, l)
		if !ok || !m.holds(try.s, l) {
			continue
		}
		if after == nil || len(steps) < len(best) {
			best, after = steps, try
		}
		if p.depth > 2 || len(best) <= 2 {
			break
		}
	}
	if after == nil {
		return nil, false
	}
	*mo = *after
	return best, true
}

// follow goes one way to a literal. What a process needs may end with what it brings
// about, as a lock that it opens.
func (m *model) follow(mo *moment, w way, p pursuit, to literal) ([]PlanStep, bool) {

	steps, ok := m.all(mo, w.first, p)
	if !ok {
		return nil, false
	}
	more, ok := m.all(mo, w.needs, p)
	if !ok && (w.process == nil || !m.holds(mo.s, to)) {
		return nil, false
	}
	steps = append(steps, more...)
	if w.process == nil {
		more, ok := m.carryOut(mo, w.call, p, FromSupply)
		return append(steps, more...), ok
	}
	if n := len(steps); n > 0 {
		steps[n-1].Assumes = append(slices.Clip(steps[n-1].Assumes), w.assumes...)
	}
	return append(steps, m.switchBack(mo, steps)...), true
}

// switchBack turns off what was turned on for a process and must not be left on.
func (m *model) switchBack(mo *moment, steps []PlanStep) []PlanStep {
	var out []PlanStep
	for _, st := range steps {
		x := st.Call.Target
		if x == state.Nothing || !slices.Contains(m.leftOn(mo.s), x) {
			continue
		}
		on, _ := m.onto.Lookup("on")
		if more, ok := m.achieve(mo, literal{x: x, pred: m.onto.Core.State, y: state.TermRef(m.onto.Opposite(on))}, pursuit{depth: 4}); ok {
			out = append(out, more...)
		}
	}
	return out
}

// all brings several literals about, so that in the end all hold at once. Where it
// fails, it returns what was done until then.
func (m *model) all(mo *moment, ls []literal, p pursuit) ([]PlanStep, bool) {
	var out []PlanStep
	for range 3 {
		open := false
		for _, l := range ls {
			if m.holds(mo.s, l) {
				continue
			}
			open = true
			steps, ok := m.achieve(mo, l, p)
			if !ok {
				return out, false
			}
			out = append(out, steps...)
		}
		if !open {
			return out, true
		}
	}
	return out, false
}

// order puts what is to end first, then places, then states of things, then what
// devices do.
func (m *model) order(l literal) int {
	switch {
	case l.not:
		return 0
	case l.pred != m.onto.Core.State:
		return 1
	}
	toggleable, _ := m.onto.Lookup("toggleable")
	if m.objects.HasProperty(l.x, toggleable) {
		return 3
	}
	return 2
}

// carryOut does what an action needs, moves to where it is done, and does it.
func (m *model) carryOut(mo *moment, c state.Call, p pursuit, from StepOrigin) ([]PlanStep, bool) {
	var out []PlanStep
	if c.Target == m.trace.Gripper || c.Destination == m.trace.Gripper || c.Target == c.Destination {
		return nil, false
	}
	for range readying {
		vs := m.violations(mo.s, c)
		if len(vs) == 0 {
			for _, x := range m.far(mo, c, from) {
				st, ok := m.goTo(mo, x)
				if !ok {
					return nil, false
				}
				out = append(out, st)
			}
			if len(m.far(mo, c, from)) > 0 {
				return nil, false
			}
			out = append(out, m.lookFor(mo, c.Target)...)
			m.perform(mo, c)
			m.note(mo, c, from)
			return append(out, PlanStep{Call: c, From: from}), true
		}
		if v := vs[0]; v.Name == state.Exists && m.objects.Items[v.Culprit].Origin != state.Nothing && p.depth < deepest {
			steps, ok := m.makePiece(mo, v.Culprit)
			if !ok {
				return nil, false
			}
			out = append(out, steps...)
			continue
		}
		v := slices.MinFunc(vs, func(a, b state.Violation) int { return cmp.Compare(m.urgency(&a), m.urgency(&b)) })
		if v.Condition == nil || m.exhausted() || p.depth >= deepest {
			return nil, false
		}
		steps, ok := m.remove(mo, &v, pursuit{p.path, p.depth + 1}, c)
		if !ok {
			return nil, false
		}
		out = append(out, steps...)
	}
	return nil, false
}

// urgency orders what stands against an action: what takes a free gripper comes
// before taking hold of what the action needs.
func (m *model) urgency(v *state.Violation) int {
	if v.Condition == nil {
		return -1
	}
	for _, p := range v.Condition.Requires {
		if p.Object.IsVar() && p.Object.Var == ontology.VarGripper {
			return 2
		}
	}
	for _, p := range v.Condition.Forbids {
		if p.Object.IsVar() && p.Object.Var == ontology.VarGripper {
			return 1
		}
	}
	return 0
}

// remove makes a condition hold that stands against an action.
func (m *model) remove(mo *moment, v *state.Violation, p pursuit, c state.Call) ([]PlanStep, bool) {
	q := m.query(mo.s)
	if len(v.Condition.Requires) > 0 {
		if t, _ := q.Best(v.Condition.Requires, v.Binding); t <= state.AssumedFalse {
			return m.require(mo, v, p)
		}
	}
	ls := m.literals(v.Condition.Forbids, v.Binding)
	slices.SortStableFunc(ls, func(a, b literal) int { return m.endOrder(a) - m.endOrder(b) })
	for _, l := range ls {
		l.not = true
		if l.pred != m.onto.Core.State && l.x == c.Target && c.Destination == state.Nothing && !l.isOf(m.trace.Gripper) {
			continue // it is out of reach where it is
		}
		try := m.clone(mo)
		if steps, ok := m.achieve(try, l, p); ok {
			*mo = *try
			return steps, true
		}
	}
	return nil, false
}

func (l literal) isOf(y state.Object) bool { return l.y.Object() == y }

// endOrder prefers to change a state to moving a thing.
func (m *model) endOrder(l literal) int {
	if l.pred == m.onto.Core.State {
		return 0
	}
	return 1
}

// literals are the patterns of a conjunction about what can change, with all
// variables bound.
func (m *model) literals(ps []ontology.Pattern, b state.Binding) []literal {
	var out []literal
	for i := range ps {
		p := &ps[i]
		x, y := m.ref(p.Subject, b), m.ref(p.Object, b)
		if m.lasting(p) || x.Object() == state.Nothing || y == state.Unbound {
			continue
		}
		out = append(out, literal{x: x.Object(), pred: p.Predicate, y: y})
	}
	return out
}

func (m *model) ref(a ontology.Arg, b state.Binding) state.Ref {
	if a.IsVar() {
		return b[a.Var]
	}
	return state.TermRef(a.Term)
}

// require brings about what a condition asks for, with the objects for its free
// variables that take least.
func (m *model) require(mo *moment, v *state.Violation, p pursuit) ([]PlanStep, bool) {
	var best []PlanStep
	var after *moment
	for _, b := range m.bindings(mo.s, v.Condition.Requires, v.Binding) {
		try := m.clone(mo)
		steps, ok := m.all(try, m.literals(v.Condition.Requires, b), p)
		if ok && (after == nil || len(steps) < len(best)) {
			best, after = steps, try
		}
		if after != nil && (p.depth > 2 || len(best) <= 2) || m.exhausted() {
			break
		}
	}
	if after == nil {
		return nil, false
	}
	*mo = *after
	return best, true
}

// bindings gives objects to the free variables of a conjunction, so that what no
// action changes holds: those of which most holds already first.
func (m *model) bindings(s *state.State, ps []ontology.Pattern, b state.Binding) []state.Binding {
	var fixed []ontology.Pattern
	free := false
	for i := range ps {
		if m.lasting(&ps[i]) {
			fixed = append(fixed, ps[i])
		}
		for _, a := range []ontology.Arg{ps[i].Subject, ps[i].Object} {
			free = free || a.IsVar() && b[a.Var] == state.Unbound
		}
	}
	if t, _ := m.query(s).Best(fixed, b); t <= state.AssumedFalse {
		return nil
	}
	if !free {
		return []state.Binding{b}
	}
	type ranked struct {
		b    state.Binding
		rank int
	}
	var out []ranked
	m.each(s, ps, b, func(w state.Binding) {
		if t, _ := m.query(s).Best(fixed, w); t <= state.AssumedFalse {
			return
		}
		out = append(out, ranked{slices.Clone(w), m.lacking(s, m.literals(ps, w))})
	})
	slices.SortStableFunc(out, func(a, b ranked) int { return a.rank - b.rank })
	var list []state.Binding
	for _, r := range out[:min(len(out), mostWays)] {
		list = append(list, r.b)
	}
	return m.turn(list)
}

// turn begins the alternatives elsewhere, for other samples of plans.
func (m *model) turn(list []state.Binding) []state.Binding {
	if m.shift == 0 || len(list) < 2 {
		return list
	}
	k := m.shift % len(list)
	return append(slices.Clone(list[k:]), list[:k]...)
}

// each visits the ways to give objects to the free variables of a conjunction; a
// variable that stands for a term gets its value from what is so.
func (m *model) each(s *state.State, ps []ontology.Pattern, b state.Binding, visit func(state.Binding)) {
	v := -1
	var class ontology.TermID = ontology.None
	for i := range ps {
		p := &ps[i]
		if p.Subject.IsVar() && b[p.Subject.Var] == state.Unbound {
			v = p.Subject.Var
		} else if p.Object.IsVar() && b[p.Object.Var] == state.Unbound && p.Predicate != m.onto.Core.State && v < 0 {
			v = p.Object.Var
		}
	}
	if v < 0 {
		visit(b)
		return
	}
	for i := range ps {
		if ps[i].Predicate == m.onto.Core.Type && ps[i].Subject.Var == v && ps[i].Object.Term != ontology.None {
			class = ps[i].Object.Term
		}
	}
	for _, x := range m.ofClass(class) {
		if s.Gone(x) {
			continue
		}
		w := slices.Clone(b)
		w[v] = state.ObjectRef(x)
		m.each(s, ps, w, visit)
	}
}

// ofClass lists the objects of a class that actions can be done to, all for None.
func (m *model) ofClass(class ontology.TermID) []state.Object {
	if class == ontology.None {
		return m.usable
	}
	name := m.onto.Name(class)
	if list, ok := m.kept[name]; ok {
		return list
	}
	var out []state.Object
	for _, x := range m.usable {
		if m.objects.IsA(x, class) {
			out = append(out, x)
		}
	}
	m.kept[name] = out
	return out
}

// ways lists how a literal can come about: by effects of actions and of processes.
func (m *model) ways(s *state.State, l literal) []way {
	var out []way
	for _, a := range m.onto.Actions {
		for i := range a.Effects {
			e := &a.Effects[i]
			for j := range e.Then {
				if b, ok := m.unify(&e.Then[j], l, m.call(a, state.Nothing, state.Nothing).Binding()); ok {
					out = append(out, m.actions(s, a, e, b)...)
				}
			}
		}
	}
	for _, p := range m.onto.Processes {
		for j := range p.Then {
			if b, ok := m.unify(&p.Then[j], l, state.NewBinding(len(p.Vars))); ok {
				out = append(out, m.processes(s, p, b)...)
			}
		}
	}
	if m.placed(l) {
		out = append(out, m.carriers(s, l)...)
	}
	slices.SortStableFunc(out, func(a, b way) int { return a.rank - b.rank })
	if k := m.shift; k > 0 && len(out) > 1 {
		k %= len(out)
		out = append(slices.Clone(out[k:]), out[:k]...)
	}
	return out[:min(len(out), mostWays+2)]
}

// placed reports whether a literal is about a place.
func (m *model) placed(l literal) bool { return m.onto.IsSub(l.pred, m.onto.Core.Within) }

// unify binds the variables of an effect so that it brings a literal about.
func (m *model) unify(p *ontology.Pattern, l literal, b state.Binding) (state.Binding, bool) {
	core := &m.onto.Core
	switch {
	case p.Predicate == core.State && l.pred == core.State:
	case m.placed(l) && m.onto.IsSub(p.Predicate, core.Within):
	default:
		return nil, false
	}
	b = slices.Clone(b)
	if !p.Subject.IsVar() || b[p.Subject.Var] != state.Unbound && b[p.Subject.Var].Object() != state.Nothing && b[p.Subject.Var] != state.ObjectRef(l.x) {
		return nil, false
	}
	b[p.Subject.Var] = state.ObjectRef(l.x)
	if !p.Object.IsVar() {
		return b, l.pred == core.State && m.onto.StateIs(p.Object.Term, l.y.Term()) > 0
	}
	if was := b[p.Object.Var]; was != state.Unbound && was.Object() != state.Nothing && was != l.y {
		return nil, false
	}
	b[p.Object.Var] = l.y
	return b, true
}

// actions lists the calls of an action with an effect under a binding.
func (m *model) actions(s *state.State, a *ontology.Action, e *ontology.Effect, b state.Binding) []way {
	for v := ontology.VarTarget; v <= ontology.VarDestination; v++ {
		if b[v].Object() == state.Nothing {
			b[v] = state.Unbound
		}
	}
	conditions := slices.Clone(e.When)
	if a.Params > 1 && a.Params == a.Required || b[ontology.VarDestination] != state.Unbound {
		conditions = append(conditions, staticOf(m, a)...)
	}
	var out []way
	for _, w := range m.parameters(s, a, conditions, b) {
		c := m.call(a, w[ontology.VarTarget].Object(), w[ontology.VarDestination].Object())
		if c.Target == state.Nothing && a.Required > 0 || c.Target == c.Destination && c.Target != state.Nothing || c.Destination == m.trace.Gripper || c.Target == m.trace.Gripper {
			continue
		}
		if c.Destination != state.Nothing && a.Family != a.Name && m.onto.Preferred(a, m.objects.Class(c.Destination)) != a {
			continue
		}
		if !m.holdable(a, w) {
			continue
		}
		needs := m.literals(e.When, w)
		out = append(out, way{call: c, needs: needs, rank: 1 + 3*m.lacking(s, needs)})
	}
	return out
}

// lacking weighs what does not hold: a state that nobody has ever known of an
// object is unlikely to be one that it can have.
func (m *model) lacking(s *state.State, ls []literal) int {
	n := 0
	for _, l := range ls {
		if m.holds(s, l) {
			continue
		}
		if n++; l.pred == m.onto.Core.State && s.SlotOf(l.y.Term()) >= 0 && s.Get(state.Fluent{Obj: l.x, Slot: s.SlotOf(l.y.Term())}).Status == state.Unknown {
			n += 3
		}
	}
	return n
}

// holdable reports whether what an action needs in the gripper can be there.
func (m *model) holdable(a *ontology.Action, b state.Binding) bool {
	for i := range a.Preconditions {
		for _, p := range a.Preconditions[i].Requires {
			if m.onto.IsSub(p.Predicate, m.onto.Core.Within) && p.Object.IsVar() && p.Object.Var == ontology.VarGripper && p.Subject.IsVar() &&
				b[p.Subject.Var].Object() != state.Nothing && !m.movable(b[p.Subject.Var].Object()) {
				return false
			}
		}
	}
	return true
}

// staticOf are the lasting requirements of an action on its parameters.
func staticOf(m *model, a *ontology.Action) []ontology.Pattern {
	var out []ontology.Pattern
	for i := range a.Preconditions {
		c := &a.Preconditions[i]
		if len(c.When) > 0 {
			continue
		}
		for j := range c.Requires {
			if m.lasting(&c.Requires[j]) && c.Requires[j].Subject.Var <= ontology.VarDestination {
				out = append(out, c.Requires[j])
			}
		}
	}
	return out
}

// parameters completes the parameters of an action: what is poured away goes
// without a destination, or into a drain.
func (m *model) parameters(s *state.State, a *ontology.Action, conditions []ontology.Pattern, b state.Binding) []state.Binding {
	if b[ontology.VarTarget] != state.Unbound && b[ontology.VarDestination] == state.Unbound && a.Params > 1 && a.Required < a.Params {
		drain, _ := m.onto.Lookup("drain")
		for _, x := range m.usable {
			if m.objects.HasProperty(x, drain) && !s.Gone(x) {
				w := slices.Clone(b)
				w[ontology.VarDestination] = state.ObjectRef(x)
				return []state.Binding{w}
			}
		}
		return []state.Binding{b}
	}
	if a.Params < 2 && b[ontology.VarTarget] != state.Unbound {
		w := slices.Clone(b)
		w[ontology.VarDestination] = state.ObjectRef(state.Nothing)
		return m.bindings(s, conditions, w)
	}
	return m.bindings(s, conditions, b)
}

// processes lists what makes a process run under a binding.
func (m *model) processes(s *state.State, p *ontology.Process, b state.Binding) []way {
	var out []way
	for _, w := range m.bindings(s, p.When, b) {
		needs := m.literals(p.When, w)
		var first []literal
		var assumes []string
		for _, alternative := range p.Unless {
			t, at := m.query(s).Best(alternative, w)
			if t < state.AssumedTrue {
				assumes = append(assumes, m.undecided(s, alternative, w)...)
				continue
			}
			for _, l := range m.literals(alternative, at) {
				l.not = true
				first = append(first, l)
				break
			}
		}
		slices.SortStableFunc(needs, func(a, b literal) int { return m.order(a) - m.order(b) })
		out = append(out, way{process: p, assumes: assumes, first: first, needs: needs, rank: 2 + 2*m.lacking(s, first) + 2*m.lacking(s, needs)})
	}
	return out
}

// undecided words the relations of a conjunction that would keep a process from
// running, and of which nobody knows whether any is so.
func (m *model) undecided(s *state.State, ps []ontology.Pattern, b state.Binding) []string {
	var out []string
	for i := range ps {
		p := &ps[i]
		if m.lasting(p) || p.Predicate == m.onto.Core.State || m.onto.IsSub(p.Predicate, m.onto.Core.Within) {
			continue
		}
		known := func(r state.Ref) bool {
			return slices.ContainsFunc(s.Edges(), func(e state.Edge) bool {
				return e.Relation == p.Predicate && (state.ObjectRef(e.Subject) == r || state.ObjectRef(e.Object) == r)
			})
		}
		x, y := m.ref(p.Subject, b), m.ref(p.Object, b)
		if x.Object() != state.Nothing && !known(x) {
			out = append(out, fmt.Sprintf("%s is not %s anything that keeps it from working", m.objects.Name(x.Object()), m.onto.Terms[p.Predicate].Label()))
		} else if y.Object() != state.Nothing && !known(y) {
			out = append(out, fmt.Sprintf("nothing else is %s %s", m.onto.Terms[p.Predicate].Label(), m.objects.Name(y.Object())))
		}
	}
	return out
}

// carriers lists ways to bring an object within a place by bringing what it lies
// in there, or by putting it into something that is there.
func (m *model) carriers(s *state.State, l literal) []way {
	if !m.onto.Transitive(l.pred) || l.y.Object() == m.trace.Gripper {
		return nil
	}
	var out []way
	at := s.Place(l.x).At
	if at != state.Nothing && at != m.trace.Gripper && !m.broad(at) {
		out = append(out, way{process: none, needs: []literal{{x: at, pred: m.onto.Core.Within, y: l.y}}, rank: 1})
	}
	for _, x := range m.usable {
		if s.Place(x).At == l.y.Object() && m.receives(x, l.x) {
			out = append(out, way{process: none, needs: []literal{{x: l.x, pred: m.onto.Core.Within, y: state.ObjectRef(x)}}, rank: 2})
		}
	}
	return out
}

// none stands for no process: what is needed is enough.
var none = &ontology.Process{}

// receives reports whether one object can be put into another.
func (m *model) receives(x, y state.Object) bool {
	receptacle, _ := m.onto.Lookup("receptacle")
	selective, _ := m.onto.Lookup("selective")
	if x == y || !m.objects.HasProperty(x, receptacle) {
		return false
	}
	if !m.objects.HasProperty(x, selective) {
		return true
	}
	return slices.ContainsFunc(m.onto.Values(m.objects.Class(x), "accepts"), func(c ontology.TermID) bool { return m.objects.IsA(y, c) })
}

// makeRoom brings it about that an object has room where something is taken out of it.
func (m *model) makeRoom(mo *moment, l literal, p pursuit) (steps []PlanStep, ok, is bool) {
	if l.pred != m.onto.Core.HasRoom {
		return nil, false, false
	}
	for range 4 {
		if m.holds(mo.s, l) {
			return steps, true, true
		}
		taken := false
		for _, x := range mo.s.Contents(l.x) {
			if mo.s.Gone(x) || x == l.y.Object() {
				continue
			}
			try := m.clone(mo)
			more, ok := m.putAside(try, x, l.x, p)
			if ok {
				*mo, taken = *try, true
				steps = append(steps, more...)
				break
			}
		}
		if !taken {
			return nil, false, true
		}
	}
	return steps, m.holds(mo.s, l), true
}

// end brings it about that a literal holds no more.
func (m *model) end(mo *moment, l literal, p pursuit) ([]PlanStep, bool) {
	switch {
	case l.pred == m.onto.Core.State:
		return m.endState(mo, l, p)
	case m.placed(l):
		return m.putAside(mo, l.x, l.y.Object(), p)
	}
	// What stands in the way does so no more once it is taken away.
	pickUp := literal{x: l.x, pred: m.onto.Core.Inside, y: state.ObjectRef(m.trace.Gripper)}
	steps, ok := m.achieve(mo, pickUp, p)
	return steps, ok && m.holds(mo.s, l)
}

// endState puts an object into another state of the dimension, its opposite first.
func (m *model) endState(mo *moment, l literal, p pursuit) ([]PlanStep, bool) {
	var others []ontology.TermID
	add := func(t ontology.TermID) {
		if t != ontology.None && m.onto.StateIs(t, l.y.Term()) < 0 && !slices.Contains(others, t) {
			others = append(others, t)
		}
	}
	add(m.onto.Opposite(l.y.Term()))
	for _, t := range m.onto.Implied(l.y.Term()) {
		add(m.onto.Opposite(t))
	}
	for _, t := range m.produced() {
		if mo.s.SlotOf(t) == mo.s.SlotOf(l.y.Term()) {
			add(t)
		}
	}
	for _, t := range others[:min(len(others), 2)] {
		try := m.clone(mo)
		if steps, ok := m.achieve(try, literal{x: l.x, pred: l.pred, y: state.TermRef(t)}, p); ok {
			*mo = *try
			return steps, true
		}
	}
	return nil, false
}

// produced lists the states that actions and processes lead to.
func (m *model) produced() []ontology.TermID {
	var out []ontology.TermID
	add := func(ps []ontology.Pattern) {
		for _, p := range ps {
			if p.Predicate == m.onto.Core.State && p.Object.Term != ontology.None && !slices.Contains(out, p.Object.Term) {
				out = append(out, p.Object.Term)
			}
		}
	}
	for _, a := range m.onto.Actions {
		for _, e := range a.Effects {
			add(e.Then)
		}
	}
	for _, p := range m.onto.Processes {
		add(p.Then)
	}
	return out
}

// putAside brings an object elsewhere than where it is: to where the goal has it,
// else onto a surface.
func (m *model) putAside(mo *moment, x, from state.Object, p pursuit) ([]PlanStep, bool) {
	pickupable, _ := m.onto.Lookup("pickupable")
	if !m.objects.HasProperty(x, pickupable) || p.depth >= deepest {
		return nil, false
	}
	var places []state.Object
	for _, l := range m.wanted {
		if l.x == x && m.placed(l) && l.y.Object() != from && !m.within(mo.s, l.y.Object(), from) {
			places = append(places, l.y.Object())
		}
	}
	for _, y := range m.aside {
		if y != from && !m.within(mo.s, y, from) && !slices.Contains(places, y) {
			places = append(places, y)
		}
	}
	var best []PlanStep
	var after *moment
	for _, y := range places[:min(len(places), 3)] {
		c, ok := m.putting(x, y)
		if !ok {
			continue
		}
		try := m.clone(mo)
		steps, ok := m.carryOut(try, c, pursuit{p.path, p.depth + 2}, FromSupply)
		if ok && (after == nil || len(steps) < len(best)) {
			best, after = steps, try
		}
		if after != nil && len(best) <= 2 {
			break
		}
	}
	if after == nil {
		return nil, false
	}
	*mo = *after
	return best, true
}

// putting is the call that puts an object in or on another.
func (m *model) putting(x, y state.Object) (state.Call, bool) {
	put := literal{x: x, pred: m.onto.Core.Within, y: state.ObjectRef(y)}
	for _, a := range m.onto.Actions {
		if m.onto.Preferred(a, m.objects.Class(y)) != a {
			continue
		}
		for i := range a.Effects {
			for j := range a.Effects[i].Then {
				if _, ok := m.unify(&a.Effects[i].Then[j], put, m.call(a, state.Nothing, state.Nothing).Binding()); ok && a.Params > 1 {
					return m.call(a, x, y), true
				}
			}
		}
	}
	return state.Call{}, false
}
