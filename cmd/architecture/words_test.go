package main

import (
	"maps"
	"regexp"
	"slices"
	"testing"
)

// insteadOf has, for words that once stood for an idea of the glossary, the word that
// does. Names of facts, JSON fields and prompts that others rely on keep theirs.
var insteadOf = []struct{ old, now string }{
	{`Mend`, "repair"}, {`Breach`, "violated"}, {`Remed`, "recovery"}, {`Correction`, "recovery"},
	{`Forewarn|Forecast|Prospect`, "foresee, threat"}, {`Ahead`, "projection"}, {`Circle`, "strongly connected component"},
	{`Course`, "run"}, {`Meant`, "expected"}, {`Memoryless|Forgetful`, "observations only"}, {`Befall|Befell|Befel`, "accident"},
	{`Alone`, "baseline"}, {`Pursuit`, "goal"},
}

// TestOneWordForEachIdea looks through the names that packages export.
func TestOneWordForEachIdea(t *testing.T) {
	lookAt(t, "../..")
	declared := declarations(t)
	for _, pkg := range slices.Sorted(maps.Keys(declared)) {
		for _, name := range slices.Sorted(maps.Keys(declared[pkg])) {
			for _, w := range insteadOf {
				if regexp.MustCompile(`(^|[a-z.])(`+w.old+`)`).MatchString(name) && exported(name) {
					t.Errorf("%s.%s: the glossary of ARCHITECTURE.md has %s for that", pkg, name, w.now)
				}
			}
		}
	}
}

// exported reports whether a name, or a Type.Name, can be used by other packages.
func exported(name string) bool {
	return regexp.MustCompile(`^[A-Z]\w*(\.[A-Z]\w*)?$`).MatchString(name)
}
