package memory_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cayleygraph/cayley/graph/path"
	"github.com/cayleygraph/quad"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/episodetest"
	"github.com/mishap-robotics/mishap/engine/memory"
	"github.com/mishap-robotics/mishap/engine/record"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/recorded"
)

// many is how many episodes the benchmarks ask: 10,000 with MISHAP_LONG, some ten million
// quads.
func many() int {
	if os.Getenv("MISHAP_LONG") != "" {
		return 10_000
	}
	return 200
}

// kinds are runs of 20 steps with 20 objects in view, some of which go wrong.
var kinds = sync.OnceValue(func() []memory.Run {
	var out []memory.Run
	t := &testing.T{}
	for k := range 10 {
		var text strings.Builder
		text.WriteString("goal: Mug in Sink\n")
		at := []string{"on_top_of CounterTop-1", "inside RobotGripper-1"}
		for i := range 21 {
			action := ""
			if i > 0 {
				action = []string{"(pick_up, Mug-1)", "(navigate_to_obj, CounterTop-1)", "(put_on, Mug-1, CounterTop-1)", "(navigate_to_obj, Mug-1)"}[(i-1)%4]
			}
			place, state := at[0], "clean"
			if i%4 == 1 || i%4 == 2 {
				place = at[1]
			}
			if i > 12 && k < 3 {
				place, state = "on_top_of Floor-1", "dirty"
			}
			fmt.Fprintf(&text, "%d %s | Mug-1 %s, Mug-1 %s", i, action, state, place)
			for n := 2; n <= 20; n++ {
				fmt.Fprintf(&text, ", Plate-%d %s", n, []string{"clean", "dirty"}[(n+k+i/7)%2])
			}
			if i == 13 && k < 3 {
				text.WriteString(" | something drops")
			}
			text.WriteString("\n")
		}
		ep := episodetest.Parse(t, ontology.Default(), text.String())
		res, err := reasoner().Check(t.Context(), ep)
		if err != nil {
			panic(err)
		}
		out = append(out, memory.Run{Episode: ep, Conclusions: record.Conclusions{Result: res}})
	}
	return out
})

// drawn is the i-th episode of a benchmark, one every hour.
func drawn(i int) memory.Run {
	like := kinds()[i%len(kinds())]
	ep := *like.Episode
	ep.ID, ep.Robot, ep.Start = fmt.Sprintf("run-%06d", i), fmt.Sprintf("robot-%d", i%7), noon.Add(time.Duration(i)*time.Hour).Format(time.RFC3339)
	ep.Steps = append([]episode.Step(nil), ep.Steps...)
	for k := range ep.Steps {
		ep.Steps[k].Time = fmt.Sprintf("%02d:%02d", k/6, 10*(k%6))
	}
	res := *like.Result
	res.Episode = &ep
	return memory.Run{Episode: &ep, Conclusions: record.Conclusions{Result: &res}}
}

// together is how many episodes are added in one transaction.
const together = 100

func fill(b *testing.B, m *memory.Memory, n int) {
	b.Helper()
	for i := 0; i < n; i += together {
		var runs []memory.Run
		for k := i; k < min(n, i+together); k++ {
			runs = append(runs, drawn(k))
		}
		if err := m.Add(b.Context(), runs...); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAdd writes episodes, 20 in a transaction.
func BenchmarkAdd(b *testing.B) {
	kinds()
	for b.Loop() {
		m := open(b, b.TempDir())
		n := min(many(), 1000)
		began := time.Now()
		fill(b, m, n)
		took := time.Since(began)
		s, err := m.Stats(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(s.Quads)/took.Seconds(), "quads/s")
		b.ReportMetric(s.BytesPerQuad, "bytes/quad")
		b.ReportMetric(float64(s.Quads)/float64(s.Episodes), "quads/episode")
		m.Close()
	}
}

// filled is a memory with many episodes, made once.
func filled(b *testing.B) *memory.Memory {
	b.Helper()
	folder := filepath.Join(os.TempDir(), fmt.Sprintf("mishap-memory-bench-%d", many()))
	if _, err := os.Stat(folder); err != nil {
		m := open(b, folder)
		fill(b, m, many())
		m.Close()
	}
	return open(b, folder)
}

func percentile(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "median-ms")
}

const typeOf = quad.IRI("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")

// BenchmarkClassAndTime asks for the findings of a class in a span of thirty days.
func BenchmarkClassAndTime(b *testing.B) {
	m := filled(b)
	class := quad.IRI(ontology.Namespace + kinds()[0].Result.Findings[0].Type)
	spans(b, func(f memory.Filter) (found int) {
		for q, err := range m.Match(b.Context(), memory.Pattern{Predicate: typeOf, Object: class, Of: f}) {
			if err != nil || q.Subject == nil {
				b.Fatal(err)
			}
			found++
		}
		return found
	})
}

// spans asks something of spans of thirty days, and reports how long that takes and how many
// answers it has.
func spans(b *testing.B, ask func(f memory.Filter) (found int)) {
	b.Helper()
	var took []time.Duration
	found := 0
	for b.Loop() {
		from := noon.Add(time.Duration(len(took)*37%many()) * time.Hour)
		began := time.Now()
		found += ask(memory.Filter{Since: from, Until: from.Add(30 * 24 * time.Hour)})
		took = append(took, time.Since(began))
	}
	percentile(b, took)
	b.ReportMetric(float64(found)/float64(len(took)), "answers")
}

// BenchmarkGoal asks the same in Prolog, with the class as a parameter.
func BenchmarkGoal(b *testing.B) {
	m := filled(b)
	goal := prepared(b, m, "found(E, C, S, O)", "C")
	class := kinds()[0].Result.Findings[0].Type
	spans(b, func(f memory.Filter) (found int) {
		for _, err := range goal.Answers(b.Context(), f, class) {
			if err != nil {
				b.Fatal(err)
			}
			found++
		}
		return found
	})
}

// BenchmarkGoalOfFacts asks what was dropped in a hundred episodes, which are rebuilt and
// followed for it.
func BenchmarkGoalOfFacts(b *testing.B) {
	m := filled(b)
	goal := prepared(b, m, "dropped(E, S, O), isa(O, 'Mug')")
	episodes := min(100, many())
	for b.Loop() {
		for _, err := range goal.Answers(b.Context(), memory.Filter{Until: noon.Add(time.Duration(episodes) * time.Hour)}) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N*episodes), "ms/episode")
}

func prepared(b *testing.B, m *memory.Memory, goal string, parameters ...string) *memory.Goal {
	b.Helper()
	g, err := m.Prepare(asker(b, m), goal, parameters...)
	if err != nil {
		b.Fatal(err)
	}
	return g
}

// BenchmarkPath follows two links from each of a hundred findings, by Cayley.
func BenchmarkPath(b *testing.B) {
	m := filled(b)
	class := quad.IRI(ontology.Namespace + kinds()[0].Result.Findings[0].Type)
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		p := path.StartPath(m.Graph(), class).In(typeOf).Limit(100).Out(quad.IRI(recorded.Cause.IRI())).Out(quad.IRI(ontology.Namespace + string(ontology.EventAction)))
		got, err := p.Iterate(b.Context()).AllValues(m.Graph())
		if err != nil || len(got) == 0 {
			b.Fatal(len(got), err)
		}
		took = append(took, time.Since(began))
	}
	percentile(b, took)
}

// BenchmarkOpen opens the memory and reads one episode.
func BenchmarkOpen(b *testing.B) {
	filled(b).Close()
	folder := filepath.Join(os.TempDir(), fmt.Sprintf("mishap-memory-bench-%d", many()))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for b.Loop() {
		m := open(b, folder)
		if _, err := m.Episode(b.Context(), "run-000007"); err != nil {
			b.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		m.Close()
	}
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/1e6, "heap-MB")
}
