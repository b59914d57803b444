package prolog

import (
	"context"
	"errors"
	"fmt"
	"slices"

	iso "github.com/ichiban/prolog/engine"

	"github.com/mishap-robotics/mishap/ontology"
)

// Exception is one that nothing caught. Its Text is for people.
type Exception struct {
	Text string
	term iso.Term
}

func (e *Exception) Error() string { return e.Text }

// exception is an error of Go as one of Prolog, which catch/3 may catch.
func exception(err error, env *iso.Env) error {
	var thrown iso.Exception
	switch {
	case errors.As(err, &thrown), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, errHalted):
		return err
	}
	return iso.NewException(errorAtom.Apply(iso.NewAtom("system_error"), iso.NewAtom(err.Error())), env)
}

// explain words an exception.
func (i *Interpreter) explain(t iso.Term) string {
	c, ok := functor(t, nil, "error", 2)
	if !ok {
		return "uncaught exception: " + i.text(t)
	}
	what, in := c.Arg(0), ""
	if of, ok := indicated(c.Arg(1), nil); ok {
		in = fmt.Sprintf(" in %s", of)
	}
	if e, ok := functor(what, nil, "existence_error", 2); ok {
		of, named := indicated(e.Arg(1), nil)
		switch {
		case named && (of.Name == ":-" || of.Name == "-->"):
			return "found a clause; expected a goal, as assertz((mug(O) :- isa(O, 'Mug'))), which adds one"
		case named && i.text(e.Arg(0)) == "procedure":
			return fmt.Sprintf("there is no predicate %s%s", of, i.hint(of.Name))
		}
		return fmt.Sprintf("there is no %s %s%s", i.text(e.Arg(0)), i.text(e.Arg(1)), in)
	}
	if e, ok := functor(what, nil, "type_error", 2); ok {
		return fmt.Sprintf("found %s; expected %s%s", i.text(e.Arg(1)), i.text(e.Arg(0)), in)
	}
	if e, ok := functor(what, nil, "domain_error", 2); ok {
		return fmt.Sprintf("found %s; expected one of %s%s", i.text(e.Arg(1)), i.text(e.Arg(0)), in)
	}
	if e, ok := functor(what, nil, "permission_error", 3); ok {
		of, named := indicated(e.Arg(2), nil)
		switch {
		case named && slices.Contains(denied, of):
			return fmt.Sprintf("%s may not be called: there is no access to files, streams and processes", of)
		case named && i.text(e.Arg(0)) == "modify" && i.text(e.Arg(1)) == "static_procedure":
			return fmt.Sprintf("%s may not be changed; %s", of, i.whyStatic(of))
		}
		return fmt.Sprintf("not permitted: %s %s %s%s", i.text(e.Arg(0)), i.text(e.Arg(1)), i.text(e.Arg(2)), in)
	}
	if e, ok := functor(what, nil, "occurs_check", 2); ok {
		return fmt.Sprintf("%s = %s has no answer but a term that is a part of itself; expected terms that end, or unify_with_occurs_check/2, which is false then", i.text(e.Arg(0)), i.text(e.Arg(1)))
	}
	if _, ok := functor(what, nil, "resource_error", 1); ok {
		return "there is not enough memory for what the goal asks" + in
	}
	if e, ok := functor(what, nil, "evaluation_error", 1); ok {
		return fmt.Sprintf("the arithmetic has no value: %s%s", i.text(e.Arg(0)), in)
	}
	if i.text(what) == "instantiation_error" {
		return "a variable has no value where one is needed" + in
	}
	if i.text(what) == "system_error" {
		if text, ok := c.Arg(1).(iso.Atom); ok {
			return text.String()
		}
	}
	return i.text(what) + in
}

// hint is the nearest predicate that there is.
func (i *Interpreter) hint(name string) string {
	return ontology.Hint(name, i.predicates())
}

// predicates are the names of what can be called, sorted.
func (i *Interpreter) predicates() []string {
	var out []string
	for of := range i.known {
		if !slices.Contains(denied, of) {
			out = append(out, of.Name)
		}
	}
	for of := range i.of {
		out = append(out, of.Name)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
