package episode

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// dateLayouts are the notations of a moment by date, after RFC 3339 and ISO 8601. A
// fraction of a second may follow the seconds of each.
var dateLayouts = []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05", "2006/01/02 15:04:05", "20060102T150405Z0700", "20060102T150405"}

// Seconds reads a time as a log writes it: a number of seconds (12.5, 12.5 s, T+12.5s), of
// milliseconds, microseconds or nanoseconds since the year 1970, a clock (01:05, 1:02:03.5,
// 1h02m03, 3:05 PM) or a moment by date (2026-03-01T10:00:05.25Z), which counts from the year
// 1970. Times compare within one log only, for each has its own zero. Of anything else ok is
// false.
func Seconds(text string) (seconds float64, ok bool) {
	if text == "" {
		return 0, false
	}
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		return inSeconds(v), v-v == 0 // no infinity, and no NaN
	}
	if v, ok := clock(text); ok {
		return v, true
	}
	if t, ok := Moment(text); ok {
		return float64(t.Unix()) + float64(t.Nanosecond())/1e9, true
	}
	return spoken(text)
}

// Moment reads a time that a log writes with its date, in the zone that it names (UTC if
// none).
func Moment(text string) (t time.Time, ok bool) {
	for _, layout := range dateLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// inSeconds takes a number that would be thousands of years for one of the smaller units that
// clocks count in since 1970.
func inSeconds(v float64) float64 {
	for _, unit := range []struct{ from, parts float64 }{{1e17, 1e9}, {1e14, 1e6}, {1e11, 1e3}} {
		if v >= unit.from {
			return v / unit.parts
		}
	}
	return v
}

// spoken reads a time with words or signs about it: T+12.5s, t=3, 12,5 s, 1h02m03, 3:05 PM.
func spoken(text string) (float64, bool) {
	text = strings.ReplaceAll(strings.ToLower(text), " ", "")
	if rest := strings.TrimPrefix(text, "t"); rest != text && rest != "" && (rest[0] == '+' || rest[0] == '=') {
		text = rest[1:]
	}
	text = strings.Replace(text, ",", ".", 1)
	const noon = 12 * 3600
	for half, from := range map[string]float64{"am": 0, "pm": noon} {
		at, is := strings.CutSuffix(text, half)
		if strings.Count(at, ":") == 1 {
			at += ":00" // hours and minutes
		}
		if v, ok := clock(at); is && ok && v < noon+3600 {
			return math.Mod(v, noon) + from, true
		}
	}
	if v, ok := clock(text); ok {
		return v, true
	}
	for _, unit := range []string{"seconds", "secs", "sec"} {
		if rest, is := strings.CutSuffix(text, unit); is {
			text = rest + "s"
			break
		}
	}
	for _, text := range []string{text, text + "s"} {
		if d, err := time.ParseDuration(text); err == nil && d >= 0 {
			return d.Seconds(), true
		}
	}
	return 0, false
}

// clock reads a time such as 01:05 or 1:02:03.5, in seconds.
func clock(text string) (float64, bool) {
	parts := strings.Split(text, ":")
	if len(parts) < 2 || len(parts) > 3 {
		return 0, false
	}
	total := 0.0
	for _, p := range parts {
		v, err := strconv.ParseFloat(p, 64)
		if err != nil || !(v >= 0 && v-v == 0) {
			return 0, false
		}
		total = total*60 + v
	}
	return total, true
}

// Started is when an episode began, by its Start. The error says why that is no moment.
func (e *Episode) Started() (time.Time, error) { return time.Parse(time.RFC3339Nano, e.Start) }

// Earlier reports whether one time of a log is before another. Of times that cannot be
// read it is false.
func Earlier(a, b string) bool {
	x, ok := Seconds(a)
	y, ok2 := Seconds(b)
	return ok && ok2 && x < y
}
