// Package memo keeps what is worked out of an ontology once for all who ask, for as long as
// the ontology is in use.
package memo

import (
	"runtime"
	"sync"
	"weak"

	"github.com/mishap-robotics/mishap/ontology"
)

// Value is what is worked out of ontologies. Goroutines may share it.
type Value[T any] struct {
	work  func(*ontology.Ontology) T
	known sync.Map // weak.Pointer[ontology.Ontology] to func() T
}

// New is what a function works out.
func New[T any](work func(*ontology.Ontology) T) *Value[T] { return &Value[T]{work: work} }

// Of is the value for an ontology; it must not hold the ontology, which else stays in use.
func (v *Value[T]) Of(o *ontology.Ontology) T {
	at := weak.Make(o)
	once, ok := v.known.Load(at)
	if !ok {
		var had bool
		once, had = v.known.LoadOrStore(at, sync.OnceValue(func() T { return v.work(o) }))
		if !had {
			runtime.AddCleanup(o, func(at weak.Pointer[ontology.Ontology]) { v.known.Delete(at) }, at)
		}
	}
	return once.(func() T)()
}
