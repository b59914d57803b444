package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mishap-robotics/mishap/bridge/prolog"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/memory"
)

// exploring is what script and repl have in common.
type exploring struct {
	*knowledge
	by     mapped
	of     memoryFlags
	time   time.Duration
	memory int // in MB
	most   int
}

func (e *exploring) flags(f *pflag.FlagSet) {
	e.of.where(f, "to explore, in place of LOG")
	e.of.filters(f)
	e.by.flags(f)
	f.DurationVar(&e.time, "timeout", prolog.DefaultTime, "how long a goal may look for an answer; 0 for as long as it takes")
	f.IntVar(&e.memory, "max-memory", prolog.DefaultMemory>>20, "how many MB a goal may take; 0 for any")
	f.IntVar(&e.most, "answers", 1000, "how many answers of a goal are shown")
}

// sources are the Prolog files and the logs among arguments.
func sources(args []string) (files, logs []string) {
	for _, arg := range args {
		if filepath.Ext(arg) == ".pl" {
			files = append(files, arg)
		} else {
			logs = append(logs, arg)
		}
	}
	return files, logs
}

// interpreter makes an interpreter over the logs or the memory; end is to be called when it
// is no longer used.
func (e *exploring) interpreter(ctx context.Context, files, paths []string) (i *prolog.Interpreter, end func(), err error) {
	o, err := e.loadOntology()
	if err != nil {
		return nil, nil, err
	}
	options := prolog.Options{Files: files, Output: stdout, Warnings: stderr, Time: orUnbounded(e.time), Memory: orUnbounded(int64(e.memory) << 20), Abandon: abandonGoal}
	end = func() {}
	var with []engine.Option
	switch {
	case e.of.place != "" && len(paths) > 0:
		return nil, nil, fmt.Errorf("LOG %s and --memory; expected one of the two", paths[0])
	case e.of.place != "" || len(paths) == 0 && os.Getenv(memoryVariable) != "":
		filter, err := e.of.filter(time.Now())
		if err != nil {
			return nil, nil, err
		}
		m, err := e.of.open(ctx, o, true)
		if err != nil {
			return nil, nil, err
		}
		end, with, options.Episodes = func() { m.Close() }, m.Builtins(), prolog.Stored(m, filter)
	case e.of != (memoryFlags{}):
		return nil, nil, errors.New("what limits episodes is of a memory; expected --memory DIR with it")
	default:
		var all []*episode.Episode
		for _, path := range paths {
			read, err := e.by.all(o, path)
			if err != nil {
				return nil, nil, err
			}
			all = append(all, read...)
		}
		if options.Episodes, err = prolog.Logged(o, all); err != nil {
			return nil, nil, err
		}
		var none *memory.Memory // so that rules that look back load
		with = none.Builtins()
	}
	if options.Reasoner, err = e.reasoner(with...); err == nil {
		i, err = prolog.New(ctx, options)
	}
	if err != nil {
		end()
		return nil, nil, err
	}
	return i, end, nil
}

// orUnbounded is a limit as Options have it.
func orUnbounded[T time.Duration | int64](n T) T {
	if n == 0 {
		return -1
	}
	return n
}

// abandonGoal ends the program where nothing else stops a goal.
func abandonGoal(reason error) {
	fmt.Fprintf(os.Stderr, "mishap: %v; nothing but the end of the program stopped it\n", reason)
	os.Exit(exitBad)
}

func newScript(k *knowledge) *cobra.Command {
	e := &exploring{knowledge: k}
	var goals []string
	c := &cobra.Command{
		Use:   "script FILE.pl… [LOG…]",
		Short: "Run Prolog programs over logs or a memory",
		Long: `Run programs in ISO Prolog, with grammars, assertz and exceptions, over the facts of
logs or of a memory. "mishap rules vocabulary" lists the facts; what rules define is
there too. Of one episode they stand as they are, holds(S, O); of several with the
episode before the arguments, holds(E, S, O). Further ones:

  episode(E)  robot(E, R)  site(E, P)  task(E, T)  label(E, L)  started(E, Seconds)
  check(E, finding(Class, Step, Cause, Objects))   what "mishap check" finds
  why(Goal)                                        prints the proof of a fact, of what
                                                   a rule defines, or of check(E, F)
  recovers(Strategy, Class)  triple(S, P, O)  quad(S, P, O, Graph)

The files are read one after the other, then the goals of :- initialization(Goal) and
--goal are asked. A program reads no file but those that are named, and reaches no
stream and no process. halt/0 and halt/1 end it.

  mishap script mugs.pl run.jsonl
  mishap script mugs.pl run.jsonl --goal "dropped_mug(S, O)"
  mishap script mugs.pl --memory DIR --since 7d

Exit code: 0, 1 where a goal of a file is false, one of --goal has no answer or halt/1
said so, 2 the call, an input or a goal is bad.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			files, paths := sources(args)
			if len(files) == 0 {
				return fmt.Errorf("no file of Prolog among %v; expected a name that ends in .pl", args)
			}
			i, end, err := e.interpreter(c.Context(), files, paths)
			if err != nil {
				return err
			}
			defer end()
			return e.script(c.Context(), i, files, goals)
		},
	}
	e.flags(c.Flags())
	c.Flags().StringArrayVarP(&goals, "goal", "g", nil, "ask this goal when the files are read, and show its answers")
	return c
}

// script reads files and asks goals.
func (e *exploring) script(ctx context.Context, i *prolog.Interpreter, files, goals []string) error {
	failed := false
	for _, file := range files {
		err := i.Consult(ctx, file)
		if code, halted := i.Halted(); halted {
			return haltedWith(code)
		}
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
		case prolog.IsFalse(err):
			fmt.Fprintln(stderr, "mishap: "+err.Error())
			failed = true
		default:
			return err
		}
	}
	for _, goal := range goals {
		top := &prolog.TopLevel{Interpreter: i, Out: stdout, Errors: stderr, Most: e.most}
		out := top.Show(ctx, goal)
		code, halted := i.Halted()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case halted:
			return haltedWith(code)
		case out.Wrong:
			return exit{exitBad}
		}
		failed = failed || out.Failed
	}
	if failed {
		return exit{exitFound}
	}
	return nil
}

// haltedWith is the exit code of a program that ended itself: halt/1 cannot say that the call
// or an input is bad.
func haltedWith(code int) error {
	if code == 0 {
		return nil
	}
	return exit{exitFound}
}
