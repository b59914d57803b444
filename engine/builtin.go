package engine

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/engine/internal/inference"
	"github.com/mishap-robotics/mishap/engine/internal/inference/datalog"
	"github.com/mishap-robotics/mishap/rules"
)

// Option is something that New is told besides ontology and rules.
type Option func(*options)

type options struct{ builtins []Builtin }

// WithBuiltin gives the rules and goals of a reasoner a predicate in Go. New refuses one
// whose name is taken, with a *BuiltinError, and a rule that defines it or calls it with
// an input that has no value, as one of rules.Problems.
func WithBuiltin(b Builtin) Option {
	return func(o *options) { o.builtins = append(o.builtins, b) }
}

// Builtin is a predicate that a host gives in Go, for what facts do not hold: a distance
// from poses, a lookup in a table. Its arguments are first those of In, then those of Out.
//
// What it answers must depend on the values of its inputs alone. A monitor may ask it again
// at a later step, or keep to what it said; rules of what is to come ask it too, of steps
// that nobody has seen. What changes with time takes the step as an input, and has no
// answer where nothing is known of it.
type Builtin struct {
	Name string // as rules write it: a lower-case letter, then letters, digits and _
	// In are the kinds of the inputs. They have values where it is called: in a rule, put
	// the goals that give them theirs before. Steps and numbers are passed as int64, all
	// other kinds as string; rules.AnyArg may be either, or a list ([]any) in a rule that is
	// interpreted.
	In []rules.ArgKind
	// Out are the kinds of what it gives; a test has none. A rule that asks for a
	// rules.AnyArg is interpreted.
	Out []rules.ArgKind
	// Relation says that it may be asked with any of its arguments known: it has no In, and
	// is called with the value of each argument of Out, nil for one that has none. A rule
	// that asks it is interpreted.
	Relation bool
	Doc      string
	// Deterministic says that there is one answer at most for the same inputs: no more are
	// asked for.
	Deterministic bool
	// Call yields the answers for inputs, each a value for every kind of Out as
	// PreparedGoal.Query takes them. They are unified with the arguments of the goal. All are
	// taken before the first is used and count against the limits of the rule, in inferences
	// and bytes. An error ends the evaluation of the rule, as does a panic; a nil sequence has
	// no answer. Goroutines that share the reasoner call it at once. It should look at the
	// context where it takes long: nothing else can end it.
	Call func(ctx context.Context, in []any) iter.Seq2[[]any, error]
}

// BuiltinError is what is wrong with a Builtin, or what went wrong in it: the Predicate,
// the Pos of the goal that asked it, Err, and the Stack where it panicked.
type BuiltinError = inference.BuiltinError

// OneAnswer is the answers of a Builtin that has one: a value for each kind of Out.
func OneAnswer(out ...any) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) { yield(out, nil) }
}

// AnswerError is the answers of a Builtin that fails.
func AnswerError(err error) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) { yield(nil, err) }
}

// Predicate describes it as rules.Program.Check takes it, beside Vocabulary.
func (b *Builtin) Predicate() rules.Predicate {
	return rules.Predicate{Name: b.Name, Args: slices.Concat(b.In, b.Out), Doc: b.Doc, InGo: true, Inputs: len(b.In)}
}

// check tells why a host cannot give it.
func (b *Builtin) check() error {
	p := b.Predicate()
	of := p.Indicator()
	named := func(r rune) bool {
		return r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	}
	const arguments = 255 // that a term of a rule can have
	switch {
	case b.Name == "" || b.Name[0] < 'a' || b.Name[0] > 'z' || strings.ContainsFunc(b.Name, named):
		return fmt.Errorf("its name is %q; expected a lower-case letter, then letters, digits and _", b.Name)
	case b.Call == nil:
		return errors.New("it has no Call")
	case b.Relation && len(b.In) > 0:
		return errors.New("it is a relation with inputs; expected none")
	case len(p.Args) > arguments:
		return fmt.Errorf("it has %d arguments; expected at most %d", len(p.Args), arguments)
	case rules.IsBuiltin(of):
		return errors.New("the name is that of a predicate that is built in; choose another")
	case b.Name == rules.ConclusionName:
		return errors.New("the name is that of what rules conclude; choose another")
	}
	for i, k := range p.Args {
		if k > rules.WordArg {
			return fmt.Errorf("argument %d is of kind %d; expected one of the kinds of package rules", i+1, k)
		}
	}
	for _, known := range fact.Vocabulary() {
		if known.Indicator() == of {
			return errors.New("the name is that of a fact of the episode; choose another")
		}
	}
	return nil
}

// builtinsOf makes the predicates of a host ready.
func builtinsOf(with []Option) (datalog.Builtins, error) {
	var o options
	for _, option := range with {
		if option != nil {
			option(&o)
		}
	}
	if len(o.builtins) == 0 {
		return nil, nil
	}
	out := datalog.Builtins{}
	for _, b := range o.builtins {
		p := b.Predicate()
		err := b.check()
		if err == nil && out[p.Indicator()] != nil {
			err = errors.New("it is given twice; choose another name for one")
		}
		if err != nil {
			return nil, &BuiltinError{Predicate: p.Indicator(), Err: err}
		}
		out[p.Indicator()] = &datalog.Builtin{Name: b.Name, In: slices.Clone(b.In), Out: slices.Clone(b.Out), Doc: b.Doc,
			Deterministic: b.Deterministic, Relation: b.Relation, Answers: answersOf(b.Call)}
	}
	return out, nil
}

// answersOf asks the function of a host in terms.
func answersOf(call func(context.Context, []any) iter.Seq2[[]any, error]) func(context.Context, []*rules.Term, func([]*rules.Term) bool) error {
	return func(ctx context.Context, in []*rules.Term, visit func([]*rules.Term) bool) error {
		values := make([]any, len(in))
		for i, t := range in {
			if t == nil { // an argument of a relation that has no value
				continue
			}
			v, err := value(t)
			if err != nil {
				return fmt.Errorf("argument %d: %w", i+1, err)
			}
			values[i] = v
		}
		seq := call(ctx, values)
		if seq == nil {
			return nil
		}
		for answer, err := range seq {
			if err != nil {
				return err
			}
			out := make([]*rules.Term, len(answer))
			for i, v := range answer {
				if out[i], err = term(reflect.ValueOf(v)); err != nil {
					return fmt.Errorf("argument %d: %w", len(in)+i+1, err)
				}
			}
			if !visit(out) {
				return nil
			}
		}
		return nil
	}
}

// vocabulary lists the predicates that rules and goals are written in.
func (r *Reasoner) vocabulary() []rules.Predicate {
	out := fact.Vocabulary()
	for _, i := range sortedBuiltins(r.builtins) {
		b := r.builtins[i]
		out = append(out, rules.Predicate{Name: b.Name, Args: slices.Concat(b.In, b.Out), Doc: b.Doc, InGo: true, Inputs: len(b.In)})
	}
	return out
}

func sortedBuiltins(b datalog.Builtins) []rules.Indicator {
	return slices.SortedFunc(maps.Keys(b), func(i, j rules.Indicator) int { return strings.Compare(i.String(), j.String()) })
}

// describe tells of the predicates of a host what a snapshot of a monitor depends on.
func describe(b datalog.Builtins) []byte {
	var out []byte
	for _, i := range sortedBuiltins(b) {
		out = fmt.Appendf(out, "%s, %d in\n", i, len(b[i].In))
	}
	return out
}
