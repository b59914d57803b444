// Package datalog compiles rules to joins over the integer indexes of an
// episode's facts. It takes the part of Prolog that is Datalog with stratified
// negation: conjunctions over facts and helper predicates without function
// symbols, negation, disjunction, comparison and arithmetic on values that are
// known. Helper predicates are written out where they are called, and compiled once
// where they are only asked whether they hold; recursive ones are tabled and evaluated
// semi-naively for what is asked of them, as with magic sets (Bancilhon and
// Ramakrishnan, "An Amateur's Introduction to Recursive Query Processing Strategies",
// SIGMOD 1986). What lies outside that part is left to the interpreter, with the reason.
package datalog

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// Program is rules compiled for an ontology. Goroutines may share it.
type Program struct {
	rules      *rules.Program
	onto       *ontology.Ontology
	builtins   Builtins
	hosted     map[rules.Indicator]bool // predicates that lead to one of the host's
	failures   []*Rule
	byClause   map[*rules.Clause]*Rule
	components map[rules.Indicator]int // number of the strongly connected component of calls that a predicate is in, from 1

	mu        sync.Mutex
	codes     map[key]*compiled
	answering map[asking]*compiled // what tells whether a helper predicate holds
	marked    map[lateAsking]*code
	relations map[string]*relation
	tabled    map[int][]*relation // by component
	broken    map[int]*Reason     // components that cannot be tabled
	columns   map[rules.Indicator][]sort
	inOrder   map[rules.Indicator]bool
	met       map[rules.Indicator]bool // whether all that a predicate calls is built in; while rules are made ready
	estimates map[asked]float64        // of calls of helper predicates
	lasting   map[asked]bool           // whether a helper predicate that holds with a step does with any later; known is the place
	tests     map[*rules.Term]bool     // each once/1 that gives no value
	count     int                      // of codes
	names     []string                 // that rules mention and the ontology does not have
	numbers   map[string]int
	spelt     spelt // while failure rules are compiled
	kept      spelt // until all are
	pool      sync.Pool
	ready     atomic.Bool              // all rules are compiled to be asked about steps
	needed    atomic.Pointer[neededBy] // of the failure rules, once ready
	signals   map[signal]int           // by number
	told      []told                   // once ready
	ways      map[needs]*needs         // of disjunctions
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
	maxInstructions = 50_000
	maxCalls        = 64
	maxBranches     = 200 // clauses of one predicate; more are looked up by their first argument
	maxArguments    = 32
)

// Compile compiles the failure rules of a program that passed its check.
func Compile(p *rules.Program, o *ontology.Ontology) *Program { return CompileWith(p, o, nil) }

// CompileWith compiles rules that may ask predicates of a host. Rules that are built in, of
// which a test holds that they can be compiled, are when they are first asked.
func CompileWith(p *rules.Program, o *ontology.Ontology, builtins Builtins) *Program {
	out := &Program{rules: p, onto: o, builtins: builtins, byClause: map[*rules.Clause]*Rule{}, inOrder: map[rules.Indicator]bool{}, met: map[rules.Indicator]bool{}, estimates: map[asked]float64{}, lasting: map[asked]bool{}, numbers: map[string]int{}, codes: map[key]*compiled{}, signals: map[signal]int{}, ways: map[needs]*needs{}, answering: map[asking]*compiled{}, marked: map[lateAsking]*code{}, relations: map[string]*relation{}, tabled: map[int][]*relation{}, broken: map[int]*Reason{}, components: p.Components(), tests: testsOf(p)}
	if len(builtins) > 0 {
		out.hosted = p.Leading(func(i rules.Indicator) bool { return builtins[i] != nil })
	}
	out.pool.New = func() any { return newEvaluator(out) }
	out.spelling(func() {
		for _, c := range p.FailureRules() {
			r := out.rule(c)
			r.number = len(out.failures)
			out.failures = append(out.failures, r)
			out.byClause[c] = r
		}
	})
	out.met = nil
	return out
}

// Ready compiles what is still to be of rules that are going to be asked about steps, so that
// none waits for it.
func (p *Program) Ready() {
	if p.ready.Load() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ready.Load() { // another call made it so meanwhile
		return
	}
	p.spelling(func() {
		for _, r := range p.failures {
			if r.Reason == nil {
				r.make(anchored)
			}
		}
	})
	p.kept = spelt{}
	p.told = p.toldBy()
	p.needed.Store(p.neededByAll())
	p.ready.Store(true)
	p.pool.Put(newEvaluator(p))
}

// spelling keeps the names of variables while failure rules are compiled, and from one to
// the next until all are.
func (p *Program) spelling(compile func()) {
	if p.kept.goals == nil {
		p.kept = spelt{map[*rules.Clause][]string{}, map[*rules.Term][]string{}, map[*rules.Term][]string{}}
	}
	p.spelt = p.kept
	compile()
	p.spelt = spelt{}
}

// spelt are the names of variables of what has been met already: a helper clause is
// written out many times. The zero value keeps nothing.
type spelt struct {
	clauses map[*rules.Clause][]string
	goals   map[*rules.Term][]string
	binding map[*rules.Term][]string // those that a goal gives values
}

func (s spelt) clause(c *rules.Clause) []string { return met(s.clauses, c, c.Variables) }
func (s spelt) goal(g *rules.Term) []string     { return met(s.goals, g, g.Variables) }
func (s spelt) bound(g *rules.Term) []string {
	return met(s.binding, g, func() []string { return binds(g) })
}

func met[K comparable](known map[K][]string, k K, list func() []string) []string {
	names, ok := known[k]
	if !ok {
		names = list()
		if known != nil {
			known[k] = names
		}
	}
	return names
}

// code is the compiled form of a clause whose arguments in bound have values of
// these sorts before it runs.
func (p *Program) code(c *rules.Clause, bound []int, of []sort, o order) (*code, *Reason) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.coded(c, bound, of, o)
}

// coded is code of a program that is locked.
func (p *Program) coded(c *rules.Clause, bound []int, of []sort, o order) (*code, *Reason) {
	k := key{clause: c, order: o}
	for i, at := range bound {
		if at >= maxArguments {
			return nil, &Reason{c, c.Pos, fmt.Sprintf("its head has more than %d arguments", maxArguments)}
		}
		k.bound |= 1 << at
		k.sorts += string('0' + rune(of[i]))
	}
	if done, ok := p.codes[k]; ok {
		return done.code, done.err
	}
	done := &compiled{}
	done.code, done.err = p.compile(c, bound, of, o)
	if done.err == nil {
		p.numbered(done.code)
	}
	p.codes[k] = done
	return done.code, done.err
}

// name is the number of a name that the ontology does not have.
func (p *Program) name(name string) int {
	n, ok := p.numbers[name]
	if !ok {
		n = len(p.names)
		p.names = append(p.names, name)
		p.numbers[name] = n
	}
	return n
}

// testsOf finds each once/1 of which all variables that stand elsewhere in its clause have
// values before it: it asks whether there is a solution, and which is the first is nothing
// to anybody.
func testsOf(p *rules.Program) map[*rules.Term]bool {
	out := map[*rules.Term]bool{}
	for _, c := range p.Clauses {
		for i, g := range c.Body {
			if !g.Is("once", 1) {
				continue
			}
			var have []string
			for _, before := range c.Body[:i] {
				have = append(have, binds(before)...)
			}
			out[g] = !slices.ContainsFunc(g.Variables(), func(v string) bool { return !slices.Contains(have, v) && elsewhere(c, g, v) })
		}
	}
	return out
}

// ordered reports whether what a goal gives depends on the goals before it
// having run: the first solution of something, or arithmetic that may fail.
func (p *Program) ordered(g *rules.Term) bool {
	if g.Is("once", 1) && !p.tests[g] || g.Is("->", 2) || g.Is("//", 2) || g.Is("mod", 2) || slices.ContainsFunc(g.Args, p.ordered) {
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
	for other, n := range p.components {
		if n == p.components[i] && other != i && n > 0 {
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
