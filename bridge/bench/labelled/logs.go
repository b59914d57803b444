package labelled

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/bridge/internal/encode"
	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/engine"
)

// Progress is told how far the work is.
type Progress interface {
	More(n int) // there is more to do
	Step()      // one thing is done
}

// Score checks the logs at some paths, as the reader reads them, and scores what is found by
// the labels at others.
// What cannot be read or checked counts as refused, and refuse is told. The error is that
// of the labels or of the context.
func Score(ctx context.Context, r *engine.Reasoner, reader logs.Reader, truth, paths []string, p Progress, refuse func(error)) (*LabelScore, error) {
	var truths []*Label
	for _, path := range truth {
		some, err := ReadLabels(path)
		if err != nil {
			return nil, err
		}
		truths = append(truths, some...)
	}
	l := NewLabels(r.Ontology, truths)
	refused := func(path string, err error) {
		refuse(err)
		l.Refused(path, err)
	}
	var files []string
	for _, path := range paths {
		found, err := logs.Find(path)
		if err != nil {
			refused(path, err)
		}
		for _, file := range found {
			if slices.Contains(truth, file) || strings.HasPrefix(filepath.Base(file), LabelFile) {
				continue // a folder of logs may hold its labels
			}
			files = append(files, file)
		}
	}
	batch := &logs.Batch[engine.Result]{
		Open:     reader.Open,
		Do:       r.Check,
		Progress: p,
	}
	batch.Each(ctx, files, func(of logs.Results[engine.Result]) {
		for i := range of.Episodes {
			l.Checked(&of.Episodes[i])
		}
		for _, err := range of.Errs {
			refused(of.Path, err)
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return l.Result(), nil
}

// JSON writes the score as one object.
func (r *LabelScore) JSON(w io.Writer) error { return encode.Indented(w, r) }
