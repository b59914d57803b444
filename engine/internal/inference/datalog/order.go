package datalog

import (
	"maps"
	"math"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/rules"
)

// item is a goal that waits for its turn.
type item struct {
	goal     *rules.Term
	index    int       // of the body
	part     int       // of the goal of the body, where that is a conjunction
	requires []int32   // registers that have a value where it stands
	demand   bool      // it is what was asked of the predicate of the clause
	asks     *relation // that a recursive goal asks
	window   window    // of what it sees
}

// ordering chooses in what order goals of one use of a clause run.
type ordering struct {
	*builder
	scope *scope
}

// stillNeeded adds the registers of the goals to come to those needed after them.
func (r ordering) stillNeeded(needed map[int32]bool, items []item) map[int32]bool {
	out := maps.Clone(needed)
	for _, it := range items {
		for _, v := range r.program.spelt.goal(it.goal) {
			if o := r.scope.vars[v]; !o.constant() {
				out[o.reg] = true
			}
		}
	}
	return out
}

// flatten takes conjunctions apart.
func flatten(items []item) []item {
	out := make([]item, 0, len(items))
	var take func(i item)
	take = func(i item) {
		if i.goal.Is(",", 2) {
			for _, g := range i.goal.Args {
				part := i
				part.goal = g
				take(part)
			}
			return
		}
		i.part = len(out)
		out = append(out, i)
	}
	for _, i := range items {
		take(i)
	}
	return out
}

// requirements notes which variables of each goal have values where it stands.
func (r ordering) requirements(items []item) {
	have := map[int32]bool{}
	for i := range items {
		it := &items[i]
		if it.demand {
			continue
		}
		for _, v := range r.program.spelt.goal(it.goal) {
			if o := r.scope.vars[v]; !o.constant() && (r.bound[o.reg] || have[o.reg]) {
				it.requires = append(it.requires, o.reg)
			}
		}
		if it.asks != nil { // a tabled predicate is asked with these values
			it.requires = r.asked(r.scope, it)
		}
		for _, v := range r.program.spelt.bound(it.goal) {
			if o := r.scope.vars[v]; !o.constant() {
				have[o.reg] = true
			}
		}
	}
}

// binds lists the variables that a goal gives values.
func binds(g *rules.Term) []string {
	switch {
	case g.Is(",", 2), g.Is("->", 2):
		return append(binds(g.Args[0]), binds(g.Args[1])...)
	case g.Is(";", 2):
		var out []string
		right := binds(g.Args[1])
		for _, v := range binds(g.Args[0]) {
			if slices.Contains(right, v) {
				out = append(out, v)
			}
		}
		return out
	case g.Is("once", 1):
		return binds(g.Args[0])
	case g.Is(`\+`, 1), g.Is("forall", 2):
		return nil
	}
	if _, compares := comparisons[g.Name]; compares && len(g.Args) == 2 && g.Name != "=" {
		return nil
	}
	return g.Variables()
}

// cheapest chooses the goal to run next: tests first, then what gives least.
func (r ordering) cheapest(items []item, walks []walk) int {
	best, least := 0, math.Inf(1)
	for i, it := range items {
		ready := true
		for _, reg := range it.requires {
			ready = ready && r.bound[reg]
		}
		if _, isFact := fact.Number(it.goal.Indicator()); !ready && !isFact && !it.demand {
			continue
		}
		// A recursive predicate is asked when all that stands before it holds, as what is
		// asked of it may otherwise go on without end.
		// A host's predicate is asked only what it would be asked in the order of the source.
		before := func(o item) bool { return o.demand || o.index < it.index || o.index == it.index && o.part < it.part }
		if !it.demand && slices.ContainsFunc(items, before) && (r.program.rules.Recurs(it.goal) || r.program.asksHost(it.goal)) {
			continue
		}
		c := r.cost(&it, items)
		if _, ends := r.endedBy(it.goal, walks); ends {
			c = ending(c) // where it fails, much else is saved
		}
		if c < least {
			best, least = i, c
		}
	}
	return best
}

// cost is about how many times the goals after this one run, with a little for
// the work of the goal itself.
func (r ordering) cost(it *item, items []item) float64 {
	g := it.goal
	known := func(t *rules.Term) bool {
		return t.Kind != rules.Variable || r.has(r.scope.vars[t.Name])
	}
	if it.demand || it.asks != nil {
		n := 8.0
		for _, a := range g.Args {
			if known(a) {
				n /= 4
			}
		}
		return n
	}
	if pred, ok := fact.Number(g.Indicator()); ok {
		return r.expected(pred, it, items) + 0.01*float64(len(g.Args))
	}
	switch {
	case g.Is(`\+`, 1), g.Is("forall", 2), g.Is("once", 1):
		return anyTest + perGoal*float64(r.program.weight(g))
	case len(r.program.rules.Defining(g.Indicator())) > 0:
		if !slices.ContainsFunc(g.Args, func(t *rules.Term) bool { return !known(t) }) {
			return anyTest + perGoal*float64(r.program.weight(g))
		}
		return 1 + r.program.estimate(g, known, 0)
	case r.program.builtins[g.Indicator()] != nil:
		return 0.5 + expectedOf(r.program.builtins[g.Indicator()])
	case g.Is(";", 2):
		return 3
	case g.Is("member", 2) && !slices.ContainsFunc(g.Variables(), func(v string) bool { return !r.has(r.scope.vars[v]) }):
		return 0.1
	case g.Is("between", 3), g.Is("member", 2):
		return 5
	}
	return 0
}

// The cost of a test is that of any, and more for the goals that it comes to: less where it
// may end a walk.
const (
	anyTest   = 0.3
	perGoal   = 0.1
	perEnding = 0.02
)

func ending(cost float64) float64 { return anyTest + (cost-anyTest)*perEnding/perGoal }

// weight is how many goals a goal comes to.
func (p *Program) weight(g *rules.Term) int {
	n := 1
	for _, a := range g.Args {
		if a.Kind == rules.Compound || a.Kind == rules.Atom {
			n += p.weight(a)
		}
	}
	for _, c := range p.rules.Defining(g.Indicator()) {
		n += len(c.Body)
	}
	return n
}

// expected is about how many facts agree with what is bound.
func (r ordering) expected(pred int, it *item, items []item) float64 {
	g := it.goal
	n := fact.Expected(pred, func(i int) bool {
		return g.Args[i].Kind != rules.Variable || r.has(r.scope.vars[g.Args[i].Name])
	})
	if first := g.Args[0]; first.Kind == rules.Variable && !r.has(r.scope.vars[first.Name]) && fact.Kind(pred, 0) == rules.StepArg {
		if r.nearest(it, items) != all {
			return 1
		}
		n *= throughTime * within(sides(r.limitsFor(first, items)))
	}
	return n
}

// throughTime is how many times as much as within an episode of the length expected a scan
// over all steps costs: the more the longer the episode, which goes on.
const throughTime = 10

// within is about which part of all steps lies within limits: all that came before a step are
// many; those after it are few, as rules are mostly asked about what just happened.
func within(low, high bool) float64 {
	switch {
	case low:
		return 0.03
	case high:
		return 0.5
	}
	return 1
}

// asked is a helper predicate with the arguments that are known where it is called, as bits.
type asked struct {
	of    rules.Indicator
	known uint32
	depth int
}

// estimate is about how many solutions a call of a helper predicate has.
func (p *Program) estimate(g *rules.Term, known func(*rules.Term) bool, depth int) float64 {
	k := asked{of: g.Indicator(), depth: depth}
	for i, a := range g.Args {
		if known(a) {
			k.known |= 1 << i
		}
	}
	n, met := p.estimates[k]
	if !met || len(g.Args) > maxArguments {
		n = p.estimateAnew(g, known, depth)
		p.estimates[k] = n
	}
	return n
}

func (p *Program) estimateAnew(g *rules.Term, known func(*rules.Term) bool, depth int) float64 {
	total := 0.0
	for _, c := range p.rules.Defining(g.Indicator()) {
		have := map[string]bool{}
		for i, a := range c.Head.Args {
			if known(g.Args[i]) {
				for _, v := range a.Variables() {
					have[v] = true
				}
			}
		}
		inner := func(t *rules.Term) bool { return t.Kind != rules.Variable || have[t.Name] }
		n := 1.0
		for _, goal := range c.Body {
			if pred, ok := fact.Number(goal.Indicator()); ok {
				n *= p.estimateFacts(pred, goal, c.Body, inner)
			} else if len(p.rules.Defining(goal.Indicator())) > 0 && depth < 3 {
				n *= p.estimate(goal, inner, depth+1)
			}
			for _, v := range binds(goal) {
				have[v] = true
			}
		}
		total += n
	}
	return total
}

// estimateFacts is about how many facts a goal finds among others.
func (p *Program) estimateFacts(pred int, goal *rules.Term, body []*rules.Term, known func(*rules.Term) bool) float64 {
	n := fact.Expected(pred, func(i int) bool { return known(goal.Args[i]) })
	step := goal.Args[0]
	switch {
	case known(step) || fact.Kind(pred, 0) != rules.StepArg:
		return n
	case slices.ContainsFunc(body, func(g *rules.Term) bool { return p.nearerThan(goal, g) }):
		return 1
	}
	return n * throughTime * within(bounds(body, step.Name))
}

// bounds reports whether goals compare a variable with what it is not to be below, and with
// what it is not to be above.
func bounds(goals []*rules.Term, variable string) (low, high bool) {
	for _, g := range goals {
		op, ok := comparisons[g.Name]
		if !ok || op > atLeast || len(g.Args) != 2 {
			continue
		}
		for i, a := range g.Args {
			if a.Kind == rules.Variable && a.Name == variable {
				above := (op == greater || op == atLeast) == (i == 0)
				low, high = low || above, high || !above
			}
		}
	}
	return low, high
}

// limits finds comparisons among the goals to come that bound a step which has no
// value yet by what has one.
func (r ordering) limits(step *rules.Term, items []item) []limitAt {
	var out []limitAt
	for i, it := range items {
		g := it.goal
		op, than, ok := compared(g, step.Name)
		if !ok {
			continue
		}
		o := r.operand(r.scope, than)
		if !r.has(o) || r.sortOf(o) != integers {
			continue
		}
		at := limitAt{item: i, text: g, low: op == greater || op == atLeast, limit: limit{of: &expression{operand: o}}}
		switch op {
		case greater:
			at.add = 1
		case less:
			at.add = -1
		}
		out = append(out, at)
	}
	return out
}

// limitAt is a limit with the goal that sets it.
type limitAt struct {
	limit
	text *rules.Term
	low  bool
	item int
}

// sides reports on which sides limits bound a step.
func sides(limits []limitAt) (low, high bool) {
	for _, l := range limits {
		low, high = low || l.low, high || !l.low
	}
	return low, high
}

// limitsOf finds the comparisons to come that a scan can see to.
func (r ordering) limitsOf(it *item, items []item) []limitAt {
	pred, ok := fact.Number(it.goal.Indicator())
	if !ok || it.demand || !fact.Kind(pred, 0).Integer() {
		return nil
	}
	first := it.goal.Args[0]
	if first.Kind != rules.Variable || r.has(r.scope.vars[first.Name]) {
		return nil
	}
	return r.limitsFor(first, items)
}

// limitsFor finds the comparisons to come that bound a step, here or where the clause is
// called.
func (r ordering) limitsFor(step *rules.Term, items []item) []limitAt {
	limits := r.limits(step, items)
	if !r.fixed { // the first solution must not depend on what is asked after it
		limits = append(slices.Clone(r.handed[r.scope.vars[step.Name].reg]), limits...)
	}
	return limits
}

// hand passes comparisons to come on to the helper predicate that gives the step
// they bound its value, and lists the registers of such steps.
func (r ordering) hand(call *rules.Term, items []item) []int32 {
	if len(r.program.rules.Defining(call.Indicator())) == 0 {
		return nil
	}
	var out []int32
	for _, a := range call.Args {
		if a.Kind != rules.Variable || r.has(r.scope.vars[a.Name]) {
			continue
		}
		reg := r.scope.vars[a.Name].reg
		for _, l := range r.limits(a, items) {
			l.item = -1
			r.handed[reg] = append(r.handed[reg], l)
			out = append(out, reg)
		}
	}
	return out
}
