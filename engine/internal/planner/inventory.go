package planner

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Inventory is what there is to act on, with what is only imagined.
type Inventory struct {
	domain   *Domain
	usable   []state.Object // what actions can be done to
	surfaces []state.Object // what things can be put aside on, the surest first
	fixtures []state.Object // that nobody has seen
	seen     state.Object   // how many objects are not only imagined
	byClass  map[ontology.TermID][]state.Object
}

func newInventory(d *Domain, s *state.State) *Inventory {
	inv := &Inventory{domain: d, seen: state.Object(len(d.Objects.Items)), byClass: map[ontology.TermID][]state.Object{}}
	inv.imagineFixtures(s)
	inv.imaginePieces(s)
	core := &d.Onto.Core
	for i := range d.Objects.Items {
		x := state.Object(i)
		class := d.Objects.Class(x)
		if class == ontology.None || d.Objects.IsVague(x) || !d.Objects.IsA(x, core.PhysicalObject) || d.Objects.IsA(x, core.RobotGripper) || inv.onlySpokenOf(x) {
			continue
		}
		inv.usable = append(inv.usable, x)
		if d.Broad(x) && !d.Objects.IsA(x, core.Floor) {
			inv.surfaces = append(inv.surfaces, x)
		}
	}
	slices.SortStableFunc(inv.surfaces, func(a, b state.Object) int { return inv.surfaceRank(a) - inv.surfaceRank(b) })
	return inv
}

// onlySpokenOf reports that a thing was never seen, only meant by the name of its class, where
// something was seen that the name fits as well: the food, and a bag of it.
func (inv *Inventory) onlySpokenOf(x state.Object) bool {
	objects := inv.domain.Objects
	if x >= inv.seen || !objects.Items[x].Coined || objects.Items[x].Shown || objects.Items[x].Origin != state.Nothing {
		return false
	}
	return slices.ContainsFunc(objects.OfClass(objects.Class(x)), func(y state.Object) bool { return objects.Items[y].Shown })
}

// Imagined reports whether an object is only imagined: nobody has spoken of it.
func (inv *Inventory) Imagined(x state.Object) bool { return x >= inv.seen }

// IsFixture reports whether an object is there only because most scenes have one.
func (inv *Inventory) IsFixture(x state.Object) bool { return slices.Contains(inv.fixtures, x) }

// surfaceRank puts what there is in any scene first.
func (inv *Inventory) surfaceRank(x state.Object) int {
	if inv.domain.Onto.InAnyScene(inv.domain.Objects.Class(x)) {
		return 0
	}
	return 1
}

// imagineFixtures adds what there is in most scenes and nobody has seen.
func (inv *Inventory) imagineFixtures(s *state.State) {
	onto, objects := inv.domain.Onto, inv.domain.Objects
	for _, c := range onto.Subclasses(onto.Core.PhysicalObject) {
		if !onto.InMostScenes(c) || len(objects.OfClass(c)) > 0 {
			continue
		}
		x := objects.Fresh(c)
		inv.fixtures = append(inv.fixtures, x)
		for _, st := range slices.Backward(onto.DefaultStates(c)) {
			s.SetState(x, st, state.Assumed, 0)
		}
	}
}

// imaginePieces adds what can be cut or cracked from things, so that all that is
// imagined speaks of the same pieces.
func (inv *Inventory) imaginePieces(s *state.State) {
	onto, objects := inv.domain.Onto, inv.domain.Objects
	for x := range state.Object(len(objects.Items)) {
		if objects.Class(x) == ontology.None || s.Gone(x) {
			continue
		}
		for _, form := range onto.Forms(objects.Class(x)) {
			if len(objects.Pieces(x, form)) == 0 {
				piece := objects.Fresh(form)
				objects.SetOrigin(piece, x)
				s.Remove(piece, 0)
			}
		}
	}
}

// ofClass lists the objects of a class that actions can be done to, all for None.
func (inv *Inventory) ofClass(class ontology.TermID) []state.Object {
	if class == ontology.None {
		return inv.usable
	}
	if list, ok := inv.byClass[class]; ok {
		return list
	}
	var out []state.Object
	for _, x := range inv.usable {
		if inv.domain.Objects.IsA(x, class) {
			out = append(out, x)
		}
	}
	inv.byClass[class] = out
	return out
}
