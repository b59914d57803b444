package planfault

import (
	"github.com/mishap-robotics/mishap/engine/internal/snapshot"
	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// Code codes a repair, with objects of a table.
func (r *Repair) Code(c *snapshot.Codec, objects *state.Objects) {
	for _, step := range []*int32{&r.Step, &r.At, &r.First, &r.Last} {
		snapshot.Int(c, step)
	}
	e := &r.Edit
	kind := string(e.Kind)
	c.Text(&kind)
	e.Kind = EditKind(kind)
	for _, n := range []*int{&e.At, &e.To, &e.First, &e.Last} {
		snapshot.Int(c, n)
	}
	objects.CodeCall(c, &e.Call)
	objects.Code(c, &e.Old)
	objects.Code(c, &e.New)
	c.Flags(&e.Throughout, &e.Swap)
	for _, text := range []*string{&r.Text, &r.Before, &r.Wrong} {
		c.Text(text)
	}
	snapshot.List(c, &r.Others, func(o *Repair) { o.Code(c, objects) })
}
