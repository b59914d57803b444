package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/bridge/internal/schema"
)

// field is one field of a JSON object in a file.
type field struct {
	name  string
	value json.RawMessage
	line  int // of the name, from 1
	// valueLine is where the value starts, which may be below the name.
	valueLine int
}

// fields takes an object of a file apart. encoding/json tells no line for a field
// that it does not know, takes names in any case and lets a later field win over an
// earlier one of the same name. first is the line that the text starts on.
func fields(file string, text []byte, first int, what string) ([]field, error) {
	if !utf8.Valid(text) {
		return nil, &input.Error{File: file, Found: "bytes that are not UTF-8", Expected: "UTF-8 text"}
	}
	d := json.NewDecoder(bytes.NewReader(text))
	line := func() int { return first + bytes.Count(text[:d.InputOffset()], []byte("\n")) }
	fail := func(err error) error {
		n := line()
		if s := (*json.SyntaxError)(nil); errors.As(err, &s) {
			n = first + bytes.Count(text[:min(max(s.Offset-1, 0), int64(len(text)))], []byte("\n"))
		}
		return &input.Error{File: file, Line: n, Found: "no JSON (" + brokenOff(err) + ")", Expected: what}
	}
	open, err := d.Token()
	if err != nil {
		return nil, fail(err)
	}
	if open != json.Delim('{') {
		return nil, &input.Error{File: file, Line: line(), Found: "JSON that is no object", Expected: what}
	}
	var out []field
	seen := map[string]int{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, fail(err)
		}
		name, _ := token.(string) // the decoder takes nothing else here
		f := field{name: name, line: line()}
		if _, again := seen[name]; again {
			return nil, &input.Error{File: file, Line: f.line, Found: quote(name) + " a second time", Expected: "each name once"}
		}
		seen[name] = f.line
		if err := d.Decode(&f.value); err != nil {
			return nil, fail(err)
		}
		f.valueLine = line() - bytes.Count(f.value, []byte("\n"))
		out = append(out, f)
	}
	if _, err := d.Token(); err != nil {
		return nil, fail(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, &input.Error{File: file, Line: line(), Found: "more after the end of the object", Expected: what}
	}
	return out, nil
}

func brokenOff(err error) string {
	return strings.Replace(schema.Cause(err), "the line breaks off", "the file breaks off", 1)
}

// quote shows a name from a file.
func quote(name string) string { return `"` + input.Clip(name) + `"` }
