// Package fact holds the facts of one episode as rules see them: an index of
// interned integers, filled from the trace of the belief. Facts are never
// Prolog clauses.
package fact

import "github.com/mishap-robotics/mishap/rules"

// ArgKind is what an argument of a fact is.
type ArgKind uint8

// Steps are integers; everything else is a name.
const (
	Step ArgKind = iota
	Object
	Class
	State
	Relation
	Action
	Property
	Condition
	Number
	Word
)

var kindNames = [...]string{"Step", "Object", "Class", "State", "Relation", "Action", "Property", "Condition", "Number", "Word"}

func (k ArgKind) String() string { return kindNames[k] }

// Integer reports whether values of the kind are numbers.
func (k ArgKind) Integer() bool { return k == Step || k == Number }

// Predicate is one fact predicate.
type Predicate struct {
	Name string
	Args []ArgKind
	Doc  string
}

// Indicator is the predicate's name and arity.
func (p *Predicate) Indicator() rules.Indicator {
	return rules.Indicator{Name: p.Name, Arity: len(p.Args)}
}

// The predicates, by number; Vocabulary describes them.
const (
	predStep = iota
	predPrev
	predBefore
	predFinal
	predEnd
	predAction
	predTarget
	predDestination
	predPlanned
	predKeepsHold
	predHeard
	predSeen
	predSeenState
	predSeenRelation
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
	predImpossible
	predBreached
	predSucceeded
	predFailed
	predAbsent
	predAway
	predAmbiguous
	predVague
	predWanted
	predWantedAt
	predGoalReached
	predGoalMissed
	predFault
	predMend
	predMendWindow
	predMendOld
	predImplies
	predAvoids
	predContains
	predDeviates
)

// Vocabulary lists the fact predicates rules are written in.
var Vocabulary = []Predicate{
	predStep:         {"step", []ArgKind{Step}, "S is a step of the log with an action."},
	predPrev:         {"prev", []ArgKind{Step, Step}, "P is the step just before S; the first step has 0."},
	predBefore:       {"before", []ArgKind{Step, Step}, "P is the last step before the action of S began; lines that repeat an action are one action."},
	predFinal:        {"final", []ArgKind{Step}, "S is the last line of its action: effects are judged there."},
	predEnd:          {"end", []ArgKind{Step}, "S is the last step of the episode."},
	predAction:       {"action", []ArgKind{Step, Action}, "At S the robot does this action."},
	predTarget:       {"target", []ArgKind{Step, Object}, "What the action of S is done to."},
	predDestination:  {"destination", []ArgKind{Step, Object}, "Where the action of S puts or pours its target."},
	predPlanned:      {"planned", []ArgKind{Step, Number}, "The action of S is the N-th of the plan, from 1."},
	predKeepsHold:    {"keeps_hold", []ArgKind{Step}, "What the gripper holds before the action of S should still be held after it."},
	predHeard:        {"heard", []ArgKind{Step, Class}, "At S a sound of this class, or of a subclass, was heard."},
	predSeen:         {"seen", []ArgKind{Step, Object}, "The observation of S shows the object."},
	predSeenState:    {"seen_state", []ArgKind{Step, Object, State}, "The observation of S shows the object in this state, or in one that implies it."},
	predSeenRelation: {"seen_relation", []ArgKind{Step, Object, Relation, Object}, "The observation of S shows this relation."},
	predObserved:     {"observed", []ArgKind{Step}, "The step has an observation, even if it shows nothing."},
	predHandEmpty:    {"hand_empty", []ArgKind{Step}, "The observation of S shows an empty gripper."},
	predState:        {"state", []ArgKind{Step, Object, State}, "After S the object is believed to be in this state, or in one that implies it."},
	predAt:           {"at", []ArgKind{Step, Object, Object}, "After S the object is believed to be directly in or on the other."},
	predWithin:       {"within", []ArgKind{Step, Object, Object}, "After S the object is believed to be in or on the other, directly or through others."},
	predHolds:        {"holds", []ArgKind{Step, Object}, "After S the object is believed to be in the gripper."},
	predOccludes:     {"occludes", []ArgKind{Step, Object, Object}, "The observation of S shows the first object in front of the second."},
	predIsa:          {"isa", []ArgKind{Object, Class}, "The object is of this class or a subclass."},
	predProperty:     {"property", []ArgKind{Object, Property}, "The object has this physical property or is of this material."},
	predUnmet:        {"unmet", []ArgKind{Step, Condition, Object}, "The action of S did not come about, and this precondition did not hold before it; the object is what stood in the way, none where no one thing did."},
	predImpossible:   {"impossible", []ArgKind{Step, Condition}, "An unmet precondition of the action of S that no action and no process can bring about, as when something that is no door is to be opened."},
	predBreached:     {"breached", []ArgKind{Step, Condition, Object}, "The action of S goes against this norm; the object is as for unmet."},
	predSucceeded:    {"succeeded", []ArgKind{Step}, "The effects of the action of S came about, or nothing tells that they did not."},
	predFailed:       {"failed", []ArgKind{Step}, "The action of S did not come about."},
	predAbsent:       {"absent", []ArgKind{Step}, "The observation of S shows that the effects of its action are absent although no precondition was known to fail."},
	predAway:         {"away", []ArgKind{Step}, "The robot last moved elsewhere than to what the action of S acts on, which was not in sight either."},
	predAmbiguous:    {"ambiguous", []ArgKind{Step, Object}, "The action of S names its target by a bare class name that fits several objects; this one was assumed."},
	predVague:        {"vague", []ArgKind{Step, Object}, "The action of S names something by a group of classes, such as Container."},
	predWanted:       {"wanted", []ArgKind{Object, State}, "The goal asks for some object of its class in this state."},
	predWantedAt:     {"wanted_at", []ArgKind{Object, Object}, "The goal asks for some object of the first's class in or on one of the second's."},
	predGoalReached:  {"goal_reached", []ArgKind{Step}, "The goal holds at S, the end of the episode."},
	predGoalMissed:   {"goal_missed", []ArgKind{Step, Step, Object}, "The goal does not hold at S, the end, although the actions should have reached it; O is the step at which things began to differ, the object what differs."},
	predFault:        {"fault", []ArgKind{Step}, "The actions themselves are wrong: a precondition at S, or the goal after the last step, would fail even if every action before had succeeded."},
	predMend:         {"mend", []ArgKind{Step, Word, Step, Action, Object}, "The fault at S is mended by an edit (insert, append, move, delete or replace) at step C; the action and its target are the ones inserted, moved or deleted, for replace the action and the object that should stand there."},
	predMendWindow:   {"mend_window", []ArgKind{Step, Step, Step}, "The edit that mends the fault at S would do anywhere from step A to step B."},
	predMendOld:      {"mend_old", []ArgKind{Step, Object}, "The edit that mends the fault at S replaces this object."},
	predImplies:      {"implies", []ArgKind{State, State}, "Whatever is in the first state is in the second, as what is filled with water is filled."},
	predAvoids:       {"avoids", []ArgKind{Object, Class}, "A person who is served must not be served this class of food."},
	predContains:     {"contains", []ArgKind{Object, Class}, "A food is, contains or is filled with food of this class."},
	predDeviates:     {"deviates", []ArgKind{Step, Object, Step}, "After S the object differs from what the actions should have made of it, since step O."},
}

// Indicators lists the predicates of the vocabulary.
func Indicators() []rules.Indicator {
	out := make([]rules.Indicator, len(Vocabulary))
	for i := range Vocabulary {
		out[i] = Vocabulary[i].Indicator()
	}
	return out
}
