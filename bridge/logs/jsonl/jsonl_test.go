package jsonl_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/bridge/logs/jsonl"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/language"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

func read(text string) ([]*episode.Episode, error) {
	return jsonl.Read(ontology.Default(), "t.jsonl", strings.NewReader(text))
}

func TestRead(t *testing.T) {
	eps, err := read(`{"mishap":1,"id":"a","task":"make coffee","goal":"coffee","goal_conditions":[["Mug","clean"],["Mug","inside","Sink"]],"params":{"x":"Mug"},"people":[{"name":"Ann","diets":["vegan"],"dislikes":["Egg"]}],"scene":[["Mug-1","dirty"]],"plan":["(pick_up, Mug)","(put, Mug, Sink)"]}
{"step":0,"observation":{"complete":true,"nodes":[{"id":"Mug-1","class":"Mug","states":["dirty"],"properties":["glass"]}]}}
{"step":4,"time":"00:10","action":"(open, Fridge)","agent":"Robot-2","sounds":["fridge opens"]}
{"mishap":1,"id":"b"}
{"step":1,"action":"(observe)","observation":{}}
`)
	if err != nil {
		t.Fatal(err)
	}
	want := []*episode.Episode{
		{
			ID: "a", Source: "t.jsonl", Task: "make coffee", Goal: "coffee", GoalLine: 1, Params: map[string]string{"x": "Mug"},
			GoalFacts: []episode.Fact{{Subject: "Mug", Relation: "clean", Line: 1}, {Subject: "Mug", Relation: "inside", Object: "Sink", Line: 1}},
			People:    []episode.Person{{Name: "Ann", Diets: []string{"vegan"}, Dislikes: []string{"Egg"}}},
			Scene:     []episode.Fact{{Subject: "Mug-1", Relation: "dirty", Line: 1}},
			Plan:      []episode.Action{{Name: "pick_up", Target: "Mug"}, {Name: "put_in", Target: "Mug", Destination: "Sink"}},
			Steps: []episode.Step{
				{Index: 0, Line: 2, Observation: episode.Observation{Complete: true, Graph: scene.Graph{Nodes: []scene.Node{{ID: "Mug-1", Class: "Mug", States: []string{"dirty"}, Properties: []string{"glass"}}}}}},
				{Index: 4, Line: 3, Time: "00:10", Action: episode.Action{Name: "open_obj", Target: "Fridge"}, Agent: "Robot-2", Sounds: []string{"fridge opens"}, Observation: episode.Observation{Missing: true}},
			},
		},
		{ID: "b", Source: "t.jsonl", Steps: []episode.Step{{Index: 1, Line: 5, Action: episode.Action{Name: "observe"}}}},
	}
	if diff := cmp.Diff(want, eps, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(episode.Episode{}, "Lines")); diff != "" {
		t.Errorf("episodes (-want +got):\n%s", diff)
	}
}

func TestReadErrors(t *testing.T) {
	const header = `{"mishap":1,"id":"a"}` + "\n"
	for text, want := range map[string]string{
		"":                                       "t.jsonl: found an empty file",
		"[]":                                     "t.jsonl:1: found an empty array",
		"[[]]":                                   "t.jsonl:1: found JSON that is no object",
		"[":                                      "t.jsonl:1: found an empty array",
		"null":                                   "t.jsonl:1: found JSON that is no object",
		`{"mishap":2,"id":"a"}`:                  "t.jsonl:1: found at /mishap: value must be 1",
		`{"mishap":1}`:                           "t.jsonl:1: found at /: missing property 'id'",
		`{"mishap":1,"id":""}`:                   "t.jsonl:1: found at /id: ",
		header:                                   `t.jsonl: found episode "a" without steps`,
		header + `{"step":-1}`:                   `t.jsonl:2: found at /step: `,
		header + `{"step":1,"action":"(dance)"}`: `t.jsonl:2: found unknown action "dance"; known are `,
	} {
		_, err := read(text)
		var e *input.Error
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: the message is more than a line: %v", text, err)
		}
	}
}

// A line that cannot be understood is told of, and does not take the others with it.
func TestReadsOn(t *testing.T) {
	const header, good = `{"mishap":1,"id":"a"}` + "\n", `{"step":1,"action":"(observe)"}` + "\n"
	tests := []struct {
		text    string
		steps   string // index and action of each
		skipped int
		warning string
	}{
		{header + good, "1(observe)", 0, ""},
		{header + good + `{"step":2,"action":"(obs`, "1(observe)", 1, "line 3: found no JSON (the line breaks off)"},
		{header + good + `{"step":-1}`, "1(observe)", 1, "line 3: found at /step: "},
		{header + good + `{"step":1.5}`, "1(observe)", 1, "line 3: found at /step: "},
		{header + good + `[1]`, "1(observe)", 1, "line 3: found JSON that is no object"},
		{header + good + `{"step":2,"action":"(observe)","observation":{"edges":[["a","b"]]}}`, "1(observe) 2(observe)", 0, `line 3: found ["a","b"] of edges; expected it as episode.schema.json describes it; it is left out`},
		{header + good + `{"step":2}`, "1(observe) 2", 0, ""},
		{header + good + `{"step":2,"action":"(wipe, CounterTop)"}`, "1(observe) 2(wipe, CounterTop)", 1, `line 3: unknown action "(wipe, CounterTop)"; what it does is not judged`},
		{header + good + `{"step":2,"action":"(pick_upp, Mug)"}`, "1(observe) 2(pick_upp, Mug)", 1, "(did you mean pick_up?)"},
		{header + good + `{"step":2,"action":"Pick up the mug"}`, "1(observe) 2(pick_up, Mug)", 0, ""},
		{header + good + `{"step":2,"action":"pick_up(mug, left)"}`, "1(observe) 2(pick_up, Mug)", 0, ""},
		{header + good + `{"step":2,"action":["pick_up","mug"]}`, "1(observe) 2(pick_up, Mug)", 0, ""},
		{header + good + `{"step":2,"action":{"name":"put_in","args":["mug","sink"]}}`, "1(observe) 2(put_in, Mug, Sink)", 0, ""},
		{header + good + `{"step":2,"action":{"verb":"put_in","parameters":{"to":"sink","object":"mug"}}}`, "1(observe) 2(put_in, Mug, Sink)", 0, ""},
		{header + good + `{"step":2,"action":{"action":"Pick up the mug"}}`, "1(observe) 2(pick_up, Mug)", 0, ""},
		{header + good + `{"step":2,"action":{"speed":1}}`, `1(observe) 2({ speed :1})`, 1, "line 3: found at /action: "},
		{header + good + `{"step":2,"action":["pick_up",1]}`, `1(observe) 2([ pick up , 1])`, 1, "line 3: found at /action"},
		{header + good + `{"step":2,"action":null,"observation":null,"sounds":"thud"}`, "1(observe) 2", 0, ""},
		{header + good + `{"step":2,"action":{"function":{"name":"pick_up","arguments":"{\"object_id\":\"mug\"}"}}}`, "1(observe) 2(pick_up, Mug)", 0, ""},
		{header + good + `{"step":2,"action":"{\"action\":\"put_in\",\"destination\":\"sink\",\"object\":\"mug\"}"}`, "1(observe) 2(put_in, Mug, Sink)", 0, ""},
		{header + good + `{"step":2,"action":{"name":"pour","source":"mug","target":"sink"}}`, "1(observe) 2(pour, Mug, Sink)", 0, ""},
		{header + good + `{"step":2,"action":"PickObject(mug_1) IDLE -> RUNNING"}`, "1(observe) 2(pick_up, mug_1)", 0, ""},
		{header + good + `{"step":2,"action":["pick","mug","table"]}`, "1(observe) 2(pick_up, Mug)", 0, ""},
		{`{"mishap":1,"id":"a","plan":[["observe"],{"name":"pick_up","object":"mug"}]}` + "\n" + good, "1(observe)", 0, ""},
		{header + `{"step":0,"action":"(observe)"}`, "1(observe)", 0, ""},
		{header + good + good, "1(observe) 2(observe)", 0, "line 3: step 1 after step 1; the lines are taken in the order in which they stand, and numbered so"},
		{header + good + `{"step":2,"action":"(observe)","battery":3,"observation":{"frame":7}}` + "\n" + `{"step":3,"battery":2}`, "1(observe) 2(observe) 3", 0, `line 3: field "battery" is not read; line 3: field "frame" is not read`},
		{header + `{"step":1,"action":"(observe)","events":[{"kind":"bell","loud":true}]}`, "1(observe)", 0, `line 2: field "loud" is not read`},
		{`{"mishap":1,"id":"a","people":{"Ann":"vegan"}}` + "\n" + good, "1(observe)", 0, "line 1: found at /people: got object, want array; the field is not read"},
		{`{"mishap":1,"id":"a","colour":"red"}` + "\n" + good, "1(observe)", 0, `line 1: field "colour" is not read`},
		{header + `{"step":1,"time":"soon","action":"(observe)"}`, "1(observe)", 0, `line 2: time "soon" is no time of the day, date or number of seconds; nothing is judged by it`},
		{header + `{"step":1,"time":"T+12.5s","action":"(observe)"}` + "\n" + `{"step":2,"time":"t=3","action":"(observe)"}`, "1(observe) 2(observe)", 0, "line 3: time t=3 after T+12.5s"},
		{header + `{"step":1,"time":12.50,"action":"(observe)"}` + "\n" + `{"step":2,"time":3,"action":"(observe)"}`, "1(observe) 2(observe)", 0, "line 3: time 3 after 12.50"},
		{header + `{"step":1,"action":"(observe)","observation":{"nodes":[{"id":"Mug-1","class":"Mug"},{"id":"Mug-1","class":"Mug","states":["dirty"]}]}}`, "1(observe)", 0, `line 2: object "Mug-1" stands twice in one observation; it is taken for one`},
		{`{"mishap":1,"id":"a","plan":["(polish, Mug)"]}` + "\n" + good, "1(observe)", 0, `line 1: planned action 1 "(polish, Mug)" is unknown; what it does is not judged`},
	}
	for _, tt := range tests {
		eps, err := read(tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		var steps, warnings []string
		for _, st := range eps[0].Steps {
			steps = append(steps, fmt.Sprintf("%d%s", st.Index, st.Action))
		}
		for _, w := range eps[0].Warnings {
			warnings = append(warnings, fmt.Sprintf("line %d: %s", w.Line, w.Msg))
		}
		said := strings.Join(warnings, "; ")
		if got := strings.Join(steps, " "); got != tt.steps || len(eps[0].Skipped) != tt.skipped || !strings.Contains(said, tt.warning) || tt.warning == "" && said != "" {
			t.Errorf("%s:\nsteps %s, want %s; %d skipped, want %d; warnings %q, want %q", tt.text, got, tt.steps, len(eps[0].Skipped), tt.skipped, said, tt.warning)
		}
	}
}

func TestAbsentObjectWarns(t *testing.T) {
	eps, err := read(`{"mishap":1,"id":"a"}
{"step":1,"action":"(observe)","observation":{"edges":[["Mug-1","inside","RobotGripper-1"]]}}`)
	if err != nil || len(eps[0].Warnings) != 1 || eps[0].Warnings[0].Line != 2 || !strings.Contains(eps[0].Warnings[0].Msg, "Mug-1, which is not among the nodes") {
		t.Errorf("warnings %v, error %v", eps[0].Warnings, err)
	}
}

func TestByteOrderMark(t *testing.T) {
	if _, err := read("\xef\xbb\xbf" + `{"mishap":1,"id":"a"}` + "\r\n" + `{"step":1,"action":"(observe)"}`); err != nil {
		t.Error(err)
	}
}

func names() *rapid.Generator[string] {
	pronoun := func(name string) bool { return ontology.Default().IsWord(name, ontology.Pronoun) } // means another name
	return rapid.OneOf(rapid.SampledFrom([]string{"Mug-1", "Sink", "open", "é", `"\`, "a\u2028b"}), rapid.StringMatching(`[A-Za-z0-9 ]{1,12}`).Filter(func(name string) bool { return !pronoun(name) }))
}

func facts(t *rapid.T, label string) []episode.Fact {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) episode.Fact {
		f := episode.Fact{Subject: names().Draw(t, "subject"), Relation: names().Draw(t, "relation"), Line: 1}
		if rapid.Bool().Draw(t, "binary") {
			f.Object = names().Draw(t, "object")
		}
		return f
	}), 0, 3).Draw(t, label)
}

func observation(t *rapid.T) episode.Observation {
	if rapid.Bool().Draw(t, "missing") {
		return episode.Observation{Missing: true}
	}
	o := episode.Observation{Complete: rapid.Bool().Draw(t, "complete")}
	for _, id := range rapid.SliceOfNDistinct(names(), 0, 4, rapid.ID).Draw(t, "nodes") {
		o.Nodes = append(o.Nodes, scene.Node{ID: id, Class: names().Draw(t, "class"), States: rapid.SliceOfN(names(), 0, 2).Draw(t, "states"), Properties: rapid.SliceOfN(names(), 0, 2).Draw(t, "properties")})
	}
	for range rapid.IntRange(0, 3).Draw(t, "edges") {
		o.Edges = append(o.Edges, scene.Edge{Subject: names().Draw(t, "subject"), Relation: names().Draw(t, "relation"), Object: names().Draw(t, "object")})
	}
	return o
}

// What is written reads back as the same episode, and keeps to the schema,
// because the reader validates every line.
func TestWriteReadsBack(t *testing.T) {
	o := ontology.Default()
	actions := language.NewActions(o)
	action := rapid.Custom(func(t *rapid.T) episode.Action {
		a := rapid.SampledFrom(o.Actions).Draw(t, "action")
		out := episode.Action{Name: a.Name}
		n := rapid.IntRange(a.Required, a.Params).Draw(t, "arguments")
		for i, arg := range []*string{&out.Target, &out.Destination} {
			if i < n {
				*arg = rapid.StringMatching(`[A-Za-z0-9-]{1,8}`).Draw(t, "argument")
			}
		}
		out, _ = actions.ReadNamed(out.String()) // a label such as TV is read as the class that has it
		return out
	})
	rapid.Check(t, func(t *rapid.T) {
		want := &episode.Episode{ID: names().Draw(t, "id"), Source: "t.jsonl", Task: rapid.String().Draw(t, "task"), Goal: rapid.String().Draw(t, "goal"),
			GoalFacts: facts(t, "goal"), Scene: facts(t, "scene"), Plan: rapid.SliceOfN(action, 0, 3).Draw(t, "plan")}
		index := -1
		for i := range rapid.IntRange(1, 5).Draw(t, "steps") {
			index += rapid.IntRange(1, 3).Draw(t, "gap")
			st := episode.Step{Index: index, Line: i + 2, Observation: observation(t), Time: rapid.StringN(0, 10, 50).Draw(t, "time")}
			if index > 0 {
				st.Action, st.Sounds = action.Draw(t, "action"), rapid.SliceOfN(names(), 0, 2).Draw(t, "sounds")
			}
			want.Steps = append(want.Steps, st)
		}
		var buf bytes.Buffer
		if err := jsonl.Write(&buf, want); err != nil {
			t.Fatal(err)
		}
		got, err := jsonl.Read(o, "t.jsonl", bytes.NewReader(buf.Bytes()))
		if err != nil {
			t.Fatalf("%v\n%s", err, buf.String())
		}
		if diff := cmp.Diff(want, got[0], cmpopts.EquateEmpty(), cmpopts.IgnoreFields(episode.Episode{}, "Warnings", "Lines", "GoalLine")); diff != "" {
			t.Fatalf("reads back as another episode (-want +got):\n%s", diff)
		}
	})
}

func TestSchemaIsJSON(t *testing.T) {
	var schema map[string]any
	if err := json.Unmarshal(jsonl.Schema(), &schema); err != nil || schema["$schema"] != "https://json-schema.org/draft/2020-12/schema" {
		t.Errorf("schema %v: %v", schema["$schema"], err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("{\"mishap\":1,\"id\":\"a\",\"plan\":[\"(pick_up, Mug)\"]}\n{\"step\":1,\"action\":\"(pick_up, Mug)\",\"sounds\":[\"x\"],\"observation\":{\"nodes\":[{\"id\":\"Mug-1\",\"class\":\"Mug\",\"states\":[\"dirty\"]}],\"edges\":[[\"Mug-1\",\"inside\",\"RobotGripper-1\"]]}}\n"))
	f.Add([]byte("{\"mishap\":1,\"id\":\"a\"}\n{\"step\":0}\n"))
	o := ontology.Default()
	f.Fuzz(func(t *testing.T, data []byte) {
		eps, err := jsonl.Read(o, "f.jsonl", bytes.NewReader(data))
		var e *input.Error
		switch {
		case err != nil && !errors.As(err, &e):
			t.Fatalf("error %T is no *logs.Error", err)
		case err == nil && len(eps) == 0:
			t.Fatal("neither episodes nor an error")
		}
	})
}

func BenchmarkRead(b *testing.B) {
	var buf bytes.Buffer
	buf.WriteString("{\"mishap\":1,\"id\":\"a\"}\n")
	for i := range 100 {
		line, _ := json.Marshal(map[string]any{"step": i + 1, "action": "(pick_up, Mug-1)", "observation": map[string]any{
			"nodes": []any{map[string]any{"id": "Mug-1", "class": "Mug", "states": []string{"dirty"}}}, "edges": [][]string{{"Mug-1", "inside", "RobotGripper-1"}}}})
		buf.Write(append(line, '\n'))
	}
	o := ontology.Default()
	b.SetBytes(int64(buf.Len()))
	for b.Loop() {
		if _, err := jsonl.Read(o, "b.jsonl", bytes.NewReader(buf.Bytes())); err != nil {
			b.Fatal(err)
		}
	}
}

// Episodes are told one by one, before what follows them is read.
func TestEpisodes(t *testing.T) {
	header := func(id string) string { return `{"mishap":1,"id":"` + id + `"}` + "\n" }
	const step = `{"step":1,"action":"(pick_up, Mug)"}` + "\n"
	tests := []struct{ name, text, ids, err string }{
		{"two", header("a") + step + header("b") + step, "a1 b1", ""},
		{"a mistake in the second", header("a") + step + header("b") + "{", "a1", "t.jsonl:4: found no JSON (the line breaks off)"},
		{"the second has the id of the first", header("a") + step + header("a") + step, "", `t.jsonl:3: found a second episode "a"`},
		{"the first has no steps", header("a") + header("b") + step, "", `t.jsonl: found episode "a" without steps`},
		{"the last has no steps", header("a") + step + header("b"), "a1", `t.jsonl: found episode "b" without steps`},
		{"nothing", "", "", "t.jsonl: found an empty file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var ids []string
			var failed string
			for ep, err := range jsonl.Episodes(ontology.Default(), "t.jsonl", strings.NewReader(tt.text)) {
				if err != nil {
					failed = err.Error()
					continue
				}
				ids = append(ids, fmt.Sprint(ep.ID, len(ep.Steps)))
			}
			if got := strings.Join(ids, " "); got != tt.ids || !strings.HasPrefix(failed, tt.err) || failed != "" && tt.err == "" {
				t.Errorf("episodes %q, error %q; want %q, %q", got, failed, tt.ids, tt.err)
			}
		})
	}
	for range jsonl.Episodes(ontology.Default(), "t.jsonl", strings.NewReader(header("a")+step+header("b")+step)) {
		break
	}
}

// Many episodes in one file are read in time that grows with their number: each id is
// looked up, not looked for.
func TestManyEpisodes(t *testing.T) {
	var text strings.Builder
	const many = 5_000
	for i := range many {
		fmt.Fprintf(&text, "{\"mishap\":1,\"id\":\"run-%d\"}\n{\"step\":1,\"action\":\"(pick_up, Mug-1)\"}\n", i)
	}
	text.WriteString("{\"mishap\":1,\"id\":\"run-7\"}\n")
	_, err := jsonl.Read(ontology.Default(), "many.jsonl", strings.NewReader(text.String()))
	if want := fmt.Sprintf("many.jsonl:%d: found a second episode \"run-7\"; expected each id once", 2*many+1); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// A header tells of the run as a whole; a moment that cannot be read is told and left out.
func TestHeaderOfARun(t *testing.T) {
	const step = `{"step":1,"action":"(observe)"}` + "\n"
	eps, err := read(`{"mishap":1,"id":"a","robot":"Stretch-7","site":"lab","start":"2026-03-01T10:00:00+01:00","labels":["night","new gripper"]}` + "\n" + step +
		`{"mishap":1,"id":"b","start":"yesterday"}` + "\n" + step)
	if err != nil {
		t.Fatal(err)
	}
	a, b := eps[0], eps[1]
	if a.Robot != "Stretch-7" || a.Site != "lab" || a.Start != "2026-03-01T10:00:00+01:00" || !slices.Equal(a.Labels, []string{"night", "new gripper"}) || len(a.Warnings) > 0 {
		t.Errorf("%+v", a)
	}
	if at, err := a.Started(); err != nil || at.Unix() != 1772355600 {
		t.Errorf("started %v: %v", at, err)
	}
	if b.Start != "" || len(b.Warnings) != 1 || !strings.Contains(b.Warnings[0].Msg, `start "yesterday"; expected a moment such as`) {
		t.Errorf("%q, warnings %v", b.Start, b.Warnings)
	}
	var again bytes.Buffer
	if err := jsonl.Write(&again, a); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(again.String(), `{"mishap":1,"id":"a","robot":"Stretch-7","site":"lab","start":"2026-03-01T10:00:00+01:00","labels":["night","new gripper"]}`) {
		t.Errorf("written as %s", again.String())
	}
}

// An observation is read in the forms that others write it in.
func TestReadForms(t *testing.T) {
	want := []scene.Edge{{Subject: "mug", Relation: "on", Object: "table"}}
	for _, obs := range []string{
		`{"nodes":[{"id":"mug"},{"id":"table"}],"edges":["on(mug, table)"]}`,
		`{"nodes":["mug","table"],"edges":["(on mug table)"]}`,
		`{"objects":[{"id":"mug"},{"name":"table"}],"relations":["mug on table"]}`,
		`{"detections":[{"id":"mug"},{"id":"table"}],"edges":[["mug","on","table",0.93]]}`,
		`{"nodes":[{"id":"mug","score":null},{"id":"table"}],"edges":[{"subject":"mug","relation":"on","object":"table"}]}`,
		`{"nodes":[{"id":"mug"},{"id":"table"}],"edges":[{"source":"mug","predicate":"on","target":{"id":"table"}}]}`,
	} {
		eps, err := read(`{"mishap":1,"id":"a"}` + "\n" + `{"step":1,"action":"(observe)","observation":` + obs + `}`)
		if err != nil {
			t.Errorf("%s: %v", obs, err)
			continue
		}
		got := eps[0].Steps[0].Observation
		if !slices.Equal(got.Edges, want) || len(got.Nodes) != 2 || got.Nodes[0].ID != "mug" || got.Nodes[1].ID != "table" {
			t.Errorf("%s: %+v", obs, got)
		}
	}
	eps, err := read(`{"mishap":1,"id":"a"}` + "\n" + `{"step":1,"action":"(observe)","observation":{"nodes":[{"id":7,"label":"fridge","states":{"open":true,"dirty":false,"power":"on"}},{"id":"b","states":"open"}]}}`)
	if err != nil {
		t.Fatal(err)
	}
	got := eps[0].Steps[0].Observation.Nodes
	if len(got) != 2 || got[0].ID != "7" || got[0].Class != "fridge" || !slices.Equal(got[0].States, []string{"not dirty", "open", "power: on"}) || !slices.Equal(got[1].States, []string{"open"}) {
		t.Errorf("%+v", got)
	}
}
