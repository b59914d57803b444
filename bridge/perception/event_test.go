package perception_test

import (
	"fmt"
	"strings"
	"testing"
)

// executives are the ways in which robots tell what they do, each of the same: an action
// that begins and fails.
var executives = []struct {
	name, topic, kind, set, begun, over string
	snapshots                           bool
}{
	{"action status of ROS 2", "/pick/_action/status", "action_msgs/msg/GoalStatusArray", `action: "(pick_up, Mug)"`,
		`{"status_list":[{"goal_info":{"goal_id":{"uuid":"a1"}},"status":2}]}`, `{"status_list":[{"goal_info":{"goal_id":{"uuid":"a1"}},"status":6}]}`, true},
	{"action status of ROS 1", "/pick/status", "actionlib_msgs/GoalStatusArray", `action: "(pick_up, Mug)"`,
		`{"status_list":[{"goal_id":{"id":"a1"},"status":1}]}`, `{"status_list":[{"goal_id":{"id":"a1"},"status":4}]}`, true},
	{"BehaviorTree.CPP", "/behavior_tree_log", "behaviortree_ros/StatusChangeLog", `target: Mug`,
		`{"state_changes":[{"uid":3,"name":"pick_up","prev_status":{"value":0},"status":{"value":1}}]}`, `{"state_changes":[{"uid":3,"name":"pick_up","prev_status":{"value":1},"status":{"value":3}}]}`, false},
	{"Nav2", "/behavior_tree_log", "nav2_msgs/msg/BehaviorTreeLog", `target: Mug`,
		`{"event_log":[{"node_name":"pick_up","previous_status":"IDLE","current_status":"RUNNING"}]}`, `{"event_log":[{"node_name":"pick_up","previous_status":"RUNNING","current_status":"FAILURE"},{"node_name":"pick_up","previous_status":"FAILURE","current_status":"IDLE"}]}`, false},
	{"py_trees", "/tree/snapshots", "py_trees_ros_interfaces/msg/BehaviourTree", `target: Mug`,
		`{"behaviours":[{"name":"pick_up","status":2}]}`, `{"behaviours":[{"name":"pick_up","status":4}]}`, true},
	{"py_trees of ROS 1", "/tree", "py_trees_msgs/BehaviourTree", `target: Mug`,
		`{"behaviours":[{"name":"pick_up","status":2}]}`, `{"behaviours":[{"name":"pick_up","status":4}]}`, true},
	{"MoveIt of ROS 1", "/pickup/result", "moveit_msgs/PickupActionResult", `action: "(pick_up, Mug)"`,
		`{"status":{"goal_id":{"id":"a1"},"status":1}}`, `{"status":{"goal_id":{"id":"a1"},"status":4,"text":"no plan"},"result":{"error_code":{"val":-2}}}`, false},
	{"MoveIt of ROS 2", "/move_action/_action/get_result/_service_event", "moveit_msgs/action/MoveGroup_GetResult_Event", `action: "(pick_up, Mug)"`,
		`{"info":{"event_type":1,"sequence_number":9},"request":[{"goal_id":{"uuid":"a1"}}],"response":[]}`, `{"info":{"event_type":2,"sequence_number":9},"request":[],"response":[{"status":6,"result":{"error_code":{"val":-2}}}]}`, false},
	{"Nav2 by introspection", "/navigate_to_pose/_action/get_result/_service_event", "nav2_msgs/action/NavigateToPose_GetResult_Event", `action: "(pick_up, Mug)"`,
		`{"info":{"event_type":1,"sequence_number":9},"request":[{"goal_id":{"uuid":"a1"}}],"response":[]}`, `{"info":{"event_type":2,"sequence_number":9},"request":[],"response":[{"status":6,"result":{"error_code":207,"error_msg":""}}]}`, false},
	{"move_base", "/move_base/result", "move_base_msgs/MoveBaseActionResult", `action: "(pick_up, Mug)"`,
		`{"status":{"goal_id":{"id":"a1"},"status":1}}`, `{"status":{"goal_id":{"id":"a1"},"status":4,"text":"no plan"},"result":{}}`, false},
}

// What an executive tells again is told once, also long after.
func TestExecutives(t *testing.T) {
	results := map[string]string{"MoveIt of ROS 1": " -2", "MoveIt of ROS 2": " -2", "Nav2 by introspection": " 207", "move_base": " no plan"}
	for _, e := range executives {
		by := "mapping: 1\ntopics:\n- {topic: /seen, as: detections}\n- topic: " + e.topic + "\n  as: actions\n  set: {" + e.set + "}\n"
		say := func(at float64, text string) said { return said{at: at, topic: e.topic, kind: e.kind, text: text} }
		counter := detected("", "counter top", "c", 0, 0, 0, 1)
		messages := []said{seenAt(0, "", counter), say(1, e.begun), say(1.5, e.begun), seenAt(1.9, "", counter), say(2, e.over), seenAt(2.4, "", counter)}
		if e.snapshots {
			messages = append(messages, say(2.5, e.over), say(30, e.over))
		}
		ep, err := perceive(t, recorded(t, messages...), by)
		must(t, err)
		want := "0 00:00 : CounterTop-1 clean\n1 00:02 (pick_up, Mug) failed" + results[e.name] + " : CounterTop-1 clean"
		if got := lines(ep); got != want || len(ep.Warnings) > 0 {
			t.Errorf("%s: %s\n%v\nwant %s", e.name, got, ep.Warnings, want)
		}
	}
}

// What sensors and logs tell of are events of sensors, each once before a line.
func TestEvents(t *testing.T) {
	const by = `mapping: 1
topics:
- {topic: /seen, as: detections}
- {topic: /act, as: actions}
- topic: /rosout
  as: events
  match:
  - {text: "force of ([0-9.]+) N at (\\S+)", event: ForceSpike, object: "${2}", value: "${1}", unit: N}
  - {text: "limit (\\w+)", event: limit, value: "${1}"}
- topic: /diagnostics
  as: events
  match:
  - {text: "(?i)over-?temperature", event: overheating, status: failed}
- topic: /bumper
  as: events
  fields: {kind: what, object: of, value: n}
  names: {B1: bump}
`
	log := func(at float64, text string) said {
		return said{at: at, topic: "/rosout", kind: "rcl_interfaces/msg/Log", text: fmt.Sprintf(`{"level":30,"name":"arm","msg":%q}`, text)}
	}
	counter, mug := detected("", "counter top", "c", 0, 0, 0, 1), detected("", "mug", "7", 0, 0, 0.55, 0.1)
	ep, err := perceive(t, recorded(t, seenAt(0, "", counter, mug),
		said{at: 0.1, topic: "/bumper", kind: "x/Bumper", text: `{"what":"B1","n":2.5}`}, said{at: 0.2, topic: "/bumper", kind: "x/Bumper", text: `{"what":""}`},
		action(1, "(pick_up, Mug)", "started"), log(1.2, "force of 41.5 N at 7"), log(1.3, "force of 41.5 N at 7"), log(1.35, "limit soft"), log(1.36, "all is well"),
		said{at: 1.4, topic: "/diagnostics", kind: "diagnostic_msgs/msg/DiagnosticArray", text: `{"status":[{"level":0,"name":"arm","message":"OK"},{"level":2,"name":"arm","message":"Over-temperature","hardware_id":"joint4"}]}`},
		seenAt(1.9, "", counter), action(2, "(pick_up, Mug)", "ended")), by)
	must(t, err)
	var got []string
	for i := range ep.Steps {
		st := &ep.Steps[i]
		var events []string
		for _, e := range st.Events {
			events = append(events, fmt.Sprintf("%s @%s", e, e.Time))
		}
		got = append(got, fmt.Sprintf("%d %s %s: %s", st.Index, st.Status, st.Result, strings.Join(events, ", ")))
	}
	want := "0  : bump 2.5 @00:00.1\n1 failed joint4: ForceSpike Mug-1 41.5 N @00:01.2, limit @00:01.35, overheating @00:01.4"
	if strings.Join(got, "\n") != want {
		t.Errorf("%s\nwant %s", strings.Join(got, "\n"), want)
	}
	if len(ep.Warnings) != 1 || !strings.HasPrefix(ep.Warnings[0].Msg, "/rosout, byte ") || !strings.HasSuffix(ep.Warnings[0].Msg, `found the value "soft" of a limit; expected a number`) {
		t.Errorf("warnings %v", ep.Warnings)
	}
}

// Topics whose stamps are by clocks that disagree are told of; that all are by another clock than
// the recorder's, as in a simulation, is none's business.
func TestClocksThatDisagree(t *testing.T) {
	for _, tt := range []struct {
		camera, arm int
		want        string
	}{
		{1000, 1000, ""}, {12, 11, ""}, {1000, 0, ""}, {1000, 1004, ""},
		{1000, 4600, `/joints, byte *: found stamps that are 3600.0 s after those of /seen; expected clocks that agree to 5 s`},
		{1000, 940, `/joints, byte *: found stamps that are 60.0 s before those of /seen; expected clocks that agree to 5 s`},
	} {
		stamped := func(topic, kind, rest string, sec int) said {
			return said{at: 0, topic: topic, kind: kind, text: fmt.Sprintf(`{"header":{"frame_id":"map","stamp":{"sec":%d,"nanosec":0}},%s}`, sec, rest)}
		}
		ep, err := perceive(t, recorded(t,
			stamped("/seen", "vision_msgs/msg/Detection3DArray", `"detections":[`+detected("map", "mug", "7", 0, 0, 0, 0.1)+`]`, tt.camera),
			stamped("/joints", "sensor_msgs/msg/JointState", `"name":["finger"],"position":[0.08]`, tt.arm),
			stamped("/joints", "sensor_msgs/msg/JointState", `"name":["finger"],"position":[0.08]`, tt.arm),
			transform(0.5, "map", "base", 0, 0)), "")
		must(t, err)
		told := odd(ep)
		text := strings.Join(told, "\n")
		before, after, _ := strings.Cut(tt.want, "*")
		if len(told) > 1 || (text == "") != (tt.want == "") || !strings.HasPrefix(text, before) || !strings.Contains(text, after) {
			t.Errorf("stamps of %d and %d s: %s\nwant %s", tt.camera, tt.arm, text, tt.want)
		}
	}
}
