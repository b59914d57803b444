package replan_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/engine/replan"
)

var aKitchen = replan.Scene{Things: []replan.Thing{
	{Name: "Robot-1", Robot: true}, {Name: "RobotGripper-1", Labels: []string{"gripper", "palm"}, Robot: true},
	{Name: "Apple-1", Labels: []string{"apple"}}, {Name: "Cabinet-1", Labels: []string{"cabinet", "cupboard"}},
	{Name: "Bar-1", Labels: []string{"bar"}}, {Name: "Mug-1", Labels: []string{"mug"}}, {Name: "Mug-2", Labels: []string{"mug"}},
}}

func TestParseTerms(t *testing.T) {
	tests := []struct {
		text string
		want replan.RewardTerm
		err  string
	}{
		{text: `minimize_l2_distance_reward("palm", "apple")`, want: replan.RewardTerm{Function: replan.MinimizeDistance, Object: "RobotGripper-1", Other: "Apple-1", Weight: 1}},
		{text: `maximize_l2_distance_reward('Bar-1', 'cabinet')`, want: replan.RewardTerm{Function: replan.MaximizeDistance, Object: "Bar-1", Other: "Cabinet-1", Value: 0.5, Weight: 1}},
		{text: `maximize_l2_distance_reward("Bar-1", "Cabinet-1", distance=1.5, weight=2)`, want: replan.RewardTerm{Function: replan.MaximizeDistance, Object: "Bar-1", Other: "Cabinet-1", Value: 1.5, Weight: 2}},
		{text: ` primary set_joint_fraction_reward( "cupboard" , fraction = 1 )`, want: replan.RewardTerm{Function: replan.JointFraction, Object: "Cabinet-1", Value: 1, Weight: 1, Primary: true}},
		{text: `set_obj_z_position_reward("apple", z=0.5)`, want: replan.RewardTerm{Function: replan.Height, Object: "Apple-1", Value: 0.5, Weight: 1}},
		{text: `set_obj_orientation_reward("Mug-2", rotation=-90)`, want: replan.RewardTerm{Function: replan.Orientation, Object: "Mug-2", Value: -90, Weight: 1}},
		{text: `set_obj_z_position_reward("mug", z=0.5)`, err: `unknown name "mug"`},
		{text: `set_obj_z_position_reward("Aple-1", z=0.5)`, err: "expected Apple-1"},
		{text: `minimise_l2_distance_reward("palm", "apple")`, err: "expected minimize_l2_distance_reward"},
		{text: `minimize_l2_distance_reward("palm")`, err: "with 1 objects; expected 2"},
		{text: `minimize_l2_distance_reward("Mug-1", "Mug-1")`, err: "to itself"},
		{text: `minimize_l2_distance_reward("palm", "apple", distance=1)`, err: "has no distance; expected weight"},
		{text: `maximize_l2_distance_reward("palm", "apple", distance=0)`, err: "above 0"},
		{text: `set_joint_fraction_reward("cabinet", fraction=1.2)`, err: "from 0 to 1"},
		{text: `set_joint_fraction_reward("cabinet", fraction=NaN)`, err: "expected a number"},
		{text: `set_joint_fraction_reward("cabinet", fraction=1e999)`, err: "expected a number"},
		{text: `set_joint_fraction_reward("cabinet")`, err: "without fraction"},
		{text: `set_joint_fraction_reward(cabinet, fraction=1)`, err: "an object in quotes"},
		{text: `set_joint_fraction_reward("cabinet", fraction=1, fraction=0)`, err: "given twice"},
		{text: `set_joint_fraction_reward(fraction=1, "cabinet")`, err: "objects first"},
		{text: `set_joint_fraction_reward("cabinet", fraction=1, weight=-1)`, err: "at least 0"},
		{text: `open the cabinet`, err: "expected the form"},
	}
	for _, tt := range tests {
		terms, errs := replan.ParseTerms("# a comment\n\n"+tt.text, aKitchen)
		if tt.err != "" {
			if len(errs) != 1 || len(terms) != 0 || !strings.Contains(errs[0].Error(), tt.err) || !strings.HasPrefix(errs[0].Error(), "line 3: ") {
				t.Errorf("%s: %v, %v; want line 3 and %q", tt.text, terms, errs, tt.err)
			}
			continue
		}
		if diff := cmp.Diff([]replan.RewardTerm{tt.want}, terms); diff != "" || len(errs) > 0 {
			t.Errorf("%s: %v\n%s", tt.text, errs, diff)
		}
	}
}

func FuzzParseTerms(f *testing.F) {
	f.Add(`primary minimize_l2_distance_reward("palm", 'apple', weight=0.5)`)
	f.Add("set_joint_fraction_reward(\"cabinet\", fraction=1)\nset_obj_z_position_reward(\"a\",z=)")
	f.Fuzz(func(t *testing.T, text string) {
		terms, errs := replan.ParseTerms(text, aKitchen)
		for _, term := range terms {
			again, errs := replan.ParseTerms(term.String(), aKitchen)
			if len(errs) > 0 || len(again) != 1 || again[0] != term {
				t.Errorf("%s is read as %v, %v", term, again, errs)
			}
		}
		for _, err := range errs {
			if err.Error() == "" {
				t.Error("an error without words")
			}
		}
	})
}

func TestParseQuery(t *testing.T) {
	tests := []struct {
		text, object, attribute string // both empty where it is refused
	}{
		{"Is there an apple?", "apple", ""},
		{"is there a red cube in the scene?", "red cube", ""},
		{"Do you see the Kettle-1 anywhere", "Kettle-1", ""},
		{"Is the cabinet door open?", "cabinet door", "open"},
		{"What colour is Cube-1?", "Cube-1", "colour"},
		{"What is the color of the crate?", "crate", "color"},
		{"Is the lamp on?", "lamp", "on"},
		{"Where is the apple?", "", ""},
		{"How far is the apple from the table?", "", ""},
		{"Is the apple in the microwave?", "", ""},
		{"Is the cube next to the crate red?", "", ""},
		{"Open the cabinet.", "", ""},
		{"", "", ""},
		{strings.Repeat("Is there an apple? ", 20), "", ""},
	}
	for _, tt := range tests {
		q, err := replan.ParseQuery(tt.text)
		if tt.object == "" {
			if err == nil || !strings.Contains(err.Error(), "expected whether an object is there") {
				t.Errorf("%q: %v, %v; want it refused", tt.text, q, err)
			}
			continue
		}
		kind := replan.Attribute
		if tt.attribute == "" {
			kind = replan.Presence
		}
		if err != nil || q.Kind != kind || q.Object != tt.object || q.Attribute != tt.attribute {
			t.Errorf("%q: %+v, %v; want %s %q %q", tt.text, q, err, kind, tt.object, tt.attribute)
		}
	}
}

func FuzzParseQuery(f *testing.F) {
	f.Add("Is there an apple?")
	f.Add("What colour is the cube?")
	f.Fuzz(func(t *testing.T, text string) {
		if q, err := replan.ParseQuery(text); err == nil && (q.Object == "" || q.Kind == replan.Attribute && q.Attribute == "") {
			t.Errorf("%q: %+v", text, q)
		}
	})
}

func TestAgree(t *testing.T) {
	for _, tt := range []struct {
		answers []string
		want    string
	}{
		{[]string{"Yes", "yes, there is one", "no"}, "yes"},
		{[]string{"yes", "no"}, replan.Unclear},
		{[]string{"unknown", "unknown", "Yellow."}, "yellow"},
		{[]string{"northern", "northern", "no"}, "northern"},
		{nil, replan.Unclear},
	} {
		if got := replan.Agree(tt.answers); got != tt.want {
			t.Errorf("%q: %q; want %q", tt.answers, got, tt.want)
		}
	}
}

// ruler measures what a test says.
type ruler struct{ distance, joint, height, rotation float64 }

func (r ruler) Distance(a, b string) (float64, bool) { return r.distance, true }
func (r ruler) Joint(string) (float64, bool)         { return r.joint, true }
func (r ruler) Height(string) (float64, bool)        { return r.height, true }
func (r ruler) Rotation(string) (float64, bool)      { return r.rotation, r.rotation < 1000 }

func TestCost(t *testing.T) {
	at := ruler{distance: 0.2, joint: 0.25, height: 0.1, rotation: 350}
	for _, tt := range []struct {
		text string
		want float64
	}{
		{"", 0},
		{`minimize_l2_distance_reward("palm", "apple", weight=2)`, 0.4},
		{`maximize_l2_distance_reward("Bar-1", "cabinet")`, 0.3},
		{`maximize_l2_distance_reward("Bar-1", "cabinet", distance=0.1)`, 0},
		{`set_joint_fraction_reward("cabinet", fraction=1, weight=0)`, 0},
		{`set_joint_fraction_reward("cabinet", fraction=1)` + "\n" + `set_obj_z_position_reward("apple", z=0.5, weight=10)`, 4.75},
		{`set_obj_orientation_reward("Mug-1", rotation=10)`, math.Pi / 9},
	} {
		terms, errs := replan.ParseTerms(tt.text, aKitchen)
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		if got, err := replan.Cost(terms, at); err != nil || math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%s: %v, %v; want %v", tt.text, got, err, tt.want)
		}
	}
	if _, err := replan.Cost([]replan.RewardTerm{{Function: replan.Orientation, Object: "Mug-1"}}, ruler{rotation: 1000}); err == nil {
		t.Error("what cannot be measured has a cost")
	}
}

func TestMatch(t *testing.T) {
	steps := []replan.MotionStep{{Text: "the gripper moves to the cabinet", Objects: []string{"RobotGripper-1", "Cabinet-1"}, Function: replan.MinimizeDistance},
		{Text: "the cabinet opens", Objects: []string{"Cabinet-1"}}}
	terms, errs := replan.ParseTerms(`primary minimize_l2_distance_reward("palm", "cabinet")
		set_joint_fraction_reward("cabinet", fraction=1)
		set_obj_z_position_reward("apple", z=1)`, aKitchen)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	kept, dropped, err := replan.Match(terms, steps)
	if err != nil || len(kept) != 2 || kept[0].Primary || !kept[1].Primary || len(dropped) != 1 || !strings.Contains(dropped[0].Text, "Apple-1") {
		t.Errorf("kept %v, dropped %v, %v; want the joint primary and the apple dropped", kept, dropped, err)
	}
	if _, _, err := replan.Match(terms[:1], steps); err == nil || !strings.Contains(err.Error(), "the cabinet opens") {
		t.Errorf("%v; want that no term opens the cabinet", err)
	}
}
