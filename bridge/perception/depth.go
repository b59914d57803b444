package perception

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"path"
	"slices"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/mishap-robotics/mishap/bridge/perception/mapping"
	"github.com/mishap-robotics/mishap/bridge/recording"
	"github.com/mishap-robotics/mishap/bridge/recording/message"
)

// depthImage is a picture of how far away things are.
type depthImage struct {
	taken         uint64 // nanoseconds
	frame         string // optical: right, down, forward
	width, height int
	metres        func(x, y int) float64 // 0 where that is not known
}

// intrinsics are those of a pinhole camera, in pixels.
type intrinsics struct{ fx, fy, cx, cy float64 }

// maxPixels is how many a depth image may have.
const maxPixels = 1 << 25

// keptImages is how many depth images of a topic are kept for detections that come later.
const keptImages = 16

// sameView is how far apart in time a detection and the depth image may be that it is lifted
// by, in nanoseconds.
const sameView = 2e8

// depth takes in a depth image.
func (p *reader) depth(s *source, m *recording.Message, v message.Value) {
	img, found := s.depthImage(v)
	if found != "" {
		p.in.Report(problem(m, found, "a depth image: 16UC1 or 32FC1, as it is or as PNG"))
		return
	}
	img.taken = cmp.Or(img.taken, m.LogTime)
	kept := p.images[m.Channel.Topic]
	if n := len(kept) - keptImages + 1; n > 0 {
		kept = slices.Delete(kept, 0, n)
	}
	p.images[m.Channel.Topic] = append(kept, img)
}

// intrinsics takes in what is known of a camera.
func (p *reader) takeIntrinsics(s *source, m *recording.Message, v message.Value) {
	var k []float64
	for e := range s.value(v, "matrix").Elements() {
		f, _ := number(e)
		k = append(k, f)
	}
	if len(k) != 9 || !(k[0] > 0) || !(k[4] > 0) {
		p.in.Report(problem(m, "a camera without focal lengths", "the nine numbers of its matrix"))
		return
	}
	p.cameras[m.Channel.Topic] = intrinsics{k[0], k[4], k[2], k[5]}
}

// depthImage reads a depth image; found says what is wrong with it.
func (s *source) depthImage(v message.Value) (img *depthImage, found string) {
	data, ok := binaryOf(s.value(v, "data"))
	if !ok {
		return nil, "an image without data"
	}
	img = &depthImage{taken: stamp(s.value(v, "stamp")), frame: trimFrame(cmp.Or(s.text(v, "frame"), s.Frame))}
	for _, skip := range []int{0, compressedDepthHeader} {
		if len(data) > skip && bytes.HasPrefix(data[skip:], []byte("\x89PNG\r\n\x1a\n")) {
			return img, img.png(data[:skip], data[skip:], s.text(v, "format"), s.Scale)
		}
	}
	if format := s.text(v, "format"); format != "" {
		return nil, fmt.Sprintf("an image in the format %q", clip(format))
	}
	whole := func(role string) int { i, _ := s.value(v, role).Int(); return int(max(0, min(i, math.MaxInt32))) }
	size := 2
	switch encoding := s.text(v, "encoding"); encoding {
	case "16UC1", "mono16":
	case "32FC1":
		size = 4
	default:
		return nil, fmt.Sprintf("an image in the encoding %q", clip(encoding))
	}
	img.width, img.height = whole("width"), whole("height")
	if img.width < 1 || img.height < 1 || img.width*img.height > maxPixels {
		return nil, fmt.Sprintf("an image of %d by %d pixels", img.width, img.height)
	}
	step := cmp.Or(whole("step"), img.width*size)
	if step < img.width*size || len(data) < step*(img.height-1)+img.width*size {
		return nil, fmt.Sprintf("%d bytes for %d by %d pixels", len(data), img.width, img.height)
	}
	order := binary.ByteOrder(binary.LittleEndian)
	if big, ok := s.value(v, "big_endian").Truth(); ok && big {
		order = binary.BigEndian
	} else if i, _ := s.value(v, "big_endian").Int(); i == 1 {
		order = binary.BigEndian
	}
	if size == 2 {
		unit := cmp.Or(s.Scale, millimetre)
		img.metres = func(x, y int) float64 { return unit * float64(order.Uint16(data[y*step+2*x:])) }
		return img, ""
	}
	unit := cmp.Or(s.Scale, 1)
	img.metres = func(x, y int) float64 {
		return unit * float64(math.Float32frombits(order.Uint32(data[y*step+4*x:])))
	}
	return img, ""
}

// millimetre is the unit of depth images in whole numbers (ROS, REP 118).
const millimetre = 0.001

// compressedDepthHeader is what ROS's compressed_depth_image_transport writes before a PNG: four
// bytes, and two numbers a and b by which a value v of an image in 32FC1 is a/(v - b) metres.
const compressedDepthHeader = 12

func (img *depthImage) png(head, data []byte, format string, scale float64) (found string) {
	config, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return "a PNG that cannot be read (" + clip(err.Error()) + ")"
	}
	if config.ColorModel != color.Gray16Model {
		return "a PNG that has no 16 bits of grey"
	}
	if config.Width*config.Height > maxPixels {
		return fmt.Sprintf("an image of %d by %d pixels", config.Width, config.Height)
	}
	decoded, err := png.Decode(bytes.NewReader(data))
	grey, ok := decoded.(*image.Gray16)
	if err != nil || !ok {
		return "a PNG that cannot be read"
	}
	img.width, img.height = config.Width, config.Height
	raw := func(x, y int) float64 { return float64(grey.Gray16At(x, y).Y) }
	if len(head) == compressedDepthHeader && strings.HasPrefix(format, "32FC1") {
		a := float64(math.Float32frombits(binary.LittleEndian.Uint32(head[4:])))
		b := float64(math.Float32frombits(binary.LittleEndian.Uint32(head[8:])))
		img.metres = func(x, y int) float64 {
			if v := raw(x, y); v > 0 {
				return a / (v - b)
			}
			return 0
		}
		return ""
	}
	unit := cmp.Or(scale, millimetre)
	img.metres = func(x, y int) float64 { return unit * raw(x, y) }
	return ""
}

// binaryOf is data, which JSON has in base 64.
func binaryOf(v message.Value) ([]byte, bool) {
	t, ok := v.Text()
	if !ok {
		return v.Bytes()
	}
	b, err := base64.StdEncoding.DecodeString(t)
	return b, err == nil
}

// stamp reads a time in nanoseconds, 0 where there is none.
func stamp(v message.Value) uint64 {
	part := func(names ...string) uint64 {
		for _, n := range names {
			if i, ok := v.Field(n).Int(); ok && i > 0 {
				return uint64(i)
			}
		}
		return 0
	}
	seconds, rest := part("sec", "seconds"), part("nanosec", "nsec", "nanos")
	if seconds > math.MaxUint32 || rest >= 1e9 {
		return 0
	}
	return seconds*1e9 + rest
}

// rectangle is a part of a picture, in pixels.
type rectangle struct{ x0, y0, x1, y1 float64 }

func (r *rectangle) has(x, y float64) bool { return x >= r.x0 && x <= r.x1 && y >= r.y0 && y <= r.y1 }

func (r *rectangle) area() float64 { return (r.x1 - r.x0) * (r.y1 - r.y0) }

// rectangle reads where in a picture something was detected.
func (s *source) rectangle(v message.Value) (*rectangle, bool) {
	var n [4]float64
	for i, role := range []string{"x", "y", "width", "height"} {
		var ok bool
		if n[i], ok = number(s.value(v, role)); !ok || math.Abs(n[i]) > 1e6 {
			return nil, false
		}
	}
	return &rectangle{n[0] - n[2]/2, n[1] - n[3]/2, n[0] + n[2]/2, n[1] + n[3]/2}, n[2] > 0 && n[3] > 0
}

// depthOf tells the depth images and the camera by which detections of a source are lifted;
// found says what is missing.
func (p *reader) depthOf(s *source) (images []*depthImage, camera intrinsics, found string) {
	topic := s.Depth
	if topic == "" {
		topic = p.only(mapping.Depth, "")
	}
	if topic == "" {
		return nil, camera, "detections in a picture, and no single topic with depth"
	}
	by := ""
	for i := range p.mapping.Topics {
		if t := &p.mapping.Topics[i]; t.As == mapping.Depth && t.Topic == topic {
			by = t.Intrinsics
		}
	}
	if by == "" {
		by = cmp.Or(p.only(mapping.Intrinsics, path.Dir(topic)), p.only(mapping.Intrinsics, ""))
	}
	camera, known := p.cameras[by]
	switch images = p.images[topic]; {
	case len(images) == 0:
		found = fmt.Sprintf("detections in a picture before any depth on %s", clip(topic))
	case !known && by == "":
		found = "detections in a picture, and no single topic with intrinsics"
	case !known:
		found = fmt.Sprintf("detections in a picture before any intrinsics on %s", clip(by))
	}
	return images, camera, found
}

// only is the one topic of a kind, below a folder where one is given; "" where there are none
// or several.
func (p *reader) only(kind mapping.Kind, folder string) string {
	found := ""
	for i := range p.mapping.Topics {
		t := &p.mapping.Topics[i]
		if t.As != kind || folder != "" && path.Dir(t.Topic) != folder {
			continue
		}
		if found != "" && found != t.Topic {
			return ""
		}
		found = t.Topic
	}
	return found
}

// mostPixels is about how many pixels of a detection are looked at, leastPixels how many must
// have a depth.
const (
	mostPixels  = 2500
	leastPixels = 10
)

// lift gives those of some detections that are rectangles in a picture the points that the
// depth image shows of them, as the camera sees them. A pixel belongs to the smallest rectangle
// that has it. Of its pixels those are of the thing whose depth is no farther from the median in
// the middle half of the rectangle than the rectangle is wide or high there, whichever is
// more: the others are of what stands before or behind it.
func (p *reader) lift(s *source, m *recording.Message, all []*sighting) {
	flat := slices.DeleteFunc(slices.Clone(all), func(d *sighting) bool { return d.flat == nil })
	if len(flat) == 0 {
		return
	}
	images, camera, found := p.depthOf(s)
	if found != "" {
		p.in.Report(problem(m, found, "topics of the mapping \"as: depth\" and \"as: intrinsics\""))
		return
	}
	for _, d := range flat {
		taken := cmp.Or(d.taken, m.LogTime)
		apart := func(img *depthImage) uint64 { return max(img.taken, taken) - min(img.taken, taken) }
		img := slices.MinFunc(images, func(a, b *depthImage) int { return cmp.Compare(apart(a), apart(b)) })
		if apart(img) > sameView {
			p.in.Report(problem(m, fmt.Sprintf("a %s %.1f s from the nearest depth image", clip(d.Class), float64(apart(img))/1e9), fmt.Sprintf("at most %.1f s", sameView/1e9)))
			continue
		}
		d.frame = img.frame
		d.points = img.points(d.flat, camera, func(x, y float64) bool {
			return !slices.ContainsFunc(flat, func(o *sighting) bool { return o != d && o.flat.area() < d.flat.area() && o.flat.has(x, y) })
		})
		if len(d.points) < leastPixels {
			d.points = nil
			p.in.Report(problem(m, "a "+clip(d.Class)+" whose pixels have no depth", fmt.Sprintf("at least %d that do", leastPixels)))
		}
	}
}

// points are those of a thing in a rectangle, of whose pixels some are its own.
func (img *depthImage) points(r *rectangle, c intrinsics, own func(x, y float64) bool) []r3.Vec {
	clamp := func(f float64, most int) int { return int(math.Max(0, math.Min(f, float64(most)))) }
	x0, x1, y0, y1 := clamp(math.Ceil(r.x0), img.width), clamp(math.Floor(r.x1)+1, img.width), clamp(math.Ceil(r.y0), img.height), clamp(math.Floor(r.y1)+1, img.height)
	step := max(1, int(math.Ceil(math.Sqrt(float64((x1-x0)*(y1-y0))/mostPixels))))
	type pixel struct{ x, y, z float64 }
	var all []pixel
	var middle []float64
	cx, cy, w, h := (r.x0+r.x1)/2, (r.y0+r.y1)/2, r.x1-r.x0, r.y1-r.y0
	for y := y0; y < y1; y += step {
		for x := x0; x < x1; x += step {
			z := img.metres(x, y)
			if !(z > 0) || math.IsInf(z, 0) || !own(float64(x), float64(y)) {
				continue
			}
			all = append(all, pixel{float64(x), float64(y), z})
			if math.Abs(float64(x)-cx) <= w/4 && math.Abs(float64(y)-cy) <= h/4 {
				middle = append(middle, z)
			}
		}
	}
	if len(middle) == 0 {
		for _, p := range all {
			middle = append(middle, p.z)
		}
	}
	if len(middle) == 0 {
		return nil
	}
	slices.Sort(middle)
	median := middle[len(middle)/2]
	reach := median * math.Max(w/c.fx, h/c.fy)
	var out []r3.Vec
	for _, p := range all {
		if math.Abs(p.z-median) <= reach {
			out = append(out, r3.Vec{X: (p.x - c.cx) * p.z / c.fx, Y: (p.y - c.cy) * p.z / c.fy, Z: p.z})
		}
	}
	return out
}
