package episode

import "sort"

// PassedStep is what a monitor with a window leaves of a step that it no longer remembers.
type PassedStep struct {
	Index, Line int32
	Acts        bool // it had an action
	Told        bool // the log told whose
	Time        string
}

// Pass notes a step that Steps no longer has.
func (e *Episode) Pass(st *Step) {
	e.Passed = append(e.Passed, PassedStep{int32(st.Index), int32(st.Line), st.Action.Name != "", st.Agent != "", st.Time})
}

// step is the step of an index among Steps, nil where it is not among them.
func (e *Episode) step(index int) *Step {
	for i := len(e.Steps) - 1; i >= 0; i-- {
		if e.Steps[i].Index == index {
			return &e.Steps[i]
		}
	}
	return nil
}

func (e *Episode) passed(index int) *PassedStep {
	i := sort.Search(len(e.Passed), func(i int) bool { return int(e.Passed[i].Index) >= index })
	if i == len(e.Passed) || int(e.Passed[i].Index) != index {
		return nil
	}
	return &e.Passed[i]
}

// TimeOf is the time of a step as the log writes it, "" where it has none.
func (e *Episode) TimeOf(index int) string {
	if st := e.step(index); st != nil {
		return st.Time
	}
	if p := e.passed(index); p != nil {
		return p.Time
	}
	return ""
}

// LineOf is the line of the log of a step, 0 where that is not known.
func (e *Episode) LineOf(index int) int {
	if st := e.step(index); st != nil {
		return st.Line
	}
	if p := e.passed(index); p != nil {
		return int(p.Line)
	}
	return 0
}

// Acted counts the steps with an action, those in Passed among them.
func (e *Episode) Acted() int {
	n := 0
	for i := range e.Passed {
		if e.Passed[i].Acts {
			n++
		}
	}
	for i := range e.Steps {
		if e.Steps[i].Action.Name != "" {
			n++
		}
	}
	return n
}

// TellsAgents reports whether the log tells of some step whose it was.
func (e *Episode) TellsAgents() bool {
	for i := len(e.Steps) - 1; i >= 0; i-- {
		if e.Steps[i].Agent != "" {
			return true
		}
	}
	for i := range e.Passed {
		if e.Passed[i].Told {
			return true
		}
	}
	return false
}
