// Package planfile reads plan files: plans that no robot has carried out yet. Their
// schema is plan.schema.json; every line is validated against it.
package planfile

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"sync"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/bridge/internal/schema"
	"github.com/mishap-robotics/mishap/bridge/internal/setting"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

// Suffix is how the names of plan files end.
const Suffix = ".plans.jsonl"

// Schema is the JSON Schema of a line.
func Schema() []byte { return slices.Clone(schemaText) }

//go:embed plan.schema.json
var schemaText []byte

var compiled = sync.OnceValue(func() *schema.Schema {
	return schema.Compile("plan.schema.json", schemaText, "plan")
})

type plan struct {
	Episode string            `json:"episode"`
	Task    string            `json:"task"`
	Goal    any               `json:"goal"`
	Scene   []string          `json:"scene"`
	Actions []string          `json:"actions"`
	Params  map[string]string `json:"params"`
}

// ReadFile reads the plans of a file as episodes without steps.
func ReadFile(o *ontology.Ontology, fsys fs.FS, name string) ([]*episode.Episode, error) {
	f, err := input.Open(fsys, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(o, name, f)
}

// Read reads plans; file is the name that messages show. A line that is wrong gives a
// *logs.Error, joined with those of other lines; the plans of the rest are returned with it.
func Read(o *ontology.Ontology, file string, r io.Reader) ([]*episode.Episode, error) {
	ids := map[string]bool{}
	return input.ReadRecords(file, r, func(n int, text []byte) (*episode.Episode, error) {
		ep, err := line(o, file, n, text)
		if err == nil && ids[ep.ID] {
			err = &input.Error{File: file, Line: n, Found: fmt.Sprintf("a second plan %q", input.Clip(ep.ID)), Expected: "each episode once"}
		}
		if err == nil {
			ids[ep.ID] = true
		}
		return ep, err
	})
}

func line(o *ontology.Ontology, file string, n int, text []byte) (*episode.Episode, error) {
	fail := func(found, expected string) error {
		return &input.Error{File: file, Line: n, Found: found, Expected: expected}
	}
	doc, found := schema.Decode(text)
	if found != "" {
		return nil, fail(found, "one JSON object")
	}
	if found, expected, ok := compiled().Validate("plan", doc); !ok {
		return nil, fail(found, expected)
	}
	p, err := decode(doc)
	if err != nil {
		return nil, fail(schema.Cause(err), "a plan")
	}
	ep := &episode.Episode{ID: p.Episode, Source: file, Task: p.Task, Params: p.Params}
	for i, a := range p.Actions {
		action, err := episode.ParseAction(o, a)
		if err != nil {
			return nil, &input.Error{File: file, Line: n, Found: fmt.Sprintf("in action %d: %v", i+1, err), Err: err}
		}
		ep.Plan = append(ep.Plan, action)
	}
	if ep.Scene, err = setting.ParseFacts(p.Scene, n); err != nil {
		return nil, fail(err.Error(), "")
	}
	switch goal := p.Goal.(type) {
	case string:
		ep.Goal, ep.GoalLine = goal, n
	case []any:
		var conditions []string
		for _, c := range goal {
			conditions = append(conditions, fmt.Sprint(c))
		}
		if ep.GoalFacts, err = setting.ParseFacts(conditions, n); err != nil {
			return nil, fail("in the goal: "+err.Error(), "")
		}
	}
	return ep, nil
}

// decode takes the fields that a plan has from a valid document. Names that differ
// from them in case are passed over like any other.
func decode(doc any) (p plan, err error) {
	object, _ := doc.(map[string]any)
	known := map[string]any{}
	for _, name := range []string{"episode", "task", "goal", "scene", "actions", "params"} {
		if v, ok := object[name]; ok {
			known[name] = v
		}
	}
	text, err := json.Marshal(known)
	if err != nil {
		return p, err
	}
	return p, json.Unmarshal(text, &p)
}
