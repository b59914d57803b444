package bench

// DetectionResult is what a benchmark measured; parts that were not run are nil.
type DetectionResult struct {
	Version   string           `json:"version"` // of mishap
	Go        string           `json:"go"`
	Seed      uint64           `json:"seed"`
	Matrix    *Matrix          `json:"matrix,omitempty"`
	Noise     []NoisePoint     `json:"noise,omitempty"`
	Ablations []AblationResult `json:"ablations,omitempty"`
	Nested    *Nested          `json:"nested,omitempty"`
	ALFRED    *ALFRED          `json:"alfred,omitempty"`
	RoboFail  *RoboFail        `json:"robofail,omitempty"`
	Suites    []Suite          `json:"suites,omitempty"` // scenarios whose plan or scene holds the mistake
	Scenarios *Scenarios       `json:"scenarios,omitempty"`
	Skipped   []string         `json:"skipped,omitempty"` // parts that could not be run, with the reason
}

// Impossible lists why scenarios of the user's could not be run, so that they are not
// taken for scenarios in which nothing was found.
func (r *DetectionResult) Impossible() []string {
	if r.Scenarios == nil {
		return nil
	}
	var out []string
	for _, c := range r.Scenarios.Cases {
		if c.Error != "" {
			out = append(out, c.Error)
		}
	}
	return out
}

// Suite is detection on the scenarios of one suite, as they are.
type Suite struct {
	Name  string `json:"name"`
	Count Count  `json:"count"`
	Cases []Case `json:"cases"`
}

// Scenarios is detection on the scenarios of a folder.
type Scenarios struct {
	Folder string `json:"folder"`
	Count  Count  `json:"count"`
	Clean  Count  `json:"clean"` // those that expect nothing
	Cases  []Case `json:"cases"`
}
