package mapping

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/mishap-robotics/mishap/bridge/internal/encode"
	"github.com/mishap-robotics/mishap/bridge/recording"
	"github.com/mishap-robotics/mishap/bridge/recording/message"
)

// Unrecognised is a topic of which Recognise does not know what it is.
type Unrecognised struct {
	Topic, Type, Encoding string
	// Fields are what its first messages say, as paths with values: where a mapping of it may
	// take what it needs.
	Fields []Field
}

// Field is what the first messages of a topic have at a path.
type Field struct {
	Path   string
	Values []string // those that differ, the first few, as JSON has them
}

// Annotations is what the topics begin with that mishap adds to copies of recordings: they are
// its own conclusions, and not recognised.
const Annotations = "/mishap/"

// look is how many messages of each topic are looked at.
const look = 20

// Recognise makes a mapping of what a recording has, by the types of its messages; topics
// whose types it does not know are left over. It reads the recording to its end.
func Recognise(r *recording.Reader) (*Mapping, []Unrecognised, error) {
	m := &Mapping{Version: 1}
	seen := map[string]int{}
	var others []Unrecognised
	frames := map[string]bool{}
	parents := map[string]bool{}
	var value message.Message
	at := map[string]int{}      // place of a topic in the mapping
	strange := map[string]int{} // the same among others
	encodings := map[string]string{}
	coloured := map[string]bool{} // topics with pictures that are none of depth
	note := func(c *recording.Channel) {
		if strings.HasPrefix(c.Topic, Annotations) {
			return
		}
		seen[c.Topic]++
		if seen[c.Topic] > 1 {
			return
		}
		p, known := presetOf(c.Type, c.Encoding)
		if !known {
			strange[c.Topic] = len(others)
			others = append(others, Unrecognised{Topic: c.Topic, Type: c.Type, Encoding: c.Encoding})
			return
		}
		at[c.Topic], encodings[c.Topic] = len(m.Topics), c.Encoding
		m.Topics = append(m.Topics, Topic{Topic: c.Topic, As: p.as, Type: c.Type})
	}
	for {
		msg, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		note(msg.Channel)
		if i, ok := strange[msg.Channel.Topic]; ok && seen[msg.Channel.Topic] <= look && msg.Channel.Decode(&value, msg.Data) == nil {
			others[i].show("", value.Root(), 0)
		}
		i, known := at[msg.Channel.Topic]
		if !known || seen[msg.Channel.Topic] > look {
			continue
		}
		if msg.Channel.Decode(&value, msg.Data) == nil {
			if m.Topics[i].As == Depth && !isDepth(value.Root(), msg.Channel.Topic) {
				coloured[msg.Channel.Topic] = true
			}
			m.learn(i, msg.Channel.Encoding, value.Root(), frames, parents)
		}
	}
	lifted := slices.ContainsFunc(m.Topics, func(t Topic) bool { return strings.HasSuffix(plainType(t.Type), "/Detection2DArray") })
	m.Topics = slices.DeleteFunc(m.Topics, func(t Topic) bool {
		idle := (t.As == Depth || t.As == Intrinsics) && (!lifted || coloured[t.Topic])
		if idle {
			others = append(others, Unrecognised{Topic: t.Topic, Type: t.Type, Encoding: encodings[t.Topic]})
		}
		return idle
	})
	m.choose(frames, parents)
	slices.SortFunc(m.Topics, func(a, b Topic) int { return strings.Compare(a.Topic, b.Topic) })
	slices.SortFunc(others, func(a, b Unrecognised) int { return strings.Compare(a.Topic, b.Topic) })
	return m, others, nil
}

// isDepth reports whether an image is one of depth.
func isDepth(root message.Value, topic string) bool {
	encoding, _ := root.Field("encoding").Text()
	format, _ := root.Field("format").Text()
	switch encoding {
	case "16UC1", "32FC1":
		return true
	case "mono16":
		return strings.Contains(topic, "depth")
	}
	return strings.Contains(format, "compressedDepth") || format == "png" && strings.Contains(topic, "depth")
}

// What is shown of a topic that is not recognised.
const (
	mostFields = 12
	mostValues = 4
	mostDeep   = 4
	mostLetter = 40 // of a text
)

// show takes in what a message says. Stamps and long arrays say nothing to a mapping.
func (u *Unrecognised) show(path string, v message.Value, deep int) {
	switch v.Kind() {
	case message.Object:
		for name, f := range v.Fields() {
			at := strings.TrimPrefix(path+"."+name, ".")
			if _, err := message.ParsePath(at); err == nil && deep < mostDeep && name != "stamp" {
				u.show(at, f, deep+1)
			}
		}
	case message.Array:
		if v.Len() > 0 && deep < mostDeep {
			u.show(path+"[0]", v.Index(0), deep+1)
		}
	case message.Text, message.Bool, message.Int, message.Uint, message.Float:
		text := v.String()
		if t, ok := v.Text(); ok && len([]rune(t)) > mostLetter {
			text = fmt.Sprintf("%q", string([]rune(t)[:mostLetter])+"…")
		}
		i := slices.IndexFunc(u.Fields, func(f Field) bool { return f.Path == path })
		if i < 0 {
			if len(u.Fields) == mostFields {
				return
			}
			i = len(u.Fields)
			u.Fields = append(u.Fields, Field{Path: path})
		}
		if f := &u.Fields[i]; len(f.Values) < mostValues && !slices.Contains(f.Values, text) {
			f.Values = append(f.Values, text)
		}
	}
}

// learn takes from a message what a mapping needs to know: the frames that there are.
func (m *Mapping) learn(i int, encoding string, root message.Value, frames, parents map[string]bool) {
	t := m.Topics[i].Complete(m.Topics[i].Type, encoding)
	if t.As != Transforms && t.As != Gripper {
		return
	}
	each, _ := message.ParsePath(t.Each)
	elements := []message.Value{root}
	if t.Each != "" {
		elements = slices.Collect(root.At(each).Elements())
	}
	for _, e := range elements {
		for role, to := range map[string]map[string]bool{"child": frames, "parent": parents} {
			if p, err := message.ParsePath(t.Fields[role]); err == nil && t.Fields[role] != "" {
				if name, ok := e.At(p).Text(); ok {
					to[strings.TrimPrefix(name, "/")] = true
				}
			}
		}
		if joints := e.Field("name"); t.Fields["joints"] != "" && m.Topics[i].Set == nil {
			for j := range joints.Elements() {
				if name, _ := j.Text(); strings.Contains(name, "finger") || strings.Contains(name, "gripper") {
					m.Topics[i].Set = map[string]string{"joint": name}
					break
				}
			}
		}
	}
	if t.As == Gripper && m.Topics[i].ClosedBelow == 0 {
		m.Topics[i].ClosedBelow, m.Topics[i].EmptyBelow = DefaultClosed, DefaultEmpty
	}
}

// Openings of a gripper, in metres, that a first mapping takes for closed and for empty.
const (
	DefaultClosed = 0.07
	DefaultEmpty  = 0.003
)

// choose takes the frames of a robot by the names that are usual in ROS (REP 103, 105): of
// cameras those that end in "optical_frame" before others with "optical" in their names.
func (m *Mapping) choose(frames, parents map[string]bool) {
	has := func(name string) bool { return frames[name] || parents[name] }
	for _, name := range []string{"map", "world", "odom", "base_link"} {
		if has(name) && m.Frame == "" {
			m.Frame = name
		}
	}
	all := make([]string, 0, len(frames))
	for f := range frames {
		all = append(all, f)
	}
	slices.Sort(all)
	for _, name := range all {
		switch {
		case strings.Contains(name, "optical"):
			if m.Camera == "" || strings.HasSuffix(name, "optical_frame") && !strings.HasSuffix(m.Camera, "optical_frame") {
				m.Camera = name
			}
		case m.Fingers == "" && (strings.Contains(name, "tool") || strings.Contains(name, "tcp") || strings.Contains(name, "grasp") || strings.Contains(name, "fingers")):
			m.Fingers = name
		}
	}
}

// Write writes a mapping as YAML, with what was not recognised as comments.
func (m *Mapping) Write(w io.Writer, others []Unrecognised) error {
	text, err := yaml.Marshal(m)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "# What the topics of recordings are; \"mishap schema mapping\" describes it.\n%s", text); err != nil {
		return err
	}
	var notes strings.Builder
	if m.Topics != nil && !m.tells(Actions) {
		notes.WriteString("# Nothing is recognised that tells of actions, and without actions nothing is judged. Of a topic that does, this is to be filled in:\n" +
			"# - topic: ...\n#   as: actions\n#   fields: {action: ..., target: ..., status: ...}\n#   names: {Grasp: pick_up}\n#   status: {\"1\": started, \"2\": succeeded, \"3\": failed}\n")
	}
	if len(others) > 0 {
		notes.WriteString("# Not recognised:\n")
	}
	for _, o := range others {
		fmt.Fprintf(&notes, "#   %s: %s (%s)\n", oneLine(o.Topic), oneLine(o.Type), oneLine(o.Encoding))
		for _, f := range o.Fields {
			fmt.Fprintf(&notes, "#     %s: %s\n", oneLine(f.Path), oneLine(strings.Join(f.Values, ", ")))
		}
	}
	_, err = io.WriteString(w, notes.String())
	return err
}

// tells reports whether a topic is of a kind.
func (m *Mapping) tells(as Kind) bool {
	return slices.ContainsFunc(m.Topics, func(t Topic) bool { return t.As == as })
}

// WriteFile is Write to a file; one that is there already is an error unless it is to be
// overwritten.
func (m *Mapping) WriteFile(path string, overwrite bool, others []Unrecognised) error {
	var text bytes.Buffer
	if err := m.Write(&text, others); err != nil {
		return err
	}
	return encode.File(path, overwrite, text.Bytes())
}

// oneLine is a text without ends of lines, which would end a comment.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
