package recovery

import (
	"container/heap"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// open is a state of a best-first search: what was done, and what of the goal is
// lacking.
type open struct {
	mo    *moment
	steps []PlanStep
	lacks []literal // in the order in which goals are mostly brought about
	tried int       // of the ways on from here
	order int       // in which it was found; the first of equals goes first
}

// cost estimates the length of a plan through a state: what was done, and for each
// part that is lacking what it commonly takes. Each way that was tried makes the next
// less likely.
func (o *open) cost() int { return len(o.steps) + 5*len(o.lacks) + 2*o.tried }

type frontier []*open

func (f frontier) Len() int { return len(f) }
func (f frontier) Less(i, j int) bool {
	if a, b := f[i].cost(), f[j].cost(); a != b {
		return a < b
	}
	return f[i].order < f[j].order
}
func (f frontier) Swap(i, j int) { f[i], f[j] = f[j], f[i] }
func (f *frontier) Push(x any)   { *f = append(*f, x.(*open)) }
func (f *frontier) Pop() any {
	n := len(*f) - 1
	x := (*f)[n]
	*f = (*f)[:n]
	return x
}

// mostOpen bounds the states that a search keeps, turns how many orders of the
// alternatives are tried for one part of the goal.
const (
	mostOpen = 256
	turns    = 3
)

// bestFirst searches over the orders in which the parts of a goal can be brought
// about and the ways to bring each about, the shortest first. It is for goals whose
// parts stand in each other's way: each state it keeps is reached by actions whose
// preconditions were made to hold.
func (r *recovery) bestFirst(start *moment, c *choice) *candidate {
	r.wanted = c.literals
	first := &open{mo: &moment{s: start.s.Clone(), strict: true}}
	first.steps = r.undo(first.mo)
	first.lacks = r.lacked(first.mo, c)
	queue, seen, found := frontier{first}, map[[2]uint64]bool{}, 1
	known := len(r.forbidden)
	defer func(shift int) { r.shift = shift }(r.shift)
	for len(queue) > 0 && !r.exhausted() && len(r.forbidden) == known {
		at := heap.Pop(&queue).(*open)
		if len(at.lacks) == 0 {
			end := r.clone(at.mo)
			steps := append(slices.Clip(at.steps), r.forEach(end, c)...)
			if c := r.accept(r.tidy(start, steps), Search); c != nil {
				return c
			}
			continue
		}
		n := len(at.lacks)
		l := at.lacks[at.tried%n]
		r.shift = at.tried / n
		mo := r.clone(at.mo)
		more, ok := r.bringAbout(mo, l)
		if at.tried++; at.tried < turns*n {
			heap.Push(&queue, at)
		}
		if !ok || len(at.steps)+len(more) > longest {
			continue
		}
		if key := [2]uint64{r.print(mo.s), uint64(mo.s.Anchor(r.trace.Robot))}; !seen[key] {
			seen[key] = true
			heap.Push(&queue, &open{mo: mo, steps: append(slices.Clip(at.steps), more...), lacks: r.lacked(mo, c), order: found})
			found++
		}
		if len(queue) > mostOpen {
			slices.SortFunc(queue, func(a, b *open) int { return a.cost() - b.cost() })
			queue = queue[:mostOpen] // sorted is a heap too
		}
	}
	return nil
}

// lacked are the parts of a goal that do not hold, and what must not be left on.
func (r *recovery) lacked(mo *moment, c *choice) []literal {
	var out []literal
	for _, l := range c.literals {
		if !r.barred(l) && !r.holds(mo.s, l) {
			out = append(out, l)
		}
	}
	slices.SortStableFunc(out, func(a, b literal) int { return r.stage(a, c.literals) - r.stage(b, c.literals) })
	on, _ := r.onto.Lookup("on")
	for _, x := range r.leftOn(mo.s) {
		out = append(out, literal{x: x, pred: r.onto.Core.State, y: state.TermRef(r.onto.Opposite(on))})
	}
	return out
}
