package simulation

import (
	"fmt"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Scenario is a task in a kitchen with a scene, a plan, what happens to the robot
// and what is to be found.
type Scenario struct {
	ID     string
	Suite  string
	Task   string // name or label; may be "" where Goals say what is wanted
	Goal   string
	Goals  []episode.Fact // in place of the task's goal
	Params map[string]string
	People []episode.Person
	// Agents are the robots, where there are several: the first acts where nobody is named.
	Agents []episode.Agent
	Scene  []episode.Fact
	// Latent are states and relations that hold, and that no look shows until an
	// action on their object is refused or the robot looks at it from close by.
	Latent []episode.Fact
	// Objects are further things in the kitchen that nothing else names.
	Objects      []string
	Plan         []episode.Action
	Disturbances []Disturbance
	Expect       []Truth // of the plan or scene, and of the accidents
	// Anywhere lets the robot reach and see everything wherever it stands, as in
	// logs that leave out where it moves.
	Anywhere bool
	// Origins tells which object a piece is to be cut from, by names, where the
	// plan names several pieces.
	Origins map[string]string
	// Again lets the robot try again after an accident: it picks up what fell, or
	// repeats what failed, and goes on with the plan.
	Again bool
}

// Disturbance is an accident at a step of the plan.
type Disturbance struct {
	Accident
	Step int // 1-based index in the plan
	// Retry is set where it happens during the attempt to recover from an accident of
	// that step rather than the step itself: the number of the attempt's action.
	Retry int
}

// Truth is what really went wrong.
type Truth struct {
	Class   string   `json:"class"`
	Classes []string `json:"classes,omitempty"`      // that are right too, where there is no one class
	Step    int      `json:"step,omitempty"`         // of the log, where it first can show; 0 where not stated
	Cause   int      `json:"cause_step,omitempty"`   // of the log; 0 where not stated
	Window  []int    `json:"cause_window,omitempty"` // first and last step between which the cause lies
	Objects []string `json:"objects,omitempty"`
}

// Options say how a scenario is run.
type Options struct {
	Noise Noise
	Seed  uint64
}

// SimulatedEpisode is a scenario that was run.
type SimulatedEpisode struct {
	Episode *episode.Episode
	Truth   []Truth
	Results []ActionResult // by step of the log, from 1
	Calls   []state.Call   // by step of the log, from 1
	Before  []*state.State // by step of the log, from 1: the true state before it
	Reached bool           // the goal, in the true state at the end
	World   *World
	Steps   []int // by action of the plan, the step of the log at which it is done
}

// Refused lists the steps whose action was refused.
func (r *SimulatedEpisode) Refused() []int {
	var out []int
	for i := range r.Results {
		if len(r.Results[i].Refused) > 0 {
			out = append(out, i+1)
		}
	}
	return out
}

// finalLooks is how often a robot whose sensors err looks again at the end.
const finalLooks = 2

// build makes the world of a scenario, with its goal.
func (sc *Scenario) build(o *ontology.Ontology) (*World, ontology.Goal, error) {
	names := slices.Clone(sc.Objects)
	for _, a := range sc.Plan {
		for _, n := range []string{a.Target, a.Destination} {
			if n != "" {
				names = append(names, n)
			}
		}
	}
	for _, ev := range sc.Disturbances {
		if ev.Object != "" {
			names = append(names, ev.Object)
		}
		for _, f := range ev.Facts {
			names = append(names, f.Subject)
			if y := thing(o, f); y != "" {
				names = append(names, y)
			}
		}
	}
	var usual []ontology.Pattern
	var goal ontology.Goal
	var exempt []string
	if sc.Task != "" {
		task, ok := o.Task(sc.Task)
		if !ok && len(sc.Goals) == 0 {
			return nil, goal, unknown("task", sc.Task, taskNames(o))
		}
		if ok {
			of := func(param string) ontology.TermID { return classOf(o, sc.Params[param]) }
			usual, goal, exempt = ontology.Fill(task.Usual, of), task.Goal, task.Exempt
			goal.Patterns = ontology.Fill(goal.Patterns, of)
			for _, p := range append(slices.Clone(goal.Patterns), usual...) {
				for _, t := range []ontology.TermID{p.Subject.Term, p.Object.Term} {
					if o.IsA(t, o.Core.PhysicalObject) && !o.IsA(t, o.Core.RobotGripper) {
						names = append(names, o.Name(t))
					}
				}
			}
		}
	}
	w, err := New(o, names, usual, slices.Concat(sc.Scene, sc.Latent))
	if err != nil {
		return nil, goal, err
	}
	if err := w.conceal(sc.Latent); err != nil {
		return nil, goal, err
	}
	w.anywhere, w.origins, w.exempt = sc.Anywhere, sc.Origins, exempt
	if err := w.enlist(sc.Agents); err != nil {
		return nil, ontology.Goal{}, err
	}
	w.bound = state.NewBinding(len(goal.Vars))
	if len(sc.Goals) > 0 {
		goal, w.bound = w.goalOf(sc.Goals)
	}
	if len(goal.First) > 0 {
		w.s.Objects.Stages = &state.Stages{Parts: goal.First, Bound: w.bound, Agent: w.robot, Gripper: w.gripper}
		w.s.Advance()
	}
	w.clock.goal = &goal
	w.keepTime()
	return w, goal, nil
}

// goalOf makes a goal of facts: a class name means some object of the class, the
// same one throughout, an instance that one.
func (w *World) goalOf(facts []episode.Fact) (ontology.Goal, state.Binding) {
	var g ontology.Goal
	var bound state.Binding
	core := &w.onto.Core
	term := func(t ontology.TermID) ontology.Arg { return ontology.Arg{Var: -1, Term: t} }
	arg := func(name string) ontology.Arg {
		i := slices.Index(g.Vars, name)
		if i < 0 {
			i = len(g.Vars)
			g.Vars, bound = append(g.Vars, name), append(bound, state.Unbound)
			if _, n := episode.SplitName(name); n > 0 {
				bound[i] = state.ObjectRef(w.resolve(name))
			} else {
				g.Patterns = append(g.Patterns, ontology.Pattern{Subject: ontology.Arg{Var: i, Term: ontology.None}, Predicate: core.Type, Object: term(classOf(w.onto, name))})
			}
		}
		return ontology.Arg{Var: i, Term: ontology.None}
	}
	for _, f := range facts {
		p := ontology.Pattern{Subject: arg(f.Subject), Predicate: core.State}
		if f.Object == "" {
			p.Object = term(w.onto.ByLabel(f.Relation, core.StateClass)[0])
		} else {
			p.Predicate, p.Object = w.onto.ByLabel(f.Relation, core.Relation)[0], arg(f.Object)
		}
		g.Patterns = append(g.Patterns, p)
	}
	return g, bound
}

func taskNames(o *ontology.Ontology) []string {
	var out []string
	for _, t := range o.Tasks {
		out = append(out, o.Terms[t.Term].Label())
	}
	return out
}

// Simulate runs a scenario. The log has one line for each action, with what the
// camera saw and the microphone heard after it; the robot carries its plan out
// to the end, whether or not an action was refused.
func Simulate(o *ontology.Ontology, sc *Scenario, opt Options) (*SimulatedEpisode, error) {
	for _, f := range sc.Goals {
		if err := knownRelation(o, f); err != nil {
			return nil, fmt.Errorf("scenario %s: %w", sc.ID, err)
		}
	}
	w, goal, err := sc.build(o)
	if err != nil {
		return nil, fmt.Errorf("scenario %s: %w", sc.ID, err)
	}
	for _, ev := range sc.Disturbances {
		if ev.Step < 1 || ev.Step > len(sc.Plan) {
			return nil, fmt.Errorf("scenario %s: an accident at step %d; expected a step from 1 to %d, the length of the plan", sc.ID, ev.Step, len(sc.Plan))
		}
	}
	r := &SimulatedEpisode{World: w, Truth: slices.Clone(sc.Expect), Episode: &episode.Episode{GripperObserved: true,
		ID: sc.ID, Source: sc.ID, Task: sc.Task, Goal: sc.Goal, GoalFacts: sc.Goals, Params: sc.Params, People: sc.People, Crew: sc.Agents, Plan: sc.Plan, Exact: sc.Anywhere, Origins: sc.Origins}}
	sim := &simulation{run: r, world: w, noise: opt.Noise.with(o, opt.Seed, sc.ID), reached: map[[2]int]bool{}}
	sim.log(episode.Action{}, ActionResult{}, w.Camera().Survey())
	for i, a := range sc.Plan {
		if err := sim.action(a, sc.at(i+1, 0)); err != nil {
			return nil, fmt.Errorf("scenario %s, step %d %s: %w", sc.ID, i+1, a, err)
		}
		r.Steps = append(r.Steps, len(r.Results))
		if sc.Again {
			if err := sim.again(sc, i); err != nil {
				return nil, fmt.Errorf("scenario %s, step %d %s: %w", sc.ID, i+1, a, err)
			}
		}
	}
	for _, ev := range sc.Disturbances {
		if ev.Retry > 0 && !sim.reached[[2]int{ev.Step, ev.Retry}] {
			return nil, fmt.Errorf("scenario %s: the robot makes no attempt with %d actions at step %d, so that no accident can befall the last of them", sc.ID, ev.Retry, ev.Step)
		}
	}
	for range finalLooks {
		for _, look := range lookAround(w.onto) {
			if sim.noise != nil {
				w.pass(look.Name)
				w.keepTime()
				sim.log(look, ActionResult{}, w.Camera().Observe())
			}
		}
	}
	r.Reached = !goal.IsEmpty() && w.reached(goal, w.bound)
	if opt.Noise != (Noise{}) {
		r.Episode.Noise = opt.Noise.highest()
	}
	return r, nil
}

// at lists the accidents of a step, or of an action of the attempt to recover
// from it.
func (sc *Scenario) at(step, retry int) []Accident {
	var out []Accident
	for _, ev := range sc.Disturbances {
		if ev.Step == step && ev.Retry == retry {
			out = append(out, ev.Accident)
		}
	}
	return out
}

type simulation struct {
	run   *SimulatedEpisode
	world *World
	noise *sensors
	// reached are the attempts to recover that were made, by step and number.
	reached map[[2]int]bool
}

func (sim *simulation) action(a episode.Action, accidents []Accident) error {
	sim.run.Before = append(sim.run.Before, sim.world.s.Clone())
	out, err := sim.world.Do(a, accidents...)
	if err != nil {
		return err
	}
	out.Done = out.Done || len(sim.world.last.Schema.Effects) == 0 && len(out.Refused) == 0
	sim.run.Results = append(sim.run.Results, out)
	sim.run.Calls = append(sim.run.Calls, sim.world.last)
	sim.log(a, out, sim.world.Camera().Observe())
	return nil
}

// maxRetries bounds the actions of one attempt to recover.
const maxRetries = 20

// again tries once more what an accident undid, and what goes wrong while it
// does.
func (sim *simulation) again(sc *Scenario, i int) error {
	todo := sim.remedy(sc.Plan[i])
	for n := 1; len(todo) > 0 && n <= maxRetries; n++ {
		a := todo[0]
		sim.reached[[2]int{i + 1, n}] = true
		if err := sim.action(a, sc.at(i+1, n)); err != nil {
			return err
		}
		todo = append(sim.remedy(a), todo[1:]...)
	}
	return nil
}

// remedy lists what the robot does about an action that went wrong: what fell
// unbroken is picked up and brought to where it was going, and what had no
// effect is repeated.
func (sim *simulation) remedy(a episode.Action) []episode.Action {
	w := sim.world
	last := sim.run.Results[len(sim.run.Results)-1]
	switch {
	case len(last.Dropped) > 0:
		x, _ := w.objects.Lookup(last.Dropped[0])
		roles := &w.onto.Roles
		if roles.Take == nil || w.s.Is(x, roles.Broken) {
			return nil
		}
		todo := append(moveTo(w.onto, last.Dropped[0]), episode.Action{Name: roles.Take.Name, Target: last.Dropped[0]})
		if a.Destination != "" {
			todo = append(todo, moveTo(w.onto, a.Destination)...)
		}
		if schema, ok := w.onto.Action(a.Name); ok && schema != roles.Take && (!last.Done || w.onto.IsNavigation(schema)) {
			todo = append(todo, a)
		}
		return todo
	case !last.Done && len(last.Refused) == 0:
		// It looks first: lines that repeat an action are one action.
		return append(lookAround(w.onto), a)
	}
	return nil
}

// lookAround is what only looks: nothing where no action does.
func lookAround(o *ontology.Ontology) []episode.Action {
	if look := o.Roles.Look; look != nil {
		return []episode.Action{{Name: look.Name}}
	}
	return nil
}

// moveTo is what brings the robot to an object: nothing where no action does.
func moveTo(o *ontology.Ontology, target string) []episode.Action {
	if move := o.Roles.Move; move != nil {
		return []episode.Action{{Name: move.Name, Target: target}}
	}
	return nil
}

// log appends a line to the episode.
func (sim *simulation) log(a episode.Action, out ActionResult, obs episode.Observation) {
	ep := sim.run.Episode
	n := len(ep.Steps)
	sounds := out.Sounds
	if sim.noise != nil {
		obs, sounds = sim.noise.observe(sim.world, obs), sim.noise.hear(sounds)
	}
	ep.Steps = append(ep.Steps, episode.Step{Index: n, Time: sim.world.clock.String(), Action: a, Sounds: sounds, Observation: obs})
}

// FromOntology makes a scenario of one that simulation documents hold.
func FromOntology(o *ontology.Ontology, s *ontology.Scenario) (*Scenario, error) {
	sc := &Scenario{ID: s.Name, Suite: s.Suite, Task: o.Name(s.Task)}
	if s.Task != ontology.None {
		sc.Goal = o.Terms[s.Task].Comment
	}
	for _, text := range s.Scene {
		f, err := episode.ParseFact(text)
		if err != nil {
			return nil, fmt.Errorf("%s: scenario %s: %w", s.Pos, s.Name, err)
		}
		sc.Scene = append(sc.Scene, f)
	}
	for _, text := range s.Latent {
		f, err := episode.ParseFact(text)
		if err != nil {
			return nil, fmt.Errorf("%s: scenario %s: %w", s.Pos, s.Name, err)
		}
		sc.Latent = append(sc.Latent, f)
	}
	for _, text := range s.Plan {
		a, err := episode.ParseAction(o, text)
		if err != nil {
			return nil, fmt.Errorf("%s: scenario %s: %w", s.Pos, s.Name, err)
		}
		sc.Plan = append(sc.Plan, a)
	}
	for _, e := range s.Expects {
		sc.Expect = append(sc.Expect, Truth{Class: o.Name(e.Failure), Step: e.Step, Cause: e.Cause, Window: e.Window})
	}
	return sc, nil
}

// ScenarioOf is the built-in scenario of a task: the first that expects no failure,
// else the first.
func ScenarioOf(o *ontology.Ontology, task *ontology.Task) (*ontology.Scenario, bool) {
	var first *ontology.Scenario
	for _, s := range o.Scenarios {
		if s.Task != task.Term {
			continue
		}
		if len(s.Expects) == 0 {
			return s, true
		}
		if first == nil {
			first = s
		}
	}
	return first, first != nil
}

// Validate reports what of a scenario the ontology does not know, or what cannot
// be in the scene.
func (sc *Scenario) Validate(o *ontology.Ontology) error {
	for _, p := range sc.People {
		for _, d := range p.Diets {
			if len(o.ByLabel(d, o.Core.Human)) == 0 {
				return unknown("diet", d, o.Labels(o.Core.Human))
			}
		}
	}
	var classes []string
	for _, p := range sc.People {
		classes = append(classes, p.Dislikes...)
	}
	for _, class := range sc.Params {
		classes = append(classes, class)
	}
	for _, f := range sc.Goals {
		classes = append(classes, f.Subject)
		if f.Object != "" {
			classes = append(classes, f.Object)
		}
		if err := knownRelation(o, f); err != nil {
			return err
		}
	}
	for _, ev := range sc.Disturbances {
		if ev.Onto != "" {
			classes = append(classes, ev.Onto)
		}
		for _, f := range ev.Facts {
			if err := knownRelation(o, f); err != nil {
				return err
			}
		}
	}
	for _, name := range classes {
		if class, _ := episode.SplitName(name); classOf(o, class) == ontology.None {
			return unknownClass(o, class)
		}
	}
	_, _, err := sc.build(o)
	return err
}

// knownRelation reports a state or relation of a fact that the ontology does not
// have.
func knownRelation(o *ontology.Ontology, f episode.Fact) error {
	kind, class := "relation", o.Core.Relation
	if f.Object == "" {
		kind, class = "state", o.Core.StateClass
	}
	if f.Object != "" && o.QuantityNamed(f.Relation) != nil {
		return nil
	}
	if len(o.ByLabel(f.Relation, class)) == 0 {
		return unknown(kind, f.Relation, o.Labels(class))
	}
	return nil
}

// UnknownScenario is the error for a scenario that there is none of.
func UnknownScenario(o *ontology.Ontology, name string) error {
	var known []string
	for _, s := range o.Scenarios {
		known = append(known, s.Name)
	}
	return unknown("scenario", name, known)
}

// UnknownTask is the error for a task that there is none of.
func UnknownTask(o *ontology.Ontology, name string) error { return unknown("task", name, taskNames(o)) }

// UnknownFailure is the error for a failure class that there is none of.
func UnknownFailure(o *ontology.Ontology, name string) error {
	var known []string
	for _, c := range o.Subclasses(o.Core.Failure) {
		known = append(known, o.Name(c))
	}
	return unknown("failure class", name, known)
}
