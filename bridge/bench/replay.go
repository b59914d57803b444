package bench

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/bridge/internal/wording"
	"github.com/mishap-robotics/mishap/bridge/logs/alfred"
	"github.com/mishap-robotics/mishap/engine"
)

// ALFREDReplay counts what is found in ALFRED trajectories, as they were recorded and with one
// interaction deleted from each. All succeeded in the real simulator, so that a finding
// and a goal that is not reached are faults of the action model.
type ALFREDReplay struct {
	Reasoner *engine.Reasoner
	Seed     uint64 // chooses the interaction to delete
	Listed   int    // how many examples of each exception are named
	Verbose  bool   // name examples of what is as it should be too
	counts   map[string]int
	examples map[string][]string
}

// The names of what is counted.
const (
	trajectories = "trajectories"
	deletions    = "deletions"
	deletionsOf  = "deletions of "
	reportedAs   = "reported as "
)

// Add replays a trajectory of a file.
func (r *ALFREDReplay) Add(ctx context.Context, file string, t *alfred.Trajectory) error {
	res, err := r.Check(ctx, file, t)
	if err != nil {
		return err
	}
	r.note(trajectories, "")
	if len(res.Findings) > 0 {
		f := &res.Findings[0]
		r.note("with a finding", fmt.Sprintf("%s: %s at interaction %d: %s", t.ID, f.Type, f.Step, f.Explanation))
	}
	switch got, _ := res.Trace.GoalTruth(res.Trace.Final); {
	case got >= engine.AssumedTrue:
		r.note("goal reached", "")
	case got == engine.Undecided:
		r.note("goal unknown", t.ID)
	default:
		r.note("goal missed", t.ID)
	}
	return r.addWithout(ctx, file, t)
}

// AddFiles replays the trajectories of ALFRED files.
func (r *ALFREDReplay) AddFiles(ctx context.Context, files []string, p Progress) error {
	for _, f := range files {
		ts, err := alfred.ReadTrajectories(f)
		if err != nil {
			return err
		}
		p.More(len(ts))
		for i := range ts {
			if err := r.Add(ctx, f, &ts[i]); err != nil {
				return err
			}
			p.Step()
		}
	}
	return nil
}

// addWithout replays a trajectory without one of its interactions.
func (r *ALFREDReplay) addWithout(ctx context.Context, file string, t *alfred.Trajectory) error {
	cut, i := alfred.DeleteOne(t, r.Seed)
	if i < 0 {
		return nil
	}
	res, err := r.Check(ctx, file, cut)
	if err != nil {
		return err
	}
	deleted := t.Interactions[i]
	r.note(deletions, "")
	r.note(deletionsOf+deleted.Action, "")
	if len(res.Findings) == 0 {
		r.note("deletions not reported", fmt.Sprintf("%s without interaction %d, %s %s", t.ID, i+1, deleted.Action, deleted.Object))
		return nil
	}
	r.note("deletions reported", "")
	r.note(reportedAs+res.Findings[0].Type+" for "+deleted.Action, fmt.Sprintf("%s without %d %s: %s", t.ID, i+1, deleted.Object, res.Findings[0].Explanation))
	return nil
}

// Check finds the failures of a trajectory.
func (r *ALFREDReplay) Check(ctx context.Context, file string, t *alfred.Trajectory) (*engine.Result, error) {
	ep, err := alfred.Episode(r.Reasoner.Ontology, file, t)
	if err != nil {
		return nil, err
	}
	return r.Reasoner.Check(ctx, ep)
}

func (r *ALFREDReplay) note(kind, example string) {
	if r.counts == nil {
		r.counts, r.examples = map[string]int{}, map[string][]string{}
	}
	r.counts[kind]++
	if example != "" && len(r.examples[kind]) < r.Listed {
		r.examples[kind] = append(r.examples[kind], example)
	}
}

// Text writes the counts, with examples of the exceptions.
func (r *ALFREDReplay) Text(w io.Writer) error {
	var b strings.Builder
	n, d := r.counts[trajectories], r.counts[deletions]
	fmt.Fprintf(&b, "trajectories            %d\n", n)
	for _, k := range []string{"with a finding", "goal reached", "goal unknown", "goal missed"} {
		fmt.Fprintf(&b, "  %-21s %d (%s)\n", k, r.counts[k], wording.Percent(r.counts[k], n))
		r.writeExamples(&b, k)
	}
	fmt.Fprintf(&b, "one interaction deleted %d (seed %d)\n", d, r.Seed)
	for _, k := range []string{"deletions reported", "deletions not reported"} {
		fmt.Fprintf(&b, "  %-21s %d (%s)\n", strings.TrimPrefix(k, "deletions "), r.counts[k], wording.Percent(r.counts[k], d))
		r.writeExamples(&b, k)
	}
	var rest []string
	for k := range r.counts {
		if strings.HasPrefix(k, reportedAs) || strings.HasPrefix(k, deletionsOf) {
			rest = append(rest, k)
		}
	}
	slices.Sort(rest)
	for _, k := range rest {
		fmt.Fprintf(&b, "  %-60s %d\n", k, r.counts[k])
		if r.Verbose {
			r.writeExamples(&b, k)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *ALFREDReplay) writeExamples(b *strings.Builder, kind string) {
	for _, e := range r.examples[kind] {
		fmt.Fprintf(b, "      %s\n", e)
	}
}
