package perception

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/language"
	"github.com/mishap-robotics/mishap/ontology"
)

// act takes in what the action of a line may change.
func (m *model) act(t int) {
	st := &m.steps[t]
	schema, ok := m.onto.Action(st.Action.Name)
	if !ok || t == 0 {
		return
	}
	target, destination := m.meant(st.Action.Target), m.meant(st.Action.Destination)
	before, after := m.held[t-1], m.held[t]
	if st.Observation.Missing {
		after = before
	}
	impact := m.impact(st)
	as := move{success: succeeds}
	if !schema.KeepsHold && before == target && after != target && schema.Params > 1 {
		as.success = released
		if impact {
			as.success = possible
		}
	} else {
		as.done, as.undone = m.heard(st, schema)
	}
	for _, e := range schema.Effects {
		for _, then := range e.Then {
			m.effect(t, then, target, destination, as)
		}
	}
	if before != "" && after != before && (schema.KeepsHold || before != target || impact) {
		m.fall(t, before)
	} else if impact && target != "" && after == "" {
		m.fall(t, target)
	}
	m.processes(t, schema)
}

// heard is how probable what was heard is where an action comes about and where
// it does not; 0 in a log without sounds.
func (m *model) heard(st *episode.Step, schema *ontology.ActionSchema) (done, undone float64) {
	if !slices.ContainsFunc(m.steps, func(u episode.Step) bool { return len(u.Sounds) > 0 }) {
		return 0, 0
	}
	for _, s := range st.Sounds {
		if id, ok := language.Sound(m.onto, s); ok && m.onto.IsSoundOf(id, schema) {
			return heardIfDone, heardIfNot
		}
	}
	return 1 - heardIfDone, 1 - heardIfNot
}

func (m *model) impact(st *episode.Step) bool {
	drop := m.onto.Roles.FallSound
	return slices.ContainsFunc(st.Sounds, func(s string) bool {
		id, ok := language.Sound(m.onto, s)
		return ok && m.onto.IsA(id, drop)
	})
}

// meant is the object that an action's word means: a name, or the one that is
// seen of a class.
func (m *model) meant(name string) string {
	if _, ok := m.nodes[name]; ok || name == "" {
		return name
	}
	found, lowest := "", 0
	for id := range m.nodes {
		if class, number := episode.SplitName(id); class == name && (found == "" || number < lowest) {
			found, lowest = id, number
		}
	}
	return found
}

// effect lets an effect of an action happen to a chain.
func (m *model) effect(t int, then ontology.Pattern, target, destination string, as move) {
	of := func(a ontology.Arg) string {
		switch a.Var {
		case ontology.VarTarget:
			return target
		case ontology.VarDestination:
			return destination
		}
		return ""
	}
	x := of(then.Subject)
	if x == "" {
		return
	}
	set := func(c *chain, value string) {
		if c != nil {
			c.moves[t] = move{to: c.index(value), success: as.success, done: as.done, undone: as.undone}
		}
	}
	switch core := &m.onto.Core; {
	case then.Predicate == core.State && !then.Object.IsVar():
		set(m.chains[fluent{x, m.onto.Dimension(then.Object.Term)}], m.onto.Name(then.Object.Term))
	case then.Predicate == core.State:
		m.passOn(t, target, x, set)
	case m.onto.IsSub(then.Predicate, core.Within):
		c := m.chains[fluent{x, ontology.None}]
		if y := of(then.Object); y != "" {
			set(c, y)
		} else if c != nil { // the gripper is seen exactly; what it takes leaves its place
			c.moves[t].upset = max(c.moves[t].upset, possible)
		}
	}
}

// passOn lets an object get the state that another was last seen in, as what is
// poured into gets the liquid.
func (m *model) passOn(t int, from, to string, set func(*chain, string)) {
	of := m.onto.Dimension(m.onto.Roles.Filled)
	if of == ontology.None {
		return
	}
	c, other := m.chains[fluent{from, of}], m.chains[fluent{to, of}]
	if c == nil || other == nil {
		return
	}
	votes := map[string]int{}
	best := ""
	for u := max(0, t-6); u < t; u++ {
		if l := c.looks[u]; l.value >= 0 {
			v := c.values[l.value]
			if votes[v]++; best == "" || votes[v] >= votes[best] {
				best = v
			}
		}
	}
	if best != "" {
		set(other, best)
	}
}

// fall lets everything about an object that fell, and about what was in it,
// change.
func (m *model) fall(t int, x string) {
	for k, c := range m.chains {
		inIt := false
		if place := m.chains[fluent{k.object, ontology.None}]; place != nil && k.object != x {
			for u := t - 1; u >= 0 && u >= t-2; u-- {
				if l := place.looks[u]; l.value >= 0 && place.values[l.value] == x {
					inIt = true
				}
			}
		}
		if k.object == x || inIt {
			c.moves[t].upset = max(c.moves[t].upset, harms)
			if k.dimension == ontology.None {
				c.moves[t].upset = displaces
			}
		}
	}
}

// processes lets appliances act on what was last seen in or on them.
func (m *model) processes(t int, schema *ontology.ActionSchema) {
	p := runsOn
	if len(schema.Effects) > 0 && !m.onto.IsNavigation(schema) && schema != m.onto.Roles.Take {
		p = possible
	}
	for _, process := range m.onto.Processes {
		for _, then := range process.Then {
			if then.Predicate != m.onto.Core.State || then.Object.IsVar() {
				continue
			}
			for k, c := range m.chains {
				if k.dimension == m.onto.Dimension(then.Object.Term) && m.within(t, k.object, process, then.Subject.Var) {
					to := c.index(m.onto.Name(then.Object.Term))
					if move := &c.moves[t]; move.to < 0 {
						move.to, move.success = to, p
					} else if move.to != to {
						move.upset = max(move.upset, p)
					}
				}
			}
		}
	}
}

// within reports whether an object was last seen in or on something of a class
// that a process asks for.
func (m *model) within(t int, x string, process *ontology.Process, subject int) bool {
	at := x
	for range 4 {
		place := m.chains[fluent{at, ontology.None}]
		if place == nil {
			return false
		}
		last := -1
		for u := t; u >= 0 && last < 0; u-- {
			last = place.looks[u].value
		}
		if last < 0 {
			return false
		}
		at = place.values[last]
		class := m.classOf(at, "")
		for _, w := range process.When {
			if w.Predicate == m.onto.Core.Type && w.Subject.Var != subject && m.onto.IsA(class, w.Object.Term) {
				return true
			}
		}
	}
	return false
}
