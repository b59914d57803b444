package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"

	"github.com/mishap-robotics/mishap/bridge/internal/encode"
	"github.com/mishap-robotics/mishap/bridge/internal/svg"
	"github.com/mishap-robotics/mishap/bridge/perception"
	"github.com/mishap-robotics/mishap/bridge/perception/mapping"
	"github.com/mishap-robotics/mishap/bridge/perception/render"
	"github.com/mishap-robotics/mishap/bridge/recording"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/simulation"
)

// PerceptionResult is detection through recordings of robots whose sensors err.
type PerceptionResult struct {
	Version string         `json:"version"` // of mishap
	Go      string         `json:"go"`
	Seed    uint64         `json:"seed"`
	Series  []SensorSeries `json:"series"`
}

// SensorSeries is detection as one kind of error grows.
type SensorSeries struct {
	Name   string        `json:"name"`
	Axis   string        `json:"axis"` // what grows, with its unit
	Points []SensorPoint `json:"points"`
}

// SensorPoint is detection by sensors that err alike. Its rate is a hundredth of what the axis
// tells.
type SensorPoint struct {
	Sensors string `json:"sensors"` // as "mishap sim --sensors" takes them
	NoisePoint
}

// errorsOfSensors are the series that are measured.
var errorsOfSensors = []struct {
	name, axis string
	values     []float64
	noise      func(x float64) render.Noise
}{
	{"Boxes that are off", "standard deviation of centres and sizes, in centimetres", []float64{0, 0.5, 1, 2, 3, 4}, func(x float64) render.Noise { return render.Noise{Sigma: x / 100} }},
	{"Detections that are missed", "of the detections, percent", []float64{0, 2, 5, 10, 20, 30}, func(x float64) render.Noise { return render.Noise{Missed: x / 100} }},
	{"All at once", "times 1 cm off, 2 % missed, a false one in ten frames, tracks swapped in twenty", []float64{0, 0.5, 1, 2, 3, 4}, func(x float64) render.Noise {
		return render.Noise{Sigma: 0.01 * x, Missed: 0.02 * x, False: 0.1 * x, Swapped: 0.05 * x}
	}},
}

// Perception measures detection through recordings: RECOVER's and REFLECT's tasks, each as it
// is and with every failure that can be injected in one way drawn by the seed, are simulated,
// written as recordings by sensors that err more and more, perceived and checked. Where
// Limit is set, it bounds the episodes.
func (b *Bench) Perception(ctx context.Context) (*PerceptionResult, error) {
	runs, err := b.recorded(ctx)
	if err != nil {
		return nil, err
	}
	res := &PerceptionResult{Version: Version(), Go: runtime.Version(), Seed: b.Seed}
	measured := map[render.Noise]SensorPoint{}
	for _, e := range errorsOfSensors {
		series := SensorSeries{Name: e.name, Axis: e.axis}
		for _, x := range e.values {
			n := e.noise(x)
			p, known := measured[n] // without error each series begins alike
			if !known {
				p = b.perceivedWith(ctx, runs, n)
				measured[n] = p
			}
			p.Rate = x / 100
			series.Points = append(series.Points, p)
		}
		res.Series = append(res.Series, series)
	}
	return res, ctx.Err()
}

// perceivedWith measures all episodes with sensors that err so.
func (b *Bench) perceivedWith(ctx context.Context, runs []*simulation.SimulatedEpisode, n render.Noise) SensorPoint {
	p := SensorPoint{Sensors: n.String()}
	for _, c := range each(ctx, b, len(runs), func(i int) Case { return b.perceived(ctx, runs[i], n, b.Seed+uint64(i)) }) {
		to := &p.Clean
		if len(c.Truth) > 0 {
			to = &p.Failed
		}
		to.add(&c)
		if (c.Class < len(c.Truth) || c.Extra > 0 || c.Error != "") && len(p.Misses) < keepMisses {
			p.Misses = append(p.Misses, c)
		}
	}
	return p
}

// recorded are the episodes of which recordings are written.
func (b *Bench) recorded(ctx context.Context) ([]*simulation.SimulatedEpisode, error) {
	s := b.sampler()
	rng := s.random(2400)
	scenarios, err := s.scenarios("recover", "reflect")
	if err != nil {
		return nil, err
	}
	var all []*simulation.Scenario
	for _, sc := range scenarios {
		all = append(all, sc)
		into := simulation.NewInjector(s.onto, sc)
		for _, in := range s.onto.Injections {
			variants, err := into.Variants(in, rng.IntN)
			if err != nil {
				return nil, err
			}
			if len(variants) > 0 {
				all = append(all, variants[rng.IntN(len(variants))])
			}
		}
	}
	var out []*simulation.SimulatedEpisode
	for _, sc := range limited(b, all) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		run, err := simulation.Simulate(s.onto, sc, simulation.Options{Seed: b.Seed})
		if err != nil {
			return nil, err
		}
		out = append(out, run)
	}
	return out, nil
}

// perceived writes the recording of an episode, perceives it and compares what is found with
// the truth.
func (b *Bench) perceived(ctx context.Context, run *simulation.SimulatedEpisode, n render.Noise, seed uint64) Case {
	ep, err := b.throughRecording(run.Episode, n, seed)
	if err != nil {
		return Case{ID: run.Episode.ID, Truth: run.Truth, Error: err.Error()}
	}
	return b.judge(ctx, b.Reasoner, ep, run.Truth)
}

func (b *Bench) throughRecording(ep *episode.Episode, n render.Noise, seed uint64) (*episode.Episode, error) {
	o := b.Reasoner.Ontology
	var data bytes.Buffer
	if err := render.Write(&data, o, ep, n, seed); err != nil {
		return nil, err
	}
	file := ep.ID + recording.Suffix
	open := func() (*recording.Reader, error) { return recording.NewReader(file, bytes.NewReader(data.Bytes())) }
	r, err := open()
	if err != nil {
		return nil, err
	}
	m, _, err := mapping.Recognise(r)
	if err != nil {
		return nil, err
	}
	if r, err = open(); err != nil {
		return nil, err
	}
	return perception.Read(o, file, r, m)
}

// Failed reports whether some episode could not be measured.
func (r *PerceptionResult) Failed() bool {
	return slices.ContainsFunc(r.Series, func(s SensorSeries) bool {
		return slices.ContainsFunc(s.Points, func(p SensorPoint) bool { return p.Failed.Errors+p.Clean.Errors > 0 })
	})
}

// JSON writes the result as one indented object.
func (r *PerceptionResult) JSON(w io.Writer) error { return encode.Indented(w, r) }

// Text writes the series as tables to be read.
func (r *PerceptionResult) Text(w io.Writer) error {
	p := &page{}
	p.line("%s", heading(r.Version, r.Go, r.Seed))
	for _, s := range r.Series {
		p.section(s.Name)
		rows := [][]string{{"sensors", "failed", "detected %", "class %", "cause %", "extra", "clean runs", "alarmed %"}}
		for i := range s.Points {
			f, c := &s.Points[i].Failed, &s.Points[i].Clean
			sensors := s.Points[i].Sensors
			if sensors == "" {
				sensors = "without error"
			}
			rows = append(rows, []string{sensors, strconv.Itoa(f.Episodes), percent(f.Detected, f.Failures),
				percent(f.Class, f.Failures), percent(f.Cause, f.Failures), strconv.Itoa(f.Extra), strconv.Itoa(c.Episodes), percent(c.Alarmed, c.Episodes)})
		}
		p.table(rows)
	}
	p.line("  failed, clean: episodes with and without failure; detected, class, cause: of the failures;")
	p.line("  extra: findings in the failed ones that no failure accounts for")
	for _, s := range r.Series {
		last := &s.Points[len(s.Points)-1]
		p.cases(fmt.Sprintf("missed, or alarmed without failure, of %q at its worst", s.Name), last.Misses[:min(listed/4, len(last.Misses))])
	}
	_, err := w.Write(p.Bytes())
	return err
}

// SVG writes one picture of the series. It is an error where there is none.
func (r *PerceptionResult) SVG(w io.Writer) error {
	if len(r.Series) == 0 {
		return errors.New("nothing to draw: no series was measured")
	}
	title := heading(r.Version, r.Go, r.Seed)
	d := &svg.Drawing{}
	d.Text(margin, margin+14, `class="title"`, title)
	x, height := margin, 0.0
	for _, s := range r.Series {
		points := make([]NoisePoint, len(s.Points))
		for i := range s.Points {
			points[i] = s.Points[i].NoisePoint
		}
		p := drawCurves(s.Name, "Percent, through recordings, as sensors err more.", s.Axis, points)
		d.Place(x, margin+34, p)
		x += p.Width + 2*margin
		height = max(height, p.Height)
	}
	return svg.Write(w, title+": detection through recordings", x, height+34+2*margin, d)
}
