package memory

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ParseTime reads a moment as people write it: RFC 3339, a date (2026-03-01, its midnight
// in UTC), or how long before now: 90m, 12h, 7d, 2w.
func ParseTime(text string, now time.Time) (time.Time, error) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04", time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	if n := len(text); n > 1 && strings.ContainsAny(text[n-1:], "smhdw") {
		unit := map[byte]time.Duration{'s': time.Second, 'm': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour}[text[n-1]]
		if k, err := strconv.Atoi(text[:n-1]); err == nil && k >= 0 && k < 1_000_000 {
			return now.Add(-time.Duration(k) * unit), nil
		}
	}
	return time.Time{}, fmt.Errorf("time %q; expected a moment such as 2026-03-01T10:00:00Z, a date, or how long ago, such as 7d or 12h", text)
}
