package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/bench/labelled"
	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
)

func newBenchLogs(k *knowledge) *cobra.Command {
	var truth []string
	var format string
	var quiet bool
	c := &cobra.Command{
		Use:   "logs --truth FILE PATH…",
		Short: "Score what is found in logs of your own against your labels",
		Long: `Check logs and score what is found against labels of yours: how many were read,
in how many of the failing ones the class, the time and the objects are right, in how
many by the first finding, what else was found, and how many right ones raise an
alarm. Each miss is listed with what was expected and found.

Labels are JSON: one object a line (truth.jsonl), or one in the folder of a log
(truth.json); "mishap schema truth" prints the JSON Schema. --truth takes a file,
or a folder in which there are such files. They are read for the score only.

Exit code: 0, or 2 where the call or an input is bad. The counts are the result.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return fmt.Errorf("--format %q; expected text or json", format)
			}
			if len(truth) == 0 {
				return errors.New("no labels; name them with --truth FILE")
			}
			return scoreLogs(c.Context(), k, truth, args, format, newProgress("checking", quiet))
		},
	}
	c.Flags().StringArrayVar(&truth, "truth", nil, "file of labels, or folder in which there are some")
	c.Flags().StringVar(&format, "format", "text", "text or json")
	c.Flags().BoolVar(&quiet, "quiet", false, "no progress")
	return c
}

func scoreLogs(ctx context.Context, k *knowledge, truth, paths []string, format string, p *progress) error {
	var truths []*labelled.Truth
	for _, path := range truth {
		some, err := labelled.ReadTruth(path)
		if err != nil {
			return err
		}
		truths = append(truths, some...)
	}
	r, err := k.reasoner()
	if err != nil {
		return err
	}
	l := labelled.NewLabels(r.Ontology, truths)
	bad := false
	refuse := func(path string, err error) {
		p.end()
		fmt.Fprintln(os.Stderr, err)
		l.Refused(path, err)
		bad = true
	}
	var files []string
	for _, path := range paths {
		found, err := logs.Find(path)
		if err != nil {
			refuse(path, err)
		}
		for _, file := range found {
			if slices.Contains(truth, file) || strings.HasPrefix(filepath.Base(file), labelled.TruthFile) {
				continue // a folder of logs may hold its labels
			}
			files = append(files, file)
		}
	}
	batch := &logs.Batch[engine.Result]{
		Read:     func(path string) ([]*episode.Episode, error) { return logs.Read(r.Ontology, path) },
		Do:       r.Check,
		Progress: p,
	}
	next := 0
	batch.Each(ctx, files, func(of logs.Results[engine.Result]) {
		for i := range of.Episodes {
			l.Checked(&of.Episodes[i])
		}
		for _, err := range of.Errs {
			refuse(files[next], err)
		}
		next++
	})
	p.end()
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := writeScore(l.Result(), format); err != nil || !bad {
		return err
	}
	return exit{exitBad}
}

func writeScore(res *labelled.Result, format string) error {
	if format == "text" {
		return res.Text(os.Stdout)
	}
	enc := json.NewEncoder(os.Stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(res)
}
