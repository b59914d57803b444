// Package wording sets words for the engine's messages: numbers with their nouns, and texts
// from outside shortened.
package wording

import (
	"fmt"
	"strings"
)

// Count writes a number with its noun: "1 step", "2 steps".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// One writes a noun with its article: "an Egg", "a Pan".
func One(noun string) string {
	if noun != "" && strings.ContainsRune("AEIOaeio", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

// Clip shortens a text to at most so many bytes, with an ellipsis after them, and cuts
// no character in two.
func Clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// List writes texts as "a, b and c".
func List(texts []string) string {
	if len(texts) < 2 {
		return strings.Join(texts, "")
	}
	last := len(texts) - 1
	return strings.Join(texts[:last], ", ") + " and " + texts[last]
}
