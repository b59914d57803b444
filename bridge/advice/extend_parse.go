package advice

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/ontology"
)

// statedFact is a fact as an answer has it.
type statedFact struct {
	Subject  string `json:"subject"`
	Relation string `json:"relation"`
	Object   string `json:"object"`
}

// pattern is a fact in the terms of the ontology.
type pattern struct {
	subject  string // a variable
	relation ontology.TermID
	object   string // a variable; "" where it is a term
	term     ontology.TermID
}

// effect is a pattern that the action makes true, with the model's reason.
type effect struct {
	pattern
	why string
}

// dependency is what the action needs, or must not find, with the model's reason.
type dependency struct {
	forbids bool
	facts   []pattern
	why     string
}

func (d dependency) kind() string {
	if d.forbids {
		return "forbids"
	}
	return "requires"
}

// The bounds of what is taken for an answer.
const (
	mostEffects      = 10
	mostDependencies = 20
	mostFacts        = 4 // of one dependency
)

const (
	effectsForm      = `{"meaning": …, "effects": [{"subject": …, "relation": …, "object": …, "why": …}]}`
	dependenciesForm = `{"dependencies": [{"kind": …, "facts": [{"subject": …, "relation": …, "object": …}], "why": …}]}`
)

// strict reads JSON with the fields of a form, and with nothing besides.
func strict(text, form string, into any) error {
	d := json.NewDecoder(strings.NewReader(unfenced(text)))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("more after the end of the object")
		}
	}
	if err != nil {
		return fmt.Errorf("the answer is no JSON of the form %s (%s): %s", form, sentence(strings.TrimPrefix(err.Error(), "json: ")), quoted(text))
	}
	return nil
}

// blank reports whether nothing of a text can be seen.
func blank(text string) bool { return strings.Trim(sentence(text), `" `) == "" }

// mistakes collects what is wrong with an answer.
type mistakes []string

func (m *mistakes) add(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(*m, text) {
		*m = append(*m, text)
	}
}

func (m mistakes) err() error {
	if len(m) == 0 {
		return nil
	}
	return errors.New(strings.Join(m, "; "))
}

// readEffects reads the answer to the first question.
func (x *extension) readEffects(text string) error {
	var got struct {
		Meaning string `json:"meaning"`
		Effects []struct {
			statedFact
			Why string `json:"why"`
		} `json:"effects"`
	}
	if err := strict(text, effectsForm, &got); err != nil {
		return err
	}
	var bad mistakes
	switch {
	case blank(got.Meaning):
		bad.add("it does not say what the action does; expected %s", effectsForm)
	case len(got.Effects) == 0:
		bad.add("it gives the action no effect; an action that changes nothing is of no use in a plan")
	case len(got.Effects) > mostEffects:
		bad.add("it gives %d effects; expected at most %d", len(got.Effects), mostEffects)
	}
	var effects []effect
	mapped := x.out.Mapped
	for i, e := range got.Effects {
		if i == mostEffects {
			break
		}
		p, ok := x.fact(e.statedFact, true, &bad)
		if blank(e.Why) {
			bad.add("effect %d has no reason; expected a sentence as \"why\"", i+1)
		}
		if ok && !slices.ContainsFunc(effects, func(f effect) bool { return f.pattern == p }) {
			effects = append(effects, effect{p, e.Why})
		}
	}
	x.opposed(effects, &bad)
	if err := bad.err(); err != nil {
		x.out.Mapped = mapped
		return err
	}
	x.meaning, x.effects = got.Meaning, effects
	return nil
}

// readDependencies reads the answer to the second question.
func (x *extension) readDependencies(text string) error {
	var got struct {
		Dependencies []struct {
			Kind  string       `json:"kind"`
			Facts []statedFact `json:"facts"`
			Why   string       `json:"why"`
		} `json:"dependencies"`
	}
	if err := strict(text, dependenciesForm, &got); err != nil {
		return err
	}
	var bad mistakes
	switch {
	case got.Dependencies == nil:
		bad.add("it names no dependencies; expected %s, with an empty list for none", dependenciesForm)
	case len(got.Dependencies) > mostDependencies:
		bad.add("it gives %d dependencies; expected at most %d", len(got.Dependencies), mostDependencies)
	}
	var out []dependency
	mapped := x.out.Mapped
	for i, g := range got.Dependencies {
		if i == mostDependencies {
			break
		}
		d := dependency{forbids: g.Kind == "forbids", why: g.Why}
		switch {
		case g.Kind != "requires" && g.Kind != "forbids":
			bad.add("dependency %d is of the kind %s; expected requires or forbids", i+1, quoted(g.Kind))
		case len(g.Facts) == 0 || len(g.Facts) > mostFacts:
			bad.add("dependency %d has %d facts; expected 1 to %d", i+1, len(g.Facts), mostFacts)
		case blank(g.Why):
			bad.add("dependency %d has no reason; expected a sentence as \"why\"", i+1)
		}
		whole := true
		for _, f := range g.Facts[:min(len(g.Facts), mostFacts)] {
			p, ok := x.fact(f, false, &bad)
			whole = whole && ok
			if ok && !slices.Contains(d.facts, p) {
				d.facts = append(d.facts, p)
			}
		}
		if whole {
			x.tied(d, i+1, &bad)
			if !slices.ContainsFunc(out, func(e dependency) bool { return e.forbids == d.forbids && slices.Equal(e.facts, d.facts) }) {
				out = append(out, d)
			}
		}
	}
	x.impossible(out, &bad)
	if err := bad.err(); err != nil {
		x.out.Mapped = mapped
		return err
	}
	x.dependencies = out
	return nil
}

// fact takes a fact for one in the terms of the ontology; the mistakes say why not.
func (x *extension) fact(f statedFact, given bool, bad *mistakes) (pattern, bool) {
	vars, relations, states := x.fixed(), x.lexicon.given(), x.lexicon.passing()
	if !given {
		vars, relations, states = append(vars, toolVar, otherVar), x.lexicon.needed(), x.lexicon.states()
	}
	core := &x.lexicon.onto.Core
	p := pattern{subject: f.Subject, term: ontology.None}
	ok := x.variable(f.Subject, vars, bad)
	var found bool
	if p.relation, found = x.term(f.Relation, "relation", relations, bad); !found {
		return p, false
	}
	switch p.relation {
	case core.State:
		p.term, found = x.term(f.Object, "state", states, bad)
	case core.HasProperty:
		p.term, found = x.term(f.Object, "property", x.lexicon.properties(), bad)
	case core.Type:
		p.term, found = x.term(f.Object, "class", x.lexicon.classes(), bad)
	default:
		p.object, found = f.Object, x.variable(f.Object, vars, bad)
		if p.object == "?gripper" && x.lexicon.isPlace(p.relation) {
			p.relation = core.Inside // there is no other way to be in a gripper
		}
	}
	if !ok || !found {
		return p, false
	}
	if why := x.lexicon.nonsense(p, given); why != "" {
		bad.add("%s: %s", x.lexicon.text(p), why)
		return p, false
	}
	return p, true
}

func (x *extension) variable(name string, vars []string, bad *mistakes) bool {
	if slices.Contains(vars, name) {
		return true
	}
	bad.add("there is no variable %s; expected one of %s", quoted(name), strings.Join(vars, ", "))
	return false
}

// term finds the one of the ontology that some words name: by its name, by a label,
// else by similarity. A word and its denial are not alike, whatever their letters.
func (x *extension) term(words, kind string, among []ontology.TermID, bad *mistakes) (ontology.TermID, bool) {
	best, nearest := match{how: len(ways), score: -1}, ontology.None
	for _, t := range among {
		for i, name := range append([]string{x.lexicon.onto.Name(t)}, x.lexicon.onto.Terms[t].Labels...) {
			at := match{name, 2, ontology.Similarity(plainName(words), plainName(name))}
			switch {
			case i == 0 && name == words:
				at.how = 0
			case at.score == 1:
				at.how = 1
			case denies(words) != denies(name):
				at.score = 0
			}
			if at.how < best.how || at.how == best.how && at.score > best.score {
				best, nearest = at, t
			}
		}
	}
	least := (&Mapper{MinScore: x.MinScore}).least()
	if nearest == ontology.None || best.score < least {
		near := ""
		if best.score >= 0.5 { // else it is of no help
			near = fmt.Sprintf("; the nearest is %s, %.2f alike, and %.2f is expected", x.lexicon.onto.Name(nearest), best.score, least)
		}
		bad.add("there is no %s %s for this%s", kind, quoted(words), near)
		return ontology.None, false
	}
	m := Mapped{words, kind, x.lexicon.onto.Name(nearest), ways[best.how], best.score}
	if !slices.Contains(x.out.Mapped, m) {
		x.out.Mapped = append(x.out.Mapped, m)
	}
	return nearest, true
}

// denies reports whether a word begins as denials do.
func denies(word string) bool {
	word = strings.ToLower(word)
	return slices.ContainsFunc([]string{"un", "non", "not", "dis"}, func(s string) bool { return strings.HasPrefix(word, s) })
}

// tied reports facts about ?tool or ?other that nothing ties to the action.
func (x *extension) tied(d dependency, number int, bad *mistakes) {
	speaks, holds, bound := map[string]bool{}, false, false
	for _, p := range d.facts {
		speaks[p.subject], speaks[p.object] = true, true
		holds = holds || p.subject == toolVar && p.relation == x.lexicon.onto.Core.Inside && p.object == "?gripper"
		if p.subject == otherVar || p.object == otherVar {
			other := p.object
			if other == otherVar {
				other = p.subject
			}
			bound = bound || slices.Contains(x.fixed(), other)
		}
	}
	switch {
	case speaks[toolVar] && d.forbids:
		bad.add("dependency %d forbids something of ?tool; expected ?other in what is forbidden", number)
	case speaks[toolVar] && !holds:
		bad.add("dependency %d does not say where ?tool is; expected ?tool inside ?gripper among its facts", number)
	case speaks[otherVar] && !bound:
		bad.add("dependency %d does not say how ?other stands to %s", number, strings.Join(x.fixed(), ", "))
	}
}

// opposed reports effects of which one undoes another.
func (x *extension) opposed(effects []effect, bad *mistakes) {
	for i, e := range effects {
		for _, f := range effects[:i] {
			if x.lexicon.excludes(f.pattern, e.pattern) {
				bad.add("%s and %s exclude one another; expected one of them", x.lexicon.text(f.pattern), x.lexicon.text(e.pattern))
			}
		}
	}
}

// impossible reports dependencies that cannot hold together, or not with the effects.
func (x *extension) impossible(dependencies []dependency, bad *mistakes) {
	required := x.lexicon.required(dependencies)
	for i, p := range required {
		for _, q := range required[:i] {
			if x.lexicon.excludes(q, p) {
				bad.add("it requires %s and %s, which exclude one another", x.lexicon.text(q), x.lexicon.text(p))
			}
			if x.lexicon.held(p) && x.lexicon.held(q) && p != q {
				bad.add("it requires %s and %s, but a gripper holds one thing", x.lexicon.text(q), x.lexicon.text(p))
			}
		}
		for _, e := range x.effects {
			if x.lexicon.held(p) && x.lexicon.held(e.pattern) && p.subject != e.subject {
				bad.add("it requires %s, and %s is an effect, but a gripper holds one thing", x.lexicon.text(p), x.lexicon.text(e.pattern))
			}
		}
	}
	for _, d := range dependencies {
		if !d.forbids || len(d.facts) > 1 {
			continue
		}
		f := d.facts[0]
		for _, p := range required {
			if x.lexicon.includes(p, f) || x.lexicon.held(f) && f.subject == otherVar && x.lexicon.held(p) && p.subject != "?target" {
				bad.add("it requires %s and forbids %s", x.lexicon.text(p), x.lexicon.text(f))
			}
		}
	}
	idle := func(e effect) bool {
		return slices.ContainsFunc(required, func(p pattern) bool { return x.lexicon.includes(p, e.pattern) })
	}
	if !slices.ContainsFunc(x.effects, func(e effect) bool { return !idle(e) }) {
		bad.add("it requires all that the action gives, so that it would change nothing")
	}
}
