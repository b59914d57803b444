package ontology

import (
	"slices"
	"strconv"
)

// Zone is where a robot stands in a simulated kitchen.
type Zone struct {
	Name     string
	Fixtures []string // names of instances
	Start    bool     // the robot starts here
}

// InjectionKind is what an injection does to a run.
type InjectionKind string

// The kinds of injections.
const (
	InjectDrop     InjectionKind = "drop"     // something falls from the gripper
	InjectFail     InjectionKind = "fail"     // the action has no effect
	InjectMistake  InjectionKind = "mistake"  // another object is taken for the one named
	InjectChange   InjectionKind = "change"   // somebody else changes the scene
	InjectDelete   InjectionKind = "delete"   // the plan lacks the action
	InjectMove     InjectionKind = "move"     // the plan has the action later
	InjectReplace  InjectionKind = "replace"  // the plan names another class
	InjectInsert   InjectionKind = "insert"   // the plan has another action on its target after the action
	InjectTruncate InjectionKind = "truncate" // the plan ends before the action
	InjectDislike  InjectionKind = "dislike"  // a person will not have the target
)

var injectionKinds = []InjectionKind{InjectDrop, InjectFail, InjectMistake, InjectChange, InjectDelete, InjectMove, InjectReplace, InjectInsert, InjectTruncate, InjectDislike}

// Injection is a way to make a simulated run fail.
type Injection struct {
	Term    TermID
	Name    string
	Injects TermID   // the failure class
	Also    []TermID // classes under which it may be found as well
	Kind    InjectionKind
	Actions []string // action names; any where empty
	Vars    []string // as of an action: ?agent ?gripper ?target ?destination, then the rest
	When    []Pattern
	Unless  [][]Pattern
	Subject string // a variable
	// Brings are classes of which one has a further object, ?other; Lookalike is
	// a variable whose object it looks like instead.
	Brings    []TermID
	Lookalike string
	Change    []string // facts with variables
	Moment    string   // start or action
	AtStart   bool     // the change holds from the start, else from just before the action
	Onto      TermID   // class of what a dropped object falls onto
	With      TermID
	Inserts   TermID // class of the action that is put into the plan
	Diet      string
	Refused   string // "true" where an action must be refused, "false" where none may be
	// Norms are the norms that it goes against; where a task is exempt from one
	// it is no failure.
	Norms []string
	// MissesGoal is true where the goal must be missed for it.
	MissesGoal bool
	ShownAt    string // action, refusal or end
	CausedAt   string // action, refusal, end, window or switch
	Pos        Pos
}

// Scenario is a task in a kitchen with a scene and a plan, for simulation.
type Scenario struct {
	Term    TermID
	Name    string
	Suite   string
	Task    TermID
	Scene   []string // facts: "Mug dirty", "Apple inside Pot"
	Latent  []string // facts that hold and do not show at once
	Plan    []string // "(pick_up, Mug)"
	Expects []ExpectedFailure
	Pos     Pos
}

// ExpectedFailure is a failure that a scenario's plan or scene brings about.
type ExpectedFailure struct {
	Failure     TermID
	Step, Cause int // 0 where not stated
	Window      []int
}

func (r modelReader) readZone(id TermID) {
	z := &Zone{Name: r.o.Terms[id].Label(), Fixtures: r.strings(r.subject(id), "fixtures"), Start: first(r.texts(id, "startZone")) == "true"}
	if len(z.Fixtures) == 0 {
		r.problem(r.o.Terms[id].Pos, false, "zone %s has no m:fixtures", r.o.Name(id))
	}
	r.o.Zones = append(r.o.Zones, z)
}

// strings reads the value of a property that is a list of texts.
func (r modelReader) strings(s node, property string) []string {
	var out []string
	for _, n := range r.objects(s, property) {
		for _, item := range r.list(n) {
			out = append(out, item.value)
		}
	}
	return out
}

func (r modelReader) termValue(s node, property string) TermID {
	for _, n := range r.objects(s, property) {
		return r.idOf(n)
	}
	return None
}

func (r modelReader) readInjection(id TermID) {
	s := r.subject(id)
	sc := &scope{vars: []string{"?agent", "?gripper", "?target", "?destination", "?other"}}
	in := &Injection{
		Term: id, Name: r.o.Name(id), Injects: r.termValue(s, "injects"), Kind: InjectionKind(first(r.texts(id, "event"))),
		Actions: r.texts(id, "befalls"), When: r.patterns(s, "when", sc), Unless: r.alternatives(s, "unless", sc),
		Subject: first(r.texts(id, "subject")), Lookalike: first(r.texts(id, "lookalike")), Change: r.strings(s, "change"),
		Moment: first(r.texts(id, "moment")), AtStart: first(r.texts(id, "moment")) != "action", Onto: r.termValue(s, "onto"), With: r.termValue(s, "with"), Inserts: r.termValue(s, "inserts"),
		Diet: first(r.texts(id, "diet")), Norms: r.texts(id, "breaches"), Refused: first(r.texts(id, "refused")), MissesGoal: first(r.texts(id, "missesGoal")) == "true", ShownAt: first(r.texts(id, "shownAt")),
		CausedAt: first(r.texts(id, "causedAt")), Pos: r.o.Terms[id].Pos,
	}
	for _, n := range r.objects(s, "also") {
		in.Also = append(in.Also, r.idOf(n))
	}
	for _, n := range r.objects(s, "brings") {
		in.Brings = append(in.Brings, r.idOf(n))
	}
	in.Vars = sc.vars
	r.checkInjection(in)
	r.o.Injections = append(r.o.Injections, in)
}

func (r modelReader) checkInjection(in *Injection) {
	if in.Injects == None {
		r.problem(in.Pos, false, "injection %s has no m:injects with a failure class", in.Name)
	}
	if !slices.Contains(injectionKinds, in.Kind) {
		r.problem(in.Pos, false, "injection %s: event %q; expected one of %v", in.Name, in.Kind, injectionKinds)
	}
	for _, v := range []string{in.Subject, in.Lookalike} {
		if v != "" && !slices.Contains(in.Vars, v) {
			r.problem(in.Pos, false, "injection %s: nothing binds %s; name it in m:when", in.Name, v)
		}
	}
	for _, name := range in.Actions {
		if _, ok := r.o.Action(name); !ok {
			r.problem(in.Pos, false, "injection %s befalls %q, which is no action", in.Name, name)
		}
	}
	for property, lacks := range map[string]bool{
		"m:with": in.Kind == InjectReplace && in.With == None, "m:inserts": in.Kind == InjectInsert && in.Inserts == None, "m:change": in.Kind == InjectChange && len(in.Change) == 0,
		"m:subject":               (in.Kind == InjectReplace || in.Kind == InjectDrop) && in.Subject == "",
		"m:brings or m:lookalike": in.Kind == InjectMistake && in.Lookalike == "" && len(in.Brings) == 0,
	} {
		if lacks {
			r.problem(in.Pos, false, "injection %s: the event %s needs %s", in.Name, in.Kind, property)
		}
	}
	for property, w := range map[string]struct {
		value  string
		values []string
	}{
		"moment":   {in.Moment, []string{"", "start", "action"}},
		"shownAt":  {in.ShownAt, []string{"", "action", "refusal", "end"}},
		"causedAt": {in.CausedAt, []string{"", "action", "refusal", "end", "window", "switch"}},
	} {
		if !slices.Contains(w.values, w.value) {
			r.problem(in.Pos, false, "injection %s: %s %q; expected one of %v", in.Name, property, w.value, w.values[1:])
		}
	}
}

func (r modelReader) readScenario(id TermID) {
	s := r.subject(id)
	sc := &Scenario{Term: id, Name: r.o.Name(id), Suite: first(r.texts(id, "suite")), Task: r.termValue(s, "task"),
		Scene: r.strings(s, "scene"), Latent: r.strings(s, "latent"), Plan: r.strings(s, "plan"), Pos: r.o.Terms[id].Pos}
	if len(sc.Plan) == 0 {
		r.problem(sc.Pos, false, "scenario %s has no m:plan", sc.Name)
	}
	for _, n := range r.objects(s, "expects") {
		e := ExpectedFailure{Failure: r.termValue(n, "failure"), Step: r.number(n, "atStep"), Cause: r.number(n, "causeStep")}
		for _, text := range r.strings(n, "causeWindow") {
			step, _ := strconv.Atoi(text)
			e.Window = append(e.Window, step)
		}
		if len(e.Window) != 0 && len(e.Window) != 2 {
			r.problem(sc.Pos, false, "scenario %s: m:causeWindow has %d steps; expected the first and the last", sc.Name, len(e.Window))
		}
		sc.Expects = append(sc.Expects, e)
	}
	r.o.Scenarios = append(r.o.Scenarios, sc)
}

func (r modelReader) number(s node, property string) int {
	for _, n := range r.objects(s, property) {
		k, _ := strconv.Atoi(n.value)
		return k
	}
	return 0
}

// Scenario finds a scenario by name or label.
func (o *Ontology) Scenario(name string) (*Scenario, bool) {
	want := normalizeLabel(name)
	for _, sc := range o.Scenarios {
		if sc.Name == name || normalizeLabel(sc.Name) == want || slices.ContainsFunc(o.Terms[sc.Term].Labels, func(l string) bool { return normalizeLabel(l) == want }) {
			return sc, true
		}
	}
	return nil, false
}

// SimulationRoles is what the simulation must know of an ontology; None where nothing
// plays a role.
type SimulationRoles struct {
	Falling    TermID   // the state of what is on its way down
	Linked     TermID   // the relation to what something switches or unlocks
	Soiled     TermID   // the state of what somebody has soiled
	Soilable   TermID   // the property of what can be soiled
	Shattering []TermID // materials whose pieces are a danger
	Dishes     []TermID // classes of what food is served in
}

// bindSimulation finds the terms that the simulation's roles are played by, where its
// documents are loaded.
func (b *builder) bindSimulation() {
	o := b.o
	s := &o.Simulation
	*s = SimulationRoles{Falling: None, Linked: None, Soiled: None, Soilable: None}
	for _, role := range []struct {
		name string
		term *TermID
	}{{"fallingState", &s.Falling}, {"switchingRelation", &s.Linked}, {"soiledState", &s.Soiled}, {"soilableProperty", &s.Soilable}} {
		if _, declared := b.ids[Namespace+role.name]; declared {
			*role.term = b.player(role.name)
		}
	}
	for i := range o.Terms {
		if o.says(TermID(i), "shatters") && !o.Terms[i].IsClass {
			s.Shattering = append(s.Shattering, TermID(i))
		}
		if slices.ContainsFunc(o.values[i], func(v value) bool { return o.Name(v.property) == "servesFood" && v.text == "true" }) {
			s.Dishes = append(s.Dishes, TermID(i))
		}
	}
}

// UsualPlaces are the classes of where instances of a class are before anything
// happens in the simulation.
func (o *Ontology) UsualPlaces(class TermID) []TermID { return o.terms(class, "usualPlace") }

// Lookalikes are the classes that an instance of a class is easily taken for.
func (o *Ontology) Lookalikes(class TermID) []TermID { return o.terms(class, "looksLike") }

// PieceCount is how many pieces slicing leaves of an instance of a class.
func (o *Ontology) PieceCount(class TermID) int {
	text, _ := o.text(class, "slices")
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	return 1
}

// Selection is a list of terms in an order that counts, as a benchmark goes through
// them; nil where the ontology has none of that name.
func (o *Ontology) Selection(name string) []TermID { return o.selections[name] }
