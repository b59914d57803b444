package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/audio"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/ontology/document"
)

func newSounds(k *knowledge) *cobra.Command {
	var by classifier
	var format string
	var rule audio.Rule
	var least, margin float64
	c := &cobra.Command{
		Use:   "sounds FILE.wav",
		Short: "Hear where something is to be heard in a sound file, and what",
		Long: `Hear where something is to be heard in a WAV file: where the level is above a
threshold (--threshold), else where a third of an octave surpasses its background, which
hears in noise too. With --scores, what a classifier wrote beside it, each sound has the
label of the ontology's sounds with the best score; with --model and --labels, by what a
classifier in the ONNX format says, where the program is built with -tags onnx. A mapping does the same for
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
			scores, told, err := by.scores(args[0])
			if err != nil {
				return err
			}
			bad = bad || told
			out := report.Sounds{File: args[0], Seconds: sound.Seconds()}
			for _, s := range sound.Segments(rule) {
				label, score, ok := audio.Label(o, s, scores, least, margin)
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
	f.StringVar(&by.written, "scores", "", `what a classifier wrote of the sound, JSON Lines: {"start": 0.96, "end": 1.92, "scores": {"glass breaking": 0.8}}`)
	f.StringVar(&by.model, "model", "", "a classifier of sound (ONNX), for programs built with -tags onnx")
	f.StringVar(&by.labels, "labels", "", "the labels that it scores, a text file with one a line")
	f.IntVar(&by.rate, "rate", 0, "samples a second that it takes; 0 is 16000")
	f.Float64Var(&rule.Threshold, "threshold", 0, "level above which something is heard, in dB of full scale; 0 is by the background")
	f.Float64Var(&rule.Above, "over-background", audio.DefaultAbove, "by how many dB a third of an octave must surpass its background")
	f.Float64Var(&least, "min-score", 0, "score below which a sound has no label")
	f.Float64Var(&margin, "margin", 0, "by how much the best sound must surpass the next")
	f.StringVar(&format, "format", "text", "text or json")
	return c
}

// classifier is who says what a sound is: a file with what one wrote, or a model with its labels.
type classifier struct {
	written, model, labels string
	rate                   int
}

// scores are what it says of a sound file; told reports whether something of them was no good,
// which was told.
func (c *classifier) scores(file string) (scores []audio.Score, told bool, err error) {
	switch {
	case c.written != "" && c.model != "" || (c.model == "") != (c.labels == ""):
		return nil, false, errors.New("--model and --labels; expected both or neither, and no --scores with them")
	case c.written != "":
		scores, err := audio.ReadScores(document.Disk{}, c.written)
		return scores, complain(err), nil
	case c.model == "":
		return nil, false, nil
	}
	m, err := audio.ReadModel(document.Disk{}, c.model, c.labels, c.rate, 0)
	if err != nil {
		return nil, false, err
	}
	defer m.Close()
	scores, err = m.Scores(document.Disk{}, file)
	return scores, false, err
}
