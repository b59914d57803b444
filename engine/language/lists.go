package language

import (
	"slices"

	"github.com/mishap-robotics/mishap/ontology"
)

// listed reads what is in or on what was named: "sliced lettuce, tomato and potato" are
// all sliced. A noun with a determiner begins something else.
func (p *goalReader) listed(in []subject) bool {
	said := p.modifiers()
	inner, ok := p.noun(false)
	if !ok {
		return false
	}
	p.related(inner, p.onto.Core.Within, in)
	for p.try(func() bool { return p.join() && !p.is(ontology.Determiner) && p.oneMore(said, in) }) {
	}
	return true
}

// enumerated is listed for several things before a verb, "lettuce, tomato and potato is".
func (p *goalReader) enumerated(in []subject) bool {
	from := p.at
	return p.listed(in) && p.is(ontology.Linking) && slices.ContainsFunc(p.in[from:p.at], func(w string) bool { return p.onto.IsWord(w, ontology.Conjunction) })
}

// modifiers are the words before the last of the next noun.
func (p *goalReader) modifiers() []string {
	from := p.at
	p.takeAll(ontology.Determiner)
	_, used := readNoun(p.onto, p.in[p.at:])
	out := p.in[p.at : p.at+max(used-1, 0)]
	p.at = from
	return out
}

// oneMore reads one more noun of a list, with what was said of the first where that can
// be said of it.
func (p *goalReader) oneMore(said []string, in []subject) bool {
	rest := p.in[p.at:]
	n, used := readNoun(p.onto, rest)
	if used == 0 || len(n.Unread) > 0 || n.All || n.None {
		return false
	}
	p.at += used
	if alike, all := readNoun(p.onto, slices.Concat(said, rest[:used])); all == len(said)+used && len(alike.Unread) == 0 && len(n.States) == 0 && !slices.Equal(said, rest[:min(used, len(said))]) {
		n = alike
	}
	p.related([]subject{{variable: p.thing(n)}}, p.onto.Core.Within, in)
	return true
}
