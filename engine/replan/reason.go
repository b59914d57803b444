package replan

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine/episode"
)

// Reason is something that prevents a subtask.
type Reason struct {
	Object string `json:"object"` // by name
	Text   string `json:"text"`   // what is the matter with it
	Votes  int    `json:"votes,omitempty"`
}

// DroppedReason is a reason that was not kept.
type DroppedReason struct {
	Reason
	Why string `json:"why"`
}

// Paraphrase is one way to ask what prevents a subtask.
type Paraphrase struct {
	Name string
	Text string // with {subtask}
}

// Paraphrases lists the questions that are put in turn when a subtask fails: a vision model that is asked in
// several ways errs less (RePlan, diagnosis of failures).
func Paraphrases() []Paraphrase { return slices.Clone(paraphrases) }

var paraphrases = []Paraphrase{
	{"prevents", "What in the scene prevents the robot from doing this: {subtask}?"},
	{"in the way", "The robot tried to do this: {subtask}. Which objects are in its way?"},
	{"not possible", "Why is it not possible for the robot to do this now: {subtask}?"},
	{"blocked", "Is anything blocked, closed, locked or held, so that the robot cannot do this: {subtask}?"},
	{"change first", "What would have to be changed in the scene before the robot can do this: {subtask}?"},
	{"went wrong", "The robot failed at this: {subtask}. Which objects explain it, and how?"},
}

// Ask is the question about a subtask.
func (p Paraphrase) Ask(s Subtask) string { return strings.ReplaceAll(p.Text, "{subtask}", s.String()) }

// maxReasons is how many reasons are kept for one failure.
const maxReasons = 2

// robotWords name the robot where the scene does not.
var robotWords = []string{"robot", "gripper", "arm", "hand", "palm", "finger", "fingers", "effector", "wrist"}

// consolidate makes at most MaxReasons reasons out of those given to several
// questions, one list for each: an object has a vote for each question that it was
// given to, and the text given most often. Names that are not in the scene are taken
// for the nearest that is, or their reasons dropped; so are those about the robot.
func consolidate(given [][]Reason, scene Scene) (kept []Reason, dropped []DroppedReason) {
	var all []*ballot
	for question, reasons := range given {
		for _, r := range reasons {
			name, why := objectOf(r.Object, scene)
			if why != "" {
				dropped = drop(dropped, r, why)
				continue
			}
			i := slices.IndexFunc(all, func(b *ballot) bool { return b.object == name })
			if i < 0 {
				i = len(all)
				all = append(all, &ballot{object: name, question: -1, texts: map[string]int{}})
			}
			all[i].add(r.Text, question)
		}
	}
	slices.SortStableFunc(all, func(a, b *ballot) int { return cmp.Compare(b.votes, a.votes) })
	for _, b := range all {
		r := Reason{Object: b.object, Text: b.text(), Votes: b.votes}
		if len(kept) < maxReasons {
			kept = append(kept, r)
		} else {
			dropped = append(dropped, DroppedReason{r, "others were given as often or oftener"})
		}
	}
	return kept, dropped
}

// drop notes a reason that is not kept, once.
func drop(list []DroppedReason, r Reason, why string) []DroppedReason {
	for i := range list {
		if list[i].Object == r.Object && list[i].Text == r.Text {
			list[i].Votes++
			return list
		}
	}
	r.Votes = 1
	return append(list, DroppedReason{r, why})
}

// objectOf is the name in the scene of what a reason is about; why tells that it is
// about nothing that counts.
func objectOf(name string, scene Scene) (object, why string) {
	t, ok := scene.Find(name)
	if !ok {
		for _, w := range strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r < 'a' || r > 'z' }) {
			if slices.Contains(robotWords, w) {
				return "", "it is about the robot"
			}
		}
		class, _ := episode.SplitName(name)
		if t, ok = scene.Nearest(name); !ok {
			t, ok = scene.Nearest(class)
		}
	}
	switch {
	case !ok:
		return "", "nothing in the scene is called so"
	case t.Robot:
		return "", "it is about the robot"
	}
	return t.Name, ""
}

// ballot counts the votes for one object.
type ballot struct {
	object   string
	votes    int
	question int // that it was last given to
	texts    map[string]int
	order    []string
}

func (b *ballot) add(text string, question int) {
	if question != b.question {
		b.votes, b.question = b.votes+1, question
	}
	if b.texts[text] == 0 {
		b.order = append(b.order, text)
	}
	b.texts[text]++
}

// text is the text given most often, the first of several.
func (b *ballot) text() string {
	return slices.MaxFunc(b.order, func(x, y string) int { return cmp.Compare(b.texts[x], b.texts[y]) })
}
