package advice

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/language"
	"github.com/mishap-robotics/mishap/ontology"
)

// ends of clauses that say something of their own: "the burner must not stay on, so turn it off".
var clauseEnd = regexp.MustCompile(`[:;]\s+|,\s+so\s+|\s+[-–—]\s+|[.!]\s+`)

// byClauses takes a line of several clauses for the one action that they tell, and refuses one
// that tells of two. It is false where none of them tells any.
func (m *Mapper) byClauses(ctx context.Context, text string) (engine.AdviceLine, bool) {
	none := engine.AdviceLine{Text: text}
	clauses := clauseEnd.Split(numbering.ReplaceAllString(text, ""), -1)
	if topic, said, ok := m.topic(text); ok {
		clauses = []string{topic, said}
	}
	if len(clauses) < 2 || isCall(text) {
		return none, false
	}
	found, named, alone := none, "", false
	for _, c := range clauses {
		s := m.readSentence(c)
		line := m.Map(ctx, m.referring(c, named))
		if bare := strings.Trim(c, " .!"); line.Refused != "" && alone && len(s.mentions) == 0 && !strings.Contains(bare, " ") {
			line = m.Map(ctx, bare+" the "+named) // "microwave door: shut"
		}
		if len(s.mentions) > 0 {
			named, alone = s.mentions[0].object, len(s.mentions) == 1
		}
		switch {
		case line.Refused != "" || m.tells(s) || len(s.mentions) == 1 && s.mentions[0].begin == 0 && s.mentions[0].end == len(s.words) || !m.isMeantFor(line.Action):
		case found.Action.Name != "" && isOneOf(found.Action, line.Action):
			continue
		case found.Action.Name != "" && found.Action != line.Action && !isOneOf(line.Action, found.Action):
			none.Refused = fmt.Sprintf("it tells of two actions, %s and %s; expected one in a line", found.Action, line.Action)
			return none, true
		default:
			found = line
		}
	}
	found.Text = text
	return found, found.Action.Name != ""
}

// topic parts a line that names a thing first and then says what is done to it: "the door of the
// microwave, open it".
func (m *Mapper) topic(text string) (topic, said string, ok bool) {
	topic, said, ok = strings.Cut(numbering.ReplaceAllString(text, ""), ",")
	if !ok || !slices.ContainsFunc(strings.Fields(strings.ToLower(said)), func(w string) bool { return m.Ontology.IsWord(strings.Trim(w, ".!"), ontology.Pronoun) }) {
		return "", "", false
	}
	s := m.readSentence(topic)
	return topic, said, len(s.mentions) == 1 && len(s.cues) == 0 && s.mentions[0].begin == 0 && !s.stated
}

// isOneOf reports whether an action is done to one of the things of a class that another is done to.
func isOneOf(one, any episode.Action) bool {
	class, _ := episode.SplitName(one.Target)
	return one.Name == any.Name && one.Destination == any.Destination && class == any.Target
}

// tells reports whether a clause says of a thing how it is.
func (m *Mapper) tells(s *saidLine) bool {
	if !s.plain || len(s.mentions) == 0 || s.mentions[0].begin > 0 {
		return false
	}
	at := s.mentions[0].end
	return at+2 == len(s.words) && m.Ontology.IsWord(s.words[at], ontology.Linking) && len(m.Ontology.ByLabel(s.words[at+1], m.Ontology.Core.StateClass)) > 0
}

// referring is a clause with what a pronoun in it stands for.
func (m *Mapper) referring(clause, object string) string {
	words := strings.Fields(clause)
	for i, w := range words {
		if object != "" && m.Ontology.IsWord(strings.ToLower(strings.Trim(w, ".,!")), ontology.Pronoun) {
			words[i] = object
		}
	}
	return strings.Join(words, " ")
}

// byResult takes a sentence that says what is to come of it for that, if what is done may bring it
// about: "give the fridge door a push so that it closes".
func (m *Mapper) byResult(ctx context.Context, s *saidLine, line engine.AdviceLine) (engine.AdviceLine, bool) {
	n := 0
	if s.reasons < len(s.words) && len(s.mentions) > 0 && !s.mentions[0].aside {
		n = language.WordsOf(m.Ontology, s.words[s.reasons:], ontology.Result)
	}
	if n == 0 || s.reasons+n+1 >= len(s.words) {
		return line, false
	}
	words := slices.Clone(s.words[s.reasons+n:])
	of := s.mentions[0].object
	if m.Ontology.IsWord(words[0], ontology.Pronoun) {
		words = append([]string{words[1], of}, words[2:]...)
	} else if told := m.readSentence(strings.Join(words, " ")); len(told.mentions) == 0 {
		words = append(words, of)
	} else if told.mentions[0].object != of {
		return line, false
	}
	told, ok := m.nearest(ctx, strings.Join(words, " "))
	schema, known := m.Ontology.Action(told.Action.Name)
	if !ok || !known || schema.Required == 0 || m.Ontology.IsNavigation(schema) || told.Action.Target != of || !m.isMeantFor(told.Action) || s.cues[schema] == 0 && !m.Ontology.IsWord(s.words[s.lead], ontology.Handling) {
		return line, false
	}
	told.Text = line.Text
	return told, true
}

// broughtTo is the thing that a verb by itself brings something to, as who bins it brings it to
// the bin; "" for none.
func (m *Mapper) broughtTo(s *saidLine, a *ontology.ActionSchema) string {
	at := s.told[a]
	if a.Params < 2 || len(at) == 0 || at[0] != s.lead || slices.ContainsFunc(s.mentions, func(x mention) bool { return x.placed && !x.aside }) {
		return ""
	}
	var words []string
	for _, i := range at {
		words = append(words, s.words[i])
	}
	said, found := strings.Join(words, " "), ""
	for _, o := range m.Objects {
		class, _ := m.Ontology.Lookup(o.Class)
		if class == ontology.None || !slices.Contains(m.Ontology.PlaceVerbs(class), said) {
			continue
		}
		if found != "" {
			return ""
		}
		found = o.Name
	}
	return found
}
