package rules

import "slices"

// Circles numbers the predicates that call themselves, directly or through others,
// from 1; those that call one another have the same number.
func (p *Program) Circles() map[Indicator]int {
	p.reading.Do(func() { p.circles = circles(p) })
	return p.circles
}

// Recurs reports whether a goal leads to a predicate that calls itself.
func (p *Program) Recurs(g *Term) bool {
	circles := p.Circles()
	if len(circles) == 0 {
		return false
	}
	seen := map[Indicator]bool{}
	var leads func(t *Term) bool
	leads = func(t *Term) bool {
		i := t.Indicator()
		if circles[i] > 0 || slices.ContainsFunc(t.Args, leads) {
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

func circles(p *Program) map[Indicator]int {
	calls := map[Indicator][]Indicator{}
	var walk func(from Indicator, t *Term)
	walk = func(from Indicator, t *Term) {
		if len(p.Defining(t.Indicator())) > 0 {
			calls[from] = append(calls[from], t.Indicator())
		}
		for _, a := range t.Args {
			walk(from, a)
		}
	}
	var order []Indicator
	for _, c := range p.Clauses {
		if !slices.Contains(order, c.Head.Indicator()) {
			order = append(order, c.Head.Indicator())
		}
		for _, g := range c.Body {
			walk(c.Head.Indicator(), g)
		}
	}
	reach := func(from Indicator) map[Indicator]bool {
		seen := map[Indicator]bool{}
		queue := slices.Clone(calls[from])
		for len(queue) > 0 {
			next := queue[0]
			queue = queue[1:]
			if !seen[next] {
				seen[next] = true
				queue = append(queue, calls[next]...)
			}
		}
		return seen
	}
	reached := map[Indicator]map[Indicator]bool{}
	for _, i := range order {
		reached[i] = reach(i)
	}
	out := map[Indicator]int{}
	n := 0
	for _, i := range order {
		if !reached[i][i] || out[i] > 0 {
			continue
		}
		n++
		for _, j := range order {
			if reached[i][j] && reached[j][i] {
				out[j] = n
			}
		}
	}
	return out
}
