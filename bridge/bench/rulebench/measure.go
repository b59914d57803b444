package rulebench

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mishap-robotics/mishap/engine/factstream"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// Engine is a program that evaluates rules as Run does.
type Engine struct {
	Name    string
	Command []string // with %r for the file of rules and %f for that of facts
	Rules   func(io.Writer, *rules.Program) error
	Facts   func(io.Writer, factstream.StepFacts) error
	// Longest is the longest episode it is asked for, in steps; 0 is no bound.
	Longest int
	// OnlyEight is true where it has no form for all shipped rules.
	OnlyEight bool
}

// shortened is the longest episode that mishap's interpreter and Mangle are asked
// for; beyond it they take minutes.
const shortened = 3000

// engines lists the engines that there are: mishap by its own binary, SWI-Prolog
// and Mangle where their binaries are given. The folder gets what they need.
func engines(folder, mishap, swipl, mangle string) ([]Engine, error) {
	out := []Engine{
		{Name: "mishap", Command: []string{mishap, "bench", "rules-engine", "%r", "%f"}, Rules: writeProgramPlain, Facts: writeJSON},
		{Name: "mishap, interpreted", Command: []string{mishap, "bench", "rules-engine", "--interpret", "%r", "%f"}, Rules: writeProgramPlain, Facts: writeJSON, Longest: shortened},
	}
	if swipl != "" {
		driver := filepath.Join(folder, "online.pl")
		if err := os.WriteFile(driver, online, 0o644); err != nil {
			return nil, err
		}
		out = append(out, Engine{Name: "SWI-Prolog", Command: append([]string{swipl, driver, "--", "%r", "%f"}, indicators()...), Rules: writeProgram, Facts: writeProlog})
	}
	if mangle != "" {
		out = append(out, Engine{Name: "Mangle", Command: []string{mangle, "%r", "%f"}, Rules: writeMangle, Facts: writeJSON, Longest: shortened, OnlyEight: true})
	}
	return out, nil
}

// writeProgramPlain writes rules as mishap reads them.
func writeProgramPlain(w io.Writer, p *rules.Program) error {
	for _, c := range p.Clauses {
		if _, err := fmt.Fprintln(w, c); err != nil {
			return err
		}
	}
	return nil
}

// Times are those of the steps of an episode at the median and the 99th
// percentile, in microseconds.
type Times struct {
	Median float64 `json:"p50_us"`
	High   float64 `json:"p99_us"`
}

func timesOf(ns []int64) Times {
	slices.Sort(ns)
	at := func(q float64) float64 { return float64(ns[int(q*float64(len(ns)-1))]) / 1000 }
	return Times{at(0.5), at(0.99)}
}

// Measured is what one engine did with one episode, the median of several runs.
type Measured struct {
	Engine   string  `json:"engine"`
	Rules    string  `json:"rules"`
	Steps    int     `json:"steps"`
	Facts    float64 `json:"facts_per_step"`
	Add      Times   `json:"add"`      // taking in the facts of a step
	Evaluate Times   `json:"evaluate"` // asking every rule about it
	Online   Times   `json:"online"`   // both
	Whole    float64 `json:"whole_ms"` // asking every rule about all steps at once
	Load     float64 `json:"load_ms"`  // taking in the facts of all steps
	Memory   float64 `json:"memory_mb"`
	Answers  int     `json:"answers"`
	hash     uint64
	Note     string `json:"note,omitempty"`
}

// Benchmark measures engines on episodes of these lengths with both sets of rules.
type Benchmark struct {
	Ontology *ontology.Ontology
	Shipped  *rules.Program
	Engines  []Engine
	Steps    []int
	Runs     int
	Seed     uint64
	Folder   string // for what the engines read
	Progress interface {
		More(n int)
		Step()
	}
}

// Run measures the engines that there are: mishap by its own binary, SWI-Prolog where its
// command is found, Mangle where the path of its binary is given. The error tells where one
// failed or gave other answers than mishap; a result stands beside it.
func (b *Benchmark) Run(ctx context.Context, version, swipl, mangle string) (*BenchmarkResult, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if b.Folder, err = os.MkdirTemp("", "mishap-rules-"); err != nil {
		return nil, err
	}
	defer os.RemoveAll(b.Folder)
	found, missing := exec.LookPath(swipl)
	if b.Engines, err = engines(b.Folder, self, found, mangle); err != nil {
		return nil, err
	}
	measured, failed := b.Measure(ctx)
	res := &BenchmarkResult{Version: version, Go: runtime.Version(), Seed: b.Seed, Runs: b.Runs, Measured: measured}
	if missing != nil {
		res.Skipped = append(res.Skipped, fmt.Sprintf("SWI-Prolog: no %q was found; --swipl names another", swipl))
	}
	if mangle == "" {
		res.Skipped = append(res.Skipped, "Mangle: no --mangle PATH was given")
	}
	return res, failed
}

// Measure runs all engines on all episodes, the engines in turn. The error tells
// where one failed or gave other answers than mishap.
func (b *Benchmark) Measure(ctx context.Context) ([]Measured, error) {
	few, err := loadEight()
	if err != nil {
		return nil, err
	}
	var out []Measured
	var errs []error
	for _, set := range []struct {
		name    string
		program *rules.Program
	}{{"eight", few}, {"shipped", b.Shipped}} {
		for _, n := range b.Steps {
			measured, err := b.episode(ctx, set.name, set.program, n)
			out, errs = append(out, measured...), append(errs, err)
			if ctx.Err() != nil {
				return out, ctx.Err()
			}
		}
	}
	return out, errors.Join(errs...)
}

// files writes an episode's facts and the rules for each engine.
func (b *Benchmark) files(p *rules.Program, n int, engines []Engine) (perStep float64, err error) {
	var facts []*bufio.Writer
	for i, e := range engines {
		var text bytes.Buffer
		if err := e.Rules(&text, p); err != nil {
			return 0, fmt.Errorf("%s: %w", e.Name, err)
		}
		if err := os.WriteFile(b.file(i, "rules"), text.Bytes(), 0o644); err != nil {
			return 0, err
		}
		f, err := os.Create(b.file(i, "facts"))
		if err != nil {
			return 0, err
		}
		defer f.Close()
		facts = append(facts, bufio.NewWriter(f))
	}
	all := 0
	err = factstream.Follow(b.Ontology, kitchenEpisode(b.Seed, n), observed(p), func(s factstream.StepFacts) error {
		all += len(s.Facts)
		for i, e := range engines {
			if err := e.Facts(facts[i], s); err != nil {
				return err
			}
		}
		return nil
	})
	for _, f := range facts {
		err = errors.Join(err, f.Flush())
	}
	return float64(all) / float64(n), err
}

func (b *Benchmark) file(engine int, what string) string {
	suffix := ".pl"
	if what == "facts" {
		suffix = ""
	}
	return filepath.Join(b.Folder, fmt.Sprint(what, engine)+suffix)
}

func (b *Benchmark) episode(ctx context.Context, set string, p *rules.Program, n int) ([]Measured, error) {
	var engines []Engine
	for _, e := range b.Engines {
		if (e.Longest == 0 || n <= e.Longest) && (set == "eight" || !e.OnlyEight) {
			engines = append(engines, e)
		}
	}
	perStep, err := b.files(p, n, engines)
	if err != nil {
		return nil, err
	}
	if b.Progress != nil {
		b.Progress.More(b.Runs * len(engines))
	}
	runs := make([][]Measured, len(engines))
	for range b.Runs {
		for i, e := range engines {
			m, err := b.run(ctx, e, i)
			if err != nil {
				return nil, fmt.Errorf("%s, %s rules, %d steps: %w", e.Name, set, n, err)
			}
			runs[i] = append(runs[i], m)
			if b.Progress != nil {
				b.Progress.Step()
			}
		}
	}
	var out []Measured
	var errs []error
	for i, e := range engines {
		m := median(runs[i])
		m.Engine, m.Rules, m.Steps, m.Facts = e.Name, set, n, perStep
		if m.hash != runs[0][0].hash {
			m.Note = "other answers than mishap"
			errs = append(errs, fmt.Errorf("%s, %s rules, %d steps: %d answers that are not the %d of mishap", e.Name, set, n, m.Answers, runs[0][0].Answers))
		}
		out = append(out, m)
	}
	return out, errors.Join(errs...)
}

// median takes the median of every figure.
func median(runs []Measured) Measured {
	out := runs[0]
	of := func(figure func(*Measured) *float64) {
		var all []float64
		for i := range runs {
			all = append(all, *figure(&runs[i]))
		}
		slices.Sort(all)
		*figure(&out) = all[len(all)/2]
	}
	runs = slices.Clone(runs)
	of(func(m *Measured) *float64 { return &m.Add.Median })
	of(func(m *Measured) *float64 { return &m.Add.High })
	of(func(m *Measured) *float64 { return &m.Evaluate.Median })
	of(func(m *Measured) *float64 { return &m.Evaluate.High })
	of(func(m *Measured) *float64 { return &m.Online.Median })
	of(func(m *Measured) *float64 { return &m.Online.High })
	of(func(m *Measured) *float64 { return &m.Whole })
	of(func(m *Measured) *float64 { return &m.Load })
	of(func(m *Measured) *float64 { return &m.Memory })
	return out
}

// run runs an engine once.
func (b *Benchmark) run(ctx context.Context, e Engine, i int) (Measured, error) {
	args := slices.Clone(e.Command)
	for k, a := range args {
		args[k] = strings.NewReplacer("%r", b.file(i, "rules"), "%f", b.file(i, "facts")).Replace(a)
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, args[0], args[1:]...)
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Start(); err != nil {
		return Measured{}, err
	}
	done := make(chan struct{})
	peak := make(chan float64)
	go func() { peak <- watchMemory(c.Process.Pid, done) }()
	err := c.Wait()
	close(done)
	memory := <-peak
	if err != nil {
		return Measured{}, fmt.Errorf("%w: %s", err, strings.TrimSpace(stderr.String()))
	}
	m, err := parse(&stdout)
	m.Memory = memory
	return m, err
}

// watchMemory is the most memory that a process held, in MB, looked at every few
// milliseconds until done; 0 where the system does not tell. What the system tells
// of an ended process would count what this one held when it began that.
func watchMemory(pid int, done <-chan struct{}) float64 {
	peak := 0.0
	for {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if _, rest, ok := strings.Cut(string(text), "VmHWM:"); ok && err == nil {
			if kb, err := strconv.ParseFloat(strings.Fields(rest)[0], 64); err == nil {
				peak = max(peak, kb/1024)
			}
		}
		select {
		case <-done:
			return peak
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// parse reads what an engine wrote.
func parse(r io.Reader) (Measured, error) {
	var m Measured
	var add, evaluate, online []int64
	hash := fnv.New64a()
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<30)
	for s.Scan() {
		parts := strings.Split(s.Text(), "\t")
		if len(parts) != 5 {
			return m, fmt.Errorf("%q; expected five columns", s.Text())
		}
		added, err1 := strconv.ParseInt(parts[2], 10, 64)
		spent, err2 := strconv.ParseInt(parts[3], 10, 64)
		if err := errors.Join(err1, err2); err != nil {
			return m, err
		}
		answers := strings.FieldsFunc(parts[4], func(r rune) bool { return r == ';' })
		slices.Sort(answers)
		answers = slices.Compact(answers)
		fmt.Fprintln(hash, parts[0], parts[1], answers)
		if parts[0] == "whole" {
			m.Load, m.Whole = float64(added)/1e6, float64(spent)/1e6
			m.Answers = len(answers)
			continue
		}
		add, evaluate, online = append(add, added), append(evaluate, spent), append(online, added+spent)
	}
	if len(add) == 0 {
		return m, errors.New("no step was measured")
	}
	m.Add, m.Evaluate, m.Online = timesOf(add), timesOf(evaluate), timesOf(online)
	m.hash = hash.Sum64()
	return m, s.Err()
}
