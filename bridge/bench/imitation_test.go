package bench_test

import (
	"bytes"
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/bridge/advice"
	"github.com/mishap-robotics/mishap/bridge/bench"
)

// An imitation that does not err completes by what the papers do with a model; one that errs
// always does so less, and mishap advised by it completes as much as mishap alone.
func TestImitation(t *testing.T) {
	p, err := advice.LoadPrompts("")
	if err != nil {
		t.Fatal(err)
	}
	const decides, sgpr = "RECOVER, strategies given, the model decides", "SGPR: the score triggers, the model reasons and replans"
	measure := func(rate float64) map[string]bench.RecoveryMethod {
		b := newBench(t, 1)
		b.Limit = bench.Size(0, 4)
		b.Methods = []string{bench.Whole, bench.Advised, decides, sgpr, "SDA with nodes by a model", "REFLECT without progressive explanation"}
		b.Imitation = &bench.Imitation{Rate: rate, Prompts: p}
		set, err := b.RecoverSuite(context.Background(), "Table A2", "replanning")
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(set.Imitation, "imitation, erring in ") {
			t.Errorf("the set does not say that it is one of an imitation: %q", set.Imitation)
		}
		out := map[string]bench.RecoveryMethod{}
		for _, m := range set.Methods {
			if out[m.Name] = m; m.Errors > 0 {
				t.Errorf("%s: %s", m.Name, strings.Join(m.Missed, "\n"))
			}
		}
		if len(out) != len(b.Methods) {
			t.Errorf("%d methods, want %d", len(out), len(b.Methods))
		}
		return out
	}
	right, wrong := measure(0), measure(1)
	if m := right[sgpr]; m.Completed != m.Episodes || m.Advice == nil || m.Advice.Calls == 0 {
		t.Errorf("with right answers the score's plans complete %d of %d: %s", m.Completed, m.Episodes, strings.Join(m.Missed, "\n"))
	}
	if wrong[sgpr].Completed >= right[sgpr].Completed {
		t.Errorf("wrong answers complete %d, right ones %d", wrong[sgpr].Completed, right[sgpr].Completed)
	}
	for _, of := range []map[string]bench.RecoveryMethod{right, wrong} {
		if of[bench.Advised].Completed < of[bench.Whole].Completed {
			t.Errorf("advised it completes %d, alone %d", of[bench.Advised].Completed, of[bench.Whole].Completed)
		}
	}
}

func TestImitationRate(t *testing.T) {
	for _, rate := range []float64{0, 0.2, 1} {
		if err := (&bench.Imitation{Rate: rate}).CheckRate(); err != nil {
			t.Error(err)
		}
	}
	for _, rate := range []float64{-0.1, 1.1, math.NaN(), math.Inf(1)} {
		if (&bench.Imitation{Rate: rate}).CheckRate() == nil {
			t.Errorf("rate %v was taken", rate)
		}
	}
}

// The first line of a table of an imitation says so.
func TestRenderImitation(t *testing.T) {
	r := &bench.Recover{Version: "v1.2.3", Go: "go1.26", Imitated: true, Sets: []bench.RecoverySet{{Name: "x", Imitation: "imitation, erring in 20.0 % of answers"}}}
	var b bytes.Buffer
	if err := r.Text(&b); err != nil {
		t.Fatal(err)
	}
	lines := slices.Collect(strings.Lines(b.String()))
	if !strings.Contains(lines[0], "IMITATION") || !strings.Contains(b.String(), "By an imitation of a model (imitation, erring in 20.0 % of answers), x:") {
		t.Errorf("%s", b.String())
	}
}
