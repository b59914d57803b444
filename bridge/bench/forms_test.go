package bench_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/bridge/bench"
)

// result is one of a version, in the forms of all benchmarks.
type result string

func (r result) Text(w io.Writer) error {
	_, err := fmt.Fprintf(w, "mishap %s, go1.26, seed 1\n", string(r))
	return err
}

func (r result) JSON(w io.Writer) error {
	_, err := fmt.Fprintf(w, "{\n  \"version\": %q\n}\n", string(r))
	return err
}

func (r result) SVG(w io.Writer) error {
	_, err := fmt.Fprintf(w, "<svg width=\"1\">\n<title>mishap %s</title></svg>\n", string(r))
	return err
}

// A result takes the place of an earlier one, and of no other file.
func TestWriteFilesOverResults(t *testing.T) {
	for _, suffix := range []string{"txt", "json", "svg"} {
		dir := t.TempDir()
		for _, version := range []result{"one", "two"} {
			if err := bench.WriteFiles(dir, "detect", version, true); err != nil {
				t.Fatal(err)
			}
		}
		mine := filepath.Join(dir, "detect."+suffix)
		if err := os.WriteFile(mine, []byte("{ \"mine\": 1 }"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := bench.WriteFiles(dir, "detect", result("three"), true); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: error %v, want that there is another file", suffix, err)
		}
		for _, name := range []string{"detect.txt", "detect.json", "detect.svg"} {
			if data, err := os.ReadFile(filepath.Join(dir, name)); err != nil || strings.Contains(string(data), "three") {
				t.Errorf("%s: %q, %v; want it as it was", name, data, err)
			}
		}
		if data, _ := os.ReadFile(mine); string(data) != "{ \"mine\": 1 }" {
			t.Errorf("%s was overwritten with %q", mine, data)
		}
	}
	if committed, err := filepath.Glob("../../testdata/bench/*.*"); err != nil || len(committed) == 0 {
		t.Fatal("no results are committed")
	} else {
		dir := t.TempDir()
		for _, path := range committed {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "old"+filepath.Ext(path)), data, 0o644); err != nil {
				t.Fatal(err)
			}
			if err := bench.WriteFiles(dir, "old", result("new"), true); err != nil {
				t.Errorf("%s is not taken for a result: %v", path, err)
			}
		}
	}
}
