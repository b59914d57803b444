package prolog

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	iso "github.com/ichiban/prolog/engine"

	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/memory"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// vocabulary makes the facts and what rules define known, as it is of the only episode and
// with the episode before the arguments: holds(S, O) and holds(E, S, O). Where the second
// name is that of another fact, that is meant.
func (i *Interpreter) vocabulary() {
	for _, p := range engine.Vocabulary() {
		i.facts[p.Indicator()] = p
	}
	all := map[rules.Indicator]bool{}
	for of := range i.facts {
		all[of] = true
	}
	for _, c := range i.Reasoner.Rules().Clauses {
		all[c.Head.Indicator()] = true
	}
	for of := range all {
		i.known[of] = ofEpisode
		i.register(of, nondeterministic(func(ctx context.Context, args []iso.Term, env *iso.Env) ([]answer, error) {
			return i.ofOnly(ctx, of, args, env)
		}))
	}
	for of := range all {
		longer := rules.Indicator{Name: of.Name, Arity: of.Arity + 1}
		if _, taken := i.known[longer]; taken {
			continue
		}
		i.known[longer] = ofEpisode
		i.register(longer, func(args []iso.Term, k iso.Cont, env *iso.Env) *iso.Promise {
			return i.ofEach(args[0], env, func(id string, env *iso.Env) *iso.Promise {
				return nondeterministic(func(ctx context.Context, args []iso.Term, env *iso.Env) ([]answer, error) {
					return i.holding(ctx, id, of, args, env)
				})(args[1:], k, env)
			})
		})
	}
}

// ofOnly lists how a fact is of the only episode. One that no step is an argument of may be
// asked of all together.
func (i *Interpreter) ofOnly(ctx context.Context, of rules.Indicator, args []iso.Term, env *iso.Env) ([]answer, error) {
	if i.only != "" {
		return i.holding(ctx, i.only, of, args, env)
	}
	p, ok := i.facts[of]
	if needsOne := !ok || slices.Contains(p.Args, rules.StepArg); needsOne && i.none {
		return nil, fmt.Errorf("%s is of an episode, and there is none; expected a log or a memory with one", of)
	} else if needsOne {
		return nil, fmt.Errorf("%s is of one episode; expected the episode before its arguments: %s(Episode, …)", of, of.Name)
	}
	var out []answer
	seen := map[string]bool{}
	for e, err := range i.Episodes.List(ctx) {
		if err != nil {
			return nil, err
		}
		all, err := i.holding(ctx, e.ID, of, args, env)
		if err != nil {
			return nil, err
		}
		for _, a := range all {
			if key := fmt.Sprint(a); !seen[key] {
				seen[key] = true
				out = append(out, a)
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// ofEach goes on with the episode that an argument names, or with one after the other where
// it is a variable.
func (i *Interpreter) ofEach(episode iso.Term, env *iso.Env, then func(id string, env *iso.Env) *iso.Promise) *iso.Promise {
	switch e := env.Resolve(episode).(type) {
	case iso.Atom:
		return then(e.String(), env)
	case iso.Variable:
		return iso.Delay(func(ctx context.Context) *iso.Promise {
			var ways []func(context.Context) *iso.Promise
			for entry, err := range i.Episodes.List(ctx) {
				if err != nil {
					return iso.Error(exception(err, env))
				}
				ways = append(ways, func(context.Context) *iso.Promise {
					env, _ := env.Unify(e, iso.NewAtom(entry.ID))
					return then(entry.ID, env)
				})
			}
			return iso.Delay(ways...)
		})
	}
	return iso.Error(iso.TypeError(iso.NewAtom("atom"), episode, env))
}

// holding lists how a fact, or what a rule defines, is of an episode. Of one that there is
// none of nothing is.
func (i *Interpreter) holding(ctx context.Context, id string, of rules.Indicator, args []iso.Term, env *iso.Env) ([]answer, error) {
	v, err := i.followed.of(ctx, id)
	if errors.Is(err, memory.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	goal, err := goalOf(of, args, env)
	if err != nil {
		return nil, nil // facts have no such terms
	}
	if p, ok := i.facts[of]; ok {
		return i.factsOf(v, &p, goal, args, env), nil
	}
	return i.defined(ctx, v, goal)
}

// goalOf is a goal as rules have it.
func goalOf(of rules.Indicator, args []iso.Term, env *iso.Env) (*rules.Term, error) {
	goal := &rules.Term{Kind: rules.Compound, Name: of.Name}
	if len(args) == 0 {
		goal.Kind = rules.Atom
	}
	for _, a := range args {
		t, err := read(a, env)
		if err != nil {
			return nil, err
		}
		goal.Args = append(goal.Args, t)
	}
	return goal, nil
}

// factsOf looks facts up.
func (i *Interpreter) factsOf(v *view, p *rules.Predicate, goal *rules.Term, args []iso.Term, env *iso.Env) []answer {
	x := v.facts
	if engine.AsksScores(goal.String()) {
		x = i.followed.withScores(v)
	}
	var out []answer
	x.Select(p.Indicator(), goal.Args, func(values []*rules.Term) bool {
		a := make(answer, len(values))
		for n, value := range values {
			if _, bound := env.Resolve(args[n]).(iso.Variable); bound {
				a[n] = written(value, nil)
			} else {
				a[n] = args[n] // a whole number stands for a decimal
			}
		}
		out = append(out, a)
		return true
	})
	return out
}

// defined lists the answers of what rules define, which stay compiled.
func (i *Interpreter) defined(ctx context.Context, v *view, goal *rules.Term) ([]answer, error) {
	var out []answer
	err := i.Reasoner.Prover(v.facts).Query(memory.During(ctx, v.entry), []*rules.Term{goal}, func(names []string, values []*rules.Term) bool {
		given, fresh := map[string]*rules.Term{}, map[string]iso.Variable{}
		for n, name := range names {
			given[name] = values[n]
		}
		a := make(answer, len(goal.Args))
		for n, t := range goal.Args {
			a[n] = written(t.With(given), fresh)
		}
		out = append(out, a)
		return true
	})
	return out, err
}

const findingName = "finding" // finding(Class, Step, Cause, Objects)

// episodePredicates are those about episodes as wholes.
func (i *Interpreter) episodePredicates() {
	define := func(name string, arity int, p predicate) {
		of := rules.Indicator{Name: name, Arity: arity}
		i.known[of] = ofEpisode
		i.register(of, p)
	}
	define("episode", 1, func(args []iso.Term, k iso.Cont, env *iso.Env) *iso.Promise {
		return i.ofEach(args[0], env, func(id string, env *iso.Env) *iso.Promise {
			return i.about(id, env, func(memory.Entry) *iso.Promise { return k(env) })
		})
	})
	for name, get := range map[string]func(memory.Entry) []iso.Term{
		"robot": func(e memory.Entry) []iso.Term { return texts(e.Robot) },
		"site":  func(e memory.Entry) []iso.Term { return texts(e.Site) },
		"task":  func(e memory.Entry) []iso.Term { return texts(e.Task) },
		"label": func(e memory.Entry) []iso.Term { return texts(e.Labels...) },
		"started": func(e memory.Entry) []iso.Term {
			if e.Start.IsZero() {
				return nil
			}
			return []iso.Term{iso.Integer(e.Start.Unix())}
		},
	} {
		define(name, 2, func(args []iso.Term, k iso.Cont, env *iso.Env) *iso.Promise {
			return i.ofEach(args[0], env, func(id string, env *iso.Env) *iso.Promise {
				return i.about(id, env, func(e memory.Entry) *iso.Promise {
					var all []answer
					for _, t := range get(e) {
						all = append(all, answer{t})
					}
					return alternatives(all, args[1:], k, env)
				})
			})
		})
	}
	define("check", 2, func(args []iso.Term, k iso.Cont, env *iso.Env) *iso.Promise {
		return i.ofEach(args[0], env, func(id string, env *iso.Env) *iso.Promise {
			return nondeterministic(func(ctx context.Context, _ []iso.Term, _ *iso.Env) ([]answer, error) {
				_, res, err := i.check(ctx, id)
				if err != nil || res == nil {
					return nil, err
				}
				var all []answer
				for n := range res.Findings {
					all = append(all, answer{findingTerm(&res.Findings[n])})
				}
				return all, nil
			})(args[1:], k, env)
		})
	})
	define("why", 1, func(args []iso.Term, k iso.Cont, env *iso.Env) *iso.Promise { return i.why(args[0], k, env) })
	define("recovers", 2, nondeterministic(func(context.Context, []iso.Term, *iso.Env) ([]answer, error) {
		var all []answer
		o := i.Reasoner.Ontology
		for _, f := range append([]ontology.TermID{o.Core.Failure}, o.Subclasses(o.Core.Failure)...) {
			for _, s := range o.StrategiesFor(f) {
				all = append(all, answer{iso.NewAtom(s.Name), iso.NewAtom(o.Name(f))})
			}
		}
		return all, nil
	}))
	define("triple", 3, nondeterministic(i.quads))
	define("quad", 4, nondeterministic(i.quads))
}

func texts(all ...string) []iso.Term {
	var out []iso.Term
	for _, text := range all {
		if text != "" {
			out = append(out, iso.NewAtom(text))
		}
	}
	return out
}

// about goes on with what is known of an episode as a whole, if there is one of that id.
func (i *Interpreter) about(id string, env *iso.Env, then func(memory.Entry) *iso.Promise) *iso.Promise {
	return iso.Delay(func(ctx context.Context) *iso.Promise {
		e, err := i.Episodes.Entry(ctx, id)
		if errors.Is(err, memory.ErrNotFound) {
			return iso.Bool(false)
		}
		if err != nil {
			return iso.Error(exception(err, env))
		}
		return then(e)
	})
}

// check is what is found in an episode, nil where there is none of that id.
func (i *Interpreter) check(ctx context.Context, id string) (*view, *engine.Result, error) {
	v, err := i.followed.of(ctx, id)
	if errors.Is(err, memory.ErrNotFound) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	res, err := i.followed.checked(ctx, v)
	return v, res, err
}

func findingTerm(f *engine.Finding) iso.Term {
	return iso.NewAtom(findingName).Apply(iso.NewAtom(f.Type), iso.Integer(f.Step), iso.Integer(f.Cause), iso.List(texts(f.Objects...)...))
}

// why prints the proof of a goal over the facts and rules, or of a finding, for each answer.
func (i *Interpreter) why(goal iso.Term, k iso.Cont, env *iso.Env) *iso.Promise {
	of, ok := indicator(goal, env)
	if !ok {
		return iso.Error(iso.TypeError(iso.NewAtom("callable"), goal, env))
	}
	isCheck := of == rules.Indicator{Name: "check", Arity: 2}
	_, fact := i.proved(of)
	if !isCheck && !fact {
		return iso.Error(exception(fmt.Errorf("why/1 of %s; expected what the facts and rules have (holds(S, O), a predicate of the rules) or check(E, F)", of), env))
	}
	return iso.Call(i.vm, goal, func(env *iso.Env) *iso.Promise {
		return iso.Delay(func(ctx context.Context) *iso.Promise {
			var err error
			if isCheck {
				err = i.explainFinding(ctx, goal, env)
			} else {
				err = i.prove(ctx, of, goal, env)
			}
			if err != nil {
				return iso.Error(exception(err, env))
			}
			return k(env)
		})
	}, env)
}

// proved is what a goal asks of an episode; ok is false where it asks none.
func (i *Interpreter) proved(of rules.Indicator) (fact rules.Indicator, ok bool) {
	has := func(of rules.Indicator) bool {
		_, ok := i.facts[of]
		return ok || len(i.Reasoner.Rules().Defining(of)) > 0
	}
	if has(of) {
		return of, true
	}
	of.Arity--
	return of, has(of)
}

// prove prints the proof of a goal that holds.
func (i *Interpreter) prove(ctx context.Context, of rules.Indicator, goal iso.Term, env *iso.Env) error {
	fact, _ := i.proved(of)
	id := i.only
	var args []iso.Term
	if c, ok := env.Resolve(goal).(iso.Compound); ok {
		for n := range c.Arity() {
			args = append(args, c.Arg(n))
		}
	}
	if fact.Arity < of.Arity {
		e, _ := env.Resolve(args[0]).(iso.Atom)
		id, args = e.String(), args[1:]
	}
	asked, err := goalOf(fact, args, env)
	if err != nil {
		return err
	}
	ids := []string{id}
	if id == "" { // what no step is an argument of, of any episode
		ids = nil
		for e, err := range i.Episodes.List(ctx) {
			if err != nil {
				return err
			}
			ids = append(ids, e.ID)
		}
	}
	for _, id := range ids {
		v, err := i.followed.of(ctx, id)
		if err != nil {
			return err
		}
		x := v.facts
		if engine.AsksScores(asked.String()) {
			x = i.followed.withScores(v)
		}
		proof, err := i.Reasoner.Prover(x).Because(memory.During(ctx, v.entry), asked)
		if err != nil {
			return err
		}
		if len(proof) > 0 {
			return i.show(x, proof...)
		}
	}
	return nil
}

// explainFinding prints the proof of a finding.
func (i *Interpreter) explainFinding(ctx context.Context, goal iso.Term, env *iso.Env) error {
	c := env.Resolve(goal).(iso.Compound)
	id, _ := env.Resolve(c.Arg(0)).(iso.Atom)
	_, res, err := i.check(ctx, id.String())
	if err != nil {
		return err
	}
	want, err := read(c.Arg(1), env)
	if err != nil {
		return err
	}
	for n := range res.Findings {
		f := &res.Findings[n]
		if t, err := read(findingTerm(f), nil); err != nil || t.String() != want.String() {
			continue
		}
		proof, err := i.Reasoner.Prove(ctx, res, f)
		if err != nil {
			return err
		}
		fmt.Fprintln(i.out, f.Explanation)
		return i.show(res.Index, proof)
	}
	return nil
}

// show prints proofs as trees.
func (i *Interpreter) show(x *engine.Facts, proofs ...*engine.Proof) error {
	for _, proof := range proofs {
		p := report.NewProof(proof, x)
		if err := p.Text(i.out, "  "); err != nil {
			return err
		}
	}
	return nil
}

// quads lists the quads that are meant, of three places or of four.
func (i *Interpreter) quads(ctx context.Context, args []iso.Term, env *iso.Env) ([]answer, error) {
	given := make([]any, len(args))
	for n, a := range args {
		switch a := env.Resolve(a).(type) {
		case iso.Variable:
		case iso.Atom:
			given[n] = a.String()
		case iso.Integer:
			given[n] = int64(a)
		case iso.Float:
			given[n] = strings.TrimSpace(fmt.Sprint(float64(a)))
		default:
			return nil, nil
		}
	}
	if name, ok := given[1].(string); ok {
		if err := memory.KnownPredicate(i.Reasoner.Ontology, name); err != nil {
			return nil, err
		}
	}
	var out []answer
	for named, err := range memory.Named(ctx, i.Episodes, given) {
		if err != nil {
			return nil, err
		}
		a := make(answer, len(args))
		for n := range args {
			if a[n] = args[n]; given[n] == nil {
				a[n] = atomic(named[n])
			}
		}
		out = append(out, a)
	}
	return out, nil
}

func atomic(v any) iso.Term {
	if n, ok := v.(int64); ok {
		return iso.Integer(n)
	}
	return iso.NewAtom(fmt.Sprint(v))
}
