package projection

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// obstacles finds what would keep an action to come from being carried out by all that
// was seen, though no fact says so: its object is elsewhere than the robot, or was
// never seen and may be in something that should be open.
type obstacles struct{ *belief.Tracker }

func (o obstacles) of(c state.Call, planned int) []belief.Unmet {
	var out []belief.Unmet
	if x := c.Target; x != state.Nothing && o.isHidden(x) {
		out = o.enclosed(c, planned)
	}
	x := c.Target
	if c.Schema.Params > 1 && c.Destination != state.Nothing {
		x = c.Destination
	}
	if x == state.Nothing || !o.IsOutOfReach(c, x) {
		return out
	}
	near := o.onto().Core.Near
	b := c.Binding()
	for i := range c.Schema.Preconditions {
		cond := &c.Schema.Preconditions[i]
		for _, p := range cond.Requires {
			if p.Predicate == near && p.Object.IsVar() && b[p.Object.Var].Object() == x {
				// It, or the robot, should have been brought here.
				return append(out, belief.Unmet{Violation: violation(cond), Origin: o.MisplacedSince(x), Reach: true})
			}
		}
	}
	return out
}

func (o obstacles) onto() *ontology.Ontology { return o.Believed().Objects.Onto }

func violation(c *ontology.Condition) state.Violation {
	return state.Violation{Name: c.Name, Comment: c.Comment, Culprit: state.Nothing}
}

// isHidden reports whether nobody has seen an object that can be anywhere, where
// something was seen.
func (o obstacles) isHidden(x state.Object) bool {
	now := o.Believed()
	return len(o.Seen()) > 0 && !o.Seen()[x] && !now.Gone(x) && now.Place(x).Status == state.Unknown && now.Objects.HasProperty(x, o.onto().Roles.Movable)
}

// enclosed takes the target, which nobody has seen, to be in something closed: in a
// container that should have been opened by now, or in one that the plan goes on to
// close although it never opened it.
func (o obstacles) enclosed(c state.Call, planned int) []belief.Unmet {
	closed := o.onto().Roles.Enclosing
	i := slices.IndexFunc(c.Schema.Preconditions, func(c ontology.Condition) bool { return o.asksForOpen(&c) })
	if closed == ontology.None || i < 0 {
		return nil
	}
	v := violation(&c.Schema.Preconditions[i])
	now := o.Believed()
	slot := now.SlotOf(closed)
	for y := range state.Object(len(now.Objects.Items)) {
		f := state.Fluent{Obj: y, Slot: slot}
		if since, differs := o.DiffersSince(f); differs && now.Is(y, closed) {
			v.Culprit, v.Touched = y, []state.Fluent{f}
			return []belief.Unmet{{Violation: v, Origin: since}}
		}
	}
	if y := o.closedUnopened(planned); y != state.Nothing {
		v.Culprit = y
		return []belief.Unmet{{Violation: v}}
	}
	return nil
}

// closedUnopened is a closed container that the plan closes after an action without
// opening it or putting anything in it in between, or Nothing.
func (o obstacles) closedUnopened(planned int) state.Object {
	onto, plan := o.onto(), o.Trace().Episode.Plan
	opened := map[string]bool{}
	for _, a := range plan[min(planned, len(plan)):] {
		schema, ok := onto.Action(a.Name)
		if a.Destination != "" {
			opened[a.Destination] = true // it is open as far as the plan goes
		}
		switch {
		case !ok || a.Target == "":
		case onto.Sets(schema, onto.Open()):
			opened[a.Target] = true
		case onto.Sets(schema, onto.Roles.Enclosing) && !opened[a.Target]:
			if y := o.Names().Object(a.Target, ""); o.Believed().Is(y, onto.Roles.Enclosing) {
				return y
			}
		}
	}
	return state.Nothing
}

// asksForOpen reports whether a condition forbids that its target lies in
// something closed.
func (o obstacles) asksForOpen(c *ontology.Condition) bool {
	onto := o.onto()
	within, closed := false, false
	for _, p := range c.Forbids {
		within = within || p.Predicate == onto.Core.Within && p.Subject.Var == ontology.VarTarget
		closed = closed || p.Predicate == onto.Core.State && p.Object.Term == onto.Roles.Enclosing
	}
	return within && closed
}
