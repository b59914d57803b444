package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/memory"
	"github.com/mishap-robotics/mishap/rules"
)

func newQuery(k *knowledge) *cobra.Command {
	var format, id, groups string
	of := &memoryFlags{}
	by := &mapped{}
	c := &cobra.Command{
		Use:   "query LOG GOAL, or query --memory DIR GOAL",
		Short: "Answer a Prolog goal over the facts of an episode, or of a memory",
		Long: `Answer a Prolog goal over the facts of an episode, with the predicates that
"mishap rules vocabulary" prints and those the rules define. Example:

  mishap query run.jsonl "failed(S), target(S, O)"

Relations of the ontology are predicates too: near(S, A, B) is what the observation of S
shows, and of a relation that lasts what is believed after S.

Of a memory the predicates have the episode first, those without a step may stand as
they are, and there are further ones: episode/1, robot/2, site/2, task/2, label/2,
started/2, found/4, recovers/2, and triple/3 and quad/4 of its graph. Where the goal
asks for what was seen, done or believed each episode is rebuilt and followed for it;
--robot, --since and the like say which. Examples:

  mishap query --memory DIR "dropped(E, S, O), isa(O, 'Mug')" --since 7d
  mishap query --memory DIR "dropped(E, S, O), near(E, S, O, P), isa(P, 'Sink')"
  mishap query --memory DIR "failed(E, S), robot(E, R)" --group-by R
  mishap query --memory DIR "triple(F, type, 'DroppingObjFailure'), triple(F, concerns, O)"

Exit code: 0 at least one answer, 1 none, 2 the call or an input is bad.`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkFormat(format); err != nil {
				return err
			}
			switch {
			case of.place != "" && len(args) == 2:
				return fmt.Errorf("LOG %s and --memory; expected one of the two", args[0])
			case of.place != "" || len(args) == 1 && os.Getenv(memoryVariable) != "":
				return queryMemory(c.Context(), k, of, args[0], groups, format)
			case len(args) == 1:
				return errors.New("one argument; expected LOG and GOAL, or --memory DIR and GOAL")
			case groups != "" || *of != (memoryFlags{}):
				return errors.New("--group-by and what limits episodes are of a memory; expected --memory DIR with them")
			}
			goals, err := rules.ParseGoal(args[1])
			if err != nil {
				return inDetail(err)
			}
			r, err := k.asked(goals)
			if err != nil {
				return err
			}
			ep, err := by.one(r.Ontology, args[0], id)
			if err != nil {
				return err
			}
			if engine.AsksScores(args[1]) {
				r = r.WithScores()
			}
			var out report.Answers
			err = r.Query(memory.DuringEpisode(c.Context(), r.Ontology, ep), r.Facts(ep), args[1], func(names []string, values []*rules.Term) bool {
				out.Add(names, values)
				return true
			})
			if err != nil {
				return inDetail(err)
			}
			if reason := r.Interprets(args[1]); reason != nil {
				fmt.Fprintf(stderr, "%s: this goal is interpreted, which is slower: %s\n", reason.Pos, reason.Text)
			}
			if format == "json" {
				err = out.JSON(stdout)
			} else {
				err = out.Text(stdout)
			}
			if err == nil && len(out.Answers) == 0 {
				return exit{exitFound}
			}
			return err
		},
	}
	c.Flags().StringVar(&format, "format", "text", "text or json")
	c.Flags().StringVar(&groups, "group-by", "", "count the answers by these variables, or by robot, site, task or day: R,day")
	of.where(c.Flags(), "to ask, in place of LOG")
	of.filters(c.Flags())
	by.flags(c.Flags())
	c.Flags().StringVar(&id, "episode", "", "id of the episode, where the log holds several")
	return c
}

// inDetail shows where in a goal it is wrong.
func inDetail(err error) error {
	var syntax *rules.Problem
	if errors.As(err, &syntax) && syntax.Source != "" {
		return errors.New(syntax.Detail())
	}
	return err
}
