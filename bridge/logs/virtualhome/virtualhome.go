// Package virtualhome reads plans in the notation of VirtualHome, with the scene graphs that
// they were made for. What actions, states and relations mean is in the ontology alone.
package virtualhome

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

// The parts of a folder.
const (
	plansFile   = "plans.jsonl"
	graphFolder = "graphs"
)

// IsFolder reports whether a folder holds plans with their scene graphs.
func IsFolder(fsys fs.FS, name string) bool {
	plans, err := fs.Stat(fsys, path.Join(name, plansFile))
	if err != nil || plans.IsDir() {
		return false
	}
	graphs, err := fs.Stat(fsys, path.Join(name, graphFolder))
	return err == nil && graphs.IsDir()
}

// row is a line of plans. What is said of how the plan fared is not read.
type row struct {
	Model   *string   `json:"model"`
	TaskID  *string   `json:"task_id"`
	Task    string    `json:"task"`
	Actions *[]string `json:"actions"`
}

// ReadFolder reads the plans of a folder, each with the scene before it, as episodes without
// steps, with ids of the form MODEL/TASK. A line that is wrong gives a *logs.Error, joined with
// those of other lines; the plans of the rest are returned with it.
func ReadFolder(o *ontology.Ontology, fsys fs.FS, name string) ([]*episode.Episode, error) {
	file := path.Join(name, plansFile)
	f, err := input.Open(fsys, file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := &reader{onto: o, fsys: fsys, folder: name, file: file, scenes: map[string]*scene{}, ids: map[string]bool{}}
	return input.ReadRecords(file, f, r.line)
}

type reader struct {
	onto         *ontology.Ontology
	fsys         fs.FS
	folder, file string
	scenes       map[string]*scene // by task
	ids          map[string]bool
	known        map[string]string // what a class or category is called in the ontology
}

func (r *reader) line(n int, text []byte) (*episode.Episode, error) {
	fail := func(found, expected string) error {
		return &input.Error{File: r.file, Line: n, Found: found, Expected: expected}
	}
	var row row
	const expected = `one JSON object with "model", "task_id" and "actions"`
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&row); err != nil {
		return nil, fail("text that is no such object ("+err.Error()+")", expected)
	}
	if row.Model == nil || row.TaskID == nil || row.Actions == nil {
		return nil, fail("a plan without model, task or actions", expected)
	}
	ep := &episode.Episode{ID: *row.Model + "/" + *row.TaskID, Source: r.folder, Task: row.Task}
	if r.ids[ep.ID] {
		return nil, fail(fmt.Sprintf("a second plan %q", input.Clip(ep.ID)), "one plan of a model for each task")
	}
	r.ids[ep.ID] = true
	sc, err := r.scene(*row.TaskID, n)
	if err != nil {
		return nil, err
	}
	ep.Things, ep.Scene = sc.things, sc.facts
	for i, text := range *row.Actions {
		a, err := r.action(text)
		if err != nil {
			return nil, &input.Error{File: r.file, Line: n, Found: fmt.Sprintf("in action %d: %v", i+1, err), Err: err}
		}
		ep.Plan = append(ep.Plan, a)
	}
	return ep, nil
}

var (
	actionForm = regexp.MustCompile(`^\[(\w+)\]((?:\s*<[^<>]*>\s*\(\d+\))*)$`)
	objectForm = regexp.MustCompile(`<([^<>]*)>\s*\((\d+)\)`)
)

// action reads "[GRAB] <soap> (1000)".
func (r *reader) action(text string) (episode.Action, error) {
	m := actionForm.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return episode.Action{}, fmt.Errorf("%q; expected the form [GRAB] <soap> (1000)", input.Clip(text))
	}
	words := []string{m[1]}
	for _, object := range objectForm.FindAllStringSubmatch(m[2], -1) {
		words = append(words, object[1]+"-"+object[2])
	}
	return episode.ParseAction(r.onto, "("+strings.Join(words, ", ")+")")
}

// scene is a scene graph as episodes state it. The episodes of a task share it.
type scene struct {
	things []episode.Thing
	facts  []episode.Fact
}

// node is [id, class, category, properties, states].
type node struct {
	id              int
	class, category string
	properties      []string
	states          []string
}

// UnmarshalJSON reads the five parts of a node.
func (n *node) UnmarshalJSON(text []byte) error {
	parts := []any{&n.id, &n.class, &n.category, &n.properties, &n.states}
	return tuple(text, parts, "[id, class, category, properties, states]")
}

// edge is [from, relation, to].
type edge struct {
	from, to int
	relation string
}

// UnmarshalJSON reads the three parts of an edge.
func (e *edge) UnmarshalJSON(text []byte) error {
	return tuple(text, []any{&e.from, &e.relation, &e.to}, "[from, relation, to]")
}

func tuple(text []byte, parts []any, form string) error {
	n := len(parts)
	if err := json.Unmarshal(text, &parts); err != nil || len(parts) != n {
		return fmt.Errorf("%s; expected %s", input.Clip(string(text)), form)
	}
	return nil
}

// scene reads the scene graph of a task, once.
func (r *reader) scene(task string, line int) (*scene, error) {
	if sc, ok := r.scenes[task]; ok {
		return sc, nil
	}
	name := path.Join(r.folder, graphFolder, task+".json")
	f, err := input.Open(r.fsys, name+".gz")
	if errors.Is(err, fs.ErrNotExist) {
		f, err = input.Open(r.fsys, name)
	}
	if err != nil {
		return nil, &input.Error{File: r.file, Line: line, Found: fmt.Sprintf("task %q without a scene graph (%v)", input.Clip(task), err), Expected: name + ".gz", Err: err}
	}
	defer f.Close()
	var graph struct {
		Nodes []node `json:"nodes"`
		Edges []edge `json:"edges"`
	}
	text, err := io.ReadAll(io.LimitReader(f, input.MaxLine))
	if err == nil {
		err = json.Unmarshal(text, &graph)
	}
	if err != nil {
		return nil, &input.Error{File: name + ".gz", Found: "a graph that cannot be read (" + err.Error() + ")", Expected: `{"nodes": […], "edges": […]}`, Err: err}
	}
	sc := &scene{things: make([]episode.Thing, 0, len(graph.Nodes)), facts: make([]episode.Fact, 0, len(graph.Edges)+2*len(graph.Nodes))}
	names := make(map[int]string, len(graph.Nodes))
	for _, n := range graph.Nodes {
		thing := episode.Thing{Name: n.class + "-" + strconv.Itoa(n.id), Classes: r.classes(n), Properties: n.properties}
		names[n.id] = thing.Name
		sc.things = append(sc.things, thing)
		for _, s := range n.states {
			sc.facts = append(sc.facts, episode.Fact{Subject: thing.Name, Relation: s})
		}
	}
	for _, e := range graph.Edges {
		from, to := names[e.from], names[e.to]
		if from == "" || to == "" {
			return nil, &input.Error{File: name + ".gz", Found: fmt.Sprintf("an edge from %d to %d", e.from, e.to), Expected: "ids of nodes"}
		}
		sc.facts = append(sc.facts, episode.Fact{Subject: from, Relation: e.relation, Object: to})
	}
	r.scenes[task] = sc
	return sc, nil
}

// classes are what the ontology knows a node by: its class, its category, or else that it is
// an object.
func (r *reader) classes(n node) []string {
	var out []string
	for _, name := range []string{n.class, n.category} {
		if r.isClass(name) {
			out = append(out, name)
		}
	}
	if out == nil {
		out = append(out, r.onto.Name(r.onto.Core.PhysicalObject))
	}
	return out
}

func (r *reader) isClass(name string) bool {
	if r.known == nil {
		r.known = map[string]string{}
	}
	if known, ok := r.known[name]; ok {
		return known != ""
	}
	for _, kind := range []ontology.TermID{r.onto.Core.PhysicalObject, r.onto.Core.Agent} {
		if ids := r.onto.ByLabel(name, kind); len(ids) > 0 {
			r.known[name] = r.onto.Name(ids[0])
			return true
		}
	}
	r.known[name] = ""
	return false
}
