package prolog

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	ichiban "github.com/ichiban/prolog"
	iso "github.com/ichiban/prolog/engine"
	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

const samples = "../../testdata/episodes/"

var reasoner = func() *engine.Reasoner {
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		panic(err)
	}
	return r
}()

// over makes an interpreter over sample logs, and gives what it writes.
func over(t testing.TB, o Options, names ...string) (*Interpreter, *bytes.Buffer) {
	t.Helper()
	var all []*episode.Episode
	for _, name := range names {
		read, err := logs.ReadAll(ontology.Default(), samples+name+".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, read...)
	}
	var out bytes.Buffer
	o.Reasoner, o.Output = reasoner, &out
	var err error
	if o.Episodes, err = Logged(ontology.Default(), all); err != nil {
		t.Fatal(err)
	}
	i, err := New(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return i, &out
}

// ask lists the answers of a goal, each in a line.
func ask(t testing.TB, i *Interpreter, goal string) ([]string, error) {
	t.Helper()
	out := []string{}
	err := i.Ask(context.Background(), goal, 1, func(bindings []string) bool {
		out = append(out, strings.Join(bindings, " "))
		return len(out) < 2000
	})
	return out, err
}

// file writes a file of Prolog.
func file(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.pl")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Whatever predicate the interpreter brings is allowed, denied or replaced, once: one that a
// new version brings is none of these.
func TestEveryPredicateIsJudged(t *testing.T) {
	judged := map[string]int{}
	for _, list := range [][]rules.Indicator{allowed, denied, replaced, prologue} {
		for _, of := range list {
			judged[of.String()]++
		}
	}
	for of, n := range judged {
		if n != 1 {
			t.Errorf("%s is judged %d times", of, n)
		}
	}
	machine := ichiban.New(nil, io.Discard)
	brought := reflect.ValueOf(machine).Elem().FieldByName("VM").FieldByName("procedures")
	if brought.Len() < 100 {
		t.Fatalf("%d predicates, want those of the standard", brought.Len())
	}
	for _, key := range brought.MapKeys() {
		name, arity := key.FieldByName("name"), key.FieldByName("arity").Int()
		of := atomText(name.Uint()) + "/" + itoa(arity)
		if judged[of] == 0 {
			t.Errorf("%s is neither allowed nor denied", of)
		}
		delete(judged, of)
	}
	delete(judged, "!/0") // which clauses have compiled
	for of := range judged {
		t.Errorf("%s is judged, but there is no such predicate", of)
	}
}

func TestNoAccess(t *testing.T) {
	secret := file(t, "secret(1).")
	made := filepath.Join(t.TempDir(), "made")
	i, _ := over(t, Options{}, "consequence")
	for _, of := range denied {
		goal := of.Name
		if of.Arity > 0 {
			goal += "(" + strings.TrimSuffix(strings.Repeat("user_input,", of.Arity), ",") + ")"
		}
		if _, err := ask(t, i, goal); err == nil || !strings.Contains(err.Error(), "there is no access to files, streams and processes") {
			t.Errorf("%s: error %v", goal, err)
		}
	}
	for _, goal := range []string{
		"open('" + made + "', write, S)", "open('" + secret + "', read, S, [])", "consult('" + secret + "')", "['" + secret + "']", "['" + strings.TrimSuffix(secret, ".pl") + "']",
		"call(open, '" + made + "', write, S)", "G =.. [open, '" + made + "', write, S], call(G)", "findall(S, open('" + secret + "', read, S), L)",
		"see(a)", "tell(a)", "shell(ls)", "system(ls)", "load_files(a, [])", "ensure_loaded(a)", "include(a)",
		"assertz((open(_, _, _) :- true))", "asserta((halt :- true))", "abolish(open/3)", "retract((once(_) :- _))", "assertz((term_expansion(a, b)))", "assertz((a, b))",
	} {
		if got, err := ask(t, i, goal); err == nil && len(got) > 0 {
			t.Errorf("%s: answers %v, want an error", goal, got)
		}
	}
	if _, err := os.Stat(made); err == nil {
		t.Error("a file was made")
	}
	for _, text := range []string{":- include('" + secret + "').", ":- ensure_loaded('" + secret + "').", ":- consult('" + secret + "').", ":- initialization(consult('" + secret + "'))."} {
		path := file(t, text)
		i, _ := over(t, Options{Files: []string{path}}, "consequence")
		if err := i.Consult(context.Background(), path); err == nil || !strings.Contains(err.Error(), "was not named to mishap") {
			t.Errorf("%s: error %v", text, err)
		}
		if i.defines(rules.Indicator{Name: "secret", Arity: 1}) {
			t.Errorf("%s: it was read", text)
		}
	}
}

func TestGoals(t *testing.T) {
	i, _ := over(t, Options{}, "consequence")
	for _, tt := range []struct {
		goal string
		want []string
	}{
		{"dropped(S, O)", []string{"S = 4 O = 'Mug-1'"}},
		{"dropped(E, S, O), isa(O, 'Mug')", []string{"E = consequence S = 4 O = 'Mug-1'"}},
		{"holds(S, 'Mug-1'), S > 2.", []string{"S = 3"}},
		{"?- holds(2, O)", []string{"O = 'Mug-1'"}},
		{"holds(none, O)", nil}, {"holds(S, nothing)", nil}, {"holds(other, S, O)", nil}, {"holds(S, f(x))", nil}, {"holds(S, \"Mug-1\")", nil},
		{"failure(C, S, _, [O]), C = 'DroppingObjFailure'", []string{"C = 'DroppingObjFailure' S = 4 O = 'Mug-1'"}},
		{"check(E, finding(C, S, _, Os))", []string{"E = consequence C = 'DroppingObjFailure' S = 4 Os = ['Mug-1']"}},
		{"check(other, F)", nil},
		{"episode(E)", []string{"E = consequence"}}, {"episode(other)", nil},
		{"task(_, T)", []string{"T = 'warm water in microwave'"}},
		{"recovers(S, 'DroppingObjFailure')", []string{"S = PickUpAgain", "S = AskHuman"}},
		{"triple(consequence, type, T)", []string{"T = 'Episode'"}}, {"triple('PickUpAgain', recovers, 'DroppingObjFailure')", []string{""}},
		{"findall(S, holds(S, _), L), length(L, N)", []string{"L = [2,3] N = 2"}},
		{"unify_with_occurs_check(X, f(X))", nil}, {"X \\= f(X), X \\= Y", nil}, {"X \\= f(X), f(X, b) \\= f(a, X)", []string{""}}, {"f(X, a) = f(g(X), b)", nil},
		{"catch(X = f(X), error(occurs_check(_, T), _), T = f(_))", []string{"T = f(_B)"}},
		{"X = f(Y, Y, Z), Y = g(Z, Z)", []string{"X = f(g(Z,Z),g(Z,Z),Z) Y = g(Z,Z)"}}, {"X = Y, Y = Z", []string{"Y = X Z = X"}}, {"X = [_, A|_]", []string{"X = [_B,A|_C]"}},
		{"X = (a :- b)", []string{"X = (a:-b)"}}, {"catch(atom_length(_, _), error(E, _), true)", []string{"E = instantiation_error"}},
		{"forall(holds(_, O), O == 'Mug-1')", []string{""}}, {"aggregate_all(count, step(_), N)", []string{"N = 19"}},
		{"value(S, O, Q, V)", nil}, {"differs(5, O, Is, Should)", []string{"O = 'Mug-1' Is = 'Floor-1' Should = 'Robot-1'"}},
	} {
		got, err := ask(t, i, tt.goal)
		if err != nil {
			t.Errorf("%s: %v", tt.goal, err)
			continue
		}
		if tt.want == nil {
			tt.want = []string{}
		}
		if strings.HasPrefix(tt.goal, "recovers") || strings.HasPrefix(tt.goal, "differs") {
			if len(got) == 0 {
				t.Errorf("%s: no answer", tt.goal)
			}
			continue
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.goal, diff)
		}
	}
}

func TestErrors(t *testing.T) {
	i, _ := over(t, Options{}, "consequence", "blocked-object")
	for goal, want := range map[string]string{
		"droped(S, O)":                        "there is no predicate droped/2; did you mean dropped?",
		"holds(S, O)":                         "holds/2 is of one episode; expected the episode before its arguments: holds(Episode, …)",
		"X is a + 1":                          "found a/0; expected evaluable in is/2",
		"X is 1 / 0":                          "the arithmetic has no value: zero_divisor",
		"atom_length(X, Y)":                   "a variable has no value where one is needed in atom_length/2",
		"f(X, X) = f(Y, g(Y))":                "has no answer but a term that is a part of itself; expected terms that end",
		"f(X,Y,X) = f(g(X),g(Y),Y)":           "has no answer but a term that is a part of itself; expected terms that end",
		"assertz(same(Z, f(Z))), same(A, A)":  "A would be a term that is a part of itself, which cannot be shown",
		"assertz(ends([_|T], T)), ends(A, A)": "A would be a term that is a part of itself, which cannot be shown",
		"throw(ball)":                         "uncaught exception: ball",
		"length(L, 1000000000000)":            "there is not enough memory for what the goal asks",
		"assertz(holds(1, 2))":                "holds/2 may not be changed; facts and rules have it; choose another name",
		"mug(O) :- isa(O, 'Mug')":             "found a clause; expected a goal",
		"member(X, [1, 2":                     "found the full stop within a term",
		"foo bar":                             `found "bar", where the term cannot go on`,
		"why(member(X, [1]))":                 "why/1 of member/2; expected what the facts and rules have",
		"format('~d', [a])":                   "domain_error",
		"robot(3, R)":                         "found 3; expected atom",
		"consult('other.pl')":                 "consult other.pl: the file was not named to mishap; expected one of none",
		"atom_concat(A, B, C), 1":             "",
		"sub_atom(abc, _, _, _, 1)":           "found 1; expected atom",
	} {
		_, err := ask(t, i, goal)
		if err == nil || !strings.Contains(err.Error(), want) && want != "domain_error" {
			t.Errorf("%s: error %v, want %q", goal, err, want)
		}
	}
}

// The facts and what rules define are the same as for queries, whatever is bound.
func TestFactsAreThoseOfQueries(t *testing.T) {
	for _, name := range []string{"consequence"} {
		i, _ := over(t, Options{}, name)
		v, err := i.followed.of(context.Background(), i.only)
		if err != nil {
			t.Fatal(err)
		}
		compared := 0
		for _, of := range slices.SortedFunc(maps.Keys(i.known), func(a, b rules.Indicator) int { return strings.Compare(a.String(), b.String()) }) {
			_, isFact := i.facts[of]
			if !isFact && len(rules.Default().Defining(of)) == 0 || of.Name == "failure" || of.Arity == 0 {
				continue
			}
			vars := []string{"A", "B", "C", "D", "E", "F", "G"}[:of.Arity]
			goal := of.Name + "(" + strings.Join(vars, ", ") + ")"
			var want []string
			var first []*rules.Term
			asked := reasoner
			if engine.AsksScores(goal) {
				asked = asked.WithScores()
			}
			err := asked.Query(context.Background(), asked.Facts(v.facts.Trace.Episode), goal, func(names []string, values []*rules.Term) bool {
				want = append(want, line(names, values))
				if first == nil {
					first = values
				}
				return len(want) < 2000
			})
			got, ours := ask(t, i, goal)
			if (err == nil) != (ours == nil) {
				t.Errorf("%s %s: error %v, of the query %v", name, goal, ours, err)
			}
			if err != nil {
				continue
			}
			compared += len(want)
			if diff := cmp.Diff(sorted(want), sorted(got)); diff != "" {
				t.Errorf("%s %s (-query +prolog):\n%s", name, goal, diff)
			}
			for n := range first { // each argument bound
				if first[n].Kind == rules.Variable {
					continue
				}
				bound := slices.Clone(vars)
				bound[n] = first[n].String()
				goal := of.Name + "(" + strings.Join(bound, ", ") + ")"
				want = nil
				if err := reasoner.Query(context.Background(), v.facts, goal, func(names []string, values []*rules.Term) bool {
					want = append(want, line(names, values))
					return len(want) < 2000
				}); err != nil || engine.AsksScores(goal) {
					continue
				}
				got, err := ask(t, i, goal)
				if diff := cmp.Diff(sorted(want), sorted(got)); diff != "" || err != nil {
					t.Errorf("%s %s: %v (-query +prolog):\n%s", name, goal, err, diff)
				}
			}
		}
		if compared < 500 {
			t.Errorf("%s: %d answers compared, want many", name, compared)
		}
	}
}

func line(names []string, values []*rules.Term) string {
	var out []string
	for n, name := range names {
		if text := values[n].String(); values[n].Kind != rules.Variable {
			out = append(out, name+" = "+strings.ReplaceAll(text, ", ", ","))
		}
	}
	return strings.Join(out, " ")
}

func sorted(lines []string) []string {
	if len(lines) == 0 {
		return nil
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

func TestLimits(t *testing.T) {
	path := file(t, `
loop :- loop.
without :- \+ without.
within :- findall(X, within, _).
grow(X) :- grow([X|X]).
deep(N, N, z) :- !.
deep(I, N, s(T)) :- J is I + 1, deep(J, N, T).
`)
	i, _ := over(t, Options{Files: []string{path}, Time: 20 * time.Millisecond}, "consequence")
	if err := i.Consult(context.Background(), path); err != nil {
		t.Fatal(err)
	}
	for _, goal := range []string{"loop", "repeat, fail", "catch(loop, _, true)", "catch(findall(X, loop, L), _, true)", "without", "within", "grow(a)"} {
		_, err := ask(t, i, goal)
		var limit *LimitError
		if !errors.As(err, &limit) || limit.Time == 0 {
			t.Errorf("%s: error %v, want one of the time", goal, err)
		}
	}
	i.Time, i.Memory = -1, 6<<20
	for _, goal := range []string{"within", "deep(0, 100000000, T)"} {
		_, err := ask(t, i, goal)
		var limit *LimitError
		if !errors.As(err, &limit) || limit.Memory == 0 {
			t.Errorf("%s: error %v, want one of the memory", goal, err)
		}
	}
	if got, err := ask(t, i, "X = 1"); err != nil || len(got) != 1 {
		t.Errorf("after what was stopped: %v, %v", got, err)
	}
	i.Memory = -1
	ctx, cancel := context.WithCancelCause(context.Background())
	time.AfterFunc(10*time.Millisecond, func() { cancel(ErrInterrupted) })
	if err := i.Ask(ctx, "loop", 1, func([]string) bool { return true }); !errors.Is(err, ErrInterrupted) {
		t.Errorf("interrupted: error %v", err)
	}
}

func TestConsult(t *testing.T) {
	path := file(t, `#!/usr/bin/mishap script
% A comment. It has a full stop.
:- dynamic([count/1, other/2]).
:- dynamic more/1.
:- discontiguous(apart/1).
count(0).
apart(1).
greeting --> [hello], name(_).
name(X) --> [X], { atom(X) }.
apart(2).
member(only, _).   /* the library's is not this one. */
tick :- retract(count(N)), M is N + 1, assertz(count(M)).
:- initialization(tick).
:- tick.
dot('.', ". ", 0'., 0''').
main(X) :- X = 'a. b'.
`)
	i, _ := over(t, Options{Files: []string{path}}, "consequence")
	if err := i.Consult(context.Background(), path); err != nil {
		t.Fatal(err)
	}
	check := func(goal, want string) {
		t.Helper()
		got, err := ask(t, i, goal)
		if err != nil || strings.Join(got, "; ") != want {
			t.Errorf("%s: %v, %v, want %s", goal, got, err, want)
		}
	}
	check("count(N)", "N = 2")
	check("phrase(greeting, [hello, world], R)", "R = []")
	check("findall(X, apart(X), L)", "L = [1,2]")
	check("member(X, [a])", "X = only")
	check("dot(A, B, C, D)", "A = '.' B = ['.',' '] C = 46 D = 39")
	check("main(X)", "X = 'a. b'")
	if _, err := ask(t, i, "assertz(main(1))"); err == nil {
		t.Error("a static predicate was changed")
	}
	check("assertz(new(1)), assertz(more(1)), new(X), more(X)", "X = 1")
	if err := os.WriteFile(path, []byte("count(7).\napart(3)."), 0o644); err != nil {
		t.Fatal(err)
	}
	check("consult('"+path+"'), count(N), findall(X, apart(X), L)", "N = 7 L = [3]")
}

func TestMistakesInFiles(t *testing.T) {
	path := file(t, `good(1).
bad(1.
good(2
  3).
holds(1, 2).
:- fail.
:- nothing.
'unended :- a.
`)
	var warnings bytes.Buffer
	i, _ := over(t, Options{Files: []string{path}, Warnings: &warnings}, "consequence")
	err := i.Consult(context.Background(), path)
	if err == nil {
		t.Fatal("no error")
	}
	want := strings.ReplaceAll(`F:2: found the full stop within a term; expected a term and a full stop
F:4: found "3", where the term cannot go on; expected a term and a full stop
F:5: holds/2 may not be defined; facts and rules have it; choose another name
F:6: the goal is false: fail
F:7: there is no predicate nothing/0; did you mean within?
F:8: found the end of the text within a term; expected a term and a full stop`, "F", path)
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if IsFalse(err) {
		t.Error("the errors are taken for goals that are false")
	}
	if err := os.WriteFile(path, []byte("a(1).\nb(1).\na(2).\n:- fail."), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := i.Consult(context.Background(), path); !IsFalse(err) {
		t.Errorf("error %v, want a goal that is false", err)
	}
	if text := warnings.String(); !strings.Contains(text, path+":3: warning: the clauses of a/1 do not stand together") {
		t.Errorf("warnings %q", text)
	}
}

// entered are lines of a session, the prompts with them in its transcript.
type entered struct {
	lines []string
	out   *bytes.Buffer
}

func (e *entered) Line(prompt string) (string, error) {
	e.out.WriteString(prompt)
	if len(e.lines) == 0 {
		return "", io.EOF
	}
	line := e.lines[0]
	e.lines = e.lines[1:]
	if line == "^C" {
		return "", ErrInterrupted
	}
	e.out.WriteString(line + "\n")
	return line, nil
}

func TestSession(t *testing.T) {
	i, written := over(t, Options{}, "consequence")
	top := &TopLevel{Interpreter: i, Out: written, Errors: written, Interactive: true}
	top.Lines = &entered{[]string{
		"holds(S,", "  O).", ";", ";", "holds(2, O).", "", "holds(9, O).", "", "% nothing", "broken(", "^C", "broken(.", "X = 1, write(hello). Y = 2.", "", "", "holds(2, 'Mug-1').", "loop(", "^C", "assertz(own(1)).", "own(X).", "", "halt.", "never(1).",
	}, written}
	out, err := top.Run(context.Background())
	if err != nil || !out.Failed || !out.Wrong {
		t.Errorf("outcome %v, %v", out, err)
	}
	want := `?- holds(S,
|    O).
S = 2,
O = 'Mug-1' ;
S = 3,
O = 'Mug-1' ;
false.
?- holds(2, O).
O = 'Mug-1' 
?- holds(9, O).
false.
?- 
?- % nothing
?- broken(
|  ?- broken(.
error: found the full stop within a term; expected a term and a full stop
?- X = 1, write(hello). Y = 2.
hello
X = 1 
Y = 2 
?- holds(2, 'Mug-1').
true.
?- loop(
|  ?- assertz(own(1)).
true.
?- own(X).
X = 1 
?- halt.
`
	if diff := cmp.Diff(want, written.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if code, halted := i.Halted(); !halted || code != 0 {
		t.Errorf("halted %v with %d", halted, code)
	}
}

func TestAnswersInFull(t *testing.T) {
	i, written := over(t, Options{}, "consequence")
	top := &TopLevel{Interpreter: i, Out: written, Errors: written, Most: 3}
	for _, goal := range []string{"holds(S, O)", "repeat", "step(S)", "member(X, [1]), throw(X)", "holds(9, O)"} {
		top.Show(context.Background(), goal)
	}
	want := `S = 2,
O = 'Mug-1' ;
S = 3,
O = 'Mug-1'.
true.
S = 1 ;
S = 2 ;
S = 3 ;
warning: there are more than 3 answers
error: uncaught exception: 1
false.
`
	if diff := cmp.Diff(want, written.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestClauseEnd(t *testing.T) {
	for text, want := range map[string]string{
		"a. b.": "a.", "  a(1.5).": "a(1.5).", "a": "", "": "", "% a.\n": "", "% a.\nb.": "b.", "/* a. */ b.": "b.", "/* a.": "",
		"a('. '). b.": "a('. ').", `a('\'. ').`: `a('\'. ').`, "a('it''s. ').": "a('it''s. ').", `a(". ").`: `a(". ").`, "a('. ": "",
		"X =.. Y.": "X =.. Y.", "X = '.'.": "X = '.'.", "a:- b.% c": "a:- b.", "0'. .": "0'. .", "x0'y. '.": "x0'y. '.", "0'''. b.": "0'''.", `0'\n. b.`: `0'\n.`,
		"a .\nb": "a .", "[a|b].": "[a|b].", "a.b.": "a.b.", "X = a/*c*/.": "X = a/*c*/.",
	} {
		begin, end, ok := clauseEnd(text)
		got := ""
		if ok {
			got = text[begin:end]
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzClauseEnd(f *testing.F) {
	for _, text := range []string{"a. b.", "a('", "0'", "0'\\", "/*", "%", ".", "a.", "\"\\", "a(0''"} {
		f.Add(text)
	}
	i, _ := over(f, Options{}, "consequence")
	f.Fuzz(func(t *testing.T, text string) {
		begin, end, ok := clauseEnd(text)
		if end < 0 || end > len(text) || ok && (begin < 0 || begin >= end || text[end-1] != '.') {
			t.Fatalf("%q: %d to %d, %v", text, begin, end, ok)
		}
		if len(text) < 1000 {
			i.term("", text, 1)
		}
	})
}

func TestTermsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		term := anyTerm(t, 4)
		back, err := read(written(term, nil), nil)
		if err != nil || back.String() != term.String() {
			t.Fatalf("%s became %v, %v", term, back, err)
		}
	})
}

func anyTerm(t *rapid.T, depth int) *rules.Term {
	switch kind := rapid.IntRange(0, 3).Draw(t, "kind"); {
	case kind == 0:
		return &rules.Term{Kind: rules.Integer, Int: rapid.Int64().Draw(t, "number")}
	case kind == 1:
		return &rules.Term{Kind: rules.Decimal, Int: rapid.Int64Range(-1e12, 1e12).Draw(t, "millionths")}
	case kind == 2 && depth > 0:
		out := &rules.Term{Kind: rules.Compound, Name: rapid.SampledFrom([]string{"f", ".", "Mug-1", "+"}).Draw(t, "functor")}
		for range rapid.IntRange(1, 3).Draw(t, "arguments") {
			out.Args = append(out.Args, anyTerm(t, depth-1))
		}
		return out
	}
	return &rules.Term{Kind: rules.Atom, Name: rapid.SampledFrom([]string{"a", "[]", "Mug-1", "", "it's", "ä"}).Draw(t, "name")}
}

func TestHistory(t *testing.T) {
	h := &History{Path: filepath.Join(t.TempDir(), "new", "history")}
	if had := h.Load(); len(had) != 0 {
		t.Errorf("had %v", had)
	}
	for _, goal := range []string{"a(X).", "a(X).", "b('%',\n  % why\n  c)."} {
		if err := h.Add(goal); err != nil {
			t.Fatal(err)
		}
	}
	other := &History{Path: h.Path}
	want := []string{"a(X).", "b('%',  c)."}
	if diff := cmp.Diff(want, other.Load()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if err := other.Add("c."); err != nil {
		t.Fatal(err)
	}
	if err := h.Add("d."); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(append(want, "c.", "d."), h.Load()); diff != "" {
		t.Errorf("two sessions (-want +got):\n%s", diff)
	}
	for range mostHistory + 5 {
		h.had = nil
		h.own = nil
		if len(h.read()) >= mostHistory {
			break
		}
		if err := os.WriteFile(h.Path, []byte(strings.Repeat("x.\n", mostHistory+3)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(h.Load()); n != mostHistory {
		t.Errorf("%d goals, want %d", n, mostHistory)
	}
}

func TestComplete(t *testing.T) {
	i, _ := over(t, Options{}, "consequence")
	if _, err := ask(t, i, "assertz(dropsy(1))"); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string][]string{
		"holds(S, O), drop": {"dropped", "dropsy"}, "isa(X, 'Microw": {"Microwave'"}, "": nil, "open": {"open_"}, "zzz": nil,
	} {
		names, typed := i.Complete(line)
		for _, name := range want {
			if name == "open_" { // what is denied is not offered
				if slices.Contains(names, "open") {
					t.Errorf("%q: %v", line, names)
				}
				continue
			}
			if !slices.Contains(names, name) {
				t.Errorf("%q: %v, want %s", line, names, name)
			}
		}
		if want == nil && len(names) > 0 {
			t.Errorf("%q: %v, want none", line, names)
		}
		if len(names) > 0 && !strings.HasSuffix(line, names[0][:typed]) {
			t.Errorf("%q: %d characters of %v", line, typed, names)
		}
	}
}

// atomText is the text of an atom by its number.
func atomText(n uint64) string { return iso.Atom(n).String() }

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
