package engine

import (
	"context"
	"fmt"
	"iter"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/rules"
)

// PreparedGoal is a goal with parameters that is read once and asked often, of the facts of
// any episode. It may be shared by goroutines.
type PreparedGoal struct {
	reasoner   *Reasoner
	goals      []*rules.Term
	parameters []string
	faults     bool // it may ask for faults of the plan
	scores     bool // and for scores
}

// Prepare reads a goal whose parameters are variables: of
//
//	Prepare("dropped(S, Object), isa(Object, Class)", "Class")
//
// Query gives Class a value each time. A value is never read as Prolog text, whatever
// signs it has. A parameter that is no variable of the goal is an error.
func (r *Reasoner) Prepare(goal string, parameters ...string) (*PreparedGoal, error) {
	goals, err := rules.ParseGoal(goal)
	if err != nil {
		return nil, err
	}
	return r.PrepareTerms(goals, parameters...)
}

// PrepareTerms is Prepare of goals that are read already, all of which are to hold.
func (r *Reasoner) PrepareTerms(goals []*rules.Term, parameters ...string) (*PreparedGoal, error) {
	if err := r.usable(); err != nil {
		return nil, err
	}
	goals, err := r.read(goals)
	if err != nil {
		return nil, err
	}
	var variables, texts []string
	for _, g := range goals {
		texts = append(texts, g.String())
		variables = append(variables, g.Variables()...)
	}
	for i, p := range parameters {
		if !slices.Contains(variables, p) {
			return nil, fmt.Errorf("goal: found parameter %q; expected a variable of %q", p, strings.Join(texts, ", "))
		}
		if slices.Contains(parameters[:i], p) {
			return nil, fmt.Errorf("goal: found parameter %q twice; expected each once", p)
		}
	}
	out := &PreparedGoal{reasoner: r, goals: goals, parameters: slices.Clone(parameters)}
	for _, g := range goals {
		out.faults = out.faults || r.rules.LeadsTo(g, fact.OfFaults)
		out.scores = out.scores || r.rules.LeadsTo(g, fact.OfScores)
	}
	return out, nil
}

// Facts are the facts of an episode that the goal may ask for, by itself or by rules. What is
// wrong with the plan, which is sought for long, and scores are left out where it does not.
// The error is one of the context.
func (p *PreparedGoal) Facts(ctx context.Context, ep *episode.Episode) (*Facts, error) {
	if p == nil || p.reasoner == nil {
		return nil, missing("prepared goal; Reasoner.Prepare makes one")
	}
	if ep == nil {
		return nil, missing("episode")
	}
	r := p.reasoner
	if p.scores {
		r = r.WithScores()
	}
	c, end := beginCall(orBackground(ctx), nil, 0, "")
	defer end()
	return r.factsWithin(c, ep, p.faults)
}

// parse reads and checks a goal.
func (r *Reasoner) parse(goal string) ([]*rules.Term, error) {
	goals, err := rules.ParseGoal(goal)
	if err != nil {
		return nil, err
	}
	return r.read(goals)
}

// read writes goals in facts, and checks them.
func (r *Reasoner) read(goals []*rules.Term) ([]*rules.Term, error) {
	out := make([]*rules.Term, len(goals))
	for i, g := range goals {
		out[i] = r.InFacts(g)
	}
	return out, r.rules.CheckGoal(r.Ontology, out, r.vocabulary())
}

// Parameters are the names of the parameters, in the order of Query.
func (p *PreparedGoal) Parameters() []string {
	if p == nil {
		return nil
	}
	return slices.Clone(p.parameters)
}

// Query asks the goal over the facts of an episode, with a value for each parameter: a
// string for a name, an integer of any type, a slice of these for a list, or a
// *rules.Term without variables. The columns of the rows are the other variables.
func (p *PreparedGoal) Query(ctx context.Context, x *Facts, values ...any) (*Rows, error) {
	if p == nil || p.reasoner == nil {
		return nil, missing("prepared goal; Reasoner.Prepare makes one")
	}
	if x == nil {
		return nil, missing("facts")
	}
	bound, err := p.With(values...)
	if err != nil {
		return nil, err
	}
	return p.reasoner.rows(ctx, x, bound.goals), nil
}

// With is the goal with a value for each parameter, as Query takes them: one without
// parameters, to be asked of many episodes.
func (p *PreparedGoal) With(values ...any) (*PreparedGoal, error) {
	if p == nil || p.reasoner == nil {
		return nil, missing("prepared goal; Reasoner.Prepare makes one")
	}
	if len(values) != len(p.parameters) {
		return nil, fmt.Errorf("%d values for %d parameters %q", len(values), len(p.parameters), p.parameters)
	}
	if len(values) == 0 {
		return p, nil
	}
	given := map[string]*rules.Term{}
	for i, v := range values {
		t, err := term(reflect.ValueOf(v))
		if err != nil {
			return nil, fmt.Errorf("parameter %s: %w", p.parameters[i], err)
		}
		at := *t // a mistake in it is one at the place of the parameter
		at.Pos = placeOf(p.goals, p.parameters[i])
		given[p.parameters[i]] = &at
	}
	out := *p
	out.parameters, out.goals = nil, make([]*rules.Term, len(p.goals))
	for i, g := range p.goals {
		out.goals[i] = g.With(given)
	}
	return &out, p.reasoner.rules.CheckGoal(p.reasoner.Ontology, out.goals, p.reasoner.vocabulary())
}

// placeOf is where a variable first stands.
func placeOf(terms []*rules.Term, variable string) rules.Pos {
	for _, t := range terms {
		if t.Kind == rules.Variable && t.Name == variable {
			return t.Pos
		}
		if at := placeOf(t.Args, variable); at != (rules.Pos{}) {
			return at
		}
	}
	return rules.Pos{}
}

var termType = reflect.TypeFor[*rules.Term]()

// term is the term that a Go value stands for.
func term(v reflect.Value) (*rules.Term, error) {
	switch {
	case !v.IsValid():
		return nil, fmt.Errorf("found nil; expected a string, an integer or a list")
	case v.Type() == termType:
		t := v.Interface().(*rules.Term)
		if t == nil || len(t.Variables()) > 0 {
			return nil, fmt.Errorf("found a term with variables; expected one without")
		}
		return t, nil
	case v.Kind() == reflect.String:
		return &rules.Term{Kind: rules.Atom, Name: v.String()}, nil
	case v.CanInt():
		return &rules.Term{Kind: rules.Integer, Int: v.Int()}, nil
	case v.CanUint() && v.Uint() <= math.MaxInt64:
		return &rules.Term{Kind: rules.Integer, Int: int64(v.Uint())}, nil
	case v.Kind() == reflect.Interface:
		return term(v.Elem())
	case v.Kind() == reflect.Slice, v.Kind() == reflect.Array:
		list := &rules.Term{Kind: rules.Atom, Name: "[]"}
		for i := v.Len() - 1; i >= 0; i-- {
			item, err := term(v.Index(i))
			if err != nil {
				return nil, err
			}
			list = &rules.Term{Kind: rules.Compound, Name: ".", Args: []*rules.Term{item, list}}
		}
		return list, nil
	}
	return nil, fmt.Errorf("found a %s; expected a string, an integer of 64 bits or a list", v.Type())
}

// Collect iterates over rows as values of a struct type, and closes them. A column goes to
// the field whose tag is `mishap:"Column"`, else to the one of its name; each must have
// one. An error ends the rows.
func Collect[T any](rows *Rows) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		if rows == nil {
			yield(none, missing("rows"))
			return
		}
		defer rows.Close()
		fields, err := fieldsOf(reflect.TypeFor[T](), rows.columns)
		if err != nil {
			yield(none, err)
			return
		}
		for rows.Next() {
			var out T
			dest := make([]any, len(fields))
			for i, f := range fields {
				dest[i] = reflect.ValueOf(&out).Elem().FieldByIndex(f).Addr().Interface()
			}
			if err := rows.Scan(dest...); err != nil {
				yield(none, err)
				return
			}
			if !yield(out, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(none, err)
		}
	}
}

// fieldsOf finds the field of each column in a struct type.
func fieldsOf(t reflect.Type, columns []string) ([][]int, error) {
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("found %s; expected a struct type with a field for each of %q", t, columns)
	}
	var out [][]int
	for _, column := range columns {
		var found []int
		for _, f := range reflect.VisibleFields(t) {
			tag, tagged := f.Tag.Lookup("mishap")
			if f.IsExported() && !f.Anonymous && (tag == column || !tagged && f.Name == column) {
				found = f.Index
				break
			}
		}
		if found == nil {
			return nil, fmt.Errorf("%s has no field for column %s; expected one of that name, or with the tag `mishap:%q`", t, column, column)
		}
		out = append(out, found)
	}
	return out, nil
}
