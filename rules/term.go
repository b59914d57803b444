// Package rules holds the failure rules: Prolog clauses over the facts of an
// episode. It reads them into a syntax tree with positions, which checking,
// evaluation and proofs share.
package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/ontology/decimal"
)

// Pos is a place in a rule file; lines and columns count from 1, columns in
// bytes.
type Pos struct {
	File string
	Line int
	Col  int
}

func (p Pos) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col) }

// Kind tells the terms apart.
type Kind uint8

// The kinds of terms. A list is a compound '.'/2 that ends in the atom [].
const (
	Atom Kind = iota
	Variable
	Integer
	Compound
	Decimal
)

// Term is a term of a clause.
type Term struct {
	Kind Kind
	Name string // of an atom, variable or functor
	Int  int64  // of an integer; of a decimal its millionths
	Args []*Term
	Pos  Pos
}

// Number is a decimal as a term.
func Number(d decimal.Decimal) *Term { return &Term{Kind: Decimal, Int: int64(d)} }

// Number is the value of an integer or a decimal, and whether the term is one that fits.
func (t *Term) Number() (decimal.Decimal, bool) {
	switch t.Kind {
	case Integer:
		d, err := decimal.Of(t.Int)
		return d, err == nil
	case Decimal:
		return decimal.Decimal(t.Int), true
	}
	return 0, false
}

// Indicator is the name and arity of a predicate.
type Indicator struct {
	Name  string
	Arity int
}

func (i Indicator) String() string { return fmt.Sprintf("%s/%d", i.Name, i.Arity) }

// Indicator is the predicate that a term as a goal calls.
func (t *Term) Indicator() Indicator { return Indicator{t.Name, len(t.Args)} }

// Is reports whether a term has this functor.
func (t *Term) Is(name string, arity int) bool {
	return (t.Kind == Compound || t.Kind == Atom) && t.Name == name && len(t.Args) == arity
}

// List is the elements of a list, and whether the term is a proper one.
func (t *Term) List() ([]*Term, bool) {
	var out []*Term
	for t.Is(".", 2) {
		out = append(out, t.Args[0])
		t = t.Args[1]
	}
	return out, t.Is("[]", 0)
}

// Variables lists the variables of a term in order of first occurrence; each
// anonymous variable has a name of its own.
func (t *Term) Variables() []string {
	const few = 16
	var out []string
	var seen map[string]bool // once there are more than a few
	t.walk(func(u *Term) {
		if u.Kind != Variable || seen[u.Name] || seen == nil && slices.Contains(out, u.Name) {
			return
		}
		out = append(out, u.Name)
		switch {
		case seen != nil:
			seen[u.Name] = true
		case len(out) > few:
			seen = map[string]bool{}
			for _, name := range out {
				seen[name] = true
			}
		}
	})
	return out
}

// AnswerVariables lists the variables to which an answer of goals may give a value, in
// order of first occurrence: not those that stand only in the template and the goal of a
// findall, or in what must have no solution.
func AnswerVariables(goals []*Term) []string {
	var out []string
	seen := map[string]bool{}
	var visit func(t *Term)
	visit = func(t *Term) {
		args := t.Args
		switch {
		case t.Kind == Variable && !seen[t.Name]:
			seen[t.Name] = true
			out = append(out, t.Name)
		case t.Is("findall", 3):
			args = args[2:]
		case t.Is(`\\+`, 1), t.Is("forall", 2):
			return
		}
		for _, a := range args {
			visit(a)
		}
	}
	for _, g := range goals {
		visit(g)
	}
	return out
}

// With is the term with values in the place of its variables, by name; those that
// have none stay.
func (t *Term) With(values map[string]*Term) *Term {
	if t.Kind == Variable {
		if v, ok := values[t.Name]; ok {
			return v
		}
		return t
	}
	out := *t
	out.Args = make([]*Term, len(t.Args))
	for i, a := range t.Args {
		out.Args[i] = a.With(values)
	}
	return &out
}

func (t *Term) walk(visit func(*Term)) {
	visit(t)
	for _, a := range t.Args {
		a.walk(visit)
	}
}

// Holds reports whether the term or one within it is of a predicate meant.
func (t *Term) Holds(meant func(Indicator) bool) bool {
	return meant(t.Indicator()) || slices.ContainsFunc(t.Args, func(a *Term) bool { return a.Holds(meant) })
}

// String writes the term as Prolog text that reads back as the same term.
func (t *Term) String() string {
	var b strings.Builder
	t.write(&b, 1200)
	return b.String()
}

func (t *Term) write(b *strings.Builder, priority int) {
	switch t.Kind {
	case Variable:
		b.WriteString(t.Name)
	case Integer, Decimal:
		text := strconv.FormatInt(t.Int, 10)
		if t.Kind == Decimal {
			text = decimal.Decimal(t.Int).String()
		}
		if t.Int < 0 && priority < 200 {
			text = "(" + text + ")"
		}
		b.WriteString(text)
	case Atom:
		if isOperator(t.Name) {
			b.WriteString("(" + quoteAtom(t.Name) + ")")
			return
		}
		b.WriteString(quoteAtom(t.Name))
	case Compound:
		t.writeCompound(b, priority)
	}
}

func (t *Term) writeCompound(b *strings.Builder, priority int) {
	if t.Is(".", 2) {
		t.writeList(b)
		return
	}
	if op, ok := infix[t.Name]; ok && len(t.Args) == 2 {
		if op.priority > priority {
			b.WriteByte('(')
			defer b.WriteByte(')')
		}
		t.Args[0].write(b, op.left)
		switch t.Name {
		case ",":
			b.WriteString(", ")
		default:
			b.WriteString(" " + t.Name + " ")
		}
		t.Args[1].write(b, op.right)
		return
	}
	if op, ok := prefix[t.Name]; ok && len(t.Args) == 1 {
		if op.priority > priority {
			b.WriteByte('(')
			defer b.WriteByte(')')
		}
		b.WriteString(t.Name + " ")
		t.Args[0].write(b, op.right)
		return
	}
	b.WriteString(quoteAtom(t.Name) + "(")
	for i, a := range t.Args {
		if i > 0 {
			b.WriteString(", ")
		}
		a.write(b, 999)
	}
	b.WriteByte(')')
}

func (t *Term) writeList(b *strings.Builder) {
	b.WriteByte('[')
	for i := 0; ; i++ {
		if i > 0 {
			b.WriteString(", ")
		}
		t.Args[0].write(b, 999)
		t = t.Args[1]
		if !t.Is(".", 2) {
			break
		}
	}
	if !t.Is("[]", 0) {
		b.WriteString(" | ")
		t.write(b, 999)
	}
	b.WriteByte(']')
}

// quoteAtom writes an atom, quoted where Prolog needs it.
func quoteAtom(name string) string {
	if name == "[]" || name == "!" || name == ";" || isSymbolic(name) {
		return name
	}
	plain := name != "" && name[0] >= 'a' && name[0] <= 'z'
	for i := 0; i < len(name) && plain; i++ {
		plain = isAlphanumeric(name[i])
	}
	if plain {
		return name
	}
	var b strings.Builder
	b.WriteByte('\'')
	for _, r := range name {
		switch {
		case r == '\'' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\x%x\`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('\'')
	return b.String()
}

func isSymbolic(s string) bool {
	for i := 0; i < len(s); i++ {
		if !strings.ContainsRune(symbolChars, rune(s[i])) {
			return false
		}
	}
	return s != "" && s != "." && !strings.HasPrefix(s, "/*")
}

const symbolChars = `+-*/\^<>=~:.?@#&$`

func isAlphanumeric(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

type operator struct{ priority, left, right int }

var infix = map[string]operator{
	":-": {1200, 1199, 1199}, ";": {1100, 1099, 1100}, "->": {1050, 1049, 1050}, ",": {1000, 999, 1000},
	"=": {700, 699, 699}, `\=`: {700, 699, 699}, "==": {700, 699, 699}, `\==`: {700, 699, 699},
	"<": {700, 699, 699}, ">": {700, 699, 699}, "=<": {700, 699, 699}, ">=": {700, 699, 699},
	"=:=": {700, 699, 699}, `=\=`: {700, 699, 699}, "is": {700, 699, 699},
	"@<": {700, 699, 699}, "@>": {700, 699, 699}, "@=<": {700, 699, 699}, "@>=": {700, 699, 699},
	"+": {500, 500, 499}, "-": {500, 500, 499}, "*": {400, 400, 399}, "//": {400, 400, 399}, "/": {400, 400, 399}, "mod": {400, 400, 399},
}

var prefix = map[string]operator{`\+`: {900, 0, 900}, "-": {200, 0, 200}}

func isOperator(name string) bool {
	_, in := infix[name]
	_, pre := prefix[name]
	return in || pre
}

// Clause is a rule, or a fact where it has no body.
type Clause struct {
	Head *Term
	Body []*Term // goals, in order
	Pos  Pos
}

// Variables lists the named and anonymous variables of a clause.
func (c *Clause) Variables() []string {
	all := &Term{Kind: Compound, Name: "clause", Args: append([]*Term{c.Head}, c.Body...)}
	return all.Variables()
}

func (c *Clause) String() string {
	if len(c.Body) == 0 {
		return stopped(c.Head.String())
	}
	goals := make([]string, len(c.Body))
	for i, g := range c.Body {
		var b strings.Builder
		g.write(&b, 999)
		goals[i] = b.String()
	}
	return stopped(c.Head.String() + " :- " + strings.Join(goals, ", "))
}

// stopped adds the full stop, apart from a symbol that it would run into.
func stopped(clause string) string {
	if strings.IndexByte(symbolChars, clause[len(clause)-1]) >= 0 {
		return clause + " ."
	}
	return clause + "."
}
