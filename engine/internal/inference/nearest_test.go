package inference_test

import (
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

// Rules about the nearest step of its kind, before or after another, conclude the same
// compiled, where that step alone is looked at, as interpreted, and so do rules that only
// resemble them.
func TestOnlyTheNearestStep(t *testing.T) {
	concluded := 0
	rapid.Check(t, func(t *rapid.T) {
		some := func(what string, of ...string) string { return rapid.SampledFrom(of).Draw(t, what) }
		near := some("goal", "seen(S, O)", "seen(S, _)", "seen_at(S, O, X)", "seen_at(S, O, _)", "observed(S)", "seen_at(S, X, X)", "seen(S, a)")
		limit := some("limit", "S < T", "S =< T", "S > T", "T =< S", "S < T, S > 1", "S >= 1, T > S")
		like := some("like", "seen(U, O)", "seen(U, _)", "seen_at(U, O, X)", "seen_at(U, O, _)", "seen_at(U, X, O)", "observed(U)", "seen_at(U, V, V)", "seen(U, a)", "seen(U, V), isa(V, c)")
		if rapid.Bool().Draw(t, "alike") {
			like = strings.Replace(near, "(S", "(U", 1)
		}
		head := some("arguments", "S, T, O", "T, S, O")
		more := some("more", "", ", U < T", ", U =< T", ", T < U", ", U >= T", ", U < 4")
		object := "O"
		if strings.Contains(like, "X") {
			head, object = head+", X", "X"
			if !strings.Contains(near, "X") {
				near += ", target(_, X)"
			}
		}
		text := fmt.Sprintf("failure('DirtyObjFailure', %s, [%s]) :- target(T, O), %s, %s, \\+ nearer(%s)%s.\nnearer(%s) :- %s, %s%s.\n", some("head", "S, T", "T, S", "T, T"), object, near, limit, head,
			some("test", "", ", \\+ wanted(O, _)", ", state(T, O, dirty)"), head, like, some("side", "U > S", "S < U", "U < S", "U >= S"), more)
		p, err := rules.Load([]document.Document{{Name: "t.pl", Data: []byte(text)}})
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		var facts []string
		for range rapid.IntRange(5, 40).Draw(t, "facts") {
			facts = append(facts, fmt.Sprintf(some("fact", "seen(%d, %s)", "seen_at(%d, %s, a)", "seen_at(%d, %s, b)", "target(%d, %s)", "observed(%d)%.0s", "state(%d, %s, dirty)"),
				rapid.IntRange(0, 6).Draw(t, "step"), some("name", "a", "b")))
		}
		if rapid.Bool().Draw(t, "in order") {
			slices.SortFunc(facts, func(a, b string) int { return strings.Compare(a[strings.Index(a, "("):], b[strings.Index(b, "("):]) })
		}
		goals, err := rules.ParseGoal(strings.Join(append(facts, "wanted(b, dirty)"), ", "))
		if err != nil {
			t.Fatal(err)
		}
		x, err := fact.Given(ontology.Default(), goals)
		if err != nil {
			t.Fatal(err)
		}
		c := datalog.Compile(p, ontology.Default())
		for _, steps := range [][]int32{nil, {0, 1, 2, 3, 4, 5, 6}} {
			want, err := enginetest.Conclusions(&inference.Prover{Program: p, Index: x, Proofs: true}, steps)
			if err != nil {
				t.Fatal(err)
			}
			got, err := enginetest.Conclusions(&inference.Prover{Program: p, Index: x, Proofs: true, Compiled: c}, steps)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s%s\n%s\n(-interpreted +compiled):\n%s", text, strings.Join(facts, ", "), strings.Join(c.Plans()[0].Lines, "\n"), diff)
			}
			concluded += len(got)
		}
	})
	if concluded == 0 {
		t.Error("nothing was concluded in any draw")
	}
}

// Which goals are looked up at the nearest step alone.
func TestWhatIsNearest(t *testing.T) {
	for text, want := range map[string]string{
		"seen(S, O), S < T, \\+ between(S, T, O).\nbetween(S, T, O) :- seen(U, O), U > S, U < T.":             "last",
		"seen(S, O), T > S, \\+ between(S, T, O).\nbetween(S, T, O) :- seen(U, O), S < U, U =< T.":            "last",
		"seen(S, O), S > T, \\+ between(T, S, O).\nbetween(S, T, O) :- seen(U, O), U > S, U < T.":             "first",
		"seen(S, O), \\+ between(S, O).\nbetween(S, O) :- seen(U, O), U < S.":                                 "first",
		"seen_at(S, O, _), S < T, \\+ between(S, T, O).\nbetween(S, T, O) :- seen_at(U, O, _), U > S, U < T.": "last",
		"seen(S, O), S =< T, \\+ between(S, T, O).\nbetween(S, T, O) :- seen(U, O), U > S, U < T.":            "", // T itself
		"seen(S, O), S < T, \\+ between(S, T, O).\nbetween(S, T, O) :- seen(U, O), U >= S, U < T.":            "",
		"seen(S, O), S < T, \\+ between(S, T, O).\nbetween(S, T, O) :- seen(U, O), U > S, U < T, failed(U).":  "",
		"seen(S, P), S < T, P \\== O, \\+ between(S, T, P).\nbetween(S, T, P) :- seen(U, P), U > S, U < T.":   "",
		"seen(S, O), S < T, \\+ between(S, T, O).\nbetween(S, T, O) :- seen_at(U, O, _), U > S, U < T.":       "",
	} {
		p := program(t, "failure('DirtyObjFailure', T, S, [O]) :- target(T, O), "+text)
		got := ""
		for _, word := range []string{"first", "last"} {
			if strings.Contains(strings.Join(datalog.Compile(p, ontology.Default()).Plans()[0].Lines, "\n"), "of the "+word+" step alone") {
				got = word
			}
		}
		if got != want {
			t.Errorf("%s\nthe %q step alone is looked at, want %q", text, got, want)
		}
	}
}
