package simulation

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

// enlist puts the robots of a team into the world, the first of which acts where nobody is
// named. Each has one gripper. People and teams as such do not act here.
func (w *World) enlist(agents []episode.Agent) error {
	o := w.onto
	for _, a := range agents {
		if len(a.Members) > 0 {
			continue
		}
		class := o.Core.Robot
		if a.Class != "" {
			if class = classOf(o, a.Class); class == ontology.None || !o.IsA(class, o.Core.Agent) {
				return unknown("class of an agent", a.Class, o.Labels(o.Core.Agent))
			}
		}
		if o.IsA(class, o.Core.Human) {
			continue
		}
		m := member{robot: w.objects.Add(a.Name, class), zone: w.zone}
		name := o.Instance(o.Core.RobotGripper, len(w.team)+1)
		if len(a.Grippers) > 0 {
			name = a.Grippers[0]
		}
		m.gripper = w.objects.Add(name, o.Core.RobotGripper)
		w.team = append(w.team, m)
	}
	if len(w.team) > 0 {
		w.robot, w.gripper = w.team[0].robot, w.team[0].gripper
	}
	return nil
}

// as lets a robot of the team be the one that acts.
func (w *World) as(name string) error {
	i := slices.IndexFunc(w.team, func(m member) bool { return w.objects.Name(m.robot) == name })
	if i < 0 {
		var names []string
		for _, m := range w.team {
			names = append(names, w.objects.Name(m.robot))
		}
		return unknown("robot", name, names)
	}
	w.team = slices.Clone(w.team) // copies of the world keep theirs
	if now := slices.IndexFunc(w.team, func(m member) bool { return m.robot == w.robot }); now >= 0 {
		w.team[now].zone = w.zone
	}
	w.robot, w.gripper, w.zone = w.team[i].robot, w.team[i].gripper, w.team[i].zone
	return nil
}
