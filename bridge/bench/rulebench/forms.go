package rulebench

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/factstream"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/rules"
)

//go:embed eight.pl
var eight []byte

//go:embed online.pl
var online []byte

// loadEight reads the eight rules that all engines can evaluate.
func loadEight() (*rules.Program, error) {
	return rules.Load([]document.Document{{Name: "eight.pl", Data: eight}})
}

// writeJSON writes the facts of a step as a line of JSON: {"step":1,"facts":
// [["seen",1,"Mug-1"]]}.
func writeJSON(w io.Writer, s factstream.StepFacts) error {
	line := struct {
		Step  int32   `json:"step"`
		Facts [][]any `json:"facts"`
	}{Step: s.Step}
	for _, f := range s.Facts {
		row := []any{f.Name}
		for _, a := range f.Args {
			if a.Kind == rules.Integer {
				row = append(row, a.Int)
			} else {
				row = append(row, a.Name)
			}
		}
		line.Facts = append(line.Facts, row)
	}
	return json.NewEncoder(w).Encode(line)
}

// writeProlog writes the facts of a step as a Prolog term: step(1, [seen(1,
// 'Mug-1')]).
func writeProlog(w io.Writer, s factstream.StepFacts) error {
	texts := make([]string, len(s.Facts))
	for i, f := range s.Facts {
		texts[i] = f.String()
	}
	_, err := fmt.Fprintf(w, "step(%d, [%s]).\n", s.Step, strings.Join(texts, ", "))
	return err
}

// writeProgram writes rules as Prolog.
func writeProgram(w io.Writer, p *rules.Program) error {
	if _, err := fmt.Fprintln(w, ":- discontiguous failure/4."); err != nil {
		return err
	}
	for _, c := range p.Clauses {
		if _, err := fmt.Fprintln(w, c); err != nil {
			return err
		}
	}
	return nil
}

// indicators are the fact predicates as Prolog names them.
func indicators() []string {
	var out []string
	for _, p := range engine.Vocabulary() {
		out = append(out, p.Indicator().String())
	}
	return out
}

// writeMangle writes rules that are conjunctions with negation and comparison in
// Mangle's syntax. A clause is asked about the steps that now holds of: the step of
// a failure, the first argument of a helper predicate. The error names what Mangle
// has no form for.
func writeMangle(w io.Writer, p *rules.Program) error {
	fmt.Fprintln(w, "Decl now(A0).")
	vocabulary := engine.Vocabulary()
	for _, n := range factstream.Asked(p) {
		var args []string
		for i := range vocabulary[n].Args {
			args = append(args, fmt.Sprint("A", i))
		}
		fmt.Fprintf(w, "Decl %s(%s).\n", vocabulary[n].Name, strings.Join(args, ", "))
	}
	for _, c := range p.Clauses {
		head, step := "", c.Head.Args[0]
		if c.ConcludesFailure() {
			items, ok := c.Head.Args[3].List()
			if !ok {
				return fmt.Errorf("%s: a list that is no list of objects", c.Pos)
			}
			args := append(slices.Clone(c.Head.Args[:3]), items...)
			head, step = fmt.Sprintf("found%d(%s)", len(items), mangleArgs(args)), c.Head.Args[1]
		} else {
			head = c.Head.Name + "(" + mangleArgs(c.Head.Args) + ")"
		}
		goals := []string{"now(" + mangleArgs([]*rules.Term{step}) + ")"}
		for _, g := range c.Body {
			text, err := mangleGoal(g)
			if err != nil {
				return fmt.Errorf("%s: %w", c.Pos, err)
			}
			goals = append(goals, text)
		}
		if _, err := fmt.Fprintf(w, "%s :- %s.\n", head, strings.Join(goals, ", ")); err != nil {
			return err
		}
	}
	return nil
}

func mangleGoal(g *rules.Term) (string, error) {
	switch {
	case g.Is(`\+`, 1):
		inner, err := mangleGoal(g.Args[0])
		return "!" + inner, err
	case g.Is(`\==`, 2):
		return mangleArgs(g.Args[:1]) + " != " + mangleArgs(g.Args[1:]), nil
	case rules.IsBuiltin(g.Indicator()):
		return "", fmt.Errorf("%s has no form in Mangle here", g.Indicator())
	}
	return g.Name + "(" + mangleArgs(g.Args) + ")", nil
}

func mangleArgs(args []*rules.Term) string {
	texts := make([]string, len(args))
	for i, a := range args {
		switch {
		case a.Kind == rules.Atom:
			texts[i] = strconv.Quote(a.Name)
		case a.Kind == rules.Variable && strings.HasPrefix(a.Name, "_"):
			texts[i] = "_"
		default:
			texts[i] = a.String()
		}
	}
	return strings.Join(texts, ", ")
}

// observed adds to what rules ask for what every observation tells.
func observed(p *rules.Program) []int {
	out := factstream.Asked(p)
	for _, name := range []rules.Indicator{{Name: "step", Arity: 1}, {Name: "observed", Arity: 1}, {Name: "final", Arity: 1}, {Name: "succeeded", Arity: 1}, {Name: "seen_relation", Arity: 4}} {
		if n, ok := factstream.Number(name); ok && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out
}
