package draw

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/bridge/internal/encode"
	"github.com/mishap-robotics/mishap/engine/dependency"
)

// DependencyGraph is a state-dependency graph with its title, and the plan it is of,
// if it is of one.
type DependencyGraph struct {
	Title, Episode string
	Graph          *dependency.StateGraph
}

// dependencyGraph is the JSON form.
type dependencyGraph struct {
	Title   string           `json:"title"`
	Episode string           `json:"episode,omitempty"`
	Actions []dependentNode  `json:"actions"`
	States  []stateNode      `json:"states"`
	Edges   []dependencyEdge `json:"edges"`
}

type dependentNode struct {
	ID          string `json:"id"`
	Action      string `json:"action"`
	Name        string `json:"name"`
	Process     bool   `json:"process"`
	Preparation bool   `json:"preparation"`
}

type stateNode struct {
	ID      string              `json:"id"`
	State   string              `json:"state"`
	Kind    dependency.EdgeKind `json:"kind"`
	Subject string              `json:"subject"`
	Name    string              `json:"name"`
	Object  string              `json:"object,omitempty"`
	Values  []string            `json:"values"`
}

type dependencyEdge struct {
	From        string `json:"from"`
	To          string `json:"to"`
	Value       string `json:"value"`
	Conditional bool   `json:"conditional"`
	Condition   string `json:"condition,omitempty"`
}

func actionID(i int) string { return fmt.Sprintf("a%d", i+1) }
func stateID(i int) string  { return fmt.Sprintf("s%d", i+1) }

// ends are the nodes that an edge leads from and to.
func ends(e dependency.Dependency) (from, to string) {
	if e.Effect {
		return actionID(e.Action), stateID(e.State)
	}
	return stateID(e.State), actionID(e.Action)
}

// values lists what the edges of a state say of it, "not" left out; of relations
// that is nothing.
func values(g *dependency.StateGraph, s int) []string {
	out := []string{}
	for _, e := range g.Edges {
		v := e.Value
		if v.Not = false; e.State == s && v.Name != "" && !slices.Contains(out, v.String()) {
			out = append(out, v.String())
		}
	}
	return out
}

func newDependencies(d DependencyGraph) dependencyGraph {
	out := dependencyGraph{Title: d.Title, Episode: d.Episode, Actions: []dependentNode{}, States: []stateNode{}, Edges: []dependencyEdge{}}
	for i := range d.Graph.Actions {
		a := &d.Graph.Actions[i]
		out.Actions = append(out.Actions, dependentNode{actionID(i), a.Text, a.Name(), a.Process != nil, a.Preparation})
	}
	for i, s := range d.Graph.States {
		out.States = append(out.States, stateNode{stateID(i), s.String(), s.Kind, s.Subject.Name, s.Name, s.Object.Name, values(d.Graph, i)})
	}
	for _, e := range d.Graph.Edges {
		from, to := ends(e)
		out.Edges = append(out.Edges, dependencyEdge{from, to, e.Value.String(), e.Conditional, e.Condition})
	}
	return out
}

// DependenciesJSON writes graphs as one JSON object.
func DependenciesJSON(w io.Writer, graphs []DependencyGraph) error {
	doc := struct {
		Graphs []dependencyGraph `json:"graphs"`
	}{}
	for _, d := range graphs {
		doc.Graphs = append(doc.Graphs, newDependencies(d))
	}
	return encode.Indented(w, doc)
}

// DependenciesDOT writes graphs in the language of Graphviz: actions are boxes,
// those that only prepare the agent with a double frame, states are ellipses.
func DependenciesDOT(w io.Writer, graphs []DependencyGraph) error {
	var b strings.Builder
	for _, d := range graphs {
		writeDOT(&b, d)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func writeDOT(b *strings.Builder, d DependencyGraph) {
	g := d.Graph
	fmt.Fprintf(b, "digraph %s {\n", dotText(d.Title))
	fmt.Fprintf(b, "  graph [rankdir=LR, bgcolor=white, labelloc=t, label=%s];\n", dotText(d.Title))
	b.WriteString("  node [fontname=\"sans-serif\", fontsize=11, style=filled];\n  edge [fontname=\"sans-serif\", fontsize=9];\n")
	for i := range g.Actions {
		a := &g.Actions[i]
		how := fmt.Sprintf("shape=box, color=%q, fillcolor=%q", actionMark.colour, actionMark.fill)
		if a.Process != nil {
			how = fmt.Sprintf("shape=hexagon, color=%q, fillcolor=%q", processMark.colour, processMark.fill)
		}
		if a.Preparation {
			how += ", peripheries=2"
		}
		fmt.Fprintf(b, "  %s [label=%s, %s];\n", actionID(i), dotText(actionText(g, i)), how)
	}
	for i, s := range g.States {
		lines := append([]string{s.String()}, valueLine(g, i)...)
		fmt.Fprintf(b, "  %s [label=%s, shape=ellipse, color=%q, fillcolor=%q];\n", stateID(i), dotText(strings.Join(lines, "\n")), stateMark.colour, stateMark.fill)
	}
	for _, e := range g.Edges {
		from, to := ends(e)
		m := edgeMark(e)
		dash := ""
		if e.Conditional {
			dash = ", style=dashed"
		}
		fmt.Fprintf(b, "  %s -> %s [label=%s, color=%q, fontcolor=%q%s];\n", from, to, dotText(e.Value.String()), m.colour, m.colour, dash)
	}
	b.WriteString("}\n")
}

// dotText quotes a text; a backslash in it stands for itself.
func dotText(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

// actionText is an action with its number where it is one of several calls.
func actionText(g *dependency.StateGraph, i int) string {
	a := &g.Actions[i]
	if a.Call.Schema != nil && len(g.Actions) > 1 {
		return fmt.Sprintf("%d %s", i+1, a.Text)
	}
	return a.Text
}

// valueLine tells the values of a state that has several to choose from.
func valueLine(g *dependency.StateGraph, s int) []string {
	if list := values(g, s); len(list) > 0 && g.States[s].Kind == dependency.Dimension {
		return []string{strings.Join(list, " / ")}
	}
	return nil
}
