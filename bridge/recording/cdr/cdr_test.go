package cdr_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/bridge/recording/cdr"
	"github.com/mishap-robotics/mishap/bridge/recording/message"
)

type written struct {
	Name, Encoding, Type, Definition, Hex string
	Value                                 any
}

var parsers = map[string]func(name, text string) (*cdr.Decoder, error){"ros2msg": cdr.ParseMsg, "ros2idl": cdr.ParseIDL, "ros1msg": cdr.ParseROS1}

func (w *written) decoder(t testing.TB) *cdr.Decoder {
	t.Helper()
	d, err := parsers[w.Encoding](w.Type, w.Definition)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func (w *written) data(t testing.TB) []byte {
	t.Helper()
	data, err := hex.DecodeString(w.Hex)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// fixtures are messages that testdata/generate.mjs and generate_ros1.mjs wrote with Foxglove's
// libraries.
func fixtures(t testing.TB) []written {
	t.Helper()
	var out []written
	for _, file := range []string{"messages.json", "messages_ros1.json"} {
		text, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		var some []written
		if err := json.Unmarshal(text, &some); err != nil {
			t.Fatal(err)
		}
		out = append(out, some...)
	}
	return out
}

// plain is a value as encoding/json has it; whole numbers that it would round are texts, as
// the fixtures have them.
func plain(v message.Value, like any) any {
	switch v.Kind() {
	case message.Object:
		fields, _ := like.(map[string]any)
		out := map[string]any{}
		for name, f := range v.Fields() {
			out[name] = plain(f, fields[name])
		}
		return out
	case message.Array, message.Numbers, message.Bytes:
		elements, _ := like.([]any)
		out := []any{}
		for e := range v.Elements() {
			var l any
			if len(out) < len(elements) {
				l = elements[len(out)]
			}
			out = append(out, plain(e, l))
		}
		return out
	case message.Text:
		s, _ := v.Text()
		return s
	case message.Bool:
		b, _ := v.Truth()
		return b
	}
	if _, ok := like.(string); ok {
		return v.String()
	}
	f, _ := v.Float()
	return f
}

// What Foxglove's library writes is read as it was.
func TestDecodeWhatOthersWrite(t *testing.T) {
	seen := 0
	for _, w := range fixtures(t) {
		t.Run(w.Name, func(t *testing.T) {
			var m message.Message
			if err := w.decoder(t).Decode(&m, w.data(t)); err != nil {
				t.Fatal(err)
			}
			if w.Name == "nothing in lists" { // written with defaults
				if got := m.Root().Field("s").String(); got != `"a default"` {
					t.Errorf("the default is %s", got)
				}
				return
			}
			seen++
			if diff := cmp.Diff(w.Value, plain(m.Root(), w.Value)); diff != "" {
				t.Errorf("written (-), read (+):\n%s", diff)
			}
		})
	}
	if seen != 6 {
		t.Errorf("%d messages compared", seen)
	}
}

// Every message that breaks off is an error, with its place, and none is taken for whole.
func TestTruncated(t *testing.T) {
	for _, w := range fixtures(t) {
		d, data := w.decoder(t), w.data(t)
		var m message.Message
		for n := range data {
			err := d.Decode(&m, data[:n])
			if err == nil {
				t.Fatalf("%s: %d of %d bytes are taken for the whole", w.Name, n, len(data))
			}
			if e := new(cdr.Error); !asError(err, &e) || e.Offset > n {
				t.Fatalf("%s: %v", w.Name, err)
			}
		}
	}
}

func asError(err error, to **cdr.Error) bool {
	e, ok := err.(*cdr.Error)
	*to = e
	return ok
}

func TestBigEndianAndCDR2(t *testing.T) {
	d, err := cdr.ParseMsg("t/T", "uint8 a\nfloat64 x\nint16[] s")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, hex string }{
		{"CDR, big endian", "00000000" + "07" + "00000000000000" + "3ff8000000000000" + "00000002" + "fffe" + "0102"},
		{"CDR, little endian", "00010000" + "07" + "00000000000000" + "000000000000f83f" + "02000000" + "feff" + "0201"},
		{"CDR 2, big endian", "00060000" + "07" + "000000" + "3ff8000000000000" + "00000002" + "fffe" + "0102"},
		{"CDR 2, little endian", "00070000" + "07" + "000000" + "000000000000f83f" + "02000000" + "feff" + "0201"},
	} {
		data, _ := hex.DecodeString(tt.hex)
		var m message.Message
		if err := d.Decode(&m, data); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		} else if got := m.Root().String(); got != "{a: 7, x: 1.5, s: [-2, 258]}" {
			t.Errorf("%s: %s", tt.name, got)
		}
	}
}

func TestDecodeErrors(t *testing.T) {
	definition := "Box[] boxes\nstring<=3 name\n===\nMSG: t/Box\nfloat32[2] size\nuint8[<=2] id"
	for _, tt := range []struct{ name, hex, want string }{
		{"empty", "", "byte 0: found 0 bytes; expected the four bytes that tell the encoding"},
		{"parameter list", "0003000000000000", "byte 0: found encoding 3; expected plain CDR (0 or 1) or CDR 2 (6 or 7)"},
		{"too many", "00010000ffffffff00000000", "byte 4 (boxes): found 4294967295 elements; expected no more than fit in the 4 bytes left"},
		{"a long text", "0001000000000000ffffff7f", "byte 8 (name): found a text of 2147483647 bytes; expected no more than the 0 bytes left"},
		{"beyond the bound", "00010000010000000000803f0000803f0300000001020300", "byte 16 (boxes[0].id): found 3 elements; expected at most 2"},
	} {
		d, err := cdr.ParseMsg("t/T", definition)
		if err != nil {
			t.Fatal(err)
		}
		data, err := hex.DecodeString(tt.hex)
		if err != nil {
			t.Fatal(err)
		}
		var m message.Message
		if err := d.Decode(&m, data); err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v\nwant %s", tt.name, err, tt.want)
		}
	}
}

func TestDefinitionErrors(t *testing.T) {
	deep := "T0 t"
	for i := range 80 {
		deep += fmt.Sprintf("\n===\nMSG: t/T%d\nT%d t", i, i+1)
	}
	for _, tt := range []struct {
		name, text, want string
		idl              bool
	}{
		{name: "recurs", text: "A a\n===\nMSG: t/A\nB b\n===\nMSG: t/B\nA a", want: "definition of t/A: found a type within itself; expected types that do not recur"},
		{name: "recurs at once", text: "t/T[] a", want: "a type within itself"},
		{name: "unknown", text: "uint8 a\nq/Other b", want: `definition of t/T, line 2: found the unknown type "q/Other" of b`},
		{name: "no field", text: "uint8", want: `definition of t/T, line 1: found "uint8"; expected such as float64[] data`},
		{name: "wide", text: "wstring a", want: "found the type wstring of a"},
		{name: "no name", text: "===\nuint8 a", want: `line 2: found "uint8 a"; expected MSG: package/Type`},
		{name: "deep", text: deep, want: "more than 64 types within one another"},
		{name: "huge", text: "A[2000000000] a\n===\nMSG: t/A\nfloat64[2000000000] b", want: "a type of more than 2 GiB"},
		{name: "IDL: a union", idl: true, text: "module t { union T switch(long) {}; };", want: `line 1: found "union"; expected module, struct`},
		{name: "IDL: open", idl: true, text: "module t {\nstruct T { long a; ", want: "found the end; expected a type"},
		{name: "IDL: not there", idl: true, text: "module t { struct S { long a; }; };", want: "found no structure of that name"},
		{name: "IDL: recurs", idl: true, text: "module t { struct T { sequence<T> a; }; };", want: "a type within itself"},
		{name: "IDL: annotation", idl: true, text: "@a(b", want: `found the end; expected ")"`},
	} {
		parse := cdr.ParseMsg
		if tt.idl {
			parse = cdr.ParseIDL
		}
		if _, err := parse("t/T", tt.text); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v\nwant %s", tt.name, err, tt.want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, w := range fixtures(f) {
		f.Add(w.Encoding, w.Definition, w.data(f))
	}
	f.Fuzz(func(t *testing.T, encoding, definition string, data []byte) {
		parse := parsers[encoding]
		if parse == nil {
			return
		}
		d, err := parse("test/msg/Scan", definition)
		if err != nil {
			if e, ok := err.(*cdr.DefinitionError); !ok || e.Found == "" || e.Expected == "" {
				t.Fatalf("%#v", err)
			}
			return
		}
		var m message.Message
		if err := d.Decode(&m, data); err != nil {
			if e, ok := err.(*cdr.Error); !ok || e.Offset > len(data) {
				t.Fatalf("%v", err)
			}
			return
		}
		if len(data) < 1<<12 {
			_ = m.Root().String()
		}
	})
}

// BenchmarkDecode decodes two detections, as robots send them, over and over.
func BenchmarkDecode(b *testing.B) {
	w := fixtures(b)[0]
	d, data := w.decoder(b), w.data(b)
	b.SetBytes(int64(len(data)))
	var m message.Message
	for b.Loop() {
		if err := d.Decode(&m, data); err != nil {
			b.Fatal(err)
		}
	}
}
