package rulebench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/factstream"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

var update = flag.Bool("update", false, "rewrite the golden files")

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
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got; -update writes it anew):\n%s", name, diff)
	}
}

func eightRules(t *testing.T) *rules.Program {
	t.Helper()
	p, err := loadEight()
	if err != nil {
		t.Fatal(err)
	}
	if problems := p.Check(ontology.Default(), engine.Vocabulary(), nil); len(problems) > 0 {
		t.Fatal(problems)
	}
	return p
}

// The forms that the engines read.
func TestForms(t *testing.T) {
	var text bytes.Buffer
	if err := writeMangle(&text, eightRules(t)); err != nil {
		t.Fatal(err)
	}
	golden(t, "eight.mg", text.Bytes())
	text.Reset()
	err := factstream.Follow(ontology.Default(), kitchenEpisode(1, 2), observed(eightRules(t)), func(s factstream.StepFacts) error {
		if err := writeJSON(&text, s); err != nil {
			return err
		}
		return writeProlog(&text, s)
	})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "facts.txt", text.Bytes())
	if err := writeMangle(&text, rules.Default()); err == nil {
		t.Error("the shipped rules have a form in Mangle; the benchmark says that they have none")
	}
}

// There are about 60 facts a step, and the same for the same seed.
func TestKitchen(t *testing.T) {
	count := func(seed uint64) (n int, all string) {
		var text bytes.Buffer
		err := factstream.Follow(ontology.Default(), kitchenEpisode(seed, 300), observed(eightRules(t)), func(s factstream.StepFacts) error {
			n += len(s.Facts)
			return writeJSON(&text, s)
		})
		if err != nil {
			t.Fatal(err)
		}
		return n, text.String()
	}
	n, all := count(1)
	if n < 50*300 || n > 75*300 {
		t.Errorf("%d facts in 300 steps; expected about 60 a step", n)
	}
	if _, again := count(1); again != all {
		t.Error("another episode for the same seed")
	}
	if _, other := count(2); other == all {
		t.Error("the same episode for another seed")
	}
}

// answers runs mishap on an episode and parses what it writes.
func answers(t *testing.T, p *rules.Program, n int, interpret bool) Measured {
	t.Helper()
	var facts, out bytes.Buffer
	if err := factstream.Follow(ontology.Default(), kitchenEpisode(3, n), observed(p), func(s factstream.StepFacts) error { return writeJSON(&facts, s) }); err != nil {
		t.Fatal(err)
	}
	if err := Run(context.Background(), ontology.Default(), p, &facts, interpret, &out); err != nil {
		t.Fatal(err)
	}
	m, err := parse(&out)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestCompiledAnswersAreTheInterpreted(t *testing.T) {
	for name, p := range map[string]*rules.Program{"eight": eightRules(t), "shipped": rules.Default()} {
		compiled, interpreted := answers(t, p, 300, false), answers(t, p, 300, true)
		if compiled.hash != interpreted.hash || compiled.Answers != interpreted.Answers || compiled.Answers < 2 {
			t.Errorf("%s: %d answers compiled, %d interpreted, the same: %v", name, compiled.Answers, interpreted.Answers, compiled.hash == interpreted.hash)
		}
	}
}

// SWI-Prolog gives the same answers on both sets of rules, where it is installed.
func TestSWIPrologAgrees(t *testing.T) {
	swipl, err := exec.LookPath("swipl")
	if err != nil {
		t.Skip("swipl is not installed (Debian: swi-prolog-nox)")
	}
	folder := t.TempDir()
	engines, err := engines(folder, "", swipl, "")
	if err != nil {
		t.Fatal(err)
	}
	prolog := engines[len(engines)-1]
	for name, p := range map[string]*rules.Program{"eight": eightRules(t), "shipped": rules.Default()} {
		b := &Benchmark{Ontology: ontology.Default(), Seed: 3, Folder: folder}
		if _, err := b.files(p, 400, []Engine{prolog}); err != nil {
			t.Fatal(err)
		}
		got, err := b.run(context.Background(), prolog, 0)
		if err != nil {
			t.Fatal(err)
		}
		if want := answers(t, p, 400, false); got.hash != want.hash {
			t.Errorf("%s: %d answers, mishap has %d, and they differ", name, got.Answers, want.Answers)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                  "no step was measured",
		"step\t1\t2\n":      "expected five columns",
		"step\t1\tx\t2\t\n": "invalid syntax",
	} {
		if _, err := parse(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want it to say %q", text, err, want)
		}
	}
	m, err := parse(strings.NewReader("step\t1\t1000\t2000\tB 1 1 x;A 1 1 y;B 1 1 x;\nwhole\t0\t1000\t5000000\tA 1 1 y;B 1 1 x;\n"))
	if err != nil || m.Answers != 2 || m.Online.Median != 3 || m.Whole != 5 {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestResult(t *testing.T) {
	r := &BenchmarkResult{Version: "v", Go: "go", Seed: 1, Runs: 3, Skipped: []string{"Mangle: no --mangle PATH was given"}}
	for _, set := range []string{"eight", "shipped"} {
		for _, steps := range []int{10, 1000} {
			r.Measured = append(r.Measured,
				Measured{Engine: "mishap", Rules: set, Steps: steps, Facts: 60, Add: Times{1, 2}, Evaluate: Times{2, 3}, Online: Times{3, 5}, Whole: 1, Load: 2, Memory: 30, Answers: 7},
				Measured{Engine: "SWI-Prolog", Rules: set, Steps: steps, Facts: 60, Add: Times{20, 30}, Evaluate: Times{5, 90}, Online: Times{25, 120}, Whole: 1.5, Load: 20, Memory: 60, Answers: 7})
		}
	}
	var text, picture bytes.Buffer
	if err := r.Text(&text); err != nil {
		t.Fatal(err)
	}
	golden(t, "result.txt", text.Bytes())
	if err := r.SVG(&picture); err != nil {
		t.Fatal(err)
	}
	golden(t, "result.svg", picture.Bytes())
	if err := (&BenchmarkResult{}).SVG(&picture); err == nil {
		t.Error("a picture of nothing")
	}
}

// What the eight rules cost a step: taking its facts in, and asking every rule about it.
func BenchmarkOnline(b *testing.B) {
	p, err := loadEight()
	if err != nil {
		b.Fatal(err)
	}
	var facts bytes.Buffer
	err = factstream.Follow(ontology.Default(), kitchenEpisode(1, 3*ahead), observed(p), func(s factstream.StepFacts) error { return writeJSON(&facts, s) })
	if err != nil {
		b.Fatal(err)
	}
	r := &runner{out: bufio.NewWriter(io.Discard)}
	var d *json.Decoder
	var steps []rows
	for n := 0; b.Loop(); n++ {
		if n%ahead == 0 {
			b.StopTimer()
			if n%(3*ahead) == 0 {
				d = json.NewDecoder(bytes.NewReader(facts.Bytes()))
				r.stream = factstream.New(ontology.Default(), p, false)
			}
			if steps, err = readAhead(d, r.stream); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
		if err := r.step(b.Context(), &steps[n%ahead]); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(r.added.Nanoseconds())/float64(b.N), "facts-ns/op")
}
