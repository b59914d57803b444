package schema_test

import (
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/bridge/internal/schema"
)

// Numbers are bounded before anything computes with them: the validator panics on an
// exponent of a million and takes minutes for a million digits.
func TestNumbersAreBounded(t *testing.T) {
	for text, want := range map[string]string{
		`{"a": 1e-1000001}`:                              "at /a: the number 1e-1000001, the limit is an exponent of 308",
		`{"a": [1, {"b": 1E999999999}]}`:                 "at /a/1/b: the number 1E999999999",
		`{"a": 1e99999999999999999999}`:                  "the limit is an exponent of 308",
		`{"step": ` + strings.Repeat("1", 3000000) + `}`: "at /step: a number of 3000000 characters, the limit is 64",
		`{"a": -1.5e308, "b": 0.25, "c": 12, "d": 1e0}`:  "",
	} {
		if _, found := schema.Decode([]byte(text)); !strings.Contains(found, want) || want == "" && found != "" {
			t.Errorf("%.40s: found %q, want %q", text, found, want)
		}
	}
}

// Of several things that are wrong the same is told every time.
func TestTheSameIsTold(t *testing.T) {
	s := schema.Compile("x.schema.json", []byte(`{"$defs": {"line": {"type": "object", "additionalProperties": false, "properties": {
		"a": {"type": "array", "minItems": 2}, "b": {"type": "integer"}, "c": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}}}}}`), "line")
	for text, want := range map[string]string{
		`{"c": 1, "b": "x", "a": [1]}`: "at /a: minItems: got 1, want 2",
		`{"c": [1], "b": 1}`:           "at /c: got array, want string",
		`{"z": 1, "y": 1, "x": 1}`:     "at /: additional properties 'x', 'y', 'z' not allowed",
	} {
		doc, _ := schema.Decode([]byte(text))
		for range 20 {
			if found, _, _ := s.Validate("line", doc); found != want {
				t.Fatalf("%s: found %q, want %q", text, found, want)
			}
		}
	}
}
