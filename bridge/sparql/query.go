// Package sparql answers SPARQL 1.1 queries (SELECT, ASK, CONSTRUCT, DESCRIBE) over quads by
// goRDFlib, within limits of time and size. Nothing is written or fetched: updates and SERVICE
// are refused, and so is FROM, of which goRDFlib takes no notice.
package sparql

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/tggo/goRDFlib/graph"
	"github.com/tggo/goRDFlib/sparql"
	"github.com/tggo/goRDFlib/store"
	"github.com/tggo/goRDFlib/term"

	"github.com/mishap-robotics/mishap/bridge/internal/process"
	"github.com/mishap-robotics/mishap/ontology"
)

// ErrLimit is a query that reached a limit; it has no answer then.
var ErrLimit = errors.New("the query reached its limit")

// Limits bound a query; a zero field is the default.
type Limits struct {
	Time  time.Duration // DefaultTime
	Looks int           // triples that are looked at: DefaultLooks
	Rows  int           // answers or triples: DefaultRows
	// Memory that the process may take besides, in bytes: DefaultMemory. It is looked at every
	// few milliseconds, and what a query found meanwhile comes on top.
	Memory int64
}

// The defaults.
const (
	DefaultTime   = 10 * time.Second
	DefaultLooks  = 20_000_000
	DefaultRows   = 100_000
	DefaultMemory = 512 << 20
)

// watchEvery is how often the memory of a query is looked at.
const watchEvery = 10 * time.Millisecond

// Answer is what a query found: rows of a SELECT, the verdict of an ASK, triples otherwise.
type Answer struct {
	Kind      string // SELECT, ASK, CONSTRUCT or DESCRIBE
	Variables []string
	Rows      [][]term.Term // nil where a variable has no value
	Verdict   bool
	Triples   []term.Triple
}

// SyntaxError is a query that cannot be read, or asks for what is not allowed.
type SyntaxError struct{ Found, Expected string }

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("query: found %s; expected %s", e.Found, e.Expected)
}

// notCode is what is no keyword of a query: comments, IRIs and texts.
var notCode = regexp.MustCompile(`"""(?s:.*?)"""|'''(?s:.*?)'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|<[^<>"{}|^\x60\s]*>|#[^\n]*`)

var (
	declared = regexp.MustCompile(`(?i)(?:^|\s)PREFIX\s+([\w.-]*):`)
	prefixed = regexp.MustCompile(`(?:^|[\s{}()\[\];,.|/^!*+=<>&-])([A-Za-z][\w.-]*|):`)
	refused  = regexp.MustCompile(`(?i)(^|[\s{};.])(SERVICE|FROM|LOAD|INSERT|DELETE|CLEAR|DROP|CREATE|ADD|MOVE|COPY|WITH)([\s<{]|$)`)
	describe = regexp.MustCompile(`(?i)(^|\s)DESCRIBE\s+`)
)

// masked is a query with blanks for what is no code, of the same length.
func masked(query string) string {
	return notCode.ReplaceAllStringFunc(query, func(s string) string { return strings.Repeat(" ", len(s)) })
}

// undeclared is a prefix that the query does not declare, which goRDFlib takes for anything.
func undeclared(code string) error {
	var known []string
	for _, m := range declared.FindAllStringSubmatch(code, -1) {
		known = append(known, m[1])
	}
	for _, m := range prefixed.FindAllStringSubmatch(declared.ReplaceAllString(code, " "), -1) {
		if !slices.Contains(known, m[1]) {
			return &SyntaxError{fmt.Sprintf("the prefix %q, which is not declared", m[1]+":"), fmt.Sprintf("for example \"PREFIX %s: <%s>\" before it", m[1], ontology.Namespace)}
		}
	}
	return nil
}

// Check reads a query without answering it, so that a slip is told before anything is
// loaded. The error is a *SyntaxError. What a DESCRIBE asks for is read when it is answered.
func Check(query string) error {
	code, err := allowed(query)
	if err != nil || describe.MatchString(code) {
		return err
	}
	_, err = parse(query)
	return err
}

// allowed is the code of a query that neither writes nor fetches.
func allowed(query string) (code string, err error) {
	code = masked(query)
	if m := refused.FindStringSubmatch(code); m != nil {
		return "", &SyntaxError{strings.ToUpper(m[2]), "a query over what was named: nothing is written, and nothing fetched from elsewhere"}
	}
	return code, undeclared(code)
}

func parse(query string) (q *sparql.ParsedQuery, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = brokenOff(p)
		}
	}()
	if q, err = sparql.Parse(query); err != nil {
		return nil, &SyntaxError{strings.TrimPrefix(err.Error(), "sparql parse error: "), "SELECT, ASK, CONSTRUCT or DESCRIBE of SPARQL 1.1"}
	}
	return q, nil
}

func brokenOff(panicked any) error {
	return &SyntaxError{fmt.Sprintf("a query that goRDFlib breaks off at (%v)", panicked), "a simpler one"}
}

// Query answers a query. The error is a *SyntaxError, or ErrLimit.
func (g *Graph) Query(ctx context.Context, query string, limits Limits) (*Answer, error) {
	code, err := allowed(query)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, cmp.Or(limits.Time, DefaultTime), fmt.Errorf("it took longer than %s", cmp.Or(limits.Time, DefaultTime)))
	defer cancel()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	type outcome struct {
		answer *Answer
		err    error
	}
	done := make(chan outcome, 1)
	before := process.Used()
	go func() {
		defer func() {
			if p := recover(); p != nil {
				over, ok := p.(spent)
				if !ok {
					over.err = brokenOff(p)
				}
				done <- outcome{err: over.err}
			}
		}()
		e := &evaluation{g, &budget{ctx: ctx, most: cmp.Or(limits.Looks, DefaultLooks)}, cmp.Or(limits.Rows, DefaultRows)}
		a, err := e.answer(query, code)
		done <- outcome{a, err}
	}()
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case o := <-done:
			return o.answer, o.err
		case <-ctx.Done(): // joins of what was found already look at no triple
			return nil, fmt.Errorf("%w: %w", ErrLimit, context.Cause(ctx))
		case <-tick.C:
			if most := cmp.Or(limits.Memory, DefaultMemory); process.Used()-before > most {
				stop(fmt.Errorf("it took more than %d MB; ask for less at once, or add LIMIT within", most>>20))
			}
		}
	}
}

type evaluation struct {
	*Graph
	*budget
	rows int
}

func (e *evaluation) answer(query, code string) (*Answer, error) {
	if at := describe.FindStringIndex(code); at != nil {
		return e.describe(query, code, at[1])
	}
	res, err := e.run(query)
	if err != nil {
		return nil, err
	}
	out := &Answer{Kind: res.Type, Variables: res.Vars, Verdict: res.AskResult}
	for _, b := range res.Bindings {
		row := make([]term.Term, len(res.Vars))
		for i, v := range res.Vars {
			row[i] = b[v]
		}
		out.Rows = append(out.Rows, row)
	}
	if res.Graph != nil {
		for t := range res.Graph.Triples(nil, nil, nil) {
			out.Triples = append(out.Triples, t)
		}
		sortTriples(out.Triples)
	}
	if max(len(out.Rows), len(out.Triples)) > e.rows {
		return nil, fmt.Errorf("%w: more than %d answers; add LIMIT", ErrLimit, e.rows)
	}
	return out, nil
}

func (e *evaluation) run(query string) (*sparql.Result, error) {
	q, err := parse(query)
	if err != nil {
		return nil, err
	}
	q.NamedGraphs = map[string]*graph.Graph{}
	for name, x := range e.named {
		q.NamedGraphs[name] = e.over(x, name)
	}
	return sparql.EvalQuery(e.over(e.all, ""), q, nil)
}

func (e *evaluation) over(x *index, name string) *graph.Graph {
	return graph.NewGraphFromStore(&guard{store.NewMemoryStore(), x, e.budget}, term.NewURIRefUnsafe(name))
}

func sortTriples(ts []term.Triple) {
	slices.SortFunc(ts, func(a, b term.Triple) int {
		x, y := keys(a), keys(b)
		return slices.Compare(x[:], y[:])
	})
}

// describe says all that is said of resources, which goRDFlib does not have: those that are
// named, or that the variables of the pattern are.
func (e *evaluation) describe(query, code string, from int) (*Answer, error) {
	end := len(query)
	if m := regexp.MustCompile(`(?i)\bWHERE\b|\{`).FindStringIndex(code[from:]); m != nil {
		end = from + m[0]
	}
	head := describe.ReplaceAllString(query[:from], " ")
	body := query[end:]
	if body == "" {
		body = "WHERE {}"
	}
	seen := map[string]bool{}
	out := &Answer{Kind: "DESCRIBE"}
	for _, what := range strings.Fields(query[from:end]) {
		ask := head + " SELECT " + what + " " + body
		if what != "*" && !strings.HasPrefix(what, "?") && !strings.HasPrefix(what, "$") {
			ask = head + " SELECT (" + what + " AS ?described) WHERE {}"
		}
		res, err := e.run(ask)
		if err != nil {
			return nil, err
		}
		for _, b := range res.Bindings {
			for _, x := range b {
				if k := term.TermKey(x); !seen[k] {
					seen[k] = true
					e.all.each([3]string{k, "", ""}, func(t term.Triple) bool {
						e.spend()
						out.Triples = append(out.Triples, t)
						return true
					})
				}
			}
		}
	}
	sortTriples(out.Triples)
	if len(out.Triples) > e.rows {
		return nil, fmt.Errorf("%w: more than %d triples", ErrLimit, e.rows)
	}
	return out, nil
}
