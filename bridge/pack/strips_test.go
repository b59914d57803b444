package pack_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/bridge/logs/problemplan"
)

// strips is a planning domain in a form of its own: what an action needs, ends and brings
// about, with names of its parameters, and the facts that there are, with the types of objects.
type strips struct {
	types   []string
	many    int // facts at the start, at the least
	facts   []string
	actions []string // "name params : needs : ends : brings about", facts with commas between
}

// Three domains as their packs have them, written apart from those.
var domains = map[string]strips{
	"lift": {
		types: []string{"passenger", "passenger", "passenger", "floor", "floor", "floor", "floor"}, many: 8,
		facts: []string{"origin passenger floor", "destin passenger floor", "above floor floor", "lift-at floor", "boarded passenger", "served passenger"},
		actions: []string{
			"board F P : lift-at F, origin P F : : boarded P",
			"depart F P : lift-at F, destin P F, boarded P : boarded P : served P",
			"up F G : lift-at F, above G F : lift-at F : lift-at G",
			"down F G : lift-at F, above F G : lift-at F : lift-at G",
		},
	},
	"nonce": {
		types: []string{"wug", "wug", "wug"}, many: 10,
		facts: []string{"quib", "blick wug", "fep wug wug", "zorp wug wug wug", "mib wug wug wug", "wem wug wug wug wug"},
		actions: []string{
			"plon : : : quib",
			"tove A : quib : quib : blick A",
			"glim A B C : zorp A B C, blick A : zorp A B C : fep B A, quib",
			"snar A B C D : mib A B C, mib A C D, fep B A : fep B A, blick C : zorp A C D, zorp D A B, mib B A D",
			"drix A B C D : wem A B C D, mib A B C : wem A B C D : wem D C B A, fep B C",
		},
	},
	"rover": {
		types: []string{"rover", "rover", "waypoint", "waypoint", "waypoint", "store", "camera", "mode", "mode", "objective", "lander"}, many: 20,
		facts: []string{"at rover waypoint", "at_lander lander waypoint", "can_traverse rover waypoint waypoint", "visible waypoint waypoint", "visible_from objective waypoint",
			"store_of store rover", "on_board camera rover", "supports camera mode", "calibration_target camera objective", "calibrated camera rover", "have_soil rover waypoint",
			"have_image rover objective mode", "communicated_image objective mode", "empty store", "full store", "at_soil waypoint", "communicated_soil waypoint"},
		actions: []string{
			"navigate R F T : can_traverse R F T, at R F, visible F T : at R F : at R T",
			"sample_soil R S P : at R P, at_soil P, store_of S R, empty S : empty S, at_soil P : full S, have_soil R P",
			"drop R S : store_of S R, full S : full S : empty S",
			"calibrate R C O P : calibration_target C O, at R P, visible_from O P, on_board C R : : calibrated C R",
			"take_image R P O C M : calibrated C R, on_board C R, supports C M, visible_from O P, at R P : calibrated C R : have_image R O M",
			"communicate_soil R L P F T : at R F, at_lander L T, have_soil R P, visible F T : : communicated_soil P",
			"communicate_image R L O M F T : at R F, at_lander L T, have_image R O M, visible F T : : communicated_image O M",
		},
	},
}

// ground puts objects for the parameters of a list of facts.
func ground(list string, with map[string]string) []string {
	var out []string
	for fact := range strings.SplitSeq(list, ",") {
		words := strings.Fields(fact)
		for i, w := range words[min(1, len(words)):] {
			words[i+1] = with[w]
		}
		if len(words) > 0 {
			out = append(out, strings.Join(words, " "))
		}
	}
	return out
}

// drawn is a problem with a plan, and what is to be said of that.
type drawn struct {
	init, goal, plan []string
	objects          map[string]string
	step             int
	unmet            []string
}

// draw draws a problem of a domain and a plan that mostly goes on as far as it can.
func (d strips) draw(r *rand.Rand) drawn {
	out := drawn{objects: map[string]string{}, plan: []string{}}
	byType := map[string][]string{}
	for i, class := range d.types {
		name := fmt.Sprintf("%c%d", 'a'+r.IntN(26), i)
		out.objects[name] = class
		byType[class] = append(byType[class], name)
	}
	names := slices.Sorted(func(yield func(string) bool) {
		for n := range out.objects {
			if !yield(n) {
				return
			}
		}
	})
	any := func() string { return names[r.IntN(len(names))] }
	some := func() string {
		words := strings.Fields(d.facts[r.IntN(len(d.facts))])
		for i, class := range words[1:] {
			words[i+1] = byType[class][r.IntN(len(byType[class]))]
		}
		return strings.Join(words, " ")
	}
	now := map[string]bool{}
	for range d.many + r.IntN(4*d.many) {
		now[some()] = true
	}
	for f := range now {
		out.init = append(out.init, f)
	}
	slices.Sort(out.init)
	for range r.IntN(7) {
		out.apply(d, r, now, any)
	}
	for range r.IntN(3) {
		out.goal = append(out.goal, some())
	}
	for f := range now {
		if len(out.goal) < 3 {
			out.goal = append(out.goal, f)
		}
	}
	slices.Sort(out.goal)
	out.goal = slices.Compact(out.goal)
	if out.step > 0 {
		return out
	}
	for _, g := range out.goal {
		if !now[g] {
			out.step, out.unmet = len(out.plan)+1, append(out.unmet, g)
		}
	}
	return out
}

// apply adds an action to the plan, seldom one that is not possible.
func (p *drawn) apply(d strips, r *rand.Rand, now map[string]bool, any func() string) {
	careless := r.IntN(10) == 0
	for range 200 {
		parts := strings.Split(d.actions[r.IntN(len(d.actions))], ":")
		head, with := strings.Fields(parts[0]), map[string]string{}
		words := head[:1:1]
		for _, name := range head[1:] {
			with[name] = any()
			words = append(words, with[name])
		}
		var unmet []string
		for _, f := range ground(parts[1], with) {
			if !now[f] {
				unmet = append(unmet, f)
			}
		}
		if len(unmet) > 0 && !careless {
			continue
		}
		p.plan = append(p.plan, "("+strings.Join(words, " ")+")")
		if len(unmet) > 0 && p.step == 0 {
			p.step, p.unmet = len(p.plan), unmet
		}
		for _, f := range ground(parts[2], with) {
			delete(now, f)
		}
		for _, f := range ground(parts[3], with) {
			now[f] = true
		}
		return
	}
}

// TestAgainstSTRIPS compares what is said of drawn plans with a simulator that knows nothing
// of packs: the verdict, the step, and all that is unmet there.
func TestAgainstSTRIPS(t *testing.T) {
	times := 150
	if os.Getenv("MISHAP_LONG") != "" {
		times = 5000
	}
	for name, d := range domains {
		t.Run(name, func(t *testing.T) {
			re, _ := reasoner(t, packs+name)
			r := rand.New(rand.NewPCG(23, 1))
			valid, stopped := 0, 0
			for i := range times {
				want := d.draw(r)
				facts := func(list []string) [][]string {
					out := [][]string{}
					for _, f := range list {
						out = append(out, strings.Fields(f))
					}
					return out
				}
				row, err := json.Marshal(map[string]any{"domain": name, "instance": i, "init": facts(want.init), "goal": facts(want.goal), "objects": want.objects, "actions": want.plan})
				if err != nil {
					t.Fatal(err)
				}
				episodes, err := problemplan.Read(re.Ontology, "plans.jsonl", strings.NewReader(string(row)))
				if err != nil {
					t.Fatal(err)
				}
				got := judge(t, re, episodes[0])
				var unmet []string
				for _, f := range want.unmet {
					unmet = append(unmet, fmt.Sprintf("unmet(%d, %s)", want.step, strings.Join(strings.Fields(f), ", ")))
				}
				slices.Sort(unmet)
				if got.step != want.step || !slices.Equal(got.unmet, slices.Compact(unmet)) {
					t.Fatalf("%s\nstep %d, %q; expected %d, %q", row, got.step, got.unmet, want.step, unmet)
				}
				switch {
				case want.step == 0:
					valid++
				case want.step <= len(want.plan):
					stopped++
				}
			}
			t.Logf("%d plans: %d valid, %d stopped, %d short of the goal", times, valid, stopped, times-valid-stopped)
			if min(valid, stopped, times-valid-stopped) < times/20 {
				t.Error("the draw is one-sided")
			}
		})
	}
}
