package diagnose

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// strategies lists the recovery strategies whose conditions hold when the
// failure shows (RECOVER, section III-D).
func (d *diagnosis) strategies(f *Finding) []Strategy {
	s := d.trace.StateAt(f.Step)
	q := state.Query{State: s, Agent: d.trace.Robot, Gripper: d.trace.Gripper}
	var out []Strategy
	for _, st := range d.onto.StrategiesFor(d.class(f.Type)) {
		b, ok := d.fits(q, st, f)
		if !ok {
			continue
		}
		term := d.onto.Terms[st.Term]
		out = append(out, Strategy{Name: st.Name, Description: term.Comment, Actions: d.steps(st, f, b), AsksHuman: st.AsksHuman})
	}
	return out
}

// otherName is the variable for another object of the class of the first.
const otherName = "?other"

// fits reports whether a strategy can be used, and with which objects. One that
// speaks of more objects than the finding has cannot.
func (d *diagnosis) fits(q state.Query, st *ontology.Strategy, f *Finding) (state.Binding, bool) {
	b := state.NewBinding(len(st.Vars))
	for i, name := range f.Objects {
		if o, ok := d.trace.Objects.Lookup(name); ok && i < 4 {
			b[i] = state.ObjRef(o)
		}
	}
	for i := range 4 {
		if b[i] == state.Unbound && speaksOf(st, i) {
			return nil, false
		}
	}
	other := slices.Index(st.Vars, otherName)
	if other < 0 {
		return holds(q, st, b)
	}
	for _, x := range d.others(q.State, f) {
		b[other] = state.ObjRef(x)
		if at, ok := holds(q, st, b); ok {
			return at, true
		}
	}
	return nil, false
}

func holds(q state.Query, st *ontology.Strategy, b state.Binding) (state.Binding, bool) {
	t, at := q.Best(st.When, b)
	return at, t >= state.AssumedTrue && !q.Any(st.Unless, at)
}

// speaksOf reports whether a strategy mentions one of its variables.
func speaksOf(st *ontology.Strategy, v int) bool {
	for _, p := range slices.Concat(append(st.Unless, st.When)...) {
		if p.Subject.Var == v || p.Object.Var == v {
			return true
		}
	}
	return slices.ContainsFunc(variable.FindAllString(strings.Join(st.Steps, " "), -1), func(s string) bool { return s == st.Vars[v] })
}

// others lists the objects of the class of a finding's first object that exist.
func (d *diagnosis) others(s *state.State, f *Finding) []state.Obj {
	var out []state.Obj
	if len(f.Objects) == 0 {
		return nil
	}
	o, ok := d.trace.Objects.Lookup(f.Objects[0])
	if !ok || d.trace.Objects.Class(o) == ontology.None {
		return nil
	}
	for _, x := range d.trace.Objects.OfClass(d.trace.Objects.Class(o)) {
		if x != o && !s.Gone(x) {
			out = append(out, x)
		}
	}
	return out
}

var variable = regexp.MustCompile(`\?\w+`)

// steps writes the actions of a strategy with the objects it was found to fit.
func (d *diagnosis) steps(st *ontology.Strategy, f *Finding, b state.Binding) []string {
	var out []string
	for _, step := range st.Steps {
		switch step {
		case "{failed}":
			step = ""
			if e := d.trace.Event(f.Step); e != nil {
				step = d.trace.Objects.CallText(e.Call)
			}
		case "{missing}":
			step = d.word("missing", f)
		default:
			step = variable.ReplaceAllStringFunc(step, func(v string) string {
				if i := slices.Index(st.Vars, v); i >= 0 && b[i].Obj() != state.Nothing {
					return d.trace.Objects.Name(b[i].Obj())
				}
				return v
			})
		}
		if step != "" && (len(out) == 0 || out[len(out)-1] != step) {
			out = append(out, step)
		}
	}
	return out
}
