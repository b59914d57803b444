package simulation

import (
	"testing"

	"github.com/mishap-robotics/mishap/engine/episode"
)

func TestSameAction(t *testing.T) {
	a, b, c := episode.Action{Name: "a"}, episode.Action{Name: "b"}, episode.Action{Name: "c"}
	from := []episode.Action{a, b, a, c}
	tests := []struct {
		name string
		to   []episode.Action
		step int
		want int
	}{
		{"the same plan", from, 3, 3},
		{"an action less before it", []episode.Action{a, a, c}, 3, 2},
		{"one of two left", []episode.Action{b, a, c}, 3, 0},
		{"it is gone", []episode.Action{a, b, a}, 4, 0},
		{"outside the plan", from, 5, 0},
	}
	for _, tt := range tests {
		if got := sameAction(from, tt.to, tt.step); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}
