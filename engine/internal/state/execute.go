package state

import (
	"slices"

	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/decimal"
)

// Call is an action with its objects.
type Call struct {
	Schema              *ontology.ActionSchema
	Agent, Gripper      Object
	Target, Destination Object // Nothing where the action has none
	Values              []Amount
	// Further are the objects of the parameters after the second; Nothing for a number, and
	// for one that is left out.
	Further []Object
}

// Same reports whether two calls are of one action with one set of objects and values.
func (c Call) Same(d Call) bool {
	return c.Schema == d.Schema && c.Agent == d.Agent && c.Gripper == d.Gripper && c.Target == d.Target && c.Destination == d.Destination &&
		slices.Equal(c.Further, d.Further) && slices.Equal(c.Values, d.Values)
}

// Unknowable reports whether nobody knows what the action does.
func (c Call) Unknowable() bool { return c.Schema != nil && c.Schema.Unknown }

// Objects are the objects of a call in the order of its parameters, Nothing among them.
func (c Call) Objects() []Object {
	return append([]Object{c.Target, c.Destination}, c.Further...)
}

// Binding gives the call's objects to the variables of its schema.
func (c Call) Binding() Binding {
	b := NewBinding(len(c.Schema.Vars))
	b[ontology.VarAgent] = ObjectRef(c.Agent)
	b[ontology.VarGripper] = ObjectRef(c.Gripper)
	b[ontology.VarTarget] = ObjectRef(c.Target)
	b[ontology.VarDestination] = ObjectRef(c.Destination)
	for i, x := range c.Further {
		if at := ontology.VarDestination + 1 + i; at < len(b) {
			b[at] = ObjectRef(x)
		}
	}
	return b
}

// Absent reports whether patterns speak of a parameter the call leaves out.
func (c Call) Absent(groups ...[]ontology.Pattern) bool {
	for _, ps := range groups {
		for _, p := range ps {
			for _, a := range p.Args() {
				switch further := a.Var - ontology.VarDestination - 1; {
				case a.Var == ontology.VarTarget && c.Target == Nothing, a.Var == ontology.VarDestination && c.Destination == Nothing:
					return true
				case further >= 0 && further < c.Schema.Params-2 && (further >= len(c.Further) || c.Further[further] == Nothing):
					return true
				}
			}
		}
	}
	return false
}

// Violation is a precondition or norm that does not hold.
type Violation struct {
	Name    string
	Comment string
	Culprit Object   // what stands in the way, where one thing does
	Touched []Fluent // what was read to find it out
	// Condition is the condition, nil for Exists; Binding is what it was judged
	// under: where something forbidden is so, the match of that.
	Condition *ontology.Condition
	Binding   Binding
	// About are the objects that the condition says rules are to be told of.
	About []Object
}

// parameter is the object of a parameter by index, Nothing where there is none.
func (c Call) parameter(i int) Object {
	if all := c.Objects(); i < len(all) {
		return all[i]
	}
	return Nothing
}

// Exists is the name of the precondition every action has: its objects exist.
const Exists = "exists"

// OfClass is the name of the precondition of an action whose parameters have classes.
const OfClass = "of_class"

// upholds reports whether a condition is not violated, without telling why.
func (q Query) upholds(cond *ontology.Condition, b Binding) bool {
	if len(cond.Requires) > 0 {
		if q.best(cond.Requires, b, Undecided, nil) <= AssumedFalse {
			return false
		}
	}
	if q.anyOf(cond.Any, b) <= AssumedFalse {
		return false
	}
	if len(cond.Forbids) == 0 {
		return true
	}
	return q.best(cond.Forbids, b, AssumedTrue, nil) < AssumedTrue
}

// anyOf is the truth of the alternative that is truest; without alternatives it is True.
func (q Query) anyOf(alternatives [][]ontology.Pattern, b Binding) Truth {
	if len(alternatives) == 0 {
		return True
	}
	best := False
	for _, patterns := range alternatives {
		if best = max(best, q.best(patterns, b, max(best, Undecided), nil)); best == True {
			break
		}
	}
	return best
}

// eachTouched reads the fluents of a conjunction whose variables are bound.
func (q Query) eachTouched(patterns []ontology.Pattern, b Binding) {
	for i := range patterns {
		if !b.free(patterns[i].Subject) && !b.free(patterns[i].Object) {
			q.eval(&patterns[i], b)
		}
	}
}

// firstExtra is the first object that a match bound beyond what was given.
func firstExtra(found, given Binding) Object {
	for i := range found {
		if given[i] == Unbound && found[i].Object() != Nothing {
			return found[i].Object()
		}
	}
	return Nothing
}

// Change is a fluent that an action or process set.
type Change struct {
	Fluent Fluent
	Value  Value
	Cause  []Fluent // what a conditional effect or process read
	Idle   bool     // it held before
	// Link is, where the slot is LinkSlot, the relation that was set, or ended.
	Link  Edge
	Ended bool
}

// Apply executes the effects of a call, whether or not its preconditions hold,
// and lists what they set. Conditions are judged on the state before.
func (s *State) Apply(c Call, status Status, step int32) []Change {
	r := s.executing(c, status, step)
	var changes []Change
	was := s.Place(c.Target)
	for _, e := range r.pending(c) {
		changes = append(changes, r.make(e)...)
	}
	if now := s.Place(c.Target); len(s.anchors) > 1 && now.At != was.At {
		s.leave(c.Target, was.At, c.Agent)
	}
	s.Advance()
	return changes
}

// execution carries out the effects of an action or of processes in a state.
type execution struct {
	*State
	query  Query // of the state, by who acts
	status Status
	step   int32
}

func (s *State) executing(c Call, status Status, step int32) *execution {
	return &execution{s, c.query(s), status, step}
}

type pendingEffect struct {
	pattern ontology.Pattern
	binding Binding
	cause   []Fluent
	ends    bool            // the pattern holds no more
	amount  decimal.Decimal // of an effect on a quantity
}

// query is a query about a state by who carries out a call.
func (c Call) query(s *State) Query {
	return Query{State: s, Agent: c.Agent, Gripper: c.Gripper, Given: c.Values}
}

// pending finds the effects whose conditions hold.
func (r *execution) pending(c Call) []pendingEffect {
	var out []pendingEffect
	for _, e := range c.Schema.Effects {
		if c.Absent(e.When, e.Then, e.Ends) || c.Absent(e.Unless...) {
			continue
		}
		out = append(out, r.matches(e.When, e.Unless, e.Ends, e.Then, c.Binding())...)
	}
	return endsFirst(out)
}

// endsFirst puts what ends before what comes about.
func endsFirst(effects []pendingEffect) []pendingEffect {
	slices.SortStableFunc(effects, func(a, b pendingEffect) int {
		switch {
		case a.ends == b.ends:
			return 0
		case a.ends:
			return -1
		}
		return 1
	})
	return effects
}

func (r *execution) matches(when []ontology.Pattern, unless [][]ontology.Pattern, ends, then []ontology.Pattern, b Binding) []pendingEffect {
	var out []pendingEffect
	r.query.Each(when, b, AssumedTrue, func(w Binding) {
		if r.query.Any(unless, w) {
			return
		}
		var cause []Fluent
		q := r.query
		q.Touched = &cause
		q.eachTouched(when, w)
		for i := range ends { // what is left open is all that matches
			r.query.Each(ends[i:i+1], w, AssumedTrue, func(each Binding) {
				out = append(out, pendingEffect{pattern: ends[i], binding: each, cause: cause, ends: true})
			})
		}
		for _, p := range then {
			e := pendingEffect{pattern: p, binding: w, cause: cause}
			if p.Measure.Operator != ontology.NoOperator {
				n, known := r.amountOfEffect(&p, w)
				if !known {
					continue // by how much is not known
				}
				e.amount = n
			}
			out = append(out, e)
		}
	})
	return out
}

// make carries out one effect pattern.
func (r *execution) make(e pendingEffect) []Change {
	q := r.query
	core := &r.Objects.Onto.Core
	x, y := q.ref(e.pattern.Subject, e.binding), q.ref(e.pattern.Object, e.binding)
	switch p := e.pattern.Predicate; {
	case x.Object() == Nothing:
		return nil
	case e.pattern.Measure.Operator != ontology.NoOperator:
		return r.change(e, x.Object())
	case r.Objects.Onto.Persistent(p):
		return r.relate(x.Object(), p, y.Object(), e)
	case e.ends && p == core.State:
		return r.endState(x.Object(), y.Term(), e.cause)
	case p == core.State && r.SlotOf(y.Term()) >= 0:
		f := Fluent{x.Object(), r.SlotOf(y.Term())}
		before := r.Get(f)
		r.SetState(x.Object(), y.Term(), r.status, r.step)
		return r.changed(f, before, e.cause)
	case p == core.Near && x.Object() != r.query.Agent: // set down beside something: on what, nothing tells
		r.Set(Fluent{x.Object(), PlaceSlot}, unknownValue)
		if y.Object() != Nothing {
			r.AddEdge(x.Object(), core.Near, y.Object())
		}
		return nil
	case p == core.Near:
		r.removeEdges(func(e Edge) bool { // what it was near to is left behind
			return e.Relation == core.Near && (e.Subject == x.Object() || e.Object == x.Object())
		})
		r.SetAnchor(x.Object(), y.Object())
		return nil
	case p == core.ReplacedBy:
		return r.replace(x.Object(), y.Term(), e.cause)
	case r.Objects.Onto.IsSub(p, core.Within) && y.Object() != Nothing:
		f := Fluent{x.Object(), PlaceSlot}
		before := r.Get(f)
		r.SetPlace(x.Object(), p, y.Object(), r.status, r.step)
		return r.changed(f, before, e.cause)
	}
	return nil
}

// relate lets a lasting relation hold, or end.
func (r *execution) relate(x Object, relation ontology.TermID, y Object, e pendingEffect) []Change {
	if y == Nothing {
		return nil
	}
	was := r.link(x, relation, y)
	c := Change{Fluent: Fluent{x, LinkSlot}, Value: unknownValue, Cause: e.cause, Link: Edge{x, relation, y}, Ended: e.ends}
	if e.ends {
		r.Unrelate(x, relation, y, r.status, r.step)
		c.Idle = was == nil || was.Ended
	} else {
		r.Relate(x, relation, y, r.status, r.step)
		c.Idle = was != nil && !was.Ended
	}
	return []Change{c}
}

// endState takes an object out of a state: into its opposite, else it is not known in which
// of the dimension it is, which is in none where the world is closed.
func (r *execution) endState(x Object, st ontology.TermID, cause []Fluent) []Change {
	f := Fluent{x, r.SlotOf(st)}
	if f.Slot < 0 {
		return nil
	}
	before := r.Get(f)
	if opposite := r.Objects.Onto.Opposite(st); opposite != ontology.None {
		r.SetState(x, opposite, r.status, r.step)
	} else {
		r.Forget(f, r.step)
	}
	return r.changed(f, before, cause)
}

func (r *execution) changed(f Fluent, before Value, cause []Fluent) []Change {
	now := r.Get(f)
	return []Change{{Fluent: f, Value: now, Cause: cause, Idle: now.Same(before) && !r.Gone(f.Obj)}}
}

// replace ends an object and brings its pieces about where it was, in the
// states it was in. Pieces that the episode names are the ones that appear;
// otherwise there is one object that stands for all.
func (r *execution) replace(x Object, form ontology.TermID, cause []Fluent) []Change {
	classes := r.Objects.Onto.ValuesOf(r.Objects.Class(x), form)
	if len(classes) == 0 || r.Gone(x) {
		return nil
	}
	pieces := slices.DeleteFunc(r.Objects.Pieces(x, classes[0]), func(p Object) bool {
		return !r.Gone(p) && r.Place(p).Status == Observed // it was there beside the whole, and is of another
	})
	if len(pieces) == 0 {
		piece := r.Objects.Fresh(classes[0])
		r.Objects.SetOrigin(piece, x)
		r.Objects.Items[piece].Made = true
		pieces = []Object{piece}
	}
	var changes []Change
	for _, p := range pieces {
		r.Restore(p)
		for slot := range r.Slots() {
			v := r.Get(Fluent{x, slot})
			if v.Status != Unknown {
				v.Status, v.Since = r.status, r.step
				r.Set(Fluent{p, slot}, v)
			}
		}
		r.startAsPiece(p, x)
		changes = append(changes, Change{Fluent: Fluent{p, PlaceSlot}, Value: r.Place(p), Cause: cause})
	}
	for _, y := range r.Contents(x) { // what lay on it lies where it lay
		if at := r.Place(x); at.At != Nothing && !slices.Contains(pieces, y) {
			r.SetPlace(y, at.Term, at.At, r.status, r.step)
		}
	}
	r.replaceAnchor(x, pieces[0])
	r.Remove(x, r.step)
	return append(changes, Change{Fluent: Fluent{x, PlaceSlot}, Value: unknownValue, Cause: cause})
}

// startAsPiece gives a piece the default states of its class that its whole does
// not share: slices are sliced.
func (r *execution) startAsPiece(piece, whole Object) {
	of := r.Objects.Onto.DefaultStates(r.Objects.Class(whole))
	own := r.Objects.Onto.DefaultStates(r.Objects.Class(piece))
	for _, st := range slices.Backward(own) {
		if !slices.Contains(of, st) {
			r.SetState(piece, st, r.status, r.step)
		}
	}
}

// Run lets every process go on for one step and lists what changed.
func (s *State) Run(status Status, step int32) []Change {
	changes, made := s.run(status, step, func(*ontology.Process) bool { return true })
	s.quiet = !made
	return changes
}

// GoOn is Run of which nobody asks what changed: it is over at once where nothing was changed
// since the processes last went on and changed nothing. What the objects are must be the same.
func (s *State) GoOn(status Status, step int32) {
	if !s.quiet {
		s.Run(status, step)
	}
}

// RunMeasured is Run of the processes that rest on a measurement: what was just measured
// shows in states.
func (s *State) RunMeasured(status Status, step int32) []Change {
	if !s.Objects.Onto.HasMeasuredProcesses() {
		return nil
	}
	changes, _ := s.run(status, step, func(p *ontology.Process) bool { return p.Measured() })
	return changes
}

// run lets some processes go on; made is true where any brought something about.
func (s *State) run(status Status, step int32, goesOn func(*ontology.Process) bool) (changes []Change, made bool) {
	r := s.executing(Call{Agent: Nothing, Gripper: Nothing}, status, step)
	var todo []pendingEffect
	for _, p := range s.Objects.Onto.Processes {
		if p.After > 0 || !goesOn(p) || !r.mayRun(p) {
			continue
		}
		todo = append(todo, r.matches(p.When, p.Unless, p.Ends, p.Then, NewBinding(len(p.Vars)))...)
	}
	todo = endsFirst(todo)
	for _, e := range todo {
		if r.holds(e) {
			continue
		}
		changes, made = append(changes, r.make(e)...), true
	}
	return changes, made
}

// mayRun reports, without a search, whether for each variable of a process that has to
// be of a class and in a state there is such an object.
func (r *execution) mayRun(p *ontology.Process) bool {
	core := &r.Objects.Onto.Core
	for i := range p.When {
		in := &p.When[i]
		if in.Predicate != core.State || !in.Subject.IsVar() || in.Object.IsVar() {
			continue
		}
		for j := range p.When {
			of := &p.When[j]
			if of.Predicate == core.Type && of.Subject.Var == in.Subject.Var && of.Object.Term != ontology.None && !r.anyIn(of.Object.Term, in.Object.Term) {
				return false
			}
		}
	}
	return true
}

// anyIn reports whether an object of a class is in a state.
func (r *execution) anyIn(class, st ontology.TermID) bool {
	slot := r.SlotOf(st)
	for _, x := range r.Objects.Members(class) {
		if v := r.Get(Fluent{x, max(0, slot)}); slot > 0 && !r.Gone(x) && v.Status != Unknown && r.Objects.Onto.StateIs(v.Term, st) > 0 {
			return true
		}
	}
	return false
}

// holds reports whether what a process brings about is so already.
func (r *execution) holds(e pendingEffect) bool {
	if e.pattern.Measure.Operator != ontology.NoOperator {
		return r.measuresAlready(e)
	}
	x, to := r.query.ref(e.pattern.Subject, e.binding).Object(), r.query.ref(e.pattern.Object, e.binding)
	if e.ends {
		return false // it matched, and holds no more
	}
	if r.Objects.Onto.Persistent(e.pattern.Predicate) {
		return r.HasEdge(x, e.pattern.Predicate, to.Object())
	}
	if at := to.Object(); at != Nothing {
		return r.Place(x).At == at
	}
	v := r.Get(Fluent{x, max(0, r.SlotOf(to.Term()))})
	return v.Status != Unknown && v.Term != ontology.None && r.Objects.Onto.StateIs(v.Term, to.Term()) > 0
}

// Idle reports whether all that an action was to bring about held before it, as
// when something that is off is turned off.
func Idle(changes []Change) bool {
	return len(changes) > 0 && !slices.ContainsFunc(changes, func(c Change) bool { return !c.Idle })
}
