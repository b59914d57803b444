package episode_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/engine/episode"
)

// A Warner warns as the episode itself does, whoever else warns of the episode or forgets
// warnings meanwhile.
func TestWarner(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.SampledFrom([]int{0, 5, 40, 60}).Draw(t, "most")
		a, b := &episode.Episode{MaxWarnings: most}, &episode.Episode{MaxWarnings: most}
		var w episode.Warner
		for i := range rapid.IntRange(0, 200).Draw(t, "warnings") {
			msg := fmt.Sprint("w", rapid.IntRange(0, 120).Draw(t, "which"))
			switch rapid.IntRange(0, 12).Draw(t, "who") {
			case 0:
				a.Warn(i, msg)
				b.Warn(i, msg)
			case 1:
				n := min(len(a.Warnings), 3)
				a.Warnings, b.Warnings = slices.Clone(a.Warnings[n:]), slices.Clone(b.Warnings[n:])
			default:
				a.Warn(i, msg)
				w.Warn(b, i, msg)
			}
		}
		if diff := cmp.Diff(a, b); diff != "" {
			t.Fatalf("(-Warn +Warner):\n%s", diff)
		}
	})
}
