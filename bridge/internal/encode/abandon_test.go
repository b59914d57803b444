package encode

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// What is not complete when a program is about to end is taken away, and nothing more is
// written.
func TestAbandon(t *testing.T) {
	dir := t.TempDir()
	f, err := begin(filepath.Join(dir, "half"))
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString("half of ")
	f.Close()
	Abandon()
	written := make(chan error)
	go func() { written <- File(filepath.Join(dir, "more"), true, []byte("more")) }()
	select {
	case <-written:
		t.Error("a file was written by a program that is about to end")
	case <-time.After(50 * time.Millisecond):
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
	unfinished.Unlock()
	if err := <-written; err != nil {
		t.Error(err)
	}
}
