package labelled

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/language"
	"github.com/mishap-robotics/mishap/ontology"
)

// LabelScore is how well what was found agrees with the labels. Class, Time and Objects
// count the failing episodes in which some finding is right in that respect and in those
// before it.
type LabelScore struct {
	Episodes   int `json:"episodes"` // with a label
	Read       int `json:"read"`
	Failing    int `json:"failing"`
	Found      int `json:"found"`       // failing episodes with any finding
	Class      int `json:"class"`       // with one of a right class
	Time       int `json:"time"`        // of a right class at a right time
	Objects    int `json:"objects"`     // and with the right objects
	FirstRight int `json:"first_right"` // all that, and it is the first finding
	Extra      int `json:"extra"`       // findings of failing episodes beside the right one
	Clean      int `json:"clean"`
	Alarmed    int `json:"clean_with_alarm"`
	// ByClass counts the failing episodes by the first class of their label.
	ByClass []ClassResult `json:"by_class"`
	Misses  []Miss        `json:"misses"`
	// Unlabelled are episodes without a label, Unused labels without an episode.
	Unlabelled []string `json:"unlabelled,omitempty"`
	Unused     []string `json:"unused,omitempty"`
	// UnknownClasses are classes of labels that the ontology does not have, each with where it
	// stands first: no finding is of one.
	UnknownClasses []string `json:"unknown_classes,omitempty"`
}

// ClassResult counts the episodes of one class.
type ClassResult struct {
	Class      string `json:"class"`
	Failing    int    `json:"failing"`
	FirstRight int    `json:"first_right"`
}

// Miss is an episode that is not judged as its label says.
type Miss struct {
	Episode string   `json:"episode"`
	Why     string   `json:"why"`
	Want    string   `json:"want"`
	Got     []string `json:"got,omitempty"` // the findings, in order
}

// Labels are the truths of a set of logs, by the names that they go by.
type Labels struct {
	onto   *ontology.Ontology
	truths []*Label
	used   map[*Label]bool
	result LabelScore
	byName map[string]*Label
}

// NewLabels makes labels ready. Class names that the ontology does not know are right
// for no finding; the result lists them.
func NewLabels(o *ontology.Ontology, truths []*Label) *Labels {
	l := &Labels{onto: o, truths: truths, used: map[*Label]bool{}, byName: map[string]*Label{}}
	for _, t := range truths {
		l.byName[t.Episode] = t
	}
	l.result.Episodes = len(truths)
	l.result.UnknownClasses = unknownClasses(o, truths)
	return l
}

func unknownClasses(o *ontology.Ontology, truths []*Label) (out []string) {
	var names []string
	for _, id := range o.Subclasses(o.Core.Failure) {
		names = append(names, o.Name(id))
	}
	told := map[string]bool{"*": true}
	for _, t := range truths {
		for _, class := range t.Classes {
			if id, known := o.Lookup(class); told[class] || known && o.IsA(id, o.Core.Failure) {
				continue
			}
			told[class] = true
			out = append(out, fmt.Sprintf("%s (%s%s)", class, t.place, ontology.Hint(class, names)))
		}
	}
	return out
}

// of is the label of an episode: by its id, else by the name of its folder or file.
func (l *Labels) of(id, source string) *Label {
	base := filepath.Base(source)
	for _, name := range []string{id, base, strings.TrimSuffix(base, ".jsonl")} {
		if t := l.byName[name]; t != nil {
			return t
		}
	}
	return nil
}

// Refused notes a log that could not be read.
func (l *Labels) Refused(source string, err error) {
	if t := l.of("", source); t != nil && !l.used[t] {
		l.used[t] = true
		l.count(t)
		l.miss(t, "not read: "+err.Error(), nil)
	}
}

func (l *Labels) count(t *Label) {
	if t.Clean() {
		l.result.Clean++
		return
	}
	l.result.Failing++
	l.class(t.Classes[0]).Failing++
}

func (l *Labels) class(name string) *ClassResult {
	i := slices.IndexFunc(l.result.ByClass, func(c ClassResult) bool { return c.Class == name })
	if i < 0 {
		i = len(l.result.ByClass)
		l.result.ByClass = append(l.result.ByClass, ClassResult{Class: name})
	}
	return &l.result.ByClass[i]
}

// Checked scores an episode that was checked.
func (l *Labels) Checked(res *engine.Result) {
	t := l.of(res.Episode.ID, res.Episode.Source)
	if t == nil || l.used[t] {
		l.result.Unlabelled = append(l.result.Unlabelled, res.Episode.ID)
		return
	}
	l.used[t] = true
	l.count(t)
	l.result.Read++
	if t.Clean() {
		if len(res.Findings) > 0 {
			l.result.Alarmed++
			l.miss(t, "an alarm where nothing goes wrong", res)
		}
		return
	}
	l.failing(t, res)
}

// failing scores an episode in which something goes wrong. The finding that is right in
// most respects counts, the earliest of several.
func (l *Labels) failing(t *Label, res *engine.Result) {
	clock := newClock(res.Episode)
	best, right := -1, 0
	for i := range res.Findings {
		if r := l.respects(t, clock, &res.Findings[i]); r > right {
			best, right = i, r
		}
	}
	for i, n := range []*int{&l.result.Class, &l.result.Time, &l.result.Objects} {
		if right > i {
			*n++
		}
	}
	extra := len(res.Findings)
	if extra > 0 {
		l.result.Found++
	}
	if right == 3 {
		extra--
	}
	l.result.Extra += extra
	switch {
	case right == 3 && best == 0:
		l.result.FirstRight++
		l.class(t.Classes[0]).FirstRight++
		if extra > 0 {
			l.miss(t, "more findings than the right one", res)
		}
	case right == 3:
		l.miss(t, "the right finding is not the first", res)
	case len(res.Findings) == 0:
		l.miss(t, "nothing found", res)
	default:
		l.miss(t, []string{"no finding of a right class", "the time is wrong", "the objects are wrong"}[right], res)
	}
}

// respects counts in how many respects a finding is right: class, then time, then
// objects.
func (l *Labels) respects(t *Label, c *clock, f *engine.Finding) int {
	switch {
	case !l.rightClass(t, f.Type):
		return 0
	case !c.right(t, f):
		return 1
	case !l.rightObjects(t, f.Objects):
		return 2
	}
	return 3
}

func (l *Labels) rightClass(t *Label, class string) bool {
	id, _ := l.onto.Lookup(class)
	return slices.ContainsFunc(t.Classes, func(want string) bool {
		w, known := l.onto.Lookup(want)
		return want == "*" || want == class || known && l.onto.IsA(id, w)
	})
}

// rightObjects reports whether everything that must be named is.
func (l *Labels) rightObjects(t *Label, got []string) bool {
	for _, want := range t.Objects {
		some := slices.ContainsFunc(strings.Split(want, "|"), func(name string) bool {
			return slices.ContainsFunc(got, func(g string) bool { return l.means(name, g) })
		})
		if !some {
			return false
		}
	}
	return true
}

// means reports whether a name of a label is that of an object: the same instance, or
// its class, by its name or by a word for it.
func (l *Labels) means(name, object string) bool {
	if strings.EqualFold(name, object) {
		return true
	}
	class, _ := episode.SplitName(object)
	w, _ := l.onto.Lookup(name)
	c, known := l.onto.Lookup(class)
	if known && l.onto.IsA(c, w) {
		return true
	}
	if noun := language.ReadName(l.onto, name); known && noun.Class != ontology.None && l.onto.IsA(c, noun.Class) {
		return true // "JuiceCarton" is a carton
	}
	return episode.Spelling(name) == episode.Spelling(class) || known && slices.ContainsFunc(l.onto.ByLabel(name, l.onto.Core.PhysicalObject), func(w ontology.TermID) bool { return l.onto.IsA(c, w) })
}

func (l *Labels) miss(t *Label, why string, res *engine.Result) {
	m := Miss{Episode: t.Episode, Why: why, Want: t.String()}
	if res != nil {
		for i := range res.Findings {
			m.Got = append(m.Got, describe(res.Episode, &res.Findings[i]))
		}
	}
	l.result.Misses = append(l.result.Misses, m)
}

// Result is the score of what was checked so far. Labels that no episode had are listed.
func (l *Labels) Result() *LabelScore {
	out := l.result
	for _, t := range l.truths {
		if !l.used[t] {
			out.Unused = append(out.Unused, t.Episode)
		}
	}
	out.ByClass = slices.Clone(out.ByClass)
	slices.SortFunc(out.ByClass, func(a, b ClassResult) int { return cmp.Compare(a.Class, b.Class) })
	return &out
}
