package dependency

// Dependencies lists the edges from states to an action.
func (g *Graph) Dependencies(action int) []Edge { return g.of(action, false) }

// Effects lists the edges from an action to states.
func (g *Graph) Effects(action int) []Edge { return g.of(action, true) }

func (g *Graph) of(action int, effect bool) []Edge {
	var out []Edge
	for _, e := range g.Edges {
		if e.Action == action && e.Effect == effect {
			out = append(out, e)
		}
	}
	return out
}
