package bench

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"github.com/mishap-robotics/mishap/bridge/internal/encode"
)

// Forms are the forms in which the result of a benchmark can be written.
type Forms interface {
	Text(io.Writer) error
	JSON(io.Writer) error
	SVG(io.Writer) error
}

// WriteFiles writes a result to the files of a name in a folder, which is made where it
// is not there: .txt, .json and, where there is anything to draw, .svg. It takes the place of
// an earlier result; another file that is there already is an error (fs.ErrExist).
func WriteFiles(folder, name string, res Forms, picture bool) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	forms := map[string]func(io.Writer) error{"txt": res.Text, "json": res.JSON}
	if picture {
		forms["svg"] = res.SVG
	}
	for suffix := range forms {
		if err := replaceable(filepath.Join(folder, name+"."+suffix)); err != nil {
			return err
		}
	}
	for suffix, form := range forms {
		var text bytes.Buffer
		if err := form(&text); err != nil {
			return err
		}
		if err := encode.File(filepath.Join(folder, name+"."+suffix), true, text.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// beginnings are those of results, which tell the version first.
var beginnings = regexp.MustCompile(`^(mishap [^\n]*, go|\{\s*"version": |<svg [^>]*>\s*<title>(mishap |Rules: ))`)

// replaceable is the error of a file that is there and is no result of a benchmark.
func replaceable(path string) error {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil // what cannot be written is told when it is
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, 1<<10))
	if err != nil {
		return err
	}
	if !beginnings.Match(head) {
		return fmt.Errorf("%s is no result of a benchmark; expected one, or a name that is free: %w", path, fs.ErrExist)
	}
	return nil
}
