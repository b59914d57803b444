package episode_test

import (
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

func TestParseAction(t *testing.T) {
	o := ontology.Default()
	for text, want := range map[string]string{
		"(pick_up, Mug)":                     "(pick_up, Mug)",
		" ( put_in ,Mug-1,  Sink ) ":         "(put_in, Mug-1, Sink)",
		"(open, Fridge)":                     "(open_obj, Fridge)",
		"(close, Fridge)":                    "(close_obj, Fridge)",
		"(slice, Bread)":                     "(slice_obj, Bread)",
		"(crack, Egg)":                       "(crack_obj, Egg)",
		"(move_to, Sink)":                    "(navigate_to_obj, Sink)",
		"(pour, Mug)":                        "(pour, Mug)",
		"(pour, Mug, Sink)":                  "(pour, Mug, Sink)",
		"(tip_out, Basket-1, Hamper)":        "(pour, Basket-1, Hamper)",
		"(tip_out, salad_box_1, Hamper)":     "(pour, salad_box_1, Hamper)",
		"(tip_out, sock_a, Hamper)":          "(put_in, sock_a, Hamper)",
		"(tip_out, Sock-2, Hamper)":          "(put_in, Sock-2, Hamper)",
		"(observe)":                          "(observe)",
		"(toggle_on, StoveBurner-4)":         "(toggle_on, StoveBurner-4)",
		"(put_on, Pot, fourth stove burner)": "(put_on, Pot, fourth stove burner)",
	} {
		a, err := episode.ParseAction(o, text)
		if err != nil || a.String() != want {
			t.Errorf("ParseAction(%q) = %s, %v; want %s", text, a, err, want)
		}
	}
	for text, want := range map[string]string{
		"":                                   "expected the form (name, Object)",
		"pick_up, Mug":                       "expected the form",
		"(":                                  "expected the form",
		"()":                                 `unknown action ""`,
		"(pick_up)":                          "has 0 arguments; pick_up takes 1",
		"(pick_up, Mug, Sink)":               "has 2 arguments; pick_up takes 1",
		"(pour)":                             "has 0 arguments; pour takes 1 to 2",
		"(pick_up, )":                        "has an empty argument",
		"(pickap, Mug)":                      "unknown action \"pickap\"; did you mean pick_up?",
		"(" + strings.Repeat("x", 500) + ")": "…\"; known are ",
	} {
		if _, err := episode.ParseAction(o, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseAction(%q): error %v, want %q", text, err, want)
		}
	}
}

func TestSplitName(t *testing.T) {
	for name, want := range map[string]struct {
		class  string
		number int
	}{
		"StoveBurner-4": {"StoveBurner", 4}, "Mug": {"Mug", 0}, "a-b-2": {"a-b", 2}, "Mug-": {"Mug-", 0}, "-1": {"-1", 0},
		"Mug-99999999999": {"Mug-99999999999", 0}, "": {"", 0},
		"mug_0": {"mug", ontology.Zeroth}, "umbrella:4": {"umbrella", 4}, "/kitchen/soda_can/1": {"/kitchen/soda_can", 1},
		"wine_glass_2": {"wine_glass", 2}, "cup#1": {"cup", 1}, "magazine 12": {"magazine", 12}, "trk_0204": {"trk", 204}, "wine_glass": {"wine_glass", 0},
	} {
		if class, n := episode.SplitName(name); class != want.class || n != want.number {
			t.Errorf("SplitName(%q) = %q, %d", name, class, n)
		}
	}
}

func TestSpelling(t *testing.T) {
	for name, want := range map[string]string{
		"WineGlass-1": "wineglass1", "wine_glass_1": "wineglass1", "wine glass #1": "wineglass1", "wineGlass1": "wineglass1",
		"cup-12": "cup12", "cup 1 2": "cup1-2", "": "", "#": "",
	} {
		if got := episode.Spelling(name); got != want {
			t.Errorf("Spelling(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestWarnOnce(t *testing.T) {
	var ep episode.Episode
	ep.Warn(3, "odd")
	ep.Warn(5, "odd")
	ep.Warn(5, "odder")
	if len(ep.Warnings) != 2 || ep.Warnings[0].Line != 3 {
		t.Errorf("warnings %v", ep.Warnings)
	}
}

func FuzzParseAction(f *testing.F) {
	for _, s := range []string{"(pick_up, Mug)", "(put_in, Mug, Sink)", "(pour, a b)", "()", "(,)", "(observe)"} {
		f.Add(s)
	}
	o := ontology.Default()
	f.Fuzz(func(t *testing.T, text string) {
		a, err := episode.ParseAction(o, text)
		if err != nil {
			return
		}
		again, err := episode.ParseAction(o, a.String())
		if err != nil || again != a {
			t.Fatalf("%q is %s, which reads back as %s: %v", text, a, again, err)
		}
	})
}
