package language_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/language"
	"github.com/mishap-robotics/mishap/ontology"
)

func TestReadNoun(t *testing.T) {
	o := ontology.Default()
	for text, want := range map[string]string{
		"red apple":                            "Apple [red]",
		"the third counter top":                "CounterTop-3",
		"third counter top":                    "CounterTop-3",
		"dark blue bowl without object on top": "Bowl [blue] dark without object on top?",
		"knife with blue handle":               "Knife with blue handle?",
		"bread_slice_3":                        "BreadSliced-3",
		"slice of bread":                       "BreadSliced",
		"stove burner 2":                       "StoveBurner-2",
		"table on the left of sink":            "Table on the left of sink?",
		"carrot slice":                         "CarrotSliced",
		"glass bowl":                           "Bowl [glass]",
		"mugs":                                 "Mug",
		"dish washer":                          "Dishwasher",
		"red tooth brushes":                    "Toothbrush [red]",
		"washingmachine":                       "WashingMachine",
		"two knives":                           "Knife 2",
		"all potatoes":                         "Potato all",
		"fluxcapacitor":                        "fluxcapacitor",
		"Flux Capacitor":                       "Flux Capacitor",
		"":                                     "",
	} {
		n := language.ReadNoun(o, text)
		got := n.Name(o)
		if n.Count > 0 {
			got += fmt.Sprint(" ", n.Count)
		}
		if n.All {
			got += " all"
		}
		for _, id := range append(n.States, n.Properties...) {
			got += " [" + o.Name(id) + "]"
		}
		if len(n.Unread) > 0 {
			got += " " + strings.Join(n.Unread, " ") + "?"
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestState(t *testing.T) {
	o := ontology.Default()
	for text, want := range map[string]string{
		"with door open": "open", "open": "open", "turned on": "on", "not sliced": "unsliced", "not open": "closed", "lid closed": "closed",
		"filled with water": "filled_with_water", "shiny": "", "": "", "not shiny": "",
	} {
		id, ok := language.State(o, text)
		if got := o.Name(id); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v, want %q", text, got, ok, want)
		}
	}
}

func TestReadActions(t *testing.T) {
	o := ontology.Default()
	a := language.NewActions(o)
	for text, want := range map[string]string{
		"Pick up apple":                              "(pick_up, Apple)",
		"Put apple inside bowl":                      "(put_in, Apple, Bowl)",
		"put pot on fourth stove burner":             "(put_on, Pot, StoveBurner-4)",
		"Toggle on stove burner.":                    "(toggle_on, StoveBurner)",
		"Close fridge":                               "(close_obj, Fridge)",
		"(put_in, Mug, Sink)":                        "(put_in, Mug, Sink)",
		"(slice, Bread)":                             "(slice_obj, Bread)",
		"Wipe the counter top":                       "? (wipe, CounterTop)",
		"take(apple)":                                "(pick_up, Apple)",
		"PICK_UP(apple)":                             "(pick_up, Apple)",
		"pickUp(obj='apple', arm='left')":            "(pick_up, Apple)",
		"robot1.pick_up(apple);":                     "(pick_up, Apple)",
		"pick_up(left, apple)":                       "(pick_up, Apple)",
		"pick(robot1, apple, table)":                 "(pick_up, Apple)",
		"PickupObject(apple_1)":                      "(pick_up, apple_1)",
		"PickupObject|Apple":                         "(pick_up, Apple)",
		"pick_up: red apple":                         "(pick_up, red apple)",
		"pick_up apple from counter":                 "(pick_up, Apple)",
		"(pick-up apple)":                            "(pick_up, Apple)",
		"(put_in apple bowl)":                        "(put_in, Apple, Bowl)",
		"insert(mug, cabinet)":                       "(put_in, Mug, Cabinet)",
		"slice(bread, knife)":                        "(slice_obj, Bread)",
		"turn_on_faucet()":                           "(toggle_on, Faucet)",
		"[open] fridge":                              "(open_obj, Fridge)",
		"frobnicate(mug)":                            "? (frobnicate, Mug)",
		"Put pear near drawer":                       "(put_near, Pear, Drawer)",
		"Put pear under drawer":                      "(put_near, Pear, Drawer)",
		"Cut up the carrot with a knife":             "(slice_obj, Carrot)",
		"Carefully put the egg back into the fridge": "(put_in, Egg, Fridge)",
		"move back to the table":                     "(navigate_to_obj, Table)",
		"Take the mug from the shelf":                "(pick_up, Mug)",
		"Wait until the water boils":                 "(wait)",
		"(wipe, CounterTop)":                         "? (wipe, CounterTop)",
		"(navigate_to_obj, KitchenIsland)":           "(navigate_to_obj, KitchenIsland)",
		"(press, StartButton)":                       "(toggle_on, StartButton)",
		"(hand_over, Mug, left_hand)":                "(handover, Mug)",
		"(put_down, Plate, Table)":                   "(put_on, Plate, Table)",
		"(put_down, Plate)":                          "(put_down, Plate)",
		"(hand_over, Mug, Human)":                    "(give_to, Mug, Human)",
		"Dance":                                      "? (dance)",
		"PickAction(mug-1)":                          "(pick_up, mug-1)",
		"NavigateToPose(table-1)":                    "(navigate_to_obj, table-1)",
		"/navigate_to_pose table-1":                  "(navigate_to_obj, table-1)",
		"nav2_msgs/action/NavigateToPose table-1":    "(navigate_to_obj, table-1)",
		"open_drawer(drawer-1)":                      "(open_obj, drawer-1)",
		"OpenDrawer":                                 "(open_obj, Drawer)",
		"pick_up_mug_2":                              "(pick_up, Mug-2)",
		"put mug-1 table-1":                          "(put_in, mug-1, table-1)",
		"PickUp[mug-1]":                              "(pick_up, mug-1)",
		"grasp_object: {id: mug-1}":                  "(pick_up, mug-1)",
		"pick_up({\"object\": \"mug-1\"})":           "(pick_up, mug-1)",
		"place(target=table-1, object=mug-1)":        "(put_in, mug-1, table-1)",
		"place_in(mug-1, sink-1, height=0.1)":        "(put_in, mug-1, sink-1)",
		"pick(mug-1, 0.3, 0.1)":                      "(pick_up, mug-1)",
		"skill=pick target=mug-1":                    "(pick_up, mug-1)",
		"<PickObject object=\"{mug-1}\"/>":           "(pick_up, mug-1)",
		"<Action ID=\"Pick\" object=\"mug-1\"/>":     "(pick_up, mug-1)",
		"(pick-up robot1 mug-1 table-1)":             "(pick_up, mug-1)",
		"(move robot1 loc1 table-1)":                 "(navigate_to_obj, table-1)",
		"(grasping, mug-1)":                          "(pick_up, mug-1)",
		"env.step(\"pick up the mug\")":              "(pick_up, Mug)",
		"State machine transitioning 'GRASP_MUG':'succeeded'-->'MOVE_TO_TABLE'":                           "(pick_up, Mug)",
		"[(pick tiago mug-1 kitchen) 100%]":                                                               "(pick_up, mug-1)",
		"DB21.SEQ_STEP=20 'PICK_MUG_1' DONE":                                                              "(pick_up, Mug-1)",
		"--> Pick Mug [✓] -- gripper position 0.31":                                                       "(pick_up, Mug)",
		"[bt_navigator]: Begin navigating from current location (4.79, 1.22) to table (31.40, -6.10)":     "(navigate_to_obj, Table)",
		"pick:pick_arm State: Success [Arm=left Object=mug-1]":                                            "(pick_up, mug-1)",
		"#<A ACTION (TYPE PICKING-UP) (ARM RIGHT) (OBJECT #<A OBJECT (TYPE MUG) (NAME MUG-1)>)>":          "(pick_up, MUG-1)",
		"action_id: 2 name: grasp_object parameters: [{key: v, value: robot1}, {key: obj, value: mug-1}]": "(pick_up, mug-1)",
		"/pickup moveit_msgs/PickupGoal(target_name=\"mug-1\", group_name=\"arm\")":                       "(pick_up, mug-1)",
		"org.acme/RobotController/v1/Command/PickLabware(Labware=mug-1, Source=table-1)":                  "(pick_up, mug-1)",
		"manipulation_command PickObjectInImage(label=mug-1): MANIP_STATE_GRASP_SUCCEEDED":                "(pick_up, mug-1)",
		"robot.pick_object(name=\"mug-1\", station=\"table-1\")":                                          "(pick_up, mug-1)",
		"controller.step(action='PickupObject', objectId='mug-1')":                                        "(pick_up, mug-1)",
		"PickupObject(robots[0], 'Mug')":                                                                  "(pick_up, Mug)",
		"[118, 'pick up the Mug']":                                                                        "(pick_up, Mug)",
		"Place[mug-1, on, table-1, None, None]":                                                           "(put_on, mug-1, table-1)",
		"Go to [place:table-1] (Completed)":                                                               "(navigate_to_obj, table-1)",
		"pick_object_server: goal {object_id: mug-1}":                                                     "(pick_up, mug-1)",
		"KCL: (/dispatcher) Dispatching action [0, pick_up (robot1 mug-1 wp1), 0.000, 15.000]":            "(pick_up, mug-1)",
		"place_mug_1_table":                      "(put_in, mug_1, Table)",
		"RIGHT_GRASP(mug-1)":                     "(pick_up, mug-1)",
		"drop in basket":                         "(put_in, it, Basket)",
		"MoveToPlace(table-1)":                   "? (MoveToPlace, table-1)",
		"press the button on the coffee machine": "(toggle_on, CoffeeMachine)",
		"(empty_bin, Station)":                   "? (empty_bin, Station)",
		"lift_flap(tank_1)":                      "? (lift_flap, tank_1)",
		"()":                                     "? ",
		"":                                       "? ",
	} {
		action, known := a.ReadNamed(text)
		got := action.String()
		if !known {
			got = "? " + got
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// goals are texts with the conditions that they are to be read as, one to a line.
var goals = []struct{ text, want string }{
	{"on(mug, table) and closed(fridge)", "Mug located_at Table; Fridge closed"},
	{"(and (on mug table) (not (open fridge)))", "Mug located_at Table; Fridge closed"},
	{"ontop(apple, table) and not open(fridge)", "Apple on_top_of Table; Fridge closed"},
	{"contains(bowl, apple)", "Apple within Bowl"},
	{"(inside ?apple.n.01_1 ?bowl.n.01_1)", "Apple-1 within Bowl-1"},
	{"stack the red cube on the blue cube", "Cube blue; RedCube located_at Cube"},
	{"apple is inside bowl.", "Apple within Bowl"},
	{"a sliced carrot is inside a pan, the pan is on top of a stove burner that is turned on.",
		"CarrotSliced within Pan; StoveBurner on; Pan on_top_of StoveBurner"},
	{"a pot is filled with water, the pot is on top of a stove burner that is turned on.",
		"Pot filled_with_water; StoveBurner on; Pot on_top_of StoveBurner"},
	{"carrot is sliced.", "CarrotSliced"},
	{"the bowl is in the fridge, door closed", "Bowl within Fridge; Fridge closed"},
	{"egg in the fridge, with the fridge door closed", "Egg within Fridge; Fridge closed"},
	{"the egg is in the fridge with the door closed", "Fridge closed; Egg within Fridge"},
	{"knife is in the drawer and pear is in the fridge, both closed", "Knife within Drawer; Pear within Fridge; Drawer closed; Fridge closed"},
	{"the garden door is closed, door locked", "Door closed; Door locked"},
	{"Put the milk back into the fridge and shut the door", "Milk within Fridge; Fridge closed"},
	{"pack the apple into the lunch box, lid closed", "Apple within LunchBox; LunchBox closed"},
	{"the apple is in the lunch box and the lid is on it", "Apple within LunchBox; PotLid located_at LunchBox"},
	{"egg is in the egg tray, the tray is in the fridge", "Egg within EggHolder; EggHolder within Fridge"},
	{"the wine glass is on the table and the glass is empty", "WineGlass located_at Table; WineGlass empty"},
	{"a cake tin and a tray are on the table, the tray is clean", "CakeTin located_at Table; Tray located_at Table; Tray clean"},
	{"the scissors (mind the blades) are in the drawer", "Scissors within Drawer; unread: mind the blades"},
	{"clean apple is in fridge & fridge closed", "Apple clean; Apple within Fridge; Fridge closed"},
	{"the drawer is closed and has the pear in it", "Drawer closed; Pear within Drawer"},
	{"pear and knife are in their most suitable container respectively.", "Pear within Fridge; Knife within Drawer"},
	{"pear and knife are in their most suitable container respectively and both containers are closed", "Pear within Fridge; Knife within Drawer; Fridge closed; Drawer closed"},
	{"the milk is in the fridge, the cup is in the cabinet and both doors are closed", "Milk within Fridge; Cup within Cabinet; Fridge closed; Cabinet closed"},
	{"the apple and the pear are in the bowl and the two fruits are clean", "Apple within Bowl; Pear within Bowl; Apple clean; Pear clean"},
	{"an apple is in the bowl, two fruits are on the table", "Apple within Bowl; Fruit#2 differs Fruit; Fruit located_at Table; Fruit#2 located_at Table"},
	{"the fork is put where it belongs", "Fork within Drawer"},
	{"the carrot has been cut into slices.", "CarrotSliced"},
	{"the pot is full of water and is on a stove burner which is on.", "Pot filled_with_water; StoveBurner on; Pot located_at StoveBurner"},
	{"the potato is heated in the microwave and then put on the countertop.", "Potato hot; Potato located_at CounterTop"},
	{"every fruit that can be seen is in the bowl.", "all Fruit: within Bowl"},
	{"all of the visible fruits on the table are in the bowl.", "all Fruit: within Bowl"},
	{"put away: the knife in the drawer, the pear in the fridge.", "Knife within Drawer; Pear within Fridge; unread: put away"},
	{"a cup is filled with warm water and on top of the dining table", "Cup hot; Cup filled_with_water; Cup on_top_of DiningTable"},
	{"a bowl with sliced lettuce, sliced tomato and sliced potato is stored inside the fridge",
		"LettuceSliced within Bowl; TomatoSliced within Bowl; PotatoSliced within Bowl; Bowl within Fridge"},
	{"a cup filled with coffee is on table.", "Cup filled_with_coffee; Cup located_at Table"},
	{"a bowl with an apple inside is put in fridge.", "Apple within Bowl; Bowl within Fridge"},
	{"a bowl of a heated potato is on the table.", "Potato hot; Potato within Bowl; Bowl located_at Table"},
	{"a pot is on top of a stove burner that is toggled on.", "StoveBurner on; Pot on_top_of StoveBurner"},
	{"The laptop is closed and on the TV stand, and the television is on.",
		"Laptop closed; Laptop located_at TVStand; Television on"},
	{"all apples are in the fridge and the fridge is closed", "Fridge closed; all Apple: within Fridge"},
	{"two glasses are in the dishwasher", "DrinkingGlass#2 differs DrinkingGlass; DrinkingGlass within Dishwasher; DrinkingGlass#2 within Dishwasher"},
	{"the glasses are on the dining table", "Glasses located_at DiningTable"},
	{"two mugs are on the dining table", "Mug#2 differs Mug; Mug located_at DiningTable; Mug#2 located_at DiningTable"},
	{"the apple is in the bowl and nothing else is in the bowl", "Apple within Bowl; all within Bowl: Apple"},
	{"all plates are in the sink and nothing else is", "all Plate: within Sink; all within Sink: Plate"},
	{"the mug is in the sink and nothing else", "Mug within Sink; all within Sink: Mug"},
	{"nothing else is", "unread: nothing else is"},
	{"put the apple next to the bowl", "Apple near Bowl"},
	{"store the apple in the fridge and put the knife away in the second drawer", "Apple within Fridge; Knife within Drawer-2"},
	{"the fridge is not open", "Fridge closed"},
	{"There is a clean mug of coffee on the counter top.", "Mug clean; Mug filled_with_coffee; Mug located_at CounterTop"},
	{"a plate with a toasted bread slice on it is served on the dining table and the faucet is turned off",
		"BreadSliced toasted; BreadSliced located_at Plate; Plate located_at DiningTable; Faucet off"},
	{"Mug 2 is in the sink", "Mug-2 within Sink"},
	{"the wine glass is clean, filled with wine and on the dining table", "WineGlass clean; WineGlass filled_with_wine; WineGlass located_at DiningTable"},
	{"a watered house plant", "HousePlant filled_with_water"},
	{"the blue bowl is in the fridge; the gizmo is flurbed", "Bowl blue; Bowl within Fridge; unread: the gizmo is flurbed"},
	{"a pear is inside a drawer and the drawer is closed", "Pear within Drawer; Drawer closed"},
	{"the microwave is closed and the bowl should be on the table", "Microwave closed; Bowl located_at Table"},
	{"put everything away", "unread: put everything away"},
	{"the toast with jam is on the plate", "BreadSliced located_at Plate; Jam; unread: with jam"},
	{"a plate of sliced bread, carrot and apple is served on the side table",
		"BreadSliced within Plate; CarrotSliced within Plate; AppleSliced within Plate; Plate located_at SideTable"},
	{"a plate of apple and the fork are on the table", "Apple within Plate; Plate located_at Table; Fork located_at Table"},
	{"the bowl contains an apple and the bowl is on the table", "Apple within Bowl; Bowl located_at Table"},
	{"the dirty plate is clean", "Plate clean"},
	{"StoveBurner-2 is on and Pan-1 is on StoveBurner-2", "StoveBurner-2 on; Pan-1 located_at StoveBurner-2"},
	{"400 plants are on the table", "at least 400 Plant: located_at Table"},
	{"put 400 mugs in the sink", "at least 400 Mug: within Sink"},
	{"the table is beside 400 plants", "unread: the table is beside 400 plants"},
	{"the WineBottle is in the GarbageCan", "WineBottle within GarbageCan"},
	{"", ""},
}

func TestReadGoal(t *testing.T) {
	o := ontology.Default()
	for _, tt := range goals {
		if got := words(o, language.ReadGoal(o, tt.text)); got != tt.want {
			t.Errorf("%q:\n got %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

// words are the conditions of a goal as the table writes them.
func words(o *ontology.Ontology, g *language.TextGoal) string {
	var out []string
	for _, c := range g.Conditions(o) {
		out = append(out, c.Text)
	}
	for _, u := range g.Unread {
		out = append(out, "unread: "+u)
	}
	return strings.Join(out, "; ")
}

// Whatever the text, reading ends, and every pattern is about variables there are.
func FuzzReadGoal(f *testing.F) {
	for _, tt := range goals {
		f.Add(tt.text)
	}
	o := ontology.Default()
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 2000 {
			return
		}
		g := language.ReadGoal(o, text)
		check := func(ps []ontology.Pattern) {
			for _, p := range ps {
				for _, a := range []ontology.Arg{p.Subject, p.Object} {
					if a.Var >= len(g.Vars) || !a.IsVar() && a.Term == ontology.None {
						t.Fatalf("%q: pattern %v of %d variables", text, p, len(g.Vars))
					}
				}
			}
		}
		check(g.Patterns)
		for _, fa := range g.ForAll {
			check(fa.When)
			check(fa.Requires)
		}
		if len(g.Names) != len(g.Vars) {
			t.Fatalf("%q: %d names, %d variables", text, len(g.Names), len(g.Vars))
		}
	})
}

// An action that is not understood is none that the ontology knows, and has an error.
func FuzzReadAction(f *testing.F) {
	for _, s := range []string{"Put pear near drawer", "(put_in, Mug)", "(put_in, Mug, Sink)", "toggle", "Pick up apple.", "()", "("} {
		f.Add(s)
	}
	o := ontology.Default()
	a := language.NewActions(o)
	f.Fuzz(func(t *testing.T, text string) {
		action, known := a.Read(text)
		if _, has := o.Action(action.Name); has != known {
			t.Fatalf("%q is %q, known %v", text, action.Name, known)
		}
		if !known && a.Err(text) == nil {
			t.Fatalf("%q has no error", text)
		}
	})
}

func FuzzReadNoun(f *testing.F) {
	for _, s := range []string{"red apple", "third counter top", "bread_slice_3", "two mugs", ",,", "all"} {
		f.Add(s)
	}
	o := ontology.Default()
	f.Fuzz(func(t *testing.T, text string) {
		// Determiners and spaces apart, what is not understood is kept as it was written.
		if n := language.ReadNoun(o, text); n.Class == ontology.None && !strings.HasSuffix(strings.Join(strings.Fields(text), " "), n.Text) {
			t.Fatalf("%q is kept as %q", text, n.Text)
		}
	})
}

func TestNumbered(t *testing.T) {
	for text, want := range map[string][]string{
		"Boil water on the first stove burner.":              {"StoveBurner-1"},
		"Put mug 2 into the sink, and leave the third cup.":  {"Cup-3", "Mug-2"},
		"Boil water on a stove burner":                       nil,
		"Boil water on StoveBurner-2 (not on StoveBurner-1)": {"StoveBurner-2"},
	} {
		if got := language.Numbered(ontology.Default(), text); !slices.Equal(got, want) {
			t.Errorf("%q names %v, want %v", text, got, want)
		}
	}
}

// What one sentence of a plan only takes along, and the next puts there, is a going.
func TestOnTheWay(t *testing.T) {
	a := language.NewActions(ontology.Default())
	for _, c := range []struct {
		plan []string
		want map[string]string
	}{
		{[]string{"Pick up pear", "Move pear to drawer", "Put pear in drawer"}, map[string]string{"Move pear to drawer": "(navigate_to_obj, drawer)"}},
		{[]string{"Move pear to drawer", "Put apple in drawer"}, nil},
		{[]string{"Move pear to drawer", "Put pear in fridge"}, nil},
		{[]string{"Move pear to drawer", "Move pear to drawer"}, nil},
		{[]string{"Put pear on drawer", "Put pear in drawer"}, nil},
		{[]string{"Move pear to drawer"}, nil},
	} {
		var read []episode.Action
		for _, s := range c.plan {
			action, _ := a.Read(s)
			read = append(read, action)
		}
		way := a.OnTheWay(c.plan, read)
		if len(way) != len(c.want) {
			t.Errorf("%v: %v, want %v", c.plan, way, c.want)
		}
		for text, want := range c.want {
			if got := way[text]; got.String() != want {
				t.Errorf("%v: %q is %s, want %s", c.plan, text, got, want)
			}
		}
	}
}

// A text that is too long is not read as a goal, however much of it could be.
func TestReadLongGoal(t *testing.T) {
	const sentence = "the mug is on the table. "
	long := strings.Repeat(sentence, language.MaxGoal/len(sentence)+1)
	if g := language.ReadGoal(ontology.Default(), long); !g.Empty() || len(g.Unread) != 1 || len(g.Unread[0]) > 100 {
		t.Errorf("%d bytes are read as %v, unread %q", len(long), g.Goal, g.Unread)
	}
	if g := language.ReadGoal(ontology.Default(), long[:language.MaxGoal/len(sentence)*len(sentence)]); g.Empty() || len(g.Unread) > 0 {
		t.Errorf("a goal of the greatest length is not read: %q", g.Unread)
	}
}

// Relations are read with a verb before them, and in one word.
func TestRelationLabel(t *testing.T) {
	o := ontology.Default()
	for text, want := range map[string]string{
		"on": "on", "is on": "on", "isOn": "on", "stands on": "on", "is_left_of": "left of", "onTopOf": "on top of", "OnTop": "on top", "insideof": "inside of",
		"is holding": "holding", "HOLDS_RH": "HOLDS_RH", "is": "", "loves": "", "": "",
	} {
		if got := language.RelationLabel(o, text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// What is not known has an error that says so.
func TestActionsErr(t *testing.T) {
	a := language.NewActions(ontology.Default())
	for _, text := range []string{"PickObject(mug_1) foo -> bar", "frobnicate(mug)", "(pick_up)", "sleep standing", "pick object", "", "(((", "PickObject", "{\"speed\":1}", "think"} {
		if _, known := a.Read(text); !known && a.Err(text) == nil {
			t.Errorf("%q is not known, and no error says why", text)
		}
	}
}
