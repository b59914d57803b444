package wording

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestCount(t *testing.T) {
	for _, tt := range []struct {
		n          int
		noun, want string
	}{{0, "step", "0 steps"}, {1, "step", "1 step"}, {2, "step", "2 steps"}, {1, "trajectory", "1 trajectory"}, {3, "trajectory", "3 trajectories"}, {2, "day", "2 days"}} {
		if got := Count(tt.n, tt.noun); got != tt.want {
			t.Errorf("Count(%d, %q) = %q, want %q", tt.n, tt.noun, got, tt.want)
		}
	}
}

func TestPercent(t *testing.T) {
	for _, tt := range []struct {
		n, all int
		want   string
	}{{0, 0, "-"}, {1, 3, "33.33 %"}, {3, 3, "100.00 %"}} {
		if got := Percent(tt.n, tt.all); got != tt.want {
			t.Errorf("Percent(%d, %d) = %q, want %q", tt.n, tt.all, got, tt.want)
		}
	}
}

func TestClean(t *testing.T) {
	if got, want := Clean("a\x1b[31m\nb\u202e\u009bc"), "a [31m b c"; got != want {
		t.Errorf("Clean gives %q, want %q", got, want)
	}
}

func TestClipCutsNoCharacterInTwo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, most := rapid.String().Draw(t, "text"), rapid.IntRange(0, 20).Draw(t, "most")
		got := Clip(s, most)
		if len(s) <= most {
			if got != s {
				t.Fatalf("Clip(%q, %d) = %q", s, most, got)
			}
			return
		}
		kept, clipped := strings.CutSuffix(got, "…")
		if !clipped || len(kept) > most || !strings.HasPrefix(s, kept) || utf8.ValidString(s) && !utf8.ValidString(kept) {
			t.Fatalf("Clip(%q, %d) = %q", s, most, got)
		}
	})
}
