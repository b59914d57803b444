package language

import (
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

// Referring is an action with what a pronoun in it stands for: what the robot took last or, where it
// is to be taken, what the action before was of. The actions before are in order.
func (a *Actions) Referring(action episode.Action, before []episode.Action) episode.Action {
	if !isPronoun(a.onto, action.Target) {
		return action
	}
	take := a.onto.Roles.Take
	for _, b := range slices.Backward(before) {
		schema, _ := a.onto.Action(b.Name)
		if b.Target != "" && !a.onto.IsWord(b.Target, ontology.Pronoun) && take != nil && (action.Name == take.Name || schema == take) {
			action.Target = b.Target
			break
		}
	}
	return action
}

// isPronoun reports whether a text is a pronoun as sentences write it; "IT" is a name.
func isPronoun(o *ontology.Ontology, text string) bool {
	return o.IsWord(text, ontology.Pronoun) && (len(text) < 2 || text[1:] == strings.ToLower(text[1:]))
}

// OnTheWay makes of the sentences of a plan that only take a thing where the next one puts
// it, "Move pear to drawer" before "Put pear in drawer", goings there, in the actions that
// the plan was read as, and returns them by their sentences.
func (a *Actions) OnTheWay(sentences []string, plan []episode.Action) map[string]episode.Action {
	out := map[string]episode.Action{}
	for i := 0; i+1 < len(plan); i++ {
		now, next := plan[i], plan[i+1]
		if now.Destination == "" || now.Target != next.Target || now.Destination != next.Destination || strings.EqualFold(sentences[i], sentences[i+1]) {
			continue
		}
		if schema, ok := a.onto.Action(now.Name); ok && a.onto.IsNavigation(schema) {
			continue // it tells of the way as it stands: "carry pear to drawer"
		}
		if going, ok := a.going(sentences[i]); ok {
			going.Target = now.Destination // by the name that it goes by
			out[sentences[i]] = going
		}
	}
	for i, text := range sentences {
		if going, ok := out[text]; ok {
			plan[i] = going
		}
	}
	return out
}

// going reads a sentence as one that tells where the robot goes, if it can be.
func (a *Actions) going(sentence string) (episode.Action, bool) {
	sentence = strings.TrimRight(strings.TrimSpace(sentence), ". ")
	verb, _, _ := strings.Cut(sentence, " ")
	for _, ph := range a.phrases() {
		if !strings.EqualFold(ph.verb, verb) || !a.onto.IsNavigation(ph.action) || ph.action.Params > 1 {
			continue
		}
		if m := ph.pattern().FindStringSubmatch(sentence); m != nil {
			return a.fill(ph, m[1:]), true
		}
	}
	return episode.Action{}, false
}
