package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// NOTICE has the licence of every module that is linked into the command.
func TestNotice(t *testing.T) {
	notice, err := os.ReadFile(filepath.Join("..", "..", "NOTICE"))
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	modules := strings.Fields(string(out))
	slices.Sort(modules)
	for _, m := range slices.Compact(modules) {
		if !strings.Contains(string(notice), "\n"+m+"\n====") {
			t.Errorf("NOTICE lacks the licence of %s", m)
		}
	}
	for _, origin := range []string{"Sun", "Cephes", "Oxford"} { // of code that gonum took over
		if !strings.Contains(string(notice), "\nCode in gonum.org/v1/gonum: "+origin+"\n") {
			t.Errorf("NOTICE lacks the licence of %s in gonum", origin)
		}
	}
	if len(modules) < 10 {
		t.Errorf("the command is linked with %d packages of modules: this test shows nothing", len(modules))
	}
}
