package engine

import (
	"cmp"
	"sync"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

// References are episodes that may serve others as references. Each is followed when
// it is first needed, and once. Goroutines may share it.
type References struct {
	onto       *ontology.Ontology
	candidates []*episode.Episode

	mu       sync.Mutex
	followed map[*episode.Episode]*Reference
}

// NewReferences makes references of episodes, which are not looked at yet.
func NewReferences(o *ontology.Ontology, candidates []*episode.Episode) *References {
	return &References{onto: o, candidates: candidates, followed: map[*episode.Episode]*Reference{}}
}

// For is the first successful episode of the task of an episode. The error says why the
// first candidate is none; it is nil with a nil Reference where there is no candidate.
func (r *References) For(ep *episode.Episode) (*Reference, error) {
	if r == nil {
		return nil, nil
	}
	var first error
	for _, c := range r.candidates {
		if err := SameTask(r.onto, ep, c); err != nil {
			first = cmp.Or(first, err)
			continue
		}
		ref, err := r.follow(c)
		if err == nil {
			return ref, nil
		}
		first = cmp.Or(first, err)
	}
	return nil, first
}

func (r *References) follow(ep *episode.Episode) (*Reference, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if ref, ok := r.followed[ep]; ok {
		return ref, nil
	}
	ref, err := NewReference(r.onto, ep)
	if err == nil {
		r.followed[ep] = ref
	}
	return ref, err
}
