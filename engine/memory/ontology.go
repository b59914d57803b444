package memory

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"

	"github.com/cayleygraph/quad"

	"github.com/mishap-robotics/mishap/engine/record"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/recorded"
)

// Settings that tell which ontology a memory holds, and of how many quads.
const (
	ontologySetting = "ontology"
	ontologyQuads   = "ontology quads"
)

// lastOntology keeps the quads of the ontology that was stated last: a process has one as a
// rule, and many memories may.
var lastOntology struct {
	sync.Mutex
	digest string
	quads  []quad.Quad
}

func digestOf(o *ontology.Ontology) string {
	h := sha256.New()
	sum := o.Digest()
	h.Write(sum[:])
	for _, d := range recorded.Shipped() {
		h.Write(d.Data)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func statedOntology(o *ontology.Ontology) (digest string, quads []quad.Quad, err error) {
	digest = digestOf(o)
	lastOntology.Lock()
	defer lastOntology.Unlock()
	if lastOntology.digest != digest {
		if quads, err = record.Ontology(o); err != nil {
			return "", nil, err
		}
		lastOntology.digest, lastOntology.quads = digest, quads
	}
	return digest, lastOntology.quads, nil
}

// ontology writes the ontology beside the episodes where it is not there, or another is.
func (w *batch) ontology() error {
	var there string
	err := w.tx.QueryRowContext(w.ctx, `SELECT value FROM setting WHERE name = ?`, ontologySetting).Scan(&there)
	if err != nil && !errors.Is(err, sql.ErrNoRows) || err == nil && there == digestOf(w.m.onto) {
		return err
	}
	digest, quads, err := statedOntology(w.m.onto)
	if err != nil {
		return err
	}
	g, err := w.node(record.OntologyGraph)
	if err != nil {
		return err
	}
	if _, err := w.tx.ExecContext(w.ctx, `DELETE FROM quad WHERE s BETWEEN 1 AND ? AND g = ?`, mask, g); err != nil {
		return err
	}
	if err := w.quads(quads); err != nil {
		return err
	}
	for name, value := range map[string]string{ontologySetting: digest, ontologyQuads: fmt.Sprint(len(quads))} {
		if _, err := w.tx.ExecContext(w.ctx, `INSERT INTO setting VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, value); err != nil {
			return err
		}
	}
	return nil
}
