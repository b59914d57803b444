package language

import (
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/memo"
	"github.com/mishap-robotics/mishap/ontology"
)

// deepest bounds the sentences within sentences that are read.
const deepest = 3

// narrated reads an action that a sentence tells as who watches the robot would, "the robot picks up
// the mug", "picking up the mug", or after words on it: "step 3: pick up the mug".
func (a *Actions) narrated(text string, depth int) (episode.Action, bool) {
	if depth == deepest {
		return episode.Action{}, false
	}
	if before, rest, ok := strings.Cut(text, ": "); ok && !a.namesPerson(before) {
		if action, known := a.read(rest, depth+1); known {
			return action, true
		}
	}
	if action, ok := a.putWhatIsHeld(text); ok {
		return action, true
	}
	in := strings.Fields(text)
	if at := slices.IndexFunc(in, func(w string) bool { return strings.HasSuffix(w, ",") }); at >= 0 && at+1 < len(in) && WordsOf(a.onto, lower(in), ontology.Leading) > 0 {
		if action, known := a.read(strings.Join(in[at+1:], " "), depth+1); known {
			return action, true
		}
	}
	for begun := false; len(in) > 0; begun = true {
		for _, verb := range append(a.baseForms(in[0]), in[0]) {
			if verb == in[0] && !begun {
				continue // as it stands it is read already
			}
			in := slices.Concat([]string{verb}, in[1:])
			if _, action, ok := a.find(strings.Join(in, " ")); ok {
				if both, ok := a.takenAndPut(strings.Join(in, " "), action, depth); ok {
					return both, true
				}
				return action, true
			}
			if action, ok := a.readCall(strings.Join(in, " ")); ok {
				return action, true
			}
		}
		n := a.beforeVerb(in)
		if n == 0 {
			break
		}
		in = in[n:]
	}
	if action, ok := a.opensHand(strings.Fields(text)); ok {
		return action, true
	}
	return a.passive(in)
}

// putWhatIsHeld reads a sentence that says only where what is held goes, "drop in the basket".
func (a *Actions) putWhatIsHeld(text string) (episode.Action, bool) {
	in, place := Words(text), a.onto.Roles.Place
	if len(in) < 3 || place == nil || a.it() == "" || slices.ContainsFunc(a.phrases(), func(p phrase) bool { return p.action == a.onto.Roles.Move && p.verb == in[0] }) {
		return episode.Action{}, false // who moves to the table moves himself
	}
	for n := 1; n < min(len(in)-1, longestVerb); n++ {
		if WordsOf(a.onto, in[n:], ontology.Toward) == 0 {
			continue
		}
		told := strings.Join(slices.Concat(in[:n], []string{a.it()}, in[n:]), " ")
		if ph, action, ok := a.findWhole(told); ok && ph.action.Family == place.Family && action.Target == a.it() && a.isThingNamed(action.Destination) {
			return action, true
		}
	}
	return episode.Action{}, false
}

// opensHand reads what a gripper does of itself, "the gripper opens above the tray".
func (a *Actions) opensHand(in []string) (episode.Action, bool) {
	for n := 1; n < min(len(in), longestLabel); n++ {
		hand := strings.Join(lower(in[:n]), " ")
		if !a.isGripper(hand) {
			continue
		}
		for _, verb := range a.baseForms(lower(in[n:])[0]) {
			if _, action, ok := a.findWhole(verb + " " + hand); ok && action.Target == "" {
				return action, true
			}
		}
	}
	return episode.Action{}, false
}

// passive reads what was done to a thing, "the mug picked up", "mug is placed on the table".
func (a *Actions) passive(in []string) (episode.Action, bool) {
	small := lower(in)
	n := 1 // words of the thing
	for n < len(in) && a.auxiliary(small[n:]) == 0 && !a.isParticiple(small[n]) {
		n++
	}
	thing := strings.Join(in[:min(n, len(in))], " ")
	if noun := ReadName(a.onto, thing); noun.Class == ontology.None || a.onto.IsA(noun.Class, a.onto.Core.Agent) {
		return episode.Action{}, false
	}
	at := n
	for at < len(in) && a.auxiliary(small[at:]) > 0 {
		at += a.auxiliary(small[at:])
	}
	if at >= len(in) || !a.isParticiple(small[at]) {
		return episode.Action{}, false
	}
	rest := in[at+1:]
	if by := slices.Index(small[at+1:], "by"); by >= 0 && a.acts(strings.Join(small[at+by+2:], " ")) {
		rest = rest[:by]
	}
	for _, verb := range a.baseForms(small[at]) {
		_, action, ok := a.findWhole(strings.Join(slices.Concat([]string{verb, thing}, rest), " "))
		if ok && action.Target == thing {
			return action, true
		}
	}
	return episode.Action{}, false
}

// auxiliary is how many of the first of some words stand between a thing and what was done to it, "has
// been".
func (a *Actions) auxiliary(in []string) int {
	return max(WordsOf(a.onto, in, ontology.Linking), WordsOf(a.onto, in, ontology.Having), WordsOf(a.onto, in, ontology.Filler))
}

// isParticiple reports whether a word may be the form of a verb that has "picked".
func (a *Actions) isParticiple(word string) bool {
	return len(a.baseForms(word)) > 0 && !strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ing")
}

// isDeed reports whether a text begins with what is done, "placing" or "to place", or with where
// something comes from, and names no thing.
func (a *Actions) isDeed(text string) bool {
	in := strings.Fields(text)
	switch {
	case len(in) > 1 && a.onto.IsWord(in[0], ontology.Source):
		return true
	case len(in) == 0 || ReadName(a.onto, text).Class != ontology.None:
		return false
	case strings.HasSuffix(in[0], "ing") && len(a.baseForms(in[0])) > 0:
		return true
	}
	return len(in) > 1 && strings.EqualFold(in[0], "to") && a.isVerb(in[1])
}

// isInflected reports whether a word is a verb of a phrase with an ending.
func (a *Actions) isInflected(word string) bool {
	return len(a.baseForms(word)) > 0 && (strings.HasSuffix(word, "ed") || strings.HasSuffix(word, "ing") || strings.HasSuffix(word, "s"))
}

// isVerb reports whether a word is the verb of a phrase.
func (a *Actions) isVerb(word string) bool {
	return slices.ContainsFunc(a.phrases(), func(p phrase) bool { return strings.EqualFold(p.verb, word) })
}

// afterMove reads "walk to the mug and pick it up" as what is done after the move, which needs it.
func (a *Actions) afterMove(text string, first episode.Action, depth int) (episode.Action, bool) {
	if depth == deepest || a.onto.Roles.Move == nil || first.Name != a.onto.Roles.Move.Name {
		return episode.Action{}, false
	}
	in := strings.Fields(text)
	at := slices.IndexFunc(in, func(w string) bool { return a.onto.IsWord(strings.ToLower(w), ontology.Conjunction) })
	if at < 0 {
		return episode.Action{}, false
	}
	action, known := a.read(strings.Join(in[at+1:], " "), depth+1)
	if !known || action.Name == first.Name {
		return episode.Action{}, false
	}
	if a.onto.IsWord(strings.ToLower(action.Target), ontology.Pronoun) {
		for from := 1; from < at; from++ {
			if it := strings.Join(in[from:at], " "); !a.onto.IsWord(strings.ToLower(in[from]), ontology.Toward) && a.isNamed(it) {
				action.Target = it
				break
			}
		}
	}
	return action, true
}

// takenAndPut reads "pick up the apple and place it in the bowl" as one action that does both.
func (a *Actions) takenAndPut(text string, first episode.Action, depth int) (episode.Action, bool) {
	both := a.onto.Roles.Transfer
	if depth == deepest || both == nil || a.onto.Roles.Take == nil || first.Name != a.onto.Roles.Take.Name {
		return episode.Action{}, false
	}
	in := strings.Fields(text)
	small := lower(in)
	at := slices.IndexFunc(small, func(w string) bool { return a.onto.IsWord(w, ontology.Conjunction) })
	if at < 0 {
		return episode.Action{}, false
	}
	_, taken, ok := a.find(strings.TrimRight(strings.Join(in[:at], " "), ", "))
	rest := at + 1
	for rest < len(in) && a.onto.IsWord(small[rest], ontology.Conjunction) {
		rest++
	}
	if !ok || taken.Name != first.Name || taken.Target == "" || rest+1 >= len(in) {
		return episode.Action{}, false
	}
	tail := slices.Clone(in[rest:])
	if n := WordsOf(a.onto, small[rest+1:], ontology.Toward); n > 0 { // "and place on the block"
		tail = slices.Insert(tail, 1, a.it())
	}
	put, known := a.read(strings.Join(tail, " "), depth+1)
	schema, _ := a.onto.Action(put.Name)
	if !known || schema == nil || put.Destination == "" || a.onto.Roles.Place == nil || schema.Family != a.onto.Roles.Place.Family ||
		!a.onto.IsWord(strings.ToLower(put.Target), ontology.Pronoun) && !strings.EqualFold(put.Target, taken.Target) {
		return episode.Action{}, false
	}
	return episode.Action{Name: both.Name, Target: taken.Target, Destination: put.Destination}, true
}

// it is the word for what was named last, or is in the hand; "" where the ontology has none.
func (a *Actions) it() string {
	for _, w := range a.onto.Words(ontology.Pronoun) {
		return w
	}
	return ""
}

// namesPerson reports whether a text begins with a person: what they do the robot does not.
func (a *Actions) namesPerson(text string) bool {
	n, _ := readNoun(a.onto, Words(text))
	return n.Class != ontology.None && a.onto.Core.Human != ontology.None && a.onto.IsA(n.Class, a.onto.Core.Human)
}

// beforeVerb is how many of the first words of a sentence say nothing of what is done but that the
// robot does it: "1.", "the robot", "has", "left arm".
func (a *Actions) beforeVerb(in []string) int {
	if strings.Trim(in[0], "#0123456789") != in[0] && strings.Trim(in[0], "#0123456789.):-") == "" {
		return 1
	}
	small := lower(in)
	for _, kind := range []ontology.WordKind{ontology.Preamble, ontology.Filler, ontology.Aspect, ontology.Pronoun, ontology.Linking, ontology.Having} {
		if n := WordsOf(a.onto, small, kind); n > 0 {
			return n
		}
	}
	for n := min(len(in), longestLabel); n > 0; n-- {
		if a.acts(strings.Join(small[:n], " ")) && !slices.ContainsFunc(small[1:n], a.isInflected) {
			return n
		}
	}
	return 0
}

func lower(in []string) []string {
	out := make([]string, len(in))
	for i, w := range in {
		out[i] = strings.Trim(strings.ToLower(w), ",:[]")
	}
	return out
}

// baseForms are the verbs of phrases that a word may be a form of: "pick" of "picks".
func (a *Actions) baseForms(word string) []string { return verbForms.Of(a.onto)[strings.ToLower(word)] }

var verbForms = memo.New(func(o *ontology.Ontology) map[string][]string {
	out := map[string][]string{}
	for _, p := range known.Of(o) {
		verb := strings.ToLower(p.verb)
		for _, form := range append(regularForms(verb), o.Words(ontology.FormOf(verb))...) {
			if form != verb && !slices.Contains(out[form], verb) {
				out[form] = append(out[form], verb)
			}
		}
	}
	return out
})

// regularForms are those of a verb in the third person, in the past and as a participle. Where a
// last consonant may be doubled, both spellings are given.
func regularForms(verb string) []string {
	const vowels = "aeiou"
	n := len(verb)
	if n < 2 {
		return nil
	}
	last, before := verb[n-1], verb[n-2]
	short := verb[:n-1]
	isVowel := func(c byte) bool { return strings.IndexByte(vowels, c) >= 0 }
	switch {
	case last == 'e':
		return []string{verb + "s", verb + "d", short + "ing", verb + "ing"}
	case last == 'y' && !isVowel(before):
		return []string{short + "ies", short + "ied", verb + "ing"}
	}
	out := []string{verb + "ed", verb + "ing", verb + "s"}
	if strings.IndexByte("sxzo", last) >= 0 || strings.HasSuffix(verb, "ch") || strings.HasSuffix(verb, "sh") {
		out = append(out, verb+"es")
	}
	if !isVowel(last) && isVowel(before) {
		out = append(out, verb+string(last)+"ed", verb+string(last)+"ing")
	}
	return out
}
