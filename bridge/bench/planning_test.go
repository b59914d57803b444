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

// How long one correction takes to plan, over RECOVER's tasks by all failures, over the same
// with spares, and with 300 more things that stand about: the whole with MISHAP_LONG=1, else
// some of each.
func BenchmarkPlanning(b *testing.B) {
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		b.Fatal(err)
	}
	bench := &Bench{Reasoner: r, Simulation: kitchen.Default(), Seed: 1, Limit: Size(0, 40)}
	for _, set := range []string{"pairs", "stocked", "crowded"} {
		b.Run(set, func(b *testing.B) {
			list := bench.pairs(b, set != "pairs")
			if set == "crowded" {
				for i := range list {
					list[i].scenario = crowded(bench.Reasoner.Ontology, list[i].scenario, 300)
				}
			}
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
		into := simulation.NewInjector(b.sampler().onto, sc)
		for k, failure := range b.Failures() {
			variants, err := b.sampler().variants(context.Background(), into, failure, uint64(i*len(b.Failures())+k))
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

// crowded puts so many more things into a kitchen, of all kinds that can be moved in turn.
func crowded(o *ontology.Ontology, sc *simulation.Scenario, n int) *simulation.Scenario {
	var kinds []ontology.TermID
	for id := range ontology.TermID(len(o.Terms)) {
		if o.IsA(id, o.Core.PhysicalObject) && o.HasProperty(id, o.Roles.Movable) && !o.IsForm(id) && len(o.Subclasses(id)) == 0 {
			kinds = append(kinds, id)
		}
	}
	v := *sc
	v.Objects = slices.Clone(sc.Objects)
	for i := range n {
		v.Objects = append(v.Objects, o.Instance(kinds[i%len(kinds)], 11+i/len(kinds)))
	}
	return &v
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
