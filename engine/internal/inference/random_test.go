package inference_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/engine/enginetest"
	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/engine/internal/inference"
	"github.com/mishap-robotics/mishap/engine/internal/inference/datalog"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/rules"
)

// column is the sort of an argument: n for a whole number, d for a decimal, s for a name.
type predicateOf struct {
	name    string
	columns string
	in      int // columns from the first that must have values
}

var drawnFacts = []predicateOf{
	{"step", "n", 0}, {"prev", "nn", 0}, {"target", "ns", 0}, {"seen", "ns", 0}, {"seen_at", "nss", 0}, {"state", "nss", 0}, {"heard", "ns", 0},
	{"observed", "n", 0}, {"wanted", "ss", 0}, {"isa", "ss", 0}, {"deviates", "nsn", 0}, {"mend_window", "nnn", 0}, {"end", "n", 0},
	{"value", "nssd", 0}, {"seen_value", "nssd", 0},
}

// drawnBuiltins are predicates that a host gives: a test, functions, relations, of which
// one gives names that nothing else has.
var drawnBuiltins = []predicateOf{{"even", "n", 1}, {"next", "nn", 1}, {"paired", "sns", 2}, {"near", "ss", 1}, {"upto", "nn", 1}, {"some", "s", 0}, {"halved", "dd", 1}}

func hostBuiltins() datalog.Builtins {
	num := func(n int64) *rules.Term { return &rules.Term{Kind: rules.Integer, Int: n} }
	name := func(s string) *rules.Term { return &rules.Term{Kind: rules.Atom, Name: s} }
	type terms = []*rules.Term
	answers := map[string]func(in terms, visit func(terms) bool){
		"even": func(in terms, visit func(terms) bool) {
			if in[0].Int%2 == 0 {
				visit(nil)
			}
		},
		"next": func(in terms, visit func(terms) bool) {
			if in[0].Int != 3 {
				visit(terms{num(in[0].Int + 1)})
			}
		},
		"paired": func(in terms, visit func(terms) bool) {
			if in[1].Int < 4 {
				visit(terms{name(in[0].Name + fmt.Sprint(in[1].Int))})
			}
		},
		"near": func(in terms, visit func(terms) bool) {
			for _, other := range []string{"c", "new", in[0].Name, "a", "c", "Mug"} {
				if !visit(terms{name(other)}) {
					return
				}
			}
		},
		"upto": func(in terms, visit func(terms) bool) {
			for n := int64(0); n < in[0].Int && visit(terms{num(n)}); n++ {
			}
		},
		"halved": func(in terms, visit func(terms) bool) {
			if d, _ := in[0].Number(); d == 0 {
				visit(terms{num(0)})
			} else {
				visit(terms{rules.Number(d / 2)})
			}
		},
		"some": func(_ terms, visit func(terms) bool) { _ = visit(terms{name("b")}) && visit(terms{name("none")}) },
	}
	out := datalog.Builtins{}
	for _, p := range drawnBuiltins {
		b := &datalog.Builtin{Name: p.name, Deterministic: p.name == "next" || p.name == "paired",
			Answers: func(_ context.Context, in []*rules.Term, visit func([]*rules.Term) bool) error {
				answers[p.name](in, visit)
				return nil
			}}
		for i, c := range p.columns {
			kind := map[rune]rules.ArgKind{'n': rules.NumberArg, 's': rules.ObjectArg, 'd': rules.ValueArg}[c]
			if i < p.in {
				b.In = append(b.In, kind)
			} else {
				b.Out = append(b.Out, kind)
			}
		}
		out[b.Indicator()] = b
	}
	return out
}

var drawnNames = []string{"a", "b", "c", "none", "dirty", "'Mug'"}

// drawing makes a random program whose variables have values where they need
// one.
type drawing struct {
	t        *rapid.T
	helpers  []predicateOf
	builtins bool // of a host
	fresh    int
}

func (d *drawing) pick(n int, what string) int { return rapid.IntRange(0, n-1).Draw(d.t, what) }

func (d *drawing) constant(column byte) string {
	switch column {
	case 'n':
		return fmt.Sprint(d.pick(6, "number"))
	case 'd':
		return []string{"0", "2", "1.0", "2.5", "-0.25", "3.0"}[d.pick(6, "decimal")]
	}
	return drawnNames[d.pick(len(drawnNames), "name")]
}

// argument is a bound variable, a new one, a constant or anything.
func (d *drawing) argument(column byte, have map[byte][]string, add bool) (text string, made string) {
	switch n := d.pick(10, "argument"); {
	case n < 5 && len(have[column]) > 0:
		return have[column][d.pick(len(have[column]), "variable")], ""
	case n < 8 && add:
		d.fresh++
		v := fmt.Sprintf("V%d", d.fresh)
		return v, v
	case n < 9 && len(have[column]) > 0:
		return have[column][0], ""
	case n < 9:
		return d.constant(column), ""
	}
	return "_", ""
}

func (d *drawing) atom(p predicateOf, have map[byte][]string, add bool) string {
	var args []string
	made := map[byte][]string{}
	for i := range len(p.columns) {
		if i < p.in {
			args = append(args, d.input(p.columns[i], have))
			continue
		}
		a, v := d.argument(p.columns[i], have, add)
		args = append(args, a)
		if v != "" {
			made[p.columns[i]] = append(made[p.columns[i]], v)
		}
	}
	for c, vs := range made {
		have[c] = append(have[c], vs...)
	}
	return p.name + "(" + strings.Join(args, ", ") + ")"
}

// input is a bound variable or a constant.
func (d *drawing) input(column byte, have map[byte][]string) string {
	if vs := have[column]; len(vs) > 0 && d.pick(5, "input") > 0 {
		return vs[d.pick(len(vs), "variable")]
	}
	return d.constant(column)
}

func (d *drawing) predicate() predicateOf {
	if d.builtins && d.pick(3, "builtin") == 0 {
		return drawnBuiltins[d.pick(len(drawnBuiltins), "which")]
	}
	if len(d.helpers) > 0 && d.pick(3, "helper") == 0 {
		return d.helpers[d.pick(len(d.helpers), "which")]
	}
	return drawnFacts[d.pick(len(drawnFacts), "fact")]
}

func clone(have map[byte][]string) map[byte][]string {
	return map[byte][]string{'n': slices.Clone(have['n']), 's': slices.Clone(have['s']), 'd': slices.Clone(have['d'])}
}

func (d *drawing) goal(have map[byte][]string, depth int) string {
	kind := d.pick(18, "goal")
	ns, ss, ds := have['n'], have['s'], have['d']
	some := func(vs []string) string { return vs[d.pick(len(vs), "some")] }
	switch {
	case kind == 0 && len(ns) > 0:
		return fmt.Sprintf("%s %s %s", some(ns), []string{"<", ">", "=<", ">=", "=:=", `=\=`, "==", `\==`}[d.pick(8, "op")], []string{some(ns), d.constant('n')}[d.pick(2, "side")])
	case kind == 1 && len(ss) > 0:
		return fmt.Sprintf("%s %s %s", some(ss), []string{"==", `\==`, `\=`, "@<", "@>=", "="}[d.pick(6, "op")], []string{some(ss), d.constant('s')}[d.pick(2, "side")])
	case kind == 2 && len(ns) > 0:
		d.fresh++
		v := fmt.Sprintf("V%d", d.fresh)
		text := fmt.Sprintf("%s is %s %s %s", v, some(ns), []string{"+", "-", "*"}[d.pick(3, "op")], d.constant('n'))
		have['n'] = append(have['n'], v)
		return text
	case kind == 16 && len(ds) > 0:
		return fmt.Sprintf("%s %s %s", some(ds), []string{"<", ">", "=<", ">=", "=:=", `=\=`, "==", `\==`, "@<", "="}[d.pick(10, "op")],
			[]string{some(ds), d.constant('d'), some(append(ns, d.constant('n')))}[d.pick(3, "side")])
	case kind == 17 && len(ds)+len(ns) > 0:
		d.fresh++
		v := fmt.Sprintf("V%d", d.fresh)
		text := fmt.Sprintf("%s is %s %s %s", v, some(append(slices.Clone(ns), ds...)), []string{"+", "-", "*", "/"}[d.pick(4, "op")], []string{"0.5", "2.0", "4"}[d.pick(3, "by")])
		have['d'] = append(have['d'], v)
		return text
	case kind <= 5:
		return `\+ ` + d.atom(d.predicate(), clone(have), false)
	case kind == 6 && depth < 2:
		inner := clone(have)
		return `\+ (` + d.atom(d.predicate(), inner, true) + ", " + d.goal(inner, depth+1) + ")"
	case kind == 13 && depth < 2 && len(d.helpers) > 0: // a helper predicate and what bounds its answers
		call := d.atom(d.helpers[d.pick(len(d.helpers), "which")], have, true)
		if ns := have['n']; len(ns) > 1 {
			return "(" + call + ", " + some(ns) + " < " + some(ns) + " ; " + call + ")"
		}
		return call
	case kind == 7 && depth < 2:
		return "(" + d.goal(clone(have), depth+1) + " ; " + d.goal(clone(have), depth+1) + ")"
	case kind == 8 && depth < 2:
		return "once(" + d.atom(d.predicate(), have, true) + ")"
	case kind == 9 && depth < 2:
		inner := clone(have)
		test := d.atom(d.predicate(), inner, true)
		return "(" + test + " -> " + d.goal(inner, depth+1) + " ; " + d.goal(clone(have), depth+1) + ")"
	case kind == 10:
		d.fresh++
		v := fmt.Sprintf("V%d", d.fresh)
		have['n'] = append(have['n'], v)
		return fmt.Sprintf("between(%s, %s, %s)", d.constant('n'), d.constant('n'), v)
	case kind == 11:
		d.fresh++
		v := fmt.Sprintf("V%d", d.fresh)
		have['s'] = append(have['s'], v)
		return fmt.Sprintf("member(%s, [%s, %s])", v, d.constant('s'), d.constant('s'))
	case kind == 12 && len(ss) > 0 && depth < 2:
		inner := clone(have)
		return "forall(" + d.atom(d.predicate(), inner, true) + ", " + d.goal(inner, depth+1) + ")"
	}
	return d.atom(d.predicate(), have, true)
}

// body draws goals that begin with a fact.
func (d *drawing) body(have map[byte][]string) string {
	goals := []string{d.atom(drawnFacts[d.pick(len(drawnFacts), "first")], have, true)}
	for range d.pick(5, "goals") {
		goals = append(goals, d.goal(have, 0))
	}
	return strings.Join(goals, ", ")
}

// head draws arguments from what is bound.
func (d *drawing) head(columns string, have map[byte][]string) []string {
	var out []string
	for i := range len(columns) {
		c := columns[i]
		if len(have[c]) > 0 && d.pick(5, "head") > 0 {
			out = append(out, have[c][d.pick(len(have[c]), "variable")])
		} else {
			out = append(out, d.constant(c))
		}
	}
	return out
}

func (d *drawing) program() string {
	var b strings.Builder
	for i := range d.pick(4, "helpers") {
		p := predicateOf{name: fmt.Sprintf("h%d", i), columns: []string{"n", "s", "ns", "nn", "ss", "nss", "d", "nsd"}[d.pick(8, "columns")]}
		for range 1 + d.pick(3, "clauses") {
			have := map[byte][]string{}
			body := d.body(have)
			fmt.Fprintf(&b, "%s(%s) :- %s.\n", p.name, strings.Join(d.head(p.columns, have), ", "), body)
		}
		d.helpers = append(d.helpers, p)
	}
	for range 1 + d.pick(3, "rules") {
		have := map[byte][]string{}
		body := d.body(have)
		steps := d.head("nn", have)
		fmt.Fprintf(&b, "failure('DirtyObjFailure', %s, %s, [%s]) :- %s.\n", steps[0], steps[1], strings.Join(d.head("ss"[:d.pick(3, "objects")], have), ", "), body)
	}
	return b.String()
}

func (d *drawing) facts() []*rules.Term {
	var out []*rules.Term
	for range 5 + d.pick(60, "facts") {
		p := drawnFacts[d.pick(len(drawnFacts), "fact")]
		var args []string
		for i := range len(p.columns) {
			args = append(args, d.constant(p.columns[i]))
		}
		goals, err := rules.ParseGoal(p.name + "(" + strings.Join(args, ", ") + ")")
		if err != nil {
			d.t.Fatal(err)
		}
		out = append(out, goals[0])
	}
	return out
}

// Random programs conclude the same compiled and interpreted, with the same
// proofs and in the same order, whatever the order of the facts, and reach the
// same conditions.
func TestCompiledAgreesOnRandomPrograms(t *testing.T) { agreesOnRandomPrograms(t, nil) }

// So they do where they ask predicates that a host gives in Go.
func TestCompiledAgreesWithBuiltins(t *testing.T) { agreesOnRandomPrograms(t, hostBuiltins()) }

func agreesOnRandomPrograms(t *testing.T, builtins datalog.Builtins) {
	o := ontology.Default()
	calls := 0
	for _, b := range builtins {
		answers := b.Answers
		b.Answers = func(ctx context.Context, in []*rules.Term, visit func([]*rules.Term) bool) error {
			calls++
			return answers(ctx, in, visit)
		}
	}
	compiledRules, interpreted := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		d := &drawing{t: t, builtins: builtins != nil}
		text := d.program()
		p, err := rules.Load([]document.Document{{Name: "t.pl", Data: []byte(text)}})
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		x, err := fact.Given(o, d.facts())
		if err != nil {
			t.Fatal(err)
		}
		c := datalog.CompileWith(p, o, builtins)
		for _, r := range c.Rules() {
			if r.Reason != nil {
				interpreted++
				t.Logf("interpreted: %v", r.Reason)
			} else {
				compiledRules++
			}
		}
		t.Logf("program:\n%s", text)
		ours := func(compiled *datalog.Program) *inference.Prover {
			return &inference.Prover{Program: p, Index: x, Proofs: true, Compiled: compiled, Builtins: builtins, Limit: 200_000}
		}
		for _, steps := range [][]int32{nil, {0, 1, 2, 3, 4, 5}} {
			want, wrong := enginetest.Conclusions(ours(nil), steps)
			if wrong != nil {
				return // the interpreter did not end
			}
			got, err := enginetest.Conclusions(ours(c), steps)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("(-interpreted +compiled):\n%s", diff)
			}
		}
		goal := d.body(map[byte][]string{})
		want, wrong := asked(t, ours(nil), goal)
		if wrong != nil {
			return
		}
		got, err := asked(t, ours(c), goal)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Fatalf("%s: %v (-interpreted +compiled):\n%s", goal, err, diff)
		}
		for _, step := range []int32{0, 3} {
			want, wrong := enginetest.WhyNot(ours(nil), "DirtyObjFailure", step)
			if wrong != nil {
				return
			}
			got, err := enginetest.WhyNot(ours(c), "DirtyObjFailure", step)
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Fatalf("why not at %d: %v (-interpreted +compiled):\n%s", step, err, diff)
			}
		}
		var covered [2]string
		for i, compiled := range []*datalog.Program{nil, c} {
			pr := ours(compiled)
			pr.Cover = inference.NewCoverage()
			if _, err := enginetest.Conclusions(pr, nil); err != nil {
				t.Fatal(err)
			}
			covered[i] = enginetest.Covered(p, pr.Cover)
		}
		if diff := cmp.Diff(covered[0], covered[1]); diff != "" {
			t.Fatalf("coverage (-interpreted +compiled):\n%s", diff)
		}
	})
	if builtins != nil && calls < 100 {
		t.Errorf("the host was asked %d times; expected many", calls)
	}
	if compiledRules < 5*interpreted {
		t.Errorf("%d rules compiled, %d not; expected most to be compiled", compiledRules, interpreted)
	}
}

// asked are the answers of a query, as text.
func asked(t *rapid.T, p *inference.Prover, goal string) ([]string, error) {
	goals, err := rules.ParseGoal(goal)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	err = p.Query(context.Background(), goals, func(names []string, values []*rules.Term) bool {
		text := ""
		for i, n := range names {
			if values[i].Kind != rules.Variable {
				text += n + "=" + values[i].String() + " "
			}
		}
		out = append(out, text)
		return true
	})
	return out, err
}
