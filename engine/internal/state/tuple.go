package state

import "slices"

// Parts lists what is in a tuple, in order; of anything else it is empty.
func (s *State) Parts(x Object) []Object {
	var out []Object
	for _, relation := range s.Objects.Onto.Core.TupleParts {
		i := slices.IndexFunc(s.Links(x), func(l Link) bool { return l.Relation == relation && !l.From && !l.Ended })
		if i < 0 {
			break
		}
		out = append(out, s.Links(x)[i].Other)
	}
	return out
}

// Tuple is the tuple of some things in order, Nothing where there is none.
func (s *State) Tuple(parts ...Object) Object {
	first := s.Objects.Onto.Core.TupleParts[0]
	for _, l := range s.Links(parts[0]) {
		if l.Relation == first && l.From && slices.Equal(s.Parts(l.Other), parts) {
			return l.Other
		}
	}
	return Nothing
}
