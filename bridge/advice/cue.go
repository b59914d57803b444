package advice

import (
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine/language"
	"github.com/mishap-robotics/mishap/ontology"
)

// part finds the words that belong to the verb right before them and are no prepositions of
// the thing after them: "on" of "turn on the faucet".
func (m *Mapper) part(s *saidLine) {
	cues := m.vocabulary().cues
	s.particles, s.relating = map[int]bool{}, map[int]bool{}
	placed := 0 // before it, a place stands behind what follows
	for placed+1 < len(s.words) && m.isPlacedBehind(s, placed+2) {
		placed++
	}
	for i := 0; i+1 < len(s.words); i++ {
		for _, k := range cues.pairs[stem(s.words[i])+" "+s.words[i+1]] {
			a := cues.all[k].action
			if m.Ontology.IsNavigation(a) || a.Required == 0 || a.Params > 1 && i >= placed {
				continue
			}
			if m.Ontology.IsWord(s.words[i+1], ontology.Toward) && m.mayBeVerb(s, i) {
				s.particles[i+1] = true
			}
		}
	}
}

// isPlacedBehind reports whether behind an index a preposition stands before a thing, and another
// thing before that.
func (m *Mapper) isPlacedBehind(s *saidLine, at int) bool {
	first := slices.IndexFunc(s.mentions, func(x mention) bool { return x.from >= at })
	if first == 1 && m.isPreposition(s.words[0]) {
		return true // the place is named first
	}
	return first >= 0 && slices.ContainsFunc(s.mentions[first+1:], func(x mention) bool { return x.begin > 0 && m.isPreposition(s.words[x.begin-1]) })
}

// mayBeVerb reports whether a word stands where a verb does: where a sentence begins, or behind
// a word that joins or leads to one.
func (m *Mapper) mayBeVerb(s *saidLine, at int) bool {
	first := len(s.mentions) > 0 && s.mentions[0].begin <= 1 && s.mentions[0].end == at && m.isPreposition(s.words[0])
	if at <= s.lead || first || strings.HasSuffix(s.words[at-1], "ly") {
		return true
	}
	before := s.words[at-1]
	return m.Ontology.IsWord(before, ontology.Conjunction) || m.Ontology.IsWord(before, ontology.Purpose) || m.Ontology.IsWord(before, ontology.Manner) || m.Ontology.IsWord(before, ontology.Linking) || m.Ontology.IsWord(before, ontology.Preamble)
}

// cue finds what tells of actions. A cue that is a part of a longer one tells nothing, nor
// does one of which the object is none that there is.
func (m *Mapper) cue(s *saidLine, others bool) {
	x := m.vocabulary()
	cues := x.cues
	if others {
		cues = x.others
	}
	all := m.told(s, cues, x.stems)
	all = slices.DeleteFunc(slices.Clone(all), func(f foundCue) bool { return m.isOther(s, f, all) })
	told := all
	all = slices.DeleteFunc(slices.Clone(all), func(f foundCue) bool { return isWithin(f, told) || isLooser(f, told) })
	if applies := func(f foundCue) bool { return m.applies(s, f.action) }; slices.ContainsFunc(all, applies) {
		all = slices.DeleteFunc(slices.Clone(all), func(f foundCue) bool { return !applies(f) })
	}
	most, words, strange := 0.0, 0, false
	for _, f := range all {
		if f.action.Required > 0 && m.isStrange(s, f.behind(), f.at) {
			strange = strange || f.at[0] == s.lead
			continue
		}
		if f.weight > s.cues[f.action] {
			s.cues[f.action], s.at[f.action], s.told[f.action] = f.weight, f.at[0], f.at
		}
		s.placing[f.action] = s.placing[f.action] || f.placed
		if f.weight > most {
			most, s.verb, words = f.weight, f.at[0], len(f.at)
		}
	}
	for a, w := range s.cues {
		if w < 0.6*most {
			delete(s.cues, a)
		}
	}
	m.resolve(s)
	m.goItself(s)
	s.unsaid = words < 2 && m.isUnknown(s, told) || strange && s.verb > s.lead
}

// isWithin reports whether a cue is a part of a longer one.
func isWithin(f foundCue, all []foundCue) bool {
	return slices.ContainsFunc(all, func(g foundCue) bool {
		return len(g.at) > len(f.at) && !slices.ContainsFunc(f.at, func(i int) bool { return !slices.Contains(g.at, i) })
	})
}

// isLooser reports whether a cue whose words stand apart begins as a longer one of another action whose words
// follow one another: "get in" of "get hold of the egg in the pot".
func isLooser(f foundCue, all []foundCue) bool {
	if f.isJoined() {
		return false
	}
	return slices.ContainsFunc(all, func(g foundCue) bool {
		return g.action != f.action && g.at[0] == f.at[0] && len(g.at) > max(2, len(f.at)) && g.isJoined()
	})
}

// isJoined reports whether the words of a cue follow one another.
func (f foundCue) isJoined() bool {
	return f.at[len(f.at)-1]-f.at[0] == len(f.at)-1
}

// applies reports whether an action can be done to anything that a sentence names.
func (m *Mapper) applies(s *saidLine, a *ontology.ActionSchema) bool {
	itself := s.lead+1 < len(s.words) && language.WordsOf(m.Ontology, s.words[s.lead+1:], ontology.Self) > 0
	return a.Required == 0 || itself || slices.ContainsFunc(s.mentions, func(x mention) bool {
		return x.class == ontology.None || m.Ontology.MayBeTarget(a, x.class)
	})
}

// resolve takes a pronoun behind the verb for what is named before: "with the pot in hand, put it
// on the table".
func (m *Mapper) resolve(s *saidLine) {
	at := s.verb + 1
	for at < len(s.words) && s.particles[at] {
		at++
	}
	if at >= len(s.words) || !m.Ontology.IsWord(s.words[at], ontology.Pronoun) {
		return
	}
	for k := range s.mentions {
		if x := &s.mentions[k]; x.from < s.verb && x.from < s.lead {
			x.aside, x.source, x.placed, x.going, x.beside, x.meant = false, false, false, false, false, true
			return
		}
	}
}

// goItself takes what is brought to a place for the robot where the sentence says so: "take
// yourself to the sink".
func (m *Mapper) goItself(s *saidLine) {
	moved := false
	for a := range s.cues {
		moved = moved || m.Ontology.Moves(a) && s.at[a] == s.lead
	}
	if !moved || language.WordsOf(m.Ontology, s.words[s.lead+1:], ontology.Self) == 0 {
		return
	}
	for a := range s.cues {
		delete(s.cues, a)
	}
	for _, a := range m.vocabulary().advised {
		if m.Ontology.IsNavigation(a) {
			s.cues[a], s.at[a], s.placing[a] = 1, s.lead, false
		}
	}
}

// isUnknown reports whether the verb that a sentence begins with tells of no action.
func (m *Mapper) isUnknown(s *saidLine, all []foundCue) bool {
	first := s.lead
	for first < len(s.words) && strings.HasSuffix(s.words[first], "ly") {
		first++
	}
	told := func(f foundCue) bool {
		return slices.Contains(f.at, first) || f.at[0] > 0 && m.Ontology.IsWord(s.words[f.at[0]-1], ontology.Manner)
	}
	return first < len(s.words) && len(s.words[first]) > 3 && !s.inMention(first) && !m.isFunction(s.words[first]) && !m.vocabulary().otherVerbs[stem(s.words[first])] && !m.Ontology.IsWord(s.words[first], ontology.Causative) && !slices.ContainsFunc(all, told)
}

// foundCue is a cue in a sentence.
type foundCue struct {
	action *ontology.ActionSchema
	at     []int
	weight float64
	placed bool // the place is named first
}

// isOther reports whether a cue of an action that needs no object is rather one of an action that
// brings a thing to a place that is named: "let the plate rest on the table", "stand by the fridge".
func (m *Mapper) isOther(s *saidLine, f foundCue, all []foundCue) bool {
	last := f.at[len(f.at)-1]
	if f.action.Required > 0 || f.action == m.Ontology.Roles.Look || len(f.at) < 2 {
		return false
	}
	if m.isPreposition(s.words[last]) {
		return s.inMention(last+1) || last+1 < len(s.words) && m.isDeterminer(s.words[last+1])
	}
	if last+1 >= len(s.words) || !m.isPreposition(s.words[last+1]) {
		return false
	}
	return slices.ContainsFunc(all, func(g foundCue) bool { return g.action.Params > 1 && slices.Contains(f.at, g.at[0]) })
}

// behind is where what a cue is about may begin: behind those of its words that follow one another.
func (f foundCue) behind() int {
	n := 1
	for n < len(f.at) && f.at[n] == f.at[0]+n {
		n++
	}
	return f.at[0] + n
}

// told finds cues in a sentence.
func (m *Mapper) told(s *saidLine, cues *cueIndex, known map[string]bool) []foundCue {
	stems := make([]string, len(s.words))
	for i, w := range s.words {
		stems[i] = stem(w)
	}
	var all []foundCue
	for _, c := range cues.of(s, stems, known) {
		a, parts := c.action, c.words
		may := func(last, next int) bool { return m.mayBeApart(s, a, last, next) }
		at := s.find(parts, stems, known, may)
		if at == nil || at[0] < s.lead || at[0] >= s.reasons || at[0] > 0 && m.isDeterminer(s.words[at[0]-1]) && !m.isLight(s, at[0]) || len(at) == 1 && (m.isSource(s, at[0]) || s.relating[at[0]]) {
			continue
		}
		if len(at) == 1 && m.Ontology.IsWord(s.words[at[0]], ontology.Linking) && at[0] > s.lead && s.inMention(at[0]-1) && at[0]+1 < len(stems) && known[stems[at[0]+1]] && !m.isPreposition(s.words[at[0]+1]) {
			continue // "gets sliced"
		}
		weight := (1 + 0.5*float64(len(parts)-1)) * (1 - 0.03*float64(at[0]))
		if at[0] > 0 && m.Ontology.IsWord(s.words[at[0]-1], ontology.Conjunction) && len(s.mentions) > 0 && s.mentions[0].to <= at[0] {
			weight *= 0.6 // what is done first comes first
		}
		if at[0] > 0 && m.Ontology.IsWord(s.words[at[0]-1], ontology.Manner) {
			weight *= 3 // how it is done says more
		}
		if a == m.Ontology.Roles.Look && at[0] == s.lead {
			weight *= 2 // to verify that it is closed is not to close it
		}
		if m.Ontology.IsNavigation(a) && len(at) > 1 && m.Ontology.IsWord(s.words[at[len(at)-1]], ontology.Toward) && !s.namesAfter(at[len(at)-1]) {
			continue // "get it to stop" goes nowhere
		}
		if m.Ontology.IsNavigation(a) && len(at) == 1 && at[0]+1 < len(s.words) && m.Ontology.IsWord(s.words[at[0]+1], ontology.Of) {
			continue // nor does "let go of it"
		}
		all = append(all, foundCue{a, at, weight, reversed(a, parts)})
	}
	return all
}

// isLight reports whether a noun says what is done, as who gives it a push pushes it.
func (m *Mapper) isLight(s *saidLine, at int) bool {
	return m.Ontology.IsWord(s.words[s.lead], ontology.Light) && len(s.mentions) > 0 && s.mentions[0].to < at
}

// mayBeApart reports whether two words of a cue may stand apart in a sentence: a thing between
// them is what is acted on, and then the second is no preposition of another thing, but where the
// action brings the one to the other.
func (m *Mapper) mayBeApart(s *saidLine, a *ontology.ActionSchema, last, next int) bool {
	before := next+1 < len(s.words) && (s.inMention(next+1) || m.isDeterminer(s.words[next+1])) || language.WordsOf(m.Ontology, s.words[next:], ontology.Toward) > 1
	if a.Required == 0 && before && m.isPreposition(s.words[next]) {
		return false
	}
	between := slices.ContainsFunc(s.mentions, func(x mention) bool { return x.from > last && x.to <= next })
	if s.inMention(last) {
		between = false // it is of the cue itself
	}
	for i := last + 1; i+1 < next && before && m.isPreposition(s.words[next]); i++ {
		between = between || m.isDeterminer(s.words[i]) && !s.isSaidOf(i) && !m.Ontology.IsWord(s.words[i+1], ontology.Portion) // "put the kite on the dishwasher"
	}
	if !between || a.Params > 1 {
		return true
	}
	source := m.Ontology.Moves(a) && m.Ontology.IsWord(s.words[next], ontology.Source)
	return !m.Ontology.IsNavigation(a) && (source || !before || !m.isPreposition(s.words[next]))
}

// namesAfter reports whether an object is named as a place behind a word.
func (s *saidLine) namesAfter(at int) bool {
	return slices.ContainsFunc(s.mentions, func(x mention) bool { return x.from > at })
}

// isSource reports whether a word only tells where something named after it comes from, as
// "off" of "lift the pot off the burner".
func (m *Mapper) isSource(s *saidLine, at int) bool {
	return m.Ontology.IsWord(s.words[at], ontology.Source) && slices.ContainsFunc(s.mentions, func(x mention) bool {
		return x.source && x.from > at && x.from <= at+4
	})
}

// reversed reports whether a cue is one after which the place is named first.
func reversed(a *ontology.ActionSchema, parts []cueWord) bool {
	var words []string
	for _, p := range parts {
		words = append(words, p.word)
	}
	return slices.Contains(a.PlaceCues, strings.Join(words, " "))
}

// find is where the words of a cue stand, in their order and not too far apart, outside of
// the names of objects; nil where they do not. Words that do not follow one another are those of
// a cue where that may be. A word that is misspelt is none of a cue.
func (s *saidLine) find(parts []cueWord, stems []string, known map[string]bool, may func(last, next int) bool) []int {
	const far = 6
	for start := range s.words {
		at := []int{}
		for i := start; i < len(s.words) && len(at) < len(parts); i++ {
			if len(at) == 0 && i > start || len(at) > 0 && s.apart(at[len(at)-1], i) > far {
				break
			}
			next := parts[len(at)]
			if (!s.inMention(i) || s.mayBeOfCue(i, len(parts))) && (len(at) == 0 || i == at[len(at)-1]+1 || may(at[len(at)-1], i)) && (stems[i] == next.stem || !known[stems[i]] && !s.strangers[i] && misspelt(s.words[i], next.word)) {
				at = append(at, i)
			}
		}
		if len(at) == len(parts) {
			return at
		}
	}
	return nil
}

// mayBeOfCue reports whether a word of the name of a thing may be one of a cue of so many words: of
// a tool ("use the knife on"), or what runs from the thing.
func (s *saidLine) mayBeOfCue(i, words int) bool {
	return slices.ContainsFunc(s.mentions, func(x mention) bool { return x.to == i+1 && (x.outlet || words > 2) })
}

// apart is how many words lie from one to another, of which what is said of a thing is one.
func (s *saidLine) apart(from, to int) int {
	n := to - from
	for _, x := range s.mentions {
		if x.begin > from && x.end <= to {
			n -= x.end - x.begin - 1
		}
	}
	return n
}

// misspelt reports whether a word may be another with a mistake.
func misspelt(a, b string) bool {
	return len(a) > 3 && len(b) > 3 && a[0] == b[0] && (len(a) > 4 && ontology.Similarity(a, b) >= 0.8 || letters(a) == letters(b))
}

// letters are those of a word in order: of two that are the same, some have changed places.
func letters(w string) string {
	out := []rune(w)
	slices.Sort(out)
	return string(out)
}

// stem takes the endings of verbs off a word.
func stem(w string) string {
	for _, ending := range []string{"ing", "ed", "es", "s", "e"} {
		if rest, ok := strings.CutSuffix(w, ending); ok && len(rest) > 2 {
			w = rest
			break
		}
	}
	if rest, ok := strings.CutSuffix(w, "i"); ok && len(rest) > 2 {
		return rest + "y"
	}
	if n := len(w); n > 3 && w[n-1] == w[n-2] && !strings.ContainsRune("lsz", rune(w[n-1])) {
		w = w[:n-1]
	}
	return w
}
