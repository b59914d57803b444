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
func carried[T comparable](before, now []T, compare func(a, b T) int) []T {
	here := make(map[T]bool, len(now))
	for _, s := range now {
		here[s] = true
	}
	out := make([]T, 0, len(here))
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
	slices.SortFunc(out[kept:], compare)
	return out
}

// places tells in which order a list stands, as places in the order carried; "" where it
// is that order.
func places[T comparable](order, list []T) string {
	if slices.Equal(order, list) {
		return ""
	}
	at := make(map[T]int, len(order))
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
func placed[T comparable](order []T, places string) []T {
	if places == "" {
		return order
	}
	out, seen := []T(nil), map[int]bool{}
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
	order := carried(nil, values, strings.Compare)
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
	return placed(carried(nil, values, strings.Compare), v.places(x, string(p)))
}
