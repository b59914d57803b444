package main

import (
	"cmp"
	"slices"
)

// Sizes in pixels. All is reckoned in whole numbers, so that every machine draws the
// same picture.
const (
	boxHeight  = 24
	rowHeight  = 52
	gap        = 18 // between neighbours in a row
	bendWidth  = 8  // of a place where a line passes a row
	glyphWidth = 7
)

// A place is where a package stands, or where a line passes a row.
type place struct {
	pkg          *pkg // nil where a line passes
	row, x       int  // x is the middle
	above, below []*place
}

func (p *place) width() int {
	if p.pkg == nil {
		return bendWidth
	}
	return glyphWidth*len(p.pkg.label()) + 20
}

// A layout has the packages of a room in rows: each stands above all that it imports,
// and lines join it to those that nothing in between imports.
type layout struct {
	rows   [][]*place // the lowest first
	places map[string]*place
}

func arrange(packages []*pkg) *layout {
	l := &layout{places: map[string]*place{}}
	inRoom := map[string]*pkg{}
	for _, p := range packages {
		inRoom[p.path] = p
	}
	for _, p := range packages {
		l.stand(p, inRoom)
	}
	l.lift(packages)
	for _, p := range packages {
		l.put(l.places[p.path])
	}
	for _, p := range packages {
		for _, path := range direct(p, inRoom) {
			l.join(l.places[p.path], l.places[path])
		}
	}
	l.order()
	l.spread()
	return l
}

// stand gives a package its row, one above the highest that it imports.
func (l *layout) stand(p *pkg, inRoom map[string]*pkg) int {
	if at, ok := l.places[p.path]; ok {
		return at.row
	}
	row := 0
	for _, path := range p.imports {
		if q := inRoom[path]; q != nil {
			row = max(row, l.stand(q, inRoom)+1)
		}
	}
	l.places[p.path] = &place{pkg: p, row: row}
	return row
}

// lift moves what imports nothing of the room to just below the lowest that imports it.
func (l *layout) lift(packages []*pkg) {
	lowest := map[*place]int{}
	for _, p := range packages {
		for _, path := range p.imports {
			if q, row := l.places[path], l.places[p.path].row; q != nil && (lowest[q] == 0 || row < lowest[q]) {
				lowest[q] = row
			}
		}
	}
	for q, row := range lowest {
		if q.row == 0 {
			q.row = row - 1
		}
	}
}

func (l *layout) put(at *place) {
	for len(l.rows) <= at.row {
		l.rows = append(l.rows, nil)
	}
	l.rows[at.row] = append(l.rows[at.row], at)
}

// direct lists what a package imports and reaches by no longer way.
func direct(p *pkg, inRoom map[string]*pkg) []string {
	indirect := map[string]bool{}
	var visit func(path string)
	visit = func(path string) {
		for _, next := range inRoom[path].imports {
			if inRoom[next] != nil && !indirect[next] {
				indirect[next] = true
				visit(next)
			}
		}
	}
	for _, path := range p.imports {
		if inRoom[path] != nil {
			visit(path)
		}
	}
	return slices.DeleteFunc(slices.Clone(p.imports), func(path string) bool { return inRoom[path] == nil || indirect[path] })
}

// join draws a line down, through a place in each row between.
func (l *layout) join(from, to *place) {
	for row := from.row - 1; row > to.row; row-- {
		bend := &place{row: row}
		l.put(bend)
		link(from, bend)
		from = bend
	}
	link(from, to)
}

func link(upper, lower *place) {
	upper.below, lower.above = append(upper.below, lower), append(lower.above, upper)
}

// order puts each row into an order in which few lines cross: every place goes to the
// mean of those it is joined to, down and up in turn, and the best order stays.
func (l *layout) order() {
	best, fewest := l.copyRows(), l.crossings()
	for sweep := range 40 {
		if sweep%2 == 0 {
			for row := len(l.rows) - 2; row >= 0; row-- {
				sortByMean(l.rows[row], l.rows[row+1], func(p *place) []*place { return p.above })
			}
		} else {
			for row := 1; row < len(l.rows); row++ {
				sortByMean(l.rows[row], l.rows[row-1], func(p *place) []*place { return p.below })
			}
		}
		if n := l.crossings(); n < fewest {
			best, fewest = l.copyRows(), n
		}
	}
	l.rows = best
}

func (l *layout) copyRows() [][]*place {
	rows := make([][]*place, len(l.rows))
	for i, row := range l.rows {
		rows[i] = slices.Clone(row)
	}
	return rows
}

func sortByMean(row, beside []*place, joined func(*place) []*place) {
	position := map[*place]int{}
	for i, p := range beside {
		position[p] = i
	}
	mean := map[*place]int{}
	for i, p := range row {
		mean[p] = 1000 * i
		if len(joined(p)) > 0 {
			sum := 0
			for _, q := range joined(p) {
				sum += position[q]
			}
			mean[p] = 1000 * sum / len(joined(p))
		}
	}
	slices.SortStableFunc(row, func(a, b *place) int { return cmp.Compare(mean[a], mean[b]) })
}

// crossings counts how often two lines cross.
func (l *layout) crossings() int {
	n := 0
	for i := 1; i < len(l.rows); i++ {
		position := map[*place]int{}
		for j, p := range l.rows[i-1] {
			position[p] = j
		}
		var ends []int // of the lines below the row, from left to right
		for _, p := range l.rows[i] {
			var own []int
			for _, q := range p.below {
				own = append(own, position[q])
			}
			for _, end := range own {
				for _, earlier := range ends {
					if earlier > end {
						n++
					}
				}
			}
			ends = append(ends, own...)
		}
	}
	return n
}

// spread moves the places of each row towards those they are joined to, as far as their
// neighbours let them.
func (l *layout) spread() {
	for _, row := range l.rows {
		settle(row, make([]int, len(row)))
	}
	for range 200 {
		for _, row := range l.rows {
			wanted := make([]int, len(row))
			for i, p := range row {
				wanted[i] = p.middle()
			}
			settle(row, wanted)
		}
	}
}

// middle is the mean of what a place is joined to; a line keeps straight where it can.
func (p *place) middle() int {
	sum, n := 0, 0
	for _, joined := range [][]*place{p.above, p.below} {
		for _, q := range joined {
			pull := 1
			if p.pkg == nil && q.pkg == nil {
				pull = 8
			}
			sum, n = sum+pull*q.x, n+pull
		}
	}
	if n == 0 {
		return p.x
	}
	return sum / n
}

// settle places a row as near as can be to where each wants to be, without overlaps:
// those that push each other stand together around the mean of what they want.
func settle(row []*place, wanted []int) {
	type group struct{ first, next, weight, sum int }
	offsets := make([]int, len(row))
	for i := 1; i < len(row); i++ {
		offsets[i] = offsets[i-1] + (row[i-1].width()+row[i].width())/2 + gap
	}
	var groups []group
	for i, p := range row {
		weight := 1
		if p.pkg == nil {
			weight = 4
		}
		g := group{i, i + 1, weight, weight * (wanted[i] - offsets[i])}
		for len(groups) > 0 {
			last := groups[len(groups)-1]
			if last.sum*g.weight < g.sum*last.weight {
				break
			}
			g = group{last.first, g.next, last.weight + g.weight, last.sum + g.sum}
			groups = groups[:len(groups)-1]
		}
		groups = append(groups, g)
	}
	for _, g := range groups {
		for i := g.first; i < g.next; i++ {
			row[i].x = g.sum/g.weight + offsets[i]
		}
	}
}

// extent is from where to where the room reaches.
func (l *layout) extent() (left, right int) {
	first := true
	for _, row := range l.rows {
		for _, p := range row {
			from, to := p.x-p.width()/2, p.x+p.width()/2
			if first {
				left, right, first = from, to, false
			}
			left, right = min(left, from), max(right, to)
		}
	}
	return left, right
}

func (l *layout) height() int { return (len(l.rows)-1)*rowHeight + boxHeight }
