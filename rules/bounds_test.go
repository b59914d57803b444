package rules

import (
	"strings"
	"testing"
)

// Text without end is refused where the limit is, by a parser that neither recurses as
// deep as the text is long nor reads it again and again.
func TestParseIsBounded(t *testing.T) {
	const many = 300_000
	for name, tt := range map[string]struct{ in, want string }{
		"sum":              {"p(X) :- X is " + strings.Repeat("1+", many) + "1.", "terms nest deeper than 200"},
		"parentheses":      {"p(" + strings.Repeat("(", many), "terms nest deeper than 200"},
		"list":             {"p([" + strings.Repeat("a,", many) + "a]).", "a list of more than 10000 elements"},
		"arguments":        {"p(" + strings.Repeat("a,", many) + "a).", "a term of more than 255 arguments"},
		"mistakes":         {strings.Repeat("p( . ", many), "more than 100 mistakes; the rest of the file is not read"},
		"mistaken lines":   {strings.Repeat("p(\n. ", many), "more than 100 mistakes; the rest of the file is not read"},
		"open comments":    {strings.Repeat("/*\n", many), "comment does not end"},
		"open comments 2":  {strings.Repeat("/* ", many), "comment does not end"},
		"comments, closed": {strings.Repeat("/* */\n", many) + "p(", "found the end of the file"},
	} {
		_, problems := parse("own.pl", tt.in)
		if len(problems) == 0 || !strings.Contains(problems.Error(), tt.want) {
			t.Errorf("%s: %d problems, want %q", name, len(problems), tt.want)
			continue
		}
		for _, p := range problems {
			if len(p.Source) > maxSource {
				t.Errorf("%s: a source line of %d bytes is shown", name, len(p.Source))
			}
		}
	}
	long := "p(X) :- X is " + strings.Repeat("1 + ", 150) + "1, q([" + strings.Repeat("a, ", 9_999) + "a])."
	if _, problems := parse("own.pl", long); len(problems) > 0 {
		t.Errorf("a sum of 151 numbers and a list of 10000 elements: %v", problems)
	}
}
