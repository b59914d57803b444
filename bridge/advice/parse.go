package advice

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// numbered matches what a line of a list begins with.
var numbered = regexp.MustCompile(`^\s*(?:\d{1,3}\s*[.):]|[-*•])\s*`)

// Lines reads the items of a plan out of an answer: {"plan": […]} where a schema was
// kept to, a JSON array, or a plain list with one item a line, each numbered, with a
// bullet or in parentheses. An answer that is anything else is an error, and so is
// prose around a list: what it means cannot be told.
func Lines(text string) ([]string, error) {
	text = unfenced(text)
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
		return jsonLines(text)
	}
	var out []string
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		item := numbered.ReplaceAllString(line, "")
		if item == line && !strings.HasPrefix(line, "(") {
			return nil, fmt.Errorf("the answer is no plain list: line %d is %q; expected (action, object) on each line", i+1, clip(line))
		}
		if item = strings.TrimSpace(item); item != "" {
			out = append(out, item)
		}
		if len(out) > longestPlan {
			return nil, fmt.Errorf("the plan has more than %d actions", longestPlan)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("the answer is empty; expected a list of actions")
	}
	return out, nil
}

// longestPlan bounds the plan of a model.
const longestPlan = 200

func jsonLines(text string) ([]string, error) {
	var plan []string
	err := json.Unmarshal([]byte(text), &plan)
	if strings.HasPrefix(text, "{") {
		var o struct {
			Plan []string `json:"plan"`
		}
		err = json.Unmarshal([]byte(text), &o)
		plan = o.Plan
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("the answer is no JSON of the form {\"plan\": [\"(action, object)\"]}: %w", err)
	case len(plan) == 0:
		return nil, fmt.Errorf("the plan is empty; expected {\"plan\": [\"(action, object)\"]}")
	case len(plan) > longestPlan:
		return nil, fmt.Errorf("the plan has more than %d actions", longestPlan)
	}
	return plan, nil
}

// unfenced takes the fence off an answer that is one block of code.
func unfenced(text string) string {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "```") || !strings.HasSuffix(text, "```") || len(text) < 6 {
		return text
	}
	text = strings.TrimSuffix(text, "```")
	_, text, _ = strings.Cut(text, "\n")
	return strings.TrimSpace(text)
}

// causeOf reads cause and change out of an answer.
func causeOf(text string) (cause, change string, err error) {
	text = unfenced(text)
	if strings.HasPrefix(text, "{") {
		var o struct {
			Cause  string `json:"cause"`
			Change string `json:"change"`
		}
		if err := json.Unmarshal([]byte(text), &o); err != nil {
			return "", "", fmt.Errorf("the answer is no JSON of the form {\"cause\": …, \"change\": …}: %w", err)
		}
		cause, change = o.Cause, o.Change
	} else {
		for _, line := range strings.Split(text, "\n") {
			if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "CAUSE:"); ok && cause == "" {
				cause = strings.TrimSpace(rest)
			}
			if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "CHANGE:"); ok && change == "" {
				change = strings.TrimSpace(rest)
			}
		}
	}
	if cause == "" {
		return "", "", fmt.Errorf("the answer names no cause: %q; expected CAUSE: and CHANGE:, a line each", clip(text))
	}
	return cause, change, nil
}

// clip shortens a text for an error.
func clip(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}
