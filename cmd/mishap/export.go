package main

import (
	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/store"
)

func newExport(k *knowledge) *cobra.Command {
	var reified bool
	var id string
	c := &cobra.Command{
		Use:   "export LOG",
		Short: "Write an episode as N-Quads",
		Long: `Write an episode as N-Quads: every observation whole, in a named graph of its
own, with a description of the events. With --reified each observed triple is a
resource with subject, predicate and object, linked to its event by hasTriple.`,
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
			s, err := store.Open(engine.Follow(o, ep))
			if err != nil {
				return err
			}
			defer s.Close()
			return s.Write(c.Context(), stdout, reified)
		},
	}
	c.Flags().BoolVar(&reified, "reified", false, "write each triple as a resource")
	c.Flags().StringVar(&id, "episode", "", "id of the episode, where the log holds several")
	return c
}
