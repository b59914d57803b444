package engine

import (
	"fmt"
	"slices"

	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/expectation"
	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/engine/internal/planner"
	"github.com/mishap-robotics/mishap/engine/internal/projection"
	"github.com/mishap-robotics/mishap/engine/internal/recovery"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/rules"
)

// situation sums up what an adviser needs to know.
func (c *concern) situation(within *call, ours *Proposal) (*Situation, error) {
	const undone = "what an adviser is told was not worked out"
	a := c.ahead(within)
	if a == nil {
		return nil, c.notForeseen(within, undone)
	}
	s := &Situation{Projection: a, Given: c.given, Rest: c.rest(), Finding: c.found, Threat: c.threat, Ours: ours, Experience: c.planner.Experience}
	if e := c.failedEvent(); e != nil {
		s.Failed = c.tracker.Trace().Objects.CallText(e.Call)
	}
	s.Proof = c.proof(a)
	s.Strategies, s.Others = c.strategiesNow(a)
	var problem *recovery.Problem
	if !c.uninterrupted(within, c.isLarge(), func() {
		problem = c.problem(s.Rest, planner.FromPlan)
		s.Constraints, s.Obstacles = constraints(a, problem), obstacles(projection.ProjectWith(c.tracker, s.Rest))
	}) {
		return nil, c.notForeseen(within, undone)
	}
	if ours != nil {
		s.Window = windowOf(a, ours.Diagnosis)
	}
	if s.Window == nil && len(s.Rest) > 0 {
		s.Window = windowOf(a, recovery.Diagnose(within.ctx, problem))
	}
	if err := within.ended(PhaseForesight, c.last, undone); err != nil {
		return nil, err
	}
	return s, c.compare(within, s)
}

// compare adds the scene graphs, and how they differ.
func (c *concern) compare(within *call, s *Situation) error {
	scoring := c.reasoner.complete(Scoring{})
	differ := func(observed, expected *scene.Graph) error {
		d, err := discrepancy.Compare(within.ctx, observed, expected, scoring.Embedder, scoring.Options)
		if err != nil {
			return err
		}
		for _, diff := range d.Differences {
			if !slices.Contains(s.Differences, diff) {
				s.Differences = append(s.Differences, diff)
			}
		}
		return nil
	}
	var err error
	if s.Believed, s.Expected, err = c.scenes(within, scoring); err != nil {
		return err
	}
	if err := differ(s.Believed, s.Expected); err != nil {
		return err
	}
	var believed *scene.Graph
	believed, s.Required = c.required(s.Projection, scoring.Relevant)
	return differ(believed, s.Required)
}

// required are the scene graphs of what is believed, and of what would have to be so for the
// next action to succeed, and for the norms to be kept that what was done, or is left of the
// plan, goes against.
func (c *concern) required(a *Projection, relevant Relevant) (believed, required *scene.Graph) {
	moment := expectation.MomentOf(a, a.Present, relevant)
	believed = moment.Graph(relevant)
	if next := moment.View.Call; next.Schema != nil {
		var exempt []string
		if a.Task != nil {
			exempt = a.Task.Exempt
		}
		moment.State, _ = expectation.Required(moment.State, next, exempt)
	}
	for i := range a.Events {
		if e := &a.Events[i]; len(e.Violated) > 0 && e.Outcome < belief.Refused {
			moment.State = expectation.Kept(moment.State, e.Call, e.Violated)
		}
	}
	return expectation.Common(c.reasoner.Ontology, believed, moment.Graph(relevant))
}

// about is the failure class that is asked about with its strategies and evidence, "" for
// none.
func (c *concern) about() (class string, strategies []GroundedStrategy, evidence []string) {
	switch {
	case c.found != nil:
		return c.found.Type, c.found.Strategies, c.found.Evidence
	case c.threat != nil:
		return c.threat.Type, c.threat.Strategies, c.threat.Evidence
	}
	return "", nil, nil
}

// proof words the evidence.
func (c *concern) proof(a *Projection) []string {
	_, _, evidence := c.about()
	var out []string
	for _, text := range evidence {
		goals, err := rules.ParseGoal(text)
		if err != nil || len(goals) != 1 {
			out = append(out, text)
			continue
		}
		if words := fact.InWords(goals[0], a.Trace); words != "" && !slices.Contains(out, words) {
			out = append(out, words)
		}
	}
	return out
}

// strategiesNow are the strategies that apply, on objects that there are, and the others of
// the class.
func (c *concern) strategiesNow(a *Projection) (apply, others []GroundedStrategy) {
	class, list, _ := c.about()
	onto := c.reasoner.Ontology
	for _, s := range list {
		s.Actions = groundedNow(a, s.Actions)
		apply = append(apply, s)
	}
	slices.SortStableFunc(apply, func(x, y GroundedStrategy) int {
		return c.planner.Experience.compare(class, x.Name, y.Name)
	})
	id, known := onto.Lookup(class)
	if !known {
		return apply, nil
	}
	for _, st := range onto.StrategiesFor(id) {
		if !slices.ContainsFunc(apply, func(s GroundedStrategy) bool { return s.Name == st.Name }) {
			others = append(others, GroundedStrategy{Name: st.Name, Description: onto.Terms[st.Term].Comment, AsksHuman: st.AsksHuman})
		}
	}
	return apply, others
}

// groundedNow are actions on the objects that there are; none where one of them is on
// something that there is not, and that no action before it makes.
func groundedNow(a *Projection, actions []string) []string {
	now := a.Present.Clone()
	at := *a
	at.Present = now
	var out []string
	for _, text := range actions {
		c, ok := callOf(&at, text)
		if !ok {
			return nil
		}
		for _, x := range []Object{c.Target, c.Destination} {
			if x != state.Nothing && now.Gone(x) {
				return nil
			}
		}
		out = append(out, a.Objects.CallText(c))
		now.Apply(c, state.Predicted, planner.Imagined)
	}
	return out
}

// windowOf is a diagnosis with the actions that it numbers.
func windowOf(a *Projection, d *recovery.Diagnosis) *ErrorWindow {
	if d == nil {
		return nil
	}
	text := func(i int) string {
		if c, ok := d.Action(i); ok {
			return a.Objects.CallText(c)
		}
		return ""
	}
	w := &ErrorWindow{Kind: string(d.Kind), Fails: text(d.Err), Lacks: d.Unmet}
	if d.Undone() {
		w.Source = text(d.Source)
	}
	for i := d.Start; i <= d.End; i++ {
		w.Plan = append(w.Plan, text(i))
	}
	return w
}

// constraints are what every plan has to keep: what the goal names, what must not be so of
// what it is reached with, and what the failure left that must not stay.
func constraints(a *Projection, p *recovery.Problem) []string {
	var out []string
	add := func(text string) {
		if text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	add("nothing is left on that need not be, and nothing left open that was shut and is to be kept so")
	for _, v := range a.Bound {
		if x := v.Object(); v != state.Unbound && x != state.Nothing {
			add("the goal names " + a.Objects.Name(x) + ", and no other will do in its place")
		}
	}
	var exempt []string
	if a.Task != nil {
		exempt = a.Task.Exempt
	}
	for _, n := range a.Objects.Onto.GoalNorms {
		if !slices.Contains(exempt, n.Name) {
			add(n.Comment)
		}
	}
	for _, c := range a.Objects.Onto.Contacts {
		add(c.Comment)
	}
	if p.Failure != nil {
		for _, u := range p.Failure.Undo {
			add(u.Text(a.Objects) + " must not stay so: " + p.Failure.Explanation)
		}
	}
	return out
}

// obstacles are what keeps the actions left of the plan from being carried out, one after
// the other, and what in them goes against a norm.
func obstacles(a *Projection) []string {
	var out []string
	for i := a.Happened; i < len(a.Events); i++ {
		e := &a.Events[i]
		note := func(why string) {
			if text := fmt.Sprintf("%s: %s", a.Objects.CallText(e.Call), why); why != "" && !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
		for _, u := range e.Unmet {
			note(u.Comment)
		}
		for _, v := range e.Violated {
			note(v.Comment)
		}
	}
	return out
}
