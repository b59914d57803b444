package inference_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/engine/internal/inference"
	"github.com/mishap-robotics/mishap/rules"
)

const washing = `
	0 | Mug-1 on_top_of CounterTop-1, Mug-1 dirty
	1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1
	2 (put_in, Mug-1, Sink-1) | Mug-1 inside Sink-1 | something drops
	3 (toggle_on, Faucet-1) | Faucet-1 on`

func answers(t testing.TB, p *rules.Program, x *fact.Index, goal string) ([]string, error) {
	t.Helper()
	goals, err := rules.ParseGoal(goal)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	pr := &inference.Prover{Program: p, Index: x}
	err = pr.Query(context.Background(), goals, func(names []string, values []*rules.Term) bool {
		var parts []string
		for i, n := range names {
			if strings.HasPrefix(n, "_") {
				continue
			}
			value := values[i].String()
			if values[i].Kind == rules.Variable {
				value = "_"
			}
			parts = append(parts, n+"="+value)
		}
		out = append(out, strings.Join(parts, " "))
		return true
	})
	return out, err
}

func TestQuery(t *testing.T) {
	x := index(t, washing)
	p := program(t, "moved(O) :- target(S, O), action(S, pick_up).")
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
		got, err := answers(t, p, x, tt.goal)
		if err != nil {
			t.Errorf("%s: %v", tt.goal, err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.goal, diff)
		}
	}
}

func TestQueryErrors(t *testing.T) {
	x := index(t, washing)
	p := program(t, "p(a).")
	for _, goal := range []string{"X is foo + 1", "open('/etc/passwd', read, S, [])", "halt(0)", "assertz(p(b))", "consult('/etc/passwd')", "undefined(X)"} {
		if got, err := answers(t, p, x, goal); err == nil {
			t.Errorf("%s: answers %v, want an error", goal, got)
		}
	}
}

func TestBindings(t *testing.T) {
	p := program(t, `
failure('DirtyObjFailure', S, S, [O, none]) :- state(S, O, dirty), target(S, O).
failure('DirtyObjFailure', S, C, [O]) :- end(S), target(C, O), \+ action(C, toggle_on).`)
	var got []inference.Conclusion
	pr := &inference.Prover{Program: p, Index: index(t, washing)}
	if err := pr.Failures(context.Background(), func(c inference.Conclusion) bool { got = append(got, c); return true }); err != nil {
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

func TestBadConclusions(t *testing.T) {
	for text, want := range map[string]string{
		"failure(X, 1, 1, []).":                             "expected a class, two steps and a list of objects",
		"failure('Mug', 1, 1, []).":                         "concludes Mug, which is no failure class",
		"failure('DirtyObjFailure', a, 1, []).":             "expected a class, two steps and a list of objects",
		"failure('DirtyObjFailure', 1, 1, 'Mug-1').":        "expected a class, two steps and a list of objects",
		"failure('DirtyObjFailure', 1, 1, [f(x)]).":         "expected a class, two steps and a list of objects",
		"failure('DirtyObjFailure', 1, X, []) :- X is a+1.": "fails to run",
	} {
		pr := &inference.Prover{Program: program(t, text), Index: index(t, washing)}
		err := pr.Failures(context.Background(), func(inference.Conclusion) bool { return true })
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "t.pl:1") {
			t.Errorf("%s: error %v, want it to say %q and t.pl:1", text, err, want)
		}
	}
}
