package advice

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
)

// sentences are texts of which each is clean, for a block.
func sentences(texts []string) []string {
	var out []string
	for _, text := range texts {
		out = append(out, clean(text, longestSentence))
	}
	return out
}

// heard lists the last sounds of an episode, with their steps. A sound that goes on is
// listed once.
func heard(a *engine.Projection) []string {
	var out []string
	before := ""
	for _, st := range a.Episode.Steps {
		if st.Index > int(a.Last()) {
			break
		}
		text := strings.Join(st.Sounds, ", ")
		if text != "" && text != before {
			out = append(out, clean(fmt.Sprintf("step %d: %s", st.Index, text), longestSentence))
		}
		before = text
	}
	return out[max(0, len(out)-mostHeard):]
}

// people lists who is served, with what they must not or will not have.
func people(ep *episode.Episode) []string {
	var out []string
	for _, p := range ep.People {
		var says []string
		if len(p.Diets) > 0 {
			says = append(says, "is "+strings.Join(p.Diets, " and "))
		}
		if len(p.Dislikes) > 0 {
			says = append(says, "will not have "+strings.Join(p.Dislikes, " or "))
		}
		out = append(out, clean(cmp.Or(p.Name, "somebody")+" "+strings.Join(says, " and "), longestSentence))
	}
	return out
}

// obstacles are the first of what stands against the rest of the plan.
func obstacles(s *engine.Situation) []string {
	out := sentences(s.Obstacles[:min(len(s.Obstacles), mostObstacles)])
	if n := len(s.Obstacles) - len(out); n > 0 {
		out = append(out, fmt.Sprintf("%d more", n))
	}
	return out
}

// window is the part of the plan that an error concerns.
func window(s *engine.Situation) *windowData {
	w := s.Window
	if w == nil {
		return nil
	}
	out := &windowData{Kind: w.Kind, Fails: sentence(w.Fails)}
	if w.Lacks != "" {
		out.Lacks = sentence(w.Lacks)
	}
	if w.Source != "" {
		out.Source = sentence(w.Source)
	}
	for _, a := range w.Plan {
		out.Plan = append(out.Plan, callText(a))
	}
	return out
}

// strategies word strategies of the ontology in full: their text, whether a person is
// asked, their actions on what there is now, and what came of them before.
func strategies(s *engine.Situation, list []engine.GroundedStrategy) []string {
	class := ""
	switch {
	case s.Finding != nil:
		class = s.Finding.Type
	case s.Threat != nil:
		class = s.Threat.Type
	}
	var out []string
	for _, st := range list {
		text := st.Name + ": " + st.Description
		if st.AsksHuman {
			text += " A person is asked."
		}
		if len(st.Actions) > 0 {
			text += " " + strings.Join(st.Actions, " ")
		}
		if u := s.Experience.Of(class, st.Name); u.Tried > 0 {
			text += fmt.Sprintf(" It reached the goal %d of %d times before.", u.Reached, u.Tried)
		}
		out = append(out, `"`+clean(text, longestStrategy)+`"`)
	}
	return out
}

// stuck is why mishap has no plan itself.
func stuck(p *engine.Proposal) []string {
	var out []string
	for _, text := range p.Impossible {
		out = append(out, "the goal cannot be reached, as far as is known: "+text)
	}
	if len(out) == 0 {
		for _, text := range p.Unmet {
			out = append(out, "its best plan does not reach this: "+text)
		}
	}
	out = append(out, p.Violated...)
	if len(out) == 0 {
		out = append(out, "it found none")
	}
	return sentences(out)
}
