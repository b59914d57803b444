package belief

import (
	"iter"
	"maps"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// viewpoint is what the robot has seen from where, so that what it does not see from
// where it stands is known to be elsewhere.
type viewpoint struct {
	ep    *episode.Episode
	robot state.Object
	seen  map[state.Object]bool // ever
	stand int32                 // how often the robot has moved
	// here is what was seen since it last moved, nil where nobody has looked since.
	here map[state.Object]bool
	// beside is what it was observed to be near to since it last moved.
	beside map[state.Object]bool
	sights []sight // by object, as far as there are such
	// noted is what was last seen, from which stand and beside which furniture: it need not be
	// noted again.
	noted struct {
		seen  []state.Object
		stand int32
		at    state.Object
	}
}

// sight is from where an object was seen.
type sight struct {
	last int32          // the stand from which it last was, below 0 where it never was
	from []state.Object // the furniture beside which the robot stood then
}

// sight is from where an object was seen, nil where it never was.
func (v *viewpoint) sight(x state.Object) *sight {
	if x < 0 || int(x) >= len(v.sights) || v.sights[x].last < 0 {
		return nil
	}
	return &v.sights[x]
}

// sightOf is sight that is there from now on.
func (v *viewpoint) sightOf(x state.Object) *sight {
	if n := int(x) + 1; n > len(v.sights) {
		if n > cap(v.sights) {
			v.sights = append(make([]sight, 0, n+n/8), v.sights...)
		}
		for len(v.sights) < n {
			v.sights = append(v.sights, sight{last: -1})
		}
	}
	return &v.sights[x]
}

// isFrom reports whether the robot once saw an object while it stood beside some furniture.
func (v *viewpoint) isFrom(x, at state.Object) bool {
	s := v.sight(x)
	return s != nil && slices.Contains(s.from, at)
}

func newViewpoint(ep *episode.Episode, robot state.Object) viewpoint {
	return viewpoint{ep: ep, robot: robot, seen: map[state.Object]bool{}, beside: map[state.Object]bool{}}
}

// fork is an independent copy for a copy of the episode.
func (v *viewpoint) fork(ep *episode.Episode) viewpoint {
	c := *v
	c.ep, c.seen, c.here, c.beside = ep, maps.Clone(v.seen), maps.Clone(v.here), maps.Clone(v.beside)
	c.sights = slices.Clone(v.sights)
	return c
}

// move begins another stand.
func (v *viewpoint) move() {
	v.stand++
	v.here, v.beside = nil, map[state.Object]bool{}
}

// note keeps in mind what is seen from where the robot stands. The first scene
// may have been looked at from anywhere; but what the robot is near to is where it
// stands.
func (v *viewpoint) note(l *line) {
	if l.Call.Agent != v.robot {
		return // what another robot sees says nothing of where this one stands
	}
	onto := l.now.Objects.Onto
	if l.Step > 0 && onto.IsNavigation(l.Call.Schema) && l.First == l.Step {
		v.move()
	}
	if l.obs.Missing {
		return
	}
	for _, edge := range l.obs.Edges {
		if edge.Relation == onto.Core.Near && edge.Subject == l.Call.Agent {
			v.beside[edge.Object] = true
		}
	}
	if l.Step == 0 {
		return
	}
	at := standsAt(l.now, l.Call.Agent)
	n := &v.noted
	if v.here != nil && n.stand == v.stand && n.at == at && len(n.seen) > 0 && sameList(n.seen, l.Seen) {
		return
	}
	n.seen, n.stand, n.at = l.Seen, v.stand, at
	if v.here == nil {
		v.here = make(map[state.Object]bool, len(l.obs.Seen))
	}
	var was, is []state.Object // of the thing before: most were seen from the same places
	for _, x := range l.obs.Seen {
		v.here[x] = true
		s := v.sightOf(x)
		if s.last = v.stand; at != state.Nothing && !slices.Contains(s.from, at) {
			if is == nil || !slices.Equal(s.from, was) {
				was, is = s.from, append(slices.Clip(s.from), at)
			}
			s.from = is
		}
	}
}

// standsAt is the furniture that an agent stands by, or Nothing.
func standsAt(now *state.State, agent state.Object) state.Object {
	if at := now.Anchor(agent); at != state.Nothing {
		return now.Support(at)
	}
	return state.Nothing
}

// isOutOfReach reports that the robot stands where it does not reach an object that
// it knows: it is near other things; or it has looked and not seen the object, which
// it saw from where it stood before, or knows to be at other furniture than it sees.
// What it has ever seen from there counts as in reach. Where sensors err, or the
// log leaves out where the robot moves, nothing is known.
func (v *viewpoint) isOutOfReach(now *state.State, c state.Call, x state.Object) bool {
	if v.ep.Exact || v.ep.Noise > 0 || c.Agent != v.robot || now.Objects.Onto.IsNavigation(c.Schema) || !v.seen[x] || v.here[x] || isEnclosed(now, x) {
		return false
	}
	q := state.Query{State: now, Agent: c.Agent, Gripper: c.Gripper}
	if q.Near(c.Agent, x) >= state.AssumedTrue || now.Place(x).At == c.Gripper {
		return false
	}
	if anchor := now.Anchor(c.Agent); anchor != state.Nothing && v.here != nil && !v.here[anchor] && !v.here[now.Support(anchor)] {
		return false // it is still on its way
	}
	at, with := standsAt(now, c.Agent), now.Support(x)
	if at != state.Nothing && (v.isFrom(x, at) || v.isFrom(with, at) && with == x) {
		return false
	}
	switch {
	case len(v.beside) > 0:
		return !v.beside[x] && !v.beside[with]
	case v.here == nil:
		return false
	}
	seen := v.sight(x)
	return seen != nil && seen.last < v.stand || seesOtherPlace(now, x, maps.Keys(v.here), func(y state.Object) bool { return v.here[y] })
}

// seesOtherPlace reports whether furniture is among what is seen, and not that at
// which an object is.
func seesOtherPlace(now *state.State, x state.Object, seen iter.Seq[state.Object], isSeen func(state.Object) bool) bool {
	objects, onto := now.Objects, now.Objects.Onto
	for at, n := now.Place(x).At, 0; at != state.Nothing && n < len(objects.Items); at, n = now.Place(at).At, n+1 {
		if isSeen(at) {
			return false
		}
	}
	support := now.Support(x)
	other := false
	for y := range seen {
		if y == support {
			return false
		}
		fixed := objects.Class(y) != ontology.None && !objects.HasProperty(y, onto.Roles.Movable) && !objects.IsA(y, onto.Core.Floor)
		other = other || fixed && objects.IsA(y, onto.Core.PhysicalObject)
	}
	return other
}
