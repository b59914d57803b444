package ontology

import (
	"slices"
	"sort"
	"strconv"
	"strings"
)

// readModel reads actions, processes, tasks, failures, strategies, ordinals
// and the diets of people.
func (b *builder) readModel() {
	o := b.o
	for i := range o.Terms {
		id := TermID(i)
		t := &o.Terms[i]
		switch {
		case t.IsClass && o.IsA(id, o.Core.Action):
			b.readAction(id)
		case t.IsClass && o.IsA(id, o.Core.Failure):
			o.explained[id] = b.texts(id, "explanation")
			o.forewarned[id] = b.texts(id, "forewarning")
		case t.IsClass && o.IsA(id, o.Core.Human):
			o.avoided[id] = o.terms(id, "avoids")
		case b.isa(id, "Process"):
			b.readProcess(id)
		case b.isa(id, "Task"):
			b.readTask(id)
		case b.isa(id, "RecoveryStrategy"):
			b.readStrategy(id)
		case b.isa(id, "Selection"):
			for _, n := range b.objects(b.subject(id), "members") {
				for _, item := range b.list(n) {
					o.selections[t.Name] = append(o.selections[t.Name], b.idOf(item))
				}
			}
		case b.isa(id, "Zone"):
			b.readZone(id)
		case b.isa(id, "Injection"):
			b.readInjection(id)
		case b.isa(id, "Scenario"):
			b.readScenario(id)
		case b.isa(id, "Ordinal"):
			n, _ := strconv.Atoi(first(b.texts(id, "value")))
			for _, l := range t.Labels {
				o.ordinals[strings.ToLower(l)] = n
			}
		case b.isa(id, "Cardinal"):
			n, _ := strconv.Atoi(first(b.texts(id, "value")))
			for _, l := range t.Labels {
				o.cardinals[strings.ToLower(l)] = n
			}
		case b.isa(id, "FunctionWords"):
			b.readWords(id)
		}
	}
	sort.SliceStable(o.Strategies, func(i, j int) bool { return o.Strategies[i].Order < o.Strategies[j].Order })
}

func (b *builder) isa(id TermID, class string) bool {
	c, ok := b.ids[Namespace+class]
	return ok && b.o.HasType(id, c)
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
type scope struct{ vars []string }

func (s *scope) index(name string) int {
	if i := slices.Index(s.vars, name); i >= 0 {
		return i
	}
	s.vars = append(s.vars, name)
	return len(s.vars) - 1
}

// patterns reads the value of a property that is a list of three-part lists.
func (b *builder) patterns(s node, property string, sc *scope) []Pattern {
	return slices.Concat(b.alternatives(s, property, sc)...)
}

// alternatives reads the same, with each value of the property apart.
func (b *builder) alternatives(s node, property string, sc *scope) [][]Pattern {
	var out [][]Pattern
	for _, n := range b.objects(s, property) {
		var list []Pattern
		for _, item := range b.list(n) {
			if p, ok := b.pattern(item, s, sc); ok {
				list = append(list, p)
			}
		}
		if len(list) > 0 {
			out = append(out, list)
		}
	}
	return out
}

func (b *builder) pattern(item, owner node, sc *scope) (Pattern, bool) {
	parts := b.list(item)
	pos := b.posOf(item, owner)
	if len(parts) != 3 {
		b.problem(pos, false, "a pattern has %d parts; expected ( subject predicate object )", len(parts))
		return Pattern{}, false
	}
	p := Pattern{Subject: b.arg(parts[0], sc, pos), Predicate: b.idOf(parts[1]), Object: b.arg(parts[2], sc, pos), Pos: pos}
	if p.Predicate == None {
		b.problem(pos, false, "unknown predicate %s in a pattern%s", localName(parts[1].value), b.hint(parts[1].value))
		return Pattern{}, false
	}
	return p, true
}

func (b *builder) posOf(n, fallback node) Pos {
	for _, s := range []node{n, fallback} {
		if is := b.bySubj[s]; len(is) > 0 {
			return b.triples[is[0]].pos
		}
	}
	return Pos{}
}

func (b *builder) arg(n node, sc *scope, pos Pos) Arg {
	switch {
	case n.kind == literalNode && strings.HasPrefix(n.value, "?"):
		return Arg{Var: sc.index(n.value), Term: None}
	case n.kind == literalNode && strings.HasPrefix(n.value, "$"):
		return Arg{Var: -1, Term: None, Param: n.value[1:]}
	case n.kind == literalNode:
		b.problem(pos, false, "%q in a pattern is neither a term nor a variable; expected \"?name\" or a declared term", n.value)
	}
	id := b.idOf(n)
	if id == None && n.kind == iriNode {
		b.problem(pos, false, "unknown term %s in a pattern%s", localName(n.value), b.hint(n.value))
	}
	return Arg{Var: -1, Term: id}
}

func (b *builder) condition(n node, sc *scope) Condition {
	c := Condition{
		When: b.patterns(n, "when", sc), Unless: b.alternatives(n, "unless", sc),
		Requires: b.patterns(n, "requires", sc), Forbids: b.patterns(n, "forbids", sc),
		Pos: b.posOf(n, n),
	}
	if names := b.objects(n, "conditionName"); len(names) > 0 {
		c.Name = names[0].value
	}
	if comment, ok := b.object(n, rdfsNS+"comment"); ok {
		c.Comment = comment.value
	}
	if c.Name == "" {
		b.problem(c.Pos, false, "a precondition or norm without m:conditionName; rules could not ask for it")
	}
	if len(c.Requires)+len(c.Forbids) == 0 {
		b.problem(c.Pos, false, "condition %q says neither m:requires nor m:forbids", c.Name)
	}
	return c
}

// readAction reads an action class with what it inherits from its superclasses.
func (b *builder) readAction(id TermID) {
	name := first(b.texts(id, "actionName"))
	if name == "" {
		return
	}
	a := &ActionSchema{Term: id, Name: name, Family: name, Phrases: b.texts(id, "phrase"), AlfredName: first(b.texts(id, "alfredName"))}
	sc := &scope{vars: []string{"?agent", "?gripper", "?target", "?destination"}}
	optional := 0
	for _, c := range b.o.order(id) {
		s := b.subject(c)
		for _, n := range b.objects(s, "parameters") {
			if a.Params == 0 {
				a.Params = len(b.list(n))
			}
		}
		optional += len(b.objects(s, "optionalParameter"))
		for _, n := range b.objects(s, "precondition") {
			a.Preconditions = append(a.Preconditions, b.condition(n, sc))
		}
		for _, n := range b.objects(s, "norm") {
			a.Norms = append(a.Norms, b.condition(n, sc))
		}
		for _, n := range b.objects(s, "effect") {
			a.Effects = append(a.Effects, Effect{b.patterns(n, "when", sc), b.alternatives(n, "unless", sc), b.patterns(n, "then", sc), b.posOf(n, s)})
		}
		for _, n := range b.objects(s, "family") {
			a.Family = n.value
		}
		for _, n := range b.objects(s, "keepsHold") {
			a.KeepsHold = n.value == "true"
		}
		for _, n := range b.objects(s, "irreversible") {
			a.Irreversible = n.value == "true"
		}
	}
	a.Required = max(0, a.Params-optional)
	a.Vars = sc.vars
	if other, taken := b.o.Action(name); taken && other.Name == name {
		b.problem(b.o.Terms[id].Pos, false, "action name %s is taken by %s", name, b.o.Name(other.Term))
		return
	}
	b.o.Actions = append(b.o.Actions, a)
}

func (b *builder) readProcess(id TermID) {
	sc, s := &scope{}, b.subject(id)
	p := &Process{Term: id, Name: b.o.Name(id)}
	p.When, p.Unless, p.Then = b.patterns(s, "when", sc), b.alternatives(s, "unless", sc), b.patterns(s, "then", sc)
	p.Vars = sc.vars
	b.o.Processes = append(b.o.Processes, p)
}

func (b *builder) readTask(id TermID) {
	sc, s := &scope{}, b.subject(id)
	t := &Task{Term: id, Name: b.o.Name(id), Exempt: b.texts(id, "exemptFrom")}
	t.Goal.Patterns = b.patterns(s, "goal", sc)
	for _, n := range b.objects(s, "forAll") {
		t.Goal.ForAll = append(t.Goal.ForAll, ForAll{b.patterns(n, "when", sc), b.patterns(n, "requires", sc)})
	}
	t.Goal.Vars = sc.vars
	t.Usual = b.patterns(s, "usualScene", &scope{})
	for _, p := range slices.Concat(t.Goal.Patterns, t.Usual) {
		for _, a := range []Arg{p.Subject, p.Object} {
			if a.Param != "" && !slices.Contains(t.Params, a.Param) {
				t.Params = append(t.Params, a.Param)
			}
		}
	}
	if len(t.Goal.Patterns)+len(t.Goal.ForAll) == 0 {
		b.problem(b.o.Terms[id].Pos, false, "task %s has no m:goal", t.Name)
	}
	b.o.Tasks = append(b.o.Tasks, t)
}

func (b *builder) readStrategy(id TermID) {
	s := b.subject(id)
	sc := &scope{vars: []string{"?1", "?2", "?3", "?4"}}
	st := &Strategy{Term: id, Name: b.o.Name(id)}
	st.Order, _ = strconv.Atoi(first(b.texts(id, "order")))
	st.AsksHuman = first(b.texts(id, "asksHuman")) == "true"
	st.When, st.Unless = b.patterns(s, "when", sc), b.alternatives(s, "unless", sc)
	st.Vars = sc.vars
	for _, n := range b.objects(s, "recovers") {
		if f := b.idOf(n); f != None && b.o.IsA(f, b.o.Core.Failure) {
			st.Recovers = append(st.Recovers, f)
		} else {
			hint := ""
			if f == None {
				hint = b.hint(n.value)
			}
			b.problem(b.posOf(s, s), false, "strategy %s recovers %s, which is no failure class%s", st.Name, localName(n.value), hint)
		}
	}
	for _, n := range b.objects(s, "steps") {
		for _, step := range b.list(n) {
			st.Steps = append(st.Steps, step.value)
		}
	}
	if strings.Contains(strings.Join(st.Steps, " "), "?other") {
		sc.index("?other")
	}
	st.Vars = sc.vars
	b.o.Strategies = append(b.o.Strategies, st)
}
