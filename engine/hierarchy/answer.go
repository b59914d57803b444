package hierarchy

import "strings"

// Unclear is the answer where a question could not be answered, or where no answer was
// given more often than any other.
const Unclear = "unknown"

// Answer is a question with what was answered.
type Answer struct {
	Query
	Answers []string `json:"answers"` // each time it was put
	Answer  string   `json:"answer"`  // the one taken
}

// Agree consolidates the answers to one question: the one given most often, in small
// letters, or Unclear where two were as often as each other or there is none. "Unknown" and "" are
// no answers unless there are no others.
func Agree(answers []string) string {
	counts := map[string]int{}
	for _, a := range answers {
		if a = words(a); a != "" && a != Unclear {
			counts[a]++
		}
	}
	best, most, tie := Unclear, 0, false
	for a, n := range counts {
		switch {
		case n > most:
			best, most, tie = a, n, false
		case n == most:
			tie = true
		}
	}
	if tie {
		return Unclear
	}
	return best
}

// expected reports whether an answer is the one that the plan relies on.
func (a *Answer) expected() bool {
	return a.Expect == "" || strings.EqualFold(a.Answer, words(a.Expect))
}
