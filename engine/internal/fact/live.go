package fact

import (
	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/planfault"
	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// Live is the index of an episode that goes on. It has no end yet; what the
// goal asks is judged when the episode is over.
type Live struct {
	*Index
	faults  func(*belief.Event) (planfault.Fault, bool)
	events  int      // indexed so far
	rows    []int32  // of each table before the outcome of the last event
	changes []uint32 // of each table when what has changed was asked last
	mends   int
	objects int  // the goal was asked about
	people  int  // objects that it was asked of whether people may have them
	seeks   bool // the last event may have a fault, which is still to be sought
	lasting int  // the revision of the table of objects
	kinds   int  // and that when what has changed was asked last
	revised int32
	deeds   int32 // the first step of which there are facts of what the robot did
}

// Revised is the first step of which facts may have changed with the last
// extension. Facts that belong to no step count for all.
func (l *Live) Revised() int32 { return l.revised }

// NewLive indexes what is known before the first step. What faults tells of each action
// that is over is added to its facts.
func NewLive(t *belief.Trace, faults func(*belief.Event) (planfault.Fault, bool)) *Live {
	x := newIndex(t)
	x.live = true
	x.addTerms()
	return &Live{Index: x, faults: faults, rows: make([]int32, len(x.tables)), changes: make([]uint32, len(x.tables))}
}

// Extend indexes what the trace has taken in since the last time. The outcome
// of an action is taken back where another line of it came. It is false where the search
// for a fault of the plan was interrupted: then the same is to be called again, or GiveUp.
func (l *Live) Extend() bool {
	t := l.Trace
	if l.seeks {
		return l.seek(t.Nth(l.events - 1))
	}
	l.revised = t.Last()
	if r := t.Objects.Revision(); r != l.lasting {
		l.lasting, l.revised = r, 0
		l.rename(t.Objects.TakeRenamed())
	}
	if t.Elapsed > 0 {
		l.revised, t.Elapsed = min(l.revised, t.Elapsed), 0
	}
	l.addLate()
	if n := len(t.Objects.Items); n > l.objects {
		l.object(state.Object(n - 1))
		l.addWanted(l.objects)
		l.objects = n
	}
	if l.events > 0 && l.events < t.Len() && !t.Nth(l.events-1).Final {
		for i := range l.tables {
			l.tables[i].truncate(l.rows[i])
		}
		l.Repairs = l.Repairs[:l.mends]
		l.revised = min(l.revised, t.StepOf(l.events-1))
	}
	for ; l.events < t.Len(); l.events++ {
		l.addEvent(l.events)
		l.addSensed(t.StepOf(l.events))
		if len(t.People) > 0 {
			l.addPeople(l.people)
			l.people = len(t.Objects.Items)
		}
		for i := range l.tables {
			l.rows[i] = l.tables[i].end
		}
		l.mends = len(l.Repairs)
		if e := t.Nth(l.events); e.Final {
			l.addOutcome(e)
			for other := range l.overlapping(e) {
				l.revised = min(l.revised, other)
			}
			l.seeks = true
			if !l.seek(e) {
				l.events++
				return false
			}
		}
	}
	return true
}

// addLate adds what sensors told of after the last line that is indexed, and what the clock
// has passed.
func (l *Live) addLate() {
	step := int32(0)
	if l.events > 0 {
		step = l.Trace.StepOf(l.events - 1)
	}
	l.addSensed(step)
	if s := l.Trace.Late; s > 0 && l.tables[predOverdue].end == 0 {
		l.addOverdue()
		l.revised = min(l.revised, s)
	}
	for _, pred := range []int{predSensed, predMeasured, predOverdue} { // another line of the action leaves them
		l.rows[pred] = l.tables[pred].end
	}
}

// seek seeks the fault of an event; it is false where it was interrupted.
func (l *Live) seek(e *belief.Event) bool {
	f, ok := l.faults(e)
	if l.Trace.Interrupt.Err() != nil {
		return false
	}
	if l.seeks = false; ok {
		l.AddFaults(f)
	}
	return true
}

// GiveUp adds the fault that was still to be sought without what would repair it.
func (l *Live) GiveUp() {
	if !l.seeks {
		return
	}
	e := l.Trace.Nth(l.events - 1)
	if l.seeks = false; planfault.Independent(e) {
		l.AddFaults(planfault.Fault{Step: e.Step})
	}
}

// Forget drops the facts of what was seen and heard before a step.
func (l *Live) Forget(before int32) {
	l.Since = max(l.Since, before)
	l.sensed = len(l.Trace.Sensed) // the trace has let go of those before
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
	case predSeen, predSeenState, predSeenRelation, predSeenAt, predAppears, predSeenValue, predHeard, predSensed, predMeasured, predOccludes, predDeviates, predScore, predDiffers:
		return true
	}
	return false
}

// Perceived reports whether a predicate says what was seen or heard at a step, which stays as it
// is while the step is remembered.
func Perceived(pred int) bool {
	switch pred {
	case predSeen, predSeenState, predSeenRelation, predSeenAt, predAppears, predSeenValue, predHeard, predOccludes:
		return true
	}
	return false
}

// Pass takes in that time has passed since the last line, and what sensors told of.
func (l *Live) Pass() {
	t := l.Trace
	if l.revised = t.Last(); t.Elapsed > 0 {
		l.revised, t.Elapsed = min(l.revised, t.Elapsed), 0
	}
	l.addLate()
}

// Later reports whether a fact of a step may change with those after it, or come with them.
func Later(pred int) bool { return pred == predUntil || pred == predBelated }

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

// Rows is how many facts stand in the tables.
func (l *Live) Rows() int {
	n := 0
	for i := range l.tables {
		n += int(l.tables[i].end - l.tables[i].base)
	}
	return n
}
