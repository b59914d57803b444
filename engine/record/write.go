package record

import (
	"maps"
	"slices"
	"strings"

	"github.com/cayleygraph/quad"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/recorded"
)

// Form says how observations are written.
type Form int

const (
	Changes Form = iota // what begins and ends with each, and what was visible
	Whole               // all that was seen, each time
)

// Episode lists the quads of an episode: its log. The trace tells which objects the names
// of actions mean and what became of them; it may be nil.
func Episode(o *ontology.Ontology, ep *episode.Episode, t *engine.Trace, form Form) []quad.Quad {
	w := &writer{names: names{Root(ep.ID)}, onto: o, trace: t, iris: map[wordKey]quad.IRI{}, written: map[quad.IRI]string{}, form: form, sightings: sightings{numbers: map[sighting]int{}, byKey: map[string]int{}}}
	w.out = make([]quad.Quad, 0, atLeast(ep))
	w.graph = w.episode()
	w.header(ep)
	w.lists(ep)
	w.plan(w.episode(), planPart, ep.Plan, ep.Carriers)
	var last quad.IRI
	for i := range ep.Steps {
		last = w.events(&ep.Steps[i], last)
	}
	var seen [aspects][]int
	for i := range ep.Steps {
		w.observation(&ep.Steps[i], &seen)
	}
	return w.out
}

// atLeast is how many quads an episode has at least, about.
func atLeast(ep *episode.Episode) int {
	n := 64
	for i := range ep.Steps {
		n += 16 + len(ep.Steps[i].Observation.Nodes)
	}
	return n
}

type wordKey struct{ kind, text string }

type writer struct {
	names
	onto      *ontology.Ontology
	trace     *engine.Trace
	form      Form
	graph     quad.IRI
	out       []quad.Quad
	iris      map[wordKey]quad.IRI
	sensed    int // sensor events so far
	sightings sightings
	written   map[quad.IRI]string // by kind and term: the word that stands for it
}

func (w *writer) say(x, p quad.IRI, y quad.Value) {
	w.out = append(w.out, quad.Quad{Subject: x, Predicate: p, Object: y, Label: w.graph})
}

func (w *writer) text(x quad.IRI, p recorded.Term, text string) {
	if text != "" {
		w.say(x, term(p), quad.String(text))
	}
}

func (w *writer) number(x quad.IRI, p recorded.Term, n int) {
	if n != 0 {
		w.say(x, term(p), integer(n))
	}
}

func (w *writer) flag(x quad.IRI, p recorded.Term, b bool) {
	if b {
		w.say(x, term(p), boolean(true))
	}
}

func (w *writer) is(x quad.IRI, class recorded.Term) { w.say(x, rdfType, term(class)) }

// word is the resource for a word of the log: the term of the ontology that it means, or a
// resource of the episode where the ontology has none, or where it is not the word by which
// the log calls the term first.
func (w *writer) word(kind, text string) quad.IRI {
	key := wordKey{kind, text}
	if iri, ok := w.iris[key]; ok {
		return iri
	}
	iri := w.newWord(kind, text)
	w.iris[key] = iri
	return iri
}

func (w *writer) newWord(kind, text string) quad.IRI {
	graph := w.graph
	defer func() { w.graph = graph }()
	w.graph = w.episode()
	own := w.names.word(kind, text)
	meant, name, ok := meaning(w.onto, kind, text)
	if !ok {
		w.is(own, recorded.Word)
		return own
	}
	key := quad.IRI(kind) + " " + meant
	switch first, known := w.written[key]; {
	case !known:
		w.written[key] = text
		if text != name {
			w.is(own, recorded.Word)
			w.say(own, term(recorded.StandsFor), meant)
		}
		return meant
	case first == text:
		return meant
	}
	w.is(own, recorded.Word)
	w.say(own, term(recorded.Means), meant)
	return own
}

// meaning is the term that a word means, and the word by which that is known.
func meaning(o *ontology.Ontology, kind, text string) (iri quad.IRI, name string, ok bool) {
	if kind == actionWord {
		if a, known := o.Action(text); known {
			return quad.IRI(o.Terms[a.Term].IRI), a.Name, true
		}
		return "", "", false
	}
	id := ontology.None
	if kind == propertyWord {
		if known, found := o.Lookup(text); found && (o.IsA(known, o.Core.PhysicalProperty) || o.IsA(known, o.Core.Material)) {
			id = known
		}
	} else if ids := o.ByLabel(text, kindOf(o, kind)); len(ids) > 0 {
		id = ids[0]
	}
	if id == ontology.None {
		return "", "", false
	}
	return quad.IRI(o.Terms[id].IRI), o.Terms[id].Name, true
}

func (w *writer) header(ep *episode.Episode) {
	x := w.episode()
	w.is(x, recorded.Episode)
	w.text(x, recorded.Source, ep.Source)
	w.text(x, recorded.File, ep.File)
	w.text(x, recorded.TaskName, ep.Task)
	if t, ok := w.onto.Task(ep.Task); ok {
		w.say(x, term(recorded.Task), quad.IRI(w.onto.Terms[t.Term].IRI))
	}
	w.text(x, recorded.GoalText, ep.Goal)
	w.number(x, recorded.GoalLine, ep.GoalLine)
	w.text(x, recorded.GoalFile, ep.GoalFile)
	w.text(x, recorded.Robot, ep.Robot)
	w.text(x, recorded.Site, ep.Site)
	w.text(x, recorded.Until, ep.Until)
	if ep.Start != "" {
		w.say(x, term(recorded.StartTime), quad.TypedString{Value: quad.String(ep.Start), Type: dateTime})
	}
	w.list(x, recorded.Tag, ep.Labels)
	if ep.Noise != 0 {
		w.say(x, term(recorded.Noise), double(ep.Noise))
	}
	w.flag(x, recorded.GripperObserved, ep.GripperObserved)
	w.flag(x, recorded.Exact, ep.Exact)
	w.flag(x, recorded.Unplanned, ep.Unplanned)
	w.number(x, recorded.Lines, ep.Lines)
	w.number(x, recorded.MostWarnings, ep.MaxWarnings)
	w.number(x, recorded.Unkept, ep.Unkept)
}

func (w *writer) lists(ep *episode.Episode) {
	w.facts(goalPart, recorded.GoalCondition, ep.GoalFacts)
	w.facts(scenePart, recorded.SceneFact, ep.Scene)
	for i, name := range slices.Sorted(maps.Keys(ep.Params)) {
		x := w.item(paramPart, i, recorded.Parameter)
		w.say(x, term(recorded.Name), quad.String(name))
		w.say(x, term(recorded.Text), quad.String(ep.Params[name]))
	}
	for i, p := range ep.People {
		x := w.item(personPart, i, recorded.Served)
		w.text(x, recorded.Name, p.Name)
		w.list(x, recorded.Diet, p.Diets)
		w.list(x, recorded.Dislikes, p.Dislikes)
	}
	for i, a := range ep.Crew {
		x := w.item(agentPart, i, recorded.Acting)
		w.text(x, recorded.Name, a.Name)
		w.text(x, recorded.AgentClass, a.Class)
		w.list(x, recorded.Gripper, a.Grippers)
		w.list(x, recorded.Member, a.Members)
	}
	for i, t := range ep.Things {
		x := w.item(thingPart, i, recorded.Thing)
		w.text(x, recorded.Name, t.Name)
		w.list(x, recorded.OfClass, t.Classes)
		w.list(x, recorded.OfProperty, t.Properties)
		w.number(x, recorded.Line, t.Line)
	}
	for _, piece := range slices.Sorted(maps.Keys(ep.Origins)) {
		w.say(w.object(piece), term(recorded.CutFrom), w.object(ep.Origins[piece]))
	}
	w.warnings(warningPart, recorded.LogWarning, ep.Warnings)
	w.warnings(skippedPart, recorded.SkippedLine, ep.Skipped)
}

// item is the i-th of a list, from 0.
func (w *writer) item(kind string, i int, class recorded.Term) quad.IRI {
	x := w.part(kind, i+1)
	w.is(x, class)
	w.say(x, term(recorded.Index), integer(i+1))
	return x
}

func (w *writer) facts(kind string, class recorded.Term, facts []episode.Fact) {
	for i, f := range facts {
		x := w.item(kind, i, class)
		w.text(x, recorded.SubjectName, f.Subject)
		w.text(x, recorded.RelationName, f.Relation)
		w.text(x, recorded.ObjectName, f.Object)
		w.number(x, recorded.Line, f.Line)
	}
}

func (w *writer) warnings(kind string, class recorded.Term, warnings []episode.Warning) {
	for i, m := range warnings {
		x := w.item(kind, i, class)
		w.text(x, recorded.Text, m.Msg)
		w.number(x, recorded.Line, m.Line)
	}
}

// plan says the actions of a plan of something.
func (w *writer) plan(of quad.IRI, kind string, plan []episode.Action, carriers []string) {
	for i, a := range plan {
		x := w.item(kind, i, recorded.PlannedAction)
		w.say(x, term(recorded.PlanOf), of)
		w.say(x, event(ontology.EventAction), w.word(actionWord, a.Name))
		w.text(x, recorded.TargetName, a.Target)
		w.text(x, recorded.DestinationName, a.Destination)
		w.text(x, recorded.FurtherArguments, a.Further)
		if i < len(carriers) && carriers[i] != "" {
			w.say(x, event(ontology.EventAgent), w.object(carriers[i]))
		}
	}
}

// events says of a step what is no part of a scene. last is the event before; the last of
// this step is returned.
func (w *writer) events(st *episode.Step, last quad.IRI) quad.IRI {
	g := w.names.observation(st.Index)
	told := g // of what event it is said who acted, and what was heard
	if st.Action != (episode.Action{}) {
		told = w.action(st.Index)
		last = w.event(told, ontology.ActionEvent, st, last)
		w.acts(st, told)
	}
	last = w.event(g, ontology.ObservationEvent, st, last)
	w.number(g, recorded.Line, st.Line)
	w.flag(g, recorded.Missing, st.Observation.Missing)
	w.flag(g, recorded.Complete, st.Observation.Complete)
	w.flag(g, recorded.Whole, w.form == Whole && !st.Observation.Missing)
	if st.Agent != "" {
		w.say(told, event(ontology.EventAgent), w.object(st.Agent))
	}
	order := carried(nil, st.Sounds, strings.Compare)
	for _, s := range order {
		w.say(told, event(ontology.EventHeard), w.word(soundWord, s))
	}
	w.inOrder(told, string(ontology.EventHeard), places(order, st.Sounds))
	var with []string
	for _, v := range st.Values {
		with = append(with, readingText(v))
	}
	w.list(told, recorded.ActionValue, with)
	for i := range st.Events {
		w.sense(told, st.Index, &st.Events[i])
	}
	w.text(told, recorded.ActionID, st.ID)
	w.text(told, recorded.Status, string(st.Status))
	w.text(told, recorded.Result, st.Result)
	return last
}

// sense says what a sensor told of in an event, or after it.
func (w *writer) sense(told quad.IRI, step int, e *episode.SensorEvent) {
	w.sensed++
	x := w.part(sensedPart, w.sensed)
	w.say(told, event(ontology.EventSensed), x)
	w.say(x, rdfType, w.word(eventWord, e.Kind))
	w.say(x, term(recorded.Index), integer(w.sensed))
	w.say(x, event(ontology.EventStep), integer(step))
	if e.Object != "" {
		w.say(x, event(ontology.EventSensedOf), w.object(e.Object))
	}
	if e.Measured {
		w.say(x, event(ontology.EventMeasured), quad.String(readingText(scene.Reading{Number: e.Number, Unit: e.Unit})))
	}
	if e.Time != "" {
		w.say(x, event(ontology.EventTime), quad.String(e.Time))
	}
	w.number(x, recorded.Line, e.Line)
}

func (w *writer) event(x quad.IRI, class ontology.EventTerm, st *episode.Step, last quad.IRI) quad.IRI {
	w.say(x, rdfType, event(class))
	w.say(x, event(ontology.EventStep), integer(st.Index))
	w.say(x, event(ontology.EventEpisode), w.episode())
	if st.Time != "" {
		w.say(x, event(ontology.EventTime), quad.String(st.Time))
	}
	if last != "" {
		w.say(last, event(ontology.EventPrecedes), x)
	}
	return x
}

func (w *writer) acts(st *episode.Step, x quad.IRI) {
	w.say(x, event(ontology.EventAction), w.word(actionWord, st.Action.Name))
	w.text(x, recorded.FurtherArguments, st.Action.Further)
	var e *engine.Event
	if w.trace != nil {
		e = w.trace.Event(int32(st.Index))
	}
	target, destination := engine.NoObject, engine.NoObject
	if e != nil {
		target, destination = e.Call.Target, e.Call.Destination
		w.text(x, recorded.Outcome, outcomes[e.Outcome])
	}
	w.argument(x, ontology.EventTarget, recorded.TargetName, st.Action.Target, target)
	w.argument(x, ontology.EventDestination, recorded.DestinationName, st.Action.Destination, destination)
}

var outcomes = map[engine.Outcome]string{
	engine.OutcomePresumed: "presumed", engine.OutcomeSucceeded: "succeeded", engine.OutcomeRefused: "refused", engine.OutcomeFailed: "failed",
}

// argument says what an action is done to: the object that a name was taken for, and the
// name where it is another.
func (w *writer) argument(x quad.IRI, p ontology.EventTerm, written recorded.Term, name string, o engine.Object) {
	called := name
	if _, number := episode.SplitName(name); number == 0 && o != engine.NoObject && name != "" {
		called = w.trace.Objects.Name(o)
	}
	if called != "" {
		w.say(x, event(p), w.object(called))
	}
	if called != name {
		w.say(x, term(written), quad.String(name))
	}
}
