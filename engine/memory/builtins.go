package memory

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/cayleygraph/quad"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/record"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// present is the episode that a goal or rule is asked of.
type present struct {
	Entry
	stored bool               // it is in the memory
	own    func() Matcher     // its quads, where it is not
	onto   *ontology.Ontology // where it is not
	past   []Past
	found  []record.Found
	read   bool // what was found in it is in found
}

// Past is an episode before another that is in no memory: rules are tested with it.
type Past struct {
	ID         string
	DaysBefore int
	Found      []record.Found
}

// WithPast is a context in which episodes came before the one that is checked, besides those
// of a memory: earlier/1, days_before/2 and found/4 are about them too.
func WithPast(ctx context.Context, past []Past) context.Context {
	p := present{}
	if now := current(ctx); now != nil {
		p = *now
	}
	p.past = past
	return context.WithValue(ctx, presentKey{}, &p)
}

// before is an episode of the past by its id.
func (p *present) before(id any) (Past, bool) {
	if p == nil {
		return Past{}, false
	}
	i := slices.IndexFunc(p.past, func(e Past) bool { return e.ID == id })
	if i < 0 {
		return Past{}, false
	}
	return p.past[i], true
}

type presentKey struct{}

// During is a context for checking an episode with rules that look back: earlier/1 is
// about the episodes that began before it.
func During(ctx context.Context, e Entry) context.Context {
	return context.WithValue(ctx, presentKey{}, &present{Entry: e})
}

// DuringEpisode is During of an episode that is not in the memory: triple/3 and quad/4 are of
// its own graph too, of what was seen and done, and of the ontology.
func DuringEpisode(ctx context.Context, o *ontology.Ontology, ep *episode.Episode) context.Context {
	own := sync.OnceValue(func() Matcher {
		_, stated, err := statedOntology(o)
		if err != nil { // its documents were read before
			stated = nil
		}
		return newQuads(slices.Concat(record.Episode(o, ep, nil, record.Changes), stated))
	})
	return context.WithValue(ctx, presentKey{}, &present{Entry: EntryOf(ep), own: own, onto: o})
}

// Predicates that goals over a memory have besides those of the facts of an episode.
const (
	episodePredicate = "episode"
	triplePredicate  = "triple"
	quadPredicate    = "quad"
)

// Builtins are predicates for a reasoner that asks the memory. What they answer is what the
// memory holds; nil answers as an empty one does, so that rules can be checked without.
//
//	triple(S, P, O) quad(S, P, O, G)   of the graph, see Goal
//
//	episode(E)               the episode that is asked about
//	robot(E, R) site(E, P) task(E, T) label(E, L)   of its header
//	started(E, T)            when it began, in seconds since the year 1970
//	earlier(E)               another that began before the one that is checked, or was added before
//	days_before(E, N)        whole days between the two beginnings
//	found(E, Class, S, O)    a failure that was found in an episode, and an object that it concerns
//	recovers(Strategy, Class) a recovery strategy for a class of failures
func (m *Memory) Builtins() []engine.Option {
	var options []engine.Option
	for _, b := range m.builtins() {
		options = append(options, engine.WithBuiltin(b))
	}
	return options
}

// BuiltinsFor are those of Builtins that a program or goals ask and the program does not
// define.
func (m *Memory) BuiltinsFor(p *rules.Program, goals ...*rules.Term) []engine.Option {
	var options []engine.Option
	for _, b := range m.builtins() {
		of := b.Predicate()
		if i := of.Indicator(); len(p.Defining(i)) == 0 && (p.Asks(i) || slices.ContainsFunc(goals, func(g *rules.Term) bool { return g.Holds(func(of rules.Indicator) bool { return of == i }) })) {
			options = append(options, engine.WithBuiltin(b))
		}
	}
	return options
}

// LooksBack reports whether a program asks for earlier episodes, of which there are none
// without a memory.
func LooksBack(p *rules.Program) bool {
	i := rules.Indicator{Name: "earlier", Arity: 1}
	return len(p.Defining(i)) == 0 && p.Asks(i)
}

// PredicatesFor describes those of Builtins that a program does not define, as
// rules.Program.Check takes them.
func PredicatesFor(p *rules.Program) []rules.Predicate {
	var none *Memory
	var out []rules.Predicate
	for _, b := range none.builtins() {
		if of := b.Predicate(); len(p.Defining(of.Indicator())) == 0 {
			out = append(out, of)
		}
	}
	return out
}

func (m *Memory) builtins() []engine.Builtin {
	const name, number, class = rules.WordArg, rules.NumberArg, rules.ClassArg
	out := []engine.Builtin{
		{Name: episodePredicate, Out: []rules.ArgKind{name}, Deterministic: true, Doc: "The episode that is asked about.", Call: m.whichEpisode},
		m.ofEntry("robot", "The robot of an episode.", func(e Entry) []string { return []string{e.Robot} }),
		m.ofEntry("site", "The site of an episode.", func(e Entry) []string { return []string{e.Site} }),
		m.ofEntry("task", "The task of an episode, as its log names it.", func(e Entry) []string { return []string{e.Task} }),
		m.ofEntry("label", "A free label of an episode.", func(e Entry) []string { return e.Labels }),
		{Name: "started", In: []rules.ArgKind{name}, Out: []rules.ArgKind{number}, Deterministic: true, Doc: "When an episode began, in seconds since the year 1970.", Call: m.whenStarted},
		{Name: "earlier", Out: []rules.ArgKind{name}, Doc: "An episode that began before the one that is checked.", Call: m.whichEarlier},
		{Name: "days_before", In: []rules.ArgKind{name}, Out: []rules.ArgKind{number}, Deterministic: true, Doc: "How many whole days before the one that is checked an episode began.", Call: m.daysBefore},
		{Name: "found", In: []rules.ArgKind{name}, Out: []rules.ArgKind{class, rules.StepArg, rules.ObjectArg}, Doc: "A failure that was found in an episode, its step and an object that it concerns.", Call: m.whatFound},
		{Name: "recovers", Out: []rules.ArgKind{name, class}, Doc: "A recovery strategy for a class of failures.", Call: m.whatRecovers},
	}
	return append(out, m.graphBuiltins()...)
}

func no() iter.Seq2[[]any, error] { return func(func([]any, error) bool) {} }

func current(ctx context.Context) *present {
	p, _ := ctx.Value(presentKey{}).(*present)
	return p
}

func (m *Memory) whichEpisode(ctx context.Context, _ []any) iter.Seq2[[]any, error] {
	if p := current(ctx); p != nil {
		return engine.OneAnswer(p.ID)
	}
	return no()
}

// entryOf is the entry of an episode by its id; ok is false where there is none.
func (m *Memory) entryOf(ctx context.Context, id any) (e Entry, ok bool, err error) {
	if p := current(ctx); p != nil && p.ID == id {
		return p.Entry, true, nil
	}
	text, _ := id.(string)
	if m == nil {
		return e, false, nil
	}
	e, err = m.Entry(ctx, text)
	if errors.Is(err, ErrNotFound) {
		return e, false, nil
	}
	return e, err == nil, err
}

func (m *Memory) ofEntry(name, doc string, get func(Entry) []string) engine.Builtin {
	return engine.Builtin{Name: name, Doc: doc, In: []rules.ArgKind{rules.WordArg}, Out: []rules.ArgKind{rules.WordArg},
		Call: func(ctx context.Context, in []any) iter.Seq2[[]any, error] {
			e, ok, err := m.entryOf(ctx, in[0])
			if err != nil {
				return engine.AnswerError(err)
			}
			return func(yield func([]any, error) bool) {
				if !ok {
					return
				}
				for _, text := range get(e) {
					if text != "" && !yield([]any{text}, nil) {
						return
					}
				}
			}
		}}
}

func (m *Memory) whenStarted(ctx context.Context, in []any) iter.Seq2[[]any, error] {
	e, ok, err := m.entryOf(ctx, in[0])
	switch {
	case err != nil:
		return engine.AnswerError(err)
	case !ok || e.Start.IsZero():
		return no()
	}
	return engine.OneAnswer(e.Start.Unix())
}

func (m *Memory) whichEarlier(ctx context.Context, _ []any) iter.Seq2[[]any, error] {
	p := current(ctx)
	if p == nil {
		return no()
	}
	return func(yield func([]any, error) bool) {
		for _, e := range p.past {
			if !yield([]any{e.ID}, nil) {
				return
			}
		}
		if m == nil {
			return
		}
		for e, err := range m.List(ctx, Filter{Until: p.Start}) {
			switch {
			case err != nil:
				yield(nil, err)
				return
			case e.ID == p.ID, p.Start.IsZero() && p.stored && e.number >= p.number:
				continue
			}
			if !yield([]any{e.ID}, nil) {
				return
			}
		}
	}
}

func (m *Memory) daysBefore(ctx context.Context, in []any) iter.Seq2[[]any, error] {
	p := current(ctx)
	if e, ok := p.before(in[0]); ok {
		return engine.OneAnswer(int64(e.DaysBefore))
	}
	e, ok, err := m.entryOf(ctx, in[0])
	switch {
	case err != nil:
		return engine.AnswerError(err)
	case !ok || p == nil || e.Start.IsZero() || p.Start.IsZero():
		return no()
	}
	const day = 24 * 60 * 60
	return engine.OneAnswer(int64(p.Start.Sub(e.Start).Seconds()) / day)
}

func (m *Memory) whatFound(ctx context.Context, in []any) iter.Seq2[[]any, error] {
	id, _ := in[0].(string)
	return func(yield func([]any, error) bool) {
		e, past := current(ctx).before(in[0])
		found := e.Found
		if !past && m != nil {
			var err error
			if found, err = m.found(ctx, id); err != nil {
				yield(nil, err)
				return
			}
		}
		for _, f := range found {
			for _, o := range f.Objects {
				if !yield([]any{f.Class, int64(f.Step), o}, nil) {
					return
				}
			}
		}
	}
}

// Concluded lists the quads of the graph of what was concluded from an episode; what was assumed
// and predicted is in the graphs of its steps. An episode that is not there is ErrNotFound.
func (m *Memory) Concluded(ctx context.Context, id string) ([]quad.Quad, error) {
	if _, err := m.Entry(ctx, id); err != nil {
		return nil, err
	}
	var out []quad.Quad
	for q, err := range m.Match(ctx, Pattern{Graph: quad.IRI(record.Root(id) + "/conclusions")}) {
		if err != nil {
			return nil, err
		}
		out = append(out, q)
	}
	return out, nil
}

// found lists what was found in an episode, nothing where it is not there.
func (m *Memory) found(ctx context.Context, id string) ([]record.Found, error) {
	if p := current(ctx); p != nil && p.read && p.ID == id {
		return p.found, nil
	}
	e, err := m.Entry(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	all, err := m.foundIn(ctx, []Entry{e})
	return all[id], err
}

// foundIn lists what was found in episodes, by their ids.
func (m *Memory) foundIn(ctx context.Context, entries []Entry) (map[string][]record.Found, error) {
	var findings []quad.IRI
	for _, e := range entries {
		for i := range e.Findings {
			findings = append(findings, record.FindingIRI(e.ID, i+1))
		}
	}
	quads, err := m.in.about(ctx, findings, record.OfFindings)
	if err != nil {
		return nil, err
	}
	of := map[string][]quad.Quad{}
	for _, q := range quads {
		if id, ok := episodeOf(q.Subject); ok {
			of[id] = append(of[id], q)
		}
	}
	out := map[string][]record.Found{}
	for id, quads := range of {
		out[id] = record.Findings(id, quads)
	}
	return out, nil
}

func (m *Memory) whatRecovers(ctx context.Context, _ []any) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		var o *ontology.Ontology
		if p := current(ctx); p != nil && p.onto != nil {
			o = p.onto
		} else if m != nil {
			o = m.onto
		} else {
			return
		}
		for _, f := range append([]ontology.TermID{o.Core.Failure}, o.Subclasses(o.Core.Failure)...) {
			for _, s := range o.StrategiesFor(f) {
				if !yield([]any{s.Name, o.Name(f)}, nil) {
					return
				}
			}
		}
	}
}

// graphBuiltins are triple and quad.
func (m *Memory) graphBuiltins() []engine.Builtin {
	of := func(name, doc string, places int) engine.Builtin {
		return engine.Builtin{Name: name, Out: slices.Repeat([]rules.ArgKind{rules.AnyArg}, places), Relation: true, Doc: doc,
			Call: func(ctx context.Context, given []any) iter.Seq2[[]any, error] { return m.named(ctx, given) }}
	}
	return []engine.Builtin{
		of(triplePredicate, "A triple of the graph: subject, predicate and object.", 3),
		of(quadPredicate, "A quad of the graph: subject, predicate, object and graph.", 4),
	}
}

// named answers triple and quad: of the memory, and of the episode that is asked about
// where that is not in it.
func (m *Memory) named(ctx context.Context, given []any) iter.Seq2[[]any, error] {
	p := current(ctx)
	var o *ontology.Ontology
	switch {
	case p != nil && p.onto != nil:
		o = p.onto
	case m != nil:
		o = m.onto
	}
	return func(yield func([]any, error) bool) {
		if name, ok := given[1].(string); ok && o != nil {
			if err := KnownPredicate(o, name); err != nil {
				yield(nil, err)
				return
			}
		}
		if p != nil && p.own != nil {
			for out, err := range Named(ctx, p.own(), given) {
				if !yield(out, err) || err != nil {
					return
				}
			}
		}
		if m == nil {
			return
		}
		for out, err := range Named(ctx, besides{m, p}, given) {
			if !yield(out, err) || err != nil {
				return
			}
		}
	}
}

// KnownPredicate refuses the predicate of a quad that is neither an IRI nor a term of the
// ontology or of what is recorded.
func KnownPredicate(o *ontology.Ontology, name string) error {
	if _, known := o.Lookup(name); known || foreign[name] != "" || strings.Contains(name, ":") {
		return nil
	}
	_, stated, err := statedOntology(o)
	if err != nil {
		return err
	}
	var names []string
	for _, q := range stated {
		subject, _ := q.Subject.(quad.IRI)
		if local, own := strings.CutPrefix(string(subject), ontology.Namespace); own && q.Predicate == rdfType {
			if names = append(names, local); local == name {
				return nil
			}
		}
	}
	return fmt.Errorf("found the predicate %s; expected one of the graph, or an IRI%s", name, ontology.Hint(name, names))
}

// besides is a memory without an episode that is not from it.
type besides struct {
	m *Memory
	p *present
}

func (b besides) Match(ctx context.Context, p Pattern) iter.Seq2[quad.Quad, error] {
	if b.p == nil || b.p.own == nil {
		return b.m.Match(ctx, p)
	}
	return func(yield func(quad.Quad, error) bool) {
		for q, err := range b.m.Match(ctx, p) {
			if id, ok := episodeOf(q.Subject); err == nil && ok && id == b.p.ID {
				continue
			}
			if !yield(q, err) {
				return
			}
		}
	}
}

// quads are those of an episode and of the ontology, by each of their places.
type quads struct {
	all []quad.Quad
	by  [4]map[quad.Value][]quad.Quad
}

func newQuads(all []quad.Quad) *quads {
	out := &quads{all: all}
	for i := range out.by {
		out.by[i] = map[quad.Value][]quad.Quad{}
	}
	for _, q := range all {
		for i, v := range []quad.Value{q.Subject, q.Predicate, q.Object, q.Label} {
			out.by[i][v] = append(out.by[i][v], q)
		}
	}
	return out
}

func (x *quads) Match(ctx context.Context, p Pattern) iter.Seq2[quad.Quad, error] {
	return func(yield func(quad.Quad, error) bool) {
		among := x.all
		for i := range x.by {
			if v := *p.place(i); v != nil && len(x.by[i][v]) < len(among) {
				among = x.by[i][v]
			}
		}
		for _, q := range among {
			fits := true
			for i, v := range []quad.Value{q.Subject, q.Predicate, q.Object, q.Label} {
				want := *p.place(i)
				fits = fits && (want == nil || want == v)
			}
			if fits && !yield(q, nil) {
				return
			}
		}
	}
}

// Matcher yields the quads that a pattern means, as a Memory does.
type Matcher interface {
	Match(ctx context.Context, p Pattern) iter.Seq2[quad.Quad, error]
}

// Named yields quads as goals write them, three values of each or four: strings, and int64
// for whole numbers. Given are those that are known, nil for what may be anything. A name
// may be that of a term of the ontology, an IRI, a part of an episode (run-1/step/3/action)
// or the text of a literal: all that it is are tried. An error ends them.
func Named(ctx context.Context, of Matcher, given []any) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		patterns := []Pattern{{}}
		for i, v := range given {
			if v == nil {
				continue
			}
			var next []Pattern
			for _, v := range meant(v, i) {
				for _, p := range patterns {
					*p.place(i) = v
					next = append(next, p)
				}
			}
			patterns = next
		}
		for _, p := range patterns {
			for q, err := range of.Match(ctx, p) {
				if err != nil {
					yield(nil, err)
					return
				}
				out := make([]any, len(given))
				for i := range out {
					out[i] = written(q.Get([]quad.Direction{quad.Subject, quad.Predicate, quad.Object, quad.Label}[i]))
				}
				if !yield(out, nil) {
					return
				}
			}
		}
	}
}

func (p *Pattern) place(i int) *quad.Value {
	return []*quad.Value{&p.Subject, &p.Predicate, &p.Object, &p.Graph}[i]
}

const rdfs = "http://www.w3.org/2000/01/rdf-schema#"

// foreign are the terms of RDF and RDFS that goals write without their namespace.
var foreign = map[string]quad.IRI{
	"type": rdfType, "subClassOf": rdfs + "subClassOf", "subPropertyOf": rdfs + "subPropertyOf", "label": rdfs + "label", "comment": rdfs + "comment",
}

// meant are the values that a name or number of a goal may be, at a place of a quad.
func meant(v any, place int) []quad.Value {
	const object = 2
	if n, ok := v.(int64); ok {
		return []quad.Value{quad.TypedString{Value: quad.String(strconv.FormatInt(n, 10)), Type: xsdInteger}}
	}
	text := fmt.Sprint(v)
	out := []quad.Value{quad.IRI(ontology.Namespace + text), quad.IRI(text)}
	if v, ok := foreign[text]; ok {
		out = append(out, v)
	}
	if id, below, ok := strings.Cut(text, "/"); ok {
		out = append(out, quad.IRI(record.Base+id+"/"+below))
	} else {
		out = append(out, quad.IRI(record.Root(text)))
	}
	if place == object {
		out = append(out, quad.String(text), quad.TypedString{Value: quad.String(text), Type: xsdBoolean}, quad.TypedString{Value: quad.String(text), Type: xsdDateTime})
	}
	return out
}

const (
	xsd         = "http://www.w3.org/2001/XMLSchema#"
	xsdInteger  = quad.IRI(xsd + "integer")
	xsdBoolean  = quad.IRI(xsd + "boolean")
	xsdDateTime = quad.IRI(xsd + "dateTime")
)

// written is a value as goals write it.
func written(v quad.Value) any {
	switch v := v.(type) {
	case quad.IRI:
		text := string(v)
		if name := text[strings.LastIndexByte(text, '#')+1:]; foreign[name] == v {
			return name
		}
		if rest, ok := strings.CutPrefix(text, ontology.Namespace); ok {
			return rest
		}
		return strings.TrimPrefix(text, record.Base)
	case quad.String:
		return string(v)
	case quad.TypedString:
		if n, err := strconv.ParseInt(string(v.Value), 10, 64); err == nil && v.Type == xsdInteger {
			return n
		}
		return string(v.Value)
	case quad.LangString:
		return string(v.Value)
	case nil:
		return ""
	}
	return quad.ToString(v)
}
