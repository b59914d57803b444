package recovery

import (
	"context"
	"slices"

	"github.com/mishap-robotics/mishap/engine/dependency"
	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// model is the action model over the objects of one episode, with what a plan may
// not do.
type model struct {
	ctx     context.Context
	onto    *ontology.Ontology
	objects *state.Objects
	trace   *belief.Trace
	move    *ontology.Action // takes the robot to an object
	// prepares are the state-preparation actions (SDA-Planner, section 4.2).
	prepares map[*ontology.Action]bool
	look     *ontology.Action // changes nothing
	exempt   []string         // names of norms that do not apply
	// anywhere is true where the robot reaches everything wherever it stands.
	anywhere bool
	usable   []state.Object // what actions can be done to
	aside    []state.Object // what things can be put aside on
	wanted   []literal      // what the goal asks for, of the objects chosen for it
	// beside are the objects that were seen from where the robot stood when it had gone to
	// another, with where they were then.
	beside map[[2]state.Object]state.Object
	// barring is what a violated constraint has left behind, and must not stay.
	barring []literal
	because string // of the constraint
	// forbidden are calls that would bring about a failure, as rules have found, with
	// what it would be.
	forbidden map[string]string
	hazardous ontology.TermID
	spent     int            // actions simulated so far
	effort    int            // how many may be
	known     state.Object   // objects from it on are only imagined
	fixtures  []state.Object // that nobody has seen
	supposed  []state.Object // whose place is only supposed
	shift     int            // turns the order of alternatives, for samples of plans
	kept      map[string][]state.Object
}

func newModel(ctx context.Context, p *Problem, effort int) *model {
	t := p.Trace
	m := &model{ctx: ctx, onto: t.Objects.Onto, objects: t.Objects, trace: t, anywhere: p.Anywhere, effort: effort,
		forbidden: map[string]string{}, prepares: map[*ontology.Action]bool{}, kept: map[string][]state.Object{}}
	m.supposed = p.Supposed
	if t.Task != nil {
		m.exempt = t.Task.Exempt
	}
	for _, a := range m.onto.Actions {
		if m.prepares[a] = dependency.Preparation(m.onto, a); m.prepares[a] && m.move == nil {
			m.move = a
		}
		if len(a.Effects) == 0 && m.look == nil {
			m.look = a
		}
	}
	m.hazardous, _ = m.onto.Lookup("hazardous_when_on")
	m.recallViews()
	m.known = state.Object(len(m.objects.Items))
	m.imagineFixtures(p.State)
	m.foreseePieces(p.State)
	if p.Failure != nil {
		for _, u := range p.Failure.Undo {
			l := literal{x: u.Fluent.Obj, pred: m.onto.Core.State, y: state.TermRef(u.Value.Term)}
			if u.Value.At != state.Nothing {
				l.pred, l.y = m.onto.Core.Within, state.ObjectRef(u.Value.At)
			}
			m.barring, m.because = append(m.barring, l), p.Failure.Explanation
		}
	}
	for i := range m.objects.Items {
		x := state.Object(i)
		class := m.objects.Class(x)
		if class == ontology.None || m.onto.HasType(class, m.onto.Core.ObjectGroup) || !m.objects.IsA(x, m.onto.Core.PhysicalObject) || m.objects.IsA(x, m.onto.Core.RobotGripper) {
			continue
		}
		m.usable = append(m.usable, x)
		if m.broad(x) && !m.objects.IsA(x, m.onto.Core.Floor) {
			m.aside = append(m.aside, x)
		}
	}
	slices.SortStableFunc(m.aside, func(a, b state.Object) int { return m.asideRank(a) - m.asideRank(b) })
	return m
}

// asideRank puts what there is in any scene first.
func (m *model) asideRank(x state.Object) int {
	if text, _ := m.onto.Text(m.objects.Class(x), "inAnyScene"); text == "true" {
		return 0
	}
	return 1
}

// imagineFixtures adds what there is in most scenes and nobody has seen.
func (m *model) imagineFixtures(s *state.State) {
	for _, c := range m.onto.Subclasses(m.onto.Core.PhysicalObject) {
		if text, _ := m.onto.Text(c, "inMostScenes"); text != "true" || len(m.objects.OfClass(c)) > 0 {
			continue
		}
		x := m.objects.Fresh(c)
		m.fixtures = append(m.fixtures, x)
		for _, st := range slices.Backward(m.onto.Values(c, "defaultState")) {
			s.SetState(x, st, state.Assumed, 0)
		}
	}
}

// foreseePieces adds what can be cut or cracked from things, so that all that is
// imagined speaks of the same pieces.
func (m *model) foreseePieces(s *state.State) {
	for x := range state.Object(len(m.objects.Items)) {
		if m.objects.Class(x) == ontology.None || s.Gone(x) {
			continue
		}
		for _, form := range m.onto.Values(m.objects.Class(x), "form") {
			if len(m.objects.Pieces(x, form)) == 0 {
				piece := m.objects.Fresh(form)
				m.objects.Items[piece].Origin = x
				s.Remove(piece, 0)
			}
		}
	}
}

// broad reports whether things on a surface may be out of reach of one another.
func (m *model) broad(x state.Object) bool {
	class := m.objects.Class(x)
	if class == ontology.None {
		return false
	}
	receptacle, _ := m.onto.Lookup("receptacle")
	selective, _ := m.onto.Lookup("selective")
	pickupable, _ := m.onto.Lookup("pickupable")
	if _, limited := m.onto.Capacity(class); limited || !m.objects.HasProperty(x, receptacle) || m.objects.HasProperty(x, selective) || m.objects.HasProperty(x, pickupable) {
		return false
	}
	put, ok := m.onto.Action("put_in")
	return ok && m.onto.Preferred(put, class) != put
}

// moment is a state of the scene while a plan is imagined.
type moment struct {
	s *state.State
	// strict is true where the robot has gone elsewhere than the plan had it, so
	// that what it reaches has to be known.
	strict bool
	// moved are the objects that were put elsewhere than the plan had them.
	moved []state.Object
	// looked are the places that were looked into for something only supposed there.
	looked []state.Object
}

func (m *model) clone(mo *moment) *moment {
	return &moment{mo.s.Clone(), mo.strict, slices.Clip(mo.moved), slices.Clip(mo.looked)}
}

// note keeps in mind what an action of a plan moves elsewhere than planned, and
// whether the robot is where the plan had it.
func (m *model) note(mo *moment, c state.Call, from StepOrigin) {
	if m.prepares[c.Schema] {
		mo.strict = from != FromPlan || m.elsewhere(mo, c.Target)
		return
	}
	if x := c.Target; x != state.Nothing && (from != FromPlan || mo.strict) && mo.s.Place(x).Status != state.Unknown && !slices.Contains(mo.moved, x) && m.movable(x) {
		mo.moved = append(mo.moved, x)
	}
}

// far lists what an action needs the robot to be near and it is not known to be. An
// action of the plan is taken to be done where the plan had the robot, unless that
// has changed.
func (m *model) far(mo *moment, c state.Call, from StepOrigin) []state.Object {
	out := m.tooFar(mo.s, c)
	if from == FromSupply || from == FromAdvice || m.strictly(mo) || len(out) == 0 {
		return out
	}
	return slices.DeleteFunc(out, func(x state.Object) bool { return !m.elsewhere(mo, x) })
}

// elsewhere reports whether an object, what it was cut from, or what it lies in was put
// elsewhere than the plan had it.
func (m *model) elsewhere(mo *moment, x state.Object) bool {
	for range len(m.objects.Items) {
		if x == state.Nothing {
			return false
		}
		if whole := m.objects.Items[x].Origin; slices.Contains(mo.moved, x) || whole != state.Nothing && slices.Contains(mo.moved, whole) {
			return true
		}
		x = mo.s.Place(x).At
	}
	return false
}

func (m *model) query(s *state.State) state.Query {
	return state.Query{State: s, Agent: m.trace.Robot, Gripper: m.trace.Gripper}
}

func (m *model) call(schema *ontology.Action, target, destination state.Object) state.Call {
	return state.Call{Schema: schema, Agent: m.trace.Robot, Gripper: m.trace.Gripper, Target: target, Destination: destination}
}

// exhausted reports whether the search has used up what it may.
func (m *model) exhausted() bool { return m.spent >= m.effort || m.ctx.Err() != nil }

// perform carries out an action whether or not its preconditions hold.
func (m *model) perform(mo *moment, c state.Call) []state.Change {
	m.spent++
	s := mo.s
	s.Run(state.Predicted, imagined)
	before := s.Place(c.Target)
	changes := s.Apply(c, state.Predicted, imagined)
	s.Run(state.Predicted, imagined)
	if at := s.Anchor(m.trace.Robot); at != state.Nothing && at == c.Target && s.Place(at).At == m.trace.Gripper {
		s.SetAnchor(m.trace.Robot, before.At) // it has taken up what it went to
	}
	return changes
}

// imagined is the step of what is imagined.
const imagined = 1 << 30

// reaches reports whether the robot is known to be within reach of an object.
func (m *model) reaches(s *state.State, x state.Object) bool {
	if m.anywhere || m.within(s, x, m.trace.Gripper) || m.nearTo(s, x) {
		return true
	}
	at := s.Anchor(m.trace.Robot)
	if at == state.Nothing {
		return false
	}
	if p := s.Place(at); p.Status == state.Assumed && slices.Contains(m.supposed, at) {
		return at == x // where that is, nobody knows
	}
	return at == x || m.within(s, x, at) && !m.broad(at) || m.within(s, at, x) || m.seenBeside(s, at, x)
}

// recallViews keeps in mind what was seen from where.
func (m *model) recallViews() {
	m.beside = map[[2]state.Object]state.Object{}
	if m.trace.Episode.Noise > 0 {
		return
	}
	everything := map[int32]bool{} // that lists all there is, wherever it is
	for i := range m.trace.Episode.Steps {
		st := &m.trace.Episode.Steps[i]
		everything[int32(st.Index)] = st.Observation.Complete
	}
	at := state.Nothing
	for i := range m.trace.Events {
		e := &m.trace.Events[i]
		if e.ToCome || e.Call.Agent != m.trace.Robot {
			break
		}
		if m.onto.IsNavigation(e.Call.Schema) && e.First == e.Step {
			if at = e.Call.Target; e.Outcome >= belief.Refused || !slices.Contains(e.Seen, at) {
				at = state.Nothing
			}
		}
		if at == state.Nothing || everything[e.Step] {
			continue
		}
		for _, x := range e.Seen {
			m.beside[[2]state.Object{at, x}] = m.trace.At(state.Fluent{Obj: x, Slot: state.PlaceSlot}, e.Step).At
		}
	}
}

// seenBeside reports whether an object was seen from beside another, and neither has
// been moved since.
func (m *model) seenBeside(s *state.State, at, x state.Object) bool {
	place, seen := m.beside[[2]state.Object{at, x}]
	own, known := m.beside[[2]state.Object{at, at}]
	return seen && known && s.Place(x).At == place && s.Place(at).At == own && !s.Gone(x)
}

// nearTo reports whether the robot was observed near an object, or near what that
// lies in.
func (m *model) nearTo(s *state.State, x state.Object) bool {
	for range len(m.objects.Items) {
		if s.HasEdge(m.trace.Robot, m.onto.Core.Near, x) {
			return true
		}
		at := s.Place(x).At
		if at == state.Nothing || m.broad(at) {
			return false
		}
		x = at
	}
	return false
}

// within reports whether an object lies in or on another, or is it.
func (m *model) within(s *state.State, x, container state.Object) bool {
	for range len(m.objects.Items) + 1 {
		if x == container {
			return true
		}
		if x = s.Place(x).At; x == state.Nothing {
			return false
		}
	}
	return false
}

// tooFar lists what an action needs the robot to be near and it is not known to be.
func (m *model) tooFar(s *state.State, c state.Call) []state.Object {
	var out []state.Object
	for i := range c.Schema.Preconditions {
		for _, p := range c.Schema.Preconditions[i].Requires {
			if p.Predicate != m.onto.Core.Near || !p.Object.IsVar() {
				continue
			}
			if x := c.Binding()[p.Object.Var].Object(); x != state.Nothing && !m.reaches(s, x) {
				out = append(out, x)
			}
		}
	}
	return out
}

// violations lists what stands against an action: preconditions, norms, and
// what rules have found to be a failure. Reach is judged apart.
func (m *model) violations(s *state.State, c state.Call) []state.Violation {
	m.spent++
	for _, x := range []state.Object{c.Target, c.Destination} {
		if x != state.Nothing && m.objects.Class(x) != ontology.None && m.onto.HasType(m.objects.Class(x), m.onto.Core.ObjectGroup) {
			return []state.Violation{{Name: vagueName, Comment: "it is not clear which " + m.objects.Name(x) + " is meant", Culprit: x}}
		}
	}
	out := s.UnmetPreconditions(c)
	for _, v := range s.ViolatedNorms(c) {
		if !slices.Contains(m.exempt, v.Name) {
			out = append(out, v)
		}
	}
	if len(m.forbidden) > 0 {
		if why, ok := m.forbidden[m.objects.CallText(c)]; ok {
			out = append(out, state.Violation{Name: forbiddenName, Comment: why, Culprit: state.Nothing})
		}
	}
	return out
}

const (
	forbiddenName = "forbidden"
	vagueName     = "vague"
)

// idle reports whether all that an action brings about is so already.
func (m *model) idle(s *state.State, c state.Call) bool {
	if c.Schema.Conditional() || len(c.Schema.Effects) == 0 || s.Gone(c.Target) {
		return false
	}
	m.spent++
	return state.Idle(s.Clone().Apply(c, state.Predicted, imagined))
}

func (m *model) strictly(mo *moment) bool { return mo.strict && !m.anywhere }

// go to makes the robot move to an object.
func (m *model) goTo(mo *moment, x state.Object) (PlanStep, bool) {
	if m.move == nil {
		return PlanStep{}, false
	}
	c := m.call(m.move, x, state.Nothing)
	m.perform(mo, c)
	mo.strict = true
	return PlanStep{Call: c, From: FromSupply}, true
}

// leftOn lists devices that are on, must not be left so, and that the goal does not
// ask to be on.
func (m *model) leftOn(s *state.State) []state.Object {
	on, ok := m.onto.Lookup("on")
	if !ok {
		return nil
	}
	var out []state.Object
	for _, x := range m.usable {
		if m.objects.HasProperty(x, m.hazardous) && s.Get(state.Fluent{Obj: x, Slot: s.SlotOf(on)}).Term == on && !m.wants(x, on) {
			out = append(out, x)
		}
	}
	return out
}

// wants reports whether the goal asks for a state of an object.
func (m *model) wants(x state.Object, st ontology.TermID) bool {
	return slices.ContainsFunc(m.wanted, func(l literal) bool {
		return l.x == x && l.pred == m.onto.Core.State && m.onto.StateIs(l.y.Term(), st) > 0
	})
}
