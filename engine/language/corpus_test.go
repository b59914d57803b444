package language_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/engine/language"
	"github.com/mishap-robotics/mishap/ontology"
)

// corpusB is how many of the goals that nothing was written for are read as expected.
const corpusB = 83

// Goals as people write them are read as expected: all of those that the reader was
// written with, and no fewer than before of the others.
func TestGoalCorpus(t *testing.T) {
	o := ontology.Default()
	text, err := os.ReadFile("testdata/goals.txt")
	if err != nil {
		t.Fatal(err)
	}
	var right, all [2]int
	for line := range strings.Lines(string(text)) {
		goal, want, ok := strings.Cut(strings.TrimSpace(line), " => ")
		if !ok {
			continue
		}
		half := (all[0] + all[1]) % 2
		all[half]++
		got := words(o, language.ReadGoal(o, goal))
		if slices.Equal(conditions(got), conditions(want)) {
			right[half]++
		} else if half == 0 {
			t.Errorf("%q:\n got %s\nwant %s", goal, got, want)
		} else {
			t.Logf("%q:\n got %s\nwant %s", goal, got, want)
		}
	}
	t.Logf("A %d of %d, B %d of %d", right[0], all[0], right[1], all[1])
	if right[1] < corpusB {
		t.Errorf("%d of %d in B are read as expected, %d were", right[1], all[1], corpusB)
	}
}

// conditions are those of a goal in no particular order.
func conditions(text string) []string {
	out := strings.Split(text, "; ")
	slices.Sort(out)
	return out
}
