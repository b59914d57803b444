package replan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/planner"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// knowledge is what is known by what the executor perceived so far.
type knowledge struct {
	onto    *ontology.Ontology
	monitor *engine.Monitor
	steps   []episode.Step
	sought  map[string]bool // searched for in vain
}

// look is the name of the action that only looks, "" where there is none.
func (k *knowledge) look() string {
	if a := k.onto.Roles.Look; a != nil {
		return a.Name
	}
	return ""
}

// believed is what is believed now.
func (k *knowledge) believed() *state.State {
	t := k.monitor.Trace()
	switch {
	case t.Final != nil:
		return t.Final
	case t.Start != nil:
		return t.Start
	}
	return state.New(t.Objects) // nothing is settled yet
}

func (k *knowledge) name(x state.Object) string { return k.monitor.Trace().Objects.Name(x) }

// object is what a name means: an instance, or of a class the first that is known to
// be somewhere, else the first.
func (k *knowledge) object(name string) (state.Object, bool) {
	objects, now := k.monitor.Trace().Objects, k.believed()
	if x, ok := objects.Lookup(name); ok {
		return x, true
	}
	best := state.Nothing
	for _, class := range k.onto.ByLabel(name, k.onto.Core.PhysicalObject) {
		for _, x := range objects.OfClass(class) {
			if now.Gone(x) {
				continue
			}
			if best == state.Nothing || now.Place(x).Status > state.Assumed && now.Place(best).Status <= state.Assumed {
				best = x
			}
		}
	}
	return best, best != state.Nothing
}

// call is an action on the objects that are known; false where it is none.
func (k *knowledge) call(a episode.Action) (state.Call, bool) {
	t := k.monitor.Trace()
	c := state.Call{Agent: t.Robot, Gripper: t.Gripper, Target: state.Nothing, Destination: state.Nothing}
	schema, ok := k.onto.Action(a.Name)
	if !ok {
		return c, false
	}
	c.Schema = schema
	if a.Target != "" {
		if c.Target, ok = k.object(a.Target); !ok {
			return c, false
		}
	}
	if a.Destination != "" {
		c.Destination, ok = k.object(a.Destination)
	}
	return c, ok
}

// unmet words why the last action failed, as far as is believed.
func (k *knowledge) unmet() string {
	t := k.monitor.Trace()
	e := &t.Events[len(t.Events)-1]
	var out []string
	for _, u := range e.Unmet {
		out = append(out, k.because(e.Call, u.Violation))
	}
	if len(out) == 0 {
		return t.Objects.CallText(e.Call) + " had no effect"
	}
	return strings.Join(out, "; ")
}

func (k *knowledge) robotic(x state.Object) bool {
	t, core := k.monitor.Trace(), &k.onto.Core
	return t.Objects.IsA(x, core.Robot) || t.Objects.IsA(x, core.RobotGripper)
}

// seen reports whether something was ever seen.
func (k *knowledge) seen(x state.Object) bool {
	t := k.monitor.Trace()
	if k.shownAtFirst(t.Objects.Name(x)) {
		return true
	}
	for i := range t.Events {
		if slices.Contains(t.Events[i].Seen, x) {
			return true
		}
	}
	return false
}

// shownAtFirst reports whether the first look showed something.
func (k *knowledge) shownAtFirst(name string) bool {
	return len(k.steps) > 0 && slices.ContainsFunc(k.steps[0].Observation.Nodes, func(n scene.Node) bool { return n.ID == name })
}

// facts are what is believed of places, states and relations, and not only assumed.
func (k *knowledge) facts() []episode.Fact {
	t, now, onto := k.monitor.Trace(), k.believed(), k.onto
	var out []episode.Fact
	for i := range t.Objects.Items {
		x := state.Object(i)
		for slot := range now.StateSlots() {
			v := now.Get(state.Fluent{Obj: x, Slot: slot})
			if now.Gone(x) || v.Status <= state.Assumed || v.Term == ontology.None {
				continue
			}
			out = append(out, episode.Fact{Subject: t.Objects.Name(x), Relation: onto.Name(v.Term), Object: t.Objects.Name(v.At)})
		}
	}
	for _, e := range now.Edges() {
		out = append(out, episode.Fact{Subject: t.Objects.Name(e.Subject), Relation: onto.Name(e.Relation), Object: t.Objects.Name(e.Object)})
	}
	return out
}

// targetOf is the name by which something is looked at, "" where nothing is called so.
func (k *knowledge) targetOf(name string) string {
	if x, ok := k.object(name); ok {
		return k.name(x)
	}
	return ""
}

func (k *knowledge) movable(x state.Object) bool {
	movable := k.onto.Roles.Movable
	return movable == ontology.None || k.monitor.Trace().Objects.HasProperty(x, movable)
}

// attribute answers whether an object is in a state, or in which state of a dimension
// such as colour it is.
func (k *knowledge) attribute(x state.Object, name string) string {
	onto, now := k.onto, k.believed()
	for _, id := range onto.ByLabel(name, onto.Core.StateClass) {
		if slot := now.SlotOf(id); slot > 0 && !onto.Terms[id].IsClass {
			v := now.Get(state.Fluent{Obj: x, Slot: slot})
			switch {
			case v.Status <= state.Assumed:
				return Unclear
			case onto.StateIs(v.Term, id) > 0:
				return "yes"
			}
			return "no"
		}
		for slot := int32(1); slot < now.StateSlots(); slot++ {
			if v := now.Get(state.Fluent{Obj: x, Slot: slot}); v.Status > state.Assumed && onto.HasType(v.Term, id) {
				return onto.Terms[v.Term].Label()
			}
		}
	}
	return Unclear
}

// lost reports whether something can be anywhere: it is carried about, was never
// seen, nothing tells where it is, and it was not sought everywhere already.
func (k *knowledge) lost(x state.Object) bool {
	t := k.monitor.Trace()
	if x == state.Nothing || int(x) >= len(t.Objects.Items) || t.Objects.Items[x].Origin != state.Nothing {
		return false // it is imagined, or comes of what is cut
	}
	return k.movable(x) && !k.seen(x) && !k.sought[k.name(x)] && k.believed().Place(x).Status <= state.Assumed
}

func (k *knowledge) subtaskOf(st *planner.Step, a episode.Action) Subtask {
	f := st.Finds
	switch {
	case f == nil:
		return Subtask{Text: k.phrase(a), Action: a}
	case f.Place != "":
		return Subtask{Text: "find " + f.Object, Explore: f.Object}
	}
	attribute := k.onto.Name(f.Value.Term)
	text := fmt.Sprintf("Is %s %s?", f.Object, k.onto.Terms[f.Value.Term].Label())
	return Subtask{Text: text, Ask: []Query{{Kind: Attribute, Object: f.Object, Attribute: attribute, Text: text, Expect: "yes"}}}
}

// phrase words an action as the ontology does.
func (k *knowledge) phrase(a episode.Action) string {
	schema, ok := k.onto.Action(a.Name)
	if !ok {
		return a.String()
	}
	for _, p := range schema.Phrases {
		if strings.Contains(p, "{target}") == (a.Target != "") && strings.Contains(p, "{destination}") == (a.Destination != "") {
			return strings.NewReplacer("{target}", a.Target, "{destination}", a.Destination).Replace(p)
		}
	}
	return a.String()
}

// near reports whether a precondition is one of where the robot stands.
func (k *knowledge) near(v state.Violation) bool {
	if v.Condition == nil {
		return false
	}
	for _, p := range v.Condition.Requires {
		if p.Predicate == k.onto.Core.Near {
			return true
		}
	}
	return false
}

// because words a precondition that does not hold, with what stands in the way.
func (k *knowledge) because(c state.Call, v state.Violation) string {
	if v.Culprit != state.Nothing && v.Culprit != c.Target && v.Culprit != c.Destination {
		return v.Comment + " (" + k.name(v.Culprit) + ")"
	}
	return v.Comment
}
