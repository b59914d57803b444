package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/mishap-robotics/mishap/bridge/report"
)

// within carries out commands of scripts in the process of the test, which has read the
// ontology and the rules: a process of its own would spend most of its time on that. It
// carries out one at a time, for a process has one working folder.
type within struct {
	mu        sync.Mutex
	out, err  *os.File
	variables []string // of the environment, that a script may set
}

var setsVariable = regexp.MustCompile(`(?m)^env (\w+)=`)

func newWithin(t *testing.T, scripts string) *within {
	w := &within{variables: []string{"HOME", "TMPDIR", "EPISODES", "SOUNDS"}}
	for _, to := range []**os.File{&w.out, &w.err} {
		f, err := os.CreateTemp(t.TempDir(), "")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		*to = f
	}
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "MISHAP_") {
			w.variables = append(w.variables, name)
		}
	}
	files, err := filepath.Glob(filepath.Join(scripts, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range setsVariable.FindAllSubmatch(text, -1) {
			w.variables = append(w.variables, string(m[1]))
		}
	}
	slices.Sort(w.variables)
	w.variables = slices.Compact(w.variables)
	return w
}

// alone are words of commands that need a process of their own: they read standard input,
// are ended by a signal, start the program anew, or measure the memory of the process.
var alone = []string{"-", "repl", "script", "serve", "watch", "--max-memory", "--mangle", "--swipl"}

// needsProcess reports whether a command needs a process of its own; with MISHAP_LONG all
// have one.
func needsProcess(ts *testscript.TestScript, args []string) bool {
	return os.Getenv("MISHAP_LONG") != "" || ts.Getenv("TZ") != "" || ts.Getenv("GOMAXPROCS") != "" ||
		slices.ContainsFunc(args, func(a string) bool { return slices.Contains(alone, a) })
}

// exitcode runs mishap and expects an exit code: exitcode 2 check log.jsonl.
func (w *within) exitcode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exitcode CODE ARG…")
	}
	got := ""
	if needsProcess(ts, args[1:]) {
		got = "0"
		if err := ts.Exec("mishap", args[1:]...); err != nil {
			got = strings.TrimPrefix(err.Error(), "exit status ")
		}
	} else {
		got = strconv.Itoa(w.run(ts, args[1:]))
	}
	if got != args[0] {
		ts.Fatalf("exit code %s, want %s", got, args[0])
	}
}

// run carries out a command and gives its exit code.
func (w *within) run(ts *testscript.TestScript, args []string) (code int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	defer w.environment(ts)()
	defer w.streams(ts)()
	return run(args)
}

// environment is that of the script until the function it gives is called.
func (w *within) environment(ts *testscript.TestScript) (back func()) {
	folder, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	before := map[string]string{}
	for _, name := range w.variables {
		before[name] = os.Getenv(name)
		setVariable(ts, name, ts.Getenv(name))
	}
	return func() {
		for name, value := range before {
			setVariable(ts, name, value)
		}
		ts.Check(os.Chdir(folder))
	}
}

func setVariable(ts *testscript.TestScript, name, value string) {
	if value == "" {
		ts.Check(os.Unsetenv(name))
		return
	}
	ts.Check(os.Setenv(name, value))
}

// streams has standard output and standard error in files until the function it gives is
// called, which hands them to the script.
func (w *within) streams(ts *testscript.TestScript) (back func()) {
	none, err := os.Open(os.DevNull)
	ts.Check(err)
	in, out, errs, oldStdout, oldStderr := os.Stdin, os.Stdout, os.Stderr, stdout, stderr
	os.Stdin, os.Stdout, os.Stderr = none, w.out, w.err
	stdout, stderr = report.NewOutput(w.out, false), report.NewOutput(w.err, false)
	return func() {
		os.Stdin, os.Stdout, os.Stderr, stdout, stderr = in, out, errs, oldStdout, oldStderr
		ts.Check(none.Close())
		handOver(ts, w.out, ts.Stdout())
		handOver(ts, w.err, ts.Stderr())
	}
}

// handOver writes what a file holds, and empties it.
func handOver(ts *testscript.TestScript, f *os.File, to io.Writer) {
	_, err := f.Seek(0, io.SeekStart)
	ts.Check(err)
	_, err = io.Copy(to, f)
	ts.Check(err)
	ts.Check(f.Truncate(0))
	_, err = f.Seek(0, io.SeekStart)
	ts.Check(err)
}
