package verdict_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/verdict"
)

func TestOf(t *testing.T) {
	pan := discrepancy.Difference{Kind: discrepancy.StateChanged, Node: "Pan-1", Observed: "dirty", Expected: "clean"}
	cup := discrepancy.Difference{Kind: discrepancy.Extra, Node: "Cup-1"}
	low := &discrepancy.Result{Score: 0.8, Differences: []discrepancy.Difference{pan, cup}}
	high := &discrepancy.Result{Score: 0.95, Differences: []discrepancy.Difference{pan}}
	even := &discrepancy.Result{Score: 0.9}
	dirty := verdict.Proof{Class: "DirtyObjFailure", Objects: []string{"Pan-1"}}
	mug := verdict.Proof{Class: "BlockedObjectFailure", Objects: []string{"Mug-1"}}
	past := func(p verdict.Proof) verdict.Proof { p.Past = true; return p }
	tests := []struct {
		name   string
		proofs []verdict.Proof
		score  *discrepancy.Result
		want   verdict.Verdict
	}{
		{"nothing", nil, nil, verdict.Verdict{Kind: verdict.Clear}},
		{"a high score", nil, high, verdict.Verdict{Kind: verdict.Clear}},
		{"a score at the threshold", nil, even, verdict.Verdict{Kind: verdict.Clear}},
		{"an alarm without proof is no class", nil, low,
			verdict.Verdict{Kind: verdict.Unexplained, Confidence: verdict.Low, Unexplained: low.Differences}},
		{"a proof without score", []verdict.Proof{dirty}, nil,
			verdict.Verdict{Kind: verdict.Explained, Class: "DirtyObjFailure", Confidence: verdict.Medium}},
		{"a proof and a high score", []verdict.Proof{dirty}, high,
			verdict.Verdict{Kind: verdict.Explained, Class: "DirtyObjFailure", Confidence: verdict.Medium}},
		{"a proof and an alarm that agree", []verdict.Proof{dirty}, low,
			verdict.Verdict{Kind: verdict.Explained, Class: "DirtyObjFailure", Confidence: verdict.High, Unexplained: []discrepancy.Difference{cup}}},
		{"a proof and an alarm about something else", []verdict.Proof{mug}, low,
			verdict.Verdict{Kind: verdict.Explained, Class: "BlockedObjectFailure", Confidence: verdict.Medium, Unexplained: low.Differences}},
		{"the proof that the score agrees with counts", []verdict.Proof{dirty, mug}, low,
			verdict.Verdict{Kind: verdict.Explained, Class: "DirtyObjFailure", Confidence: verdict.High, Unexplained: []discrepancy.Difference{cup}}},
		{"what was found before says nothing of another object", []verdict.Proof{past(mug)}, low,
			verdict.Verdict{Kind: verdict.Unexplained, Confidence: verdict.Low, Unexplained: low.Differences}},
		{"what was found before and is still so", []verdict.Proof{past(dirty)}, low,
			verdict.Verdict{Kind: verdict.Explained, Class: "DirtyObjFailure", Confidence: verdict.High, Unexplained: []discrepancy.Difference{cup}}},
		{"what was found before and is over", []verdict.Proof{past(dirty)}, high, verdict.Verdict{Kind: verdict.Clear}},
	}
	for _, tt := range tests {
		got := verdict.Of(tt.proofs, tt.score, 0.9)
		if len(got.Unexplained) == 0 {
			got.Unexplained = nil
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
