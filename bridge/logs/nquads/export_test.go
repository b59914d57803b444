package nquads

import (
	"io"
	"io/fs"
	"regexp"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

// Held reads a file with a bound on the text that is held: what is held at most, and how
// often the file is read.
func Held(o *ontology.Ontology, fsys fs.FS, name string, most int) (out []*episode.Episode, peak, times int, err error) {
	r := &reader{file: name, onto: o, most: most, open: func() (io.ReadCloser, error) { return input.Open(fsys, name) }}
	err = r.read(func(ep *episode.Episode, err error) bool {
		out = append(out, ep)
		return err == nil
	})
	return out, r.peak, r.times, err
}

// IsQuad reports whether a line keeps to the grammar.
func IsQuad(line string) bool {
	_, ok := parse([]byte(line))
	return ok
}

// The grammar of a line as RDF 1.1 N-Quads has it.
const (
	spaces  = `[ \t]*`
	escape  = `\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}`
	iri     = `<[A-Za-z][A-Za-z0-9+.-]*:(?:[^\x00-\x20<>"{}|^\x60\\]|` + escape + `)*>`
	blank   = `_:[\pL\pN_](?:[\pL\pN_.·-]*[\pL\pN_·-])?`
	literal = `"(?:[^"\\\n\r]|\\[tbnrf"'\\]|` + escape + `)*"(?:@[A-Za-z]+(?:-[A-Za-z0-9]+)*|\^\^` + iri + `)?`
)

// Grammar is that grammar.
var Grammar = regexp.MustCompile(`^` + spaces + `(?:` + iri + `|` + blank + `)` + spaces + iri + spaces + `(?:` + iri + `|` + blank + `|` + literal + `)` + spaces +
	`(?:(?:` + iri + `|` + blank + `)` + spaces + `)?\.` + spaces + `(?:#.*)?$`)
