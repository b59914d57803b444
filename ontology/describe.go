package ontology

import (
	"fmt"
	"slices"
	"strings"
)

// Describe writes what the ontology says of a term, for a person: labels,
// comment, superclasses, subclasses, its own and inherited values, and, for
// actions, preconditions and effects.
func (o *Ontology) Describe(id TermID) string {
	t := &o.Terms[id]
	var b strings.Builder
	line := func(name string, items []string) {
		if len(items) > 0 {
			fmt.Fprintf(&b, "  %-14s %s\n", name+":", strings.Join(items, ", "))
		}
	}
	fmt.Fprintf(&b, "%s  (%s)\n", t.Name, t.Pos)
	if t.Comment != "" {
		fmt.Fprintf(&b, "  %s\n", t.Comment)
	}
	line("labels", t.Labels)
	if c := o.canonical[id]; c != id {
		line("same as", []string{o.Name(c)})
	}
	line("is a", o.names(t.Types))
	if t.IsClass {
		line("superclasses", o.names(slices.DeleteFunc(slices.Clone(o.order(id)), func(c TermID) bool { return c == id })))
		line("subclasses", o.names(o.Subclasses(id)))
	}
	if q := o.Quantity(id); q != nil && q.Unit.Symbol != "" {
		line("measured in", []string{q.Unit.QUDT, q.Unit.Symbol})
	}
	for _, v := range o.valueLines(id) {
		line(v[0], v[1:])
	}
	for _, a := range o.Actions {
		if a.Term == id {
			o.describeAction(&b, a)
		}
	}
	for _, task := range o.Tasks {
		if task.Term == id {
			o.describePatterns(&b, "goal", task.Goal.Patterns, task.Goal.Vars)
			o.describePatterns(&b, "usual scene", task.Usual, nil)
		}
	}
	return b.String()
}

func (o *Ontology) names(ids []TermID) []string {
	var out []string
	for _, id := range ids {
		out = append(out, o.Name(id))
	}
	return out
}

// valueLines lists the plain values of a term and its superclasses by property.
func (o *Ontology) valueLines(id TermID) [][]string {
	var out [][]string
	for _, c := range o.order(id) {
		for _, v := range o.values[c] {
			text := v.text
			if v.term != None {
				text = o.Name(v.term)
			} else if strings.Contains(text, "/") || strings.HasPrefix(text, "_:") {
				continue // structure, described elsewhere
			}
			i := slices.IndexFunc(out, func(l []string) bool { return l[0] == o.Name(v.property) })
			if i < 0 {
				out = append(out, []string{o.Name(v.property)})
				i = len(out) - 1
			}
			if !slices.Contains(out[i][1:], text) {
				out[i] = append(out[i], text)
			}
		}
	}
	return out
}

func (o *Ontology) describeAction(b *strings.Builder, a *ActionSchema) {
	fmt.Fprintf(b, "  written as:    (%s)\n", strings.Join(append([]string{a.Name}, a.Vars[VarTarget:VarTarget+a.Params]...), ", "))
	for _, kind := range []struct {
		name string
		list []Condition
	}{{"precondition", a.Preconditions}, {"norm", a.Norms}} {
		for _, c := range kind.list {
			fmt.Fprintf(b, "  %s %s (else: %s)\n", kind.name, c.Name, c.Comment)
			o.describePatterns(b, "  when", c.When, a.Vars)
			for _, u := range c.Unless {
				o.describePatterns(b, "  unless", u, a.Vars)
			}
			o.describePatterns(b, "  requires", c.Requires, a.Vars)
			o.describePatterns(b, "  forbids", c.Forbids, a.Vars)
		}
	}
	for _, e := range a.Effects {
		o.describePatterns(b, "effect", e.Then, a.Vars)
		o.describePatterns(b, "  when", e.When, a.Vars)
	}
}

func (o *Ontology) describePatterns(b *strings.Builder, name string, ps []Pattern, vars []string) {
	var parts []string
	for _, p := range ps {
		parts = append(parts, o.argText(p.Subject, vars)+" "+o.Name(p.Predicate)+" "+o.thirdPart(&p, vars))
	}
	if len(parts) > 0 {
		fmt.Fprintf(b, "  %-14s %s\n", name+":", strings.Join(parts, ", "))
	}
}

func (o *Ontology) thirdPart(p *Pattern, vars []string) string {
	m := &p.Measure
	switch {
	case m.Operator == NoOperator:
		return o.argText(p.Object, vars)
	case m.Quantity == None:
		return m.Operator.String() + " " + o.Quantity(p.Predicate).Text(m.Number)
	case m.OfAction:
		return m.Operator.String() + " the " + o.Name(m.Quantity) + " of the action"
	}
	return m.Operator.String() + " the " + o.Name(m.Quantity) + " of " + o.argText(m.Of, vars)
}

func (o *Ontology) argText(a Arg, vars []string) string {
	switch {
	case a.IsVar() && a.Var < len(vars):
		return vars[a.Var]
	case a.Param != "":
		return "$" + a.Param
	}
	return o.Name(a.Term)
}
