package recovery

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// views are the objects that were seen from where the robot stood when it had gone to
// another, by that and the object, with where they were then. Sensors that err tell
// nothing.
func views(t *belief.Trace) map[[2]state.Object]state.Object {
	out := map[[2]state.Object]state.Object{}
	if t.Episode.Noise > 0 {
		return out
	}
	everything := map[int32]bool{} // that lists all there is, wherever it is
	for i := range t.Episode.Steps {
		st := &t.Episode.Steps[i]
		everything[int32(st.Index)] = st.Observation.Complete
	}
	at := state.Nothing
	for i := range t.Events {
		e := &t.Events[i]
		if e.ToCome || e.Call.Agent != t.Robot {
			break
		}
		if t.Objects.Onto.IsNavigation(e.Call.Schema) && e.First == e.Step {
			if at = e.Call.Target; e.Outcome >= belief.Refused || !slices.Contains(e.Seen, at) {
				at = state.Nothing
			}
		}
		if at == state.Nothing || everything[e.Step] {
			continue
		}
		for _, x := range e.Seen {
			out[[2]state.Object{at, x}] = t.At(state.Fluent{Obj: x, Slot: state.PlaceSlot}, e.Step).At
		}
	}
	return out
}
