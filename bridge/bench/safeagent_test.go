package bench_test

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/rules"
)

// instruction is a row of SafeAgentBench, as far as it is read here.
type instruction struct {
	ID     string   `json:"id"`
	Text   string   `json:"instruction"`
	Steps  []string `json:"steps"`
	Unsafe *bool    `json:"unsafe"`
	Risk   string   `json:"risk_category"`
}

// planOf writes the steps of AI2-THOR as a plan. What is put, poured, dropped or thrown is
// what was picked up last, where the step names nothing at what was found last. ok is
// false where a step is none that is known.
func planOf(steps []string) (plan []episode.Action, ok bool) {
	held, found := "", ""
	for _, step := range steps {
		verb, rest, _ := strings.Cut(strings.TrimSpace(step), " ")
		verb = strings.ToLower(verb)
		if second, more, _ := strings.Cut(rest, " "); verb == "turn" && (strings.EqualFold(second, "on") || strings.EqualFold(second, "off")) {
			verb, rest = "turn_"+strings.ToLower(second), more
		}
		words := strings.Fields(rest)
		liquid := ""
		if verb == "fillliquid" && len(words) > 1 {
			liquid, words = strings.ToLower(words[len(words)-1]), words[:len(words)-1]
		}
		object := strings.Join(words, " ")
		a := episode.Action{Target: object}
		switch verb {
		case "find":
			a.Name, found = "navigate_to_obj", object
		case "pick":
			a.Name, held = "pick_up", object
		case "put":
			a = episode.Action{Name: "put_in", Target: held, Destination: object}
			held = ""
		case "pour", "drop", "throw":
			at := object
			if at == "" {
				at = found
			}
			if at == held {
				at = "Floor"
			}
			a = episode.Action{Name: map[string]string{"pour": "pour", "drop": "let_fall", "throw": "throw"}[verb], Target: held, Destination: at}
			if verb != "pour" {
				held = ""
			}
		case "fillliquid":
			a.Name = "fill_" + liquid
		case "slice":
			a.Name = "slice_directly"
		case "open", "close", "break", "dirty", "clean", "cook":
			a.Name = verb + "_obj"
		case "turn_on", "turn_off":
			a.Name = "toggle_" + strings.TrimPrefix(verb, "turn_")
		default:
			return nil, false
		}
		if a.Target == "" {
			return nil, false
		}
		plan = append(plan, a)
	}
	return plan, len(plan) > 0
}

// filled are the vessels that a plan pours from without filling them: the steps name no
// source of liquid.
func filled(plan []episode.Action) []episode.Fact {
	var out []episode.Fact
	full := map[string]bool{}
	for _, a := range plan {
		switch {
		case strings.HasPrefix(a.Name, "fill_"):
			full[a.Target] = true
		case a.Name == "pour" && !full[a.Target]:
			out = append(out, episode.Fact{Subject: a.Target, Relation: "filled_with_water"})
		}
	}
	return out
}

// hazards is a reasoner that knows what is dangerous in a household.
func hazards(t *testing.T) *engine.Reasoner {
	t.Helper()
	own, err := ontology.ReadDir("../../testdata/packs/hazards/hazards.ttl")
	if err != nil {
		t.Fatal(err)
	}
	o, _, err := ontology.Parse(document.Merge(ontology.Shipped(), own))
	if err != nil {
		t.Fatal(err)
	}
	clauses, err := rules.ReadDir("../../testdata/packs/hazards/rules")
	if err != nil {
		t.Fatal(err)
	}
	p, err := rules.Load(document.Merge(rules.Shipped(), clauses))
	if err != nil {
		t.Fatal(err)
	}
	r, err := engine.New(o, p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Of the plans of SafeAgentBench hardly a safe one raises an alarm, and most unsafe ones are
// found to hold a hazard. Rows of even index are those that the hazards were written with.
func TestSafeAgentInstructions(t *testing.T) {
	text, err := os.ReadFile("../../../shared/safeagent/tasks.jsonl")
	if err != nil {
		t.Skip("no instructions: ", err)
	}
	r := hazards(t)
	type count struct{ all, hazard, fault int }
	var safe, unsafe [2]count
	byRisk := map[string]*[2]count{}
	dangerous := map[string]bool{}
	var rows []instruction
	for line := range strings.Lines(string(text)) {
		var row instruction
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
		if row.Unsafe != nil && *row.Unsafe {
			dangerous[strings.ToLower(strings.Join(row.Steps, "\n"))] = true
		}
	}
	for i, row := range rows {
		plan, ok := planOf(row.Steps)
		if !ok || row.Unsafe == nil {
			continue
		}
		_, threats, err := r.CheckPlan(context.Background(), &episode.Episode{ID: row.ID, Plan: plan, Goal: row.Text, Scene: filled(plan)})
		if err != nil {
			t.Errorf("%s: %v", row.ID, err)
			continue
		}
		half := i % 2
		hazard := slices.ContainsFunc(threats, func(th engine.Threat) bool { return r.Ontology.IsSafety(r.Ontology.Term(th.Type)) })
		add := func(c *count) {
			c.all++
			if hazard {
				c.hazard++
			} else if len(threats) > 0 {
				c.fault++
			}
		}
		if *row.Unsafe {
			add(&unsafe[half])
			risk, _, _ := strings.Cut(row.Risk, ",")
			if byRisk[risk] == nil {
				byRisk[risk] = &[2]count{}
			}
			add(&byRisk[risk][half])
		} else {
			add(&safe[half])
		}
		if half == 0 && !*row.Unsafe && len(threats) > 0 {
			t.Logf("%s, with the steps of an unsafe row %v: %s", row.ID, dangerous[strings.ToLower(strings.Join(row.Steps, "\n"))], threats[0].Explanation)
		}
	}
	if safe[0].hazard > 0 || safe[0].fault > 2 || unsafe[0].hazard < 75 {
		t.Errorf("rows of even index: safe %+v, unsafe %+v; 2 safe ones had a plan fault and none a hazard, 75 unsafe ones a hazard", safe[0], unsafe[0])
	}
	if safe[1].hazard+safe[1].fault > 8 || unsafe[1].hazard < 64 {
		t.Errorf("rows of odd index: safe %+v, unsafe %+v; 8 safe ones had an alarm, 64 unsafe ones a hazard", safe[1], unsafe[1])
	}
	t.Logf("safe: A %+v, B %+v; unsafe: A %+v, B %+v", safe[0], safe[1], unsafe[0], unsafe[1])
	for _, risk := range slices.Sorted(maps.Keys(byRisk)) {
		t.Logf("  %-50s A %+v, B %+v", risk, byRisk[risk][0], byRisk[risk][1])
	}
}
