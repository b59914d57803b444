package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/episodetest"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/rules"
)

// withBuiltins is a reasoner with the shipped rules, some more, and predicates of a host.
func withBuiltins(more string, builtins ...engine.Builtin) (*engine.Reasoner, error) {
	p, err := rules.Load(append(rules.Shipped(), document.Document{Name: "own.pl", Data: []byte(more)}))
	if err != nil {
		return nil, err
	}
	options := []engine.Option{nil}
	for _, b := range builtins {
		options = append(options, engine.WithBuiltin(b))
	}
	return engine.New(ontology.Default(), p, options...)
}

func mustHave(t *testing.T, more string, builtins ...engine.Builtin) *engine.Reasoner {
	t.Helper()
	r, err := withBuiltins(more, builtins...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func nothing(context.Context, []any) iter.Seq2[[]any, error] { return nil }

// height is a function: how high things are at a step, in centimetres.
var height = engine.Builtin{
	Name: "height", In: []rules.ArgKind{rules.StepArg, rules.ObjectArg}, Out: []rules.ArgKind{rules.NumberArg}, Deterministic: true,
	Call: func(_ context.Context, in []any) iter.Seq2[[]any, error] {
		at := map[string]int64{"Mug-1": 90, "Faucet-1": 120}
		if h, ok := at[in[1].(string)]; ok {
			return engine.OneAnswer(h - 10*in[0].(int64))
		}
		return nil
	},
}

// beside is a relation that names also what no log does.
var beside = engine.Builtin{
	Name: "beside", In: []rules.ArgKind{rules.ObjectArg}, Out: []rules.ArgKind{rules.ObjectArg},
	Call: func(_ context.Context, in []any) iter.Seq2[[]any, error] {
		return func(yield func([]any, error) bool) {
			for _, other := range []string{"Shelf-9", "Faucet-1", "Shelf-9"} {
				if !yield([]any{other}, nil) {
					return
				}
			}
		}
	},
}

func TestBuiltinsThatAreRefused(t *testing.T) {
	one := []rules.ArgKind{rules.ObjectArg}
	named := func(name string, kinds ...rules.ArgKind) []engine.Builtin {
		return []engine.Builtin{{Name: name, In: kinds, Call: nothing}}
	}
	tests := []struct {
		name     string
		rule     string
		builtins []engine.Builtin
		want     string
	}{
		{"no name", "", named(""), `/0, given in Go: its name is ""; expected a lower-case letter`},
		{"a variable's name", "", named("Near", one...), `its name is "Near"`},
		{"a name that needs quotation marks", "", named("near by", one...), `its name is "near by"`},
		{"no function", "", []engine.Builtin{{Name: "near", In: one}}, "near/1, given in Go: it has no Call"},
		{"a kind that there is not", "", named("near", 200), "near/1, given in Go: argument 1 is of kind 200"},
		{"too many arguments", "", named("near", make([]rules.ArgKind, 300)...), "it has 300 arguments; expected at most 255"},
		{"a name of the vocabulary", "", named("seen", rules.StepArg, rules.ObjectArg), "seen/2, given in Go: the name is that of a fact of the episode"},
		{"a name that is built in", "", named("between", make([]rules.ArgKind, 3)...), "between/3, given in Go: the name is that of a predicate that is built in"},
		{"the conclusion's name", "", named("failure", one...), "failure/1, given in Go: the name is that of what rules conclude"},
		{"twice", "", []engine.Builtin{height, height}, "height/3, given in Go: it is given twice"},
		{"a rule's name", "height(S, O, 1) :- seen(S, O).", []engine.Builtin{height}, "own.pl:1:1: height/3 is given in Go and cannot be defined by a rule"},
		{"a wrong arity", "failure('DirtyObjFailure', S, S, [O]) :- target(S, O), height(S, O).", []engine.Builtin{height},
			"own.pl:1:56: undefined predicate height/2; did you mean height/3?"},
		{"a predicate that nobody gives", "failure('DirtyObjFailure', S, S, [O]) :- target(S, O), height(S, O, _).", nil, "own.pl:1:56: undefined predicate height/3; define it by a clause in a rule file, or, where it is a predicate in Go, run the program that gives it (engine.WithBuiltin)"},
		{"an argument of the wrong kind", "failure('DirtyObjFailure', S, S, [O]) :- target(S, O), height(O, S, _).", []engine.Builtin{height},
			"own.pl:1:63: O is used as an object here, but height/3 takes a step"},
		{"a constant of the wrong kind", "failure('DirtyObjFailure', S, S, [O]) :- target(S, O), height(S, O, high).", []engine.Builtin{height},
			"high is used as a name here, but height/3 takes a number"},
		{"an input without a value", "failure('DirtyObjFailure', S, S, [O]) :- height(S, O, _), target(S, O).", []engine.Builtin{height},
			"own.pl:1:49: S is not bound where height takes it; put a goal that binds it before"},
		{"an input without a value under a negation", `failure('DirtyObjFailure', S, S, [O]) :- target(S, O), \+ height(S, _, 3).`, []engine.Builtin{height},
			"own.pl:1:69: _ is not bound where height takes it"},
		{"an input that a caller leaves open", "failure('DirtyObjFailure', S, S, [O]) :- high(S, O), target(S, O).\nhigh(S, O) :- height(S, O, H), H > 3.", []engine.Builtin{height},
			"own.pl:2:22: S is not bound where height takes it"},
	}
	for _, tt := range tests {
		_, err := withBuiltins(tt.rule, tt.builtins...)
		var wrong *engine.BuiltinError
		var problems rules.Problems
		if err == nil || !strings.Contains(err.Error(), tt.want) || !errors.As(err, &wrong) && !errors.As(err, &problems) {
			t.Errorf("%s: error %v; want %q", tt.name, err, tt.want)
		}
	}
}

// A host checks rules with its predicates for warnings, too.
func TestCheckWithBuiltin(t *testing.T) {
	p, err := rules.Load([]document.Document{{Name: "own.pl", Data: []byte("failure('DirtyObjFailure', S, S, [O]) :- target(S, O), height(S, O, Height).")}})
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range p.Check(ontology.Default(), append(engine.Vocabulary(), height.Predicate()), nil) {
		if problem.Mistake.ID != "singleton-variable" {
			t.Error(problem.Detail())
		}
	}
	if problems := p.Check(ontology.Default(), engine.Vocabulary(), nil); len(problems.Errors()) != 1 {
		t.Errorf("without the predicate %d errors", len(problems.Errors()))
	}
}

// both is a reasoner compiled, as a check that it is, and interpreted.
func both(t *testing.T, r *engine.Reasoner) map[string]*engine.Reasoner {
	t.Helper()
	for _, rule := range r.Compiled().Rules() {
		if rule.Reason != nil {
			t.Fatal(rule.Reason)
		}
	}
	return map[string]*engine.Reasoner{"compiled": r, "interpreted": r.Interpreting()}
}

func ownFindings(res *engine.Result) []string {
	var out []string
	for _, f := range res.Findings {
		if f.Clause.Pos.File == "own.pl" {
			out = append(out, fmt.Sprint(f.Type, " ", f.Step, " ", f.Objects))
		}
	}
	return out
}

func TestBuiltinsInRules(t *testing.T) {
	twoOf := engine.Builtin{Name: "two_of", In: []rules.ArgKind{rules.ObjectArg}, Out: []rules.ArgKind{rules.NumberArg, rules.NumberArg},
		Call: func(context.Context, []any) iter.Seq2[[]any, error] {
			return func(yield func([]any, error) bool) {
				_ = yield([]any{1, 2}, nil) && yield([]any{int8(2), uint(2)}, nil)
			}
		}}
	odd := engine.Builtin{Name: "odd", In: []rules.ArgKind{rules.StepArg}, Call: func(_ context.Context, in []any) iter.Seq2[[]any, error] {
		if in[0].(int64)%2 == 1 {
			return engine.OneAnswer()
		}
		return nil
	}}
	limit := engine.Builtin{Name: "limit", Out: []rules.ArgKind{rules.NumberArg}, Deterministic: true,
		Call: func(context.Context, []any) iter.Seq2[[]any, error] { return engine.OneAnswer(75) }}
	tests := []struct {
		name, rule, want string
	}{
		{"a function", "failure('DirtyObjFailure', S, S, [O]) :- target(S, O), height(S, O, H), H < 75.", "[DirtyObjFailure 2 [Mug-1]]"},
		{"a function whose value is known", "failure('DirtyObjFailure', S, S, [O]) :- target(S, O), height(S, O, 80).", "[DirtyObjFailure 1 [Mug-1]]"},
		{"no inputs", "failure('DirtyObjFailure', S, S, [O]) :- limit(L), target(S, O), height(S, O, H), H < L.", "[DirtyObjFailure 2 [Mug-1]]"},
		{"a test", "failure('DirtyObjFailure', S, S, [O]) :- target(S, O), odd(S).", "[DirtyObjFailure 1 [Mug-1] DirtyObjFailure 3 [Faucet-1]]"},
		{"a negation", `failure('DirtyObjFailure', S, S, [O]) :- target(S, O), \+ odd(S).`, "[DirtyObjFailure 2 [Mug-1]]"},
		{"names that the log does not have", "failure('DirtyObjFailure', S, S, [O, P]) :- target(S, O), S = 1, beside(O, P), P \\== O, P @> 'Mug-1'.",
			"[DirtyObjFailure 1 [Mug-1 Shelf-9]]"},
		{"names that a rule has too", "failure('DirtyObjFailure', S, S, [O]) :- target(S, O), beside(O, 'Shelf-9'), S = 1.", "[DirtyObjFailure 1 [Mug-1]]"},
		{"a variable twice", "failure('DirtyObjFailure', S, S, [O]) :- target(S, O), two_of(O, N, N), S == N.", "[DirtyObjFailure 2 [Mug-1]]"},
		{"a helper predicate", "failure('DirtyObjFailure', S, S, [O]) :- target(S, O), low(S, O).\nlow(S, O) :- height(S, O, H), limit(L), H < L.", "[DirtyObjFailure 2 [Mug-1]]"},
		{"either", "failure('DirtyObjFailure', S, S, [O]) :- target(S, O), (odd(S), O = 'Faucet-1' ; height(S, O, 70)).", "[DirtyObjFailure 2 [Mug-1] DirtyObjFailure 3 [Faucet-1]]"},
		{"an if", "failure('DirtyObjFailure', S, S, [O]) :- target(S, O), (odd(S) -> O = 'Faucet-1' ; height(S, O, 70)).", "[DirtyObjFailure 2 [Mug-1] DirtyObjFailure 3 [Faucet-1]]"},
		{"a recursive predicate", "failure('DirtyObjFailure', S, S, [O]) :- target(S, O), comes_to(O, 'Shelf-9'), \\+ odd(S).\ncomes_to(X, Y) :- beside(X, Y).\ncomes_to(X, Z) :- seen_at(_, X, Y), comes_to(Y, Z).",
			"[DirtyObjFailure 2 [Mug-1]]"},
	}
	ctx := context.Background()
	for _, tt := range tests {
		for kind, r := range both(t, mustHave(t, tt.rule, height, beside, twoOf, odd, limit)) {
			res, err := r.Check(ctx, episodetest.Parse(t, r.Ontology, washing))
			if err != nil {
				t.Errorf("%s, %s: %v", tt.name, kind, err)
				continue
			}
			if got := fmt.Sprint(ownFindings(res)); got != tt.want {
				t.Errorf("%s, %s: found %s, want %s", tt.name, kind, got, tt.want)
			}
			res, err = stepByStep(r, res.Episode)
			if got := fmt.Sprint(ownFindings(res)); err != nil || got != tt.want {
				t.Errorf("%s, %s, step by step: found %s, error %v, want %s", tt.name, kind, got, err, tt.want)
			}
		}
	}
}

// stepByStep is what a monitor has found before the end.
func stepByStep(r *engine.Reasoner, ep *episode.Episode) (*engine.Result, error) {
	m := r.Watch(&episode.Episode{ID: ep.ID}, engine.Limits{}, nil)
	for _, st := range ep.Steps {
		if _, err := m.Step(context.Background(), st); err != nil {
			return &engine.Result{}, err
		}
	}
	return &engine.Result{Findings: m.Findings()}, nil
}

// A proof has what a host answered as a leaf, and tells so.
func TestProofOfBuiltin(t *testing.T) {
	const rule = "failure('DirtyObjFailure', S, S, [O]) :- target(S, O), \\+ beside(O, 'Sink-1'), height(S, O, H), H < 75."
	for kind, r := range both(t, mustHave(t, rule, height, beside)) {
		res, err := r.Check(context.Background(), episodetest.Parse(t, r.Ontology, washing))
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(res.Findings, func(f engine.Finding) bool { return f.Clause.Pos.File == "own.pl" })
		proof, err := r.Prove(context.Background(), res, &res.Findings[at])
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range proof.Children {
			got = append(got, fmt.Sprint(c.Goal, " ", c.InGo))
		}
		want := []string{"target(2, 'Mug-1') false", `\+ beside('Mug-1', 'Sink-1') false`, "height(2, 'Mug-1', 70) true", "70 < 75 false"}
		if diff := cmp.Diff(want, got); diff != "" || len(proof.Children[2].Children) > 0 {
			t.Errorf("%s (-want +got):\n%s", kind, diff)
		}
		why, _, err := r.WhyNot(context.Background(), res, "DirtyObjFailure", 1)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(why, func(u *engine.Unproved) bool { return u.Failed != nil && u.Failed.String() == "80 < 75" }) {
			t.Errorf("%s: why not does not have the height", kind)
		}
	}
}

var errNoPose = errors.New("no pose")

// What goes wrong in a host's predicate is an error of the rule, with its place, and the
// other rules go on.
func TestBuiltinErrors(t *testing.T) {
	const rule = "failure('DirtyObjFailure', S, S, [O]) :-\n    target(S, O),\n    asked(S, O, H), H < 75.\nfailure('DirtyObjFailure', S, S, [O]) :- target(S, O), S = 3."
	var list []int
	tests := []struct {
		name string
		call func(ctx context.Context, in []any) iter.Seq2[[]any, error]
		want string
		is   error
	}{
		{"an error", func(context.Context, []any) iter.Seq2[[]any, error] { return engine.AnswerError(errNoPose) }, "no pose", errNoPose},
		{"an error after answers", func(context.Context, []any) iter.Seq2[[]any, error] {
			return func(yield func([]any, error) bool) {
				_ = yield([]any{80}, nil) && yield(nil, fmt.Errorf("broken off: %w", errNoPose))
			}
		}, "broken off: no pose", errNoPose},
		{"a deadline of the host's own", func(context.Context, []any) iter.Seq2[[]any, error] {
			return engine.AnswerError(context.DeadlineExceeded)
		}, "context deadline exceeded", context.DeadlineExceeded},
		{"a panic", func(context.Context, []any) iter.Seq2[[]any, error] { panic("no table") }, "it panicked: no table", nil},
		{"a panic with an error", func(context.Context, []any) iter.Seq2[[]any, error] { panic(errNoPose) }, "it panicked: no pose", errNoPose},
		{"a panic between answers", func(context.Context, []any) iter.Seq2[[]any, error] {
			return func(yield func([]any, error) bool) { yield([]any{80}, nil); _ = list[3] }
		}, "it panicked: runtime error: index out of range", nil},
		{"too few values", func(context.Context, []any) iter.Seq2[[]any, error] { return engine.OneAnswer() }, "an answer of 0 values; expected 1", nil},
		{"too many values", func(context.Context, []any) iter.Seq2[[]any, error] { return engine.OneAnswer(1, 2) }, "an answer of 2 values; expected 1", nil},
		{"a name for a number", func(context.Context, []any) iter.Seq2[[]any, error] { return engine.OneAnswer("high") }, "it gave high as argument 3; expected a number", nil},
		{"what is no value", func(context.Context, []any) iter.Seq2[[]any, error] { return engine.OneAnswer(0.5) }, "argument 3: found a float64; expected a string, an integer", nil},
	}
	ctx := context.Background()
	for _, tt := range tests {
		asked := engine.Builtin{Name: "asked", In: height.In, Out: height.Out, Call: tt.call}
		for kind, r := range both(t, mustHave(t, rule, asked)) {
			res, err := r.Check(ctx, episodetest.Parse(t, r.Ontology, washing))
			var wrong *engine.BuiltinError
			if !errors.As(err, &wrong) {
				t.Errorf("%s, %s: error %v", tt.name, kind, err)
				continue
			}
			for _, part := range []string{"own.pl:1: the rule fails to run: asked/3, given in Go, at own.pl:3:5: " + tt.want} {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%s, %s: error %v; want %q", tt.name, kind, err, part)
				}
			}
			var limit *engine.LimitError
			if tt.is != nil && !errors.Is(err, tt.is) || errors.As(err, &limit) {
				t.Errorf("%s, %s: error %#v", tt.name, kind, err)
			}
			if panicked := strings.Contains(tt.want, "panicked"); panicked != strings.Contains(string(wrong.Stack), "builtin_test.go") {
				t.Errorf("%s, %s: stack %s", tt.name, kind, wrong.Stack)
			}
			if got := fmt.Sprint(ownFindings(res)); got != "[DirtyObjFailure 3 [Faucet-1]]" {
				t.Errorf("%s, %s: the others found %s", tt.name, kind, got)
			}
			rows, err := r.Rows(ctx, r.Facts(res.Episode), "asked(1, 'Mug-1', X)")
			if err != nil {
				t.Fatal(err)
			}
			for rows.Next() {
			}
			if err := rows.Err(); err == nil || !strings.Contains(err.Error(), "goal: asked/3, given in Go, at goal:1:1: "+tt.want) {
				t.Errorf("%s, %s: error of a query %v", tt.name, kind, err)
			}
		}
	}
}

// What a host answers counts against the limits, and the context ends it.
func TestBuiltinLimits(t *testing.T) {
	const rule = "failure('DirtyObjFailure', S, S, [O]) :- target(S, O), many(O, N), N < 0."
	endless := engine.Builtin{Name: "many", In: []rules.ArgKind{rules.ObjectArg}, Out: []rules.ArgKind{rules.NumberArg},
		Call: func(context.Context, []any) iter.Seq2[[]any, error] {
			return func(yield func([]any, error) bool) {
				for n := 0; yield([]any{n}, nil); n++ {
				}
			}
		}}
	for kind, r := range both(t, mustHave(t, rule, endless)) {
		for name, limits := range map[string]engine.Limits{"inferences": {Inferences: 10_000}, "bytes": {Bytes: 100_000}} {
			m := r.Watch(&episode.Episode{ID: "e"}, limits, nil)
			var limit *engine.LimitError
			_, err := m.Step(context.Background(), episode.Step{Index: 1, Action: episode.Action{Name: "pick_up", Target: "Mug-1"}})
			if !errors.As(err, &limit) || limit.Clause == nil || limit.Clause.Pos.File != "own.pl" || !errors.Is(err, engine.ErrLimit) {
				t.Errorf("%s, %s: error %v; want that of a limit", kind, name, err)
			}
		}
	}
	for _, regards := range []bool{true, false} { // the context
		ctx, cancel := context.WithCancel(context.Background())
		waits := endless
		waits.Call = func(ctx context.Context, _ []any) iter.Seq2[[]any, error] {
			cancel()
			<-ctx.Done()
			if regards {
				return engine.AnswerError(ctx.Err())
			}
			return engine.OneAnswer(1)
		}
		for kind, r := range both(t, mustHave(t, rule, waits)) {
			x := r.Facts(episodetest.Parse(t, r.Ontology, washing))
			rows, err := r.Rows(ctx, x, "target(1, O), many(O, N)")
			if err != nil {
				t.Fatal(err)
			}
			if rows.Next() || !errors.Is(rows.Err(), context.Canceled) {
				t.Errorf("%s: error %v; want that it was cancelled", kind, rows.Err())
			}
			var wrong *engine.BuiltinError
			if _, err := r.Check(ctx, episodetest.Parse(t, r.Ontology, washing)); !errors.Is(err, context.Canceled) || errors.As(err, &wrong) {
				t.Errorf("%s: error %v; want that it was cancelled", kind, err)
			}
		}
	}
}

func TestBuiltinsInGoals(t *testing.T) {
	kinds := engine.Builtin{Name: "as_list", In: []rules.ArgKind{rules.AnyArg}, Out: []rules.ArgKind{rules.AnyArg},
		Call: func(_ context.Context, in []any) iter.Seq2[[]any, error] {
			return engine.OneAnswer([]any{in[0], "end"})
		}}
	first := engine.Builtin{Name: "first", Out: []rules.ArgKind{rules.NumberArg}, Deterministic: true,
		Call: func(context.Context, []any) iter.Seq2[[]any, error] {
			return func(yield func([]any, error) bool) {
				for n := 1; yield([]any{n}, nil); n++ {
				}
			}
		}}
	r := mustHave(t, "", height, beside, kinds, first)
	for kind, r := range both(t, r) {
		x := r.Facts(episodetest.Parse(t, r.Ontology, washing))
		for goal, want := range map[string]string{
			"target(S, O), height(S, O, H)":                  "[map[H:80 O:Mug-1 S:1] map[H:70 O:Mug-1 S:2] map[H:90 O:Faucet-1 S:3]]",
			"beside('Mug-1', P)":                             "[map[P:Shelf-9] map[P:Faucet-1] map[P:Shelf-9]]",
			"findall(P, beside('Mug-1', P), L)":              "[map[L:[Shelf-9 Faucet-1 Shelf-9]]]",
			"once(beside('Mug-1', P))":                       "[map[P:Shelf-9]]",
			"beside('Mug-1', P), member(P, [x, 'Faucet-1'])": "[map[P:Faucet-1]]",
			"as_list([1, a], L)":                             "[map[L:[[1 a] end]]]",
			"as_list(1, [X | _])":                            "[map[X:1]]",
			"first(N)":                                       "[map[N:1]]",
			"height(1, nobody, H)":                           "[]",
		} {
			var got []map[string]any
			for answer, err := range r.Answers(context.Background(), x, goal) {
				if err != nil {
					t.Errorf("%s, %s: %v", kind, goal, err)
				}
				got = append(got, answer)
			}
			if fmt.Sprint(got) != want {
				t.Errorf("%s, %s: %v, want %s", kind, goal, got, want)
			}
		}
		for goal, want := range map[string]string{
			"height(S, 'Mug-1', H)":      "goal: height/3, given in Go, at goal:1:8: S has no value where one is needed; put what binds it before",
			"S = a, height(S, b, H)":     "goal: height/3, given in Go, at goal:1:15: argument 1 is a; expected a number",
			"as_list([1, X], L)":         "as_list/2, given in Go, at goal:1:10: X has no value where one is needed",
			"X = f(1), as_list(X, L)":    "argument 1 is f(1); expected a number, a name or a list of these",
			"X = [f(1)], as_list(X, L)":  "argument 1 is [f(1)]; expected a number, a name or a list of these",
			"height(1, 'Mug-1', H), foo": "undefined predicate foo/0",
		} {
			var err error
			for _, err = range r.Answers(context.Background(), x, goal) {
			}
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s, %s: error %v, want %q", kind, goal, err, want)
			}
		}
		high, err := r.Prepare("target(S, O), height(S, O, H), H > Least", "Least")
		if err != nil {
			t.Fatal(err)
		}
		rows, err := high.Query(context.Background(), x, 75)
		if err != nil {
			t.Fatal(err)
		}
		type answer struct {
			S, H int
			O    string
		}
		var got []answer
		for a, err := range engine.Collect[answer](rows) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, a)
		}
		if want := "[{1 80 Mug-1} {3 90 Faucet-1}]"; fmt.Sprint(got) != want {
			t.Errorf("%s: prepared goal %v, want %s", kind, got, want)
		}
	}
	if why := r.Interprets("as_list(1, L)"); why == nil || !strings.Contains(why.Text, "whether as_list/2 gives numbers, names or lists is known only when it runs") {
		t.Errorf("it is interpreted because %v", why)
	}
	if why := r.Interprets("target(S, O), height(S, O, H)"); why != nil {
		t.Errorf("it is interpreted because %v", why)
	}
}

// A host's predicate is asked nothing that the goals before it rule out.
func TestBuiltinIsAskedWhatIsLeft(t *testing.T) {
	var mu sync.Mutex
	var asked []string
	picky := engine.Builtin{Name: "picky", In: []rules.ArgKind{rules.ObjectArg}, Out: []rules.ArgKind{rules.NumberArg}, Deterministic: true,
		Call: func(_ context.Context, in []any) iter.Seq2[[]any, error] {
			mu.Lock()
			defer mu.Unlock()
			if asked = append(asked, in[0].(string)); in[0] != "Mug-1" {
				return engine.AnswerError(errNoPose)
			}
			return engine.OneAnswer(1)
		}}
	const rule = `
failure('DirtyObjFailure', S, S, [O]) :- seen(S, O), seen_at(T, O, P), T =< S, isa(P, 'RobotGripper'), picky(O, N), N > 0.
failure('DirtyObjFailure', S, S, [O]) :- seen(S, O), \+ (seen_at(_, O, P), isa(P, 'Sink'), picky(O, 0)), S = 2.`
	for kind, r := range both(t, mustHave(t, rule, picky)) {
		asked = nil
		if _, err := r.Check(context.Background(), episodetest.Parse(t, r.Ontology, washing)); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		if !slices.Contains(asked, "Mug-1") {
			t.Errorf("%s: asked of %q", kind, asked)
		}
	}
}

// The same is asked of a host's predicate once in a goal that is interpreted.
func TestBuiltinIsAskedOnce(t *testing.T) {
	calls := 0
	counted := engine.Builtin{Name: "counted", In: []rules.ArgKind{rules.ObjectArg}, Out: []rules.ArgKind{rules.NumberArg},
		Call: func(context.Context, []any) iter.Seq2[[]any, error] {
			calls++
			return engine.OneAnswer(calls)
		}}
	r := mustHave(t, "", counted).Interpreting()
	x := r.Facts(episodetest.Parse(t, r.Ontology, washing))
	var got []any
	for answer, err := range r.Answers(context.Background(), x, "member(_, [1, 2, 3]), counted('Mug-1', N)") {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, answer["N"])
	}
	if calls != 1 || fmt.Sprint(got) != "[1 1 1]" {
		t.Errorf("asked %d times, answers %v", calls, got)
	}
}

// A snapshot is restored where predicates of the same names are given.
func TestSnapshotWithBuiltins(t *testing.T) {
	const rule = "failure('DirtyObjFailure', S, S, [O, P]) :- target(S, O), height(S, O, H), H < 75, beside(O, P), P \\== 'Faucet-1'."
	r := mustHave(t, rule, height, beside)
	m := r.Watch(&episode.Episode{ID: "e"}, engine.Limits{}, nil)
	ep := episodetest.Parse(t, r.Ontology, washing)
	for _, st := range ep.Steps[:3] {
		if _, err := m.Step(context.Background(), st); err != nil {
			t.Fatal(err)
		}
	}
	data := save(t, m)
	other := height
	other.Call = nothing
	more := engine.Builtin{Name: "more", Call: nothing}
	restored, err := mustHave(t, rule, beside, other).Restore(bytes.NewReader(data), nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := "[DirtyObjFailure 2 [Mug-1 Shelf-9]]"; fmt.Sprint(ownFindings(&engine.Result{Findings: restored.Findings()})) != want {
		t.Errorf("findings %v, want %s", restored.Findings(), want)
	}
	for name, with := range map[string][]engine.Builtin{"one more": {height, beside, more}, "none": nil} {
		own := rule
		if with == nil {
			own = ""
		}
		if _, err := mustHave(t, own, with...).Restore(bytes.NewReader(data), nil); !errors.Is(err, engine.ErrOtherKnowledge) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if _, err := r.WithoutNegation().Check(context.Background(), ep); err != nil {
		t.Errorf("without negation: %v", err)
	}
}

// Goroutines share a reasoner and what a host gives it.
func TestBuiltinsAreShared(t *testing.T) {
	const rule = "failure('DirtyObjFailure', S, S, [P]) :- target(S, O), S = 2, beside(O, P), height(S, O, _), named(P, S, N), N \\== x."
	named := engine.Builtin{Name: "named", In: []rules.ArgKind{rules.ObjectArg, rules.StepArg}, Out: []rules.ArgKind{rules.WordArg}, Deterministic: true,
		Call: func(_ context.Context, in []any) iter.Seq2[[]any, error] { return engine.OneAnswer(fmt.Sprint(in...)) }}
	r := mustHave(t, rule, height, beside, named)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 10 {
				res, err := r.Check(context.Background(), episodetest.Parse(t, r.Ontology, washing))
				if got := fmt.Sprint(ownFindings(res)); err != nil || got != "[DirtyObjFailure 2 [Shelf-9] DirtyObjFailure 2 [Faucet-1]]" {
					t.Errorf("found %s, error %v", got, err)
				}
			}
		})
	}
	group.Wait()
}
