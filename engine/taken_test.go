package engine_test

import (
	"context"
	"testing"

	"github.com/mishap-robotics/mishap/engine/internal/script"
)

// What somebody took is made up for where it is seen again, whatever is believed of its place.
func TestTakenAwayIsMadeUpFor(t *testing.T) {
	r := reasoner(t)
	const gone = `goal: RemoteControl located_at SideTable
0 | RemoteControl-1 inside RobotGripper-1, Lamp-1 on_top_of SideTable-1
1 (put_on, RemoteControl-1, SideTable-1) | RemoteControl-1 on_top_of SideTable-1, Lamp-1 on_top_of SideTable-1
2 (navigate_to_obj, Sofa-1) | Sofa-1
3 (navigate_to_obj, SideTable-1) | Person-1, Lamp-1 on_top_of SideTable-1
4 (observe) | Lamp-1 on_top_of SideTable-1`
	ep, err := script.Parse(r.Ontology, "gone", 1, gone)
	if err != nil {
		t.Fatal(err)
	}
	res, err := r.Check(context.Background(), ep)
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Findings) != 1 || res.Findings[0].Type != "TakenAwayFailure" || res.Findings[0].Recovered {
		t.Errorf("found %+v; want that it was taken away, and not made up for", res.Findings)
	}
}
