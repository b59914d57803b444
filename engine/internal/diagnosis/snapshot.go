package diagnosis

import (
	"github.com/mishap-robotics/mishap/engine/internal/inference"
	"github.com/mishap-robotics/mishap/engine/internal/snapshot"
	"github.com/mishap-robotics/mishap/rules"
)

// Code codes a finding. The goals that it was worded from are not needed any more.
func (f *Finding) Code(c *snapshot.Codec, p *rules.Program) {
	c.Text(&f.Type)
	c.Text(&f.Agent)
	snapshot.Int(c, &f.Step)
	snapshot.After(c, &f.Cause, f.Step)
	snapshot.After(c, &f.Window[0], f.Cause)
	snapshot.After(c, &f.Window[1], f.Cause)
	snapshot.Int(c, &f.Planned)
	c.Texts(&f.Objects)
	inference.CodeClause(c, p, &f.Clause)
	c.Text(&f.Explanation)
	c.Texts(&f.Evidence)
	snapshot.List(c, &f.Strategies, func(s *Strategy) {
		c.Text(&s.Name)
		c.Text(&s.Description)
		c.Texts(&s.Actions)
		c.Flags(&s.AsksHuman)
	})
	snapshot.List(c, &f.Consequences, func(q *Consequence) {
		c.Text(&q.Type)
		snapshot.Int(c, &q.Step)
		c.Texts(&q.Objects)
		c.Text(&q.Explanation)
	})
	c.Flags(&f.Recovered)
}
