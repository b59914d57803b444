package labelled

import (
	"math"
	"slices"
	"strconv"
	"strings"

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
	now, ok := episode.Seconds(at)
	from, ok1 := c.seconds(t.Window[0])
	to, ok2 := c.seconds(t.Window[1])
	return ok && ok1 && ok2 && from <= now && now <= to
}

func (c *clock) seconds(m moment) (float64, bool) {
	if m == "end" {
		return episode.Seconds(c.at(c.last))
	}
	return episode.Seconds(string(m))
}

// same compares two times. One without a date is that time of the other's day, on the
// clock of the log, and may leave out fractions of a second.
func (c *clock) same(a, b string) bool {
	if a == "end" {
		a = c.at(c.last)
	}
	x, ok := episode.Seconds(a)
	y, ok2 := episode.Seconds(b)
	if a == b || ok && ok2 && x == y {
		return true
	}
	of := timeOfDay(b)
	return ok && x < day && (x == of || !strings.Contains(a, ".") && x == math.Floor(of))
}

const day = 24 * 60 * 60

// timeOfDay is how many seconds a moment with a date is after midnight on its own clock,
// -1 for a time without date.
func timeOfDay(text string) float64 {
	at, ok := episode.Moment(text)
	if !ok {
		return -1
	}
	return float64(at.Hour()*3600+at.Minute()*60+at.Second()) + float64(at.Nanosecond())/1e9
}
