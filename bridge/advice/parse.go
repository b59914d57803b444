package advice

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
)

// numbered matches what a line of a list begins with.
var numbered = regexp.MustCompile(`^\s*(?:\d{1,3}\s*[.):]|[-*•])\s*`)

// thinking is what models that reason aloud say before they answer.
var thinking = regexp.MustCompile(`(?s)^\s*<think>.*?</think>`)

// Lines reads the items of a plan out of an answer: {"plan": […]} or a JSON array,
// whatever stands around it, else a plain list with one item a line, each numbered, with
// a bullet or in parentheses; before and after it there may be prose. An answer that is
// anything else is an error, and so is prose within the list: what it means cannot be
// told.
func Lines(text string) ([]string, error) { return linesOf(text, "plan") }

// linesOf is Lines for a JSON object with another key.
func linesOf(text, key string) ([]string, error) {
	text = strings.TrimPrefix(thinking.ReplaceAllString(strings.TrimPrefix(text, "\ufeff"), ""), "\n")
	if found := object(text); found != "" {
		return jsonLines(found, key)
	}
	lines := strings.Split(unfenced(text), "\n")
	var out []string
	first, last := -1, -1
	for i, line := range lines {
		if item, ok := listed(line); ok && item != "" {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 {
		if strings.TrimSpace(text) == "" {
			return nil, errors.New("the answer is empty; expected a list of actions")
		}
		return nil, fmt.Errorf("the answer is no list: %q; expected (action, object) on each line", input.Clip(strings.TrimSpace(text)))
	}
	for i := first; i <= last; i++ {
		item, ok := listed(lines[i])
		switch {
		case strings.TrimSpace(lines[i]) == "" || ok && item == "" || strings.HasPrefix(strings.TrimSpace(lines[i]), "```"):
			continue
		case !ok:
			return nil, fmt.Errorf("within the list of actions stands %q; expected (action, object) on each line", input.Clip(strings.TrimSpace(lines[i])))
		case len(out) == longestPlan:
			return nil, fmt.Errorf("the plan has more than %d actions", longestPlan)
		}
		out = append(out, item)
	}
	return out, nil
}

// personOf reads out of an answer without a plan what a person would have to do; "" where it
// does not say that one is needed.
func personOf(text string) string {
	text = thinking.ReplaceAllString(strings.TrimSpace(text), "")
	if found := object(text); found != "" {
		var o struct {
			Plan   []string `json:"plan"`
			Person string   `json:"person"`
		}
		if json.Unmarshal([]byte(found), &o) != nil || len(o.Plan) > 0 {
			return ""
		}
		return strings.TrimSpace(o.Person)
	}
	person := ""
	for _, line := range strings.Split(unfenced(text), "\n") {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "PERSON:"); ok && person == "" {
			person = strings.TrimSpace(rest)
		} else if _, item := listed(line); item {
			return ""
		}
	}
	return person
}

// listed is the item of a line of a list.
func listed(line string) (string, bool) {
	line = strings.TrimSpace(line)
	item := numbered.ReplaceAllString(line, "")
	return strings.TrimSpace(item), item != line || strings.HasPrefix(line, "(")
}

// mostObjectStarts bounds where an object is looked for.
const mostObjectStarts = 20

// object is the JSON object, or array of texts, that an answer consists of or holds, ""
// where there is none.
func object(text string) string {
	text = unfenced(text)
	tries := 0
	for i, r := range text {
		if r != '{' && r != '[' {
			continue
		}
		if tries++; tries > mostObjectStarts {
			return ""
		}
		var raw json.RawMessage
		if err := json.NewDecoder(strings.NewReader(text[i:])).Decode(&raw); err == nil && (r == '{' || strings.Contains(string(raw), `"`)) {
			return string(raw)
		}
		if i == 0 {
			return text // it begins as one and is none
		}
	}
	return ""
}

// longestPlan bounds the plan of a model.
const longestPlan = 200

func jsonLines(text, key string) ([]string, error) {
	var plan []string
	err := json.Unmarshal([]byte(text), &plan)
	if strings.HasPrefix(text, "{") {
		var o map[string]json.RawMessage
		if err = json.Unmarshal([]byte(text), &o); err == nil && o[key] != nil {
			err = json.Unmarshal(o[key], &plan)
		}
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("the answer is no JSON of the form {%q: [\"(action, object)\"]}: %q", key, input.Clip(text))
	case len(plan) == 0:
		return nil, fmt.Errorf("the plan is empty; expected {%q: [\"(action, object)\"]}", key)
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
	if found := object(thinking.ReplaceAllString(text, "")); found != "" {
		text = found
	}
	if strings.HasPrefix(text, "{") {
		var o struct {
			Cause  string `json:"cause"`
			Change string `json:"change"`
		}
		if err := json.Unmarshal([]byte(text), &o); err != nil {
			return "", "", fmt.Errorf("the answer is no JSON of the form {\"cause\": …, \"change\": …}: %q", input.Clip(text))
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
		return "", "", fmt.Errorf("the answer names no cause: %q; expected CAUSE: and CHANGE:, a line each", input.Clip(text))
	}
	return cause, change, nil
}
