package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mishap-robotics/mishap/bridge/internal/wording"
	"github.com/mishap-robotics/mishap/engine"
)

// The sentences, phrases and units that reports are made of stand here, so that they can
// be read and improved as prose.

const (
	scoreAgrees   = ", which agrees"
	scoreOfOthers = ", about something else"
)

// count writes a number with its noun: "1 step", "2 steps".
func count(n int, noun string) string { return wording.Count(n, noun) }

// clean strips control characters, so that a log cannot steer a terminal.
func clean(s string) string { return wording.Clean(s) }

// tally counts the problems that a check found.
func tally(errors, warnings int) string {
	return count(errors, "error") + ", " + count(warnings, "warning")
}

// moment is a step of a log with its time, in words.
func moment(step int32, time string) string {
	if time == "" {
		return fmt.Sprintf("step %d", step)
	}
	return fmt.Sprintf("%s (step %d)", clean(time), step)
}

// sentence begins with a capital letter and ends with a full stop.
func sentence(s string) string {
	first, n := utf8.DecodeRuneInString(s)
	s = string(unicode.ToUpper(first)) + s[n:]
	if !strings.HasSuffix(s, ".") {
		s += "."
	}
	return s
}

func lowerFirst(s string) string {
	if s == "" || len(s) > 1 && s[1] >= 'A' && s[1] <= 'Z' {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}

func capitalize(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// listing joins with commas and "and".
func listing(items []string) string {
	switch len(items) {
	case 0:
		return "nothing it knows"
	case 1:
		return items[0]
	}
	return strings.Join(items[:len(items)-1], ", ") + " and " + items[len(items)-1]
}

// Of proofs and checks.
const (
	notUnderstood  = "  %d of %s not understood\n"
	vocabularyHead = "A rule concludes failure(Class, Step, Cause, Objects).\n\nFacts of the episode:\n"
	noProof        = "no proof"
	denied         = "there is none" // where a proof gets from that something is not so
	inGo           = "Go"            // where a predicate of the host says it
	notShown       = ", but another finding explains it better or it follows from an earlier one"
)

// Of an episode, and of each failure in it.
const (
	noFailure      = "no failure"
	goalUnknown    = ", unknown whether the goal was reached"
	causedAt       = ", caused at %s"
	causedBetween  = ", caused at %s, between steps %d and %d"
	causedAtTheEnd = ", caused after the last step"
)

// Of what is to come, and of the faults of a plan.
const (
	beforeTheFirst = "before the first action"
	atFault        = ", at fault is action %d"
	atFaultWithin  = ", at fault is action %d, or one between %d and %d"
	goalNotJudged  = ", %swhether it reaches its goal is not judged%s"
	isToCome       = "         %s at step %d is to come\n"
	unexplained    = "  unexplained discrepancy"
)

// Of a recovery: why it is not verified, and what is left to do.
const (
	unreachable     = "the goal cannot be reached: "
	unmet           = "in the end this would not hold: "
	exhausted       = "The search hit its bound; there may be a plan."
	noPlan          = "No plan was found."
	noGoal          = "states no goal, so that no plan of recovery can be verified; expected a known task, or a goal of facts"
	whyNotGoal      = "The episode states no goal."
	nothingLeft     = "nothing is left to do"
	nothingMore     = ", and nothing more can be done"
	planIsTheirs    = "the plan is %s's"
	planIsOurs      = "the plan is mishap's own; %s's was not taken: %s"
	recoveredTotals = "\n%s in %.1f s, %d with failures, %d of these with a verified plan for each"
)

// methods say how a plan of recovery was found.
var methods = map[engine.Method]string{
	engine.MethodGoOn:           "the rest of the plan as it is",
	engine.MethodInsert:         "by one action before the one that failed",
	engine.MethodStrategy:       "by strategy",
	engine.MethodSubtree:        "by planning the error window anew",
	engine.MethodRepair:         "by repair of the rest of the plan",
	engine.MethodSearch:         "by search from here to the goal",
	engine.MethodRelayed:        "by robots that do for one another what one cannot",
	engine.MethodNearest:        "as much as can be reached",
	engine.MethodAdvised:        "as advised",
	engine.MethodRepairedAdvice: "as advised, with what that lacked",
}

// Of a run.
const (
	noPlanYet         = "  there is no plan\n"
	leadsNowhere      = "  the rest of the plan does not lead to the goal\n"
	failedUnexplained = "  %s%s failed%s, for no reason that is known yet\n"
	goalHolds         = "the goal holds"
	goalDoesNotHold   = "the goal does not hold"
	notAllHappened    = "  not all that was to befall the robot did\n"
)

// Of a progressive explanation.
const (
	afterTheEnd   = "the end, after the last step"
	didNotExplain = "  %s did not explain it: %s\n"
	unknownTimes  = "    and at times that the log does not have: %s\n"
)

// analyses say what an explanation goes by.
var analyses = map[string]string{"execution": ", by what happened up to then", "planning": ", by the plan and the final state", "none": ""}

// Of an episode that is told in words.
const (
	itsTask       = ": the robot's task is to "
	itsGoal       = "Its goal: %s."
	atFirst       = "At first it saw %s."
	theRobot      = "the robot"
	setOutTo      = "set out to "
	wentOnTo      = "went on to "
	andDid        = ", and did"
	presumablyDid = ", and nothing shows that it did not"
	couldNot      = ", but could not"
	cameToNothing = ", but it did not come about"
	gripperEmpty  = " Its gripper was empty now."
	nobodyLooked  = " Nobody looked."
	nowSaw        = " It now saw %s."
	heard         = " It heard: %s."
	measured      = " It measured: %s."
	sensed        = " Its sensors told of: %s."
	wentWrong     = "  Here something went wrong: %s"
	nothingWrong  = "%s. Nothing went wrong."
	inAll         = "%s. In all %s:"
	planTooShort  = ", because the plan stops too soon"
	madeUpFor     = "; the robot made up for it"
	followed      = "    From this followed, at %s: %s"
	toRecover     = "    To recover: %s"
)

// goalSentences say what became of the goal, by how reports name that.
var goalSentences = map[string]string{
	"reached": "The goal was reached",
	"missed":  "The goal was missed",
	"unknown": "Whether the goal was reached is not known",
	"":        "There is no goal to judge it by",
}
