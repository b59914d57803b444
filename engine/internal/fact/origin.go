package fact

import (
	"cmp"
	"fmt"

	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Provenance is where a fact comes from.
type Provenance struct {
	How  string // in words: "seen", "effect of (pick_up, Mug-1)", "ontology"
	Step int32  // of the log, -1 where it is none's
	File string // of the log or the ontology, "" where it stands nowhere
	Line int
}

func (o Provenance) String() string {
	switch {
	case o.File == "" || o.Line == 0:
		return o.How
	}
	return fmt.Sprintf("%s, %s:%d", o.How, o.File, o.Line)
}

// Origin tells where a fact of a predicate comes from.
func (x *Index) Origin(pred int, row []int32) Provenance {
	if x.given {
		return Provenance{How: "given", Step: -1}
	}
	switch pred {
	case predState, predAt, predWithin, predHolds, predFilled, predValue, predSince:
		return x.beliefOrigin(pred, row)
	case predIsa, predProperty, predContains, predImplies, predPieceOf:
		return x.termOrigin(row)
	case predKeepsHold, predUnmet, predUnmetName, predUnmetTwo, predUnmetThree, predUnmetFour, predLacksState, predLacksRelation, predBreached, predImpossible:
		return x.schemaOrigin(pred, row)
	case predPlanned:
		return Provenance{How: "plan of the log", Step: -1}
	case predAvoids:
		return Provenance{How: "people in the log", Step: -1}
	case predWanted, predWantedAt, predUnaskedAt:
		return x.goalOrigin()
	case predFault, predMend, predMendWindow, predMendOld:
		return Provenance{How: "carrying out the actions in the action model", Step: -1}
	case predGoalReached, predGoalMissed:
		return Provenance{How: "belief at the end against the goal", Step: -1}
	case predSucceeded, predFailed, predAbsent:
		return x.stepOrigin("judged by the observation", row[0])
	case predAway:
		return x.stepOrigin("judged by the moves so far", row[0])
	case predRelated:
		return x.linkOrigin(row)
	case predTime, predUntil, predOverdue:
		return x.stepOrigin("clock", row[0])
	case predResult, predStatus:
		return x.stepOrigin("said by the robot", row[0])
	case predAction, predAgent, predAmount, predArgument, predTarget, predDestination, predActsWith, predAmbiguous, predTold, predVague:
		return x.stepOrigin("action", row[0])
	case predScore, predDiffers:
		return x.stepOrigin("the scene before the action against what the plan lets expect", row[0])
	case predHeard:
		return x.stepOrigin("heard", row[0])
	case predSensed, predMeasured:
		o := x.stepOrigin("told by a sensor", row[0])
		for _, s := range x.Trace.Sensed {
			if s.Step == row[0] && x.object(s.Obj) == row[2] && x.onto.IsA(s.Kind, ontology.TermID(row[1])) {
				o.Line = s.Line
				break
			}
		}
		return o
	case predSeen, predSeenState, predSeenRelation, predSeenAt, predAppears, predSeenValue, predOccludes, predHandEmpty, predObserved:
		return x.stepOrigin("seen", row[0])
	}
	return x.stepOrigin("step", row[0])
}

func (x *Index) stepOrigin(how string, step int32) Provenance {
	ep := x.Trace.Episode
	return Provenance{How: how, Step: step, File: cmp.Or(ep.File, ep.Source), Line: ep.LineOf(int(step))}
}

func (x *Index) beliefOrigin(pred int, row []int32) Provenance {
	f := state.Fluent{Obj: x.objectOf(row[1]), Slot: state.PlaceSlot}
	if pred == predFilled {
		f.Slot = x.Trace.Final.SlotOf(x.Trace.Objects.Onto.Roles.Filled)
	}
	if pred == predState || pred == predSince {
		onto := x.Trace.Objects.Onto
		id, _ := onto.Lookup(x.Name(row[2]))
		f.Slot = x.Trace.Final.SlotOf(id)
	}
	if pred == predValue {
		f.Slot = x.Trace.Final.QuantitySlot(ontology.TermID(row[2]))
	}
	if f.Obj == state.Nothing || f.Slot < 0 {
		return x.stepOrigin("believed", row[0])
	}
	v := x.Trace.At(f, row[0])
	switch v.Status {
	case state.Observed:
		return x.stepOrigin("believed since it was seen", v.Since)
	case state.Predicted:
		how := "believed as an effect"
		if e := x.Trace.Event(v.Since); e != nil {
			how += " of " + x.Trace.Objects.CallText(e.Call)
		}
		return x.stepOrigin(how, v.Since)
	}
	return Provenance{How: "assumed: usual scene or default state", Step: -1}
}

// linkOrigin is the step since which a lasting relation has held.
func (x *Index) linkOrigin(row []int32) Provenance {
	for _, h := range x.Trace.Links() {
		if x.objects[h.Subject] != row[1] || x.term(h.Relation) != row[2] || x.objects[h.Object] != row[3] {
			continue
		}
		since := int32(0)
		for _, c := range h.Changes {
			if c.Step <= row[0] {
				since = c.Step
			}
		}
		return x.stepOrigin("believed since", since)
	}
	return x.stepOrigin("believed", row[0])
}

// termOrigin is the place in the ontology of the class of an object, or of the
// term that comes first.
func (x *Index) termOrigin(row []int32) Provenance {
	onto := x.Trace.Objects.Onto
	id := ontology.None
	if o := x.objectOf(row[0]); o != state.Nothing {
		id = x.Trace.Objects.Class(o)
	} else if t, ok := onto.Lookup(x.Name(row[0])); ok {
		id = t
	}
	if id == ontology.None {
		return Provenance{How: "ontology", Step: -1}
	}
	pos := onto.Terms[id].Pos
	return Provenance{How: "ontology", Step: -1, File: pos.File, Line: pos.Line}
}

// schemaOrigin is the place of the precondition or norm in the ontology, or of
// the action.
func (x *Index) schemaOrigin(pred int, row []int32) Provenance {
	e := x.Trace.Event(row[0])
	if e == nil {
		return Provenance{How: "action model", Step: -1}
	}
	pos := x.Trace.Objects.Onto.Terms[e.Call.Schema.Term].Pos
	if pred != predKeepsHold {
		pos = conditionPos(e, x.Name(row[1]), pos)
	}
	return Provenance{How: "action model", Step: -1, File: pos.File, Line: pos.Line}
}

func conditionPos(e *belief.Event, name string, pos ontology.Pos) ontology.Pos {
	for _, conditions := range [][]ontology.Condition{e.Call.Schema.Preconditions, e.Call.Schema.Norms} {
		for i := range conditions {
			if conditions[i].Name == name {
				return conditions[i].Pos
			}
		}
	}
	return pos
}

func (x *Index) goalOrigin() Provenance {
	if len(x.Trace.Episode.GoalFacts) > 0 || x.Trace.Task == nil {
		return Provenance{How: "goal of the log", Step: -1}
	}
	pos := x.Trace.Objects.Onto.Terms[x.Trace.Task.Term].Pos
	return Provenance{How: "goal of the task", Step: -1, File: pos.File, Line: pos.Line}
}
