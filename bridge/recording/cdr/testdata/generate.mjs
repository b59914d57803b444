// Writes messages.json: messages as Foxglove's own library writes them, with their
// definitions. To be run where these are installed:
//   npm install @foxglove/rosmsg2-serialization@3.1.0 @foxglove/rosmsg@5.0.5 @foxglove/ros2idl-parser@0.3.5
import { MessageWriter } from "@foxglove/rosmsg2-serialization";
import { parse } from "@foxglove/rosmsg";
import { parseRos2idl } from "@foxglove/ros2idl-parser";
import { writeFileSync } from "node:fs";

const common = [`MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id`, `MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec`, `MSG: geometry_msgs/Pose
Point position
Quaternion orientation`, `MSG: geometry_msgs/Point
float64 x
float64 y
float64 z`, `MSG: geometry_msgs/Quaternion
float64 x 0
float64 y 0
float64 z 0
float64 w 1`, `MSG: geometry_msgs/Vector3
float64 x
float64 y
float64 z`];
const line = "\n" + "=".repeat(80) + "\n";
const detections = [`std_msgs/Header header
Detection3D[] detections`, `MSG: vision_msgs/Detection3D
std_msgs/Header header
ObjectHypothesisWithPose[] results # several guesses
vision_msgs/BoundingBox3D bbox
string id`, `MSG: vision_msgs/ObjectHypothesisWithPose
ObjectHypothesis hypothesis
geometry_msgs/PoseWithCovariance pose`, `MSG: vision_msgs/ObjectHypothesis
string class_id
float64 score`, `MSG: geometry_msgs/PoseWithCovariance
Pose pose
float64[36] covariance`, `MSG: vision_msgs/BoundingBox3D
geometry_msgs/Pose center
geometry_msgs/Vector3 size`, ...common].join(line);

const everything = [`# all that there is
bool yes
byte b
char c
int8 i8 -3
uint8 u8
int16 i16
uint16 u16
int32 i32
uint32 u32
int64 i64
uint64 u64
float32 f32
float64 f64
string s "a default"
string<=5 bounded
int32 LIMIT=7
string NAME = "no field"
bool[] flags
uint8[] raw
uint8[3] rgb
int16[] shorts
float64[2] pair
float64[] doubles
int64[<=4] few
string[] words
string[2] two
Nothing nothing
Nothing[] nothings
Inner inner
Inner[] inners
Inner[2] fixed
builtin_interfaces/Duration d
uint8 last`, `MSG: test/Nothing
# nothing at all`, `MSG: test/Inner
uint8 a
float64 x
string t`].join(line);

const idl = `================================================================================
IDL: test/msg/Scan
// A comment.
module test {
  module msg {
    typedef double double__3[3];
    const uint32 MOST = 4;
    @verbatim (language="comment", text=
      "Words, (with) brackets;" "and /* more */ of them")
    struct Scan {
      @unit (value="m")
      float range_min;
      double__3 axis;
      sequence<float> ranges;
      sequence<test::msg::Hit, 10> hits;
      string<20> name;
      unsigned long long stamp;
      octet level;
      boolean good;
      long grid[4];
      uint8 tail[MOST];
      int16 end;
    };
  };
};

================================================================================
IDL: test/msg/Hit
module test {
  module msg {
    struct Hit {
      uint8 kind;
      double distance;
    };
  };
};
`;

const inner = (a, x, t) => ({ a, x, t });
const pose = (x, y, z) => ({ position: { x, y, z }, orientation: { x: 0, y: 0, z: 0.5, w: 0.75 } });
const cases = [
  {
    name: "detections", encoding: "ros2msg", type: "vision_msgs/msg/Detection3DArray", definition: detections,
    value: {
      header: { stamp: { sec: 12, nanosec: 500 }, frame_id: "map" },
      detections: [
        { header: { stamp: { sec: 12, nanosec: 400 }, frame_id: "camera" },
          results: [{ hypothesis: { class_id: "mug", score: 0.875 }, pose: { pose: pose(1, 2, 3), covariance: Array.from({ length: 36 }, (_, i) => i / 4) } },
                    { hypothesis: { class_id: "cup", score: 0.125 }, pose: { pose: pose(0, 0, 0), covariance: new Array(36).fill(0) } }],
          bbox: { center: pose(0.5, -0.25, 1.5), size: { x: 0.125, y: 0.25, z: 0.5 } }, id: "7" },
        { header: { stamp: { sec: 0, nanosec: 0 }, frame_id: "" }, results: [], bbox: { center: pose(0, 0, 0), size: { x: 0, y: 0, z: 0 } }, id: "8" },
      ],
    },
  },
  {
    name: "everything", encoding: "ros2msg", type: "test/msg/Everything", definition: everything,
    value: {
      yes: true, b: 255, c: 65, i8: -128, u8: 255, i16: -32768, u16: 65535, i32: -2147483648, u32: 4294967295,
      i64: -9007199254740993n, u64: 18446744073709551615n, f32: 1.5, f64: -0.1, s: "some words", bounded: "", flags: [true, false, true],
      raw: [1, 2, 3, 4, 5], rgb: [9, 8, 7], shorts: [-1, 300], pair: [0.5, -2], doubles: [1e300], few: [-4n, 5n], words: ["a", "", "bc"],
      two: ["x", "y"], nothing: {}, nothings: [{}, {}, {}], inner: inner(1, 2.5, "in"), inners: [inner(2, 3.5, "a"), inner(3, 4.5, "")],
      fixed: [inner(4, 5.5, "b"), inner(5, 6.5, "c")], d: { sec: -2, nanosec: 7 }, last: 200,
    },
  },
  { name: "nothing in lists", encoding: "ros2msg", type: "test/msg/Everything", definition: everything, value: {} },
  {
    name: "idl", encoding: "ros2idl", type: "test/msg/Scan", definition: idl,
    value: {
      range_min: 0.5, axis: [0, 0, 1], ranges: [1.5, 2.5, 3.5], hits: [{ kind: 1, distance: 0.25 }, { kind: 2, distance: 8 }], name: "front",
      stamp: 1234567890123456789n, level: 3, good: true, grid: [1, -2, 3, -4], tail: [1, 2, 3, 4], end: -7,
    },
  },
];

const out = cases.map((c) => {
  const definitions = c.encoding === "ros2msg" ? parse(c.definition, { ros2: true }) : parseRos2idl(c.definition);
  const root = c.encoding === "ros2idl" ? [definitions.find((d) => d.name === "test/msg/Scan"), ...definitions.filter((d) => d.name !== "test/msg/Scan")] : definitions;
  const bytes = new MessageWriter(root).writeMessage(c.value);
  return { ...c, hex: Buffer.from(bytes).toString("hex") };
});
writeFileSync(new URL("messages.json", import.meta.url), JSON.stringify(out, (_, v) => (typeof v === "bigint" ? v.toString() : v), 1) + "\n");
