package inference

import (
	"fmt"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// Conclusion is a proof of one conclusion of a failure rule.
type Conclusion struct {
	Class   string
	Step    int32
	Cause   int32
	Objects []string
	Clause  *rules.Clause
	// Bindings are the values of the variables of the clause.
	Bindings map[string]*rules.Term
	Proof    *Node // of the head, its children the conditions; nil where proofs are not asked for
}

// conclusion reads the head of a failure rule whose conditions hold. The error tells
// what is no conclusion.
func (p *interpreter) conclusion(o *ontology.Ontology, c *rules.Clause, head *compound) (Conclusion, error) {
	out, ok := p.readConclusion(c, head)
	if p.err != nil {
		return out, p.err
	}
	if !ok {
		return out, fmt.Errorf("it concludes %s; expected a class, two steps and a list of objects", p.read(head))
	}
	if id, known := o.Lookup(out.Class); !known || !o.IsA(id, o.Core.Failure) {
		return out, fmt.Errorf("it concludes %s, which is no failure class of the ontology", out.Class)
	}
	return out, nil
}

func (p *interpreter) readConclusion(c *rules.Clause, head *compound) (Conclusion, bool) {
	out := Conclusion{Clause: c}
	class, ok1 := resolve(head.args[0]).(atom)
	step, ok2 := resolve(head.args[1]).(number)
	cause, ok3 := resolve(head.args[2]).(number)
	items, ok4 := p.read(head.args[3]).List()
	if !ok1 || !ok2 || !ok3 || !ok4 || int64(int32(step)) != int64(step) || int64(int32(cause)) != int64(cause) {
		return out, false
	}
	out.Class, out.Step, out.Cause = string(class), int32(step), int32(cause)
	for _, o := range items {
		if o.Kind != rules.Atom {
			return out, false
		}
		if o.Name != fact.None && !slices.Contains(out.Objects, o.Name) {
			out.Objects = append(out.Objects, o.Name)
		}
	}
	return out, true
}

// said keeps what was concluded, to tell what comes again.
type said map[string]bool

// again reports whether a conclusion says what another said before.
func (s said) again(c *Conclusion) bool {
	text := fmt.Sprintf("%s %d %d %q", c.Class, c.Step, c.Cause, c.Objects)
	if s[text] {
		return true
	}
	s[text] = true
	return false
}
