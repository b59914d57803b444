package rules

import (
	"crypto/sha256"
	"fmt"
)

// Digest sums up the clauses of a program, in their order and with their lines, whatever
// their files are called. Programs that differ have different digests.
func (p *Program) Digest() [sha256.Size]byte {
	h := sha256.New()
	for _, c := range p.Clauses {
		fmt.Fprintf(h, "%d %s\n", c.Pos.Line, c)
	}
	return [sha256.Size]byte(h.Sum(nil))
}
