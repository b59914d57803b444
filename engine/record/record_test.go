package record_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cayleygraph/quad"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/episodetest"
	"github.com/mishap-robotics/mishap/engine/record"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// What stands in scene.Edge for beliefs is of no observation.
var ofBeliefs = cmpopts.IgnoreFields(scene.Edge{}, "Place", "Label", "Functional")

func rebuilt(t interface {
	Helper()
	Fatal(...any)
}, ep *episode.Episode, form record.Form) *episode.Episode {
	t.Helper()
	o := ontology.Default()
	quads := record.Episode(o, ep, engine.Follow(o, ep), form)
	rand.Shuffle(len(quads), func(i, j int) { quads[i], quads[j] = quads[j], quads[i] }) // a graph has no order
	had := map[quad.Quad]bool{}
	for _, q := range quads {
		if had[q] {
			t.Fatal(fmt.Sprintf("%v is said twice", q))
		}
		had[q] = true
	}
	again, err := record.Rebuild(o, ep.ID, quads)
	if err != nil {
		t.Fatal(err)
	}
	return again
}

// Every field of an episode is recorded: one that is added to its types and to no quad
// fails here.
func TestEveryFieldIsRecorded(t *testing.T) {
	ep := &episode.Episode{}
	n := 0
	fill(reflect.ValueOf(ep).Elem(), &n)
	ep.Noise, ep.Start = 0.25, "2026-03-01T10:00:00+01:00"
	for i := range ep.Steps {
		ep.Steps[i].Index = 10 + i
		ep.Steps[i].Observation.Missing = false
		for k := range ep.Steps[i].Observation.Edges {
			e := &ep.Steps[i].Observation.Edges[k]
			*e = scene.Edge{Subject: e.Subject, Relation: e.Relation, Object: e.Object}
		}
	}
	for form := range record.Whole + 1 {
		if diff := cmp.Diff(ep, rebuilt(t, ep, form)); diff != "" {
			t.Errorf("form %d (-recorded +rebuilt):\n%s", form, diff)
		}
	}
}

// fill gives everything a value of its own.
func fill(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				fill(f, n)
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(v.Index(i), n)
		}
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, n)
		fill(value, n)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.String:
		v.SetString(fmt.Sprintf("a %d/ü\n\"%%", *n))
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(int64(*n))
	case reflect.Float64:
		v.SetFloat(float64(*n))
	case reflect.Bool:
		v.SetBool(true)
	default:
		panic("a field of kind " + v.Kind().String())
	}
}

// Any episode comes back as it was, whatever its names and their order.
func TestRebuilt(t *testing.T) {
	some := func(list ...string) *rapid.Generator[string] {
		return rapid.OneOf(rapid.SampledFrom(list), rapid.StringN(0, 4, 8))
	}
	object := some("Mug-1", "mug-2", "Sink-1", "cup 1 2", "RobotGripper-1", "")
	node := rapid.Custom(func(t *rapid.T) scene.Node {
		return scene.Node{ID: object.Draw(t, "id"), Class: some("Mug", "mug", "coffee mug", "Sink").Draw(t, "class"),
			States:     rapid.SliceOfN(some("dirty", "clean", "is dirty", "filled_with_water"), 0, 3).Draw(t, "states"),
			Properties: rapid.SliceOfN(some("Metal", "metal", "Breakable"), 0, 2).Draw(t, "properties")}
	})
	edge := rapid.Custom(func(t *rapid.T) scene.Edge {
		return scene.Edge{Subject: object.Draw(t, "subject"), Relation: some("inside", "on", "on_top_of", "on top of").Draw(t, "relation"), Object: object.Draw(t, "object")}
	})
	sensed := rapid.Custom(func(t *rapid.T) episode.SensorEvent {
		e := episode.SensorEvent{Kind: some("Sound", "sound", "something drops", "jolt").Draw(t, "kind"), Object: object.Draw(t, "of"), Time: some("00:07").Draw(t, "at"), Line: rapid.IntRange(0, 3).Draw(t, "line")}
		if e.Measured = rapid.Bool().Draw(t, "measured"); e.Measured {
			e.Number, e.Unit = rapid.Float64Range(-1e6, 1e6).Draw(t, "number"), some("N").Draw(t, "unit")
		}
		return e
	})
	rapid.Check(t, func(t *rapid.T) {
		ep := &episode.Episode{ID: some("run-1", "run 1/2").Draw(t, "id")}
		for i := range rapid.IntRange(1, 5).Draw(t, "steps") {
			st := episode.Step{Index: i, Time: some("00:01").Draw(t, "time"), Agent: some("Robot-1").Draw(t, "agent"),
				Sounds: rapid.SliceOfN(some("water", "drop", "Drop"), 0, 3).Draw(t, "sounds"), Events: rapid.SliceOfN(sensed, 0, 3).Draw(t, "events")}
			if i > 0 {
				st.Action = episode.Action{Name: rapid.SampledFrom([]string{"pick_up", "put_in", "dance"}).Draw(t, "action"), Target: object.Draw(t, "target"), Destination: object.Draw(t, "destination")}
			}
			if st.Observation.Missing = rapid.IntRange(0, 4).Draw(t, "missing") == 0; !st.Observation.Missing {
				st.Observation.Complete = rapid.Bool().Draw(t, "complete")
				st.Observation.Nodes = rapid.SliceOfNDistinct(node, 0, 5, func(n scene.Node) string { return n.ID }).Draw(t, "nodes")
				st.Observation.Edges = rapid.SliceOfN(edge, 0, 5).Draw(t, "edges")
			}
			ep.Steps = append(ep.Steps, st)
		}
		for form := range record.Whole + 1 {
			if diff := cmp.Diff(ep, rebuilt(t, ep, form), cmpopts.EquateEmpty(), ofBeliefs); diff != "" {
				t.Fatalf("form %d (-recorded +rebuilt):\n%s", form, diff)
			}
		}
	})
}

const dropped = `
	0 | Mug-1 clean, Mug-1 on_top_of CounterTop-1
	1 (pick_up, Mug-1) | Mug-1 clean, Mug-1 inside RobotGripper-1
	2 (navigate_to_obj, Sink-1) | Mug-1 dirty, Mug-1 on_top_of Floor-1 | something drops
	3 (put_in, Mug-1, Sink-1) | Mug-1 dirty, Mug-1 on_top_of Floor-1`

func reasoner(t *testing.T) *engine.Reasoner {
	t.Helper()
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// What is said of an observation is what findings rest on: without one quad of it the
// finding is another, or none.
func TestAFindingRestsOnAQuad(t *testing.T) {
	r := reasoner(t)
	ep := episodetest.Parse(t, r.Ontology, dropped)
	types := func(ep *episode.Episode) string {
		res, err := r.Check(t.Context(), ep)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for i := range res.Findings {
			out = append(out, fmt.Sprintf("%s at %d %v", res.Findings[i].Type, res.Findings[i].Step, res.Findings[i].Evidence))
		}
		return strings.Join(out, "; ")
	}
	quads := record.Episode(r.Ontology, ep, nil, record.Changes)
	whole, err := record.Rebuild(r.Ontology, ep.ID, quads)
	if err != nil {
		t.Fatal(err)
	}
	before := types(whole)
	if before != types(ep) || !strings.Contains(before, " at 2 ") {
		t.Fatalf("findings %s; want one at step 2", before)
	}
	i := slices.IndexFunc(quads, func(q quad.Quad) bool {
		return strings.HasSuffix(plain(q.Label), "/step/2/observation") && strings.HasSuffix(plain(q.Object), "#dirty")
	})
	if i < 0 {
		t.Fatal("no quad says that the mug is dirty")
	}
	without, err := record.Rebuild(r.Ontology, ep.ID, slices.Delete(slices.Clone(quads), i, i+1))
	if err != nil {
		t.Fatal(err)
	}
	if after := types(without); after == before {
		t.Errorf("without %v the findings are still %s", quads[i], after)
	}
}

func TestRebuildErrors(t *testing.T) {
	o := ontology.Default()
	ep := episodetest.Parse(t, o, dropped)
	if _, err := record.Rebuild(o, "another", record.Episode(o, ep, nil, record.Changes)); !errors.Is(err, record.ErrNoEpisode) {
		t.Errorf("another episode: %v", err)
	}
	for text, change := range map[string]func(q *quad.Quad) bool{
		"expected an integer": func(q *quad.Quad) bool {
			is := strings.HasSuffix(plain(q.Predicate), "#step")
			if is {
				q.Object = quad.String("two")
			}
			return is
		},
	} {
		quads := record.Episode(o, ep, nil, record.Changes)
		for i := range quads {
			if change(&quads[i]) {
				break
			}
		}
		var wrong *record.Error
		if _, err := record.Rebuild(o, ep.ID, quads); !errors.As(err, &wrong) || !strings.Contains(err.Error(), text) {
			t.Errorf("error %v, want %q", err, text)
		}
	}
}

func plain(v quad.Value) string { return strings.Trim(quad.ToString(v), "<>") }

// What is seen again costs what it is seen for the first time only once: an observation that
// changes nothing is written without making its texts anew.
func TestUnchangedObservationsAreCheap(t *testing.T) {
	const things, most = 40, 60
	g := scene.Graph{}
	for i := range things {
		id := fmt.Sprintf("Plate-%d", i)
		g.Nodes = append(g.Nodes, scene.Node{ID: id, Class: "Plate", States: []string{"clean"}})
		g.Edges = append(g.Edges, scene.Edge{Subject: id, Relation: "on_top_of", Object: "Table-1"})
	}
	allocations := func(steps int) float64 {
		ep := &episode.Episode{ID: "a"}
		for i := range steps {
			ep.Steps = append(ep.Steps, episode.Step{Index: i, Observation: episode.Observation{Graph: g}})
		}
		return testing.AllocsPerRun(5, func() { record.Episode(ontology.Default(), ep, nil, record.Changes) })
	}
	if each := (allocations(60) - allocations(20)) / 40; each > most {
		t.Errorf("%.0f allocations for an observation of %d things in which nothing changes, want at most %d", each, things, most)
	} else {
		t.Logf("%.1f allocations for each", each)
	}
}
