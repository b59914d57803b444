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
	"github.com/mishap-robotics/mishap/bridge/recording/foxglove"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

// Noise is how detections err.
type Noise struct {
	Sigma   float64 // standard deviation of each coordinate of a centre and of a size, in metres
	Missed  float64 // probability that something is not detected in a frame
	False   float64 // expected number of things detected in a frame that are not there
	Swapped float64 // probability that in a frame two things have each other's track
	Points  int     // of the cloud that is seen of each thing in place of its box; 0 for boxes
}

// String is a noise as ParseNoise reads it.
func (n Noise) String() string {
	var parts []string
	for _, k := range []struct {
		name string
		of   float64
	}{{"sigma", n.Sigma}, {"missed", n.Missed}, {"false", n.False}, {"swapped", n.Swapped}} {
		if k.of != 0 {
			parts = append(parts, k.name+"="+strconv.FormatFloat(k.of, 'g', 4, 64))
		}
	}
	if n.Points > 0 {
		parts = append(parts, "points="+strconv.Itoa(n.Points))
	}
	return strings.Join(parts, ",")
}

// MaxSigma is the largest standard deviation that is taken, in metres.
const MaxSigma = 1.0

// maxPoints is the largest cloud.
const maxPoints = 10_000

// ParseNoise reads "sigma=0.01,missed=0.02,false=0.1,swapped=0.05,points=200"; "" is none.
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
		if name == "points" {
			points, err := strconv.Atoi(value)
			if err != nil || points < 0 || points > maxPoints {
				return n, fmt.Errorf("%q; expected a whole number from 0 to %d", part, maxPoints)
			}
			n.Points = points
			continue
		}
		k, ok := kinds[name]
		if !ok {
			return n, fmt.Errorf("%q; expected such as sigma=0.01,missed=0.02,false=0.1,swapped=0.05,points=200", part)
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
	cloudTopic     = "/clouds"
	transformTopic = "/tf"
	gripperTopic   = "/gripper"
	actionTopic    = "/actions"
	soundTopic     = "/sounds"
	episodeTopic   = "/episode"
)

var topics = []struct{ topic, messages string }{
	{sceneTopic, foxglove.SceneUpdateType}, {transformTopic, "foxglove.FrameTransforms"}, {gripperTopic, "mishap.Gripper"},
	{cloudTopic, "mishap.Clouds"},
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
		if t.topic == cloudTopic && r.noise.Points == 0 || t.topic == sceneTopic && r.noise.Points > 0 {
			continue
		}
		id := uint16(i + 1)
		r.channels[t.topic] = id
		schema := &mcap.Schema{ID: id, Name: t.messages, Encoding: "jsonschema", Data: foxglove.Schema(t.messages)}
		if schema.Data == nil {
			schema.Data = []byte(`{"type":"object"}`)
		}
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

// moment is a time of the recording in nanoseconds.
func moment(at float64) uint64 { return epoch + uint64(at*1e9) }

func (r *recorder) write(topic string, at float64, message any) error {
	data, err := json.Marshal(message)
	if err != nil {
		return err
	}
	return r.writeJSON(topic, at, data)
}

func (r *recorder) writeJSON(topic string, at float64, data []byte) error {
	r.sequence++
	t := moment(at)
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
		at := from + 0.1*float64(i+1) - 0.05
		scene := foxglove.SceneUpdate{Deletions: []foxglove.Deletion{}, Entities: r.frame(things, moment(at))}
		if err := r.show(scene, at); err != nil {
			return err
		}
	}
	return nil
}

// The camera is level and looks along the second axis.
var cameraTurn, _ = geometry.Rotation(-1, 0, 0, 1)

func transform(parent, child string, at r3.Vec, turn r3.Rotation) any {
	return map[string]any{"parent_frame_id": parent, "child_frame_id": child, "translation": foxglove.Vector(at), "rotation": foxglove.Quaternion{X: turn.Imag, Y: turn.Jmag, Z: turn.Kmag, W: turn.Real}}
}

// frame is what one frame shows of the things: those that are not missed, each a little off,
// and things that are not there.
func (r *recorder) frame(things []thing, at uint64) []foxglove.Entity {
	out := []foxglove.Entity{}
	off := func() r3.Vec {
		return r3.Scale(r.noise.Sigma, r3.Vec{X: r.rng.NormFloat64(), Y: r.rng.NormFloat64(), Z: r.rng.NormFloat64()})
	}
	for _, t := range things {
		if r.rng.Float64() < r.noise.Missed {
			continue
		}
		size := r3.Add(t.size, off())
		size = r3.Vec{X: max(size.X, 0.01), Y: max(size.Y, 0.01), Z: max(size.Z, 0.01)}
		out = append(out, newEntity(at, t.name, t.class, t.states, r3.Add(t.centre, off()), size))
	}
	for n := r.noise.False; n > 0 && len(r.classes) > 0; n-- {
		if r.rng.Float64() < min(n, 1) {
			where := r3.Vec{X: 10 * r.rng.Float64(), Y: r.rng.Float64(), Z: 0.5 + r.rng.Float64()}
			out = append(out, newEntity(at, "false", r.classes[r.rng.IntN(len(r.classes))], nil, where, r3.Vec{X: 0.1, Y: 0.1, Z: 0.1}))
		}
	}
	if len(out) > 1 && r.rng.Float64() < r.noise.Swapped {
		i, j := r.rng.IntN(len(out)), r.rng.IntN(len(out))
		out[i].ID, out[j].ID = out[j].ID, out[i].ID
	}
	return out
}

func newEntity(at uint64, id, class string, states []string, centre, size r3.Vec) foxglove.Entity {
	e := foxglove.NewEntity(at, "map", id)
	e.Lifetime.Nsec = 5e8
	e.Metadata = append(e.Metadata, foxglove.KeyValue{Key: "class", Value: class}, foxglove.KeyValue{Key: "score", Value: "0.9"})
	for _, s := range states {
		e.Metadata = append(e.Metadata, foxglove.KeyValue{Key: "state." + s, Value: "0.9"})
	}
	e.Cubes = append(e.Cubes, foxglove.Cube{
		Pose: foxglove.Pose{Position: foxglove.Vector(centre), Orientation: foxglove.Quaternion{W: 1}}, Size: foxglove.Vector(size),
		Color: foxglove.Color{R: 0.4, G: 0.6, B: 0.9, A: 0.5},
	})
	return e
}
