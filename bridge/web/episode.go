package web

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/memory"
	"github.com/mishap-robotics/mishap/engine/scene"
)

// Episode is what the pages show of an episode. Its field names are part of the versioned
// interface.
type Episode struct {
	// Report is what "mishap recover --format json" prints of the episode.
	Report report.EpisodeRecovery `json:"report"`
	Goal   string                 `json:"goal_text,omitempty"`
	Robot  string                 `json:"robot,omitempty"`
	Site   string                 `json:"site,omitempty"`
	Start  string                 `json:"start,omitempty"`
	Labels []string               `json:"labels,omitempty"`
	// Objects are all that the episode names; moments speak of them by index.
	Objects []Object `json:"objects"`
	Plan    []string `json:"plan"`
	Moments []Moment `json:"moments"`
	// Proofs are by finding.
	Proofs  []report.Proof  `json:"proofs"`
	Threats []report.Threat `json:"threats"`
	Opening []string        `json:"opening"`
	Ending  []string        `json:"ending"`
	// Text is the report of "mishap recover", plain.
	Text string `json:"text"`
	// Remarks are what people said of it, of an episode of a memory.
	Remarks []Remark `json:"remarks,omitempty"`
	// Notes say what of all this could not be made.
	Notes []string `json:"notes,omitempty"`
	// Pending is true where recovery, scores and what was foreseen are still worked out.
	Pending bool `json:"pending,omitempty"`
}

// Remark is what somebody said of a finding, or of the episode.
type Remark struct {
	Finding      int       `json:"finding,omitempty"` // from 1; 0 for the episode
	Acknowledged bool      `json:"acknowledged,omitempty"`
	Text         string    `json:"text"`
	At           time.Time `json:"at,omitzero"`
}

// Object is a thing that an episode names.
type Object struct {
	ID         string   `json:"id"`
	Class      string   `json:"class"`
	Properties []string `json:"properties,omitempty"`
}

// Moment is a step with what was believed after it.
type Moment struct {
	Step    int32    `json:"step"`
	Time    string   `json:"time,omitempty"`
	Line    int      `json:"line,omitempty"` // of the log
	Action  string   `json:"action,omitempty"`
	Agent   string   `json:"agent,omitempty"`
	Planned int      `json:"action_step,omitempty"` // 1-based index in the plan
	Outcome string   `json:"outcome,omitempty"`     // presumed, succeeded, refused or failed; on the last line of an action
	GoesOn  bool     `json:"goes_on,omitempty"`     // with the action of the line before
	Status  string   `json:"status,omitempty"`      // what the robot itself says
	Result  string   `json:"result,omitempty"`
	Unmet   []string `json:"unmet,omitempty"`
	Sounds  []string `json:"sounds,omitempty"`
	Events  []Event  `json:"events,omitempty"`
	// Measured is what was measured of things that were seen, as the log has it.
	Measured []Event `json:"measured,omitempty"`
	Told     string  `json:"told,omitempty"` // in words
	Observed bool    `json:"observed"`       // somebody looked
	Complete bool    `json:"complete,omitempty"`
	// Standing is the object that the robot last went to, -1 where that is not known.
	Standing int   `json:"standing"`
	Scene    Scene `json:"scene"`
	// Score compares the scene before the action with the expected one.
	Score *report.Score `json:"score,omitempty"`
}

// Event is what a sensor told of, or something that was measured: then its kind is the quantity.
type Event struct {
	Text   string   `json:"text"`
	Kind   string   `json:"kind"`
	Object string   `json:"object,omitempty"`
	Number *float64 `json:"number,omitempty"`
	Unit   string   `json:"unit,omitempty"`
	Time   string   `json:"time,omitempty"`
}

// outcomes are the words for what became of an action.
var outcomes = map[engine.Outcome]string{
	engine.OutcomePresumed:  "presumed",
	engine.OutcomeSucceeded: "succeeded",
	engine.OutcomeRefused:   "refused",
	engine.OutcomeFailed:    "failed",
}

// Judge checks, foresees and plans the recovery of an episode, and gathers what the pages
// show of it. Where a part cannot be made Notes tell why; the error is that of checking.
func Judge(ctx context.Context, r *engine.Reasoner, ep *episode.Episode) (*Episode, error) {
	out, _, err := check(ctx, r, ep)
	if err != nil {
		return nil, err
	}
	out = out.withRecovery(ctx, r, ep, engine.Planner{}).withForesight(ctx, r, ep)
	return out, ctx.Err()
}

// check is the part of Judge that is there at once, with what questions about the episode
// are asked of.
func check(ctx context.Context, r *engine.Reasoner, ep *episode.Episode) (*Episode, *engine.Result, error) {
	ctx = memory.DuringEpisode(ctx, r.Ontology, ep)
	res, err := r.Check(ctx, own(ep))
	if res == nil {
		return nil, nil, err
	}
	return pageOf(ctx, r, res, err), res, ctx.Err()
}

// pageOf gathers what the pages show of a result; err is that of checking, if only some rules
// failed.
func pageOf(ctx context.Context, r *engine.Reasoner, res *engine.Result, err error) *Episode {
	ep := res.Episode
	out := &Episode{
		Report: report.NewEpisodeRecovery(&engine.EpisodeRecovery{Result: res}),
		Goal:   ep.Goal, Robot: ep.Robot, Site: ep.Site, Start: ep.Start, Labels: ep.Labels,
		Plan: []string{}, Proofs: []report.Proof{}, Threats: []report.Threat{}, Pending: true,
	}
	out.note(err)
	out.write()
	for _, a := range ep.Plan {
		out.Plan = append(out.Plan, a.String())
	}
	out.narrate(r, res)
	out.moments(r, res)
	out.note(out.prove(memory.DuringEpisode(ctx, r.Ontology, ep), r, res))
	return out
}

// own is a copy of an episode that may be warned of.
func own(ep *episode.Episode) *episode.Episode {
	out := *ep
	out.Warnings = slices.Clip(ep.Warnings)
	return &out
}

// write writes the report as text.
func (e *Episode) write() {
	var text strings.Builder
	e.note(e.Report.Text(&text, report.Style{}, false))
	e.Text = text.String()
}

// withRecovery is the same with plans of recovery.
func (e *Episode) withRecovery(ctx context.Context, r *engine.Reasoner, ep *episode.Episode, p engine.Planner) *Episode {
	out := *e
	out.Notes = slices.Clip(e.Notes)
	m, err := r.RecoverEpisode(memory.DuringEpisode(ctx, r.Ontology, ep), own(ep), p)
	out.note(err)
	if m != nil && len(m.Result.Findings) == len(e.Report.Findings) {
		out.Report = report.NewEpisodeRecovery(m)
		out.write()
	}
	return &out
}

// withForesight is the same with the scores before actions and what was foreseen; then it is
// whole.
func (e *Episode) withForesight(ctx context.Context, r *engine.Reasoner, ep *episode.Episode) *Episode {
	out := *e
	out.Notes, out.Moments, out.Pending = slices.Clip(e.Notes), slices.Clone(e.Moments), false
	out.note(out.foresee(memory.DuringEpisode(ctx, r.Ontology, ep), r, own(ep)))
	return &out
}

func (e *Episode) note(err error) {
	if err != nil {
		e.Notes = append(e.Notes, err.Error())
	}
}

func (e *Episode) prove(ctx context.Context, r *engine.Reasoner, res *engine.Result) error {
	for i := range res.Findings {
		p, err := r.Prove(ctx, res, &res.Findings[i])
		if err != nil {
			return err
		}
		e.Proofs = append(e.Proofs, report.NewProof(p, res.Index))
	}
	return nil
}

func (e *Episode) foresee(ctx context.Context, r *engine.Reasoner, ep *episode.Episode) error {
	f, err := r.Foresee(ctx, ep, engine.Scoring{})
	if err != nil {
		return err
	}
	told := report.NewEpisodeForesight(f, discrepancy.DefaultThreshold)
	e.Threats = told.Findings
	for _, s := range told.Subtasks {
		if i := e.momentOf(s.Step); i >= 0 {
			e.Moments[i].Score = s.Score
		}
	}
	return nil
}

// momentOf is the index of the moment of a step, -1 for none.
func (e *Episode) momentOf(step int32) int {
	i, found := slices.BinarySearchFunc(e.Moments, step, func(m Moment, s int32) int { return int(m.Step - s) })
	if !found {
		return -1
	}
	return i
}

func (e *Episode) narrate(r *engine.Reasoner, res *engine.Result) {
	n := report.NewNarration(r.Ontology, res)
	e.Opening, e.Ending = n.Opening, n.Ending
	for _, st := range n.Steps {
		e.Moments = append(e.Moments, Moment{Step: st.Step, Told: st.Text, Standing: -1})
	}
	if len(e.Moments) == 0 || e.Moments[0].Step > 0 {
		e.Moments = slices.Insert(e.Moments, 0, Moment{Standing: -1})
	}
}

// moments fills in what was done, sensed and believed at each step.
func (e *Episode) moments(r *engine.Reasoner, res *engine.Result) {
	t := res.Trace
	lines := map[int32]*episode.Step{}
	for i := range res.Episode.Steps {
		st := &res.Episode.Steps[i]
		lines[int32(st.Index)] = st
	}
	events := map[int32]*engine.Event{}
	for i := range t.Events {
		events[t.Events[i].Step] = &t.Events[i]
	}
	s := newScenes(t, &e.Objects)
	standing := -1
	for i := range e.Moments {
		m := &e.Moments[i]
		if st := lines[m.Step]; st != nil {
			m.read(r, st)
		}
		ev := events[m.Step]
		if ev != nil {
			m.take(r, t, ev)
			if ev.Call.Schema != nil && ev.Outcome < engine.OutcomeRefused && r.Ontology.IsNavigation(ev.Call.Schema) && ev.Final {
				standing = s.object(t.Objects.Name(ev.Call.Target))
			}
		}
		m.Standing = standing
		m.Scene = s.next(m.Step, seen(t, ev, lines[m.Step]))
	}
}

// seen names the objects that an observation shows.
func seen(t *engine.Trace, ev *engine.Event, st *episode.Step) []string {
	var out []string
	switch {
	case ev != nil:
		for _, x := range ev.Seen {
			out = append(out, t.Objects.Name(x))
		}
	case st != nil:
		for _, n := range st.Observation.Nodes {
			out = append(out, n.ID)
		}
	}
	return out
}

// read takes over what the log says.
func (m *Moment) read(r *engine.Reasoner, st *episode.Step) {
	m.Time, m.Line, m.Agent = st.Time, st.Line, st.Agent
	m.Status, m.Result = string(st.Status), st.Result
	m.Sounds = st.Sounds
	m.Observed, m.Complete = !st.Observation.Missing, st.Observation.Complete
	if st.Action.Name != "" {
		m.Action = st.Action.String()
	}
	for _, v := range st.Events {
		e := Event{Text: v.String(), Kind: v.Kind, Object: v.Object, Unit: v.Unit, Time: v.Time}
		if v.Measured {
			e.Number = &v.Number
		}
		m.Events = append(m.Events, e)
	}
	for _, n := range st.Observation.Nodes {
		for _, v := range n.Values {
			m.Measured = append(m.Measured, Event{Text: v.Quantity, Kind: v.Quantity, Object: n.ID, Number: &v.Number, Unit: v.Unit})
		}
	}
}

// take takes over what became of the action.
func (m *Moment) take(r *engine.Reasoner, t *engine.Trace, ev *engine.Event) {
	m.Planned = ev.Planned
	m.GoesOn = ev.First < ev.Step
	if ev.Final && !ev.WithoutAction {
		m.Outcome = outcomes[ev.Outcome]
	}
	for _, u := range ev.Unmet {
		if ev.Outcome >= engine.OutcomeRefused && u.Comment != "" {
			m.Unmet = append(m.Unmet, u.Comment)
		}
	}
}

// Scene is what changed of the belief since the moment before.
type Scene struct {
	Changed []Placed `json:"changed,omitempty"`
	Gone    []int    `json:"gone,omitempty"` // of which nothing is believed any more
	// Seen are the objects in sight; null where they are those of the moment before.
	Seen *[]int `json:"seen,omitempty"`
	// Relations are those between objects that are no places; null as Seen.
	Relations *[]Relation `json:"relations,omitempty"`
}

// Placed is an object in the scene.
type Placed struct {
	Object   int            `json:"o"`
	States   []string       `json:"states,omitempty"`
	Values   scene.Readings `json:"values,omitempty"`
	At       *int           `json:"at,omitempty"`  // the object that it is in, on or at
	How      string         `json:"how,omitempty"` // the relation to that
	believed bool
}

// Relation relates two objects.
type Relation struct {
	Subject int    `json:"s"`
	Name    string `json:"r"`
	Object  int    `json:"o"`
}

// scenes turns beliefs into what changed from one to the next.
type scenes struct {
	trace     *engine.Trace
	all       []engine.Object
	objects   *[]Object
	index     map[string]int
	placed    map[int]Placed
	seen      []int
	relations []Relation
	started   bool
}

func newScenes(t *engine.Trace, objects *[]Object) *scenes {
	s := &scenes{trace: t, objects: objects, index: map[string]int{}, placed: map[int]Placed{}}
	*objects = []Object{}
	for i := range t.Objects.Items {
		if x := engine.Object(i); x != t.Gripper {
			s.all = append(s.all, x)
		}
	}
	return s
}

// object is the index of an object.
func (s *scenes) object(name string) int {
	i, known := s.index[name]
	if !known {
		i = len(*s.objects)
		s.index[name] = i
		*s.objects = append(*s.objects, Object{ID: name})
	}
	return i
}

// next is what changed after a step, with the names of what was in sight.
func (s *scenes) next(step int32, names []string) Scene {
	out := Scene{}
	g := engine.SceneOf(s.trace.StateAt(step), s.trace, s.all)
	sight := s.inSight(names)
	now := s.believed(g, sight)
	for i := range *s.objects {
		p, is := now[i]
		before, was := s.placed[i]
		switch {
		case is && !(was && p.same(before)):
			out.Changed = append(out.Changed, p)
		case was && !is:
			out.Gone = append(out.Gone, i)
		}
	}
	s.placed = now
	if !s.started && len(sight) > 0 || s.started && !slices.Equal(sight, s.seen) {
		out.Seen = &[]int{}
		*out.Seen = append(*out.Seen, sight...)
	}
	relations := s.related(g)
	if !s.started && len(relations) > 0 || s.started && !slices.Equal(relations, s.relations) {
		out.Relations = &[]Relation{}
		*out.Relations = append(*out.Relations, relations...)
	}
	s.seen, s.relations, s.started = sight, relations, true
	return out
}

// inSight are the objects of some names, sorted. The gripper is seen where the robot is.
func (s *scenes) inSight(names []string) []int {
	var out []int
	for _, name := range names {
		if x, known := s.trace.Objects.Lookup(name); known && x != s.trace.Gripper {
			out = append(out, s.object(s.trace.Objects.Name(x)))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// believed gives by index the objects of which anything is believed, those that others are
// in, and those in sight.
func (s *scenes) believed(g *scene.Graph, sight []int) map[int]Placed {
	out := map[int]Placed{}
	for _, n := range g.Nodes {
		i := s.object(n.ID)
		(*s.objects)[i] = Object{n.ID, n.Class, n.Properties}
		_, visible := slices.BinarySearch(sight, i)
		out[i] = Placed{Object: i, States: n.States, Values: n.Values, believed: visible || len(n.States)+len(n.Values) > 0}
	}
	for _, e := range g.Edges {
		from, to := out[s.object(e.Subject)], s.object(e.Object)
		host := out[to]
		from.believed, host.believed = true, true
		if e.Place {
			from.At, from.How = &to, e.Name()
		}
		out[from.Object], out[to] = from, host
	}
	for i, p := range out {
		if !p.believed && !s.everSeen(i) {
			delete(out, i)
		}
	}
	return out
}

// everSeen reports whether an object was in the scene before: that nothing is believed of it
// now does not mean that it is not there.
func (s *scenes) everSeen(i int) bool {
	_, was := s.placed[i]
	return was || (*s.objects)[i].ID == s.trace.Objects.Name(s.trace.Robot)
}

func (p Placed) same(q Placed) bool {
	at := func(p Placed) int {
		if p.At == nil {
			return -1
		}
		return *p.At
	}
	return slices.Equal(p.States, q.States) && slices.Equal(p.Values, q.Values) && at(p) == at(q) && p.How == q.How
}

func (s *scenes) related(g *scene.Graph) []Relation {
	var out []Relation
	for _, e := range g.Edges {
		if !e.Place {
			out = append(out, Relation{s.object(e.Subject), e.Name(), s.object(e.Object)})
		}
	}
	return out
}
