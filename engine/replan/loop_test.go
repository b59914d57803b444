package replan_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/replan"
	"github.com/mishap-robotics/mishap/engine/simulation"
)

// parts are all the parts of a loop, as a test says.
type parts struct {
	plan     func(r *replan.PlanRequest) ([]replan.Subtask, error)
	answer   func(q replan.Query, sample int) string
	prevents func(question string) []replan.Reason
	rewards  func() string
	run      func(s replan.Subtask, terms []replan.RewardTerm) bool
	goal     func() bool
	next     func(looked []string) (string, []replan.Subtask)
	asked    []string
}

func (p *parts) Plan(_ context.Context, r *replan.PlanRequest) ([]replan.Subtask, error) {
	return p.plan(r)
}
func (p *parts) Scene(context.Context) (replan.Scene, error) { return aKitchen, nil }
func (p *parts) Answer(_ context.Context, q replan.Query, sample int) (string, error) {
	return p.answer(q, sample), nil
}
func (p *parts) Prevents(_ context.Context, _ replan.Subtask, question string) ([]replan.Reason, error) {
	p.asked = append(p.asked, question)
	if p.prevents == nil {
		return nil, nil
	}
	return p.prevents(question), nil
}
func (p *parts) Motion(context.Context, replan.Subtask, replan.Scene) ([]replan.MotionStep, error) {
	return []replan.MotionStep{{Text: "the palm moves to the apple", Objects: []string{"RobotGripper-1", "Apple-1"}}}, nil
}
func (p *parts) Rewards(context.Context, replan.Subtask, []replan.MotionStep, replan.Scene) (string, error) {
	if p.rewards != nil {
		return p.rewards(), nil
	}
	return `minimize_l2_distance_reward("palm", "apple")`, nil
}
func (p *parts) Run(_ context.Context, s replan.Subtask, terms []replan.RewardTerm) (replan.ControlOutcome, error) {
	return replan.ControlOutcome{Done: p.run == nil || p.run(s, terms), Measure: ruler{distance: 0.25}}, nil
}
func (p *parts) Done(context.Context, replan.Subtask) (bool, string, error) { return true, "", nil }
func (p *parts) Goal(context.Context) (bool, []string, error) {
	return p.goal != nil && p.goal(), []string{"the apple is held"}, nil
}
func (p *parts) Next(_ context.Context, _ string, looked []string) (string, []replan.Subtask, error) {
	place, steps := p.next(looked)
	return place, steps, nil
}

func (p *parts) loop() *replan.HierarchicalLoop {
	l := &replan.HierarchicalLoop{Planner: p, Perceiver: p, LowLevel: p, Verifier: p, Controller: p, MaxPlans: 4}
	if p.next != nil {
		l.Explorer = p
	}
	return l
}

func do(texts ...string) []replan.Subtask {
	var out []replan.Subtask
	for _, t := range texts {
		out = append(out, replan.Subtask{Text: t})
	}
	return out
}

func run(t *testing.T, p *parts) *replan.HierarchicalRun {
	t.Helper()
	c, err := p.loop().Run(context.Background(), replan.Intent{Text: "take the apple"})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAtMostPPlans(t *testing.T) {
	asked := 0
	p := &parts{plan: func(*replan.PlanRequest) ([]replan.Subtask, error) {
		asked++
		return do(fmt.Sprint("try ", asked)), nil
	}}
	c := run(t, p)
	if c.Ending != engine.Hopeless || asked != 4 || len(c.Plans) != 4 || c.Reason == "" || len(c.Missing) != 1 {
		t.Errorf("%s (%s) after %d plans; want hopeless after 4", c.Ending, c.Reason, asked)
	}
	for _, a := range c.Plans {
		if a.Failure == nil || a.Failure.At != 1 || !strings.Contains(a.Failure.Detail, "the apple is held") {
			t.Errorf("plan %d: %+v; want that the goal was not reached", a.Number, a.Failure)
		}
	}
}

func TestFailedPlanIsNotMadeAgain(t *testing.T) {
	held := false
	p := &parts{
		plan: func(r *replan.PlanRequest) ([]replan.Subtask, error) {
			if r.Plan < 3 {
				return do("Take the apple."), nil
			}
			if len(r.Failures) != 2 || len(r.Avoid) != 2 || r.Failures[0].Reasons[0].Object != "Bar-1" || !strings.Contains(r.Failures[1].Detail, "plan 1 again") {
				t.Errorf("failures %+v; want the bar, then a plan refused", r.Failures)
			}
			return do("take the bar away", "take the apple"), nil
		},
		prevents: func(string) []replan.Reason { return []replan.Reason{{Object: "bar"}, {Object: "robot"}} },
	}
	moved := false
	p.run = func(s replan.Subtask, _ []replan.RewardTerm) bool {
		moved = moved || strings.Contains(s.Text, "bar")
		held = moved && !strings.Contains(s.Text, "bar")
		return moved
	}
	p.goal = func() bool { return held }
	c := run(t, p)
	if c.Ending != engine.Completed || len(c.Plans) != 3 || c.Plans[1].Refused == "" || len(c.Plans[1].Steps) != 0 {
		t.Errorf("%s", describe(c))
	}
	f := c.Plans[0].Failure
	if len(p.asked) != len(replan.Paraphrases()) || len(f.Reasons) != 1 || f.Reasons[0].Votes != 6 || len(f.Dropped) != 1 {
		t.Errorf("asked %d times, reasons %+v, dropped %+v; want the bar kept and the robot dropped", len(p.asked), f.Reasons, f.Dropped)
	}
}

func TestNoCause(t *testing.T) {
	tries := 0
	p := &parts{
		plan: func(r *replan.PlanRequest) ([]replan.Subtask, error) {
			if r.Plan == 2 && (len(r.Failures) != 1 || r.Failures[0].Reasons != nil || r.Failures[0].At != 0) {
				t.Errorf("failures %+v; want one without a reason", r.Failures)
			}
			return do(fmt.Sprint("try ", r.Plan)), nil
		},
		run: func(replan.Subtask, []replan.RewardTerm) bool { tries++; return tries > 1 },
	}
	p.goal = func() bool { return tries > 1 }
	if c := run(t, p); c.Ending != engine.Completed || len(c.Plans) != 2 || *c.Plans[1].Steps[0].Cost != 0.25 {
		t.Errorf("%s", describe(c))
	}
}

func TestAsking(t *testing.T) {
	samples := 0
	ask := []replan.Query{{Kind: "place", Object: "apple", Text: "Where is the apple?"}, {Kind: replan.Presence, Object: "apple"},
		{Kind: replan.Attribute, Object: "cabinet", Attribute: "open", Expect: "yes"}}
	p := &parts{
		plan: func(r *replan.PlanRequest) ([]replan.Subtask, error) {
			if r.Plan > 1 {
				return nil, fmt.Errorf("%w: that was all", replan.ErrNoPlan)
			}
			return []replan.Subtask{{Ask: ask[:2]}, {Ask: ask[1:]}, {Ask: append(ask[1:], ask[1])}, {Text: "take it"}}, nil
		},
		answer: func(q replan.Query, sample int) string {
			samples++
			if q.Kind == replan.Presence {
				return []string{"yes", "no", "Yes."}[sample]
			}
			return "no"
		},
	}
	c := run(t, p)
	st := c.Plans[0].Steps
	if c.Ending != engine.Stopped || !strings.Contains(c.Reason, "that was all") || len(st) != 2 || samples != 9 {
		t.Fatalf("%d answers\n%s", samples, describe(c))
	}
	if len(st[0].Refused) != 1 || st[0].Answers[0].Answer != "yes" || st[1].Result != replan.Failed || len(p.asked) != 0 {
		t.Errorf("%s", describe(c))
	}
	ask[2].Expect = ""
	p.goal = func() bool { return len(c.Plans) > 0 && samples > 9 }
	if c = run(t, p); c.Ending != engine.Completed || len(c.Plans[0].Steps[2].Refused) != 1 || len(c.Plans[0].Steps[2].Answers) != 2 {
		t.Errorf("%s", describe(c))
	}
}

func TestExploring(t *testing.T) {
	opened := ""
	places := []string{"Cabinet-1", "Fridge-1", "Drawer-1"}
	tests := []struct {
		name, where string
		ending      engine.Ending
		looked      int
	}{
		{"in the second place", "Fridge-1", engine.Completed, 2},
		{"it is there", "", engine.Completed, 0},
		{"nowhere", "none", engine.Hopeless, 3},
	}
	for _, tt := range tests {
		opened = ""
		p := &parts{
			plan: func(r *replan.PlanRequest) ([]replan.Subtask, error) {
				return append(do(fmt.Sprint("wait ", r.Plan)), replan.Subtask{Explore: "Apple-1"}), nil
			},
			answer: func(replan.Query, int) string {
				if opened == tt.where {
					return "yes"
				}
				return "no"
			},
			next: func(looked []string) (string, []replan.Subtask) {
				if len(looked) == len(places) {
					return "", nil
				}
				return places[len(looked)], do("open "+places[len(looked)], "step back")
			},
			run: func(s replan.Subtask, _ []replan.RewardTerm) bool {
				if place, ok := strings.CutPrefix(s.Text, "open "); ok {
					opened = place
				}
				return true
			},
		}
		waited := false
		p.goal = func() bool { waited = !waited; return !waited && opened == tt.where }
		c := run(t, p)
		st := c.Plans[0].Steps[1]
		if c.Ending != tt.ending || len(st.Looked) != tt.looked || len(st.Steps) != 2*tt.looked {
			t.Errorf("%s: %s", tt.name, describe(c))
		}
	}
}

func TestTermsAreDropped(t *testing.T) {
	p := &parts{
		plan: func(r *replan.PlanRequest) ([]replan.Subtask, error) { return do(fmt.Sprint("try ", r.Plan)), nil },
		rewards: func() string {
			return "minimize_l2_distance_reward(\"palm\", \"apple\")\nset_obj_z_position_reward(\"Mug-1\", z=1)\nfly()"
		},
		run: func(_ replan.Subtask, terms []replan.RewardTerm) bool {
			if len(terms) != 1 || !terms[0].Primary {
				t.Errorf("terms %v; want one, primary", terms)
			}
			return true
		},
	}
	if c := run(t, p); len(c.Plans[0].Steps[0].Dropped) != 2 {
		t.Errorf("%s", describe(c))
	}
	p.rewards = func() string { return `set_obj_z_position_reward("Mug-1", z=1)` }
	p.run = func(replan.Subtask, []replan.RewardTerm) bool { t.Error("run without terms"); return true }
	if c := run(t, p); !strings.Contains(c.Plans[0].Failure.Detail, "no reward term serves the motion") {
		t.Errorf("%s", describe(c))
	}
}

func TestRunEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	p := &parts{plan: func(*replan.PlanRequest) ([]replan.Subtask, error) { return do("a", "b"), nil }}
	p.run = func(replan.Subtask, []replan.RewardTerm) bool { cancel(); return true }
	c, err := p.loop().Run(ctx, replan.Intent{})
	if !errors.Is(err, context.Canceled) || c.Ending != engine.Unfinished || len(c.Plans[0].Steps) != 1 {
		t.Errorf("%v, %s; want it unfinished after one subtask", err, c.Ending)
	}
	p.plan = func(*replan.PlanRequest) ([]replan.Subtask, error) { return nil, errors.New("no connection") }
	if c, err := p.loop().Run(context.Background(), replan.Intent{}); err == nil || !strings.Contains(c.Reason, "no connection") {
		t.Errorf("%v, %s; want the planner's error", err, c.Reason)
	}
	p.plan = func(*replan.PlanRequest) ([]replan.Subtask, error) { return do(make([]string, 100)...), nil }
	if c := run(t, p); !strings.Contains(c.Plans[0].Refused, "at most 60") {
		t.Errorf("%q; want a plan of 100 subtasks refused", c.Plans[0].Refused)
	}
	if _, err := (&replan.HierarchicalLoop{}).Run(context.Background(), replan.Intent{}); err == nil {
		t.Error("a loop without parts runs")
	}
}

// scripted plans what a test says.
type scripted func(r *replan.PlanRequest) ([]replan.Subtask, error)

func (s scripted) Plan(_ context.Context, r *replan.PlanRequest) ([]replan.Subtask, error) {
	return s(r)
}

// byText are the motions and terms of subtasks that are text alone.
type byText map[string]string

func (b byText) Motion(_ context.Context, s replan.Subtask, scene replan.Scene) ([]replan.MotionStep, error) {
	return []replan.MotionStep{{Text: s.Text, Objects: append(scene.Names(), "Robot-1", "RobotGripper-1")}}, nil
}
func (b byText) Rewards(_ context.Context, s replan.Subtask, _ []replan.MotionStep, _ replan.Scene) (string, error) {
	return b[s.Text], nil
}

func subtasks(t *testing.T, plan string) []replan.Subtask {
	var out []replan.Subtask
	for _, a := range actions(t, plan) {
		out = append(out, replan.Subtask{Action: a})
	}
	return out
}

func TestScriptedPlans(t *testing.T) {
	r := reasoner(t)
	aside := "(navigate_to_obj, Bar) (pick_up, Bar) (navigate_to_obj, CounterTop) (put_on, Bar, CounterTop) "
	tests := []struct {
		name, task, first, second string
		scene, latent             []string
		reason                    string // object of the first reason
	}{
		{"a bar", "CubeInCabinet", openFirst, "(navigate_to_obj, CounterTop) (put_on, YellowCube, CounterTop) " + aside + openFirst,
			[]string{cube, "Cabinet closed", "Bar on_top_of DiningTable"}, []string{"Bar occludes Cabinet"}, "Bar-1"},
		{"a lock", "CubeInCabinet", openFirst, "(toggle_on, Lever-2) (open_obj, Cabinet) (put_in, YellowCube, Cabinet)",
			[]string{cube, "Cabinet closed", "Lever-1 off", "Lever-2 off"}, []string{"Cabinet locked", "Lever-2 linked_to Cabinet", "Lever-1 linked_to Fridge"}, "Cabinet-1"},
		{"a closed door, seen beforehand", "CubeInCabinet", putCube, openFirst, []string{cube, "Cabinet closed"}, nil, ""},
	}
	for _, tt := range tests {
		robot := stage(t, tt.name, tt.task, "", tt.scene, tt.latent, simulation.Options{})
		s := symbolic(t, r, robot)
		l := s.Loop()
		l.Planner = scripted(func(r *replan.PlanRequest) ([]replan.Subtask, error) {
			if r.Plan == 1 {
				return subtasks(t, tt.first), nil
			}
			return subtasks(t, tt.second), nil
		})
		c, err := l.Run(context.Background(), s.Intent())
		if err != nil {
			t.Fatal(err)
		}
		if c.Ending != engine.Completed || !robot.Reached() || len(c.Plans) != 2 {
			t.Errorf("%s: %s", tt.name, describe(c))
			continue
		}
		f := c.Plans[0].Failure
		if tt.reason == "" && c.Plans[0].Refused == "" || tt.reason != "" && (len(f.Reasons) == 0 || f.Reasons[0].Object != tt.reason) {
			t.Errorf("%s: %+v; want %q", tt.name, f, tt.reason)
		}
	}
}

// A planner that gives text, and a low-level planner that gives terms, are enough for
// the symbolic controller: it carries out the action that settles the primary term.
func TestSubtasksOfText(t *testing.T) {
	robot := stage(t, "text", "CubeInCabinet", "", []string{cube, "Cabinet closed"}, nil, simulation.Options{})
	s := symbolic(t, reasoner(t), robot)
	l := s.Loop()
	texts := []string{"go to the cube", "grasp the cube", "go to the cabinet", "open the cabinet", "put the cube in"}
	l.Planner = scripted(func(*replan.PlanRequest) ([]replan.Subtask, error) { return do(texts...), nil })
	l.LowLevel = byText{
		texts[0]: `minimize_l2_distance_reward("Robot-1", "YellowCube-1")`,
		texts[1]: `minimize_l2_distance_reward("RobotGripper-1", "YellowCube-1")`,
		texts[2]: `minimize_l2_distance_reward("Robot-1", "Cabinet-1")`,
		texts[3]: `set_joint_fraction_reward("Cabinet-1", fraction=1)`,
		texts[4]: `minimize_l2_distance_reward("YellowCube-1", "Cabinet-1")`,
	}
	c, err := l.Run(context.Background(), s.Intent())
	if err != nil || c.Ending != engine.Completed || !robot.Reached() || len(c.Plans) != 1 {
		t.Errorf("%v\n%s", err, describe(c))
	}
	if got := s.Episode().Steps[5].Action; got != (episode.Action{Name: "put_in", Target: "YellowCube-1", Destination: "Cabinet-1"}) {
		t.Errorf("%v carried out for %q", got, texts[4])
	}
}
