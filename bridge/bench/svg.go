package bench

// The picture has to be read in print and by those who tell few colours apart:
// cells hold numbers, curves differ by mark and dash, bars by hatching and
// values. Sizes are in pixels; widths of texts are estimated generously, since
// the viewer picks the font.

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/mishap-robotics/mishap/bridge/internal/svg"
)

const (
	margin = 16.0 // around the picture and between its panels

	cellWidth, cellHeight = 46.0, 32.0
	plotWidth, plotHeight = 340.0, 220.0
	barHeight             = 12.0
)

// SVG writes one picture of the matrix, the curves over noise and the ablations,
// as far as they were measured. It is an error where none of them was.
func (r *DetectionResult) SVG(w io.Writer) error {
	rows := r.panels()
	if len(rows) == 0 {
		return errors.New("nothing to draw: neither matrix nor noise nor ablations were measured")
	}
	heading := r.heading()
	width, height := svg.TextWidth(heading)*1.4, 30.0
	body := &svg.Drawing{}
	for _, row := range rows {
		x, tallest := 0.0, 0.0
		for _, p := range row {
			body.Place(margin+x, margin+height, p)
			x += p.Width + 2*margin
			tallest = max(tallest, p.Height)
		}
		width = max(width, x-2*margin)
		height += tallest + margin
	}
	d := &svg.Drawing{}
	d.Text(margin, margin+14, `class="title"`, heading)
	d.Write(body.Bytes())
	return svg.Write(w, heading+": detection of failures", width+2*margin, height+margin, d)
}

// panels lists what there is to draw, in rows.
func (r *DetectionResult) panels() [][]*svg.Panel {
	var rows [][]*svg.Panel
	if r.Matrix != nil && len(r.Matrix.Tasks) > 0 && len(r.Matrix.Failures) > 0 {
		rows = append(rows, []*svg.Panel{drawMatrix(r.Matrix)})
	}
	var row []*svg.Panel
	if len(r.Noise) > 0 {
		row = append(row, drawNoise(r.Noise))
	}
	if len(r.Ablations) > 0 {
		row = append(row, drawAblations(r.Ablations))
	}
	if len(row) > 0 {
		rows = append(rows, row)
	}
	return rows
}

func drawMatrix(m *Matrix) *svg.Panel {
	p := svg.NewPanel("Detection by task and failure", "In a cell: percent of the episodes with the right class, or with the right cause where that is less; below, how many episodes.")
	left := svg.Widest(m.Tasks) + 10
	slant := max(svg.Widest(m.Failures), svg.TextWidth("alarms, no failure")) * math.Sqrt2 / 2
	top := 44 + slant
	gap := 10.0
	column := func(k int) float64 {
		if k == len(m.Failures) {
			return left + float64(k)*cellWidth + gap
		}
		return left + float64(k)*cellWidth
	}
	for k, name := range append(slices.Clone(m.Failures), "alarms, no failure") {
		p.Slanted(column(k)+cellWidth/2, top-6, name)
	}
	for i, task := range m.Tasks {
		y := top + float64(i)*cellHeight
		p.Text(left-8, y+cellHeight/2+4, `text-anchor="end"`, task)
		for k := range m.Failures {
			drawCell(p, column(k), y, m.cell(i, k))
		}
		drawAlarms(p, column(len(m.Failures)), y, m.clean(i))
	}
	bottom := top + float64(len(m.Tasks))*cellHeight
	drawScale(p, left, bottom+12)
	p.Width = max(p.Width, column(len(m.Failures))+cellWidth/2+slant+10, left+scaleWidth())
	p.Height = bottom + 12 + 20 + 12
	return p
}

// drawCell draws the share of episodes in which everything is right. A count does
// not tell in which episodes both class and cause are, so the lesser is shown.
func drawCell(p *svg.Panel, x, y float64, n Count) {
	if n.Episodes == 0 {
		p.Rect(x, y, cellWidth, cellHeight, `class="edge" fill="url(#impossible)"`)
		return
	}
	right, all := min(n.Detected, n.Class, n.Cause), max(n.Episodes, n.Failures)
	p.Rect(x, y, cellWidth, cellHeight, fmt.Sprintf(`class="edge" fill="%s"`, shade(float64(right)/float64(all))))
	p.Text(x+cellWidth/2, y+15, `class="value" text-anchor="middle"`, wholePercent(right, all))
	p.Text(x+cellWidth/2, y+27, `class="note" text-anchor="middle"`, "of "+strconv.Itoa(all))
}

func drawAlarms(p *svg.Panel, x, y float64, n Count) {
	if n.Episodes == 0 {
		p.Rect(x, y, cellWidth, cellHeight, `class="edge" fill="url(#impossible)"`)
		return
	}
	p.Rect(x, y, cellWidth, cellHeight, fmt.Sprintf(`class="edge" fill="%s"`, shade(1-float64(n.Alarmed)/float64(n.Episodes))))
	p.Text(x+cellWidth/2, y+15, `class="value" text-anchor="middle"`, strconv.Itoa(n.Alarmed))
	p.Text(x+cellWidth/2, y+27, `class="note" text-anchor="middle"`, "of "+strconv.Itoa(n.Episodes))
}

const impossible = "the failure cannot happen in the task"

func scaleWidth() float64 { return 6*40 + 10 + 6 + svg.TextWidth(impossible) }

// drawScale shows which shade stands for which share.
func drawScale(p *svg.Panel, x, y float64) {
	for i := range 5 {
		at := x + float64(i)*40
		p.Rect(at, y, 40, 20, fmt.Sprintf(`class="edge" fill="%s"`, shade(float64(i)/4)))
		p.Text(at+20, y+14, `text-anchor="middle"`, strconv.Itoa(25*i))
	}
	p.Rect(x+210, y, 40, 20, `class="edge" fill="url(#impossible)"`)
	p.Text(x+256, y+14, "", impossible)
}

// shade goes from orange by cream to blue, all light enough for dark letters.
func shade(v float64) string {
	low, mid, high := [3]float64{244, 158, 104}, [3]float64{252, 240, 218}, [3]float64{170, 206, 232}
	from, to, t := low, mid, 2*v
	if v > 0.5 {
		from, to, t = mid, high, 2*v-1
	}
	var c [3]int
	for i := range c {
		c[i] = int(math.Round(from[i] + (to[i]-from[i])*t))
	}
	return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2])
}

// curve is a share over the rates of noise.
type curve struct {
	svg.Curve
	name string
	of   func(*NoisePoint) (n, all int)
}

// The first is drawn below the others, which it may coincide with; its mark is
// the largest and open.
var curves = []curve{
	{svg.Curve{Colour: "#1f5f99", Dash: "none", Mark: `<circle r="5.5" fill="#fff"/>`}, "detected, of the failures",
		func(p *NoisePoint) (int, int) { return p.Failed.Detected, p.Failed.Failures }},
	{svg.Curve{Colour: "#c05a00", Dash: "6 3", Mark: `<rect x="-3" y="-3" width="6" height="6" fill="#c05a00"/>`}, "right class, of the detected",
		func(p *NoisePoint) (int, int) { return p.Failed.Class, p.Failed.Detected }},
	{svg.Curve{Colour: "#555", Dash: "2 3", Mark: `<path d="M0-4.5L4.5 3.5H-4.5Z" fill="#555"/>`}, "alarmed, of the episodes without failure",
		func(p *NoisePoint) (int, int) { return p.Clean.Alarmed, p.Clean.Episodes }},
}

func drawNoise(points []NoisePoint) *svg.Panel {
	return drawCurves("Detection by noise", "Percent, over the rate at which what is perceived is disturbed.", "rate of noise, percent", points)
}

// drawCurves draws the curves over the rates of some points; axis says what they are.
func drawCurves(head, note, axis string, points []NoisePoint) *svg.Panel {
	p := svg.NewPanel(head, note)
	points = slices.Clone(points)
	slices.SortStableFunc(points, func(a, b NoisePoint) int { return cmp.Compare(a.Rate, b.Rate) })
	left, top := 34.0, 46.0
	step, last := ticks(100 * points[len(points)-1].Rate)
	drawAxes(p, left, top, step, last, axis)
	y := top + plotHeight + 52
	for _, c := range curves {
		c.Draw(&p.Drawing, c.through(points, left, top, step*float64(last)))
		c.Key(&p.Drawing, left, y-4)
		p.Text(left+44, y, "", c.name)
		p.Width = max(p.Width, left+44+svg.TextWidth(c.name))
		y += 18
	}
	p.Width = max(p.Width, left+plotWidth+12, left+plotWidth/2+svg.TextWidth(axis)/2)
	p.Height = y - 6
	return p
}

// ticks are at round numbers, eight at most; the last is not below the maximum.
func ticks(most float64) (step float64, last int) {
	if !(most > 0) || math.IsInf(most, 1) {
		return 1, 1
	}
	for step = math.Pow(10, math.Floor(math.Log10(most))-1); ; step *= 10 {
		for _, m := range []float64{1, 2, 5} {
			// Rates such as 0.07 are a little more than seven percent.
			if n := math.Ceil(most/(step*m) - 1e-9); n <= 8 {
				return step * m, int(n)
			}
		}
	}
}

func drawAxes(p *svg.Panel, left, top, step float64, last int, axis string) {
	bottom := top + plotHeight
	for v := 0; v <= 100; v += 20 {
		p.GridRow(left, bottom-plotHeight*float64(v)/100, plotWidth, strconv.Itoa(v))
	}
	for i := range last + 1 {
		p.Tick(left+plotWidth*float64(i)/float64(last), bottom, strconv.FormatFloat(step*float64(i), 'g', 6, 64))
	}
	p.Axes(left, top, plotWidth, plotHeight)
	p.Text(left+plotWidth/2, bottom+33, `text-anchor="middle"`, axis)
}

// through leaves out points where there is nothing to divide by.
func (c *curve) through(points []NoisePoint, left, top, most float64) []svg.Point {
	var out []svg.Point
	for i := range points {
		if n, all := c.of(&points[i]); all > 0 {
			out = append(out, svg.Point{X: left + plotWidth*100*points[i].Rate/most, Y: top + plotHeight*(1-float64(n)/float64(all))})
		}
	}
	return out
}

// bars are drawn for each ablation, one below the other.
var bars = []struct {
	name, fill string
	of         func(*AblationResult) (n, all int)
}{
	{"detected, of the failures", "#1f5f99", func(a *AblationResult) (int, int) { return a.Failed.Detected, a.Failed.Failures }},
	{"right class, of the detected", "url(#hatched)", func(a *AblationResult) (int, int) { return a.Failed.Class, a.Failed.Detected }},
}

func drawAblations(list []AblationResult) *svg.Panel {
	const length, top, row = 240.0, 46.0, 2*barHeight + 10
	p := svg.NewPanel("Detection without a part", "Percent, without what is named.")
	var names []string
	for i := range list {
		names = append(names, list[i].Without)
	}
	left := svg.Widest(names) + 10
	bottom := top + float64(len(list))*row
	for v := 0; v <= 100; v += 25 {
		x := left + length*float64(v)/100
		p.Line(x, top, x, bottom, `class="grid"`)
		p.Text(x, bottom+15, `text-anchor="middle"`, strconv.Itoa(v))
	}
	for i, name := range names {
		y := top + float64(i)*row + 5
		p.Text(left-8, y+barHeight+4, `text-anchor="end"`, name)
		for k, b := range bars {
			n, all := b.of(&list[i])
			drawBar(p, left, y+float64(k)*barHeight, length, b.fill, n, all)
		}
	}
	p.Line(left, top, left, bottom, `class="axis"`)
	y := bottom + 38
	for _, b := range bars {
		p.Rect(left, y-10, 36, barHeight, fmt.Sprintf(`class="frame" fill="%s"`, b.fill))
		p.Text(left+44, y, "", b.name)
		p.Width = max(p.Width, left+44+svg.TextWidth(b.name))
		y += 18
	}
	p.Width = max(p.Width, left+length+50)
	p.Height = y - 6
	return p
}

func drawBar(p *svg.Panel, x, y, length float64, fill string, n, all int) {
	end := x
	if all > 0 {
		end += length * float64(n) / float64(all)
		p.Rect(x, y, end-x, barHeight-1, fmt.Sprintf(`fill="%s"`, fill))
	}
	p.Text(end+5, y+barHeight-2, "", percent(n, all))
}

// wholePercent is a share for a narrow cell; only all is 100, only nothing 0.
func wholePercent(n, all int) string {
	v := math.Round(100 * float64(n) / float64(all))
	if n < all {
		v = min(v, 99)
	}
	if n > 0 {
		v = max(v, 1)
	}
	return strconv.Itoa(int(v))
}
