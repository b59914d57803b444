package memory

import (
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/cayleygraph/quad"

	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// narrowing lists the goals that have to hold of an episode and by which episodes are found:
// conditions on what their entries say, and the class of what was found in them.
func narrowing(goals []*rules.Term) []*rules.Term {
	var out []*rules.Term
	for _, g := range goals {
		switch {
		case g.Is(",", 2):
			out = append(out, narrowing(g.Args)...)
		case g.Is("robot", 2), g.Is("site", 2), g.Is("task", 2), g.Is("label", 2), g.Is("found", 4):
			out = append(out, g)
		}
	}
	return out
}

// given is the name that a term of the goal is, or has as a parameter; ok is false for none.
func (g *Goal) given(t *rules.Term, values []any) (name string, ok bool) {
	if t == nil {
		return "", false
	}
	if t.Kind == rules.Atom {
		return t.Name, true
	}
	if at := slices.Index(g.prepared.Parameters(), t.Name); t.Kind == rules.Variable && at >= 0 {
		name, ok = values[at].(string)
	}
	return name, ok
}

// entries are those of the episodes to ask: of the one that is named alone, where one is, else
// of those that can have answers.
func (g *Goal) entries(ctx context.Context, f Filter, values []any) iter.Seq2[Entry, error] {
	if id, named := g.given(g.episode, values); named {
		return g.entry(ctx, f, id)
	}
	var classes []string
	for _, c := range g.narrows {
		name, ok := g.given(c.Args[1], values)
		if !ok {
			continue
		}
		to := map[string]*string{"robot": &f.Robot, "site": &f.Site, "task": &f.Task, "label": &f.Label}[c.Name]
		switch {
		case to == nil:
			classes = append(classes, name)
		case *to == "":
			*to = name
		}
	}
	return func(yield func(Entry, error) bool) {
		had, err := g.memory.having(ctx, f, classes)
		if err != nil {
			yield(Entry{}, err)
			return
		}
		for e, err := range g.memory.List(ctx, f) {
			if (err != nil || had == nil || had[e.ID]) && !yield(e, err) {
				return
			}
		}
	}
}

func (g *Goal) entry(ctx context.Context, f Filter, id string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		e, err := g.memory.Entry(ctx, id)
		if err == nil && f.fits(e) || err != nil && !errors.Is(err, ErrNotFound) {
			yield(e, err)
		}
	}
}

// having are the episodes in which something of each class was found, nil where no class is
// given; some may have it only as a threat.
func (m *Memory) having(ctx context.Context, f Filter, classes []string) (map[string]bool, error) {
	var out map[string]bool
	for _, class := range classes {
		of := map[string]bool{}
		for q, err := range m.Match(ctx, Pattern{Predicate: rdfType, Object: quad.IRI(ontology.Namespace + class), Of: f}) {
			if err != nil {
				return nil, err
			}
			if id, ok := episodeOf(q.Subject); ok && (out == nil || out[id]) {
				of[id] = true
			}
		}
		out = of
	}
	return out, nil
}
