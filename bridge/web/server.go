package web

import (
	"bytes"
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mishap-robotics/mishap/bridge/try"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/ruletest"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// Limits of a server.
const (
	MaxUpload   = 16 << 20         // bytes of a log that is sent to be judged
	JudgingTime = 60 * time.Second // of one request
	maxHeader   = 64 << 10
	patience    = 50 * time.Millisecond // that a page waits for what takes long
)

// Server shows a library as pages and as an interface for programs.
type Server struct {
	Library *Library
	// Live takes in streams; nil for one that has none but those by HTTP.
	Live *Live
	// Token is asked of everybody where it is not "": once in the address of a page
	// (?token=), or as a bearer token by programs.
	Token string
	// Loopback is true where the server is reached as this machine alone: requests that name
	// another host are refused, so that no page elsewhere can read through a name of its own.
	Loopback bool
	// Bench judges what is tried out; nil for one with what is built in.
	Bench *try.Bench
	// Others are sets of rules that an episode can be judged with beside the library's.
	Others []RuleSet
	// Tests are those of the rules, which Knowledge shows; nil for none.
	Tests []*ruletest.Test
	// Results are the results of benchmarks, by name; each is a JSON object.
	Results map[string][]byte
	// Log is told of what goes wrong inside; nil for nobody.
	Log *log.Logger

	mux    *http.ServeMux
	tested func() *tested
}

// RuleSet is a set of rules under a name.
type RuleSet struct {
	Name     string
	Reasoner *engine.Reasoner
}

// page is a page of the server that its navigation names.
type page struct {
	path, word string
	serve      func(*Server, http.ResponseWriter, *http.Request) error
}

// pages are the pages in the order of the navigation. A further one is a line here, a
// template and its words.
func pages() []page {
	return []page{
		{"/episodes", "page.episodes", (*Server).episodes},
		{"/live", "page.live", (*Server).live},
		{"/compare", "page.compare", (*Server).compare},
		{"/try", "page.try", (*Server).try},
		{"/knowledge", "page.knowledge", (*Server).knowledge},
		{"/benchmarks", "page.benchmarks", (*Server).benchmarks},
	}
}

// Handler answers requests. The fields of the server are not to be changed after it.
func (s *Server) Handler() http.Handler {
	if s.Live == nil {
		s.Live = NewLive(context.Background(), s.Library.Reasoner)
	}
	if s.Bench == nil {
		s.Bench = &try.Bench{Ontology: ontology.Shipped(), Rules: rules.Shipped()}
	}
	s.tested = sync.OnceValue(s.test)
	s.mux = http.NewServeMux()
	s.handle("GET /{$}", func(s *Server, w http.ResponseWriter, r *http.Request) error {
		http.Redirect(w, r, "/episodes", http.StatusFound)
		return nil
	})
	for _, p := range pages() {
		s.handle("GET "+p.path, p.serve)
	}
	s.handle("GET /episodes/{key}", (*Server).episode)
	s.handle("GET /episodes/{key}/findings/{n}", (*Server).finding)
	s.handle("GET /episodes/{key}/why-not", (*Server).absence)
	s.handle("GET /knowledge/actions.svg", (*Server).actionGraph)
	s.handle("GET /knowledge/{name}", (*Server).term)
	s.mux.Handle("GET /static/", static())
	s.interfaces()
	s.handle("/", func(*Server, http.ResponseWriter, *http.Request) error { return ErrGone })
	return s.guard(http.NewCrossOriginProtection().Handler(s.mux))
}

func (s *Server) handle(pattern string, serve func(*Server, http.ResponseWriter, *http.Request) error) {
	s.stream(pattern, func(s *Server, w http.ResponseWriter, r *http.Request) error {
		ctx, cancel := context.WithTimeout(r.Context(), JudgingTime)
		defer cancel()
		return serve(s, w, r.WithContext(ctx))
	})
}

// stream handles requests that may go on for long.
func (s *Server) stream(pattern string, serve func(*Server, http.ResponseWriter, *http.Request) error) {
	s.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		if err := serve(s, w, r); err != nil {
			s.refuse(w, r, err)
		}
	})
}

// Serve serves on a listener until the context is over.
func (s *Server) Serve(ctx context.Context, on net.Listener) error {
	h := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: maxHeader, ErrorLog: s.Log, BaseContext: func(net.Listener) context.Context { return ctx }}
	defer context.AfterFunc(ctx, func() { h.Close() })()
	if err := h.Serve(on); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// policy lets pages use nothing but what the server itself gives, and no script or style
// that stands in them.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// guard sets what goes with every answer, and lets in who may come in.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		defer func() {
			if p := recover(); p != nil && p != http.ErrAbortHandler {
				s.logf("%s: %v", r.URL.Path, p)
				s.refuse(w, r, errors.New("a mistake in mishap; its log says more"))
			}
		}()
		switch {
		case s.Loopback && !isLoopback(r.Host):
			s.refuse(w, r, &status{http.StatusMisdirectedRequest, fmt.Sprintf("the request is for %q; expected localhost, or mishap serve --listen with a token", shown(r.Host))})
		case s.Token != "" && !s.admit(w, r):
		default:
			next.ServeHTTP(w, r)
		}
	})
}

func isLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

const cookie = "mishap_token"

// admit looks for the token. One in the address becomes a cookie, so that it stands in no
// further address.
func (s *Server) admit(w http.ResponseWriter, r *http.Request) bool {
	is := func(token string) bool { return subtle.ConstantTimeCompare([]byte(token), []byte(s.Token)) == 1 }
	if bearer, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok && is(bearer) {
		return true
	}
	if c, err := r.Cookie(cookie); err == nil && is(c.Value) {
		return true
	}
	q := r.URL.Query()
	if r.Method == http.MethodGet && is(q.Get("token")) {
		http.SetCookie(w, &http.Cookie{Name: cookie, Value: s.Token, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
		q.Del("token")
		to := url.URL{Path: "/" + strings.TrimLeft(r.URL.Path, "/"), RawQuery: q.Encode()}
		http.Redirect(w, r, to.String(), http.StatusFound)
		return false
	}
	s.refuse(w, r, &status{http.StatusUnauthorized, "a token is needed; open the address that mishap serve printed"})
	return false
}

// status is an error with the status that it is answered with.
type status struct {
	code int
	text string
}

func (e *status) Error() string { return e.text }

func badRequest(format string, args ...any) error {
	return &status{http.StatusBadRequest, fmt.Sprintf(format, args...)}
}

// refuse says on the page, or as JSON, what is wrong.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	code := http.StatusInternalServerError
	var known *status
	var big *http.MaxBytesError
	var limit *engine.LimitError
	switch {
	case errors.As(err, &known):
		code = known.code
	case errors.Is(err, ErrGone):
		code = http.StatusNotFound
	case errors.As(err, &big):
		code, err = http.StatusRequestEntityTooLarge, fmt.Errorf("more than %d MiB were sent; that is the limit", big.Limit>>20)
	case errors.As(err, &limit):
		code = http.StatusUnprocessableEntity
	case errors.Is(err, context.Canceled):
		return // nobody listens any more
	case errors.Is(err, context.DeadlineExceeded):
		code, err = http.StatusServiceUnavailable, fmt.Errorf("it was not done within %v", JudgingTime)
	}
	if strings.HasPrefix(r.URL.Path, "/api/") {
		writeJSON(w, code, map[string]string{"error": shown(err.Error())})
		return
	}
	if code >= 500 {
		s.logf("%s: %v", r.URL.Path, err)
	}
	s.render(w, code, "error.html", s.layout("", word("error.title"), err.Error()))
}

func (s *Server) logf(format string, args ...any) {
	if s.Log != nil {
		s.Log.Printf("%s", shown(fmt.Sprintf(format, args...)))
	}
}

// layout is what every page has.
type layout struct {
	Title string
	Nav   []navLink
	Words map[string]string
	Page  any
}

type navLink struct {
	Path, Name string
	Here       bool
}

func (s *Server) layout(here, title string, content any) layout {
	out := layout{Title: shown(title), Words: words(), Page: content}
	for _, p := range pages() {
		out.Nav = append(out.Nav, navLink{p.path, word(p.word), p.path == here})
	}
	return out
}

// render writes a page whole or not at all.
func (s *Server) render(w http.ResponseWriter, code int, name string, l layout) error {
	var b bytes.Buffer
	if err := templates().ExecuteTemplate(&b, name, l); err != nil {
		s.logf("%s: %v", name, err)
		http.Error(w, "this page could not be made", http.StatusInternalServerError)
		return nil
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(code)
	_, err := w.Write(b.Bytes())
	if err != nil {
		s.logf("%s: %v", name, err) // who asked is gone
	}
	return nil
}

// static serves the scripts and styles.
func static() http.Handler {
	files := http.FileServerFS(staticFiles)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/") {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Cache-Control", "no-cache")
		files.ServeHTTP(w, r)
	})
}

// perPage is how many episodes a page lists.
const perPage = 100

// episodesPage is the list of episodes.
type episodesPage struct {
	Entries         []*Entry
	Of, All         int // that fit the filter, and of how many
	Failed, Good    int
	Steps           int
	Filter          Filter
	Counts          []classCount
	Days            []dayCount
	MostDays        int
	Classes, Robots []string
	Pending         int
	Errors          []string
	Newer, Older    string
}

// dayCount is how many episodes began on a day, and how many of them failed.
type dayCount struct {
	Day            string
	Episodes, Fail int
}

func (s *Server) episodes(w http.ResponseWriter, r *http.Request) error {
	all, pending, errs := s.Library.List(r.Context())
	f := filterOf(r.URL.Query())
	p := episodesPage{Filter: f, All: len(all), Pending: pending, Errors: errs}
	classes, robots, counts, days := map[string]bool{}, map[string]bool{}, map[string]int{}, map[string]*dayCount{}
	var fit []*Entry
	for _, e := range all {
		for c := range e.Classes {
			classes[c] = true
		}
		if e.Robot != "" {
			robots[e.Robot] = true
		}
		if !f.fits(e) {
			continue
		}
		fit = append(fit, e)
		p.Steps += e.Steps
		if e.Findings > 0 {
			p.Failed++
		} else {
			p.Good++
		}
		for c, n := range e.Classes {
			counts[c] += n
		}
		if !e.began.IsZero() {
			day := e.began.Format(time.DateOnly)
			if days[day] == nil {
				days[day] = &dayCount{Day: day}
			}
			days[day].Episodes++
			if e.Findings > 0 {
				days[day].Fail++
			}
		}
	}
	p.Of, p.Counts = len(fit), countClasses(counts)
	p.Days, p.MostDays = lastDays(days)
	p.Classes, p.Robots = sortedKeys(classes), sortedKeys(robots)
	p.turn(fit, r.URL.Query().Get("page"))
	return s.render(w, http.StatusOK, "episodes.html", s.layout("/episodes", word("page.episodes"), p))
}

// turn shows one page of those that fit.
func (p *episodesPage) turn(fit []*Entry, text string) {
	n := 0
	fmt.Sscanf(text, "%d", &n)
	n = max(0, min(n, (len(fit)-1)/perPage))
	link := func(n int) string {
		q := p.Filter.query()
		q.Set("page", fmt.Sprint(n))
		return "?" + q.Encode()
	}
	if n > 0 {
		p.Newer = link(n - 1)
	}
	if (n+1)*perPage < len(fit) {
		p.Older = link(n + 1)
	}
	p.Entries = fit[min(len(fit), n*perPage):min(len(fit), (n+1)*perPage)]
}

// lastDays are the last days on which anything began, and the most of one.
func lastDays(days map[string]*dayCount) (out []dayCount, most int) {
	const shownDays = 60
	for _, d := range days {
		out = append(out, *d)
	}
	slices.SortFunc(out, func(a, b dayCount) int { return strings.Compare(a.Day, b.Day) })
	out = out[max(0, len(out)-shownDays):]
	for _, d := range out {
		most = max(most, d.Episodes)
	}
	return out, most
}

func sortedKeys(m map[string]bool) []string {
	out := []string{}
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func (s *Server) episode(w http.ResponseWriter, r *http.Request) error {
	key := r.PathValue("key")
	j, err := s.Library.judged(r.Context(), key)
	if err != nil {
		return err
	}
	e := j.atLeast(r.Context(), patience)
	v := newEpisodeView("e", e)
	v.Base = "/episodes/" + url.PathEscape(key)
	v.Compare = "/compare?" + url.Values{"a": {key}}.Encode()
	v.Try = "/try?" + url.Values{"episode": {key}}.Encode()
	if r.URL.Query().Get("log") == "all" {
		v.Short = false
	} else {
		v.shorten(v.Base + "?log=all#e-log")
	}
	return s.render(w, http.StatusOK, "episode.html", s.layout("/episodes", e.Report.ID, v))
}
