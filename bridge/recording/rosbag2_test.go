package recording_test

import (
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/mishap-robotics/mishap/bridge/recording"
	"github.com/mishap-robotics/mishap/bridge/recording/message"
	"github.com/mishap-robotics/mishap/ontology/document"
)

// detections are some as Foxglove's library writes them, in CDR.
func detections(t testing.TB) []byte {
	t.Helper()
	text, err := os.ReadFile("cdr/testdata/messages.json")
	must(t, err)
	var all []struct{ Hex string }
	must(t, json.Unmarshal(text, &all))
	data, err := hex.DecodeString(all[0].Hex)
	must(t, err)
	return data
}

// bagFile writes a file as rosbag2 does: the tables, and messages from a number on.
func bagFile(t testing.TB, path string, definitions bool, from int, data []byte) {
	t.Helper()
	written := filepath.Join(t.TempDir(), "written.db3") // the driver takes signs of the path for its own
	db, err := sql.Open("sqlite", written)
	must(t, err)
	defer func() {
		must(t, db.Close())
		must(t, os.Rename(written, path))
	}()
	run := func(query string, args ...any) {
		_, err := db.Exec(query, args...)
		must(t, err)
	}
	run(`CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL, serialization_format TEXT NOT NULL, offered_qos_profiles TEXT NOT NULL)`)
	run(`CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL, timestamp INTEGER NOT NULL, data BLOB NOT NULL)`)
	run(`INSERT INTO topics VALUES (1, '/seen', 'vision_msgs/msg/Detection3DArray', 'cdr', ''), (2, '/own', 'my/msg/Count', 'cdr', '')`)
	if definitions {
		run(`CREATE TABLE message_definitions(id INTEGER PRIMARY KEY, topic_type TEXT, encoding TEXT, encoded_message_definition TEXT, type_description_hash TEXT)`)
		run(`INSERT INTO message_definitions VALUES (1, 'my/msg/Count', 'ros2msg', 'uint32 n', '')`)
	}
	for i := 2; i >= 0; i-- { // not in the order of their times
		run(`INSERT INTO messages(topic_id, timestamp, data) VALUES (1, ?, ?)`, from+i, data)
	}
	run(`INSERT INTO messages(topic_id, timestamp, data) VALUES (2, ?, ?)`, from+3, []byte{0, 1, 0, 0, 7, 0, 0, 0})
}

// readBag lists what a bag holds, in words, and what was wrong with it.
func readBag(t testing.TB, name string) (out, problems []string) {
	t.Helper()
	r, err := recording.Open(document.Disk{}, name)
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
		text := to.Root().String()
		out = append(out, fmt.Sprintf("%d %s %s", m.LogTime, m.Channel.Topic, text[:min(30, len(text))]))
	}
	for _, p := range r.Problems() {
		problems = append(problems, p.String())
	}
	return out, problems
}

func TestBag(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a bag?")
	must(t, os.Mkdir(folder, 0o755))
	must(t, os.WriteFile(filepath.Join(folder, "metadata.yaml"), []byte("rosbag2_bagfile_information:\n  version: 5\n  storage_identifier: sqlite3\n  compression_format: \"\"\n  compression_mode: \"\"\n"), 0o600))
	bagFile(t, filepath.Join(folder, "bag_0.db3"), true, 10, detections(t))
	bagFile(t, filepath.Join(folder, "bag_10.db3"), false, 30, detections(t))
	bagFile(t, filepath.Join(folder, "bag_2.db3"), true, 20, detections(t))
	if !recording.IsFolder(document.Disk{}, folder) {
		t.Error("the folder is no bag")
	}
	out, problems := readBag(t, folder)
	var want []string
	for _, from := range []int{10, 20, 30} {
		for i := range 3 {
			want = append(want, fmt.Sprintf(`%d /seen {header: {stamp: {sec: 12, nan`, from+i))
		}
		if from < 30 {
			want = append(want, fmt.Sprintf("%d /own {n: 7}", from+3))
		}
	}
	if strings.Join(out, "\n") != strings.Join(want, "\n") {
		t.Errorf("read\n%s\nwant\n%s", strings.Join(out, "\n"), strings.Join(want, "\n"))
	}
	if len(problems) != 1 || problems[0] != `/own, message 4: found messages in "cdr" with a schema in ""; expected cdr with ros2msg or ros2idl, ros1 with ros1msg, protobuf, or json` {
		t.Errorf("%q", problems)
	}
	if out, _ := readBag(t, filepath.Join(folder, "bag_2.db3")); len(out) != 4 {
		t.Errorf("a file alone: %q", out)
	}
}

func TestCompressedBag(t *testing.T) {
	folder := t.TempDir()
	must(t, os.WriteFile(filepath.Join(folder, "metadata.yaml"), []byte("rosbag2_bagfile_information:\n  compression_format: zstd\n  compression_mode: MESSAGE\n"), 0o600))
	w, err := zstd.NewWriter(nil)
	must(t, err)
	bagFile(t, filepath.Join(folder, "bag_0.db3"), true, 10, w.EncodeAll(detections(t), nil))
	out, problems := readBag(t, folder)
	if len(out) != 3 || len(problems) != 1 || !strings.HasPrefix(problems[0], "/own, message 4: found a message that cannot be expanded (") {
		t.Errorf("%q, %q", out, problems)
	}
}

func TestBadBags(t *testing.T) {
	folder := t.TempDir()
	empty := filepath.Join(folder, "empty.db3")
	must(t, os.WriteFile(empty, nil, 0o600))
	text := filepath.Join(folder, "text.db3")
	must(t, os.WriteFile(text, []byte(strings.Repeat("no bag ", 200)), 0o600))
	view := filepath.Join(folder, "view.db3")
	db, err := sql.Open("sqlite", view)
	must(t, err)
	_, err = db.Exec(`CREATE TABLE topics(id INTEGER, name TEXT, type TEXT, serialization_format TEXT); CREATE VIEW messages AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id+1 FROM n) SELECT id, 1 AS topic_id, id AS timestamp, x'' AS data FROM n`)
	must(t, err)
	must(t, db.Close())
	squeezed := filepath.Join(folder, "squeezed")
	must(t, os.Mkdir(squeezed, 0o755))
	must(t, os.WriteFile(filepath.Join(squeezed, "metadata.yaml"), []byte("rosbag2_bagfile_information:\n  compression_format: zstd\n  compression_mode: FILE\n"), 0o600))
	bagFile(t, filepath.Join(squeezed, "a.db3"), true, 0, detections(t))
	for name, want := range map[string]string{
		empty:                                "empty.db3: found no bag of rosbag2 (no tables topics and messages); expected its SQLite file",
		text:                                 "text.db3: found no bag of rosbag2 (",
		view:                                 "view.db3: found no bag of rosbag2 (no tables topics and messages)",
		squeezed:                             "metadata.yaml: found a bag compressed by zstd (FILE); expected one that is not, or messages compressed by zstd",
		filepath.Join(folder, "missing.db3"): "missing.db3: found ",
	} {
		if _, err := recording.Open(document.Disk{}, name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v\nwant %s", filepath.Base(name), err, want)
		}
	}
}

// What is cut off a bag, or is not as it was written, does no more than end the reading.
func FuzzBag(f *testing.F) {
	path := filepath.Join(f.TempDir(), "a.db3")
	bagFile(f, path, true, 0, detections(f))
	data, err := os.ReadFile(path)
	must(f, err)
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "a.db3")
		must(t, os.WriteFile(path, data, 0o600))
		r, err := recording.Open(document.Disk{}, path)
		if err != nil {
			return
		}
		defer r.Close()
		var to message.Message
		for range 1000 {
			m, err := r.Next()
			if err != nil {
				break
			}
			_ = m.Channel.Decode(&to, m.Data)
		}
	})
}
