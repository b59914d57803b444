package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/mishap-robotics/mishap/rules"
)

// Rows are the answers of a query, read as those of database/sql are: Next,
// then Scan, until Next is false; then Err. They must be closed where neither all
// are read nor the context ends, and the facts must not change before.
type Rows struct {
	columns []string
	values  []*rules.Term
	err     error

	mu   sync.Mutex // of next and stop: the end of the context may close the rows
	next func() ([]*rules.Term, bool)
	stop func()
	free func() bool // lets go of the context
}

// Rows asks a goal over the facts of an episode, such as
// "failed(S), target(S, O)". The columns are the variables that an answer gives values
// to, in order of their first occurrence; those that begin with _ are left out.
func (r *Reasoner) Rows(ctx context.Context, x *Facts, goal string) (*Rows, error) {
	goals, err := r.goals(x, goal)
	if err != nil {
		return nil, err
	}
	return r.rows(ctx, x, goals), nil
}

func (r *Reasoner) rows(ctx context.Context, x *Facts, goals []*rules.Term) *Rows {
	ctx = orBackground(ctx)
	rows := &Rows{}
	var shown []int
	for i, name := range rules.AnswerVariables(goals) {
		if !strings.HasPrefix(name, "_") {
			rows.columns = append(rows.columns, name)
			shown = append(shown, i)
		}
	}
	rows.next, rows.stop = iter.Pull(func(yield func([]*rules.Term) bool) {
		rows.err = r.ask(ctx, x, goals, func(_ []string, values []*rules.Term) bool {
			row := make([]*rules.Term, len(shown))
			for i, n := range shown {
				row[i] = values[n]
			}
			return yield(row)
		})
	})
	rows.free = context.AfterFunc(ctx, func() {
		rows.mu.Lock()
		defer rows.mu.Unlock()
		rows.stop()
		if rows.err == nil {
			rows.err = context.Cause(ctx)
		}
	})
	return rows
}

// Answers iterates over the answers of a goal, each a map from the columns that Rows
// would have to an int64, a string, a list or nil for no value. An error ends them.
func (r *Reasoner) Answers(ctx context.Context, x *Facts, goal string) iter.Seq2[map[string]any, error] {
	return func(yield func(map[string]any, error) bool) {
		rows, err := r.Rows(ctx, x, goal)
		if err != nil {
			yield(nil, err)
			return
		}
		defer rows.Close()
		for rows.Next() {
			answer := map[string]any{}
			for i, name := range rows.columns {
				answer[name], _ = value(rows.values[i])
			}
			if !yield(answer, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(nil, err)
		}
	}
}

// Columns are the names of the variables.
func (r *Rows) Columns() []string {
	if r == nil {
		return nil
	}
	return slices.Clone(r.columns)
}

// Next goes on to the next answer, and reports whether there is one.
func (r *Rows) Next() bool {
	if r == nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.next == nil {
		return false
	}
	values, ok := r.next()
	r.values = values
	if !ok {
		r.free()
	}
	return ok
}

// Scan copies the values of the answer, in the order of Columns, to what dest
// points at: integers to integer types of any size, names to *string, lists to
// *[]string, or to types that are made of these; anything to **rules.Term, *any (an
// int64, a string or a list) or a sql.Scanner. A nil dest passes over a value. It is an
// error if a value is of another kind, does not fit or has no value.
func (r *Rows) Scan(dest ...any) error {
	if r == nil || r.values == nil {
		return errors.New("Scan called without Next")
	}
	if len(dest) != len(r.values) {
		return fmt.Errorf("%d destinations for %d columns (%s)", len(dest), len(r.values), strings.Join(r.columns, ", "))
	}
	for i, d := range dest {
		if err := scan(r.values[i], d); err != nil {
			return fmt.Errorf("column %s: %w", r.columns[i], err)
		}
	}
	return nil
}

// Err is what ended the answers early: the context's error, or that of a goal
// that went wrong.
func (r *Rows) Err() error {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Close ends the query. It may be called more than once.
func (r *Rows) Close() error {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stop != nil {
		r.free()
		r.stop()
	}
	return nil
}

func scan(t *rules.Term, dest any) error {
	switch d := dest.(type) {
	case nil:
		return nil
	case **rules.Term:
		*d = t
		return nil
	case *any:
		v, err := value(t)
		*d = v
		return err
	case sql.Scanner:
		v, err := value(t)
		if err != nil {
			return err
		}
		return d.Scan(v)
	}
	v := reflect.ValueOf(dest)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return fmt.Errorf("cannot scan into %T; expected a pointer, for example *int or *string", dest)
	}
	return scanKind(t, v.Elem())
}

// scanKind copies a value to a variable of a basic type, or of one made of it.
func scanKind(t *rules.Term, to reflect.Value) error {
	switch {
	case to.CanInt() || to.CanUint():
		return scanInteger(t, to)
	case to.Kind() == reflect.String:
		if t.Kind != rules.Atom {
			return fmt.Errorf("%s is no name; scan it into another type", t)
		}
		to.SetString(t.Name)
		return nil
	case to.Kind() == reflect.Slice && to.Type().Elem().Kind() == reflect.String:
		items, ok := t.List()
		if !ok {
			return fmt.Errorf("%s is no list", t)
		}
		list := reflect.MakeSlice(to.Type(), len(items), len(items))
		for i, item := range items {
			if item.Kind != rules.Atom {
				return fmt.Errorf("%s in the list is no name", item)
			}
			list.Index(i).SetString(item.Name)
		}
		to.Set(list)
		return nil
	}
	return fmt.Errorf("cannot scan into *%s; expected for example *int or *string", to.Type())
}

func scanInteger(t *rules.Term, to reflect.Value) error {
	switch {
	case t.Kind != rules.Integer:
		return fmt.Errorf("%s is no number; scan it into a *string", t)
	case to.CanInt() && to.OverflowInt(t.Int), to.CanUint() && (t.Int < 0 || to.OverflowUint(uint64(t.Int))):
		return fmt.Errorf("%d does not fit into %s", t.Int, to.Type())
	case to.CanInt():
		to.SetInt(t.Int)
	default:
		to.SetUint(uint64(t.Int))
	}
	return nil
}

// value is a term as a Go value.
func value(t *rules.Term) (any, error) {
	switch t.Kind {
	case rules.Integer:
		return t.Int, nil
	case rules.Variable:
		return nil, errors.New("it has no value")
	}
	if items, ok := t.List(); ok {
		out := []any{}
		for _, i := range items {
			v, err := value(i)
			if err != nil {
				return nil, err
			}
			out = append(out, v)
		}
		return out, nil
	}
	if t.Kind == rules.Atom {
		return t.Name, nil
	}
	return t.String(), nil
}
