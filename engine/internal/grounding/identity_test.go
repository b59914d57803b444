package grounding_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/grounding"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// look is a line that shows nodes such as "t1=plate" and, after a bar, edges such as
// "t1 on t2".
func look(text string) episode.Step {
	var st episode.Step
	nodes, edges, _ := strings.Cut(text, "|")
	for _, n := range strings.Fields(nodes) {
		id, class, _ := strings.Cut(n, "=")
		st.Observation.Nodes = append(st.Observation.Nodes, scene.Node{ID: id, Class: class})
	}
	for _, e := range strings.Split(edges, ",") {
		if w := strings.Fields(e); len(w) == 3 {
			st.Observation.Edges = append(st.Observation.Edges, scene.Edge{Subject: w[0], Relation: w[1], Object: w[2]})
		}
	}
	return st
}

func names(steps []episode.Step) string {
	var out []string
	for _, st := range steps {
		var ids []string
		for _, n := range st.Observation.Nodes {
			ids = append(ids, n.ID)
		}
		for _, e := range st.Observation.Edges {
			ids = append(ids, fmt.Sprintf("(%s %s)", e.Subject, e.Object))
		}
		out = append(out, strings.Join(ids, " "))
	}
	return strings.Join(out, "; ")
}

func TestIdentify(t *testing.T) {
	tests := []struct {
		about string
		looks []string
		want  string
	}{
		{"one plate", []string{"t_1=plate t_2=table | t_1 on t_2", "t_3=plate | t_3 in gripper"}, "plate-1 table-1 (plate-1 table-1); plate-1 (plate-1 gripper)"},
		{"labels of one class", []string{"t_1=couch", "t_2=sofa"}, "couch-1; couch-1"},
		{"two cups in one look are two", []string{"t_1=cup t_2=cup", "t_3=cup t_4=cup"}, "cup-1 cup-2; cup-1 cup-2"},
		{"a cup is the one that was at its place", []string{"t_1=cup t_2=cup t_3=sink t_4=table | t_1 in t_3, t_2 on t_4", "t_5=cup t_6=table | t_5 on t_6"},
			"cup-1 cup-2 sink-1 table-1 (cup-1 sink-1) (cup-2 table-1); cup-2 table-1 (cup-2 table-1)"},
		{"numbers that come back are things", []string{"t_1=cup", "t_2=cup", "t_1=cup"}, "t_1; t_2; t_1"},
		{"one look takes what has such a name for something else", []string{"zorb_1=zorb", "zorb_1=book"}, "zorb_1; zorb_1"},
		{"names that tell the class are kept", []string{"cup_1=cup", "cup_2=cup", "Mia=human"}, "cup_1; cup_2; Mia"},
	}
	for _, tt := range tests {
		var steps []episode.Step
		for _, l := range tt.looks {
			steps = append(steps, look(l))
		}
		before := names(steps)
		if got := names(grounding.Identify(ontology.Default(), steps, nil)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.about, got, tt.want)
		}
		if names(steps) != before {
			t.Errorf("%s: the lines were changed", tt.about)
		}
	}
}

// Line by line a thing keeps the first number that it had, until one comes back.
func TestIdentitiesComeOneByOne(t *testing.T) {
	ids := grounding.NewIdentities(ontology.Default())
	var got []episode.Step
	for _, l := range []string{"t_1=cup", "t_2=cup", "t_1=cup", "t_3=cup"} {
		got = append(got, ids.Step(look(l)))
	}
	if want := "t_1; t_1; t_1; t_3"; names(got) != want {
		t.Errorf("%s, want %s", names(got), want)
	}
	fork := ids.Fork()
	fork.Step(look("t_4=sock"))
	if st := ids.Step(look("t_5=sock")); names([]episode.Step{st}) != "t_5" {
		t.Errorf("a fork changed what it came from: %s", names([]episode.Step{st}))
	}
}
