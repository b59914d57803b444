package report

import (
	"fmt"
	"strings"

	"github.com/mishap-robotics/mishap/engine"
)

// FindingScore is the score of the scene that speaks of a finding.
type FindingScore struct {
	Score
	Step int32  `json:"before_step"` // the action before which it was scored
	Time string `json:"before_time,omitempty"`
	// Agrees is true where it is an alarm about an object of the finding.
	Agrees bool `json:"agrees"`
}

// AddScores adds what the score says of the findings, one for each, nil for none.
func (e *Episode) AddScores(res *engine.Result, scores []*engine.ScoreEvidence) {
	for i, ev := range scores {
		if ev != nil && i < len(e.Findings) {
			e.Findings[i].Score = &FindingScore{Score: Score{ev.Score, ev.Alarm}, Step: ev.Step, Time: timeOf(res.Episode, ev.Step), Agrees: ev.Agrees}
		}
	}
}

// text writes it as a line of a finding, with what differs where it is an alarm.
func (f *FindingScore) text(b *strings.Builder, s Style) {
	score, verdict := fmt.Sprintf("%.3f", f.Comparison.Score), ""
	switch {
	case f.Agrees:
		verdict = scoreAgrees
	case f.Alarm:
		verdict = scoreOfOthers
	}
	if f.Alarm {
		score = s.Red + score + "!" + s.Reset
	}
	fmt.Fprintf(b, "    score:    %s before %s%s\n", score, moment(f.Step, f.Time), verdict)
	if !f.Alarm {
		return
	}
	for _, d := range f.Differences {
		fmt.Fprintf(b, "              %s\n", clean(d.String()))
	}
}
