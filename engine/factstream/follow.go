package factstream

import (
	"math"
	"slices"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/engine/internal/planfault"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// StepFacts is the facts that a step adds.
type StepFacts struct {
	Step  int32
	Facts []*rules.Term
}

// Follow follows an episode as it would come and visits the facts that each line
// adds, of the predicates that are asked for; those that belong to no step come with
// the line at which they are first known. visit gets one step after the other; what
// it gets is its own.
func Follow(o *ontology.Ontology, ep *episode.Episode, predicates []int, visit func(StepFacts) error) error {
	steps := ep.Steps
	live := *ep
	tracker := belief.NewTracker(o, &live)
	index := fact.NewLive(tracker.Trace(), func(e *belief.Event) (planfault.Fault, bool) { return planfault.FindRecent(tracker, e) })
	lasting := map[string]bool{}
	vocabulary := fact.Vocabulary()
	for _, st := range steps {
		tracker.Step(st)
		index.Extend()
		if st.Action.Name == "" {
			continue
		}
		out := StepFacts{Step: int32(st.Index)}
		for _, pred := range predicates {
			of := &vocabulary[pred]
			args := slices.Repeat([]int32{fact.Any}, len(of.Args))
			low, high := int32(math.MinInt32), int32(math.MaxInt32)
			ofStep := of.Args[0] == rules.StepArg
			if ofStep {
				low, high = out.Step, out.Step
			}
			var s fact.Scan
			index.Open(&s, pred, args, low, high)
			for s.Next() {
				t := index.Term(pred, s.Row())
				if !ofStep {
					if lasting[t.String()] {
						continue
					}
					lasting[t.String()] = true
				}
				out.Facts = append(out.Facts, t)
			}
		}
		if err := visit(out); err != nil {
			return err
		}
	}
	return nil
}

// Asked lists the fact predicates that rules ask for, by number.
func Asked(p *rules.Program) []int {
	var out []int
	var walk func(t *rules.Term)
	walk = func(t *rules.Term) {
		if n, ok := fact.Number(t.Indicator()); ok && !slices.Contains(out, n) {
			out = append(out, n)
		}
		for _, a := range t.Args {
			walk(a)
		}
	}
	for _, c := range p.Clauses {
		for _, g := range c.Body {
			walk(g)
		}
	}
	slices.Sort(out)
	return out
}

// Number is the number of a fact predicate, as Vocabulary counts them.
func Number(i rules.Indicator) (int, bool) { return fact.Number(i) }
