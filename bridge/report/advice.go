package report

import (
	"fmt"
	"strings"

	"github.com/mishap-robotics/mishap/engine"
)

// Advice is what an adviser, as a language model, said, and what became of it.
type Advice struct {
	Adviser  string    `json:"adviser"`
	Cause    string    `json:"cause,omitempty"`
	Change   string    `json:"change,omitempty"`
	Taken    bool      `json:"taken"`
	Why      string    `json:"why,omitempty"`    // it was not taken
	Person   string    `json:"person,omitempty"` // what a person would have to do, as it says
	Chosen   int       `json:"chosen,omitempty"` // the plan that it chose, from 1, of
	Among    int       `json:"among,omitempty"`  // verified ones that it was shown
	Attempts []Attempt `json:"attempts"`
	Cost     Cost      `json:"cost"`
}

// Attempt is one plan of an adviser.
type Attempt struct {
	Lines   []AdvisedLine `json:"lines"`
	Refused string        `json:"refused,omitempty"`
}

// AdvisedLine is one action of a plan in the adviser's words, and what it was taken
// for.
type AdvisedLine struct {
	Text    string  `json:"text"`
	Action  string  `json:"action,omitempty"`
	How     string  `json:"how,omitempty"` // exact, label or similar
	Score   float64 `json:"score"`         // 0 to 1
	Refused string  `json:"refused,omitempty"`
}

// Cost is what asking cost.
type Cost struct {
	Calls        int      `json:"calls"`
	PromptTokens int      `json:"prompt_tokens"`
	AnswerTokens int      `json:"answer_tokens"`
	Dollars      *float64 `json:"dollars"` // null where the price is not known
	Seconds      float64  `json:"seconds"`
}

func newAdvice(a *engine.Advice) *Advice {
	out := &Advice{Adviser: a.Adviser, Cause: a.Cause, Change: a.Change, Taken: a.Taken, Why: a.Why, Person: a.Person, Chosen: a.Chosen, Among: a.Among, Attempts: []Attempt{}, Cost: NewCost(a.Cost)}
	for _, at := range a.Attempts {
		n := Attempt{Lines: []AdvisedLine{}, Refused: at.Refused}
		for _, l := range at.Lines {
			line := AdvisedLine{Text: l.Text, How: l.How, Score: l.Score, Refused: l.Refused}
			if l.Refused == "" {
				line.Action = l.Action.String()
			}
			n.Lines = append(n.Lines, line)
		}
		out.Attempts = append(out.Attempts, n)
	}
	return out
}

// NewCost turns a cost into its report.
func NewCost(c engine.Cost) Cost {
	out := Cost{Calls: c.Calls, PromptTokens: c.PromptTokens, AnswerTokens: c.AnswerTokens, Seconds: c.Time.Seconds()}
	if c.Priced {
		out.Dollars = &c.Dollars
	}
	return out
}

// String says in one line whose plan it is, why, and what asking cost.
func (a *Advice) String() string {
	out := fmt.Sprintf(planIsTheirs, a.Adviser)
	if !a.Taken {
		out = fmt.Sprintf(planIsOurs, a.Adviser, a.Why)
	}
	return out + " (" + a.Cost.String() + ")"
}

// String is the cost in words.
func (c Cost) String() string {
	out := fmt.Sprintf("%s, %d tokens", count(c.Calls, "call"), c.PromptTokens+c.AnswerTokens)
	if c.Dollars != nil {
		out += fmt.Sprintf(", $%.4f", *c.Dollars)
	}
	return out + fmt.Sprintf(", %.1f s", c.Seconds)
}

// explain tells what the adviser said, line by line.
func (a *Advice) explain(line func(label, text string)) {
	if a.Cause != "" {
		line("cause", strings.TrimSpace(a.Cause+" "+a.Change))
	}
	if a.Person != "" {
		line("person", a.Person)
	}
	if a.Chosen > 0 {
		line("choice", fmt.Sprintf("plan %d of %d that are verified", a.Chosen, a.Among))
	}
	for i, at := range a.Attempts {
		for _, l := range at.Lines {
			text := fmt.Sprintf("%q was refused: %s", l.Text, l.Refused)
			if l.Refused == "" {
				text = fmt.Sprintf("%q is %s (%s, %.2f)", l.Text, l.Action, l.How, l.Score)
			}
			line(fmt.Sprintf("plan %d", i+1), text)
		}
		if at.Refused != "" {
			line(fmt.Sprintf("plan %d", i+1), "not carried out: "+at.Refused)
		}
	}
}
