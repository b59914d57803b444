package audio

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"slices"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/engine/language"
	"github.com/mishap-robotics/mishap/ontology"
)

// Score is how a classifier scores a stretch of sound, by label.
type Score struct {
	Begin, End float64 // seconds
	Labels     map[string]float64
}

// ReadScores reads what a classifier wrote beside a sound, one object a line:
// {"start": 0.96, "end": 1.92, "scores": {"glass breaking": 0.8}}. The errors are *input.Errors
// with the lines; lines that can be read are given with them.
func ReadScores(fsys fs.FS, name string) ([]Score, error) {
	data, err := input.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	var out []Score
	var bad []error
	err = input.EachLine(name, bytes.NewReader(data), func(n int, line []byte) error {
		if len(bytes.TrimSpace(line)) == 0 {
			return nil
		}
		s, found := readScore(line)
		if found != "" {
			bad = append(bad, &input.Error{File: name, Line: n, Found: found, Expected: `such as {"start": 0.96, "end": 1.92, "scores": {"glass breaking": 0.8}}`})
			return nil
		}
		out = append(out, s)
		return nil
	})
	return out, errors.Join(append(bad, err)...)
}

func readScore(line []byte) (s Score, found string) {
	var in struct {
		Start, End *float64
		Scores     map[string]float64
	}
	if err := json.Unmarshal(line, &in); err != nil {
		return s, "no scores (" + input.Clip(err.Error()) + ")"
	}
	switch {
	case in.Start == nil || in.End == nil:
		return s, "scores without start and end"
	case !(*in.Start >= 0) || !(*in.End > *in.Start) || *in.End > 1e9:
		return s, fmt.Sprintf("scores from %v to %v", *in.Start, *in.End)
	}
	return Score{*in.Start, *in.End, in.Scores}, ""
}

// Label is the sound of a segment: of the sounds of the ontology the one with the best score,
// the mean over the segment, where that is at least least and surpasses that of the next by
// margin, which is neither a kind of it nor it of that. It is the classifier's word for it; ok is false where there is none.
func Label(o *ontology.Ontology, s Segment, scores []Score, least, margin float64) (label string, score float64, ok bool) {
	sums := map[string]float64{}
	covered := 0.0
	for _, c := range scores {
		shared := math.Min(s.End, c.End) - math.Max(s.Begin, c.Begin)
		if shared <= 0 {
			continue
		}
		covered += shared
		for l, v := range c.Labels {
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				sums[l] += shared * v
			}
		}
	}
	type sound struct {
		is    ontology.TermID
		label string
		score float64
	}
	var all []sound
	for _, l := range slices.Sorted(maps.Keys(sums)) {
		if id, known := language.Sound(o, l); known {
			all = append(all, sound{id, l, sums[l] / covered})
		}
	}
	if len(all) == 0 {
		return "", 0, false
	}
	slices.SortStableFunc(all, func(a, b sound) int { return cmp.Compare(b.score, a.score) })
	best := all[0]
	for _, next := range all[1:] {
		if !o.IsA(next.is, best.is) && !o.IsA(best.is, next.is) {
			if best.score-next.score < margin {
				return "", best.score, false
			}
			break
		}
	}
	return best.label, best.score, best.score >= least
}
