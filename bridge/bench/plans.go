package bench

import (
	"context"

	"github.com/mishap-robotics/mishap/bridge/logs/planfile"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology/document"
)

// PlanCheck is which of a file's annotated plans are at fault, and where.
type PlanCheck struct {
	Scene bool       `json:"with_scene"` // with what the file says of the scene, else in the usual one
	Cases []PlanCase `json:"cases"`
}

// PlanCase is one plan.
type PlanCase struct {
	Episode string  `json:"episode"`
	Kind    string  `json:"kind"`                   // as annotated
	Fault   bool    `json:"fault"`                  // it is at fault in that scene, as annotated
	Window  []int   `json:"fault_window,omitempty"` // as annotated
	Found   []Found `json:"found"`
	Text    string  `json:"text,omitempty"` // of the first fault that was found
	Repair  string  `json:"mend,omitempty"`
	Skipped string  `json:"skipped,omitempty"` // why it is not scored
}

// Right reports whether a fault was found where there is one, within its window,
// and none where there is none.
func (c *PlanCase) Right() bool {
	if !c.Fault || len(c.Found) == 0 {
		return !c.Fault && len(c.Found) == 0
	}
	at := c.Found[0].Cause
	return len(c.Window) != 2 || at >= c.Window[0] && at <= c.Window[1]
}

// ForeseePlans checks annotated plans, in the usual scene and in that which the
// file states. A plan that is annotated with a fault of its own is at fault in
// both, one with an unusual scene only in that.
func (b *Bench) ForeseePlans(ctx context.Context, file string) ([]PlanCheck, error) {
	annotated, err := readPlans(file)
	if err != nil {
		return nil, err
	}
	episodes, err := planfile.ReadFile(b.Reasoner.Ontology, document.Disk{}, file)
	if err != nil {
		return nil, err
	}
	var out []PlanCheck
	for _, scene := range []bool{false, true} {
		check := PlanCheck{Scene: scene}
		for i, ep := range episodes {
			c, err := b.plan(ctx, ep, &annotated[i], scene)
			if err != nil {
				return nil, err
			}
			check.Cases = append(check.Cases, c)
		}
		out = append(out, check)
	}
	return out, nil
}

func (b *Bench) plan(ctx context.Context, ep *episode.Episode, p *plan, scene bool) (PlanCase, error) {
	own := *ep
	if !scene {
		own.Scene = nil
	}
	c := PlanCase{Episode: ep.ID, Kind: p.Annotation.Kind, Window: p.Annotation.Window, Skipped: p.Annotation.Ambiguous,
		Fault: p.Annotation.Kind == "planning" || p.Annotation.Kind == "scene" && scene}
	_, threats, err := b.Reasoner.CheckPlan(ctx, &own)
	if err != nil {
		return c, err
	}
	for i := range threats {
		t := &threats[i]
		c.Found = append(c.Found, foundOf(&t.Finding))
		if i == 0 {
			c.Text, c.Repair = t.Explanation, t.Repair
		}
	}
	return c, nil
}
