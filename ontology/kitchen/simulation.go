// Package kitchen embeds what a simulated kitchen is made of and the
// reasoner must not know: accident physics, failures to inject, the layout of
// the kitchen and the scenarios. A test keeps every package of the reasoner
// from importing it.
package kitchen

import (
	"embed"
	"path"
	"slices"
	"sync"

	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
)

//go:embed *.ttl
var shipped embed.FS

// Shipped lists the simulation documents built into the binary.
func Shipped() []document.Document { return document.Embedded(shipped, "ontology/simulation") }

// Language lists the document that simulations are written in.
func Language() []document.Document {
	return slices.DeleteFunc(Shipped(), func(d document.Document) bool { return path.Base(d.Name) != "vocabulary.ttl" })
}

// Scene lists the others, of the kitchen that is simulated.
func Scene() []document.Document {
	return slices.DeleteFunc(Shipped(), func(d document.Document) bool { return path.Base(d.Name) == "vocabulary.ttl" })
}

// Parse reads ontology documents together with simulation documents. The error
// is that of ontology.Parse.
func Parse(base, simulation []document.Document) (*ontology.Ontology, []ontology.Problem, error) {
	return ontology.Parse(append(append([]document.Document(nil), base...), simulation...))
}

// Default is the built-in ontology with the built-in simulation. It is loaded
// once.
func Default() *ontology.Ontology { return shippedOntology() }

var shippedOntology = sync.OnceValue(func() *ontology.Ontology {
	o, _, err := Parse(ontology.Shipped(), Shipped())
	if err != nil {
		panic(err) // a test keeps the shipped documents free of errors
	}
	return o
})
