package advice

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// reasonData is what the template reason.tmpl is filled with. Names and texts from logs
// are clean, and quoted where they stand alone; "list" puts the items of a list into
// one pair of quotes.
type reasonData struct {
	Task        string
	Success     []string // conditions of the goal
	Subtasks    []subtaskItem
	Done        []string // actions so far, with "failed" behind those that did
	Rest        []string // the next actions to come
	Current     string   // the action that failed or is next
	Observed    []string // what is believed of what the plan is about
	Expected    []string // what should be so of that, where it is otherwise
	Needed      []string // what the next action, and norms, ask to be otherwise than it is
	Differences []string
	Heard       []string     // sounds, with their steps
	People      []string     // who is served, with diets and dislikes
	Constraints []string     // what every plan has to keep
	Obstacles   []string     // what stands against the rest of the plan as it is
	Window      *windowData  // nil for none
	Finding     *findingData // nil for none
	Structured  bool         // the server keeps to a schema
}

// windowData is the part of the plan that an error concerns (SDA-Planner, section 4.3).
type windowData struct {
	Kind, Fails, Lacks, Source string
	Plan                       []string
}

// subtaskItem is an action of the plan.
type subtaskItem struct {
	Number int
	Action string
	State  string // done, failed, next; "" for what is to come
}

// findingData is what a rule found, or foresees.
type findingData struct {
	Type, Explanation, Rule string
	Evidence                []string // the proof, in words
}

// replanData is what the template replan.tmpl is filled with.
type replanData struct {
	Task          string
	Success       []string
	Given         []string // the plan at first
	Left          int      // index in Given, from 1, from which on all is left; 0 where what is left is another plan
	Rest          []string // what is left of the present one
	Actions       []actionForm
	Forms         []string // the same, those of one form together: "(pick_up | open_obj, object)"
	Gripper       string   // what it holds
	Objects       []string
	Observed      []string
	Cause, Change string // as the model said
	People        []string
	Constraints   []string
	Obstacles     []string
	Window        *windowData
	Strategies    []string // that apply, with their text and, where they have any, their actions
	Others        []string // the other ones for the class, by their text
	Stuck         []string // why mishap has no plan itself, "" where it has
	Needs         []string // what would change that
	Refused       []refusedPlan
	Structured    bool
}

// actionForm is an action that the robot can do.
type actionForm struct{ Form, Meaning string }

// refusedPlan is a plan of the model that could not be carried out.
type refusedPlan struct {
	Plan []string
	Why  string
}

// Names of the prompts.
var (
	reasonPrompt = register("reason", reasonData{
		Task: "t", Success: []string{"s"}, Subtasks: []subtaskItem{{1, "a", "done"}}, Done: []string{"d"}, Rest: []string{"r"}, Current: "c", Observed: []string{"o"}, Expected: []string{"e"},
		Differences: []string{"d"}, Needed: []string{"n"}, Heard: []string{"h"}, People: []string{"p"}, Constraints: []string{"c"}, Obstacles: []string{"o"}, Window: &windowData{"k", "f", "l", "s", []string{"p"}}, Finding: &findingData{"F", "x", "r", []string{"e"}}, Structured: true,
	}, reasonData{}, "Task", "Success", "Current", "Observed", "Expected", "Differences", "Finding")
	replanPrompt = register("replan", sampleReplan, replanData{}, "Task", "Success", "Given", "Rest", "Objects", "Cause", "Strategies", "Refused")
)

// sampleReplan has all that a prompt for a plan can hold.
var sampleReplan = replanData{
	Task: "t", Success: []string{"s"}, Given: []string{"g"}, Left: 1, Rest: []string{"r"}, Actions: []actionForm{{"f", "m"}}, Forms: []string{"f"}, Gripper: "g", Objects: []string{"o"},
	Observed: []string{"o"}, Cause: "c", Change: "c", People: []string{"p"}, Constraints: []string{"c"}, Obstacles: []string{"o"},
	Window: &windowData{"k", "f", "l", "s", []string{"p"}}, Strategies: []string{"s"}, Others: []string{"s"}, Stuck: []string{"s"}, Needs: []string{"n"}, Refused: []refusedPlan{{[]string{"p"}, "w"}}, Structured: true,
}

func reasonView(s *engine.Situation) reasonData {
	r := reasonData{Task: taskText(s.Projection.Episode), Success: successConditions(s.Projection.Trace), Observed: facts(s.Believed),
		Heard: heard(s.Projection), People: people(s.Projection.Episode), Constraints: sentences(s.Constraints), Obstacles: obstacles(s), Window: window(s)}
	for _, text := range facts(s.Expected) {
		if !slices.Contains(r.Observed, text) {
			r.Expected = append(r.Expected, text)
		}
	}
	for _, text := range facts(s.Required) {
		if !slices.Contains(r.Observed, text) && !slices.Contains(r.Expected, text) {
			r.Needed = append(r.Needed, text)
		}
	}
	r.Subtasks, r.Rest = subtasks(s), actionTexts(s.Rest[:min(len(s.Rest), mostToCome)])
	if n := len(s.Rest) - len(r.Rest); n > 0 {
		r.Rest = append(r.Rest, fmt.Sprintf("%d more", n))
	}
	for _, t := range r.Subtasks {
		if t.State == "done" {
			r.Done = append(r.Done, t.Action)
		} else if t.State == "failed" {
			r.Done = append(r.Done, t.Action+" failed")
		}
	}
	r.Current = "nothing is left of the plan"
	if len(s.Rest) > 0 {
		r.Current = sentence(s.Rest[0].String())
	}
	if s.Failed != "" {
		r.Current = sentence(s.Failed) + " failed"
	}
	for _, d := range s.Differences {
		r.Differences = append(r.Differences, clean(d.String(), longestSentence))
	}
	switch {
	case s.Finding != nil:
		r.Finding = &findingData{Type: s.Finding.Type, Explanation: sentence(s.Finding.Explanation), Evidence: sentences(s.Proof)}
		if s.Finding.Clause != nil {
			r.Finding.Rule = s.Finding.Clause.Pos.String()
		}
	case s.Threat != nil:
		r.Finding = &findingData{Type: s.Threat.Type, Explanation: sentence(s.Threat.Explanation), Rule: "foreseen", Evidence: sentences(s.Proof)}
	}
	return r
}

func replanView(s *engine.Situation, o *engine.Opinion, refused []engine.Attempt) replanData {
	a := s.Projection
	r := replanData{Task: taskText(a.Episode), Success: successConditions(a.Trace), Given: actionTexts(s.Given), Rest: actionTexts(s.Rest), Actions: actionForms(a.Objects.Onto), Forms: forms(a.Objects.Onto),
		Gripper: "empty", Objects: objectTexts(s), Observed: facts(s.Believed), Cause: sentence(o.Cause), Change: sentence(o.Change)}
	if held := a.Present.Held(a.Gripper); len(held) > 0 {
		r.Gripper = "holds " + quoted(a.Objects.Name(held[0]))
	}
	if n := len(s.Given) - len(s.Rest); n >= 0 && len(s.Rest) > 0 && slices.Equal(s.Given[n:], s.Rest) {
		r.Left = n + 1
	}
	r.People, r.Constraints, r.Obstacles, r.Window = people(a.Episode), sentences(s.Constraints), obstacles(s), window(s)
	r.Strategies, r.Others = strategies(s, s.Strategies), strategies(s, s.Others)
	if s.Ours != nil && !s.Ours.Verified {
		r.Stuck, r.Needs = stuck(s.Ours), sentences(s.Ours.Needs)
	}
	for _, at := range refused {
		f := refusedPlan{Why: sentence(at.Refused)}
		for _, l := range at.Lines {
			f.Plan = append(f.Plan, name(l.Text))
		}
		r.Refused = append(r.Refused, f)
	}
	return r
}

func taskText(ep *episode.Episode) string {
	if ep.Goal != "" && ep.Goal != ep.Task {
		return quoted(ep.Task) + ", " + sentence(ep.Goal)
	}
	return quoted(ep.Task)
}

// successConditions words the conditions of an episode's goal.
func successConditions(t *engine.Trace) []string {
	var out []string
	add := func(prefix string, texts []string) {
		for _, text := range texts {
			if !slices.Contains(out, prefix+text) {
				out = append(out, clean(prefix+text, longestSentence))
			}
		}
	}
	texts, each := t.GoalTexts()
	add("", texts)
	add("each: ", each)
	return out
}

// actionForms lists what a robot can do.
func actionForms(o *ontology.Ontology) []actionForm {
	var out []actionForm
	for _, a := range o.Advised() {
		meaning, _, _ := strings.Cut(o.Terms[a.Term].Comment, ".")
		out = append(out, actionForm{"(" + a.Name + arguments(a) + ")", meaning})
	}
	return out
}

// forms lists the same, actions with the same arguments together.
func forms(o *ontology.Ontology) []string {
	var kinds []string
	names := map[string][]string{}
	for _, a := range o.Advised() {
		args := arguments(a)
		if !slices.Contains(kinds, args) {
			kinds = append(kinds, args)
		}
		names[args] = append(names[args], a.Name)
	}
	var out []string
	for _, args := range kinds {
		out = append(out, "("+strings.Join(names[args], " | ")+args+")")
	}
	return out
}

func arguments(a *ontology.ActionSchema) string {
	out := ""
	for i := range a.Params {
		arg := []string{"object", "place"}[min(i, 1)]
		if i >= a.Required {
			arg = "[" + arg + "]"
		}
		out += ", " + arg
	}
	return out
}

// How many actions to come and objects of a scene are listed, and how many of what was
// heard and of what stands against the rest of a plan.
const (
	mostToCome    = 6 // actions, where it is asked for the cause
	mostObjects   = 60
	mostHeard     = 20
	mostObstacles = 8
)

// objectTexts lists the objects that there are, those that the plan or the failure is about
// first; those of one class together: "Mug-1, -2".
func objectTexts(s *engine.Situation) []string {
	a := s.Projection
	var first, rest []string
	for i := range a.Objects.Items {
		x := engine.Object(i)
		if a.Present.Gone(x) || !a.Objects.IsA(x, a.Objects.Onto.Core.PhysicalObject) || a.Objects.IsA(x, a.Objects.Onto.Core.RobotGripper) ||
			a.Objects.Onto.HasType(a.Objects.Class(x), a.Objects.Onto.Core.ObjectGroup) {
			continue
		}
		id := a.Objects.Name(x)
		if slices.ContainsFunc(s.Believed.Nodes, func(n scene.Node) bool { return n.ID == id }) {
			first = append(first, name(id))
		} else {
			rest = append(rest, name(id))
		}
	}
	all := append(first, rest...)
	return together(all[:min(len(all), mostObjects)])
}

// together sets names that differ in their number only behind the first of them.
func together(names []string) []string {
	var out []string
	at := map[string]int{}
	for _, n := range names {
		base, number := episode.SplitName(n)
		i, known := at[base]
		if number == 0 || !known {
			at[base] = len(out)
			out = append(out, n)
			continue
		}
		out[i] += fmt.Sprintf(", -%d", number)
	}
	return out
}

// subtasks are the actions done so far and those of the plan to come.
func subtasks(s *engine.Situation) []subtaskItem {
	var out []subtaskItem
	add := func(action, state string) { out = append(out, subtaskItem{len(out) + 1, action, state}) }
	for i := range s.Projection.Events[:s.Projection.Happened] {
		e := &s.Projection.Events[i]
		if !e.Final {
			continue
		}
		state := "done"
		if e.Outcome >= engine.OutcomeRefused {
			state = "failed"
		}
		add(callText(s.Projection.Objects.CallText(e.Call)), state)
	}
	for i, a := range s.Rest {
		state := ""
		if i == 0 {
			state = "next"
		}
		add(actionText(a), state)
	}
	return out
}

// facts words a scene graph, one object each with its states and places.
func facts(g *scene.Graph) []string {
	if g == nil {
		return nil
	}
	var out []string
	for _, n := range g.Nodes {
		if n.ID == engine.SubtaskNode {
			continue
		}
		parts := slices.Clone(n.States)
		for _, e := range g.Edges {
			if e.Subject == n.ID {
				parts = append(parts, e.Relation+" "+name(e.Object))
			}
		}
		if len(parts) > 0 {
			out = append(out, name(n.ID)+" "+strings.Join(parts, ", "))
		}
	}
	return out
}

func actionTexts(plan []episode.Action) []string {
	var out []string
	for _, a := range plan {
		out = append(out, actionText(a))
	}
	return out
}

// actionText is an action as plans write it, clean.
func actionText(a episode.Action) string { return callText(a.String()) }

func callText(text string) string { return clean(text, 2*longestName) }

// String is the action with what it means.
func (a actionForm) String() string { return fmt.Sprintf("%s: %s", a.Form, a.Meaning) }
