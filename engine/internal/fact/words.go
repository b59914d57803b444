package fact

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// phrases word what a fact says, {n} being its n-th argument; "" are facts that say
// nothing to people.
var phrases = []string{
	predStep:          "",
	predPrev:          "",
	predBefore:        "{2} is the last step before the action of {1}",
	predFinal:         "",
	predEnd:           "{1} is the last step",
	predUnfinished:    "the episode ends at {1} although the plan goes on",
	predAction:        "at {1} the robot does {2}",
	predTarget:        "at {1} it acts on {2}",
	predDestination:   "its destination at {1} is {2}",
	predPlanned:       "{1} is action {2} of the plan",
	predActsWith:      "at {1} it acts with {2}",
	predKeepsHold:     "what it holds before {1} it should still hold after it",
	predHeard:         "at {1} was heard {2}",
	predSensed:        "at {1} a sensor told of {2}{3}",
	predMeasured:      "at {1} a sensor told of {2}{3}, measuring {4}",
	predSeen:          "at {1} was seen {2}",
	predSeenState:     "at {1} {2} was seen to be {3}",
	predSeenRelation:  "at {1} was seen that {2} {3} {4}",
	predSeenAt:        "at {1} {2} was seen in or on {3}",
	predAppears:       "at {1} was seen {2}, and not at the step before",
	predObserved:      "",
	predHandEmpty:     "at {1} the gripper was seen to be empty",
	predState:         "after {1} {2} is {3}",
	predAt:            "after {1} {2} is in or on {3}",
	predWithin:        "after {1} {2} is in or on {3}",
	predHolds:         "after {1} the gripper holds {2}",
	predOccludes:      "at {1} {2} was seen in front of {3}",
	predIsa:           "{1} is of the class {2}",
	predProperty:      "{1} has the property {2}",
	predUnmet:         "the action of {1} did not come about: {2}{3}",
	predImpossible:    "nothing can bring about what {1} lacks: {2}",
	predBreached:      "the action of {1} goes against a norm: {2}{3}",
	predSucceeded:     "the action of {1} came about",
	predFailed:        "the action of {1} did not come about",
	predAbsent:        "what the action of {1} should bring about was seen not to be so",
	predAway:          "at {1} the robot stands elsewhere",
	predMistaken:      "at {1} {3} was taken for {2}",
	predBelated:       "what the action of {1} should bring about was seen not to be so, and shows at {2}",
	predOverlaps:      "the action of {1} went on while that of {2} did",
	predMeanwhile:     "at {1} the action of {2} is in progress",
	predOverdue:       "after {1} the time passed by which the goal was to be reached",
	predWithoutAction: "{1} is a look at what nobody tells to have done",
	predUnknown:       "nobody knows what the action of {1} does",
	predUnlogged:      "before {1} the log leaves out that {2} is put in or on {3}, as planned",
	predAmbiguous:     "the name at {1} fits others than {2}, too",
	predTold:          "the task tells by a word that {2} is meant, which is of the kind of what is acted on at {1}",
	predVague:         "at {1} {2} is named by a group of things only",
	predWanted:        "the goal asks for {1} to be {2}",
	predWantedAt:      "the goal asks for {1} in or on {2}",
	predUnaskedAt:     "the goal asks for things of another kind than {1} in or on {2}",
	predGoalReached:   "the goal holds at {1}",
	predGoalMissed:    "the goal does not hold at {1}, and {3} is otherwise since {2}",
	predFault:         "the plan itself is wrong at {1}",
	predMend:          "it would be mended by this edit at {3}: {2} {4} {5}",
	predMendWindow:    "the edit would do from {2} to {3}",
	predMendOld:       "the edit replaces {2}",
	predImplies:       "what is {1} is {2}",
	predAvoids:        "{1} must not be served {2}",
	predContains:      "{1} is or contains {2}",
	predFilled:        "after {1} {2} is filled with {3}",
	predPieceOf:       "{1} is a piece of {2}",
	predDeviates:      "after {1} {2} differs from what the actions should have made of it, since {3}",
	predScore:         "before {1} the scene scores {2} of 100 against what the plan lets expect",
	predDiffers:       "before {1} {2} is {3}, which the plan lets expect {4}",
}

// InWords words a goal of a rule with the values that it had; "" is one that says nothing
// to people. What a rule file defines itself is worded by its name.
func InWords(g *rules.Term, t *belief.Trace) string {
	if g.Is(`\+`, 1) {
		if inner := InWords(g.Args[0], t); inner != "" {
			return "not so: " + inner
		}
		return ""
	}
	if g.Is(`\==`, 2) || g.Is(`\=`, 2) {
		return plainTerm(g.Args[0]) + " is not " + plainTerm(g.Args[1])
	}
	i := slices.IndexFunc(vocabulary, func(p rules.Predicate) bool { return g.Is(p.Name, len(p.Args)) })
	if i < 0 {
		return helperInWords(g, t)
	}
	w := &worder{trace: t, goal: g}
	out := phrases[i]
	for n := range g.Args {
		out = strings.ReplaceAll(out, fmt.Sprintf("{%d}", n+1), w.argument(i, n))
	}
	return out
}

// worder words the arguments of one fact.
type worder struct {
	trace *belief.Trace
	goal  *rules.Term
}

func (w *worder) argument(pred, n int) string {
	arg := w.goal.Args[n]
	switch kind := Kind(pred, n); {
	case kind == step && arg.Kind == rules.Integer:
		return fmt.Sprintf("step %d", arg.Int)
	case kind == condition:
		return w.condition(plainTerm(arg))
	case kind == object && n > 0 && Kind(pred, n-1) == condition:
		if arg.Kind != rules.Atom || arg.Name == None {
			return ""
		}
		return " (" + arg.Name + ")"
	case kind == event && arg.Kind == rules.Atom:
		onto := w.trace.Objects.Onto
		if id, known := onto.Lookup(arg.Name); known {
			return onto.Label(id)
		}
	case kind == object && n > 0 && Kind(pred, n-1) == event:
		if arg.Kind == rules.Atom && arg.Name == None {
			return ""
		}
		return " of " + plainTerm(arg)
	}
	return plainTerm(arg)
}

// condition is why the action of a step cannot do without a condition.
func (w *worder) condition(name string) string {
	onto := w.trace.Objects.Onto
	schemas := onto.Actions
	if first := w.goal.Args[0]; first.Kind == rules.Integer {
		if e := w.trace.Event(int32(first.Int)); e != nil && e.Call.Schema != nil {
			schemas = append([]*ontology.ActionSchema{e.Call.Schema}, schemas...)
		}
	}
	for _, a := range schemas {
		for _, c := range slices.Concat(a.Preconditions, a.Norms) {
			if c.Name == name && c.Comment != "" {
				return c.Comment
			}
		}
	}
	return strings.ReplaceAll(name, "_", " ")
}

// helperInWords words what a rule file defines: its name and arguments. Numbers of steps
// that the episode has are taken for such.
func helperInWords(g *rules.Term, t *belief.Trace) string {
	if g.Kind != rules.Compound && g.Kind != rules.Atom || g.Name == "" || g.Name[0] < 'a' || g.Name[0] > 'z' {
		return g.String()
	}
	var args []string
	for _, a := range g.Args {
		text := plainTerm(a)
		if a.Kind == rules.Integer && t.Has(int32(a.Int)) {
			text = "step " + text
		}
		args = append(args, text)
	}
	return strings.TrimSuffix(strings.ReplaceAll(g.Name, "_", " ")+": "+strings.Join(args, ", "), ": ")
}

// plainTerm is a term without quotes; what has no value is something.
func plainTerm(t *rules.Term) string {
	switch t.Kind {
	case rules.Integer:
		return strconv.FormatInt(t.Int, 10)
	case rules.Atom:
		return t.Name
	case rules.Variable:
		return "something"
	}
	return t.String()
}
