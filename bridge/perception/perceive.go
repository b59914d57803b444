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

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/bridge/perception/geometry"
	"github.com/mishap-robotics/mishap/bridge/perception/mapping"
	"github.com/mishap-robotics/mishap/bridge/recording"
	"github.com/mishap-robotics/mishap/bridge/recording/message"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/language"
	"github.com/mishap-robotics/mishap/ontology"
)

// ReadFile makes an episode of a recording, by a mapping; without one, by what is recognised
// in it. What could not be read, or does not fit, is a warning of the episode. The error is an
// *input.Error.
func ReadFile(o *ontology.Ontology, fsys fs.FS, name string, m *mapping.Mapping) (*episode.Episode, error) {
	return Follow(o, fsys, name, m, nil)
}

// Follow is ReadFile that shows each moment of which the episode has a step, in their order,
// where show is not nil.
func Follow(o *ontology.Ontology, fsys fs.FS, name string, m *mapping.Mapping, show func(Moment)) (*episode.Episode, error) {
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
	p := newReader(o, name, r, m)
	p.show = show
	p.listen(fsys, name)
	return p.read()
}

// Read makes an episode of a recording; file is its name in messages.
func Read(o *ontology.Ontology, file string, r *recording.Reader, m *mapping.Mapping) (*episode.Episode, error) {
	return newReader(o, file, r, m).read()
}

// Source is where messages come from: a recording, or a robot that goes on.
type Source interface {
	// Next is the next message; at the end the error is io.EOF.
	Next() (*recording.Message, error)
	// Report takes in a problem with a message.
	Report(recording.Problem)
	Problems() []recording.Problem
	Channels() []*recording.Channel
}

// Live makes steps of messages as they come: begin is told of the episode before its first step,
// step of each as soon as it is known, and odd of what is not understood. It ends when the source
// does, or with the error of begin or step.
func Live(o *ontology.Ontology, name string, in Source, m *mapping.Mapping, begin func(*episode.Episode) error, step func(*episode.Step, Moment) error, odd func(string)) error {
	ending := &ending{Source: in}
	p := newReader(o, name, ending, m)
	begun, warned := false, 0
	p.show = func(moment Moment) {
		ep := p.ep
		if !begun {
			begun = true
			ep.Task, ep.Goal = cmp.Or(m.Task, ep.Task), cmp.Or(m.Goal, ep.Goal)
			ep.GripperObserved = slices.ContainsFunc(m.Topics, func(t mapping.Topic) bool { return t.As == mapping.Gripper })
			ending.fail(begin(ep))
		}
		if warned > len(ep.Warnings) {
			warned = 0 // the header of another
		}
		for _, w := range ep.Warnings[warned:] {
			odd(w.Msg)
		}
		warned = len(ep.Warnings)
		last := len(ep.Steps) - 1
		ending.fail(step(&ep.Steps[last], moment))
		ep.Steps = append(ep.Steps[:0], ep.Steps[last]) // it may go on for long
	}
	if err := p.run(); err != nil {
		return err
	}
	p.rest()
	return ending.err
}

// ending is a source that ends where what is made of it can be told nobody.
type ending struct {
	Source
	err error
}

func (e *ending) fail(err error) { e.err = cmp.Or(e.err, err) }

func (e *ending) Next() (*recording.Message, error) {
	if e.err != nil {
		return nil, io.EOF
	}
	return e.Source.Next()
}

func (p *reader) read() (*episode.Episode, error) {
	if err := p.run(); err != nil {
		return nil, err
	}
	return p.finish()
}

// Moment is when a step of an episode was told, and what was remembered then.
type Moment struct {
	Step   int    // its index
	Time   uint64 // nanoseconds, as the messages of the recording have it
	Frame  string // of the things, "" where none is known
	Things []Thing
}

// moment shows the moment of the last step.
func (p *reader) moment(at uint64) {
	if p.show == nil {
		return
	}
	m := Moment{Step: p.ep.Steps[len(p.ep.Steps)-1].Index, Time: at, Frame: cmp.Or(p.mapping.Frame, p.frame)}
	for _, t := range p.memory.Things() {
		m.Things = append(m.Things, *t)
	}
	p.show(m)
}

// reader makes an episode.
type reader struct {
	onto    *ontology.Ontology
	file    string
	in      Source
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
	show    func(Moment)             // nil where nobody wants to see
	frame   string                   // of the first detection
	images  map[string][]*depthImage // of each topic the last
	cameras map[string]intrinsics    // by topic
	ep      *episode.Episode
	recent  []Frame // of the last moments
	robot   *geometry.Shape
	gripper *Gripper                    // nil until it is known
	open    []*act                      // actions that go on
	ended   *act                        // the last, whose scene is still to be told
	sounds  []string                    // since the last line
	sensed  []episode.SensorEvent       // the same
	heard   []heard                     // in sound files, and not told yet
	odd     []string                    // in sound files
	status  map[[6]string]string        // of actions, as snapshots told it last
	stamped map[*recording.Channel]bool // whose clock is known
	clocks  *clocked                    // of the first of them
	named   []string                    // things that actions name
	shown   string                      // the scene that was told last
	next    string                      // another that was seen since
	times   int                         // how often in a row
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

func newReader(o *ontology.Ontology, file string, in Source, m *mapping.Mapping) *reader {
	id := cmp.Or(m.ID, baseName(file))
	return &reader{onto: o, file: file, in: in, mapping: m, actions: language.NewActions(o), memory: NewMemory(o), frames: frames{}, sources: map[*recording.Channel][]*source{}, met: map[int]bool{}, stamped: map[*recording.Channel]bool{}, status: map[[6]string]string{}, images: map[string][]*depthImage{}, cameras: map[string]intrinsics{},
		ep: &episode.Episode{ID: id, Source: file}}
}

// baseName is the name of a recording without its folder and ending.
func baseName(file string) string {
	name := path.Base(strings.ReplaceAll(input.Plain(file), "\\", "/"))
	for _, suffix := range []string{recording.Suffix, recording.Bag1Suffix, recording.BagSuffix} {
		name = strings.TrimSuffix(name, suffix)
	}
	return name
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
			p.ep.Warn(0, input.UnknownPlanned(i+1, text, p.actions.Hint(a.Name), p.actions.Err(text)))
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
	p.listenUntil(math.Inf(1))
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
		known = append(known, newSource(t, c))
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
