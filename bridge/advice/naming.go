package advice

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

// piece is the thing that a word for a part names where no whole is named with it, as "the second
// slice" where there are slices of bread, and how many words name it.
func (m *Mapper) piece(words []string, at int) (string, int) {
	last, number := at, ""
	if _, ok := m.Ontology.Ordinal(words[at]); ok {
		last, number = at+1, words[at]+" "
	}
	if last >= len(words) || !m.Ontology.IsWord(words[last], ontology.Portion) || last+1 < len(words) && m.Ontology.IsWord(words[last+1], ontology.Of) {
		return "", 0
	}
	if number == "" && (at == 0 || !m.isDeterminer(words[at-1])) || number != "" && at > 0 && !m.isDeterminer(words[at-1]) {
		return "", 0
	}
	n := last + 1 - at
	if last+1 < len(words) && number == "" {
		if _, ok := m.Ontology.Cardinal(words[last+1]); ok {
			number, n = words[last+1], n+1
		}
	}
	found := ""
	for _, o := range m.notes().things {
		for _, label := range m.labels(o.class) {
			if !strings.HasPrefix(strings.TrimSpace(label), words[last]) {
				continue
			}
			parts := strings.Fields(label)
			if len(parts) < 3 || parts[0] != words[last] || !m.Ontology.IsWord(parts[1], ontology.Of) {
				continue
			}
			name, ok := m.named(strings.Fields(number + label))
			if ok && found != "" && found != name {
				return "", 0
			}
			if ok {
				found = name
			}
		}
	}
	if found == "" {
		return "", 0
	}
	return found, n
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
	if name, ok := m.headedNumber(text); ok && len(words) > 1 {
		return name, true
	}
	if len(words) > 2 || len(text) < 4 || len(words) == 1 && len(m.Ontology.ByLabel(text, m.Ontology.Core.StateClass)) > 0 {
		return "", false
	}
	right := len(words) == 1 && m.vocabulary().named[text] // the name of something, and spelt so
	best, score := "", 0.0
	plain, several := plainName(text), len(words) > 1
	for _, o := range m.notes().things {
		for _, c := range o.called {
			if right && !isOtherNumber(plain, strings.ToLower(c.plain)) || c.several != several || lower(text[0]) != c.first || tooFar(plain, c.plain, leastSpelt) {
				continue
			}
			if a := ontology.Similarity(plain, c.plain); a > score {
				best, score = o.Name, a
			}
		}
	}
	if score >= leastSpelt && len(text) > 4 {
		return best, true
	}
	return m.mistyped(words)
}

// leastSpelt is how like a name words have to be spelt.
const leastSpelt = 0.84

// isOtherNumber reports whether a word is another, or one of them is the plural of the other.
func isOtherNumber(a, b string) bool {
	return strings.TrimSuffix(a, "s") == strings.TrimSuffix(b, "s")
}

// tooFar reports whether the lengths of two words alone, in bytes of plain letters, make them less alike
// than is asked for.
func tooFar(a, b string, least float64) bool {
	long, short := max(len(a), len(b)), min(len(a), len(b))
	return isASCII(a) && isASCII(b) && float64(short) < least*float64(long)-1e-9
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII })
}

// mistyped is the object of which a word is the name with one mistake of typing: two letters that
// changed places, one too many or one too few. A word that is known means what it says.
func (m *Mapper) mistyped(words []string) (string, bool) {
	w := words[0]
	if len(words) > 1 || len(w) < 4 || m.isKnown(w) {
		return "", false
	}
	for _, o := range m.notes().things {
		for _, label := range append([]string{strings.ToLower(o.Class)}, o.labels...) {
			if len(label) > 3 && isSlip(w, label) {
				if name, ok := m.labelled(label); ok {
					return name, true
				}
			}
		}
	}
	return "", false
}

// isKnown reports whether the ontology has a word, by itself or with an ending.
func (m *Mapper) isKnown(w string) bool {
	stems := m.vocabulary().stems
	return stems[stem(w)] || m.isFunction(w) || m.Ontology.IsWord(w, ontology.OtherDeed) || len(m.Ontology.ByLabel(w, ontology.None)) > 0 || len(m.Ontology.ByLabel(stem(w), ontology.None)) > 0
}

// isSlip reports whether a word is another, of the same first letter, in which two neighbours have
// changed places or one letter is too many or missing.
func isSlip(a, b string) bool {
	if a[0] != b[0] || a == b {
		return false
	}
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	switch len(a) - len(b) {
	case 0:
		return at+1 < len(a) && a[at] == b[at+1] && a[at+1] == b[at] && a[at+2:] == b[at+2:]
	case 1:
		return a[at+1:] == b[at:]
	case -1:
		return a[at:] == b[at+1:]
	}
	return false
}

// headed is the one object of whose name a word is the last, as "bottle" of a wine bottle.
func (m *Mapper) headed(word string) (string, bool) {
	if m.vocabulary().verbs[stem(word)] || m.Ontology.IsWord(word, ontology.Portion) {
		return "", false
	}
	// What another class is called by, a thing is by its proper name only: a wine bottle may
	// be the bottle, but a microwave oven is not the oven.
	another := len(m.Ontology.ByLabel(word, m.Ontology.Core.PhysicalObject)) > 0
	found := ""
	for _, o := range m.notes().things {
		names := o.labels
		if another {
			names = names[:min(1, len(names))]
		}
		heads := slices.ContainsFunc(names, func(label string) bool { return strings.HasSuffix(label, " "+word) })
		switch {
		case heads && found != "":
			return "", false
		case heads:
			found = o.Name
		}
	}
	return found, found != ""
}

// headedNumber is the one object of a number of whose name a word is the last, as "machine 2" is of
// the second washing machine.
func (m *Mapper) headedNumber(text string) (string, bool) {
	word, number, ok := strings.Cut(text, " ")
	if n, first := m.Ontology.Ordinal(word); first {
		word, number = number, strconv.Itoa(n)
	}
	if !ok || strings.Contains(word, " ") || strings.Trim(number, "0123456789") != "" || len(m.Ontology.ByLabel(word, m.Ontology.Core.PhysicalObject)) > 0 {
		return "", false
	}
	found := ""
	for _, o := range m.notes().things {
		if !strings.HasSuffix(o.Name, "-"+number) || !slices.ContainsFunc(o.labels, func(l string) bool { return strings.HasSuffix(l, " "+word) }) {
			continue
		}
		class, _ := episode.SplitName(o.Name)
		several := slices.ContainsFunc(m.Objects, func(p NamedObject) bool { return p.Name != o.Name && strings.HasPrefix(p.Name, class+"-") })
		if several && found != "" {
			return "", false
		}
		if several {
			found = o.Name
		}
	}
	return found, found != ""
}
