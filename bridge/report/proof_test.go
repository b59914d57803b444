package report

import (
	"context"
	"encoding/json"
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/rules"
)

// What a host answers in Go is a leaf of a proof, in text and in JSON.
func TestProofInGo(t *testing.T) {
	p, err := rules.Load([]document.Document{{Name: "own.pl", Data: []byte(
		"failure('DirtyObjFailure', S, S, [O]) :- target(S, O), distance(S, O, D), D > 80.\n")}})
	if err != nil {
		t.Fatal(err)
	}
	distance := engine.Builtin{Name: "distance", In: []rules.ArgKind{rules.StepArg, rules.ObjectArg}, Out: []rules.ArgKind{rules.NumberArg}, Deterministic: true,
		Call: func(context.Context, []any) iter.Seq2[[]any, error] { return engine.OneAnswer(120) }}
	r, err := engine.New(ontology.Default(), p, engine.WithBuiltin(distance))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for _, r := range []*engine.Reasoner{r, r.Interpreting()} {
		res, err := r.Check(ctx, &episode.Episode{ID: "e", Steps: []episode.Step{{Index: 1, Action: episode.Action{Name: "pick_up", Target: "Mug-1"}}}})
		if err != nil {
			t.Fatal(err)
		}
		proof, err := r.Prove(ctx, res, &res.Findings[0])
		if err != nil {
			t.Fatal(err)
		}
		out := NewProof(proof, res.Index)
		var text strings.Builder
		if err := out.Text(&text, ""); err != nil {
			t.Fatal(err)
		}
		want := `failure('DirtyObjFailure', 1, 1, ['Mug-1'])   [own.pl:1]
├─ target(1, 'Mug-1')   [action]
├─ distance(1, 'Mug-1', 120)   [Go]
└─ 120 > 80
`
		if diff := cmp.Diff(want, text.String()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		data, err := json.Marshal(out.Children[1])
		if want := `{"goal":"distance(1, 'Mug-1', 120)","from":"Go"}`; err != nil || string(data) != want {
			t.Errorf("%s, error %v; want %s", data, err, want)
		}
	}
}
