package inference

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/snapshot"
	"github.com/mishap-robotics/mishap/rules"
)

// CodeClause codes a failure rule by its place among those of a program. It may be nil.
func CodeClause(c *snapshot.Codec, p *rules.Program, clause **rules.Clause) {
	all := p.FailureRules()
	n := 0
	if !c.Reading() && *clause != nil {
		if n = slices.Index(all, *clause) + 1; n == 0 {
			c.Fail("the rule at %s:%d is not of the program", (*clause).Pos.File, (*clause).Pos.Line)
		}
	}
	snapshot.Within(c, &n, 0, len(all)+1)
	if c.Reading() {
		if *clause = nil; n > 0 {
			*clause = all[n-1]
		}
	}
}

// CodeConclusion codes what a clause of a program concluded, without its proof.
func CodeConclusion(c *snapshot.Codec, p *rules.Program, con *Conclusion) {
	CodeClause(c, p, &con.Clause)
	if c.Reading() && con.Clause == nil {
		c.Fail("a conclusion is of no rule")
	}
	c.Text(&con.Class)
	snapshot.Int(c, &con.Step)
	snapshot.After(c, &con.Cause, con.Step)
	c.Texts(&con.Objects)
	snapshot.Map(c, &con.Bindings, func(name *string) { c.Text(name) }, func(t **rules.Term) { codeTerm(c, t, 0) })
}

// deepest is how many terms may stand in one another: a list is a term in its rest.
const deepest = 20_000

func codeTerm(c *snapshot.Codec, t **rules.Term, depth int) {
	if depth > deepest {
		c.Fail("a term has more than %d terms in one another", deepest)
	}
	snapshot.Optional(c, t, func(t *rules.Term) {
		snapshot.Within(c, &t.Kind, int(rules.Atom), int(rules.Decimal)+1)
		c.Text(&t.Name)
		snapshot.Int(c, &t.Int)
		snapshot.List(c, &t.Args, func(arg **rules.Term) { codeTerm(c, arg, depth+1) })
	})
}
