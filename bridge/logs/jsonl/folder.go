package jsonl

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/mishap-robotics/mishap/bridge/internal/encode"
	"github.com/mishap-robotics/mishap/engine/episode"
)

// Folder writes episodes to files of their own, named by their ids.
type Folder struct {
	// Overwrite lets it replace files that were there before.
	Overwrite bool

	path    string
	written map[string]bool // files without extension
}

// NewFolder makes a folder where it is not there yet.
func NewFolder(path string) (*Folder, error) {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, err
	}
	return &Folder{path: path, written: map[string]bool{}}, nil
}

var unsafeInFileNames = regexp.MustCompile(`[^\p{L}\p{N}_.-]+`)

// Write writes an episode to a file that ends in .jsonl, and returns its path without
// that. A second episode whose name gives the same file is an error, and so is a file
// that was there before.
func (f *Folder) Write(ep *episode.Episode) (base string, err error) {
	base = filepath.Join(f.path, unsafeInFileNames.ReplaceAllString(ep.ID, "-"))
	if f.written[base] {
		return "", fmt.Errorf("%s.jsonl is another episode of this call already; give the scenario %s a name that differs in more than signs", base, ep.ID)
	}
	f.written[base] = true
	var text bytes.Buffer
	if err := Write(&text, ep); err != nil {
		return "", err
	}
	return base, f.WriteBeside(base, ".jsonl", text.Bytes())
}

// WriteBeside writes a file that belongs to an episode, whose name is the base that Write
// gave with an ending of its own.
func (f *Folder) WriteBeside(base, ending string, data []byte) error {
	return encode.File(base+ending, f.Overwrite, data)
}
