package prolog

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	iso "github.com/ichiban/prolog/engine"

	"github.com/mishap-robotics/mishap/rules"
)

// denied are the predicates that reach streams, files or the process. What they would do is
// refused with a permission error.
var denied = []rules.Indicator{
	{Name: "open", Arity: 3}, {Name: "open", Arity: 4}, {Name: "close", Arity: 1}, {Name: "close", Arity: 2},
	{Name: "current_input", Arity: 1}, {Name: "set_input", Arity: 1}, {Name: "set_output", Arity: 1},
	{Name: "stream_property", Arity: 2}, {Name: "set_stream_position", Arity: 2}, {Name: "at_end_of_stream"}, {Name: "at_end_of_stream", Arity: 1},
	{Name: "get_char", Arity: 1}, {Name: "get_char", Arity: 2}, {Name: "peek_char", Arity: 1}, {Name: "peek_char", Arity: 2},
	{Name: "get_code", Arity: 1}, {Name: "get_code", Arity: 2}, {Name: "peek_code", Arity: 1}, {Name: "peek_code", Arity: 2},
	{Name: "get_byte", Arity: 1}, {Name: "get_byte", Arity: 2}, {Name: "peek_byte", Arity: 1}, {Name: "peek_byte", Arity: 2},
	{Name: "put_byte", Arity: 1}, {Name: "put_byte", Arity: 2},
	{Name: "read_term", Arity: 2}, {Name: "read_term", Arity: 3}, {Name: "read", Arity: 1}, {Name: "read", Arity: 2},
}

// allowed are the predicates of the interpreter that may be called as they are: they work on
// terms, on the clauses of the session and on its output.
var allowed = []rules.Indicator{
	{Name: "!"}, {Name: ",", Arity: 2}, {Name: ";", Arity: 2}, {Name: "->", Arity: 2}, {Name: "true"}, {Name: "fail"}, {Name: "false"},
	{Name: "call", Arity: 1}, {Name: "call", Arity: 2}, {Name: "call", Arity: 3}, {Name: "call", Arity: 4}, {Name: "call", Arity: 5},
	{Name: "call", Arity: 6}, {Name: "call", Arity: 7}, {Name: "call", Arity: 8}, {Name: "call_nth", Arity: 2}, {Name: "once", Arity: 1},
	{Name: `\+`, Arity: 1}, {Name: "repeat"}, {Name: "catch", Arity: 3}, {Name: "throw", Arity: 1},
	{Name: "unify_with_occurs_check", Arity: 2}, {Name: `\=`, Arity: 2}, {Name: "subsumes_term", Arity: 2},
	{Name: "var", Arity: 1}, {Name: "nonvar", Arity: 1}, {Name: "atom", Arity: 1}, {Name: "integer", Arity: 1}, {Name: "float", Arity: 1},
	{Name: "number", Arity: 1}, {Name: "atomic", Arity: 1}, {Name: "compound", Arity: 1}, {Name: "callable", Arity: 1}, {Name: "ground", Arity: 1}, {Name: "acyclic_term", Arity: 1},
	{Name: "compare", Arity: 3}, {Name: "sort", Arity: 2}, {Name: "keysort", Arity: 2}, {Name: "==", Arity: 2}, {Name: `\==`, Arity: 2},
	{Name: "@<", Arity: 2}, {Name: "@=<", Arity: 2}, {Name: "@>", Arity: 2}, {Name: "@>=", Arity: 2},
	{Name: "functor", Arity: 3}, {Name: "arg", Arity: 3}, {Name: "=..", Arity: 2}, {Name: "copy_term", Arity: 2}, {Name: "term_variables", Arity: 2},
	{Name: "is", Arity: 2}, {Name: "=:=", Arity: 2}, {Name: `=\=`, Arity: 2}, {Name: "<", Arity: 2}, {Name: "=<", Arity: 2}, {Name: ">", Arity: 2}, {Name: ">=", Arity: 2},
	{Name: "clause", Arity: 2}, {Name: "current_predicate", Arity: 1}, {Name: "retract", Arity: 1}, {Name: "retractall", Arity: 1},
	{Name: "findall", Arity: 3}, {Name: "bagof", Arity: 3}, {Name: "setof", Arity: 3},
	{Name: "current_output", Arity: 1}, {Name: "flush_output"}, {Name: "flush_output", Arity: 1}, {Name: "put_char", Arity: 1}, {Name: "put_char", Arity: 2},
	{Name: "put_code", Arity: 1}, {Name: "put_code", Arity: 2}, {Name: "nl"}, {Name: "nl", Arity: 1},
	{Name: "write", Arity: 1}, {Name: "write", Arity: 2}, {Name: "writeq", Arity: 1}, {Name: "writeq", Arity: 2}, {Name: "write_canonical", Arity: 1},
	{Name: "write_canonical", Arity: 2}, {Name: "write_term", Arity: 2}, {Name: "write_term", Arity: 3},
	{Name: "op", Arity: 3}, {Name: "current_op", Arity: 3}, {Name: "char_conversion", Arity: 2}, {Name: "current_char_conversion", Arity: 2},
	{Name: "atom_length", Arity: 2}, {Name: "sub_atom", Arity: 5}, {Name: "atom_chars", Arity: 2}, {Name: "atom_codes", Arity: 2},
	{Name: "char_code", Arity: 2}, {Name: "number_chars", Arity: 2}, {Name: "number_codes", Arity: 2},
	{Name: "set_prolog_flag", Arity: 2}, {Name: "current_prolog_flag", Arity: 2},
	{Name: "phrase", Arity: 2}, {Name: "phrase", Arity: 3}, {Name: "expand_term", Arity: 2}, {Name: ".", Arity: 2},
}

// replaced are those of which there is another form here.
var replaced = []rules.Indicator{
	{Name: "=", Arity: 2}, {Name: "atom_concat", Arity: 3}, {Name: "halt"}, {Name: "halt", Arity: 1}, {Name: "consult", Arity: 1},
	{Name: "asserta", Arity: 1}, {Name: "assertz", Arity: 1}, {Name: "abolish", Arity: 1},
}

// prologue are those that a file may define for itself.
var prologue = []rules.Indicator{
	{Name: "append", Arity: 3}, {Name: "length", Arity: 2}, {Name: "between", Arity: 3}, {Name: "succ", Arity: 2}, {Name: "nth0", Arity: 3}, {Name: "nth1", Arity: 3},
	{Name: "member", Arity: 2}, {Name: "select", Arity: 3}, {Name: "maplist", Arity: 2}, {Name: "maplist", Arity: 3}, {Name: "maplist", Arity: 4},
	{Name: "maplist", Arity: 5}, {Name: "maplist", Arity: 6}, {Name: "maplist", Arity: 7}, {Name: "maplist", Arity: 8},
}

// reserved would have a meaning beyond that of their clauses, which nothing could stop.
var reserved = []rules.Indicator{{Name: "term_expansion", Arity: 2}}

// mostAtom is how long an atom may become, in bytes.
const mostAtom = 16 << 20

// noFiles is a file system of nothing: what the interpreter reads by itself, as for
// include/1, it does not find.
type noFiles struct{}

func (noFiles) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
}

// restrict takes from the interpreter what reaches beyond it.
func (i *Interpreter) restrict() {
	for _, list := range [][]rules.Indicator{allowed, denied, replaced, reserved} {
		for _, of := range list {
			i.known[of] = ofSystem
		}
	}
	for _, of := range prologue {
		i.known[of] = ofLibrary
	}
	for _, of := range denied {
		i.register(of, func(_ []iso.Term, _ iso.Cont, env *iso.Env) *iso.Promise {
			return iso.Error(iso.PermissionError(iso.NewAtom("access"), iso.NewAtom("private_procedure"), pair(of), env))
		})
	}
	i.vm.Register2(iso.NewAtom("="), unify)
	i.vm.Register2(iso.NewAtom(`\=`), differ)
	i.register(rules.Indicator{Name: "halt"}, func(_ []iso.Term, _ iso.Cont, env *iso.Env) *iso.Promise { return i.halt(0) })
	i.register(rules.Indicator{Name: "halt", Arity: 1}, func(args []iso.Term, _ iso.Cont, env *iso.Env) *iso.Promise {
		code, ok := env.Resolve(args[0]).(iso.Integer)
		if !ok {
			return iso.Error(iso.TypeError(iso.NewAtom("integer"), args[0], env))
		}
		return i.halt(int(code))
	})
	i.register(rules.Indicator{Name: "consult", Arity: 1}, func(args []iso.Term, k iso.Cont, env *iso.Env) *iso.Promise {
		return iso.Delay(func(ctx context.Context) *iso.Promise {
			for _, name := range items(args[0], env) {
				if err := i.consultTerm(ctx, name, env); err != nil {
					return iso.Error(exception(err, env))
				}
			}
			return k(env)
		})
	})
	i.register(rules.Indicator{Name: "atom_concat", Arity: 3}, func(args []iso.Term, k iso.Cont, env *iso.Env) *iso.Promise {
		a, _ := env.Resolve(args[0]).(iso.Atom)
		b, _ := env.Resolve(args[1]).(iso.Atom)
		if len(a.String())+len(b.String()) > mostAtom { // what doubles its length outgrows any watch
			return iso.Error(iso.ResourceError(iso.NewAtom("memory"), env))
		}
		return iso.AtomConcat(i.vm, args[0], args[1], args[2], k, env)
	})
	i.guard("asserta", iso.Asserta)
	i.guard("assertz", iso.Assertz)
	i.guard("abolish", iso.Abolish)
}

// halt ends the goal that runs, and what asked it with it; nothing catches that.
func (i *Interpreter) halt(code int) *iso.Promise {
	i.halted = &code
	i.stop(errHalted)
	return iso.Error(errHalted)
}

var errHalted = errors.New("halted")

// guard lets a predicate that changes clauses have those alone that are meant to be changed.
func (i *Interpreter) guard(name string, change iso.Predicate1) {
	i.vm.Register1(iso.NewAtom(name), func(vm *iso.VM, t iso.Term, k iso.Cont, env *iso.Env) *iso.Promise {
		of, ok := headOf(t, env)
		if name == "abolish" {
			of, ok = indicated(t, env)
		}
		if ok {
			if kind, known := i.known[of]; known && (kind != ofLibrary || !i.defines(of)) || i.static[of] {
				return iso.Error(iso.PermissionError(iso.NewAtom("modify"), iso.NewAtom("static_procedure"), pair(of), env))
			}
			if _, ok := i.of[of]; !ok && name != "abolish" {
				i.of[of] = ""
			}
		}
		return change(vm, t, k, env)
	})
}

// defines reports whether a file or a goal has defined a predicate.
func (i *Interpreter) defines(of rules.Indicator) bool {
	_, ok := i.of[of]
	return ok
}

// headOf is the predicate of a clause.
func headOf(clause iso.Term, env *iso.Env) (rules.Indicator, bool) {
	if c, ok := functor(clause, env, ":-", 2); ok {
		clause = c.Arg(0)
	}
	return indicator(clause, env)
}

// indicated is the predicate that a term such as mug/2 names.
func indicated(t iso.Term, env *iso.Env) (rules.Indicator, bool) {
	c, ok := functor(t, env, "/", 2)
	if !ok {
		return rules.Indicator{}, false
	}
	name, named := env.Resolve(c.Arg(0)).(iso.Atom)
	arity, whole := env.Resolve(c.Arg(1)).(iso.Integer)
	return rules.Indicator{Name: name.String(), Arity: int(arity)}, named && whole
}

//go:embed library.pl
var libraryText string

// relations are clauses for the relations of the ontology by their names, of the only episode
// and with the episode before the arguments: near(S, A, B) and near(E, S, A, B).
func (i *Interpreter) relations() string {
	var out strings.Builder
	variable := func(name string) *rules.Term { return &rules.Term{Kind: rules.Variable, Name: name} }
	for _, p := range i.Reasoner.RelationPredicates() {
		episode := variable("E")
		head := &rules.Term{Kind: rules.Compound, Name: p.Name, Args: []*rules.Term{variable("S"), variable("A"), variable("B")}}
		body := i.Reasoner.InFacts(head)
		ofEach := func(g *rules.Term) *rules.Term {
			to := *g
			to.Args = append([]*rules.Term{episode}, g.Args...)
			return &to
		}
		for _, clause := range [][2]*rules.Term{{head, body}, {ofEach(head), body.MapCalls(ofEach)}} {
			if _, taken := i.known[clause[0].Indicator()]; !taken {
				fmt.Fprintf(&out, "\n%s :- %s.\n", clause[0], clause[1])
			}
		}
	}
	return out.String()
}

// library defines what there is beside the standard.
func (i *Interpreter) library(ctx context.Context) error {
	before := len(i.of)
	if err := i.load(ctx, "library.pl", libraryText+i.relations()); err != nil {
		return fmt.Errorf("library: %w", err)
	}
	if len(i.of) == before {
		return errors.New("library: it defines nothing")
	}
	for of := range i.of {
		i.known[of] = ofLibrary
		delete(i.of, of)
		delete(i.static, of)
	}
	i.register(rules.Indicator{Name: "format", Arity: 1}, func(args []iso.Term, k iso.Cont, env *iso.Env) *iso.Promise {
		return i.format(args[0], emptyList, k, env)
	})
	i.register(rules.Indicator{Name: "format", Arity: 2}, func(args []iso.Term, k iso.Cont, env *iso.Env) *iso.Promise {
		return i.format(args[0], args[1], k, env)
	})
	for _, of := range []rules.Indicator{{Name: "format", Arity: 1}, {Name: "format", Arity: 2}} {
		i.known[of] = ofSystem
	}
	return nil
}
