package simulation

import (
	"fmt"
	"maps"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Accident is what goes wrong during one action.
type Accident struct {
	Kind   ontology.InjectionKind // EventDrop, EventFail, EventMistake or EventChange
	Object string                 // what is dropped, or taken for the one that the action names
	Onto   string                 // what it falls onto; the floor where ""
	Facts  []episode.Fact         // the change, which happens before the action
}

// Do carries out an action, with the accidents that happen during it. An action whose
// preconditions do not hold is refused with the reason and changes nothing, but
// time passes: what the action does it does at the end of that. The error is for actions and
// objects that there are none of.
func (w *World) Do(a episode.Action, accidents ...Accident) (ActionResult, error) {
	w.step++
	w.pass(a.Name)
	var out ActionResult
	for _, acc := range accidents {
		if acc.Kind == ontology.InjectChange {
			for _, f := range acc.Facts {
				if err := w.Change(f); err != nil {
					return out, err
				}
			}
		}
	}
	c, err := w.call(a)
	if err != nil {
		return out, err
	}
	defer w.keepTime()
	failed := false
	var drop *Accident
	for i, acc := range accidents {
		switch acc.Kind {
		case ontology.InjectFail:
			failed = true
		case ontology.InjectDrop:
			drop = &accidents[i]
		case ontology.InjectMistake:
			if err := w.mistake(a, &c, acc); err != nil {
				return out, err
			}
			out.Taken = acc.Object
		}
	}
	w.last = c
	for x, y := range w.taken {
		if c.Target == y || c.Destination == y { // it is called by its own name
			delete(w.taken, x)
		}
	}
	w.mistaken(&c)
	w.s.Run(state.Observed, w.step)
	out.Refused = w.unmet(c)
	w.idle = w.wasSo(c)
	w.violating = slices.ContainsFunc(w.s.Judge(c).ViolatedNorms(), func(v state.Violation) bool { return !slices.Contains(w.exempt, v.Name) })
	w.reveal(c, out.Refused != nil)
	if drop != nil && out.Refused == nil {
		return w.dropping(c, drop, out)
	}
	if out.Refused == nil && !failed {
		w.perform(c, &out)
	}
	if drop != nil { // it falls although the action could not be done
		err = w.drop(drop, &out)
	}
	w.s.Run(state.Observed, w.step)
	return out, err
}

// wasSo reports whether all that an action brings about is so.
func (w *World) wasSo(c state.Call) bool {
	if w.onto.Replaces(c.Schema) {
		return false // what it makes is new
	}
	return !c.Schema.Conditional() && state.Idle(w.s.Clone().Apply(c, state.Observed, w.step))
}

// call resolves the names of an action.
func (w *World) call(a episode.Action) (state.Call, error) {
	schema, ok := w.onto.Action(a.Name)
	if !ok {
		var names []string
		for _, s := range w.onto.Actions {
			names = append(names, s.Name)
		}
		return state.Call{}, unknown("action", a.Name, names)
	}
	c := state.Call{Schema: schema, Agent: w.robot, Gripper: w.gripper, Target: state.Nothing, Destination: state.Nothing}
	var err error
	if a.Target != "" {
		if c.Target, err = w.existing(a.Target); err != nil {
			if isPiece(w.onto, a.Target) || isGroup(w.onto, a.Target) {
				c.Target, err = w.missing(a.Target)
			}
			if err != nil {
				return c, err
			}
		}
	}
	if a.Destination != "" {
		c.Destination, err = w.existing(a.Destination)
		if err != nil && (isPiece(w.onto, a.Destination) || isGroup(w.onto, a.Destination)) {
			c.Destination, err = w.missing(a.Destination)
		}
	}
	return c, err
}

// missing is an object that does not exist yet: a piece before it is cut.
func (w *World) missing(name string) (state.Object, error) {
	class, n := episode.SplitName(name)
	id := classOf(w.onto, class)
	full := instance(w.onto.Name(w.onto.Canonical(id)), max(n, 1))
	x := w.objects.Add(full, id)
	w.s.Remove(x, w.step)
	for _, c := range w.onto.Wholes(id) {
		if wholes := w.objects.OfClass(c); len(wholes) > 0 {
			w.objects.SetOrigin(x, wholes[0])
		}
	}
	return x, nil
}

// mistake lets the robot take another object for the one that an action is
// about: the target of what takes or uses it, the destination of a put.
func (w *World) mistake(a episode.Action, c *state.Call, acc Accident) error {
	y, err := w.existing(acc.Object)
	if err != nil {
		return err
	}
	if !w.layout.Reaches(y) || w.layout.Hidden(y) || w.s.Gone(y) {
		return fmt.Errorf("%s cannot be taken for another thing at step %d: it is not where the robot can reach it", acc.Object, w.step)
	}
	if held := w.layout.Held(); a.Destination != "" && (held == c.Target || held == w.taken[c.Target]) {
		c.Destination = y
		return nil
	}
	w.taken[c.Target] = y
	return nil
}

// mistaken puts in what the robot holds for what a name means.
func (w *World) mistaken(c *state.Call) {
	for _, x := range []*state.Object{&c.Target, &c.Destination} {
		if y, ok := w.taken[*x]; ok && !w.s.Gone(y) {
			*x = y
		}
	}
}

// unmet lists the preconditions that do not hold, reach included.
func (w *World) unmet(c state.Call) []state.Violation {
	out := w.s.Judge(c).UnmetPreconditions()
	for _, x := range w.s.Judge(c).OutOfReach() {
		if !w.layout.Reaches(x) && !w.s.Gone(x) {
			out = append(out, state.Violation{Name: "reachable", Comment: "the robot is not near " + w.objects.Name(x), Culprit: x})
		}
	}
	if w.onto.IsNavigation(c.Schema) && c.Target != state.Nothing && len(w.layout.zonesOf(c.Target)) == 0 {
		out = append(out, state.Violation{Name: state.Exists, Comment: w.objects.Name(c.Target) + " is nowhere to be found", Culprit: c.Target})
	}
	return out
}

func (w *World) perform(c state.Call, out *ActionResult) {
	moved := w.s.Place(c.Target).At
	w.predictPieces(c)
	before := w.layout.zonesOf(c.Target)
	w.s.Apply(c, state.Observed, w.step)
	w.s.SetAnchor(w.robot, state.Nothing) // reach is a matter of zones here
	w.s.Run(state.Observed, w.step)
	if w.onto.IsNavigation(c.Schema) {
		w.layout.goTo(c.Target)
	}
	if w.onto.SetsBeside(c.Schema) {
		w.layout.beside(c.Target, c.Destination)
	}
	if at := w.s.Place(c.Target).At; at != moved && c.Target != state.Nothing {
		if at == w.gripper || at == state.Nothing {
			delete(w.lies, c.Target)
		} else {
			w.layout.put(c.Target, at)
		}
	}
	for _, p := range w.objects.Pieces(c.Target, w.onto.Core.PhysicalObject) {
		if at := w.s.Place(p).At; !w.s.Gone(p) && at != w.gripper && len(before) > 0 && (at == w.floor || len(w.layout.zonesOf(at)) > 1) {
			w.lies[p] = before[0]
		}
	}
	out.Done = true
	out.Sounds = append(out.Sounds, w.microphone().soundOf(c)...)
}

// predictPieces adds the pieces that an action leaves, as many as the class of
// its target has.
func (w *World) predictPieces(c state.Call) {
	if c.Target == state.Nothing {
		return
	}
	class := w.objects.Class(c.Target)
	forms := w.onto.Pieces(c.Schema, class)
	if len(forms) == 0 {
		return
	}
	n := w.onto.PieceCount(class)
	for _, piece := range slices.Sorted(maps.Keys(w.origins)) {
		if w.origins[piece] != w.objects.Name(c.Target) {
			continue
		}
		if x := w.objects.Add(piece, forms[0]); w.objects.Items[x].Origin == state.Nothing {
			w.objects.SetOrigin(x, c.Target)
			w.s.Remove(x, w.step)
		}
	}
	for len(w.objects.Pieces(c.Target, forms[0])) < n {
		x := w.objects.Fresh(forms[0])
		w.objects.SetOrigin(x, c.Target)
		w.s.Remove(x, w.step)
	}
}

// dropping carries out an action during which something falls: what holds on
// to its object comes about and then loses it, unless the object is what the
// action is about.
func (w *World) dropping(c state.Call, drop *Accident, out ActionResult) (ActionResult, error) {
	held := w.layout.Held()
	if held == state.Nothing && !c.Schema.KeepsHold && c.Schema.Params == 1 {
		w.perform(c, &out) // it slips while it is picked up
		out.Done = false
	} else if c.Schema.KeepsHold && c.Target != held && !w.uses(c, held) {
		w.perform(c, &out)
	}
	err := w.drop(drop, &out)
	w.s.Run(state.Observed, w.step)
	return out, err
}

// uses reports whether a precondition of an action asks for what the gripper
// holds.
func (w *World) uses(c state.Call, held state.Object) bool {
	if held == state.Nothing {
		return false
	}
	without := w.s.Clone()
	without.SetPlace(held, w.onto.Core.Inside, w.floor, state.Observed, w.step)
	return len(without.Judge(c).UnmetPreconditions()) > 0
}

// drop lets what is in the gripper fall.
func (w *World) drop(acc *Accident, out *ActionResult) error {
	x := w.layout.Held()
	if acc.Object != "" {
		want, err := w.existing(acc.Object)
		if err != nil {
			return err
		}
		if y, ok := w.taken[want]; ok {
			want = y
		}
		if want != x {
			return fmt.Errorf("%s cannot fall at step %d: it is not in the gripper", acc.Object, w.step)
		}
	}
	if x == state.Nothing {
		return fmt.Errorf("nothing can fall at step %d: the gripper is empty", w.step)
	}
	onto := w.floor
	if acc.Onto != "" {
		y := state.Nothing
		if z, err := w.existing(acc.Onto); err == nil {
			y = z
		}
		if y == state.Nothing || !w.layout.Reaches(y) || w.layout.lieIn(y, w.gripper) {
			return fmt.Errorf("%s cannot fall onto %s at step %d: that is not where the robot is", w.objects.Name(x), acc.Onto, w.step)
		}
		onto = y
	}
	out.Onto = acc.Onto
	w.layout.put(x, onto)
	if onto == w.floor {
		w.lies[x] = w.zone
	}
	w.fall(x, out)
	return nil
}

// fall runs the physics of a fall until nothing falls any more.
func (w *World) fall(x state.Object, out *ActionResult) {
	before := w.s.Clone()
	out.Sounds = append(out.Sounds, w.microphone().soundOfState(x, w.falling)...)
	w.s.SetState(x, w.falling, state.Observed, w.step)
	for range 8 {
		if len(w.s.Run(state.Observed, w.step)) == 0 {
			break
		}
	}
	out.Dropped = append(out.Dropped, w.objects.Name(x))
	var broken []string
	for i := range w.objects.Items {
		y := state.Object(i)
		f := state.Fluent{Obj: y, Slot: w.s.SlotOf(w.falling)}
		if !w.s.Is(y, w.falling) {
			continue
		}
		w.s.Forget(f, w.step)
		if y != x {
			w.layout.put(y, w.s.Place(y).At)
			out.Dropped = append(out.Dropped, w.objects.Name(y))
		}
		for slot := int32(1); slot < w.s.StateSlots(); slot++ {
			g := state.Fluent{Obj: y, Slot: slot}
			if now := w.s.Get(g); slot != f.Slot && !now.Same(before.Get(g)) {
				broken = append(broken, w.microphone().soundOfState(y, now.Term)...)
			}
		}
	}
	for _, s := range broken {
		if !slices.Contains(out.Sounds, s) {
			out.Sounds = append(out.Sounds, s)
		}
	}
}

// settle lets what goes on by itself come to rest before the first action.
func (w *World) settle() { w.s.Run(state.Observed, 0) }
