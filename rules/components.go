package rules

import "slices"

// Components numbers the predicates that call themselves, directly or through others,
// by the strongly connected component of the graph of calls that they are in, from 1 in
// order of the program. What does not recur has no number.
func (p *Program) Components() map[Indicator]int {
	p.reading.Do(func() {
		if p.components = readCalls(p).components(); len(p.components) > 0 {
			p.recurring = p.Leading(func(i Indicator) bool { return p.components[i] > 0 })
		}
	})
	return p.components
}

// Recurs reports whether a goal leads to a predicate that calls itself.
func (p *Program) Recurs(g *Term) bool {
	return len(p.Components()) > 0 && g.Holds(func(i Indicator) bool { return p.recurring[i] })
}

// Leading are the predicates meant that the program defines, and those that are defined by
// predicates meant, directly or through others.
func (p *Program) Leading(meant func(Indicator) bool) map[Indicator]bool {
	callers := map[Indicator][]Indicator{}
	out := map[Indicator]bool{}
	var found []Indicator
	note := func(i Indicator) {
		if !out[i] {
			out[i], found = true, append(found, i)
		}
	}
	for _, c := range p.Clauses {
		head := c.Head.Indicator()
		if meant(head) {
			note(head)
		}
		for _, goal := range c.Body {
			goal.walk(func(t *Term) {
				if i := t.Indicator(); meant(i) {
					note(head)
				} else if len(p.Defining(i)) > 0 {
					callers[i] = append(callers[i], head)
				}
			})
		}
	}
	for len(found) > 0 {
		i := found[len(found)-1]
		found = found[:len(found)-1]
		for _, head := range callers[i] {
			note(head)
		}
	}
	return out
}

// LeadsTo reports whether a goal is or holds one of the predicates meant, or one that is
// defined by them.
func (p *Program) LeadsTo(g *Term, meant func(Indicator) bool) bool {
	seen := map[Indicator]bool{}
	var leads func(t *Term) bool
	leads = func(t *Term) bool {
		i := t.Indicator()
		if meant(i) || slices.ContainsFunc(t.Args, leads) {
			return true
		}
		if seen[i] {
			return false
		}
		seen[i] = true
		return slices.ContainsFunc(p.Defining(i), func(c *Clause) bool { return slices.ContainsFunc(c.Body, leads) })
	}
	return leads(g)
}

// callGraph holds which predicates of a program call which.
type callGraph struct {
	order []Indicator // of the program
	calls map[Indicator][]Indicator
}

func readCalls(p *Program) *callGraph {
	g := &callGraph{calls: map[Indicator][]Indicator{}}
	var walk func(from Indicator, t *Term)
	walk = func(from Indicator, t *Term) {
		if len(p.Defining(t.Indicator())) > 0 {
			g.calls[from] = append(g.calls[from], t.Indicator())
		}
		for _, a := range t.Args {
			walk(from, a)
		}
	}
	known := map[Indicator]bool{}
	for _, c := range p.Clauses {
		head := c.Head.Indicator()
		if !known[head] {
			known[head], g.order = true, append(g.order, head)
		}
		for _, t := range c.Body {
			walk(head, t)
		}
	}
	return g
}

// components numbers the strongly connected components that recur, by Tarjan's algorithm.
func (g *callGraph) components() map[Indicator]int {
	t := tarjan{graph: g, index: map[Indicator]int{}, low: map[Indicator]int{}, component: map[Indicator]int{}}
	for _, i := range g.order {
		if t.index[i] == 0 {
			t.visit(i)
		}
	}
	size := map[int]int{}
	for _, c := range t.component {
		size[c]++
	}
	out, number := map[Indicator]int{}, map[int]int{}
	for _, i := range g.order {
		c := t.component[i]
		if size[c] == 1 && !slices.Contains(g.calls[i], i) {
			continue
		}
		if number[c] == 0 {
			number[c] = len(number) + 1
		}
		out[i] = number[c]
	}
	return out
}

// tarjan finds strongly connected components.
type tarjan struct {
	graph     *callGraph
	index     map[Indicator]int // in order of the search, from 1
	low       map[Indicator]int // the first that is reached and has no component yet
	component map[Indicator]int // from 1
	found     int               // components
	stack     []Indicator       // without a component
}

func (t *tarjan) visit(i Indicator) {
	t.index[i] = len(t.index) + 1
	t.low[i] = t.index[i]
	t.stack = append(t.stack, i)
	for _, j := range t.graph.calls[i] {
		switch {
		case t.index[j] == 0:
			t.visit(j)
			t.low[i] = min(t.low[i], t.low[j])
		case t.component[j] == 0:
			t.low[i] = min(t.low[i], t.index[j])
		}
	}
	if t.low[i] < t.index[i] {
		return
	}
	t.found++
	for t.component[i] == 0 {
		last := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		t.component[last] = t.found
	}
}
