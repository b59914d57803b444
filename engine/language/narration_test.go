package language

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/ontology"
)

// Sentences of who tells what a robot does.
func TestReadNarrated(t *testing.T) {
	for _, tt := range []struct{ text, action, target, destination string }{
		{"The robot picks up Mug-1.", "pick_up", "Mug-1", ""},
		{"the robot has picked up the mug", "pick_up", "the mug", ""},
		{"robot is picking up the mug", "pick_up", "the mug", ""},
		{"picked the mug up", "pick_up", "the mug", ""},
		{"Grasping the mug", "pick_up", "the mug", ""},
		{"it took the mug", "pick_up", "the mug", ""},
		{"I carefully pick up the mug again", "pick_up", "the mug", ""},
		{"the left gripper grasps the mug", "pick_up", "the mug", ""},
		{"the robot tries to grasp the mug", "pick_up", "the mug", ""},
		{"Step 1: pick up the mug", "pick_up", "the mug", ""},
		{"3. pick up the mug", "pick_up", "the mug", ""},
		{"retry: pick_up(Mug-1)", "pick_up", "Mug-1", ""},
		{"executing pick_up(Mug-1)", "pick_up", "Mug-1", ""},
		{"execute pick_up(Mug-1)", "pick_up", "Mug-1", ""},
		{"pick_up,Mug-1", "pick_up", "Mug-1", ""},
		{"pick up mug (attempt 2);", "pick_up", "mug", ""},
		{"pick up Container", "pick_up", "Container", ""},
		{"using the gripper, pick up the mug", "pick_up", "the mug", ""},
		{"approach and grasp the mug", "pick_up", "the mug", ""},
		{"walk to the mug and pick it up", "pick_up", "the mug", ""},
		{"closes the gripper around the mug", "pick_up", "the mug", ""},
		{"placing mug on table", "put_on", "mug", "table"},
		{"The robot put the mug in the sink.", "put_in", "the mug", "the sink"},
		{"went to the fridge", "navigate_to_obj", "the fridge", ""},
		{"the robot carries the mug to the table", "carry_to", "the mug", "the table"},
		{"handed the mug to the person", "give_to", "the mug", "the person"},
		{"opens the fridge", "open_obj", "the fridge", ""},
		{"switching the faucet off", "toggle_off", "the faucet", ""},
		{"robot is waiting", "wait", "", ""},
		{"sleep", "wait", "", ""},
		{"pick object=mug-1", "pick_up", "mug-1", ""},
		{"pick up the mug: done", "pick_up", "the mug", ""},
		{"grasping mug…", "pick_up", "mug", ""},
		{"started placing the mug in the sink", "put_in", "the mug", "the sink"},
		{"starting to pick up the mug", "pick_up", "the mug", ""},
		{"successfully picked up the mug", "pick_up", "the mug", ""},
		{"[INFO] picking up the mug", "pick_up", "the mug", ""},
		{"call pick_up Mug-1", "pick_up", "Mug-1", ""},
		{"TIAGo picks the mug up", "pick_up", "the mug", ""},
		{"the mug picked up", "pick_up", "the mug", ""},
		{"mug has been grasped by the robot", "pick_up", "mug", ""},
		{"the mug is placed on the table", "put_on", "the mug", "the table"},
		{"drawer opened", "open_obj", "drawer", ""},
		{"reaching for the mug", "navigate_to_obj", "the mug", ""},
		{"you put the mug 1 in/on the sink 2", "put_in", "the mug 1", "the sink 2"},
		{"- [12:00:01] pick up the mug", "pick_up", "the mug", ""},
		{"\"pick up the mug\"", "pick_up", "the mug", ""},
	} {
		got, known := NewActions(ontology.Default()).Read(tt.text)
		if !known || got.Name != tt.action || got.Target != tt.target || got.Destination != tt.destination {
			t.Errorf("%q: %v, known %v; want (%s, %s, %s)", tt.text, got, known, tt.action, tt.target, tt.destination)
		}
	}
}

// What others do, and what is denied, the robot does not.
func TestReadNotNarrated(t *testing.T) {
	for _, text := range []string{"A person picks up the mug", "person: pick up the mug", "Anna takes the mug", "did not pick up the mug", "the user opened the fridge", "the robot", "1.", ": ", "step 1:"} {
		if got, known := NewActions(ontology.Default()).Read(text); known {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

func TestVerbForms(t *testing.T) {
	for verb, want := range map[string][]string{
		"pick": {"picks", "picked", "picking"}, "place": {"places", "placed", "placing"}, "carry": {"carries", "carried", "carrying"},
		"put": {"puts", "putting"}, "press": {"presses", "pressed", "pressing"}, "go": {"goes", "going"}, "lay": {"lays", "layed", "laying"}, "toggle": {"toggles", "toggling"},
	} {
		got := regularForms(verb)
		for _, form := range want {
			if !slices.Contains(got, form) {
				t.Errorf("%s: %v has no %s", verb, got, form)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		verb := rapid.StringMatching(`[a-z]{0,6}`).Draw(t, "verb")
		for _, form := range regularForms(verb) {
			if form == verb || len(form) <= len(verb) {
				t.Fatalf("%s of %s", form, verb)
			}
		}
	})
}

// Names that people use are read where labels say nothing of a thing, or less.
func TestReadName(t *testing.T) {
	o := ontology.Default()
	for name, want := range map[string]string{
		"hob plate": "StoveBurner", "hob_plate_4": "StoveBurner", "settee": "Sofa", "the eyeglasses": "Glasses",
		"plate": "Plate", "red apple": "Apple", "dinner plate": "Plate", // as labels have it
		"sugar jar": "Jar", "hamper": "LaundryHamper",
	} {
		n := ReadName(o, name)
		if n.Class == ontology.None || o.Name(n.Class) != want {
			t.Errorf("%s: %v; want %s", name, n, want)
		}
	}
	if n := ReadName(o, "hob plate 4"); n.Number != 4 {
		t.Errorf("hob plate 4 has number %d", n.Number)
	}
	if n := ReadName(o, "gribble"); n.Class != ontology.None {
		t.Errorf("gribble is %v", n)
	}
}

// A name of an action alone is that action, or an error says what it lacks.
func TestErrOfNames(t *testing.T) {
	o := ontology.Default()
	a := NewActions(o)
	for i := range o.Actions {
		for _, text := range append([]string{o.Actions[i].Name}, o.Actions[i].Phrases...) {
			if _, known := a.Read(text); !known && a.Err(text) == nil {
				t.Errorf("%q is not read, and there is no error", text)
			}
		}
	}
}

func TestStateOfValue(t *testing.T) {
	o := ontology.Default()
	for text, want := range map[string]string{"isOpen=true": "open", "open=false": "closed", "open: true": "open", "power: on": "on", "open=maybe": ""} {
		got := ""
		if id, ok := State(o, text); ok {
			got = o.Name(id)
		}
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
