package grounding

import (
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/engine/scene"
)

// Renumber renumbers the table and the objects that names mean.
func (n *Names) Renumber(r *state.Renumbering) {
	r.Objects(n.objects)
	n.added, n.meant = scene.Graph{}, meant{}
	n.robots, n.seen, n.listed = r.List(n.robots), state.Renumbered(r, n.seen), state.Renumbered(r, n.listed)
	n.marks, n.kinds = state.Renumbered(r, n.marks), state.Renumbered(r, n.kinds)
	declared := make(map[string]state.Object, len(n.declared))
	for name, x := range n.declared {
		if r.In(&x) {
			declared[name] = x
		}
	}
	n.declared = declared
	var readings []reading
	for _, read := range n.readings {
		if r.In(&read.of) {
			readings = append(readings, read)
		}
	}
	n.readings = readings
}

// Forget lets go, now and then, of the things and numbers that so many looks have not
// shown.
func (ids *Identities) Forget(looks int) {
	const often = 256 // looks
	if len(ids.things) == 0 || ids.looks%often != 0 {
		return
	}
	to := make([]int, len(ids.things))
	var things []thing
	for i, t := range ids.things {
		if to[i] = -1; t.taken > ids.looks-looks {
			to[i] = len(things)
			things = append(things, t)
		}
	}
	ids.things, ids.numbers = things, nil
	for id, s := range ids.byID {
		if to[s.thing] < 0 || s.look <= ids.looks-looks {
			delete(ids.byID, id)
		} else {
			ids.byID[id] = sight{to[s.thing], s.look}
		}
	}
}
