// Package recovery turns failures and threats into plans. A plan is executed in
// the action model from what is believed before it is called verified. It holds
// the error backtracking, diagnosis and adaptive subtree of SDA-Planner (sections
// 4.3 and 4.4), the recovery strategies of the ontology (RECOVER, section III-D),
// a repair that follows the plan and supplies what it lacks, and a search from the
// present state to the goal.
package recovery

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/belief"
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
	Rest []PlanStep
	// Failure is what is to be recovered from; nil for none that is known.
	Failure *Failure
	// Away is true where the robot is known not to stand by what it acts on next.
	Away bool
	// Anywhere is true where it reaches everything wherever it stands.
	Anywhere bool
	// Judge tells what failures would come of a plan that starts now, nil for none:
	// what rules say is a constraint on every plan.
	Judge func(ctx context.Context, plan []episode.Action) ([]RuleFault, error)
	// Displaced are objects that are elsewhere than the plan should have brought them.
	Displaced []state.Object
	// Supposed are objects whose place is only supposed: a plan that needs one looks
	// first whether it is there.
	Supposed []state.Object
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
	// Foreseen is true of a failure that has not shown; Ahead is then the index in the
	// rest of the plan of the action at which it would.
	Foreseen bool
	Ahead    int
}

// Reversal is a state or place of an object that must not stay.
type Reversal struct {
	Fluent state.Fluent
	Value  state.Value
}

// GroundedStrategy is a recovery strategy with its actions on objects.
type GroundedStrategy struct {
	Name        string
	Description string
	Steps       []state.Call
	AsksHuman   bool
	// Incomplete is true where it has no actions, or some that are about nothing known.
	Incomplete bool
}

// RuleFault is a failure that would come of a plan.
type RuleFault struct {
	Index       int  // of the action in the plan, its length for the end
	Constraint  bool // it is against safety or a preference
	Class       string
	Explanation string
	Strategies  []GroundedStrategy
}

// StepOrigin says where an action of a plan comes from.
type StepOrigin string

// The origins of actions.
const (
	FromPlan     StepOrigin = "plan"     // of the plan that failed
	FromStrategy StepOrigin = "strategy" // of a recovery strategy
	FromSupply   StepOrigin = "supply"   // it brings about what another action or the goal needs
	FromReversal StepOrigin = "reversal" // it undoes what was done
	FromLook     StepOrigin = "look"     // it finds out
	FromAdvice   StepOrigin = "advice"   // of a plan that an adviser proposed
)

// PlanStep is an action of a plan.
type PlanStep struct {
	Call state.Call
	From StepOrigin
	// Finds is what a look is to find; nil where it is no look, or for anything.
	Finds *LookResult
	// Assumes is what has to be so for the action to have the effect that the plan
	// relies on, and nobody knows.
	Assumes []string
	// Far is true where the robot is known not to get near what it is about before it.
	Far bool
}

// Text is an action as plans write it.
func (s *PlanStep) Text(objects *state.Objects) string { return objects.CallText(s.Call) }

// LookResult is what the plan after a look relies on: a state of an object, or a place.
type LookResult struct {
	Fluent state.Fluent
	Value  state.Value
	Text   string
	// Object and Place are its object, and where it is found to be, by name.
	Object, Place string
}

// Method is how a plan was found.
type Method string

// The methods, in the order in which they are tried.
const (
	GoOn           Method = "go on"         // what is left of the plan does as it is
	Insert         Method = "insert"        // one preparing action before the one that failed
	ByStrategy     Method = "strategy"      // a recovery strategy
	Subtree        Method = "subtree"       // adaptive subtree in the error window
	Repair         Method = "repair"        // the rest of the plan, with what it lacks
	Search         Method = "search"        // from the present state to the goal
	Nearest        Method = "nearest"       // to as much of the goal as can be reached
	Advised        Method = "advice"        // as an adviser proposed
	RepairedAdvice Method = "mended advice" // the same, with what that lacked
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

// StrategyUse is the use of a strategy in a recovery.
type StrategyUse struct {
	Strategy  string
	Applied   bool
	Why       string // it was not applied
	AsksHuman bool
}

// Proposal is what a planner proposes.
type Proposal struct {
	Steps []PlanStep
	// Plan is the same by names.
	Plan []episode.Action
	// Verified is true where the plan was executed in the action model from what is
	// believed, reaches the goal, and violates no constraint.
	Verified    bool
	Method      Method
	Diagnosis   *Diagnosis
	Strategies  []StrategyUse
	Assumptions []string // what is unknown and relied on
	Unmet       []string // parts of the goal that the plan does not reach
	Impossible  []string // reasons for which the goal cannot be reached
	Violated    []string // constraints that the plan does not keep, in words
	// NeedsPerson says what a person would have to do.
	NeedsPerson []string
	// Exhausted is true where the search hit its bound: there may be a better plan.
	Exhausted bool
	Simulated int // actions
	// Advice is what an adviser said, nil where none was asked.
	Advice *Advice
}

// Bar says what keeps any plan from the goal, "" where nothing is known to: a proof that
// it cannot be reached, or a constraint that no plan keeps.
func (p *Proposal) Bar() string {
	switch {
	case len(p.Impossible) > 0:
		return "the goal cannot be reached: " + strings.Join(p.Impossible, "; ")
	case len(p.Violated) > 0:
		return "no plan keeps the constraints: " + strings.Join(p.Violated, "; ")
	}
	return ""
}

// Advice is what an adviser, as a language model, said and what became of it.
type Advice struct {
	Adviser  string // its name
	Cause    string // of the failure, as it says
	Change   string // that is needed, as it says
	Attempts []Attempt
	// Taken is true where the plan is the adviser's, as it is or mended; Why says why
	// it is not.
	Taken bool
	Why   string
	Cost  Cost
}

// Attempt is one plan of an adviser.
type Attempt struct {
	Lines   []Line
	Refused string // why it is not carried out as it is, "" where it could be
}

// Line is one action of an adviser's plan in its own words, and what it was taken for.
type Line struct {
	Text    string
	Action  episode.Action
	How     string  // exact, label or similar; "" where it was refused
	Score   float64 // 0 to 1
	Refused string  // why it was taken for nothing
}

// Cost is what asking cost.
type Cost struct {
	Calls, PromptTokens, AnswerTokens int
	Dollars                           float64
	Priced                            bool // Dollars is known
	Time                              time.Duration
}

// Add adds what asking once more cost.
func (c *Cost) Add(more Cost) {
	c.Priced = more.Priced && (c.Priced || c.Calls == 0)
	c.Calls += more.Calls
	c.PromptTokens += more.PromptTokens
	c.AnswerTokens += more.AnswerTokens
	c.Dollars += more.Dollars
	c.Time += more.Time
}

// Recover finds a plan. It always returns a proposal; where that is not verified
// it says why, and its plan reaches as much of the goal as was found to be
// reachable. It ends early with the context, with the best it has.
func Recover(ctx context.Context, p *Problem, opt Options) *Proposal {
	return newRecovery(ctx, p, opt).recover()
}

// Assess verifies the rest of the plan of a problem, as somebody else proposes it, and
// supplies nothing that it lacks; with mend it follows the plan and supplies what it
// lacks. A proposal that is not verified says what stands against it.
func Assess(ctx context.Context, p *Problem, opt Options, mend bool) *Proposal {
	r := newRecovery(ctx, p, opt)
	start := r.now()
	start.s.Run(state.Predicted, imagined)
	choices := r.choices(start.s)
	if len(choices) > 0 {
		r.wanted = choices[0].literals
	}
	steps, method := p.Rest, Advised
	if mend {
		steps, _ = r.complete(start, p.Rest, choices)
		method = RepairedAdvice
	}
	if c := r.accept(steps, method); c != nil {
		return r.propose(c)
	}
	out := &Proposal{Steps: r.best.steps, Plan: r.names(r.best.steps), Method: method, Unmet: r.best.report.unmet, Violated: r.best.report.violated,
		Assumptions: r.best.report.assumptions, Exhausted: r.exhausted(), Simulated: r.spent}
	if r.best.report.failing != "" {
		out.Violated, out.Unmet = append([]string{r.best.report.failing}, out.Violated...), nil
	}
	return out
}

func newRecovery(ctx context.Context, p *Problem, opt Options) *recovery {
	effort := opt.Effort
	if effort <= 0 {
		effort = DefaultEffort
	}
	r := &recovery{model: newModel(ctx, p, effort), problem: p, options: opt, whole: effort}
	r.shift = opt.Sample
	return r
}

type recovery struct {
	*model
	problem   *Problem
	options   Options
	diagnosis *Diagnosis
	uses      []StrategyUse
	best      *candidate // that is not verified
	hopeless  []string   // reasons for which the goal cannot be reached
	whole     int        // effort
	persons   []string   // what a person would have to do
}

// candidate is a plan with how it fares.
type candidate struct {
	steps  []PlanStep
	method Method
	report report
	until  int // index of the first action that must not be done, their number for none
}

// rounds bounds how often a plan is sought anew because rules say that an action
// of it would be a failure.
const rounds = 4

func (r *recovery) recover() *Proposal {
	for range rounds {
		r.uses = nil
		known := len(r.forbidden)
		if c := r.find(); c != nil {
			return r.propose(c)
		}
		if len(r.forbidden) == known {
			break
		}
	}
	return r.settle()
}

// find tries the methods in turn. It is nil where none gives a verified plan.
func (r *recovery) find() *candidate {
	start := r.now()
	start.s.Run(state.Predicted, imagined)
	choices := r.choices(start.s)
	if len(choices) > 0 {
		r.wanted = choices[0].literals
	}
	if r.hopeless = r.impossible(start.s, choices); len(r.hopeless) > 0 {
		return nil
	}
	if !r.options.OnlySearch && !r.options.OnlyBestFirst {
		r.diagnosis = r.diagnose(start)
		var best *candidate
		for i, method := range []func(*moment, []choice) *candidate{r.goOn, r.insert, r.byStrategy, r.bySubtree, r.byRepair} {
			r.allow(i+2, 8) // what is tried later has its share too
			c := method(start, choices)
			if c != nil && (best == nil || len(c.steps) < len(best.steps)) {
				best = c
			}
			if best != nil && (i < 2 || !r.compares()) {
				return best
			}
		}
		if best != nil {
			return best
		}
	}
	r.allow(1, 1)
	return r.bySearch(start, choices)
}

// now is the present moment.
func (r *recovery) now() *moment {
	return &moment{s: r.problem.State.Clone(), strict: r.problem.Away, moved: slices.Clip(r.problem.Displaced)}
}

// compares reports whether the shortest plan is taken rather than the first: of a
// failure that has not shown there is nothing yet that a strategy makes good.
func (r *recovery) compares() bool { return r.problem.Failure != nil && r.problem.Failure.Foreseen }

// allow lets a share of the whole effort be used up.
func (r *recovery) allow(of, all int) { r.effort = r.whole * of / all }

// accept verifies a plan and keeps the best that fails.
func (r *recovery) accept(steps []PlanStep, method Method) *candidate {
	c := &candidate{steps: r.withoutIdle(steps), method: method}
	c.until = len(c.steps)
	c.report = r.verify(c.steps)
	if c.report.sound() || method == Nearest && c.report.failing == "" {
		r.judge(c)
	}
	if c.report.sound() {
		return c
	}
	if r.best == nil || c.report.better(&r.best.report) {
		r.best = c
	}
	return nil
}

// judge lets rules look at a plan. What they find is mended by their strategies;
// what cannot be mended, and is against safety or a preference, is forbidden from now
// on.
func (r *recovery) judge(c *candidate) {
	if r.problem.Judge == nil {
		return
	}
	for range judgings {
		faults, err := r.problem.Judge(r.ctx, r.names(c.steps))
		if err != nil {
			c.report.violated = append(c.report.violated, "rules did not come to an end: "+err.Error())
			return
		}
		if len(faults) == 0 {
			return
		}
		mended := false
		for i := range faults {
			if steps, ok := r.mend(c.steps, &faults[i]); ok {
				c.steps, mended = steps, true
				break
			}
		}
		if mended {
			continue
		}
		for i := range faults {
			f := &faults[i]
			c.report.violated = append(c.report.violated, f.Explanation)
			r.ask(f)
			if f.Constraint && f.Index < len(c.steps) {
				c.until = min(c.until, f.Index)
				r.forbidden[r.objects.CallText(c.steps[f.Index].Call)] = f.Explanation
			}
		}
		return
	}
	c.report.violated = append(c.report.violated, "what rules find in it is not mended by their strategies")
}

// judgings bounds how often a plan is mended for what rules find in it.
const judgings = 4

// ask notes what a person could do about a fault that nothing else mends.
func (r *recovery) ask(f *RuleFault) {
	for _, s := range f.Strategies {
		if s.AsksHuman && !slices.Contains(r.persons, s.Description) {
			r.persons = append(r.persons, s.Description)
			return
		}
	}
}

// mend puts a strategy for a fault into a plan, before the action at which it shows or
// at the end.
func (r *recovery) mend(steps []PlanStep, f *RuleFault) ([]PlanStep, bool) {
	at := min(f.Index, len(steps))
	if f.Constraint && f.Index < len(steps) {
		return nil, false // it is not to be done at all
	}
	for _, s := range f.Strategies {
		if s.Incomplete || s.AsksHuman {
			continue
		}
		mo := r.after(steps[:at])
		longer := slices.Clone(steps[:at])
		done := true
		for _, call := range s.Steps {
			if at < len(steps) && r.sameCall(call, steps[at].Call) || r.idle(mo.s, call) {
				continue // it is what the plan goes on with
			}
			more, ok := r.carryOut(mo, call, pursuit{depth: 3}, FromStrategy)
			if !ok {
				done = false
				break
			}
			longer = append(longer, more...)
		}
		if !done {
			continue
		}
		for _, st := range steps[at:] {
			more, ok := r.carryOut(mo, st.Call, pursuit{depth: 3}, FromSupply)
			if done = done && ok; !done {
				break
			}
			longer = append(longer, more...)
		}
		if rep := r.verify(longer); done && rep.sound() {
			r.uses = append(r.uses, StrategyUse{Strategy: s.Name, Applied: true})
			return longer, true
		}
	}
	return nil, false
}

// after is the moment after a plan.
func (r *recovery) after(steps []PlanStep) *moment {
	mo := &moment{s: r.problem.State.Clone(), strict: true}
	mo.s.Run(state.Predicted, imagined)
	for _, st := range steps {
		r.perform(mo, st.Call)
	}
	return mo
}

// goOn proposes what is left of the plan.
func (r *recovery) goOn(*moment, []choice) *candidate {
	f := r.problem.Failure
	if len(r.problem.Rest) == 0 && !r.reached(r.problem.State) || f != nil && !f.Foreseen && !r.options.WithoutStrategies && len(f.Strategies) > 0 {
		return nil // the strategies say what to do first
	}
	return r.accept(r.problem.Rest, GoOn)
}

// insert proposes the one preparing action that sets what the failed one lacks
// (SDA-Planner, section 4.3).
func (r *recovery) insert(*moment, []choice) *candidate {
	if r.diagnosis == nil || r.diagnosis.Insert == nil {
		return nil
	}
	at := r.diagnosis.Err - r.diagnosis.done - 1
	return r.accept(slices.Insert(slices.Clone(r.problem.Rest), at, *r.diagnosis.Insert), Insert)
}

// byStrategy proposes the first recovery strategy after which the rest of the plan
// reaches the goal.
func (r *recovery) byStrategy(start *moment, choices []choice) *candidate {
	f := r.problem.Failure
	if f == nil || r.options.WithoutStrategies {
		return nil
	}
	inTurn := slices.Clone(f.Strategies)
	slices.SortStableFunc(inTurn, func(a, b GroundedStrategy) int { return r.options.Tried[a.Name] - r.options.Tried[b.Name] })
	for i := range inTurn {
		s := &inTurn[i]
		use := StrategyUse{Strategy: s.Name, AsksHuman: s.AsksHuman}
		switch {
		case s.AsksHuman:
			use.Why = "it needs a person"
		case s.Incomplete:
			use.Why = "it says no actions on known objects"
		default:
			plan := r.splice(s)
			steps, missed := r.complete(start, plan, choices)
			if at := r.resumes(plan); at >= 0 && !r.contains(steps, plan[at].Call) {
				use.Why = r.objects.CallText(plan[at].Call) + " could not be done after it"
				break
			}
			c := r.accept(steps, ByStrategy)
			if use.Applied = c != nil; use.Applied {
				r.uses = append(r.uses, use)
				return c
			}
			use.Why = r.whyNot(missed)
		}
		r.uses = append(r.uses, use)
		if r.exhausted() {
			break
		}
	}
	return nil
}

// resumes is the index in a plan of the action that failed, or that was foreseen to;
// -1 for none.
func (r *recovery) resumes(plan []PlanStep) int {
	f := r.problem.Failure
	if f.Failed != nil && len(r.problem.Rest) > 0 && r.sameCall(*f.Failed, r.problem.Rest[0].Call) {
		return len(plan) - len(r.problem.Rest)
	}
	if f.Foreseen && f.Ahead < len(r.problem.Rest) {
		return len(plan) - len(r.problem.Rest) + f.Ahead
	}
	return -1
}

func (r *recovery) contains(steps []PlanStep, c state.Call) bool {
	return slices.ContainsFunc(steps, func(st PlanStep) bool { return r.sameCall(st.Call, c) }) || r.idle(r.problem.State, c)
}

func (r *recovery) whyNot(missed []literal) string {
	switch {
	case len(missed) > 0:
		return "the goal would lack " + r.text(missed[0])
	case r.best != nil && len(r.best.report.violated) > 0:
		return r.best.report.violated[0]
	case r.best != nil && r.best.report.failing != "":
		return r.best.report.failing
	}
	return "the plan would not reach the goal"
}

// byRepair proposes the rest of the plan with what its actions and the goal lack.
func (r *recovery) byRepair(start *moment, choices []choice) *candidate {
	steps, _ := r.complete(start, r.problem.Rest, choices)
	return r.accept(steps, Repair)
}

// bySearch proposes a plan from the present state to the goal: first part by part in
// the order that suits most goals, then, where that leads nowhere, best-first.
func (r *recovery) bySearch(start *moment, choices []choice) *candidate {
	var found *candidate
	known := len(r.forbidden)
	for i := range choices {
		if r.options.OnlyBestFirst {
			break
		}
		mo := &moment{s: start.s.Clone(), strict: true}
		steps, _ := r.reach(mo, &choices[i])
		c := r.accept(r.tidy(start, steps), Search)
		if c != nil && (found == nil || len(c.steps) < len(found.steps)) {
			found = c
		}
		if found != nil || r.exhausted() {
			break
		}
	}
	for i := 0; i < len(choices) && found == nil && !r.exhausted() && len(r.forbidden) == known; i++ {
		found = r.bestFirst(start, &choices[i])
	}
	return found
}

// complete follows a plan from a moment: what cannot be done gets what it lacks,
// what is so already is left out, and in the end what the goal lacks is added.
func (r *recovery) complete(start *moment, plan []PlanStep, choices []choice) (steps []PlanStep, missed []literal) {
	mo := r.clone(start)
	steps = r.undo(mo)
	plan, last := r.beforeTheLast(plan)
	follow := func(plan []PlanStep) { steps, mo = r.followed(plan, steps, mo) }
	follow(plan)
	if len(last) > 0 && r.lacksMore(mo) {
		last = nil // what is to run in the end is switched on when all else is so
	}
	follow(last)
	if now := r.choices(mo.s); len(now) > 0 && !r.reached(mo.s) || len(r.leftOn(mo.s)) > 0 {
		if len(now) == 0 {
			now = append(now, choice{})
		}
		more, left := r.reach(mo, &now[0])
		steps, missed = append(steps, more...), left
	}
	steps = append(steps, r.closeAgain(start, mo, steps)...)
	if len(choices) > 0 {
		r.wanted = choices[0].literals
	}
	return r.tidy(start, steps), missed
}

// beforeTheLast parts a plan before the actions at its end that switch on what the
// goal asks to be on.
func (r *recovery) beforeTheLast(plan []PlanStep) (before, last []PlanStep) {
	on, _ := r.onto.Lookup("on")
	n := len(plan)
	for n > 0 && (r.prepares[plan[n-1].Call.Schema] && n < len(plan) || r.sets(plan[n-1].Call.Schema, on) && r.wants(plan[n-1].Call.Target, on)) {
		n--
	}
	return plan[:n], plan[n:]
}

// sets reports whether a state is an effect of an action.
func (m *model) sets(a *ontology.Action, st ontology.TermID) bool {
	return slices.ContainsFunc(a.Effects, func(e ontology.Effect) bool {
		return slices.ContainsFunc(e.Then, func(p ontology.Pattern) bool { return p.Predicate == m.onto.Core.State && p.Object.Term == st })
	})
}

// lacksMore reports whether the goal lacks more than that something runs.
func (r *recovery) lacksMore(mo *moment) bool {
	return slices.ContainsFunc(r.wanted, func(l literal) bool { return r.order(l) != 3 && !r.holds(mo.s, l) })
}

// closeAgain closes what was closed and was opened for want of something.
func (r *recovery) closeAgain(start, mo *moment, steps []PlanStep) []PlanStep {
	open, known := r.onto.Lookup("open")
	if !known {
		return nil
	}
	shut := r.onto.Opposite(open)
	var out []PlanStep
	for _, st := range steps {
		f := state.Fluent{Obj: st.Call.Target, Slot: mo.s.SlotOf(open)}
		if st.From == FromPlan || !r.sets(st.Call.Schema, open) || start.s.Get(f).Term != shut || mo.s.Get(f).Term != open || r.wants(f.Obj, open) {
			continue
		}
		try := r.clone(mo)
		more, ok := r.achieve(try, literal{x: f.Obj, pred: r.onto.Core.State, y: state.TermRef(shut)}, pursuit{depth: deepest - 4})
		if ok && r.reached(try.s) == r.reached(mo.s) {
			*mo = *try
			out = append(out, more...)
		}
	}
	return out
}

// followed follows actions of a plan from a moment.
func (r *recovery) followed(plan, steps []PlanStep, mo *moment) ([]PlanStep, *moment) {
	for i := range plan {
		c := plan[i].Call
		mo.strict = mo.strict || plan[i].Far
		if r.idle(mo.s, c) || r.exhausted() {
			continue
		}
		try := r.clone(mo)
		more, ok := r.carryOut(try, c, pursuit{depth: 1}, plan[i].From)
		if !ok {
			continue
		}
		steps, mo = append(steps, more...), try
	}
	return steps, mo
}

// propose turns a verified candidate into a proposal.
func (r *recovery) propose(c *candidate) *Proposal {
	return &Proposal{Steps: c.steps, Plan: r.names(c.steps), Verified: true, Method: c.method, Diagnosis: r.diagnosis, Strategies: r.uses,
		Assumptions: c.report.assumptions, Simulated: r.spent}
}

// settle proposes as much as can be reached, with the reasons why that is not all.
func (r *recovery) settle() *Proposal {
	p := &Proposal{Diagnosis: r.diagnosis, Strategies: r.uses, Exhausted: r.exhausted(), Simulated: r.spent}
	start := r.problem.State.Clone()
	start.Run(state.Predicted, imagined)
	choices := r.choices(start)
	r.allow(2, 1)
	for range 3 * rounds {
		known := len(r.forbidden)
		if len(choices) > 0 && (len(r.hopeless) > 0 || r.best != nil && len(r.best.report.violated) > 0) {
			r.best = nil
			r.nearest(start, &choices[0])
		}
		if len(r.forbidden) == known {
			break
		}
	}
	if r.best != nil {
		p.Steps = r.best.steps[:min(r.best.until, len(r.best.steps))]
		p.Plan, p.Method = r.names(p.Steps), r.best.method
		p.Unmet, p.Violated, p.Assumptions = r.best.report.unmet, r.best.report.violated, r.best.report.assumptions
		if r.best.report.failing != "" {
			p.Violated = append(p.Violated, r.best.report.failing)
		}
		if len(p.Unmet)+len(p.Violated) > 0 && r.best.report.failing == "" {
			p.Method = Nearest
		}
	}
	if f := r.problem.Failure; f != nil && len(r.persons) == 0 {
		r.ask(&RuleFault{Strategies: f.Strategies})
	}
	p.Impossible, p.NeedsPerson = r.hopeless, r.persons
	return p
}

// nearest proposes to reach what can be reached of the goal: by going on with the
// plan, and from the present state.
func (r *recovery) nearest(start *state.State, c *choice) {
	mo := &moment{s: start.Clone(), strict: true}
	steps, _ := r.reach(mo, c)
	r.accept(r.tidy(&moment{s: start.Clone(), strict: true}, steps), Nearest)
	if !r.options.OnlySearch {
		followed, _ := r.complete(r.now(), r.problem.Rest, []choice{*c})
		r.accept(followed, Nearest)
	}
}

// impossible lists the reasons for which the goal cannot be reached, whatever is
// done; empty where it may be.
func (r *recovery) impossible(s *state.State, choices []choice) []string {
	var out []string
	for i := range choices {
		var reasons []string
		for _, v := range choices[i].absent {
			reasons = append(reasons, r.missing(v))
		}
		for _, l := range choices[i].literals {
			if !r.attainable(s, l) {
				reasons = append(reasons, r.text(l)+": "+r.why(s, l))
			}
		}
		if len(reasons) == 0 {
			return nil
		}
		if out == nil {
			out = reasons
		}
	}
	return out
}

// missing says that nothing there is can stand for a variable of the goal.
func (r *recovery) missing(v int) string {
	for _, p := range r.trace.Goal.Patterns {
		if p.Predicate == r.onto.Core.Type && p.Subject.Var == v {
			return "there is no " + r.onto.Name(p.Object.Term) + ", and nothing to make it from"
		}
	}
	return "there is nothing that the goal asks for"
}

// several reports whether there are, or will be with a plan, other objects of the class
// of one that is only imagined.
func (r *recovery) several(steps []PlanStep, x state.Object) bool {
	for y := range state.Object(len(r.objects.Items)) {
		if y == x || r.objects.Class(y) != r.objects.Class(x) {
			continue
		}
		cut := func(st PlanStep) bool {
			return r.makes(st.Call.Schema, st.Call.Target, y) && st.Call.Target == r.objects.Items[y].Origin
		}
		if !r.problem.State.Gone(y) || slices.ContainsFunc(steps, cut) {
			return true
		}
	}
	return false
}

// names are the actions of a plan as plans write them: a piece that is only imagined
// goes by the name of its class, where nothing else does.
func (r *recovery) names(steps []PlanStep) []episode.Action {
	var out []episode.Action
	for _, st := range steps {
		out = append(out, episode.Action{Name: st.Call.Schema.Name, Target: r.name(steps, st.Call.Target), Destination: r.name(steps, st.Call.Destination)})
	}
	return out
}

func (r *recovery) name(steps []PlanStep, x state.Object) string {
	if x == state.Nothing {
		return ""
	}
	if x >= r.known && !r.several(steps, x) {
		return r.onto.Name(r.objects.Class(x))
	}
	return r.objects.Name(x)
}
