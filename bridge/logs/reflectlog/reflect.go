// Package reflectlog reads the logs that the REFLECT framework writes: a folder
// with state_summary_L1.txt, one sentence a key frame, and task.json. Names are
// natural language; the labels of the ontology say what they mean.
package reflectlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/language"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// The files of a log folder.
const (
	SummaryFile = "state_summary_L1.txt"
	TaskFile    = "task.json"
)

// task is the part of task.json that describes the run; annotations are not read.
type task struct {
	Name    string   `json:"name"`
	Folder  string   `json:"folder_name"`
	Actions []string `json:"actions"`
	Success string   `json:"success_condition"`
	Objects []string `json:"object_list"`
	details
}

// IsFolder reports whether a folder is a log of this form. Either of its files tells,
// so that one that lacks the other is an error and not passed over.
func IsFolder(fsys fs.FS, dir string) bool {
	return slices.ContainsFunc([]string{TaskFile, SummaryFile}, func(name string) bool {
		_, err := fs.Stat(fsys, input.Stored(fsys, path.Join(dir, name)))
		return err == nil
	})
}

// ReadFolder reads one log.
func ReadFolder(o *ontology.Ontology, fsys fs.FS, dir string) (*episode.Episode, error) {
	taskPath := input.Stored(fsys, path.Join(dir, TaskFile))
	data, err := input.ReadFile(fsys, taskPath)
	if err != nil {
		return nil, err
	}
	ep, t, err := readTask(taskPath, data)
	if err != nil {
		return nil, err
	}
	if ep.ID == "" {
		ep.ID = filepath.Base(dir)
	}
	ep.Source = dir
	ep.File = input.Stored(fsys, path.Join(dir, SummaryFile))
	f, err := input.Open(fsys, ep.File)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := &reader{onto: o, file: ep.File, ep: ep, actions: language.NewActions(o), names: newNamer(o, t.Objects), labels: o.RelationLabels(), held: map[ontology.TermID]string{}}
	type line struct {
		n    int
		text string
	}
	var lines []line
	var captions [][]string
	err = input.EachLine(ep.File, f, func(n int, text []byte) error {
		lines = append(lines, line{n, string(text)})
		if m := frame.FindStringSubmatch(string(text)); m != nil {
			captions = append(captions, r.namesIn(m[4]))
		}
		return nil
	})
	r.names.learn(captions)
	for _, l := range lines {
		r.line(l.n, l.text)
	}
	if err := r.damaged(err); err != nil {
		return nil, err
	}
	r.plan(t.Actions)
	if r.refused != nil && !language.AnyKnown(o, ep.Steps) {
		return nil, r.refused
	}
	return ep, nil
}

func readTask(file string, data []byte) (*episode.Episode, *task, error) {
	var t task
	if err := json.Unmarshal(data, &t); err != nil {
		line := 1
		if s, ok := err.(*json.SyntaxError); ok {
			line = 1 + bytes.Count(data[:min(int(s.Offset), len(data))], []byte("\n"))
		}
		return nil, nil, &input.Error{File: file, Line: line, Found: "no JSON (" + input.Clip(err.Error()) + ")", Expected: "the task as one JSON object"}
	}
	if t.Name == "" {
		return nil, nil, &input.Error{File: file, Line: 1, Found: `no "name"`, Expected: "the name of the task"}
	}
	ep := &episode.Episode{ID: t.Folder, Task: t.Name, Goal: t.Success}
	if t.Success != "" {
		ep.GoalFile, ep.GoalLine = file, lineOf(data, "success_condition")
	}
	if !t.details.fill(ep) {
		return nil, nil, &input.Error{File: file, Line: 1, Found: "a fact of other than two or three words", Expected: `["Mug-1", "dirty"] or ["Mug-1", "inside", "Sink-1"]`}
	}
	return ep, &t, nil
}

// lineOf is the line of an object in JSON on which a field stands, the first where none does.
func lineOf(data []byte, field string) int {
	before, _, found := bytes.Cut(data, []byte(strconv.Quote(field)))
	if !found {
		return 1
	}
	return 1 + bytes.Count(before, []byte("\n"))
}

// plan reads the plan of the task. What the ontology knows no action for stays in it as
// an action whose effects are unknown.
func (r *reader) plan(actions []string) {
	for i, text := range actions {
		a, known := r.actions.Read(text)
		if !known {
			r.ep.Warn(0, input.UnknownPlanned(i+1, text, r.actions.Hint(a.Name), r.actions.Err(text)))
		}
		r.ep.Plan = append(r.ep.Plan, r.actions.Referring(r.named(a), r.ep.Plan))
	}
	way := r.actions.OnTheWay(actions, r.ep.Plan)
	for i := range r.ep.Steps {
		if going, ok := way[r.said[i]]; ok {
			r.ep.Steps[i].Action = going
		}
	}
}

type reader struct {
	onto    *ontology.Ontology
	file    string
	ep      *episode.Episode
	actions *language.Actions
	names   namer
	last    string
	said    []string                   // the action of each step, as it is written
	done    []episode.Action           // one after the other
	labels  []string                   // of relations
	held    map[ontology.TermID]string // what of a class was seen in a gripper last
	refused error                      // the first line that was not understood
}

var frame = regexp.MustCompile(`^(\S+?)\.\s+Action:\s*(.*?)\.(\s+Visual observation:\s*(.*?))?(?:\s*Auditory observation:\s*(.*))?$`)

// line reads one key frame: "00:18. Action: … Visual observation: …". One that cannot be
// read is passed over with a warning.
func (r *reader) line(n int, text string) {
	r.ep.Lines++
	m := frame.FindStringSubmatch(text)
	if m == nil {
		err := &input.Error{File: r.file, Line: n, Found: fmt.Sprintf("%q", input.Clip(text)), Expected: `"TIME. Action: … . Visual observation: … ."`}
		r.skip(n, fmt.Sprintf("found %s; expected %s", err.Found, err.Expected), err)
		return
	}
	if episode.Earlier(m[1], r.last) {
		r.ep.Warn(n, fmt.Sprintf("time %s after %s; the lines are taken in the order in which they stand", m[1], r.last))
	}
	r.last = m[1]
	st := episode.Step{Index: len(r.ep.Steps) + 1, Time: m[1], Line: n}
	if said := strings.TrimSpace(m[2]); said != "" {
		a, known := r.actions.Read(said)
		if !known {
			err := r.actions.Err(said)
			r.skip(n, input.UnknownAction(said, r.actions.Hint(a.Name), err), &input.Error{File: r.file, Line: n, Found: err.Error(), Err: err})
		}
		st.Action = r.actions.Referring(r.named(a), r.done)
		if k := len(r.done); k == 0 || r.done[k-1] != st.Action {
			r.done = append(r.done, st.Action)
		}
	}
	st.Observation.Missing = m[3] == ""
	r.see(&st, m[4])
	for _, s := range strings.Split(m[5], ",") {
		st.Sounds = append(st.Sounds, r.sounds(s)...)
	}
	r.ep.Steps, r.said = append(r.ep.Steps, st), append(r.said, strings.TrimSpace(m[2]))
}

// damaged makes a file that breaks off a warning, where something of it was read.
func (r *reader) damaged(err error) error {
	var at *input.Error
	if len(r.ep.Steps) == 0 || !errors.Is(err, input.ErrDamaged) || !errors.As(err, &at) {
		return err
	}
	r.ep.Skip(at.Line, at.Found+"; what comes before is judged")
	return nil
}

// skip notes a line that was not understood, and the error that it is where no other is.
func (r *reader) skip(n int, reason string, err error) {
	r.ep.Skip(n, reason)
	if r.refused == nil {
		r.refused = err
	}
}

// sounds splits "water runs in sink and something drops" where the whole is the
// label of no sound.
func (r *reader) sounds(text string) []string {
	text = strings.Trim(text, " .")
	first, rest, joined := strings.Cut(text, " and ")
	switch {
	case text == "":
		return nil
	case joined && len(r.onto.ByLabel(text, r.onto.Core.Sound)) == 0:
		return append(r.sounds(first), r.sounds(rest)...)
	}
	return []string{text}
}

// named gives the objects of an action the names that they go by in this log.
func (r *reader) named(a episode.Action) episode.Action {
	a.Target, a.Destination = r.names.name(a.Target), r.names.name(a.Destination)
	return a
}

// see reads "pot (empty and clean), sink. pot is inside sink. nothing is inside
// robot gripper."
func (r *reader) see(st *episode.Step, text string) {
	r.names.bare = r.heldAs(text)
	for _, item := range items(text) {
		switch subject, relation, object, ok := r.relation(item); {
		case strings.HasPrefix(item, nothing):
			r.ep.GripperObserved = true // "nothing is inside robot gripper"
		case ok:
			if _, noun := r.names.read(object); noun.Inner && slices.Contains(r.onto.ByLabel(relation, r.onto.Core.Relation), r.onto.Core.OnTopOf) {
				relation = r.onto.Name(r.onto.Core.Inside) // what lies on a shelf of the fridge is in the fridge
			}
			st.Observation.Edges = append(st.Observation.Edges, scene.Edge{
				Subject: r.object(st, subject), Relation: relation, Object: r.object(st, object)})
		default:
			r.object(st, item)
		}
	}
}

const nothing = "nothing is "

// items are what a caption lists and says, one after the other. Some captions run the last
// object and the first relation together.
func items(text string) []string {
	var out []string
	for sentence := range strings.SplitSeq(text, ".") {
		for _, item := range splitOutside(sentence) {
			if item = strings.TrimSpace(item); item != "" {
				out = append(out, item)
			}
		}
	}
	return out
}

// namesIn are the names by which a caption calls things.
func (r *reader) namesIn(text string) []string {
	var out []string
	for _, item := range items(text) {
		subject, _, object, ok := r.relation(item)
		if !ok {
			subject = item
		}
		for _, name := range []string{subject, object} {
			name, _, _ = strings.Cut(name, "(")
			if name = strings.TrimSpace(name); name != "" && !strings.HasPrefix(item, nothing) {
				out = append(out, name)
			}
		}
	}
	return out
}

// heldAs gives what a caption calls by its class alone, and says to be in a gripper, the name
// of that which was in it before: a green apple whose colour is not told again.
func (r *reader) heldAs(text string) map[ontology.TermID]string {
	out := map[ontology.TermID]string{}
	for _, sentence := range strings.Split(text, ".") {
		subject, _, object, ok := r.relation(strings.TrimSpace(sentence))
		if !ok || !r.onto.IsA(language.ReadNoun(r.onto, object).Class, r.onto.Core.RobotGripper) {
			continue
		}
		subject, _, _ = strings.Cut(subject, "(")
		noun := r.names.noun(subject)
		if noun.Class == ontology.None {
			continue
		}
		class := r.onto.Canonical(noun.Class)
		if noun.Modifiers != "" || noun.Number > 0 {
			r.held[class] = r.names.name(strings.TrimSpace(subject))
		} else if r.held[class] != "" && len(r.names.numbers[class]) > 1 {
			out[noun.Class] = r.held[class]
		}
	}
	return out
}

// splitOutside splits at commas that are not in parentheses.
func splitOutside(s string) []string {
	var out []string
	depth, from := 0, 0
	for i, c := range s {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			out = append(out, s[from:i])
			from = i + 1
		}
	}
	return append(out, s[from:])
}

// relation splits a sentence at the longest label of a relation.
func (r *reader) relation(s string) (subject, relation, object string, ok bool) {
	for _, label := range r.labels {
		for _, verb := range []string{" is ", " are ", " "} {
			if i := strings.Index(s, verb+label+" "); i > 0 && (verb != " " || strings.HasSuffix(label, "s")) {
				return s[:i], label, s[i+len(verb)+len(label)+1:], true
			}
		}
	}
	return "", "", "", false
}

// object notes an object of an observation with the states in parentheses and
// gives its name.
func (r *reader) object(st *episode.Step, text string) string {
	text = strings.TrimSpace(text)
	states := ""
	if i := strings.IndexByte(text, '('); i >= 0 {
		text, states = strings.TrimSpace(text[:i]), strings.TrimSuffix(strings.TrimSpace(text[i+1:]), ")")
	}
	if text == "" {
		return ""
	}
	name, noun := r.names.read(text)
	class, _ := episode.SplitName(name)
	i := 0
	for i < len(st.Observation.Nodes) && st.Observation.Nodes[i].ID != name {
		i++
	}
	if i == len(st.Observation.Nodes) {
		if id, ok := r.onto.Lookup(class); ok && r.onto.IsA(id, r.onto.Core.RobotGripper) {
			return name + gripperNumber(name)
		}
		if noun.Contents != ontology.None {
			class = r.onto.Terms[noun.Contents].Label() + " " + class
		}
		st.Observation.Nodes = append(st.Observation.Nodes, scene.Node{ID: name, Class: class})
	}
	nd := &st.Observation.Nodes[i]
	for _, said := range [][]ontology.TermID{noun.States, noun.Properties} {
		for _, id := range said {
			if text := r.onto.Terms[id].Label(); !slices.Contains(nd.States, text) && !slices.Contains(nd.Properties, text) {
				states = strings.Trim(states+", "+text, ", ")
			}
		}
	}
	for _, s := range r.splitStates(states) {
		known := func(kind ontology.TermID) bool { return len(r.onto.ByLabel(s, kind)) > 0 }
		if !known(r.onto.Core.StateClass) && (known(r.onto.Core.Material) || known(r.onto.Core.PhysicalProperty)) {
			nd.Properties = append(nd.Properties, s)
		} else {
			nd.States = append(nd.States, s)
		}
	}
	return name
}

// gripperNumber completes the name of the only gripper.
func gripperNumber(name string) string {
	if _, n := episode.SplitName(name); n > 0 {
		return ""
	}
	return "-1"
}

// splitStates splits "filled with water and clean", and takes the state for what names
// the part that is in it: "with door open".
func (r *reader) splitStates(s string) []string {
	var out []string
	for _, part := range strings.Split(s, ",") {
		for _, p := range strings.Split(part, " and ") {
			if p = strings.TrimSpace(p); p == "" {
				continue
			}
			if st, ok := language.State(r.onto, p); ok && len(r.onto.ByLabel(p, r.onto.Core.StateClass)) == 0 {
				p = r.onto.Terms[st].Label()
			}
			out = append(out, p)
		}
	}
	return out
}
