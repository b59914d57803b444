package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/record"
	"github.com/mishap-robotics/mishap/engine/store"
)

func newExport(k *knowledge) *cobra.Command {
	var reified, whole bool
	var id string
	c := &cobra.Command{
		Use:   "export LOG",
		Short: "Write an episode as N-Quads",
		Long: `Write an episode as N-Quads: every observation whole, in a named graph of its
own, with a description of the events. With --reified each observed triple is a
resource with subject, predicate and object, linked to its event by hasTriple.

With --record it is written as a memory keeps it, with header, plan, findings and
what led to them: such a file (*.nq) is a log that every command reads.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			o, err := k.loadOntology()
			if err != nil {
				return err
			}
			ep, err := logs.ReadOne(o, args[0], id)
			if err != nil {
				return err
			}
			if whole {
				if reified {
					return errors.New("--record and --reified; expected one of the two")
				}
				return exportRecord(c.Context(), k, ep)
			}
			s, err := store.Open(engine.Follow(o, ep))
			if err != nil {
				return err
			}
			defer s.Close()
			return s.Write(c.Context(), stdout, reified)
		},
	}
	c.Flags().BoolVar(&whole, "record", false, "write everything about the episode, to be read again as a log")
	c.Flags().BoolVar(&reified, "reified", false, "write each triple as a resource")
	c.Flags().StringVar(&id, "episode", "", "id of the episode, where the log holds several")
	return c
}

// exportRecord writes everything about an episode.
func exportRecord(ctx context.Context, k *knowledge, ep *episode.Episode) error {
	r, err := k.reasoner()
	if err != nil {
		return err
	}
	res, err := r.Check(ctx, ep)
	if err != nil {
		return err
	}
	quads := record.Episode(r.Ontology, ep, res.Trace, record.Changes)
	return record.WriteNQuads(stdout, append(quads, record.Concluded(r.Ontology, concluded(r, ep, res).Conclusions)...))
}
