package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/cayleygraph/quad"
	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/bridge/sparql"
	"github.com/mishap-robotics/mishap/engine/memory"
	"github.com/mishap-robotics/mishap/engine/record"
)

func newSPARQL(k *knowledge) *cobra.Command {
	of := &memoryFlags{}
	var file, format string
	var limits sparql.Limits
	most, memoryMB := 0, int64(0)
	by := &mapped{}
	c := &cobra.Command{
		Use:   "sparql QUERY [LOG…], or sparql --file FILE [LOG…]",
		Short: "Answer a SPARQL query over the graph of logs, or of a memory",
		Long: `Answer a SPARQL 1.1 query (SELECT, ASK, CONSTRUCT or DESCRIBE) over the graph of logs,
or with --memory over that of the episodes that --robot, --since and the like let
through, and of the ontology. The default graph has the triples of all graphs; GRAPH asks one by its name.
Nothing is written or fetched: updates, SERVICE, LOAD and FROM are refused.

Exit code: 0 at least one answer or yes, 1 none or no, 2 the call or an input is bad, or
a limit was reached.`,
		RunE: func(c *cobra.Command, args []string) error {
			if !slices.Contains([]string{"text", "json", "csv"}, format) {
				return fmt.Errorf("--format %q; expected text, json or csv", format)
			}
			query := ""
			switch {
			case file != "":
				text, err := os.ReadFile(file)
				if err != nil {
					return err
				}
				query = string(text)
			case len(args) == 0:
				return errors.New("no query; expected QUERY or --file FILE")
			default:
				query, args = args[0], args[1:]
			}
			if (of.place != "") == (len(args) > 0) {
				return errors.New("expected either logs or --memory DIR to ask")
			}
			if err := sparql.Check(query); err != nil {
				return err
			}
			g := sparql.NewGraph(most)
			if err := fillGraph(c.Context(), k, by, of, g, args); err != nil {
				return err
			}
			limits.Memory = memoryMB << 20
			a, err := g.Query(c.Context(), query, limits)
			if err != nil {
				return err
			}
			switch {
			case format != "text" && a.Kind != "SELECT" && a.Kind != "ASK", format == "csv" && a.Kind != "SELECT":
				return fmt.Errorf("--format %s of %s; expected text", format, a.Kind)
			case format == "json":
				err = report.SPARQLJSON(stdout, a)
			case format == "csv":
				err = report.SPARQLCSV(stdout, a)
			default:
				err = report.SPARQLText(stdout, a)
			}
			if err == nil && len(a.Rows) == 0 && len(a.Triples) == 0 && !a.Verdict {
				return exit{exitFound}
			}
			return err
		},
	}
	fs := c.Flags()
	fs.StringVar(&file, "file", "", "read the query from a file")
	fs.StringVar(&format, "format", "text", "text, json (SPARQL results) or csv")
	fs.DurationVar(&limits.Time, "timeout", sparql.DefaultTime, "longest that the query may take")
	fs.IntVar(&limits.Rows, "rows", sparql.DefaultRows, "most answers")
	fs.Int64Var(&memoryMB, "max-memory", sparql.DefaultMemory>>20, "how many MB the query may take")
	fs.IntVar(&most, "quads", 2_000_000, "most quads that are loaded")
	of.where(fs, "to ask, in place of LOG")
	of.filters(fs)
	by.flags(fs)
	return c
}

// fillGraph loads what is to be asked: logs, with what is found in them, or episodes.
func fillGraph(ctx context.Context, k *knowledge, by *mapped, of *memoryFlags, g *sparql.Graph, paths []string) error {
	if len(paths) == 0 {
		filter, err := of.filter(time.Now())
		if err != nil {
			return err
		}
		o, err := k.loadOntology()
		if err != nil {
			return err
		}
		m, err := of.open(ctx, o, true)
		if err != nil {
			return err
		}
		defer m.Close()
		for q, err := range m.Match(ctx, memory.Pattern{Graph: record.OntologyGraph}) {
			if err == nil {
				err = g.Add([]quad.Quad{q})
			}
			if err != nil {
				return err
			}
		}
		for e, err := range m.List(ctx, filter) {
			if err != nil {
				return err
			}
			quads, err := m.Quads(ctx, e.ID)
			if err == nil {
				err = g.Add(quads)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	o, err := k.loadOntology()
	if err != nil {
		return err
	}
	for _, p := range paths {
		all, err := by.all(o, p)
		if err != nil {
			return err
		}
		for _, ep := range all {
			quads, err := wholeRecord(ctx, k, ep, false)
			if err == nil {
				err = g.Add(quads)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}
