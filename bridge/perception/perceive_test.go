package perception_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	rosbag "github.com/foxglove/go-rosbag"
	"github.com/foxglove/mcap/go/mcap"

	"github.com/mishap-robotics/mishap/bridge/perception"
	"github.com/mishap-robotics/mishap/bridge/perception/mapping"
	"github.com/mishap-robotics/mishap/bridge/recording"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

// said is a message of a recording, in JSON where it has no encoding of its own.
type said struct {
	at    float64 // seconds
	topic string
	kind  string // of the message
	text  string

	encoding, schemaEncoding, schema string
}

// recorded writes a recording of messages.
func recorded(t testing.TB, messages ...said) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := mcap.NewWriter(&out, &mcap.WriterOptions{Chunked: true, IncludeCRC: true})
	must(t, err)
	must(t, w.WriteHeader(&mcap.Header{}))
	ids := map[string]uint16{}
	for _, m := range messages {
		id, ok := ids[m.topic]
		if !ok {
			id = uint16(len(ids) + 1)
			ids[m.topic] = id
			if m.encoding == "" {
				m.encoding, m.schemaEncoding = "json", "jsonschema"
			}
			must(t, w.WriteSchema(&mcap.Schema{ID: id, Name: m.kind, Encoding: m.schemaEncoding, Data: []byte(m.schema)}))
			must(t, w.WriteChannel(&mcap.Channel{ID: id, SchemaID: id, Topic: m.topic, MessageEncoding: m.encoding}))
		}
		must(t, w.WriteMessage(&mcap.Message{ChannelID: id, LogTime: uint64(1e12 + m.at*1e9), Data: []byte(m.text)}))
	}
	must(t, w.Close())
	return out.Bytes()
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// perceive makes an episode of messages by a mapping, nil for what is recognised.
func perceive(t testing.TB, data []byte, by string) (*episode.Episode, error) {
	t.Helper()
	open := func() *recording.Reader {
		r, err := recording.NewReader("dir/run.mcap", bytes.NewReader(data))
		must(t, err)
		return r
	}
	m, _, err := mapping.Recognise(open())
	must(t, err)
	if by != "" {
		m, err = mapping.Parse("robot.yaml", []byte(by))
		must(t, err)
	}
	return perception.Read(ontology.Default(), "dir/run.mcap", open(), m)
}

// lines are the steps of an episode in words.
func lines(ep *episode.Episode) string {
	var out []string
	for i := range ep.Steps {
		st := &ep.Steps[i]
		out = append(out, strings.Join(strings.Fields(fmt.Sprintf("%d %s %s %s %s %s: %s", st.Index, st.Time, st.Action, st.Status, st.Result, strings.Join(st.Sounds, ", "), text(st.Observation))), " "))
	}
	return strings.Join(out, "\n")
}

// seenAt is a message with detections as vision_msgs has them, as JSON.
func seenAt(at float64, frame string, things ...string) said {
	return said{at: at, topic: "/seen", kind: "vision_msgs/msg/Detection3DArray", text: `{"header":{"frame_id":"` + frame + `"},"detections":[` + strings.Join(things, ",") + `]}`}
}

func detected(frame, class, id string, x, y, z, size float64) string {
	return fmt.Sprintf(`{"header":{"frame_id":%q},"id":%q,"results":[{"hypothesis":{"class_id":%q,"score":0.9}},{"hypothesis":{"class_id":"state:clean","score":0.8}}],"bbox":{"center":{"position":{"x":%v,"y":%v,"z":%v},"orientation":{"x":0,"y":0,"z":0,"w":1}},"size":{"x":%v,"y":%v,"z":%v}}}`, frame, id, class, x, y, z, size, size, size)
}

func transform(at float64, parent, child string, x, z float64) said {
	return said{at: at, topic: "/tf", kind: "tf2_msgs/msg/TFMessage", text: fmt.Sprintf(`{"transforms":[{"header":{"frame_id":%q},"child_frame_id":%q,"transform":{"translation":{"x":%v,"y":0,"z":%v},"rotation":{"x":0,"y":0,"z":0,"w":1}}}]}`, parent, child, x, z)}
}

func action(at float64, text, status string) said {
	return said{at: at, topic: "/act", kind: "mishap.Action", text: fmt.Sprintf(`{"action":%q,"status":%q}`, text, status)}
}

func TestPerceive(t *testing.T) {
	counter := detected("base", "counter top", "c", 0, 0, 0, 1)
	for _, tt := range []struct {
		name, mapping string
		messages      []said
		want          string
		warnings      string
	}{
		{"recognised", "", []said{
			transform(0, "map", "base", 5, 0), seenAt(0.1, "base", counter, detected("base", "mug", "7", 0, 0, 0.55, 0.1)),
			action(0.5, "(pick_up, Mug)", "RUNNING"),
			{at: 0.6, topic: "/sound", kind: "mishap.Sound", text: `{"labels":["something is picked up","mug drops"],"scores":[0.7,0.2]}`},
			seenAt(1, "base", counter), action(1.2, "(pick_up, Mug)", "SUCCESS"),
		}, "0 00:00 : CounterTop-1 clean; Mug-1 clean; Mug-1 on_top_of CounterTop-1\n1 00:01.2 (pick_up, Mug) succeeded something is picked up: CounterTop-1 clean", ""},
		{"moving robot", "", []said{ // the robot drives on, the counter stays
			transform(0, "map", "base", 0, 0), seenAt(0.1, "base", counter), action(0.2, "(navigate_to_obj, Fridge)", "started"),
			transform(0.3, "map", "base", 2, 0), seenAt(3, "base", detected("base", "counter top", "d", -2, 0, 0, 1)), action(3.1, "(navigate_to_obj, Fridge)", "done"),
		}, "0 00:00 : CounterTop-1 clean\n1 00:03.1 (navigate_to_obj, Fridge) : CounterTop-1 clean", ""},
		{"by a mapping", `mapping: 1
id: mine
plan: ["(pick_up, Mug)"]
fingers: hand
frame: map
only: task
topics:
- {topic: /seen, as: detections, names: {"39": mug, person: ""}}
- {topic: /tf, as: transforms}
- {topic: /joints, as: gripper, fields: {joints: name, positions: position}, set: {joint: finger}, closed_below: 0.05, empty_below: 0.01}
- topic: /tree
  as: actions
  each: nodes
  fields: {action: skill, target: on, status: state, id: uid}
  names: {Grasp: pick_up, Sequence: ""}
  status: {"2": started, "3": succeeded, "4": failed}
- topic: /rosout
  as: events
  fields: {text: msg}
  match:
  - {text: "grasp (lost|slipped)", status: failed, sound: mug drops}
`, []said{
			transform(0, "map", "hand", 0, 0.62), seenAt(0.1, "map", detected("map", "39", "7", 0, 0, 0.55, 0.1), detected("map", "person", "8", 3, 0, 0, 0.5), detected("map", "39", "9", 2, 0, 0.55, 0.1)),
			{at: 0.2, topic: "/joints", kind: "sensor_msgs/msg/JointState", text: `{"name":["arm","finger"],"position":[1,0.08]}`},
			{at: 1, topic: "/tree", kind: "x/Tree", text: `{"nodes":[{"skill":"Sequence","state":2},{"skill":"Grasp","on":"7","state":2,"uid":"a"}]}`},
			{at: 1.5, topic: "/joints", kind: "sensor_msgs/msg/JointState", text: `{"name":["arm","finger"],"position":[1,0.03]}`},
			seenAt(1.9, "map", detected("map", "39", "7", 0, 0, 0.55, 0.1)),
			{at: 1.95, topic: "/rosout", kind: "rcl_interfaces/msg/Log", text: `{"msg":"arm: grasp slipped!"}`},
			{at: 2, topic: "/tree", kind: "x/Tree", text: `{"nodes":[{"skill":"Grasp","on":"7","state":3,"uid":"a"}]}`},
		}, "0 00:00 : Mug-1 clean; Mug-2 clean\n1 00:02 (pick_up, Mug-1) failed grasp slipped mug drops: Mug-1 clean; Mug-1 inside RobotGripper-1", ""},
		{"an action that is not over", "", []said{seenAt(0, "", counter), action(1, "(open_obj, Fridge)", "started"), seenAt(2, "", counter)},
			"0 00:00 : CounterTop-1 clean\n1 00:02 (open_obj, Fridge) in_progress : CounterTop-1 clean", ""},
		{"what does not fit", `mapping: 1
frame: map
topics:
- {topic: /seen, as: events, type: foxglove.SceneUpdate}
- {topic: /seen, as: detections}
- {topic: /act, as: actions}
- {topic: /gone, as: sounds}
`, []said{
			seenAt(0, "base", detected("camera", "mug", "", 0, 0, 0, 1), detected("map", "", "", 0, 0, 0, 1), detected("map", "mug", "", 0, 0, 0, 1)),
			action(1, "(pick_up, Mug)", "odd"), {at: 2, topic: "/act", kind: "mishap.Action", text: "{"}, action(3, "(juggle, Mug)", "done"), seenAt(0.5, "map", detected("map", "mug", "", 0, 0, 0, 1)),
		}, "0 00:00 : Mug-1 clean\n1 00:03 (juggle, Mug) :", `/act: unknown action "(juggle, Mug)"; what it does is not judged
the mapping (robot.yaml:7) names the topic /gone, which the recording has not
/seen, byte 0: found messages of type "vision_msgs/msg/Detection3DArray"; expected "foxglove.SceneUpdate", as line 4 of robot.yaml says
/seen, byte *: found a detection without a class; expected class, position and size; "mapping" says where they stand
/seen, byte *: found a mug in the frame "camera", to which no transform leads; expected one from "map"
/act, byte *: found the status "odd" of an action; expected one of started, ended, succeeded, failed, aborted; "status" in the mapping says which it is
/seen, byte *: found a message that is 2.5 s older than one before it; expected messages in the order of their times, but for a second
/act, byte *: found no JSON (*); expected a message in JSON`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ep, err := perceive(t, recorded(t, tt.messages...), tt.mapping)
			must(t, err)
			if got := lines(ep); got != tt.want {
				t.Errorf("%s\nwant\n%s", got, tt.want)
			}
			var warnings []string
			for _, w := range ep.Warnings {
				warnings = append(warnings, w.Msg)
			}
			wanted := strings.Split(tt.warnings, "\n")
			if tt.warnings == "" {
				wanted = nil
			}
			if len(warnings) != len(wanted) {
				t.Fatalf("warnings\n%s\nwant\n%s", strings.Join(warnings, "\n"), tt.warnings)
			}
			for i, w := range wanted {
				before, after, _ := strings.Cut(w, "*")
				if !strings.HasPrefix(warnings[i], before) || !strings.HasSuffix(warnings[i], after[strings.LastIndex(after, "*")+1:]) {
					t.Errorf("warning %s\nwant %s", warnings[i], w)
				}
			}
		})
	}
}

// A line is told whenever the scene changes, where the mapping asks for that.
func TestKeyFrames(t *testing.T) {
	by := "mapping: 1\nkey_frames: %s\nframes: 2\nsettle: 0.3\ntopics:\n- {topic: /seen, as: detections}\n- {topic: /act, as: actions}\n"
	messages := []said{action(0, "(navigate_to_obj, Fridge)", "started")}
	for i := range 20 {
		x := 0.0
		if i >= 10 {
			x = 3
		}
		messages = append(messages, seenAt(0.1+0.1*float64(i), "", detected("", "counter top", "c", 0, 0, 0, 1), detected("", "mug", "7", x, 0, 0.55, 0.1)))
	}
	messages = append(messages, action(2.2, "(navigate_to_obj, Fridge)", "ended"))
	for kind, want := range map[string]string{
		"actions": "0 00:00 : 1 00:02.2 (navigate_to_obj, Fridge) : CounterTop-1 clean; Mug-1 clean",
		"changes": "0 00:00 : 1 00:00.4 (navigate_to_obj, Fridge) in_progress : CounterTop-1 clean; Mug-1 clean; Mug-1 on_top_of CounterTop-1 2 00:01.3 (navigate_to_obj, Fridge) in_progress : CounterTop-1 clean; Mug-1 clean 3 00:02.2 (navigate_to_obj, Fridge) : CounterTop-1 clean; Mug-1 clean",
	} {
		ep, err := perceive(t, recorded(t, messages...), fmt.Sprintf(by, kind))
		must(t, err)
		if got := strings.ReplaceAll(lines(ep), "\n", " "); got != want {
			t.Errorf("%s: %s\nwant %s", kind, got, want)
		}
	}
}

// An action that goes on where a recording breaks off is not over, and so not judged.
func TestEndIsLost(t *testing.T) {
	data := recorded(t, seenAt(0, "", detected("", "mug", "7", 0, 0, 0.55, 0.1)), action(1, "(pick_up, Mug)", "started"))
	more := recorded(t, seenAt(0, "", detected("", "mug", "7", 0, 0, 0.55, 0.1)), action(1, "(pick_up, Mug)", "started"), action(2, "(pick_up, Mug)", "succeeded"))
	for _, tt := range []struct {
		data  []byte
		going bool
	}{{data, false}, {more[:bytes.LastIndex(more, []byte("succeeded"))], true}} {
		ep, err := perceive(t, tt.data, "")
		must(t, err)
		last := &ep.Steps[len(ep.Steps)-1]
		if last.Status != episode.StatusInProgress || last.InProgress() != tt.going {
			t.Errorf("%+v; warnings %v; want it in progress for good: %v", last, ep.Warnings, tt.going)
		}
	}
}

// Detections in CDR, as Foxglove's library writes them.
func TestPerceiveCDR(t *testing.T) {
	data, err := os.ReadFile("../recording/cdr/testdata/messages.json")
	must(t, err)
	var fixtures []struct{ Name, Type, Definition, Hex string }
	must(t, json.Unmarshal(data, &fixtures))
	raw, err := hex.DecodeString(fixtures[0].Hex)
	must(t, err)
	m := said{topic: "/seen", kind: fixtures[0].Type, text: string(raw), encoding: "cdr", schemaEncoding: "ros2msg", schema: fixtures[0].Definition}
	ep, err := perceive(t, recorded(t, transform(0, "map", "camera", 0, 0), m), "")
	must(t, err)
	if got, want := lines(ep), "0 00:00 : Mug-1"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// A bag of ROS 1: its detections have numbers for classes, which the mapping names.
func TestPerceiveBagOfROS1(t *testing.T) {
	data, err := os.ReadFile("../recording/cdr/testdata/messages_ros1.json")
	must(t, err)
	var fixtures []struct{ Name, Type, Definition, Hex string }
	must(t, json.Unmarshal(data, &fixtures))
	var bag bytes.Buffer
	w, err := rosbag.NewWriter(&bag)
	must(t, err)
	for i, name := range []string{"detections", "a log message"} {
		at := slices.IndexFunc(fixtures, func(f struct{ Name, Type, Definition, Hex string }) bool { return f.Name == name })
		topic := []string{"/seen", "/rosout"}[i]
		must(t, w.WriteConnection(&rosbag.Connection{Conn: uint32(i), Topic: topic, Data: rosbag.ConnectionHeader{Topic: topic, Type: fixtures[at].Type, MessageDefinition: []byte(fixtures[at].Definition)}}))
		raw, err := hex.DecodeString(fixtures[at].Hex)
		must(t, err)
		must(t, w.WriteMessage(&rosbag.Message{Conn: uint32(i), Time: 1e9, Data: raw}))
	}
	must(t, w.Close())
	ep, err := perceive(t, bag.Bytes(), `mapping: 1
frame: map
topics:
- topic: /seen
  as: detections
  names: {"47": Mug, "60": CounterTop, "99": Cup}
- topic: /rosout
  as: actions
  fields: {action: msg}
  set: {status: failed}
  names: {grasp lost: "(pick_up, Mug)"}
`)
	must(t, err)
	const scene = "CounterTop-1; Mug-1; Mug-1 on_top_of CounterTop-1"
	if got, want := lines(ep), "0 00:00 : "+scene+"\n1 00:00 (pick_up, Mug) failed : "+scene; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if len(ep.Warnings) > 0 {
		t.Errorf("warnings: %v", ep.Warnings)
	}
}

func TestNothingToPerceive(t *testing.T) {
	_, err := perceive(t, recorded(t, said{topic: "/camera", kind: "sensor_msgs/msg/Image", text: "{}"}), "")
	want := `dir/run.mcap: found nothing that a scene could be read off; expected detections or actions; it has the topics /camera, "mishap mapping init" tells what they may be`
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
}

const noActions = "nothing in the recording tells that an action began or ended"

// odd is what was odd in a recording, but for that it has no actions.
func odd(ep *episode.Episode) (out []string) {
	for _, w := range ep.Warnings {
		if !strings.HasPrefix(w.Msg, noActions) {
			out = append(out, w.Msg)
		}
	}
	return out
}

// That nothing is judged for want of actions is told, not passed over.
func TestNoActions(t *testing.T) {
	scene := seenAt(0.1, "map", detected("map", "mug", "7", 0, 0, 0, 0.1))
	for name, tt := range map[string]struct {
		messages []said
		by       string
		told     bool
	}{
		"none":        {[]said{transform(0, "map", "base", 0, 0), scene}, "", true},
		"one":         {[]said{transform(0, "map", "base", 0, 0), scene, action(0.2, "(pick_up, Mug)", "started"), action(0.3, "(pick_up, Mug)", "done")}, "", false},
		"none wanted": {[]said{transform(0, "map", "base", 0, 0), scene}, "mapping: 1\nkey_frames: changes\ntopics:\n- {topic: /tf, as: transforms}\n- {topic: /seen, as: detections}\n", false},
	} {
		ep, err := perceive(t, recorded(t, tt.messages...), tt.by)
		must(t, err)
		if told := len(ep.Warnings) == 1 && strings.HasPrefix(ep.Warnings[0].Msg, noActions); told != tt.told || !told && len(ep.Warnings) > 0 {
			t.Errorf("%s: warnings %v", name, ep.Warnings)
		}
	}
}

// An action that is named alone, and not what it is done to, is told to lack that.
func TestActionWithoutTarget(t *testing.T) {
	ep, err := perceive(t, recorded(t, seenAt(0.1, "map", detected("map", "mug", "7", 0, 0, 0, 0.1)), action(0.2, "pick_up", "started"), action(0.3, "pick_up", "done")), "")
	must(t, err)
	const want = `/act: action "(pick_up)" has 0 arguments; pick_up takes 1; what it does is not judged`
	if got := odd(ep); len(got) == 0 || got[0] != want {
		t.Errorf("told %q, want %q", got, want)
	}
}

// A field of the mapping that no message has is told with the line of the mapping.
func TestFieldsThatAreNotThere(t *testing.T) {
	data := recorded(t, seenAt(0.1, "map", detected("map", "mug", "7", 0, 0, 0, 0.1)),
		said{at: 0.2, topic: "/skill", kind: "acme/Skill", text: `{"name":"Wait","state":1}`}, said{at: 0.3, topic: "/skill", kind: "acme/Skill", text: `{"name":"Wait","state":2}`})
	by := "mapping: 1\nframe: map\ntopics:\n- {topic: /seen, as: detections}\n- topic: /skill\n  as: actions\n  fields: {action: %s, target: of, status: state}\n  names: {Wait: observe}\n  status: {\"1\": started, \"2\": succeeded}\n"
	for field, want := range map[string]string{
		"skill": "the mapping (robot.yaml:5) takes the action from skill, which no message of /skill has",
		"name":  "", // JSON may leave out the target
	} {
		ep, err := perceive(t, data, fmt.Sprintf(by, field))
		must(t, err)
		if got := strings.Join(odd(ep), "\n"); got != want {
			t.Errorf("%s: told %q, want %q", field, got, want)
		}
	}
}

// A first mapping shows what the topics say that are not recognised, and that actions are wanted.
func TestFirstMapping(t *testing.T) {
	skill := func(at float64, name, object string, state int) said {
		return said{at: at, topic: "/skill", kind: "acme/Skill", text: fmt.Sprintf(`{"header":{"stamp":{"sec":%v}},"name":%q,"object":{"label":%q},"state":%d,"forces":[{"x":0.5}],"note":"%050d"}`, at, name, object, state, 0)}
	}
	r, err := recording.NewReader("shop.mcap", bytes.NewReader(recorded(t, transform(0, "map", "arm_camera_optical", 0, 0), transform(0, "map", "head_optical_frame", 0, 0),
		seenAt(0.1, "map"), skill(0.2, "Grasp", "mug", 1), skill(0.3, "Grasp", "mug", 2), skill(0.4, "Place", "mug", 1))))
	must(t, err)
	m, others, err := mapping.Recognise(r)
	must(t, err)
	var out bytes.Buffer
	must(t, m.Write(&out, others))
	const want = `# What the topics of recordings are; "mishap schema mapping" describes it.
mapping: 1
frame: map
camera: head_optical_frame
topics:
- topic: /seen
  as: detections
  type: vision_msgs/msg/Detection3DArray
- topic: /tf
  as: transforms
  type: tf2_msgs/msg/TFMessage
# Nothing is recognised that tells of actions, and without actions nothing is judged. Of a topic that does, this is to be filled in:
# - topic: ...
#   as: actions
#   fields: {action: ..., target: ..., status: ...}
#   names: {Grasp: pick_up}
#   status: {"1": started, "2": succeeded, "3": failed}
# Not recognised:
#   /skill: acme/Skill (json)
#     name: "Grasp", "Place"
#     object.label: "mug"
#     state: 1, 2
#     forces[0].x: 0.5
#     note: "0000000000000000000000000000000000000000…"
`
	if out.String() != want {
		t.Errorf("wrote\n%s\nwant\n%s", &out, want)
	}
}

func FuzzPerceive(f *testing.F) {
	f.Add(recorded(f, transform(0, "map", "base", 0, 0), seenAt(0, "map", detected("map", "mug", "7", 0, 0, 0, 1)), action(1, "(pick_up, Mug)", "done")))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := recording.NewReader("a.mcap", bytes.NewReader(data))
		if err != nil {
			return
		}
		m, _, err := mapping.Recognise(r)
		if err != nil {
			return
		}
		if r, err = recording.NewReader("a.mcap", bytes.NewReader(data)); err != nil {
			return
		}
		_, _ = perception.Read(ontology.Default(), "a.mcap", r, m)
	})
}
