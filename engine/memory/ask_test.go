package memory_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/memory"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

func answers(t *testing.T, m *memory.Memory, goal string, f memory.Filter) (string, error) {
	t.Helper()
	g, err := m.Prepare(asker(t, m), goal)
	if err != nil {
		return "", err
	}
	var out []string
	for a, err := range g.Answers(t.Context(), f) {
		if err != nil {
			return "", err
		}
		var row []string
		for _, v := range a.Values {
			row = append(row, v.String())
		}
		out = append(out, strings.Join(row, " "))
	}
	return strings.Join(out, "; "), nil
}

func TestAsk(t *testing.T) {
	m := open(t, t.TempDir())
	if err := m.Add(t.Context(), run(t, "a", noon), run(t, "b", noon.Add(time.Hour))); err != nil {
		t.Fatal(err)
	}
	for goal, want := range map[string]string{
		"dropped(E, S, O)":  "a 2 'Mug-1'; b 2 'Mug-1'",
		"dropped(E, S, _O)": "a 2; b 2",
		"dropped(a, S, O)":  "2 'Mug-1'",
		`step(E, S), \+ failed(E, S), \+ dropped(E, S, _)`:    "a 1; b 1",
		"episode(E), findall(S, step(E, S), L)":               "a [1, 2, 3]; b [1, 2, 3]",
		"(episode(E) ; dropped(E, _, _)), E = b":              "b; b",
		"episode(E), started(E, T), T > 1772366400":           "b 1772370000",
		"quad('Mug', subClassOf, C, G)":                       "'Container' 'https://mishap-robotics.github.io/ontology'; 'Drinkware' 'https://mishap-robotics.github.io/ontology'",
		"triple(R, recovers, 'DroppingObjFailure')":           "'PickUpAgain'; 'PickUpAndWash'; 'WashDroppedFood'; 'ReplaceDroppedFood'; 'LookForOtherFood'; 'PickUpIfWhole'",
		"triple(X, robot, 'Stretch-7')":                       "a; b",
		"triple(X, robot, R), triple(X, site, lab)":           "a 'Stretch-7'; b 'Stretch-7'",
		"quad('a/object/Mug-1', state, Z, G)":                 "dirty 'a/step/2/observation'; unhygienic 'a/step/3/predicted'; clean 'a/step/0/observation'; clean 'a/step/2/observation/ended'; empty 'a/step/0/assumed'; intact 'a/step/0/assumed'",
		"triple('a/step/3/action', step, N)":                  "3",
		"triple('a/step/3/action', step, 4)":                  "",
		"found(E, 'DroppingAndDirtyObjFailure', S, O), E = b": "b 2 'Mug-1'",
		// Of which class a thing was taken to be stands there too, where no log tells.
		"quad('a/object/Sink-1', type, C, G)": "'Sink' 'a/step/0/assumed'",
		"isa(O, 'Mug'), seen(E, 1, O)":        "a 'Mug-1'; b 'Mug-1'", // columns begin with the episode
	} {
		got, err := answers(t, m, goal, memory.Filter{})
		if err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", goal, got, err, want)
		}
	}
	if got, err := answers(t, m, "dropped(E, S, O)", memory.Filter{Since: noon.Add(time.Minute)}); err != nil || got != "b 2 'Mug-1'" {
		t.Errorf("since: %q, %v", got, err)
	}
	var wrong *memory.GoalError
	if _, err := answers(t, m, "dropped(E, S, O), failed(F, S)", memory.Filter{}); !errors.As(err, &wrong) {
		t.Errorf("two episodes: %v", err)
	}
	if _, err := answers(t, m, "dropped(3, S, O)", memory.Filter{}); !errors.As(err, &wrong) {
		t.Errorf("a number for an episode: %v", err)
	}
	for goal, want := range map[string]string{
		"droped(E, S, O)": "goal: found the predicate droped/3, which nothing defines; expected one of a memory; did you mean dropped/3?",
		"robt(E, R)":      "goal:1:1: undefined predicate robt/2; did you mean robot/2?",
		"qqqqqqqq(E, S)":  "goal:1:1: undefined predicate qqqqqqqq/2; define it by a clause",
	} {
		if _, err := answers(t, m, goal, memory.Filter{}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", goal, err, want)
		}
	}
}

// Conditions by which episodes are found before they are asked change no answer.
func TestNarrowed(t *testing.T) {
	m := open(t, t.TempDir())
	a, b, c := run(t, "a", noon), run(t, "b", noon.Add(time.Hour)), run(t, "c", noon.Add(2*time.Hour))
	b.Episode.Robot, b.Episode.Labels, c.Episode.Site, c.Episode.Task = "Stretch-8", []string{"day", "night"}, "kitchen", "wash"
	c.Result = nil // nothing was found in it
	if err := m.Add(t.Context(), a, b, c); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ goal, free, want string }{
		{"robot(E, 'Stretch-7')", "robot(E, R), R = 'Stretch-7'", "a c"},
		{"robot(E, 'Stretch-7'), site(E, lab)", "robot(E, R), R = 'Stretch-7', site(E, P), P = lab", "a"},
		{"episode(E), (label(E, day), true)", "label(E, L), L = day", "b"},
		{"label(E, day), label(E, night)", "label(E, L), label(E, K), L = day, K = night", "b"},
		{"label(E, day) ; task(E, wash)", "(label(E, L), L = day) ; (task(E, T), T = wash)", "b c"},
		{"robot(E, 'Stretch-7'), robot(E, 'Stretch-8')", "robot(E, R), robot(E, T), R = 'Stretch-7', T = 'Stretch-8'", ""},
		{`episode(E), \+ found(E, 'DroppingAndDirtyObjFailure', _, _)`, `episode(E), C = 'DroppingAndDirtyObjFailure', \+ found(E, C, _, _)`, "c"},
		{"found(E, 'DroppingAndDirtyObjFailure', _, _)", "found(E, C, _, _), C = 'DroppingAndDirtyObjFailure'", "a b"},
		{"found(E, 'DroppingAndDirtyObjFailure', S, O), dropped(E, S, O), robot(E, 'Stretch-8')", "found(E, C, S, O), C = 'DroppingAndDirtyObjFailure', dropped(E, S, O), robot(E, R), R = 'Stretch-8'", "b"},
		{"found(E, 'DroppingObjFailure', _, _)", "found(E, C, _, _), C = 'DroppingObjFailure'", ""},
	} {
		for _, goal := range []string{tt.goal, tt.free} {
			if got := episodesOf(t, m, goal, memory.Filter{}); got != tt.want {
				t.Errorf("%s: %q, want %q", goal, got, tt.want)
			}
		}
	}
	if got := episodesOf(t, m, "robot(E, 'Stretch-7')", memory.Filter{Robot: "Stretch-8"}); got != "" {
		t.Errorf("the filter has one robot and the goal another: %q", got)
	}
}

// episodesOf are the episodes of the answers, each once.
func episodesOf(t *testing.T, m *memory.Memory, goal string, f memory.Filter) string {
	t.Helper()
	g, err := m.Prepare(asker(t, m), goal)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for a, err := range g.Answers(t.Context(), f) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, a.Entry.ID)
	}
	return strings.Join(slices.Compact(out), " ")
}

// asker is a reasoner that asks a memory.
func asker(t testing.TB, m *memory.Memory) *engine.Reasoner {
	t.Helper()
	r, err := engine.New(ontology.Default(), rules.Default(), m.Builtins()...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A goal that asks for nothing that was seen, done or believed does not rebuild episodes, and
// one that does not ask for faults of the plan does not seek them.
func TestGoalsCostWhatTheyAsk(t *testing.T) {
	m := open(t, t.TempDir())
	var runs []memory.Run
	for i := range 8 {
		runs = append(runs, drawn(i))
	}
	if err := m.Add(t.Context(), runs...); err != nil {
		t.Fatal(err)
	}
	allocations := func(goal string) float64 {
		g, err := m.Prepare(asker(t, m), goal)
		if err != nil {
			t.Fatal(err)
		}
		return testing.AllocsPerRun(2, func() {
			for _, err := range g.Answers(t.Context(), memory.Filter{}) {
				if err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	entries, seen, faults := allocations("robot(E, R)"), allocations("dropped(E, S, O)"), allocations("fault(E, S)")
	if entries > seen/10 || seen > faults/3 {
		t.Errorf("%.0f allocations for what entries say, %.0f for what was seen, %.0f for what is wrong with plans", entries, seen, faults)
	}
}

// A goal is asked with values for its parameters; none is read as Prolog.
func TestParameters(t *testing.T) {
	m := open(t, t.TempDir())
	if err := m.Add(t.Context(), run(t, "a", noon), run(t, "b", noon.Add(time.Hour))); err != nil {
		t.Fatal(err)
	}
	r, err := engine.New(ontology.Default(), rules.Default(), m.Builtins()...)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		goal       string
		parameters []string
		f          memory.Filter
		values     []any
		want       string
	}{
		{"dropped(E, S, O), isa(O, C)", []string{"C"}, memory.Filter{}, []any{"Mug"}, "a 2 'Mug-1'; b 2 'Mug-1'"},
		{"dropped(E, S, O)", []string{"O", "S"}, memory.Filter{}, []any{"Mug-1", 2}, "a; b"},
		{"dropped(E, S, O)", []string{"O"}, memory.Filter{}, []any{"Mug-1'), step(_"}, ""},
		{"dropped(E, S, O)", []string{"E"}, memory.Filter{}, []any{"b"}, "2 'Mug-1'"},
		{"dropped(E, S, O)", []string{"E"}, memory.Filter{Until: noon.Add(time.Minute)}, []any{"b"}, ""},
		{"dropped(E, S, O)", []string{"E"}, memory.Filter{}, []any{"c"}, ""},
		{"dropped(b, S, O)", nil, memory.Filter{Robot: "nobody"}, nil, ""},
		{"triple(F, type, C), triple(F, concerns, O), triple(F, step, N)", []string{"C"}, memory.Filter{}, []any{"DroppingAndDirtyObjFailure"}, "'a/finding/1' 'a/object/Mug-1' 2; 'b/finding/1' 'b/object/Mug-1' 2"},
		{"episode(E), member(S, L), dropped(E, S, _)", []string{"L"}, memory.Filter{}, []any{[]int{1, 2}}, "a 2; b 2"},
	} {
		g, err := m.Prepare(r, tt.goal, tt.parameters...)
		if err != nil {
			t.Errorf("%s: %v", tt.goal, err)
			continue
		}
		for range 2 { // it may be asked again
			var out []string
			for a, err := range g.Answers(t.Context(), tt.f, tt.values...) {
				if err != nil {
					t.Errorf("%s: %v", tt.goal, err)
				}
				var row []string
				for _, v := range a.Values {
					row = append(row, v.String())
				}
				out = append(out, strings.Join(row, " "))
			}
			if got := strings.Join(out, "; "); got != tt.want {
				t.Errorf("%s of %v: %q, want %q", tt.goal, tt.values, got, tt.want)
			}
		}
	}
	if _, err := m.Prepare(r, "dropped(E, S, O)", "X"); err == nil {
		t.Error("a parameter that is no variable")
	}
	g, err := m.Prepare(r, "dropped(E, S, O)", "O")
	if err != nil {
		t.Fatal(err)
	}
	var wrong *memory.GoalError
	for _, err := range g.Answers(t.Context(), memory.Filter{Robot: "nobody"}) {
		if !errors.As(err, &wrong) {
			t.Errorf("no value: %v", err)
		}
	}
	if wrong == nil {
		t.Error("no value for a parameter is no error")
	}
}

// What ends the context ends the answers.
func TestAskIsInterrupted(t *testing.T) {
	m := open(t, t.TempDir())
	if err := m.Add(t.Context(), run(t, "a", noon), run(t, "b", noon)); err != nil {
		t.Fatal(err)
	}
	r, err := engine.New(ontology.Default(), rules.Default(), m.Builtins()...)
	if err != nil {
		t.Fatal(err)
	}
	g, err := m.Prepare(r, "step(E, S)")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last error
	n := 0
	for _, err := range g.Answers(ctx, memory.Filter{}) {
		if last = err; err == nil {
			n++
		}
		cancel()
	}
	if !errors.Is(last, context.Canceled) || n == 0 {
		t.Errorf("%d answers, then %v", n, last)
	}
}

// Rules may look back: what was found in episodes that began before.
func TestEarlier(t *testing.T) {
	m := open(t, t.TempDir())
	for i := range 3 {
		if err := m.Add(t.Context(), run(t, fmt.Sprint("run", i), noon.Add(time.Duration(i)*72*time.Hour))); err != nil {
			t.Fatal(err)
		}
	}
	got, err := answers(t, m, "episode(E), findall([X, D], (earlier(X), days_before(X, D)), L)", memory.Filter{})
	if want := "run0 []; run1 [[run0, 3]]; run2 [[run0, 6], [run1, 3]]"; err != nil || got != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}
