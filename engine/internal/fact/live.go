package fact

import (
	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// Live is the index of an episode that goes on. It has no end yet; what the
// goal asks is judged when the episode is over.
type Live struct {
	*Index
	tracker *belief.Tracker
	events  int     // indexed so far
	rows    []int32 // of each table before the outcome of the last event
	mends   int
	objects int
	lasting int // what does not belong to a step: grows with it
	revised int32
}

// Revised is the first step of which facts may have changed with the last
// extension. Facts that belong to no step count for all.
func (l *Live) Revised() int32 { return l.revised }

// liveEffort bounds the search for the edit that mends a fault while the
// episode goes on, in simulated actions.
const liveEffort = 5_000

// NewLive indexes what is known before the first step.
func NewLive(f *belief.Tracker) *Live {
	x := newIndex(f.Trace())
	x.live = true
	x.addTerms()
	return &Live{Index: x, tracker: f, rows: make([]int32, len(x.tables))}
}

// Extend indexes what the tracker has taken in since the last time. The outcome
// of an action is taken back where another line of it came.
func (l *Live) Extend() {
	t := l.Trace
	l.revised = t.Last()
	lasting := 0
	for i := range t.Objects.Items {
		item := &t.Objects.Items[i]
		lasting += 2 + len(item.Props) + len(item.Also) + int(item.Origin)
	}
	if lasting != l.lasting {
		l.lasting, l.revised = lasting, 0
	}
	if n := len(t.Objects.Items); n > l.objects {
		l.objects = n
		l.object(state.Object(n - 1))
		l.addWanted()
	}
	if l.events > 0 && l.events < len(t.Events) && !t.Events[l.events-1].Final {
		for i := range l.tables {
			l.tables[i].truncate(l.rows[i])
		}
		l.Repairs = l.Repairs[:l.mends]
		l.revised = min(l.revised, t.Events[l.events-1].Step)
	}
	for ; l.events < len(t.Events); l.events++ {
		l.addEvent(l.events)
		if len(t.People) > 0 {
			l.addPeople()
		}
		for i := range l.tables {
			l.rows[i] = l.tables[i].end
		}
		l.mends = len(l.Repairs)
		if e := &t.Events[l.events]; e.Final {
			l.addOutcome(e)
			l.fault(e)
		}
	}
}

// fault looks for what would mend an action that could not be carried out,
// among the last actions.
func (l *Live) fault(e *belief.Event) {
	recent := l.tracker.Recent()
	if !independent(e) || len(recent) == 0 {
		return
	}
	p := l.problem(recent[0].Event)
	p.Start, p.Effort = recent[0].Expected, liveEffort
	seq := sequence(l.Trace, recent[0].Event)
	l.addFault(p, seq, indexOf(seq, e.First), e.Step)
}

// Forget drops the facts of what was seen and heard before a step.
func (l *Live) Forget(before int32) {
	for pred := range l.tables {
		if Observation(pred) {
			l.tables[pred].forget(before)
			l.rows[pred] = max(l.rows[pred], l.tables[pred].base)
		}
	}
}

// Observation reports whether a predicate says what was seen or heard at a step.
func Observation(pred int) bool {
	switch pred {
	case predSeen, predSeenState, predSeenRelation, predSeenAt, predHeard, predOccludes, predDeviates:
		return true
	}
	return false
}

// AtEnd reports whether a predicate holds only when the episode is over.
func AtEnd(pred int) bool {
	switch pred {
	case predEnd, predUnfinished, predGoalReached, predGoalMissed:
		return true
	}
	return false
}

// End adds what is known when the episode is over.
func (l *Live) End() {
	l.live = false
	l.addGoal()
}
