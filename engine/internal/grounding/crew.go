package grounding

import (
	"fmt"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
)

// crew is who acts, as the log declares it. It does not change.
type crew struct {
	agents  map[string]state.Object // by name
	hands   map[state.Object][]state.Object
	owners  map[state.Object]state.Object // of hands
	members map[state.Object][]state.Object
	robots  []state.Object
}

// enlist adds the agents that the episode declares. The first robot is the one that acts
// where a line names nobody.
func (n *Names) enlist() {
	core := &n.onto.Core
	n.crew = crew{map[string]state.Object{}, map[state.Object][]state.Object{}, map[state.Object]state.Object{}, map[state.Object][]state.Object{}, nil}
	for _, a := range n.ep.Crew {
		if len(a.Members) > 0 {
			continue
		}
		class := core.Robot
		if a.Class != "" {
			if ids := n.labelled(a.Class, core.Agent); len(ids) > 0 {
				class = ids[0]
			} else {
				n.warn(0, fmt.Sprintf("unknown class %q of the agent %s; it is taken for a robot", a.Class, a.Name))
			}
		}
		x := n.objects.Add(a.Name, class)
		n.crew.agents[a.Name] = x
		names := a.Grippers
		if !n.onto.IsA(class, core.Human) {
			if n.crew.robots = append(n.crew.robots, x); len(names) == 0 {
				names = []string{n.onto.Instance(core.RobotGripper, len(n.crew.robots))}
			}
		}
		for _, name := range names {
			h := n.objects.Add(name, core.RobotGripper)
			if owner, taken := n.crew.owners[h]; taken {
				n.warn(0, fmt.Sprintf("the gripper %s is said to be of %s and of %s; the first counts", name, n.objects.Name(owner), a.Name))
				continue
			}
			n.crew.owners[h] = x
			n.crew.hands[x] = append(n.crew.hands[x], h)
		}
	}
	for _, a := range n.ep.Crew {
		if len(a.Members) > 0 {
			n.enlistTeam(a)
		}
	}
}

// enlistTeam adds a team of agents.
func (n *Names) enlistTeam(a episode.Agent) {
	var of []state.Object
	for _, name := range a.Members {
		x, known := n.crew.agents[name]
		if !known {
			n.warn(0, fmt.Sprintf("%q is a member of the team %s and no agent that is declared; it is left out", name, a.Name))
			continue
		}
		of = append(of, x)
	}
	if len(of) == 0 {
		return
	}
	team := n.objects.Add(a.Name, n.onto.Core.Agent)
	n.crew.agents[a.Name], n.crew.members[team] = team, of
	for _, x := range of {
		n.crew.hands[team] = append(n.crew.hands[team], n.crew.hands[x]...)
	}
}

// first is the robot that acts where a line names nobody, and its gripper.
func (n *Names) first() (robot, gripper state.Object) {
	core := &n.onto.Core
	for _, x := range n.crew.robots {
		if hands := n.crew.hands[x]; len(hands) > 0 {
			return x, hands[0]
		}
	}
	return n.objects.Add(n.onto.Instance(core.Robot, 1), core.Robot), n.objects.Add(n.onto.Instance(core.RobotGripper, 1), core.RobotGripper)
}

// Together are the agents that act where a team does, the team first; none where it is one
// agent.
func (n *Names) Together(agent string) []state.Object {
	team, known := n.crew.agents[agent]
	if members := n.crew.members[team]; known && len(members) > 0 {
		return append([]state.Object{team}, members...)
	}
	return nil
}

// Judged reports whether what an agent does is judged: what a person does is not.
func (n *Names) Judged(agent state.Object) bool { return agent == state.Nothing || !n.isPerson(agent) }

// PersonalHands lists the hands of people, each with whose it is.
func (n *Names) PersonalHands() [][2]state.Object {
	var out [][2]state.Object
	for h, x := range n.crew.owners {
		if n.isPerson(x) {
			out = append(out, [2]state.Object{h, x})
		}
	}
	slices.SortFunc(out, func(a, b [2]state.Object) int { return int(a[0] - b[0]) })
	return out
}

// Actor is a robot with one of its grippers.
type Actor struct{ Robot, Gripper state.Object }

// Actors lists the robots that are known to act with each of their grippers, the one that
// acts where a line names nobody first.
func (n *Names) Actors() []Actor {
	out := []Actor{{n.Robot, n.Gripper}}
	for _, robot := range slices.Concat([]state.Object{n.Robot}, n.crew.robots, n.robots) {
		for _, h := range n.hands(robot) {
			if a := (Actor{robot, h}); !slices.Contains(out, a) {
				out = append(out, a)
			}
		}
	}
	return out
}

// ActAs lets a robot with a gripper be the one that acts where nobody is named.
func (n *Names) ActAs(a Actor) { n.Robot, n.Gripper = a.Robot, a.Gripper }
