package alignment

import (
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/interrupt"
)

// commonSubsequence matches a with b in order; the result holds 1-based
// indexes into b, 0 for no match.
func commonSubsequence(a, b []episode.Action, alike func(a, b episode.Action) bool, stop *interrupt.Flag) []int {
	out := make([]int, len(a))
	first := 0
	for first < min(len(a), len(b)) && alike(a[first], b[first]) {
		out[first] = first + 1
		first++
	}
	endA, endB := len(a), len(b)
	for endA > first && endB > first && alike(a[endA-1], b[endB-1]) {
		endA--
		endB--
		out[endA] = endB + 1
	}
	for i, match := range matchBetween(a[first:endA], b[first:endB], alike, stop) {
		if match > 0 {
			out[first+i] = first + match
		}
	}
	return out
}

// maxCells bounds the table of a longest common subsequence; longer sequences
// that differ at both ends are matched action by action.
const maxCells = 4_000_000

// matchInTurn gives each of a the next of b that is like it and not far off.
func matchInTurn(a, b []episode.Action, alike func(a, b episode.Action) bool) []int {
	const ahead = 20
	out := make([]int, len(a))
	next := 0
	for i := range a {
		for j := next; j < min(len(b), next+ahead); j++ {
			if alike(a[i], b[j]) {
				out[i], next = j+1, j+1
				break
			}
		}
	}
	return out
}

// matchBetween is commonSubsequence where neither ends match.
func matchBetween(a, b []episode.Action, alike func(a, b episode.Action) bool, stop *interrupt.Flag) []int {
	if len(a)*len(b) > maxCells {
		return matchInTurn(a, b, alike)
	}
	length := make([][]int32, len(a)+1)
	for i := range length {
		length[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		if stop.Raised() {
			return make([]int, len(a))
		}
		for j := len(b) - 1; j >= 0; j-- {
			length[i][j] = max(length[i+1][j], length[i][j+1])
			if alike(a[i], b[j]) {
				length[i][j] = max(length[i][j], length[i+1][j+1]+1)
			}
		}
	}
	out := make([]int, len(a))
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case alike(a[i], b[j]) && length[i][j] == length[i+1][j+1]+1:
			out[i] = j + 1
			i++
			j++
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return out
}
