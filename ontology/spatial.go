package ontology

import (
	"slices"
	"strconv"
	"strings"
)

// SpatialHeuristic is how a relation is read off the shapes of two things.
type SpatialHeuristic string

// The heuristics (REFLECT, appendix A.1). The first two ask that the things touch, the next
// five that they do not; left, right and occlusion are as the camera sees them. Proximity
// holds where no other does.
const (
	ByContainment SpatialHeuristic = "containment" // the share of the points of the first within the hull of the second
	BySupport     SpatialHeuristic = "support"     // the shares of the points of the first over the second, and above its top
	ByUp          SpatialHeuristic = "up"          // the cosine between the way from the second to the first and upwards
	ByDown        SpatialHeuristic = "down"
	ByLeft        SpatialHeuristic = "left"
	ByRight       SpatialHeuristic = "right"
	ByOcclusion   SpatialHeuristic = "occlusion" // the share of the points of the first nearer to the camera than all of the second, and how much of the second's outline that of the first covers
	ByProximity   SpatialHeuristic = "proximity"
)

var heuristics = []SpatialHeuristic{ByContainment, BySupport, ByUp, ByDown, ByLeft, ByRight, ByOcclusion, ByProximity}

// SpatialRelation is a relation that is read off shapes, with its thresholds.
type SpatialRelation struct {
	Relation  TermID
	Heuristic SpatialHeuristic
	Distance  float64 // metres between the two at most
	Fraction  float64 // of containment, support and occlusion: of the points at least
	Cosine    float64 // of directions: at least
	Overlap   float64 // of occlusion: of the outlines at least
}

// SpatialRelations are those that are read off shapes, in document order.
func (o *Ontology) SpatialRelations() []SpatialRelation { return slices.Clone(o.spatial) }

// Misalignment is how far, in metres, something of a class is found from where it was before it
// has moved (REFLECT, appendix A.2); ok is false where the ontology does not say.
func (o *Ontology) Misalignment(class TermID) (metres float64, ok bool) {
	return o.number(class, "maximumMisalignment")
}

// StateMargin is by how much the best score of the states of a dimension must surpass the
// next, or 0 where it is the only one, for something to be in it; 0 where the ontology does not say.
func (o *Ontology) StateMargin(dimension TermID) float64 {
	m, _ := o.number(dimension, "minimumMargin")
	return m
}

// number is the last value of a property for a term, else for its nearest superclass: what
// a later document says takes the place of what an earlier one does.
func (o *Ontology) number(t TermID, property string) (f float64, ok bool) {
	p := o.Term(property)
	if t < 0 || p < 0 {
		return 0, false
	}
	for _, c := range append([]TermID{t}, o.order(t)...) {
		for _, v := range slices.Backward(o.values[c]) {
			if v.property != p || v.term >= 0 {
				continue
			}
			if f, err := strconv.ParseFloat(v.text, 64); err == nil {
				return f, true
			}
		}
	}
	return 0, false
}

// readSpatial reads by what relations are read off shapes, and reports numbers that are
// none of a threshold.
func (b *builder) readSpatial() {
	o := b.o
	for i := range o.Terms {
		t := TermID(i)
		b.checkThresholds(t)
		texts := b.own(t, "measuredBy")
		if len(texts) == 0 {
			continue
		}
		measure := texts[len(texts)-1]
		if !slices.Contains(heuristics, SpatialHeuristic(measure.text)) {
			b.problem(measure.pos, false, "%s: measured by %q; expected one of %s", o.Terms[i].Name, measure.text, strings.Join(heuristicNames(), ", "))
			continue
		}
		r := SpatialRelation{Relation: t, Heuristic: SpatialHeuristic(measure.text)}
		ok := true
		for _, n := range r.thresholds() {
			var has bool
			*n.to, has = o.number(t, n.property)
			if !has && ok {
				ok = false
				b.problem(measure.pos, false, "%s: measured by %s without m:%s; expected that number", o.Terms[i].Name, measure.text, n.property)
			}
		}
		if ok {
			o.spatial = append(o.spatial, r)
		}
	}
}

func heuristicNames() []string {
	var out []string
	for _, m := range heuristics {
		out = append(out, string(m))
	}
	return out
}

type threshold struct {
	property string
	to       *float64
}

// thresholds are those that a heuristic needs.
func (r *SpatialRelation) thresholds() []threshold {
	out := []threshold{{"maximumDistance", &r.Distance}}
	switch r.Heuristic {
	case ByContainment, BySupport:
		return append(out, threshold{"minimumFraction", &r.Fraction})
	case ByOcclusion:
		return append(out, threshold{"minimumFraction", &r.Fraction}, threshold{"minimumOverlap", &r.Overlap})
	case ByProximity:
		return out
	}
	return append(out, threshold{"minimumCosine", &r.Cosine})
}

// own are the literal values of a property of a term itself.
func (b *builder) own(t TermID, property string) []value {
	p := b.o.Term(property)
	var out []value
	for _, v := range b.o.values[t] {
		if p >= 0 && v.property == p && v.term < 0 {
			out = append(out, v)
		}
	}
	return out
}

// checkThresholds reports those of a term that are out of range: distances may be any that
// are not negative, the others go from 0 to 1.
func (b *builder) checkThresholds(t TermID) {
	for _, p := range []struct {
		name string
		most float64
	}{{"maximumDistance", 1e6}, {"maximumMisalignment", 1e6}, {"minimumFraction", 1}, {"minimumCosine", 1}, {"minimumOverlap", 1}, {"minimumMargin", 1}} {
		for _, v := range b.own(t, p.name) {
			if f, err := strconv.ParseFloat(v.text, 64); err != nil || !(f >= 0 && f <= p.most) {
				b.problem(v.pos, false, "%s: %s %q; expected a number from 0 to %v", b.o.Terms[t].Name, p.name, v.text, p.most)
			}
		}
	}
}
