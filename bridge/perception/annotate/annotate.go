// Package annotate writes what was found in a recording back into a copy of it: findings, log
// messages and the scene that is remembered, at their times, so that what shows recordings on a
// timeline shows them too.
package annotate

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/mishap-robotics/mishap/bridge/internal/encode"
	"github.com/mishap-robotics/mishap/bridge/perception"
	"github.com/mishap-robotics/mishap/bridge/perception/mapping"
	"github.com/mishap-robotics/mishap/bridge/recording"
	"github.com/mishap-robotics/mishap/bridge/recording/foxglove"
	"github.com/mishap-robotics/mishap/bridge/report"
)

// The topics that a copy has more than its recording.
const (
	FindingsTopic = mapping.Annotations + "findings" // each finding, when it shows
	LogTopic      = mapping.Annotations + "log"      // the same in words, with causes and consequences at their times
	SceneTopic    = mapping.Annotations + "scene"    // the things that are remembered, those that findings are about in red
)

// FindingType is the type of the messages of FindingsTopic.
const FindingType = "mishap.Finding"

//go:embed finding.schema.json
var findingSchema []byte

// Write writes a copy of a recording with what was found in it; moments are those that
// perception.Follow showed of it. The error is an *input.Error or that of writing.
func Write(w io.Writer, r *recording.Reader, moments []perception.Moment, findings []report.Finding) error {
	added, err := additions(moments, findings)
	if err != nil {
		return err
	}
	return recording.Copy(w, r, added)
}

// WriteFile is Write to a file; one that is there already is an error unless it is to be
// overwritten.
func WriteFile(path string, overwrite bool, r *recording.Reader, moments []perception.Moment, findings []report.Finding) error {
	return encode.Stream(path, overwrite, func(w io.Writer) error { return Write(w, r, moments, findings) })
}

func additions(moments []perception.Moment, findings []report.Finding) ([]recording.Addition, error) {
	a := &annotator{moments: moments, about: map[string][]string{}}
	for i := range findings {
		a.finding(&findings[i])
	}
	for i := range moments {
		for j := range findings {
			if f := &findings[j]; int(f.Step) == moments[i].Step {
				a.blame(f)
			}
		}
		a.scene(&moments[i])
	}
	return a.out, a.err
}

type annotator struct {
	moments []perception.Moment
	about   map[string][]string // classes of findings by thing
	shown   []string            // things of the last scene
	out     []recording.Addition
	err     error
}

// blame makes what a finding is about red from now on.
func (a *annotator) blame(f *report.Finding) {
	for _, o := range f.Objects {
		if !slices.Contains(a.about[o], f.Type) {
			a.about[o] = append(a.about[o], f.Type)
		}
	}
}

// at is when a step was: that of the last where an action is missing after it.
func (a *annotator) at(step int32) uint64 {
	var out uint64
	for i, m := range a.moments {
		if i == 0 || m.Step <= int(step) {
			out = m.Time
		}
	}
	return out
}

func (a *annotator) add(topic, messageType string, schema []byte, at uint64, message any) {
	data, err := json.Marshal(message)
	if err != nil {
		a.err = err
		return
	}
	a.out = append(a.out, recording.Addition{Topic: topic, Type: messageType, Schema: schema, LogTime: at, Data: data})
}

func (a *annotator) log(at uint64, level int, rule, text string) {
	file, line, _ := strings.Cut(rule, ":")
	n, _ := strconv.Atoi(line)
	a.add(LogTopic, foxglove.LogType, foxglove.Schema(foxglove.LogType), at, foxglove.Log{Timestamp: foxglove.Nanoseconds(at), Level: level, Message: text, Name: "mishap", File: file, Line: max(n, 0)})
}

func (a *annotator) finding(f *report.Finding) {
	at := a.at(f.Step)
	a.add(FindingsTopic, FindingType, findingSchema, at, f)
	text := f.Type + ": " + f.Explanation
	if len(f.Objects) > 0 {
		text = f.Type + " (" + strings.Join(f.Objects, ", ") + "): " + f.Explanation
	}
	level := foxglove.Error
	if f.Recovered {
		level, text = foxglove.Warning, text+" The robot made up for it."
	}
	for _, s := range f.Strategies {
		text += "\nrecovery: " + s.Description
		if len(s.Actions) > 0 {
			text += " " + strings.Join(s.Actions, " ")
		}
	}
	a.log(at, level, f.Rule, text)
	if cause := a.at(f.CauseStep); cause != at {
		a.log(cause, foxglove.Warning, f.Rule, fmt.Sprintf("cause of the %s of step %d: %s", f.Type, f.Step, f.Explanation))
	}
	for _, c := range f.Consequences {
		a.log(a.at(c.Step), foxglove.Warning, f.Rule, fmt.Sprintf("%s, which follows from the %s of step %d: %s", c.Type, f.Type, f.Step, c.Explanation))
	}
}

var (
	usual  = foxglove.Color{R: 0.4, G: 0.6, B: 0.9, A: 0.4}
	failed = foxglove.Color{R: 0.9, G: 0.1, B: 0.1, A: 0.7}
	white  = foxglove.Color{R: 1, G: 1, B: 1, A: 1}
)

// scene adds the things that are remembered at a moment.
func (a *annotator) scene(m *perception.Moment) {
	scene := foxglove.SceneUpdate{Deletions: []foxglove.Deletion{}, Entities: []foxglove.Entity{}}
	var now []string
	for i := range m.Things {
		if t := &m.Things[i]; t.Shape != nil {
			scene.Entities = append(scene.Entities, entity(m, t, a.about[t.Name]))
			now = append(now, t.Name)
		}
	}
	for _, name := range a.shown {
		if !slices.Contains(now, name) {
			scene.Deletions = append(scene.Deletions, foxglove.Deletion{Timestamp: foxglove.Nanoseconds(m.Time), ID: name})
		}
	}
	a.shown = now
	if len(scene.Entities)+len(scene.Deletions) > 0 {
		a.add(SceneTopic, foxglove.SceneUpdateType, foxglove.Schema(foxglove.SceneUpdateType), m.Time, scene)
	}
}

// Sizes of labels and how far they stand above a thing, in metres.
const (
	fontSize = 0.05
	above    = 0.05
)

func entity(m *perception.Moment, t *perception.Thing, failures []string) foxglove.Entity {
	e := foxglove.NewEntity(m.Time, m.Frame, t.Name)
	e.Metadata = append(e.Metadata, foxglove.KeyValue{Key: "class", Value: t.Class})
	color, label := usual, t.Name
	for _, f := range failures {
		e.Metadata = append(e.Metadata, foxglove.KeyValue{Key: "failure", Value: f})
		color, label = failed, label+"\n"+f
	}
	b := t.Shape.Box()
	turn := b.Orientation
	e.Cubes = append(e.Cubes, foxglove.Cube{
		Pose: foxglove.Pose{Position: foxglove.Vector(b.Position), Orientation: foxglove.Quaternion{X: turn.Imag, Y: turn.Jmag, Z: turn.Kmag, W: turn.Real}},
		Size: foxglove.Vector(b.Size), Color: color,
	})
	top := r3.Add(b.Position, r3.Vec{Z: b.Size.Z/2 + above})
	e.Texts = append(e.Texts, foxglove.Text{
		Pose: foxglove.Pose{Position: foxglove.Vector(top), Orientation: foxglove.Quaternion{W: 1}}, Billboard: true, FontSize: fontSize, Color: white, Text: label,
	})
	return e
}
