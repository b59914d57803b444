package belief

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/grounding"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/decimal"
)

// Outcome is what became of an action.
type Outcome uint8

// An action without observed effect is presumed to have succeeded unless a
// precondition did not hold.
const (
	Presumed  Outcome = iota // nothing tells otherwise
	Succeeded                // its effects were observed
	Refused                  // a precondition did not hold, and no effect was observed
	Failed                   // its effects were observed to be absent
)

// Unmet is a precondition that did not hold, with where that comes from.
type Unmet struct {
	state.Violation
	// Origin is the step at which things began to differ from what the actions
	// should have brought about, 0 where the action would have failed anyway.
	Origin int32
	// Reach is true where the robot would not be near enough: no edit of what it does
	// to objects repairs that.
	Reach bool
}

// Event is one line of the log: an action, or one of several observations of
// one action.
type Event struct {
	Step   int32
	First  int32 // first line of the same action
	Before int32 // the step before the action began
	// Displaced is, for an action that failed, the step since which what it needs
	// is elsewhere than it should be: its target, its destination, or the robot,
	// which moved to what is elsewhere. It is 0 where all is in its place.
	Displaced int32
	// Belated is the step of an action before whose effects this line shows, where the look
	// after it had shown the contrary and nobody has seen to them since; 0 where there is
	// none.
	Belated int32
	Unclear state.Object // what was taken for the ambiguous or vague name
	Told    state.Object // what the task tells by a word from the target, which is of its kind; 0 where it tells of none
	Outcome Outcome
	Timed   bool // when it was is known
	Final   bool // last line of the same action
	ToCome  bool // it has not happened yet
	// WithoutAction is true of a line that tells of no action: somebody else may have done
	// something.
	WithoutAction bool
	Ambiguous     bool // a bare name fits several objects
	Vague         bool // something is named by a group of classes
	Away          bool // the robot last moved elsewhere and the target was not in sight
	Observed      bool // somebody looked
	HandEmpty     bool // the gripper was seen empty
	Planned       int  // 1-based index in the plan; 0 where it is not in it
	// Time is when the step was, Until when the next one came or, of the last, up to when it
	// is known that none came, in seconds since the first line that had a time.
	Time, Until decimal.Decimal
	Call        state.Call
	Unmet       []Unmet
	Violated    []state.Violation
	// Mistaken are objects that the action names, each with another in which its
	// effect shows.
	Mistaken  [][2]state.Object
	Together  []state.Object // the team that acts and its members; none where it is one agent
	Meanwhile []int32        // the last lines so far of other actions that are in progress
	Status    episode.Status // what the robot says became of the action
	Result    string         // the code that it gives with that
	Seen      []state.Object
	States    []grounding.SeenState
	Values    []grounding.SeenValue
	Edges     []state.Edge // as observed, places included
	Sounds    []ontology.TermID
	// Differences are what differs from the expected course, with the step at which that
	// began.
	Differences Differences
}

// origin is the step that an action which did not come about goes back to, its
// own where nothing before explains it.
func (e *Event) origin() int32 {
	out := e.Step
	if e.Outcome < Refused {
		return out
	}
	if e.Displaced > 0 {
		out = min(out, e.Displaced)
	}
	for _, u := range e.Unmet {
		if u.Origin > 0 {
			out = min(out, u.Origin)
		}
	}
	return out
}

// continueAction takes over what is known of the action that a line goes on with.
func (e *Event) continueAction(prev *Event) {
	e.First, e.Before, e.Planned, e.Call = prev.First, prev.Before, prev.Planned, prev.Call
	e.Unmet, e.Violated = prev.Unmet, prev.Violated
	e.Together, e.Mistaken = prev.Together, slices.Clip(prev.Mistaken)
	e.Ambiguous, e.Vague, e.Unclear, e.Told = prev.Ambiguous, prev.Vague, prev.Unclear, prev.Told
}

// heard reports whether a sound of a class was heard.
func (e *Event) heard(o *ontology.Ontology, class ontology.TermID) bool {
	return slices.ContainsFunc(e.Sounds, func(s ontology.TermID) bool { return o.IsA(s, class) })
}
