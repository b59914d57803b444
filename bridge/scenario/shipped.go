package scenario

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/mishap-robotics/mishap/engine/simulation"
	"github.com/mishap-robotics/mishap/ontology"
)

// Shipped is the scenario of an ontology that has a name, or that has a task of that
// name or label.
func Shipped(o *ontology.Ontology, name string) (*simulation.Scenario, error) {
	if sc, ok := o.Scenario(name); ok {
		return simulation.FromOntology(o, sc)
	}
	task, ok := o.Task(name)
	if !ok {
		return nil, simulation.UnknownScenario(o, name)
	}
	sc, ok := simulation.ScenarioOf(o, task)
	if !ok {
		return nil, fmt.Errorf("no scenario has the task %s; \"mishap sim --list\" shows the scenarios", task.Name)
	}
	return simulation.FromOntology(o, sc)
}

// WriteList writes a table of the scenarios of an ontology, and one of the failures
// that can be injected.
func WriteList(w io.Writer, o *ontology.Ontology) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "SCENARIO\tSUITE\tACTIONS\tTASK\tEXPECTED")
	for _, sc := range o.Scenarios {
		var expected []string
		for _, e := range sc.Expects {
			expected = append(expected, o.Name(e.Failure))
		}
		task := ""
		if sc.Task != ontology.None {
			task = o.Terms[sc.Task].Label()
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\t%s\n", sc.Name, sc.Suite, len(sc.Plan), task, strings.Join(expected, ", "))
	}
	fmt.Fprintln(t, "\nFAILURE\tINJECTS\tWHAT HAPPENS")
	for _, in := range o.Injections {
		fmt.Fprintf(t, "%s\t%s\t%s\n", in.Name, o.Name(in.Injects), o.Terms[in.Term].Comment)
	}
	return t.Flush()
}
