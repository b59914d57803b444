package protocolrun_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/bridge/logs/protocolrun"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
)

const words = `
@prefix m: <https://mishap-robotics.github.io/ontology#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
m:Aspirate a owl:Class ; rdfs:subClassOf m:Action ; rdfs:label "aspirate" ; rdfs:comment "Draw up." ;
    m:actionName "aspirate" ; m:parameters ( "?target" "?destination" ) .
`

func ontologyOf(t testing.TB) *ontology.Ontology {
	t.Helper()
	o, problems, err := ontology.Parse(append(ontology.Shipped(), document.Document{Name: "words.ttl", Data: []byte(words)}))
	if err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	return o
}

const one = `{"run":"r1","robot":"Flex","truth":{"failed_at":2},` +
	`"labware":[{"id":"L1","depth":14.78,"capacity":100},{"id":"L2","tiprack":true}],"pipettes":[{"id":"P1","pipetteName":"p50_single_flex"}],"modules":[{"id":"M1","model":"heaterShakerModuleV1"}],` +
	`"commands":[{"n":1,"action":"loadLabware","params":{"labwareId":"L1","location":{"slotName":"C2"}},"status":"succeeded"},` +
	`{"n":2,"action":"aspirate","params":{"pipetteId":"P1","labwareId":"L1","volume":20,"wellName":"A1","wellLocation":{"origin":"top","z":-14.780000000000001}},"result":{},"status":"failed"},` +
	`{"n":3,"action":"aspirate","params":{"pipetteId":null,"labwareId":null,"volume":20,"wellLocation":{"origin":"bottom"}}},` +
	`{"n":4,"action":"configureNozzleLayout","params":{"pipetteId":"P1","configurationParams":{"style":"SINGLE","primaryNozzle":"A1"}}},` +
	`{"n":5,"action":"loadModule","params":{"model":"temperatureModuleV2","location":{"slotName":"C3"}}},` +
	`{"n":6,"action":"pickUpTip","params":{"pipetteId":"P1","labwareId":"L2"},"result":{"tipVolume":50}}]}`

func TestRead(t *testing.T) {
	eps, err := protocolrun.Read(ontologyOf(t), "runs.jsonl", strings.NewReader(one))
	if err != nil || len(eps) != 1 {
		t.Fatal(eps, err)
	}
	ep := eps[0]
	var things, actions []string
	for _, x := range ep.Things {
		things = append(things, x.Name+": "+strings.Join(x.Classes, " "))
	}
	for i := range ep.Steps {
		a := ep.Steps[i].Action
		actions = append(actions, strings.Join(append([]string{a.Name}, a.Arguments()...), "|"))
		if a.Target == "" && a.Destination == "" {
			actions[i] += "|nothing is known"
		}
	}
	wantThings := []string{"P1: p50_single_flex", "M1: heaterShakerModuleV1", "L1: labware", "L2: tiprack", "C2: slotName",
		"style SINGLE: style", "primaryNozzle A1: primaryNozzle", "temperatureModuleV2 5: temperatureModuleV2", "C3: slotName"}
	wantActions := []string{"loadLabware|L1|C2", "aspirate|P1|L1", "aspirate|nothing is known", "configureNozzleLayout|P1||style SINGLE|primaryNozzle A1",
		"loadModule|temperatureModuleV2 5|C3", "pickUpTip|P1|L2"}
	if diff := cmp.Diff(wantThings, things); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(wantActions, actions); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]episode.Fact{{Subject: "L1", Relation: "depth", Object: "14.78", Line: 1}, {Subject: "L1", Relation: "capacity", Object: "100", Line: 1}}, ep.Scene); diff != "" {
		t.Error(diff)
	}
	want := scene.Readings{{Quantity: "volume", Number: 20}, {Quantity: "z from top", Number: 14.780001}} // deeper than 14.78
	if diff := cmp.Diff(want, ep.Steps[1].Values); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(scene.Readings{{Quantity: "tipVolume", Number: 50}}, ep.Steps[5].Values); diff != "" {
		t.Error(diff)
	}
}

// What came of a run is not read: an episode is the same whatever is said of it.
func TestTruthIsNotRead(t *testing.T) {
	o := ontologyOf(t)
	hidden := strings.NewReplacer(`"truth":{"failed_at":2},`, "", `"status":"failed"`, `"status":"succeeded"`, `"result":{},`, "").Replace(one)
	with, err := protocolrun.Read(o, "runs.jsonl", strings.NewReader(one))
	without, err2 := protocolrun.Read(o, "runs.jsonl", strings.NewReader(hidden))
	if err != nil || err2 != nil || hidden == one {
		t.Fatal(err, err2)
	}
	if diff := cmp.Diff(with, without); diff != "" {
		t.Error(diff)
	}
}

func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{`:                                `runs.jsonl:1: found text that is no such object`,
		`{"run":"a"}`:                      `found a run without "run" or "commands"; expected both`,
		`{"run":7,"commands":[]}`:          `found a number for "run"`,
		`{"run":"a","commands":[{"n":1}]}`: `found command 1 without "n" from 1 or "action"`,
		`{"run":"a","commands":[{"n":2,"action":"aspirate"},{"n":2,"action":"aspirate"}]}`: `found command 2 after command 2; expected ascending "n"`,
		`{"run":"a","commands":[]}` + "\n" + `{"run":"a","commands":[]}`:                   `runs.jsonl:2: found a second run "a"; expected each run once`,
		`{"run":"a","commands":[],"labware":[{"id":"L1","depth":"deep"}]}`:                 `found text that is no such object`,
	} {
		_, err := protocolrun.Read(ontologyOf(t), "runs.jsonl", strings.NewReader(text))
		var wrong *input.Error
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(one)
	f.Add(`{"run":"a","commands":[{"n":1,"action":"x","params":{"location":{"slotName":3},"wellLocation":{"origin":"top","z":1e999}}}]}`)
	o := ontologyOf(f)
	f.Fuzz(func(t *testing.T, text string) {
		eps, err := protocolrun.Read(o, "runs.jsonl", strings.NewReader(text))
		if err != nil && eps != nil {
			t.Fatal("episodes beside an error")
		}
	})
}
