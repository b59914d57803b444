// Package experience reads and writes what came of recovery strategies in episodes that
// happened: one JSON object a line, of which those of the same class and strategy add up.
package experience

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/mishap-robotics/mishap/bridge/internal/encode"
	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/bridge/internal/schema"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
)

//go:embed experience.schema.json
var schemaText []byte

var compiled = sync.OnceValue(func() *schema.Schema { return schema.Compile("experience.schema.json", schemaText, "count") })

// Schema is the JSON Schema of one line.
func Schema() []byte { return bytes.Clone(schemaText) }

// ReadFile reads a file of counts for an ontology. The errors name file and line: one that
// is no count, a failure class or strategy that the ontology does not have.
func ReadFile(o *ontology.Ontology, path string) (*engine.Experience, error) {
	data, err := input.ReadFile(document.Disk{}, path)
	if err != nil {
		return nil, err
	}
	return Read(o, path, bytes.NewReader(data))
}

// Read is ReadFile for a file that is open; its name is for the errors.
func Read(o *ontology.Ontology, file string, r io.Reader) (*engine.Experience, error) {
	out := &engine.Experience{}
	err := input.EachLine(file, r, func(n int, line []byte) error {
		c, err := readLine(o, line)
		if err != nil {
			err.File, err.Line = file, n
			return err
		}
		out.Add(c)
		return nil
	})
	if err != nil && !errors.Is(err, input.ErrEmpty) { // nothing was counted
		return nil, err
	}
	return out, nil
}

func readLine(o *ontology.Ontology, line []byte) (c engine.StrategyCount, wrong *input.Error) {
	const expected = "a count as experience.schema.json describes it"
	doc, found := schema.Decode(line)
	if found != "" {
		return c, &input.Error{Found: found, Expected: expected}
	}
	if found, want, ok := compiled().Validate("count", doc); !ok {
		return c, &input.Error{Found: found, Expected: want}
	}
	if err := json.Unmarshal(line, &c); err != nil {
		return c, &input.Error{Found: schema.Cause(err), Expected: expected}
	}
	class, known := o.Lookup(c.Class)
	if !known || !o.IsA(class, o.Core.Failure) {
		return c, &input.Error{Found: fmt.Sprintf("%q, which is no failure class of this ontology", input.Clip(c.Class)),
			Expected: "counts of episodes that were checked with the same ontology"}
	}
	var names []string
	for _, s := range o.StrategiesFor(class) {
		names = append(names, s.Name)
	}
	switch {
	case !slices.Contains(names, c.Strategy):
		return c, &input.Error{Found: fmt.Sprintf("%q, which is no strategy for %s", input.Clip(c.Strategy), c.Class), Expected: "one of " + strings.Join(names, ", ")}
	case c.Reached > c.Tried:
		return c, &input.Error{Found: fmt.Sprintf("a goal reached %d of %d times", c.Reached, c.Tried), Expected: "reached at most as often as tried"}
	}
	return c, nil
}

// Write writes counts, one a line, by class and strategy.
func Write(w io.Writer, x *engine.Experience) error {
	e := encode.Lines(w)
	for _, c := range x.Counts() {
		if err := e.Encode(c); err != nil {
			return err
		}
	}
	return nil
}

// WriteFile writes counts to a file; without overwrite one that is there is an error.
func WriteFile(path string, overwrite bool, x *engine.Experience) error {
	var b bytes.Buffer
	if err := Write(&b, x); err != nil {
		return err
	}
	return encode.File(path, overwrite, b.Bytes())
}
