package record

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cayleygraph/quad"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/recorded"
)

// ErrNoEpisode is the error of quads among which no episode is described.
var ErrNoEpisode = errors.New("no episode")

// Error is a record from which no episode can be rebuilt: what was found of a resource, and
// what was expected.
type Error struct {
	Resource, Found, Expected string
}

func (e *Error) Error() string {
	return fmt.Sprintf("<%s>: found %s; expected %s", e.Resource, e.Found, e.Expected)
}

// Rebuild is the episode of an id that quads describe, in any order and with those of
// others among them. What is not said of an observation was not seen. The error is
// ErrNoEpisode where nothing describes it, or an *Error.
func Rebuild(o *ontology.Ontology, id string, quads []quad.Quad) (*episode.Episode, error) {
	r := &reader{names: names{Root(id)}, onto: o, view: view{}, graphs: map[quad.IRI][]quad.Quad{}, words: map[quad.IRI]string{}}
	r.sort(quads)
	x := r.episode()
	if !r.is(x, recorded.Episode) {
		return nil, fmt.Errorf("%s: %w", id, ErrNoEpisode)
	}
	ep := &episode.Episode{ID: id}
	r.header(ep, x)
	r.lists(ep)
	r.steps(ep)
	if r.err != nil {
		return nil, r.err
	}
	return ep, nil
}

// view is what is said of resources.
type view map[quad.IRI][]quad.Quad

type reader struct {
	names
	onto   *ontology.Ontology
	view   view                     // of what is no scene
	graphs map[quad.IRI][]quad.Quad // of observations
	parts  map[string][]quad.IRI    // by kind, in order
	events []quad.IRI               // observations
	words  map[quad.IRI]string      // by kind and IRI
	err    error
}

func (r *reader) sort(quads []quad.Quad) {
	r.parts = map[string][]quad.IRI{}
	below := r.root + "/"
	for _, q := range quads {
		g, _ := q.Label.(quad.IRI)
		s, ok := q.Subject.(quad.IRI)
		if !ok || g != r.episode() && !strings.HasPrefix(string(g), below) {
			continue
		}
		if isObservation(string(g)) {
			r.graphs[g] = append(r.graphs[g], q)
			continue
		}
		if g != r.episode() {
			continue // conclusions and beliefs are worked out anew
		}
		r.view[s] = append(r.view[s], q)
		if q.Predicate == rdfType && q.Object == event(ontology.ObservationEvent) {
			r.events = append(r.events, s)
		}
		if q.Predicate == term(recorded.Index) {
			kind, _, _ := strings.Cut(strings.TrimPrefix(string(s), below), "/")
			r.parts[kind] = append(r.parts[kind], s)
		}
		if q.Predicate == term(recorded.StandsFor) {
			r.stands(s, q.Object)
		}
	}
	for _, list := range r.parts {
		slices.SortFunc(list, func(a, b quad.IRI) int {
			return cmp.Compare(r.number(a, term(recorded.Index)), r.number(b, term(recorded.Index)))
		})
	}
	slices.SortFunc(r.events, func(a, b quad.IRI) int {
		return cmp.Compare(r.number(a, event(ontology.EventStep)), r.number(b, event(ontology.EventStep)))
	})
}

// stands notes the word that stands for a term throughout the episode.
func (r *reader) stands(word quad.IRI, of quad.Value) {
	rest, _ := strings.CutPrefix(string(word), r.root+"/word/")
	kind, _, _ := strings.Cut(rest, "/")
	text, ok := r.named("/word/"+kind+"/", word)
	iri, isIRI := of.(quad.IRI)
	if ok && isIRI {
		r.words[quad.IRI(kind)+" "+iri] = text
	}
}

// word is how the log writes what a resource means.
func (r *reader) word(kind string, v quad.Value) string {
	iri, _ := v.(quad.IRI)
	key := quad.IRI(kind) + " " + iri
	text, ok := r.words[key]
	if ok {
		return text
	}
	if text, ok = r.named("/word/"+kind+"/", v); !ok {
		text = string(iri)
		if local, own := strings.CutPrefix(text, ontology.Namespace); own {
			text = local
		}
		if kind == actionWord {
			text = r.actionName(text)
		}
	}
	r.words[key] = text
	return text
}

func (r *reader) actionName(class string) string {
	if id, ok := r.onto.Lookup(class); ok {
		for _, a := range r.onto.Actions {
			if a.Term == id {
				return a.Name
			}
		}
	}
	return class
}

func (v view) is(x quad.IRI, class recorded.Term) bool {
	return slices.ContainsFunc(v[x], func(q quad.Quad) bool { return q.Predicate == rdfType && q.Object == term(class) })
}

func (r *reader) is(x quad.IRI, class recorded.Term) bool { return r.view.is(x, class) }

// value is what is said of a property, nil where nothing is.
func (v view) value(x, p quad.IRI) quad.Value {
	for _, q := range v[x] {
		if q.Predicate == p {
			return q.Object
		}
	}
	return nil
}

// Lexical is the text of a literal, of a number its digits; empty where there is none.
func Lexical(v quad.Value) string {
	switch v := v.(type) {
	case quad.String:
		return string(v)
	case quad.TypedString:
		return string(v.Value)
	case quad.LangString:
		return string(v.Value)
	case nil:
		return ""
	}
	return quad.ToString(v)
}

func (v view) text(x quad.IRI, p recorded.Term) string { return Lexical(v.value(x, term(p))) }

func (v view) texts(x, p quad.IRI) []string {
	var out []string
	for _, q := range v[x] {
		if q.Predicate == p {
			out = append(out, Lexical(q.Object))
		}
	}
	return out
}

func (r *reader) flag(x quad.IRI, p recorded.Term) bool { return r.view.text(x, p) == "true" }

// number is an integer that is said of something, 0 where none is.
func (r *reader) number(x, p quad.IRI) int {
	v := r.view.value(x, p)
	if v == nil {
		return 0
	}
	n, err := strconv.Atoi(Lexical(v))
	if err != nil {
		r.fail(x, fmt.Sprintf("%s %s", p, v), "an integer")
	}
	return n
}

func (r *reader) count(x quad.IRI, p recorded.Term) int { return r.number(x, term(p)) }

func (r *reader) fail(x quad.IRI, found, expected string) {
	if r.err == nil {
		r.err = &Error{string(x), found, expected}
	}
}

func (r *reader) header(ep *episode.Episode, x quad.IRI) {
	v := r.view
	ep.Source, ep.File, ep.Task, ep.Goal = v.text(x, recorded.Source), v.text(x, recorded.File), v.text(x, recorded.TaskName), v.text(x, recorded.GoalText)
	ep.GoalLine, ep.GoalFile = r.count(x, recorded.GoalLine), v.text(x, recorded.GoalFile)
	ep.Until = v.text(x, recorded.Until)
	ep.Robot, ep.Site, ep.Start, ep.Labels = v.text(x, recorded.Robot), v.text(x, recorded.Site), v.text(x, recorded.StartTime), v.list(x, recorded.Tag)
	if text := v.text(x, recorded.Noise); text != "" {
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || !(n >= 0 && n <= 1) {
			r.fail(x, "noise "+strconv.Quote(text), "a number from 0 to 1")
		}
		ep.Noise = n
	}
	ep.GripperObserved, ep.Exact, ep.Unplanned = r.flag(x, recorded.GripperObserved), r.flag(x, recorded.Exact), r.flag(x, recorded.Unplanned)
	ep.Lines, ep.MaxWarnings, ep.Unkept = r.count(x, recorded.Lines), r.count(x, recorded.MostWarnings), r.count(x, recorded.Unkept)
}

func (r *reader) lists(ep *episode.Episode) {
	v := r.view
	ep.GoalFacts, ep.Scene = r.facts(goalPart), r.facts(scenePart)
	for _, x := range r.parts[paramPart] {
		if ep.Params == nil {
			ep.Params = map[string]string{}
		}
		ep.Params[v.text(x, recorded.Name)] = v.text(x, recorded.Text)
	}
	for _, x := range r.parts[personPart] {
		ep.People = append(ep.People, episode.Person{Name: v.text(x, recorded.Name), Diets: v.list(x, recorded.Diet), Dislikes: v.list(x, recorded.Dislikes)})
	}
	for _, x := range r.parts[agentPart] {
		ep.Crew = append(ep.Crew, episode.Agent{Name: v.text(x, recorded.Name), Class: v.text(x, recorded.AgentClass), Grippers: v.list(x, recorded.Gripper), Members: v.list(x, recorded.Member)})
	}
	for _, x := range r.parts[thingPart] {
		ep.Things = append(ep.Things, episode.Thing{Name: v.text(x, recorded.Name), Classes: v.list(x, recorded.OfClass), Properties: v.list(x, recorded.OfProperty), Line: r.count(x, recorded.Line)})
	}
	for x := range v {
		piece, ok := r.object(x)
		from, ok2 := r.object(v.value(x, term(recorded.CutFrom)))
		if ok && ok2 {
			if ep.Origins == nil {
				ep.Origins = map[string]string{}
			}
			ep.Origins[piece] = from
		}
	}
	ep.Warnings, ep.Skipped = r.warnings(warningPart), r.warnings(skippedPart)
	for i, x := range r.parts[planPart] {
		ep.Plan = append(ep.Plan, episode.Action{Name: r.word(actionWord, v.value(x, event(ontology.EventAction))),
			Target: v.text(x, recorded.TargetName), Destination: v.text(x, recorded.DestinationName), Further: v.text(x, recorded.FurtherArguments)})
		if agent, ok := r.object(v.value(x, event(ontology.EventAgent))); ok {
			if ep.Carriers == nil {
				ep.Carriers = make([]string, len(r.parts[planPart]))
			}
			ep.Carriers[i] = agent
		}
	}
}

// object is the name of an object.
func (r *reader) object(v quad.Value) (string, bool) { return r.named("/object/", v) }

func (r *reader) facts(kind string) []episode.Fact {
	var out []episode.Fact
	for _, x := range r.parts[kind] {
		out = append(out, episode.Fact{Subject: r.view.text(x, recorded.SubjectName), Relation: r.view.text(x, recorded.RelationName),
			Object: r.view.text(x, recorded.ObjectName), Line: r.count(x, recorded.Line)})
	}
	return out
}

func (r *reader) warnings(kind string) []episode.Warning {
	var out []episode.Warning
	for _, x := range r.parts[kind] {
		out = append(out, episode.Warning{Line: r.count(x, recorded.Line), Msg: r.view.text(x, recorded.Text)})
	}
	return out
}

func (r *reader) steps(ep *episode.Episode) {
	seen, sensed := &observed{}, r.sensed()
	for _, g := range r.events {
		st := episode.Step{Index: r.number(g, event(ontology.EventStep)), Time: Lexical(r.view.value(g, event(ontology.EventTime))), Line: r.count(g, recorded.Line)}
		told, x := g, r.action(st.Index)
		if len(r.view[x]) > 0 {
			told = x
			st.Action = episode.Action{Name: r.word(actionWord, r.view.value(x, event(ontology.EventAction))),
				Target: r.argument(x, ontology.EventTarget, recorded.TargetName), Destination: r.argument(x, ontology.EventDestination, recorded.DestinationName), Further: r.view.text(x, recorded.FurtherArguments)}
		}
		st.Agent, _ = r.object(r.view.value(told, event(ontology.EventAgent)))
		st.Sounds, st.Events = r.sounds(told), sensed[st.Index]
		st.ID, st.Status, st.Result = r.view.text(told, recorded.ActionID), episode.Status(r.view.text(told, recorded.Status)), r.view.text(told, recorded.Result)
		for _, text := range r.view.list(told, recorded.ActionValue) {
			st.Values = append(st.Values, readReading(text))
		}
		st.Observation.Missing, st.Observation.Complete = r.flag(g, recorded.Missing), r.flag(g, recorded.Complete)
		if !st.Observation.Missing {
			r.follow(g, st.Index, seen)
			st.Observation.Graph = r.scene(seen)
			for a := range aspects {
				seen.order[a] = unique(seen.order[a])
			}
		}
		ep.Steps = append(ep.Steps, st)
	}
}

func (r *reader) argument(x quad.IRI, p ontology.EventTerm, written recorded.Term) string {
	if v := r.view.value(x, term(written)); v != nil {
		return Lexical(v)
	}
	name, _ := r.object(r.view.value(x, event(p)))
	return name
}

func (r *reader) sounds(x quad.IRI) []string {
	var heard []string
	for _, q := range r.view[x] {
		if q.Predicate == event(ontology.EventHeard) {
			heard = append(heard, r.word(soundWord, q.Object))
		}
	}
	if len(heard) == 0 {
		return nil
	}
	return placed(carried(nil, heard, strings.Compare), r.view.places(x, string(ontology.EventHeard)))
}

// sensed is what sensors told of, by step.
func (r *reader) sensed() map[int][]episode.SensorEvent {
	out := map[int][]episode.SensorEvent{}
	for _, x := range r.parts[sensedPart] {
		e := episode.SensorEvent{Kind: r.word(eventWord, r.view.value(x, rdfType)), Time: Lexical(r.view.value(x, event(ontology.EventTime))), Line: r.count(x, recorded.Line)}
		e.Object, _ = r.object(r.view.value(x, event(ontology.EventSensedOf)))
		if v := r.view.value(x, event(ontology.EventMeasured)); v != nil {
			reading := readReading(Lexical(v))
			e.Measured, e.Number, e.Unit = true, reading.Number, reading.Unit
		}
		step := r.number(x, event(ontology.EventStep))
		out[step] = append(out[step], e)
	}
	return out
}

// follow brings what is seen up to an observation.
func (r *reader) follow(g quad.IRI, step int, seen *observed) {
	if r.flag(g, recorded.Whole) {
		*seen = observed{}
	}
	var now [aspects][]string
	ended := map[string]bool{}
	for _, q := range r.graphs[r.ended(step)] {
		ended[said(q).key()] = true
	}
	for a := range aspects {
		if a == visibleNodes {
			continue // that is said each time
		}
		for _, key := range seen.order[a] {
			if !ended[key] {
				now[a] = append(now[a], key)
			}
		}
	}
	for _, q := range r.graphs[r.names.observation(step)] {
		a, s := aspectOf(q), said(q)
		if seen.says[a] == nil {
			seen.says[a] = map[string]statement{}
		}
		seen.says[a][s.key()] = s
		now[a] = append(now[a], s.key())
	}
	for a := range aspects {
		seen.order[a] = placed(carried(seen.order[a], now[a], strings.Compare), r.view.places(g, aspectNames[a]))
	}
}

// said is the triple of a quad.
func said(q quad.Quad) statement {
	s, _ := q.Subject.(quad.IRI)
	p, _ := q.Predicate.(quad.IRI)
	return statement{s, p, q.Object}
}

// scene is the scene graph of what is seen.
func (r *reader) scene(seen *observed) scene.Graph {
	var g scene.Graph
	at := map[quad.IRI][]int{}
	for _, key := range seen.order[visibleNodes] {
		x := seen.says[visibleNodes][key].s
		name, _ := r.object(x)
		at[x] = append(at[x], len(g.Nodes))
		g.Nodes = append(g.Nodes, scene.Node{ID: name})
	}
	each := func(a aspect, visit func(n *scene.Node, v quad.Value)) {
		for _, key := range seen.order[a] {
			s := seen.says[a][key]
			if nodes := at[s.s]; len(nodes) > 0 {
				visit(&g.Nodes[nodes[0]], s.o)
			}
		}
	}
	each(classes, func(n *scene.Node, v quad.Value) { n.Class = r.word(classWord, v) })
	each(states, func(n *scene.Node, v quad.Value) { n.States = append(n.States, r.word(stateWord, v)) })
	each(properties, func(n *scene.Node, v quad.Value) { n.Properties = append(n.Properties, r.word(propertyWord, v)) })
	each(values, func(n *scene.Node, v quad.Value) { n.Values = append(n.Values, readReading(Lexical(v))) })
	for _, key := range seen.order[relations] {
		s := seen.says[relations][key]
		subject, ok := r.object(s.s)
		object, ok2 := r.object(s.o)
		if ok && ok2 {
			g.Edges = append(g.Edges, scene.Edge{Subject: subject, Relation: r.word(relationWord, s.p), Object: object})
		}
	}
	return g
}
