package advice

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/mishap-robotics/mishap/bridge/internal/encode"
	"github.com/mishap-robotics/mishap/ontology/document"
)

// Writable reports why a proposal cannot go to a file: it is there already, has no
// folder, is no Turtle, or would take the place of a document of the same name.
func Writable(file string, documents []document.Document) error {
	switch _, err := os.Lstat(file); {
	case err == nil:
		return fmt.Errorf("%s is there already, and nothing is overwritten; give another name with -o", file)
	case !errors.Is(err, os.ErrNotExist):
		return err
	case filepath.Ext(file) != ".ttl":
		return fmt.Errorf("%s; expected a file that ends in .ttl", file)
	}
	if info, err := os.Stat(filepath.Dir(file)); err != nil || !info.IsDir() {
		return fmt.Errorf("there is no folder %s for %s", filepath.Dir(file), file)
	}
	twin := func(d document.Document) bool { return filepath.Base(d.Name) == filepath.Base(file) }
	if i := slices.IndexFunc(documents, twin); i >= 0 {
		return fmt.Errorf("with --ontology %s would take the place of %s; give another name with -o", file, documents[i].Name)
	}
	return nil
}

// WriteFile writes the proposal to a new file, or leaves none.
func (p *ActionProposal) WriteFile(file string) error {
	return encode.File(file, false, []byte(p.Turtle))
}
