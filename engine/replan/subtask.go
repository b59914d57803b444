package replan

import (
	"encoding/json"
	"slices"
	"strings"
)

// Asks reports whether a subtask asks.
func (s *Subtask) Asks() bool { return len(s.Ask) > 0 }

// String is a subtask in words: its text, else its action, questions or search.
func (s *Subtask) String() string {
	switch {
	case s.Text != "":
		return s.Text
	case s.Action.Name != "":
		return s.Action.String()
	case s.Explore != "":
		return "find " + s.Explore
	}
	var out []string
	for _, q := range s.Ask {
		out = append(out, q.String())
	}
	return strings.Join(out, " ")
}

// MarshalJSON writes the action as plans write it.
func (s Subtask) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Text    string  `json:"text"`
		Action  string  `json:"action,omitempty"`
		Ask     []Query `json:"ask,omitempty"`
		Explore string  `json:"explore,omitempty"`
	}{s.String(), s.Action.String(), s.Ask, s.Explore})
}

// same reports whether two subtasks do the same. The text counts only where there is
// nothing else.
func (s *Subtask) same(t *Subtask) bool {
	if s.Action != t.Action || !strings.EqualFold(s.Explore, t.Explore) || !slices.EqualFunc(s.Ask, t.Ask, Query.same) {
		return false
	}
	return s.Action.Name != "" || s.Explore != "" || s.Asks() || words(s.Text) == words(t.Text)
}

func samePlan(a, b []Subtask) bool {
	return slices.EqualFunc(a, b, func(s, t Subtask) bool { return s.same(&t) })
}

// words is a text without what does not matter to its meaning: case, spacing, and the
// stop at the end.
func words(text string) string {
	return strings.TrimRight(strings.Join(strings.Fields(strings.ToLower(text)), " "), ".!?")
}
