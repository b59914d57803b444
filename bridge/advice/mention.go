package advice

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/language"
	"github.com/mishap-robotics/mishap/ontology"
)

// mention is an object that a sentence names.
type mention struct {
	from, to int // of its words
	// begin and end are those of all that is said of it before and behind its name: "the free
	// spot of the counter", "the fridge door".
	begin, end int
	object     string
	class      ontology.TermID
	placed     bool // it is named as a place
	going      bool // something is brought there
	beside     bool // beside which something is
	atop       bool // on top of which something is
	upon       bool // on which something comes, be it also something with an inside
	source     bool // something comes from there
	elsewhere  bool // something is above, under or around it
	outlet     bool // its name is that of a liquid that runs from it
	meant      bool // a pronoun behind the verb stands for it
	aside      bool // it is only what something is done with, where from or what for
}

// mention finds the objects that a sentence names, the longest names first.
func (m *Mapper) mention(s *saidLine) {
	for i := 0; i < len(s.words); {
		if i == s.lead && i+1 < len(s.words) && m.vocabulary().verbs[stem(s.words[i])] && (m.isDeterminer(s.words[i+1]) || m.Ontology.IsWord(s.words[i+1], ontology.Pronoun) || m.isName(s.words[i+1])) {
			i++
			continue // "tap the egg": it is what is done
		}
		if m.isVerbAt(s, i) {
			i++
			continue
		}
		if i > 0 && i+1 < len(s.words) && m.Ontology.IsWord(s.words[i-1], ontology.Conjunction) && m.Ontology.IsWord(s.words[i+1], ontology.Pronoun) && m.vocabulary().verbs[stem(s.words[i])] {
			i++
			continue // "and bin them"
		}
		if n := language.WordsOf(m.Ontology, s.words[i:], ontology.OwnPart); n > 0 {
			i += n
			continue
		}
		if i > 0 && m.isDeterminer(s.words[i-1]) && m.isFunction(s.words[i]) && len(m.Ontology.ByLabel(s.words[i], m.Ontology.Core.PhysicalObject)) > 0 {
			if name, ok := m.labelled(s.words[i]); ok { // "the can"
				s.mentions = append(s.mentions, mention{from: i, to: i + 1, object: name, class: m.classOf(name)})
				i++
				continue
			}
		}
		found, n := m.namedOf(s.words[i:])
		if n > 0 {
			s.mentions = append(s.mentions, mention{from: i, to: i + n, object: found, class: m.classOf(found)})
			i += n
			continue
		}
		for n = min(5, len(s.words)-i); n > 0; n-- {
			if n > 1 && m.isResult(s, i+n-1) {
				continue // "get the tomato sliced"
			}
			if name, ok := m.named(s.words[i : i+n]); ok && (n > 1 || m.mayBeNamed(s.words, i)) {
				found = name
				break
			}
		}
		if n == 0 {
			if found, n = m.piece(s.words, i); n == 0 {
				found, n = m.atPlace(s.words, i)
			}
			if n == 0 {
				i++
				continue
			}
		}
		s.mentions = append(s.mentions, mention{from: i, to: i + n, object: found, class: m.classOf(found)})
		i += n
	}
	s.mentions = slices.DeleteFunc(s.mentions, func(x mention) bool { return m.isBefore(s, x) })
	m.specify(s)
	m.specifyLater(s)
	m.whole(s)
	m.contain(s)
	m.placeAgain(s)
}

// specifyLater takes the only thing of which there are several for the one that is told at the end by
// itself: "the slice into the toaster, the first one".
func (m *Mapper) specifyLater(s *saidLine) {
	isSeveral := func(x mention) bool { return !strings.Contains(x.object, "-") }
	k, n := slices.IndexFunc(s.mentions, isSeveral), len(s.words)
	if k < 0 || slices.ContainsFunc(s.mentions[k+1:], isSeveral) {
		return
	}
	number := 0
	for i := s.mentions[k].to; i+1 < n && number == 0; i++ {
		if m.Ontology.IsWord(s.words[i], ontology.Numbering) && !s.inMention(i) && !s.inMention(i+1) {
			number = m.numberOf(s.words[i+1]) // "the drawer, the lower one with the number 2"
		}
	}
	if n > 2 && m.Ontology.IsWord(s.words[n-1], ontology.Single) {
		n--
	}
	if number == 0 && n > 1 && m.isDeterminer(s.words[n-2]) && !s.inMention(n-1) && !s.inMention(n-2) {
		number, _ = m.Ontology.Ordinal(s.words[n-1])
	}
	if name := s.mentions[k].object + "-" + strconv.Itoa(number); slices.ContainsFunc(m.Objects, func(o NamedObject) bool { return o.Name == name }) {
		s.mentions[k].object = name
	}
}

// numberOf is the number that a word is, 0 for none.
func (m *Mapper) numberOf(word string) int {
	if n, ok := m.Ontology.Cardinal(word); ok {
		return n
	}
	n, _ := strconv.Atoi(word)
	return n
}

// isName reports whether a word is the name of a thing, "plate-1".
func (m *Mapper) isName(word string) bool {
	return strings.Contains(word, "-") && slices.ContainsFunc(m.Objects, func(o NamedObject) bool { return strings.EqualFold(o.Name, word) })
}

// placeAgain takes a pronoun behind a preposition for the one thing that is named in what is said besides:
// "now that the fridge is open, put the egg in it".
func (m *Mapper) placeAgain(s *saidLine) {
	if len(s.mentions) != 2 || s.lead == 0 || s.mentions[0].from >= s.lead || s.mentions[1].from < s.lead {
		return
	}
	for i := s.mentions[1].to + 1; i < len(s.words); i++ {
		if m.Ontology.IsWord(s.words[i], ontology.Pronoun) && m.Ontology.IsWord(s.words[i-1], ontology.Toward) {
			of := s.mentions[0]
			s.mentions = append(s.mentions, mention{from: i, to: i + 1, object: of.object, class: of.class})
			return
		}
	}
}

// isResult reports whether a word says what is to be done to the thing before it, where a sentence
// begins with a word that asks for that: "have the egg cracked".
func (m *Mapper) isResult(s *saidLine, at int) bool {
	return s.lead < len(s.words) && m.Ontology.IsWord(s.words[s.lead], ontology.Causative) && strings.HasSuffix(s.words[at], "ed") && m.vocabulary().verbs[stem(s.words[at])]
}

// mayBeNamed reports whether a word names a thing: one that is also a verb of an action or a function
// word, and no label of a thing, does so only behind a determiner or a number.
func (m *Mapper) mayBeNamed(words []string, at int) bool {
	w := words[at]
	if !m.vocabulary().verbs[stem(w)] && !m.vocabulary().stems[stem(w)] && !m.Ontology.IsFunctionWord(w) || len(m.nicknamed(w)) == 0 || len(m.Ontology.ByLabel(w, m.Ontology.Core.PhysicalObject)) > 0 {
		return true
	}
	if at == 0 {
		return false
	}
	_, number := m.Ontology.Ordinal(words[at-1])
	return number || m.isDeterminer(words[at-1])
}

// isVerbAt reports whether a word that may also be the name of a thing is what is done: with the word
// behind it one cue, where a sentence begins ("light up the candle"), or right behind a thing and
// before a preposition ("the napkin throw in the bin").
func (m *Mapper) isVerbAt(s *saidLine, at int) bool {
	if at+1 >= len(s.words) || !m.vocabulary().verbs[stem(s.words[at])] {
		return false
	}
	if n := len(s.mentions); n > 0 && s.mentions[n-1].to == at {
		return m.isPreposition(s.words[at+1])
	}
	if at != s.lead {
		return false
	}
	return !m.Ontology.IsWord(s.words[at+1], ontology.Atop) && m.vocabulary().cues.isPair(s.words[at], s.words[at+1])
}

// isPart reports whether a mention is by a word for a part, as "door".
func (m *Mapper) isPart(s *saidLine, x *mention) bool {
	return m.Ontology.IsWord(strings.Join(s.words[x.from:x.to], " "), ontology.Part)
}

func (m *Mapper) mayBeOpened(class ontology.TermID) bool {
	return class != ontology.None && m.Ontology.Roles.Openable != ontology.None && m.Ontology.HasProperty(class, m.Ontology.Roles.Openable)
}

// whole takes the door of a thing for that thing, though there is a door by itself: "the dryer door",
// "the door of the dryer".
func (m *Mapper) whole(s *saidLine) {
	for k := 0; k+1 < len(s.mentions); k++ {
		x, y := &s.mentions[k], &s.mentions[k+1]
		if y.from == x.to && m.isPart(s, y) && m.mayBeOpened(x.class) {
			s.mentions = slices.Delete(s.mentions, k+1, k+2)
			continue
		}
		between := s.words[x.to:y.from]
		if len(between) > 0 && len(between) < 3 && m.Ontology.IsWord(between[0], ontology.Of) && (len(between) == 1 || m.isDeterminer(between[1])) && m.isPart(s, x) && m.mayBeOpened(y.class) {
			s.mentions = slices.Delete(s.mentions, k, k+1)
		}
	}
}

// isBefore reports whether the name of a thing only tells of what the word behind it names, which is not
// there: "the coffee machine tray".
func (m *Mapper) isBefore(s *saidLine, x mention) bool {
	if x.to >= len(s.words) || x.from == 0 || !m.isDeterminer(s.words[x.from-1]) || s.inMention(x.to) {
		return false
	}
	w := s.words[x.to]
	if m.isFunction(w) || m.Ontology.IsWord(w, ontology.Portion) || m.Ontology.IsWord(w, ontology.Trailing) || m.Ontology.IsWord(w, ontology.Numbering) || m.vocabulary().stems[stem(w)] || m.Ontology.IsWord(w, ontology.Lid) {
		return false
	}
	return len(m.Ontology.ByLabel(w, m.Ontology.Core.PhysicalObject)) > 0
}

// contain takes what is named right behind a thing as what that is of, or what it holds, for a part of
// its name: "the can of cat food", "the drawer of the desk".
func (m *Mapper) contain(s *saidLine) {
	for k := 0; k+1 < len(s.mentions); k++ {
		x, y := &s.mentions[k], s.mentions[k+1]
		between := s.words[x.to:y.from]
		if len(between) == 0 || len(between) > 2 || !m.Ontology.IsWord(between[0], ontology.Of) || m.Ontology.IsWord(s.words[x.to-1], ontology.Portion) || x.class == ontology.None {
			continue
		}
		if len(between) == 2 && (!m.isDeterminer(between[1]) || y.class == ontology.None || m.Ontology.Roles.Movable == ontology.None || m.Ontology.HasProperty(y.class, m.Ontology.Roles.Movable)) {
			continue // "relieve the plate of the apple"
		}
		x.to = y.to
		s.mentions = slices.Delete(s.mentions, k+1, k+2)
	}
}

// classOf is the class of what is named, as far as there is such a thing.
func (m *Mapper) classOf(name string) ontology.TermID {
	class := ontology.None
	for _, o := range m.Objects {
		if o.Name == name || o.Class == name {
			class, _ = m.Ontology.Lookup(o.Class)
		}
	}
	return class
}

// namedOf is the thing that words name the other way round, as "the stand of the television" does, and
// how many of them name it: what the parts name by themselves is something else.
func (m *Mapper) namedOf(words []string) (string, int) {
	if len(words) < 3 || !m.Ontology.IsWord(words[1], ontology.Of) || m.Ontology.IsWord(words[0], ontology.Portion) {
		return "", 0
	}
	at := 2
	for at+1 < len(words) && m.isDeterminer(words[at]) {
		at++
	}
	if strings.Contains(words[0], "-") || strings.Contains(words[at], "-") {
		return "", 0
	}
	name, ok := m.labelled(words[at] + " " + words[0])
	if _, straight := m.labelled(strings.Join(words[:at+1], " ")); straight {
		return "", 0
	}
	return name, map[bool]int{true: at + 1}[ok && strings.Contains(name, "-")]
}

// specify takes a thing of which there are several for the one that is named right behind it:
// "the hob, namely burner one", "one slice, the first one".
func (m *Mapper) specify(s *saidLine) {
	for k := range s.mentions {
		x := &s.mentions[k]
		if strings.Contains(x.object, "-") {
			continue
		}
		end := min(x.to+3, len(s.words))
		if k+1 < len(s.mentions) {
			next := s.mentions[k+1]
			if class, _ := episode.SplitName(next.object); class == x.object && next.object != class && next.from <= end && !slices.ContainsFunc(s.words[x.to:next.from], m.isPreposition) {
				x.object = next.object
				continue
			}
			end = min(end, next.from)
		}
		for i := x.to; i < end; i++ {
			n, ok := m.Ontology.Ordinal(s.words[i])
			single := i+1 < end && (m.Ontology.IsWord(s.words[i+1], ontology.Single) || m.isHead(x.object, s.words[i+1]))
			alone := i == x.to+1 && m.isDeterminer(s.words[x.to]) && (i+1 == len(s.words) || m.isPreposition(s.words[i+1])) // "the mug, the second"
			if !ok || !single && !alone {
				continue
			}
			if name := x.object + "-" + strconv.Itoa(n); slices.ContainsFunc(m.Objects, func(o NamedObject) bool { return o.Name == name }) {
				if x.object, x.to = name, i+1; single {
					x.to++
				}
			}
			break
		}
	}
}

// isHead reports whether a word is the last of a label or nickname of a class: "ring" of a hob ring.
func (m *Mapper) isHead(class, word string) bool {
	id, ok := m.Ontology.Lookup(class)
	return ok && slices.ContainsFunc(slices.Concat(m.labels(id), m.Ontology.Nicknames(id)), func(l string) bool { return strings.HasSuffix(strings.ToLower(l), " "+word) })
}

// atPlace is the thing that a word behind a preposition names as a place only, as "in the trash",
// and how many words name it.
func (m *Mapper) atPlace(words []string, at int) (string, int) {
	before := at - 1
	if before > 0 && m.isDeterminer(words[before]) {
		before--
	}
	if before < 1 || !m.Ontology.IsWord(words[before], ontology.Toward) {
		return "", 0
	}
	for _, o := range m.Objects {
		class, _ := m.Ontology.Lookup(o.Class)
		if class != ontology.None && slices.Contains(m.Ontology.PlaceNames(class), words[at]) {
			return o.Name, 1
		}
	}
	return "", 0
}

// outlet takes the name of a liquid for what it runs from, where nothing else is named: "turn off
// the water".
func (m *Mapper) outlet(s *saidLine) {
	if len(s.mentions) > 0 {
		return
	}
	for i, w := range s.words {
		if i+1 < len(s.words) && len(m.Ontology.ByLabel(s.words[i+1], m.Ontology.Core.PhysicalObject)) > 0 {
			continue // "the water cooler"
		}
		liquid := m.Ontology.ByLabel(w, m.Ontology.Core.PhysicalObject)
		for _, o := range m.Objects {
			class, _ := m.Ontology.Lookup(o.Class)
			if class != ontology.None && slices.ContainsFunc(liquid, func(l ontology.TermID) bool { return slices.Contains(m.Ontology.GivesOut(class), l) }) {
				s.mentions = append(s.mentions, mention{from: i, to: i + 1, object: o.Name, class: class, outlet: true})
			}
		}
		if len(s.mentions) > 0 {
			return
		}
	}
}

// extend finds where what is said of each thing begins and ends: articles and adjectives, what of
// it is meant, and its parts.
func (m *Mapper) extend(s *saidLine) {
	last := 0
	for k := range s.mentions {
		x := &s.mentions[k]
		next := len(s.words)
		if k+1 < len(s.mentions) {
			next = s.mentions[k+1].from
		}
		x.begin, x.end = m.beginOf(s, x.from, last), x.to
		for x.end < next && m.Ontology.IsWord(s.words[x.end], ontology.Portion) && !m.isFunction(s.words[x.end]) {
			x.end++
		}
		last = x.end
	}
}

// beginOf is where what is said of a thing begins whose name stands at an index.
func (m *Mapper) beginOf(s *saidLine, at, last int) int {
	begin := at
	for n := 1; n <= 3 && at-n >= last && !m.isPreposition(s.words[at-n]) && !m.Ontology.IsWord(s.words[at-n], ontology.Of); n++ {
		if m.isDeterminer(s.words[at-n]) {
			begin = at - n
			break
		}
	}
	if of := begin - 1; of > last && m.Ontology.IsWord(s.words[of], ontology.Of) && !m.endsPreposition(s, last, of+1) {
		for n := 1; n <= 4 && of-n >= last && !m.isPreposition(s.words[of-n]); n++ {
			if m.isDeterminer(s.words[of-n]) {
				return of - n
			}
		}
		for of-1 >= last && m.Ontology.IsWord(s.words[of-1], ontology.Portion) {
			of--
		}
		return of
	}
	return begin
}

// endsPreposition reports whether the words up to an index end with a preposition of several, as
// "to the left of".
func (m *Mapper) endsPreposition(s *saidLine, from, to int) bool {
	for n := 2; n <= min(5, to-from); n++ {
		if m.isPreposition(strings.Join(s.words[to-n:to], " ")) {
			return true
		}
	}
	return false
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

func (s *saidLine) inMention(i int) bool {
	return slices.ContainsFunc(s.mentions, func(x mention) bool { return x.from <= i && i < x.to })
}

// isStrange reports whether what stands from an index on is a thing that is not there, as
// "the violin". What is a part of one that is there ("the door of the fridge") is not.
func (m *Mapper) isStrange(s *saidLine, from int, cue []int) bool {
	if from >= len(s.words) || !m.isDeterminer(s.words[from]) {
		return false
	}
	for _, x := range s.mentions {
		if x.begin <= from && from < x.to {
			return m.isAnother(s, x)
		}
	}
	for i := from + 1; i < len(s.words); i++ {
		if slices.Contains(cue, i) {
			return i > from+1
		}
		if s.inMention(i) || m.Ontology.IsWord(s.words[i], ontology.Portion) {
			return false
		}
		if m.isFunction(s.words[i]) || m.Ontology.IsWord(s.words[i], ontology.Of) {
			return i > from+1
		}
	}
	return true
}

// isAnother reports whether what is said before the name of a thing is of another thing, as "a
// picture of the mug": "the door of the fridge" is the fridge.
func (m *Mapper) isAnother(s *saidLine, x mention) bool {
	of := slices.IndexFunc(s.words[x.begin:x.from], func(w string) bool { return m.Ontology.IsWord(w, ontology.Of) })
	if of <= 0 || x.placed {
		return false
	}
	head := s.words[x.begin+of-1]
	known := m.vocabulary().stems
	return !m.Ontology.IsWord(head, ontology.Portion) && !known[stem(head)]
}
