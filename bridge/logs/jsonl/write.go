package jsonl

import (
	"io"

	"github.com/mishap-robotics/mishap/bridge/internal/encode"
	"github.com/mishap-robotics/mishap/bridge/internal/setting"
	"github.com/mishap-robotics/mishap/engine/episode"
)

// Write writes an episode; reading it back gives the same episode.
func Write(w io.Writer, ep *episode.Episode) error {
	enc := encode.Lines(w)
	if err := enc.Encode(toHeader(ep)); err != nil {
		return err
	}
	for i := range ep.Steps {
		if err := enc.Encode(toStep(&ep.Steps[i])); err != nil {
			return err
		}
	}
	if ep.Until != "" {
		return enc.Encode(struct {
			Time timeText `json:"time"`
		}{timeText(ep.Until)})
	}
	return nil
}

func toHeader(ep *episode.Episode) header {
	h := header{Mishap: 1, ID: ep.ID, Task: ep.Task, Goal: ep.Goal, Params: ep.Params, Goals: setting.Words(ep.GoalFacts), People: setting.FromPeople(ep.People), Scene: setting.Words(ep.Scene), Noise: ep.Noise, Hand: ep.GripperObserved,
		Robot: ep.Robot, Site: ep.Site, Start: ep.Start, Labels: ep.Labels}
	for _, a := range ep.Crew {
		h.Agents = append(h.Agents, agent(a))
	}
	for _, a := range ep.Plan {
		h.Plan = append(h.Plan, a.String())
	}
	return h
}

func toStep(st *episode.Step) step {
	s := step{Step: st.Index, Time: timeText(st.Time), Action: st.Action.String(), Agent: st.Agent, Sounds: st.Sounds, Events: fromEvents(st.Events), Values: readings(st.Values), ID: st.ID, Status: string(st.Status), Result: st.Result}
	if st.Observation.Missing {
		return s
	}
	o := &observation{Complete: st.Observation.Complete}
	for _, n := range st.Observation.Nodes {
		o.Nodes = append(o.Nodes, node{n.ID, n.Class, n.States, n.Properties, readings(n.Values)})
	}
	for _, e := range st.Observation.Edges {
		o.Edges = append(o.Edges, [3]string{e.Subject, e.Relation, e.Object})
	}
	s.Observation = o
	return s
}
