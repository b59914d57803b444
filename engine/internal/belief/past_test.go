package belief

import (
	"reflect"
	"testing"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// fill gives each field of a value one of its own, which is not its zero.
func fill(v reflect.Value, n *int64) {
	*n++
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				fill(f, n)
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		if v.Type().Elem().Kind() != reflect.Pointer {
			fill(v.Index(0), n)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), n)
		}
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(*n)
	case reflect.Uint8:
		v.SetUint(1)
	}
}

// Of an event before a window all is left but what was shown, and a field that comes to
// Event is left too or is shown.
func TestPastEvent(t *testing.T) {
	shown := map[string]bool{"Seen": true, "States": true, "Values": true, "Edges": true, "Sounds": true, "Differences": true}
	typ := reflect.TypeFor[Event]()
	for i := range typ.NumField() {
		f := typ.Field(i)
		if shown[f.Name] {
			continue
		}
		var e, got Event
		n := int64(0)
		fill(reflect.ValueOf(&e).Elem().Field(i), &n)
		if f.Name == "Outcome" {
			e.Outcome = Failed
		}
		if f.Name == "Call" {
			e.Call.Schema = &ontology.ActionSchema{Name: "pick_up"}
		}
		p := pastOf(&e)
		p.fill(&got)
		if f.Name != "Call" {
			got.Call = e.Call
		}
		if !reflect.DeepEqual(e, got) {
			t.Errorf("of %s is left %v, want %v", f.Name, reflect.ValueOf(got).Field(i), reflect.ValueOf(e).Field(i))
		}
	}
	// What is shared is not renumbered with it.
	e := Event{Call: state.Call{Target: 3}, Displaced: 2}
	p := pastOf(&e)
	p.target = 7
	var got Event
	if p.fill(&got); got.Call.Target != 7 || e.Call.Target != 3 || got.Displaced != 2 {
		t.Errorf("after another target: %+v", got)
	}
}
