package ontology

import (
	"os"
	"path/filepath"
	"testing"
)

func TestReadShippedTurtle(t *testing.T) {
	files, _ := filepath.Glob("*.ttl")
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		ts, err := readTurtle(f, src)
		if err != nil {
			t.Errorf("%v", err)
		}
		t.Log(f, len(ts))
	}
}
