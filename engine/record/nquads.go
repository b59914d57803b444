package record

import (
	"bufio"
	"io"
	"slices"
	"strings"

	"github.com/cayleygraph/quad"
	"github.com/cayleygraph/quad/nquads"
)

// WriteNQuads writes quads as N-Quads, sorted.
func WriteNQuads(w io.Writer, quads []quad.Quad) error {
	sorted := slices.Clone(quads)
	slices.SortFunc(sorted, func(a, b quad.Quad) int { return strings.Compare(a.NQuad(), b.NQuad()) })
	buffered := bufio.NewWriter(w)
	out := nquads.NewWriter(buffered)
	for _, q := range sorted {
		if err := out.WriteQuad(q); err != nil {
			return err
		}
	}
	if err := out.Close(); err != nil {
		return err
	}
	return buffered.Flush()
}
