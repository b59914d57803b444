//go:build !js

package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/tggo/goRDFlib/term"

	"github.com/mishap-robotics/mishap/bridge/sparql"
)

// SPARQLText writes an answer as a table; triples as N-Triples, the verdict of ASK as yes or no.
func SPARQLText(w io.Writer, a *sparql.Answer) error {
	switch {
	case a.Kind == "ASK" && a.Verdict:
		_, err := fmt.Fprintln(w, "yes")
		return err
	case a.Kind == "ASK":
		_, err := fmt.Fprintln(w, "no")
		return err
	case a.Kind != "SELECT":
		for _, t := range a.Triples {
			if _, err := fmt.Fprintln(w, clean(t.Subject.N3()+" "+t.Predicate.N3()+" "+t.Object.N3()+" .")); err != nil {
				return err
			}
		}
		return nil
	}
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, strings.Join(a.Variables, "\t"))
	for _, row := range a.Rows {
		cells := make([]string, len(row))
		for i, x := range row {
			if cells[i] = clean(plainTerm(x)); cells[i] == "" {
				cells[i] = "-"
			}
		}
		fmt.Fprintln(t, strings.Join(cells, "\t"))
	}
	return t.Flush()
}

// plainTerm is a term without the marks that tell what it is.
func plainTerm(t term.Term) string {
	switch t := t.(type) {
	case nil:
		return ""
	case term.Literal:
		return t.Lexical()
	case term.URIRef:
		return t.Value()
	}
	return t.N3()
}

// SPARQLJSON writes rows or a verdict as SPARQL 1.1 Query Results JSON.
func SPARQLJSON(w io.Writer, a *sparql.Answer) error {
	if a.Kind == "ASK" {
		return JSON(w, map[string]any{"head": map[string]any{}, "boolean": a.Verdict})
	}
	bindings := []map[string]any{}
	for _, row := range a.Rows {
		b := map[string]any{}
		for i, x := range row {
			if x != nil {
				b[a.Variables[i]] = jsonTerm(x)
			}
		}
		bindings = append(bindings, b)
	}
	vars := a.Variables
	if vars == nil {
		vars = []string{}
	}
	return JSON(w, map[string]any{"head": map[string]any{"vars": vars}, "results": map[string]any{"bindings": bindings}})
}

func jsonTerm(t term.Term) map[string]string {
	switch t := t.(type) {
	case term.URIRef:
		return map[string]string{"type": "uri", "value": t.Value()}
	case term.BNode:
		return map[string]string{"type": "bnode", "value": t.Value()}
	case term.Literal:
		out := map[string]string{"type": "literal", "value": t.Lexical()}
		switch d := t.Datatype().Value(); {
		case t.Language() != "":
			out["xml:lang"] = t.Language()
		case d != "" && d != term.XSDString.Value():
			out["datatype"] = d
		}
		return out
	}
	return map[string]string{"type": "literal", "value": t.N3()}
}

// SPARQLCSV writes rows as SPARQL 1.1 Query Results CSV.
func SPARQLCSV(w io.Writer, a *sparql.Answer) error {
	out := csv.NewWriter(w)
	out.UseCRLF = true
	rows := [][]string{a.Variables}
	for _, row := range a.Rows {
		cells := make([]string, len(row))
		for i, x := range row {
			cells[i] = plainTerm(x)
		}
		rows = append(rows, cells)
	}
	return out.WriteAll(rows)
}
