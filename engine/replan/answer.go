package replan

import "strings"

// Unclear is the answer where a question could not be answered, or where no answer was
// given more often than any other.
const Unclear = "unknown"

// QueryAnswer is a question with what was answered.
type QueryAnswer struct {
	Query
	Answers []string `json:"answers"` // each time it was put
	Answer  string   `json:"answer"`  // the one taken
}

// agree consolidates the answers to one question: the one given most often, in small
// letters, or Unclear where two were as often as each other or there is none. "Yes" and
// "no" count whatever follows them; "unknown" and "" are no answers.
func agree(answers []string) string {
	counts := map[string]int{}
	for _, a := range answers {
		if a = short(a); a != "" && a != Unclear {
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

// short is an answer without what follows a yes or no.
func short(answer string) string {
	answer = words(answer)
	for _, w := range []string{"yes", "no"} {
		if rest, ok := strings.CutPrefix(answer, w); ok && strings.IndexFunc(rest, func(r rune) bool { return r >= 'a' && r <= 'z' }) != 0 {
			return w
		}
	}
	return answer
}

// expected reports whether an answer is the one that the plan relies on.
func (a *QueryAnswer) expected() bool {
	return a.Expect == "" || strings.EqualFold(a.Answer, words(a.Expect))
}
