package audio

import (
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"
)

// Sound at another rate is as long, whatever pieces it comes in, and a slow tone stays as it was.
func TestResample(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from, to := rapid.IntRange(4000, 96_000).Draw(t, "from"), rapid.IntRange(4000, 96_000).Draw(t, "to")
		in := make([]float64, rapid.IntRange(1, 3000).Draw(t, "samples"))
		for i := range in {
			in[i] = math.Sin(2 * math.Pi * 50 * float64(i) / float64(from))
		}
		r, again := resampler{from: from, to: to}, resampler{from: from, to: to}
		whole := again.add(nil, in)
		var out []float32
		for rest := in; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "piece")
			out, rest = r.add(out, rest[:n]), rest[n:]
		}
		if want := float64(len(in)) * float64(to) / float64(from); math.Abs(float64(len(out))-want) > 1 || len(out) != len(whole) {
			t.Fatalf("%d samples of %d, or %d in pieces; want %.1f", len(whole), len(in), len(out), want)
		}
		for i, s := range out {
			if s != whole[i] {
				t.Fatalf("sample %d is %v, or %v in pieces", i, whole[i], s)
			}
			if want := math.Sin(2 * math.Pi * 50 * float64(i) / float64(to)); math.Abs(float64(s)-want) > 0.17 {
				t.Fatalf("sample %d is %v, not %v", i, s, want)
			}
		}
	})
}

func TestReadModelErrors(t *testing.T) {
	fsys := fstest.MapFS{"m.onnx": {Data: []byte("no model")}, "labels.txt": {Data: []byte("glass breaking\nsilence\n")}, "empty.txt": {}}
	for _, tt := range []struct {
		file, labels string
		rate         int
		window       float64
		want         string
	}{
		{"gone.onnx", "labels.txt", 0, 0, "gone.onnx: found no such file or folder; expected a model (ONNX)"},
		{"m.onnx", "gone.txt", 0, 0, "gone.txt: found no such file or folder"},
		{"m.onnx", "empty.txt", 0, 0, "empty.txt: found an empty file; expected labels of sounds, one a line"},
		{"m.onnx", "labels.txt", 800_000, 0, "m.onnx: found 800000 samples a second"},
		{"m.onnx", "labels.txt", 0, 1e9, "m.onnx: found 16000 samples a second in windows of 1e+09 s"},
		{"m.onnx", "labels.txt", 0, 0, "m.onnx: found "},
	} {
		_, err := ReadModel(fsys, tt.file, tt.labels, tt.rate, tt.window)
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s, %s: %v; want %s", tt.file, tt.labels, err, tt.want)
		}
	}
}
