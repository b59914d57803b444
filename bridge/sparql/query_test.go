package sparql_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/cayleygraph/quad"

	"github.com/mishap-robotics/mishap/bridge/sparql"
)

func graphOf(t *testing.T) *sparql.Graph {
	t.Helper()
	g := sparql.NewGraph(0)
	var quads []quad.Quad
	for _, s := range []quad.IRI{"x:1", "x:2", "x:3"} {
		for _, label := range []quad.IRI{"x:g", "x:h"} {
			quads = append(quads, quad.Quad{Subject: s, Predicate: quad.IRI("x:p"), Object: quad.String("a"), Label: label})
		}
	}
	if err := g.Add(quads); err != nil {
		t.Fatal(err)
	}
	return g
}

// A triple of two graphs is one of the default graph; of graphs by name it is one of each.
func TestGraphs(t *testing.T) {
	g := graphOf(t)
	for query, want := range map[string]int{
		`SELECT * { ?s <x:p> ?o }`:                              3,
		`SELECT * { ?s ?p "a" }`:                                3,
		`SELECT * { GRAPH ?g { ?s <x:p> ?o } }`:                 6,
		`SELECT * { GRAPH <x:h> { <x:1> <x:p> ?o } }`:           1,
		`SELECT * { GRAPH <x:none> { ?s ?p ?o } }`:              0,
		`SELECT * { ?s <x:p> "FROM a SERVICE" }`:                0,
		`SELECT ?s { ?s <x:p> ?o } LIMIT 2`:                     2,
		`SELECT * { ?s <x:p> ?o . FILTER(?s != <x:1>) } # LOAD`: 2,
	} {
		a, err := g.Query(t.Context(), query, sparql.Limits{})
		if err != nil || len(a.Rows) != want {
			t.Errorf("%s: %d rows, error %v; want %d", query, len(a.Rows), err, want)
		}
	}
}

// What is wrong with a query is told without a graph, as it is with one.
func TestCheck(t *testing.T) {
	g := graphOf(t)
	for query, want := range map[string]string{
		`ASK { ?a ?b ?c }`:                       "",
		`DESCRIBE ?s WHERE { ?s <x:p> "a" }`:     "",
		`SELECT * { ?a n:b ?c }`:                 `query: found the prefix "n:", which is not declared`,
		`INSERT DATA { <x:a> <x:b> <x:c> }`:      "query: found INSERT; expected",
		`SELECT * { SERVICE <x:s> { ?a ?b 1 } }`: "query: found SERVICE; expected",
		`SELECT { `:                              "query: found ",
		``:                                       "query: found ",
	} {
		_, asked := g.Query(t.Context(), query, sparql.Limits{})
		for how, err := range map[string]error{"checked": sparql.Check(query), "asked": asked} {
			if told := ""; (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
				if err != nil {
					told = err.Error()
				}
				t.Errorf("%s: %s: %q; want %q", query, how, told, want)
			}
		}
	}
}

// A query is over when its limit is reached, also where it looks at no triple.
func TestLimits(t *testing.T) {
	g := graphOf(t)
	if _, err := g.Query(t.Context(), `SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }`, sparql.Limits{Looks: 20}); !errors.Is(err, sparql.ErrLimit) {
		t.Errorf("looks: error %v", err)
	}
	if _, err := g.Query(t.Context(), `SELECT * { ?a ?b ?c }`, sparql.Limits{Rows: 2}); !errors.Is(err, sparql.ErrLimit) {
		t.Errorf("rows: error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := g.Query(ctx, `SELECT * { ?a ?b ?c }`, sparql.Limits{Time: time.Hour}); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
	many := `{ VALUES ?v { ` + strings.Repeat("1 ", 60) + `} }`
	query := "SELECT * {"
	for _, name := range []string{"?a", "?b", "?c"} {
		query += strings.ReplaceAll(many, "?v", name)
	}
	if _, err := g.Query(t.Context(), query+"}", sparql.Limits{Time: time.Millisecond}); err == nil || !errors.Is(err, sparql.ErrLimit) {
		t.Errorf("values: error %v", err)
	}
	small := sparql.NewGraph(1)
	q := quad.Quad{Subject: quad.IRI("x:1"), Predicate: quad.IRI("x:p"), Object: quad.IRI("x:2")}
	if err := small.Add([]quad.Quad{q, q}); !errors.Is(err, sparql.ErrTooLarge) {
		t.Errorf("quads: error %v", err)
	}
}
