package engine

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/engine/internal/foresight"
	"github.com/mishap-robotics/mishap/engine/internal/limit"
	"github.com/mishap-robotics/mishap/engine/internal/planfault"
	"github.com/mishap-robotics/mishap/engine/internal/projection"
	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// CheckPlan judges the plan of an episode without any observation: it is carried
// out in the action model from the scene that the episode states, else from the
// usual one of its task. The threats are its faults; steps are indexes in the plan.
func (r *Reasoner) CheckPlan(ctx context.Context, ep *episode.Episode) (*Projection, []Threat, error) {
	if err := r.usable(); err != nil {
		return nil, nil, err
	}
	c, end := beginCall(orBackground(ctx), nil, r.Limits.Time, "Limits.Time")
	defer end()
	ep, refused, err := r.admitWhole(c.stop, ep)
	if err != nil {
		return nil, nil, err
	}
	a := projection.ProjectPlanUntil(c.stop, r.Ontology, ep)
	if err := c.ended(PhaseBelief, limit.None, "the plan was not judged"); err != nil {
		return nil, nil, errors.Join(refused, err)
	}
	threats, err := r.threats(c, a)
	return a, threats, errors.Join(refused, err)
}

// threats applies the rules to an episode as it would go on. Where the call ends there are
// none.
func (r *Reasoner) threats(c *call, a *Projection) ([]Threat, error) {
	const undone = "what is foreseen was not worked out"
	a.EndWith(c.stop)
	defer a.EndWith(nil)
	step := limit.None // the last that happened: those to come are no place in a log
	if a.Happened > 0 {
		step = int(a.Events[a.Happened-1].Step)
	}
	x := fact.BuildProjection(a)
	if err := c.ended(PhaseForesight, step, undone); err != nil {
		return nil, err
	}
	faults := planfault.FindProjected(a)
	if err := c.ended(PhasePlanFaults, step, undone); err != nil {
		return nil, err
	}
	x.AddFaults(faults...)
	conclusions, err := r.conclude(c.ctx, x)
	if err != nil && c.ctx.Err() != nil {
		return nil, c.blame(err)
	}
	threats := foresight.Threats(a, x, conclusions)
	if err := c.ended(PhaseForesight, step, undone); err != nil {
		return nil, err
	}
	return threats, err
}

// foreseen is what was last foreseen, and for which future.
type foreseen struct {
	futures future
	threats []Threat
}

// future sums up what is to come: of each planned action by its index in the plan,
// and of the end.
type future struct {
	troubles map[int]uint64 // what will not hold
	values   map[int]uint64 // the values of all that is acted on
}

// Foresee tells what will go wrong if the rest of the plan is carried out from
// what is believed now. The rules are applied only where what is to come is
// another than the last time. An episode without a plan has no threats.
// What rests on how things usually are, and on nothing that was seen, is told at the
// last moment: before the action that will fail, or one that nothing undoes. Where
// the episode states noise, what only one look has shown gives none.
func (m *Monitor) Foresee(ctx context.Context) ([]Threat, error) {
	if err := m.ready(ctx); err != nil {
		return nil, err
	}
	c, end := beginCall(orBackground(ctx), m.tracker.Trace(), m.limits.Time, "Limits.Time")
	defer m.over(end)
	return m.foresee(c)
}

// foresee is Foresee within a call.
func (m *Monitor) foresee(c *call) ([]Threat, error) {
	if m.noisy != nil && !m.tracker.Began() {
		return nil, nil // the first look waits for another
	}
	a := m.ahead(c)
	if a == nil {
		return nil, m.notForeseen(c, "what is foreseen was not worked out")
	}
	if len(a.Events) == a.Happened {
		m.foreseen = foreseen{}
		return nil, nil
	}
	now := futureOf(a)
	if m.ep.Noise == 0 && m.foreseen.futures.continues(now) {
		return m.coming(a, m.foreseen.threats), nil
	}
	threats, err := m.reasoner.threats(c, a)
	if c.ctx.Err() != nil && err != nil {
		return nil, err
	}
	m.foreseen = foreseen{now, threats}
	return m.coming(a, threats), err
}

// waits reports whether a threat is to be told later, when more has been seen.
func (m *Monitor) waits(t *Threat) bool {
	next := m.tracker.Done() + 1
	last := t.Planned <= next || slices.ContainsFunc(t.Irreversible, func(a PlannedAction) bool { return a.Planned == next })
	return t.Doubtful || t.Unseen || t.Usual && !last
}

// coming leaves of threats those to be told: still to come, at the steps that they
// would show now.
func (m *Monitor) coming(a *Projection, threats []Threat) []Threat {
	var out []Threat
	for _, t := range threats {
		if t.Planned > 0 && t.Planned <= m.tracker.Done() || m.waits(&t) {
			continue
		}
		t.Foreseen = max(t.Foreseen, int32(m.last)) // what waits for another look is known later
		for i := a.Happened; i < len(a.Events); i++ {
			if a.Events[i].Planned == t.Planned {
				t.Step = a.Events[i].Step
			}
		}
		out = append(out, t)
	}
	return out
}

// Projection is the episode as it would go on; it is worked out once for each step.
func (m *Monitor) Projection() *Projection {
	if m.usable() != nil {
		return nil
	}
	c, end := beginCall(context.Background(), m.tracker.Trace(), 0, "")
	defer m.over(end)
	return m.ahead(c)
}

// ahead is the projection within a call, nil where that ends first.
func (m *Monitor) ahead(c *call) *Projection {
	if m.projection == nil {
		var a *Projection
		if !m.uninterrupted(c, m.isLarge(), func() { a = projection.Project(m.tracker) }) || c.stop.Err() != nil {
			return nil
		}
		a.EndWith(nil)
		m.projection = a
	}
	return m.projection
}

// notForeseen is the error where there is no projection.
func (m *Monitor) notForeseen(c *call, undone string) error {
	if m.aside != nil {
		return c.cut(PhaseForesight, m.last, undone, c.outer.Err())
	}
	return c.ended(PhaseForesight, m.last, undone)
}

// end is the key of the state at the end among futures.
const end = -1

func futureOf(a *Projection) future {
	out := future{map[int]uint64{}, map[int]uint64{}}
	last := fnv.New64a()
	for i := a.Happened; i < len(a.Events); i++ {
		e, s := &a.Events[i], a.BelievedBefore[i-a.Happened]
		if h := fnv.New64a(); troubles(h, e, a.Present) {
			out.troubles[e.Planned] = h.Sum64()
		}
		h := fnv.New64a()
		fmt.Fprint(h, a.Objects.CallText(e.Call))
		for x := range state.Object(len(s.Objects.Items)) {
			if concerns(s, e.Call, x) {
				writeFluents(h, s, x)
				writeFluents(last, a.Final, x)
			}
		}
		out.values[e.Planned] = h.Sum64()
	}
	if got, _ := a.GoalTruth(a.Final); got <= state.AssumedFalse {
		h := fnv.New64a()
		fmt.Fprint(h, a.UnmetGoalTexts(a.Final))
		_, upheld := a.GoalTruth(a.Expected)
		usual(h, a.Present, upheld)
		out.troubles[end] = h.Sum64()
	}
	out.values[end] = last.Sum64()
	return out
}

// troubles writes what is wrong with an event, and reports whether anything is.
func troubles(w io.Writer, e *Event, now *State) bool {
	if e.Outcome < belief.Refused && len(e.Violated) == 0 && !e.Ambiguous && !e.Vague {
		return false
	}
	fmt.Fprint(w, e.Outcome, e.Ambiguous, e.Vague)
	for _, u := range e.Unmet {
		fmt.Fprint(w, u.Name, u.Culprit, u.Origin)
		usual(w, now, u.Touched)
	}
	for _, b := range e.Violated {
		fmt.Fprint(w, b.Name, b.Culprit)
		usual(w, now, b.Touched)
	}
	return true
}

// usual writes which fluents are only assumed now.
func usual(w io.Writer, now *State, fluents []state.Fluent) {
	for _, f := range fluents {
		if now.Get(f).Status == state.Assumed {
			fmt.Fprint(w, f)
		}
	}
}

// continues reports whether what is to come now is what was to come: the same
// troubles, or, where there are none, the same values.
func (f future) continues(now future) bool {
	if f.values == nil {
		return false
	}
	if len(now.troubles) > 0 {
		for planned := range f.troubles {
			if _, ok := now.values[planned]; !ok {
				return false // a trouble has come about
			}
		}
		return maps.Equal(f.troubles, now.troubles)
	}
	if len(f.troubles) > 0 {
		return false
	}
	for planned, h := range now.values {
		if was, ok := f.values[planned]; !ok || was != h {
			return false
		}
	}
	return true
}

// concerns reports whether an object is what a call is about, lies in or on that,
// or holds it.
func concerns(s *State, c Call, x Object) bool {
	for _, y := range []Object{c.Target, c.Destination} {
		if y != state.Nothing && (x == y || s.Place(x).At == y || s.Place(y).At == x) {
			return true
		}
	}
	return x == c.Gripper || s.Place(x).At == c.Gripper
}

func writeFluents(h io.Writer, s *State, x Object) {
	fmt.Fprint(h, x, s.Gone(x))
	for slot := range s.Slots() {
		if v := s.Get(state.Fluent{Obj: x, Slot: slot}); v.Status != state.Unknown {
			fmt.Fprint(h, slot, v.Term, v.At, v.Number)
		}
	}
}
