package prolog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Lines are those that somebody enters, or a file of them. The error is io.EOF at the end,
// and ErrInterrupted where the line is given up.
type Lines interface {
	Line(prompt string) (string, error)
}

// TopLevel asks an interpreter what is entered, goal by goal, each up to its full stop.
type TopLevel struct {
	*Interpreter
	Lines
	Out, Errors io.Writer
	// Interactive says that somebody sees each answer and decides whether there is to be
	// another. Else all are shown, Most at most.
	Interactive bool
	Most        int
	// Entered is told each goal before it is asked; it may be nil.
	Entered func(goal string)
	// Goal makes the context of a goal, whose interruption ends the goal alone; it may be nil.
	Goal func(context.Context) (context.Context, func())
}

const (
	prompt     = "?- "
	promptMore = "|  "
)

// Outcome is what became of the goals of a session.
type Outcome struct {
	Failed bool // one had no answer
	Wrong  bool // one was no goal, or went wrong
}

// Run asks until the lines end or halt/0 is called.
func (t *TopLevel) Run(ctx context.Context) (Outcome, error) {
	var out Outcome
	text, line, begun := "", 0, 1
	for {
		shown := prompt
		if !blank(text) {
			shown = promptMore
		}
		entered, err := t.Line(shown)
		switch {
		case errors.Is(err, ErrInterrupted):
			text, begun = "", line+1
			continue
		case err != nil && !errors.Is(err, io.EOF):
			return out, err
		case err != nil:
			if !blank(text) {
				t.wrong(&out, &SyntaxError{"", t.lineOf(begun), "the end of the text within a term"})
			}
			return out, nil
		}
		line++
		if text == "" {
			begun = line
		}
		text += entered + "\n"
		for {
			rest, whole := Whole(text)
			if !whole {
				break
			}
			goal := strings.TrimSuffix(text, rest)
			begin, _, _ := clauseEnd(goal)
			t.ask(ctx, goal[begin:], t.lineOf(begun+strings.Count(goal[:begin], "\n")), &out)
			begun += strings.Count(goal, "\n")
			text = rest
			if err := ctx.Err(); err != nil {
				return out, context.Cause(ctx)
			}
			if _, halted := t.Halted(); halted {
				return out, nil
			}
		}
		if blank(text) {
			text = ""
		}
	}
}

// lineOf is what errors have for a line: nothing, where somebody sees what is entered.
func (t *TopLevel) lineOf(line int) int {
	if t.Interactive {
		return 0
	}
	return line
}

// Show asks one goal, whose full stop may be left out.
func (t *TopLevel) Show(ctx context.Context, goal string) Outcome {
	var out Outcome
	t.ask(ctx, goal, 0, &out)
	return out
}

func (t *TopLevel) wrong(out *Outcome, err error) {
	out.Wrong = true
	fmt.Fprintf(t.Errors, "error: %v\n", err)
}

// ask asks one goal and shows its answers.
func (t *TopLevel) ask(ctx context.Context, goal string, line int, out *Outcome) {
	if t.Entered != nil {
		t.Entered(goal)
	}
	if t.Goal != nil {
		var end func()
		ctx, end = t.Goal(ctx)
		defer end()
	}
	shown := &answers{top: t}
	err := t.Ask(ctx, goal, line, shown.take)
	if _, halted := t.Halted(); halted && err == nil {
		return
	}
	switch {
	case shown.enough:
	case err != nil:
		shown.close("")
		t.wrong(out, err)
	case shown.count == 0:
		fmt.Fprintln(t.Out, "false.")
		out.Failed = true
	default:
		shown.end()
	}
}

// answers shows those of a goal.
type answers struct {
	top     *TopLevel
	count   int
	pending []string // the last answer, which what follows is to be written after
	open    bool
	enough  bool // no more are wanted
}

// take shows an answer and tells whether more are wanted.
func (a *answers) take(bindings []string) bool {
	a.count++
	if len(bindings) == 0 {
		bindings = []string{"true"}
	}
	if a.top.Interactive {
		return a.offer(bindings)
	}
	if a.open && slices.Equal(a.pending, bindings) && bindings[0] == "true" {
		return a.count < a.top.Most // that it holds in several ways tells nothing
	}
	a.close(" ;")
	if a.count > a.top.Most {
		fmt.Fprintf(a.top.Errors, "warning: there are more than %d answers\n", a.top.Most)
		a.enough = true
		return false
	}
	a.pending, a.open = bindings, true
	return true
}

// close writes the last answer, and what is to stand after it.
func (a *answers) close(after string) {
	if a.open {
		fmt.Fprintln(a.top.Out, strings.Join(a.pending, ",\n")+after)
	}
	a.open = false
}

// end writes what stands where there are no more answers.
func (a *answers) end() {
	if a.top.Interactive {
		fmt.Fprintln(a.top.Out, "false.")
		return
	}
	a.close(".")
}

// offer shows an answer, and asks whether another is wanted where it has values.
func (a *answers) offer(bindings []string) (more bool) {
	last := len(bindings) - 1
	for _, b := range bindings[:last] {
		fmt.Fprintln(a.top.Out, b+",")
	}
	if bindings[last] == "true" {
		fmt.Fprintln(a.top.Out, "true.")
		a.enough = true
		return false
	}
	said, err := a.top.Line(bindings[last] + " ")
	more = err == nil && (strings.TrimSpace(said) == ";" || strings.TrimSpace(said) == "n")
	a.enough = !more
	return more
}
