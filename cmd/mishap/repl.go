package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/ergochat/readline"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/mishap-robotics/mishap/bridge/prolog"
)

func newREPL(k *knowledge) *cobra.Command {
	e := &exploring{knowledge: k}
	var forget bool
	c := &cobra.Command{
		Use:   "repl [FILE.pl…] [LOG…]",
		Short: "Ask logs or a memory in Prolog, goal by goal",
		Long: `Ask the facts of logs or of a memory in ISO Prolog, goal by goal. "mishap script --help"
tells what there is to ask. A goal ends with a full stop and may go over several lines;
Tab completes predicates, and in quotation marks the names of the ontology. After an
answer, ; and Enter asks for another, Enter alone ends the goal. Ctrl-C stops a goal,
Ctrl-D or halt ends the session.

The files are consulted first; consult('FILE.pl') reads one of them again.

Where standard input is no terminal each goal is answered in full, without a prompt.
Exit code then: 0, 1 where a goal has no answer or halt/1 said so, 2 where one is wrong
or the call or an input is bad; of a terminal 0 or 2.`,
		RunE: func(c *cobra.Command, args []string) error {
			files, paths := sources(args)
			i, end, err := e.interpreter(c.Context(), files, paths)
			if err != nil {
				return err
			}
			defer end()
			return e.converse(c.Context(), i, files, !forget)
		},
	}
	e.flags(c.Flags())
	c.Flags().BoolVar(&forget, "no-history", false, "neither read nor write the history of goals")
	return c
}

// converse reads files and asks what is entered.
func (e *exploring) converse(ctx context.Context, i *prolog.Interpreter, files []string, remember bool) error {
	interactive := term.IsTerminal(int(os.Stdin.Fd())) && term.IsTerminal(int(os.Stdout.Fd()))
	outcome := prolog.Outcome{}
	for _, file := range files {
		if err := i.Consult(ctx, file); err != nil {
			if !interactive && !prolog.IsFalse(err) {
				return err
			}
			fmt.Fprintln(stderr, "mishap: "+err.Error())
			outcome.Failed = true
		}
	}
	top := &prolog.TopLevel{Interpreter: i, Out: stdout, Errors: stderr, Interactive: interactive, Most: e.most}
	var err error
	switch _, halted := i.Halted(); {
	case halted:
	case interactive:
		err = e.atTerminal(ctx, top, remember)
	default:
		top.Lines = &pipedLines{bufio.NewReader(os.Stdin)}
		var asked prolog.Outcome
		asked, err = top.Run(ctx)
		outcome.Failed, outcome.Wrong = outcome.Failed || asked.Failed, asked.Wrong
	}
	code, halted := i.Halted()
	switch {
	case err != nil:
		return err
	case interactive && !halted:
		return nil
	case outcome.Wrong:
		return exit{exitBad}
	case halted:
		return haltedWith(code)
	case outcome.Failed:
		return exit{exitFound}
	}
	return nil
}

// mostLine is how long a line may be that is entered, in bytes.
const mostLine = 1 << 20

// pipedLines are those of standard input.
type pipedLines struct{ *bufio.Reader }

func (l *pipedLines) Line(string) (string, error) {
	var line []byte
	for {
		part, err := l.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > mostLine:
			return "", fmt.Errorf("standard input: found a line of more than %d bytes; expected goals of a few lines", mostLine)
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(line) > 0:
			return string(line), nil
		case err != nil:
			return "", err
		default:
			return strings.TrimRight(string(line), "\r\n"), nil
		}
	}
}

// terminalLines are those that are entered at a terminal.
type terminalLines struct{ *readline.Instance }

func (l terminalLines) Line(prompt string) (string, error) {
	l.SetPrompt(prompt)
	line, err := l.ReadLine()
	if errors.Is(err, readline.ErrInterrupt) {
		return "", prolog.ErrInterrupted
	}
	return line, err
}

// completer completes names for readline.
type completer struct{ *prolog.Interpreter }

func (c completer) Do(line []rune, pos int) (rest [][]rune, typed int) {
	names, length := c.Complete(string(line[:pos]))
	for _, name := range names {
		rest = append(rest, []rune(name[length:]))
	}
	return rest, length
}

// atTerminal lets somebody ask, with a history where it is wanted.
func (e *exploring) atTerminal(ctx context.Context, top *prolog.TopLevel, remember bool) error {
	lines, err := readline.NewFromConfig(&readline.Config{DisableAutoSaveHistory: true, HistoryLimit: 1000, AutoComplete: completer{top.Interpreter}})
	if err != nil {
		return err
	}
	defer lines.Close()
	top.Lines = terminalLines{lines}
	var history *prolog.History
	if remember {
		if path, err := prolog.HistoryPath(); err == nil {
			history = &prolog.History{Path: path}
			for _, goal := range history.Load() {
				lines.SaveToHistory(goal)
			}
		}
	}
	top.Entered = func(goal string) {
		lines.SaveToHistory(prolog.OneLine(goal))
		if history == nil {
			return
		}
		if err := history.Add(goal); err != nil {
			fmt.Fprintf(stderr, "warning: the history is not kept: %v\n", err)
			history = nil
		}
	}
	signal.Reset(os.Interrupt) // it ends goals from here on, not the program
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	top.Goal = func(ctx context.Context) (context.Context, func()) { return interruptible(ctx, interrupts) }
	_, err = top.Run(ctx)
	return err
}

// interruptible is a context that an interrupt ends.
func interruptible(ctx context.Context, interrupts <-chan os.Signal) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		select {
		case <-interrupts:
			cancel(prolog.ErrInterrupted)
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(nil) }
}
