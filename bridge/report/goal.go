package report

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/language"
	"github.com/mishap-robotics/mishap/ontology"
)

// Goal is a goal in words as it is read. Scripts rely on its field names.
type Goal struct {
	Text       string          `json:"text"`
	Conditions []GoalCondition `json:"conditions"`
	// NotUnderstood are the parts of the text that could not be read.
	NotUnderstood []string      `json:"not_understood"`
	Episodes      []GoalEpisode `json:"episodes,omitempty"`
}

// GoalCondition is one thing that a goal asks for. "Mug#2" is another mug than "Mug".
type GoalCondition struct {
	Text string `json:"text"`
	// Each tells which things it is about where it is about all of a kind, or none.
	Each     []string `json:"each,omitempty"`
	None     bool     `json:"none,omitempty"` // there may be no such thing
	Subject  string   `json:"subject,omitempty"`
	Relation string   `json:"relation,omitempty"` // or a state
	Object   string   `json:"object,omitempty"`
	Count    string   `json:"count,omitempty"`  // how many there are to be: "exactly 2"
	First    int      `json:"first,omitempty"`  // the part, from 1, that comes about in turn before the rest
	Within   string   `json:"within,omitempty"` // in how many seconds from the start
}

// GoalEpisode is what became of a goal in an episode.
type GoalEpisode struct {
	ID string `json:"id"`
	// Reached is yes, no or unknown: how the goal stands at the end.
	Reached  string    `json:"reached"`
	Lacks    []string  `json:"lacks,omitempty"` // where it is not reached
	Warnings []Warning `json:"warnings"`
}

// NewGoal reads a goal.
func NewGoal(o *ontology.Ontology, text string) *Goal {
	read := language.ReadGoal(o, text)
	out := &Goal{Text: text, Conditions: []GoalCondition{}, NotUnderstood: append([]string{}, read.Unread...)}
	for _, c := range read.Conditions(o) {
		out.Conditions = append(out.Conditions, GoalCondition{c.Text, c.Each, c.None, c.Subject, c.Relation, c.Object, c.Count, c.First, c.Within})
	}
	return out
}

// Judge adds how the goal stands at the end of an episode, whose own task and goal do not
// count.
func (g *Goal) Judge(ctx context.Context, r *engine.Reasoner, ep *episode.Episode) error {
	own := *ep
	own.Task, own.Goal, own.GoalFacts, own.Params = "", g.Text, nil, nil
	res, err := r.Check(ctx, &own)
	if err != nil {
		return err
	}
	out := GoalEpisode{ID: own.ID, Reached: "unknown", Warnings: warningsOf(&own)}
	switch got, _ := res.Trace.GoalTruth(res.Trace.Final); {
	case got > engine.Undecided:
		out.Reached = "yes"
	case got < engine.Undecided:
		out.Reached, out.Lacks = "no", res.Trace.UnmetGoalTexts(res.Trace.Final)
	}
	g.Episodes = append(g.Episodes, out)
	return nil
}

// WriteText writes a condition a line, what was not understood, and how the goal stands.
func (g *Goal) WriteText(w io.Writer, s Style) error {
	var b strings.Builder
	for _, c := range g.Conditions {
		fmt.Fprintln(&b, c.Text)
	}
	for _, part := range g.NotUnderstood {
		fmt.Fprintf(&b, "not understood: %q\n", part)
	}
	if len(g.Conditions) == 0 {
		fmt.Fprintln(&b, "nothing of it was understood; expected conditions such as \"the mug is in the sink and the faucet is turned off\"")
	}
	for _, e := range g.Episodes {
		fmt.Fprintf(&b, "%s: %s", clean(e.ID), map[string]string{"yes": "reached", "no": "not reached", "unknown": "whether it was reached is not known"}[e.Reached])
		if len(e.Lacks) > 0 {
			fmt.Fprintf(&b, "; it lacks %s", strings.Join(e.Lacks, ", "))
		}
		fmt.Fprintln(&b)
		writeWarnings(&b, s, e.Warnings)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
