package jsonl

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/mishap-robotics/mishap/engine/episode"
)

// fields are the fields of an object of the schema that are read, with those of the
// objects in them.
type fields map[string]fields

// schemaFields reads the fields of the parts of the schema.
var schemaFields = sync.OnceValue(func() map[string]fields {
	var doc struct {
		Defs map[string]schemaNode `json:"$defs"`
	}
	if err := json.Unmarshal(schemaText, &doc); err != nil {
		panic(err) // a test keeps the schema readable
	}
	out := map[string]fields{}
	for name, node := range doc.Defs {
		out[name] = node.fields(doc.Defs)
	}
	return out
})

type schemaNode struct {
	Ref        string                `json:"$ref"`
	Properties map[string]schemaNode `json:"properties"`
	Items      *schemaNode           `json:"items"`
}

func (n *schemaNode) fields(parts map[string]schemaNode) fields {
	if n.Ref != "" {
		part := parts[strings.TrimPrefix(n.Ref, "#/$defs/")]
		return part.fields(parts)
	}
	if n.Items != nil {
		return n.Items.fields(parts)
	}
	if len(n.Properties) == 0 {
		return nil
	}
	out := fields{}
	for name, p := range n.Properties {
		out[name] = p.fields(parts)
	}
	return out
}

// prune takes out of a document what the part of the schema does not have, and lists the
// names, sorted.
func prune(doc map[string]any, part string) []string {
	var unknown []string
	pruneObject(doc, schemaFields()[part], &unknown)
	slices.Sort(unknown)
	return slices.Compact(unknown)
}

// others are fields that logs of other makers have too, with a meaning of their own: what
// is not of the form that is read here is passed over.
var others = map[string]func(any) bool{
	"robot": isText, "site": isText, "start": isText, "action_id": isText, "result": isText, "labels": isTexts, "values": isMeasured, "events": isEvents,
	"status": func(v any) bool {
		text, _ := v.(string)
		_, ok := episode.ReadStatus(text)
		return ok
	},
}

func isText(v any) bool {
	text, ok := v.(string)
	return ok && text != ""
}

func isTexts(v any) bool {
	list, ok := v.([]any)
	return ok && !slices.ContainsFunc(list, func(v any) bool { return !isText(v) })
}

func isEvents(v any) bool {
	list, ok := v.([]any)
	return ok && !slices.ContainsFunc(list, func(v any) bool {
		object, _ := v.(map[string]any)
		return !isText(v) && !isText(object["kind"])
	})
}

// isMeasured reports whether all is a number, or a number with its unit.
func isMeasured(v any) bool {
	object, ok := v.(map[string]any)
	for _, value := range object {
		if with, is := value.(map[string]any); is {
			unit, given := with["unit"]
			if len(with) > 2 || given && !isText(unit) || !given && len(with) > 1 {
				return false
			}
			value = with["value"]
		}
		switch value.(type) {
		case map[string]any, []any, bool, nil:
			return false
		}
	}
	return ok
}

// withoutOthers takes out of a line what has the name of a field that is read and another
// form, and lists it; text is the line as JSON.
func withoutOthers(doc map[string]any, text []byte) (rest []byte, names []string) {
	for name, fits := range others {
		if value, ok := doc[name]; ok && !fits(value) {
			delete(doc, name)
			names = append(names, name)
		}
	}
	if names == nil {
		return text, nil
	}
	slices.Sort(names)
	if out, err := json.Marshal(doc); err == nil {
		text = out
	}
	return text, names
}

func pruneObject(doc map[string]any, known fields, unknown *[]string) {
	for name, value := range doc {
		inner, ok := known[name]
		if !ok {
			*unknown = append(*unknown, name)
			delete(doc, name)
			continue
		}
		if inner != nil {
			pruneValue(value, inner, unknown)
		}
	}
}

func pruneValue(value any, known fields, unknown *[]string) {
	switch v := value.(type) {
	case map[string]any:
		pruneObject(v, known, unknown)
	case []any:
		for _, item := range v {
			pruneValue(item, known, unknown)
		}
	}
}

// longestKept is how long an action that is no text may be that is kept as one, in bytes.
const longestKept = 1000

// withoutMisfits takes out of a header, or a step, the fields that the schema does not allow as they
// are, but for some without which it is none, and lists what was found in them; text is the line as
// JSON. An action is kept as the text that it is. wrong says why it is none.
func withoutMisfits(part string, doc map[string]any, text []byte, but ...string) (rest []byte, found []string, wrong string) {
	for {
		place, _, ok := compiled().Validate(part, doc)
		if ok {
			break
		}
		field := compiled().Misfit(part, doc)
		value, there := doc[field]
		if !there || slices.Contains(but, field) {
			return text, nil, place
		}
		delete(doc, field)
		if _, isText := value.(string); !isText && field == "action" {
			if said, err := json.Marshal(value); err == nil && len(said) > 2 && len(said) <= longestKept {
				doc[field] = string(said)
			}
		}
		found = append(found, place)
	}
	if found == nil {
		return text, nil, ""
	}
	out, err := json.Marshal(doc)
	if err != nil {
		return text, nil, err.Error()
	}
	return out, found, ""
}
