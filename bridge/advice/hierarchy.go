package advice

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/bridge/llm"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/replan"
	"github.com/mishap-robotics/mishap/ontology"
)

// subtaskData is what the template subtasks.tmpl is filled with.
type subtaskData struct {
	Goal                                         string
	Conditions, Missing, Objects, Facts, Answers []string
	Actions                                      []actionForm
	Failures                                     []failedPlan
}

// failedPlan is a plan that failed, with what prevents it.
type failedPlan struct {
	Plan       []string
	At, Detail string
	Reasons    []string
}

// perceiveData is what the templates perceive.tmpl and prevents.tmpl are filled with.
type perceiveData struct {
	Question string
	Picture  bool     // one is sent; else Seen counts
	Seen     []string // what the camera saw
	Objects  []string
}

// motionData is what the templates motion.tmpl and rewards.tmpl are filled with.
type motionData struct {
	Subtask          string
	Objects, Motions []string
}

var (
	subtasksPrompt = register("subtasks", subtaskData{"g", []string{"c"}, []string{"m"}, []string{"o"}, []string{"f"}, []string{"a"}, []actionForm{{"f", "m"}},
		[]failedPlan{{[]string{"p"}, "a", "d", []string{"r"}}}}, subtaskData{}, "Goal", "Actions", "Objects", "Facts", "Failures")
	perceivePrompt = register("perceive", perceiveData{"q", true, []string{"s"}, []string{"o"}}, perceiveData{}, "Question", "Seen")
	preventsPrompt = register("prevents", perceiveData{"q", true, []string{"s"}, []string{"o"}}, perceiveData{}, "Question", "Seen", "Objects")
	motionPrompt   = register("motion", motionData{"s", []string{"o"}, []string{"m"}}, motionData{}, "Subtask", "Objects")
	rewardsPrompt  = register("rewards", motionData{"s", []string{"o"}, []string{"m"}}, motionData{}, "Subtask", "Motions", "Objects")

	subtasksSchema = answerSchema("subtasks")
	reasonsSchema  = answerSchema("reasons")
	motionSchema   = answerSchema("motion")
)

// Imager takes pictures of the scene, for a vision model.
type Imager interface {
	// Picture is what is to be seen now. Where it fails the answer is mishap's own.
	Picture(ctx context.Context) (llm.Image, error)
}

// Hierarchy asks a model for the parts of RePlan's loop. What it cannot answer, or
// answers so that it cannot be read, Symbolic does, and it does all once two plans have
// come to nothing. It is for one run.
type Hierarchy struct {
	*Baseline
	Symbolic *replan.Symbolic
	Ontology *ontology.Ontology
	// Camera takes the pictures that the perceiver looks at; nil where it is told what
	// the camera saw.
	Camera Imager
	// ModelOnly lets mishap answer nothing in the place of the model, however often that fails.
	ModelOnly bool
	// Unjudged carries a plan out as it comes, without judging first whether it could go through.
	Unjudged bool
	// Notes say where the model was not followed, and why.
	Notes []string
	// Followed is how many plans are the model's.
	Followed int

	refused int      // plans that came to nothing
	tried   []string // plans of the model
	own     bool     // the present plan is mishap's
	told    bool     // that mishap goes on by itself
	silent  bool     // that the model is not asked any more was noted
	learned int      // plans of the model that ask or search
}

// given reports that mishap goes on by itself: plans of the model came to nothing, or
// it asks and asks.
func (h *Hierarchy) given() bool {
	return !h.ModelOnly && (h.refused >= mostRefused || h.learned >= mostLearned)
}

// NewHierarchy begins a run in which a model plans, perceives and writes the reward
// terms, and the rest is symbolic.
func NewHierarchy(a *Adviser, s *replan.Symbolic, o *ontology.Ontology) *Hierarchy {
	return &Hierarchy{Baseline: NewBaseline(a), Symbolic: s, Ontology: o}
}

// Loop is a loop with the model for the planner, the perceiver and the low-level
// planner.
func (h *Hierarchy) Loop() *replan.HierarchicalLoop {
	l := h.Symbolic.Loop()
	l.Planner, l.Perceiver, l.LowLevel, l.Checker = h, h, h, h
	return l
}

// mostRefused is how many plans may come to nothing, mostLearned how many may ask or
// search, before mishap goes on by itself.
const (
	mostRefused = 2
	mostLearned = 4
)

func (h *Hierarchy) note(what string, err error) {
	if errors.Is(err, errGivenUp) {
		if h.silent {
			return
		}
		h.silent, what = true, "all from "+what+" on"
	}
	whose := "mishap's own"
	if h.ModelOnly {
		whose = "left out"
	}
	h.Notes = append(h.Notes, fmt.Sprintf("%s is %s: %s", what, whose, clean(err.Error(), longestSummary)))
}

// Plan asks the model for a plan, and a few times for another where something speaks
// against it.
func (h *Hierarchy) Plan(ctx context.Context, r *replan.PlanRequest) ([]replan.Subtask, error) {
	h.own = true
	if h.refused = len(r.Failures); h.given() {
		if !h.told {
			h.told = true
			h.note(fmt.Sprintf("all from plan %d on", r.Plan), fmt.Errorf("%d plans came to nothing, %d asked or searched", h.refused, h.learned))
		}
		return h.Symbolic.Plan(ctx, r)
	}
	asked := *r
	for range engine.DefaultRevisions + 1 {
		plan, err := h.planned(ctx, &asked)
		why := ""
		if err == nil && h.again(plan) {
			err = errors.New("it was tried before")
		} else if err == nil && !h.Unjudged {
			why, err = h.Symbolic.Judge(ctx, plan)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil && why == "" {
			return h.follow(plan), nil
		}
		if err == nil {
			err = errors.New(why)
		}
		h.note(fmt.Sprintf("plan %d", r.Plan), err)
		if llm.KindOf(err) != llm.Other {
			break // no answer came
		}
		asked.Failures = append(slices.Clip(asked.Failures), replan.PlanFailure{Number: r.Plan, Plan: plan, At: -1, Detail: err.Error()})
	}
	if h.ModelOnly {
		return nil, nil
	}
	return h.Symbolic.Plan(ctx, r)
}

// follow notes that a plan is the model's.
func (h *Hierarchy) follow(plan []replan.Subtask) []replan.Subtask {
	h.own = false
	h.Followed++
	h.tried = append(h.tried, saidAll(plan))
	if slices.ContainsFunc(plan, func(s replan.Subtask) bool { return s.Asks() || s.Explore != "" }) {
		h.learned++
	}
	return plan
}

// again reports whether the model made a plan before.
func (h *Hierarchy) again(plan []replan.Subtask) bool {
	return slices.Contains(h.tried, saidAll(plan))
}

func saidAll(plan []replan.Subtask) string {
	var out []string
	for i := range plan {
		out = append(out, said(&plan[i]))
	}
	return strings.Join(out, "\n")
}

// Check judges what is left of a plan after an answer: that of the model as strictly as
// all of it.
func (h *Hierarchy) Check(ctx context.Context, plan []replan.Subtask) (string, error) {
	if h.own {
		return h.Symbolic.Check(ctx, plan)
	}
	return h.Symbolic.Judge(ctx, plan)
}

func (h *Hierarchy) planned(ctx context.Context, r *replan.PlanRequest) ([]replan.Subtask, error) {
	v := subtaskData{Goal: sentence(r.Goal.Text), Conditions: cleaned(r.Goal.Conditions), Missing: cleaned(r.Missing), Objects: names(r.Scene.Names()), Facts: factsOf(r.Scene), Actions: actionForms(h.Ontology)}
	for _, a := range r.Answers {
		v.Answers = append(v.Answers, clean(a.Query.String()+" "+a.Answer, longestSentence))
	}
	for _, f := range r.Failures {
		failed := failedPlan{Detail: sentence(f.Detail), At: "the end"}
		if f.Subtask != nil {
			failed.At = sentence(f.Subtask.String())
		}
		for i := range f.Plan {
			failed.Plan = append(failed.Plan, clean(said(&f.Plan[i]), longestSentence))
		}
		for _, why := range f.Reasons {
			failed.Reasons = append(failed.Reasons, clean(why.Object+": "+why.Text, longestSentence))
		}
		v.Failures = append(v.Failures, failed)
	}
	text, err := h.ask(ctx, subtasksPrompt, v, subtasksSchema)
	if err != nil {
		return nil, err
	}
	var got struct {
		Subtasks []string `json:"subtasks"`
	}
	if err := json.Unmarshal([]byte(unfenced(text)), &got); err != nil {
		if got.Subtasks, err = Lines(text); err != nil {
			return nil, err
		}
	}
	if len(got.Subtasks) == 0 {
		return nil, errors.New("the plan is empty")
	}
	return h.subtasks(ctx, got.Subtasks, r.Scene)
}

// said is a subtask as the model writes it.
func said(s *replan.Subtask) string {
	switch {
	case s.Action.Name != "":
		return s.Action.String()
	case s.Explore != "":
		return "find: " + s.Explore
	case s.Asks():
		return "ask: " + s.Ask[0].String()
	}
	return s.Text
}

// subtasks reads the lines of a plan. A line that means no known action refuses it.
func (h *Hierarchy) subtasks(ctx context.Context, lines []string, scene replan.Scene) ([]replan.Subtask, error) {
	if len(lines) > longestPlan {
		return nil, fmt.Errorf("the plan has more than %d subtasks", longestPlan)
	}
	m := &Mapper{Ontology: h.Ontology, MinScore: h.MinScore, Embedder: h.Embedder}
	for _, t := range scene.Things {
		if !t.Robot && len(t.Labels) > 0 {
			m.Objects = append(m.Objects, NamedObject{t.Name, t.Labels[0]})
		}
	}
	var out []replan.Subtask
	for _, line := range lines {
		line = strings.TrimSpace(line)
		if question, ok := strings.CutPrefix(line, "ask:"); ok {
			q, err := replan.ParseQuery(strings.TrimSpace(question))
			if err != nil {
				return nil, err
			}
			out = append(out, replan.Subtask{Text: line, Ask: []replan.Query{q}})
			continue
		}
		if sought, ok := strings.CutPrefix(line, "find:"); ok {
			sought = strings.TrimSpace(sought)
			out = append(out, replan.Subtask{Text: line, Explore: sought})
			m.Objects = append(m.Objects, h.hoped(sought)...) // what follows may count on it
			continue
		}
		l := m.Map(ctx, line)
		if l.Refused != "" {
			return nil, fmt.Errorf("subtask %d, %s: %s", len(out)+1, quoted(line), l.Refused)
		}
		out = append(out, replan.Subtask{Text: clean(line, longestSentence), Action: l.Action})
	}
	return out, nil
}

// hoped is what a search is to find, as an object that is there.
func (h *Hierarchy) hoped(sought string) []NamedObject {
	base, n := episode.SplitName(article.ReplaceAllString(sought, ""))
	ids := h.Ontology.ByLabel(base, h.Ontology.Core.PhysicalObject)
	if len(ids) == 0 {
		return nil
	}
	class := h.Ontology.Name(ids[0])
	return []NamedObject{{fmt.Sprintf("%s-%d", class, max(n, 1)), class}}
}

// Scene is the symbolic one.
func (h *Hierarchy) Scene(ctx context.Context) (replan.Scene, error) { return h.Symbolic.Scene(ctx) }

// look has the robot look, and shows the model what it saw.
func (h *Hierarchy) look(ctx context.Context, prompt string, v perceiveData, schema *llm.Schema, sample int) (string, error) {
	scene, err := h.Symbolic.Scene(ctx)
	if err != nil {
		return "", err
	}
	v.Picture, v.Objects, v.Seen = h.Camera != nil, names(scene.Names()), factsOf(scene)
	q, err := h.Prompts.question(prompt, v)
	if err != nil {
		return "", err
	}
	q.Sample = sample
	if h.Camera != nil {
		picture, err := h.Camera.Picture(ctx)
		if err != nil {
			return "", err
		}
		q.Images = []llm.Image{picture}
	}
	if schema != nil && !h.Plain {
		q.Schema = schema
	}
	return h.put(ctx, q)
}

// Answer looks, and asks the model.
func (h *Hierarchy) Answer(ctx context.Context, q replan.Query, sample int) (string, error) {
	own, err := h.Symbolic.Answer(ctx, q, sample) // the robot turns to what is asked about
	if err != nil {
		return "", err
	}
	if h.given() {
		return own, nil
	}
	text, err := h.look(ctx, perceivePrompt, perceiveData{Question: sentence(q.String())}, nil, sample)
	if err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		h.note("the answer to "+sentence(q.String()), err)
		if h.ModelOnly {
			return replan.Unclear, nil
		}
		return own, nil
	}
	return clean(text, longestName), nil
}

// Prevents asks the model what prevents a subtask.
func (h *Hierarchy) Prevents(ctx context.Context, s replan.Subtask, question string) ([]replan.Reason, error) {
	if h.given() {
		return h.Symbolic.Prevents(ctx, s, question)
	}
	text, err := h.look(ctx, preventsPrompt, perceiveData{Question: sentence(question)}, reasonsSchema, 0)
	var got struct {
		Reasons []replan.Reason `json:"reasons"`
	}
	if err == nil {
		err = json.Unmarshal([]byte(unfenced(text)), &got)
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		h.note("what prevents "+sentence(s.String()), err)
		if h.ModelOnly {
			return nil, nil
		}
		return h.Symbolic.Prevents(ctx, s, question)
	}
	for i := range got.Reasons {
		got.Reasons[i] = replan.Reason{Object: name(got.Reasons[i].Object), Text: clean(got.Reasons[i].Text, longestSentence)}
	}
	return got.Reasons, nil
}

// Motion asks the model for the motions of a subtask.
func (h *Hierarchy) Motion(ctx context.Context, s replan.Subtask, scene replan.Scene) ([]replan.MotionStep, error) {
	if h.given() {
		return h.Symbolic.Motion(ctx, s, scene)
	}
	text, err := h.ask(ctx, motionPrompt, motionData{Subtask: sentence(said(&s)), Objects: things(scene)}, motionSchema)
	var got struct {
		Steps []replan.MotionStep `json:"steps"`
	}
	if err == nil {
		err = json.Unmarshal([]byte(unfenced(text)), &got)
	}
	if err == nil && len(got.Steps) == 0 && s.Action.Name == "" {
		err = errors.New("there is no motion")
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		h.note("the motion of "+sentence(s.String()), err)
		if h.ModelOnly {
			return nil, nil
		}
		return h.Symbolic.Motion(ctx, s, scene)
	}
	for i := range got.Steps {
		for k, called := range got.Steps[i].Objects {
			if t, ok := scene.Find(called); ok {
				got.Steps[i].Objects[k] = t.Name
			}
		}
	}
	return got.Steps, nil
}

// Rewards asks the model for the terms. Where none of them can be used the symbolic
// ones are.
func (h *Hierarchy) Rewards(ctx context.Context, s replan.Subtask, steps []replan.MotionStep, scene replan.Scene) (string, error) {
	if len(steps) == 0 {
		return "", nil
	}
	if h.given() {
		return h.Symbolic.Rewards(ctx, s, steps, scene)
	}
	v := motionData{Subtask: sentence(said(&s)), Objects: things(scene)}
	for _, st := range steps {
		v.Motions = append(v.Motions, clean(st.Text, longestSentence))
	}
	text, err := h.ask(ctx, rewardsPrompt, v, nil)
	if err == nil {
		terms, _ := replan.ParseTerms(unfenced(text), scene)
		_, _, err = replan.Match(terms, steps)
	}
	if err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		h.note("the reward of "+sentence(s.String()), err)
		if h.ModelOnly {
			return "", nil
		}
		return h.Symbolic.Rewards(ctx, s, steps, scene)
	}
	return unfenced(text), nil
}

// things are the names of all there is, the robot's parts too.
func things(s replan.Scene) []string {
	var out []string
	for _, t := range s.Things {
		out = append(out, name(t.Name))
	}
	return out
}

func factsOf(s replan.Scene) []string {
	var out []string
	for _, f := range s.Facts {
		out = append(out, strings.TrimSpace(name(f.Subject)+" "+name(f.Relation)+" "+name(f.Object)))
	}
	return out
}

func cleaned(texts []string) []string {
	var out []string
	for _, t := range texts {
		out = append(out, clean(t, longestSentence))
	}
	return out
}
