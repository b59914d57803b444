package engine

import (
	"context"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// Analysis is what a progressive explanation looks for the cause in.
type Analysis string

// The analyses (REFLECT, section 3.2).
const (
	AnalysisExecution Analysis = "execution" // a subgoal was not satisfied at its end
	AnalysisPlanning  Analysis = "planning"  // each was, and the goal is not
	AnalysisNone      Analysis = "none"      // the goal holds in the end
)

// ProgressiveExplanation is an episode subgoal by subgoal, up to the first that was not satisfied,
// with the findings that explain it (REFLECT, section 3.2).
type ProgressiveExplanation struct {
	Result   *Result
	Subgoals []Subgoal
	Failed   int // index of the first that was not satisfied, -1 for none
	Analysis Analysis
	Unmet    []string // conditions of the goal that do not hold in the end
	Findings []Finding
}

// Subgoal is an action that was carried out, and whether what it is for held at its
// end.
type Subgoal struct {
	Number    int // in the plan, from 1; 0 where it is not in it
	Action    episode.Action
	First     int32 // its first step
	Step      int32 // its last
	Satisfied bool
	Certain   bool // it was seen, and is not merely presumed
}

// Progress checks an episode and explains it progressively. The error is that of
// Check.
func (r *Reasoner) Progress(ctx context.Context, ep *episode.Episode) (*ProgressiveExplanation, error) {
	res, err := r.Check(ctx, ep)
	if err != nil {
		return nil, err
	}
	p := &ProgressiveExplanation{Result: res, Failed: -1, Analysis: AnalysisNone}
	t := res.Trace
	for i := range t.Events {
		e := &t.Events[i]
		if !e.Final || e.ToCome {
			continue
		}
		a := episode.Action{Name: e.Call.Schema.Name, Target: t.Objects.Name(e.Call.Target), Destination: t.Objects.Name(e.Call.Destination), Further: t.Objects.FurtherText(e.Call)}
		ok := e.Outcome < belief.Refused
		p.Subgoals = append(p.Subgoals, Subgoal{e.Planned, a, e.First, e.Step, ok, e.Outcome != belief.Presumed})
		if !ok && p.Failed < 0 {
			p.Failed = len(p.Subgoals) - 1
		}
	}
	got, _ := t.GoalTruth(t.Final)
	reached := got >= state.AssumedTrue
	if !reached {
		p.Unmet = t.UnmetGoalTexts(t.Final)
	}
	switch {
	case p.Failed >= 0 && !(reached && recovered(res.Findings)):
		p.Analysis = AnalysisExecution
	case !reached:
		p.Analysis = AnalysisPlanning
	}
	p.Findings = p.explaining()
	return p, nil
}

// recovered reports whether the robot made up for all that was found.
func recovered(found []Finding) bool {
	for i := range found {
		if !found[i].Recovered {
			return false
		}
	}
	return true
}

// explaining are the findings that tell of the failure: those that show up to the end
// of the subgoal that failed, else all.
func (p *ProgressiveExplanation) explaining() []Finding {
	if p.Analysis != AnalysisExecution {
		return p.Result.Findings
	}
	var out []Finding
	for _, f := range p.Result.Findings {
		if f.Step <= p.Subgoals[p.Failed].Step {
			out = append(out, f)
		}
	}
	if len(out) == 0 {
		return p.Result.Findings
	}
	return out
}
