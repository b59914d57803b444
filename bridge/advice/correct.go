package advice

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/engine"
)

// chooseData is what the template choose.tmpl is filled with.
type chooseData struct {
	Task              string
	Success, Observed []string
	Cause             string
	People            []string
	Constraints       []string
	Plans             []planItem
	Structured        bool
}

// planItem is a plan to choose.
type planItem struct {
	Number  int
	Actions []string
	Assumes []string // what nobody knows and it relies on
}

// Names of the prompts of SDA-Planner's other half.
var (
	correctPrompt   = register("correct", sampleReplan, replanData{}, "Task", "Success", "Rest", "Objects", "Cause")
	decomposePrompt = register("decompose", sampleReplan, replanData{}, "Task", "Success", "Objects", "Refused")
	choosePrompt    = register("choose", chooseData{"t", []string{"s"}, []string{"o"}, "c", []string{"p"}, []string{"c"}, []planItem{{1, []string{"a"}, []string{"a"}}}, true},
		chooseData{}, "Task", "Success", "Plans")

	actionsSchema = answerSchema("actions")
	choiceSchema  = answerSchema("choice")
)

// mostCorrective is how many corrective actions of a model are looked at.
const mostCorrective = 8

// Correct asks for the actions that correct an error (SDA-Planner, section 4.4, the first
// source of nodes).
func (c *consultation) Correct(ctx context.Context) (*engine.Opinion, error) {
	c.Cost = engine.Cost{}
	view := replanView(c.situation, &engine.Opinion{Cause: known(c.situation)}, nil)
	view.Structured = !c.Plain
	text, err := c.ask(ctx, correctPrompt, view, actionsSchema)
	out := &engine.Opinion{Cost: c.Cost, Cause: known(c.situation)}
	if err != nil {
		return out, fmt.Errorf("%s: %w", correctPrompt, err)
	}
	if cause, _, err := causeOf(text); err == nil {
		out.Cause = clean(cause, longestSentence)
	}
	lines, err := linesOf(text, "actions")
	if err != nil {
		out.Lines, out.Unreadable = []engine.AdviceLine{{Text: clean(text, longestName), Refused: "it is no list of actions"}}, err.Error()
		return out, nil
	}
	for _, l := range lines[:min(len(lines), mostCorrective)] {
		out.Lines = append(out.Lines, c.mapper.Map(ctx, clean(l, longestSentence)))
	}
	return out, nil
}

// known is what the rules say of the cause.
func known(s *engine.Situation) string {
	switch {
	case s.Finding != nil:
		return s.Finding.Explanation
	case s.Threat != nil:
		return s.Threat.Explanation
	}
	return "not known"
}

// Choose asks which of several verified plans is best.
func (c *consultation) Choose(ctx context.Context, plans []*engine.Proposal) (int, engine.Cost, error) {
	c.Cost = engine.Cost{}
	a := c.situation.Projection
	view := chooseData{Task: taskText(a.Episode), Success: successConditions(a.Trace), Observed: facts(c.situation.Believed), Cause: sentence(known(c.situation)),
		People: people(a.Episode), Constraints: sentences(c.situation.Constraints), Structured: !c.Plain}
	for i, p := range plans {
		view.Plans = append(view.Plans, planItem{i + 1, actionTexts(p.Plan), sentences(p.Assumptions)})
	}
	text, err := c.ask(ctx, choosePrompt, view, choiceSchema)
	if err != nil {
		return -1, c.Cost, fmt.Errorf("%s: %w", choosePrompt, err)
	}
	n, err := choiceOf(text)
	return n - 1, c.Cost, err
}

var choice = regexp.MustCompile(`(?m)^\s*CHOICE:\s*(\d{1,6})\s*\.?\s*$`)

// choiceOf reads the number of a plan out of an answer.
func choiceOf(text string) (int, error) {
	text = thinking.ReplaceAllString(strings.TrimSpace(text), "")
	if found := object(text); found != "" {
		var o struct {
			Choice *int `json:"choice"`
		}
		if json.Unmarshal([]byte(found), &o) == nil && o.Choice != nil {
			return *o.Choice, nil
		}
	} else if m := choice.FindStringSubmatch(text); m != nil {
		return strconv.Atoi(m[1])
	}
	return 0, fmt.Errorf("the answer is no choice: %q; expected the number of a plan", input.Clip(text))
}

// isFirst reports whether nothing was planned or done yet.
func isFirst(s *engine.Situation) bool {
	return len(s.Given) == 0 && len(s.Rest) == 0 && s.Finding == nil && s.Threat == nil && s.Failed == "" && s.Projection.Last() == 0
}

// decompose asks for a first plan (SDA-Planner, section 3).
func (c *consultation) decompose(ctx context.Context, refused []engine.Attempt) (*engine.Opinion, error) {
	out := &engine.Opinion{}
	view := replanView(c.situation, out, refused)
	view.Structured = !c.Plain
	return c.planned(ctx, decomposePrompt, view, out)
}
