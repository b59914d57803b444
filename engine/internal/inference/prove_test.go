package inference_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/engine/enginetest"
	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/episodetest"
	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/engine/internal/inference"
	"github.com/mishap-robotics/mishap/engine/internal/inference/datalog"
	"github.com/mishap-robotics/mishap/engine/internal/planfault"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/rules"
)

const script = `
	task: make coffee
	person: Tim, child
	0 | Mug-1 on_top_of CounterTop-1, Mug-1 dirty, Mug-1 empty, CoffeeMachine-1 off, Cup-1 inside CoffeeMachine-1
	1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1
	2 (navigate_to_obj, Sink-1) | Sink-1 | something breaks
	3 (put_in, Mug-1, Sink-1) | Sink-1
	4 (pick_up, Mug-1) | Mug-1 on_top_of Floor-1, Mug-1 broken
	5 (toggle_on, Faucet-1) | Faucet-1 on
	6 (put_in, Mug-1, CoffeeMachine-1) | Cup-1 inside CoffeeMachine-1`

func index(t testing.TB, text string) *fact.Index {
	o := ontology.Default()
	trace := belief.Follow(o, episodetest.Parse(t, o, text))
	x := fact.Build(trace, nil)
	x.AddFaults(planfault.Find(trace)...)
	return x
}

func program(t testing.TB, text string) *rules.Program {
	p, err := rules.Load([]document.Document{{Name: "t.pl", Data: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func conclusions(t testing.TB, p *rules.Program, x *fact.Index) (ours, prologs []string) {
	pr := &inference.Prover{Program: p, Index: x}
	if err := pr.Failures(context.Background(), func(c inference.Conclusion) bool {
		ours = append(ours, fmt.Sprint(c.Clause.Pos, c.Class, c.Step, c.Cause, c.Objects))
		return true
	}); err != nil {
		t.Fatal(err)
	}
	all, err := interpret(p).Failures(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		prologs = append(prologs, fmt.Sprint(c.Clause.Pos, c.Class, c.Step, c.Cause, c.Objects))
	}
	return ours, prologs
}

func TestProofsAgreeWithTheInterpreter(t *testing.T) {
	x := index(t, script)
	ours, prologs := conclusions(t, rules.Default(), x)
	if len(ours) < 4 {
		t.Errorf("%d conclusions, want several", len(ours))
	}
	if diff := cmp.Diff(prologs, ours); diff != "" {
		t.Errorf("the interpreter and the proofs differ (-interpreter +proofs):\n%s", diff)
	}
}

// Each body is the body of a rule that concludes its X.
func TestControl(t *testing.T) {
	x := index(t, script)
	for _, body := range []string{
		"step(X)", "member(X, [3, 1, 3])", "between(2, 4, X)", "X is 2 + 3 * 4 - 7 // 2 + -5 mod 3",
		"(X = 1 ; X = 2)", "(step(9) -> X = 1 ; X = 2)", "(step(1) -> X = 1 ; X = 2)", "step(X), !", "(step(X), X > 2, ! ; X = 9)",
		"once(step(X))", "step(X), \\+ heard(X, _)", "forall(step(S), S > 0), X = 1", "forall(step(S), S > 1), X = 1",
		"findall(S, step(S), L), length(L, X)", "findall(O, target(_, O), L), sort(L, M), length(M, X)",
		"append([1, 2], [3], L), member(X, L)", "append(_, [X], [1, 2, 3])", "append(A, _, [1, 2]), length(A, X)",
		"X = 1, X == 1", "X = 1, X \\== 2, X \\= 3, X @< 2", "X = 1, integer(X), nonvar(X), \\+ atom(X)", "var(Y), Y = 1, X = Y",
		"first(X)", "even(X)", "twice(X)", "step(X), X =:= 2 + 1", "step(X), X =< 2, X >= 2", "fail, X = 1", "true, X = 4",
		"step(X), \\+ \\+ X = 2", "sort([3, 1, 2, 1], [X|_])",
	} {
		p := program(t, "failure('DirtyObjFailure', X, X, []) :- "+body+`.
			first(S) :- step(S), !.
			first(7).
			even(0).
			even(N) :- step(N), M is N - 2, M >= 0, even(M).
			twice(N) :- (even(N) ; member(N, [2, 11])).`)
		ours, prologs := conclusions(t, p, x)
		if diff := cmp.Diff(prologs, ours); diff != "" {
			t.Errorf("%s (-interpreter +proofs):\n%s", body, diff)
		}
	}
}

// What keeps a rule from concluding is told alike, compiled and interpreted, where what is negated
// asks a helper predicate for a value and tests it.
func TestWhyNotWithinNegation(t *testing.T) {
	x := index(t, script)
	for _, body := range []string{
		`\+ (step(T), \+ (named(S, V), V == V))`,
		`\+ (step(T), named(T, V), V == tall)`,
		`\+ (named(S, V), \+ V == tall)`,
		`\+ (step(T), T > 2, \+ (never(T, V), V == V))`,
	} {
		p := program(t, "failure('DirtyObjFailure', S, S, []) :- step(S), "+body+`.
			named(2, tall).
			named(3, small).
			never(N, tall) :- step(N), N < N.`)
		c := datalog.Compile(p, x.Trace.Objects.Onto)
		for _, r := range c.Rules() {
			if r.Reason != nil {
				t.Fatalf("%s: %v", body, r.Reason)
			}
		}
		for step := range int32(5) {
			var told [2]string
			for i, compiled := range []*datalog.Program{nil, c} {
				var err error
				if told[i], err = enginetest.WhyNot(&inference.Prover{Program: p, Index: x, Compiled: compiled}, "DirtyObjFailure", step); err != nil {
					t.Fatalf("%s at %d: %v", body, step, err)
				}
			}
			if diff := cmp.Diff(told[0], told[1]); diff != "" {
				t.Errorf("%s at %d (-interpreted +compiled):\n%s", body, step, diff)
			}
		}
	}
}

func TestProof(t *testing.T) {
	x := index(t, script)
	p := program(t, `failure('DirtyObjFailure', S, S, [O]) :- used(S, O), \+ heard(S, _), S > 1.
used(S, O) :- target(S, O), isa(O, 'Mug').`)
	pr := &inference.Prover{Program: p, Index: x, Proofs: true}
	var got []string
	var walk func(n *inference.Node, depth int)
	walk = func(n *inference.Node, depth int) {
		line := fmt.Sprintf("%*s%s", depth*2, "", n.Goal)
		if n.Clause != nil {
			line += " by " + n.Clause.Pos.String()
		}
		if n.Fact >= 0 {
			line += " fact"
		}
		got = append(got, line)
		for _, c := range n.Children {
			walk(c, depth+1)
		}
	}
	if err := pr.Failures(context.Background(), func(c inference.Conclusion) bool { walk(c.Proof, 0); return false }); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"failure('DirtyObjFailure', 3, 3, ['Mug-1']) by t.pl:1:1",
		"  used(3, 'Mug-1') by t.pl:2:1",
		"    target(3, 'Mug-1') fact",
		"    isa('Mug-1', 'Mug') fact",
		"  \\+ heard(3, _G1)",
		"  3 > 1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("proof (-want +got):\n%s", diff)
	}
}

func TestLimits(t *testing.T) {
	x := index(t, script)
	p := program(t, "failure('DirtyObjFailure', S, S, []) :- loop(S).\nloop(S) :- loop(S).")
	pr := &inference.Prover{Program: p, Index: x, Limit: 10_000}
	if err := pr.Failures(context.Background(), func(inference.Conclusion) bool { return true }); !errors.Is(err, inference.ErrLimit) {
		t.Errorf("error %v, want the limit", err)
	}
	for name, text := range map[string]string{
		"endless recursion": "failure('DirtyObjFailure', S, S, []) :- loop(S).\nloop(S) :- loop(S).",
		"endless building":  "failure('DirtyObjFailure', S, S, []) :- step(S), findall(X, between(1, 1000000000, X), L), length(L, 3).",
		"endless search":    "failure('DirtyObjFailure', S, S, []) :- between(1, 1000000000, S), S < 0.",
		"growing terms":     "failure('DirtyObjFailure', S, S, []) :- step(S), grow([]).\ngrow(L) :- grow([a, b, c, d | L]).",
	} {
		err := (&inference.Prover{Program: program(t, text), Index: x, Limit: 300_000, Bytes: 8 << 20}).Failures(context.Background(), func(inference.Conclusion) bool { return true })
		if !errors.Is(err, inference.ErrLimit) || !strings.HasPrefix(err.Error(), "t.pl:1: ") {
			t.Errorf("%s: error %v, want the limit at t.pl:1", name, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := (&inference.Prover{Program: p, Index: x}).Failures(ctx, func(inference.Conclusion) bool { return true }); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the context's", err)
	}
}

func TestCoverage(t *testing.T) {
	x := index(t, script)
	p := program(t, `failure('DirtyObjFailure', S, S, []) :- step(S), heard(S, 'EggDropped'), S > 0.
failure('DirtyObjFailure', S, S, []) :- step(S), S > 5.`)
	pr := &inference.Prover{Program: p, Index: x, Cover: inference.NewCoverage()}
	if err := pr.Failures(context.Background(), func(inference.Conclusion) bool { return true }); err != nil {
		t.Fatal(err)
	}
	a, b := pr.Cover.Of(p.Clauses[0]), pr.Cover.Of(p.Clauses[1])
	if a.Concluded != 0 || a.Held[0] != 6 || a.Failed[1] != 6 || a.Tried[2] != 0 {
		t.Errorf("first clause: %+v", a)
	}
	if b.Concluded != 1 || b.Held[1] != 1 || b.Failed[1] != 5 {
		t.Errorf("second clause: %+v", b)
	}
}

// BenchmarkFailures asks all rules about an episode, compiled and interpreted;
// BenchmarkInterpreter does so with a Prolog written in Go.
func BenchmarkFailures(b *testing.B) {
	x := index(b, script)
	for name, compiled := range map[string]*datalog.Program{"interpreted": nil, "compiled": datalog.Compile(rules.Default(), ontology.Default())} {
		for _, proofs := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/proofs=%v", name, proofs), func(b *testing.B) {
				pr := &inference.Prover{Program: rules.Default(), Index: x, Proofs: proofs, Compiled: compiled}
				b.ReportAllocs()
				for b.Loop() {
					if err := pr.Failures(context.Background(), func(inference.Conclusion) bool { return true }); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func TestNoProofsUnasked(t *testing.T) {
	pr := &inference.Prover{Program: rules.Default(), Index: index(t, script)}
	n := 0
	err := pr.Failures(context.Background(), func(c inference.Conclusion) bool {
		n++
		if c.Proof != nil {
			t.Errorf("%s has a proof that nobody asked for", c.Class)
		}
		return true
	})
	if err != nil || n == 0 {
		t.Fatal(n, err)
	}
}

func BenchmarkInterpreter(b *testing.B) {
	x := index(b, script)
	r := interpret(rules.Default())
	for b.Loop() {
		if _, err := r.Failures(context.Background(), x); err != nil {
			b.Fatal(err)
		}
	}
}
