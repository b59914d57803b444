package belief

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// fewObjects is how many objects are remembered, whatever became of them.
const fewObjects = 1024

// ForgetObjects lets go of objects that are not seen any more within what Forget has left,
// where they have become many: of those that came up after the start, of which no action, no
// sensor, no plan and no goal speaks any more, in which nothing lies, and of which wanted
// does not say that they are to stay. The others are renumbered. It is nil where all stay.
func (f *Tracker) ForgetObjects(wanted func(visit func(state.Object))) *state.Renumbering {
	objects := f.t.trace.Objects
	if len(objects.Items) < max(fewObjects, 2*f.kept) {
		return nil
	}
	f.t.trace.unpack()
	k := keeper{t: f.t, keep: make([]bool, len(objects.Items))}
	for x := range min(f.given, len(objects.Items)) {
		k.add(state.Object(x))
	}
	k.add(f.t.trace.Robot)
	k.add(f.t.trace.Gripper)
	k.addNamed(f)
	wanted(k.add)
	k.close(f.states())
	r := state.NewRenumbering(k.keep)
	f.kept = r.Left()
	if r.Left() == len(objects.Items) {
		return nil
	}
	f.renumber(r)
	return r
}

// states are those that the tracker holds, nil ones among them. Those that have most in
// common follow one another: renumbering them costs what each has of its own.
func (f *Tracker) states() []*state.State {
	t := f.t
	out := []*state.State{t.trace.Start}
	for i := range f.recent {
		out = append(out, f.recent[i].Expected)
	}
	return append(out, t.course.expectedThen, t.trace.Expected, t.course.expected, t.course.believedThen, t.trace.recorded, t.trace.Final, t.believed)
}

// keeper finds the objects that stay.
type keeper struct {
	t    *tracker
	keep []bool
	todo []state.Object // whose needs are not looked at yet
}

func (k *keeper) add(x state.Object) {
	if x != state.Nothing && !k.keep[x] {
		k.keep[x] = true
		k.todo = append(k.todo, x)
	}
}

func (k *keeper) addFluents(list []state.Fluent) {
	for _, f := range list {
		k.add(f.Obj)
	}
}

func (k *keeper) addCall(c *state.Call) {
	for _, x := range append(c.Objects(), c.Agent, c.Gripper) {
		k.add(x)
	}
}

// addNamed adds what lines, plan and expected course speak of.
func (k *keeper) addNamed(f *Tracker) {
	t := f.t
	t.trace.past.objects(func(x *state.Object) { k.add(*x) })
	for _, e := range t.trace.past.odd {
		k.addEvent(e)
	}
	for i := range t.trace.Events {
		k.addEvent(&t.trace.Events[i])
	}
	for _, s := range t.trace.Sensed {
		k.add(s.Obj)
	}
	for _, a := range t.ep.Plan {
		k.addAction(a)
	}
	for _, ref := range t.trace.Bound {
		k.add(ref.Object())
	}
	for _, thing := range t.ep.Things {
		if x, ok := t.trace.Objects.Lookup(thing.Name); ok {
			k.add(x)
		}
	}
	for _, calls := range t.trace.UnloggedCalls {
		for i := range calls {
			k.addCall(&calls[i])
		}
	}
	for i := range t.trace.Rest {
		k.addCall(&t.trace.Rest[i])
	}
	for _, d := range slices.Concat(t.course.differences, t.course.lapsed) {
		k.add(d.Fluent.Obj)
	}
	m := &t.course.misplaced
	for _, since := range []map[state.Object]int32{m.fallen, m.unmoved} {
		for x := range since {
			k.add(x)
		}
	}
	for _, list := range [][]state.Object{m.touched, t.course.again, t.unlinked} {
		for _, x := range list {
			k.add(x)
		}
	}
	for x := range t.view.here {
		k.add(x)
	}
}

func (k *keeper) addAction(a episode.Action) {
	for _, name := range a.Arguments() {
		if x, ok := k.t.trace.Objects.Lookup(name); ok && name != "" {
			k.add(x)
		}
	}
}

func (k *keeper) addEvent(e *Event) {
	k.addCall(&e.Call)
	for i := range e.Unmet {
		k.addViolation(&e.Unmet[i].Violation)
	}
	for i := range e.Violated {
		k.addViolation(&e.Violated[i])
	}
	if e.Ambiguous || e.Vague {
		k.add(e.Unclear)
	}
	if e.Told > 0 {
		k.add(e.Told)
	}
	for _, m := range e.Mistaken {
		k.add(m[0])
		k.add(m[1])
	}
	for _, x := range e.Seen {
		k.add(x)
	}
	for _, s := range e.States {
		k.add(s.Obj)
	}
	for _, v := range e.Values {
		k.add(v.Obj)
	}
	for _, x := range e.Together {
		k.add(x)
	}
	for _, edge := range e.Edges {
		k.add(edge.Subject)
		k.add(edge.Object)
	}
	for _, d := range e.Differences {
		k.add(d.Fluent.Obj)
	}
}

func (k *keeper) addViolation(v *state.Violation) {
	k.add(v.Culprit)
	k.addFluents(v.Touched)
	for _, x := range v.About {
		k.add(x)
	}
	for _, ref := range v.Binding {
		k.add(ref.Object())
	}
}

// close adds what those that stay came from, and where they are or ever were.
func (k *keeper) close(states []*state.State) {
	for len(k.todo) > 0 {
		x := k.todo[len(k.todo)-1]
		k.todo = k.todo[:len(k.todo)-1]
		k.add(k.t.trace.Objects.Items[x].Origin)
		for _, p := range k.t.trace.Objects.PiecesOf(x) {
			k.add(p)
		}
		for _, s := range states {
			if s != nil {
				k.add(s.Place(x).At)
				for _, l := range s.Links(x) {
					k.add(l.Other)
				}
			}
		}
		for _, h := range k.t.trace.History.Of(state.Fluent{Obj: x, Slot: state.PlaceSlot}) {
			k.add(h.Value.At)
		}
	}
}

// renumber lets go of the objects that do not stay.
func (f *Tracker) renumber(r *state.Renumbering) {
	t := f.t
	sorted := state.Object(0)
	for x := range t.sorted {
		if r.Of(x) != state.Nothing {
			sorted++
		}
	}
	t.sorted = sorted
	for _, s := range f.states() {
		r.State(s)
	}
	t.names.Renumber(r)
	t.trace.renumber(r)
	t.course.renumber(r)
	t.view.renumber(r)
	t.narrow()
	t.special, t.unlinked = state.Renumbered(r, t.special), r.List(t.unlinked)
}

func (t *Trace) renumber(r *state.Renumbering) {
	t.past.objects(func(x *state.Object) { r.In(x) })
	for _, e := range t.past.odd {
		e.renumber(r)
	}
	for i := range t.Events {
		t.Events[i].renumber(r)
	}
	t.Sensed = slices.Clone(t.Sensed)
	for i := range t.Sensed {
		r.In(&t.Sensed[i].Obj)
	}
	var history History
	for x, fluents := range t.History {
		if r.Of(state.Object(x)) == state.Nothing {
			continue
		}
		for i := range fluents {
			h := slices.Clone(fluents[i].Entries)
			for i := range h {
				r.In(&h[i].Value.At)
			}
			fluents[i].Entries = h
		}
		history = append(history, fluents)
	}
	t.History = history
	contents := state.Renumbered(r, t.contents)
	for at, list := range contents {
		contents[at] = r.List(list)
	}
	t.contents = contents
	t.renumberLinks(r)
	for _, calls := range t.UnloggedCalls {
		for i := range calls {
			r.Call(&calls[i])
		}
	}
	for i := range t.Rest {
		r.Call(&t.Rest[i])
	}
}

// renumber renumbers the objects of an event. What it shares with others it leaves.
func (e *Event) renumber(r *state.Renumbering) {
	r.Call(&e.Call)
	e.Unmet, e.Violated, e.Mistaken = slices.Clone(e.Unmet), slices.Clone(e.Violated), slices.Clone(e.Mistaken)
	for i := range e.Unmet {
		r.Violation(&e.Unmet[i].Violation)
	}
	for i := range e.Violated {
		r.Violation(&e.Violated[i])
	}
	if e.Ambiguous || e.Vague {
		r.In(&e.Unclear)
	}
	if e.Told > 0 {
		r.In(&e.Told)
	}
	for i := range e.Mistaken {
		r.In(&e.Mistaken[i][0])
		r.In(&e.Mistaken[i][1])
	}
	e.Together = r.List(e.Together)
	e.Seen, e.Edges, e.States, e.Values = r.List(e.Seen), r.Edges(e.Edges), slices.Clone(e.States), slices.Clone(e.Values)
	for i := range e.Values {
		r.In(&e.Values[i].Obj)
	}
	for i := range e.States {
		r.In(&e.States[i].Obj)
	}
	e.Differences = e.Differences.renumbered(r)
}

func (d Differences) renumbered(r *state.Renumbering) Differences {
	out := slices.Clone(d)
	for i := range out {
		r.In(&out[i].Fluent.Obj)
	}
	return out
}

func (c *course) renumber(r *state.Renumbering) {
	c.differences, c.lapsed = c.differences.renumbered(r), c.lapsed.renumbered(r)
	moved := map[state.Fluent]bool{}
	for f := range c.moved {
		if r.In(&f.Obj) {
			moved[f] = true
		}
	}
	m := &c.misplaced
	c.moved, c.again, m.touched = moved, r.List(c.again), r.List(m.touched)
	m.fallen, m.unmoved = state.Renumbered(r, m.fallen), state.Renumbered(r, m.unmoved)
}

func (v *viewpoint) renumber(r *state.Renumbering) {
	v.seen, v.here, v.beside = state.Renumbered(r, v.seen), state.Renumbered(r, v.here), state.Renumbered(r, v.beside)
	v.noted.seen = nil
	sights := v.sights
	v.sights = nil
	for x, s := range sights {
		if x := state.Object(x); s.last >= 0 && r.In(&x) {
			*v.sightOf(x) = sight{s.last, r.List(s.from)}
		}
	}
}
