// Package language reads what logs say in English through the labels of the ontology:
// names of things with their modifiers, actions as sentences, goals. What it has no
// label for is given back as it was written, never guessed.
package language

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mishap-robotics/mishap/ontology"
)

var separators = strings.NewReplacer("_", " ", "#", " ", ",", " , ", "(", " ", ")", " ", "\"", " ", "&", " and ", "’", "'", "n't ", " not ", "n’t ", " not ")

// Words splits a text into lower-case words; commas are words of their own. Names of classes
// and instances are several: "WineBottle-1" is "wine bottle 1".
func Words(text string) []string {
	out := strings.Fields(separators.Replace(strings.ToLower(Apart(text))))
	for i := 0; i < len(out); i++ {
		at := strings.LastIndexByte(out[i], '-')
		if at <= 0 || at+1 == len(out[i]) || !endsInLetter(out[i][:at]) || strings.Trim(out[i][at+1:], "0123456789") != "" {
			continue
		}
		stem, number := out[i][:at], out[i][at+1:]
		out[i] = stem
		out = slices.Insert(out, i+1, number)
	}
	return out
}

// endsInLetter reports whether a text ends with a letter.
func endsInLetter(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(text)
	return unicode.IsLetter(r)
}

// Apart writes a name such as "LaundryBasket" in words.
func Apart(name string) string {
	var out strings.Builder
	last := ' '
	for _, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(last) {
			out.WriteByte(' ')
		}
		out.WriteRune(r)
		last = r
	}
	return out.String()
}

// IndexWords is where some words stand in others, -1 for nowhere.
func IndexWords(words, some []string) int {
	for i := 0; i+len(some) <= len(words); i++ {
		if slices.Equal(words[i:i+len(some)], some) {
			return i
		}
	}
	return -1
}

// WordsOf is how many of the first words are function words of a kind: the longest such, 0
// for none.
func WordsOf(o *ontology.Ontology, in []string, kind ontology.WordKind) int {
	for n := min(len(in), longestLabel); n > 0; n-- {
		if o.IsWord(strings.Join(in[:n], " "), kind) {
			return n
		}
	}
	return 0
}

// longest takes the most of the first words that mean something, and how many those are; n
// is 0 where none do.
func longest(in []string, means func(string) []ontology.TermID) (ids []ontology.TermID, n int) {
	for n = min(len(in), longestLabel); n > 0; n-- {
		if slices.Contains(in[:n], ",") {
			continue
		}
		if ids = means(strings.Join(in[:n], " ")); len(ids) > 0 {
			return ids, n
		}
	}
	return nil, 0
}

// label is the longest label of a kind at the beginning of some words, and how many
// words it has; n is 0 where there is none.
func label(o *ontology.Ontology, in []string, kind ontology.TermID) (ids []ontology.TermID, n int) {
	return longest(in, func(text string) []ontology.TermID { return o.ByLabel(text, kind) })
}

// stateLabel is label for states.
func stateLabel(o *ontology.Ontology, in []string) (ids []ontology.TermID, n int) {
	return longest(in, func(text string) []ontology.TermID { return states(o, text) })
}

// states are the states with a label; a dimension of states is none. What is in a state
// with a liquid is named by that too, "filled with apple juice".
func states(o *ontology.Ontology, text string) []ontology.TermID {
	out := slices.DeleteFunc(slices.Clone(o.ByLabel(text, o.Core.StateClass)), func(id ontology.TermID) bool { return o.Dimension(id) == ontology.None })
	if len(out) == 0 {
		out = fullOf(o, strings.Fields(text))
	}
	return out
}

// fullOf are the states that words such as "full of cold milk" mean.
func fullOf(o *ontology.Ontology, in []string) []ontology.TermID {
	if len(in) < 3 {
		return nil
	}
	for i := len(in) - 2; i > 0; i-- {
		if !o.IsWord(in[i], ontology.Content) && !o.IsWord(in[i], ontology.Having) {
			continue
		}
		noun, used := readNoun(o, in[i+1:])
		if used > 0 && used < len(in)-i-1 {
			return nil
		}
		st := FilledWith(o, noun.Class)
		if st == ontology.None { // of something else, be it known or not
			st = o.Roles.Filled
		}
		if general := o.ByLabel(strings.Join(in[:i], " "), o.Core.StateClass); st == ontology.None || !slices.ContainsFunc(general, func(g ontology.TermID) bool { return st == g || o.StateIs(st, g) > 0 }) {
			return nil
		}
		return []ontology.TermID{st}
	}
	return nil
}

// FilledWith is the state of what is full of a liquid, or None: that of the nearest kind of
// liquid that has one.
func FilledWith(o *ontology.Ontology, liquid ontology.TermID) ontology.TermID {
	best, of := ontology.None, ontology.None
	if liquid == ontology.None {
		return best
	}
	for st, l := range o.Filled() {
		if o.IsA(liquid, l) && (of == ontology.None || l != of && o.IsA(l, of)) {
			best, of = st, l
		}
	}
	return best
}

// longestName is the most words that the name of a thing is looked for in.
const longestName = 24

// longestLabel is the most words that a label is looked for in.
const longestLabel = 6

// things are the classes of objects, agents apart, with a label; plural forms count. A
// class that can be acted upon comes before a group of classes.
func things(o *ontology.Ontology, text string) (class ontology.TermID, plural, ok bool) {
	for i, form := range forms(text) {
		for _, kind := range []ontology.TermID{o.Core.PhysicalObject, o.Core.Agent} {
			ids := o.ByLabel(form, kind)
			if k := slices.IndexFunc(ids, func(id ontology.TermID) bool { return !o.HasType(id, o.Core.ObjectGroup) }); k >= 0 {
				return ids[k], i > 0, true
			}
			if len(ids) > 0 {
				return ids[0], i > 0 || strings.HasSuffix(form, "s"), true
			}
		}
	}
	if !mayBeCompound(text) {
		return ontology.None, false, false
	}
	for i, form := range forms(text) {
		for _, id := range o.ByCompound(form, o.Core.PhysicalObject) {
			if !o.HasType(id, o.Core.ObjectGroup) {
				return id, i > 0, true
			}
		}
	}
	return ontology.None, false, false
}

// mayBeCompound reports whether a name may be two nouns that others write together, or the
// other way round.
func mayBeCompound(text string) bool {
	a, b, two := strings.Cut(text, " ")
	if !two {
		return len(text) >= 8
	}
	return len(a) > 2 && len(b) > 2 && !strings.Contains(b, " ")
}

// forms are the words themselves and what they may be in the singular: "carrot slices" and
// "slices of carrot" both end a noun.
func forms(text string) []string {
	out := singulars(text)
	if head, rest, ok := strings.Cut(text, " of "); ok {
		for _, one := range singulars(head)[1:] {
			out = append(out, one+" of "+rest)
		}
	}
	return out
}

// singulars are the forms that a word in the plural may have in the singular, the
// word itself first.
func singulars(text string) []string {
	out := []string{text}
	for _, ending := range [][2]string{{"ies", "y"}, {"ves", "fe"}, {"ves", "f"}, {"oes", "o"}, {"es", ""}, {"s", ""}} {
		if stem, ok := strings.CutSuffix(text, ending[0]); ok && len(stem) > 1 {
			out = append(out, stem+ending[1])
		}
	}
	return out
}

// cutValue splits "open=true" and "open: true".
func cutValue(text string) (name, value string, ok bool) {
	at := strings.IndexAny(text, "=:")
	if at < 1 {
		return "", "", false
	}
	return text[:at], strings.ToLower(strings.TrimSpace(text[at+1:])), true
}

// State is the state that some words mean: by a value of true or false, else by a label, by the opposite of what is
// denied, or by the last words where the first only name a part: "with door open".
func State(o *ontology.Ontology, text string) (ontology.TermID, bool) {
	if name, value, ok := cutValue(text); ok {
		id, known := State(o, name)
		if holds, err := strconv.ParseBool(value); err == nil && known {
			if !holds {
				id = o.Opposite(id)
			}
			return id, id != ontology.None
		}
	}
	in := Words(text)
	for i := range in {
		rest := strings.Join(in[i:], " ")
		denied := i > 0 && (o.IsWord(in[i-1], ontology.Negation) || o.IsWord(in[i-1], ontology.NoneOf))
		ids := states(o, rest)
		if len(ids) == 0 {
			continue
		}
		if !denied {
			return ids[0], true
		}
		if opposite := o.Opposite(ids[0]); opposite != ontology.None {
			return opposite, true
		}
		return ontology.None, false
	}
	if len(in) > 2 && o.IsWord(in[1], ontology.Having) { // "filled with" what nobody knows
		if general := states(o, in[0]); len(general) > 0 && general[0] == o.Roles.Filled {
			return general[0], true
		}
	}
	return ontology.None, false
}

// Noun is the name of a thing with what it says of it.
type Noun struct {
	Class ontology.TermID // None where no label fits
	// Text is what names the thing, without determiners, numbers and modifiers that are
	// understood.
	Text string
	// Number is that of the instance, as in "third counter top" and "mug 2"; 0 for none.
	Number int
	// Count is how many are meant, as in "two mugs"; 0 where it is not said. All is true
	// of "all mugs", "every mug" and "the mugs", None of "no mug".
	Count     int
	All, None bool
	// Definite is true of "the mug", which may have been named before.
	Definite bool
	States   []ontology.TermID // "clean", "white"
	// Properties are materials and physical properties, "glass".
	Properties []ontology.TermID
	// Contents is the liquid that a packaging comes with, as in "milk carton" and "bottle of
	// water"; None where it is not said.
	Contents ontology.TermID
	// Part is true where a part of the thing is named, "fridge door".
	Part bool
	// Inner is true where the part is a place in the thing, "fridge shelf".
	Inner bool
	// Modifiers are the words before the class, as they stand: "dark blue".
	Modifiers string
	// Unread are modifiers that the ontology has no label for.
	Unread []string

	bare bool // nothing stands before it: "door closed"
}

// Name is the noun as an instance or class name: "StoveBurner-4", "Mug". What no label
// fits keeps its words.
func (n *Noun) Name(o *ontology.Ontology) string {
	name := n.Text
	if n.Class != ontology.None {
		name = o.Name(n.Class)
	}
	if n.Number > 0 {
		return name + "-" + strconv.Itoa(n.Number)
	}
	return name
}

// Specific is Name with the words before the class, "red Mug", where no number tells which
// one is meant.
func (n *Noun) Specific(o *ontology.Ontology) string {
	if n.Class == ontology.None || n.Number > 0 || n.Modifiers == "" {
		return n.Name(o)
	}
	return n.Modifiers + " " + n.Text
}

// ReadNoun reads a name such as "the third counter top", "blue cup with handle" or
// "bread_slice_3". What follows the head ("with handle") is not read.
func ReadNoun(o *ontology.Ontology, text string) Noun {
	in := Words(apartOfSynset(text))
	n, used := readNoun(o, in)
	if n.Class != ontology.None && len(n.Unread) > 0 && o.HasType(n.Class, o.Core.ObjectGroup) && !o.HasProperty(n.Class, o.Roles.Receptacle) {
		n.Class = ontology.None // "cat food" is no food at large, if a "breakfast table" is a table
	}
	if n.Class != ontology.None && anotherHead(o, in[used:]) {
		n.Class = ontology.None // a "bottle warmer" is no bottle
	}
	if n.Class == ontology.None {
		n.Text, n.Number = withoutDeterminers(o, text), 0
		return n
	}
	n.Unread = append(n.Unread, in[used:]...)
	return n
}

// ReadName is ReadNoun of what a log names, which may also be what people call a thing, where no label
// reads it, or one with words before it that say nothing of it: an "egg cup" is no cup.
func ReadName(o *ontology.Ontology, text string) Noun {
	text = apartOfSynset(text)
	n := ReadNoun(o, text)
	if n.Class != ontology.None && len(n.Unread) == 0 {
		return n // as most names are: nothing more is looked for
	}
	in := Words(text)
	for len(in) > 1 && WordsOf(o, in[:1], ontology.Determiner) > 0 {
		in = in[1:]
	}
	number := 0
	if last := len(in) - 1; last > 0 {
		if k, err := strconv.Atoi(in[last]); err == nil && k > 0 {
			in, number = in[:last], k
		}
	}
	ids := o.ByNickname(strings.Join(in, " "))
	if len(ids) != 1 {
		return n
	}
	kept := func(w string) bool { // a "sugar jar" is that jar in which the sugar is
		class, _, _ := things(o, w)
		return class != ontology.None && (o.IsLiquid(class) || o.Roles.Movable != ontology.None && o.HasProperty(class, o.Roles.Movable)) && o.HasProperty(n.Class, o.Roles.Receptacle)
	}
	if n.Class != ontology.None && (o.IsA(ids[0], n.Class) || o.IsA(n.Class, ids[0]) ||
		slices.ContainsFunc(n.Unread, kept) || slices.ContainsFunc(in, func(w string) bool { return o.IsWord(w, ontology.Of) })) {
		return n
	}
	return Noun{Class: ids[0], Contents: ontology.None, Text: strings.Join(in, " "), Number: number, Definite: n.Definite}
}

// Numbered lists the instances that a text names by their number, as "StoveBurner-1" of
// "boil water on the first stove burner", whatever else it says, but for what stands in
// parentheses.
func Numbered(o *ontology.Ontology, text string) []string {
	var out []string
	text = remark.ReplaceAllString(text, " ")
	in := Words(strings.Map(func(r rune) rune {
		if unicode.IsPunct(r) && r != '-' && r != '_' {
			return ' '
		}
		return r
	}, text))
	for i := range in {
		if n, _ := readNoun(o, in[i:]); n.Class != ontology.None && n.Number > 0 {
			out = append(out, o.Instance(n.Class, n.Number))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// anotherHead reports whether words after the name of a thing go on with it, so that it is
// the name of another.
func anotherHead(o *ontology.Ontology, rest []string) bool {
	if len(rest) == 0 || strings.ContainsFunc(rest[0], func(r rune) bool { return !unicode.IsLetter(r) }) || utf8.RuneCountInString(rest[0]) == 1 {
		return false
	}
	for _, kind := range []ontology.WordKind{ontology.Trailing, ontology.AfterHead, ontology.Part, ontology.Conjunction, ontology.Negation} {
		if o.IsWord(rest[0], kind) {
			return false
		}
	}
	_, state := stateLabel(o, rest)
	return state == 0
}

var remark = regexp.MustCompile(`\([^()]*\)`)

// Described are the states by which a text says which thing of a class it means, as "dirty" of
// "put the dirty mug into the dishwasher": those of a single definite noun that names the class.
func Described(o *ontology.Ontology, text string, class ontology.TermID) []ontology.TermID {
	var out []ontology.TermID
	for in := Words(text); len(in) > 0; in = in[1:] {
		if !o.IsWord(in[0], ontology.Determiner) {
			continue
		}
		if n, _ := readNoun(o, in); n.Class == class && n.Definite && !n.All && n.Count == 0 && !n.Part {
			out = append(out, n.States...)
		}
	}
	return out
}

// withoutDeterminers is what a text names, in its own spelling.
func withoutDeterminers(o *ontology.Ontology, text string) string {
	in := strings.Fields(text)
	for len(in) > 1 && WordsOf(o, []string{strings.ToLower(in[0])}, ontology.Determiner) > 0 {
		in = in[1:]
	}
	return strings.Join(in, " ")
}

// readNoun reads a noun at the beginning of some words, and says how many it took.
func readNoun(o *ontology.Ontology, in []string) (n Noun, used int) {
	n.Class, n.Contents = ontology.None, ontology.None
	at, definite := n.determine(o, in)
	head, end := findHead(o, in[at:])
	if end == 0 || slices.ContainsFunc(in[at:at+head], func(w string) bool { return o.IsWord(w, ontology.Determiner) }) {
		return n, 0 // "clean the bowl" names no bowl that is clean
	}
	used = at + end
	if before := in[at : at+head]; isPart(o, before, in[at+head:at+end]) {
		n.Part, n.Inner = true, o.IsWord(strings.Join(in[at+head:at+end], " "), ontology.Inner)
		head, end = findHead(o, before)
	}
	var plural bool
	n.Text = strings.Join(in[at+head:at+end], " ")
	n.Class, plural, _ = things(o, n.Text)
	if n.Count > 1 && !plural { // two glasses are no pair of spectacles
		for _, one := range singulars(n.Text)[1:] {
			if class, _, ok := things(o, one); ok {
				n.Class, plural = class, true
				break
			}
		}
	}
	n.Definite, n.bare = definite, at == 0 && head == 0
	n.All = n.All || definite && plural && n.Count == 0 && n.Number == 0
	n.Modifiers = strings.Join(in[at:at+head], " ")
	n.modifiers(o, in[at:at+head])
	n.contents(o, in[at:])
	if used < len(in) {
		if k, err := strconv.Atoi(in[used]); err == nil && k >= 0 && n.Number == 0 {
			n.Number = k // of the first, "plate_0", none is kept
			used++
		}
	}
	return n, used
}

// contents takes the liquid that a packaging is named by, of the words about it.
func (n *Noun) contents(o *ontology.Ontology, in []string) {
	if o.Roles.Packaging == ontology.None || !o.HasProperty(n.Class, o.Roles.Packaging) {
		return
	}
	for from := range in {
		for end := from + 1; end <= min(from+longestLabel, len(in)); end++ {
			if class, _, ok := things(o, strings.Join(in[from:end], " ")); ok && o.IsLiquid(class) {
				n.Contents = class
				return
			}
		}
	}
}

// determine takes the words before a name that say which or how many are meant. definite
// is true after one that means all there are before a plural.
func (n *Noun) determine(o *ontology.Ontology, in []string) (at int, definite bool) {
	for at < len(in) {
		w := in[at]
		taken := 1
		if ord, ok := o.Ordinal(w); ok {
			n.Number = ord
		} else if c, ok := o.Cardinal(w); ok {
			n.Count = c
		} else if c, err := strconv.Atoi(w); err == nil && c > 1 && at+1 < len(in) {
			n.Count = c
		} else if k := WordsOf(o, in[at:], ontology.Universal); k > 0 {
			n.All, taken = true, k
		} else if o.IsWord(w, ontology.NoneOf) {
			n.None = true
		} else if taken = WordsOf(o, in[at:], ontology.Determiner); taken == 0 {
			break
		}
		definite = definite || o.IsWord(w, ontology.Definite)
		at += taken
	}
	return at, definite
}

// isPart reports whether a head is a part of the thing named before it: "fridge door", but
// not "laundry door".
func isPart(o *ontology.Ontology, before, head []string) bool {
	part := strings.Join(head, " ")
	if len(before) == 0 || !o.IsWord(part, ontology.Part) && !o.IsWord(part, ontology.Inner) {
		return false
	}
	from, end := findHead(o, before)
	if end < len(before) {
		return false
	}
	class, _, _ := things(o, strings.Join(before[from:], " "))
	return o.Roles.Openable == ontology.None || o.HasProperty(class, o.Roles.Openable)
}

// findHead finds the words that name the class: of the words up to what follows the
// head, the last that a label ends with, and of those the longest. The end is 0 where
// there is none.
func findHead(o *ontology.Ontology, in []string) (from, end int) {
	limit := 0
	for limit < min(len(in), longestName) && in[limit] != "," && !o.IsWord(in[limit], ontology.Conjunction) {
		limit++
	}
	// A label may itself hold a word such as "of": "slice of bread".
	for end := limit; end > 0; end-- {
		for from := max(0, end-longestLabel); from < end; from++ {
			if slices.ContainsFunc(in[:from], func(w string) bool { return o.IsWord(w, ontology.AfterHead) }) {
				break
			}
			if _, _, ok := things(o, strings.Join(in[from:end], " ")); ok {
				return from, end
			}
		}
	}
	return 0, 0
}

// modifiers takes what stands before the head for states, properties and materials.
func (n *Noun) modifiers(o *ontology.Ontology, in []string) {
	for len(in) > 0 {
		taken := 1
		if ids, k := stateLabel(o, in); k > 0 {
			n.States = append(n.States, ids[0])
			taken = k
		} else if ids, k := label(o, in, o.Core.Material); k > 0 {
			n.Properties = append(n.Properties, ids[0])
			taken = k
		} else if !o.IsWord(in[0], ontology.Determiner) {
			n.Unread = append(n.Unread, in[0])
		}
		in = in[taken:]
	}
}
