package engine

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/scene"
)

func TestVerdict(t *testing.T) {
	pan := scene.Difference{Kind: scene.StateChanged, Node: "Pan-1", Observed: "dirty", Expected: "clean"}
	cup := scene.Difference{Kind: scene.Extra, Node: "Cup-1"}
	low := &discrepancy.Comparison{Score: 0.8, Differences: []scene.Difference{pan, cup}}
	high := &discrepancy.Comparison{Score: 0.95, Differences: []scene.Difference{pan}}
	even := &discrepancy.Comparison{Score: 0.9}
	dirty := proven{Class: "DirtyObjFailure", Objects: []string{"Pan-1"}}
	mug := proven{Class: "BlockedObjectFailure", Objects: []string{"Mug-1"}}
	past := func(p proven) proven { p.Past = true; return p }
	tests := []struct {
		name   string
		proofs []proven
		score  *discrepancy.Comparison
		want   Verdict
	}{
		{"nothing", nil, nil, Verdict{Kind: VerdictClear}},
		{"a high score", nil, high, Verdict{Kind: VerdictClear}},
		{"a score at the threshold", nil, even, Verdict{Kind: VerdictClear}},
		{"an alarm without proof is no class", nil, low,
			Verdict{Kind: VerdictUnexplained, Confidence: LowConfidence, Unexplained: low.Differences}},
		{"a proof without score", []proven{dirty}, nil,
			Verdict{Kind: VerdictExplained, Class: "DirtyObjFailure", Confidence: MediumConfidence}},
		{"a proof and a high score", []proven{dirty}, high,
			Verdict{Kind: VerdictExplained, Class: "DirtyObjFailure", Confidence: MediumConfidence}},
		{"a proof and an alarm that agree", []proven{dirty}, low,
			Verdict{Kind: VerdictExplained, Class: "DirtyObjFailure", Confidence: HighConfidence, Unexplained: []scene.Difference{cup}}},
		{"a proof and an alarm about something else", []proven{mug}, low,
			Verdict{Kind: VerdictExplained, Class: "BlockedObjectFailure", Confidence: MediumConfidence, Unexplained: low.Differences}},
		{"the proof that the score agrees with counts", []proven{dirty, mug}, low,
			Verdict{Kind: VerdictExplained, Class: "DirtyObjFailure", Confidence: HighConfidence, Unexplained: []scene.Difference{cup}}},
		{"what was found before says nothing of another object", []proven{past(mug)}, low,
			Verdict{Kind: VerdictUnexplained, Confidence: LowConfidence, Unexplained: low.Differences}},
		{"what was found before and is still so", []proven{past(dirty)}, low,
			Verdict{Kind: VerdictExplained, Class: "DirtyObjFailure", Confidence: HighConfidence, Unexplained: []scene.Difference{cup}}},
		{"what was found before and is over", []proven{past(dirty)}, high, Verdict{Kind: VerdictClear}},
	}
	for _, tt := range tests {
		got := verdictOf(tt.proofs, tt.score, 0.9)
		if len(got.Unexplained) == 0 {
			got.Unexplained = nil
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
