// Writes messages_ros1.json: messages of ROS 1 as Foxglove's own library writes them, with their
// definitions. To be run where these are installed:
//   npm install @foxglove/rosmsg-serialization@2.0.4 @foxglove/rosmsg@5.0.5
import { MessageWriter } from "@foxglove/rosmsg-serialization";
import { parse } from "@foxglove/rosmsg";
import { writeFileSync } from "node:fs";

const line = "\n" + "=".repeat(80) + "\n";
const header = `MSG: std_msgs/Header
# Standard metadata
uint32 seq
time stamp
string frame_id`;
const everything = [`# all that there is
Header header
bool yes
byte b
char c
int8 i8
uint8 u8
int16 i16
uint16 u16
int32 i32
uint32 u32
int64 i64
uint64 u64
float32 f32
float64 f64
string s
int32 LIMIT=7
string NAME=no field # nor this
time at
duration lasts
bool[] flags
uint8[] raw
uint8[3] rgb
int16[] shorts
float64[2] pair
float64[] doubles
string[] words
string[2] two
time[] times
Nothing nothing
Nothing[] nothings
Inner inner
test/Inner[] inners
Inner[2] fixed
uint8 last`, header, `MSG: test/Nothing
# nothing at all`, `MSG: test/Inner
uint8 a
float64 x
string t`].join(line);
const logs = [`byte ERROR=8
Header header
byte level
string name
string msg
string file
string function
uint32 line
string[] topics`, header].join(line);

const geometry = [`MSG: geometry_msgs/Pose
Point position
Quaternion orientation`, `MSG: geometry_msgs/Point
float64 x
float64 y
float64 z`, `MSG: geometry_msgs/Quaternion
float64 x
float64 y
float64 z
float64 w`, `MSG: geometry_msgs/Vector3
float64 x
float64 y
float64 z`];
const detections = [`Header header
vision_msgs/Detection3D[] detections`, header, `MSG: vision_msgs/Detection3D
Header header
ObjectHypothesisWithPose[] results
BoundingBox3D bbox
sensor_msgs/PointCloud2 source_cloud`, `MSG: vision_msgs/ObjectHypothesisWithPose
int64 id
float64 score
geometry_msgs/PoseWithCovariance pose`, `MSG: geometry_msgs/PoseWithCovariance
Pose pose
float64[36] covariance`, `MSG: vision_msgs/BoundingBox3D
geometry_msgs/Pose center
geometry_msgs/Vector3 size`, `MSG: sensor_msgs/PointCloud2
Header header
uint32 height
uint32 width
PointField[] fields
bool is_bigendian
uint32 point_step
uint32 row_step
uint8[] data
bool is_dense`, `MSG: sensor_msgs/PointField
uint8 INT8=1
string name
uint32 offset
uint8 datatype
uint32 count`, ...geometry].join(line);

const head = (frame_id) => ({ seq: 1, stamp: { sec: 12, nsec: 0 }, frame_id });
const pose = (x, y, z) => ({ position: { x, y, z }, orientation: { x: 0, y: 0, z: 0, w: 1 } });
const cloud = { header: head(""), height: 0, width: 0, fields: [], is_bigendian: false, point_step: 0, row_step: 0, data: [], is_dense: true };
const detection = (id, at, size) => ({
  header: head("/map"), bbox: { center: at, size }, source_cloud: cloud,
  results: [{ id: 99, score: 0.25, pose: { pose: at, covariance: new Array(36).fill(0) } }, { id, score: 0.75, pose: { pose: at, covariance: new Array(36).fill(0) } }],
});
const inner = (a, x, t) => ({ a, x, t });
const cases = [
  {
    name: "everything", type: "test/Everything", definition: everything,
    value: {
      header: { seq: 9, stamp: { sec: 12, nsec: 500 }, frame_id: "map" },
      yes: true, b: 100, c: 65, i8: -128, u8: 255, i16: -32768, u16: 65535, i32: -2147483648, u32: 4294967295,
      i64: -9007199254740993n, u64: 18446744073709551615n, f32: 1.5, f64: -0.1, s: "some words", at: { sec: 4000000000, nsec: 1 }, lasts: { sec: -2, nsec: 7 },
      flags: [true, false, true], raw: [1, 2, 3, 4, 5], rgb: [9, 8, 7], shorts: [-1, 300], pair: [0.5, -2], doubles: [1e300], words: ["a", "", "bc"],
      two: ["x", "y"], times: [{ sec: 1, nsec: 2 }], nothing: {}, nothings: [{}, {}, {}], inner: inner(1, 2.5, "in"),
      inners: [inner(2, 3.5, "a"), inner(3, 4.5, "")], fixed: [inner(4, 5.5, "b"), inner(5, 6.5, "c")], last: 200,
    },
  },
  {
    name: "detections", type: "vision_msgs/Detection3DArray", definition: detections,
    value: { header: head("/map"), detections: [
      detection(47, pose(1, 2, 0.95), { x: 0.125, y: 0.125, z: 0.1 }), detection(60, pose(1, 2, 0.45), { x: 2, y: 1, z: 0.9 }),
    ] },
  },
  {
    name: "a log message", type: "rosgraph_msgs/Log", definition: logs,
    value: { header: { seq: 0, stamp: { sec: 0, nsec: 0 }, frame_id: "" }, level: 8, name: "/grasp", msg: "grasp lost", file: "grasp.cpp", function: "run", line: 7, topics: ["/rosout"] },
  },
];
const out = cases.map((c) => {
  const bytes = new MessageWriter(parse(c.definition)).writeMessage(c.value);
  return { ...c, encoding: "ros1msg", hex: Buffer.from(bytes).toString("hex") };
});
writeFileSync(new URL("messages_ros1.json", import.meta.url), JSON.stringify(out, (_, v) => (typeof v === "bigint" ? v.toString() : v), 1) + "\n");
