package planfault

import (
	"cmp"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/projection"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Fault is a step at which the actions themselves are wrong: a precondition of it, or
// the goal after the last step, would fail even if every action before had succeeded.
type Fault struct {
	Step   int32
	Repair *Repair // nil where none was found

	impossible bool // nothing makes the action possible, whatever comes before it
}

// Repair is the edit that repairs a fault, with the action in words. Where it takes
// several it is the first by its place, with the others.
type Repair struct {
	Step, At    int32 // of the fault, and where the edit is to be made
	First, Last int32 // the steps at which the edit would do
	Edit        Edit
	Text        string // as plans write it
	Before      string // the action that a moved one belongs before
	Wrong       string // the action that another takes the place of
	Others      []Repair
}

// Actions are those that repair a fault, as plans write them: of an edit the one that it
// is about, of several that put actions in all of them.
func (r Repair) Actions() []string {
	if r.Text == "" {
		return nil
	}
	out := []string{r.Text}
	for i := range r.Others {
		if !adds(r.Edit) || !adds(r.Others[i].Edit) {
			return out[:1]
		}
		out = append(out, r.Others[i].Text)
	}
	return out
}

// The effort bounds the search for edits in simulated actions; the faults of an
// episode share it. The first is enough for some 5,000 edits of a plan with 40 actions;
// projections are looked at often, and a fault while an episode goes on at once.
const (
	traceEffort      = 200_000
	projectionEffort = 80_000
	recentEffort     = 5_000
	nearestEffort    = 40_000
)

// Find finds the faults of what was done in an episode and what of its plan was left.
func Find(t *belief.Trace) []Fault { return find(t, 0, t.Start, traceEffort, true) }

// FindProjected finds the faults of what is to come. Only that can be repaired.
func FindProjected(p *projection.Projection) []Fault {
	return find(p.Trace, p.Happened, p.Present, projectionEffort, !p.CutShort)
}

// FindRecent tells whether an action that could not be carried out while an episode
// goes on is a fault, and what edit of the last actions repairs it.
func FindRecent(f *belief.Tracker, e *belief.Event) (Fault, bool) {
	from, ok := f.Recent()
	if !ok || !Independent(e) {
		return Fault{}, false
	}
	t := f.Trace()
	p := problem(t, from.Event, from.Expected)
	p.Effort = recentEffort
	seq := sequence(t, from.Event)
	return p.fault(t, seq, indexOf(seq, e.Step), e.Step), true
}

// find finds the faults from the event of an index on, before which a state holds; that
// the goal is missed only where the plan is whole.
func find(t *belief.Trace, from int, start *state.State, effort int, whole bool) []Fault {
	out := slices.DeleteFunc(findAll(t, from, start, effort, whole), func(f Fault) bool { return mayBeDone(t, f) })
	if t.Episode.IsPlanned() || len(t.Episode.Plan) > 0 {
		return out
	}
	// Without a plan nobody knows how far the robot was to go, but that of several things of a
	// kind it left some.
	return slices.DeleteFunc(out, func(f Fault) bool {
		return f.Step > t.Last() && (f.unrepaired() || !adds(f.Repair.Edit) || !t.LeftSome(t.Final))
	})
}

// mayBeDone reports whether an action that the goal seems to lack may be in the plan: one of
// which nobody knows what it does is done to the same thing.
func mayBeDone(t *belief.Trace, f Fault) bool {
	switch {
	case f.Step <= t.Last():
		return false
	case f.unrepaired(): // no edit is known: all that the goal lacks may be so
		missing := t.UnmetGoals(t.Intended())
		return len(missing) > 0 && !slices.ContainsFunc(missing, func(m belief.UnmetGoal) bool { return !workedOnUnknowably(t, m.Object) })
	}
	return adds(f.Repair.Edit) && len(f.Repair.Others) == 0 && workedOnUnknowably(t, f.Repair.Edit.Call.Target)
}

// workedOnUnknowably reports whether an action of which nobody knows what it does is done to a thing.
func workedOnUnknowably(t *belief.Trace, on state.Object) bool {
	touches := func(c state.Call) bool {
		return c.Unknowable() && on != state.Nothing && c.Target == on
	}
	for i := range t.Len() {
		if touches(t.Nth(i).Call) {
			return true
		}
	}
	return slices.ContainsFunc(t.Rest, touches)
}

func findAll(t *belief.Trace, from int, start *state.State, effort int, whole bool) []Fault {
	seq := sequence(t, from)
	if len(seq) == 0 {
		return nil
	}
	for _, c := range t.Rest {
		seq = append(seq, TimedCall{Call: c, At: t.Last() + 1, From: t.Last() + 1})
	}
	at := faulty(t, seq, from)
	unplanned := !t.Episode.IsPlanned() && len(t.Episode.Plan) == 0
	if whole && (t.Episode.IsPlanned() || unplanned && len(at) == 0) && goalMissed(t) {
		at = append(at, position{len(seq), t.Last() + 1, false})
	}
	if len(at) == 0 {
		return nil
	}
	p, known := problem(t, from, start), state.Object(len(t.Objects.Items))
	var out []Fault
	for i, f := range at {
		if t.Interrupt.Raised() {
			return nil
		}
		p.Effort = (effort - p.Spent()) / (len(at) - i)
		fault := p.fault(t, seq, f.index, f.step)
		fault.impossible = f.impossible
		out = append(out, fault)
	}
	if !t.Objects.Onto.NamesEdits() {
		return out
	}
	if whole && slices.ContainsFunc(out, Fault.unrepaired) {
		p.Effort = nearestEffort
		return p.together(t, seq, out, known)
	}
	if whole && len(out) == 1 && odd(seq, out[0].Repair.Edit) {
		p.Effort = nearestEffort
		if f := p.together(t, seq, []Fault{{Step: out[0].Step}}, known)[0]; f.Repair != nil && asToLike(seq, f.Repair) {
			return []Fault{f}
		}
	}
	return out
}

// odd reports whether an edit makes an action other than one that brings something else
// to the same place.
func odd(seq []TimedCall, e Edit) bool {
	return e.Kind == Replace && !e.Throughout && slices.ContainsFunc(seq, func(c TimedCall) bool { return like(c.Call, seq[e.At].Call) })
}

// asToLike reports whether edits only put actions in, of which the last brings something
// where something else is brought as well.
func asToLike(seq []TimedCall, r *Repair) bool {
	last := r.Edit
	if len(r.Others) > 0 {
		last = r.Others[len(r.Others)-1].Edit
	}
	return len(r.Actions()) == 1+len(r.Others) && adds(last) && slices.ContainsFunc(seq, func(c TimedCall) bool { return like(c.Call, last.Call) })
}

func (f Fault) unrepaired() bool { return f.Repair == nil }

// together repairs the faults that no single edit repairs: what of the edits towards
// the nearest right plan is not known to repair another belongs to the first of them,
// and repairs all. What is not among the known objects only came about in the search.
func (p *Problem) together(t *belief.Trace, seq []TimedCall, faults []Fault, known state.Object) []Fault {
	plans := newRightPlans(t, p, known)
	p.Start, p.Plans = plans.start.State, plans.near
	edits := slices.DeleteFunc(p.Nearest(seq), func(e Edit) bool {
		return slices.ContainsFunc(faults, func(f Fault) bool { return !f.unrepaired() && sameKinds([]Edit{e}, []Edit{f.Repair.Edit}) })
	})
	if len(edits) == 0 || slices.ContainsFunc(faults, func(f Fault) bool { return f.impossible && f.unrepaired() }) && edits[0].Kind != Replace {
		return faults
	}
	var out []Fault
	var last *Fault // that no single edit repairs
	repaired := false
	for i := range faults {
		f := faults[i]
		if f.unrepaired() {
			if last = &faults[i]; repaired {
				continue
			}
			r := p.repairs(t, seq, edits, f.Step)
			if r.At > f.Step {
				continue // no edit that comes later makes the action possible
			}
			repaired, f.Repair = true, r
		}
		out = append(out, f)
	}
	if !repaired && last != nil {
		f := *last
		if r := p.repairs(t, seq, edits, f.Step); r.At <= f.Step {
			f.Repair = r
		}
		out = append(out, f)
		slices.SortStableFunc(out, func(a, b Fault) int { return cmp.Compare(a.Step, b.Step) })
	}
	return out
}

// position is where a fault shows: an index of the sequence and a step of the log.
type position struct {
	index      int
	step       int32
	impossible bool
}

// faulty lists the actions that are wrong by themselves, from an event on.
func faulty(t *belief.Trace, seq []TimedCall, from int) []position {
	var out []position
	index := map[int32]int{}
	for i := range seq {
		index[seq[i].At] = i
	}
	for i := from; i < t.Len(); i++ {
		if e := t.Nth(i); e.Final && Independent(e) {
			out = append(out, position{index[e.Step], e.Step, impossible(t, e)})
		}
	}
	return out
}

// impossible reports whether nothing brings about what keeps an action from being carried
// out.
func impossible(t *belief.Trace, e *belief.Event) bool {
	return slices.ContainsFunc(e.Unmet, func(u belief.Unmet) bool { return u.Origin == 0 && Impossible(t, e, u.Name) })
}

// goalMissed reports whether the goal is not reached, and would not have been had
// every action succeeded.
func goalMissed(t *belief.Trace) bool {
	got, _ := t.GoalTruth(t.Final)
	expected, _ := t.GoalTruth(t.Intended())
	return got <= state.AssumedFalse && expected <= state.AssumedFalse
}

// Independent reports whether an action failed for a reason that does not
// follow from anything that went wrong before.
func Independent(e *belief.Event) bool {
	if e.Outcome != belief.Refused {
		return false
	}
	for _, u := range e.Unmet {
		if u.Origin == 0 && !u.Reach {
			return true
		}
	}
	return false
}

// sequence is what the robot did, one step for each action; planned actions
// that the log leaves out stand where they were taken to have happened.
// It begins with the event of an index.
func sequence(t *belief.Trace, from int) []TimedCall {
	var out []TimedCall
	for i := from; i < t.Len(); i++ {
		e := t.Nth(i)
		if e.First == e.Step {
			for _, c := range t.UnloggedCalls[e.Step] {
				out = append(out, TimedCall{Call: c, At: e.Step, From: e.Step})
			}
		}
		if e.Final {
			out = append(out, TimedCall{Call: e.Call, At: e.Step, From: e.First})
		}
	}
	return out
}

func indexOf(seq []TimedCall, at int32) int {
	last := 0
	for i := range seq {
		if seq[i].At == at {
			last = i
		}
	}
	return last
}

// fault is the fault at index k of a sequence, with the edit that repairs it in steps
// of the log.
func (p *Problem) fault(t *belief.Trace, seq []TimedCall, k int, step int32) Fault {
	if !t.Objects.Onto.NamesEdits() {
		return Fault{Step: step}
	}
	if k == len(seq) {
		if edits := p.undoing(seq); len(edits) > 0 {
			return Fault{Step: step, Repair: p.repairs(t, seq, edits, step)}
		}
	}
	e, ok := p.Repair(seq, k)
	if !ok {
		return Fault{Step: step}
	}
	r := p.repair(t, seq, e, step)
	if e.Kind == Move && k < e.At {
		// What comes too late is missed where it should have been done at the latest.
		r.At, r.Last = seq[k].At, seq[k].At
	}
	if e.Kind == Move && e.At == k && k < len(seq) { // it stands in vain from its first line on
		r.At = seq[k].From
	}
	return Fault{Step: step, Repair: r}
}

// repairs is the first of several edits that repair a fault, with the others.
func (p *Problem) repairs(t *belief.Trace, seq []TimedCall, edits []Edit, step int32) *Repair {
	beforeTaken(seq, edits, p.Start.Objects.Onto.Roles.Take)
	beforeStowed(seq, edits, p.Start.Objects)
	r := p.repair(t, seq, edits[0], step)
	if e := edits[0]; e.Kind == Move && e.To < e.At {
		r.At = seq[e.To].From // there the order departs from the right one
	}
	for _, e := range edits[1:] {
		r.Others = append(r.Others, *p.repair(t, seq, e, step))
	}
	return r
}

// addedTogether reports whether all edits add actions, at one place.
func addedTogether(edits []Edit) bool {
	return !slices.ContainsFunc(edits, func(e Edit) bool { return e.Kind != Insert || e.At != edits[0].At })
}

// beforeStowed lets actions that are put in together, to make pieces of something, stand before
// that is put into something: nobody cuts a carrot in the pan.
func beforeStowed(seq []TimedCall, edits []Edit, objects *state.Objects) {
	at, cut := edits[0].At, edits[len(edits)-1].Call
	if cut.Target == state.Nothing || cut.Destination != state.Nothing || !addedTogether(edits) ||
		!slices.ContainsFunc(objects.Items, func(it state.Item) bool { return it.Origin == cut.Target }) {
		return
	}
	for i := min(at, len(seq)) - 1; i >= 0; i-- {
		c := seq[i].Call
		if c.Target != cut.Target {
			continue
		}
		if c.Destination != state.Nothing && objects.Onto.PlaceRelation(objects.Class(c.Destination)) == objects.Onto.Core.Inside {
			for e := range edits {
				edits[e].At, edits[e].First, edits[e].Last = i, min(edits[e].First, i), max(edits[e].Last, at)
			}
		}
		return
	}
}

// beforeTaken lets actions that are put in together, to load something, stand just before that is
// picked up: who brings a bowl with an apple to a fridge puts the apple in before, though it
// could be put in there, and who forgets it misses it then.
func beforeTaken(seq []TimedCall, edits []Edit, take *ontology.ActionSchema) {
	at, first := edits[0].At, edits[0].First
	vessel := edits[len(edits)-1].Call.Destination
	if vessel == state.Nothing || !addedTogether(edits) {
		return
	}
	taken := func(i int) bool { return seq[i].Call.Target == vessel && seq[i].Call.Schema == take }
	i := min(at, len(seq)) - 1
	for ; i >= max(first, 0) && !taken(i); i-- {
	}
	if i < max(first, 0) {
		for i = at; i < len(seq) && !taken(i); i++ {
		}
	}
	if i < len(seq) {
		for e := range edits {
			edits[e].At, edits[e].Last = i, max(edits[e].Last, at, i)
		}
	}
}

// repair is an edit of a sequence in steps of the log.
func (p *Problem) repair(t *belief.Trace, seq []TimedCall, e Edit, step int32) *Repair {
	at := func(i int) int32 {
		if i < len(seq) {
			return seq[i].At
		}
		return t.Last() + 1
	}
	begins := func(i int) int32 {
		if i < len(seq) {
			return seq[i].From
		}
		return t.Last() + 1
	}
	objects := p.Start.Objects
	r := &Repair{Step: step, At: at(e.At), First: begins(e.First), Last: at(e.Last), Edit: known(t, e), Text: objects.CallText(e.Call)}
	if e.Kind == Insert {
		r.At, r.Last = begins(e.At), begins(e.Last) // it stands before the action there
	}
	if e.Kind == Exchange {
		r.Wrong = objects.CallText(seq[e.At].Call)
	}
	if e.Kind == Move && e.To < len(seq) {
		r.Before = objects.CallText(seq[e.To].Call)
	}
	return r
}

// known is an edit without the objects that are only imagined.
func known(t *belief.Trace, e Edit) Edit {
	for _, x := range []*state.Object{&e.Call.Target, &e.Call.Destination, &e.Old, &e.New} {
		if int(*x) >= len(t.Objects.Items) {
			*x = state.Nothing
		}
	}
	return e
}
