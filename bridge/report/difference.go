//go:build !js

package report

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// SceneDifference is how two scenes differ, with the discrepancy score. Scripts rely on its
// field names.
type SceneDifference struct {
	Observed *SceneMoment `json:"observed"`
	Expected *SceneMoment `json:"expected"`
	*discrepancy.Comparison
	ObservedGraph *scene.Graph `json:"observed_graph"`
	ExpectedGraph *scene.Graph `json:"expected_graph"`
	// Sensed are what sensors told of between the two scenes, of one episode.
	Sensed   []string `json:"sensed,omitempty"`
	Warnings []string `json:"warnings"`
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

// LoggedScene is a scene of a log.
type LoggedScene struct {
	SceneMoment
	episode *episode.Episode
}

// SceneAt is the scene of an episode of a log after a step, given by its number or time.
func SceneAt(log string, ep *episode.Episode, at string) (*LoggedScene, error) {
	i, err := logs.StepAt(ep, at)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", log, err)
	}
	st := &ep.Steps[i]
	return &LoggedScene{SceneMoment{Log: log, Episode: ep.ID, Step: int32(st.Index), Time: st.Time}, ep}, nil
}

// CompareScenes compares a scene with another one, or where that is nil with the one
// expected there.
func CompareScenes(ctx context.Context, r *engine.Reasoner, observed, with *LoggedScene, how engine.Scoring) (*SceneDifference, error) {
	out := &SceneDifference{Observed: &observed.SceneMoment, Warnings: []string{}}
	seen, err := r.WatchTo(ctx, observed.episode, observed.Step)
	if err != nil {
		return nil, err
	}
	if with == nil {
		expected := observed.SceneMoment
		expected.Expected = string(how.Expect)
		out.Expected = &expected
		out.ObservedGraph, out.ExpectedGraph, err = seen.Scenes(how)
	} else {
		out.Expected = &with.SceneMoment
		var other *engine.Monitor
		if other, err = r.WatchTo(ctx, with.episode, with.Step); err == nil {
			out.ObservedGraph, out.ExpectedGraph = engine.Between(seen, other, how)
			out.Sensed = sensedBetween(r.Ontology, observed, with)
		}
	}
	if err != nil {
		return nil, err
	}
	if out.Comparison, err = discrepancy.Compare(ctx, out.ObservedGraph, out.ExpectedGraph, how.Embedder, how.Options); err != nil {
		return nil, err
	}
	if out.Alarm(how.Threshold) {
		out.Below = &how.Threshold
	}
	return out, nil
}

// sensedBetween tells what sensors told of after the earlier of two scenes and no later than
// at the other, where both are of one episode of one log.
func sensedBetween(o *ontology.Ontology, a, b *LoggedScene) []string {
	if a.Log != b.Log || a.Episode != b.Episode {
		return nil
	}
	n := narrator{onto: o}
	var out []string
	for i := range a.episode.Steps {
		st := &a.episode.Steps[i]
		if s := int32(st.Index); s <= min(a.Step, b.Step) || s > max(a.Step, b.Step) {
			continue
		}
		for k := range st.Events {
			out = append(out, moment(int32(st.Index), cmp.Or(st.Events[k].Time, st.Time))+": "+n.sensorEvent(&st.Events[k]))
		}
	}
	return out
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
	if len(d.Sensed) > 0 {
		b.WriteString("  between the two, sensors told of:\n")
	}
	for _, text := range d.Sensed {
		fmt.Fprintf(&b, "    %s\n", clean(text))
	}
	for _, text := range d.Warnings {
		fmt.Fprintf(&b, "  %swarning:%s %s\n", s.Yellow, s.Reset, text)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
