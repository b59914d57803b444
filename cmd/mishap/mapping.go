package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/bridge/perception"
	"github.com/mishap-robotics/mishap/bridge/perception/mapping"
	"github.com/mishap-robotics/mishap/bridge/recording"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
)

// mapped is the flag of commands that take recordings.
type mapped struct{ file string }

func (m *mapped) flags(f *pflag.FlagSet) {
	f.StringVar(&m.file, "mapping", "", "what the topics of recordings (*.mcap, *.bag, *.db3, folders of rosbag2) are, a YAML file; without one, what is recognised")
}

// reader reads logs, recordings by the mapping.
func (m *mapped) reader(o *ontology.Ontology) (logs.Reader, error) {
	r := logs.Reader{Ontology: o}
	if m.file == "" {
		return r, nil
	}
	var err error
	r.Mapping, err = mapping.ReadFile(document.Disk{}, m.file)
	return r, err
}

// one reads the only episode of a log, or the one of an id.
func (m *mapped) one(o *ontology.Ontology, path, id string) (*episode.Episode, error) {
	r, err := m.reader(o)
	if err != nil {
		return nil, err
	}
	return r.ReadOne(path, id)
}

// all reads the episodes of a log, or of the logs of a folder.
func (m *mapped) all(o *ontology.Ontology, path string) ([]*episode.Episode, error) {
	r, err := m.reader(o)
	if err != nil {
		return nil, err
	}
	return r.ReadAll(path)
}

func newMapping(k *knowledge) *cobra.Command {
	c := &cobra.Command{
		Use:   "mapping",
		Short: "Say what the topics of a robot's recordings are",
	}
	c.AddCommand(newMappingInit(), newMappingCheck(k))
	return c
}

func newMappingInit() *cobra.Command {
	var out string
	var force bool
	c := &cobra.Command{
		Use:   "init RECORDING",
		Short: "Write a first mapping of what is recognised in a recording",
		Long: `Write a first mapping of what is recognised in a recording (MCAP or a bag of ROS), as
YAML: topics with detections, transforms, the gripper, actions, sounds and events,
by the types of their messages. Topics that are not recognised are listed as comments.

Exit code: 0, 1 nothing was recognised, 2 the call or the recording is bad.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			r, err := recording.Open(document.Disk{}, args[0])
			if err != nil {
				return err
			}
			defer r.Close()
			m, others, err := mapping.Recognise(r)
			if err != nil {
				return err
			}
			for _, p := range r.Problems() {
				complain(fmt.Errorf("%s: %s", args[0], p))
			}
			if out == "" {
				err = m.Write(stdout, others)
			} else {
				err = orForce(m.WriteFile(out, force, others))
			}
			if err != nil {
				return err
			}
			if len(m.Topics) == 0 {
				return exit{exitFound}
			}
			return nil
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "file to write to, in place of standard output")
	c.Flags().BoolVar(&force, "force", false, "overwrite a file that is there already")
	return c
}

func newMappingCheck(k *knowledge) *cobra.Command {
	return &cobra.Command{
		Use:   "check MAPPING [RECORDING]",
		Short: "Look for mistakes in a mapping, and whether a recording fits it",
		Long: `Look for mistakes in a mapping, and whether a recording (MCAP or a bag of ROS) fits it:
topics that it has not, types that are others, messages that cannot be read,
detections in frames to which no transform leads, and statuses, actions, sounds and
events that nobody knows.

Exit code: 0 nothing is wrong, 1 something does not fit, 2 the call or a file is bad.`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(_ *cobra.Command, args []string) error {
			m, err := mapping.ReadFile(document.Disk{}, args[0])
			if err != nil {
				return err
			}
			o, err := k.loadOntology()
			if err != nil {
				return err
			}
			odd := m.Unknown(o)
			if len(args) == 1 {
				fmt.Fprintf(stdout, "%d topics\n", len(m.Topics))
				return wrong(odd)
			}
			ep, err := perception.ReadFile(o, document.Disk{}, args[1], m)
			if err != nil {
				return err
			}
			fmt.Fprintf(stdout, "%d topics, %d steps of %s\n", len(m.Topics), len(ep.Steps), args[1])
			for _, w := range ep.Warnings {
				odd = append(odd, errors.New(w.Msg))
			}
			return wrong(odd)
		},
	}
}

// wrong tells what does not fit.
func wrong(odd []error) error {
	if complain(errors.Join(odd...)) {
		return exit{exitFound}
	}
	return nil
}
