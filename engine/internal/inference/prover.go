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
	"github.com/mishap-robotics/mishap/engine/internal/limit"
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
	Builtins datalog.Builtins // predicates that the host gives
	Limit    int              // inferences; DefaultLimit where 0
	Bytes    int              // built; DefaultBytes where 0
	Cover    *Coverage        // what was reached is counted here where it is not nil
	Proofs   bool             // conclusions come with their proofs
	Profile  *Profile         // what rules cost is counted here where it is not nil

	evaluator   *datalog.Evaluator
	rule        *datalog.Rule // asked for last
	interpreter interpreter
}

// Node is a step of a proof: a goal with its values and what it rests on.
type Node = datalog.Node

// BuiltinError is what went wrong in a predicate that a host gives.
type BuiltinError = datalog.BuiltinError

// Profile is what rules cost, by clause.
type Profile = datalog.Profile

// NewProfile has counted nothing.
func NewProfile() *Profile { return datalog.NewProfile() }

// interpret makes the interpreter ready.
func (p *Prover) interpret(ctx context.Context) *interpreter {
	p.interpreter = interpreter{program: p.Program, builtins: p.Builtins, index: p.Index, cover: p.Cover, trail: p.interpreter.trail[:0],
		work: work{ctx: ctx, limits: p.limits()}}
	return &p.interpreter
}

// LimitError is what was not done because of a limit: here, a rule that did not come to an
// end.
type LimitError = limit.Error

// at names the rule that an error comes from.
func at(c *rules.Clause, err error) error {
	var host *BuiltinError // whatever the host's error says, the limits were not reached
	if !errors.As(err, &host) && (errors.Is(err, ErrLimit) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)) {
		return &LimitError{Clause: c, Err: err, Phase: limit.Rules, Step: limit.None, Index: limit.None, Limit: limitOf(err)}
	}
	return fmt.Errorf("%s:%d: the rule fails to run: %w", c.Pos.File, c.Pos.Line, err)
}

// limitOf names the field of the limits that ended a proof, "" where the context did.
func limitOf(err error) string {
	if errors.Is(err, ErrLimit) {
		return "Limits.Inferences"
	}
	return ""
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
		defer func() { p.Profile.Of(c).Tuples += p.interpreter.spent }()
		defer p.Profile.Clock(c)()
	}
	return p.concludeInterpreted(ctx, c, step, visit)
}

// concludeInterpreted visits the conclusions of a failure rule that is not compiled.
func (p *Prover) concludeInterpreted(ctx context.Context, c *rules.Clause, step *int32, visit func(Conclusion) bool) (bool, error) {
	in := p.interpret(ctx)
	f := &frame{}
	head := f.build(c.Head).(*compound)
	if step != nil && !in.unify(head.args[1], number(*step)) {
		return false, nil
	}
	var root *node
	if p.Proofs {
		root = &node{clause: c, fact: -1, goal: c.Head, frame: f}
	}
	seen := said{}
	done := in.body(c, 0, f, root, &cut{}, func() bool {
		con, err := in.conclusion(p.Index.Trace.Objects.Onto, c, head)
		if err != nil {
			in.err = err
			return true
		}
		if seen.again(&con) {
			return false
		}
		if root != nil {
			con.Proof = root.finish(in)
		}
		con.Bindings = map[string]*rules.Term{}
		for _, v := range f.variables {
			con.Bindings[v.name] = in.read(v)
		}
		if in.err != nil {
			return true
		}
		return !visit(con)
	})
	if in.err != nil {
		return false, at(c, in.err)
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
	in := p.interpret(ctx)
	c := &rules.Clause{Head: &rules.Term{Kind: rules.Atom, Name: "query"}, Body: goals}
	names := c.Variables()
	f := &frame{}
	in.body(c, 0, f, nil, &cut{}, func() bool {
		values := make([]*rules.Term, len(names))
		for i, n := range names {
			values[i] = in.read(f.build(&rules.Term{Kind: rules.Variable, Name: n}))
		}
		if in.err != nil {
			return true
		}
		return !visit(names, values)
	})
	return in.err
}

// Because is the first proof of a goal, one tree for it or for each goal of a conjunction;
// nil where there is none.
func (p *Prover) Because(ctx context.Context, goal *rules.Term) ([]*Node, error) {
	if p.Compiled != nil {
		var outside *datalog.Reason
		var proof []*Node
		err := p.evaluate(func(e *datalog.Evaluator) (err error) {
			proof, err = e.Proof(ctx, goal, p.limits())
			return err
		})
		if !errors.As(err, &outside) {
			return proof, err
		}
	}
	in, root := p.interpret(ctx), &node{fact: -1}
	var proof []*Node
	in.goal(goal, &frame{}, root, &cut{}, func() bool {
		for _, n := range root.children {
			proof = append(proof, n.finish(in))
		}
		return true
	})
	return proof, in.err
}
