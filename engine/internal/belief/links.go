package belief

import (
	"maps"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/snapshot"
	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// LinkHistory is when a lasting relation held, and when not.
type LinkHistory struct {
	state.Edge
	Changes []LinkChange // in order of steps
}

// LinkChange is the step after which a relation held, or no longer did.
type LinkChange struct {
	Step  int32
	Holds bool
}

// Holds reports whether a relation held after a step.
func (h *LinkHistory) Holds(step int32) bool {
	for _, c := range slices.Backward(h.Changes) {
		if c.Step <= step {
			return c.Holds
		}
	}
	return false
}

// Links lists the lasting relations that ever held, in the order in which they first did. It
// must not be changed.
func (t *Trace) Links() []LinkHistory { return t.links }

// recordLinks notes which relations of an object to others hold now and did not before, and
// the other way round.
func (t *Trace) recordLinks(now, before *state.State, x state.Object, step int32) {
	for _, l := range now.Links(x) {
		if !l.From {
			t.noteLink(state.Edge{Subject: x, Relation: l.Relation, Object: l.Other}, !l.Ended, step)
		}
	}
	for _, l := range before.Links(x) {
		if !l.From && !l.Ended && !now.HasEdge(x, l.Relation, l.Other) {
			t.noteLink(state.Edge{Subject: x, Relation: l.Relation, Object: l.Other}, false, step)
		}
	}
}

func (t *Trace) noteLink(e state.Edge, holds bool, step int32) {
	i, known := t.ofLink[e]
	switch {
	case known:
		h := &t.links[i]
		if h.Changes[len(h.Changes)-1].Holds != holds {
			h.Changes = append(h.Changes, LinkChange{step, holds})
		}
	case holds:
		if t.ofLink == nil {
			t.ofLink = map[state.Edge]int32{}
		}
		t.ofLink[e] = int32(len(t.links))
		t.links = append(t.links, LinkHistory{e, []LinkChange{{step, true}}})
	}
}

// forkLinks makes the histories of relations independent of those of another trace.
func (t *Trace) forkLinks(of *Trace) {
	t.links, t.ofLink = slices.Clone(of.links), maps.Clone(of.ofLink)
	for i := range t.links {
		t.links[i].Changes = slices.Clip(t.links[i].Changes)
	}
}

// linksAt lets the relations hold in a state that held after a step.
func (t *Trace) linksAt(s *state.State, step int32) {
	for i := range t.links {
		if h := &t.links[i]; h.Holds(step) {
			s.AddEdge(h.Subject, h.Relation, h.Object)
		}
	}
}

// renumberLinks leaves those of objects that stay.
func (t *Trace) renumberLinks(r *state.Renumbering) {
	var links []LinkHistory
	t.ofLink = nil
	for _, h := range t.links {
		subject, object := r.In(&h.Subject), r.In(&h.Object)
		if !subject || !object {
			continue
		}
		if t.ofLink == nil {
			t.ofLink = map[state.Edge]int32{}
		}
		t.ofLink[h.Edge] = int32(len(links))
		links = append(links, h)
	}
	t.links = links
}

// links codes when each relation held.
func (at *trackerCodec) links() {
	tr := at.tr
	snapshot.List(at.Codec, &tr.links, func(h *LinkHistory) {
		at.objects.CodeEdge(at.Codec, &h.Edge)
		last := int32(0)
		snapshot.List(at.Codec, &h.Changes, func(c *LinkChange) {
			snapshot.After(at.Codec, &c.Step, last)
			if at.Reading() && c.Step < last {
				at.Fail("a relation goes back from step %d to %d", last, c.Step)
			}
			last = c.Step
			at.Flags(&c.Holds)
		})
		if at.Reading() && len(h.Changes) == 0 {
			at.Fail("a relation never held")
		}
	})
	if at.Reading() && at.Err() == nil && len(tr.links) > 0 {
		tr.ofLink = make(map[state.Edge]int32, len(tr.links))
		for i := range tr.links {
			tr.ofLink[tr.links[i].Edge] = int32(i)
		}
	}
}
