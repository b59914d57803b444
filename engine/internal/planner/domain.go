package planner

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/dependency"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Domain is the action model over the objects of one episode: what actions and processes
// there are, what they do, and what the objects are like.
type Domain struct {
	Onto           *ontology.Ontology
	Objects        *state.Objects
	Agent, Gripper state.Object
	actions        []*ontology.ActionSchema        // that plans may have
	Move, Look     *ontology.ActionSchema          // roles, nil for none
	preparing      map[*ontology.ActionSchema]bool // as far as it was asked
	changing       []ontology.TermID               // lasting relations that actions or processes set or end
	leadsTo        []ontology.TermID               // the states that actions and processes lead to
}

func newDomain(p *Problem) *Domain {
	o := p.Objects.Onto
	d := &Domain{Onto: o, actions: o.Advised(), Objects: p.Objects, Agent: p.Agent, Gripper: p.Gripper, Move: o.Roles.Move, Look: o.Roles.Look, preparing: map[*ontology.ActionSchema]bool{}}
	for _, a := range o.Actions {
		for i := range a.Effects {
			d.noteChanging(a.Effects[i].Then, a.Effects[i].Ends)
		}
	}
	for _, p := range o.Processes {
		d.noteChanging(p.Then, p.Ends)
	}
	d.leadsTo = d.produced()
	return d
}

// noteChanging notes the lasting relations that effects set or end.
func (d *Domain) noteChanging(groups ...[]ontology.Pattern) {
	for _, ps := range groups {
		for i := range ps {
			r := ps[i].Predicate
			if !d.Onto.Persistent(r) {
				continue
			}
			d.changing = append(d.changing, r)
			if inverse := d.Onto.Inverse(r); inverse != ontology.None {
				d.changing = append(d.changing, inverse)
			}
		}
	}
}

// isStatic reports whether a lasting relation is one that no action and no process changes.
func (d *Domain) isStatic(relation ontology.TermID) bool {
	return d.Onto.Persistent(relation) && !slices.ContainsFunc(d.changing, func(r ontology.TermID) bool { return d.Onto.IsSub(r, relation) })
}

// Prepares reports whether an action is a state-preparation action (SDA-Planner,
// section 4.2).
func (d *Domain) Prepares(a *ontology.ActionSchema) bool {
	prepares, asked := d.preparing[a]
	if !asked {
		prepares = a != nil && dependency.Preparation(d.Onto, a) && !relates(d.Onto, a)
		d.preparing[a] = prepares
	}
	return prepares
}

// relates reports whether an action brings a lasting relation about: a goal may ask for that,
// and another move does not undo what was reached by it.
func relates(o *ontology.Ontology, a *ontology.ActionSchema) bool {
	return slices.ContainsFunc(a.Effects, func(e ontology.Effect) bool {
		return slices.ContainsFunc(e.Then, func(p ontology.Pattern) bool { return o.Persistent(p.Predicate) })
	})
}

// Query asks a state for what holds for the robot.
func (d *Domain) Query(s *state.State) state.Query {
	return state.Query{State: s, Agent: d.Agent, Gripper: d.Gripper}
}

// Call is an action of the robot.
func (d *Domain) Call(schema *ontology.ActionSchema, target, destination state.Object) state.Call {
	return state.Call{Schema: schema, Agent: d.Agent, Gripper: d.Gripper, Target: target, Destination: destination}
}

// CallWith is an action of the robot with the objects that a binding gives its parameters, and
// with as much of each quantity as is usual; false where it gives one none, of a number
// nothing says how much, or one before a number is left out.
func (d *Domain) CallWith(schema *ontology.ActionSchema, b state.Binding) (state.Call, bool) {
	c := d.Call(schema, b[ontology.VarTarget].Object(), b[ontology.VarDestination].Object())
	for i, p := range schema.Parameters {
		if p.Value {
			if p.Default == nil || slices.Contains(c.Objects()[:min(i, 2)], state.Nothing) {
				return c, false
			}
			c.Values = append(c.Values, state.Amount{Quantity: p.Default.Quantity, Number: p.Default.Number})
			if i >= 2 {
				c.Further = append(c.Further, state.Nothing)
			}
			continue
		}
		if i < 2 {
			continue
		}
		x := b[ontology.VarTarget+i].Object()
		if x == state.Nothing {
			return c, false
		}
		c.Further = append(c.Further, x)
	}
	return c, true
}

// Movable reports whether an object can be picked up: any thing, where the ontology does not
// tell apart which.
func (d *Domain) Movable(x state.Object) bool {
	if d.Onto.Roles.Movable == ontology.None {
		return d.Objects.IsA(x, d.Onto.Core.PhysicalObject) && !d.Objects.IsA(x, d.Onto.Core.RobotGripper)
	}
	return d.Objects.HasProperty(x, d.Onto.Roles.Movable)
}

// Broad reports whether things on a surface may be out of reach of one another.
func (d *Domain) Broad(x state.Object) bool {
	class, roles := d.Objects.Class(x), &d.Onto.Roles
	if class == ontology.None {
		return false
	}
	if _, limited := d.Onto.Capacity(class); limited || !d.Objects.HasProperty(x, roles.Receptacle) || d.Objects.HasProperty(x, roles.Selective) || d.Movable(x) {
		return false
	}
	return d.Onto.PlaceRelation(class) == d.Onto.Core.OnTopOf
}

// Within reports whether an object lies in or on another, or is it.
func (d *Domain) Within(s *state.State, x, container state.Object) bool {
	for range len(d.Objects.Items) + 1 {
		if x == container {
			return true
		}
		if x = s.Place(x).At; x == state.Nothing {
			return false
		}
	}
	return false
}

// produced lists the states that actions and processes lead to.
func (d *Domain) produced() []ontology.TermID {
	var out []ontology.TermID
	add := func(ps []ontology.Pattern) {
		for _, p := range ps {
			if p.Predicate == d.Onto.Core.State && p.Object.Term != ontology.None && !slices.Contains(out, p.Object.Term) {
				out = append(out, p.Object.Term)
			}
		}
	}
	for _, a := range d.Onto.Actions {
		for _, e := range a.Effects {
			add(e.Then)
		}
	}
	for _, p := range d.Onto.Processes {
		add(p.Then)
	}
	return out
}

// contraries lists the states that end another, its opposite first.
func (d *Domain) contraries(s *state.State, st ontology.TermID) []ontology.TermID {
	var out []ontology.TermID
	add := func(t ontology.TermID) {
		if t != ontology.None && d.Onto.StateIs(t, st) < 0 && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	add(d.Onto.Opposite(st))
	for _, t := range d.Onto.Implied(st) {
		add(d.Onto.Opposite(t))
	}
	for _, t := range d.leadsTo {
		if s.SlotOf(t) == s.SlotOf(st) {
			add(t)
		}
	}
	return out
}

// Makes reports whether an action turns one object into another.
func (d *Domain) Makes(a *ontology.ActionSchema, whole, piece state.Object) bool {
	return whole != state.Nothing && slices.Contains(d.Onto.Pieces(a, d.Objects.Class(whole)), d.Objects.Class(piece))
}

// receives reports whether one object can be put into another.
func (d *Domain) receives(x, y state.Object) bool {
	if x == y || !d.Objects.HasProperty(x, d.Onto.Roles.Receptacle) {
		return false
	}
	if !d.Objects.HasProperty(x, d.Onto.Roles.Selective) {
		return true
	}
	return slices.ContainsFunc(d.Onto.Accepts(d.Objects.Class(x)), func(c ontology.TermID) bool { return d.Objects.IsA(y, c) })
}

// unalterable reports whether nothing leads to a state of a dimension.
func (d *Domain) unalterable(s *state.State, slot int32) bool {
	for _, t := range d.leadsTo {
		if s.SlotOf(t) == slot {
			return false
		}
	}
	return true
}

// knowable reports whether looking may show that a literal holds.
func (d *Domain) knowable(s *state.State, l Literal) bool {
	slot := s.SlotOf(l.Value.Term())
	return d.IsState(l) && slot >= 1 && d.Look != nil && !s.Gone(l.Subject) &&
		s.Get(state.Fluent{Obj: l.Subject, Slot: slot}).Status == state.Unknown && d.unalterable(s, slot)
}

// Acting counts the actions that do more than move the robot.
func (d *Domain) Acting(steps []Step) int {
	n := 0
	for _, st := range steps {
		if !d.Prepares(st.Call.Schema) {
			n++
		}
	}
	return n
}
