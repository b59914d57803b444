package engine_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/recovery"
)

// adviser says what its function says.
type adviser func(refused []engine.Attempt) (*engine.Opinion, error)

func (adviser) Name() string { return "test" }

func (a adviser) Consult(*engine.Situation) func(context.Context, []engine.Attempt) (*engine.Opinion, error) {
	return func(_ context.Context, refused []engine.Attempt) (*engine.Opinion, error) { return a(refused) }
}

// says is an opinion with a plan, of which every line was understood.
func says(plan ...episode.Action) *engine.Opinion {
	o := &engine.Opinion{Cause: "a cause", Cost: engine.Cost{Calls: 1, PromptTokens: 10}}
	for _, a := range plan {
		o.Lines = append(o.Lines, engine.AdviceLine{Text: a.String(), Action: a, How: "exact", Score: 1})
	}
	return o
}

func TestAdviser(t *testing.T) {
	r := reasoner(t)
	ours := propose(watched(t, r, panInHand), engine.Planner{})
	if !ours.Verified {
		t.Fatalf("no plan without an adviser: %v", ours.Violated)
	}
	good := ours.Plan
	twoArmed := []episode.Action{{Name: "pick_up", Target: "Pan-1"}, {Name: "pick_up", Target: "Fork-1"}}
	back := slices.Concat([]episode.Action{{Name: "navigate_to_obj", Target: "CounterTop-1"}, {Name: "navigate_to_obj", Target: "Drawer-1"}}, good)
	tests := []struct {
		name     string
		say      adviser
		planner  engine.Planner
		taken    bool
		attempts int
		why      string // part of Advice.Why
		refused  string // part of why the first attempt was refused
	}{
		{"a good plan", func([]engine.Attempt) (*engine.Opinion, error) { return says(good...), nil }, engine.Planner{}, true, 1, "", ""},
		{"mended when told why", func(refused []engine.Attempt) (*engine.Opinion, error) {
			if len(refused) == 0 {
				return says(twoArmed...), nil
			}
			return says(good...), nil
		}, engine.Planner{}, true, 2, "", "(pick_up, Fork-1) cannot be done"},
		{"two arms for good", func([]engine.Attempt) (*engine.Opinion, error) { return says(twoArmed...), nil }, engine.Planner{}, false, 2, "", "cannot be done"},
		{"another bad plan each time", func(refused []engine.Attempt) (*engine.Opinion, error) {
			return says(twoArmed[:1+len(refused)%2]...), nil
		}, engine.Planner{}, false, 3, "", "would not hold"},
		{"two arms, once", func([]engine.Attempt) (*engine.Opinion, error) { return says(twoArmed...), nil }, engine.Planner{Revisions: -1}, false, 1, "", "cannot be done"},
		{"longer than need be", func([]engine.Attempt) (*engine.Opinion, error) { return says(back...), nil }, engine.Planner{}, false, 1, "are enough", ""},
		{"half a plan", func([]engine.Attempt) (*engine.Opinion, error) { return says(good[:len(good)/2]...), nil }, engine.Planner{}, false, 2, "", "would not hold"},
		{"no plan", func([]engine.Attempt) (*engine.Opinion, error) { return says(), nil }, engine.Planner{}, false, 2, "no plan of it", "names no actions"},
		{"an unknown object", func([]engine.Attempt) (*engine.Opinion, error) {
			return &engine.Opinion{Lines: []engine.AdviceLine{{Text: "(pick_up, Sword)", Refused: "there is no object Sword"}}}, nil
		}, engine.Planner{}, false, 2, "no plan of it", "line 1: there is no object Sword"},
		{"an error", func([]engine.Attempt) (*engine.Opinion, error) { return nil, errors.New("the server is gone") }, engine.Planner{}, false, 0, "the server is gone", ""},
		{"a person", func([]engine.Attempt) (*engine.Opinion, error) {
			return &engine.Opinion{Person: "lift the pan out"}, nil
		}, engine.Planner{}, false, 0, "a person is needed", ""},
		{"nothing", func([]engine.Attempt) (*engine.Opinion, error) { return nil, nil }, engine.Planner{}, false, 0, "said nothing", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := tt.planner
			p.Adviser = tt.say
			got := propose(watched(t, r, panInHand), p)
			a := got.Advice
			if a == nil || a.Taken != tt.taken || len(a.Attempts) != tt.attempts || !strings.Contains(a.Why, tt.why) {
				t.Fatalf("advice %+v; want taken %v after %d attempts, why %q", a, tt.taken, tt.attempts, tt.why)
			}
			if tt.refused != "" && !strings.Contains(a.Attempts[0].Refused, tt.refused) {
				t.Errorf("refused %q; want %q", a.Attempts[0].Refused, tt.refused)
			}
			if !got.Verified || !slices.Equal(got.Plan, good) {
				t.Errorf("verified %v: %s; want it to be no worse than %s", got.Verified, planText(got), planText(ours))
			}
			if tt.taken != (got.Method == recovery.Advised) {
				t.Errorf("method %s, taken %v", got.Method, tt.taken)
			}
		})
	}
}

// An adviser is not asked where nothing is to be done, nor where it is not wanted.
func TestAdviserNotAsked(t *testing.T) {
	r := reasoner(t)
	asked := 0
	counts := adviser(func([]engine.Attempt) (*engine.Opinion, error) { asked++; return nil, errors.New("no") })
	propose(watched(t, r, panInHand), engine.Planner{Adviser: counts, OnlyStuck: true})
	propose(watched(t, r, `
goal: Faucet on
plan: (toggle_on, Faucet)
0 | Faucet-1 off, Robot-1 near Faucet-1
1 (toggle_on, Faucet) | Faucet-1 on
`), engine.Planner{Adviser: counts})
	if asked != 0 {
		t.Errorf("asked %d times; want never", asked)
	}
}

// Where nothing can be done an adviser is asked all the same, and told why; its answer may be
// that a person is needed.
func TestAdviserAskedWhereNothingIsFound(t *testing.T) {
	r := reasoner(t)
	m := watched(t, r, `
goal: Mug inside Sink
plan: (navigate_to_obj, Mug), (pick_up, Mug), (navigate_to_obj, Sink), (put_in, Mug, Sink)
0 | Mug-1 located_at CounterTop-1, Mug-1 broken, Sink-1
`)
	var told *engine.Situation
	p := propose(m, engine.Planner{Adviser: answering{&told, &engine.Opinion{Person: "clear the pieces away"}}})
	if p.Verified || len(p.Impossible) == 0 || told == nil || told.Ours == nil || len(told.Ours.Impossible) == 0 || len(told.Obstacles) == 0 {
		t.Fatalf("verified %v, impossible %q, told %+v", p.Verified, p.Impossible, told)
	}
	if p.Advice == nil || p.Advice.Taken || p.Advice.Person != "clear the pieces away" || !slices.Contains(p.NeedsPerson, "clear the pieces away") {
		t.Errorf("advice %+v, persons %q", p.Advice, p.NeedsPerson)
	}
}

// answering notes what it was told, and answers the same.
type answering struct {
	at   **engine.Situation
	says *engine.Opinion
}

func (answering) Name() string { return "answering" }

func (a answering) Consult(at *engine.Situation) func(context.Context, []engine.Attempt) (*engine.Opinion, error) {
	*a.at = at
	return func(context.Context, []engine.Attempt) (*engine.Opinion, error) { return a.says, nil }
}

// What the adviser was told names the failure and what is left.
func TestSituation(t *testing.T) {
	r := reasoner(t)
	var seen *engine.Situation
	propose(watched(t, r, panInHand), engine.Planner{Adviser: spy{&seen}})
	if seen == nil || len(seen.Given) != 9 || len(seen.Rest) == 0 || len(seen.Projection.Goal.Patterns) == 0 || len(seen.Believed.Nodes) == 0 {
		t.Errorf("situation %+v", seen)
	}
}

type spy struct{ at **engine.Situation }

func (spy) Name() string { return "spy" }

func (s spy) Consult(at *engine.Situation) func(context.Context, []engine.Attempt) (*engine.Opinion, error) {
	*s.at = at
	return func(context.Context, []engine.Attempt) (*engine.Opinion, error) { return nil, errors.New("spying") }
}
