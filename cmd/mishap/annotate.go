package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/perception"
	"github.com/mishap-robotics/mishap/bridge/perception/annotate"
	"github.com/mishap-robotics/mishap/bridge/recording"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/ontology/document"
)

func newAnnotate(k *knowledge) *cobra.Command {
	var by mapped
	var out string
	var force, strict bool
	c := &cobra.Command{
		Use:   "annotate RECORDING -o FILE",
		Short: "Write what is found in a recording into a copy of it",
		Long: `Write what is found in a robot's recording (MCAP or a bag of ROS) into a copy of it, an
MCAP file, at the times where it shows: findings on ` + annotate.FindingsTopic + `, the same in words
with their causes and consequences on ` + annotate.LogTopic + ` (foxglove.Log), and the things that are
remembered on ` + annotate.SceneTopic + ` (foxglove.SceneUpdate), those that findings are about in red.
Foxglove, Lichtblick and Rerun show them on their timelines. What the recording has is
copied as it is, as far as it can be read.

Exit code: 0 no failure found, 1 at least one, 2 the call, the mapping or the recording
is bad.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if out == "" {
				return errors.New("no file to write to; name it with -o FILE")
			}
			name := args[0]
			if sameFile(name, out) {
				return fmt.Errorf("-o %s: this is the recording; expected another file", out)
			}
			r, err := k.reasoner()
			if err != nil {
				return err
			}
			reader, err := by.reader(r.Ontology)
			if err != nil {
				return err
			}
			var moments []perception.Moment
			ep, err := perception.Follow(r.Ontology, document.Disk{}, name, reader.Mapping, func(m perception.Moment) { moments = append(moments, m) })
			if err != nil {
				return err
			}
			res, err := r.Check(c.Context(), ep)
			if err != nil {
				return err
			}
			ep.Warnings = res.Episode.Warnings
			var odd []error
			for _, w := range ep.Warnings {
				odd = append(odd, fmt.Errorf("%s: %s", name, w.Msg))
			}
			told := complain(errors.Join(odd...))
			in, err := recording.Open(document.Disk{}, name)
			if err != nil {
				return err
			}
			defer in.Close()
			findings := report.NewEpisode(res).Findings
			if err := annotate.WriteFile(out, force, in, moments, findings); err != nil {
				return orForce(err)
			}
			fmt.Fprintf(stdout, "%s: findings: %d, moments: %d\n", out, len(findings), len(moments))
			if strict && told {
				return exit{exitBad}
			}
			if len(findings) > 0 {
				return exit{exitFound}
			}
			return nil
		},
	}
	by.flags(c.Flags())
	c.Flags().StringVarP(&out, "output", "o", "", "file to write to (*.mcap)")
	c.Flags().BoolVar(&force, "force", false, "overwrite a file that is there already")
	c.Flags().BoolVar(&strict, "strict", false, "exit 2 where anything in the recording was odd or not understood")
	return c
}

// sameFile reports whether two paths lead to one file.
func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y)
}
