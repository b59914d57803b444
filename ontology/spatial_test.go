package ontology_test

import (
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/ontology"
)

// A document of one's own changes a threshold, and adds a relation.
func TestSpatialRelations(t *testing.T) {
	o, _, err := parseOwn(`m:near m:maximumDistance 0.25 .
m:PhysicalObject m:maximumMisalignment 0.2 .
m:beyond a owl:ObjectProperty , m:SpatialRelation ; rdfs:label "beyond" ; rdfs:comment "To the left." ; m:measuredBy "left" ; m:maximumDistance 2 ; m:minimumCosine 0.5 .
`)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]ontology.SpatialRelation{}
	for _, r := range o.SpatialRelations() {
		got[o.Name(r.Relation)] = r
	}
	if len(got) != 9 {
		t.Errorf("%d relations", len(got))
	}
	if r := got["near"]; r.Distance != 0.25 || r.Heuristic != ontology.ByProximity {
		t.Errorf("near is %+v", r)
	}
	if r := got["beyond"]; r.Distance != 2 || r.Cosine != 0.5 || r.Heuristic != ontology.ByLeft {
		t.Errorf("beyond is %+v", r)
	}
	if r := got["inside"]; r.Distance != 0.05 || r.Fraction != 0.5 {
		t.Errorf("inside is %+v", r)
	}
	if m, ok := o.Misalignment(o.Term("Mug")); m != 0.2 || !ok {
		t.Errorf("a mug has moved beyond %v", m)
	}
	if m := o.StateMargin(o.Term("Openness")); m != 0.1 {
		t.Errorf("the margin of openness is %v", m)
	}
}

func TestSpatialErrors(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`m:near m:measuredBy "smell" .`, `near: measured by "smell"; expected one of containment, support, up`},
		{`m:near m:maximumDistance -1 .`, `near: maximumDistance "-1"; expected a number from 0 to 1e+06`},
		{`m:Mug m:maximumMisalignment "far" .`, `Mug: maximumMisalignment "far"; expected a number`},
		{`m:by a owl:ObjectProperty , m:SpatialRelation ; rdfs:label "by" ; rdfs:comment "By." ; m:measuredBy "up" ; m:maximumDistance 1 .`, "by: measured by up without m:minimumCosine; expected that number"},
	} {
		_, problems, err := parseOwn(tt.text)
		var all []string
		for _, p := range problems {
			all = append(all, p.Error())
		}
		if err != nil {
			all = append(all, err.Error())
		}
		if text := strings.Join(all, "\n"); !strings.Contains(text, tt.want) {
			t.Errorf("%s:\n%s\nwant %s", tt.text, text, tt.want)
		}
	}
}
