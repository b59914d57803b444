package advice

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/language"
	"github.com/mishap-robotics/mishap/ontology"
)

// ends of clauses that say something of their own: "the burner must not stay on, so turn it off".
var clauseEnd = regexp.MustCompile(`[:;]\s+|,\s+so\s+|\s+[-–—]\s+|[.!?]\s+`)

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
	found, named, alone, stated := none, "", false, false // stated: what was found tells of a thing
	for _, c := range clauses {
		s := m.readSentence(c)
		line := m.Map(ctx, m.referring(c, named))
		if bare := strings.Trim(c, " .!"); line.Refused != "" && alone && len(s.mentions) == 0 && !strings.Contains(bare, " ") {
			line = m.Map(ctx, bare+" the "+named) // "microwave door: shut"
		}
		if part, ok := m.ofWhole(s, c, named); ok && line.Refused != "" {
			line = m.Map(ctx, part)
		}
		if len(s.mentions) > 0 {
			named = s.mentions[0].object
			alone = len(s.mentions) == 1 && s.mentions[0].begin == 0 && s.mentions[0].end == len(s.words)
		}
		switch {
		case line.Refused != "" || m.tells(s) || len(s.mentions) == 1 && s.mentions[0].begin == 0 && s.mentions[0].end == len(s.words) || !m.isMeantFor(line.Action):
		case found.Action.Name != "" && (isOneOf(found.Action, line.Action) || m.isThither(s, found.Action, line.Action)):
			continue
		case found.Action.Name == line.Action.Name && line.Action.Target == "":
			continue // "let me know what is in the box: look inside"
		case found.Action.Name != "" && found.Action != line.Action && !isOneOf(line.Action, found.Action) && !(stated && m.orders(s) && line.Action.Target == found.Action.Target):
			none.Refused = fmt.Sprintf("it tells of two actions, %s and %s; expected one in a line", found.Action, line.Action)
			return none, true
		default:
			found, stated = line, len(s.mentions) > 0 && s.mentions[0].begin == s.lead
		}
	}
	if named != "" && found.Action.Target == "" && m.isLook(found.Action) {
		found.Action.Target = named // "find: mug"
	}
	found.Text = text
	return found, found.Action.Name != ""
}

// orders reports whether a clause begins with a verb of an action.
func (m *Mapper) orders(s *saidLine) bool {
	return s.lead < len(s.words) && !s.inMention(s.lead) && m.vocabulary().verbs[stem(s.words[s.lead])]
}

// ofWhole is a clause that ends with parts of a thing, of which one before it spoke, with that thing:
// "the vase broke, so sweep up the shards".
func (m *Mapper) ofWhole(s *saidLine, clause, named string) (string, bool) {
	n := len(s.words)
	if named == "" || len(s.mentions) > 0 || n < 3 || !m.Ontology.IsWord(s.words[n-1], ontology.Portion) || !m.isDeterminer(s.words[n-2]) {
		return "", false
	}
	return strings.Trim(clause, " .!") + " of the " + named, true
}

func (m *Mapper) isLook(a episode.Action) bool {
	return m.Ontology.Roles.Look != nil && a.Name == m.Ontology.Roles.Look.Name
}

// conjunctions join two clauses: "take the pot and put it in the cabinet".
var conjunctions = regexp.MustCompile(`(?i),?\s+and\s+(?:then\s+)?(?:you\s+)?|,\s+then\s+(?:you\s+)?`)

// twoInOne refuses a line that is taken for an action and tells of another behind a conjunction with
// a verb of its own; it is false for any other.
func (m *Mapper) twoInOne(ctx context.Context, text string, line engine.AdviceLine) (engine.AdviceLine, bool) {
	none := engine.AdviceLine{Text: text}
	at := conjunctions.FindStringIndex(text)
	if at == nil || line.Refused != "" || isCall(text) || !m.isMeantFor(line.Action) {
		return none, false
	}
	before, after := text[:at[0]], text[at[1]:]
	verb, _, _ := strings.Cut(after, " ")
	first := m.readSentence(before)
	if !m.vocabulary().verbs[stem(strings.ToLower(strings.Trim(verb, ".,!?")))] || len(first.mentions) == 0 || first.stated || first.lead > 0 {
		return none, false
	}
	if one := m.known(ctx, before); one.Refused != "" || one.Action != line.Action {
		return none, false // the first leads to the second: "reach into the fridge and take out the egg"
	}
	two := m.known(ctx, m.referring(after, first.mentions[0].object))
	schema, known := m.Ontology.Action(two.Action.Name)
	if m.isOfPieces(first, after) || m.isThither(m.readSentence(after), line.Action, two.Action) {
		return none, false
	}
	if two.Refused != "" || !known || schema.Required == 0 || !m.isMeantFor(two.Action) || isOneOf(line.Action, two.Action) || isOneOf(two.Action, line.Action) || line.Action == two.Action {
		return none, false
	}
	none.Refused = fmt.Sprintf("it tells of two actions, %s and %s; expected one in a line", line.Action, two.Action)
	return none, true
}

// isOfPieces reports whether a pronoun of a clause stands for the pieces of a thing that the one before it
// speaks of, and not for the thing: "sweep the shards of the mug together and clear them away".
func (m *Mapper) isOfPieces(before *saidLine, clause string) bool {
	x := before.mentions[0]
	pieces := slices.ContainsFunc(before.words[x.begin:x.from], func(w string) bool { return m.Ontology.IsWord(w, ontology.Portion) })
	words := strings.Fields(strings.ToLower(clause))
	return pieces && slices.ContainsFunc(words, func(w string) bool { return m.Ontology.IsWord(strings.Trim(w, ".,!"), ontology.Pronoun) })
}

// withoutRemarks leaves out what is said between commas, or before the first and behind the last, that
// names no thing, tells of no action, and neither denies nor limits what the rest says: "open the
// window, would you, it is stuffy".
func (m *Mapper) withoutRemarks(text string) (string, bool) {
	if isCall(text) || !strings.Contains(text, ",") {
		return "", false
	}
	var kept []string
	all := strings.Split(text, ",")
	for _, part := range all {
		if !m.isRemark(part) {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, ","), len(kept) > 0 && len(kept) < len(all)
}

func (m *Mapper) isRemark(part string) bool {
	s := m.readSentence(part)
	tells := len(s.cues) > 0 && (s.verb <= s.lead || m.vocabulary().verbs[stem(s.words[s.lead])])
	if len(s.mentions) > 0 || tells || m.denies(s) {
		return false // but "it is getting cold" tells of nothing to do
	}
	words := strings.Fields(signs.ReplaceAllString(strings.ToLower(part), " "))
	for i, w := range words {
		if m.Ontology.IsWord(w, ontology.Pronoun) && i > 0 || m.Ontology.IsWord(w, ontology.Leading) || m.isPreposition(w) && i == 0 {
			return false
		}
	}
	asks := len(words) > 1 && m.isDeterminer(words[1]) && !s.stated // "wipe the wall"
	return len(words) > 0 && !asks && language.WordsOf(m.Ontology, words, ontology.Limiting) == 0
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

// isThither reports whether a clause that says "there" brings something to where one before it does.
func (m *Mapper) isThither(s *saidLine, before, now episode.Action) bool {
	there := slices.ContainsFunc(s.words, func(w string) bool { return m.Ontology.IsWord(w, ontology.Thither) })
	return there && before.Destination != "" && before.Target == now.Target && now.Destination != before.Destination
}

// isOneOf reports whether an action is done to one of the things of a class that another is done to.
func isOneOf(one, any episode.Action) bool {
	class, _ := episode.SplitName(one.Target)
	return one.Name == any.Name && one.Destination == any.Destination && class == any.Target
}

// tells reports whether a clause says of a thing how it is.
func (m *Mapper) tells(s *saidLine) bool {
	if len(s.mentions) == 0 || s.mentions[0].begin > s.lead {
		return false
	}
	at := s.mentions[0].end
	if len(s.mentions) == 2 && s.mentions[1].end == len(s.words) && at+1 < len(s.words) && m.Ontology.IsWord(s.words[at], ontology.Progressive) && (s.mentions[1].beside || m.isPreposition(s.words[at+1])) {
		return true // "the sponge is next to the tap"
	}
	return at+2 == len(s.words) && m.Ontology.IsWord(s.words[at], ontology.Linking) && len(m.Ontology.ByLabel(s.words[at+1], m.Ontology.Core.StateClass)) > 0
}

// referring is a clause with what a pronoun in it stands for.
func (m *Mapper) referring(clause, object string) string {
	words := strings.Fields(clause)
	for i, w := range words {
		bare := strings.ToLower(strings.Trim(w, ".,!"))
		if object != "" && (m.Ontology.IsWord(bare, ontology.Pronoun) || i > 0 && i+1 == len(words) && m.isDeterminer(bare)) { // "take those"
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

// byManner takes a sentence that says how it is done, to what it names before, for that: "let some air
// in through the window by opening it".
func (m *Mapper) byManner(ctx context.Context, s *saidLine, line engine.AdviceLine) (engine.AdviceLine, bool) {
	at := slices.IndexFunc(s.words, func(w string) bool { return m.Ontology.IsWord(w, ontology.Manner) })
	if at < 0 { // "add milk to the mug, pouring it in"
		at = slices.IndexFunc(s.words, func(w string) bool { return strings.HasSuffix(w, "ing") && m.vocabulary().verbs[stem(w)] }) - 1
		if at < 1 || at+2 >= len(s.words) || !m.Ontology.IsWord(s.words[at+2], ontology.Pronoun) {
			return line, false
		}
	}
	if at < 1 || at+2 >= len(s.words) || !strings.HasSuffix(s.words[at+1], "ing") || !m.vocabulary().verbs[stem(s.words[at+1])] || len(s.mentions) == 0 || s.mentions[0].from > at {
		return line, false
	}
	words := slices.Clone(s.words[at+1:])
	pronoun := slices.IndexFunc(words, func(w string) bool { return m.Ontology.IsWord(w, ontology.Pronoun) })
	if pronoun < 0 {
		return line, false
	}
	words[pronoun] = s.mentions[0].object
	told, ok := m.nearest(ctx, strings.Join(words, " "))
	schema, known := m.Ontology.Action(told.Action.Name)
	if !ok || !known || told.Action.Target != s.mentions[0].object || schema.Required == 0 {
		return line, false
	}
	told.Text = line.Text
	return told, true
}

// byParts takes a line of parts between commas for the one action that one of them tells, where each
// other only names a thing, says how things are, or is a remark: "the vase broke, sweep it up".
func (m *Mapper) byParts(ctx context.Context, text string) (engine.AdviceLine, bool) {
	found := engine.AdviceLine{Text: text}
	parts := strings.Split(numbering.ReplaceAllString(text, ""), ",")
	if len(parts) < 2 || isCall(text) || strings.HasSuffix(strings.TrimSpace(text), "?") {
		return found, false
	}
	named := ""
	for _, part := range parts {
		if first, rest, ok := strings.Cut(strings.TrimSpace(part), " "); ok && m.Ontology.IsWord(first, ontology.Conjunction) {
			part = rest
		}
		s := m.readSentence(part)
		line := engine.AdviceLine{Refused: "it tells how things are"}
		if !s.unsaid {
			whole := m.referring(part, named)
			line = m.considered(whole, m.known(ctx, whole))
		}
		topic := len(s.mentions) == 1 && len(s.cues) == 0 && s.mentions[0].begin == 0 && s.mentions[0].end == len(s.words)
		switch {
		case line.Refused == "" && !m.tells(s):
			if found.Action.Name != "" && found.Action != line.Action || !m.isMeantFor(line.Action) {
				return found, false
			}
			found = line
		case found.Action.Name == "" && m.leaves(s): // "don't leave the fridge open, shut it"
		case topic, s.stated && !m.denies(s) && !m.limits(part), m.isRemark(part):
		case found.Action.Name != "" && m.isFinite(part) && (len(s.mentions) == 0 || !m.denies(s)) && !m.limits(part): // "the phone's ringing"
		case found.Action.Name == "" && s.plain && len(s.mentions) > 0 && s.mentions[0].begin == 0 && !m.denies(s) && !m.limits(part): // "the ball rolled away"
		default:
			return found, false
		}
		if len(s.mentions) > 0 {
			named = s.mentions[0].object
		}
	}
	found.Text = text
	return found, found.Action.Name != ""
}

// leaves reports whether a part of a line says that a thing is not to be left as it is.
func (m *Mapper) leaves(s *saidLine) bool {
	n := len(s.words)
	return len(s.mentions) == 1 && m.denies(s) && slices.ContainsFunc(s.words, func(w string) bool { return m.Ontology.IsWord(w, ontology.Leaving) }) && s.mentions[0].end < n && m.isState(s.words[n-1])
}

// isFinite reports whether a clause begins by a short form that says how something is, or what
// somebody can or cannot do: "the phone's ringing", "can't see it".
func (m *Mapper) isFinite(part string) bool {
	words := strings.Fields(strings.ToLower(strings.ReplaceAll(part, "’", "'")))
	if len(words) > 1 && words[0] == "the" {
		words = words[1:]
	} else if len(words) > 1 && !strings.HasPrefix(words[0], "'") && m.Ontology.IsWord(words[0], ontology.Finite) {
		return true
	}
	if len(words) < 2 {
		return false
	}
	name, ending, ok := strings.Cut(words[0], "'")
	return ok && name != "" && !strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) }) && m.Ontology.IsWord("'"+ending, ontology.Finite)
}

// limits reports whether a part of a line says when the rest of it holds.
func (m *Mapper) limits(part string) bool {
	words := strings.Fields(signs.ReplaceAllString(strings.ToLower(part), " "))
	return language.WordsOf(m.Ontology, words, ontology.Limiting) > 0 || language.WordsOf(m.Ontology, words, ontology.Leading) > 0
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
