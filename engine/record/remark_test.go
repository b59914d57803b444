package record_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/engine/internal/episodetest"
	"github.com/mishap-robotics/mishap/engine/record"
)

// What people said is read back in order, of findings and of the episode.
func TestRemarks(t *testing.T) {
	r := reasoner(t)
	ep := episodetest.Parse(t, r.Ontology, dropped)
	res, err := r.Check(t.Context(), ep)
	if err != nil || len(res.Findings) == 0 {
		t.Fatalf("%v, %v", res, err)
	}
	at := time.Date(2026, 11, 23, 9, 30, 0, 0, time.UTC)
	want := []record.Remark{{Finding: 0, Acknowledged: true, At: at}, {Finding: 0, Text: "slippery <b>mug</b>", At: at.Add(time.Minute)}, {Finding: -1, Text: "a long day"}}
	for range 11 { // so that the order is not that of the text
		want = append(want, record.Remark{Finding: -1, Text: "and on"})
	}
	quads := record.Concluded(r.Ontology, record.Conclusions{Result: res, Remarks: want})
	rand.Shuffle(len(quads), func(i, j int) { quads[i], quads[j] = quads[j], quads[i] })
	if diff := cmp.Diff(want, record.Remarks(ep.ID, quads)); diff != "" {
		t.Error(diff)
	}
}
