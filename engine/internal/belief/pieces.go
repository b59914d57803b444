package belief

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/grounding"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// linkSeenPieces takes pieces that are first seen once something was cut for its pieces,
// whatever else they were thought to be cut from: the name of a piece is only a hint.
func (t *tracker) linkSeenPieces(l *line) {
	whole := l.Call.Target
	if whole == state.Nothing || len(l.obs.Seen) == 0 || t.believed.Gone(whole) || l.obs.Shown(whole) {
		return
	}
	objects := t.trace.Objects
	for _, form := range t.onto.Pieces(l.Call.Schema, objects.Class(whole)) {
		for _, x := range l.obs.Seen {
			item := &objects.Items[x]
			if item.Origin != state.Nothing && item.Class == form && t.believed.Gone(x) && !t.names.IsToldPiece(x) {
				objects.SetOrigin(x, whole)
			}
		}
	}
}

// removeUnseenPieces takes away pieces that only a plan gave names to, where something
// was cut and other pieces of it are what is seen. The plan goes on with those.
func (t *tracker) removeUnseenPieces(l *line) {
	whole := l.Call.Target
	if !t.live || whole == state.Nothing || !t.believed.Gone(whole) || !t.onto.Replaces(l.Call.Schema) {
		return
	}
	objects := t.trace.Objects
	pieces := objects.Pieces(whole, t.onto.Core.PhysicalObject)
	i := slices.IndexFunc(pieces, func(p state.Object) bool { return l.obs.Shown(p) })
	if i < 0 {
		return
	}
	for _, p := range pieces {
		if !t.view.seen[p] {
			t.believed.Remove(p, l.Step)
		}
	}
	t.renameInPlan(t.onto.Pieces(l.Call.Schema, objects.Class(whole)), objects.Name(pieces[i]))
}

// renameInPlan puts the name of a piece that came about in the place of the name that
// the plan has for it: one of its kind that nobody has seen, up to where the plan cuts
// something else.
func (t *tracker) renameInPlan(forms []ontology.TermID, seen string) {
	plan := slices.Clone(t.ep.Plan)
	planned := ""
	for i := t.done; i < len(plan); i++ {
		if a, ok := t.onto.Action(plan[i].Name); !ok || planned == "" && t.onto.Replaces(a) {
			break
		}
		for _, name := range []*string{&plan[i].Target, &plan[i].Destination} {
			if planned == "" && t.isUnseen(*name, forms) {
				planned = *name
			}
			if *name != "" && *name == planned {
				*name = seen
			}
		}
	}
	t.ep.Plan = plan
}

// isUnseen reports whether a name is that of one object of some classes that nobody
// has seen.
func (t *tracker) isUnseen(name string, classes []ontology.TermID) bool {
	if class, n := episode.SplitName(name); n == 0 || !slices.Contains(classes, t.onto.Canonical(grounding.ClassOf(t.onto, class))) {
		return false
	}
	x, known := t.trace.Objects.Lookup(name)
	return !known || !t.view.seen[x] && t.believed.Gone(x)
}
