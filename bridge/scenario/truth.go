package scenario

import (
	"io"

	"github.com/mishap-robotics/mishap/bridge/internal/encode"
	"github.com/mishap-robotics/mishap/engine/simulation"
)

// truth is the JSON form of what really went wrong in a run. Scripts rely on its field
// names.
type truth struct {
	ID       string             `json:"id"`
	Failures []simulation.Truth `json:"failures"`
	Reached  bool               `json:"goal_reached"`
	Steps    []trueStep         `json:"steps"`
}

type trueStep struct {
	Step    int      `json:"step"`
	Refused string   `json:"refused,omitempty"`
	Done    bool     `json:"done"`
	Dropped []string `json:"dropped,omitempty"`
}

// WriteTruth writes what really went wrong in a run, and what became of each of its
// steps, as JSON.
func WriteTruth(w io.Writer, run *simulation.SimulatedEpisode) error {
	out := truth{ID: run.Episode.ID, Failures: append([]simulation.Truth{}, run.Truth...), Reached: run.Reached}
	for i, done := range run.Results {
		out.Steps = append(out.Steps, trueStep{i + 1, done.Reasons(), done.Done, done.Dropped})
	}
	return encode.Indented(w, out)
}
