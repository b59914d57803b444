package diagnose

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/engine/state"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// describe fills in what a reader of a finding wants to know.
func (d *diagnosis) describe(f *Finding) {
	f.Window = [2]int32{f.Cause, f.Cause}
	if at, ok := f.has("fault"); ok {
		f.Window = d.window(f.Cause, at)
	}
	if e := d.trace.Event(f.Step); e != nil {
		f.Planned = e.Planned
	}
	f.Explanation = d.sentence(f)
	for _, g := range f.goals {
		f.Evidence = append(f.Evidence, g.String())
	}
	f.Strategies = d.strategies(f)
}

// window widens the cause to the steps at which the edit that mends the fault
// would do.
func (d *diagnosis) window(cause, fault int32) [2]int32 {
	w := [2]int32{cause, cause}
	for _, m := range d.index.Mends {
		if m.Step == fault && m.At == cause {
			w = [2]int32{min(w[0], m.First), max(w[1], m.Last)}
		}
	}
	return w
}

var placeholder = regexp.MustCompile(`\{(\w+)\}`)

// sentence fills in the explanation of a finding's class: of the templates that
// can be filled in whole, the one that says most.
func (d *diagnosis) sentence(f *Finding) string {
	best, most := "", -1
	for _, template := range d.onto.Explanations(d.class(f.Type)) {
		filled, whole := 0, true
		text := placeholder.ReplaceAllStringFunc(template, func(p string) string {
			w := d.word(p[1:len(p)-1], f)
			whole = whole && w != ""
			filled++
			return w
		})
		if whole && filled > most {
			best, most = text, filled
		}
	}
	if most < 0 {
		best = strings.TrimSuffix(d.onto.Terms[d.class(f.Type)].Label()+": "+strings.Join(f.Objects, ", "), ": ") + "."
	}
	return best
}

// word is what stands for a placeholder: an object of the finding by its
// number, the action at which it shows, or the action that the plan lacks; ""
// where the finding has no such thing.
func (d *diagnosis) word(key string, f *Finding) string {
	if n, err := strconv.Atoi(key); err == nil {
		if n >= 1 && n <= len(f.Objects) {
			return f.Objects[n-1]
		}
		return ""
	}
	e := d.trace.Event(f.Step)
	switch {
	case key == "action" && e != nil:
		return d.onto.Terms[e.Call.Schema.Term].Label()
	case key == "missing":
		at, _ := f.has("fault")
		for _, m := range d.index.Mends {
			if m.Step == at {
				return m.Text
			}
		}
	}
	return ""
}

func (d *diagnosis) callText(c state.Call) string {
	parts := []string{c.Schema.Name}
	for _, o := range []state.Obj{c.Target, c.Destination} {
		if o != state.Nothing {
			parts = append(parts, d.trace.Objects.Name(o))
		}
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// strategies lists the recovery strategies whose conditions hold when the
// failure shows.
func (d *diagnosis) strategies(f *Finding) []Strategy {
	s := d.trace.StateAt(f.Step)
	q := state.Query{State: s, Agent: d.trace.Robot, Gripper: d.trace.Gripper}
	var out []Strategy
	for _, st := range d.onto.StrategiesFor(d.class(f.Type)) {
		b := state.NewBinding(len(st.Vars))
		for i, name := range f.Objects {
			if o, ok := d.trace.Objects.Lookup(name); ok && i < 4 {
				b[i] = state.ObjRef(o)
			}
		}
		if !usable(st, f) {
			continue
		}
		if t, _ := q.Best(st.When, b); t < state.AssumedTrue {
			continue
		}
		if len(st.Unless) > 0 {
			if t, _ := q.Best(st.Unless, b); t >= state.AssumedTrue {
				continue
			}
		}
		term := d.onto.Terms[st.Term]
		out = append(out, Strategy{Name: st.Name, Description: term.Comment, Actions: d.steps(st, f), AsksHuman: st.AsksHuman})
	}
	return out
}

var objectVariable = regexp.MustCompile(`\?(\d)`)

// usable reports that a strategy speaks of no object the finding does not have.
func usable(st *ontology.Strategy, f *Finding) bool {
	all := strings.Join(st.Steps, " ")
	for i, v := range st.Vars {
		used := slices.ContainsFunc(append(slices.Clone(st.When), st.Unless...), func(p ontology.Pattern) bool {
			return p.Subject.Var == i || p.Object.Var == i
		})
		if used && i < 4 {
			all += " " + v
		}
	}
	for _, m := range objectVariable.FindAllStringSubmatch(all, -1) {
		if n, _ := strconv.Atoi(m[1]); n > len(f.Objects) {
			return false
		}
	}
	return true
}

// steps writes the actions of a strategy for the objects of the finding.
func (d *diagnosis) steps(st *ontology.Strategy, f *Finding) []string {
	var out []string
	for _, step := range st.Steps {
		switch step {
		case "{failed}":
			if e := d.trace.Event(f.Step); e != nil {
				out = append(out, d.callText(e.Call))
			}
		case "{missing}":
			if w := d.word("missing", f); w != "" {
				out = append(out, w)
			}
		default:
			step = objectVariable.ReplaceAllStringFunc(step, func(v string) string {
				n, _ := strconv.Atoi(v[1:])
				return f.Objects[n-1]
			})
			out = append(out, strings.ReplaceAll(step, "?other", d.other(f)))
		}
	}
	return out
}

// other names another object of the class of the first, or the bare class.
func (d *diagnosis) other(f *Finding) string {
	if len(f.Objects) == 0 {
		return ""
	}
	o, ok := d.trace.Objects.Lookup(f.Objects[0])
	if !ok || d.trace.Objects.Class(o) == ontology.None {
		return f.Objects[0]
	}
	for _, x := range d.trace.Objects.OfClass(d.trace.Objects.Class(o)) {
		if x != o && !d.trace.Final.Gone(x) {
			return d.trace.Objects.Name(x)
		}
	}
	return d.onto.Name(d.trace.Objects.Class(o))
}

// RuleOf is the place of the rule behind a finding, as reports write it.
func RuleOf(c *rules.Clause) string { return fmt.Sprintf("%s:%d", c.Pos.File, c.Pos.Line) }
