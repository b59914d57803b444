// Package perception tells noise from change. Where sensors are known to err it
// takes no single look for the truth: each state and place of an object is a
// hidden Markov chain, whose transitions come from the action model and whose
// emissions from the stated rate of error, and what is passed on as observed is
// the most probable value given the looks before and a few looks after. What the
// gripper holds is taken as exact.
package perception

import (
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/interrupt"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// Lag is how many lines later a line is passed on by a Stream: a second look, and
// a third where the second was missed.
const Lag = 2

// Smooth returns the steps of an episode with its observations freed of noise,
// judged by all of its lines. Where the episode states no noise they are its own. Where the
// flag is raised they are as they were.
func Smooth(o *ontology.Ontology, ep *episode.Episode, stop *interrupt.Flag) []episode.Step {
	if ep.Noise <= 0 {
		return ep.Steps
	}
	f := newFilter(o, ep)
	f.stop = stop
	return f.smooth(ep.Steps, sure)
}

// Stream smooths the steps of an episode as they come. Before a planned action
// that nothing undoes it does not wait for a second look.
type Stream struct {
	filter *filter
	plan   []episode.Action
	done   int            // actions of the plan that were seen so far
	raw    []episode.Step // the last lines
	given  int            // of them passed on
}

// NewStream begins an episode; its steps are passed to Next.
func NewStream(o *ontology.Ontology, ep *episode.Episode) *Stream {
	return &Stream{filter: newFilter(o, ep), plan: ep.Plan}
}

// memory is how many lines a stream looks back.
const memory = 12

// Next takes in a line and returns the lines that have settled.
func (s *Stream) Next(st episode.Step) []episode.Step {
	if s.filter.rate <= 0 {
		return []episode.Step{st}
	}
	s.raw = append(s.raw, st)
	if s.urgent(st) {
		return s.settle(len(s.raw), likely)
	}
	return s.settle(len(s.raw)-Lag, sure)
}

// urgent reports whether the action that the plan has next cannot be undone.
func (s *Stream) urgent(st episode.Step) bool {
	for i := s.done; i < min(len(s.plan), s.done+3); i++ {
		if s.plan[i].Name == st.Action.Name && alike(s.plan[i].Target, st.Action.Target) {
			s.done = i + 1
			break
		}
	}
	if s.done >= len(s.plan) {
		return false
	}
	next, ok := s.filter.onto.Action(s.plan[s.done].Name)
	return ok && next.Irreversible
}

// alike reports whether two names can mean the same object: a class its instances.
func alike(a, b string) bool {
	c, n := episode.SplitName(a)
	d, m := episode.SplitName(b)
	return c == d && (n == m || n == 0 || m == 0)
}

// Sense adds what sensors told of to the last line; it is false where that was passed on.
func (s *Stream) Sense(events []episode.SensorEvent) bool {
	n := len(s.raw)
	if n == 0 || s.given == n {
		return false
	}
	s.raw[n-1].Events = append(slices.Clip(s.raw[n-1].Events), events...)
	return true
}

// Flush returns the lines that are left when the episode is over.
func (s *Stream) Flush() []episode.Step {
	if s.filter.rate <= 0 {
		return nil
	}
	return s.settle(len(s.raw), sure)
}

// settle passes on the lines before an index, with what is at least so probable.
func (s *Stream) settle(until int, least float64) []episode.Step {
	if until <= s.given {
		return nil
	}
	out := slices.Clone(s.filter.smooth(s.raw, least)[s.given:until])
	s.given = until
	if drop := len(s.raw) - memory; drop > 0 {
		s.raw = slices.Delete(s.raw, 0, drop)
		s.given -= drop
	}
	return out
}

// filter holds what smoothing needs of an episode besides its lines.
type filter struct {
	onto     *ontology.Ontology
	rate     float64
	mentions map[string]bool // names that plan, scene and goal use
	classes  map[string]bool // bare class names among them
	stop     *interrupt.Flag
}

func newFilter(o *ontology.Ontology, ep *episode.Episode) *filter {
	f := &filter{onto: o, rate: ep.Noise, mentions: map[string]bool{}, classes: map[string]bool{}}
	for _, a := range ep.Plan {
		f.mention(a.Target, a.Destination)
	}
	for _, facts := range [][]episode.Fact{ep.Scene, ep.GoalFacts} {
		for _, fact := range facts {
			f.mention(fact.Subject, fact.Object)
		}
	}
	return f
}

func (f *filter) mention(names ...string) {
	for _, n := range names {
		if n == "" {
			continue
		}
		if class, number := episode.SplitName(n); number == 0 {
			f.classes[class] = true
		}
		f.mentions[n] = true
	}
}

// smooth frees lines of noise; what is less probable than least is left out.
func (f *filter) smooth(raw []episode.Step, least float64) []episode.Step {
	steps := f.confirmed(raw)
	m := f.model(steps)
	if m.least = least; f.stop.Raised() {
		return raw
	}
	out := make([]episode.Step, len(steps))
	for t := 0; t < len(steps) && !f.stop.Raised(); t++ {
		out[t] = m.observed(t)
	}
	return out
}

// confirmedWithin is how many lines away a second sight confirms the first.
const confirmedWithin = 2

// confirmed leaves out objects that were seen once, so that they may be another
// taken for them, unless the plan names them.
func (f *filter) confirmed(raw []episode.Step) []episode.Step {
	seen := map[string][]int{}
	held := map[string]bool{}
	for t := range raw {
		if f.stop.Raised() {
			return raw
		}
		for _, n := range raw[t].Observation.Nodes {
			seen[n.ID] = append(seen[n.ID], t)
		}
		for _, e := range raw[t].Observation.Edges {
			if f.isGripper(e.Object) {
				held[e.Subject] = true
			}
		}
	}
	counts := map[string]int{}
	for name, at := range seen {
		class, _ := episode.SplitName(name)
		counts[class] = max(counts[class], len(at))
	}
	known := func(name string) bool {
		class, number := episode.SplitName(name)
		return f.mentions[name] || held[name] || f.classes[class] && (number == 1 || counts[class] == len(seen[name]))
	}
	keep := func(name string, t int) bool {
		if known(name) {
			return true
		}
		at := seen[name] // ascending
		i, _ := slices.BinarySearch(at, t-confirmedWithin)
		for ; i < len(at) && at[i] <= t+confirmedWithin; i++ {
			if at[i] != t {
				return true
			}
		}
		return false
	}
	out := slices.Clone(raw)
	for t := range out {
		if f.stop.Raised() {
			break
		}
		o := &out[t].Observation
		o.Nodes = slices.DeleteFunc(slices.Clone(o.Nodes), func(n scene.Node) bool { return !keep(n.ID, t) })
		o.Edges = slices.DeleteFunc(slices.Clone(o.Edges), func(e scene.Edge) bool {
			gone := func(name string) bool { return seen[name] != nil && !keep(name, t) }
			return gone(e.Subject) || gone(e.Object)
		})
	}
	return out
}

func (f *filter) isGripper(name string) bool {
	class, _ := episode.SplitName(name)
	id, ok := f.onto.Lookup(class)
	return ok && f.onto.IsA(id, f.onto.Core.RobotGripper)
}

func (f *filter) classOf(name, class string) ontology.TermID {
	if class == "" {
		class, _ = episode.SplitName(name)
	}
	if id, ok := f.onto.Lookup(class); ok {
		return id
	}
	if ids := f.onto.ByLabel(class, f.onto.Core.PhysicalObject); len(ids) > 0 {
		return ids[0]
	}
	return ontology.None
}
