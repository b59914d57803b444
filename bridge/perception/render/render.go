// Package render writes the recording that a robot would have made of an episode: things
// laid out in space as the scene graphs tell, detected by sensors that err as they are told
// to, with transforms, the gripper, actions and sounds. What is perceived of it can be compared
// with the episode.
package render

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/foxglove/mcap/go/mcap"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/mishap-robotics/mishap/bridge/logs/jsonl"
	"github.com/mishap-robotics/mishap/bridge/perception/geometry"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// Noise is how detections err.
type Noise struct {
	Sigma   float64 // standard deviation of each coordinate of a centre and of a size, in metres
	Missed  float64 // probability that something is not detected in a frame
	False   float64 // expected number of things detected in a frame that are not there
	Swapped float64 // probability that in a frame two things have each other's track
}

// MaxSigma is the largest standard deviation that is taken, in metres.
const MaxSigma = 1.0

// ParseNoise reads "sigma=0.01,missed=0.02,false=0.1,swapped=0.05"; "" is none.
func ParseNoise(text string) (Noise, error) {
	var n Noise
	kinds := map[string]struct {
		to   *float64
		most float64
	}{"sigma": {&n.Sigma, MaxSigma}, "missed": {&n.Missed, 1}, "false": {&n.False, 100}, "swapped": {&n.Swapped, 1}}
	if text == "" {
		return n, nil
	}
	for _, part := range strings.Split(text, ",") {
		name, value, _ := strings.Cut(part, "=")
		k, ok := kinds[name]
		if !ok {
			return n, fmt.Errorf("%q; expected such as sigma=0.01,missed=0.02,false=0.1,swapped=0.05", part)
		}
		f, err := strconv.ParseFloat(value, 64)
		if err != nil || !(f >= 0 && f <= k.most) {
			return n, fmt.Errorf("%q; expected a number from 0 to %v", part, k.most)
		}
		*k.to = f
	}
	return n, nil
}

// Frames are how many there are of the scene after an action, a tenth of a second apart.
const Frames = 7

// perStep is how long an action takes where an episode does not say, in seconds.
const perStep = 4

// The topics of a recording, with the types of their messages.
const (
	sceneTopic     = "/scene"
	transformTopic = "/tf"
	gripperTopic   = "/gripper"
	actionTopic    = "/actions"
	soundTopic     = "/sounds"
	episodeTopic   = "/episode"
)

var topics = []struct{ topic, messages string }{
	{sceneTopic, "foxglove.SceneUpdate"}, {transformTopic, "foxglove.FrameTransforms"}, {gripperTopic, "mishap.Gripper"},
	{actionTopic, "mishap.Action"}, {soundTopic, "mishap.Sound"}, {episodeTopic, "mishap.Episode"},
}

// Write writes the recording of an episode as MCAP with messages in JSON. The seed chooses what
// is left to chance.
func Write(w io.Writer, o *ontology.Ontology, ep *episode.Episode, n Noise, seed uint64) error {
	out, err := mcap.NewWriter(w, &mcap.WriterOptions{Chunked: true, ChunkSize: 1 << 20, Compression: mcap.CompressionZSTD, IncludeCRC: true})
	if err != nil {
		return err
	}
	r := &recorder{onto: o, out: out, noise: n, rng: rand.New(rand.NewPCG(seed, 24)), channels: map[string]uint16{}, layout: newLayout(o, ep)}
	if err := r.begin(); err != nil {
		return err
	}
	if err := r.episode(ep); err != nil {
		return err
	}
	return out.Close()
}

type recorder struct {
	onto     *ontology.Ontology
	out      *mcap.Writer
	noise    Noise
	rng      *rand.Rand
	channels map[string]uint16
	sequence uint32
	layout   *layout
	classes  []string // of things that may be detected wrongly
}

func (r *recorder) begin() error {
	if err := r.out.WriteHeader(&mcap.Header{Library: "mishap"}); err != nil {
		return err
	}
	for i, t := range topics {
		id := uint16(i + 1)
		r.channels[t.topic] = id
		schema := &mcap.Schema{ID: id, Name: t.messages, Encoding: "jsonschema", Data: []byte(`{"type":"object"}`)}
		if err := r.out.WriteSchema(schema); err != nil {
			return err
		}
		if err := r.out.WriteChannel(&mcap.Channel{ID: id, SchemaID: id, Topic: t.topic, MessageEncoding: "json"}); err != nil {
			return err
		}
	}
	return nil
}

// epoch is when recordings begin, in nanoseconds.
const epoch = uint64(1_700_000_000) * 1e9

func (r *recorder) write(topic string, at float64, message any) error {
	data, err := json.Marshal(message)
	if err != nil {
		return err
	}
	return r.writeJSON(topic, at, data)
}

func (r *recorder) writeJSON(topic string, at float64, data []byte) error {
	r.sequence++
	t := epoch + uint64(at*1e9)
	return r.out.WriteMessage(&mcap.Message{ChannelID: r.channels[topic], Sequence: r.sequence, LogTime: t, PublishTime: t, Data: data})
}

func (r *recorder) episode(ep *episode.Episode) error {
	header, err := jsonl.AppendHeader(nil, ep)
	if err != nil {
		return err
	}
	if err := r.writeJSON(episodeTopic, 0, header); err != nil {
		return err
	}
	for _, c := range r.onto.Subclasses(r.onto.Core.PhysicalObject) {
		if r.onto.HasProperty(c, r.onto.Roles.Movable) {
			r.classes = append(r.classes, r.onto.Name(c))
		}
	}
	before := 0.0
	for i := range ep.Steps {
		st := &ep.Steps[i]
		at, ok := episode.Seconds(st.Time)
		if !ok || at <= before && i > 0 {
			at = before + perStep
		}
		if i == 0 {
			at = 1 // the first scene is seen in the first second
		}
		if err := r.step(st, before, at); err != nil {
			return err
		}
		before = at
	}
	return nil
}

type actionMessage struct {
	Action string `json:"action"`
	Status string `json:"status"`
	ID     string `json:"id,omitempty"`
	Agent  string `json:"agent,omitempty"`
}

func (r *recorder) step(st *episode.Step, before, at float64) error {
	a := actionMessage{Action: st.Action.String(), Status: "started", ID: st.ID, Agent: st.Agent}
	if st.Action.Name != "" {
		if err := r.write(actionTopic, before+0.02, a); err != nil {
			return err
		}
	}
	for _, s := range st.Sounds {
		if err := r.write(soundTopic, before+0.5*(at-before), map[string]any{"labels": []string{s}, "scores": []float64{0.9}}); err != nil {
			return err
		}
	}
	if !st.Observation.Missing {
		if err := r.look(&st.Observation, at-0.1*(Frames+1)); err != nil {
			return err
		}
	}
	if st.Action.Name == "" {
		return nil
	}
	a.Status = "ended"
	if st.Status != "" {
		a.Status = string(st.Status)
	}
	return r.write(actionTopic, at, a)
}

// look writes what the sensors tell of a scene, from a time on.
func (r *recorder) look(obs *episode.Observation, from float64) error {
	things, fingers := r.layout.place(obs)
	opening := 0.08
	at := r3.Vec{X: -5, Y: -5, Z: 1.5}
	if fingers != nil {
		opening, at = 0.04, *fingers
	}
	if err := r.write(gripperTopic, from, map[string]any{"opening": opening}); err != nil {
		return err
	}
	camera := r3.Vec{X: r.layout.width / 2, Y: -40, Z: 1}
	for _, e := range obs.Edges {
		if i := slices.IndexFunc(things, func(t thing) bool { return t.name == e.Object }); e.Relation == r.layout.occludes && i >= 0 {
			camera.X = things[i].centre.X // the robot stands before what it wants to see
		}
	}
	if err := r.write(transformTopic, from, map[string]any{"transforms": []any{
		transform("map", "camera_optical_frame", camera, cameraTurn), transform("map", "tool_frame", at, geometry.Identity.Orientation),
	}}); err != nil {
		return err
	}
	for i := range Frames {
		if err := r.write(sceneTopic, from+0.1*float64(i+1)-0.05, map[string]any{"entities": r.frame(things)}); err != nil {
			return err
		}
	}
	return nil
}

// The camera is level and looks along the second axis.
var cameraTurn, _ = geometry.Rotation(-1, 0, 0, 1)

type vector struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	Z float64 `json:"z"`
}

type quaternion struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	Z float64 `json:"z"`
	W float64 `json:"w"`
}

func transform(parent, child string, at r3.Vec, turn r3.Rotation) any {
	return map[string]any{"parent_frame_id": parent, "child_frame_id": child, "translation": vector(at), "rotation": quaternion{turn.Imag, turn.Jmag, turn.Kmag, turn.Real}}
}

type entity struct {
	ID       string     `json:"id"`
	Frame    string     `json:"frame_id"`
	Metadata []keyValue `json:"metadata"`
	Cubes    []cube     `json:"cubes"`
}

type keyValue struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

type cube struct {
	Pose struct {
		Position    vector     `json:"position"`
		Orientation quaternion `json:"orientation"`
	} `json:"pose"`
	Size  vector `json:"size"`
	Color struct {
		R float64 `json:"r"`
		G float64 `json:"g"`
		B float64 `json:"b"`
		A float64 `json:"a"`
	} `json:"color"`
}

// frame is what one frame shows of the things: those that are not missed, each a little off,
// and things that are not there.
func (r *recorder) frame(things []thing) []entity {
	out := []entity{}
	off := func() r3.Vec {
		return r3.Scale(r.noise.Sigma, r3.Vec{X: r.rng.NormFloat64(), Y: r.rng.NormFloat64(), Z: r.rng.NormFloat64()})
	}
	for _, t := range things {
		if r.rng.Float64() < r.noise.Missed {
			continue
		}
		size := r3.Add(t.size, off())
		size = r3.Vec{X: max(size.X, 0.01), Y: max(size.Y, 0.01), Z: max(size.Z, 0.01)}
		out = append(out, newEntity(t.name, t.class, t.states, r3.Add(t.centre, off()), size))
	}
	for n := r.noise.False; n > 0 && len(r.classes) > 0; n-- {
		if r.rng.Float64() < min(n, 1) {
			at := r3.Vec{X: 10 * r.rng.Float64(), Y: r.rng.Float64(), Z: 0.5 + r.rng.Float64()}
			out = append(out, newEntity("false", r.classes[r.rng.IntN(len(r.classes))], nil, at, r3.Vec{X: 0.1, Y: 0.1, Z: 0.1}))
		}
	}
	if len(out) > 1 && r.rng.Float64() < r.noise.Swapped {
		i, j := r.rng.IntN(len(out)), r.rng.IntN(len(out))
		out[i].ID, out[j].ID = out[j].ID, out[i].ID
	}
	return out
}

func newEntity(id, class string, states []string, at, size r3.Vec) entity {
	e := entity{ID: id, Frame: "map", Metadata: []keyValue{{"class", class}, {"score", "0.9"}}}
	for _, s := range states {
		e.Metadata = append(e.Metadata, keyValue{"state." + s, "0.9"})
	}
	var c cube
	c.Pose.Position, c.Pose.Orientation.W, c.Size = vector(at), 1, vector(size)
	c.Color.R, c.Color.G, c.Color.B, c.Color.A = 0.4, 0.6, 0.9, 0.5
	e.Cubes = []cube{c}
	return e
}

// thing is something as it stands in space.
type thing struct {
	name, class  string
	states       []string
	centre, size r3.Vec
}

// layout is where things stand, so that the relations of the scene graphs of an episode hold.
// What is in or on something has a place of its own there throughout.
type layout struct {
	onto     *ontology.Ontology
	children map[string][]string // of each place, over the whole episode, in the order in which they come
	hidden   map[string][]string // what each thing occludes at some time
	behind   map[string]bool     // fixtures that hang behind what occludes them
	sizes    map[string]r3.Vec
	roots    map[string]r3.Vec // lowest corners of what stands nowhere
	width    float64           // of the row of those
	robot    string
	gripper  string
	inside   string
	onTop    string
	occludes string
	near     string
	floor    string
}

const (
	gap   = 0.1  // between things in or on one place, in metres
	apart = 0.6  // between what stands beside one another on the ground
	leaf  = 0.08 // edge of what nothing is in or on
	// height over the floor at which things stand; below it is nothing near to them
	height = 0.5
)

func newLayout(o *ontology.Ontology, ep *episode.Episode) *layout {
	l := &layout{onto: o, children: map[string][]string{}, hidden: map[string][]string{}, behind: map[string]bool{}, sizes: map[string]r3.Vec{}, roots: map[string]r3.Vec{},
		robot: o.Instance(o.Core.Robot, 1), gripper: o.Instance(o.Core.RobotGripper, 1), inside: o.Name(o.Core.Inside), onTop: o.Name(o.Core.OnTopOf),
		occludes: o.Name(o.Core.Occluding), near: o.Name(o.Core.Near)}
	if o.Core.Floor != ontology.None {
		l.floor = o.Instance(o.Core.Floor, 1)
	}
	var order []string
	near := map[string]bool{}
	for i := range ep.Steps {
		obs := &ep.Steps[i].Observation
		for _, e := range obs.Edges {
			if l.isPlace(e.Relation) && e.Object != l.gripper && !slices.Contains(l.children[e.Object], e.Subject) {
				l.children[e.Object] = append(l.children[e.Object], e.Subject)
			}
			if e.Relation == l.occludes {
				l.hidden[e.Subject] = append(l.hidden[e.Subject], e.Object)
			}
			near[e.Object] = near[e.Object] || e.Relation == l.near && e.Subject == l.robot
		}
		for _, n := range obs.Nodes {
			if !slices.Contains(order, n.ID) {
				order = append(order, n.ID)
			}
		}
	}
	// What the robot stands near to at first stands side by side.
	slices.SortStableFunc(order, func(a, b string) int {
		switch {
		case near[a] == near[b]:
			return 0
		case near[a]:
			return -1
		}
		return 1
	})
	for _, n := range order {
		if n == l.floor {
			continue
		}
		size := l.size(n, 0)
		l.roots[n] = r3.Vec{X: l.width, Z: height}
		l.width += size.X + apart
	}
	l.hang(ep)
	if l.floor != "" { // it lies below everything, and reaches before it
		l.sizes[l.floor] = r3.Vec{X: l.width + 20, Y: 5, Z: 0.1}
		l.roots[l.floor] = r3.Vec{X: -10, Y: -4, Z: -0.1}
	}
	return l
}

// hang puts fixtures behind what stands on others and occludes them, as cabinets on a wall
// are behind what stands on a counter.
func (l *layout) hang(ep *episode.Episode) {
	for i := range ep.Steps {
		obs := &ep.Steps[i].Observation
		for _, e := range obs.Edges {
			if e.Relation != l.occludes || l.behind[e.Object] || slices.ContainsFunc(obs.Edges, func(f scene.Edge) bool { return f.Subject == e.Object && l.isPlace(f.Relation) }) {
				continue
			}
			for _, f := range obs.Edges {
				if f.Subject != e.Subject || f.Relation != l.onTop || f.Object == l.floor || f.Object == e.Object {
					continue
				}
				c, size := l.roots[f.Object], l.size(f.Object, 0)
				l.roots[e.Object] = r3.Vec{X: l.spot(e.Subject, [2]string{l.onTop, f.Object}, c).X, Y: c.Y + size.Y + 0.06, Z: c.Z + size.Z}
				l.behind[e.Object] = true
			}
		}
	}
}

func (l *layout) isPlace(relation string) bool { return relation == l.inside || relation == l.onTop }

// size is large enough for all that is ever in or on a thing.
func (l *layout) size(name string, depth int) r3.Vec {
	if s, ok := l.sizes[name]; ok {
		return s
	}
	s := r3.Vec{X: leaf, Y: leaf, Z: leaf}
	if depth > 6 {
		return s
	}
	if len(l.children[name]) > 0 {
		s.X = gap
		for _, c := range l.children[name] {
			t := l.size(c, depth+1)
			s.X += t.X + gap
			s.Y, s.Z = max(s.Y, t.Y), max(s.Z, t.Z)
		}
		s.Y, s.Z = s.Y+0.5, s.Z+0.06
	}
	for _, h := range l.hidden[name] {
		t := l.size(h, depth+1)
		s.X, s.Z = max(s.X, t.X), max(s.Z, t.Z)
		if slices.Contains(l.children[l.floor], name) {
			s.Z = max(s.Z, height+t.Z) // it reaches up from the floor
		}
	}
	l.sizes[name] = s
	return s
}

// place lays out the things of an observation, and tells where the fingers are that hold
// one, nil where they hold none.
func (l *layout) place(obs *episode.Observation) (things []thing, fingers *r3.Vec) {
	at := map[string]r3.Vec{} // lowest corners
	places := map[string][2]string{}
	before := map[string]string{} // what something occludes
	for _, e := range obs.Edges {
		switch {
		case l.isPlace(e.Relation):
			places[e.Subject] = [2]string{e.Relation, e.Object}
		case e.Relation == l.occludes:
			before[e.Subject] = e.Object
		}
	}
	var corner func(name string, depth int) r3.Vec
	corner = func(name string, depth int) r3.Vec {
		if c, ok := at[name]; ok || depth > 20 {
			return c
		}
		c := l.roots[name]
		size := l.size(name, 0)
		p, placed := places[name]
		switch hidden := before[name]; {
		case placed && p[1] == l.gripper:
			c = r3.Vec{X: -3, Y: -2, Z: 1.5}
		case placed:
			c = l.spot(name, p, corner(p[1], depth+1))
		case hidden != "": // before what it occludes
			c = corner(hidden, depth+1)
			c.Y -= size.Y + 0.15
		}
		if hidden := before[name]; placed && hidden != "" && hidden != p[1] && !l.behind[hidden] {
			c.X, c.Y = corner(hidden, depth+1).X, corner(hidden, depth+1).Y-size.Y-0.15
		}
		at[name] = c
		return c
	}
	robot := [2]float64{1e9, -1e9}
	for _, n := range obs.Nodes {
		c, size := corner(n.ID, 0), l.size(n.ID, 0)
		things = append(things, thing{n.ID, n.Class, n.States, r3.Add(c, r3.Scale(0.5, size)), size})
		if p := places[n.ID]; p[1] == l.gripper {
			fingers = &r3.Vec{X: c.X - 0.015, Y: c.Y + size.Y/2, Z: c.Z + size.Z/2}
		}
		if slices.ContainsFunc(obs.Edges, func(e scene.Edge) bool { return e.Relation == l.near && e.Subject == l.robot && e.Object == n.ID }) {
			robot = [2]float64{min(robot[0], c.X), max(robot[1], c.X+size.X)}
		}
	}
	if robot[0] < robot[1] {
		size := r3.Vec{X: robot[1] - robot[0], Y: 0.4, Z: 1}
		things = append(things, thing{l.robot, l.onto.Name(l.onto.Core.Robot), nil, r3.Vec{X: (robot[0] + robot[1]) / 2, Y: -0.26, Z: 0.5}, size})
	}
	return things, fingers
}

// spot is the lowest corner of something at its place.
func (l *layout) spot(name string, place [2]string, c r3.Vec) r3.Vec {
	size := l.size(place[1], 0)
	x := c.X + gap
	for _, other := range l.children[place[1]] {
		if other == name {
			break
		}
		x += l.size(other, 0).X + gap
	}
	own := l.size(name, 0)
	y, z := c.Y+(size.Y-own.Y)/2, c.Z+0.03
	if place[0] == l.onTop {
		z = c.Z + size.Z
	}
	return r3.Vec{X: x, Y: y, Z: z}
}
