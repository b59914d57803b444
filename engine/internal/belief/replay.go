package belief

import (
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Replayed is a sequence of actions carried out in the action model.
type Replayed struct {
	Objects *state.Objects
	States  []*state.State // after each step
	Calls   []state.Call
}

// Replay carries out the actions of an episode in the action model, from its
// stated scene and the usual one. An action with a precondition that does not
// hold is refused and changes nothing, as in a simulator. Observations of the
// episode are not read.
func Replay(o *ontology.Ontology, ep *episode.Episode) *Replayed {
	blank := *ep
	blank.Steps = make([]episode.Step, len(ep.Steps))
	for i, st := range ep.Steps {
		st.Observation = episode.Observation{}
		blank.Steps[i] = st
	}
	t, _ := newTracker(o, &blank, false, nil)
	out := &Replayed{Objects: t.trace.Objects}
	s := t.believed
	for i := range blank.Steps {
		st := &blank.Steps[i]
		var e Event
		e.Step = int32(st.Index)
		t.believed = s
		if st.Action.Name != "" {
			t.resolveCall(&e, st)
			s = s.Clone()
			s.Settle()
			s.Run(state.Observed, e.Step)
			if len(s.Judge(e.Call).UnmetPreconditions()) == 0 {
				s.Apply(e.Call, state.Observed, e.Step)
			}
			s.Run(state.Observed, e.Step)
		}
		out.States = append(out.States, s)
		out.Calls = append(out.Calls, e.Call)
	}
	return out
}
