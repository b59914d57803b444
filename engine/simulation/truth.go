package simulation

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// GroundTruth states what the accidents of a run were, by the injections that
// describe such an event: the class of a drop is that of the injection whose
// conditions hold of what fell.
func (r *SimulatedEpisode) GroundTruth(o *ontology.Ontology) []Truth {
	var out []Truth
	for i := range r.Results {
		out = append(out, r.truthAt(o, i)...)
	}
	return out
}

func (r *SimulatedEpisode) truthAt(o *ontology.Ontology, i int) []Truth {
	event := ontology.InjectFail
	switch c := r.Calls[i]; {
	case len(r.Results[i].Dropped) > 0:
		event = ontology.InjectDrop
	case r.Results[i].Taken != "":
		event = ontology.InjectMistake
	case r.Results[i].Done || len(r.Results[i].Refused) > 0 || len(c.Schema.Effects) == 0:
		return nil
	}
	class := ontology.None
	for _, in := range o.Injections {
		if in.Kind != event {
			continue
		}
		if class == ontology.None || o.IsA(class, in.Injects) {
			class = in.Injects // the most general, unless one fits
		}
	}
	for _, in := range o.Injections {
		if in.Kind == event && event == ontology.InjectDrop && r.fits(in, i) {
			class = in.Injects
		}
	}
	return []Truth{{Class: o.Name(class), Step: i + 1, Cause: i + 1}}
}

// fits reports whether the drop at a step is the one that an injection describes.
func (r *SimulatedEpisode) fits(in *ontology.Injection, i int) bool {
	x, ok := r.World.objects.Lookup(r.Results[i].Dropped[0])
	v := slices.Index(in.Vars, in.Subject)
	if !ok || v < 0 || r.Results[i].Onto != "" && in.Onto == ontology.None || r.Results[i].Onto == "" && in.Onto != ontology.None {
		return false
	}
	c := r.Calls[i]
	b := state.NewBinding(len(in.Vars))
	b[ontology.VarAgent], b[ontology.VarGripper], b[v] = state.ObjectRef(c.Agent), state.ObjectRef(c.Gripper), state.ObjectRef(x)
	// What slips while it is picked up is in the gripper for a moment.
	before := r.Before[i].Clone()
	before.SetPlace(x, before.Objects.Onto.Core.Inside, c.Gripper, state.Observed, 0)
	q := state.Query{State: before, Agent: c.Agent, Gripper: c.Gripper}
	found := false
	q.Each(in.When, b, state.AssumedTrue, func(w state.Binding) { found = found || !q.Any(in.Unless, w) })
	return found
}
