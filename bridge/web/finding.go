package web

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine/memory"
)

// findingPage is a finding, with why other classes were not found.
type findingPage struct {
	Finding  findingView
	Episode  *Episode
	Base     string
	Question question
}

// question asks why a class was not found at a step, and may hold the answer.
type question struct {
	Classes []string
	Steps   []int32
	Class   string
	Step    int32
	Absence *report.Absence
	Proofs  findingView // what proofs in the answer are shown as
}

// question is that of a request, about an episode.
func (s *Server) question(r *http.Request, j *judged, e *Episode, steps string, step int32) (question, error) {
	out := question{Classes: s.failureClasses(), Step: step, Proofs: findingView{Steps: steps}}
	for _, m := range e.Moments {
		if m.Step > 0 {
			out.Steps = append(out.Steps, m.Step)
		}
	}
	q := r.URL.Query()
	if q.Get("class") == "" {
		return out, nil
	}
	absence, err := s.whyNot(r, j, q)
	if err == nil {
		out.Absence, out.Class, out.Step = absence, absence.Class, absence.Step
	}
	return out, err
}

func (s *Server) finding(w http.ResponseWriter, r *http.Request) error {
	key := r.PathValue("key")
	j, err := s.Library.judged(r.Context(), key)
	if err != nil {
		return err
	}
	e := j.atLeast(r.Context(), patience)
	n, err := strconv.Atoi(r.PathValue("n"))
	if err != nil || n < 1 || n > len(e.Report.Findings) {
		return ErrGone
	}
	p := findingPage{Episode: e, Base: "/episodes/" + url.PathEscape(key)}
	p.Finding = findingOf(newEpisodeView("e", e), n-1)
	p.Finding.Steps, p.Finding.Open = p.Base+"#e-s", true
	p.Finding.Course = j.carriedOut(r.Context(), s.Library.Reasoner, e, n-1)
	if p.Question, err = s.question(r, j, e, p.Finding.Steps, p.Finding.F.Step); err != nil {
		return err
	}
	return s.render(w, http.StatusOK, "finding.html", s.layout("/episodes", p.Finding.F.Type+" · "+e.Report.ID, p))
}

// absence is the page that tells of any episode why a class was not found at a step.
func (s *Server) absence(w http.ResponseWriter, r *http.Request) error {
	key := r.PathValue("key")
	j, err := s.Library.judged(r.Context(), key)
	if err != nil {
		return err
	}
	p := findingPage{Episode: j.now(), Base: "/episodes/" + url.PathEscape(key)}
	if p.Question, err = s.question(r, j, p.Episode, p.Base+"#e-s", 1); err != nil {
		return err
	}
	return s.render(w, http.StatusOK, "whynot.html", s.layout("/episodes", word("whynot")+" · "+p.Episode.Report.ID, p))
}

// failureClasses are the classes of failures that some rule concludes.
func (s *Server) failureClasses() []string {
	o := s.Library.Reasoner.Ontology
	var out []string
	for _, c := range o.Subclasses(o.Core.Failure) {
		if c != o.Core.Failure {
			out = append(out, o.Name(c))
		}
	}
	slices.Sort(out)
	return out
}

// whyNot tells why a class was not found at a step of an episode.
func (s *Server) whyNot(r *http.Request, j *judged, q url.Values) (*report.Absence, error) {
	class := q.Get("class")
	if !slices.Contains(s.failureClasses(), class) {
		return nil, badRequest("%q is no failure class of the ontology", shown(class))
	}
	step, err := strconv.ParseInt(q.Get("step"), 10, 32)
	if err != nil || j.now().momentOf(int32(step)) < 0 {
		return nil, badRequest("%q is no step of the episode", shown(q.Get("step")))
	}
	j.asking.Lock()
	defer j.asking.Unlock()
	ctx := memory.DuringEpisode(r.Context(), s.Library.Reasoner.Ontology, j.res.Episode)
	return report.NewAbsence(ctx, s.Library.Reasoner, j.res, class, int32(step))
}
