//go:build onnx

package audio

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"testing"
	"testing/fstest"

	"google.golang.org/protobuf/encoding/protowire"
)

// nested is a field with messages or texts in it.
func nested(number protowire.Number, parts ...[]byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), bytes.Join(parts, nil))
}

func text(number protowire.Number, s string) []byte { return nested(number, []byte(s)) }

func integer(number protowire.Number, n uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(nil, number, protowire.VarintType), n)
}

// loudness is a model (onnx.proto) whose first score is the amplitude of the sound, and whose
// second what that lacks to 1.
func loudness() []byte {
	attribute := func(name string, value []byte, kind uint64) []byte {
		return nested(5, text(1, name), value, integer(20, kind))
	}
	last := protowire.AppendVarint(protowire.AppendTag(nil, 8, protowire.VarintType), math.MaxUint64) // ints: -1
	tensor := func(name string, sizes ...[]byte) []byte {
		var shape []byte
		for _, size := range sizes {
			shape = append(shape, nested(1, size)...)
		}
		return bytes.Join([][]byte{text(1, name), nested(2, nested(1, integer(1, 1), nested(2, shape)))}, nil)
	}
	one := nested(5, integer(1, 1), integer(2, 1), nested(4, binary.LittleEndian.AppendUint32(nil, math.Float32bits(1))), text(8, "one"))
	graph := nested(7,
		nested(1, text(1, "wave"), text(2, "size"), text(4, "Abs")),
		nested(1, text(1, "size"), text(2, "loud"), text(4, "ReduceMax"), attribute("axes", last, 7), attribute("keepdims", integer(3, 1), 2)),
		nested(1, text(1, "one"), text(1, "loud"), text(2, "still"), text(4, "Sub")),
		nested(1, text(1, "loud"), text(1, "still"), text(2, "scores"), text(4, "Concat"), attribute("axis", integer(3, math.MaxUint64), 2)),
		text(2, "loudness"), one,
		nested(11, tensor("wave", integer(1, 1), text(2, "n"))),
		nested(12, tensor("scores", integer(1, 1), integer(1, 2))))
	return bytes.Join([][]byte{integer(1, 7), graph, nested(8, text(1, ""), integer(2, 11))}, nil)
}

// A model scores a sound window by window.
func TestModel(t *testing.T) {
	if os.Getenv(RuntimeVariable) == "" {
		t.Skipf("%s does not name ONNX Runtime's shared library (1.22: npm install --ignore-scripts onnxruntime-node@1.22.0 has one)", RuntimeVariable)
	}
	const rate = 8000
	samples := make([]byte, 0, 2*3*rate)
	for i := range 3 * rate { // a second of silence, one of half amplitude, one of silence
		v := 0
		if i >= rate && i < 2*rate {
			v = 1 << 14 * (1 - 2*(i%2))
		}
		samples = binary.LittleEndian.AppendUint16(samples, uint16(v))
	}
	head := append([]byte("RIFF"), binary.LittleEndian.AppendUint32(nil, uint32(36+len(samples)))...)
	head = append(head, "WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x80\x3e\x00\x00\x02\x00\x10\x00data"...)
	head = binary.LittleEndian.AppendUint32(head, uint32(len(samples)))
	fsys := fstest.MapFS{"m.onnx": {Data: loudness()}, "labels.txt": {Data: []byte("glass breaking\nsilence\n")}, "three.txt": {Data: []byte("a\nb\nc")}, "a.wav": {Data: append(head, samples...)}}
	m, err := ReadModel(fsys, "m.onnx", "labels.txt", rate, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	scores, err := m.Scores(fsys, "a.wav")
	if err != nil || len(scores) != 5 {
		t.Fatalf("%v, %v", scores, err)
	}
	for i, s := range scores {
		want := []float64{0, 0.5, 0.5, 0.5, 0}[i]
		if s.Begin != 0.5*float64(i) || s.End != s.Begin+1 || math.Abs(s.Labels["glass breaking"]-want) > 1e-3 || math.Abs(s.Labels["silence"]-(1-want)) > 1e-3 {
			t.Errorf("score %d: %+v, want %v of a glass", i, s, want)
		}
	}
	three, err := ReadModel(fsys, "m.onnx", "three.txt", rate, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer three.Close()
	if _, err := three.Scores(fsys, "a.wav"); err == nil || err.Error() != "a.wav: found that the model fails (none of its outputs has 3 scores, one for each label); expected a model that takes its samples" {
		t.Errorf("three labels of two scores: %v", err)
	}
}
