package main

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"mishap": main})
}

func TestScripts(t *testing.T) {
	episodes, err := filepath.Abs(samples)
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Setup: func(e *testscript.Env) error {
			e.Setenv("EPISODES", episodes)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exitcode": exitcode,
			"bigline":  bigline,
			"bytes":    writeBytes,
		},
	})
}

// exitcode runs mishap and expects an exit code: exitcode 2 check log.jsonl.
func exitcode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exitcode CODE ARG…")
	}
	err := ts.Exec("mishap", args[1:]...)
	got := "0"
	if err != nil {
		got = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if got != args[0] {
		ts.Fatalf("exit code %s, want %s", got, args[0])
	}
}

// bigline writes a file with one line of 200 MB.
func bigline(ts *testscript.TestScript, _ bool, args []string) {
	f, err := os.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	defer f.Close()
	w := bufio.NewWriter(f)
	chunk := strings.Repeat("x", 1<<20)
	for range 200 {
		_, err := w.WriteString(chunk)
		ts.Check(err)
	}
	ts.Check(w.Flush())
}

// writeBytes writes a file from text in which \xNN stands for a byte.
func writeBytes(ts *testscript.TestScript, _ bool, args []string) {
	text := strings.NewReplacer(`\xff`, "\xff", `\x00`, "\x00", `\n`, "\n").Replace(args[1])
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}
