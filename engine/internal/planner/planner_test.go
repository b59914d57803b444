package planner_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/planner"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// kitchen is a scene to plan in. The names of a goal are objects, as Mug-1, or classes,
// as Mug, of which some object will do.
type kitchen struct {
	t       *testing.T
	objects *state.Objects
	now     *state.State
	goal    ontology.Goal
	bound   state.Binding
	effort  int
}

func newKitchen(t *testing.T, facts, goal string) *kitchen {
	t.Helper()
	k := &kitchen{t: t, objects: state.NewObjects(ontology.Default()), effort: 2000}
	k.object("Robot-1")
	k.object("RobotGripper-1")
	k.now = state.New(k.objects)
	for f := range strings.SplitSeq(facts, ", ") {
		if p := strings.Fields(f); len(p) == 2 {
			k.now.SetState(k.object(p[0]), k.term(p[1]), state.Observed, 0)
		} else {
			k.now.SetPlace(k.object(p[0]), k.term(p[1]), k.object(p[2]), state.Observed, 0)
		}
	}
	for f := range strings.SplitSeq(goal, ", ") {
		p := strings.Fields(f)
		pattern := ontology.Pattern{Subject: k.variable(p[0]), Predicate: k.objects.Onto.Core.State, Object: ontology.Arg{Var: -1, Term: k.term(p[1])}}
		if len(p) == 3 {
			pattern.Predicate, pattern.Object = k.term(p[1]), k.variable(p[2])
		}
		k.goal.Patterns = append(k.goal.Patterns, pattern)
	}
	return k
}

func (k *kitchen) term(name string) ontology.TermID {
	id, ok := k.objects.Onto.Lookup(name)
	if !ok {
		k.t.Fatal("no term ", name)
	}
	return id
}

func (k *kitchen) object(name string) state.Object {
	class, _ := episode.SplitName(name)
	return k.objects.Add(name, k.term(class))
}

func (k *kitchen) variable(name string) ontology.Arg {
	if i := slices.Index(k.goal.Vars, name); i >= 0 {
		return ontology.Arg{Var: i, Term: ontology.None}
	}
	v := ontology.Arg{Var: len(k.goal.Vars), Term: ontology.None}
	k.goal.Vars, k.bound = append(k.goal.Vars, name), append(k.bound, state.Unbound)
	if class, n := episode.SplitName(name); n > 0 {
		k.bound[v.Var] = state.ObjectRef(k.object(name))
	} else {
		k.goal.Patterns = append(k.goal.Patterns, ontology.Pattern{Subject: v, Predicate: k.objects.Onto.Core.Type, Object: ontology.Arg{Var: -1, Term: k.term(class)}})
	}
	return v
}

func (k *kitchen) reached(s *state.State) bool {
	q := state.Query{State: s, Agent: k.object("Robot-1"), Gripper: k.object("RobotGripper-1")}
	t := q.Truth(k.goal.Patterns, k.bound)
	return t >= state.AssumedTrue
}

// planner plans in the scene, with the goals to plan for.
func (k *kitchen) planner() (*planner.Planner, []planner.GroundGoal) {
	p := planner.New(context.Background(), &planner.Problem{Objects: k.objects, Agent: k.object("Robot-1"), Gripper: k.object("RobotGripper-1"),
		State: k.now, Goal: k.goal, Bound: k.bound, Reached: k.reached, Effort: k.effort})
	return p, p.Grounder.Ground(k.now)
}

// text is a plan in one line.
func (k *kitchen) text(steps []planner.Step) string {
	var out []string
	for i := range steps {
		out = append(out, steps[i].Text(k.objects))
	}
	return strings.Join(out, " ")
}

// executes reports whether every action of a plan can be done in turn, and the goal
// holds then.
func (k *kitchen) executes(p *planner.Planner, steps []planner.Step) bool {
	node := planner.Root(k.now)
	for _, st := range steps {
		if len(p.Simulator.Violations(node.State, st.Call)) > 0 || len(p.Simulator.Far(node, st.Call, st.From)) > 0 {
			return false
		}
		p.Simulator.Perform(node, st.Call)
	}
	return p.Goal.Reached(node.State)
}

const scene = "Mug-1 on_top_of CounterTop-1, Mug-1 clean, Fridge-1 closed, Apple-1 inside Fridge-1, Drawer-1 closed"

func TestPlansExecute(t *testing.T) {
	for _, goal := range []string{
		"Mug-1 inside Fridge-1",
		"Apple-1 on_top_of CounterTop-1",
		"Apple-1 on_top_of CounterTop-1, Fridge-1 closed",
		"Mug-1 inside Fridge-1, Apple-1 on_top_of CounterTop-1, Fridge-1 closed, Drawer-1 open",
		"Mug inside Fridge",
	} {
		k := newKitchen(t, scene, goal)
		p, goals := k.planner()
		node := planner.Root(k.now)
		steps, missed := p.Search.PartByPart(node, &goals[0])
		if len(missed) > 0 || !k.executes(p, steps) {
			t.Errorf("%s: %s misses %v", goal, k.text(steps), missed)
		}
		var best []planner.Step
		if !p.Search.BestFirst(planner.Root(k.now), &goals[0], func(steps []planner.Step) bool {
			best = steps
			return k.executes(p, steps)
		}) {
			t.Errorf("%s: best-first search ends with %s", goal, k.text(best))
		}
		if len(best) > len(steps) {
			t.Errorf("%s: best-first %s, part by part %s", goal, k.text(best), k.text(steps))
		}
	}
}

func TestUnreachable(t *testing.T) {
	k := newKitchen(t, scene, "Mug-1 inside Fridge-1")
	k.now.Remove(k.object("Mug-1"), 0)
	p, goals := k.planner()
	l := goals[0].Literals[0]
	if why := p.Reachability.Why(k.now, l); p.Reachability.Reachable(k.now, l) || why != "Mug-1 is no more, and nothing brings it back" {
		t.Errorf("reachable or without a reason: %q", why)
	}
	k = newKitchen(t, scene, "Mug-1 inside Fridge-1")
	p, goals = k.planner()
	put, _ := k.objects.Onto.Action("put_in")
	p.Constraints.Forbid(p.Domain.Call(put, k.object("Mug-1"), k.object("Fridge-1")), "it would crack")
	if why := p.Reachability.Why(k.now, goals[0].Literals[0]); !strings.Contains(why, "must not be done: it would crack") {
		t.Errorf("forbidden, but the reason is %q", why)
	}
	if steps, missed := p.Search.PartByPart(planner.Root(k.now), &goals[0]); len(missed) == 0 {
		t.Errorf("forbidden, and planned all the same: %s", k.text(steps))
	}
	k = newKitchen(t, "Egg-1 on_top_of CounterTop-1, Pan-1 on_top_of CounterTop-1", "EggCracked-1 inside Pan-1")
	k.objects.SetOrigin(k.object("EggCracked-1"), k.object("Egg-1"))
	k.now.Remove(k.object("EggCracked-1"), 0)
	p, goals = k.planner()
	p.Constraints.Forbid(p.Domain.Call(put, k.object("EggCracked-1"), k.object("Pan-1")), "it is not eaten")
	if why := p.Reachability.Why(k.now, goals[0].Literals[0]); !strings.Contains(why, "must not be done: it is not eaten") {
		t.Errorf("an egg can be cracked, but the reason is %q", why)
	}
}

// Of several objects that will do, the one is chosen with which most of the goal holds.
func TestGroundGoals(t *testing.T) {
	k := newKitchen(t, scene+", Mug-2 inside Fridge-1, Mug-2 dirty", "Mug inside Fridge")
	p, goals := k.planner()
	if got := p.Domain.Text(goals[0].Literals[0]); got != "Mug-2 inside Fridge-1" {
		t.Errorf("chose %s", got)
	}
	k = newKitchen(t, scene, "Mug inside Fridge, Vase on_top_of CounterTop")
	if _, goals = k.planner(); len(goals[0].Absent) != 1 || k.goal.Vars[goals[0].Absent[0]] != "Vase" {
		t.Errorf("absent are %v of %v", goals[0].Absent, k.goal.Vars)
	}
}

// A plan of somebody else is followed; what is unmet in it is achieved, what is so
// already is left out.
func TestComplete(t *testing.T) {
	k := newKitchen(t, scene, "Apple-1 on_top_of CounterTop-1, Fridge-1 closed")
	p, goals := k.planner()
	var plan []planner.Step
	for _, c := range []struct {
		name                string
		target, destination string
	}{{"close_obj", "Drawer-1", ""}, {"pick_up", "Apple-1", ""}, {"put_on", "Apple-1", "CounterTop-1"}} {
		a, _ := k.objects.Onto.Action(c.name)
		destination := state.Nothing
		if c.destination != "" {
			destination = k.object(c.destination)
		}
		plan = append(plan, planner.Step{Call: p.Domain.Call(a, k.object(c.target), destination), From: planner.FromPlan})
	}
	steps, missed := p.Completion.Complete(planner.Root(k.now), plan, goals)
	text := k.text(steps)
	if len(missed) > 0 || !k.executes(p, steps) || strings.Contains(text, "Drawer") || strings.Count(text, "open_obj, Fridge-1") != 1 {
		t.Errorf("%s misses %v", text, missed)
	}
}

func TestBudget(t *testing.T) {
	k := newKitchen(t, scene, "Mug-1 inside Fridge-1")
	k.effort = 1
	p, goals := k.planner()
	p.Search.PartByPart(planner.Root(k.now), &goals[0])
	if !p.Budget.Exhausted() || p.Budget.Spent() > 20 {
		t.Errorf("spent %d of 1, exhausted %v", p.Budget.Spent(), p.Budget.Exhausted())
	}
}

func TestSimplify(t *testing.T) {
	k := newKitchen(t, scene, "Mug-1 inside Fridge-1")
	p, _ := k.planner()
	node := planner.Root(k.now)
	there, _ := p.Regression.Achieve(node, p.Domain.PlacedAt(k.object("Mug-1"), k.object("Drawer-1")), 0)
	back, ok := p.Regression.Achieve(node, p.Domain.PlacedAt(k.object("Mug-1"), k.object("CounterTop-1")), 0)
	shut, done := p.Regression.Achieve(node, p.Domain.InState(k.object("Drawer-1"), k.objects.Onto.Roles.Enclosing), 0)
	if !ok || !done {
		t.Fatal("no detour to leave out")
	}
	if left := p.Simplifier.Simplify(planner.Root(k.now), slices.Concat(there, back, shut)); p.Domain.Acting(left) > 0 {
		t.Errorf("left is %s", k.text(left))
	}
}
