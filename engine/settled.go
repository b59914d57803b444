package engine

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/fact"
)

// settled holds, by step and number of a failure rule, on which facts of later steps rests
// what the rule says of the step: where there are none it stays as it is until the facts of
// the step are revised. A rule that was not asked rests on every one.
type settled struct {
	steps map[int32][]rest
	kinds []fact.Predicates // few of which there are
}

// rest is what an answer rests on, an index of kinds.
type rest uint8

// The first two kinds.
const (
	onNothing rest = iota
	onEvery
)

// ofEvery are some rules that rest on every one.
var ofEvery = [256]rest(slices.Repeat([]rest{onEvery}, 256))

func newSettled() settled {
	return settled{map[int32][]rest{}, []fact.Predicates{{}, fact.Every()}}
}

// of is what is settled of some steps, and forgets all others.
func (s *settled) of(steps []int32, rules int) [][]rest {
	var spare []rest
	for step, was := range s.steps {
		if !slices.Contains(steps, step) {
			delete(s.steps, step)
			spare = was
		}
	}
	out := make([][]rest, len(steps))
	for i, step := range steps {
		if s.steps[step] == nil {
			s.steps[step] = slices.Grow(spare[:0], rules)[:rules]
			every := s.steps[step]
			for len(every) > 0 {
				every = every[copy(every, ofEvery[:]):]
			}
			spare = nil
		}
		out[i] = s.steps[step]
	}
	return out
}

// on is what rests on some predicates. Where there are too many kinds it rests on every one.
func (s *settled) on(p fact.Predicates) rest {
	if p.None() {
		return onNothing
	}
	i := slices.Index(s.kinds, p)
	if i < 0 {
		if len(s.kinds) > int(^rest(0)) {
			return onEvery
		}
		i = len(s.kinds)
		s.kinds = append(s.kinds, p)
	}
	return rest(i)
}

// anyMeets reports whether one of several answers rests on a kind that meets.
func anyMeets(meets []bool, rests []rest) bool {
	for _, r := range rests {
		if meets[r] {
			return true
		}
	}
	return false
}

// meets tells of each kind whether it has one of some predicates.
func (s *settled) meets(altered *fact.Predicates) []bool {
	out := make([]bool, len(s.kinds))
	for i := range s.kinds {
		out[i] = s.kinds[i].Meets(altered)
	}
	return out
}
