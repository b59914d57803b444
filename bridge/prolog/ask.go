package prolog

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	iso "github.com/ichiban/prolog/engine"
)

// Ask solves the goal that a text begins with, up to its full stop, which may be left out.
// Visit gets the values of the variables of an answer, "X = 'Mug-1'" each, and returns false
// where no more is wanted. Line is where the text begins, for errors. It is no error where
// there is no answer, or halt/0 is called.
func (i *Interpreter) Ask(ctx context.Context, text string, line int, visit func(bindings []string) bool) error {
	if _, _, whole := clauseEnd(text); !whole {
		text += " ."
	}
	goal, vars, err := i.term("", text, line)
	if err != nil {
		return err
	}
	for _, prefix := range []string{"?-", ":-"} {
		if c, ok := functor(goal, nil, prefix, 1); ok {
			goal = c.Arg(0)
		}
	}
	var unshown error
	err = i.run(ctx, goal, func(env *iso.Env) bool {
		values := cycles{env, map[iso.Term]bool{}}
		for _, v := range vars {
			if values.has(v.Variable, 0) {
				unshown = &Exception{Text: fmt.Sprintf("%s would be a term that is a part of itself, which cannot be shown; expected terms that end", v.Name)}
				return false
			}
		}
		return visit(i.shown(vars, env))
	})
	if unshown != nil {
		return unshown
	}
	if errors.Is(err, errHalted) {
		return nil
	}
	return err
}

// Whole reports whether a text has a term with its full stop, and the rest after it.
func Whole(text string) (rest string, whole bool) {
	_, end, ok := clauseEnd(text)
	return text[end:], ok
}

// blank reports whether there is nothing but blanks and comments in a text.
func blank(text string) bool {
	begin, _, _ := clauseEnd(text)
	return begin < 0
}

// Complete lists what the name may become that a line ends with, and how many characters of
// it are there: predicates, and in quotation marks the terms of the ontology.
func (i *Interpreter) Complete(line string) (names []string, typed int) {
	at := len(line)
	for at > 0 && (isWord(line[at-1])) {
		at--
	}
	word := line[at:]
	if at > 0 && line[at-1] == '\'' {
		for n := range i.Reasoner.Ontology.Terms {
			if name := i.Reasoner.Ontology.Terms[n].Name; strings.HasPrefix(name, word) {
				names = append(names, name+"'")
			}
		}
		return sortedNames(names), len(word)
	}
	if word == "" {
		return nil, 0
	}
	for _, name := range i.predicates() {
		if strings.HasPrefix(name, word) && name != word {
			names = append(names, name)
		}
	}
	return names, len(word)
}

func isWord(c byte) bool {
	return c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func sortedNames(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}
