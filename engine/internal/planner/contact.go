package planner

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Spoiling keeps account, while a plan is carried out, of what it brings together with things
// that go against goal norms: whatever the goal is about is not to be among that, even where it
// is apart again in the end.
type Spoiling struct {
	goal    *Goal
	Handled []state.Object // that the plan put somewhere
	moved   []state.Object // the same, and what lay in that
	// wrong are the calls that put what nothing makes fit for the goal to where it spoilt
	// something.
	wrong  map[state.Object]state.Call
	spoilt []spoilt
}

// spoilt is a thing that was spoilt by another.
type spoilt struct {
	x       state.Object
	by      Unfit
	contact *ontology.Contact
}

// Spoiling begins an account.
func (g *Goal) Spoiling() *Spoiling { return &Spoiling{goal: g, wrong: map[state.Object]state.Call{}} }

// Note takes in the state after an action.
func (sp *Spoiling) Note(s *state.State, c state.Call) {
	if c.Destination != state.Nothing {
		sp.Handled = with(sp.Handled, c.Target)
		sp.moved = with(sp.moved, c.Target)
		for i := slices.Index(sp.moved, c.Target); i < len(sp.moved); i++ {
			sp.moved = with(sp.moved, s.Contents(sp.moved[i])...)
		}
	}
	d := sp.goal.domain
	if c.Destination != state.Nothing && slices.ContainsFunc(sp.unfit(s, c.Target), func(u Unfit) bool { return !u.Curable }) {
		sp.wrong[c.Target] = c
	}
	if d.Prepares(c.Schema) {
		return // nothing but the robot is elsewhere
	}
	for more := true; more; { // what is spoilt spoils in its turn
		known := len(sp.spoilt)
		for _, contact := range d.Onto.Contacts {
			for _, x := range sp.moved {
				sp.touched(s, contact, 0, x)
				sp.touched(s, contact, 1, x)
			}
		}
		more = len(sp.spoilt) > known
	}
}

// with are some objects and others, each once.
func with(all []state.Object, more ...state.Object) []state.Object {
	for _, x := range more {
		if !slices.Contains(all, x) {
			all = append(all, x)
		}
	}
	return all
}

// touched looks at the contacts of what the plan put somewhere, as a variable of them.
func (sp *Spoiling) touched(s *state.State, contact *ontology.Contact, variable int, x state.Object) {
	d := sp.goal.domain
	b := state.NewBinding(len(contact.Vars))
	b[variable] = state.ObjectRef(x)
	d.Query(s).Each(contact.When, b, state.AssumedTrue, func(at state.Binding) {
		if d.Query(s).Any(contact.Unless, at) {
			return
		}
		for _, u := range sp.unfit(s, at[0].Object()) {
			if y := at[1].Object(); !slices.ContainsFunc(sp.spoilt, func(o spoilt) bool { return o.x == y && o.by.Is == u.Is }) {
				sp.spoilt = append(sp.spoilt, spoilt{y, u, contact})
			}
		}
	})
}

// unfit lists what a thing goes against, or was spoilt by.
func (sp *Spoiling) unfit(s *state.State, x state.Object) []Unfit {
	out := slices.DeleteFunc(sp.goal.unfit(s, x), func(u Unfit) bool { return u.Doubtful })
	for _, o := range sp.spoilt {
		if o.x == x {
			out = append(out, o.by)
		}
	}
	return out
}

// Served lists, for a state in which the goal holds, what of the things it is about was spoilt
// on the way, in words, and the calls by which that came about that are never of use.
func (sp *Spoiling) Served(s *state.State) (out []string, wrong []state.Call) {
	if len(sp.spoilt) == 0 {
		return nil, nil
	}
	at, _ := sp.goal.fitting(s)
	if at == nil {
		return nil, nil
	}
	d := sp.goal.domain
	wanted := d.Literals(sp.goal.goal.Patterns, at)
	for _, x := range sp.goal.serving(s, at) {
		for _, o := range sp.spoilt {
			if slices.Contains(wanted, o.by.Is) || o.x != x && !d.comesOf(x, o.x) || sp.mended(s, o.by.Is) {
				continue
			}
			text := d.Objects.Name(x) + " was brought together with what is not to be served, " + d.Text(o.by.Is) + ": " + o.contact.Comment
			if !slices.Contains(out, text) {
				out = append(out, text)
			}
			if c, known := sp.wrong[o.by.Is.Subject]; known && !o.by.Curable {
				wrong = append(wrong, c)
			}
		}
	}
	return out, wrong
}

// mended reports whether what was the matter with a thing is so no more, as where both were
// washed since.
func (sp *Spoiling) mended(s *state.State, l Literal) bool {
	d := sp.goal.domain
	return !s.Gone(l.Subject) && d.IsState(l) && s.SlotOf(l.Value.Term()) >= 0 && !s.Is(l.Subject, l.Value.Term())
}

// comesOf reports whether an object was made of another.
func (d *Domain) comesOf(x, whole state.Object) bool {
	for range d.Objects.Items {
		if x = d.Objects.Items[x].Origin; x == whole || x == state.Nothing {
			return x == whole && x != state.Nothing
		}
	}
	return false
}
