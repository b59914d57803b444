package fact

import (
	"testing"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/snapshot"
	"github.com/mishap-robotics/mishap/ontology"
)

// A snapshot that tells of a free name where there are no names is refused.
func TestFreeNameOfNone(t *testing.T) {
	l := NewLive(belief.NewTracker(ontology.Default(), &episode.Episode{}).Trace(), nil)
	c := snapshot.NewReader([]byte{0, 2, 0, 0})
	if l.snapshotNames(c); c.Err() == nil {
		t.Error("it is taken")
	}
}
