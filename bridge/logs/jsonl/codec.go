package jsonl

import (
	"bytes"

	"github.com/mishap-robotics/mishap/bridge/internal/encode"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/language"
	"github.com/mishap-robotics/mishap/ontology"
)

// Decoder reads single lines, for hosts that get them one at a time: from a message bus,
// or as bodies of requests. Goroutines may share it.
type Decoder struct {
	onto    *ontology.Ontology
	actions *language.Actions
}

// NewDecoder makes a Decoder.
func NewDecoder(o *ontology.Ontology) *Decoder {
	return &Decoder{onto: o, actions: language.NewActions(o)}
}

// Header reads a header, with what is odd in it as its warnings. The error is a
// *logs.Error; from is the name that it shows.
func (d *Decoder) Header(from string, line []byte) (*episode.Episode, error) {
	r := d.reader(from)
	if kind, err := r.line(1, bytes.TrimSpace(line)); err != nil || kind != headerLine {
		return nil, err
	}
	return r.episodes[0], nil
}

// Step reads a step, and tells what is odd in it: an action that the ontology does not
// know is one whose effects are unknown. The error is a *logs.Error; from is the name that
// it shows. That steps ascend is seen by whoever takes them.
func (d *Decoder) Step(from string, line []byte) (episode.Step, []episode.Warning, error) {
	r := d.reader(from)
	r.episodes = []*episode.Episode{{Source: from}}
	kind, err := r.line(1, bytes.TrimSpace(line))
	ep := r.episodes[len(r.episodes)-1]
	switch {
	case err != nil:
		return episode.Step{}, nil, err
	case kind == headerLine:
		return episode.Step{}, nil, r.fail(1, "a header", "a step line as episode.schema.json describes it")
	case kind == skippedLine:
		return episode.Step{}, nil, r.refused[ep.ID]
	}
	return ep.Steps[0], ep.Warnings, nil
}

// Events reads a line of sensor events between two steps, and tells what is odd in it; of
// any other line it is nil. The error is as that of Step.
func (d *Decoder) Events(from string, line []byte) ([]episode.SensorEvent, []episode.Warning, error) {
	r := d.reader(from)
	r.episodes = []*episode.Episode{{Source: from, Steps: []episode.Step{{Index: -1}}}}
	line = bytes.TrimSpace(line)
	s := scanners.Get().(*scanner)
	defer scanners.Put(s)
	if l, ok := s.scan(line); ok && !l.isAside() || !ok && !tellsOfEvents(line) {
		return nil, nil, nil
	}
	kind, err := r.line(1, line)
	ep := r.episodes[0]
	if err == nil && kind == skippedLine {
		err = r.refused[ep.ID]
	}
	if err != nil || kind != sensedLine {
		return nil, nil, err
	}
	return r.sensed, ep.Warnings, nil
}

func (d *Decoder) reader(from string) *reader {
	return &reader{onto: d.onto, file: from, actions: d.actions, base: d.actions, read: map[string]readAction{}, at: map[string]int{}, unlisted: map[string]bool{}, ids: map[string]bool{}, refused: map[string]error{}}
}

// AppendHeader appends the header line of an episode, its end of line included.
func AppendHeader(to []byte, ep *episode.Episode) ([]byte, error) {
	return appendLine(to, toHeader(ep))
}

// AppendStep appends the line of a step, its end of line included; Decoder.Step reads it
// back as the same step.
func AppendStep(to []byte, st *episode.Step) ([]byte, error) { return appendLine(to, toStep(st)) }

func appendLine(to []byte, line any) ([]byte, error) {
	b := bytes.NewBuffer(to)
	if err := encode.Lines(b).Encode(line); err != nil {
		return to, err
	}
	return b.Bytes(), nil
}
