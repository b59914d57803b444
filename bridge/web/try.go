package web

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/mishap-robotics/mishap/bridge/logs/jsonl"
	"github.com/mishap-robotics/mishap/bridge/try"
	"github.com/mishap-robotics/mishap/ontology/document"
)

// file is a text that is tried out.
type file struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// knowledgeFiles are the files that a draft may begin with.
type knowledgeFiles struct {
	Rules    []file `json:"rules"`
	Ontology []file `json:"ontology"`
	Prefixes string `json:"prefixes"` // of a new file
}

func filesOf(b *try.Bench) knowledgeFiles {
	list := func(documents []document.Document) []file {
		out := []file{}
		for _, d := range documents {
			out = append(out, file{d.Name, string(d.Data)})
		}
		return out
	}
	out := knowledgeFiles{Rules: list(b.Rules), Ontology: list(b.Ontology)}
	for _, f := range out.Ontology {
		if strings.Contains(f.Text, "owl:Class") && out.Prefixes == "" {
			out.Prefixes = prefixesOf(f.Text)
		}
	}
	return out
}

// prefixesOf are the lines of a Turtle file that declare prefixes.
func prefixesOf(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "@prefix") {
			out.WriteString(line)
		}
	}
	return out.String() + "\n"
}

func (s *Server) try(w http.ResponseWriter, _ *http.Request) error {
	return s.render(w, http.StatusOK, "try.html", s.layout("/try", word("page.try"), map[string]string{}))
}

func (s *Server) listFiles(w http.ResponseWriter, _ *http.Request) error {
	return writeJSON(w, http.StatusOK, filesOf(s.Bench))
}

// tryOut judges a draft, and keeps nothing of it.
func (s *Server) tryOut(w http.ResponseWriter, r *http.Request) error {
	var d try.Draft
	in := json.NewDecoder(http.MaxBytesReader(w, r.Body, 3*try.MaxDraft)) // JSON escapes some of it
	var big *http.MaxBytesError
	switch err := in.Decode(&d); {
	case errors.As(err, &big):
		return err
	case err != nil:
		return badRequest("found no JSON (%v); expected an object with rules, ontology and log", err)
	}
	select {
	case s.Library.judging <- struct{}{}:
		defer func() { <-s.Library.judging }()
	case <-r.Context().Done():
		return r.Context().Err()
	}
	answer, err := s.Bench.Judge(r.Context(), d)
	switch {
	case r.Context().Err() != nil:
		return r.Context().Err()
	case err != nil:
		return &status{http.StatusRequestEntityTooLarge, err.Error()}
	}
	return writeJSON(w, http.StatusOK, answer)
}

// showLog writes the log of an episode as JSON Lines, of whatever form it is.
func (s *Server) showLog(w http.ResponseWriter, r *http.Request) error {
	ep, err := s.Library.episode(r.Context(), r.PathValue("key"))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	return jsonl.Write(w, ep)
}
