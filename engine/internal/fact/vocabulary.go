// Package fact holds the facts of one episode as rules see them: an index of
// interned integers, filled from the trace of the belief. Facts are never
// Prolog clauses.
package fact

import (
	"slices"

	"github.com/mishap-robotics/mishap/ontology/decimal"
	"github.com/mishap-robotics/mishap/rules"
)

// The predicates, by number; Vocabulary describes them.
const (
	predStep = iota
	predPrev
	predBefore
	predFinal
	predEnd
	predUnfinished
	predAction
	predTarget
	predDestination
	predPlanned
	predActsWith
	predKeepsHold
	predHeard
	predSensed
	predMeasured
	predSeen
	predSeenState
	predSeenRelation
	predSeenAt
	predAppears
	predObserved
	predHandEmpty
	predState
	predAt
	predWithin
	predHolds
	predOccludes
	predIsa
	predProperty
	predUnmet
	predUnmetName
	predUnmetTwo
	predUnmetThree
	predUnmetFour
	predLacksState
	predLacksRelation
	predRelated
	predArgument
	predImpossible
	predBreached
	predSucceeded
	predFailed
	predAbsent
	predAway
	predMistaken
	predBelated
	predWithoutAction
	predUnknown
	predUnlogged
	predAmbiguous
	predTold
	predVague
	predWanted
	predWantedAt
	predUnaskedAt
	predGoalReached
	predGoalMissed
	predFault
	predMend
	predMendWindow
	predMendOld
	predImplies
	predAvoids
	predContains
	predFilled
	predPieceOf
	predDeviates
	predValue
	predSeenValue
	predScore
	predDiffers
	predAmount
	predTime
	predUntil
	predSince
	predResult
	predStatus
	predAgent
	predOverlaps
	predMeanwhile
	predOverdue
)

const (
	step      = rules.StepArg
	number    = rules.NumberArg
	object    = rules.ObjectArg
	class     = rules.ClassArg
	stateName = rules.StateArg
	relation  = rules.RelationArg
	action    = rules.ActionArg
	property  = rules.PropertyArg
	condition = rules.ConditionArg
	sound     = rules.SoundArg
	event     = rules.EventArg
	word      = rules.WordArg
	value     = rules.ValueArg
	quantity  = rules.QuantityArg
)

func describe(name, doc string, args ...rules.ArgKind) rules.Predicate {
	return rules.Predicate{Name: name, Args: args, Doc: doc}
}

// Vocabulary lists the fact predicates rules are written in, by number.
func Vocabulary() []rules.Predicate {
	out := slices.Clone(vocabulary)
	for i := range out {
		out[i].Args = slices.Clone(out[i].Args)
	}
	return out
}

// Arity is how many arguments a predicate has.
func Arity(pred int) int { return len(vocabulary[pred].Args) }

// Width is how many columns its rows have: a value, which is the last argument where there
// is one, takes two.
func Width(pred int) int {
	n := len(vocabulary[pred].Args)
	if vocabulary[pred].Args[n-1] == value {
		n++
	}
	return n
}

// Term is a fact as rules write it.
func (x *Index) Term(pred int, row []int32) *rules.Term {
	t := &rules.Term{Kind: rules.Compound, Name: vocabulary[pred].Name}
	for i, k := range vocabulary[pred].Args {
		var a *rules.Term
		switch {
		case k == value:
			a = rules.Number(decimal.FromWords(row[i], row[i+1]))
		case k.Integer():
			a = &rules.Term{Kind: rules.Integer, Int: int64(row[i])}
		default:
			a = &rules.Term{Kind: rules.Atom, Name: x.Name(row[i])}
		}
		t.Args = append(t.Args, a)
	}
	return t
}

// OfKind reports whether a fact tells what is done at a step, or of which classes things are: it
// holds as well where the same is done with others of the same classes.
func OfKind(pred int, row []int32, step int32) bool {
	switch pred {
	case predFinal, predStep, predAction, predTarget, predDestination, predSucceeded:
		return row[0] == step
	case predIsa, predAvoids, predContains:
		return true
	}
	return false
}

// Kind is what an argument of a predicate is.
func Kind(pred, arg int) rules.ArgKind { return vocabulary[pred].Args[arg] }

var vocabulary = []rules.Predicate{
	predStep:          describe("step", "S is a step of the log with an action.", step),
	predPrev:          describe("prev", "P is the step just before S; the first step has 0.", step, step),
	predBefore:        describe("before", "P is the last step before the action of S began; lines that repeat an action are one action.", step, step),
	predFinal:         describe("final", "S is the last line of its action: effects are judged there.", step),
	predEnd:           describe("end", "S is the last step of the episode.", step),
	predUnfinished:    describe("unfinished", "S is the last step of the episode although the plan goes on.", step),
	predAction:        describe("action", "At S the robot does this action.", step, action),
	predTarget:        describe("target", "What the action of S is done to.", step, object),
	predDestination:   describe("destination", "Where the action of S puts or pours its target.", step, object),
	predPlanned:       describe("planned", "The action of S is the N-th of the plan, from 1.", step, number),
	predActsWith:      describe("acts_with", "The gripper of the robot that acts at S.", step, object),
	predKeepsHold:     describe("keeps_hold", "What the gripper holds before the action of S should still be held after it.", step),
	predHeard:         describe("heard", "At S a sound of this class, or of a subclass, was heard.", step, sound),
	predSensed:        describe("event", "At S, or after it and before the next step, a sensor told of an event of this kind, a class of sensor events, or of a subclass; the object is what it is of, none where it is of nothing. Sounds are one kind.", step, event, object),
	predMeasured:      describe("event", "As event with an object, of an event that came with a number: so much was measured, in the unit that the ontology declares for what the kind measures.", step, event, object, value),
	predSeen:          describe("seen", "The observation of S shows the object.", step, object),
	predSeenState:     describe("seen_state", "The observation of S shows the object in this state, or in one that implies it.", step, object, stateName),
	predSeenRelation:  describe("seen_relation", "The observation of S shows this relation.", step, object, relation, object),
	predSeenAt:        describe("seen_at", "The observation of S shows the object in or on the other.", step, object, object),
	predAppears:       describe("appears", "The observation of S shows the object, and that of the step before, S - 1, does not.", step, object),
	predObserved:      describe("observed", "The step has an observation, even if it shows nothing.", step),
	predHandEmpty:     describe("hand_empty", "The observation of S shows an empty gripper.", step),
	predState:         describe("state", "After S the object is believed to be in this state, or in one that implies it.", step, object, stateName),
	predAt:            describe("at", "After S the object is believed to be directly in or on the other.", step, object, object),
	predWithin:        describe("within", "After S the object is believed to be in or on the other, directly or through others.", step, object, object),
	predHolds:         describe("holds", "After S the object is believed to be in the gripper.", step, object),
	predOccludes:      describe("occludes", "The observation of S shows the first object in front of the second.", step, object, object),
	predIsa:           describe("isa", "The object is of this class or a subclass.", object, class),
	predProperty:      describe("property", "The object has this physical property or is of this material.", object, property),
	predUnmet:         describe("unmet", "The action of S did not come about, and this precondition did not hold before it; the object is what stood in the way, none where no one thing did.", step, condition, object),
	predUnmetName:     describe("unmet", "As unmet with an object, of a precondition that says it is about nothing.", step, condition),
	predUnmetTwo:      describe("unmet", "As unmet with an object, of a precondition that says it is about two.", step, condition, object, object),
	predUnmetThree:    describe("unmet", "As unmet with an object, of a precondition that says it is about three.", step, condition, object, object, object),
	predUnmetFour:     describe("unmet", "As unmet with an object, of a precondition that says it is about four.", step, condition, object, object, object, object),
	predLacksState:    describe("lacks", "A precondition that did not hold before the action of S asks for the object in this state.", step, object, stateName),
	predLacksRelation: describe("lacks", "A precondition that did not hold before the action of S asks for this lasting relation between the two.", step, object, relation, object),
	predRelated:       describe("related", "After S the first object is believed to have this lasting relation to the second.", step, object, relation, object),
	predArgument:      describe("argument", "The N-th argument of the action of S, from 1.", step, number, object),
	predImpossible:    describe("impossible", "An unmet precondition of the action of S that no action and no process can bring about, as when something that is no door is to be opened.", step, condition),
	predBreached:      describe("breached", "The action of S goes against this norm; the object is as for unmet.", step, condition, object),
	predSucceeded:     describe("succeeded", "The effects of the action of S came about, or nothing tells that they did not.", step),
	predFailed:        describe("failed", "The action of S did not come about.", step),
	predAbsent:        describe("absent", "The observation of S shows that the effects of its action are absent although no precondition was known to fail.", step),
	predAway:          describe("away", "The robot last moved elsewhere than to what the action of S acts on, which was not in sight either.", step),
	predMistaken:      describe("mistaken", "The observation of S shows the effect of its action with the second object in the place of the first, which the action names.", step, object, object),
	predWithoutAction: describe("without_action", "The line of S tells of no action: somebody else may have done something.", step),
	predUnknown:       describe("unknown", "Nobody knows what the action of S does: the ontology has none of its name.", step),
	predUnlogged:      describe("unlogged", "Before S the log leaves out a planned action that puts the first object in or on the second; it is taken to have happened.", step, object, object),
	predBelated:       describe("belated", "The look after the action of S showed that its effects are absent, and the next look, of T, shows them, with nothing done about them in between.", step, step),
	predAmbiguous:     describe("ambiguous", "The action of S names its target by a bare class name that fits several objects; this one was assumed.", step, object),
	predTold:          describe("told", "A word of the task, or of the plan's action, is written on the object or says how it looks or what state it is in, and not so of what the action of S takes, which is of its kind.", step, object),
	predVague:         describe("vague", "The action of S names something by a group of classes, such as Container.", step, object),
	predWanted:        describe("wanted", "The goal asks for some object of its class in this state.", object, stateName),
	predWantedAt:      describe("wanted_at", "The goal asks for some object of the first's class in or on one of the second's.", object, object),
	predUnaskedAt:     describe("unasked_at", "The goal asks for each thing of a kind in or on the second object, and the first is of a like kind that it does not ask for: a carrot, where it asks for all fruits.", object, object),
	predGoalReached:   describe("goal_reached", "The goal holds at S, the end of the episode.", step),
	predGoalMissed:    describe("goal_missed", "The goal does not hold at S, the end, although the actions should have reached it; O is the last line of the action at which things began to differ, the object what differs. So too where an action of which nobody knows what it does was the last that was done to all that the goal lacks, and later looks show it lacking.", step, step, object),
	predFault:         describe("fault", "The actions themselves are wrong: a precondition at S, or the goal after the last step, would fail even if every action before had succeeded.", step),
	predMend:          describe("mend", "The fault at S is mended by an edit (insert, append, move, delete, replace or exchange) at step C, or by several of which this is the first; the action and its target are the ones inserted, moved or deleted, for replace the action and the object that should stand there, for exchange the action that should.", step, word, step, action, object),
	predMendWindow:    describe("mend_window", "The edit that mends the fault at S would do anywhere from step A to step B.", step, step, step),
	predMendOld:       describe("mend_old", "The edit that mends the fault at S replaces this object.", step, object),
	predImplies:       describe("implies", "Whatever is in the first state is in the second, as what is filled with water is filled.", stateName, stateName),
	predAvoids:        describe("avoids", "A person who is served must not be served this class of food.", object, class),
	predContains:      describe("contains", "A food is or contains food of this class.", object, class),
	predFilled:        describe("filled", "After S the object is believed to be filled with a liquid that is or contains food of this class.", step, object, class),
	predPieceOf:       describe("piece_of", "The first object is what slicing or cracking leaves of the second.", object, object),
	predDeviates:      describe("deviates", "After S the object differs from what the actions should have made of it, since step O.", step, object, step),
	predValue:         describe("value", "After S the quantity of the object is believed to be so much, in the unit that the ontology declares.", step, object, quantity, value),
	predSeenValue:     describe("seen_value", "The observation of S tells that the quantity of the object is so much.", step, object, quantity, value),
	predScore:         describe("score", "The scene before the action of S scores N of 100 against the one that the plan lets expect there (mishap foresee); for actions that change something, in logs that state a plan and no noise.", step, number),
	predDiffers:       describe("differs", "In the scene before the action of S, the object is otherwise than the plan lets expect: what it is, and what it should be, of which each is a state, what it is in or on, a relation, present or missing, or none where nothing is known. Where there is score(S, N).", step, object, word, word),
	predAmount:        describe("amount", "The action of S is carried out with so much of the quantity, as the log says.", step, quantity, value),
	predResult:        describe("result", "The code that the robot gave with what became of the action of S.", step, word),
	predStatus:        describe("status", "What the robot says became of the action of S: succeeded, failed, aborted or in_progress.", step, word),
	predAgent:         describe("agent", "Who acts at S: where a team does, it and each of its members.", step, object),
	predOverlaps:      describe("overlaps", "The actions of S and T, which are their last lines, went on at the same time: neither was over before the other began, as status and action_id tell.", step, step),
	predMeanwhile:     describe("meanwhile", "At S another action is in progress, of which T is the last line so far.", step, step),
	predOverdue:       describe("overdue", "After S, and before the next step, the time passed by which the goal was to be reached, and it had not been.", step),
	predTime:          describe("time", "S was so many seconds after the first line of the log that has a time.", step, value),
	predUntil:         describe("until", "What is believed after S held until then, in seconds as in time/2: the next step came, or the clock had gone on to there without one.", step, value),
	predSince:         describe("since", "After S the object is believed to be in this state, or in one that implies it, and has been since then, in seconds as in time/2.", step, object, stateName, value),
}
