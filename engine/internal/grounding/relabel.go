package grounding

import (
	"cmp"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/interrupt"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// Relabel gives what a hand holds one name where a detector calls it otherwise for some looks: a
// name that no look shows but in that hand, between two that show something else there, or
// before what is seen in a new place then, is of the same thing, for nothing was taken in
// between; and what first shows as it is taken is what was to be taken, if that is of its class
// and shows no more; what first shows in a hand, or where it is put, is what that hand held before,
// by the same rule, and what stands is what stood under another name. What one look alone shows,
// where another thing lay that it does not show, is that; and a second one of a kind that one look
// alone shows was none. A fixture in another of its class, such as the basin of a sink, is that. The
// lines that it changes are copies.
func Relabel(o *ontology.Ontology, steps []episode.Step, stop *interrupt.Flag) []episode.Step {
	l := &labels{onto: o, steps: steps, hands: map[string]bool{}, sights: map[string]*handSight{}, kinds: map[string][]string{}, acted: map[string]bool{}, fixedIn: map[string]string{}, standing: map[ontology.TermID][]string{}, called: map[string]string{}}
	for i := range steps {
		if stop.Raised() {
			return steps
		}
		l.look(i)
	}
	var out []episode.Step
	for _, name := range l.names {
		s := l.sights[name]
		if is := l.fixedIn[name]; is != "" {
			is = cmp.Or(l.called[is], is)
			if out == nil {
				out = slices.Clone(steps)
			}
			for i := range out {
				if l.shows(i, name) || steps[i].Action.Target == name || steps[i].Action.Destination == name {
					out[i] = l.renumbered(out[i], name, is)
				}
			}
			continue
		}
		is := l.anew(name, s)
		if is == "" {
			is = l.stands(name, s)
		}
		if is == "" {
			is = l.lies(name, s)
		}
		if is != "" {
			if out == nil {
				out = slices.Clone(steps)
			}
			is = cmp.Or(l.called[is], is)
			l.called[name] = is
			for i := s.first; i < min(s.last+nearby, len(out)); i++ {
				out[i] = l.renumbered(out[i], name, is)
			}
			for i := s.first - 1; i >= 0 && steps[i].SameAction(&steps[s.first]); i-- { // its lines stay one action
				renaming(name, is)(&out[i].Action.Target)
				renaming(name, is)(&out[i].Action.Destination)
			}
			continue
		}
		if s.first == s.last && s.hand == "" {
			if is, gone := l.glimpsed(name, s); is != "" || gone {
				if out == nil {
					out = slices.Clone(steps)
				}
				if gone {
					out[s.first].Observation = without(out[s.first].Observation, name)
				} else {
					out[s.first].Observation = l.relabelled(out[s.first].Observation, name, is)
				}
			}
			continue
		}
		if s.hand == "" || s.first == 0 || s.last-s.first > nearby {
			continue
		}
		if is := l.same(name, s); is != "" {
			if out == nil {
				out = slices.Clone(steps)
			}
			for i := s.first; i <= s.last; i++ {
				out[i].Observation = l.relabelled(out[i].Observation, name, is)
			}
		}
	}
	if out == nil {
		return steps
	}
	return out
}

// nearby is how many lines around a new name are looked at, and how many things of a class.
const nearby = 64

// labels is what the looks of an episode call things.
type labels struct {
	onto     *ontology.Ontology
	steps    []episode.Step
	hands    map[string]bool // whether a name is of a hand
	sights   map[string]*handSight
	called   map[string]string            // the first names of what has new ones
	names    []string                     // of the sights, in order
	kinds    map[string][]string          // the same by the spelling of their classes
	acted    map[string]bool              // what actions name
	standing map[ontology.TermID][]string // the first names of what stands where it is, by class, two at most
	fixedIn  map[string]string            // of a fixture and another of its class that it is in, the name met first, by the other
}

// handSight is what looks show by a name: the hand that holds it in all of them, none where
// another place was seen, and the first and the last of them, by their indexes.
type handSight struct {
	hand        string
	class       string // that the first look has for it
	first, last int
	nth         int // of the names
}

func (l *labels) isHand(name string) bool {
	is, known := l.hands[name]
	if !known {
		stem, _ := episode.SplitName(name)
		is = l.onto.IsA(ClassOf(l.onto, stem), l.onto.Core.RobotGripper) || slices.Contains(l.onto.ByLabel(stem, l.onto.Core.Agent), l.onto.Roles.UnownedHand)
		l.hands[name] = is
	}
	return is
}

// look takes in the look at an index.
func (l *labels) look(i int) {
	obs := &l.steps[i].Observation
	l.acted[l.steps[i].Action.Target], l.acted[l.steps[i].Action.Destination] = true, true
	held := map[string]string{}
	for _, e := range obs.Edges {
		if l.isHand(e.Object) {
			held[e.Subject] = e.Object
		}
	}
	see := func(name, class, hand string) {
		s, known := l.sights[name]
		if !known {
			if class == "" {
				class, _ = episode.SplitName(name)
			}
			l.sights[name] = &handSight{hand, class, i, i, len(l.names)}
			l.names = append(l.names, name)
			kind := kindOf(class)
			l.kinds[kind] = append(l.kinds[kind], name)
			return
		}
		if s.last = i; s.hand != hand {
			s.hand = ""
		}
	}
	for _, n := range obs.Nodes {
		see(n.ID, n.Class, held[n.ID])
	}
	for _, e := range obs.Edges {
		for _, name := range []string{e.Subject, e.Object} {
			if !l.isHand(name) {
				see(name, "", held[name])
			}
		}
		if b := l.sights[e.Object]; b != nil && (b.first < i || i == 0) && l.isFixedIn(e) {
			if b.nth < l.sights[e.Subject].nth {
				l.fixedIn[e.Subject] = e.Object
			} else {
				l.fixedIn[e.Object] = e.Subject
			}
		}
	}
}

// isFixedIn reports whether an edge has a fixture in another of its class.
func (l *labels) isFixedIn(e scene.Edge) bool {
	a, b := l.sights[e.Subject], l.sights[e.Object]
	if a == nil || b == nil || kindOf(a.class) == kindOf(b.class) || l.fixedIn[e.Object] != "" || l.fixedIn[e.Subject] != "" {
		return false
	}
	if rel, ok := l.onto.Lookup(e.Relation); !ok || !l.onto.IsSub(rel, l.onto.Core.LocatedAt) {
		return false
	}
	class := ClassOf(l.onto, a.class)
	return class != ontology.None && l.onto.Canonical(class) == l.onto.Canonical(ClassOf(l.onto, b.class)) && !l.onto.HasProperty(class, l.onto.Roles.Movable)
}

// kindOf is the spelling of what a look calls a class, which may be the name of a thing.
func kindOf(class string) string {
	stem, _ := episode.SplitName(class)
	return episode.Spelling(stem)
}

// inHand is the one thing that a look shows in a hand, "" where it shows none or several.
func (l *labels) inHand(i int, hand string) string {
	if held := l.inHands(i, hand); hand != "" && len(held) == 1 {
		return held[0]
	}
	return ""
}

// inHands are the things that a look shows in a hand, "" for any.
func (l *labels) inHands(i int, hand string) (held []string) {
	for _, e := range l.steps[i].Observation.Edges {
		if (e.Object == hand || hand == "" && l.isHand(e.Object)) && !l.isHand(e.Subject) && !slices.Contains(held, e.Subject) {
			held = append(held, e.Subject)
		}
	}
	return held
}

// shows reports whether a look shows something by its name.
func (l *labels) shows(i int, name string) bool {
	obs := &l.steps[i].Observation
	return slices.ContainsFunc(obs.Nodes, func(n scene.Node) bool { return n.ID == name }) ||
		slices.ContainsFunc(obs.Edges, func(e scene.Edge) bool { return e.Subject == name || e.Object == name })
}

// same is what the thing that looks show in a hand by a name is called before and after them.
func (l *labels) same(name string, s *handSight) string {
	before := "" // what the hand held when it was last seen before
	for i := s.first - 1; i >= max(0, s.first-nearby) && before == ""; i-- {
		if before = l.inHand(i, s.hand); before == "" && l.takes(l.steps[i+1].Action) {
			break
		}
	}
	taken := "" // what an action takes that may be it
	for i := s.first; i <= s.last; i++ {
		held, act := l.inHand(i, s.hand), l.steps[i].Action
		if held != "" && held != name && held != before || l.mayMean(act, name) && act.Target == name {
			return ""
		}
		if l.mayMean(act, name) {
			taken = act.Target
		}
	}
	for i := s.last + 1; i < min(s.last+nearby, len(l.steps)); i++ {
		act := l.steps[i].Action
		if l.takes(act) && act != l.steps[s.last].Action || act.Name == "" && before == "" {
			return ""
		}
		now := l.inHand(i, s.hand)
		if now == "" && before == "" {
			now = l.broughtAt(i, s)
		}
		if now == "" && before != "" && sameThing(l.onto, before, act.Target) && l.shows(i, before) {
			now = before // it is put, or worked on, as what it was
		}
		if now == "" {
			continue
		}
		if is := l.sights[now]; is.first >= s.first && is.first != i || before != "" && before != now {
			return ""
		}
		for j := s.first; j <= s.last; j++ {
			if l.shows(j, now) {
				return ""
			}
		}
		if taken != "" && (!sameThing(l.onto, now, taken) || l.sights[now].first >= s.first) {
			return "" // another of the kind may have been taken
		}
		return now
	}
	return ""
}

// anew is the name before of what shows under a new one as it is taken: the only thing that may
// be meant, of the same class, that no look shows from then on.
func (l *labels) anew(name string, s *handSight) (is string) {
	st := &l.steps[s.first]
	if s.first == 0 {
		return ""
	}
	if !l.takes(st.Action) {
		return l.carried(name, s)
	}
	if l.inHand(s.first, l.held(s.first, name)) != name {
		return ""
	}
	alike := l.kinds[kindOf(s.class)]
	for _, other := range alike[max(0, len(alike)-nearby):] {
		was := l.sights[other]
		if was.first >= s.first || l.isHand(other) || !sameThing(l.onto, other, st.Action.Target) && !sameThing(l.onto, was.class, st.Action.Target) {
			continue
		}
		if is != "" || was.last >= s.first {
			return ""
		}
		is = other
	}
	return is
}

// carried is the name before of what shows under a new one in the hand that held it, or where it
// is put, in the look of that or the next that is of no action: the only thing there, of the same
// class, that no look shows from then on. What a hand holds is not exchanged while the robot moves:
// there it may be of any class.
func (l *labels) carried(name string, s *handSight) string {
	at := s.first
	for at > 0 && l.steps[at].Action.Name == "" && l.steps[at].Agent == "" {
		at--
	}
	st := &l.steps[at]
	schema, known := l.onto.Action(st.Action.Name)
	hand, place := l.held(s.first, name), l.onto.Roles.Place
	if to := st.Action.Destination; hand == "" && (!known || place == nil || schema.Family != place.Family || !sameThing(l.onto, l.place(s.first, name), to)) {
		return ""
	}
	if hand != "" && l.inHand(s.first, hand) != name {
		return ""
	}
	for i := s.first - 1; i >= max(0, s.first-around); i-- {
		if act := l.steps[i].Action; act.Target == name || act.Destination == name {
			return "" // the robot has that name for it
		}
	}
	is := ""
	for i := at - 1; i >= max(0, at-around) && is == ""; i-- {
		switch held, act := l.inHands(i, hand), l.steps[i].Action; {
		case len(held) == 1:
			is = held[0]
		case len(held) > 1 || l.takes(act) || act.Destination != "":
			return ""
		}
	}
	is = cmp.Or(l.called[is], is)
	was, seen := l.sights[is]
	moves := known && l.onto.IsNavigation(schema) && hand != "" && s.hand == hand && seen && was.last == s.first-1 && l.inHand(was.last, hand) == is
	if !seen || was.last >= s.first || kindOf(was.class) != kindOf(s.class) && !moves || hand == "" && !sameThing(l.onto, is, st.Action.Target) && !sameThing(l.onto, was.class, st.Action.Target) {
		return ""
	}
	return is
}

// stands is the name before of what stands where it is, and shows under a new one that no action
// has: the only thing of the same class, that no look shows from then on, or none together with it
// where another word is used for the class.
func (l *labels) stands(name string, s *handSight) string {
	if l.isHand(name) {
		return ""
	}
	class := ClassOf(l.onto, s.class)
	if class == ontology.None || !l.onto.IsA(class, l.onto.Core.PhysicalObject) || l.onto.Roles.Movable == ontology.None || l.onto.HasProperty(class, l.onto.Roles.Movable) {
		return ""
	}
	class = l.onto.Canonical(class)
	before := l.standing[class]
	if len(before) == 1 && s.first > 0 && !l.acted[name] {
		if was := l.sights[before[0]]; was.first < s.first && was.last < s.first {
			was.last = s.last
			return before[0]
		} else if was.first < s.first && kindOf(was.class) != kindOf(s.class) && !l.together(before[0], name) {
			return before[0] // a couch in one look, a sofa in another
		}
	}
	if len(before) < 2 { // of more it is not known which one is meant
		l.standing[class] = append(before, name)
	}
	return ""
}

// together reports whether a look shows both of two.
func (l *labels) together(a, b string) bool {
	for i := range l.steps {
		if l.shows(i, a) && l.shows(i, b) {
			return true
		}
	}
	return false
}

// lies is the name before of what lies where it lay, and shows under a new one that no action has:
// the only thing of the same class that was seen, and that no look shows from then on, where nothing
// like it was taken in between.
func (l *labels) lies(name string, s *handSight) string {
	if s.first == 0 || s.hand != "" || l.acted[name] || l.isHand(name) {
		return ""
	}
	place := l.place(s.first, name)
	if place == "" || l.isHand(place) {
		return ""
	}
	is := ""
	alike := l.kinds[kindOf(s.class)]
	for _, other := range alike[max(0, len(alike)-nearby):] {
		if was := l.sights[other]; other == name || was.first > s.first {
			continue
		}
		if is != "" {
			return ""
		}
		is = other
	}
	was := l.sights[is]
	if was == nil || was.last >= s.first || s.first-was.last > around || was.hand != "" || l.place(was.last, is) != place {
		return ""
	}
	for i := was.last + 1; i <= s.first; i++ {
		if act := l.steps[i].Action; l.mayMean(act, name) || l.mayMean(act, is) || act.Destination != "" && sameThing(l.onto, name, act.Target) {
			return ""
		}
	}
	return is
}

// held is the hand that a look shows something in, "" where it shows it in none.
func (l *labels) held(i int, name string) string {
	for _, e := range l.steps[i].Observation.Edges {
		if e.Subject == name && l.isHand(e.Object) {
			return e.Object
		}
	}
	return ""
}

// renaming puts one name in the place of another.
func renaming(name, is string) func(*string) {
	return func(text *string) {
		if *text == name {
			*text = is
		}
	}
}

// renumbered is a line that calls something by another name.
func (l *labels) renumbered(st episode.Step, name, is string) episode.Step {
	rename := renaming(name, is)
	st.Observation = renamed(st.Observation, rename)
	st.Observation = merged(st.Observation, is)
	rename(&st.Action.Target)
	rename(&st.Action.Destination)
	return st
}

// merged is an observation that shows a thing by its name once.
func merged(o episode.Observation, name string) episode.Observation {
	o.Edges = slices.DeleteFunc(o.Edges, func(e scene.Edge) bool { return e.Subject == name && e.Object == name })
	first := -1
	for i := 0; i < len(o.Nodes); i++ {
		switch {
		case o.Nodes[i].ID != name:
		case first < 0:
			first = i
		default:
			o.Nodes[first].States = slices.Concat(o.Nodes[first].States, o.Nodes[i].States)
			o.Nodes = slices.Delete(o.Nodes, i, i+1)
			i--
		}
	}
	return o
}

// takes reports whether an action may bring something else into a hand.
func (l *labels) takes(a episode.Action) bool {
	schema, known := l.onto.Action(a.Name)
	return known && schema == l.onto.Roles.Take
}

// mayMean reports whether an action takes something that may be what a look calls by a name.
func (l *labels) mayMean(a episode.Action, name string) bool {
	return l.takes(a) && sameThing(l.onto, name, a.Target)
}

// broughtAt is the one thing that a look after an action that puts something down shows at the
// place for it and no look before does: it was known before the hand held anything, or is of the
// class of what was to be put there.
func (l *labels) broughtAt(i int, s *handSight) (out string) {
	schema, known := l.onto.Action(l.steps[i].Action.Name)
	to := l.steps[i].Action.Destination
	if !known || schema == l.onto.Roles.Take || to == "" || i != s.last+1 {
		return ""
	}
	for _, e := range l.steps[i].Observation.Edges {
		was, seen := l.sights[e.Subject]
		if !seen {
			continue // a hand
		}
		known := was.first < s.first || was.first == i && (sameThing(l.onto, was.class, l.steps[i].Action.Target) || sameThing(l.onto, e.Subject, l.steps[i].Action.Target))
		if !sameThing(l.onto, e.Object, to) || !known || l.lay(e, s.first) {
			continue
		}
		if out != "" && out != e.Subject {
			return ""
		}
		out = e.Subject
	}
	return out
}

// lay reports whether a look before an index shows something where an edge has it.
func (l *labels) lay(e scene.Edge, before int) bool {
	for i := max(0, before-nearby); i < before; i++ {
		for _, was := range l.steps[i].Observation.Edges {
			if was.Subject == e.Subject && was.Object == e.Object {
				return true
			}
		}
	}
	return false
}

// relabelled is an observation that calls something by another name. What a look tells of it
// under the wrong one but where it is, is of that label as well.
func (l *labels) relabelled(o episode.Observation, name, is string) episode.Observation {
	out := renamed(o, renaming(name, is))
	class := l.sights[is].class
	for i := range out.Nodes {
		if out.Nodes[i].ID == is {
			out.Nodes[i] = scene.Node{ID: is, Class: class}
		}
	}
	return out
}
