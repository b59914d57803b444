package planfault_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/planfault"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// kitchen is a scene with an apple on a table, a closed fridge, a bowl and a
// plate; its goal is the apple in the fridge.
type kitchen struct {
	*planfault.Problem
	objects *state.Objects
}

func newKitchen() kitchen {
	o := ontology.Default()
	objects := state.NewObjects(o)
	k := kitchen{&planfault.Problem{Effort: 100_000}, objects}
	k.Robot, k.Gripper = k.object("Robot-1"), k.object("RobotGripper-1")
	k.Start = state.New(objects)
	table, fridge := k.object("DiningTable-1"), k.object("Fridge-1")
	onTop, _ := o.Lookup("on_top_of")
	closed, _ := o.Lookup("closed")
	for _, name := range []string{"Apple-1", "Potato-1", "Bowl-1"} {
		k.Start.SetPlace(k.object(name), onTop, table, state.Observed, 0)
	}
	k.Start.SetState(fridge, closed, state.Observed, 0)
	for i := range objects.Items {
		if x := state.Object(i); x != k.Robot && x != k.Gripper {
			k.Objects = append(k.Objects, x)
		}
	}
	apple := k.object("Apple-1")
	k.Goal = func(s *state.State) (met, all int) {
		if s.Place(apple).At == fridge {
			met++
		}
		return met, 1
	}
	k.Hazards = func(*state.State) int { return 0 }
	return k
}

func (k kitchen) object(name string) state.Object {
	if name == "" {
		return state.Nothing
	}
	class, _ := episode.SplitName(name)
	id, ok := k.objects.Onto.Lookup(class)
	if !ok {
		panic("no class " + class)
	}
	return k.objects.Add(name, id)
}

// steps reads "pick_up Apple-1, put_in Apple-1 Fridge-1".
func (k kitchen) steps(t interface{ Fatal(...any) }, text string) []planfault.TimedCall {
	var out []planfault.TimedCall
	for i, line := range strings.Split(text, ", ") {
		a, err := episode.ParseAction(k.objects.Onto, "("+strings.Join(strings.Fields(line), ", ")+")")
		if err != nil {
			t.Fatal(err)
		}
		schema, _ := k.objects.Onto.Action(a.Name)
		out = append(out, planfault.TimedCall{At: int32(i + 1), Call: state.Call{Schema: schema, Agent: k.Robot, Gripper: k.Gripper,
			Target: k.object(a.Target), Destination: k.object(a.Destination)}})
	}
	return out
}

func (k kitchen) text(c state.Call) string {
	return strings.TrimSpace(c.Schema.Name + " " + k.objects.Name(c.Target) + " " + k.objects.Name(c.Destination))
}

const (
	toApple  = "navigate_to_obj Apple-1, pick_up Apple-1, "
	toFridge = "navigate_to_obj Fridge-1, open_obj Fridge-1, "
)

func TestRun(t *testing.T) {
	tests := []struct {
		name, seq string
		failing   []int
		idle      []int
		met       int
	}{
		{"sound", toFridge + toApple + "navigate_to_obj Fridge-1, put_in Apple-1 Fridge-1", nil, nil, 1},
		{"a failed action has its effects all the same", toFridge + "navigate_to_obj Fridge-1, put_in Apple-1 Fridge-1", []int{3}, nil, 1},
		{"opened twice", "navigate_to_obj Fridge-1, open_obj Fridge-1, open_obj Fridge-1", nil, []int{2}, 0},
		{"never opened", toApple + "navigate_to_obj Fridge-1, put_in Apple-1 Fridge-1", []int{3}, nil, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			k := newKitchen()
			v := k.Run(k.steps(t, tt.seq))
			if !slices.Equal(v.Failing, tt.failing) || !slices.Equal(v.Idle, tt.idle) || v.Met != tt.met {
				t.Errorf("failing %v, idle %v, met %d; want %v, %v, %d", v.Failing, v.Idle, v.Met, tt.failing, tt.idle, tt.met)
			}
		})
	}
}

func TestRepair(t *testing.T) {
	tests := []struct {
		name, seq   string
		fault       int // -1 for the end
		kind        planfault.EditKind
		call        string
		at          int
		first, last int
	}{
		{"an action left out", toApple + "navigate_to_obj Fridge-1, put_in Apple-1 Fridge-1", 3,
			planfault.Insert, "open_obj Fridge-1", 3, 0, 3},
		{"a pick-up left out", toFridge + "navigate_to_obj Apple-1, navigate_to_obj Fridge-1, put_in Apple-1 Fridge-1", 4,
			planfault.Insert, "pick_up Apple-1", 3, 0, 4},
		{"in the wrong order", toApple + "navigate_to_obj Fridge-1, put_in Apple-1 Fridge-1, open_obj Fridge-1", 3,
			planfault.Move, "open_obj Fridge-1", 4, 0, 4},
		{"the wrong object", toFridge + "navigate_to_obj Potato-1, pick_up Potato-1, navigate_to_obj Fridge-1, put_in Potato-1 Fridge-1", -1,
			planfault.Replace, "pick_up Apple-1", 3, 3, 3},
		{"the wrong destination", toFridge + toApple + "navigate_to_obj Fridge-1, put_in Apple-1 Bowl-1", -1,
			planfault.Replace, "put_in Apple-1 Fridge-1", 5, 5, 5},
		{"closed before the put", toFridge + toApple + "navigate_to_obj Fridge-1, close_obj Fridge-1, put_in Apple-1 Fridge-1", 6,
			planfault.Move, "put_in Apple-1 Fridge-1", 6, 4, 6},
		{"another action in its place", toFridge + "navigate_to_obj Apple-1, toggle_on Apple-1, navigate_to_obj Fridge-1, put_in Apple-1 Fridge-1", 5,
			planfault.Exchange, "pick_up Apple-1", 3, 3, 3},
		{"stops too soon", toFridge + toApple + "navigate_to_obj Fridge-1", -1,
			planfault.Append, "put_in Apple-1 Fridge-1", 5, 4, 5},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			k := newKitchen()
			seq := k.steps(t, tt.seq)
			fault := tt.fault
			if fault < 0 {
				fault = len(seq)
			}
			e, ok := k.Repair(seq, fault)
			if !ok {
				t.Fatal("no edit found")
			}
			if e.Kind != tt.kind || k.text(e.Call) != tt.call || e.At != tt.at || e.First != tt.first || e.Last != tt.last {
				t.Errorf("%s %q at %d in %d–%d; want %s %q at %d in %d–%d", e.Kind, k.text(e.Call), e.At, e.First, e.Last,
					tt.kind, tt.call, tt.at, tt.first, tt.last)
			}
		})
	}
}

func TestNoRepair(t *testing.T) {
	k := newKitchen()
	seq := k.steps(t, "navigate_to_obj Bowl-1, pick_up Bowl-1")
	if e, ok := k.Repair(seq, len(seq)); ok {
		t.Errorf("one edit cannot bring the apple into the closed fridge, got %s %s", e.Kind, k.text(e.Call))
	}
	sound := k.steps(t, toFridge+toApple+"put_in Apple-1 Fridge-1")
	if e, ok := k.Repair(sound, len(sound)); ok {
		t.Errorf("nothing is to be repaired, got %s %s", e.Kind, k.text(e.Call))
	}
}

// Whatever the sequence, an edit fares better than it, and the search keeps to
// its effort: one edit of each kind may run over.
func TestRepairFaresBetter(t *testing.T) {
	actions := []string{"navigate_to_obj Apple-1", "pick_up Apple-1", "navigate_to_obj Fridge-1", "open_obj Fridge-1",
		"close_obj Fridge-1", "put_in Apple-1 Fridge-1", "put_in Apple-1 Bowl-1", "pick_up Potato-1", "put_on Potato-1 DiningTable-1"}
	rapid.Check(t, func(t *rapid.T) {
		k := newKitchen()
		seq := k.steps(t, strings.Join(rapid.SliceOfN(rapid.SampledFrom(actions), 1, 12).Draw(t, "actions"), ", "))
		base := k.Run(seq)
		fault := len(seq)
		if len(base.Failing) > 0 && rapid.Bool().Draw(t, "an action") {
			fault = rapid.SampledFrom(base.Failing).Draw(t, "fault")
		}
		k.Effort = rapid.SampledFrom([]int{0, 50, 100_000}).Draw(t, "effort")
		spent := k.Spent()
		e, ok := k.Repair(seq, fault)
		if over := k.Spent() - spent - k.Effort; over > 5*(len(seq)+1) {
			t.Fatalf("%d actions beyond the effort of %d", over, k.Effort)
		}
		if !ok {
			return
		}
		if e.First > e.At || e.Last < e.At {
			t.Fatalf("at %d, outside %d–%d", e.At, e.First, e.Last)
		}
		if e.Kind == planfault.Replace {
			return // in one action or in all from there on; the edit does not say
		}
		after := k.Run(edited(seq, e))
		if after.Met < base.Met || len(after.Failing) > len(base.Failing) ||
			after.Met == base.Met && len(after.Failing) == len(base.Failing) {
			t.Fatalf("%s %s at %d: %+v after %+v", e.Kind, k.text(e.Call), e.At, after, base)
		}
	})
}

func edited(seq []planfault.TimedCall, e planfault.Edit) []planfault.TimedCall {
	out := slices.Clone(seq)
	switch e.Kind {
	case planfault.Delete:
		return slices.Delete(out, e.At, e.At+1)
	case planfault.Move:
		to := e.To
		if e.At < to {
			to--
		}
		return slices.Insert(slices.Delete(out, e.At, e.At+1), to, seq[e.At])
	case planfault.Exchange:
		out[e.At].Call = e.Call
		return out
	}
	return slices.Insert(out, e.At, planfault.TimedCall{Call: e.Call})
}

func BenchmarkRepair(b *testing.B) {
	k := newKitchen()
	seq := k.steps(b, strings.Repeat(toFridge+toApple+"navigate_to_obj DiningTable-1, put_on Apple-1 DiningTable-1, close_obj Fridge-1, ", 5)+
		toApple+"navigate_to_obj Fridge-1, put_in Apple-1 Fridge-1")
	for b.Loop() {
		if _, ok := k.Repair(seq, len(seq)-1); !ok {
			b.Fatal("no edit found")
		}
	}
}
