package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/inference"
	"github.com/mishap-robotics/mishap/engine/internal/interrupt"
	"github.com/mishap-robotics/mishap/engine/internal/limit"
	"github.com/mishap-robotics/mishap/engine/scene"
)

// Limits bound the work on an episode and what is remembered of it: of a monitor (Watch),
// of a run (Loop), and of an episode that is looked at as a whole (Reasoner.Limits). Where
// a field is 0 its default holds, and what has none is not bounded.
//
// What would exceed a limit is not done, and a *LimitError says so. A step that is refused
// was not taken in: the episode goes on with the next. Work that Time ended is left out for
// good. Work that the context of a call ended is made up for at the next call, so that
// what is found in the end is the same; see Monitor.Step.
type Limits struct {
	// Time bounds one call: a step, a look ahead, a check of an episode.
	Time time.Duration
	// Planning bounds one call that plans: Recover, Assess and Undo.
	Planning   time.Duration
	Inferences int // of one rule at one step; 5,000,000 by default
	Bytes      int // that the search with one rule may build, about; 256 MiB by default
	// Window is how many steps back it is remembered what was seen and heard; 0 is
	// all of the episode, and less than MinWindow is that. What the robot did, how it
	// came out and how the belief changed is remembered for some 8,000 steps, and 500 more
	// than the window: about 0.1 kB a step.
	// At the end such an episode is not checked once more as a whole: what was found
	// stands, and what only the end shows is added. Findings and warnings are forgotten
	// with the window, but not before they are settled: 500 steps later. Where more than
	// 1024 objects were named, those that nobody has seen within the window, and that no
	// action, plan or goal speaks of, are forgotten with their names: then objects have
	// other numbers, and a name that comes again is that of a new object.
	Window int

	Nodes    int // of one observation; DefaultNodes where 0
	Details  int // of one step: edges, states, properties, sounds and sensor events, each; DefaultDetails where 0
	Name     int // bytes of a name, a state or a sound; DefaultName where 0
	Objects  int // that are known of an episode; DefaultObjects where 0
	Planned  int // actions of a plan; DefaultPlanned where 0
	Warnings int // that an episode keeps; episode.DefaultWarnings where 0
	// Memory is how many bytes may be remembered of an episode, about: names, what was seen
	// within the Window, what changed. Beyond that steps are refused. Not bounded where 0.
	Memory int
}

// The limits by default. A step with as much in it as they allow takes some milliseconds.
const (
	DefaultNodes   = 2_000
	DefaultDetails = 20_000
	DefaultName    = 4_096
	DefaultObjects = 100_000
	DefaultPlanned = 10_000
)

// LimitError is what was not done because of a limit, or because the context of the call
// was over: its Phase and Step, of a rule the Clause, of refused input the Field and Index,
// the Limit with Max and Value, what is Undone, and Err, ErrLimit or the error of the
// context.
type LimitError = limit.Error

// Phase is the part of the work of a call in which it ended early.
type Phase = limit.Phase

// The phases of a LimitError.
const (
	PhaseInput      = limit.Input
	PhaseBelief     = limit.Belief
	PhaseFacts      = limit.Facts
	PhasePlanFaults = limit.PlanFaults
	PhaseRules      = limit.Rules
	PhaseDiagnosis  = limit.Diagnosis
	PhaseForesight  = limit.Foresight
	PhaseRecovery   = limit.Recovery
	PhaseRun        = limit.Run
)

// withDefaults has no field that is 0 where it has a default.
func (l Limits) withDefaults() Limits {
	for _, f := range []struct {
		field *int
		usual int
	}{
		{&l.Nodes, DefaultNodes}, {&l.Details, DefaultDetails}, {&l.Name, DefaultName}, {&l.Objects, DefaultObjects},
		{&l.Planned, DefaultPlanned}, {&l.Warnings, episode.DefaultWarnings},
	} {
		if *f.field <= 0 {
			*f.field = f.usual
		}
	}
	if l.Window > 0 {
		l.Window = max(l.Window, MinWindow)
	}
	return l
}

// notTaken is what is undone of a step that is refused.
const notTaken = "the step was not taken in"

// admit is the error of a step that holds too much.
func (l *Limits) admit(st *episode.Step) error {
	o := &st.Observation
	states, properties, values := 0, 0, len(st.Values)
	for i := range o.Nodes {
		states += len(o.Nodes[i].States)
		properties += len(o.Nodes[i].Properties)
		values += len(o.Nodes[i].Values)
	}
	for _, n := range []struct {
		field string
		found int
		limit string
		most  int
	}{
		{"observation.nodes", len(o.Nodes), "Limits.Nodes", l.Nodes}, {"observation.edges", len(o.Edges), "Limits.Details", l.Details},
		{"observation.nodes.states", states, "Limits.Details", l.Details}, {"observation.nodes.properties", properties, "Limits.Details", l.Details},
		{"values", values, "Limits.Details", l.Details}, {"sounds", len(st.Sounds), "Limits.Details", l.Details},
		{"events", len(st.Events), "Limits.Details", l.Details},
	} {
		if n.found > n.most {
			return limit.Refused(st.Index, n.field, n.most, n.limit, n.most, n.found, notTaken)
		}
	}
	if field, index, length := l.longName(st); field != "" {
		return limit.Refused(st.Index, field, index, "Limits.Name", l.Name, length, notTaken)
	}
	return nil
}

// longName finds a name that is too long.
func (l *Limits) longName(st *episode.Step) (field string, index, length int) {
	long := func(name string) bool {
		length = len(name)
		return length > l.Name
	}
	reads := func(r scene.Reading) bool { return long(r.Quantity) || long(r.Unit) }
	a := &st.Action
	for _, f := range []struct{ field, name string }{
		{"action.name", a.Name}, {"action.target", a.Target}, {"action.destination", a.Destination}, {"agent", st.Agent},
	} {
		if long(f.name) {
			return f.field, 0, length
		}
	}
	for i := range st.Observation.Nodes {
		n := &st.Observation.Nodes[i]
		switch {
		case long(n.ID):
			return "observation.nodes.id", i, length
		case long(n.Class):
			return "observation.nodes.class", i, length
		case slices.ContainsFunc(n.States, long):
			return "observation.nodes.states", i, length
		case slices.ContainsFunc(n.Properties, long):
			return "observation.nodes.properties", i, length
		case slices.ContainsFunc(n.Values, reads):
			return "observation.nodes.values", i, length
		}
	}
	for i := range st.Observation.Edges {
		if e := &st.Observation.Edges[i]; long(e.Subject) || long(e.Relation) || long(e.Object) {
			return "observation.edges", i, length
		}
	}
	if i := slices.IndexFunc(st.Values, reads); i >= 0 {
		return "values", i, length
	}
	for _, word := range []string{st.ID, st.Result, string(st.Status)} {
		if long(word) {
			return "result", 0, length
		}
	}
	if i := slices.IndexFunc(st.Sounds, long); i >= 0 {
		return "sounds", i, length
	}
	if i := slices.IndexFunc(st.Events, func(e episode.SensorEvent) bool {
		return long(e.Kind) || long(e.Object) || long(e.Unit) || long(e.Time)
	}); i >= 0 {
		return "events", i, length
	}
	return "", 0, 0
}

// admitPlan is the error of a plan that is too long.
func (l *Limits) admitPlan(plan []episode.Action) error {
	if n := len(plan); n > l.Planned {
		return l.refusedPlan(n)
	}
	return nil
}

// refusedPlan is the error of a plan of so many actions.
func (l *Limits) refusedPlan(n int) error {
	return limit.Refused(limit.None, "plan", l.Planned, "Limits.Planned", l.Planned, n, "the plan was not taken in, and the episode has none")
}

// admitWhole leaves out of an episode what exceeds a limit, and warns of it. The error says
// what that is.
func (l *Limits) admitWhole(stop *interrupt.Flag, ep *episode.Episode) error {
	ep.MaxWarnings = l.Warnings
	var refused []error
	refuse := func(line int, err error) {
		refused = append(refused, err)
		ep.Warn(line, err.Error())
	}
	if err := l.admitPlan(ep.Plan); err != nil {
		ep.Plan, ep.Carriers = nil, nil
		refuse(0, err)
	}
	most := 2 * len(ep.Plan)
	for i := range ep.Steps {
		if most += namesIn(&ep.Steps[i]); stop.Raised() {
			return nil
		}
	}
	var names map[string]bool // none is counted where there cannot be too many
	if most > l.Objects {
		names = map[string]bool{}
	}
	var out []int // indexes of the steps that are left out
	for i := range ep.Steps {
		if stop.Raised() {
			return nil
		}
		st := &ep.Steps[i]
		err := l.admit(st)
		if err == nil && names != nil {
			err = l.admitNames(st, names)
		}
		if err != nil {
			refuse(st.Line, err)
			out = append(out, i)
		}
	}
	if len(out) > 0 {
		kept := make([]episode.Step, 0, len(ep.Steps))
		for i := range ep.Steps {
			if _, refused := slices.BinarySearch(out, i); !refused {
				kept = append(kept, ep.Steps[i])
			}
		}
		ep.Steps = kept
	}
	return errors.Join(refused...)
}

// namesIn bounds how many objects a step names.
func namesIn(st *episode.Step) int {
	return len(st.Observation.Nodes) + 2*len(st.Observation.Edges) + len(st.Events) + 3
}

// admitNames counts what a step names first among the names of an episode.
func (l *Limits) admitNames(st *episode.Step, names map[string]bool) error {
	fresh := map[string]bool{}
	for name := range st.Names() {
		if !names[name] {
			fresh[name] = true
		}
	}
	if n := len(names) + len(fresh); n > l.Objects {
		return tooManyObjects(st, l.Objects, n)
	}
	for name := range fresh {
		names[name] = true
	}
	return nil
}

func tooManyObjects(st *episode.Step, most, n int) error {
	return limit.Refused(st.Index, "observation.nodes.id", most, "Limits.Objects", most, n, notTaken)
}

// within is a reasoner with other limits for the whole of an episode, of which the time is
// that of the context.
func (r *Reasoner) within(l Limits) *Reasoner {
	own := *r
	own.Limits, own.Limits.Time = l, 0
	return &own
}

// byStep are the limits of a reasoner for a monitor that serves a call on a whole episode.
func (r *Reasoner) byStep() Limits {
	l := r.Limits
	l.Time, l.Planning, l.Window, l.Memory = 0, 0, 0, 0
	return l
}

// bound is a context for a call on a whole episode.
func (r *Reasoner) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	if ctx = orBackground(ctx); r.Limits.Time > 0 {
		return context.WithTimeout(ctx, r.Limits.Time)
	}
	return ctx, func() {}
}

// call is one call of a host, which ends with its context or at its limit of time.
type call struct {
	ctx   context.Context // bounded by Time
	outer context.Context // that of the host
	stop  *interrupt.Flag // of ctx
	limit string          // field of Limits that bounds the time
}

// beginCall begins a call that works on a trace; end is to be called when it is over.
func beginCall(outer context.Context, t *Trace, within time.Duration, limit string) (c *call, end func()) {
	c = &call{ctx: outer, outer: outer, limit: limit}
	cancel := func() {}
	if within > 0 {
		c.ctx, cancel = context.WithTimeout(outer, within)
	}
	c.stop = interrupt.Of(c.ctx)
	if t == nil {
		return c, cancel
	}
	before := t.EndWith(c.stop)
	return c, func() {
		before()
		cancel()
	}
}

// cancelled reports whether the host's context is over.
func (c *call) cancelled() bool { return c.outer.Err() != nil }

// over reports whether nothing more is to be begun: the host's context is over, or the time
// was up a while ago. Until then rules that end at once are still asked, whichever of them
// took the time.
func (c *call) over() bool {
	if !c.stop.Raised() {
		return false
	}
	deadline, timed := c.ctx.Deadline()
	return c.cancelled() || !timed || time.Since(deadline) > grace
}

// ended is the error of a phase that the call's end has cut short, nil where none has.
func (c *call) ended(phase Phase, step int, undone string) error {
	if c.stop.Err() == nil {
		return nil
	}
	return c.cut(phase, step, undone, c.stop.Err())
}

// cut is the error of a phase that was cut short.
func (c *call) cut(phase Phase, step int, undone string, err error) error {
	e := limit.Interrupted(phase, step, undone, err)
	if !c.cancelled() {
		e.Limit = c.limit
	}
	return e
}

// blame says of the errors of rules that the call's limit of time was the reason, where it was.
func (c *call) blame(err error) error {
	var e *LimitError
	if errors.As(err, &e) && e.Limit == "" && !c.cancelled() {
		e.Limit = c.limit
	}
	return err
}

// isEnd reports whether an error says that a context is over.
func isEnd(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// cost is about how many bytes are remembered of a step while it is in the window.
func cost(st *episode.Step) int {
	const perName, perNode, perEdge, perStep = 16, 160, 160, 1_000
	n := perStep + len(st.Observation.Nodes)*perNode + len(st.Observation.Edges)*perEdge
	for i := range st.Observation.Nodes {
		node := &st.Observation.Nodes[i]
		n += len(node.ID) + len(node.Class)
		for _, s := range node.States {
			n += 3*perName + len(s)
		}
		for _, s := range node.Properties {
			n += perName + len(s)
		}
		n += valuesCost(node.Values)
	}
	n += valuesCost(st.Values)
	for i := range st.Observation.Edges {
		e := &st.Observation.Edges[i]
		n += len(e.Subject) + len(e.Relation) + len(e.Object)
	}
	for _, s := range st.Sounds {
		n += 3*perName + len(s)
	}
	for i := range st.Events {
		n += perNode + len(st.Events[i].Kind) + len(st.Events[i].Object)
	}
	return n
}

// valuesCost is about how many bytes measurements take.
func valuesCost(values scene.Readings) int {
	n := 0
	for _, v := range values {
		n += 80 + len(v.Quantity) + len(v.Unit)
	}
	return n
}

// inPhase adds to an error of rules the step at which they were to run.
func inPhase(err error, step int) error {
	var e *inference.LimitError
	if errors.As(err, &e) && e.Step == limit.None {
		e.Step = step
	}
	return err
}

// remembered is about how many bytes a monitor holds.
func remembered(t *belief.Trace, held int) int {
	const perObject, perChange = 1_000, 48
	return held + perObject*len(t.Objects.Items) + perChange*t.Changes()
}
