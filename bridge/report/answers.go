package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/mishap-robotics/mishap/rules"
)

// Answers are the answers to a Prolog goal. Variables whose names begin with an
// underscore are not shown.
type Answers struct {
	// Answers give the values of the variables by their names. Scripts rely on it.
	Answers []map[string]any `json:"answers"`
	names   []string         // of the variables that are shown
	rows    [][]*rules.Term  // the values of these
}

// Add adds an answer, which gives each variable a value.
func (a *Answers) Add(names []string, values []*rules.Term) {
	answer := map[string]any{}
	a.names = nil
	var row []*rules.Term
	for i, name := range names {
		if strings.HasPrefix(name, "_") {
			continue
		}
		a.names = append(a.names, name)
		row = append(row, values[i])
		answer[name] = jsonValue(values[i])
	}
	a.Answers, a.rows = append(a.Answers, answer), append(a.rows, row)
}

// JSON writes the answers as one object.
func (a *Answers) JSON(w io.Writer) error {
	if a.Answers == nil {
		a.Answers = []map[string]any{}
	}
	return JSON(w, a)
}

// Text writes the answers as a table with a header line, or yes or no where the goal has
// no variables or no answers.
func (a *Answers) Text(w io.Writer) error {
	switch {
	case len(a.rows) == 0:
		_, err := fmt.Fprintln(w, "no")
		return err
	case len(a.names) == 0:
		_, err := fmt.Fprintln(w, "yes")
		return err
	}
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, strings.Join(a.names, "\t"))
	for _, row := range a.rows {
		var cells []string
		for _, value := range row {
			cells = append(cells, plainText(value))
		}
		fmt.Fprintln(t, strings.Join(cells, "\t"))
	}
	return t.Flush()
}

// plainText writes atoms without quotation marks.
func plainText(t *rules.Term) string {
	switch t.Kind {
	case rules.Variable:
		return "_"
	case rules.Atom:
		return strings.Map(func(r rune) rune {
			if r < ' ' || r == 0x7f {
				return ' '
			}
			return r
		}, t.Name)
	}
	return t.String()
}

func jsonValue(t *rules.Term) any {
	switch {
	case t.Kind == rules.Integer:
		return t.Int
	case t.Kind == rules.Atom && t.Name != "[]":
		return t.Name
	case t.Kind == rules.Variable:
		return nil
	}
	if items, ok := t.List(); ok {
		out := []any{}
		for _, i := range items {
			out = append(out, jsonValue(i))
		}
		return out
	}
	return t.String()
}
