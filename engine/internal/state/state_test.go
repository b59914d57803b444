package state_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// world is a scene in which tests act.
type world struct {
	objects *state.Objects
	s       *state.State
}

func newWorld() *world {
	objects := state.NewObjects(ontology.Default())
	w := &world{objects: objects}
	w.object("Robot-1")
	w.object("RobotGripper-1")
	w.s = state.New(objects)
	return w
}

func (w *world) object(name string) state.Object {
	if name == "" {
		return state.Nothing
	}
	class, _ := episode.SplitName(name)
	id, ok := w.objects.Onto.Lookup(class)
	if !ok {
		panic("no class " + class)
	}
	return w.objects.Add(name, id)
}

func (w *world) term(name string) ontology.TermID {
	id, ok := w.objects.Onto.Lookup(name)
	if !ok {
		panic("no term " + name)
	}
	return id
}

// say states facts such as "Mug-1 dirty, Mug-1 inside Sink-1".
func (w *world) say(facts string) {
	for _, f := range strings.Split(facts, ",") {
		switch p := strings.Fields(f); len(p) {
		case 2:
			w.s.SetState(w.object(p[0]), w.term(p[1]), state.Observed, 0)
		case 3:
			w.s.SetPlace(w.object(p[0]), w.term(p[1]), w.object(p[2]), state.Observed, 0)
		}
	}
}

func (w *world) call(t interface{ Fatal(...any) }, text string) state.Call {
	a, err := episode.ParseAction(w.objects.Onto, text)
	if err != nil {
		t.Fatal(err)
	}
	schema, _ := w.objects.Onto.Action(a.Name)
	return state.Call{Schema: schema, Agent: w.object("Robot-1"), Gripper: w.object("RobotGripper-1"),
		Target: w.object(a.Target), Destination: w.object(a.Destination)}
}

// holds reports whether a fact such as "Mug-1 clean" is in the state; "not"
// before it asks for the opposite, "gone" whether an object is.
func (w *world) holds(fact string) bool {
	p := strings.Fields(fact)
	switch {
	case p[0] == "not":
		return !w.holds(strings.Join(p[1:], " "))
	case p[1] == "gone":
		return w.s.Gone(w.object(p[0]))
	case len(p) == 2:
		st := w.term(p[1])
		v := w.s.Get(state.Fluent{Obj: w.object(p[0]), Slot: w.s.SlotOf(st)})
		return v.Status != state.Unknown && w.objects.Onto.StateIs(v.Term, st) > 0
	}
	return w.s.Place(w.object(p[0])).At == w.object(p[2])
}

func TestActionModel(t *testing.T) {
	tests := []struct {
		name, scene string
		actions     []string
		want        []string // facts, or "unmet NAME" of the last action
	}{
		{"a running faucet cleans and fills what is put under it", "Faucet-1 on, Mug-1 dirty, Mug-1 empty, Mug-1 inside RobotGripper-1",
			[]string{"(put_in, Mug-1, Sink-1)"}, []string{"Mug-1 inside Sink-1", "Mug-1 clean", "Mug-1 filled_with_water", "Mug-1 filled"}},
		{"whichever came first", "Faucet-1 off, Mug-1 dirty, Mug-1 empty, Mug-1 inside Sink-1",
			[]string{"(toggle_on, Faucet-1)"}, []string{"Mug-1 clean", "Mug-1 filled_with_water"}},
		{"but does not replace what is in it", "Faucet-1 off, Mug-1 filled_with_coffee, Mug-1 inside Sink-1",
			[]string{"(toggle_on, Faucet-1)"}, []string{"Mug-1 filled_with_coffee", "not Mug-1 filled_with_water"}},
		{"slicing leaves slices where it lies", "Knife-1 inside RobotGripper-1, Bread-1 on_top_of CounterTop-1",
			[]string{"(slice_obj, Bread-1)"}, []string{"Bread-1 gone", "BreadSliced-1 on_top_of CounterTop-1", "Knife-1 inside RobotGripper-1"}},
		{"slicing takes a knife", "Spoon-1 inside RobotGripper-1, Bread-1 on_top_of CounterTop-1",
			[]string{"(slice_obj, Bread-1)"}, []string{"unmet knife_in_hand"}},
		{"an egg cracked in the gripper stays there", "Egg-1 inside RobotGripper-1",
			[]string{"(crack_obj, Egg-1)"}, []string{"Egg-1 gone", "EggCracked-1 inside RobotGripper-1"}},
		{"a door opens while something is held", "Mug-1 inside RobotGripper-1, Fridge-1 closed",
			[]string{"(open_obj, Fridge-1)"}, []string{"Fridge-1 open", "Mug-1 inside RobotGripper-1"}},
		{"what is in a closed fridge is out of reach", "Egg-1 inside Bowl-1, Bowl-1 inside Fridge-1, Fridge-1 closed",
			[]string{"(pick_up, Egg-1)"}, []string{"unmet not_enclosed"}},
		{"the television needs the remote control", "Television-1 off",
			[]string{"(toggle_on, Television-1)"}, []string{"unmet remote_in_hand"}},
		{"and works with it", "Television-1 off, RemoteControl-1 inside RobotGripper-1",
			[]string{"(toggle_on, Television-1)"}, []string{"Television-1 on"}},
		{"one coffee machine holds one vessel", "Cup-1 inside CoffeeMachine-1, Mug-1 inside RobotGripper-1",
			[]string{"(put_in, Mug-1, CoffeeMachine-1)"}, []string{"unmet destination_free"}},
		{"coffee fills the empty mug", "Mug-1 empty, Mug-1 inside CoffeeMachine-1, CoffeeMachine-1 off",
			[]string{"(toggle_on, CoffeeMachine-1)"}, []string{"Mug-1 filled_with_coffee"}},
		{"the microwave runs with its door shut", "Microwave-1 open, Microwave-1 off",
			[]string{"(toggle_on, Microwave-1)"}, []string{"unmet door_closed"}},
		{"and heats what is in what is in it", "Microwave-1 closed, Microwave-1 off, Potato-1 on_top_of Plate-1, Plate-1 inside Microwave-1",
			[]string{"(toggle_on, Microwave-1)"}, []string{"Potato-1 hot", "Plate-1 hot"}},
		{"pouring moves the liquid", "Mug-1 filled_with_water, Mug-1 inside RobotGripper-1, HousePlant-1 empty",
			[]string{"(pour, Mug-1, HousePlant-1)"}, []string{"HousePlant-1 filled_with_water", "Mug-1 empty"}},
		{"pouring away", "Mug-1 filled_with_wine, Mug-1 inside RobotGripper-1",
			[]string{"(pour, Mug-1)"}, []string{"Mug-1 empty"}},
		{"what a plate carries moves with it", "Apple-1 on_top_of Plate-1, Plate-1 on_top_of CounterTop-1",
			[]string{"(pick_up, Plate-1)", "(put_on, Plate-1, DiningTable-1)"}, []string{"Apple-1 on_top_of Plate-1", "Plate-1 on_top_of DiningTable-1"}},
		{"what was heated in the fridge stays hot", "Apple-1 hot, Apple-1 inside RobotGripper-1, Fridge-1 open",
			[]string{"(put_in, Apple-1, Fridge-1)", "(close_obj, Fridge-1)"}, []string{"Apple-1 hot"}},
		{"a fridge cools", "Apple-1 room_temperature, Apple-1 inside RobotGripper-1, Fridge-1 open",
			[]string{"(put_in, Apple-1, Fridge-1)", "(close_obj, Fridge-1)"}, []string{"Apple-1 cold"}},
		{"one gripper holds one thing", "Mug-1 inside RobotGripper-1, Cup-1 on_top_of CounterTop-1",
			[]string{"(pick_up, Cup-1)"}, []string{"unmet gripper_free"}},
		{"a laptop can be closed and put away", "Laptop-1 open, Laptop-1 on_top_of Bed-1",
			[]string{"(close_obj, Laptop-1)", "(pick_up, Laptop-1)", "(put_on, Laptop-1, TVStand-1)"}, []string{"Laptop-1 closed", "Laptop-1 on_top_of TVStand-1"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld()
			w.say(tt.scene)
			var unmet []state.Violation
			for i, text := range tt.actions {
				c := w.call(t, text)
				unmet = w.s.Judge(c).UnmetPreconditions()
				if len(unmet) > 0 && i < len(tt.actions)-1 {
					t.Fatalf("%s: unmet %v", text, unmet)
				}
				w.s.Apply(c, state.Observed, int32(i+1))
				w.s.Run(state.Observed, int32(i+1))
			}
			for _, want := range tt.want {
				if name, ok := strings.CutPrefix(want, "unmet "); ok {
					if len(unmet) == 0 || unmet[0].Name != name {
						t.Errorf("unmet %v, want %s", unmet, name)
					}
				} else if !w.holds(want) {
					t.Errorf("not so: %s", want)
				}
			}
		})
	}
}

// Whatever is done, an object has one place, nothing contains itself, and no
// object is in two exclusive states.
func TestStateInvariants(t *testing.T) {
	names := []string{"Mug-1", "Plate-1", "Bowl-1", "Fridge-1", "Microwave-1", "Sink-1", "Faucet-1", "Knife-1", "Apple-1", "CounterTop-1"}
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld()
		for range rapid.IntRange(1, 25).Draw(t, "actions") {
			schema := rapid.SampledFrom(w.objects.Onto.Actions).Draw(t, "action")
			args := []string{schema.Name}
			for range schema.Params {
				args = append(args, rapid.SampledFrom(names).Draw(t, "object"))
			}
			c := w.call(t, "("+strings.Join(args, ", ")+")")
			if rapid.Bool().Draw(t, "careful") && len(w.s.Judge(c).UnmetPreconditions()) > 0 {
				continue
			}
			before := w.s.Clone()
			changes := w.s.Apply(c, state.Predicted, 1)
			w.s.Run(state.Predicted, 1)
			for _, ch := range changes {
				if ch.Value.Status != state.Unknown && w.s.Gone(ch.Fluent.Obj) && !before.Gone(ch.Fluent.Obj) {
					t.Fatalf("%v changed and is gone", w.objects.Name(ch.Fluent.Obj))
				}
			}
			for i := range w.objects.Items {
				x, at := state.Object(i), w.s.Place(state.Object(i)).At
				for range w.objects.Items {
					if at == x {
						t.Fatalf("%s contains itself", w.objects.Name(x))
					}
					if at == state.Nothing {
						break
					}
					at = w.s.Place(at).At
				}
				if at != state.Nothing {
					t.Fatalf("the places around %s form a ring", w.objects.Name(x))
				}
			}
		}
	})
}

func TestCloneIsIndependent(t *testing.T) {
	w := newWorld()
	w.say("Mug-1 dirty, Mug-1 inside Sink-1")
	c := w.s.Clone()
	c.SetState(w.object("Mug-1"), w.term("clean"), state.Observed, 1)
	c.SetPlace(w.object("Mug-1"), w.term("inside"), w.object("Cabinet-1"), state.Observed, 1)
	if !w.holds("Mug-1 dirty") || !w.holds("Mug-1 inside Sink-1") {
		t.Error("a change of the copy changed the original")
	}
}

func TestTruthDegrees(t *testing.T) {
	w := newWorld()
	mug, dirty := w.object("Mug-1"), w.term("dirty")
	pattern := ontology.Pattern{Subject: ontology.Arg{Var: 0, Term: ontology.None}, Predicate: w.objects.Onto.Core.State, Object: ontology.Arg{Var: -1, Term: dirty}}
	b := state.Binding{state.ObjectRef(mug)}
	ask := func() state.Truth {
		q := state.Query{State: w.s, Agent: state.Nothing, Gripper: state.Nothing}
		got, _ := q.Best([]ontology.Pattern{pattern}, b)
		return got
	}
	if got := ask(); got != state.Undecided {
		t.Errorf("nothing known: %d", got)
	}
	for _, tt := range []struct {
		name   string
		status state.Status
		want   state.Truth
	}{
		{"dirty", state.Assumed, state.AssumedTrue}, {"clean", state.Assumed, state.False},
		{"dirty", state.Observed, state.True}, {"clean", state.Observed, state.False}, {"dirty", state.Predicted, state.True},
	} {
		w.s = state.New(w.objects)
		w.s.SetState(mug, w.term(tt.name), tt.status, 0)
		if got := ask(); got != tt.want {
			t.Errorf("%s with status %d: truth %d, want %d", tt.name, tt.status, got, tt.want)
		}
	}
}

// A conjunction may have any number of patterns; one that was counted in 32 bits
// recursed without end where there were more.
func TestManyPatterns(t *testing.T) {
	for _, n := range []int{1, 32, 33, 64, 65, 200} {
		w := newWorld()
		mug, dirty := w.object("Mug-1"), w.term("dirty")
		w.s.SetState(mug, dirty, state.Observed, 0)
		var patterns []ontology.Pattern
		for i := range n {
			patterns = append(patterns, ontology.Pattern{Subject: ontology.Arg{Var: i, Term: ontology.None}, Predicate: w.objects.Onto.Core.State, Object: ontology.Arg{Var: -1, Term: dirty}})
		}
		b := state.NewBinding(n)
		for i := range n / 2 {
			b[i] = state.ObjectRef(mug)
		}
		q := state.Query{State: w.s, Agent: state.Nothing, Gripper: state.Nothing}
		if got, _ := q.Best(patterns, b); got != state.True {
			t.Errorf("%d patterns that hold: truth %d, want %d", n, got, state.True)
		}
		patterns[n-1].Object.Term = w.term("clean")
		if got, _ := q.Best(patterns, b); got > state.Undecided {
			t.Errorf("%d patterns of which one does not hold: truth %d, want none that is true", n, got)
		}
	}
}

// What is cracked in one state is there in that, and whole in another.
func TestPieceIsWhereItWasMade(t *testing.T) {
	w := newWorld()
	egg := w.object("Egg-1")
	other := w.s.Clone()
	crack, _ := w.objects.Onto.Action("crack_obj")
	w.s.Apply(state.Call{Schema: crack, Agent: w.object("Robot-1"), Gripper: w.object("RobotGripper-1"), Target: egg, Destination: state.Nothing}, state.Predicted, 1)
	pieces := w.objects.Pieces(egg, classOf(t, w, "EggCracked"))
	if len(pieces) != 1 || w.s.Gone(pieces[0]) || !w.s.Gone(egg) {
		t.Fatalf("pieces %v, or the egg is still there", pieces)
	}
	if !other.Gone(pieces[0]) || other.Gone(egg) {
		t.Error("the piece is where nothing was cracked")
	}
	other.SetState(pieces[0], classOf(t, w, "dirty"), state.Observed, 2)
	if !other.Gone(pieces[0]) {
		t.Error("what is said of a piece brings it about")
	}
	if other.Restore(pieces[0]); other.Gone(pieces[0]) {
		t.Error("it was seen, and is not there")
	}
}

func classOf(t *testing.T, w *world, name string) ontology.TermID {
	class, ok := w.objects.Onto.Lookup(name)
	if !ok {
		t.Fatal("no class", name)
	}
	return class
}

// What is asked of many things alike is found, or found missing, without a try of each order
// of them.
func TestTwins(t *testing.T) {
	w := newWorld()
	w.object("Sink-1")
	const mugs = 12
	for i := range mugs {
		w.say(fmt.Sprintf("Mug-%d inside Sink-1", i+1))
	}
	v := func(i int) ontology.Arg { return ontology.Arg{Var: i, Term: ontology.None} }
	asked := func(n int) (out []ontology.Pattern) {
		for i := range n {
			out = append(out, ontology.Pattern{Subject: v(i), Predicate: w.objects.Onto.Core.Type, Object: ontology.Arg{Var: -1, Term: w.term("Mug")}},
				ontology.Pattern{Subject: v(i), Predicate: w.term("inside"), Object: v(n)})
			for j := range i {
				out = append(out, ontology.Pattern{Subject: v(i), Predicate: w.objects.Onto.Core.Differs, Object: v(j)})
			}
		}
		return out
	}
	q := state.Query{State: w.s}
	for n, want := range map[int]state.Truth{5: state.True, mugs: state.True, mugs + 1: state.False} {
		if got, _ := q.Best(asked(n), state.NewBinding(n+1)); got != want {
			t.Errorf("%d of %d mugs in the sink: %d, want %d", n, mugs, got, want)
		}
		b := state.NewBinding(n + 1)
		b[n-1] = state.ObjectRef(w.object("Mug-1")) // the first of the table for the last of the twins
		if got, at := q.Best(asked(n), b); got != want || want == state.True && at[0] == at[n-1] {
			t.Errorf("%d of %d mugs in the sink, one of them given: %d by %v, want %d", n, mugs, got, at, want)
		}
	}
}
