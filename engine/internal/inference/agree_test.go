package inference_test

import (
	"testing"

	"github.com/mishap-robotics/mishap/engine/internal/inference/datalog"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

func TestShippedRulesCompile(t *testing.T) {
	for _, r := range datalog.Compile(rules.Default(), ontology.Default()).Rules() {
		if r.Reason != nil {
			t.Error(r.Reason)
		}
	}
}
