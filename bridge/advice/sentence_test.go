package advice

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/ontology"
)

// paraphrase is a sentence with the action that it means, "none" for none, and the things that
// there are; nil for those of stocked.
type paraphrase struct {
	text, action string
	things       []string
}

func paraphrases(t testing.TB, file string) (out []paraphrase) {
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var things []string
	for _, line := range strings.Split(strings.TrimRight(string(data), "\n"), "\n") {
		if room, ok := strings.CutPrefix(line, "# "); ok {
			things = strings.Fields(room)
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 4 {
			t.Fatalf("%q has %d columns", line, len(f))
		}
		action := f[1]
		if action != "none" {
			action = "(" + strings.Join(append([]string{f[1]}, nonEmpty(f[2:])...), ", ") + ")"
		}
		out = append(out, paraphrase{f[0], action, things})
	}
	return out
}

func nonEmpty(list []string) (out []string) {
	for _, s := range list {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

func stocked() *Mapper {
	return roomOf(strings.Fields("Mug-1 Plate-1 Pot-1 Pan-1 Knife-1 Apple-1 Tomato-1 BreadSliced-1 BreadSliced-2 Egg-1 Sink-1 Faucet-1 CounterTop-1 DiningTable-1 Fridge-1 Microwave-1 CoffeeMachine-1 Toaster-1 StoveBurner-1 StoveBurner-2 Drawer-1 Cabinet-1 GarbageCan-1 Bowl-1 WineBottle-1 WineGlass-1 Laptop-1 Television-1 RemoteControl-1 Box-1"))
}

func roomOf(things []string) *Mapper {
	m := &Mapper{Ontology: ontology.Default()}
	for _, name := range things {
		class, _, _ := strings.Cut(name, "-")
		m.Objects = append(m.Objects, NamedObject{name, class})
	}
	return m
}

// paraphraseSets are files of paraphrases, which of their lines, the first and every second or the
// others, were seen by those who fit to them, and what has to be right.
var paraphraseSets = []struct {
	file         string
	seen         [2]bool
	right, wrong [2]int // at least, at most
}{
	{"paraphrases.tsv", [2]bool{true, false}, [2]int{243, 242}, [2]int{0, 0}},
	{"paraphrases_hard.tsv", [2]bool{true, true}, [2]int{115, 115}, [2]int{2, 1}},     // that were wrong once, and others like them
	{"paraphrases_apart.tsv", [2]bool{true, true}, [2]int{50, 50}, [2]int{0, 0}},      // written before anybody saw what becomes of the first
	{"paraphrases_advised.tsv", [2]bool{true, true}, [2]int{50, 50}, [2]int{0, 0}},    // and before the third
	{"paraphrases_fitted.tsv", [2]bool{true, true}, [2]int{215, 216}, [2]int{0, 0}},   // cues were written with it
	{"paraphrases_fresh.tsv", [2]bool{true, false}, [2]int{119, 118}, [2]int{0, 0}},   // written before the last, from the list of actions and objects
	{"paraphrases_household.tsv", [2]bool{true, false}, [2]int{98, 97}, [2]int{0, 0}}, // in the words of a household, written after the fresh ones and before any was tried
	{"paraphrases_learned.tsv", [2]bool{true, true}, [2]int{138, 134}, [2]int{0, 0}},  // written for the embedding to learn from, in other voices than the last
	{"paraphrases_further.tsv", [2]bool{true, true}, [2]int{140, 139}, [2]int{0, 0}},  // written for the embedding to learn from, of the kinds that it missed
	{"paraphrases_places.tsv", [2]bool{true, true}, [2]int{74, 74}, [2]int{1, 0}},     // written for the embedding to learn from, of other rooms than a kitchen
	{"paraphrases_voices.tsv", [2]bool{true, true}, [2]int{63, 62}, [2]int{0, 0}},     // as ten people and programs would write plans; 111 were right, 3 wrong, before any was looked at
	{"paraphrases_unheard.tsv", [2]bool{false, false}, [2]int{59, 57}, [2]int{0, 2}},  // in a dozen further voices, written before any was tried; 104 were right, 4 wrong, before their kinds were looked at
	{"paraphrases_told.tsv", [2]bool{false, false}, [2]int{60, 57}, [2]int{0, 0}},     // in another dozen, written before any was tried; 110 were right, 3 wrong, before their kinds were looked at
	{"paraphrases_broad.tsv", [2]bool{true, true}, [2]int{823, 815}, [2]int{4, 2}},    // drawn for the embedding to learn from: ways to say each action, and none, with things of six further rooms
	{"paraphrases_rooms.tsv", [2]bool{false, false}, [2]int{55, 58}, [2]int{0, 0}},    // in four rooms and four voices, written before any was tried; 88 were right, 7 wrong at first, 86 and 6 once the two above were looked at, before these were
	{"paraphrases_visits.tsv", [2]bool{true, true}, [2]int{59, 60}, [2]int{0, 0}},     // in a bar, a hotel room, a garage and where pets live, written before any was tried; 96 were right, 2 wrong at first
	{"paraphrases_halls.tsv", [2]bool{false, false}, [2]int{53, 50}, [2]int{0, 3}},    // in a laboratory, a banquet hall, a camp and a warehouse, written with the last and only measured: 92 were right, 3 wrong, before the last was looked at, 103 and 3 before those of shops and wards were
	{"paraphrases_trades.tsv", [2]bool{true, true}, [2]int{134, 132}, [2]int{1, 1}},   // of a laundry, a boat, a vet, a studio, a nursery, an office, a library and where a dog lives, written before any was tried; 193 of 276 were right, 15 wrong at first
	{"paraphrases_wide.tsv", [2]bool{true, true}, [2]int{0, 0}, [2]int{99, 99}},       // drawn for the embedding to learn from: further ways to say each action, and none, with things of fourteen rooms by many names
	{"paraphrases_wards.tsv", [2]bool{true, true}, [2]int{60, 59}, [2]int{0, 0}},      // in a ward, a bakery, a classroom and a greenhouse, written before any of these was tried: 95 were right, 6 wrong at first, 112 and 2 before any was looked at
	{"paraphrases_shops.tsv", [2]bool{true, true}, [2]int{74, 72}, [2]int{0, 1}},      // at a hairdresser, in a caravan, of a fishmonger, in an attic and a music room, written before any was tried: 121 of 150 were right, 6 wrong at first
	{"paraphrases_farms.tsv", [2]bool{false, false}, [2]int{66, 62}, [2]int{1, 5}},    // in a gym, a church hall, a workshop, at a birthday party and on a farm, written with the last and only measured, before the words that those needed: 121 were right, 5 wrong at first
	{"paraphrases_kitchen.tsv", [2]bool{true, true}, [2]int{74, 75}, [2]int{0, 0}},    // how to recover from mishaps in a kitchen, by somebody who knew nothing of the mapper: 141 of 150 were right, 3 wrong at first
	{"paraphrases_house.tsv", [2]bool{true, true}, [2]int{74, 75}, [2]int{0, 0}},      // the same in the rooms of a home: 141 of 150 were right, 1 wrong at first
	{"paraphrases_kitchens.tsv", [2]bool{false, false}, [2]int{71, 69}, [2]int{0, 2}}, // of another kitchen, by the same people and only measured: 138 were right, 2 wrong, before the two above were looked at
	{"paraphrases_homes.tsv", [2]bool{false, false}, [2]int{67, 70}, [2]int{1, 3}},    // of another home, by the same people and only measured: 137 were right, 4 wrong, before
}

// Paraphrases by people who had no label at hand, the numbers for those of every second line
// first. With what is only measured, no cue is to be written before one's eyes, and from a file
// of which nothing was seen the embedding is not learned: what is right of that tells what other
// sentences are worth, as TestEmbeddingOfUnseen does.
func TestParaphrases(t *testing.T) {
	usual := stocked()
	for _, tt := range paraphraseSets {
		t.Run(tt.file, func(t *testing.T) {
			if (tt.file == "paraphrases_broad.tsv" || tt.file == "paraphrases_wide.tsv") && os.Getenv("MISHAP_LONG") == "" {
				t.Skip("thousands of lines that are only learned from; with MISHAP_LONG=1")
			}
			var right, wrong [2]int
			m := usual
			var room []string
			for i, p := range paraphrases(t, tt.file) {
				if !slices.Equal(p.things, room) {
					m, room = roomOf(p.things), p.things
				}
				got, said := m.Map(context.Background(), p.text), "none"
				if got.Refused == "" {
					said = got.Action.String()
				}
				switch {
				case said == p.action:
					right[i%2]++
				case said != "none":
					wrong[i%2]++
				}
				if said != p.action && tt.seen[i%2] {
					t.Logf("%q: %s (%s %.2f), want %s; %s", p.text, said, got.How, got.Score, p.action, got.Refused)
				}
			}
			t.Logf("right %v, wrong %v", right, wrong)
			if right[0] < tt.right[0] || right[1] < tt.right[1] || wrong[0] > tt.wrong[0] || wrong[1] > tt.wrong[1] {
				t.Errorf("right %v, wrong %v; expected at least %v and at most %v", right, wrong, tt.right, tt.wrong)
			}
		})
	}
}

// A name in another number is that of a thing, though another class has it in its name, and one that is
// spelt like it is another.
func TestNamesAreSpelt(t *testing.T) {
	m := roomOf(strings.Fields("Curtains-1 Cleaver-1"))
	for text, want := range map[string]string{
		"Open the curtain.":  "(open_obj, Curtains-1)",
		"Fetch the cleaner.": "",
		"Fetch the cleavr.":  "(pick_up, Cleaver-1)",
	} {
		if got := mapped(m, text); got != want {
			t.Errorf("%q is taken for %q, want %q", text, got, want)
		}
	}
}

// mapped is the action that a sentence is taken for, "" for none.
func mapped(m *Mapper, text string) string {
	if l := m.Map(context.Background(), text); l.Refused == "" {
		return l.Action.String()
	}
	return ""
}

// What only tells, denies or asks something is taken for no action, and neither is a verb that
// nobody knows.
func TestWhatIsNotSaid(t *testing.T) {
	m := stocked()
	for text, want := range map[string]string{
		"Do not open the fridge.":                                          "",
		"Never switch on the toaster.":                                     "",
		"If the fridge is open, close it.":                                 "",
		"Is the fridge open?":                                              "",
		"The robot may open the fridge now.":                               "",
		"I have opened the fridge.":                                        "",
		"I have to open the fridge.":                                       "(open_obj, Fridge-1)",
		"Use the knife to slice the tomato.":                               "(slice_obj, Tomato-1)",
		"Frobnicate the mug on the plate.":                                 "",
		"Once the fridge is open, take the apple.":                         "(pick_up, Apple-1)",
		"While holding the mug, go to the sink.":                           "(navigate_to_obj, Sink-1)",
		"Lift the pot off the first burner.":                               "(pick_up, Pot-1)",
		"Open the tap.":                                                    "(toggle_on, Faucet-1)",
		"Close the tap.":                                                   "(toggle_off, Faucet-1)",
		"Open the laptop.":                                                 "(open_obj, Laptop-1)",
		"Fill the mug from the pot.":                                       "(pour, Pot-1, Mug-1)",
		"Fill the mug with water.":                                         "",
		"Empty the pot by tipping it over the sink.":                       "(pour, Pot-1, Sink-1)",
		"Do not forget to close the fridge.":                               "(close_obj, Fridge-1)",
		"Take the apple to the fridge.":                                    "(put_in, Apple-1, Fridge-1)",
		"Take the plate with you to the sink.":                             "(put_in, Plate-1, Sink-1)",
		"Throw the water in the pot into the sink.":                        "(pour, Pot-1, Sink-1)",
		"Pick the apple and the tomato up.":                                "",
		"Turn the plate upside down.":                                      "",
		"Get the microwave to stop.":                                       "(toggle_off, Microwave-1)",
		"Verify the fridge is closed.":                                     "(observe, Fridge-1)",
		"Pour the pan into the bowl.":                                      "(pour, Pan-1, Bowl-1)",
		"Put the mug under the tap.":                                       "",
		"Carry the plate over to the dining table.":                        "(put_on, Plate-1, DiningTable-1)",
		"Give the fridge door a push so that it closes.":                   "(close_obj, Fridge-1)",
		"Twist the tap until the water runs.":                              "(toggle_on, Faucet-1)",
		"Put the pan on the first burner so that it can heat up.":          "(put_on, Pan-1, StoveBurner-1)",
		"The burner must not stay on, so turn the second burner off.":      "(toggle_off, StoveBurner-2)",
		"The laptop is closed: open it.":                                   "(open_obj, Laptop-1)",
		"Open the fridge. Take the egg.":                                   "",
		"Bin the egg.":                                                     "(put_in, Egg-1, GarbageCan-1)",
		"Into the pan goes the egg.":                                       "(put_in, Egg-1, Pan-1)",
		"Hide the remote behind the television.":                           "(put_near, RemoteControl-1, Television-1)",
		"The fridge is open.":                                              "",
		"Leave the burner off.":                                            "",
		"Open the fridge and take out the egg.":                            "",
		"Reach into the fridge and take out the egg.":                      "(pick_up, Egg-1)",
		"Shut the microwave, would you, my arms are full.":                 "(close_obj, Microwave-1)",
		"Shut the microwave, unless it is still on.":                       "",
		"Lay the remote on top of the box.":                                "(put_on, RemoteControl-1, Box-1)",
		"Let go of the mug.":                                               "",
		"Next stop: the microwave.":                                        "(navigate_to_obj, Microwave-1)",
		"The fridge was locked when I came.":                               "",
		"The fridge is already open.":                                      "",
		"Should I find the fridge open, I shall close it.":                 "",
		"Boot the apple into the box.":                                     "(put_in, Apple-1, Box-1)",
		"Varnish the apple into the box.":                                  "",
		"Shut the television off, can't hear myself think.":                "(toggle_off, Television-1)",
		"Shut the television off, the laptop's ringing.":                   "(toggle_off, Television-1)",
		"I wonder if you could open the fridge.":                           "(open_obj, Fridge-1)",
		"Take the glass of wine from the table.":                           "(pick_up, WineGlass-1)",
		"Now that the fridge is open, put the apple in it.":                "(put_in, Apple-1, Fridge-1)",
		"Do not leave the fridge open, close it.":                          "(close_obj, Fridge-1)",
		"The microwave is still on; switch it off.":                        "(toggle_off, Microwave-1)",
		"Open the fridge, otherwise the apple cannot be reached.":          "(open_obj, Fridge-1)",
		"You are holding the mug; leave it beside the plate.":              "(put_near, Mug-1, Plate-1)",
		"Sweep the pieces of the mug together and get them off the floor.": "(sweep_up, Mug-1)",
		"The mug's next to the plate, grab it.":                            "(pick_up, Mug-1)",
		"Grab the mug's handle.":                                           "(pick_up, Mug-1)",
		"The fridge should be open by now.":                                "",
		"Check under the dining table.":                                    "(observe, DiningTable-1)",
		"Let the microwave finish its cycle.":                              "(wait)",
		"Put the slice into the toaster, the first one.":                   "(put_in, BreadSliced-1, Toaster-1)",
		"Hammer and apple into the box.":                                   "",
		"The mug must be polished.":                                        "",
		"Fetch the vacuum cleaner.":                                        "",
		"Let me know what is in the fridge: look inside.":                  "(observe, Fridge-1)",
		"Bring the mug close to the plate and put it down there.":          "(put_near, Mug-1, Plate-1)",
		"Get hold of the egg in the pot.":                                  "(pick_up, Egg-1)",
		"The mug slipped out of the gripper.":                              "",
		"The egg is too heavy for the robot.":                              "",
		"The mug slipped out of the gripper, so pick it up.":               "(pick_up, Mug-1)",
		"Move the trumpet next to the dining table.":                       "",
		"place_object(obj=Mug-1, on=CounterTop-1)":                         "(put_on, Mug-1, CounterTop-1)",
	} {
		if got := mapped(m, text); got != want {
			t.Errorf("%q is taken for %q, want %q", text, got, want)
		}
	}
}
