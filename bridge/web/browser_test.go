package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/ontology"
)

// axeHash is that of axe-core 4.10.3, as npm has it (MPL-2.0; see testdata/axe-core).
const axeHash = "880970c081707360e64f34cea25ff91892f5bc95675b0776925b9709dd8a68bb"

func axe(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != axeHash {
		t.Fatal("testdata/axe-core/axe.min.js is not the version that is pinned")
	}
	return string(data)
}

// What is vendored is what is pinned, and NOTICE has the licence of each package in it.
func TestVendoredIsPinned(t *testing.T) {
	axe(t)
	sum := sha256.New()
	for _, name := range []string{"package-lock.json", "editor.js"} {
		data, err := os.ReadFile(filepath.Join("editor", name))
		if err != nil {
			t.Fatal(err)
		}
		sum.Write(data)
	}
	if bundled := source("editor.js"); !strings.Contains(bundled[:min(len(bundled), 300)], hex.EncodeToString(sum.Sum(nil))) {
		t.Error("static/editor.js is not built of what is in editor; run bridge/web/editor/build")
	}
	var lock struct {
		Packages map[string]struct{ Dev bool }
	}
	data, err := os.ReadFile(filepath.Join("editor", "package-lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &lock); err != nil {
		t.Fatal(err)
	}
	notice, err := os.ReadFile(filepath.Join("..", "..", "NOTICE"))
	if err != nil {
		t.Fatal(err)
	}
	packages := 0
	for path, p := range lock.Packages {
		if path == "" || p.Dev {
			continue
		}
		packages++
		if name := strings.TrimPrefix(path, "node_modules/"); !strings.Contains(string(notice), "\nnpm: "+name+"\n") {
			t.Errorf("NOTICE lacks the licence of %s", name)
		}
	}
	if packages < 5 {
		t.Errorf("%d packages: this test shows nothing", packages)
	}
}

// mostWait is how long a browser may take to do one thing: no measure of it, only so that
// what never comes about ends a test.
const mostWait = 4 * time.Minute

// browser is a Chromium, with what pages complained of and asked for.
type browser struct {
	context.Context
	mu       sync.Mutex
	problems []string
	allowed  string // what addresses begin with
}

func startBrowser(t testing.TB) *browser {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("no Chromium on this machine; apt-get install chromium lets this test run")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.Flag("disable-gpu", true), chromedp.WSURLReadTimeout(mostWait))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	ctx, stop = context.WithTimeout(ctx, 2*mostWait)
	t.Cleanup(stop)
	b := &browser{Context: ctx}
	chromedp.ListenTarget(ctx, b.hear)
	if err := chromedp.Run(ctx, network.Enable(), log.Enable(), runtime.Enable()); err != nil {
		t.Fatalf("%s does not start: %v", path, err)
	}
	return b
}

func (b *browser) hear(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		b.problems = append(b.problems, "exception: "+e.ExceptionDetails.Error())
	case *runtime.EventConsoleAPICalled:
		// The editor says that it has yet to measure the heights of some wrapped lines, and does so
		// before the next frame; whether depends on where the window ends in the file.
		measures := len(e.Args) > 0 && string(e.Args[0].Value) == `"Measure loop restarted more than 5 times"`
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning && !measures {
			b.problems = append(b.problems, fmt.Sprintf("console: %s %s", e.Type, e.Args[0].Value))
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError || e.Entry.Level == log.LevelWarning {
			b.problems = append(b.problems, "log: "+e.Entry.Text+" "+e.Entry.URL)
		}
	case *network.EventRequestWillBeSent:
		if u := e.Request.URL; !strings.HasPrefix(u, b.allowed) && !strings.HasPrefix(u, "data:") && u != "about:blank" {
			b.problems = append(b.problems, "request: "+u)
		}
	}
}

// allow says what the addresses of all that a page asks for begin with. It leaves the page
// before, which asks for something of its own as long as it is there.
func (b *browser) allow(t testing.TB, prefix string) {
	t.Helper()
	b.run(t, chromedp.Navigate("about:blank"))
	b.mu.Lock()
	defer b.mu.Unlock()
	b.allowed = prefix
}

// complaints are what was heard since they were last asked for.
func (b *browser) complaints() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := b.problems
	b.problems = nil
	return out
}

func (b *browser) run(t testing.TB, actions ...chromedp.Action) {
	t.Helper()
	if err := chromedp.Run(b, actions...); err != nil {
		t.Fatal(err)
	}
}

// look is a way to look at a page.
type look struct {
	theme  string
	width  int64
	height int64
}

func (b *browser) look(t *testing.T, l look) {
	t.Helper()
	b.run(t, chromedp.EmulateViewport(l.width, l.height),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: l.theme}, {Name: "prefers-reduced-motion", Value: "reduce"}}))
}

// violations are what axe-core finds.
const violations = `axe.run(document, {resultTypes: ["violations"]}).then(r => r.violations.map(v => v.id + ": " + v.help + " at " + v.nodes.slice(0, 3).map(n => n.target.join(" ") + " " + (n.any[0] || n.all[0] || n.none[0] || {}).message).join(" | ")))`

func awaited(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }

// browserPages are the pages of a server that are looked at, and a report.
func browserPages(t *testing.T) (pages map[string]string, allowed string) {
	h, l := served(t, "consequence", "two-failures", "clean-make-coffee", "dirty-obj")
	lh, live := servedLive(t)
	if err := live.Take(context.Background(), "a robot", bytes.NewReader(sampleLog(t, "dropped-heard-only"))); err != nil {
		t.Fatal(err)
	}
	live.Take(context.Background(), "another", strings.NewReader("no log"))
	key := keyOfSample(t, l, "consequence")
	file := filepath.Join(t.TempDir(), "report.html")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := WriteReport(f, []*Episode{judgedSample(t, "consequence"), judgedSample(t, "clean-make-coffee")}, []string{hostile}); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return map[string]string{
		"episodes":   h.URL + "/episodes",
		"episode":    h.URL + "/episodes/" + key,
		"finding":    h.URL + "/episodes/" + key + "/findings/1?class=OccupiedPutFailure&step=5",
		"compare":    h.URL + "/compare?a=" + key + "&b=" + keyOfSample(t, l, "clean-make-coffee"),
		"whynot":     h.URL + "/episodes/" + keyOfSample(t, l, "clean-make-coffee") + "/why-not?class=EnclosedObjectFailure&step=2",
		"knowledge":  h.URL + "/knowledge",
		"term":       h.URL + "/knowledge/DroppingObjFailure",
		"benchmarks": h.URL + "/benchmarks",
		"live":       lh.URL + "/live",
		"try":        h.URL + "/try?rules=rules/dropping.pl&episode=" + key,
		"gone":       h.URL + "/episodes/gone",
		"report":     "file://" + file,
	}, h.URL
}

// Every page in both themes, wide and as on a phone: nothing that axe-core finds, no error,
// no request elsewhere, nothing that has to be scrolled sideways.
func TestBrowser(t *testing.T) {
	b := startBrowser(t)
	pages, allowed := browserPages(t)
	source := axe(t)
	long := os.Getenv("MISHAP_LONG") != ""
	for name, address := range pages {
		prefix, ready := allowed, "body"
		switch name {
		case "report":
			prefix = address
		case "live":
			prefix, ready = strings.TrimSuffix(address, "/live"), ".finding"
		case "try":
			ready = "#try .finding"
		}
		b.allow(t, prefix)
		looks := []look{{"light", 1280, 900}, {"dark", 390, 844}}
		if long {
			looks = append(looks, look{"dark", 1280, 900}, look{"light", 390, 844})
		} else if !slices.Contains([]string{"episode", "report"}, name) {
			looks = looks[1:]
		}
		for _, l := range looks {
			var found []string
			var wide bool
			b.look(t, l)
			b.run(t, chromedp.Navigate(address), chromedp.WaitReady(ready), chromedp.WaitNotPresent("[data-pending]", chromedp.ByQuery), // the script of a report has the words
				chromedp.Evaluate(source+";0", nil),
				chromedp.Evaluate(violations, &found, awaited),
				chromedp.Evaluate(`document.documentElement.scrollWidth > innerWidth`, &wide))
			for _, v := range found {
				t.Errorf("%s, %s, %d wide: %s", name, l.theme, l.width, v)
			}
			if wide {
				t.Errorf("%s is wider than %d", name, l.width)
			}
			for _, c := range b.complaints() {
				if name != "gone" || !strings.Contains(c, "404") {
					t.Errorf("%s, %s, %d wide: %s", name, l.theme, l.width, c)
				}
			}
			b.shot(t, fmt.Sprintf("%s-%s-%d", name, l.theme, l.width))
			if name != "report" { // of which the episode is the most
				b.golden(t, fmt.Sprintf("%s-%s-%d", name, l.theme, l.width))
			}
		}
	}
	b.allow(t, allowed)
	t.Run("keyboard", func(t *testing.T) { b.keyboard(t, pages["episode"]) })
	t.Run("print", func(t *testing.T) { b.print(t, pages["episode"]) })
	t.Run("try", func(t *testing.T) { b.try(t, pages["try"]) })
	t.Run("pending", func(t *testing.T) { b.pending(t) })
	t.Run("live", func(t *testing.T) { b.live(t) })
	t.Run("hostile", func(t *testing.T) { b.hostile(t) })
}

// shot keeps a picture of the page where MISHAP_SHOTS names a folder.
func (b *browser) shot(t *testing.T, name string) {
	folder := os.Getenv("MISHAP_SHOTS")
	if folder == "" {
		return
	}
	var data []byte
	b.run(t, chromedp.FullScreenshot(&data, 100))
	if err := os.WriteFile(filepath.Join(folder, name+".png"), data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// keyboard goes through an episode without a pointer.
func (b *browser) keyboard(t *testing.T, address string) {
	b.look(t, look{"light", 1280, 900})
	const at = `document.querySelector(".controls output").textContent`
	const focused = `document.activeElement.className`
	var class, now string
	b.run(t, chromedp.Navigate(address), chromedp.WaitVisible(".timeline"))
	for n := 0; n < 30 && class != "timeline"; n++ {
		b.run(t, chromedp.KeyEvent(kb.Tab), chromedp.Evaluate(focused, &class))
	}
	if class != "timeline" {
		t.Fatal("the tabulator does not lead to the timeline")
	}
	for _, tt := range []struct{ key, want string }{
		{kb.Home, "Step 0"}, {kb.ArrowRight, "Step 1"}, {kb.PageDown, "Step 11"}, {kb.ArrowLeft, "Step 10"}, {kb.End, "Step 19"}, {"f", "Step 4"},
	} {
		b.run(t, chromedp.KeyEvent(tt.key), chromedp.Evaluate(at, &now))
		if !strings.HasPrefix(now, tt.want+",") {
			t.Errorf("after %q: %q, want %s", tt.key, now, tt.want)
		}
	}
	// The scene at step 4 has the mug on the floor, marked as moved.
	var mug string
	b.run(t, chromedp.Evaluate(`[...document.querySelectorAll(".thing")].find(t => t.querySelector(".id").textContent === "Floor-1").querySelector(".thing").textContent`, &mug))
	if !strings.Contains(mug, "Mug-1") || !strings.Contains(mug, "moved") {
		t.Errorf("on the floor there is %q", mug)
	}
	for _, c := range b.complaints() {
		t.Error(c)
	}
}

// print looks at an episode as it is printed: dark on white whatever the theme, with what is
// folded up on the screen, and without what only a screen has use for.
func (b *browser) print(t *testing.T, address string) {
	b.look(t, look{"dark", 1280, 900})
	b.run(t, chromedp.Navigate(address), chromedp.WaitVisible(".timeline"), chromedp.Evaluate(`document.documentElement.dataset.theme = "dark"; 0`, nil),
		emulation.SetEmulatedMedia().WithMedia("print").WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}))
	for is, of := range map[string]string{
		"the text is dark":         `getComputedStyle(document.querySelector(".finding .explanation")).color.match(/\d+/g).every(c => c < 60)`,
		"the ground is white":      `getComputedStyle(document.body).backgroundColor === "rgb(255, 255, 255)"`,
		"the proof is folded out":  `document.querySelector(".finding .proof .leaf").getBoundingClientRect().height > 0`,
		"the plan is folded out":   `document.querySelector(".finding .recovery .plan li").getBoundingClientRect().height > 0`,
		"the viewer is left out":   `document.querySelector(".viewer").offsetHeight === 0`,
		"nothing is printed twice": `document.querySelector("details.text").offsetHeight === 0`,
	} {
		var holds bool
		b.run(t, chromedp.Evaluate(of, &holds))
		if !holds {
			t.Errorf("not so: %s", is)
		}
	}
	b.run(t, emulation.SetEmulatedMedia().WithMedia(""))
}

// The playground judges in the browser what the Try page has a server judge. It is looked at
// where MISHAP_PLAYGROUND names the folder that cmd/playground wrote.
func TestPlayground(t *testing.T) {
	folder := os.Getenv("MISHAP_PLAYGROUND")
	if folder == "" {
		t.Skip("MISHAP_PLAYGROUND names no folder; go run ./cmd/playground -o DIR writes one")
	}
	b := startBrowser(t)
	h := httptest.NewServer(http.FileServer(http.Dir(folder)))
	t.Cleanup(h.Close)
	b.allow(t, h.URL)
	source := axe(t)
	for _, l := range []look{{"light", 1280, 900}, {"dark", 390, 844}} {
		var found []string
		b.look(t, l)
		b.run(t, chromedp.Navigate(h.URL+"/?episode=consequence&rules=rules/dropping.pl"), chromedp.WaitReady("#try .finding"),
			chromedp.Evaluate(source+";0", nil), chromedp.Evaluate(violations, &found, awaited))
		for _, v := range found {
			t.Errorf("%s: %s", l.theme, v)
		}
		b.shot(t, fmt.Sprintf("playground-%s-%d", l.theme, l.width))
	}
	b.try(t, h.URL+"/?episode=consequence&rules=rules/dropping.pl")
}

// pending shows an episode of which recovery is not worked out yet, and takes it in when it
// is.
func (b *browser) pending(t *testing.T) {
	l := NewLibrary(reasoner(), logs.Reader{Ontology: ontology.Default()})
	eps, err := logs.Read(ontology.Default(), filepath.Join(samples, "consequence.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	page, res, err := check(context.Background(), reasoner(), eps[0])
	if err != nil {
		t.Fatal(err)
	}
	j := &judged{page: page, res: res, whole: make(chan struct{})}
	l.cache.put("k", j)
	h := httptest.NewServer((&Server{Library: l, Loopback: true}).Handler())
	defer h.Close()
	b.allow(t, h.URL)
	var scores int
	const scored = `[...document.querySelectorAll(".timeline .scoredot, .timeline .alarm")].length`
	b.run(t, chromedp.Navigate(h.URL+"/episodes/k"), chromedp.WaitVisible("[data-pending]"), chromedp.Evaluate(scored, &scores))
	if scores != 0 {
		t.Errorf("%d scores before they are worked out", scores)
	}
	j.set(page.withRecovery(b, reasoner(), eps[0], engine.Planner{}).withForesight(b, reasoner(), eps[0]))
	close(j.whole)
	b.run(t, chromedp.WaitNotPresent("[data-pending]"), chromedp.WaitVisible(".thing"), chromedp.Evaluate(scored, &scores))
	if scores == 0 {
		t.Error("no scores once they are worked out")
	}
	for _, c := range b.complaints() {
		t.Error(c)
	}
}

// try changes a rule by keyboard: what is found changes, a mistake is shown where it is, and
// a rule that never ends is cut off and said.
func (b *browser) try(t *testing.T, address string) {
	b.look(t, look{"light", 1280, 900})
	shows := func(is string) chromedp.Action {
		return chromedp.Poll(is, nil, chromedp.WithPollingTimeout(mostWait))
	}
	state := func(text string) chromedp.Action {
		return shows(fmt.Sprintf(`document.getElementById("try-state").textContent.includes(%q)`, text))
	}
	const inside = `document.getElementById("edit-rules").shadowRoot.querySelector(".cm-content").focus()`
	end := chromedp.KeyEvent(kb.End, chromedp.KeyModifiers(input.ModifierCtrl))
	b.run(t, chromedp.Navigate(address), state("1 failure"), chromedp.Evaluate(inside, nil), end)
	// As a person would: one clause more, and a finding more.
	b.run(t, input.InsertText("\nfailure('BlockedObjectFailure', S, S, [O]) :- action(S, open_obj), target(S, O)."),
		state("2 failures"), shows(`document.querySelectorAll(".finding.new").length === 1`))
	b.run(t, input.InsertText("\nfailure('BlockedObjectFailur"), state("keep this from running"),
		shows(`document.getElementById("edit-rules").shadowRoot.querySelector(".cm-lintRange-error, .cm-lint-marker-error") !== null`),
		shows(`document.querySelectorAll("#try-problems button").length === 1`))
	b.run(t, input.InsertText("e', S, S, [o]) :- goes_on(o(S)).\ngoes_on(X) :- goes_on(o(X)).\n"),
		shows(`document.getElementById("try-problems").textContent.includes("Cut off")`), state("2 failures"))
	// The page is left by keyboard, and its tabs are told by arrow keys.
	var name string
	b.run(t, chromedp.Focus("#tab-rules"), chromedp.KeyEvent(kb.ArrowRight), chromedp.Evaluate(`document.activeElement.id`, &name))
	if name != "tab-ontology" {
		t.Errorf("the arrow key leads to %q", name)
	}
	b.run(t, chromedp.KeyEvent(kb.ArrowLeft), chromedp.Focus("#again-rules"), chromedp.KeyEvent(" "), state("1 failure"))
	for _, c := range b.complaints() {
		t.Error(c)
	}
}

// live looks on while a stream comes: what is found arises by itself and is read out, a
// connection that breaks is taken up again without telling anything twice, and what is at
// hand stays.
func (b *browser) live(t *testing.T) {
	h, l := servedLive(t)
	b.allow(t, h.URL)
	b.look(t, look{"light", 1280, 900})
	lines := bytes.SplitAfter(sampleLog(t, "dropped-heard-only"), []byte("\n"))
	send := func(lines [][]byte) {
		t.Helper()
		if _, err := l.send("robot", bytes.NewReader(bytes.Join(lines, nil))); err != nil {
			t.Fatal(err)
		}
	}
	text := func(is string) chromedp.Action {
		return chromedp.Poll(is, nil, chromedp.WithPollingTimeout(mostWait))
	}
	b.run(t, chromedp.Navigate(h.URL+"/live"), chromedp.WaitVisible("#live-state.good"))
	dropped := len(lines) - 3
	send(lines[:dropped])
	const told = `[...document.querySelectorAll("#live-news p")].map(p => p.textContent)`
	b.run(t, text(`document.querySelectorAll(".finding:not(.threat)").length > 0`), text(told+`.some(t => t.startsWith("Failure found: "))`))
	for _, c := range b.complaints() {
		t.Error(c)
	}
	// Who looks on acknowledges and says something, by keyboard, and everybody sees it.
	b.run(t, chromedp.Focus(".finding:not(.threat) .remark button"), chromedp.KeyEvent(" "), text(`document.querySelector(".finding:not(.threat) .remarks").textContent.includes("acknowledged")`),
		chromedp.Focus(".finding:not(.threat) .remark summary"), chromedp.KeyEvent(kb.Enter), chromedp.Focus(".finding:not(.threat) .remark input"), input.InsertText("wet <b>hands</b>"), chromedp.KeyEvent(kb.Enter),
		text(`document.querySelector(".finding:not(.threat) .remarks").textContent.includes("wet <b>hands</b>")`))
	// Held still, the page says how much waits.
	b.run(t, chromedp.Focus("#live-hold"), chromedp.KeyEvent(" "), text(`document.getElementById("live-hold").getAttribute("aria-pressed") === "true"`))
	h.CloseClientConnections()
	b.run(t, chromedp.Poll(`!document.getElementById("live-state").classList.contains("good")`, nil, chromedp.WithPollingMutation(), chromedp.WithPollingTimeout(mostWait)))
	send(lines[dropped:])
	b.run(t, chromedp.WaitVisible("#live-state.good"), text(`document.getElementById("live-hold").textContent === "Go on (1)"`), chromedp.KeyEvent(" "))
	if err := l.endStream("robot"); err != nil {
		t.Fatal(err)
	}
	e := l.snapshot().Episodes[0]
	b.run(t, text(fmt.Sprintf(`document.querySelectorAll(".finding:not(.threat)").length === %d && document.querySelectorAll(".threat").length === %d`, len(e.Findings), len(e.Threats))),
		text(fmt.Sprintf(`document.querySelector(".episode .where").textContent.includes("%d steps")`, e.Steps)), text(`document.querySelector(".live-streams").textContent.includes("is over")`))
	var twice []string
	b.run(t, chromedp.Evaluate(told+`.filter((t, i, all) => all.indexOf(t) !== i)`, &twice))
	if len(twice) > 0 {
		t.Errorf("told twice: %q", twice)
	}
	for _, c := range b.complaints() {
		if !strings.Contains(c, "ERR_") { // of the connection that was broken
			t.Error(c)
		}
	}
}

// hostile shows an episode whose every text is markup, a script and of another direction.
func (b *browser) hostile(t *testing.T) {
	l := NewLibrary(reasoner(), logs.Reader{Ontology: ontology.Default()})
	page, res, err := check(context.Background(), reasoner(), hostileEpisode())
	if err != nil {
		t.Fatal(err)
	}
	whole := make(chan struct{})
	close(whole)
	page.Pending = false
	l.cache.put("hostile", &judged{page: page, res: res, whole: whole})
	l.entries = []*Entry{{Key: "hostile", ID: hostile, Task: hostile, Robot: hostile, Start: hostile, Classes: map[string]int{hostile: 1}, Findings: 1}}
	h := httptest.NewServer((&Server{Library: l, Loopback: true}).Handler())
	defer h.Close()
	b.allow(t, h.URL)
	for _, path := range []string{"/episodes", "/episodes?q=" + url.QueryEscape(hostile), "/episodes/hostile", "/episodes/" + url.PathEscape(hostile), "/episodes/hostile/why-not", "/compare?a=hostile&b=hostile", "/try"} {
		var scripts int
		var direction bool
		b.run(t, chromedp.Navigate(h.URL+path), chromedp.WaitReady("body"),
			chromedp.Evaluate(`document.querySelectorAll("img[src=x]").length + [...document.scripts].filter(s => s.textContent.startsWith("alert")).length`, &scripts),
			chromedp.Evaluate(`/[\u202a-\u202e\u2066-\u2069]/.test(document.body.innerText)`, &direction))
		if scripts > 0 || direction {
			t.Errorf("%s: %d elements of the log's own, direction turned: %v", path, scripts, direction)
		}
		for _, c := range b.complaints() {
			if !strings.Contains(c, "404") {
				t.Errorf("%s: %s", path, c)
			}
		}
	}
}
