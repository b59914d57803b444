package rules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/ontology/document"
)

// Problem is a mistake found in a rule, as an error.
type Problem struct {
	Mistake *Mistake
	Pos     Pos
	Msg     string // with a hint what was meant
	Source  string // the source line; "" where there is none
}

// Error is one line: place, and what was found and expected.
func (p *Problem) Error() string { return p.Pos.String() + ": " + p.Msg }

// Detail shows the severity, the id of the mistake, and the source line with a
// caret under the place.
func (p *Problem) Detail() string {
	text := p.Pos.String() + ": " + p.Mistake.Severity.String() + ": " + p.Msg + " [" + p.Mistake.ID + "]"
	if p.Source == "" {
		return text
	}
	indent := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, p.Source[:min(max(0, p.Pos.Col-1), len(p.Source))])
	return text + "\n  " + p.Source + "\n  " + indent + "^"
}

// maxSource is how much of a line is shown, in bytes.
const maxSource = 400

// lineOf is a line of a text, "" for one that is too long to show.
func lineOf(src string, line int) string {
	for ; line > 1; line-- {
		_, rest, more := strings.Cut(src, "\n")
		if !more {
			return ""
		}
		src = rest
	}
	text, _, ends := strings.Cut(src[:min(len(src), maxSource+1)], "\n")
	if !ends && len(text) > maxSource {
		return ""
	}
	return strings.TrimRight(text, "\r")
}

// Problems are several mistakes as one error, a line each.
type Problems []*Problem

func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// ShowLines gives mistakes that lie in other documents than rules, such as the
// ontology, their source lines.
func (ps Problems) ShowLines(documents []document.Document) {
	for _, p := range ps {
		for _, d := range documents {
			if p.Source == "" && d.Name == p.Pos.File {
				p.Source = lineOf(string(d.Data), p.Pos.Line)
			}
		}
	}
}

// Sort puts the mistakes in order of file and place.
func (ps Problems) Sort() {
	slices.SortStableFunc(ps, func(p, q *Problem) int {
		return cmp.Or(cmp.Compare(p.Pos.File, q.Pos.File), cmp.Compare(p.Pos.Line, q.Pos.Line), cmp.Compare(p.Pos.Col, q.Pos.Col))
	})
}

// Unwrap gives the mistakes one by one.
func (ps Problems) Unwrap() []error {
	out := make([]error, len(ps))
	for i, p := range ps {
		out[i] = p
	}
	return out
}

// Errors are those that keep a program from running.
func (ps Problems) Errors() Problems {
	var out Problems
	for _, p := range ps {
		if p.Mistake.Severity == Error {
			out = append(out, p)
		}
	}
	return out
}
