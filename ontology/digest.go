package ontology

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"github.com/mishap-robotics/mishap/ontology/document"
)

// Digest sums up what the documents say that the ontology was read from, in their order,
// whatever they are called. Ontologies that differ have different digests.
func (o *Ontology) Digest() [sha256.Size]byte {
	h := sha256.New()
	var size [8]byte
	for _, d := range o.sources {
		binary.LittleEndian.PutUint64(size[:], uint64(len(d.Data)))
		h.Write(size[:])
		h.Write(d.Data)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// Sources lists the documents that the ontology was read from. Nobody may change them.
func (o *Ontology) Sources() []document.Document { return slices.Clone(o.sources) }
