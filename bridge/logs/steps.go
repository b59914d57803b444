package logs

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/mishap-robotics/mishap/engine/episode"
)

// StepsAt lists the numbers of the steps that have a time as the log writes it, else the
// step of that number.
func StepsAt(ep *episode.Episode, at string) ([]int32, error) {
	var out []int32
	for i := range ep.Steps {
		if ep.Steps[i].Time == at {
			out = append(out, int32(ep.Steps[i].Index))
		}
	}
	if n, err := strconv.Atoi(at); err == nil && len(out) == 0 {
		for i := range ep.Steps {
			if ep.Steps[i].Index == n {
				out = append(out, int32(n))
			}
		}
	}
	if len(out) == 0 {
		last := ep.Steps[len(ep.Steps)-1]
		return nil, fmt.Errorf("%q: the log has no such time or step; its last is step %d %s", at, last.Index, last.Time)
	}
	return out, nil
}

// StepAt finds the index of the step that a text names: its number, its time as the
// log writes it, or a time within it.
func StepAt(ep *episode.Episode, at string) (int, error) {
	n, isStep := strconv.Atoi(at)
	seconds, isTime := episode.Seconds(at)
	found := -1
	for i := range ep.Steps {
		st := &ep.Steps[i]
		own, ok := episode.Seconds(st.Time)
		switch {
		case isStep == nil && st.Index == n, st.Time != "" && st.Time == at:
			return i, nil
		case isStep != nil && isTime && ok && own <= seconds:
			found = i
		}
	}
	if found >= 0 {
		return found, nil
	}
	first, last := &ep.Steps[0], &ep.Steps[len(ep.Steps)-1]
	return 0, fmt.Errorf("no step or time %q; expected a step from %d to %d, or a time as the log has it, such as %q", at, first.Index, last.Index, cmp.Or(last.Time, "none"))
}
