package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/rules"
)

// proposal has something in each field.
func proposal() *engine.Proposal {
	return &engine.Proposal{
		Steps: []engine.ProposalStep{{}, {From: "look", Finds: &engine.LookResult{Text: "Egg-1 inside Fridge-1"}}},
		Plan:  []episode.Action{{Name: "open_obj", Target: "Fridge-1"}, {Name: "observe", Target: "Egg-1"}}, Method: engine.MethodNearest,
		Diagnosis:  &engine.PlanDiagnosis{Kind: "dependency", Err: 4, Unmet: "it is not in the gripper", Source: 3, Start: 2, End: 5},
		Strategies: []engine.StrategyUse{{Strategy: "PickUpAgain", Applied: true}, {Strategy: "AskForHelp", Why: "it needs a person", AsksHuman: true}},
		Impossible: []string{"Egg-1 clean: nothing brings about Egg-1 clean"}, Unmet: []string{"Egg-1 clean"}, Violated: []string{"the shards are still about."},
		Assumptions: []string{"Egg-1 inside Fridge-1", "not Egg-1 broken"}, NeedsPerson: []string{"Ask a person."}, Exhausted: true,
	}
}

func TestRecoveryText(t *testing.T) {
	r := NewRecovery(proposal())
	var b strings.Builder
	r.text(&b, Style{}, recoveryLabels, true)
	want := `    recovery: not verified, as much as can be reached, with strategy PickUpAgain
              (open_obj, Fridge-1) (observe, Egg-1)
    why not:  The goal cannot be reached: Egg-1 clean: nothing brings about Egg-1 clean.
    why not:  The shards are still about.
    why not:  The search hit its bound; there may be a plan.
    looks:    (observe, Egg-1) is to find: Egg-1 inside Fridge-1
    assumes:  not Egg-1 broken
    person:   Ask a person.
    window:   dependency error at action 4: it is not in the gripper; since action 3; window actions 2 to 5
    strategy: PickUpAgain, applied
    strategy: AskForHelp, not applied: it needs a person
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

func TestRecoveryVerdicts(t *testing.T) {
	one := []episode.Action{{Name: "open_obj", Target: "Fridge-1"}}
	tests := []struct {
		name string
		p    *engine.Proposal
		want string
	}{
		{"nothing is left", nil, "nothing is left to do"},
		{"nothing to do", &engine.Proposal{Verified: true}, "nothing is left to do"},
		{"by strategy", &engine.Proposal{Verified: true, Plan: one, Method: engine.MethodStrategy, Strategies: []engine.StrategyUse{{Strategy: "TryAgain", Applied: true}}}, "verified, by strategy TryAgain"},
		{"with strategies", &engine.Proposal{Verified: true, Plan: one, Method: engine.MethodRepair, Strategies: []engine.StrategyUse{{Strategy: "A", Applied: true}, {Strategy: "B", Applied: true}}},
			"verified, by repair of the rest of the plan, with strategy A and B"},
		{"no plan", &engine.Proposal{}, "not verified, and nothing more can be done"},
		{"a method that has no words", &engine.Proposal{Verified: true, Plan: one, Method: "luck"}, "verified, luck"},
	}
	for _, tt := range tests {
		r := NewRecovery(tt.p)
		if got := r.verdict(Style{}); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if r.Verified != (len(r.Reasons) == 0) {
			t.Errorf("%s: verified %v, with reasons %q", tt.name, r.Verified, r.Reasons)
		}
	}
}

// Where rules did not come to an end there are findings without a plan, and where
// there is no goal no plan is verified.
func TestRecoveriesUnmet(t *testing.T) {
	finding := engine.Finding{Type: "DroppingObjFailure", Clause: &rules.Clause{}}
	result := func(found ...engine.Finding) *engine.Result {
		return &engine.Result{Episode: &episode.Episode{ID: "e"}, Trace: &engine.Trace{}, Findings: found}
	}
	tests := []struct {
		name     string
		m        engine.EpisodeRecovery
		verified bool
		reasons  []string // of the first finding
	}{
		{"no plan was made", engine.EpisodeRecovery{Result: result(finding)}, false, []string{"No plan was found."}},
		{"no goal", engine.EpisodeRecovery{Result: result(finding), Plans: []*engine.Proposal{proposal()}, Goalless: true}, false, []string{"The episode states no goal."}},
		{"no goal, nothing wrong", engine.EpisodeRecovery{Result: result(), Final: proposal(), Goalless: true}, true, nil},
		{"the end cannot be mended", engine.EpisodeRecovery{Result: result(), Final: proposal()}, false, nil},
	}
	for _, tt := range tests {
		e := NewEpisodeRecovery(&tt.m)
		if e.AllVerified() != tt.verified {
			t.Errorf("%s: all verified %v", tt.name, e.AllVerified())
		}
		if len(e.Findings) > 0 {
			if diff := cmp.Diff(tt.reasons, e.Findings[0].Reasons); diff != "" {
				t.Errorf("%s: reasons (-want +got):\n%s", tt.name, diff)
			}
		}
		if warned := len(e.Warnings) > 0; warned != tt.m.Goalless {
			t.Errorf("%s: warnings %v", tt.name, e.Warnings)
		}
	}
}

func TestWrapped(t *testing.T) {
	long := strings.Repeat("x", lineWidth)
	tests := []struct {
		name  string
		items []string
		want  string
	}{
		{"nothing", nil, ""},
		{"a line", []string{"a", "b"}, "  a b"},
		{"one that is too long for any line", []string{"a", long, "b"}, "  a\n  " + long + "\n  b"},
		{"up to the width", []string{long[:lineWidth-4], "b", "c"}, "  " + long[:lineWidth-4] + " b\n  c"},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, wrapped("  ", tt.items)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// A finding without a proof, such as one that a window has forgotten, is reported so.
func TestNoProof(t *testing.T) {
	if p := NewProof(nil, nil); p.Goal != "no proof" || len(p.Children) > 0 {
		t.Errorf("proof %+v", p)
	}
}
