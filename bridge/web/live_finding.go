package web

import (
	"fmt"
	"slices"

	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
)

// The states of a threat beside those that engine.UpdateKind names.
const (
	stateShowed = "showed" // it was found
	statePassed = "passed" // the step has come at which it would show
)

// LiveFinding is a finding, or a threat, with what became of it.
type LiveFinding struct {
	report.Finding
	*Foresight
	Key     string       `json:"key"`
	State   string       `json:"state"` // found or withdrawn; of a threat foreseen, averted, showed or passed
	Remarks []LiveRemark `json:"remarks,omitempty"`

	planned int      // of the action at which it shows
	objects []string // as the log names them
}

// Foresight is what a threat has beside a finding; its fields are those of report.Threat.
type Foresight struct {
	ForeseenStep int32              `json:"foreseen_step"`
	ForeseenTime string             `json:"foreseen_time,omitempty"`
	Condition    string             `json:"condition,omitempty"`
	Provider     *report.ActionRef  `json:"provider,omitempty"`
	Irreversible []report.ActionRef `json:"irreversible,omitempty"`
	Repair       string             `json:"mend,omitempty"`
	ShowedStep   int32              `json:"showed_step,omitempty"`
}

// finding is that of an update, with its key.
func (e *liveEpisode) finding(ep *episode.Episode, u engine.Update) *LiveFinding {
	f := &LiveFinding{State: string(u.Kind), planned: u.Finding.Planned, objects: u.Finding.Objects}
	stands := e.found
	if u.Threat == nil {
		f.Finding = report.NewFinding(ep, &u.Finding)
	} else {
		t := report.NewThreat(ep, u.Threat)
		f.Finding, f.Foresight = t.Finding, &Foresight{t.ForeseenStep, t.ForeseenTime, t.Condition, t.Provider, t.Irreversible, t.Repair, 0}
		stands = e.foreseen
	}
	f.Key = e.keyOf(u)
	if u.Kind == engine.Found || u.Kind == engine.Foreseen {
		stands[f.Key] = true
	} else {
		delete(stands, f.Key)
	}
	f.bound()
	return f
}

// keyOf is a name for the finding or threat of an update that stays.
func (e *liveEpisode) keyOf(u engine.Update) string {
	step := int(u.Finding.Step)
	if u.Threat != nil {
		step = u.Finding.Planned
	}
	return keyOf(fmt.Sprintf("%s\x00%d\x00%t\x00%q", e.Key, step, u.Threat != nil, u.Finding.Objects), u.Finding.Type)
}

// bound leaves out what is more than a page bears.
func (f *LiveFinding) bound() {
	const most = 20
	list := func(texts []string) []string {
		out := []string{}
		for _, t := range texts[:min(len(texts), most)] {
			out = append(out, clipped(t))
		}
		return out
	}
	f.Explanation, f.Time, f.CauseTime, f.Agent = clipped(f.Explanation), clipped(f.Time), clipped(f.CauseTime), clipped(f.Agent)
	f.Objects, f.Evidence = list(f.Objects), list(f.Evidence)
	f.Strategies, f.Consequences = f.Strategies[:min(len(f.Strategies), most)], f.Consequences[:min(len(f.Consequences), most)]
	for i := range f.Strategies {
		s := &f.Strategies[i]
		s.Description, s.Actions = clipped(s.Description), list(s.Actions)
	}
	for i := range f.Consequences {
		c := &f.Consequences[i]
		c.Explanation, c.Time, c.Objects = clipped(c.Explanation), clipped(c.Time), list(c.Objects)
	}
	if f.Foresight != nil {
		f.Foresight.bound(most)
	}
}

func (f *Foresight) bound(most int) {
	f.Condition, f.Repair, f.ForeseenTime = clipped(f.Condition), clipped(f.Repair), clipped(f.ForeseenTime)
	if f.Provider != nil {
		f.Provider.Action = clipped(f.Provider.Action)
	}
	f.Irreversible = f.Irreversible[:min(len(f.Irreversible), most)]
	for i := range f.Irreversible {
		f.Irreversible[i].Action = clipped(f.Irreversible[i].Action)
	}
}

// keep puts a finding, or a threat, in the place of the one of its key.
func (e *liveEpisode) keep(f *LiveFinding) {
	list := &e.findings
	if f.Foresight != nil {
		list = &e.threats
	}
	if i := slices.IndexFunc(*list, func(g *LiveFinding) bool { return g.Key == f.Key }); i >= 0 {
		f.Remarks = (*list)[i].Remarks
		(*list)[i] = f
		return
	}
	if *list = append(*list, f); len(*list) > maxLiveFindings {
		*list = slices.Delete(*list, 0, 1)
	}
}

// says reports whether a finding says the same of what a person is shown.
func (f *LiveFinding) says(g *LiveFinding) bool {
	return f.Explanation == g.Explanation && f.CauseStep == g.CauseStep && f.Recovered == g.Recovered && len(f.Consequences) == len(g.Consequences)
}
