package perception

import "github.com/mishap-robotics/mishap/engine/internal/snapshot"

// Snapshot codes the lines that have not settled, and what they are judged by.
func (s *Stream) Snapshot(c *snapshot.Codec) {
	snapshot.Map(c, &s.filter.mentions, func(k *string) { c.Text(k) }, func(v *bool) { c.Flags(v) })
	snapshot.Map(c, &s.filter.classes, func(k *string) { c.Text(k) }, func(v *bool) { c.Flags(v) })
	snapshot.Plan(c, &s.plan)
	snapshot.Within(c, &s.done, 0, len(s.plan)+1)
	snapshot.Steps(c, &s.raw)
	snapshot.Within(c, &s.given, 0, len(s.raw)+1)
}
