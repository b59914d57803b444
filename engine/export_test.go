package engine

import (
	"fmt"
	"slices"
)

// Reconsider lets a monitor ask every rule anew of the steps it looks back at.
func (m *Monitor) Reconsider() { m.settled.forget() }

// Concluded writes what a monitor concludes of the last steps, in order.
func (m *Monitor) Concluded() []string {
	var out []string
	for step, all := range m.concluded {
		for _, c := range all {
			out = append(out, fmt.Sprint(step, " ", c.Class, " ", c.Step, " ", c.Cause, " ", c.Objects, " ", c.Bindings))
		}
	}
	slices.Sort(out)
	return out
}
