package grounding

import (
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// NameHolders gives the robot of an episode and its hand the names that the ontology has for them,
// where the log calls them otherwise and declares none: what is called after the robot, and what of
// a class that nobody knows first holds a thing as the robot takes that, is its hand. The lines that
// it changes are copies.
func NameHolders(o *ontology.Ontology, ep *episode.Episode, steps []episode.Step) []episode.Step {
	if len(ep.Crew) > 0 || slices.ContainsFunc(steps, func(st episode.Step) bool { return st.Agent != "" }) {
		return steps
	}
	h := holders{o, map[string]ontology.TermID{}, map[string]bool{}, robotNames(o, ep.Robot)}
	hand, robot := o.Instance(o.Core.RobotGripper, 1), o.Instance(o.Core.Robot, 1)
	names := h.find(steps)
	if len(names) == 0 {
		return steps
	}
	out := slices.Clone(steps)
	for i := range out {
		obs := &out[i].Observation
		called := func(name string, inside bool) string {
			switch {
			case !names[name]:
				return name
			case inside || h.isHandOf(name):
				return hand
			}
			return robot
		}
		obs.Nodes, obs.Edges = slices.Clone(obs.Nodes), slices.Clone(obs.Edges)
		obs.Nodes = slices.DeleteFunc(obs.Nodes, func(n scene.Node) bool { return names[n.ID] && len(n.States) == 0 })
		for k := range obs.Nodes {
			if n := &obs.Nodes[k]; names[n.ID] {
				n.ID, n.Class = called(n.ID, false), ""
			}
		}
		for k := range obs.Edges {
			e := &obs.Edges[k]
			e.Subject, e.Object = called(e.Subject, false), called(e.Object, h.isWithin(e.Relation))
		}
	}
	return out
}

// holders finds what in some looks is the robot or its hand.
type holders struct {
	onto   *ontology.Ontology
	is     map[string]ontology.TermID // classes of names
	within map[string]bool            // relations that tell where something is, or that it is fastened
	robot  []string                   // names of the robot, spelled alike
}

func (h *holders) classOf(name string) ontology.TermID {
	class, known := h.is[name]
	if !known {
		stem, _ := episode.SplitName(name)
		class = ClassOf(h.onto, stem)
		h.is[name] = class
	}
	return class
}

// isWithin reports whether a relation tells where something is, or that it is fastened to something.
func (h *holders) isWithin(relation string) bool {
	within, known := h.within[relation]
	if !known {
		rel := h.onto.Narrowest(h.onto.ByLabel(relation, h.onto.Core.Relation))
		within = rel != ontology.None && (h.onto.IsSub(rel, h.onto.Core.Within) || h.onto.Persistent(rel))
		h.within[relation] = within
	}
	return within
}

// isRobot reports whether a name is that of the robot.
func (h *holders) isRobot(name string) bool {
	if class := h.classOf(name); class != ontology.None && class == h.onto.Core.Agent { // "agent_0"
		return true
	}
	if len(h.robot) == 0 {
		return false
	}
	stem, _ := episode.SplitName(name)
	return slices.Contains(h.robot, episode.Spelling(name)) || slices.Contains(h.robot, episode.Spelling(stem))
}

// isUnknown reports whether a name says no more than that it is of somebody who acts, if that.
func (h *holders) isUnknown(name string) bool {
	class := h.classOf(name)
	return class == ontology.None || class == h.onto.Core.Agent
}

// isHandOf reports whether a name is that of the robot with a word for a hand: "hsr_hand".
func (h *holders) isHandOf(name string) bool {
	if len(h.robot) == 0 {
		return false
	}
	stem, _ := episode.SplitName(name)
	of, hand := cutLast(wordsOf(stem))
	class := ClassOf(h.onto, hand)
	return of != "" && slices.Contains(h.robot, episode.Spelling(of)) &&
		(class == h.onto.Roles.UnownedHand || h.onto.IsA(class, h.onto.Core.RobotGripper))
}

func wordsOf(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("_-. /", r) })
}

// find lists the names that are the robot's or its hand's, and that the ontology takes for
// something else, or for nothing.
func (h *holders) find(steps []episode.Step) map[string]bool {
	names := map[string]bool{}
	listed, places := map[string]bool{}, map[string]bool{} // before the robot took anything, or as of a known class
	takes, taken, gripper := false, "", false
	isHand := func(name string) bool {
		class := h.classOf(name)
		return h.onto.IsA(class, h.onto.Core.RobotGripper) || class != ontology.None && class == h.onto.Roles.UnownedHand && !h.isHandOf(name)
	}
	for i := range steps {
		st := &steps[i]
		schema, ok := h.onto.Action(st.Action.Name)
		if takes = ok && schema == h.onto.Roles.Take; takes {
			taken = st.Action.Target
		}
		for k := range st.Observation.Nodes {
			n := &st.Observation.Nodes[k]
			if h.isRobot(n.ID) && h.isUnknown(n.ID) {
				names[n.ID] = true
			} else if taken == "" || n.Class != "" && h.classOf(n.Class) != ontology.None {
				listed[n.ID] = true
			}
			gripper = gripper || isHand(n.ID) || isHand(n.Class)
		}
		for k := range st.Observation.Edges {
			e := &st.Observation.Edges[k]
			for _, name := range [2]string{e.Subject, e.Object} {
				gripper = gripper || isHand(name)
				if h.isRobot(name) && h.isUnknown(name) || h.isHandOf(name) {
					names[name] = true
				}
			}
			switch {
			case names[e.Object] || h.classOf(e.Object) != ontology.None || !h.isWithin(e.Relation):
			case taken == "":
				places[e.Object] = true
			case takes && !listed[e.Object] && !places[e.Object] && (sameThing(h.onto, e.Subject, taken) || sameThing(h.onto, classNamed(&st.Observation, e.Subject), taken)):
				names[e.Object] = true
			default:
				places[e.Object] = true
			}
		}
	}
	if gripper { // the log has a name of the ontology's for the hand
		for name := range names {
			if !h.isRobot(name) && !h.isHandOf(name) {
				delete(names, name)
			}
		}
	}
	return names
}

// robotNames are what a log may call its robot by the name that it gives in its header: all of it,
// and the first word, where that is no word for something else.
func robotNames(o *ontology.Ontology, name string) (out []string) {
	in := wordsOf(name)
	if len(in) == 0 {
		return nil
	}
	out = append(out, episode.Spelling(name))
	if len(in) > 1 && len(in[0]) > 2 && ClassOf(o, in[0]) == ontology.None {
		out = append(out, episode.Spelling(in[0]))
	}
	return out
}
