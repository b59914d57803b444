package dependency

import (
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// builder collects a graph.
type builder struct {
	g       *StateGraph
	o       *ontology.Ontology
	index   map[StateVariable]int
	objects *state.Objects         // nil for a lifted graph
	nothing *state.State           // of the objects, where nothing is known
	changed map[StateVariable]bool // what calls give a value
}

func newBuilder(o *ontology.Ontology, objects *state.Objects) *builder {
	b := &builder{g: &StateGraph{}, o: o, index: map[StateVariable]int{}, objects: objects}
	if objects != nil {
		b.nothing = state.New(objects)
	}
	return b
}

func (b *builder) action(a *ontology.ActionSchema) {
	text := "(" + strings.Join(append([]string{a.Name}, a.Vars[ontology.VarTarget:ontology.VarTarget+a.Params]...), ", ") + ")"
	r := b.reading(a.Vars, state.NewBinding(len(a.Vars)))
	b.g.Actions = append(b.g.Actions, ActionNode{Text: text, Schema: a, Preparation: Preparation(b.o, a)})
	r.actionOf(a)
}

func (b *builder) call(c state.Call) {
	r := b.reading(c.Schema.Vars, c.Binding())
	r.call = &c
	b.g.Actions = append(b.g.Actions, ActionNode{Text: b.objects.CallText(c), Schema: c.Schema, Call: c, Preparation: Preparation(b.o, c.Schema)})
	r.actionOf(c.Schema)
}

func (b *builder) process(p *ontology.Process) {
	r := b.reading(p.Vars, state.NewBinding(len(p.Vars)))
	r.params = 0
	b.g.Actions = append(b.g.Actions, ActionNode{Text: b.o.Terms[p.Term].Label(), Process: p})
	r.scope = slices.Concat(append(slices.Clone(p.Unless), p.When, p.Then)...)
	r.clause(clause{patterns: p.When}, nil, nil)
	for _, u := range p.Unless {
		r.clause(clause{patterns: u, not: true}, nil, nil)
	}
	r.clause(clause{patterns: p.Then, effect: true}, nil, nil)
}

// reading reads the patterns of one action or process.
type reading struct {
	*builder
	action int // index of the node
	from   int // first of its edges
	vars   []string
	params int           // how many of the variables a call binds
	known  state.Binding // what it binds them to
	call   *state.Call   // nil for a lifted graph
	other  int           // the variable for what takes up room
	// scope is all that tells what the variables are of what is being read.
	scope []ontology.Pattern
}

// otherVar is what stands in the way where a receptacle has no room.
const otherVar = "?other"

func (b *builder) reading(vars []string, known state.Binding) *reading {
	r := &reading{builder: b, action: len(b.g.Actions), from: len(b.g.Edges), vars: vars, params: ontology.VarDestination + 1, known: known}
	if r.other = slices.Index(vars, otherVar); r.other < 0 {
		r.other = len(vars)
		r.vars = append(slices.Clone(vars), otherVar)
		r.known = append(slices.Clone(known), state.Unbound)
	}
	return r
}

func (r *reading) actionOf(a *ontology.ActionSchema) {
	for i := range a.Preconditions {
		r.condition(&a.Preconditions[i])
	}
	for i := range a.Effects {
		r.effect(&a.Effects[i])
	}
}

// clause is a conjunction of patterns as it bears on an action.
type clause struct {
	patterns    []ontology.Pattern
	effect      bool // the action makes it so
	not         bool // it must not be so
	conditional bool
	condition   string                   // name of the precondition
	admits      func(state.Binding) bool // nil where all bindings count
}

// condition reads a precondition. It holds too where its when does not, or its
// unless does.
func (r *reading) condition(c *ontology.Condition) {
	all := append(slices.Clone(c.Unless), c.When, c.Requires, c.Forbids)
	if r.absent(all) || r.settled(c) {
		return
	}
	r.scope = slices.Concat(all...)
	r.clause(clause{patterns: c.Requires, condition: c.Name}, c.When, c.Unless)
	r.clause(clause{patterns: c.Forbids, not: true, condition: c.Name}, c.When, c.Unless)
	r.clause(clause{patterns: c.When, not: true, conditional: true, condition: c.Name}, c.When, c.Unless)
	for _, u := range c.Unless {
		r.clause(clause{patterns: u, conditional: true, condition: c.Name}, c.When, c.Unless)
	}
}

// settled reports whether what a condition demands holds of the objects for good.
func (r *reading) settled(c *ontology.Condition) bool {
	open, possible := r.open(c.Requires, r.known)
	_, bad := r.open(c.Forbids, r.known)
	return possible && len(open) == 0 && !(bad && len(c.Forbids) > 0)
}

func (r *reading) effect(e *ontology.Effect) {
	all := append(slices.Clone(e.Unless), e.When, e.Then)
	if r.absent(all) {
		return
	}
	r.scope = slices.Concat(all...)
	r.clause(clause{patterns: e.When, conditional: true}, e.When, e.Unless)
	for _, u := range e.Unless {
		r.clause(clause{patterns: u, not: true, conditional: true}, e.When, e.Unless)
	}
	r.clause(clause{patterns: e.Then, effect: true}, e.When, e.Unless)
}

// absent reports whether patterns speak of a parameter that the call leaves out.
func (r *reading) absent(groups [][]ontology.Pattern) bool {
	return r.call != nil && r.call.Absent(groups...)
}

// clause adds the edges of a conjunction that counts under when and unless.
func (r *reading) clause(c clause, when []ontology.Pattern, unless [][]ontology.Pattern) {
	for _, p := range c.patterns {
		if p.Predicate == r.o.Core.HasRoom {
			r.room(p, c, when, unless)
		}
	}
	bindings := r.bindings(slices.Concat(when, c.patterns))
	for _, b := range bindings {
		under, applies := r.under(when, unless, b)
		rest, possible := r.open(c.patterns, b)
		if !applies || !possible || c.admits != nil && !c.admits(b) {
			continue
		}
		oneOf := !c.not && !c.effect && len(bindings) > 1
		conditional := c.conditional || under || oneOf || c.not && r.several(rest)
		for _, p := range rest {
			if !r.static(p) && p.Predicate != r.o.Core.HasRoom {
				r.edge(p, c, b, conditional)
			}
		}
	}
}

// room reads that a receptacle has room: something else may have to be elsewhere.
func (r *reading) room(p ontology.Pattern, c clause, when []ontology.Pattern, unless [][]ontology.Pattern) {
	other := ontology.Arg{Var: r.other, Term: ontology.None}
	c.patterns = []ontology.Pattern{
		{Subject: other, Predicate: r.o.Core.LocatedAt, Object: p.Subject, Pos: p.Pos},
		{Subject: other, Predicate: r.o.Core.Differs, Object: p.Object, Pos: p.Pos},
	}
	c.not, c.conditional = !c.not, true
	c.admits = func(b state.Binding) bool { return r.canFill(p, b) }
	r.clause(c, when, unless)
}

// canFill reports whether a receptacle can be so full of things like one, ?other or
// else the object to be put there, that the object has no room.
func (r *reading) canFill(room ontology.Pattern, b state.Binding) bool {
	if r.objects == nil {
		return true
	}
	at, put := r.object(room.Subject, b).ID, r.object(room.Object, b).ID
	like := b[r.other].Object()
	if like == state.Nothing {
		like = put
	}
	if at == state.Nothing || like == state.Nothing {
		return true
	}
	limit, limited := r.o.Capacity(r.objects.Class(at))
	if !limited {
		return false
	}
	full := state.New(r.objects.Clone())
	for range limit {
		full.SetPlace(full.Objects.Fresh(r.objects.Class(like)), r.o.Core.Inside, at, state.Observed, 0)
	}
	has, _ := state.Query{State: full}.Best([]ontology.Pattern{room}, b)
	return has <= state.AssumedFalse
}

// under reports whether a conjunction counts at all, and whether that depends on
// what is yet to be seen.
func (r *reading) under(when []ontology.Pattern, unless [][]ontology.Pattern, b state.Binding) (depends, applies bool) {
	rest, possible := r.open(when, b)
	if !possible {
		return false, false
	}
	depends = len(rest) > 0
	for _, u := range unless {
		rest, possible := r.open(u, b)
		if possible && len(rest) == 0 {
			return false, false
		}
		depends = depends || possible
	}
	return depends, true
}

// several reports whether patterns that must not hold together leave a choice, so
// that each matters only where the others hold. What the kind of a free variable
// must be says only which objects are meant.
func (r *reading) several(patterns []ontology.Pattern) bool {
	n := 0
	for _, p := range patterns {
		if !r.static(p) || r.param(p.Subject) && r.param(p.Object) {
			n++
		}
	}
	return n > 1
}

func (r *reading) param(a ontology.Arg) bool { return a.Var < r.params }

func (r *reading) edge(p ontology.Pattern, c clause, b state.Binding, conditional bool) {
	v, ok := r.value(p, b)
	if !ok {
		return
	}
	v.Not = c.not
	s := r.state(p, b)
	at, ok := r.index[s]
	if !ok {
		at = len(r.g.States)
		r.index[s] = at
		r.g.States = append(r.g.States, s)
	}
	e := Dependency{Action: r.action, State: at, Effect: c.effect, Value: v, Conditional: conditional, Condition: c.condition}
	if !slices.Contains(r.g.Edges[r.from:], e) {
		r.g.Edges = append(r.g.Edges, e)
	}
}
