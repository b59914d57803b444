package language

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/memo"
	"github.com/mishap-robotics/mishap/ontology"
)

// Actions reads actions written as sentences, with the phrases of an ontology.
// Goroutines may share it.
type Actions struct {
	onto    *ontology.Ontology
	phrases func() []phrase // longest first; made when the first sentence is read, which many logs have none of
	agents  []string        // names of those who act, spelled alike
	isThing func(name string) bool
}

// Knowing is a to read what a log tells of, in which agents act and isThing reports whether a name is
// that of a thing: such names are kept as they are.
func (a *Actions) Knowing(agents []string, isThing func(name string) bool) *Actions {
	c := *a
	c.agents, c.isThing = nil, isThing
	for _, name := range agents {
		if name != "" {
			c.agents = append(c.agents, episode.Spelling(name))
		}
	}
	return &c
}

// phrase is a way to say an action.
type phrase struct {
	action  *ontology.ActionSchema
	text    string
	verb    string                // its first word
	pattern func() *regexp.Regexp // compiled when it is first asked for
}

// NewActions reads with the phrases of an ontology.
func NewActions(o *ontology.Ontology) *Actions {
	return &Actions{onto: o, phrases: func() []phrase { return known.Of(o) }}
}

var known = memo.New(phrases)

func phrases(o *ontology.Ontology) (out []phrase) {
	for _, action := range o.Actions {
		texts := slices.Clone(action.Phrases)
		for _, text := range action.Patterns {
			texts = append(texts, alternatives(text)...)
		}
		slices.Sort(texts)
		for _, text := range slices.Compact(texts) {
			verb, _, _ := strings.Cut(text, " ")
			out = append(out, phrase{action, text, verb, sync.OnceValue(func() *regexp.Regexp { return pattern(text) })})
		}
	}
	slices.SortStableFunc(out, func(a, b phrase) int { return len(b.text) - len(a.text) })
	return out
}

// leftOut stands in a pattern for words that say nothing of the action.
const leftOut = "{}"

// alternatives are the phrases that a pattern such as "(put|place) {target} down" stands for.
func alternatives(pattern string) []string {
	before, rest, ok := strings.Cut(pattern, "(")
	choice, after, closed := strings.Cut(rest, ")")
	if !ok || !closed {
		return []string{pattern}
	}
	var out []string
	for _, tail := range alternatives(after) {
		for one := range strings.SplitSeq(choice, "|") {
			out = append(out, before+one+tail)
		}
	}
	return out
}

func pattern(phrase string) *regexp.Regexp {
	p := regexp.QuoteMeta(phrase)
	p = strings.ReplaceAll(p, `\{target\}`, `(.+?)`)
	p = strings.ReplaceAll(p, `\{destination\}`, `(.+?)`)
	p = strings.ReplaceAll(p, `\{\}`, `.+?`)
	return regexp.MustCompile(`(?i)^` + p + `$`)
}

// ReadNamed is Read with the names of classes and instances for what the sentence calls
// the objects. What tells one of several apart is kept: "red mug".
func (a *Actions) ReadNamed(text string) (action episode.Action, known bool) {
	action, known = a.Read(text)
	for _, name := range []*string{&action.Target, &action.Destination} {
		if a.isThing != nil {
			if bare := withoutDeterminers(a.onto, *name); a.isThing(bare) {
				*name = bare
				continue
			}
		}
		if *name != "" && (strings.Contains(*name, " ") || !strings.ContainsAny(*name, "0123456789")) { // else it is the name of an instance
			if noun := ReadName(a.onto, *name); !noun.Part && !isIdentifier(*name, noun) && !isOwnName(a.onto, *name, noun) {
				*name = noun.Specific(a.onto)
			}
		}
	}
	return action, known
}

// isIdentifier reports whether a name is one word that ends in what tells nothing but one of
// several apart: "slipper_r".
func isIdentifier(name string, noun Noun) bool {
	return !strings.Contains(name, " ") && noun.Modifiers == "" && len(noun.Unread) > 0
}

// isOwnName reports whether a name is one word of two or more that is another label of its class,
// as "KitchenIsland" is of a counter top: a log may tell the two apart.
func isOwnName(o *ontology.Ontology, name string, noun Noun) bool {
	return noun.Class != ontology.None && noun.Number == 0 && noun.Modifiers == "" && strings.Contains(noun.Text, " ") &&
		!strings.Contains(name, " ") && episode.Spelling(name) == episode.Spelling(noun.Text) && episode.Spelling(name) != episode.Spelling(o.Name(noun.Class))
}

// Read reads an action: as plans write it, "(put_in, Mug, Sink)", as programs do, "[PUTIN]
// <mug> (1) <sink> (1)", "put_in(mug, sink)" and "(put-in mug sink)", or as a sentence, "Put
// mug in sink", whose objects keep the words of the sentence. known is false where
// the ontology knows no such action: then the name is the words before the first thing
// that the sentence names, and that thing is the target.
func (a *Actions) Read(text string) (action episode.Action, known bool) { return a.read(text, 0) }

// read is Read of a part of a sentence, so deep within others.
func (a *Actions) read(text string, depth int) (action episode.Action, known bool) {
	written := text
	text = a.plainly(text)
	if head, ok := a.readHead(text, depth); ok {
		return head, true
	}
	if strings.HasPrefix(text, "(") {
		if action, err := episode.ParseAction(a.onto, text); err == nil {
			if a.isOtherwiseMeant(text, action) {
				return a.unknownCall(text), false
			}
			if action.Destination != "" && a.isGripper(action.Destination) { // with what, and not to whom
				if other, ok := a.readCall(text); ok {
					return other, true
				}
			}
			return action, true
		}
	}
	if action, ok := a.readCall(text); ok {
		return action, true
	}
	if strings.HasPrefix(text, "(") {
		if action, ok := a.within(written, depth); ok {
			return action, true
		}
		return a.unknownCall(text), false
	}
	text = slashed.ReplaceAllStringFunc(strings.TrimRight(text, ".;:!… "), a.eitherWay)
	if _, named := a.onto.Action(text); named {
		if action, ok := a.read("("+text+")", depth); ok {
			return action, true
		}
	}
	if _, action, ok := a.find(text); ok {
		if other, ok := a.afterMove(text, action, depth); ok {
			return other, true
		}
		if both, ok := a.takenAndPut(text, action, depth); ok {
			return both, true
		}
		return action, true
	}
	if name, _, ok := strings.Cut(text, ","); ok {
		if _, known := a.onto.Action(strings.TrimSpace(name)); known {
			return a.read("("+text+")", depth)
		}
	}
	if action, ok := a.narrated(text, depth); ok {
		return action, true
	}
	if action, ok := a.within(written, depth); ok {
		return action, true
	}
	return a.unknownSentence(text), false
}

// isOtherwiseMeant reports whether a verb for what hands do stands for another action than the one
// that it mostly means, which cannot be done to its object: who presses a shirt turns nothing on.
func (a *Actions) isOtherwiseMeant(text string, action episode.Action) bool {
	verb, _, _ := strings.Cut(strings.Trim(text, "( "), ",")
	if !a.onto.IsWord(verb, ontology.Handling) || action.Target == "" {
		return false
	}
	schema, known := a.onto.Action(action.Name)
	class, fastened := ReadNoun(a.onto, action.Target).Class, a.onto.Roles.Fastened
	if class != ontology.None && fastened != ontology.None && a.onto.HasProperty(class, fastened) {
		return false // a button is pressed to do something to what it is on
	}
	return known && class != ontology.None && !a.onto.MayBeTarget(schema, class)
}

// find finds the phrase by which a sentence tells an action, that which says most of it;
// where none does as the sentence stands, without the words that say nothing of an action.
func (a *Actions) find(text string) (*phrase, episode.Action, bool) { return a.findIn(text, false) }

// findWhole is find of what says all that the sentence does: no word of it is left out.
func (a *Actions) findWhole(text string) (*phrase, episode.Action, bool) { return a.findIn(text, true) }

func (a *Actions) findIn(text string, whole bool) (*phrase, episode.Action, bool) {
	ph, action, ok := a.match(text, whole)
	if ok && a.isNamed(action.Target) {
		return ph, action, true
	}
	if before, _, told := strings.Cut(text, ": "); told { // "pick up the mug: done"
		if ph, action, found := a.match(before, whole); found && a.isNamed(action.Target) {
			return ph, action, true
		}
	}
	bare := remark.ReplaceAllString(text, " ")
	in := strings.Fields(strings.ReplaceAll(bare, ",", " "))
	var out []string
	for i := 0; i < len(in); {
		if n := WordsOf(a.onto, in[i:], ontology.Filler); n > 0 {
			i += n
			continue
		}
		if i == 1 && len(in) > 3 && a.onto.IsWord(in[i], ontology.Determiner) { // "press the button on the dishwasher"
			i++
			continue
		}
		out = append(out, in[i])
		i++
	}
	if len(out) == 0 || len(out) == len(in) && bare == text {
		return ph, action, ok
	}
	if ph, action, found := a.match(strings.Join(out, " "), whole); found && (!ok || a.isNamed(action.Target)) {
		return ph, action, true
	}
	return ph, action, ok
}

// isNamed reports whether a text names a thing of a class, or nothing at all.
func (a *Actions) isNamed(text string) bool {
	return text == "" || ReadName(a.onto, text).Class != ontology.None
}

// Wording is an action that a sentence tells by a phrase which says all of it, with the words that
// the sentence has for its objects.
type Wording struct {
	Action              *ontology.ActionSchema
	Target, Destination string
}

// Wordings are the ways to read all of a sentence by the phrases, those that say most first.
func (a *Actions) Wordings(text string) []Wording {
	verb, _, _ := strings.Cut(text, " ")
	phrases := a.phrases()
	var out []Wording
	for i := range phrases {
		if phrases[i].verb != verb || strings.Contains(phrases[i].text, leftOut) {
			continue
		}
		if m := phrases[i].pattern().FindStringSubmatch(text); m != nil {
			said := a.fill(phrases[i], m[1:])
			out = append(out, Wording{phrases[i].action, said.Target, said.Destination})
		}
	}
	return out
}

func (a *Actions) match(text string, whole bool) (*phrase, episode.Action, bool) {
	verb, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	phrases := a.phrases()
	var first *phrase
	var told episode.Action
	for i := range phrases {
		if !strings.EqualFold(phrases[i].verb, verb) || whole && strings.Contains(phrases[i].text, leftOut) {
			continue
		}
		m := phrases[i].pattern().FindStringSubmatch(text)
		if m == nil {
			continue
		}
		action := a.fill(phrases[i], m[1:])
		if place := a.onto.Roles.Place; place != nil && phrases[i].action.Family == place.Family && (a.acts(action.Target) || action.Destination != "" && a.isHand(action.Destination)) {
			continue // who moves its arm to a pose puts nothing
		}
		if a.isFiller(action.Target) || a.isFiller(action.Destination) || a.isDeed(action.Target) {
			continue
		}
		if a.isAnything(action.Target) {
			if action.Destination == "" {
				continue
			}
			action.Target = a.it() // "put the object on the table"
		}
		if a.canBe(&phrases[i], action) && (first == nil || a.isNamed(action.Target)) {
			return &phrases[i], action, true
		}
		if first == nil {
			first, told = &phrases[i], action
		}
	}
	return first, told, first != nil
}

// canBe reports whether an action can be done to what a sentence names, as far as that is
// known: who opens a faucet turns it on.
func (a *Actions) canBe(ph *phrase, action episode.Action) bool {
	if action.Target == "" {
		return true
	}
	class, to := ReadNoun(a.onto, action.Target).Class, ReadNoun(a.onto, action.Destination).Class
	return (class == ontology.None || a.onto.MayBeTarget(ph.action, class)) && (to == ontology.None || a.onto.MayBeDestination(ph.action, to))
}

// isFiller reports whether a text is nothing but words that say nothing: "back", of "move back
// to the table".
func (a *Actions) isFiller(text string) bool {
	in := strings.Fields(text)
	for i := 0; i < len(in); {
		n := WordsOf(a.onto, in[i:], ontology.Filler)
		if n == 0 {
			return false
		}
		i += n
	}
	return len(in) > 0
}

// isAnything reports whether a text names a thing without saying which or of what kind: "the object".
func (a *Actions) isAnything(text string) bool {
	if text == "" || strings.ContainsAny(text, "0123456789") {
		return false
	}
	n := ReadNoun(a.onto, text)
	return n.Class != ontology.None && n.Class == a.onto.Core.PhysicalObject && n.Modifiers == "" && len(n.Unread) == 0
}

// Hint names the known action whose name is nearest to an unknown one, as the end of a
// message; "" where none is near.
func (a *Actions) Hint(name string) string {
	var unknown *episode.UnknownActionError
	if errors.As(episode.CheckAction(a.onto, name), &unknown) && unknown.Nearest != "" {
		return " (did you mean " + unknown.Nearest + "?)"
	}
	return ""
}

// Err says why an action that Read does not know is none: the error of ParseAction where
// it is written as in a plan or is the name of one alone, else an *episode.UnknownActionError.
func (a *Actions) Err(text string) error {
	text = a.plainly(text)
	if _, named := a.onto.Action(text); named {
		text = "(" + text + ")"
	}
	if strings.HasPrefix(text, "(") {
		if _, err := episode.ParseAction(a.onto, text); err != nil {
			return err
		}
	}
	action, _ := a.Read(text)
	if err := episode.CheckAction(a.onto, action.Name); err != nil {
		return err
	}
	return fmt.Errorf("action %q, of which more is said than is understood; expected it alone, such as (%s, Object)", text, action.Name)
}

// AnyKnown reports whether any of some steps has an action that the ontology knows.
func AnyKnown(o *ontology.Ontology, steps []episode.Step) bool {
	return slices.ContainsFunc(steps, func(st episode.Step) bool {
		_, known := o.Action(st.Action.Name)
		return known
	})
}

// fill gives the words that a phrase leaves open to target and destination.
func (a *Actions) fill(p phrase, found []string) episode.Action {
	out := episode.Action{Name: p.action.Name}
	target, destination := strings.Index(p.text, "{target}"), strings.Index(p.text, "{destination}")
	for i, text := range found {
		if target >= 0 && (i == 0) == (destination < 0 || target < destination) {
			out.Target = text
		} else {
			out.Destination = text
		}
	}
	if place := a.onto.Roles.Place; place != nil && out.Destination != "" && a.loadsBelow(p, out.Destination) {
		out.Name = place.Name
	}
	return out
}

// loadsBelow reports whether a phrase puts something below what is loaded there, as a coffee
// machine.
func (a *Actions) loadsBelow(p phrase, destination string) bool {
	below := a.onto.Roles.Below
	return below != ontology.None && a.onto.SetsBeside(p.action) && slices.ContainsFunc(a.onto.Terms[below].Labels, func(l string) bool {
		return strings.Contains(p.text, " "+l+" {destination}")
	}) && a.onto.HasProperty(ReadNoun(a.onto, destination).Class, a.onto.Roles.LoadedBelow)
}

// unknownCall reads "(wipe, CounterTop)" without knowing what wipe is.
func (a *Actions) unknownCall(text string) episode.Action {
	parts := strings.Split(strings.Trim(text, "() "), ",")
	out := episode.Action{Name: strings.TrimSpace(parts[0])}
	if _, known := a.onto.Action(out.Name); known { // with other arguments than it takes
		out.Name = fmt.Sprintf("%s/%d", out.Name, len(parts)-1)
	}
	if len(parts) > 1 {
		out.Target = strings.TrimSpace(parts[1])
	}
	if len(parts) > 2 {
		out.Destination = strings.TrimSpace(parts[2])
	}
	return out
}

// longestVerb bounds the words before the object of an action, "put it back onto".
const longestVerb = 6

// unknownSentence reads "Wipe the counter top" without knowing what wiping is.
func (a *Actions) unknownSentence(text string) episode.Action {
	if m := function.FindStringSubmatch(text); m != nil {
		if name, args, ok := a.call(text); ok && len(args) > 0 && len(args) <= 3 {
			if args = slices.DeleteFunc(args, a.acts); len(args) > 0 {
				return a.unknownCall("(" + strings.Join(append([]string{name}, args...), ", ") + ")")
			}
		}
	}
	in := Words(text)
	for i := 1; i < min(len(in), longestVerb); i++ {
		if _, used := readNoun(a.onto, in[i:]); used > 0 {
			out := episode.Action{Name: strings.Join(in[:i], " "), Target: strings.Join(in[i:i+used], " ")}
			if _, known := a.onto.Action(out.Name); known { // with words after its object that it does not take
				out.Name = strings.Join(in, " ")
			}
			return out
		}
	}
	out := episode.Action{Name: strings.Join(in, " ")}
	if _, known := a.onto.Action(out.Name); known { // without the objects that it takes
		out.Name += "/0"
	}
	return out
}
