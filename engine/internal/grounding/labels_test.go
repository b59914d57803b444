package grounding

import (
	"fmt"
	"testing"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

// Words that nobody knows and that never come again are not kept.
func TestLabelsAreFew(t *testing.T) {
	n := New(ontology.Default(), &episode.Episode{})
	for i := range 10 * fewLabels {
		if rel := n.Relation("on_top_of"); len(rel) == 0 {
			t.Fatal("on_top_of is no relation any more")
		}
		n.Relation(fmt.Sprint("beyond ", i))
		n.sound(fmt.Sprint("hum ", i))
		if n.labels.Len() > fewLabels {
			t.Fatalf("after %d words %d labels are kept", i+1, n.labels.Len())
		}
	}
}
