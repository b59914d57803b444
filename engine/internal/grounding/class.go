package grounding

import (
	"github.com/mishap-robotics/mishap/engine/language"
	"github.com/mishap-robotics/mishap/ontology"
)

// ClassOf is the class of objects or agents with a name or label, or that a name with
// modifiers such as "red apple" means; None where there is none.
func ClassOf(o *ontology.Ontology, name string) ontology.TermID {
	if id, ok := o.Lookup(name); ok && (o.IsA(id, o.Core.PhysicalObject) || o.IsA(id, o.Core.Agent)) {
		return id
	}
	for _, kind := range []ontology.TermID{o.Core.PhysicalObject, o.Core.Agent} {
		if ids := o.ByLabel(name, kind); len(ids) > 0 {
			return ids[0]
		}
	}
	return language.ReadNoun(o, name).Class
}
