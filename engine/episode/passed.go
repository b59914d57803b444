package episode

import (
	"iter"
	"reflect"
	"slices"
	"sort"
)

// PassedSteps are what a monitor with a window leaves of the steps that it no longer remembers,
// and, of any monitor, the steps that it remembers and holds in less room than Steps takes.
type PassedSteps struct {
	steps []passedStep
	times []string // of each; none where none has one
	acts  int      // of those that are not held
	told  bool
	held  []heldStep // the last of steps
	// actions are those of the held ones, most of which recur.
	actions []Action
}

// heldStep is what a step has beside its index, line and time.
type heldStep struct {
	action            int32 // index of actions
	missing, complete bool
	whole             *Step // of one that has more, else nil
}

type passedStep struct{ index, line int32 }

// Add notes a step that Steps no longer has. None is held.
func (p *PassedSteps) Add(st *Step) {
	p.note(st)
	p.pass(st.Action, st.Agent)
}

func (p *PassedSteps) note(st *Step) {
	if st.Time != "" && p.times == nil {
		p.times = make([]string, len(p.steps), cap(p.steps))
	}
	if p.times != nil {
		p.times = append(p.times, st.Time)
	}
	p.steps = append(p.steps, passedStep{int32(st.Index), int32(st.Line)})
}

// pass counts a step that is not held.
func (p *PassedSteps) pass(a Action, agent string) {
	if a.Name != "" {
		p.acts++
	}
	p.told = p.told || agent != ""
}

// maxActions is how many actions of held steps are told apart; a step with another is held whole.
const maxActions = 256

// Hold notes a step that Steps no longer has so that GiveBack can give it back.
func (p *PassedSteps) Hold(st *Step) {
	p.note(st)
	h := heldStep{action: int32(slices.Index(p.actions, st.Action)), missing: st.Observation.Missing, complete: st.Observation.Complete}
	if h.action < 0 && len(p.actions) < maxActions {
		h.action, p.actions = int32(len(p.actions)), append(p.actions, st.Action)
	}
	rest := *st
	rest.Index, rest.Line, rest.Time, rest.Action = 0, 0, "", Action{}
	rest.Observation.Missing, rest.Observation.Complete = false, false
	if h.action < 0 || !reflect.ValueOf(&rest).Elem().IsZero() {
		whole := *st
		h.whole = &whole
	}
	p.held = append(p.held, h)
}

// Holding is how many of the last are held.
func (p *PassedSteps) Holding() int { return len(p.held) }

// HeldIndex is the index of a held step by its place among them.
func (p *PassedSteps) HeldIndex(i int) int {
	return int(p.steps[len(p.steps)-len(p.held)+i].index)
}

// heldStep is a held step by its place among them.
func (p *PassedSteps) heldStep(i int) Step {
	h := &p.held[i]
	if h.whole != nil {
		return *h.whole
	}
	index, line, time := p.At(len(p.steps) - len(p.held) + i)
	return Step{Index: int(index), Line: int(line), Time: time, Action: p.actions[h.action], Observation: Observation{Missing: h.missing, Complete: h.complete}}
}

// ForgetShown lets go of what a held step showed and what was heard and measured at it.
func (p *PassedSteps) ForgetShown(i int) {
	h := &p.held[i]
	h.missing, h.complete = false, false
	if h.whole != nil {
		whole := *h.whole
		whole.ForgetShown()
		h.whole = &whole
	}
}

// ForgetShown lets go of what a step showed and what was heard and measured at it.
func (s *Step) ForgetShown() {
	s.Observation, s.Sounds, s.Events, s.Values = Observation{}, nil, nil, nil
}

// LetGo holds the first of the held steps no more.
func (p *PassedSteps) LetGo(n int) {
	for i := range n {
		st := p.heldStep(i)
		p.pass(st.Action, st.Agent)
	}
	if p.held = slices.Delete(p.held, 0, n); len(p.held) == 0 {
		p.actions = nil
	}
}

// GiveBack puts the held steps among Steps, a list of its own.
func (e *Episode) GiveBack() {
	p := &e.Passed
	if len(p.held) == 0 {
		return
	}
	steps := make([]Step, 0, len(p.held)+len(e.Steps)+1)
	for i := range p.held {
		steps = append(steps, p.heldStep(i))
	}
	e.Steps = append(steps, e.Steps...)
	n := len(p.steps) - len(p.held)
	p.held, p.actions, p.steps = nil, nil, slices.Clip(p.steps[:n])
	if p.times != nil {
		p.times = slices.Clip(p.times[:n])
	}
	if !slices.ContainsFunc(p.times, func(time string) bool { return time != "" }) {
		p.times = nil
	}
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
	n := min(p.from(before), len(p.steps)-len(p.held))
	p.steps = slices.Clone(p.steps[n:])
	if p.times != nil {
		p.times = slices.Clone(p.times[n:])
	}
}

// from is the place of the first step of an index or after it.
func (p *PassedSteps) from(index int32) int {
	return sort.Search(len(p.steps), func(i int) bool { return p.steps[i].index >= index })
}

// Len is how many there are, the held ones among them.
func (p *PassedSteps) Len() int { return len(p.steps) }

// At is the index, the line and the time of one by its place.
func (p *PassedSteps) At(i int) (index, line int32, time string) {
	if p.times != nil {
		time = p.times[i]
	}
	return p.steps[i].index, p.steps[i].line, time
}

// Before tells of all that there were, but for those that are held, how many had an action, and
// whether the log told of some whose it was.
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
	p.steps, p.times, p.held, p.actions = slices.Clip(p.steps), slices.Clip(p.times), slices.Clip(p.held), slices.Clip(p.actions)
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

// ActionOf is the action of a step as the log writes it; false where it is not remembered.
func (e *Episode) ActionOf(index int) (Action, bool) {
	if st := e.step(index); st != nil {
		return st.Action, true
	}
	p := &e.Passed
	i := p.from(int32(index)) - (len(p.steps) - len(p.held))
	if i < 0 || i >= len(p.held) || p.HeldIndex(i) != index {
		return Action{}, false
	}
	return p.heldStep(i).Action, true
}

// all visits the steps that are remembered, the held ones among them.
func (e *Episode) all() iter.Seq[*Step] {
	return func(yield func(*Step) bool) {
		for i := range e.Passed.held {
			if st := e.Passed.heldStep(i); !yield(&st) {
				return
			}
		}
		for i := range e.Steps {
			if !yield(&e.Steps[i]) {
				return
			}
		}
	}
}

// Acted counts the steps with an action, those in Passed among them.
func (e *Episode) Acted() int {
	n, _ := e.Passed.Before()
	for st := range e.all() {
		if st.Action.Name != "" {
			n++
		}
	}
	return n
}

// TellsAgents reports whether the log tells of some step whose it was.
func (e *Episode) TellsAgents() bool {
	_, told := e.Passed.Before()
	for st := range e.all() {
		told = told || st.Agent != ""
	}
	return told
}
