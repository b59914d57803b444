package audio

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
)

// Model is a classifier of sound in the ONNX format, which takes samples of one channel and
// gives a score for each of its labels. It is run by ONNX Runtime, which only programs built
// with the tag onnx have. One goroutine uses it at a time.
type Model struct {
	Labels []string
	Rate   int     // samples a second that it takes
	Window float64 // seconds that it hears at once, half of which overlap

	run scorer
}

// Numbers of a model that does not say them: those of YAMNet.
const (
	DefaultRate   = 16_000
	DefaultWindow = 0.96
)

// What a model may be.
const (
	maxLabels = 10_000
	maxWindow = 60 // seconds
)

// scorer runs a model.
type scorer interface {
	// length is how many samples it takes; 0 for any number.
	length() int
	// score gives as many scores as there are labels.
	score(samples []float32, labels int) ([]float32, error)
	close() error
}

// ReadModel reads a model, and its labels from a text file with one a line, in the order of
// its scores. A rate or window of 0 is the default, or what the model itself says. The error
// is an *input.Error.
func ReadModel(fsys fs.FS, file, labels string, rate int, window float64) (*Model, error) {
	text, err := input.ReadWhole(fsys, labels, "labels of sounds, one a line")
	if err != nil {
		return nil, err
	}
	m := &Model{Rate: rate, Window: window, Labels: strings.Split(strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")), "\n")}
	if m.Rate == 0 {
		m.Rate = DefaultRate
	}
	if m.Window == 0 {
		m.Window = DefaultWindow
	}
	if n := len(m.Labels); n > maxLabels {
		return nil, &input.Error{File: labels, Found: fmt.Sprintf("%d labels", n), Expected: fmt.Sprintf("at most %d", maxLabels)}
	}
	if m.Rate < 0 || m.Rate > maxRate || !(m.Window > 0) || m.Window > maxWindow {
		return nil, &input.Error{File: file, Found: fmt.Sprintf("%d samples a second in windows of %v s", m.Rate, m.Window), Expected: fmt.Sprintf("at most %d and %d", maxRate, maxWindow)}
	}
	data, err := fs.ReadFile(fsys, file)
	if err != nil {
		return nil, &input.Error{File: file, Found: input.Cause(err), Expected: "a model (ONNX)", Err: err}
	}
	if m.run, err = openScorer(data); err != nil {
		found, expected, split := strings.Cut(err.Error(), "; expected ")
		if !split {
			expected = "a model (ONNX) that takes samples as float32"
		}
		return nil, &input.Error{File: file, Found: found, Expected: expected, Err: err}
	}
	if n := m.run.length(); n > 0 {
		m.Window = float64(n) / float64(m.Rate)
	}
	return m, nil
}

// Close gives back what running the model took.
func (m *Model) Close() error { return m.run.close() }

// Scores are what the model says of a WAV file, window by window. Of a file that breaks off it
// says it as far as that goes.
func (m *Model) Scores(fsys fs.FS, name string) ([]Score, error) {
	f, err := input.Open(fsys, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := NewReader(name, f)
	if err != nil {
		return nil, err
	}
	size := max(2, int(m.Window*float64(m.Rate)+0.5))
	var out []Score
	heard := resampler{from: r.Rate, to: m.Rate}
	samples := make([]float64, 1<<12)
	var kept []float32
	first := 0 // of kept, in samples of the whole
	score := func(length int) error {
		window := append(make([]float32, 0, size), kept[:min(size, len(kept))]...)
		s, err := m.run.score(window[:size], len(m.Labels))
		if err != nil {
			return &input.Error{File: name, Found: "that the model fails (" + input.Clip(err.Error()) + ")", Expected: "a model that takes its samples", Err: err}
		}
		labels := make(map[string]float64, len(s))
		for i, v := range s {
			labels[m.Labels[i]] = max(labels[m.Labels[i]], float64(v))
		}
		begin := float64(first) / float64(m.Rate)
		out = append(out, Score{begin, begin + float64(length)/float64(m.Rate), labels})
		return nil
	}
	for {
		n, err := r.Read(samples)
		kept = heard.add(kept, samples[:n])
		for len(kept) >= size {
			if err := score(size); err != nil {
				return nil, err
			}
			first, kept = first+size/2, kept[:copy(kept, kept[size/2:])]
		}
		if err == nil {
			continue
		}
		if !errors.Is(err, io.EOF) {
			return nil, err
		}
		if len(kept) > size/2 || len(out) == 0 && len(kept) > 0 { // what no window has
			return out, score(len(kept))
		}
		return out, nil
	}
}

// resampler makes samples of one rate from those of another: the mean of those that fall
// together, or what lies on the line between two.
type resampler struct {
	from, to int
	taken    int // samples that were taken
	made     int // samples that were made
	sum      float64
	count    int
	last     float64
}

func (r *resampler) add(to []float32, samples []float64) []float32 {
	for _, s := range samples {
		r.taken++
		if r.to <= r.from {
			r.sum, r.count = r.sum+s, r.count+1
			if int64(r.taken)*int64(r.to) >= int64(r.made+1)*int64(r.from) {
				to = append(to, float32(r.sum/float64(r.count)))
				r.made, r.sum, r.count = r.made+1, 0, 0
			}
			continue
		}
		for int64(r.made)*int64(r.from) < int64(r.taken)*int64(r.to) {
			part := float64(r.made)*float64(r.from)/float64(r.to) - float64(r.taken-1) // of the way on from the last
			to = append(to, float32(r.last+(s-r.last)*part))
			r.made++
		}
		r.last = s
	}
	return to
}
