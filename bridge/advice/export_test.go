package advice

import (
	"strings"
	"testing"
)

// CheckQuoted fails where the orders of a log stand outside of quotes in what a model
// is told.
func CheckQuoted(t *testing.T, system, prompt string) {
	t.Helper()
	for _, line := range strings.Split(system+"\n"+prompt, "\n") {
		outside := ""
		for i, part := range strings.Split(line, `"`) {
			if i%2 == 0 {
				outside += part
			}
		}
		if strings.Contains(outside, "Ignore all") || strings.HasPrefix(line, "# System") {
			t.Errorf("it stands outside of quotes: %s", line)
		}
	}
}
