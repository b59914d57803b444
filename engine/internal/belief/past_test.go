package belief

import (
	"reflect"
	"testing"

	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/decimal"
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
		if f.Name != "Call" {
			e.Call.Schema = &ontology.ActionSchema{Name: "put_in"}
		}
		var p past
		p.add(&e)
		p.fill(0, &got)
		if !reflect.DeepEqual(e, got) {
			t.Errorf("of %s is left %v, want %v", f.Name, reflect.ValueOf(got).Field(i), reflect.ValueOf(e).Field(i))
		}
	}
	// What is shared is not renumbered with it.
	e := Event{Call: state.Call{Target: 3}, Displaced: 2}
	var p past
	p.add(&e)
	for _, odd := range p.odd {
		odd.Call.Target = 7
	}
	var got Event
	if p.fill(0, &got); got.Call.Target != 7 || e.Call.Target != 3 || got.Displaced != 2 {
		t.Errorf("after another target: %+v", got)
	}
}

// Of events that have nothing odd all that is left takes little room; with numbers that are too large
// for that, or too many manners, it is all there too.
func TestPastEventsAreSmall(t *testing.T) {
	schema := &ontology.ActionSchema{Name: "put_in"}
	var p past
	var events []Event
	for n := range int32(1000) {
		e := Event{Step: n + 1, First: n + 1, Before: n, Final: true, Outcome: Succeeded, Call: state.Call{Schema: schema, Agent: 1, Gripper: 2, Target: state.Object(n), Destination: 5}}
		switch {
		case n%100 == 50:
			e.First = 1
		case n%100 == 60:
			e.Planned = 1 << 17
		case n >= 400:
			e.Call.Agent = state.Object(n)
		}
		if n >= 200 {
			e.Timed, e.Time, e.Until = true, decimal.Decimal(n)*decimal.One, decimal.Decimal(n+1)*decimal.One
		}
		events = append(events, e)
		p.add(&events[n])
	}
	for i := range events {
		var got Event
		if p.fill(i, &got); !reflect.DeepEqual(got, events[i]) {
			t.Fatalf("of %+v is left %+v", events[i], got)
		}
		if p.first(i) != events[i].First || p.schema(i) != schema {
			t.Errorf("%d began with %d, %v", i, p.first(i), p.schema(i))
		}
	}
	if len(p.manners) != maxManners || len(p.odd) > 120 {
		t.Errorf("%d manners, %d odd events", len(p.manners), len(p.odd))
	}
	late := p.from(600)
	var got Event
	if late.fill(0, &got); !reflect.DeepEqual(got, events[600]) || len(late.events) != 400 || len(late.manners) > 400 {
		t.Errorf("from %+v on: %+v, %d manners", events[600], got, len(late.manners))
	}
}
