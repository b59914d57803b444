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
	"github.com/mishap-robotics/mishap/engine/internal/projection"
	"github.com/mishap-robotics/mishap/engine/internal/recovery"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// What was found, and what is to come.
type (
	// Finding is a failure. Its fields: Type, the failure class; Step, where it shows;
	// Cause, the step that caused it (one past the last for a plan that stops too soon),
	// and Window, the first and last step that may have; Planned, the 1-based index in
	// the plan of the action at Step; Objects, by name; Explanation, a sentence;
	// Evidence, the facts in words; Strategies and Consequences; Recovered, true where
	// the robot made up for it itself; Clause, the rule, whose place Rule() gives.
	Finding = diagnosis.Finding
	// Consequence is a later failure that merely follows from a finding: Type, Step,
	// Objects, Explanation.
	Consequence = diagnosis.Consequence
	// GroundedStrategy is a recovery strategy for a finding: Name, Description, Actions on its
	// objects as plans write them, and AsksHuman.
	GroundedStrategy = diagnosis.Strategy
	// Threat is a failure that is still to come: a Finding with Foreseen, the step after
	// which it was known; Condition, what will not hold; Provider, the action that should
	// have seen to it; Irreversible, the actions to come that nothing undoes; and Repair,
	// the edit of the plan that would do. Steps are those it would show at if the plan
	// goes on.
	Threat = foresight.Threat
	// PlannedAction is an action of a plan that is still to come: Step, Planned (its
	// 1-based index in the plan), Text.
	PlannedAction = foresight.PlannedAction
)

// Why it was found.
type (
	// Facts is the index of the facts of an episode, which rules and queries ask and
	// proofs rest on. Origin(p.Fact, p.Row) says where the fact of a Proof p comes from;
	// Since is the first step of which it is remembered what was seen and heard.
	Facts = fact.Index
	// Proof is a tree: Goal with the values that it had, the Clause or the Fact that it
	// rests on, and the Children that it follows from. InGo is true where a Builtin
	// answered the goal.
	Proof = inference.Node
	// Unproved tells why a clause did not conclude a failure: the conditions that Held,
	// the first that Failed, and the Nearest facts to it with their Origins.
	Unproved = inference.Unproved
	// Conclusion is what a failure rule concluded: Class, Step, Cause, Objects, Clause.
	// Of conclusions diagnosis makes findings.
	Conclusion = inference.Conclusion
)

// For authors of rules.
type (
	// Prover evaluates rules over the facts of an index, one by one.
	Prover = inference.Prover
	// Coverage counts which conditions of which clauses were tried, held and failed: Of.
	Coverage = inference.Coverage
	// Profile counts what each clause costs, in time, calls and facts looked at: Of.
	Profile = inference.Profile
	// CompiledRules are rules made ready for evaluation. Rules lists the failure rules,
	// each compiled or with the reason why it is interpreted; Plans tells how every
	// clause is evaluated.
	CompiledRules = datalog.Program
	// ClausePlan tells how a clause is evaluated: Compiled, or the Reason why not, and
	// the Lines of its joins.
	ClausePlan = datalog.Plan
	// Uncompiled is the reason why a goal or a clause is interpreted: Text, and Clause
	// where it lies in one that the goal asks.
	Uncompiled = datalog.Reason
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
	// Trace is what following an episode leaves: the Episode, the table of its Objects,
	// the Events with what became of each action, the History of beliefs, the Goal; the
	// states Start, Final and Expected (had every action succeeded); and Rest, the
	// planned actions that were not reached. GoalTruth judges the goal in a state,
	// UnmetGoalTexts words what a state lacks of it, GoalTexts the whole of it.
	Trace = belief.Trace
	// Event is one line of the log: its Step, Planned (1-based index in the plan), the
	// Call, the Outcome, the conditions Unmet and norms Violated, and what was Seen.
	Event = belief.Event
	// Outcome is what became of an action.
	Outcome = belief.Outcome
	// Projection is an episode as it would go on, the rest of its plan carried out in
	// the action model with nobody looking: a Trace whose first Happened events have
	// happened, what is believed now (Present) and what would be so had every action
	// succeeded (PresentExpected).
	Projection = projection.Projection
	// State is the state of all objects at one moment: States, HasState, Located, Gone.
	State = state.State
	// Objects is the table of the objects that an episode names: Items, Lookup by name,
	// Name, Class, IsA, CallText.
	Objects = state.Objects
	// Object is an object of an episode, an index into Objects.
	Object = state.Object
	// Call is an action with its objects: Schema, Agent, Gripper, Target, Destination.
	Call = state.Call
	// TruthValue is how true a condition is; its sign tells true from false.
	TruthValue = state.Truth
)

// NoObject is the absence of an object.
const NoObject = state.Nothing

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

// Follow follows an episode without applying any rule.
func Follow(o *ontology.Ontology, ep *episode.Episode) *Trace { return belief.Follow(o, ep) }

// ProjectPlan carries the plan of an episode out in the action model, from the scene
// that the episode states, else from the usual one of its task.
func ProjectPlan(o *ontology.Ontology, ep *episode.Episode) *Projection {
	return projection.ProjectPlan(o, ep)
}

// Replayed is a sequence of actions carried out in the action model: the Objects, the
// States after each step, the Calls.
type Replayed = belief.Replayed

// Replay carries the actions of an episode out in the action model and reads none of
// its observations. An action with a precondition that does not hold changes nothing.
func Replay(o *ontology.Ontology, ep *episode.Episode) *Replayed { return belief.Replay(o, ep) }

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
	RelevantPlan    = expectation.Plan    // those that the plan is about, and their neighbours
	RelevantSubtask = expectation.Subtask // those that the next action is about, and their neighbours
	RelevantAll     = expectation.All
	// SubtaskNode is the ID of the node that stands for the subtask.
	SubtaskNode = expectation.SubtaskNode
)

// NewReference follows an episode that is to be a reference. The error says why it is
// none: it has no actions, or its goal was not reached.
func NewReference(o *ontology.Ontology, ep *episode.Episode) (*Reference, error) {
	if o == nil || ep == nil {
		return nil, missing("ontology or episode")
	}
	return expectation.NewReference(o, ep)
}

// SameTask refuses a reference for another task.
func SameTask(o *ontology.Ontology, ep, reference *episode.Episode) error {
	if o == nil || ep == nil || reference == nil {
		return missing("ontology or episode")
	}
	return expectation.SameTask(o, ep, reference)
}

// Changes reports whether an action changes an object: before such an action scenes
// are compared.
func Changes(o *ontology.Ontology, a episode.Action) bool { return expectation.Changes(o, a) }

// How to go on.
type (
	// Proposal is what a planner proposes: the Plan, with more of each action in Steps;
	// Verified, true where it was carried out in the action model from what is believed,
	// reaches the goal and violates no constraint. Else Unmet, Impossible, Violated and
	// Exhausted say why, Shortcoming in one sentence, and NeedsPerson what a person would
	// have to do. Assumptions are what it relies on and nobody knows, Method how it was
	// found, Diagnosis the part of the plan that the error concerns, Advice what an
	// adviser said.
	Proposal = recovery.Proposal
	// PlannerOptions say which parts of the planner are used (WithoutStrategies,
	// WithoutWindow, WithoutTree, OnlySearch, OnlyBestFirst), how many actions it may
	// simulate (Effort), which Sample of plans that differ it draws, and which
	// strategies were Tried.
	PlannerOptions = recovery.Options
	// ProposalStep is an action of a proposed plan: the Call, where it is From, what a
	// look Finds, and what it Assumes.
	ProposalStep = planner.Step
	// LookResult is what a plan relies on a look to find, in words: Text.
	LookResult = planner.LookResult
	// Method is how a plan was found.
	Method = recovery.Method
	// StrategyUse is the use of a strategy in a recovery: Strategy, Applied, else Why not.
	StrategyUse = recovery.StrategyUse
	// PlanDiagnosis is the part of a plan that an error concerns (SDA-Planner, section
	// 4.3), in 1-based indexes of the whole plan: its Kind (environment, preparation or
	// dependency), the action Err that failed, the Source of the error, and the window
	// from Start to End.
	PlanDiagnosis = recovery.Diagnosis
)

// Being advised.
type (
	// Advice is what an adviser said and what became of it: Taken, or Why not, and the
	// Attempts.
	Advice = recovery.Advice
	// Attempt is one plan of an adviser: its Lines, and why it was Refused.
	Attempt = recovery.Attempt
	// AdviceLine is one line of an adviser's plan: its Text, the Action that it was taken
	// for, How (exact, label, similar, meaning or embedding), or why it was Refused.
	AdviceLine = recovery.Line
	// Cost is what asking an adviser cost: Calls, PromptTokens, AnswerTokens, Dollars
	// where Priced, Time.
	Cost = recovery.Cost
)

// OriginStrategy is where an action of a plan comes from that belongs to a recovery strategy.
const OriginStrategy = recovery.FromStrategy

// The methods, in the order in which they are tried.
const (
	MethodGoOn           = recovery.GoOn
	MethodInsert         = recovery.Insert
	MethodStrategy       = recovery.ByStrategy
	MethodSubtree        = recovery.Subtree
	MethodRepair         = recovery.Repair
	MethodSearch         = recovery.Search
	MethodRelayed        = recovery.Relayed
	MethodNearest        = recovery.Nearest
	MethodAdvised        = recovery.Advised
	MethodRepairedAdvice = recovery.RepairedAdvice
)
