package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

func newQuery(k *knowledge) *cobra.Command {
	var format, id string
	c := &cobra.Command{
		Use:   "query LOG GOAL",
		Short: "Answer a Prolog goal over the facts of an episode",
		Long: `Answer a Prolog goal over the facts of an episode, with the predicates that
"mishap rules vocabulary" prints and those the rules define. Example:

  mishap query run.jsonl "failed(S), target(S, O)"

Exit code: 0 at least one answer, 1 none, 2 the call or an input is bad.`,
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return fmt.Errorf("--format %q; expected text or json", format)
			}
			r, err := k.reasoner()
			if err != nil {
				return err
			}
			ep, err := oneEpisode(r.Ontology, args[0], id)
			if err != nil {
				return err
			}
			var names []string
			var rows [][]*rules.Term
			err = r.Query(c.Context(), r.Facts(ep), args[1], func(n []string, values []*rules.Term) bool {
				names = n
				rows = append(rows, values)
				return true
			})
			if err != nil {
				var syntax *rules.Problem
				if errors.As(err, &syntax) && syntax.Source != "" {
					return errors.New(syntax.Detail())
				}
				return err
			}
			if reason := r.Interprets(args[1]); reason != nil {
				fmt.Fprintf(os.Stderr, "%s: this goal is interpreted, which is slower: %s\n", reason.Pos, reason.Text)
			}
			if err := printAnswers(format, names, rows); err != nil {
				return err
			}
			if len(rows) == 0 {
				return exit{exitFound}
			}
			return nil
		},
	}
	c.Flags().StringVar(&format, "format", "text", "text or json")
	c.Flags().StringVar(&id, "episode", "", "id of the episode, where the log holds several")
	return c
}

// oneEpisode reads the one episode of a log, or the one with the id.
func oneEpisode(o *ontology.Ontology, path, id string) (*episode.Episode, error) {
	all, err := readLog(o, path)
	if err != nil {
		return nil, err
	}
	if id != "" {
		all = slices.DeleteFunc(all, func(ep *episode.Episode) bool { return ep.ID != id })
	}
	switch {
	case len(all) == 1:
		return all[0], nil
	case len(all) == 0:
		return nil, fmt.Errorf("%s: no episode %q", path, id)
	case id != "":
		return nil, fmt.Errorf("%s: %d episodes %q; name one file", path, len(all), id)
	}
	return nil, fmt.Errorf("%s: found %d episodes; choose one with --episode, for example %q", path, len(all), all[0].ID)
}

// readLog reads all episodes of a log, or of the logs of a folder.
func readLog(o *ontology.Ontology, path string) ([]*episode.Episode, error) {
	files, err := logs.Find(path)
	if err != nil {
		return nil, err
	}
	var out []*episode.Episode
	for _, f := range files {
		episodes, err := logs.Read(o, f)
		if err != nil {
			return nil, err
		}
		out = append(out, episodes...)
	}
	return out, nil
}

func printAnswers(format string, names []string, rows [][]*rules.Term) error {
	var shown []int
	for i, n := range names {
		if !strings.HasPrefix(n, "_") {
			shown = append(shown, i)
		}
	}
	if format == "json" {
		answers := []map[string]any{}
		for _, row := range rows {
			answer := map[string]any{}
			for _, i := range shown {
				answer[names[i]] = jsonValue(row[i])
			}
			answers = append(answers, answer)
		}
		return printJSON(map[string]any{"answers": answers})
	}
	if len(rows) == 0 {
		fmt.Println("no")
		return nil
	}
	if len(shown) == 0 {
		fmt.Println("yes")
		return nil
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	var head []string
	for _, i := range shown {
		head = append(head, names[i])
	}
	fmt.Fprintln(w, strings.Join(head, "\t"))
	for _, row := range rows {
		var cells []string
		for _, i := range shown {
			cells = append(cells, plainText(row[i]))
		}
		fmt.Fprintln(w, strings.Join(cells, "\t"))
	}
	return w.Flush()
}

// plainText writes atoms without quotation marks.
func plainText(t *rules.Term) string {
	switch t.Kind {
	case rules.Variable:
		return "_"
	case rules.Atom:
		return strings.Map(func(r rune) rune {
			if r < ' ' || r == 0x7f {
				return ' '
			}
			return r
		}, t.Name)
	}
	return t.String()
}

func jsonValue(t *rules.Term) any {
	switch {
	case t.Kind == rules.Integer:
		return t.Int
	case t.Kind == rules.Atom && t.Name != "[]":
		return t.Name
	case t.Kind == rules.Variable:
		return nil
	}
	if items, ok := t.List(); ok {
		out := []any{}
		for _, i := range items {
			out = append(out, jsonValue(i))
		}
		return out
	}
	return t.String()
}
