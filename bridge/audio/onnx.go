//go:build onnx

package audio

import (
	"fmt"
	"os"
	"sync"

	ort "github.com/yalue/onnxruntime_go"
)

// RuntimeVariable is the variable of the environment that names the shared library of ONNX
// Runtime; without it the loader looks for onnxruntime.so.
const RuntimeVariable = "MISHAP_ONNXRUNTIME"

var begun = sync.OnceValue(func() error {
	if path := os.Getenv(RuntimeVariable); path != "" {
		ort.SetSharedLibraryPath(path)
	}
	if err := ort.InitializeEnvironment(); err != nil {
		return fmt.Errorf("no ONNX Runtime (%w); expected its shared library, which %s names", err, RuntimeVariable)
	}
	return nil
})

// session is a model in the runtime.
type session struct {
	run    *ort.DynamicAdvancedSession
	takes  ort.Shape
	places int // outputs
}

func openScorer(data []byte) (scorer, error) {
	if err := begun(); err != nil {
		return nil, err
	}
	in, out, err := ort.GetInputOutputInfoWithONNXData(data)
	if err != nil {
		return nil, fmt.Errorf("no model (%w)", err)
	}
	if len(in) != 1 || in[0].DataType != ort.TensorElementDataTypeFloat || len(in[0].Dimensions) == 0 {
		return nil, fmt.Errorf("a model with %d inputs, %v; expected one that takes samples as float32", len(in), in)
	}
	names := make([]string, len(out))
	for i, o := range out {
		names[i] = o.Name
	}
	s := &session{takes: in[0].Dimensions, places: len(out)}
	if s.run, err = ort.NewDynamicAdvancedSessionWithONNXData(data, []string{in[0].Name}, names, nil); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *session) length() int { return int(max(0, s.takes[len(s.takes)-1])) }

// score takes the first output whose last dimension is that of the labels, in the mean over the
// others, as of a model that scores frames.
func (s *session) score(samples []float32, labels int) ([]float32, error) {
	shape := s.takes.Clone()
	for i := range shape {
		shape[i] = 1
	}
	shape[len(shape)-1] = int64(len(samples))
	in, err := ort.NewTensor(shape, samples)
	if err != nil {
		return nil, err
	}
	defer in.Destroy()
	out := make([]ort.Value, s.places)
	if err := s.run.Run([]ort.Value{in}, out); err != nil {
		return nil, err
	}
	var scores []float32
	for _, v := range out {
		if v == nil {
			continue
		}
		defer v.Destroy()
		t, ok := v.(*ort.Tensor[float32])
		if shape := v.GetShape(); !ok || scores != nil || len(shape) == 0 || shape[len(shape)-1] != int64(labels) || len(t.GetData()) == 0 {
			continue
		}
		scores = make([]float32, labels)
		all := t.GetData()
		for i, x := range all {
			scores[i%labels] += x * float32(labels) / float32(len(all))
		}
	}
	if scores == nil {
		return nil, fmt.Errorf("none of its outputs has %d scores, one for each label", labels)
	}
	return scores, nil
}

func (s *session) close() error { return s.run.Destroy() }
