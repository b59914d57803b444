package belief

import (
	"maps"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/grounding"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology/decimal"
)

// Obstacles finds what would keep an action that is yet to come from being carried
// out, though no precondition fails by what is believed. planned is its 1-based index
// in the plan.
type Obstacles func(c state.Call, planned int) []Unmet

// Fork is an independent tracker of the same episode, which the rest of the plan can be
// carried out on; what it adds is its own.
func (f *Tracker) Fork() *Tracker { return &Tracker{t: f.t.fork(), began: f.began} }

func (t *tracker) fork() *tracker {
	c := *t
	ep := *t.ep
	ep.GiveBack()
	ep.Steps, ep.Passed, ep.Warnings = slices.Clip(ep.Steps), ep.Passed.Clip(), slices.Clip(ep.Warnings)
	c.ep = &ep
	c.names, c.identities = t.names.Fork(c.ep), t.identities.Fork()
	objects := c.names.Objects()
	c.trace = t.trace.fork(c.ep, objects)
	c.unlinked, c.special, c.forms = slices.Clone(t.unlinked), maps.Clone(t.special), t.forms.Fork()
	c.believed, c.course, c.view = t.believed.On(objects), t.course.fork(objects), t.view.fork(c.ep)
	return &c
}

// ActAs lets a robot with one of its grippers be the one that acts where nobody is named.
func (f *Tracker) ActAs(who grounding.Actor) {
	t := f.t
	if who.Robot == t.trace.Robot && who.Gripper == t.trace.Gripper {
		return
	}
	t.names.ActAs(who)
	t.trace.Robot, t.trace.Gripper = who.Robot, who.Gripper
	if s := t.trace.Objects.Stages; s != nil {
		own := *s
		own.Agent, own.Gripper = who.Robot, who.Gripper
		t.trace.Objects.Stages = &own
	}
}

// Record notes in the history what is believed before the first action.
func (f *Tracker) Record() { f.t.trace.record(f.t.believed, 0) }

// CloseWorld takes what is not known not to be so. What the plan takes is where it goes for it.
func (f *Tracker) CloseWorld() {
	f.t.assumeStored(f.t.believed, f.t.course.expected)
	f.t.believed.CloseWorld, f.t.course.expected.CloseWorld = true, true
}

// assumeStored puts what nothing is known of into the closed container that the plan goes to
// just before it takes it: who goes to the fridge and picks up an egg finds it in there.
func (t *tracker) assumeStored(courses ...*state.State) {
	onto, plan, s := t.onto, t.ep.Plan, courses[0]
	for i := 1; i < len(plan); i++ {
		move, isKnown := onto.Action(plan[i-1].Name)
		take, ok := onto.Action(plan[i].Name)
		if !isKnown || !ok || !onto.IsNavigation(move) || take != onto.Roles.Take {
			continue
		}
		in, what := t.names.Candidates(plan[i-1].Target), t.names.Candidates(plan[i].Target)
		if len(in) != 1 || len(what) != 1 || s.Place(what[0]).Status != state.Unknown || s.Objects.HasProperty(in[0], onto.Roles.Movable) || !s.Objects.HasProperty(in[0], onto.Roles.Receptacle) {
			continue
		}
		if closed := s.Get(state.Fluent{Obj: in[0], Slot: s.SlotOf(onto.Roles.Enclosing)}); onto.StateIs(closed.Term, onto.Roles.Enclosing) > 0 {
			for _, c := range courses {
				c.SetPlace(what[0], onto.Core.Inside, in[0], state.Assumed, 0)
			}
		}
	}
}

// Predict carries out the next action of the plan with nobody looking, as an event that
// is yet to come. Time goes on by what the action takes, where that is known.
func (f *Tracker) Predict(obstacles Obstacles) {
	t := f.t
	index := int(t.trace.Last())
	if t.ongoing.Last != nil {
		index = max(index, t.ongoing.Last.Index)
	}
	st := episode.Step{Index: index + 1, Action: t.ep.Plan[t.done], Agent: t.ep.Carrier(t.done), Observation: episode.Observation{Missing: true}}
	t.ep.Steps = append(t.ep.Steps, st)
	t.ongoing.Last = nil // an action that comes twice in the plan comes twice
	takes := t.onto.ActionOrUnknown(st.Action.Name).Duration
	if takes > 0 && t.trace.Clock.Known {
		t.trace.Clock.Now += takes
		prev := t.lastEvent()
		var until decimal.Decimal
		if prev != nil {
			until = prev.Until
		}
		t.elapse(t.trace.Clock.Now)
		if prev != nil && !prev.ToCome { // what is overdue only then is so at what is to come
			prev.Until = until
		}
	}
	if t.step(&st, t.done+1, obstacles); t.trace.Interrupt.Raised() {
		return
	}
	if takes > 0 && t.trace.Clock.Known {
		e := t.lastEvent()
		e.Timed, e.Time, e.Until = true, t.trace.Clock.Now, t.trace.Clock.Now
	}
	if t.onto.IsNavigation(t.lastEvent().Call.Schema) {
		t.view.move()
	}
	t.end()
}

// able is a call with the hand that can carry it out, where the plan does not say whose
// it is to be: another than the robot's first where that is known and nothing stands
// against it.
func (t *tracker) able(c state.Call) state.Call {
	objects := t.trace.Objects
	grippers := objects.OfClass(t.onto.Core.RobotGripper)
	if len(grippers) < 2 || len(t.believed.Judge(c).UnmetPreconditions()) == 0 {
		return c
	}
	for _, g := range grippers {
		other := c
		other.Gripper = g
		if other.Agent = t.names.Owner(g); len(t.believed.Judge(other).UnmetPreconditions()) == 0 {
			return other
		}
	}
	return c
}

// Names is what names mean in the table of objects.
func (f *Tracker) Names() *grounding.Names { return f.t.names }

// Believed is the state that is believed now. It must not be changed.
func (f *Tracker) Believed() *state.State { return f.t.believed }

// Expected is what should be so now had every action succeeded. It must not be changed.
func (f *Tracker) Expected() *state.State { return f.t.course.expected }

// Seen are the objects that were ever seen. It must not be changed.
func (f *Tracker) Seen() map[state.Object]bool { return f.t.view.seen }

// DiffersSince is the step since which a fluent is believed to be otherwise than
// expected.
func (f *Tracker) DiffersSince(x state.Fluent) (int32, bool) {
	return f.t.course.differences.Since(x)
}

// IsOutOfReach reports that the robot is known to stand where it does not reach an
// object.
func (f *Tracker) IsOutOfReach(c state.Call, x state.Object) bool {
	return f.t.view.isOutOfReach(f.t.believed, c, x)
}

// MisplacedSince is the first step since which the robot is not where it was to move, or
// an object not where it was to be moved; 0 where neither is so.
func (f *Tracker) MisplacedSince(x state.Object) int32 { return f.t.course.misplaced.since(x) }

// AssumeObjects adds what must be somewhere for the plan to be judged: what it or the
// goal asks for, and what there is in any scene.
func (f *Tracker) AssumeObjects() {
	t := f.t
	from := len(t.trace.Objects.Items)
	t.names.AssumeObjects(&t.trace.Goal, nil)
	t.names.AssumeFurniture()
	if t.believed.CloseWorld {
		for _, x := range t.names.AssumeWholes(t.view.seen) {
			t.believed.Remove(x, 0)
			t.course.expected.Remove(x, 0)
		}
	}
	t.removePieces(from)
	t.assumeNew(from, t.course.expected)
}
