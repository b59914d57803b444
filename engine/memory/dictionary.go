package memory

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"sync"

	"github.com/cayleygraph/quad"

	"github.com/mishap-robotics/mishap/engine/record"
)

// node is a resource or literal as the tables have it; none is absent, as the graph of a
// triple without one.
type node = int64

const (
	none  node = 0
	shift      = 28 // bits of a term in a node
	mask       = 1<<shift - 1
)

// maxTerms is how many terms a memory can have.
const maxTerms = mask

// errTooMany is a memory that cannot have more.
var errTooMany = fmt.Errorf("more than %d terms, or more episodes than can be numbered; begin another memory", maxTerms)

func nodeOf(episode, term int64) node { return episode<<shift | term }

// cached is how many terms are kept in memory, in each direction.
const cached = 1 << 17

// dictionary keeps terms that were looked up.
type dictionary struct {
	mu    sync.RWMutex
	ids   map[string]int64
	texts map[int64]string
}

func newDictionary() *dictionary {
	return &dictionary{ids: map[string]int64{}, texts: map[int64]string{}}
}

func (d *dictionary) forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ids, d.texts = map[string]int64{}, map[int64]string{}
}

func (d *dictionary) id(text string) (int64, bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	id, ok := d.ids[text]
	return id, ok
}

func (d *dictionary) text(id int64) (string, bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	text, ok := d.texts[id]
	return text, ok
}

func (d *dictionary) keep(id int64, text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.ids) >= cached {
		d.ids, d.texts = map[string]int64{}, map[int64]string{}
	}
	d.ids[text], d.texts[id] = id, text
}

// A term is kept as a text whose first character tells what it is.
const (
	partTerm    = '.' // of an episode: what follows its IRI
	iriTerm     = '<'
	blankTerm   = '_'
	stringTerm  = '"'
	typedTerm   = '^' // datatype, ", value
	languageTag = '@' // language, ", value
)

// textOf is the text of a term, and the episode that it is a part of, "" for none.
func textOf(v quad.Value) (text, episode string, err error) {
	switch v := v.(type) {
	case quad.IRI:
		if rest, ok := strings.CutPrefix(string(v), record.Base); ok {
			id, below, _ := strings.Cut(rest, "/")
			if id != "" {
				if len(id) < len(rest) {
					below = "/" + below
				}
				return string(partTerm) + below, id, nil
			}
		}
		return string(iriTerm) + string(v), "", nil
	case quad.BNode:
		return string(blankTerm) + string(v), "", nil
	case quad.String:
		return string(stringTerm) + string(v), "", nil
	case quad.TypedString:
		return string(typedTerm) + string(v.Type) + `"` + string(v.Value), "", nil
	case quad.LangString:
		return string(languageTag) + v.Lang + `"` + string(v.Value), "", nil
	case quad.TypedStringer:
		return textOf(v.TypedString())
	}
	return "", "", fmt.Errorf("%v (%T) is no term of a quad", v, v)
}

// valueOf undoes textOf; root is the IRI of the episode.
func valueOf(text, root string) (quad.Value, error) {
	if text == "" {
		return nil, ErrDamaged
	}
	rest := text[1:]
	switch text[0] {
	case partTerm:
		return quad.IRI(root + rest), nil
	case iriTerm:
		return quad.IRI(rest), nil
	case blankTerm:
		return quad.BNode(rest), nil
	case stringTerm:
		return quad.String(rest), nil
	}
	kind, value, ok := strings.Cut(rest, `"`)
	switch {
	case ok && text[0] == typedTerm:
		return quad.TypedString{Value: quad.String(value), Type: quad.IRI(kind)}, nil
	case ok && text[0] == languageTag:
		return quad.LangString{Value: quad.String(value), Lang: kind}, nil
	}
	return nil, ErrDamaged
}

func hashOf(text string) int64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return int64(h.Sum64())
}

// asker is what asks the tables: the database or a transaction.
type asker interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// lookup is the number of a term; ok is false where the memory has none.
func (m *folder) lookup(ctx context.Context, db asker, text string) (id int64, ok bool, err error) {
	if id, ok := m.terms.id(text); ok {
		return id, true, nil
	}
	err = db.QueryRowContext(ctx, `SELECT id FROM term WHERE hash = ? AND text = ?`, hashOf(text), text).Scan(&id)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return 0, false, nil
	case err != nil:
		return 0, false, m.explain(err)
	}
	m.terms.keep(id, text)
	return id, true, nil
}

// find is the node of a value; ok is false where the memory has none.
func (m *folder) find(ctx context.Context, v quad.Value) (n node, ok bool, err error) {
	text, episode, err := textOf(v)
	if err != nil {
		return none, false, err
	}
	number := int64(0)
	if episode != "" {
		if number, ok, err = m.number(ctx, m.db, episode); err != nil {
			return none, false, err
		}
		if !ok { // another's, that was never added
			text = string(iriTerm) + string(v.(quad.IRI))
		}
	}
	id, ok, err := m.lookup(ctx, m.db, text)
	return nodeOf(number, id), ok, err
}

// value is what a node is.
func (m *folder) value(ctx context.Context, db asker, n node) (quad.Value, error) {
	if n == none {
		return nil, nil
	}
	id := n & mask
	text, ok := m.terms.text(id)
	if !ok {
		if err := db.QueryRowContext(ctx, `SELECT text FROM term WHERE id = ?`, id).Scan(&text); err != nil {
			return nil, m.missingRow(err)
		}
		m.terms.keep(id, text)
	}
	root := ""
	if number := n >> shift; number != 0 {
		var err error
		if root, err = m.root(ctx, db, number); err != nil {
			return nil, err
		}
	}
	v, err := valueOf(text, root)
	return v, m.explain(err)
}

// learn looks up at once what the terms of rows are.
func (m *folder) learn(ctx context.Context, rows []row) error {
	var unknown []string
	asked := map[int64]bool{0: true}
	for _, r := range rows {
		for _, n := range [...]node{r.s, r.p, r.o, r.g} {
			id := n & mask
			if asked[id] {
				continue
			}
			asked[id] = true
			if _, ok := m.terms.text(id); !ok {
				unknown = append(unknown, strconv.FormatInt(id, 10))
			}
		}
	}
	if len(unknown) < 2 {
		return nil // value asks for it, where it is wanted
	}
	found, err := m.db.QueryContext(ctx, `SELECT id, text FROM term WHERE id IN (`+strings.Join(unknown, ",")+`)`)
	if err != nil {
		return m.explain(err)
	}
	defer found.Close()
	for found.Next() {
		var id int64
		var text string
		if err := found.Scan(&id, &text); err != nil {
			return m.explain(err)
		}
		m.terms.keep(id, text)
	}
	return m.explain(found.Err())
}

// episodes keeps the numbers of episodes that were looked up, by the escaped id.
type episodes struct {
	mu      sync.RWMutex
	numbers map[string]int64
	ids     map[int64]string
}

func newEpisodes() *episodes {
	return &episodes{numbers: map[string]int64{}, ids: map[int64]string{}}
}

func (e *episodes) forget() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.numbers, e.ids = map[string]int64{}, map[int64]string{}
}

func (e *episodes) keep(id string, n int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.ids) >= cached {
		e.numbers, e.ids = map[string]int64{}, map[int64]string{}
	}
	e.numbers[id], e.ids[n] = n, id
}

// number is that of an episode by its escaped id; ok is false where the memory has none.
func (m *folder) number(ctx context.Context, db asker, escaped string) (n int64, ok bool, err error) {
	m.numbers.mu.RLock()
	n, ok = m.numbers.numbers[escaped]
	m.numbers.mu.RUnlock()
	if ok {
		return n, true, nil
	}
	id, valid := record.ID(record.Base + escaped)
	if !valid {
		return 0, false, nil
	}
	err = db.QueryRowContext(ctx, `SELECT n FROM episode WHERE id = ?`, id).Scan(&n)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return 0, false, nil
	case err != nil:
		return 0, false, m.explain(err)
	}
	m.numbers.keep(escaped, n)
	return n, true, nil
}

// root is the IRI of an episode by its number.
func (m *folder) root(ctx context.Context, db asker, n int64) (string, error) {
	m.numbers.mu.RLock()
	escaped, ok := m.numbers.ids[n]
	m.numbers.mu.RUnlock()
	if ok {
		return record.Base + escaped, nil
	}
	var id string
	if err := db.QueryRowContext(ctx, `SELECT id FROM episode WHERE n = ?`, n).Scan(&id); err != nil {
		return "", m.missingRow(err)
	}
	root := record.Root(id)
	m.numbers.keep(strings.TrimPrefix(root, record.Base), n)
	return root, nil
}
