package bench

import (
	"bytes"
	"io"
	"os"
	"path/filepath"

	"github.com/mishap-robotics/mishap/bridge/internal/encode"
)

// Forms are the forms in which the result of a benchmark can be written.
type Forms interface {
	Text(io.Writer) error
	JSON(io.Writer) error
	SVG(io.Writer) error
}

// WriteFiles writes a result to the files of a name in a folder, which is made where it
// is not there: .txt, .json and, where there is anything to draw, .svg.
func WriteFiles(folder, name string, res Forms, picture bool) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	forms := map[string]func(io.Writer) error{"txt": res.Text, "json": res.JSON}
	if picture {
		forms["svg"] = res.SVG
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
