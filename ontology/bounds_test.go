package ontology_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
)

const prefixes = "@prefix m: <https://mishap-robotics.github.io/ontology#> .\n@prefix owl: <http://www.w3.org/2002/07/owl#> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"

func parseOwn(text string) (*ontology.Ontology, []ontology.Problem, error) {
	return ontology.Parse(append(ontology.Shipped(), document.Document{Name: "own.ttl", Data: []byte(prefixes + text)}))
}

// Long chains of classes are closed; more classes than an ontology may have are refused
// with the number.
func TestManyClasses(t *testing.T) {
	var chain, flat strings.Builder
	above := "Appliance"
	for i := range 1500 {
		fmt.Fprintf(&chain, "m:Link%d a owl:Class ; rdfs:label \"link %d\" ; rdfs:subClassOf m:%s .\n", i, i, above)
		above = fmt.Sprint("Link", i)
	}
	o, _, err := parseOwn(chain.String())
	if err != nil {
		t.Fatal(err)
	}
	first, _ := o.Lookup("Link0")
	last, _ := o.Lookup("Link1499")
	if !o.IsA(last, first) || o.IsA(first, last) {
		t.Error("the last of a chain is one of the first, and not the other way round")
	}
	for i := range 20_001 {
		fmt.Fprintf(&flat, "m:Flat%d a owl:Class ; rdfs:subClassOf m:Appliance .\n", i)
	}
	if _, _, err := parseOwn(flat.String()); err == nil || !strings.Contains(err.Error(), "more than 20000 terms in all documents, the most that an ontology may have") {
		t.Errorf("error %v, want that there are too many terms", err)
	}
}

func TestImportsAreTold(t *testing.T) {
	_, problems, err := parseOwn("<http://example.org/x> a owl:Ontology ; owl:imports <http://example.org/y> .\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		if p.Warning && p.Error() == "own.ttl:4: owl:imports http://example.org/y is not followed; add the document with --ontology" {
			return
		}
	}
	t.Errorf("problems %v, want one that tells of the import", problems)
}
