package advice

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/language"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// Meaning is the way in which a sentence of any form is taken for the action that means
// most nearly the same.
const Meaning = "meaning"

// A sentence is taken for the nearest grounded action where that is at least so near, and
// the next one at least so much farther.
const (
	leastNearness = 0.70
	leastMargin   = 0.06
)

// grounded is an action with objects that there are, and how near a sentence is to it.
type grounded struct {
	schema   *ontology.ActionSchema
	action   episode.Action
	nearness float64
}

// nearest takes a sentence for the action, with its objects, that it is nearest to: both
// are directions of what they speak of, the action by its cues, the objects, and which of
// them is acted on and which is the place. Where there is an Embedder, it has half the
// say.
func (m *Mapper) nearest(ctx context.Context, text string) (engine.AdviceLine, bool) {
	s := m.readSentence(text).clone()
	line := engine.AdviceLine{Text: text}
	if s.unsaid {
		return line, false
	}
	if told, ok := m.byResult(ctx, s, line); ok {
		return told, true
	}
	if told, ok := m.byManner(ctx, s, line); ok {
		return told, true
	}
	if told, ok := m.byPlace(s, line); ok {
		return told, true
	}
	all := m.candidates(s)
	m.byMeaning(ctx, text, all)
	slices.SortStableFunc(all, func(a, b grounded) int { return cmp.Compare(b.nearness, a.nearness) })
	all = slices.CompactFunc(all, func(a, b grounded) bool { return a.action == b.action })
	if len(all) == 0 || all[0].nearness < leastNearness || len(all) > 1 && all[0].nearness-all[1].nearness < leastMargin {
		return m.byPurpose(ctx, s, line)
	}
	line.Action, line.How, line.Score = all[0].action, Meaning, all[0].nearness
	if m.isLeftOver(s, all[0].schema) {
		return engine.AdviceLine{Text: text}, false
	}
	return line, true
}

// byPlace takes a line without a verb, of a thing and where it is to go, for bringing it there: "coat
// on the chair", "the tray onto the cart". With an article and a place that may also tell where
// the thing is it says nothing.
func (m *Mapper) byPlace(s *saidLine, line engine.AdviceLine) (engine.AdviceLine, bool) {
	if len(s.cues) > 0 || !s.plain || s.unsaid || len(s.mentions) != 2 || s.mentions[1].end != len(s.words) {
		return line, false
	}
	x, y := s.mentions[0], s.mentions[1]
	bare := !slices.ContainsFunc(s.words[:x.from], m.isDeterminer)
	if x.begin > 0 && !bare || x.from > 2 || x.to != x.end || !y.placed || y.aside || !bare && !y.going || x.object == y.object {
		return line, false
	}
	for _, a := range m.vocabulary().advised {
		if a.Params > 1 && m.Ontology.Roles.Place != nil && a.Family == m.Ontology.Roles.Place.Family && isPhrasedWith(a, s.words[x.end:y.begin]) && m.Ontology.MayBeTarget(a, x.class) && m.mayBePlace(a, y.class) {
			line.Action, line.How, line.Score = episode.Action{Name: a.Name, Target: x.object, Destination: y.object}, Meaning, leastNearness
			return line, true
		}
	}
	return line, false
}

// isPhrasedWith reports whether a phrase of an action has some words before the place.
func isPhrasedWith(a *ontology.ActionSchema, words []string) bool {
	before := " " + strings.Join(words, " ") + " {destination}"
	return len(words) > 0 && slices.ContainsFunc(a.Phrases, func(p string) bool { return strings.HasSuffix(p, before) })
}

// byPurpose takes a sentence that leaves open which action it means for what it says that it is
// done for, if the verb may mean that: "press the button to turn off the television".
func (m *Mapper) byPurpose(ctx context.Context, s *saidLine, line engine.AdviceLine) (engine.AdviceLine, bool) {
	if s.reasons+1 >= len(s.words) || len(s.mentions) == 0 || !m.Ontology.IsWord(s.words[s.reasons], ontology.Purpose) {
		return line, false
	}
	words := slices.Clone(s.words[s.reasons+1:])
	for i, w := range words {
		if m.Ontology.IsWord(w, ontology.Pronoun) {
			words[i] = s.mentions[0].object
		}
	}
	told, ok := m.nearest(ctx, strings.Join(words, " "))
	schema, known := m.Ontology.Action(told.Action.Name)
	if !ok || !known || s.cues[schema] == 0 {
		return line, false
	}
	told.Text = line.Text
	return told, true
}

// feature is an axis of the directions that sentences and actions are compared by.
type feature struct{ kind, of string }

// Weights of what two directions have in common.
const (
	weightAction = 1.0
	weightObject = 0.8
	weightRole   = 0.6
	weightAside  = 0.3
)

// candidates are the actions that a sentence may mean, with the objects that it names. What
// an action is not done to is its object only where nothing else is named, and no other
// action is meant, and nothing else is said: that cannot be carried out, but it is what is
// said.
func (m *Mapper) candidates(s *saidLine) []grounded {
	out := m.candidatesFor(s, false)
	if len(out) > 0 {
		return out
	}
	plain := *s
	s.cues, s.placing = map[*ontology.ActionSchema]float64{}, map[*ontology.ActionSchema]bool{}
	if m.cue(s, true); len(s.cues) > 0 {
		out = m.candidatesFor(s, false)
	}
	if *s = plain; len(out) == 0 && len(s.mentions) > 0 && len(s.mentions) < 3 && len(s.cues) == 1 && m.isAllSaid(s) {
		out = m.candidatesFor(s, true)
	}
	return out
}

// isAllSaid reports whether a sentence has only words that are known: of cues, of objects, or
// that say nothing of things.
func (m *Mapper) isAllSaid(s *saidLine) bool {
	known := m.vocabulary().stems
	if x := &s.mentions[0]; x.placed || s.reasons < len(s.words)-1 || x.from > s.verb && !m.isDirect(s.words[s.verb+1:x.from]) {
		return false
	}
	for i, w := range s.words {
		if !s.inMention(i) && !known[stem(w)] && !m.isFunction(w) && !m.Ontology.IsWord(w, ontology.Portion) && !m.Ontology.IsWord(w, ontology.Of) && !m.Ontology.IsWord(w, ontology.Preamble) && !strings.HasSuffix(w, "ly") {
			return false
		}
	}
	return true
}

// isDirect reports whether between a verb and its object nothing stands but words of theirs.
func (m *Mapper) isDirect(between []string) bool {
	return !slices.ContainsFunc(between, func(w string) bool {
		return !m.isFunction(w) && !m.Ontology.IsWord(w, ontology.Portion) && !m.Ontology.IsWord(w, ontology.Of) && !m.Ontology.IsWord(w, ontology.Placing) && len(w) > 4
	})
}

// candidatesFor are those actions; with anything, on objects of any kind.
func (m *Mapper) candidatesFor(s *saidLine, anything bool) []grounded {
	var out []grounded
	add := func(line map[feature]float64, a *ontology.ActionSchema, target, destination string) {
		if m.comesToNothing(s, a, target, destination) {
			return
		}
		g := grounded{schema: a, action: episode.Action{Name: a.Name, Target: target, Destination: destination}}
		v := map[feature]float64{{"action", a.Name}: weightAction}
		if target != "" {
			v[feature{"object", target}], v[feature{"target", target}] = weightObject, weightRole
		}
		if destination != "" {
			v[feature{"object", destination}], v[feature{"place", destination}], v[feature{"placing", a.Name}] = weightObject, weightRole, weightRole
		}
		g.nearness = cosine(line, v)
		out = append(out, g)
	}
	liquid := m.isOfLiquid(s)
	for _, a := range m.vocabulary().advised {
		if s.cues[a] == 0 || liquid && m.Ontology.Moves(a) {
			continue
		}
		if s.placing[a] && !slices.ContainsFunc(s.mentions, func(x mention) bool { return x.source }) {
			continue // nothing is said of where it comes from
		}
		line := m.direction(s, a)
		to := m.broughtTo(s, a)
		if to != "" {
			line[feature{"object", to}], line[feature{"place", to}], line[feature{"placing", a.Name}] = weightObject, weightRole, weightRole
		}
		if a.Required == 0 {
			add(line, a, "", "")
		}
		for _, x := range s.mentions {
			if anything && (x.source || a.Params < len(s.mentions)) {
				continue
			}
			if !anything && x.class != ontology.None && !m.Ontology.MayBeTarget(a, x.class) || a.Required == 0 && (x.aside && !s.isOnlyElsewhere(x) || a != m.Ontology.Roles.Look) {
				continue
			}
			if m.Ontology.IsNavigation(a) && !x.placed && slices.ContainsFunc(s.mentions, func(y mention) bool { return y.placed && !y.aside && y.from > x.to }) {
				continue // that is brought to a place, and nobody goes there
			}
			if a.Params > 1 && x.going || m.Ontology.IsNavigation(a) && !x.placed && x.from < s.at[a] {
				continue // it is a place that something is brought to, or nobody goes there
			}
			goneTo := x.placed && a.Params == 1 && slices.ContainsFunc(s.mentions, func(y mention) bool { return !y.aside && !y.placed && y.object != x.object && !s.isOfCue(a, y) })
			if a.Params == 1 && !goneTo && !s.isOfCue(a, x) && !m.isOfPart(s, a, x) {
				add(line, a, x.object, "")
			}
			if to != "" && x.object != to {
				add(line, a, x.object, to)
			}
			for _, y := range s.mentions {
				if a.Params > 1 && x.object != y.object && m.mayBePlace(a, y.class) && !m.isOfNext(s, a, y) && !m.isOfPart(s, a, x) && !y.aside && (y.placed || s.placing[a]) && (s.placing[a] || y.beside == m.Ontology.SetsBeside(a)) {
					add(line, a, x.object, y.object)
				}
			}
		}
	}
	return out
}

// isOnlyElsewhere reports whether a sentence names nothing but a thing, under or behind which something is.
func (s *saidLine) isOnlyElsewhere(x mention) bool {
	return x.elsewhere && !slices.ContainsFunc(s.mentions, func(y mention) bool { return y.object != x.object && !y.aside })
}

// mayBePlace reports whether things of a class have the properties that an action asks of where it
// brings something; so has what the ontology does not know.
func (m *Mapper) mayBePlace(a *ontology.ActionSchema, class ontology.TermID) bool {
	return class == ontology.None || !slices.ContainsFunc(a.Preconditions, func(c ontology.Condition) bool {
		return len(c.When) == 0 && slices.ContainsFunc(c.Requires, func(q ontology.Pattern) bool {
			return q.Predicate == m.Ontology.Core.HasProperty && q.Subject.Var == ontology.VarDestination && !q.Object.IsVar() && !m.Ontology.HasProperty(class, q.Object.Term)
		})
	})
}

// isOfNext reports whether a place is that of another action, behind a conjunction with a verb of its
// own: "carry the bowl and walk to the table".
func (m *Mapper) isOfNext(s *saidLine, a *ontology.ActionSchema, y mention) bool {
	for i := s.at[a] + 1; i+1 < y.begin; i++ {
		if m.Ontology.IsWord(s.words[i], ontology.Conjunction) && m.vocabulary().verbs[stem(s.words[i+1])] && !s.isSaidOf(i+1) {
			return !m.wordsOf(a)[stem(s.words[i+1])]
		}
	}
	return false
}

// isOfCue reports whether the name of a thing is a part of what tells of an action: of the knife in
// "use the knife on".
func (s *saidLine) isOfCue(a *ontology.ActionSchema, x mention) bool {
	return !x.outlet && slices.ContainsFunc(s.told[a], func(i int) bool { return x.from <= i && i < x.to })
}

// isOfPart reports whether an action moves a part of a thing only, as who takes the lid from the pot.
func (m *Mapper) isOfPart(s *saidLine, a *ontology.ActionSchema, x mention) bool {
	if !m.Ontology.Moves(a) && !m.Ontology.SetsBeside(a) || m.Ontology.IsNavigation(a) {
		return false
	}
	isLid := func(w string) bool { return m.Ontology.IsWord(w, ontology.Lid) }
	if slices.ContainsFunc(s.words[x.begin:x.from], isLid) || slices.ContainsFunc(s.words[x.to:x.end], isLid) {
		return true
	}
	if !x.source {
		return false
	}
	for i := s.at[a]; i < x.begin; i++ {
		if i > 0 && m.isDeterminer(s.words[i-1]) && m.Ontology.IsWord(s.words[i], ontology.Portion) {
			return true
		}
	}
	return false
}

// comesToNothing reports whether a sentence says that something is brought to a place, or that
// something else has to do with it, of which an action that moves something knows nothing: "take
// the apple to the fridge" is more than to take it. What is said of another action, behind a conjunction, is nothing to it.
func (m *Mapper) comesToNothing(s *saidLine, a *ontology.ActionSchema, target, destination string) bool {
	at := slices.IndexFunc(s.mentions, func(x mention) bool { return x.object == target })
	if at < 0 {
		return false
	}
	known := m.vocabulary().stems
	for _, x := range s.mentions[at+1:] {
		if x.elsewhere && m.Ontology.Moves(a) && destination == "" && !m.Ontology.IsNavigation(a) {
			return true // it is brought there, perhaps
		}
		between := s.words[s.mentions[at].to:x.from]
		if and := slices.IndexFunc(between, func(w string) bool { return m.Ontology.IsWord(w, ontology.Conjunction) }); and >= 0 {
			joined := !slices.ContainsFunc(between[and+1:], func(w string) bool { return known[stem(w)] })
			return joined && !x.aside
		}
		if m.Ontology.Moves(a) && (x.going || !x.placed) && !x.aside && x.object != target && x.object != destination {
			return true
		}
	}
	return false
}

// isOfLiquid reports whether what a sentence does something to is a liquid that it names before
// its vessel: "throw the water in the pot away". The vessel stays where it is.
func (m *Mapper) isOfLiquid(s *saidLine) bool {
	at := slices.IndexFunc(s.mentions, func(x mention) bool { return x.from > s.verb })
	if at < 0 {
		return false
	}
	for i := s.verb + 1; i < s.mentions[at].end; i++ {
		if s.mentions[at].from <= i && i < s.mentions[at].to || i+1 == s.mentions[at].from {
			continue
		}
		if class := m.Ontology.ByLabel(s.words[i], m.Ontology.Core.PhysicalObject); len(class) > 0 && m.Ontology.IsLiquid(class[0]) {
			return true
		}
	}
	return false
}

// direction is that of a sentence which is looked at as one of an action: only what has a
// place for another thing can be done to what the sentence names as a source.
func (m *Mapper) direction(s *saidLine, a *ontology.ActionSchema) map[feature]float64 {
	v := map[feature]float64{}
	most := 0.0
	for _, w := range s.cues {
		most = max(most, w)
	}
	for b, w := range s.cues {
		v[feature{"action", b.Name}] = weightAction * w / most
	}
	target := slices.IndexFunc(s.mentions, func(x mention) bool {
		return !x.aside && !x.placed && (x.from > s.verb || x.meant) && !s.isOfCue(a, x)
	})
	if s.placing[a] {
		target = slices.IndexFunc(s.mentions, func(x mention) bool { return x.source })
	}
	if target < 0 && a == m.Ontology.Roles.Look {
		target = slices.IndexFunc(s.mentions, s.isOnlyElsewhere)
	}
	for _, may := range []func(mention) bool{
		func(x mention) bool { return !x.aside && !x.placed && !s.isOfCue(a, x) },
		func(x mention) bool {
			return x.source && (a.Params > 1 || len(s.mentions) == 1 && !m.Ontology.Moves(a))
		},
		func(x mention) bool { return !x.aside && !s.isOfCue(a, x) }, // all of them are places, as where one goes
	} {
		if target < 0 {
			target = slices.IndexFunc(s.mentions, may)
		}
	}
	into := slices.ContainsFunc(s.mentions, func(x mention) bool { return x.placed && !x.beside && !x.aside })
	for i, x := range s.mentions {
		switch {
		case s.isOfCue(a, x):
		case x.beside && into && i != target: // it tells where of that place
			v[feature{"object", x.object}] = weightAside
		case i == target:
			v[feature{"object", x.object}], v[feature{"target", x.object}] = weightObject, weightRole
		case x.aside:
			v[feature{"object", x.object}] = max(v[feature{"object", x.object}], weightAside)
		default:
			v[feature{"object", x.object}], v[feature{"place", x.object}] = weightObject, weightRole
			for _, b := range m.vocabulary().advised {
				if b.Params > 1 && s.cues[b] > 0 && m.fits(b, x) {
					v[feature{"placing", b.Name}] = weightRole
				}
			}
		}
	}
	return v
}

// fits reports whether an action is the one that brings something to a place named in such
// a relation.
func (m *Mapper) fits(a *ontology.ActionSchema, at mention) bool {
	if at.beside || m.Ontology.SetsBeside(a) {
		return at.beside && m.Ontology.SetsBeside(a)
	}
	if at.atop || at.upon {
		return m.setsOnTop(a)
	}
	return m.Ontology.Preferred(a, at.class) == a
}

// setsOnTop reports whether an action brings its target on top of something.
func (m *Mapper) setsOnTop(a *ontology.ActionSchema) bool {
	return slices.ContainsFunc(a.Effects, func(e ontology.Effect) bool {
		return slices.ContainsFunc(e.Then, func(p ontology.Pattern) bool {
			return p.Predicate == m.Ontology.Core.OnTopOf && p.Subject.Var == ontology.VarTarget
		})
	})
}

func cosine(a, b map[feature]float64) float64 {
	dot, x, y := 0.0, 0.0, 0.0
	for f, v := range a {
		dot += v * b[f]
		x += v * v
	}
	for _, v := range b {
		y += v * v
	}
	if x == 0 || y == 0 {
		return 0
	}
	return dot / math.Sqrt(x*y)
}

// byMeaning lets an embedder judge some actions as well.
func (m *Mapper) byMeaning(ctx context.Context, text string, all []grounded) {
	if m.Embedder == nil || len(all) == 0 {
		return
	}
	nodes := []scene.Node{{ID: "sentence", Class: text}}
	for i, g := range all {
		nodes = append(nodes, scene.Node{ID: strconv.Itoa(i), Class: worded(g)})
	}
	vectors, err := m.Embedder.Embed(ctx, nodes)
	if err != nil || len(vectors) != len(nodes) || discrepancy.CheckVectors(vectors) != nil {
		return // what the ontology knows is all there is to go by
	}
	for i := range all {
		all[i].nearness = (all[i].nearness + discrepancy.Cosine(vectors[0], vectors[i+1])) / 2
	}
}

// worded is an action as a sentence.
func worded(g grounded) string {
	if len(g.schema.Phrases) == 0 {
		return g.action.String()
	}
	return strings.NewReplacer("{target}", "the "+g.action.Target, "{destination}", "the "+g.action.Destination).Replace(g.schema.Phrases[0])
}

// isLeftOver reports whether a sentence names a thing that an action knows nothing of, as what it is
// done to or where: "hang the mug on the hook". Where something comes from may be anywhere.
func (m *Mapper) isLeftOver(s *saidLine, a *ontology.ActionSchema) bool {
	if a.Required == 0 && len(s.mentions) == 0 && a != m.Ontology.Roles.Look {
		return false
	}
	own := m.wordsOf(a)
	for i := s.lead; i < min(len(s.words), s.reasons); i++ {
		if i == 0 || !m.isDeterminer(s.words[i]) || s.isSaidOf(i) || s.relating[i] {
			continue
		}
		before := s.words[i-1]
		if a == m.Ontology.Roles.Look && len(s.mentions) > 0 || a != m.Ontology.Roles.Look && !m.isPreposition(before) || m.Ontology.IsWord(before, ontology.Source) || language.WordsOf(m.Ontology, s.words[i-1:], ontology.Preamble) > 0 {
			continue
		}
		named := 0
		for k := i + 1; k < len(s.words) && !s.isSaidOf(k) && !m.isFunction(s.words[k]) && !m.Ontology.IsWord(s.words[k], ontology.Of); k++ {
			_, number := m.Ontology.Ordinal(s.words[k])
			floor := slices.Contains(m.Ontology.ByLabel(s.words[k], m.Ontology.Core.PhysicalObject), m.Ontology.Core.Floor)
			if floor || own[stem(s.words[k])] || m.Ontology.IsWord(s.words[k], ontology.Portion) || number || m.Ontology.IsWord(s.words[k], ontology.Single) {
				named = 0
				break
			}
			named++
		}
		if named > 0 {
			return true
		}
	}
	return false
}

// isSaidOf reports whether a word stands in what is said of a thing.
func (s *saidLine) isSaidOf(i int) bool {
	return slices.ContainsFunc(s.mentions, func(x mention) bool { return x.begin <= i && i < x.end })
}

// wordsOf are the words of all cues of an action without their endings.
func (m *Mapper) wordsOf(a *ontology.ActionSchema) map[string]bool {
	return m.vocabulary().ownWords[a]
}
