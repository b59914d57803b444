package episode

import (
	"strconv"
	"strings"
	"time"
)

// dateLayouts are the notations of a moment by date, after RFC 3339 and ISO 8601. A
// fraction of a second may follow the seconds of each.
var dateLayouts = []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05", "20060102T150405Z0700", "20060102T150405"}

// Seconds reads a time as a log writes it: a number of seconds, a clock (01:05, 1:02:03.5)
// or a moment by date (2026-03-01T10:00:05.25Z), which counts from the year 1970. Times
// compare within one log only, for each has its own zero. Of anything else ok is false.
func Seconds(text string) (seconds float64, ok bool) {
	if text == "" {
		return 0, false
	}
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		return v, v-v == 0 // no infinity, and no NaN
	}
	if v, ok := clock(text); ok {
		return v, true
	}
	for _, layout := range dateLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			return float64(t.Unix()) + float64(t.Nanosecond())/1e9, true
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
