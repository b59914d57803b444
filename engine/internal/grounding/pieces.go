package grounding

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// LinkPieces makes sliced and cracked forms the pieces of what they come from, for
// objects from an index on. It lists the pieces: they do not exist before.
func (n *Names) LinkPieces(from int) []state.Object {
	var out []state.Object
	for i := from; i < len(n.objects.Items); i++ {
		x := state.Object(i)
		if whole, ok := n.ep.Origins[n.objects.Name(x)]; ok {
			origin := n.Object(whole, "")
			n.objects.SetOrigin(x, origin)
		} else if n.objects.Items[i].Origin == state.Nothing {
			n.objects.SetOrigin(x, n.WholeOf(x))
		}
		if n.objects.Items[i].Origin != state.Nothing {
			out = append(out, x)
		}
	}
	return out
}

// WholeOf guesses what a piece is cut from where the log does not tell: the
// whole of the same number, else the first that has no pieces yet, else the
// first. It is Nothing for what is no piece.
func (n *Names) WholeOf(x state.Object) state.Object {
	class := n.objects.Class(x)
	var wholes []state.Object
	for _, c := range n.onto.WholesOfPieces(class) {
		wholes = append(wholes, n.objects.OfExactly(c)...)
	}
	wholes = slices.DeleteFunc(wholes, func(w state.Object) bool { return w == x })
	slices.Sort(wholes)
	for _, fits := range []func(state.Object) bool{
		func(w state.Object) bool { return n.objects.Items[w].Number == n.objects.Items[x].Number },
		func(w state.Object) bool { return len(n.objects.Pieces(w, class)) == 0 },
		func(state.Object) bool { return true },
	} {
		if i := slices.IndexFunc(wholes, fits); i >= 0 {
			return wholes[i]
		}
	}
	return state.Nothing
}

// IsToldPiece reports whether the log tells what an object comes from.
func (n *Names) IsToldPiece(x state.Object) bool {
	_, told := n.ep.Origins[n.objects.Name(x)]
	return told
}
