package main

import (
	"os/exec"
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

// reasoning lists the packages that conclude, plan and expect: none of them may
// get at accident physics, the simulated world or its truth.
var reasoning = []string{"rules", "ontology", "engine", "engine/belief", "engine/diagnose", "engine/episode", "engine/fact", "engine/hierarchy", "engine/perception",
	"engine/plan", "engine/prove", "engine/recovery", "engine/state", "engine/store", "bridge/report", "bridge/jsonl", "bridge/source",
	"bridge/advice", "bridge/model"}

func TestReasonerCannotReachTheSimulation(t *testing.T) {
	const module = "github.com/mishap-robotics/mishap/"
	for _, pkg := range reasoning {
		out, err := exec.Command("go", "list", "-deps", module+pkg).CombinedOutput()
		if err != nil {
			t.Fatalf("go list %s: %v\n%s", pkg, err, out)
		}
		for _, dep := range strings.Fields(string(out)) {
			for _, forbidden := range []string{"ontology/simulation", "engine/world", "bridge/bench", "bridge/scenario"} {
				if dep == module+forbidden {
					t.Errorf("%s depends on %s", pkg, forbidden)
				}
			}
		}
	}
}
