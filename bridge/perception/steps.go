package perception

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/bridge/perception/geometry"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
)

// first tells the scene before the first action.
func (p *reader) first() {
	if len(p.ep.Steps) > 0 {
		return
	}
	st := episode.Step{Time: p.clock(p.began), Events: p.takeSensed(), Observation: p.observe(nil)}
	p.ep.Steps = append(p.ep.Steps, st)
	p.moment(p.began)
}

// line tells the scene after the last action that ended.
func (p *reader) line() {
	a := p.ended
	if a == nil {
		return
	}
	p.ended = nil
	p.tell(a, a.end)
}

func (p *reader) tell(a *act, at uint64) {
	st := episode.Step{Index: p.index(), Time: p.clock(at), Action: a.action, Agent: a.agent, Sounds: p.sounds, Events: p.takeSensed(), ID: a.key, Status: a.status, Result: a.result, Observation: p.observe(a)}
	p.sounds, p.shown, p.next, p.times = nil, fmt.Sprint(st.Observation), "", 0
	p.ep.Steps = append(p.ep.Steps, st)
	p.ep.Lines++
	p.moment(at)
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
	case shown == p.shown:
		p.next, p.times = "", 0
	case shown == p.next:
		p.times++
	default:
		p.next, p.times = shown, 1
	}
	if p.times < p.frameCount() {
		return
	}
	p.shown, p.next, p.times = p.next, "", 0
	p.ep.Steps = append(p.ep.Steps, episode.Step{Index: p.index(), Time: p.clock(now), Action: a.action, Agent: a.agent, Sounds: p.sounds, Events: p.takeSensed(), ID: a.key, Status: a.status, Observation: obs})
	p.sounds = nil
	p.ep.Lines++
	p.moment(now)
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

// rest tells what goes on at the end.
func (p *reader) rest() {
	p.line()
	for _, a := range p.open {
		a.end, a.status = p.latest, cmp.Or(a.status, episode.StatusInProgress)
		if len(p.in.Problems()) > 0 {
			a.key = cmp.Or(a.key, a.action.Name) // its end may be in what could not be read
		}
		p.tell(a, p.latest)
	}
	p.first()
}

// finish tells what goes on at the end, and what was wrong.
func (p *reader) finish() (*episode.Episode, error) {
	p.rest()
	ep := p.ep
	for i, t := range p.mapping.Topics {
		if !p.met[i] {
			ep.Warn(0, fmt.Sprintf("the mapping%s names the topic %s, which the recording has not", p.place(i), clip(t.Topic)))
		}
	}
	p.absent()
	for _, text := range p.odd {
		ep.Warn(0, text)
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
	if p.mapping.KeyFrames != "changes" && !slices.ContainsFunc(ep.Steps, func(st episode.Step) bool { return st.Action.Name != "" }) {
		ep.Warn(0, "nothing in the recording tells that an action began or ended, so there is nothing to judge; expected a topic that is mapped as actions, \"mishap mapping init\" tells what there is")
	}
	return p.setting(), nil
}

// needed are the fields without which a topic gives nothing.
var needed = []string{"action", "class", "kind", "label", "labels", "opening", "position", "status", "text", "translation"}

// absent tells of fields that the mapping names and no message has. JSON may leave out what
// there is nothing to say of.
func (p *reader) absent() {
	for i, t := range p.mapping.Topics {
		for _, role := range slices.Sorted(maps.Keys(t.Fields)) {
			asked, had := false, false
			for c, sources := range p.sources {
				for _, s := range sources {
					optional := c.Encoding == "json" && !slices.Contains(needed, role)
					if f := s.fields[role]; !optional && c.Topic == t.Topic && s.As == t.As && f != nil && s.Fields[role] == t.Fields[role] {
						asked, had = asked || f.asked, had || f.had
					}
				}
			}
			if asked && !had {
				p.ep.Warn(0, fmt.Sprintf("the mapping%s takes the %s from %s, which no message of %s has", p.place(i), role, clip(t.Fields[role]), clip(t.Topic)))
			}
		}
	}
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
