package draw

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"gonum.org/v1/gonum/spatial/r2"

	"github.com/mishap-robotics/mishap/bridge/internal/svg"
	"github.com/mishap-robotics/mishap/engine/dependency"
)

// The marks of a state-dependency graph. Actions have corners, states are round, and
// processes have cut corners; what is needed points at the action, what is given at
// the state.
var (
	actionMark  = mark{colour: "#444444", fill: "#f4f4f4", words: "action"}
	processMark = mark{colour: "#6b3fa0", fill: "#f3edfa", words: "process of an appliance"}
	stateMark   = mark{colour: "#1d6b2f", fill: "#e8f6ea", words: "state"}
	needs       = mark{colour: "#1f4e8c", dash: "none", words: "the action needs the value"}
	gives       = mark{colour: "#b3450f", dash: "none", words: "the action gives the value"}
)

func edgeMark(e dependency.Dependency) mark {
	m := needs
	if e.Effect {
		m = gives
	}
	if e.Conditional {
		m.dash = "5 3"
	}
	return m
}

const (
	rowHeight  = 17.0 // of an edge at its action
	portHeight = 9.0  // of an edge at its state
	betweenBox = 14.0
	roundness  = 15.0 // of the corners of a state
)

// sheet is a state-dependency graph laid out in two columns: actions in order, and
// states near what they are joined to, so that few lines cross. Each edge has a row of
// its own at its action, where its value stands.
type sheet struct {
	g               *dependency.StateGraph
	actions, states []box
	rows            []float64 // of edges: where they meet their actions
	ports           []float64 // of edges: where they meet their states
	labels, fan     float64   // widths of the values, and of where lines cross
}

// DependenciesSVG writes a picture of a state-dependency graph.
func DependenciesSVG(w io.Writer, d DependencyGraph) error {
	s := &sheet{g: d.Graph, rows: make([]float64, len(d.Graph.Edges)), ports: make([]float64, len(d.Graph.Edges))}
	s.placeActions()
	s.placeStates()
	return s.write(w, d.Title)
}

// newBox is a box of lines with room for edges at one side; at is its upper left corner
// until its column is complete.
func newBox(lines []string, room float64, m mark) box {
	return box{lines: lines, mark: m, width: svg.Widest(lines) + 4*padding, height: max(lineHeight*float64(len(lines))+2*padding, room)}
}

func (s *sheet) placeActions() {
	y := 3 * border
	next := 0
	for i := range s.g.Actions {
		a := &s.g.Actions[i]
		m := actionMark
		lines := []string{actionText(s.g, i)}
		if a.Process != nil {
			m = processMark
		}
		if a.Preparation {
			lines = append(lines, "prepares the agent")
		}
		first := next
		for next < len(s.g.Edges) && s.g.Edges[next].Action == i {
			next++
		}
		b := newBox(lines, rowHeight*float64(next-first)+padding, m)
		for k := first; k < next; k++ {
			s.rows[k] = y + (b.height-rowHeight*float64(next-first))/2 + rowHeight*(float64(k-first)+0.75)
			s.labels = max(s.labels, svg.TextWidth(s.g.Edges[k].Value.String())+24)
		}
		b.at = r2.Vec{X: border, Y: y}
		s.actions = append(s.actions, b)
		y += b.height + betweenBox
	}
	align(s.actions)
}

// align makes boxes of one column equally wide.
func align(column []box) {
	widest := 0.0
	for _, b := range column {
		widest = max(widest, b.width)
	}
	for i := range column {
		column[i].width = widest
	}
}

// placeStates puts each state as near as can be to the middle of the rows it is joined
// to.
func (s *sheet) placeStates() {
	s.fan = min(max(160, s.lower(s.actions)/6), 360)
	order := make([]int, len(s.g.States))
	middle := make([]float64, len(s.g.States))
	for i := range s.g.States {
		order[i] = i
		joined := s.joined(i)
		for _, k := range joined {
			middle[i] += s.rows[k] / float64(len(joined))
		}
		s.states = append(s.states, newBox(append([]string{s.g.States[i].String()}, valueLine(s.g, i)...), portHeight*float64(len(joined))+roundness, stateMark))
	}
	align(s.states)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(middle[a], middle[b]) })
	s.spread(order, middle)
	for i := range s.states {
		b := &s.states[i]
		b.at.X = s.x(2)
		joined := s.joined(i)
		for n, k := range joined {
			s.ports[k] = b.at.Y + b.height/2 + portHeight*(float64(n)-float64(len(joined)-1)/2)
		}
	}
}

// joined lists the edges of a state by their rows.
func (s *sheet) joined(state int) []int {
	var out []int
	for k := range s.g.Edges {
		if s.g.Edges[k].State == state {
			out = append(out, k)
		}
	}
	return out
}

// spread moves states apart, down first and then up again from below the last.
func (s *sheet) spread(order []int, middle []float64) {
	upper, stacked := 3*border, 3*border-betweenBox
	for _, i := range order {
		b := &s.states[i]
		b.at.Y = max(upper, middle[i]-b.height/2)
		upper = b.at.Y + b.height + betweenBox
		stacked += b.height + betweenBox
	}
	lower := max(s.lower(s.actions), stacked)
	for _, i := range slices.Backward(order) {
		b := &s.states[i]
		b.at.Y = min(b.at.Y, lower-b.height)
		lower = b.at.Y - betweenBox
	}
}

func (s *sheet) lower(column []box) float64 {
	y := 3 * border
	for _, b := range column {
		y = max(y, b.at.Y+b.height)
	}
	return y
}

// x is where the values (0), the lines (1), the states (2) and the margin (3) begin.
func (s *sheet) x(column int) float64 {
	out := border
	if len(s.actions) > 0 {
		out += s.actions[0].width
	}
	if column > 0 {
		out += s.labels
	}
	if column > 1 {
		out += s.fan
	}
	if column > 2 && len(s.states) > 0 {
		out += s.states[0].width
	}
	return out
}

func (s *sheet) write(w io.Writer, title string) error {
	d := &svg.Drawing{}
	d.Text(border, border+14, `class="title"`, title)
	for k := range s.g.Edges {
		s.edge(d, k)
	}
	for i, b := range s.actions {
		s.node(d, b, s.g.Actions[i].Preparation)
	}
	for _, b := range s.states {
		s.node(d, b, false)
	}
	y := s.legend(d, max(s.lower(s.actions), s.lower(s.states))+2*border)
	return svg.Write(w, title, max(s.x(3)+border, svg.TextWidth(title)*1.4+2*border), y, d)
}

// node draws a box in the shape of its mark, with a second frame where asked for.
func (s *sheet) node(d *svg.Drawing, b box, framed bool) {
	shape(d, b.mark, b.at.X, b.at.Y, b.width, b.height, framed)
	y := b.at.Y + (b.height-lineHeight*float64(len(b.lines)))/2
	for i, line := range b.lines {
		class := `class="note"`
		if i == 0 {
			class = `font-weight="bold"`
		}
		d.Text(b.at.X+b.width/2, y+lineHeight*float64(i)+10, class+` text-anchor="middle"`, line)
	}
}

func shape(d *svg.Drawing, m mark, x, y, w, h float64, framed bool) {
	paint := fmt.Sprintf(`fill="%s" stroke="%s" stroke-width="2"`, m.fill, m.colour)
	switch m {
	case stateMark:
		d.Rect(x, y, w, h, fmt.Sprintf(`rx="%s" %s`, svg.Px(min(roundness, h/2)), paint))
	case processMark:
		c := 8.0
		fmt.Fprintf(d, `<path d="M%s %sH%sL%s %sV%sL%s %sH%sL%s %sV%sZ" %s/>`+"\n", svg.Px(x+c), svg.Px(y), svg.Px(x+w-c), svg.Px(x+w), svg.Px(y+c),
			svg.Px(y+h-c), svg.Px(x+w-c), svg.Px(y+h), svg.Px(x+c), svg.Px(x), svg.Px(y+h-c), svg.Px(y+c), paint)
	default:
		d.Rect(x, y, w, h, paint)
		if framed {
			d.Rect(x+3, y+3, w-6, h-6, fmt.Sprintf(`fill="none" stroke="%s"`, m.colour))
		}
	}
}

// edge draws a line from the row of an edge to its port, with its value on the row.
func (s *sheet) edge(d *svg.Drawing, k int) {
	e := s.g.Edges[k]
	m := edgeMark(e)
	from, to := r2.Vec{X: s.x(0), Y: s.rows[k]}, r2.Vec{X: s.x(2), Y: s.ports[k]}
	turn, half := s.x(1), s.x(1)+s.fan/2
	fmt.Fprintf(d, `<path d="M%s %sH%sC%s %s %s %s %s %s" fill="none" stroke="%s" stroke-width="1.3" stroke-dasharray="%s"/>`+"\n", svg.Px(from.X), svg.Px(from.Y), svg.Px(turn),
		svg.Px(half), svg.Px(from.Y), svg.Px(half), svg.Px(to.Y), svg.Px(to.X), svg.Px(to.Y), m.colour, m.dash)
	if e.Effect {
		arrowhead(d, to, r2.Vec{X: 1}, m.colour)
	} else {
		arrowhead(d, from, r2.Vec{X: -1}, m.colour)
	}
	d.Text(from.X+14, from.Y-4, fmt.Sprintf(`class="note" style="fill: %s"`, m.colour), e.Value.String())
}

// legend explains the marks, and gives where it ends.
func (s *sheet) legend(d *svg.Drawing, y float64) float64 {
	nodes := []mark{actionMark, stateMark}
	if slices.ContainsFunc(s.g.Actions, func(a dependency.ActionNode) bool { return a.Process != nil }) {
		nodes = append(nodes, processMark)
	}
	for _, m := range nodes {
		shape(d, m, border, y-11, 30, 14, false)
		d.Text(border+40, y, "", m.words)
		y += 20
	}
	dashed := mark{colour: "#444444", dash: "5 3", words: "only under a condition"}
	for i, m := range []mark{needs, gives, dashed} {
		d.Line(border, y-4, border+30, y-4, fmt.Sprintf(`stroke="%s" stroke-width="1.3" stroke-dasharray="%s"`, m.colour, m.dash))
		switch i {
		case 0:
			arrowhead(d, r2.Vec{X: border, Y: y - 4}, r2.Vec{X: -1}, m.colour)
		case 1:
			arrowhead(d, r2.Vec{X: border + 30, Y: y - 4}, r2.Vec{X: 1}, m.colour)
		}
		d.Text(border+40, y, "", m.words)
		y += 20
	}
	return y + border/2
}
