package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/record"
)

const mostRemarks = 50 // on one finding

// LiveRemark is what somebody said of a finding or a threat.
type LiveRemark struct {
	At           time.Time `json:"at"`
	Acknowledged bool      `json:"acknowledged,omitempty"` // somebody has taken note of it
	Text         string    `json:"text,omitempty"`
}

// remark takes in what somebody says of the finding or threat of a key, and tells all viewers.
// The error may be that it could not be kept.
func (l *Live) remark(key string, r LiveRemark) (*LiveFinding, error) {
	l.mu.Lock()
	e, f := l.ofKey(key)
	switch {
	case f == nil:
		l.mu.Unlock()
		return nil, &status{http.StatusNotFound, "there is no such finding, or no longer"}
	case len(f.Remarks) >= mostRemarks:
		l.mu.Unlock()
		return nil, &status{http.StatusConflict, fmt.Sprintf("there are %d remarks on it, which is the limit", mostRemarks)}
	}
	f.Remarks = append(slices.Clip(f.Remarks), r)
	l.tellOf(e.stream, e, LiveEvent{Change: changeRemarked, Finding: f})
	told := *f
	l.mu.Unlock()
	return &told, l.keep(e)
}

// ofKey is called with the lock held.
func (l *Live) ofKey(key string) (*liveEpisode, *LiveFinding) {
	for _, e := range l.episodes {
		for _, f := range slices.Concat(e.findings, e.threats) {
			if f.Key == key {
				return e, f
			}
		}
	}
	return nil, nil
}

// keep keeps an episode that is over, with what was said of it.
func (l *Live) keep(e *liveEpisode) error {
	if l.Keep == nil || e == nil {
		return nil
	}
	e.keeping.Lock() // what was said last is what is kept
	defer e.keeping.Unlock()
	l.mu.Lock()
	res := e.over
	var remarks []record.Remark
	if res != nil {
		remarks = e.remarks()
	}
	l.mu.Unlock()
	if res == nil {
		return nil
	}
	if err := l.Keep(l.ctx, res, remarks); err != nil {
		return fmt.Errorf("%s is not kept in the memory: %w", e.ID, err)
	}
	return nil
}

// remarks are those on an episode that is over. What was said of a threat, or of a finding that
// does not stand, is said of the episode.
func (e *liveEpisode) remarks() (out []record.Remark) {
	index := map[string]int{}
	for i := range e.over.Findings {
		index[e.keyOf(engine.Update{Kind: engine.Found, Finding: e.over.Findings[i]})] = i
	}
	for _, f := range slices.Concat(e.findings, e.threats) {
		for _, r := range f.Remarks {
			one := record.Remark{Finding: -1, Acknowledged: r.Acknowledged, Text: r.Text, At: r.At}
			if i, ok := index[f.Key]; ok {
				one.Finding = i
			} else {
				one.Text = strings.TrimSuffix(f.Type+": "+r.Text, ": ")
			}
			out = append(out, one)
		}
	}
	return out
}

// sendRemark takes a remark on a finding or a threat.
func (s *Server) sendRemark(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Acknowledged bool   `json:"acknowledged"`
		Text         string `json:"text"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10)).Decode(&in); err != nil {
		return badRequest("found no JSON (%v); expected an object with acknowledged, text or both", err)
	}
	in.Text = strings.TrimSpace(in.Text)
	switch n := utf8.RuneCountInString(in.Text); {
	case n > longestLive:
		return badRequest("a text of %d characters; expected at most %d", n, longestLive)
	case n == 0 && !in.Acknowledged:
		return badRequest("nothing is said; expected acknowledged, text or both")
	}
	f, err := s.Live.remark(r.PathValue("key"), LiveRemark{time.Now().UTC().Truncate(time.Second), in.Acknowledged, clipped(in.Text)})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, f)
}
