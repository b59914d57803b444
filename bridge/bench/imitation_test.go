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

// An imitation that errs always completes less than one that does not, and mishap advised by it
// as much as alone. What a prompt leaves out it does not know: without reasoning, or without what is
// perceived, it completes less.
func TestImitation(t *testing.T) {
	p, err := advice.LoadPrompts("")
	if err != nil {
		t.Fatal(err)
	}
	const (
		sgpr, blindly = "SGPR: the score triggers, the model reasons and replans", "SGPR without reasoning"
		loop, blind   = "RePlan's loop with a model", "RePlan without perceiver"
	)
	measure := func(rate float64, of func(*bench.Bench) (bench.RecoverySet, error), methods ...string) map[string]bench.RecoveryMethod {
		b := newBench(t, 1)
		b.Limit, b.Methods = bench.Size(0, 3), methods
		b.Imitation = &bench.Imitation{Rate: rate, Prompts: p}
		set, err := of(b)
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
		if len(out) != len(methods) {
			t.Errorf("%d methods, want %d", len(out), len(methods))
		}
		return out
	}
	proactive := func(b *bench.Bench) (bench.RecoverySet, error) {
		b.Limit = bench.Size(0, 3)
		return b.RecoverSuite(context.Background(), "Table A2", "replanning")
	}
	unknown := func(b *bench.Bench) (bench.RecoverySet, error) { return b.RecoverUnknown(context.Background(), 1) }
	right := measure(0, proactive, bench.Whole, bench.Advised, sgpr, blindly)
	wrong := measure(1, proactive, bench.Whole, bench.Advised, sgpr)
	if wrong[sgpr].Completed >= right[sgpr].Completed {
		t.Errorf("wrong answers complete %d, right ones %d", wrong[sgpr].Completed, right[sgpr].Completed)
	}
	if right[blindly].Completed > right[sgpr].Completed {
		t.Errorf("it completes %d without reasoning, only %d with it", right[blindly].Completed, right[sgpr].Completed)
	}
	for _, of := range []map[string]bench.RecoveryMethod{right, wrong} {
		if of[bench.Advised].Completed < of[bench.Whole].Completed {
			t.Errorf("advised it completes %d, alone %d", of[bench.Advised].Completed, of[bench.Whole].Completed)
		}
	}
	if m := measure(0, unknown, loop, blind); m[blind].Completed >= m[loop].Completed {
		t.Errorf("RePlan's loop completes %d without a perceiver, %d with one", m[blind].Completed, m[loop].Completed)
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
