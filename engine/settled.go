package engine

import "slices"

// settled holds, by step and number of a failure rule, whether what the rule says of the
// step rests on nothing that comes after it: it stays as it is until the facts of the step
// are revised.
type settled map[int32][]bool

// of is what is settled of some steps, and forgets all others.
func (s settled) of(steps []int32, rules int) [][]bool {
	for step := range s {
		if !slices.Contains(steps, step) {
			delete(s, step)
		}
	}
	out := make([][]bool, len(steps))
	for i, step := range steps {
		if s[step] == nil {
			s[step] = make([]bool, rules)
		}
		out[i] = s[step]
	}
	return out
}
