package engine_test

import (
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/rules"
)

func TestScanStruct(t *testing.T) {
	names, values := []string{"S", "O"}, []*rules.Term{{Kind: rules.Integer, Int: 3}, {Kind: rules.Atom, Name: "Mug-1"}}
	var got struct {
		Step   int    `goal:"S"`
		O      string // by its own name
		Other  string `goal:"-"`
		hidden int
	}
	if err := engine.ScanStruct(names, values, &got); err != nil || got.Step != 3 || got.O != "Mug-1" || got.hidden != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	var missing struct{ X string }
	var wrong struct{ O int }
	for want, to := range map[string]any{"no variable X": &missing, "field O": &wrong, "pointer to a structure": 3, "type struct": struct{}{}} {
		if err := engine.ScanStruct(names, values, to); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%T: %v, want %q", to, err, want)
		}
	}
}
