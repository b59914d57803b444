package recording_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/foxglove/mcap/go/mcap"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/mishap-robotics/mishap/bridge/recording"
	"github.com/mishap-robotics/mishap/bridge/recording/message"
)

const count = 40

// form is how a recording is written.
type form struct {
	name string
	mcap.WriterOptions
}

var forms = []form{
	{"plain", mcap.WriterOptions{}},
	{"chunks", mcap.WriterOptions{Chunked: true, ChunkSize: 400, IncludeCRC: true}},
	{"lz4", mcap.WriterOptions{Chunked: true, ChunkSize: 400, IncludeCRC: true, Compression: mcap.CompressionLZ4}},
	{"zstd", mcap.WriterOptions{Chunked: true, ChunkSize: 400, IncludeCRC: true, Compression: mcap.CompressionZSTD}},
	{"no index", mcap.WriterOptions{Chunked: true, ChunkSize: 400, SkipSummaryOffsets: true, SkipStatistics: true, SkipMessageIndexing: true, SkipChunkIndex: true, SkipRepeatedSchemas: true, SkipRepeatedChannelInfos: true}},
}

// record writes count messages: in turn in CDR, JSON and Protocol Buffers.
func record(t testing.TB, o mcap.WriterOptions) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := mcap.NewWriter(&out, &o)
	if err != nil {
		t.Fatal(err)
	}
	descriptor := protodesc.ToFileDescriptorProto((&timestamppb.Timestamp{}).ProtoReflect().Descriptor().ParentFile())
	set, err := proto.Marshal(&descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{descriptor}})
	must(t, err)
	must(t, w.WriteHeader(&mcap.Header{}))
	must(t, w.WriteSchema(&mcap.Schema{ID: 1, Name: "t/msg/Count", Encoding: "ros2msg", Data: []byte("uint32 n\nstring text")}))
	must(t, w.WriteSchema(&mcap.Schema{ID: 2, Name: "google.protobuf.Timestamp", Encoding: "protobuf", Data: set}))
	must(t, w.WriteChannel(&mcap.Channel{ID: 1, SchemaID: 1, Topic: "/cdr", MessageEncoding: "cdr"}))
	must(t, w.WriteChannel(&mcap.Channel{ID: 2, Topic: "/json", MessageEncoding: "json"}))
	must(t, w.WriteChannel(&mcap.Channel{ID: 3, SchemaID: 2, Topic: "/proto", MessageEncoding: "protobuf"}))
	for i := range count {
		data := []byte{0, 1, 0, 0, byte(i), 0, 0, 0, 3, 0, 0, 0, 'a', 'b', 0}
		switch i % 3 {
		case 1:
			data = fmt.Appendf(nil, `{"n": %d, "text": "ab"}`, i)
		case 2:
			data, err = proto.Marshal(&timestamppb.Timestamp{Seconds: int64(i)})
			must(t, err)
		}
		must(t, w.WriteMessage(&mcap.Message{ChannelID: uint16(i%3 + 1), LogTime: uint64(i), PublishTime: uint64(i), Data: data}))
	}
	must(t, w.Close())
	return out.Bytes()
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// read lists what a recording holds, in words, and what was wrong with it.
func read(t testing.TB, data []byte) (messages, problems []string) {
	t.Helper()
	r, err := recording.NewReader("a.mcap", bytes.NewReader(data))
	must(t, err)
	defer r.Close()
	var to message.Message
	for {
		m, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		must(t, err)
		if err := m.Channel.Decode(&to, m.Data); err != nil {
			r.Report(m.Problem(err))
			continue
		}
		messages = append(messages, fmt.Sprintf("%d %s %s", m.LogTime, m.Channel.Topic, to.Root()))
	}
	for _, p := range r.Problems() {
		problems = append(problems, p.String())
	}
	return messages, problems
}

func expected() []string {
	var out []string
	for i := range count {
		out = append(out, fmt.Sprintf([]string{"%d /cdr {n: %d, text: \"ab\"}", "%d /json {n: %d, text: \"ab\"}", "%d /proto {seconds: %d, nanos: 0}"}[i%3], i, i))
	}
	return out
}

func TestRead(t *testing.T) {
	for _, f := range forms {
		t.Run(f.name, func(t *testing.T) {
			messages, problems := read(t, record(t, f.WriterOptions))
			if got, want := strings.Join(messages, "\n"), strings.Join(expected(), "\n"); got != want {
				t.Errorf("read %s\nwant %s", got, want)
			}
			if len(problems) > 0 {
				t.Errorf("%q", problems)
			}
		})
	}
}

// Wherever a recording breaks off, what stands before is read, and that it breaks off is
// said.
func TestBreaksOff(t *testing.T) {
	want := expected()
	for _, f := range forms {
		t.Run(f.name, func(t *testing.T) {
			data := record(t, f.WriterOptions)
			end := bytes.Index(data, append([]byte{byte(mcap.OpDataEnd), 4}, make([]byte, 7)...))
			partial := 0
			for n := 8; n < end; n += 7 {
				messages, problems := read(t, data[:n])
				for i, m := range messages {
					if m != want[i] {
						t.Fatalf("after %d bytes message %d is %s", n, i, m)
					}
				}
				if len(problems) == 0 {
					t.Fatalf("cut off at %d of %d bytes: no problem told", n, len(data))
				}
				partial = max(partial, len(messages))
			}
			if partial < count-12 {
				t.Errorf("at most %d messages are read of a recording that breaks off", partial)
			}
		})
	}
}

// A broken message, a wrong checksum, an unknown compression and the like are named with topic
// and place, and the rest is read.
func TestDamaged(t *testing.T) {
	chunked := forms[1].WriterOptions
	for _, tt := range []struct {
		name   string
		damage func([]byte) []byte
		want   string
		least  int // messages that are still read
	}{
		{"checksum", func(b []byte) []byte {
			b[bytes.Index(b, []byte{3, 0, 0, 0, 'a', 'b', 0})+4] = 'x'
			return b
		}, "byte 38: found a chunk whose checksum is ", 30},
		{"a text that is too long", func(b []byte) []byte {
			copy(b[bytes.Index(b, []byte{3, 0, 0, 0, 'a', 'b', 0}):], "\xff")
			return without(b)
		}, "/cdr, byte ", 39},
		{"bomb", func(b []byte) []byte {
			binary.LittleEndian.PutUint64(b[at(b, mcap.OpChunk)+9+16:], 1<<40)
			return b
		}, "found a chunk of 1099511627776 bytes once expanded; expected at most 268435456", 30},
		{"a record that is too long", func(b []byte) []byte {
			binary.LittleEndian.PutUint64(b[at(b, mcap.OpChunk)+1:], 1<<60)
			return b
		}, "found a chunk of 1152921504606846976 bytes; expected at most 268435456", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			messages, problems := read(t, tt.damage(record(t, chunked)))
			if !strings.Contains(strings.Join(problems, "\n"), tt.want) {
				t.Errorf("%q\nwant %s", problems, tt.want)
			}
			if len(messages) < tt.least || len(messages) == count {
				t.Errorf("%d messages are read", len(messages))
			}
		})
	}
}

// at is where the first record of a kind stands, by going from record to record.
func at(b []byte, op mcap.OpCode) int {
	for n := len(mcap.Magic); ; n += 9 + int(binary.LittleEndian.Uint64(b[n+1:])) {
		if mcap.OpCode(b[n]) == op {
			return n
		}
	}
}

// without takes the checksums off the chunks.
func without(b []byte) []byte {
	for n := len(mcap.Magic); mcap.OpCode(b[n]) != mcap.OpDataEnd; n += 9 + int(binary.LittleEndian.Uint64(b[n+1:])) {
		if mcap.OpCode(b[n]) == mcap.OpChunk {
			copy(b[n+9+24:], "\x00\x00\x00\x00")
		}
	}
	return b
}

// A chunk that grows beyond what it says is read no further than that.
func TestChunkThatGrows(t *testing.T) {
	for _, f := range forms[2:4] {
		data := record(t, f.WriterOptions)
		n := at(data, mcap.OpChunk) + 9 + 16
		binary.LittleEndian.PutUint64(data[n:], binary.LittleEndian.Uint64(data[n:])-30)
		messages, problems := read(t, data)
		if len(problems) == 0 || !strings.Contains(problems[0], "and is longer") || len(messages) < 25 {
			t.Errorf("%s: %d messages, %q", f.name, len(messages), problems)
		}
	}
}

func TestNoRecording(t *testing.T) {
	for text, want := range map[string]string{
		"":           "a.mcap: found an empty file; expected a recording (MCAP, or a bag of ROS)",
		"#ROSBAG V2": `a.mcap: found a file that begins with "#ROSBAG "; expected a recording (MCAP, or a bag of ROS)`,
		"\x89MCAP1":  `a.mcap: found a file that begins with "\x89MCAP1"; expected`,
	} {
		if _, err := recording.NewReader("a.mcap", strings.NewReader(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v\nwant %s", text, err, want)
		}
	}
}

// What a channel says of its messages and is not so is told with the first of them, a few
// times, and then counted.
func TestUnreadableChannels(t *testing.T) {
	for _, tt := range []struct{ name, encoding, schema, data, text, want string }{
		{"unknown", "cbor", "", "", "x", `found messages in "cbor" with a schema in ""; expected cdr with ros2msg or ros2idl, ros1 with ros1msg, protobuf, or json`},
		{"recurs", "cdr", "ros2msg", "t/T t", "\x00\x01\x00\x00", "found a type within itself (definition of t/T, line 0); expected types that do not recur"},
		{"no descriptors", "protobuf", "protobuf", "\xff", "x", "found no descriptors of protobuf"},
		{"not its own", "protobuf", "protobuf", "", "x", "found no t/T in the descriptors; expected its own"},
		{"no JSON", "json", "", "", "{", "found no JSON ("},
		{"deep JSON", "json", "", "", strings.Repeat("[", 1000), "found no JSON ("},
	} {
		var out bytes.Buffer
		w, err := mcap.NewWriter(&out, &mcap.WriterOptions{})
		must(t, err)
		must(t, w.WriteHeader(&mcap.Header{}))
		c := &mcap.Channel{ID: 1, Topic: "/t", MessageEncoding: tt.encoding}
		if tt.schema != "" {
			c.SchemaID = 1
			must(t, w.WriteSchema(&mcap.Schema{ID: 1, Name: "t/T", Encoding: tt.schema, Data: []byte(tt.data)}))
		}
		must(t, w.WriteChannel(c))
		for range 9 {
			must(t, w.WriteMessage(&mcap.Message{ChannelID: 1, Data: []byte(tt.text)}))
		}
		must(t, w.Close())
		messages, problems := read(t, out.Bytes())
		all := strings.Join(problems, "\n")
		if len(messages) != 0 || len(problems) != 5 || !strings.HasSuffix(all, "(and 4 more)") || !strings.Contains(all, tt.want) {
			t.Errorf("%s: %q", tt.name, problems)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, form := range forms {
		f.Add(record(f, form.WriterOptions))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := recording.NewReader("a.mcap", bytes.NewReader(data))
		if err != nil {
			return
		}
		defer r.Close()
		var to message.Message
		for range 10_000 {
			m, err := r.Next()
			if err != nil {
				break
			}
			if err := m.Channel.Decode(&to, m.Data); err != nil {
				_ = m.Problem(err).String()
			}
		}
	})
}

// BenchmarkSkip reads a recording without decoding its messages, ours and the library's way.
func BenchmarkSkip(b *testing.B) {
	var out bytes.Buffer
	w, err := mcap.NewWriter(&out, &mcap.WriterOptions{Chunked: true, ChunkSize: 1 << 20, Compression: mcap.CompressionLZ4, IncludeCRC: true})
	must(b, err)
	must(b, w.WriteHeader(&mcap.Header{}))
	must(b, w.WriteChannel(&mcap.Channel{ID: 1, Topic: "/t", MessageEncoding: "json"}))
	for i := range 50_000 {
		data := fmt.Appendf(nil, `{"n": %d, "text": "%0400d"}`, i, i*i)
		must(b, w.WriteMessage(&mcap.Message{ChannelID: 1, LogTime: uint64(i), Data: data}))
	}
	must(b, w.Close())
	b.Run("mishap", func(b *testing.B) {
		b.SetBytes(50_000 * 420)
		for b.Loop() {
			r, err := recording.NewReader("a.mcap", bytes.NewReader(out.Bytes()))
			must(b, err)
			n := 0
			for {
				if _, err := r.Next(); err != nil {
					break
				}
				n++
			}
			if n != 50_000 {
				b.Fatal(n)
			}
			r.Close()
		}
	})
	b.Run("library", func(b *testing.B) {
		b.SetBytes(50_000 * 420)
		for b.Loop() {
			l, err := mcap.NewLexer(bytes.NewReader(out.Bytes()), &mcap.LexerOptions{ValidateChunkCRCs: true})
			must(b, err)
			n := 0
			buf := make([]byte, 1<<12)
			for {
				token, _, err := l.Next(buf)
				if err != nil {
					break
				}
				if token == mcap.TokenMessage {
					n++
				}
			}
			if n != 50_000 {
				b.Fatal(n)
			}
			l.Close()
		}
	})
}
