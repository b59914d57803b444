package rules

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	tests := []struct{ in, want string }{
		{"p.", "p."},
		{"p(X) :- q(X), \\+ r(X).", "p(X) :- q(X), \\+ r(X)."},
		{"p :- a, (b ; c -> d), e.", "p :- a, (b ; c -> d), e."},
		{"p([]). p([a, b|T]).", "p([]).\np([a, b | T])."},
		{"p(X) :- X is 1 + 2 * 3 - 4.", "p(X) :- X is 1 + 2 * 3 - 4."},
		{"p(X) :- X is (1 + 2) * -3.", "p(X) :- X is (1 + 2) * -3."},
		{"p('It''s', 'a\\nb', 'A').", `p('It\'s', 'a\nb', 'A').`},
		{"p('\\x41\\').", "p('A')."},
		{"% a comment\np. /* two\nlines */ q.", "p.\nq."},
		{"p(S, T) :- S =< T, S \\== T, S =:= T.", "p(S, T) :- S =< T, S \\== T, S =:= T."},
		{"p(_, _).", "p(_G1, _G2)."},
	}
	for _, tt := range tests {
		clauses, err := parseAll("t.pl", tt.in)
		if err != nil {
			t.Errorf("Parse(%q): %v", tt.in, err)
			continue
		}
		var got []string
		for _, c := range clauses {
			got = append(got, c.String())
		}
		if diff := cmp.Diff(tt.want, strings.Join(got, "\n")); diff != "" {
			t.Errorf("Parse(%q) (-want +got):\n%s", tt.in, diff)
		}
	}
}

// parseAll reads clauses that are to be without a mistake; the error is the first one.
func parseAll(file, src string) ([]*Clause, error) {
	clauses, problems := parse(file, src)
	if len(problems) > 0 {
		return clauses, problems[0]
	}
	return clauses, nil
}

func TestParsePositions(t *testing.T) {
	clauses, err := parseAll("t.pl", "p.\n\n  q(X) :-\n    r(X).\n")
	if err != nil {
		t.Fatal(err)
	}
	if got := clauses[1].Pos.String(); got != "t.pl:3:3" {
		t.Errorf("clause at %s, want t.pl:3:3", got)
	}
	if got := clauses[1].Body[0].Pos.String(); got != "t.pl:4:5" {
		t.Errorf("goal at %s, want t.pl:4:5", got)
	}
}

// Each case marks with ^ the column that the error must point at.
func TestParseErrors(t *testing.T) {
	tests := []struct{ in, at, msg string }{
		{"p(X) :- q(X)", "            ^", "expected a full stop"},
		{"p(X :- q.", "    ^", `expected ")"`},
		{"p(a,).", "    ^", "expected a term"},
		{"p :- .", "     ^", "expected a term"},
		{"P :- q.", "^", "head of a clause"},
		{":- initialization(p).", "^", "directives"},
		{"p :- 1.", "     ^", "not a goal"},
		{"p('abc.", "  ^", "does not end on its line"},
		{"p('\\q').", "    ^", "unknown escape"},
		{"p :- q :- r.", "       ^", "full stop"},
		{"p(99999999999999999999).", "  ^", "out of range"},
		{"p :- {q}.", "     ^", "unexpected character"},
		{"/* p.", "^", "comment does not end"},
		{"a, b.", " ^", "head of a clause"},
		{"p(\xff).", "  ^", "not UTF-8"},
		{"p(" + strings.Repeat("[", 300), "", "nest deeper"},
	}
	for _, tt := range tests {
		_, err := parseAll("t.pl", tt.in)
		var s *Problem
		if !errors.As(err, &s) {
			t.Errorf("Parse(%q): error %v, want a Problem", tt.in, err)
			continue
		}
		if !strings.Contains(s.Msg, tt.msg) {
			t.Errorf("Parse(%q): %q, want it to say %q", tt.in, s.Msg, tt.msg)
		}
		if caret := strings.Split(s.Detail(), "\n")[2][2:]; tt.at != "" && caret != tt.at {
			t.Errorf("Parse(%q) points at\n%s\n%s\nwant\n%s", tt.in, s.Source, caret, tt.at)
		}
	}
}

func TestParseGoal(t *testing.T) {
	goals, err := ParseGoal("failed(S), target(S, 'Mug-1')")
	if err != nil || len(goals) != 2 || goals[1].String() != "target(S, 'Mug-1')" {
		t.Fatalf("goals %v, error %v", goals, err)
	}
	for in, want := range map[string]string{
		"":              "the goal is empty",
		" . ":           "the goal is empty",
		"failed(S":      `expected ")"`,
		"p(X). q(X)":    "one goal only",
		"p(X) q(X)":     "expected a comma",
		"3":             "not a goal",
		"p :- q":        "expected a comma",
		"\xc3(":         "not UTF-8",
		"p, X":          "not a goal",
		"\\+ (a, 2)":    "not a goal",
		"p(a)) , q(b) ": "expected",
	} {
		if _, err := ParseGoal(in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseGoal(%q): error %v, want it to say %q", in, err, want)
		}
	}
}

// terms draws terms that rule files can hold.
func terms(depth int) *rapid.Generator[*Term] {
	return rapid.Custom(func(t *rapid.T) *Term {
		kinds := 4
		if depth == 0 {
			kinds = 3
		}
		switch rapid.IntRange(0, kinds).Draw(t, "kind") {
		case 0:
			return &Term{Kind: Variable, Name: rapid.StringMatching(`[A-Z][a-zA-Z0-9_]{0,4}`).Draw(t, "variable")}
		case 1:
			return &Term{Kind: Integer, Int: rapid.Int64().Draw(t, "integer")}
		case 2:
			return &Term{Kind: Atom, Name: rapid.OneOf(rapid.StringN(0, 6, -1), rapid.SampledFrom([]string{"[]", "is", "+", ":-", "a'b", "\\", "A"})).Draw(t, "atom")}
		case 3:
			end := &Term{Kind: Atom, Name: "[]"}
			for range rapid.IntRange(0, 3).Draw(t, "length") {
				end = &Term{Kind: Compound, Name: ".", Args: []*Term{terms(0).Draw(t, "item"), end}}
			}
			return end
		}
		name := rapid.SampledFrom([]string{"f", "=", ",", ";", "->", "-", "+", "*", `\+`, "a b", "is"}).Draw(t, "functor")
		c := &Term{Kind: Compound, Name: name}
		arity := rapid.IntRange(1, 3).Draw(t, "arity")
		for range arity {
			c.Args = append(c.Args, terms(depth-1).Draw(t, "arg"))
		}
		return c
	})
}

func TestTermsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := &Term{Kind: Compound, Name: "p", Args: []*Term{terms(3).Draw(t, "term")}}
		text := want.String()
		clauses, err := parseAll("t.pl", text+" .")
		if err != nil {
			t.Fatalf("%s does not read back: %v", text, err)
		}
		if diff := cmp.Diff(want, clauses[0].Head, cmpopts.IgnoreFields(Term{}, "Pos"), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%s reads back as another term (-want +got):\n%s", text, diff)
		}
	})
}

func TestParseGoesOn(t *testing.T) {
	clauses, problems := parse("t.pl", "p(X) :- q(X.\nq(1).\nr(\"x\").\n'open.\ns(2).\nt(3) u(4).\nv(5).")
	var got []string
	for _, c := range clauses {
		got = append(got, c.String())
	}
	if diff := cmp.Diff([]string{"q(1).", "v(5)."}, got); diff != "" {
		t.Errorf("clauses (-want +got):\n%s", diff)
	}
	var at []string
	for _, p := range problems {
		at = append(at, p.Pos.String())
	}
	if diff := cmp.Diff([]string{"t.pl:1:12", "t.pl:3:3", "t.pl:4:1", "t.pl:6:6"}, at); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range Shipped() {
		f.Add(string(s.Data))
	}
	f.Add("p(X) :- \\+ (q(X), r([X|_], 'a''b', -1)) ; fail -> ! .")
	f.Fuzz(func(t *testing.T, src string) {
		clauses, problems := parse("f.pl", src)
		for i, p := range problems {
			_ = p.Detail()
			if i > 0 && problems[i-1].Pos == p.Pos {
				t.Fatalf("two mistakes at %s", p.Pos)
			}
		}
		for _, c := range clauses {
			again, err := parseAll("again.pl", c.String())
			if err != nil || len(again) != 1 || again[0].String() != c.String() {
				t.Fatalf("clause %s does not read back: %v", c, err)
			}
		}
	})
}

func FuzzParseGoal(f *testing.F) {
	f.Add("failed(S), target(S, O)")
	f.Add("findall(O, target(1, O), L), length(L, N), N > 0.")
	f.Fuzz(func(t *testing.T, src string) {
		if goals, err := ParseGoal(src); err == nil && len(goals) == 0 {
			t.Fatal("no goals and no error")
		}
	})
}

func BenchmarkParse(b *testing.B) {
	sources := Shipped()
	for b.Loop() {
		if _, err := Load(sources); err != nil {
			b.Fatal(err)
		}
	}
}
