package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cayleygraph/quad"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/memory"
	"github.com/mishap-robotics/mishap/engine/record"
)

// Entry is what a list of episodes tells of one.
type Entry struct {
	Key      string         `json:"key"` // by which it is asked for
	ID       string         `json:"id"`
	Task     string         `json:"task,omitempty"`
	Robot    string         `json:"robot,omitempty"`
	Site     string         `json:"site,omitempty"`
	Start    string         `json:"start,omitempty"`
	Source   string         `json:"source,omitempty"`
	Steps    int            `json:"steps"`
	Goal     string         `json:"goal,omitempty"`
	Findings int            `json:"findings"`
	Classes  map[string]int `json:"classes"`
	path     string         // of the log; "" of one of a memory
	began    time.Time      // zero where that is not known
	ready    *checked       // of one that takes long to check; nil once it is asked for
}

// Library holds the episodes that are served: those of logs, and those of a memory.
type Library struct {
	Reasoner *engine.Reasoner
	Reader   logs.Reader
	Noise    float64        // of logs that state none
	Memory   *memory.Memory // nil for none
	Planner  engine.Planner // plans recovery; its adviser, where it has one, is asked about each episode that is opened

	mu         sync.RWMutex
	entries    []*Entry // of logs
	byKey      map[string]*Entry
	errors     []string
	pending    int // logs that are not judged yet
	long       int // of them, that took long
	cache      cache
	judging    chan struct{} // holds what is judged at once
	completing sync.Mutex
}

// NewLibrary is empty; Load fills it.
func NewLibrary(r *engine.Reasoner, reader logs.Reader) *Library {
	return &Library{Reasoner: r, Reader: reader, byKey: map[string]*Entry{}, judging: make(chan struct{}, 2)}
}

// Load checks every episode of the logs below some places; one bad file does not hide the
// others. What is checked is served at once. It is an error where nothing is there to read.
func (l *Library) Load(ctx context.Context, places []string) error {
	var files []string
	var errs []error
	for _, p := range places {
		found, err := logs.Find(p)
		if err != nil {
			errs = append(errs, err)
		}
		files = append(files, found...)
	}
	l.fail(errors.Join(errs...))
	if len(files) == 0 {
		return errors.Join(errs...)
	}
	l.mu.Lock()
	l.pending = len(files)
	l.mu.Unlock()
	var paths sync.Map // of episodes
	open := func(path string) logs.Source {
		eps, err := l.read(path)
		for _, ep := range eps {
			paths.Store(ep, path)
		}
		return logs.SourceOf(eps, err)
	}
	check := func(ctx context.Context, ep *episode.Episode) (*Entry, error) {
		path, _ := paths.LoadAndDelete(ep)
		e, res, err := l.entry(ctx, ep)
		if e != nil {
			e.path, _ = path.(string)
			l.keepLong(e, &checked{ep, res, err})
		}
		return e, err
	}
	batch := &logs.Batch[Entry]{Open: open, Do: check, Progress: silent{}}
	batch.Each(ctx, files, func(r logs.Results[Entry]) {
		l.fail(errors.Join(r.Errs...))
		l.mu.Lock()
		defer l.mu.Unlock()
		if r.Last {
			l.pending--
		}
		for i := range r.Episodes {
			l.add(&r.Episodes[i])
		}
	})
	return nil
}

// silent shows no progress.
type silent struct{}

func (silent) More(int) {}
func (silent) Step()    {}

func (l *Library) fail(err error) {
	if err == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.errors = append(l.errors, report.WriteErrors(io.Discard, err)...)
}

func (l *Library) read(path string) ([]*episode.Episode, error) {
	eps, err := l.Reader.Read(path)
	for _, ep := range eps {
		if ep.Noise == 0 {
			ep.Noise = l.Noise
		}
	}
	return eps, err
}

// entry checks an episode of a log.
func (l *Library) entry(ctx context.Context, ep *episode.Episode) (*Entry, *engine.Result, error) {
	res, err := l.Reasoner.Check(memory.DuringEpisode(ctx, l.Reasoner.Ontology, ep), own(ep))
	if res == nil {
		return nil, nil, err
	}
	told := report.NewEpisode(res)
	e := &Entry{ID: ep.ID, Task: ep.Task, Robot: ep.Robot, Site: ep.Site, Start: ep.Start, Source: ep.Source, Steps: told.Steps, Goal: told.Goal, Findings: len(told.Findings), Classes: map[string]int{}}
	for i := range told.Findings {
		e.Classes[told.Findings[i].Type]++
	}
	e.began, _ = time.Parse(time.RFC3339, ep.Start)
	return e, res, err
}

var unsafeInKeys = regexp.MustCompile(`[^A-Za-z0-9]+`)

// keyOf is a name for an episode that stays, and that any address can hold.
func keyOf(source, id string) string {
	sum := sha256.Sum256([]byte(source + "\x00" + id))
	name := strings.Trim(unsafeInKeys.ReplaceAllString(id[:min(len(id), 40)], "-"), "-")
	return strings.TrimPrefix(name+"-"+hex.EncodeToString(sum[:4]), "-")
}

func (l *Library) add(e *Entry) {
	e.Key = keyOf(filepath.ToSlash(e.path), e.ID)
	for n := 2; l.byKey[e.Key] != nil; n++ { // of one id twice in a log the first is shown
		e.Key = fmt.Sprintf("%s-%d", keyOf(filepath.ToSlash(e.path), e.ID), n)
	}
	l.entries = append(l.entries, e)
	l.byKey[e.Key] = e
}

// List gives all entries, those of a memory in its order after those of logs; how many logs
// are still to be judged; and what could not be read.
func (l *Library) List(ctx context.Context) (entries []*Entry, pending int, errs []string) {
	l.mu.RLock()
	entries, pending, errs = slices.Clone(l.entries), l.pending, slices.Clone(l.errors)
	l.mu.RUnlock()
	if l.Memory == nil {
		return entries, pending, errs
	}
	classes, err := l.remembered(ctx)
	if err != nil {
		errs = append(errs, err.Error())
	}
	for m, err := range l.Memory.List(ctx, memory.Filter{}) {
		if err != nil {
			errs = append(errs, err.Error())
			break
		}
		e := entryOf(m)
		if c := classes[record.Root(m.ID)]; c != nil {
			e.Classes = c
		}
		entries = append(entries, e)
	}
	return entries, pending, errs
}

func entryOf(m memory.Entry) *Entry {
	e := &Entry{Key: keyOf("", m.ID), ID: m.ID, Task: m.Task, Robot: m.Robot, Site: m.Site, Steps: m.Steps, Findings: m.Findings, Classes: map[string]int{}, began: m.Start}
	if !m.Start.IsZero() {
		e.Start = m.Start.Format(time.RFC3339)
	}
	return e
}

// remembered counts the classes of the findings of a memory, by the root of the episode.
func (l *Library) remembered(ctx context.Context) (map[string]map[string]int, error) {
	o := l.Reasoner.Ontology
	out := map[string]map[string]int{}
	for _, class := range o.Subclasses(o.Core.Failure) {
		for q, err := range l.Memory.Match(ctx, memory.Pattern{Predicate: quad.IRI(rdfType), Object: quad.IRI(o.Terms[class].IRI)}) {
			if err != nil {
				return out, err
			}
			subject, _ := q.Subject.(quad.IRI)
			root, finding, found := strings.Cut(string(subject), "/finding/")
			if !found || strings.Contains(finding, "/") { // what followed from one
				continue
			}
			if out[root] == nil {
				out[root] = map[string]int{}
			}
			out[root][o.Name(class)]++
		}
	}
	return out, nil
}

const rdfType = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"

// ErrGone is that of an episode that is not, or no longer, there.
var ErrGone = errors.New("there is no such episode")

// episode reads the episode of a key.
func (l *Library) episode(ctx context.Context, key string) (*episode.Episode, error) {
	l.mu.RLock()
	e := l.byKey[key]
	l.mu.RUnlock()
	if e != nil {
		eps, err := l.read(e.path)
		for _, ep := range eps {
			if ep.ID == e.ID {
				return ep, nil
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrGone, err)
		}
		return nil, ErrGone
	}
	if l.Memory != nil {
		for m, err := range l.Memory.List(ctx, memory.Filter{}) {
			if err != nil {
				return nil, err
			}
			if keyOf("", m.ID) == key {
				return l.Memory.Episode(ctx, m.ID)
			}
		}
	}
	return nil, ErrGone
}

// Replaced is to be told where an episode of the memory is added or replaced.
func (l *Library) Replaced(id string) { l.cache.drop(keyOf("", id)) }

// remarks are what people said of an episode of the memory; none of one of a log.
func (l *Library) remarks(ctx context.Context, key, id string) (out []Remark) {
	if l.Memory == nil || keyOf("", id) != key {
		return nil
	}
	quads, err := l.Memory.Quads(ctx, id)
	if err != nil {
		return nil // the episode is shown without
	}
	for _, r := range record.Remarks(id, quads) {
		out = append(out, Remark{r.Finding + 1, r.Acknowledged, r.Text, r.At})
	}
	return out
}

// Filter says which entries are shown; a zero field is no condition.
type Filter struct {
	Class, Goal, Robot, Text, Since, Until string
}

// filterOf reads a filter from the query of an address.
func filterOf(q url.Values) Filter {
	return Filter{q.Get("class"), q.Get("goal"), q.Get("robot"), q.Get("q"), q.Get("since"), q.Get("until")}
}

// query writes a filter as the query of an address.
func (f Filter) query() url.Values {
	q := url.Values{}
	for k, v := range map[string]string{"class": f.Class, "goal": f.Goal, "robot": f.Robot, "q": f.Text, "since": f.Since, "until": f.Until} {
		if v != "" {
			q.Set(k, v)
		}
	}
	return q
}

// ClassNone is the class in a filter for episodes without a failure.
const ClassNone = "none"

func (f Filter) fits(e *Entry) bool {
	text := strings.ToLower(f.Text)
	switch {
	case f.Class == ClassNone && e.Findings > 0,
		f.Class != "" && f.Class != ClassNone && e.Classes[f.Class] == 0,
		f.Goal != "" && e.Goal != f.Goal,
		f.Robot != "" && e.Robot != f.Robot,
		text != "" && !strings.Contains(strings.ToLower(e.ID), text) && !strings.Contains(strings.ToLower(e.Task), text),
		f.Since != "" && (e.began.IsZero() || e.began.Format(time.DateOnly) < f.Since),
		f.Until != "" && (e.began.IsZero() || e.began.Format(time.DateOnly) > f.Until):
		return false
	}
	return true
}
