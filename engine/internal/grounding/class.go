package grounding

import (
	"strings"
	"unicode"

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
	return language.ReadNoun(o, apart(name)).Class
}

// apart writes a name such as "LaundryBasket" in words.
func apart(name string) string {
	var out strings.Builder
	last := ' '
	for _, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(last) {
			out.WriteByte(' ')
		}
		out.WriteRune(r)
		last = r
	}
	return out.String()
}
