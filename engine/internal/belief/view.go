package belief

import (
	"maps"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// view is what the robot has seen from where, so that what it does not see from
// where it stands is known to be elsewhere.
type view struct {
	stand int // how often the robot has moved
	// here is what was seen since it last moved, nil where nobody has looked since.
	here map[state.Object]bool
	// beside is what it was observed to be near to since it last moved.
	beside map[state.Object]bool
	last   map[state.Object]int            // the stand from which an object was last seen
	from   map[state.Object][]state.Object // the furniture beside which the robot stood when it saw it
}

func newView() view {
	return view{beside: map[state.Object]bool{}, last: map[state.Object]int{}, from: map[state.Object][]state.Object{}}
}

func (v *view) clone() view {
	return view{v.stand, maps.Clone(v.here), maps.Clone(v.beside), maps.Clone(v.last), maps.Clone(v.from)}
}

// move begins another stand.
func (v *view) move() {
	v.stand++
	v.here, v.beside = nil, map[state.Object]bool{}
}

// noteView keeps in mind what is seen from where the robot stands. The first scene
// may have been looked at from anywhere; but what the robot is near to is where it
// stands.
func (t *tracker) noteView(e *Event, obs *sight) {
	v := &t.view
	if e.Call.Agent != t.trace.Robot {
		return // what another robot sees says nothing of where this one stands
	}
	if e.Step > 0 && t.onto.IsNavigation(e.Call.Schema) && e.First == e.Step {
		v.move()
	}
	if obs.missing {
		return
	}
	for _, edge := range obs.edges {
		if edge.Relation == t.onto.Core.Near && edge.Subject == e.Call.Agent {
			v.beside[edge.Object] = true
		}
	}
	if e.Step == 0 {
		return
	}
	if v.here == nil {
		v.here = map[state.Object]bool{}
	}
	at := t.standsAt(e.Call.Agent)
	for x := range obs.nodes {
		v.here[x], v.last[x] = true, v.stand
		if at != state.Nothing && !slices.Contains(v.from[x], at) {
			v.from[x] = append(slices.Clip(v.from[x]), at)
		}
	}
}

// standsAt is the furniture that an agent stands by, or Nothing.
func (t *tracker) standsAt(agent state.Object) state.Object {
	if at := t.actual.Anchor(agent); at != state.Nothing {
		return t.actual.Support(at)
	}
	return state.Nothing
}

// elsewhere reports that the robot stands where it does not reach an object that
// it knows: it is near other things; or it has looked and not seen the object, which
// it saw from where it stood before, or knows to be at other furniture than it sees.
// What it has ever seen from there counts as in reach. Where sensors err, or the
// log leaves out where the robot moves, nothing is known.
func (t *tracker) elsewhere(c state.Call, x state.Object) bool {
	v := &t.view
	if t.ep.Exact || t.ep.Noise > 0 || c.Agent != t.trace.Robot || t.onto.IsNavigation(c.Schema) || !t.met[x] || v.here[x] || t.enclosed(x) {
		return false
	}
	q := state.Query{State: t.actual, Agent: c.Agent, Gripper: c.Gripper}
	if q.Near(c.Agent, x) >= state.AssumedTrue || t.actual.Place(x).At == c.Gripper {
		return false
	}
	if anchor := t.actual.Anchor(c.Agent); anchor != state.Nothing && v.here != nil && !v.here[anchor] && !v.here[t.actual.Support(anchor)] {
		return false // it is still on its way
	}
	at, with := t.standsAt(c.Agent), t.actual.Support(x)
	if at != state.Nothing && (slices.Contains(v.from[x], at) || slices.Contains(v.from[with], at) && with == x) {
		return false
	}
	switch {
	case len(v.beside) > 0:
		return !v.beside[x] && !v.beside[with]
	case v.here == nil:
		return false
	}
	last, seen := v.last[x]
	return seen && last < v.stand || t.seesOtherPlace(x, &sight{nodes: v.here})
}
