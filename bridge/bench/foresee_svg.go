package bench

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/mishap-robotics/mishap/bridge/internal/svg"
)

// rocSize is the width and height of a plot of detection over false alarms.
const rocSize = 230.0

// lines tell the sources of expected scenes apart, by colour and dash.
var lines = map[string]svg.Curve{
	sources[0]: {Colour: "#1f5f99", Dash: "none"}, sources[1]: {Colour: "#c05a00", Dash: "6 3"},
	sources[2]: {Colour: "#2d7a3a", Dash: "2 3"}, sources[3]: {Colour: "#8a2d8a", Dash: "8 3 2 3"},
}

// SVG writes one picture of detection over false alarms at every threshold, for
// each set of episodes that has both. It is an error where none has.
func (r *Foresee) SVG(w io.Writer) error {
	var drawn []*Set
	for i := range r.Sets {
		f := &r.Sets[i].Foresight
		if f.Failed > 0 && f.Clean+f.Benign > 0 && len(r.Sets[i].Scores) > 0 {
			drawn = append(drawn, &r.Sets[i])
		}
	}
	if len(drawn) == 0 {
		return errors.New("nothing to draw: no episodes both with and without failure were measured")
	}
	title := heading(r.Version, r.Go, r.Seed)
	d := &svg.Drawing{}
	d.Text(margin, margin+14, `class="title"`, title)
	x := margin
	for _, s := range drawn {
		p := drawROC(s)
		d.Place(x, margin+34, p)
		x += p.Width + 2*margin
	}
	y := margin + 34 + 46 + rocSize + 60
	for _, name := range sources {
		lines[name].Key(d, margin, y-4)
		d.Text(margin+44, y, "", "score, expected scene from "+name)
		y += 18
	}
	drawStar(d, svg.Point{X: margin + svg.KeyWidth/2, Y: y - 4})
	d.Text(margin+44, y, "", "foresight, of the foreseeable failures")
	width := max(x, svg.TextWidth(title)*1.4+2*margin, 400)
	return svg.Write(w, title+": detection over false alarms", width, y+margin, d)
}

const star = `<path d="M0-7L2-2L7-2L3 1.5L4.5 6.5L0 3.5L-4.5 6.5L-3 1.5L-7-2L-2-2Z" fill="#a01818" stroke="#fff" stroke-width="0.8"/>`

func drawStar(d *svg.Drawing, at svg.Point) {
	fmt.Fprintf(d, `<g transform="translate(%s %s)">%s</g>`+"\n", svg.Px(at.X), svg.Px(at.Y), star)
}

func drawROC(s *Set) *svg.Panel {
	p := svg.NewPanel(s.Name, fmt.Sprintf("%d failed episodes, %d others", s.Foresight.Failed, s.Foresight.Clean+s.Foresight.Benign))
	left, top := 34.0, 46.0
	at := func(detected, failed, alarmed, sound int) svg.Point {
		return svg.Point{X: left + rocSize*float64(alarmed)/float64(max(1, sound)), Y: top + rocSize*(1-float64(detected)/float64(max(1, failed)))}
	}
	for v := 0; v <= 100; v += 20 {
		y := top + rocSize*(1-float64(v)/100)
		x := left + rocSize*float64(v)/100
		p.Line(left, y, left+rocSize, y, `class="grid"`)
		p.Line(x, top, x, top+rocSize, `class="grid"`)
		p.Text(left-6, y+4, `text-anchor="end"`, strconv.Itoa(v))
		p.Text(x, top+rocSize+15, `text-anchor="middle"`, strconv.Itoa(v))
	}
	p.Axes(left, top, rocSize, rocSize)
	p.Text(left+rocSize/2, top+rocSize+32, `text-anchor="middle"`, "false alarms, percent of episodes")
	p.Text(left, top-6, "", "detected, percent")
	for i := range s.Scores {
		c := &s.Scores[i]
		l, known := lines[c.Expect]
		if c.Without != whole || !known {
			continue
		}
		var points []svg.Point
		for _, pt := range c.Points {
			points = append(points, at(pt.Detected, c.Failed, pt.Alarmed, c.Sound))
		}
		l.Draw(&p.Drawing, points)
		for _, t := range thresholds {
			pt := c.At(t)
			mark := at(pt.Detected, c.Failed, pt.Alarmed, c.Sound)
			fmt.Fprintf(p, `<circle cx="%s" cy="%s" r="3" fill="#fff" stroke="%s"/>`+"\n", svg.Px(mark.X), svg.Px(mark.Y), l.Colour)
		}
	}
	f := &s.Foresight
	drawStar(&p.Drawing, at(f.Foreseen, f.Foreseeable, f.CleanAlarms+f.BenignAlarms, f.Clean+f.Benign))
	p.Width = max(p.Width, left+rocSize+12)
	p.Height = top + rocSize + 40
	return p
}
