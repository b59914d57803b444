package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/scene"
)

// SceneDifference is how two scenes differ, with the discrepancy score. Scripts rely on its
// field names.
type SceneDifference struct {
	Observed *SceneMoment `json:"observed"`
	Expected *SceneMoment `json:"expected"`
	*discrepancy.Comparison
	ObservedGraph *scene.Graph `json:"observed_graph"`
	ExpectedGraph *scene.Graph `json:"expected_graph"`
	Warnings      []string     `json:"warnings"`
	// Below is the threshold where the score is an alarm, else nil.
	Below *float64 `json:"-"`
}

// SceneMoment says which scene is meant: that after a step, or the one expected there.
type SceneMoment struct {
	Log     string `json:"log"`
	Episode string `json:"episode"`
	Step    int32  `json:"step"`
	Time    string `json:"time,omitempty"`
	// Expected is where the scene comes from where it is no log's.
	Expected string `json:"expected_from,omitempty"`
}

func (m *SceneMoment) String() string {
	at := fmt.Sprintf("%s after %s", m.Episode, moment(m.Step, m.Time))
	if m.Expected != "" {
		return "expected (" + m.Expected + ") of " + at
	}
	return at
}

// Title names both scenes.
func (d *SceneDifference) Title() string { return fmt.Sprintf("%s against %s", d.Observed, d.Expected) }

// Text writes the score with its parts, and each difference on a line.
func (d *SceneDifference) Text(w io.Writer, s Style) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s%s\n", s.Bold, d.Title(), s.Reset)
	alarm := ""
	if d.Below != nil {
		alarm = fmt.Sprintf(", below %v", *d.Below)
	}
	fmt.Fprintf(&b, "  score %.3f%s: nodes %.3f, edges %.3f, structure %.3f; %s matched\n", d.Score, alarm, d.Node, d.Edge, d.Structure, count(len(d.Pairs), "node"))
	for _, diff := range d.Differences {
		fmt.Fprintf(&b, "  %s\n", clean(diff.String()))
	}
	if len(d.Differences) == 0 {
		b.WriteString("  nothing differs\n")
	}
	for _, text := range d.Warnings {
		fmt.Fprintf(&b, "  %swarning:%s %s\n", s.Yellow, s.Reset, text)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
