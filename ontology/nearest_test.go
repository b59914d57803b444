package ontology

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// plainDistance is the Levenshtein distance by its definition.
func plainDistance(a, b string) int {
	if a == "" || b == "" {
		return max(len(a), len(b))
	}
	cost := 1
	if a[0] == b[0] {
		cost = 0
	}
	return min(plainDistance(a[1:], b)+1, plainDistance(a, b[1:])+1, plainDistance(a[1:], b[1:])+cost)
}

// What is passed over is not near: names are compared as if all were compared in full.
func TestNearestIsTheNearest(t *testing.T) {
	name := rapid.StringOfN(rapid.RuneFrom([]rune("abAB_1")), 0, 6, -1)
	rapid.Check(t, func(t *rapid.T) {
		asked, known := name.Draw(t, "name"), rapid.SliceOfN(name, 0, 8).Draw(t, "known")
		limit := len(asked)/3 + 2
		want, least, leastCase := "", limit-1, limit
		for _, c := range known {
			d := plainDistance(strings.ToLower(asked), strings.ToLower(c))
			exact := min(plainDistance(asked, c), limit)
			if d < least || d == least && exact < leastCase {
				want, least, leastCase = c, d, exact
			}
		}
		if got := Nearest(asked, known); got != want {
			t.Fatalf("Nearest(%q, %q) = %q, want %q", asked, known, got, want)
		}
		for _, c := range known {
			if d, bound := plainDistance(asked, c), apart(lettersOf(asked), lettersOf(c)); bound > d {
				t.Fatalf("%q and %q are %d apart, at least %d it is said", asked, c, d, bound)
			}
			if got, want := editDistance(asked, c, limit), min(limit, plainDistance(asked, c)); got != want {
				t.Fatalf("editDistance(%q, %q, %d) = %d, want %d", asked, c, limit, got, want)
			}
		}
	})
}
