package recovery

import (
	"strings"

	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/planner"
	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// naming names the objects of plans.
type naming struct {
	domain    *planner.Domain
	inventory *planner.Inventory
	now       *state.State
}

// several reports whether there are, or will be with a plan, other objects of the class
// of one that is only imagined.
func (n *naming) several(steps []planner.Step, x state.Object) bool {
	for y := range state.Object(len(n.domain.Objects.Items)) {
		if y == x || n.domain.Objects.Class(y) != n.domain.Objects.Class(x) {
			continue
		}
		cut := func(st planner.Step) bool {
			return n.domain.Makes(st.Call.Schema, st.Call.Target, y) && st.Call.Target == n.domain.Objects.Items[y].Origin
		}
		if !n.now.Gone(y) || slices.ContainsFunc(steps, cut) {
			return true
		}
	}
	return false
}

// names are the actions of a plan as plans write them: a piece that is only imagined
// goes by the name of its class, where nothing else does.
func (n *naming) names(steps []planner.Step) []episode.Action {
	var out []episode.Action
	for _, st := range steps {
		var args []string
		for i, x := range st.Call.Objects() {
			if args = append(args, n.name(steps, x)); x == state.Nothing {
				args[i] = n.number(&st.Call, i)
			}
		}
		out = append(out, episode.Action{Name: st.Call.Schema.Name, Target: args[0], Destination: args[1], Further: strings.Join(args[2:], ", ")})
	}
	return out
}

// number is the parameter of a call by its index, "" where that is none.
func (n *naming) number(c *state.Call, i int) string {
	if i >= len(c.Schema.Parameters) || !c.Schema.Parameters[i].Value {
		return ""
	}
	p := &c.Schema.Parameters[i]
	for _, v := range c.Values {
		if q := n.domain.Onto.Quantity(v.Quantity); q != nil && q == n.domain.Onto.QuantityNamed(p.Name) {
			return strings.TrimSuffix(v.Number.Short()+" "+q.Unit.UCUM, " 1")
		}
	}
	return ""
}

// agents names who carries out each action of a plan, nil where the robot that plans does all.
func (n *naming) agents(steps []planner.Step) []string {
	if !slices.ContainsFunc(steps, func(st planner.Step) bool { return st.Call.Agent != n.domain.Agent }) {
		return nil
	}
	var out []string
	for i := range steps {
		out = append(out, n.domain.Objects.Name(steps[i].Call.Agent))
	}
	return out
}

// name is what a plan calls an object.
func (n *naming) name(steps []planner.Step, x state.Object) string {
	if x == state.Nothing {
		return ""
	}
	if n.inventory.Imagined(x) && !n.several(steps, x) {
		return n.domain.Onto.Name(n.domain.Objects.Class(x))
	}
	return n.domain.Objects.Name(x)
}
