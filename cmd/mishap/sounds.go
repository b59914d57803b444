package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/audio"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/ontology/document"
)

func newSounds(k *knowledge) *cobra.Command {
	var scores, format string
	var rule audio.Rule
	var least, margin float64
	c := &cobra.Command{
		Use:   "sounds FILE.wav",
		Short: "Hear where something is to be heard in a sound file, and what",
		Long: `Hear where something is to be heard in a WAV file: where the level is above a
threshold (--threshold), else where a third of an octave surpasses its background, which
hears in noise too. With --scores, what a classifier wrote beside it, each sound has the
label of the ontology's sounds with the best score. A mapping does the same for
recordings ("audio"); this command shows with which numbers.

Exit code: 0, or 2 where the call or a file is bad.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return fmt.Errorf("--format %q; expected text or json", format)
			}
			if !(rule.Threshold <= 0) {
				return fmt.Errorf("--threshold %v; expected less than 0 dB", rule.Threshold)
			}
			if !(rule.Above >= 0) {
				return fmt.Errorf("--over-background %v; expected more than 0 dB", rule.Above)
			}
			o, err := k.loadOntology()
			if err != nil {
				return err
			}
			sound, short, err := audio.ReadFile(document.Disk{}, args[0])
			if err != nil {
				return err
			}
			bad := false
			if short > 0 {
				bad = complain(fmt.Errorf("%s: found the end of the file, %d bytes too soon; expected a whole file", args[0], short))
			}
			var by []audio.Score
			if scores != "" {
				by, err = audio.ReadScores(document.Disk{}, scores)
				bad = complain(err) || bad
			}
			out := report.Sounds{File: args[0], Seconds: sound.Seconds()}
			for _, s := range sound.Segments(rule) {
				label, score, ok := audio.Label(o, s, by, least, margin)
				if !ok {
					label = ""
				}
				out.Segments = append(out.Segments, report.Sound{Begin: s.Begin, End: s.End, Level: s.Level, Centroid: s.Centroid, Flatness: s.Flatness, Label: label, Score: score})
			}
			if format == "json" {
				err = out.JSON(stdout)
			} else {
				err = out.Text(stdout)
			}
			if err == nil && bad {
				return exit{exitBad}
			}
			return err
		},
	}
	f := c.Flags()
	f.StringVar(&scores, "scores", "", `what a classifier wrote of the sound, JSON Lines: {"start": 0.96, "end": 1.92, "scores": {"glass breaking": 0.8}}`)
	f.Float64Var(&rule.Threshold, "threshold", 0, "level above which something is heard, in dB of full scale; 0 is by the background")
	f.Float64Var(&rule.Above, "over-background", audio.DefaultAbove, "by how many dB a third of an octave must surpass its background")
	f.Float64Var(&least, "min-score", 0, "score below which a sound has no label")
	f.Float64Var(&margin, "margin", 0, "by how much the best sound must surpass the next")
	f.StringVar(&format, "format", "text", "text or json")
	return c
}
