package encode_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/bridge/internal/encode"
)

func TestFile(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	holds := func(name, want string) {
		t.Helper()
		if data, err := os.ReadFile(at(name)); err != nil || string(data) != want {
			t.Errorf("%s holds %q, %v; want %q", name, data, err, want)
		}
	}
	write := func(name string, overwrite bool, data string) error {
		return encode.File(at(name), overwrite, []byte(data))
	}
	if err := write("a", false, "one"); err != nil {
		t.Fatal(err)
	}
	holds("a", "one")
	if err := write("a", false, "two"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error %v", err)
	}
	holds("a", "one")
	if err := write("a", true, "two"); err != nil {
		t.Fatal(err)
	}
	holds("a", "two")
	if err := os.Symlink(at("a"), at("link")); err != nil {
		t.Skip(err)
	}
	for _, name := range []string{"link", "dangling"} {
		os.Symlink(at("nowhere"), at("dangling"))
		if err := write(name, true, "three"); err == nil || !strings.Contains(err.Error(), "symbolic link") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	holds("a", "two")
	if err := write("no/such/folder", true, "x"); err == nil {
		t.Error("written to a folder that is not there")
	}
	if err := write("", true, "x"); err == nil || !strings.Contains(err.Error(), "folder") {
		t.Errorf("error %v, want that it is a folder", err)
	}
	if err := encode.File(os.DevNull, false, []byte("x")); err != nil {
		t.Errorf("a device: %v", err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 3 {
		t.Errorf("%v is left of what was not written, %v", left, err)
	}
}

// A file that cannot be written whole leaves what was there, and nothing beside it.
func TestFileOnAFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no full device here")
	}
	if err := encode.File("/dev/full", true, []byte("x")); err == nil || !strings.Contains(err.Error(), "no space") {
		t.Errorf("error %v, want that there is no space", err)
	}
}
