package ontology

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/ontology/decimal"
)

// builtins are the terms of RDF, RDF Schema and OWL 2, without XML Schema's.
var builtins = map[string][]string{
	rdfNS: strings.Fields("type first rest nil List Property Statement subject predicate object value Alt Bag Seq langString PlainLiteral"),
	rdfsNS: strings.Fields("label comment subClassOf subPropertyOf domain range seeAlso isDefinedBy member " +
		"Class Datatype Literal Resource Container ContainerMembershipProperty"),
	owlNS: strings.Fields("Class Ontology ObjectProperty DatatypeProperty AnnotationProperty OntologyProperty FunctionalProperty " +
		"InverseFunctionalProperty TransitiveProperty SymmetricProperty AsymmetricProperty ReflexiveProperty IrreflexiveProperty " +
		"NamedIndividual Thing Nothing Restriction Axiom Annotation AllDisjointClasses AllDifferent AllDisjointProperties " +
		"NegativePropertyAssertion DeprecatedClass DeprecatedProperty DataRange topObjectProperty bottomObjectProperty topDataProperty " +
		"bottomDataProperty rational real onProperty onProperties onClass onDataRange onDatatype withRestrictions someValuesFrom " +
		"allValuesFrom hasValue hasSelf hasKey cardinality minCardinality maxCardinality qualifiedCardinality minQualifiedCardinality " +
		"maxQualifiedCardinality intersectionOf unionOf complementOf oneOf datatypeComplementOf disjointUnionOf equivalentClass " +
		"equivalentProperty disjointWith propertyDisjointWith inverseOf members distinctMembers differentFrom sameAs propertyChainAxiom " +
		"annotatedSource annotatedProperty annotatedTarget sourceIndividual assertionProperty targetIndividual targetValue imports " +
		"versionIRI versionInfo priorVersion backwardCompatibleWith incompatibleWith deprecated"),
}

var vocabularies = map[string]string{rdfNS: "rdf:", rdfsNS: "rdfs:", owlNS: "owl:"}

// checkBuiltins reports terms that RDF, RDF Schema and OWL do not have: a
// misspelt rdfs:subClassOf says nothing.
func (k checker) checkBuiltins() {
	for _, t := range k.triples {
		for _, n := range [...]node{t.p, t.o} {
			if n.kind != iriNode || strings.HasPrefix(n.value, Namespace) {
				continue
			}
			for space, known := range builtins {
				name, ok := strings.CutPrefix(n.value, space)
				if !ok || slices.Contains(known, name) || strings.HasPrefix(name, "_") {
					continue
				}
				k.problem(t.pos, false, "%s has no term %s%s", vocabularies[space], name, Hint(name, known))
			}
		}
	}
}

// checkRanges reports values that are not of the kind their property takes.
func (k checker) checkRanges() {
	ranges := map[string]node{}
	objects := map[string]bool{}
	for _, t := range k.triples {
		switch {
		case t.p.value == rdfsNS+"range":
			ranges[t.s.value] = t.o
		case t.p.value == rdfNS+"type" && t.o.value == owlNS+"ObjectProperty":
			objects[t.s.value] = true
		}
	}
	for _, t := range k.triples {
		if !strings.HasPrefix(t.p.value, Namespace) || t.o.kind == blankNode || t.o.value == rdfNS+"nil" {
			continue
		}
		name := localName(t.p.value)
		if t.o.kind == literalNode && objects[t.p.value] {
			k.problem(t.pos, false, "m:%s takes a term, found the text %q; expected for example m:%s", name, t.o.value, strings.ReplaceAll(t.o.value, " ", "_"))
			continue
		}
		want, ok := ranges[t.p.value]
		if !ok {
			continue
		}
		switch want.value {
		case xsdNS + "integer":
			if _, err := strconv.Atoi(t.o.value); err != nil || t.o.kind != literalNode {
				k.problem(t.pos, false, "m:%s takes an integer, found %q", name, t.o.value)
			}
		case xsdNS + "boolean":
			if t.o.value != "true" && t.o.value != "false" {
				k.problem(t.pos, false, "m:%s takes true or false, found %q", name, t.o.value)
			}
		case xsdNS + "string":
			if t.o.kind != literalNode {
				k.problem(t.pos, false, "m:%s takes a text, found the term %s", name, localName(t.o.value))
			}
		default:
			class, value := k.idOf(want), k.idOf(t.o)
			if class != None && value != None && !k.o.IsA(value, class) && !k.o.HasType(value, class) {
				k.problem(t.pos, false, "m:%s takes a %s, and %s is none", name, k.o.Name(class), k.o.Name(value))
			}
		}
	}
}

// checkVariables reports variables of effects and processes that nothing binds,
// parameters that an action does not declare, and misspelt ones.
func (k checker) checkVariables() {
	for _, a := range k.o.Actions {
		pos := k.o.Terms[a.Term].Pos
		bound := map[int]bool{VarAgent: true, VarGripper: true}
		for i, p := range a.Parameters {
			bound[VarTarget+i] = !p.Value
		}
		for _, e := range a.Effects {
			k.unbound(e.Then, e.When, bound, a.Vars, "the effect of "+k.o.Name(a.Term))
			k.ignored(e.Then, e.Ends, "the effect of "+k.o.Name(a.Term))
		}
		for _, c := range slices.Concat(a.Preconditions, a.Norms) {
			k.unboundAbout(&c, bound, a.Vars)
		}
		used := map[int]int{}
		for _, c := range slices.Concat(a.Preconditions, a.Norms) {
			for _, p := range slices.Concat(c.When, c.Needed(), c.Forbids, slices.Concat(c.Unless...)) {
				for _, arg := range p.Args() {
					if arg.IsVar() {
						used[arg.Var]++
					}
				}
			}
		}
		first := VarTarget + max(a.Params, 2)
		for v := first; v < len(a.Vars); v++ {
			if near := Nearest(a.Vars[v], a.Vars[:first]); used[v] == 1 && near != "" && editDistance(near, a.Vars[v], 3) < 3 {
				k.problem(pos, true, "%s stands once in the conditions of %s; did you mean %s?", a.Vars[v], k.o.Name(a.Term), near)
			}
		}
	}
	for _, p := range k.o.Processes {
		k.unbound(p.Then, p.When, map[int]bool{}, p.Vars, "process "+p.Name)
		k.ignored(p.Then, p.Ends, "process "+p.Name)
	}
}

// checkStartValues reports values of classes that their instances could not have.
func (k checker) checkStartValues() {
	o := k.o
	for i := range o.Terms {
		for _, v := range o.values[i] {
			q := o.Quantity(v.property)
			if q == nil || v.term != None {
				continue
			}
			d, err := decimal.Parse(v.text)
			switch {
			case err != nil:
				k.problem(v.pos, false, "the %s of %s is %q, %v; expected a number such as 9.5", q.Name, o.Name(TermID(i)), v.text, err)
			case d < q.Min || d > q.Max:
				k.problem(v.pos, false, "the %s of %s is %s; expected one from %s to %s", q.Name, o.Name(TermID(i)), q.Text(d), q.Text(q.Min), q.Text(q.Max))
			}
		}
	}
}

// ignored reports what an effect is to bring about or to end and what nothing would come of:
// there is no such state, and a relation that does not last is only ever seen.
func (k checker) ignored(then, ends []Pattern, owner string) {
	o := k.o
	for i, p := range slices.Concat(then, ends) {
		ending := i >= len(then)
		state := p.Predicate == o.Core.State && (p.Object.IsVar() || o.Dimension(p.Object.Term) != None)
		place := o.IsSub(p.Predicate, o.Core.Within) || p.Predicate == o.Core.Near || p.Predicate == o.Core.ReplacedBy
		things := p.Predicate != o.Core.State && p.Predicate != o.Core.ReplacedBy && p.Measure.Operator == NoOperator
		for _, a := range []Arg{p.Subject, p.Object} {
			if !a.IsVar() && a.Term != None && (a == p.Subject || things) {
				k.problem(p.Pos, false, "%s names %s where a thing is to be, and would be ignored; expected a variable, which m:when may say is of a class", owner, o.Name(a.Term))
			}
		}
		switch {
		case p.Measure.Operator != NoOperator && !ending:
		case state || o.Persistent(p.Predicate) || place && !ending:
		case p.Predicate == o.Core.State:
			k.problem(p.Pos, false, "%s names the state %s, which is of no class of states and would be ignored; expected a state such as m:clear a m:Clearness", owner, o.Name(p.Object.Term))
		case ending:
			k.problem(p.Pos, false, "%s ends m:%s, which would be ignored; expected m:state or a relation that is m:persistent true", owner, o.Name(p.Predicate))
		default:
			k.problem(p.Pos, false, "%s brings about m:%s, which would be ignored; expected m:state, a place, or a relation that is m:persistent true", owner, o.Name(p.Predicate))
		}
	}
}

// unboundAbout reports what a condition is to be told of and does not speak of.
func (k checker) unboundAbout(c *Condition, bound map[int]bool, vars []string) {
	known := map[int]bool{}
	for _, p := range slices.Concat(c.When, c.Needed(), c.Forbids) {
		known[p.Subject.Var], known[p.Object.Var] = true, true
	}
	for _, arg := range c.About {
		if arg.IsVar() && !bound[arg.Var] && !known[arg.Var] {
			k.problem(c.Pos, false, "nothing binds %s in the m:about of condition %q; expected a parameter or a variable of the condition", vars[arg.Var], c.Name)
		}
	}
}

// unbound reports variables of what is made true that neither the action nor
// the conditions before it bind.
func (k checker) unbound(then, when []Pattern, bound map[int]bool, vars []string, owner string) {
	known := map[int]bool{}
	for _, p := range when {
		known[p.Subject.Var], known[p.Object.Var] = true, true
	}
	for _, p := range then {
		for _, arg := range p.Args() {
			switch {
			case !arg.IsVar() || bound[arg.Var] || known[arg.Var]:
			case vars[arg.Var] == "?target" || vars[arg.Var] == "?destination":
				k.problem(p.Pos, false, "%s uses %s, which is none of its m:parameters", owner, vars[arg.Var])
			default:
				k.problem(p.Pos, false, "nothing binds %s in %s; expected a parameter or a variable of its m:when", vars[arg.Var], owner)
			}
		}
	}
}

// placeholders are the words in braces that the explanation or forewarning of a
// failure class may hold, besides {1}, {2} and so on for the objects of the finding: the
// action at which it shows, the same as the log writes it, why that cannot be
// carried out, the action that mends the plan, the one it belongs before, and
// what the goal lacks.
var placeholders = []string{"action", "logged", "reason", "missing", "several", "wrong", "before", "lacking"}

var placeholder = regexp.MustCompile(`\{[^{}]*\}`)

// checkExplanations reports placeholders that stand for nothing.
func (k checker) checkExplanations() {
	for _, t := range k.triples {
		if t.p.value != Namespace+"explanation" && t.p.value != Namespace+"forewarning" {
			continue
		}
		for _, p := range placeholder.FindAllString(t.o.value, -1) {
			name := p[1 : len(p)-1]
			if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= 9 || slices.Contains(placeholders, name) {
				continue
			}
			k.problem(t.pos, false, "%s in an explanation or forewarning stands for nothing; expected {1} to {9}, {%s}", p, strings.Join(placeholders, "}, {"))
		}
	}
}

// checkLabels reports labels that two kinds of objects of one pack share: logs that use
// them mean the one declared first.
func (k checker) checkLabels() {
	o := k.o
	for i := range o.Terms {
		id := TermID(i)
		if !o.IsA(id, o.Core.PhysicalObject) {
			continue
		}
		for _, l := range o.Terms[i].Labels {
			first := o.ByLabel(l, o.Core.PhysicalObject)[0]
			if o.canonical[first] != o.canonical[id] && k.o.level(first) == k.o.level(id) {
				k.problem(o.Terms[i].Pos, true, "label %q of %s is one of %s too, which logs mean by it", l, o.Name(id), o.Name(first))
			}
		}
	}
}

// checkAfter reports durations that stand where nothing takes its time.
func (k checker) checkAfter() {
	for _, t := range k.triples {
		if t.p.value != Namespace+"after" {
			continue
		}
		if id := k.idOf(t.s); id == None || !k.isa(id, "Process") {
			k.problem(t.pos, false, "m:after stands on %s, which is no m:Process; of a deadline, write a rule with time/2, until/2 or since/4", cmp.Or(k.o.Name(id), "a part of something"))
		}
	}
}
