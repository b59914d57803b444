package inference_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/ichiban/prolog/engine"

	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/engine/internal/inference"
	"github.com/mishap-robotics/mishap/engine/internal/inference/datalog"
	"github.com/mishap-robotics/mishap/engine/ruletest"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/rules"
)

// cooking has what the helpers of more rules are about.
const cooking = `
	task: boil water
	0 | Pot-1 on_top_of CounterTop-1, Pot-1 empty, Faucet-1 off, StoveBurner-1 off, Pan-1 on_top_of StoveBurner-1, Knife-1 inside Drawer-1, Drawer-1 closed, Egg-1 on_top_of CounterTop-1
	1 (pick_up, Pot-1) | Pot-1 inside RobotGripper-1
	2 (put_in, Pot-1, Sink-1) | Pot-1 inside Sink-1, Faucet-1 off
	3 (toggle_on, Faucet-1) | Pot-1 inside Sink-1, Pot-1 filled_with_water, Faucet-1 on
	4 (pick_up, Pot-1) | Pot-1 inside RobotGripper-1, Pot-1 filled_with_water
	5 (put_on, Pot-1, StoveBurner-1) | Pot-1 inside RobotGripper-1, Pan-1 on_top_of StoveBurner-1
	6 (toggle_on, StoveBurner-1) | StoveBurner-1 on, Pan-1 on_top_of StoveBurner-1 | something breaks
	7 (open_obj, Drawer-1) | Drawer-1 open, Knife-1 inside Drawer-1
	8 (pick_up, Knife-1) | Knife-1 inside RobotGripper-1, Egg-1 on_top_of Floor-1, Egg-1 broken`

// Every helper predicate of the shipped rules has the same answers compiled, interpreted
// and in ISO Prolog, in an episode of a test of rules in which it has some. Where one needs
// values they are tried one by one. Without MISHAP_LONG every third is asked.
func TestHelpersAgreeWithProlog(t *testing.T) {
	p := rules.Default()
	compiled := datalog.Compile(p, ontology.Default())
	m, err := interpret(p).newMachine()
	if err != nil {
		t.Fatal(err)
	}
	every, least := 3, 85 // percent that have answers
	if os.Getenv("MISHAP_LONG") != "" {
		every, least = 1, 90
	}
	var asked []rules.Indicator
	for i, of := range helpers(p) {
		if i%every == 0 {
			asked = append(asked, of)
		}
	}
	held := 0
	for text, of := range holding(t, p, compiled, slices.Clone(asked)) {
		x := index(t, text)
		m.index, m.atoms = x, nil
		for _, of := range of {
			some, answered := false, false
			for _, goal := range goalsOf(t, &inference.Prover{Program: p, Compiled: compiled, Index: x}, of, values(x)) {
				some = true
				ours := answersTo(t, &inference.Prover{Program: p, Compiled: compiled, Index: x}, goal)
				if diff := cmp.Diff(m.answers(t, goal), ours); diff != "" {
					t.Errorf("%s (-Prolog +compiled):\n%s", goal, diff)
				}
				if diff := cmp.Diff(answersTo(t, &inference.Prover{Program: p, Index: x}, goal), ours); diff != "" {
					t.Errorf("%s (-interpreted +compiled):\n%s", goal, diff)
				}
				answered = answered || len(ours) > 0
			}
			if !some {
				t.Errorf("%s was not asked", of)
			}
			if answered {
				held++
			} else {
				t.Logf("%s has no answers", of)
			}
		}
	}
	all := len(asked)
	t.Logf("%d of %d helper predicates have answers", held, all)
	if held*100 < all*least {
		t.Errorf("%d of %d helper predicates have answers: this shows little", held, all)
	}
}

// holding are episodes with the helpers of left that are to be asked of them: each of the first test
// of rules in which one of its clauses concludes. Tests beside the rules that define a helper
// come first, and without MISHAP_LONG only they do.
func holding(t *testing.T, p *rules.Program, compiled *datalog.Program, left []rules.Indicator) map[string][]rules.Indicator {
	t.Helper()
	out := map[string][]rules.Indicator{}
	look := func(d document.Document, lacking func(rules.Indicator) bool) {
		tests, err := ruletest.Parse(ontology.Default(), d)
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range tests {
			if test.Script == "" || !slices.ContainsFunc(left, lacking) {
				continue
			}
			cover := inference.NewCoverage()
			pr := &inference.Prover{Program: p, Compiled: compiled, Index: index(t, test.Script), Cover: cover}
			if err := pr.Failures(t.Context(), func(inference.Conclusion) bool { return true }); err != nil {
				t.Fatal(err)
			}
			left = slices.DeleteFunc(left, func(of rules.Indicator) bool {
				holds := slices.ContainsFunc(p.Defining(of), func(c *rules.Clause) bool { return cover.Of(c).Concluded > 0 })
				if holds {
					out[test.Script] = append(out[test.Script], of)
				}
				return holds
			})
		}
	}
	for _, d := range rules.ShippedTests() {
		look(d, func(of rules.Indicator) bool {
			return strings.TrimSuffix(p.Defining(of)[0].Pos.File, ".pl") == strings.TrimSuffix(d.Name, ".test")
		})
	}
	if os.Getenv("MISHAP_LONG") != "" {
		for _, d := range rules.ShippedTests() {
			look(d, func(rules.Indicator) bool { return true })
		}
	}
	out[cooking] = left // of which tests state facts
	return out
}

// helpers are the predicates that rules define for themselves.
func helpers(p *rules.Program) []rules.Indicator {
	all := map[rules.Indicator]bool{}
	for _, c := range p.Clauses {
		if !c.ConcludesFailure() {
			all[c.Head.Indicator()] = true
		}
	}
	return slices.SortedFunc(maps.Keys(all), func(a, b rules.Indicator) int { return strings.Compare(a.String(), b.String()) })
}

// values are what arguments may be: steps and objects.
func values(x *fact.Index) []*rules.Term {
	var out []*rules.Term
	for step := range x.Trace.Last() + 1 {
		out = append(out, &rules.Term{Kind: rules.Integer, Int: int64(step)})
	}
	for i := range x.Trace.Objects.Items {
		out = append(out, &rules.Term{Kind: rules.Atom, Name: x.Trace.Objects.Items[i].Name})
	}
	return out
}

// goalsOf is a helper with variables, or with as many values before them as it needs.
func goalsOf(t *testing.T, p *inference.Prover, of rules.Indicator, values []*rules.Term) []*rules.Term {
	t.Helper()
	goals := []*rules.Term{{Kind: rules.Compound, Name: of.Name}}
	if of.Arity == 0 {
		goals[0].Kind = rules.Atom
	}
	for n := range of.Arity + 1 {
		var whole, kept []*rules.Term
		wrong := false
		for _, g := range goals {
			goal := *g
			goal.Args = slices.Clone(g.Args)
			for k := n; k < of.Arity; k++ {
				goal.Args = append(goal.Args, &rules.Term{Kind: rules.Variable, Name: fmt.Sprintf("X%d", k)})
			}
			err := p.Query(context.Background(), []*rules.Term{&goal}, func([]string, []*rules.Term) bool { return true })
			switch {
			case err == nil:
				whole = append(whole, &goal)
			case strings.Contains(err.Error(), "is no number"): // an object in the place of a step
			default:
				wrong = true
			}
			if err == nil || !strings.Contains(err.Error(), "is no number") {
				kept = append(kept, g)
			}
		}
		if !wrong {
			return whole
		}
		var next []*rules.Term
		for _, g := range kept {
			for _, v := range values {
				more := *g
				more.Args = append(slices.Clone(g.Args), v)
				next = append(next, &more)
			}
		}
		goals = next
	}
	return nil
}

func answersTo(t *testing.T, p *inference.Prover, goal *rules.Term) []string {
	t.Helper()
	var out []string
	err := p.Query(context.Background(), []*rules.Term{goal}, func(names []string, values []*rules.Term) bool {
		given := map[string]*rules.Term{}
		for n, name := range names {
			given[name] = named(values[n])
		}
		out = append(out, goal.With(given).String())
		return true
	})
	if err != nil {
		t.Errorf("%s: %v", goal, err)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// named is a value, or _ for any that has none.
func named(t *rules.Term) *rules.Term {
	if t.Kind == rules.Variable {
		return &rules.Term{Kind: rules.Variable, Name: "_"}
	}
	return t
}

// answers are those of Prolog itself.
func (m *machine) answers(t *testing.T, goal *rules.Term) []string {
	t.Helper()
	variables := map[string]engine.Variable{}
	args := make([]engine.Term, len(goal.Args))
	for n, a := range goal.Args {
		switch a.Kind {
		case rules.Variable:
			variables[a.Name] = engine.NewVariable()
			args[n] = variables[a.Name]
		case rules.Integer:
			args[n] = engine.Integer(a.Int)
		default:
			args[n] = engine.NewAtom(a.Name)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var out []string
	_, err := engine.Call(&m.VM, engine.NewAtom(goal.Name).Apply(args...), func(env *engine.Env) *engine.Promise {
		given := map[string]*rules.Term{}
		for name, v := range variables {
			given[name] = named(fromProlog(v, env))
		}
		out = append(out, goal.With(given).String())
		return engine.Bool(false)
	}, nil).Force(ctx)
	if err != nil {
		t.Errorf("%s in Prolog: %v", goal, err)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
