package nquads_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/bridge/logs/nquads"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/record"
	"github.com/mishap-robotics/mishap/ontology"
)

// records are the lines of n episodes, run-1 to run-n, each by itself.
func records(t *testing.T, n int) (out [][]string, want map[string]*episode.Episode) {
	t.Helper()
	want = map[string]*episode.Episode{}
	for i := range n {
		ep := sample(fmt.Sprintf("run-%d", i+1))
		var text bytes.Buffer
		if err := record.WriteNQuads(&text, record.Episode(ontology.Default(), ep, nil, record.Changes)); err != nil {
			t.Fatal(err)
		}
		out = append(out, strings.SplitAfter(strings.TrimSpace(text.String())+"\n", "\n"))
		ep.Source, ep.File = "t.nq", "run.jsonl"
		want[ep.ID] = ep
	}
	return out, want
}

// What is held while a file is read is bounded by its largest episode, however many there
// are, and where they lie mixed by the bound; each is read whole all the same.
func TestHeldIsBounded(t *testing.T) {
	const most = 40_000
	of, want := records(t, 40)
	largest, size := 0, 0
	for _, lines := range of {
		n := len(strings.Join(lines, ""))
		largest, size = max(largest, n), size+n
	}
	if size < 3*most || largest > most/4 {
		t.Fatalf("episodes of %d bytes, %d at most: nothing would be held back", size, largest)
	}
	apart := slices.Concat(of...)
	sorted := slices.Sorted(slices.Values(apart))
	turns := make([]string, 0, len(apart))
	for i := 0; len(turns) < len(apart); i++ {
		for _, lines := range of {
			if i < len(lines) {
				turns = append(turns, lines[i])
			}
		}
	}
	shuffled := slices.Clone(apart)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	for _, c := range []struct {
		name  string
		lines []string
		most  int // held
		times int // that the file is read
	}{
		{"one after the other", apart, largest, 2},
		{"sorted", sorted, most, 2}, // run-1 ends after run-10 to run-19
		{"in turns", turns, most + largest, 0},
		{"shuffled", shuffled, most + largest, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			fsys := fstest.MapFS{"t.nq": {Data: []byte(strings.Join(c.lines, ""))}}
			got, peak, times, err := nquads.Held(ontology.Default(), fsys, "t.nq", most)
			if err != nil {
				t.Fatal(err)
			}
			if peak > c.most || peak == 0 {
				t.Errorf("%d bytes are held, want at most %d", peak, c.most)
			}
			if c.times > 0 && times != c.times || c.times == 0 && times <= 2 {
				t.Errorf("the file is read %d times, want %d (0 is more than 2)", times, c.times)
			}
			if len(got) != len(want) {
				t.Fatalf("%d episodes, want %d", len(got), len(want))
			}
			for _, ep := range got {
				if diff := cmp.Diff(want[ep.ID], ep); diff != "" {
					t.Fatalf("(-written +read):\n%s", diff)
				}
			}
		})
	}
}

// Nothing is read on once nobody wants more, and nothing is handed on of a file with a line
// that is no quad, wherever it stands.
func TestStopsEarly(t *testing.T) {
	of, _ := records(t, 3)
	text := strings.Join(slices.Concat(of...), "")
	fsys := fstest.MapFS{"t.nq": {Data: []byte(text)}, "bad.nq": {Data: []byte(text + "<x:a> 1e <x:b> .\n")}}
	seen := 0
	for _, err := range nquads.Episodes(ontology.Default(), fsys, "t.nq") {
		if err != nil {
			t.Fatal(err)
		}
		seen++
		break
	}
	if seen != 1 {
		t.Errorf("%d episodes, want 1", seen)
	}
	for ep, err := range nquads.Episodes(ontology.Default(), fsys, "bad.nq") {
		if want := fmt.Sprintf("bad.nq:%d: found", strings.Count(text, "\n")+1); ep != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, %v; want the error %s", ep, err, want)
		}
	}
}

// A record from which nothing can be rebuilt does not hide those beside it.
func TestBadBesideGood(t *testing.T) {
	of, _ := records(t, 2)
	bad := slices.DeleteFunc(slices.Clone(of[0]), func(line string) bool { return strings.Contains(line, "#Episode>") })
	got, err := read(ontology.Default(), "t.nq", strings.Join(slices.Concat(bad, of[1]), ""))
	if err == nil || !strings.Contains(err.Error(), `a record from which episode "run-1" cannot be rebuilt`) {
		t.Errorf("error %v, want one of run-1", err)
	}
	if len(got) != 1 || got[0].ID != "run-2" {
		t.Errorf("%d episodes, want run-2", len(got))
	}
}

// A line keeps to the grammar as the recommendation has it, where terms end as far on as they
// can.
func TestGrammar(t *testing.T) {
	pieces := rapid.SampledFrom([]string{"<x:a>", "<x:a", "<a>", "<:>", "<x+1:é\\u00e9>", "<x:\\U0001F600>", "<x:\\u00g0>", "<x:{>", "_:a", "_:", "_:a.b", "_:a.", "_:-a", "_:é·", "\"\"", "\"a\\\"b\"", "\"a\\q\"",
		"\"a", "\"é\\t\"", "\"a\"@en", "\"a\"@en-GB-1", "\"a\"@", "\"a\"@e1", "\"a\"^^<x:t>", "\"a\"^^", "\"a\"^<x:t>", ".", "..", " ", "\t", "#c", "1e", "@prefix", "\\", "<", ">", "\""})
	rapid.Check(t, func(t *rapid.T) {
		line := strings.Join(rapid.SliceOfN(pieces, 0, 9).Draw(t, "pieces"), rapid.SampledFrom([]string{"", " ", "\t "}).Draw(t, "between"))
		agree(t, line)
	})
	for _, s := range []string{"<x:a> <x:b> <x:c> .", "_:a<x:b>_:c.", "<x:a> <x:b> \"c\"@en <x:g> . # c", "<x:a> <x:b> \"c\"^^<x:t> _:g.", " <x:a>\t<x:b> _:a.b ."} {
		if !nquads.IsQuad(s) {
			t.Errorf("%q is refused", s)
		}
	}
}

func FuzzGrammar(f *testing.F) {
	for _, s := range []string{"<x:a> <x:b> \"1\"^^<x:c> <x:g> .", "_:a <x:b> \"x\"@en-GB .", "<x:\\u00e9> <x:b> _:c.d. # e"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if utf8.ValidString(line) && !strings.ContainsAny(line, "\n\r") {
			agree(t, line)
		}
	})
}

func agree(t interface{ Errorf(string, ...any) }, line string) {
	want := nquads.Grammar.MatchString(line)
	touching := strings.Contains(strings.ReplaceAll(line, " _:", ""), "_:") && want // the expression may end a label early
	if got := nquads.IsQuad(line); got != want && !touching {
		t.Errorf("%q: keeps to the grammar: %v, want %v", line, got, want)
	}
}
