package ontology

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// prefixed is a recorder that knows prefixes, and one of them twice.
func prefixed(tb testing.TB) *recorder {
	r := newRecorder()
	if err := r.turtle(prefixes + "@prefix : <http://x/> .\n@prefix a: <http://x/a#> .\n@prefix true: <http://x/t#> .\n"); err != nil {
		tb.Fatal(err)
	}
	return r
}

// bothWays reads a statement with and without plain, and reports whether that reads it.
func bothWays(tb testing.TB, plain, parsed *recorder, text string) bool {
	tb.Helper()
	first := len(plain.triples)
	if !plain.plain("x.ttl", statement{text, 1}) {
		if len(plain.triples) != first {
			tb.Fatalf("%q is given up, and leaves triples", text)
		}
		return false
	}
	parsedFrom := len(parsed.triples)
	if err := parsed.turtle(text + "\n"); err != nil {
		tb.Fatalf("%q is read, and to the parser is: %v", text, err)
	}
	got, want := slices.Clone(plain.triples[first:]), parsed.triples[parsedFrom:]
	lines := strings.Split(text, "\n")
	for i := range got {
		if at := got[i].pos.Line; at < 1 || at > len(lines) || got[i].o.kind == literalNode && !strings.Contains(lines[at-1], got[i].o.value) {
			tb.Fatalf("%q: %v stands elsewhere", text, got[i])
		}
		got[i].pos = Pos{}
	}
	if !slices.Equal(got, want) {
		tb.Fatalf("%q (-parser +plain):\n%s", text, cmp.Diff(want, got, cmp.AllowUnexported(triple{}, node{})))
	}
	return true
}

// Statements that are read without the parser give the triples that it gives, in every
// document that there is; and hardly one is left to it.
func TestPlainStatements(t *testing.T) {
	read, left := 0, 0
	err := filepath.WalkDir("..", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".ttl" {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		statements, err := splitTurtle(name, string(data))
		if err != nil {
			return nil // a sample of what is no Turtle
		}
		plain, parsed := newRecorder(), newRecorder()
		for _, st := range statements {
			switch {
			case isDirective(st.text):
				if plain.turtle(st.text) != nil || parsed.turtle(st.text) != nil {
					return nil
				}
			case bothWays(t, plain, parsed, st.text):
				read++
			default:
				left++
				if plain.turtle(st.text+"\n") != nil || parsed.turtle(st.text+"\n") != nil {
					return nil
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if read < 1000 || left*50 > read {
		t.Errorf("%d statements are read and %d left to the parser", read, left)
	}
}

// oddStatements are as plain as others or nearly so.
var oddStatements = []string{
	`m:X a m:Y .`, `m:X a m:Y, m:Z ; .`, `m:X a m:Y ;; m:p "a" , "b".`, `m:X a m:Y. `, `m:X a m:Y.`,
	`m:X m:p 1, -2, 3.5, true, false .`, `m:X m:p 1.`, `m:X m:p true.`, `m:X m:p 1.5e3 .`, `m:X m:p +1 .`, `m:X m:p .5 .`, `m:X m:p 01 .`, `m:X m:p - .`,
	`m:X m:p [] .`, `m:X m:p [ a m:Y ; m:q [ m:r "x" ], ( 1 2 ) ] .`, `m:X m:p ( ) , ( ( ) "x" [ ] [ m:q () ] ) .`, `m:X m:p (m:a(m:b)) .`,
	`[] m:p m:Y .`, `[ m:p m:Y ] .`, `( 1 ) m:p m:Y .`, `:X a: a:a .`, `: : : .`, `a:X a a:Y .`, `true:x a true:y .`, `m:X m:p true:x .`, `m:X m:p (true) .`, `m:X m:p [ m:q true] .`,
	"m:X # that\n a m:Y # . ;\n .", `m:X a m:Y#.`, `m:X m:p "a#b" .`, `m:X m:p "" .`, `m:X m:p """a""" .`, `m:X m:p "a\"b" .`, `m:X m:p 'a' .`, `m:X m:p "a"@en .`, `m:X m:p "a"^^xsd:int .`,
	`m:X-1 m:p_2 m:3 .`, `m:-X a m:Y .`, `m:X.y a m:Y .`, `m:X a m:Y.z .`, `m:%41 a m:Y .`, `m:é a m:Y .`, `m:X m:p "é" .`, `<http://x> a m:Y .`, `m:X a <http://x> .`, `_:b a m:Y .`, `none:X a m:Y .`,
	`m:X a m:Y ~ m:Z .`, `m:X a m:Y {| a m:Z |} .`, `m:X m:p "a";m:q"b".`, `m:X m:p[m:q m:r].`, `m:X a m:Y] .`, `m:X a m:Y`, `m:X .`, `.`, ``, `m:X m:p "a" m:q .`, "m:X m:p \"a\nb\" .", "m:X\tm:p\rm:Y .",
	`PREFIX m: <http://y/>`, `prefix:X a m:Y .`, `base :x :y .`, `a a a .`, `m:a a m:b; a m:c .`,
}

func TestOddStatements(t *testing.T) {
	plain, parsed := prefixed(t), prefixed(t)
	for _, text := range oddStatements {
		bothWays(t, plain, parsed, text)
	}
}

// Whatever is read without the parser is to it the same.
func FuzzPlainStatements(f *testing.F) {
	for _, text := range oddStatements {
		f.Add(text)
	}
	for _, d := range Shipped() {
		statements, err := splitTurtle(d.Name, string(d.Data))
		if err != nil {
			f.Fatal(err)
		}
		for i := 0; i < len(statements); i += 7 {
			f.Add(statements[i].text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := splitTurtle("x.ttl", text); err == nil && utf8.ValidString(text) { // which readTurtle asks for
			bothWays(t, prefixed(t), prefixed(t), text)
		}
	})
}
