package prolog

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/cayleygraph/quad"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/memory"
	"github.com/mishap-robotics/mishap/engine/record"
	"github.com/mishap-robotics/mishap/ontology"
)

// Episodes are what is explored. The error of an id that there is none of is
// memory.ErrNotFound.
type Episodes interface {
	List(ctx context.Context) iter.Seq2[memory.Entry, error]
	Entry(ctx context.Context, id string) (memory.Entry, error)
	Episode(ctx context.Context, id string) (*episode.Episode, error)
	Match(ctx context.Context, p memory.Pattern) iter.Seq2[quad.Quad, error]
}

// Stored are the episodes of a memory that a filter lets through.
func Stored(m *memory.Memory, f memory.Filter) Episodes { return &stored{m, f} }

type stored struct {
	*memory.Memory
	filter memory.Filter
}

func (s *stored) List(ctx context.Context) iter.Seq2[memory.Entry, error] {
	return s.Memory.List(ctx, s.filter)
}

// Match looks in the ontology too, which is of no episode.
func (s *stored) Match(ctx context.Context, p memory.Pattern) iter.Seq2[quad.Quad, error] {
	ofEpisodes, ofOntology := p, p
	ofEpisodes.Of, ofOntology.Graph = s.filter, record.OntologyGraph
	matched := s.Memory.Match(ctx, ofEpisodes)
	if s.filter == (memory.Filter{}) || p.Graph != nil && p.Graph != record.OntologyGraph {
		return matched
	}
	return func(yield func(quad.Quad, error) bool) {
		for _, quads := range []iter.Seq2[quad.Quad, error]{matched, s.Memory.Match(ctx, ofOntology)} {
			for q, err := range quads {
				if !yield(q, err) {
					return
				}
			}
		}
	}
}

// Logged are the episodes of logs. Two of one id are an error.
func Logged(o *ontology.Ontology, all []*episode.Episode) (Episodes, error) {
	out := &logged{onto: o, all: all, byID: map[string]*episode.Episode{}}
	for _, ep := range all {
		if out.byID[ep.ID] != nil {
			return nil, fmt.Errorf("two episodes %q, of %s and %s; expected ids that differ", ep.ID, out.byID[ep.ID].Source, ep.Source)
		}
		out.byID[ep.ID] = ep
	}
	return out, nil
}

type logged struct {
	onto  *ontology.Ontology
	all   []*episode.Episode
	byID  map[string]*episode.Episode
	quads map[quad.Value][]quad.Quad // by subject, predicate and object, and all by nil
}

func (l *logged) List(context.Context) iter.Seq2[memory.Entry, error] {
	return func(yield func(memory.Entry, error) bool) {
		for _, ep := range l.all {
			if !yield(memory.EntryOf(ep), nil) {
				return
			}
		}
	}
}

func (l *logged) Entry(ctx context.Context, id string) (memory.Entry, error) {
	ep, err := l.Episode(ctx, id)
	if err != nil {
		return memory.Entry{}, err
	}
	return memory.EntryOf(ep), nil
}

func (l *logged) Episode(_ context.Context, id string) (*episode.Episode, error) {
	if ep := l.byID[id]; ep != nil {
		return ep, nil
	}
	return nil, memory.ErrNotFound
}

// Match looks among the quads that a memory would keep of the logs, and those of the
// ontology, by whichever of the values has the fewest.
func (l *logged) Match(_ context.Context, p memory.Pattern) iter.Seq2[quad.Quad, error] {
	if err := l.index(); err != nil {
		return func(yield func(quad.Quad, error) bool) { yield(quad.Quad{}, err) }
	}
	of := l.quads[nil]
	for _, v := range []quad.Value{p.Subject, p.Predicate, p.Object} {
		if v != nil && len(l.quads[v]) < len(of) {
			of = l.quads[v]
		}
	}
	fits := func(v, want quad.Value) bool { return want == nil || v == want }
	return func(yield func(quad.Quad, error) bool) {
		for _, q := range of {
			if fits(q.Subject, p.Subject) && fits(q.Predicate, p.Predicate) && fits(q.Object, p.Object) && fits(q.Label, p.Graph) && !yield(q, nil) {
				return
			}
		}
	}
}

// index writes the quads, once.
func (l *logged) index() error {
	if l.quads != nil {
		return nil
	}
	all, err := record.Ontology(l.onto)
	if err != nil {
		return err
	}
	for _, ep := range l.all {
		all = append(all, record.Episode(l.onto, ep, engine.Follow(l.onto, ep), record.Changes)...)
	}
	l.quads = map[quad.Value][]quad.Quad{nil: all}
	for _, q := range all {
		values := []quad.Value{q.Subject, q.Predicate, q.Object}
		for n, v := range values {
			if !slices.Contains(values[:n], v) {
				l.quads[v] = append(l.quads[v], q)
			}
		}
	}
	return nil
}

// mostFollowed is of how many episodes the facts are kept.
const mostFollowed = 16

// followed keeps the facts of the episodes that were asked about last.
type followed struct {
	reasoner *engine.Reasoner
	episodes Episodes
	kept     []*view // the one that was asked about last comes last
}

// view is what is known of an episode.
type view struct {
	id     string
	entry  memory.Entry
	result *engine.Result // once it was checked
	facts  *engine.Facts
	scored *engine.Facts // with the facts of scores
}

func newFollowed(r *engine.Reasoner, e Episodes) *followed {
	return &followed{reasoner: r, episodes: e}
}

// of is what is known of an episode.
func (f *followed) of(ctx context.Context, id string) (*view, error) {
	at := slices.IndexFunc(f.kept, func(v *view) bool { return v.id == id })
	if at >= 0 {
		v := f.kept[at]
		f.kept = append(slices.Delete(f.kept, at, at+1), v)
		return v, nil
	}
	e, err := f.episodes.Entry(ctx, id)
	if err != nil {
		return nil, err
	}
	ep, err := f.episodes.Episode(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("episode %s: %w", id, err)
	}
	v := &view{id: id, entry: e, facts: f.reasoner.Facts(ep)}
	if f.kept = append(f.kept, v); len(f.kept) > mostFollowed {
		f.kept = slices.Delete(f.kept, 0, 1)
	}
	return v, nil
}

// checked is what is found in an episode.
func (f *followed) checked(ctx context.Context, v *view) (*engine.Result, error) {
	if v.result == nil {
		res, err := f.reasoner.Check(memory.During(ctx, v.entry), v.facts.Trace.Episode)
		if err != nil {
			return nil, err
		}
		v.result = res
	}
	return v.result, nil
}

// withScores are the facts of an episode with those of scores.
func (f *followed) withScores(v *view) *engine.Facts {
	if v.scored == nil {
		v.scored = f.reasoner.WithScores().Facts(v.facts.Trace.Episode)
	}
	return v.scored
}
