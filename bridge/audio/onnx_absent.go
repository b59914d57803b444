//go:build !onnx

package audio

func openScorer([]byte) (scorer, error) { return nil, errNoRuntime }
