package advice

import (
	"cmp"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/mishap-robotics/mishap/engine/language"
	"github.com/mishap-robotics/mishap/ontology"
)

// vocabulary is what sentences are read by that an ontology has, whatever things there are.
type vocabulary struct {
	of         *ontology.Ontology
	advised    []*ontology.ActionSchema
	actions    *language.Actions
	phrases    []phrase
	spelt      map[string][]ontology.TermID // classes of things by their names, without spaces
	named      map[string]bool              // words of names and nicknames of classes
	cues       *cueIndex
	others     *cueIndex       // of the cues that count only where no others do
	stems      map[string]bool // of all words of cues
	verbs      map[string]bool // and of the first of each
	otherVerbs map[string]bool // and of those that count only where no others do
	otherDeeds map[string]bool // and of verbs of what no action does
	ownWords   map[*ontology.ActionSchema]map[string]bool
}

// cueWord is a word of a cue, with what it is without its ending.
type cueWord struct{ word, stem string }

// indexedCue is a cue of an action, which is one of the advised ones by its place.
type indexedCue struct {
	place  int
	action *ontology.ActionSchema
	words  []cueWord
}

// cueIndex finds the cues of actions by the words that they begin with.
type cueIndex struct {
	all      []indexedCue
	byWord   map[string][]int    // cues by the word that they begin with
	byStem   map[string][]string // those words by themselves without their endings
	byLetter map[byte][]string   // and by their first letters
	pairs    map[string][]int    // cues of two words, by both
	longest  int
}

var lastVocabulary atomic.Pointer[vocabulary]

// vocabularyOf is that of an ontology; the one asked for last is kept.
func vocabularyOf(o *ontology.Ontology) *vocabulary {
	if l := lastVocabulary.Load(); l != nil && l.of == o {
		return l
	}
	l := &vocabulary{of: o, advised: o.Advised(), actions: language.NewActions(o), cues: newCueIndex(), others: newCueIndex(),
		spelt: map[string][]ontology.TermID{}, named: map[string]bool{}, otherDeeds: map[string]bool{}, stems: map[string]bool{}, verbs: map[string]bool{}, otherVerbs: map[string]bool{}, ownWords: map[*ontology.ActionSchema]map[string]bool{}}
	for place, a := range l.advised {
		l.ownWords[a] = map[string]bool{}
		for _, text := range a.Phrases {
			l.phrases = append(l.phrases, newPhrase(a, text))
		}
		for _, c := range a.Cues {
			words := l.cues.add(place, a, c)
			for _, w := range words {
				l.stems[w.stem] = l.stems[w.stem] || !isDeterminer(o, w.word)
				l.ownWords[a][w.stem] = true
			}
			l.verbs[words[0].stem] = true
		}
		for _, c := range a.OtherCues {
			words := l.others.add(place, a, c)
			for _, w := range words {
				l.ownWords[a][w.stem] = true
			}
			l.otherVerbs[words[0].stem] = true
		}
	}
	for _, verb := range o.Words(ontology.OtherDeed) {
		l.otherDeeds[stem(verb)] = true
	}
	l.spell()
	lastVocabulary.Store(l)
	return l
}

// spell collects the names of classes.
func (l *vocabulary) spell() {
	for _, c := range l.of.Subclasses(l.of.Core.PhysicalObject) {
		name := strings.ToLower(plainName(l.of.Name(c)))
		l.spelt[name] = append(l.spelt[name], c)
		for _, called := range slices.Concat(l.of.Terms[c].Labels, l.of.Nicknames(c)) {
			for _, w := range strings.Fields(strings.ToLower(called)) {
				l.named[w] = true
			}
		}
	}
}

func newCueIndex() *cueIndex {
	return &cueIndex{byWord: map[string][]int{}, byStem: map[string][]string{}, byLetter: map[byte][]string{}, pairs: map[string][]int{}}
}

func (x *cueIndex) add(place int, a *ontology.ActionSchema, cue string) []cueWord {
	var words []cueWord
	for _, w := range strings.Fields(cue) {
		words = append(words, cueWord{w, stem(w)})
	}
	first, at := words[0], len(x.all)
	if x.byWord[first.word] == nil {
		x.byStem[first.stem] = append(x.byStem[first.stem], first.word)
		x.byLetter[first.word[0]] = append(x.byLetter[first.word[0]], first.word)
	}
	x.byWord[first.word] = append(x.byWord[first.word], at)
	if len(words) == 2 {
		pair := first.stem + " " + words[1].word
		x.pairs[pair] = append(x.pairs[pair], at)
	}
	x.longest = max(x.longest, len(words))
	x.all = append(x.all, indexedCue{place, a, words})
	return words
}

// of lists the cues of actions that words of a sentence may begin, a misspelt one too, in the order of
// actions and of the cues of each.
func (x *cueIndex) of(s *saidLine, stems []string, known map[string]bool) []indexedCue {
	var at []int
	seen := map[string]bool{}
	add := func(word string) {
		if !seen[word] {
			seen[word] = true
			at = append(at, x.byWord[word]...)
		}
	}
	for i, w := range s.words {
		for _, word := range x.byStem[stems[i]] {
			add(word)
		}
		if w == "" || known[stems[i]] || s.strangers[i] {
			continue
		}
		for _, word := range x.byLetter[w[0]] {
			if misspelt(w, word) {
				add(word)
			}
		}
	}
	out := make([]indexedCue, len(at))
	slices.Sort(at)
	for i, k := range at {
		out[i] = x.all[k]
	}
	slices.SortStableFunc(out, func(a, b indexedCue) int { return cmp.Compare(a.place, b.place) })
	return out
}

// isPair reports whether two words are a cue.
func (x *cueIndex) isPair(first, second string) bool {
	return slices.ContainsFunc(x.pairs[stem(first)+" "+second], func(k int) bool { return x.all[k].words[0].word == first })
}
