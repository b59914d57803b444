package advice

import (
	"bytes"
	"cmp"
	_ "embed"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

// Embedded is the way in which a line is taken for the action that it is nearest to in the
// embedding that comes with mishap.
const Embedded = "embedding"

// How probable an action has to be for a line that is like none by what the ontology knows, and
// how improbable one makes it doubtful that the ontology does know: then another is taken where
// that is almost sure, and else none.
const (
	leastProbable = 0.8
	leastDoubtful = 0.6
	leastSure     = 0.8
	leastStated   = 0.9 // of what seems to be only told
)

// dimensions of the embedding, a power of two; weightStep is what one of a stored weight is.
const (
	dimensions = 1 << 18
	weightStep = 1.0 / 8
)

// stored is the embedding: the names of the actions that it knows, and a weight of one byte of
// each dimension. It is learned from sentences by softmax regression, see embedding_test.go.
//
//go:embed embedding.bin
var stored []byte

// embedding is the line of a plan as a whole, beside all actions with all things that the line
// names: a dimension is a word, a pair of words, letters of one, or what stands around the target
// and the place, each together with the action. Which of them mean an action was learned.
type embedding struct {
	actions map[string]bool
	weights []int8
}

var defaultEmbedding = sync.OnceValue(func() *embedding {
	names, weights, _ := bytes.Cut(stored, []byte("\n"))
	e := &embedding{actions: map[string]bool{}, weights: make([]int8, dimensions)}
	for _, name := range strings.Fields(string(names)) {
		e.actions[name] = true
	}
	for i := range min(len(weights), dimensions) {
		e.weights[i] = int8(weights[i])
	}
	return e
})

// meant is an action that a line may mean, the zero action for none, and how probable that is.
type meant struct {
	action      episode.Action
	schema      *ontology.ActionSchema // nil for none
	probability float64
	traits      []uint32 // dimensions
}

// judge tells how probable the meanings of a line are, none of them first; nil where the
// embedding knows no action of the ontology.
func (m *Mapper) judge(text string) []meant {
	e := defaultEmbedding()
	all := m.noted(text, func() []meant { return m.meanings(text, e.actions) })
	if len(all) == 1 {
		return nil
	}
	weigh(all, func(i uint32) float64 { return float64(e.weights[i]) * weightStep })
	return all
}

// weigh makes the weights of traits probabilities.
func weigh(all []meant, weight func(uint32) float64) {
	most, sum := math.Inf(-1), 0.0
	for k := range all {
		x := 0.0
		for _, i := range all[k].traits {
			x += weight(i)
		}
		all[k].probability = x / math.Sqrt(float64(len(all[k].traits)))
		most = max(most, all[k].probability)
	}
	for k := range all {
		all[k].probability = math.Exp(all[k].probability - most)
		sum += all[k].probability
	}
	for k := range all {
		all[k].probability /= sum
	}
}

// probable is how probable an action has to be; who asks for more likeness than by default asks
// for as much of this.
func (m *Mapper) probable() float64 {
	if m.least() > DefaultMinScore {
		return max(leastProbable, m.least())
	}
	return leastProbable
}

// mayJudge reports whether the embedding knows an action, and sees its things named: an Embedder may
// know things by words that this one does not.
func (m *Mapper) mayJudge(all []meant, a episode.Action) bool {
	if m.Embedder != nil {
		return slices.ContainsFunc(all, func(x meant) bool { return x.action.Name == a.Name })
	}
	return defaultEmbedding().actions[a.Name]
}

// feasible leaves out what is not done to things of a kind, and makes what is left as probable in proportion;
// what is almost sure is said all the same.
func (m *Mapper) feasible(all []meant) []meant {
	sum := 0.0
	may := func(x meant) bool {
		return x.schema == nil || x.probability >= leastSure || m.isMeantFor(x.action) && m.mayBePlace(x.schema, m.classOf(x.action.Destination))
	}
	for _, x := range all {
		if may(x) {
			sum += x.probability
		}
	}
	out := slices.DeleteFunc(slices.Clone(all), func(x meant) bool { return !may(x) })
	for k := range out {
		out[k].probability /= max(sum, math.SmallestNonzeroFloat64)
	}
	return out
}

// considered sets what the ontology makes of a line beside what the embedding does: where they
// agree, that is meant; where one of them says nothing, what the other says if it is sure; where
// they differ, what is much surer, and else nothing.
func (m *Mapper) considered(text string, line engine.AdviceLine) engine.AdviceLine {
	if line.How == Exact || isCall(text) && strings.HasPrefix(trimmed(text), "(") {
		return line
	}
	all := m.feasible(m.judge(text))
	if all == nil || line.Refused == "" && !m.mayJudge(all, line.Action) {
		return line
	}
	best := slices.MaxFunc(all, func(a, b meant) int {
		return cmp.Compare(a.probability, b.probability)
	})
	told := engine.AdviceLine{Text: text, Action: best.action, How: Embedded, Score: best.probability}
	least := m.probable()
	s := m.readSentence(text)
	if m.isOtherDeed(s) {
		if line.Refused == "" {
			line = engine.AdviceLine{Text: text, Refused: "it tells of what no action does"}
		}
		return line
	}
	if to := best.action.Destination; to != "" && !slices.ContainsFunc(s.mentions, func(x mention) bool { return x.object == to }) || m.isOfStranger(s) || !m.isMeantFor(best.action) {
		least = max(least, leastSure) // nobody named that place, or what it begins with; or it cannot be done to that
	}
	if m.isStrangeBehind(s) {
		least = max(least, leastStated) // something else is named first
	}
	if line.Refused != "" {
		if s.settled || m.isOfMore(s) || best.schema == nil || best.probability < least || best.probability < leastSure && !m.mayBePlace(best.schema, m.classOf(best.action.Destination)) || m.isOfProgram(text, best.schema) || s.stated && (!s.plain || best.probability < leastStated || m.denies(s) || m.limits(strings.Join(s.words[s.lead:], " "))) {
			return line
		}
		return told
	}
	said := 0.0
	for _, x := range all {
		if x.action == line.Action {
			said = x.probability
		}
	}
	switch {
	case m.isUnclear(text, line.Action):
		return engine.AdviceLine{Text: text, Refused: "it is not clear which of several things " + line.Action.String() + " is about"}
	case (said >= leastProbable || m.isMeantFor(line.Action)) && (best.action == line.Action || said >= leastDoubtful):
		return line
	case best.schema != nil && best.probability >= leastSure && m.mayBePlace(best.schema, m.classOf(best.action.Destination)):
		return told
	}
	return engine.AdviceLine{Text: text, Refused: "it is doubtful whether " + line.Action.String() + " is meant"}
}

// isStrangeBehind reports whether right behind its verb a sentence names something that is not there: "move
// the chair next to the table".
func (m *Mapper) isStrangeBehind(s *saidLine) bool {
	at := s.lead + 1
	if at+1 >= len(s.words) || s.inMention(s.lead) || !m.isDeterminer(s.words[at]) || s.isSaidOf(at) || s.isSaidOf(at+1) {
		return false
	}
	w := s.words[at+1]
	return !m.isFunction(w) && !m.Ontology.IsWord(w, ontology.Portion) && !m.vocabulary().stems[stem(w)]
}

// isOfMore reports whether a sentence begins with something that is not there, and what it names is joined to
// that: "hammer and pliers into the box".
func (m *Mapper) isOfMore(s *saidLine) bool {
	if len(s.mentions) == 0 || len(s.cues) > 0 {
		return false
	}
	at := s.mentions[0].begin - 1
	return at == s.lead+1 && m.Ontology.IsWord(s.words[at], ontology.Conjunction) && !m.isFunction(s.words[at-1])
}

// leastMoved is how probable it has to be that something is brought to where a line says that it goes.
const leastMoved = 0.05

// byMotion takes a line with a verb that nobody knows, of one thing and of another into or onto which it
// comes, for bringing the one there, whatever the verb: "boot the ball into the crate".
func (m *Mapper) byMotion(text string) (engine.AdviceLine, bool) {
	line := engine.AdviceLine{Text: text}
	s := m.readSentence(text)
	if isCall(text) || s.stated || len(s.mentions) != 2 || s.reasons < len(s.words) || s.lead > 0 || m.denies(s) || m.limits(text) {
		return line, false
	}
	x, y := s.mentions[0], s.mentions[1]
	if m.isOfMore(s) || x.object == y.object || x.placed || x.source || x.aside || !y.placed || y.aside || y.elsewhere || y.end < len(s.words) {
		return line, false
	}
	for i, w := range s.words {
		if m.Ontology.IsWord(w, ontology.OtherDeed) && !s.isSaidOf(i) {
			return line, false
		}
	}
	all := slices.DeleteFunc(m.feasible(m.judge(text)), func(z meant) bool { return z.schema == nil })
	if len(all) == 0 {
		return line, false
	}
	best := slices.MaxFunc(all, func(a, b meant) int { return cmp.Compare(a.probability, b.probability) })
	goes := y.going && y.begin > 0 && (m.Ontology.IsWord(s.words[y.begin-1], ontology.Into) || y.upon)
	if !goes || best.probability < leastMoved || best.action.Target != x.object || best.action.Destination != y.object || best.schema.Family != m.Ontology.Roles.Place.Family || m.isLeftOver(s, best.schema) {
		return line, false
	}
	line.Action, line.How, line.Score = best.action, Embedded, best.probability
	return line, true
}
