// Package schema validates lines of JSON against JSON Schemas and words what is
// wrong with them.
package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
)

// Schema is a JSON Schema whose parts are compiled when they are first asked.
type Schema struct {
	parts map[string]func() *jsonschema.Schema
	file  string
}

// Compile reads an embedded schema, which a test keeps valid; file is the name
// that messages show, parts are names below its $defs.
func Compile(file string, text []byte, parts ...string) *Schema {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		panic(err)
	}
	c := jsonschema.NewCompiler()
	url := "https://mishap-robotics.github.io/schema/" + file
	if err := c.AddResource(url, doc); err != nil {
		panic(err)
	}
	out := &Schema{map[string]func() *jsonschema.Schema{}, file}
	var compiling sync.Mutex
	for _, part := range parts {
		out.parts[part] = sync.OnceValue(func() *jsonschema.Schema {
			compiling.Lock()
			defer compiling.Unlock()
			return c.MustCompile(url + "#/$defs/" + part)
		})
	}
	return out
}

// Validate checks a decoded document against a part of the schema. What it
// finds and what it expected are worded for people; ok is true where nothing is
// wrong.
func (s *Schema) Validate(part string, doc any) (found, expected string, ok bool) {
	err := s.parts[part]().Validate(doc)
	if err == nil {
		return "", "", true
	}
	v := deepest(err)
	if v == nil {
		return err.Error(), "a " + part + " as in " + s.file, false
	}
	place := "/" + strings.Join(v.InstanceLocation, "/")
	what := v.ErrorKind.LocalizedString(message.NewPrinter(language.English))
	return fmt.Sprintf("at %s: %s", input.Clip(place), input.Clip(what)), "a " + part + " as " + s.file + " describes it", false
}

// Misfit is the field of a document that Validate finds wrong, or wrong in, and "" where it is
// the document itself or nothing is wrong.
func (s *Schema) Misfit(part string, doc any) string {
	if v := deepest(s.parts[part]().Validate(doc)); v != nil && len(v.InstanceLocation) > 0 {
		return v.InstanceLocation[0]
	}
	return ""
}

// deepest is the first of the innermost causes of an error of the validator, by where they
// are, nil for others.
func deepest(err error) *jsonschema.ValidationError {
	var v *jsonschema.ValidationError
	if !errors.As(err, &v) {
		return nil
	}
	for len(v.Causes) > 0 {
		switch v.ErrorKind.(type) {
		case *kind.AnyOf, *kind.OneOf: // in the order of the schema
			v = v.Causes[0]
		default: // the validator goes over the fields of an object in any order
			v = slices.MinFunc(v.Causes, func(a, b *jsonschema.ValidationError) int {
				return slices.Compare(a.InstanceLocation, b.InstanceLocation)
			})
		}
	}
	if k, ok := v.ErrorKind.(*kind.AdditionalProperties); ok {
		slices.Sort(k.Properties)
	}
	return v
}

// Decode reads JSON into the form that Validate takes; found says what is wrong.
func Decode(text []byte) (doc any, found string) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, "no JSON (" + Cause(err) + ")"
	}
	if found := unbounded(doc, ""); found != "" {
		return nil, found
	}
	return doc, ""
}

// The longest number that is read, in characters, and the largest exponent: the
// validator makes fractions of any size of numbers, which takes as long as they are.
const (
	maxNumber   = 64
	maxExponent = 308
)

// unbounded tells of the first number of a document that is too long; "" for none.
func unbounded(doc any, at string) string {
	switch v := doc.(type) {
	case json.Number:
		if len(v) > maxNumber {
			return fmt.Sprintf("at %s: a number of %d characters, the limit is %d", input.Clip(at), len(v), maxNumber)
		}
		_, exponent, _ := strings.Cut(strings.ToLower(string(v)), "e")
		if n, err := strconv.Atoi(exponent); exponent != "" && (err != nil || n > maxExponent || n < -maxExponent) {
			return fmt.Sprintf("at %s: the number %s, the limit is an exponent of %d", input.Clip(at), v, maxExponent)
		}
	case []any:
		for i, item := range v {
			if found := unbounded(item, fmt.Sprintf("%s/%d", at, i)); found != "" {
				return found
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if found := unbounded(v[name], at+"/"+name); found != "" {
				return found
			}
		}
	}
	return ""
}

// Cause words an error of the JSON decoder.
func Cause(err error) string {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || strings.Contains(err.Error(), "unexpected end") {
		return "the line breaks off"
	}
	return input.Clip(err.Error())
}
