package planfault

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// Costs of what differs between two sequences. Moves of the robot and looks count
// hardly.
const (
	costEdit     = 100 // an action put in or left out
	costObject   = 110 // another object
	costAction   = 120 // another action with the same objects
	costBetween  = 4
	costUnlike   = 1000 // more than leaving out and putting in
	costSameKind = 1    // an action of the same family
)

// align tells by which changes a sequence becomes a right plan, those that cost least.
func (p *Problem) align(seq, plan []TimedCall) *script {
	n, m := len(seq), len(plan)
	table := make([][]int, n+1)
	for i := range table {
		table[i] = make([]int, m+1)
	}
	for i := n; i >= 0; i-- {
		if p.Interrupt.Raised() {
			return &script{seq: seq}
		}
		for j := m; j >= 0; j-- {
			switch {
			case i == n && j == m:
			case i == n:
				table[i][j] = table[i][j+1] + p.single(plan[j].Call)
			case j == m:
				table[i][j] = table[i+1][j] + p.single(seq[i].Call)
			default:
				table[i][j] = min(table[i+1][j+1]+p.both(seq[i].Call, plan[j].Call),
					table[i+1][j]+p.single(seq[i].Call), table[i][j+1]+p.single(plan[j].Call))
			}
		}
	}
	sc := &script{seq: seq}
	for i, j := 0, 0; i < n || j < m; {
		switch {
		case i < n && j < m && table[i][j] == table[i+1][j+1]+p.both(seq[i].Call, plan[j].Call):
			if p.both(seq[i].Call, plan[j].Call) > costSameKind {
				sc.changes = append(sc.changes, change{Replace, i, plan[j].Call, p.isBetween(seq[i].Call)})
			}
			i, j = i+1, j+1
		case j < m && table[i][j] == table[i][j+1]+p.single(plan[j].Call):
			sc.changes = append(sc.changes, change{Insert, i, plan[j].Call, p.isBetween(plan[j].Call)})
			j++
		default:
			sc.changes = append(sc.changes, change{Delete, i, seq[i].Call, p.isBetween(seq[i].Call)})
			i++
		}
	}
	sc.group(p.whole, p.Interrupt)
	return sc
}

// whole is what an object was cut or cracked from, else itself.
func (p *Problem) whole(x state.Object) state.Object {
	for x != state.Nothing && p.Start.Objects.Items[x].Origin != state.Nothing {
		x = p.Start.Objects.Items[x].Origin
	}
	return x
}

// isBetween reports whether a call changes no object: the robot moves or looks.
func (p *Problem) isBetween(c state.Call) bool {
	return len(c.Schema.Effects) == 0 || p.Start.Objects.Onto.IsNavigation(c.Schema)
}

// single is what it costs to put an action in, or to leave it out.
func (p *Problem) single(c state.Call) int {
	if p.isBetween(c) {
		return costBetween
	}
	return costEdit
}

// both is what it costs to take one action for another.
func (p *Problem) both(a, b state.Call) int {
	target, destination := a.Target == b.Target, a.Destination == b.Destination
	if p.isBetween(a) || p.isBetween(b) {
		if a.Schema == b.Schema && target {
			return 0
		}
		return costUnlike
	}
	switch {
	case a.Schema == b.Schema && target && destination:
		return 0
	case a.Schema.Family == b.Schema.Family && target && destination:
		return costSameKind
	case a.Schema.Family == b.Schema.Family && (target || destination) && (target || a.Schema.Params > 1 || a.Destination == state.Nothing):
		return costObject
	case target && a.Target != state.Nothing && (destination || a.Destination == state.Nothing || b.Destination == state.Nothing):
		return costAction
	}
	return costUnlike
}

// reduce unmakes the changes of a script that need not be made: as many together as
// can be, then one by one, until each of those left is needed.
func (p *Problem) reduce(sc *script, base Result, until int) {
	order, weight := sc.dispensable(), sc.weight()+sc.moves()
	for size := len(order); size > 0; {
		changed := false
		for from := 0; from < len(order); from += size {
			part := slices.DeleteFunc(slices.Clone(order[from:min(from+size, len(order))]), func(g int) bool { return !sc.made[g] })
			if len(part) == 0 || p.simulated >= until {
				continue
			}
			sc.set(part, false)
			was := sc.far
			if p.fares(sc, base) && sc.weight()+sc.moves() < weight {
				changed, weight = true, sc.weight()+sc.moves()
			} else {
				sc.far = was
				sc.set(part, true)
			}
		}
		if !changed || size > 1 {
			size /= 2
		}
	}
}

func (sc *script) set(groups []int, made bool) {
	for _, g := range groups {
		sc.made[g] = made
	}
}

// dispensable lists the groups of changes, those that are needed least likely first:
// another order, what could be left out, moves of the robot; then others, from the end.
func (sc *script) dispensable() []int {
	rank := func(g int) int {
		c := &sc.changes[sc.groups[g][0]]
		switch {
		case len(sc.groups[g]) == 2 && c.kind != Replace:
			return 0
		case c.kind == Delete:
			return 1
		case c.between:
			return 2
		case c.kind == Replace:
			return 3
		}
		return 4
	}
	out := make([]int, len(sc.groups))
	for g := range out {
		out[g] = g
	}
	slices.SortStableFunc(out, func(a, b int) int {
		if rank(a) != rank(b) {
			return rank(a) - rank(b)
		}
		return b - a
	})
	return out
}

// like reports whether two calls bring different things to one place.
func like(a, b state.Call) bool {
	return a.Destination != state.Nothing && a.Schema == b.Schema && a.Destination == b.Destination && a.Target != b.Target
}
