package recovery

import (
	"context"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/planner"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Problem is what a plan is to be found for.
type Problem struct {
	// Trace holds the task, the goal, the robot, and what was done; objects that are
	// imagined are added to its table.
	Trace *belief.Trace
	// State is what is believed now.
	State *state.State
	// Rest is what is left of the plan, from the action that failed on.
	Rest []planner.Step
	// Failure is what is to be recovered from; nil for none that is known.
	Failure *Failure
	// Away is true where the robot is known not to stand by what it acts on next.
	Away bool
	// Anywhere is true where it reaches everything wherever it stands.
	Anywhere bool
	// Apart is true where nothing is to be taken out of another gripper.
	Apart bool
	// Judge tells what failures would come of a plan that starts now, nil for none:
	// what rules say is a constraint on every plan.
	Judge Judge
	// Displaced are objects that are elsewhere than the plan should have brought them.
	Displaced []state.Object
	// Assumed are objects whose place is only assumed: a plan that needs one looks
	// first whether it is there.
	Assumed []state.Object
	// Corrective are actions that somebody else proposes as units of the adaptive subtree
	// (SDA-Planner, section 4.4).
	Corrective []state.Call
	// Suspected are states that objects may be in since a failure or a sound.
	Suspected []planner.Suspicion
}

// Judge tells what failures would come of a plan. Agents are who carries out each action, nil
// where the robot of the problem does all.
type Judge func(ctx context.Context, plan []episode.Action, agents []string) ([]RuleFault, error)

// now is the present node.
func (p *Problem) now() *planner.Node {
	return &planner.Node{State: p.State.Clone(), Strict: p.Away, Moved: slices.Clip(p.Displaced)}
}

// planning is what there is to plan for.
func (p *Problem) planning(effort, sample int) *planner.Problem {
	t := p.Trace
	out := &planner.Problem{Objects: t.Objects, Agent: t.Robot, Gripper: t.Gripper, State: p.State,
		Goal: t.Goal, Bound: t.Bound, Reached: p.reached, Shuts: p.shuts(),
		Anywhere: p.Anywhere, Apart: p.Apart, Beside: views(t), Assumed: p.Assumed, Suspected: p.Suspected, Effort: effort, Sample: sample}
	if t.Task != nil {
		out.Exempt = t.Task.Exempt
	}
	if p.Failure == nil {
		return out
	}
	for _, u := range p.Failure.Undo {
		out.Excluded, out.Reason = append(out.Excluded, u.literal(t.Objects.Onto)), p.Failure.Explanation
	}
	return out
}

// shuts are the objects that what is left of the plan shuts, and does not open after that.
func (p *Problem) shuts() (out []state.Object) {
	onto := p.Trace.Objects.Onto
	open, shut := onto.Open(), onto.Roles.Enclosing
	if open == ontology.None || shut == ontology.None {
		return nil
	}
	for i := range p.Rest {
		c := &p.Rest[i].Call
		switch {
		case c.Target == state.Nothing:
		case onto.Sets(c.Schema, open):
			out = slices.DeleteFunc(out, func(x state.Object) bool { return x == c.Target })
		case onto.Sets(c.Schema, shut) && !slices.Contains(out, c.Target):
			out = append(out, c.Target)
		}
	}
	return out
}

// reached reports whether the goal holds in a state, as far as it is understood.
func (p *Problem) reached(s *state.State) bool {
	t, _ := p.Trace.UnderstoodTruth(s)
	return t >= state.AssumedTrue
}

// Failure is what is to be recovered from.
type Failure struct {
	Class       string
	Step        int32 // where it shows
	Objects     []state.Object
	Failed      *state.Call        // the action that failed, nil where none did
	Strategies  []GroundedStrategy // that apply, in order
	Explanation string
	// Undo is what the failure brought about and must not stay so: of a constraint
	// that was violated.
	Undo []Reversal
	// Foreseen is true of a failure that has not shown; Index is then the index in the
	// rest of the plan of the action at which it would.
	Foreseen bool
	Index    int
}

// Reversal is a state or place of an object that must not stay.
type Reversal struct {
	Fluent state.Fluent
	Value  state.Value
}

// literal is what must not stay.
func (r Reversal) literal(o *ontology.Ontology) planner.Literal {
	if r.Value.At != state.Nothing {
		return planner.Literal{Subject: r.Fluent.Obj, Predicate: o.Core.Within, Value: state.ObjectRef(r.Value.At)}
	}
	return planner.Literal{Subject: r.Fluent.Obj, Predicate: o.Core.State, Value: state.TermRef(r.Value.Term)}
}

// Text is what must not stay, in words.
func (r Reversal) Text(objects *state.Objects) string {
	if r.Value.At != state.Nothing {
		return objects.Name(r.Fluent.Obj) + " in or on " + objects.Name(r.Value.At)
	}
	return objects.Name(r.Fluent.Obj) + " " + objects.Onto.Name(r.Value.Term)
}

// GroundedStrategy is a recovery strategy with its actions on objects.
type GroundedStrategy struct {
	Name        string
	Description string
	Steps       []state.Call
	AsksHuman   bool
	// Incomplete is true where it has no actions, or some that are about nothing known.
	Incomplete bool
	Uses       UseCount // what came of it before
}

// UseCount is how often a strategy was carried out, and how often the goal was reached then.
type UseCount struct{ Tried, Reached int }

// RuleFault is a failure that would come of a plan.
type RuleFault struct {
	Index       int  // of the action in the plan, its length for the end
	Constraint  bool // it is against safety or a preference
	OfKind      bool // it is one whatever of the same classes the action is done with
	Class       string
	Explanation string
	Strategies  []GroundedStrategy
}

// The origins of actions that planning does not know.
const (
	FromStrategy planner.Origin = "strategy" // of a recovery strategy
	FromReversal planner.Origin = "reversal" // it undoes what was done
)

// Options say which parts of the planner are used, and how much it may do. The
// zero value is the whole planner with default bounds.
type Options struct {
	WithoutStrategies bool
	WithoutWindow     bool // local repair goes from the failed action to the end of the plan
	WithoutTree       bool
	OnlySearch        bool // plan from the present state to the goal, whatever the plan was
	OnlyBestFirst     bool // the same, by best-first search from the first
	// Effort is about how many actions may be simulated; DefaultEffort where 0.
	Effort int
	// Sample numbers samples of plans that differ; 0 is the best.
	Sample int
	// Tried counts how often a strategy was applied before: one that was applied
	// comes after those that were not.
	Tried map[string]int
}

// DefaultEffort bounds the search for one plan.
const DefaultEffort = 6000
