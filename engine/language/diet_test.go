package language_test

import (
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/engine/language"
	"github.com/mishap-robotics/mishap/ontology"
)

func TestReadDiets(t *testing.T) {
	o := ontology.Default()
	for text, want := range map[string]string{
		"Breakfast for Ben. Careful, Ben is lactose intolerant": "Ben LactoseIntolerant",
		"a snack for Lena, who is allergic to peanuts":          "Lena PeanutAllergy",
		"bread for Lina (Lina: nut allergy)":                    "Lina NutAllergy",
		"the guest has a nut allergy":                           "NutAllergy",
		"put the vegan burger on the plate":                     "",
		"":                                                      "",
	} {
		var got []string
		for _, d := range language.ReadDiets(o, text) {
			got = append(got, strings.TrimSpace(d.Who+" "+o.Name(d.Diet)))
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
