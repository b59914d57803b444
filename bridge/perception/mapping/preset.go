package mapping

import (
	"maps"
	"strings"
)

// A preset is what the fields of a well-known type of message give.
type preset struct {
	as    Kind
	topic Topic
}

var seen = Topic{
	Each:   "detections",
	Fields: map[string]string{"results": "results", "class": "hypothesis.class_id", "score": "hypothesis.score", "id": "id", "position": "bbox.center.position", "orientation": "bbox.center.orientation", "size": "bbox.size", "frame": "header.frame_id"},
	States: &States{Name: "hypothesis.class_id", Score: "hypothesis.score", Prefix: "state:"},
}

// atROS1 is what the types of ROS 1 begin with whose namesakes in ROS 2 are others.
const atROS1 = "ros1 "

// presets are known types by name, without /msg/: those of vision_msgs, tf2, Foxglove,
// action_msgs, Nav2, rosout and diagnostics, and mishap's own.
var presets = map[string]preset{
	"vision_msgs/Detection3DArray": {Detections, seen},
	"foxglove.SceneUpdate": {Detections, Topic{
		Each: "entities",
		Fields: map[string]string{"class": "metadata[key=class].value", "score": "metadata[key=score].value", "id": "id", "position": "cubes[0].pose.position",
			"orientation": "cubes[0].pose.orientation", "size": "cubes[0].size", "frame": "frame_id"},
		States: &States{List: "metadata", Name: "key", Score: "value", Prefix: "state."},
	}},
	"tf2_msgs/TFMessage": {Transforms, Topic{
		Each:   "transforms",
		Fields: map[string]string{"parent": "header.frame_id", "child": "child_frame_id", "translation": "transform.translation", "rotation": "transform.rotation"},
	}},
	"foxglove.FrameTransforms": {Transforms, Topic{
		Each:   "transforms",
		Fields: map[string]string{"parent": "parent_frame_id", "child": "child_frame_id", "translation": "translation", "rotation": "rotation"},
	}},
	"foxglove.FrameTransform": {Transforms, Topic{
		Fields: map[string]string{"parent": "parent_frame_id", "child": "child_frame_id", "translation": "translation", "rotation": "rotation"},
	}},
	"sensor_msgs/JointState": {Gripper, Topic{Fields: map[string]string{"joints": "name", "positions": "position"}}},
	"mishap.Gripper":         {Gripper, Topic{Fields: map[string]string{"opening": "opening"}}},
	"mishap.Action":          {Actions, Topic{Fields: map[string]string{"action": "action", "status": "status", "id": "id", "agent": "agent"}}},
	"mishap.Sound":           {Sounds, Topic{Fields: map[string]string{"labels": "labels", "scores": "scores"}}},
	"mishap.Clouds": {Detections, Topic{
		Each:   "things",
		Fields: map[string]string{"class": "metadata[key=class].value", "score": "metadata[key=score].value", "id": "id", "points": "points", "frame": "frame_id"},
		States: &States{List: "metadata", Name: "key", Score: "value", Prefix: "state."},
	}},
	"mishap.Episode":     {Episode, Topic{}},
	"rcl_interfaces/Log": {Events, Topic{Fields: map[string]string{"text": "msg"}}},
	"foxglove.Log":       {Events, Topic{Fields: map[string]string{"text": "message"}}},
	"diagnostic_msgs/DiagnosticArray": {Events, Topic{
		Each:   "status",
		Fields: map[string]string{"text": "message", "result": "hardware_id"},
	}},
	"action_msgs/GoalStatusArray": {Actions, Topic{
		Each: "status_list", Snapshots: true,
		Fields: map[string]string{"status": "status", "id": "goal_info.goal_id.uuid"},
		Status: map[string]string{"1": "ignored", "2": "started", "3": "ignored", "4": "succeeded", "5": "aborted", "6": "failed"},
	}},
	"nav2_msgs/BehaviorTreeLog": {Actions, Topic{
		Each:   "event_log",
		Fields: map[string]string{"action": "node_name", "status": "current_status"},
		Status: map[string]string{"RUNNING": "started", "SUCCESS": "succeeded", "FAILURE": "failed", "IDLE": "ignored"},
	}},
	atROS1 + "vision_msgs/Detection3DArray": {Detections, Topic{
		Each:   "detections",
		Fields: map[string]string{"results": "results", "class": "id", "score": "score", "points": "source_cloud", "position": "bbox.center.position", "orientation": "bbox.center.orientation", "size": "bbox.size", "frame": "header.frame_id"},
	}},
	"vision_msgs/Detection2DArray": {Detections, Topic{
		Each: "detections",
		Fields: map[string]string{"results": "results", "class": "hypothesis.class_id", "score": "hypothesis.score", "id": "id", "x": "bbox.center.position.x", "y": "bbox.center.position.y",
			"width": "bbox.size_x", "height": "bbox.size_y", "stamp": "header.stamp"},
		States: &States{Name: "hypothesis.class_id", Score: "hypothesis.score", Prefix: "state:"},
	}},
	atROS1 + "vision_msgs/Detection2DArray": {Detections, Topic{
		Each: "detections",
		Fields: map[string]string{"results": "results", "class": "id", "score": "score", "x": "bbox.center.x", "y": "bbox.center.y",
			"width": "bbox.size_x", "height": "bbox.size_y", "stamp": "header.stamp"},
	}},
	"sensor_msgs/Image": {Depth, Topic{Fields: map[string]string{"data": "data", "encoding": "encoding", "width": "width", "height": "height", "step": "step",
		"big_endian": "is_bigendian", "stamp": "header.stamp", "frame": "header.frame_id"}}},
	"sensor_msgs/CompressedImage": {Depth, Topic{Fields: map[string]string{"data": "data", "format": "format", "stamp": "header.stamp", "frame": "header.frame_id"}}},
	"foxglove.RawImage": {Depth, Topic{Fields: map[string]string{"data": "data", "encoding": "encoding", "width": "width", "height": "height", "step": "step",
		"stamp": "timestamp", "frame": "frame_id"}}},
	"foxglove.CompressedImage":        {Depth, Topic{Fields: map[string]string{"data": "data", "format": "format", "stamp": "timestamp", "frame": "frame_id"}}},
	"sensor_msgs/CameraInfo":          {Intrinsics, Topic{Fields: map[string]string{"matrix": "k"}}},
	atROS1 + "sensor_msgs/CameraInfo": {Intrinsics, Topic{Fields: map[string]string{"matrix": "K"}}},
	"foxglove.CameraCalibration":      {Intrinsics, Topic{Fields: map[string]string{"matrix": "K"}}},
	"tf/tfMessage": {Transforms, Topic{
		Each:   "transforms",
		Fields: map[string]string{"parent": "header.frame_id", "child": "child_frame_id", "translation": "transform.translation", "rotation": "transform.rotation"},
	}},
	"rosgraph_msgs/Log": {Events, Topic{Fields: map[string]string{"text": "msg"}}},
	"actionlib_msgs/GoalStatusArray": {Actions, Topic{
		Each: "status_list", Snapshots: true,
		Fields: map[string]string{"status": "status", "id": "goal_id.id", "result": "text"},
		Status: atROS1Status,
	}},
	"py_trees_msgs/BehaviourTree":           behaviourTree,
	"py_trees_ros_interfaces/BehaviourTree": behaviourTree,
	"behaviortree_ros/StatusChangeLog": {Actions, Topic{ // BehaviorTree.CPP
		Each:   "state_changes",
		Fields: map[string]string{"action": "name", "status": "status.value"},
		Status: map[string]string{"0": "ignored", "1": "started", "2": "succeeded", "3": "failed"},
	}},
}

// results are topics that tell what became of actions, by what the types of their messages end
// with: in ROS 1, and by service introspection in ROS 2.
var results = map[string]struct {
	topic Topic
	code  string // where MoveIt has the code of an error
}{
	"ActionResult": {Topic{
		Fields: map[string]string{"status": "status.status", "id": "status.goal_id.id", "result": "status.text"},
		Status: atROS1Status,
	}, "result.error_code.val"},
	"_GetResult_Event": {Topic{
		Fields: map[string]string{"status": "response[0].status", "id": "info.sequence_number", "result": "response[0].result.error_code"},
		Status: map[string]string{"": "started", "0": "ignored", "4": "succeeded", "5": "aborted", "6": "failed"}, // "" when the result is asked for, as soon as the goal is accepted
	}, "response[0].result.error_code.val"},
}

// atROS1Status are what actionlib_msgs/GoalStatus may say.
var atROS1Status = map[string]string{"0": "ignored", "1": "started", "2": "aborted", "3": "succeeded", "4": "failed", "5": "failed", "6": "ignored", "7": "ignored", "8": "aborted", "9": "aborted"}

// resultOf is the preset of a type that tells what became of an action.
func resultOf(name string) (preset, bool) {
	for suffix, r := range results {
		if !strings.HasSuffix(name, suffix) {
			continue
		}
		if strings.HasPrefix(name, "moveit_msgs/") {
			r.topic.Fields = maps.Clone(r.topic.Fields)
			r.topic.Fields["result"] = r.code
		}
		return preset{Actions, r.topic}, true
	}
	return preset{}, false
}

var behaviourTree = preset{Actions, Topic{
	Each: "behaviours", Snapshots: true,
	Fields: map[string]string{"action": "name", "status": "status"},
	Status: map[string]string{"1": "ignored", "2": "started", "3": "succeeded", "4": "failed"},
}}

// plainType is a type without /msg/ and /action/.
func plainType(name string) string { return plain.Replace(name) }

var plain = strings.NewReplacer("/msg/", "/", "/action/", "/")

func presetOf(messageType, encoding string) (preset, bool) {
	name := plainType(messageType)
	if p, ok := presets[atROS1+name]; ok && encoding == "ros1" {
		return p, true
	}
	if p, ok := presets[name]; ok {
		return p, true
	}
	return resultOf(name)
}

// Complete is a topic with what it leaves out as it is for its type of message, and how that is
// encoded.
func (t Topic) Complete(messageType, encoding string) Topic {
	p, known := presetOf(messageType, encoding)
	if !known || p.as != t.As {
		return t
	}
	if t.Each == "" {
		t.Each = p.topic.Each
	}
	fields := maps.Clone(p.topic.Fields)
	maps.Copy(fields, t.Fields)
	t.Fields = fields
	if t.States == nil {
		t.States = p.topic.States
	}
	if t.Status == nil {
		t.Status = p.topic.Status
	}
	t.Snapshots = t.Snapshots || p.topic.Snapshots
	return t
}
