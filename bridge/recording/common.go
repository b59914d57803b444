package recording

import "strings"

// common are the definitions of types that bags of rosbag2 leave out, as ROS 2 Humble and
// later have them.
var common = map[string]string{
	"tf2_msgs/TFMessage": with("geometry_msgs/TransformStamped[] transforms",
		"geometry_msgs/TransformStamped", "geometry_msgs/Transform", "geometry_msgs/Vector3", "geometry_msgs/Quaternion", "std_msgs/Header"),
	"sensor_msgs/JointState":          with("std_msgs/Header header\nstring[] name\nfloat64[] position\nfloat64[] velocity\nfloat64[] effort", "std_msgs/Header"),
	"rcl_interfaces/Log":              "builtin_interfaces/Time stamp\nuint8 level\nstring name\nstring msg\nstring file\nstring function\nuint32 line",
	"std_msgs/String":                 "string data",
	"diagnostic_msgs/DiagnosticArray": with("std_msgs/Header header\nDiagnosticStatus[] status", "std_msgs/Header", "diagnostic_msgs/DiagnosticStatus", "diagnostic_msgs/KeyValue"),
	"action_msgs/GoalStatusArray":     with("GoalStatus[] status_list", "action_msgs/GoalStatus", "action_msgs/GoalInfo", "unique_identifier_msgs/UUID"),
	"vision_msgs/Detection3DArray": with("std_msgs/Header header\nDetection3D[] detections", "std_msgs/Header", "vision_msgs/Detection3D", "vision_msgs/ObjectHypothesisWithPose",
		"vision_msgs/ObjectHypothesis", "vision_msgs/BoundingBox3D", "geometry_msgs/PoseWithCovariance", "geometry_msgs/Pose", "geometry_msgs/Point", "geometry_msgs/Quaternion", "geometry_msgs/Vector3"),
}

// parts are types that others hold.
var parts = map[string]string{
	"std_msgs/Header":                      "builtin_interfaces/Time stamp\nstring frame_id",
	"geometry_msgs/TransformStamped":       "std_msgs/Header header\nstring child_frame_id\nTransform transform",
	"geometry_msgs/Transform":              "Vector3 translation\nQuaternion rotation",
	"geometry_msgs/Vector3":                "float64 x\nfloat64 y\nfloat64 z",
	"geometry_msgs/Point":                  "float64 x\nfloat64 y\nfloat64 z",
	"geometry_msgs/Quaternion":             "float64 x\nfloat64 y\nfloat64 z\nfloat64 w",
	"geometry_msgs/Pose":                   "Point position\nQuaternion orientation",
	"geometry_msgs/PoseWithCovariance":     "Pose pose\nfloat64[36] covariance",
	"diagnostic_msgs/DiagnosticStatus":     "byte level\nstring name\nstring message\nstring hardware_id\nKeyValue[] values",
	"diagnostic_msgs/KeyValue":             "string key\nstring value",
	"action_msgs/GoalStatus":               "GoalInfo goal_info\nint8 status",
	"action_msgs/GoalInfo":                 "unique_identifier_msgs/UUID goal_id\nbuiltin_interfaces/Time stamp",
	"unique_identifier_msgs/UUID":          "uint8[16] uuid",
	"vision_msgs/Detection3D":              "std_msgs/Header header\nObjectHypothesisWithPose[] results\nBoundingBox3D bbox\nstring id",
	"vision_msgs/ObjectHypothesisWithPose": "ObjectHypothesis hypothesis\ngeometry_msgs/PoseWithCovariance pose",
	"vision_msgs/ObjectHypothesis":         "string class_id\nfloat64 score",
	"vision_msgs/BoundingBox3D":            "geometry_msgs/Pose center\ngeometry_msgs/Vector3 size",
}

// with is a definition with those of the types that it holds.
func with(text string, names ...string) string {
	var b strings.Builder
	b.WriteString(text)
	for _, n := range names {
		b.WriteString("\n===\nMSG: " + n + "\n" + parts[n])
	}
	return b.String()
}
