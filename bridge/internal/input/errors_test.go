package input_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/ontology/document"
)

func TestEachLine(t *testing.T) {
	long := strings.Repeat("x", input.MaxLine)
	tests := []struct {
		name, text string
		want       []string
		err        string
	}{
		{"with blank lines and both kinds of line ends", "a\n\n b \r\nc", []string{"1 a", "3 b", "4 c"}, ""},
		{"a byte order mark", "\xef\xbb\xbfa\n", []string{"1 a"}, ""},
		{"the longest line", long, []string{"1 " + long}, ""},
		{"a line that is longer", "a\n" + long + "y\n", []string{"1 a"}, "f:2: found a line of more than 16 MiB; expected one JSON object or sentence a line"},
		{"not UTF-8", "a\n\xff\xfe\n", []string{"1 a"}, "f:2: found bytes that are not UTF-8; expected UTF-8 text"},
		{"empty", "", nil, "f: found an empty file; expected an episode"},
		{"blank", " \n\t\n", nil, "f: found an empty file; expected an episode"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			err := input.EachLine("f", strings.NewReader(tt.text), func(n int, line []byte) error {
				got = append(got, string(rune('0'+n))+" "+string(line))
				return nil
			})
			if !slices.Equal(got, tt.want) {
				t.Errorf("%d lines, want %d", len(got), len(tt.want))
			}
			if (err == nil) != (tt.err == "") || err != nil && err.Error() != tt.err {
				t.Errorf("error %v, want %q", err, tt.err)
			}
		})
	}
}

func TestEachLineStops(t *testing.T) {
	stop := errors.New("stop")
	n := 0
	err := input.EachLine("f", strings.NewReader("a\nb\n"), func(int, []byte) error { n++; return stop })
	if n != 1 || !errors.Is(err, stop) {
		t.Errorf("%d lines, error %v", n, err)
	}
	in := io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(errors.New("disk gone")))
	err = input.EachLine("f", in, func(int, []byte) error { return nil })
	if err == nil || err.Error() != "f:2: found a read error (disk gone); expected a readable file" {
		t.Errorf("error %v", err)
	}
}

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	blank := filepath.Join(dir, "blank")
	if err := os.WriteFile(blank, []byte(" \n"), 0o644); err != nil {
		t.Fatal(err)
	}
	big := filepath.Join(dir, "big")
	if err := os.WriteFile(big, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(big, input.MaxFile+1); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		filepath.Join(dir, "none"): "found no such file or folder; expected a readable file",
		blank:                      "found an empty file; expected an episode",
		big:                        "found a file of more than 64 MiB; expected a smaller one",
		dir:                        "found is a directory; expected a readable file",
	} {
		if _, err := input.ReadFile(document.Disk{}, path); err == nil || err.Error() != path+": "+want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

func TestClip(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                             "plain",
		"two\nlines\x1b[31m":                "two lines [31m",
		strings.Repeat("a", 60):             strings.Repeat("a", 60),
		strings.Repeat("a", 61):             strings.Repeat("a", 60) + "…",
		strings.Repeat("a", 59) + "éé":      strings.Repeat("a", 59) + "…",
		strings.Repeat("a", 58) + "é" + "b": strings.Repeat("a", 58) + "é…",
	} {
		if got := input.Clip(in); got != want {
			t.Errorf("Clip(%q) = %q, want %q", in, got, want)
		}
	}
}
