package rules_test

import (
	"testing"
	"testing/fstest"

	"github.com/mishap-robotics/mishap/rules"
)

// A host embeds rules of its own with their tests.
func TestReadFS(t *testing.T) {
	const rule = "failure('DirtyObjFailure', S, S, [O]) :- target(S, O)."
	pack := fstest.MapFS{"rules/own.pl": {Data: []byte(rule)}, "rules/own.test": {Data: []byte("test")}, "bare/own.pl": {Data: []byte(rule)}}
	for _, place := range []string{"rules", "rules/own.pl"} {
		docs, err := rules.ReadFS(pack, place)
		if err != nil || len(docs) != 1 || docs[0].Name != "rules/own.pl" {
			t.Errorf("%s: %v, error %v", place, docs, err)
		}
		if p, err := rules.Load(docs); err != nil || len(p.Clauses) != 1 {
			t.Errorf("%s: error %v", place, err)
		}
		tests, err := rules.ReadTestsFS(pack, place)
		if err != nil || len(tests) != 1 || tests[0].Name != "rules/own.test" {
			t.Errorf("%s: tests %v, error %v", place, tests, err)
		}
	}
	for _, place := range []string{"bare", "bare/own.pl"} {
		if tests, err := rules.ReadTestsFS(pack, place); err != nil || len(tests) > 0 {
			t.Errorf("%s: tests %v, error %v", place, tests, err)
		}
	}
	if _, err := rules.ReadFS(pack, "nowhere"); err == nil {
		t.Error("rules were found nowhere")
	}
}
