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
		"Ann is allergic to apples, pears and kiwis":            "Ann no Apple no Pear no Kiwi",
		"Ben hates olives. Ann: no mushrooms":                   "Ben no Olive; Ann no Mushroom",
		"the guest cannot have any honey":                       "no Honey",
		"Mia has a tomato allergy and the child dislikes corn":  "Mia no Tomato; no Corn",
		"Tom is mushroom-free":                                  "Tom no Mushroom",
		"Ann is not allergic to tomatoes":                       "",
		"the sink is tomato-free and the plate has no apple":    "",
		"Ann has no apple":                                      "",
		"a pizza without olives":                                "",
		"":                                                      "",
	} {
		var got []string
		for _, d := range language.ReadDiets(o, text) {
			said := d.Who
			if d.Diet != ontology.None {
				said += " " + o.Name(d.Diet)
			} else {
				for _, id := range d.Avoids {
					said += " no " + o.Name(id)
				}
			}
			got = append(got, strings.TrimSpace(said))
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
