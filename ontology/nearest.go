package ontology

import (
	"math/bits"
	"strings"
)

// Nearest is the candidate closest to a name by edit distance, or "" where
// none is close. Case counts among candidates that are equally close only.
func Nearest(name string, candidates []string) string { return prepared(candidates).nearest(name) }

// candidates are names that one may have been meant for, as they are compared.
type candidates struct {
	names, lower []string
	letters      []uint64 // of lower
}

func prepared(names []string) *candidates {
	c := &candidates{names: names, lower: make([]string, len(names)), letters: make([]uint64, len(names))}
	for i, n := range names {
		c.lower[i] = strings.ToLower(n)
		c.letters[i] = lettersOf(c.lower[i])
	}
	return c
}

// longestName is how long a name may be that another is sought for, in bytes.
const longestName = 1 << 10

func (c *candidates) nearest(name string) string {
	if len(name) > longestName {
		return ""
	}
	limit := len(name)/3 + 2
	best, bestDistance, bestCase := "", limit-1, limit
	lower := strings.ToLower(name)
	letters := lettersOf(lower)
	for i := range c.names {
		if apart(letters, c.letters[i]) > bestDistance {
			continue
		}
		d := editDistance(lower, c.lower[i], bestDistance+1)
		if d > bestDistance {
			continue
		}
		if exact := editDistance(name, c.names[i], limit); d < bestDistance || exact < bestCase {
			best, bestDistance, bestCase = c.names[i], d, exact
		}
	}
	return best
}

// lettersOf is the set of the letters of a text: each has a bit, some share one.
func lettersOf(text string) uint64 {
	var out uint64
	for i := range len(text) {
		out |= 1 << (text[i] & 63)
	}
	return out
}

// apart is how many edits it takes at least from a text with some letters to one with
// others: an edit brings in no more than one letter, and takes out no more than one.
func apart(a, b uint64) int { return max(bits.OnesCount64(a&^b), bits.OnesCount64(b&^a)) }

// Hint asks at the end of a message on an unknown name whether the nearest candidate
// was meant: "; did you mean Mug?", or "" where none is near.
func Hint(name string, candidates []string) string { return didYouMean(Nearest(name, candidates)) }

func didYouMean(near string) string {
	if near == "" {
		return ""
	}
	return "; did you mean " + near + "?"
}

// ClassHint is the Hint of an unknown name of a class of objects.
func (o *Ontology) ClassHint(name string) string {
	return didYouMean(o.hints(o.Core.PhysicalObject, func() (names []string) {
		for _, c := range o.Subclasses(o.Core.PhysicalObject) {
			names = append(names, o.Name(c))
		}
		return names
	}).nearest(name))
}

// StateHint is the Hint of an unknown name of a state.
func (o *Ontology) StateHint(name string) string {
	near := o.hints(o.Core.StateClass, func() []string { return o.Labels(o.Core.StateClass) }).nearest(name)
	return didYouMean(strings.ReplaceAll(near, " ", "_"))
}

// EventHint is the Hint of an unknown kind of sensor event.
func (o *Ontology) EventHint(name string) string {
	return didYouMean(o.hints(o.Core.SensorEvent, func() (names []string) {
		for _, c := range o.Subclasses(o.Core.SensorEvent) {
			names = append(names, o.Name(c))
		}
		return names
	}).nearest(name))
}

// hints are the names of a kind, kept for the next time.
func (o *Ontology) hints(kind TermID, names func() []string) *candidates {
	if kept, ok := o.hinted.Load(kind); ok {
		return kept.(*candidates)
	}
	c := prepared(names())
	o.hinted.Store(kind, c)
	return c
}

// editDistance is the Levenshtein distance, or limit where it is at least that.
func editDistance(a, b string, limit int) int { return edits([]byte(a), []byte(b), limit) }

func edits[E comparable](a, b []E, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal, least := row[0], i
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			diagonal, row[j] = row[j], min(row[j]+1, row[j-1]+1, diagonal+cost)
			least = min(least, row[j])
		}
		if least >= limit {
			return limit // it grows from row to row
		}
	}
	return min(row[len(b)], limit)
}
