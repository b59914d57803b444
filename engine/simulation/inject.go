package simulation

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Injections lists the injections of an ontology that a name means: one of that
// name or label, or all that inject a failure class.
func Injections(o *ontology.Ontology, name string) ([]*ontology.Injection, error) {
	var out []*ontology.Injection
	class, isClass := o.Lookup(name)
	var known []string
	for _, in := range o.Injections {
		labels := append([]string{in.Name}, o.Terms[in.Term].Labels...)
		if slices.ContainsFunc(labels, func(l string) bool { return strings.EqualFold(l, name) }) || isClass && in.Injects == class {
			out = append(out, in)
		}
		if f := o.Name(in.Injects); !slices.Contains(known, f) {
			known = append(known, f)
		}
	}
	if len(out) == 0 {
		return nil, unknown("failure to inject", name, known)
	}
	return out, nil
}

// Inject lists the ways in which an injection can happen in a scenario: see Injector.Each.
func Inject(o *ontology.Ontology, sc *Scenario, in *ontology.Injection, pick func(n int) int) ([]*Scenario, error) {
	return NewInjector(o, sc).Variants(in, pick)
}

// An Injector lets failures happen in one scenario, whose run without any it simulates once.
// One goroutine may use it at a time.
type Injector struct {
	onto  *ontology.Ontology
	sc    *Scenario
	clean *SimulatedEpisode // once it was needed
}

// NewInjector makes an injector of a scenario, which must not change while it is used.
func NewInjector(o *ontology.Ontology, sc *Scenario) *Injector { return &Injector{onto: o, sc: sc} }

// Each visits the ways in which an injection can happen, in order of the plan: each a
// scenario whose expectation is the failure. Every one was run, and what the injection
// needs of the run was seen. Where classes can be chosen pick says which, from 0 to n-1.
// An error, of the run without failure, is the last that is visited.
func (j *Injector) Each(in *ontology.Injection, pick func(n int) int) iter.Seq2[*Scenario, error] {
	return func(yield func(*Scenario, error) bool) {
		if task, ok := j.onto.Task(j.sc.Task); ok && slices.ContainsFunc(in.Norms, func(n string) bool { return slices.Contains(task.Exempt, n) }) {
			return
		}
		if j.clean == nil {
			clean, err := Simulate(j.onto, j.sc, Options{})
			if err != nil {
				yield(nil, err)
				return
			}
			j.clean = clean
		}
		i := &injection{j.onto, j.sc, in, j.clean, pick}
		seen := map[string]bool{}
		for k := range j.sc.Plan {
			for _, b := range i.matches(k) {
				v, key := i.variant(k, b)
				if v == nil || seen[key] {
					continue
				}
				seen[key] = true
				run, err := Simulate(j.onto, v, Options{})
				if err != nil {
					continue // what it brings about cannot be, such as a fall where nothing is held
				}
				if t, ok := i.truth(v, run, k); ok {
					v.Expect = append(slices.Clone(j.sc.Expect), t)
					if !yield(v, nil) {
						return
					}
				}
			}
		}
	}
}

// Variants lists what Each visits.
func (j *Injector) Variants(in *ontology.Injection, pick func(n int) int) ([]*Scenario, error) {
	var out []*Scenario
	for v, err := range j.Each(in, pick) {
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// injection is the way of one failure into a scenario.
type injection struct {
	onto  *ontology.Ontology
	sc    *Scenario
	in    *ontology.Injection
	clean *SimulatedEpisode
	pick  func(int) int
}

// matches lists the bindings under which the injection can happen at an action.
func (j *injection) matches(k int) []state.Binding {
	step := j.clean.Steps[k] - 1
	c := j.clean.Calls[step]
	if len(j.in.Actions) > 0 && !slices.Contains(j.in.Actions, c.Schema.Name) {
		return nil
	}
	b := state.NewBinding(len(j.in.Vars))
	b[ontology.VarAgent], b[ontology.VarGripper] = state.ObjectRef(c.Agent), state.ObjectRef(c.Gripper)
	b[ontology.VarTarget], b[ontology.VarDestination] = state.ObjectRef(c.Target), state.ObjectRef(c.Destination)
	q := state.Query{State: j.clean.Before[step], Agent: c.Agent, Gripper: c.Gripper}
	var out []state.Binding
	q.Each(j.in.When, b, state.AssumedTrue, func(w state.Binding) {
		if !q.Any(j.in.Unless, w) {
			out = append(out, slices.Clone(w))
		}
	})
	return out
}

// name is the object that a variable stands for.
func (j *injection) name(variable string, b state.Binding) string {
	if i := slices.Index(j.in.Vars, variable); i >= 0 && i < len(b) {
		return j.clean.World.objects.Name(b[i].Object())
	}
	return ""
}

// variant is the scenario with the injection at an action, with what tells it
// from others; nil where it cannot be made.
func (j *injection) variant(k int, b state.Binding) (*Scenario, string) {
	v := *j.sc
	v.Scene, v.Disturbances, v.People = slices.Clone(v.Scene), slices.Clone(v.Disturbances), slices.Clone(v.People)
	v.Plan, v.Objects = slices.Clone(v.Plan), slices.Clone(v.Objects)
	v.ID = fmt.Sprintf("%s/%s@%d", j.sc.ID, j.in.Name, k+1)
	other, ok := j.other(&v, b)
	if !ok {
		return nil, ""
	}
	key := fmt.Sprint(k)
	accident := Accident{Kind: j.in.Kind}
	switch j.in.Kind {
	case ontology.InjectDrop:
		accident.Object = j.name(j.in.Subject, b)
		if j.in.Onto != ontology.None {
			accident.Onto = j.onto.Name(j.in.Onto)
		}
	case ontology.InjectMistake:
		accident.Object = other
	case ontology.InjectChange:
		return j.changed(&v, k, b, other)
	case ontology.InjectDislike:
		j.dislike(&v, b)
		return &v, strings.Join(v.People[len(v.People)-1].Dislikes, " ") + j.in.Diet
	case ontology.InjectDelete, ontology.InjectMove, ontology.InjectReplace, ontology.InjectInsert, ontology.InjectTruncate:
		edited := j.edit(&v, k)
		if edited != nil {
			j.keep(edited)
		}
		return edited, key
	}
	v.Disturbances = append(v.Disturbances, Disturbance{Accident: accident, Step: k + 1})
	return &v, key
}

// keep leaves in the kitchen what only an action named that the plan has no more.
func (j *injection) keep(v *Scenario) {
	named := func(plan []episode.Action, name string) bool {
		return slices.ContainsFunc(plan, func(a episode.Action) bool { return a.Target == name || a.Destination == name })
	}
	for _, a := range j.sc.Plan {
		for _, name := range []string{a.Target, a.Destination} {
			if name != "" && !named(v.Plan, name) && !slices.Contains(v.Objects, name) && !isPiece(j.onto, name) && !isGroup(j.onto, name) {
				v.Objects = append(v.Objects, name)
			}
		}
	}
}

// other brings one more object into the kitchen.
func (j *injection) other(v *Scenario, b state.Binding) (string, bool) {
	brings := j.in.Brings
	x := state.Nothing
	if i := slices.Index(j.in.Vars, j.in.Lookalike); i >= 0 {
		if x = b[i].Object(); x == state.Nothing {
			return "", false
		}
		brings = lookalikes(j.onto, j.clean.World.objects.Class(x))
		brings = slices.DeleteFunc(brings, func(c ontology.TermID) bool { return j.onto.IsForm(c) })
		if len(brings) == 0 {
			return "", false
		}
	}
	if len(brings) == 0 {
		return "", true
	}
	class := brings[j.pick(len(brings))]
	name := freeName(j.clean.World.objects, j.onto.Name(class))
	v.Objects = append(v.Objects, name)
	j.distinguish(v, j.onto.Name(j.onto.Canonical(class)))
	if x != state.Nothing {
		start := j.clean.Before[0].Place(x)
		if start.At == state.Nothing {
			return "", false
		}
		v.Scene = append(v.Scene, episode.Fact{Subject: name, Relation: j.onto.Name(start.Term), Object: j.clean.World.objects.Name(start.At)})
	}
	return name, true
}

// distinguish lets the plan name the instance it means of a class that there is
// another of now: the failure is not that it is ambiguous.
func (j *injection) distinguish(v *Scenario, class string) {
	for i := range v.Plan {
		for _, name := range []*string{&v.Plan[i].Target, &v.Plan[i].Destination} {
			if *name == class {
				*name = instance(class, 1)
			}
		}
	}
}

// changed adds the change of the scene.
func (j *injection) changed(v *Scenario, k int, b state.Binding, other string) (*Scenario, string) {
	var now []episode.Fact
	var key []string
	for _, text := range j.in.Change {
		later := !j.in.AtStart
		if rest, ok := strings.CutPrefix(text, "then "); ok {
			text, later = rest, true
		}
		words := strings.Fields(text)
		for i, w := range words {
			switch {
			case w == "?other":
				words[i] = other
			case strings.HasPrefix(w, "?"):
				if words[i] = j.name(w, b); !later && !j.thereAtStart(words[i]) {
					return nil, ""
				}
			}
		}
		f, ok := episode.FactOf(words)
		if !ok {
			return nil, ""
		}
		if later {
			now = append(now, f)
		} else {
			v.Scene = slices.DeleteFunc(v.Scene, func(old episode.Fact) bool { return overrules(j.onto, f, old) })
			v.Scene = append(v.Scene, f)
		}
		key = append(key, strings.Join(words, " "))
	}
	if len(now) > 0 {
		v.Disturbances = append(v.Disturbances, Disturbance{Accident: Accident{Kind: ontology.InjectChange, Facts: now}, Step: k + 1})
	}
	if !j.in.AtStart {
		key = append(key, fmt.Sprint(k))
	}
	return v, strings.Join(key, ", ")
}

// thereAtStart reports whether an object exists before the first action, as
// pieces do not.
func (j *injection) thereAtStart(name string) bool {
	w := j.clean.World
	x, ok := w.objects.Lookup(name)
	return ok && (!w.isMovable(x) || j.clean.Before[0].Place(x).At != state.Nothing)
}

func (j *injection) dislike(v *Scenario, b state.Binding) {
	p := episode.Person{Name: "Person-1"}
	if j.in.Diet != "" {
		p.Diets = []string{j.in.Diet}
	}
	if i := slices.Index(j.in.Vars, j.in.Subject); i >= 0 {
		p.Dislikes = []string{j.onto.Name(j.clean.World.objects.Class(b[i].Object()))}
	}
	v.People = append(v.People, p)
}

// edit changes the plan.
func (j *injection) edit(v *Scenario, k int) *Scenario {
	switch j.in.Kind {
	case ontology.InjectDelete:
		if k == len(v.Plan)-1 {
			return nil // that is a plan cut short
		}
		v.Plan = slices.Delete(v.Plan, k, k+1)
		if a := j.sc.Plan[k]; j.sets(a, j.onto.Roles.Running) { // nothing is turned off either
			for i := k; i < len(v.Plan); i++ {
				if j.sets(v.Plan[i], j.onto.Opposite(j.onto.Roles.Running)) && v.Plan[i].Target == a.Target {
					v.Plan = slices.Delete(v.Plan, i, i+1)
					break
				}
			}
		}
	case ontology.InjectTruncate:
		if k != len(v.Plan)-1 {
			return nil
		}
		v.Plan = v.Plan[:k]
	case ontology.InjectMove:
		if k+1 >= len(v.Plan) {
			return nil
		}
		v.Plan[k], v.Plan[k+1] = v.Plan[k+1], v.Plan[k]
	case ontology.InjectInsert:
		i := slices.IndexFunc(j.onto.Actions, func(a *ontology.ActionSchema) bool { return a.Term == j.in.Inserts })
		if i < 0 {
			return nil
		}
		v.Plan = slices.Insert(v.Plan, k+1, episode.Action{Name: j.onto.Actions[i].Name, Target: j.sc.Plan[k].Target})
	case ontology.InjectReplace:
		old := j.sc.Plan[k].Target
		from := 0
		if j.in.Subject == "?destination" {
			old, from = j.sc.Plan[k].Destination, k
		}
		for i := from; i < len(v.Plan); i++ {
			a := &v.Plan[i]
			if a.Target == old && from == 0 {
				a.Target = j.onto.Name(j.in.With)
			}
			if a.Destination == old && (from == 0 || i == k) {
				a.Destination = j.onto.Name(j.in.With)
			}
		}
	}
	return v
}

// planEdits are the events that change the plan rather than what happens to it.
var planEdits = []ontology.InjectionKind{ontology.InjectDelete, ontology.InjectMove, ontology.InjectReplace, ontology.InjectInsert, ontology.InjectTruncate}

// truth is what the run of a variant then shows; ok is false where it does not
// show what the injection needs.
func (j *injection) truth(v *Scenario, run *SimulatedEpisode, k int) (Truth, bool) {
	first := len(run.Results) // the first refusal, else the end
	refused := run.Refused()
	if len(refused) > 0 {
		first = refused[0]
	}
	sound := j.tookPlace
	if slices.Contains(planEdits, j.in.Kind) {
		sound = j.failsPlan
	}
	if j.in.MissesGoal && run.Reached || j.in.Refused == "true" && len(refused) == 0 || j.in.Refused == "false" && len(refused) > 0 || !sound(v, run, k, first) {
		return Truth{}, false
	}
	at := k + 1
	if j.in.Kind == ontology.InjectInsert {
		at++
	}
	t := Truth{Class: j.onto.Name(j.in.Injects), Step: at, Cause: at}
	for _, c := range j.in.Also {
		t.Classes = append(t.Classes, j.onto.Name(c))
	}
	switch j.in.ShownAt {
	case "refusal":
		t.Step = first
	case "end":
		t.Step = len(run.Results)
	}
	switch j.in.CausedAt {
	case "refusal":
		t.Cause = first
	case "end":
		t.Cause = len(run.Results) + 1
	case "window":
		at = j.firstEdit(v, at)
		t.Cause, t.Window = 0, []int{at, max(t.Step, at)}
		if j.in.ShownAt == "end" || len(refused) == 0 {
			t.Step, t.Window[1] = 0, len(run.Results)+1
		}
	case "switch":
		on := j.switchedOn(k)
		if on == 0 || !run.Reached && j.clean.Reached {
			return Truth{}, false
		}
		// what is missing stands where it would have; it is as well dated where it became necessary
		t.Cause, t.Window = 0, []int{on, at}
	}
	return t, true
}

// tookPlace reports whether an accident or change came to pass at an action: that
// was not refused before, and for nothing else.
func (j *injection) tookPlace(v *Scenario, run *SimulatedEpisode, k, first int) bool {
	at := k + 1
	here := run.Results[k].Refused
	destination := run.Calls[k].Destination
	switch {
	case len(here) > 0 && (j.in.Refused != "true" || slices.ContainsFunc(here, outOfReach)):
		return false
	case j.in.Refused == "true" && first != at, len(run.Refused()) > 0 && first < at:
		return false
	case j.in.Kind == ontology.InjectDrop && j.in.Onto != ontology.None && destination != state.Nothing && run.World.objects.IsA(destination, j.in.Onto):
		return false // it falls to where it was to be put
	}
	return j.in.Kind != ontology.InjectChange || !j.in.AtStart || j.stands(v, run, at)
}

// failsPlan reports whether an edit makes the plan fail, and not for want of a move
// where that is another failure.
func (j *injection) failsPlan(_ *Scenario, run *SimulatedEpisode, _, first int) bool {
	if !j.onto.IsPlanFault(j.in.Injects) {
		return true
	}
	return !run.Reached && !(j.in.ShownAt == "refusal" && slices.ContainsFunc(run.Results[first-1].Refused, outOfReach))
}

func outOfReach(v state.Violation) bool { return v.Name == "reachable" }

// firstEdit is the first action that an edit has changed, at most a given one.
func (j *injection) firstEdit(v *Scenario, at int) int {
	for i := range min(at-1, len(v.Plan)) {
		if v.Plan[i] != j.sc.Plan[i] {
			return i + 1
		}
	}
	return at
}

// switchedOn is the last action that turned on what an action is about, 0 where
// there is none.
func (j *injection) switchedOn(k int) int {
	out := 0
	for i := range k {
		if a := j.sc.Plan[i]; a.Target == j.sc.Plan[k].Target && j.sets(a, j.onto.Roles.Running) {
			out = i + 1
		}
	}
	return out
}

// sets reports whether an action makes its target be in a state.
func (j *injection) sets(a episode.Action, st ontology.TermID) bool {
	schema, ok := j.onto.Action(a.Name)
	return ok && j.onto.Sets(schema, st)
}

// stands reports that what was changed at the start still holds before a step.
func (j *injection) stands(v *Scenario, run *SimulatedEpisode, step int) bool {
	s := run.Before[step-1]
	for _, f := range v.Scene {
		if slices.Contains(j.sc.Scene, f) {
			continue
		}
		x, ok := s.Objects.Lookup(f.Subject)
		if !ok {
			return false
		}
		if f.Object == "" {
			id, ok := j.onto.Lookup(f.Relation)
			if ok && slices.ContainsFunc(j.in.Change, func(c string) bool { return strings.HasPrefix(c, "then ") }) {
				continue // it changes again
			}
			if !ok || s.Get(state.Fluent{Obj: x, Slot: s.SlotOf(id)}).Term != id {
				return false
			}
			continue
		}
		y, ok := s.Objects.Lookup(f.Object)
		if rel, known := j.onto.Lookup(f.Relation); ok && known && j.onto.IsSub(rel, j.onto.Core.Within) && s.Place(x).At != y {
			return false
		}
	}
	return true
}
