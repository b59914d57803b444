//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/foxglove/mcap/go/mcap"

	"github.com/mishap-robotics/mishap/bridge/recording/foxglove"
)

// An hour is a recording of a robot that moves things about on a counter: detections of 30
// things ten times a second, pictures beside them, and an action every ten seconds.
type hour struct {
	out      *mcap.Writer
	channels map[string]uint16
	rng      *rand.ChaCha8
	err      error
}

const (
	hourOfSeconds = 3600
	hourOfThings  = 30
	pictureBytes  = 30_000
)

func (h *hour) write(topic, kind string, at float64, data []byte) {
	if h.channels[topic] == 0 && h.err == nil {
		id := uint16(len(h.channels) + 1)
		h.channels[topic] = id
		if h.err = h.out.WriteSchema(&mcap.Schema{ID: id, Name: kind, Encoding: "jsonschema", Data: []byte(`{"type":"object"}`)}); h.err == nil {
			h.err = h.out.WriteChannel(&mcap.Channel{ID: id, SchemaID: id, Topic: topic, MessageEncoding: "json"})
		}
	}
	if h.err == nil {
		stamp := uint64(1_700_000_000e9 + at*1e9)
		h.err = h.out.WriteMessage(&mcap.Message{ChannelID: h.channels[topic], LogTime: stamp, PublishTime: stamp, Data: data})
	}
}

func (h *hour) tell(topic, kind string, at float64, message any) {
	data, err := json.Marshal(message)
	if err != nil && h.err == nil {
		h.err = err
	}
	h.write(topic, kind, at, data)
}

// writeHour writes such a recording and gives its size in bytes.
func writeHour(path string) (int64, error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	buffered := bufio.NewWriterSize(f, 1<<20)
	out, err := mcap.NewWriter(buffered, &mcap.WriterOptions{Chunked: true, ChunkSize: 1 << 20, Compression: mcap.CompressionLZ4, IncludeCRC: true})
	if err != nil {
		return 0, err
	}
	h := &hour{out: out, channels: map[string]uint16{}, rng: rand.NewChaCha8([32]byte{24}), err: out.WriteHeader(&mcap.Header{})}
	picture := make([]byte, pictureBytes)
	held := 0 // which of the things; 0 is the counter, which nobody holds
	for tenth := range hourOfSeconds * 10 {
		at := float64(tenth) / 10
		if tenth%100 == 0 {
			h.act(tenth/100, at, &held)
		}
		h.tell("/scene", foxglove.SceneUpdateType, at+0.05, hourScene(uint64(1_700_000_000e9+at*1e9), held))
		h.rng.Read(picture)
		h.write("/camera", "sensor_msgs/CompressedImage", at+0.06, picture)
	}
	if err := out.Close(); err != nil {
		return 0, err
	}
	if h.err != nil {
		return 0, h.err
	}
	if err := buffered.Flush(); err != nil {
		return 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// act ends the action before and begins the next: to a thing, up with it, and down again.
func (h *hour) act(n int, at float64, held *int) {
	action := func(n int) string {
		thing := hourThing(1 + n/3%(hourOfThings-1))
		return []string{"(navigate_to_obj, " + thing + ")", "(pick_up, " + thing + ")", "(put_on, " + thing + ", CounterTop-1)"}[n%3]
	}
	const actions, kind = "/actions", "mishap.Action"
	if n > 0 {
		h.tell(actions, kind, at-0.02, map[string]string{"action": action(n - 1), "status": "ended"})
	}
	h.tell(actions, kind, at, map[string]string{"action": action(n), "status": "started"})
	*held = 0
	if n%3 == 1 {
		*held = 1 + n/3%(hourOfThings-1)
	}
	opening := 0.08
	if *held > 0 {
		opening = 0.04
	}
	h.tell("/gripper", "mishap.Gripper", at+0.01, map[string]float64{"opening": opening})
	h.tell("/tf", "foxglove.FrameTransforms", at+0.01, map[string]any{"transforms": []any{map[string]any{
		"parent_frame_id": "map", "child_frame_id": "tool_frame", "translation": foxglove.Vector{X: 1, Y: -1, Z: 1.6}, "rotation": foxglove.Quaternion{W: 1},
	}}})
}

func hourThing(i int) string {
	if i == 0 {
		return "CounterTop-1"
	}
	return fmt.Sprintf("%s-%d", []string{"Mug", "Plate", "Bowl", "Apple", "Pan"}[i%5], i/5+1)
}

func hourScene(stamp uint64, held int) foxglove.SceneUpdate {
	s := foxglove.SceneUpdate{Deletions: []foxglove.Deletion{}}
	for i := range hourOfThings {
		at, size := foxglove.Vector{X: 0.3 * float64(i), Y: 0.3, Z: 0.95}, foxglove.Vector{X: 0.08, Y: 0.08, Z: 0.1}
		switch i {
		case 0:
			at, size = foxglove.Vector{X: 4.5, Y: 0.3, Z: 0.85}, foxglove.Vector{X: 10, Y: 0.8, Z: 0.1}
		case held:
			at = foxglove.Vector{X: 1, Y: -1, Z: 1.6}
		}
		name := hourThing(i)
		e := foxglove.NewEntity(stamp, "map", name)
		e.Metadata = append(e.Metadata, foxglove.KeyValue{Key: "class", Value: name[:len(name)-2]}, foxglove.KeyValue{Key: "score", Value: "0.9"})
		e.Cubes = append(e.Cubes, foxglove.Cube{Pose: foxglove.Pose{Position: at, Orientation: foxglove.Quaternion{W: 1}}, Size: size})
		s.Entities = append(s.Entities, e)
	}
	return s
}

// BenchmarkHour checks a recording of an hour and more than a gigabyte, in a process of its own:
// by the clock (ns/op), processor time and the most memory that it held. MISHAP_LONG runs it.
func BenchmarkHour(b *testing.B) {
	if os.Getenv("MISHAP_LONG") == "" {
		b.Skip("a gigabyte; MISHAP_LONG=1 runs it")
	}
	path := filepath.Join(b.TempDir(), "hour.mcap")
	size, err := writeHour(path)
	if err != nil {
		b.Fatal(err)
	}
	if size < 1e9 {
		b.Fatalf("%d bytes; less than a gigabyte shows nothing", size)
	}
	b.SetBytes(size)
	for b.Loop() {
		cmd := exec.Command("mishap", "check", "--format", "json", path)
		out, err := cmd.Output()
		if cmd.ProcessState.ExitCode() > 1 {
			b.Fatal(err)
		}
		var told struct{ Episodes []struct{ Steps int } }
		if err := json.Unmarshal(out, &told); err != nil {
			b.Fatal(err)
		}
		if len(told.Episodes) != 1 || told.Episodes[0].Steps != hourOfSeconds/10 {
			b.Fatalf("%+v; want one episode of an action every ten seconds", told)
		}
		b.ReportMetric((cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), "cpu_s")
		b.ReportMetric(float64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)/1024, "MB")
	}
}
