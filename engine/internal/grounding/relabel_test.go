package grounding

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// lookOf reads "pick_up Mug Table: a inside RobotGripper-1; b on_top_of Table-1", the action with what
// it is about before the colon.
func lookOf(line string) episode.Step {
	var st episode.Step
	act, seen, _ := strings.Cut(line, ":")
	f := append(strings.Fields(act), "", "", "")
	st.Action = episode.Action{Name: f[0], Target: f[1], Destination: f[2]}
	for part := range strings.SplitSeq(seen, ";") {
		w := strings.Fields(part)
		if len(w) == 0 {
			continue
		}
		st.Observation.Nodes = append(st.Observation.Nodes, scene.Node{ID: w[0], Class: w[0]})
		if len(w) == 3 {
			st.Observation.Edges = append(st.Observation.Edges, scene.Edge{Subject: w[0], Relation: w[1], Object: w[2]})
		}
	}
	return st
}

func looksOf(lines []string) []episode.Step {
	var steps []episode.Step
	for _, line := range lines {
		steps = append(steps, lookOf(line))
	}
	return steps
}

func TestRelabel(t *testing.T) {
	o := ontology.Default()
	for name, c := range map[string]struct{ lines, held []string }{
		"something else for a look": {
			[]string{": book on_top_of desk", "pick_up book: book inside gripper", "navigate_to_obj bed: magazine inside gripper", "put_on book bed: book inside gripper"},
			[]string{"", "book", "book", "book"},
		},
		"it is called otherwise as it is taken": {
			[]string{": book on_top_of desk", "pick_up book: box inside gripper", "navigate_to_obj bed: book inside gripper"},
			[]string{"", "book", "book"},
		},
		"the other thing was seen elsewhere": {
			[]string{": book on_top_of desk; magazine on_top_of desk", "pick_up book: book inside gripper", "navigate_to_obj bed: magazine inside gripper", "put_on book bed: book inside gripper"},
			[]string{"", "book", "magazine", "book"},
		},
		"the other thing was taken": {
			[]string{": book on_top_of desk", "pick_up book: book inside gripper", "pick_up magazine: magazine inside gripper", "navigate_to_obj bed: book inside gripper"},
			[]string{"", "book", "magazine", "book"},
		},
		"both are seen": {
			[]string{": book on_top_of desk", "pick_up book: book inside gripper", "navigate_to_obj bed: magazine inside gripper; book on_top_of desk", "navigate_to_obj bed: book inside gripper"},
			[]string{"", "book", "magazine", "book"},
		},
		"it was taken anew": {
			[]string{": book on_top_of desk", "pick_up book: book inside gripper", "navigate_to_obj bed: magazine inside gripper", "pick_up book: book inside gripper"},
			[]string{"", "book", "magazine", "book"},
		},
		"what it is shows where it is put": {
			[]string{": black_remote on_top_of desk; white_remote on_top_of desk", "pick_up white_remote: thing inside gripper", "put_on white_remote bed: black_remote on_top_of bed"},
			[]string{"", "black_remote", ""},
		},
		"it has a new number in the hand": {
			[]string{": mug-1 on_top_of desk", "pick_up mug-1: mug-1 inside gripper", "navigate_to_obj bed:", "navigate_to_obj bed: mug-7 inside gripper"},
			[]string{"", "mug-1", "", "mug-1"},
		},
		"it has a new number after a look that takes it for another thing": {
			[]string{": mug-1 on_top_of desk", "pick_up mug-1: mug-1 inside gripper", "navigate_to_obj bed: vase-2 inside gripper", "navigate_to_obj bed: mug-7 inside gripper", "put_on mug-1 bed: mug-7 on_top_of bed"},
			[]string{"", "mug-1", "mug-1", "mug-1", ""},
		},
		"the other is seen again": {
			[]string{": mug-1 on_top_of desk", "pick_up mug-1: mug-1 inside gripper", "navigate_to_obj bed: mug-7 inside gripper", "observe: mug-1 on_top_of desk; mug-7 inside gripper"},
			[]string{"", "mug-1", "mug-7", "mug-7"},
		},
		"another was taken before the new number": {
			[]string{": mug-1 on_top_of desk", "pick_up mug-1: mug-1 inside gripper", "pick_up plate: desk", "navigate_to_obj bed: mug-7 inside gripper"},
			[]string{"", "mug-1", "", "mug-7"},
		},
		"what lies where it is put lay there before": {
			[]string{": black_remote on_top_of bed; white_remote on_top_of desk", "pick_up white_remote: thing inside gripper", "put_on white_remote bed: black_remote on_top_of bed"},
			[]string{"", "thing", ""},
		},
	} {
		t.Run(name, func(t *testing.T) {
			steps := looksOf(c.lines)
			var held []string
			for _, st := range Relabel(o, steps, nil) {
				in := ""
				for _, e := range st.Observation.Edges {
					if e.Object == "gripper" {
						in = e.Subject
					}
				}
				held = append(held, in)
			}
			if diff := cmp.Diff(c.held, held); diff != "" {
				t.Error(diff)
			}
			for i, line := range c.lines {
				if diff := cmp.Diff(lookOf(line), steps[i]); diff != "" {
					t.Errorf("line %d was changed:\n%s", i, diff)
				}
			}
		})
	}
}

func TestGlimpses(t *testing.T) {
	o := ontology.Default()
	for name, c := range map[string]struct{ lines, seen []string }{
		"a fork is called a spoon once": {
			[]string{": fork on_top_of plate", "navigate_to_obj plate: spoon on_top_of plate; plate", "pick_up fork: fork inside gripper; plate"},
			[]string{"fork on_top_of plate", "fork on_top_of plate", "fork inside gripper"},
		},
		"the spoon lies there when the fork is gone": {
			[]string{": fork on_top_of plate", "navigate_to_obj plate: spoon on_top_of plate; plate", "pick_up fork: fork inside gripper; spoon on_top_of plate"},
			[]string{"fork on_top_of plate", "spoon on_top_of plate", "fork inside gripper, spoon on_top_of plate"},
		},
		"both lie there": {
			[]string{": fork on_top_of plate", "navigate_to_obj plate: spoon on_top_of plate; fork on_top_of plate", "pick_up fork: fork inside gripper; plate"},
			[]string{"fork on_top_of plate", "spoon on_top_of plate, fork on_top_of plate", "fork inside gripper"},
		},
		"an action names the spoon": {
			[]string{": fork on_top_of plate", "navigate_to_obj spoon: spoon on_top_of plate; plate", "pick_up fork: fork inside gripper; plate"},
			[]string{"fork on_top_of plate", "spoon on_top_of plate", "fork inside gripper"},
		},
		"what is no kind of cutlery": {
			[]string{": fork on_top_of plate", "navigate_to_obj plate: apple on_top_of plate; plate", "pick_up fork: fork inside gripper; plate"},
			[]string{"fork on_top_of plate", "apple on_top_of plate", "fork inside gripper"},
		},
		"either of two may be meant": {
			[]string{": fork on_top_of plate; knife on_top_of plate", "navigate_to_obj plate: spoon on_top_of plate; plate", "navigate_to_obj plate: fork on_top_of plate; knife on_top_of plate"},
			[]string{"fork on_top_of plate, knife on_top_of plate", "spoon on_top_of plate", "fork on_top_of plate, knife on_top_of plate"},
		},
		"there was no second blanket": {
			[]string{": blanket-1 on_top_of dresser", "navigate_to_obj bed: blanket-3 on_top_of bed; bed", "put_on pillow bed: pillow on_top_of bed; bed", "navigate_to_obj blanket: blanket-1 on_top_of dresser"},
			[]string{"blanket-1 on_top_of dresser", "", "pillow on_top_of bed", "blanket-1 on_top_of dresser"},
		},
		"the first is not where it was": {
			[]string{": blanket-1 on_top_of dresser", "navigate_to_obj bed: blanket-3 on_top_of bed; bed", "put_on pillow bed: pillow on_top_of bed; bed", "navigate_to_obj blanket: blanket-1 on_top_of floor"},
			[]string{"blanket-1 on_top_of dresser", "blanket-3 on_top_of bed", "pillow on_top_of bed", "blanket-1 on_top_of floor"},
		},
		"where it lay is not seen again": {
			[]string{": blanket-1 on_top_of dresser", "navigate_to_obj bed: blanket-3 on_top_of bed; bed", "navigate_to_obj blanket: blanket-1 on_top_of dresser"},
			[]string{"blanket-1 on_top_of dresser", "blanket-3 on_top_of bed", "blanket-1 on_top_of dresser"},
		},
		"the basin of a sink is the sink": {
			[]string{": Sink-1; SinkBasin-1 inside Sink-1", "put_in lettuce SinkBasin-1: lettuce inside SinkBasin-1", "navigate_to_obj sink: lettuce on_top_of Sink-1"},
			[]string{"", "lettuce inside Sink-1", "lettuce on_top_of Sink-1"},
		},
		"a mug in a mug is another": {
			[]string{": Mug-1 inside Cup-1; Cup-1", "pick_up Mug-1: Mug-1 inside gripper"},
			[]string{"Mug-1 inside Cup-1", "Mug-1 inside gripper"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			steps := looksOf(c.lines)
			var seen []string
			for _, st := range Relabel(o, steps, nil) {
				var edges []string
				for _, e := range st.Observation.Edges {
					edges = append(edges, e.Subject+" "+e.Relation+" "+e.Object)
				}
				seen = append(seen, strings.Join(edges, ", "))
			}
			if diff := cmp.Diff(c.seen, seen); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What has a new number where it is put is what was put there, and keeps its first number since.
func TestPutUnderNewName(t *testing.T) {
	steps := looksOf([]string{
		": glass-2 on_top_of table", "pick_up glass-2: glass-2 inside gripper", "navigate_to_obj counter: glass-2 inside gripper",
		"put_on glass-2 counter: glass-8 on_top_of counter", "pick_up glass-8: glass-8 inside gripper",
	})
	out := Relabel(ontology.Default(), steps, nil)
	var got []string
	for _, st := range out {
		for _, n := range st.Observation.Nodes {
			got = append(got, n.ID)
		}
	}
	if diff := cmp.Diff([]string{"glass-2", "glass-2", "glass-2", "glass-2", "glass-2"}, got); diff != "" {
		t.Error(diff)
	}
	if act := out[4].Action.Target; act != "glass-2" {
		t.Errorf("the last action takes %s", act)
	}
}

// What stands where it is keeps its first name, unless it may be another of its class.
func TestStandsUnderNewName(t *testing.T) {
	o := ontology.Default()
	for name, c := range map[string]struct {
		lines []string
		want  string // where the book lies in the end
	}{
		"the shelf has a new number":            {[]string{": book on_top_of Desk-1; Shelf-1", "navigate_to_obj Shelf-1: Shelf-7", "put_on book Shelf-1: book on_top_of Shelf-7"}, "Shelf-1"},
		"the couch is called a sofa":            {[]string{": book on_top_of Desk-1; Couch-1", "put_on book Couch-1: book on_top_of Sofa-2"}, "Couch-1"},
		"twice":                                 {[]string{": Shelf-1", "navigate_to_obj Shelf-1: Shelf-7", "put_on book Shelf-1: book on_top_of Shelf-9"}, "Shelf-1"},
		"two shelves were seen":                 {[]string{": Shelf-1; Shelf-2", "put_on book Shelf-1: book on_top_of Shelf-7"}, "Shelf-7"},
		"both are seen":                         {[]string{": Shelf-1", "put_on book Shelf-1: book on_top_of Shelf-7; Shelf-1"}, "Shelf-7"},
		"the old one is seen later":             {[]string{": Shelf-1", "put_on book Shelf-1: book on_top_of Shelf-7", "navigate_to_obj bed: Shelf-1", "navigate_to_obj bed: book on_top_of Shelf-7"}, "Shelf-7"},
		"an action has the new name":            {[]string{": Shelf-1", "put_on book Shelf-7: book on_top_of Shelf-7"}, "Shelf-7"},
		"a box that is carried about is not it": {[]string{": Box-1", "put_in book Box-1: book inside Box-7"}, "Box-7"},
	} {
		steps := Relabel(o, looksOf(c.lines), nil)
		got := ""
		for _, e := range steps[len(steps)-1].Observation.Edges {
			got = e.Object
		}
		if got != c.want {
			t.Errorf("%s: the book is at %q, want %q", name, got, c.want)
		}
	}
}

// What lies where it lay keeps its first name, unless it may be another of its class.
func TestLiesUnderNewName(t *testing.T) {
	o := ontology.Default()
	for name, c := range map[string]struct {
		lines []string
		want  string // what the last look shows first
	}{
		"a bear has a new number":           {[]string{": TeddyBear-1 on_top_of Sofa-1", "navigate_to_obj TeddyBear: TeddyBear-3 on_top_of Sofa-1"}, "TeddyBear-1"},
		"it lies elsewhere":                 {[]string{": TeddyBear-1 on_top_of Sofa-1", "navigate_to_obj TeddyBear: TeddyBear-3 on_top_of Bed-1"}, "TeddyBear-3"},
		"there are two":                     {[]string{": TeddyBear-1 on_top_of Sofa-1; TeddyBear-2 on_top_of Sofa-1", "navigate_to_obj TeddyBear: TeddyBear-3 on_top_of Sofa-1"}, "TeddyBear-3"},
		"the first is seen later":           {[]string{": TeddyBear-1 on_top_of Sofa-1", "navigate_to_obj TeddyBear: TeddyBear-3 on_top_of Sofa-1", ": TeddyBear-3 on_top_of Sofa-1; TeddyBear-1 on_top_of Sofa-1"}, "TeddyBear-3"},
		"it was taken in between":           {[]string{": TeddyBear-1 on_top_of Sofa-1", "pick_up TeddyBear: Sofa-1", "navigate_to_obj Sofa-1: TeddyBear-3 on_top_of Sofa-1"}, "TeddyBear-3"},
		"an action has the new name":        {[]string{": TeddyBear-1 on_top_of Sofa-1", "navigate_to_obj TeddyBear-3: TeddyBear-3 on_top_of Sofa-1"}, "TeddyBear-3"},
		"another class while it is carried": {[]string{": Tablet-1 on_top_of Sofa-1", "pick_up Tablet: Tablet-1 inside gripper", "navigate_to_obj Desk-1: CellPhone-2 inside gripper"}, "Tablet-1"},
		"another class as it is taken":      {[]string{": Tablet-1 on_top_of Sofa-1", "pick_up Tablet: CellPhone-2 inside gripper"}, "CellPhone-2"},
		"the look after it was put":         {[]string{": TeddyBear-1 on_top_of Sofa-1", "pick_up TeddyBear: TeddyBear-1 inside gripper", "put_in TeddyBear Box-1: Box-1", ": TeddyBear-9 inside Box-1"}, "TeddyBear-1"},
	} {
		steps := Relabel(o, looksOf(c.lines), nil)
		if got := steps[len(steps)-1].Observation.Nodes[0].ID; got != c.want {
			t.Errorf("%s: it is %q, want %q", name, got, c.want)
		}
	}
}

func TestReclassify(t *testing.T) {
	o := ontology.Default()
	for name, c := range map[string]struct {
		classes []string // of one thing in look after look, "" where it is not seen
		want    string   // in the first
	}{
		"the first look is mistaken":     {[]string{"cell phone", "remote control", "remote control"}, "remote control"},
		"one more look is too few":       {[]string{"cell phone", "remote control"}, "cell phone"},
		"the others do not agree":        {[]string{"cell phone", "remote control", "book", "book"}, "cell phone"},
		"it is cracked":                  {[]string{"Egg", "EggCracked", "EggCracked"}, "Egg"},
		"the one is a kind of the other": {[]string{"HousePlant", "Fern", "Fern"}, "HousePlant"},
		"what is no class":               {[]string{"gadget", "remote control", "remote control"}, "gadget"},
		"two looks are mistaken":         {[]string{"cell phone", "cell phone", "remote control", "remote control", "remote control"}, "remote control"},
		"as many looks as before":        {[]string{"cell phone", "cell phone", "remote control", "remote control"}, "cell phone"},
		"three looks are mistaken":       {[]string{"cell phone", "cell phone", "cell phone", "book", "book", "book", "book", "book"}, "cell phone"},
		"two looks are mistaken in turn": {[]string{"cell phone", "stereo", "remote control", "remote control", "remote control"}, "remote control"},
		"one of them by an unknown word": {[]string{"gadget", "cell phone", "remote control", "remote control", "remote control"}, "remote control"},
		"it is not seen in between":      {[]string{"cell phone", "", "remote control", "remote control"}, "remote control"},
	} {
		var steps []episode.Step
		for _, class := range c.classes {
			var st episode.Step
			if class != "" {
				st.Observation.Nodes = []scene.Node{{ID: "8", Class: class}}
			}
			steps = append(steps, st)
		}
		if got := Reclassify(o, steps)[0].Observation.Nodes[0].Class; got != c.want {
			t.Errorf("%s: it is a %s, want %s", name, got, c.want)
		}
		if steps[0].Observation.Nodes[0].Class != c.classes[0] {
			t.Errorf("%s: the line was changed", name)
		}
	}
}

// What all looks but one call by a word that nobody knows is that.
func TestReclassifyUnknown(t *testing.T) {
	for _, c := range []struct {
		classes []string
		want    string // in the third look
	}{
		{[]string{"gizmo", "gizmo", "book", "gizmo"}, "gizmo"},
		{[]string{"gizmo", "book", "book", "book"}, "book"},
		{[]string{"book", "book", "book", "gizmo"}, "book"},
	} {
		var steps []episode.Step
		for _, class := range c.classes {
			steps = append(steps, episode.Step{Observation: episode.Observation{Graph: scene.Graph{Nodes: []scene.Node{{ID: "8", Class: class}}}}})
		}
		if got := Reclassify(ontology.Default(), steps)[2].Observation.Nodes[0].Class; got != c.want {
			t.Errorf("%v: it is a %s, want %s", c.classes, got, c.want)
		}
	}
}

// What stands is called by another word of its class in one look.
func TestRelabelOtherWord(t *testing.T) {
	o := ontology.Default()
	shows := func(lines ...string) string {
		return Relabel(o, looksOf(lines), nil)[1].Observation.Nodes[0].ID
	}
	if got := shows(": couch", "navigate_to_obj couch: sofa", "put_on cushion couch: couch; cushion on_top_of couch"); got != "couch" {
		t.Errorf("the sofa is %s; want the couch", got)
	}
	if got := shows(": couch", "navigate_to_obj couch: sofa", "put_on cushion couch: couch; sofa; cushion on_top_of couch"); got != "sofa" {
		t.Errorf("the sofa is %s, though a look shows both", got)
	}
	if got := shows(": couch", "navigate_to_obj sofa: sofa", "put_on cushion couch: couch; cushion on_top_of couch"); got != "sofa" {
		t.Errorf("the sofa is %s, though an action names it", got)
	}
}
