package episode_test

import (
	"testing"

	"github.com/mishap-robotics/mishap/engine/episode"
)

func TestSeconds(t *testing.T) {
	for text, want := range map[string]float64{
		"0":                         0,
		"12.5":                      12.5,
		"1e3":                       1000,
		"01:05":                     65,
		"1:02:03.5":                 3723.5,
		"1970-01-01T00:00:10Z":      10,
		"1970-01-01T00:00:10.25Z":   10.25,
		"1970-01-01T01:00:10+01:00": 10,
		"1970-01-01T00:01:00":       60,
		"1970-01-01 00:01:00":       60,
		"1970-01-01 00:01:00.5Z":    60.5,
		"19700101T000100Z":          60,
		"12.5s":                     12.5,
		"9 sec":                     9,
		"T+99.5s":                   99.5,
		"t+7":                       7,
		"t=3.25":                    3.25,
		"00:00:05,5":                5.5,
		"08h04m12":                  29052,
		"1m30s":                     90,
		"250ms":                     0.25,
		"3:05 PM":                   54300,
		"12:05 am":                  300,
		"12:05pm":                   43500,
		"1767225600.5":              1767225600.5,
		"1767225600500":             1767225600.5, // in milliseconds
		"1767225600500000":          1767225600.5,
		"1767225600500000000":       1767225600.5,
		"1970/01/01 00:01:00":       60,
		"15.0 s":                    15,
		"1m5s":                      65,
		"2h":                        7200,
		"250 ms":                    0.25,
		"12:00:10 am":               10,
	} {
		if got, ok := episode.Seconds(text); !ok || got != want {
			t.Errorf("%q: %v, %v, want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "noon", "12:", "-1:20", "1:2:3:4", "NaN", "Inf", "1:NaN", "2026-13-01T00:00:00Z", "t", "t+", "tea", "am", "13:05 pm", "s", "soon", "-5 s", "5 parsecs"} {
		if got, ok := episode.Seconds(text); ok {
			t.Errorf("%q: read as %v s", text, got)
		}
	}
}

func TestEarlier(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"00:59", "01:00", true},
		{"9:59", "10:00", true},
		{"10:00", "9:59", false},
		{"2026-03-01T10:00:00+01:00", "2026-03-01T09:30:00Z", true},
		{"noon", "01:00", false},
		{"5", "5", false},
	} {
		if got := episode.Earlier(c.a, c.b); got != c.want {
			t.Errorf("%s before %s: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}
