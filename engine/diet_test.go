package engine_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/engine/internal/episodetest"
)

// What somebody must not have is told whatever the food is called, and what stands in for it
// is served without a word.
func TestDiets(t *testing.T) {
	r := reasoner(t)
	for _, tt := range []struct {
		diet        string
		wrong, fine []string // foods
	}{
		{"gluten-free (celiac disease)", []string{"PretzelBag", "Croissant"}, []string{"Polenta"}},
		{"celiac disease", []string{"Couscous", "Bulgur", "Naan", "Penne", "Burrito", "SpringRoll", "Seitan", "Gravy", "AlcoholFreeBeer"},
			[]string{"GlutenFreeBread", "RiceNoodles", "Polenta", "Quinoa", "CornTortilla", "RiceCake"}},
		{"allergic to milk", []string{"Mozzarella", "Cappuccino", "Tzatziki", "LactoseFreeMilk", "WheyPowder", "Milkshake"},
			[]string{"OatMilk", "VeganCheese", "Espresso", "Margarine", "DarkChocolate"}},
		{"lactose intolerant", []string{"Ricotta", "PannaCotta", "HotChocolate"}, []string{"LactoseFreeMilk", "CoconutYogurt"}},
		{"allergic to eggs", []string{"Carbonara", "Aioli", "Meringue", "Waffle"}, []string{"VeganMayonnaise", "Sorbet"}},
		{"nut allergy", []string{"Nutella", "Pesto", "Baklava", "Marzipan", "Cashew", "AlmondButter"}, []string{"SunflowerSeeds", "Coconut"}},
		{"tree nut allergy", []string{"Muesli", "AlmondMilk"}, []string{"PeanutSauce"}},
		{"peanut allergy", []string{"SataySauce", "TrailMix"}, []string{"HazelnutSpread"}},
		{"allergic to sesame", []string{"Hummus", "Tahini", "SesameOil", "Halva"}, []string{"Guacamole"}},
		{"allergic to soy", []string{"Tempeh", "Edamame", "TeriyakiSauce", "MisoSoup"}, []string{"KidneyBeans"}},
		{"fish allergy", []string{"Sardine", "FishFingers", "WorcestershireSauce", "CaesarSalad"}, []string{"Lobster"}},
		{"allergic to shrimp", []string{"Paella", "Crab", "ClamChowder"}, []string{"Mackerel"}},
		{"mustard allergy", []string{"Vinaigrette", "Mustard"}, []string{"Ketchup"}},
		{"vegetarian", []string{"GummyBears", "Goulash", "ChickenNuggets", "Sushi"}, []string{"VeggieBurger", "Falafel", "ScrambledEgg"}},
		{"vegan", []string{"Brownie", "Honey", "Quiche"}, []string{"VeganCake", "VeganSausage", "Couscous"}},
		{"no pork", []string{"Chorizo", "PepperoniPizza", "Lard"}, []string{"TurkeyBacon", "BeefSausage"}},
		{"no beef", []string{"Cheeseburger", "Veal", "Lasagna"}, []string{"LambChop"}},
		{"halal", []string{"Marshmallow", "Prosciutto", "Tiramisu", "Champagne"}, []string{"RootBeer"}},
		{"pregnant", []string{"Sashimi", "Vodka", "RumCake"}, []string{"Trout"}},
		{"infant", []string{"Honey", "Cola"}, []string{"BabyFood", "BreastMilk"}},
		{"diabetic", []string{"Lemonade", "Caramel"}, []string{"DietCola", "Sweetener"}},
		{"high blood pressure", []string{"PotatoChips", "Olives", "InstantNoodles"}, []string{"Zucchini"}},
		{"no caffeine", []string{"EnergyDrink", "Latte"}, []string{"ChamomileTea", "DecafCoffee"}},
		{"taking statins", []string{"Grapefruit", "GrapefruitJuice"}, []string{"OrangeJuice"}},
		{"citrus allergy", []string{"Lime"}, []string{"Plum"}},
		{"keto", []string{"Rice", "MashedPotato"}, []string{"Omelette"}},
		{"nil by mouth", []string{"Broccoli"}, []string{"Napkin"}},
	} {
		for _, food := range slices.Concat(tt.wrong, tt.fine) {
			ep := episodetest.Parse(t, r.Ontology, strings.ReplaceAll(fmt.Sprintf(`
				person: Ann, %s
				0 | X on_top_of CounterTop-1, Plate-1 on_top_of CounterTop-1, Plate-1 clean
				1 (pick_up, X) | X inside RobotGripper-1
				2 (put_on, X, Plate-1) | X on_top_of Plate-1`, tt.diet), "X", food+"-1"))
			res, err := r.Check(context.Background(), ep)
			if err != nil {
				t.Fatal(err)
			}
			told := slices.Contains(summary(res), "DietaryConstraintsViolation 2<-2 "+food+"-1 Ann")
			if want := slices.Contains(tt.wrong, food); told != want {
				t.Errorf("%s for somebody who is or has %q: told %t, want %t; findings %q", food, tt.diet, told, want, summary(res))
			}
			for _, w := range ep.Warnings {
				t.Errorf("%s for %q: %v", food, tt.diet, w)
			}
		}
	}
}
