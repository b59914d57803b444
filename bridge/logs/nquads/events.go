package nquads

import (
	"bytes"
	"cmp"
	"errors"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/cayleygraph/quad"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/bridge/logs/jsonl"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/record"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/recorded"
)

// An eventLog is a log of events in whatever namespace: events of actions and of
// observations alternate, and what was observed is linked to its event by hasTriple, or
// stands in a graph of the name of the event (RECOVER, section 3).
type eventLog struct {
	file  string
	lines map[quad.Value]int // where something is first spoken of
	onto  *ontology.Ontology
	says  map[quad.Value][]quad.Quad // of what is in no graph
	seen  map[quad.Value][]quad.Quad // by event
	known []*event
}

// event is one, with what its place in the log is known by.
type event struct {
	v         quad.Value
	episode   string
	acts      bool // it is of an action; else of an observation alone
	step      int  // as it says; -1 where it does not
	number    int  // after its name
	line      int
	following quad.Value
}

// read makes episodes of events. They are read as lines of mishap's own format, so that what
// is odd in them is told in the same way.
func (l *eventLog) read(o *ontology.Ontology, all []quad.Quad) ([]*episode.Episode, error) {
	l.onto = o
	l.sort(all)
	var ids []string
	events := map[string][]*event{}
	for _, e := range l.known {
		if events[e.episode] == nil {
			ids = append(ids, e.episode)
		}
		events[e.episode] = append(events[e.episode], e)
	}
	if len(ids) == 0 {
		return nil, &input.Error{File: l.file, Found: "no episode", Expected: "a record of one, with a resource of type " + recorded.Episode.IRI() + ", or events with hasAction or hasTriple"}
	}
	var text bytes.Buffer
	lines := []int{0} // of this log, by line of the text
	for _, id := range ids {
		ep, err := l.episode(id, events[id])
		if err != nil {
			return nil, err
		}
		lines = append(lines, 0)
		for i := range ep.Steps {
			lines = append(lines, ep.Steps[i].Line)
		}
		if err := jsonl.Write(&text, ep); err != nil {
			return nil, &input.Error{File: l.file, Found: input.Cause(err), Expected: "names of events and objects as text", Err: err}
		}
	}
	at := func(n int) int { return lines[min(n, len(lines)-1)] }
	out, err := jsonl.Read(o, l.file, &text)
	if wrong := (*input.Error)(nil); errors.As(err, &wrong) {
		wrong.Line = at(wrong.Line)
	}
	for _, ep := range out {
		for i := range ep.Steps {
			ep.Steps[i].Line = at(ep.Steps[i].Line)
		}
		for i := range ep.Warnings {
			ep.Warnings[i].Line = at(ep.Warnings[i].Line)
		}
		for i := range ep.Skipped {
			ep.Skipped[i].Line = at(ep.Skipped[i].Line)
		}
	}
	return out, err
}

// sort tells apart events, what they are linked to, and what is said of objects.
func (l *eventLog) sort(all []quad.Quad) {
	l.says, l.seen = map[quad.Value][]quad.Quad{}, map[quad.Value][]quad.Quad{}
	var subjects []quad.Value
	for _, q := range all {
		if q.Label != nil {
			l.seen[q.Label] = append(l.seen[q.Label], q)
			continue
		}
		if l.says[q.Subject] == nil {
			subjects = append(subjects, q.Subject)
		}
		l.says[q.Subject] = append(l.says[q.Subject], q)
	}
	for _, x := range subjects {
		e := &event{v: x, step: -1, number: -1, line: l.lines[x]}
		isEvent := false
		for _, q := range l.says[x] {
			switch meaning(q.Predicate) {
			case ontology.HasTriple:
				isEvent = true
				l.seen[x] = append(l.seen[x], l.triple(q.Object))
			case ontology.EventAction:
				isEvent, e.acts = true, !l.looks(q.Object)
			case ontology.EventStep:
				if n, err := strconv.Atoi(record.Lexical(q.Object)); err == nil {
					e.step = n
				}
			case ontology.EventPrecedes:
				e.following = q.Object
			case ontology.EventEpisode:
				e.episode = l.name(q.Object)
			}
			if q.Predicate == rdfType {
				t := meaning(q.Object)
				isEvent = isEvent || t == ontology.ObservationEvent || t == ontology.ActionEvent
				e.acts = e.acts || t == ontology.ActionEvent
			}
		}
		if !isEvent {
			continue
		}
		name := l.name(x)
		if n, err := strconv.Atoi(name[len(strings.TrimRight(name, "0123456789")):]); err == nil {
			e.number = n
		}
		l.known = append(l.known, e)
	}
}

// meaning is the term of events that a class or property is.
func meaning(v quad.Value) ontology.EventTerm {
	iri, ok := v.(quad.IRI)
	if !ok {
		return ""
	}
	t, _ := recorded.EventTerm(string(iri))
	return t
}

// looks reports whether an action only observes.
func (l *eventLog) looks(action quad.Value) bool {
	a, ok := l.onto.Action(l.action(l.name(action)))
	return ok && a == l.onto.Roles.Look
}

// triple is the one that a resource stands for.
func (l *eventLog) triple(x quad.Value) quad.Quad {
	var out quad.Quad
	for _, q := range l.says[x] {
		switch meaning(q.Predicate) {
		case ontology.TripleSubject:
			out.Subject = q.Object
		case ontology.TriplePredicate:
			out.Predicate = q.Object
		case ontology.TripleObject:
			out.Object = q.Object
		}
	}
	return out
}

// name is what a resource is called: the end of its IRI, or a text.
func (l *eventLog) name(v quad.Value) string {
	switch v := v.(type) {
	case quad.IRI:
		text := string(v)
		end := text[strings.LastIndexAny(strings.TrimRight(text, "#/"), "#/:")+1:]
		if name, err := url.PathUnescape(end); err == nil {
			end = name
		}
		return end
	case quad.BNode:
		return string(v)
	}
	return record.Lexical(v)
}

// order puts the events of an episode in the order in which they happened: by the step that
// they say, or by what follows what, or by the number that their names end with, or as they
// stand in the log.
func order(events []*event) {
	all := func(has func(*event) bool) bool {
		return !slices.ContainsFunc(events, func(e *event) bool { return !has(e) })
	}
	place := map[*event]int{}
	switch {
	case all(func(e *event) bool { return e.step >= 0 }):
		for _, e := range events {
			place[e] = 2 * e.step
			if !e.acts {
				place[e]++
			}
		}
	case slices.ContainsFunc(events, func(e *event) bool { return e.following != nil }):
		byValue, follows := map[quad.Value]*event{}, map[quad.Value]bool{}
		for _, e := range events {
			byValue[e.v], follows[e.following] = e, true
		}
		for _, first := range events {
			for e := first; e != nil && (e != first || !follows[e.v]); e = byValue[e.following] {
				if _, had := place[e]; had {
					break
				}
				place[e] = len(place)
			}
		}
	case all(func(e *event) bool { return e.number >= 0 }):
		for _, e := range events {
			place[e] = e.number
		}
	}
	slices.SortStableFunc(events, func(a, b *event) int { return cmp.Compare(place[a], place[b]) })
}

// episode is one, with names as the log has them.
func (l *eventLog) episode(id string, events []*event) (*episode.Episode, error) {
	order(events)
	ep := &episode.Episode{ID: cmp.Or(id, strings.TrimSuffix(filepath.Base(input.Plain(l.file)), filepath.Ext(input.Plain(l.file))))}
	var last *episode.Step
	open := false // the last step has no observation yet
	for _, e := range events {
		if e.acts || !open {
			ep.Steps = append(ep.Steps, episode.Step{Line: e.line, Observation: episode.Observation{Missing: true}})
			last = &ep.Steps[len(ep.Steps)-1]
			open = e.acts
			if n := len(ep.Steps); n > 1 || e.acts {
				last.Index = 1
				if n > 1 {
					last.Index = ep.Steps[n-2].Index + 1
				}
			}
			last.Index = max(last.Index, e.step)
		}
		if err := l.acted(e, last); err != nil {
			return nil, err
		}
		if seen := l.seen[e.v]; len(seen) > 0 || !e.acts {
			g, err := l.scene(e, seen)
			if err != nil {
				return nil, err
			}
			last.Observation = episode.Observation{Graph: g}
			open = false
			ep.GripperObserved = ep.GripperObserved || slices.ContainsFunc(seen, func(q quad.Quad) bool { return l.isNothing(q.Subject) })
		}
	}
	return ep, nil
}

// acted reads what was done in an event, and what was heard.
func (l *eventLog) acted(e *event, st *episode.Step) error {
	for _, q := range l.says[e.v] {
		name := l.name(q.Object)
		switch meaning(q.Predicate) {
		case ontology.EventAction:
			if e.acts {
				st.Action.Name = l.action(name)
			}
		case ontology.EventTarget:
			st.Action.Target = name
		case ontology.EventDestination:
			st.Action.Destination = name
		case ontology.EventAgent:
			st.Agent = name
		case ontology.EventTime:
			st.Time = cmp.Or(st.Time, record.Lexical(q.Object))
		case ontology.EventHeard:
			st.Sounds = append(st.Sounds, l.class(q.Object))
		}
	}
	if e.acts && st.Action.Name == "" {
		return &input.Error{File: l.file, Line: e.line, Found: "an action event without an action", Expected: "hasAction, with the name of an action"}
	}
	slices.Sort(st.Sounds)
	return nil
}

// action is the name that the ontology has for an action, which may stand for itself or be an
// individual of its class; what it does not know stays.
func (l *eventLog) action(name string) string {
	class, _ := episode.SplitName(name)
	for _, called := range []string{name, class} {
		if a, ok := l.onto.Action(called); ok {
			return a.Name
		}
		if id, ok := l.onto.Lookup(called); ok {
			for _, a := range l.onto.Actions {
				if a.Term == id {
					return a.Name
				}
			}
		}
	}
	return name
}

// class is that of an individual: as it says, else its name without a number.
func (l *eventLog) class(x quad.Value) string {
	for _, q := range l.says[x] {
		if q.Predicate == rdfType {
			if name := l.name(q.Object); name != "NamedIndividual" {
				return name
			}
		}
	}
	class, _ := episode.SplitName(l.name(x))
	return class
}

// isNothing reports whether a resource is what RECOVER (section 3.1, line 4 of the rule) writes
// for no object: a gripper that is seen to be empty holds it.
func (l *eventLog) isNothing(x quad.Value) bool {
	return x != nil && strings.EqualFold(l.class(x), "nothing")
}

// scene is what an event observed. Both ends of a relation were seen.
func (l *eventLog) scene(e *event, seen []quad.Quad) (scene.Graph, error) {
	var g scene.Graph
	at := map[string]int{}
	node := func(v quad.Value) *scene.Node {
		name := l.name(v)
		i, ok := at[name]
		if !ok {
			i = len(g.Nodes)
			at[name] = i
			g.Nodes = append(g.Nodes, scene.Node{ID: name, Class: l.class(v)})
		}
		return &g.Nodes[i]
	}
	for _, q := range seen {
		if q.Subject == nil || q.Predicate == nil || q.Object == nil {
			return g, &input.Error{File: l.file, Line: e.line, Found: "an event with a triple that has no subject, predicate or object", Expected: "hasSubject, hasPredicate and hasObject of each resource that hasTriple names"}
		}
		if l.isNothing(q.Subject) {
			node(q.Object)
			continue
		}
		n := node(q.Subject)
		switch p := meaning(q.Predicate); {
		case p == ontology.EventVisible:
		case q.Predicate == rdfType:
			n.Class = l.name(q.Object)
		case p == ontology.EventState:
			n.States = append(n.States, l.name(q.Object))
		default:
			node(q.Object)
			g.Edges = append(g.Edges, scene.Edge{Subject: l.name(q.Subject), Relation: l.name(q.Predicate), Object: l.name(q.Object)})
		}
	}
	slices.SortStableFunc(g.Nodes, func(a, b scene.Node) int { return strings.Compare(a.ID, b.ID) })
	return g, nil
}
