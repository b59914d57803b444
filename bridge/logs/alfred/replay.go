package alfred

import (
	"fmt"
	"strings"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// Episode replays a trajectory. The source of the episode is file.
func Episode(o *ontology.Ontology, file string, t *Trajectory) (*episode.Episode, error) {
	n := &naming{onto: o, names: map[string]string{}, counts: map[string]int{}, origins: map[string]string{}}
	ep := &episode.Episode{ID: t.ID, Source: file, Task: t.TaskType, Goal: t.Goal, GoalLine: t.line, Exact: true}
	ep.Params = params(o, t.Params)
	for i := range t.Interactions {
		in := &t.Interactions[i]
		schema, ok := o.AlfredAction(in.Action)
		if !ok {
			return nil, unknownAction(o, file, t, in.Action)
		}
		a := episode.Action{Name: schema.Name, Target: n.name(in.Object)}
		if in.Receptacle != "" {
			a.Destination = n.name(in.Receptacle)
		}
		if schema.Params > 1 && a.Destination == "" {
			return nil, &input.Error{File: file, Line: t.line, Found: fmt.Sprintf("%s without a receptacle in %s", in.Action, input.Clip(t.ID)), Expected: `a "receptacle"`}
		}
		ep.Steps = append(ep.Steps, episode.Step{Index: i + 1, Action: a, Line: t.line})
	}
	ep.Origins = n.origins
	ep.Scene = append(n.places(t, ep), n.starts(t)...)
	observe(o, ep)
	return ep, nil
}

// params turns the task's parameters into classes; of a target that is to be
// sliced its sliced form is meant.
func params(o *ontology.Ontology, in map[string]any) map[string]string {
	out := map[string]string{}
	for k, v := range in {
		if s, ok := v.(string); ok {
			out[k] = s
		}
	}
	if sliced, _ := in["object_sliced"].(bool); sliced {
		if id, ok := o.Lookup(out["object_target"]); ok {
			if slice, known := o.AlfredAction(sliceObject); known && len(o.Pieces(slice, id)) > 0 {
				out["object_target"] = o.Name(o.Pieces(slice, id)[0])
			}
		}
	}
	return out
}

// naming gives instance names to AI2-THOR ids, in order of appearance.
type naming struct {
	onto    *ontology.Ontology
	names   map[string]string
	counts  map[string]int
	origins map[string]string // of slices, by name
}

func (n *naming) name(id string) string {
	if name, ok := n.names[id]; ok {
		return name
	}
	parts := strings.Split(id, "|")
	class := parts[0]
	if len(parts) > 4 {
		class, _, _ = strings.Cut(parts[4], "_")
	}
	if term, ok := n.onto.Lookup(class); ok {
		class = n.onto.Name(n.onto.Canonical(term))
	}
	n.counts[class]++
	name := fmt.Sprintf("%s-%d", class, n.counts[class])
	n.names[id] = name
	if len(parts) > 4 && strings.Contains(parts[4], "_") {
		n.origins[name] = n.name(strings.Join(parts[:4], "|"))
	}
	return name
}

// places finds where objects are at first: an object that was not put anywhere
// yet is in or on what it is taken from, and a slice shows where the whole lay.
func (n *naming) places(t *Trajectory, ep *episode.Episode) []episode.Fact {
	var out []episode.Fact
	moved := map[string]bool{}
	for i, in := range t.Interactions {
		a := ep.Steps[i].Action
		if a.Destination != "" {
			moved[a.Target] = true
		}
		if in.Action != pickupObject {
			continue
		}
		first := a.Target
		if whole, ok := n.origins[first]; ok {
			first = whole
		}
		if in.From != "" && !moved[first] && !moved[a.Target] {
			if at := n.receptacle(t, ep, in.From, i); at != "" {
				out = append(out, episode.Fact{Subject: first, Relation: n.onto.Name(n.onto.Core.LocatedAt), Object: at, Line: t.line})
			}
		}
		moved[first], moved[a.Target] = true, true
	}
	return out
}

// receptacle finds which receptacle of a class is meant at an interaction: the
// one opened last and not closed yet, else the one closed or opened next, else
// the only one there is, else one that nothing else names.
func (n *naming) receptacle(t *Trajectory, ep *episode.Episode, class string, at int) string {
	id, ok := n.onto.Lookup(class)
	if !ok {
		return ""
	}
	class = n.onto.Name(n.onto.Canonical(id))
	of := func(name string) bool { c, _ := episode.SplitName(name); return c == class }
	for i := at - 1; i >= 0; i-- {
		if a := ep.Steps[i].Action; of(a.Target) && (n.sets(a, n.onto.Open()) || n.sets(a, n.onto.Roles.Enclosing)) {
			if n.sets(a, n.onto.Open()) {
				return a.Target
			}
			break
		}
	}
	for i := at + 1; i < len(ep.Steps); i++ {
		if a := ep.Steps[i].Action; of(a.Target) && (n.sets(a, n.onto.Open()) || n.sets(a, n.onto.Roles.Enclosing)) {
			return a.Target
		}
	}
	if n.counts[class] == 1 {
		return class + "-1"
	}
	n.counts[class]++
	return fmt.Sprintf("%s-%d", class, n.counts[class])
}

// sets reports whether an action makes its target be in a state.
func (n *naming) sets(a episode.Action, st ontology.TermID) bool {
	schema, ok := n.onto.Action(a.Name)
	return ok && n.onto.Sets(schema, st)
}

// starts lists the states in which a scene starts.
func (n *naming) starts(t *Trajectory) []episode.Fact {
	var out []episode.Fact
	say := func(name string, st ontology.TermID) {
		out = append(out, episode.Fact{Subject: name, Relation: n.onto.Name(st), Line: t.line})
	}
	for _, id := range t.order(n) {
		class, _ := episode.SplitName(id)
		term, ok := n.onto.Lookup(class)
		if !ok {
			continue
		}
		if t.DirtyAndEmpty {
			for _, d := range n.onto.AlfredDirtyAndEmpty() {
				if n.onto.HasProperty(term, d.Property) {
					say(id, d.State)
				}
			}
		}
		for _, toggle := range t.Toggles {
			if toggle.Type == class {
				st := n.onto.Roles.Running
				if !toggle.IsOn {
					st = n.onto.Opposite(st)
				}
				say(id, st)
			}
		}
	}
	return out
}

// order lists the objects that exist from the start, in order of appearance.
func (t *Trajectory) order(n *naming) []string {
	var out []string
	seen := map[string]bool{}
	for _, in := range t.Interactions {
		for _, id := range []string{in.Object, in.Receptacle} {
			name := n.names[id]
			if whole, ok := n.origins[name]; ok {
				name = whole
			}
			if name != "" && !seen[name] {
				seen[name] = true
				out = append(out, name)
			}
		}
	}
	return out
}

// observe fills in what would have been seen: after each interaction what it
// touched, and what is in the gripper.
func observe(o *ontology.Ontology, ep *episode.Episode) {
	trace := engine.Replay(o, ep)
	for i := range ep.Steps {
		st := &ep.Steps[i]
		st.Observation = touched(trace.Objects, trace.States[i], trace.Calls[i])
	}
	for i := range trace.Objects.Items { // pieces that no interaction names
		if it := &trace.Objects.Items[i]; it.Origin != engine.NoObject {
			ep.Origins[it.Name] = trace.Objects.Name(it.Origin)
		}
	}
}

// touched is what an interaction touched, and what lies there or is in the gripper.
func touched(objects *engine.Objects, s *engine.State, c engine.Call) episode.Observation {
	var obs episode.Observation
	listed := map[engine.Object]bool{}
	list := func(x engine.Object) {
		if x == engine.NoObject || listed[x] || s.Gone(x) || objects.IsA(x, objects.Onto.Core.RobotGripper) {
			return
		}
		listed[x] = true
		nd := scene.Node{ID: objects.Name(x), Class: objects.Onto.Name(objects.Class(x))}
		if nd.Class == "" {
			nd.Class, _ = episode.SplitName(nd.ID)
		}
		for _, st := range s.States(x) {
			nd.States = append(nd.States, objects.Onto.Name(st))
		}
		obs.Nodes = append(obs.Nodes, nd)
	}
	list(c.Target)
	list(c.Destination)
	for i := range objects.Items {
		x := engine.Object(i)
		at := s.Place(x).At
		changed := s.Changed(x)
		if at == c.Gripper || changed || at != engine.NoObject && (at == c.Target || at == c.Destination) {
			list(x)
		}
	}
	for _, nd := range append([]scene.Node(nil), obs.Nodes...) {
		x, _ := objects.Lookup(nd.ID)
		if relation, at, ok := s.Located(x); ok {
			list(at)
			obs.Edges = append(obs.Edges, scene.Edge{Subject: nd.ID, Relation: objects.Onto.Name(relation), Object: objects.Name(at)})
		}
	}
	return obs
}
