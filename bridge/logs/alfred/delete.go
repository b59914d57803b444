package alfred

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
)

// Interactions of AI2-THOR; m:alfredName says which actions they are.
const (
	pickupObject = "PickupObject"
	sliceObject  = "SliceObject"
)

// deletable are the interactions whose loss should be noticed.
var deletable = []string{pickupObject, "PutObject", "OpenObject", "ToggleObjectOn", sliceObject}

// DeleteOne returns a copy of a trajectory without one interaction, a pick-up,
// put, opening, toggle-on or slicing chosen by the seed and the id, and the
// index of that interaction, -1 where it has none.
func DeleteOne(t *Trajectory, seed uint64) (*Trajectory, int) {
	var choice []int
	for i := range t.Interactions {
		if slices.Contains(deletable, t.Interactions[i].Action) {
			choice = append(choice, i)
		}
	}
	if len(choice) == 0 {
		return t, -1
	}
	h := fnv.New64a()
	h.Write([]byte(t.ID))
	i := choice[rand.New(rand.NewPCG(seed, h.Sum64())).IntN(len(choice))]
	cut := *t
	cut.Interactions = slices.Delete(slices.Clone(t.Interactions), i, i+1)
	return &cut, i
}
