package jsonl

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/mishap-robotics/mishap/engine/language"
)

// The names of the fields of an action that is an object, in the order in which they count.
var (
	actionNames     = strings.Fields("name action verb skill tool tool_name skill_name action_name actionType action_type primitive command type")
	actionArguments = strings.Fields("args arguments parameters params input tool_input inputs kwargs actionParameters action_parameters goal")
	actionSentences = strings.Fields("language lang narration instruction language_instruction")
	actionWithin    = strings.Fields("function call action tool_call tool skill function_call") // that the action may be the value of
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
			return written(words[0], words[1:]), true
		}
	case map[string]any:
		for _, within := range actionWithin {
			if inner, ok := v[within].(map[string]any); ok {
				if text, ok := actionText(inner); ok {
					return text, true
				}
			}
		}
		name := field(v, actionNames)
		if noun := field(v, []string{"noun"}); noun != "" || len(arguments(v)) == 0 && !strings.Contains(name, "_") {
			if sentence := field(v, actionSentences); sentence != "" && !strings.ContainsAny(sentence, "()") {
				return sentence, true // "lang": "pick the apple from the counter"
			}
		}
		if name == "" {
			return "", false
		}
		if given := arguments(v); len(given) > 0 {
			return written(name, given), true
		}
		if strings.ContainsAny(name, " (") {
			return name, true // a whole action
		}
		return "(" + name + ")", true
	case string: // an object as text
		if inner, ok := object(v); ok {
			return actionText(inner)
		}
	}
	return "", false
}

// written is an action as text: as a call, in which more may stand than the action takes, where its
// parts can stand in one.
func written(name string, args []string) string {
	in := strings.Join(args, ", ")
	if strings.ContainsAny(name, " ()") || strings.ContainsAny(in, "()") || len(args) == 0 {
		return "(" + strings.Join(append([]string{name}, args...), ", ") + ")"
	}
	return name + "(" + in + ")"
}

// object is the object that a text is the JSON of, or the YAML where that is written in braces.
func object(text string) (map[string]any, bool) {
	if text = strings.TrimSpace(text); !strings.HasPrefix(text, "{") || !strings.HasSuffix(text, "}") {
		return nil, false
	}
	var out map[string]any
	if json.Unmarshal([]byte(text), &out) == nil {
		return out, true
	}
	return out, strings.Contains(text, ": ") && yaml.Unmarshal([]byte(text), &out) == nil
}

func arguments(action map[string]any) []string {
	for _, name := range actionArguments {
		switch given := action[name].(type) {
		case []any:
			if words, ok := texts(given); ok {
				return words
			}
			if fields := keyed(given); len(fields) > 0 {
				return byName(fields, nil)
			}
		case map[string]any:
			return byName(given, nil)
		case string:
			if inner, ok := object(given); ok {
				return byName(inner, nil)
			}
			if name != "goal" { // which may say where to, beside what
				return []string{plain(given)}
			}
		}
	}
	return byName(action, actionNames)
}

// keyed are the values of a list of objects that have a key and a value, by their keys.
func keyed(list []any) map[string]any {
	out := map[string]any{}
	for _, v := range list {
		pair, _ := v.(map[string]any)
		if key := field(pair, []string{"key", "name"}); key != "" {
			out[key] = pair["value"]
		}
	}
	return out
}

// byName orders the arguments that an object gives by their names, but for some fields.
func byName(of map[string]any, but []string) []string {
	var keys, values []string
	for _, key := range slices.Sorted(maps.Keys(of)) {
		if slices.Contains(but, key) {
			continue
		}
		if text := textOf(of[key]); text != "" {
			keys, values = append(keys, key), append(values, plain(text))
		}
	}
	return language.Arguments(keys, values)
}

// textOf is what an argument says: a text, or what an object has for a name.
func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(v)
	case map[string]any:
		return field(v, []string{"id", "object_id", "objectId", "name", "label", "class"})
	}
	return ""
}

// field is said, as it can stand among arguments.
func field(of map[string]any, names []string) string { return plain(said(of, names)) }

func texts(list []any) ([]string, bool) {
	var out []string
	for _, v := range list {
		text := textOf(v)
		if text == "" {
			return nil, false
		}
		out = append(out, plain(text))
	}
	return out, true
}

// plain is an argument as it can stand among others.
func plain(text string) string { return strings.ReplaceAll(strings.TrimSpace(text), ",", " ") }
