package grounding

import (
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/interrupt"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/engine/language"
	"github.com/mishap-robotics/mishap/ontology"
)

// agent is who acts in a line: the robot that is watched where the line names nobody.
func (n *Names) agent(name string) state.Object {
	if name == "" {
		return n.Robot
	}
	if x, declared := n.crew.agents[name]; declared {
		return x
	}
	if n.IsPerson(name) {
		return n.Object(name, "")
	}
	return n.objects.Add(name, n.onto.Core.Robot)
}

// IsPerson reports whether an agent, by its name, is a person.
func (n *Names) IsPerson(agent string) bool {
	if x, declared := n.crew.agents[agent]; declared {
		return n.isPerson(x)
	}
	if x, known := n.objects.Lookup(agent); known && agent != "" && n.isPerson(x) {
		return true
	}
	class, _ := episode.SplitName(agent)
	return agent != "" && n.onto.IsA(ClassOf(n.onto, class), n.onto.Core.Human)
}

// addHelper notes that who acts in a line is a person: the robot acts in lines that name nobody, and
// this one names somebody of whom the log says nothing, and shows what was acted on with a person.
func (n *Names) addHelper(st *episode.Step) {
	if st.Agent == "" || len(n.ep.Crew) > 0 || !slices.Contains(n.robots, n.Robot) {
		return
	}
	if _, known := n.objects.Lookup(st.Agent); known || ClassOf(n.onto, st.Agent) != ontology.None {
		return
	}
	for _, e := range st.Observation.Edges {
		if x, known := n.objects.Lookup(e.Object); known && n.isPerson(x) && e.Subject == st.Action.Target {
			n.objects.Add(st.Agent, n.onto.Core.Human)
			return
		}
	}
}

func (n *Names) isPerson(x state.Object) bool { return n.objects.IsA(x, n.onto.Core.Human) }

// addAgent notes who acts, and that there is one more robot where it is one.
func (n *Names) addAgent(agent string, action episode.Action) {
	if agent == "" && action.Name == "" {
		return
	}
	a := n.agent(agent)
	all := n.crew.members[a]
	if len(all) == 0 {
		all = []state.Object{a}
	}
	for _, a := range all {
		if !n.isPerson(a) && !slices.Contains(n.robots, a) {
			n.robots = append(slices.Clip(n.robots), a)
		}
	}
}

// hands are the grippers of an agent: those that are declared, and else none of a person's.
// Where several robots act, agent N has gripper N; a robot alone has all that there are.
func (n *Names) hands(agent state.Object) []state.Object {
	if own, declared := n.crew.hands[agent]; declared {
		return own
	}
	if n.isPerson(agent) {
		return nil
	}
	if len(n.robots) <= 1 {
		all := n.objects.OfClass(n.onto.Core.RobotGripper)
		return append(all[1:len(all):len(all)], all[0]) // that of New last, which the log may not have
	}
	number := n.objects.Items[agent].Number
	number = max(number, 1)
	return []state.Object{n.objects.Add(n.onto.Instance(n.onto.Core.RobotGripper, number), n.onto.Core.RobotGripper)}
}

// addOwnHands adds the hands of which a log that names no gripper does not say whose they are,
// and in which a thing is first seen as the robot takes it, or after that: they are its
// grippers.
func (n *Names) addOwnHands(steps []episode.Step, stop *interrupt.Flag) {
	var own []string
	for i := 0; i < len(steps) && !stop.Raised(); i++ {
		st := &steps[i]
		if schema, ok := n.onto.Action(st.Action.Name); ok && schema == n.onto.Roles.Take && (st.Agent == "" || !n.onto.IsA(ClassOf(n.onto, st.Agent), n.onto.Core.Human)) {
			n.reached = st.Action.Target
		}
		other := "" // that is no hand, of the edge before: many are to one thing
		for i := range st.Observation.Edges {
			e := &st.Observation.Edges[i]
			if e.Object == other && i > 0 || slices.Contains(own, e.Object) {
				continue
			}
			if known := n.meant.edge(n.objects, i, e); known != nil && !known.gripper && !n.objects.IsA(known.Subject, n.onto.Core.RobotGripper) {
				continue
			}
			if x, known := n.objects.Lookup(e.Object); known {
				if n.objects.IsA(x, n.onto.Core.RobotGripper) {
					return
				}
				other = e.Object
				continue
			}
			stem, _ := episode.SplitName(e.Object)
			if n.onto.IsA(ClassOf(n.onto, stem), n.onto.Core.RobotGripper) {
				return
			}
			// "hand" itself: a "person's hand" is somebody's
			if slices.Contains(n.onto.ByLabel(stem, n.onto.Core.Agent), n.onto.Roles.UnownedHand) && n.reached != "" && (sameThing(n.onto, e.Subject, n.reached) || sameThing(n.onto, classNamed(&st.Observation, e.Subject), n.reached)) {
				n.objects.Add(e.Object, n.onto.Core.RobotGripper)
				own = append(own, e.Object)
			}
		}
	}
}

// nameOnlyHand lets the only gripper that a log names, whatever its number, be that of the only
// robot that acts: "gripper_0" is no second hand.
func (n *Names) nameOnlyHand(steps []episode.Step, stop *interrupt.Flag) {
	core := &n.onto.Core
	if _, declared := n.crew.hands[n.Robot]; declared || len(n.objects.OfClass(core.RobotGripper)) > 1 {
		return
	}
	of := classes{onto: n.onto}
	only, agent, acts := "", "", false
	for i := 0; i < len(steps) && !stop.Raised(); i++ {
		st := &steps[i]
		if st.Action.Name != "" && !n.onto.IsA(ClassOf(n.onto, st.Agent), core.Human) {
			if acts && agent != st.Agent {
				return
			}
			agent, acts = st.Agent, true
		}
		names := func(name string) bool {
			if name == only {
				return true
			}
			switch class := of.of(name); {
			case class == core.Robot && name != st.Agent: // whose hand it may be
				return false
			case class == core.RobotGripper:
				if only != "" {
					return false
				}
				only = name
			}
			return true
		}
		for k := range st.Observation.Nodes {
			if !names(st.Observation.Nodes[k].ID) {
				return
			}
		}
		for k := range st.Observation.Edges {
			if e := &st.Observation.Edges[k]; !names(e.Subject) || !names(e.Object) {
				return
			}
		}
	}
	if _, known := n.objects.Lookup(only); only != "" && !known {
		n.objects.Alias(only, n.Gripper)
	}
}

// addHandOf adds the hand that is called after the robot that acts in a line: "hsr hand" of hsr.
func (n *Names) addHandOf(st *episode.Step) {
	if st.Agent == "" || n.onto.IsA(ClassOf(n.onto, st.Agent), n.onto.Core.Human) {
		return
	}
	agent, _ := episode.SplitName(st.Agent)
	for i := range st.Observation.Edges {
		name := st.Observation.Edges[i].Object
		if _, known := n.objects.Lookup(name); known {
			continue
		}
		stem, _ := episode.SplitName(name)
		of, hand := cutLast(language.Words(stem))
		if of != "" && episode.Spelling(of) == episode.Spelling(agent) && slices.Contains(n.onto.ByLabel(hand, n.onto.Core.Agent), n.onto.Roles.UnownedHand) {
			n.objects.Add(name, n.onto.Core.RobotGripper)
		}
	}
}

// addOtherHands adds the hand that a robot has beside the one that the log shows: a left hand is
// not its only one.
func (n *Names) addOtherHands() {
	for _, x := range n.objects.OfClass(n.onto.Core.RobotGripper) {
		other := n.onto.OtherHand(n.objects.Class(x))
		if other != ontology.None && n.objects.Items[x].Shown && len(n.objects.OfClass(other)) == 0 {
			n.objects.Add(n.onto.Instance(other, n.objects.Items[x].Number), other)
		}
	}
}

// cutLast parts the last of some words from those before.
func cutLast(words []string) (before, last string) {
	if len(words) == 0 {
		return "", ""
	}
	return strings.Join(words[:len(words)-1], " "), words[len(words)-1]
}

// classNamed is what a look calls the class of a thing that it names, the name where it says none.
func classNamed(o *episode.Observation, name string) string {
	for i := range o.Nodes {
		if o.Nodes[i].ID == name && o.Nodes[i].Class != "" {
			return o.Nodes[i].Class
		}
	}
	return name
}

// gripperShown reports whether a gripper has been seen under a name of its own.
func (n *Names) gripperShown() bool {
	return slices.ContainsFunc(n.objects.Members(n.onto.Core.RobotGripper), func(x state.Object) bool { return n.objects.Items[x].Shown })
}

// sameThing reports whether two names may be of one thing: a may have a number of a detector
// that is none to read.
func sameThing(o *ontology.Ontology, a, b string) bool {
	stemA, numberA := episode.SplitName(a)
	stemB, numberB := episode.SplitName(b)
	if numberA > 0 && numberB > 0 && numberA != numberB {
		return false
	}
	class := ClassOf(o, stemA)
	return strings.HasPrefix(episode.Spelling(stemA), episode.Spelling(stemB)) || class != ontology.None && class == ClassOf(o, stemB)
}

// visible leaves of some grippers those that an observation shows, be they empty: one that
// the log lists elsewhere and not there is out of sight.
func (n *Names) visible(hands []state.Object, o *Observation) []state.Object {
	return slices.DeleteFunc(slices.Clone(hands), func(h state.Object) bool {
		holds := func() bool {
			for _, p := range o.Places {
				if p.Object == h {
					return true
				}
			}
			return false
		}
		return n.listed[h] && !o.Shown(h) && !holds()
	})
}

// hand chooses the gripper that carries out an action: the one that holds the target,
// then the one that is seen to take it or to have lost what it held, then the one with
// which least stands against the action.
func (r *resolution) hand() state.Object {
	if len(r.hands) == 0 {
		return state.Nothing
	}
	if x := onlyOf(r.hands, r.holdsTarget, r.takesTarget, r.hasLost, r.shouldHoldTarget); x != state.Nothing {
		return x
	}
	best, least := r.hands[0], -1
	for _, h := range r.hands {
		c := r.call.Call
		c.Gripper = h
		if r.team {
			c.Agent = r.Owner(h)
		}
		if unmet := len(r.ctx.Believed.Judge(c).UnmetPreconditions()); least < 0 || unmet < least {
			best, least = h, unmet
		}
	}
	return best
}

func (r *resolution) holdsTarget(h state.Object) bool {
	return r.call.Target != state.Nothing && r.ctx.Believed.Place(r.call.Target).At == h
}

// shouldHoldTarget reports whether a gripper would hold the target by what was done.
func (r *resolution) shouldHoldTarget(h state.Object) bool {
	return r.ctx.Expected != nil && r.call.Target != state.Nothing && r.ctx.Expected.Place(r.call.Target).At == h
}

func (r *resolution) takesTarget(h state.Object) bool {
	return slices.ContainsFunc(r.looks(), func(o *Observation) bool { return r.call.Target != state.Nothing && o.ShowsAt(r.call.Target, h) })
}

// hasLost tells a gripper that is seen without what it held.
func (r *resolution) hasLost(h state.Object) bool {
	held := r.ctx.Believed.Held(h)
	return slices.ContainsFunc(r.looks(), func(o *Observation) bool {
		return !o.Missing && slices.Contains(o.Hands, h) && slices.ContainsFunc(held, func(x state.Object) bool { return !o.ShowsAt(x, h) })
	})
}

// looks are the observations of the lines of the action that are known.
func (r *resolution) looks() []*Observation {
	if len(r.ctx.After) > 0 {
		return r.seenAfter()
	}
	if r.now == nil && r.ctx.Line != nil {
		r.now = []*Observation{r.Observation(r.ctx.Line)}
	}
	return r.now
}

// isHand reports whether something is a gripper of the agent.
func (r *resolution) isHand(x state.Object) bool { return slices.Contains(r.hands, x) }

// schema is the action model of an action of an agent. What a person does is unknown, unless
// its hands are.
func (n *Names) schema(name string, agent state.Object) *ontology.ActionSchema {
	if name != "" && n.isPerson(agent) && len(n.hands(agent)) == 0 {
		return ontology.Unknown(name)
	}
	a := n.onto.ActionOrUnknown(name)
	if a.TwoHands && len(n.hands(agent)) < 2 {
		return ontology.Unknown(name)
	}
	return a
}
