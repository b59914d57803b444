// Package labelled scores what is found in logs that somebody has labelled: of each
// episode the labels say whether anything goes wrong, and what, when and with which
// objects.
package labelled

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/bridge/internal/schema"
	"github.com/mishap-robotics/mishap/ontology/document"
)

//go:embed truth.schema.json
var schemaText []byte

var compiled = sync.OnceValue(func() *schema.Schema { return schema.Compile("truth.schema.json", schemaText, "label") })

// Schema is the JSON Schema of one label.
func Schema() []byte { return bytes.Clone(schemaText) }

// LabelFile is the name of a file with the label of the one log in its folder.
const LabelFile = "truth.json"

// clean is the kind of an episode in which nothing goes wrong.
const clean = "clean"

// Label is what is known of one episode.
type Label struct {
	Episode string   `json:"episode"`
	Kind    string   `json:"kind"`
	Classes []string `json:"classes"` // any of them is right; "*" is any class
	Window  []moment `json:"window"`  // first and last time of the cause
	Times   []moment `json:"times"`   // of the cause, or of where it shows
	Objects []string `json:"objects"` // that must be named; "A|B" is either
	place   string   // file and line
}

// Clean reports whether nothing goes wrong in the episode.
func (t *Label) Clean() bool { return t.Kind == clean }

// moment is a time as a log writes it, text or number.
type moment string

// UnmarshalJSON reads a text or a number.
func (m *moment) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*m = moment(text)
		return nil
	}
	*m = moment(data)
	return nil
}

// ReadLabels reads the labels of a file: one JSON object, or one a line; of a folder
// every truth.json and truth.jsonl in it and below. The errors name file and line.
func ReadLabels(path string) ([]*Label, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, &input.Error{File: path, Found: input.Cause(err), Expected: "a file or folder of labels"}
	}
	if !info.IsDir() {
		return readFile(path)
	}
	var out []*Label
	err = filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() != LabelFile && d.Name() != LabelFile+"l" {
			return err
		}
		some, err := readFile(p)
		out = append(out, some...)
		return err
	})
	if err == nil && len(out) == 0 {
		err = &input.Error{File: path, Found: "a folder without labels", Expected: "truth.json or truth.jsonl"}
	}
	return out, err
}

func readFile(path string) ([]*Label, error) {
	data, err := input.ReadFile(document.Disk{}, path)
	if err != nil {
		return nil, err
	}
	if json.Valid(data) {
		t, err := readOne(path, 1, data)
		return []*Label{t}, err
	}
	var out []*Label
	seen := map[string]int{}
	err = input.EachLine(path, bytes.NewReader(data), func(n int, line []byte) error {
		t, err := readOne(path, n, line)
		if err != nil {
			return err
		}
		if first, twice := seen[t.Episode]; twice {
			return &input.Error{File: path, Line: n, Found: fmt.Sprintf("a second label of episode %q, first on line %d", t.Episode, first), Expected: "one label an episode"}
		}
		seen[t.Episode] = n
		out = append(out, t)
		return nil
	})
	return out, err
}

func readOne(path string, line int, data []byte) (*Label, error) {
	const expected = "a label as truth.schema.json describes it"
	doc, found := schema.Decode(data)
	if found == "" {
		var want string
		var ok bool
		if found, want, ok = compiled().Validate("label", doc); !ok {
			return nil, &input.Error{File: path, Line: line, Found: found, Expected: want}
		}
	}
	if found != "" {
		return nil, &input.Error{File: path, Line: line, Found: found, Expected: expected}
	}
	t := &Label{place: fmt.Sprintf("%s:%d", path, line)}
	if err := json.Unmarshal(data, t); err != nil {
		return nil, &input.Error{File: path, Line: line, Found: schema.Cause(err), Expected: expected}
	}
	switch {
	case !t.Clean() && len(t.Classes) == 0:
		return nil, &input.Error{File: path, Line: line, Found: "a failing episode without classes", Expected: `"classes", ["*"] where any will do`}
	case len(t.Window) == 1:
		return nil, &input.Error{File: path, Line: line, Found: "a window of one time", Expected: "the first and the last"}
	}
	return t, nil
}
