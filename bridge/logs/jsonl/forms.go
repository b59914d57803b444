package jsonl

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The names that other makers of logs give the fields of an observation, in the order in which
// they count.
var (
	nodeLists    = strings.Fields("nodes objects entities detections")
	edgeLists    = strings.Fields("edges relations relationships triples")
	nodeIDs      = strings.Fields("id object_id objectId uid name label class")
	nodeClasses  = strings.Fields("class label category class_name className type")
	edgeSubjects = strings.Fields("subject subj source src from head")
	edgeNames    = strings.Fields("relation predicate rel relationship type label name")
	edgeObjects  = strings.Fields("object obj target dst to tail")
)

// otherNames are those names that the schema does not have.
var otherNames = func() map[string]bool {
	out := map[string]bool{}
	for _, names := range [][]string{nodeLists[1:], edgeLists[1:], nodeIDs[1:5], nodeClasses[1:]} {
		for _, name := range names {
			out[name] = true
		}
	}
	return out
}()

var (
	relationCall = regexp.MustCompile(`^\s*([\pL][\pL\pN_ -]*?)\s*\(\s*([^(),]+?)\s*,\s*([^(),]+?)\s*\)\s*$`) // "on(mug, table)"
	relationList = regexp.MustCompile(`^\s*\(\s*([\pL][\pL\pN_-]*)\s+([^\s()]+)\s+([^\s()]+)\s*\)\s*$`)       // "(on mug table)"
	relationText = regexp.MustCompile(`^\s*(\S+)\s+(\S(?:.*\S)?)\s+(\S+)\s*$`)                                // "mug on table"
)

// writeForms writes the observation and the sounds of a line as the schema has them, where a log has
// them otherwise: edges as texts or objects, scores in them, states as a map, names of fields that
// others use, null for what is absent. It lists what it leaves out; text is the line as JSON.
func writeForms(doc map[string]any, text []byte) (rest []byte, left []string) {
	f := forms{}
	for name, value := range doc {
		if value == nil {
			delete(doc, name)
			f.changed = true
		}
	}
	if sound, ok := doc["sounds"].(string); ok {
		doc["sounds"] = []any{sound}
		f.changed = true
	}
	if obs, ok := doc["observation"].(map[string]any); ok {
		f.observation(obs)
	}
	if !f.changed {
		return text, nil
	}
	if out, err := json.Marshal(doc); err == nil {
		text = out
	}
	return text, f.left
}

type forms struct {
	changed bool
	left    []string
}

func (f *forms) observation(obs map[string]any) {
	for name, value := range obs {
		if value == nil {
			delete(obs, name)
			f.changed = true
		}
	}
	f.rename(obs, nodeLists)
	f.rename(obs, edgeLists)
	f.each(obs, "nodes", f.node)
	f.each(obs, "edges", f.edge)
}

// rename gives the first list of a map under one of some names the first of these.
func (f *forms) rename(obs map[string]any, names []string) {
	if _, there := obs[names[0]]; there {
		return
	}
	for _, name := range names[1:] {
		if list, ok := obs[name].([]any); ok {
			obs[names[0]], f.changed = list, true
			delete(obs, name)
			return
		}
	}
}

// each writes every element of a list anew, and leaves out what is no such element.
func (f *forms) each(obs map[string]any, name string, write func(any) (any, bool)) {
	list, ok := obs[name].([]any)
	if !ok {
		return
	}
	out := make([]any, 0, len(list))
	for _, v := range list {
		if element, ok := write(v); ok {
			out = append(out, element)
			continue
		}
		found, _ := json.Marshal(v)
		f.left, f.changed = append(f.left, fmt.Sprintf("%s of %s", found, name)), true
	}
	obs[name] = out
}

func (f *forms) node(v any) (any, bool) {
	if text, ok := v.(string); ok && text != "" {
		f.changed = true
		return map[string]any{"id": text}, true
	}
	node, ok := v.(map[string]any)
	if !ok {
		return v, false
	}
	for name, value := range node {
		if value == nil {
			delete(node, name)
			f.changed = true
		}
	}
	if number, ok := node["id"].(json.Number); ok {
		node["id"], f.changed = number.String(), true
	} else if number, ok := node["id"].(float64); ok {
		node["id"], f.changed = strconv.FormatFloat(number, 'f', -1, 64), true
	}
	if _, named := node["class"].(string); !named {
		if class := said(node, nodeClasses); class != "" && said(node, nodeIDs[:5]) != "" {
			node["class"], f.changed = class, true
		}
	}
	if _, named := node["id"].(string); !named {
		id := said(node, nodeIDs)
		if id == "" {
			return v, false
		}
		node["id"], f.changed = id, true
	}
	if values, there := node["values"]; there && !(isMeasured(values) && isNumeric(values)) {
		found, _ := json.Marshal(values)
		delete(node, "values")
		f.left, f.changed = append(f.left, fmt.Sprintf("%s of values", found)), true
	}
	switch states := node["states"].(type) {
	case string:
		node["states"], f.changed = []any{states}, true
	case map[string]any:
		node["states"], f.changed = statesOf(states), true
	}
	return node, true
}

// statesOf lists what a map says of states: {"open": true, "power": "on"}.
func statesOf(of map[string]any) []any {
	out := []any{}
	for _, name := range slices.Sorted(maps.Keys(of)) {
		switch v := of[name].(type) {
		case bool:
			if !v {
				name = "not " + name
			}
			out = append(out, name)
		case string:
			out = append(out, name+": "+v)
		}
	}
	return out
}

func (f *forms) edge(v any) (any, bool) {
	switch edge := v.(type) {
	case []any:
		if len(edge) < 3 {
			return v, false
		}
		for _, part := range edge[:3] {
			if text, ok := part.(string); !ok || text == "" {
				return v, false
			}
		}
		f.changed = f.changed || len(edge) > 3 // a score, or when it was seen
		return edge[:3], true
	case map[string]any:
		subject, relation, object := textOf(edge[keyIn(edge, edgeSubjects)]), said(edge, edgeNames), textOf(edge[keyIn(edge, edgeObjects)])
		f.changed = true
		return []any{subject, relation, object}, subject != "" && relation != "" && object != ""
	case string:
		f.changed = true
		for _, form := range []*regexp.Regexp{relationCall, relationList} {
			if m := form.FindStringSubmatch(edge); m != nil {
				return []any{m[2], m[1], m[3]}, true
			}
		}
		if m := relationText.FindStringSubmatch(edge); m != nil {
			return []any{m[1], m[2], m[3]}, true
		}
	}
	return v, false
}

// keyIn is the first of some names that a map has a value for.
func keyIn(of map[string]any, names []string) string {
	for _, name := range names {
		if of[name] != nil {
			return name
		}
	}
	return ""
}

// said is the first text that a map has under one of some names.
func said(of map[string]any, names []string) string {
	for _, name := range names {
		if text, ok := of[name].(string); ok && strings.TrimSpace(text) != "" {
			return strings.TrimSpace(text)
		}
	}
	return ""
}

// isNumeric reports whether no value of a map is a text, but for units.
func isNumeric(v any) bool {
	object, _ := v.(map[string]any)
	for _, value := range object {
		if with, is := value.(map[string]any); is {
			value = with["value"]
		}
		if _, isText := value.(string); isText {
			return false
		}
	}
	return true
}
