package prolog

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	iso "github.com/ichiban/prolog/engine"
)

// text is a term as it can be read again, as far as that goes.
func (i *Interpreter) text(t iso.Term) string { return i.quoted(t, nil, nil) }

// quoted is a term with names for its variables.
func (i *Interpreter) quoted(t iso.Term, names []iso.Term, env *iso.Env) string {
	var b strings.Builder
	yes := iso.NewAtom("true")
	options := iso.List(iso.NewAtom("quoted").Apply(yes), iso.NewAtom("numbervars").Apply(yes), iso.NewAtom("variable_names").Apply(iso.List(names...)))
	if _, err := iso.WriteTerm(i.vm, iso.NewOutputTextStream(&b), t, options, iso.Success, env).Force(context.Background()); err != nil {
		return "a term that cannot be written"
	}
	return b.String()
}

// shown are the values of an answer's variables, one to a line, as a top level prints them:
// variables without a value are left out, or stand beside those that they are the same as.
func (i *Interpreter) shown(vars []iso.ParsedVariable, env *iso.Env) []string {
	var out []string
	var names []iso.Term
	named := map[iso.Variable]string{}
	for _, v := range vars {
		if free, ok := env.Resolve(v.Variable).(iso.Variable); ok && named[free] == "" && !hiddenName(v.Name.String()) {
			named[free] = v.Name.String()
			names = append(names, iso.NewAtom("=").Apply(v.Name, free))
		}
	}
	for _, v := range vars {
		if hiddenName(v.Name.String()) {
			continue
		}
		value := env.Resolve(v.Variable)
		if free, ok := value.(iso.Variable); ok {
			if same := named[free]; same != v.Name.String() {
				out = append(out, fmt.Sprintf("%s = %s", v.Name, same))
			}
			continue
		}
		names = i.nameRest(value, names, named, env)
		text := i.quoted(value, names, env)
		if c, ok := value.(iso.Compound); ok && i.isOperator(c) {
			text = "(" + text + ")"
		}
		out = append(out, fmt.Sprintf("%s = %s", v.Name, text))
	}
	return out
}

func hiddenName(name string) bool { return strings.HasPrefix(name, "_") }

// nameRest names the variables within a value that the goal does not.
func (i *Interpreter) nameRest(t iso.Term, names []iso.Term, named map[iso.Variable]string, env *iso.Env) []iso.Term {
	list := iso.NewVariable()
	iso.TermVariables(i.vm, t, list, func(env *iso.Env) *iso.Promise {
		for _, v := range items(list, env) {
			if free, ok := env.Resolve(v).(iso.Variable); ok && named[free] == "" {
				named[free] = "_" + string(rune('A'+len(named)%26)) + suffix(len(named)/26)
				names = append(names, iso.NewAtom("=").Apply(iso.NewAtom(named[free]), free))
			}
		}
		return iso.Bool(true)
	}, env).Force(context.Background())
	return names
}

func suffix(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// isOperator reports whether a term is written with an operator that binds no closer than =.
func (i *Interpreter) isOperator(c iso.Compound) bool {
	const equals = 700
	if c.Arity() != 1 && c.Arity() != 2 {
		return false
	}
	loose := false
	p := iso.NewVariable()
	kind := iso.NewVariable()
	iso.CurrentOp(i.vm, p, kind, c.Functor(), func(env *iso.Env) *iso.Promise {
		n, _ := env.Resolve(p).(iso.Integer)
		k, _ := env.Resolve(kind).(iso.Atom)
		infix := len(k.String()) == len("xfx")
		loose = loose || n >= equals && infix == (c.Arity() == 2)
		return iso.Bool(false)
	}, nil).Force(context.Background())
	return loose
}

// format writes a text in which ~w stands for an argument, ~q for one in quotation marks,
// ~a for an atom, ~d for a whole number, ~s for a text, ~p as ~q, ~Nf and ~Ne for a number
// with so many places, ~i for one that is left out, ~n for the end of a line and ~~ for ~.
func (i *Interpreter) format(form, arguments iso.Term, k iso.Cont, env *iso.Env) *iso.Promise {
	pattern, ok := i.textOf(form, env)
	if !ok {
		return iso.Error(iso.TypeError(iso.NewAtom("atom"), form, env))
	}
	args := formatArguments(arguments, env)
	var b strings.Builder
	for at := 0; at < len(pattern); at++ {
		if pattern[at] != '~' {
			b.WriteByte(pattern[at])
			continue
		}
		places := 0
		for at++; at < len(pattern) && pattern[at] >= '0' && pattern[at] <= '9' && places < 100; at++ {
			places = places*10 + int(pattern[at]-'0')
		}
		if at == len(pattern) {
			return iso.Error(iso.DomainError(iso.NewAtom("format"), form, env))
		}
		switch pattern[at] {
		case '~':
			b.WriteByte('~')
			continue
		case 'n':
			b.WriteString(strings.Repeat("\n", max(places, 1)))
			continue
		}
		if len(args) == 0 {
			return iso.Error(iso.DomainError(iso.NewAtom("format_arguments"), arguments, env))
		}
		text, ok := i.formatted(pattern[at], places, args[0], env)
		if !ok {
			return iso.Error(iso.DomainError(iso.NewAtom("format"), form, env))
		}
		b.WriteString(text)
		args = args[1:]
	}
	if len(args) > 0 {
		return iso.Error(iso.DomainError(iso.NewAtom("format_arguments"), arguments, env))
	}
	if _, err := i.out.WriteString(b.String()); err != nil {
		return iso.Error(err)
	}
	return k(env)
}

func formatArguments(t iso.Term, env *iso.Env) []iso.Term {
	list := iso.ListIterator{List: t, Env: env}
	var out []iso.Term
	for list.Next() {
		out = append(out, list.Current())
	}
	if list.Err() != nil {
		return []iso.Term{t}
	}
	return out
}

// formatted is an argument of format; ok is false where it is not what the letter asks for.
func (i *Interpreter) formatted(letter byte, places int, t iso.Term, env *iso.Env) (text string, ok bool) {
	t = env.Resolve(t)
	switch letter {
	case 'w':
		return i.plain(t, env), true
	case 'q', 'p':
		return i.quoted(t, nil, env), true
	case 'i':
		return "", true
	case 'a':
		a, ok := t.(iso.Atom)
		return a.String(), ok
	case 's':
		return i.textOf(t, env)
	case 'd':
		n, ok := t.(iso.Integer)
		return strconv.FormatInt(int64(n), 10), ok
	case 'e', 'f', 'g':
		f, ok := t.(iso.Float)
		if n, whole := t.(iso.Integer); whole {
			f, ok = iso.Float(n), true
		}
		if places == 0 {
			places = 6
		}
		return strconv.FormatFloat(float64(f), letter, places, 64), ok
	}
	return "", false
}

// plain is a term without quotation marks.
func (i *Interpreter) plain(t iso.Term, env *iso.Env) string {
	var b strings.Builder
	options := iso.List(iso.NewAtom("numbervars").Apply(iso.NewAtom("true")))
	if _, err := iso.WriteTerm(i.vm, iso.NewOutputTextStream(&b), t, options, iso.Success, env).Force(context.Background()); err != nil {
		return "a term that cannot be written"
	}
	return b.String()
}

// textOf is the text that an atom, or a list of characters or of their codes, stands for.
func (i *Interpreter) textOf(t iso.Term, env *iso.Env) (string, bool) {
	if a, ok := env.Resolve(t).(iso.Atom); ok && a != emptyList {
		return a.String(), true
	}
	list := iso.ListIterator{List: t, Env: env}
	var b strings.Builder
	for list.Next() {
		switch c := env.Resolve(list.Current()).(type) {
		case iso.Atom:
			b.WriteString(c.String())
		case iso.Integer:
			b.WriteRune(rune(c))
		default:
			return "", false
		}
	}
	return b.String(), list.Err() == nil
}
