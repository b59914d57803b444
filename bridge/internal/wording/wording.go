// Package wording sets words for messages and reports: numbers with their nouns, texts
// from outside shortened and made safe to print.
package wording

import (
	"fmt"
	"strings"
	"unicode"
)

// Count writes a number with its noun: "1 step", "2 steps", "3 trajectories".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok && !strings.ContainsAny(stem[max(0, len(stem)-1):], "aeiou") {
		noun = stem + "ie"
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Percent is a share in percent, to two decimals; "-" of nothing.
func Percent(n, all int) string {
	if all == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f %%", 100*float64(n)/float64(all))
}

// Clean strips control characters, so that a text from outside cannot steer a terminal.
func Clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r):
			return ' '
		case unicode.Is(unicode.Cf, r): // it is not seen, and may turn the direction of writing
			return -1
		}
		return r
	}, s)
}

// Clip shortens a text to at most so many bytes, with an ellipsis after them, and cuts
// no character in two.
func Clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
