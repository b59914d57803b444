package perception

import (
	"cmp"
	"container/heap"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
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
	"github.com/mishap-robotics/mishap/engine/language"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// ReadFile makes an episode of a recording, by a mapping; without one, by what is recognised
// in it. What could not be read, or does not fit, is a warning of the episode. The error is an
// *input.Error.
func ReadFile(o *ontology.Ontology, fsys fs.FS, name string, m *mapping.Mapping) (*episode.Episode, error) {
	if m == nil {
		r, err := recording.Open(fsys, name)
		if err != nil {
			return nil, err
		}
		m, _, err = mapping.Recognise(r)
		r.Close()
		if err != nil {
			return nil, err
		}
	}
	r, err := recording.Open(fsys, name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return Read(o, name, r, m)
}

// Read makes an episode of a recording; file is its name in messages.
func Read(o *ontology.Ontology, file string, r *recording.Reader, m *mapping.Mapping) (*episode.Episode, error) {
	p := newReader(o, file, r, m)
	if err := p.run(); err != nil {
		return nil, err
	}
	return p.finish()
}

// reader makes an episode.
type reader struct {
	onto    *ontology.Ontology
	file    string
	in      *recording.Reader
	mapping *mapping.Mapping
	actions *language.Actions
	memory  *Memory
	frames  frames
	sources map[*recording.Channel][]*source
	met     map[int]bool // topics of the mapping that the recording has
	message message.Message

	queue   queue
	number  int
	began   uint64 // time of the first message
	latest  uint64
	late    int
	ep      *episode.Episode
	recent  []Frame // of the last moments
	robot   *geometry.Shape
	gripper *Gripper // nil until it is known
	open    []*act   // actions that go on
	ended   *act     // the last, whose scene is still to be told
	sounds  []string // since the last line
	named   []string // things that actions name
	told    string   // the scene that was told last
	next    string   // another that was seen since
	times   int      // how often in a row
}

// act is one carrying out of an action.
type act struct {
	said       [4]string // how it was told: its id, name and things
	key, agent string
	action     episode.Action
	began, end uint64
	status     episode.Status
	result     string
}

func newReader(o *ontology.Ontology, file string, in *recording.Reader, m *mapping.Mapping) *reader {
	id := cmp.Or(m.ID, strings.TrimSuffix(path.Base(strings.ReplaceAll(input.Plain(file), "\\", "/")), recording.Suffix))
	return &reader{onto: o, file: file, in: in, mapping: m, actions: language.NewActions(o), memory: NewMemory(o), frames: frames{}, sources: map[*recording.Channel][]*source{}, met: map[int]bool{},
		ep: &episode.Episode{ID: id, Source: file}}
}

// plan sets the plan that the mapping has.
func (p *reader) plan() {
	if len(p.mapping.Plan) == 0 {
		return
	}
	p.ep.Plan = nil
	for i, text := range p.mapping.Plan {
		a, known := p.actions.ReadNamed(text)
		if !known {
			p.ep.Warn(0, input.UnknownPlanned(i+1, text, p.actions.Hint(a.Name)))
		}
		p.ep.Plan = append(p.ep.Plan, a)
	}
}

// wait is how long messages wait for others that were recorded after them and are older, in
// nanoseconds.
const wait = 1e9

func (p *reader) run() error {
	p.plan()
	for {
		m, err := p.in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		sources := p.of(m.Channel)
		if p.number == 0 {
			p.began = m.LogTime
		}
		p.number++
		if len(sources) == 0 {
			continue
		}
		if m.LogTime+wait < p.latest {
			if p.late++; p.late == 1 {
				p.in.Report(problem(m, fmt.Sprintf("a message that is %.1f s older than one before it", float64(p.latest-m.LogTime)/1e9), "messages in the order of their times, but for a second"))
			}
		}
		p.latest = max(p.latest, m.LogTime)
		kept := *m
		kept.Data = slices.Clone(m.Data)
		heap.Push(&p.queue, queued{kept, p.number})
		for len(p.queue) > 0 && p.queue[0].message.LogTime+wait < p.latest {
			p.take(heap.Pop(&p.queue).(queued))
		}
	}
	for len(p.queue) > 0 {
		p.take(heap.Pop(&p.queue).(queued))
	}
	return nil
}

// of are the topics of the mapping that messages of a channel are taken for.
func (p *reader) of(c *recording.Channel) []*source {
	known, ok := p.sources[c]
	if ok {
		return known
	}
	for i, t := range p.mapping.Topics {
		if t.Topic != c.Topic {
			continue
		}
		p.met[i] = true
		if t.Type != "" && plainType(t.Type) != plainType(c.Type) {
			p.in.Report(recording.Problem{Topic: c.Topic, Place: recording.Place{Inner: -1}, Found: fmt.Sprintf("messages of type %q", clip(c.Type)), Expected: fmt.Sprintf("%q, as line %d of %s says", clip(t.Type), p.mapping.Line(i), p.mapping.File())})
		}
		known = append(known, newSource(t, c.Type))
	}
	p.sources[c] = known
	return known
}

func plainType(name string) string { return strings.Replace(name, "/msg/", "/", 1) }

// queued is a message that waits for older ones.
type queued struct {
	message recording.Message
	number  int
}

type queue []queued

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	a, b := &q[i], &q[j]
	return cmp.Or(cmp.Compare(a.message.LogTime, b.message.LogTime), cmp.Compare(a.number, b.number)) < 0
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(queued)) }
func (q *queue) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	*q = (*q)[:last]
	return x
}

// take takes in a message, in the order of their times.
func (p *reader) take(q queued) {
	m := &q.message
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
	case mapping.Events:
		for _, v := range elements {
			p.event(s, v)
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
	f := Frame{Time: m.LogTime}
	if len(elements) > most {
		p.in.Report(problem(m, fmt.Sprintf("%d detections", len(elements)), fmt.Sprintf("at most %d; the others are left out", most)))
		elements = elements[:most]
	}
	for _, v := range elements {
		d, frame, ok, found := s.detection(v)
		if found != "" {
			p.in.Report(problem(m, found, "class, position and size; \"mapping\" says where they stand"))
		}
		if !ok {
			continue
		}
		frame = cmp.Or(trimFrame(frame), p.mapping.Frame)
		pose, linked := p.frames.in(p.mapping.Frame, frame)
		if !linked {
			p.in.Report(problem(m, fmt.Sprintf("a %s in the frame %q, to which no transform leads", clip(d.Class), clip(frame)), fmt.Sprintf("one from %q", clip(p.mapping.Frame))))
			continue
		}
		b := d.Shape.Box()
		b.Pose = pose.Then(b.Pose)
		d.Shape = geometry.NewBox(b)
		if !sound(d.Shape) {
			p.in.Report(problem(m, fmt.Sprintf("a %s whose place or size is no number, or beyond all rooms", clip(d.Class)), "metres"))
			continue
		}
		if p.isRobot(d.Class) {
			p.robot = d.Shape
			continue
		}
		d.Class = p.class(d.Class)
		f.Detections = append(f.Detections, d)
	}
	p.recent = append(p.recent, f)
	if n := len(p.recent) - p.frameCount(); n > 0 {
		p.recent = slices.Delete(p.recent, 0, n)
	}
	if p.mapping.KeyFrames == "changes" && len(p.open) > 0 {
		p.change()
	}
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

func (p *reader) event(s *source, v message.Value) {
	text := s.text(v, "text")
	for i, r := range s.match {
		if !r.MatchString(text) {
			continue
		}
		if sound := s.Match[i].Sound; sound != "" {
			p.hear(sound)
		}
		a := p.ended
		if len(p.open) > 0 {
			a = p.open[len(p.open)-1]
		}
		if status := s.Match[i].Status; status != "" && a != nil {
			a.status, a.result = episode.Status(status), cmp.Or(s.text(v, "result"), r.FindString(text))
		}
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
	if !ok || status == "ignored" {
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

// name reads what an action is and what it is about.
func (p *reader) name(a *act, m *recording.Message) {
	var known bool
	a.action, known = p.action(a.said[1], a.said[2], a.said[3])
	if !known {
		p.ep.Warn(0, fmt.Sprintf("%s: %s", clip(m.Channel.Topic), input.UnknownAction(a.said[1], p.actions.Hint(a.action.Name))))
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
		for _, t := range p.memory.Things() {
			if *arg != "" && t.track == *arg {
				*arg = t.Name
				break
			}
		}
	}
	return a, known
}

// first tells the scene before the first action.
func (p *reader) first() {
	if len(p.ep.Steps) > 0 {
		return
	}
	st := episode.Step{Time: p.clock(p.began), Observation: p.observe(nil)}
	p.ep.Steps = append(p.ep.Steps, st)
}

// line tells the scene after the last action that ended.
func (p *reader) line() {
	a := p.ended
	if a == nil {
		return
	}
	p.ended = nil
	p.tell(a, p.clock(a.end))
}

func (p *reader) tell(a *act, time string) {
	st := episode.Step{Index: p.index(), Time: time, Action: a.action, Agent: a.agent, Sounds: p.sounds, ID: a.key, Status: a.status, Result: a.result, Observation: p.observe(a)}
	p.sounds, p.told, p.next, p.times = nil, fmt.Sprint(st.Observation), "", 0
	p.ep.Steps = append(p.ep.Steps, st)
	p.ep.Lines++
}

func (p *reader) index() int {
	if n := len(p.ep.Steps); n > 0 {
		return p.ep.Steps[n-1].Index + 1
	}
	return 1
}

// change tells the scene while an action goes on, where it is another than was told last and
// stays so for as many frames as are merged (REFLECT, section 3.1.2).
func (p *reader) change() {
	if len(p.recent) < p.frameCount() {
		return
	}
	a := *p.open[len(p.open)-1]
	a.status = episode.StatusInProgress
	now := p.recent[len(p.recent)-1].Time
	if a.began+uint64(p.settle()) > now {
		return
	}
	a.end = now
	obs := p.observe(&a)
	switch shown := fmt.Sprint(obs); {
	case shown == p.told:
		p.next, p.times = "", 0
	case shown == p.next:
		p.times++
	default:
		p.next, p.times = shown, 1
	}
	if p.times < p.frameCount() {
		return
	}
	p.told, p.next, p.times = p.next, "", 0
	p.ep.Steps = append(p.ep.Steps, episode.Step{Index: p.index(), Time: p.clock(now), Action: a.action, Agent: a.agent, Sounds: p.sounds, ID: a.key, Status: a.status, Observation: obs})
	p.sounds = nil
	p.ep.Lines++
}

// observe is the scene graph of the last frames, after an action where there was one.
func (p *reader) observe(a *act) episode.Observation {
	var last []Frame
	var s Sight
	from := uint64(0)
	if a != nil {
		from = max(a.began, a.end-min(a.end, uint64(p.settle())))
		s.Acted = a.action.Arguments()
	}
	for _, f := range p.recent {
		if f.Time >= from {
			last = append(last, f)
		}
	}
	if len(last) == 0 && p.gripper == nil {
		return episode.Observation{Missing: true}
	}
	s.Detections = Merge(p.onto, last)
	s.Robot, p.robot = p.robot, nil
	if p.gripper != nil {
		g := *p.gripper
		if pose, ok := p.frames.in(p.mapping.Frame, p.mapping.Fingers); ok && p.mapping.Fingers != "" {
			g.Fingers = geometry.NewBox(geometry.Box{Pose: pose, Size: r3.Vec{X: fingers, Y: fingers, Z: fingers}})
		}
		s.Gripper = &g
	}
	if pose, ok := p.frames.in(p.mapping.Frame, p.mapping.Camera); ok && p.mapping.Camera != "" {
		s.Camera = &geometry.Camera{Pose: pose}
	}
	obs := p.memory.Observe(s)
	if named := p.ofTask(); p.mapping.Only == "task" && len(named) > 0 {
		obs = p.memory.Informed(obs, named)
	}
	return obs
}

// ofTask are the things that plan and actions name.
func (p *reader) ofTask() []string {
	out := slices.Clone(p.named)
	for _, a := range p.ep.Plan {
		out = append(out, a.Arguments()...)
	}
	return out
}

// fingers is the edge of the cube between the fingers, in metres.
const fingers = 0.02

// clock is a time since the begin of the recording.
func (p *reader) clock(at uint64) string {
	seconds := float64(at-min(at, p.began)) / 1e9
	whole := math.Floor(seconds)
	text := fmt.Sprintf("%02d:%02d", int(whole)/60, int(whole)%60)
	if part := math.Round((seconds - whole) * 1000); part > 0 && part < 1000 {
		text += strings.TrimRight(fmt.Sprintf(".%03d", int(part)), "0")
	}
	return text
}

// finish tells what goes on at the end, and what was wrong.
func (p *reader) finish() (*episode.Episode, error) {
	p.line()
	for _, a := range p.open {
		a.end, a.status = p.latest, cmp.Or(a.status, episode.StatusInProgress)
		p.tell(a, p.clock(p.latest))
	}
	p.first()
	ep := p.ep
	for i, t := range p.mapping.Topics {
		if !p.met[i] {
			ep.Warn(0, fmt.Sprintf("the mapping%s names the topic %s, which the recording has not", p.place(i), clip(t.Topic)))
		}
	}
	for _, problem := range p.in.Problems() {
		ep.Skip(0, problem.String())
	}
	if len(ep.Steps) == 1 && ep.Steps[0].Observation.Missing {
		var topics []string
		for _, c := range p.in.Channels() {
			topics = append(topics, c.Topic)
		}
		found := "nothing that a scene could be read off"
		if problems := p.in.Problems(); len(problems) > 0 {
			found += " (" + problems[0].String() + ")"
		}
		return nil, &input.Error{File: p.file, Found: found, Expected: "detections or actions; it has the topics " + input.Clip(strings.Join(topics, ", ")) + ", \"mishap mapping init\" tells what they may be"}
	}
	return p.setting(), nil
}

func (p *reader) place(topic int) string {
	if p.mapping.File() == "" {
		return ""
	}
	return fmt.Sprintf(" (%s:%d)", p.mapping.File(), p.mapping.Line(topic))
}

// setting sets what the mapping says of the episode.
func (p *reader) setting() *episode.Episode {
	ep := p.ep
	ep.Task, ep.Goal = cmp.Or(p.mapping.Task, ep.Task), cmp.Or(p.mapping.Goal, ep.Goal)
	held := func(e scene.Edge) bool { return e.Object == p.onto.Instance(p.onto.Core.RobotGripper, 1) }
	for i := range ep.Steps {
		ep.Steps[i].Line = i + 2 // as it would stand in a file of mishap's own
		ep.GripperObserved = ep.GripperObserved || slices.ContainsFunc(ep.Steps[i].Observation.Edges, held)
	}
	return ep
}
