package web

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/bridge/logs/jsonl"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/ontology"
)

func sampleLog(t *testing.T, name string) []byte {
	t.Helper()
	log, err := os.ReadFile(filepath.Join(samples, name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return log
}

// eventsOf takes apart what a viewer is sent.
func eventsOf(t *testing.T, sent []byte) (out []LiveEvent) {
	t.Helper()
	for _, block := range strings.Split(strings.TrimSpace(string(sent)), "\n\n") {
		if strings.TrimSpace(block) == ":" || block == "" {
			continue
		}
		id, data, ok := strings.Cut(block, "\ndata: ")
		var e LiveEvent
		if err := json.Unmarshal([]byte(data), &e); err != nil || !ok || strings.Contains(data, "\n") {
			t.Fatalf("an event: %q (%v)", block, err)
		}
		if !strings.HasPrefix(id, "id: ") || !strings.HasSuffix(id, fmt.Sprintf("-%d", e.Seq)) {
			t.Errorf("id %q of event %d", id, e.Seq)
		}
		out = append(out, e)
	}
	return out
}

// all is everything that is kept.
func all(t *testing.T, l *Live) []LiveEvent {
	t.Helper()
	var out []byte
	for at := int64(0); ; {
		events, last, lost, _ := l.since(at)
		if lost {
			t.Fatalf("events after %d are lost", at)
		}
		if len(events) == 0 {
			return eventsOf(t, out)
		}
		at, out = last, append(out, bytes.Join(events, nil)...)
	}
}

// What a stream tells, put together, is how things stand; and that is what a check of the
// whole finds.
func TestLiveTellsWhatIsFound(t *testing.T) {
	for _, name := range []string{"two-failures", "ambiguous-target", "dropped-heard-only", "clean-make-coffee"} {
		l := NewLive(context.Background(), reasoner())
		if err := l.Take(context.Background(), name, bytes.NewReader(sampleLog(t, name))); err != nil {
			t.Fatal(err)
		}
		findings, threats, steps := map[string]string{}, map[string]string{}, 0
		events := all(t, l)
		for i, e := range events {
			if e.Seq != int64(i+1) {
				t.Fatalf("%s: event %d is told as %d", name, e.Seq, i+1)
			}
			switch {
			case e.Step != nil:
				steps++
			case e.Finding == nil:
			case e.Finding.Foresight != nil:
				threats[e.Finding.Key] = e.Finding.State
			default:
				findings[e.Finding.Key] = e.Finding.State
			}
		}
		now := l.snapshot()
		if len(now.Episodes) != 1 || now.Seq != int64(len(events)) {
			t.Fatalf("%s: %d episodes after event %d, want those after %d", name, len(now.Episodes), now.Seq, len(events))
		}
		e := now.Episodes[0]
		var stand []report.Finding
		for _, f := range e.Findings {
			if findings[f.Key] != f.State {
				t.Errorf("%s: %s is %s and was told to be %s", name, f.Type, f.State, findings[f.Key])
			}
			if f.State == "found" {
				stand = append(stand, f.Finding)
			}
		}
		for _, f := range e.Threats {
			if threats[f.Key] != f.State || f.State == "foreseen" {
				t.Errorf("%s: at the end %s is %s and was told to be %s", name, f.Type, f.State, threats[f.Key])
			}
		}
		eps, err := logs.Read(ontology.Default(), filepath.Join(samples, name+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		res, err := reasoner().Check(context.Background(), eps[0])
		if err != nil {
			t.Fatal(err)
		}
		want := report.NewEpisode(res)
		told := func(fs []report.Finding) (out []string) {
			for _, f := range fs {
				out = append(out, fmt.Sprint(f.Type, f.Step, f.CauseStep, f.Objects, f.Explanation, len(f.Consequences)))
			}
			slices.Sort(out)
			return out
		}
		if !slices.Equal(told(stand), told(want.Findings)) {
			t.Errorf("%s: live %q\nchecked %q", name, told(stand), told(want.Findings))
		}
		if e.State != stateOver || e.Goal != want.Goal || e.Found != len(want.Findings) || e.Foreseen != 0 || e.Steps != want.Steps || steps != now.Streams[0].Steps || steps != len(eps[0].Steps) {
			t.Errorf("%s: %+v of %d steps, want %d findings in %d", name, e.LiveEpisode, steps, len(want.Findings), want.Steps)
		}
		if name == "dropped-heard-only" && (len(e.Threats) < 2 || !slices.ContainsFunc(e.Threats, func(f LiveFinding) bool { return f.State == "averted" })) {
			t.Errorf("%s: foreseen %v", name, e.Threats)
		}
	}
}

// Events and what stands are as the description of the interface says.
func TestLiveInterface(t *testing.T) {
	h, l := servedLive(t)
	if err := l.Take(context.Background(), "s", bytes.NewReader(sampleLog(t, "recovered-drop"))); err != nil {
		t.Fatal(err)
	}
	l.Take(context.Background(), "broken", strings.NewReader("no log\n"))
	_, body, _ := get(t, h.URL+"/api/v1/live")
	valid := func(schema, text string) {
		t.Helper()
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err == nil {
			err = schemaOf(t, schema).Validate(v)
		}
		if err != nil {
			t.Errorf("%.200s: %v", text, err)
		}
	}
	valid("Live", body)
	for _, e := range all(t, l) {
		text, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		valid("LiveEvent", string(text))
	}
	if now := l.snapshot(); now.Streams[1].State != stateAborted || !strings.Contains(now.Streams[1].Error, "broken:1") {
		t.Errorf("of a stream that is no log: %+v", now.Streams)
	}
}

// servedLive is a server with streams.
func servedLive(t *testing.T) (*httptest.Server, *Live) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	l := NewLive(ctx, reasoner())
	s := &Server{Library: NewLibrary(reasoner(), logs.Reader{Ontology: ontology.Default()}), Live: l, Loopback: true}
	h := httptest.NewServer(s.Handler())
	t.Cleanup(func() { stop(); h.Close() })
	return h, l
}

// look begins to look on, and reads until the event of a number.
func lookOn(address, lastID string, until int64) ([]byte, error) {
	req, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	if lastID != "" {
		req.Header.Set("Last-Event-ID", lastID)
	}
	r, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	if r.StatusCode != http.StatusOK || r.Header.Get("Content-Type") != "text/event-stream" {
		return nil, fmt.Errorf("%s, %s", r.Status, r.Header.Get("Content-Type"))
	}
	var out []byte
	in := bufio.NewReader(r.Body)
	for over := false; ; {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return out, err
		}
		if out = append(out, line...); over && len(line) == 1 {
			return out, nil
		}
		over = over || bytes.HasPrefix(line, []byte("id: ")) && bytes.HasSuffix(line, fmt.Appendf(nil, "-%d\n", until))
	}
}

// stuck is who asks for events and then takes nothing until it is let go.
type stuck struct {
	header http.Header
	let    chan struct{}
	got    bytes.Buffer
	until  []byte
	done   func()
}

func (s *stuck) Header() http.Header { return s.header }
func (s *stuck) WriteHeader(int)     {}
func (s *stuck) Flush()              {}
func (s *stuck) Write(p []byte) (int, error) {
	<-s.let
	s.got.Write(p)
	if bytes.Contains(p, s.until) {
		s.done()
	}
	return len(p), nil
}

// A hundred viewers are told the same, those who come back too, and one who takes nothing
// holds nobody.
func TestLiveViewers(t *testing.T) {
	h, l := servedLive(t)
	log := sampleLog(t, "dropped-heard-only")
	// How many events there are does not hang on who looks on.
	alone := NewLive(context.Background(), reasoner())
	if err := alone.Take(context.Background(), "s", bytes.NewReader(log)); err != nil {
		t.Fatal(err)
	}
	total := alone.last
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	slow := &stuck{header: http.Header{}, let: make(chan struct{}), until: fmt.Appendf(nil, "-%d\ndata", total), done: cancel}
	var viewers sync.WaitGroup
	viewers.Go(func() {
		req := httptest.NewRequestWithContext(ctx, http.MethodGet, "http://localhost/api/v1/live/events", nil)
		h.Config.Handler.ServeHTTP(slow, req)
	})
	const many = 100
	got := make([][]byte, many)
	errs := make([]error, many)
	for i := range many {
		viewers.Go(func() { got[i], errs[i] = lookOn(h.URL+"/api/v1/live/events", "", total) })
	}
	if err := l.Take(context.Background(), "s", bytes.NewReader(log)); err != nil { // though one is stuck
		t.Fatal(err)
	}
	close(slow.let)
	viewers.Wait()
	plain := func(b []byte) string { return strings.ReplaceAll(string(b), ": \n\n", "") }
	want := plain(got[0])
	if n := len(eventsOf(t, got[0])); int64(n) != total {
		t.Fatalf("%d events, want %d", n, total)
	}
	for i := range got {
		if errs[i] != nil || plain(got[i]) != want {
			t.Fatalf("viewer %d: %v\n%s", i, errs[i], firstDifference(plain(got[i]), want))
		}
	}
	if plain(slow.got.Bytes()) != want {
		t.Error("who was slow is told otherwise:\n" + firstDifference(plain(slow.got.Bytes()), want))
	}
	// Who comes back is told the rest.
	back, err := lookOn(h.URL+"/api/v1/live/events?after="+l.idOf(2), l.idOf(total-3), total)
	if events := eventsOf(t, back); err != nil || len(events) != 3 || events[0].Seq != total-2 {
		t.Errorf("who comes back is told %d events (%v)", len(events), err)
	}
	for _, unknown := range []string{"of-another-process", l.epoch + "-", l.epoch + "-999999", "x" + l.idOf(3)} {
		back, err := lookOn(h.URL+"/api/v1/live/events", unknown, total)
		if events := eventsOf(t, back); err != nil || len(events) != 1 || events[0].Change != changeReset {
			t.Errorf("after %q: %v (%v)", unknown, events, err)
		}
	}
	full, crowd := servedLive(t)
	for range maxViewers {
		crowd.enter()
	}
	if code, _, _ := get(t, full.URL+"/api/v1/live/events"); code != http.StatusServiceUnavailable {
		t.Errorf("one viewer too many: %d", code)
	}
}

// What is kept is bounded, and who falls behind it is told so.
func TestLiveIsBounded(t *testing.T) {
	l := NewLive(context.Background(), reasoner())
	s, err := l.open("s")
	if err != nil {
		t.Fatal(err)
	}
	to := &listener{live: l, stream: s}
	for range maxEvents + 10 {
		to.warn("odd")
	}
	if len(l.told) != maxEvents {
		t.Errorf("%d events are kept", len(l.told))
	}
	if _, _, lost, _ := l.since(5); !lost {
		t.Error("event 6 is kept still")
	}
	if events, _, lost, _ := l.since(l.last - maxEvents); lost || len(events) == 0 {
		t.Error("the first that is kept is lost")
	}
	long := strings.Repeat("long ", 1_000_000) // is cut to what a page bears
	for range maxEvents {
		to.warn(long)
	}
	if l.size > maxEventBytes {
		t.Errorf("%d bytes are kept", l.size)
	}
	for i := range maxStreams - 1 {
		if _, err := l.open(fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.open("one more"); err == nil {
		t.Error("one stream too many is open")
	}
	l.close(s, nil)
	if _, err := l.open("one more"); err != nil || len(l.streams) != maxStreams {
		t.Errorf("in place of one that is over: %v, %d streams", err, len(l.streams))
	}
}

// post sends lines of a stream.
func post(t *testing.T, address string, lines io.Reader) (int, linesAnswer) {
	t.Helper()
	r, err := http.Post(address, "application/x-ndjson", lines)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	var out linesAnswer
	if err := json.NewDecoder(r.Body).Decode(&out); err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, out
}

func end(t *testing.T, address string) int {
	t.Helper()
	req, _ := http.NewRequest(http.MethodDelete, address, nil)
	r, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	return r.StatusCode
}

// A stream may come by several requests, each answered when its lines are judged.
func TestLiveByHTTP(t *testing.T) {
	h, l := servedLive(t)
	address := h.URL + "/api/v1/live/streams/robot%201"
	lines := bytes.SplitAfter(bytes.TrimSpace(sampleLog(t, "consequence")), []byte("\n"))
	first, rest := bytes.Join(lines[:7], nil), bytes.Join(lines[7:], nil)
	if code, a := post(t, address, bytes.NewReader(first)); code != 200 || a.Lines != 7 {
		t.Fatalf("%d %+v", code, a)
	}
	now := l.snapshot()
	if e := now.Episodes[0]; e.Stream != "robot 1" || e.State != stateOngoing || e.Steps != 5 || e.Found != 1 {
		t.Errorf("after the first lines: %+v", e.LiveEpisode)
	}
	// Another request may not send between.
	waits, write := io.Pipe()
	answered := make(chan int)
	go func() {
		r, err := http.Post(address, "application/x-ndjson", waits)
		if err != nil {
			answered <- 0
			return
		}
		r.Body.Close()
		answered <- r.StatusCode
	}()
	write.Write(append(bytes.Clone(lines[7]), lines[8][:5]...)) // a line, and the begin of one
	await(t, l, func(s liveSnapshot) bool { return s.Episodes[0].Steps == 6 })
	if code, a := post(t, address, strings.NewReader("{}")); code != http.StatusConflict || a.Lines != 0 {
		t.Errorf("between the lines of another: %d %+v", code, a)
	}
	write.Write(append(bytes.Clone(lines[8][5:]), bytes.Join(lines[9:], nil)...)) // the last has no end
	write.Close()
	if code := <-answered; code != 200 {
		t.Errorf("the rest: %d", code)
	}
	if e := l.snapshot().Episodes[0]; e.Steps != 19 || e.State != stateOngoing {
		t.Errorf("after the rest of %d bytes: %+v", len(rest), e.LiveEpisode)
	}
	if code := end(t, address); code != 204 {
		t.Errorf("the end: %d", code)
	}
	if now = l.snapshot(); now.Episodes[0].State != stateOver || now.Streams[0].State != stateOver {
		t.Errorf("at the end: %+v", now)
	}
	if code := end(t, address); code != 404 {
		t.Errorf("the end once more: %d", code)
	}
	// One that breaks is told, and may begin anew.
	if code, a := post(t, address, strings.NewReader("what is this\n")); code != 400 || !strings.Contains(a.Error, "robot 1:1") {
		t.Errorf("no log: %d %+v", code, a)
	}
	if s := l.snapshot().Streams[0]; s.State != stateAborted || !strings.Contains(s.Error, "robot 1:1") {
		t.Errorf("of a stream that broke: %+v", s)
	}
	if code, _ := post(t, address, bytes.NewReader(first)); code != 200 {
		t.Errorf("anew: %d", code)
	}
	// Too much is refused after what came before it was taken.
	code, a := post(t, h.URL+"/api/v1/live/streams/much", io.MultiReader(bytes.NewReader(first), io.LimitReader(zeros{}, MaxUpload)))
	if code != http.StatusRequestEntityTooLarge || a.Lines != 7 || !strings.Contains(a.Error, "16 MiB") {
		t.Errorf("too much: %d %+v", code, a)
	}
	if code, a := post(t, h.URL+"/api/v1/live/streams/much", bytes.NewReader(lines[7])); code != 200 || a.Lines != 1 {
		t.Errorf("what follows: %d %+v", code, a)
	}
	if code, a := post(t, h.URL+"/api/v1/live/streams/"+strings.Repeat("x", longestName+1), strings.NewReader("{}")); code != 400 {
		t.Errorf("a long name: %d %+v", code, a)
	}
}

// Who has no token neither looks on nor sends.
func TestLiveNeedsTheToken(t *testing.T) {
	h, l := servedLive(t)
	h.Config.Handler = (&Server{Library: NewLibrary(reasoner(), logs.Reader{Ontology: ontology.Default()}), Live: l, Token: "secret"}).Handler()
	for _, tt := range []struct{ method, path string }{
		{"GET", "/live"}, {"GET", "/api/v1/live"}, {"GET", "/api/v1/live/events"}, {"POST", "/api/v1/live/streams/s"}, {"DELETE", "/api/v1/live/streams/s"},
	} {
		req := httptest.NewRequest(tt.method, "http://robot.example"+tt.path, bytes.NewReader(sampleLog(t, "clean-make-coffee")))
		w := httptest.NewRecorder()
		h.Config.Handler.ServeHTTP(w, req)
		if w.Code != http.StatusUnauthorized {
			t.Errorf("%s %s: %d", tt.method, tt.path, w.Code)
		}
	}
	if n := len(l.snapshot().Streams); n > 0 {
		t.Errorf("%d streams", n)
	}
}

// await looks on until something is so.
func await(t *testing.T, l *Live, is func(liveSnapshot) bool) {
	t.Helper()
	for at := int64(0); ; {
		_, last, _, more := l.since(at)
		if is(l.snapshot()) {
			return
		}
		if last == at {
			select {
			case <-more:
			case <-t.Context().Done():
				t.Fatal("it did not become so")
			}
		}
		at = last
	}
}

// A file is read on as it grows, and from its beginning where another takes its place, also
// after a break.
func TestLiveFollowsAFile(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	l := NewLive(ctx, reasoner())
	path := filepath.Join(t.TempDir(), "log.jsonl")
	if err := l.Follow(ctx, path); err == nil {
		t.Error("a file that is not there is followed")
	}
	if err := l.Follow(ctx, t.TempDir()); err == nil {
		t.Error("a folder is followed")
	}
	log := sampleLog(t, "consequence")
	if err := os.WriteFile(path, log[:len(log)/2], 0o644); err != nil { // it ends within a line
		t.Fatal(err)
	}
	over := make(chan error)
	go func() { over <- l.Follow(ctx, path) }()
	await(t, l, func(s liveSnapshot) bool { return len(s.Episodes) == 1 && s.Episodes[0].Found == 1 })
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.Write(log[len(log)/2:])
	f.Close()
	await(t, l, func(s liveSnapshot) bool { return s.Episodes[0].Steps == 19 })
	replace := func(text []byte) {
		t.Helper()
		if err := os.WriteFile(path+".new", text, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
	}
	replace([]byte("no log\n"))
	await(t, l, func(s liveSnapshot) bool {
		return s.Episodes[0].State == stateOver && s.Streams[0].State == stateAborted
	})
	replace(sampleLog(t, "clean-make-coffee"))
	await(t, l, func(s liveSnapshot) bool {
		return len(s.Episodes) == 2 && s.Episodes[1].ID == "clean-make-coffee" && s.Streams[0].State == stateOngoing
	})
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	await(t, l, func(s liveSnapshot) bool { return s.Episodes[1].State == stateAborted })
	stop()
	if err := <-over; err != nil {
		t.Error(err)
	}
}

// A stream of hostile text is told as text, and cut to what a page bears.
func TestLiveOfAHostileLog(t *testing.T) {
	var log bytes.Buffer
	ep := hostileEpisode()
	ep.Steps[0].Action.Target = strings.Repeat("x", 1_000_000)
	for i := range 3 {
		st := ep.Steps[0]
		st.Index = i + 2
		ep.Steps = append(ep.Steps, st)
	}
	if err := jsonl.Write(&log, ep); err != nil {
		t.Fatal(err)
	}
	l := NewLive(context.Background(), reasoner())
	l.Take(context.Background(), hostile, &log) // whatever becomes of it
	if n := len(all(t, l)); n < 3 {             // each is one line
		t.Errorf("%d events: this test shows nothing", n)
	}
	for _, e := range l.told {
		if len(e) > 100_000 || bytes.ContainsAny(e, "\u202e\u2066\x1b") || bytes.Contains(e, []byte("<script")) {
			t.Errorf("an event of %d bytes: %.300s", len(e), e)
		}
	}
}
