// Package jsonl reads and writes mishap's own log format, JSON Lines. Its
// schema is episode.schema.json; every line is validated against it.
package jsonl

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/bridge/internal/schema"
	"github.com/mishap-robotics/mishap/bridge/internal/setting"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/language"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// Schema is the JSON Schema of a line.
func Schema() []byte { return slices.Clone(schemaText) }

//go:embed episode.schema.json
var schemaText []byte

var compiled = sync.OnceValue(func() *schema.Schema {
	return schema.Compile("episode.schema.json", schemaText, "header", "step", "sensed")
})

type header struct {
	Mishap int               `json:"mishap"`
	ID     string            `json:"id"`
	Task   string            `json:"task,omitempty"`
	Goal   string            `json:"goal,omitempty"`
	Goals  [][]string        `json:"goal_conditions,omitempty"`
	Params map[string]string `json:"params,omitempty"`
	People []setting.Person  `json:"people,omitempty"`
	Agents []agent           `json:"agents,omitempty"`
	Scene  [][]string        `json:"scene,omitempty"`
	Plan   []string          `json:"plan,omitempty"`
	Noise  float64           `json:"noise,omitempty"`
	Hand   bool              `json:"gripper_observed,omitempty"`
	Robot  string            `json:"robot,omitempty"`
	Site   string            `json:"site,omitempty"`
	Start  string            `json:"start,omitempty"`
	Labels []string          `json:"labels,omitempty"`
}

type agent struct {
	Name     string   `json:"name"`
	Class    string   `json:"class,omitempty"`
	Grippers []string `json:"grippers,omitempty"`
	Members  []string `json:"members,omitempty"`
}

type step struct {
	Step        int          `json:"step"`
	Time        timeText     `json:"time,omitempty"`
	Action      string       `json:"action,omitempty"`
	Agent       string       `json:"agent,omitempty"`
	Sounds      []string     `json:"sounds,omitempty"`
	Events      []sensed     `json:"events,omitempty"`
	Values      readings     `json:"values,omitempty"`
	ID          string       `json:"action_id,omitempty"`
	Status      string       `json:"status,omitempty"`
	Result      string       `json:"result,omitempty"`
	Observation *observation `json:"observation,omitempty"`
}

// timeText is a time as the robot's clock writes it: a text, or a number of seconds.
type timeText string

// UnmarshalJSON reads a text or a number; a number keeps its digits.
func (t *timeText) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err == nil {
		*t = timeText(text)
		return nil
	}
	*t = timeText(data)
	return nil
}

type observation struct {
	Complete bool        `json:"complete,omitempty"`
	Nodes    []node      `json:"nodes,omitempty"`
	Edges    [][3]string `json:"edges,omitempty"`
}

type node struct {
	ID         string   `json:"id"`
	Class      string   `json:"class"`
	States     []string `json:"states,omitempty"`
	Properties []string `json:"properties,omitempty"`
	Values     readings `json:"values,omitempty"`
}

// ReadFile reads the episodes of a file, compressed or not.
func ReadFile(o *ontology.Ontology, fsys fs.FS, name string) ([]*episode.Episode, error) {
	f, err := input.Open(fsys, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(o, name, f)
}

// IsArray reports whether a file holds an array whose first element is a header.
func IsArray(fsys fs.FS, name string) bool {
	f, err := input.Open(fsys, name)
	if err != nil {
		return false
	}
	defer f.Close()
	var first struct {
		Mishap int `json:"mishap"`
	}
	dec := json.NewDecoder(io.LimitReader(f, input.MaxLine))
	open, err := dec.Token()
	return err == nil && open == json.Delim('[') && dec.Decode(&first) == nil && first.Mishap != 0
}

// Read reads episodes; file is the name that messages show. What are lines may as well be
// the elements of a JSON array. The error is a *logs.Error at the first line that is
// wrong; nothing is returned with it. What comes before damage in a compressed file is
// read, with a warning.
func Read(o *ontology.Ontology, file string, r io.Reader) ([]*episode.Episode, error) {
	rd := newReader(o, file)
	err := input.EachObject(file, r, func(n int, text []byte) error {
		known := len(rd.episodes)
		plan, things, actions := rd.plan, rd.things, rd.actions
		_, err := rd.line(n, text)
		if known > 0 && len(rd.episodes) > known {
			before := reader{plan: plan, things: things, actions: actions}
			before.replan(rd.episodes[known-1])
		}
		return err
	})
	if err = rd.damaged(err); err != nil {
		return nil, err
	}
	rd.replan(rd.episodes[len(rd.episodes)-1])
	for _, ep := range rd.episodes {
		if err := rd.useless(ep); err != nil {
			return nil, err
		}
	}
	return rd.episodes, nil
}

// Stream reads episodes line by line, as they come: begin is called with each
// header, then step with each of its steps, then warned, unless it is nil, with what is
// odd in a line or was not understood. The error is a *logs.Error, or what one of them
// returns.
func Stream(o *ontology.Ontology, file string, r io.Reader, begin func(*episode.Episode) error, step func(episode.Step) error, warned func([]episode.Warning)) error {
	return Visitor{Begin: begin, Step: step, Warned: warned}.Stream(o, file, r)
}

// Episodes reads a stream of episodes, each as soon as it is over: at the header of the
// next, or at the end of the stream. It holds no more than one. An error ends it.
func Episodes(o *ontology.Ontology, file string, r io.Reader) iter.Seq2[*episode.Episode, error] {
	return func(yield func(*episode.Episode, error) bool) {
		rd := newReader(o, file)
		over := func(ep *episode.Episode) error {
			whole := *ep
			*ep = episode.Episode{ID: ep.ID} // what is needed to see that ids differ
			if err := rd.useless(&whole); err != nil {
				return err
			}
			if !yield(&whole, nil) {
				return errStopped
			}
			return nil
		}
		err := input.EachLine(file, r, func(n int, text []byte) error {
			known := len(rd.episodes)
			if _, err := rd.line(n, text); err != nil {
				return err
			}
			if known > 0 && len(rd.episodes) > known {
				return over(rd.episodes[known-1])
			}
			return nil
		})
		if err == nil {
			err = over(rd.episodes[len(rd.episodes)-1])
		}
		if err != nil && !errors.Is(err, errStopped) {
			yield(nil, err)
		}
	}
}

var errStopped = errors.New("whoever reads has stopped")

// damaged makes a file that breaks off a warning of its last episode, where there is one.
func (r *reader) damaged(err error) error {
	var at *input.Error
	if len(r.episodes) == 0 || !errors.Is(err, input.ErrDamaged) || !errors.As(err, &at) {
		return err
	}
	r.episodes[len(r.episodes)-1].Skip(at.Line, fmt.Sprintf("%s; what comes before is judged", at.Found))
	return nil
}

// useless says why nothing can be learnt from an episode, nil where something can: the
// first line of it that was not understood tells.
func (r *reader) useless(ep *episode.Episode) error {
	first := r.refused[ep.ID]
	acts := func(st episode.Step) bool { return st.Action.Name != "" }
	switch {
	case len(ep.Steps) == 0 && first == nil:
		return r.fail(0, fmt.Sprintf("episode %q without steps", input.Clip(ep.ID)), "at least one step after its header")
	case len(ep.Steps) == 0, first != nil && !language.AnyKnown(r.onto, ep.Steps) && slices.ContainsFunc(ep.Steps, acts):
		return first
	}
	return nil
}

// reader reads line by line. What cannot be understood is passed over with a warning
// where the rest can still be judged.
type reader struct {
	onto        *ontology.Ontology
	file        string
	actions     *language.Actions
	read        map[string]readAction     // by their text
	base        *language.Actions         // for any episode
	things      map[string]bool           // names of things that observations of the episode list, as a sentence may have them
	bareNumbers map[string]bool           // names of things that are a number alone
	plan        []string                  // of the episode, as its header has it
	done        []episode.Action          // the last of the episode
	way         map[string]episode.Action // what of the plan only takes a thing where the next action puts it
	at          map[string]int            // places of the nodes of an observation
	unlisted    map[string]bool           // names of relations of the episode that an observation did not list
	episodes    []*episode.Episode
	ids         map[string]bool
	sensed      []episode.SensorEvent // of the line that was read last, where it is one of these
	tick        string                // the time that the line that was read last tells, where it tells nothing else
	told        int                   // warnings of the episode that were told to whoever streams
	refused     map[string]error      // by episode: its first line that was not understood
	number      int                   // of the last step, as its line says it
	now         lineTime              // of the step that was read last
	bare        bool                  // the line that was read last tells of sensor events and of no step
	whole       bool                  // every line is read the longer way
}

func newReader(o *ontology.Ontology, file string) *reader { return NewDecoder(o).reader(file) }

// lineKind is what a line was.
type lineKind int

const (
	skippedLine lineKind = iota
	headerLine
	stepLine
	sensedLine
)

func (r *reader) fail(line int, found, expected string) error {
	return &input.Error{File: r.file, Line: line, Found: found, Expected: expected}
}

func (r *reader) line(n int, text []byte) (lineKind, error) {
	if len(r.episodes) == 0 || r.whole {
		return r.decode(n, text)
	}
	s := scanners.Get().(*scanner)
	defer scanners.Put(s)
	if l, ok := s.scan(text); ok {
		r.bare = l.isAside()
		r.warnUnknown(n, l.unknown)
		if r.bare && (!l.numbered || r.repeats(l.Step)) {
			return r.aside(n, string(l.Time), l.Events)
		}
		return r.step(n, &l.step)
	}
	return r.decode(n, text)
}

// decode reads a line the longer way: as JSON of any form, of which the schema tells what is
// wrong.
func (r *reader) decode(n int, text []byte) (lineKind, error) {
	doc, found := schema.Decode(text)
	object, ok := doc.(map[string]any)
	if found == "" && !ok {
		found = "JSON that is no object"
	}
	if found != "" {
		return r.unreadable(n, found, "one JSON object")
	}
	if _, ok := object["mishap"]; ok {
		return headerLine, r.header(n, text, object)
	}
	if len(r.episodes) == 0 {
		return skippedLine, r.fail(n, "a first line without \"mishap\"", `a header such as {"mishap":1,"id":"run-1"}`)
	}
	r.bare = isAside(object)
	text, left := writeForms(object, text)
	for _, what := range left {
		r.episodes[len(r.episodes)-1].Warn(n, fmt.Sprintf("found %s; expected it as episode.schema.json describes it; it is left out", input.Clip(what)))
	}
	text = writeActions(object, text)
	text, unfit := withoutOthers(object, text)
	if r.isAside(object) {
		r.warnUnknown(n, append(prune(object, "sensed"), unfit...))
		if found, _, ok := compiled().Validate("sensed", doc); !ok {
			return r.unreadable(n, found, "a line of sensor events as episode.schema.json describes it")
		}
		return r.decodeAside(n, text)
	}
	r.warnUnknown(n, append(prune(object, "step"), unfit...))
	text, misfits, found := withoutMisfits("step", object, text, "step")
	if found != "" {
		return r.unreadable(n, found, "a step line as episode.schema.json describes it")
	}
	for _, found := range misfits {
		r.episodes[len(r.episodes)-1].Warn(n, fmt.Sprintf("found %s; the field is not read", found))
	}
	var s step
	if err := json.Unmarshal(text, &s); err != nil {
		return r.unreadable(n, schema.Cause(err), "a step")
	}
	return r.step(n, &s)
}

// unreadable passes over a line; before the first header it is an error.
func (r *reader) unreadable(n int, found, expected string) (lineKind, error) {
	if len(r.episodes) == 0 {
		return skippedLine, r.fail(n, found, expected)
	}
	ep := r.episodes[len(r.episodes)-1]
	ep.Lines++
	r.skip(ep, n, fmt.Sprintf("found %s; expected %s", found, expected), r.fail(n, found, expected))
	return skippedLine, nil
}

// skip notes a line that was not understood, and the error that it is where no other is.
func (r *reader) skip(ep *episode.Episode, n int, reason string, err error) {
	ep.Skip(n, reason)
	if r.refused[ep.ID] == nil {
		r.refused[ep.ID] = err
	}
}

// warnUnknown tells once of each field that is not read.
func (r *reader) warnUnknown(n int, names []string) {
	ep := r.episodes[len(r.episodes)-1]
	for _, name := range names {
		ep.Warn(n, fmt.Sprintf("field %q is not read", input.Clip(name)))
	}
}

func (r *reader) header(n int, text []byte, doc map[string]any) error {
	text = writeActions(doc, text)
	text, unfit := withoutOthers(doc, text)
	unknown := append(prune(doc, "header"), unfit...)
	text, misfits, found := withoutMisfits("header", doc, text, "mishap", "id")
	if found != "" {
		return r.fail(n, found, "a header line as episode.schema.json describes it")
	}
	var h header
	if err := json.Unmarshal(text, &h); err != nil {
		return r.fail(n, schema.Cause(err), "a header")
	}
	ep := &episode.Episode{ID: h.ID, Source: r.file, Task: h.Task, Goal: h.Goal, Params: h.Params, Noise: h.Noise, GripperObserved: h.Hand}
	if h.Goal != "" {
		ep.GoalLine = n
	}
	if r.ids[ep.ID] {
		return r.fail(n, fmt.Sprintf("a second episode %q", input.Clip(ep.ID)), "each id once")
	}
	r.ids[ep.ID] = true
	ep.Robot, ep.Site, ep.Labels = h.Robot, h.Site, h.Labels
	if ep.Start = h.Start; ep.Start != "" {
		if _, err := ep.Started(); err != nil {
			ep.Start = ""
			ep.Warn(n, fmt.Sprintf("start %q; expected a moment such as 2026-03-01T10:00:00+01:00; the episode has none", input.Clip(h.Start)))
		}
	}
	ep.People = setting.People(h.People)
	for _, a := range h.Agents {
		ep.Crew = append(ep.Crew, episode.Agent(a))
	}
	ep.GoalFacts, _ = setting.Facts(h.Goals, n) // the schema asks for two or three words
	ep.Scene, _ = setting.Facts(h.Scene, n)
	agents := []string{h.Robot}
	for _, a := range h.Agents {
		if a.Class == "" || !r.isPerson(a.Class) {
			agents = append(agents, a.Name)
		}
	}
	r.things = map[string]bool{}
	r.actions = r.base.Knowing(agents, func(name string) bool { return r.things[name] })
	clear(r.read)
	r.plan = h.Plan
	for i, text := range h.Plan {
		a, known := r.actions.ReadNamed(text)
		if !known {
			ep.Warn(n, input.UnknownPlanned(i+1, text, r.actions.Hint(a.Name), r.actions.Err(text)))
		}
		ep.Plan = append(ep.Plan, r.actions.Referring(a, ep.Plan))
	}
	r.done = nil
	r.way = r.actions.OnTheWay(h.Plan, ep.Plan)
	r.episodes, r.told, r.unlisted = append(r.episodes, ep), 0, map[string]bool{}
	r.warnUnknown(n, unknown)
	for _, found := range misfits {
		ep.Warn(n, fmt.Sprintf("found %s; the field is not read", found))
	}
	return nil
}

// lineTime is the time of a line, as it stands there and in seconds where it can be read.
type lineTime struct {
	text    string
	seconds float64
	read    bool
}

func timeOf(text string) lineTime {
	seconds, read := episode.Seconds(text)
	return lineTime{text, seconds, read}
}

func (r *reader) step(n int, s *step) (lineKind, error) {
	r.number = s.Step
	ep := r.episodes[len(r.episodes)-1]
	ep.Lines++
	r.meet(s.Observation)
	status, _ := episode.ReadStatus(s.Status)
	st := episode.Step{Index: s.Step, Time: string(s.Time), Agent: s.Agent, Sounds: s.Sounds, Events: sensorEvents(s.Events, ""), Values: scene.Readings(s.Values), ID: s.ID, Status: status, Result: s.Result, Line: n}
	if s.Action != "" {
		a, known := r.action(s.Action)
		if rest, named := afterName(s.Action, s.Agent); named && !known {
			if told, ok := r.action(rest); ok { // "Tiago picks up the mug"
				a, known = told, true
			}
		}
		if !known {
			err := r.actions.Err(s.Action)
			r.skip(ep, n, input.UnknownAction(s.Action, r.actions.Hint(a.Name), err),
				&input.Error{File: r.file, Line: n, Found: err.Error(), Err: err})
		}
		st.Action = r.actions.Referring(a, r.done)
		if k := len(r.done); k == 0 || r.done[k-1] != st.Action {
			r.done = append(r.done[max(0, k-mostDone):], st.Action)
		}
		st.Index = max(1, st.Index) // before step 1 nothing happened
	}
	if k := len(ep.Steps); k > 0 && ep.Steps[k-1].Index >= st.Index {
		st.Index = ep.Steps[k-1].Index + 1
		ep.Warn(n, fmt.Sprintf("step %d after step %d; the lines are taken in the order in which they stand, and numbered so", s.Step, st.Index-1))
	}
	before, now := r.now, timeOf(st.Time)
	if k := len(ep.Steps); k > 0 && before.text != ep.Steps[k-1].Time {
		before = timeOf(ep.Steps[k-1].Time)
	}
	if k := len(ep.Steps); k > 0 && now.read && before.read && now.seconds < before.seconds {
		ep.Warn(n, fmt.Sprintf("time %s after %s; the lines are taken in the order in which they stand", input.Clip(st.Time), input.Clip(ep.Steps[k-1].Time)))
	}
	if r.now = now; st.Time != "" && !now.read {
		ep.Warn(n, fmt.Sprintf("time %q is no time of the day, date or number of seconds; nothing is judged by it", input.Clip(st.Time)))
	}
	st.Observation.Missing = s.Observation == nil
	if s.Observation != nil {
		r.observe(ep, &st, s.Observation)
	}
	if k := len(ep.Steps); k == cap(ep.Steps) && k < stepsAtOnce {
		ep.Steps = slices.Grow(ep.Steps, max(k, 16)) // twice as many, as steps are large to copy
	}
	ep.Steps = append(ep.Steps, st)
	return stepLine, nil
}

// mostDone is among how many actions that which a pronoun means is looked for.
const mostDone = 64

// stepsAtOnce is for how many steps more there is room at once, at most.
const stepsAtOnce = 4096

// meet notes the names of things that an observation lists and that are written like words.
func (r *reader) meet(o *observation) {
	if o == nil {
		return
	}
	for i := range o.Nodes {
		id := o.Nodes[i].ID
		if _, err := strconv.Atoi(id); err == nil && !r.bareNumbers[id] && len(r.bareNumbers) < mostNames {
			if r.bareNumbers == nil {
				r.bareNumbers = map[string]bool{}
			}
			r.bareNumbers[id] = true
			clear(r.read)
		}
		if r.things == nil || r.things[id] || strings.ContainsAny(id, "0123456789") || len(r.things) == mostNames {
			continue
		}
		r.things[id] = true
		clear(r.read)
	}
}

// replan reads the plan of the episode once more, by the names of things that its observations list.
func (r *reader) replan(ep *episode.Episode) {
	for i, text := range r.plan {
		if i < len(ep.Plan) && len(r.things) > 0 {
			a, _ := r.actions.ReadNamed(text)
			ep.Plan[i] = r.actions.Referring(a, ep.Plan[:i])
		}
	}
}

// isPerson reports whether a label is of a class of people.
func (r *reader) isPerson(label string) bool {
	return slices.ContainsFunc(r.onto.ByLabel(label, r.onto.Core.Agent), func(id ontology.TermID) bool { return r.onto.IsA(id, r.onto.Core.Human) })
}

// afterName is what a text says after the name of who acts.
func afterName(text, agent string) (string, bool) {
	if agent == "" || len(text) <= len(agent) || text[len(agent)] != ' ' || !strings.EqualFold(text[:len(agent)], agent) {
		return "", false
	}
	return text[len(agent)+1:], true
}

// action reads an action; logs repeat them.
func (r *reader) action(text string) (episode.Action, bool) {
	if going, ok := r.way[text]; ok {
		return going, true
	}
	if read, ok := r.read[text]; ok {
		return read.action, read.known
	}
	var read readAction
	said := text
	if whole, ok := actionText(text); ok {
		said = whole
	}
	if read.action, read.known = r.actions.ReadNamed(said); len(r.read) < mostNames {
		for _, name := range []*string{&read.action.Target, &read.action.Destination} {
			_, n := episode.SplitName(*name)
			if id := strconv.Itoa(n); n > 0 && r.bareNumbers[id] && strings.Contains(text, "("+id+")") {
				*name = id // "<milk> (142)" is the node 142
			}
		}
		r.read[text] = read
	}
	return read.action, read.known
}

type readAction struct {
	action episode.Action
	known  bool
}

func (r *reader) observe(ep *episode.Episode, st *episode.Step, o *observation) {
	st.Observation.Complete = o.Complete
	clear(r.at)
	at := r.at
	if len(o.Nodes) > 0 {
		st.Observation.Nodes = make([]scene.Node, 0, len(o.Nodes))
	}
	if len(o.Edges) > 0 {
		st.Observation.Edges = make([]scene.Edge, 0, len(o.Edges))
	}
	for _, nd := range o.Nodes {
		if i, twice := at[nd.ID]; twice {
			ep.Warn(st.Line, fmt.Sprintf("object %q stands twice in one observation; it is taken for one", input.Clip(nd.ID)))
			both := &st.Observation.Nodes[i]
			both.States, both.Properties = append(both.States, nd.States...), append(both.Properties, nd.Properties...)
			both.Values = append(both.Values, nd.Values...)
			continue
		}
		at[nd.ID] = len(st.Observation.Nodes)
		st.Observation.Nodes = append(st.Observation.Nodes, nd.scene())
	}
	for _, e := range o.Edges {
		for _, name := range [2]string{e[0], e[2]} {
			if _, listed := at[name]; listed || r.unlisted[name] {
				continue
			}
			r.unlisted[name] = true
			if !r.isAgentPart(ep, name) {
				ep.Warn(st.Line, fmt.Sprintf("relation %s %s %s names %s, which is not among the nodes of the observation; its states are kept as unknown",
					input.Clip(e[0]), input.Clip(e[1]), input.Clip(e[2]), input.Clip(name)))
			}
		}
		st.Observation.Edges = append(st.Observation.Edges, scene.Edge{Subject: e[0], Relation: e[1], Object: e[2]})
	}
}

// isAgentPart reports whether a name is a robot or a gripper, which need not be
// listed.
func (r *reader) isAgentPart(ep *episode.Episode, name string) bool {
	if slices.ContainsFunc(ep.Crew, func(a episode.Agent) bool { return a.Name == name || slices.Contains(a.Grippers, name) }) {
		return true
	}
	if name == ep.Robot {
		return true
	}
	class, _ := episode.SplitName(name)
	isAgent := func(id ontology.TermID) bool {
		return r.onto.IsA(id, r.onto.Core.RobotGripper) || r.onto.IsA(id, r.onto.Core.Agent)
	}
	if id, ok := r.onto.Lookup(class); ok {
		return isAgent(id)
	}
	noun := language.ReadName(r.onto, strings.ReplaceAll(strings.TrimRight(class, "0123456789"), "-", " "))
	return noun.Class != ontology.None && isAgent(noun.Class)
}
