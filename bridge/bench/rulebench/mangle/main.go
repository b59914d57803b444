// Command mangle evaluates rules with Mangle as mishap's benchmark asks for it:
// rules in Mangle's syntax, then facts, a line of JSON to a step, are taken in, every
// rule is asked about each new step, and in the end about all steps at once. It
// prints what was done, the nanoseconds of both, and the answers, a line to a step.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/google/mangle/analysis"
	"github.com/google/mangle/ast"
	"github.com/google/mangle/engine"
	"github.com/google/mangle/factstore"
	"github.com/google/mangle/parse"
)

func main() {
	if len(os.Args) != 3 {
		log.Fatalf("%d arguments; expected a file of rules and one of facts", len(os.Args)-1)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

type program struct {
	info    *analysis.ProgramInfo
	strata  []analysis.Nodeset
	stratum map[ast.PredicateSym]int
	found   []ast.PredicateSym
}

func load(file string) (*program, error) {
	text, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer text.Close()
	unit, err := parse.Unit(text)
	if err != nil {
		return nil, err
	}
	info, err := analysis.AnalyzeOneUnit(unit, nil)
	if err != nil {
		return nil, err
	}
	p := &program{info: info}
	p.strata, p.stratum, err = analysis.Stratify(analysis.Program{EdbPredicates: info.EdbPredicates, IdbPredicates: info.IdbPredicates, Rules: info.Rules})
	if err != nil {
		return nil, err
	}
	for sym := range info.IdbPredicates {
		if strings.HasPrefix(sym.Symbol, "found") {
			p.found = append(p.found, sym)
		}
	}
	return p, nil
}

func now(step int64) ast.Atom { return ast.NewAtom("now", ast.Number(step)) }

// ask evaluates the rules for the steps that now tells, and lists the answers.
func (p *program) ask(base factstore.FactStore, steps ...ast.Atom) ([]ast.Atom, error) {
	store := factstore.NewTeeingStore(base)
	for _, s := range steps {
		store.Add(s)
	}
	if _, err := engine.EvalStratifiedProgramWithStats(p.info, p.strata, p.stratum, store); err != nil {
		return nil, err
	}
	var out []ast.Atom
	for _, sym := range p.found {
		err := store.GetFacts(ast.NewQuery(sym), func(a ast.Atom) error { out = append(out, a); return nil })
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func run(rules, facts string) error {
	p, err := load(rules)
	if err != nil {
		return err
	}
	in, err := os.Open(facts)
	if err != nil {
		return err
	}
	defer in.Close()
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	store := factstore.NewMultiIndexedArrayInMemoryStore()
	var all time.Duration
	var steps []ast.Atom
	for d := json.NewDecoder(bufio.NewReader(in)); d.More(); {
		lines, err := readAhead(d)
		if err != nil {
			return err
		}
		for _, line := range lines {
			steps = append(steps, now(line.step))
			began := time.Now()
			for _, a := range line.atoms {
				store.Add(a)
			}
			added := time.Since(began)
			all += added
			began = time.Now()
			found, err := p.ask(store, steps[len(steps)-1])
			if err != nil {
				return err
			}
			print(out, "step", line.step, added, time.Since(began), found)
		}
	}
	began := time.Now()
	found, err := p.ask(store, steps...)
	if err != nil {
		return err
	}
	print(out, "whole", 0, all, time.Since(began), found)
	return nil
}

// ahead is how many steps are read at a time. Reading is not measured, and what it
// leaves to be collected is collected before measuring goes on.
const ahead = 1000

type line struct {
	step  int64
	atoms []ast.Atom
}

func readAhead(d *json.Decoder) ([]line, error) {
	var out []line
	for len(out) < ahead && d.More() {
		var read struct {
			Step  int64
			Facts [][]any
		}
		if err := d.Decode(&read); err != nil {
			return nil, err
		}
		l := line{step: read.Step}
		for _, f := range read.Facts {
			l.atoms = append(l.atoms, atom(f))
		}
		out = append(out, l)
	}
	runtime.GC()
	return out, nil
}

func atom(f []any) ast.Atom {
	args := make([]ast.BaseTerm, len(f)-1)
	for i, a := range f[1:] {
		switch a := a.(type) {
		case float64:
			args[i] = ast.Number(int64(a))
		default:
			args[i] = ast.String(fmt.Sprint(a))
		}
	}
	return ast.NewAtom(f[0].(string), args...)
}

func print(out *bufio.Writer, what string, step int64, add, eval time.Duration, found []ast.Atom) {
	fmt.Fprintf(out, "%s\t%d\t%d\t%d\t", what, step, add.Nanoseconds(), eval.Nanoseconds())
	for _, a := range found {
		var words []string
		for _, t := range a.Args {
			c := t.(ast.Constant)
			if c.Type == ast.NumberType {
				words = append(words, fmt.Sprint(c.NumValue))
			} else {
				words = append(words, c.Symbol)
			}
		}
		fmt.Fprint(out, strings.Join(words, " "), ";")
	}
	fmt.Fprintln(out)
}
