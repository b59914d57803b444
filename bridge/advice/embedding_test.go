package advice

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// learn fits the weights of the embedding to lines by softmax regression with AdaGrad; meanings
// of each line and which of them is right, lines of which none is left out.
func learn(lines [][]meant, right []int, rounds int) []float64 {
	const rate = 0.2
	weights, squares := make([]float64, dimensions), make([]float64, dimensions)
	order := make([]int, len(lines))
	for i := range order {
		order[i] = i
	}
	r := rand.New(rand.NewPCG(1, 2))
	sum := make([]float64, dimensions)
	for round := range rounds {
		r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			if right[i] < 0 {
				continue
			}
			weigh(lines[i], func(k uint32) float64 { return weights[k] })
			for k, x := range lines[i] {
				off := x.probability
				if k == right[i] {
					off--
				}
				if math.Abs(off) < 1e-4 {
					continue
				}
				off /= math.Sqrt(float64(len(x.traits)))
				for _, f := range x.traits {
					g := off + 2e-5*weights[f]
					squares[f] += g * g
					weights[f] -= rate * g / math.Sqrt(squares[f]+1e-8)
				}
			}
		}
		if round >= rounds/3 {
			for i, w := range weights {
				sum[i] += w / float64(rounds-rounds/3)
			}
		}
	}
	return sum
}

// rounded are weights as they are stored.
func rounded(weights []float64) []int8 {
	out := make([]int8, len(weights))
	for i, w := range weights {
		out[i] = int8(max(-127, min(127, math.Round(w/weightStep))))
	}
	return out
}

// lessons are lines with their meanings, and which of them is right, -1 for none.
func lessons(m *Mapper, list []paraphrase) (lines [][]meant, right []int) {
	usual, room := m, []string(nil)
	known := map[string]bool{}
	for _, a := range m.Ontology.Advised() {
		known[a.Name] = true
	}
	for _, p := range list {
		switch {
		case p.things == nil:
			m, room = usual, nil
		case !slices.Equal(p.things, room):
			m, room = roomOf(p.things), p.things
		}
		all := m.meanings(p.text, known)
		lines = append(lines, all)
		right = append(right, slices.IndexFunc(all, func(x meant) bool {
			return x.schema == nil && p.action == "none" || x.schema != nil && x.action.String() == p.action
		}))
	}
	return lines, right
}

// fittedTo are the sentences that the embedding is learned from: all but the files of which
// nothing was seen. What it makes of the others of each file, TestEmbeddingOfUnseen measures.
func fittedTo(t testing.TB) (out []paraphrase) {
	for _, set := range paraphraseSets {
		if set.seen == [2]bool{} {
			continue
		}
		out = append(out, paraphrases(t, set.file)...)
	}
	return out
}

// The embedding that comes with mishap is learned from sentences. With MISHAP_LONG=1 it is learned
// again and compared, with -update it is written anew.
func TestEmbeddingIsLearned(t *testing.T) {
	if e := defaultEmbedding(); len(stored) != bytes.IndexByte(stored, '\n')+1+dimensions || len(e.actions) == 0 {
		t.Errorf("%d bytes are stored, of %d actions", len(stored), len(e.actions))
	}
	if os.Getenv("MISHAP_LONG") == "" && !*update {
		t.Skip("learning takes seconds; with MISHAP_LONG=1")
	}
	m := stocked()
	lines, right := lessons(m, fittedTo(t))
	weights := rounded(learn(lines, right, 15))
	names := map[string]bool{}
	for _, a := range m.Ontology.Advised() {
		names[a.Name] = true
	}
	data := []byte(strings.Join(slices.Sorted(maps.Keys(names)), " ") + "\n")
	for _, w := range weights {
		data = append(data, byte(w))
	}
	if *update {
		if err := os.WriteFile("embedding.bin", data, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	differ := 0
	e := defaultEmbedding()
	for i, w := range weights {
		if d := int(w) - int(e.weights[i]); d < -1 || d > 1 {
			differ++
		}
	}
	if differ > dimensions/100 || len(e.actions) != len(names) {
		t.Errorf("%d of %d weights differ from those stored, of %d actions and %d; run with -update", differ, dimensions, len(names), len(e.actions))
	}
}

// How well the embedding judges sentences alone, and beside the ontology, that it was not
// learned from: each sixth of all in turn.
func TestEmbeddingOfUnseen(t *testing.T) {
	if os.Getenv("MISHAP_LONG") == "" {
		t.Skip("learns six times; with MISHAP_LONG=1")
	}
	usual := stocked()
	var all []paraphrase
	var only []bool
	for _, set := range paraphraseSets {
		if set.seen == [2]bool{} {
			continue
		}
		for i, p := range paraphrases(t, set.file) {
			all, only = append(all, p), append(only, !set.seen[i%2])
		}
	}
	lines, right := lessons(usual, all)
	e := defaultEmbedding()
	stored := e.weights
	defer func() { e.weights = stored }()
	const parts = 6
	var alone, both, measured [3]int
	for part := range parts {
		var l [][]meant
		var r []int
		for i := range lines {
			if i/7%parts != part {
				l, r = append(l, lines[i]), append(r, right[i])
			}
		}
		e.weights = rounded(learn(l, r, 15))
		m, room := usual, []string(nil)
		for i, p := range all {
			if i/7%parts != part {
				continue
			}
			switch {
			case p.things == nil:
				m, room = usual, nil
			case !slices.Equal(p.things, room):
				m, room = roomOf(p.things), p.things
			}
			judged := m.judge(p.text)
			best := slices.MaxFunc(judged, func(a, b meant) int { return cmp.Compare(a.probability, b.probability) })
			said := "none"
			if best.schema != nil && best.probability >= leastProbable {
				said = best.action.String()
			}
			tally(&alone, said, p.action)
			said = "none"
			if got := m.Map(context.Background(), p.text); got.Refused == "" {
				said = got.Action.String()
			}
			tally(&both, said, p.action)
			if only[i] {
				tally(&measured, said, p.action)
				if said != p.action {
					t.Logf("%q: %s, want %s (embedding %s %.2f)", p.text, said, p.action, best.action, best.probability)
				}
			}
		}
	}
	t.Logf("of all: alone %v, beside the ontology %v; of what was only measured %v (right, wrong, of)", alone, both, measured)
}

func tally(n *[3]int, said, want string) {
	n[2]++
	if said == want {
		n[0]++
	} else if said != "none" {
		n[1]++
	}
}
