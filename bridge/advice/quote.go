package advice

import (
	"strings"
	"unicode"
)

// longestName and longestSentence are how many characters of a name, and of a text,
// from a log are shown to the model.
const (
	longestName     = 60
	longestSentence = 300
	longestStrategy = 1200
	longestSummary  = 600 // of one key frame
)

// quoted sets a name from a log, of whatever length and content, as data: in double
// quotes, on one line, without control characters and quotes of its own.
func quoted(text string) string { return quotedTo(text, longestName) }

// sentence is quoted for longer texts.
func sentence(text string) string { return quotedTo(text, longestSentence) }

func quotedTo(text string, longest int) string { return `"` + clean(text, longest) + `"` }

// block sets items, each of them clean, in one pair of quotes; "none" is none.
func block(items []string) string {
	if len(items) == 0 {
		return "none"
	}
	return `"` + strings.Join(items, "; ") + `"`
}

// name is a clean name without quotes, for a block.
func name(text string) string { return clean(text, longestName) }

func clean(text string, longest int) string {
	var b strings.Builder
	n := 0
	space := false
	for _, r := range text {
		if n >= longest {
			b.WriteString("…")
			break
		}
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar:
			if space || n == 0 {
				continue
			}
			space = true
			b.WriteByte(' ')
		case r == '"' || r == '`' || r == '“' || r == '”' || r == '{' || r == '}':
			space = false
			b.WriteByte('\'')
		default:
			space = false
			b.WriteRune(r)
		}
		n++
	}
	return b.String()
}
