package perception

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/bridge/perception/mapping"
	"github.com/mishap-robotics/mishap/bridge/recording"
	"github.com/mishap-robotics/mishap/bridge/recording/message"
	"github.com/mishap-robotics/mishap/engine/episode"
)

// mostSensed is how many events of sensors a line has.
const mostSensed = 1000

// event takes in what a sensor or a log tells: by its fields, or by what its text matches.
func (p *reader) event(s *source, m *recording.Message, v message.Value) {
	if kind, ok := s.name(s.text(v, "kind")); ok {
		e := episode.SensorEvent{Kind: kind, Object: s.text(v, "object"), Unit: s.text(v, "unit")}
		e.Number, e.Measured = number(s.value(v, "value"))
		p.sense(m, e)
	}
	text := s.text(v, "text")
	for i, r := range s.match {
		groups := r.FindStringSubmatchIndex(text)
		if groups == nil {
			continue
		}
		t := &s.Match[i]
		if t.Sound != "" {
			p.hear(t.Sound)
		}
		if t.Event != "" {
			of := func(template string) string {
				return strings.TrimSpace(string(r.ExpandString(nil, template, text, groups)))
			}
			p.sense(m, p.told(m, t, of))
		}
		a := p.ended
		if len(p.open) > 0 {
			a = p.open[len(p.open)-1]
		}
		if t.Status != "" && a != nil {
			a.status, a.result = episode.Status(t.Status), cmp.Or(s.text(v, "result"), r.FindString(text))
		}
	}
}

// told is the event that a text tells of; of makes a text of what matched.
func (p *reader) told(m *recording.Message, t *mapping.Match, of func(string) string) episode.SensorEvent {
	e := episode.SensorEvent{Kind: t.Event, Object: of(t.Object), Unit: of(t.Unit)}
	if text := of(t.Value); text != "" {
		n, err := strconv.ParseFloat(text, 64)
		if e.Measured = err == nil && !math.IsNaN(n) && !math.IsInf(n, 0); !e.Measured {
			p.in.Report(problem(m, fmt.Sprintf("the value %q of a %s", clip(text), clip(t.Event)), "a number"))
		} else {
			e.Number = n
		}
	}
	return e
}

// sense notes an event for the next line, once where it is told again and again.
func (p *reader) sense(m *recording.Message, e episode.SensorEvent) {
	e.Object = p.thing(e.Object)
	again := func(o episode.SensorEvent) bool { o.Time = ""; return o == e }
	if slices.ContainsFunc(p.sensed, again) {
		return
	}
	if len(p.sensed) == mostSensed {
		p.in.Report(problem(m, fmt.Sprintf("more than %d events before a line", mostSensed), "fewer; the others are left out"))
		return
	}
	e.Time = p.clock(m.LogTime)
	p.sensed = append(p.sensed, e)
}

// thing is the name of what a tracker calls something.
func (p *reader) thing(name string) string {
	for _, t := range p.memory.Things() {
		if name != "" && t.track == name {
			return t.Name
		}
	}
	return name
}

// takeSensed are the events since the last line.
func (p *reader) takeSensed() []episode.SensorEvent {
	out := p.sensed
	p.sensed = nil
	return out
}
