package labelled

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
)

// clock tells the times of an episode's steps.
type clock struct {
	text map[int32]string
	last int32
}

func newClock(ep *episode.Episode) *clock {
	c := &clock{text: map[int32]string{}}
	for i := range ep.Steps {
		st := &ep.Steps[i]
		c.text[int32(st.Index)] = st.Time
		c.last = max(c.last, int32(st.Index))
	}
	return c
}

// at is the time of a step: as the log writes it, else the number of the step.
func (c *clock) at(step int32) string {
	if text := c.text[min(step, c.last)]; text != "" {
		return text
	}
	return strconv.Itoa(int(step))
}

// right reports whether the time of a finding is one that a label allows; every time is
// where the label states none.
func (c *clock) right(t *Label, f *engine.Finding) bool {
	if len(t.Window) == 2 {
		return c.within(t, c.at(f.Cause))
	}
	if len(t.Times) == 0 {
		return true
	}
	return slices.ContainsFunc(t.Times, func(m moment) bool {
		return c.same(string(m), c.at(f.Cause)) || c.same(string(m), c.at(f.Step))
	})
}

func (c *clock) within(t *Label, at string) bool {
	now, ok := seconds(at)
	from, ok1 := c.seconds(t.Window[0])
	to, ok2 := c.seconds(t.Window[1])
	return ok && ok1 && ok2 && from <= now && now <= to
}

func (c *clock) seconds(m moment) (float64, bool) {
	if m == "end" {
		return seconds(c.at(c.last))
	}
	return seconds(string(m))
}

// same compares two times. One without a date is that time of the other's day.
func (c *clock) same(a, b string) bool {
	if a == "end" {
		a = c.at(c.last)
	}
	x, ok := seconds(a)
	y, ok2 := seconds(b)
	if a == b || ok && ok2 && x == y {
		return true
	}
	return ok && ok2 && x < day && y >= day && int64(y)%day == int64(x)
}

const day = 24 * 60 * 60

// seconds reads a time as logs write it: seconds, minutes and seconds, hours, minutes
// and seconds, or date and time.
func seconds(text string) (float64, bool) {
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		return v, true
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999"} {
		if at, err := time.Parse(layout, text); err == nil {
			return float64(at.UnixNano()) / 1e9, true
		}
	}
	sum := 0.0
	parts := strings.Split(text, ":")
	if len(parts) < 2 || len(parts) > 3 {
		return 0, false
	}
	for _, p := range parts {
		v, err := strconv.ParseFloat(p, 64)
		if err != nil {
			return 0, false
		}
		sum = 60*sum + v
	}
	return sum, true
}
