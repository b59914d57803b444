package foresight

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/planfault"
)

// due is the action that belongs where a planned one stands, by an edit: the one that is
// put in its place or before it, or the one after it where it is left out or belongs later.
func (l *lookout) due(m *planfault.Repair) *PlannedAction {
	a := l.projection
	i := slices.IndexFunc(a.Events, func(e belief.Event) bool { return e.Step == m.At })
	if i < a.Happened || m.Edit.Kind == planfault.Append {
		return nil
	}
	out := &PlannedAction{Step: m.At, Planned: a.Events[i].Planned, Text: m.Text}
	if m.Edit.Kind == planfault.Delete || m.Edit.Kind == planfault.Move && a.Objects.CallText(a.Events[i].Call) == m.Text {
		if i+1 == len(a.Events) {
			return nil
		}
		out.Text = a.Objects.CallText(a.Events[i+1].Call)
	}
	return out
}
