package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/ontology"
)

// listArg is the kind of the last argument of a conclusion.
const listArg ArgKind = 255

// arithmetic holds the predicates whose arguments are numbers.
var arithmetic = map[string]bool{"<": true, ">": true, "=<": true, ">=": true, "=:=": true, `=\=`: true, "is": true}

// signature is the kinds of the arguments of a predicate, nil where they are
// not known.
func (c *checker) signature(i Indicator) []ArgKind {
	if f, ok := c.facts[i]; ok {
		return f.Args
	}
	if i == failureHead {
		return []ArgKind{AnyArg, StepArg, StepArg, AnyArg}
	}
	return c.kinds[i]
}

// compatible reports whether a value can be of both kinds.
func compatible(a, b ArgKind) bool {
	return a == b || a == AnyArg || b == AnyArg || a.kindOf() && b.kindOf() ||
		a.Integer() && b.Integer() || a == NumberArg && b == ValueArg || a == ValueArg && b == NumberArg
}

// kindOf reports whether values of the kind are classes.
func (k ArgKind) kindOf() bool { return k == ClassArg || k == SoundArg || k == EventArg }

// inferKinds finds the kinds of the arguments of helper predicates from the
// facts that their clauses ask for.
func (c *checker) inferKinds() {
	rest, again := c.dependents(), make([]bool, len(c.program.Clauses))
	for i := range again {
		again[i] = true
	}
	for changed := true; changed; {
		changed = false
		for at, cl := range c.program.Clauses {
			if !again[at] {
				continue // nothing that it rests on has changed
			}
			again[at] = false
			i := cl.Head.Indicator()
			if _, fact := c.facts[i]; fact || i == failureHead {
				continue
			}
			if c.kinds[i] == nil {
				c.kinds[i] = make([]ArgKind, i.Arity)
			}
			of := c.variableKinds(cl)
			for n, a := range cl.Head.Args {
				if k, ok := of[a.Name]; a.Kind == Variable && ok && c.kinds[i][n] == AnyArg && k != AnyArg {
					c.kinds[i][n] = k
					changed = true
					for _, other := range rest[i] {
						again[other] = true
					}
				}
			}
		}
	}
}

// dependents lists by predicate the clauses that conclude it or ask for it, by index.
func (c *checker) dependents() map[Indicator][]int {
	out := map[Indicator][]int{}
	for at, cl := range c.program.Clauses {
		note := func(i Indicator) {
			if of := out[i]; len(of) == 0 || of[len(of)-1] != at {
				out[i] = append(of, at)
			}
		}
		note(cl.Head.Indicator())
		for _, g := range cl.Body {
			eachCall(g, false, func(t *Term, _ bool) { note(t.Indicator()) })
		}
	}
	return out
}

// variableKinds gives the variables of a clause the kind of the first argument
// they stand for.
func (c *checker) variableKinds(cl *Clause) map[string]ArgKind {
	out := map[string]ArgKind{}
	c.eachArgument(cl, func(a *Term, k ArgKind, _ *Term) {
		if _, ok := out[a.Name]; a.Kind == Variable && !ok && k != AnyArg {
			out[a.Name] = k
		}
	})
	return out
}

// eachArgument visits the arguments of the goals of a clause, then those of its
// head, with their kinds.
func (c *checker) eachArgument(cl *Clause, visit func(arg *Term, kind ArgKind, goal *Term)) {
	each := func(t *Term) {
		sig := c.signature(t.Indicator())
		for n, a := range t.Args {
			if n < len(sig) {
				visit(a, sig[n], t)
			}
		}
		switch {
		case t.Indicator() == failureHead:
			items, ok := t.Args[3].List()
			for _, item := range items {
				visit(item, ObjectArg, t)
			}
			if !ok && t.Args[3].Kind != Compound {
				visit(t.Args[3], listArg, t)
			}
		case arithmetic[t.Name] && len(t.Args) == 2:
			for _, a := range t.Args {
				a.walk(func(u *Term) {
					if u.Kind == Variable || u.Kind == Atom {
						visit(u, NumberArg, t)
					}
				})
			}
		}
	}
	for _, g := range cl.Body {
		eachCall(g, false, func(t *Term, _ bool) { each(t) })
	}
	each(cl.Head)
}

// arguments checks the names and kinds of the arguments of a clause.
func (c *checker) arguments(cl *Clause) {
	of := c.variableKinds(cl)
	c.eachArgument(cl, func(a *Term, k ArgKind, goal *Term) {
		switch {
		case k == AnyArg:
		case a.Kind == Variable:
			if had, ok := of[a.Name]; ok && !compatible(had, k) {
				c.report(mistakeWrongKind, a.Pos, a.Name, had.word(), goal.Indicator(), k.word())
			}
		case k == listArg && a.Kind != Variable, a.Kind == Integer && !k.Numeric(), a.Kind == Decimal && k != ValueArg, a.Kind == Atom && k.Numeric(), a.Kind == Compound && !k.Numeric():
			c.report(mistakeWrongKind, a.Pos, a, termKind(a), goal.Indicator(), k.word())
		case a.Kind == Atom:
			c.name(a, k)
		}
	})
}

func termKind(t *Term) string {
	switch t.Kind {
	case Integer, Decimal:
		return "a number"
	case Atom:
		return "a name"
	}
	return "a structure"
}

func (k ArgKind) word() string {
	words := map[ArgKind]string{StepArg: "a step", NumberArg: "a number", ObjectArg: "an object", ClassArg: "a class", StateArg: "a state",
		RelationArg: "a relation", ActionArg: "an action", listArg: "a list of objects", PropertyArg: "a property", ConditionArg: "a precondition", SoundArg: "a sound", WordArg: "a word", ValueArg: "a value", QuantityArg: "a quantity", EventArg: "a kind of event"}
	return words[k]
}

// name checks a constant against the ontology.
func (c *checker) name(a *Term, k ArgKind) {
	known := c.known(k)
	if known == nil || slices.Contains(known, a.Name) {
		return
	}
	_, word, _ := strings.Cut(k.word(), " ")
	c.report(mistakeUnknownName, a.Pos, a, word, hint(a.Name, known))
}

// known lists the names of a kind, nil where any name will do.
func (c *checker) known(k ArgKind) []string {
	names, ok := c.names[k]
	if !ok {
		names = c.list(k)
		c.names[k] = names
	}
	return names
}

func (c *checker) list(k ArgKind) []string {
	o := c.onto
	named := func(fits func(ontology.TermID) bool) []string {
		out := []string{}
		for i := range o.Terms {
			if fits(ontology.TermID(i)) {
				out = append(out, o.Terms[i].Name)
			}
		}
		return out
	}
	switch k {
	case ClassArg:
		return named(func(id ontology.TermID) bool { return o.Terms[id].IsClass })
	case SoundArg:
		return named(func(id ontology.TermID) bool { return o.IsA(id, o.Core.Sound) })
	case EventArg:
		return named(func(id ontology.TermID) bool { return o.IsA(id, o.Core.SensorEvent) })
	case StateArg:
		return named(func(id ontology.TermID) bool { return o.HasType(id, o.Core.StateClass) })
	case RelationArg:
		return named(func(id ontology.TermID) bool { return o.HasType(id, o.Core.Relation) })
	case PropertyArg:
		return named(func(id ontology.TermID) bool {
			return o.HasType(id, o.Core.PhysicalProperty) || o.HasType(id, o.Core.Material)
		})
	case QuantityArg:
		return named(func(id ontology.TermID) bool { return o.Quantity(id) != nil })
	case ActionArg:
		var out []string
		for _, a := range o.Actions {
			out = append(out, a.Name)
		}
		return out
	case ConditionArg:
		out := []string{"exists", "of_class"}
		for _, a := range o.Actions {
			for _, cond := range slices.Concat(a.Preconditions, a.Norms) {
				if !slices.Contains(out, cond.Name) {
					out = append(out, cond.Name)
				}
			}
		}
		return out
	}
	return nil
}

// contradictions reports goals of a clause that exclude one another.
func (c *checker) contradictions(cl *Clause) {
	o := c.onto
	for n, g := range cl.Body {
		if g.Is("event", 4) && g.Args[1].Kind == Atom {
			if kind, known := o.Lookup(g.Args[1].Name); known && !slices.ContainsFunc(append(o.Subclasses(kind), kind), func(t ontology.TermID) bool { return o.MeasuredBy(t) != nil }) {
				c.never(g, measuresNothing, g.Args[1].Name)
			}
		}
		for _, h := range cl.Body[:n] {
			switch {
			case g.Is("isa", 2) && h.Is("isa", 2) && same(g.Args[0], h.Args[0]):
				a, b, ok := c.terms(h.Args[1], g.Args[1])
				if ok && !o.IsA(a, b) && !o.IsA(b, a) && !c.share(a, b) {
					c.never(g, bothClasses, o.Name(a), o.Name(b))
				}
			case (g.Is("state", 3) || g.Is("seen_state", 3)) && h.Indicator() == g.Indicator() && same(g.Args[0], h.Args[0]) && same(g.Args[1], h.Args[1]):
				if a, b, ok := c.terms(h.Args[2], g.Args[2]); ok && o.Dimension(a) != ontology.None && o.StateIs(a, b) < 0 {
					c.never(g, bothStates, o.Name(a), o.Name(b))
				}
			case g.Is("action", 2) && h.Is("action", 2) && same(g.Args[0], h.Args[0]) && g.Args[1].Kind == Atom && h.Args[1].Kind == Atom && g.Args[1].Name != h.Args[1].Name:
				c.never(g, bothActions, h.Args[1].Name, g.Args[1].Name)
			}
			for _, pair := range [][2]*Term{{g, h}, {h, g}} {
				denied, asked := pair[0], pair[1]
				if !denied.Is(`\+`, 1) || !denied.Args[0].Is("isa", 2) || !asked.Is("isa", 2) || !same(denied.Args[0].Args[0], asked.Args[0]) {
					continue
				}
				if a, b, ok := c.terms(asked.Args[1], denied.Args[0].Args[1]); ok && o.IsA(a, b) {
					c.never(g, classDenied, o.Name(a), o.Name(b))
				}
			}
		}
	}
}

func (c *checker) never(at *Term, why string, args ...any) {
	c.report(mistakeNeverMatches, at.Pos, fmt.Sprintf(why, args...))
}

// share reports whether some class is a subclass of both. People have several
// classes at once.
func (c *checker) share(a, b ontology.TermID) bool {
	human := c.onto.Core.Human
	if c.onto.IsA(a, human) && c.onto.IsA(b, human) {
		return true
	}
	return slices.ContainsFunc(c.onto.Subclasses(a), func(s ontology.TermID) bool { return c.onto.IsA(s, b) })
}

func (c *checker) terms(a, b *Term) (x, y ontology.TermID, ok bool) {
	if a.Kind != Atom || b.Kind != Atom {
		return ontology.None, ontology.None, false
	}
	x, known := c.onto.Lookup(a.Name)
	y, also := c.onto.Lookup(b.Name)
	return x, y, known && also
}

func same(a, b *Term) bool { return a.String() == b.String() }
