package belief

import (
	"maps"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// misplaced is what is not where an action was to bring it, each with the step since
// which.
type misplaced struct {
	fallen  map[state.Object]int32 // out of the gripper, until it is handled again
	unmoved map[state.Object]int32 // by an action that was to move it
	robot   int32                  // 0 where it is where it was last to move
	touched []state.Object         // that fell or were handled again of late
}

func newMisplaced() misplaced {
	return misplaced{fallen: map[state.Object]int32{}, unmoved: map[state.Object]int32{}}
}

func (m *misplaced) clone() misplaced {
	return misplaced{maps.Clone(m.fallen), maps.Clone(m.unmoved), m.robot, slices.Clip(m.touched)}
}

// takeTouched lists what fell or was handled again since it was last asked for.
func (m *misplaced) takeTouched() []state.Object {
	out := m.touched
	m.touched = nil
	return out
}

func (m *misplaced) hasFallen(x state.Object) bool {
	_, fell := m.fallen[x]
	return fell
}

func (m *misplaced) fell(x state.Object, step int32) {
	m.fallen[x] = step
	m.touched = append(m.touched, x)
}

// restart takes the robot, and what was not moved, to be where they should be.
func (m *misplaced) restart() { m.unmoved, m.robot = map[state.Object]int32{}, 0 }

// since is the first step since which the robot is not where it was to move, or an
// object not where it was to be moved; 0 where neither is so.
func (m *misplaced) since(x state.Object) int32 {
	if at, ok := m.unmoved[x]; ok && (m.robot == 0 || at < m.robot) {
		return at
	}
	return m.robot
}

// note keeps in mind what an action has left elsewhere than it was to be.
func (m *misplaced) note(l *line, fall ontology.TermID) {
	m.noteFalls(l, fall)
	m.noteUnmoved(l)
	if l.now.Objects.Onto.IsNavigation(l.Call.Schema) {
		m.robot = 0
		if l.Outcome >= Refused {
			m.robot = l.origin()
		}
	}
}

// noteFalls keeps in mind what left the gripper otherwise than by being put
// down, until it is handled again or seen in the gripper: what is found of it then is the
// fall's doing.
func (m *misplaced) noteFalls(l *line, fall ontology.TermID) {
	if x := l.Call.Target; m.hasFallen(x) && !l.obs.Missing && (l.Outcome <= Succeeded || l.obs.ShowsAt(x, l.Call.Gripper)) {
		delete(m.fallen, x)
		m.touched = append(m.touched, x)
	}
	if !l.HandEmpty {
		return
	}
	objects := l.now.Objects
	for _, x := range l.before.Held(l.Call.Gripper) {
		at := l.now.Place(x).At
		if l.Belated > 0 && l.obs.ShowsPlace(x) && !objects.IsA(at, objects.Onto.Core.Floor) {
			continue // it was put there before
		}
		onFloor := objects.IsA(at, objects.Onto.Core.Floor) && at != l.Call.Destination
		if l.Call.Schema.KeepsHold || l.Outcome >= Refused || onFloor || at == state.Nothing {
			m.fell(x, l.Step)
		}
	}
	if l.Call.Target != state.Nothing && l.Outcome >= Refused && l.heard(objects.Onto, fall) {
		m.fell(l.Call.Target, l.Step)
	}
}

// noteUnmoved keeps in mind what an action was to move and did not, until it is
// moved: it need not be where it should be even if that has the same name.
func (m *misplaced) noteUnmoved(l *line) {
	objects := l.now.Objects
	for _, c := range l.effects {
		x := c.Fluent.Obj
		if c.Fluent.Slot != state.PlaceSlot || c.Idle && l.Outcome < Refused {
			continue
		}
		if l.Outcome < Refused {
			if since, ok := m.unmoved[x]; ok && l.now.Gone(x) { // its pieces lie where it lay
				for _, p := range objects.Pieces(x, objects.Onto.Core.PhysicalObject) {
					m.unmoved[p] = since
				}
			}
			delete(m.unmoved, x)
		} else if since, ok := m.unmoved[x]; !ok || since >= l.First {
			m.unmoved[x] = l.origin()
		}
	}
}
