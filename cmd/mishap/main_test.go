package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/mishap-robotics/mishap/bridge/live"
	"github.com/mishap-robotics/mishap/bridge/live/livetest"
	"github.com/mishap-robotics/mishap/bridge/llm/llmtest"
	"github.com/mishap-robotics/mishap/bridge/logs/jsonl"
	"github.com/mishap-robotics/mishap/bridge/perception/render"
	"github.com/mishap-robotics/mishap/engine/testgc"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
)

func TestMain(m *testing.M) {
	testscript.Main(tests{m}, map[string]func(){"mishap": main})
}

// tests collect garbage less often: they make much and keep little. The commands that they
// start do as ever.
type tests struct{ *testing.M }

func (m tests) Run() int {
	testgc.CollectLess()
	return m.M.Run()
}

func TestScripts(t *testing.T) {
	episodes, err := filepath.Abs(samples)
	if err != nil {
		t.Fatal(err)
	}
	scripts, err := filepath.Abs("testdata/script")
	if err != nil {
		t.Fatal(err)
	}
	good := llmtest.New(t, adviceFor)
	locked := llmtest.New(t, llmtest.Always(llmtest.EchoKeyInError()))
	inside := newWithin(t, scripts)
	robot := livetest.New(t, recordingOf(t, filepath.Join(episodes, "dropping-obj.jsonl")), live.Subprotocols[0], 1)
	testscript.Run(t, testscript.Params{
		Dir:           scripts,
		UpdateScripts: *update,
		Condition: func(name string) (bool, error) {
			if name != "long" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			return os.Getenv("MISHAP_LONG") != "", nil
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("EPISODES", episodes)
			e.Setenv("SOUNDS", filepath.Join(filepath.Dir(episodes), "sounds"))
			e.Setenv("GOGC", "off") // a command is over before it pays to collect what it left
			e.Setenv("GOMEMLIMIT", "512MiB")
			e.Setenv("GOOD_SERVER", good.URL)
			e.Setenv("ROBOT", robot)
			e.Setenv("LOCKED_SERVER", locked.URL)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exitcode": inside.exitcode,
			"bigline":  bigline,
			"bytes":    writeBytes,
		},
	})
}

// adviceFor answers well of the sample in which a pan stands on the burner.
func adviceFor(r llmtest.Request) llmtest.Response {
	switch {
	case r.SchemaName == "cause":
		return llmtest.Text(`{"cause": "a pan stands on the burner", "change": "another burner has to do"}`)
	case r.SchemaName == "plan":
		return llmtest.Text(`{"plan": ["go to stove burner 2", "put the pot on stove burner 2", "turn on stove burner 2"]}`)
	case r.SchemaName == "actions":
		return llmtest.Text(`{"cause": "a pan stands on the burner", "actions": ["put the pot on stove burner 2", "turn on stove burner 2"]}`)
	case r.SchemaName == "choice":
		return llmtest.Text(`{"choice": 1, "why": "it is short"}`)
	case r.SchemaName == "explanation":
		return llmtest.Text(`{"explanation": "The pan was in the way.", "times": ["00:55"]}`)
	case strings.Contains(r.Prompt, "(put_on, Pot-1, StoveBurner-1)") && strings.Contains(r.Prompt, "Has the step come about?"):
		return llmtest.Text("No.")
	}
	return llmtest.Text("yes")
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

// recordingOf is the recording of an episode, by sensors that do not err.
func recordingOf(t *testing.T, log string) []byte {
	o := ontology.Default()
	ep, err := jsonl.ReadFile(o, document.Disk{}, log)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := render.Write(&out, o, ep[0], render.Noise{}, 1); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
