package advice

import (
	"regexp"
	"slices"
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
	stated   bool                               // but that something is so, or not to be done
	plain    bool                               // nothing that says so leads to it
	settled  bool                               // it is so already
	// particles are words that belong to the verb before them, as "down" of "set down".
	told      map[*ontology.ActionSchema][]int // where the words of the surest cue of each stand
	particles map[int]bool
	relating  map[int]bool // words that tell beside what something is
	strangers map[int]bool // words that are no misspelt ones: of deeds that no action does
}

var (
	numbering = regexp.MustCompile(`^\s*(?:[-*•]\s*)?(?:(?:step\s*)?\d+\s*[.):]\s*)?`)
	signs     = regexp.MustCompile(`[^\pL\pN'’_# -]+`)
)

// readAnew finds the objects and the cues of a sentence.
func (m *Mapper) readAnew(text string) *saidLine {
	text = strings.ToLower(strings.TrimSpace(text))
	text = m.withoutCourtesy(numbering.ReplaceAllString(text, ""))
	text = m.withoutShortForms(text)
	s := &saidLine{words: strings.Fields(signs.ReplaceAllString(text, " ")), cues: map[*ontology.ActionSchema]float64{}, placing: map[*ontology.ActionSchema]bool{}, at: map[*ontology.ActionSchema]int{}, told: map[*ontology.ActionSchema][]int{}}
	before, _, comma := strings.Cut(text, ",")
	if len(s.words) > mostWords {
		s.words = s.words[:mostWords]
	}
	begin, statement := 0, 0
	longer := false // a statement begins with more words than what might lead to a verb: "should I find it"
	if len(s.words) > 2 && !comma && m.Ontology.IsWord(s.words[0], ontology.Purpose) {
		begin = 1 // "to pour the pot into the sink"
	}
	for n := -1; n != 0 && begin < len(s.words); begin += n {
		states := language.WordsOf(m.Ontology, s.words[begin:], ontology.Statement)
		statement = max(statement, begin+states)
		n = language.WordsOf(m.Ontology, s.words[begin:], ontology.Preamble)
		longer = longer || n > 0 && states > n
		if begin+n >= len(s.words) || n > 0 && m.beginsCue(s.words[begin:], n) || comma && language.WordsOf(m.Ontology, s.words[begin:], ontology.Leading) > n {
			break // "now that it is open"
		}
	}
	if begin > 0 && begin+1 < len(s.words) && m.Ontology.IsWord(s.words[begin], ontology.Purpose) && m.vocabulary().verbs[stem(s.words[begin+1])] {
		begin++ // "please to pour"
	}
	s.stated = longer || begin > 0 && statement > begin // "I have opened it", not "I have to"
	asked := strings.HasSuffix(text, "?") && !m.isRequest(s.words[:begin])
	s.words, s.plain = s.words[begin:], begin == 0
	if comma && len(s.words) > 0 && language.WordsOf(m.Ontology, s.words, ontology.Leading) > 0 {
		all := strings.Fields(signs.ReplaceAllString(text, " "))
		s.lead = max(0, len(strings.Fields(signs.ReplaceAllString(before, " ")))-(len(all)-len(s.words)))
	}
	for n := -1; s.lead > 0 && n != 0 && s.lead+n < len(s.words); s.lead += max(0, n) {
		n = language.WordsOf(m.Ontology, s.words[s.lead:], ontology.Preamble) // "as it is cold, the robot should"
		if m.beginsCue(s.words[s.lead:], n) {
			break
		}
	}
	s.strangers = map[int]bool{}
	for i, w := range s.words {
		s.strangers[i] = m.Ontology.IsWord(w, ontology.OtherDeed) || m.Ontology.IsWord(strings.TrimSuffix(w, "s"), ontology.OtherDeed)
	}
	m.mention(s)
	m.outlet(s)
	m.extend(s)
	m.part(s)
	if !comma {
		m.leadIn(s)
	}
	m.relate(s)
	m.cue(s, false)
	s.stated = s.stated || m.isStatement(s) || m.denies(s) || asked
	s.unsaid = s.unsaid || s.stated
	return s
}

// withoutShortForms leaves out "'s", but where it is short for "is": before a preposition.
func (m *Mapper) withoutShortForms(text string) string {
	text = strings.NewReplacer("’s", "'s", "@", " at ").Replace(text)
	if !strings.Contains(text, "'s ") {
		return strings.ReplaceAll(text, "'s", "")
	}
	words := strings.Fields(text)
	for i := 0; i+1 < len(words); i++ {
		if bare, ok := strings.CutSuffix(words[i], "'s"); ok && m.isWhere(words[i+1:]) {
			words[i] = bare + " is"
		}
	}
	return strings.ReplaceAll(strings.Join(words, " "), "'s", "")
}

// isWhere reports whether words begin to say where something is.
func (m *Mapper) isWhere(words []string) bool {
	return slices.ContainsFunc([]ontology.WordKind{ontology.Toward, ontology.Beside, ontology.Elsewhere}, func(k ontology.WordKind) bool {
		n := language.WordsOf(m.Ontology, words, k)
		return n > 0 && n < len(words) && !m.Ontology.IsWord(words[0], ontology.Going)
	})
}

// withoutCourtesy leaves out of a line what is said out of politeness, wherever it stands, if anything is left.
func (m *Mapper) withoutCourtesy(text string) string {
	fields := strings.Fields(text)
	bare := make([]string, len(fields))
	for i, f := range fields {
		bare[i] = strings.Trim(f, ".,;:!?")
	}
	var kept []string
	for i := 0; i < len(fields); {
		n := language.WordsOf(m.Ontology, bare[i:], ontology.Courtesy)
		if n == 0 {
			kept = append(kept, fields[i])
			i++
			continue
		}
		if sign := strings.TrimPrefix(fields[i+n-1], bare[i+n-1]); sign != "" && len(kept) > 0 {
			kept[len(kept)-1] = strings.TrimRight(kept[len(kept)-1], ",") + sign
		}
		i += n
	}
	if len(kept) == 0 || len(kept) == len(fields) {
		return text
	}
	return strings.Join(kept, " ")
}

// isOtherDeed reports whether the verb that a sentence begins with is one for what no action does, and
// belongs to no longer cue.
func (m *Mapper) isOtherDeed(s *saidLine) bool {
	first := s.lead
	for first < len(s.words) && strings.HasSuffix(s.words[first], "ly") {
		first++
	}
	if m.isDoneOtherwise(s) {
		return true
	}
	if first >= len(s.words) || !m.Ontology.IsWord(s.words[first], ontology.OtherDeed) || s.inMention(first) {
		return false
	}
	for _, at := range s.told {
		if len(at) > 1 && at[0] == first {
			return false
		}
	}
	return true
}

// isDoneOtherwise reports whether a sentence says of the thing that it begins with that a deed of no action
// is to be done to it: "the pillows must be polished".
func (m *Mapper) isDoneOtherwise(s *saidLine) bool {
	if len(s.mentions) == 0 || s.mentions[0].begin != s.lead {
		return false
	}
	at := s.mentions[0].end
	for at < len(s.words) && m.Ontology.IsWord(s.words[at], ontology.Linking) {
		at++
	}
	if at == s.mentions[0].end || at >= len(s.words) || !strings.HasSuffix(s.words[at], "ed") || s.isToldBy(at) {
		return false
	}
	return m.vocabulary().otherDeeds[stem(s.words[at])]
}

// beginsCue reports whether words begin with a cue of more than so many words: "next stop" is no stop
// that comes next.
func (m *Mapper) beginsCue(words []string, more int) bool {
	cues := m.vocabulary().cues
	for _, w := range words[:min(len(words), cues.longest)] {
		for _, k := range cues.byWord[w] {
			parts := cues.all[k].words
			if len(parts) > more && len(parts) <= len(words) && !slices.ContainsFunc(parts, func(p cueWord) bool { return !slices.Contains(words[:len(parts)], p.word) }) {
				return true
			}
		}
	}
	return false
}

// isRequest reports whether words before a verb ask somebody to do it, as "would you" does.
func (m *Mapper) isRequest(before []string) bool {
	return len(before) > 1 && slices.ContainsFunc(before, func(w string) bool { return m.Ontology.IsWord(w, ontology.Addressee) })
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

// isStatement reports whether a sentence tells or asks something, and does not say that it is
// to be done.
func (m *Mapper) isStatement(s *saidLine) bool {
	if language.WordsOf(m.Ontology, s.words, ontology.Statement) > 0 || m.isOfOthers(s) {
		return true
	}
	if len(s.mentions) > 0 && s.mentions[0].begin == s.lead {
		if at := s.mentions[0].end; at+1 < len(s.words) && m.Ontology.IsWord(s.words[at], ontology.Linking) && !m.Ontology.IsWord(s.words[at], ontology.Purpose) && (strings.HasSuffix(s.words[at+1], "ing") || s.plain && at+2 == len(s.words) && m.isState(s.words[at+1])) {
			return true // it goes on already, or is so
		}
		if at := s.mentions[0].end; at < len(s.words) {
			if m.isHow(s, at) {
				return true
			}
			if at+1 < len(s.words) && m.Ontology.IsWord(s.words[at], ontology.Linking) && m.Ontology.IsWord(s.words[at], ontology.Holding) && strings.HasSuffix(s.words[at+1], "ed") {
				return true // "the slippers have wandered off"
			}
			if n := language.WordsOf(m.Ontology, s.words[at:], ontology.Statement); n > 0 && at+n < len(s.words) && !m.Ontology.IsWord(s.words[at], ontology.Relative) && (n > 1 || !m.Ontology.IsWord(s.words[at], ontology.Linking) && !m.Ontology.IsWord(s.words[at+n], ontology.Purpose) && !s.isToldBy(at)) {
				s.settled = s.plain && n > 1 && !m.Ontology.IsWord(s.words[at+n], ontology.Purpose)
				return true // "the fridge is already open", "it was locked"
			}
		}
	}
	if n := len(s.words); n > 0 && len(s.mentions) > 0 && s.mentions[0].begin == s.lead && (m.Ontology.IsWord(s.words[n-1], ontology.Already) || n > 1 && m.Ontology.IsWord(s.words[n-2]+" "+s.words[n-1], ontology.Already)) {
		s.settled = true // "the oven should be off by now"
		return true
	}
	if n := len(s.words); n > s.lead && m.Ontology.IsWord(s.words[s.lead], ontology.Leaving) && m.isState(s.words[n-1]) {
		return true
	}
	return false
}

// isHow reports whether what stands behind the one thing that a sentence names says how that is or
// looks: "the flower looks sad".
func (m *Mapper) isHow(s *saidLine, at int) bool {
	told := s.told[m.Ontology.Roles.Look]
	return s.plain && len(s.mentions) == 1 && at+1 < len(s.words) && m.Ontology.IsWord(s.words[at], ontology.Statement) && len(s.told) == 1 && len(told) == 1 && told[0] == at && strings.HasSuffix(s.words[at], "s")
}

// isOfOthers reports whether a sentence tells what somebody or something else does just now, that
// is no thing of an action: "our guest at the table is waiting".
func (m *Mapper) isOfOthers(s *saidLine) bool {
	if !s.plain || len(s.words) < 3 || !m.isDeterminer(s.words[0]) || s.inMention(1) || len(s.mentions) > 0 && s.mentions[0].begin == 0 {
		return false
	}
	for i := 1; i+1 < len(s.words); i++ {
		if m.Ontology.IsWord(s.words[i], ontology.Progressive) && strings.HasSuffix(s.words[i+1], "ing") {
			return true
		}
	}
	return false
}

// isOfStranger reports whether a sentence begins with a thing that is not there: "the bill goes to the
// table".
func (m *Mapper) isOfStranger(s *saidLine) bool {
	return len(s.words) > 1 && m.isDeterminer(s.words[0]) && !s.isSaidOf(0) && !m.Ontology.IsWord(s.words[1], ontology.Portion)
}

// denies reports whether a sentence denies what it says.
func (m *Mapper) denies(s *saidLine) bool {
	for i := s.lead; i < min(len(s.words), s.reasons); i++ {
		if !s.inMention(i) && !s.isToldBy(i) && language.WordsOf(m.Ontology, s.words[i:], ontology.Denial) > 0 && !m.permits(s.words[i:]) {
			return true
		}
	}
	return false
}

// permits reports whether words begin to say that something may be done, "may now be silenced", and
// not how it may be, "may be open".
func (m *Mapper) permits(words []string) bool {
	n := language.WordsOf(m.Ontology, words, ontology.Permission)
	return n > 0 && n < len(words) && len(m.Ontology.ByLabel(words[n], m.Ontology.Core.StateClass)) == 0
}

// isState reports whether a word says how something is, and not what is done to it.
func (m *Mapper) isState(word string) bool {
	return !strings.HasSuffix(word, "ed") && len(m.Ontology.ByLabel(word, m.Ontology.Core.StateClass)) > 0
}

// isToldBy reports whether a word belongs to what tells of an action, as "not" of "do not move".
func (s *saidLine) isToldBy(i int) bool {
	for _, at := range s.told {
		if slices.Contains(at, i) {
			return true
		}
	}
	return false
}

// mostWords is the most words of a line that are looked at.
const mostWords = 40

// isFunction reports whether a word says nothing of things.
func (m *Mapper) isFunction(word string) bool {
	return isArticle(word) || slices.ContainsFunc([]ontology.WordKind{ontology.Determiner, ontology.Conjunction, ontology.Linking, ontology.Pronoun, ontology.Aside, ontology.Source, ontology.Toward, ontology.Beside, ontology.Elsewhere},
		func(k ontology.WordKind) bool { return m.Ontology.IsWord(word, k) })
}

func (m *Mapper) isDeterminer(word string) bool {
	return isDeterminer(m.Ontology, word)
}

func isDeterminer(o *ontology.Ontology, word string) bool {
	return isArticle(word) || o.IsWord(word, ontology.Determiner)
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
		if m.Ontology.IsWord(s.words[i], ontology.Denial) && m.Ontology.IsWord(s.words[i-1], ontology.Linking) && m.Ontology.IsWord(s.words[i-1], ontology.Preamble) {
			continue // "should not stand open"
		}
		purpose := m.Ontology.IsWord(s.words[i], ontology.Purpose) && !m.Ontology.IsWord(s.words[i-1], ontology.Linking) && i+1 < len(s.words) && !s.inMention(i+1) && !m.isFunction(s.words[i+1])
		behalf := m.Ontology.IsWord(s.words[i], ontology.Behalf) && m.vocabulary().verbs[stem(s.words[s.lead])] && i+1 < len(s.words) && (s.inMention(i+1) || m.isDeterminer(s.words[i+1]))
		if purpose || behalf || language.WordsOf(m.Ontology, s.words[i:], ontology.Aside) > 0 {
			s.reasons = i
			break
		}
	}
	begin := 0
	for k := range s.mentions {
		x := &s.mentions[k]
		x.aside = x.from >= s.reasons || x.from < s.lead || begin > 0 && m.isRelative(s.words[begin:x.begin])
		x.source = x.from < s.lead && x.begin > 0 && m.Ontology.IsWord(s.words[x.begin-1], ontology.Source)
		m.place(s, x, begin)
		if k > 0 {
			s.within(x, &s.mentions[k-1])
		}
		begin = x.to
	}
	m.vessel(s)
}

// within takes a place right behind another for where that is: "in the bowl on the counter".
func (s *saidLine) within(x, before *mention) {
	if before.placed && !before.beside && x.placed && !x.going && !x.beside && before.end+1 == x.begin {
		x.placed, x.aside = false, true
	}
}

// vessel takes what a liquid is in for where it comes from, where another place is named: "the
// water in the pot into the sink".
func (m *Mapper) vessel(s *saidLine) {
	for k := range s.mentions {
		x := &s.mentions[k]
		if !x.placed || x.going || x.beside || x.begin < 2 {
			continue
		}
		liquid := m.Ontology.ByLabel(s.words[x.begin-2], m.Ontology.Core.PhysicalObject)
		if len(liquid) > 0 && m.Ontology.IsLiquid(liquid[0]) && slices.ContainsFunc(s.mentions[k+1:], func(y mention) bool { return y.placed }) {
			x.placed, x.source, x.aside = false, true, true
		}
	}
}

// isRelative reports whether words between two things begin to tell of the first where it is, as
// "that lies on" does; what the robot does with it is something else.
func (m *Mapper) isRelative(between []string) bool {
	at := slices.IndexFunc(between, func(w string) bool {
		return m.Ontology.IsWord(w, ontology.Relative) || m.Ontology.IsWord(w, ontology.Statement) && !m.Ontology.IsWord(w, ontology.Linking)
	})
	if at < 0 || at+1 >= len(between) {
		return at >= 0
	}
	return m.Ontology.IsWord(between[at+1], ontology.Linking)
}

// place looks for what stands before all that is said of an object, from an index on, with a
// word perhaps in between.
func (m *Mapper) place(s *saidLine, x *mention, from int) {
	for at := x.begin; at > max(from, x.begin-2) && !x.aside; at-- {
		for n := min(5, at-from); n > 0; n-- {
			if n == 1 && s.particles[at-1] {
				continue
			}
			switch before := strings.Join(s.words[at-n:at], " "); {
			case m.Ontology.IsWord(before, ontology.Source) && (from > 0 || at-n != 1):
				x.aside, x.source = true, true
				return
			case m.Ontology.IsWord(before, ontology.Beside):
				x.placed, x.beside = true, true
				for i := at - n; i < at; i++ {
					s.relating[i] = true
				}
				return
			case m.Ontology.IsWord(before, ontology.Elsewhere):
				x.aside, x.elsewhere = true, true
				return
			case m.Ontology.IsWord(before, ontology.Toward):
				x.placed, x.going, x.atop, x.upon = true, m.Ontology.IsWord(before, ontology.Going), m.Ontology.IsWord(before, ontology.Atop), m.Ontology.IsWord(before, ontology.Upon)
				return
			}
		}
		if m.Ontology.IsWord(s.words[at-1], ontology.Conjunction) || m.Ontology.IsWord(s.words[at-1], ontology.Causative) {
			return
		}
	}
}

func (m *Mapper) isPreposition(word string) bool {
	return slices.ContainsFunc([]ontology.WordKind{ontology.Source, ontology.Toward, ontology.Beside, ontology.Elsewhere},
		func(k ontology.WordKind) bool { return m.Ontology.IsWord(word, k) })
}
