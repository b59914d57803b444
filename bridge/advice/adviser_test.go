package advice

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/bridge/llm"
	"github.com/mishap-robotics/mishap/bridge/logs/jsonl"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

var update = flag.Bool("update", false, "write the golden files")

// scripted answers by a function, and keeps what it was asked.
type scripted struct {
	asked  []llm.Question
	answer func(q llm.Question) (string, error)
}

func (*scripted) Name() string { return "scripted" }

func (s *scripted) Ask(_ context.Context, q llm.Question) (llm.Answer, error) {
	s.asked = append(s.asked, q)
	text, err := s.answer(q)
	return llm.Answer{Text: text, Structured: q.Schema != nil, Usage: llm.Usage{Calls: 1, PromptTokens: q.Estimate(), AnswerTokens: len(text) / 4}}, err
}

func prompts(t testing.TB) *Prompts {
	t.Helper()
	p, err := LoadPrompts("")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func reasoner(t testing.TB) *engine.Reasoner {
	t.Helper()
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// sample is an episode of the samples.
func sample(t testing.TB, name string) *episode.Episode {
	t.Helper()
	f, err := os.Open(filepath.Join("../../testdata/episodes", name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	eps, err := jsonl.Read(ontology.Default(), name, f)
	if err != nil {
		t.Fatal(err)
	}
	return eps[0]
}

// dialogue is all that a model was asked, in one text.
func dialogue(asked []llm.Question) string {
	var b strings.Builder
	for _, q := range asked {
		b.WriteString("--- " + q.Purpose + "\n" + q.System + "\n\n" + q.Prompt + "\n")
	}
	return b.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(got), 0o644)); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got; write with -update):\n%s", path, diff)
	}
}

// The rendered texts of both questions, and of a plan that goes back.
func TestPromptTexts(t *testing.T) {
	for _, plain := range []bool{false, true} {
		s := &scripted{answer: func(q llm.Question) (string, error) {
			switch {
			case q.Purpose == "reason" && plain:
				return "CAUSE: the mug is full\nCHANGE: it must be emptied", nil
			case q.Purpose == "reason":
				return `{"cause": "the mug is full", "change": "it must be emptied"}`, nil
			case plain:
				return "1. (pick_up, Sword)", nil
			}
			return `{"plan": ["(pick_up, Sword)"]}`, nil
		}}
		a := &Adviser{Model: s, Prompts: prompts(t), Plain: plain}
		m, err := reasoner(t).RecoverEpisode(context.Background(), sample(t, "occupied-put"), engine.Planner{Adviser: a, Revisions: 1})
		if err != nil {
			t.Fatal(err)
		}
		p := m.Plans[0]
		if p.Advice == nil || p.Advice.Taken || p.Advice.Cause != "the mug is full" || p.Advice.Cost.Calls != 3 || len(p.Advice.Attempts) != 2 {
			t.Fatalf("advice %+v", p.Advice)
		}
		golden(t, map[bool]string{false: "prompts.txt", true: "prompts_plain.txt"}[plain], dialogue(s.asked[:3]))
	}
}

// A plan in words that fits is the model's, in two calls.
func TestAdviserInWords(t *testing.T) {
	ep := sample(t, "occupied-put")
	r := reasoner(t)
	ours, err := r.RecoverEpisode(context.Background(), ep, engine.Planner{})
	if err != nil {
		t.Fatal(err)
	}
	plan := ours.Plans[0]
	s := &scripted{answer: func(q llm.Question) (string, error) {
		if q.Purpose == "reason" {
			return "CAUSE: it is full", nil
		}
		return inWords(r.Ontology, plan.Plan), nil
	}}
	m, err := r.RecoverEpisode(context.Background(), sample(t, "occupied-put"), engine.Planner{Adviser: &Adviser{Model: s, Prompts: prompts(t), Plain: true}})
	if err != nil {
		t.Fatal(err)
	}
	got := m.Plans[0]
	if !got.Verified || !got.Advice.Taken || got.Method != engine.MethodAdvised || !slices.Equal(got.Plan, plan.Plan) || got.Advice.Cost.Calls != 2 {
		t.Errorf("verified %v, method %s, advice %+v", got.Verified, got.Method, got.Advice)
	}
}

// inWords is a plan as a list of sentences.
func inWords(o *ontology.Ontology, plan []episode.Action) string {
	var b strings.Builder
	for _, a := range plan {
		schema, _ := o.Action(a.Name)
		b.WriteString("- " + strings.NewReplacer("{target}", "the "+a.Target, "{destination}", "the "+a.Destination).Replace(schema.Phrases[0]) + "\n")
	}
	return b.String()
}

func TestLoadPrompts(t *testing.T) {
	tests := []struct{ name, text, err string }{
		{"reason.tmpl", `{{define "system"}}s{{end}}{{define "prompt"}}{{.Task}} {{.Success}} {{.Subtasks}} {{.Current}} {{.Observed}} {{.Expected}} {{.Differences}} {{.Finding}}{{end}}`, ""},
		{"reason.tmpl", `{{define "system"}}s{{end}}{{define "prompt"}}{{.Task}}
{{.Mood}}{{end}}`, "reason.tmpl:2:"},
		{"reason.tmpl", `{{define "system"}}s{{end}}{{define "prompt"}}{{.Task}}{{end}}`, "{{.Success}} is missing"},
		{"reason.tmpl", `{{define "system"}}s{{end}}`, `defines no "prompt"`},
		{"reason.tmpl", `{{define "system"}}s{{end}}{{define "prompt"}}{{if .Task}}{{end}}`, "reason.tmpl:1"},
		{"raeson.tmpl", `x`, "nothing asks with it"},
		{"readme.md", `x`, "has no templates"},
	}
	for _, tt := range tests {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, tt.name), []byte(tt.text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := LoadPrompts(dir)
		if tt.err == "" && err != nil || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
			t.Errorf("%s %q: %v; want an error with %q", tt.name, tt.text, err, tt.err)
		}
	}
	dir := filepath.Join(t.TempDir(), "mine")
	if err := WriteBuiltin(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadPrompts(dir); err != nil {
		t.Error(err)
	}
	if err := WriteBuiltin(dir); err == nil {
		t.Error("the templates were overwritten")
	}
}

func FuzzPrompts(f *testing.F) {
	f.Add(`{{define "system"}}s{{end}}{{define "prompt"}}{{.Task}}{{end}}`)
	f.Add(`{{range .Subtasks}}`)
	f.Fuzz(func(t *testing.T, text string) {
		p := &Prompts{}
		if err := p.add(&kinds[0], "x.tmpl", text); err != nil && err.Error() == "" {
			t.Error("an error without a text")
		}
	})
}
