package rulebench

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/mishap-robotics/mishap/engine/factstream"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// Run does with mishap what is asked of every engine: it takes in the facts of
// each step, as WriteJSON writes them, asks every rule about the new step, and in the
// end about all steps at once. It writes what was done, the nanoseconds of both and
// the answers, a line to a step.
func Run(ctx context.Context, o *ontology.Ontology, p *rules.Program, facts io.Reader, interpret bool, w io.Writer) error {
	x := factstream.New(o, p, interpret)
	r := &runner{stream: x, out: bufio.NewWriter(w)}
	defer r.out.Flush()
	for d := json.NewDecoder(bufio.NewReader(facts)); d.More(); {
		steps, err := readAhead(d, x)
		if err != nil {
			return err
		}
		for i := range steps {
			if err := r.step(ctx, &steps[i]); err != nil {
				return err
			}
		}
	}
	r.found = r.found[:0]
	began := time.Now()
	if err := x.AskAll(ctx, r.keep); err != nil {
		return err
	}
	r.write("whole", 0, r.added, time.Since(began))
	return nil
}

// RunFiles is Run of the rules and facts of two files.
func RunFiles(ctx context.Context, o *ontology.Ontology, program, facts string, interpret bool, w io.Writer) error {
	documents, err := rules.ReadDir(program)
	if err != nil {
		return err
	}
	p, err := rules.Load(documents)
	if err != nil {
		return err
	}
	f, err := os.Open(facts)
	if err != nil {
		return err
	}
	defer f.Close()
	return Run(ctx, o, p, f, interpret, w)
}

type runner struct {
	stream *factstream.Stream
	out    *bufio.Writer
	added  time.Duration
	found  []factstream.Conclusion
}

func (r *runner) keep(c factstream.Conclusion) bool {
	r.found = append(r.found, c)
	return true
}

func (r *runner) step(ctx context.Context, st *rows) error {
	began := time.Now()
	for facts := st.facts; len(facts) > 0; {
		n := 2 + facts[1]
		r.stream.Add(int(facts[0]), facts[2:n])
		facts = facts[n:]
	}
	added := time.Since(began)
	r.added += added
	r.found = r.found[:0]
	began = time.Now()
	if err := r.stream.Ask(ctx, st.step, r.keep); err != nil {
		return err
	}
	r.write("step", st.step, added, time.Since(began))
	return nil
}

// ahead is how many steps are read at a time. Reading is not measured, and what it
// leaves to be collected is collected before measuring goes on.
const ahead = 1000

// rows are the facts of a step: of each the predicate, the number of its arguments
// and these, one after the other.
type rows struct {
	step  int32
	facts []int32
}

func readAhead(d *json.Decoder, x *factstream.Stream) ([]rows, error) {
	var out []rows
	for len(out) < ahead && d.More() {
		step, facts, err := read(d, x)
		if err != nil {
			return nil, err
		}
		out = append(out, rows{step, facts})
	}
	runtime.GC()
	return out, nil
}

// read reads the facts of a step.
func read(d *json.Decoder, x *factstream.Stream) (step int32, facts []int32, err error) {
	var line struct {
		Step  int32   `json:"step"`
		Facts [][]any `json:"facts"`
	}
	if err := d.Decode(&line); err != nil {
		return 0, nil, err
	}
	for _, f := range line.Facts {
		t := &rules.Term{Kind: rules.Compound}
		for i, a := range f {
			switch a := a.(type) {
			case float64:
				t.Args = append(t.Args, &rules.Term{Kind: rules.Integer, Int: int64(a)})
			default:
				if i == 0 {
					t.Name = fmt.Sprint(a)
				} else {
					t.Args = append(t.Args, &rules.Term{Kind: rules.Atom, Name: fmt.Sprint(a)})
				}
			}
		}
		pred, args, err := x.Row(t)
		if err != nil {
			return 0, nil, fmt.Errorf("step %d: %w", line.Step, err)
		}
		facts = append(append(facts, int32(pred), int32(len(args))), args...)
	}
	return line.Step, facts, nil
}

func (r *runner) write(what string, step int32, added, spent time.Duration) {
	fmt.Fprintf(r.out, "%s\t%d\t%d\t%d\t", what, step, added.Nanoseconds(), spent.Nanoseconds())
	for _, c := range r.found {
		fmt.Fprintf(r.out, "%s %d %d %s;", c.Class, c.Step, c.Cause, strings.Join(c.Objects, " "))
	}
	fmt.Fprintln(r.out)
}
