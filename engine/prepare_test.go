package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/internal/episodetest"
	"github.com/mishap-robotics/mishap/rules"
)

func TestPreparedGoal(t *testing.T) {
	r := reasoner(t)
	x := r.Facts(episodetest.Parse(t, r.Ontology, washing))
	steps, err := r.Prepare("action(Step, Action), target(Step, Object), member(Action, Actions)", "Object", "Actions")
	if err != nil {
		t.Fatal(err)
	}
	type answer struct {
		At     int `mishap:"Step"`
		Action string
	}
	for _, tt := range []struct {
		values []any
		want   string
	}{
		{[]any{"Mug-1", []string{"pick_up", "put_in"}}, "[{1 pick_up} {2 put_in}]"},
		{[]any{"Mug-1", []any{"put_in"}}, "[{2 put_in}]"},
		{[]any{"Faucet-1", [...]string{"put_in", "toggle_on"}}, "[{3 toggle_on}]"},
		{[]any{"Mug-1'), true ; true, foo('", []string{"pick_up"}}, "[]"}, // a name, however odd
		{[]any{&rules.Term{Kind: rules.Atom, Name: "Mug-1"}, []string{"put_in"}}, "[{2 put_in}]"},
	} {
		rows, err := steps.Query(context.Background(), x, tt.values...)
		if err != nil {
			t.Errorf("%v: %v", tt.values, err)
			continue
		}
		got := []answer{}
		for a, err := range engine.Collect[answer](rows) {
			if err != nil {
				t.Errorf("%v: %v", tt.values, err)
			}
			got = append(got, a)
		}
		if fmt.Sprint(got) != tt.want {
			t.Errorf("%v: %v, want %s", tt.values, got, tt.want)
		}
	}
	if at, err := r.Prepare("action(S, A)", "S"); err != nil {
		t.Error(err)
	} else if rows, err := at.Query(context.Background(), x, uint8(2)); err != nil || !rows.Next() {
		t.Errorf("rows %v, error %v", rows, err)
	} else {
		rows.Close()
	}
}

func TestPreparedGoalErrors(t *testing.T) {
	r := reasoner(t)
	x := r.Facts(episodetest.Parse(t, r.Ontology, washing))
	for goal, want := range map[string]string{
		"action(S":      "goal:1:",
		"nonsense(S)":   "undefined predicate nonsense/1",
		"action(S, A)":  `found parameter "O"; expected a variable of "action(S, A)"`,
		"target(O, O2)": "twice",
	} {
		parameters := []string{"O"}
		if want == "twice" {
			parameters = []string{"O", "O"}
		}
		if _, err := r.Prepare(goal, parameters...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", goal, err, want)
		}
	}
	p, err := r.Prepare("isa(O, C)", "C")
	if err != nil {
		t.Fatal(err)
	}
	for want, values := range map[string][]any{
		`0 values for 1 parameters ["C"]`:                                        nil,
		"parameter C: found nil; expected a string":                              {nil},
		"parameter C: found a float64; expected":                                 {1.5},
		"parameter C: found a uint64; expected":                                  {uint64(1) << 63},
		"parameter C: found a term with variables":                               {&rules.Term{Kind: rules.Variable, Name: "X"}},
		"parameter C: found a struct {}; expected a string, an integer of 64 bi": {[]any{struct{}{}}},
		"goal:1:8: 'Muug' is no class of the ontology; did you mean Mug?":        {"Muug"},
	} {
		if _, err := p.Query(context.Background(), x, values...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want %q", values, err, want)
		}
	}
	if _, err := p.Query(context.Background(), nil, "Mug"); err == nil {
		t.Error("no facts: no error")
	}
	var none *engine.PreparedGoal
	if _, err := none.Query(context.Background(), x); err == nil {
		t.Error("no goal: no error")
	}
	for range engine.Collect[struct{ O int }](nil) {
	}
	for want, collect := range map[string]func(*engine.Rows) error{
		"has no field for column O": first[struct{ Object string }],
		"column O: ":                first[struct{ O int }],
		"expected a struct type":    first[string],
	} {
		rows, err := p.Query(context.Background(), x, "Mug")
		if err != nil {
			t.Fatal(err)
		}
		if err := collect(rows); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func first[T any](rows *engine.Rows) error {
	for _, err := range engine.Collect[T](rows) {
		return err
	}
	return nil
}

// A prepared goal has the facts that it asks for, by rules too, and no others that take long.
func TestFactsOfPreparedGoals(t *testing.T) {
	r := reasoner(t)
	ep := episodetest.Parse(t, r.Ontology, `
		goal: Mug in Sink
		0 | Mug-1 on_top_of CounterTop-1
		1 (navigate_to_obj, Sink-1) | Mug-1 on_top_of CounterTop-1
		2 (put_in, Mug-1, Sink-1) | Mug-1 on_top_of CounterTop-1`)
	count := func(x *engine.Facts, goal string) (n int) {
		if err := r.Query(t.Context(), x, goal, func([]string, []*rules.Term) bool { n++; return true }); err != nil {
			t.Fatal(err)
		}
		return n
	}
	for goal, faults := range map[string]bool{
		"action(S, A)":                          false,
		"findall(S, (step(S), fault(S)), L)":    true,
		"action(S, A), \\+ mend(S, _, _, _, _)": true,
		"failure(C, S, W, O)":                   true,
	} {
		p, err := r.Prepare(goal)
		if err != nil {
			t.Fatal(err)
		}
		x, err := p.Facts(t.Context(), ep)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := count(x, goal), count(r.Facts(ep), goal); got != want {
			t.Errorf("%s: %d answers, want %d", goal, got, want)
		}
		if got := count(x, "fault(S)"); (got > 0) != faults {
			t.Errorf("%s: %d faults", goal, got)
		}
	}
	p, err := r.Prepare("action(S, A)")
	if err != nil {
		t.Fatal(err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Facts(over, ep); !errors.Is(err, context.Canceled) {
		t.Errorf("the context is over: %v", err)
	}
	if _, err := p.Facts(t.Context(), nil); err == nil {
		t.Error("no episode: no error")
	}
	var none *engine.PreparedGoal
	if _, err := none.Facts(t.Context(), ep); err == nil {
		t.Error("no goal: no error")
	}
	if _, err := none.With(); err == nil {
		t.Error("values for no goal: no error")
	}
}
