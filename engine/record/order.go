package record

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cayleygraph/quad"

	"github.com/mishap-robotics/mishap/ontology/recorded"
)

// A graph is a set, a list of a log is not. carried is the order in which a set stands
// where nothing else is said: what was there before in the order of then, then what is new,
// sorted.
func carried(before, now []string) []string {
	here := make(map[string]bool, len(now))
	for _, s := range now {
		here[s] = true
	}
	out := make([]string, 0, len(here))
	for _, s := range before {
		if here[s] {
			out = append(out, s)
			delete(here, s)
		}
	}
	kept := len(out)
	for s := range here {
		out = append(out, s)
	}
	slices.Sort(out[kept:])
	return out
}

// places tells in which order a list stands, as places in the order carried; "" where it
// is that order.
func places(order, list []string) string {
	if slices.Equal(order, list) {
		return ""
	}
	at := make(map[string]int, len(order))
	for i, s := range order {
		at[s] = i
	}
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = strconv.Itoa(at[s])
	}
	return strings.Join(out, " ")
}

// placed undoes places. Where the set is not the one that they were made for it stands in
// the order carried.
func placed(order []string, places string) []string {
	if places == "" {
		return order
	}
	out, seen := []string(nil), map[int]bool{}
	for _, field := range strings.Fields(places) {
		i, err := strconv.Atoi(field)
		if err != nil || i < 0 || i >= len(order) {
			return order
		}
		seen[i] = true
		out = append(out, order[i])
	}
	if len(seen) != len(order) {
		return order
	}
	return out
}

// list says a list of texts of something, in order.
func (w *writer) list(x quad.IRI, p recorded.Term, values []string) {
	order := carried(nil, values)
	for _, v := range order {
		w.say(x, term(p), quad.String(v))
	}
	w.inOrder(x, string(p), places(order, values))
}

func (w *writer) inOrder(x quad.IRI, of, places string) {
	if places != "" {
		w.say(x, term(recorded.InOrder), quad.String(of+" "+places))
	}
}

// places are those that something says of a property.
func (v view) places(x quad.IRI, of string) string {
	for _, text := range v.texts(x, term(recorded.InOrder)) {
		if rest, ok := strings.CutPrefix(text, of+" "); ok {
			return rest
		}
	}
	return ""
}

// list reads a list of texts; nil where there are none.
func (v view) list(x quad.IRI, p recorded.Term) []string {
	values := v.texts(x, term(p))
	if len(values) == 0 {
		return nil
	}
	return placed(carried(nil, values), v.places(x, string(p)))
}
