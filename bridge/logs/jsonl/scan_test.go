package jsonl

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// readAs reads a log in one pass where that will do, or every line the longer way, and tells
// how many lines were read in one pass.
func readAs(whole bool, text []byte) (out outcome, scanned int) {
	r := newReader(ontology.Default(), "log")
	r.whole = whole
	err := input.EachLine("log", bytes.NewReader(text), func(n int, text []byte) error {
		r.number, r.bare, r.sensed, r.tick = 0, false, nil, ""
		kind, err := r.line(n, text)
		if kind == stepLine && (r.number != stepOf(text) || r.bare != tellsOfEvents(text)) { // by which streams go on
			out.lines = append(out.lines, fmt.Sprintf("whole=%v: step %d, events alone %v; the line says %d, %v", whole, r.number, r.bare, stepOf(text), tellsOfEvents(text)))
		}
		out.lines = append(out.lines, fmt.Sprint(kind, r.number, r.bare, r.sensed, r.tick, err))
		if _, ok := scanners.Get().(*scanner).scan(text); ok && len(r.episodes) > 0 {
			scanned++
		}
		return err
	})
	out.episodes, out.err = r.episodes, fmt.Sprint(err)
	return out, scanned
}

type outcome struct {
	episodes []*episode.Episode
	lines    []string
	err      string
}

func sameEitherWay(t interface{ Fatalf(string, ...any) }, text []byte) (scanned int) {
	want, _ := readAs(true, text)
	got, scanned := readAs(false, text)
	for _, line := range slices.Concat(want.lines, got.lines) {
		if strings.HasPrefix(line, "whole=") {
			t.Fatalf("%s\n%s", text, line)
		}
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(outcome{})); diff != "" {
		t.Fatalf("%s\n(-the longer way +in one pass):\n%s", text, diff)
	}
	return scanned
}

// Lines of every form and spoiled ones are read in one pass as they are the longer way.
func TestScanIsDecoding(t *testing.T) {
	samples := lines(t)
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(`{"mishap":1,"id":"a","agents":[{"name":"Robot-1","grippers":["G-1"]}]}` + "\n")
		for range rapid.IntRange(1, 4).Draw(t, "lines") {
			line := rapid.SampledFrom(samples).Draw(t, "line")
			for range rapid.IntRange(0, 2).Draw(t, "changes") {
				line = spoil(t, line)
			}
			text = append(text, strings.ReplaceAll(line, "\n", " ")+"\n"...)
		}
		sameEitherWay(t, text)
	})
}

// What is in the repository's own logs is read in one pass, all but headers.
func TestScanReadsSamples(t *testing.T) {
	read, passed := 0, 0
	for _, line := range lines(t) {
		if _, ok := scanners.Get().(*scanner).scan([]byte(line)); ok {
			passed++
		}
		if !strings.Contains(line, `"mishap"`) {
			read++
		}
	}
	if passed*100 < read*95 {
		t.Errorf("%d of %d lines are read in one pass, 95 %% expected", passed, read)
	}
}

// lines are those of the repository's logs and of forms that these do not have.
func lines(t *testing.T) []string {
	t.Helper()
	out := strings.Split(strings.TrimSpace(unusual), "\n")
	samples := os.DirFS("../../../testdata/episodes")
	names, err := fs.Glob(samples, "*.jsonl")
	if err != nil || len(names) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(samples, name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, strings.Split(strings.TrimSpace(string(text)), "\n")...)
	}
	return out
}

const unusual = `
{"step":3}
{"step":1,"time":12.50,"action":"(pick_up, Mug)","agent":"Robot-1","sounds":[],"action_id":"a1","status":"in_progress","result":"E42"}
{"step":1,"values":{"force":4.5,"angle":-0.25},"events":["bell",{"kind":"jolt","object":"Mug-1","value":1e3,"unit":"N","time":"00:10"}]}
{"step":2,"values":{"temperature":{"value":282.65,"unit":"K"}}}
{"step":2,"observation":{"complete":false,"nodes":[{"id":"Mug-1","values":{"temperature":{"value":282.65,"unit":"K"},"fill":0.5}},{"id":"Mug-1","class":"Mug","states":["dirty"]}],"edges":[["Mug-1","inside","G-1"],["Mug-1","near","Pan-2"]]}}
{"time":4,"events":["bell"]}
{"time":9}
{"step":1,"events":[]}
{"step":2,"robot":7,"status":"doing","battery":{"level":[0.5,{"x":1}]},"observation":{"stamp":1.5,"nodes":[{"id":"Cup-1","class":"Cup","box":[1,2,3]}]}}
{"step":2,"Step":3,"ACTION":"(observe)"}
{"step":2,"agent":"Jürgen","sounds":["k\u00f6ln"],"observation":{}}
{"step":2,"action":"(juggle, Mug)","observation":{"nodes":[],"edges":[]}}
{"step":01,"time":-0}
`

// spoil changes a line as those who write logs may: signs, words and pieces.
func spoil(t *rapid.T, line string) string {
	at := rapid.IntRange(0, len(line)).Draw(t, "at")
	to := min(len(line), at+rapid.IntRange(0, 8).Draw(t, "length"))
	words := []string{"", " ", "null", "true", "1", "-1", "1.5", "2.0", "1e2", "01", "nan", "[]", "{}", `""`, `"a"`, `,"step":2`, `,"x":3`, `"class":`, "]", "}", "{", `"`, `\`, "\x01", "\xff", "é", strings.Repeat("a", 201)}
	return line[:at] + rapid.SampledFrom(words).Draw(t, "word") + line[to:]
}

func FuzzScan(f *testing.F) {
	for _, line := range strings.Split(strings.TrimSpace(unusual), "\n") {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		sameEitherWay(t, append([]byte(`{"mishap":1,"id":"a"}`+"\n"+`{"step":1}`+"\n"), line...))
	})
}

// Lines as short as they come, and with a kitchen of 30 things.
func BenchmarkLines(b *testing.B) {
	for _, things := range []int{1, 30} {
		var text bytes.Buffer
		text.WriteString("{\"mishap\":1,\"id\":\"a\"}\n")
		for n := range 3000 / things {
			st := episode.Step{Index: n + 1, Time: fmt.Sprintf("%d.5", n), Action: episode.Action{Name: "pick_up", Target: "Mug-1"}}
			st.Observation.Graph = kitchen(things)
			line, err := AppendStep(nil, &st)
			if err != nil {
				b.Fatal(err)
			}
			text.Write(line)
		}
		for _, whole := range []bool{true, false} {
			b.Run(fmt.Sprintf("things=%d/whole=%v", things, whole), func(b *testing.B) {
				b.SetBytes(int64(text.Len()))
				b.ReportAllocs()
				for b.Loop() {
					readAll(b, whole, text.Bytes())
				}
			})
		}
	}
}

func readAll(b *testing.B, whole bool, text []byte) {
	r := newReader(ontology.Default(), "log")
	r.whole = whole
	if err := input.EachLine("log", bytes.NewReader(text), func(n int, text []byte) error { _, err := r.line(n, text); return err }); err != nil {
		b.Fatal(err)
	}
}

func kitchen(things int) (g scene.Graph) {
	for i := range things {
		id := fmt.Sprintf("Mug-%d", i+1)
		g.Nodes = append(g.Nodes, scene.Node{ID: id, Class: "Mug", States: []string{"dirty", "empty"}, Properties: []string{"ceramic"}})
		g.Edges = append(g.Edges, scene.Edge{Subject: id, Relation: "on_top_of", Object: "Mug-1"})
	}
	return g
}
