package perception_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/mishap-robotics/mishap/bridge/perception/geometry"
)

// pictured is a scene as a camera sees it that looks down at 45 degrees.
type pictured struct {
	names  []string
	boxes  []geometry.Box
	camera geometry.Pose
}

const (
	wide, high  = 160, 120
	focal       = 140.0
	middleX     = 79.5
	middleY     = 59.5
	cameraFrame = "camera_optical_frame"
)

func tableWithThings() *pictured {
	half := -3 * math.Pi / 8
	turn, _ := geometry.Rotation(math.Sin(half), 0, 0, math.Cos(half))
	box := func(x, y, z, dx, dy, dz float64) geometry.Box {
		return geometry.Box{Pose: geometry.Pose{Position: r3.Vec{X: x, Y: y, Z: z}, Orientation: geometry.Identity.Orientation}, Size: r3.Vec{X: dx, Y: dy, Z: dz}}
	}
	return &pictured{
		names:  []string{"counter top", "mug", "bowl"},
		boxes:  []geometry.Box{box(0, 0, 0.4, 1.2, 0.8, 0.8), box(0.25, 0, 0.85, 0.09, 0.09, 0.1), box(-0.25, 0.1, 0.85, 0.2, 0.2, 0.1)},
		camera: geometry.Pose{Position: r3.Vec{Y: -1.1, Z: 1.9}, Orientation: turn},
	}
}

// depth is how far away the first thing is along the optical axis, 0 for none within reach.
func (p *pictured) depth(u, v int) float64 {
	way := p.camera.Orientation.Rotate(r3.Vec{X: (float64(u) - middleX) / focal, Y: (float64(v) - middleY) / focal, Z: 1})
	from := p.camera.Position
	nearest := math.Inf(1)
	if way.Z < 0 {
		nearest = -from.Z / way.Z // the floor
	}
	for _, b := range p.boxes {
		enter, leave := 0.0, math.Inf(1)
		for _, a := range [][4]float64{{from.X, way.X, b.Position.X, b.Size.X}, {from.Y, way.Y, b.Position.Y, b.Size.Y}, {from.Z, way.Z, b.Position.Z, b.Size.Z}} {
			t0, t1 := (a[2]-a[3]/2-a[0])/a[1], (a[2]+a[3]/2-a[0])/a[1]
			enter, leave = max(enter, min(t0, t1)), min(leave, max(t0, t1))
		}
		if enter < leave {
			nearest = min(nearest, enter)
		}
	}
	if nearest > 5 {
		return 0
	}
	return nearest
}

// seen is a message with the rectangles of the things in the picture.
func (p *pictured) seen(at float64) said {
	var out []string
	back := p.camera.Inverse()
	for i, b := range p.boxes {
		x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
		for c := range 8 {
			corner := r3.Vec{X: (float64(c&1) - 0.5) * b.Size.X, Y: (float64(c>>1&1) - 0.5) * b.Size.Y, Z: (float64(c>>2&1) - 0.5) * b.Size.Z}
			q := back.Apply(r3.Add(b.Position, corner))
			u, v := middleX+focal*q.X/q.Z, middleY+focal*q.Y/q.Z
			x0, y0, x1, y1 = min(x0, u), min(y0, v), max(x1, u), max(y1, v)
		}
		x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, wide-1), min(y1, high-1)
		out = append(out, fmt.Sprintf(`{"results":[{"hypothesis":{"class_id":%q,"score":0.9}}],"bbox":{"center":{"position":{"x":%v,"y":%v},"theta":0},"size_x":%v,"size_y":%v}}`, p.names[i], (x0+x1)/2, (y0+y1)/2, x1-x0, y1-y0))
	}
	return said{at: at, topic: "/yolo", kind: "vision_msgs/msg/Detection2DArray", text: `{"detections":[` + strings.Join(out, ",") + `]}`}
}

// image is a message with the depth image in a form.
func (p *pictured) image(at float64, form string) said {
	var data []byte
	grey := image.NewGray16(image.Rect(0, 0, wide, high))
	const a, b = 100.0, -20.0 // of an image of inverse depth
	for v := range high {
		for u := range wide {
			switch z := p.depth(u, v); form {
			case "16UC1":
				data = binary.BigEndian.AppendUint16(data, uint16(math.Round(1000*z)))
			case "32FC1":
				if z == 0 {
					z = math.NaN()
				}
				data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(z)))
			case "16UC1; compressedDepth png", "png":
				grey.SetGray16(u, v, color.Gray16{Y: uint16(math.Round(1000 * z))})
			case "32FC1; compressedDepth":
				if z > 0 {
					grey.SetGray16(u, v, color.Gray16{Y: uint16(math.Round(1000*a/z/1000 + b))})
				}
			}
		}
		if form == "16UC1" {
			data = append(data, 0, 0) // at the end of each row
		}
	}
	m := map[string]any{"header": map[string]any{"frame_id": cameraFrame}, "encoding": form, "width": wide, "height": high}
	kind := "sensor_msgs/msg/Image"
	switch form {
	case "16UC1":
		m["is_bigendian"], m["step"] = 1, 2*wide+2
	case "32FC1":
	default:
		kind = "sensor_msgs/msg/CompressedImage"
		m = map[string]any{"header": m["header"], "format": form}
		if form != "png" {
			data = make([]byte, 4)
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(a))
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(b))
		}
		var out bytes.Buffer
		if err := png.Encode(&out, grey); err != nil {
			panic(err)
		}
		data = append(data, out.Bytes()...)
	}
	m["data"] = base64.StdEncoding.EncodeToString(data)
	text, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return said{at: at, topic: "/camera/depth/image", kind: kind, text: string(text)}
}

func (p *pictured) info(at float64) said {
	return said{at: at, topic: "/camera/depth/camera_info", kind: "sensor_msgs/msg/CameraInfo", text: fmt.Sprintf(`{"header":{"frame_id":%q},"k":[%v,0,%v,0,%v,%v,0,0,1]}`, cameraFrame, focal, middleX, focal, middleY)}
}

func (p *pictured) stand(at float64) said {
	q, r := p.camera.Position, p.camera.Orientation
	return said{at: at, topic: "/tf", kind: "tf2_msgs/msg/TFMessage", text: fmt.Sprintf(`{"transforms":[{"header":{"frame_id":"map"},"child_frame_id":%q,"transform":{"translation":{"x":%v,"y":%v,"z":%v},"rotation":{"x":%v,"y":%v,"z":%v,"w":%v}}}]}`, cameraFrame, q.X, q.Y, q.Z, r.Imag, r.Jmag, r.Kmag, r.Real)}
}

// Rectangles in a picture stand where the depth image shows them, in whatever form it is.
func TestDepth(t *testing.T) {
	p := tableWithThings()
	for _, form := range []string{"16UC1", "32FC1", "16UC1; compressedDepth png", "32FC1; compressedDepth", "png"} {
		picture := said{at: 0.1, topic: "/camera/color", kind: "sensor_msgs/msg/Image", text: `{"encoding":"rgb8","width":1,"height":1,"data":"AAAA"}`}
		ep, err := perceive(t, recorded(t, p.stand(0), p.info(0), picture, p.image(0.1, form), p.seen(0.2)), "")
		must(t, err)
		const want = "0 00:00 : Bowl-1; CounterTop-1; Mug-1; Bowl-1 left_of Mug-1; Bowl-1 on_top_of CounterTop-1; Mug-1 on_top_of CounterTop-1; Mug-1 right_of Bowl-1"
		if got := lines(ep); got != want || len(odd(ep)) > 0 {
			t.Errorf("%s: %s, %v\nwant %s", form, got, odd(ep), want)
		}
	}
}

// What is missing or odd is told, and the rest is read.
func TestDepthThatDoesNotFit(t *testing.T) {
	p := tableWithThings()
	const by = "mapping: 1\nframe: map\ntopics:\n- {topic: /tf, as: transforms}\n- {topic: /yolo, as: detections}\n- {topic: /boxes, as: detections}\n"
	const depth, info = "- {topic: /camera/depth/image, as: depth}\n", "- {topic: /camera/depth/camera_info, as: intrinsics}\n"
	box := said{at: 0.3, topic: "/boxes", kind: "vision_msgs/msg/Detection3DArray", text: `{"detections":[` + detected("map", "mug", "7", 0, 0, 0, 1) + `]}`}
	short, coloured := p.image(0.1, "32FC1"), p.image(0.1, "32FC1")
	short.text = strings.Replace(short.text, `"width":160`, `"width":1600`, 1)
	coloured.text = strings.Replace(coloured.text, `"32FC1"`, `"rgb8"`, 1)
	for _, tt := range []struct {
		name, mapping string
		messages      []said
		want          string
	}{
		{"no depth", by, nil, "detections in a picture, and no single topic with depth"},
		{"no images", by + depth + info, []said{p.info(0)}, "detections in a picture before any depth on /camera/depth/image"},
		{"no intrinsics", by + depth, []said{p.image(0.1, "16UC1")}, "detections in a picture, and no single topic with intrinsics"},
		{"intrinsics too late", by + depth + info, []said{p.image(0.1, "16UC1")}, "detections in a picture before any intrinsics on /camera/depth/camera_info"},
		{"long ago", by + depth + info, []said{p.info(0), p.image(-0.5, "16UC1")}, "a counter top 0.7 s from the nearest depth image; expected at most 0.2 s"},
		{"too short", by + depth + info, []said{p.info(0), short}, "found 76800 bytes for 1600 by 120 pixels"},
		{"coloured", by + depth + info, []said{p.info(0), coloured}, `found an image in the encoding "rgb8"; expected a depth image`},
		{"no camera", by + depth + info, []said{{at: 0, topic: "/camera/depth/camera_info", kind: "sensor_msgs/msg/CameraInfo", text: `{"k":[0,0,0,0,0,0,0,0,0]}`}}, "a camera without focal lengths; expected the nine numbers of its matrix"},
	} {
		ep, err := perceive(t, recorded(t, append(tt.messages, p.stand(0), p.seen(0.2), box)...), tt.mapping)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if got := fmt.Sprint(ep.Warnings); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s\nwant %s", tt.name, got, tt.want)
		}
		if got, want := lines(ep), "0 00:00 : Mug-1 clean"; !strings.HasPrefix(got, "0 00:0") || !strings.HasSuffix(got, strings.TrimPrefix(want, "0 00:00 ")) {
			t.Errorf("%s: %s\nwant %s", tt.name, got, want)
		}
	}
}

// Things may have clouds of points, in either byte order and as a list.
func TestClouds(t *testing.T) {
	points := func(dx, dy, dz, z float64) (out []r3.Vec) {
		for i := range 10 {
			for j := range 10 {
				for k := range 5 {
					out = append(out, r3.Vec{X: dx * float64(i) / 10, Y: dy * float64(j) / 10, Z: z + dz*float64(k)/4})
				}
			}
		}
		return out
	}
	mug, table := points(0.08, 0.08, 0.1, 0.8), points(1, 1, 0.8, 0)
	packed := func(all []r3.Vec, stride, size int, order binary.AppendByteOrder) string {
		var data []byte
		for _, p := range append([]r3.Vec{{X: math.NaN()}}, all...) {
			from := len(data)
			for _, f := range []float64{p.X, p.Y, p.Z} {
				if size == 4 {
					data = order.AppendUint32(data, math.Float32bits(float32(f)))
				} else {
					data = order.AppendUint64(data, math.Float64bits(f))
				}
			}
			data = append(data, make([]byte, stride-(len(data)-from))...)
		}
		return base64.StdEncoding.EncodeToString(data)
	}
	fields := func(key string, size int) string {
		code := map[int]int{4: 7, 8: 8}[size]
		return fmt.Sprintf(`[{"name":"x","offset":0,%[1]q:%[2]d},{"name":"y","offset":%[3]d,%[1]q:%[2]d},{"name":"z","offset":%[4]d,%[1]q:%[2]d}]`, key, code, size, 2*size)
	}
	for _, tt := range []struct {
		name string
		of   func(all []r3.Vec) string
	}{
		{"PointCloud2", func(all []r3.Vec) string {
			return fmt.Sprintf(`{"header":{"frame_id":"map"},"is_bigendian":false,"point_step":16,"fields":%s,"data":%q}`, fields("datatype", 4), packed(all, 16, 4, binary.LittleEndian))
		}},
		{"PointCloud2, big endian", func(all []r3.Vec) string {
			return fmt.Sprintf(`{"header":{"frame_id":"map"},"is_bigendian":true,"point_step":24,"fields":%s,"data":%q}`, fields("datatype", 8), packed(all, 24, 8, binary.BigEndian))
		}},
		{"Foxglove", func(all []r3.Vec) string {
			for i := range all {
				all[i].X -= 3
			}
			return fmt.Sprintf(`{"frame_id":"map","pose":{"position":{"x":3,"y":0,"z":0},"orientation":{"x":0,"y":0,"z":0,"w":1}},"point_stride":12,"fields":%s,"data":%q}`, fields("type", 4), packed(all, 12, 4, binary.LittleEndian))
		}},
		{"a list", func(all []r3.Vec) string {
			text, err := json.Marshal(all)
			must(t, err)
			return strings.NewReplacer("X", "x", "Y", "y", "Z", "z").Replace(string(text))
		}},
	} {
		text := fmt.Sprintf(`{"things":[{"class":"Mug","cloud":%s},{"class":"CounterTop","cloud":%s},{"class":"Fork","cloud":{"data":"AAAA"}}]}`, tt.of(append([]r3.Vec{}, mug...)), tt.of(append([]r3.Vec{}, table...)))
		ep, err := perceive(t, recorded(t, said{topic: "/things", kind: "my/Things", text: text}), "mapping: 1\nframe: map\ntopics:\n- {topic: /things, as: detections, each: things, fields: {class: class, points: cloud}}\n")
		must(t, err)
		if got, want := lines(ep), "0 00:00 : CounterTop-1; Mug-1; Mug-1 on_top_of CounterTop-1"; got != want {
			t.Errorf("%s: %s\nwant %s", tt.name, got, want)
		}
		if got := fmt.Sprint(ep.Warnings); !strings.Contains(got, "a Fork without a position") {
			t.Errorf("%s: %s", tt.name, got)
		}
	}
}

// Whatever a depth image and a cloud hold, they are read without a fault.
func FuzzDepth(f *testing.F) {
	p := tableWithThings()
	const seen = `{"detections":[{"results":[{"hypothesis":{"class_id":"mug","score":0.9}}],"bbox":{"center":{"position":{"x":2,"y":2}},"size_x":4,"size_y":4}}]}`
	for _, depth := range []string{
		`{"encoding":"16UC1","width":4,"height":4,"data":"6APoA+gD6APoA+gD6APoA+gD6APoA+gD6APoA+gD6AM="}`,
		`{"encoding":"32FC1","width":2,"height":4,"step":8,"is_bigendian":1,"data":"P4AAAD+AAAA/gAAAP4AAAD+AAAA/gAAAP4AAAD+AAAA="}`,
		`{"format":"16UC1; compressedDepth png","data":"AAAAAAAAAAAAAAAAiVBORw0KGgoAAAANSUhEUgAAAAQAAAAEEAAAAADcCh3hAAAAD0lEQVR4nGNgfgGBDLgZAAFrDrEv6xeUAAAAAElFTkSuQmCC"}`,
	} {
		f.Add(depth, seen, p.info(0).text)
	}
	f.Fuzz(func(t *testing.T, depth, seen, info string) {
		for _, kind := range []string{"sensor_msgs/msg/Image", "sensor_msgs/msg/CompressedImage"} {
			data := recorded(t, p.stand(0), said{topic: "/info", kind: "sensor_msgs/msg/CameraInfo", text: info}, said{topic: "/depth", kind: kind, text: depth}, said{topic: "/yolo", kind: "vision_msgs/msg/Detection2DArray", text: seen})
			_, _ = perceive(t, data, "mapping: 1\ntopics:\n- {topic: /yolo, as: detections}\n- {topic: /depth, as: depth}\n- {topic: /info, as: intrinsics}\n")
		}
	})
}

func FuzzCloud(f *testing.F) {
	f.Add(`{"is_bigendian":false,"point_step":12,"fields":[{"name":"x","offset":0,"datatype":7},{"name":"y","offset":4,"datatype":7},{"name":"z","offset":8,"datatype":7}],"data":"AAAAAAAAAAAAAAAA"}`)
	f.Add(`[{"x":1,"y":2,"z":3}]`)
	f.Fuzz(func(t *testing.T, points string) {
		text := `{"class":"Mug","cloud":` + points + `}`
		_, _ = perceive(t, recorded(t, said{topic: "/things", kind: "my/Things", text: text}), "mapping: 1\ntopics:\n- {topic: /things, as: detections, fields: {class: class, points: cloud}}\n")
	})
}
