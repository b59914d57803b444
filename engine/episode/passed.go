package episode

import (
	"slices"
	"sort"
)

// PassedSteps are what a monitor with a window leaves of the steps that it no longer remembers.
type PassedSteps struct {
	steps []passedStep
	times []string // of each; none where none has one
	acts  int
	told  bool
}

type passedStep struct{ index, line int32 }

// Add notes a step that Steps no longer has.
func (p *PassedSteps) Add(st *Step) {
	if st.Time != "" && p.times == nil {
		p.times = make([]string, len(p.steps), cap(p.steps))
	}
	if p.times != nil {
		p.times = append(p.times, st.Time)
	}
	p.steps = append(p.steps, passedStep{int32(st.Index), int32(st.Line)})
	if st.Action.Name != "" {
		p.acts++
	}
	p.told = p.told || st.Agent != ""
}

// Grow makes room for more steps, and for an eighth of those that there are: an episode that
// goes on for long has many that are only added to.
func (p *PassedSteps) Grow(more int) {
	if cap(p.steps)-len(p.steps) < more {
		n := len(p.steps) + max(more, len(p.steps)/8)
		p.steps = append(make([]passedStep, 0, n), p.steps...)
		if p.times != nil {
			p.times = append(make([]string, 0, n), p.times...)
		}
	}
}

// Forget lets go of the steps before one, but for how many had an action.
func (p *PassedSteps) Forget(before int32) {
	n := p.from(before)
	p.steps = slices.Clone(p.steps[n:])
	if p.times != nil {
		p.times = slices.Clone(p.times[n:])
	}
}

// from is the place of the first step of an index or after it.
func (p *PassedSteps) from(index int32) int {
	return sort.Search(len(p.steps), func(i int) bool { return p.steps[i].index >= index })
}

// Len is how many there are.
func (p *PassedSteps) Len() int { return len(p.steps) }

// At is the index, the line and the time of one by its place.
func (p *PassedSteps) At(i int) (index, line int32, time string) {
	if p.times != nil {
		time = p.times[i]
	}
	return p.steps[i].index, p.steps[i].line, time
}

// Before tells of all that there were how many had an action, and whether the log told of
// some whose it was.
func (p *PassedSteps) Before() (acts int, told bool) { return p.acts, p.told }

// Restored are the steps of which there were so many with an action; others are added to
// them.
func Restored(acts int, told bool) PassedSteps { return PassedSteps{acts: acts, told: told} }

// Equal reports whether two tell the same.
func (p PassedSteps) Equal(o PassedSteps) bool {
	return p.acts == o.acts && p.told == o.told && slices.Equal(p.steps, o.steps) && slices.Equal(p.times, o.times)
}

// Clip is the same, to which another may be added without a change to the first.
func (p PassedSteps) Clip() PassedSteps {
	p.steps, p.times = slices.Clip(p.steps), slices.Clip(p.times)
	return p
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

func (p *PassedSteps) find(index int) (line int, time string) {
	if i := p.from(int32(index)); i < len(p.steps) && int(p.steps[i].index) == index {
		_, l, time := p.At(i)
		return int(l), time
	}
	return 0, ""
}

// TimeOf is the time of a step as the log writes it, "" where it has none.
func (e *Episode) TimeOf(index int) string {
	if st := e.step(index); st != nil {
		return st.Time
	}
	_, time := e.Passed.find(index)
	return time
}

// LineOf is the line of the log of a step, 0 where that is not known.
func (e *Episode) LineOf(index int) int {
	if st := e.step(index); st != nil {
		return st.Line
	}
	line, _ := e.Passed.find(index)
	return line
}

// Acted counts the steps with an action, those in Passed among them.
func (e *Episode) Acted() int {
	n, _ := e.Passed.Before()
	for i := range e.Steps {
		if e.Steps[i].Action.Name != "" {
			n++
		}
	}
	return n
}

// TellsAgents reports whether the log tells of some step whose it was.
func (e *Episode) TellsAgents() bool {
	_, told := e.Passed.Before()
	return told || slices.ContainsFunc(e.Steps, func(st Step) bool { return st.Agent != "" })
}
