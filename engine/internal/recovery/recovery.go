package recovery

import (
	"context"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/planner"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Recover finds a plan. It always returns a proposal; where that is not verified
// it says why, and its plan reaches as much of the goal as was found to be
// reachable. It ends early with the context, with the best it has.
func Recover(ctx context.Context, p *Problem, opt Options) *Proposal {
	whole := newRecovery(ctx, p, opt).recover()
	if whole.Verified || len(p.Trace.Goal.First) <= p.State.Staged() {
		return whole
	}
	if parts := inTurn(ctx, p, opt); parts != nil {
		return parts
	}
	return whole
}

// inTurn plans for the parts of a goal that have to come about in order, one after the other;
// nil where one of them cannot be reached.
func inTurn(ctx context.Context, p *Problem, opt Options) *Proposal {
	var out *Proposal
	now, done := *p, []episode.Action(nil)
	all := p.Trace.Goal
	defer func(stages *state.Stages) { p.Trace.Objects.Stages = stages }(p.Trace.Objects.Stages)
	for i := p.State.Staged(); i <= len(all.First); i++ {
		trace, before := *p.Trace, slices.Clip(done)
		trace.Goal.First, trace.Objects.Stages = nil, nil
		if i < len(all.First) {
			trace.Goal = ontology.Goal{Vars: all.Vars, Patterns: slices.Concat(typesOf(p.Trace.Objects.Onto, all.Patterns), all.First[i]), Within: all.Within}
		}
		now.Trace = &trace
		if judge := p.Judge; judge != nil {
			now.Judge = func(ctx context.Context, plan []episode.Action, _ []string) ([]RuleFault, error) {
				return judge(ctx, slices.Concat(before, plan), nil)
			}
		}
		r := newRecovery(ctx, &now, opt)
		part := r.recover()
		if !part.Verified {
			return nil
		}
		if done = append(done, part.Plan...); out == nil {
			out = part
		} else {
			out.Steps = append(out.Steps, part.Steps...)
			for _, text := range part.Assumptions {
				if !slices.Contains(out.Assumptions, text) {
					out.Assumptions = append(out.Assumptions, text)
				}
			}
			out.Simulated += part.Simulated
		}
		now = Problem{State: r.review.after(part.Steps).State, Anywhere: p.Anywhere, Apart: p.Apart, Assumed: p.Assumed, Suspected: p.Suspected, Judge: p.Judge}
	}
	out.Plan = done
	p.Trace.Objects.Stages = &state.Stages{Parts: all.First, Bound: p.Trace.Bound, Agent: p.Trace.Robot, Gripper: p.Trace.Gripper}
	whole := newRecovery(ctx, p, opt)
	rep := whole.verifier.verify(out.Steps)
	out.Verified, out.Violated, out.Unmet = rep.sound(), rep.violated, rep.unmet
	return out
}

// typesOf are the patterns that say of what class something is.
func typesOf(o *ontology.Ontology, patterns []ontology.Pattern) []ontology.Pattern {
	return slices.DeleteFunc(slices.Clone(patterns), func(p ontology.Pattern) bool { return p.Predicate != o.Core.Type })
}

// Assess verifies the rest of the plan of a problem, as somebody else proposes it, as it
// is; with repair it follows the plan and achieves what is unmet in it. A proposal that is not verified says what stands against it.
func Assess(ctx context.Context, p *Problem, opt Options, repair bool) *Proposal {
	return newRecovery(ctx, p, opt).assess(repair)
}

// Undoing lists what undoes the actions done so far but for the first few, as far as
// that can be. It is nothing where the context ended before it was found.
func Undoing(ctx context.Context, p *Problem, keep int) []episode.Action {
	r := newRecovery(ctx, p, Options{})
	d := r.backtracking.history()
	d.Start = keep + 1
	steps, _ := r.subtree.reverse(d, planner.Root(p.State))
	if r.planner.Budget.Interrupted() {
		return nil
	}
	return r.naming.names(steps)
}

// Diagnose finds the part of the plan that an error concerns; nil where every action left
// can be carried out and none has failed.
func Diagnose(ctx context.Context, p *Problem) *Diagnosis {
	r := newRecovery(ctx, p, Options{})
	start := p.now()
	start.State.Run(state.Predicted, planner.Imagined)
	return r.backtracking.diagnose(start)
}

// Branches lists verified plans that the adaptive subtree has for the error window, those of
// fewer units first; none where no action left fails, or the tree has none.
func Branches(ctx context.Context, p *Problem, opt Options, most int) []*Proposal {
	r := newRecovery(ctx, p, opt)
	start, _ := r.begin()
	if r.diagnosis = r.backtracking.diagnose(start); r.diagnosis == nil || r.planner.Budget.Interrupted() {
		return nil
	}
	var out []*Proposal
	tries := 0
	r.subtree.each(r.diagnosis, start, func(steps []planner.Step) bool {
		tries++
		r.notes.uses = nil
		if c := r.accept(steps, Subtree); c != nil {
			next := r.propose(c)
			if !slices.ContainsFunc(out, next.doesMoreThan) {
				out = append(out, next)
			}
		}
		return len(out) < most && tries < maxVerified
	})
	return out
}

// doesMoreThan reports whether a plan has all actions of another in their order, and the same
// or more.
func (p *Proposal) doesMoreThan(other *Proposal) bool {
	n := 0
	for _, a := range p.Plan {
		if n < len(other.Plan) && a == other.Plan[n] {
			n++
		}
	}
	return n == len(other.Plan)
}

// maxVerified bounds how many sequences of the subtree are verified for Branches.
const maxVerified = 24

// recovery tries the methods of recovery for one problem.
type recovery struct {
	planner      *planner.Planner
	problem      *Problem
	options      Options
	backtracking *backtracking
	subtree      *subtree
	verifier     *verifier
	review       *review
	naming       *naming
	notes        *notes
	diagnosis    *Diagnosis
	best         *candidate // that is not verified
	impossible   []string   // reasons for which the goal cannot be reached
	needs        []string   // what would change them
	stale        bool       // the objects that were chosen will not do since more is forbidden
	effort       int
	late         string // why a plan that does is refused, where only its time does not
}

// notes is what a proposal tells of how it was found.
type notes struct {
	uses    []StrategyUse
	persons []string // what a person would have to do
}

// candidate is a plan with how it fares.
type candidate struct {
	steps  []planner.Step
	method Method
	report report
	until  int // index of the first action that must not be done, their number for none
}

// newRecovery makes the collaborators for one problem.
func newRecovery(ctx context.Context, p *Problem, opt Options) *recovery {
	effort := opt.Effort
	if effort <= 0 {
		effort = DefaultEffort
	}
	pl := planner.New(ctx, p.planning(effort, opt.Sample))
	domain, sim := pl.Domain, pl.Simulator
	r := &recovery{planner: pl, problem: p, options: opt, effort: effort, notes: &notes{}}
	r.naming = &naming{domain: domain, inventory: pl.Inventory, now: p.State}
	r.backtracking = &backtracking{problem: p, domain: domain, sim: sim}
	r.subtree = &subtree{problem: p, options: opt, domain: domain, sim: sim, reach: pl.Reach, goal: pl.Goal, budget: pl.Budget,
		regression: pl.Regression, backtracking: r.backtracking}
	r.verifier = &verifier{problem: p, domain: domain, inventory: pl.Inventory, sim: sim, goal: pl.Goal, constraints: pl.Constraints, suspicions: pl.Suspicions, budget: pl.Budget}
	r.review = &review{ctx: ctx, problem: p, sim: sim, regression: pl.Regression, constraints: pl.Constraints, verifier: r.verifier, naming: r.naming, notes: r.notes}
	return r
}

// rounds bounds how often a plan is sought anew because rules say that an action
// of it would be a failure.
const rounds = 4

// recover seeks a plan anew as long as rules forbid more of what was found.
func (r *recovery) recover() *Proposal {
	for whole, all := 0, 0; whole < rounds && all < 3*rounds; all++ {
		r.notes.uses, r.stale = nil, false
		known := r.planner.Constraints.Forbidden()
		if c := r.find(); c != nil {
			return r.propose(c)
		}
		if r.planner.Constraints.Forbidden() == known {
			break
		}
		if !r.stale {
			whole++
		}
	}
	return r.settle()
}

// begin is the present node with what happens by itself, and the goals to plan for.
func (r *recovery) begin() (*planner.Node, []planner.GroundGoal) {
	start := r.problem.now()
	start.State.Run(state.Predicted, planner.Imagined)
	goals := r.planner.Grounder.Ground(start.State)
	r.planner.Goal.PursueFirst(goals)
	return start, goals
}

// find tries the methods in turn. It is nil where none gives a verified plan.
func (r *recovery) find() *candidate {
	start, goals := r.begin()
	if r.planner.Budget.Interrupted() {
		return nil
	}
	if r.impossible = r.proofs(start.State, goals); r.planner.Budget.Interrupted() {
		r.impossible = nil // not all that could help was looked at
	}
	if len(r.impossible) > 0 {
		return nil
	}
	if !r.options.OnlySearch && !r.options.OnlyBestFirst {
		r.diagnosis = r.backtracking.diagnose(start)
		if c := r.nearPlan(start, goals); c != nil || len(r.impossible) > 0 || r.stale {
			return c
		}
	}
	r.allow(1, 1)
	return r.bySearch(start, goals)
}

// provenSince reports whether the goal cannot be reached any more since more is forbidden than
// when the goals were chosen: then there is nothing to search for.
func (r *recovery) provenSince(goals []planner.GroundGoal) bool {
	start, now := r.begin()
	r.impossible = r.proofs(start.State, now)
	r.planner.Goal.PursueFirst(goals)
	return len(r.impossible) > 0
}

// nearPlan tries the methods that keep to the plan as far as they can.
func (r *recovery) nearPlan(start *planner.Node, goals []planner.GroundGoal) *candidate {
	var best *candidate
	known := r.planner.Constraints.Forbidden()
	for i, method := range []func(*planner.Node, []planner.GroundGoal) *candidate{r.goOn, r.insert, r.byStrategy, r.bySubtree, r.byRepair} {
		r.allow(i+2, 8) // what is tried later has its share too
		c := method(start, goals)
		if c != nil && (best == nil || len(c.steps) < len(best.steps)) {
			best = c
		}
		if best != nil && (i < 2 || !r.compares()) {
			return best
		}
		if n := r.planner.Constraints.Forbidden(); n > known && best == nil {
			known = n
			if r.stale = !r.provenSince(goals) && r.blocked(start.State, goals[:min(1, len(goals))]); r.stale || len(r.impossible) > 0 {
				return nil
			}
		}
	}
	return best
}

// compares reports whether the shortest plan is taken rather than the first: of a
// failure that has not shown there is nothing yet that a strategy makes good.
func (r *recovery) compares() bool { return r.problem.Failure != nil && r.problem.Failure.Foreseen }

// allow lets a share of the whole effort be used up.
func (r *recovery) allow(of, all int) { r.planner.Budget.Limit(r.effort * of / all) }

// accept verifies a plan and keeps the best that fails.
func (r *recovery) accept(steps []planner.Step, method Method) *candidate {
	c := &candidate{steps: r.needed(r.planner.Simplifier.WithoutIdle(r.problem.State, steps), method), method: method}
	c.until = len(c.steps)
	c.report = r.verifier.verify(c.steps)
	if c.report.open {
		r.shut(c)
	}
	for _, call := range c.report.wrong {
		r.planner.Constraints.Forbid(call, c.report.violated[len(c.report.violated)-1])
	}
	if c.report.sound() || method == Nearest && c.report.failing == "" {
		r.review.judge(c)
	}
	if r.planner.Budget.Interrupted() && c.report.failing == "" {
		c.report.failing = timeUp // not all of it was looked at
	}
	if c.report.sound() {
		return c
	}
	if c.report.late != "" && c.report.reached && len(c.report.violated) == 1 {
		r.late = c.report.late
	}
	if r.best == nil || c.report.better(&r.best.report) {
		r.best = c
	}
	return nil
}

// needed is a plan of our own without what it does in vain: what is taken up and put to no use, what a
// device does that it does again, and, where the goal holds already, all of it if it comes to nothing.
func (r *recovery) needed(steps []planner.Step, method Method) []planner.Step {
	if len(steps) == 0 || method == Advised || method == RepairedAdvice || r.problem.Trace.Goal.IsEmpty() {
		return steps
	}
	start := r.problem.now()
	start.State.Run(state.Predicted, planner.Imagined)
	if method != GoOn {
		steps = r.planner.Simplifier.WithoutVain(start, steps, r.planner.Goal.Reached)
		if once := r.planner.Simplifier.WithoutRepeats(start, steps); len(once) < len(steps) {
			steps = r.planner.Simplifier.WithoutIdle(r.problem.State, once)
		}
		steps = r.planner.Simplifier.StoppedSoon(start, steps)
	}
	if r.planner.Goal.Reached(start.State) && r.planner.Simplifier.ComesToNothing(start, steps) {
		return nil
	}
	return steps
}

// shut closes at the end of a plan what the plan would leave open.
func (r *recovery) shut(c *candidate) {
	start := r.problem.now()
	start.State.Run(state.Predicted, planner.Imagined)
	end := r.review.after(c.steps)
	if more := r.planner.Completion.CloseAgain(start, end, c.steps); len(more) > 0 {
		steps := append(slices.Clip(c.steps), more...)
		if rep := r.verifier.verify(steps); rep.sound() {
			c.steps, c.until, c.report = steps, len(steps), rep
		}
	}
}

// propose turns a verified candidate into a proposal.
func (r *recovery) propose(c *candidate) *Proposal {
	return &Proposal{Steps: c.report.relying(c.steps), Plan: r.naming.names(c.steps), Verified: true, Method: c.method, Diagnosis: r.diagnosis, Strategies: r.notes.uses,
		Assumptions: c.report.assumptions, Simulated: r.planner.Budget.Spent()}
}

// assess judges the rest of the plan.
func (r *recovery) assess(repair bool) *Proposal {
	start, goals := r.begin()
	steps, method := r.problem.Rest, Advised
	if repair {
		steps, _ = r.planner.Completion.Complete(start, steps, goals)
		method = RepairedAdvice
	}
	if c := r.accept(steps, method); c != nil {
		return r.propose(c)
	}
	steps, rep := r.best.steps, &r.best.report
	out := &Proposal{Steps: rep.relying(steps), Plan: r.naming.names(steps), Method: method, Unmet: rep.unmet, Violated: rep.violated,
		Assumptions: rep.assumptions, Exhausted: r.planner.Budget.Exhausted(), Simulated: r.planner.Budget.Spent()}
	if rep.failing != "" {
		out.Violated, out.Unmet = append([]string{rep.failing}, out.Violated...), nil
	}
	return out
}

// settle proposes as much as can be reached, with the reasons why that is not all.
func (r *recovery) settle() *Proposal {
	p := &Proposal{Diagnosis: r.diagnosis, Strategies: r.notes.uses, Exhausted: r.planner.Budget.Exhausted(), Simulated: r.planner.Budget.Spent()}
	var goals []planner.GroundGoal
	if !r.planner.Budget.Interrupted() {
		goals = r.seekNearest()
	}
	if b := r.best; b != nil {
		p.Steps = b.report.relying(b.steps[:min(b.until, len(b.steps))])
		p.Plan, p.Method = r.naming.names(p.Steps), b.method
		p.Unmet, p.Violated, p.Assumptions = b.report.unmet, b.report.violated, b.report.assumptions
		if b.report.failing != "" {
			p.Violated = append(p.Violated, b.report.failing)
		} else if len(p.Unmet)+len(p.Violated) > 0 {
			p.Method = Nearest
		}
	}
	if f := r.problem.Failure; f != nil {
		r.notes.ask(f.Strategies)
	}
	if len(r.impossible) == 0 && len(p.Violated) == 0 && len(goals) > 0 {
		p.Violated = r.doubts(&goals[0])
	}
	if r.late != "" && !slices.Contains(p.Violated, r.late) {
		p.Violated = append(p.Violated, r.late)
	}
	p.Impossible, p.NeedsPerson = r.impossible, r.notes.persons
	if len(r.impossible) > 0 {
		p.Needs = r.needs
	}
	return p
}

// seekNearest looks for what can be reached where the goal cannot, or not without
// violating a constraint, until nothing more is found to be wrong.
func (r *recovery) seekNearest() []planner.GroundGoal {
	start := r.problem.State.Clone()
	start.Run(state.Predicted, planner.Imagined)
	goals := r.planner.Grounder.Ground(start)
	r.allow(2, 1)
	for range 3 * rounds {
		known := r.planner.Constraints.Forbidden()
		if len(goals) > 0 && (len(r.impossible) > 0 || r.best != nil && len(r.best.report.violated) > 0) {
			r.best = nil
			r.nearest(start, &goals[0])
		}
		if r.planner.Constraints.Forbidden() == known {
			break
		}
	}
	return goals
}

// nearest proposes to reach what can be reached of the goal: by going on with the
// plan, and from the present state.
func (r *recovery) nearest(start *state.State, g *planner.GroundGoal) {
	steps, missed := r.planner.Search.PartByPart(planner.Root(start), g)
	steps = r.planner.Simplifier.WithoutEmptyRuns(steps, append(missed, g.Withheld...))
	r.accept(r.planner.Simplifier.Simplify(planner.Root(start), steps), Nearest)
	if !r.options.OnlySearch {
		followed, missed := r.planner.Completion.Complete(r.problem.now(), fit(g, r.problem.Rest), []planner.GroundGoal{*g})
		r.accept(r.planner.Simplifier.WithoutEmptyRuns(followed, append(missed, g.Withheld...)), Nearest)
	}
}

// fit leaves out of what is left of the plan what it does with things that are not fit for
// a goal.
func fit(g *planner.GroundGoal, rest []planner.Step) []planner.Step {
	return slices.DeleteFunc(slices.Clone(rest), func(st planner.Step) bool {
		return slices.ContainsFunc(g.Unfit, func(u planner.Unfit) bool { return u.Is.Subject == st.Call.Target })
	})
}

// ask notes what a person could do where nothing else helps.
func (n *notes) ask(strategies []GroundedStrategy) {
	for _, s := range strategies {
		if s.AsksHuman && !slices.Contains(n.persons, s.Description) {
			n.persons = append(n.persons, s.Description)
			return
		}
	}
}
