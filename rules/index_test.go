package rules

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/ontology/document"
)

// Clauses for names and numbers are looked up by them; where one is for anything, all are
// tried, in order.
func TestDefiningFor(t *testing.T) {
	var text strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&text, "price(item%d, %d).\nmixed(item%d).\n", i, i, i)
	}
	text.WriteString("price(item7, 70).\nprice(7, x).\nmixed(X) :- other(X).\nother(a).\n")
	p, err := Load([]document.Document{{Name: "own.pl", Data: []byte(text.String())}})
	if err != nil {
		t.Fatal(err)
	}
	price, mixed := Indicator{"price", 2}, Indicator{"mixed", 1}
	for _, tt := range []struct {
		of    Indicator
		first *Term
		want  string
	}{
		{price, &Term{Kind: Atom, Name: "item7"}, "[price(item7, 7). price(item7, 70).]"},
		{price, &Term{Kind: Integer, Int: 7}, "[price(7, x).]"},
		{price, &Term{Kind: Atom, Name: "none"}, "[]"},
	} {
		if got := fmt.Sprint(p.DefiningFor(tt.of, tt.first)); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.first, got, tt.want)
		}
	}
	for _, first := range []*Term{nil, {Kind: Variable, Name: "X"}} {
		if got := len(p.DefiningFor(price, first)); got != 1002 {
			t.Errorf("%v: %d clauses, want all", first, got)
		}
	}
	if got := len(p.DefiningFor(mixed, &Term{Kind: Atom, Name: "item7"})); got != 1001 {
		t.Errorf("%d clauses, want all", got)
	}
}

// Two predicates are in one component where each leads to the other.
func TestComponents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const most = 8
		g := &callGraph{calls: map[Indicator][]Indicator{}}
		leads := [most][most]bool{}
		name := func(i int) Indicator { return Indicator{fmt.Sprint("p", i), 0} }
		for i := range most {
			g.order = append(g.order, name(i))
			for _, j := range rapid.SliceOfN(rapid.IntRange(0, most-1), 0, 3).Draw(t, "calls") {
				g.calls[name(i)] = append(g.calls[name(i)], name(j))
				leads[i][j] = true
			}
		}
		for k := range most {
			for i := range most {
				for j := range most {
					leads[i][j] = leads[i][j] || leads[i][k] && leads[k][j]
				}
			}
		}
		want, n := map[Indicator]int{}, 0
		for i := range most {
			if !leads[i][i] || want[name(i)] > 0 {
				continue
			}
			n++
			for j := range most {
				if leads[i][j] && leads[j][i] {
					want[name(j)] = n
				}
			}
		}
		if got := g.components(); !maps.Equal(got, want) {
			t.Fatalf("%v: %v, want %v", g.calls, got, want)
		}
	})
}

// A chain of calls is as deep as a program likes.
func TestLongChain(t *testing.T) {
	var text strings.Builder
	const many = 50_000
	for i := range many {
		fmt.Fprintf(&text, "h%d(X) :- h%d(X).\n", i, i+1)
	}
	fmt.Fprintf(&text, "h%d(X) :- h%d(X).\n", many, many-1)
	p, err := Load([]document.Document{{Name: "own.pl", Data: []byte(text.String())}})
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Components(); len(got) != 2 || got[Indicator{"h50000", 1}] != 1 || got[Indicator{"h49999", 1}] != 1 {
		t.Errorf("components %v, want that of the last two", got)
	}
}
