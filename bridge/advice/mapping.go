package advice

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/language"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// DefaultMinScore is how alike words must be to a known action or object, from 0 to 1,
// to be taken for it.
const DefaultMinScore = 0.75

// The ways in which words are taken for an action, best first.
const (
	Exact   = "exact"   // action and objects by their names
	Label   = "label"   // by their labels, or phrases of the ontology
	Similar = "similar" // by words that are like them
)

// Mapper takes the words of a plan for actions and objects that are known.
type Mapper struct {
	Ontology *ontology.Ontology
	Objects  []NamedObject // that there are
	MinScore float64       // DefaultMinScore where 0
	// Embedder, where there is one, tells how alike the names of objects are by what
	// they mean; nil for by their letters alone.
	Embedder discrepancy.Embedder

	reading sync.Mutex // of what was noted last
	words   *vocabulary
	last    *notes
}

// NamedObject is an object with its class.
type NamedObject struct{ Name, Class string }

// match is what some words were taken for.
type match struct {
	name  string
	how   int // index into ways
	score float64
}

var ways = []string{Exact, Label, Similar}

func (m *Mapper) least() float64 {
	if m.MinScore > 0 {
		return m.MinScore
	}
	return DefaultMinScore
}

// Map takes a line for an action: "(pick_up, Mug-1)" by its names; a sentence by what it
// means (see nearest), else by a wording of the ontology that says all of it, else by what is
// similar. A line that is like none, or has the wrong number of objects, is refused, and says why.
func (m *Mapper) Map(ctx context.Context, text string) engine.AdviceLine {
	if told, ok := m.byClauses(ctx, text); ok {
		return told
	}
	line := m.known(ctx, text)
	if two, ok := m.twoInOne(ctx, text, line); ok {
		return two
	}
	if line.How != Exact {
		if told, ok := m.byProgram(text); ok {
			return told
		}
	}
	line = m.considered(text, line)
	if bare, ok := m.withoutRemarks(text); ok && line.Refused != "" {
		if told := m.Map(ctx, bare); told.Refused == "" {
			told.Text = text
			return told
		}
	}
	if line.Refused != "" {
		if told, ok := m.byParts(ctx, text); ok {
			return told
		}
		if told, ok := m.byMotion(text); ok {
			return told
		}
	}
	return line
}

// known takes a line for an action by what the ontology knows of it.
func (m *Mapper) known(ctx context.Context, text string) engine.AdviceLine {
	line := engine.AdviceLine{Text: text}
	found, best, errs := m.best(ctx, text)
	read := best.score >= m.least()
	odd := best.how > 0 && read && (!m.isMeantFor(found) || m.saysMore(text, found))
	if !isCall(text) || !read || odd {
		near, ok := m.nearest(ctx, text)
		told, worded := m.wording(text)
		switch {
		case ok && read && found == near.Action:
		case worded && (!ok || told == near.Action):
			found, best, read, odd = told, match{how: slices.Index(ways, Label), score: 1}, true, false
		case ok:
			return near
		}
	}
	switch {
	case best.score < 0 && len(errs) > 0:
		line.Refused = errs[0]
	case best.score < 0:
		line.Refused = "it is like no action that the robot can do"
	case !read:
		line.Refused = fmt.Sprintf("it is only %.2f like %s; expected at least %.2f", best.score, found, m.least())
	case odd && (ways[best.how] == Similar || m.isMeantFor(found)):
		line.Refused = fmt.Sprintf("it says something else than %s", found)
	default:
		line.Action, line.How, line.Score = found, ways[best.how], best.score
	}
	return line
}

// best is the best reading of a line by names, phrases and similarity, of a score below 0 where
// there is none, and what is wrong with the others.
func (m *Mapper) best(ctx context.Context, text string) (found episode.Action, best match, errs []string) {
	best.score = -1
	for _, r := range m.readings(text) {
		a, at, err := m.ground(ctx, r)
		if err != "" {
			if !slices.Contains(errs, err) {
				errs = append(errs, err)
			}
			continue
		}
		if best.score < 0 || at.how < best.how || at.how == best.how && at.score > best.score {
			best, found = at, a
		}
	}
	return found, best, errs
}

// isMeantFor reports whether what an action is done to is of a kind that it is done to.
func (m *Mapper) isMeantFor(a episode.Action) bool {
	schema, ok := m.Ontology.Action(a.Name)
	if !ok || a.Target == "" {
		return true
	}
	stem, _ := episode.SplitName(a.Target)
	class, known := m.Ontology.Lookup(stem)
	return !known || m.Ontology.MayBeTarget(schema, class)
}

// isUnclear reports whether a line tells one of several things of a class apart by a word that says
// nothing to the mapper, as the top drawer of two.
func (m *Mapper) isUnclear(text string, a episode.Action) bool {
	s := m.readSentence(text)
	return slices.ContainsFunc(s.mentions, func(x mention) bool {
		if x.object != a.Target && x.object != a.Destination || strings.Contains(x.object, "-") {
			return false
		}
		return slices.ContainsFunc(s.words[x.begin:x.from], func(w string) bool { return m.Ontology.IsWord(w, ontology.Trailing) })
	})
}

// saysMore reports whether a line says more than an action does.
func (m *Mapper) saysMore(text string, a episode.Action) bool {
	schema, ok := m.Ontology.Action(a.Name)
	if !ok {
		return false
	}
	s := m.readSentence(text)
	return m.comesToNothing(s, schema, a.Target, a.Destination) || !isCall(text) && m.isLeftOver(s, schema)
}

// wording takes a line for the one action that a phrase or pattern of the ontology tells with it,
// if that says all of it but what it is done for.
func (m *Mapper) wording(text string) (episode.Action, bool) {
	s := m.readSentence(text)
	if s.unsaid || s.lead > 0 || s.reasons == 0 {
		return episode.Action{}, false
	}
	var found []episode.Action
	for _, w := range m.vocabulary().actions.Wordings(strings.Join(s.words[:s.reasons], " ")) {
		a := episode.Action{Name: w.Action.Name}
		ok := !w.Action.OnlyTold && (w.Destination != "" || w.Action.Params < 2) && (w.Target != "" || w.Action.Required == 0)
		for i, words := range []string{w.Target, w.Destination} {
			if ok && words != "" {
				*[]*string{&a.Target, &a.Destination}[i], ok = m.wholeName(strings.Fields(words))
			}
		}
		if at := slices.IndexFunc(s.mentions, func(x mention) bool { return x.object == a.Destination }); at >= 0 && ok && w.Action.Params > 1 {
			ok = m.fits(w.Action, s.mentions[at])
		}
		elsewhere := slices.ContainsFunc(s.mentions, func(x mention) bool { return x.elsewhere })
		if ok && !elsewhere && !m.isLeftOver(s, w.Action) && m.isMeantFor(a) && !m.comesToNothing(s, w.Action, a.Target, a.Destination) && !slices.Contains(found, a) {
			found = append(found, a)
		}
	}
	if len(found) != 1 {
		return episode.Action{}, false
	}
	return found[0], true
}

// wholeName is the object that all of some words name.
func (m *Mapper) wholeName(words []string) (string, bool) {
	s := &saidLine{words: words}
	m.mention(s)
	m.extend(s)
	if len(s.mentions) != 1 {
		return "", false
	}
	x := s.mentions[0]
	return x.object, !slices.ContainsFunc(words[x.to:], func(w string) bool { return m.Ontology.IsWord(w, ontology.Lid) }) && x.begin == 0 && x.end == len(words) && !slices.ContainsFunc(words[:x.from], func(w string) bool { return m.Ontology.IsWord(w, ontology.Of) })
}

// reading is one way to part a line into an action and the words for its objects.
type reading struct {
	action *ontology.ActionSchema
	at     match
	args   []string
}

// isCall reports whether a line is written as plans and programs write an action.
func isCall(text string) bool {
	s := trimmed(text)
	return strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")") || strings.IndexByte(s, '(') > 0 && strings.HasSuffix(s, ")")
}

func trimmed(text string) string {
	return strings.TrimSpace(strings.TrimRight(strings.TrimSpace(text), ".,;"))
}

// readings lists the ways to read a line.
func (m *Mapper) readings(text string) []reading {
	s := trimmed(text)
	if strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")") {
		return m.called(s[1 : len(s)-1])
	}
	if i := strings.IndexByte(s, '('); i > 0 && strings.HasSuffix(s, ")") {
		return m.called(s[:i] + "," + s[i+1:len(s)-1])
	}
	var out []reading
	words := strings.Fields(strings.ToLower(strings.NewReplacer("\"", "", "'s ", " ").Replace(s)))
	for _, p := range m.vocabulary().phrases {
		if r, ok := p.spoken(words); ok && r.at.score >= m.least() {
			out = append(out, r)
		}
	}
	return out
}

// called reads "name, object, place".
func (m *Mapper) called(s string) []reading {
	parts := strings.Split(s, ",")
	for i := range parts {
		parts[i] = strings.Trim(strings.TrimSpace(parts[i]), "\"'` ")
	}
	args := slices.DeleteFunc(parts[1:], func(s string) bool { return s == "" })
	if a, ok := m.Ontology.Action(parts[0]); ok {
		how := 0
		if a.Name != parts[0] {
			how = 1
		}
		return []reading{{a, match{a.Name, how, 1}, args}}
	}
	var out []reading
	for _, a := range m.vocabulary().advised {
		score := ontology.Similarity(parts[0], a.Name)
		for _, label := range m.Ontology.Terms[a.Term].Labels {
			score = max(score, ontology.Similarity(plainName(parts[0]), plainName(label)))
		}
		if score >= m.least() {
			out = append(out, reading{a, match{a.Name, 2, score}, args})
		}
	}
	return out
}

var joined = strings.NewReplacer("_", "", " ", "", "-", "")

func plainName(s string) string { return joined.Replace(s) }

var hole = regexp.MustCompile(`\{(target|destination)\}`)

// phrase is one of an action, as "put {target} into {destination}".
type phrase struct {
	action *ontology.ActionSchema
	words  [][]string // before the first, between, and behind the last thing
	things []int      // which of the things each is
}

func newPhrase(a *ontology.ActionSchema, text string) phrase {
	p := phrase{action: a}
	for _, between := range hole.Split(text, -1) {
		p.words = append(p.words, strings.Fields(between))
	}
	for _, slot := range hole.FindAllStringSubmatch(text, -1) {
		p.things = append(p.things, map[string]int{"target": 0, "destination": 1}[slot[1]])
	}
	return p
}

// spoken reads words by a phrase: its words in their order, the first few perhaps spelt otherwise.
func (p phrase) spoken(words []string) (reading, bool) {
	var args [2]string
	score := 1.0
	rest := words
	for i, literal := range p.words {
		if i == 0 {
			if len(rest) < len(literal) {
				return reading{}, false
			}
			score = ontology.Similarity(strings.Join(rest[:len(literal)], " "), strings.Join(literal, " "))
			rest = rest[len(literal):]
			continue
		}
		end := len(rest)
		if len(literal) > 0 {
			if end = language.IndexWords(rest, literal); end < 1 {
				return reading{}, false
			}
		}
		arg := strings.Join(rest[:end], " ")
		if arg == "" {
			return reading{}, false
		}
		args[p.things[i-1]] = arg
		rest = rest[min(len(rest), end+len(literal)):]
	}
	if len(rest) > 0 {
		return reading{}, false
	}
	how := 1
	if score < 1 {
		how = 2
	}
	return reading{p.action, match{p.action.Name, how, score}, slices.DeleteFunc(args[:], func(s string) bool { return s == "" })}, true
}

// ground finds the objects of a reading.
func (m *Mapper) ground(ctx context.Context, r reading) (episode.Action, match, string) {
	a, at := episode.Action{Name: r.action.Name}, r.at
	if len(r.args) < r.action.Required || len(r.args) > r.action.Params {
		return a, at, fmt.Sprintf("%s takes %d objects; found %d", r.action.Name, r.action.Params, len(r.args))
	}
	for i, words := range r.args {
		o := m.object(ctx, words)
		if o.score < m.least() {
			near := ""
			if o.name != "" {
				near = fmt.Sprintf("; the nearest is %s, %.2f alike, and %.2f is expected", o.name, o.score, m.least())
			}
			return a, at, fmt.Sprintf("there is no object %s%s", `"`+name(words)+`"`, near)
		}
		at.how, at.score = max(at.how, o.how), min(at.score, o.score)
		*[]*string{&a.Target, &a.Destination}[i] = o.name
	}
	return a, at, ""
}

// asides begin what is said of an object besides its name.
var asides = []string{" from ", " with ", " using ", " that ", " which ", " on the ", " in the ", " inside the ", " next to ", " near ", " so "}

// object finds what some words name: an object by its name or label, the one object of
// a class, the class where there are several (the context tells which), else what is
// most alike.
func (m *Mapper) object(ctx context.Context, words string) match {
	words = strings.Trim(strings.TrimSpace(words), "\"'`")
	for _, o := range m.Objects {
		if o.Name == words {
			return match{o.Name, 0, 1}
		}
	}
	for _, cut := range append([]string{""}, asides...) {
		text := words
		if cut != "" {
			before, _, ok := strings.Cut(strings.ToLower(words), cut)
			if !ok {
				continue
			}
			text = before
		}
		if name, ok := m.labelled(text); ok {
			return match{name, 1, 1}
		}
	}
	return m.alike(ctx, words)
}

var (
	articles = []string{"the", "a", "an", "this", "that", "one", "my", "your", "its"}
	article  = regexp.MustCompile(`^(?:` + strings.Join(articles, "|") + `)\s+`)
)

func isArticle(word string) bool { return slices.Contains(articles, word) }

// labelled finds an object by its name in another spelling, or by its class.
func (m *Mapper) labelled(words string) (string, bool) {
	words = article.ReplaceAllString(strings.ToLower(strings.TrimSpace(words)), "")
	known, plain := m.notes().things, plainName(words)
	for _, o := range known {
		if o.plain == plain {
			return o.Name, true
		}
	}
	base, number := words, ""
	if word, rest, ok := strings.Cut(words, " "); ok {
		if n, known := m.Ontology.Ordinal(word); known {
			base, words, number = rest, rest, strconv.Itoa(n)
		}
	}
	if i := strings.LastIndexAny(words, " -_#"); i > 0 && strings.Trim(words[i+1:], "0123456789") == "" {
		base, number = strings.TrimRight(words[:i], " -_#"), words[i+1:]
	}
	ids := m.Ontology.ByLabel(base, m.Ontology.Core.PhysicalObject)
	if id, ok := m.Ontology.Lookup(strings.TrimSpace(base)); ok {
		ids = append(ids, id)
	}
	ids = append(ids, m.vocabulary().spelt[strings.ToLower(plainName(base))]...)
	ids = append(ids, m.nicknamed(base)...)
	for _, id := range ids {
		var here, proper []string // those of just that class, and not of one below it
		for _, o := range known {
			if o.class != ontology.None && m.Ontology.IsA(o.class, id) && (number == "" || strings.HasSuffix(o.Name, "-"+number)) {
				here = append(here, o.Name)
				if o.class == id {
					proper = append(proper, o.Name)
				}
			}
		}
		switch {
		case len(here) == 1:
			return here[0], true
		case len(proper) == 1:
			return proper[0], true
		case len(here) > 1:
			return m.Ontology.Name(id), true
		case m.becomes(id):
			return m.Ontology.Name(id), true
		}
	}
	return "", false
}

// nicknamed are the classes of what is there that some words are a nickname of, if they are of one only.
func (m *Mapper) nicknamed(words string) []ontology.TermID {
	name := strings.ToLower(plainName(words))
	ids := m.Ontology.ByNickname(name)
	if single, ok := strings.CutSuffix(name, "s"); ok && len(ids) == 0 && len(single) > 2 {
		ids = m.Ontology.ByNickname(single)
	}
	here := slices.DeleteFunc(slices.Clone(ids), func(id ontology.TermID) bool {
		return !slices.ContainsFunc(m.notes().things, func(o knownThing) bool {
			return o.class != ontology.None && m.Ontology.IsA(o.class, id)
		})
	})
	if len(here) > 1 {
		return nil
	}
	return here
}

// becomes reports whether something there can be cut or cracked into a class.
func (m *Mapper) becomes(piece ontology.TermID) bool {
	return slices.ContainsFunc(m.Objects, func(o NamedObject) bool {
		class, ok := m.Ontology.Lookup(o.Class)
		return ok && slices.Contains(m.Ontology.Forms(class), piece)
	})
}

// alike finds the object whose name or class is most like some words.
func (m *Mapper) alike(ctx context.Context, words string) match {
	words = article.ReplaceAllString(strings.ToLower(words), "")
	best := match{how: 2}
	for _, o := range m.Objects {
		score := ontology.Similarity(plainName(words), plainName(o.Name))
		if s := ontology.Similarity(plainName(words), plainName(o.Class)); s > score {
			score = s
		}
		if score > best.score {
			best.name, best.score = o.Name, score
		}
	}
	if m.Embedder == nil || best.score >= m.least() || len(m.Objects) == 0 {
		return best
	}
	nodes := []scene.Node{{ID: words, Class: words}}
	for _, o := range m.Objects {
		nodes = append(nodes, scene.Node{ID: o.Name, Class: o.Class})
	}
	vectors, err := m.Embedder.Embed(ctx, nodes)
	if err != nil || len(vectors) != len(nodes) || discrepancy.CheckVectors(vectors) != nil {
		return best // letters are all there is to go by
	}
	for i, o := range m.Objects {
		if s := discrepancy.Cosine(vectors[0], vectors[i+1]); s > best.score {
			best.name, best.score = o.Name, s
		}
	}
	return best
}
