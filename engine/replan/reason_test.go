package replan_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/engine/replan"
)

func TestConsolidate(t *testing.T) {
	bar := replan.Reason{Object: "Bar-1", Text: "it is before the door"}
	tests := []struct {
		name    string
		given   [][]replan.Reason
		kept    []replan.Reason
		dropped int
	}{
		{"nothing", nil, nil, 0},
		{"the one given oftener first", [][]replan.Reason{{{Object: "Apple-1", Text: "a"}}, {bar}, {bar}},
			[]replan.Reason{{Object: "Bar-1", Text: bar.Text, Votes: 2}, {Object: "Apple-1", Text: "a", Votes: 1}}, 0},
		{"one vote for each question", [][]replan.Reason{{bar, bar, bar}}, []replan.Reason{{Object: "Bar-1", Text: bar.Text, Votes: 1}}, 0},
		{"names that are not in the scene", [][]replan.Reason{{{Object: "the cupbord"}, {Object: "barr"}, {Object: "elephant"}}},
			[]replan.Reason{{Object: "Cabinet-1", Votes: 1}, {Object: "Bar-1", Votes: 1}}, 1},
		{"the robot", [][]replan.Reason{{{Object: "Robot-1"}, {Object: "palm"}, {Object: "robot arm"}, {Object: "left hand"}}}, nil, 4},
		{"at most two", [][]replan.Reason{{bar, {Object: "apple"}, {Object: "Mug-2"}}, {{Object: "Mug-2"}}},
			[]replan.Reason{{Object: "Mug-2", Votes: 2}, {Object: "Bar-1", Text: bar.Text, Votes: 1}}, 1},
	}
	for _, tt := range tests {
		kept, dropped := replan.Consolidate(tt.given, aKitchen)
		if diff := cmp.Diff(tt.kept, kept); diff != "" || len(dropped) != tt.dropped {
			t.Errorf("%s: dropped %v\n%s", tt.name, dropped, diff)
		}
	}
}

func TestConsolidateHolds(t *testing.T) {
	names := rapid.SampledFrom([]string{"Bar-1", "bar", "Apple-1", "aple", "Cabinet-1", "robot", "Robot-1", "palm", "Mug", "Mug-2", "elephant", "", "arm bar"})
	rapid.Check(t, func(t *rapid.T) {
		reason := rapid.Custom(func(t *rapid.T) replan.Reason {
			return replan.Reason{Object: names.Draw(t, "object"), Text: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "text")}
		})
		given := rapid.SliceOfN(rapid.SliceOfN(reason, 0, 5), 0, 6).Draw(t, "given")
		kept, dropped := replan.Consolidate(given, aKitchen)
		if len(kept) > replan.MaxReasons {
			t.Fatalf("%d reasons", len(kept))
		}
		for i, r := range kept {
			thing, ok := aKitchen.Find(r.Object)
			if !ok || thing.Robot || thing.Name != r.Object || r.Votes < 1 || r.Votes > len(given) {
				t.Fatalf("kept %+v", r)
			}
			if i > 0 && (kept[i-1].Votes < r.Votes || kept[i-1].Object == r.Object) {
				t.Fatalf("kept %+v", kept)
			}
		}
		all := slices.Concat(given...)
		if len(all) > 0 && len(kept)+len(dropped) == 0 {
			t.Fatal("reasons were lost")
		}
		for _, d := range dropped {
			if d.Why == "" {
				t.Fatalf("dropped %+v", d)
			}
		}
	})
}

func TestParaphrases(t *testing.T) {
	asked := map[string]bool{}
	for _, p := range replan.Paraphrases() {
		text := p.Ask(replan.Subtask{Text: "open the cabinet"})
		if p.Name == "" || asked[text] || !strings.Contains(text, "open the cabinet") || strings.Contains(text, "{") {
			t.Errorf("%s: %s", p.Name, text)
		}
		asked[text] = true
	}
}
