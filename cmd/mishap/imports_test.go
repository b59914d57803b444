package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// rooms lists the top-level folders and which of them each may import:
// cmd → bridge → engine → rules, ontology.
var rooms = map[string][]string{
	"ontology": {"ontology"},
	"rules":    {"rules", "ontology"},
	"engine":   {"engine", "rules", "ontology"},
	"bridge":   {"bridge", "engine", "rules", "ontology"},
	"cmd":      {"cmd", "bridge", "engine", "rules", "ontology"},
}

func TestImportDirection(t *testing.T) {
	const module = "github.com/mishap-robotics/mishap/"
	out, err := exec.Command("go", "list", "-f",
		`{{.ImportPath}} {{join .Imports " "}} {{join .TestImports " "}} {{join .XTestImports " "}}`, module+"...").CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	packages := 0
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		fields := strings.Fields(line)
		from, _, _ := strings.Cut(strings.TrimPrefix(fields[0], module), "/")
		allowed, ok := rooms[from]
		if !ok {
			t.Errorf("package %s is in none of the six folders", fields[0])
			continue
		}
		packages++
		for _, path := range fields[1:] {
			own, ok := strings.CutPrefix(path, module)
			if to, _, _ := strings.Cut(own, "/"); ok && !strings.Contains(" "+strings.Join(allowed, " ")+" ", " "+to+" ") {
				t.Errorf("%s imports %s: %s may import %s only", fields[0], path, from, strings.Join(allowed, ", "))
			}
		}
	}
	if packages < len(rooms) {
		t.Errorf("go list found %d packages, want at least one a folder", packages)
	}
}

// simulated lists what holds accident physics, the simulated world and its truth, and
// who may import each: whatever concludes, plans or expects is not among them.
var simulated = map[string][]string{
	"ontology/kitchen":  {"engine/simulation", "bridge/scenario", "bridge/bench", "bridge/pack", "cmd/mishap"},
	"engine/simulation": {"bridge/scenario", "bridge/bench", "cmd/mishap"},
	"bridge/scenario":   {"bridge/bench", "cmd/mishap"},
	"bridge/bench":      {"cmd/mishap"},
}

func TestReasonerCannotReachTheSimulation(t *testing.T) {
	const module = "github.com/mishap-robotics/mishap/"
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, module+"...").CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	used := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		fields := strings.Fields(line)
		from := strings.TrimPrefix(fields[0], module)
		for _, path := range fields[1:] {
			to := strings.TrimPrefix(path, module)
			if allowed, ok := simulated[to]; ok {
				used[to] = true
				if !slices.Contains(allowed, from) {
					t.Errorf("%s imports %s: only %s may", from, to, strings.Join(allowed, ", "))
				}
			}
		}
	}
	for room := range simulated {
		if !used[room] {
			t.Errorf("nobody imports %s; is it still there?", room)
		}
	}
}

// A host that imports the reasoner, and reads logs of this project's own form, has neither the
// store of memories nor its database in its binary.
func TestHostsPayForWhatTheyImport(t *testing.T) {
	const module = "github.com/mishap-robotics/mishap/"
	out, err := exec.Command("go", "list", "-deps", module+"engine", module+"bridge/logs/jsonl").CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	deps := strings.Fields(string(out))
	if !slices.Contains(deps, module+"engine") {
		t.Fatal("go list does not list the engine")
	}
	for _, d := range deps {
		for _, dear := range []string{module + "engine/memory", "modernc.org/", "github.com/cayleygraph/", "github.com/lib/pq", "github.com/ichiban/prolog"} {
			if strings.HasPrefix(d, dear) {
				t.Errorf("they import %s", d)
			}
		}
	}
}
