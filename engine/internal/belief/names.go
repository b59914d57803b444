package belief

import (
	"fmt"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// object finds or adds an object by the name a log gives it. A bare class name
// is the instance with number 1, or the only one of its class.
func (t *tracker) object(name, class string) state.Object {
	if x, ok := t.objects.Lookup(name); ok {
		return x
	}
	if class == "" {
		class, _ = episode.SplitName(name)
	}
	id := t.classOf(class)
	_, number := episode.SplitName(name)
	if id == ontology.None {
		t.ep.Warn(0, fmt.Sprintf("unknown object class %q%s; the object is kept as unknown", class, t.classHint(class)))
		x := t.onlyUnknown(name)
		if number > 0 || x == state.Nothing {
			x = t.objects.Add(name, ontology.None)
		}
		t.objects.Alias(name, x)
		return x
	}
	if number == 0 && name == class {
		return t.bare(name, id)
	}
	canonical := t.onto.Name(t.onto.Canonical(id))
	if number > 0 && canonical != class && name == fmt.Sprintf("%s-%d", class, number) {
		return t.equivalent(name, fmt.Sprintf("%s-%d", canonical, number), id)
	}
	return t.objects.Add(name, id)
}

// takeForms renames what an observation shows in a state that means another
// form, such as a sliced bread.
func (t *tracker) takeForms(o episode.Observation) episode.Observation {
	forms := map[string]string{}
	for _, n := range o.Nodes {
		if form := t.formOf(n); form != ontology.None {
			_, number := episode.SplitName(n.ID)
			forms[n.ID] = fmt.Sprintf("%s-%d", t.onto.Name(form), max(number, 1))
		}
	}
	if len(forms) == 0 {
		return o
	}
	rename := func(name *string) {
		if form, ok := forms[*name]; ok {
			*name = form
		}
	}
	o.Nodes, o.Edges = slices.Clone(o.Nodes), slices.Clone(o.Edges)
	for i := range o.Nodes {
		if n := &o.Nodes[i]; forms[n.ID] != "" {
			rename(&n.ID)
			n.Class = ""
		}
	}
	for i := range o.Edges {
		rename(&o.Edges[i].Subject)
		rename(&o.Edges[i].Object)
	}
	return o
}

// formOf is the class that the states of a node mean, None where they mean no
// other than its own.
func (t *tracker) formOf(n scene.Node) ontology.TermID {
	class := n.Class
	if class == "" {
		class, _ = episode.SplitName(n.ID)
	}
	for _, name := range n.States {
		for _, st := range t.onto.ByLabel(name, t.onto.Core.StateClass) {
			for _, property := range t.onto.Values(st, "takesForm") {
				for _, form := range t.onto.Values(t.classOf(class), t.onto.Name(property)) {
					return form
				}
			}
		}
	}
	return ontology.None
}

// bare resolves a class name without a number where no context helps.
func (t *tracker) bare(name string, class ontology.TermID) state.Object {
	same := t.sameClass(class)
	if len(same) == 1 {
		t.objects.Alias(name, same[0])
		return same[0]
	}
	if t.onto.HasType(class, t.onto.Core.ObjectGroup) {
		return t.objects.Add(name, class)
	}
	return t.equivalent(t.onto.Name(class)+"-1", t.onto.Name(t.onto.Canonical(class))+"-1", class)
}

// equivalent lets the names of an object by equivalent classes mean the same;
// the first that the log uses is kept.
func (t *tracker) equivalent(name, canonical string, class ontology.TermID) state.Object {
	x, ok := t.objects.Lookup(canonical)
	if !ok {
		x = t.objects.Add(name, class)
		t.objects.Alias(canonical, x)
	}
	t.objects.Alias(name, x)
	return x
}

// onlyUnknown is the one object of an unknown class, or Nothing.
func (t *tracker) onlyUnknown(class string) state.Object {
	found := state.Nothing
	for i := range t.objects.Items {
		c, _ := episode.SplitName(t.objects.Items[i].Name)
		if t.objects.Items[i].Class != ontology.None || c != class {
			continue
		}
		if found != state.Nothing {
			return state.Nothing
		}
		found = state.Object(i)
	}
	return found
}

func (t *tracker) sameClass(class ontology.TermID) []state.Object {
	var out []state.Object
	for i := range t.objects.Items {
		if t.objects.Items[i].Class == t.onto.Canonical(class) {
			out = append(out, state.Object(i))
		}
	}
	return out
}

func (t *tracker) classOf(name string) ontology.TermID {
	if id, ok := t.onto.Lookup(name); ok && (t.onto.IsA(id, t.onto.Core.PhysicalObject) || t.onto.IsA(id, t.onto.Core.Agent)) {
		return id
	}
	for _, kind := range []ontology.TermID{t.onto.Core.PhysicalObject, t.onto.Core.Agent} {
		if ids := t.onto.ByLabel(name, kind); len(ids) > 0 {
			return ids[0]
		}
	}
	return ontology.None
}

func (t *tracker) classHint(name string) string {
	var names []string
	for _, c := range t.onto.Subclasses(t.onto.Core.PhysicalObject) {
		names = append(names, t.onto.Name(c))
	}
	if near := ontology.Nearest(name, names); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// prepare fills the table of objects and the states before step 0.
func (t *tracker) prepare() {
	t.objects = state.NewObjects(t.onto)
	t.trace.Objects = t.objects
	t.trace.Robot = t.objects.Add("Robot-1", t.onto.Core.Robot)
	t.trace.Gripper = t.objects.Add("RobotGripper-1", t.onto.Core.RobotGripper)
	t.findTask()
	t.addPeople()
	t.addObjects()
	t.actual = state.New(t.objects)
	t.linkPieces(0)
	t.stateGoal()
	if !t.live {
		t.suppose()
	}
	t.assume(0)
	t.stateScene()
	for i := range t.steps {
		if st := &t.steps[i]; st.Index == 0 {
			e := Event{Call: state.Call{Agent: t.trace.Robot, Gripper: t.trace.Gripper, Target: state.Nothing, Destination: state.Nothing}}
			t.merge(t.actual, t.perceive(&e, st), &e)
		}
	}
	t.expected = t.actual.Clone()
}

func (t *tracker) findTask() {
	if t.ep.Task != "" {
		task, ok := t.onto.Task(t.ep.Task)
		if ok {
			t.trace.Task = task
			if filled, ok := t.fill(task.Goal.Patterns); ok {
				t.trace.Goal = task.Goal
				t.trace.Goal.Patterns = filled
			}
			t.trace.Bound = state.NewBinding(len(t.trace.Goal.Vars))
		} else if len(t.ep.GoalFacts) == 0 {
			t.ep.Warn(0, fmt.Sprintf("unknown task %q%s: whether its goal was reached is not judged", t.ep.Task, t.taskHint()))
		}
	}
}

func (t *tracker) taskHint() string {
	var names []string
	for _, task := range t.onto.Tasks {
		names = append(append(names, task.Name), t.onto.Terms[task.Term].Labels...)
	}
	if near := ontology.Nearest(t.ep.Task, names); near != "" {
		return " (did you mean " + near + "?)"
	}
	return ""
}

// fill puts the classes of the episode's parameters in place of $names.
func (t *tracker) fill(patterns []ontology.Pattern) ([]ontology.Pattern, bool) {
	ok := true
	out := ontology.Fill(patterns, func(param string) ontology.TermID {
		class := t.classOf(t.ep.Params[param])
		if class == ontology.None {
			t.ep.Warn(0, fmt.Sprintf("parameter %s of the task is %q, which is no class of objects: the goal is not judged", param, t.ep.Params[param]))
			ok = false
		}
		return class
	})
	if !ok {
		return nil, false
	}
	return out, true
}

func (t *tracker) addPeople() {
	for _, p := range t.ep.People {
		person := Person{Obj: t.objects.Add(p.Name, t.onto.Core.Human)}
		for _, d := range p.Diets {
			ids := t.onto.ByLabel(d, t.onto.Core.Human)
			if len(ids) == 0 {
				t.ep.Warn(0, fmt.Sprintf("unknown diet %q of %s; it is not judged", d, p.Name))
				continue
			}
			t.objects.Items[person.Obj].Also = append(t.objects.Items[person.Obj].Also, ids[0])
			person.Avoids = append(person.Avoids, t.onto.Avoids(ids[0])...)
		}
		for _, d := range p.Dislikes {
			id := t.classOf(d)
			if id == ontology.None {
				t.ep.Warn(0, fmt.Sprintf("%s dislikes %q, which is no class of objects; it is not judged", p.Name, d))
				continue
			}
			person.Avoids = append(person.Avoids, id)
		}
		t.trace.People = append(t.trace.People, person)
	}
}

// addObjects adds everything the episode names: numbered objects first, so
// that bare names can mean them.
func (t *tracker) addObjects() {
	m := mentioned{tracker: t}
	for i := range t.steps {
		m.observation(&t.steps[i].Observation)
	}
	for _, a := range t.ep.Plan {
		m.action(a)
	}
	for i := range t.steps {
		m.action(t.steps[i].Action)
	}
	for _, f := range t.ep.Scene {
		m.name(f.Subject, "")
		m.name(f.Object, "")
	}
	m.end()
	for i := range t.steps {
		t.addProperties(&t.steps[i])
	}
}

// mentioned adds the objects that names mean; bare names wait until all others
// are known.
type mentioned struct {
	*tracker
	bare []string
}

func (m *mentioned) name(name, class string) {
	if name == "" {
		return
	}
	c, n := episode.SplitName(name)
	if class == "" && n == 0 && c == name {
		m.bare = append(m.bare, name)
		return
	}
	m.object(name, class)
}

func (m *mentioned) action(a episode.Action) {
	m.name(a.Target, "")
	m.name(a.Destination, "")
}

func (m *mentioned) observation(o *episode.Observation) {
	for _, n := range o.Nodes {
		m.name(n.ID, n.Class)
	}
	for _, e := range o.Edges {
		m.name(e.Subject, "")
		m.name(e.Object, "")
	}
}

func (m *mentioned) end() {
	for _, name := range m.bare {
		if id := m.classOf(name); id == ontology.None || len(m.sameClass(id)) == 0 {
			m.object(name, "")
		}
	}
}

func (t *tracker) addProperties(st *episode.Step) {
	property, _ := t.onto.Lookup("PhysicalProperty")
	for _, n := range st.Observation.Nodes {
		x := t.object(n.ID, n.Class)
		for _, p := range n.Properties {
			ids := append(t.onto.ByLabel(p, t.onto.Core.Material), t.onto.ByLabel(p, property)...)
			if len(ids) == 0 {
				t.ep.Warn(st.Line, fmt.Sprintf("unknown property %q of %s; it is kept but no rule can use it", p, n.ID))
			} else if item := &t.objects.Items[x]; !slices.Contains(item.Props, ids[0]) {
				item.Props = append(item.Props, ids[0])
			}
		}
	}
}

// linkPieces makes sliced and cracked forms the pieces of what they come from;
// they do not exist before. It looks at objects from an index on.
func (t *tracker) linkPieces(from int) {
	for i := from; i < len(t.objects.Items); i++ {
		x := state.Object(i)
		if whole, ok := t.ep.Origins[t.objects.Name(x)]; ok {
			t.objects.Items[i].Origin = t.object(whole, "")
		} else if t.objects.Items[i].Origin == state.Nothing {
			t.objects.Items[i].Origin = t.wholeOf(x)
		}
		if t.objects.Items[i].Origin != state.Nothing {
			t.actual.Remove(x, 0)
		}
	}
}

// wholeOf guesses what a piece is cut from where the log does not tell: the
// whole of the same number, else the first that has no pieces yet, else the
// first.
func (t *tracker) wholeOf(x state.Object) state.Object {
	class := t.objects.Class(x)
	var wholes []state.Object
	for i := range t.objects.Items {
		w := state.Object(i)
		c := t.objects.Class(w)
		if c < 0 || w == x {
			continue
		}
		forms := t.onto.Values(c, "form")
		if slices.ContainsFunc(forms, func(f ontology.TermID) bool { return t.onto.Canonical(f) == class }) {
			wholes = append(wholes, w)
		}
	}
	for _, fits := range []func(state.Object) bool{
		func(w state.Object) bool { return t.objects.Items[w].Number == t.objects.Items[x].Number },
		func(w state.Object) bool { return len(t.objects.Pieces(w, class)) == 0 },
		func(state.Object) bool { return true },
	} {
		if i := slices.IndexFunc(wholes, fits); i >= 0 {
			return wholes[i]
		}
	}
	return state.Nothing
}

// relink takes pieces that are first seen once something was cut for its pieces,
// whatever else they were thought to be cut from: the name of a piece is only a hint.
func (t *tracker) relink(e *Event, obs *sight) {
	whole := e.Call.Target
	if whole == state.Nothing || len(obs.nodes) == 0 || t.actual.Gone(whole) || obs.nodes[whole] {
		return
	}
	for _, form := range t.onto.Pieces(e.Call.Schema, t.objects.Class(whole)) {
		for x := range obs.nodes {
			item := &t.objects.Items[x]
			if _, told := t.ep.Origins[item.Name]; !told && item.Origin != state.Nothing && item.Class == form && t.actual.Gone(x) {
				item.Origin = whole
			}
		}
	}
}

// dropPhantoms takes away pieces that only a plan gave names to, where something
// was cut and other pieces of it are what is seen. The plan goes on with those.
func (t *tracker) dropPhantoms(e *Event, obs *sight) {
	whole := e.Call.Target
	if !t.live || whole == state.Nothing || !t.actual.Gone(whole) || !t.onto.Replaces(e.Call.Schema) {
		return
	}
	pieces := t.objects.Pieces(whole, t.onto.Core.PhysicalObject)
	i := slices.IndexFunc(pieces, func(p state.Object) bool { return obs.nodes[p] })
	if i < 0 {
		return
	}
	for _, p := range pieces {
		if !t.met[p] {
			t.actual.Remove(p, e.Step)
		}
	}
	t.rename(t.onto.Pieces(e.Call.Schema, t.objects.Class(whole)), t.objects.Name(pieces[i]))
}

// rename puts the name of a piece that came about in the place of the name that the
// plan has for it: one of its kind that nobody has seen, up to where the plan cuts
// something else.
func (t *tracker) rename(forms []ontology.TermID, seen string) {
	plan := slices.Clone(t.ep.Plan)
	meant := ""
	for i := t.done; i < len(plan); i++ {
		if a, ok := t.onto.Action(plan[i].Name); !ok || meant == "" && t.onto.Replaces(a) {
			break
		}
		for _, name := range []*string{&plan[i].Target, &plan[i].Destination} {
			if meant == "" && t.unseen(*name, forms) {
				meant = *name
			}
			if *name != "" && *name == meant {
				*name = seen
			}
		}
	}
	t.ep.Plan = plan
}

// unseen reports whether a name is that of one object of some classes that nobody
// has seen.
func (t *tracker) unseen(name string, classes []ontology.TermID) bool {
	if class, n := episode.SplitName(name); n == 0 || !slices.Contains(classes, t.onto.Canonical(t.classOf(class))) {
		return false
	}
	x, known := t.objects.Lookup(name)
	return !known || !t.met[x] && t.actual.Gone(x)
}

// assume fills in default states and the usual scene of the task, for objects
// from an index on.
func (t *tracker) assume(from int) {
	for i := from; i < len(t.objects.Items); i++ {
		x := state.Object(i)
		defaults := t.onto.Values(t.objects.Class(x), "defaultState")
		for _, st := range slices.Backward(defaults) { // own defaults come first and count last
			t.actual.SetState(x, st, state.Assumed, 0)
		}
	}
	if t.trace.Task == nil {
		return
	}
	usual, _ := t.fill(t.trace.Task.Usual)
	for _, p := range usual {
		for _, x := range t.objects.OfClass(p.Subject.Term) {
			if int(x) >= from {
				t.assumeFact(x, p)
			}
		}
	}
}

func (t *tracker) assumeFact(x state.Object, p ontology.Pattern) {
	core := &t.onto.Core
	switch {
	case p.Predicate == core.State:
		t.actual.SetState(x, p.Object.Term, state.Assumed, 0)
	case t.onto.IsSub(p.Predicate, core.Within) && p.Object.Term != ontology.None:
		at := t.objects.OfClass(p.Object.Term)
		if len(at) == 0 {
			at = []state.Object{t.objects.Fresh(p.Object.Term)}
			for _, st := range t.onto.Values(t.objects.Class(at[0]), "defaultState") {
				t.actual.SetState(at[0], st, state.Assumed, 0)
			}
		}
		t.actual.SetPlace(x, p.Predicate, at[0], state.Assumed, 0)
	}
}

// stateScene takes in what the log states of the scene before step 0.
func (t *tracker) stateScene() {
	for _, f := range t.ep.Scene {
		x := t.object(f.Subject, "")
		if f.Object == "" {
			if id := t.stateOf(x, f.Relation, f.Line); id != ontology.None {
				t.actual.Restore(x)
				if was := t.actual.Get(state.Fluent{Obj: x, Slot: t.actual.SlotOf(id)}); was.Status == state.Observed && t.onto.StateIs(was.Term, id) < 0 {
					t.ep.Warn(f.Line, fmt.Sprintf("the scene says that %s is %s and %s; the last counts", f.Subject, t.onto.Name(was.Term), f.Relation))
				}
				t.actual.SetState(x, id, state.Observed, 0)
			}
			continue
		}
		rel := t.onto.ByLabel(f.Relation, t.onto.Core.SpatialRelation)
		if len(rel) == 0 {
			t.ep.Warn(f.Line, fmt.Sprintf("unknown relation %q in the scene; it is not used", f.Relation))
			continue
		}
		y := t.object(f.Object, "")
		t.actual.Restore(x)
		if t.onto.IsSub(rel[0], t.onto.Core.Within) {
			if was := t.actual.Place(x); was.Status == state.Observed && was.At != y {
				t.ep.Warn(f.Line, fmt.Sprintf("the scene says that %s is at %s and at %s; the last counts", f.Subject, t.objects.Name(was.At), f.Object))
			}
			t.actual.SetPlace(x, rel[0], y, state.Observed, 0)
		} else {
			t.actual.AddEdge(x, rel[0], y)
		}
	}
}

// resolveCall finds the objects an action means.
func (t *tracker) resolveCall(e *Event, st *episode.Step) {
	schema, _ := t.onto.Action(st.Action.Name) // readers refuse unknown actions
	e.Call = state.Call{Schema: schema, Target: state.Nothing, Destination: state.Nothing}
	e.Call.Agent, e.Call.Gripper = t.agent(st.Agent)
	planned := episode.Action{}
	if e.Planned > 0 {
		planned = t.ep.Plan[e.Planned-1]
	}
	e.Call.Destination = t.resolve(e, st.Action.Destination, planned.Destination, true)
	e.Call.Target = t.resolve(e, st.Action.Target, planned.Target, false)
}

// agent finds an agent and its gripper; agent N has gripper N.
func (t *tracker) agent(name string) (state.Object, state.Object) {
	if name == "" {
		return t.trace.Robot, t.trace.Gripper
	}
	_, n := episode.SplitName(name)
	a := t.objects.Add(name, t.onto.Core.Robot)
	if n <= 1 {
		return a, t.trace.Gripper
	}
	return a, t.objects.Add(fmt.Sprintf("RobotGripper-%d", n), t.onto.Core.RobotGripper)
}

// resolve finds the object a name in an action means: the one so named, else
// by the plan, else by the context.
func (t *tracker) resolve(e *Event, name, planned string, destination bool) state.Object {
	if name == "" {
		return state.Nothing
	}
	id := t.classOf(name)
	if _, n := episode.SplitName(name); n > 0 || id == ontology.None {
		return t.leftOf(t.object(name, ""))
	}
	if t.onto.HasType(id, t.onto.Core.ObjectGroup) {
		e.Vague = true
		e.Unclear = t.guess(e, id, name, destination)
		return e.Unclear
	}
	if _, n := episode.SplitName(planned); n > 0 {
		if x, ok := t.objects.Lookup(planned); ok && t.objects.IsA(x, id) {
			return x
		}
	}
	return t.byContext(e, id, name, destination)
}

// leftOf is the object itself, or a piece of it where it was sliced or cracked. A
// piece that a plan gave a name, and that came about with another, is that other.
func (t *tracker) leftOf(x state.Object) state.Object {
	if !t.actual.Gone(x) {
		return x
	}
	whole := t.objects.Items[x].Origin
	for i := range t.objects.Items {
		origin := t.objects.Items[i].Origin
		if t.actual.Gone(state.Object(i)) || origin == state.Nothing {
			continue
		}
		if origin == x || origin == whole && !t.met[x] && t.objects.Class(state.Object(i)) == t.objects.Class(x) {
			return state.Object(i)
		}
	}
	return x
}

// guess finds what the robot made of a vague word: what it holds, or what the
// observation after shows it did something to; else the word stands for itself.
func (t *tracker) guess(e *Event, group ontology.TermID, name string, destination bool) state.Object {
	var here []state.Object
	for _, x := range t.objects.OfClass(group) {
		if !t.actual.Gone(x) && !t.onto.HasType(t.objects.Class(x), t.onto.Core.ObjectGroup) {
			here = append(here, x)
		}
	}
	for _, choose := range []func(state.Object) bool{
		func(x state.Object) bool { return t.actual.Place(x).At == e.Call.Gripper && !destination },
		func(x state.Object) bool { return t.shownBy(e, x, destination) },
	} {
		if some := filter(here, choose); len(some) == 1 {
			return some[0]
		}
	}
	return t.object(name, "")
}

// byContext chooses among the objects of a class that exist.
func (t *tracker) byContext(e *Event, class ontology.TermID, name string, destination bool) state.Object {
	var all, here []state.Object
	for _, x := range t.sameClass(class) {
		all = append(all, x)
		if !t.actual.Gone(x) {
			here = append(here, x)
		}
	}
	if len(here) == 0 {
		if len(all) > 0 {
			return all[0]
		}
		return t.object(name, "")
	}
	if len(here) == 1 {
		return here[0]
	}
	for _, choose := range []func(state.Object) bool{
		func(x state.Object) bool { return t.actual.Place(x).At == e.Call.Gripper && !destination },
		func(x state.Object) bool { return t.shownBy(e, x, destination) },
		func(x state.Object) bool { return t.actual.Anchor(e.Call.Agent) == x },
		func(x state.Object) bool { return t.nearAnchor(e, x) },
		func(x state.Object) bool { prev := t.lastOf(1); return prev != nil && slices.Contains(prev.Seen, x) },
	} {
		if some := filter(here, choose); len(some) == 1 {
			return some[0]
		}
	}
	// What exists only because something went wrong makes no plan ambiguous, and
	// moving to a bare name is no fault.
	meant := filter(here, func(x state.Object) bool { return !t.expected.Gone(x) })
	if e.Call.Schema.Effects != nil && len(meant) > 1 && !t.anyWillDo(here) && !t.onto.IsNavigation(e.Call.Schema) {
		e.Ambiguous, e.Unclear = true, here[0]
	}
	if len(meant) > 0 {
		return meant[0]
	}
	return here[0]
}

func (t *tracker) anyWillDo(xs []state.Object) bool {
	p, ok := t.onto.Lookup("interchangeable")
	sameOrigin := true
	for _, x := range xs {
		sameOrigin = sameOrigin && t.objects.Items[x].Origin != state.Nothing && t.objects.Items[x].Origin == t.objects.Items[xs[0]].Origin
	}
	return sameOrigin || ok && t.objects.HasProperty(xs[0], p)
}

func (t *tracker) nearAnchor(e *Event, x state.Object) bool {
	q := state.Query{State: t.actual, Agent: e.Call.Agent, Gripper: e.Call.Gripper}
	return q.Near(e.Call.Agent, x) >= state.AssumedTrue
}

// shownBy reports whether the observation after the action shows its effect on
// this object.
func (t *tracker) shownBy(e *Event, x state.Object, destination bool) bool {
	for i := range t.steps {
		st := &t.steps[i]
		if int32(st.Index) != e.Step {
			continue
		}
		obs := t.resolveSight(st)
		c := e.Call
		if destination {
			c.Destination = x
			for _, p := range obs.places {
				if p.Object == x && t.actual.Place(p.Subject).At == c.Gripper {
					return true
				}
			}
			return false
		}
		c.Target = x
		after := t.actual.Clone()
		for _, ch := range after.Apply(c, state.Predicted, e.Step) {
			before := t.actual.Get(ch.Fluent)
			if before.Same(ch.Value) {
				continue
			}
			if p, ok := obs.places[ch.Fluent.Obj]; ok && ch.Fluent.Slot == state.PlaceSlot && p.Object == ch.Value.At {
				return true
			}
			for _, s := range obs.states {
				if s.Obj == ch.Fluent.Obj && s.State == ch.Value.Term {
					return true
				}
			}
		}
	}
	return false
}

func filter(xs []state.Object, keep func(state.Object) bool) []state.Object {
	var out []state.Object
	for _, x := range xs {
		if keep(x) {
			out = append(out, x)
		}
	}
	return out
}
