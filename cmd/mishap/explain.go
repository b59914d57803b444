package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/advice"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

func newExplain(k *knowledge) *cobra.Command {
	e := &explaining{knowledge: k}
	c := &cobra.Command{
		Use:   "explain LOG",
		Short: "Show the proof of each finding, or why there is none",
		Long: `Show each finding with its proof as a tree: the rule, its conditions with the
values they had, and where each fact comes from, with the line of the log.

With --why-not CLASS --at TIME: for each rule of that failure class the first
condition that did not hold, and the facts nearest to it.

With --progressive: the log subgoal by subgoal, as REFLECT explains it. The first
subgoal that was not satisfied at its end is explained by what happened up to then;
where each was and the goal is missed, by the plan and the final state. With a
language model its explanation stands beside mishap's, with where they disagree.
` + modelHelp + `

Exit code: 0 something to show, 1 nothing, 2 the call or an input is bad.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return e.run(c.Context(), args[0]) },
	}
	c.Flags().StringVar(&e.at, "at", "", "time or step of the log")
	c.Flags().StringVar(&e.whyNot, "why-not", "", "failure class that was not found")
	c.Flags().StringVar(&e.format, "format", "text", "text, json or dot")
	c.Flags().StringVar(&e.id, "episode", "", "id of the episode, where the log holds several")
	c.Flags().BoolVar(&e.progressive, "progressive", false, "explain subgoal by subgoal")
	e.models.flags(c.Flags())
	return c
}

type explaining struct {
	*knowledge
	at, whyNot, format, id string
	progressive            bool
	models                 modelFlags
}

func (e *explaining) run(ctx context.Context, path string) error {
	switch {
	case !slices.Contains([]string{"text", "json", "dot"}, e.format):
		return fmt.Errorf("--format %q; expected text, json or dot", e.format)
	case e.whyNot != "" && e.at == "":
		return fmt.Errorf("--why-not needs --at with a time or step of the log")
	case e.whyNot != "" && e.format == "dot":
		return fmt.Errorf("--why-not with --format dot; expected text or json")
	case e.progressive && (e.whyNot != "" || e.at != "" || e.format == "dot"):
		return fmt.Errorf("--progressive with --why-not, --at or --format dot; expected it with --format text or json alone")
	}
	a, err := e.models.adviser()
	switch {
	case err != nil:
		return err
	case a != nil && !e.progressive && e.models.named():
		return fmt.Errorf("a language model is asked for --progressive only")
	}
	r, err := e.reasoner()
	if err != nil {
		return err
	}
	ep, err := oneEpisode(r.Ontology, path, e.id)
	if err != nil {
		return err
	}
	if e.progressive {
		return closing(&e.models, e.progress(ctx, r, ep, a))
	}
	var steps []int32
	if e.at != "" {
		if steps, err = stepsAt(ep, e.at); err != nil {
			return err
		}
	}
	res, err := r.Check(ctx, ep)
	if err != nil {
		return err
	}
	if e.whyNot != "" {
		return e.absence(ctx, r, res, steps[len(steps)-1])
	}
	return e.findings(ctx, r, res, steps)
}

// progress explains an episode subgoal by subgoal.
func (e *explaining) progress(ctx context.Context, r *engine.Reasoner, ep *episode.Episode, a *advice.Adviser) error {
	out, err := advice.ExplainProgressively(ctx, r, ep, a)
	if err != nil {
		return err
	}
	if e.format == "json" {
		err = printJSON(out)
	} else {
		err = out.Text(os.Stdout, style())
	}
	if err == nil && out.Ours.Analysis == string(engine.Neither) && len(out.Ours.Steps) == 0 {
		return exit{exitFound}
	}
	return err
}

// stepsAt finds the steps of a time as the log writes it, or the step of that
// number.
func stepsAt(ep *episode.Episode, at string) ([]int32, error) {
	var out []int32
	for i := range ep.Steps {
		if ep.Steps[i].Time == at {
			out = append(out, int32(ep.Steps[i].Index))
		}
	}
	if n, err := strconv.Atoi(at); err == nil && len(out) == 0 {
		for i := range ep.Steps {
			if ep.Steps[i].Index == n {
				out = append(out, int32(n))
			}
		}
	}
	if len(out) == 0 {
		last := ep.Steps[len(ep.Steps)-1]
		return nil, fmt.Errorf("--at %q: the log has no such time or step; its last is step %d %s", at, last.Index, last.Time)
	}
	return out, nil
}

type explained struct {
	report.Finding
	Proof report.Proof `json:"proof"`
}

func (e *explaining) findings(ctx context.Context, r *engine.Reasoner, res *engine.Result, steps []int32) error {
	document := report.NewEpisode(res)
	out := []explained{}
	for i := range res.Findings {
		f := &res.Findings[i]
		if steps != nil && !slices.Contains(steps, f.Step) {
			continue
		}
		proof, err := r.Prove(ctx, res, f)
		if err != nil {
			return err
		}
		if proof == nil {
			return fmt.Errorf("%s at step %d has no proof", f.Type, f.Step)
		}
		out = append(out, explained{document.Findings[i], report.NewProof(proof, res.Index)})
	}
	if err := e.print(document.ID, out); err != nil {
		return err
	}
	if len(out) == 0 {
		return exit{exitFound}
	}
	return nil
}

func (e *explaining) print(id string, out []explained) error {
	switch e.format {
	case "json":
		return printJSON(map[string]any{"id": id, "findings": out})
	case "dot":
		var proofs []report.Proof
		for i := range out {
			proofs = append(proofs, out[i].Proof)
		}
		return report.Dot(os.Stdout, id, proofs)
	}
	if len(out) == 0 {
		fmt.Printf("%s: no finding\n", id)
	}
	for i := range out {
		f := &out[i]
		fmt.Printf("%s at %s\n  %s\n", f.Type, report.Moment(f.Step, f.Time), f.Explanation)
		if err := f.Proof.Text(os.Stdout, "  "); err != nil {
			return err
		}
	}
	return nil
}

// absence shows why no rule of a class fired at a step.
func (e *explaining) absence(ctx context.Context, r *engine.Reasoner, res *engine.Result, step int32) error {
	o := r.Ontology
	id, ok := o.Lookup(e.whyNot)
	if !ok || !o.IsA(id, o.Core.Failure) {
		var names []string
		for _, c := range o.Subclasses(o.Core.Failure) {
			names = append(names, o.Name(c))
		}
		hint := ""
		if near := ontology.Nearest(e.whyNot, names); near != "" {
			hint = "; did you mean " + near + "?"
		}
		return fmt.Errorf("%s is no failure class of the ontology%s", e.whyNot, hint)
	}
	why, concluded, err := r.WhyNot(ctx, res, e.whyNot, step)
	if err != nil {
		return err
	}
	unproved := []report.Unproved{}
	for _, u := range why {
		unproved = append(unproved, report.NewUnproved(u, res.Index))
	}
	proofs := []report.Proof{}
	for _, c := range concluded {
		proofs = append(proofs, report.NewProof(c.Proof, res.Index))
	}
	if e.format == "json" {
		return printJSON(map[string]any{"id": res.Episode.ID, "class": e.whyNot, "step": step, "concluded": proofs, "why_not": unproved})
	}
	if len(proofs) > 0 {
		fmt.Printf("%s was concluded at step %d", e.whyNot, step)
		if !slices.ContainsFunc(report.NewEpisode(res).Findings, func(f report.Finding) bool {
			found, _ := o.Lookup(f.Type)
			return o.IsA(found, id) && f.Step == step
		}) {
			fmt.Print(", but another finding explains it better or it follows from an earlier one")
		}
		fmt.Println(":")
	}
	for i := range proofs {
		if err := proofs[i].Text(os.Stdout, "  "); err != nil {
			return err
		}
	}
	if len(unproved) == 0 && len(proofs) == 0 {
		fmt.Printf("no rule concludes %s\n", e.whyNot)
		return exit{exitFound}
	}
	if len(unproved) > 0 {
		fmt.Printf("rules that did not conclude %s at step %d:\n", e.whyNot, step)
	}
	for i := range unproved {
		if err := unproved[i].Text(os.Stdout, "  "); err != nil {
			return err
		}
	}
	return nil
}
