package store

import (
	"context"

	"github.com/cayleygraph/quad"
)

// Observation rebuilds the observation of a step alone.
func (s *Store) Observation(ctx context.Context, step int) ([]quad.Quad, error) {
	all, err := s.all(ctx)
	if err != nil {
		return nil, err
	}
	return s.rebuild(all, step), nil
}
