package jsonl

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/bridge/internal/schema"
	"github.com/mishap-robotics/mishap/engine/episode"
)

// sensed is what a sensor told of: {"kind": "force_spike", "object": "Mug-1", "value": 41}, or
// the kind alone.
type sensed struct {
	Kind   string   `json:"kind"`
	Object string   `json:"object,omitempty"`
	Value  *float64 `json:"value,omitempty"`
	Unit   string   `json:"unit,omitempty"`
	Time   timeText `json:"time,omitempty"`
}

// UnmarshalJSON reads an object, or a text that is the kind.
func (s *sensed) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte(`"`)) {
		return json.Unmarshal(data, &s.Kind)
	}
	type plain sensed
	return json.Unmarshal(data, (*plain)(s))
}

// sensorEvents are the events of a line; those without a time of their own have that of it.
func sensorEvents(list []sensed, time string) []episode.SensorEvent {
	var out []episode.SensorEvent
	for _, s := range list {
		e := episode.SensorEvent{Kind: s.Kind, Object: s.Object, Unit: s.Unit, Time: string(s.Time)}
		if e.Time == "" {
			e.Time = time
		}
		if s.Value != nil {
			e.Measured, e.Number = true, *s.Value
		}
		out = append(out, e)
	}
	return out
}

func fromEvents(events []episode.SensorEvent) []sensed {
	var out []sensed
	for _, e := range events {
		s := sensed{Kind: e.Kind, Object: e.Object, Unit: e.Unit, Time: timeText(e.Time)}
		if e.Measured && !math.IsNaN(e.Number) && !math.IsInf(e.Number, 0) { // what JSON does not have
			s.Value = &e.Number
		}
		out = append(out, s)
	}
	return out
}

// isAside reports whether a line tells of sensor events, or of the time alone, and of nothing
// that a step has.
func isAside[V any](line map[string]V) bool {
	if _, ok := line["events"]; !ok {
		_, timed := line["time"]
		_, numbered := line["step"]
		if !timed || numbered {
			return false
		}
	}
	for name := range line {
		switch name {
		case "action", "observation", "sounds", "values", "action_id", "status", "result", "agent":
			return false
		}
	}
	return true
}

// isAside reports whether a line tells of sensor events since the step before, and of nothing
// else.
func (r *reader) isAside(line map[string]any) bool {
	if !isAside(line) {
		return false
	}
	step, numbered := line["step"]
	if !numbered {
		return true
	}
	number, ok := step.(json.Number)
	n, err := number.Int64()
	return ok && err == nil && r.repeats(int(n))
}

// repeats reports whether a number is that of the step before.
func (r *reader) repeats(number int) bool {
	steps := r.episodes[len(r.episodes)-1].Steps
	return len(steps) > 0 && number == steps[len(steps)-1].Index
}

// decodeAside reads a line of sensor events the longer way.
func (r *reader) decodeAside(n int, text []byte) (lineKind, error) {
	var line struct {
		Time   timeText `json:"time"`
		Events []sensed `json:"events"`
	}
	if err := json.Unmarshal(text, &line); err != nil {
		return r.unreadable(n, schema.Cause(err), "a line of sensor events")
	}
	return r.aside(n, string(line.Time), line.Events)
}

// aside adds what a line of sensor events tells of to the step before; at is its time.
func (r *reader) aside(n int, at string, events []sensed) (lineKind, error) {
	ep := r.episodes[len(r.episodes)-1]
	ep.Lines++
	if len(ep.Steps) == 0 {
		const reason = "sensor events before the first step"
		r.skip(ep, n, reason+"; they are not read", r.fail(n, reason, `a step first, as {"step":0} where nothing was seen`))
		return skippedLine, nil
	}
	st := &ep.Steps[len(ep.Steps)-1]
	r.tick = ""
	if at != "" && len(events) == 0 {
		if _, known := episode.Seconds(at); known && episode.Earlier(at, st.Time) {
			ep.Warn(n, fmt.Sprintf("time %s after %s; expected one that is not earlier, and the line is not used", input.Clip(at), input.Clip(st.Time)))
		} else if known {
			r.tick, ep.Until = at, at
		} else {
			ep.Warn(n, fmt.Sprintf("time %q; expected one as the steps have it: a number of seconds, a clock such as 01:05, or a date; the line is not used", input.Clip(at)))
		}
	}
	r.sensed = sensorEvents(events, at)
	for i := range r.sensed {
		r.sensed[i].Line = n
	}
	st.Events = append(st.Events, r.sensed...)
	return sensedLine, nil
}
