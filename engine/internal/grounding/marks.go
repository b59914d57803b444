package grounding

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/engine/language"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// mostMarks is how many words of what is written on a thing, or of how it looks, are kept.
const mostMarks = 16

// mark notes what a look says of a thing and the ontology has no state for: what is written on
// it, or how it looks. "label_evening" tells it from another pill box.
func (n *Names) mark(x state.Object, text string) {
	for _, w := range language.Words(text) {
		if of := n.marks[x]; len(of) < mostMarks && n.tells(w) && !slices.Contains(of, w) {
			if n.marks == nil {
				n.marks = map[state.Object][]string{}
			}
			n.marks[x] = append(slices.Clip(of), w)
		}
	}
}

// tells reports whether a word can tell one thing from another.
func (n *Names) tells(w string) bool {
	return !n.onto.IsFunctionWord(w) && strings.IndexFunc(w, func(r rune) bool { return !unicode.IsLetter(r) }) < 0
}

// noteKind notes what a look calls a thing whose name does not tell it: "obj_12" a conditioner.
func (n *Names) noteKind(x state.Object, node *scene.Node) {
	if node.Class == "" || n.kinds[x] != "" || n.objects.Class(x) == ontology.None {
		return
	}
	stem, _ := episode.SplitName(node.ID)
	if episode.Spelling(stem) == episode.Spelling(node.Class) {
		return
	}
	n.noteName(x, stem)
	if n.kinds == nil {
		n.kinds = map[state.Object]string{}
	}
	n.kinds[x] = node.Class
}

// noteName lets a thing be of the class by which it is named, too, where the task calls it so: "the
// toy basket" is the basket toy_basket_1, if toy baskets are toy boxes otherwise.
func (n *Names) noteName(x state.Object, stem string) {
	words := nameWords(stem)
	if len(words) < 2 || language.IndexWords(n.taskWords(), words) < 0 {
		return
	}
	ids := n.onto.ByLabel(strings.Join(words, " "), n.onto.Core.PhysicalObject)
	if len(ids) == 1 && !n.objects.IsA(x, ids[0]) && !n.onto.IsA(ids[0], n.objects.Class(x)) {
		n.objects.AddClass(x, ids[0])
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

// kin are the objects of a class and of those that are of one kind with it, as cat food is with
// dog food.
func (n *Names) kin(class ontology.TermID) []state.Object {
	out := n.objects.OfClass(class)
	for _, kind := range n.onto.Terms[class].Supers {
		if of := n.onto.Subclasses(kind); kind != n.onto.Core.PhysicalObject && !n.onto.HasType(kind, n.onto.Core.ObjectGroup) && len(of) <= fewKinds {
			for _, x := range n.objects.OfClass(kind) {
				if !slices.Contains(out, x) {
					out = append(slices.Clip(out), x)
				}
			}
		}
	}
	return out
}

// fewKinds is how many classes there may be of what is of one kind: of food there are more.
const fewKinds = 8

// calledBy are the words of the name of an object, and of its class.
func (n *Names) calledBy(x state.Object) []string {
	stem, _ := episode.SplitName(n.objects.Name(x))
	out := nameWords(stem)
	for _, l := range n.onto.Terms[n.objects.Class(x)].Labels {
		out = append(out, language.Words(l)...)
	}
	return slices.DeleteFunc(out, func(w string) bool { return !n.tells(w) })
}

// toldApart is the thing that the task, or the plan's action, tells by a word from another of its
// kind that is acted on; Nothing where it tells of none, or where nobody knows how they differ.
func (n *Names) toldApart(x state.Object, planned episode.Action, ctx *Context) state.Object {
	class := n.objects.Class(x)
	if class == ontology.None {
		return state.Nothing
	}
	if y := n.calledFor(x, ctx); y != state.Nothing {
		return y
	}
	if y := n.described(x, ctx); y != state.Nothing {
		return y
	}
	others := n.kin(class)
	if len(others) < 2 {
		return state.Nothing
	}
	own := n.markedAs(x, ctx.Believed)
	task := n.taskWords()
	said := append(slices.Clip(task), language.Words(planned.Target)...)
	lacks := func(words, said []string) func(string) bool {
		return func(w string) bool { return slices.Contains(said, w) && !slices.Contains(words, w) }
	}
	out := state.Nothing
	for _, y := range others {
		if y == x || !ctx.Seen[y] || ctx.Believed.Gone(y) {
			continue
		}
		marks, own := n.markedAs(y, ctx.Believed), own
		if n.objects.Class(y) != class { // cat food is no dog food
			marks, own = append(slices.Clip(marks), n.calledBy(y)...), append(slices.Clip(own), n.calledBy(x)...)
		}
		if len(own) == 0 || slices.ContainsFunc(own, lacks(marks, task)) || !slices.ContainsFunc(marks, lacks(own, said)) {
			continue
		}
		both := slices.ContainsFunc(n.ep.Plan, func(a episode.Action) bool {
			words := language.Words(a.Target)
			return a.Name == planned.Name && a.Target != planned.Target && slices.ContainsFunc(marks, lacks(own, words)) && !slices.ContainsFunc(own, lacks(marks, words))
		})
		if both { // the plan takes the other, too
			continue
		}
		if out != state.Nothing {
			return state.Nothing
		}
		out = y
	}
	return out
}

// described is the one thing seen of the class of x that is as the task says that the one it means
// is, where x is known to be otherwise: the dirty one of two mugs, of "put the dirty mug into the
// dishwasher". It is Nothing where there is none.
func (n *Names) described(x state.Object, ctx *Context) state.Object {
	class := n.objects.Class(x)
	said := language.Described(n.onto, n.ep.Task+" , "+n.ep.Goal, class)
	if len(said) == 0 {
		return state.Nothing
	}
	is := func(y state.Object, sign int) bool {
		now := ctx.Believed.States(y)
		return slices.ContainsFunc(said, func(asked ontology.TermID) bool {
			return slices.ContainsFunc(now, func(st ontology.TermID) bool { return n.onto.StateIs(st, asked) == sign })
		})
	}
	if !is(x, -1) || is(x, 1) {
		return state.Nothing
	}
	return onlyOf(n.objects.OfClass(class), func(y state.Object) bool {
		return y != x && ctx.Seen[y] && !ctx.Believed.Gone(y) && is(y, 1) && !is(y, -1)
	})
}

// calledFor is the one thing seen that a verb of the task needs, where x is another that such a
// verb may need, or of the same class: sugar, where tea is sweetened with salt. It is Nothing
// where there is none, or x is needed.
func (n *Names) calledFor(x state.Object, ctx *Context) state.Object {
	if len(n.needed) == 0 {
		return state.Nothing
	}
	fits := func(y state.Object) bool {
		stem, _ := episode.SplitName(n.objects.Name(y))
		called := append(nameWords(stem), language.Words(n.kinds[y])...)
		return slices.ContainsFunc(n.needed, func(c ontology.TermID) bool {
			return n.objects.IsA(y, c) || slices.ContainsFunc(n.onto.Terms[c].Labels, func(label string) bool { // a sugar jar
				return !slices.ContainsFunc(language.Words(label), func(w string) bool { return !slices.Contains(called, w) })
			})
		})
	}
	if fits(x) {
		return state.Nothing
	}
	in := func(a, b state.Object) bool {
		return ctx.Believed.Get(state.Fluent{Obj: a, Slot: state.PlaceSlot}).At == b
	}
	out, may := state.Nothing, n.onto.IsNeeded(n.objects.Class(x))
	for i := range n.objects.Items {
		y := state.Object(i)
		if !ctx.Seen[y] || ctx.Believed.Gone(y) || n.objects.Class(y) != n.objects.Class(x) && !may || !fits(y) {
			continue
		}
		switch {
		case out == state.Nothing || in(out, y): // a bowl with the sugar in it
			out = y
		case !in(y, out):
			return state.Nothing
		}
	}
	return out
}

// taskWords are the words of the task and of its goal.
func (n *Names) taskWords() []string { return language.Words(n.ep.Task + " , " + n.ep.Goal) }

// neededByTask are the classes of what a verb of the task needs, and of what such verbs need that
// the task calls by a label: "sweeten the tea", "put sugar into the tea".
func (n *Names) neededByTask() []ontology.TermID {
	words := n.taskWords()
	return slices.DeleteFunc(n.onto.Needed(), func(c ontology.TermID) bool {
		return !slices.ContainsFunc(n.onto.NeedingVerbs(c), func(verb string) bool { return slices.Contains(words, verb) }) &&
			!slices.ContainsFunc(n.onto.Terms[c].Labels, func(l string) bool { return language.IndexWords(words, language.Words(l)) >= 0 })
	})
}
