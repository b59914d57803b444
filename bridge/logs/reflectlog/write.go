package reflectlog

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/bridge/internal/encode"
	"github.com/mishap-robotics/mishap/bridge/internal/setting"
	"github.com/mishap-robotics/mishap/bridge/internal/wording"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

// Level is how much a summary keeps (REFLECT, section III-B).
type Level int

// EventBased keeps the frames in which the scene changed, a sound began or
// ended, or a subgoal ended; SubgoalBased only the ends of subgoals.
const (
	EventBased   Level = 1
	SubgoalBased Level = 2
)

// Summarize writes the key frames of an episode, a sentence group a line, as
// ReadFolder reads them. An action that the log repeats is one subgoal. Logs
// without times get the number of the step as seconds.
func Summarize(o *ontology.Ontology, ep *episode.Episode, level Level) []string {
	var out []string
	for _, f := range KeyFrames(o, ep, level) {
		out = append(out, f.Text)
	}
	return out
}

// KeyFrame is one line of a summary.
type KeyFrame struct {
	Step int // of the episode
	Text string
}

// KeyFrames are the lines of a summary with the steps that they are of.
func KeyFrames(o *ontology.Ontology, ep *episode.Episode, level Level) []KeyFrame {
	w := newWriter(o, ep)
	var out []KeyFrame
	for i := range ep.Steps {
		if w.key(i, level) {
			out = append(out, KeyFrame{ep.Steps[i].Index, wording.Clean(w.frame(&ep.Steps[i]))}) // one line, whatever the log holds
		}
	}
	return out
}

type writer struct {
	onto    *ontology.Ontology
	ep      *episode.Episode
	several map[string]bool // classes with more than one object
}

func newWriter(o *ontology.Ontology, ep *episode.Episode) *writer {
	w := &writer{onto: o, ep: ep, several: map[string]bool{}}
	names := map[string]string{}
	note := func(name string) {
		class, n := episode.SplitName(name)
		if first, ok := names[class]; n > 1 || ok && first != name && n > 0 {
			w.several[class] = true
		} else if n > 0 {
			names[class] = name
		}
	}
	for i := range ep.Steps {
		st := &ep.Steps[i]
		note(st.Action.Target)
		note(st.Action.Destination)
		for _, n := range st.Observation.Nodes {
			note(n.ID)
		}
		for _, e := range st.Observation.Edges {
			note(e.Subject)
			note(e.Object)
		}
	}
	for _, a := range ep.Plan {
		note(a.Target)
		note(a.Destination)
	}
	return w
}

// key reports whether a step is a key frame.
func (w *writer) key(i int, level Level) bool {
	steps := w.ep.Steps
	ends := i+1 == len(steps) || !steps[i+1].SameAction(&steps[i])
	if ends && steps[i].Action.Name != "" || level == SubgoalBased {
		return ends && steps[i].Action.Name != ""
	}
	return i == 0 || !slices.Equal(shown(&steps[i]), shown(&steps[i-1])) || !slices.Equal(sorted(steps[i].Sounds), sorted(steps[i-1].Sounds))
}

// shown lists what an observation shows, in a fixed order.
func shown(st *episode.Step) []string {
	o := &st.Observation
	if o.Missing {
		return []string{"missing"}
	}
	out := []string{}
	for _, n := range o.Nodes {
		out = append(out, n.ID+" "+strings.Join(sorted(n.States), ","))
	}
	for _, e := range o.Edges {
		out = append(out, e.Subject+" "+e.Relation+" "+e.Object)
	}
	return sorted(out)
}

func sorted(s []string) []string {
	out := slices.Clone(s)
	slices.Sort(out)
	return out
}

// frame writes one key frame.
func (w *writer) frame(st *episode.Step) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s. Action: %s.", cmp.Or(st.Time, fmt.Sprintf("%02d:%02d", st.Index/60, st.Index%60)), w.action(st.Action))
	if !st.Observation.Missing {
		b.WriteString(" Visual observation: " + w.observation(&st.Observation))
	}
	if len(st.Sounds) > 0 {
		b.WriteString(" Auditory observation: " + strings.Join(st.Sounds, ", ") + ".")
	}
	return b.String()
}

// action writes an action by the first phrase of the ontology that has a place
// for each of its objects. A frame without one is a look.
func (w *writer) action(a episode.Action) string {
	schema, ok := w.onto.Action(a.Name)
	if a.Name == "" || !ok {
		return "Observe"
	}
	text := ""
	for _, p := range schema.Phrases {
		fits := strings.Contains(p, "{destination}") == (a.Destination != "") && strings.Contains(p, "{target}") == (a.Target != "")
		if fits && text == "" {
			text = p
		}
	}
	text = strings.NewReplacer("{target}", w.object(a.Target), "{destination}", w.object(a.Destination)).Replace(text)
	return strings.ToUpper(text[:min(1, len(text))]) + text[min(1, len(text)):]
}

// object is the name of an object in natural language: "fourth stove burner".
func (w *writer) object(name string) string {
	class, number := episode.SplitName(name)
	id, ok := w.onto.Lookup(class)
	if !ok {
		return name
	}
	label := w.onto.Terms[id].Label()
	if number == 0 || number == 1 && !w.several[class] {
		return label
	}
	if word := w.onto.OrdinalWord(number); word != "" {
		return word + " " + label
	}
	return fmt.Sprintf("%s %d", label, number)
}

func (w *writer) observation(o *episode.Observation) string {
	var items, sentences []string
	for _, n := range o.Nodes {
		text := w.object(n.ID)
		if words := append(w.states(n.States), n.Properties...); len(words) > 0 {
			text += " (" + strings.Join(words, " and ") + ")"
		}
		items = append(items, text)
	}
	held := false
	for _, e := range o.Edges {
		class, _ := episode.SplitName(e.Object)
		held = held || class == w.onto.Name(w.onto.Core.RobotGripper)
		sentences = append(sentences, w.object(e.Subject)+" is "+w.relation(e.Relation)+" "+w.object(e.Object)+".")
	}
	if !held {
		sentences = append(sentences, "nothing is inside "+w.object(w.onto.Name(w.onto.Core.RobotGripper))+".")
	}
	if len(items) > 0 {
		sentences = append([]string{strings.Join(items, ", ") + "."}, sentences...)
	}
	return strings.Join(sentences, " ")
}

func (w *writer) states(names []string) []string {
	var out []string
	for _, s := range names {
		if ids := w.onto.ByLabel(s, w.onto.Core.StateClass); len(ids) > 0 {
			s = w.onto.Terms[ids[0]].Label()
		}
		out = append(out, s)
	}
	return out
}

func (w *writer) relation(name string) string {
	if ids := w.onto.ByLabel(name, w.onto.Core.Relation); len(ids) > 0 {
		return w.onto.Terms[ids[0]].Label()
	}
	return name
}

// WriteFolder writes the summary of an episode with its task as a folder that
// ReadFolder reads. The folder is made where it does not exist; files of a log
// that is there already are not overwritten.
func WriteFolder(dir string, o *ontology.Ontology, ep *episode.Episode, level Level) error {
	for _, name := range []string{SummaryFile, TaskFile} { // nothing is half done
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return &fs.PathError{Op: "create", Path: filepath.Join(dir, name), Err: fs.ErrExist}
		}
	}
	return writeFolder(dir, false, o, ep, level)
}

// ReplaceFolder is WriteFolder over a summary that is there already.
func ReplaceFolder(dir string, o *ontology.Ontology, ep *episode.Episode, level Level) error {
	return writeFolder(dir, true, o, ep, level)
}

func writeFolder(dir string, overwrite bool, o *ontology.Ontology, ep *episode.Episode, level Level) error {
	t := task{Name: cmp.Or(ep.Task, "unknown"), Folder: ep.ID, Success: ep.Goal}
	for _, a := range ep.Plan {
		t.Actions = append(t.Actions, a.String())
	}
	t.details = detailsOf(ep)
	data, err := json.MarshalIndent(&t, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	text := strings.Join(Summarize(o, ep, level), "\n") + "\n"
	for name, data := range map[string][]byte{SummaryFile: []byte(text), TaskFile: append(data, '\n')} {
		if err := encode.File(filepath.Join(dir, name), overwrite, data); err != nil {
			return err
		}
	}
	return nil
}

// details are what mishap's own logs tell of an episode beyond REFLECT's; they are
// optional.
type details struct {
	Goal   [][]string        `json:"goal_conditions,omitempty"`
	Scene  [][]string        `json:"scene_facts,omitempty"`
	Params map[string]string `json:"params,omitempty"`
	People []setting.Person  `json:"people,omitempty"`
}

func detailsOf(ep *episode.Episode) details {
	return details{Goal: setting.Words(ep.GoalFacts), Scene: setting.Words(ep.Scene), Params: ep.Params, People: setting.FromPeople(ep.People)}
}

// fill puts the details into an episode; ok is false where a fact has not two or
// three words.
func (d *details) fill(ep *episode.Episode) (ok bool) {
	goal, goalFits := setting.Facts(d.Goal, 0)
	scene, sceneFits := setting.Facts(d.Scene, 0)
	ep.GoalFacts, ep.Scene, ep.Params, ep.People = goal, scene, d.Params, setting.People(d.People)
	return goalFits && sceneFits
}
