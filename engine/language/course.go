package language

import (
	"strings"

	"github.com/mishap-robotics/mishap/engine/episode"
)

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
		if !strings.EqualFold(ph.verb, verb) || !a.onto.IsNavigation(ph.action) {
			continue
		}
		if m := ph.pattern().FindStringSubmatch(sentence); m != nil {
			return a.fill(ph, m[1:]), true
		}
	}
	return episode.Action{}, false
}
