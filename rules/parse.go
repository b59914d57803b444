package rules

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/ontology/decimal"
)

// Bounds of a term, so that no text exhausts the stack: how deep terms lie in one
// another, the elements of a list, the arguments of a term.
const (
	maxDepth     = 200
	maxElements  = 10_000
	maxArguments = 255
)

// maxProblems is how many mistakes of a file are told before the rest is left unread.
const maxProblems = 100

type parser struct {
	file  string
	src   string
	off   int
	line  int
	start int // offset of the line
	tok   token
	anon  int
	depth int
	open  bool // no comment ends from here on
}

// parse reads the clauses of a rule file and goes on after a mistake with the
// next clause.
func parse(file, src string) (clauses []*Clause, problems Problems) {
	p := &parser{file: file, src: src, line: 1}
	if i := invalidUTF8(src); i >= 0 {
		pos := Pos{file, 1 + strings.Count(src[:i], "\n"), i - strings.LastIndexByte(src[:i], '\n')}
		return nil, Problems{{mistakeSyntax, pos, msgNotUTF8, strings.ToValidUTF8(lineOf(src, pos.Line), "?")}}
	}
	for {
		var c *Clause
		err := p.attempt(func() {
			if p.tok.kind == tokNone {
				p.next()
			}
			if p.tok.kind != tokEOF {
				c = p.clause()
			}
		})
		switch {
		case err != nil:
			problems = append(problems, err)
			if len(problems) == maxProblems {
				problems = append(problems, &Problem{mistakeSyntax, err.Pos, fmt.Sprintf(msgProblems, maxProblems), ""})
				return clauses, problems
			}
			p.skipClause()
		case c == nil:
			return clauses, problems
		default:
			clauses = append(clauses, c)
		}
	}
}

// attempt runs part of the parser and returns the mistake it stops at.
func (p *parser) attempt(read func()) (problem *Problem) {
	var err error
	func() {
		defer p.recoverError(&err)
		read()
	}()
	if err != nil {
		problem = err.(*Problem)
	}
	return problem
}

// skipClause goes on after the next full stop that ends a clause.
func (p *parser) skipClause() {
	p.depth = 0
	for {
		if p.tok.kind == tokEnd {
			p.tok = token{}
			return
		}
		before := p.off
		if p.attempt(p.next) != nil {
			p.off = max(p.off, before+1) // over what is no token
			p.tok = token{}
			if p.off >= len(p.src) {
				p.tok = token{kind: tokEOF}
				return
			}
			continue
		}
		if p.tok.kind == tokEOF {
			return
		}
	}
}

// ParseGoal reads the conjunction of a query; a closing full stop may be left out.
func ParseGoal(src string) (goals []*Term, err error) {
	text := strings.TrimSpace(src)
	if !strings.HasSuffix(text, ".") {
		text += " ."
	}
	p := &parser{file: "goal", src: text, line: 1}
	defer p.recoverError(&err)
	if invalidUTF8(src) >= 0 {
		p.fail(Pos{"goal", 1, 1}, msgGoalNotUTF8)
	}
	p.next()
	if p.tok.kind == tokEnd || p.tok.kind == tokEOF {
		p.fail(p.tok.pos, msgEmptyGoal)
	}
	t := p.term(1100)
	if p.tok.kind != tokEnd {
		p.fail(p.tok.pos, msgAfterGoal, p.tok.describe())
	}
	p.next()
	if p.tok.kind != tokEOF {
		p.fail(p.tok.pos, msgOneGoal, p.tok.describe())
	}
	return p.checkGoals(conjunction(t)), nil
}

func (p *parser) recoverError(err *error) {
	if r := recover(); r != nil {
		e, ok := r.(*Problem)
		if !ok {
			panic(r)
		}
		*err = e
	}
}

func (p *parser) fail(pos Pos, format string, args ...any) {
	src, line := p.src, pos.Line
	if line == p.line {
		src, line = p.src[p.start:], 1
	}
	panic(&Problem{mistakeSyntax, pos, fmt.Sprintf(format, args...), lineOf(src, line)})
}

// clause reads one clause with its full stop.
func (p *parser) clause() *Clause {
	pos := p.tok.pos
	if p.tok.kind == tokAtom && (p.tok.text == ":-" || p.tok.text == "?-") {
		p.fail(pos, msgDirective)
	}
	t := p.term(1200)
	if p.tok.kind != tokEnd {
		p.fail(p.tok.pos, msgFullStop, p.tok.describe(), pos.Line)
	}
	p.tok = token{} // what follows is another clause's
	c := &Clause{Head: t, Pos: pos}
	if t.Is(":-", 2) {
		c.Head = t.Args[0]
		c.Body = p.checkGoals(conjunction(t.Args[1]))
	}
	if c.Head.Kind != Atom && c.Head.Kind != Compound || builtin(c.Head) || c.Head.Is("[]", 0) {
		p.fail(c.Head.Pos, msgHead, c.Head)
	}
	return c
}

func builtin(t *Term) bool {
	_, in := infix[t.Name]
	_, pre := prefix[t.Name]
	return in && len(t.Args) == 2 || pre && len(t.Args) == 1 || t.Is("!", 0) || t.Is(".", 2)
}

func conjunction(t *Term) []*Term {
	var out []*Term
	for t.Is(",", 2) {
		out = append(out, conjunction(t.Args[0])...)
		t = t.Args[1]
	}
	return append(out, t)
}

func (p *parser) checkGoals(goals []*Term) []*Term {
	for _, g := range goals {
		p.checkGoal(g)
	}
	return goals
}

func (p *parser) checkGoal(g *Term) {
	switch {
	case g.Kind == Integer || g.Kind == Decimal || g.Kind == Variable:
		p.fail(g.Pos, msgNoGoal, g)
	case g.Is(",", 2), g.Is(";", 2), g.Is("->", 2), g.Is(`\+`, 1):
		for _, a := range g.Args {
			p.checkGoal(a)
		}
	case g.Is(":-", 2):
		p.fail(g.Pos, msgRuleInside)
	}
}

// term reads a term of at most this priority, by precedence climbing.
func (p *parser) term(priority int) *Term {
	p.depth++
	if p.depth > maxDepth {
		p.fail(p.tok.pos, msgDepth, maxDepth)
	}
	defer func() { p.depth-- }()
	left, leftPriority := p.primary(priority)
	for nested := p.depth; ; nested++ {
		if nested > maxDepth { // each operator lies in the next
			p.fail(p.tok.pos, msgDepth, maxDepth)
		}
		name := p.tok.text
		op, ok := infix[name]
		if p.tok.kind != tokAtom && !(p.tok.kind == tokPunct && name == ",") || !ok || op.priority > priority || leftPriority > op.left {
			return left
		}
		pos := p.tok.pos
		p.next()
		right := p.term(op.right)
		left = &Term{Kind: Compound, Name: name, Args: []*Term{left, right}, Pos: pos}
		leftPriority = op.priority
	}
}

// primary reads a term that does not begin with an infix operator.
func (p *parser) primary(priority int) (*Term, int) {
	t := p.tok
	switch t.kind {
	case tokInt, tokDecimal:
		p.next()
		return p.literal(t, ""), 0
	case tokVar:
		p.next()
		if t.text == "_" {
			p.anon++
			t.text = fmt.Sprintf("_G%d", p.anon)
		}
		return &Term{Kind: Variable, Name: t.text, Pos: t.pos}, 0
	case tokQuoted:
		p.next()
		return p.atomOrCompound(t), 0
	case tokAtom:
		return p.operatorOrAtom(t, priority)
	case tokPunct:
		switch t.text {
		case "(":
			p.next()
			inner := p.term(1200)
			p.expect(")")
			return inner, 0
		case "[":
			return p.list(), 0
		}
	}
	p.fail(t.pos, msgTerm, t.describe())
	return nil, 0
}

func (p *parser) operatorOrAtom(t token, priority int) (*Term, int) {
	p.next()
	op, isPrefix := prefix[t.text]
	if isPrefix && !t.glued && !p.endsTerm() {
		if t.text == "-" && (p.tok.kind == tokInt || p.tok.kind == tokDecimal) && p.tok.pos.Line == t.pos.Line && p.tok.pos.Col == t.pos.Col+1 {
			n := p.tok
			p.next()
			return p.literal(n, "-"), 0
		}
		if op.priority > priority {
			p.fail(t.pos, msgParentheses, t.text)
		}
		arg := p.term(op.right)
		return &Term{Kind: Compound, Name: t.text, Args: []*Term{arg}, Pos: t.pos}, op.priority
	}
	return p.atomOrCompound(t), 0
}

// endsTerm reports whether no term can begin at the current token, so that an
// operator before it stands for itself.
func (p *parser) endsTerm() bool {
	return p.tok.kind == tokEnd || p.tok.kind == tokEOF || p.tok.kind == tokPunct && strings.Contains(")],|", p.tok.text)
}

// literal is a number.
func (p *parser) literal(t token, sign string) *Term {
	if t.kind == tokDecimal {
		d, err := decimal.Parse(sign + t.text)
		if err != nil {
			p.fail(t.pos, msgDecimal, t.text)
		}
		return &Term{Kind: Decimal, Int: int64(d), Pos: t.pos}
	}
	n, err := strconv.ParseInt(sign+t.text, 10, 64)
	if err != nil {
		p.fail(t.pos, msgRange, t.text)
	}
	return &Term{Kind: Integer, Int: n, Pos: t.pos}
}

func (p *parser) atomOrCompound(t token) *Term {
	if !t.glued {
		return &Term{Kind: Atom, Name: t.text, Pos: t.pos}
	}
	p.expect("(")
	c := &Term{Kind: Compound, Name: t.text, Pos: t.pos}
	for {
		if len(c.Args) == maxArguments {
			p.fail(p.tok.pos, msgArguments, maxArguments)
		}
		c.Args = append(c.Args, p.term(999))
		if !p.accept(",") {
			break
		}
	}
	p.expect(")")
	return c
}

func (p *parser) list() *Term {
	pos := p.tok.pos
	p.expect("[")
	end := &Term{Kind: Atom, Name: "[]", Pos: pos}
	if p.accept("]") {
		return end
	}
	var items []*Term
	for {
		if len(items) == maxElements {
			p.fail(p.tok.pos, msgElements, maxElements)
		}
		items = append(items, p.term(999))
		if !p.accept(",") {
			break
		}
	}
	if p.accept("|") {
		end = p.term(999)
	}
	p.expect("]")
	for i := len(items) - 1; i >= 0; i-- {
		end = &Term{Kind: Compound, Name: ".", Args: []*Term{items[i], end}, Pos: items[i].Pos}
	}
	return end
}

func (p *parser) accept(punct string) bool {
	if p.tok.kind == tokPunct && p.tok.text == punct {
		p.next()
		return true
	}
	return false
}

func (p *parser) expect(punct string) {
	if !p.accept(punct) {
		p.fail(p.tok.pos, msgExpected, p.tok.describe(), punct)
	}
}
