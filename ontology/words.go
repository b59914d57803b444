package ontology

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// WordKind is what a function word does in a sentence; m:wordKind says it of the words of
// an ontology, with a comment on each.
type WordKind string

// The kinds that the readers of names and goals know.
const (
	Determiner  WordKind = "determiner"
	Possessive  WordKind = "possessive"
	Definite    WordKind = "definite"
	Universal   WordKind = "universal"
	Everything  WordKind = "everything"
	Something   WordKind = "something"
	NoneOf      WordKind = "none"
	Nothing     WordKind = "nothing"
	Else        WordKind = "else"
	Only        WordKind = "only"
	Negation    WordKind = "negation"
	Conjunction WordKind = "conjunction"
	Existential WordKind = "existential"
	Opening     WordKind = "opening"
	Linking     WordKind = "linking"
	Placing     WordKind = "placing"
	Relative    WordKind = "relative"
	Pronoun     WordKind = "pronoun"
	Having      WordKind = "having"
	Lacking     WordKind = "lacking"
	Holding     WordKind = "holding"
	Content     WordKind = "content"
	Into        WordKind = "into"
	Seen        WordKind = "seen"
	OwnPlace    WordKind = "own place"
	Apiece      WordKind = "apiece"
	Part        WordKind = "part"
	AfterHead   WordKind = "after"
	Between     WordKind = "between"
	Trailing    WordKind = "trailing"
	Aside       WordKind = "aside"
	Source      WordKind = "source"
	Toward      WordKind = "toward"
	Going       WordKind = "going"
	Beside      WordKind = "beside"
	Atop        WordKind = "atop"
	Upon        WordKind = "upon"
	OwnPart     WordKind = "own part"
	Permission  WordKind = "permission"
	Lid         WordKind = "lid"
	Causative   WordKind = "causative"
	Self        WordKind = "self"
	Elsewhere   WordKind = "elsewhere"
	Preamble    WordKind = "preamble"
	Portion     WordKind = "portion"
	Single      WordKind = "single"
	Purpose     WordKind = "purpose"
	Of          WordKind = "of"
	Numbering   WordKind = "numbering"
	Manner      WordKind = "manner"
	Result      WordKind = "result"
	Handling    WordKind = "handling"
	Light       WordKind = "light"
	Leaving     WordKind = "leaving"
	Denial      WordKind = "denial"
	Statement   WordKind = "statement"
	Leading     WordKind = "leading"
	Exactly     WordKind = "exactly"
	Bare        WordKind = "bare"
	NoLess      WordKind = "at least"
	NoMore      WordKind = "at most"
	More        WordKind = "more than"
	Less        WordKind = "less than"
	First       WordKind = "first"
	Afterwards  WordKind = "afterwards"
	Deadline    WordKind = "deadline"
	UnitWord    WordKind = "unit"
	Closing     WordKind = "closing"
	Inner       WordKind = "inner"
	Filler      WordKind = "filler"
	Aspect      WordKind = "aspect"
	Calling     WordKind = "calling"
	Outcome     WordKind = "outcome"
	Adverb      WordKind = "adverb"
	Bringing    WordKind = "bringing"
	Making      WordKind = "making"
	Filling     WordKind = "filling"
	Limiting    WordKind = "limiting"
	Progressive WordKind = "progressive"
	Finite      WordKind = "finite"
	Addressee   WordKind = "addressee"
	Courtesy    WordKind = "courtesy"
	Thither     WordKind = "thither"
	OtherDeed   WordKind = "other deed"
	Behalf      WordKind = "behalf"
	Already     WordKind = "already"
	Intolerant  WordKind = "intolerant"
	Intolerance WordKind = "intolerance"
)

// FormOf is the kind of the irregular forms of a verb: "took" of "take".
func FormOf(verb string) WordKind { return WordKind(formOf + verb) }

const formOf = "form of "

// IsWord reports whether a word, or several, are function words of a kind.
func (o *Ontology) IsWord(text string, kind WordKind) bool {
	return o.words[kind][strings.ToLower(text)] > 0
}

// IsFunctionWord reports whether a word, or several, are function words of any kind; verbs of other
// deeds, forms of verbs and what stands about the name of an action are none.
func (o *Ontology) IsFunctionWord(text string) bool {
	text = strings.ToLower(text)
	for kind, of := range o.words {
		if kind != OtherDeed && kind != Aspect && kind != Calling && kind != Outcome && kind != Adverb && !strings.HasPrefix(string(kind), formOf) && of[text] > 0 {
			return true
		}
	}
	return false
}

// Words lists the function words of a kind, in the order in which they are declared.
func (o *Ontology) Words(kind WordKind) []string {
	of := o.words[kind]
	return slices.SortedFunc(maps.Keys(of), func(a, b string) int { return of[a] - of[b] })
}

// Cardinal is the number that a word such as "two" stands for.
func (o *Ontology) Cardinal(word string) (int, bool) {
	n, ok := o.cardinals[strings.ToLower(word)]
	return n, ok
}

// readNumber reads the words for a number.
// TimeUnit is how many seconds a word such as "minutes" stands for.
func (o *Ontology) TimeUnit(word string) (int, bool) {
	n, ok := o.timeUnits[strings.ToLower(word)]
	return n, ok
}

func (r modelReader) readNumber(id TermID, into map[string]int) {
	n, _ := strconv.Atoi(first(r.texts(id, "value")))
	for _, l := range r.o.Terms[id].Labels {
		into[strings.ToLower(l)] = n
	}
}

func (r modelReader) readWords(id TermID) {
	o := r.o
	kind := WordKind(first(r.texts(id, "wordKind")))
	if o.words[kind] == nil {
		o.words[kind] = map[string]int{}
	}
	for _, l := range o.Terms[id].Labels {
		if of := o.words[kind]; of[strings.ToLower(l)] == 0 {
			of[strings.ToLower(l)] = len(of) + 1
		}
	}
}
