package bench

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/replan"
)

// notKnown is what a prompt says of a cause that nobody named.
const notKnown = "not known"

// knowsFailure reports whether a prompt says that, or why, something went wrong.
func knowsFailure(t promptLines) bool {
	for _, label := range []string{"What went wrong", "What must change"} {
		if text := strings.Trim(t.text(label), `"`); text != "" && text != notKnown {
			return true
		}
	}
	for _, label := range []string{"Stands against what is left", "Error of the plan", "Known strategy", "The planner found no plan", "This plan of yours cannot be used"} {
		if t.has(label) {
			return true
		}
	}
	return false
}

// imagine is the episode of a prompt: the goal and the people that it names.
func (m *imitated) imagine(t promptLines, task string) *episode.Episode {
	ep := m.goal
	if !t.has("Served") {
		ep.People = nil
	}
	words := []string{ep.Task, ep.Goal}
	if of, ok := m.reasoner.Ontology.Task(ep.Task); ok {
		term := &m.reasoner.Ontology.Terms[of.Term]
		words = append(words, term.Comment, term.Label())
	}
	named := quotedParts(t.text(task))
	if !slices.ContainsFunc(words, func(w string) bool { return w != "" && slices.Contains(named, w) }) {
		ep.Task, ep.Goal, ep.GoalFacts = "", "", nil
	}
	return &ep
}

// plan is how to go on in the scene that a prompt tells of, with a mistake.
func (m *imitated) plan(ctx context.Context, t promptLines, wrong mistake) []string {
	var plan []episode.Action
	if t.has("Left from the current step on") && !knowsFailure(t) {
		plan = m.left(t)
	} else {
		ep := m.imagine(t, "Task")
		w := m.reasoner.Watch(ep, engine.Limits{}, nil)
		obs := t.scene([]string{"Believed"}, []string{"What went wrong", "What must change"})
		if _, err := w.Step(ctx, episode.Step{Observation: obs}); err != nil {
			return []string{}
		}
		var p engine.Planner
		p.WithoutStrategies = !t.has("Known strategy")
		plan = slices.Clone(w.Recover(ctx, p, nil, nil).Plan)
	}
	return m.spoil(plan, t.objects(), wrong)
}

// spoil words a plan, with a mistake at a drawn place.
func (m *imitated) spoil(plan []episode.Action, objects []string, wrong mistake) []string {
	if at := 0; len(plan) > 0 && wrong != none {
		at = m.rng.IntN(len(plan))
		switch wrong {
		case wrongObject:
			plan[at].Target = m.other(plan[at].Target, objects)
		case missingStep:
			plan = slices.Delete(plan, at, at+1)
		case unknownWord:
			plan[at].Name = unknown
		}
	}
	out := []string{}
	for _, a := range plan {
		out = append(out, a.String())
	}
	return out
}

const unknown = "frobnicate"

// other is an object that is not the one named, as far as there is one.
func (m *imitated) other(name string, objects []string) string {
	objects = slices.DeleteFunc(slices.Clone(objects), func(o string) bool { return o == name })
	if len(objects) == 0 {
		return name
	}
	return objects[m.rng.IntN(len(objects))]
}

var fromAction = regexp.MustCompile(`^all from action (\d+) of it$`)

// left is what a prompt says is left of the plan.
func (m *imitated) left(t promptLines) []episode.Action {
	lines := t.list("Left from the current step on")
	if from := fromAction.FindStringSubmatch(t.text("Left from the current step on")); from != nil {
		n, err := strconv.Atoi(from[1])
		given := t.list("Initial plan")
		if err != nil || n < 1 || n > len(given) {
			return nil
		}
		lines = given[n-1:]
	}
	var out []episode.Action
	for _, text := range lines {
		if a, err := episode.ParseAction(m.reasoner.Ontology, text); err == nil {
			out = append(out, a)
		}
	}
	return out
}

// onlySeen is a robot that sees what a prompt tells, whatever it does.
type onlySeen struct{ seen episode.Observation }

func (r onlySeen) Perform(context.Context, episode.Action) (episode.Step, error) {
	return episode.Step{Observation: r.seen}, nil
}

// inMind is RePlan's loop in the scene that a prompt tells of.
func (m *imitated) inMind(ctx context.Context, t promptLines, task string, listed ...string) (*replan.Symbolic, error) {
	return replan.NewSymbolic(ctx, m.reasoner, onlySeen{t.scene(listed, nil)}, m.imagine(t, task), engine.Planner{})
}

// subtasks is a plan for RePlan's loop, other than those that failed.
func (m *imitated) subtasks(ctx context.Context, t promptLines, wrong mistake) []string {
	s, err := m.inMind(ctx, t, "Goal", "Known", "Answered")
	if err != nil {
		return []string{}
	}
	var failed []string
	for _, l := range t {
		if l.label == "This plan failed" {
			failed = append(failed, strings.Join(items(l.text), "\n"))
		}
	}
	var avoid [][]replan.Subtask
	var lines []string
	for range len(failed) + 1 {
		plan, err := s.Plan(ctx, &replan.PlanRequest{Avoid: avoid})
		if err != nil {
			break
		}
		if lines = wordedSubtasks(plan); !slices.Contains(failed, strings.Join(lines, "\n")) {
			break
		}
		avoid = append(avoid, plan)
	}
	if len(lines) == 0 || wrong == none {
		return lines
	}
	at := m.rng.IntN(len(lines))
	switch a, err := episode.ParseAction(m.reasoner.Ontology, lines[at]); {
	case wrong == missingStep:
		return slices.Delete(lines, at, at+1)
	case wrong == unknownWord || err != nil:
		lines[at] = unknown + " it"
	default:
		a.Target = m.other(a.Target, t.objects())
		lines[at] = a.String()
	}
	return lines
}

// wordedSubtasks are subtasks as a model writes them.
func wordedSubtasks(plan []replan.Subtask) []string {
	out := []string{}
	for i := range plan {
		switch s := &plan[i]; {
		case s.Asks():
			out = append(out, "ask: "+s.Ask[0].String())
		case s.Explore != "":
			out = append(out, "find: "+s.Explore)
		default:
			out = append(out, s.Action.String())
		}
	}
	return out
}

// cameAbout is whether an action came about, by what a prompt lists of before and after it; before is
// "" where it tells nothing of that.
func (m *imitated) cameAbout(ctx context.Context, t promptLines, action, before, after string) bool {
	did, err := episode.ParseAction(m.reasoner.Ontology, strings.Trim(t.text(action), `"`))
	if err != nil {
		return false
	}
	ep := m.goal
	w := m.reasoner.Watch(&ep, engine.Limits{}, nil)
	first := episode.Observation{Missing: true}
	if before != "" {
		first = t.scene([]string{before}, nil)
	}
	if _, err := w.Step(ctx, episode.Step{Observation: first}); err != nil {
		return false
	}
	if _, err := w.Step(ctx, episode.Step{Index: 1, Action: did, Observation: t.scene([]string{after}, nil), Sounds: t.list("Heard")}); err != nil {
		return false
	}
	events := w.Trace().Events
	return len(events) > 0 && events[len(events)-1].Outcome < engine.OutcomeRefused
}

// perceive answers a question by what the camera is said to have seen.
func (m *imitated) perceive(ctx context.Context, t promptLines, wrong mistake) string {
	q, err := replan.ParseQuery(strings.Trim(t.text("Question"), `"`))
	if err != nil {
		return replan.Unclear
	}
	ep := m.goal
	s, err := replan.NewSymbolic(ctx, m.reasoner, onlySeen{t.scene([]string{"The camera saw"}, nil)}, &ep, engine.Planner{})
	if err != nil {
		return replan.Unclear
	}
	answer, err := s.Answer(ctx, q, 0)
	switch {
	case err != nil || wrong == unknownWord:
		return replan.Unclear
	case wrong != none && answer == "yes":
		return "no"
	case wrong != none && answer == "no":
		return "yes"
	}
	return answer
}

// prevents names what is said to be related to the object that a question is about.
func (m *imitated) prevents(t promptLines, wrong mistake) []map[string]string {
	out := []map[string]string{}
	question := t.text("Question")
	for _, fact := range t.list("The camera saw") {
		subject, rest, ok := strings.Cut(fact, " ")
		relation, object, related := strings.Cut(rest, " ")
		about := slices.ContainsFunc([]string{subject, object}, func(name string) bool {
			return name != "" && strings.Contains(question, name)
		})
		if !ok || !related || !about || len(out) == 2 || m.isPlace(relation) {
			continue
		}
		if wrong == wrongObject {
			subject = m.other(subject, t.list("Objects"))
		}
		out = append(out, map[string]string{"object": subject, "text": fmt.Sprintf("it is %s %s", relation, object)})
	}
	if wrong == missingStep || wrong == unknownWord {
		return out[:0]
	}
	return out
}

// isPlace reports whether a relation is a mere place.
func (m *imitated) isPlace(relation string) bool {
	o := m.reasoner.Ontology
	id, ok := o.Lookup(relation)
	return ok && (o.IsSub(id, o.Core.Within) || id == o.Core.Near)
}

// motion are the motions of a subtask.
func (m *imitated) motion(ctx context.Context, t promptLines, wrong mistake) []replan.MotionStep {
	s, sub, err := m.moving(ctx, t)
	if err != nil {
		return []replan.MotionStep{}
	}
	steps, err := s.Motion(ctx, sub, replan.Scene{})
	if err != nil || len(steps) == 0 {
		return []replan.MotionStep{}
	}
	switch at := m.rng.IntN(len(steps)); wrong {
	case wrongObject:
		steps[at].Objects = []string{m.other(steps[at].Objects[0], t.list("Objects"))}
	case missingStep:
		steps = slices.Delete(steps, at, at+1)
	case unknownWord:
		steps[at].Function = unknown
	}
	return steps
}

// rewards are the terms of the motions that a prompt lists.
func (m *imitated) rewards(ctx context.Context, t promptLines, wrong mistake) string {
	s, sub, err := m.moving(ctx, t)
	if err != nil {
		return ""
	}
	steps, err := s.Motion(ctx, sub, replan.Scene{})
	if err != nil {
		return ""
	}
	listed := t.list("Motions")
	steps = slices.DeleteFunc(steps, func(st replan.MotionStep) bool { return !slices.Contains(listed, st.Text) })
	text, err := s.Rewards(ctx, sub, steps, replan.Scene{})
	if err != nil {
		return ""
	}
	lines := strings.Split(text, "\n")
	switch at := m.rng.IntN(len(lines)); wrong {
	case wrongObject:
		return strings.Replace(text, `"`, `"`+unknown, 1)
	case missingStep:
		lines = slices.Delete(lines, at, at+1)
	case unknownWord:
		lines[at] = unknown + "()"
	}
	return strings.Join(lines, "\n")
}

// moving is a loop in which the objects of a prompt are all there is, and the subtask that it names.
func (m *imitated) moving(ctx context.Context, t promptLines) (*replan.Symbolic, replan.Subtask, error) {
	a, err := episode.ParseAction(m.reasoner.Ontology, strings.Trim(t.text("Subtask"), `"`))
	if err != nil {
		return nil, replan.Subtask{}, err
	}
	ep := m.goal
	s, err := replan.NewSymbolic(ctx, m.reasoner, onlySeen{t.scene(nil, nil)}, &ep, engine.Planner{})
	return s, replan.Subtask{Action: a}, err
}

// reason is the cause and the change that a prompt tells of.
func (m *imitated) reason(t promptLines, wrong mistake) (cause, change string) {
	var differ []string
	for _, d := range t.list("Differences") {
		is, _, _ := strings.Cut(d, ", expected")
		differ = append(differ, is)
	}
	cause, change = notKnown, notKnown
	if _, found, ok := strings.Cut(t.text("A rule found"), ": "); ok {
		cause = strings.Trim(found, `"`)
	} else if known := slices.Concat(differ, t.list("Stands against what is to come"), t.list("Heard")); len(known) > 0 {
		cause = known[0]
	}
	if len(differ) > 0 {
		change = strings.Join(differ, "; ")
	}
	switch named := regexp.MustCompile(`\w+-\d+`).FindString(cause); {
	case wrong == wrongObject && named != "":
		cause = strings.Replace(cause, named, unknown, 1)
	case wrong != none:
		cause, change = notKnown, notKnown
	}
	return cause, change
}

// explain is why a task was not accomplished, by what a prompt lists, and when that began.
func (m *imitated) explain(t promptLines, wrong mistake) (why string, times []string) {
	last := promptLine{}
	for _, l := range t {
		if _, ok := strings.CutPrefix(l.label, "step "); ok {
			last = l
		}
	}
	failed := strings.Trim(t.text("This step did not come about"), `"`)
	switch unmet := t.list("Not so in the end"); {
	case len(unmet) > 0:
		why = "the plan does not bring about " + strings.Join(unmet, "; ")
	case last.text != "":
		why, times = failed+" did not come about: "+strings.Trim(last.text, `"`), []string{last.label}
	default:
		why = notKnown
	}
	if wrong != none {
		return notKnown, []string{}
	}
	return why, times
}

// summarize keeps what was done and heard of each step that a prompt lists.
func (m *imitated) summarize(t promptLines, wrong mistake) string {
	var out []string
	for _, l := range t {
		if !strings.HasPrefix(l.label, "step ") {
			continue
		}
		kept := slices.DeleteFunc(items(l.text), func(item string) bool {
			return !strings.HasPrefix(item, "(") && !strings.HasPrefix(item, "heard ")
		})
		if len(kept) > 0 {
			out = append(out, l.label+": "+strings.Join(kept, ", "))
		}
	}
	if wrong != none && len(out) > 0 {
		at := m.rng.IntN(len(out))
		out = slices.Delete(out, at, at+1)
	}
	return strings.Join(out, "\n")
}

// choose is the number of the shortest plan that a prompt lists; with a mistake that of another one.
func choose(t promptLines, wrong mistake) int {
	best, least, n := 1, -1, 0
	for _, l := range t {
		if strings.HasPrefix(l.label, "Plan ") {
			n++
			if k := strings.Count(l.text, "("); least < 0 || k < least {
				best, least = n, k
			}
		}
	}
	if wrong != none && n > 1 {
		return best%n + 1
	}
	return best
}
