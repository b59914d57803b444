package replan

import (
	"fmt"
	"math"
)

// Measure tells how things are, by name. Ok is false for what cannot be measured.
type Measure interface {
	Distance(a, b string) (metres float64, ok bool)
	Joint(object string) (fraction float64, ok bool) // from 0 to 1
	Height(object string) (metres float64, ok bool)  // above the floor
	Rotation(object string) (degrees float64, ok bool)
}

// reward is the reward of a term: 0 where it is settled, below that by how far it is
// off: metres, joint fraction, or radians. The error says what cannot be measured.
func (t RewardTerm) reward(m Measure) (float64, error) {
	var is float64
	var ok bool
	off := func() float64 { return math.Abs(is - t.Value) }
	switch t.Function {
	case MinimizeDistance:
		is, ok = m.Distance(t.Object, t.Other)
		off = func() float64 { return is }
	case MaximizeDistance:
		is, ok = m.Distance(t.Object, t.Other)
		off = func() float64 { return math.Max(0, t.Value-is) }
	case JointFraction:
		is, ok = m.Joint(t.Object)
	case Height:
		is, ok = m.Height(t.Object)
	case Orientation:
		is, ok = m.Rotation(t.Object)
		off = func() float64 { return math.Abs(math.Remainder(is-t.Value, 360)) * math.Pi / 180 }
	default:
		return 0, fmt.Errorf("unknown function %q; expected %s", t.Function, hint(string(t.Function), functions()))
	}
	if !ok {
		return 0, fmt.Errorf("%s cannot be measured", t)
	}
	return 0 - off(), nil
}

// Cost is what a motion controller minimises: −Σ w·r over the terms, w being the
// weight and r the reward of a term (RePlan, motion control by MuJoCo MPC). It is 0
// where all are settled. The error says what cannot be measured.
func Cost(terms []RewardTerm, m Measure) (float64, error) {
	sum := 0.0
	for _, t := range terms {
		r, err := t.reward(m)
		if err != nil {
			return 0, err
		}
		sum -= t.Weight * r
	}
	return sum, nil
}
