package inference

import (
	"strconv"

	"github.com/mishap-robotics/mishap/engine/internal/inference/datalog"
	"github.com/mishap-robotics/mishap/rules"
)

// host solves a goal that a host's predicate answers. All answers are there before the
// first is used, so that what runs in between is no concern of the host.
func (p *interpreter) host(h *datalog.Builtin, g *rules.Term, f *frame, parent *node, stop *cut, found func() bool) bool {
	args := make([]term, len(g.Args))
	for i, a := range g.Args {
		args[i] = f.build(a)
	}
	answers := p.answers(h, g, args)
	for _, out := range answers {
		if stop.done {
			return false
		}
		mark, ok := len(p.trail), true
		for i, t := range out {
			ok = ok && p.unify(args[len(h.In)+i], new(frame).build(t))
		}
		if p.err != nil || ok && with(parent, node{fact: -1, inGo: true, goal: g, frame: f}, found) {
			return true
		}
		p.undo(mark)
	}
	return p.err != nil
}

// sizeOf is about how many bytes a value takes, as a term and read.
func sizeOf(t *rules.Term) int {
	n := 0
	for ; t.Is(".", 2); t = t.Args[1] {
		n += listSize + sizeOf(t.Args[0])
	}
	return n + readSize + len(t.Name)
}

// answers are those of a host's predicate, none where it fails to run.
func (p *interpreter) answers(h *datalog.Builtin, g *rules.Term, args []term) [][]*rules.Term {
	in := make([]*rules.Term, len(h.In))
	if h.Relation {
		in = make([]*rules.Term, len(args))
	}
	for i := range in {
		in[i] = p.read(args[i])
		if h.Relation {
			if p.err == nil && len(in[i].Variables()) > 0 {
				in[i] = nil
			}
			continue
		}
		if p.err == nil {
			p.err = h.CheckInput(i, g.Args[i].Pos, in[i])
		}
	}
	if p.stop() {
		return nil
	}
	call := h.Indicator().String()
	for _, t := range in {
		if call += "\x00"; t != nil {
			call += strconv.Itoa(int(t.Kind)) + t.String()
		}
	}
	if known, ok := p.asked[call]; ok {
		return known
	}
	var out [][]*rules.Term
	err := h.Ask(p.ctx, g.Pos, in, func(answer []*rules.Term) bool {
		out = append(out, answer)
		p.built += nodeSize
		for _, t := range answer {
			p.built += sizeOf(t)
		}
		return !p.stop()
	})
	if p.err == nil {
		p.err = err
	}
	if p.err != nil {
		return nil
	}
	if len(p.asked) < mostAsked && len(out) <= mostAsked {
		if p.asked == nil {
			p.asked = map[string][][]*rules.Term{}
		}
		p.asked[call] = out
	}
	return out
}

// mostAsked is how many calls of hosts' predicates a search remembers, and of how many answers.
const mostAsked = 1024
