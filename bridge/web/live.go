package web

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mishap-robotics/mishap/bridge/internal/wording"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/record"
)

// Limits of what is kept of streams.
const (
	maxStreams      = 64   // that are listed, at most so many of them open
	maxLiveEpisodes = 64   // that are shown
	maxLiveFindings = 200  // of an episode that are shown, and as many that were foreseen
	recentSteps     = 20   // of an episode
	maxEvents       = 4096 // kept for viewers who come back
	maxEventBytes   = 8 << 20
	maxViewers      = 512 // at once
	longestLive     = 500 // characters of a text in an event
)

// Live takes in streams of episodes and tells any number of viewers what is found in them,
// and what is foreseen, as it arises. What is told is kept once, for all viewers, as far as
// its limits go; each viewer reads on from where it is, and one who falls behind them is
// told to look anew. Goroutines may share it.
type Live struct {
	ctx      context.Context // of streams by HTTP
	reasoner *engine.Reasoner
	// Noise and Window are those of report.Watcher.
	Noise  float64
	Window int
	// Keep keeps an episode that is over with the remarks on it, each time anew; nil for none.
	Keep func(context.Context, *engine.Result, []record.Remark) error

	mu       sync.Mutex
	streams  []*LiveStream
	episodes []*liveEpisode // the last that began is the last
	inlets   map[string]*inlet
	epoch    string   // tells the events of this process from those of another
	told     [][]byte // the last of them is number last
	size     int      // bytes of told
	last     int64
	changed  chan struct{} // closed when more is told
	viewers  int
}

// NewLive has no streams yet. Those by HTTP end with the context.
func NewLive(ctx context.Context, r *engine.Reasoner) *Live {
	return &Live{ctx: ctx, reasoner: r, inlets: map[string]*inlet{}, epoch: strings.ToLower(rand.Text()[:8]), changed: make(chan struct{})}
}

// The states of a stream, and of an episode in it.
const (
	stateOngoing = "ongoing" // more of it may come
	stateOver    = "over"
	stateAborted = "aborted" // it ended otherwise than it should
)

// LiveStream is a stream as it stands.
type LiveStream struct {
	Name  string `json:"name"`
	State string `json:"state"`           // ongoing, over or aborted
	Error string `json:"error,omitempty"` // why it broke
	Steps int    `json:"steps"`
	name  string // as it was given
}

// LiveEpisode is an episode of a stream as it stands.
type LiveEpisode struct {
	Key    string `json:"key"`
	Stream string `json:"stream"`
	ID     string `json:"id"`
	Task   string `json:"task,omitempty"`
	Robot  string `json:"robot,omitempty"`
	Plan   int    `json:"plan"`  // actions, 0 where nothing can be foreseen
	State  string `json:"state"` // ongoing, over or aborted
	Goal   string `json:"goal,omitempty"`
	Steps  int    `json:"steps"`
	// Found counts the findings that stand, Foreseen the threats; not all may be shown.
	Found    int `json:"found"`
	Foreseen int `json:"foreseen"`
}

// LiveStep is a step that was taken in.
type LiveStep struct {
	Step   int      `json:"step"`
	Time   string   `json:"time,omitempty"`
	Action string   `json:"action,omitempty"`
	Agent  string   `json:"agent,omitempty"`
	Sounds []string `json:"sounds,omitempty"`
	Line   int      `json:"line,omitempty"`
}

// LiveEvent is what viewers are told of. It has the fields of a line of "mishap check -" with
// --format jsonl, and how the stream and the episode stand then.
type LiveEvent struct {
	Seq     int64        `json:"seq"`
	Change  string       `json:"change"`
	Episode string       `json:"episode,omitempty"`
	Finding *LiveFinding `json:"finding,omitempty"`
	Score   any          `json:"score,omitempty"`
	Step    *LiveStep    `json:"step,omitempty"`
	Message string       `json:"message,omitempty"`

	StreamState  *LiveStream  `json:"stream_state,omitempty"`
	EpisodeState *LiveEpisode `json:"episode_state,omitempty"`
}

// The changes that an event tells of beside those of engine.UpdateKind.
const (
	changeOpened   = "opened"   // a stream
	changeEnded    = "ended"    // a stream
	changeBegan    = "began"    // an episode
	changeStep     = "step"     // was taken in
	changeWarned   = "warned"   // of something odd
	changeRevised  = "revised"  // a finding, by what is known at the end
	changeFinished = "finished" // an episode
	changeRemarked = "remarked" // on a finding or a threat
	changeReset    = "reset"    // what came before is not kept any more: look at it anew
)

// liveEpisode is an episode with all that is shown of it.
type liveEpisode struct {
	LiveEpisode
	stream            *LiveStream
	findings, threats []*LiveFinding
	recent            []LiveStep
	warnings          []string
	found, foreseen   map[string]bool // by key, that stand
	over              *engine.Result  // nil before
	keeping           sync.Mutex
}

// liveSnapshot is everything as it stands after an event.
type liveSnapshot struct {
	Last     string         `json:"last"` // the id of that event
	Seq      int64          `json:"seq"`
	Streams  []LiveStream   `json:"streams"`
	Episodes []liveStanding `json:"episodes"`
	Kept     bool           `json:"kept"` // remarks are kept in a memory
}

// liveStanding is an episode in a snapshot.
type liveStanding struct {
	LiveEpisode
	Findings []LiveFinding `json:"findings"`
	Threats  []LiveFinding `json:"threats"`
	Recent   []LiveStep    `json:"recent"`
	Warnings []string      `json:"warnings"`
}

// snapshot is everything as it stands, with the number of the event after which it does.
func (l *Live) snapshot() liveSnapshot {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := liveSnapshot{Last: l.idOf(l.last), Seq: l.last, Streams: []LiveStream{}, Episodes: []liveStanding{}, Kept: l.Keep != nil}
	for _, s := range l.streams {
		out.Streams = append(out.Streams, *s)
	}
	for _, e := range l.episodes {
		at := liveStanding{LiveEpisode: e.LiveEpisode, Findings: []LiveFinding{}, Threats: []LiveFinding{}, Recent: append([]LiveStep{}, e.recent...), Warnings: append([]string{}, e.warnings...)}
		for _, f := range e.findings {
			at.Findings = append(at.Findings, *f)
		}
		for _, t := range e.threats {
			one, foresight := *t, *t.Foresight
			one.Foresight = &foresight
			at.Threats = append(at.Threats, one)
		}
		out.Episodes = append(out.Episodes, at)
	}
	return out
}

func (l *Live) idOf(n int64) string { return l.epoch + "-" + strconv.FormatInt(n, 10) }

// position is the number of the event of an id, of which the next is to be told; it is that
// before all for "". Of an id of another process it is not known.
func (l *Live) position(id string) (int64, bool) {
	if id == "" {
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.last - int64(len(l.told)), true
	}
	epoch, number, _ := strings.Cut(id, "-")
	n, err := strconv.ParseInt(number, 10, 64)
	return n, err == nil && epoch == l.epoch
}

// since gives events after one, each as it is sent, and the number of the last of them. Where
// there are none more is closed when there are. lost is true where events between are not
// kept any more.
func (l *Live) since(n int64) (events [][]byte, last int64, lost bool, more <-chan struct{}) {
	const atOnce = 256
	l.mu.Lock()
	defer l.mu.Unlock()
	first := l.last - int64(len(l.told)) // the one before those that are kept
	if n < first || n > l.last {
		return nil, l.last, true, l.changed
	}
	events = slices.Clone(l.told[n-first:])
	events = events[:min(len(events), atOnce)]
	return events, n + int64(len(events)), false, l.changed
}

// tell tells viewers of an event. It is called with the lock held.
func (l *Live) tell(e LiveEvent) {
	l.last++
	e.Seq = l.last
	data, err := encodeEvent(l.idOf(l.last), e)
	if err != nil {
		data, _ = encodeEvent(l.idOf(l.last), LiveEvent{Seq: e.Seq, Change: changeReset}) // so that no number is left out
	}
	l.told = append(l.told, data)
	for l.size += len(data); len(l.told) > maxEvents || l.size > maxEventBytes && len(l.told) > 1; {
		l.size -= len(l.told[0])
		l.told[0] = nil
		l.told = l.told[1:]
	}
	close(l.changed)
	l.changed = make(chan struct{})
}

// encodeEvent writes an event as server-sent events have it.
func encodeEvent(id string, e LiveEvent) ([]byte, error) {
	data, err := json.Marshal(e) // has no line ends
	return fmt.Appendf(nil, "id: %s\ndata: %s\n\n", id, data), err
}

// tellOf tells of an event of a stream, and of an episode where there is one.
func (l *Live) tellOf(s *LiveStream, e *liveEpisode, event LiveEvent) {
	event.StreamState = s
	if e != nil {
		e.Found, e.Foreseen = len(e.found), len(e.foreseen)
		event.Episode, event.EpisodeState = e.ID, &e.LiveEpisode
	}
	l.tell(event)
}

var errStreams = &status{503, fmt.Sprintf("%d streams are open, which is the limit; end one first", maxStreams)}

// open begins a stream of a name, or begins it anew.
func (l *Live) open(name string) (*LiveStream, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.IndexFunc(l.streams, func(s *LiveStream) bool { return s.name == name })
	switch {
	case i >= 0 && l.streams[i].State == stateOngoing:
		return nil, &status{409, fmt.Sprintf("the stream %q is open already", shown(name))}
	case i >= 0:
	case len(l.streams) >= maxStreams:
		if i = slices.IndexFunc(l.streams, func(s *LiveStream) bool { return s.State != stateOngoing }); i < 0 {
			return nil, errStreams
		}
	}
	if i >= 0 {
		l.streams = slices.Delete(l.streams, i, i+1)
	}
	s := &LiveStream{Name: clipped(name), State: stateOngoing, name: name}
	l.streams = append(l.streams, s)
	l.tellOf(s, nil, LiveEvent{Change: changeOpened})
	return s, nil
}

// close ends a stream, with what it broke off with.
func (l *Live) close(s *LiveStream, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s.State = stateOver
	if err != nil {
		s.State, s.Error = stateAborted, clipped(strings.TrimSpace(err.Error()))
	}
	var of *liveEpisode
	for _, e := range l.episodes {
		if e.stream == s && e.State == stateOngoing {
			e.State, of = stateAborted, e
		}
	}
	l.tellOf(s, of, LiveEvent{Change: changeEnded, Message: s.Error})
}

// clipped is a text from a log as an event has it.
func clipped(s string) string {
	if len(s) > 4*longestLive {
		s = strings.ToValidUTF8(s[:4*longestLive], "")
	}
	return wording.Clip(wording.Clean(s), longestLive)
}

// listener takes what a watcher tells of one stream.
type listener struct {
	live   *Live
	stream *LiveStream
	now    *liveEpisode // nil before the first
}

// Write takes what the watcher says of rules and episodes, a line at a time.
func (s *listener) Write(p []byte) (int, error) {
	s.warn(string(p))
	return len(p), nil
}

func (s *listener) warn(text string) {
	const kept = 50
	l := s.live
	l.mu.Lock()
	defer l.mu.Unlock()
	text = clipped(strings.TrimSpace(text))
	if s.now != nil {
		s.now.warnings = append(s.now.warnings, text)
		s.now.warnings = s.now.warnings[max(0, len(s.now.warnings)-kept):]
	}
	l.tellOf(s.stream, s.now, LiveEvent{Change: changeWarned, Message: text})
}

// Began is told of the header of an episode.
func (s *listener) Began(ep *episode.Episode) {
	l := s.live
	l.mu.Lock()
	defer l.mu.Unlock()
	e := &liveEpisode{stream: s.stream, found: map[string]bool{}, foreseen: map[string]bool{}}
	e.LiveEpisode = LiveEpisode{Key: fmt.Sprintf("%s-%d", keyOf(s.stream.Name, ep.ID), l.last+1), Stream: s.stream.Name, ID: clipped(ep.ID), Task: clipped(ep.Task), Robot: clipped(ep.Robot), Plan: len(ep.Plan), State: stateOngoing}
	s.now = e
	l.episodes = append(l.episodes, e)
	if len(l.episodes) > maxLiveEpisodes {
		l.forget()
	}
	l.tellOf(s.stream, e, LiveEvent{Change: changeBegan})
}

// forget leaves out the first episode that is over, or the first where all go on.
func (l *Live) forget() {
	i := slices.IndexFunc(l.episodes, func(e *liveEpisode) bool { return e.State != stateOngoing })
	l.episodes = slices.Delete(l.episodes, max(i, 0), max(i, 0)+1)
}

// Stepped is told of each step.
func (s *listener) Stepped(_ *episode.Episode, st episode.Step) {
	l := s.live
	l.mu.Lock()
	defer l.mu.Unlock()
	out := LiveStep{Step: st.Index, Time: clipped(st.Time), Agent: clipped(st.Agent), Line: st.Line}
	if st.Action.Name != "" {
		out.Action = clipped(st.Action.String())
		s.now.Steps++
	}
	for _, sound := range st.Sounds[:min(len(st.Sounds), recentSteps)] {
		out.Sounds = append(out.Sounds, clipped(sound))
	}
	s.stream.Steps++
	s.now.recent = append(s.now.recent, out)
	s.now.recent = s.now.recent[max(0, len(s.now.recent)-recentSteps):]
	l.tellOf(s.stream, s.now, LiveEvent{Change: changeStep, Step: &out})
	s.pass(func(t *LiveFinding) bool { return int(t.Step) < st.Index })
}

// pass tells of the threats that stand and whose step has come.
func (s *listener) pass(has func(*LiveFinding) bool) {
	for _, t := range s.now.threats {
		if t.State == string(engine.Foreseen) && has(t) {
			t.State = statePassed
			delete(s.now.foreseen, t.Key)
			s.live.tellOf(s.stream, s.now, LiveEvent{Change: statePassed, Finding: t})
		}
	}
}

// Warned is told of what is odd in the log.
func (s *listener) Warned(_ *episode.Episode, warnings []episode.Warning) {
	for _, w := range warnings {
		s.warn(fmt.Sprintf("line %d: %s", w.Line, w.Msg))
	}
}

// Updated is told of what is found and foreseen, and of what is so no more.
func (s *listener) Updated(ep *episode.Episode, u engine.Update) {
	l := s.live
	l.mu.Lock()
	defer l.mu.Unlock()
	if u.Score != nil {
		l.tellOf(s.stream, s.now, LiveEvent{Change: string(u.Kind), Score: u.Score})
		return
	}
	f := s.now.finding(ep, u)
	s.now.keep(f)
	l.tellOf(s.stream, s.now, LiveEvent{Change: string(u.Kind), Finding: f})
	if u.Kind == engine.Found {
		s.showed(f.Type, f.planned, f.objects, f.Step)
	}
}

// showed tells of threats that have come about.
func (s *listener) showed(class string, planned int, objects []string, step int32) {
	for _, t := range s.now.threats {
		if (t.State == string(engine.Foreseen) || t.State == statePassed) && t.Type == class && (t.planned > 0 && t.planned == planned || slices.Equal(t.objects, objects)) {
			t.State, t.ShowedStep = stateShowed, step
			delete(s.now.foreseen, t.Key)
			s.live.tellOf(s.stream, s.now, LiveEvent{Change: stateShowed, Finding: t})
		}
	}
}

// Finished is told of an episode that is over.
func (s *listener) Finished(res *engine.Result) {
	s.finish(res)
	if err := s.live.keep(s.now); err != nil {
		s.warn(err.Error())
	}
}

func (s *listener) finish(res *engine.Result) {
	out := report.NewEpisode(res)
	l := s.live
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range res.Findings { // what follows from them is known only now
		for _, c := range res.Findings[i].Consequences {
			s.showed(c.Type, 0, c.Objects, c.Step)
		}
		f := s.now.finding(res.Episode, engine.Update{Kind: engine.Found, Finding: res.Findings[i]})
		if at := slices.IndexFunc(s.now.findings, func(g *LiveFinding) bool { return g.Key == f.Key }); at >= 0 && !f.says(s.now.findings[at]) {
			s.now.keep(f)
			l.tellOf(s.stream, s.now, LiveEvent{Change: changeRevised, Finding: f})
		}
	}
	s.pass(func(*LiveFinding) bool { return true })
	s.now.State, s.now.Goal, s.now.over = stateOver, out.Goal, res
	l.tellOf(s.stream, s.now, LiveEvent{Change: changeFinished})
}

// errInside is a mistake in mishap that a stream came upon.
func errInside(p any) error { return fmt.Errorf("a mistake in mishap: %v", p) }

// watch takes in a stream until it ends.
func (l *Live) watch(ctx context.Context, s *LiveStream, in io.Reader) (err error) {
	to := &listener{live: l, stream: s}
	defer func() {
		if p := recover(); p != nil { // of one stream; the others go on
			err = errInside(p)
		}
		if errors.Is(err, context.Canceled) && ctx.Err() != nil {
			err = errStopped
		}
		l.close(s, err)
	}()
	w := &report.Watcher{Reasoner: l.reasoner, Errors: to, Noise: l.Noise, Window: l.Window, Both: true, Listener: to}
	return w.Run(ctx, s.name, in)
}

var errStopped = errors.New("the server was stopped")
