package web

import (
	"context"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/memory"
)

// Carried is an action of a recovery plan, as it was carried out in the action model.
type Carried struct {
	// Changes are what it brings about, in words.
	Changes []string `json:"changes,omitempty"`
	// Unmet is what it lacks, where it cannot be done.
	Unmet []string `json:"unmet,omitempty"`
}

// traceable is of how many steps before a finding it is told how its recovery plan is carried
// out: they are followed anew for it.
const traceable = 1000

// carriedOut goes on from a step of an episode with a plan that nobody sees carried out, and
// tells what is believed to change with each of its actions; nil where that cannot be told.
func carriedOut(ctx context.Context, r *engine.Reasoner, ep *episode.Episode, step int32, plan report.Recovery) ([]Carried, *engine.Result) {
	end, found := slices.BinarySearchFunc(ep.Steps, int(step), func(st episode.Step, n int) int { return st.Index - n })
	if !found || end > traceable || len(plan.Plan) == 0 {
		return nil, nil
	}
	on := *ep
	on.Plan, on.Warnings, on.Steps = nil, nil, slices.Clone(ep.Steps[:end+1])
	for i, text := range plan.Plan {
		a, err := episode.ParseAction(r.Ontology, text)
		if err != nil {
			return nil, nil
		}
		st := episode.Step{Index: int(step) + i + 1, Action: a, Observation: episode.Observation{Missing: true}}
		if i < len(plan.Agents) {
			st.Agent = plan.Agents[i]
		}
		on.Steps = append(on.Steps, st)
	}
	res, err := r.Check(memory.DuringEpisode(ctx, r.Ontology, ep), &on)
	if err != nil {
		return nil, nil
	}
	return newCourse(r, res, step, len(plan.Plan)), res
}

func newCourse(r *engine.Reasoner, res *engine.Result, step int32, n int) []Carried {
	var objects []Object
	s := newScenes(res.Trace, &objects)
	s.next(step, nil)
	out := make([]Carried, n)
	for i := range out {
		at := step + int32(i) + 1
		was := s.placed
		for _, p := range s.next(at, nil).Changed {
			out[i].Changes = append(out[i].Changes, told(objects, was, p)...)
		}
		for k := range res.Trace.Events {
			ev := &res.Trace.Events[k]
			if ev.Step != at {
				continue
			}
			if ev.Outcome < engine.OutcomeRefused {
				if c := ev.Call; c.Schema != nil && r.Ontology.IsNavigation(c.Schema) {
					t := res.Trace
					out[i].Changes = append(out[i].Changes, t.Objects.Name(t.Robot)+" "+r.Ontology.Label(r.Ontology.Core.Near)+" "+t.Objects.Name(c.Target))
				}
				continue
			}
			for _, u := range ev.Unmet {
				out[i].Unmet = append(out[i].Unmet, u.Comment)
			}
		}
	}
	return out
}

// placement is a relation to a place in words.
func placement(how string) string {
	if how = strings.ReplaceAll(how, "_", " "); how == "located at" {
		return word("scene.at")
	}
	return how
}

// told says what is otherwise of a thing than it was.
func told(objects []Object, was map[int]Placed, p Placed) (out []string) {
	before, name := was[p.Object], objects[p.Object].ID
	if p.At != nil && (before.At == nil || *before.At != *p.At || before.How != p.How) {
		out = append(out, name+" "+placement(p.How)+" "+objects[*p.At].ID)
	}
	for _, is := range p.States {
		if !slices.Contains(before.States, is) {
			out = append(out, name+" "+strings.ReplaceAll(is, "_", " "))
		}
	}
	for _, v := range p.Values {
		if !slices.Contains(before.Values, v) {
			out = append(out, name+" "+v.String())
		}
	}
	return out
}
