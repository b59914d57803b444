package live

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/mishap-robotics/mishap/bridge/internal/encode"
	"github.com/mishap-robotics/mishap/bridge/recording"
)

// MaxRing is how many bytes of messages a ring keeps at most.
const MaxRing = 512 << 20

// Ring keeps the last messages of a client, so that those before a failure can be written when
// it shows. One goroutine may read from it while another saves.
type Ring struct {
	*Client
	span time.Duration

	mu    sync.Mutex
	kept  []recording.Message
	bytes int
	saved string // file that was written last
	until uint64 // when its last message came
}

// NewRing keeps the messages of so long.
func NewRing(of *Client, span time.Duration) *Ring { return &Ring{Client: of, span: span} }

// Next is that of the client.
func (r *Ring) Next() (*recording.Message, error) {
	m, err := r.Client.Next()
	if err != nil {
		return nil, err
	}
	kept := *m
	kept.Data = slices.Clone(m.Data)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kept = append(r.kept, kept)
	r.bytes += len(kept.Data)
	gone := 0
	for ; gone < len(r.kept)-1; gone++ {
		if old := &r.kept[gone]; r.bytes <= MaxRing && old.LogTime+uint64(r.span) >= kept.LogTime {
			break
		}
		r.bytes -= len(r.kept[gone].Data)
	}
	r.kept = slices.Delete(r.kept, 0, gone)
	return m, nil
}

// Save writes what is kept to a folder, which is made where it is not there, as MCAP. The file
// is named for the time of the last message and for what showed then. Where nothing came since
// the last was written, and another thing shows, the same file has a second name; it is "" where
// the same shows again.
func (r *Ring) Save(folder, what string) (file string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.kept) == 0 {
		return "", nil
	}
	last := r.kept[len(r.kept)-1].LogTime
	at := time.Unix(int64(last/1e9), int64(last%1e9)).UTC().Format("20060102T150405.000Z")
	file = filepath.Join(folder, at+"-"+what+recording.Suffix)
	if _, err := os.Stat(file); err == nil && r.until == last {
		return "", nil
	}
	if r.saved != "" && r.until == last && os.Link(r.saved, file) == nil {
		return file, nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	if err := encode.Stream(file, false, func(w io.Writer) error { return recording.Write(w, r.kept) }); err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	r.saved, r.until = file, last
	return file, nil
}
