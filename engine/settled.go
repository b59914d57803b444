package engine

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/engine/internal/inference"
)

// settled holds, by step, on which facts of later steps rests what failure rules say of it: where
// there are none that stays as it is until the facts of the step are revised.
type settled struct {
	steps []settledStep
	spare []settledStep
	kinds []inference.Later // few of which there are
	known map[inference.Later]rest
}

// settledStep is what is settled of a step.
type settledStep struct {
	step    int32
	unasked bool // no rule was asked about it
	rests   []ruleRest
}

// ruleRest is what the answer of a rule rests on. What rests on nothing is not listed.
type ruleRest struct {
	rule int32
	on   rest
}

// rest is what an answer rests on, an index of kinds.
type rest uint16

// onEvery is the kind of a rule that was not asked, or of which more is not told.
const onEvery rest = 0

// mostKinds are told apart. What is of a further one rests on every fact.
const mostKinds = 1000

func newSettled() settled {
	return settled{kinds: []inference.Later{inference.OnAll()}, known: map[inference.Later]rest{}}
}

// of is what is settled of some steps, and forgets all others.
func (s *settled) of(steps []int32) []settledStep {
	now := s.spare[:0]
	for _, step := range steps {
		of := settledStep{step: step, unasked: true}
		if i := slices.IndexFunc(s.steps, func(o settledStep) bool { return o.step == step && !o.unasked }); i >= 0 {
			of = s.steps[i]
			s.steps[i].rests = nil
		}
		now = append(now, of)
	}
	for i := range now {
		if now[i].unasked { // the room of one that is forgotten serves
			if n := slices.IndexFunc(s.steps, func(o settledStep) bool { return o.rests != nil }); n >= 0 {
				now[i].rests, s.steps[n].rests = s.steps[n].rests[:0], nil
			}
		}
	}
	s.steps, s.spare = now, s.steps
	return now
}

// forget lets all rules be asked anew.
func (s *settled) forget() {
	for i := range s.steps {
		s.steps[i].unasked = true
	}
}

// on notes what the answer of a rule rests on, of a step.
func (s *settled) on(step *settledStep, rule int, ahead inference.Later) {
	ahead = ahead.After(step.step)
	if ahead == (inference.Later{}) {
		return
	}
	step.rests = append(step.rests, ruleRest{int32(rule), s.kind(ahead)})
}

func (s *settled) kind(ahead inference.Later) rest {
	if ahead == s.kinds[onEvery] {
		return onEvery
	}
	k, ok := s.known[ahead]
	if !ok && len(s.kinds) < mostKinds {
		k = rest(len(s.kinds))
		s.kinds, s.known[ahead] = append(s.kinds, ahead), k
	}
	return k
}

// takeAltered moves the rules whose answers may be others now into a set: facts of some
// predicates have changed from a step on. It reports whether there are any.
func (s *settled) takeAltered(step *settledStep, changed *fact.Predicates, from int32, into inference.RuleSet) bool {
	n := len(step.rests)
	step.rests = slices.DeleteFunc(step.rests, func(r ruleRest) bool {
		if !s.kinds[r.on].Meets(changed, from-step.step) {
			return false
		}
		into.Add(int(r.rule))
		return true
	})
	return len(step.rests) < n
}
