package prolog

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	iso "github.com/ichiban/prolog/engine"

	"github.com/mishap-robotics/mishap/rules"
)

// mostText is how large a file may be, in bytes.
const mostText = 16 << 20

// FileError is what is wrong at a line of a file.
type FileError struct {
	File string
	Line int
	Err  error
}

func (e *FileError) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }
func (e *FileError) Unwrap() error { return e.Err }

// directive is a goal of a file.
type directive struct {
	goal iso.Term
	file string
	line int
}

// errFalse is a goal that does not hold where one should.
var errFalse = errors.New("the goal is false")

// IsFalse reports whether an error says no more than that goals of files are false.
func IsFalse(err error) bool {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return !slices.ContainsFunc(joined.Unwrap(), func(err error) bool { return !IsFalse(err) })
	}
	return errors.Is(err, errFalse)
}

// Consult reads one of Files: its clauses take the place of what was defined of these
// predicates, its directives are carried out as they come, the goals of initialization/1 at
// the end. The error has all that is wrong, each a *FileError or a *SyntaxError, and is
// nil once halt/0 was called.
func (i *Interpreter) Consult(ctx context.Context, file string) error {
	if !slices.Contains(i.Files, file) {
		return fmt.Errorf("consult %s: the file was not named to mishap; expected one of %s", file, named(i.Files))
	}
	if slices.Contains(i.loading, file) {
		return fmt.Errorf("consult %s: the file is being read already", file)
	}
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is no file; expected one with Prolog text", file)
	case info.Size() > mostText:
		return fmt.Errorf("%s has %d bytes; expected at most %d", file, info.Size(), mostText)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return i.load(ctx, file, string(data))
}

func named(files []string) string {
	if len(files) == 0 {
		return "none, as none was named"
	}
	return strings.Join(files, ", ")
}

// consultTerm reads the file that a term names, as it was named or without .pl.
func (i *Interpreter) consultTerm(ctx context.Context, t iso.Term, env *iso.Env) error {
	name, ok := env.Resolve(t).(iso.Atom)
	if !ok {
		return iso.TypeError(iso.NewAtom("atom"), t, env)
	}
	file := name.String()
	if !slices.Contains(i.Files, file) && slices.Contains(i.Files, file+".pl") {
		file += ".pl"
	}
	return i.Consult(ctx, file)
}

// loader reads one file.
type loader struct {
	*Interpreter
	file     string
	last     rules.Indicator // of the clause before
	met      map[rules.Indicator]bool
	apart    map[rules.Indicator]bool // discontiguous/1 says that its clauses are
	dynamics map[rules.Indicator]bool
	goals    []directive
	errs     []error
}

// mostErrors are told of one file.
const mostErrors = 20

func (i *Interpreter) load(ctx context.Context, file, text string) error {
	l := &loader{Interpreter: i, file: file, met: map[rules.Indicator]bool{}, apart: map[rules.Indicator]bool{}, dynamics: map[rules.Indicator]bool{}}
	i.loading = append(i.loading, file)
	defer func() { i.loading = i.loading[:len(i.loading)-1] }()
	line := 1
	if strings.HasPrefix(text, "#!") {
		text = "%" + text // a line for the shell
	}
	for len(l.errs) < mostErrors && i.halted == nil {
		begin, end, ok := clauseEnd(text)
		if !ok && begin < 0 {
			break
		}
		line += strings.Count(text[:begin], "\n")
		l.take(ctx, text[begin:end], line)
		line += strings.Count(text[begin:end], "\n")
		text = text[end:]
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
	}
	for of := range l.met {
		i.static[of] = !l.dynamics[of]
	}
	for _, d := range l.goals {
		if i.halted == nil {
			l.carryOut(ctx, d)
		}
	}
	return errors.Join(l.errs...)
}

// take takes in a clause or carries out a directive.
func (l *loader) take(ctx context.Context, text string, line int) {
	t, _, err := l.term(l.file, text, line)
	if err != nil {
		l.errs = append(l.errs, err)
		return
	}
	if d, ok := functor(t, nil, ":-", 1); ok {
		err = l.directive(ctx, d.Arg(0), line)
	} else {
		err = l.define(t, line)
	}
	if err != nil {
		l.errs = append(l.errs, &FileError{l.file, line, err})
	}
}

// define adds a clause, of a grammar too.
func (l *loader) define(t iso.Term, line int) error {
	var expanded iso.Term
	v := iso.NewVariable()
	_, err := iso.ExpandTerm(l.vm, t, v, func(env *iso.Env) *iso.Promise {
		expanded = env.Resolve(v)
		return iso.Bool(true)
	}, nil).Force(context.Background())
	if err != nil {
		return err
	}
	of, ok := headOf(expanded, nil)
	if !ok {
		return fmt.Errorf("found %s; expected a clause, whose head is a name or a structure", l.text(t))
	}
	if err := l.begin(of); err != nil {
		return err
	}
	if l.last != of && l.last != (rules.Indicator{}) && l.clauses(of) && !l.apart[of] {
		l.warn(line, fmt.Sprintf("the clauses of %s do not stand together; say so by :- discontiguous(%s), or look for a slip in its name", of, l.text(pair(of))))
		l.apart[of] = true
	}
	l.last = of
	_, err = iso.Assertz(l.vm, expanded, iso.Success, nil).Force(context.Background())
	return l.thrown(err)
}

// clauses reports whether a predicate has clauses.
func (l *loader) clauses(of rules.Indicator) bool {
	head := iso.NewAtom(of.Name)
	var t iso.Term = head
	if of.Arity > 0 {
		args := make([]iso.Term, of.Arity)
		for n := range args {
			args[n] = iso.NewVariable()
		}
		t = head.Apply(args...)
	}
	found, _ := iso.Clause(l.vm, t, iso.NewVariable(), iso.Success, nil).Force(context.Background())
	return found
}

func (l *loader) thrown(err error) error {
	var e iso.Exception
	if errors.As(err, &e) {
		return &Exception{Text: l.explain(e.Term()), term: e.Term()}
	}
	return err
}

func (l *loader) warn(line int, text string) {
	if l.Warnings != nil {
		fmt.Fprintf(l.Warnings, "%s:%d: warning: %s\n", l.file, line, text)
	}
}

// begin makes ready for the clauses of a predicate: those from before are gone.
func (l *loader) begin(of rules.Indicator) error {
	if l.met[of] {
		return nil
	}
	if kind, known := l.known[of]; known && kind != ofLibrary {
		return fmt.Errorf("%s may not be defined; %s", of, l.whyStatic(of))
	}
	l.met[of] = true
	l.of[of] = l.file
	delete(l.static, of)
	return l.empty(of)
}

// whyStatic is why clauses of a predicate may not be changed.
func (i *Interpreter) whyStatic(of rules.Indicator) string {
	kind, known := i.known[of]
	switch {
	case known && kind == ofEpisode:
		return "facts and rules have it; choose another name"
	case known && kind == ofSystem:
		return "Prolog has it; choose another name"
	}
	return fmt.Sprintf("it is static; a file has to say :- dynamic(%s)", i.text(pair(of)))
}

// empty lets a predicate have no clauses.
func (i *Interpreter) empty(of rules.Indicator) error {
	return i.vm.Compile(context.Background(), fmt.Sprintf(":- dynamic(%s).", i.text(pair(of))))
}

// directive carries out a directive.
func (l *loader) directive(ctx context.Context, d iso.Term, line int) error {
	of, _ := indicator(d, nil)
	if of.Arity > 0 {
		c := d.(iso.Compound)
		switch of {
		case rules.Indicator{Name: "dynamic", Arity: 1}, rules.Indicator{Name: "discontiguous", Arity: 1}, rules.Indicator{Name: "multifile", Arity: 1}:
			return l.declare(of.Name, c.Arg(0))
		case rules.Indicator{Name: "initialization", Arity: 1}, rules.Indicator{Name: "initialization", Arity: 2}:
			l.goals = append(l.goals, directive{c.Arg(0), l.file, line})
			return nil
		case rules.Indicator{Name: "include", Arity: 1}, rules.Indicator{Name: "ensure_loaded", Arity: 1}:
			return l.consultTerm(ctx, c.Arg(0), nil)
		}
	}
	l.carryOut(ctx, directive{d, l.file, line})
	return nil
}

// declare takes in what a file says of predicates.
func (l *loader) declare(what string, of iso.Term) error {
	for _, t := range items(of, nil) {
		i, ok := indicated(t, nil)
		if !ok || i.Arity < 0 {
			return fmt.Errorf("found %s; expected a predicate, as %s(mug/2)", l.text(t), what)
		}
		switch what {
		case "dynamic":
			if err := l.begin(i); err != nil {
				return err
			}
			l.dynamics[i] = true
		case "discontiguous":
			l.apart[i] = true
		case "multifile":
			l.apart[i] = true
			if l.of[i] != "" { // its clauses stay
				l.met[i] = true
			}
		}
	}
	return nil
}

// carryOut runs a goal of a file, once.
func (l *loader) carryOut(ctx context.Context, d directive) {
	held := false
	err := l.run(ctx, d.goal, func(*iso.Env) bool { held = true; return false })
	switch {
	case l.halted != nil:
	case err != nil:
		l.errs = append(l.errs, &FileError{d.file, d.line, err})
	case !held:
		l.errs = append(l.errs, &FileError{d.file, d.line, fmt.Errorf("%w: %s", errFalse, l.text(d.goal))})
	}
}
