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
	"sync"

	"github.com/mishap-robotics/mishap/bridge/internal/encode"
	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/bridge/internal/schema"
	"github.com/mishap-robotics/mishap/bridge/internal/setting"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// Schema is the JSON Schema of a line.
func Schema() []byte { return slices.Clone(schemaText) }

//go:embed episode.schema.json
var schemaText []byte

var compiled = sync.OnceValue(func() *schema.Schema {
	return schema.Compile("episode.schema.json", schemaText, "header", "step")
})

type header struct {
	Mishap int               `json:"mishap"`
	ID     string            `json:"id"`
	Task   string            `json:"task,omitempty"`
	Goal   string            `json:"goal,omitempty"`
	Goals  [][]string        `json:"goal_conditions,omitempty"`
	Params map[string]string `json:"params,omitempty"`
	People []setting.Person  `json:"people,omitempty"`
	Scene  [][]string        `json:"scene,omitempty"`
	Plan   []string          `json:"plan,omitempty"`
	Noise  float64           `json:"noise,omitempty"`
}

type step struct {
	Step        int          `json:"step"`
	Time        string       `json:"time,omitempty"`
	Action      string       `json:"action,omitempty"`
	Agent       string       `json:"agent,omitempty"`
	Sounds      []string     `json:"sounds,omitempty"`
	Observation *observation `json:"observation,omitempty"`
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
}

// ReadFile reads the episodes of a file.
func ReadFile(o *ontology.Ontology, fsys fs.FS, name string) ([]*episode.Episode, error) {
	f, err := input.Open(fsys, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(o, name, f)
}

// Read reads episodes; file is the name that messages show. The error is a
// *logs.Error at the first line that is wrong; nothing is returned with it.
func Read(o *ontology.Ontology, file string, r io.Reader) ([]*episode.Episode, error) {
	rd := &reader{onto: o, file: file}
	if err := input.EachLine(file, r, rd.line); err != nil {
		return nil, err
	}
	for _, ep := range rd.episodes {
		if len(ep.Steps) == 0 {
			return nil, rd.withoutSteps(ep)
		}
	}
	return rd.episodes, nil
}

// Stream reads episodes line by line, as they come: begin is called with each
// header, then step with each of its steps. The error is a *logs.Error, or what
// one of them returns.
func Stream(o *ontology.Ontology, file string, r io.Reader, begin func(*episode.Episode) error, step func(episode.Step) error) error {
	rd := &reader{onto: o, file: file}
	return input.EachLine(file, r, func(n int, text []byte) error {
		episodes := len(rd.episodes)
		if err := rd.line(n, text); err != nil {
			return err
		}
		ep := rd.episodes[len(rd.episodes)-1]
		if len(rd.episodes) > episodes {
			header := *ep
			return begin(&header)
		}
		st := ep.Steps[len(ep.Steps)-1]
		ep.Steps = append(ep.Steps[:0], st) // what is needed to see that steps ascend
		return step(st)
	})
}

// Episodes reads a stream of episodes, each as soon as it is over: at the header of the
// next, or at the end of the stream. It holds no more than one. An error ends it.
func Episodes(o *ontology.Ontology, file string, r io.Reader) iter.Seq2[*episode.Episode, error] {
	return func(yield func(*episode.Episode, error) bool) {
		rd := &reader{onto: o, file: file}
		over := func(ep *episode.Episode) error {
			whole := *ep
			*ep = episode.Episode{ID: ep.ID} // what is needed to see that ids differ
			switch {
			case len(whole.Steps) == 0:
				return rd.withoutSteps(&whole)
			case !yield(&whole, nil):
				return errStopped
			}
			return nil
		}
		err := input.EachLine(file, r, func(n int, text []byte) error {
			known := len(rd.episodes)
			if err := rd.line(n, text); err != nil {
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

func (r *reader) withoutSteps(ep *episode.Episode) error {
	return r.fail(0, fmt.Sprintf("episode %q without steps", input.Clip(ep.ID)), "at least one step after its header")
}

type reader struct {
	onto     *ontology.Ontology
	file     string
	episodes []*episode.Episode
}

func (r *reader) fail(line int, found, expected string) error {
	return &input.Error{File: r.file, Line: line, Found: found, Expected: expected}
}

func (r *reader) line(n int, text []byte) error {
	doc, found := schema.Decode(text)
	if found != "" {
		return r.fail(n, found, "one JSON object")
	}
	object, ok := doc.(map[string]any)
	if !ok {
		return r.fail(n, "JSON that is no object", "one JSON object")
	}
	kind := "step"
	if _, ok := object["mishap"]; ok {
		kind = "header"
	} else if len(r.episodes) == 0 {
		return r.fail(n, "a first line without \"mishap\"", `a header such as {"mishap":1,"id":"run-1"}`)
	}
	if found, _, ok := compiled().Validate(kind, doc); !ok {
		return r.fail(n, found, "a "+kind+" line as episode.schema.json describes it")
	}
	if kind == "header" {
		return r.header(n, text)
	}
	return r.step(n, text)
}

func (r *reader) header(n int, text []byte) error {
	var h header
	if err := json.Unmarshal(text, &h); err != nil {
		return r.fail(n, schema.Cause(err), "a header")
	}
	ep := &episode.Episode{ID: h.ID, Source: r.file, Task: h.Task, Goal: h.Goal, Params: h.Params, Noise: h.Noise}
	for _, other := range r.episodes {
		if other.ID == ep.ID {
			return r.fail(n, fmt.Sprintf("a second episode %q", input.Clip(ep.ID)), "each id once")
		}
	}
	ep.People = setting.People(h.People)
	ep.GoalFacts, _ = setting.Facts(h.Goals, n) // the schema asks for two or three words
	ep.Scene, _ = setting.Facts(h.Scene, n)
	for _, text := range h.Plan {
		a, err := episode.ParseAction(r.onto, text)
		if err != nil {
			return &input.Error{File: r.file, Line: n, Found: "in the plan: " + err.Error(), Err: err}
		}
		ep.Plan = append(ep.Plan, a)
	}
	r.episodes = append(r.episodes, ep)
	return nil
}

func (r *reader) step(n int, text []byte) error {
	var s step
	if err := json.Unmarshal(text, &s); err != nil {
		return r.fail(n, schema.Cause(err), "a step")
	}
	ep := r.episodes[len(r.episodes)-1]
	if k := len(ep.Steps); k > 0 && ep.Steps[k-1].Index >= s.Step {
		return r.fail(n, fmt.Sprintf("step %d after step %d", s.Step, ep.Steps[k-1].Index), "steps in ascending order")
	}
	st := episode.Step{Index: s.Step, Time: s.Time, Agent: s.Agent, Sounds: s.Sounds, Line: n}
	switch {
	case s.Step == 0 && s.Action != "":
		return r.fail(n, "an action at step 0", "step 0 to be the scene before anything happened")
	case s.Step > 0 && s.Action == "":
		return r.fail(n, fmt.Sprintf("step %d without an action", s.Step), `an "action"`)
	case s.Action != "":
		a, err := episode.ParseAction(r.onto, s.Action)
		if err != nil {
			return &input.Error{File: r.file, Line: n, Found: err.Error(), Err: err}
		}
		st.Action = a
	}
	st.Observation.Missing = s.Observation == nil
	if s.Observation != nil {
		if err := r.observe(ep, &st, s.Observation); err != nil {
			return err
		}
	}
	ep.Steps = append(ep.Steps, st)
	return nil
}

func (r *reader) observe(ep *episode.Episode, st *episode.Step, o *observation) error {
	st.Observation.Complete = o.Complete
	seen := map[string]bool{}
	for _, nd := range o.Nodes {
		if seen[nd.ID] {
			return r.fail(st.Line, fmt.Sprintf("object %q twice in one observation", input.Clip(nd.ID)), "each object id once")
		}
		seen[nd.ID] = true
		st.Observation.Nodes = append(st.Observation.Nodes, scene.Node(nd))
	}
	for _, e := range o.Edges {
		for _, name := range []string{e[0], e[2]} {
			if !seen[name] && !r.isAgentPart(name) {
				ep.Warn(st.Line, fmt.Sprintf("relation %s %s %s names %s, which is not among the nodes of the observation; its states are kept as unknown",
					input.Clip(e[0]), input.Clip(e[1]), input.Clip(e[2]), input.Clip(name)))
			}
		}
		st.Observation.Edges = append(st.Observation.Edges, scene.Edge{Subject: e[0], Relation: e[1], Object: e[2]})
	}
	return nil
}

// isAgentPart reports whether a name is a robot or a gripper, which need not be
// listed.
func (r *reader) isAgentPart(name string) bool {
	class, _ := episode.SplitName(name)
	id, ok := r.onto.Lookup(class)
	return ok && (r.onto.IsA(id, r.onto.Core.RobotGripper) || r.onto.IsA(id, r.onto.Core.Agent))
}

// Write writes an episode; reading it back gives the same episode.
func Write(w io.Writer, ep *episode.Episode) error {
	enc := encode.Lines(w)
	h := header{Mishap: 1, ID: ep.ID, Task: ep.Task, Goal: ep.Goal, Params: ep.Params, Goals: setting.Words(ep.GoalFacts), People: setting.FromPeople(ep.People), Scene: setting.Words(ep.Scene), Noise: ep.Noise}
	for _, a := range ep.Plan {
		h.Plan = append(h.Plan, a.String())
	}
	if err := enc.Encode(h); err != nil {
		return err
	}
	for i := range ep.Steps {
		if err := enc.Encode(toStep(&ep.Steps[i])); err != nil {
			return err
		}
	}
	return nil
}

func toStep(st *episode.Step) step {
	s := step{Step: st.Index, Time: st.Time, Action: st.Action.String(), Agent: st.Agent, Sounds: st.Sounds}
	if st.Observation.Missing {
		return s
	}
	o := &observation{Complete: st.Observation.Complete}
	for _, n := range st.Observation.Nodes {
		o.Nodes = append(o.Nodes, node(n))
	}
	for _, e := range st.Observation.Edges {
		o.Edges = append(o.Edges, [3]string{e.Subject, e.Relation, e.Object})
	}
	s.Observation = o
	return s
}
