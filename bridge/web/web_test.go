package web

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

var update = flag.Bool("update", false, "write the golden files")

var reasoner = sync.OnceValue(func() *engine.Reasoner {
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		panic(err)
	}
	return r
})

func judgedSample(t *testing.T, name string) *Episode {
	t.Helper()
	eps, err := logs.Read(ontology.Default(), filepath.Join("..", "..", "testdata", "episodes", name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	eps[0].Source = name + ".jsonl"
	e, err := Judge(context.Background(), reasoner(), eps[0])
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// golden compares with a file below testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; go test ./bridge/web -update writes it:\n%s", path, firstDifference(string(got), string(want)))
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d\ngot  %s\nwant %s", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(g), len(w))
}

func TestEpisodeGolden(t *testing.T) {
	got, err := json.MarshalIndent(judgedSample(t, "consequence"), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "consequence.json", append(got, '\n'))
}

// inline are the parts of a page that are the same in every report.
var inline = regexp.MustCompile(`(?s)<style>.*?</style>|<script>.*?</script>|<script type="application/(?:gzip|json)"[^>]*>.*?</script>|sha256-[^']*`)

func TestReportGolden(t *testing.T) {
	var b bytes.Buffer
	if err := WriteReport(&b, []*Episode{judgedSample(t, "consequence"), judgedSample(t, "clean-make-coffee")}, []string{"odd.jsonl:1: <b>bold</b>"}); err != nil {
		t.Fatal(err)
	}
	golden(t, "report.html", inline.ReplaceAll(b.Bytes(), nil))
	if outside := regexp.MustCompile(`(?i)(?:src|href|action|url)\s*[=(]\s*["']?(?:https?:)?//[^"' )]*`).FindAllString(b.String(), -1); len(outside) > 0 {
		t.Errorf("the report asks for something elsewhere: %v", outside)
	}
}

// What changed from moment to moment, put together, is what is believed at each step.
func TestScenesAddUp(t *testing.T) {
	eps, err := logs.Read(ontology.Default(), filepath.Join("..", "..", "testdata", "episodes", "two-failures.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	res, err := reasoner().Check(context.Background(), eps[0])
	if err != nil {
		t.Fatal(err)
	}
	e := judgedSample(t, "two-failures")
	var all []engine.Object
	for i := range res.Trace.Objects.Items {
		all = append(all, engine.Object(i))
	}
	at := map[int]Placed{}
	places := 0
	for _, m := range e.Moments {
		for _, p := range m.Scene.Changed {
			at[p.Object] = p
		}
		for _, o := range m.Scene.Gone {
			delete(at, o)
		}
		g := engine.SceneOf(res.Trace.StateAt(m.Step), res.Trace, all)
		for _, n := range g.Nodes {
			i := slices.IndexFunc(e.Objects, func(o Object) bool { return o.ID == n.ID })
			if i < 0 || len(n.States) > 0 && !slices.Equal(at[i].States, n.States) {
				t.Errorf("step %d: %s is %v, want %v", m.Step, n.ID, at[i].States, n.States)
			}
		}
		for _, edge := range g.Edges {
			i := slices.IndexFunc(e.Objects, func(o Object) bool { return o.ID == edge.Subject })
			if edge.Place {
				places++
				if p := at[i]; p.At == nil || e.Objects[*p.At].ID != edge.Object || p.How != edge.Name() {
					t.Errorf("step %d: %s is not %s %s", m.Step, edge.Subject, edge.Name(), edge.Object)
				}
			}
		}
	}
	if places < 20 {
		t.Errorf("%d places compared: this test shows nothing", places)
	}
}

// A report of 100 episodes of 50 steps has at most 3 MB.
func TestReportIsSmall(t *testing.T) {
	e := judgedSample(t, "consequence")
	long := *e
	for len(long.Moments) < 51 { // each step as full as those of a sample with a failure
		long.Moments = append(long.Moments, e.Moments[1+len(long.Moments)%19])
	}
	long.Moments = long.Moments[:51]
	all := make([]*Episode, 100)
	for i := range all {
		all[i] = &long
	}
	var b bytes.Buffer
	if err := WriteReport(&b, all, nil); err != nil {
		t.Fatal(err)
	}
	if const3MB := 3_000_000; b.Len() > const3MB {
		t.Errorf("%d bytes, want at most %d", b.Len(), const3MB)
	}
}

// hostile is text that would be markup, a script, a link or of another direction, were it
// not shown as text.
const hostile = `</script><script>alert(1)</script><img src=x onerror=alert(2)>"'{{.}}` + "\u202e\u2066\x1b[31m"

func hostileEpisode() *episode.Episode {
	ep := &episode.Episode{ID: hostile, Task: hostile, Goal: hostile, Source: hostile, Robot: hostile, Site: hostile, Labels: []string{hostile}}
	ep.Plan = []episode.Action{{Name: "pick_up", Target: hostile}}
	st := episode.Step{Index: 1, Time: hostile, Action: episode.Action{Name: "pick_up", Target: hostile}, Sounds: []string{hostile}, Result: hostile, Line: 2}
	st.Observation.Nodes = append(st.Observation.Nodes, scene.Node{ID: hostile, Class: hostile, States: []string{hostile}}, scene.Node{ID: strings.Repeat("x", 10_000_000), Class: "Mug"})
	st.Events = []episode.SensorEvent{{Kind: hostile, Object: hostile}}
	ep.Steps = []episode.Step{st}
	ep.Warn(1, hostile)
	return ep
}

func TestHostileTextIsShownAsText(t *testing.T) {
	e, err := Judge(context.Background(), reasoner(), hostileEpisode())
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := WriteReport(&b, []*Episode{e}, []string{hostile}); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, bad := range []string{"<script>alert", "<img src=x", "\u202e", "\u2066", "\x1b"} {
		if strings.Contains(page, bad) {
			t.Errorf("the report holds %q", bad)
		}
	}
	if got := strings.Count(page, "<script"); got != 3 {
		t.Errorf("%d scripts, want those of the words, the viewer and the episode", got)
	}
	if !strings.Contains(page, "&lt;script&gt;alert(1)") {
		t.Error("the hostile text is not shown")
	}
}

// Each key that a template or a script asks for has words, and each has a use.
func TestWords(t *testing.T) {
	var sources strings.Builder
	for _, pattern := range []string{"templates/*.html", "static/*.js", "*.go"} {
		files, _ := filepath.Glob(pattern)
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			sources.Write(data)
		}
	}
	asked := regexp.MustCompile(`\bw(?:ord)?(?:\(| )"([a-z.]+[a-z])"`).FindAllStringSubmatch(sources.String(), -1)
	for _, m := range asked {
		if _, ok := words()[m[1]]; !ok {
			t.Errorf("words.json has nothing for %q", m[1])
		}
	}
	if len(asked) < 60 {
		t.Errorf("%d keys are asked for: this test shows nothing", len(asked))
	}
	built := regexp.MustCompile(`^(outcome|goal|timeline|page|try)\.`) // of which the key is put together
	for key := range words() {
		if !built.MatchString(key) && !strings.Contains(sources.String(), `"`+key+`"`) {
			t.Errorf("nobody asks for %q", key)
		}
	}
}
