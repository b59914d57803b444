package main

import (
	"context"

	"github.com/cayleygraph/quad"
	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/rdf"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/memory"
	"github.com/mishap-robotics/mishap/engine/record"
	"github.com/mishap-robotics/mishap/engine/store"
	"github.com/mishap-robotics/mishap/ontology"
)

func newExport(k *knowledge) *cobra.Command {
	var reified, whole bool
	var id, format string
	var by mapped
	c := &cobra.Command{
		Use:   "export LOG",
		Short: "Write an episode as RDF",
		Long: `Write an episode as RDF: every observation whole, in a named graph of its own, with
a description of the events. With --reified each observed triple is a resource with
subject, predicate and object, linked to its event by hasTriple.

With --record it is written as a memory keeps it, with header, plan, findings and
what led to them: such a file, as N-Quads (*.nq) or N-Triples (*.nt), is a log that
every command reads.

N-Triples and Turtle have no graphs: what is observed is then always reified.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			f, err := rdf.ParseFormat(format)
			if err != nil {
				return err
			}
			o, err := k.loadOntology()
			if err != nil {
				return err
			}
			ep, err := by.one(o, args[0], id)
			if err != nil {
				return err
			}
			reified := reified || !f.HasGraphs()
			var quads []quad.Quad
			if whole {
				quads, err = wholeRecord(c.Context(), k, ep, reified)
			} else {
				quads, err = observed(c.Context(), o, ep, reified)
			}
			if err != nil {
				return err
			}
			return rdf.Write(stdout, f, quads)
		},
	}
	c.Flags().StringVar(&format, "format", string(rdf.NQuads), "nquads, ntriples, trig, turtle or jsonld")
	c.Flags().BoolVar(&whole, "record", false, "write everything about the episode, to be read again as a log")
	c.Flags().BoolVar(&reified, "reified", false, "write each triple as a resource")
	by.flags(c.Flags())
	c.Flags().StringVar(&id, "episode", "", "id of the episode, where the log holds several")
	return c
}

// observed lists what an episode's observations are, and its events.
func observed(ctx context.Context, o *ontology.Ontology, ep *episode.Episode, reified bool) ([]quad.Quad, error) {
	s, err := store.Open(engine.Follow(o, ep))
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if reified {
		return s.Reified(ctx)
	}
	return s.Quads(ctx)
}

// wholeRecord lists everything about an episode.
func wholeRecord(ctx context.Context, k *knowledge, ep *episode.Episode, reified bool) ([]quad.Quad, error) {
	r, err := k.reasoner()
	if err != nil {
		return nil, err
	}
	run, err := concludedWhole(memory.DuringEpisode(ctx, r.Ontology, ep), r, ep)
	if err != nil {
		return nil, err
	}
	form := record.Changes
	if reified {
		form = record.Whole
	}
	quads := record.Episode(r.Ontology, ep, run.Result.Trace, form)
	quads = append(quads, record.Concluded(r.Ontology, run.Conclusions)...)
	if reified {
		quads = record.Reify(quads)
	}
	rdf.Sort(quads)
	return quads, nil
}
