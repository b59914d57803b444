package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/bridge/logs/jsonl"
	"github.com/mishap-robotics/mishap/bridge/try"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/memory"
	"github.com/mishap-robotics/mishap/engine/record"
	"github.com/mishap-robotics/mishap/engine/ruletest"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/rules"
)

var samples = filepath.Join("..", "..", "testdata", "episodes")

// results are some of a benchmark.
const results = `{"version": "v1", "noise": [{"rate": 0.05, "failed": {"episodes": 1000, "failures": 1000, "detected": 998, "class": 990, "alarmed": 3}}],
	"matrix": {"total": {"episodes": 20, "failures": 20, "detected": 19}, "misses": ["boil_water: <b>missed</b>"]}}`

// served is a server of sample episodes.
func served(t *testing.T, names ...string) (*httptest.Server, *Library) {
	t.Helper()
	l := NewLibrary(reasoner(), logs.Reader{Ontology: ontology.Default()})
	var paths []string
	for _, n := range names {
		paths = append(paths, filepath.Join(samples, n+".jsonl"))
	}
	if err := l.Load(context.Background(), paths); err != nil {
		t.Fatal(err)
	}
	s := &Server{Library: l, Loopback: true, Results: map[string][]byte{"detect": []byte(results)}}
	h := httptest.NewServer(s.Handler())
	t.Cleanup(h.Close)
	return h, l
}

func get(t *testing.T, address string) (int, string, http.Header) {
	t.Helper()
	r, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(body), r.Header
}

func keyOfSample(t *testing.T, l *Library, id string) string {
	t.Helper()
	entries, _, _ := l.List(context.Background())
	for _, e := range entries {
		if e.ID == id {
			return e.Key
		}
	}
	t.Fatalf("%s is not listed", id)
	return ""
}

func TestPages(t *testing.T) {
	h, l := served(t, "consequence", "clean-make-coffee")
	key := keyOfSample(t, l, "consequence")
	for _, tt := range []struct {
		path string
		code int
		want string
	}{
		{"/", 200, "make coffee"},
		{"/episodes", 200, "DroppingObjFailure"},
		{"/episodes?class=none", 200, "clean-make-coffee"},
		{"/episodes?q=nothing-of-that-name", 200, "No episode fits."},
		{"/episodes?page=99999999999999999999", 200, "consequence"},
		{"/episodes/" + key, 200, "The robot dropped Mug-1"},
		{"/episodes/" + key + "/findings/1", 200, "rules/dropping.pl:4"},
		{"/episodes/" + key + "/findings/1?class=OccupiedPutFailure&step=5", 200, "did not hold"},
		{"/episodes/" + key + "/findings/1?class=Nonsense&step=5", 400, "is no failure class"},
		{"/episodes/" + key + "/findings/1?class=OccupiedPutFailure&step=99", 400, "is no step"},
		{"/episodes/" + key + "/findings/2", 404, "no such episode"},
		{"/episodes/gone-12345678", 404, "no such episode"},
		{"/compare", 200, "One episode"},
		{"/compare?a=" + key + "&b=" + keyOfSample(t, l, "clean-make-coffee"), 200, "only in the second"},
		{"/compare?a=" + key + "&b=gone", 404, "no such episode"},
		{"/knowledge", 200, "DirtyObjFailure"},
		{"/knowledge/DroppingObjFailure", 200, "rules/dropping.pl:4"},
		{"/knowledge/Nonsense", 404, "not there"},
		{"/knowledge/actions.svg", 200, "<svg"},
		{"/benchmarks", 200, "998 / 1000"},
		{"/static/app.css", 200, "--ground"},
		{"/static/", 404, ""},
		{"/static/../server.go", 404, ""},
		{"/elsewhere", 404, "not there"},
	} {
		code, body, header := get(t, h.URL+tt.path)
		if code != tt.code || !strings.Contains(body, tt.want) {
			t.Errorf("%s: %d, want %d with %q", tt.path, code, tt.code, tt.want)
		}
		if header.Get("Content-Security-Policy") == "" || header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: headers %v", tt.path, header)
		}
		if inline := regexp.MustCompile(`<script>|<style|\son[a-z]+=|style="`).FindString(body); strings.HasPrefix(body, "<!doctype") && inline != "" {
			t.Errorf("%s holds %q, which its policy forbids", tt.path, inline)
		}
	}
}

// schemaOf compiles a schema of the interface's description.
func schemaOf(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(openAPI))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("openapi.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("openapi.json#/components/schemas/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestInterface(t *testing.T) {
	h, l := served(t, "consequence", "clean-make-coffee")
	key := keyOfSample(t, l, "consequence")
	for _, tt := range []struct {
		path, schema string
		code         int
	}{
		{"/api/v1/episodes", "Episodes", 200},
		{"/api/v1/episodes/" + key, "Episode", 200},
		{"/api/v1/episodes/" + key + "/pending?seconds=0", "Pending", 200},
		{"/api/v1/episodes/" + key + "/why-not?class=OccupiedPutFailure&step=5", "Absence", 200},
		{"/api/v1/episodes/" + key + "/why-not?class=OccupiedPutFailure", "Error", 400},
		{"/api/v1/episodes/gone", "Error", 404},
		{"/api/v1/nothing", "Error", 404},
	} {
		code, body, header := get(t, h.URL+tt.path)
		if code != tt.code || header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %d %s, want %d and JSON", tt.path, code, header.Get("Content-Type"), tt.code)
		}
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
		if err == nil {
			err = schemaOf(t, tt.schema).Validate(v)
		}
		if err != nil {
			t.Errorf("%s: %v", tt.path, err)
		}
	}
	var list struct{ Episodes []Entry }
	_, body, _ := get(t, h.URL+"/api/v1/episodes?class=DroppingObjFailure")
	if err := json.Unmarshal([]byte(body), &list); err != nil || len(list.Episodes) != 1 || list.Episodes[0].ID != "consequence" {
		t.Errorf("of a class: %v %v", list, err)
	}
}

// Each route of the interface is described, and each that is described is there.
func TestInterfaceIsDescribed(t *testing.T) {
	var doc struct {
		Paths map[string]map[string]any
	}
	if err := json.Unmarshal(openAPI, &doc); err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("api.go")
	if err != nil {
		t.Fatal(err)
	}
	routes := regexp.MustCompile(`s\.(?:handle|stream)\("(GET|POST|DELETE) (/api/v1/[^"]+)"`).FindAllStringSubmatch(string(source), -1)
	for _, m := range routes {
		method := strings.ToLower(m[1])
		if doc.Paths[m[2]][method] == nil {
			t.Errorf("openapi.json has no %s %s", m[1], m[2])
		}
		if delete(doc.Paths[m[2]], method); len(doc.Paths[m[2]]) == 0 {
			delete(doc.Paths, m[2])
		}
	}
	if len(routes) < 5 || len(doc.Paths) > 0 {
		t.Errorf("%d routes; described, but not there: %v", len(routes), doc.Paths)
	}
}

func TestCheckWhatIsSent(t *testing.T) {
	h, _ := served(t, "clean-make-coffee")
	log, err := os.ReadFile(filepath.Join(samples, "consequence.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		body io.Reader
		code int
		want string
	}{
		{"a log", bytes.NewReader(log), 200, "DroppingObjFailure"},
		{"no log", strings.NewReader("what is this"), 400, "sent.jsonl:1"},
		{"nothing", strings.NewReader(""), 400, "sent.jsonl"},
		{"too much", io.LimitReader(zeros{}, MaxUpload+1), 413, "16 MiB"},
	} {
		r, err := http.Post(h.URL+"/api/v1/check", "application/x-ndjson", tt.body)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(r.Body)
		r.Body.Close()
		if r.StatusCode != tt.code || !strings.Contains(string(body), tt.want) {
			t.Errorf("%s: %d %.300s, want %d with %q", tt.name, r.StatusCode, body, tt.code, tt.want)
		}
	}
	// A page of another site may not send anything.
	req, _ := http.NewRequest(http.MethodPost, h.URL+"/api/v1/check", bytes.NewReader(log))
	req.Header.Set("Sec-Fetch-Site", "cross-site")
	r, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if r.StatusCode != http.StatusForbidden {
		t.Errorf("from another site: %d", r.StatusCode)
	}
}

// What is tried out is judged as the interface says it is, and so is what is no draft.
func TestTryOut(t *testing.T) {
	h, l := served(t, "consequence")
	key := keyOfSample(t, l, "consequence")
	code, log, header := get(t, h.URL+"/api/v1/episodes/"+key+"/log")
	if code != 200 || header.Get("Content-Type") != "application/x-ndjson" || strings.Count(log, "\n") != 21 {
		t.Errorf("the log: %d %s, %d lines", code, header.Get("Content-Type"), strings.Count(log, "\n"))
	}
	draft, err := json.Marshal(map[string]string{"log": log, "rules": "failure('BlockedObjectFailure', S, S, [O]) :- action(S, open_obj), target(S, O).", "ontology": "@prefix"})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		body, schema string
		code         int
	}{
		{string(draft), "Tried", 200},
		{strings.Replace(string(draft), `"@prefix"`, `""`, 1), "Tried", 200},
		{"{}", "Tried", 200},
		{"no draft", "Error", 400},
		{`{"log": "` + strings.Repeat("x", try.MaxDraft+1) + `"}`, "Error", 413},
		{`{"log": "` + strings.Repeat("x", 3*try.MaxDraft) + `"}`, "Error", 413},
	} {
		r, err := http.Post(h.URL+"/api/v1/try", "application/json", strings.NewReader(tt.body))
		if err != nil {
			t.Fatal(err)
		}
		v, err := jsonschema.UnmarshalJSON(r.Body)
		r.Body.Close()
		if err == nil {
			err = schemaOf(t, tt.schema).Validate(v)
		}
		if err != nil || r.StatusCode != tt.code {
			t.Errorf("%.40s: %d, want %d; %v", tt.body, r.StatusCode, tt.code, err)
		}
	}
	_, body, _ := get(t, h.URL+"/api/v1/knowledge/files")
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
	if err == nil {
		err = schemaOf(t, "Files").Validate(v)
	}
	if err != nil {
		t.Error(err)
	}
}

// What tests of rules reach is shown with each class, and each test with what it expects.
func TestTestsOfRulesAreShown(t *testing.T) {
	shipped := slices.DeleteFunc(rules.ShippedTests(), func(d document.Document) bool {
		return d.Name != "rules/slipping.test" && d.Name != "rules/dropping.test"
	})
	tests, err := ruletest.ParseAll(ontology.Default(), shipped)
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer((&Server{Library: NewLibrary(reasoner(), logs.Reader{Ontology: ontology.Default()}), Loopback: true, Tests: tests}).Handler())
	defer h.Close()
	_, page, _ := get(t, h.URL+"/knowledge")
	if !regexp.MustCompile(`DroppingObjFailure</a></th><td><span class="narrow">Rules</span> [1-9]\d*</td><td><span class="narrow">Tests</span> [1-9]\d*</td><td[^>]*><meter[^>]*></meter> \d+ / \d+</td>`).MatchString(page) {
		t.Error("the page does not tell of the tests of a class")
	}
	_, page, _ = get(t, h.URL+"/knowledge/DroppingObjFailure")
	for _, want := range []string{"a slice falls to the floor", "rules/slipping.test:", "expect: DroppingObjFailure"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page of the class lacks %q", want)
		}
	}
}

// One episode is judged with the rules as they are, and with others: what each finds alone is
// told.
func TestCompareRules(t *testing.T) {
	documents := append(rules.Shipped(), document.Document{Name: "own.pl", Data: []byte("failure('BlockedObjectFailure', S, S, [O]) :- action(S, open_obj), target(S, O).\n")})
	p, err := rules.Load(documents)
	if err != nil {
		t.Fatal(err)
	}
	other, err := engine.New(ontology.Default(), p)
	if err != nil {
		t.Fatal(err)
	}
	_, l := served(t, "consequence")
	h := httptest.NewServer((&Server{Library: l, Loopback: true, Others: []RuleSet{{"own", other}}}).Handler())
	defer h.Close()
	key := keyOfSample(t, l, "consequence")
	for _, tt := range []struct {
		query         string
		code, blocked int // how often the new class is told
		alone         bool
	}{
		{"a=" + key + "&b=" + key, 200, 0, false},
		{"a=" + key + "&b=" + key + "&with=own", 200, 1, true},
		{"a=" + key + "&b=" + key + "&with=none", 400, 0, false},
	} {
		code, page, _ := get(t, h.URL+"/compare?"+tt.query)
		if code != tt.code || strings.Count(page, "<strong>BlockedObjectFailure") != tt.blocked || strings.Contains(page, word("compare.only")+"</span>") != tt.alone {
			t.Errorf("%s: %d, %d blocked", tt.query, code, strings.Count(page, "<strong>BlockedObjectFailure"))
		}
	}
}

// Why something was not found can be asked of an episode in which nothing was.
func TestWhyNotOfACleanEpisode(t *testing.T) {
	h, l := served(t, "clean-make-coffee")
	base := h.URL + "/episodes/" + keyOfSample(t, l, "clean-make-coffee")
	for query, want := range map[string]string{"": "", "?class=DroppingObjFailure&step=2": word("whynot.failed")} {
		if code, page, _ := get(t, base+"/why-not"+query); code != 200 || !strings.Contains(page, want) {
			t.Errorf("%q: %d", query, code)
		}
	}
	if code, _, _ := get(t, base+"/why-not?class=DroppingObjFailure&step=900"); code != 400 {
		t.Errorf("of no step: %d", code)
	}
}

// zeros are a file that goes on and on.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

func TestWhoMayComeIn(t *testing.T) {
	h, _ := served(t, "clean-make-coffee")
	ask := func(host, path string, header ...string) int {
		req := httptest.NewRequest(http.MethodGet, "http://"+host+path, nil)
		for i := 0; i+1 < len(header); i += 2 {
			req.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		h.Config.Handler.ServeHTTP(w, req)
		return w.Code
	}
	for host, want := range map[string]int{"localhost:7474": 200, "127.0.0.1": 200, "[::1]:80": 200, "evil.example": 421, "localhost.evil.example": 421, "10.0.0.1": 421} {
		if got := ask(host, "/episodes"); got != want {
			t.Errorf("%s: %d, want %d", host, got, want)
		}
	}
	s := &Server{Library: NewLibrary(reasoner(), logs.Reader{Ontology: ontology.Default()}), Token: "secret"}
	h.Config.Handler = s.Handler()
	for _, tt := range []struct {
		path, header, value string
		want                int
	}{
		{"/episodes", "", "", 401},
		{"/static/app.css", "", "", 401},
		{"/api/v1/episodes", "Authorization", "Bearer secret", 200},
		{"/api/v1/episodes", "Authorization", "Bearer secre", 401},
		{"/episodes?token=secret", "", "", 302},
		{"/episodes?token=", "", "", 401},
		{"/episodes", "Cookie", cookie + "=secret", 200},
		{"//evil.example/?token=secret", "", "", 302},
	} {
		if got := ask("robot.example", tt.path, tt.header, tt.value); got != tt.want {
			t.Errorf("%s %s: %d, want %d", tt.path, tt.value, got, tt.want)
		}
	}
	w := httptest.NewRecorder()
	h.Config.Handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://robot.example//evil.example/x?token=secret&q=a", nil))
	to, err := url.Parse(w.Header().Get("Location"))
	if err != nil || to.Host != "" || to.Query().Get("token") != "" || to.Query().Get("q") != "a" {
		t.Errorf("it leads to %q", w.Header().Get("Location"))
	}
}

func TestMemoryIsServed(t *testing.T) {
	ctx := context.Background()
	m, err := memory.Open(ctx, ontology.Default(), t.TempDir(), memory.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for _, name := range []string{"consequence", "clean-make-coffee"} {
		eps, err := logs.Read(ontology.Default(), filepath.Join(samples, name+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		res, err := reasoner().Check(ctx, eps[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Add(ctx, memory.Run{Episode: eps[0], Conclusions: record.Conclusions{Result: res}}); err != nil {
			t.Fatal(err)
		}
	}
	l := NewLibrary(reasoner(), logs.Reader{Ontology: ontology.Default()})
	l.Memory = m
	entries, _, errs := l.List(ctx)
	if len(entries) != 2 || len(errs) > 0 {
		t.Fatalf("%d entries, %v", len(entries), errs)
	}
	for _, e := range entries {
		if want := map[string]int{"consequence": 1}[e.ID]; e.Classes["DroppingObjFailure"] != want || len(e.Classes) != want {
			t.Errorf("%s: classes %v", e.ID, e.Classes)
		}
	}
	j, err := l.judged(ctx, keyOfSample(t, l, "consequence"))
	if err != nil || len(j.now().Report.Findings) != 1 {
		t.Errorf("of the memory: %v", err)
	}
}

// Of two sequences of actions the longest that both have is aligned, and every step is there
// once, in order.
func TestAlign(t *testing.T) {
	steps := func(text string) (out []*Moment) {
		for i, a := range strings.Fields(text) {
			action, failed := strings.CutSuffix(a, "!")
			m := &Moment{Step: int32(i + 1), Action: action, Outcome: "succeeded"}
			if failed {
				m.Outcome = "failed"
			}
			out = append(out, m)
		}
		return out
	}
	for _, tt := range []struct{ a, b, want string }{
		{"", "", ""},
		{"x y", "x y", "=x =y"},
		{"x y z", "x z", "=x -y =z"},
		{"x z", "x y z", "=x +y =z"},
		{"x y!", "x y", "=x ~y"},
		{"x y", "p q", "-x -y +p +q"},
		{"a b c d", "b d a", "-a =b -c =d +a"},
	} {
		p := comparePage{}
		p.align(steps(tt.a), steps(tt.b))
		var got []string
		for _, row := range p.Rows {
			switch {
			case row.Same:
				got = append(got, "="+row.A.Action)
			case row.B == nil:
				got = append(got, "-"+row.A.Action)
			case row.A == nil:
				got = append(got, "+"+row.B.Action)
			default:
				got = append(got, "~"+row.A.Action)
			}
		}
		if strings.Join(got, " ") != tt.want || p.Same+p.Other != len(p.Rows) {
			t.Errorf("%q and %q: %v, want %s", tt.a, tt.b, got, tt.want)
		}
	}
}

// A long episode is checked as it is loaded, and not again for its page, which has the begin of
// its log and a link to all of it.
func TestLongEpisode(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tidying.jsonl")
	if err := jsonl.WriteFile(path, false, tidying(long+50, 5)); err != nil {
		t.Fatal(err)
	}
	l := NewLibrary(reasoner(), logs.Reader{Ontology: ontology.Default()})
	if err := l.Load(t.Context(), []string{path}); err != nil {
		t.Fatal(err)
	}
	e := l.entries[0]
	if e.ready == nil {
		t.Fatal("what was found when it was loaded is not kept")
	}
	found := e.ready.res
	h := httptest.NewServer((&Server{Library: l, Loopback: true}).Handler())
	defer h.Close()
	_, page, _ := get(t, h.URL+"/episodes/"+e.Key)
	if j, err := l.judged(t.Context(), e.Key); err != nil || j.res != found || e.ready != nil {
		t.Errorf("it was checked again: %v, %v", err, e.ready)
	}
	all := "/episodes/" + e.Key + "?log=all"
	_, whole, _ := get(t, h.URL+all)
	for _, of := range []struct {
		name, page string
		lines      int
		linked     bool
	}{{"page", page, long - 1, true}, {"whole", whole, long + 50, false}} { // of the scene before the first action nothing is told
		if n := strings.Count(of.page, `<li id="e-s`); n != of.lines || strings.Contains(of.page, all) != of.linked {
			t.Errorf("%s: %d lines of the log, want %d; leads to the whole: %v", of.name, n, of.lines, !of.linked)
		}
	}
}

// adviser advises what no robot can do.
type adviser struct{}

func (adviser) Name() string { return "an oracle" }
func (adviser) Consult(*engine.Situation) func(context.Context, []engine.Attempt) (*engine.Opinion, error) {
	return func(context.Context, []engine.Attempt) (*engine.Opinion, error) {
		return &engine.Opinion{Cause: "The mug <b>slipped</b>.", Lines: []engine.AdviceLine{{Text: "juggle the mug", Refused: "no action is like it"}}, Cost: engine.Cost{Calls: 1}}, nil
	}
}

// The page of a finding tells what an adviser said, and that it was refused.
func TestAdviceIsShown(t *testing.T) {
	_, l := served(t, "consequence")
	l.Planner = engine.Planner{Adviser: adviser{}}
	h := httptest.NewServer((&Server{Library: l, Loopback: true}).Handler())
	defer h.Close()
	key := keyOfSample(t, l, "consequence")
	get(t, h.URL+"/api/v1/episodes/"+key) // waits for all of it
	_, page, _ := get(t, h.URL+"/episodes/"+key+"/findings/1")
	for _, want := range []string{"an oracle", "The mug &lt;b&gt;slipped&lt;/b&gt;.", "juggle the mug", "no action is like it"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not tell %q", want)
		}
	}
}

// A log with a name of ten megabytes is shown by its begin.
func TestEndlessNamesAreShown(t *testing.T) {
	name := "<script>alert(1)</script>" + strings.Repeat("A", 1<<20)
	path := filepath.Join(t.TempDir(), "long.jsonl")
	text := fmt.Sprintf("{\"mishap\":1,\"id\":\"long\",\"task\":%q}\n{\"step\":1,\"action\":\"(pick_up, Mug)\",\"observation\":{\"nodes\":[{\"id\":\"Mug-1\",\"class\":\"Mug\"}]}}\n", name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	l := NewLibrary(reasoner(), logs.Reader{Ontology: ontology.Default()})
	if err := l.Load(context.Background(), []string{path}); err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer((&Server{Library: l, Loopback: true}).Handler())
	defer h.Close()
	for _, at := range []string{"/episodes", "/episodes/" + l.entries[0].Key, "/compare?a=" + l.entries[0].Key + "&b=" + l.entries[0].Key} {
		code, page, _ := get(t, h.URL+at)
		if code != http.StatusOK || len(page) > 300_000 || strings.Contains(page, "<script>alert") || !strings.Contains(page, "&lt;script&gt;alert(1)&lt;/script&gt;AAA") {
			t.Errorf("%s: %d, %d bytes", at, code, len(page))
		}
	}
	var out bytes.Buffer
	e, err := Judge(context.Background(), reasoner(), readLog(t, path))
	if err != nil {
		t.Fatal(err)
	}
	if err := WriteReport(&out, []*Episode{e}, nil); err != nil || out.Len() > 700_000 || strings.Contains(out.String(), "<script>alert") {
		t.Errorf("%v, a report of %d bytes", err, out.Len())
	}
}

func readLog(t *testing.T, path string) *episode.Episode {
	t.Helper()
	eps, err := logs.Read(ontology.Default(), path)
	if err != nil {
		t.Fatal(err)
	}
	return eps[0]
}

// Each miss that published results name is shown behind the bar that it is one of.
func TestMissesAreShown(t *testing.T) {
	const published = "../../testdata/bench"
	results := map[string][]byte{}
	var misses []string
	for _, name := range []string{"detect", "foresee", "recover", "perception"} {
		data, err := os.ReadFile(filepath.Join(published, name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		results[name] = data
		for _, m := range regexp.MustCompile(`"(?:misses|missed)": \[\s*(?:\{\s*"id": )?("(?:[^"\\]|\\.)*")`).FindAllSubmatch(data, -1) {
			var first string
			if err := json.Unmarshal(m[1], &first); err != nil {
				t.Fatal(err)
			}
			misses = append(misses, first)
		}
	}
	h := httptest.NewServer((&Server{Library: NewLibrary(reasoner(), logs.Reader{Ontology: ontology.Default()}), Loopback: true, Results: results}).Handler())
	defer h.Close()
	_, page, _ := get(t, h.URL+"/benchmarks")
	page = html.UnescapeString(page)
	for _, m := range misses {
		if !strings.Contains(page, m) {
			t.Errorf("the page lacks the miss %q", m)
		}
	}
	if len(misses) < 10 {
		t.Errorf("%d misses", len(misses))
	}
	if set := strings.SplitN(page, "<h3>matrix · total</h3>", 2); len(set) < 2 || !strings.Contains(strings.SplitN(set[1], "<h3>", 2)[0], "recover_serve_wine/forgotten_step@2: expected MissingStepFailure / EnclosedObjectFailure (step 2); found MissingNavigationFailure (step 2), MissingStepFailure (step 6)") {
		t.Error("the misses do not stand behind the bars of the matrix")
	}
}
