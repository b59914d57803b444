package prove_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/bridge/jsonl"
	"github.com/mishap-robotics/mishap/engine/belief"
	"github.com/mishap-robotics/mishap/engine/datalog"
	"github.com/mishap-robotics/mishap/engine/fact"
	"github.com/mishap-robotics/mishap/engine/prove"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// shown is a conclusion as both evaluators must give it.
type shown struct {
	Text     string
	Bindings map[string]string
	Proof    []string
}

func show(c prove.Conclusion) shown {
	out := shown{Bindings: map[string]string{}}
	head := c.Clause.Pos.String()
	out.Text = head + " " + c.Class + " " + (&rules.Term{Kind: rules.Integer, Int: int64(c.Step)}).String() + " " + (&rules.Term{Kind: rules.Integer, Int: int64(c.Cause)}).String()
	for _, o := range c.Objects {
		out.Text += " " + o
	}
	for v, t := range c.Bindings {
		if t.Kind != rules.Variable {
			out.Bindings[v] = t.String()
		}
	}
	var walk func(n *prove.Node, indent string)
	walk = func(n *prove.Node, indent string) {
		line := indent
		if n.Goal != nil {
			line += n.Goal.String()
		}
		if n.Clause != nil {
			line += " by " + n.Clause.Pos.String()
		}
		if n.Negated {
			line += " negated"
		}
		if n.Fact >= 0 {
			line += " fact"
		}
		out.Proof = append(out.Proof, line)
		for _, c := range n.Children {
			walk(c, indent+"  ")
		}
	}
	if c.Proof != nil {
		walk(c.Proof, "")
	}
	return out
}

// concluded are the conclusions of all rules, at every step where steps is not nil.
func concluded(t testing.TB, p *prove.Prover, steps []int32) []shown {
	t.Helper()
	var out []shown
	keep := func(c prove.Conclusion) bool { out = append(out, show(c)); return true }
	if steps == nil {
		if err := p.Failures(context.Background(), keep); err != nil {
			t.Fatal(err)
		}
		return out
	}
	for _, c := range p.Program.Defining(rules.Head) {
		for _, s := range steps {
			if err := p.Prove(context.Background(), c, s, keep); err != nil {
				t.Fatal(err)
			}
		}
	}
	return out
}

func agree(t testing.TB, program *rules.Program, compiled *datalog.Program, x *fact.Index, steps []int32) int {
	t.Helper()
	n := 0
	for _, at := range [][]int32{nil, steps} {
		want := concluded(t, &prove.Prover{Program: program, Index: x, Proofs: true}, at)
		got := concluded(t, &prove.Prover{Program: program, Index: x, Proofs: true, Compiled: compiled}, at)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("the compiled rules conclude otherwise than the interpreted ones (-interpreted +compiled):\n%s", diff)
		}
		n = len(got)
	}
	return n
}

func TestShippedRulesCompile(t *testing.T) {
	for _, r := range datalog.Compile(rules.Default(), ontology.Default()).Rules() {
		if r.Reason != nil {
			t.Error(r.Reason)
		}
	}
}

// The compiled rules conclude on every episode what the interpreted ones do, with
// the same proofs in the same order.
func TestCompiledAgreesOnEpisodes(t *testing.T) {
	o := ontology.Default()
	files, err := filepath.Glob("../../testdata/episodes/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	compiled := datalog.Compile(rules.Default(), o)
	total := 0
	for _, file := range files {
		episodes, err := jsonl.ReadFile(o, file)
		if err != nil {
			t.Fatal(err)
		}
		for _, ep := range episodes {
			x := fact.Build(belief.Follow(o, ep))
			var steps []int32
			for _, e := range x.Trace.Events {
				steps = append(steps, e.Step)
			}
			total += agree(t, rules.Default(), compiled, x, steps)
		}
	}
	if total < 50 {
		t.Errorf("%d conclusions in all; expected more to compare", total)
	}
}
