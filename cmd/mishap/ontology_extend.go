package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/advice"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
)

func newExtend(k *knowledge) *cobra.Command {
	models, n, out := &modelFlags{}, advice.NewAction{}, ""
	c := &cobra.Command{
		Use:   "extend --action NAME -o FILE.ttl",
		Short: "Ask a language model what a new action does, and write it down for review",
		Long: `Ask a language model for the effects of an action that the ontology lacks, then for
what it depends on, and write both to a new file in the form of the ontology's own
actions, for a person to review. What the model names has to be in the ontology; an
answer that is not goes back to it once. Nothing is written that does not load, no
file is overwritten, and nothing uses the file until --ontology names it.

The model is named with --model, the environment (MISHAP_MODEL, MISHAP_MODEL_URL,
MISHAP_MODEL_KEY, MISHAP_MODEL_TIMEOUT) or --model-config, or --model-replay answers
from a recording.

Exit code: 0 written, 2 not: the call is bad, or the model's answers are.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return closing(models, extend(c.Context(), k, models, n, out))
		},
	}
	f := c.Flags()
	f.StringVar(&n.Name, "action", "", "name of the action as plans write it: lower-case words with underscores")
	f.StringVar(&n.About, "about", "", "what the action does, in your own words")
	f.IntVar(&n.Parameters, "parameters", 1, "1 where it has a target, 2 where it has a target and a destination")
	f.StringVarP(&out, "output", "o", "", "file to write, which must not exist yet")
	models.flags(f)
	return c
}

// extend asks for an action and writes it to a file.
func extend(ctx context.Context, k *knowledge, models *modelFlags, n advice.NewAction, out string) error {
	if n.Name == "" || out == "" {
		return errors.New("expected --action NAME and -o FILE.ttl")
	}
	documents, err := k.documents()
	if err != nil {
		return err
	}
	o, _, err := ontology.Parse(documents)
	if err != nil {
		return err
	}
	if err := errors.Join(n.Check(o), advice.Writable(out, documents)); err != nil {
		return err
	}
	a, err := models.adviser()
	if err != nil {
		return err
	}
	if a == nil {
		return errors.New("a language model is asked what the action does, and none is named; give --model NAME, or --model-replay FILE")
	}
	p, err := a.Extend(ctx, o, n)
	for _, m := range p.Mapped {
		fmt.Fprintln(stdout, m)
	}
	for _, r := range p.Refused {
		fmt.Fprintln(stdout, "refused: "+r)
	}
	if err != nil {
		return fmt.Errorf("%s is not written: %w", out, err)
	}
	return writeProposal(k, p, documents, out)
}

// writeProposal checks a proposal, writes it and says what to do with it.
func writeProposal(k *knowledge, p *advice.ActionProposal, documents []document.Document, out string) error {
	problems, err := p.Problems(documents, out)
	if err != nil {
		return fmt.Errorf("%s is not written: the proposal does not load: %w", out, err)
	}
	for _, problem := range problems {
		fmt.Fprintf(stdout, "%s: warning: %s\n", problem.Pos, problem.Msg)
	}
	if err := p.WriteFile(out); err != nil {
		return err
	}
	flags := ""
	for _, place := range append(slices.Clone(k.ontologies), out) {
		flags += " --ontology " + place
	}
	if k.onlyOntology {
		flags += " --only-ontology"
	}
	fmt.Fprintf(stdout, "%s: written, %s\n", out, p)
	fmt.Fprintf(stdout, "Nothing uses it yet. Review it and change what is wrong, then check it:\n  mishap ontology check%s\nThen give%s to the commands that are to use it.\n", flags, flags)
	return nil
}
