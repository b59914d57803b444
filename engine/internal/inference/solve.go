// Package inference evaluates rules over the facts of one episode, as Prolog does,
// and keeps what each conclusion rests on: proofs, the reasons why a rule did
// not fire, and which clauses and conditions were reached. Facts are answered
// from the index. Nothing a rule can call reads files, opens streams or changes
// the program, and the work is bounded.
package inference

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/engine/internal/inference/datalog"
	"github.com/mishap-robotics/mishap/rules"
)

// ErrLimit is returned where a proof takes more steps than allowed.
var ErrLimit = datalog.ErrLimit

// DefaultLimit is the number of inferences a proof may take, DefaultBytes about
// how much it may build.
const (
	DefaultLimit = 5_000_000
	DefaultBytes = 256 << 20
)

// Prover finds proofs over one episode. It is for one goroutine at a time.
type Prover struct {
	Program *rules.Program
	Index   *fact.Index
	// Compiled is the program compiled; where it is nil, or has left a rule out,
	// rules are interpreted.
	Compiled *datalog.Program
	Limit    int       // inferences; DefaultLimit where 0
	Bytes    int       // built; DefaultBytes where 0
	Cover    *Coverage // what was reached is counted here where it is not nil
	Proofs   bool      // conclusions come with their proofs
	Profile  *Profile  // what rules cost is counted here where it is not nil

	evaluator *datalog.Evaluator
	rule      *datalog.Rule // asked for last

	trail []*variable
	spent int
	built int // bytes, about
	depth int // of goals that wait for the rest of a proof
	ctx   context.Context
	err   error
	fails func(c *rules.Clause, n int, parent *node, have *frame) // a condition of a clause does not hold
}

// Node is a step of a proof: a goal with its values and what it rests on.
type Node = datalog.Node

// Profile is what rules cost, by clause.
type Profile = datalog.Profile

// NewProfile has counted nothing.
func NewProfile() *Profile { return datalog.NewProfile() }

// node is a step of a proof while the rest of it is searched for.
type node struct {
	clause   *rules.Clause
	fact     int
	row      []int32
	negated  bool
	children []*node
	goal     *rules.Term // of the clause
	frame    *frame
}

// The values that terms have while solving.
type (
	term     any // *variable, atom, number or *compound
	atom     string
	number   int64
	compound struct {
		name string
		args []term
	}
	variable struct {
		name string
		val  term
	}
	// frame holds the variables of one use of a clause: few enough that looking
	// through them costs less than a map.
	frame struct{ variables []*variable }
)

// maxDepth bounds the goals of one proof, so that none exhausts the stack.
const maxDepth = 20_000

// The sizes that are counted against Bytes.
const (
	termSize = 48
	nodeSize = 160
)

// cut tells the clauses of a predicate to try no further.
type cut struct{ done bool }

func (p *Prover) begin(ctx context.Context) {
	p.ctx, p.err, p.spent, p.built, p.depth, p.trail = ctx, nil, 0, 0, 0, p.trail[:0]
	if p.Limit == 0 {
		p.Limit = DefaultLimit
	}
	if p.Bytes == 0 {
		p.Bytes = DefaultBytes
	}
}

// stop counts an inference and reports whether the search must end.
func (p *Prover) stop() bool {
	p.spent++
	switch {
	case p.err != nil:
	case p.spent > p.Limit, p.built > p.Bytes, p.depth > maxDepth:
		p.err = ErrLimit
	case p.spent%1024 == 0 && p.ctx.Err() != nil:
		p.err = p.ctx.Err()
	}
	return p.err != nil
}

func resolve(t term) term {
	for {
		v, ok := t.(*variable)
		if !ok || v.val == nil {
			return t
		}
		t = v.val
	}
}

func (p *Prover) bind(v *variable, t term) {
	v.val = t
	p.trail = append(p.trail, v)
}

func (p *Prover) undo(mark int) {
	for _, v := range p.trail[mark:] {
		v.val = nil
	}
	p.trail = p.trail[:mark]
}

func (p *Prover) unify(a, b term) bool {
	a, b = resolve(a), resolve(b)
	if x, ok := a.(*variable); ok {
		if y, ok := b.(*variable); !ok || x != y {
			p.bind(x, b)
		}
		return true
	}
	if y, ok := b.(*variable); ok {
		p.bind(y, a)
		return true
	}
	x, ok1 := a.(*compound)
	y, ok2 := b.(*compound)
	if !ok1 || !ok2 {
		return a == b
	}
	if x.name != y.name || len(x.args) != len(y.args) {
		return false
	}
	for i := range x.args {
		if !p.unify(x.args[i], y.args[i]) {
			return false
		}
	}
	return true
}

// build makes a term of the syntax tree a value, with the variables of a frame.
func (f *frame) build(t *rules.Term) term {
	switch t.Kind {
	case rules.Variable:
		for _, v := range f.variables {
			if v.name == t.Name {
				return v
			}
		}
		v := &variable{name: t.Name}
		f.variables = append(f.variables, v)
		return v
	case rules.Integer:
		return number(t.Int)
	case rules.Atom:
		return atom(t.Name)
	}
	c := &compound{name: t.Name, args: make([]term, len(t.Args))}
	for i, a := range t.Args {
		c.args[i] = f.build(a)
	}
	return c
}

// read makes a value a term of the syntax tree again.
func read(t term) *rules.Term {
	switch t := resolve(t).(type) {
	case atom:
		return &rules.Term{Kind: rules.Atom, Name: string(t)}
	case number:
		return &rules.Term{Kind: rules.Integer, Int: int64(t)}
	case *compound:
		out := &rules.Term{Kind: rules.Compound, Name: t.name}
		for _, a := range t.args {
			out.Args = append(out.Args, read(a))
		}
		return out
	case *variable:
		return &rules.Term{Kind: rules.Variable, Name: t.name}
	}
	return nil
}

// body solves the goals of a clause from the n-th on. Each success calls found,
// which returns true to end the search.
func (p *Prover) body(c *rules.Clause, n int, f *frame, parent *node, stop *cut, found func() bool) bool {
	if n == len(c.Body) {
		p.Cover.Concluded(c)
		return found()
	}
	p.Cover.Tried(c, n)
	held := false
	done := p.goal(c.Body[n], f, parent, stop, func() bool {
		held = true
		p.Cover.Held(c, n)
		return p.body(c, n+1, f, parent, stop, found)
	})
	if !held && p.err == nil {
		p.Cover.Failed(c, n)
		if p.fails != nil {
			p.fails(c, n, parent, f)
		}
	}
	return done
}

// with adds a step to a proof while the rest is solved; without a parent no
// proof is kept.
func with(parent *node, n node, found func() bool) bool {
	if parent == nil {
		return found()
	}
	kept := new(node)
	*kept = n
	parent.children = append(parent.children, kept)
	done := found()
	if !done {
		parent.children = parent.children[:len(parent.children)-1]
	}
	return done
}

func (p *Prover) goal(g *rules.Term, f *frame, parent *node, stop *cut, found func() bool) bool {
	p.depth++
	defer func() { p.depth-- }()
	if p.stop() {
		return true
	}
	switch {
	case g.Is(",", 2):
		return p.goal(g.Args[0], f, parent, stop, func() bool { return p.goal(g.Args[1], f, parent, stop, found) })
	case g.Is(";", 2):
		return p.either(g, f, parent, stop, found)
	case g.Is("->", 2):
		return p.once(g.Args[0], f, parent, func() bool { return p.goal(g.Args[1], f, parent, stop, found) })
	case g.Is("once", 1):
		return p.once(g.Args[0], f, parent, found)
	case g.Is(`\+`, 1), g.Is("forall", 2):
		if p.holds(negand(g), f) {
			return p.err != nil
		}
		return with(parent, node{fact: -1, negated: true, goal: g, frame: f}, found)
	case g.Is("!", 0):
		done := found()
		stop.done = true
		return done
	}
	if pred, ok := fact.Number(g.Indicator()); ok {
		return p.fact(pred, g, f, parent, stop, found)
	}
	if clauses := p.Program.Defining(g.Indicator()); len(clauses) > 0 {
		return p.call(clauses, g, f, parent, stop, found)
	}
	return p.builtin(g, f, parent, stop, found)
}

// negand is the goal that must have no solution: of forall(A, B) that is A
// without B.
func negand(g *rules.Term) *rules.Term {
	if g.Is(`\+`, 1) {
		return g.Args[0]
	}
	not := &rules.Term{Kind: rules.Compound, Name: `\+`, Args: g.Args[1:], Pos: g.Pos}
	return &rules.Term{Kind: rules.Compound, Name: ",", Args: []*rules.Term{g.Args[0], not}, Pos: g.Pos}
}

func (p *Prover) either(g *rules.Term, f *frame, parent *node, stop *cut, found func() bool) bool {
	mark := len(p.trail)
	if left := g.Args[0]; left.Is("->", 2) {
		held := false
		done := p.once(left.Args[0], f, parent, func() bool {
			held = true
			return p.goal(left.Args[1], f, parent, stop, found)
		})
		if done || held {
			return done
		}
	} else if p.goal(left, f, parent, stop, found) {
		return true
	}
	p.undo(mark)
	return !stop.done && p.goal(g.Args[1], f, parent, stop, found)
}

// once takes the first solution of a goal only.
func (p *Prover) once(g *rules.Term, f *frame, parent *node, found func() bool) bool {
	mark, kept := len(p.trail), 0
	if parent != nil {
		kept = len(parent.children)
	}
	if !p.goal(g, f, parent, &cut{}, func() bool { return true }) || p.err != nil {
		return p.err != nil
	}
	if found() {
		return true
	}
	p.undo(mark)
	if parent != nil {
		parent.children = parent.children[:kept]
	}
	return false
}

// holds reports whether a goal has a solution, and leaves nothing of it.
func (p *Prover) holds(g *rules.Term, f *frame) bool {
	mark := len(p.trail)
	fails := p.fails
	p.fails = nil
	ok := p.goal(g, f, nil, &cut{}, func() bool { return true })
	p.fails = fails
	p.undo(mark)
	return ok
}

func (p *Prover) fact(pred int, g *rules.Term, f *frame, parent *node, outer *cut, found func() bool) bool {
	args := make([]term, len(g.Args))
	pattern := make([]int32, len(g.Args))
	for i, a := range g.Args {
		args[i] = f.build(a)
		v, ok := p.pattern(fact.Kind(pred, i), args[i])
		if !ok {
			return false
		}
		pattern[i] = v
	}
	var rows [][]int32
	p.Index.Match(pred, pattern, func(row []int32) bool {
		rows = append(rows, slices.Clone(row))
		return true
	})
	for _, row := range rows {
		if outer.done {
			return false
		}
		if p.stop() {
			return true
		}
		mark := len(p.trail)
		ok := true
		p.built += nodeSize + termSize*len(args)
		for i := range args {
			ok = ok && p.unify(args[i], p.value(fact.Kind(pred, i), row[i]))
		}
		if ok && with(parent, node{fact: pred, row: row, goal: g, frame: f}, found) {
			return true
		}
		p.undo(mark)
	}
	return false
}

func (p *Prover) pattern(kind rules.ArgKind, t term) (int32, bool) {
	switch t := resolve(t).(type) {
	case *variable:
		return fact.Any, true
	case number:
		return int32(t), kind.Integer() && int64(int32(t)) == int64(t)
	case atom:
		if kind.Integer() {
			return 0, false
		}
		return p.Index.Symbol(string(t))
	}
	return 0, false
}

func (p *Prover) value(kind rules.ArgKind, v int32) term {
	if kind.Integer() {
		return number(v)
	}
	return atom(p.Index.Name(v))
}

func (p *Prover) call(clauses []*rules.Clause, g *rules.Term, f *frame, parent *node, outer *cut, found func() bool) bool {
	args := make([]term, len(g.Args))
	for i, a := range g.Args {
		args[i] = f.build(a)
	}
	stop := &cut{}
	for _, c := range clauses {
		if stop.done || outer.done {
			return false
		}
		if p.stop() {
			return true
		}
		mark := len(p.trail)
		inner := &frame{}
		p.built += nodeSize + 2*termSize*len(args)
		if p.head(c, args, inner) {
			if p.use(c, inner, node{clause: c, fact: -1, goal: g, frame: f}, parent, stop, found) {
				return true
			}
		}
		p.undo(mark)
	}
	return false
}

// use solves the body of a clause below a step of the proof.
func (p *Prover) use(c *rules.Clause, f *frame, n node, parent *node, stop *cut, found func() bool) bool {
	if parent == nil {
		return p.body(c, 0, f, nil, stop, found)
	}
	kept := new(node)
	*kept = n
	parent.children = append(parent.children, kept)
	done := p.body(c, 0, f, kept, stop, found)
	if !done {
		parent.children = parent.children[:len(parent.children)-1]
	}
	return done
}

func (p *Prover) head(c *rules.Clause, args []term, f *frame) bool {
	for i, a := range c.Head.Args {
		if !p.unify(args[i], f.build(a)) {
			return false
		}
	}
	return true
}

// finish fills in the values of the goals of a proof.
func (n *node) finish() *Node {
	out := &Node{Clause: n.clause, Fact: n.fact, Row: n.row, Negated: n.negated}
	if n.goal != nil {
		out.Goal = read(n.frame.build(n.goal))
		out.Goal.Pos = n.goal.Pos
	}
	for _, c := range n.children {
		out.Children = append(out.Children, c.finish())
	}
	return out
}

// Conclusion is a proof of one conclusion of a failure rule.
type Conclusion struct {
	Class   string
	Step    int32
	Cause   int32
	Objects []string
	Clause  *rules.Clause
	// Bindings are the values of the variables of the clause.
	Bindings map[string]*rules.Term
	Proof    *Node // of the head, its children the conditions; nil where proofs are not asked for
}

// LimitError is a rule that did not come to an end within its limits.
type LimitError struct {
	Clause *rules.Clause
	Err    error // ErrLimit or the context's
}

func (e *LimitError) Error() string {
	reason := ""
	if !errors.Is(e.Err, ErrLimit) {
		reason = " (" + e.Err.Error() + ")"
	}
	return fmt.Sprintf("%s:%d: the rule did not end within its limit%s; make it recurse on fewer steps", e.Clause.Pos.File, e.Clause.Pos.Line, reason)
}

// Unwrap is the limit.
func (e *LimitError) Unwrap() error { return e.Err }

// at names the rule that an error comes from.
func at(c *rules.Clause, err error) error {
	if errors.Is(err, ErrLimit) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return &LimitError{c, err}
	}
	return fmt.Errorf("%s:%d: the rule fails to run: %w", c.Pos.File, c.Pos.Line, err)
}

// Failures visits every conclusion of every failure rule, in order of the
// program; visit returns false to end. The error names the rules that failed,
// with a *LimitError for one that did not come to an end; the others are run all
// the same.
func (p *Prover) Failures(ctx context.Context, visit func(Conclusion) bool) error {
	if p.evaluator == nil {
		p.Open()
		defer p.Close()
	}
	var errs []error
	for _, c := range p.Program.FailureRules() {
		done, err := p.clause(ctx, c, nil, visit)
		if err != nil {
			errs = append(errs, err)
		}
		if done || ctx.Err() != nil {
			break
		}
	}
	return errors.Join(errs...)
}

// Conclusions visits the conclusions of one failure rule.
func (p *Prover) Conclusions(ctx context.Context, c *rules.Clause, visit func(Conclusion) bool) error {
	_, err := p.clause(ctx, c, nil, visit)
	return err
}

// Prove visits the conclusions of one failure rule at a step.
func (p *Prover) Prove(ctx context.Context, c *rules.Clause, step int32, visit func(Conclusion) bool) error {
	_, err := p.clause(ctx, c, &step, visit)
	return err
}

func (p *Prover) clause(ctx context.Context, c *rules.Clause, step *int32, visit func(Conclusion) bool) (bool, error) {
	if len(p.Program.Components()) > 0 && slices.ContainsFunc(c.Body, p.Program.Recurs) {
		// Answers of recursive predicates come in an order that tells nothing.
		var all []Conclusion
		_, err := p.inOrder(ctx, c, step, func(con Conclusion) bool { all = append(all, con); return true })
		slices.SortStableFunc(all, func(a, b Conclusion) int {
			return cmp.Or(cmp.Compare(a.Step, b.Step), cmp.Compare(a.Cause, b.Cause), slices.Compare(a.Objects, b.Objects))
		})
		for _, con := range all {
			if !visit(con) {
				return true, err
			}
		}
		return false, err
	}
	return p.inOrder(ctx, c, step, visit)
}

// inOrder visits the conclusions of a failure rule in the order in which Prolog
// comes to them.
func (p *Prover) inOrder(ctx context.Context, c *rules.Clause, step *int32, visit func(Conclusion) bool) (bool, error) {
	if r := p.compiled(c); r != nil {
		return p.conclude(ctx, r, step, visit)
	}
	if p.Profile != nil {
		defer func() { p.Profile.Of(c).Tuples += p.spent }()
		defer p.Profile.Clock(c)()
	}
	p.begin(ctx)
	f := &frame{}
	head := f.build(c.Head).(*compound)
	if step != nil && !p.unify(head.args[1], number(*step)) {
		return false, nil
	}
	var root *node
	if p.Proofs {
		root = &node{clause: c, fact: -1, goal: c.Head, frame: f}
	}
	seen := said{}
	done := p.body(c, 0, f, root, &cut{}, func() bool {
		con, ok := conclusion(c, head)
		onto := p.Index.Trace.Objects.Onto
		if id, known := onto.Lookup(con.Class); ok && (!known || !onto.IsA(id, onto.Core.Failure)) {
			p.err = fmt.Errorf("it concludes %s, which is no failure class of the ontology", con.Class)
			return true
		}
		if !ok {
			p.err = fmt.Errorf("it concludes %s; expected a class, two steps and a list of objects", read(head))
			return true
		}
		if seen.again(&con) {
			return false
		}
		if root != nil {
			con.Proof = root.finish()
		}
		con.Bindings = map[string]*rules.Term{}
		for _, v := range f.variables {
			con.Bindings[v.name] = read(v)
		}
		return !visit(con)
	})
	if p.err != nil {
		return false, at(c, p.err)
	}
	return done, nil
}

// Query visits the answers of a goal: its variables in order of their first
// occurrence, with their values; visit returns false to end.
func (p *Prover) Query(ctx context.Context, goals []*rules.Term, visit func(names []string, values []*rules.Term) bool) error {
	if p.Compiled != nil {
		var outside *datalog.Reason
		err := p.evaluate(func(e *datalog.Evaluator) error { return e.Query(ctx, goals, p.limits(), visit) })
		if !errors.As(err, &outside) {
			return err
		}
	}
	p.begin(ctx)
	c := &rules.Clause{Head: &rules.Term{Kind: rules.Atom, Name: "query"}, Body: goals}
	names := c.Variables()
	f := &frame{}
	p.body(c, 0, f, nil, &cut{}, func() bool {
		values := make([]*rules.Term, len(names))
		for i, n := range names {
			values[i] = read(f.build(&rules.Term{Kind: rules.Variable, Name: n}))
		}
		return !visit(names, values)
	})
	return p.err
}

func conclusion(c *rules.Clause, head *compound) (Conclusion, bool) {
	out := Conclusion{Clause: c}
	class, ok1 := resolve(head.args[0]).(atom)
	step, ok2 := resolve(head.args[1]).(number)
	cause, ok3 := resolve(head.args[2]).(number)
	items, ok4 := read(head.args[3]).List()
	if !ok1 || !ok2 || !ok3 || !ok4 {
		return out, false
	}
	out.Class, out.Step, out.Cause = string(class), int32(step), int32(cause)
	for _, o := range items {
		if o.Kind != rules.Atom {
			return out, false
		}
		if o.Name != fact.None && !slices.Contains(out.Objects, o.Name) {
			out.Objects = append(out.Objects, o.Name)
		}
	}
	return out, true
}
