package jsonl

import (
	"encoding/json"
	"strings"
)

// The names of the fields of an action that is an object, in the order in which they count.
var (
	actionNames     = []string{"name", "action", "verb", "skill", "type"}
	actionArguments = []string{"args", "arguments", "parameters", "params"}
	argumentNames   = [][]string{
		strings.Fields("object obj target item objectId object_id"),
		strings.Fields("destination dest receptacle receptacleObjectId location place to"),
	}
)

// writeActions writes the actions of a line that are lists or objects as plans write them; text is
// the line as JSON.
func writeActions(doc map[string]any, text []byte) []byte {
	written := false
	if action, ok := actionText(doc["action"]); ok {
		doc["action"], written = action, true
	}
	if plan, ok := doc["plan"].([]any); ok {
		for i := range plan {
			if action, ok := actionText(plan[i]); ok {
				plan[i], written = action, true
			}
		}
	}
	if !written {
		return text
	}
	if out, err := json.Marshal(doc); err == nil {
		text = out
	}
	return text
}

// actionText is an action that is a list or an object, as plans write it; ok is false for
// anything else.
func actionText(v any) (text string, ok bool) {
	switch v := v.(type) {
	case []any:
		if words, ok := texts(v); ok && len(words) > 0 {
			return "(" + strings.Join(words, ", ") + ")", true
		}
	case map[string]any:
		name := field(v, actionNames)
		if name == "" {
			return "", false
		}
		if given := arguments(v); len(given) > 0 {
			return "(" + name + ", " + strings.Join(given, ", ") + ")", true
		}
		if strings.ContainsAny(name, " (") {
			return name, true // a whole action
		}
		return "(" + name + ")", true
	}
	return "", false
}

func arguments(action map[string]any) []string {
	for _, name := range actionArguments {
		switch given := action[name].(type) {
		case []any:
			if words, ok := texts(given); ok {
				return words
			}
		case map[string]any:
			return byName(given)
		case string:
			return []string{given}
		}
	}
	return byName(action)
}

func byName(of map[string]any) (out []string) {
	for _, names := range argumentNames {
		if arg := field(of, names); arg != "" {
			out = append(out, arg)
		}
	}
	return out
}

func field(of map[string]any, names []string) string {
	for _, name := range names {
		if text, ok := of[name].(string); ok && strings.TrimSpace(text) != "" {
			return plain(text)
		}
	}
	return ""
}

func texts(list []any) ([]string, bool) {
	var out []string
	for _, v := range list {
		text, ok := v.(string)
		if !ok || strings.TrimSpace(text) == "" {
			return nil, false
		}
		out = append(out, plain(text))
	}
	return out, true
}

// plain is an argument as it can stand among others.
func plain(text string) string { return strings.ReplaceAll(strings.TrimSpace(text), ",", " ") }
