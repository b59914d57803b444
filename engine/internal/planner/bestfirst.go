package planner

import (
	"container/heap"
	"slices"
)

// openNode is an entry of the open list of a best-first search: what was done, and what
// of the goal is unmet.
type openNode struct {
	node  *Node
	steps []Step
	unmet []Literal // in the order in which goals are mostly brought about
	tried int       // of the continuations
	order int       // in which it was found; the first of equals goes first
}

// cost estimates the length of a plan through a state: what was done, and for each
// part that is unmet what it commonly takes. Each continuation that was tried makes the next
// less likely.
func (o *openNode) cost() int { return len(o.steps) + 5*len(o.unmet) + 2*o.tried }

// frontier is the open list, a heap.
type frontier []*openNode

func (f frontier) Len() int { return len(f) }

func (f frontier) Less(i, j int) bool {
	if a, b := f[i].cost(), f[j].cost(); a != b {
		return a < b
	}
	return f[i].order < f[j].order
}

func (f frontier) Swap(i, j int) { f[i], f[j] = f[j], f[i] }

func (f *frontier) Push(x any) { *f = append(*f, x.(*openNode)) }

func (f *frontier) Pop() any {
	n := len(*f) - 1
	x := (*f)[n]
	*f = (*f)[:n]
	return x
}

// maxOpen bounds the states that a search keeps, turns how many orders of the
// alternatives are tried for one part of the goal.
const (
	maxOpen = 256
	turns   = 3
)

// BestFirst searches over the orders in which the parts of a goal can be brought
// about and the achievers of each, the shortest first. It is for goals whose
// parts stand in each other's way: each state it keeps is reached by actions whose
// preconditions were made to hold. It ends with the first plan that is accepted; it is
// false where there is none, or accept forbids a call.
func (s *Search) BestFirst(start *Node, g *GroundGoal, accept func([]Step) bool) bool {
	s.goal.Pursue(g.Literals)
	first := &openNode{node: Root(start.State)}
	first.steps = s.Undo(first.node)
	first.unmet = s.unmetParts(first.node, g)
	queue, seen, found := frontier{first}, map[[2]uint64]bool{}, 1
	known := s.constraints.Forbidden()
	defer func(shift int) { s.achievers.rotation = shift }(s.achievers.rotation)
	for len(queue) > 0 && !s.budget.Exhausted() && s.constraints.Forbidden() == known {
		at := heap.Pop(&queue).(*openNode)
		if len(at.unmet) == 0 {
			end := at.node.Clone()
			steps := append(slices.Clip(at.steps), s.forEach(end, g)...)
			if accept(s.simplifier.Simplify(start, steps)) {
				return true
			}
			continue
		}
		n := len(at.unmet)
		l := at.unmet[at.tried%n]
		s.achievers.rotation = at.tried / n
		node := at.node.Clone()
		more, ok := s.bringAbout(node, l)
		if at.tried++; at.tried < turns*n {
			heap.Push(&queue, at)
		}
		if !ok || len(at.steps)+len(more) > maxLength {
			continue
		}
		if key := [2]uint64{s.sim.Fingerprint(node.State), uint64(node.State.Anchor(s.domain.Agent))}; !seen[key] {
			seen[key] = true
			heap.Push(&queue, &openNode{node: node, steps: append(slices.Clip(at.steps), more...), unmet: s.unmetParts(node, g), order: found})
			found++
		}
		if len(queue) > maxOpen {
			slices.SortFunc(queue, func(a, b *openNode) int { return a.cost() - b.cost() })
			queue = queue[:maxOpen] // sorted is a heap too
		}
	}
	return false
}

// unmetParts are the parts of a goal that do not hold, and what must not be left on.
func (s *Search) unmetParts(node *Node, g *GroundGoal) []Literal {
	var out []Literal
	for _, l := range g.Literals {
		if !s.constraints.Excludes(l) && !s.sim.Holds(node.State, l) {
			out = append(out, l)
		}
	}
	slices.SortStableFunc(out, func(a, b Literal) int { return s.goal.stage(a, g.Literals) - s.goal.stage(b, g.Literals) })
	for _, x := range s.goal.LeftOn(node.State) {
		out = append(out, s.goal.off(x))
	}
	return out
}
