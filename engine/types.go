package engine

import (
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/diagnosis"
	"github.com/mishap-robotics/mishap/engine/internal/expectation"
	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/engine/internal/foresight"
	"github.com/mishap-robotics/mishap/engine/internal/inference"
	"github.com/mishap-robotics/mishap/engine/internal/inference/datalog"
	"github.com/mishap-robotics/mishap/engine/internal/planner"
	"github.com/mishap-robotics/mishap/engine/internal/recovery"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// What was found.
type (
	// Finding is a failure: its class, the step where it shows, the step that caused
	// it, the objects, a sentence, the facts, and the strategies that apply.
	Finding = diagnosis.Finding
	// Consequence is a later failure that merely follows from a finding.
	Consequence = diagnosis.Consequence
	// Strategy is a recovery strategy, grounded in the objects of a finding.
	Strategy = diagnosis.Strategy
	// Threat is a failure that is still to come: a Finding with what will not hold, what
	// should have provided it, and what nothing undoes.
	Threat = foresight.Threat
	// PlannedAction is an action of a plan that is still to come.
	PlannedAction = foresight.PlannedAction
)

// RuleOf is the place of a clause, "rules/occupied.pl:12".
func RuleOf(c *rules.Clause) string { return diagnosis.RuleOf(c) }

// Why it was found.
type (
	// Facts is the index of the facts of an episode that rules and queries ask.
	Facts = fact.Index
	// Proof is a proof, a tree of goals with the rule or the fact each rests on.
	Proof = inference.Node
	// Unproved tells why a clause did not conclude a failure.
	Unproved = inference.Unproved
	// Conclusion is what a failure rule concluded. Diagnosis makes findings of
	// conclusions.
	Conclusion = inference.Conclusion
	// Prover evaluates rules over the facts of an index.
	Prover = inference.Prover
	// LimitError is a rule that was stopped at a limit.
	LimitError = inference.LimitError
	// Coverage counts which goals of which clauses were reached and held.
	Coverage = inference.Coverage
	// Profile counts what each clause costs.
	Profile = inference.Profile
	// CompiledRules are rules made ready for evaluation.
	CompiledRules = datalog.Program
	// ClausePlan tells how a clause is evaluated.
	ClausePlan = datalog.Plan
)

// NewCoverage counts from nothing.
func NewCoverage() *Coverage { return inference.NewCoverage() }

// NewProfile counts from nothing.
func NewProfile() *Profile { return inference.NewProfile() }

// Compile compiles rules that were checked against an ontology.
func Compile(p *rules.Program, o *ontology.Ontology) *CompiledRules { return datalog.Compile(p, o) }

// Vocabulary lists the predicates of facts that rules and goals may ask for.
func Vocabulary() []rules.Predicate { return fact.Vocabulary() }

// What is believed.
type (
	// Trace is what following an episode leaves: events, the history of beliefs, the
	// goal.
	Trace = belief.Trace
	// Event is one line of the log with what became of its action.
	Event = belief.Event
	// Outcome is what became of an action.
	Outcome = belief.Outcome
	// Projection is an episode as it would go on: the rest of its plan carried out in the
	// action model.
	Projection = belief.Projection
	// UnmetGoal is a condition of a goal, with the object it is about.
	UnmetGoal = belief.UnmetGoal
	// State is the state of all objects at one moment.
	State = state.State
	// Objects is the table of the objects that an episode names.
	Objects = state.Objects
	// Object is an object of an episode, an index into Objects.
	Object = state.Object
	// Call is an action with its objects.
	Call = state.Call
	// Fluent names what can change of an object: its place, or its state in one dimension.
	Fluent = state.Fluent
	// Truth is how true a condition is; its sign tells true from false.
	Truth = state.Truth
)

// The outcomes of actions.
const (
	OutcomePresumed  = belief.Presumed  // nothing tells otherwise
	OutcomeSucceeded = belief.Succeeded // its effects were observed
	OutcomeRefused   = belief.Refused   // a precondition did not hold, and no effect was observed
	OutcomeFailed    = belief.Failed    // its effects were observed to be absent
)

// The degrees of truth between false and true.
const (
	AssumedFalse = state.AssumedFalse
	Undecided    = state.Undecided
	AssumedTrue  = state.AssumedTrue
)

const (
	// NoObject is the absence of an object.
	NoObject = state.Nothing
	// Unbound is a variable of a goal without an object.
	Unbound = state.Unbound
	// StatusAssumed and StatusObserved say what the value of a fluent rests on.
	StatusAssumed  = state.Assumed
	StatusObserved = state.Observed
	// Exists is the name of the precondition that every action has.
	Exists = state.Exists
)

// NewObjects is an empty table of objects.
func NewObjects(o *ontology.Ontology) *Objects { return state.NewObjects(o) }

// Idle reports whether all that an action was to bring about held before it.
func Idle(changes []state.Change) bool { return state.Idle(changes) }

// Follow follows an episode without applying any rule.
func Follow(o *ontology.Ontology, ep *episode.Episode) *Trace { return belief.Follow(o, ep) }

// ProjectPlan carries the plan of an episode out in the action model, from the scene
// that the episode states, else from the usual one of its task.
func ProjectPlan(o *ontology.Ontology, ep *episode.Episode) *Projection {
	return belief.ProjectPlan(o, ep)
}

// Replay carries the actions of an episode out in the action model and reads none of
// its observations. An action with a precondition that does not hold changes nothing.
func Replay(o *ontology.Ontology, ep *episode.Episode) *belief.Replayed { return belief.Replay(o, ep) }

// What is expected.
type (
	// Reference is a successful episode whose scenes are what another of the same task
	// is expected to look like.
	Reference = expectation.Reference
	// Relevant says which objects a scene graph holds.
	Relevant = expectation.Relevant
)

// Which objects a scene graph holds. The robot and the subtask are always there.
const (
	RelevantPlan    = expectation.Plan
	RelevantSubtask = expectation.Subtask
	RelevantAll     = expectation.All
	// SubtaskNode is the ID of the node that stands for the subtask.
	SubtaskNode = expectation.SubtaskNode
)

// NewReference follows an episode that is to be a reference. The error says why it is
// none: it has no actions, or its goal was not reached.
func NewReference(o *ontology.Ontology, ep *episode.Episode) (*Reference, error) {
	return expectation.NewReference(o, ep)
}

// SameTask refuses a reference for another task.
func SameTask(o *ontology.Ontology, ep, reference *episode.Episode) error {
	return expectation.SameTask(o, ep, reference)
}

// Changes reports whether an action changes an object: before such an action scenes
// are compared.
func Changes(o *ontology.Ontology, a episode.Action) bool { return expectation.Changes(o, a) }

// How to go on.
type (
	// Proposal is what a planner proposes: the plan, whether it is verified, and why not.
	Proposal = recovery.Proposal
	// ProposalStep is an action of a proposed plan.
	ProposalStep = planner.Step
	// LookResult is what a plan relies on a look to find.
	LookResult = planner.LookResult
	// Method is how a plan was found.
	Method = recovery.Method
	// RecoveryOptions say which parts of the planner are used, and how much it may do.
	RecoveryOptions = recovery.Options
	// StrategyUse is the use of a strategy in a recovery.
	StrategyUse = recovery.StrategyUse
	// PlanDiagnosis is the part of a plan that an error concerns.
	PlanDiagnosis = recovery.Diagnosis
	// Advice is what an adviser said and what became of it.
	Advice = recovery.Advice
	// Attempt is one plan of an adviser.
	Attempt = recovery.Attempt
	// AdviceLine is one action of an adviser's plan, and what it was taken for.
	AdviceLine = recovery.Line
	// Cost is what asking an adviser cost.
	Cost = recovery.Cost
)

// The methods, in the order in which they are tried.
const (
	MethodGoOn           = recovery.GoOn
	MethodInsert         = recovery.Insert
	MethodStrategy       = recovery.ByStrategy
	MethodSubtree        = recovery.Subtree
	MethodRepair         = recovery.Repair
	MethodSearch         = recovery.Search
	MethodNearest        = recovery.Nearest
	MethodAdvised        = recovery.Advised
	MethodRepairedAdvice = recovery.RepairedAdvice
)

// FromLook is the origin of an action that finds something out.
const FromLook = planner.FromLook

// DependencyError is the kind of error that an unmet precondition of a plan is.
const DependencyError = recovery.DependencyError
