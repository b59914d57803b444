package perception

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/bridge/logs/jsonl"
	"github.com/mishap-robotics/mishap/bridge/perception/geometry"
	"github.com/mishap-robotics/mishap/bridge/perception/mapping"
	"github.com/mishap-robotics/mishap/bridge/recording"
	"github.com/mishap-robotics/mishap/bridge/recording/message"
	"github.com/mishap-robotics/mishap/engine/episode"
)

// take takes in a message, in the order of their times.
func (p *reader) take(q queued) {
	m := &q.message
	p.listenUntil(float64(m.LogTime-min(m.LogTime, p.began)) / 1e9)
	if p.ended != nil && float64(m.LogTime-min(m.LogTime, p.ended.end)) > p.settle() {
		p.line()
	}
	for _, s := range p.sources[m.Channel] {
		if s.As == mapping.Episode {
			p.header(m)
			continue
		}
		if err := m.Channel.Decode(&p.message, m.Data); err != nil {
			p.in.Report(m.Problem(err))
			return
		}
		p.compareClocks(s, m, p.message.Root())
		p.dispatch(s, m, p.message.Root())
	}
}

func (p *reader) dispatch(s *source, m *recording.Message, root message.Value) {
	elements := s.elements(root)
	switch s.As {
	case mapping.Detections:
		p.detect(s, m, elements)
	case mapping.Transforms:
		for _, v := range elements {
			at, ok := vector(s.value(v, "translation"))
			if !ok || !geometry.Finite(at) {
				p.in.Report(problem(m, "a transform without a translation", "one with x, y and z"))
				continue
			}
			p.frames.set(trimFrame(s.text(v, "parent")), trimFrame(s.text(v, "child")), geometry.Pose{Position: at, Orientation: rotation(s.value(v, "rotation"))})
		}
	case mapping.Gripper:
		for _, v := range elements {
			if closed, ok := s.opening(v); ok {
				p.gripper = &Gripper{Closed: closed}
			}
		}
	case mapping.Actions:
		for _, v := range elements {
			p.act(s, m, v)
		}
	case mapping.Sounds:
		for _, v := range elements {
			if label, ok := s.label(v); ok {
				p.hear(label)
			}
		}
	case mapping.Depth:
		for _, v := range elements {
			p.depth(s, m, v)
		}
	case mapping.Intrinsics:
		for _, v := range elements {
			p.takeIntrinsics(s, m, v)
		}
	case mapping.Events:
		for _, v := range elements {
			p.event(s, m, v)
		}
	}
}

// trimFrame is a frame without the slash that ROS 1 began names with.
func trimFrame(name string) string { return strings.TrimPrefix(name, "/") }

func (p *reader) header(m *recording.Message) {
	ep, err := jsonl.NewDecoder(p.onto).Header(p.file, m.Data)
	if err != nil || ep == nil {
		text := "no header of an episode"
		var at *input.Error
		if errors.As(err, &at) {
			text = at.Found
		}
		p.in.Report(problem(m, text, "a header as \"mishap schema episode\" describes it, in JSON"))
		return
	}
	ep.Source, ep.Steps = p.file, p.ep.Steps
	if p.mapping.ID != "" {
		ep.ID = p.mapping.ID
	}
	p.ep = ep
	p.plan()
}

// most is how many detections of a frame are taken.
const most = 2000

func (p *reader) detect(s *source, m *recording.Message, elements []message.Value) {
	f := Frame{Time: m.LogTime, Source: m.Channel.Topic}
	if len(elements) > most {
		p.in.Report(problem(m, fmt.Sprintf("%d detections", len(elements)), fmt.Sprintf("at most %d; the others are left out", most)))
		elements = elements[:most]
	}
	var sightings []*sighting
	for _, v := range elements {
		d, found := s.detection(v)
		if found != "" {
			p.in.Report(problem(m, found, "class, position and size; \"mapping\" says where they stand"))
		}
		if d != nil {
			sightings = append(sightings, d)
		}
	}
	p.lift(s, m, sightings)
	for _, d := range sightings {
		if d.points == nil && d.box == nil {
			continue // it could not be lifted, which was told
		}
		frame := cmp.Or(trimFrame(d.frame), p.mapping.Frame)
		p.frame = cmp.Or(p.frame, frame)
		pose, linked := p.frames.in(p.mapping.Frame, frame)
		if !linked {
			p.in.Report(problem(m, fmt.Sprintf("a %s in the frame %q, to which no transform leads", clip(d.Class), clip(frame)), fmt.Sprintf("one from %q", clip(p.mapping.Frame))))
			continue
		}
		d.place(pose)
		if !sound(d.Shape) {
			p.in.Report(problem(m, fmt.Sprintf("a %s whose place or size is no number, or beyond all rooms", clip(d.Class)), "metres"))
			continue
		}
		if p.isRobot(d.Class) {
			p.robot = d.Shape
			continue
		}
		d.Class = p.class(d.Class)
		f.Detections = append(f.Detections, d.Detection)
	}
	p.recent = append(p.recent, f)
	same := 0
	for _, r := range p.recent {
		if r.Source == f.Source {
			same++
		}
	}
	if same > p.frameCount() {
		first := slices.IndexFunc(p.recent, func(r Frame) bool { return r.Source == f.Source })
		p.recent = slices.Delete(p.recent, first, first+1)
	}
	if p.mapping.KeyFrames == "changes" && len(p.open) > 0 {
		p.change()
	}
}

// place gives a sighting its shape, as its sensor is placed.
func (d *sighting) place(pose geometry.Pose) {
	if d.box != nil {
		b := *d.box
		b.Pose = pose.Then(b.Pose)
		d.Shape = geometry.NewBox(b)
		return
	}
	points := make([]r3.Vec, len(d.points))
	for i, q := range d.points {
		points[i] = pose.Apply(q)
	}
	d.Shape = geometry.NewCloud(points)
}

// isRobot reports whether a detection is of the robot itself.
func (p *reader) isRobot(class string) bool {
	if p.mapping.Robot != "" {
		return class == p.mapping.Robot
	}
	return len(p.onto.ByLabel(class, p.onto.Core.Robot)) > 0
}

// sound reports whether a shape is within a kilometre or a hundred.
func sound(s *geometry.Shape) bool {
	if s == nil {
		return false
	}
	size := s.Box().Size
	return geometry.Finite(s.Centre) && geometry.Finite(size) && r3.Norm(s.Centre) < 1e5 && r3.Norm(size) < 1e5
}

// class is the name in the ontology of what a detector calls a class.
func (p *reader) class(word string) string {
	if t := p.onto.ByLabel(word, p.onto.Core.PhysicalObject); len(t) > 0 {
		return p.onto.Name(t[0])
	}
	return word
}

func (p *reader) settle() float64 { return 1e9 * cmp.Or(p.mapping.Settle, mapping.DefaultSettle) }

func (p *reader) frameCount() int { return cmp.Or(p.mapping.Frames, mapping.DefaultFrames) }

func (p *reader) hear(label string) {
	if !slices.Contains(p.sounds, label) {
		p.sounds = append(p.sounds, label)
	}
}

// statuses are what the status of an action may be where a mapping does not say.
var statuses = map[string]string{
	"started": "started", "running": "started", "executing": "started", "in_progress": "started", "start": "started", "active": "started",
	"ended": "ended", "end": "ended", "done": "ended", "completed": "ended", "finished": "ended",
	"succeeded": "succeeded", "success": "succeeded", "failed": "failed", "failure": "failed", "aborted": "aborted", "canceled": "aborted", "cancelled": "aborted",
	"idle": "ignored", "accepted": "ignored", "pending": "ignored",
}

// act takes in that an action begins or ends.
func (p *reader) act(s *source, m *recording.Message, v message.Value) {
	word := s.text(v, "status")
	status, known := s.Status[word]
	if !known {
		status, known = statuses[strings.ToLower(word)]
	}
	if !known {
		p.in.Report(problem(m, fmt.Sprintf("the status %q of an action", clip(word)), "one of started, ended, succeeded, failed, aborted; \"status\" in the mapping says which it is"))
		return
	}
	name, ok := s.name(s.text(v, "action"))
	if !ok || p.toldAgain(s, v, name, status) || status == "ignored" {
		return
	}
	a := &act{agent: s.text(v, "agent"), key: s.text(v, "id"), result: s.text(v, "result"), began: m.LogTime, end: m.LogTime}
	a.said = [4]string{a.key, name, s.text(v, "target"), s.text(v, "destination")}
	same := func(b *act) bool { return b.said == a.said && b.agent == a.agent }
	at := slices.IndexFunc(p.open, same)
	if status == "started" && at >= 0 || at < 0 && a.key != "" && p.ended != nil && same(p.ended) {
		return // it is told again
	}
	p.line()
	p.first()
	if at >= 0 {
		b := p.open[at]
		a.action, a.began = b.action, b.began
		if b.status != "" {
			a.status, a.result = b.status, cmp.Or(a.result, b.result)
		}
		p.open = slices.Delete(p.open, at, at+1)
	} else {
		p.name(a, m)
	}
	if status == "started" {
		p.open = append(p.open, a)
		return
	}
	if status != "ended" && a.status == "" {
		a.status = episode.Status(status)
	}
	p.ended = a
}

// toldAgain reports whether a snapshot tells what an earlier one told of the same action.
func (p *reader) toldAgain(s *source, v message.Value, name, status string) bool {
	if !s.Snapshots {
		return false
	}
	of := [6]string{s.Topic.Topic, s.text(v, "id"), name, s.text(v, "target"), s.text(v, "destination"), s.text(v, "agent")}
	before := p.status[of]
	if len(p.status) == mostStatuses {
		clear(p.status)
	}
	p.status[of] = status
	return before == status
}

// mostStatuses is of how many actions it is remembered what snapshots told.
const mostStatuses = 1 << 14

// name reads what an action is and what it is about.
func (p *reader) name(a *act, m *recording.Message) {
	var known bool
	a.action, known = p.action(a.said[1], a.said[2], a.said[3])
	if !known {
		p.ep.Warn(0, fmt.Sprintf("%s: %s", clip(m.Channel.Topic), input.UnknownAction(a.said[1], p.actions.Hint(a.action.Name), p.actions.Err(a.said[1]))))
	}
	p.named = append(p.named, a.action.Arguments()...)
}

// action reads an action: as plans write it, as a sentence, or by its parts. Things may be
// named as a tracker calls them.
func (p *reader) action(name, target, destination string) (a episode.Action, known bool) {
	if target != "" && !strings.HasPrefix(name, "(") {
		name = "(" + strings.Join(slices.DeleteFunc([]string{name, target, destination}, func(s string) bool { return s == "" }), ", ") + ")"
	}
	a, known = p.actions.ReadNamed(name)
	for _, arg := range []*string{&a.Target, &a.Destination} {
		*arg = p.thing(*arg)
	}
	return a, known
}
