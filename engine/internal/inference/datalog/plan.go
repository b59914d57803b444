package datalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine/internal/wording"
	"github.com/mishap-robotics/mishap/rules"
)

// Plan tells how a clause is evaluated.
type Plan struct {
	Clause *rules.Clause
	Head   string // as the clause writes it
	// Compiled is false where the clause is interpreted, for the Reason.
	Compiled bool
	Reason   string
	// Lines are the joins of a failure rule at a given step, in their order; of a helper
	// clause, how it takes part in rules.
	Lines []string
}

// Plans tells for every clause of the program, in order, how it is evaluated.
func (p *Program) Plans() []Plan {
	rulesWith := map[*rules.Clause]int{} // in which a helper clause is written out
	tabled := map[*rules.Clause]bool{}
	called := map[rules.Indicator]bool{}
	p.Ready()
	reasons := map[rules.Indicator]string{}
	for _, r := range p.failures {
		if r.Reason != nil {
			reasons[r.Clause.Head.Indicator()] = r.Reason.Error()
			for i := range p.calledFrom(r.Clause) {
				if reasons[i] == "" {
					reasons[i] = "it is called only by rules that are interpreted, such as that of " + r.Clause.Pos.String()
				}
			}
			continue
		}
		at, _ := r.as(anchored)
		for _, c := range at.clauses() {
			rulesWith[c]++
		}
		for i := range p.calledFrom(r.Clause) {
			called[i] = true
		}
	}
	p.mu.Lock()
	for component, rs := range p.tabled {
		for _, r := range rs {
			if reason := p.broken[component]; reason != nil {
				reasons[r.of] = reason.Error()
				continue
			}
			for _, c := range p.rules.Defining(r.of) {
				tabled[c] = true
			}
		}
	}
	p.mu.Unlock()
	var out []Plan
	for _, c := range p.rules.Clauses {
		plan := Plan{Clause: c, Head: shown(c.Head).String(), Compiled: true}
		switch r := p.byClause[c]; {
		case r != nil && r.Reason != nil:
			plan.Compiled, plan.Reason = false, r.Reason.Error()
		case r != nil:
			at, _ := r.as(anchored)
			plan.Lines = at.lines()
		case tabled[c]:
			plan.Lines = []string{"tabled; evaluated semi-naively for what is asked of it"}
		case rulesWith[c] > 0:
			plan.Lines = []string{fmt.Sprintf("written out where it is called, in %s", wording.Count(rulesWith[c], "rule"))}
		case called[c.Head.Indicator()] && reasons[c.Head.Indicator()] == "":
			plan.Lines = []string{"written out where it is called"}
		case reasons[c.Head.Indicator()] != "":
			plan.Compiled, plan.Reason = false, reasons[c.Head.Indicator()]
		default:
			plan.Lines = []string{"called by no rule; compiled with the query that calls it"}
		}
		out = append(out, plan)
	}
	return out
}

// calledFrom lists the helper predicates that a clause leads to.
func (p *Program) calledFrom(c *rules.Clause) map[rules.Indicator]bool {
	out := map[rules.Indicator]bool{}
	var walk func(t *rules.Term)
	walk = func(t *rules.Term) {
		if i := t.Indicator(); len(p.rules.Defining(i)) > 0 && !out[i] {
			out[i] = true
			for _, c := range p.rules.Defining(i) {
				for _, g := range c.Body {
					walk(g)
				}
			}
		}
		for _, a := range t.Args {
			walk(a)
		}
	}
	for _, g := range c.Body {
		walk(g)
	}
	return out
}

// clauses lists the helper clauses that a code has written out.
func (c *code) clauses() []*rules.Clause {
	var out []*rules.Clause
	c.each(map[*code]bool{}, func(of *code, op *instruction) {
		if at := op.clause; at != of.clause && !slices.Contains(out, at) {
			out = append(out, at)
		}
	})
	return out
}

// each visits the instructions of a code and of those that it asks.
func (c *code) each(seen map[*code]bool, visit func(of *code, op *instruction)) {
	if seen[c] {
		return
	}
	seen[c] = true
	for i := range c.ops {
		if visit(c, &c.ops[i]); c.ops[i].kind == opProve {
			c.ops[i].proves.each(seen, visit)
		}
	}
}

// lines writes the joins of a code, those of a block or branch further in.
func (c *code) lines() []string {
	w := &planWriter{code: c, top: c.clause}
	if len(c.inputs) > 0 {
		var given []string
		for _, in := range c.inputs {
			given = append(given, c.clause.Head.Args[in.at].String())
		}
		w.line(0, "given "+strings.Join(given, ", "))
	}
	w.walk(0, int32(len(c.ops)-1), 0)
	return w.out
}

type planWriter struct {
	code *code
	top  *rules.Clause
	out  []string
}

func (w *planWriter) line(depth int, text string) {
	w.out = append(w.out, strings.Repeat("  ", depth)+text)
}

func (w *planWriter) walk(from, to int32, depth int) {
	ops := w.code.ops
	for pc := from; pc < to; {
		op := &ops[pc]
		switch op.kind {
		case opScan:
			w.line(depth, w.scan(op))
		case opAnswers:
			w.line(depth, fmt.Sprintf("answers to %s, tabled%s", shown(op.text), w.from(op)))
		case opCall:
			w.line(depth, fmt.Sprintf("%-40s in Go; about %s%s", shown(op.text), about(op.rows), w.from(op)))
		case opCompare, opAmong, opBetween:
			if op.text != nil {
				w.line(depth, fmt.Sprintf("where %s%s", shown(op.text), w.from(op)))
			}
		case opAssign:
			if op.text != nil {
				w.line(depth, fmt.Sprintf("let %s%s", shown(op.text), w.from(op)))
			}
		case opFail:
			w.line(depth, "nothing: this can never hold"+w.from(op))
		case opNot:
			w.line(depth, w.unless(op))
			w.walk(op.entry, op.next-1, depth+1)
			pc = op.next
			continue
		case opOnce:
			w.line(depth, "if any")
			w.walk(op.entry, op.next-1, depth+1)
			pc = op.next
			continue
		case opProve:
			w.line(depth, "if any")
			inner := &planWriter{code: op.proves, top: w.top}
			inner.walk(0, int32(len(op.proves.ops)-1), depth+1)
			w.out = append(w.out, inner.out...)
		case opEither, opIf:
			pc = w.branches(op, depth)
			continue
		}
		pc++
	}
}

// unless tells which walk is over where what follows holds.
func (w *planWriter) unless(op *instruction) string {
	if op.ends == 0 {
		return "unless"
	}
	return "unless, and for no later " + shown(w.code.ops[op.ends-1].text.Args[0]).String()
}

func (w *planWriter) branches(op *instruction, depth int) (next int32) {
	words := []string{"either", "or"}
	if op.kind == opIf {
		w.line(depth, "if")
		w.walk(op.entry, op.branches[0]-1, depth+1)
		words = []string{"then", "else"}
	}
	ways, end := w.code.ways(op)
	for i, way := range ways {
		w.line(depth, words[min(i, 1)])
		w.walk(way.from, way.to, depth+1)
	}
	return end
}

// span is a part of the instructions of a code, without the last.
type span struct{ from, to int32 }

// ways are the branches of an instruction, each without the jump that ends it, and where the
// code goes on after them.
func (c *code) ways(op *instruction) (out []span, end int32) {
	ops := c.ops
	last := op.branches[len(op.branches)-1]
	if end = last; len(op.branches) > 1 {
		end = ops[op.branches[1]-1].next
	} else { // the one branch ends with its jump
		for ops[end].kind != opJump || ops[end].next != end+1 {
			end++
		}
		end++
	}
	for i, start := range op.branches {
		stop := end
		if i+1 < len(op.branches) {
			stop = op.branches[i+1]
		}
		out = append(out, span{start, stop - 1})
	}
	return out, end
}

// scan tells by what facts are found, how many are expected, and whether the
// first is enough.
func (w *planWriter) scan(op *instruction) string {
	var by []string
	for i, a := range op.args {
		if a.mode == fixed || a.mode == given {
			by = append(by, op.text.Args[i].String())
		}
	}
	by = append(by, op.limits...)
	how := "all"
	if len(by) > 0 {
		how = "by " + strings.Join(by, ", ")
	}
	switch op.side {
	case first:
		how += "; of the first step alone"
	case last:
		how += "; of the last step alone"
	}
	if op.once {
		how += "; the first is enough"
	}
	return fmt.Sprintf("%-40s %s; about %s%s", shown(op.text), how, about(op.rows), w.from(op))
}

// shown is a goal as the clause writes it: _ is no name.
func shown(t *rules.Term) *rules.Term {
	out := *t
	if t.Kind == rules.Variable && strings.HasPrefix(t.Name, "_G") {
		out.Name = "_"
	}
	out.Args = nil
	for _, a := range t.Args {
		out.Args = append(out.Args, shown(a))
	}
	return &out
}

func about(n float64) string {
	if n < 1 {
		return fmt.Sprintf("%.2g", n)
	}
	return fmt.Sprintf("%.0f", n)
}

// from is the helper clause that a goal comes from.
func (w *planWriter) from(op *instruction) string {
	if op.clause == w.top || op.clause == nil {
		return ""
	}
	return fmt.Sprintf("  (%s:%d)", op.clause.Pos.File, op.clause.Pos.Line)
}
