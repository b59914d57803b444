package perception

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/mishap-robotics/mishap/bridge/perception/geometry"
	"github.com/mishap-robotics/mishap/bridge/perception/mapping"
	"github.com/mishap-robotics/mishap/bridge/recording"
	"github.com/mishap-robotics/mishap/bridge/recording/message"
)

// source is a topic of a mapping for the messages of one channel.
type source struct {
	mapping.Topic
	each   message.Path
	fields map[string]*field
	states struct{ list, name, score message.Path }
	match  []*regexp.Regexp
}

// field is where a topic's messages have something, and whether any of them had it.
type field struct {
	message.Path
	asked, had bool
}

// newSource takes a topic that mapping.Parse or mapping.Recognise gave, whose paths are some.
func newSource(t mapping.Topic, c *recording.Channel) *source {
	path := func(text string) message.Path {
		p, err := message.ParsePath(text)
		if err != nil {
			panic(err)
		}
		return p
	}
	s := &source{Topic: t.Complete(c.Type, c.Encoding), fields: map[string]*field{}}
	s.each = path(s.Each)
	for role, p := range s.Fields {
		s.fields[role] = &field{Path: path(p)}
	}
	if s.States != nil {
		s.states.list, s.states.name, s.states.score = path(s.States.List), path(s.States.Name), path(s.States.Score)
	}
	for _, r := range t.Match {
		s.match = append(s.match, regexp.MustCompile(r.Text))
	}
	return s
}

// value is what a message or element has for a role, absent where it has nothing.
func (s *source) value(v message.Value, role string) message.Value {
	f, ok := s.fields[role]
	if !ok {
		return message.Value{}
	}
	out := v.At(f.Path)
	f.asked, f.had = true, f.had || out.Exists()
	return out
}

// text is the same as text, or what is set for the role.
func (s *source) text(v message.Value, role string) string {
	if set, ok := s.Set[role]; ok {
		return set
	}
	return words(s.value(v, role))
}

// words is a value as text: bytes, as of a unique id, in hexadecimal.
func words(v message.Value) string {
	if t, ok := v.Text(); ok {
		return strings.TrimSpace(t)
	}
	if b, ok := v.Bytes(); ok {
		return fmt.Sprintf("%x", b)
	}
	if v.Exists() {
		return v.String()
	}
	return ""
}

// name is what a word of the robot is in the ontology; ok is false where it is to be left
// out.
func (s *source) name(word string) (name string, ok bool) {
	if n, known := s.Names[word]; known {
		return n, n != ""
	}
	return word, word != ""
}

// elements are those of a message that give one thing each.
func (s *source) elements(root message.Value) []message.Value {
	if s.Each == "" {
		return []message.Value{root}
	}
	var out []message.Value
	for e := range root.At(s.each).Elements() {
		out = append(out, e)
	}
	return out
}

// number reads a number, also one that is written as a text.
func number(v message.Value) (float64, bool) {
	if f, ok := v.Float(); ok {
		return f, !math.IsNaN(f) && !math.IsInf(f, 0)
	}
	if t, ok := v.Text(); ok {
		f, err := strconv.ParseFloat(t, 64)
		return f, err == nil && !math.IsNaN(f) && !math.IsInf(f, 0)
	}
	return 0, false
}

// vector reads x, y and z; what is left out is 0.
func vector(v message.Value) (out r3.Vec, ok bool) {
	if v.Kind() != message.Object {
		return out, false
	}
	for name, to := range map[string]*float64{"x": &out.X, "y": &out.Y, "z": &out.Z} {
		if f := v.Field(name); f.Exists() {
			n, isNumber := number(f)
			if !isNumber {
				return out, false
			}
			*to = n
		}
	}
	return out, true
}

// rotation reads a quaternion; one that is left out, or all zeros as messages have it that
// were not filled in, turns nothing.
func rotation(v message.Value) r3.Rotation {
	get := func(name string) float64 { f, _ := number(v.Field(name)); return f }
	r, _ := geometry.Rotation(get("x"), get("y"), get("z"), get("w"))
	return r
}

// sighting is a detection whose shape is as its sensor sees it.
type sighting struct {
	Detection
	frame  string
	points []r3.Vec // of a cloud
	box    *geometry.Box
	flat   *rectangle // in a picture
	taken  uint64     // nanoseconds, 0 where that is not said
}

// detection reads what was detected; found says what is wrong with it, "" where nothing is
// or it is to be left out.
func (s *source) detection(v message.Value) (d *sighting, found string) {
	d = &sighting{}
	guesses := []message.Value{v}
	if _, several := s.fields["results"]; several {
		guesses = guesses[:0]
		for g := range s.value(v, "results").Elements() {
			guesses = append(guesses, g)
		}
	}
	d.Score = -1
	for _, g := range guesses {
		word := s.text(g, "class")
		score, given := number(s.value(g, "score"))
		if !given {
			score = 1
		}
		if s.States != nil && s.States.List == "" && s.States.Prefix != "" && strings.HasPrefix(word, s.States.Prefix) {
			continue
		}
		if score > d.Score {
			d.Class, d.Score = word, score
		}
	}
	if d.Score < 0 || d.Score < s.MinScore {
		return nil, ""
	}
	word := d.Class
	var ok bool
	if d.Class, ok = s.name(word); !ok {
		if word == "" {
			return nil, "a detection without a class"
		}
		return nil, ""
	}
	d.Track = s.text(v, "id")
	d.States = s.scores(v, guesses)
	d.frame, d.taken = s.text(v, "frame"), stamp(s.value(v, "stamp"))
	if d.frame == "" {
		d.frame = s.Frame
	}
	if points := s.value(v, "points"); points.Exists() {
		if d.points = cloud(points); len(d.points) > 0 {
			d.frame = cmp.Or(words(points.Field("header").Field("frame_id")), words(points.Field("frame_id")), d.frame)
			return d, ""
		}
	}
	at, hasPlace := vector(s.value(v, "position"))
	size, hasSize := vector(s.value(v, "size"))
	switch {
	case hasPlace && hasSize:
		d.box = &geometry.Box{Pose: geometry.Pose{Position: at, Orientation: rotation(s.value(v, "orientation"))}, Size: size}
		return d, ""
	case hasPlace:
		return nil, fmt.Sprintf("a %s without a size", clip(word))
	}
	if d.flat, ok = s.rectangle(v); !ok {
		return nil, fmt.Sprintf("a %s without a position", clip(word))
	}
	return d, ""
}

// scores are those of the states of a detection.
func (s *source) scores(v message.Value, guesses []message.Value) map[string]float64 {
	if s.States == nil {
		return nil
	}
	list := guesses
	if s.States.List != "" {
		list = nil
		for e := range v.At(s.states.list).Elements() {
			list = append(list, e)
		}
	}
	var out map[string]float64
	for _, e := range list {
		name, prefixed := strings.CutPrefix(words(e.At(s.states.name)), s.States.Prefix)
		score, ok := number(e.At(s.states.score))
		if !prefixed || !ok || name == "" {
			continue
		}
		if name, ok = s.name(name); !ok {
			continue
		}
		if out == nil {
			out = map[string]float64{}
		}
		out[name] = score
	}
	return out
}

// opening is how far a gripper is open, or whether it is closed on something where that is
// what the message says.
func (s *source) opening(v message.Value) (closed, ok bool) {
	if c := s.value(v, "closure"); c.Exists() {
		return c.Truth()
	}
	opening := s.value(v, "opening")
	if joints, named := s.fields["joints"]; named {
		i := 0
		for e := range v.At(joints.Path).Elements() {
			if name, _ := e.Text(); name == s.Set["joint"] {
				opening = s.value(v, "positions").Index(i)
			}
			i++
		}
	}
	f, ok := number(opening)
	return ok && f < s.ClosedBelow && f >= s.EmptyBelow, ok
}

// label is the sound that a message says was heard: the one with the best score, where it
// surpasses the next by the margin.
func (s *source) label(v message.Value) (label string, ok bool) {
	if set := s.text(v, "label"); set != "" {
		score, given := number(s.value(v, "score"))
		if given && score < s.MinScore {
			return "", false
		}
		return s.name(set)
	}
	scores := s.value(v, "scores")
	best, next := -1.0, 0.0
	i := 0
	take := func(word string, score float64) {
		switch {
		case score > best:
			best, next, label = score, max(best, 0), word
		case score > next:
			next = score
		}
	}
	for word, score := range scores.Fields() {
		if f, isNumber := number(score); isNumber {
			take(word, f)
		}
	}
	for e := range s.value(v, "labels").Elements() {
		if f, isNumber := number(scores.Index(i)); isNumber {
			take(words(e), f)
		}
		i++
	}
	if best < s.MinScore || best-next < s.Margin || best < 0 {
		return "", false
	}
	return s.name(label)
}

// problem is one with a message of a channel.
func problem(m *recording.Message, found, expected string) recording.Problem {
	return recording.Problem{Topic: m.Channel.Topic, Place: m.Place, Found: found, Expected: expected}
}

// clip shortens what a message quotes.
func clip(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
