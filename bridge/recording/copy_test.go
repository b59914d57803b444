package recording_test

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/bridge/recording"
	"github.com/mishap-robotics/mishap/ontology/document"
)

// contents lists what the MCAP library reads of a recording: profile, channels with their
// schemas, messages, attachments and metadata.
func contents(t testing.TB, data []byte) (out []string) {
	t.Helper()
	lexer, err := mcap.NewLexer(bytes.NewReader(data), &mcap.LexerOptions{ValidateChunkCRCs: true, ComputeAttachmentCRCs: true, AttachmentCallback: func(a *mcap.AttachmentReader) error {
		body, err := io.ReadAll(a.Data())
		must(t, err)
		sum, err := a.ComputedCRC()
		must(t, err)
		parsed, err := a.ParsedCRC()
		must(t, err)
		out = append(out, fmt.Sprintf("attachment %s %s %d %d %q %v", a.Name, a.MediaType, a.LogTime, a.CreateTime, body, sum == parsed))
		return nil
	}})
	must(t, err)
	defer lexer.Close()
	schemas, channels := map[uint16]*mcap.Schema{}, map[uint16]string{}
	for {
		op, body, err := lexer.Next(nil)
		if err == io.EOF {
			return out
		}
		must(t, err)
		switch op {
		case mcap.TokenHeader:
			h, err := mcap.ParseHeader(body)
			must(t, err)
			out = append(out, "profile "+h.Profile)
		case mcap.TokenSchema:
			s, err := mcap.ParseSchema(body)
			must(t, err)
			schemas[s.ID] = s
		case mcap.TokenChannel:
			c, err := mcap.ParseChannel(body)
			must(t, err)
			channels[c.ID] = fmt.Sprintf("%s %s %v", c.Topic, c.MessageEncoding, c.Metadata)
			if s := schemas[c.SchemaID]; s != nil {
				channels[c.ID] += fmt.Sprintf(" %s %s %d", s.Name, s.Encoding, len(s.Data))
			}
		case mcap.TokenMessage:
			m, err := mcap.ParseMessage(body)
			must(t, err)
			out = append(out, fmt.Sprintf("%s: %d at %d, sent %d: %x", channels[m.ChannelID], m.Sequence, m.LogTime, m.PublishTime, m.Data))
		case mcap.TokenMetadata:
			m, err := mcap.ParseMetadata(body)
			must(t, err)
			out = append(out, fmt.Sprintf("metadata %s %v", m.Name, m.Metadata))
		case mcap.TokenDataEnd:
			return out
		}
	}
}

// whole is a recording with all that one may have.
func whole(t testing.TB) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := mcap.NewWriter(&out, &mcap.WriterOptions{Chunked: true, ChunkSize: 50, Compression: mcap.CompressionLZ4})
	must(t, err)
	must(t, w.WriteHeader(&mcap.Header{Profile: "ros2"}))
	must(t, w.WriteSchema(&mcap.Schema{ID: 7, Name: "t/msg/Count", Encoding: "ros2msg", Data: []byte("uint32 n")}))
	must(t, w.WriteChannel(&mcap.Channel{ID: 9, SchemaID: 7, Topic: "/n", MessageEncoding: "cdr", Metadata: map[string]string{"offered_qos_profiles": "reliable"}}))
	must(t, w.WriteChannel(&mcap.Channel{ID: 12, Topic: "/bare", MessageEncoding: "json"}))
	for i, at := range []uint64{10, 30, 20, 40} {
		must(t, w.WriteMessage(&mcap.Message{ChannelID: []uint16{9, 12}[i%2], Sequence: uint32(i) + 100, LogTime: at, PublishTime: at - 1, Data: []byte{byte(i)}}))
	}
	must(t, w.WriteAttachment(&mcap.Attachment{LogTime: 5, CreateTime: 6, Name: "notes.txt", MediaType: "text/plain", DataSize: 5, Data: strings.NewReader("hello")}))
	must(t, w.WriteMetadata(&mcap.Metadata{Name: "robot", Metadata: map[string]string{"serial": "7"}}))
	must(t, w.Close())
	return out.Bytes()
}

func copied(t testing.TB, r *recording.Reader, added ...recording.Addition) []byte {
	t.Helper()
	var out bytes.Buffer
	must(t, recording.Copy(&out, r, added))
	return out.Bytes()
}

func reader(t testing.TB, data []byte) *recording.Reader {
	t.Helper()
	r, err := recording.NewReader("a.mcap", bytes.NewReader(data))
	must(t, err)
	return r
}

// A copy has what the recording has, and what is added where its time is.
func TestCopy(t *testing.T) {
	data := whole(t)
	was := contents(t, data)
	if len(was) != 7 {
		t.Fatalf("the recording has %q", was)
	}
	order := func(of []string) []string { // attachments and metadata stand outside chunks, whose ends differ
		return slices.SortedStableFunc(slices.Values(of), func(a, b string) int {
			return strings.Compare(a[:1], b[:1])
		})
	}
	if diff := cmp.Diff(order(was), order(contents(t, copied(t, reader(t, data))))); diff != "" {
		t.Errorf("copy (-want +got):\n%s", diff)
	}

	added := []recording.Addition{
		{Topic: "/found", Type: "t.Found", Schema: []byte(`{}`), LogTime: 50, Data: []byte("2")},
		{Topic: "/found", Type: "t.Found", Schema: []byte(`{}`), LogTime: 25, Data: []byte("1")},
	}
	var found []string
	is := contents(t, copied(t, reader(t, data), added...))
	for i, line := range is {
		if strings.HasPrefix(line, "/found") {
			found = append(found, fmt.Sprintf("%d of %d: %s", i, len(is), line))
		}
	}
	want := []string{
		"4 of 9: /found json map[] t.Found jsonschema 2: 1 at 25, sent 25: 31",
		"8 of 9: /found json map[] t.Found jsonschema 2: 2 at 50, sent 50: 32",
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("added (-want +got):\n%s\n%s", diff, strings.Join(is, "\n"))
	}
}

// Of a recording that breaks off what can be read is copied; what is added is there all the
// same.
func TestCopyOfWhatBreaksOff(t *testing.T) {
	data := record(t, mcap.WriterOptions{Chunked: true, ChunkSize: 400, IncludeCRC: true, Compression: mcap.CompressionZSTD})
	r := reader(t, data[:len(data)/3])
	copied := contents(t, copied(t, r, recording.Addition{Topic: "/found", Type: "t.Found", LogTime: count, Data: []byte("{}")}))
	messages, problems := read(t, data[:len(data)/3])
	if len(r.Problems()) == 0 || len(problems) == 0 {
		t.Error("nothing is told of where it breaks off")
	}
	if n := len(copied) - 2; n != len(messages) || n == 0 || !strings.HasPrefix(copied[len(copied)-1], "/found") {
		t.Errorf("%d messages were copied of the %d that can be read; last %q", n, len(messages), copied[len(copied)-1])
	}
}

// Bags of rosbag2 become MCAP, with the definitions of what they hold.
func TestCopyOfBag(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run_0.db3")
	bagFile(t, dir, true, 0, detections(t))
	r, err := recording.Open(document.Disk{}, dir)
	must(t, err)
	defer r.Close()
	out := copied(t, r)
	got := contents(t, out)
	if len(got) < 2 || got[0] != "profile ros2" {
		t.Fatalf("copied %q", got)
	}
	was, _ := readBag(t, dir)
	is, problems := read(t, out)
	if len(problems) > 0 || len(is) != len(was) {
		t.Errorf("read of the copy: %q, %q; of the bag %q", is, problems, was)
	}
}

// Whatever a recording is, a copy of it can be read without a fault, and has as many
// messages.
func FuzzCopy(f *testing.F) {
	f.Add(whole(f))
	f.Add(whole(f)[:200])
	for _, form := range forms {
		f.Add(record(f, form.WriterOptions))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		count := func(data []byte) (n int, problems []recording.Problem) {
			r, err := recording.NewReader("a.mcap", bytes.NewReader(data))
			if err != nil {
				t.Skip()
			}
			defer r.Close()
			for {
				if _, err := r.Next(); err != nil {
					return n, r.Problems()
				}
				n++
			}
		}
		r, err := recording.NewReader("a.mcap", bytes.NewReader(data))
		if err != nil {
			return
		}
		defer r.Close()
		var out bytes.Buffer
		must(t, recording.Copy(&out, r, nil))
		was, _ := count(data)
		is, problems := count(out.Bytes())
		if is != was || len(problems) > 0 {
			t.Errorf("%d messages of %d, %v", is, was, problems)
		}
	})
}
