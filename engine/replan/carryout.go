package replan

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// refuse says why a plan is not carried out, "" where it is.
func (r *run) refuse(ctx context.Context, plan []Subtask) (string, error) {
	most := orDefault(r.MaxSubtasks, DefaultMaxSubtasks)
	switch {
	case len(plan) == 0:
		return "it has no subtasks, and " + lacking(r.course.Missing), nil
	case len(plan) > most:
		return fmt.Sprintf("it has %d subtasks; at most %d are allowed", len(plan), most), nil
	}
	for i, p := range r.avoid {
		if samePlan(p, plan) {
			return fmt.Sprintf("it is plan %d again, which failed", r.failures[i].Number), nil
		}
	}
	return r.check(ctx, plan)
}

func lacking(missing []string) string {
	if len(missing) == 0 {
		return "the goal is not reached"
	}
	return "the goal lacks " + strings.Join(missing, ", ")
}

func (r *run) check(ctx context.Context, plan []Subtask) (string, error) {
	if r.Checker == nil || len(plan) == 0 {
		return "", nil
	}
	why, err := r.Checker.Check(ctx, plan)
	if err != nil {
		err = fmt.Errorf("checking a plan: %w", err)
	}
	return why, err
}

// carryOut carries out the subtasks of a plan until one fails, or until what was
// learnt leaves the rest without sense.
func (r *run) carryOut(ctx context.Context, a *PlanAttempt) (*PlanFailure, error) {
	for i, s := range a.Plan {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		st, f, err := r.subtask(ctx, s)
		a.Steps = append(a.Steps, st)
		if err != nil {
			return nil, fmt.Errorf("subtask %q: %w", s.String(), err)
		}
		if f != nil {
			f.At = i
			return f, nil
		}
		rest := a.Plan[i+1:]
		if len(rest) == 0 || !s.Asks() && s.Explore == "" {
			continue
		}
		if len(st.Looked) > 0 {
			a.Left = s.Explore + " was found elsewhere than the plan had it"
			return nil, nil
		}
		if a.Left, err = r.check(ctx, rest); a.Left != "" || err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// subtask carries out one subtask.
func (r *run) subtask(ctx context.Context, s Subtask) (SubtaskRun, *PlanFailure, error) {
	st := SubtaskRun{Subtask: s, Result: Done}
	var f *PlanFailure
	var err error
	switch {
	case s.Asks():
		f, err = r.ask(ctx, &st)
	case s.Explore != "":
		f, err = r.explore(ctx, &st)
	default:
		f, err = r.act(ctx, &st)
	}
	if err != nil {
		st.Result, st.Detail = Failed, err.Error()
	}
	if f != nil {
		st.Result, st.Detail = Failed, f.Detail
	}
	if r.Observer != nil {
		r.Observer.Settled(&st)
	}
	return st, f, err
}

// ask puts the questions of a subtask. It fails with an answer that the plan does not
// rely on; the answer is then the reason.
func (r *run) ask(ctx context.Context, st *SubtaskRun) (*PlanFailure, error) {
	var f *PlanFailure
	for i, q := range st.Subtask.Ask {
		if err := q.valid(); err != nil {
			st.Refused = append(st.Refused, err.Error())
			continue
		}
		if i >= MaxQueries {
			st.Refused = append(st.Refused, fmt.Sprintf("question %q; expected at most %d in one subtask", clip(q.String()), MaxQueries))
			continue
		}
		a, err := r.answer(ctx, q)
		if err != nil {
			return nil, err
		}
		st.Answers = append(st.Answers, a)
		if f == nil && !a.expected() {
			f = &PlanFailure{Subtask: &st.Subtask, Detail: fmt.Sprintf("the answer to %q is %q; the plan relies on %q", q.String(), a.Answer, a.Expect)}
		}
	}
	if len(st.Answers) == 0 {
		return &PlanFailure{Subtask: &st.Subtask, Detail: strings.Join(st.Refused, "; ")}, nil
	}
	return f, nil
}

// answer puts one question several times.
func (r *run) answer(ctx context.Context, q Query) (QueryAnswer, error) {
	a := QueryAnswer{Query: q, Answers: []string{}}
	for sample := range orDefault(r.Repeat, DefaultRepeat) {
		if err := ctx.Err(); err != nil {
			return a, err
		}
		text, err := r.Perceiver.Answer(ctx, q, sample)
		if err != nil {
			return a, fmt.Errorf("question %q: %w", clip(q.String()), err)
		}
		a.Answers = append(a.Answers, text)
	}
	a.Answer = agree(a.Answers)
	r.answers = append(r.answers, a)
	return a, nil
}

// explore looks for something, in one place after the other, until it is there.
func (r *run) explore(ctx context.Context, st *SubtaskRun) (*PlanFailure, error) {
	sought := st.Subtask.Explore
	failed := func(detail string) *PlanFailure { return &PlanFailure{Subtask: &st.Subtask, Detail: detail} }
	for range orDefault(r.MaxLooks, DefaultMaxLooks) + 1 {
		a, err := r.answer(ctx, Query{Kind: Presence, Object: sought, Text: "Is there " + sought + "?"})
		if err != nil {
			return nil, err
		}
		st.Answers = append(st.Answers, a)
		if a.Answer == "yes" {
			return nil, nil
		}
		if r.Explorer == nil {
			return failed(sought + " is not to be seen, and nothing says where to look"), nil
		}
		place, steps, err := r.Explorer.Next(ctx, sought, st.Looked)
		if err != nil {
			return nil, err
		}
		if len(steps) == 0 {
			return failed(sought + " was found nowhere" + among(st.Looked)), nil
		}
		st.Looked = append(st.Looked, place)
		if f, err := r.look(ctx, st, steps); f != nil || err != nil {
			return f, err
		}
	}
	return failed(fmt.Sprintf("%s was not found in %d places, the most that are looked into", sought, len(st.Looked))), nil
}

func among(looked []string) string {
	if len(looked) == 0 {
		return ""
	}
	return ", also not at " + strings.Join(looked, ", ")
}

// look carries out what lets one more place be seen into.
func (r *run) look(ctx context.Context, st *SubtaskRun, steps []Subtask) (*PlanFailure, error) {
	for _, s := range steps[:min(len(steps), orDefault(r.MaxSubtasks, DefaultMaxSubtasks))] {
		if s.Explore != "" {
			continue // a search within a search would not end
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		sub, f, err := r.subtask(ctx, s)
		st.Steps = append(st.Steps, sub)
		if f != nil || err != nil {
			return f, err
		}
	}
	return nil, nil
}

// act settles the reward terms of a subtask.
func (r *run) act(ctx context.Context, st *SubtaskRun) (*PlanFailure, error) {
	if why, err := r.terms(ctx, st); err != nil || why != "" {
		return &PlanFailure{Subtask: &st.Subtask, Detail: why}, err
	}
	out, err := r.Controller.Run(ctx, st.Subtask, slices.Clone(st.Terms))
	if err != nil {
		return nil, err
	}
	if out.Measure != nil {
		if cost, err := Cost(st.Terms, out.Measure); err == nil {
			st.Cost = &cost
		}
	}
	if !out.Done {
		return r.explain(ctx, st, out.Detail)
	}
	done, detail, err := r.Verifier.Done(ctx, st.Subtask)
	if done || err != nil {
		return nil, err
	}
	return r.explain(ctx, st, detail)
}

// terms makes the reward terms of a subtask; why says that there are none of use.
func (r *run) terms(ctx context.Context, st *SubtaskRun) (why string, err error) {
	scene, err := r.Perceiver.Scene(ctx)
	if err != nil {
		return "", err
	}
	if st.Motion, err = r.LowLevel.Motion(ctx, st.Subtask, scene); err != nil {
		return "", fmt.Errorf("motion plan: %w", err)
	}
	text, err := r.LowLevel.Rewards(ctx, st.Subtask, st.Motion, scene)
	if err != nil {
		return "", fmt.Errorf("reward terms: %w", err)
	}
	terms, errs := ParseTerms(text, scene)
	for _, err := range errs {
		d := DroppedTerm{Why: err.Error()}
		if e, ok := err.(*TermError); ok {
			d.Text = e.Text
		}
		st.Dropped = append(st.Dropped, d)
	}
	var dropped []DroppedTerm
	st.Terms, dropped, err = Match(terms, st.Motion)
	st.Dropped = append(st.Dropped, dropped...)
	if err != nil {
		return err.Error(), nil
	}
	return "", nil
}

// explain asks in all its paraphrases what prevents a subtask that failed.
func (r *run) explain(ctx context.Context, st *SubtaskRun, detail string) (*PlanFailure, error) {
	var given [][]Reason
	for _, p := range paraphrases {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		reasons, err := r.Perceiver.Prevents(ctx, st.Subtask, p.Ask(st.Subtask))
		if err != nil {
			return nil, fmt.Errorf("what prevents it: %w", err)
		}
		given = append(given, reasons)
	}
	scene, err := r.Perceiver.Scene(ctx)
	if err != nil {
		return nil, err
	}
	f := &PlanFailure{Subtask: &st.Subtask, Detail: detail}
	f.Reasons, f.Dropped = consolidate(given, scene)
	if f.Detail == "" {
		f.Detail = "it was not done"
	}
	return f, nil
}
