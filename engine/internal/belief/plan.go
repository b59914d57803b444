package belief

import (
	"fmt"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// align gives each step the 1-based index of the plan's action it carries out,
// 0 for none, by a longest common subsequence of the plan and the actions of
// the log. Lines that repeat an action share its index.
func (t *tracker) align() map[int]int {
	ep := t.ep
	var actions []episode.Action
	var group []int // of each step
	for i := range t.steps {
		st := &t.steps[i]
		if st.Action.Name != "" && (len(actions) == 0 || i > 0 && t.steps[i-1].Action != st.Action) {
			actions = append(actions, st.Action)
		}
		group = append(group, len(actions)-1)
	}
	match := commonSubsequence(actions, ep.Plan, t.alike)
	out := map[int]int{}
	for i := range t.steps {
		if g := group[i]; g >= 0 && t.steps[i].Action.Name != "" {
			out[t.steps[i].Index] = match[g]
		}
	}
	if unmatched := t.unplanned(actions, match); len(ep.Plan) > 0 && unmatched > 0 {
		ep.Warn(0, fmt.Sprintf("the plan does not match the steps: %d of %d actions of the log are not in the plan, in that order", unmatched, len(actions)))
	}
	return out
}

// Align matches two sequences of actions by a longest common subsequence; the
// result holds, for each of a, the 1-based index of its match in b, 0 for none.
func Align(o *ontology.Ontology, a, b []episode.Action) []int {
	t := &tracker{onto: o}
	return commonSubsequence(a, b, t.alike)
}

// unplanned counts the actions that are not in the plan; looking changes
// nothing and needs no plan.
func (t *tracker) unplanned(actions []episode.Action, match []int) int {
	n := 0
	for i, a := range actions {
		if schema, ok := t.onto.Action(a.Name); match[i] == 0 && ok && len(schema.Effects) > 0 {
			n++
		}
	}
	return n
}

// commonSubsequence matches a with b in order; the result holds 1-based
// indexes into b, 0 for no match.
func commonSubsequence(a, b []episode.Action, alike func(a, b episode.Action) bool) []int {
	out := make([]int, len(a))
	first := 0
	for first < min(len(a), len(b)) && alike(a[first], b[first]) {
		out[first] = first + 1
		first++
	}
	endA, endB := len(a), len(b)
	for endA > first && endB > first && alike(a[endA-1], b[endB-1]) {
		endA--
		endB--
		out[endA] = endB + 1
	}
	for i, match := range matchBetween(a[first:endA], b[first:endB], alike) {
		if match > 0 {
			out[first+i] = first + match
		}
	}
	return out
}

// maxCells bounds the table of a longest common subsequence; longer sequences
// that differ at both ends are matched action by action.
const maxCells = 4_000_000

// matchInTurn gives each of a the next of b that is like it and not far off.
func matchInTurn(a, b []episode.Action, alike func(a, b episode.Action) bool) []int {
	const ahead = 20
	out := make([]int, len(a))
	next := 0
	for i := range a {
		for j := next; j < min(len(b), next+ahead); j++ {
			if alike(a[i], b[j]) {
				out[i], next = j+1, j+1
				break
			}
		}
	}
	return out
}

// matchBetween is commonSubsequence where neither ends match.
func matchBetween(a, b []episode.Action, alike func(a, b episode.Action) bool) []int {
	if len(a)*len(b) > maxCells {
		return matchInTurn(a, b, alike)
	}
	length := make([][]int32, len(a)+1)
	for i := range length {
		length[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			length[i][j] = max(length[i+1][j], length[i][j+1])
			if alike(a[i], b[j]) {
				length[i][j] = max(length[i][j], length[i+1][j+1]+1)
			}
		}
	}
	out := make([]int, len(a))
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case alike(a[i], b[j]) && length[i][j] == length[i+1][j+1]+1:
			out[i] = j + 1
			i++
			j++
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return out
}

// alike compares a logged action with a planned one: of one family, as putting
// in and putting on are, and of the same objects. A class matches its instances,
// an object the pieces of it.
func (t *tracker) alike(a, b episode.Action) bool {
	return t.family(a.Name) == t.family(b.Name) && t.sameThing(a.Target, b.Target) &&
		(a.Destination == "" || b.Destination == "" || t.sameThing(a.Destination, b.Destination))
}

func (t *tracker) family(name string) string {
	a, ok := t.onto.Action(name)
	if !ok {
		return name
	}
	return a.Family
}

func (t *tracker) sameThing(a, b string) bool {
	c, n := episode.SplitName(a)
	d, m := episode.SplitName(b)
	if n != m && n != 0 && m != 0 {
		return false
	}
	x, y := t.onto.Canonical(t.classOf(c)), t.onto.Canonical(t.classOf(d))
	return c == d || x != ontology.None && (x == y || slices.Contains(t.onto.Values(y, "form"), x))
}

// assumeUnlogged carries out, in belief and expectation, the planned actions
// between the one before and this one that the log leaves out.
func (t *tracker) assumeUnlogged(e *Event) {
	if e.Planned == 0 {
		return
	}
	for i := t.done + 1; i < e.Planned; i++ {
		var u Event
		u.Planned, u.Step = i, e.Step
		a := t.ep.Plan[i-1]
		t.resolveCall(&u, &episode.Step{Index: -1, Action: a})
		t.ep.Warn(0, fmt.Sprintf("planned action %d %s is not in the log; it is taken to have happened where it could", i, a))
		t.expected.Apply(u.Call, state.Predicted, e.Before)
		if len(t.actual.UnmetPreconditions(u.Call)) == 0 {
			t.actual.Apply(u.Call, state.Predicted, e.Before)
			t.trace.UnloggedCalls[e.Step] = append(t.trace.UnloggedCalls[e.Step], u.Call)
		}
	}
}
