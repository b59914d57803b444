package planner

import "context"

// Budget bounds how much is simulated for one plan.
type Budget struct {
	ctx   context.Context
	spent int // actions simulated so far
	limit int // how many may be
}

// Exhausted reports whether the search has used up what it may, or its time is up.
func (b *Budget) Exhausted() bool { return b.spent >= b.limit || b.Interrupted() }

// Interrupted reports whether the time is up.
func (b *Budget) Interrupted() bool { return b.ctx.Err() != nil }

// Spent counts the actions simulated so far.
func (b *Budget) Spent() int { return b.spent }

// Limit sets how many actions may be simulated in all.
func (b *Budget) Limit(actions int) { b.limit = actions }
