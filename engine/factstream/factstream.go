// Package factstream asks rules about facts that come one step after the other,
// wherever they come from: an episode that is followed, or another program.
package factstream

import (
	"context"

	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/engine/internal/inference"
	"github.com/mishap-robotics/mishap/engine/internal/inference/datalog"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// Conclusion is what a failure rule concluded.
type Conclusion = inference.Conclusion

// Stream holds the facts so far and the rules that are asked about them. It is for
// one goroutine at a time.
type Stream struct {
	facts  *fact.Stream
	prover *inference.Prover
}

// New begins a stream without facts. Rules are compiled unless they are to be
// interpreted.
func New(o *ontology.Ontology, p *rules.Program, interpret bool) *Stream {
	facts := fact.NewStream(o)
	s := &Stream{facts: facts, prover: &inference.Prover{Program: p, Index: facts.Index}}
	if !interpret {
		s.prover.Compiled = datalog.Compile(p, o)
	}
	return s
}

// Row reads a fact as terms write it: the number of its predicate and its arguments,
// as Add takes them. The error tells what is no fact of the vocabulary.
func (s *Stream) Row(f *rules.Term) (predicate int, args []int32, err error) { return s.facts.Row(f) }

// Add adds a fact. One that is there already is not added again.
func (s *Stream) Add(predicate int, args []int32) { s.facts.Add(predicate, args) }

// Ask asks every failure rule about one step.
func (s *Stream) Ask(ctx context.Context, step int32, visit func(Conclusion) bool) error {
	s.prover.Open()
	defer s.prover.Close()
	for _, c := range s.prover.Program.FailureRules() {
		if err := s.prover.Prove(ctx, c, step, visit); err != nil {
			return err
		}
	}
	return nil
}

// AskAll asks every failure rule about all steps at once.
func (s *Stream) AskAll(ctx context.Context, visit func(Conclusion) bool) error {
	return s.prover.Failures(ctx, visit)
}
