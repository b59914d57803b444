package fact

import (
	"math"
	"slices"

	"github.com/mishap-robotics/mishap/engine/belief"
	"github.com/mishap-robotics/mishap/engine/state"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// Any is an argument of a match that is not bound.
const Any int32 = math.MinInt32

// None is the name that stands for the absence of an object.
const None = "none"

// Index answers which facts of an episode match a pattern. It is filled once
// and then only read, so goroutines may share it.
type Index struct {
	Trace   *belief.Trace
	names   []string
	symbols map[string]int32
	tables  []table
	given   bool                                  // all facts stand in the tables
	live    bool                                  // the episode goes on: there is no end
	objects []int32                               // symbol of each object
	wholes  map[ontology.TermID][]ontology.TermID // by class of pieces, where somebody is served
	// ToCome is true where a part of the episode has not happened yet.
	ToCome bool
	// Mends are the edits behind the mend facts.
	Mends []Mend
}

// table is the facts of one predicate, row after row.
type table struct {
	arity int
	rows  []int32
	// first column to row numbers: steps and objects select well
	first  map[int32][]int32
	second map[int32][]int32
}

func newIndex(t *belief.Trace) *Index {
	x := &Index{Trace: t, symbols: map[string]int32{}, tables: make([]table, len(Vocabulary))}
	for i := range Vocabulary {
		x.tables[i] = table{arity: len(Vocabulary[i].Args), first: map[int32][]int32{}, second: map[int32][]int32{}}
	}
	for i := range t.Objects.Items {
		x.objects = append(x.objects, x.symbol(t.Objects.Items[i].Name))
	}
	return x
}

// symbol interns a name.
func (x *Index) symbol(name string) int32 {
	if id, ok := x.symbols[name]; ok {
		return id
	}
	id := int32(len(x.names))
	x.names = append(x.names, name)
	x.symbols[name] = id
	return id
}

// Symbol finds an interned name; a name no fact mentions may still name a term
// of the ontology.
func (x *Index) Symbol(name string) (int32, bool) {
	id, ok := x.symbols[name]
	return id, ok
}

// Name is the name of a symbol.
func (x *Index) Name(symbol int32) string {
	if symbol < 0 || int(symbol) >= len(x.names) {
		return ""
	}
	return x.names[symbol]
}

var numbers = func() map[rules.Indicator]int {
	out := map[rules.Indicator]int{}
	for i := range Vocabulary {
		out[Vocabulary[i].Indicator()] = i
	}
	return out
}()

// Number finds the number of a fact predicate.
func Number(i rules.Indicator) (int, bool) {
	n, ok := numbers[i]
	return n, ok
}

func (x *Index) add(pred int, args ...int32) {
	t := &x.tables[pred]
	if t.contains(args) {
		return
	}
	n := int32(len(t.rows) / t.arity)
	t.rows = append(t.rows, args...)
	t.first[args[0]] = append(t.first[args[0]], n)
	if len(args) > 1 {
		t.second[args[1]] = append(t.second[args[1]], n)
	}
}

func (t *table) row(n int32) []int32 { return t.rows[int(n)*t.arity : (int(n)+1)*t.arity] }

func (t *table) contains(args []int32) bool {
	for _, n := range t.first[args[0]] {
		if slices.Equal(t.row(n), args) {
			return true
		}
	}
	return false
}

// Match visits the facts of a predicate that agree with the bound arguments,
// in a fixed order, until visit returns false. The row must not be kept.
func (x *Index) Match(pred int, args []int32, visit func(row []int32) bool) {
	if x.given {
		x.tables[pred].match(args, visit)
		return
	}
	switch pred {
	case predStep, predEnd:
		x.matchSteps(pred, args, visit)
	case predState:
		x.matchState(args, visit)
	case predAt, predHolds, predWithin:
		x.matchPlace(pred, args, visit)
	case predIsa:
		x.matchIsa(args, visit)
	case predProperty:
		x.matchProperty(args, visit)
	case predDeviates:
		x.matchDeviates(args, visit)
	case predFilled:
		x.matchFilled(args, visit)
	case predPieceOf:
		x.matchPieces(args, visit)
	default:
		x.tables[pred].match(args, visit)
	}
}

func (t *table) match(args []int32, visit func([]int32) bool) {
	try := func(row []int32) bool {
		for i, a := range args {
			if a != Any && a != row[i] {
				return true
			}
		}
		return visit(row)
	}
	var rows []int32
	switch {
	case args[0] != Any:
		rows = t.first[args[0]]
	case len(args) > 1 && args[1] != Any:
		rows = t.second[args[1]]
	default:
		for n := range int32(len(t.rows) / t.arity) {
			if !try(t.row(n)) {
				return
			}
		}
		return
	}
	for _, n := range rows {
		if !try(t.row(n)) {
			return
		}
	}
}

// steps lists the steps an argument may be: 0 is the scene before any action.
func (x *Index) steps(arg int32, from int32) []int32 {
	if arg != Any {
		if arg >= from && arg <= x.Trace.Last() {
			return []int32{arg}
		}
		return nil
	}
	var out []int32
	if from == 0 {
		out = append(out, 0)
	}
	for i := range x.Trace.Events {
		out = append(out, x.Trace.Events[i].Step)
	}
	return out
}

func (x *Index) matchSteps(pred int, args []int32, visit func([]int32) bool) {
	last := x.Trace.Last()
	for _, s := range x.steps(args[0], 1) {
		if pred == predEnd && (s != last || x.live) || x.Trace.Event(s) == nil {
			continue
		}
		if !visit([]int32{s}) {
			return
		}
	}
}

// candidates lists the objects an argument may be.
func (x *Index) candidates(arg int32) []state.Obj {
	var out []state.Obj
	for i, sym := range x.objects {
		if arg == Any || arg == sym {
			out = append(out, state.Obj(i))
		}
	}
	return out
}

func (x *Index) matchFilled(args []int32, visit func([]int32) bool) {
	onto := x.Trace.Objects.Onto
	if x.wholes == nil {
		x.wholes = wholesOf(onto)
	}
	x.eachState(args, func(s int32, obj state.Obj, term ontology.TermID) bool {
		seen := map[ontology.TermID]bool{}
		for _, c := range x.ingredients(onto.Values(term, "liquid")) {
			for i := range onto.Terms {
				t := ontology.TermID(i)
				sym, ok := x.symbols[onto.Terms[i].Name]
				if !ok || seen[t] || args[2] != Any && args[2] != sym || !onto.Terms[i].IsClass || !onto.IsA(c, t) {
					continue
				}
				seen[t] = true
				if !visit([]int32{s, x.objects[obj], sym}) {
					return false
				}
			}
		}
		return true
	})
}

func (x *Index) matchPieces(args []int32, visit func([]int32) bool) {
	for _, piece := range x.candidates(args[0]) {
		whole := x.Trace.Objects.Items[piece].Origin
		if whole == state.Nothing || args[1] != Any && args[1] != x.objects[whole] {
			continue
		}
		if !visit([]int32{x.objects[piece], x.objects[whole]}) {
			return
		}
	}
}

func (x *Index) matchState(args []int32, visit func([]int32) bool) {
	onto := x.Trace.Objects.Onto
	x.eachState(args, func(s int32, obj state.Obj, term ontology.TermID) bool {
		for _, t := range append([]ontology.TermID{term}, onto.Implied(term)...) {
			sym, ok := x.symbols[onto.Name(t)]
			if !ok || args[2] != Any && args[2] != sym {
				continue
			}
			if !visit([]int32{s, x.objects[obj], sym}) {
				return false
			}
		}
		return true
	})
}

// eachState visits the believed states of the objects and steps that the first
// two arguments allow, until visit returns false.
func (x *Index) eachState(args []int32, visit func(step int32, obj state.Obj, term ontology.TermID) bool) {
	for _, obj := range x.candidates(args[1]) {
		for slot := int32(1); slot < x.Trace.Final.Slots(); slot++ {
			f := state.Fluent{Obj: obj, Slot: slot}
			if len(x.Trace.History[f]) == 0 {
				continue
			}
			for _, s := range x.steps(args[0], 0) {
				if v := x.Trace.At(f, s); v.Status != state.Unknown && !visit(s, obj, v.Term) {
					return
				}
			}
		}
	}
}

func (x *Index) matchPlace(pred int, args []int32, visit func([]int32) bool) {
	for _, obj := range x.candidates(args[1]) {
		for _, s := range x.steps(args[0], 0) {
			at := obj
			for range len(x.objects) {
				at = x.Trace.At(state.Fluent{Obj: at, Slot: state.PlaceSlot}, s).At
				if at == state.Nothing {
					break
				}
				row := []int32{s, x.objects[obj], x.objects[at]}
				switch {
				case pred == predHolds:
					if x.Trace.Objects.IsA(at, x.Trace.Objects.Onto.Core.RobotGripper) && !visit(row[:2]) {
						return
					}
				case args[2] == Any || args[2] == row[2]:
					if !visit(row) {
						return
					}
				}
				if pred != predWithin {
					break
				}
			}
		}
	}
}

func (x *Index) matchIsa(args []int32, visit func([]int32) bool) {
	onto := x.Trace.Objects.Onto
	var class ontology.TermID = ontology.None
	if args[1] != Any {
		id, ok := onto.Lookup(x.Name(args[1]))
		if !ok {
			return
		}
		class = id
	}
	for _, obj := range x.candidates(args[0]) {
		if class != ontology.None {
			if x.Trace.Objects.IsA(obj, class) && !visit([]int32{x.objects[obj], args[1]}) {
				return
			}
			continue
		}
		for i := range onto.Terms {
			id := ontology.TermID(i)
			sym, ok := x.symbols[onto.Terms[i].Name]
			if ok && onto.Terms[i].IsClass && x.Trace.Objects.IsA(obj, id) && !visit([]int32{x.objects[obj], sym}) {
				return
			}
		}
	}
}

func (x *Index) matchProperty(args []int32, visit func([]int32) bool) {
	onto := x.Trace.Objects.Onto
	for _, obj := range x.candidates(args[0]) {
		for i := range onto.Terms {
			sym, ok := x.symbols[onto.Terms[i].Name]
			if !ok || onto.Terms[i].IsClass || args[1] != Any && args[1] != sym {
				continue
			}
			if x.Trace.Objects.HasProperty(obj, ontology.TermID(i)) && !visit([]int32{x.objects[obj], sym}) {
				return
			}
		}
	}
}

func (x *Index) matchDeviates(args []int32, visit func([]int32) bool) {
	for _, s := range x.steps(args[0], 1) {
		e := x.Trace.Event(s)
		if e == nil {
			continue
		}
		for _, obj := range x.candidates(args[1]) {
			for slot := range x.Trace.Final.Slots() {
				at, ok := e.Differences[state.Fluent{Obj: obj, Slot: slot}]
				if ok && (args[2] == Any || args[2] == at) && !visit([]int32{s, x.objects[obj], at}) {
					return
				}
			}
		}
	}
}
