package recovery

import (
	"time"

	"github.com/mishap-robotics/mishap/engine/episode"
)

// Advice is what an adviser, as a language model, said and what became of it.
type Advice struct {
	Adviser  string // its name
	Cause    string // of the failure, as it says
	Change   string // that is needed, as it says
	Attempts []Attempt
	// Taken is true where the plan is the adviser's, as it is or repaired; Why says why
	// it is not.
	Taken bool
	Why   string
	// Person is what a person would have to do, as it says, "" where it does not.
	Person string
	// Chosen is the number of the plan that it chose, from 1, of Among verified ones that it
	// was shown; 0 of 0 where it had nothing to choose from.
	Chosen, Among int
	Cost          Cost
}

// Attempt is one plan of an adviser.
type Attempt struct {
	Lines   []Line
	Refused string // why it is not carried out as it is, "" where it could be
}

// Line is one action of an adviser's plan in its own words, and what it was taken for.
type Line struct {
	Text    string
	Action  episode.Action
	How     string  // exact, label or similar; "" where it was refused
	Score   float64 // 0 to 1
	Refused string  // why it was taken for nothing
}

// Cost is what asking cost.
type Cost struct {
	Calls, PromptTokens, AnswerTokens int
	Dollars                           float64
	Priced                            bool // Dollars is known
	Time                              time.Duration
}

// Add adds what asking once more cost.
func (c *Cost) Add(more Cost) {
	c.Priced = more.Priced && (c.Priced || c.Calls == 0)
	c.Calls += more.Calls
	c.PromptTokens += more.PromptTokens
	c.AnswerTokens += more.AnswerTokens
	c.Dollars += more.Dollars
	c.Time += more.Time
}
