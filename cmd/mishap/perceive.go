package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/logs/jsonl"
	"github.com/mishap-robotics/mishap/bridge/perception"
	"github.com/mishap-robotics/mishap/ontology/document"
)

func newPerceive(k *knowledge) *cobra.Command {
	var by mapped
	var out string
	var force, strict bool
	c := &cobra.Command{
		Use:   "perceive RECORDING [-o FILE]",
		Short: "Make an episode log of a robot's recording",
		Long: `Make an episode log of a robot's recording (MCAP or a bag of ROS): detections become
scene graphs, which are read off the places and sizes of things, and kept over time;
with the gripper, the actions and the sounds they become steps. Every command that reads logs takes
recordings too and does the same.

Messages may be in CDR with ros2msg or ros2idl definitions, as ROS 1 writes them, in JSON,
or in Protocol Buffers.
What topics they come from says the mapping; "mishap mapping init" makes a first one.

Exit code: 0, or 2 where the call, the mapping or the recording is bad.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			o, err := k.loadOntology()
			if err != nil {
				return err
			}
			r, err := by.reader(o)
			if err != nil {
				return err
			}
			ep, err := perception.ReadFile(o, document.Disk{}, args[0], r.Mapping)
			if err != nil {
				return err
			}
			var odd []error
			for _, w := range ep.Warnings {
				odd = append(odd, fmt.Errorf("%s: %s", args[0], w.Msg))
			}
			told := complain(errors.Join(odd...))
			if out == "" {
				err = jsonl.Write(stdout, ep)
			} else {
				err = orForce(jsonl.WriteFile(out, force, ep))
			}
			if err == nil && strict && told {
				return exit{exitBad}
			}
			return err
		},
	}
	by.flags(c.Flags())
	c.Flags().StringVarP(&out, "output", "o", "", "file to write to (*.jsonl), in place of standard output")
	c.Flags().BoolVar(&force, "force", false, "overwrite a file that is there already")
	c.Flags().BoolVar(&strict, "strict", false, "exit 2 where anything in the recording was odd or not understood")
	return c
}
