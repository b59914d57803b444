package simulation

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// layout is where everything is in a kitchen, and what the robot reaches of it.
type layout struct {
	onto    *ontology.Ontology
	objects *state.Objects
	s       *state.State
	gripper state.Object
	floor   state.Object
	zones   []zone
	zone    int                  // where the robot stands
	lies    map[state.Object]int // zone of what lies in or on a fixture of several zones
	step    int32
	closed  ontology.TermID
	movable ontology.TermID
	// anywhere lets the robot reach everything wherever it stands.
	anywhere bool
	team     []member // the robots, where there are several
}

// member is a robot of a team, with the zone where it stands while another acts.
type member struct {
	robot, gripper state.Object
	zone           int
}

type zone struct {
	name     string
	fixtures []state.Object
}

func (l *layout) isMovable(x state.Object) bool { return l.objects.HasProperty(x, l.movable) }

func (l *layout) isAgent(x state.Object) bool {
	return l.objects.IsA(x, l.onto.Core.Agent) || l.objects.IsA(x, l.onto.Core.RobotGripper)
}

// place puts a thing where things of its class usually are.
func (l *layout) place(x state.Object) {
	at := l.zones[l.zone].fixtures[0]
	for _, c := range l.onto.UsualPlaces(l.objects.Class(x)) {
		if there := l.objects.OfClass(c); len(there) > 0 {
			at = there[0]
			break
		}
	}
	l.put(x, at)
}

// put sets a thing down; what lies on a fixture of several zones lies where the
// robot stands, or in the fixture's first zone.
func (l *layout) put(x, at state.Object) {
	l.s.SetPlace(x, l.relation(at), at, state.Observed, l.step)
	if in := l.zonesOf(at); len(in) > 1 || at == l.floor {
		l.lies[x] = l.zone
		if at != l.floor && !slices.Contains(in, l.zone) {
			l.lies[x] = in[0]
		}
	} else {
		delete(l.lies, x)
	}
}

// relation is the place relation that logs write for what stands at a place.
func (l *layout) relation(at state.Object) ontology.TermID {
	return l.onto.PlaceRelation(l.objects.Class(at))
}

// beside moves a thing to where another is, so that it can stand in its way.
func (l *layout) beside(x, y state.Object) {
	in := l.zonesOf(y)
	if !l.isMovable(x) {
		if own := l.zonesOf(x); len(in) > 0 && !slices.Contains(own, in[0]) {
			l.zones[in[0]].fixtures = append(l.zones[in[0]].fixtures, x)
		}
		return
	}
	at := l.s.Place(y).At
	if at == state.Nothing || at == l.gripper {
		at = l.zones[l.zone].fixtures[0]
		if len(in) > 0 {
			at = l.surface(in[0])
		}
	}
	l.put(x, at)
	if len(in) > 0 && (at == l.floor || len(l.zonesOf(at)) > 1) {
		l.lies[x] = in[0]
	}
}

// surface is a fixture of a zone that a thing can stand on, the floor where
// there is none.
func (l *layout) surface(z int) state.Object {
	for _, x := range l.zones[z].fixtures {
		if _, limited := l.onto.Capacity(l.objects.Class(x)); !limited && l.relation(x) == l.onto.Core.OnTopOf {
			return x
		}
	}
	return l.floor
}

func (l *layout) lieIn(x, container state.Object) bool {
	for range len(l.objects.Items) + 1 {
		if x == container {
			return true
		}
		if x = l.s.Place(x).At; x == state.Nothing {
			return false
		}
	}
	return true
}

// zonesOf lists the zones from which an object can be reached.
func (l *layout) zonesOf(x state.Object) []int {
	for range len(l.objects.Items) + 1 {
		if z, ok := l.lies[x]; ok {
			return []int{z}
		}
		at := l.s.Place(x).At
		for _, m := range l.team {
			if at == m.gripper && at != l.gripper {
				return []int{m.zone}
			}
		}
		if at == l.gripper {
			return []int{l.zone}
		}
		if at == state.Nothing {
			break
		}
		x = at
	}
	var out []int
	for i, z := range l.zones {
		if slices.Contains(z.fixtures, x) {
			out = append(out, i)
		}
	}
	if x == l.floor {
		out = append(out, l.zone)
	}
	return out
}

// Reaches reports whether the robot can reach an object where it stands.
func (l *layout) Reaches(x state.Object) bool {
	return l.anywhere || slices.Contains(l.zonesOf(x), l.zone)
}

// Hidden reports whether an object is in something closed.
func (l *layout) Hidden(x state.Object) bool {
	for range len(l.objects.Items) + 1 {
		at := l.s.Place(x)
		if at.At == state.Nothing {
			return false
		}
		if at.Term == l.onto.Core.Inside && l.s.Is(at.At, l.closed) {
			return true
		}
		x = at.At
	}
	return false
}

// Held is what is in the gripper, or Nothing.
func (l *layout) Held() state.Object {
	for _, x := range l.s.Held(l.gripper) {
		if !l.s.Gone(x) {
			return x
		}
	}
	return state.Nothing
}

// goTo takes the robot to a zone from which an object is in reach, its own where
// it is one.
func (l *layout) goTo(x state.Object) {
	if in := l.zonesOf(x); len(in) > 0 && !slices.Contains(in, l.zone) {
		l.zone = in[0]
	}
}
