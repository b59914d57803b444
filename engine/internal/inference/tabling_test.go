package inference_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/engine/enginetest"
	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/engine/internal/inference"
	"github.com/mishap-robotics/mishap/engine/internal/inference/datalog"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// compiled is a prover of a program over facts, which it interprets where that is
// asked for.
func compiled(t testing.TB, text, facts string, interpret bool) *inference.Prover {
	t.Helper()
	goals, err := rules.ParseGoal(facts)
	if err != nil {
		t.Fatal(err)
	}
	x, err := fact.Given(ontology.Default(), goals)
	if err != nil {
		t.Fatal(err)
	}
	p := &inference.Prover{Program: program(t, text), Index: x, Proofs: true}
	if !interpret {
		p.Compiled = datalog.Compile(p.Program, ontology.Default())
	}
	return p
}

// A chain of places, with a circle in it: the interpreter runs in it without end,
// the compiled rule does not.
func TestRecursionEnds(t *testing.T) {
	const above = `
failure('DirtyObjFailure', S, S, [X]) :- step(S), rests(S, X, 'Floor-1').
rests(S, X, Y) :- seen_at(S, X, Y).
rests(S, X, Z) :- rests(S, X, Y), seen_at(S, Y, Z).`
	facts := "step(1), seen_at(1, a, b), seen_at(1, b, c), seen_at(1, c, a), seen_at(1, c, 'Floor-1')"
	got, err := enginetest.Conclusions(compiled(t, above, facts, false), nil)
	if err != nil || len(got) != 3 {
		t.Fatalf("%d conclusions, %v; expected one for each of a, b and c:\n%s", len(got), err, strings.Join(got, "\n"))
	}
	want := `t.pl:2:1 DirtyObjFailure 1 1 [a]
S=1 X=a
failure('DirtyObjFailure', 1, 1, [a]) by t.pl:2:1
  step(1) fact [1]
  rests(1, a, 'Floor-1') by t.pl:4:1
    rests(1, a, c) by t.pl:4:1
      rests(1, a, b) by t.pl:3:1
        seen_at(1, a, b) fact ROW
      seen_at(1, b, c) fact ROW
    seen_at(1, c, 'Floor-1') fact ROW
`
	for _, g := range got {
		if strings.Contains(g, "[a]") {
			for _, line := range strings.Split(g, "\n") {
				if _, row, ok := strings.Cut(line, "fact [1 "); ok {
					g = strings.Replace(g, "[1 "+row, "ROW", 1)
				}
			}
			if diff := cmp.Diff(want, g); diff != "" {
				t.Errorf("proof (-want +got):\n%s", diff)
			}
		}
	}
	p := compiled(t, above, facts, true)
	p.Limit = 50_000
	var limit *inference.LimitError
	if _, err := enginetest.Conclusions(p, nil); !errors.As(err, &limit) {
		t.Errorf("interpreted: %v; expected it not to end", err)
	}
}

// Conditions of recursive clauses are counted, and what kept them from holding is
// told.
func TestRecursionIsExplained(t *testing.T) {
	const above = `
failure('DirtyObjFailure', S, S, [X]) :- step(S), target(S, X), rests(S, X, 'Floor-1').
rests(S, X, Y) :- seen_at(S, X, Y).
rests(S, X, Z) :- seen_at(S, X, Y), rests(S, Y, Z).`
	facts := "step(1), target(1, a), seen_at(1, a, b), seen_at(1, b, c)"
	var counts [2]string
	for i, interpret := range []bool{true, false} {
		p := compiled(t, above, facts, interpret)
		p.Cover = inference.NewCoverage()
		if err := p.Failures(context.Background(), func(inference.Conclusion) bool { return true }); err != nil {
			t.Fatal(err)
		}
		counts[i] = enginetest.Covered(p.Program, p.Cover)
	}
	if diff := cmp.Diff(counts[0], counts[1]); diff != "" {
		t.Errorf("coverage (-interpreted +compiled):\n%s", diff)
	}
	want := ` t.pl:2:1 failure('DirtyObjFailure', 1, 1, [X]) held [step(1) target(1, a)] failed rests(1, a, 'Floor-1') nearest []
   t.pl:3:1 rests(1, a, 'Floor-1') held [] failed seen_at(1, a, 'Floor-1') nearest [seen_at(1, a, b)]
   t.pl:4:1 rests(1, a, 'Floor-1') held [seen_at(1, a, b)] failed rests(1, b, 'Floor-1') nearest []
     t.pl:3:1 rests(1, b, 'Floor-1') held [] failed seen_at(1, b, 'Floor-1') nearest [seen_at(1, b, c)]
     t.pl:4:1 rests(1, b, 'Floor-1') held [seen_at(1, b, c)] failed rests(1, c, 'Floor-1') nearest []
       t.pl:3:1 rests(1, c, 'Floor-1') held [] failed seen_at(1, c, 'Floor-1') nearest [seen_at(1, a, b) seen_at(1, b, c)]
       t.pl:4:1 rests(1, c, 'Floor-1') held [] failed seen_at(1, c, Y) nearest [seen_at(1, a, b) seen_at(1, b, c)]
`
	got, err := enginetest.WhyNot(compiled(t, above, facts, false), "DirtyObjFailure", 1)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("why not (-want +got):\n%s", diff)
	}
}

// A rule that explodes stops at its limit and is named; the others conclude.
func TestExplosionStops(t *testing.T) {
	var facts []string
	for i := range 60 {
		facts = append(facts, "seen(1, o"+strings.Repeat("x", i)+")")
	}
	p := compiled(t, `
failure('DirtyObjFailure', 1, 1, [A]) :- seen(_, A), seen(_, B), seen(_, C), seen(_, D), seen(_, E), A @< B, B @< C, C @< D, D @< E, E == A.
failure('DirtyObjFailure', 1, 1, [A]) :- seen(1, A), \+ seen(1, zzz).`, strings.Join(facts, ", "), false)
	p.Limit = 100_000
	got, err := enginetest.Conclusions(p, nil)
	var limit *inference.LimitError
	if !errors.As(err, &limit) || limit.Clause.Pos.Line != 2 {
		t.Errorf("error %v; expected a limit at t.pl:2", err)
	}
	if len(got) != 60 {
		t.Errorf("%d conclusions of the other rule, want 60", len(got))
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p.Limit = 0
	err = p.Prove(ctx, p.Program.Clauses[0], 1, func(inference.Conclusion) bool { return true })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v; expected it to be cancelled", err)
	}
}

// Asking every shipped rule about a step at which nothing is wrong allocates
// nothing, once every rule has run.
func TestEvaluationIsSteady(t *testing.T) {
	x := index(t, script)
	e := datalog.Compile(rules.Default(), ontology.Default())
	ev := e.Evaluator(x)
	step := int32(1)
	ask := func() {
		ev.Use(x)
		for _, r := range e.Rules() {
			if found, err := ev.Conclude(context.Background(), r, &step, datalog.Limits{Steps: inference.DefaultLimit, Bytes: inference.DefaultBytes}, false); len(found) > 0 || err != nil {
				t.Fatal(found, err)
			}
		}
	}
	ask()
	if n := testing.AllocsPerRun(100, ask); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// What cannot be compiled is said with its place.
func TestReasons(t *testing.T) {
	many := strings.TrimSuffix(strings.Repeat("a, ", 40), ", ")
	for text, want := range map[string]string{
		"failure('DirtyObjFailure', S, S, [" + many + "]) :- step(S).":                                                                               "it concludes more than 29 objects",
		"failure('DirtyObjFailure', S, T, [O]) :- target(S, O), once(h(S, O, T)).\nh(S, O, S) :- seen(S, O).\nh(S, O, T) :- prev(S, P), h(P, O, T).": "it asks for the first answer of a predicate that calls itself",
		"failure('DirtyObjFailure', S, S, [O]) :- target(S, O), !.":                                                                                  "it cuts",
		"failure('DirtyObjFailure', S, S, L) :- findall(O, target(S, O), L).":                                                                        "the list of objects is put together when it runs",
		"failure('DirtyObjFailure', S, S, [O]) :- target(S, O), findall(X, seen(S, X), L), L \\== [].":                                               "findall/3 works on lists",
		"failure(C, S, S, []) :- seen(S, C).":                                                                                                        "the class it concludes is known only when it runs",
		"failure('DirtyObjFailure', S, S, []) :- step(S), var(X), X = S.":                                                                            "var(X) asks whether a variable has a value",
		"failure('DirtyObjFailure', S, S, []) :- step(S), X = f(S), X == X.":                                                                         "f(S) is a structure",
		"failure('DirtyObjFailure', S, S, [O]) :- target(S, O), (fails(O, X) ; seen(S, X)).\nfails(a, 1).":                                           "a variable is a number in one branch and a name in another",
		"failure('DirtyObjFailure', S, S, []) :- step(S), odd(S).\nodd(S) :- (step(S), odd(S) ; S == 1).":                                            "it calls itself within",
		"failure('DirtyObjFailure', S, S, []) :- p0(S).\n" + chain(20) + "p20(S) :- step(S) ; S == 1.\n":                                             "it is too large with the helper predicates that it calls written out",
		"failure('DirtyObjFailure', S, S, []) :- step(S), either(S, X), X == 1.\neither(S, S).\neither(_, X) :- seen(_, X).":                         "a variable is a number in one branch and a name in another",
	} {
		p := program(t, text)
		r := datalog.Compile(p, ontology.Default()).Rules()[0]
		if r.Reason == nil || !strings.Contains(r.Reason.Error(), want) || !strings.HasPrefix(r.Reason.Error(), "t.pl:") {
			t.Errorf("%s\nreason %v, want it to say %q", text, r.Reason, want)
		}
	}
}

// A rule that stops at its limit leaves no half-filled table to the next.
func TestLimitLeavesNoHalfTable(t *testing.T) {
	var facts []string
	for i := range 60 {
		facts = append(facts, fmt.Sprintf("seen_at(1, o%d, o%d)", i, i+1))
	}
	p := compiled(t, `
failure('DirtyObjFailure', 1, 1, [X]) :- rests(o0, X).
rests(X, Y) :- seen_at(1, X, Y).
rests(X, Z) :- rests(X, Y), seen_at(1, Y, Z).`, strings.Join(facts, ", "), false)
	p.Open()
	defer p.Close()
	for _, limit := range []int{5, 20, 60, 100, 0} {
		p.Limit = limit
		n := 0
		err := p.Conclusions(context.Background(), p.Program.Clauses[0], func(inference.Conclusion) bool { n++; return true })
		if (err == nil) != (n == 60) || limit == 0 && err != nil {
			t.Errorf("limit %d: %d conclusions, %v; expected all 60, or the limit and none", limit, n, err)
		}
	}
}

// Comparisons with the largest and the smallest numbers hold as they should.
func TestExtremeLimits(t *testing.T) {
	const rule = "failure('DirtyObjFailure', S, S, [O]) :- target(S, O), seen(T, O), "
	for goal, want := range map[string]int{
		"T > 9223372036854775807":         0,
		"T < -9223372036854775808":        0,
		"9223372036854775807 < T":         0,
		"T =< 9223372036854775807":        1,
		"T >= -9223372036854775808":       1,
		"T > 2147483647":                  0,
		"T < -2147483648":                 0,
		"X is 9223372036854775807, T > X": 0,
	} {
		for _, interpret := range []bool{false, true} {
			got, err := enginetest.Conclusions(compiled(t, rule+goal+".", "target(1, a), seen(2, a)", interpret), nil)
			if err != nil || len(got) != want {
				t.Errorf("%s: %d conclusions, %v; want %d (interpreted: %v)", goal, len(got), err, want, interpret)
			}
		}
	}
}

// chain is n predicates that each call the next twice.
func chain(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "p%d(S) :- p%d(S), p%d(S).\n", i, i+1, i+1)
	}
	return b.String()
}

// A rule that concludes without end, of what there is, stops before it has filled
// the memory.
func TestManyConclusionsStop(t *testing.T) {
	var facts []string
	for i := range 150 {
		facts = append(facts, fmt.Sprintf("seen(1, o%d)", i))
	}
	p := compiled(t, "failure('DirtyObjFailure', S, S, [A, B, C]) :- seen(S, A), seen(S, B), seen(S, C).", strings.Join(facts, ", "), false)
	p.Proofs, p.Bytes = false, 20<<20
	n := 0
	err := p.Failures(context.Background(), func(inference.Conclusion) bool { n++; return true })
	var limit *inference.LimitError
	if !errors.As(err, &limit) || n > 0 {
		t.Errorf("%v and %d conclusions; expected a limit and, of a rule that did not end, none", err, n)
	}
}

// A recursive predicate is asked only what Prolog would ask it: the guards before
// the recursive goals come first.
func TestRecursionAsksAsPrologDoes(t *testing.T) {
	p := compiled(t, `
failure('DirtyObjFailure', S, S, [O]) :- target(S, O), fib(12, F), F =:= 144.
fib(0, 0).
fib(1, 1).
fib(N, F) :- between(2, 20, N), A is N - 1, B is N - 2, fib(A, X), fib(B, Y), F is X + Y.`, "target(1, a)", false)
	p.Limit = 5000
	got, err := enginetest.Conclusions(p, nil)
	if err != nil || len(got) != 1 {
		t.Errorf("%q, %v; expected one conclusion, with its proof", got, err)
	}
}

// Recursion without end stops at its limit, whether what is asked or what is
// answered grows, and is named.
func TestEndlessRecursionStops(t *testing.T) {
	for _, clause := range []string{
		"up(0).\nup(N) :- up(M), N is M + 1.",
		"up(N) :- M is N - 1, up(M).",
		"up(0).\nup(N) :- M is N - 1, up(M), up(N).",
	} {
		p := compiled(t, "failure('DirtyObjFailure', S, S, [O]) :- target(S, O), up(-1).\n"+clause, "target(1, a)", false)
		p.Bytes = 50 << 20
		_, err := enginetest.Conclusions(p, nil)
		var limit *inference.LimitError
		if !errors.As(err, &limit) || limit.Clause.Pos.Line != 1 {
			t.Errorf("%s: error %v; expected the limit of the rule on line 1", clause, err)
		}
	}
}

// What rests on a fact of a step that a host gave may change with later steps; what rests
// on other answers of a host does not. Answers that differ in two places are told apart.
func TestBuiltinsAndLaterSteps(t *testing.T) {
	builtins := hostBuiltins()
	for text, later := range map[string]bool{
		"failure('DirtyObjFailure', S, S, [O]) :- target(S, O), even(S), near(O, P), seen(S, P).": false,
		"failure('DirtyObjFailure', S, S, [O]) :- target(S, O), next(S, T), T > 0.":               false,
		"failure('DirtyObjFailure', S, S, [O]) :- target(S, O), next(S, T), seen(T, O).":          true,
		"failure('DirtyObjFailure', S, S, [O]) :- target(S, O), upto(S, S), seen(S, O).":          false,
	} {
		r := datalog.CompileWith(program(t, text), ontology.Default(), builtins).Rules()[0]
		if r.Reason != nil || r.DependsOnLater() != later {
			t.Errorf("%s: depends on later steps: %v, want %v; reason %v", text, r.DependsOnLater(), later, r.Reason)
		}
	}
}

// How clauses with a host's predicates are evaluated, and why some are interpreted.
func TestPlansWithBuiltins(t *testing.T) {
	builtins := hostBuiltins()
	anything := &datalog.Builtin{Name: "anything", Out: []rules.ArgKind{rules.AnyArg}}
	builtins[anything.Indicator()] = anything
	for text, want := range map[string]string{
		"failure('DirtyObjFailure', S, S, [O]) :- target(S, O), near(O, P), seen(S, P).":      "near(O, P)                               in Go; about 4",
		"failure('DirtyObjFailure', S, S, [O]) :- target(S, O), paired(O, S, P), P @> 'Mug'.": "paired(O, S, P)                          in Go; about 1",
		"failure('DirtyObjFailure', S, S, [O]) :- target(S, O), anything(X), X \\== O.":       "t.pl:1:56: whether anything/1 gives numbers, names or lists is known only when it runs",
		"failure('DirtyObjFailure', S, S, [O]) :- target(S, O), even(O).":                     "t.pl:1:61: O is a name where even/1 takes a number",
		"failure('DirtyObjFailure', S, S, [O]) :- near(O, P), target(S, O), P \\== O.":        "t.pl:1:47: O has no value where near/2 needs one",
	} {
		plan := datalog.CompileWith(program(t, text), ontology.Default(), builtins).Plans()[0]
		if got := plan.Reason + strings.Join(plan.Lines, "\n"); !strings.Contains(got, want) {
			t.Errorf("%s:\n%s\nwant %s", text, got, want)
		}
	}
}

// A recursive predicate may rest on what a host answers, before and after it calls itself.
func TestRecursionThroughBuiltins(t *testing.T) {
	const text = `
failure('DirtyObjFailure', S, T, [O]) :- target(S, O), reaches(S, T), even(T).
reaches(A, B) :- next(A, B).
reaches(A, C) :- upto(A, B), B > 0, reaches(B, C), even(C).`
	for _, interpret := range []bool{false, true} {
		p := compiled(t, text, "target(4, a), target(3, b)", true)
		p.Builtins = hostBuiltins()
		if !interpret {
			p.Compiled = datalog.CompileWith(p.Program, ontology.Default(), p.Builtins)
			if r := p.Compiled.Rules()[0]; r.Reason != nil {
				t.Fatal(r.Reason)
			}
		}
		all, err := enginetest.Conclusions(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		inGo := 0
		for _, c := range all {
			head, _, _ := strings.Cut(c, "\n")
			got = append(got, head)
			inGo += strings.Count(c, " in Go\n")
		}
		want := []string{"t.pl:2:1 DirtyObjFailure 3 2 [b]", "t.pl:2:1 DirtyObjFailure 4 2 [a]"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("interpreted %v (-want +got):\n%s", interpret, diff)
		}
		if inGo < 4 {
			t.Errorf("interpreted %v: %d goals were answered in Go", interpret, inGo)
		}
	}
}
