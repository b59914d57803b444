package jsonl_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/mishap-robotics/mishap/bridge/logs/jsonl"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// service watches many robots at once. A robot sends the header of its episode with PUT
// /robots/NAME and each step with POST /robots/NAME/steps, and is answered with what is
// new. What the monitors know is saved after each step: a service that is started again in
// the same folder goes on where it was.
type service struct {
	reasoner *engine.Reasoner
	decoder  *jsonl.Decoder
	folder   string
	log      *slog.Logger

	mu     sync.Mutex // of robots
	robots map[string]*robot
}

// robot is one that is watched. A monitor is for one goroutine at a time.
type robot struct {
	mu      sync.Mutex
	episode *episode.Episode
	monitor *engine.Monitor
}

func newService(r *engine.Reasoner, folder string, log *slog.Logger) *service {
	return &service{reasoner: r, decoder: jsonl.NewDecoder(r.Ontology), folder: folder, log: log, robots: map[string]*robot{}}
}

func (s *service) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("PUT /robots/{name}", s.begin)
	mux.HandleFunc("POST /robots/{name}/steps", s.step)
	return mux
}

// begin takes the header of an episode; an earlier one of the robot is over.
func (s *service) begin(w http.ResponseWriter, req *http.Request) {
	line, err := io.ReadAll(http.MaxBytesReader(w, req.Body, 1<<20))
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	ep, err := s.decoder.Header(req.PathValue("name"), line)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	one := &robot{episode: ep, monitor: s.reasoner.Watch(ep, engine.Limits{Window: 1000}, nil)}
	s.mu.Lock()
	s.robots[req.PathValue("name")] = one
	s.mu.Unlock()
	w.WriteHeader(http.StatusCreated)
}

// find is a robot that is watched, or was before the service was started again.
func (s *service) find(name string) (*robot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if one := s.robots[name]; one != nil {
		return one, nil
	}
	saved, err := os.ReadFile(s.file(name))
	if err != nil {
		return nil, errors.New("no episode of this robot; PUT its header first")
	}
	m, err := s.reasoner.Restore(bytes.NewReader(saved), nil)
	if err != nil {
		return nil, fmt.Errorf("what was saved of this robot: %w; PUT the header again, then send all steps", err)
	}
	one := &robot{episode: m.Trace().Episode, monitor: m}
	s.robots[name] = one
	return one, nil
}

func (s *service) file(name string) string {
	return filepath.Join(s.folder, filepath.Base(name)+".state")
}

// step takes one step and answers with the findings that are new, as JSON.
func (s *service) step(w http.ResponseWriter, req *http.Request) {
	name := req.PathValue("name")
	one, err := s.find(name)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	line, err := io.ReadAll(http.MaxBytesReader(w, req.Body, 1<<20))
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	st, warnings, err := s.decoder.Step(name, line)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	for _, warning := range warnings {
		s.log.Warn(warning.Msg, "robot", name, "step", st.Index)
	}
	one.mu.Lock()
	defer one.mu.Unlock()
	updates, err := one.monitor.Step(req.Context(), st)
	var order *engine.OrderError
	switch {
	case errors.As(err, &order):
		http.Error(w, err.Error(), http.StatusConflict)
		return
	case err != nil:
		s.log.Error(err.Error(), "robot", name, "step", st.Index) // the next step is taken all the same
	}
	var state bytes.Buffer
	if err := one.monitor.Snapshot(&state); err == nil {
		err = os.WriteFile(s.file(name)+".new", state.Bytes(), 0o600)
		if err == nil {
			err = os.Rename(s.file(name)+".new", s.file(name))
		}
		if err != nil {
			s.log.Error(err.Error(), "robot", name)
		}
	}
	found := []report.Finding{}
	for _, u := range updates {
		if u.Kind == engine.Found {
			found = append(found, report.NewFinding(one.episode, &u.Finding))
		}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(found) // nobody listens any more
}

// A small service: many robots, HTTP, a restart in the middle.
func Example_service() {
	folder, err := os.MkdirTemp("", "robots")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		panic(err)
	}
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	server := httptest.NewServer(newService(r, folder, quiet).routes())
	send := func(method, path, body string) string {
		req, err := http.NewRequest(method, server.URL+path, strings.NewReader(body))
		if err != nil {
			panic(err)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			panic(err)
		}
		defer res.Body.Close()
		var found []report.Finding
		if res.StatusCode != http.StatusOK || json.NewDecoder(res.Body).Decode(&found) != nil {
			return res.Status
		}
		out := fmt.Sprintf("%d findings", len(found))
		for _, f := range found {
			out += ": " + f.Explanation
		}
		return out
	}
	fmt.Println(send("PUT", "/robots/anna", `{"mishap":1,"id":"run-7","goal":"the mug is in the sink"}`))
	fmt.Println(send("POST", "/robots/anna/steps", `{"step":1,"action":"(pick_up, Mug-1)","observation":{"nodes":[{"id":"Mug-1","class":"Mug"}],"edges":[["Mug-1","inside","RobotGripper-1"]]}}`))
	fmt.Println(send("POST", "/robots/berta/steps", `{"step":1}`))

	server.Close() // and started again
	server = httptest.NewServer(newService(r, folder, quiet).routes())
	defer server.Close()
	fmt.Println(send("POST", "/robots/anna/steps", `{"step":1,"action":"(pick_up, Mug-1)"}`))
	fmt.Println(send("POST", "/robots/anna/steps", `{"step":2,"action":"(navigate_to_obj, Sink-1)","sounds":["something drops"],"observation":{"nodes":[{"id":"Sink-1","class":"Sink"}]}}`))
	fmt.Println(send("POST", "/robots/anna/steps", `not a step`))
	// Output:
	// 201 Created
	// 0 findings
	// 404 Not Found
	// 409 Conflict
	// 1 findings: The robot dropped Mug-1 during (navigate_to_obj, Sink-1).
	// 400 Bad Request
}
