package infer_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/engine/belief"
	"github.com/mishap-robotics/mishap/engine/episode/episodetest"
	"github.com/mishap-robotics/mishap/engine/fact"
	"github.com/mishap-robotics/mishap/engine/infer"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/rules"
)

func index(t testing.TB) *fact.Index {
	t.Helper()
	return fact.Build(belief.Follow(ontology.Default(), episodetest.Parse(t, ontology.Default(), `
		0 | Mug-1 on_top_of CounterTop-1, Mug-1 dirty
		1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1
		2 (put_in, Mug-1, Sink-1) | Mug-1 inside Sink-1 | something drops
		3 (toggle_on, Faucet-1) | Faucet-1 on`)))
}

func compile(t testing.TB, text string) *infer.Rules {
	t.Helper()
	p, err := rules.Load([]document.Document{{Name: "t.pl", Data: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := infer.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func answers(t testing.TB, r *infer.Rules, x *fact.Index, goal string) ([]string, error) {
	t.Helper()
	goals, err := rules.ParseGoal(goal)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	err = r.Query(context.Background(), x, goals, func(names []string, values []*rules.Term) bool {
		var parts []string
		for i, n := range names {
			if !strings.HasPrefix(n, "_") {
				parts = append(parts, n+"="+values[i].String())
			}
		}
		out = append(out, strings.Join(parts, " "))
		return true
	})
	return out, err
}

func TestQuery(t *testing.T) {
	x := index(t)
	r := compile(t, "moved(O) :- target(S, O), action(S, pick_up).")
	tests := []struct {
		goal string
		want []string
	}{
		{"moved(O)", []string{"O='Mug-1'"}},
		{"target(2, O), destination(2, D)", []string{"O='Mug-1' D='Sink-1'"}},
		{"holds(S, 'Mug-1')", []string{"S=1"}},
		{"at(0, 'Mug-1', D)", []string{"D='CounterTop-1'"}},
		{"state(0, 'Mug-1', dirty)", []string{""}},
		{"state(3, 'Mug-1', clean)", []string{""}},
		{"heard(S, 'ObjectDropped')", []string{"S=2"}},
		{"isa('Mug-1', 'Tableware')", []string{""}},
		{"isa('Mug-1', 'Food')", []string{}},
		{"\\+ state(1, 'Mug-1', clean)", []string{""}},
		{"findall(S, step(S), L), length(L, N)", []string{"S=_ L=[1, 2, 3] N=3"}},
		{"member(X, [a, b]), X \\== a", []string{"X=b"}},
		{"forall(step(S), final(S))", []string{"S=_"}},
		{"end(E), P is E - 1, action(P, A)", []string{"E=3 P=2 A=put_in"}},
		{"target(S, nothing_so_named)", []string{}},
		{"action(S, 3)", []string{}},
		{"action(mug, A)", []string{}},
		{"once(step(S))", []string{"S=1"}},
		{"(fail ; step(S)), S > 2", []string{"S=3"}},
	}
	for _, tt := range tests {
		got, err := answers(t, r, x, tt.goal)
		if err != nil {
			t.Errorf("%s: %v", tt.goal, err)
		}
		for i := range got {
			got[i] = unbound(got[i])
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.goal, diff)
		}
	}
}

// unbound takes the numbers off variables that stayed free.
func unbound(s string) string {
	words := strings.Split(s, " ")
	for i, w := range words {
		if name, _, ok := strings.Cut(w, "=_"); ok {
			words[i] = name + "=_"
		}
	}
	return strings.Join(words, " ")
}

func TestQueryErrors(t *testing.T) {
	x := index(t)
	r := compile(t, "p(a).")
	for _, goal := range []string{"X is foo + 1", "open('/etc/passwd', read, S, [])", "halt(0)", "assertz(p(b))", "consult('/etc/passwd')", "undefined(X)"} {
		if got, err := answers(t, r, x, goal); err == nil {
			t.Errorf("%s: answers %v, want an error", goal, got)
		}
	}
}

func TestFailures(t *testing.T) {
	r := compile(t, `
failure('DirtyObjFailure', S, S, [O, none]) :- state(S, O, dirty), target(S, O).
failure('DirtyObjFailure', S, C, [O]) :- end(S), target(C, O), \+ action(C, toggle_on).`)
	got, err := r.Failures(context.Background(), index(t))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, c := range got {
		var b []string
		for _, v := range c.Clause.Variables() {
			b = append(b, v+"="+c.Bindings[v].String())
		}
		lines = append(lines, strings.Join(append([]string{c.Clause.Pos.String()}, b...), " "))
	}
	want := []string{"t.pl:2:1 S=1 O='Mug-1'", "t.pl:2:1 S=2 O='Mug-1'", "t.pl:3:1 S=3 C=1 O='Mug-1'", "t.pl:3:1 S=3 C=2 O='Mug-1'"}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("conclusions (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Mug-1"}, got[0].Objects); diff != "" {
		t.Errorf("the object none is left out (-want +got):\n%s", diff)
	}
}

func TestRunawayRule(t *testing.T) {
	r := compile(t, `
failure('DirtyObjFailure', 1, 1, []) :- p(0).
p(X) :- Y is X + 1, p(Y).`)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	_, err := r.Failures(ctx, index(t))
	var limit *infer.LimitError
	if !errors.As(err, &limit) || !strings.Contains(err.Error(), "t.pl:2") || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want a LimitError that names t.pl:2", err)
	}
}

func TestBadConclusions(t *testing.T) {
	for text, want := range map[string]string{
		"failure(X, 1, 1, []).":                             "expected a class and two steps",
		"failure('DirtyObjFailure', a, 1, []).":             "expected a class and two steps",
		"failure('DirtyObjFailure', 1, 1, 'Mug-1').":        "no list",
		"failure('DirtyObjFailure', 1, 1, [f(x)]).":         "expected objects",
		"failure('DirtyObjFailure', 1, X, []) :- X is a+1.": "fails to run",
	} {
		_, err := compile(t, text).Failures(context.Background(), index(t))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "t.pl:1") {
			t.Errorf("%s: error %v, want it to say %q and t.pl:1", text, err, want)
		}
	}
}

// Goroutines share one set of rules and one index.
func TestRulesAreShared(t *testing.T) {
	p := rules.Default()
	r, err := infer.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	x := index(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := r.Failures(context.Background(), x); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func BenchmarkFailures(b *testing.B) {
	r, err := infer.Compile(rules.Default())
	if err != nil {
		b.Fatal(err)
	}
	x := index(b)
	for b.Loop() {
		if _, err := r.Failures(context.Background(), x); err != nil {
			b.Fatal(err)
		}
	}
}
