package alignment

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/engine/episode"
)

func actions(names string) []episode.Action {
	var out []episode.Action
	for _, n := range strings.Split(names, "") {
		out = append(out, episode.Action{Name: n})
	}
	return out
}

func equal(a, b episode.Action) bool { return a == b }

func TestCommonSubsequence(t *testing.T) {
	tests := []struct {
		log, plan string
		want      []int
	}{
		{"abc", "abc", []int{1, 2, 3}},
		{"abc", "axbc", []int{1, 3, 4}},
		{"axbc", "abc", []int{1, 0, 2, 3}},
		{"ab", "abcd", []int{1, 2}},
		{"cd", "abcd", []int{3, 4}},
		{"abab", "ab", []int{1, 2, 0, 0}},
		{"xyz", "abc", []int{0, 0, 0}},
		{"adbec", "abcde", []int{1, 0, 2, 0, 3}},
	}
	for _, tt := range tests {
		if got := commonSubsequence(actions(tt.log), actions(tt.plan), equal, nil); !slices.Equal(got, tt.want) {
			t.Errorf("%s in %s: %v, want %v", tt.log, tt.plan, got, tt.want)
		}
	}
}

// Whatever the sequences, matches ascend and are alike, and no shorter way to
// match finds more.
func TestMatchesAscend(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"a", "b", "c"})
		a := actions(strings.Join(rapid.SliceOfN(name, 1, 12).Draw(t, "log"), ""))
		b := actions(strings.Join(rapid.SliceOfN(name, 1, 12).Draw(t, "plan"), ""))
		count := func(match []int) int {
			n, last := 0, 0
			for i, m := range match {
				if m == 0 {
					continue
				}
				if m <= last || a[i] != b[m-1] {
					t.Fatalf("match %v", match)
				}
				n, last = n+1, m
			}
			return n
		}
		best := count(commonSubsequence(a, b, equal, nil))
		if whole := count(matchBetween(a, b, equal, nil)); whole != best {
			t.Fatalf("%d matches with ends cut off, %d without", best, whole)
		}
		if turn := count(matchInTurn(a, b, equal)); turn > best {
			t.Fatalf("%d matches in turn, %d at best", turn, best)
		}
	})
}
