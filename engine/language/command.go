package language

import (
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

// longestCommand is the most words that an action is looked for in.
const longestCommand = 32

// command reads what is told to be done, "put the mug in the sink", as what that brings
// about. Of the ends that the clause may have, the last is taken at which an action of the
// ontology is told.
func (p *goalReader) command() bool {
	if _, used := readNoun(p.onto, p.in[p.at:]); used == 1 || p.is(ontology.Linking) {
		return false
	}
	for end := min(len(p.in), p.at+longestCommand); end > p.at+1; end-- {
		if end < len(p.in) && p.in[end] != "," && WordsOf(p.onto, p.in[end:], ontology.Conjunction) == 0 {
			continue
		}
		told := p.in[p.at:end]
		for _, read := range []func([]string) (*phrase, episode.Action, bool){p.said, p.brought} {
			if ph, action, ok := read(told); ok {
				whole := p.in
				if p.try(func() bool { return p.achieve(ph, action, end) }) {
					return true
				}
				p.in = whole
			}
		}
	}
	return false
}

// known are the actions of the ontology by their phrases, made when the first order is read.
func (p *goalReader) known() *Actions {
	if p.actions == nil {
		p.actions = NewActions(p.onto)
	}
	return p.actions
}

// said reads what a phrase says as a whole.
func (p *goalReader) said(told []string) (*phrase, episode.Action, bool) {
	return p.known().findWhole(strings.Join(told, " "))
}

// brought reads what is told to be brought to a place, "bring me the pot to the table", as put
// there.
func (p *goalReader) brought(told []string) (*phrase, episode.Action, bool) {
	n := WordsOf(p.onto, told, ontology.Bringing)
	to := slices.IndexFunc(told, func(w string) bool { return p.onto.IsWord(w, ontology.Going) })
	if n == 0 || to < n {
		return nil, episode.Action{}, false
	}
	end := to + 1
	for end < len(told)-1 && p.onto.IsWord(told[end], ontology.Going) { // "over to"
		end++
	}
	for n < to && WordsOf(p.onto, told[n:], ontology.Filler) > 0 {
		n += WordsOf(p.onto, told[n:], ontology.Filler)
	}
	place := p.onto.Roles.Place
	for i, ph := range p.known().phrases() {
		if place != nil && ph.action.Family == place.Family && p.relationOf(&ph, ontology.None) == p.onto.Core.LocatedAt {
			action := episode.Action{Name: ph.action.Name, Target: strings.Join(told[n:to], " "), Destination: strings.Join(told[end:], " ")}
			return &p.known().phrases()[i], action, true
		}
	}
	return nil, episode.Action{}, false
}

// made reads "pour me a glass of juice", an order that there be such a thing: one not named
// before that is said to be full of something.
func (p *goalReader) made() bool {
	if !p.take(ontology.Making) {
		return false
	}
	p.takeAll(ontology.Filler)
	if n, used := readNoun(p.onto, p.in[p.at:]); used == 0 || n.Definite {
		return false
	}
	before := slices.Clone(p.goal.Patterns)
	some, ok := p.nouns()
	if !ok || p.at < len(p.in) && p.word() != "," && !p.is(ontology.Conjunction) {
		return false
	}
	p.subjects = some
	p.order(before)
	return slices.ContainsFunc(p.goal.Patterns[len(before):], func(q ontology.Pattern) bool { return q.Predicate == p.onto.Core.State })
}

// filled reads "fill the mug with water".
func (p *goalReader) filled() bool {
	if p.onto.Roles.Filled == ontology.None || !p.take(ontology.Filling) {
		return false
	}
	before := slices.Clone(p.goal.Patterns)
	defer func() { p.order(before) }()
	some, ok := p.nouns()
	if !ok || slices.ContainsFunc(some, func(s subject) bool { return !p.hasDimension(p.kindOf(s), p.onto.Roles.Filled) }) {
		return false // a sink is not full of what runs through it
	}
	p.subjects = some
	if slices.ContainsFunc(p.goal.Patterns[len(before):], func(q ontology.Pattern) bool { // "the mug with water", read as one thing
		return q.Predicate == p.onto.Core.Within || q.Predicate == p.onto.Core.State && p.onto.StateIs(q.Object.Term, p.onto.Roles.Filled) > 0
	}) {
		return true
	}
	if p.take(ontology.Having) || p.take(ontology.Content) {
		return p.fills(some)
	}
	if p.at < len(p.in) && p.word() != "," && !p.is(ontology.Conjunction) {
		return false
	}
	p.inState(some, p.onto.Roles.Filled)
	return true
}

// makeSo reads "clean the bowl", an order to bring about the state that its verb is called
// like, where no action is called that.
func (p *goalReader) makeSo() bool {
	ids, n := longest(p.in[p.at:], func(text string) []ontology.TermID {
		if st := p.onto.OrderedBy(text); st != ontology.None {
			return []ontology.TermID{st}
		}
		return nil
	})
	if n == 0 {
		ids, n = stateLabel(p.onto, p.in[p.at:])
	}
	if n == 0 || WordsOf(p.onto, p.in[min(p.at+n, len(p.in)):], ontology.Determiner) == 0 {
		return false
	}
	p.at += n
	some, ok := p.nouns()
	if !ok || p.at < len(p.in) && p.word() != "," && !p.is(ontology.Conjunction) {
		return false
	}
	p.subjects = some
	p.inState(some, ids[0])
	return true
}

// achieve adds what an action brings about, and goes on at the end of its words.
func (p *goalReader) achieve(ph *phrase, action episode.Action, end int) bool {
	whole := p.in
	target, ok := p.argument(action.Target, ph.action)
	if !ok || action.Destination == "" && slices.ContainsFunc(target, func(s subject) bool { return FilledWith(p.onto, p.kindOf(s)) != ontology.None }) {
		return false // of a liquid nothing is known but what it fills, and where it is kept
	}
	var destination []subject
	if action.Destination != "" {
		if destination, ok = p.argument(action.Destination, nil); !ok {
			return false
		}
	}
	if p.subjects, p.named = target, destination; destination == nil {
		p.named = target
	}
	p.in, p.at = whole, end
	before := slices.Clone(p.goal.Patterns)
	said := false
	for _, e := range ph.action.Effects {
		if len(e.When)+len(e.Unless) > 0 {
			continue
		}
		for _, then := range e.Then {
			said = p.bring(ph, then, target, destination) || said
		}
	}
	p.order(before)
	return said || end < len(whole) // what is only on the way, "pick up the apple", to what follows
}

// order notes what was added since, as what an order brings about.
func (p *goalReader) order(before []ontology.Pattern) {
	for _, q := range p.goal.Patterns {
		if !slices.Contains(before, q) {
			p.ordered = append(p.ordered, q)
		}
	}
}

// isUnreadOrder reports whether the next word is the verb of an order, of which nothing else
// could be made: it says nothing of what was spoken of before.
func (p *goalReader) isUnreadOrder() bool {
	if p.at == len(p.in) || p.onto.IsFunctionWord(p.word()) {
		return false
	}
	if _, n := stateLabel(p.onto, p.in[p.at:]); n > 0 {
		return false
	}
	if _, used := readNoun(p.onto, p.in[p.at:]); used > 0 && !p.isOrder(p.at) {
		return false
	}
	return slices.ContainsFunc(p.known().phrases(), func(ph phrase) bool { return strings.EqualFold(ph.verb, p.word()) })
}

// argument reads what the words of an action name, all of them. A pronoun is what was
// named last and can be the target of the action, if it is for that.
func (p *goalReader) argument(text string, target *ontology.ActionSchema) ([]subject, bool) {
	p.in, p.at = Words(text), 0
	if p.take(ontology.Pronoun) {
		for _, some := range [][]subject{p.named, p.subjects} {
			if len(some) > 0 && !slices.ContainsFunc(some, func(s subject) bool { return !p.mayBeTarget(s, target) }) {
				return some, p.at == len(p.in)
			}
		}
		return nil, false
	}
	out, ok := p.argumentNoun(target)
	for ok && target != nil && p.at < len(p.in) && p.join() {
		var more []subject
		if more, ok = p.argumentNoun(target); ok { // "the blanket and the book"
			out = append(out, more...)
		}
	}
	if ok && target != nil && p.take(ontology.Source) { // "the book from the study": where it is now
		p.at = len(p.in)
	}
	return out, ok && p.at == len(p.in)
}

// argumentNoun reads one noun of an argument with what is said of it.
func (p *goalReader) argumentNoun(target *ontology.ActionSchema) ([]subject, bool) {
	led := p.is(ontology.Determiner)
	n, used := readNoun(p.onto, p.in[p.at:])
	if used == 0 || len(n.Unread) > 0 && (!led || n.Class == ontology.None) { // "the wool blanket"
		return nil, false
	}
	p.at += used
	before := len(p.goal.Patterns)
	out, ok := p.meant(n, true)
	if !ok || target == nil && out[0].count != nil {
		return nil, false
	}
	for p.after(out, false, n.Part) {
	}
	if target != nil {
		p.whereNow(out, before, target.Params == 1)
	}
	return out, true
}

// whereNow drops where a thing is that something is to be done to, "slice the potato on the
// counter top", and a state that nothing brings about on purpose, "the dirty cup": they tell
// which one is meant, and not how it is to be; of what is not to be moved also what is in it,
// "open the jar of pickles".
func (p *goalReader) whereNow(of []subject, from int, stays bool) {
	said := p.goal.Patterns[from:]
	p.goal.Patterns = slices.Concat(p.goal.Patterns[:from:from], slices.DeleteFunc(slices.Clone(said), func(q ontology.Pattern) bool {
		if q.Predicate == p.onto.Core.State && q.Subject.IsVar() && !q.Object.IsVar() && p.onto.Opposite(q.Object.Term) != ontology.None && !p.onto.IsMadeSo(q.Object.Term) {
			return slices.ContainsFunc(of, func(s subject) bool { return q.Subject.Var == s.variable })
		}
		return p.onto.IsSub(q.Predicate, p.onto.Core.Within) && q.Object.IsVar() && q.Subject.IsVar() && slices.ContainsFunc(of, func(s subject) bool {
			return q.Subject.Var == s.variable || stays && q.Object.Var == s.variable
		})
	}))
}

// mayBeTarget reports whether a thing is of a kind that an action is done to.
func (p *goalReader) mayBeTarget(s subject, a *ontology.ActionSchema) bool {
	class := p.kindOf(s)
	if a == nil || class == ontology.None {
		return a == nil
	}
	return p.onto.MayBeTarget(a, class)
}

// bring adds one thing that an action brings about, and reports whether there is a
// condition for it.
func (p *goalReader) bring(ph *phrase, then ontology.Pattern, target, destination []subject) bool {
	core := &p.onto.Core
	if then.Subject.Var != ontology.VarTarget {
		return false
	}
	for _, s := range target {
		p.undo(s, then)
	}
	switch {
	case then.Predicate == core.State && !then.Object.IsVar():
		p.inState(target, then.Object.Term)
	case then.Predicate == core.ReplacedBy:
		for _, s := range target {
			if s.count != nil {
				return false
			}
			p.becomes(s, ph.action)
		}
	case (then.Predicate == core.Near || p.onto.IsSub(then.Predicate, core.Within)) && then.Object.Var == ontology.VarDestination && len(destination) > 0:
		p.related(target, p.relationOf(ph, then.Predicate), destination)
	default:
		return false
	}
	return true
}

// doubt drops what orders before one that could not be read ask of what that one speaks of:
// what is filled may then be emptied.
func (p *goalReader) doubt(unread []string) {
	about := map[int]bool{}
	for i := range unread {
		if WordsOf(p.onto, unread[i:], ontology.Pronoun) > 0 {
			for _, s := range slices.Concat(p.subjects, p.named) {
				about[s.variable] = true
			}
		}
		n, used := readNoun(p.onto, unread[i:])
		liquid := FilledWith(p.onto, n.Class)
		for _, q := range p.ordered {
			if used > 0 && n.Class == p.classOf(q.Subject.Var) || liquid != ontology.None && q.Object.Term == liquid {
				about[q.Subject.Var] = true
			}
		}
	}
	p.goal.Patterns = slices.DeleteFunc(slices.Clone(p.goal.Patterns), func(q ontology.Pattern) bool {
		return about[q.Subject.Var] && slices.Contains(p.ordered, q)
	})
}

// undo drops what was asked for before and what an action ends: what is opened and then
// closed is to be closed.
func (p *goalReader) undo(s subject, then ontology.Pattern) {
	core := &p.onto.Core
	p.goal.Patterns = slices.DeleteFunc(slices.Clone(p.goal.Patterns), func(q ontology.Pattern) bool {
		switch {
		case q.Subject.Var != s.variable:
			return false
		case then.Predicate == core.State && q.Predicate == core.State:
			return p.onto.StateIs(q.Object.Term, then.Object.Term) < 0
		}
		return then.Object.Var == ontology.VarDestination && p.onto.IsSub(then.Predicate, core.Within) && p.onto.IsSub(q.Predicate, core.Within)
	})
}

// becomes takes a subject for what an action makes of it.
func (p *goalReader) becomes(s subject, a *ontology.ActionSchema) {
	pieces := p.onto.Pieces(a, p.classOf(s.variable))
	if len(pieces) == 0 {
		return
	}
	g := p.goal
	g.Patterns, g.Names, p.refs = slices.Clone(g.Patterns), slices.Clone(g.Names), slices.Clone(p.refs)
	for i := range g.Patterns {
		if q := &g.Patterns[i]; q.Predicate == p.onto.Core.Type && q.Subject.Var == s.variable {
			q.Object.Term = pieces[0]
		}
	}
	for i := range p.refs {
		if p.refs[i].variable == s.variable {
			p.refs[i].class = pieces[0]
			g.Names[s.variable] = p.onto.Name(pieces[0])
		}
	}
}

// relationOf is the relation that a phrase names before its destination, else that of the
// effect.
func (p *goalReader) relationOf(ph *phrase, otherwise ontology.TermID) ontology.TermID {
	_, rest, _ := strings.Cut(ph.text, "{target}")
	before, _, ok := strings.Cut(rest, "{destination}")
	if !ok {
		return otherwise
	}
	for in := Words(before); len(in) > 0; in = in[1:] { // as "down" of "down on"
		r := &goalReader{onto: p.onto, in: in}
		if id, n := r.relation(); n > 0 && n == len(in) {
			return id
		}
	}
	return otherwise
}
