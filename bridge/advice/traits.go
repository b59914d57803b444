package advice

import (
	"hash/fnv"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

// token is a word of a line without its ending, or a thing that the line names.
type token struct {
	word   string
	thing  *mention // nil for a word
	region string   // what the line says there: what is besides, what is to be done, what for
}

const (
	beginning = "^"
	ending    = "$"
	anyThing  = "X"
)

// tokenLine is a line in tokens.
type tokenLine struct {
	*saidLine
	tokens []token
	things []*mention // each once
	asked  bool       // it ends with a question mark
	heard  map[*ontology.ActionSchema]heardCue
	first  int // where the first cue of all begins
}

// heardCue is how many words of its longest cue an action has in a line, and where the first begins.
type heardCue struct{ words, first int }

var jointed = regexp.MustCompile(`(\p{Ll})(\p{Lu})`)

// tokenize reads a line; words that are joined as programs join them are parted.
func (m *Mapper) tokenize(text string) *tokenLine {
	text = strings.ReplaceAll(jointed.ReplaceAllString(strings.TrimSpace(text), "$1 $2"), "_", " ")
	l := &tokenLine{saidLine: m.readSentence(text), asked: strings.HasSuffix(text, "?")}
	for i := 0; i < len(l.words); {
		t, n := token{word: stem(m.corrected(l.words[i]))}, 1
		switch {
		case i < l.lead:
			t.region = "besides"
		case i >= l.reasons:
			t.region = "for"
		}
		if k := slices.IndexFunc(l.mentions, func(x mention) bool { return x.from == i }); k >= 0 {
			x := &l.mentions[k]
			t.word, t.thing, n = anyThing, x, x.to-x.from
			if !slices.ContainsFunc(l.things, func(y *mention) bool { return y.object == x.object }) {
				l.things = append(l.things, x)
			}
		}
		l.tokens = append(l.tokens, t)
		i += n
	}
	m.hear(l)
	return l
}

// corrected is the word of a cue that a word which nobody knows is but for a mistake of typing, else
// the word itself.
func (m *Mapper) corrected(w string) string {
	if len(w) < 3 || m.isKnown(w) {
		return w
	}
	for _, verb := range m.vocabulary().cues.byLetter[w[0]] {
		if len(verb) > 3 && isSlip(w, verb) {
			return verb
		}
	}
	return w
}

// hear finds the cues of all actions, wherever they stand.
func (m *Mapper) hear(l *tokenLine) {
	x := m.vocabulary()
	stems := make([]string, len(l.words))
	for i, w := range l.words {
		stems[i] = stem(m.corrected(w))
	}
	l.heard, l.first = map[*ontology.ActionSchema]heardCue{}, len(l.words)
	for _, a := range x.advised {
		l.heard[a] = heardCue{first: len(l.words)}
	}
	for _, c := range x.cues.of(l.saidLine, stems, x.stems) {
		if at := l.find(c.words, stems, x.stems, func(int, int) bool { return true }); at != nil && at[0] >= l.lead && at[0] < l.reasons {
			h := l.heard[c.action]
			l.heard[c.action] = heardCue{max(h.words, len(c.words)), min(h.first, at[0])}
			l.first = min(l.first, at[0])
		}
	}
}

// meanings are those of a line that is read for it.
func (m *Mapper) meanings(text string, known map[string]bool) []meant {
	return m.meaningsOf(m.tokenize(text), known)
}

// meaningsOf are none and all actions among some, with all things that a line names, and what
// makes each of them probable.
func (m *Mapper) meaningsOf(l *tokenLine, known map[string]bool) []meant {
	plain := m.plainTraits(l)
	none := slices.Clone(plain)
	if l.first == len(l.words) {
		none = append(none, "uncued")
	}
	out := []meant{{traits: hashed(nil, "none", none)}}
	places := m.placesOfVerbs()
	add := func(a *ontology.ActionSchema, target, destination *mention) {
		x := meant{schema: a, action: episode.Action{Name: a.Name}}
		shape := 0
		for i, of := range []*mention{target, destination} {
			if of != nil {
				*[]*string{&x.action.Target, &x.action.Destination}[i] = of.object
				shape++
			}
		}
		of := m.traitsOf(l, a, target, destination)
		n := strconv.Itoa(shape)
		x.traits = hashed(hashed(hashed(nil, a.Name, plain), a.Name+n, of), "any"+n, of)
		out = append(out, x)
	}
	for _, a := range m.vocabulary().advised {
		if !known[a.Name] {
			continue
		}
		if a.Required == 0 {
			add(a, nil, nil)
		}
		if a.Required == 0 && a != m.Ontology.Roles.Look {
			continue
		}
		for _, target := range l.things {
			if a.Params == 1 {
				add(a, target, nil)
				continue
			}
			for _, destination := range slices.Concat(l.things, places) {
				if a.Params > 1 && destination.object != target.object && (destination.to > 0 || !l.names(destination.object)) {
					add(a, target, destination)
				}
			}
		}
	}
	return out
}

func (l *tokenLine) names(object string) bool {
	return slices.ContainsFunc(l.things, func(x *mention) bool { return x.object == object })
}

// placesOfVerbs are the things to which verbs bring something that do not name them.
func (m *Mapper) placesOfVerbs() (out []*mention) {
	for _, o := range m.Objects {
		if class, _ := m.Ontology.Lookup(o.Class); class != ontology.None && len(m.Ontology.PlaceVerbs(class)) > 0 {
			out = append(out, &mention{object: o.Name, class: class})
		}
	}
	return out
}

// hashed adds the dimensions of traits of something.
func hashed(out []uint32, of string, traits []string) []uint32 {
	for _, t := range traits {
		h := fnv.New32a()
		h.Write([]byte(of))
		h.Write([]byte("|"))
		h.Write([]byte(t))
		out = append(out, h.Sum32()%dimensions)
	}
	return out
}

// word is the word at an index of tokens, with their ends.
func word(words []string, at int) string {
	switch {
	case at < 0:
		return beginning
	case at >= len(words):
		return ending
	}
	return words[at]
}

// plainTraits are those of a line whatever it means: its words, pairs and letters of them.
func (m *Mapper) plainTraits(l *tokenLine) (out []string) {
	words := make([]string, len(l.tokens))
	for i, t := range l.tokens {
		words[i] = t.word
	}
	for i, w := range words {
		in := l.tokens[i].region
		out = append(out, in+"word:"+w, in+"pair:"+word(words, i-1)+" "+w)
		if i+1 == len(words) {
			out = append(out, "pair:"+w+" "+ending)
		}
		if i+2 < len(words) {
			out = append(out, in+"apart:"+w+" "+words[i+2])
		}
		if w != anyThing && len(w) > 3 {
			for marked, k := "<"+w+">", 0; k+4 <= len(marked); k++ {
				out = append(out, in+"letters:"+marked[k:k+4])
			}
		}
		if m.isStrangeAt(l, i) {
			out = append(out, "strange")
		}
	}
	if l.unsaid {
		out = append(out, "unsaid")
	}
	if l.asked {
		out = append(out, "asked")
	}
	for i, w := range words[:min(3, len(words))] {
		if l.tokens[i].thing == nil && m.vocabulary().verbs[w] {
			out = append(out, "verb:"+w)
			break
		}
	}
	return append(out, "things:"+strconv.Itoa(min(4, len(l.things))))
}

// isStrangeAt reports whether a word begins to name something that is not there.
func (m *Mapper) isStrangeAt(l *tokenLine, at int) bool {
	if at == 0 || l.tokens[at].thing != nil || !m.isDeterminer(l.tokens[at-1].word) {
		return false
	}
	return at+1 >= len(l.tokens) || l.tokens[at+1].thing == nil
}

// Words that stand for the things of an action.
const (
	asTarget = "T"
	asPlace  = "D"
	asOther  = "O"
)

// traitsOf are those of a line where it means an action on a target, at a destination.
func (m *Mapper) traitsOf(l *tokenLine, a *ontology.ActionSchema, target, destination *mention) (out []string) {
	words, at, to := l.cast(target, destination)
	out = m.roleTraits(l, a, asTarget, words, at)
	out = append(out, m.roleTraits(l, a, asPlace, words, to)...)
	if m.isLeftOver(l.saidLine, a) {
		out = append(out, "left over")
	}
	if target != nil && m.comesToNothing(l.saidLine, a, target.object, objectOf(destination)) {
		out = append(out, "for nothing")
	}
	if at >= 0 && to >= 0 {
		out = append(out, "order:"+strconv.FormatBool(at < to))
		if from, end := min(at, to), max(at, to); end-from < 6 {
			out = append(out, "between:"+strings.Join(words[from:end+1], " "))
		}
	}
	if destination != nil && to < 0 {
		out = append(out, "unnamed")
		if m.isPlaceVerb(l, destination) {
			out = append(out, "placing verb")
		}
	}
	out = append(out, m.otherTraits(words, at, to)...)
	if target != nil && target.class != ontology.None {
		out = append(out, "may:"+strconv.FormatBool(m.Ontology.MayBeTarget(a, target.class)), "target:"+m.Ontology.Name(target.class))
	}
	if destination != nil && destination.class != ontology.None {
		out = append(out, "preferred:"+strconv.FormatBool(m.Ontology.Preferred(a, destination.class) == a), "place:"+m.Ontology.Name(destination.class))
	}
	h := l.heard[a]
	out = append(out, "cue:"+strconv.Itoa(min(3, h.words)))
	if h.words > 0 && h.first == l.first {
		out = append(out, "first cue")
	}
	return out
}

func objectOf(x *mention) string {
	if x == nil {
		return ""
	}
	return x.object
}

// cast names the things of a line by their roles, and tells where target and destination stand
// first, -1 for nowhere.
func (l *tokenLine) cast(target, destination *mention) (words []string, at, to int) {
	words, at, to = make([]string, len(l.tokens)), -1, -1
	for i, t := range l.tokens {
		words[i] = t.word
		switch {
		case t.thing == nil:
		case t.thing.object == objectOf(target):
			words[i] = asTarget
			if at < 0 {
				at = i
			}
		case t.thing.object == objectOf(destination):
			words[i] = asPlace
			if to < 0 {
				to = i
			}
		default:
			words[i] = asOther
		}
	}
	return words, at, to
}

// roleTraits are what stands around a thing in a role, and what is said of it.
func (m *Mapper) roleTraits(l *tokenLine, a *ontology.ActionSchema, role string, words []string, at int) (out []string) {
	if at < 0 {
		return nil
	}
	x := l.tokens[at].thing
	all := role + l.tokens[at].region
	for name, is := range map[string]bool{"placed": x.placed, "source": x.source, "aside": x.aside, "beside": x.beside, "going": x.going, "elsewhere": x.elsewhere, "another": m.isAnother(l.saidLine, *x), "part": m.isOfPart(l.saidLine, a, *x)} {
		if is {
			out = append(out, role+":"+name)
		}
	}
	slices.Sort(out)
	out = append(out, all+strings.Join(out, ""))
	before := at - 1
	if m.isDeterminer(word(words, before)) {
		before--
	}
	return append(out, role+" after:"+word(words, before), role+" after:"+word(words, before-1)+" "+word(words, before), role+" before:"+word(words, at+1))
}

// otherTraits are the words before, between and behind target and place, and other things.
func (m *Mapper) otherTraits(words []string, at, to int) (out []string) {
	others := 0
	for i, w := range words {
		where := 0
		if at >= 0 && i > at {
			where++
		}
		if to >= 0 && i > to {
			where += 2
		}
		part := strconv.Itoa(where)
		out = append(out, part+":"+w)
		if i+1 < len(words) {
			out = append(out, part+":"+w+" "+words[i+1])
		}
		if w == asOther {
			others++
			before := word(words, i-1)
			if m.isDeterminer(before) {
				before = word(words, i-2)
			}
			out = append(out, "other after:"+before, "other first:"+strconv.FormatBool(i < at))
		}
	}
	return append(out, "others:"+strconv.Itoa(min(3, others)))
}

// isPlaceVerb reports whether a line has a verb that brings something to a thing without naming it.
func (m *Mapper) isPlaceVerb(l *tokenLine, to *mention) bool {
	return slices.ContainsFunc(m.Ontology.PlaceVerbs(to.class), func(verb string) bool {
		first, _, _ := strings.Cut(verb, " ")
		return slices.Contains(l.words, first)
	})
}
