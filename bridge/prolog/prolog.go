// Package prolog explores episodes in ISO Prolog: the facts of logs or of a memory, what the
// rules conclude and the quads are predicates in Go over the index, and beside them stand
// the clauses of whoever explores.
//
// A program reaches no file, stream or process: it may write to its output, and consult the
// files that its host names. What goals may take is limited in time and memory. The rules
// themselves are never run here: they stay compiled.
package prolog

import (
	"bufio"
	"context"
	"io"
	"time"

	ichiban "github.com/ichiban/prolog"
	iso "github.com/ichiban/prolog/engine"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/rules"
)

// The limits of a goal where none are given.
const (
	DefaultTime   = time.Minute
	DefaultMemory = 512 << 20
)

// Options are what an interpreter works with.
type Options struct {
	Reasoner *engine.Reasoner
	Episodes Episodes
	Output   io.Writer // of goals
	Warnings io.Writer // of what is odd in files
	// Files may be consulted, by the names they have here.
	Files []string
	// Time bounds how long a goal may look for an answer, Memory how many bytes it may add
	// to those in use; 0 stands for the default, a negative one for no bound.
	Time   time.Duration
	Memory int64
	// Abandon is called with the reason where a goal cannot be stopped, for want of which
	// nothing but the end of the program helps.
	Abandon func(error)
}

// Interpreter is a Prolog system over episodes. It is for one goroutine at a time.
type Interpreter struct {
	Options
	vm       *iso.VM
	out      *output
	followed *followed
	only     string                     // the only episode, "" where there are none or several
	none     bool                       // there are no episodes
	known    map[rules.Indicator]kind   // predicates that no file defines
	of       map[rules.Indicator]string // the file that defines a predicate; "" for assertz
	static   map[rules.Indicator]bool   // of those: what stands in the file is all
	loading  []string                   // files that are being read
	halted   *int
	stop     context.CancelCauseFunc             // of the goal that runs
	facts    map[rules.Indicator]rules.Predicate // of the vocabulary
}

// kind says who defines a predicate.
type kind uint8

const (
	ofSystem  kind = iota // the interpreter
	ofLibrary             // it too, but a file may define it otherwise
	ofEpisode             // the facts and rules
)

// New makes an interpreter.
func New(ctx context.Context, o Options) (*Interpreter, error) {
	if o.Time == 0 {
		o.Time = DefaultTime
	}
	if o.Memory == 0 {
		o.Memory = DefaultMemory
	}
	i := &Interpreter{Options: o, out: &output{Writer: bufio.NewWriter(o.Output)}, followed: newFollowed(o.Reasoner, o.Episodes),
		known: map[rules.Indicator]kind{}, of: map[rules.Indicator]string{}, static: map[rules.Indicator]bool{}, facts: map[rules.Indicator]rules.Predicate{}}
	machine := ichiban.New(nil, i.out)
	i.vm = &machine.VM
	i.vm.FS = noFiles{}
	var ids []string
	for e, err := range o.Episodes.List(ctx) {
		if err != nil {
			return nil, err
		}
		if ids = append(ids, e.ID); len(ids) > 1 {
			break
		}
	}
	i.none = len(ids) == 0
	if len(ids) == 1 {
		i.only = ids[0]
	}
	i.restrict()
	if err := i.library(ctx); err != nil {
		return nil, err
	}
	i.vocabulary()
	i.episodePredicates()
	return i, nil
}

// output is where goals write. It knows whether a line is begun.
type output struct {
	*bufio.Writer
	begun bool
}

func (o *output) Write(p []byte) (int, error) {
	if len(p) > 0 {
		o.begun = p[len(p)-1] != '\n'
	}
	return o.Writer.Write(p)
}

func (o *output) WriteString(s string) (int, error) { return o.Write([]byte(s)) }

// endLine ends a line that goals have begun.
func (o *output) endLine() error {
	if o.begun {
		o.Write([]byte("\n"))
	}
	return o.Flush()
}

// Halted tells the exit code that halt/1 asked for; ok is false where nothing did.
func (i *Interpreter) Halted() (code int, ok bool) {
	if i.halted == nil {
		return 0, false
	}
	return *i.halted, true
}
