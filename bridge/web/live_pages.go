package web

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"
)

// How long a viewer, and who sends a stream, may take nothing or send nothing.
const (
	heartbeat   = 15 * time.Second // after which a viewer is written to that nothing happened
	slowest     = 30 * time.Second // that writing to a viewer may take
	longestName = 200              // bytes of a name of a stream
)

// live is the page of streams. What it shows it asks for itself.
func (s *Server) live(w http.ResponseWriter, _ *http.Request) error {
	return s.render(w, http.StatusOK, "live.html", s.layout("/live", word("page.live"), nil))
}

func (s *Server) liveState(w http.ResponseWriter, _ *http.Request) error {
	return writeJSON(w, http.StatusOK, s.Live.snapshot())
}

// liveEvents tells a viewer of events as they arise, from the one on after which it was told
// last: by Last-Event-ID, as a browser that comes back sends it, or ?after=.
func (s *Server) liveEvents(w http.ResponseWriter, r *http.Request) error {
	id := r.Header.Get("Last-Event-ID")
	if id == "" {
		id = r.URL.Query().Get("after")
	}
	if !s.Live.enter() {
		return &status{http.StatusServiceUnavailable, fmt.Sprintf("%d viewers look on already, which is the limit", maxViewers)}
	}
	defer s.Live.exit()
	v := viewer{w: w, control: http.NewResponseController(w)}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // proxies are to pass events on at once
	w.WriteHeader(http.StatusOK)
	v.send([]byte(": \n\n"))
	at, known := s.Live.position(id)
	if !known {
		at = -1
	}
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for v.err == nil {
		events, last, lost, more := s.Live.since(at)
		if lost {
			reset, err := encodeEvent(s.Live.idOf(last), LiveEvent{Seq: last, Change: changeReset})
			if err != nil {
				return err
			}
			events = [][]byte{reset}
		}
		if at = last; len(events) > 0 {
			v.send(events...)
			continue
		}
		select {
		case <-r.Context().Done():
			return nil
		case <-s.Live.ctx.Done():
			return nil
		case <-more:
		case <-beat.C:
			v.send([]byte(": \n\n"))
		}
	}
	return nil // who looked on is gone
}

// viewer is who looks on.
type viewer struct {
	w       io.Writer
	control *http.ResponseController
	err     error
}

func (v *viewer) send(events ...[]byte) {
	if err := v.control.SetWriteDeadline(time.Now().Add(slowest)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		v.err = err
	}
	for _, e := range events {
		if v.err == nil {
			_, v.err = v.w.Write(e)
		}
	}
	if v.err == nil {
		v.err = v.control.Flush()
	}
}

// enter lets a viewer in, unless there are too many.
func (l *Live) enter() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.viewers >= maxViewers {
		return false
	}
	l.viewers++
	return true
}

func (l *Live) exit() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.viewers--
}

// streamName is the name of a stream in an address.
func streamName(r *http.Request) (string, error) {
	name := r.PathValue("name")
	if len(name) > longestName || !utf8.ValidString(name) || strings.TrimSpace(name) == "" {
		return "", badRequest("a name of a stream of %d bytes; expected 1 to %d bytes of UTF-8 text", len(name), longestName)
	}
	return name, nil
}

// linesAnswer says what became of lines that were sent.
type linesAnswer struct {
	Lines int    `json:"lines"` // that were taken in
	Error string `json:"error,omitempty"`
}

// sendLines takes lines of a stream in. A request may go on as long as lines come.
func (s *Server) sendLines(w http.ResponseWriter, r *http.Request) error {
	name, err := streamName(r)
	if err != nil {
		return err
	}
	control := http.NewResponseController(w)
	body := &patient{http.MaxBytesReader(w, r.Body, MaxUpload), control}
	lines, err := s.Live.send(name, body)
	control.SetReadDeadline(time.Now().Add(slowest)) // where it may be set it is that of the next request
	if err == nil {
		return writeJSON(w, http.StatusOK, linesAnswer{Lines: lines})
	}
	code, text := http.StatusBadRequest, err.Error()
	var known *status
	var big *http.MaxBytesError
	switch {
	case errors.As(err, &known):
		code = known.code
	case errors.As(err, &big):
		code, text = http.StatusRequestEntityTooLarge, fmt.Sprintf("more than %d MiB were sent, which is the limit of a request; send what follows the lines that were taken in another", big.Limit>>20)
	case errors.Is(err, errStopped):
		code = http.StatusServiceUnavailable
	}
	return writeJSON(w, code, linesAnswer{lines, shown(text)})
}

// patient waits for each piece of a request anew.
type patient struct {
	io.Reader
	control *http.ResponseController
}

func (p *patient) Read(b []byte) (int, error) {
	if err := p.control.SetReadDeadline(time.Now().Add(maxQuiet)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return 0, err
	}
	return p.Reader.Read(b)
}

// endLines ends a stream: its last episode is over.
func (s *Server) endLines(w http.ResponseWriter, r *http.Request) error {
	name, err := streamName(r)
	if err != nil {
		return err
	}
	var known *status
	if err := s.Live.endStream(name); errors.As(err, &known) {
		return err
	} else if err != nil {
		return badRequest("%s", err)
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
