package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestOutputShowsControls(t *testing.T) {
	for in, want := range map[string]string{
		"a line\n\tand another\n":           "a line\n\tand another\n",
		"Tür 扉 👩‍🚀":                         "Tür 扉 👩‍🚀",
		"\x1b[31mred\x1b[0m":                `\u001b[31mred\u001b[0m`,
		"\x1b]0;title\a":                    `\u001b]0;title\u0007`,
		"over\rwritten \b \x7f":             `over\u000dwritten \u0008 \u007f`,
		"\u009b31m":                         `\u009b31m`,
		"\u202egnp.exe \u2066x\u2069\u200f": `\u202egnp.exe \u2066x\u2069\u200f`,
		"\u2028":                            `\u2028`,
		"bad \xff\x9b byte":                 "bad \ufffd\ufffd byte",
	} {
		for _, colour := range []bool{false, true} {
			var whole, bytewise bytes.Buffer
			o := NewOutput(&whole, colour)
			if n, err := o.Write([]byte(in)); n != len(in) || err != nil {
				t.Errorf("%q: wrote %d, %v", in, n, err)
			}
			o = NewOutput(&bytewise, colour)
			for i := range len(in) {
				o.Write([]byte{in[i]})
			}
			if whole.String() != want || bytewise.String() != want {
				t.Errorf("%q is written %q, byte by byte %q, want %q", in, whole.String(), bytewise.String(), want)
			}
		}
	}
}

// What is shown in JSON reads back as it was.
func TestOutputKeepsJSON(t *testing.T) {
	var b bytes.Buffer
	in := []string{"\u202e\u009b\x1b[31m\x7f", "plain"}
	if err := JSON(NewOutput(&b, false), in); err != nil {
		t.Fatal(err)
	}
	var out []string
	if err := json.Unmarshal(b.Bytes(), &out); err != nil || out[0] != in[0] || out[1] != in[1] {
		t.Errorf("%s reads back as %q, %v", b.String(), out, err)
	}
}

// Colours are the program's own: a log that holds the same codes gets none.
func TestOutputStyle(t *testing.T) {
	var b bytes.Buffer
	o := NewOutput(&b, true)
	s := o.Style()
	if _, err := o.Write([]byte(s.Red + "own" + s.Reset + Colour().Red + "forged")); err != nil {
		t.Fatal(err)
	}
	if want := "\x1b[31mown\x1b[0m" + `\u001b[31mforged`; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	if NewOutput(&b, false).Style() != (Style{}) {
		t.Error("an output without colours has a style")
	}
}

type full struct{ room int }

func (f *full) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

var errFull = errors.New("no space left on device")

func TestOutputKeepsItsError(t *testing.T) {
	o := NewOutput(&full{10}, false)
	for range 3 {
		o.Write([]byte(strings.Repeat("x", 4)))
	}
	if !errors.Is(o.Err(), errFull) {
		t.Errorf("error %v", o.Err())
	}
}
