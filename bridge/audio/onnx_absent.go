//go:build !onnx

package audio

import "errors"

// errNoRuntime is that of programs that were not built with ONNX Runtime.
var errNoRuntime = errors.New(`a program without ONNX Runtime; expected one built with -tags onnx, or scores that a classifier wrote ("scores")`)

func openScorer([]byte) (scorer, error) { return nil, errNoRuntime }
