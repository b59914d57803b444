package fact

import (
	"math"
	"slices"

	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/memo"
	"github.com/mishap-robotics/mishap/engine/internal/planfault"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// Any is an argument of a match that is not bound.
const Any int32 = math.MinInt32

// None is the name that stands for the absence of an object.
const None = "none"

// Index answers which facts of an episode match a pattern. It is filled once
// and then only read, so goroutines may share it. Names are symbols: those of the
// terms of the ontology are their numbers there, those of objects come after.
type Index struct {
	Trace   *belief.Trace
	onto    *ontology.Ontology
	names   []string // beyond the terms of the ontology
	symbols map[string]int32
	tables  []table
	shared  shared
	given   bool                                  // all facts stand in the tables
	live    bool                                  // the episode goes on: there is no end
	objects []int32                               // symbol of each object
	ofName  []state.Object                        // the object of each of names
	free    []int32                               // names of objects that were forgotten, by index
	named   int                                   // how many names were given a symbol
	ofTerm  map[int32]state.Object                // objects named as a term is
	wholes  map[ontology.TermID][]ontology.TermID // by class of pieces, where somebody is served
	means   *meanings
	// Since is the first step of which it is remembered what was seen and heard.
	Since int32
	// ToCome is true where a part of the episode has not happened yet.
	ToCome bool
	scores Scores
	sensed int // how many sensor events of the trace are indexed
	// Repairs are the edits behind the mend facts.
	Repairs []planfault.Repair
}

// meanings is what the state and filled facts say of the states of the ontology.
type meanings struct {
	symbols []int32   // of terms, below 0 where the name of one is another's
	implied [][]int32 // by state: itself and what it implies
	liquids [][]int32 // by state: classes of what is filled in
	// by symbol: in which slots of an object it may stand
	states, fillings []uint64
}

func newIndex(t *belief.Trace) *Index {
	o := t.Objects.Onto
	x := &Index{Trace: t, onto: o, means: known.Of(o), symbols: map[string]int32{}, tables: make([]table, len(vocabulary)), ofTerm: map[int32]state.Object{}}
	for i := range vocabulary {
		t := &x.tables[i]
		t.arity, t.ascending, t.shared = int8(Width(i)), true, &x.shared
	}
	for i := range t.Objects.Items {
		if t.Interrupt.Tick() {
			break
		}
		x.object(state.Object(i))
	}
	return x
}

// known is what the states of ontologies mean.
var known = memo.New(meaningsOf)

// meaningsOf works out what the states of an ontology mean.
func meaningsOf(o *ontology.Ontology) *meanings {
	n := len(o.Terms)
	m := &meanings{symbols: make([]int32, n), implied: make([][]int32, n), liquids: make([][]int32, n), states: make([]uint64, n), fillings: make([]uint64, n)}
	wholes := wholesOf(o)
	dims := state.New(state.NewObjects(o))
	for i := range o.Terms {
		id := ontology.TermID(i)
		m.symbols[i] = -1
		if named, ok := o.Lookup(o.Name(id)); ok {
			m.symbols[i] = int32(named)
		}
		slot := dims.SlotOf(id)
		if slot < 0 {
			continue
		}
		m.implied[i] = append(m.implied[i], int32(id))
		for _, t := range o.Implied(id) {
			m.implied[i] = append(m.implied[i], int32(t))
		}
		for _, c := range ingredients(o, wholes, o.Liquids(id)) {
			for j := range o.Terms {
				if sym := int32(j); o.Terms[j].IsClass && o.IsA(c, ontology.TermID(j)) && !slices.Contains(m.liquids[i], sym) {
					m.liquids[i] = append(m.liquids[i], sym)
				}
			}
		}
		for _, sym := range m.implied[i] {
			m.states[sym] |= 1 << min(slot, 63)
		}
		for _, sym := range m.liquids[i] {
			m.fillings[sym] |= 1 << min(slot, 63)
		}
	}
	return m
}

// meanings lists what a state and filled fact say where an object is in a state.
func (x *Index) meanings(pred int, st ontology.TermID) []int32 {
	if st < 0 {
		return nil
	}
	if pred == predFilled {
		return x.means.liquids[st]
	}
	return x.means.implied[st]
}

// slotsOf tells in which slots of an object a state or a liquid may stand.
func (x *Index) slotsOf(pred int, symbol int32) uint64 {
	switch {
	case symbol == Any:
		return math.MaxUint64
	case symbol < 0 || int(symbol) >= len(x.onto.Terms):
		return 0
	case pred == predFilled:
		return x.means.fillings[symbol]
	}
	return x.means.states[symbol]
}

// symbol interns a name.
func (x *Index) symbol(name string) int32 {
	if id, ok := x.Symbol(name); ok {
		return id
	}
	n := int32(len(x.names))
	if last := len(x.free) - 1; last >= 0 {
		n, x.free = x.free[last], x.free[:last]
		x.names[n] = name
	} else {
		x.names = append(x.names, name)
		x.ofName = append(x.ofName, state.Nothing)
	}
	id := int32(len(x.onto.Terms)) + n
	x.symbols[name] = id
	x.named++
	return id
}

// Symbol finds an interned name; a name no fact mentions may still name a term
// of the ontology.
func (x *Index) Symbol(name string) (int32, bool) {
	if id, ok := x.onto.Lookup(name); ok {
		return int32(id), true
	}
	id, ok := x.symbols[name]
	return id, ok
}

// Named counts the names that were given a symbol so far. Until it grows, a name that has
// none has none.
func (x *Index) Named() int { return x.named }

// Symbols is one past the highest symbol.
func (x *Index) Symbols() int { return len(x.onto.Terms) + len(x.names) }

// Name is the name of a symbol.
func (x *Index) Name(symbol int32) string {
	if n := int(symbol) - len(x.onto.Terms); n >= 0 && n < len(x.names) {
		return x.names[n]
	}
	return x.onto.Name(ontology.TermID(symbol))
}

func (x *Index) object(o state.Object) int32 {
	if o == state.Nothing {
		return x.symbol(None)
	}
	for int(o) >= len(x.objects) {
		next := state.Object(len(x.objects))
		sym := x.symbol(x.Trace.Objects.Name(next))
		x.objects = append(x.objects, sym)
		if n := int(sym) - len(x.onto.Terms); n >= 0 {
			x.ofName[n] = next
		} else {
			x.ofTerm[sym] = next
		}
	}
	return x.objects[o]
}

// rename gives the symbols of objects the names that these have now.
func (x *Index) rename(objects []state.Object) {
	for _, o := range objects {
		if int(o) >= len(x.objects) {
			continue
		}
		n := int(x.objects[o]) - len(x.onto.Terms)
		name := x.Trace.Objects.Name(o)
		if _, taken := x.Symbol(name); n < 0 || taken {
			continue // it goes on by what facts called it
		}
		delete(x.symbols, x.names[n])
		x.names[n], x.symbols[name] = name, x.objects[o]
		x.named++
	}
}

// objectOf is the object that a symbol names, or Nothing.
func (x *Index) objectOf(symbol int32) state.Object {
	if n := int(symbol) - len(x.onto.Terms); n >= 0 && n < len(x.ofName) {
		return x.ofName[n]
	}
	if o, ok := x.ofTerm[symbol]; ok {
		return o
	}
	return state.Nothing
}

func (x *Index) term(t ontology.TermID) int32 {
	if t >= 0 && int(t) < len(x.means.symbols) && x.means.symbols[t] >= 0 {
		return x.means.symbols[t]
	}
	return x.symbol(x.onto.Name(t))
}

func (x *Index) add(pred int, args ...int32) { x.tables[pred].add(args) }

var numbers = func() map[rules.Indicator]int {
	out := map[rules.Indicator]int{}
	for i := range vocabulary {
		out[vocabulary[i].Indicator()] = i
	}
	return out
}()

// Number finds the number of a fact predicate.
func Number(i rules.Indicator) (int, bool) {
	n, ok := numbers[i]
	return n, ok
}
