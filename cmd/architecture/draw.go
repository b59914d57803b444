package main

import (
	"bytes"
	"fmt"
)

const (
	margin     = 16
	sideWidth  = 96 // of the column with the name of a room
	padding    = 20
	floorGap   = 44 // between floors, for the arrows
	legendSize = 48
)

var fills = map[string]string{"cmd": "#eef3fb", "bridge": "#eaf6ee", "engine": "#fff6e3", "rules": "#f7eef8", "ontology": "#fdeeee"}

const head = `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="%[2]d" viewBox="0 0 %[1]d %[2]d" role="img">
<title>The packages of mishap: each room imports only from the rooms below</title>
<style>
text { font-family: "DejaVu Sans", Verdana, Arial, sans-serif; font-size: 12px; fill: #222; text-anchor: middle }
.room { font-size: 16px; font-weight: bold }
.note { font-size: 11px; fill: #444; text-anchor: start }
.frame { stroke: #b9b9b9; stroke-width: 1 }
.public { fill: #fff; stroke: #333; stroke-width: 1.4 }
.internal { fill: #f4f4f4; stroke: #777; stroke-width: 1; stroke-dasharray: 5 3 }
.tests { fill: none; stroke: #aaa; stroke-width: 1; stroke-dasharray: 2 3 }
.line { fill: none; stroke: #7a8796; stroke-width: 1.1 }
.arrow { fill: none; stroke: #1f4e8c; stroke-width: 3 }
</style>
<defs>
<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0,0.8 L8,4 L0,7.2 z" fill="#7a8796"/></marker>
<marker id="big" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="4.5" markerHeight="4.5" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="#1f4e8c"/></marker>
</defs>
<rect width="100%%" height="100%%" fill="#fff"/>
`

// A frame is a room with its place on the sheet.
type frame struct {
	*room
	*layout
	x, y, width, height int
	shift               int // of the layout, to the right
}

// draw writes the rooms as an SVG picture.
func draw(b *bytes.Buffer, rooms []*room) {
	frames := furnish(rooms)
	width, height := sheet(frames)
	fmt.Fprintf(b, head, width, height+legendSize)
	for _, f := range frames {
		f.draw(b)
	}
	for _, f := range frames {
		f.arrows(b, frames)
	}
	legend(b, height)
	b.WriteString("</svg>\n")
}

// furnish lays the rooms out one floor below the other, all floors equally wide.
func furnish(rooms []*room) []*frame {
	var frames []*frame
	widest := 0
	for _, r := range rooms {
		f := &frame{room: r, layout: arrange(r.packages)}
		left, right := f.extent()
		f.width, f.height = sideWidth+right-left+2*padding, f.layout.height()+2*padding
		f.shift = -left
		frames = append(frames, f)
		widest = max(widest, f.width)
	}
	y := margin
	for floor := range floors {
		y = placeFloor(frames, floor, y, widest)
	}
	return frames
}

func placeFloor(frames []*frame, floor, y, width int) (next int) {
	var on []*frame
	free, height := width, 0
	for _, f := range frames {
		if f.floor == floor {
			on = append(on, f)
			free, height = free-f.width, max(height, f.height)
		}
	}
	free -= (len(on) - 1) * floorGap
	x := margin
	for _, f := range on {
		extra := free / len(on)
		f.x, f.y, f.height = x, y, height
		f.shift += x + sideWidth + padding + extra/2
		f.width += extra
		x += f.width + floorGap
	}
	return y + height + floorGap
}

func sheet(frames []*frame) (width, height int) {
	for _, f := range frames {
		width, height = max(width, f.x+f.width+margin), max(height, f.y+f.height+margin)
	}
	return width, height
}

func (f *frame) top(p *place) int {
	free := f.height - 2*padding - f.layout.height()
	return f.y + padding + free/2 + (len(f.rows)-1-p.row)*rowHeight
}

func (f *frame) draw(b *bytes.Buffer) {
	fmt.Fprintf(b, "<rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"8\" fill=\"%s\"/>\n", f.x, f.y, f.width, f.height, fills[f.name])
	fmt.Fprintf(b, "<text class=\"room\" x=\"%d\" y=\"%d\">%s</text>\n", f.x+sideWidth/2+4, f.y+f.height/2+5, f.name)
	for _, row := range f.rows {
		for _, p := range row {
			if p.pkg != nil {
				f.lines(b, p)
			}
		}
	}
	for _, row := range f.rows {
		for _, p := range row {
			if p.pkg != nil {
				f.box(b, p)
			}
		}
	}
}

func (f *frame) box(b *bytes.Buffer, p *place) {
	class := "public"
	switch {
	case p.pkg.forTests():
		class = "tests"
	case p.pkg.internal:
		class = "internal"
	}
	x, y := p.x+f.shift, f.top(p)
	fmt.Fprintf(b, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\"/>\n", class, x-p.width()/2, y, p.width(), boxHeight)
	fmt.Fprintf(b, "<text x=\"%d\" y=\"%d\">%s</text>\n", x, y+16, p.pkg.label())
}

// lines draws the lines from a package down to what it imports.
func (f *frame) lines(b *bytes.Buffer, from *place) {
	for i, to := range from.below {
		x, y := from.x+f.shift+port(from, i), f.top(from)+boxHeight
		fmt.Fprintf(b, "<path class=\"line\" marker-end=\"url(#tip)\" d=\"M%d,%d", x, y)
		for {
			endX, endY := to.x+f.shift, f.top(to)
			fmt.Fprintf(b, " C%d,%d %d,%d %d,%d", x, (y+endY)/2, endX, (y+endY)/2, endX, endY)
			if to.pkg != nil {
				break
			}
			x, y = endX, endY+boxHeight
			fmt.Fprintf(b, " L%d,%d", x, y)
			to = to.below[0]
		}
		b.WriteString("\"/>\n")
	}
}

// port spreads the lines of a package along its lower side, in the order of where they
// lead.
func port(from *place, i int) int {
	if len(from.below) < 2 {
		return 0
	}
	rank := 0
	for j, other := range from.below {
		if other.x < from.below[i].x || other.x == from.below[i].x && j < i {
			rank++
		}
	}
	span := min(from.width()-16, 14*(len(from.below)-1))
	return -span/2 + span*rank/(len(from.below)-1)
}

// arrows draws which rooms a room uses, on its floor and on the next.
func (f *frame) arrows(b *bytes.Buffer, frames []*frame) {
	for _, to := range frames {
		uses := false
		for _, name := range f.uses {
			uses = uses || name == to.name
		}
		switch {
		case !uses:
		case to.floor == f.floor:
			y := f.y + f.height/2
			arrow(b, f.x+f.width+3, y, to.x-3, y)
		default:
			x := to.x + to.width/2
			arrow(b, x, f.y+f.height+3, x, to.y-3)
		}
	}
}

func arrow(b *bytes.Buffer, x1, y1, x2, y2 int) {
	fmt.Fprintf(b, "<path class=\"arrow\" marker-end=\"url(#big)\" d=\"M%d,%d L%d,%d\"/>\n", x1, y1, x2, y2)
}

func legend(b *bytes.Buffer, y int) {
	x := margin
	for _, l := range []struct{ class, words string }{
		{"public", "commands, and packages for other programs"},
		{"internal", "internal"},
		{"tests", "used by tests only"},
	} {
		fmt.Fprintf(b, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"26\" height=\"14\" rx=\"3\"/>\n", l.class, x, y)
		fmt.Fprintf(b, "<text class=\"note\" x=\"%d\" y=\"%d\">%s</text>\n", x+34, y+11, l.words)
		x += 60 + glyphWidth*len(l.words)
	}
	fmt.Fprintf(b, "<text class=\"note\" x=\"%d\" y=\"%d\">Arrows are imports. Within a room an arrow that follows from others is left out.</text>\n", margin, y+32)
}
