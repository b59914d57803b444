package draw

import (
	"fmt"

	"github.com/mishap-robotics/mishap/bridge/internal/wording"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/dependency"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

// ActionDependencies is the state-dependency graph of the actions of an ontology over
// their parameters, with the processes of appliances where these are asked for.
func ActionDependencies(o *ontology.Ontology, processes bool) DependencyGraph {
	return DependencyGraph{Title: "State dependencies of the actions", Graph: dependency.Of(o, processes)}
}

// PlanDependencies is the state-dependency graph of the plan of an episode with the
// objects that it means. The error names an object of a class that the ontology does not
// have.
func PlanDependencies(o *ontology.Ontology, ep *episode.Episode) (DependencyGraph, error) {
	out := DependencyGraph{Title: "State dependencies of plan " + ep.ID, Episode: ep.ID}
	if ep.ID == "" {
		out.Title = "State dependencies of " + wording.Count(len(ep.Plan), "action")
	}
	if err := checkClasses(o, ep.Plan); err != nil {
		return out, err
	}
	projected := engine.ProjectPlan(o, ep)
	var calls []engine.Call
	for i := range projected.Events {
		calls = append(calls, projected.Events[i].Call)
	}
	out.Graph = dependency.Ground(projected.Objects, calls)
	return out, nil
}

// checkClasses refuses objects of classes that the ontology does not have.
func checkClasses(o *ontology.Ontology, actions []episode.Action) error {
	for _, a := range actions {
		for _, name := range []string{a.Target, a.Destination} {
			class, _ := episode.SplitName(name)
			if class != "" && len(o.ByLabel(class, o.Core.PhysicalObject))+len(o.ByLabel(class, o.Core.Agent)) == 0 {
				return fmt.Errorf("unknown object class %q in %s%s", class, a, o.ClassHint(class))
			}
		}
	}
	return nil
}
