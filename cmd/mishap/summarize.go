package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/logs/reflectlog"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine/memory"
)

func newSummarize(k *knowledge) *cobra.Command {
	var level int
	var out, id string
	var force bool
	by := &mapped{}
	c := &cobra.Command{
		Use:   "summarize LOG",
		Short: "Write a log as key frames in natural language",
		Long: `Write a log as REFLECT's summaries: key frames in natural language, each with its
time, the action, what was seen with its states and relations, what the gripper
holds, and what was heard.

--level 1 keeps the frames in which the scene changed, a sound began or ended, or
a subgoal ended; --level 2 only the ends of subgoals.

With -o the summary and the task are written to a folder that mishap reads as a
log: "mishap check DIR". Such a log has no complete observations and one robot.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if level != 1 && level != 2 {
				return fmt.Errorf("--level %d; expected 1 or 2", level)
			}
			o, err := k.loadOntology()
			if err != nil {
				return err
			}
			ep, err := by.one(o, args[0], id)
			if err != nil {
				return err
			}
			switch {
			case out != "" && force:
				return reflectlog.ReplaceFolder(out, o, ep, reflectlog.Level(level))
			case out != "":
				return orForce(reflectlog.WriteFolder(out, o, ep, reflectlog.Level(level)))
			}
			for _, line := range reflectlog.Summarize(o, ep, reflectlog.Level(level)) {
				fmt.Fprintln(stdout, line)
			}
			return nil
		},
	}
	c.Flags().IntVar(&level, "level", 1, "1 for events, 2 for subgoals")
	c.Flags().StringVarP(&out, "output", "o", "", "folder to write, with task.json, in place of standard output")
	c.Flags().BoolVar(&force, "force", false, "overwrite a summary that is there already")
	by.flags(c.Flags())
	c.Flags().StringVar(&id, "episode", "", "id of the episode, where the log holds several")
	return c
}

func newNarrate(k *knowledge) *cobra.Command {
	var id string
	by := &mapped{}
	c := &cobra.Command{
		Use:   "narrate LOG",
		Short: "Tell in plain English what happened, step by step",
		Long: `Tell in plain English what the robot set out to do at each step, what came of it,
what was seen to change and what was heard, and what went wrong.

Exit code: 0 no failure found, 1 at least one, 2 the call or an input is bad.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			r, err := k.reasoner()
			if err != nil {
				return err
			}
			ep, err := by.one(r.Ontology, args[0], id)
			if err != nil {
				return err
			}
			res, err := r.Check(memory.DuringEpisode(c.Context(), r.Ontology, ep), ep)
			if err != nil {
				return err
			}
			for _, line := range report.Narrate(r.Ontology, res) {
				fmt.Fprintln(stdout, line)
			}
			if len(res.Findings) > 0 {
				return exit{exitFound}
			}
			return nil
		},
	}
	by.flags(c.Flags())
	c.Flags().StringVar(&id, "episode", "", "id of the episode, where the log holds several")
	return c
}
