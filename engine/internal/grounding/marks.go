package grounding

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/engine/language"
	"github.com/mishap-robotics/mishap/ontology"
)

// mostMarks is how many words of what is written on a thing, or of how it looks, are kept.
const mostMarks = 16

// mark notes what a look says of a thing and the ontology has no state for: what is written on
// it, or how it looks. "label_evening" tells it from another pill box.
func (n *Names) mark(x state.Object, text string) {
	for _, w := range language.Words(text) {
		if of := n.marks[x]; len(of) < mostMarks && !n.onto.IsFunctionWord(w) && strings.IndexFunc(w, func(r rune) bool { return !unicode.IsLetter(r) }) < 0 && !slices.Contains(of, w) {
			if n.marks == nil {
				n.marks = map[state.Object][]string{}
			}
			n.marks[x] = append(slices.Clip(of), w)
		}
	}
}

// markedAs are the words by which a thing can be told from others of its kind.
func (n *Names) markedAs(x state.Object, now *state.State) []string {
	out := n.marks[x]
	for _, st := range now.States(x) {
		if n.onto.Lasting(st) {
			for _, l := range n.onto.Terms[st].Labels {
				out = append(slices.Clip(out), language.Words(l)...)
			}
		}
	}
	return out
}

// toldApart is the thing that the task, or the plan's action, tells by a word from another of its
// kind that is acted on; Nothing where it tells of none, or where nobody knows how they differ.
func (n *Names) toldApart(x state.Object, planned episode.Action, ctx *Context) state.Object {
	class := n.objects.Class(x)
	if x == state.Nothing || class == ontology.None {
		return state.Nothing
	}
	others := n.objects.OfClass(class)
	if len(others) < 2 {
		return state.Nothing
	}
	own := n.markedAs(x, ctx.Believed)
	if len(own) == 0 {
		return state.Nothing
	}
	said := append(language.Words(n.ep.Task+" , "+n.ep.Goal), language.Words(planned.Target)...)
	lacks := func(words []string) func(string) bool {
		return func(w string) bool { return slices.Contains(said, w) && !slices.Contains(words, w) }
	}
	out := state.Nothing
	for _, y := range others {
		if y == x || !ctx.Seen[y] || ctx.Believed.Gone(y) || n.objects.Class(y) != class {
			continue
		}
		marks := n.markedAs(y, ctx.Believed)
		if slices.ContainsFunc(own, lacks(marks)) || !slices.ContainsFunc(marks, lacks(own)) {
			continue
		}
		if out != state.Nothing {
			return state.Nothing
		}
		out = y
	}
	return out
}
