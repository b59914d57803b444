// Package mapping says what the topics of a robot's recordings are: which have detections,
// transforms, the state of the gripper, actions, sounds and events, and where in their
// messages. It is written in YAML, and a first one is made of what a recording has.
package mapping

import (
	_ "embed"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/bridge/internal/schema"
	"github.com/mishap-robotics/mishap/bridge/recording/message"
)

//go:embed mapping.schema.json
var schemaText []byte

var compiled = sync.OnceValue(func() *schema.Schema {
	return schema.Compile("mapping.schema.json", schemaText, "mapping")
})

// Schema is the JSON Schema of mapping files.
func Schema() []byte { return slices.Clone(schemaText) }

// Kind is what a topic gives.
type Kind string

// The kinds of topics.
const (
	Detections Kind = "detections"
	Transforms Kind = "transforms"
	Gripper    Kind = "gripper"
	Actions    Kind = "actions"
	Sounds     Kind = "sounds"
	Events     Kind = "events"
	Episode    Kind = "episode"
	Depth      Kind = "depth"      // depth images
	Intrinsics Kind = "intrinsics" // of the cameras that take them
)

// Mapping is what a mapping file says. What its fields mean stands in the schema.
type Mapping struct {
	Version   int      `yaml:"mapping"`
	ID        string   `yaml:"id,omitempty"`
	Task      string   `yaml:"task,omitempty"`
	Goal      string   `yaml:"goal,omitempty"`
	Plan      []string `yaml:"plan,omitempty"`
	Frame     string   `yaml:"frame,omitempty"`
	Camera    string   `yaml:"camera,omitempty"`
	Fingers   string   `yaml:"fingers,omitempty"`
	Robot     string   `yaml:"robot,omitempty"`
	Settle    float64  `yaml:"settle,omitempty"`
	Frames    int      `yaml:"frames,omitempty"`
	KeyFrames string   `yaml:"key_frames,omitempty"`
	Only      string   `yaml:"only,omitempty"`
	Topics    []Topic  `yaml:"topics"`
	Audio     []Audio  `yaml:"audio,omitempty"`

	file  string
	lines map[int]int // of topics, by their place
	// lines of what texts tell, by the places of topic and match
	matches map[[2]int]int
}

// Topic is what one topic gives.
type Topic struct {
	Topic       string            `yaml:"topic"`
	As          Kind              `yaml:"as"`
	Type        string            `yaml:"type,omitempty"`
	Each        string            `yaml:"each,omitempty"`
	Fields      map[string]string `yaml:"fields,omitempty"`
	Set         map[string]string `yaml:"set,omitempty"`
	Names       map[string]string `yaml:"names,omitempty"`
	States      *States           `yaml:"states,omitempty"`
	Status      map[string]string `yaml:"status,omitempty"`
	Snapshots   bool              `yaml:"snapshots,omitempty"`
	Match       []Match           `yaml:"match,omitempty"`
	MinScore    float64           `yaml:"min_score,omitempty"`
	Margin      float64           `yaml:"margin,omitempty"`
	ClosedBelow float64           `yaml:"closed_below,omitempty"`
	EmptyBelow  float64           `yaml:"empty_below,omitempty"`
	Frame       string            `yaml:"frame,omitempty"`
	Depth       string            `yaml:"depth,omitempty"`
	Intrinsics  string            `yaml:"intrinsics,omitempty"`
	Scale       float64           `yaml:"scale,omitempty"`
}

// Audio is a sound file beside a recording.
type Audio struct {
	File      string            `yaml:"file"`
	Scores    string            `yaml:"scores,omitempty"`
	Model     string            `yaml:"model,omitempty"`
	Labels    string            `yaml:"labels,omitempty"`
	Rate      int               `yaml:"rate,omitempty"`
	Window    float64           `yaml:"window,omitempty"`
	Start     float64           `yaml:"start,omitempty"`
	Threshold float64           `yaml:"threshold,omitempty"`
	Above     float64           `yaml:"above,omitempty"`
	MinScore  float64           `yaml:"min_score,omitempty"`
	Margin    float64           `yaml:"margin,omitempty"`
	Names     map[string]string `yaml:"names,omitempty"`
}

// States is where the scores of states stand.
type States struct {
	List   string `yaml:"list,omitempty"`
	Name   string `yaml:"name,omitempty"`
	Score  string `yaml:"score,omitempty"`
	Prefix string `yaml:"prefix,omitempty"`
}

// Match is what an event tells whose text a regular expression matches.
type Match struct {
	Text   string `yaml:"text"`
	Sound  string `yaml:"sound,omitempty"`
	Status string `yaml:"status,omitempty"`
	Event  string `yaml:"event,omitempty"`
	Object string `yaml:"object,omitempty"`
	Value  string `yaml:"value,omitempty"`
	Unit   string `yaml:"unit,omitempty"`
}

// Defaults of what a mapping leaves out.
const (
	DefaultSettle = 1.0 // seconds
	DefaultFrames = 15
)

// maxFile is how long a mapping file may be, in bytes.
const maxFile = 1 << 20

// ReadFile reads a mapping file. The error is an *input.Error with the line.
func ReadFile(fsys fs.FS, name string) (*Mapping, error) {
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, &input.Error{File: name, Found: input.Cause(err), Expected: "a mapping file (YAML)", Err: err}
	}
	return Parse(name, text)
}

// Parse reads a mapping; file is its name in messages. The error is an *input.Error with the
// line.
func Parse(file string, text []byte) (*Mapping, error) {
	if len(text) > maxFile {
		return nil, &input.Error{File: file, Found: "more than 1 MiB", Expected: "a mapping file (YAML)"}
	}
	tree, err := parser.ParseBytes(text, 0)
	if err != nil {
		return nil, notYAML(file, err)
	}
	if len(tree.Docs) == 0 || tree.Docs[0].Body == nil {
		return nil, &input.Error{File: file, Found: "an empty file", Expected: "a mapping file (YAML); \"mishap mapping init\" makes one"}
	}
	if aliased(tree) {
		return nil, &input.Error{File: file, Found: "an anchor or alias", Expected: "everything written where it stands"}
	}
	asJSON, err := yaml.YAMLToJSON(text)
	if err != nil {
		return nil, notYAML(file, err)
	}
	doc, found := schema.Decode(asJSON)
	if found != "" {
		return nil, &input.Error{File: file, Found: found, Expected: "a mapping file (YAML)"}
	}
	if found, expected, ok := compiled().Validate("mapping", doc); !ok {
		place, _, _ := strings.Cut(strings.TrimPrefix(found, "at "), ": ")
		return nil, &input.Error{File: file, Line: lineOf(tree, place), Found: found, Expected: expected + " (\"mishap schema mapping\")"}
	}
	m := &Mapping{file: file, lines: map[int]int{}, matches: map[[2]int]int{}}
	if err := yaml.UnmarshalWithOptions(text, m); err != nil {
		return nil, notYAML(file, err)
	}
	for i := range m.Topics {
		m.lines[i] = lineOf(tree, fmt.Sprintf("/topics/%d", i))
		for j := range m.Topics[i].Match {
			m.matches[[2]int{i, j}] = lineOf(tree, fmt.Sprintf("/topics/%d/match/%d", i, j))
		}
	}
	return m, m.check(tree)
}

func notYAML(file string, err error) error {
	line := 0
	var at yaml.Error
	if asYAML(err, &at) && at.GetToken() != nil {
		line = at.GetToken().Position.Line
		return &input.Error{File: file, Line: line, Found: "no YAML (" + input.Clip(at.GetMessage()) + ")", Expected: "a mapping file (YAML)"}
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return &input.Error{File: file, Found: "no YAML (" + input.Clip(first) + ")", Expected: "a mapping file (YAML)"}
}

func asYAML(err error, to *yaml.Error) bool {
	e, ok := err.(yaml.Error)
	*to = e
	return ok
}

// aliased reports whether a file refers to itself, by which a short one could be long.
func aliased(tree *ast.File) bool {
	found := false
	for _, d := range tree.Docs {
		ast.Walk(visitor(func(n ast.Node) {
			switch n.Type() {
			case ast.AliasType, ast.AnchorType, ast.MergeKeyType:
				found = true
			}
		}), d)
	}
	return found
}

type visitor func(ast.Node)

func (v visitor) Visit(n ast.Node) ast.Visitor {
	v(n)
	return v
}

// lineOf is the line of what a JSON pointer leads to, else of what is nearest about it.
func lineOf(tree *ast.File, pointer string) int {
	for parts := strings.Split(strings.Trim(pointer, "/"), "/"); len(parts) > 0; parts = parts[:len(parts)-1] {
		path := "$"
		for _, p := range parts {
			if p != "" && strings.Trim(p, "0123456789") == "" {
				path += "[" + p + "]"
			} else if p != "" {
				path += ".'" + p + "'"
			}
		}
		y, err := yaml.PathString(path)
		if err != nil {
			continue
		}
		if n, err := y.FilterFile(tree); err == nil && n != nil && n.GetToken() != nil {
			return n.GetToken().Position.Line
		}
	}
	return 0
}

// roles are what fields and constants of a kind of topic may give.
var roles = map[Kind][]string{
	Detections: {"class", "score", "id", "results", "position", "orientation", "size", "points", "x", "y", "width", "height", "stamp", "frame"},
	Transforms: {"parent", "child", "translation", "rotation"},
	Gripper:    {"opening", "closure", "joints", "positions", "joint"},
	Actions:    {"action", "target", "destination", "status", "id", "result", "agent"},
	Sounds:     {"label", "score", "labels", "scores"},
	Events:     {"text", "result", "kind", "object", "value", "unit"},
	Episode:    {},
	Depth:      {"data", "encoding", "format", "width", "height", "step", "big_endian", "stamp", "frame"},
	Intrinsics: {"matrix"},
}

// check refuses paths, expressions and roles that are none.
func (m *Mapping) check(tree *ast.File) error {
	fail := func(i int, at, found, expected string) error {
		return &input.Error{File: m.file, Line: lineOf(tree, fmt.Sprintf("/topics/%d/%s", i, at)), Found: found, Expected: expected}
	}
	for i := range m.Topics {
		t := &m.Topics[i]
		paths := map[string]string{"each": t.Each}
		for role, p := range t.Fields {
			paths["fields/"+role] = p
		}
		for role := range t.Set {
			paths["set/"+role] = ""
		}
		if t.States != nil {
			paths["states/list"], paths["states/name"], paths["states/score"] = t.States.List, t.States.Name, t.States.Score
		}
		for _, at := range slices.Sorted(maps.Keys(paths)) {
			p := paths[at]
			if kind, role, _ := strings.Cut(at, "/"); (kind == "fields" || kind == "set") && !slices.Contains(roles[t.As], role) {
				return fail(i, at, fmt.Sprintf("%s of %s called %q", kind, t.As, input.Clip(role)), "one of "+strings.Join(roles[t.As], ", "))
			}
			if _, err := message.ParsePath(p); err != nil {
				return fail(i, at, fmt.Sprintf("the path %q", input.Clip(p)), "such as results[0].hypothesis.score")
			}
		}
		for j, r := range t.Match {
			if _, err := regexp.Compile(r.Text); err != nil {
				return fail(i, fmt.Sprintf("match/%d/text", j), fmt.Sprintf("the expression %q (%v)", input.Clip(r.Text), err), "a regular expression (RE2)")
			}
		}
	}
	return nil
}

// File is the name of the file it was read from, "" for none.
func (m *Mapping) File() string { return m.file }

// Line is the line of a topic, by its place, 0 for none.
func (m *Mapping) Line(topic int) int { return m.lines[topic] }
