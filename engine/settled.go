package engine

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/fact"
)

// settled holds, by step and number of a failure rule, on which facts of later steps rests
// what the rule says of the step: where there are none it stays as it is until the facts of
// the step are revised. A rule that was not asked rests on every one.
type settled map[int32][]fact.Predicates

// of is what is settled of some steps, and forgets all others.
func (s settled) of(steps []int32, rules int) [][]fact.Predicates {
	var spare []fact.Predicates
	for step, was := range s {
		if !slices.Contains(steps, step) {
			delete(s, step)
			spare = was
		}
	}
	out := make([][]fact.Predicates, len(steps))
	for i, step := range steps {
		if s[step] == nil {
			s[step] = slices.Grow(spare[:0], rules)[:rules]
			for n := range s[step] {
				s[step][n] = fact.Every()
			}
			spare = nil
		}
		out[i] = s[step]
	}
	return out
}
