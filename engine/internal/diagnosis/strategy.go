package diagnosis

import (
	"regexp"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/engine/language"
	"github.com/mishap-robotics/mishap/ontology"
)

// strategySelector finds the recovery strategies that apply to a finding.
type strategySelector struct {
	trace   *belief.Trace
	onto    *ontology.Ontology
	moments *belief.Moments
	// missing are the actions that would repair the plan; none where none do.
	missing []string
}

// strategies lists the recovery strategies whose conditions hold when the
// failure shows (RECOVER, section III-D).
func (l *strategySelector) strategies(f *Finding) []Strategy {
	s := l.moments.StateAt(f.Step)
	if e := l.trace.Event(f.Step); e != nil && !e.Away {
		at := e.Call.Destination
		if at == state.Nothing {
			at = e.Call.Target
		}
		s.SetAnchor(l.trace.Robot, at)
	}
	q := state.Query{State: s, Agent: l.trace.Robot, Gripper: l.trace.Gripper}
	var out []Strategy
	for _, st := range l.onto.StrategiesFor(l.onto.Term(f.Type)) {
		if l.trace.Interrupt.Raised() {
			return nil
		}
		b, ok := l.fits(q, st, f)
		if !ok {
			continue
		}
		steps, ok := l.steps(st, f, s, b)
		if !ok {
			continue
		}
		out = append(out, Strategy{Name: st.Name, Description: l.onto.Terms[st.Term].Comment, Actions: steps, AsksHuman: st.AsksHuman})
	}
	return out
}

// otherName is the variable for another object of the class of the first.
const otherName = "?other"

// fits reports whether a strategy can be used, and with which objects. One that
// speaks of more objects than the finding has cannot.
func (l *strategySelector) fits(q state.Query, st *ontology.Strategy, f *Finding) (state.Binding, bool) {
	b := state.NewBinding(len(st.Vars))
	for i, name := range f.Objects {
		if o, ok := l.trace.Objects.Lookup(name); ok && i < 4 {
			b[i] = state.ObjectRef(o)
		}
	}
	for i := range 4 {
		if b[i] == state.Unbound && st.Mentions(i) {
			return nil, false
		}
	}
	other := slices.Index(st.Vars, otherName)
	if other < 0 {
		return l.holds(q, st, b)
	}
	for _, x := range l.others(q.State, f) {
		if l.trace.Interrupt.Raised() {
			return nil, false
		}
		b[other] = state.ObjectRef(x)
		if at, ok := l.holds(q, st, b); ok {
			return at, true
		}
	}
	return nil, false
}

// holds reports whether the conditions of a strategy hold, and with which objects.
func (l *strategySelector) holds(q state.Query, st *ontology.Strategy, b state.Binding) (state.Binding, bool) {
	when, ok := l.named(st.When, b)
	if !ok {
		return b, false
	}
	t, at := q.Best(when, b)
	if t < state.AssumedTrue {
		return at, false
	}
	for _, unless := range st.Unless {
		if rest, ok := l.named(unless, at); ok && q.Any([][]ontology.Pattern{rest}, at) {
			return at, false
		}
	}
	return at, true
}

// named leaves out of a conjunction that the goal names an object; ok is false where it
// does not.
func (l *strategySelector) named(ps []ontology.Pattern, b state.Binding) (rest []ontology.Pattern, ok bool) {
	core := &l.onto.Core
	for i, p := range ps {
		if p.Predicate != core.Type || p.Object.IsVar() || p.Object.Term != core.NamedByTask {
			if rest != nil {
				rest = append(rest, p)
			}
			continue
		}
		if !p.Subject.IsVar() || b[p.Subject.Var] == state.Unbound || !slices.Contains(l.trace.Bound, b[p.Subject.Var]) && !l.isNumbered(b[p.Subject.Var].Object()) {
			return nil, false
		}
		if rest == nil {
			rest = append(make([]ontology.Pattern, 0, len(ps)), ps[:i]...)
		}
	}
	if rest == nil {
		rest = ps
	}
	return rest, true
}

// isNumbered reports whether the goal in words names an object by its number, even where
// nothing else of it is understood.
func (l *strategySelector) isNumbered(x state.Object) bool {
	return x != state.Nothing && slices.ContainsFunc(language.Numbered(l.onto, l.trace.Episode.Goal), func(name string) bool {
		y, ok := l.trace.Objects.Lookup(name)
		return ok && y == x
	})
}

// others lists the objects of the class of a finding's first object that exist.
func (l *strategySelector) others(s *state.State, f *Finding) []state.Object {
	var out []state.Object
	if len(f.Objects) == 0 {
		return nil
	}
	o, ok := l.trace.Objects.Lookup(f.Objects[0])
	if !ok || l.trace.Objects.Class(o) == ontology.None {
		return nil
	}
	for _, x := range l.trace.Objects.OfClass(l.trace.Objects.Class(o)) {
		if x != o && !s.Gone(x) {
			out = append(out, x)
		}
	}
	return out
}

var variable = regexp.MustCompile(`\?\w+`)

// steps writes the actions of a strategy with the objects it was found to fit.
// ok is false where it has an action of the plan's repair and there is none.
func (l *strategySelector) steps(st *ontology.Strategy, f *Finding, s *state.State, b state.Binding) (out []string, ok bool) {
	for i := range st.Steps {
		step := st.Steps[i]
		switch step {
		case "{failed}":
			step = ""
			if e := l.trace.Event(f.Step); e != nil {
				step = l.trace.Objects.CallText(e.Call)
			}
		case "{missing}":
			if len(l.missing) == 0 {
				return nil, false
			}
			last := len(l.missing) - 1
			out, step = append(out, l.missing[:last]...), l.missing[last]
		default:
			step = variable.ReplaceAllStringFunc(step, func(v string) string {
				if i := slices.Index(st.Vars, v); i >= 0 && b[i].Object() != state.Nothing {
					return l.trace.Objects.Name(b[i].Object())
				}
				return v
			})
		}
		if step != "" && (len(out) == 0 || out[len(out)-1] != step) {
			out = append(out, step)
		}
	}
	return l.walk(s.Clone(), out), true
}

// walk puts a move before each action for which the robot would stand elsewhere.
func (l *strategySelector) walk(s *state.State, steps []string) []string {
	var out []string
	for _, text := range steps {
		c, ok := l.call(text)
		if !ok { // of a class: where the robot stands then is not known
			s.SetAnchor(l.trace.Robot, state.Nothing)
			out = append(out, text)
			continue
		}
		if move := l.move(); move != nil && s.Anchor(c.Agent) != state.Nothing {
			for _, x := range s.Judge(c).OutOfReach() {
				there := c
				there.Schema, there.Target, there.Destination = move, x, state.Nothing
				s.Apply(there, state.Predicted, 0)
				out = append(out, l.trace.Objects.CallText(there))
			}
		}
		s.Apply(c, state.Predicted, 0)
		out = append(out, text)
	}
	return out
}

// move is the action that takes the robot to an object, nil where the ontology
// has none.
func (l *strategySelector) move() *ontology.ActionSchema {
	for _, a := range l.onto.Actions {
		if l.onto.IsNavigation(a) {
			return a
		}
	}
	return nil
}

// call reads an action on objects of the episode.
func (l *strategySelector) call(text string) (state.Call, bool) {
	a, err := episode.ParseAction(l.onto, text)
	if err != nil {
		return state.Call{}, false
	}
	c := state.Call{Agent: l.trace.Robot, Gripper: l.trace.Gripper, Target: state.Nothing, Destination: state.Nothing}
	c.Schema, _ = l.onto.Action(a.Name)
	for name, o := range map[string]*state.Object{a.Target: &c.Target, a.Destination: &c.Destination} {
		if name == "" {
			continue
		}
		var ok bool
		if *o, ok = l.trace.Objects.Lookup(name); !ok {
			return state.Call{}, false
		}
	}
	return c, true
}
