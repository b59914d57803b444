package memory_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cayleygraph/cayley/graph"
	graphlog "github.com/cayleygraph/cayley/graph/log"
	"github.com/cayleygraph/cayley/graph/path"
	csql "github.com/cayleygraph/cayley/graph/sql"
	"github.com/cayleygraph/quad"

	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/recorded"
)

// stockTables is the name of Cayley's own tables on SQLite, as its flavour for cgo has them,
// over the driver in Go.
const stockTables = "sqlite-in-go"

func init() {
	csql.Register(stockTables, csql.Registration{
		Driver: "sqlite", HashType: fmt.Sprintf("BINARY(%d)", quad.HashSize), BytesType: "BLOB", HorizonType: "INTEGER", TimeType: "DATETIME",
		QueryDialect: csql.QueryDialect{
			RegexpOp: "REGEXP", FieldQuote: func(name string) string { return "`" + name + "`" }, Placeholder: func(int) string { return "?" },
		},
		ConditionalIndexes: true, // else a triple could be in one graph alone
		NoForeignKeys:      true, NoOffsetWithoutLimit: true,
		Error: func(err error) error { return err },
		RunTx: writeStock,
	})
}

// writeStock writes nodes and quads, with a statement for each form of node.
func writeStock(tx *sql.Tx, nodes []graphlog.NodeUpdate, quads []graphlog.QuadUpdate, _ graph.IgnoreOpts) error {
	forms := map[csql.ValueType]*sql.Stmt{}
	for _, n := range nodes {
		form, values, err := csql.NodeValues(csql.NodeHash{ValueHash: n.Hash}, n.Val)
		if err != nil {
			return err
		}
		insert := forms[form]
		if insert == nil {
			insert, err = tx.Prepare(`INSERT INTO nodes(refs, hash, ` + strings.Join(form.Columns(), ", ") + `) VALUES (?` + strings.Repeat(", ?", len(values)) +
				`) ON CONFLICT(hash) DO UPDATE SET refs = refs + excluded.refs`)
			if err != nil {
				return err
			}
			defer insert.Close()
			forms[form] = insert
		}
		if _, err := insert.Exec(append([]any{n.RefInc}, values...)...); err != nil {
			return err
		}
	}
	insert, err := tx.Prepare(`INSERT OR IGNORE INTO quads(subject_hash, predicate_hash, object_hash, label_hash, ts) VALUES (?, ?, ?, ?, datetime())`)
	if err != nil {
		return err
	}
	defer insert.Close()
	for _, q := range quads {
		var dirs []any
		for _, h := range q.Quad.Dirs() {
			dirs = append(dirs, csql.NodeHash{ValueHash: h}.SQLValue())
		}
		if _, err := insert.Exec(dirs...); err != nil {
			return err
		}
	}
	return nil
}

// stockCayley is Cayley's own backend of SQLite, and its paths.
func stockCayley(t *testing.T, quads []quad.Quad) contender {
	c := contender{name: "Cayley's own tables on SQLite"}
	file := filepath.Join(t.TempDir(), "stock.db")
	address := "file:" + file + "?_pragma=journal_mode(wal)&_pragma=synchronous(full)"
	if err := csql.Init(stockTables, address, nil); err != nil {
		t.Fatal(err)
	}
	qs, err := csql.New(stockTables, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer qs.Close()
	began, work := time.Now(), processor(syscall.RUSAGE_SELF)
	const batch = 100_000
	for i := 0; i < len(quads); i += batch {
		var deltas []graph.Delta
		for _, q := range quads[i:min(i+batch, len(quads))] {
			deltas = append(deltas, graph.Delta{Quad: q, Action: graph.Add})
		}
		if err := qs.ApplyDeltas(deltas, graph.IgnoreOpts{IgnoreDup: true}); err != nil {
			t.Fatal(err)
		}
	}
	c.clock, c.work = time.Since(began), processor(syscall.RUSAGE_SELF)-work
	c.bytes = sizeOnDisk(file) / float64(len(quads))
	class, since, until := span()
	started := path.StartPath(qs, class).In(typeOf).Tag("finding").Out(quad.IRI(ontology.Namespace + string(ontology.EventEpisode))).Out(quad.IRI(recorded.StartTime.IRI())).Tag("start")
	c.asked(func() int {
		found := map[quad.Value]bool{}
		err := started.Iterate(t.Context()).TagValues(qs, func(tags map[string]quad.Value) {
			at, ok := quad.NativeOf(tags["start"]).(time.Time)
			if ok && !at.Before(since) && at.Before(until) {
				found[tags["finding"]] = true
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	})
	return c
}
