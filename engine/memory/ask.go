package memory

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/rules"
)

// GoalError is a goal that cannot be asked of a memory.
type GoalError struct {
	Found, Expected string
}

func (e *GoalError) Error() string {
	return fmt.Sprintf("goal: found %s; expected %s", e.Found, e.Expected)
}

// Goal is a goal over a memory, read once.
//
// It has the predicates of an episode with the episode before their arguments:
// dropped(E, S, O) is dropped(S, O) of E. Those of which no step is an argument may stand
// as they are: isa(O, 'Mug'). Relations of the ontology are predicates by their names, as in
// any goal (engine.Reasoner.RelationPredicates): near(E, S, A, B). Further ones are those of
// Memory.Builtins, and triple(S, P, O) and quad(S, P, O, G) of the graph, in which a name is a
// term of the ontology, an IRI, a part of an episode such as run-1/step/3/action, or a text.
// A goal speaks of one episode.
type Goal struct {
	memory   *Memory
	reasoner *engine.Reasoner
	prepared *engine.PreparedGoal
	episode  *rules.Term // that it speaks of, nil for none
	// OfEpisodes is false where the goal speaks of the graph alone, and is asked once.
	OfEpisodes bool
}

// Prepare reads a goal. The reasoner has the Builtins of the memory. Parameters are variables
// of the goal, as of Reasoner.Prepare: Answers takes a value for each. The episode may be one.
func (m *Memory) Prepare(r *engine.Reasoner, goal string, parameters ...string) (*Goal, error) {
	goals, err := rules.ParseGoal(goal)
	if err != nil {
		return nil, err
	}
	known := map[rules.Indicator]bool{}
	for _, p := range slices.Concat(engine.Vocabulary(), r.RelationPredicates()) {
		known[p.Indicator()] = true
	}
	for _, c := range r.Rules().Clauses {
		known[c.Head.Indicator()] = true
	}
	t := &translation{known: known}
	for i, g := range goals {
		goals[i] = g.MapCalls(t.goal)
	}
	if t.err != nil {
		return nil, t.err
	}
	if t.episode != nil {
		goals = slices.Insert(goals, 0, &rules.Term{Kind: rules.Compound, Name: episodePredicate, Args: []*rules.Term{t.episode}, Pos: t.episode.Pos})
	}
	prepared, err := r.PrepareTerms(goals, parameters...)
	if err != nil {
		return nil, err
	}
	return &Goal{m, r, prepared, t.episode, t.episode != nil || t.facts}, nil
}

// translation makes a goal over a memory one over an episode.
type translation struct {
	known   map[rules.Indicator]bool
	episode *rules.Term
	facts   bool // it has predicates of an episode
	err     error
}

// entryPredicates take the episode as an input.
var entryPredicates = map[string]int{"robot": 2, "site": 2, "task": 2, "label": 2, "started": 2, "found": 4}

func (t *translation) goal(g *rules.Term) *rules.Term {
	if g.Kind != rules.Compound && g.Kind != rules.Atom {
		return g
	}
	i := g.Indicator()
	of := rules.Indicator{Name: i.Name, Arity: i.Arity - 1}
	switch {
	case rules.IsBuiltin(i), i == (rules.Indicator{Name: triplePredicate, Arity: 3}), i == (rules.Indicator{Name: quadPredicate, Arity: 4}):
	case i.Arity > 0 && entryPredicates[i.Name] == i.Arity, i == (rules.Indicator{Name: episodePredicate, Arity: 1}):
		t.speaks(g.Args[0])
	case !t.known[i] && t.known[of]:
		t.facts = true
		t.speaks(g.Args[0])
		out := *g
		if out.Args = g.Args[1:]; len(out.Args) == 0 {
			out.Kind = rules.Atom
		}
		return &out
	default:
		t.facts = t.facts || t.known[i]
	}
	return g
}

// speaks notes the episode that a goal speaks of.
func (t *translation) speaks(e *rules.Term) {
	switch {
	case t.err != nil:
	case e.Kind != rules.Variable && e.Kind != rules.Atom:
		t.err = &GoalError{e.String(), "an episode, as a variable or by its id"}
	case t.episode == nil:
		t.episode = e
	case t.episode.Kind != e.Kind || t.episode.Name != e.Name:
		t.err = &GoalError{fmt.Sprintf("the episodes %s and %s", t.episode, e), "one episode; what others are like, rules with earlier/1 ask"}
	}
}

// Answer is one answer to a goal: values by the names of the variables. Entry is that of
// the episode, where the goal speaks of one.
type Answer struct {
	Entry  Entry
	Names  []string
	Values []*rules.Term
}

// Scan copies the values to the fields of the structure that to points at, as
// engine.ScanStruct does.
func (a Answer) Scan(to any) error { return engine.ScanStruct(a.Names, a.Values, to) }

// Answers asks the goal of the episodes that a filter lets through, those that began first
// before others, with a value for each parameter, as PreparedGoal.Query takes them: a string
// is never read as Prolog. An error ends them.
func (g *Goal) Answers(ctx context.Context, f Filter, values ...any) iter.Seq2[Answer, error] {
	return func(yield func(Answer, error) bool) {
		if names := g.prepared.Parameters(); len(values) != len(names) { // no episode may be there to say so
			yield(Answer{}, &GoalError{fmt.Sprintf("%d values", len(values)), fmt.Sprintf("one for each of the parameters %q", names)})
			return
		}
		if !g.OfEpisodes {
			none, err := g.facts(&episode.Episode{ID: "none"})
			if err == nil {
				_, err = g.ask(ctx, none, Entry{}, values, yield)
			}
			if err != nil {
				yield(Answer{}, err)
			}
			return
		}
		for e, err := range g.entries(ctx, f, values) {
			if err != nil {
				yield(Answer{}, err)
				return
			}
			ep, err := g.memory.Episode(ctx, e.ID)
			if err != nil {
				yield(Answer{}, fmt.Errorf("episode %s: %w", e.ID, err))
				return
			}
			x, err := g.facts(ep)
			more := true
			if err == nil {
				more, err = g.ask(during(ctx, e), x, e, values, yield)
			}
			if err != nil {
				yield(Answer{}, fmt.Errorf("episode %s: %w", e.ID, err))
				return
			}
			if !more {
				return
			}
		}
	}
}

// entries are those of the episodes to ask: of the one that is named alone, where one is.
func (g *Goal) entries(ctx context.Context, f Filter, values []any) iter.Seq2[Entry, error] {
	id, named := "", g.episode != nil && g.episode.Kind == rules.Atom
	if named {
		id = g.episode.Name
	} else if g.episode != nil {
		if at := slices.Index(g.prepared.Parameters(), g.episode.Name); at >= 0 && at < len(values) {
			id, named = values[at].(string)
		}
	}
	if !named {
		return g.memory.List(ctx, f)
	}
	return func(yield func(Entry, error) bool) {
		e, err := g.memory.Entry(ctx, id)
		if err == nil && f.fits(e) || err != nil && !errors.Is(err, ErrNotFound) {
			yield(e, err)
		}
	}
}

func (g *Goal) facts(ep *episode.Episode) (*engine.Facts, error) {
	x := g.reasoner.Facts(ep)
	if x == nil {
		return nil, errors.New("its facts cannot be worked out")
	}
	return x, nil
}

// ask asks the goal of one episode; more is false where nobody wants more answers.
func (g *Goal) ask(ctx context.Context, x *engine.Facts, e Entry, parameters []any, yield func(Answer, error) bool) (more bool, err error) {
	rows, err := g.prepared.Query(ctx, x, parameters...)
	if err != nil {
		return false, err
	}
	defer rows.Close()
	names := rows.Columns()
	for rows.Next() {
		values := make([]*rules.Term, len(names))
		to := make([]any, len(names))
		for i := range values {
			to[i] = &values[i]
		}
		if err := rows.Scan(to...); err != nil {
			return false, err
		}
		if !yield(Answer{e, names, values}, nil) {
			return false, nil
		}
	}
	return true, rows.Err()
}
