package recording_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"testing"

	rosbag "github.com/foxglove/go-rosbag"
	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/bridge/recording"
)

// bag1 writes count messages to a bag of ROS 1, by Foxglove's library: texts and numbers in
// turn.
func bag1(t testing.TB, options ...rosbag.WriterOption) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := rosbag.NewWriter(&out, options...)
	must(t, err)
	definitions := []string{"string data\n", "Header header\nuint32 n\n===\nMSG: std_msgs/Header\nuint32 seq\ntime stamp\nstring frame_id\n"}
	for i, topic := range []string{"/words", "/numbers"} {
		must(t, w.WriteConnection(&rosbag.Connection{Conn: uint32(i), Topic: topic, Data: rosbag.ConnectionHeader{Topic: topic, Type: "t/T", MD5Sum: "992ce8a1687cec8c8bd883ec73ca41d1", MessageDefinition: []byte(definitions[i])}}))
	}
	for i := range count {
		data := append(binary.LittleEndian.AppendUint32(nil, 2), "ab"...)
		if i%2 == 1 {
			data = binary.LittleEndian.AppendUint32(nil, 7)               // seq
			data = binary.LittleEndian.AppendUint64(data, 1<<32|5)        // 5 s and 1 ns
			data = append(binary.LittleEndian.AppendUint32(data, 1), 'm') // frame
			data = binary.LittleEndian.AppendUint32(data, uint32(i))
		}
		must(t, w.WriteMessage(&rosbag.Message{Conn: uint32(i % 2), Time: uint64(i)*1e9 + 1, Data: data}))
	}
	must(t, w.Close())
	return out.Bytes()
}

func TestBagOfROS1(t *testing.T) {
	for _, compression := range []string{rosbag.CompressionNone, rosbag.CompressionLZ4} {
		data := bag1(t, rosbag.WithCompression(compression), rosbag.WithChunksize(500))
		messages, problems := read(t, data)
		if len(problems) > 0 || len(messages) != count {
			t.Fatalf("%s: %d messages, %q", compression, len(messages), problems)
		}
		for i, want := range []string{"1 /words {data: \"ab\"}", "1000000001 /numbers {header: {seq: 7, stamp: {sec: 5, nsec: 1}, frame_id: \"m\"}, n: 1}"} {
			if messages[i] != want {
				t.Errorf("%s: message %d is %s\nwant %s", compression, i, messages[i], want)
			}
		}

		// A copy is MCAP, with the same in it.
		copied := copied(t, reader(t, data))
		again, problems := read(t, copied)
		if diff := cmp.Diff(messages, again); diff != "" || len(problems) > 0 {
			t.Errorf("%s: bag (-), copy (+):\n%s%q", compression, diff, problems)
		}
		if got := contents(t, copied)[0]; got != "profile ros1" {
			t.Errorf("the copy has the %s", got)
		}
	}
}

// A bag with a chunk in bzip2, as python's bz2 wrote it.
func TestBagOfROS1InBzip2(t *testing.T) {
	data, err := os.ReadFile("testdata/bz2.bag")
	must(t, err)
	messages, problems := read(t, data)
	want := []string{`100000000005 /words {data: "one"}`, `101000000005 /words {data: "two"}`, `102000000005 /words {data: "three"}`}
	if diff := cmp.Diff(want, messages); diff != "" || len(problems) > 0 {
		t.Errorf("(-want +got):\n%s%q", diff, problems)
	}
}

// Wherever a bag breaks off, what comes before is read, and it is told where.
func TestBagOfROS1BreaksOff(t *testing.T) {
	for _, compression := range []string{rosbag.CompressionNone, rosbag.CompressionLZ4} {
		data := bag1(t, rosbag.WithCompression(compression), rosbag.WithChunksize(500))
		all, _ := read(t, data)
		before := 0
		for n := len("#ROSBAG V2.0\n"); n < len(data); n += 97 {
			messages, problems := read(t, data[:n])
			if len(messages) < before || len(messages) > 0 && cmp.Diff(all[:len(messages)], messages) != "" {
				t.Fatalf("%s: %d messages of %d bytes, %d of fewer", compression, len(messages), n, before)
			}
			before = len(messages)
			if len(messages) < count && len(problems) == 0 && n > 4096+100 && !strings.Contains(fmt.Sprint(problems), "end of the file") {
				// only between two records nothing is amiss
				if r, _ := read(t, data[:n+1]); len(r) == len(messages) {
					continue
				}
				t.Errorf("%s: %d messages of %d bytes, and nothing is told", compression, len(messages), n)
			}
		}
		if before < count-5 {
			t.Errorf("%s: %d messages before the end", compression, before)
		}
	}
}

func TestBadBagsOfROS1(t *testing.T) {
	chunk := func(compression string, size uint32) string {
		field := func(name, value string) string {
			return string(binary.LittleEndian.AppendUint32(nil, uint32(len(name)+1+len(value)))) + name + "=" + value
		}
		head := field("op", "\x05") + field("compression", compression) + field("size", string(binary.LittleEndian.AppendUint32(nil, size)))
		return "#ROSBAG V2.0\n" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(head)))) + head + "\x04\x00\x00\x00abcd"
	}
	for _, tt := range []struct{ name, data, want string }{
		{"a header of 4 GiB", "#ROSBAG V2.0\n\xff\xff\xff\xff", "byte 13: found a record whose header has 4294967295 bytes"},
		{"a chunk of 4 GiB", chunk("lz4", 1<<32-1), "found a chunk of 4294967295 bytes once expanded; expected one that says its size, at most 268435456"},
		{"no LZ4", chunk("lz4", 100), "a chunk that cannot be expanded"},
		{"no bzip2", chunk("bz2", 100), "a chunk that cannot be expanded"},
		{"unknown", chunk("rar", 100), `a chunk compressed by "rar"; expected none, lz4 or bz2`},
		{"no records", chunk("none", 4), "a record longer than the 4 bytes left; expected a whole record of the chunk"},
	} {
		messages, problems := read(t, []byte(tt.data))
		if len(messages) > 0 || len(problems) != 1 || !strings.Contains(problems[0], tt.want) {
			t.Errorf("%s: %q, %q\nwant %s", tt.name, messages, problems, tt.want)
		}
	}
	if _, err := recording.NewReader("old.bag", strings.NewReader("#ROSBAG V1.1\nabc")); err == nil || !strings.Contains(err.Error(), `"rosbag fix" makes one`) {
		t.Errorf("an old bag: %v", err)
	}
}

// Whatever a bag of ROS 1 holds, it is read without a fault.
func FuzzBagOfROS1(f *testing.F) {
	f.Add(bag1(f, rosbag.WithChunksize(500))[13:])
	f.Add(bag1(f, rosbag.WithChunksize(500), rosbag.WithCompression(rosbag.CompressionNone))[4096:])
	data, err := os.ReadFile("testdata/bz2.bag")
	must(f, err)
	f.Add(data[13:])
	f.Fuzz(func(t *testing.T, data []byte) {
		_, problems := read(t, append([]byte("#ROSBAG V2.0\n"), data...))
		for _, p := range problems {
			if !strings.Contains(p, "found ") {
				t.Errorf("%q", p)
			}
		}
	})
}
