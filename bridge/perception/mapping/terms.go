package mapping

import (
	"fmt"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/engine/language"
	"github.com/mishap-robotics/mishap/ontology"
)

// Unknown are the events and sounds that the mapping makes of texts and an ontology does not
// have: *input.Errors with their lines.
func (m *Mapping) Unknown(o *ontology.Ontology) []error {
	var out []error
	for i := range m.Topics {
		for j, t := range m.Topics[i].Match {
			line := m.matches[[2]int{i, j}]
			if t.Event != "" && len(o.ByLabel(t.Event, o.Core.SensorEvent)) == 0 {
				out = append(out, &input.Error{File: m.file, Line: line, Found: fmt.Sprintf("the event %q%s", input.Clip(t.Event), o.EventHint(t.Event)), Expected: "a kind of sensor event of the ontology"})
			}
			if _, known := language.Sound(o, t.Sound); t.Sound != "" && !known {
				out = append(out, &input.Error{File: m.file, Line: line, Found: fmt.Sprintf("the sound %q", input.Clip(t.Sound)), Expected: "one of the ontology"})
			}
		}
	}
	return out
}
