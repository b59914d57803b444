package snapshot

import (
	"math"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
)

// Header codes what an episode states before its steps, but for its warnings.
func Header(c *Codec, ep *episode.Episode) {
	for _, text := range []*string{&ep.ID, &ep.Source, &ep.File, &ep.Robot, &ep.Site, &ep.Start, &ep.Task, &ep.Goal, &ep.GoalFile} {
		c.Text(text)
	}
	c.Texts(&ep.Labels)
	Int(c, &ep.GoalLine)
	List(c, &ep.GoalFacts, c.fact)
	c.TextMap(&ep.Params)
	List(c, &ep.People, func(p *episode.Person) {
		c.Text(&p.Name)
		c.Texts(&p.Diets)
		c.Texts(&p.Dislikes)
	})
	List(c, &ep.Crew, func(a *episode.Agent) {
		c.Text(&a.Name)
		c.Text(&a.Class)
		c.Texts(&a.Grippers)
		c.Texts(&a.Members)
	})
	List(c, &ep.Things, func(t *episode.Thing) {
		c.Text(&t.Name)
		c.Texts(&t.Classes)
		c.Texts(&t.Properties)
		Int(c, &t.Line)
	})
	List(c, &ep.Scene, c.fact)
	c.Float(&ep.Noise)
	c.Flags(&ep.GripperObserved, &ep.Exact)
	c.TextMap(&ep.Origins)
	Int(c, &ep.Lines)
	Int(c, &ep.MaxWarnings)
}

func (c *Codec) fact(f *episode.Fact) {
	c.Text(&f.Subject)
	c.Text(&f.Relation)
	c.Text(&f.Object)
	Int(c, &f.Line)
}

// Warnings codes the warnings of an episode, and what of it was not understood.
func Warnings(c *Codec, ep *episode.Episode) {
	for _, list := range []*[]episode.Warning{&ep.Warnings, &ep.Skipped} {
		List(c, list, func(w *episode.Warning) {
			Int(c, &w.Line)
			c.Text(&w.Msg)
		})
	}
	Int(c, &ep.Unkept)
}

// Plan codes actions of a plan.
func Plan(c *Codec, plan *[]episode.Action) { List(c, plan, c.Action) }

// Action codes an action as it is written.
func (c *Codec) Action(a *episode.Action) {
	c.Text(&a.Name)
	c.Text(&a.Target)
	c.Text(&a.Destination)
	c.Text(&a.Further)
}

// Steps codes steps in ascending order. What one shows is mostly what the one before did.
func Steps(c *Codec, steps *[]episode.Step) {
	var before episode.Step
	List(c, steps, func(st *episode.Step) {
		c.step(st, &before)
		if c.reading && st.Index <= before.Index && st != &(*steps)[0] {
			c.Fail("step %d comes after step %d", st.Index, before.Index)
		}
		seen := before.Observation.Graph
		if before = *st; !shows(st) {
			before.Observation.Graph = seen
		}
	})
}

// Passed codes what is left of steps before a window.
func Passed(c *Codec, p *episode.PassedSteps) {
	n := p.Len()
	acts, told := p.Before()
	c.Count(&n, 8)
	Within(c, &acts, 0, math.MaxInt32)
	if c.Flags(&told); c.reading {
		*p = episode.Restored(acts, told)
	}
	var before episode.Step
	for i := 0; i < n && c.Err() == nil; i++ {
		var st episode.Step
		if !c.reading {
			index, line, time := p.At(i)
			st.Index, st.Line, st.Time = int(index), int(line), time
		}
		timed := st.Time != ""
		c.Flags(&timed)
		After(c, &st.Index, before.Index)
		After(c, &st.Line, before.Line)
		if timed {
			c.Text(&st.Time)
		}
		if c.reading && st.Index <= before.Index && i > 0 {
			c.Fail("step %d comes after step %d", st.Index, before.Index)
		}
		if c.reading && c.Err() == nil {
			p.Add(&st)
		}
		before = st
	}
}

func (c *Codec) step(st, before *episode.Step) {
	o := &st.Observation
	next := st.Index == before.Index+1
	timed, heard, shown := st.Time != "", len(st.Sounds) > 0, shows(st)
	by, valued, told := st.Agent != "", len(st.Values) > 0, st.ID != "" || st.Status != "" || st.Result != ""
	c.Flags(&next, &o.Missing, &o.Complete, &timed, &heard, &shown, &by, &valued)
	sensed := len(st.Events) > 0
	c.Flags(&told, &sensed)
	if !next {
		After(c, &st.Index, before.Index)
	} else {
		st.Index = before.Index + 1
	}
	After(c, &st.Line, before.Line)
	c.Action(&st.Action)
	if timed {
		c.Text(&st.Time)
	}
	if by {
		c.Text(&st.Agent)
	}
	if heard {
		c.Texts(&st.Sounds)
	}
	if sensed {
		Events(c, &st.Events)
	}
	if told {
		c.Text(&st.ID)
		c.Text((*string)(&st.Status))
		c.Text(&st.Result)
	}
	if valued {
		c.readings(&st.Values)
	}
	if shown {
		Graph(c, &o.Graph, before.Observation.Graph)
	}
}

// Graph codes a scene that is much like another.
func Graph(c *Codec, g *scene.Graph, before scene.Graph) {
	Like(c, &g.Nodes, before.Nodes, sameNode, func(n *scene.Node) {
		c.Text(&n.ID)
		c.Text(&n.Class)
		c.Texts(&n.States)
		c.Texts(&n.Properties)
		c.readings(&n.Values)
	})
	Like(c, &g.Edges, before.Edges, func(a, b *scene.Edge) bool { return *a == *b }, func(e *scene.Edge) {
		c.Text(&e.Subject)
		c.Text(&e.Relation)
		c.Text(&e.Object)
		c.Flags(&e.Place, &e.Functional)
		c.Text(&e.Label)
	})
}

// Events codes what sensors told of.
func Events(c *Codec, events *[]episode.SensorEvent) {
	List(c, events, func(e *episode.SensorEvent) {
		c.Text(&e.Kind)
		c.Text(&e.Object)
		if c.Flags(&e.Measured); e.Measured {
			c.Float(&e.Number)
			c.Text(&e.Unit)
		}
		c.Text(&e.Time)
		Int(c, &e.Line)
	})
}

func (c *Codec) readings(list *scene.Readings) {
	List(c, list, func(r *scene.Reading) {
		c.Text(&r.Quantity)
		c.Float(&r.Number)
		c.Text(&r.Unit)
	})
}

func shows(st *episode.Step) bool {
	return len(st.Observation.Nodes)+len(st.Observation.Edges) > 0
}

func sameNode(a, b *scene.Node) bool {
	return a.ID == b.ID && a.Class == b.Class && slices.Equal(a.States, b.States) && slices.Equal(a.Properties, b.Properties) && slices.Equal(a.Values, b.Values)
}
