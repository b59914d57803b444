package simulation

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Robot carries out actions one by one in the world of a scenario. What happens to the
// scenario's plan happens to the robot when it carries out the action concerned,
// once, whatever else it does before.
type Robot struct {
	World *World
	onto  *ontology.Ontology
	sc    *Scenario
	goal  ontology.Goal
	noise *sensors
	// Results are those of the actions so far, Did the actions.
	Results   []ActionResult
	Did       []episode.Action
	violating []bool       // by action: it went against a norm
	idle      []bool       // by action: all that it brings about was so
	start     *state.State // the true state before the first action
	disturbed []bool       // by accident of the scenario
	counts    map[string]int
	nth       []int // by action of the plan, how often it came up to then
	lines     int
	// LastDisturbed is the number of the action at which something last happened to the
	// robot, 0 for none.
	LastDisturbed int
}

// NewRobot puts a robot into the world of a scenario.
func NewRobot(o *ontology.Ontology, sc *Scenario, opt Options) (*Robot, error) {
	w, goal, err := sc.build(o)
	if err != nil {
		return nil, fmt.Errorf("scenario %s: %w", sc.ID, err)
	}
	r := &Robot{World: w, onto: o, sc: sc, goal: goal, noise: opt.Noise.with(o, opt.Seed, sc.ID), start: w.s.Clone(), disturbed: make([]bool, len(sc.Disturbances)), counts: map[string]int{}}
	seen := map[string]int{}
	for _, a := range sc.Plan {
		seen[occasion(a)]++
		r.nth = append(r.nth, seen[occasion(a)])
	}
	return r, nil
}

// occasion is by what an action is known again when it is carried out with other
// names of its objects.
func occasion(a episode.Action) string {
	target, _ := episode.SplitName(a.Target)
	destination, _ := episode.SplitName(a.Destination)
	return a.Name + " " + target + " " + destination
}

// Perform carries out an action; the zero action is the first look.
func (r *Robot) Perform(_ context.Context, a episode.Action) (episode.Step, error) {
	st := episode.Step{Index: r.lines, Action: a}
	r.lines++
	if a.Name == "" {
		if st.Index > 0 {
			r.World.pass("")
			r.World.keepTime()
		}
		st.Time = r.World.clock.String()
		st.Observation = r.see(r.World.Camera().Survey())
		return st, nil
	}
	if _, ok := r.onto.Action(a.Name); !ok {
		return st, unknown("action", a.Name, nil)
	}
	r.counts[occasion(a)]++
	out, err := r.do(a)
	if err != nil {
		return st, err
	}
	st.Time = r.World.clock.String()
	r.Results, r.Did = append(r.Results, out), append(r.Did, a)
	r.violating, r.idle = append(r.violating, r.World.violating && out.Done), append(r.idle, r.World.idle)
	st.Observation = r.see(r.World.Camera().Observe())
	st.Sounds = out.Sounds
	if r.noise != nil {
		st.Sounds = r.noise.hear(out.Sounds)
	}
	return st, nil
}

// PerformAs is Perform of one robot of a team.
func (r *Robot) PerformAs(ctx context.Context, agent string, a episode.Action) (episode.Step, error) {
	if err := r.World.as(agent); err != nil {
		return episode.Step{}, err
	}
	st, err := r.Perform(ctx, a)
	st.Agent = agent
	return st, err
}

func (r *Robot) see(obs episode.Observation) episode.Observation {
	if r.noise == nil {
		return obs
	}
	return r.noise.observe(r.World, obs)
}

// do carries out an action with the accidents due. One that cannot come about, as a
// fall of what is not held, does not.
func (r *Robot) do(a episode.Action) (ActionResult, error) {
	var due []Accident
	for i, ev := range r.sc.Disturbances {
		if r.disturbed[i] || ev.Retry > 0 || ev.Step < 1 || ev.Step > len(r.sc.Plan) {
			continue
		}
		planned := r.sc.Plan[ev.Step-1]
		if occasion(planned) != occasion(a) || r.counts[occasion(a)] < r.nth[ev.Step-1] {
			continue
		}
		r.disturbed[i], r.LastDisturbed = true, len(r.Did)+1
		due = append(due, ev.Accident)
	}
	before := r.World.copy()
	out, err := r.World.Do(a, due...)
	var none *UnknownError
	if errors.As(err, &none) {
		return ActionResult{Refused: []state.Violation{{Name: state.Exists, Comment: none.Error(), Culprit: state.Nothing}}}, nil
	}
	if err != nil && len(due) > 0 {
		r.World.restore(before)
		return r.do(a)
	}
	out.Done = out.Done || r.World.last.Schema != nil && len(r.World.last.Schema.Effects) == 0 && len(out.Refused) == 0
	return out, err
}

// Disturbed reports whether all that was to happen to the robot has happened.
func (r *Robot) Disturbed() bool { return !slices.Contains(r.disturbed, false) }

// Reached reports whether the goal holds in the true state.
func (r *Robot) Reached() bool {
	return !r.goal.IsEmpty() && r.World.reached(r.goal, r.World.bound)
}

// Episode is what the robot is told: the task and the plan.
func (r *Robot) Episode() *episode.Episode {
	ep := &episode.Episode{ID: r.sc.ID, Source: r.sc.ID, GripperObserved: true, Task: r.sc.Task, Goal: r.sc.Goal, GoalFacts: r.sc.Goals, Params: r.sc.Params, People: r.sc.People, Crew: r.sc.Agents,
		Plan: slices.Clone(r.sc.Plan), Exact: r.sc.Anywhere, Origins: r.sc.Origins}
	if r.noise != nil {
		ep.Noise = r.noise.highest()
	}
	return ep
}
