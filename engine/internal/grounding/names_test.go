package grounding

import (
	"slices"
	"testing"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// What a look numbers 0 keeps that name, also where goal and plan named it first.
func TestNumberedFromZero(t *testing.T) {
	for _, name := range []string{"toaster_0", "toaster_1", "Toaster-0"} {
		n := New(ontology.Default(), &episode.Episode{Plan: []episode.Action{{Name: "toggle_on", Target: name}}})
		n.Object("Toaster", "") // of the goal
		planned := n.Object(name, "")
		seen := n.Object(name, "toaster")
		if planned != seen || n.Objects().Name(seen) != name {
			t.Errorf("%s is called %s, and is the planned one: %v", name, n.Objects().Name(seen), planned == seen)
		}
	}
}

// Things that are counted from 0 are as many as there are, and a bare name is the first of them.
func TestCountedFromZero(t *testing.T) {
	n := New(ontology.Default(), &episode.Episode{})
	n.AddEpisode(looksOf([]string{": drawer_0; drawer_1"}), nil)
	first, second := n.Object("drawer_0", ""), n.Object("drawer_1", "")
	if first == second {
		t.Error("drawer_0 and drawer_1 are one")
	}
	n = New(ontology.Default(), &episode.Episode{})
	n.AddEpisode(looksOf([]string{": mug_302; mug_301"}), nil)
	if got := n.Objects().Name(n.Object("mug", "")); got != "mug_301" {
		t.Errorf("a mug is %s, want mug_301", got)
	}
}

func TestClassOfPaths(t *testing.T) {
	o := ontology.Default()
	for name, want := range map[string]string{
		"/kitchen/soda_can": "Can", "/robot/gripper": "RobotGripper", "robot0:gripper": "RobotGripper", "human:1": "Human", "/kitchen/mug/1": "Mug",
		"/kitchen/what": "", "12:30": "", "Mug|-01.20|+00.91": "Mug", "Egg|-02.37|+00.98|EggCracked_0": "EggCracked", "what|+1": "",
	} {
		got := ""
		if id := ClassOf(o, name); id != ontology.None {
			got = o.Name(id)
		}
		if got != want {
			t.Errorf("%s is of class %q, want %q", name, got, want)
		}
	}
}

// Relations that a log reads from their object are written as the ontology has them, in copies.
func TestOrder(t *testing.T) {
	o := ontology.Default()
	steps := []episode.Step{
		{Observation: episode.Observation{Graph: scene.Graph{Edges: []scene.Edge{{Subject: "Mug-1", Relation: "inside", Object: "Sink-1"}}}}},
		{Observation: episode.Observation{Graph: scene.Graph{Edges: []scene.Edge{{Subject: "RobotGripper-1", Relation: "holding", Object: "Mug-1"}, {Subject: "Sink-1", Relation: "contains", Object: "Cup-1"}, {Subject: "Cup-1", Relation: "whatever", Object: "Sink-1"}}}}},
	}
	before := steps[1].Observation.Edges[0]
	out := Order(o, steps)
	want := []scene.Edge{{Subject: "Mug-1", Relation: "inside", Object: "RobotGripper-1"}, {Subject: "Cup-1", Relation: "inside", Object: "Sink-1"}, {Subject: "Cup-1", Relation: "whatever", Object: "Sink-1"}}
	if got := out[1].Observation.Edges; !slices.Equal(got, want) {
		t.Errorf("%v; want %v", got, want)
	}
	if steps[1].Observation.Edges[0] != before || !slices.Equal(out[0].Observation.Edges, steps[0].Observation.Edges) {
		t.Error("what was given is changed")
	}
	if same := Order(o, steps[:1]); &same[0] != &steps[0] {
		t.Error("lines of which none is to be turned are copied")
	}
}

// The only gripper of a log is the robot's, whatever its number.
func TestOnlyHand(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		hands int
	}{
		"number 0":         {[]string{": book on_top_of desk", "pick_up book: book inside gripper_0"}, 1},
		"number 5":         {[]string{": book on_top_of desk", "pick_up book: book inside RobotGripper-5"}, 1},
		"two of them":      {[]string{": book on_top_of desk", "pick_up book: book inside RobotGripper-1; pen inside RobotGripper-2"}, 2},
		"of another robot": {[]string{": book on_top_of desk; Robot-2", "pick_up book: book inside RobotGripper-2"}, 2},
	} {
		n := New(ontology.Default(), &episode.Episode{})
		n.AddEpisode(looksOf(c.lines), nil)
		if got := len(n.Objects().OfClass(n.onto.Core.RobotGripper)); got != c.hands {
			t.Errorf("%s: %d hands, want %d", name, got, c.hands)
		}
	}
}

// Things that one look shows beside each other are two, though their classes mean the same; those of
// which a letter tells which is which are two though no look shows both.
func TestApart(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		a, b  string
		apart bool
	}{
		"of one class in a look":  {[]string{": sneakers_1 on_top_of doormat_1; boots_1 on_top_of shelf_1"}, "sneakers_1", "boots_1", true},
		"the ontology's own name": {[]string{": sneakers_1 on_top_of doormat_1"}, "sneakers_1", "Boots-1", false},
		"letters":                 {[]string{": book_1 on_top_of bed_a", "navigate_to_obj bed_b: bed_b"}, "bed_a", "bed_b", true},
		"one letter":              {[]string{": book_1 on_top_of bed_a", "navigate_to_obj bed: bed_a"}, "bed_a", "bed", false},
	} {
		n := New(ontology.Default(), &episode.Episode{})
		n.AddEpisode(looksOf(c.lines), nil)
		if got := n.Object(c.a, "") != n.Object(c.b, ""); got != c.apart {
			t.Errorf("%s: %s and %s are two: %v, want %v", name, c.a, c.b, got, c.apart)
		}
	}
}

// Who acts is a person where the robot acts unnamed, nobody is declared, and the look shows what was
// taken with somebody.
func TestHelper(t *testing.T) {
	for name, c := range map[string]struct {
		ep     episode.Episode
		lines  []string
		person bool
	}{
		"with somebody": {episode.Episode{}, []string{"pick_up umbrella_1: umbrella_1 inside gripper", "pick_up umbrella_1: umbrella_1 held_by person_1"}, true},
		"with nobody":   {episode.Episode{}, []string{"pick_up umbrella_1: umbrella_1 inside gripper", "pick_up umbrella_1: umbrella_1 inside gripper"}, false},
		"of a team":     {episode.Episode{Crew: []episode.Agent{{Name: "Stretch"}}}, []string{"pick_up umbrella_1: umbrella_1 inside gripper", "pick_up umbrella_1: umbrella_1 held_by person_1"}, false},
	} {
		steps := looksOf(c.lines)
		steps[len(steps)-1].Agent = "Lea"
		n := New(ontology.Default(), &c.ep)
		n.AddEpisode(steps, nil)
		if got := n.IsPerson("Lea"); got != c.person {
			t.Errorf("%s: Lea is a person: %v, want %v", name, got, c.person)
		}
	}
}

func TestLetterOf(t *testing.T) {
	for name, want := range map[string]byte{"bed_a": 'a', "Bed-B": 'b', "bed 1": 0, "bed": 0, "a": 0, "_a": 0, "seta": 0} {
		if got := letterOf(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
