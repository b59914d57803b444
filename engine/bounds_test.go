package engine_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/internal/inference"
	"github.com/mishap-robotics/mishap/rules"
)

// answers asks a goal over the facts of a short episode.
func answers(t *testing.T, r *engine.Reasoner, goal string) ([]string, error) {
	t.Helper()
	var out []string
	err := r.Query(context.Background(), r.Facts(carried()), goal, func(names []string, values []*rules.Term) bool {
		var row []string
		for i := range names {
			row = append(row, names[i]+"="+values[i].String())
		}
		out = append(out, strings.Join(row, " "))
		return true
	})
	return out, err
}

// Terms without end, numbers without end and long ways to them are errors that say so,
// compiled or interpreted; the process goes on.
func TestQueriesAreBounded(t *testing.T) {
	r := reasoner(t)
	ways := map[string]*engine.Reasoner{"compiled": r, "interpreted": r.Interpreting()}
	const nested, overflow = "nested more than 1000 deep, or is a part of itself", "a result of more than 64 bits"
	for _, tt := range []struct{ goal, want string }{
		{"X = f(X)", nested},
		{"X = f(X), Y = f(Y), X = Y", nested},
		{"X = f(X), Y = f(Y), X == Y", nested},
		{"X = f(g(X), a), findall(X, true, L)", nested},
		{"X = X + 1, Y is X", nested},
		{"X = [a|X]", "limit"},
		{"X = [a|X], Y = [a|Y], X = Y", "limit"},
		{"findall(X, between(1, 2000, X), L), append(A, B, L), append(C, D, L), append(E, F, L), fail", "limit"},
		{"X is 9223372036854775807 + 1", overflow},
		{"X is -9223372036854775807 - 2", overflow},
		{"X is 3037000500 * 3037000500", overflow},
		{"X is (-9223372036854775807 - 1) // -1", overflow},
		{"Y = -9223372036854775808, X is -Y", overflow},
		{"X is 1 // 0", "division by zero"},
		{"X is 1 mod 0", "division by zero"},
	} {
		for name, r := range ways {
			got, err := answers(t, r, tt.goal)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s, %s: %d answers, error %v; want one of %q", tt.goal, name, len(got), err, tt.want)
			}
		}
	}
}

func TestQueriesAtTheEdges(t *testing.T) {
	r := reasoner(t)
	ways := map[string]*engine.Reasoner{"compiled": r, "interpreted": r.Interpreting()}
	for goal, want := range map[string]string{
		"between(9223372036854775806, 9223372036854775807, X)":          "X=9223372036854775806;X=9223372036854775807",
		"X is -9223372036854775808 mod -1":                              "X=0",
		"X is 9223372036854775807 mod 9223372036854775806":              "X=1",
		"X is 9223372036854775806 mod 9223372036854775807":              "X=9223372036854775806",
		"X = f(Y), Y = g(a)":                                            "X=f(g(a)) Y=g(a)",
		"findall(X, between(1, 5, X), L), length(L, N)":                 "L=[1, 2, 3, 4, 5] N=5",
		"action(S, A), S < -9223372036854775807 + 5":                    "",
		"action(S, A), S > 9223372036854775807 - 5":                     "",
		"A = -9223372036854775808, action(S, N), S >= A, S =< A + 1000": "",
	} {
		for name, r := range ways {
			got, err := answers(t, r, goal)
			if text := strings.Join(got, ";"); err != nil || text != want {
				t.Errorf("%s, %s: answers %q, error %v; want %q", goal, name, text, err, want)
			}
		}
	}
}

// A rule that computes more than 64 bits hold, concludes a step that no log has, or makes
// a term without end, fails to run; it concludes nothing.
func TestRulesDoNotWrap(t *testing.T) {
	for _, rule := range []string{
		`failure('ActionExecutionFailure', S, S, []) :- action(S, _), X is 9223372036854775807 + S, X < 0.`,
		`failure('ActionExecutionFailure', X, X, []) :- action(S, _), X is S + 4294967296.`,
		`failure('ActionExecutionFailure', S, S, []) :- action(S, _), X = f(X), Y = f(Y), X = Y.`,
	} {
		r := withRule(t, rule)
		for name, r := range map[string]*engine.Reasoner{"compiled": r, "interpreted": r.Interpreting()} {
			res, err := r.Check(context.Background(), carried())
			if err == nil || !strings.Contains(err.Error(), "the rule fails to run") || errors.Is(err, inference.ErrLimit) {
				t.Errorf("%s\n%s: error %v, want that the rule fails to run", rule, name, err)
			}
			for _, f := range res.Findings {
				if strings.HasPrefix(f.Rule(), "own.pl") {
					t.Errorf("%s\n%s: found %s at step %d", rule, name, f.Type, f.Step)
				}
			}
		}
	}
}
