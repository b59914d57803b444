package inference_test

// The rules as a Prolog interpreter runs them: what proofs are compared with.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ichiban/prolog"
	"github.com/ichiban/prolog/engine"

	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/engine/internal/inference"
	"github.com/mishap-robotics/mishap/rules"
)

// interpreted is a program made ready to run. Goroutines may share it.
type interpreted struct {
	Program *rules.Program
	heads   []*rules.Clause // of failure/4, by number
	text    string
}

// Compile makes a program ready. The program must have passed its check.
func interpret(p *rules.Program) *interpreted {
	r := &interpreted{Program: p, heads: p.FailureRules()}
	r.text = r.prolog()
	return r
}

// clauseName is the predicate each failure clause becomes, with its number, its
// head arguments and its variables.
const clauseName = "$clause"

// prolog writes the program for the interpreter. A failure clause becomes a
// clause of its own predicate that also gives its bindings, which is all that a
// proof needs.
func (r *interpreted) prolog() string {
	var b strings.Builder
	for _, c := range r.Program.Clauses {
		if !c.ConcludesFailure() {
			b.WriteString(c.String() + "\n")
		}
	}
	for i, c := range r.heads {
		vars := make([]*rules.Term, 0, 8)
		for _, v := range c.Variables() {
			vars = append(vars, &rules.Term{Kind: rules.Variable, Name: v})
		}
		args := append([]*rules.Term{{Kind: rules.Integer, Int: int64(i)}}, c.Head.Args...)
		head := &rules.Term{Kind: rules.Compound, Name: clauseName, Args: append(args, listOf(vars))}
		b.WriteString((&rules.Clause{Head: head, Body: c.Body}).String() + "\n")
	}
	if len(r.heads) > 0 { // for queries
		fmt.Fprintf(&b, "failure(Class, Step, Cause, Objects) :- '%s'(_, Class, Step, Cause, Objects, _).\n", clauseName)
	}
	return b.String()
}

func listOf(items []*rules.Term) *rules.Term {
	end := &rules.Term{Kind: rules.Atom, Name: "[]"}
	for _, t := range slices.Backward(items) {
		end = &rules.Term{Kind: rules.Compound, Name: ".", Args: []*rules.Term{t, end}}
	}
	return end
}

// machine is one interpreter with the program loaded. It serves one episode at
// a time.
type machine struct {
	prolog.Interpreter
	index *fact.Index
	atoms []engine.Term // by symbol of the index
}

// prelude defines what rules may use beyond the core of the interpreter.
const prelude = `
forall(C, A) :- \+ (C, \+ A).
member(X, [X|_]).
member(X, [_|T]) :- member(X, T).
`

func (r *interpreted) newMachine() (*machine, error) {
	m := &machine{Interpreter: *prolog.New(nil, nil)}
	m.FS = nil
	if err := m.Exec(prelude); err != nil {
		return nil, fmt.Errorf("rule prelude: %w", err)
	}
	m.register()
	if err := m.Exec(r.text); err != nil {
		return nil, fmt.Errorf("rules do not load: %w", err)
	}
	return m, nil
}

// register makes every fact predicate a lookup in the index.
func (m *machine) register() {
	vocabulary := fact.Vocabulary()
	for i := range vocabulary {
		p := &vocabulary[i]
		name := engine.NewAtom(p.Name)
		switch len(p.Args) {
		case 1:
			m.Register1(name, func(_ *engine.VM, a engine.Term, k engine.Cont, env *engine.Env) *engine.Promise {
				return m.lookup(i, p, []engine.Term{a}, k, env)
			})
		case 2:
			m.Register2(name, func(_ *engine.VM, a, b engine.Term, k engine.Cont, env *engine.Env) *engine.Promise {
				return m.lookup(i, p, []engine.Term{a, b}, k, env)
			})
		case 3:
			m.Register3(name, func(_ *engine.VM, a, b, c engine.Term, k engine.Cont, env *engine.Env) *engine.Promise {
				return m.lookup(i, p, []engine.Term{a, b, c}, k, env)
			})
		case 4:
			m.Register4(name, func(_ *engine.VM, a, b, c, d engine.Term, k engine.Cont, env *engine.Env) *engine.Promise {
				return m.lookup(i, p, []engine.Term{a, b, c, d}, k, env)
			})
		case 5:
			m.Register5(name, func(_ *engine.VM, a, b, c, d, e engine.Term, k engine.Cont, env *engine.Env) *engine.Promise {
				return m.lookup(i, p, []engine.Term{a, b, c, d, e}, k, env)
			})
		}
	}
}

// lookup unifies the arguments of a goal with each fact that matches.
func (m *machine) lookup(pred int, p *rules.Predicate, args []engine.Term, k engine.Cont, env *engine.Env) *engine.Promise {
	pattern := make([]int32, len(args))
	for i, a := range args {
		v, ok := m.value(p.Args[i], env.Resolve(a))
		if !ok {
			return engine.Bool(false)
		}
		pattern[i] = v
	}
	var rows [][]int32
	m.index.Match(pred, pattern, func(row []int32) bool {
		rows = append(rows, append([]int32(nil), row...))
		return true
	})
	alternatives := make([]func(context.Context) *engine.Promise, len(rows))
	for i, row := range rows {
		alternatives[i] = func(context.Context) *engine.Promise {
			e := env
			for j, a := range args {
				var ok bool
				if e, ok = e.Unify(a, m.term(p.Args[j], row[j])); !ok {
					return engine.Bool(false)
				}
			}
			return k(e)
		}
	}
	return engine.Delay(alternatives...)
}

// value turns an argument into a pattern; ok is false where nothing can match.
func (m *machine) value(kind rules.ArgKind, t engine.Term) (int32, bool) {
	switch t := t.(type) {
	case engine.Variable:
		return fact.Any, true
	case engine.Integer:
		return int32(t), kind.Integer() && int64(int32(t)) == int64(t)
	case engine.Atom:
		if kind.Integer() {
			return 0, false
		}
		return m.index.Symbol(t.String())
	}
	return 0, false
}

func (m *machine) term(kind rules.ArgKind, v int32) engine.Term {
	if kind.Integer() {
		return engine.Integer(v)
	}
	for int(v) >= len(m.atoms) {
		m.atoms = append(m.atoms, nil)
	}
	if m.atoms[v] == nil {
		m.atoms[v] = engine.NewAtom(m.index.Name(v))
	}
	return m.atoms[v]
}

// Failures runs every failure rule over an episode, in order of the program.
func (r *interpreted) Failures(ctx context.Context, x *fact.Index) ([]inference.Conclusion, error) {
	m, err := r.newMachine()
	if err != nil {
		return nil, err
	}
	m.index = x
	var out []inference.Conclusion
	for i, c := range r.heads {
		got, err := m.run(ctx, i, c)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: the rule fails to run: %w", c.Pos.File, c.Pos.Line, err)
		}
		out = append(out, got...)
	}
	return out, nil
}

func (m *machine) run(ctx context.Context, number int, c *rules.Clause) ([]inference.Conclusion, error) {
	args := make([]engine.Term, 6)
	args[0] = engine.Integer(number)
	for i := 1; i < len(args); i++ {
		args[i] = engine.NewVariable()
	}
	goal := engine.NewAtom(clauseName).Apply(args...)
	names := c.Variables()
	var out []inference.Conclusion
	var bad error
	_, err := engine.Call(&m.VM, goal, func(env *engine.Env) *engine.Promise {
		con, err := conclusion(c, names, args, env)
		if err != nil {
			bad = err
			return engine.Error(err)
		}
		if !slices.ContainsFunc(out, func(o inference.Conclusion) bool { return sameConclusion(o, con) }) {
			out = append(out, con)
		}
		return engine.Bool(false)
	}, nil).Force(ctx)
	if bad != nil {
		err = bad
	}
	return out, err
}

func sameConclusion(a, b inference.Conclusion) bool {
	return a.Class == b.Class && a.Step == b.Step && a.Cause == b.Cause && slices.Equal(a.Objects, b.Objects)
}

func conclusion(c *rules.Clause, names []string, args []engine.Term, env *engine.Env) (inference.Conclusion, error) {
	out := inference.Conclusion{Clause: c, Bindings: map[string]*rules.Term{}}
	class, step, cause := fromProlog(args[1], env), fromProlog(args[2], env), fromProlog(args[3], env)
	if class.Kind != rules.Atom || step.Kind != rules.Integer || cause.Kind != rules.Integer {
		return out, fmt.Errorf("it concludes failure(%s, %s, %s, …); expected a class and two steps", class, step, cause)
	}
	out.Class, out.Step, out.Cause = class.Name, int32(step.Int), int32(cause.Int)
	objects, proper := fromProlog(args[4], env).List()
	if !proper {
		return out, errors.New("its last argument is no list of objects")
	}
	for _, o := range objects {
		if o.Kind != rules.Atom {
			return out, fmt.Errorf("its last argument holds %s; expected objects", o)
		}
		if o.Name != fact.None && !slices.Contains(out.Objects, o.Name) {
			out.Objects = append(out.Objects, o.Name)
		}
	}
	values, _ := fromProlog(args[5], env).List()
	for i, v := range values {
		out.Bindings[names[i]] = v
	}
	return out, nil
}

// fromProlog copies a term out of the interpreter.
func fromProlog(t engine.Term, env *engine.Env) *rules.Term {
	switch t := env.Resolve(t).(type) {
	case engine.Atom:
		return &rules.Term{Kind: rules.Atom, Name: t.String()}
	case engine.Integer:
		return &rules.Term{Kind: rules.Integer, Int: int64(t)}
	case engine.Variable:
		return &rules.Term{Kind: rules.Variable, Name: fmt.Sprintf("_%d", int64(t))}
	case engine.Compound:
		out := &rules.Term{Kind: rules.Compound, Name: t.Functor().String()}
		for i := range t.Arity() {
			out.Args = append(out.Args, fromProlog(t.Arg(i), env))
		}
		return out
	default:
		return &rules.Term{Kind: rules.Atom, Name: fmt.Sprint(t)}
	}
}
