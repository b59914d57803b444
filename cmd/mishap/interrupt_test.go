package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// interrupted has for each command a call that takes long: arguments of which LONG is a log of
// thousands of steps, MANY a folder of logs, OUT a folder to write to, RULES and TERMS big
// documents, LOOP a program that does not end. Those without one are over before they are
// interrupted with what tests have to give them.
var interrupted = map[string]string{
	"bench alfred":        "",
	"bench detect":        "bench detect --parts matrix -o OUT",
	"bench foresee":       "bench foresee --parts pairs -o OUT",
	"bench logs":          "bench logs --truth ../../testdata/logs/home ../../testdata/logs/home",
	"bench recover":       "bench recover --parts pairs -o OUT",
	"bench rules":         "bench rules -o OUT",
	"check":               "check MANY",
	"diff":                "diff LONG --at 1",
	"experience":          "experience MANY -o OUT/experience.jsonl --force",
	"explain":             "explain LONG",
	"export":              "export LONG",
	"foresee":             "foresee LONG",
	"goal":                "goal pot-in-the-sink LONG",
	"memory add":          "memory add MANY --memory OUT/memory",
	"memory compact":      "",
	"memory list":         "",
	"memory remove":       "",
	"memory show":         "",
	"memory stats":        "",
	"memory validate":     "",
	"mapping check":       "",
	"mapping init":        "",
	"annotate":            "",
	"sounds":              "",
	"watch":               "",
	"bench perception":    "",
	"perceive":            "",
	"narrate":             "narrate LONG",
	"ontology check":      "ontology check --ontology TERMS",
	"ontology extend":     "",
	"ontology show":       "ontology show Mug --ontology TERMS",
	"plan graph":          "",
	"pack check":          "pack check ../../testdata/packs/hazards",
	"pack init":           "",
	"pack test":           "pack test ../../testdata/packs/hazards",
	"plan make":           "plan make LONG",
	"prompts":             "",
	"query":               "query LONG action(A,X),action(B,Y),action(C,Z),fail",
	"recover":             "recover MANY",
	"repl":                "repl LOOP",
	"report":              "report MANY -o OUT/report.html",
	"rules check":         "rules check --rules RULES",
	"rules explain-check": "",
	"rules profile":       "rules profile MANY",
	"rules test":          "rules test --rules RULES",
	"rules vocabulary":    "",
	"run":                 "run --task make_coffee --fail DroppingObjFailure --count 10000 -o OUT",
	"schema":              "",
	"script":              "script LOOP",
	"serve":               "", // it ends as it should: TestServe
	"sim":                 "sim --task make_coffee --count 100000 -o OUT",
	"sparql":              "sparql SELECT*{?a?b?c.?d?e?f.?g?h?i} LONG",
	"summarize":           "summarize LONG -o OUT/summary",
}

// moments are when a command is interrupted: once it may be loading what it knows, once at
// work. One will do, but where the environment asks for the long sets.
var moments = func() []time.Duration {
	if os.Getenv("MISHAP_LONG") != "" {
		return []time.Duration{150 * time.Millisecond, 400 * time.Millisecond, time.Second, 3 * time.Second}
	}
	return []time.Duration{250 * time.Millisecond}
}()

// leaves lists the commands that do something themselves.
func leaves(c *cobra.Command, path string) (out []string) {
	for _, sub := range c.Commands() {
		if sub.Hidden || sub.Name() == "help" || sub.Name() == "completion" {
			continue
		}
		name := strings.TrimSpace(path + " " + sub.Name())
		if !sub.HasSubCommands() {
			out = append(out, name)
		}
		out = append(out, leaves(sub, name)...)
	}
	return out
}

// big writes what takes long to read, and returns what the words of a call stand for.
func big(t *testing.T) *strings.Replacer {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	if err := os.MkdirAll(filepath.Join(dir, "many"), 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		for _, path := range sampleFiles(t) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			write(fmt.Sprintf("many/%d-%s", i, filepath.Base(path)), string(data))
		}
	}
	var long, rules, terms strings.Builder
	fmt.Fprintln(&long, `{"mishap": 1, "id": "long"}`)
	for i := range 10_000 {
		action, at := "(pick_up, Mug-1)", "RobotGripper-1"
		if i%2 == 1 {
			action, at = "(put_in, Mug-1, Sink-1)", "Sink-1"
		}
		fmt.Fprintf(&long, `{"step": %d, "action": %q, "observation": {"nodes": [{"id": "Mug-1", "class": "Mug"}, {"id": "Sink-1", "class": "Sink"}], "edges": [["Mug-1", "inside", %q]]}}`+"\n", i+1, action, at)
	}
	for i := range 8_000 {
		fmt.Fprintf(&rules, "failure('DirtyObjFailure', S, S, [O]) :- target(S, O), own%d(O, %d).\nown%d(O, N) :- isa(O, 'Mug'), N > %d.\n", i, i, i, i)
	}
	fmt.Fprintln(&terms, "@prefix m: <https://mishap-robotics.github.io/ontology#> .\n@prefix owl: <http://www.w3.org/2002/07/owl#> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .")
	for i := range 15_000 {
		fmt.Fprintf(&terms, "m:Own%dThing a owl:Class ; rdfs:subClassOf m:PhysicalObject ; rdfs:label \"own %d thing\" .\n", i, i)
	}
	return strings.NewReplacer("LONG", write("long.jsonl", long.String()), "MANY", filepath.Join(dir, "many"),
		"LOOP", write("loop.pl", "loop :- loop.\n:- loop.\n"), "RULES", write("big.pl", rules.String()), "TERMS", write("big.ttl", terms.String()))
}

// Every command that is interrupted while it works ends, with an exit code of its own, and
// leaves no half of a file.
func TestEveryCommandIsInterrupted(t *testing.T) {
	for _, name := range leaves(newRoot(), "") {
		if _, ok := interrupted[name]; !ok {
			t.Errorf("%s: no call to be interrupted is known; expected one, or \"\" where it is over at once", name)
		}
	}
	words := big(t)
	var met atomic.Int32
	t.Run("all", func(t *testing.T) {
		for name, call := range interrupted {
			if call != "" {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					met.Add(interruptAt(t, name, words.Replace(call)))
				})
			}
		}
	})
	if n := int(met.Load()); n < len(interrupted)/3 {
		t.Errorf("only %d commands were met while they worked", n)
	}
}

// interruptAt interrupts a call at each of the moments, and counts those at which it worked.
func interruptAt(t *testing.T, name, call string) (met int32) {
	t.Helper()
	out := t.TempDir()
	args := strings.Fields(strings.ReplaceAll(call, "OUT", out))
	for _, after := range moments {
		told, code, over := interrupt(t, args, after)
		if over {
			continue // it was faster
		}
		met++
		switch {
		case code < 0: // before it listens
		case code == 0 || code == exitFound: // it was at its end
		case name == "run" && code == exitUnrecovered: // it tells how far it came
		case (name == "plan make" || name == "recover") && code == exitUnrecovered: // it was at its end, without a plan
		case name == "query" && code == exitBad && strings.Contains(told, "within its limit"): // it had looked at as much as it may
		case code != exitBad || !strings.Contains(told, "mishap: interrupted"):
			t.Errorf("interrupted after %v: exit code %d, %q", after, code, told)
		}
		whole(t, out)
	}
	return met
}

// interrupt starts a command and interrupts it after a while, unless it is over.
func interrupt(t *testing.T, args []string, after time.Duration) (told string, code int, over bool) {
	t.Helper()
	cmd := exec.Command("mishap", args...)
	var stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = io.Discard, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-ended:
		return stderr.String(), cmd.ProcessState.ExitCode(), true
	case <-time.After(after):
	}
	cmd.Process.Signal(syscall.SIGINT)
	select {
	case <-ended:
	case <-time.After(time.Minute): // it is to take a fifth of a second, of a machine that is not busy
		cmd.Process.Kill()
		<-ended
		t.Fatalf("%v: not over a minute after it was interrupted", args)
	}
	return stderr.String(), cmd.ProcessState.ExitCode(), false
}

// whole checks that no file in a folder is a half.
func whole(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		switch {
		case err != nil:
			return err
		case strings.HasPrefix(d.Name(), "."):
			t.Errorf("%s is left", path)
		case strings.HasSuffix(path, ".json") && !json.Valid(data), strings.HasSuffix(path, ".jsonl") && !bytes.HasSuffix(data, []byte("\n")):
			t.Errorf("%s is not whole", path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
