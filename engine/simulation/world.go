// Package simulation is a symbolic kitchen: objects with places and states, a robot
// that acts on them by the action model of the ontology, accidents by physics
// that the reasoner does not know, a camera and a microphone. Its ontology holds
// the simulation documents; nothing that reasons imports this package.
package simulation

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// World is a kitchen at one moment. It is for one goroutine.
type World struct {
	layout
	robot   state.Object
	taken   map[state.Object]state.Object
	falling ontology.TermID
	linked  ontology.TermID
	last    state.Call // of the last action, as named
	// violating is true where the last action went against a norm, idle where all that it
	// brings about was so.
	violating, idle bool
	exempt          []string          // names of norms that do not apply
	secrets         []secret          // that have not shown yet
	bound           state.Binding     // of the goal's variables, where it names instances
	origins         map[string]string // of pieces, by names
	clock           clock
}

// ActionResult is what became of an action.
type ActionResult struct {
	Done    bool              // it came about
	Refused []state.Violation // the preconditions that did not hold
	Sounds  []string          // labels of sound classes
	Dropped []string          // names of what fell
	Onto    string            // what it fell onto, "" for the floor
	Taken   string            // the object taken by mistake for the one named
}

// Reasons words why an action was refused, "" where it was not.
func (o ActionResult) Reasons() string {
	var out []string
	for _, v := range o.Refused {
		out = append(out, v.Comment)
	}
	return strings.Join(out, "; ")
}

// New builds the kitchen of an ontology with simulation documents, with what
// the names and facts mention, in that scene. Names are classes, meaning
// instance 1, or instances; what the kitchen does not have is added, movable
// things at their usual place and anything else in a zone of its own. Usual is
// a task's usual scene. The error names what the ontology does not know.
func New(o *ontology.Ontology, names []string, usual []ontology.Pattern, scene []episode.Fact) (*World, error) {
	w := &World{layout: layout{onto: o, objects: state.NewObjects(o), lies: map[state.Object]int{}}, taken: map[state.Object]state.Object{}}
	w.falling, w.linked, w.closed, w.movable = o.Simulation.Falling, o.Simulation.Linked, o.Roles.Enclosing, o.Roles.Movable
	if w.falling == ontology.None || o.Core.Floor == ontology.None {
		return nil, fmt.Errorf("nothing plays the role fallingState or ground, but things fall; load the simulation documents too, or some of your own in which something does")
	}
	if len(o.Zones) == 0 {
		return nil, fmt.Errorf("the ontology has no zones; load the simulation documents too")
	}
	w.robot = w.objects.Add(o.Instance(o.Core.Robot, 1), o.Core.Robot)
	w.gripper = w.objects.Add(o.Instance(o.Core.RobotGripper, 1), o.Core.RobotGripper)
	w.floor = w.objects.Add(o.Instance(o.Core.Floor, 1), o.Core.Floor)
	w.s = state.New(w.objects)
	w.s.CloseWorld = true
	if err := w.furnish(); err != nil {
		return nil, err
	}
	if err := w.populate(names, scene); err != nil {
		return nil, err
	}
	w.startUsually(usual)
	for i, f := range scene {
		if err := w.Change(f); err != nil {
			return nil, err
		}
		for _, before := range scene[:i] {
			if overrules(o, f, before) {
				return nil, fmt.Errorf("the scene says %q and %q; expected one of them", strings.Join(before.Words(), " "), strings.Join(f.Words(), " "))
			}
		}
	}
	w.settle()
	return w, nil
}

// overrules reports whether two facts about a scene cannot both be so: an object in two
// places, or in two states that exclude each other.
func overrules(o *ontology.Ontology, a, b episode.Fact) bool {
	class, n := episode.SplitName(a.Subject)
	other, m := episode.SplitName(b.Subject)
	if class != other || max(n, 1) != max(m, 1) || (a.Object == "") != (b.Object == "") {
		return false
	}
	if a.Object == "" {
		x, y := o.ByLabel(a.Relation, o.Core.StateClass), o.ByLabel(b.Relation, o.Core.StateClass)
		return len(x) > 0 && len(y) > 0 && o.Dimension(x[0]) == o.Dimension(y[0]) && o.StateIs(x[0], y[0]) < 0 && o.StateIs(y[0], x[0]) < 0
	}
	place := func(f episode.Fact) bool {
		r := o.ByLabel(f.Relation, o.Core.Relation)
		return len(r) > 0 && o.IsSub(r[0], o.Core.Within)
	}
	return place(a) && place(b) && a.Object != b.Object
}

func (w *World) furnish() error {
	for i, z := range w.onto.Zones {
		if z.Start {
			w.zone = i
		}
		nz := zone{name: z.Name}
		for _, name := range z.Fixtures {
			x, err := w.add(name)
			if err != nil {
				return fmt.Errorf("zone %s: %w", z.Name, err)
			}
			nz.fixtures = append(nz.fixtures, x)
		}
		w.zones = append(w.zones, nz)
	}
	return nil
}

// populate adds what is named and not there yet: places before things.
func (w *World) populate(names []string, scene []episode.Fact) error {
	there := map[string]bool{} // by the scene, pieces too
	for _, f := range scene {
		for _, name := range []string{f.Subject, thing(w.onto, f)} {
			if name != "" {
				names, there[name] = append(names, name), true
			}
		}
	}
	for _, name := range names {
		if isGroup(w.onto, name) || isPiece(w.onto, name) && !there[name] {
			continue
		}
		x, err := w.add(name)
		if err != nil {
			return err
		}
		if !w.layout.isMovable(x) && len(w.layout.zonesOf(x)) == 0 && x != w.floor && !w.layout.isAgent(x) {
			w.zones = append(w.zones, zone{name: w.objects.Name(x), fixtures: []state.Object{x}})
		}
	}
	for i := range w.objects.Items {
		if x := state.Object(i); w.layout.isMovable(x) {
			w.layout.place(x)
		}
	}
	return nil
}

// isGroup reports whether a name means a group of classes, which nothing is.
func isGroup(o *ontology.Ontology, name string) bool {
	class, _ := episode.SplitName(name)
	id := classOf(o, class)
	return id != ontology.None && o.HasType(id, o.Core.ObjectGroup)
}

// isPiece reports whether a name means what an action makes of another thing,
// which is not there from the start.
func isPiece(o *ontology.Ontology, name string) bool {
	class, _ := episode.SplitName(name)
	id := classOf(o, class)
	return o.IsForm(id)
}

// UnknownError is a name that the ontology or the kitchen does not have.
type UnknownError struct {
	Kind, Name, Hint string
	Known            []string
}

func (e *UnknownError) Error() string {
	switch {
	case e.Hint != "":
		return fmt.Sprintf("unknown %s %q; did you mean %s?", e.Kind, e.Name, e.Hint)
	case len(e.Known) > 0:
		return fmt.Sprintf("unknown %s %q; there are %s", e.Kind, e.Name, strings.Join(e.Known, ", "))
	}
	return fmt.Sprintf("unknown %s %q", e.Kind, e.Name)
}

func unknown(kind, name string, known []string) error {
	slices.Sort(known)
	return &UnknownError{Kind: kind, Name: name, Hint: ontology.Nearest(name, known), Known: known}
}

// classOf finds a class of things or agents by name or label.
func classOf(o *ontology.Ontology, name string) ontology.TermID {
	for _, kind := range []ontology.TermID{o.Core.PhysicalObject, o.Core.Agent} {
		if id, ok := o.Lookup(name); ok && o.IsA(id, kind) {
			return id
		}
		if ids := o.ByLabel(name, kind); len(ids) > 0 {
			return ids[0]
		}
	}
	return ontology.None
}

// add brings about the instance that a name means.
func (w *World) add(name string) (state.Object, error) {
	if x, ok := w.objects.Lookup(name); ok {
		return x, nil
	}
	class, n := episode.SplitName(name)
	id := classOf(w.onto, class)
	if id == ontology.None {
		return state.Nothing, unknownClass(w.onto, class)
	}
	full := instance(w.onto.Name(w.onto.Canonical(id)), max(n, 1))
	x, ok := w.objects.Lookup(full)
	if !ok {
		x = w.objects.Add(full, id)
		w.startInDefaults(x)
	}
	w.objects.Alias(name, x)
	return x, nil
}

func unknownClass(o *ontology.Ontology, class string) error {
	var names []string
	for _, c := range o.Subclasses(o.Core.PhysicalObject) {
		names = append(names, o.Name(c))
	}
	return &UnknownError{Kind: "object class", Name: class, Hint: ontology.Nearest(class, names)}
}

func (w *World) startInDefaults(x state.Object) {
	for _, st := range slices.Backward(w.onto.DefaultStates(w.objects.Class(x))) {
		w.s.SetState(x, st, state.Observed, 0)
	}
	for _, d := range w.onto.DefaultsOfProperties() {
		if w.objects.HasProperty(x, d.Property) && w.s.Get(state.Fluent{Obj: x, Slot: w.s.SlotOf(d.State)}).Status == state.Unknown {
			w.s.SetState(x, d.State, state.Observed, 0)
		}
	}
}

func (w *World) startUsually(usual []ontology.Pattern) {
	for _, p := range usual {
		for _, x := range w.objects.OfClass(p.Subject.Term) {
			switch {
			case p.Predicate == w.onto.Core.State:
				w.s.SetState(x, p.Object.Term, state.Observed, 0)
			case w.onto.IsSub(p.Predicate, w.onto.Core.Within):
				if at := w.objects.OfClass(p.Object.Term); len(at) > 0 {
					w.layout.put(x, at[0])
				}
			}
		}
	}
}

// Change makes a fact true, by somebody else's doing.
func (w *World) Change(f episode.Fact) error {
	x, err := w.first(f.Subject)
	if err != nil {
		return err
	}
	if f.Object == "" {
		ids := w.onto.ByLabel(f.Relation, w.onto.Core.StateClass)
		if len(ids) == 0 {
			return unknown("state", f.Relation, w.onto.Labels(w.onto.Core.StateClass))
		}
		if ids[0] == w.falling {
			return fmt.Errorf("%s cannot be made to fall by a fact; expected a drop", f.Subject)
		}
		w.s.SetState(x, ids[0], state.Observed, w.step)
		return nil
	}
	if q := w.onto.QuantityNamed(f.Relation); q != nil {
		return w.measure(x, q, f)
	}
	y, err := w.first(f.Object)
	if err != nil {
		return err
	}
	ids := w.onto.ByLabel(f.Relation, w.onto.Core.Relation)
	if len(ids) == 0 {
		return unknown("relation", f.Relation, w.onto.Labels(w.onto.Core.Relation))
	}
	if w.onto.Persistent(ids[0]) && x != y {
		w.s.AddEdge(x, ids[0], y)
		return nil
	}
	if x == y || w.objects.IsA(y, w.onto.Core.Agent) {
		return fmt.Errorf("%s cannot be %s %s", f.Subject, f.Relation, f.Object)
	}
	if !w.onto.IsSub(ids[0], w.onto.Core.Within) {
		w.layout.beside(x, y)
		w.s.AddEdge(x, ids[0], y)
		return nil
	}
	if w.layout.lieIn(y, x) || w.s.Gone(y) || y == w.gripper && w.layout.Held() != state.Nothing && w.layout.Held() != x {
		return fmt.Errorf("%s cannot be in or on %s", f.Subject, f.Object)
	}
	if !w.layout.isMovable(x) {
		return fmt.Errorf("%s cannot be in or on %s: it stands where it is", f.Subject, f.Object)
	}
	w.layout.put(x, y)
	if ids[0] == w.onto.Core.Inside || ids[0] == w.onto.Core.OnTopOf {
		w.s.SetPlace(x, ids[0], y, state.Observed, w.step)
	}
	return nil
}

// thing is what a fact is about beside its subject, "" where that is a state or a measurement.
func thing(o *ontology.Ontology, f episode.Fact) string {
	if o.QuantityNamed(f.Relation) != nil {
		return ""
	}
	return f.Object
}

// measure lets a quantity of a thing be what a fact says: "4.5", or "277 K" with a unit.
func (w *World) measure(x state.Object, q *ontology.Quantity, f episode.Fact) error {
	number, unit, _ := strings.Cut(f.Object, " ")
	n, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return fmt.Errorf("the %s of %s is %q; expected a number such as 9.5, or \"9.5 %s\"", f.Relation, f.Subject, f.Object, q.Unit.UCUM)
	}
	d, err := q.Read(n, unit)
	if err != nil {
		return fmt.Errorf("%s has %w", f.Subject, err)
	}
	w.s.SetMeasured(x, q.Term, d, state.Observed, w.step)
	return nil
}

// existing finds the object that a name means now.
func (w *World) existing(name string) (state.Object, error) {
	x := w.resolve(name)
	if x == state.Nothing {
		var names []string
		for i := range w.objects.Items {
			if y := state.Object(i); !w.s.Gone(y) && !w.layout.isAgent(y) {
				names = append(names, w.objects.Name(y))
			}
		}
		return x, unknown("object", name, names)
	}
	return x, nil
}

// first finds the object that a name means in a scene: of a bare class instance 1.
func (w *World) first(name string) (state.Object, error) {
	if _, n := episode.SplitName(name); n == 0 {
		if id := classOf(w.onto, name); id != ontology.None {
			if x, ok := w.objects.Lookup(instance(w.onto.Name(w.onto.Canonical(id)), 1)); ok && !w.s.Gone(x) {
				return x, nil
			}
		}
	}
	return w.existing(name)
}

// resolve finds what a name means: an instance; of a bare class the one in the
// gripper, else the first within reach, else the first.
func (w *World) resolve(name string) state.Object {
	class, n := episode.SplitName(name)
	id := classOf(w.onto, class)
	if n > 0 {
		if id != ontology.None {
			name = instance(w.onto.Name(w.onto.Canonical(id)), n)
		}
		if x, ok := w.objects.Lookup(name); ok {
			return x
		}
		return state.Nothing
	}
	best, score := state.Nothing, -1
	for _, x := range w.objects.OfClass(id) {
		v := 0
		switch {
		case w.s.Gone(x):
			v = 0
		case w.s.Place(x).At == w.gripper:
			v = 4
		case w.layout.Reaches(x) && !w.layout.Hidden(x):
			v = 3
		case w.layout.Reaches(x):
			v = 2
		default:
			v = 1
		}
		if v > score {
			best, score = x, v
		}
	}
	return best
}

// Name is the name of an object.
func (w *World) Name(x state.Object) string { return w.objects.Name(x) }

// State is the true state of the world; it changes with the next action.
func (w *World) State() *state.State { return w.s }

// reached reports whether a goal holds.
func (w *World) reached(g ontology.Goal, bound state.Binding) bool {
	q := state.Query{State: w.s, Agent: w.robot, Gripper: w.gripper}
	holds := false
	q.Each(g.Patterns, bound, state.AssumedTrue, func(b state.Binding) {
		all := true
		for _, part := range g.ForAll {
			q.Each(part.When, b, state.AssumedTrue, func(each state.Binding) {
				if t, _ := q.Best(part.Requires, each); t < state.AssumedTrue {
					all = false
				}
			})
		}
		for i := range g.Counts {
			n := len(q.Counted(&g.Counts[i], b, state.AssumedTrue))
			all = all && n >= g.Counts[i].Least && (g.Counts[i].Most < 0 || n <= g.Counts[i].Most)
		}
		holds = holds || all
	})
	return holds && w.s.Staged() == len(g.First) && !w.clock.late
}

// copy is what can change of the world, restore puts it back.
func (w *World) copy() *World {
	c := *w
	c.s, c.lies, c.taken, c.secrets = w.s.Clone(), maps.Clone(w.lies), maps.Clone(w.taken), slices.Clone(w.secrets)
	return &c
}

func (w *World) restore(c *World) {
	w.s, w.lies, w.taken, w.zone, w.step, w.last, w.secrets, w.clock = c.s, c.lies, c.taken, c.zone, c.step, c.last, c.secrets, c.clock
}

func instance(class string, n int) string { return fmt.Sprintf("%s-%d", class, n) }
