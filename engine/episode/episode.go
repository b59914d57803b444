// Package episode holds what a robot did and saw, as logs tell it: a task, a
// plan and steps, each an action and the scene observed after it. Names are
// kept as the log gives them; the reasoner resolves them.
package episode

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/engine/scene"
)

// Episode is one run of a robot.
type Episode struct {
	ID     string
	Source string // the file or folder it was read from
	File   string // the file that the lines of its steps count in, where that is not Source
	Task   string // name or label of a task; may be unknown
	Goal   string // in words
	// GoalLine is the line that states the goal, 0 where there is none; it counts in GoalFile
	// where that is another file than that of the steps.
	GoalLine int
	GoalFile string
	// GoalFacts is the symbolic goal where the log states one; it takes the
	// place of the task's.
	GoalFacts []Fact
	Params    map[string]string // fill in a task's $parameters with class names
	// Robot, Site, Start and Labels are what the log says of the run as a whole: they do not
	// bear on what is found. Start is when it began, in RFC 3339 with its time zone.
	Robot, Site, Start string
	Labels             []string
	People             []Person
	// Crew are the agents that the log declares. Others may act, too.
	Crew []Agent
	// Things are what the log says exists, by names that mean nothing else.
	Things []Thing
	Scene  []Fact // what is known of the scene before step 0
	// Noise is the rate at which the sensors of the robot err, from 0 to 1, for
	// one object, state, relation or sound in one observation; 0 where every
	// observation is to be taken as it is. Which object the gripper holds is always exact.
	Noise float64
	// GripperObserved is true where every observation tells what the gripper holds, also
	// where it never holds anything; otherwise that is taken to be so from the first
	// observation on that shows something in a gripper.
	GripperObserved bool
	// Exact is true where the steps are a replay through the action model: the
	// robot stands wherever it acts, and nothing escapes the observation.
	Exact bool
	// Origins tells which object a piece is cut from, by names, where the log
	// knows.
	Origins map[string]string
	Plan    []Action
	// Carriers tells which agent carries out each action of the plan, as far as that is
	// known; "" is not.
	Carriers []string
	// Unplanned is true where the log states no plan and Plan is what was done: that it
	// ends without the goal is then no fault of a plan.
	Unplanned bool
	Steps     []Step
	// Passed are, of the episode of a monitor, the steps before those of Steps, as far as they
	// are remembered.
	Passed PassedSteps
	// Until is a time after the last step up to which nothing more happened, as Time of a
	// step; "" where the episode ends with its last step.
	Until    string
	Warnings []Warning
	// MaxWarnings is how many of them are kept; DefaultWarnings where 0.
	MaxWarnings int
	// Unkept counts how often there was cause for a warning beyond those.
	Unkept int
	// Lines is how many lines of steps were read; Skipped are those of them that were not
	// understood, wholly or in what matters for a verdict, with the reason.
	Lines   int
	Skipped []Warning
}

// Carrier is the agent that carries out an action of the plan, by index, "" where that is
// not known.
func (e *Episode) Carrier(i int) string {
	if i < len(e.Carriers) {
		return e.Carriers[i]
	}
	return ""
}

// Thing is an object that a log declares: its name, of which the class need not be a part,
// its classes and its properties or materials, by name or label.
type Thing struct {
	Name       string
	Classes    []string
	Properties []string
	Line       int
}

// Fact is a statement about named things. Object is "" for states.
type Fact struct {
	Subject  string
	Relation string // relation or state name
	Object   string
	Line     int
}

// Words are the fact as logs write it: subject and state, or subject, relation
// and object.
func (f Fact) Words() []string {
	if f.Object == "" {
		return []string{f.Subject, f.Relation}
	}
	return []string{f.Subject, f.Relation, f.Object}
}

// FactOf reads a fact from its words; ok is false where there are not two or
// three, or four of which the last two are a number and its unit.
func FactOf(words []string) (f Fact, ok bool) {
	switch len(words) {
	case 2:
		return Fact{Subject: words[0], Relation: words[1]}, true
	case 3:
		return Fact{Subject: words[0], Relation: words[1], Object: words[2]}, true
	case 4: // a number with its unit
		if _, err := strconv.ParseFloat(words[2], 64); err == nil {
			return Fact{Subject: words[0], Relation: words[1], Object: words[2] + " " + words[3]}, true
		}
	}
	return Fact{}, false
}

// ParseFact reads a fact as scenes write it: "Pot dirty", "Apple inside Pot",
// "Pot occludes Knife".
func ParseFact(text string) (Fact, error) {
	f, ok := FactOf(strings.Fields(text))
	if !ok {
		return f, fmt.Errorf("scene fact %q; expected for example \"Pan dirty\" or \"Apple inside Pot\"", clip(text))
	}
	return f, nil
}

// Person is somebody who is served.
type Person struct {
	Name     string
	Diets    []string // names or labels of ontology classes under Human
	Dislikes []string // object classes or labels
}

// Agent is a robot or a person that acts, or a team of such.
type Agent struct {
	Name     string
	Class    string   // name or label of a class of agents; a robot's where ""
	Grippers []string // names of its grippers or hands; those of a robot have usual names where there are none
	Members  []string // of a team, by name
}

// Step is one action event and the observation after it. Step 0 has no action.
type Step struct {
	Index  int
	Time   string // as the log writes it; "" where it has none
	Action Action // Name "" at step 0
	Agent  string
	Sounds []string
	// Events are what sensors told of beside what was seen: at the step, or after it and
	// before the next.
	Events []SensorEvent
	Values scene.Readings // that the action is carried out with: a volume, a force
	// ID tells the carrying out of an action from another of the same action, where the log
	// does: lines that repeat an action with another ID are of another one. After a line of an
	// action in progress, lines of others may come before the next one with its ID.
	ID string
	// Status is what the robot itself says became of the action, Result the code that it gives
	// with that; both "" where it says nothing.
	Status      Status
	Result      string
	Observation Observation
	Line        int // line of the log
}

// SensorEvent is what a sensor tells of at a moment: a spike of force, a badge that was read.
type SensorEvent struct {
	Kind     string  // class of sensor events, by name or label
	Object   string  // what it is of; "" where it is of nothing
	Number   float64 // what was measured, where Measured is true
	Unit     string  // of the number, that of the ontology where ""
	Measured bool
	Time     string // as Step.Time, where that is another than the step's; "" where it is not
	Line     int    // of the log, where it stands on another than the step; 0 where it does not
}

// String writes an event as lines of text do: "force_spike Mug-1 41 N".
func (e SensorEvent) String() string {
	out := e.Kind
	if e.Object != "" {
		out += " " + e.Object
	}
	if e.Measured {
		out += " " + strings.TrimSpace(strconv.FormatFloat(e.Number, 'g', -1, 64)+" "+e.Unit)
	}
	return out
}

// Names are the names that a step writes of things, each as often as it does; "" is none.
func (s *Step) Names() iter.Seq[string] {
	return func(yield func(string) bool) {
		each := func(names ...string) bool {
			return !slices.ContainsFunc(names, func(n string) bool { return n != "" && !yield(n) })
		}
		for i := range s.Observation.Nodes {
			if !each(s.Observation.Nodes[i].ID) {
				return
			}
		}
		for i := range s.Observation.Edges {
			if !each(s.Observation.Edges[i].Subject, s.Observation.Edges[i].Object) {
				return
			}
		}
		for i := range s.Events {
			if !each(s.Events[i].Object) {
				return
			}
		}
		each(s.Action.Arguments()...)
	}
}

// SameAction reports whether two lines, one after the other, are of one carrying out of an
// action.
func (s *Step) SameAction(t *Step) bool {
	return s.Action == t.Action && s.Agent == t.Agent && s.ID == t.ID
}

// Status is what a robot says became of an action.
type Status string

// What may be said: that it did what it was to, that it did not, that it was stopped, or that
// it still goes on.
const (
	StatusSucceeded  Status = "succeeded"
	StatusFailed     Status = "failed"
	StatusAborted    Status = "aborted"
	StatusInProgress Status = "in_progress"
)

// Statuses are all that may be said.
var Statuses = []Status{StatusSucceeded, StatusFailed, StatusAborted, StatusInProgress}

// statusWords are what action servers of ROS 1 and 2 and behavior trees say for them.
var statusWords = map[string]Status{
	"success": StatusSucceeded, "failure": StatusFailed, "canceled": StatusAborted, "cancelled": StatusAborted, "preempted": StatusAborted,
	"running": StatusInProgress, "active": StatusInProgress, "executing": StatusInProgress,
}

// ReadStatus reads a status, in whatever case it is written; ok is false for none that is known.
func ReadStatus(text string) (status Status, ok bool) {
	word := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(text)), " ", "_")
	if s, ok := statusWords[word]; ok {
		return s, true
	}
	return Status(word), slices.Contains(Statuses, Status(word))
}

// Action is an action of a plan or step, with names as written.
type Action struct {
	Name        string // action name of the ontology
	Target      string // "" where the action has none
	Destination string
	// Further are the arguments after the second, as in the text of the action, with ", "
	// between them.
	Further string
}

// Arguments are the arguments of an action in their order; one that is left out before
// another is "".
func (a Action) Arguments() []string {
	var out []string
	if a.Further != "" {
		return append([]string{a.Target, a.Destination}, strings.Split(a.Further, ", ")...)
	}
	for _, arg := range []string{a.Target, a.Destination} {
		if arg != "" {
			out = append(out, arg)
		}
	}
	return out
}

// Observation is the scene graph that was seen after an action.
type Observation struct {
	// Missing is true where none was made: then nothing is known, not even what
	// the gripper holds. One that shows nothing at all, at a step without a sound of a fall, is taken so too,
	// unless it is complete or the episode has GripperObserved.
	Missing bool
	// Complete is true where everything in the scene is listed; otherwise not
	// seen is not false.
	Complete bool
	scene.Graph
}

// Warning is something odd in a log that does not stop it from being checked.
type Warning struct {
	Line int // 0 where it concerns the whole
	Msg  string
}

// DefaultWarnings is how many warnings an episode keeps where it does not say.
const DefaultWarnings = 1_000

// IsPlanned reports whether what was done follows a plan: one that the log states, or, where
// the interactions are exact, those of a demonstration, which were all planned.
func (e *Episode) IsPlanned() bool { return e.Exact || len(e.Plan) > 0 && !e.Unplanned }

// Warn records a warning once, at the first line that gives cause for it. Of those beyond
// MaxWarnings the first is replaced by one that says so, and Unkept counts.
func (e *Episode) Warn(line int, msg string) {
	if !slices.ContainsFunc(e.Warnings, func(w Warning) bool { return w.Msg == msg }) {
		e.warn(line, msg)
	}
}

// warn records a warning that there is not yet.
func (e *Episode) warn(line int, msg string) {
	most := e.MaxWarnings
	if most <= 0 {
		most = DefaultWarnings
	}
	switch n := len(e.Warnings); {
	case n < most:
		e.Warnings = append(e.Warnings, Warning{line, msg})
		return
	case n == most:
		e.Warnings = append(e.Warnings, Warning{line, fmt.Sprintf("further warnings are not kept; the limit is %d", most)})
	}
	e.Unkept++
}

// Warner warns of an episode that may have many warnings: it knows without looking through
// them which there are. The zero value is ready; it is for one episode.
type Warner struct {
	first *Warning // of those that are known
	n     int
	known map[string]bool
}

// Warn is Episode.Warn.
func (w *Warner) Warn(e *Episode, line int, msg string) {
	const few = 32
	if len(e.Warnings) < few {
		e.Warn(line, msg)
		return
	}
	if w.first != &e.Warnings[0] || len(e.Warnings) < w.n {
		*w = Warner{first: &e.Warnings[0], known: make(map[string]bool, len(e.Warnings))}
	}
	for ; w.n < len(e.Warnings); w.n++ {
		w.known[e.Warnings[w.n].Msg] = true
	}
	if !w.known[msg] {
		e.warn(line, msg)
	}
}

// Skip records a line that was not understood, and warns of it. A line counts once,
// whatever is wrong with it.
func (e *Episode) Skip(line int, reason string) {
	if n := len(e.Skipped); line == 0 || n == 0 || e.Skipped[n-1].Line != line {
		e.Skipped = append(e.Skipped, Warning{line, reason})
	}
	e.Warn(line, reason)
}

// Actions are what was done; lines that repeat an action are one.
func (e *Episode) Actions() []Action {
	var out []Action
	for st := range e.begun() {
		out = append(out, st.Action)
	}
	return out
}

// Agents are who did what Actions lists.
func (e *Episode) Agents() []string {
	var out []string
	for st := range e.begun() {
		out = append(out, st.Agent)
	}
	return out
}

// begun yields the first line of each action.
func (e *Episode) begun() iter.Seq[*Step] {
	return func(yield func(*Step) bool) {
		for i := range e.Steps {
			if e.Begins(i) && !yield(&e.Steps[i]) {
				return
			}
		}
	}
}

// Begins reports whether the line at an index of Steps is the first of an action: lines that
// repeat the one before go on with it, and so do those of an action in progress.
func (e *Episode) Begins(i int) bool {
	st := &e.Steps[i]
	if st.Action.Name == "" || i > 0 && e.Steps[i-1].SameAction(st) {
		return false
	}
	for j := i - 2; st.ID != "" && j >= 0; j-- {
		if before := &e.Steps[j]; before.ID == st.ID && before.SameAction(st) {
			return !before.InProgress()
		}
	}
	return true
}

// InProgress reports whether a line tells that its action goes on, and by which id a later
// line will be of the same one.
func (s *Step) InProgress() bool { return s.ID != "" && s.Status == StatusInProgress }

// Ongoing follows lines, one after the other, and tells which go on with an action that an
// earlier one began. The zero value is ready.
type Ongoing struct {
	Last *Step   // the line before, nil before the first
	Open []*Step // the last lines of actions in progress but for that
}

// mostOpen is how many actions may be in progress at once; of more the earliest are over.
const mostOpen = 256

// Before is the line before the next one that is of the same action, nil where the next
// begins one.
func (g *Ongoing) Before(next *Step) *Step {
	if g.Last != nil && g.Last.SameAction(next) {
		return g.Last
	}
	for _, st := range g.Open {
		if st.SameAction(next) {
			return st
		}
	}
	return nil
}

// Take takes the next line in.
func (g *Ongoing) Take(next *Step) {
	last, before := g.Last, g.Before(next)
	g.Last = next
	if last != nil && last != before && last.InProgress() {
		g.Open = append(slices.Clip(g.Open[max(0, len(g.Open)-mostOpen+1):]), last)
	}
	if before != last {
		g.Open = slices.DeleteFunc(slices.Clone(g.Open), func(st *Step) bool { return st == before })
	}
}
