package engine

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/scene"
)

// VerdictKind is what a moment is.
type VerdictKind string

// The kinds of verdicts.
const (
	VerdictClear       VerdictKind = "clear"
	VerdictUnexplained VerdictKind = "unexplained"
	VerdictExplained   VerdictKind = "explained"
)

// Confidence in a verdict other than clear.
type Confidence string

// From the least to the most.
const (
	LowConfidence    Confidence = "low"
	MediumConfidence Confidence = "medium"
	HighConfidence   Confidence = "high"
)

// proven is a failure that rules prove, found or foreseen.
type proven struct {
	Class   string
	Objects []string
	// Past is true for a failure that has been found, which says something of a later
	// moment only where the score finds its objects changed.
	Past bool
}

// Verdict is what rules and score together say of a moment:
//
//	rules   score          verdict
//	no      no alarm       clear
//	no      alarm          unexplained, with its differences and no class, low confidence
//	proof   no alarm       explained by the class of the proof, medium confidence
//	proof   alarm, other   explained, medium confidence, with the differences it leaves unexplained
//	proof   alarm, same    explained, high confidence
//
// The two say the same where a difference is about an object of the proof. Only a
// proof ever gives a class.
type Verdict struct {
	Kind       VerdictKind `json:"kind"`
	Class      string      `json:"class,omitempty"` // of a proof; never a guess
	Confidence Confidence  `json:"confidence,omitempty"`
	// Unexplained are the differences that no proof is about, where there is an alarm.
	Unexplained []scene.Difference `json:"unexplained,omitempty"`
}

// verdictOf combines proofs with a score; nil is no score. Of several proofs one that the
// score agrees with gives the class, and of those the last.
func verdictOf(proofs []proven, score *discrepancy.Comparison, threshold float64) Verdict {
	alarm := score != nil && score.Alarm(threshold)
	var v Verdict
	if alarm {
		v.Unexplained = slices.Clone(score.Differences)
	}
	for _, p := range proofs {
		agrees := alarm && slices.ContainsFunc(score.Differences, func(d scene.Difference) bool { return d.Concerns(p.Objects) })
		switch {
		case agrees:
			v.Kind, v.Class, v.Confidence = VerdictExplained, p.Class, HighConfidence
			v.Unexplained = slices.DeleteFunc(v.Unexplained, func(d scene.Difference) bool { return d.Concerns(p.Objects) })
		case !p.Past && v.Confidence != HighConfidence:
			v.Kind, v.Class, v.Confidence = VerdictExplained, p.Class, MediumConfidence
		}
	}
	switch {
	case v.Kind == VerdictExplained:
	case alarm:
		v.Kind, v.Confidence = VerdictUnexplained, LowConfidence
	default:
		v.Kind = VerdictClear
	}
	return v
}
