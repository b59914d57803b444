package pack

import (
	"errors"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// Reasoner is one with all that the packs know, for logs and for plans of their domains:
//
//	s, err := pack.Load([]string{"packs/hospital"}, false)
//	r, err := s.Reasoner()
//
// The error joins what is wrong with the ontology, each an ontology.Problem, or is that of
// rules.Load or engine.New. Reasoner.Ontology is what readers of logs take.
func (s *Stack) Reasoner(options ...engine.Option) (*engine.Reasoner, error) {
	o, problems, err := ontology.Parse(s.Ontology())
	if err != nil {
		return nil, err
	}
	var wrong []error
	for _, p := range problems {
		if !p.Warning {
			wrong = append(wrong, p)
		}
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, err
	}
	p, err := rules.Load(s.Rules())
	if err != nil {
		return nil, err
	}
	return engine.New(o.Judging(s.Domains()), p, options...)
}
