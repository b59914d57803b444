package bench

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/bridge/advice"
	"github.com/mishap-robotics/mishap/bridge/llm"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/replan"
	"github.com/mishap-robotics/mishap/engine/simulation"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/kitchen"
	"github.com/mishap-robotics/mishap/rules"
)

// script is a model that says what it was given to say.
type script struct {
	next string
	by   map[string]string // purpose, where it differs
}

func (*script) Name() string { return "scripted" }

func (s *script) Ask(_ context.Context, q llm.Question) (llm.Answer, error) {
	if s.next == "" {
		return llm.Answer{}, errors.New("down")
	}
	if text, ok := s.by[q.Purpose]; ok {
		return llm.Answer{Text: text}, nil
	}
	return llm.Answer{Text: s.next, Usage: llm.Usage{Calls: 1, PromptTokens: q.Estimate()}}, nil
}

// wise gives the model of a loop the right words before each question.
type wise struct {
	*advice.Hierarchy
	says *script
	own  *replan.Symbolic
}

func (w *wise) Plan(ctx context.Context, r *replan.PlanRequest) ([]replan.Subtask, error) {
	plan, err := w.own.Plan(ctx, r)
	if err != nil {
		return nil, err
	}
	var lines []string
	for i := range plan {
		s := &plan[i]
		switch {
		case s.Asks():
			lines = append(lines, "ask: "+s.Ask[0].String())
		case s.Explore != "":
			lines = append(lines, "find: "+s.Explore)
		default:
			lines = append(lines, s.Text)
		}
	}
	w.say(map[string]any{"subtasks": lines})
	return w.Hierarchy.Plan(ctx, r)
}

func (w *wise) say(v any) {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	w.says.next = string(text)
}

func (w *wise) Answer(ctx context.Context, q replan.Query, sample int) (string, error) {
	own, err := w.own.Answer(ctx, q, sample)
	if err != nil {
		return "", err
	}
	w.says.next = own + "."
	return w.Hierarchy.Answer(ctx, q, sample)
}

func (w *wise) Prevents(ctx context.Context, s replan.Subtask, question string) ([]replan.Reason, error) {
	own, err := w.own.Prevents(ctx, s, question)
	if err != nil {
		return nil, err
	}
	w.say(map[string]any{"reasons": own})
	return w.Hierarchy.Prevents(ctx, s, question)
}

func (w *wise) Motion(ctx context.Context, s replan.Subtask, scene replan.Scene) ([]replan.MotionStep, error) {
	own, err := w.own.Motion(ctx, s, scene)
	if err != nil {
		return nil, err
	}
	w.say(map[string]any{"steps": own})
	return w.Hierarchy.Motion(ctx, s, scene)
}

func (w *wise) Rewards(ctx context.Context, s replan.Subtask, steps []replan.MotionStep, scene replan.Scene) (string, error) {
	own, err := w.own.Rewards(ctx, s, steps, scene)
	if err != nil {
		return "", err
	}
	w.says.next = "```\n" + own + "\n```"
	return w.Hierarchy.Rewards(ctx, s, steps, scene)
}

// lies is the plan of a model that sees what is not there.
const lies = `{"subtasks": ["find: Apple-1", "(pick_up, Apple-1)", "(navigate_to_obj, GarbageCan-1)", "(put_in, Apple-1, GarbageCan-1)"]}`

// prompted is a benchmark, and the prompts of a model.
func prompted(t *testing.T) (*Bench, *advice.Prompts) {
	t.Helper()
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		t.Fatal(err)
	}
	p, err := advice.LoadPrompts("")
	if err != nil {
		t.Fatal(err)
	}
	return &Bench{Reasoner: r, Simulation: kitchen.Default(), Seed: 1}, p
}

// staged is a robot at the start of an exercise, with every part of a loop by symbols.
func staged(t *testing.T, b *Bench, x *exercise) (*simulation.Robot, *replan.Symbolic) {
	t.Helper()
	r, err := simulation.NewRobot(b.Simulation, x.scenario, x.options)
	if err != nil {
		t.Fatal(err)
	}
	s, err := replan.NewSymbolic(context.Background(), b.Reasoner, r, r.Episode(), engine.Planner{})
	if err != nil {
		t.Fatal(err)
	}
	return r, s
}

// hierarchical runs an exercise with a scripted model.
func hierarchical(t *testing.T, b *Bench, x *exercise, p *advice.Prompts, knows bool, otherwise string) (*replan.HierarchicalRun, *advice.Hierarchy, bool) {
	t.Helper()
	r, s := staged(t, b, x)
	says := &script{next: otherwise}
	if otherwise == lies {
		says.by = map[string]string{"perceive": "yes", "prevents": `{"reasons": []}`, "motion": `{"steps": []}`, "rewards": "garbage"}
	}
	h := advice.NewHierarchy(&advice.Adviser{Model: says, Prompts: p, Plain: true}, s, b.Reasoner.Ontology)
	l := h.Loop()
	if knows {
		w := &wise{h, says, s}
		l.Planner, l.Perceiver, l.LowLevel = w, w, w
	}
	c, err := l.Run(context.Background(), s.Intent())
	if err != nil {
		t.Fatal(err)
	}
	return c, h, r.Reached() && len(r.Violated()) == 0
}

// RePlan's seven tasks, each drawn anew a few times, are completed with a model that
// answers well, and with models that do not.
func TestHierarchyWithModel(t *testing.T) {
	b, p := prompted(t)
	rng := b.sampler().random(4000)
	for i := range Size(5, 1) {
		for _, task := range unknownTasks {
			sc, err := b.sampler().unknown(task, i, rng)
			if err != nil {
				t.Fatal(err)
			}
			x := &exercise{scenario: sc}
			c, h, done := hierarchical(t, b, x, p, true, "")
			if !done || c.Ending != engine.Completed || h.Followed == 0 || len(h.Notes) > 0 {
				t.Errorf("%s: %s %s, %d plans of the model followed; notes %s", sc.ID, c.Ending, c.Reason, h.Followed, strings.Join(h.Notes, "; "))
			}
			for _, bad := range []string{"", "Certainly! Let me think.", `{"subtasks": ["(fly, Moon)", "ask: Why?"]}`, `{"subtasks": ["ask: Is there an apple?"]}`, `{"subtasks": ["(navigate_to_obj, DiningTable-1)"], "reasons": [{"object": "robot", "text": "tired"}], "steps": []}`,
				`{"subtasks": ["(navigate_to_obj, YellowCube-1)", "(pick_up, YellowCube-1)", "(navigate_to_obj, GarbageCan-1)", "(put_in, YellowCube-1, GarbageCan-1)"]}`,
				lies,
				`{"subtasks": ["(navigate_to_obj, StoveBurner-1)", "(toggle_on, StoveBurner-1)", "ask: Is the cabinet open?"]}`} {
				if c, h, done := hierarchical(t, b, x, p, false, bad); !done || c.Ending != engine.Completed {
					t.Errorf("%s, model that says %q: %s %s, in the end %v; notes %s", sc.ID, bad, c.Ending, c.Reason, done, strings.Join(h.Notes, "; "))
				}
			}
		}
	}
}

// camera takes one picture again and again.
type camera struct{ taken int }

func (c *camera) Picture(context.Context) (llm.Image, error) {
	c.taken++
	return llm.Image{MIME: "image/png", Data: []byte("not really a picture")}, nil
}

// seeing is a model that answers by pictures, and keeps how many it was shown.
type seeing struct{ pictures int }

func (*seeing) Name() string { return "vision" }

func (s *seeing) Ask(_ context.Context, q llm.Question) (llm.Answer, error) {
	s.pictures += len(q.Images)
	if strings.Contains(q.Prompt, "The camera saw") {
		return llm.Answer{}, errors.New("it was told what it should see")
	}
	if q.Purpose == "prevents" {
		return llm.Answer{Text: `{"reasons": [{"object": "Bar-1", "text": "it is in the way"}]}`}, nil
	}
	return llm.Answer{Text: "Yes"}, nil
}

// A vision model is shown a picture with each question to the perceiver.
func TestVision(t *testing.T) {
	b, p := prompted(t)
	sc, err := b.sampler().unknown(unknownTasks[2], 0, b.sampler().random(4000))
	if err != nil {
		t.Fatal(err)
	}
	_, s := staged(t, b, &exercise{scenario: sc})
	m, c := &seeing{}, &camera{}
	h := advice.NewHierarchy(&advice.Adviser{Model: m, Prompts: p}, s, b.Reasoner.Ontology)
	h.Camera = c
	q, err := replan.ParseQuery("Is the cabinet closed?")
	if err != nil {
		t.Fatal(err)
	}
	answer, err := h.Answer(context.Background(), q, 0)
	if err != nil || answer != "Yes" {
		t.Errorf("%q, %v", answer, err)
	}
	reasons, err := h.Prevents(context.Background(), replan.Subtask{Text: "open the cabinet"}, replan.Paraphrases()[0].Text)
	if err != nil || len(reasons) != 1 || reasons[0].Object != "Bar-1" {
		t.Errorf("%+v, %v", reasons, err)
	}
	if m.pictures != 2 || c.taken != 2 || len(h.Notes) > 0 {
		t.Errorf("%d pictures shown, %d taken, notes %q", m.pictures, c.taken, h.Notes)
	}
}
