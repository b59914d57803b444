package belief

import (
	"maps"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Projection is an episode as it would go on: the rest of its plan carried out in the
// action model, from what is believed now, with nobody looking.
type Projection struct {
	*Trace
	// Happened is how many of the events have happened; the others are to come.
	Happened int
	// Present is what is believed now, Meant what would be so had every action
	// succeeded.
	Present, PresentExpected *state.State
	// Planned are the objects that the plan names.
	Planned []state.Object
	// BelievedBefore is what would be so before each event to come, Should what would be
	// had every action succeeded.
	BelievedBefore, ExpectedBefore []*state.State
}

// Project carries out the rest of the plan from what is believed now. The tracker
// is left as it is.
func (f *Tracker) Project() *Projection { return f.ahead(f.t.fork()) }

// ProjectWith carries out other actions than those left of the plan. They begin
// anew: what is believed now is what they should find.
func (f *Tracker) ProjectWith(rest []episode.Action) *Projection {
	t := f.t.fork()
	t.ep.Plan = slices.Concat(t.ep.Plan[:t.done], rest)
	t.beginAnew()
	return f.ahead(t)
}

// Replan puts other actions in the place of those left of the plan.
func (f *Tracker) Replan(rest []episode.Action) {
	f.t.ep.Plan = slices.Concat(f.t.ep.Plan[:f.t.done], rest)
	f.t.beginAnew()
}

// beginAnew takes what is believed now for what should be.
func (t *tracker) beginAnew() {
	t.expected = t.actual.Clone()
	t.diff, t.unmoved = map[state.Fluent]int32{}, map[state.Object]int32{}
	t.strayed = 0
	if t.trace.Expected != nil {
		t.trace.Expected = t.expected
	}
}

func (f *Tracker) ahead(t *tracker) *Projection {
	t.imagine()
	out := &Projection{Trace: t.trace, Happened: len(t.trace.Events), Present: t.actual.Clone(), PresentExpected: t.expected.Clone(), Planned: t.planned()}
	if out.Happened == 0 {
		t.trace.Start = out.Present
	}
	index := int(t.trace.Last())
	if f.t.last != nil {
		index = max(index, f.t.last.Index)
	}
	t.imagining = true
	t.last = nil // an action that comes twice in the plan comes twice
	for i := t.done; i < len(t.ep.Plan); i++ {
		index++
		out.BelievedBefore, out.ExpectedBefore = append(out.BelievedBefore, t.actual.Clone()), append(out.ExpectedBefore, t.expected.Clone())
		st := episode.Step{Index: index, Action: t.ep.Plan[i], Observation: episode.Observation{Missing: true}}
		t.ep.Steps = append(t.ep.Steps, st)
		t.steps = append(t.steps[:0:0], st)
		t.plan[index] = i + 1
		t.step(&st)
		t.last = nil
		if t.onto.IsNavigation(t.trace.Events[len(t.trace.Events)-1].Call.Schema) {
			t.view.move()
		}
	}
	t.trace.Final, t.trace.Expected = t.actual, t.expected
	return out
}

// planned lists the objects that the plan names: those meant by names of
// instances, and by bare names what there is of the class.
func (t *tracker) planned() []state.Object {
	var out []state.Object
	for _, a := range t.ep.Plan {
		for _, name := range []string{a.Target, a.Destination} {
			if name == "" {
				continue
			}
			found := []state.Object{}
			if x, ok := t.objects.Lookup(name); ok {
				found = append(found, x)
			} else if class := t.classOf(name); class != ontology.None {
				found = t.sameClass(class)
			}
			for _, x := range found {
				if !slices.Contains(out, x) {
					out = append(out, x)
				}
			}
		}
	}
	return out
}

// ProjectPlan carries out the plan of an episode from its scene, or the usual one,
// in the action model. What neither says is taken not to be so, and things to
// lie elsewhere than the goal has them.
func ProjectPlan(o *ontology.Ontology, ep *episode.Episode) *Projection {
	unseen := *ep
	unseen.Steps = nil
	f := NewTracker(o, &unseen)
	f.t.actual.CloseWorld, f.t.expected.CloseWorld = true, true
	out := f.Project()
	ep.Warnings = out.Episode.Warnings
	return out
}

// imagine adds what must be somewhere for the plan to be judged.
func (t *tracker) imagine() {
	from := len(t.objects.Items)
	t.live = false // what is supposed is not seen
	t.suppose()
	t.supposeSurfaces()
	if t.actual.CloseWorld {
		t.supposeWholes()
	}
	t.linkPieces(from)
	t.assume(from)
	t.live = true
	for i := from; i < len(t.objects.Items); i++ {
		x := state.Object(i)
		if t.actual.Gone(x) {
			t.expected.Remove(x, 0)
		}
		for slot := range t.actual.Slots() {
			fluent := state.Fluent{Obj: x, Slot: slot}
			if v := t.actual.Get(fluent); v.Status != state.Unknown {
				t.expected.Set(fluent, v)
			}
		}
	}
}

// supposeWholes adds what the pieces that a plan names are still to be cut from,
// unless the scene has the pieces.
func (t *tracker) supposeWholes() {
	for i := range t.objects.Items {
		x := state.Object(i)
		there := slices.ContainsFunc(t.ep.Scene, func(f episode.Fact) bool {
			return t.object(f.Subject, "") == x || f.Object != "" && t.object(f.Object, "") == x
		})
		if t.objects.Items[i].Origin != state.Nothing || there {
			continue
		}
		for _, c := range t.onto.Subclasses(t.onto.Core.PhysicalObject) {
			if forms := t.onto.Values(c, "form"); slices.Contains(forms, t.objects.Class(x)) && t.objects.Class(x) != ontology.None {
				t.supposeOne(c)
				break
			}
		}
		if whole := t.wholeOf(x); whole != state.Nothing {
			t.objects.Items[i].Origin = whole
			t.actual.Remove(x, 0)
			t.expected.Remove(x, 0)
		}
	}
}

// supposeSurfaces adds what there is in any scene.
func (t *tracker) supposeSurfaces() {
	for _, c := range t.onto.Subclasses(t.onto.Core.PhysicalObject) {
		if text, _ := t.onto.Text(c, "inAnyScene"); text == "true" {
			t.supposeOne(c)
		}
	}
}

// fork is an independent tracker of the same episode; what it adds is its own.
func (t *tracker) fork() *tracker {
	c := *t
	ep := *t.ep
	ep.Steps, ep.Warnings = slices.Clip(ep.Steps), slices.Clip(ep.Warnings)
	c.ep = &ep
	c.objects = t.objects.Clone()
	c.actual, c.expected = t.actual.On(c.objects), t.expected.On(c.objects)
	c.diff, c.plan, c.moved = maps.Clone(t.diff), maps.Clone(t.plan), maps.Clone(t.moved)
	c.fallen, c.met, c.unmoved = maps.Clone(t.fallen), maps.Clone(t.met), maps.Clone(t.unmoved)
	c.view = t.view.clone()
	c.labels = map[label][]ontology.TermID{}
	trace := *t.trace
	trace.Episode, trace.Objects = c.ep, c.objects
	trace.Events = slices.Clone(trace.Events)
	trace.History = make(History, len(t.trace.History))
	for i, slots := range t.trace.History {
		trace.History[i] = slices.Clone(slots)
		for slot, h := range slots {
			trace.History[i][slot] = slices.Clip(h)
		}
	}
	trace.UnloggedCalls = maps.Clone(trace.UnloggedCalls)
	for _, s := range []**state.State{&trace.Start, &trace.Final, &trace.Expected} {
		if *s != nil {
			*s = (*s).On(c.objects)
		}
	}
	c.trace = &trace
	return &c
}

// surmise adds to an action to come what would keep it from being carried out by
// all that was seen, though no fact says so: its object is elsewhere than the
// robot, or was never seen and may be in something that should be open.
func (t *tracker) surmise(e *Event) {
	if x := e.Call.Target; x != state.Nothing {
		t.surmiseEnclosed(e, x)
	}
	x := e.Call.Target
	if e.Call.Schema.Params > 1 && e.Call.Destination != state.Nothing {
		x = e.Call.Destination
	}
	if x == state.Nothing || !t.elsewhere(e.Call, x) {
		return
	}
	for i := range e.Call.Schema.Preconditions {
		c := &e.Call.Schema.Preconditions[i]
		for _, p := range c.Requires {
			if p.Predicate == t.onto.Core.Near && p.Object.IsVar() && e.Call.Binding()[p.Object.Var].Object() == x {
				v := state.Violation{Name: c.Name, Comment: c.Comment, Culprit: state.Nothing}
				since := t.strayed
				if at, ok := t.unmoved[x]; ok && (since == 0 || at < since) {
					since = at // it should have been brought here
				}
				e.Unmet = append(e.Unmet, Unmet{Violation: v, Origin: since, Reach: true})
				return
			}
		}
	}
}

// surmiseEnclosed takes what nobody has seen to be in something closed: in a
// container that should have been opened by now, or in one that the plan goes on to
// close although it never opened it.
func (t *tracker) surmiseEnclosed(e *Event, x state.Object) {
	pickupable, _ := t.onto.Lookup("pickupable")
	if len(t.met) == 0 || t.met[x] || t.actual.Gone(x) || t.actual.Place(x).Status != state.Unknown || !t.objects.HasProperty(x, pickupable) {
		return
	}
	closed, _ := t.onto.Lookup("closed")
	i := slices.IndexFunc(e.Call.Schema.Preconditions, func(c ontology.Condition) bool { return t.asksForOpen(&c, closed) })
	if i < 0 {
		return
	}
	c := &e.Call.Schema.Preconditions[i]
	v := state.Violation{Name: c.Name, Comment: c.Comment, Culprit: state.Nothing}
	for y := range state.Object(len(t.objects.Items)) {
		f := state.Fluent{Obj: y, Slot: t.actual.SlotOf(closed)}
		if since, differs := t.diff[f]; differs && t.actual.Get(f).Term == closed {
			v.Culprit, v.Touched = y, []state.Fluent{f}
			e.Unmet = append(e.Unmet, Unmet{Violation: v, Origin: since})
			return
		}
	}
	if y := t.closedUnopened(e, closed); y != state.Nothing {
		v.Culprit = y
		e.Unmet = append(e.Unmet, Unmet{Violation: v})
	}
}

// closedUnopened is a closed container that the plan closes after an action without
// opening it or putting anything in it in between, or Nothing.
func (t *tracker) closedUnopened(e *Event, closed ontology.TermID) state.Object {
	opened := map[string]bool{}
	for _, a := range t.ep.Plan[min(e.Planned, len(t.ep.Plan)):] {
		schema, ok := t.onto.Action(a.Name)
		if a.Destination != "" {
			opened[a.Destination] = true // it is open as far as the plan goes
		}
		switch {
		case !ok || a.Target == "":
		case leadsTo(t.onto, schema, t.onto.Opposite(closed)):
			opened[a.Target] = true
		case leadsTo(t.onto, schema, closed) && !opened[a.Target]:
			y := t.object(a.Target, "")
			if t.actual.Get(state.Fluent{Obj: y, Slot: t.actual.SlotOf(closed)}).Term == closed {
				return y
			}
		}
	}
	return state.Nothing
}

// leadsTo reports whether a state is an effect of an action.
func leadsTo(o *ontology.Ontology, a *ontology.Action, st ontology.TermID) bool {
	return slices.ContainsFunc(a.Effects, func(e ontology.Effect) bool {
		return slices.ContainsFunc(e.Then, func(p ontology.Pattern) bool { return p.Predicate == o.Core.State && p.Object.Term == st })
	})
}

// asksForOpen reports whether a condition forbids that its target lies in
// something closed.
func (t *tracker) asksForOpen(c *ontology.Condition, closed ontology.TermID) bool {
	within, shut := false, false
	for _, p := range c.Forbids {
		within = within || p.Predicate == t.onto.Core.Within && p.Subject.Var == ontology.VarTarget
		shut = shut || p.Predicate == t.onto.Core.State && p.Object.Term == closed
	}
	return within && shut
}
