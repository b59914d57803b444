package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/draw"
	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/bridge/logs/planfile"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
)

func newPlanGraph(k *knowledge) *cobra.Command {
	p := &planGraph{}
	c := &cobra.Command{
		Use:   "graph [ACTION… | PLANFILE]",
		Short: "Show which states actions need and give",
		Long: `Show the state-dependency graph of actions: which states each one needs and which
it gives, by its preconditions and effects in the ontology. An edge from a state to
an action has the value that the action needs, an edge from an action to a state the
value that it gives; edges that hold only under a condition are dashed.

Without arguments the graph is that of all actions, over their parameters; with
--processes those of appliances are in it too. ACTION is an action with its objects,
such as "(put_in, Mug, Sink)", PLANFILE a file of plans (*.plans.jsonl): then the
graph is that of these objects, and what does not apply to them is left out. A
variable that no object stands for is one that no other action of the plan changes.

--format is svg, dot (Graphviz) or json; without it -o FILE tells by its ending, and
else it is dot. A picture shows one plan; --episode chooses it.

Exit code: 0, or 2 where the call or an input is bad.`,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := p.check(args); err != nil {
				return err
			}
			o, err := k.loadOntology()
			if err != nil {
				return err
			}
			graphs, err := p.graphs(o, args)
			if err != nil {
				return err
			}
			return p.write(graphs)
		},
	}
	f := c.Flags()
	f.StringVar(&p.format, "format", "", "svg, dot or json")
	f.StringVarP(&p.out, "output", "o", "", "file to write to")
	f.BoolVar(&p.force, "force", false, "overwrite a file that is there already")
	f.StringVar(&p.episode, "episode", "", "id of the plan, in files with several")
	f.BoolVar(&p.processes, "processes", false, "with the processes of appliances")
	return c
}

type planGraph struct {
	format, out, episode string
	processes, force     bool
	file                 bool // the argument is a plan file
}

// check refuses flags that are wrong, or wrong for what the arguments name, and
// settles the format.
func (p *planGraph) check(args []string) error {
	if p.format == "" {
		p.format = strings.TrimPrefix(filepath.Ext(p.out), ".")
		if p.format != "svg" && p.format != "json" {
			p.format = "dot"
		}
	}
	p.file = len(args) == 1 && strings.HasSuffix(args[0], planfile.Suffix)
	switch {
	case p.format != "svg" && p.format != "dot" && p.format != "json":
		return fmt.Errorf("--format %q; expected svg, dot or json", p.format)
	case p.processes && len(args) > 0:
		return errors.New("--processes is for the graph of all actions; expected no arguments with it")
	case p.episode != "" && !p.file:
		return fmt.Errorf("--episode %q without a plan file to find it in", p.episode)
	}
	return nil
}

func (p *planGraph) graphs(o *ontology.Ontology, args []string) ([]draw.DependencyGraph, error) {
	switch {
	case len(args) == 0:
		return []draw.DependencyGraph{draw.ActionDependencies(o, p.processes)}, nil
	case p.file:
		return p.ofFile(o, args[0])
	}
	ep := &episode.Episode{}
	for _, text := range args {
		if !strings.HasPrefix(strings.TrimSpace(text), "(") {
			return nil, fmt.Errorf("found %q; expected actions such as \"(put_in, Mug, Sink)\", or one plan file (*%s)", text, planfile.Suffix)
		}
		a, err := episode.ParseAction(o, text)
		if err != nil {
			return nil, err
		}
		ep.Plan = append(ep.Plan, a)
	}
	graph, err := draw.PlanDependencies(o, ep)
	return []draw.DependencyGraph{graph}, err
}

// ofFile makes the graphs of the plans of a file, or of the one asked for.
func (p *planGraph) ofFile(o *ontology.Ontology, file string) ([]draw.DependencyGraph, error) {
	all, err := planfile.ReadFile(o, document.Disk{}, file)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, ep := range all {
		ids = append(ids, ep.ID)
	}
	if p.episode != "" {
		all = slices.DeleteFunc(all, func(ep *episode.Episode) bool { return ep.ID != p.episode })
	}
	switch {
	case len(all) == 0:
		return nil, fmt.Errorf("%s has no plan %q; expected one of %s", file, p.episode, logs.Some(ids))
	case len(all) > 1 && p.format == "svg":
		return nil, fmt.Errorf("%s holds %d plans and a picture shows one; expected --episode with one of %s", file, len(all), logs.Some(ids))
	}
	var out []draw.DependencyGraph
	for _, ep := range all {
		graph, err := draw.PlanDependencies(o, ep)
		if err != nil {
			return nil, fmt.Errorf("%s: plan %s: %w", file, ep.ID, err)
		}
		out = append(out, graph)
	}
	return out, nil
}

// write prints graphs, or writes them to the file asked for.
func (p *planGraph) write(graphs []draw.DependencyGraph) error {
	var text bytes.Buffer
	var err error
	switch p.format {
	case "svg":
		err = draw.DependenciesSVG(&text, graphs[0])
	case "json":
		err = draw.DependenciesJSON(&text, graphs)
	default:
		err = draw.DependenciesDOT(&text, graphs)
	}
	if err != nil {
		return err
	}
	if p.out == "" {
		_, err = io.Copy(stdout, &text)
		return err
	}
	return orForce(draw.WriteFile(p.out, p.force, text.Bytes()))
}
