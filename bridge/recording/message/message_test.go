package message_test

import (
	"math"
	"testing"

	"github.com/mishap-robotics/mishap/bridge/recording/message"
)

// sample is {a: [{b: 1.5}, {b: -2}], raw: [7, 8], n: [-1, 258], t: "é", none: null}.
func sample() *message.Message {
	m := new(message.Message)
	all := m.Begin("", message.Object, 6)
	list := m.Begin("a", message.Array, 2)
	for _, f := range []float64{1.5, -2} {
		one := m.Begin("", message.Object, 1)
		m.AddBits("b", message.Float, math.Float64bits(f))
		m.End(one)
	}
	m.End(list)
	m.AddData("raw", message.Bytes, []byte{7, 8})
	m.AddNumbers("n", message.Packed{Kind: message.Int, Size: 2, BigEndian: true}, []byte{0xff, 0xff, 1, 2})
	m.AddData("t", message.Text, []byte("\xe9"))
	m.AddBits("none", message.Null, 0)
	list = m.Begin("meta", message.Array, 2)
	for _, key := range []string{"x", "a.b"} {
		one := m.Begin("", message.Object, 2)
		m.AddData("key", message.Text, []byte(key))
		m.AddData("value", message.Text, []byte("of "+key))
		m.End(one)
	}
	m.End(list)
	m.End(all)
	return m
}

func TestPaths(t *testing.T) {
	root := sample().Root()
	for text, want := range map[string]string{
		"":                    `{a: [{b: 1.5}, {b: -2}], raw: [7, 8], n: [-1, 258], t: "�", none: null, meta: [{key: "x", value: "of x"}, {key: "a.b", value: "of a.b"}]}`,
		"a[1].b":              "-2",
		"a[1]":                "{b: -2}",
		"a[2].b":              "nothing",
		"a.b":                 "nothing",
		"raw[1]":              "8",
		"n[1]":                "258",
		"n[0].x":              "nothing",
		"t":                   `"�"`,
		"none":                "null",
		"missing":             "nothing",
		"meta[key=a.b].value": `"of a.b"`,
		"meta[key=c].value":   "nothing",
	} {
		p, err := message.ParsePath(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := root.At(p); got.String() != want || got.Exists() != (want != "nothing" && want != "null") {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{".", ".a", "a.", "a..b", "a[", "a[-1]", "a[x]", "a[=x]", "a[k=x", "a]", "[0]]", "a[1]b"} {
		if p, err := message.ParsePath(text); err == nil {
			t.Errorf("%q is taken for the path %v", text, p)
		}
	}
}

func TestNumbers(t *testing.T) {
	root := sample().Root()
	if i, ok := root.Field("n").Index(0).Int(); i != -1 || !ok {
		t.Errorf("%d, %v", i, ok)
	}
	if f, ok := root.Field("raw").Index(0).Float(); f != 7 || !ok {
		t.Errorf("%v, %v", f, ok)
	}
	if _, ok := root.Field("a").Index(0).Field("b").Int(); ok {
		t.Error("1.5 is a whole number")
	}
	if _, ok := root.Field("t").Float(); ok {
		t.Error("a text is a number")
	}
}

func FuzzParsePath(f *testing.F) {
	f.Add("results[0].hypothesis.score")
	f.Fuzz(func(t *testing.T, text string) {
		if p, err := message.ParsePath(text); err == nil {
			_ = sample().Root().At(p).String()
		}
	})
}
