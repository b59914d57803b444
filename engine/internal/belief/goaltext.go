package belief

import (
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// GoalTexts words the conditions of the goal, and those that are to hold of each of
// several objects.
func (t *Trace) GoalTexts() (texts, each []string) {
	texts = t.conditionTexts(t.Goal.Patterns)
	for _, f := range t.Goal.ForAll {
		each = append(each, t.conditionTexts(f.Requires)...)
	}
	return texts, each
}

func (t *Trace) conditionTexts(conditions []ontology.Pattern) []string {
	var out []string
	for _, p := range conditions {
		m := UnmetGoal{Pattern: p, Object: state.Nothing, Other: state.Nothing}
		if v := p.Object; v.IsVar() && v.Var < len(t.Bound) && t.Bound[v.Var] != state.Unbound {
			m.Other = t.Bound[v.Var].Object()
		}
		if v := p.Subject; v.IsVar() && v.Var < len(t.Bound) && t.Bound[v.Var] != state.Unbound {
			m.Object = t.Bound[v.Var].Object()
		}
		if text := t.GoalText(m); text != "" {
			out = append(out, text)
		}
	}
	return out
}
