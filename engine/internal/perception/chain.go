package perception

import (
	"math"

	"github.com/mishap-robotics/mishap/engine/internal/interrupt"
)

// chain is the hidden Markov chain of one state or place of one object.
type chain struct {
	values []string
	first  []float64 // before the first line
	looks  []look    // by line
	moves  []move    // by line: the transition into it
	post   [][]float64
}

// look is what one line shows of a chain.
type look struct {
	value   int     // index of the value seen, -1 where nothing was
	exact   bool    // it is certainly that
	never   int     // a value that it certainly is not, -1 for none
	erratic float64 // probability that what is seen is wrong
	among   float64 // of how many values it is then one
}

// move is how a value may change at a line.
type move struct {
	to      int     // the value that the action brings about, -1 for none
	success float64 // probability that it does
	upset   float64 // probability of a change to anything else
	// done and undone are how probable what was heard is where the action comes
	// about and where it does not, as where its effect held already; 0 where
	// nothing can be heard.
	done, undone float64
}

// spontaneous is the probability that something changes at a line without the
// robot's doing: about 2 in 10,000 in runs of which half have a failure
// (TestProbabilitiesAreMeasured).
const spontaneous = 2e-4

// least keeps certainties from dividing by nothing.
const least = 1e-9

func (c *chain) transition(t, from, to int) float64 {
	m := c.moves[t]
	n := float64(len(c.values))
	p := 0.0
	other := (m.upset + spontaneous) / math.Max(1, n-1)
	if from == to {
		p = math.Max(least, 1-m.success-m.upset-spontaneous)
	} else {
		p = other
	}
	if m.to == to {
		p += m.success
	}
	switch {
	case m.done == 0:
	case m.to == to && from != to:
		p *= m.done
	default:
		p *= m.undone
	}
	return p
}

// unknown is the value of a place that nothing tells.
const unknown = ""

func (c *chain) emission(t, value int) float64 {
	l := c.looks[t]
	switch {
	case l.never == value:
		return least
	case l.value < 0:
		return 1
	case l.exact && l.value != value:
		return least
	case l.exact:
		return 1
	case l.value == value:
		return 1 - l.erratic
	case c.values[value] == unknown:
		return 1 / l.among
	}
	return l.erratic / l.among
}

// infer computes the probability of each value at each line, given all lines.
func (c *chain) infer(stop *interrupt.Flag) {
	n, k := len(c.looks), len(c.values)
	forward := make([][]float64, n)
	prior := c.first
	for t := 0; t < n && !stop.Raised(); t++ {
		forward[t] = make([]float64, k)
		for v := range k {
			p := 0.0
			for u := range k {
				p += prior[u] * c.transition(t, u, v)
			}
			forward[t][v] = p * c.emission(t, v)
		}
		normalize(forward[t])
		prior = forward[t]
	}
	c.post = forward
	back := make([]float64, k)
	for v := range back {
		back[v] = 1
	}
	for t := n - 2; t >= 0 && !stop.Raised(); t-- {
		next := make([]float64, k)
		for u := range k {
			for v := range k {
				next[u] += c.transition(t+1, u, v) * c.emission(t+1, v) * back[v]
			}
		}
		normalize(next)
		back = next
		for v := range k {
			c.post[t][v] *= back[v]
		}
		normalize(c.post[t])
	}
}

func normalize(p []float64) {
	sum := 0.0
	for _, x := range p {
		sum += x
	}
	for i := range p {
		p[i] /= math.Max(sum, math.SmallestNonzeroFloat64)
	}
}

// best is the most probable value at a line.
func (c *chain) best(t int) (value int, probability float64) {
	for v, p := range c.post[t] {
		if p > probability {
			value, probability = v, p
		}
	}
	return value, probability
}
