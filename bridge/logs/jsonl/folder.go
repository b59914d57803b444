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

// NewFolder is a folder that is made, where it is not there yet, when the first file is written.
func NewFolder(path string) *Folder { return &Folder{path: path, written: map[string]bool{}} }

var unsafeInFileNames = regexp.MustCompile(`[^\p{L}\p{N}_.-]+`)

// Write writes an episode to a file that ends in .jsonl, as WriteAs does.
func (f *Folder) Write(ep *episode.Episode) (base string, err error) {
	var text bytes.Buffer
	if err := Write(&text, ep); err != nil {
		return "", err
	}
	return f.WriteAs(ep, ".jsonl", text.Bytes())
}

// WriteAs writes the log of an episode to a file with an ending, and returns its path without
// that. A second episode whose name gives the same file is an error, and so is a file
// that was there before.
func (f *Folder) WriteAs(ep *episode.Episode, ending string, log []byte) (base string, err error) {
	base = filepath.Join(f.path, unsafeInFileNames.ReplaceAllString(ep.ID, "-"))
	if f.written[base] {
		return "", fmt.Errorf("%s%s is another episode of this call already; give the scenario %s a name that differs in more than signs", base, ending, ep.ID)
	}
	f.written[base] = true
	if err := os.MkdirAll(f.path, 0o755); err != nil {
		return "", err
	}
	return base, f.WriteBeside(base, ending, log)
}

// WriteFile writes an episode to a file; one that is there already is an error unless it is
// to be overwritten.
func WriteFile(path string, overwrite bool, ep *episode.Episode) error {
	var text bytes.Buffer
	if err := Write(&text, ep); err != nil {
		return err
	}
	return encode.File(path, overwrite, text.Bytes())
}

// WriteBeside writes a file that belongs to an episode, whose name is the base that Write
// gave with an ending of its own.
func (f *Folder) WriteBeside(base, ending string, data []byte) error {
	return encode.File(base+ending, f.Overwrite, data)
}
