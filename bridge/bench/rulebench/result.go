package rulebench

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"github.com/mishap-robotics/mishap/bridge/internal/encode"
	"github.com/mishap-robotics/mishap/bridge/internal/svg"
)

// BenchmarkResult is what the benchmark measured.
type BenchmarkResult struct {
	Version  string     `json:"version"` // of mishap
	Go       string     `json:"go"`
	Seed     uint64     `json:"seed"`
	Runs     int        `json:"runs"`
	Measured []Measured `json:"measured"`
	Skipped  []string   `json:"skipped,omitempty"` // engines that were not there
}

// JSON writes the result.
func (r *BenchmarkResult) JSON(w io.Writer) error {
	return encode.Indented(w, r)
}

// sets lists the sets of rules that were measured.
func (r *BenchmarkResult) sets() []string {
	var out []string
	for _, m := range r.Measured {
		if !slices.Contains(out, m.Rules) {
			out = append(out, m.Rules)
		}
	}
	return out
}

// Text writes a table for each set of rules.
func (r *BenchmarkResult) Text(w io.Writer) error {
	fmt.Fprintf(w, "mishap %s, %s, seed %d, medians of %d runs\n", r.Version, r.Go, r.Seed, r.Runs)
	for _, set := range r.sets() {
		fmt.Fprintf(w, "\n%s rules; microseconds a step at the median and the 99th percentile\n", set)
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "steps\tengine\tfacts in\tevaluated\tonline\tall at once\tall facts in\tmemory\tanswers\tonline p50, p99 against mishap")
		var own *Measured
		for i := range r.Measured {
			m := &r.Measured[i]
			if m.Rules != set {
				continue
			}
			if own == nil || own.Steps != m.Steps {
				own = m
			}
			fmt.Fprintf(t, "%d\t%s\t%s\t%s\t%s\t%.2f ms\t%.0f ms\t%.0f MB\t%d %s\t%.1f, %.1f\n", m.Steps, m.Engine, m.Add, m.Evaluate, m.Online, m.Whole, m.Load, m.Memory, m.Answers, m.Note,
				m.Online.Median/own.Online.Median, m.Online.High/own.Online.High)
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	for _, s := range r.Skipped {
		fmt.Fprintln(w, "skipped:", s)
	}
	return nil
}

func (t Times) String() string { return fmt.Sprintf("%.1f / %.1f", t.Median, t.High) }

// curves tell the engines apart, without colour too.
var curves = []struct {
	engine string
	svg.Curve
}{
	{"mishap", svg.Curve{Colour: "#1b6ca8", Mark: `<circle r="4" fill="#1b6ca8"/>`}},
	{"mishap, interpreted", svg.Curve{Colour: "#777777", Dash: "2 3", Mark: `<rect x="-3" y="-3" width="6" height="6" fill="#fff"/>`}},
	{"SWI-Prolog", svg.Curve{Colour: "#d9822b", Dash: "8 4", Mark: `<path d="M0 -5L5 4L-5 4Z" fill="#fff"/>`}},
	{"Mangle", svg.Curve{Colour: "#3c8d40", Dash: "2 2 8 2", Mark: `<path d="M-4 -4L4 4M-4 4L4 -4"/>`}},
}

const (
	plotWidth, plotHeight = 360.0, 260.0
	left, top             = 64.0, 70.0
)

// SVG draws the time of a step, facts and evaluation, at the 99th percentile over
// the length of the episode, both on logarithmic scales, for each set of rules.
func (r *BenchmarkResult) SVG(w io.Writer) error {
	sets := r.sets()
	if len(sets) == 0 {
		return errors.New("nothing to draw: nothing was measured")
	}
	low, high, steps := 1.0, 10.0, 10.0
	for _, m := range r.Measured {
		low, high, steps = min(low, m.Online.High), max(high, m.Online.High), max(steps, float64(m.Steps))
	}
	d := &svg.Drawing{}
	title := "Rules: a step's facts taken in and every rule asked about it"
	d.Text(16, 30, `class="title"`, title)
	for i, set := range sets {
		x := left + float64(i)*(plotWidth+left+16)
		p := plot{d, x, math.Floor(math.Log10(low)), math.Ceil(math.Log10(high)), math.Ceil(math.Log10(steps))}
		d.Text(x, top-14, `class="head"`, set+" rules, microseconds a step, 99th percentile")
		p.axes()
		for _, c := range curves {
			c.Draw(d, p.through(r.Measured, set, c.engine))
		}
	}
	y := top + plotHeight + 62
	for _, c := range curves {
		if !slices.ContainsFunc(r.Measured, func(m Measured) bool { return m.Engine == c.engine }) {
			continue
		}
		c.Key(d, left, y)
		d.Text(left+46, y+4, "", c.engine)
		y += 18
	}
	return svg.Write(w, title, left+float64(len(sets))*(plotWidth+left+16), y+8, d)
}

type plot struct {
	*svg.Drawing
	x                   float64
	bottom, most, steps float64 // powers of ten
}

func (p *plot) at(steps, us float64) (x, y float64) {
	return p.x + plotWidth*(math.Log10(steps)-1)/(p.steps-1), top + plotHeight*(1-(math.Log10(us)-p.bottom)/(p.most-p.bottom))
}

func (p *plot) axes() {
	for e := p.bottom; e <= p.most; e++ {
		_, y := p.at(10, math.Pow(10, e))
		p.GridRow(p.x, y, plotWidth, fmt.Sprintf("%g", math.Pow(10, e)))
	}
	for e := 1.0; e <= p.steps; e++ {
		x, y := p.at(math.Pow(10, e), math.Pow(10, p.bottom))
		p.Tick(x, y, fmt.Sprintf("%.0f", math.Pow(10, e)))
	}
	p.Axes(p.x, top, plotWidth, plotHeight)
	p.Text(p.x+plotWidth/2, top+plotHeight+34, `text-anchor="middle"`, "steps of the episode")
}

// through lists the points of an engine.
func (p *plot) through(all []Measured, set, engine string) []svg.Point {
	var out []svg.Point
	for _, m := range all {
		if m.Rules == set && m.Engine == engine {
			x, y := p.at(float64(m.Steps), m.Online.High)
			out = append(out, svg.Point{X: x, Y: y})
		}
	}
	return out
}
