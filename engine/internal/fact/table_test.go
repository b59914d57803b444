package fact

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
)

// A table finds by any pattern and limits what a plain list holds, in the same
// order, whatever rows were added, dropped from the end and forgotten.
func TestTableIsAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pred := rapid.SampledFrom([]int{predSeenAt, predHandEmpty, predWanted, predMend}).Draw(t, "predicate")
		arity := len(vocabulary[pred].Args)
		x := newIndex(&belief.Trace{Objects: state.NewObjects(ontology.Default())})
		x.given = true
		table := &x.tables[pred]
		var list [][]int32
		step := int32(0)
		draw := func(what string) int32 { return int32(rapid.IntRange(0, 5).Draw(t, what)) }
		jumps := rapid.Bool().Draw(t, "jumps")
		stride := rapid.SampledFrom([]int32{1, 1, 40_000}).Draw(t, "stride") // of steps
		scale := rapid.SampledFrom([][]int32{{0, 1, 2, 3, 4, 5}, {-3, 0, 1, math.MaxUint16, math.MaxUint16 + 1, math.MaxInt32}}).Draw(t, "values")
		long := rapid.SampledFrom([]int{3, 80}).Draw(t, "rows of a step")
		for range rapid.IntRange(1, 12).Draw(t, "rounds") {
			switch kind := rapid.IntRange(0, 7).Draw(t, "kind"); {
			case kind > 5 && !jumps: // a step much like the one before
				var before [][]int32
				for _, r := range list {
					if r[0] == list[len(list)-1][0] {
						before = append(before, r)
					}
				}
				step += stride
				for _, r := range before {
					row := append([]int32{step}, r[1:]...)
					if at := rapid.IntRange(0, long).Draw(t, "other"); at == 0 && arity > 1 {
						row[1] = scale[draw("value")]
					} else if at == 1 {
						continue
					}
					for range 1 + rapid.IntRange(0, 1).Draw(t, "twice") {
						x.tables[pred].add(row)
					}
					if !slices.ContainsFunc(list, func(r []int32) bool { return slices.Equal(r, row) }) {
						list = append(list, row)
					}
				}
			case kind < 4:
				for range rapid.IntRange(1, 300).Draw(t, "rows") {
					row := make([]int32, arity)
					for i := range row {
						row[i] = scale[draw("value")]
					}
					if row[0] = step; jumps {
						row[0] = stride * draw("step")
					}
					if rapid.IntRange(0, long).Draw(t, "next") == 0 {
						step += stride
					}
					x.tables[pred].add(row)
					if !slices.ContainsFunc(list, func(r []int32) bool { return slices.Equal(r, row) }) {
						list = append(list, row)
					}
				}
			case kind == 4 && len(list) > 0:
				n := rapid.IntRange(0, len(list)).Draw(t, "kept")
				table.truncate(table.base + int32(n))
				list = list[:n]
			case table.ascending:
				v := step - stride*draw("window")
				table.forget(v)
				list = slices.DeleteFunc(list, func(r []int32) bool { return r[0] < v })
			}
			args := make([]int32, arity)
			for i := range args {
				args[i] = Any
				if rapid.Bool().Draw(t, "bound") {
					if args[i] = scale[draw("argument")]; i == 0 {
						args[i] = stride * draw("step")
					}
				}
			}
			low, high := int32(math.MinInt32), int32(math.MaxInt32)
			if rapid.Bool().Draw(t, "limited") {
				low, high = step-stride*(draw("low")+3), step-stride*draw("high")
			}
			var want, got [][]int32
			for _, r := range list {
				fits := r[0] >= low && r[0] <= high
				for i, a := range args {
					fits = fits && (a == Any || a == r[i])
				}
				if fits {
					want = append(want, r)
				}
			}
			var s Scan
			var last uint64
			x.Open(&s, pred, args, low, high)
			for s.Next() {
				if len(got) > 0 && s.Position() <= last {
					t.Fatal("positions do not grow")
				}
				last = s.Position()
				got = append(got, slices.Clone(s.Row()))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%v from %d to %d (-list +table):\n%s", args, low, high, diff)
			}
			for _, last := range []bool{false, true} {
				x.Open(&s, pred, args, low, high)
				side := want
				if table.ascending && len(want) > 0 {
					step := want[0][0]
					if last {
						step = want[len(want)-1][0]
					}
					side = slices.DeleteFunc(slices.Clone(want), func(r []int32) bool { return r[0] != step })
				}
				if last {
					s.Last()
				} else {
					s.First()
				}
				for got = nil; s.Next(); {
					got = append(got, slices.Clone(s.Row()))
				}
				if diff := cmp.Diff(side, got); diff != "" {
					t.Fatalf("%v from %d to %d, of the last step: %v (-list +table):\n%s", args, low, high, last, diff)
				}
			}
			var only Predicates
			only.Add(pred)
			if known := !x.Known().Meet(only).None(); known != (len(list) > 0) {
				t.Fatalf("there are facts: %v; %d are listed", known, len(list))
			}
			at := step - draw("back")
			has := slices.ContainsFunc(list, func(r []int32) bool { return r[0] == at })
			if known := !x.KnownAt(at).Meet(only).None(); has && !known || known && !has && table.ascending && ofSteps.Meet(only) == only {
				t.Fatalf("there are facts at %d: %v, listed %v", at, known, has)
			}
		}
	})
}

// Indexes are made when they are first asked for, also by several goroutines at
// once.
func TestIndexesAreShared(t *testing.T) {
	s := NewStream(ontology.Default())
	for i := range int32(200) {
		s.Add(predSeenAt, []int32{i, i % 7, i % 3})
	}
	var all sync.WaitGroup
	for g := range int32(8) {
		all.Go(func() {
			n := 0
			s.Match(predSeenAt, []int32{Any, g % 7, Any}, func([]int32) bool { n++; return true })
			if n < 28 {
				t.Errorf("%d rows of %d", n, g)
			}
		})
	}
	all.Wait()
}

// The symbols of terms are their numbers in the ontology.
func TestTermsAreTheirSymbols(t *testing.T) {
	o := ontology.Default()
	for i := range o.Terms {
		if id, ok := o.Lookup(o.Terms[i].Name); !ok || int(id) != i {
			t.Errorf("%s is term %d, found as %d", o.Terms[i].Name, i, id)
		}
	}
}

// A stream that forgets what lies far back allocates nothing in the end.
func TestStreamIsSteady(t *testing.T) {
	s := NewStream(ontology.Default())
	s.Match(predSeenAt, []int32{Any, 1, Any}, func([]int32) bool { return true })
	step := int32(0)
	take := func() {
		step++
		for i := range int32(20) {
			row := [3]int32{step, i, i % 4}
			s.Add(predSeenAt, row[:])
		}
		s.tables[predSeenAt].forget(step - 100)
	}
	for range 5000 {
		take()
	}
	if n := testing.AllocsPerRun(2000, take); n > 0 {
		t.Errorf("%v allocations a step", n)
	}
}

// What taking in the facts of a step costs, by what is in view: the time for each fact
// is to stay the same.
func BenchmarkStreamAdd(b *testing.B) {
	for _, objects := range []int32{20, 300, 1000} {
		b.Run(fmt.Sprint(objects), func(b *testing.B) {
			s := NewStream(ontology.Default())
			for step := int32(1); b.Loop(); step++ {
				for i := range objects {
					s.Add(predSeen, []int32{step, 7 * i % objects})
					s.Add(predSeenAt, []int32{step, 7 * i % objects, i % 4})
					s.Add(predSeenState, []int32{step, 7 * i % objects, i % 3})
				}
				for pred := range s.tables {
					s.tables[pred].forget(step - 100)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(3*objects), "ns/fact")
		})
	}
}

// Postings are a list to which numbers are added at the end and taken from both ends, however
// far they are from one another.
func TestPostingsAreAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := &index{columns: [2]int{0, -1}, numbers: map[uint64]int32{}}
		row := []int32{7}
		var list []int32
		last := int32(-1)
		far := rapid.SampledFrom([]int32{3, 2_000, 70_000}).Draw(t, "far")
		for range rapid.IntRange(1, 400).Draw(t, "rounds") {
			switch kind := rapid.IntRange(0, 5).Draw(t, "kind"); {
			case kind < 4:
				last += rapid.Int32Range(1, far).Draw(t, "on")
				x.add(row, last)
				list = append(list, last)
			case len(list) > 0 && kind == 4:
				x.drop(row, false)
				list = list[1:]
			case len(list) > 0:
				x.drop(row, true)
				if list = list[:len(list)-1]; len(list) > 0 {
					last = list[len(list)-1]
				}
			}
			found := x.find(7)
			got := make([]int32, found.len())
			for i := range got {
				got[i] = found.at(int32(i))
			}
			if !slices.Equal(got, list) {
				t.Fatalf("postings are %v, want %v", got, list)
			}
		}
	})
}
