// Package reflectlog reads the logs that the REFLECT framework writes: a folder
// with state_summary_L1.txt, one sentence a key frame, and task.json. Names are
// natural language; the labels of the ontology say what they mean.
package reflectlog

import (
	"bytes"
	"encoding/json"
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
	details
}

// IsFolder reports whether a folder is a log of this form. Either of its files tells,
// so that one that lacks the other is an error and not passed over.
func IsFolder(fsys fs.FS, dir string) bool {
	return slices.ContainsFunc([]string{TaskFile, SummaryFile}, func(name string) bool {
		_, err := fs.Stat(fsys, path.Join(dir, name))
		return err == nil
	})
}

// ReadFolder reads one log.
func ReadFolder(o *ontology.Ontology, fsys fs.FS, dir string) (*episode.Episode, error) {
	taskPath := path.Join(dir, TaskFile)
	data, err := input.ReadFile(fsys, taskPath)
	if err != nil {
		return nil, err
	}
	ep, err := readTask(o, taskPath, data)
	if err != nil {
		return nil, err
	}
	if ep.ID == "" {
		ep.ID = filepath.Base(dir)
	}
	ep.Source = dir
	ep.File = path.Join(dir, SummaryFile)
	f, err := input.Open(fsys, ep.File)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := &reader{onto: o, file: ep.File, ep: ep, phrases: phrases(o)}
	if err := input.EachLine(ep.File, f, r.line); err != nil {
		return nil, err
	}
	return ep, nil
}

func readTask(o *ontology.Ontology, file string, data []byte) (*episode.Episode, error) {
	var t task
	if err := json.Unmarshal(data, &t); err != nil {
		line := 1
		if s, ok := err.(*json.SyntaxError); ok {
			line = 1 + bytes.Count(data[:min(int(s.Offset), len(data))], []byte("\n"))
		}
		return nil, &input.Error{File: file, Line: line, Found: "no JSON (" + input.Clip(err.Error()) + ")", Expected: "the task as one JSON object"}
	}
	if t.Name == "" {
		return nil, &input.Error{File: file, Line: 1, Found: `no "name"`, Expected: "the name of the task"}
	}
	ep := &episode.Episode{ID: t.Folder, Task: t.Name, Goal: t.Success}
	if !t.details.fill(ep) {
		return nil, &input.Error{File: file, Line: 1, Found: "a fact of other than two or three words", Expected: `["Mug-1", "dirty"] or ["Mug-1", "inside", "Sink-1"]`}
	}
	for _, text := range t.Actions {
		a, err := episode.ParseAction(o, text)
		if err != nil {
			return nil, &input.Error{File: file, Line: lineOf(data, text), Found: err.Error(), Err: err}
		}
		ep.Plan = append(ep.Plan, a)
	}
	return ep, nil
}

func lineOf(data []byte, text string) int {
	i := bytes.Index(data, []byte(text))
	return 1 + bytes.Count(data[:max(i, 0)], []byte("\n"))
}

type reader struct {
	onto    *ontology.Ontology
	file    string
	ep      *episode.Episode
	phrases []phrase
	last    string
}

// phrase is a way to say an action.
type phrase struct {
	action  *ontology.Action
	text    string
	pattern *regexp.Regexp
}

// phrases lists the phrases of all actions, longest first.
func phrases(o *ontology.Ontology) []phrase {
	var out []phrase
	for _, a := range o.Actions {
		for _, text := range a.Phrases {
			out = append(out, phrase{a, text, phrasePattern(text)})
		}
	}
	slices.SortStableFunc(out, func(a, b phrase) int { return len(b.text) - len(a.text) })
	return out
}

var frame = regexp.MustCompile(`^(\S+?)\.\s+Action:\s*(.*?)\.(\s+Visual observation:\s*(.*?))?(?:\s*Auditory observation:\s*(.*))?$`)

// line reads one key frame: "00:18. Action: … Visual observation: …".
func (r *reader) line(n int, text []byte) error {
	m := frame.FindStringSubmatch(string(text))
	if m == nil {
		return &input.Error{File: r.file, Line: n, Found: fmt.Sprintf("%q", input.Clip(string(text))),
			Expected: `"TIME. Action: … . Visual observation: … ."`}
	}
	if m[1] < r.last && len(m[1]) == len(r.last) {
		return &input.Error{File: r.file, Line: n, Found: fmt.Sprintf("time %s after %s", m[1], r.last), Expected: "key frames in order of time"}
	}
	r.last = m[1]
	a, err := r.action(m[2])
	if err != nil {
		return &input.Error{File: r.file, Line: n, Found: err.Error(), Expected: "an action the ontology has a phrase for"}
	}
	st := episode.Step{Index: len(r.ep.Steps) + 1, Time: m[1], Action: a, Line: n}
	st.Observation.Missing = m[3] == ""
	r.see(&st, m[4])
	for _, s := range strings.Split(m[5], ",") {
		st.Sounds = append(st.Sounds, r.sounds(s)...)
	}
	r.ep.Steps = append(r.ep.Steps, st)
	return nil
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

// action matches a sentence with the phrases of the ontology, longest first.
func (r *reader) action(text string) (episode.Action, error) {
	text = strings.TrimSpace(text)
	for _, p := range r.phrases {
		if m := p.pattern.FindStringSubmatch(text); m != nil {
			found := r.arguments(p.text, m[1:])
			return episode.Action{Name: p.action.Name, Target: found[0], Destination: found[1]}, nil
		}
	}
	return episode.Action{}, fmt.Errorf("unknown action %q", input.Clip(text))
}

func phrasePattern(phrase string) *regexp.Regexp {
	p := regexp.QuoteMeta(phrase)
	p = strings.ReplaceAll(p, `\{target\}`, `(.+?)`)
	p = strings.ReplaceAll(p, `\{destination\}`, `(.+?)`)
	return regexp.MustCompile(`(?i)^` + p + `$`)
}

func (r *reader) arguments(phrase string, found []string) []string {
	out := []string{"", ""}
	target, destination := strings.Index(phrase, "{target}"), strings.Index(phrase, "{destination}")
	for i, f := range found {
		switch {
		case target >= 0 && (i == 0) == (destination < 0 || target < destination):
			out[0] = r.name(f)
		default:
			out[1] = r.name(f)
		}
	}
	return out
}

// name turns "fourth stove burner" into StoveBurner-4. What the ontology has no
// label for is kept as written.
func (r *reader) name(text string) string {
	text = strings.TrimSpace(text)
	text = strings.TrimPrefix(text, "the ")
	number := 0
	if word, rest, ok := strings.Cut(text, " "); ok {
		if n, ok := r.onto.Ordinal(word); ok {
			number, text = n, rest
		}
	}
	if i := strings.LastIndexByte(text, ' '); i > 0 && number == 0 {
		if n, err := strconv.Atoi(text[i+1:]); err == nil && n > 0 && len(r.onto.ByLabel(text[:i], r.onto.Core.PhysicalObject)) > 0 {
			number, text = n, text[:i]
		}
	}
	class := r.class(text)
	if number > 0 {
		return fmt.Sprintf("%s-%d", class, number)
	}
	return class
}

func (r *reader) class(text string) string {
	ids := r.onto.ByLabel(text, r.onto.Core.PhysicalObject)
	for _, id := range ids {
		if !r.onto.HasType(id, r.onto.Core.ObjectGroup) {
			return r.onto.Name(id)
		}
	}
	if len(ids) > 0 {
		return r.onto.Name(ids[0])
	}
	return text
}

// see reads "pot (empty and clean), sink. pot is inside sink. nothing is inside
// robot gripper."
func (r *reader) see(st *episode.Step, text string) {
	for _, sentence := range strings.Split(text, ".") {
		sentence = strings.TrimSpace(sentence)
		switch subject, relation, object, ok := r.relation(sentence); {
		case sentence == "" || strings.HasPrefix(sentence, "nothing is "):
		case ok:
			st.Observation.Edges = append(st.Observation.Edges, scene.Edge{
				Subject: r.object(st, subject), Relation: relation, Object: r.object(st, object)})
		default:
			for _, item := range splitOutside(sentence) {
				r.object(st, item)
			}
		}
	}
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
	for _, label := range r.onto.Labels(r.onto.Core.SpatialRelation) {
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
	name := r.name(text)
	class, _ := episode.SplitName(name)
	i := 0
	for i < len(st.Observation.Nodes) && st.Observation.Nodes[i].ID != name {
		i++
	}
	if i == len(st.Observation.Nodes) {
		if id, ok := r.onto.Lookup(class); ok && r.onto.IsA(id, r.onto.Core.RobotGripper) {
			return name + gripperNumber(name)
		}
		st.Observation.Nodes = append(st.Observation.Nodes, scene.Node{ID: name, Class: class})
	}
	nd := &st.Observation.Nodes[i]
	for _, s := range splitStates(states) {
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

// splitStates splits "filled with water and clean".
func splitStates(s string) []string {
	var out []string
	for _, part := range strings.Split(s, ",") {
		for _, p := range strings.Split(part, " and ") {
			if p = strings.TrimSpace(p); p != "" {
				out = append(out, p)
			}
		}
	}
	return out
}
