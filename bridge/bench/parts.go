package bench

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"

	"github.com/mishap-robotics/mishap/bridge/logs/alfred"
	"github.com/mishap-robotics/mishap/engine/simulation"
)

// Files are the files that some parts of a benchmark are measured on, "" where there is
// none.
type Files struct {
	ALFRED    string
	RoboFail  string // plan file
	Accidents string // what happened in the runs of the plan file; built in for the published plans
}

// trajectories reads the ALFRED file, at most so many trajectories of it; 0 is all.
func (f *Files) trajectories(most int) ([]alfred.Trajectory, error) {
	ts, err := alfred.ReadTrajectories(f.ALFRED)
	if most > 0 {
		ts = ts[:min(len(ts), most)]
	}
	return ts, err
}

// Choice is what of a benchmark is run: some of its parts, and scenarios of the user's.
type Choice struct {
	Parts     []string
	Folder    string // of the user's scenarios, "" for none
	Scenarios []*simulation.Scenario
}

// each does the parts that were chosen, in order; those that no file was given for are
// skipped, with the reason.
func (f *Files) each(all []string, c Choice, skipped *[]string, do func(part string) error) error {
	files := map[string]string{"alfred": "alfred", "robofail": "robofail", "plans": "robofail"}
	given := map[string]bool{"": true, "alfred": f.ALFRED != "", "robofail": f.RoboFail != ""}
	for _, part := range all {
		if !slices.Contains(c.Parts, part) {
			continue
		}
		if flag := files[part]; !given[flag] {
			*skipped = append(*skipped, fmt.Sprintf("%s: no --%s FILE was given", part, flag))
		} else if err := do(part); err != nil {
			return err
		}
	}
	return nil
}

// Version is the revision that the binary was built from, else its version.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return info.Main.Version
}

// Detection says what detection is measured on.
type Detection struct {
	Files
	Episodes int // failed and clean episodes at each rate of noise and for each ablation
	Nested   int // episodes of each kind with several accidents
}

// DetectionParts lists the parts of the benchmark of detection, in the order they are run.
func DetectionParts() []string {
	return []string{"matrix", "suites", "noise", "ablations", "nested", "alfred", "robofail"}
}

// Run measures what is chosen.
func (d *Detection) Run(ctx context.Context, b *Bench, c Choice) (res *DetectionResult, err error) {
	res = &DetectionResult{Version: Version(), Go: runtime.Version(), Seed: b.Seed}
	if c.Folder != "" {
		if res.Scenarios, err = b.Scenarios(ctx, c.Folder, c.Scenarios); err != nil {
			return nil, err
		}
	}
	return res, d.each(DetectionParts(), c, &res.Skipped, func(part string) error { return d.measure(ctx, b, part, res) })
}

// measure measures one part, and puts what comes of it into a result.
func (d *Detection) measure(ctx context.Context, b *Bench, part string, res *DetectionResult) (err error) {
	tasks := []string{"recover", "reflect"}
	switch part {
	case "matrix":
		res.Matrix, err = b.Matrix(ctx, "recover", b.Failures())
	case "suites":
		res.Suites, err = b.Suites(ctx, []string{"recover", "reflect", "replanning", "replan"})
	case "noise":
		res.Noise, err = b.Noise(ctx, tasks, []float64{0, 0.01, 0.02, 0.05, 0.10}, d.Episodes)
	case "ablations":
		res.Ablations, err = b.Ablations(ctx, tasks, d.Episodes)
	case "nested":
		res.Nested, err = b.Nested(ctx, tasks, d.Nested)
	case "alfred":
		ts, err := d.trajectories(0)
		if err != nil {
			return err
		}
		res.ALFRED, err = b.ALFRED(ctx, d.Files.ALFRED, ts)
		return err
	case "robofail":
		re, err := ReadReenactments(d.Accidents)
		if err != nil {
			return err
		}
		res.RoboFail, err = b.RoboFail(ctx, d.Files.RoboFail, re)
		return err
	}
	return err
}

// The names of sets that stand in papers.
const (
	tableA2     = "Table A2 of proactive replanning"
	replanCases = "RePlan cases"
)

// Foreseeing says what foresight is measured on.
type Foreseeing struct {
	Files
	Changes      int // benign changes of each task
	Trajectories int // of the ALFRED file; 0 is all
}

// ForeseeingParts lists the parts of the benchmark of foresight, in the order they are run.
func ForeseeingParts() []string {
	return []string{"robofail", "pairs", "replanning", "replan", "alfred", "plans"}
}

// Run measures what is chosen.
func (f *Foreseeing) Run(ctx context.Context, b *Bench, c Choice) (*Foresee, error) {
	res := &Foresee{Version: Version(), Go: runtime.Version(), Seed: b.Seed}
	if c.Folder != "" {
		set, err := b.ForeseeScenarios(ctx, c.Folder, c.Scenarios)
		if err != nil {
			return nil, err
		}
		res.Sets = append(res.Sets, set)
	}
	return res, f.each(ForeseeingParts(), c, &res.Skipped, func(part string) error { return f.measure(ctx, b, part, res) })
}

// measure measures one part, and adds what comes of it to a result.
func (f *Foreseeing) measure(ctx context.Context, b *Bench, part string, res *Foresee) (err error) {
	var set Set
	switch part {
	case "pairs":
		set, err = b.ForeseePairs(ctx, "recover", f.Changes)
	case "replanning":
		set, err = b.ForeseeSuite(ctx, tableA2, "replanning")
	case "replan":
		set, err = b.ForeseeSuite(ctx, replanCases, "replan")
	case "alfred":
		ts, err := f.trajectories(f.Trajectories)
		if err != nil {
			return err
		}
		if set, err = b.ForeseeALFRED(ctx, f.ALFRED, ts); err != nil {
			return err
		}
	case "plans":
		res.Plans, err = b.ForeseePlans(ctx, f.RoboFail)
		return err
	case "robofail":
		re, err := ReadReenactments(f.Accidents)
		if err != nil {
			return err
		}
		var skipped []string
		if set, skipped, err = b.ForeseeRoboFail(ctx, f.RoboFail, re, f.Changes); err != nil {
			return err
		}
		res.Skipped = append(res.Skipped, skipped...)
	}
	if err == nil {
		res.Sets = append(res.Sets, set)
	}
	return err
}

// Recovering says what recovery is measured on.
type Recovering struct {
	Files
	Draws        int // of each task with unknowns
	Noisy        int // episodes at each rate of noise
	Trajectories int // of the ALFRED file; 0 is all
	// Imitate measures each part once for each imitation, where there are any.
	Imitate []*Imitation
}

// RecoveringParts lists the parts of the benchmark of recovery, in the order they are run.
func RecoveringParts() []string {
	return []string{"pairs", "stocked", "robofail", "replanning", "replan", "unknown", "alfred", "noise"}
}

// PaperParts are those of the papers' own tasks.
func PaperParts() []string {
	return []string{"pairs", "robofail", "replanning", "replan", "unknown", "alfred"}
}

// Run measures what is chosen. failed reports that some of the user's scenarios could not
// be run.
func (r *Recovering) Run(ctx context.Context, b *Bench, c Choice) (res *Recover, failed bool, err error) {
	res = &Recover{Version: Version(), Go: runtime.Version(), Seed: b.Seed}
	if c.Folder != "" {
		set, err := b.RecoverScenarios(ctx, "scenarios of "+c.Folder, c.Scenarios)
		if err != nil {
			return nil, false, err
		}
		res.Sets = append(res.Sets, set)
		failed = slices.ContainsFunc(set.Methods, func(m RecoveryMethod) bool { return m.Errors > 0 })
	}
	res.Imitated = len(r.Imitate) > 0
	return res, failed, r.each(RecoveringParts(), c, &res.Skipped, func(part string) error { return r.measureAll(ctx, b, part, res) })
}

// measureAll measures one part, with each imitation where there are any.
func (r *Recovering) measureAll(ctx context.Context, b *Bench, part string, res *Recover) error {
	if len(r.Imitate) == 0 {
		return r.measure(ctx, b, part, res)
	}
	defer func(before *Imitation) { b.Imitation = before }(b.Imitation)
	for _, i := range r.Imitate {
		b.Imitation = i
		if err := r.measure(ctx, b, part, res); err != nil {
			return err
		}
	}
	return nil
}

// measure measures one part, and adds what comes of it to a result.
func (r *Recovering) measure(ctx context.Context, b *Bench, part string, res *Recover) (err error) {
	var set RecoverySet
	switch part {
	case "pairs", "stocked":
		set, err = b.RecoverPairs(ctx, "recover", part == "stocked")
	case "replanning":
		set, err = b.RecoverSuite(ctx, tableA2, "replanning")
	case "replan":
		set, err = b.RecoverSuite(ctx, replanCases, "replan")
	case "unknown":
		set, err = b.RecoverUnknown(ctx, r.Draws)
	case "robofail":
		re, err := ReadReenactments(r.Accidents)
		if err != nil {
			return err
		}
		var skipped []string
		if set, skipped, err = b.RecoverRoboFail(ctx, r.RoboFail, re); err != nil {
			return err
		}
		res.Skipped = append(res.Skipped, skipped...)
	case "alfred":
		ts, err := r.trajectories(r.Trajectories)
		if err != nil {
			return err
		}
		if set, err = b.RecoverALFRED(ctx, r.ALFRED, ts); err != nil {
			return err
		}
	case "noise":
		sets, err := b.RecoverNoise(ctx, []string{"recover"}, []float64{0, 0.02, 0.05, 0.1}, r.Noisy)
		res.Sets = append(res.Sets, sets...)
		return err
	}
	if err == nil {
		res.Sets = append(res.Sets, set)
	}
	return err
}
