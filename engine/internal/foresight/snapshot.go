package foresight

import (
	"github.com/mishap-robotics/mishap/engine/internal/snapshot"
	"github.com/mishap-robotics/mishap/rules"
)

// Code codes a threat.
func (t *Threat) Code(c *snapshot.Codec, p *rules.Program) {
	t.Finding.Code(c, p)
	snapshot.Int(c, &t.Foreseen)
	c.Text(&t.Condition)
	action := func(a *PlannedAction) {
		snapshot.Int(c, &a.Step)
		snapshot.Int(c, &a.Planned)
		c.Text(&a.Text)
	}
	snapshot.Optional(c, &t.Provider, action)
	snapshot.List(c, &t.Irreversible, action)
	c.Text(&t.Repair)
	c.Text(&t.PlanFault)
	snapshot.Optional(c, &t.Due, action)
	snapshot.Optional(c, &t.FollowsFrom, func(f *Cause) {
		c.Text(&f.Type)
		snapshot.Int(c, &f.Step)
		snapshot.Int(c, &f.Planned)
	})
	c.Flags(&t.Assumed, &t.Usual, &t.Doubtful, &t.Unseen)
	snapshot.Int(c, &t.PlannedCause)
	snapshot.Int(c, &t.PlannedWindow[0])
	snapshot.Int(c, &t.PlannedWindow[1])
	snapshot.List(c, &t.PlannedThen, func(n *int) { snapshot.Int(c, n) })
	if c.Reading() && len(t.PlannedThen) != len(t.Consequences) {
		c.Fail("a threat has %d consequences, at %d places of the plan", len(t.Consequences), len(t.PlannedThen))
	}
}
