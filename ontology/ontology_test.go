package ontology

import "testing"

// The shipped ontology has no error and no warning.
func TestShippedOntologyIsSound(t *testing.T) {
	_, problems, err := Parse(Shipped())
	if err != nil {
		t.Errorf("errors:\n%v", err)
	}
	for _, p := range problems {
		t.Errorf("%v", p)
	}
}
