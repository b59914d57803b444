package inference

import "github.com/mishap-robotics/mishap/rules"

// node is a step of a proof while the rest of it is searched for.
type node struct {
	clause   *rules.Clause
	fact     int
	row      []int32
	negated  bool
	inGo     bool
	children []*node
	goal     *rules.Term // of the clause
	frame    *frame
}

// with adds a step to a proof while the rest is solved; without a parent no
// proof is kept.
func with(parent *node, n node, found func() bool) bool {
	if parent == nil {
		return found()
	}
	kept := new(node)
	*kept = n
	parent.children = append(parent.children, kept)
	done := found()
	if !done {
		parent.children = parent.children[:len(parent.children)-1]
	}
	return done
}

// finish fills in the values of the goals of a proof.
func (n *node) finish(p *interpreter) *Node {
	out := &Node{Clause: n.clause, Fact: n.fact, Row: n.row, Negated: n.negated, InGo: n.inGo}
	if n.goal != nil {
		out.Goal = p.read(n.frame.build(n.goal))
		out.Goal.Pos = n.goal.Pos
	}
	for _, c := range n.children {
		out.Children = append(out.Children, c.finish(p))
	}
	return out
}
