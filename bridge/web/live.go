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

// The states of a threat beside those that engine.UpdateKind names.
const (
	stateShowed = "showed" // it was found
	statePassed = "passed" // the step has come at which it would show
)

// LiveFinding is a finding, or a threat, with what became of it.
type LiveFinding struct {
	report.Finding
	*Foresight
	Key   string `json:"key"`
	State string `json:"state"` // found or withdrawn; of a threat foreseen, averted, showed or passed

	planned int      // of the action at which it shows
	objects []string // as the log names them
}

// Foresight is what a threat has beside a finding; its fields are those of report.Threat.
type Foresight struct {
	ForeseenStep int32              `json:"foreseen_step"`
	ForeseenTime string             `json:"foreseen_time,omitempty"`
	Condition    string             `json:"condition,omitempty"`
	Provider     *report.ActionRef  `json:"provider,omitempty"`
	Irreversible []report.ActionRef `json:"irreversible,omitempty"`
	Repair       string             `json:"mend,omitempty"`
	ShowedStep   int32              `json:"showed_step,omitempty"`
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
}

// liveSnapshot is everything as it stands after an event.
type liveSnapshot struct {
	Last     string         `json:"last"` // the id of that event
	Seq      int64          `json:"seq"`
	Streams  []LiveStream   `json:"streams"`
	Episodes []liveStanding `json:"episodes"`
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
	out := liveSnapshot{Last: l.idOf(l.last), Seq: l.last, Streams: []LiveStream{}, Episodes: []liveStanding{}}
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

// finding is that of an update, with its key.
func (e *liveEpisode) finding(ep *episode.Episode, u engine.Update) *LiveFinding {
	f := &LiveFinding{State: string(u.Kind), planned: u.Finding.Planned, objects: u.Finding.Objects}
	step, stands := int(u.Finding.Step), e.found
	if u.Threat == nil {
		f.Finding = report.NewFinding(ep, &u.Finding)
	} else {
		t := report.NewThreat(ep, u.Threat)
		f.Finding, f.Foresight = t.Finding, &Foresight{t.ForeseenStep, t.ForeseenTime, t.Condition, t.Provider, t.Irreversible, t.Repair, 0}
		step, stands = u.Finding.Planned, e.foreseen
	}
	f.Key = keyOf(fmt.Sprintf("%s\x00%d\x00%t\x00%q", e.Key, step, u.Threat != nil, u.Finding.Objects), u.Finding.Type)
	if u.Kind == engine.Found || u.Kind == engine.Foreseen {
		stands[f.Key] = true
	} else {
		delete(stands, f.Key)
	}
	f.bound()
	return f
}

// bound leaves out what is more than a page bears.
func (f *LiveFinding) bound() {
	const most = 20
	list := func(texts []string) []string {
		out := []string{}
		for _, t := range texts[:min(len(texts), most)] {
			out = append(out, clipped(t))
		}
		return out
	}
	f.Explanation, f.Time, f.CauseTime, f.Agent = clipped(f.Explanation), clipped(f.Time), clipped(f.CauseTime), clipped(f.Agent)
	f.Objects, f.Evidence = list(f.Objects), list(f.Evidence)
	f.Strategies, f.Consequences = f.Strategies[:min(len(f.Strategies), most)], f.Consequences[:min(len(f.Consequences), most)]
	for i := range f.Strategies {
		s := &f.Strategies[i]
		s.Description, s.Actions = clipped(s.Description), list(s.Actions)
	}
	for i := range f.Consequences {
		c := &f.Consequences[i]
		c.Explanation, c.Time, c.Objects = clipped(c.Explanation), clipped(c.Time), list(c.Objects)
	}
	if f.Foresight != nil {
		f.Foresight.bound(most)
	}
}

func (f *Foresight) bound(most int) {
	f.Condition, f.Repair, f.ForeseenTime = clipped(f.Condition), clipped(f.Repair), clipped(f.ForeseenTime)
	if f.Provider != nil {
		f.Provider.Action = clipped(f.Provider.Action)
	}
	f.Irreversible = f.Irreversible[:min(len(f.Irreversible), most)]
	for i := range f.Irreversible {
		f.Irreversible[i].Action = clipped(f.Irreversible[i].Action)
	}
}

// keep puts a finding, or a threat, in the place of the one of its key.
func (e *liveEpisode) keep(f *LiveFinding) {
	list := &e.findings
	if f.Foresight != nil {
		list = &e.threats
	}
	if i := slices.IndexFunc(*list, func(g *LiveFinding) bool { return g.Key == f.Key }); i >= 0 {
		(*list)[i] = f
		return
	}
	if *list = append(*list, f); len(*list) > maxLiveFindings {
		*list = slices.Delete(*list, 0, 1)
	}
}

// Finished is told of an episode that is over.
func (s *listener) Finished(res *engine.Result) {
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
			s.now.findings[at] = f
			l.tellOf(s.stream, s.now, LiveEvent{Change: changeRevised, Finding: f})
		}
	}
	s.pass(func(*LiveFinding) bool { return true })
	s.now.State, s.now.Goal = stateOver, out.Goal
	l.tellOf(s.stream, s.now, LiveEvent{Change: changeFinished})
}

// says reports whether a finding says the same of what a person is shown.
func (f *LiveFinding) says(g *LiveFinding) bool {
	return f.Explanation == g.Explanation && f.CauseStep == g.CauseStep && f.Recovered == g.Recovered && len(f.Consequences) == len(g.Consequences)
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
