package bench

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/mishap-robotics/mishap/engine/simulation"
	"github.com/mishap-robotics/mishap/ontology"
)

// sampler draws the episodes that are measured: scenarios, with failures and in
// kitchens that vary.
type sampler struct {
	onto *ontology.Ontology // with the simulation documents
	seed uint64
}

func (b *Bench) sampler() sampler { return sampler{b.Simulation, b.Seed} }

// scenarios lists the built-in scenarios of some suites, all where none is named.
func (s sampler) scenarios(suites ...string) ([]*simulation.Scenario, error) {
	var out []*simulation.Scenario
	for _, built := range s.onto.Scenarios {
		if len(suites) > 0 && !slices.Contains(suites, built.Suite) {
			continue
		}
		sc, err := simulation.FromOntology(s.onto, built)
		if err != nil {
			return nil, err
		}
		out = append(out, sc)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no scenario of the suites %v", suites)
	}
	return out, nil
}

// random is a source of its own for each purpose, so that one measurement does
// not change another.
func (s sampler) random(purpose uint64) *rand.Rand { return rand.New(rand.NewPCG(s.seed, purpose)) }
