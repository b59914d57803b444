package perception

import (
	"encoding/binary"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/mishap-robotics/mishap/bridge/perception/geometry"
	"github.com/mishap-robotics/mishap/bridge/recording/message"
)

// mostPoints is about how many points of a cloud are read.
const mostPoints = 50_000

// floats are how many bytes the types of numbers take that coordinates have, as
// sensor_msgs/PointField and foxglove.PackedElementField number them.
var floats = map[int64]int{7: 4, 8: 8}

// cloud reads points: a sensor_msgs/PointCloud2, a foxglove.PointCloud, or a list of x, y and
// z. Points that are no numbers are left out.
func cloud(v message.Value) (out []r3.Vec) {
	add := func(p r3.Vec) {
		if geometry.Finite(p) {
			out = append(out, p)
		}
	}
	if v.Kind() == message.Array {
		step := max(1, v.Len()/mostPoints)
		i := 0
		for e := range v.Elements() {
			if p, ok := vector(e); ok && i%step == 0 {
				add(p)
			}
			i++
		}
		return out
	}
	data, ok := binaryOf(v.Field("data"))
	if !ok {
		return nil
	}
	kind := "datatype"
	stride, ok := v.Field("point_step").Int()
	if !ok {
		kind = "type"
		stride, _ = v.Field("point_stride").Int()
	}
	order := binary.ByteOrder(binary.LittleEndian)
	if big, ok := v.Field("is_bigendian").Truth(); ok && big {
		order = binary.BigEndian
	}
	type place struct{ offset, size int }
	var at [3]place
	for f := range v.Field("fields").Elements() {
		name, _ := f.Field("name").Text()
		offset, _ := f.Field("offset").Int()
		code, _ := f.Field(kind).Int()
		size := floats[code]
		for i, axis := range []string{"x", "y", "z"} {
			if name == axis && size > 0 && offset >= 0 && offset+int64(size) <= stride {
				at[i] = place{int(offset), size}
			}
		}
	}
	if at[0].size == 0 || at[1].size == 0 || at[2].size == 0 || stride > math.MaxInt32 {
		return nil
	}
	pose := geometry.Identity // Foxglove's clouds have one
	if origin, ok := vector(v.Field("pose").Field("position")); ok {
		pose = geometry.Pose{Position: origin, Orientation: rotation(v.Field("pose").Field("orientation"))}
	}
	n := len(data) / int(stride)
	for i := 0; i < n; i += max(1, n/mostPoints) {
		point := data[i*int(stride):]
		read := func(p place) float64 {
			if p.size == 4 {
				return float64(math.Float32frombits(order.Uint32(point[p.offset:])))
			}
			return math.Float64frombits(order.Uint64(point[p.offset:]))
		}
		add(pose.Apply(r3.Vec{X: read(at[0]), Y: read(at[1]), Z: read(at[2])}))
	}
	return out
}
