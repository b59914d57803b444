// Package datalog compiles rules to joins over the integer indexes of an
// episode's facts. It takes the part of Prolog that is Datalog with stratified
// negation: conjunctions over facts and helper predicates without function
// symbols, negation, disjunction, comparison and arithmetic on values that are
// known. Helper predicates are written out where they are called; recursive ones
// are tabled and evaluated semi-naively for what is asked of them (Bancilhon and
// Ramakrishnan, "An Amateur's Introduction to Recursive Query Processing
// Strategies", SIGMOD 1986, sections 4 and 5). What lies outside that part is
// left to the interpreter, with the reason.
package datalog

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/mishap-robotics/mishap/engine/fact"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// Program is rules compiled for an ontology. Goroutines may share it.
type Program struct {
	rules    *rules.Program
	onto     *ontology.Ontology
	failures []*Rule
	byClause map[*rules.Clause]*Rule
	circles  map[rules.Indicator]int // number of the circle of calls that a predicate is in, from 1

	mu        sync.Mutex
	codes     map[key]*compiled
	relations map[string]*relation
	tabled    map[int][]*relation // by circle
	broken    map[int]*Reason     // circles that cannot be tabled
	columns   map[rules.Indicator][]sort
	inOrder   map[rules.Indicator]bool
	count     int      // of codes
	names     []string // that rules mention and the ontology does not have
	pool      sync.Pool
}

// key names a way of running a clause: which of its conclusion's arguments are
// bound, as bits, of what sort they are, and in what order its goals run.
type key struct {
	clause *rules.Clause
	bound  uint32
	sorts  string
	order  order
}

type compiled struct {
	code *code
	err  *Reason
}

// order is how the goals of a clause are arranged.
type order uint8

const (
	cheapest order = iota // as costs least; solutions that conclude the same are passed over
	source                // as written
	traced                // as written, and what becomes of each condition is noted
)

// Reason tells why a clause cannot be compiled.
type Reason struct {
	Clause *rules.Clause
	Pos    rules.Pos
	Text   string
}

func (r *Reason) Error() string { return fmt.Sprintf("%s: %s", r.Pos, r.Text) }

// Limits of what is written out.
const (
	maxInstructions = 20_000
	maxCalls        = 64
	maxArguments    = 32
)

// Compile compiles the failure rules of a program that passed its check.
func Compile(p *rules.Program, o *ontology.Ontology) *Program {
	out := &Program{rules: p, onto: o, byClause: map[*rules.Clause]*Rule{}, inOrder: map[rules.Indicator]bool{}, codes: map[key]*compiled{}, relations: map[string]*relation{}, tabled: map[int][]*relation{}, broken: map[int]*Reason{}, circles: circles(p)}
	out.pool.New = func() any {
		return &Evaluator{program: out, tables: map[*relation]*answers{}}
	}
	for _, c := range p.Defining(rules.Head) {
		r := out.rule(c)
		out.failures = append(out.failures, r)
		out.byClause[c] = r
	}
	return out
}

// code is the compiled form of a clause whose arguments in bound have values of
// these sorts before it runs.
func (p *Program) code(c *rules.Clause, bound []int, of []sort, o order) (*code, *Reason) {
	k := key{clause: c, order: o}
	for i, at := range bound {
		if at >= maxArguments {
			return nil, &Reason{c, c.Pos, fmt.Sprintf("its head has more than %d arguments", maxArguments)}
		}
		k.bound |= 1 << at
		k.sorts += string('0' + rune(of[i]))
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if done, ok := p.codes[k]; ok {
		return done.code, done.err
	}
	done := &compiled{}
	done.code, done.err = p.compile(c, bound, of, o)
	if done.err == nil {
		done.code.number = p.count
		p.count++
	}
	p.codes[k] = done
	return done.code, done.err
}

// name is the number of a name that the ontology does not have.
func (p *Program) name(name string) int {
	if i := slices.Index(p.names, name); i >= 0 {
		return i
	}
	p.names = append(p.names, name)
	return len(p.names) - 1
}

// conclusion lists the arguments of a head; of a failure rule the objects stand
// in the place of their list.
func conclusion(c *rules.Clause) ([]*rules.Term, *Reason) {
	if c.Head.Indicator() != rules.Head {
		return c.Head.Args, nil
	}
	items, ok := c.Head.Args[3].List()
	if !ok {
		return nil, &Reason{c, c.Head.Args[3].Pos, "the list of objects is put together when it runs"}
	}
	if c.Head.Args[0].Kind != rules.Atom {
		return nil, &Reason{c, c.Head.Args[0].Pos, "the class it concludes is known only when it runs"}
	}
	return append(slices.Clone(c.Head.Args[:3]), items...), nil
}

func (p *Program) compile(c *rules.Clause, bound []int, of []sort, o order) (out *code, reason *Reason) {
	b := newBuilder(p, c, o)
	defer catch(&out, &reason)
	head, reason := conclusion(c)
	if reason != nil {
		return nil, reason
	}
	s := &scope{clause: c, vars: map[string]operand{}}
	b.variables(s)
	needed := map[int32]bool{}
	for _, t := range head {
		arg := b.operand(s, t)
		b.head = append(b.head, arg)
		if !arg.constant() {
			needed[arg.reg] = true
		}
	}
	for i, at := range bound {
		b.input(at, of[i])
	}
	body := b.body(s, needed, 0)
	for i, arg := range b.head {
		if !arg.constant() && !b.bound[arg.reg] {
			b.refuse(head[i].Pos, "%s may have no value", head[i])
		}
		if want := headSort(i); c.Head.Indicator() == rules.Head && b.sortOf(arg) != want {
			b.refuse(head[i].Pos, "%s is %s where the conclusion needs %s", head[i], b.sortOf(arg), want)
		}
	}
	return b.finish(s, body), nil
}

// catch turns a refusal into the reason.
func catch(out **code, reason **Reason) {
	switch failed := recover().(type) {
	case nil:
	case *Reason:
		*out, *reason = nil, failed
	default:
		panic(failed)
	}
}

// headSort is the sort of an argument of a conclusion: the class, two steps and
// the objects.
func headSort(i int) sort {
	if i == 1 || i == 2 {
		return integers
	}
	return symbols
}

func newBuilder(p *Program, c *rules.Clause, o order) *builder {
	return &builder{program: p, clause: c, order: o, at: c, ops: make([]instruction, 0, 64), naming: map[string]int32{}, partial: map[int32]bool{}, handed: map[int32][]limitAt{}}
}

func (b *builder) finish(s *scope, body *sequence) *code {
	b.emit(instruction{kind: opYield})
	out := &code{clause: b.clause, ops: b.ops, regs: len(b.sorts), sorts: b.sorts, inputs: b.inputs, head: b.head, body: body, scope: s}
	for _, name := range slices.Sorted(maps.Keys(b.naming)) {
		out.names = append(out.names, naming{b.naming[name], b.program.name(name), name})
	}
	for i := range out.ops {
		op := &out.ops[i]
		switch op.kind {
		case opScan:
			op.slot = int32(out.scans)
			out.scans++
		case opAnswers, opDemand:
			op.slot = int32(out.finds)
			out.finds++
		}
	}
	return out
}

// input binds an argument of the head before the code runs.
func (b *builder) input(at int, of sort) {
	arg := b.head[at]
	if !arg.constant() && !b.bound[arg.reg] {
		b.sorts[arg.reg], b.bound[arg.reg] = of, true
		b.inputs = append(b.inputs, input{at, arg})
		return
	}
	into := operand{reg: b.register(of)}
	b.bound[into.reg] = true
	b.inputs = append(b.inputs, input{at, into})
	b.unify(into, arg)
}

// builder compiles one clause. It panics with a *Reason where it cannot.
type builder struct {
	program *Program
	clause  *rules.Clause
	order   order
	ops     []instruction
	sorts   []sort
	bound   []bool
	inputs  []input
	head    []operand
	naming  map[string]int32 // register of each name
	at      *rules.Clause    // whose goals are compiled
	goal    int
	uses    int                 // of helper clauses
	fixed   bool                // goals run as written
	handed  map[int32][]limitAt // to the scans that will give a register its value
	partial map[int32]bool      // registers with a value on some ways only
	table   *variant            // where the clause is one of a tabled predicate
}

func (b *builder) refuse(pos rules.Pos, format string, args ...any) {
	panic(&Reason{b.clause, pos, fmt.Sprintf(format, args...)})
}

func (b *builder) tooLarge() {
	b.refuse(b.clause.Pos, "it is too large with the helper predicates that it calls written out")
}

func (b *builder) emit(i instruction) int32 {
	if len(b.ops) >= maxInstructions {
		b.tooLarge()
	}
	n := int32(len(b.ops))
	i.next = n + 1
	i.clause, i.goal = b.at, b.goal
	b.ops = append(b.ops, i)
	return n
}

func (b *builder) register(s sort) int32 {
	b.sorts, b.bound = append(b.sorts, s), append(b.bound, false)
	return int32(len(b.sorts) - 1)
}

// variables gives the variables of a clause that have no value yet registers.
func (b *builder) variables(s *scope) {
	for _, v := range s.clause.Variables() {
		if _, ok := s.vars[v]; !ok {
			s.vars[v] = operand{reg: b.register(unsettled)}
		}
	}
}

// operand is a variable or constant of a clause.
func (b *builder) operand(s *scope, t *rules.Term) operand {
	switch t.Kind {
	case rules.Variable:
		o := s.vars[t.Name]
		if !o.constant() && b.partial[o.reg] {
			b.refuse(t.Pos, "%s has a value only on some ways here", t)
		}
		return o
	case rules.Integer:
		return operand{reg: -1, value: t.Int, sort: integers}
	case rules.Compound:
		b.refuse(t.Pos, "%s is a structure", t)
	}
	if id, ok := b.program.onto.Lookup(t.Name); ok {
		return operand{reg: -1, value: int64(id), sort: symbols}
	}
	reg, ok := b.naming[t.Name]
	if !ok {
		reg = b.register(symbols)
		b.bound[reg] = true
		b.naming[t.Name] = reg
	}
	return operand{reg: reg}
}

func (b *builder) sortOf(o operand) sort {
	if o.constant() {
		return o.sort
	}
	return b.sorts[o.reg]
}

func (b *builder) has(o operand) bool { return o.constant() || b.bound[o.reg] }

// unify makes two operands the same and reports whether that must be left to
// after one of them has a value.
func (b *builder) unify(x, y operand) (later bool) {
	if !b.has(x) {
		x, y = y, x
	}
	switch {
	case !b.has(x):
		return x != y
	case !b.has(y):
		b.settle(y.reg, b.sortOf(x))
		b.emit(instruction{kind: opAssign, reg: y.reg, left: &expression{operand: x}})
		b.bound[y.reg] = true
	case b.sortOf(x) != b.sortOf(y) || x.constant() && y.constant() && x.value != y.value:
		b.emit(instruction{kind: opFail})
	case x != y:
		b.emit(instruction{kind: opCompare, compare: same, left: &expression{operand: x}, right: &expression{operand: y}})
	}
	return false
}

// settle notes what a register without a value will be.
func (b *builder) settle(reg int32, s sort) {
	if b.sorts[reg] != unsettled && b.sorts[reg] != s {
		b.refuse(b.clause.Pos, "a variable is a number in one branch and a name in another")
	}
	b.sorts[reg] = s
}

// item is a goal that waits for its turn.
type item struct {
	goal     *rules.Term
	index    int       // of the body
	requires []int32   // registers that have a value where it stands
	demand   bool      // it is what was asked of the predicate of the clause
	asks     *relation // that a recursive goal asks
	window   window    // of what it sees
}

// body compiles the goals of one use of a clause. needed are the registers that
// are asked for afterwards.
func (b *builder) body(s *scope, needed map[int32]bool, depth int) *sequence {
	at, goal := b.at, b.goal
	b.at = s.clause
	items := make([]item, len(s.clause.Body))
	for i, g := range s.clause.Body {
		items[i] = item{goal: g, index: i}
	}
	out := b.sequence(s, items, needed, depth, true)
	if b.order == traced {
		b.emit(instruction{kind: opDone, top: s.clause == b.clause && depth == 0})
	}
	b.at, b.goal = at, goal
	return out
}

// sequence compiles goals that must all hold. Whole is the body of a clause.
func (b *builder) sequence(s *scope, items []item, needed map[int32]bool, depth int, whole bool) *sequence {
	out := &sequence{}
	if b.order == cheapest {
		items = flatten(items)
	}
	b.requirements(s, items)
	fixed := b.order != cheapest || b.fixed || slices.ContainsFunc(items, func(i item) bool { return b.program.ordered(i.goal) })
	for len(items) > 0 {
		n := 0
		if !fixed {
			n = b.cheapest(s, items)
		}
		it := items[n]
		items = slices.Delete(slices.Clone(items), n, n+1)
		b.goal = it.index
		var limits []limitAt
		var handed []int32
		if b.order == source || !fixed {
			limits = b.limitsOf(s, &it, items)
			handed = b.hand(s, it.goal, items)
		}
		after := needed
		if b.order == cheapest {
			if !fixed { // the scan sees to them
				for _, l := range slices.Backward(limits) {
					if l.item < 0 {
						continue
					}
					items = slices.Delete(items, l.item, l.item+1)
				}
			}
			after = b.stillNeeded(s, needed, items)
		}
		try := int32(-1)
		if whole && b.order == traced {
			out.starts = append(out.starts, slices.Clone(b.bound))
			try = b.emit(instruction{kind: opTry, top: s.clause == b.clause && depth == 0})
		}
		out.goals = append(out.goals, b.solve(s, &it, after, depth, limits))
		for _, reg := range handed {
			delete(b.handed, reg)
		}
		if try >= 0 {
			b.goal = it.index
			b.emit(instruction{kind: opHeld, try: try})
		}
	}
	out.bound = slices.Clone(b.bound)
	return out
}

// stillNeeded adds the registers of the goals to come to those needed after them.
func (b *builder) stillNeeded(s *scope, needed map[int32]bool, items []item) map[int32]bool {
	out := maps.Clone(needed)
	for _, it := range items {
		for _, v := range it.goal.Variables() {
			if o := s.vars[v]; !o.constant() {
				out[o.reg] = true
			}
		}
	}
	return out
}

// flatten takes conjunctions apart.
func flatten(items []item) []item {
	var out []item
	for _, i := range items {
		if i.goal.Is(",", 2) {
			out = append(out, flatten([]item{{goal: i.goal.Args[0], index: i.index}, {goal: i.goal.Args[1], index: i.index}})...)
			continue
		}
		out = append(out, i)
	}
	return out
}

// ordered reports whether what a goal gives depends on the goals before it
// having run: the first solution of something, or arithmetic that may fail.
func (p *Program) ordered(g *rules.Term) bool {
	if g.Is("once", 1) || g.Is("->", 2) || g.Is("//", 2) || g.Is("mod", 2) || slices.ContainsFunc(g.Args, p.ordered) {
		return true
	}
	i := g.Indicator()
	if len(p.rules.Defining(i)) == 0 {
		return false
	}
	out, known := p.inOrder[i]
	if known {
		return out
	}
	members := []rules.Indicator{i} // those that call one another alike are looked at together
	for other, n := range p.circles {
		if n == p.circles[i] && other != i && n > 0 {
			members = append(members, other)
		}
	}
	for _, m := range members {
		p.inOrder[m] = false // while they are looked at
	}
	for _, m := range members {
		for _, c := range p.rules.Defining(m) {
			out = out || slices.ContainsFunc(c.Body, p.ordered)
		}
	}
	for _, m := range members {
		p.inOrder[m] = out
	}
	return out
}

// requirements notes which variables of each goal have values where it stands.
func (b *builder) requirements(s *scope, items []item) {
	have := map[int32]bool{}
	for i := range items {
		it := &items[i]
		if it.demand {
			continue
		}
		for _, v := range it.goal.Variables() {
			if o := s.vars[v]; !o.constant() && (b.bound[o.reg] || have[o.reg]) {
				it.requires = append(it.requires, o.reg)
			}
		}
		if it.asks != nil { // a tabled predicate is asked with these values
			it.requires = b.asked(s, it)
		}
		for _, v := range binds(it.goal) {
			if o := s.vars[v]; !o.constant() {
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
func (b *builder) cheapest(s *scope, items []item) int {
	best, least := 0, math.Inf(1)
	for i, it := range items {
		ready := true
		for _, reg := range it.requires {
			ready = ready && b.bound[reg]
		}
		if _, isFact := fact.Number(it.goal.Indicator()); !ready && !isFact && !it.demand {
			continue
		}
		if c := b.cost(s, &it, items); c < least {
			best, least = i, c
		}
	}
	return best
}

// cost is about how many times the goals after this one run, with a little for
// the work of the goal itself.
func (b *builder) cost(s *scope, it *item, items []item) float64 {
	g := it.goal
	known := func(t *rules.Term) bool {
		return t.Kind != rules.Variable || b.has(s.vars[t.Name])
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
		return b.expected(s, pred, g, items) + 0.01*float64(len(g.Args))
	}
	switch {
	case g.Is(`\+`, 1), g.Is("forall", 2), g.Is("once", 1):
		return 0.3 + 0.1*float64(b.weight(g))
	case len(b.program.rules.Defining(g.Indicator())) > 0:
		if !slices.ContainsFunc(g.Args, func(t *rules.Term) bool { return !known(t) }) {
			return 0.3 + 0.1*float64(b.weight(g))
		}
		return 1 + b.estimate(g, known, 0)
	case g.Is(";", 2):
		return 3
	case g.Is("between", 3), g.Is("member", 2):
		return 5
	}
	return 0
}

// weight is how many goals a goal comes to.
func (b *builder) weight(g *rules.Term) int {
	n := 1
	for _, a := range g.Args {
		if a.Kind == rules.Compound || a.Kind == rules.Atom {
			n += b.weight(a)
		}
	}
	for _, c := range b.program.rules.Defining(g.Indicator()) {
		n += len(c.Body)
	}
	return n
}

// expected is about how many facts agree with what is bound.
func (b *builder) expected(s *scope, pred int, g *rules.Term, items []item) float64 {
	n := fact.Expected(pred, func(i int) bool {
		return g.Args[i].Kind != rules.Variable || b.has(s.vars[g.Args[i].Name])
	})
	if first := g.Args[0]; first.Kind == rules.Variable && !b.has(s.vars[first.Name]) && fact.Vocabulary[pred].Args[0] == rules.StepArg {
		n *= throughTime
		if len(b.limits(s, first, items)) > 0 {
			n *= withinLimits
		}
	}
	return n
}

// A scan over all steps costs the more the longer the episode, which goes on;
// one within limits only what lies between them.
const (
	throughTime  = 10
	withinLimits = 0.03
)

// estimate is about how many solutions a call of a helper predicate has.
func (b *builder) estimate(g *rules.Term, known func(*rules.Term) bool, depth int) float64 {
	total := 0.0
	for _, c := range b.program.rules.Defining(g.Indicator()) {
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
				n *= fact.Expected(pred, func(i int) bool { return inner(goal.Args[i]) })
				if first := goal.Args[0]; !inner(first) && fact.Vocabulary[pred].Args[0] == rules.StepArg {
					n *= throughTime
					if slices.ContainsFunc(c.Body, func(t *rules.Term) bool { return compares(t, first.Name) }) {
						n *= withinLimits
					}
				}
			} else if len(b.program.rules.Defining(goal.Indicator())) > 0 && depth < 3 {
				n *= b.estimate(goal, inner, depth+1)
			}
			for _, v := range binds(goal) {
				have[v] = true
			}
		}
		total += n
	}
	return total
}

// compares reports whether a goal compares a variable as a number.
func compares(g *rules.Term, variable string) bool {
	op, ok := comparisons[g.Name]
	return ok && op <= atLeast && slices.Contains(g.Variables(), variable)
}

// limits finds comparisons among the goals to come that bound a step which has no
// value yet by what has one.
func (b *builder) limits(s *scope, step *rules.Term, items []item) []limitAt {
	var out []limitAt
	for i, it := range items {
		g := it.goal
		if len(g.Args) != 2 {
			continue
		}
		op, ok := comparisons[g.Name]
		if !ok || op > atLeast {
			continue
		}
		x, y := g.Args[0], g.Args[1]
		if y.Kind == rules.Variable && y.Name == step.Name {
			x, y = y, x
			op = [...]comparison{greater, less, atLeast, atMost}[op]
		}
		if x.Kind != rules.Variable || x.Name != step.Name || y.Kind == rules.Compound || y.Kind == rules.Atom {
			continue
		}
		o := b.operand(s, y)
		if !b.has(o) || b.sortOf(o) != integers {
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

// limitsOf finds the comparisons to come that a scan can see to.
func (b *builder) limitsOf(s *scope, it *item, items []item) []limitAt {
	pred, ok := fact.Number(it.goal.Indicator())
	if !ok || it.demand || !fact.Vocabulary[pred].Args[0].Integer() {
		return nil
	}
	first := it.goal.Args[0]
	if first.Kind != rules.Variable || b.has(s.vars[first.Name]) {
		return nil
	}
	limits := b.limits(s, first, items)
	if !b.fixed { // the first solution must not depend on what is asked after it
		limits = append(slices.Clone(b.handed[s.vars[first.Name].reg]), limits...)
	}
	return limits
}

// hand passes comparisons to come on to the helper predicate that gives the step
// they bound its value, and lists the registers of such steps.
func (b *builder) hand(s *scope, call *rules.Term, items []item) []int32 {
	if len(b.program.rules.Defining(call.Indicator())) == 0 {
		return nil
	}
	var out []int32
	for _, a := range call.Args {
		if a.Kind != rules.Variable || b.has(s.vars[a.Name]) {
			continue
		}
		reg := s.vars[a.Name].reg
		for _, l := range b.limits(s, a, items) {
			l.item = -1
			b.handed[reg] = append(b.handed[reg], l)
			out = append(out, reg)
		}
	}
	return out
}

// solve compiles a goal. A scan keeps within the limits.
func (b *builder) solve(s *scope, it *item, needed map[int32]bool, depth int, limits []limitAt) proven {
	g := it.goal
	out := proven{goal: g, scope: s, op: -1, pred: -1}
	switch {
	case it.demand:
		out.hidden = true
		b.demanded(s, it, needed)
		return out
	case it.asks != nil:
		out.op, out.answers = b.answers(s, it, needed), it.asks
		return out
	case g.Kind == rules.Variable || g.Kind == rules.Integer:
		b.refuse(g.Pos, "%s is called as a goal", g)
	case g.Is(",", 2):
		out.inner = b.sequence(s, flatten([]item{{goal: g, index: b.goal}}), needed, depth, false)
		return out
	case g.Is(";", 2):
		b.either(s, g, needed, depth, &out)
		return out
	case g.Is("->", 2):
		b.first(s, g.Args[0], depth, &out)
		then := b.sequence(s, []item{{goal: g.Args[1], index: b.goal}}, needed, depth, false)
		out.inner.goals = append(out.inner.goals, then.goals...)
		out.inner.bound = then.bound
		return out
	case g.Is("once", 1):
		b.first(s, g.Args[0], depth, &out)
		return out
	case g.Is(`\+`, 1), g.Is("forall", 2):
		b.negation(s, g, depth)
		out.negated = true
		return out
	}
	if pred, ok := fact.Number(g.Indicator()); ok {
		out.pred = pred
		out.op = b.scan(s, pred, g, needed, limits)
		return out
	}
	if clauses := b.program.rules.Defining(g.Indicator()); len(clauses) > 0 {
		b.call(s, g, clauses, needed, depth, &out)
		return out
	}
	b.builtin(s, g, &out)
	return out
}

// block compiles a goal apart, between an instruction and a yield.
func (b *builder) block(i instruction, goals func()) int32 {
	n := b.emit(i)
	b.ops[n].entry = n + 1
	goals()
	b.emit(instruction{kind: opYield})
	b.ops[n].next = int32(len(b.ops))
	return n
}

// first compiles a goal of which only the first solution counts.
func (b *builder) first(s *scope, g *rules.Term, depth int, out *proven) {
	b.block(instruction{kind: opOnce, text: g}, func() {
		b.asWritten(func(everything map[int32]bool) {
			out.inner = b.sequence(s, []item{{goal: g, index: b.goal}}, everything, depth, false)
		})
	})
}

// asWritten compiles goals in the order of the source; all registers are needed
// after them.
func (b *builder) asWritten(goals func(everything map[int32]bool)) {
	everything := map[int32]bool{}
	for i := range b.sorts {
		everything[int32(i)] = true
	}
	was := b.fixed
	b.fixed = true
	goals(everything)
	b.fixed = was
}

func (b *builder) negation(s *scope, g *rules.Term, depth int) {
	inner := []item{{goal: g.Args[0], index: b.goal}}
	if g.Is("forall", 2) {
		not := &rules.Term{Kind: rules.Compound, Name: `\+`, Args: g.Args[1:], Pos: g.Args[1].Pos}
		inner = append(inner, item{goal: not, index: b.goal})
	}
	for _, v := range g.Variables() {
		o := s.vars[v]
		if b.has(o) {
			continue
		}
		if elsewhere(s.clause, g, v) {
			b.refuse(g.Pos, `%s has no value where \+ asks about it`, v)
		}
	}
	bound := slices.Clone(b.bound)
	b.block(instruction{kind: opNot, text: g}, func() {
		b.sequence(s, inner, map[int32]bool{}, depth, false)
	})
	copy(b.bound, bound)
	for i := len(bound); i < len(b.bound); i++ {
		b.bound[i] = b.isName(int32(i))
	}
}

// isName reports whether a register holds a name from the start.
func (b *builder) isName(reg int32) bool {
	for _, r := range b.naming {
		if r == reg {
			return true
		}
	}
	return false
}

// elsewhere reports whether a variable of a goal stands outside of it too.
func elsewhere(c *rules.Clause, g *rules.Term, variable string) bool {
	count := 0
	var walk func(t *rules.Term)
	walk = func(t *rules.Term) {
		if t == g {
			return
		}
		if t.Kind == rules.Variable && t.Name == variable {
			count++
		}
		for _, a := range t.Args {
			walk(a)
		}
	}
	walk(c.Head)
	for _, t := range c.Body {
		walk(t)
	}
	return count > 0
}

// branches compiles ways to go on, and checks that each leaves the same values.
func (b *builder) branches(g *rules.Term, n int, branch func(i int)) int32 {
	op := b.emit(instruction{kind: opEither, entry: int32(len(b.ops)) + 1, text: g})
	start := slices.Clone(b.bound)
	var jumps, entries, partial []int32
	var first []bool
	for i := range n {
		copy(b.bound, start)
		for j := len(start); j < len(b.bound); j++ {
			b.bound[j] = b.isName(int32(j))
		}
		entries = append(entries, int32(len(b.ops)))
		branch(i)
		jumps = append(jumps, b.emit(instruction{kind: opJump}))
		if first == nil {
			first = slices.Clone(b.bound)
			continue
		}
		for j := range start {
			if first[j] != b.bound[j] {
				partial = append(partial, int32(j))
				first[j] = false
			}
		}
	}
	copy(b.bound, first)
	for _, reg := range partial {
		b.partial[reg] = true
	}
	b.ops[op].branches = append(b.ops[op].branches, entries[len(b.ops[op].branches):]...)
	for _, j := range jumps {
		b.ops[j].next = int32(len(b.ops))
	}
	return op
}

func (b *builder) either(s *scope, g *rules.Term, needed map[int32]bool, depth int, out *proven) {
	way := func(g *rules.Term) *sequence {
		return b.sequence(s, []item{{goal: g, index: b.goal}}, needed, depth, false)
	}
	left := g.Args[0]
	if !left.Is("->", 2) {
		out.op = b.branches(g, 2, func(i int) { out.branches = append(out.branches, way(g.Args[i])) })
		return
	}
	at := len(b.ops)
	out.op = b.branches(g, 2, func(i int) {
		if i == 1 {
			out.branches = append(out.branches, way(g.Args[1]))
			return
		}
		var condition *sequence
		b.asWritten(func(everything map[int32]bool) {
			condition = b.sequence(s, []item{{goal: left.Args[0], index: b.goal}}, everything, depth, false)
		})
		b.emit(instruction{kind: opYield})
		b.ops[at].branches = []int32{int32(len(b.ops))}
		then := way(left.Args[1])
		out.branches = append(out.branches, &sequence{goals: append(condition.goals, then.goals...), bound: then.bound})
	})
	b.ops[at].kind = opIf
}

// scan compiles a goal over facts.
func (b *builder) scan(s *scope, pred int, g *rules.Term, needed map[int32]bool, limits []limitAt) int32 {
	kinds := fact.Vocabulary[pred].Args
	columns := make([]sort, len(kinds))
	for i := range kinds {
		if columns[i] = symbols; kinds[i].Integer() {
			columns[i] = integers
		}
	}
	op := instruction{kind: opScan, pred: int32(pred), text: g}
	op.rows = fact.Expected(pred, func(i int) bool {
		return g.Args[i].Kind != rules.Variable || b.has(s.vars[g.Args[i].Name])
	})
	for _, l := range limits {
		op.limits = append(op.limits, l.text.String())
		if l.low {
			op.low = append(op.low, l.limit)
		} else {
			op.high = append(op.high, l.limit)
		}
		op.rows *= withinLimits
	}
	gives, ok := b.columns(s, &op, g.Args, columns, needed)
	if !ok {
		return b.emit(instruction{kind: opFail, text: g})
	}
	op.once = b.order == cheapest && !gives
	return b.emit(op)
}

// columns tells what a scan does with each column. It reports whether the scan
// gives a register a value that is needed, and whether it can find anything.
func (b *builder) columns(s *scope, op *instruction, args []*rules.Term, sorts []sort, needed map[int32]bool) (gives, ok bool) {
	op.args = make([]argument, len(args))
	var fresh []int32
	for i, t := range args {
		if t.Kind == rules.Compound {
			return false, false
		}
		o := b.operand(s, t)
		switch {
		case b.has(o) && b.sortOf(o) != sorts[i], op.kind == opScan && o.constant() && int64(int32(o.value)) != o.value:
			return false, false
		case o.constant():
			op.args[i] = argument{mode: fixed, value: o.value}
		case slices.Contains(fresh, o.reg):
			col := slices.IndexFunc(op.args[:i], func(a argument) bool { return a.mode == bind && a.reg == o.reg })
			op.args[i] = argument{mode: equal, col: col}
			if b.sorts[o.reg] != sorts[i] {
				return false, false
			}
		case b.bound[o.reg]:
			op.args[i] = argument{mode: given, reg: o.reg}
		default:
			again := slices.ContainsFunc(args[i+1:], func(u *rules.Term) bool { return u.Kind == rules.Variable && s.vars[u.Name] == o })
			if b.order == cheapest && !needed[o.reg] && !again {
				continue // nobody asks what it is
			}
			b.settle(o.reg, sorts[i])
			op.args[i] = argument{mode: bind, reg: o.reg}
			fresh = append(fresh, o.reg)
			gives = gives || needed[o.reg]
		}
	}
	for _, reg := range fresh {
		b.bound[reg] = true
	}
	return gives, true
}

// call compiles a goal that helper clauses define.
func (b *builder) call(s *scope, g *rules.Term, clauses []*rules.Clause, needed map[int32]bool, depth int, out *proven) {
	args := make([]operand, len(g.Args))
	for i, a := range g.Args {
		args[i] = b.operand(s, a)
	}
	if b.program.circles[g.Indicator()] > 0 {
		it := &item{goal: g, asks: b.program.relation(g.Indicator(), func(i int) bool { return b.has(args[i]) })}
		out.op, out.answers = b.answers(s, it, needed), it.asks
		return
	}
	if depth >= maxCalls {
		b.refuse(g.Pos, "helper predicates call one another more than %d deep", maxCalls)
	}
	asked := b.order != cheapest || slices.ContainsFunc(args, func(o operand) bool { return !b.has(o) && needed[o.reg] })
	write := func() {
		if len(clauses) == 1 {
			out.clauses = append(out.clauses, b.use(clauses[0], args, needed, depth+1))
			return
		}
		out.op = b.branches(g, len(clauses), func(i int) {
			out.clauses = append(out.clauses, b.use(clauses[i], args, needed, depth+1))
		})
	}
	if asked {
		write()
		return
	}
	b.block(instruction{kind: opOnce, text: g}, write)
}

// use compiles one use of a clause.
func (b *builder) use(c *rules.Clause, args []operand, needed map[int32]bool, depth int) *instance {
	if b.uses++; b.uses > maxInstructions {
		b.tooLarge()
	}
	s := &scope{clause: c, vars: map[string]operand{}}
	var later [][2]operand
	for i, h := range c.Head.Args {
		if h.Kind == rules.Variable {
			if _, ok := s.vars[h.Name]; !ok {
				s.vars[h.Name] = args[i]
				continue
			}
		}
		own := b.operand(s, h)
		if b.unify(own, args[i]) {
			later = append(later, [2]operand{own, args[i]})
		}
	}
	b.variables(s)
	if len(later) > 0 {
		needed = maps.Clone(needed)
		for _, l := range later {
			needed[l[0].reg] = true
		}
	}
	out := &instance{clause: c, body: b.body(s, needed, depth)}
	for _, l := range later {
		if b.unify(l[0], l[1]) {
			b.refuse(c.Head.Pos, "%s leaves an argument without a value", c.Head)
		}
	}
	return out
}

// builtin compiles a goal of a built-in predicate that is no control predicate.
func (b *builder) builtin(s *scope, g *rules.Term, out *proven) {
	switch g.Name {
	case "true":
		out.hidden = true
	case "fail":
		b.emit(instruction{kind: opFail, text: g})
	case "=":
		if b.unify(b.operand(s, g.Args[0]), b.operand(s, g.Args[1])) {
			b.refuse(g.Pos, "neither side of %s has a value", g)
		}
	case "==", `\==`, `\=`, "@<", "@>", "@=<", "@>=":
		b.comparison(s, g)
	case "<", ">", "=<", ">=", "=:=", `=\=`:
		b.emit(instruction{kind: opCompare, compare: comparisons[g.Name], left: b.expression(s, g.Args[0]), right: b.expression(s, g.Args[1]), text: g})
	case "is":
		value := b.expression(s, g.Args[1])
		o := b.operand(s, g.Args[0])
		switch {
		case !b.has(o):
			b.settle(o.reg, integers)
			b.emit(instruction{kind: opAssign, reg: o.reg, left: value, text: g})
			b.bound[o.reg] = true
		case b.sortOf(o) != integers:
			b.emit(instruction{kind: opFail, text: g})
		default:
			b.emit(instruction{kind: opCompare, compare: same, left: &expression{operand: o}, right: value, text: g})
		}
	case "atom", "integer":
		o := b.operand(s, g.Args[0])
		if !b.has(o) {
			b.refuse(g.Pos, "%s asks whether a variable has a value", g)
		}
		if (b.sortOf(o) == symbols) != (g.Name == "atom") {
			b.emit(instruction{kind: opFail, text: g})
		}
	case "between":
		b.between(s, g, out)
	case "member":
		b.member(s, g, out)
	case "!":
		b.refuse(g.Pos, "it cuts")
	case "var", "nonvar":
		b.refuse(g.Pos, "%s asks whether a variable has a value", g)
	case "findall", "append", "length", "sort":
		b.refuse(g.Pos, "%s works on lists", g.Indicator())
	default:
		b.refuse(g.Pos, "%s is not known", g.Indicator())
	}
}

// comparison compiles a comparison of terms.
func (b *builder) comparison(s *scope, g *rules.Term) {
	x, y := b.operand(s, g.Args[0]), b.operand(s, g.Args[1])
	if !b.has(x) || !b.has(y) {
		b.refuse(g.Pos, "%s compares a variable without a value", g)
	}
	op := comparisons[g.Name]
	if a, c := b.sortOf(x), b.sortOf(y); a != c { // numbers come before names
		order := cmp.Compare(a, c)
		if !holds(op, int64(order), 0) {
			b.emit(instruction{kind: opFail, text: g})
		}
		return
	}
	if b.sortOf(x) == integers {
		op = map[comparison]comparison{before: less, after: greater, notAfter: atMost, notBefore: atLeast, same: same, different: different}[op]
	}
	b.emit(instruction{kind: opCompare, compare: op, left: &expression{operand: x}, right: &expression{operand: y}, text: g})
}

func (b *builder) between(s *scope, g *rules.Term, out *proven) {
	op := instruction{kind: opBetween, left: b.expression(s, g.Args[0]), right: b.expression(s, g.Args[1]), text: g, reg: -1}
	o := b.operand(s, g.Args[2])
	if b.has(o) && b.sortOf(o) != integers {
		b.emit(instruction{kind: opFail, text: g})
		return
	}
	reg := o.reg
	if b.has(o) {
		reg = b.register(integers)
		b.bound[reg] = true
	} else {
		b.settle(reg, integers)
		b.bound[reg] = true
	}
	op.reg = reg
	out.op = b.emit(op)
	if reg != o.reg {
		b.emit(instruction{kind: opCompare, compare: same, left: &expression{operand: operand{reg: reg}}, right: &expression{operand: o}, text: g})
	}
}

func (b *builder) member(s *scope, g *rules.Term, out *proven) {
	items, ok := g.Args[1].List()
	if !ok {
		b.refuse(g.Pos, "%s works on a list that is known only when it runs", g.Indicator())
	}
	if len(items) == 0 {
		b.emit(instruction{kind: opFail, text: g})
		return
	}
	out.op = b.branches(g, len(items), func(i int) {
		if b.unify(b.operand(s, g.Args[0]), b.operand(s, items[i])) {
			b.refuse(g.Pos, "%s gives no value", g)
		}
	})
}

// expression compiles arithmetic.
func (b *builder) expression(s *scope, t *rules.Term) *expression {
	if t.Kind == rules.Compound {
		op := map[string]byte{"+2": '+', "-2": '-', "*2": '*', "//2": '/', "mod2": 'm', "-1": 'n'}[fmt.Sprint(t.Name, len(t.Args))]
		if op == 0 {
			b.refuse(t.Pos, "%s is no arithmetic", t)
		}
		e := &expression{op: op, left: b.expression(s, t.Args[0]), text: t}
		if len(t.Args) == 2 {
			e.right = b.expression(s, t.Args[1])
		}
		return e
	}
	o := b.operand(s, t)
	switch {
	case !b.has(o):
		b.refuse(t.Pos, "%s has no value where one is needed", t)
	case b.sortOf(o) != integers:
		b.refuse(t.Pos, "%s is no number", t)
	}
	return &expression{operand: o, text: t}
}

// circles finds the predicates that call themselves, directly or through
// others, and numbers those that call one another alike.
func circles(p *rules.Program) map[rules.Indicator]int {
	calls := map[rules.Indicator][]rules.Indicator{}
	var walk func(from rules.Indicator, t *rules.Term)
	walk = func(from rules.Indicator, t *rules.Term) {
		if len(p.Defining(t.Indicator())) > 0 {
			calls[from] = append(calls[from], t.Indicator())
		}
		for _, a := range t.Args {
			walk(from, a)
		}
	}
	var order []rules.Indicator
	for _, c := range p.Clauses {
		if !slices.Contains(order, c.Head.Indicator()) {
			order = append(order, c.Head.Indicator())
		}
		for _, g := range c.Body {
			walk(c.Head.Indicator(), g)
		}
	}
	reach := func(from rules.Indicator) map[rules.Indicator]bool {
		seen := map[rules.Indicator]bool{}
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
	reached := map[rules.Indicator]map[rules.Indicator]bool{}
	for _, i := range order {
		reached[i] = reach(i)
	}
	out := map[rules.Indicator]int{}
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

// String is a way of running a clause, for tests.
func (k key) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %b %s", k.clause.Head, k.bound, k.sorts))
}
