package svg

import (
	"fmt"
	"strings"
)

// Panel is a part of a picture, drawn from its own upper left corner.
type Panel struct {
	Drawing
	Width, Height float64
}

// NewPanel is a panel with a head and a note below it, and as wide as these.
func NewPanel(head, note string) *Panel {
	p := &Panel{Width: max(TextWidth(head)*1.15, TextWidth(note)*0.95)}
	p.Text(0, 12, `class="head"`, head)
	p.Text(0, 28, `class="note"`, note)
	return p
}

// Place draws a panel with its upper left corner at a point.
func (d *Drawing) Place(x, y float64, p *Panel) {
	fmt.Fprintf(d, "<g transform=\"translate(%s %s)\">\n%s</g>\n", Px(x), Px(y), p.String())
}

// Point is a place in a picture.
type Point struct{ X, Y float64 }

// Curve is how a curve is told from others: by colour, dashes and the marks on it, which
// are drawn around the origin.
type Curve struct{ Colour, Dash, Mark string }

// Draw draws a curve through points, and its marks on them; nothing where there are none.
func (c Curve) Draw(d *Drawing, points []Point) {
	if len(points) == 0 {
		return
	}
	var path []string
	for _, p := range points {
		path = append(path, Px(p.X)+","+Px(p.Y))
	}
	fmt.Fprintf(d, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2" stroke-dasharray="%s"/>`+"\n", strings.Join(path, " "), c.Colour, c.Dash)
	for _, p := range points {
		c.mark(d, p)
	}
}

func (c Curve) mark(d *Drawing, at Point) {
	if c.Mark != "" {
		fmt.Fprintf(d, `<g transform="translate(%s %s)" stroke="%s">%s</g>`+"\n", Px(at.X), Px(at.Y), c.Colour, c.Mark)
	}
}

// KeyWidth is how wide the sample of a curve in a key is.
const KeyWidth = 36.0

// Key draws a sample of a curve with a mark in the middle.
func (c Curve) Key(d *Drawing, x, y float64) {
	d.Line(x, y, x+KeyWidth, y, fmt.Sprintf(`stroke="%s" stroke-width="2" stroke-dasharray="%s"`, c.Colour, c.Dash))
	c.mark(d, Point{x + KeyWidth/2, y})
}

// Axes draws the left and the lower edge of a plot.
func (d *Drawing) Axes(left, top, width, height float64) {
	d.Line(left, top, left, top+height, `class="axis"`)
	d.Line(left, top+height, left+width, top+height, `class="axis"`)
}

// GridRow draws a line across a plot, with its value at the left.
func (d *Drawing) GridRow(left, y, width float64, value string) {
	d.Line(left, y, left+width, y, `class="grid"`)
	d.Text(left-6, y+4, `text-anchor="end"`, value)
}

// Tick marks a value below the lower edge of a plot.
func (d *Drawing) Tick(x, bottom float64, value string) {
	d.Line(x, bottom, x, bottom+4, `class="axis"`)
	d.Text(x, bottom+17, `text-anchor="middle"`, value)
}
