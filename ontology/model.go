package ontology

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// modelReader reads what terms say of how the world goes: patterns, and what is made of
// them.
type modelReader struct{ *builder }

// readModel reads actions, processes, tasks, failures, strategies, ordinals
// and the diets of people.
func (r modelReader) readModel() {
	o := r.o
	for i := range o.Terms {
		id := TermID(i)
		t := &o.Terms[i]
		if verbs := r.texts(id, "neededTo"); len(verbs) > 0 {
			o.needing[id] = verbs
		}
		for _, verb := range r.texts(id, "orderedBy") {
			o.orderedBy[verb] = id
		}
		switch {
		case t.IsClass && o.IsA(id, o.Core.Action):
			r.readAction(id)
		case t.IsClass && o.IsA(id, o.Core.Failure):
			o.explained[id] = r.texts(id, "explanation")
			o.forewarned[id] = r.texts(id, "forewarning")
			r.readAftermath(id)
		case t.IsClass && o.IsA(id, o.Core.Sound):
			r.readAftermath(id)
		case r.isa(id, "GoalNorm"):
			r.readGoalNorm(id)
		case r.isa(id, "Contact"):
			r.readContact(id)
		case t.IsClass && o.IsA(id, o.Core.RobotGripper):
			if ids := o.terms(id, "otherHand"); len(ids) > 0 {
				o.otherHand[id] = ids[0]
			}
		case t.IsClass && o.IsA(id, o.Core.Human):
			o.avoided[id] = o.terms(id, "avoids")
		case r.isa(id, "Process"):
			r.readProcess(id)
		case r.isa(id, "Task"):
			r.readTask(id)
		case r.isa(id, "RecoveryStrategy"):
			r.readStrategy(id)
		case r.isa(id, "Selection"):
			for _, n := range r.objects(r.subject(id), "members") {
				for _, item := range r.list(n) {
					o.selections[t.Name] = append(o.selections[t.Name], r.idOf(item))
				}
			}
		case r.isa(id, "Zone"):
			r.readZone(id)
		case r.isa(id, "Injection"):
			r.readInjection(id)
		case r.isa(id, "Scenario"):
			r.readScenario(id)
		case r.isa(id, "Ordinal"):
			r.readNumber(id, o.ordinals)
		case r.isa(id, "Cardinal"):
			r.readNumber(id, o.cardinals)
		case r.isa(id, "TimeUnit"):
			r.readNumber(id, o.timeUnits)
		case r.isa(id, "FunctionWords"):
			r.readWords(id)
		}
	}
	sort.SliceStable(o.Strategies, func(i, j int) bool { return o.Strategies[i].Order < o.Strategies[j].Order })
}

func (b *builder) isa(id TermID, class string) bool {
	c, met := b.classes[class]
	if !met {
		c = b.idOf(node{iriNode, Namespace + class})
		b.classes[class] = c
	}
	return b.o.HasType(id, c)
}

func (b *builder) subject(id TermID) node { return node{iriNode, b.o.Terms[id].IRI} }

func (b *builder) texts(id TermID, property string) []string {
	var out []string
	for _, n := range b.objects(b.subject(id), property) {
		out = append(out, n.value)
	}
	return out
}

func first(s []string) string {
	if len(s) == 0 {
		return ""
	}
	return s[0]
}

// scope numbers the variables of one action, process, goal or strategy.
type scope struct {
	vars  []string
	alias map[string]int // other names of variables
}

func (s *scope) index(name string) int {
	if i := slices.Index(s.vars, name); i >= 0 {
		return i
	}
	if i, ok := s.alias[name]; ok {
		return i
	}
	s.vars = append(s.vars, name)
	return len(s.vars) - 1
}

// patterns reads the value of a property that is a list of three-part lists.
func (r modelReader) patterns(s node, property string, sc *scope) []Pattern {
	return slices.Concat(r.alternatives(s, property, sc)...)
}

// alternatives reads the same, with each value of the property apart.
func (r modelReader) alternatives(s node, property string, sc *scope) [][]Pattern {
	var out [][]Pattern
	for _, n := range r.objects(s, property) {
		var list []Pattern
		for _, item := range r.list(n) {
			for _, p := range r.pattern(item, s, sc) {
				if r.fitsPlace(&p, property) {
					list = append(list, p)
				}
			}
		}
		if len(list) > 0 {
			out = append(out, list)
		}
	}
	return out
}

// pattern reads a list of three parts, which of a quantity may be several patterns; so is one
// of more parts, whose tuple those after the first tell.
func (r modelReader) pattern(item, owner node, sc *scope) []Pattern {
	parts := r.list(item)
	pos := r.posOf(item, owner)
	if most := 2 + len(r.o.Core.TupleParts); len(parts) < 3 || len(parts) > most {
		r.problem(pos, false, "a pattern has %d parts; expected ( subject predicate object ), or with a relation of more things up to %d", len(parts), most)
		return nil
	}
	p := Pattern{Predicate: r.idOf(parts[1]), Pos: pos}
	if p.Predicate == None {
		r.told[parts[1].value] = true
		r.problem(pos, false, "unknown predicate %s in a pattern%s", localName(parts[1].value), r.hint(parts[1].value))
		return nil
	}
	q := r.o.Quantity(p.Predicate)
	if p.Subject = (Arg{Var: -1, Term: None}); q == nil || parts[0].value != ofAction {
		p.Subject = r.arg(parts[0], sc, pos)
	}
	switch {
	case len(parts) > 3:
		return r.ofTuple(p, parts[2:], sc)
	case q == nil:
		p.Object = r.arg(parts[2], sc, pos)
		return []Pattern{p}
	}
	var out []Pattern
	p.Object = Arg{Var: -1, Term: None}
	for _, m := range r.measures(parts[2], sc, pos, q) {
		m.SubjectIsAction = parts[0].value == ofAction
		p.Measure = m
		out = append(out, p)
	}
	return out
}

func (b *builder) posOf(n, fallback node) Pos {
	for _, s := range []node{n, fallback} {
		if of := b.bySubj[s]; of != nil {
			return b.triples[of.first].pos
		}
	}
	return Pos{}
}

func (r modelReader) arg(n node, sc *scope, pos Pos) Arg {
	switch {
	case n.kind == literalNode && strings.HasPrefix(n.value, "?"):
		return Arg{Var: sc.index(n.value), Term: None}
	case n.kind == literalNode && strings.HasPrefix(n.value, "$"):
		return Arg{Var: -1, Term: None, Param: n.value[1:]}
	case n.kind == literalNode:
		r.problem(pos, false, "%q in a pattern is neither a term nor a variable; expected \"?name\" or a declared term", n.value)
	}
	id := r.idOf(n)
	if id == None && n.kind == iriNode {
		r.told[n.value] = true
		r.problem(pos, false, "unknown term %s in a pattern%s", localName(n.value), r.hint(n.value))
	}
	return Arg{Var: -1, Term: id}
}

func (r modelReader) condition(n node, sc *scope) Condition {
	c := Condition{
		When: r.patterns(n, "when", sc), Unless: r.alternatives(n, "unless", sc),
		Requires: r.patterns(n, "requires", sc), Any: r.alternatives(n, "requiresAny", sc), Forbids: r.patterns(n, "forbids", sc),
		Pos: r.posOf(n, n),
	}
	for _, about := range r.objects(n, "about") {
		c.Told = true
		for _, item := range r.list(about) {
			c.About = append(c.About, r.arg(item, sc, c.Pos))
		}
	}
	if len(c.About) > MaxAbout {
		r.problem(c.Pos, false, "m:about names %d things; expected at most %d", len(c.About), MaxAbout)
	}
	if names := r.objects(n, "conditionName"); len(names) > 0 {
		c.Name = names[0].value
	}
	if comment, ok := r.object(n, rdfsNS+"comment"); ok {
		c.Comment = comment.value
	}
	if c.Name == "" {
		r.problem(c.Pos, false, "a precondition or norm without m:conditionName; rules could not ask for it")
	}
	if len(c.Requires)+len(c.Any)+len(c.Forbids) == 0 && len(r.objects(n, "requires"))+len(r.objects(n, "requiresAny"))+len(r.objects(n, "forbids")) == 0 {
		r.problem(c.Pos, false, "condition %q says neither m:requires, m:requiresAny nor m:forbids", c.Name)
	}
	return c
}

// need is the precondition that one pattern is: named by the state, class or relation that it
// asks for, and about the things that it speaks of.
func (r modelReader) need(p Pattern, sc *scope) Condition {
	c := Condition{Requires: []Pattern{p}, Told: true, Pos: p.Pos}
	text := func(a Arg) string {
		if a.IsVar() {
			return sc.vars[a.Var]
		}
		return r.o.Name(a.Term)
	}
	for _, a := range p.Args() {
		if a.IsVar() && a.Var != VarAgent {
			c.About = append(c.About, a)
		}
	}
	switch {
	case p.Measure.Operator != NoOperator:
		c.Name, c.Comment = r.o.ConditionName(p.Predicate), fmt.Sprintf("%s of %s is not as it should be", r.o.Label(p.Predicate), text(p.Subject))
	case p.Object.IsVar():
		c.Name, c.Comment = r.o.ConditionName(p.Predicate), fmt.Sprintf("%s is not %s %s", text(p.Subject), r.o.Label(p.Predicate), text(p.Object))
	case p.Predicate == r.o.Core.State:
		c.Name, c.Comment = r.o.ConditionName(p.Object.Term), fmt.Sprintf("%s is not %s", text(p.Subject), r.o.Label(p.Object.Term))
	default:
		c.Name, c.Comment = r.o.Label(p.Object.Term), fmt.Sprintf("%s is no %s", text(p.Subject), r.o.Label(p.Object.Term))
	}
	return c
}

// readAction reads an action class with what it inherits from its superclasses.
func (r modelReader) readAction(id TermID) {
	names := r.texts(id, "actionName")
	name := first(names)
	if name == "" {
		return
	}
	a := &ActionSchema{Term: id, Name: name, OtherNames: names[1:], Synonyms: r.texts(id, "synonym"), Family: name, Phrases: r.texts(id, "phrase"), Patterns: r.texts(id, "pattern"), Cues: append(r.texts(id, "cue"), r.texts(id, "placeCue")...), PlaceCues: r.texts(id, "placeCue"),
		OtherCues: r.texts(id, "otherCue"), AlfredName: first(r.texts(id, "alfredName"))}
	sc := r.parameters(a)
	optional := 0
	for _, c := range r.o.order(id) {
		s := r.subject(c)
		optional += len(r.objects(s, "optionalParameter"))
		for _, n := range r.objects(s, "precondition") {
			a.Preconditions = append(a.Preconditions, r.condition(n, sc))
		}
		for _, n := range r.objects(s, "needs") {
			for _, item := range r.list(n) {
				a.Preconditions = append(a.Preconditions, r.needed(r.pattern(item, s, sc), sc)...)
			}
		}
		for _, n := range r.objects(s, "norm") {
			a.Norms = append(a.Norms, r.condition(n, sc))
		}
		for _, n := range r.objects(s, "effect") {
			a.Effects = append(a.Effects, r.effect(n, s, sc))
		}
		for _, n := range r.objects(s, "family") {
			a.Family = n.value
		}
		for _, n := range r.objects(s, "keepsHold") {
			a.KeepsHold = n.value == "true"
		}
		for _, n := range r.objects(s, "withTwoHands") {
			a.TwoHands = n.value == "true"
		}
		for _, n := range r.objects(s, "onlyTold") {
			a.OnlyTold = n.value == "true"
		}
		for _, n := range r.objects(s, "strict") {
			a.Strict = n.value == "true"
		}
		for _, n := range r.objects(s, "inOrder") {
			a.InOrder = n.value == "true"
		}
		for _, n := range r.objects(s, "irreversible") {
			a.Irreversible = n.value == "true"
		}
		for _, n := range r.objects(s, "duration") {
			d, ok := ParseDuration(n.value)
			if !ok || d <= 0 {
				r.problem(r.o.Terms[id].Pos, false, "m:duration of %s is %q; expected a duration such as PT30S", name, n.value)
			}
			a.Duration = d
		}
	}
	a.Required = max(0, a.Params-optional)
	for a.Required > 0 && a.Required == a.Params-optional && a.Parameters[a.Required-1].Value {
		a.Required, optional = a.Required-1, optional+1 // a log may tell it among the values of the step
	}
	a.Vars = sc.vars
	for _, name := range names {
		if other, taken := r.o.Action(name); taken && other.isNamed(name) {
			r.problem(r.o.Terms[id].Pos, false, "action name %s is taken by %s", name, r.o.Name(other.Term))
			return
		}
	}
	r.o.Actions = append(r.o.Actions, a)
}

// MaxAbout is how many things m:about names at most.
const MaxAbout = 4

// parameters reads the parameters of an action, its own or those of the nearest superclass
// that has some, and numbers its variables: the first and second parameter are the target and
// the destination, whatever they are called, and the further ones follow.
func (r modelReader) parameters(a *ActionSchema) *scope {
	for _, c := range r.o.order(a.Term) {
		for _, n := range r.objects(r.subject(c), "parameters") {
			if len(a.Parameters) > 0 {
				break
			}
			for _, item := range r.list(n) {
				a.Parameters = append(a.Parameters, r.parameter(item, r.posOf(n, r.subject(c)), a))
			}
		}
	}
	a.Params = len(a.Parameters)
	sc := &scope{vars: []string{"?agent", "?gripper"}, alias: map[string]int{}}
	for i, p := range a.Parameters {
		if i == 0 && p.Default != nil {
			r.problem(p.Pos, true, "m:default of parameter %s of %s is of no use, as plans are made with no action whose first parameter is a number; expected an object first", p.Name, r.o.Name(a.Term))
		}
		if slices.Contains(sc.vars, p.Name) {
			r.problem(p.Pos, false, "%s is a parameter of %s twice, or always bound; expected each name once", p.Name, r.o.Name(a.Term))
		}
		sc.vars = append(sc.vars, p.Name)
		if i < 2 {
			sc.alias[[]string{"?target", "?destination"}[i]] = VarTarget + i
		}
	}
	for i := a.Params; i < 2; i++ {
		sc.vars = append(sc.vars, []string{"?target", "?destination"}[i])
	}
	return sc
}

// parameter reads one parameter: the name of a variable, or a node that says more of it.
func (r modelReader) parameter(n node, pos Pos, a *ActionSchema) Parameter {
	p := Parameter{Name: n.value, Class: None, Pos: pos}
	if n.kind == blankNode {
		p.Pos = r.posOf(n, n)
		if name, ok := r.object(n, Namespace+"name"); ok {
			p.Name = name.value
		} else {
			r.problem(p.Pos, false, "a parameter of %s without m:name", r.o.Name(a.Term))
		}
		if class, ok := r.object(n, Namespace+"class"); ok {
			if p.Class = r.idOf(class); p.Class == None {
				r.problem(p.Pos, false, "parameter %s of %s is of the class %s, which is not declared%s", p.Name, r.o.Name(a.Term), localName(class.value), r.hint(class.value))
			}
		}
		if unit, ok := r.object(n, Namespace+"unit"); ok {
			p.Unit = unit.value
		}
		p.Value = !strings.HasPrefix(p.Name, "?")
	} else if n.kind != literalNode || !strings.HasPrefix(n.value, "?") {
		r.problem(pos, false, "%s is no parameter of %s; expected \"?name\", or [ m:name \"name\" ; m:unit \"unit\" ]", localName(n.value), r.o.Name(a.Term))
	}
	q := r.o.QuantityNamed(p.Name)
	if _, known := UnitOf(p.Unit); p.Unit != "" && !known {
		r.problem(p.Pos, false, "unknown unit %q of parameter %s of %s%s", p.Unit, p.Name, r.o.Name(a.Term), unitHint(p.Unit))
	} else if p.Value && q != nil && p.Unit != "" {
		if _, err := q.Read(0, p.Unit); err != nil {
			r.problem(p.Pos, false, "parameter %s of %s is %s", p.Name, r.o.Name(a.Term), err)
		}
	}
	if p.Value && q == nil && p.Unit != "" {
		r.problem(p.Pos, false, "parameter %s of %s is a number, and there is no quantity of that name; expected m:%s a m:Quantity ; m:unit %q", p.Name, r.o.Name(a.Term), p.Name, p.Unit)
	}
	if amount, ok := r.object(n, Namespace+"default"); ok && n.kind == blankNode {
		p.Default = r.defaultOf(&p, q, amount, a)
	}
	if p.Unit != "" && !p.Value {
		r.problem(p.Pos, false, "parameter %s of %s is an object and has a unit; expected a name without a question mark", p.Name, r.o.Name(a.Term))
	}
	return p
}

// defaultOf reads how much a parameter is in plans that are made, nil where that cannot be.
func (r modelReader) defaultOf(p *Parameter, q *Quantity, amount node, a *ActionSchema) *Amount {
	number, err := strconv.ParseFloat(amount.value, 64)
	if err != nil || amount.kind != literalNode || !p.Value || q == nil {
		r.problem(p.Pos, false, "m:default of parameter %s of %s is %q; expected a number, of a parameter that is one", p.Name, r.o.Name(a.Term), amount.value)
		return nil
	}
	d, err := q.Read(number, p.Unit)
	if err != nil {
		r.problem(p.Pos, false, "m:default of parameter %s of %s is %s", p.Name, r.o.Name(a.Term), err)
		return nil
	}
	return &Amount{q.Term, d}
}

func (r modelReader) readProcess(id TermID) {
	sc, s := &scope{}, r.subject(id)
	p := &Process{Term: id, Name: r.o.Name(id)}
	p.When, p.Unless, p.Then = r.patterns(s, "when", sc), r.alternatives(s, "unless", sc), r.patterns(s, "then", sc)
	for _, n := range r.objects(s, "after") {
		after, ok := ParseDuration(n.value)
		if !ok || after <= 0 {
			r.problem(r.o.Terms[id].Pos, false, "m:after of %s is %q; expected a duration such as PT10M or P1DT12H", p.Name, n.value)
		}
		p.After, r.o.timed = after, true
	}
	r.o.measured = r.o.measured || p.Measured()
	p.Vars = sc.vars
	p.Ends = r.patterns(s, "ends", sc)
	p.Vars = sc.vars
	r.o.Processes = append(r.o.Processes, p)
}

// readCount reads how many things there are to be of which something holds: those that the
// subject of the first pattern stands for.
func (r modelReader) readCount(g *Goal, n node, sc *scope, pos Pos) {
	c := Count{Of: r.patterns(n, "when", sc), Most: -1}
	told := false
	for _, bound := range []struct {
		property string
		into     []*int
	}{{"exactly", []*int{&c.Least, &c.Most}}, {"atLeast", []*int{&c.Least}}, {"atMost", []*int{&c.Most}}} {
		for _, v := range r.objects(n, bound.property) {
			number, err := strconv.Atoi(v.value)
			if err != nil || number < 0 {
				r.problem(pos, false, "m:%s of a count is %q; expected a whole number such as 2", bound.property, v.value)
				continue
			}
			told = true
			for _, into := range bound.into {
				*into = number
			}
		}
	}
	switch {
	case len(c.Of) == 0 || !c.Of[0].Subject.IsVar():
		r.problem(pos, false, "a count says nothing of what is counted; expected m:when with patterns, of which the first is about it")
	case !told:
		r.problem(pos, false, "a count says no number; expected m:exactly, m:atLeast or m:atMost")
	case c.Most >= 0 && c.Least > c.Most:
		r.problem(pos, false, "a count is at least %d and at most %d; expected m:atLeast below m:atMost", c.Least, c.Most)
	default:
		c.Var = c.Of[0].Subject.Var
		g.Counts = append(g.Counts, c)
	}
}

func (r modelReader) readTask(id TermID) {
	sc, s := &scope{}, r.subject(id)
	t := &Task{Term: id, Name: r.o.Name(id), Exempt: r.texts(id, "exemptFrom")}
	t.Goal.Patterns = r.patterns(s, "goal", sc)
	for _, n := range r.objects(s, "forAll") {
		t.Goal.ForAll = append(t.Goal.ForAll, ForAll{r.patterns(n, "when", sc), r.patterns(n, "requires", sc)})
	}
	for _, n := range r.objects(s, "forbid") {
		if when := r.patterns(n, "when", sc); len(when) > 0 {
			t.Goal.ForAll = append(t.Goal.ForAll, ForAll{when, []Pattern{r.o.Never(when[0].Subject.Var)}})
		}
	}
	for _, n := range r.objects(s, "count") {
		r.readCount(&t.Goal, n, sc, r.o.Terms[id].Pos)
	}
	for _, list := range r.objects(s, "inTurn") {
		for _, n := range r.list(list) {
			t.Goal.First = append(t.Goal.First, r.patterns(n, "requires", sc))
		}
	}
	for _, n := range r.objects(s, "reachedWithin") {
		within, ok := ParseDuration(n.value)
		if !ok || within <= 0 {
			r.problem(r.o.Terms[id].Pos, false, "m:reachedWithin of %s is %q; expected a duration such as PT10M", t.Name, n.value)
		}
		t.Goal.Within = within
	}
	t.Goal.Vars = sc.vars
	t.Usual = r.patterns(s, "usualScene", &scope{})
	for _, p := range slices.Concat(t.Goal.Patterns, t.Usual) {
		for _, a := range p.Args() {
			if a.Param != "" && !slices.Contains(t.Params, a.Param) {
				t.Params = append(t.Params, a.Param)
			}
		}
	}
	if t.Goal.IsEmpty() {
		r.problem(r.o.Terms[id].Pos, false, "task %s has no m:goal", t.Name)
	}
	r.o.Tasks = append(r.o.Tasks, t)
}

func (r modelReader) readStrategy(id TermID) {
	s := r.subject(id)
	sc := &scope{vars: []string{"?1", "?2", "?3", "?4"}}
	st := &Strategy{Term: id, Name: r.o.Name(id)}
	st.Order, _ = strconv.Atoi(first(r.texts(id, "order")))
	st.AsksHuman = first(r.texts(id, "asksHuman")) == "true"
	st.When, st.Unless = r.patterns(s, "when", sc), r.alternatives(s, "unless", sc)
	st.Vars = sc.vars
	for _, n := range r.objects(s, "recovers") {
		if f := r.idOf(n); f != None && r.o.IsA(f, r.o.Core.Failure) {
			st.Recovers = append(st.Recovers, f)
		} else {
			hint := ""
			if f == None {
				hint = r.hint(n.value)
			}
			r.problem(r.posOf(s, s), false, "strategy %s recovers %s, which is no failure class%s", st.Name, localName(n.value), hint)
		}
	}
	for _, n := range r.objects(s, "steps") {
		for _, step := range r.list(n) {
			st.Steps = append(st.Steps, step.value)
		}
	}
	if strings.Contains(strings.Join(st.Steps, " "), "?other") {
		sc.index("?other")
	}
	st.Vars = sc.vars
	st.readMentions()
	r.o.Strategies = append(r.o.Strategies, st)
}

// readGoalNorm reads what must not be so of what a goal is reached with.
func (r modelReader) readGoalNorm(id TermID) {
	sc := &scope{vars: []string{"?object"}}
	n := &GoalNorm{Condition: r.condition(r.subject(id), sc)}
	if len(n.Requires) > 0 {
		r.problem(n.Pos, false, "goal norm %s has m:requires; expected m:forbids", r.o.Name(id))
	}
	n.Vars = sc.vars
	r.o.GoalNorms = append(r.o.GoalNorms, n)
}

// readContact reads how what is not fit for a goal makes other things unfit.
func (r modelReader) readContact(id TermID) {
	s := r.subject(id)
	sc := &scope{vars: []string{"?object", "?other"}}
	c := &Contact{Term: id, When: r.patterns(s, "when", sc), Unless: r.alternatives(s, "unless", sc)}
	c.Vars = sc.vars
	if !speaksOf(c.When, 0) || !speaksOf(c.When, 1) {
		r.problem(r.posOf(s, s), false, "the m:when of contact %s says nothing of ?object or of ?other; expected what the two share", r.o.Name(id))
		return
	}
	if text, ok := r.object(s, rdfsNS+"comment"); ok {
		c.Comment = text.value
	}
	r.o.Contacts = append(r.o.Contacts, c)
}

// speaksOf reports whether any of some patterns is about a variable.
func speaksOf(ps []Pattern, v int) bool {
	return slices.ContainsFunc(ps, func(p Pattern) bool {
		return slices.ContainsFunc(p.Args(), func(a Arg) bool { return a.IsVar() && a.Var == v })
	})
}

// readAftermath reads what a failure or a sound leaves behind.
func (r modelReader) readAftermath(id TermID) {
	s := r.subject(id)
	for _, kind := range []struct {
		property string
		sure     bool
	}{{"leaves", true}, {"mayLeave", false}} {
		for _, n := range r.objects(s, kind.property) {
			sc := &scope{vars: []string{"?1", "?2", "?3", "?4"}}
			a := Aftermath{When: r.patterns(n, "when", sc), Unless: r.alternatives(n, "unless", sc), Then: r.patterns(n, "then", sc), Sure: kind.sure}
			if a.Vars = sc.vars; len(a.Then) == 0 {
				r.problem(r.posOf(n, s), false, "%s of %s says no m:then", kind.property, r.o.Name(id))
				continue
			}
			r.o.aftermaths[id] = append(r.o.aftermaths[id], a)
		}
	}
}
