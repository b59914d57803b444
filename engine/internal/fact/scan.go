package fact

import (
	"math"
	"slices"
	"sort"

	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// Scan walks the facts of a predicate that agree with what is bound, in an order
// that does not depend on what that is. It may be used again and again, and then
// allocates nothing. It must not be used across a change of its index.
type Scan struct {
	index *Index
	next  func(*Scan) bool
	table *table
	pred  int
	args  row  // the first is bound by low and high, too
	free  bool // nothing but the first argument is bound
	low   int32
	high  int32
	pos   uint64
	row   []int32
	own   row // what row is read into

	before  *table // that it looked in for a step, last
	near    int32  // the row that it found there
	n, end  int32  // of rows
	numbers found  // of rows, from an index
	indexed bool   // the walk is over them

	object, objects int32          // the next, one past the last
	among           []state.Object // the candidates to come, where not all between are
	some            bool           // they are in among
	slot            int32
	mask            uint64 // of the slots to look at
	history         []belief.HistoryEntry
	at              int   // of the history
	event           int   // the next to look at, -1 for the scene before any action
	step            int32 // looked at
	term            ontology.TermID
	item            int
	terms           []int32
}

// Open begins a walk over the facts of a predicate. Arguments are Any or bound;
// low and high bound the first, both included.
func (x *Index) Open(s *Scan, pred int, args []int32, low, high int32) {
	s.index, s.table, s.pred, s.low, s.high, s.pos, s.free, s.some = x, nil, pred, low, high, 0, true, false
	copy(s.args[:], args)
	for _, a := range args[1:] {
		s.free = s.free && a == Any
	}
	if a := args[0]; a != Any {
		if a < low || a > high {
			s.next = (*Scan).nothing
			return
		}
		s.low, s.high = a, a
	}
	s.row = s.own[:len(args)]
	if x.given {
		s.openTable(&x.tables[pred], args)
		return
	}
	switch pred {
	case predStep, predEnd:
		s.rewind(1)
		s.next = (*Scan).nextStep
	case predTime, predUntil:
		s.rewind(0)
		s.next = (*Scan).nextTime
	case predState, predFilled, predSince:
		s.candidates(args[1])
		s.mask, s.slot, s.item, s.history = x.slotsOf(pred, args[2]), 0, -1, nil
		s.next = (*Scan).nextState
	case predValue:
		s.candidates(args[1])
		s.history, s.slot = nil, s.beforeQuantities()
		s.next = (*Scan).nextValue
	case predAt, predHolds, predWithin:
		s.candidates(args[1])
		s.placed()
		s.item = -1
		s.rewind(0)
		s.next = (*Scan).nextPlace
	case predIsa, predProperty:
		s.candidates(args[0])
		s.item = 0
		if s.next = (*Scan).nextKind; pred == predIsa && args[0] == Any && args[1] != Any && len(x.objects) > fewObjects {
			s.openMembers()
		}
	case predDeviates:
		s.candidates(args[1])
		s.objects, s.object, s.slot = s.object, s.objects, 0 // none of this step is left
		s.rewind(1)
		s.next = (*Scan).nextDeviation
	case predRelated:
		s.item, s.slot = 0, 0
		s.next = (*Scan).nextLink
	case predPieceOf:
		s.candidates(args[0])
		s.next = (*Scan).nextPiece
	default:
		s.openTable(&x.tables[pred], args)
	}
}

// Next moves to the next fact and reports whether there is one.
func (s *Scan) Next() bool { return s.next(s) }

// Row is the fact that the scan is at. It must not be kept or changed.
func (s *Scan) Row() []int32 { return s.row }

// Position grows from fact to fact, and is the same for a fact whatever is bound.
func (s *Scan) Position() uint64 { return s.pos }

func (s *Scan) nothing() bool { return false }

// Match visits the facts of a predicate that agree with the bound arguments,
// in a fixed order, until visit returns false. The row must not be kept.
func (x *Index) Match(pred int, args []int32, visit func(row []int32) bool) {
	var s Scan
	x.Open(&s, pred, args, math.MinInt32, math.MaxInt32)
	for s.Next() && visit(s.row) {
	}
}

// candidates limits the objects to the one that an argument is, or to none.
func (s *Scan) candidates(arg int32) {
	s.object, s.objects = 0, int32(len(s.index.objects))
	if arg != Any {
		s.object = int32(s.index.objectOf(arg))
		s.objects = s.object + 1
		if s.object < 0 {
			s.objects = s.object
		}
	}
}

// rewind begins with the first of the steps that may be looked at, which is 0
// for the scene before any action.
func (s *Scan) rewind(from int32) {
	s.event = -1
	if from > 0 || s.low > 0 {
		s.event = 0
		if n := s.index.Trace.Len(); s.low > 0 && n > 0 {
			s.event = min(n-1, s.index.Trace.From(s.low))
		}
	}
	if s.low == s.high && s.low >= from && s.low <= s.index.Trace.Last() {
		s.event = -2 // that step, whether or not it has an event
	}
}

// advance looks at the next step.
func (s *Scan) advance() bool {
	t := s.index.Trace
	switch {
	case s.event == -2:
		s.step, s.event = s.low, t.Len()
		return true
	case s.event == -1:
		s.step, s.event = 0, 0
		return s.low <= 0 && s.high >= 0 || s.advance()
	case s.event < t.Len():
		s.step = t.StepOf(s.event)
		s.event++
		return s.step >= s.low && s.step <= s.high || s.step < s.low && s.advance()
	}
	return false
}

func (s *Scan) nextStep() bool {
	x := s.index
	for s.advance() {
		if s.pred == predEnd && (s.step != x.Trace.Last() || x.live) || !x.Trace.Has(s.step) {
			continue
		}
		s.own[0], s.pos = s.step, uint64(s.step)
		return true
	}
	return false
}

// valueAt is the believed value of the fluent at the step, whose history is
// walked forwards.
func (s *Scan) valueAt() *state.Value {
	h := s.history
	if last := len(h) - 1; h[last].Step <= s.step {
		return &h[last].Value
	}
	if s.at == 0 {
		s.at = sort.Search(len(h), func(i int) bool { return h[i].Step > s.step })
	}
	for s.at < len(h) && h[s.at].Step <= s.step {
		s.at++
	}
	if s.at == 0 {
		return nil
	}
	return &h[s.at-1].Value
}

func (s *Scan) nextState() bool {
	x := s.index
	for {
		for s.item >= 0 && s.item < len(s.terms) {
			sym := s.terms[s.item]
			s.item++
			if s.args[2] == Any || s.args[2] == sym {
				s.own[0], s.own[1], s.own[2] = s.step, x.objects[s.object], sym
				if s.pred == predSince && !s.tellSince() {
					continue
				}
				s.pos = uint64(s.object)<<48 | uint64(s.slot)<<40 | uint64(uint32(s.step))<<8 | uint64(min(s.item, 255))
				return true
			}
		}
		if s.history != nil && s.advance() {
			if v := s.valueAt(); v != nil && v.Status != state.Unknown {
				s.item, s.terms = 0, x.meanings(s.pred, v.Term)
			}
			continue
		}
		if !s.nextFluent() {
			return false
		}
	}
}

// nextFluent goes on to the next state of an object, the next object's after the
// last.
func (s *Scan) nextFluent() bool {
	slots := s.index.Trace.Final.Slots()
	for s.object < s.objects {
		of := s.index.Trace.History.After(state.Object(s.object), s.slot)
		for i := range of {
			if s.slot = of[i].Slot; s.slot >= slots {
				break
			}
			if s.slot >= 64 || s.mask&(1<<uint(s.slot)) != 0 {
				s.history, s.at, s.item = of[i].Entries, 0, -1
				s.rewind(0)
				return true
			}
		}
		s.object++
		s.slot, s.history = 0, nil
	}
	return false
}

// placed limits the objects to those that ever lay where it is asked what does.
func (s *Scan) placed() {
	t := s.index.Trace
	switch {
	case s.args[1] != Any || s.pred == predWithin || s.pred == predAt && s.args[2] == Any:
		return
	case s.pred == predAt:
		s.among = t.EverIn(s.index.objectOf(s.args[2]))
	default:
		s.among = s.everHeld()
	}
	s.some = true
	s.nextCandidate()
}

// everHeld lists the objects that were ever in a gripper.
func (s *Scan) everHeld() []state.Object {
	t := s.index.Trace
	grippers := t.Objects.Members(t.Objects.Onto.Core.RobotGripper)
	if len(grippers) == 1 {
		return t.EverIn(grippers[0])
	}
	var out []state.Object
	for _, gripper := range grippers {
		out = append(out, t.EverIn(gripper)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// nextCandidate goes on to the next object.
func (s *Scan) nextCandidate() {
	switch {
	case !s.some:
		s.object++
	case len(s.among) > 0 && int(s.among[0]) < len(s.index.objects):
		s.object, s.among = int32(s.among[0]), s.among[1:]
	default:
		s.object = s.objects
	}
}

func (s *Scan) nextPlace() bool {
	x := s.index
	t := x.Trace
	for s.object < s.objects {
		if s.item < 0 { // the next step
			if !s.advance() {
				s.nextCandidate()
				s.rewind(0)
				continue
			}
			s.item, s.term = 0, ontology.TermID(s.object)
		}
		at := state.Nothing
		if s.item < len(x.objects) && (s.item == 0 || s.pred == predWithin) {
			at = t.At(state.Fluent{Obj: state.Object(s.term), Slot: state.PlaceSlot}, s.step).At
		}
		if at == state.Nothing {
			s.item = -1
			continue
		}
		s.item++
		s.term = ontology.TermID(at) // the place of the place comes next
		place := x.objects[at]
		if s.pred == predHolds && !t.Objects.IsA(at, t.Objects.Onto.Core.RobotGripper) || s.pred != predHolds && s.args[2] != Any && s.args[2] != place {
			continue
		}
		s.own[0], s.own[1], s.own[2] = s.step, x.objects[s.object], place
		s.pos = uint64(s.object)<<40 | uint64(uint32(s.step))<<8 | uint64(min(s.item, 255))
		return true
	}
	return false
}

func (s *Scan) nextKind() bool {
	x := s.index
	objects, terms := x.Trace.Objects, x.Trace.Objects.Onto.Terms
	for ; s.object < s.objects; s.object, s.item = s.object+1, 0 {
		for s.item < len(terms) {
			i := s.item
			s.item++
			if s.args[1] != Any {
				i, s.item = int(s.args[1]), len(terms)
				if i >= len(terms) {
					return false
				}
			}
			if terms[i].IsClass != (s.pred == predIsa) {
				continue
			}
			id := ontology.TermID(i)
			if s.pred == predIsa && objects.IsA(state.Object(s.object), id) || s.pred == predProperty && objects.HasProperty(state.Object(s.object), id) {
				s.own[0], s.own[1] = x.objects[s.object], int32(i)
				s.pos = uint64(s.object)<<32 | uint64(i)
				return true
			}
		}
	}
	return false
}

// fewObjects are looked at one by one sooner than a class is looked up.
const fewObjects = 48

// openMembers walks over the objects of the class that is bound.
func (s *Scan) openMembers() {
	t := s.index.Trace.Objects
	if class := s.args[1]; class < 0 || int(class) >= len(t.Onto.Terms) || !t.Onto.Terms[class].IsClass {
		s.next = (*Scan).nothing
		return
	}
	s.among, s.next = t.Members(ontology.TermID(s.args[1])), (*Scan).nextMember
}

func (s *Scan) nextMember() bool {
	if len(s.among) == 0 || int(s.among[0]) >= len(s.index.objects) {
		return false
	}
	x := s.among[0]
	s.among = s.among[1:]
	s.own[0], s.own[1] = s.index.objects[x], s.args[1]
	s.pos = uint64(x)<<32 | uint64(s.args[1])
	return true
}

// nextLink goes on to the next step after which a lasting relation held, the next relation's
// after the last.
func (s *Scan) nextLink() bool {
	x := s.index
	links := x.Trace.Links()
	for ; s.item < len(links); s.item, s.slot = s.item+1, 0 {
		h := &links[s.item]
		if s.slot == 0 { // it is looked at for the first time
			if !s.may(1, x.objects[h.Subject]) || !s.may(2, x.term(h.Relation)) || !s.may(3, x.objects[h.Object]) {
				continue
			}
			s.slot = 1
			s.rewind(0)
		}
		for s.advance() {
			if h.Holds(s.step) {
				s.own[0], s.own[1], s.own[2], s.own[3] = s.step, x.objects[h.Subject], x.term(h.Relation), x.objects[h.Object]
				s.pos = uint64(s.item)<<32 | uint64(uint32(s.step))
				return true
			}
		}
	}
	return false
}

// may reports whether an argument may be a symbol.
func (s *Scan) may(arg int, symbol int32) bool { return s.args[arg] == Any || s.args[arg] == symbol }

func (s *Scan) nextDeviation() bool {
	x := s.index
	for {
		for s.object < s.objects {
			e := x.Trace.Event(s.step)
			i := e.Differences.From(state.Fluent{Obj: state.Object(s.object), Slot: s.slot})
			if i == len(e.Differences) || int32(e.Differences[i].Fluent.Obj) >= s.objects {
				s.object = s.objects
				break
			}
			d := e.Differences[i]
			s.object, s.slot = int32(d.Fluent.Obj), d.Fluent.Slot+1
			if s.args[2] == Any || s.args[2] == d.Since {
				s.own[0], s.own[1], s.own[2] = s.step, x.objects[s.object], d.Since
				s.pos = uint64(uint32(s.step))<<32 | uint64(s.object)<<8 | uint64(d.Fluent.Slot)
				return true
			}
		}
		if !s.advance() {
			return false
		}
		if e := x.Trace.Event(s.step); e != nil && len(e.Differences) > 0 {
			s.candidates(s.args[1])
		}
	}
}

func (s *Scan) nextPiece() bool {
	x := s.index
	for s.object < s.objects {
		piece := s.object
		s.object++
		whole := x.Trace.Objects.Items[piece].Origin
		if whole == state.Nothing || s.args[1] != Any && s.args[1] != x.objects[whole] {
			continue
		}
		s.own[0], s.own[1], s.pos = x.objects[piece], x.objects[whole], uint64(piece)
		return true
	}
	return false
}
