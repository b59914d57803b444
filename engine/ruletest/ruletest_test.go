package ruletest_test

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/internal/inference"
	"github.com/mishap-robotics/mishap/engine/internal/script"
	"github.com/mishap-robotics/mishap/engine/ruletest"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/rules"
)

func parse(text string) ([]*ruletest.Test, error) {
	return ruletest.Parse(ontology.Default(), document.Document{Name: "t.test", Data: []byte(text)})
}

func TestParseErrors(t *testing.T) {
	tests := []struct{ text, want string }{
		{"0 | Mug-1", `t.test:1: found "0 | Mug-1" before the first test; expected test: NAME`},
		{"test:", "t.test:1: found a test without a name"},
		{"test: a\n1 (observe)\nexpect: nothing\ntest: a", `t.test:4: test "a" is there already`},
		{"test: a\n1 (observe)", `t.test:1: test "a" expects nothing in particular`},
		{"test: a\nexpect: nothing", `t.test:1: test "a" has neither an episode nor facts`},
		{"test: a\n1 (observe)\nfacts: end(1)\nexpect: nothing", `t.test:1: test "a" has an episode and facts`},
		{"test: a\nfacts: end(1\nexpect: nothing", "t.test:2: goal:1:"},
		{"test: a\nexpect:", `t.test:2: found nothing after "expect:"`},
		{"test: a\nexpect: Nonsense", "t.test:2: Nonsense is no failure class"},
		{"test: a\nexpect: DirtyObjFailure at", `t.test:2: found "at" at the end`},
		{"test: a\nexpect: DirtyObjFailure at x", `t.test:2: found "x"; expected the number of a step`},
	}
	for _, tt := range tests {
		_, err := parse(tt.text)
		var place *script.Error
		if !errors.As(err, &place) || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%q: error %v, want %s", tt.text, err, tt.want)
		}
	}
}

func TestRun(t *testing.T) {
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		t.Fatal(err)
	}
	const drop = "0 | Mug-1 on_top_of CounterTop-1\n1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1\n2 (navigate_to_obj, Sink-1) | Sink-1\n"
	const dropFacts = "facts: keeps_hold(2), hand_empty(2), prev(2, 1), acts_with(2, 'RobotGripper-1'), at(1, 'Mug-1', 'RobotGripper-1')\n"
	tests := []struct {
		text   string
		passes bool
		extra  int
	}{
		{drop + "expect: DroppingObjFailure", true, 0},
		{drop + "expect: DroppingObjFailure at 2 cause 2 Mug-1", true, 0},
		{drop + "expect: DroppingObjFailure at 1", false, 1},
		{drop + "expect: DroppingObjFailure cause 1", false, 1},
		{drop + "expect: DroppingObjFailure Mug-2", false, 1},
		{drop + "expect: nothing", false, 1},
		{drop + "expect not: DirtyObjFailure", true, 0},
		{drop + "expect not: DroppingObjFailure at 2", false, 0},
		{drop + "expect not: DroppingObjFailure at 1", true, 0},
		{drop + "concludes: DroppingObjFailure at 2\nconcludes not: DirtyObjFailure", true, 0},
		{drop + "concludes: nothing", false, 0},
		{drop + "concludes not: DroppingObjFailure", false, 0},
		{dropFacts + "expect: DroppingObjFailure at 2 Mug-1", true, 0},
		{dropFacts + "expect: nothing", false, 1},
		{"facts: seen_state(2, 'Mug-1', broken), end(2), state(2, 'Mug-1', broken)\nexpect: ShardsLeftFailure at 2", true, 0},
		{"facts: nonsense(2)\nexpect: nothing", false, 0},
		{"facts: action(1, opn_obj)\nexpect: nothing", false, 0},
		{"0 | Fridge-1 opne\n1 (observe)\nexpect: nothing", false, 0},
		{"unknown: allowed\n0 | Fridge-1 opne\n1 (observe)\nexpect: nothing", true, 0},
		{"facts: end(mug)\nexpect: nothing", false, 0},
		{"1 (juggle)\nexpect: nothing", false, 0},
	}
	for _, tt := range tests {
		all, err := parse("test: a\n" + tt.text)
		if err != nil {
			t.Fatal(err)
		}
		res := ruletest.Run(context.Background(), r, all[0], inference.NewCoverage())
		if res.Passed() != tt.passes || len(res.Extra) != tt.extra {
			t.Errorf("%s\npassed %v, extra %q, error %v", tt.text, res.Passed(), res.Extra, res.Err)
		}
	}
}

// The tests beside the shipped rules pass and make every clause conclude.
func TestShippedRules(t *testing.T) {
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		t.Fatal(err)
	}
	cover := inference.NewCoverage()
	for _, d := range rules.ShippedTests() {
		all, err := ruletest.Parse(r.Ontology, d)
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range all {
			res := ruletest.Run(context.Background(), r, test, cover)
			if !res.Passed() {
				t.Errorf("%s:%d: %s: found %q, error %v", test.File, test.Line, test.Name, res.Found, res.Err)
			}
		}
	}
	for _, c := range r.Rules().Clauses {
		if cover.Of(c).Concluded == 0 {
			t.Errorf("no test makes %s conclude: %s", c.Pos, c.Head)
		}
	}
}

func TestTested(t *testing.T) {
	all, err := parse("test: a\n1 (observe)\nexpect: DirtyObjFailure\nexpect not: PerceptionFailure\nconcludes: DroppingObjFailure\ntest: b\n1 (observe)\nexpect: nothing")
	if err != nil {
		t.Fatal(err)
	}
	if got := ruletest.Tested(all); !slices.Equal(got, []string{"DirtyObjFailure", "DroppingObjFailure"}) {
		t.Errorf("tested %q", got)
	}
}

func FuzzParse(f *testing.F) {
	for _, d := range rules.ShippedTests() {
		f.Add(string(d.Data))
	}
	f.Add("test: a\nplan: (pick_up, Mug)\n0 | all, Mug-1 dirty\n1 Robot-2 (pour, Mug, Sink) | none | something drops\nexpect: DirtyObjFailure at 1 cause 0 Mug-1\nconcludes not: PerceptionFailure")
	f.Add("test: a\nfacts: holds(1, 'Mug-1'), hand_empty(2).\nperson: Ann, vegan, dislikes Egg\nexpect: nothing")
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all, err := parse(text)
		var place *script.Error
		if err != nil && !errors.As(err, &place) {
			t.Fatalf("error %T without a place", err)
		}
		for _, test := range all[:min(len(all), 2)] {
			ruletest.Run(context.Background(), r, test, nil)
		}
	})
}

// A host runs tests of rules that ask its predicates with its own reasoner.
func TestRunWithBuiltin(t *testing.T) {
	p, err := rules.Load([]document.Document{{Name: "own.pl", Data: []byte("failure('DirtyObjFailure', S, S, [O]) :- target(S, O), weight(O, W), W > 500.\n")}})
	if err != nil {
		t.Fatal(err)
	}
	weight := engine.Builtin{Name: "weight", In: []rules.ArgKind{rules.ObjectArg}, Out: []rules.ArgKind{rules.NumberArg}, Deterministic: true,
		Call: func(_ context.Context, in []any) iter.Seq2[[]any, error] {
			return engine.OneAnswer(map[any]int{"Pot-1": 900, "Mug-1": 300}[in[0]])
		}}
	r, err := engine.New(ontology.Default(), p, engine.WithBuiltin(weight))
	if err != nil {
		t.Fatal(err)
	}
	all, err := parse("test: light\n1 (pick_up, Mug-1)\nexpect: nothing\ntest: heavy\n1 (pick_up, Pot-1)\nexpect: DirtyObjFailure at 1 Pot-1\ntest: facts\nfacts: target(1, 'Pot-1')\nexpect: DirtyObjFailure at 1 Pot-1")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range all {
		cover := inference.NewCoverage()
		if res := ruletest.Run(context.Background(), r, test, cover); !res.Passed() || cover.Of(p.Clauses[0]).Held[0] == 0 {
			t.Errorf("%s: found %q, error %v", test.Name, res.Found, res.Err)
		}
	}
}
