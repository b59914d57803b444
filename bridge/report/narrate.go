package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/decimal"
)

// Narrate tells an episode in plain English: for each action what the robot set
// out to do, what came of it, what was seen to change and what was heard, with
// the failures where they show, and an account at the end (RECOVER, section
// III-C).
func Narrate(o *ontology.Ontology, res *engine.Result) []string {
	told := NewNarration(o, res)
	out := told.Opening
	for _, st := range told.Steps {
		out = append(out, capitalize(moment(st.Step, timeOf(res.Episode, st.Step)))+": "+st.Text)
		out = append(out, st.Wrong...)
	}
	return append(out, told.Ending...)
}

// Narration is an episode in plain English.
type Narration struct {
	Opening []string
	Steps   []NarratedStep
	Ending  []string
}

// NarratedStep is what happened at a step, and what went wrong there.
type NarratedStep struct {
	Step  int32
	Text  string
	Wrong []string
}

// NewNarration is what Narrate writes, by step.
func NewNarration(o *ontology.Ontology, res *engine.Result) *Narration {
	n := &narrator{onto: o, res: res, objects: res.Trace.Objects}
	out := &Narration{}
	n.opening()
	out.Opening = n.told()
	for i := range res.Trace.Events {
		e := &res.Trace.Events[i]
		n.step(e)
		lines := n.told()
		out.Steps = append(out.Steps, NarratedStep{e.Step, lines[0], lines[1:]})
	}
	n.ending()
	out.Ending = n.told()
	return out
}

// told is what was said since it was last asked.
func (n *narrator) told() []string {
	out := n.out
	n.out = nil
	for i := range out {
		out[i] = clean(out[i])
	}
	return out
}

type narrator struct {
	onto    *ontology.Ontology
	res     *engine.Result
	objects *engine.Objects
	out     []string
	known   map[string]string // what was last seen of each object
	held    map[string]bool   // by gripper: something was last seen in it
	agents  []string          // who is known to act
}

func (n *narrator) say(format string, args ...any) {
	n.out = append(n.out, fmt.Sprintf(format, args...))
}

func (n *narrator) opening() {
	n.known, n.held = map[string]string{}, map[string]bool{}
	ep := n.res.Episode
	text := "Episode " + ep.ID
	if ep.Task != "" {
		text += itsTask + lowerFirst(ep.Task)
	}
	n.say("%s.", strings.TrimSuffix(text, "."))
	if ep.Goal != "" {
		n.say(itsGoal, strings.TrimSuffix(ep.Goal, "."))
	}
	for _, a := range ep.Crew {
		n.agents = append(n.agents, a.Name)
	}
	for i := range ep.Steps {
		st := &ep.Steps[i]
		if n.meet(st); st.Index != 0 {
			continue
		}
		if !st.Observation.Missing {
			for _, name := range n.sightings(&st.Observation.Graph) {
				n.known[name.object] = name.text
			}
			n.say(atFirst, listing(n.texts(&st.Observation.Graph)))
		}
		var told strings.Builder
		if n.sensed(&told, st); told.Len() > 0 {
			n.say("%s", strings.TrimSpace(told.String()))
		}
	}
}

// sensed tells what sensors told of: what was measured, what was heard, and the rest, by the
// labels of their kinds.
func (n *narrator) sensed(text *strings.Builder, st *episode.Step) {
	var sounds, numbers, others []string
	for i := range st.Events {
		e := &st.Events[i]
		said, list := n.sensorEvent(e), &others
		switch ids := n.onto.ByLabel(e.Kind, n.onto.Core.SensorEvent); {
		case len(ids) > 0 && n.onto.IsA(ids[0], n.onto.Core.Sound):
			list = &sounds
		case e.Measured:
			list = &numbers
		}
		if at := e.Time; at != "" && at != st.Time {
			said += " (" + at + ")"
		}
		*list = append(*list, said)
	}
	for _, part := range []struct {
		format string
		told   []string
	}{{heard, sounds}, {measured, numbers}, {sensed, others}} {
		if len(part.told) > 0 {
			fmt.Fprintf(text, part.format, strings.Join(part.told, ", "))
		}
	}
}

// sensorEvent is an event in words: "force spike of Mug-1, 41 N".
func (n *narrator) sensorEvent(e *episode.SensorEvent) string {
	said := e.Kind
	var q *ontology.Quantity
	if ids := n.onto.ByLabel(e.Kind, n.onto.Core.SensorEvent); len(ids) > 0 {
		said, q = n.onto.Label(ids[0]), n.onto.MeasuredBy(ids[0])
	}
	if e.Object != "" {
		said += " of " + e.Object
	}
	if e.Measured {
		said += ", " + n.amount(q, scene.Reading{Number: e.Number, Unit: e.Unit})
	}
	return said
}

func (n *narrator) step(e *engine.Event) {
	ep := n.res.Episode
	var text strings.Builder
	who := theRobot
	if at, known := slices.BinarySearchFunc(ep.Steps, int(e.Step), func(st episode.Step, step int) int { return cmp.Compare(st.Index, step) }); known {
		if onlySensed(&ep.Steps[at]) {
			n.sensed(&text, &ep.Steps[at])
			n.out = append(n.out, strings.TrimPrefix(text.String(), " "))
			n.wrong(e.Step)
			return
		}
		who = n.actor(&ep.Steps[at])
	}
	text.WriteString(who + " ")
	phrase := setOutTo + n.phrase(e.Call)
	if e.First < e.Step {
		phrase = wentOnTo + n.phrase(e.Call)
	}
	text.WriteString(phrase)
	switch {
	case !e.Final:
	case e.Outcome == engine.OutcomeSucceeded:
		text.WriteString(andDid)
	case e.Outcome == engine.OutcomePresumed && n.visible(e.Call):
		text.WriteString(presumablyDid)
	case e.Outcome == engine.OutcomePresumed:
	case e.Outcome == engine.OutcomeRefused:
		text.WriteString(couldNot)
		if len(e.Unmet) > 0 && e.Unmet[0].Comment != "" {
			fmt.Fprintf(&text, ": %s", e.Unmet[0].Comment)
		}
	default:
		text.WriteString(cameToNothing)
	}
	text.WriteByte('.')
	hand := n.objects.Name(e.Call.Gripper)
	if n.held[hand] && e.HandEmpty {
		text.WriteString(gripperEmpty)
	}
	n.held[hand] = e.Observed && !e.HandEmpty || n.held[hand] && !e.Observed
	for i := range ep.Steps {
		if st := &ep.Steps[i]; st.Index == int(e.Step) {
			if st.Observation.Missing {
				text.WriteString(nobodyLooked)
			} else if news := n.news(n.sightings(&st.Observation.Graph)); len(news) > 0 {
				fmt.Fprintf(&text, nowSaw, listing(news))
			}
			if len(st.Sounds) > 0 {
				fmt.Fprintf(&text, heard, strings.Join(st.Sounds, ", "))
			}
			n.sensed(&text, st)
		}
	}
	n.out = append(n.out, text.String())
	n.wrong(e.Step)
}

// actor is who acts in a line, by name where several are known to act.
func (n *narrator) actor(st *episode.Step) string {
	if n.meet(st); st.Agent != "" && len(n.agents) > 1 {
		return st.Agent
	}
	return theRobot
}

// meet notes who acts in a line.
func (n *narrator) meet(st *episode.Step) {
	if st.Action.Name != "" && !slices.Contains(n.agents, st.Agent) {
		n.agents = append(n.agents, st.Agent)
	}
}

// onlySensed reports whether a line tells of sensor events and of nothing else.
func onlySensed(st *episode.Step) bool {
	return st.Action.Name == "" && st.Observation.Missing && len(st.Sounds) == 0 && len(st.Events) > 0
}

// wrong tells of the failures that show at a step.
func (n *narrator) wrong(step int32) {
	for i := range n.res.Findings {
		if f := &n.res.Findings[i]; f.Step == step {
			n.say(wentWrong, f.Explanation)
		}
	}
}

// visible reports whether an action has effects that could be seen; where the
// robot stands cannot.
func (n *narrator) visible(c engine.Call) bool {
	for _, e := range c.Schema.Effects {
		for _, p := range e.Then {
			if p.Predicate != n.onto.Core.Near {
				return true
			}
		}
	}
	return false
}

// phrase is an action by its phrase in the ontology, with the objects' names.
func (n *narrator) phrase(c engine.Call) string {
	target, destination := n.objects.Name(c.Target), n.objects.Name(c.Destination)
	for _, p := range c.Schema.Phrases {
		if strings.Contains(p, "{destination}") == (destination != "") && strings.Contains(p, "{target}") == (target != "") {
			return strings.NewReplacer("{target}", target, "{destination}", destination).Replace(p)
		}
	}
	return n.objects.CallText(c)
}

// news lists what is seen that was not seen so before, and remembers it.
func (n *narrator) news(seen []sighting) []string {
	var out []string
	for _, s := range seen {
		if n.known[s.object] != s.text {
			out = append(out, s.text)
			n.known[s.object] = s.text
		}
	}
	return out
}

func (n *narrator) ending() {
	goal := goalSentences[goal(n.res)]
	if len(n.res.Findings) == 0 {
		n.say(nothingWrong, goal)
		return
	}
	n.say(inAll, goal, count(len(n.res.Findings), "failure"))
	for i := range n.res.Findings {
		f := &n.res.Findings[i]
		text := fmt.Sprintf("  %s at %s", f.Type, moment(f.Step, timeOf(n.res.Episode, f.Step)))
		switch {
		case f.Cause > n.res.Trace.Last():
			text += planTooShort
		case f.Cause != f.Step:
			text += ", caused at " + moment(f.Cause, timeOf(n.res.Episode, f.Cause))
		}
		if f.Recovered {
			text += madeUpFor
		}
		n.out = append(n.out, text+".")
		for _, c := range f.Consequences {
			n.say(followed, moment(c.Step, timeOf(n.res.Episode, c.Step)), c.Explanation)
		}
		if len(f.Strategies) > 0 {
			n.say(toRecover, f.Strategies[0].Description)
		}
	}
}

// sighting is what an observation shows of one object, in words.
type sighting struct{ object, text string }

// sightings writes each object with its states and where it is: "Mug-1 (dirty)
// inside Sink-1".
func (n *narrator) sightings(g *scene.Graph) []sighting {
	var out []sighting
	at := func(object string) *sighting {
		for i := range out {
			if out[i].object == object {
				return &out[i]
			}
		}
		out = append(out, sighting{object, object})
		return &out[len(out)-1]
	}
	for _, node := range g.Nodes {
		s := at(node.ID)
		told := slices.Clone(node.States)
		for _, v := range node.Values {
			told = append(told, n.reading(v))
		}
		if len(told) > 0 {
			s.text += " (" + strings.ReplaceAll(strings.Join(told, ", "), "_", " ") + ")"
		}
	}
	for _, e := range g.Edges {
		s := at(e.Subject)
		s.text += " " + strings.ReplaceAll(e.Relation, "_", " ") + " " + e.Object
	}
	return out
}

func (n *narrator) texts(g *scene.Graph) []string {
	var out []string
	for _, s := range n.sightings(g) {
		out = append(out, s.text)
	}
	return out
}

// reading is a measurement in words, in the unit that the ontology declares where the log
// names none: "temperature 9.5 °C".
func (n *narrator) reading(r scene.Reading) string {
	q := n.onto.QuantityNamed(r.Quantity)
	if q == nil {
		return r.String()
	}
	return n.onto.Label(q.Term) + " " + n.amount(q, r)
}

// amount is how much a measurement tells, with the unit.
func (n *narrator) amount(q *ontology.Quantity, r scene.Reading) string {
	d, err := decimal.FromFloat(r.Number)
	if q == nil || err != nil {
		return strings.TrimSpace(scene.Reading{Number: r.Number, Unit: r.Unit}.String())
	}
	unit := q.Unit
	if u, ok := ontology.UnitOf(r.Unit); ok && r.Unit != "" {
		unit = u
	}
	return unit.Text(d)
}
