package advice

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/bridge/llm"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

// listener keeps the first situation in which it was asked about each failure class.
type listener struct{ heard map[string]*engine.Situation }

func (listener) Name() string { return "listener" }

func (l listener) Consult(s *engine.Situation) func(context.Context, []engine.Attempt) (*engine.Opinion, error) {
	if s.Finding != nil && l.heard[s.Finding.Type] == nil {
		l.heard[s.Finding.Type] = s
	}
	return func(context.Context, []engine.Attempt) (*engine.Opinion, error) { return nil, errors.New("listening") }
}

// situations has one of each failure class that the samples show.
func situations(t *testing.T) map[string]*engine.Situation {
	t.Helper()
	r, l := reasoner(t), listener{map[string]*engine.Situation{}}
	files, err := filepath.Glob("../../testdata/episodes/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	for _, path := range files {
		ep := sample(t, strings.TrimSuffix(filepath.Base(path), ".jsonl"))
		m, err := r.RecoverEpisode(context.Background(), ep, engine.Planner{Adviser: l})
		if err != nil {
			t.Fatal(err)
		}
		for i := range m.Result.Findings { // of what nothing is left to do about it is not asked
			if f := &m.Result.Findings[i]; l.heard[f.Type] == nil {
				l.heard[f.Type] = situationAt(t, r, ep, f)
			}
		}
	}
	return l.heard
}

func situationAt(t *testing.T, r *engine.Reasoner, ep *episode.Episode, f *engine.Finding) *engine.Situation {
	t.Helper()
	m, err := r.WatchTo(context.Background(), ep, f.Step)
	if err != nil {
		t.Fatal(err)
	}
	s, err := m.Situation(context.Background(), f, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// told is all that a model is told of a situation.
func told(t *testing.T, s *engine.Situation) string {
	t.Helper()
	p := prompts(t)
	reason, replan := reasonView(s), replanView(s, &engine.Opinion{Cause: "what it says", Change: "what must change"}, nil)
	reason.Structured, replan.Structured = true, true
	var b strings.Builder
	for _, ask := range []struct {
		name string
		data any
	}{{reasonPrompt, reason}, {replanPrompt, replan}} {
		q, err := p.question(ask.name, ask.data)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString("--- " + q.Purpose + "\n" + q.System + "\n\n" + q.Prompt + "\n")
	}
	return b.String()
}

// What a model is told of each failure class, whole; every strategy of the class is in it
// with its full text.
func TestToldOfEachClass(t *testing.T) {
	o := ontology.Default()
	heard := situations(t)
	for _, class := range o.Subclasses(o.Core.Failure) {
		name := o.Name(class)
		s := heard[name]
		if s == nil {
			if len(o.Subclasses(class)) == 0 {
				t.Errorf("no sample has a %s", name)
			}
			continue
		}
		text := told(t, s)
		golden(t, filepath.Join("told", name+".txt"), text)
		for _, st := range o.StrategiesFor(class) {
			if full := st.Name + ": " + clean(o.Terms[st.Term].Comment, longestStrategy); !strings.Contains(text, full) {
				t.Errorf("%s: the strategy %s is missing, or not whole", name, full)
			}
		}
		for _, of := range [][]engine.GroundedStrategy{s.Strategies, s.Others} {
			for _, st := range of {
				for _, a := range st.Actions {
					if !strings.Contains(text, a) {
						t.Errorf("%s: %s of %s is missing", name, a, st.Name)
					}
				}
			}
		}
	}
}

func TestPersonOf(t *testing.T) {
	for text, want := range map[string]string{
		`{"plan": [], "person": " open the safe "}`:                              "open the safe",
		"```json\n{\"plan\": [], \"person\": \"open the safe\"}\n```":            "open the safe",
		`{"person": "open the safe"}`:                                            "open the safe",
		`{"plan": ["(pick_up, Mug-1)"], "person": "open the safe"}`:              "",
		`{"plan": [], "person": ""}`:                                             "",
		`{"plan": [], "person": 3}`:                                              "",
		"PERSON: open the safe":                                                  "open the safe",
		"<think>1. (pick_up, Mug)</think>I cannot do it.\nPERSON: open the safe": "open the safe",
		"1. (pick_up, Mug-1)\nPERSON: open the safe":                             "",
		"A person should do it.":                                                 "",
		"":                                                                       "",
	} {
		if got := personOf(text); got != want {
			t.Errorf("personOf(%q) = %q, want %q", text, got, want)
		}
	}
}

// What a person would have to do reaches the report, and the plan that there is stays.
func TestPersonInAnswer(t *testing.T) {
	for _, tt := range []struct {
		sample string
		needed bool // where no plan is verified
	}{{"occupied-put", false}, {"dropping-and-breaking-obj", true}} {
		s := &scripted{answer: func(q llm.Question) (string, error) {
			if q.Purpose == reasonPrompt {
				return `{"cause": "c", "change": "c"}`, nil
			}
			return `{"plan": [], "person": "bring another one"}`, nil
		}}
		m, err := reasoner(t).RecoverEpisode(context.Background(), sample(t, tt.sample), engine.Planner{Adviser: &Adviser{Model: s, Prompts: prompts(t)}})
		if err != nil {
			t.Fatal(err)
		}
		p := m.Plans[0]
		if p.Advice == nil || p.Advice.Person != "bring another one" || p.Verified == tt.needed || slices.Contains(p.NeedsPerson, "bring another one") != tt.needed {
			t.Errorf("%s: verified %v, persons %q, advice %+v", tt.sample, p.Verified, p.NeedsPerson, p.Advice)
		}
	}
}
