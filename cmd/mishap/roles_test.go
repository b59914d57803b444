package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/ontology"
)

// Every role that is not required may be left unplayed: whatever is concluded then, it
// is concluded without a crash, from logs of all kinds and in a run. Every third role is tried
// with one of the commands by turns, each with all where the environment asks for the long sets.
func TestCommandsWithoutRoles(t *testing.T) {
	silence(t)
	var logs []string
	for _, name := range []string{"dropping-and-breaking-obj", "enclosed-object", "burner-left-on"} {
		logs = append(logs, filepath.Join("..", "..", "testdata", "episodes", name+".jsonl"))
	}
	plays := regexp.MustCompile(`m:plays m:(\w+) ;`)
	roles := 0
	for _, d := range ontology.Shipped() {
		for _, m := range plays.FindAllSubmatch(d.Data, -1) {
			role := string(m[1])
			if role == "watchedAgent" || role == "agentGripper" || role == "failedAction" {
				continue
			}
			turn := roles
			if roles++; turn%3 != 0 && os.Getenv("MISHAP_LONG") == "" {
				continue
			}
			t.Run(role, func(t *testing.T) {
				t.Parallel()
				folder := t.TempDir()
				without := regexp.MustCompile(`m:plays m:`+role+` ;`).ReplaceAll(d.Data, nil)
				if err := os.WriteFile(filepath.Join(folder, filepath.Base(d.Name)), without, 0o644); err != nil {
					t.Fatal(err)
				}
				calls := [][]string{
					append([]string{"recover", "--quiet"}, logs...), append([]string{"foresee", "--quiet"}, logs...),
					{"run", "--task", "recover_make_coffee", "--fail", "drop_and_break"},
				}
				if role == "ground" { // nothing can be simulated where nothing can fall
					calls = calls[:2]
				}
				if os.Getenv("MISHAP_LONG") == "" {
					turn := turn / 3 % len(calls)
					calls = calls[turn : turn+1]
				}
				for _, args := range calls {
					if code := run(append([]string{"--ontology", folder}, args...)); code == 2 {
						t.Errorf("%s: exit code %d", args[0], code)
					}
				}
			})
		}
	}
	if roles < 20 {
		t.Errorf("found %d roles", roles)
	}
}

// silence keeps what commands print out of the test's output.
func silence(t *testing.T) {
	t.Helper()
	out := stdout
	stdout = report.NewOutput(io.Discard, false)
	t.Cleanup(func() { stdout = out })
}
