package rules

import "slices"

// Components numbers the predicates that call themselves, directly or through others,
// by the strongly connected component of the graph of calls that they are in, from 1 in
// order of the program. What does not recur has no number.
func (p *Program) Components() map[Indicator]int {
	p.reading.Do(func() { p.components = readCalls(p).components() })
	return p.components
}

// Recurs reports whether a goal leads to a predicate that calls itself.
func (p *Program) Recurs(g *Term) bool {
	components := p.Components()
	if len(components) == 0 {
		return false
	}
	seen := map[Indicator]bool{}
	var leads func(t *Term) bool
	leads = func(t *Term) bool {
		i := t.Indicator()
		if components[i] > 0 || slices.ContainsFunc(t.Args, leads) {
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
	for _, c := range p.Clauses {
		head := c.Head.Indicator()
		if !slices.Contains(g.order, head) {
			g.order = append(g.order, head)
		}
		for _, t := range c.Body {
			walk(head, t)
		}
	}
	return g
}

// reachable are the predicates that one leads to.
func (g *callGraph) reachable(from Indicator) map[Indicator]bool {
	seen := map[Indicator]bool{}
	queue := slices.Clone(g.calls[from])
	for len(queue) > 0 {
		next := queue[0]
		queue = queue[1:]
		if !seen[next] {
			seen[next] = true
			queue = append(queue, g.calls[next]...)
		}
	}
	return seen
}

// components numbers the strongly connected components that recur. Programs are small
// enough to compare what each predicate leads to.
func (g *callGraph) components() map[Indicator]int {
	leads := map[Indicator]map[Indicator]bool{}
	for _, i := range g.order {
		leads[i] = g.reachable(i)
	}
	out := map[Indicator]int{}
	n := 0
	for _, i := range g.order {
		if !leads[i][i] || out[i] > 0 {
			continue
		}
		n++
		for _, j := range g.order {
			if leads[i][j] && leads[j][i] {
				out[j] = n
			}
		}
	}
	return out
}
