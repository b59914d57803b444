package render_test

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/bridge/perception/render"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// named is an episode with the names of the ontology for things and relations, and with a node
// for each thing that a relation names; relations that no thing's place gives are left out.
func named(o *ontology.Ontology, ep *episode.Episode) {
	name := func(thing string) string {
		if class, n := episode.SplitName(thing); n == 0 {
			return class + "-1"
		}
		return thing
	}
	for i := range ep.Steps {
		g := &ep.Steps[i].Observation.Graph
		listed := map[string]bool{}
		for k := range g.Nodes {
			g.Nodes[k].ID = name(g.Nodes[k].ID)
			listed[g.Nodes[k].ID] = true
		}
		var edges []scene.Edge
		for _, e := range g.Edges {
			for _, is := range []ontology.TermID{o.Core.Inside, o.Core.OnTopOf} {
				if o.Name(is) != e.Relation && o.Label(is) != e.Relation {
					continue
				}
				e = scene.Edge{Subject: name(e.Subject), Relation: o.Name(is), Object: name(e.Object)}
				edges = append(edges, e)
				for _, thing := range []string{e.Subject, e.Object} {
					if class, _ := episode.SplitName(thing); !listed[thing] && class != o.Name(o.Core.RobotGripper) {
						g.Nodes = append(g.Nodes, scene.Node{ID: thing, Class: class})
						listed[thing] = true
					}
				}
			}
		}
		g.Edges = edges
	}
}

// relations are those of an observation in words, sorted.
func relations(o *episode.Observation) (out []string) {
	for _, e := range o.Edges {
		out = append(out, strings.Join([]string{e.Subject, e.Relation, e.Object}, " "))
	}
	slices.Sort(out)
	return out
}

// What REFLECT's own logs tell to be in, on and in the gripper is read off the shapes of the
// things, and nothing else; so what is found is the same.
func TestExamplesOfReflect(t *testing.T) {
	const examples = "../../../../shared/reflect"
	if _, err := fs.Stat(os.DirFS(examples), "."); err != nil {
		t.Skipf("%s is not there", examples)
	}
	o := ontology.Default()
	r, err := engine.New(o, rules.Default())
	must(t, err)
	all, err := logs.Reader{Ontology: o}.ReadAll(examples)
	must(t, err)
	told := 0
	for _, ep := range all {
		named(o, ep)
		back := perceived(t, o, ep, render.Noise{}, 1)
		if diff := cmp.Diff(found(t, r, ep), found(t, r, back)); diff != "" {
			t.Errorf("%s: found (-log +geometry):\n%s", ep.ID, diff)
		}
		at := map[string]*episode.Step{}
		for i := range back.Steps {
			at[fmt.Sprint(back.Steps[i].Index)] = &back.Steps[i]
		}
		for i := range ep.Steps {
			st := &ep.Steps[i]
			seen := at[fmt.Sprint(st.Index)]
			if seen == nil {
				t.Errorf("%s: no step %d", ep.ID, st.Index)
				continue
			}
			told += len(st.Observation.Edges)
			if diff := cmp.Diff(relations(&st.Observation), relations(&seen.Observation)); diff != "" {
				t.Errorf("%s, step %d (-log +geometry):\n%s", ep.ID, st.Index, diff)
			}
		}
	}
	if told == 0 {
		t.Error("no relation was compared")
	}
	t.Logf("%d relations", told)
}
