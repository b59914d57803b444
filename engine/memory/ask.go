package memory

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/record"
	"github.com/mishap-robotics/mishap/ontology"
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
// A goal speaks of one episode. Which are asked is found out before, by conditions of it on
// robot, site, task, label or class of what was found; only where it asks for facts each of
// them is rebuilt and followed.
type Goal struct {
	memory   *Memory
	prepared *engine.PreparedGoal
	episode  *rules.Term   // that it speaks of, nil for none
	narrows  []*rules.Term // conditions by which episodes are found before it is asked
	facts    bool          // it asks for what was seen, done and believed in them
	found    bool          // it asks for what was found in them
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
	narrows := narrowing(goals)
	if t.episode != nil {
		goals = slices.Insert(goals, 0, &rules.Term{Kind: rules.Compound, Name: episodePredicate, Args: []*rules.Term{t.episode}, Pos: t.episode.Pos})
	}
	prepared, err := r.PrepareTerms(goals, parameters...)
	if err != nil {
		return nil, err
	}
	return &Goal{m, prepared, t.episode, narrows, t.facts, t.found, t.episode != nil || t.facts}, nil
}

// translation makes a goal over a memory one over an episode.
type translation struct {
	known   map[rules.Indicator]bool
	episode *rules.Term
	facts   bool // it has predicates of an episode
	found   bool // it asks for what was found
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
		t.found = t.found || i.Name == "found"
	case !t.known[i] && t.known[of]:
		t.facts = true
		t.speaks(g.Args[0])
		out := *g
		if out.Args = g.Args[1:]; len(out.Args) == 0 {
			out.Kind = rules.Atom
		}
		return &out
	case t.known[i]:
		t.facts = true
	default:
		t.unknown(i)
	}
	return g
}

// unknown hints at the predicate that was meant where that is one with the episode before.
// Others are found unknown when the goal is read.
func (t *translation) unknown(i rules.Indicator) {
	var names []string
	ofEpisodes := map[string]bool{}
	for k := range t.known {
		names = append(names, k.String())
		k.Arity++
		names = append(names, k.String())
		ofEpisodes[k.String()] = true
	}
	var none *Memory
	for _, b := range none.builtins() {
		of := b.Predicate()
		names = append(names, of.Indicator().String())
	}
	slices.Sort(names)
	if near := ontology.Nearest(i.String(), names); t.err == nil && ofEpisodes[near] {
		t.err = &GoalError{"the predicate " + i.String() + ", which nothing defines", "one of a memory; did you mean " + near + "?"}
	}
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
		goal, err := g.prepared.With(values...)
		var none *engine.Facts
		if err == nil {
			none, err = goal.Facts(ctx, &episode.Episode{ID: "none"})
		}
		if err == nil && !g.OfEpisodes {
			_, err = ask(ctx, goal, none, Entry{}, yield)
		}
		if err != nil {
			yield(Answer{}, err)
		}
		if err != nil || !g.OfEpisodes {
			return
		}
		var some []Entry
		for e, err := range g.entries(ctx, f, values) {
			if err != nil {
				yield(Answer{}, err)
				return
			}
			if some = append(some, e); g.found && len(some) < foundTogether {
				continue
			}
			if !g.askEach(ctx, goal, none, some, yield) {
				return
			}
			some = some[:0]
		}
		g.askEach(ctx, goal, none, some, yield)
	}
}

// foundTogether is of how many episodes it is read together what was found in them.
const foundTogether = 64

// askEach asks the goal of episodes; it is false where nobody wants more answers, or after an
// error.
func (g *Goal) askEach(ctx context.Context, goal *engine.PreparedGoal, none *engine.Facts, entries []Entry, yield func(Answer, error) bool) bool {
	var found map[string][]record.Found
	var err error
	if g.found && len(entries) > 0 {
		if found, err = g.memory.foundIn(ctx, entries); err != nil {
			yield(Answer{}, err)
			return false
		}
	}
	for _, e := range entries {
		x, more := none, true
		if g.facts {
			x, err = g.factsOf(ctx, e)
		}
		if err == nil {
			now := &present{Entry: e, stored: true, found: found[e.ID], read: g.found}
			more, err = ask(context.WithValue(ctx, presentKey{}, now), goal, x, e, yield)
		}
		if err != nil {
			yield(Answer{}, fmt.Errorf("episode %s: %w", e.ID, err))
			return false
		}
		if !more {
			return false
		}
	}
	return true
}

// factsOf rebuilds an episode and follows it.
func (g *Goal) factsOf(ctx context.Context, e Entry) (*engine.Facts, error) {
	ep, err := g.memory.Episode(ctx, e.ID)
	if err != nil {
		return nil, err
	}
	return g.prepared.Facts(ctx, ep)
}

// ask asks the goal of one episode; more is false where nobody wants more answers.
func ask(ctx context.Context, goal *engine.PreparedGoal, x *engine.Facts, e Entry, yield func(Answer, error) bool) (more bool, err error) {
	rows, err := goal.Query(ctx, x)
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
