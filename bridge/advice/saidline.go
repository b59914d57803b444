package advice

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/engine/language"
	"github.com/mishap-robotics/mishap/ontology"
)

// saidLine is what is found in a line of a plan.
type saidLine struct {
	words    []string
	mentions []mention
	cues     map[*ontology.ActionSchema]float64 // how surely each action is meant
	at       map[*ontology.ActionSchema]int     // where what tells of each begins
	verb     int                                // where the surest cue begins
	reasons  int                                // from there on it says what for
	lead     int                                // up to there it says what is besides
	placing  map[*ontology.ActionSchema]bool    // the surest cue of the action names the place first
	unsaid   bool                               // it does not say that something is to be done
}

// mention is an object that a sentence names.
type mention struct {
	from, to int // of its words
	object   string
	class    ontology.TermID
	placed   bool // it is named as a place
	going    bool // something is brought there
	beside   bool // beside which something is
	source   bool // something comes from there
	aside    bool // it is only what something is done with, where from or what for
}

var (
	numbering = regexp.MustCompile(`^\s*(?:[-*•]\s*)?(?:(?:step\s*)?\d+\s*[.):]\s*)?`)
	signs     = regexp.MustCompile(`[^\pL\pN'’_# -]+`)
)

// readSentence finds the objects and the cues of a sentence.
func (m *Mapper) readSentence(text string) *saidLine {
	text = strings.ToLower(strings.TrimSpace(text))
	text = numbering.ReplaceAllString(text, "")
	text = strings.NewReplacer("'s", "", "’s", "").Replace(text)
	s := &saidLine{words: strings.Fields(signs.ReplaceAllString(text, " ")), cues: map[*ontology.ActionSchema]float64{}, placing: map[*ontology.ActionSchema]bool{}, at: map[*ontology.ActionSchema]int{}}
	before, _, comma := strings.Cut(text, ",")
	told := strings.HasSuffix(text, "?")
	if len(s.words) > mostWords {
		s.words = s.words[:mostWords]
	}
	begin, statement := 0, 0
	for n := -1; n != 0 && begin < len(s.words); begin += n {
		statement = max(statement, begin+language.WordsOf(m.Ontology, s.words[begin:], ontology.Statement))
		if n = language.WordsOf(m.Ontology, s.words[begin:], ontology.Preamble); begin+n >= len(s.words) {
			break
		}
	}
	told = told || begin > 0 && statement > begin // "I have opened it", not "I have to"
	s.words = s.words[begin:]
	if comma && len(s.words) > 0 && language.WordsOf(m.Ontology, s.words, ontology.Leading) > 0 {
		all := strings.Fields(signs.ReplaceAllString(text, " "))
		s.lead = max(0, len(strings.Fields(signs.ReplaceAllString(before, " ")))-(len(all)-len(s.words)))
	}
	m.mention(s)
	if !comma {
		m.leadIn(s)
	}
	m.relate(s)
	m.cue(s, false)
	s.unsaid = s.unsaid || told || m.isUnsaid(s)
	return s
}

// leadIn ends what is said besides where it begins a sentence and a purpose follows: "use
// the knife to" cut something.
func (m *Mapper) leadIn(s *saidLine) {
	if len(s.mentions) == 0 || language.WordsOf(m.Ontology, s.words, ontology.Leading) == 0 {
		return
	}
	if at := s.mentions[0].to; at+1 < len(s.words) && m.Ontology.IsWord(s.words[at], ontology.Purpose) && !s.inMention(at+1) && !m.isFunction(s.words[at+1]) {
		s.lead = at + 1
	}
}

// isUnsaid reports whether a sentence tells, denies or asks something, and does not say that
// it is to be done.
func (m *Mapper) isUnsaid(s *saidLine) bool {
	if language.WordsOf(m.Ontology, s.words, ontology.Statement) > 0 {
		return true
	}
	for i := s.lead; i < min(len(s.words), s.reasons); i++ {
		if !s.inMention(i) && language.WordsOf(m.Ontology, s.words[i:], ontology.Denial) > 0 {
			return true
		}
	}
	return false
}

// mostWords is the most words of a line that are looked at.
const mostWords = 40

// mention finds the objects that a sentence names, the longest names first.
func (m *Mapper) mention(s *saidLine) {
	for i := 0; i < len(s.words); {
		n := 0
		var found string
		for n = min(5, len(s.words)-i); n > 0; n-- {
			if name, ok := m.named(s.words[i : i+n]); ok {
				found = name
				break
			}
		}
		if n == 0 {
			i++
			continue
		}
		class := ontology.None
		for _, o := range m.Objects {
			if o.Name == found || o.Class == found {
				class, _ = m.Ontology.Lookup(o.Class)
			}
		}
		s.mentions = append(s.mentions, mention{from: i, to: i + n, object: found, class: class})
		i += n
	}
}

// named is the object that some words name: by its name, its class, or, of a word that is
// misspelt, by what is spelt most like it.
func (m *Mapper) named(words []string) (string, bool) {
	first, last := words[0], words[len(words)-1]
	if m.isFunction(first) || m.Ontology.IsWord(last, ontology.Determiner) && !m.Ontology.IsWord(last, ontology.Single) || m.Ontology.IsWord(last, ontology.Conjunction) || m.Ontology.IsWord(last, ontology.Toward) {
		return "", false
	}
	text := strings.Join(words, " ")
	c, ok := m.Ontology.Cardinal(last)
	if m.Ontology.IsWord(last, ontology.Single) {
		c, ok = 1, true
	}
	if ok && len(words) > 1 { // burner number two
		text = strings.Join(words[:len(words)-1], " ") + " " + strconv.Itoa(c)
	}
	text = m.withoutNumbering(text)
	if name, ok := m.labelled(text); ok {
		id, known := m.Ontology.Lookup(name)
		return name, !known || !m.Ontology.HasType(id, m.Ontology.Core.ObjectGroup)
	}
	if len(words) == 1 {
		if name, ok := m.headed(text); ok {
			return name, true
		}
	}
	if len(words) > 2 || len(text) < 5 {
		return "", false
	}
	best, score := "", 0.0
	for _, o := range m.Objects {
		id, _ := m.Ontology.Lookup(o.Class)
		for _, label := range append([]string{o.Class}, m.labels(id)...) {
			if a := ontology.Similarity(plainName(text), plainName(label)); a > score && strings.Contains(label, " ") == (len(words) > 1) {
				best, score = o.Name, a
			}
		}
	}
	return best, score >= 0.84
}

// headed is the one object of whose name a word is the last, as "bottle" of a wine bottle.
func (m *Mapper) headed(word string) (string, bool) {
	if _, known := m.cues(); known[stem(word)] || m.Ontology.IsWord(word, ontology.Portion) {
		return "", false
	}
	found := ""
	for _, o := range m.Objects {
		id, _ := m.Ontology.Lookup(o.Class)
		heads := slices.ContainsFunc(m.labels(id), func(label string) bool { return strings.HasSuffix(strings.ToLower(label), " "+word) })
		switch {
		case heads && found != "":
			return "", false
		case heads:
			found = o.Name
		}
	}
	return found, found != ""
}

// withoutNumbering leaves out a word that stands before the number of a thing.
func (m *Mapper) withoutNumbering(text string) string {
	words := strings.Fields(text)
	if n := len(words); n > 2 && m.Ontology.IsWord(words[n-2], ontology.Numbering) {
		words = slices.Delete(words, n-2, n-1)
	}
	return strings.Join(words, " ")
}

func (m *Mapper) labels(id ontology.TermID) []string {
	if id == ontology.None {
		return nil
	}
	return m.Ontology.Terms[id].Labels
}

// isFunction reports whether a word says nothing of things.
func (m *Mapper) isFunction(word string) bool {
	return article.MatchString(word+" ") || slices.ContainsFunc([]ontology.WordKind{ontology.Determiner, ontology.Conjunction, ontology.Linking, ontology.Pronoun, ontology.Aside, ontology.Source, ontology.Toward, ontology.Beside},
		func(k ontology.WordKind) bool { return m.Ontology.IsWord(word, k) })
}

func (m *Mapper) isDeterminer(word string) bool {
	return m.Ontology.IsWord(word, ontology.Determiner) || article.MatchString(word+" ")
}

// relate finds as what each object is named.
func (m *Mapper) relate(s *saidLine) {
	s.reasons = len(s.words)
	for i := 1; i < len(s.words) && len(s.mentions) > 0; i++ {
		if s.inMention(i) || i <= s.lead {
			continue
		}
		if s.mentions[0].to > i {
			if !m.Ontology.IsWord(s.words[i], ontology.Linking) && !m.Ontology.IsWord(s.words[i], ontology.Denial) && !m.Ontology.IsWord(s.words[i], ontology.Statement) && language.WordsOf(m.Ontology, s.words[i:], ontology.Aside) > 0 {
				s.reasons = i
				break
			}
			continue
		}
		purpose := m.Ontology.IsWord(s.words[i], ontology.Purpose) && i+1 < len(s.words) && !s.inMention(i+1) && !m.isFunction(s.words[i+1])
		if purpose || language.WordsOf(m.Ontology, s.words[i:], ontology.Aside) > 0 {
			s.reasons = i
			break
		}
	}
	begin := 0
	for k := range s.mentions {
		x := &s.mentions[k]
		x.aside = x.from >= s.reasons || x.from < s.lead
		m.place(s, x, begin)
		begin = x.to
	}
}

// place looks for what stands before the name of an object, from an index on, with
// adjectives perhaps in between.
func (m *Mapper) place(s *saidLine, x *mention, from int) {
	for at := x.from; at > max(from, x.from-4) && !x.aside; at-- {
		for n := min(5, at-from); n > 0; n-- {
			switch before := strings.Join(s.words[at-n:at], " "); {
			case m.Ontology.IsWord(before, ontology.Source) && (from > 0 || at-n != 1):
				x.aside, x.source = true, true
				return
			case m.Ontology.IsWord(before, ontology.Beside):
				x.placed, x.beside = true, true
				return
			case m.Ontology.IsWord(before, ontology.Toward):
				x.placed, x.going = true, m.Ontology.IsWord(before, ontology.Going)
				return
			}
		}
		if m.Ontology.IsWord(s.words[at-1], ontology.Conjunction) {
			return
		}
	}
}

func (s *saidLine) inMention(i int) bool {
	return slices.ContainsFunc(s.mentions, func(x mention) bool { return x.from <= i && i < x.to })
}

// isStrange reports whether what stands from an index on is a thing that is not there, as
// "the violin". What is a part of one that is there ("the door of the fridge") is not.
func (m *Mapper) isStrange(s *saidLine, from int) bool {
	if from >= len(s.words) || !m.isDeterminer(s.words[from]) {
		return false
	}
	for i := from + 1; i < len(s.words); i++ {
		if s.inMention(i) {
			return false
		}
		if m.Ontology.IsWord(s.words[i], ontology.Portion) {
			return false
		}
		if m.isFunction(s.words[i]) || m.Ontology.IsWord(s.words[i], ontology.Of) {
			return i > from+1
		}
	}
	return true
}

// cue finds what tells of actions. A cue that is a part of a longer one tells nothing, nor
// does one of which the object is none that there is.
func (m *Mapper) cue(s *saidLine, others bool) {
	cues, known := m.cues()
	if others {
		cues = m.others
	}
	all := m.told(s, cues, known)
	most, words := 0.0, 0
	for _, f := range all {
		within := slices.ContainsFunc(all, func(g foundCue) bool {
			return len(g.at) > len(f.at) && !slices.ContainsFunc(f.at, func(i int) bool { return !slices.Contains(g.at, i) })
		})
		if within || f.action.Required > 0 && m.isStrange(s, f.at[0]+1) {
			continue
		}
		if f.weight > s.cues[f.action] {
			s.cues[f.action], s.placing[f.action], s.at[f.action] = f.weight, f.placed, f.at[0]
		}
		if f.weight > most {
			most, s.verb, words = f.weight, f.at[0], len(f.at)
		}
	}
	for a, w := range s.cues {
		if w < 0.6*most {
			delete(s.cues, a)
		}
	}
	s.unsaid = words < 2 && m.isUnknown(s, all)
}

// isUnknown reports whether the verb that a sentence begins with tells of no action.
func (m *Mapper) isUnknown(s *saidLine, all []foundCue) bool {
	first := s.lead
	for first < len(s.words) && strings.HasSuffix(s.words[first], "ly") {
		first++
	}
	told := func(f foundCue) bool { return slices.Contains(f.at, first) }
	return first < len(s.words) && len(s.words[first]) > 3 && !s.inMention(first) && !m.isFunction(s.words[first]) && !slices.ContainsFunc(all, told)
}

// foundCue is a cue in a sentence.
type foundCue struct {
	action *ontology.ActionSchema
	at     []int
	weight float64
	placed bool // the place is named first
}

// told finds cues in a sentence.
func (m *Mapper) told(s *saidLine, cues map[*ontology.ActionSchema][][]cueWord, known map[string]bool) []foundCue {
	stems := make([]string, len(s.words))
	for i, w := range s.words {
		stems[i] = stem(w)
	}
	var all []foundCue
	for _, a := range m.Ontology.Advised() {
		for _, parts := range cues[a] {
			at := s.find(parts, stems, known)
			if at == nil || at[0] < s.lead || at[0] >= s.reasons || at[0] > 0 && m.isDeterminer(s.words[at[0]-1]) || len(at) == 1 && m.isSource(s, at[0]) {
				continue
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
			all = append(all, foundCue{a, at, weight, reversed(a, parts)})
		}
	}
	return all
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
// the names of objects; nil where they do not. A word that is misspelt is none of a cue.
func (s *saidLine) find(parts []cueWord, stems []string, known map[string]bool) []int {
	const far = 6
	for start := range s.words {
		at := []int{}
		for i := start; i < len(s.words) && len(at) < len(parts); i++ {
			if len(at) == 0 && i > start || len(at) > 0 && i-at[len(at)-1] > far {
				break
			}
			next := parts[len(at)]
			if !s.inMention(i) && (stems[i] == next.stem || !known[stems[i]] && misspelt(s.words[i], next.word)) {
				at = append(at, i)
			}
		}
		if len(at) == len(parts) {
			return at
		}
	}
	return nil
}

// cueWord is a word of a cue, with what it is without its ending.
type cueWord struct{ word, stem string }

// cues are the words of the cues of each action, and what all of them are without their
// endings.
func (m *Mapper) cues() (map[*ontology.ActionSchema][][]cueWord, map[string]bool) {
	m.cued.Do(func() {
		m.others = map[*ontology.ActionSchema][][]cueWord{}
		m.cueWords, m.stems = map[*ontology.ActionSchema][][]cueWord{}, map[string]bool{}
		for _, a := range m.Ontology.Advised() {
			for _, c := range a.Cues {
				var parts []cueWord
				for _, w := range strings.Fields(c) {
					parts = append(parts, cueWord{w, stem(w)})
					m.stems[stem(w)] = true
				}
				m.cueWords[a] = append(m.cueWords[a], parts)
			}
			for _, c := range a.OtherCues {
				var parts []cueWord
				for _, w := range strings.Fields(c) {
					parts = append(parts, cueWord{w, stem(w)})
				}
				m.others[a] = append(m.others[a], parts)
			}
		}
	})
	return m.cueWords, m.stems
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
