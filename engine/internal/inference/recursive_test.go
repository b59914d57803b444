package inference_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/engine/internal/inference"
	"github.com/mishap-robotics/mishap/engine/internal/inference/datalog"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/rules"
)

// plainFacts are those without decimals, of which there are too many to try all.
var plainFacts = slices.DeleteFunc(slices.Clone(drawnFacts), func(p predicateOf) bool { return strings.Contains(p.columns, "d") })

// recursive draws clauses of predicates that may call one another and themselves.
func (d *drawing) recursive() string {
	predicates := []predicateOf{{"p", "ns", 0}, {"q", "nn", 0}, {"r", "ss", 0}}
	vars := map[byte][]string{'n': {"A", "B"}, 's': {"X", "Y"}}
	atom := func(p predicateOf) string {
		var args []string
		for i := range len(p.columns) {
			c := p.columns[i]
			if d.pick(8, "constant") == 0 {
				args = append(args, d.constant(c))
			} else {
				args = append(args, vars[c][d.pick(2, "variable")])
			}
		}
		return p.name + "(" + strings.Join(args, ", ") + ")"
	}
	var b strings.Builder
	clause := func(head string, goals int) {
		var body []string
		for range goals {
			if d.pick(2, "recursive") == 0 {
				body = append(body, atom(predicates[d.pick(3, "predicate")]))
			} else {
				body = append(body, atom(plainFacts[d.pick(len(plainFacts), "fact")]))
			}
		}
		if at := slices.IndexFunc(body, func(g string) bool { return strings.Contains(g, "A") }); at >= 0 && d.pick(4, "builtin") == 0 {
			call := []string{"even(A)", "upto(A, B)", "upto(A, A)"}[d.pick(3, "which")]
			body = slices.Insert(body, at+1+d.pick(len(body)-at, "place"), call)
		}
		have := strings.Join(body, " ")
		if d.pick(3, "negation") == 0 {
			if g := atom(plainFacts[d.pick(len(plainFacts), "fact")]); bound(g, have) {
				body = append(body, `\+ `+g)
			}
		}
		if d.pick(3, "comparison") == 0 && strings.Contains(have, "A") && strings.Contains(have, "B") {
			body = append(body, "A < B")
		}
		if bound(head, have) {
			fmt.Fprintf(&b, "%s :- %s.\n", head, strings.Join(body, ", "))
		}
	}
	for _, p := range predicates {
		for range 1 + d.pick(3, "clauses") {
			clause(atom(p), 1+d.pick(3, "goals"))
		}
		fmt.Fprintf(&b, "%s(%s).\n", p.name, strings.Join(d.head(p.columns, nil), ", "))
	}
	clause("failure('DirtyObjFailure', A, A, [X])", 3)
	clause("failure('DirtyObjFailure', A, B, [])", 3)
	return b.String()
}

// bound reports whether all variables of a goal stand in others.
func bound(goal, others string) bool {
	for _, v := range []string{"A", "B", "X", "Y"} {
		if strings.Contains(goal, v) && !strings.Contains(others, v) {
			return false
		}
	}
	return true
}

// least is the least model of clauses over facts, by trying all values for their
// variables until nothing is new.
func least(clauses []*rules.Clause, facts []*rules.Term) map[string]bool {
	model := map[string]bool{}
	for _, f := range facts {
		model[f.String()] = true
	}
	var domain [2][]*rules.Term
	for n := range int64(6) {
		domain[0] = append(domain[0], &rules.Term{Kind: rules.Integer, Int: n})
	}
	for _, name := range drawnNames {
		domain[1] = append(domain[1], &rules.Term{Kind: rules.Atom, Name: strings.Trim(name, "'")})
	}
	holds := func(g *rules.Term) bool {
		switch {
		case g.Is(`\+`, 1):
			return !model[g.Args[0].String()]
		case g.Is("<", 2):
			return g.Args[0].Int < g.Args[1].Int
		case g.Is("even", 1):
			return g.Args[0].Int%2 == 0
		case g.Is("upto", 2):
			return g.Args[1].Int < g.Args[0].Int
		}
		return model[g.String()]
	}
	for changed := true; changed; {
		changed = false
		for _, c := range clauses {
			names := c.Variables()
			var try func(i int, with map[string]*rules.Term)
			try = func(i int, with map[string]*rules.Term) {
				if i < len(names) {
					for _, v := range domain[strings.Index("ABXY", names[i])/2] {
						with[names[i]] = v
						try(i+1, with)
					}
					return
				}
				for _, g := range c.Body {
					if !holds(g.With(with)) {
						return
					}
				}
				if h := c.Head.With(with).String(); !model[h] {
					model[h], changed = true, true
				}
			}
			try(0, map[string]*rules.Term{})
		}
	}
	return model
}

// Recursive programs conclude what is in their least model, and the proofs rest
// on it: facts are facts, and no conclusion is proved by itself.
func TestRecursionFindsTheLeastModel(t *testing.T) {
	o := ontology.Default()
	concluded, builtins := 0, hostBuiltins()
	rapid.Check(t, func(t *rapid.T) {
		d := &drawing{t: t}
		text := d.recursive()
		t.Logf("program:\n%s", text)
		p, err := rules.Load([]document.Document{{Name: "t.pl", Data: []byte(text)}})
		if err != nil {
			t.Fatal(err)
		}
		facts := d.facts()
		x, err := fact.Given(o, facts)
		if err != nil {
			t.Fatal(err)
		}
		model := least(p.Clauses, facts)
		var want, got []string
		for h := range model {
			if strings.HasPrefix(h, "failure(") {
				want = append(want, h)
			}
		}
		compiled := datalog.CompileWith(p, o, builtins)
		for _, r := range compiled.Rules() {
			if r.Reason != nil {
				t.Skip(r.Reason)
			}
		}
		pr := &inference.Prover{Program: p, Index: x, Proofs: true, Compiled: compiled, Builtins: builtins}
		err = pr.Failures(context.Background(), func(c inference.Conclusion) bool {
			h := c.Proof.Goal.String()
			if !slices.Contains(got, h) {
				got = append(got, h)
			}
			var walk func(n *inference.Node, above []string)
			walk = func(n *inference.Node, above []string) {
				goal := n.Goal.String()
				if n.Fact >= 0 && !model[goal] || n.Clause != nil && slices.Contains(above, goal) {
					t.Fatalf("%s does not hold, or rests on itself", goal)
				}
				for _, c := range n.Children {
					walk(c, append(slices.Clone(above), goal))
				}
			}
			walk(c.Proof, nil)
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		var orders [2][]string
		for i, with := range []*datalog.Program{nil, compiled} {
			one := &inference.Prover{Program: p, Index: x, Compiled: with, Builtins: builtins, Limit: 20_000}
			err = one.Failures(context.Background(), func(c inference.Conclusion) bool {
				orders[i] = append(orders[i], fmt.Sprint(c.Clause.Pos, c.Class, c.Step, c.Cause, c.Objects))
				return true
			})
			if err != nil {
				break // the interpreter does not end
			}
		}
		if diff := cmp.Diff(orders[0], orders[1]); err == nil && diff != "" {
			t.Fatalf("(-interpreted +compiled):\n%s", diff)
		}
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-model +concluded):\n%s", diff)
		}
		concluded += len(got)
	})
	if concluded == 0 {
		t.Error("nothing was concluded")
	}
}
