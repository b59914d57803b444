package recording

import (
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/klauspost/compress/zstd"
	_ "modernc.org/sqlite" // the driver, in Go

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/ontology/document"
)

// BagSuffix is what the names of the SQLite files of rosbag2 end in.
const BagSuffix = ".db3"

// bagMetadata is the file that a folder of rosbag2 has.
const bagMetadata = "metadata.yaml"

// IsFolder reports whether a folder is a bag that rosbag2 wrote to SQLite files.
func IsFolder(fsys fs.FS, folder string) bool {
	if _, err := fs.Stat(fsys, path.Join(folder, bagMetadata)); err != nil {
		return false
	}
	files, err := bagFiles(fsys, folder)
	return err == nil && len(files) > 0
}

// bagFiles are the SQLite files of a folder, by name.
func bagFiles(fsys fs.FS, folder string) ([]string, error) {
	entries, err := fs.ReadDir(fsys, folder)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), BagSuffix) && !e.IsDir() {
			out = append(out, path.Join(folder, e.Name()))
		}
	}
	// name_2.db3 comes before name_10.db3
	slices.SortStableFunc(out, func(a, b string) int { return len(a) - len(b) })
	return out, nil
}

// bag reads the SQLite files of rosbag2, one after the other.
type bag struct {
	files      []string
	compressed bool // each message by zstd
	db         *sql.DB
	rows       *sql.Rows
	channels   map[int64]*Channel
}

// openBag opens a bag of rosbag2: its folder, or one of its files.
func openBag(fsys fs.FS, name string) (*Reader, error) {
	if _, ok := fsys.(document.Disk); !ok {
		return nil, &input.Error{File: name, Found: "a bag in SQLite that is no file of this system", Expected: "one on disk"}
	}
	b := &bag{files: []string{name}}
	folder := path.Dir(filepath.ToSlash(name))
	if info, err := fs.Stat(fsys, name); err == nil && info.IsDir() {
		folder = name
		if b.files, err = bagFiles(fsys, name); err != nil {
			return nil, &input.Error{File: name, Found: input.Cause(err), Expected: "a readable folder", Err: err}
		}
	}
	if err := b.metadata(fsys, path.Join(folder, bagMetadata)); err != nil {
		return nil, err
	}
	for _, f := range b.files {
		if err := input.Regular(fsys, f); err != nil {
			return nil, err
		}
	}
	r := &Reader{file: name, kept: map[string]int{}, place: Place{Inner: -1}, bag: b, profile: "ros2"}
	for _, f := range b.files { // so that the first call tells of a file that is none
		if err := r.describe(f); err != nil {
			b.Close()
			return nil, err
		}
	}
	return r, nil
}

// metadata reads how a bag is compressed, where it says.
func (b *bag) metadata(fsys fs.FS, name string) error {
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil // a file without its folder
	}
	var m struct {
		Bag struct {
			Format string `yaml:"compression_format"`
			Mode   string `yaml:"compression_mode"`
		} `yaml:"rosbag2_bagfile_information"`
	}
	if err := yaml.Unmarshal(text, &m); err != nil {
		return nil // the messages are what matters
	}
	mode := strings.ToUpper(m.Bag.Mode)
	switch {
	case mode == "" || mode == "NONE" || m.Bag.Format == "":
	case mode == "MESSAGE" && m.Bag.Format == "zstd":
		b.compressed = true
	default:
		return &input.Error{File: name, Found: fmt.Sprintf("a bag compressed by %s (%s)", input.Clip(m.Bag.Format), input.Clip(m.Bag.Mode)), Expected: "one that is not, or messages compressed by zstd; \"ros2 bag convert\" makes one"}
	}
	return nil
}

// open opens a file for reading alone.
func (b *bag) open(file string) error {
	b.Close()
	at := (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: file}).EscapedPath(), RawQuery: "mode=ro&immutable=1&_pragma=trusted_schema(0)"}).String()
	db, err := sql.Open("sqlite", at)
	if err != nil {
		return err
	}
	b.db = db
	var tables int // views could take forever
	if err := db.QueryRow(`SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN ('topics', 'messages')`).Scan(&tables); err != nil {
		return err
	}
	if tables != 2 {
		return errors.New("no tables topics and messages")
	}
	return nil
}

// Close closes what is open.
func (b *bag) Close() error {
	if b.rows != nil {
		b.rows.Close()
		b.rows = nil
	}
	if b.db == nil {
		return nil
	}
	db := b.db
	b.db = nil
	return db.Close()
}

// describe takes the channels of a file, with the definitions that it has of their types.
func (r *Reader) describe(file string) error {
	bad := func(err error) error {
		return &input.Error{File: file, Found: "no bag of rosbag2 (" + input.Clip(err.Error()) + ")", Expected: "its SQLite file", Err: err}
	}
	b := r.bag
	if err := b.open(file); err != nil {
		return bad(err)
	}
	definitions := map[string][2]string{}
	var has int
	if err := b.db.QueryRow(`SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'message_definitions'`).Scan(&has); err == nil && has == 1 {
		rows, err := b.db.Query(`SELECT topic_type, encoding, encoded_message_definition FROM message_definitions`)
		if err != nil {
			return bad(err)
		}
		defer rows.Close()
		for rows.Next() {
			var name, encoding, text string
			if err := rows.Scan(&name, &encoding, &text); err != nil {
				return bad(err)
			}
			definitions[name] = [2]string{encoding, text}
		}
	}
	rows, err := b.db.Query(`SELECT id, name, type, serialization_format FROM topics ORDER BY id`)
	if err != nil {
		return bad(err)
	}
	defer rows.Close()
	b.channels = map[int64]*Channel{}
	for rows.Next() {
		var id int64
		c := &Channel{}
		if err := rows.Scan(&id, &c.Topic, &c.Type, &c.Encoding); err != nil {
			return bad(err)
		}
		d, ok := definitions[c.Type]
		if !ok || d[1] == "" {
			d = [2]string{"ros2msg", common[strings.Replace(c.Type, "/msg/", "/", 1)]}
		}
		if c.SchemaEncoding, c.Schema = d[0], []byte(d[1]); d[1] == "" {
			c.SchemaEncoding = ""
		}
		b.channels[id] = c
		if !slices.ContainsFunc(r.order, func(o *Channel) bool { return o.Topic == c.Topic }) {
			r.order = append(r.order, c)
		}
	}
	if err := rows.Err(); err != nil {
		return bad(err)
	}
	return nil
}

// nextOfBag is the next message of a bag, in the order of their times.
func (r *Reader) nextOfBag() (*Message, error) {
	b := r.bag
	for {
		if b.rows == nil {
			if len(b.files) == 0 {
				return nil, io.EOF
			}
			file := b.files[0]
			b.files = b.files[1:]
			if err := r.describe(file); err != nil {
				return nil, err
			}
			rows, err := b.db.Query(`SELECT id, topic_id, timestamp, data FROM messages ORDER BY timestamp, id`)
			if err != nil {
				return nil, &input.Error{File: file, Found: "messages that cannot be read (" + input.Clip(err.Error()) + ")", Expected: "a bag of rosbag2", Err: err}
			}
			b.rows = rows
		}
		if !b.rows.Next() {
			if err := b.rows.Err(); err != nil {
				r.report("", "messages that cannot be read ("+input.Clip(err.Error())+")", "a whole bag; what comes before is read")
			}
			b.rows.Close()
			b.rows = nil
			continue
		}
		if m := r.row(b); m != nil {
			return m, nil
		}
	}
}

// row is the message of a row, nil where it is none.
func (r *Reader) row(b *bag) *Message {
	var id, topic, at int64
	var data sql.RawBytes
	if err := b.rows.Scan(&id, &topic, &at, &data); err != nil {
		r.report("", "a row that is no message ("+input.Clip(err.Error())+")", "topic, time and data")
		return nil
	}
	r.place = Place{Offset: id, Inner: -1, Row: true}
	c := b.channels[topic]
	if c == nil {
		r.report("", fmt.Sprintf("a message of topic %d, of which nothing is known", topic), "a topic of the bag")
		return nil
	}
	body := []byte(data)
	if b.compressed {
		if r.zstd == nil {
			d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(MaxChunk))
			if err != nil {
				r.report(c.Topic, "a message that cannot be expanded ("+err.Error()+")", "")
				return nil
			}
			r.zstd = d
		}
		expanded, err := r.zstd.DecodeAll(data, r.expanded[:0])
		if err != nil {
			r.report(c.Topic, "a message that cannot be expanded ("+err.Error()+")", "one compressed by zstd")
			return nil
		}
		r.expanded, body = expanded, expanded
	}
	r.next = Message{Channel: c, LogTime: uint64(max(0, at)), PublishTime: uint64(max(0, at)), Data: body, Place: r.place}
	return &r.next
}
