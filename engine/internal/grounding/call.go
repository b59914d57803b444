package grounding

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// Call is an action with the objects that its names were taken to mean.
type Call struct {
	state.Call
	Ambiguous bool         // a bare name fits several objects
	Vague     bool         // something is named by a group of classes
	Unclear   state.Object // what was taken for the ambiguous or vague name
	Told      state.Object // what the task tells by a word from the target, which is of its kind; 0 where it tells of none
}

// Context is what tells which of several objects the names in an action mean.
type Context struct {
	Believed, Expected *state.State
	// Seen are the objects that were ever seen, Recent those seen after the action before.
	Seen   map[state.Object]bool
	Recent []state.Object
	// After are the lines of the action, whose observations may show its effect, the last
	// first; none where they are not known yet.
	After []*episode.Step
	// Next is the first line of the action after, which may show an effect late; nil where it is
	// not known or has an action of the same name.
	Next *episode.Step
	// Line is the line of the log, nil for an action that is in none.
	Line *episode.Step
}

// Call finds the objects that an action means. planned is the plan's action that it
// carries out, empty where the plan has none. An action that the ontology does not have
// is unknown, and has its objects all the same.
func (n *Names) Call(a episode.Action, agent string, planned episode.Action, ctx Context) Call {
	r := resolution{Names: n, ctx: ctx}
	if ctx.Line != nil {
		n.addAgent(agent, a)
	}
	who := n.agent(agent)
	r.hands = n.hands(who)
	if members := n.crew.members[who]; len(members) > 0 {
		who, r.team = members[0], true
	}
	r.call.Call = state.Call{Schema: n.schema(a.Name, who), Agent: who, Gripper: state.Nothing, Target: state.Nothing, Destination: state.Nothing}
	if len(r.hands) > 0 {
		r.call.Gripper = r.hands[0]
	}
	if n.isNamed(r.call.Schema, 1, a.Destination) {
		r.destination = true
		r.call.Destination = r.resolve(a.Destination, planned.Destination)
		r.destination = false
	}
	if n.isNamed(r.call.Schema, 0, a.Target) {
		r.call.Target = r.resolve(a.Target, planned.Target)
	}
	if open := n.onto.Open(); open != ontology.None && (n.onto.Sets(r.call.Schema, open) || n.onto.Sets(r.call.Schema, n.onto.Roles.Enclosing)) {
		r.call.Target = n.opened(r.call.Target)
	}
	r.call.Target = n.acted(r.call.Schema, r.call.Target, ctx.Believed)
	r.further(a, planned)
	if len(r.hands) > 1 {
		r.call.Gripper = r.hand()
	}
	if r.call.Schema == n.onto.Roles.Take && r.call.Target != state.Nothing {
		r.call.Told = max(n.toldApart(r.call.Target, planned, &ctx), 0)
	}
	if r.team && r.call.Gripper != state.Nothing {
		r.call.Agent = n.Owner(r.call.Gripper)
	}
	return r.call
}

// opened is what is opened or closed by a part of it that has a name of its own, as a jar is by
// the jar lid; the thing itself where it can be opened or is a part of none.
func (n *Names) opened(x state.Object) state.Object {
	openable := n.onto.Roles.Openable
	if x == state.Nothing || openable == ontology.None || n.objects.HasProperty(x, openable) {
		return x
	}
	stem, _ := episode.SplitName(n.objects.Name(x))
	words := nameWords(stem)
	if len(words) < 2 || !n.onto.IsWord(words[len(words)-1], ontology.Part) {
		return x
	}
	of, whole := episode.Spelling(strings.Join(words[:len(words)-1], "_")), state.Nothing
	for y := range state.Object(len(n.objects.Items)) {
		if called, _ := episode.SplitName(n.objects.Name(y)); episode.Spelling(called) == of && n.objects.HasProperty(y, openable) {
			if whole != state.Nothing {
				return x
			}
			whole = y
		}
	}
	if whole != state.Nothing {
		return whole
	}
	return x
}

// acted is what an action on a thing is done to, where it cannot be done to that: the one thing
// that has it as a part, or is otherwise lastingly related to it, and can, or that a part is seen
// on: who presses the start button of a dryer turns the dryer on.
func (n *Names) acted(schema *ontology.ActionSchema, x state.Object, believed *state.State) state.Object {
	if x == state.Nothing || believed == nil || schema.Params != 1 || n.objects.Class(x) == ontology.None || n.onto.MayBeTarget(schema, n.objects.Class(x)) {
		return x
	}
	whole := x
	for _, l := range believed.Links(x) {
		if l.Ended || l.From || l.Other == state.Nothing || n.objects.Class(l.Other) == ontology.None || !n.onto.MayBeTarget(schema, n.objects.Class(l.Other)) {
			continue
		}
		if whole != x && whole != l.Other {
			return x
		}
		whole = l.Other
	}
	if fastened := n.onto.Roles.Fastened; whole == x && fastened != ontology.None && n.objects.HasProperty(x, fastened) { // a button on it
		if at := believed.Get(state.Fluent{Obj: x, Slot: state.PlaceSlot}).At; at != state.Nothing && n.onto.MayBeTarget(schema, n.objects.Class(at)) {
			return at
		}
	}
	return whole
}

// further resolves the arguments after the second. A number is no object.
func (r *resolution) further(a, planned episode.Action) {
	if a.Further == "" {
		return
	}
	args, of := a.Arguments(), planned.Arguments()
	for i := 2; i < len(args); i++ {
		x, like := state.Nothing, ""
		if i < len(of) {
			like = of[i]
		}
		if r.isNamed(r.call.Schema, i, args[i]) {
			x = r.resolve(args[i], like)
		}
		r.call.Further = append(r.call.Further, x)
	}
}

// isNamed reports whether an argument of an action, by its index, names an object: it is to be no
// number, and is none. a is nil where nobody knows the action.
func (n *Names) isNamed(a *ontology.ActionSchema, i int, arg string) bool {
	number := a != nil && i < len(a.Parameters) && a.Parameters[i].Value
	return !number && !n.isMeasure(arg)
}

// isMeasure reports whether an argument is a number, perhaps with its unit, "90" or "45 min", and
// the name of nothing: how long one waits.
func (n *Names) isMeasure(arg string) bool {
	if arg == "" || arg[0] < '0' || arg[0] > '9' {
		return false
	}
	rest := strings.TrimLeft(arg, "0123456789.,")
	if strings.ContainsFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) && r != ' ' }) {
		return false
	}
	_, known := n.objects.Lookup(arg)
	return !known && ClassOf(n.onto, arg) == ontology.None && ClassOf(n.onto, strings.TrimSpace(rest)) == ontology.None
}

// resolution is an action of which the names are being resolved.
type resolution struct {
	*Names
	ctx         Context
	call        Call
	destination bool           // the name being resolved is that of the destination
	after       []*Observation // what ctx.After shows, once it is asked for
	late        *Observation   // what ctx.Next shows, once it is asked for
	now         []*Observation // what ctx.Line shows, once it is asked for
	hands       []state.Object // the grippers of the agent
	team        bool           // several agents act together
}

// resolve finds the object a name in an action means: the one so named, else
// by the plan, else by the context.
func (r *resolution) resolve(name, planned string) state.Object {
	if name == "" {
		return state.Nothing
	}
	if x, ok := r.declared[name]; ok {
		return x
	}
	if x := r.itself(name); x != state.Nothing {
		return x
	}
	if x, ok := r.objects.Lookup(name); ok && episode.Spelling(r.objects.Name(x)) == episode.Spelling(name) && (r.ctx.Seen[x] || r.isListed(x) || r.isLettered(name)) {
		return r.remaining(x) // the log calls one thing so
	}
	id := ClassOf(r.onto, name)
	if x := r.vesselOf(id); x != state.Nothing {
		return x
	}
	if _, n := episode.SplitName(name); n > 0 || id == ontology.None {
		if n == 0 {
			if x := r.onlyUnknownHere(name); x != state.Nothing {
				return x
			}
		}
		return r.remaining(r.Object(name, ""))
	}
	if r.onto.HasType(id, r.onto.Core.ObjectGroup) && !slices.ContainsFunc(r.sameClass(id), func(x state.Object) bool { return r.ctx.Seen[x] }) { // where things are seen as of the group, it is a class of the log
		if x := r.only(id); x != state.Nothing {
			return x
		}
		x := r.vague(id, name)
		if len(r.objects.OfClass(id)) > 1 || r.isCarried(id) {
			r.call.Vague, r.call.Unclear = true, x
		}
		return x
	}
	if _, n := episode.SplitName(planned); n > 0 {
		if x, ok := r.objects.Lookup(planned); ok && r.objects.IsA(x, id) {
			return x
		}
	}
	return r.byContext(id, name)
}

// onlyUnknownHere is the one thing of a class that nobody knows that was seen under that word, or that
// context tells of several; Nothing where there is none.
func (r *resolution) onlyUnknownHere(word string) state.Object {
	here := filter(r.objects.OfUnknown(word), r.isHere)
	if len(here) == 1 {
		return here[0]
	}
	return onlyOf(here, r.isHeld, r.isShown, r.isShownLate, r.isAnchor)
}

// itself is what a pronoun stands for: what is held, where it is not to be taken, else what the robot
// last went to; Nothing for other names, or where neither is known.
func (r *resolution) itself(name string) state.Object {
	if r.destination || !r.onto.IsWord(name, ontology.Pronoun) {
		return state.Nothing
	}
	if r.call.Schema != r.onto.Roles.Take {
		for _, hand := range r.hands {
			if held := r.ctx.Believed.Held(hand); len(held) == 1 {
				return held[0]
			}
		}
	}
	return r.ctx.Believed.Anchor(r.call.Agent)
}

// isCarried reports whether things of some kind of a group are carried about: a container may
// be anything, and the table, where no other is known, is the one that stands there.
func (r *resolution) isCarried(group ontology.TermID) bool {
	return slices.ContainsFunc(r.onto.Subclasses(group), func(kind ontology.TermID) bool { return r.onto.HasProperty(kind, r.onto.Roles.Movable) })
}

// vesselOf is what stands for a liquid that nobody has seen as a thing of its own: the
// vessel that the robot holds, else the only one to be carried that is full of it; Nothing
// where there is none, or the class is no liquid.
func (r *resolution) vesselOf(class ontology.TermID) state.Object {
	filled := r.onto.Roles.Filled
	if r.destination || class == ontology.None || filled == ontology.None || slices.ContainsFunc(r.objects.OfClass(class), func(x state.Object) bool { return r.ctx.Seen[x] }) {
		return state.Nothing
	}
	slot := r.ctx.Believed.SlotOf(filled)
	for _, hand := range r.hands {
		for _, x := range r.ctx.Believed.Held(hand) {
			if r.ctx.Believed.Get(state.Fluent{Obj: x, Slot: slot}).Status != state.Unknown && r.onto.IsLiquid(class) {
				return x
			}
		}
	}
	if !r.onto.IsLiquid(class) || r.onto.HasProperty(class, r.onto.Roles.Movable) { // as a carton of it
		return state.Nothing
	}
	full := filter(r.objects.OfClass(r.onto.Core.PhysicalObject), func(x state.Object) bool {
		now := r.ctx.Believed.Get(state.Fluent{Obj: x, Slot: slot})
		return r.ctx.Seen[x] && !r.ctx.Believed.Gone(x) && r.objects.HasProperty(x, r.onto.Roles.Movable) && now.Status != state.Unknown &&
			slices.ContainsFunc(r.onto.Liquids(now.Term), func(l ontology.TermID) bool { return r.onto.IsA(class, l) })
	})
	if len(full) == 1 {
		return full[0]
	}
	return state.Nothing
}

// only is the one thing of a group of classes that was seen, or Nothing: the only table is
// the table, whatever its kind, even if the action is what brings it in sight. What can be
// carried there may be more of, unless the scene shows it under the name of the group
// itself.
func (r *resolution) only(group ontology.TermID) state.Object {
	seen := filter(r.objects.OfClass(group), r.isHere)
	if len(seen) == 1 && (r.objects.Class(seen[0]) == r.onto.Canonical(group) || !r.objects.HasProperty(seen[0], r.onto.Roles.Movable)) {
		return seen[0]
	}
	return state.Nothing
}

// isHere reports whether an object was seen, if only by the line of the action, and still exists.
func (r *resolution) isHere(x state.Object) bool {
	return (r.ctx.Seen[x] || r.isSeenNow(x)) && !r.ctx.Believed.Gone(x)
}

// isSeenNow reports whether the line of the action shows an object.
func (r *resolution) isSeenNow(x state.Object) bool {
	return slices.ContainsFunc(r.looks(), func(o *Observation) bool { return o.Shown(x) })
}

// isListed reports whether the line of the action has an object among its nodes, under the
// name that it is kept by.
func (r *resolution) isListed(x state.Object) bool {
	return r.ctx.Line != nil && slices.ContainsFunc(r.ctx.Line.Observation.Nodes, func(node scene.Node) bool { return node.ID == r.objects.Name(x) })
}

// remaining is the object itself, or a piece of it where it was sliced or cracked. A
// piece that a plan gave a name, and that came about with another, is that other.
func (r *resolution) remaining(x state.Object) state.Object {
	now := r.ctx.Believed
	if !now.Gone(x) {
		return x
	}
	whole := r.objects.Items[x].Origin
	for i := range r.objects.Items {
		origin := r.objects.Items[i].Origin
		if now.Gone(state.Object(i)) || origin == state.Nothing {
			continue
		}
		if origin == x || origin == whole && !r.ctx.Seen[x] && r.objects.Class(state.Object(i)) == r.objects.Class(x) {
			return state.Object(i)
		}
	}
	return x
}

// vague finds what the robot made of a vague word: what it holds, or what the
// observation after shows it did something to; else the word stands for itself.
func (r *resolution) vague(group ontology.TermID, name string) state.Object {
	var here []state.Object
	for _, x := range r.objects.OfClass(group) {
		if !r.ctx.Believed.Gone(x) && !r.onto.HasType(r.objects.Class(x), r.onto.Core.ObjectGroup) {
			here = append(here, x)
		}
	}
	if x := onlyOf(here, r.isHeld, r.isShown, r.isShownLate); x != state.Nothing {
		return x
	}
	return r.Object(name, "")
}

// byContext chooses among the objects of a class that exist.
func (r *resolution) byContext(class ontology.TermID, name string) state.Object {
	if x := r.shownAs(name); x != state.Nothing {
		return x
	}
	all := r.sameClass(class)
	if len(all) == 0 {
		all = r.packed(class)
	}
	here := r.described(filter(all, func(x state.Object) bool { return !r.ctx.Believed.Gone(x) }), name)
	if len(r.onto.Pieces(r.call.Schema, class)) == 0 && !slices.ContainsFunc(here, func(x state.Object) bool { return r.ctx.Seen[x] || r.isSeenNow(x) }) {
		if x := r.onlyInForm(class); x != state.Nothing {
			return x
		}
		if x := r.onlyOfKin(class); x != state.Nothing {
			return x
		}
		if x := r.onlyNamedAfter(class); x != state.Nothing {
			return x
		}
	}
	switch {
	case len(all) == 0:
		return r.Object(name, "")
	case len(here) == 0:
		return r.remaining(all[0])
	case len(here) == 1:
		return here[0]
	}
	if x := onlyOf(here, r.isHeld, r.isShown, r.isShownLate, r.isAnchor, r.isNear, r.isRecent, r.isSeen); x != state.Nothing {
		return x
	}
	return r.firstOf(here)
}

// onlyOfKin is the one thing seen, or that context tells, of the classes below one of which nothing was
// seen, or of those above: the muffin, where the pastry is meant, and the pasta, where penne are. It is
// Nothing where there is none, or several.
func (r *resolution) onlyOfKin(class ontology.TermID) state.Object {
	kin := filter(r.objects.OfClass(class), r.isHere)
	if len(kin) == 0 {
		kin = filter(r.objects.OfClass(r.onto.Core.PhysicalObject), func(x state.Object) bool {
			above := r.objects.Class(x)
			return above != ontology.None && r.onto.IsA(class, above) && !r.onto.HasType(above, r.onto.Core.ObjectGroup) && r.isHere(x)
		})
	}
	if len(kin) == 1 {
		return kin[0]
	}
	return onlyOf(kin, r.isHeld, r.isShown, r.isShownLate)
}

// onlyNamedAfter is the one thing seen that looks take for another kind and call after a class of
// which nothing was seen: a bag of peas, or "peas_5", where the peas are meant. It is Nothing where
// there is none, or several.
func (r *resolution) onlyNamedAfter(class ontology.TermID) state.Object {
	after := filter(r.objects.OfClass(r.onto.Core.PhysicalObject), func(x state.Object) bool {
		if !r.isHere(x) {
			return false
		}
		stem, _ := episode.SplitName(r.objects.Name(x))
		words := nameWords(r.kinds[x])
		of := slices.IndexFunc(words, func(w string) bool { return r.onto.IsWord(w, ontology.Of) })
		return ClassOf(r.onto, stem) == class || of > 0 && ClassOf(r.onto, strings.Join(words[of+1:], " ")) == class
	})
	if len(after) == 1 {
		return after[0]
	}
	return state.Nothing
}

// onlyInForm is the one thing seen that is in a form of a class of which nothing whole is known:
// the carrot, where nothing was seen but a sliced one. It is Nothing where there is none.
func (r *resolution) onlyInForm(class ontology.TermID) state.Object {
	var seen []state.Object
	for _, form := range r.onto.Forms(class) {
		seen = append(seen, filter(r.sameClass(form), func(x state.Object) bool {
			return r.ctx.Seen[x] && !r.ctx.Believed.Gone(x) || r.isSeenNow(x)
		})...)
	}
	if len(seen) != 1 {
		return state.Nothing
	}
	return seen[0]
}

// described narrows objects down to those of which the words before the class hold, as
// "clean mug" says, and to those that the log calls by the same word, where there are any.
func (r *resolution) described(here []state.Object, name string) []state.Object {
	if len(here) < 2 {
		return here
	}
	noun := r.modified(name)
	fit := filter(here, func(x state.Object) bool {
		return !slices.ContainsFunc(noun.States, func(s ontology.TermID) bool { return !r.isBelieved(x, s) }) &&
			!slices.ContainsFunc(noun.Properties, func(p ontology.TermID) bool { return !r.objects.HasProperty(x, p) }) &&
			(noun.Contents == ontology.None || r.objects.IsA(x, noun.Contents))
	})
	if len(fit) == 0 {
		fit = here
	}
	if called := r.called(name, fit); len(called) > 0 {
		return called
	}
	return fit
}

func (r *resolution) isBelieved(x state.Object, is ontology.TermID) bool {
	v := r.ctx.Believed.Get(state.Fluent{Obj: x, Slot: r.ctx.Believed.SlotOf(is)})
	return v.Status != state.Unknown && r.onto.StateIs(v.Term, is) > 0
}

// firstOf takes the first of several objects that a bare name may mean. What exists only
// because something went wrong makes no plan ambiguous, and moving to a bare name is no
// fault.
func (r *resolution) firstOf(here []state.Object) state.Object {
	expected := filter(here, func(x state.Object) bool { return !r.ctx.Expected.Gone(x) })
	if r.call.Schema.Effects != nil && len(expected) > 1 && !r.anyWillDo(here) && !r.onto.IsNavigation(r.call.Schema) {
		r.call.Ambiguous, r.call.Unclear = true, here[0]
	}
	if len(expected) > 0 {
		return expected[0]
	}
	return here[0]
}

func (r *resolution) anyWillDo(xs []state.Object) bool {
	sameOrigin := true
	for _, x := range xs {
		sameOrigin = sameOrigin && r.objects.Items[x].Origin != state.Nothing && r.objects.Items[x].Origin == r.objects.Items[xs[0]].Origin
	}
	return sameOrigin || r.objects.HasProperty(xs[0], r.onto.Roles.Interchangeable)
}

// isHeld tells what the robot holds; it puts nothing in or on that.
func (r *resolution) isHeld(x state.Object) bool {
	return !r.destination && r.isHand(r.ctx.Believed.Place(x).At)
}

// isShown tells in which objects the observation after the action shows its effect.
func (r *resolution) isShown(x state.Object) bool {
	for i, st := range r.ctx.After {
		if i == len(r.after) {
			r.after = append(r.after, r.Observation(st))
		}
		if r.destination && r.receives(x, r.after[i]) || !r.destination && r.changes(x, r.after[i], st) {
			return true
		}
	}
	return false
}

// isShownLate tells in which objects the first look after the action shows its effect.
func (r *resolution) isShownLate(x state.Object) bool {
	st := r.ctx.Next
	if st == nil {
		return false
	}
	if r.late == nil {
		r.late = r.Observation(st)
	}
	return r.destination && r.receives(x, r.late) || !r.destination && r.changes(x, r.late, st)
}

// seenAfter is what ctx.After shows.
func (r *resolution) seenAfter() []*Observation {
	for i := len(r.after); i < len(r.ctx.After); i++ {
		r.after = append(r.after, r.Observation(r.ctx.After[i]))
	}
	return r.after
}

// isAnchor tells what the agent last moved to.
func (r *resolution) isAnchor(x state.Object) bool { return r.ctx.Believed.Anchor(r.call.Agent) == x }

func (r *resolution) isNear(x state.Object) bool {
	q := state.Query{State: r.ctx.Believed, Agent: r.call.Agent, Gripper: r.call.Gripper}
	return q.Near(r.call.Agent, x) >= state.AssumedTrue
}

func (r *resolution) isRecent(x state.Object) bool { return slices.Contains(r.ctx.Recent, x) }

// isSeen tells what was seen from what a plan or a goal only speaks of.
func (r *resolution) isSeen(x state.Object) bool { return r.ctx.Seen[x] }

// receives reports whether something that was held is seen in or on an object.
func (r *resolution) receives(x state.Object, after *Observation) bool {
	for _, p := range after.Places {
		if p.Object == x && r.isHand(r.ctx.Believed.Place(p.Subject).At) {
			return true
		}
	}
	return false
}

// changes reports whether a change is seen that the action would bring about in an
// object, with whichever hand.
func (r *resolution) changes(x state.Object, after *Observation, st *episode.Step) bool {
	c := r.call.Call
	c.Target = x
	if len(r.hands) < 2 {
		return r.isChanged(c, after, st)
	}
	return slices.ContainsFunc(r.hands, func(h state.Object) bool {
		c.Gripper = h
		return r.isChanged(c, after, st)
	})
}

func (r *resolution) isChanged(c state.Call, after *Observation, st *episode.Step) bool {
	should := r.ctx.Believed.Clone()
	return slices.ContainsFunc(should.Apply(c, state.Predicted, int32(st.Index)), func(ch state.Change) bool {
		return !r.ctx.Believed.Get(ch.Fluent).Same(ch.Value) &&
			(ch.Fluent.Slot == state.PlaceSlot && after.ShowsAt(ch.Fluent.Obj, ch.Value.At) || after.showsState(ch.Fluent.Obj, ch.Value.Term))
	})
}

// onlyOf is the one object that a test chooses, by the first test that chooses one, or
// Nothing.
func onlyOf(xs []state.Object, tests ...func(state.Object) bool) state.Object {
	for _, test := range tests {
		if some := filter(xs, test); len(some) == 1 {
			return some[0]
		}
	}
	return state.Nothing
}

func filter(xs []state.Object, keep func(state.Object) bool) []state.Object {
	var out []state.Object
	for _, x := range xs {
		if keep(x) {
			out = append(out, x)
		}
	}
	return out
}
