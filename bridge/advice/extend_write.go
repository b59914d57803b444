package advice

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/mishap-robotics/mishap/ontology"
)

// turtleWriter writes an action as it was understood.
type turtleWriter struct {
	lexicon
	out          *ActionProposal
	meaning      string // as the model said
	effects      []effect
	dependencies []dependency
}

func (x *extension) writer() *turtleWriter {
	return &turtleWriter{x.lexicon, x.out, x.meaning, x.effects, x.dependencies}
}

// super is the class of actions that the new one belongs to.
func (w *turtleWriter) super() ontology.TermID {
	required := w.lexicon.required(w.dependencies)
	holds := func(v string) bool {
		return slices.ContainsFunc(required, func(p pattern) bool { return w.lexicon.held(p) && p.subject == v })
	}
	changes := func(test func(pattern) bool) bool {
		return slices.ContainsFunc(w.effects, func(e effect) bool { return test(e.pattern) })
	}
	switch {
	case !changes(func(p pattern) bool { return p.subject != "?agent" }):
		return w.onto.Roles.LookingActions
	case changes(func(p pattern) bool { return w.lexicon.isPlace(p.relation) && (w.lexicon.held(p) || holds(p.subject)) }):
		return w.onto.Roles.MovingActions
	case slices.ContainsFunc(required, w.lexicon.held):
		return w.onto.Roles.HeldActions
	}
	return w.onto.Roles.BareActions
}

// superName is the name of that class; of an ontology that does not tell such classes
// apart, of all actions.
func (w *turtleWriter) superName() string {
	if class := w.super(); class != ontology.None {
		return w.onto.Name(class)
	}
	return w.onto.Name(w.onto.Core.Action)
}

// granted are the conditions that the model is not asked for: the robot is near what
// the action is about and does not hold, and that is in no closed container.
func (w *turtleWriter) granted() []dependency {
	if w.super() == w.onto.Roles.LookingActions {
		return nil
	}
	required := w.lexicon.required(w.dependencies)
	loose := slices.DeleteFunc(w.out.Action.parameters(), func(v string) bool {
		return slices.ContainsFunc(required, func(p pattern) bool { return w.lexicon.held(p) && p.subject == v })
	})
	return slices.DeleteFunc(w.lexicon.grantedTo(loose), func(d dependency) bool {
		return slices.ContainsFunc(w.effects, func(e effect) bool { return e.pattern == d.facts[0] })
	})
}

// turtle writes the action as ontology/actions.ttl has its own.
func (w *turtleWriter) turtle() string {
	n := w.out.Action
	words := strings.ReplaceAll(n.Name, "_", " ")
	meaning := n.About
	if blank(meaning) {
		meaning = w.meaning
	}
	granted := w.granted()
	own := slices.DeleteFunc(slices.Clone(w.dependencies), func(d dependency) bool {
		return slices.ContainsFunc(granted, func(g dependency) bool { return w.lexicon.same(d, g) })
	})
	w.out.Effects, w.out.Preconditions = len(w.effects), len(granted)+len(own)

	var b strings.Builder
	fmt.Fprintf(&b, header, n.Name, sentence(w.out.Model))
	fmt.Fprintf(&b, "m:%s a owl:Class ; rdfs:subClassOf m:%s ;\n    rdfs:label %s ;\n    # %s\n    rdfs:comment %s ;\n    m:actionName %s ; m:phrase %s ;\n    m:parameters ( %s )",
		w.out.Class, w.superName(), strconv.Quote(words), sentence(w.meaning), literal(meaning), strconv.Quote(n.Name), w.phrases(words), quotedList(n.parameters(), " "))
	if w.super() != w.onto.Roles.MovingActions {
		b.WriteString(" ; m:keepsHold true")
	}
	var items []string
	for _, d := range granted {
		items = append(items, "        # not from the model: each action on what is not in the gripper needs it\n        "+w.condition(d))
	}
	for _, d := range own {
		items = append(items, "        # "+sentence(d.why)+"\n        "+w.condition(d))
	}
	if len(items) > 0 {
		b.WriteString(" ;\n    m:precondition\n" + strings.Join(items, " ,\n"))
	}
	items = nil
	for _, e := range w.effects {
		items = append(items, "        # "+sentence(e.why)+"\n        [ m:then ( "+w.triple(e.pattern)+" ) ]")
	}
	b.WriteString(" ;\n    m:effect\n" + strings.Join(items, " ,\n") + " .\n")
	return b.String()
}

const header = `# The action %s, as proposed by the language model %s.
# To be reviewed by a person before use: nobody has tried it. It is loaded only where
# --ontology names this file. Norms, effects that depend on conditions, m:irreversible
# and further phrases are left to the reviewer.
# A comment in quotes has the model's own words.

@prefix m:    <` + ontology.Namespace + `> .
@prefix owl:  <http://www.w3.org/2002/07/owl#> .
@prefix rdf:  <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

`

// literal is a text of somebody's as Turtle has it, on one line and without quotes of
// its own.
func literal(text string) string { return strings.ReplaceAll(sentence(text), `\`, `\\`) }

// quotedList writes names and phrases, which hold nothing that needs care.
func quotedList(texts []string, between string) string {
	var out []string
	for _, t := range texts {
		out = append(out, strconv.Quote(t))
	}
	return strings.Join(out, between)
}

// phrases are how logs in natural language may write the action.
func (w *turtleWriter) phrases(words string) string {
	if w.out.Action.Parameters == 1 {
		return strconv.Quote(words + " {target}")
	}
	between := []string{"with", "to", "at"}
	for _, e := range w.effects {
		switch {
		case e.object == "?destination" && e.relation == w.onto.Core.OnTopOf:
			between = []string{"onto", "on top of", "on"}
		case e.object == "?destination" && w.lexicon.isPlace(e.relation):
			between = []string{"into", "inside", "in"}
		}
	}
	var out []string
	for _, w := range between {
		out = append(out, words+" {target} "+w+" {destination}")
	}
	return quotedList(out, " , ")
}

// triple is a pattern as Turtle has it.
func (w *turtleWriter) triple(p pattern) string {
	object := strconv.Quote(p.object)
	if p.object == "" {
		object = w.resource(p.term)
	}
	return "( " + strconv.Quote(p.subject) + " " + w.resource(p.relation) + " " + object + " )"
}

var localName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

func (w *turtleWriter) resource(t ontology.TermID) string {
	name, iri := w.onto.Name(t), w.onto.Terms[t].IRI
	switch {
	case t == w.onto.Core.Type:
		return "rdf:type"
	case iri == ontology.Namespace+name && localName.MatchString(name):
		return "m:" + name
	}
	return "<" + iri + ">"
}

// condition writes a dependency: as the condition that several actions share where it
// is that one, else by itself.
func (w *turtleWriter) condition(d dependency) string {
	name, comment, shared := w.named(d)
	if shared != "" {
		return "m:" + shared
	}
	var facts []string
	for _, p := range d.facts {
		facts = append(facts, w.triple(p))
	}
	if w.apart(d) {
		facts = append(facts, `( "`+otherVar+`" m:differs "?target" )`)
	}
	return fmt.Sprintf("[ m:conditionName %s ; rdfs:comment %s ;\n          m:%s ( %s ) ]", literal(name), literal(comment), d.kind(), strings.Join(facts, " "))
}

// apart reports whether it has to be said that ?other is not the target.
func (w *turtleWriter) apart(d dependency) bool {
	speaks := false
	for _, p := range d.facts {
		if p.subject == otherVar && p.object == "?target" || p.subject == "?target" && p.object == otherVar {
			return false
		}
		speaks = speaks || p.subject == otherVar || p.object == otherVar
	}
	return speaks
}

// named is the name of a dependency, under which rules ask for it, and the comment that
// says why the action fails without it: those of the ontology's actions where one has
// it, and the term where several share it.
func (w *turtleWriter) named(d dependency) (name, comment, shared string) {
	for _, a := range w.onto.Advised() {
		for i := range a.Preconditions {
			c := &a.Preconditions[i]
			if e, ok := w.lexicon.known(a, c); !ok || !w.lexicon.same(d, e) {
				continue
			}
			id, ok := w.onto.Lookup(c.Name + "_condition")
			if ok && w.onto.Terms[id].Pos == c.Pos {
				return c.Name, c.Comment, w.onto.Name(id)
			}
			if name == "" {
				name, comment = c.Name, c.Comment
			}
		}
	}
	if name == "" {
		name, comment = w.nameOf(d), w.commentOf(d)
	}
	return name, comment, ""
}

// nameOf makes up a name, such as cloth_in_hand or target_dirty.
func (w *turtleWriter) nameOf(d dependency) string {
	if held := w.tool(d); held != "" {
		return held + "_in_hand"
	}
	p := d.facts[0]
	name := strings.TrimPrefix(p.subject, "?")
	if d.forbids {
		name += "_not"
	}
	if p.object != "" {
		return name + "_" + atom(w.onto.Name(p.relation)) + "_" + strings.TrimPrefix(p.object, "?")
	}
	return name + "_" + atom(w.onto.Name(p.term))
}

// tool is what a dependency says of what is in the gripper, "" where it says nothing.
func (w *turtleWriter) tool(d dependency) string {
	out := ""
	for _, p := range d.facts {
		switch {
		case p.subject == toolVar && p.object == "":
			return atom(w.onto.Name(p.term))
		case p.subject == toolVar:
			out = "tool"
		}
	}
	return out
}

// atom writes a name of the ontology as names of conditions are.
func atom(name string) string {
	var b strings.Builder
	for i, r := range name {
		switch {
		case unicode.IsUpper(r) && i > 0:
			b.WriteRune('_')
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			r = '_'
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

var spokenVariables = map[string]string{"?target": "it", "?destination": "the destination", "?agent": "the robot", "?gripper": "the gripper",
	toolVar: "what the gripper holds", otherVar: "something else"}

// commentOf says how things are where a dependency does not hold.
func (w *turtleWriter) commentOf(d dependency) string {
	if i := slices.IndexFunc(d.facts, func(p pattern) bool { return p.subject == toolVar && p.object == "" }); i >= 0 && len(d.facts) == 2 {
		return "nothing in the gripper is " + w.predicate(d.facts[i])
	}
	if len(d.facts) == 1 && d.facts[0].subject == toolVar {
		return "nothing is in the gripper"
	}
	var parts []string
	for _, p := range d.facts {
		not := " not "
		if d.forbids || len(d.facts) > 1 {
			not = " "
		}
		parts = append(parts, spokenVariables[p.subject]+" is"+not+w.predicate(p))
	}
	if d.forbids || len(d.facts) == 1 {
		return strings.Join(parts, " and ")
	}
	return "it is not so that " + strings.Join(parts, " and ")
}

func (w *turtleWriter) predicate(p pattern) string {
	switch {
	case p.object != "":
		return w.onto.Terms[p.relation].Label() + " " + spokenVariables[p.object]
	case p.relation == w.onto.Core.Type:
		return "of the kind " + w.onto.Terms[p.term].Label()
	}
	return w.onto.Terms[p.term].Label()
}
