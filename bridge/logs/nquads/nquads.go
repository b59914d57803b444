// Package nquads reads episodes from RDF, as N-Quads (.nq) or N-Triples (.nt): the record
// that a memory keeps, which is what "mishap export --record" writes, and logs of events
// that are linked by hasTriple to what was observed (RECOVER, section 3).
//
// A file is read twice. The first time it is held to the grammar, and where each episode
// ends is noted; the second time an episode is handed on as soon as its last line is read.
// What is held is the text of the episodes that are open: where more of it lies mixed than
// MaxHeld, those that end last are left for another time through the file.
package nquads

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/cayleygraph/quad"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/record"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/recorded"
)

// MaxHeld is how much text of episodes whose quads lie mixed in a file is held at once, in
// bytes. One episode alone may have more.
const MaxHeld = 32 << 20

// IsFile reports whether a file of that name, without what compression adds, is such a log.
func IsFile(name string) bool {
	return strings.HasSuffix(name, ".nq") || strings.HasSuffix(name, ".nt")
}

// Episodes yields the episodes of a file, compressed or not, in the order in which they end
// there. What is concluded from them is passed over: it is worked out anew. The error is a
// *logs.Error at the first line that is no quad, before any episode, or of a record from
// which nothing can be rebuilt, beside the others.
func Episodes(o *ontology.Ontology, fsys fs.FS, name string) iter.Seq2[*episode.Episode, error] {
	return func(yield func(*episode.Episode, error) bool) {
		r := &reader{file: name, onto: o, most: MaxHeld, open: func() (io.ReadCloser, error) { return input.Open(fsys, name) }}
		if err := r.read(yield); err != nil && !errors.Is(err, errStopped) {
			yield(nil, err)
		}
	}
}

// errStopped ends the reading where nobody wants more.
var errStopped = errors.New("stopped")

// reader reads a file.
type reader struct {
	file   string
	onto   *ontology.Ontology
	open   func() (io.ReadCloser, error)
	most   int // bytes of text held at once
	places map[string]*place
	// isRecord: the episodes are described as such; else the events are by themselves.
	isRecord bool
	// apart: there are triples of which it does not show by themselves whose they are.
	apart bool
	held  int // bytes of text, now and at most
	peak  int
	times int // through the file
}

// place is where an episode stands in a file.
type place struct {
	id     string
	end    int    // its last line
	named  bool   // an event says that it is of this episode
	later  bool   // left for another time through the file
	text   []byte // lines of it
	lines  []int  // their numbers
	handed bool
}

const rdfType = quad.IRI("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")

// aRecord is what a record says its episode is.
var aRecord = quad.IRI(recorded.Episode.IRI())

func (r *reader) each(visit func(line int, text []byte, s statement) error) error {
	f, err := r.open()
	if err != nil {
		return err
	}
	defer f.Close()
	r.times++
	return each(r.file, f, visit)
}

func (r *reader) read(yield func(*episode.Episode, error) bool) error {
	if err := r.survey(); err != nil {
		return err
	}
	switch {
	case r.isRecord && !r.apart, !r.isRecord && !r.apart && len(r.places) > 1 && r.named():
		return r.gather(yield)
	}
	return r.whole(yield)
}

// named reports that every episode is named by its events.
func (r *reader) named() bool {
	for _, p := range r.places {
		if !p.named {
			return false
		}
	}
	return true
}

// survey notes where each episode ends, and what kind of log it is.
func (r *reader) survey() error {
	r.places = map[string]*place{}
	foreign := false
	err := r.each(func(n int, text []byte, s statement) error {
		id, ok := s.episode(text)
		if !ok {
			foreign = true
		} else {
			p := r.places[string(id)]
			if p == nil {
				p = &place{id: string(id)}
				r.places[p.id] = p
			}
			p.end = n
			p.named = p.named || s.is(text, 1, ofEpisode)
		}
		r.isRecord = r.isRecord || s.is(text, 1, isA) && s.is(text, 2, ofRecord)
		if !s.inGraph() && s.is(text, 1, hasTriple) {
			of, ok := partOf(s.term(text, 2))
			r.apart = r.apart || !ok || !bytes.Equal(of, id)
		}
		return nil
	})
	r.apart = r.apart || foreign && !r.isRecord
	return err
}

// gather hands on each episode when its last line is read.
func (r *reader) gather(yield func(*episode.Episode, error) bool) error {
	if len(r.places) == 0 {
		return r.none()
	}
	for left := len(r.places); left > 0; {
		err := r.each(func(n int, text []byte, s statement) error {
			id, _ := s.episode(text)
			p := r.places[string(id)]
			if p == nil || p.handed || p.later {
				return nil
			}
			p.text, p.lines = append(append(p.text, text...), '\n'), append(p.lines, n)
			r.held += len(text) + 1
			r.peak = max(r.peak, r.held)
			if n == p.end {
				left--
				return r.hand(p, yield)
			}
			r.postpone()
			return nil
		})
		if err != nil {
			return err
		}
		for _, p := range r.places {
			p.later = false
		}
	}
	return nil
}

func (r *reader) none() error {
	return &input.Error{File: r.file, Found: "no episode", Expected: "one below " + record.Base + ", of type " + string(aRecord)}
}

// postpone lets go of episodes where more than may be is held: of those that end last, and
// never of the one that ends first.
func (r *reader) postpone() {
	if r.held <= r.most {
		return
	}
	open := slices.SortedFunc(maps.Values(r.places), func(a, b *place) int { return cmp.Compare(b.end, a.end) })
	open = slices.DeleteFunc(open, func(p *place) bool { return len(p.lines) == 0 })
	for _, p := range open[:len(open)-1] {
		if r.held <= r.most/2 {
			return
		}
		p.later = true
		r.release(p)
	}
}

func (r *reader) release(p *place) {
	r.held -= len(p.text)
	p.text, p.lines = nil, nil
}

// hand hands on an episode that is read to its end.
func (r *reader) hand(p *place, yield func(*episode.Episode, error) bool) error {
	quads, err := decode(r.file, p.text, p.lines)
	if err != nil {
		return err
	}
	lines := p.lines
	p.handed = true
	r.release(p)
	return r.yield(quads, lines, yield)
}

// whole reads a log in which what belongs together may stand anywhere.
func (r *reader) whole(yield func(*episode.Episode, error) bool) error {
	all := &place{}
	err := r.each(func(n int, text []byte, _ statement) error {
		all.text, all.lines = append(append(all.text, text...), '\n'), append(all.lines, n)
		return nil
	})
	if err != nil {
		return err
	}
	quads, err := decode(r.file, all.text, all.lines)
	if err != nil {
		return err
	}
	all.text = nil
	return r.yield(quads, all.lines, yield)
}

// yield makes episodes of quads that stand on some lines.
func (r *reader) yield(quads []quad.Quad, lines []int, yield func(*episode.Episode, error) bool) error {
	if !r.isRecord {
		l := &eventLog{file: r.file, lines: map[quad.Value]int{}}
		for i, q := range quads {
			if _, ok := l.lines[q.Subject]; !ok {
				l.lines[q.Subject] = lines[i]
			}
		}
		eps, err := l.read(r.onto, quads)
		if err != nil {
			return told(yield(nil, err))
		}
		for _, ep := range eps {
			if !yield(ep, nil) {
				return errStopped
			}
		}
		return nil
	}
	return r.rebuild(record.Unreify(quads), yield)
}

func told(more bool) error {
	if !more {
		return errStopped
	}
	return nil
}

// rebuild rebuilds the episodes of records.
func (r *reader) rebuild(all []quad.Quad, yield func(*episode.Episode, error) bool) error {
	quads := map[string][]quad.Quad{}
	var ids []string
	for _, q := range all {
		graph, _ := q.Label.(quad.IRI)
		id, ok := record.ID(string(graph))
		if !ok {
			continue // of no episode: an ontology, for example
		}
		if quads[id] == nil {
			ids = append(ids, id)
		}
		quads[id] = append(quads[id], q)
	}
	if len(ids) == 0 {
		return r.none()
	}
	for _, id := range ids {
		ep, err := record.Rebuild(r.onto, id, quads[id])
		if err != nil {
			err = &input.Error{File: r.file, Found: fmt.Sprintf("a record from which episode %q cannot be rebuilt (%v)", input.Clip(id), err), Expected: "one such as \"mishap export --record\" writes", Err: err}
		} else {
			ep.File = cmp.Or(ep.File, ep.Source)
			ep.Source = r.file
		}
		if !yield(ep, err) {
			return errStopped
		}
	}
	return nil
}
