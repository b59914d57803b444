// Package draw draws how two scene graphs differ, and how actions depend on states.
package draw

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/iterator"
	"gonum.org/v1/gonum/graph/layout"
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/spatial/r2"

	"github.com/mishap-robotics/mishap/bridge/internal/svg"
	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/scene"
)

// mark is how a node or an edge differs: in colour, in dashes and in words.
type mark struct{ sign, colour, fill, dash, words string }

var (
	same    = mark{"", "#666", "#f4f4f4", "none", "as expected"}
	changed = mark{"~ ", "#b36b00", "#fff3df", "6 2", "otherwise than expected"}
	missing = mark{"- ", "#a01818", "#fdeaea", "2 3", "missing"}
	extra   = mark{"+ ", "#1d6b2f", "#e8f6ea", "8 3 2 3", "not expected"}
)

type box struct {
	id     string
	lines  []string
	mark   mark
	at     r2.Vec
	width  float64
	height float64
}

type link struct {
	from, to int
	label    string
	mark     mark
}

type picture struct {
	boxes []box
	links []link
	index map[string]int
}

const (
	lineHeight = 14.0
	padding    = 6.0
	gap        = 34.0 // between boxes, and room for a label beside them
	labelWidth = 46.0
	border     = 16.0
)

// Difference writes a picture of an observed scene graph in which what differs from
// an expected one is marked.
func Difference(w io.Writer, title string, observed, expected *scene.Graph, r *discrepancy.Comparison) error {
	p := &picture{index: map[string]int{}}
	p.nodes(observed, expected, r)
	p.edges(observed, expected, r)
	p.arrange()
	return p.write(w, title)
}

func (p *picture) nodes(observed, expected *scene.Graph, r *discrepancy.Comparison) {
	paired := map[string]bool{}
	for _, pair := range r.Pairs {
		paired[pair.Expected] = true
	}
	add := func(n scene.Node, m mark) {
		if _, there := p.index[n.ID]; there {
			return
		}
		lines := append([]string{m.sign + n.ID}, n.States...)
		for _, d := range r.Differences {
			if d.Node == n.ID && d.Kind != scene.Missing && d.Kind != scene.Extra {
				if m == same {
					m = changed
					lines[0] = m.sign + n.ID
				}
				if d.Kind == scene.StateChanged {
					lines = append(lines[:1:1], n.States...)
					lines = append(lines, "expected "+d.Expected)
				}
			}
		}
		b := box{id: n.ID, lines: lines, mark: m, width: svg.Widest(lines) + 2*padding, height: lineHeight*float64(len(lines)) + 2*padding}
		p.index[n.ID] = len(p.boxes)
		p.boxes = append(p.boxes, b)
	}
	isExtra := func(id string) bool {
		return slices.ContainsFunc(r.Differences, func(d scene.Difference) bool { return d.Kind == scene.Extra && d.Node == id })
	}
	for _, n := range observed.Nodes {
		if isExtra(n.ID) {
			add(n, extra)
		} else {
			add(n, same)
		}
	}
	for _, n := range expected.Nodes {
		if !paired[n.ID] {
			add(n, missing)
		}
	}
}

func (p *picture) edges(observed, expected *scene.Graph, r *discrepancy.Comparison) {
	to := map[string]string{} // expected to observed
	for _, pair := range r.Pairs {
		to[pair.Expected] = pair.Observed
	}
	name := func(id string) string {
		if o, ok := to[id]; ok {
			return o
		}
		return id
	}
	match := map[string]string{}
	for _, pair := range r.Pairs {
		match[pair.Observed] = pair.Expected
	}
	m := scene.NewMatching(observed, expected, match)
	var drawn []scene.Edge
	add := func(e scene.Edge, how mark) {
		from, ok := p.index[e.Subject]
		at, too := p.index[e.Object]
		if ok && too && !slices.ContainsFunc(drawn, e.Alike) {
			p.links = append(p.links, link{from, at, how.sign + e.Name(), how})
		}
		drawn = append(drawn, e)
	}
	for _, e := range observed.Edges {
		if m.IsExpected(e) {
			add(e, same)
		} else {
			add(e, extra)
		}
	}
	for _, e := range expected.Edges {
		if !m.IsObserved(e) {
			e.Subject, e.Object = name(e.Subject), name(e.Object)
			add(e, missing)
		}
	}
}

// arrange lays out what hangs together by the forces of its edges (Eades), always
// the same way, and sets the parts beside one another in rows.
func (p *picture) arrange() {
	parts := p.connected()
	slices.SortStableFunc(parts, func(a, b []int) int { return len(b) - len(a) })
	x, y, tallest := 0.0, 0.0, 0.0
	for _, members := range parts {
		q := p.sub(members)
		q.layOut()
		left, upper, right, lower := q.bounds()
		if x > 0 && x+right-left > rowWidth {
			x, y, tallest = 0, y+tallest+2*gap, 0
		}
		for i, k := range members {
			p.boxes[k].at = r2.Add(q.boxes[i].at, r2.Vec{X: x - left, Y: y - upper})
		}
		x += right - left + 2*gap
		tallest = max(tallest, lower-upper)
	}
}

// rowWidth is how wide a row of parts gets at most, unless one is wider.
const rowWidth = 900.0

// connected lists the boxes that hang together, by the order of the first.
func (p *picture) connected() [][]int {
	part := make([]int, len(p.boxes))
	for i := range part {
		part[i] = i
	}
	for changed := true; changed; {
		changed = false
		for _, l := range p.links {
			if a, b := part[l.from], part[l.to]; a != b {
				part[l.from], part[l.to] = min(a, b), min(a, b)
				changed = true
			}
		}
	}
	var out [][]int
	at := map[int]int{}
	for i, k := range part {
		if _, ok := at[k]; !ok {
			at[k] = len(out)
			out = append(out, nil)
		}
		out[at[k]] = append(out[at[k]], i)
	}
	return out
}

// sub is a part of the picture by itself.
func (p *picture) sub(members []int) *picture {
	q := &picture{}
	to := map[int]int{}
	for i, k := range members {
		to[k] = i
		q.boxes = append(q.boxes, p.boxes[k])
	}
	for _, l := range p.links {
		from, ok := to[l.from]
		if at, too := to[l.to]; ok && too {
			q.links = append(q.links, link{from, at, l.label, l.mark})
		}
	}
	return q
}

func (p *picture) bounds() (left, upper, right, lower float64) {
	for i, b := range p.boxes {
		l, u, r, o := b.at.X-b.width/2, b.at.Y-b.height/2, b.at.X+b.width/2, b.at.Y+b.height/2
		if i == 0 {
			left, upper, right, lower = l, u, r, o
		}
		left, upper, right, lower = min(left, l), min(upper, u), max(right, r), max(lower, o)
	}
	return left, upper, right, lower
}

func (p *picture) layOut() {
	if len(p.boxes) < 2 {
		return
	}
	g := simple.NewUndirectedGraph()
	for i := range p.boxes {
		g.AddNode(simple.Node(i))
	}
	for _, l := range p.links {
		if l.from != l.to {
			g.SetEdge(simple.Edge{F: simple.Node(l.from), T: simple.Node(l.to)})
		}
	}
	eades := layout.EadesR2{Repulsion: 1, Rate: 0.05, Updates: 60, Theta: 0.1, Src: rand.NewPCG(1, 1)}
	optimizer := layout.NewOptimizerR2(ordered{g}, eades.Update)
	for optimizer.Update() {
	}
	for i := range p.boxes {
		at := optimizer.LayoutNodeR2(int64(i)).Coord2
		if math.IsNaN(at.X) || math.IsNaN(at.Y) {
			at = r2.Vec{X: float64(i % 6), Y: float64(i / 6)}
		}
		p.boxes[i].at = at
	}
	p.scale()
	for range 500 {
		crossed := p.uncross()
		if !p.part() && !crossed {
			return
		}
	}
}

// ordered is a graph that lists its nodes in order, so that the same forces act in
// the same order every time.
type ordered struct{ *simple.UndirectedGraph }

func (g ordered) Nodes() graph.Nodes        { return inOrder(g.UndirectedGraph.Nodes()) }
func (g ordered) From(id int64) graph.Nodes { return inOrder(g.UndirectedGraph.From(id)) }

func inOrder(nodes graph.Nodes) graph.Nodes {
	list := graph.NodesOf(nodes)
	slices.SortFunc(list, func(a, b graph.Node) int { return cmp.Compare(a.ID(), b.ID()) })
	return iterator.NewOrderedNodes(list)
}

// edgeLength is how long edges are on average, before boxes are moved apart.
const edgeLength = 130.0

func (p *picture) scale() {
	sum, n := 0.0, 0.0
	for _, l := range p.links {
		if d := r2.Norm(r2.Sub(p.boxes[l.from].at, p.boxes[l.to].at)); d > 0 {
			sum, n = sum+d, n+1
		}
	}
	scale := edgeLength
	if sum > 0 {
		scale = edgeLength * n / sum
	}
	for i := range p.boxes {
		p.boxes[i].at = r2.Scale(scale, p.boxes[i].at)
	}
}

// part moves boxes that are too near to one another apart, the shorter way, and
// reports whether there were any.
func (p *picture) part() bool {
	moved := false
	for i := range p.boxes {
		for j := range i {
			a, b := &p.boxes[i], &p.boxes[j]
			dx, dy := a.at.X-b.at.X, a.at.Y-b.at.Y
			x, y := (a.width+b.width)/2+gap+labelWidth-math.Abs(dx), (a.height+b.height)/2+gap-math.Abs(dy)
			if x <= 0.1 || y <= 0.1 {
				continue
			}
			moved = true
			push := r2.Vec{X: math.Copysign(x/2, dx)}
			if y < x {
				push = r2.Vec{Y: math.Copysign(y/2, dy)}
			}
			a.at, b.at = r2.Add(a.at, push), r2.Sub(b.at, push)
		}
	}
	return moved
}

// uncross moves boxes out of the way of the lines between others, and reports whether
// there were any.
func (p *picture) uncross() bool {
	moved := false
	for _, l := range p.links {
		from, way := p.boxes[l.from].at, r2.Sub(p.boxes[l.to].at, p.boxes[l.from].at)
		length := r2.Norm(way)
		if length == 0 {
			continue
		}
		side := r2.Vec{X: -way.Y / length, Y: way.X / length}
		for k := range p.boxes {
			b := &p.boxes[k]
			to := r2.Sub(b.at, from)
			along, off := r2.Dot(to, way)/length, r2.Dot(to, side)
			room := math.Abs(side.X)*b.width/2 + math.Abs(side.Y)*b.height/2 + padding
			if k == l.from || k == l.to || along <= 0 || along >= length || math.Abs(off) >= room {
				continue
			}
			moved = true
			b.at = r2.Add(b.at, r2.Scale(math.Copysign(room-math.Abs(off)+1, off), side))
		}
	}
	return moved
}

func (p *picture) write(w io.Writer, title string) error {
	d := &svg.Drawing{}
	d.Text(border, border+14, `class="title"`, title)
	top := 3 * border
	left, upper, right, lower := p.bounds()
	for i := range p.boxes {
		p.boxes[i].at = r2.Add(p.boxes[i].at, r2.Vec{X: border - left, Y: top - upper})
	}
	for _, l := range p.links {
		p.link(d, l)
	}
	for _, b := range p.boxes {
		b.draw(d)
	}
	y := top + lower - upper + 2*border
	width := max(right-left+2*border, svg.TextWidth(title)*1.4+2*border)
	for _, m := range []mark{same, changed, missing, extra} {
		d.Rect(border, y-11, 30, 14, fmt.Sprintf(`fill="%s" stroke="%s" stroke-width="2" stroke-dasharray="%s"`, m.fill, m.colour, m.dash))
		words := m.words
		if m.sign != "" {
			words = strings.TrimSpace(m.sign) + " " + words
		}
		d.Text(border+40, y, "", words)
		y += 20
	}
	return svg.Write(w, title, width, y+border/2, d)
}

func (b *box) draw(d *svg.Drawing) {
	x, y := b.at.X-b.width/2, b.at.Y-b.height/2
	d.Rect(x, y, b.width, b.height, fmt.Sprintf(`rx="4" fill="%s" stroke="%s" stroke-width="2" stroke-dasharray="%s"`, b.mark.fill, b.mark.colour, b.mark.dash))
	for i, line := range b.lines {
		class := `class="note"`
		if i == 0 {
			class = `font-weight="bold"`
		}
		d.Text(x+padding, y+padding+lineHeight*float64(i)+10, class, line)
	}
}

func (p *picture) link(d *svg.Drawing, l link) {
	from, to := p.boxes[l.from], p.boxes[l.to]
	start, end := rim(from, to.at), rim(to, from.at)
	d.Line(start.X, start.Y, end.X, end.Y, fmt.Sprintf(`stroke="%s" stroke-width="1.5" stroke-dasharray="%s"`, l.mark.colour, l.mark.dash))
	way := r2.Sub(end, start)
	if n := r2.Norm(way); n > 0 {
		arrowhead(d, end, r2.Scale(1/n, way), l.mark.colour)
	}
	// Nearer to its start, so that the labels of two edges between one pair are apart.
	at := r2.Add(start, r2.Scale(0.42, way))
	d.Text(at.X, at.Y-3, fmt.Sprintf(`class="note" text-anchor="middle" style="fill: %s"`, l.mark.colour), l.label)
}

// arrowhead draws the head of an arrow that comes along u, of length 1.
func arrowhead(d *svg.Drawing, tip, u r2.Vec, colour string) {
	side := r2.Vec{X: -u.Y, Y: u.X}
	a := r2.Add(r2.Sub(tip, r2.Scale(9, u)), r2.Scale(4, side))
	b := r2.Sub(r2.Sub(tip, r2.Scale(9, u)), r2.Scale(4, side))
	fmt.Fprintf(d, `<path d="M%s %sL%s %sL%s %sZ" fill="%s"/>`+"\n", svg.Px(tip.X), svg.Px(tip.Y), svg.Px(a.X), svg.Px(a.Y), svg.Px(b.X), svg.Px(b.Y), colour)
}

// rim is where a line from the middle of a box to a point leaves the box.
func rim(b box, to r2.Vec) r2.Vec {
	way := r2.Sub(to, b.at)
	if way.X == 0 && way.Y == 0 {
		return b.at
	}
	t := math.Inf(1)
	if way.X != 0 {
		t = min(t, b.width/2/math.Abs(way.X))
	}
	if way.Y != 0 {
		t = min(t, b.height/2/math.Abs(way.Y))
	}
	return r2.Add(b.at, r2.Scale(min(t, 1), way))
}
