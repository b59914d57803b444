package memory_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/cayleygraph/quad"

	"github.com/mishap-robotics/mishap/engine/memory"
	"github.com/mishap-robotics/mishap/engine/record"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/recorded"
)

// oxigraphFolder names the node_modules of an installed npm package oxigraph.
const oxigraphFolder = "MISHAP_OXIGRAPH"

// contender is a store that quads are written to and asked of.
type contender struct {
	name    string
	clock   time.Duration // of writing
	work    time.Duration // of the processor for it
	bytes   float64       // a quad, 0 where nothing is on disk
	query   time.Duration // findings of a class in thirty days, at the median of 20 calls
	answers int
}

// TestCompare prints, under MISHAP_LONG, how stores take in and answer for the same 500
// episodes: this one, Cayley's own tables on SQLite, SQLite used plainly, and Oxigraph where node and its package are there.
func TestCompare(t *testing.T) {
	if os.Getenv("MISHAP_LONG") == "" {
		t.Skip("measures for a while; set MISHAP_LONG=1")
	}
	const episodes = 500
	var runs []memory.Run
	for i := range episodes {
		runs = append(runs, drawn(i))
	}
	var quads []quad.Quad
	for i := range runs {
		quads = append(quads, record.Episode(ontology.Default(), runs[i].Episode, runs[i].Result.Trace, record.Changes)...)
		quads = append(quads, record.Concluded(ontology.Default(), runs[i].Conclusions)...)
	}
	all := []contender{ours(t, runs), stockCayley(t, quads), plainSQLite(t, quads)}
	if c, ok := oxigraph(t, quads); ok {
		all = append(all, c)
	}
	for _, c := range all[1:] {
		if c.answers != all[0].answers {
			t.Errorf("%s has %d answers, %s %d", c.name, c.answers, all[0].name, all[0].answers)
		}
	}
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "\nSTORE\tQUADS/S\tPER S OF PROCESSOR\tBYTES A QUAD\tCLASS AND TIME\tANSWERS")
	for _, c := range all {
		n := float64(len(quads))
		fmt.Fprintf(w, "%s\t%.0f\t%.0f\t%.0f\t%v\t%d\n", c.name, n/c.clock.Seconds(), n/c.work.Seconds(), c.bytes, c.query.Round(10*time.Microsecond), c.answers)
	}
	fmt.Fprintln(w, "KnowRob, as published: 0.2 s a fact\t5\t\t\t\t")
	w.Flush()
	t.Log(text.String())
}

// processor is the time of the processor that this process has taken, or its children.
func processor(who int) time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(who, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// since and until bound the span that is asked, class is that of the findings.
func span() (class quad.IRI, since, until time.Time) {
	since = noon.Add(100 * time.Hour)
	return quad.IRI(ontology.Namespace + kinds()[0].Result.Findings[0].Type), since, since.Add(15 * 24 * time.Hour)
}

func (c *contender) asked(ask func() int) {
	var took []time.Duration
	for range 20 {
		began := time.Now()
		c.answers = ask()
		took = append(took, time.Since(began))
	}
	c.query = median(took)
}

func median(d []time.Duration) time.Duration {
	for i := range d { // few
		for k := i; k > 0 && d[k] < d[k-1]; k-- {
			d[k], d[k-1] = d[k-1], d[k]
		}
	}
	return d[len(d)/2]
}

func ours(t *testing.T, runs []memory.Run) contender {
	c := contender{name: "memory of mishap"}
	m := open(t, t.TempDir())
	began, work := time.Now(), processor(syscall.RUSAGE_SELF)
	for i := 0; i < len(runs); i += together {
		if err := m.Add(t.Context(), runs[i:min(i+together, len(runs))]...); err != nil {
			t.Fatal(err)
		}
	}
	c.clock, c.work = time.Since(began), processor(syscall.RUSAGE_SELF)-work
	s, err := m.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c.bytes = s.BytesPerQuad
	class, since, until := span()
	c.asked(func() (n int) {
		for _, err := range m.Match(t.Context(), memory.Pattern{Predicate: typeOf, Object: class, Of: memory.Filter{Since: since, Until: until}}) {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		return n
	})
	return c
}

// plainSQLite has four columns of text, two indexes, and a statement for each quad.
func plainSQLite(t *testing.T, quads []quad.Quad) contender {
	c := contender{name: "SQLite used plainly"}
	file := filepath.Join(t.TempDir(), "plain.db")
	db, err := sql.Open("sqlite", "file:"+file+"?_pragma=journal_mode(wal)&_pragma=synchronous(full)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`CREATE TABLE quad (s TEXT, p TEXT, o TEXT, g TEXT); CREATE INDEX spo ON quad (s, p, o); CREATE INDEX pos ON quad (p, o, s)`); err != nil {
		t.Fatal(err)
	}
	began, work := time.Now(), processor(syscall.RUSAGE_SELF)
	const batch = 100_000
	for i := 0; i < len(quads); i += batch {
		if err := insertPlainly(t.Context(), db, quads[i:min(i+batch, len(quads))]); err != nil {
			t.Fatal(err)
		}
	}
	c.clock, c.work = time.Since(began), processor(syscall.RUSAGE_SELF)-work
	c.bytes = sizeOnDisk(file) / float64(len(quads))
	class, since, until := span()
	const question = `SELECT count(DISTINCT f.s) FROM quad f JOIN quad e ON e.s = f.s AND e.p = ? JOIN quad b ON b.s = e.o AND b.p = ?
		WHERE f.p = ? AND f.o = ? AND b.o >= ? AND b.o < ?`
	c.asked(func() (n int) {
		err := db.QueryRow(question, term("episode"), term(string(recorded.StartTime)), quad.ToString(typeOf), quad.ToString(class),
			startText(since), startText(until)).Scan(&n)
		if err != nil {
			t.Fatal(err)
		}
		return n
	})
	return c
}

func insertPlainly(ctx context.Context, db *sql.DB, quads []quad.Quad) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	insert, err := tx.PrepareContext(ctx, `INSERT INTO quad VALUES (?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	for _, q := range quads {
		if _, err := insert.ExecContext(ctx, quad.ToString(q.Subject), quad.ToString(q.Predicate), quad.ToString(q.Object), quad.ToString(q.Label)); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func term(name string) string { return quad.ToString(quad.IRI(ontology.Namespace + name)) }

// startText is the start of an episode as plainSQLite has it.
func startText(at time.Time) string {
	return quad.ToString(quad.TypedString{Value: quad.String(at.Format(time.RFC3339)), Type: "http://www.w3.org/2001/XMLSchema#dateTime"})
}

// script loads N-Quads into Oxigraph, and prints milliseconds to load, those of each of 20
// calls, and the answers.
const script = `const {Store} = require(process.argv[2] + "/oxigraph"), fs = require("fs");
const s = new Store(), text = fs.readFileSync(process.argv[3], "utf8");
let t = performance.now(); s.load(text, {format: "application/n-quads"}); const load = performance.now() - t;
const used = process.cpuUsage(); let n = 0; const took = [];
for (let i = 0; i < 20; i++) { t = performance.now(); n = s.query(process.argv[4], {use_default_graph_as_union: true}).length; took.push(performance.now() - t); }
took.sort((a, b) => a - b);
console.log(load, (used.user + used.system) / 1000, took[10], n);`

// oxigraph is Oxigraph as WebAssembly, in memory.
func oxigraph(t *testing.T, quads []quad.Quad) (contender, bool) {
	folder := os.Getenv(oxigraphFolder)
	if folder == "" {
		t.Logf("without Oxigraph: npm install oxigraph@0.4.11 somewhere, and name its node_modules in %s", oxigraphFolder)
		return contender{}, false
	}
	var text strings.Builder
	for _, q := range quads {
		text.WriteString(q.NQuad() + "\n")
	}
	file := filepath.Join(t.TempDir(), "all.nq")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	class, since, until := span()
	question := fmt.Sprintf("SELECT DISTINCT ?f { ?f a <%s> ; <%sepisode> ?e . ?e <%s%s> ?t FILTER(?t >= %s && ?t < %s) }",
		string(class), ontology.Namespace, ontology.Namespace, recorded.StartTime, startText(since), startText(until))
	out, err := exec.CommandContext(t.Context(), "node", "-e", script, "-", folder, file, question).Output()
	if err != nil {
		t.Logf("without Oxigraph: %v", err)
		return contender{}, false
	}
	var load, work, query float64
	c := contender{name: "Oxigraph as WebAssembly, in memory"}
	if _, err := fmt.Sscan(string(out), &load, &work, &query, &c.answers); err != nil {
		t.Fatalf("%q: %v", out, err)
	}
	c.clock, c.work, c.query = milli(load), milli(work), milli(query)
	return c, true
}

func milli(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }

// sizeOnDisk is how many bytes a database of SQLite takes with its write-ahead log.
func sizeOnDisk(file string) float64 {
	var size int64
	for _, name := range []string{file, file + "-wal"} {
		if info, err := os.Stat(name); err == nil {
			size += info.Size()
		}
	}
	return float64(size)
}
