package dependency

// Dependencies lists the edges from states to an action.
func (g *StateGraph) Dependencies(action int) []Dependency { return g.of(action, false) }

// Effects lists the edges from an action to states.
func (g *StateGraph) Effects(action int) []Dependency { return g.of(action, true) }

func (g *StateGraph) of(action int, effect bool) []Dependency {
	var out []Dependency
	for _, e := range g.Edges {
		if e.Action == action && e.Effect == effect {
			out = append(out, e)
		}
	}
	return out
}
