package mapping_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/bridge/perception/mapping"
)

const head = "mapping: 1\ntopics:\n"

func TestParseErrors(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", "m.yaml: found an empty file; expected a mapping file (YAML)"},
		{"no YAML", "mapping: [1", "m.yaml:1: found no YAML ("},
		{"no topics", "mapping: 1\n", "m.yaml:1: found at /: missing property 'topics'"},
		{"unknown field", head + "- topic: /a\n  as: detections\n  colour: red\n", "m.yaml:3: found at /topics/0: additional properties 'colour' not allowed"},
		{"unknown kind", head + "- topic: /a\n  as: detections\n- topic: /b\n  as: smells\n", "m.yaml:6: found at /topics/1/as: value must be one of 'detections', 'transforms'"},
		{"bad path", head + "- topic: /a\n  as: detections\n  fields:\n    class: a[b\n", `m.yaml:6: found the path "a[b"; expected such as results[0].hypothesis.score`},
		{"unknown role", head + "- topic: /a\n  as: detections\n  fields:\n    smell: a\n", `m.yaml:6: found fields of detections called "smell"; expected one of class, score`},
		{"unknown constant", head + "- topic: /a\n  as: events\n  set:\n    smell: a\n", `m.yaml:6: found set of events called "smell"; expected one of text, result`},
		{"bad expression", head + "- topic: /a\n  as: events\n  match:\n  - text: ok\n  - text: '('\n", `m.yaml:7: found the expression "("`},
		{"bad number", head + "- topic: /a\n  as: detections\n  min_score: much\n", "m.yaml:5: found at /topics/0/min_score: got string, want number"},
		{"alias", "mapping: 1\ntopics: &a\n- topic: /a\n  as: detections\nplan: *a\n", "m.yaml: found an anchor or alias; expected everything written where it stands"},
	} {
		_, err := mapping.Parse("m.yaml", []byte(tt.text))
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v\nwant %s", tt.name, err, tt.want)
		}
	}
}

// What is written is read as it was.
func TestWrite(t *testing.T) {
	text := `mapping: 1
task: MakeCoffee
frame: map
settle: 0.5
topics:
- topic: /a
  as: detections
  type: vision_msgs/msg/Detection3DArray
  names:
    "0": Mug
    person: ""
  min_score: 0.3
- topic: /b
  as: actions
  fields:
    action: name
  status:
    RUNNING: started
`
	m, err := mapping.Parse("m.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := m.Write(&out, []mapping.Unrecognised{{Topic: "/odd\nplan: []", Type: "a/B", Encoding: "cdr", Fields: []mapping.Field{{Path: "state", Values: []string{"1", "\"a\nb\""}}}}}); err != nil {
		t.Fatal(err)
	}
	want := "# What the topics of recordings are; \"mishap schema mapping\" describes it.\n" + text + "# Not recognised:\n#   /odd plan: []: a/B (cdr)\n#     state: 1, \"a b\"\n"
	if out.String() != want {
		t.Errorf("wrote\n%s\nwant\n%s", &out, want)
	}
	if line := m.Line(1); line != 13 {
		t.Errorf("the second topic is in line %d", line)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(head + "- topic: /a\n  as: detections\n  fields: {class: a.b}\n"))
	f.Add([]byte("mapping: 1\ntopics: []\nplan: [a, b]\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := mapping.Parse("m.yaml", text)
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := m.Write(&out, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := mapping.Parse("again.yaml", out.Bytes()); err != nil {
			t.Fatalf("%v of\n%s\nwritten for\n%s", err, &out, text)
		}
	})
}
