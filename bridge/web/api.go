package web

import (
	_ "embed"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/mishap-robotics/mishap/bridge/internal/encode"
	"github.com/mishap-robotics/mishap/bridge/logs/jsonl"
	"github.com/mishap-robotics/mishap/bridge/report"
)

// openAPI describes the interface for programs.
//
//go:embed openapi.json
var openAPI []byte

// interfaces are the routes for programs. What they answer has the fields of the command
// line's JSON; within /api/v1 fields are added, none is renamed.
func (s *Server) interfaces() {
	s.handle("GET /api/v1/openapi.json", func(_ *Server, w http.ResponseWriter, _ *http.Request) error {
		w.Header().Set("Content-Type", "application/json")
		_, err := w.Write(openAPI)
		return err
	})
	s.handle("GET /api/v1/episodes", (*Server).listEpisodes)
	s.handle("GET /api/v1/episodes/{key}", (*Server).showEpisode)
	s.handle("GET /api/v1/episodes/{key}/pending", (*Server).showPending)
	s.handle("GET /api/v1/episodes/{key}/why-not", (*Server).showWhyNot)
	s.handle("GET /api/v1/episodes/{key}/log", (*Server).showLog)
	s.handle("GET /api/v1/knowledge/files", (*Server).listFiles)
	s.handle("POST /api/v1/try", (*Server).tryOut)
	s.handle("POST /api/v1/check", (*Server).check)
	s.handle("GET /api/v1/live", (*Server).liveState)
	s.handle("POST /api/v1/live/findings/{key}", (*Server).sendRemark)
	s.stream("GET /api/v1/live/events", (*Server).liveEvents)
	s.stream("POST /api/v1/live/streams/{name}", (*Server).sendLines)
	s.stream("DELETE /api/v1/live/streams/{name}", (*Server).endLines)
}

func writeJSON(w http.ResponseWriter, code int, v any) error {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	return encode.Indented(w, v)
}

func (s *Server) listEpisodes(w http.ResponseWriter, r *http.Request) error {
	all, pending, errs := s.Library.List(r.Context())
	f := filterOf(r.URL.Query())
	out := struct {
		Episodes []*Entry `json:"episodes"`
		Pending  int      `json:"pending"` // logs that are not judged yet
		Errors   []string `json:"errors"`
	}{[]*Entry{}, pending, append([]string{}, errs...)}
	for _, e := range all {
		if f.fits(e) {
			out.Episodes = append(out.Episodes, e)
		}
	}
	return writeJSON(w, http.StatusOK, out)
}

func (s *Server) showEpisode(w http.ResponseWriter, r *http.Request) error {
	j, err := s.Library.judged(r.Context(), r.PathValue("key"))
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, j.atLeast(r.Context(), waiting(r)))
}

func (s *Server) showPending(w http.ResponseWriter, r *http.Request) error {
	j, err := s.Library.judged(r.Context(), r.PathValue("key"))
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, map[string]bool{"pending": j.atLeast(r.Context(), waiting(r)).Pending})
}

// waiting is how long a program waits for the whole of an episode: ?seconds=.
func waiting(r *http.Request) time.Duration {
	n, err := strconv.ParseFloat(r.URL.Query().Get("seconds"), 64)
	if err != nil {
		return JudgingTime
	}
	return min(JudgingTime, time.Duration(max(0, n)*float64(time.Second)))
}

func (s *Server) showWhyNot(w http.ResponseWriter, r *http.Request) error {
	j, err := s.Library.judged(r.Context(), r.PathValue("key"))
	if err != nil {
		return err
	}
	out, err := s.whyNot(r, j, r.URL.Query())
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, out)
}

// check judges a log of JSON Lines that is sent, and keeps nothing of it.
func (s *Server) check(w http.ResponseWriter, r *http.Request) error {
	name := path.Base("/" + r.URL.Query().Get("name"))
	if name == "/" || !strings.HasSuffix(name, ".jsonl") {
		name = "sent.jsonl"
	}
	select {
	case s.Library.judging <- struct{}{}:
		defer func() { <-s.Library.judging }()
	case <-r.Context().Done():
		return r.Context().Err()
	}
	eps, err := jsonl.Read(s.Library.Reasoner.Ontology, name, http.MaxBytesReader(w, r.Body, MaxUpload))
	if err != nil && len(eps) == 0 {
		return unreadable(err)
	}
	out := &report.LogResults[report.Episode]{Errors: []string{}}
	if err != nil {
		out.Errors = append(out.Errors, err.Error())
	}
	for _, ep := range eps {
		res, err := s.Library.Reasoner.Check(r.Context(), ep)
		if err != nil {
			return err
		}
		out.Episodes = append(out.Episodes, report.NewEpisode(res))
	}
	w.Header().Set("Content-Type", "application/json")
	return out.JSON(w)
}

// unreadable is an error of what was sent, but for one of its size.
func unreadable(err error) error {
	if strings.Contains(err.Error(), "request body too large") {
		return &http.MaxBytesError{Limit: MaxUpload}
	}
	return badRequest("%s", err)
}
