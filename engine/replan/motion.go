package replan

import (
	"errors"
	"slices"
)

// MotionStep is one motion of a motion plan.
type MotionStep struct {
	Text string `json:"text"`
	// Function is the reward that the motion serves, "" for any.
	Function Function `json:"function,omitempty"`
	Objects  []string `json:"objects"` // names of what moves and of what it moves to
	// Satisfies is true of the motion that does the subtask; the last where none is.
	Satisfies bool `json:"satisfies,omitempty"`
}

// serves reports whether a term is one of a motion: all that it names takes part.
func (s *MotionStep) serves(t *RewardTerm) bool {
	has := func(name string) bool { return name == "" || slices.Contains(s.Objects, name) }
	return has(t.Object) && has(t.Other) && (s.Function == "" || s.Function == t.Function)
}

// DroppedTerm is a line of reward terms that was left out.
type DroppedTerm struct {
	Text string `json:"text"`
	Why  string `json:"why"`
}

// Match keeps the terms that serve a motion and marks as primary one of the motion
// that does the subtask: the one marked already, else the first. The error says that
// there is none, so that settling the terms would not do the subtask.
func Match(terms []RewardTerm, steps []MotionStep) (kept []RewardTerm, dropped []DroppedTerm, err error) {
	if len(steps) == 0 {
		for _, t := range terms {
			dropped = append(dropped, DroppedTerm{t.String(), "the subtask has no motion"})
		}
		return nil, dropped, nil
	}
	goal := len(steps) - 1
	if i := slices.IndexFunc(steps, func(s MotionStep) bool { return s.Satisfies }); i >= 0 {
		goal = i
	}
	primary, marked := -1, false
	for _, t := range terms {
		if !slices.ContainsFunc(steps, func(s MotionStep) bool { return s.serves(&t) }) {
			dropped = append(dropped, DroppedTerm{t.String(), "it serves no step of the motion plan"})
			continue
		}
		if steps[goal].serves(&t) && (primary < 0 || t.Primary && !marked) {
			primary, marked = len(kept), t.Primary
		}
		t.Primary = false
		kept = append(kept, t)
	}
	if primary < 0 {
		return kept, dropped, errors.New("no reward term serves the motion that does the subtask: " + steps[goal].Text)
	}
	kept[primary].Primary = true
	return kept, dropped, nil
}
