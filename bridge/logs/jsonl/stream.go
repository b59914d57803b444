package jsonl

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"slices"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

// Visitor is told of the lines of a stream as they come. All but
// Begin and Step may be nil.
type Visitor struct {
	Begin func(*episode.Episode) error // the header of an episode
	Step  func(episode.Step) error     // one of its steps
	// Sensed is told of what sensors told of after the last step, line by line; nil where nobody
	// asks.
	Sensed func([]episode.SensorEvent) error
	// Ticked is told of a time at which nothing else happened; nil where nobody asks.
	Ticked func(string) error
	Warned func([]episode.Warning) // what is odd in the line, or was not understood
	Taken  func() error            // the line has been taken in, whatever it was
	// At is where an earlier stream stopped, which this one goes on with, and moves on with
	// each line; nil where nobody asks.
	At *Position
}

// Position is how far a stream was read. A stream that goes on with it may begin anywhere
// before: lines that were taken already are passed over. Where it begins with the header
// of an episode, these are as many lines of it as were taken; else those whose step is not
// above that of the last line taken.
type Position struct {
	Lines    int      `json:"lines"`    // of the stream that were read
	Episodes []string `json:"episodes"` // that were begun; the last goes on
	Header   uint64   `json:"header"`   // FNV-1a of its header
	Taken    int      `json:"taken"`    // lines after that
	Sum      uint64   `json:"sum"`      // FNV-1a of these
	Step     int      `json:"step"`     // of the last of them that is a step, as it says
	Index    int      `json:"index"`    // of that step, as it was taken
	Time     string   `json:"time,omitempty"`
	Asides   int      `json:"asides,omitempty"` // lines of sensor events after it that were taken
	Bare     bool     `json:"bare,omitempty"`   // it told of sensor events and of nothing else itself
	// Over is true where the end of the stream ended the episode: no more lines of it are
	// expected.
	Over bool `json:"over,omitempty"`

	// Warnings are those of the episode so far.
	Warnings []episode.Warning `json:"-"`
}

// Stream reads a stream as the function Stream does.
func (v Visitor) Stream(o *ontology.Ontology, file string, r io.Reader) error {
	rd := newReader(o, file)
	again := &resumption{}
	if v.At != nil {
		again = rd.resume(v.At)
	}
	err := input.EachLine(file, r, func(n int, text []byte) error {
		if over, err := again.passes(n, text); over || err != nil {
			return err
		}
		n += again.offset
		kind, err := rd.line(n, text)
		if err != nil {
			return err
		}
		ep := rd.episodes[len(rd.episodes)-1]
		if v.At != nil {
			v.At.pass(n, kind, text, rd)
		}
		switch kind {
		case headerLine:
			header := *ep
			rd.told = len(ep.Warnings)
			err = v.Begin(&header)
		case stepLine:
			st := ep.Steps[len(ep.Steps)-1]
			ep.Steps = append(ep.Steps[:0], st) // what is needed to see that steps ascend
			err = v.Step(st)
		case sensedLine:
			switch {
			case rd.tick != "" && v.Ticked != nil:
				err = v.Ticked(rd.tick)
			case rd.tick == "" && v.Sensed != nil:
				err = v.Sensed(rd.sensed)
			}
		}
		if v.Warned != nil && len(ep.Warnings) > rd.told {
			v.Warned(ep.Warnings[rd.told:])
		}
		rd.told = len(ep.Warnings)
		if err == nil && v.Taken != nil {
			err = v.Taken()
		}
		return err
	})
	if errors.Is(err, input.ErrEmpty) && v.At != nil && len(v.At.Episodes) > 0 {
		err = nil // what was killed had read all there was
	}
	if err != nil {
		return err
	}
	return again.ended()
}

// pass moves on past a line that was read.
func (at *Position) pass(n int, kind lineKind, text []byte, r *reader) {
	ep := r.episodes[len(r.episodes)-1]
	at.Lines = n
	switch at.Taken, at.Sum = at.Taken+1, sum(at.Sum, text); kind {
	case headerLine:
		*at = Position{Lines: n, Episodes: append(at.Episodes, ep.ID), Header: sum(0, text), Step: -1, Index: -1}
	case stepLine:
		st := &ep.Steps[len(ep.Steps)-1]
		at.Step, at.Index, at.Time, at.Asides = r.number, st.Index, st.Time, 0
		at.Bare = r.bare
	case sensedLine:
		at.Asides++
	}
}

// resume lets the reader go on where an earlier one stopped.
func (r *reader) resume(at *Position) *resumption {
	again := &resumption{file: r.file, at: *at, mode: atStart}
	if len(at.Episodes) == 0 {
		again.mode = anew
		return again
	}
	for _, id := range at.Episodes {
		r.ids[id] = true
	}
	ep := &episode.Episode{ID: at.Episodes[len(at.Episodes)-1], Source: r.file, Warnings: slices.Clone(at.Warnings)}
	if at.Index >= 0 {
		ep.Steps = []episode.Step{{Index: at.Index, Time: at.Time}}
	}
	r.episodes, r.told = []*episode.Episode{ep}, len(ep.Warnings)
	return again
}

// resumption passes over the lines that were taken before.
type resumption struct {
	file   string
	at     Position // that is gone on from
	mode   resumptionMode
	left   int    // lines still to be passed over
	sum    uint64 // of those that were
	offset int    // of the numbers of lines
	step   int    // the last that was sent again
	asides int    // lines of sensor events after it that were
}

type resumptionMode int

const (
	anew    resumptionMode = iota // the lines are new
	atStart                       // none has been read
	inOver                        // of an episode that is over
	inSame                        // of the one that goes on
	goingOn                       // of the one that goes on, without its header
)

func sum(before uint64, text []byte) uint64 {
	h := fnv.New64a()
	h.Write([]byte{byte(before), byte(before >> 8), byte(before >> 16), byte(before >> 24), byte(before >> 32), byte(before >> 40), byte(before >> 48), byte(before >> 56)})
	h.Write(text)
	return h.Sum64()
}

// stepOf is the step that a line says it is.
func stepOf(text []byte) int {
	var s struct {
		Step json.Number `json:"step"`
	}
	if json.Unmarshal(text, &s) != nil {
		return -1
	}
	n, err := s.Step.Int64()
	if err != nil {
		return -1
	}
	return int(n)
}

// isAside reports whether a line tells of sensor events after the step before, and is no step.
func (a *resumption) isAside(text []byte) bool {
	if !tellsOfEvents(text) {
		return false
	}
	switch step := stepOf(text); {
	case step < 0:
		return true
	case a.mode == goingOn:
		return step == a.step
	default:
		return step == a.at.Step && !a.at.Bare
	}
}

// tellsOfEvents reports whether a line tells of sensor events and of no step.
func tellsOfEvents(text []byte) bool {
	var line map[string]json.RawMessage
	return json.Unmarshal(text, &line) == nil && isAside(line)
}

// passes reports whether a line was taken before.
func (a *resumption) passes(n int, text []byte) (bool, error) {
	if a.mode == anew && !a.at.Over {
		return false, nil
	}
	header := headerID(text)
	switch {
	case a.mode == anew && header != nil:
		a.at.Over = false
		return false, nil
	case header != nil:
		return a.enter(n, *header, text)
	case a.mode == inOver:
		return true, nil
	case a.mode == inSame:
		a.left--
		a.sum = sum(a.sum, text)
		return true, a.same(n)
	case a.isAside(text) && a.mode == goingOn && (a.step < a.at.Step || a.asides < a.at.Asides): // it is sent again
		if a.step == a.at.Step {
			a.asides++
		}
		return true, nil
	case a.isAside(text):
	case stepOf(text) >= 0 && stepOf(text) <= a.at.Step: // it is sent again
		a.mode, a.step = goingOn, stepOf(text)
		return true, nil
	case a.at.Over:
		return false, &input.Error{File: a.file, Line: n, Expected: "the header of another episode",
			Found: fmt.Sprintf("a line more of episode %q, which was over when the stream before ended", input.Clip(a.at.Episodes[len(a.at.Episodes)-1]))}
	}
	a.mode, a.offset = anew, a.at.Lines-(n-1)
	return false, nil
}

// headerID is the id of the episode that a line is the header of; nil for other lines.
func headerID(text []byte) *string {
	var h struct {
		Mishap json.RawMessage `json:"mishap"`
		ID     string          `json:"id"`
	}
	if json.Unmarshal(text, &h) != nil || h.Mishap == nil {
		return nil
	}
	return &h.ID
}

// enter decides by its header what becomes of the lines of an episode.
func (a *resumption) enter(n int, id string, text []byte) (bool, error) {
	if a.mode == inSame {
		return false, a.differs(n, fmt.Sprintf("%d lines of episode %q before this header", a.at.Taken-a.left, id))
	}
	last := len(a.at.Episodes) - 1
	switch i := slices.Index(a.at.Episodes, id); {
	case i < 0:
		a.mode, a.offset, a.at.Over = anew, a.at.Lines-(n-1), false
		return false, nil
	case i < last:
		a.mode = inOver
		return true, nil
	case sum(0, text) != a.at.Header:
		return false, a.differs(n, fmt.Sprintf("another header of episode %q", input.Clip(id)))
	}
	a.mode, a.left, a.sum = inSame, a.at.Taken, 0
	return true, a.same(n)
}

// same ends the passing over of lines that were taken, which must be the same.
func (a *resumption) same(n int) error {
	if a.left > 0 {
		return nil
	}
	if a.sum != a.at.Sum {
		return a.differs(n, fmt.Sprintf("that the %d lines up to this one are others than those that were taken", a.at.Taken))
	}
	a.mode, a.offset = anew, a.at.Lines-n
	return nil
}

func (a *resumption) differs(n int, found string) error {
	return &input.Error{File: a.file, Line: n, Found: found, Expected: "the stream that was read before, from the header of its episode on or from where it stopped"}
}

// ended is the error of a stream that ends before what was taken of it.
func (a *resumption) ended() error {
	if a.mode == inSame {
		return a.differs(0, fmt.Sprintf("the end of the stream after %d of the %d lines that were taken of its episode", a.at.Taken-a.left, a.at.Taken))
	}
	return nil
}
