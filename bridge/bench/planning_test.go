package bench

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/simulation"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/kitchen"
	"github.com/mishap-robotics/mishap/rules"
)

// How long one correction takes to plan, over RECOVER's tasks by all failures, and over the
// same with spares: the whole with MISHAP_LONG=1, else some of each.
func BenchmarkPlanning(b *testing.B) {
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		b.Fatal(err)
	}
	bench := &Bench{Reasoner: r, Simulation: kitchen.Default(), Seed: 1, Limit: Size(0, 40)}
	for _, set := range []string{"pairs", "stocked"} {
		b.Run(set, func(b *testing.B) {
			list := bench.pairs(b, set == "stocked")
			var times []time.Duration
			for b.Loop() {
				for i := range list {
					times = append(times, bench.planning(b, &list[i])...)
				}
			}
			slices.Sort(times)
			for name, at := range map[string]int{"p50-ms": len(times) / 2, "p99-ms": len(times) * 99 / 100, "max-ms": len(times) - 1} {
				b.ReportMetric(float64(times[at].Microseconds())/1000, name)
			}
		})
	}
}

// pairs are the episodes of RecoverPairs.
func (b *Bench) pairs(t testing.TB, stocked bool) []exercise {
	tasks, err := b.sampler().scenarios("recover")
	if err != nil {
		t.Fatal(err)
	}
	var list []exercise
	for i, sc := range tasks {
		if stocked {
			sc = b.sampler().stock(sc)
		}
		for k, failure := range b.Failures() {
			variants, err := b.sampler().variants(context.Background(), sc, failure, uint64(i*len(b.Failures())+k))
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range variants {
				list = append(list, exercise{scenario: v})
			}
		}
	}
	return limited(b, list)
}

// planning carries an episode out and tells how long each correction took to plan.
func (b *Bench) planning(t testing.TB, x *exercise) []time.Duration {
	robot, err := simulation.NewRobot(b.Simulation, x.scenario, x.options)
	if err != nil {
		t.Fatal(err)
	}
	run, err := b.contenders().named(Whole)(context.Background(), robot, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out []time.Duration
	for i := range run.Recoveries {
		out = append(out, run.Recoveries[i].Time)
	}
	return out
}
