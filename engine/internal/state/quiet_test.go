package state

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/ontology"
)

// Letting processes go on does the same whether or not it is known that nothing was changed
// since they last did nothing.
func TestGoOnIsRun(t *testing.T) {
	o := ontology.Default()
	objects := NewObjects(o)
	var all []Object
	for _, class := range []string{"RobotGripper", "EggCracked", "Pan", "StoveBurner", "Sink", "Faucet", "Mug", "Fridge"} {
		all = append(all, objects.Add(class+"-1", o.Term(class)))
	}
	var terms []ontology.TermID
	for _, st := range []string{"on", "off", "open", "closed", "dirty", "raw", "hot"} {
		terms = append(terms, o.Term(st))
	}
	went := 0
	rapid.Check(t, func(t *rapid.T) {
		s := New(objects)
		object := func(what string) Object { return rapid.SampledFrom(all).Draw(t, what) }
		if rapid.Bool().Draw(t, "cooking") { // else too seldom anything goes on
			s.SetPlace(all[1], o.Core.Inside, all[2], Predicted, 0)
			s.SetPlace(all[2], o.Core.OnTopOf, all[3], Predicted, 0)
			s.SetState(all[1], o.Term("raw"), Predicted, 0)
			s.SetState(all[3], o.Term("on"), Predicted, 0)
		}
		for step := range int32(rapid.IntRange(1, 40).Draw(t, "steps")) {
			switch rapid.IntRange(0, 7).Draw(t, "kind") {
			case 0, 1:
				s.SetState(object("object"), rapid.SampledFrom(terms).Draw(t, "state"), Predicted, step)
			case 2, 3:
				if x, y := object("object"), object("place"); x != y {
					s.SetPlace(x, o.Core.Inside, y, Predicted, step)
				}
			case 4:
				a := rapid.SampledFrom(o.Actions).Draw(t, "action")
				if a.Params <= 2 && a.Required <= 2 {
					s.Apply(Call{Schema: a, Agent: Nothing, Gripper: all[0], Target: object("target"), Destination: object("destination")}, Predicted, step)
				}
			case 5:
				s.AddEdge(object("object"), o.Core.Near, object("other"))
			case 6:
				s.SetAnchor(all[0], object("at"))
			case 7:
				if x := object("object"); s.Gone(x) {
					s.Restore(x)
				} else {
					s.Remove(x, step)
				}
			}
			for range rapid.IntRange(0, 2).Draw(t, "times") {
				run := s.Clone()
				went += len(run.Run(Predicted, step))
				s.GoOn(Predicted, step)
				for x := range Differing(run, s) {
					for slot := range s.Slots() {
						if f := (Fluent{x, slot}); run.Get(f) != s.Get(f) || run.Gone(x) != s.Gone(x) {
							t.Fatalf("step %d: %s of %s is %v, where it ran %v", step, fmt.Sprint(slot), objects.Name(x), s.Get(f), run.Get(f))
						}
					}
				}
				if !slices.Equal(run.Edges(), s.Edges()) {
					t.Fatalf("step %d: relations %v, where it ran %v", step, s.Edges(), run.Edges())
				}
			}
		}
	})
	if went == 0 {
		t.Error("no process ever went on")
	}
}
