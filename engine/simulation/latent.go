package simulation

import (
	"fmt"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// secret is a state or relation that no look shows yet.
type secret struct {
	x        state.Object
	slot     int32           // of a state, 0 for a relation
	relation ontology.TermID // 0 for a state
	y        state.Object    // 0 for a state
}

// conceal lets facts that hold not show.
func (w *World) conceal(facts []episode.Fact) error {
	for _, f := range facts {
		x, err := w.first(f.Subject)
		if err != nil {
			return err
		}
		if f.Object == "" {
			ids := w.onto.ByLabel(f.Relation, w.onto.Core.StateClass) // New has taken it in
			w.secrets = append(w.secrets, secret{x: x, slot: w.s.SlotOf(ids[0])})
			continue
		}
		y, err := w.first(f.Object)
		if err != nil {
			return err
		}
		ids := w.onto.ByLabel(f.Relation, w.onto.Core.Relation)
		if w.onto.IsSub(ids[0], w.onto.Core.Within) {
			return fmt.Errorf("latent fact %q; expected a state or a relation that is no place: what is not to be seen is put into something closed", f.Words())
		}
		w.secrets = append(w.secrets, secret{x: x, relation: ids[0], y: y})
	}
	return nil
}

func (w *World) hides(s secret) bool { return slices.Contains(w.secrets, s) }

// reveal lets show what an action that is refused comes up against, and what the
// robot looks at from close by.
func (w *World) reveal(c state.Call, refused bool) {
	looks := len(c.Schema.Effects) == 0 && c.Target != state.Nothing && w.layout.Reaches(c.Target)
	if !refused && !looks {
		return
	}
	w.secrets = slices.DeleteFunc(w.secrets, func(s secret) bool {
		for _, x := range []state.Object{c.Target, c.Destination} {
			if x != state.Nothing && (s.x == x || s.relation != 0 && s.y == x) {
				return true
			}
		}
		return false
	})
}
